"Small tables, cells of pages, consoles, frames, provenance and files of questions: exact contents."
import json
import os
import sys
from io import StringIO, TextIOWrapper, BytesIO
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.reading.content import note_files
from sampling_eval.reading.origin import File
from sampling_eval.reporting import consoles, frames, per_question
from sampling_eval.reporting.cells import escape_cell, write_rows
from sampling_eval.reporting.columns import Columns, Gap, Spread
from sampling_eval.reporting.consoles import spell_signs, write_code
from sampling_eval.reporting.frames import choose_backend, frame, list_backends
from sampling_eval.reporting.parts import Sentence, Table
from sampling_eval.reporting.per_question import check_ending, plain_column, tell_csv, tell_json, write_questions
from sampling_eval.reporting.provenance import list_origin, tell_date
from sampling_eval.reporting.records import Absent

OLD = Spread(((np.array([.5, 1.]), np.array([1, 0, 1])), (np.array([.25]), np.array([0]))))
NEW = Spread(((np.array([0., 1.]), np.array([1, 1, 0, 0])),))


def test_columns_kept_by_states():
    assert OLD.fill().tolist() == [1., .5, 1., .25] and Gap(NEW, OLD).fill().tolist() == [0., .5, -1., -.25]
    table = Columns(dict(a=OLD, b=Gap(NEW, OLD), c=["x", "y", "z", "w"]))
    assert table["a"].tolist() == [1., .5, 1., .25] and table["b"].tolist() == [0., .5, -1.,
                                                                                -.25] and table["c"].dtype.kind == "U"
    assert table.rows()[1] == dict(a=.5, b=.5, c="y") and len(table) == 3 and list(table) == ["a", "b", "c"]
    assert table.where(np.array([2, 0])).rows() == [dict(a=1., b=-1., c="z"), dict(a=1., b=0., c="x")]


def test_columns_are_listed_when_they_are_looked_at():
    calls = []
    table = Columns(lambda: calls.append(1) or dict(a=[1, 2]))
    assert not calls and list(table) == ["a"] and table["a"].tolist() == [1, 2] and calls == [1]


def test_equal_tables():
    one = Columns(dict(a=[1, 2], b=[3, 4]))
    assert one == Columns(lambda: dict(a=np.array([1, 2]), b=[3, 4])) and one != Columns(dict(b=[3, 4], a=[1, 2]))
    assert one != Columns(dict(a=[1, 2], b=[3, 5])) and one != Columns(dict(a=[1, 2])) and one != dict(a=[1, 2], b=[3,
        4])
    with pytest.raises(ValueError): Columns(dict(a=[1, 2], b=[3])).rows()


def test_a_table_as_text():
    assert repr(Columns(dict(name=["a\x1b", "long"], x=[.5, 1], n=[12345, 7]))) == (
        "name      x      n\n  a\ufffd  0.500  12345\nlong  1.000      7")
    assert repr(Columns(dict(n=list(range(21))))).endswith("\n19\n... 1 more rows")


@pytest.mark.parametrize("text, told", [
    ("a|b", r"a\|b"), ("a^b~c", r"a\^b\~c"), ("`a|b<`", "<code>a&#124;b&lt;</code>"), ("`a^b`", "`a^b`"), ("$a|b^2$",
        r"$a\vert b^2$"),
    ("$a^2$", "$a^2$"), ("a\nb", "a b"), ("x `a|b` | $c|d$", r"x <code>a&#124;b</code> \| $c\vert d$"), (7, "7"),
    ("$5 | x", r"$5 \| x")])
def test_cells_of_a_page(text, told): assert escape_cell(text) == told


def test_rows_of_a_page():
    assert write_rows(["name", "meaning"], [["a|b", "c"]]) == (
        '<div class="api">\n\n| name | meaning |\n|:--------|:' + "-" * 34 + "|\n| a\\|b | c |\n\n</div>")
    assert write_rows(["type"], []).splitlines()[3] == "|:" + "-" * 12 + "|"


@pytest.mark.parametrize("sign, told", [("\u2013", "-"), ("\u2014", "-"), ("\u2026", "..."), ("\u2265", ">="),
                                        ("\u00b1", "+/-"), ("\u6a21", "\\u6a21"),
                                        ("\u00e9", "\\xe9"), ("\u2014\u00d7\u2192", "-x->")])
def test_signs_that_a_console_lacks(sign, told):
    assert spell_signs(UnicodeEncodeError("ascii", f"ab{sign}cd", 2, 2 + len(sign), "lacking")) == (told, 2 + len(sign))


def test_consoles_print_any_text(monkeypatch):
    out = TextIOWrapper(BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out), monkeypatch.setattr(sys, "stderr", StringIO())
    consoles.prepare_consoles()
    print("0.1\u20130.2 \u6a21", end="", flush=True, file=out)
    assert out.buffer.getvalue() == b"0.1-0.2 \\u6a21" and write_code("\u6a21") == "\\u6a21"


def test_the_library_of_a_frame(monkeypatch):
    monkeypatch.setattr(frames, "find_spec", lambda name: name != "pandas")
    assert list_backends() == ["polars",
                               "pyarrow"] and choose_backend() == "polars" and choose_backend("pyarrow") == "pyarrow"
    with pytest.raises(ImportError, match="^a frame needs pandas: pip install pandas$"): choose_backend("pandas")
    with pytest.raises(ValueError,
                       match=r"^backend must be one of \('pandas', 'polars', 'pyarrow'\), got 'dask'$"):
        choose_backend("dask")
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    with pytest.raises(ImportError,
                       match="^a frame needs pandas, polars or pyarrow: pip install pandas$"): frame(dict(a=[1]))
    with pytest.raises(ImportError, match="^a frame needs polars: pip install polars$"): choose_backend("polars")


def test_the_date_of_a_page(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    assert tell_date() == "1970-01-01"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    said, = list_origin()
    assert tell_date() == "1970-01-02" and isinstance(said, Sentence) and said.text.endswith("; 1970-01-02.")
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert len(tell_date()) == 10 and tell_date() >= "2025"


def test_the_hashes_of_files(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[]")
    known = File(str(tmp_path / "b.json"), sha256="0" * 64)
    noted, = note_files([str(path)])
    _, table = list_origin([noted, known])
    assert table == Table(["file", "sha256 of its content"], [
        ["a.json", "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"], ["b.json", "0" * 64]], left=2)
    changed = "not known: the file has changed since it was read"
    path.write_text("[1]")
    assert list_origin([noted])[1].rows == [["a.json", changed]]
    path.unlink()
    assert list_origin([noted])[1].rows == [["a.json", changed]]
    assert list_origin([File("https://x.org/b.json")])[1].rows == [["b.json", "not known: read from an address"]]


# Files of questions.

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
    assert per_question.ENDINGS == (".csv", ".json", ".parquet")
