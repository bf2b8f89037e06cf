"""Run tests under every Python that the project names, and once with the oldest packages it allows.

    python tools/matrix.py tests --ignore tests/test_frozen.py

What follows the name is for pytest. An interpreter that is not on this machine is named, and no
failure; MATRIX=3.12,oldest chooses some rows."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from settings import read_settings

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / ".matrix"
# What the tests import besides the package; the versions are of today.
TESTED = ("pytest>=8 pytest-xdist>=3.8 hypothesis>=6 pyyaml>=6 pandas>=2 polars>=1 "
          "nbdev>=2.4.14,<3 fastcore<2 execnb<0.2 nbclient>=0.10 nbconvert>=7").split()
OLDEST = "oldest"


def list_oldest(settings):
    "Every requirement of the package and of what the command can use, at its lower bound."
    keys = [f"{name}_requirements" for name in ("plot", "files", "frames", "arrow")]
    wanted = " ".join(settings[key] for key in ("requirements", *keys)).split()
    # The oldest matplotlib asks IPython for a name that IPython 9 no longer has.
    return [*(re.sub(r">=([\d.]+)", pin_oldest, one) for one in wanted), "ipython<9"]


def pin_oldest(bound):
    """The lower bound with all its corrections.

    A bound of one number is that of its first minor version."""
    version = bound[1] if "." in bound[1] else f"{bound[1]}.0"
    return f"=={version}.*"


def find_python(version):
    "The interpreter of a version: from PATH, or from the folder where pyenv keeps its own."
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    tried = [*kept, shutil.which(f"python{version}")]
    return next((str(path) for path in tried if path and answers(path, version)), None)


def answers(path, version):
    "Whether an interpreter starts, as that version; a shim of pyenv may not."
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run([path, "-c", code], capture_output=True, text=True)
    return told.stdout.strip() == version


def make_place(name, python, pins):
    "A fresh environment with the package as users install it, and what the tests import."
    folder = PLACE / name
    subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
    own = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # What builds the site is read where it stands, beside the notebooks.
    site = "--editable", ROOT / "tools"
    subprocess.run([*pip, f"{ROOT}[all]", *pins, *TESTED, *site], check=True)
    return own


def run_row(name, python, pins, words):
    "Whether the tests pass in one environment, and what pytest says last."
    own = make_place(name, python, pins)
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    env |= dict(PYTHONHASHSEED="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    told = subprocess.run([own, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
                          cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    if told.returncode: print(told.stdout)
    return not told.returncode, told.stdout.strip().splitlines()[-1]


def list_rows(settings):
    "Name, version and pins of each row."
    rows = [(version, version, []) for version in settings["pythons"].split()]
    rows.append((OLDEST, settings["min_python"], list_oldest(settings)))
    chosen = os.environ.get("MATRIX", "")
    return [row for row in rows if not chosen or row[0] in chosen.split(",")]


def main():
    passed = True
    for name, version, pins in list_rows(read_settings()):
        python = find_python(version)
        if not python:
            print(f"{name}: no Python {version} on this machine, not tried", flush=True)
            continue
        good, said = run_row(name, python, pins, sys.argv[1:])
        passed = passed and good
        print(f"{name}: {said}", *pins, flush=True)
    return 0 if passed else 1


if __name__ == "__main__": sys.exit(main())
