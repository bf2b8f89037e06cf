"""Build wheel and sdist, install the wheel into an empty environment, and run it there.

First as the formulas need it, then as JupyterLab runs the pages, then with what the command can
use; prints how long a start takes."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "sampling_eval" / "examples" / "tau_bench_airline_gpt4o.jsonl"
LEFT_OUT = (".git .venv .matrix .quarto .hypothesis .*_cache __pycache__ _docs _proc build dist "
            "*.egg-info").split()
LIGHT = """
import sys, sampling_eval
assert sampling_eval.pass_at_k([10], [3], 1)[0] == .3
heavy = {o.split(".")[0] for o in sys.modules} & set(
    "scipy matplotlib duckdb narwhals rich typer pandas polars pyarrow".split())
sys.exit(f"a formula must not import {heavy}" if heavy else 0)
"""
# A downloaded page has the wheel and nothing else.
PAGES = """
from sampling_eval.pages import urn_explorer
assert "const show" in urn_explorer()._repr_html_()
"""
# What pages need besides the wheel, Jupyter and Matplotlib. All others run without it.
NEEDS = {
    "explain/error_bars_tested": "its data, which are too large for the wheel",
    "guides/command": "the extra `files`",
    "guides/counts": "the extra `files`",
    "guides/explain": "pandas, for a frame",
    "guides/in_inspect_ai": "inspect_ai",
    "guides/in_lm_eval": "lm_eval",
    "guides/judge_scores": "polars, for a frame",
    "guides/large_tables": "the extra `files`",
    "guides/reports": "polars, for a frame",
    "guides/tables": "polars, for a frame",
}
JUPYTER = "matplotlib", "nbclient", "ipykernel"
RUN_PAGES = """
import logging, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import nbformat
from nbclient import NotebookClient
def run(path):
    page, folder = nbformat.read(path, 4), {"metadata": {"path": str(Path(path).parent)}}
    NotebookClient(page, timeout=600, kernel_name="python3", resources=folder,
                   extra_arguments=["--IPKernelApp.log_level=40"]).execute()
logging.getLogger("traitlets").setLevel(logging.ERROR)
with ThreadPoolExecutor(2) as pool: list(pool.map(run, sys.argv[1:]))
"""
# What is started, and how many times the processor time of `import numpy` it may take.
STARTS = {
    "import sampling_eval": (.25, "-c", "import sampling_eval"),
    "sampling-eval --help": (1.5, "-m", "sampling_eval", "--help"),
    "sampling-eval score --help": (1.5, "-m", "sampling_eval", "score", "--help"),
    "sampling-eval score FILE": (2, "-m", "sampling_eval", "score", str(EXAMPLE)),
}


def run(*command, **options):
    return subprocess.run([str(o) for o in command], check=True, **options)


def build(folder):
    "The wheel, built of a copy: what the build leaves would hide how the sources are installed."
    made, copy = folder / "dist", folder / "sources"
    left_out = shutil.ignore_patterns(*LEFT_OUT)
    shutil.copytree(ROOT, copy, ignore=left_out)
    run(sys.executable, "-m", "build", "--outdir", made, copy, stdout=subprocess.DEVNULL)
    shutil.rmtree(copy)
    print("built", *sorted(o.name for o in made.iterdir()))
    wheel = next(made.glob("*.whl"))
    size = wheel.stat().st_size
    if size > 1_200_000: sys.exit(f"the wheel stays below 1.2 MB, got {size:,} bytes")
    return wheel


def install(python, *what):
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)


def check_pages(python, folder):
    "Every cell of every page runs where nothing else is installed."
    pages = folder / "nbs"
    shutil.copytree(ROOT / "nbs", pages, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    found = {o.relative_to(pages).with_suffix("").as_posix(): o for o in pages.rglob("*.ipynb")}
    if unknown := NEEDS.keys() - found: sys.exit(f"no such page: {sorted(unknown)}")
    install(python, *JUPYTER)
    start = time.perf_counter()
    run(python, "-c", RUN_PAGES, *(path for name, path in found.items() if name not in NEEDS))
    print(f"{len(found) - len(NEEDS)} pages run with the wheel, Jupyter and Matplotlib alone,"
          f" {time.perf_counter() - start:.0f} s; left out:")
    for name, needed in NEEDS.items(): print(f"  {name:27}needs {needed}")


def check_demo(python):
    "The demo prints the published row and writes a page."
    demo = run(python, "-m", "sampling_eval", "demo", "--html", "demo.html",
               capture_output=True, text=True).stdout
    if " 42.0 %" not in demo or not Path("demo.html").exists():
        sys.exit(f"the demo of the installed wheel does not print the published row:\n{demo}")
    print("installed wheel:", next(line.strip() for line in demo.splitlines() if " 42.0 %" in line))


def measure(python, *words):
    "Processor time in milliseconds, the least of seven starts."
    return min(start(python, *words) for _ in range(7))


def start(python, *words):
    silence = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_WRONLY, 0) for end in (1, 2)]
    child = os.posix_spawn(python, [str(python), *words], os.environ, file_actions=silence)
    _, code, used = os.wait4(child, 0)
    if code: sys.exit(f"{' '.join(words)} fails")
    return 1000 * (used.ru_utime + used.ru_stime)


def print_starts(python):
    "Each start beside the time of `import numpy`, both without that of Python itself."
    empty = measure(python, "-c", "pass")
    numpy = measure(python, "-c", "import numpy") - empty
    print(f"starts, in times of import numpy ({numpy:.0f} ms):")
    for name, (aim, *words) in STARTS.items():
        times = (measure(python, *words) - empty) / numpy
        print(f"  {name:27}{times:5.2f}, aim {aim:4}{'' if times <= aim else ', missed'}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        wheel = build(folder)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        # The sources are next to this file, and not to be found there.
        os.chdir(folder)
        os.environ.pop("PYTHONPATH", None)
        install(python, wheel)
        run(python, "-c", LIGHT)
        run(python, "-c", PAGES)
        check_pages(python, folder)
        install(python, f"{wheel}[all]")
        run(python.with_name("sampling-eval"), "--help", stdout=subprocess.DEVNULL)
        check_demo(python)
        print_starts(python)


if __name__ == "__main__": main()
