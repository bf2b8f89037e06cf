"""What a new metric needs beside its page and its catalog entry.

Each failure says what to type."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import sampling_eval
from scripts import read_settings

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    p
    for p in (ROOT / "nbs" / "metrics").glob("*.ipynb")
    if p.stem not in ("catalog", "calibration")
)  # Neither is a metric with a budget
page = pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
COPIED = "settings.ini", "_quarto.yml"


def read(place):
    return (ROOT / place).read_text("utf-8")


def source(notebook):
    "All code and prose of a notebook."
    return "\n".join("".join(cell["source"]) for cell in json.loads(read(notebook))["cells"])


@page
def test_a_metric_stands_in_the_sidebar(page):
    line = f"        - nbs/metrics/{page.name}"
    assert (
        line in read("_quarto.yml").splitlines()
    ), f"add to the shelf of metrics in _quarto.yml:\n{line}"


@page
def test_a_metric_stands_on_the_front_page(page):
    row = f"| [{page.stem}@k](metrics/{page.name}) | QUESTION? |"
    assert f"](metrics/{page.name}) |" in source(
        "nbs/index.ipynb"
    ), f"add to the table of nbs/index.ipynb:\n{row}"


@page
def test_a_metric_is_public(page):
    module = f"metrics.{page.stem}"
    line = f'    "{module}": "{page.stem}_at_k",'
    assert module in sampling_eval._PUBLIC, f"add to _PUBLIC in sampling_eval/__init__.py:\n{line}"


# Pages whose functions take answers, choices or texts of one question, verdicts or costs beside
# outcomes, several sources, or two sides: no name of a table stands for them.
WITHOUT_NAME = {"choice", "vqa", "guarded", "portfolio", "cost", "preference"}


@page
def test_a_metric_stands_in_the_catalog(page):
    if page.stem in WITHOUT_NAME:
        pytest.skip("its functions take more than counts")
    line = f"from sampling_eval.metrics.{page.stem} import {page.stem}_at_k"
    assert f"from sampling_eval.metrics.{page.stem} import" in source(
        "nbs/metrics/catalog.ipynb"
    ), (
        "add the import and an entry to CATALOG in nbs/metrics/catalog.ipynb, "
        f'then run "make prepare":\n{line}'
    )


# A metric of another name, started in a copy.


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    "A copy of the project with a metric started by `make metric NAME=pair`."
    folder = tmp_path_factory.mktemp("project")
    for name in COPIED:
        shutil.copy(ROOT / name, folder)
    for name in "nbs", "tools", "sampling_eval":
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.jsonl")
        )
    told = subprocess.run(
        [sys.executable, "tools/new_metric.py", "pair"], cwd=folder, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    return folder, told.stdout


def test_a_started_metric_has_its_lines(started):
    folder, said = started
    assert (
        "1. nbs/metrics/pair.ipynb" in said
        and "2. nbs/metrics/catalog.ipynb" in said
        and "\n3." not in said
    )
    shelves = yaml.safe_load((folder / "_quarto.yml").read_text("utf-8"))["website"]["sidebar"]
    shelf = next(o["contents"] for o in shelves if o["id"] == "metrics")
    assert shelf[-1] == "nbs/metrics/pair.ipynb"
    front = json.loads((folder / "nbs" / "index.ipynb").read_text("utf-8"))
    assert any(
        "| [pair@k](metrics/pair.ipynb) |" in line
        for cell in front["cells"]
        for line in cell["source"]
    )
    assert '["metrics/pair"]\n' in (folder / "nbs" / "chapters.toml").read_text("utf-8")
    assert '    "metrics.pair": "pair_at_k",\n' in (
        folder / "sampling_eval" / "__init__.py"
    ).read_text("utf-8")


def test_a_started_metric_runs(started):
    folder, _ = started
    export = "from nbdev.doclinks import nbdev_export; nbdev_export()"
    subprocess.run([sys.executable, "-c", export], cwd=folder, check=True)
    use = "import sampling_eval; print(sampling_eval.pair_at_k(5, 3, [1, 2]).round(3))"
    told = subprocess.run([sys.executable, "-c", use], cwd=folder, capture_output=True, text=True)
    assert told.stdout.strip() == "[0.  0.3]", told.stderr


def test_a_name_that_is_taken_is_refused(started):
    folder, _ = started
    for name in "pair", "passk", "Pass", "../x":
        told = subprocess.run(
            [sys.executable, "tools/new_metric.py", name],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert (
            told.returncode == 1
            and told.stderr
            == f"a metric needs a name of small letters that is free, got {name!r}\n"
        )


def test_the_template_has_cells_of_its_own():
    cells = json.loads(read("tools/_metric.ipynb"))["cells"]
    assert not any(cell.get("outputs") for cell in cells), "the template stores no outputs"
    assert "metrics.NAME" in source("tools/_metric.ipynb")


# The project's address, and what is published.


def test_no_page_invents_an_address():
    texts = {
        path: path.read_text("utf-8")
        for path in [ROOT / "README.md", ROOT / "CITATION.cff", *(ROOT / "nbs").rglob("*.ipynb")]
    }
    placeholder = re.compile(
        r"github\.com/example/|example\.(?:org|com)/sampling|github\.io/sampling_eval"
    )
    found = [path.name for path, text in texts.items() if placeholder.search(text)]
    assert not found, f"git_url in settings.ini is the only address of the project: {found}"


def test_no_page_reads_data_beside_itself():
    found = [
        path.name
        for path in (ROOT / "nbs").rglob("*.ipynb")
        if "../data/" in path.read_text("utf-8")
    ]
    assert not found, (
        "a downloaded page has no data beside it: "
        f'write example_path("NAME") of sampling_eval.examples: {found}'
    )


def test_the_citation_is_valid():
    cited = yaml.safe_load(read("CITATION.cff"))
    assert (
        cited["cff-version"] == "1.2.0"
        and cited["message"]
        and cited["title"] == read_settings()["lib_name"]
    )
    assert cited["authors"] == [{"name": read_settings()["author"]}]
    assert cited["version"] == sampling_eval.__version__ == read_settings()["version"]
    assert ("repository-code" in cited) == bool(read_settings()["git_url"])
