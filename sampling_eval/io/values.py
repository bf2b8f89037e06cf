"""Columns of any library as plain arrays."""
from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from ..foundations.counts import is_masked

__all__ = ["tidy", "read_decimal", "join_arrays", "join_present", "comparable"]

NULLS = "NAType", "NaTType"
PLAIN = {bool}, {int}, {float}


def tidy(
    values: Iterable,  # One column, of any library or a list
) -> np.ndarray:  # bool, int or float if all values are present; else objects, None for a null
    "A column as a one-dimensional array in which every kind of null is None, or NaN among floats."
    if is_masked(values): values = unmask(values)
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ValueError(f"a column must be one-dimensional, got shape {values.shape}")
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf": return values
    # Times in nanoseconds would become whole numbers.
    if isinstance(values, np.ndarray) and values.dtype.kind in "mM": values = values.astype(str)
    values = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kinds = set(map(type, values))
    if kinds in PLAIN: return plain_array(values)
    if any(map(needs_care, kinds)): values = list(map(plain_value, values))
    return np.fromiter(values, object, len(values))


def plain_array(values: list) -> np.ndarray:
    "Flags or numbers of one kind; whole numbers beyond 64 bits as objects."
    try: return np.array(values, type(values[0]))
    except OverflowError: return np.fromiter(values, object, len(values))


def unmask(values: Any) -> np.ndarray:
    if values.dtype.kind == "f": return values.filled(np.nan)
    found = values.data.astype(object)
    found[values.mask] = None
    return found


def needs_care(kind: type) -> bool:
    return issubclass(kind, (float, Decimal, np.generic)) or kind.__name__ in NULLS


def plain_value(value: object) -> object:
    if isinstance(value, (np.datetime64, np.timedelta64)): value = str(value)
    elif isinstance(value, np.generic): value = value.item()
    if isinstance(value, Decimal): value = read_decimal(value)
    null = type(value).__name__ in NULLS or isinstance(value, float) and value != value
    return None if null else value


def read_decimal(
    value: Decimal,  # Number of any length
) -> int | float | Decimal:  # A whole number, a fraction, or what no float comes near
    "A decimal number as a plain one that is no other number's name."
    if not value.is_finite(): return float(value)
    if value == value.to_integral_value(): return int(value)
    return value if float(value) % 1 == 0 else float(value)


def join_arrays(
    arrays: list[np.ndarray],  # Parts of one column
) -> np.ndarray:  # The whole column
    "One column from its parts; columns of different types keep the type of each value."
    if len(arrays) == 1: return arrays[0]
    if len({a.dtype.kind for a in arrays}) == 1: return tidy(np.concatenate(arrays))
    return tidy([value for a in arrays for value in a.tolist()])


def join_present(
    arrays: Sequence[np.ndarray | None],  # Parts of one array, None where one is absent
) -> np.ndarray | None:  # The whole array
    "One array from its parts; none where one of them is absent."
    there = [array for array in arrays if array is not None]
    return np.concatenate(there) if len(there) == len(arrays) else None


def comparable(
    values: np.ndarray,  # Answers, from `tidy`
) -> np.ndarray:  # Objects; None where there is no answer, JSON text for what is nested
    "Answers as objects that can be compared."
    values = tidy(values.tolist())
    kinds = set(map(type, values))
    nested = {kind for kind in kinds if issubclass(kind, (dict, list, tuple, np.ndarray))}
    if not nested: return values
    texts = (write_sorted(v) if type(v) in nested else v for v in values)
    return np.fromiter(texts, object, len(values))


def write_sorted(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=tell_other)


def tell_other(value: object) -> object:
    return value.tolist() if hasattr(value, "tolist") else str(value)


def extend_key(key: np.ndarray, code: np.ndarray, size: int) -> np.ndarray:
    "One whole number for each pair of an old key and a code, without overflow."
    if (int(key.max()) + 1) * size >= 2**62: key = np.unique(key, return_inverse=True)[1]
    return key * size + code
