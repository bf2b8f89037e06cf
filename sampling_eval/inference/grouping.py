"Numerics of sampling units: checks of values and of group names, groups numbered and added up."
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..foundations.checks import faults, is_masked, whole_numbers
from ..spelling import option


def check_values(
    values: ArrayLike,  # Value of each question, `(Q,)`, or at each budget, `(Q, K)`
    bounds: tuple|None,  # Least and largest value; None if unknown
    name: str = "values",  # What they are called
) -> np.ndarray:  # The values as a table, shape `(Q, K)`
    "Values as a table `(Q, K)` of finite numbers within their bounds."
    bounds = check_bounds(bounds)
    parts = values if isinstance(values, (list, tuple)) else [values]
    if any(map(is_masked, parts)):
        raise TypeError(f"{name} must be a plain array, got a masked one; "
                        "leave out what has no value")
    try: table = np.asarray(values)
    except ValueError:
        rule = f"{name} must have rows of one length, got different ones"
        raise ValueError(rule) from None
    if table.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be numbers, got dtype {table.dtype}")
    table = table.astype(float)
    if table.ndim not in (1, 2) or table.size == 0:
        raise ValueError(f"{name} must hold one number per question, or per question "
                         f"and budget, got shape {table.shape}")
    table = table.reshape(len(table), -1)
    if within_bounds(table, bounds): return table
    refuse_values(~np.isfinite(table), table, f"{name} must be finite")
    huge = np.abs(table) > 1e150
    refuse_values(huge, table, f"{name} must be at most 1e150 in size")
    low, high = bounds or (None, None)
    return table if bounds is None else clip_rounding(table, low, high, name)


def check_bounds(
    bounds: tuple|None,  # Least and largest value; None if unknown
) -> tuple|None:  # The same two numbers
    "Two ascending numbers as a tuple; None stays None."
    if bounds is None: return None
    rule = "be two ascending numbers of at most 1e150 in size"
    try: pair = np.asarray(bounds)
    except ValueError: raise OptionError("bounds", must=rule, got=bounds) from None
    if pair.shape != (2,) or pair.dtype.kind not in "biuf":
        raise OptionError("bounds", must=rule, got=bounds)
    low, high = (o.item() if isinstance(o, np.generic) else o for o in bounds)
    if not (low < high and max(abs(low), abs(high)) <= 1e150):
        raise OptionError("bounds", must=rule, found=f"{low} and {high}")
    return low, high


def within_bounds(table, bounds):
    "Whether all values lie in a known range; False where one is NaN."
    low, high = (-1e150, 1e150) if bounds is None else bounds
    return bool(low <= table.min() and table.max() <= high)


def refuse_values(bad, table, rule):
    "An error that names the first value that breaks a rule."
    if not bad.any(): return
    raise ValueError(f"{rule}, got {table[bad][0]}{faults(bad.any(1))}")


def clip_rounding(table, low, high, name):
    "Values within their bounds; what rounding has moved beyond them is put back."
    slack = 1e-9 * (high - low)
    outside = (table < low - slack) | (table > high + slack)
    rule = f"{name} must lie in [{low}, {high}]"
    advice = f"pass {option('bounds')} for another range"
    if outside.any():
        raise OptionError("bounds", rule, found=str(table[outside][0]),
                          where=faults(outside.any(1)), hint=advice)
    return np.clip(table, low, high)


def check_times(times, rows):
    "Multiplicities: whole numbers of at least 0, one a row, with a sum that fits."
    times = whole_numbers("times", times)
    if times.shape != (rows,):
        raise ValueError(f"times must hold one count per value ({rows}), "
                         f"got shape {times.shape}")
    if (times < 0).any() or not times.any():
        raise ValueError(f"times must be counts with a positive sum, got {times.min()}")
    if (many := float(times.sum(dtype=float))) >= 2.**53:
        raise ValueError(f"times must add up to less than 2**53, got {many:g}")
    return times


def check_state(
    state: ArrayLike,  # Row of each question, shape `(Q,)`
    rows: int,  # How many rows there are
) -> np.ndarray:  # The rows as int64
    "The row of each question: whole numbers below the number of rows."
    state = whole_numbers("state", state)
    if state.ndim != 1 or state.min() < 0 or state.max() >= rows:
        raise ValueError(f"state must hold one row of values (0 to {rows - 1}) "
                         f"per question, got shape {state.shape} "
                         f"from {state.min()} to {state.max()}")
    return state


def number_groups(
    cluster: Sequence|np.ndarray,  # Group of each question, by any kind of name
    questions: int|None = None,  # How many names there should be
) -> tuple[np.ndarray, int]:  # Number of each question's group, and how many there are
    """Groups as whole numbers from 0, in the order of their names.

    Raises: `TypeError` or `ValueError` unless there is one name per question.
    """
    names = name_groups(cluster)
    if questions is not None and len(names) != questions:
        raise ValueError(f"cluster must hold one name per question ({questions}), "
                         f"got {len(names)}")
    if names.dtype.kind == "i" and int(names.max()) - int(names.min()) <= 4 * len(names) + 1024:
        seen = np.bincount(names - names.min()) > 0
        return (np.cumsum(seen) - 1)[names - names.min()], int(seen.sum())
    distinct, group = np.unique(names, return_inverse=True)
    return group, len(distinct)


def name_groups(cluster):
    "The name of each question's group, of a kind that can be sorted."
    if is_masked(cluster):
        raise TypeError("cluster must be a plain array, got a masked one")
    if isinstance(cluster, (str, bytes)) or not np.iterable(cluster):
        raise TypeError(f"cluster must hold one name per question, got {cluster!r}")
    # What is not equal to itself is NaN, which names no group.
    if isinstance(cluster, np.ndarray) and cluster.dtype.kind != "O":
        if cluster.ndim > 1:
            raise ValueError("cluster must hold one name per question, "
                             f"got shape {cluster.shape}")
        refuse_nameless(cluster != cluster)
        return cluster
    names = list(cluster)
    refuse_nameless([name is None or name != name for name in names])
    return np.array([str(name) for name in names])


def refuse_nameless(bad):
    "Every question belongs to a group."
    bad = np.array(bad, bool)
    if bad.any(): raise ValueError(f"cluster must name a group, got none{faults(bad)}")


def add_by_group(values, group, state, count):
    "Sum of the values of each group's questions, shape `(G, K)`."
    rows, questions = len(values), len(state)
    # Where few questions share a cell, the table would be longer than the questions.
    if count * rows > 8 * questions:
        return np.stack([np.bincount(group, o[state], count) for o in values.T], 1)
    table = np.bincount(group * rows + state, minlength=count * rows)
    return multiply(table.reshape(count, rows).astype(float), values)


def multiply(
    left: np.ndarray,  # Table `(U, S)`
    right: np.ndarray,  # Table `(S, K)`
) -> np.ndarray:  # Their product `(U, K)`
    "Product of two tables, in blocks below the size that BLAS shares among threads."
    block = max(1, 2**17 // right.size)
    parts = [left[i:i + block] @ right for i in range(0, len(left), block)]
    return np.concatenate(parts)


def largest_size(
    table: np.ndarray,  # Numbers, shape `(U, K)`
) -> np.ndarray:  # Largest absolute value of each column, shape `(K,)`
    "How far each column goes from 0."
    return np.maximum(table.max(0), -table.min(0))
