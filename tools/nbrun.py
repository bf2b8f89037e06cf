"""Execute notebooks under a real Jupyter kernel.

Their committed outputs are verified, or rewritten with --write.

With --machines the pages that draw or optimise run as on another processor, and every number must
read the same: a stricter check than the same run here, which nbdev_test does as well."""
import argparse, copy, difflib, json, logging, os, re, sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ENV = dict(IN_TEST="1", PYTHONHASHSEED="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
           COLUMNS="100")
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
# Where an object lies, what the methods of a result say of the program, and the picture that stands
# beside the table of an explorer differ from machine to machine.
OWN = re.compile(r"0x[0-9a-fA-F]{6,}"
                 r"|Computed\s+with\s+sampling\\?_eval\s+[^)]*\)"
                 r"|(?<=image/png;base64,)[\w+/=]+")
# Pages that draw or optimise; of all pages they take longest, and of them the first ones.
MACHINES = [Path(f"nbs/{name}.ipynb") for name in (
    "inference/extrapolation inference/power guides/plan inference/regressions "
    "guides/command inference/gaffke inference/bayes inference/units guides/gate "
    "guides/extrapolate inference/significance inference/bands guides/compare inference/sequential "
    "inference/comparison inference/deciding inference/estimate inference/ranking "
    "guides/score").split()]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SKIPPED = re.compile(r"^\s*#\s*\|\s*eval\s*:\s*false", re.M)


def execute(path, timeout, env):
    """The notebook as committed, and a copy executed in its own folder.

    Cells with `#| eval: false` keep their outputs."""
    import nbformat
    from nbclient import NotebookClient
    old = nbformat.read(path, as_version=4)
    fresh = copy.deepcopy(old)
    skipped = [cell for cell in fresh.cells
               if cell.cell_type == "code" and SKIPPED.search(cell.source)]
    for cell in skipped: cell.cell_type = "raw"
    client = NotebookClient(fresh, timeout=timeout, kernel_name="python3",
                            resources={"metadata": {"path": str(path.parent)}},
                            extra_arguments=["--IPKernelApp.log_level=40"])
    client.execute(env=os.environ | env)
    for cell in skipped: cell.cell_type = "code"
    keep_markdown(fresh)
    return old, fresh


def same_text(a, b, rtol):
    "The same words, and numbers that agree to a tolerance."
    return same_but_numbers(a, b, lambda u, v: close(u, v, rtol))


def same_but_numbers(a, b, same):
    "Whether two texts differ in their numbers only, each of which is `same` in both."
    a, b = OWN.sub("", a), OWN.sub("", b)
    if a == b: return True
    if NUMBER.sub("#", a).split() != NUMBER.sub("#", b).split(): return False
    return all(map(same, NUMBER.findall(a), NUMBER.findall(b)))


def close(u, v, rtol):
    x, y = float(u), float(v)
    return abs(x - y) <= rtol * max(abs(x), abs(y)) + 1e-15


