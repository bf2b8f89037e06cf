"Files that an engine reads: a column without a name, beside the file of each row."

import bz2
import gzip
import io
import json
from pathlib import Path

import duckdb
import pytest

from sampling_eval import read
from sampling_eval.reading import tables
from sampling_eval.reading.columns import FILE
from sampling_eval.reading.duckdb import scans
from sampling_eval.reading.duckdb.scans import ESCAPE, choose_type, mend_half, point, see_layout
from sampling_eval.reading.duckdb.sql import quote_text


def write(folder, question="", text="x"):
    for shift, model in enumerate("ab"):
        rows = [{question: q, "correct": (q + shift) % 2, "answer": text} for q in range(3)]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{model}.jsonl").write_text(lines)
    return [folder / "a.jsonl", folder / "b.jsonl"]


@pytest.mark.parametrize("question", ["", "a b", "id"])
@pytest.mark.parametrize("text", ["x", "x\ud800"], ids=["whole", "half"])
@pytest.mark.parametrize("files_hold, models", [("models", ["a", "b"]), ("draws", None)])
def test_a_column_beside_the_file_of_its_rows(
    question, text, files_hold, models, tmp_path, monkeypatch
):
    files = write(tmp_path, question, text)
    found = []
    for size in 2**23, -1:
        monkeypatch.setattr(tables, "SMALL", size)
        rows = read(files, question=question, files_hold=files_hold)
        assert rows.questions.tolist() == [0, 1, 2]
        assert rows.summary.counted is (size < 0)
        named = None if rows.model is None else sorted(set(rows.model.tolist()))
        # Half a character is a mark to an engine.
        answers = {answer.replace("\ud800", "\ufffd") for answer in rows.answer.tolist()}
        found.append((named, len(rows), answers))
    assert found[0] == found[1] == (models, 6, {text.replace("\ud800", "\ufffd")})


@pytest.mark.parametrize(
    "kinds, want",
    [
        ({"VARCHAR"}, "VARCHAR"),
        ({"BOOLEAN"}, "JSON FLAG"),
        ({"UBIGINT"}, "JSON WHOLE"),
        ({"UBIGINT", "BIGINT"}, "JSON WHOLE"),
        ({"UBIGINT", "DOUBLE"}, "JSON NUMBER"),
        ({"DOUBLE"}, "JSON NUMBER"),
        ({"DOUBLE", "VARCHAR"}, None),
        ({"BOOLEAN", "UBIGINT"}, None),
        ({"OBJECT"}, None),
    ],
    ids=str,
)
def test_types_of_columns(kinds, want):
    assert choose_type(kinds) == want


def test_keys_as_pointers():
    told = {"a": "'/a'", "a/b~c": "'/a~1b~0c'", "a'b": "'/a''b'", "": "'/'"}
    assert {key: point(key) for key in told} == told


@pytest.mark.parametrize(
    "text, want",
    [
        (rb"\ud800", rb"\ufffd"),
        (rb"\udc00", rb"\ufffd"),
        (rb"\ud83d\ude00", rb"\ud83d\ude00"),
        (rb"\ud83d\u0041", rb"\ufffd\u0041"),
        (rb"\\ud800", rb"\\ud800"),
        (rb"\n\u0041", rb"\n\u0041"),
    ],
)
def test_half_a_character_is_a_mark(text, want):
    assert ESCAPE.sub(mend_half, text) == want


@pytest.mark.parametrize("name", ["run.arrow", "run.feather"])
def test_files_of_an_engine_stand_alone(name):
    assert see_layout(None, name) == ("arrow", name)


# Copies of texts that an engine does not read as they are.


