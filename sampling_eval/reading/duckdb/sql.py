"""Cells of a table as SQL, and what an engine returns as values."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from glob import escape
from typing import Any

import numpy as np

from ...extras import keep_engine, need
from ..values import tidy, type_cells

__all__ = ["quote_name", "quote_text", "key_cell", "number_cell", "read_keys", "connect", "ask",
           "count_rows", "quote_value", "is_number", "is_whole", "name_cell", "sample_cell",
           "read_number", "parse_texts"]

WHOLE = re.compile("U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER")
SMALL = "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"
# Kinds of cells that hold text as it stands in the file.
NUMBERS = "JSON NUMBER", "JSON WHOLE"
TEXTS = *NUMBERS, "JSON FLAG", "JSON TEXT", "CSV TEXT"
# Settings of an engine that loads no extension from elsewhere.
NOTHING_FETCHED = dict(autoinstall_known_extensions="false", autoload_known_extensions="false")


def quote_name(name: object) -> str:
    "A name in a query."
    return '"' + str(name).replace('"', '""') + '"'


def quote_text(value: object) -> str:
    "A text in a query."
    return "'" + str(value).replace("'", "''") + "'"


def quote_value(value: object) -> str:
    "A key that an engine returned, as SQL."
    if value is None or value != value: return "NULL"
    if isinstance(value, str): return quote_text(value)
    if isinstance(value, float): return f"{value!r}::DOUBLE".replace("inf", "'inf'")
    return str(value)


def is_number(kind: str) -> bool:
    "Whether a type of DuckDB holds numbers."
    floats = kind in ("FLOAT", "DOUBLE") or kind.startswith("DECIMAL")
    return bool(WHOLE.fullmatch(kind)) or floats


def is_whole(kind: str) -> bool:
    "Whether a type of DuckDB holds whole numbers."
    return bool(WHOLE.fullmatch(kind))


def is_nested(kind: str) -> bool:
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def key_cell(part: str, cell: str, kind: str) -> str:  # SQL of what equal rows share
    "A cell as it is grouped by."
    if part == "correct" and kind in NUMBERS: return text_outcome_cell(cell)
    if kind in TEXTS: return f"{cell}::VARCHAR"
    if part == "correct" and is_number(kind): return outcome_cell(cell)
    if kind == "BOOLEAN": return cell
    if kind in SMALL: return f"{cell}::BIGINT"
    if kind in ("FLOAT", "DOUBLE"): return f"{cell}::DOUBLE"
    return f"to_json({cell})::VARCHAR" if is_nested(kind) else f"{cell}::VARCHAR"


def outcome_cell(cell: str) -> str:
    "1 and 0, null where there is none, and 2 for any other number, so that groups stay few."
    value = f"{cell}::DOUBLE"
    known = f"CASE WHEN {value} = 1 THEN 1 WHEN {value} = 0 THEN 0 ELSE 2 END"
    return (f"(CASE WHEN {value} - {value} = 0 THEN {known} "
            f"WHEN {is_no_nan(value)} THEN 2 END)::TINYINT")


def text_outcome_cell(cell: str) -> str:
    "The same for numbers as they stand in a file, where what is no number stays as it is."
    text = f"{cell}::VARCHAR"
    value = f"TRY_CAST({text} AS DOUBLE)"
    return (f"CASE WHEN {text} IN ('1', '0') THEN {text} WHEN {text} = 'null' THEN NULL "
            f"WHEN {value} IS NULL THEN {text} WHEN {value} = 1 THEN '1' "
            f"WHEN {value} = 0 THEN '0' ELSE '2' END")


def number_cell(
    cell: str,  # Cell of numbers
    kind: str,  # Its type
    flags: bool = False,  # Whether its text holds true and false instead
) -> str:  # SQL of a DOUBLE, null where there is none, infinite for what is no number
    "A cell as a number."
    if kind == "BOOLEAN": return f"{cell}::DOUBLE"
    if is_number(kind): return without_nan(f"{cell}::DOUBLE")
    if kind not in TEXTS: return f"CASE WHEN {cell} IS NOT NULL THEN 'inf'::DOUBLE END"
    text = f"{cell}::VARCHAR"
    if flags:
        value = (f"CASE lower(trim({text})) WHEN 'true' THEN 1 WHEN 'false' THEN 0 "
                 "ELSE 'inf'::DOUBLE END")
    # DuckDB would take 1_0 for ten.
    else: value = f"CASE WHEN NOT contains({text}, '_') THEN TRY_CAST({text} AS DOUBLE) END"
    missing = "" if kind == "CSV TEXT" else f" AND {text} <> 'null'"
    return without_nan(f"CASE WHEN {text} IS NOT NULL{missing} "
                       f"THEN coalesce({value}, 'inf'::DOUBLE) END")


def without_nan(value: str) -> str:
    "A DOUBLE, null where it is NaN."
    return (f"(CASE WHEN {value} - {value} = 0 THEN {value} "
            f"WHEN {is_no_nan(value)} THEN {value} END)")


def is_no_nan(value: str) -> str:
    """Whether a DOUBLE is not NaN, infinity included.

    The statistics of a Parquet file leave NaN out, and DuckDB answers isnan(x), x <> x, x > 1
    and x::VARCHAR from them; what stands in a list it has to look at.
    """
    return f"[{value}][1]::VARCHAR <> 'nan'"


def name_cell(cell: str, kind: str) -> str:
    "A name as text that other files share; NaN is none."
    if kind in ("FLOAT", "DOUBLE"): cell = without_nan(f"{cell}::DOUBLE")
    return f"{cell}->>'$'" if kind == "JSON TEXT" else f"{cell}::VARCHAR"


def sample_cell(cell: str, kind: str) -> str:
    "The name of a sample: a whole number if it is one, else text."
    if WHOLE.fullmatch(kind) and "HUGE" not in kind and kind != "UBIGINT": return f"{cell}::BIGINT"
    return name_cell(cell, kind)


def read_keys(
    part: str,  # What the column stands for
    keys: np.ndarray,  # What the engine returned for `key_cell`
    kind: str,  # Type of the column
) -> np.ndarray:  # Values, from `tidy`
    "The values of a column that an engine grouped by."
    if kind == "CSV TEXT": return type_cells(part, tidy(keys).tolist())
    keys = tidy(keys)
    if kind == "JSON FLAG": return parse_each(keys, read_flag)
    # What held numbers in the first rows.
    if kind in NUMBERS: return parse_each(keys, read_number)
    if kind in ("JSON TEXT", "JSON") or is_nested(kind): return parse_texts(keys)
    if part == "correct" and is_number(kind):
        return keys if WHOLE.fullmatch(kind) else keys_as_outcomes(keys)
    return parse_each(keys, Decimal) if is_long(kind) else keys


def is_long(kind: str) -> bool:
    "Whether numbers of a type are grouped by as text, since no plain number may hold them."
    return is_number(kind) and kind not in (*SMALL, "FLOAT", "DOUBLE")


def keys_as_outcomes(keys: np.ndarray) -> np.ndarray:
    if keys.dtype.kind in "biuf": return keys.astype(float)
    return np.array([np.nan if v is None else v for v in keys.tolist()], float)


def parse_each(texts: np.ndarray, parse: Callable[[str], object]) -> np.ndarray:
    "Values of texts, of which equal ones are parsed once; None stays None."
    known = {text: None if text is None else parse(text) for text in set(texts.tolist())}
    return tidy([known[text] for text in texts.tolist()])


def read_number(text: str) -> int | float:  # A whole number if it is written as one
    "The number that a text stands for; raises `ValueError` if it is none."
    return int(text) if text.removeprefix("-").isdigit() else float(text)


def read_flag(text: str) -> bool:
    if text in ("true", "false"): return text == "true"
    raise ValueError(f"need true or false, got {text!r}")


def parse_texts(texts: np.ndarray) -> np.ndarray:
    "Values of JSON texts."
    return parse_each(texts, parse_text)


def parse_text(text: str) -> object:
    "The value of a JSON text; text without an escape is what stands between its quotes."
    return text[1:-1] if text[0] == '"' and "\\" not in text else json.loads(text)


def connect(
    remote: bool = False,  # Whether extensions may be loaded, which addresses need
) -> Any:  # A connection, whose progress can be shown
    "A connection to an engine of its own, in memory."
    from ..console import announce_connection
    duckdb: Any = need("duckdb", "files")
    config = {} if remote else NOTHING_FETCHED
    return announce_connection(duckdb.connect(config=config))


def ask(query: str) -> Any:  # Its result
    "What DuckDB answers on a connection that is kept."
    return keep_engine(**NOTHING_FETCHED).cursor().execute(query)


def count_rows(files: Sequence[str]) -> int:
    "Rows of Parquet files, as they state it themselves; 0 if one cannot be read."
    duckdb: Any = need("duckdb", "files")
    listed = ", ".join(quote_text(escape(file)) for file in files)
    query = f"SELECT sum(num_rows) FROM parquet_file_metadata([{listed}])"
    try: return int(ask(query).fetchall()[0][0])
    except duckdb.Error: return 0