def other_machine():
    """Settings under which numpy, BLAS and libm take the routes of an old processor.

    Empty where there are none."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
    if not __cpu_features__.get("SSE42"): return {}
    found = " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))
    return dict(OPENBLAS_CORETYPE="Nehalem", NPY_DISABLE_CPU_FEATURES=found,
                GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F")


def same_reading(a, b):
    """Numbers of fewer than 12 digits must be the same characters.

    Where one has more, both agree to 1e-9."""
    def same(u, v):
        digits = max(len(re.sub(r"[eE].*|\D", "", o).lstrip("0")) for o in (u, v))
        # Twelve digits are shown by reprs only; a rounding error of size 1e-16 may be another.
        return u == v or digits >= 12 and close(u, v, 1e-9)
    return same_but_numbers(a, b, same)


def same_drawing(a, b, rtol):
    "SVG is compared as text, numbers by value, and only if the same Matplotlib has drawn both."
    drawn = [re.search(r"<dc:title>(Matplotlib v[\d.]+)", o) for o in (a, b)]
    if all(drawn) and drawn[0][1] != drawn[1][1]: return True
    # Names of clip paths are hashes of coordinates, to the last bit.
    a, b = (re.sub(r'(?<=[#"])p[0-9a-f]{10}\b', "clip", o) for o in (a, b))
    return same_text(a, b, rtol)


def allowed_metadata():
    "The cell metadata that settings.ini keeps."
    from nbdev.config import get_config
    return get_config().get("allowed_cell_metadata_keys", "").split()


def outputs(cell):
    for out in cell.get("outputs", []):
        if out["output_type"] == "stream": yield "stream/" + out["name"], out["text"]
        elif out["output_type"] == "error": yield "error", "\n".join(out["traceback"])
        else: yield from ((kind, out["data"][kind]) for kind in sorted(out["data"]))


def keep_markdown(nb):
    "Leave out the HTML of what has Markdown too: pages store the form that a diff can be read of."
    for cell in nb.cells:
        for out in cell.get("outputs", []):
            if "text/markdown" in (data := out.get("data", {})): data.pop("text/html", None)


def differences(old, new, rtol, same_words):
    for i, (a, b) in enumerate(zip(old.cells, new.cells, strict=True)):
        if a.cell_type != "code": continue
        x, y = list(outputs(a)), list(outputs(b))
        if [kind for kind, _ in x] != [kind for kind, _ in y]:
            yield i, f"output kinds {[kind for kind, _ in x]} became {[kind for kind, _ in y]}"
            continue
        for (kind, u), (_, v) in zip(x, y, strict=True):
            u, v = ("".join(o) if isinstance(o, list) else o for o in (u, v))
            if kind == "image/png": same = True  # drawn of the figure whose SVG is compared
            elif kind == "image/svg+xml": same = same_drawing(u, v, rtol)
            else: same = same_words(u, v) if isinstance(u, str) else u == v
            if same: continue
            told = f"{kind} differs"
            if not kind.startswith("image"):
                diff = difflib.unified_diff(str(u).splitlines(), str(v).splitlines(),
                                            "committed", "fresh", lineterm="", n=1)
                told += "\n" + "\n".join(diff)
            yield i, told


def errors(nb):
    "Errors among the outputs: one inside the display of a figure does not stop the run."
    for i, cell in enumerate(nb.cells):
        for kind, value in outputs(cell) if cell.cell_type == "code" else ():
            if kind == "error": yield i, f"an error is displayed\n{value}"


def judge(path, asked):
    """Whether a page still prints what is stored, and what there is to say.

    With `write`, its fresh outputs are stored."""
    from nbclient.exceptions import CellExecutionError
    start = time.perf_counter()
    elsewhere = asked.other if path in asked.elsewhere else {}
    try: old, new = execute(path, asked.timeout, elsewhere)
    except CellExecutionError as error:
        return False, f"{path}: a cell fails\n{COLOUR.sub('', str(error))}"
    same_words = same_reading if elsewhere else lambda u, v: same_text(u, v, asked.rtol)
    found = list(differences(old, new, asked.rtol, same_words))
    failed = list(errors(new))
    told = failed if asked.write else failed + found
    said = [f"{path} cell {i}: {message}" for i, message in told]
    if asked.write: store(new, path)
    elif found:
        said.append(f"what is printed now is stored by python tools/nbrun.py --write {path}")
    where = " as on another processor" if elsewhere else ""
    said.append(f"{path}: {len(found)} changed outputs{where}, {time.perf_counter() - start:.1f} s")
    return not failed and (asked.write or not found), "\n".join(said)


def store(nb, path):
    "Write a notebook as nbdev_clean leaves it."
    import nbformat
    from execnb.nbio import dict2nb, write_nb
    from nbdev.clean import clean_nb
    plain = json.loads(nbformat.writes(nb))
    clean_nb(plain, allowed_cell_metadata_keys=allowed_metadata())
    write_nb(dict2nb(plain), path)


def parse_words():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("notebooks", nargs="*", type=Path)
    p.add_argument("--write", action="store_true", help="store the fresh outputs")
    p.add_argument("--machines", action="store_true",
                   help="run the pages named, or of all those that draw or optimise, as on another "
                        "processor, and forgive no printed number")
    # Two processors are busy where a third page begins while one of two ends.
    p.add_argument("--jobs", type=int, default=3, help="pages run at once")
    p.add_argument("--timeout", type=int, default=600, help="seconds for one cell")
    p.add_argument("--rtol", type=float, default=1e-6)
    return p.parse_args()


def main():
    from kernels import fork_kernels
    asked = parse_words()
    os.environ.update(ENV)
    # Elsewhere a process that has loaded a library of its system may not fork.
    if sys.platform == "linux": fork_kernels()
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    asked.other, asked.elsewhere = {}, asked.notebooks or MACHINES
    if asked.machines:
        asked.other = other_machine()
        told = " ".join(f"{name}={value}" for name, value in asked.other.items())
        print("as on another processor:",
              told or "none is known here, every page runs as on this one")
    pages = asked.notebooks or sorted(Path("nbs").rglob("*.ipynb"))
    pages = [path for path in pages if ".ipynb_checkpoints" not in path.parts]
    # The longest first, so that none is left for one process alone.
    pages.sort(key=lambda path: MACHINES.index(path) if path in MACHINES else len(MACHINES))
    stale = 0
    # A page has a process of its own anyway, its kernel; here one waits for each.
    with ThreadPoolExecutor(asked.jobs) as pool:
        for good, said in pool.map(judge, pages, [asked] * len(pages)):
            print(said, flush=True)
            stale += not good
    return 1 if stale else 0


if __name__ == "__main__": sys.exit(main())
