"What lies in a folder in which no harness has written."
import pytest

from sampling_eval.io.folders import (leave_others, list_paths, may_be_table, note_left, starts_object,
                                           tell_tables)


@pytest.fixture
def lay(tmp_path):
    "A function that writes texts and returns their paths."
    def lay(**texts):
        for name, text in texts.items(): (tmp_path / name.replace("_", ".")).write_text(text)
        return sorted(map(str, tmp_path.iterdir()))
    return lay


@pytest.mark.parametrize("name, text, want", [
    ("a_json", '{"a": 1}', False), ("a_json", '{"Question ID": 1}', True), ("a_json", '{"a": 1}\n{"a": 2}', True),
    ("a_json", '[{"a": 1}]', True), ("a_json", "[1]", False), ("a_json", "[]", False), ("a_json", "{ // x\n}", False),
    ("a_json", " \n {", False), ("a_json", "[1,", True), ("a_JSON", '{"a": 1}', False), ("a_jsonl", '{"a": 1}', True),
    ("a_csv", "x", True), ("a_csv", "", False), ("a_json", "", False)])
def test_what_may_be_a_table(name, text, want, lay):
    path, = lay(**{name: text})
    assert may_be_table(path) is want


def test_addresses_may_be_tables(): assert may_be_table("https://example.org/a.json") is True


def test_where_an_object_starts(tmp_path):
    path = tmp_path / "x"
    for text, want in ((" " * 99 + "{", True), (" " * 100 + "{", False), ("[", False), ("", False), ("{[", True)):
        path.write_text(text)
        assert starts_object(str(path)) is want


def test_paths_that_were_given(tmp_path):
    assert list_paths("a") == {"a"} and list_paths(tmp_path) == {str(tmp_path)}
    assert list_paths([tmp_path, "b"]) == {str(tmp_path), "b"}


def test_the_tables_of_a_folder(lay, tmp_path):
    files = lay(a_jsonl="{}", b_csv="x", s_json="{}")
    a, b, s = files
    assert leave_others(tmp_path, files, True) == (
        [a, b], "skipped s.json, as no table; none of 3 files is a log of a harness, so 2 are read as plain tables")
    assert leave_others(tmp_path, files, False) == ([a, b], "skipped s.json, as no table")
    assert leave_others([str(tmp_path), s], files, False) == (files, "")
    assert leave_others([str(tmp_path), s], files, True) == (
        files, "none of 3 files is a log of a harness, so 3 are read as plain tables")
    assert leave_others(files, files, True) == (files, "") and leave_others(tmp_path, [s], True) == ([s], "")
    assert leave_others(tmp_path, [s, s], True) == ([s, s], "")
    assert leave_others(tmp_path, [a, s], True) == ([a], "skipped s.json, as no table")
    assert leave_others(tmp_path, [a, b], True) == (
        [a, b], "none of 2 files is a log of a harness, so 2 are read as plain tables")
    assert leave_others([str(tmp_path), "x"], [a, b], False) == ([a, b], "")
    assert list(say_left(files, [], True)) == ["skipped 3 files (a.jsonl, b.csv, s.json), as no table"]


def test_what_is_added_to_a_refusal():
    def fail(said, kind=ValueError):
        with pytest.raises(kind) as error:
            with tell_tables(said): raise kind("no column")
        return str(error.value)
    assert (fail(""), fail("skipped x"), fail("skipped x", TypeError)) == ("no column", "no column; skipped x",
        "no column")
    with tell_tables("skipped x"): pass
