"Small JSON and CSV files, read by the standard library."
import gzip
import json

import numpy as np
import pytest

from sampling_eval.io.tabular import Keep
from sampling_eval.io.text_files import (Twice, csv_source, is_whole_text, json_source,
                                         name_reader, place_in_files, read_cells, read_known,
                                         read_layout, read_rows, read_text, refuse_same_names,
                                         see_twice, split_rows, type_cells)


@pytest.fixture
def write(tmp_path):
    "A function that writes a text and returns its path."
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)
    return write


def fail(call, *given):
    with pytest.raises(ValueError) as error: call(*given)
    return str(error.value).partition("', ")[2] or str(error.value)


def test_a_key_that_stands_twice():
    assert type(see_twice([("a", 1), ("b", 1)])) is dict and type(see_twice([("a", 1), ("a", 1)])) is Twice


@pytest.mark.parametrize("text, form, want", [
    ('{"a": 1}\n\n {"a": 2} \r\n', "newline_delimited", [dict(a=1), dict(a=2)]),
    ('[{"a": 1}, 2]', "array", [dict(a=1), 2]), (' {"a":\n1}{"a": 2}\n3 ', "unstructured", [dict(a=1), dict(a=2), 3]),
    ('1 2', "unstructured", [1, 2]), ("", "unstructured", []), (" \n", "newline_delimited", []),
    (" ", "unstructured", [])])
def test_values_of_a_text(text, form, want): assert list(split_rows(text, form)) == want


def test_rows_of_a_json_file(write):
    assert read_rows(write("a.jsonl", '{"a": 1}\n{"b": {"c": 2}}'), "newline_delimited") == [dict(a=1),
        dict(b=dict(c=2))]
    assert fail(read_rows, write("b.jsonl", '{"a": 1}\n[2]'), "newline_delimited").startswith("line 2: ")
    assert "'a'" in fail(read_rows, write("c.jsonl", '{"a": 1, "a": 2}'), "newline_delimited")
    assert fail(read_rows, write("d.json", '{"a": '), "unstructured") == "line 1: malformed JSON (Expecting value)"
    assert fail(read_rows, write("e.json", "[" * 99999), "array") == "line ?: nested beyond the parser"
    assert fail(read_rows, write("f.json", b'"\xff"'), "array").startswith("line ?: not UTF-8")
    assert "is not a complete gzip file" in fail(read_rows, write("g.json.gz", gzip.compress(b"[]")[:-4]), "array")


def test_json_files_as_one_table(write):
    files = [write("a.json", '[{"id": 1, "z": 5}, {"id": 2}]'), write("b.json", '[{"id": "x", "a": true}]')]
    source = json_source(files, "array")
    assert (source.columns, source.files, source.sizes, source.verb) == (["a", "id", "z"], tuple(files), (2, 1), "read")
    batch = source.take(dict(question="id", score="z", answer="a"), Keep())
    assert {part: values.tolist() for part, values in batch.parts.items()} == dict(
        question=[1, 2, "x"], score=[5, None, None], answer=[None, None, True])
    assert [batch.place("score", row) for row in range(3)] == ["at row 1 of a.json", "at row 2 of a.json",
                                                               "at row 1 of b.json"]
    with pytest.raises(ValueError, match="empty.json"): json_source([*files, write("empty.json", "[]")], "array")


def test_rows_are_placed_in_their_file():
    assert [place_in_files(["/x/a", "/x/b", "/x/c"], [1, 0, 2], "", row) for row in range(3)] == [
        "at row 1 of a", "at row 1 of c", "at row 2 of c"]


def test_csv_files_as_one_table(write):
    files = [write("a.csv", "\ufeffid;ok;say\n1;true;\n\n02;0;b\n"), write("b.csv", "id;ok;say\n3;1;3\n")]
    source = csv_source(files, ";", ("id", "ok", "say"))
    assert (source.columns, source.files, source.sizes) == (["id", "ok", "say"], tuple(files), (2, 1))
    batch = source.take(dict(question="id", correct="ok", answer="say", score="say"), Keep())
    assert {part: values.tolist() for part, values in batch.parts.items()} == dict(
        question=["1", "02", "3"], correct=[True, 0, 1], answer=[None, "b", "3"], score=[None, "b", 3])
    assert batch.place("score", 2) == "at row 1 of b.csv"
    one = csv_source([write("c.csv", 'id;say\r\n1;"a\r\nb"\r\n')], ";", ("id", "say"))
    assert one.take(dict(question="id", answer="say"), Keep()).parts["answer"].tolist() == ["a\r\nb"]
    with pytest.raises(ValueError, match="none.csv"): csv_source([*files, write("none.csv", "id;ok;say\n")], ";",
                                                                ("id", "ok", "say"))