@pytest.mark.parametrize(
    "name, text, needed",
    [
        ("x.json", '{"a": 1}'.encode(), False),
        ("x.jsonl", '{"a": 1}'.encode("utf-8-sig"), True),
        ("x.json", '{"a": 1}'.encode("utf-16"), True),
        ("x.csv", "a,b\n1,2\n".encode(), False),
        ("x.csv", "a,b\n1,2\n".encode("utf-8-sig"), False),
        ("x.csv", "a,b\n1,2\n".encode("utf-16"), True),
        ("x.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0), False),
        ("x.jsonl.gz", gzip.compress(b'{"a": 1}', mtime=0), False),
        ("x.csv.bz2", bz2.compress(b"a,b\n1,2\n"), True),
        ("x.parquet", b"PAR1", False),
    ],
    ids=lambda given: "" if isinstance(given, bytes) else str(given),
)
def test_texts_that_need_a_copy(name, text, needed, tmp_path):
    (path := tmp_path / name).write_bytes(text)
    assert scans.needs_copy(str(path)) is needed
    assert scans.needs_copy(f"https://example.org/{name}") is False


@pytest.mark.parametrize(
    "name, text, long",
    [
        ("x.csv", b'a,"b c"\n1,2\n', False),
        ("x.csv", b'a,"b\nc"\n1,2\n', True),
        ("x.csv", b'a,"b\r\nc"\n1,2\n', True),
        ("x.csv", b'a,b\n1,"2\n3"\n', False),
        ("x.jsonl", b'{"a\\nb": 1}\n', False),
    ],
)
def test_headers_on_several_lines(name, text, long, tmp_path):
    (path := tmp_path / name).write_bytes(text)
    assert scans.has_long_header(str(path)) is long
    assert scans.has_long_header(f"https://example.org/{name}") is False


@pytest.mark.parametrize(
    "text, mark, columns, want",
    [
        (b'"a\nb",c\n1,2\n', ",", "ab", b"c0,c1\n1,2\n"),
        (b'"a\nb",c\r\n1,2\r\n', ",", "ab", b"c0,c1\r\n1,2\r\n"),
        (b'\xef\xbb\xbf"a\nb";c;d\n1;2;"3\n4"\n', ";", "abc", b'c0;c1;c2\n1;2;"3\n4"\n'),
        (b'"a\nb"\n', ",", "a", b"c0\n"),
    ],
)
def test_a_header_is_put_on_one_line(text, mark, columns, want):
    found = b"".join(scans.shorten_header("csv", mark, columns, io.BytesIO(text)))
    assert found == want


def test_files_with_half_a_character_are_copied_once(tmp_path):
    whole, half = tmp_path / "whole.jsonl", tmp_path / "half.jsonl"
    whole.write_bytes(b'{"a": "\\ud83d\\ude00"}\n')
    half.write_bytes(b'{"a": "x"}\n{"a": "\\ud83d"}\n')
    files, copies = [str(whole), str(half)], scans.Copies()
    assert [scans.holds_half(file) for file in files] == [False, True]
    assert scans.mend_files(copies, files[:1]) is False and copies == {}
    assert copies.find(files) == files and copies.name("x") == "x"
    assert scans.mend_files(copies, files) is True and list(copies) == files[1:]
    one, two = copies.find(files)
    assert one == files[0] and Path(two).read_bytes() == b'{"a": "x"}\n{"a": "\\ufffd"}\n'
    assert scans.mend_files(copies, files) is False
    named = copies.name("x")
    for stored, told in (two, files[1]), (files[0], files[0]):
        query = f"SELECT {named} FROM (SELECT {quote_text(stored)} AS x)"
        assert duckdb.sql(query).fetchall() == [(told,)]


def test_a_copy_that_cannot_be_made_names_its_file(tmp_path):
    (path := tmp_path / "x.jsonl.bz2").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="x.jsonl.bz2"):
        scans.Copies().add(str(path))
    (path := tmp_path / "x.csv").write_bytes("a\n1\n".encode("utf-16")[:-1])
    with pytest.raises(ValueError, match="x.csv': not UTF-16"):
        scans.Copies().add(str(path))


# Rows and columns.


def test_rows_of_a_relation_and_where_they_stand():
    scan = scans.scan_relation(duckdb.sql("SELECT * FROM (VALUES (1, 'x'), (2, 'y')) t(a, b)"))
    assert scan.kinds == dict(a="INTEGER", b="VARCHAR")
    assert [scan.cell(column) for column in ("a", "b", FILE)] == ["c0", "c1", "file_of_row"]
    assert [scan.kind(column) for column in ("a", FILE)] == ["INTEGER", "VARCHAR"]
    assert scan.read(["b", "a", "b"], None).fetchall() == [("x", 1), ("y", 2)]
    assert scan.find_row(["a"], "c0 > 1", "c0") == ((2,), "at row 1")
    assert scan.find_row(["a", "b"], "c0 > 0", "c1, c0") == (("x", 1), "at row 0")
    assert scan.find_row(["a"], "c0 > 2", "c0") is None
    assert scan.tell_row(3, None) == "at row 2" and scan.tell_row(3, "/x/a.csv") == (
        "at row 3 of a.csv"
    )
    chosen = dict(question="a", answer="none", model=FILE)
    assert scan.choose(chosen) == dict(question="a", model=FILE)
    with pytest.raises(ValueError, match="question"):
        scan.choose(dict(question="none", answer="b"))


def test_rows_are_found_in_the_order_of_files(tmp_path):
    files = []
    for name, values in ("a", "01"), ("b", "121"):
        (path := tmp_path / f"{name}.csv").write_text("q,c\n" + "".join(f"x,{v}\n" for v in values))
        files.append(str(path))
    (scan,) = scans.scan_files(scans.open_files(files), files)
    assert scan.find_row(["c"], "c1 = '1'", "c1") == (("1",), "at row 2 of a.csv")
    assert scan.find_row(["c"], "c1 = '2'", "c1") == (("2",), "at row 2 of b.csv")
    part = scan.take_file(files[1])
    assert part.files == (files[1],) and len(part.read(["c"], None).fetchall()) == 3
    assert scan.take_file(None).files == scan.files == tuple(files)
    assert len(scan.take_file(None).read(["c"], None).fetchall()) == 5


