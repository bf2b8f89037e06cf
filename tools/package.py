"Build wheel and sdist, install the wheel into an empty environment, run the command there, and print import times."
import subprocess, sys, tempfile, venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMPORT = """
import sys, time
start = time.perf_counter(); import numpy; base = time.perf_counter() - start
start = time.perf_counter(); import sampling_eval; own = time.perf_counter() - start
start = time.perf_counter(); from sampling_eval import score; verbs = time.perf_counter() - start
heavy = sorted({o.split(".")[0] for o in sys.modules} & {"scipy", "matplotlib", "duckdb", "narwhals", "rich", "typer", "pandas", "polars"})
print(f"import sampling_eval {sampling_eval.__version__}: {1000 * own:.0f} ms beyond numpy's {1000 * base:.0f} ms, {1000 * verbs:.0f} ms more with score; heavy modules imported: {heavy or 'none'}")
sys.exit(f"import sampling_eval must not import {heavy}" if heavy else 0)
"""


def run(*command, **kw): return subprocess.run([str(o) for o in command], check=True, **kw)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        run(sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT, stdout=subprocess.DEVNULL)
        built = sorted(o.name for o in (folder / "dist").iterdir())
        print("built", *built)
        venv.create(folder / "venv", with_pip=True)
        python, command = (folder / "venv" / "bin" / o for o in ("python", "sampling-eval"))
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", next((folder / "dist").glob("*.whl")))
        run(command, "--help", stdout=subprocess.DEVNULL, cwd=folder)
        demo = run(command, "demo", "--html", "demo.html", cwd=folder, capture_output=True, text=True).stdout
        if "0.420" not in demo or not (folder / "demo.html").exists(): sys.exit(f"the demo of the installed wheel does not print the published row:\n{demo}")
        print("installed wheel:", demo.splitlines()[2].strip())
        for _ in range(2): timing = run(python, "-c", IMPORT, cwd=folder, capture_output=True, text=True).stdout.strip()
        print(timing)


if __name__ == "__main__": main()
