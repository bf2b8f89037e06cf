"""Cells of a table as SQL, and what an engine returns as values."""
from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from glob import escape
from typing import Any

import numpy as np

from ...extras import keep_engine, need
from ..values import tidy, type_cells

__all__ = ["quote_name", "quote_text", "key_cell", "number_cell", "read_keys", "connect", "ask",
           "count_rows"]

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


def key_cell(
    part: str,  # What the column stands for
    cell: str,  # Its cell
    kind: str,  # Its type
) -> str:  # SQL of what equal rows share
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
    "A name as text that other files share."
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
    if kind in (*NUMBERS, "JSON FLAG"): return parse_plain(keys, kind)
    if kind in ("JSON TEXT", "JSON") or is_nested(kind): return parse_texts(keys)
    if part == "correct" and is_number(kind):
        return keys if WHOLE.fullmatch(kind) else keys_as_outcomes(keys)
    return read_decimals(keys) if is_long(kind) else keys


def is_long(kind: str) -> bool:
    "Whether numbers of a type are grouped by as text, since no plain number may hold them."
    return is_number(kind) and kind not in (*SMALL, "FLOAT", "DOUBLE")


def read_decimals(texts: np.ndarray) -> np.ndarray:
    return tidy([None if text is None else Decimal(text) for text in texts.tolist()])


def keys_as_outcomes(keys: np.ndarray) -> np.ndarray:
    if keys.dtype.kind in "biuf": return keys.astype(float)
    return np.array([np.nan if v is None else v for v in keys.tolist()], float)


def parse_plain(texts: np.ndarray, kind: str) -> np.ndarray:
    "Values of cells that held numbers, or flags, in the first rows."
    read = read_flag if kind == "JSON FLAG" else read_number
    known = {text: None if text is None else read(text) for text in set(texts.tolist())}
    return tidy([known[text] for text in texts.tolist()])


def read_number(
    text: str,  # A number as it is written in a file
) -> int | float:  # A whole number if it is written as one
    "The number that a text stands for; raises `ValueError` if it is none."
    return int(text) if text.removeprefix("-").isdigit() else float(text)


def read_flag(text: str) -> bool:
    if text in ("true", "false"): return text == "true"
    raise ValueError(f"need true or false, got {text!r}")


def parse_texts(texts: np.ndarray) -> np.ndarray:
    "Values of JSON texts; text without an escape is what stands between its quotes."
    known = {text: parse_text(text) for text in set(texts.tolist())}
    return tidy([known[text] for text in texts.tolist()])


def parse_text(text: str | None) -> object:
    if text is None: return None
    return text[1:-1] if text[0] == '"' and "\\" not in text else json.loads(text)


def connect(
    remote: bool = False,  # Whether extensions may be loaded, which addresses need
) -> Any:  # A connection, whose progress can be shown
    "A connection to an engine of its own, in memory."
    from ..console import announce_connection
    duckdb: Any = need("duckdb", "files")
    config = {} if remote else NOTHING_FETCHED
    return announce_connection(duckdb.connect(config=config))


def ask(
    query: str,  # A question that touches little data, such as the head of a file
) -> Any:  # Its result
    "What DuckDB answers on a connection that is kept."
    return keep_engine(**NOTHING_FETCHED).cursor().execute(query)


def count_rows(
    files: Sequence[str],  # Parquet files
) -> int:
    "Rows of Parquet files, as they state it themselves; 0 if one cannot be read."
    duckdb: Any = need("duckdb", "files")
    listed = ", ".join(quote_text(escape(file)) for file in files)
    query = f"SELECT sum(num_rows) FROM parquet_file_metadata([{listed}])"
    try: return int(ask(query).fetchall()[0][0])
    except duckdb.Error: return 0
