"""Arrays in files, series and frames with an index, as tables with one column for each part."""
from __future__ import annotations

from collections.abc import Mapping
from os.path import basename
from typing import Any

import numpy as np

from .columns import COLUMNS, Source, simplify
from .frames import rows_source
from .keyed import holds_outcomes, rows_of_lists, rows_of_object

__all__ = ["array_source", "holds_index", "is_series", "rows_of_array", "series_rows",
           "spread_index"]

WRITE = "write numbers, such as np.save(file, outcomes.astype(int))"


# Files of NumPy.

def array_source(
    files: list[str],  # Files of NumPy: one array, or several under names
    keys: str | None,  # What the names of arrays are
) -> Source:  # Their rows
    """The samples of arrays, of which the rows are questions.

    Raises: `ValueError` for a file that holds Python objects, or is none of NumPy.
    """
    tables = [rows_of_array(load_array(file), basename(file), keys) for file in files]
    source = rows_source([row for table in tables for row in table])
    return Source(source.columns, source.take, files=tuple(files), sizes=tuple(map(len, tables)))


def load_array(file: str) -> Any:
    "The array of a file, or the arrays by their names."
    try:
        with open(file, "rb") as opened:
            found = np.load(opened)
            return dict(found) if isinstance(found, Mapping) else found
    except ValueError as error:
        if "pickle" not in str(error).lower(): raise ValueError(tell_odd(file, error)) from None
        raise ValueError(f"{file!r} holds Python objects, which are not read; {WRITE}") from None
    except Exception as error: raise ValueError(tell_odd(file, error)) from None


def tell_odd(file: str, error: Exception) -> str:
    return f"cannot read {file!r}: {str(error).splitlines()[0] if str(error) else 'damaged'}"


def rows_of_array(
    data: Any,  # Shape `(M, n)`, or arrays by name
    name: str,  # What holds it, for messages
    keys: str | None,  # What the names of arrays are
) -> list[dict[str, Any]]:  # A row for each question
    """The rows of an array.

    Raises: `ValueError` unless it has two dimensions.
    """
    if isinstance(data, Mapping):
        if len(data) == 1: return rows_of_array(next(iter(data.values())), name, keys)
        rows = rows_of_object(data, keys)
        return rows_of_columns(data, name) if rows is None else rows
    nested = data.dtype == object and all(map(np.ndim, data.tolist()))
    if data.ndim == 2 or data.ndim == 1 and nested and len(data): return rows_of_lists(list(data))
    raise ValueError(f"{name} must hold one row per question, got shape {data.shape}; write "
                     "x[None] for one question, or x[:, None] for one sample per question")


def rows_of_columns(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    "Arrays that are columns of one table."
    sizes = {key: len(column) if column.ndim else 0 for key, column in data.items()}
    if len(set(sizes.values())) == 1 and all(sizes.values()):
        lists = [column.tolist() for column in data.values()]
        return [dict(zip(data, row)) for row in zip(*lists)]
    raise ValueError(f"the arrays of {name} must be columns of one length, got {str(sizes)[1:-1]}")


# Series, and frames whose index holds names.

def is_series(
    data: object,  # Anything
) -> bool:
    "Whether data are one column of pandas or Polars."
    library = type(data).__module__.partition(".")[0]
    return library in ("pandas", "polars") and type(data).__name__ == "Series"


def series_rows(
    data: Any,  # Outcomes, or lists of them; the index of pandas names them
) -> Any:  # A frame with the index as columns, or rows
    "A series as a table."
    values = data.to_list()
    if not hasattr(data, "index"): return rows_of_lists(values)
    nested = any(isinstance(value, (list, tuple, np.ndarray)) for value in values)
    if not holds_index(data) and nested: return rows_of_lists(values)
    if not holds_index(data):
        raise ValueError("outcomes must hold one row per question, got a Series without names; "
                         "write [x] for one question, or give it the questions as index")
    part = "correct" if nested or holds_outcomes(values) else "score"
    frame = name_levels(data.rename(part)).reset_index()
    return frame.to_dict("records") if nested else frame


def name_levels(data: Any) -> Any:
    "The same with the only level of an index called the question, where it has no name."
    if data.index.nlevels > 1 or data.index.name is not None: return data
    return data.rename_axis("question")


def holds_index(
    data: Any,  # Series or frame
) -> bool:
    "Whether an index of pandas names the rows: it has a name, levels or texts."
    index = getattr(data, "index", None)
    if index is None or not hasattr(index, "nlevels"): return False
    if index.nlevels > 1 or index.name is not None: return True
    return index.dtype.kind not in "iu" and all(isinstance(name, str) for name in index)


def spread_index(
    data: Any,  # Frame
) -> Any:  # The same, or a copy with its index as columns, or an array
    "A frame of pandas whose index names the questions, or whose columns have no names."
    if not type(data).__module__.startswith("pandas") or not hasattr(data, "columns"): return data
    if any(simplify(name) in COLUMNS["question"] for name in data.columns): return data
    named = holds_index(data)
    levels = set(data.index.names) & set(data.columns)
    if named and not levels: data = name_levels(data).reset_index()
    if all(isinstance(name, str) for name in data.columns): return data
    return data.rename(columns=str)
