"Cells as SQL, and what comes back: each type by itself, asked of DuckDB."
import math
import os
import subprocess
import sys

import duckdb
import numpy as np
import pytest

from sampling_eval.io.duckdb.sql import (ask, connect, is_number, key_cell, keys_as_outcomes,
                                         name_cell, number_cell, parse_text, quote_name,
                                         quote_text, quote_value, read_decimals, read_flag,
                                         read_keys, read_number, sample_cell)

NAN = float("nan")


def show(values): return list(map(repr, values.tolist() if isinstance(values, np.ndarray) else values))


def test_names_and_texts_in_a_query():
    names = "it's", 'a "b"', "", "%s"
    for name in names:
        row = ask(f"SELECT {quote_text(name)} AS {quote_name(name or 'x')}")
        assert row.description[0][0] == (name or "x") and row.fetchall() == [(name,)]
    assert (quote_name(3), quote_text(3)) == ('"3"', "'3'")


@pytest.mark.parametrize("value", [None, NAN, "it's", 0, -7, 1.5, math.inf, -math.inf, True, 2**70])
def test_a_key_comes_back_as_it_was(value):
    (found,), = ask(f"SELECT {quote_value(value)}").fetchall()
    assert repr(found) == repr(None if value is None or value != value else value)


@pytest.mark.parametrize("kind, want", [
    ("BIGINT", True), ("UTINYINT", True), ("HUGEINT", True), ("INTEGER", True), ("UINTEGER", True), ("FLOAT", True),
    ("DOUBLE", True), ("DECIMAL(4,1)", True), ("VARCHAR", False), ("BIGINT[]", False), ("BOOLEAN", False),
    ("JSON NUMBER", False), ("DATE", False)])
def test_types_of_numbers(kind, want): assert is_number(kind) is want


def ask_cell(cell, values, kind):
    "What SQL makes of a column `x` of some literals of a type."
    rows = ", ".join(f"({i}, {value}::{kind})" for i, value in enumerate(values))
    return [row[0] for row in ask(f"SELECT {cell} FROM (VALUES {rows}) t(i, x) ORDER BY i").fetchall()]


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT", "INTEGER", "DECIMAL(5,1)", "UBIGINT"])
def test_outcomes_that_are_numbers(kind):
    values = ["1", "0", "NULL", "2"] + ["0.5", "'nan'", "'inf'", "'-inf'"] * (kind in ("DOUBLE", "FLOAT"))
    want = [1, 0, None, 2] + [2, None, 2, 2] * (kind in ("DOUBLE", "FLOAT"))
    assert ask_cell(key_cell("correct", "x", kind), values, kind) == want


TEXTS = ["1", "0", "1.0", "0.0", "1e0", "0.7", "2", "null", "true", "yes"]


def test_outcomes_that_are_texts_of_numbers():
    given = [*map(quote_text, TEXTS), "NULL"]
    for kind in "JSON NUMBER", "JSON WHOLE":
        found = ask_cell(key_cell("correct", "x", kind), given, "VARCHAR")
        assert found == ["1", "0", "1", "0", "1", "2", "2", None, "true", "yes", None]
    same = ask_cell(key_cell("correct", "x", "CSV TEXT"), [quote_text(t) for t in TEXTS], "VARCHAR")
    assert same == TEXTS == ask_cell(key_cell("question", "x", "JSON NUMBER"), map(quote_text, TEXTS), "VARCHAR")


@pytest.mark.parametrize("kind, value, want", [
    ("BOOLEAN", "true", True), ("TINYINT", "7", 7), ("UINTEGER", "7", 7), ("FLOAT", "0.5", .5), ("DOUBLE", "2", 2.),
    ("HUGEINT", "7", "7"), ("UBIGINT", "7", "7"), ("DECIMAL(4,1)", "7", "7.0"), ("VARCHAR", "'a'", "a"),
    ("INTEGER[]", "[1, 2]", "[1,2]"), ("STRUCT(a INTEGER)", "{'a': 1}", '{"a":1}'),
    ("DATE", "'2026-01-02'", "2026-01-02")])
def test_keys_of_every_type(kind, value, want):
    found, = ask_cell(key_cell("answer", "x", kind), [value], kind)
    assert repr(found) == repr(want)


@pytest.mark.parametrize("kind, typed, flags, want", [
    ("CSV TEXT", "VARCHAR", False, [1.5, 10., None, math.inf, math.inf, math.inf, math.inf, math.inf, None]),
    ("JSON TEXT", "VARCHAR", False, [1.5, 10., None, math.inf, math.inf, None, math.inf, math.inf, None]),
    ("JSON FLAG", "VARCHAR", True, [math.inf, math.inf, math.inf, math.inf, math.inf, None, 1., 0., None]),
    ("CSV TEXT", "VARCHAR", True, [math.inf, math.inf, math.inf, math.inf, math.inf, math.inf, 1., 0., None])])
