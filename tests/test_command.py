"What commands share: what was typed as a verb takes it, and which files are named and written."

import os
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest

from sampling_eval import score
from sampling_eval.command import (
    given_options,
    name_files,
    output_paths,
    run,
    show,
    take_files,
    take_options,
    texts_warning,
    write_methods,
    write_screen,
)
from sampling_eval.spelling import PYTHON


def named(*names):
    return [SimpleNamespace(name=name) for name in names]


@pytest.mark.parametrize(
    "typed, taken",
    [
        (dict(metrics="pass@1,avg@n"), dict(metrics=["pass@1", "avg@n"])),
        (dict(metrics="pass@1"), dict(metrics="pass@1")),
        (dict(k="1,3-5", n="2"), dict(k=[1, 3, 4, 5], n=[2])),
        (dict(minimum=["pass@1=0.5"]), dict(minimum={"pass@1": 0.5})),
        (dict(models=["a"]), dict(models="a")),
        (dict(models=["a", "b"]), dict(models=["a", "b"])),
        (dict(models=[]), dict(models=None)),
        (dict(models=None, scale=None, judge=None), dict(models=None, scale=None, judge=None)),
        (dict(scale=[1.0, 5.0], judge=[0.9, 0.8]), dict(scale=(1.0, 5.0), judge=(0.9, 0.8))),
        (dict(k=None, other="none"), dict(k=None, other="none")),
    ],
)
def test_what_was_typed_as_a_verb_takes_it(typed, taken):
    asked = Namespace(taken=list(typed), reading=[], **typed)
    assert take_options(asked) == taken


def test_a_column_may_be_none():
    typed = dict(question="none", sample="s", score=None, missing="none", k="2")
    asked = Namespace(taken=["k"], reading=named("question", "sample", "score", "missing"), **typed)
    assert take_options(asked) == dict(k=[2], question=False, sample="s", missing="none")


def test_options_that_were_given_a_value_of_their_own():
    asked = Namespace(
        reading=named("question", "missing", "scale"), defaults=dict(missing="raise", size=3),
        question=None, missing="raise", scale=[1, 5], size=4, level=0.9, k=None,
    )
    assert given_options(asked) == dict(scale=(1, 5))
    assert given_options(asked, "size", "level", "k") == dict(size=4, level=0.9, scale=(1, 5))
    asked.missing, asked.size = "drop", 3
    assert given_options(asked, "size") == dict(missing="drop", scale=(1, 5))


def test_files_of_one_input():
    assert take_files(Namespace(files=["a.csv"])) == "a.csv"
    assert take_files(Namespace(files=["a.csv", "b.csv"])) == ["a.csv", "b.csv"]
    assert name_files(["d/a.csv", "26/30", "e/b.csv"]) == "a.csv, 26/30, b.csv"


def test_files_that_are_about_to_be_written():
    names = "output html plot per_question junit github_summary run_list".split()
    asked = Namespace(**{name: f"d/{name}" for name in names}, other="x")
    assert output_paths(asked) == [Path(f"d/{name}") for name in names]
    assert output_paths(Namespace(output=None, html="", junit=Path("a.xml"))) == [Path("a.xml")]


@pytest.mark.parametrize(
    "texts, no_texts, path, warned",
    [
        (object(), False, "a.html", True),
        (object(), True, "a.html", False),
        (object(), False, "a.json", False),
        (None, False, "a.html", False),
        (object(), None, "a.html", False),
    ],
)
def test_a_page_that_may_be_private(texts, no_texts, path, warned):
    asked = Namespace() if no_texts is None else Namespace(no_texts=no_texts)
    said = texts_warning(asked, SimpleNamespace(texts=texts), Path(path))
    assert (said != "") is warned and ("--no-texts leaves them out" in said) is warned


RESULT = score([[1, 0, 1], [1, 1, 1], [0, 0, 1]])


def test_what_is_printed_of_a_result():
    asked = Namespace(spelling=PYTHON)
    assert write_screen(asked, RESULT, "table") == f"{RESULT}\n"
    full = write_screen(Namespace(spelling=PYTHON, how=True), RESULT, "table")
    assert len(full) > len(str(RESULT)) and not full.startswith("{")
    assert write_screen(asked, RESULT, "json").endswith("}\n")
    told = Namespace(spelling=PYTHON, methods=True, how=True)
    assert write_screen(told, RESULT, "latex") == f"{write_methods(RESULT, 'latex')}\n"


def test_the_methods_with_their_sources():
    plain, latex = write_methods(RESULT, "table"), write_methods(RESULT, "latex")
    assert "\\cite" in latex and "\\cite" not in plain
    assert " ".join(RESULT.methods().split()) in " ".join(plain.split())
    assert latex == f"{RESULT.methods(latex=True)}\n\n{RESULT.citations()}"
    assert write_methods(RESULT, "markdown") == f"{RESULT.methods()}\n\n{RESULT.citations()}"


def test_files_that_were_written_are_told(tmp_path, capsys):
    table = tmp_path / "q.csv"
    asked = Namespace(spelling=PYTHON, output=tmp_path / "a.json", per_question=table)
    assert show(asked, RESULT) == 0
    out, side = capsys.readouterr()
    assert out == f"{RESULT}\n" and side.splitlines() == [
        f"Wrote {tmp_path / name}" for name in ("a.json", "q.csv")
    ]
    assert sorted(os.listdir(tmp_path)) == ["a.json", "q.csv"]
    assert len(table.read_text().splitlines()) == 4
    assert show(Namespace(spelling=PYTHON, format="json"), RESULT) == 0
    assert capsys.readouterr().out.startswith("{")
    assert show(Namespace(spelling=PYTHON, format="json"), RESULT, "table", str.upper) == 0
    assert capsys.readouterr().out == f"{RESULT}\n".upper()


@pytest.mark.parametrize("name", ["new", "baseline", "pilot", "pilot_b", "files"])
def test_what_is_read_is_never_written_over(name, tmp_path):
    (path := tmp_path / "a.csv").write_text("id,correct\n1,1\n")
    given = {name: [str(path)] if name == "files" else str(path)}
    with pytest.raises(ValueError, match="a.csv holds the data that were read"):
        run(Namespace(**given, html=str(path)), lambda asked: 0)
    assert run(Namespace(**given, html=str(tmp_path / "b.html")), lambda asked: 3) == 3


def test_a_form_that_is_not_written_is_refused_first():
    with pytest.raises(ValueError, match="per_question must end in .csv, .json or .parquet"):
        run(Namespace(per_question=Path("a.txt")), lambda asked: pytest.fail("was run"))
