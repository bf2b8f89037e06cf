"""Columns of any values as codes."""
from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from .values import extend_key
from .values import comparable

__all__ = ["code_values", "find_varied", "join_codes", "join_columns", "order_value", "plain_name"]


def code_values(
    values: np.ndarray,  # One column, from `tidy`
) -> tuple[np.ndarray, list]:  # Code of each row, and values by code
    "A code for each value; an absent one is a value too."
    if values.dtype.kind in "biuf":
        found, code = np.unique(values, return_inverse=True)
        return code, found.tolist()
    rows = comparable(values).tolist()
    if len(set(map(type, rows))) == 1: return code_equal(rows)
    # 1, 1.0 and True are equal, and so are not told apart without their types.
    code, typed = code_equal([(type(value), value) for value in rows])
    return code, [value for _, value in typed]


def code_equal(rows: list) -> tuple[np.ndarray, list]:
    names = list(dict.fromkeys(rows))
    place = dict(zip(names, range(len(names))))
    return np.fromiter(map(place.__getitem__, rows), np.int64, len(rows)), names


def join_codes(
    code: np.ndarray,  # Code of each row
    other: np.ndarray,  # Another one
) -> np.ndarray:  # Code of each pair
    "One code for two, from 0 on without a gap."
    return np.unique(extend_key(code, other, int(other.max()) + 1), return_inverse=True)[1]


def join_columns(
    columns: Iterable[np.ndarray],  # Columns of one table, at least one
) -> np.ndarray:  # Code of each row
    "One code for the values of several columns."
    return reduce(join_codes, (code_values(column)[0] for column in columns))


def find_varied(
    scope: np.ndarray,  # What each row belongs to, as a code without gaps
    code: np.ndarray,  # Code of each row
) -> np.ndarray:  # A flag for each row
    "Whether the code of a row is not the only one in its scope."
    last = np.zeros(int(scope.max()) + 1, np.int64)
    last[scope] = code
    odd = np.zeros(len(last), bool)
    odd[scope[last[scope] != code]] = True
    return odd[scope]


def plain_name(
    value: Any,  # Name, as it was read
) -> Any:  # The same, whole numbers as such
    "A name as it was written: 1.0 is 1."
    return int(value) if isinstance(value, float) and value % 1 == 0 else value


def order_value(
    value: Any,  # Name, as it was read
) -> tuple:  # What names are sorted by
    "Numbers by size, then everything else as text."
    value = plain_name(value)
    number = isinstance(value, (int, float))
    return (0, value, "") if number and value == value else (1, 0, str(value))
