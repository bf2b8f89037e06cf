"Cells of a table as SQL, asked of DuckDB itself, and what it returns as values."

from decimal import Decimal

import duckdb
import numpy as np
import pytest

from sampling_eval.reading.duckdb.sql import (
    connect,
    count_rows,
    is_long,
    is_nested,
    is_number,
    is_whole,
    key_cell,
    keys_as_outcomes,
    name_cell,
    number_cell,
    parse_each,
    parse_texts,
    quote_name,
    quote_text,
    quote_value,
    read_flag,
    read_keys,
    read_number,
    sample_cell,
)
from sampling_eval.reading.values import tidy

INF, NAN = float("inf"), float("nan")


def cells(expression, kind, *values):
    "What an expression of a column `x` gives for some values of a type."
    listed = ", ".join(f"({i}, {value}::{kind})" for i, value in enumerate(values))
    query = f"SELECT {expression} FROM (VALUES {listed}) t(i, x) ORDER BY i"
    return [row[0] for row in duckdb.sql(query).fetchall()]


def texts(*values):
    return ["NULL" if value is None else quote_text(value) for value in values]


def test_names_and_texts_in_a_query():
    for name in 'a"b', "a'b", "", 5:
        assert duckdb.sql(f"SELECT 1 AS {quote_name(name or 'x')}").columns == [str(name or "x")]
        assert duckdb.sql(f"SELECT {quote_text(name)}").fetchall() == [(str(name),)]


@pytest.mark.parametrize("value", [None, "a'b", "NULL", 5, -2, True, 0.1, 1e300, INF, -INF])
def test_values_in_a_query(value):
    ((found,),) = duckdb.sql(f"SELECT {quote_value(value)}").fetchall()
    assert found == value and isinstance(found, type(value))


def test_nan_in_a_query_is_none():
    assert quote_value(NAN) == "NULL"


@pytest.mark.parametrize(
    "kind, number, whole, nested, long",
    [
        ("BIGINT", True, True, False, False),
        ("UTINYINT", True, True, False, False),
        ("UINTEGER", True, True, False, False),
        ("UBIGINT", True, True, False, True),
        ("HUGEINT", True, True, False, True),
        ("UHUGEINT", True, True, False, True),
        ("FLOAT", True, False, False, False),
        ("DOUBLE", True, False, False, False),
        ("DECIMAL(9,2)", True, False, False, True),
        ("VARCHAR", False, False, False, False),
        ("BOOLEAN", False, False, False, False),
        ("INTERVAL", False, False, False, False),
        ("BIGINT[]", False, False, True, False),
        ("INTEGER[3]", False, False, True, False),
        ("STRUCT(a BIGINT)", False, False, True, False),
        ("MAP(VARCHAR, BIGINT)", False, False, True, False),
        ("UNION(a BIGINT)", False, False, True, False),
        ("JSON TEXT", False, False, False, False),
    ],
)
def test_types_of_cells(kind, number, whole, nested, long):
    assert (is_number(kind), is_whole(kind), is_nested(kind)) == (number, whole, nested)
    assert is_long(kind) is long


@pytest.mark.parametrize(
    "part, kind, stored, values, want",
    [
        ("correct", "DOUBLE", "DOUBLE", ["1", "0", "0.5", "'inf'", "'-inf'", "'nan'", "NULL"],
         [1, 0, 2, 2, 2, None, None]),
        ("correct", "BIGINT", "BIGINT", ["1", "0", "-1", "2", "NULL"], [1, 0, 2, 2, None]),
        ("correct", "DECIMAL(3,1)", "DECIMAL(3,1)", ["1", "0", "0.5"], [1, 0, 2]),
        ("correct", "JSON NUMBER", "VARCHAR",
         texts("1", "0", "1.0", "0.0", "1e0", "0.5", "null", "high", None),
         ["1", "0", "1", "0", "1", "2", None, "high", None]),
        ("correct", "JSON WHOLE", "VARCHAR", texts("1", "7"), ["1", "2"]),
        ("correct", "CSV TEXT", "VARCHAR", texts("1.0", "yes"), ["1.0", "yes"]),
        ("correct", "BOOLEAN", "BOOLEAN", ["true", "false", "NULL"], [True, False, None]),
        ("question", "JSON NUMBER", "VARCHAR", texts("1.0", "null"), ["1.0", "null"]),
        ("question", "UTINYINT", "UTINYINT", ["7"], [7]),
        ("question", "UBIGINT", "UBIGINT", ["18446744073709551615"], ["18446744073709551615"]),
        ("question", "FLOAT", "FLOAT", ["0.5"], [0.5]),
        ("question", "VARCHAR", "VARCHAR", texts("a", None), ["a", None]),
        ("question", "BIGINT[]", "BIGINT[]", ["[1, 2]"], ["[1,2]"]),
    ],
)
def test_what_equal_rows_share(part, kind, stored, values, want):
    assert cells(key_cell(part, "x", kind), stored, *values) == want


