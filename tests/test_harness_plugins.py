"Readers of other packages, by the entry point group `sampling_eval.readers`."

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness_cases import find_logs, LOGS, put, read, refusal
from sampling_eval.reading.logs import folder as readers
from sampling_eval.reading.logs.folder import forget, list_formats, register

SOURCE = """
name = "mine"
judged = True

def recognise(head): return isinstance(head, dict) and "verdict" in head

def rows(log, ask):
    return "question=item, sample=row, correct=verdict", read_rows(log)

def read_rows(log):
    for i, record in enumerate(log.records()):
        yield dict(question=record["item"], sample=i, correct=record["verdict"] == "ok")
"""
ROWS = [dict(item="a", verdict="ok"), dict(item="a", verdict="bad")]


@pytest.fixture
def install(tmp_path, monkeypatch):
    "A function that installs a package with a module, whose entry points are readers."

    def install(source, name="mine", package="their-package", module="their_reader"):
        site = tmp_path / f"site_{package}"
        info = site / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        entry = f"[sampling_eval.readers]\n{name} = {module}\n"
        (info / "entry_points.txt").write_text(entry)
        (site / f"{module}.py").write_text(source)
        monkeypatch.syspath_prepend(str(site))
        monkeypatch.delitem(sys.modules, module, raising=False)
        readers.list_entries.cache_clear()

    yield install
    readers.list_entries.cache_clear()
    for name in "their_reader", "other_reader":
        sys.modules.pop(name, None)


@pytest.fixture
def log(tmp_path):
    return put(tmp_path / "x.jsonl", ROWS, True)


def test_a_package_brings_a_reader(install, log):
    assert find_logs(log).logs == []
    install(SOURCE)
    samples = read(log)
    assert samples.correct.tolist() == [1, 0] and samples.questions == ["a"]
    assert samples.said == ["question=item, sample=row, correct=verdict"] and samples.took == {}
    assert read(log, "mine").correct.tolist() == [1, 0] and list_formats()[-1] == "mine"


def test_it_may_say_what_it_took_as_fields(install, log):
    install(SOURCE.replace('"question=item, sample=row, correct=verdict"', 'dict(question="item")'))
    assert read(log).took == dict(question="item") and read(log).said == []


def test_it_may_read_lists_and_documents(install, tmp_path):
    install(SOURCE)
    assert read(put(tmp_path / "x.json", ROWS)).correct.tolist() == [1, 0]
    assert read(put(tmp_path / "one.json", ROWS[0])).correct.tolist() == [1]


def test_one_package_brings_two_layouts_of_one_harness(install, log, tmp_path):
    install(
        SOURCE.replace('name = "mine"\n', "")
        + """
from types import SimpleNamespace as Reader
def know_text(head): return isinstance(head, dict) and "text" in head
"""
        + "readers = [Reader(name='mine', recognise=recognise, rows=rows), "
        "Reader(name='mine', recognise=know_text, rows=rows, judged=False)]\n"
    )
    entries = next((tmp_path / "site_their-package").glob("*.dist-info")) / "entry_points.txt"
    entries.write_text("[sampling_eval.readers]\nmine = their_reader:readers\n")
    text = put(tmp_path / "y.jsonl", [dict(text="t")], True)
    assert [found.reader.judged for found in find_logs([log, text]).logs] == [True, False]


def test_it_is_imported_only_when_nothing_built_in_fits(install, log):
    install("raise ImportError('no such library')")
    assert len(read(LOGS / "tau_bench")) == 200 and len(read(LOGS / "verl", "verl")) > 0
    assert find_logs(log, "table").logs == [] and "their_reader" not in sys.modules


def test_one_that_cannot_be_imported_is_named(install, log):
    install("raise ImportError('no such library')")
    for format in "auto", "mine":
        with pytest.raises(
            ValueError,
            match=(
                "the reader 'mine' of the package their-package "
                "cannot be loaded .ImportError: no such library.; "
                "repair or uninstall it, or pass harness="
            ),
        ):
            read(log, format)


