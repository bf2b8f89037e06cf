"One row per model and question, as a file."
import csv
import json
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from conftest import command
from sampling_eval import compare, score

from sampling_eval.results.columns import Absent, Columns
from sampling_eval.report.output import check_ending
from sampling_eval.verbs.questions import plain_column, tell_csv, tell_json, write_questions
from sampling_eval.results.score_report import Report
ROWS = [dict(model=m, question=q, correct=int(c)) for m, runs in dict(a=("1101", "0000"), b=("1111", "0100")).items()
        for q, outcomes in zip(("x/1", "=cmd()"), runs) for c in outcomes]


@pytest.fixture
def files(tmp_path):
    "A file of each of two models, and one of both."
    for name in "ab": (tmp_path / f"{name}.json").write_text(json.dumps([o for o in ROWS if o["model"] == name]))
    (tmp_path / "both.json").write_text(json.dumps(ROWS))
    return tmp_path


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file: return list(csv.DictReader(file))


def test_score_has_a_row_per_model_and_question(files):
    told = command("score", files / "both.json", "-k", "1,4", "-m", "pass@k", "--per-question", files / "out.csv")
    assert told.returncode == 0 and f"Wrote {files / 'out.csv'}" in told.stderr
    rows = read_csv(files / "out.csv")
    assert [(o["model"], o["question"], o["n"], o["c"], o["missing"]) for o in rows] == [
        ("a", "x/1", "4", "3", "0"), ("a", "'=cmd()", "4", "0", "0"), ("b", "x/1", "4", "4", "0"), ("b", "'=cmd()", "4", "1", "0")]
    assert [(float(o["pass@1"]), float(o["pass@4"])) for o in rows] == [(.75, 1), (0, 0), (1, 1), (.25, 1)]


def test_compare_has_both_sides_and_the_difference(files):
    told = command("compare", files / "a.json", files / "b.json", "--per-question", files / "out.json", "-m", "pass@1")
    assert told.returncode == 0
    rows = json.loads((files / "out.json").read_text())
    assert rows[1] == {"question": "=cmd()", "n A": 4, "c A": 0, "missing A": 0, "n B": 4, "c B": 1, "missing B": 0,
                       "pass@1 A": 0, "pass@1 B": .25, "pass@1 B - A": .25}


def test_several_systems_stand_side_by_side():
    found = compare([[1, 0]], [[1, 1]], others=[[[0, 0]]], metrics="pass@1")
    assert found.questions.rows() == [{"question": 0, **{f"{what} {side}": value for side, c in zip("ABC", (1, 2, 0))
                                                          for what, value in dict(n=2, c=c, missing=0).items()},
                                       "pass@1 A": .5, "pass@1 B": 1, "pass@1 C": 0}]


def test_parquet(files):
    duckdb = pytest.importorskip("duckdb")
    report = score(ROWS, "pass@1")
    write_questions(files / "out.parquet", report.questions)
    rows = duckdb.sql(f"FROM '{files / 'out.parquet'}'").fetchall()
    assert rows == [tuple(row.values()) for row in report.questions.rows()] and len(rows) == 4
    with pytest.raises(OSError, match="there is no such folder"): write_questions(files / "no" / "out.parquet", report.questions)


def test_refusals(files):
    told = command("score", files / "a.json", "--per-question", files / "out.xls")
    assert told.returncode == 2 and "--per-question must end in .csv, .json or .parquet, got 'out.xls'" in told.stderr
    told = command("score", files / "a.json", "--per-question", files / "a.json")
    assert told.returncode == 2 and "holds the data that were read" in told.stderr
    again = Report.from_json(score(ROWS).to_json())
    with pytest.raises(ValueError, match="JSON does not hold the columns"): write_questions(Path("out.csv"), again.questions)


# Files of a given table.

TABLE = Columns(dict(question=np.array(["=a", "b\x7f"]), n=np.array([4, 2]), share=np.array([.5, 1.])))


def test_texts_of_questions():
    assert tell_csv(TABLE) == "question,n,share\r\n'=a,4,0.5\r\nb\ufffd,2,1.0\r\n"
    assert json.loads(tell_json(TABLE)) == TABLE.rows() and '\n  "n": 4,' in tell_json(TABLE)
    assert "\\u007f" in tell_json(TABLE)
    odd = Columns(dict(question=np.array([(1, 2), SimpleNamespace()], object)))
    assert json.loads(tell_json(odd)) == [dict(question=[1, 2]), dict(question="namespace()")]
    assert "\u00e9" in tell_json(Columns(dict(question=["\u00e9"])))


@pytest.mark.parametrize("name", ["a.xls", "a", "csv"])
def test_other_endings_are_refused(name, tmp_path):
    with pytest.raises(ValueError,
                       match=f"^per_question must end in .csv, .json or .parquet, got '{name}'$"):
        check_ending(tmp_path / name)
    with pytest.raises(ValueError, match="^per_question must end in"): write_questions(tmp_path / name, TABLE)
    assert not list(tmp_path.iterdir())


def test_endings_in_capitals(tmp_path):
    assert check_ending(None) is None and check_ending(tmp_path / "A.CSV") is None
    write_questions(tmp_path / "A.CSV", TABLE)
    write_questions(tmp_path / "A.JSON", dict(TABLE))
    assert (tmp_path / "A.CSV").read_bytes().decode() == tell_csv(TABLE)
    assert (tmp_path / "A.JSON").read_text() == tell_json(TABLE)
    with pytest.raises(ValueError, match="^JSON does not hold the columns"): write_questions(tmp_path / "a.csv",
        Absent())


def test_a_parquet_file_is_whole_or_absent(tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    write_questions(tmp_path / "o'dd.PARQUET", TABLE)
    con = duckdb.connect()
    assert con.execute("SELECT * FROM read_parquet(?)", [str(tmp_path / "o'dd.PARQUET")]).fetchall() == [("=a", 4, .5),
        ("b\x7f", 2, 1.)]
    assert [o.name for o in tmp_path.iterdir()] == ["o'dd.PARQUET"]
    with pytest.raises(OSError,
                       match="^cannot write .*: there is no such folder$"):
        write_questions(tmp_path / "x" / "a.parquet", TABLE)
    (tmp_path / "dir.parquet").mkdir()
    with pytest.raises(OSError): write_questions(tmp_path / "dir.parquet", TABLE)
    assert sorted(os.listdir(tmp_path)) == ["dir.parquet", "o'dd.PARQUET"]


def test_plain_columns():
    assert plain_column(np.array([1, 2])).dtype.kind == "i" and plain_column(np.array([True])).dtype.kind == "b"
    assert plain_column(np.arange(6.)[::2]).flags.c_contiguous and plain_column(np.array([1], "u1")).dtype == np.uint8
    text = plain_column(np.array([1, "a"], object))
    assert text.tolist() == ["1", "a"] and text.dtype == object and plain_column(np.array(["x"])).tolist() == ["x"]
