"The reader of the guide, installed by pip as a package of its own."
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness_cases import put

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "tests/plugin"
GUIDE = ROOT / "nbs/guides/harness_logs.ipynb"
VERDICTS = [dict(item=item, verdict=verdict) for item in "ab" for verdict in ("ok", "ok", "no")]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    "A folder with the package, as `pip install` lays it out."
    pytest.importorskip("setuptools")
    # setuptools leaves its build beside the sources, so it gets a copy.
    source = shutil.copytree(PACKAGE, tmp_path_factory.mktemp("source") / "my-package")
    site = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                    "--no-build-isolation", "--target", site, source], check=True)
    return site


@pytest.fixture
def run(site, tmp_path):
    "A function that runs Python beside the package, in a folder with a log of its harness."
    put(tmp_path / "mine.jsonl", VERDICTS, True)
    def run(*arguments, folders=(site, ROOT)):
        paths = os.pathsep.join(map(str, folders))
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True,
                              cwd=tmp_path, env=os.environ | dict(PYTHONPATH=paths))
        return done.returncode, done.stdout, done.stderr
    return run


def test_a_verb_reads_its_log(run):
    code, said, _ = run("-c", "import json; from sampling_eval import read, score; "
                              "summary = read('mine.jsonl').summary; "
                              "report = score('mine.jsonl', ['pass@1', 'pass@2']); "
                              "print(json.dumps([report.estimates(), summary.to_dict()]))")
    values, summary = json.loads(said)
    assert code == 0 and (summary["harness"], summary["files"]) == ("mine", ["mine.jsonl"])
    assert summary["columns"] == dict(question="item", correct="verdict 'ok'")
    assert values == pytest.approx({"pass@1": 2 / 3, "pass@2": 1})


def test_the_command_reads_its_log(run):
    code, said, _ = run("-m", "sampling_eval", "score", ".", "-m", "pass@1")
    assert code == 0 and "Read 6 samples from mine.jsonl (mine)" in said


def test_its_name_is_listed_and_may_be_asked_for(run):
    ask = ("-c", "from sampling_eval.io.harness.folder import list_formats; print(list_formats())")
    assert run(*ask)[1].endswith("'mine']\n")
    assert "'mine'" not in run(*ask, folders=[ROOT])[1]
    asked = run("-m", "sampling_eval", "score", "mine.jsonl", "-m", "pass@1",
                "--harness", "mine")
    assert asked[0] == 0 and "pass@1 = 66.7 %" in asked[1]


def test_the_guide_shows_the_package_whole():
    cells = json.loads(GUIDE.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    module = (PACKAGE / "my_reader.py").read_text(encoding="utf-8")
    assert len(module.splitlines()) <= 15
    for part in module.split("\n\n"): assert any(part.strip() in source for source in sources), part
    described = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8").strip()
    assert any(f"```toml\n{described}\n```" in source for source in sources)