@pytest.mark.parametrize(
    "old, new, reason",
    [
        (
            '"verdict" in head',
            'head["absent"]',
            "failed to say whether it knows x.jsonl .KeyError: 'absent'",
        ),
        (
            'def rows',
            'def row',
            "needs the functions .* got no rows in the reader 'mine' of the pack",
        ),
        (
            'name = "mine"',
            'name = None',
            "a reader needs a name, got None .* from the package their-",
        ),
        (
            'name = "mine"',
            'name = "other"',
            "the name of its entry point, got 'other' at .* 'mine'",
        ),
        ('judged = True', 'kinds = ["csv"]', r"must be some of 'lines', .*, got \['csv'\] in the"),
        (
            'judged = True',
            'kinds = "lines"',
            "kinds must be some of 'lines', .*, got 'lines' in the",
        ),
        (
            'enumerate(log.records())',
            '[(0, 1 / 0)]',
            "the reader 'mine' of the package their-package failed on x.jsonl .ZeroDivisionError",
        ),
        ('sample=i', 'sample=int("x")', "failed on x.jsonl .ValueError: invalid literal"),
        *(
            (
                'sample=i',
                f'sample=i, {part}={value!r}' if part != "sample" else f'sample={value!r}',
                f"x.jsonl does not follow the layout of mine .TypeError: {part} {value!r}",
            )
            for part, value in (
                ("sample", "1"),
                ("sample", None),
                ("model", 5),
                ("task", 5),
                ("run", 5),
                ("uuid", 5),
            )
        ),
        *(
            ('question=record["item"]', f'question={value}', f"TypeError: question {value}")
            for value in (None, 0.5)
        ),
        ('enumerate(log.records())', '[][0]', "layout of mine .IndexError: list index"),
        (
            'sample=i',
            'sample=int("x.jsonl")',
            "^invalid literal for int.. with base 10: 'x.jsonl'$",
        ),
        (
            'record["item"]',
            'record["name"]',
            "does not follow the layout of mine .KeyError: 'name'",
        ),
    ],
)
def test_a_broken_reader_is_named(install, log, old, new, reason):
    assert old in SOURCE
    install(SOURCE.replace(old, new))
    with pytest.raises(ValueError, match=reason):
        read(log)


def test_two_readers_that_recognise_one_file(install, log):
    install(SOURCE)
    install(SOURCE.replace('"mine"', '"theirs"'), "theirs", "other-package", "other_reader")
    with pytest.raises(
        ValueError, match="x.jsonl could be from (mine or theirs|theirs or mine); pass harness="
    ):
        read(log)
    assert read(log, "theirs").read.harness == "theirs"


def test_two_packages_with_readers_of_one_name(install, log):
    install(SOURCE)
    install(SOURCE, "mine", "other-package", "other_reader")
    with pytest.raises(ValueError, match="a name of its own, got 'mine' of the package .* and of"):
        read(log)


def test_the_name_of_a_built_in_reader_is_taken(install, log):
    install(SOURCE.replace('"mine"', '"verl"'), "verl")
    with pytest.raises(ValueError, match="got 'verl' of the package their-package and of this"):
        read(log)
    assert len(read(LOGS / "verl", "verl")) > 0


def test_register(log):
    code = {}
    exec(SOURCE, code)

    def make(name, **more):
        return SimpleNamespace(
            **dict(name=name, recognise=code["recognise"], rows=code["rows"]) | more
        )

    try:
        assert register(make("mine")).origin == "register()" and list_formats()[-1] == "mine"
        assert read(log).correct.tolist() == read(log, "mine").correct.tolist() == [1, 0]
        register(make("mine", recognise=lambda head: False))
        assert read(log) is None and read(log, "mine").correct.tolist() == [1, 0]
    finally:
        forget("mine"), forget("mine")
    assert "mine" not in list_formats()
    made = register(make("all", kinds={"rows"}, judged=False, by_folder=True, draws=True))
    forget("all")
    assert (made.kinds, made.judged, made.by_folder, made.draws) == (("rows",), False, True, True)
    assert not made.fits("document") and register(make("all")).fits("document")
    forget("all")


@pytest.mark.parametrize(
    "change, said",
    [
        (
            dict(name="verl"),
            "got 'verl' of register() and of this package; uninstall or rename one",
        ),
        (dict(name=""), "a reader needs a name, got '' of namespace("),
        (dict(name=5), "got 5 of "),
        (
            dict(rows=None),
            (
                "a reader needs the functions recognise(head) and rows(log, ask), got no rows "
                "in the reader 'x' of register()"
            ),
        ),
        (dict(recognise=5), "got no recognise in the reader 'x' of register()"),
        *(
            (
                dict(kinds=kinds),
                (
                    "kinds must be some of 'lines', 'rows', 'document', 'archive', "
                    f"'parquet', 'xml', 'table', got {kinds!r} in the reader 'x' of register()"
                ),
            )
            for kinds in ("rows", ["rows", "csv"], 5)
        ),
    ],
)
def test_readers_that_are_refused(change, said):
    with pytest.raises(ValueError) as error:
        register(SimpleNamespace(**dict(name="x", recognise=bool, rows=list) | change))
    assert said in str(error.value) and "x" not in list_formats()


