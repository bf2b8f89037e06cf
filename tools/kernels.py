"""Kernels forked from a process that has imported what pages need.

Each starts in a tenth of a second."""
import importlib, json, os, signal, subprocess, sys, threading
from functools import cache
from types import SimpleNamespace

# Nothing of Matplotlib that asks which backend it has, and nothing of the package.
IMPORTED = """ipykernel.kernelapp ipykernel.zmqshell numpy scipy.special scipy.stats
              scipy.optimize scipy.interpolate scipy.signal matplotlib.figure matplotlib.ticker
              matplotlib.backends.backend_agg matplotlib.backends.backend_svg
              matplotlib.font_manager""".split()
# What numpy, BLAS and libm read when a process starts.
SETTINGS = "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES"
LOCK = threading.Lock()


class Parent:
    "A process that forks kernels, started with some settings."
    def __init__(self, settings):
        backend = "module://matplotlib_inline.backend_inline"
        env = os.environ | dict(settings) | dict(MPLBACKEND=backend)
        self.process = subprocess.Popen([sys.executable, __file__], env=env, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def fork(self, **asked):
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())


@cache
def find_parent(settings): return Parent(settings)


class Kernel:
    "A forked kernel, by the methods of a `Popen` that jupyter_client calls."
    stdin = stdout = stderr = None

    def __init__(self, pid): self.pid = pid

    def poll(self):
        try: os.kill(self.pid, 0)
        except ProcessLookupError: return 0

    def wait(self): return 0
    def send_signal(self, number): os.kill(self.pid, number)
    def kill(self): self.send_signal(signal.SIGKILL)
    def terminate(self): self.send_signal(signal.SIGTERM)


def fork_kernels():
    "Have jupyter_client fork the kernels that it starts from now on."
    from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
    class Forked(LocalProvisioner):
        async def launch_kernel(self, cmd, *, env, cwd, **_):
            settings = tuple((name, env[name]) for name in SETTINGS if name in env)
            words = cmd[cmd.index("-m") + 1:]
            with LOCK:
                pid = find_parent(settings).fork(words=words, env=dict(env), cwd=str(cwd))
            self.process, self.pid, self.pgid = Kernel(pid), pid, pid
            return self.connection_info
    factory = KernelProvisionerFactory.instance()
    factory.provisioners["forked"] = SimpleNamespace(load=lambda: Forked)
    factory.default_provisioner_name = "forked"


def serve():
    "Fork a kernel for each line that comes in, and tell its process."
    del sys.path[0]
    for name in IMPORTED: importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    for line in sys.stdin:
        pid = os.fork()
        if not pid: run_kernel(**json.loads(line))
        print(pid, flush=True)


def run_kernel(words, env, cwd):
    "The child's side: never returns."
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = [*words, f"--IPKernelApp.parent_handle={os.getppid()}"]
    from ipykernel import kernelapp
    try: kernelapp.launch_new_instance()
    finally: os._exit(0)


if __name__ == "__main__": serve()
