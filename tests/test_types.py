"What type checkers see of an installed package, and whether the sources keep what they say."

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".mypy_cache"  # mypy goes by the hash of a file: numpy is read once
SOURCES = "settings.ini setup.py pyproject.toml README.md LICENSE MANIFEST.in"
CLIENT = """
from sampling_eval import Counts, pass_at_k, score
import sampling_eval

reveal_type(pass_at_k)
reveal_type(pass_at_k([5], [3], k=2))
reveal_type(score([[1, 0, 1]]))
reveal_type(sampling_eval.Estimate)
reveal_type(Counts)

counts = Counts([4, 4], [1, 2], ["a", "b"], missing=[0, 1], cluster=["x", "x"])
names: list[str] = counts.questions.tolist()
lost = int(counts.missing.sum())
"""
WRONG = "from sampling_eval import pass_at_k\npass_at_k([5], [3], 2, 1)\npass_at_k([5])\n"
PIP = "--quiet --disable-pip-version-check --no-deps --no-build-isolation"


def run_clean(*command, **options):
    "A command that sees no sources but those that are installed."
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(o) for o in command], capture_output=True, text=True, env=env, **options
    )


@pytest.fixture(scope="module", params=["editable", "wheel"])
def python(request, tmp_path_factory):
    "The interpreter of an environment with the package, and numpy from this one."
    folder = tmp_path_factory.mktemp(request.param)
    for name in SOURCES.split():
        shutil.copy(ROOT / name, folder)
    shutil.copytree(
        ROOT / "sampling_eval",
        folder / "sampling_eval",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    [site] = (folder / "venv").glob("lib/*/site-packages")
    (site / "outside.pth").write_text(str(Path(numpy.__file__).parents[1]))
    editable = ["--editable"] * (request.param == "editable")
    done = run_clean(
        sys.executable, "-m", "pip", "--python", python, "install", *PIP.split(), *editable, folder
    )
    assert not done.returncode, done.stderr
    if not editable:
        shutil.rmtree(folder / "sampling_eval")
    return python


def find_checker(name):
    if importlib.util.find_spec(name):
        return
    pytest.skip(f"{name} is not installed: make test installs it")


def ask_mypy(python, path):
    done = run_clean(
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        CACHE / "clients",
        "--python-executable",
        python,
        path,
        cwd=path.parent,
    )
    return done.stdout.splitlines()


def ask_pyright(python, path):
    done = run_clean(
        sys.executable,
        "-m",
        "pyright",
        "--outputjson",
        "--pythonpath",
        python,
        path,
        cwd=path.parent,
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [f"{o['range']['start']['line'] + 1}: {o['severity']}: {o['message']}" for o in found]


CHECKERS = pytest.mark.parametrize("name, ask", [("mypy", ask_mypy), ("pyright", ask_pyright)])


@CHECKERS
def test_checkers_see_signatures(python, name, ask, tmp_path):
    find_checker(name)
    (tmp_path / "client.py").write_text(CLIENT)
    lines = ask(python, tmp_path / "client.py")
    told = [line for line in lines if "evealed" in line or "Type of" in line]
    assert len(told) == 5, told
    for line, words in zip(
        told,
        [["n: ", "c: ", "k: int", "ndarray"], ["ndarray"], ["Report"], ["Estimate"], ["Counts"]],
        strict=True,
    ):
        assert all(word in line for word in words), line
    assert not [
        line for line in lines if "error: " in line
    ], "lists are taken for arrays; fields are arrays, never None"


@CHECKERS
def test_checkers_refuse_wrong_calls(python, name, ask, tmp_path):
    find_checker(name)
    (tmp_path / "wrong.py").write_text(WRONG)
    errors = [line for line in ask(python, tmp_path / "wrong.py") if "error: " in line]
    assert len(errors) == 2 and all(":2: " in o or ":3: " in o or o[0] in "23" for o in errors)


def test_mypy_finds_nothing_outside_the_list_and_the_list_shrinks(tmp_path):
    find_checker("mypy")
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    listed = tomllib.loads(text)["tool"]["mypy"]["overrides"][-1]
    (tmp_path / "pyproject.toml").write_text(text.partition("# In transition")[0])
    done = run_clean(
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        tmp_path / "pyproject.toml",
        "--cache-dir",
        CACHE / "sources",
        cwd=ROOT,
    )
    found = re.findall(r"(.*)\.pyi?:\d+: error: (.*) \[([a-z-]+)\]", done.stdout)
    places = [(path.replace("/", "."), said, kind) for path, said, kind in found]
    new = [
        o
        for o in places
        if o[0] not in listed["module"] or o[2] not in listed["disable_error_code"]
    ]
    assert not new and "Found" in done.stdout, new or done.stdout
    idle = {*listed["module"]} - {place for place, _, _ in places}
    assert not idle, f"mypy finds nothing there: delete {idle} from pyproject.toml"