@pytest.mark.parametrize(
    "columns, pair", [("ab", None), ("aa", None), ("abA", "'a' and 'A'"), (["Id", "iD"], "'Id'")]
)
def test_names_that_an_engine_takes_for_one(columns, pair):
    if pair is None:
        assert scans.refuse_same_letters(columns) is None
        return
    with pytest.raises(ValueError, match=f"must differ in more than capitals, got {pair}"):
        scans.refuse_same_letters(columns)


def test_paths_in_a_query_are_taken_literally(tmp_path):
    for name in "a[1].csv", "b*.csv", "c'd.csv":
        (path := tmp_path / name).write_text("x\n1\n")
        query = f"SELECT count(*) FROM read_csv({scans.list_paths([str(path)])})"
        assert duckdb.sql(query).fetchall() == [(1,)]
    remote = "https://example.org/a[1].csv"
    assert scans.list_paths([remote]) == f"['{remote}']"


def test_faults_of_an_engine_name_the_file():
    def fail():
        duckdb.sql("SELECT nothing_of_that_name")

    def find_fault(file):
        return f"{file}: line 3" if file != "a.csv" else ""

    assert scans.guard(lambda: 5, ["a.csv"]) == 5
    with pytest.raises(ValueError, match="^cannot read .*a.csv.*: Binder Error: .*nothing_of"):
        scans.guard(fail, ["a.csv"])
    for files in ["b.csv", "c.csv"], ["a.csv", "b.csv"], ["https://x.org/c.csv", "b.csv"]:
        with pytest.raises(ValueError, match="^b.csv: line 3$"):
            scans.guard(fail, files, find_fault)


@pytest.mark.parametrize(
    "rows, sound",
    [
        ([("OBJECT", ["a", "b"]), ("OBJECT", [])], True),
        ([], True),
        ([("OBJECT", ["a"]), ("ARRAY", [])], False),
        ([("OBJECT", ["a", "b", "a"])], False),
    ],
)
def test_rows_that_are_no_objects(rows, sound):
    if sound:
        assert scans.refuse_odd_rows("x.json", rows, lambda file: "") is None
        return
    with pytest.raises(ValueError, match="cannot read 'x.json': every row must be an object"):
        scans.refuse_odd_rows("x.json", rows, lambda file: "")
    with pytest.raises(ValueError, match="^x.json: line 2$"):
        scans.refuse_odd_rows("x.json", rows, lambda file: f"{file}: line 2")


# Large files of JSON, of which some rows tell the columns.


def lay(path, form, rows):
    text = "\n".join(map(json.dumps, rows)) if form == "newline_delimited" else json.dumps(rows)
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("form", ["newline_delimited", "array"])
def test_keys_further_on_in_a_large_file(form, tmp_path, monkeypatch):
    rows = [dict(a=1)] * 40 + [dict(a=1, b=i) for i in range(40)]
    file = lay(tmp_path / "x.json", form, rows)
    con, copies = scans.open_files([file]), scans.Copies()

    def see():
        return {tuple(sorted(keys)) for _, keys in scans.see_keys(con, file, form, copies)}

    assert see() == {("a",), ("a", "b")}
    monkeypatch.setattr(scans, "FIRST", 5)
    assert see() == {("a",), ("a", "b")}
    monkeypatch.setattr(scans, "LARGE", Path(file).stat().st_size)
    assert see() == {("a",), ("a", "b")}
    monkeypatch.setattr(scans, "LARGE", Path(file).stat().st_size - 1)
    monkeypatch.setattr(scans, "SPARSE", 20 if form == "newline_delimited" else 1)
    assert see() == {("a",), ("a", "b")}


def test_lines_at_even_distances(tmp_path):
    "Every line of a small file may be seen; what is no object is told later."
    lines = ['{"a": 1}'] * 30 + ["[1]", "{broken", '{"b": 2}'] * 20
    (path := tmp_path / "x.jsonl").write_text("\n".join(lines))
    assert sorted(scans.see_lines(str(path))) == [("OBJECT", ["a"]), ("OBJECT", ["b"])]


def test_types_of_columns_of_several_files(tmp_path):
    one = [dict(a=1, b=True, c="x", d=0.5, e=None, f=[1]), dict(a=-2, b=None, c=None, d=1)]
    files = [lay(tmp_path / "1.json", "array", one)]
    files.append(lay(tmp_path / "2.json", "array", [dict(a=0.5, b=False, c="y", g="z")]))
    con, copies = scans.open_files(files), scans.Copies()
    first = scans.see_types(con, files[:1], "array", copies)
    want = dict(a="JSON WHOLE", b="JSON FLAG", c="VARCHAR", d="JSON NUMBER")
    assert first == want
    assert scans.see_types(con, files, "array", copies) == want | dict(a="JSON NUMBER", g="VARCHAR")
    (scan,) = scans.scan_files(con, files)
    assert scan.kind("f") == scan.kind("e") == "JSON TEXT" == scan.plain.kind("a")
    assert scan.suit(dict(sample="a")) is scan
    (alone,) = scans.scan_files(con, files[:1])
    assert alone.suit(dict(sample="a")).kind("a") == "BIGINT"
    assert alone.suit(dict(question="a")) is alone