@pytest.mark.parametrize(
    "kind, stored, flags, values, want",
    [
        ("BOOLEAN", "BOOLEAN", False, ["true", "false", "NULL"], [1, 0, None]),
        ("BIGINT", "BIGINT", False, ["3", "-3", "NULL"], [3, -3, None]),
        ("DOUBLE", "DOUBLE", False, ["0.5", "'nan'", "'inf'", "'-inf'", "NULL"],
         [0.5, None, INF, -INF, None]),
        ("VARCHAR", "VARCHAR", False, texts("1", None), [INF, None]),
        ("CSV TEXT", "VARCHAR", False, texts("1.5", "high", "1_0", "null", "nan", None),
         [1.5, INF, INF, INF, None, None]),
        ("JSON TEXT", "VARCHAR", False, texts("1.5", "high", "1_0", "null", "true", None),
         [1.5, INF, INF, None, INF, None]),
        ("JSON FLAG", "VARCHAR", True, texts("true", "false", "null", "1", None),
         [1, 0, None, INF, None]),
        ("CSV TEXT", "VARCHAR", True, texts(" TRUE ", "False", "1"), [1, 0, INF]),
    ],
)
def test_cells_as_numbers(kind, stored, flags, values, want):
    assert cells(number_cell("x", kind, flags), stored, *values) == want


@pytest.mark.parametrize(
    "kind, stored, values, names, samples",
    [
        ("BIGINT", "BIGINT", ["3"], ["3"], [3]),
        ("UINTEGER", "UINTEGER", ["3"], ["3"], [3]),
        ("UBIGINT", "UBIGINT", ["3"], ["3"], ["3"]),
        ("HUGEINT", "HUGEINT", ["3"], ["3"], ["3"]),
        ("DOUBLE", "DOUBLE", ["0.5", "'nan'", "NULL"], ["0.5", None, None], ["0.5", None, None]),
        ("VARCHAR", "VARCHAR", texts("a", None), ["a", None], ["a", None]),
        ("JSON TEXT", "JSON", texts('"a"', "1", "null"), ["a", "1", None], ["a", "1", None]),
        ("JSON WHOLE", "JSON", texts("1"), ["1"], ["1"]),
    ],
)
def test_names_that_files_share(kind, stored, values, names, samples):
    assert cells(name_cell("x", kind), stored, *values) == names
    assert cells(sample_cell("x", kind), stored, *values) == samples


@pytest.mark.parametrize(
    "part, keys, kind, want",
    [
        ("correct", ["1", "0", None], "CSV TEXT", [1, 0, None]),
        ("question", ["true", "false", None], "JSON FLAG", [True, False, None]),
        ("question", ["1", "2.5", "-3", None], "JSON NUMBER", [1, 2.5, -3, None]),
        ("question", ["7", None], "JSON WHOLE", [7, None]),
        ("question", ['"a"', '"a\\n"', "[1]", "null", None], "JSON TEXT",
         ["a", "a\n", [1], None, None]),
        ("question", ['"a"', None], "JSON", ["a", None]),
        ("question", ["[1,2]", None], "BIGINT[]", [[1, 2], None]),
        ("question", ["1.50", None], "DECIMAL(9,2)", [Decimal("1.50"), None]),
        ("question", ["7"], "UBIGINT", [Decimal(7)]),
        ("question", ["a", None], "VARCHAR", ["a", None]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_an_engine_returns(part, keys, kind, want):
    found = read_keys(part, np.array(keys, object), kind).tolist()
    assert [None if value != value else value for value in found] == want


def test_outcomes_that_an_engine_returns():
    whole = read_keys("correct", np.array([1, 0]), "BIGINT")
    assert whole.dtype.kind == "i" and whole.tolist() == [1, 0]
    given = np.ma.masked_array([1, 0, 2], [False, True, False])
    found = read_keys("correct", given, "DOUBLE")
    assert found.dtype == float and str(found.tolist()) == "[1.0, nan, 2.0]"
    assert keys_as_outcomes(np.array([True, False])).tolist() == [1, 0]
    assert str(keys_as_outcomes(np.array([1, None], object)).tolist()) == "[1.0, nan]"


def test_texts_are_parsed_once():
    seen = []
    found = parse_each(np.array(["1", "2", "1", None], object), lambda text: seen.append(text) or 5)
    assert found.tolist() == [5, 5, 5, None] and sorted(seen) == ["1", "2"]
    assert parse_texts(tidy(['"a"', "true"])).tolist() == ["a", True]


@pytest.mark.parametrize(
    "text, number", [("7", 7), ("-7", -7), ("0.5", 0.5), ("1e3", 1000.0), ("1.0", 1.0)]
)
def test_numbers_are_whole_if_they_are_written_so(text, number):
    assert read_number(text) == number and type(read_number(text)) is type(number)


def test_what_is_no_number_and_no_flag():
    for odd in "high", "--7", "":
        with pytest.raises(ValueError):
            read_number(odd)
    assert [read_flag(text) for text in ("true", "false")] == [True, False]
    with pytest.raises(ValueError, match="need true or false, got 'True'"):
        read_flag("True")


def test_rows_that_files_state(tmp_path):
    files = []
    for size, name in (2, "a.parquet"), (3, "b[1].parquet"), (1, "c'd.parquet"):
        plain = tmp_path / "plain.parquet"
        duckdb.sql(f"SELECT range AS x FROM range({size})").write_parquet(str(plain))
        files.append(str(plain.rename(tmp_path / name)))
    assert count_rows(files) == 6 and count_rows(files[1:2]) == 3
    (broken := tmp_path / "x.parquet").write_text("nothing")
    assert count_rows([*files, str(broken)]) == 0


@pytest.mark.parametrize("remote, fetches", [(False, False), (True, True)])
def test_an_engine_fetches_extensions_for_addresses_alone(remote, fetches):
    names = "autoinstall_known_extensions", "autoload_known_extensions"
    query = f"SELECT {', '.join(f'current_setting({name!r})' for name in names)}"
    assert connect(remote).execute(query).fetchall() == [(fetches, fetches)]