def test_numbers_in_texts(kind, typed, flags, want):
    texts = ["1.5", " 10 ", "nan", "1_0", "x", "null", "true", " FALSE "]
    assert ask_cell(number_cell("x", kind, flags), [*map(quote_text, texts), "NULL"], typed) == want


def test_numbers_of_other_types():
    assert ask_cell(number_cell("x", "BOOLEAN"), ["true", "false", "NULL"], "BOOLEAN") == [1, 0, None]
    doubles = "0.5", "'nan'", "'inf'", "NULL"
    assert ask_cell(number_cell("x", "DOUBLE"), doubles, "DOUBLE") == [.5, None, math.inf, None]
    assert ask_cell(number_cell("x", "VARCHAR"), ["'1'", "NULL"], "VARCHAR") == [math.inf, None]


def test_names_and_samples():
    assert ask_cell(name_cell("x", "JSON TEXT"), ["'\"a\\\"b\"'", "'7'", "'null'"], "JSON") == ['a"b', "7", None]
    assert ask_cell(name_cell("x", "INTEGER"), ["7"], "INTEGER") == ["7"]
    for kind in "TINYINT", "BIGINT", "UINTEGER": assert ask_cell(sample_cell("x", kind), ["7"], kind) == [7]
    for kind in "HUGEINT", "UHUGEINT", "UBIGINT", "DOUBLE":
        found, = ask_cell(sample_cell("x", kind), ["7"], kind)
        assert isinstance(found, str) and float(found) == 7


@pytest.mark.parametrize("part, kind, keys, want", [
    ("question", "CSV TEXT", ["007", "7"], ["007", "7"]), ("correct", "CSV TEXT", ["1", "0", None], [1., 0., None]),
    ("question", "JSON NUMBER", ["7", "-7", "2.5", None], [7, -7, 2.5, None]), ("sample", "JSON WHOLE", ["7"], [7]),
    ("correct", "JSON FLAG", ["true", "false", None], [True, False, None]),
    ("answer", "JSON TEXT", ['"a"', '"\\u00e9\\n"', "7", "[1]", None], ["a", "é\n", 7, [1], None]),
    ("answer", "INTEGER[]", ["[1,2]"], [[1, 2]]), ("answer", "STRUCT(a INTEGER)", ['{"a":1}'], [{"a": 1}]),
    ("question", "VARCHAR", ["a"], ["a"]), ("question", "HUGEINT", ["7", None], [7, None]),
    ("question", "DECIMAL(4,1)", ["7.0", "7.5"], [7, 7.5]), ("correct", "DOUBLE", [1, 0, None], [1., 0., NAN]),
    ("correct", "HUGEINT", [1, 0], [1, 0]), ("answer", "DOUBLE", [.5, 1.], [.5, 1.])])
def test_keys_as_values(part, kind, keys, want):
    given = np.array(keys) if kind in ("DOUBLE", "HUGEINT") and None not in keys and part != "question" else None
    found = read_keys(part, np.array(keys, object) if given is None else given, kind)
    assert [None if v != v else v for v in found.tolist()] == [None if v != v else v for v in want]
    if part == "correct" and kind == "DOUBLE": assert found.dtype.kind == "f"


def test_values_of_single_texts():
    assert show(map(read_number, ["7", "-7", "7.0", "1e3"])) == ["7", "-7", "7.0", "1000.0"]
    with pytest.raises(ValueError): read_number("yes")
    assert read_flag("true") is True and read_flag("false") is False
    with pytest.raises(ValueError, match="need true or false, got 'True'"): read_flag("True")
    assert (parse_text('"a b"'), parse_text('""'), parse_text('"\\""'), parse_text("1.0"), parse_text(None)) == (
        "a b", "", '"', 1., None)
    assert show(keys_as_outcomes(np.array([True, False]))) == ["1.0", "0.0"]
    assert show(read_decimals(np.array(["1.50", None], object))) == ["1.5", "None"]


def test_extensions_are_loaded_for_addresses_only():
    for con, want in (connect(), False), (connect(remote=True), True), (ask("SELECT 1"), False):
        for name in "autoinstall_known_extensions", "autoload_known_extensions":
            assert con.execute(f"SELECT current_setting('{name}')").fetchall() == [(want,)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_reads_again(tmp_path):
    "Its engine has no threads of the first process to wait for."
    path = tmp_path / "a.parquet"
    duckdb.sql("SELECT range AS id, range % 2 AS correct FROM range(300_000)").write_parquet(str(path))
    program = """
import os, sys
from pathlib import Path
from sampling_eval.io.harness.parquet import parquet_columns
from sampling_eval.io.duckdb.sql import ask
def look(): return parquet_columns(Path(sys.argv[1])), ask(
    f"SELECT sum(id), count(DISTINCT id) FROM '{sys.argv[1]}'").fetchall()
first, child = look(), os.fork()
if not child: os._exit(look() != first)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"""
    subprocess.run([sys.executable, "-c", program, path], check=True, timeout=120)