# Where packages are looked for.


def test_packages_are_looked_for_in_three_places(tmp_path, monkeypatch):
    """A folder of packages or of a project, an archive that Python would open, and the working
    folder."""
    entry = f"[{readers.GROUP}]\nmine = x\n"

    def found(*sys_path):
        monkeypatch.setattr(sys, "path", list(map(str, sys_path)))
        return any(map(readers.may_bring_readers, sys.path))

    for name in "a.dist-info", "a.egg-info", "EGG-INFO":
        place = tmp_path / f"of {name}"
        (place / name).mkdir(parents=True)
        assert not found(place)
        (place / name / "entry_points.txt").write_text("[console_scripts]\n")
        assert not found(place)
        (place / name / "entry_points.txt").write_text(entry)
        assert found(place) and found(tmp_path, place)
    (tmp_path / "lib.zip").write_text("")
    assert found(tmp_path / "lib.zip") and not found(tmp_path / "absent") and not found()
    monkeypatch.chdir(tmp_path / "of EGG-INFO")
    assert found("")
    odd = tmp_path / "odd" / "b.dist-info" / "entry_points.txt"
    odd.mkdir(parents=True)
    assert not found(tmp_path / "odd")


def test_readers_by_name(install, log):
    "Only the one that is asked for is imported."
    install(SOURCE)
    install("raise ImportError('no such library')", "theirs", "other-package", "other_reader")
    assert read(log, "mine").correct.tolist() == [1, 0]
    assert "cannot be loaded (ImportError: no such library)" in refusal(log, "theirs")
    assert sorted(list_formats()[-2:]) == ["mine", "theirs"]


# The reader of the guide, installed by pip as a package of its own.

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
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-build-isolation",
            "--target",
            site,
            source,
        ],
        check=True,
    )
    return site


@pytest.fixture
def run(site, tmp_path):
    "A function that runs Python beside the package, in a folder with a log of its harness."
    put(tmp_path / "mine.jsonl", VERDICTS, True)

    def run(*arguments, folders=(site, ROOT)):
        paths = os.pathsep.join(map(str, folders))
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=os.environ | dict(PYTHONPATH=paths),
        )
        return done.returncode, done.stdout, done.stderr

    return run


def test_a_verb_reads_its_log(run):
    code, said, _ = run(
        "-c",
        "import json; from sampling_eval import read, score; "
        "summary = read('mine.jsonl').summary; "
        "report = score('mine.jsonl', ['pass@1', 'pass@2']); "
        "print(json.dumps([report.estimates(), summary.to_dict()]))",
    )
    values, summary = json.loads(said)
    assert code == 0 and (summary["harness"], summary["files"]) == ("mine", ["mine.jsonl"])
    assert summary["columns"] == dict(question="item", correct="verdict 'ok'")
    assert values == pytest.approx({"pass@1": 2 / 3, "pass@2": 1})


def test_the_command_reads_its_log(run):
    code, said, _ = run("-m", "sampling_eval", "score", ".", "-m", "pass@1")
    assert code == 0 and "Read 6 samples from mine.jsonl (mine)" in said


def test_its_name_is_listed_and_may_be_asked_for(run):
    ask = (
        "-c",
        "from sampling_eval.reading.logs.folder import list_formats; print(list_formats())",
    )
    assert run(*ask)[1].endswith("'mine']\n")
    assert "'mine'" not in run(*ask, folders=[ROOT])[1]
    asked = run("-m", "sampling_eval", "score", "mine.jsonl", "-m", "pass@1", "--harness", "mine")
    assert asked[0] == 0 and "pass@1 = 66.7 %" in asked[1]


def test_the_guide_shows_the_package_whole():
    cells = json.loads(GUIDE.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    module = (PACKAGE / "my_reader.py").read_text(encoding="utf-8")
    assert len(module.splitlines()) <= 15
    for part in module.split("\n\n"):
        assert any(part.strip() in source for source in sources), part
    described = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8").strip()
    assert any(f"```toml\n{described}\n```" in source for source in sources)