def test_faults_of_csv(write):
    assert refuse_same_names("x.csv", ("a", "b")) is None
    assert fail(refuse_same_names, "x.csv", ("a", "b", "c", "b")) == "'x.csv' has two columns 'b'"
    assert read_cells(write("a.csv", "a,b\n1,2\n"), ",", 2) == [["1", "2"]]
    assert fail(read_cells, write("b.csv", "a,b\n1,2\n1,2,3\n"), ",", 2).startswith("line 3: need 2 values")
    assert fail(read_cells, write("c.csv", 'a,b\n1,"2"x\n'), ",", 2).startswith("line 2: malformed CSV")
    assert "UTF-8" in fail(read_cells, write("d.csv", b"a,b\n1,\xff\n"), ",", 2)
    assert "is not a complete gzip file" in fail(read_cells, write("e.csv.gz", gzip.compress(b"a,b\n")[:-4]), ",", 2)


@pytest.mark.parametrize("text, whole", [
    ("0", True), ("7", True), ("-7", True), ("10", True), ("07", False), ("00", False), ("", False), ("-", False),
    ("1.0", False), ("+1", False), (" 1", False), ("9" * 18, True), ("9" * 19, False), ("-" + "9" * 18, True),
    ("\u0663", False), ("x", False), ("-0", False)])
def test_whole_numbers_as_python_writes_them(text, whole): assert is_whole_text(text) is whole


@pytest.mark.parametrize("text, want", [
    (None, None), ("true", True), (" FALSE ", False), ("1", 1.0), ("-.5e1", -5.0), ("1_0", "1_0"), ("\u0663", "\u0663"),
    ("x", "x"), ("", ""), ("yes", "yes")])
def test_what_a_cell_stands_for(text, want):
    found = read_text(text)
    assert found == want and type(found) is type(want)


def test_names_answers_and_values_of_cells():
    for part in "question", "sample", "model", "cluster", "group", "task dataset":
        assert read_known(part, {"1", "20"}) == {"1": 1, "20": 20} and read_known(part, {"1", "x"}) == {"1": "1",
            "x": "x"}
    for part in "answer", "look x": assert read_known(part, {"1", "true"}) == {"1": "1", "true": "true"}
    for part in "correct", "score", "system llm", "weight":
        assert read_known(part, {"1", "true", "x"}) == {"1": 1., "true": True, "x": "x"}
    assert name_reader({"1", "02"}) == {"1": "1", "02": "02"} and name_reader(set()) == {}
    assert type_cells("question", ["2", "", "1", None]).tolist() == [2, None, 1, None]
    cells = type_cells("correct", iter(["1", "0"]))
    assert cells.tolist() == [1, 0] and cells.dtype == np.float64


@pytest.mark.parametrize("name, text, want", [
    ("a.json", "{}", ("json", "unstructured")), ("a.JSON", "{}", ("json", "unstructured")),
    ("a.jsonl", "{}", ("json", "newline_delimited")), ("a.json", " \n[1]", ("json", "array")),
    ("a.jsonl", "[1]", ("json", "array")), ("a.ndjson", "{}", ("json", "newline_delimited")),
    ("a.json.gz", gzip.compress(b"{}", mtime=0), ("json", "unstructured")), ("a.json.x", "{}", ("json", "newline_delimited")),
    ("a.jsonl.GZ", gzip.compress(b"{}", mtime=0), ("json", "newline_delimited")), ("a.json", "", ("json", "unstructured"))])
def test_layouts(name, text, want, write): assert read_layout(write(name, text), "json") == want


def test_layouts_of_tables_and_of_broken_files(write):
    kind, *rest = read_layout(write("a.csv", "a,b\n1,2\n"), "csv")
    assert kind == "csv" and rest[-1] == ("a", "b") and "," in rest
    broken = write("a.json.gz", gzip.compress(json.dumps(list(range(999))).encode())[:40])
    assert fail(read_layout, broken, "json").endswith("is not a complete gzip file")
