"Checks of what is passed: whole numbers, 0/1 outcomes, tables; and words for a fault."
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from inspect import signature
from itertools import chain
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike


def faults(
    bad: ArrayLike,  # True where a question breaks the rule
    names: ArrayLike | None = None,  # Name of each question; its position if None
) -> str:  # Empty for a single unnamed value, else ` at question ... (m of Q fail)`
    "Where a rule is broken: the first offender by name, and how many there are."
    bad = np.asarray(bad)
    if bad.ndim == 0: return ""
    first = np.unravel_index(int(bad.argmax()), bad.shape)
    place = first[0] if bad.ndim == 1 else tuple(int(i) for i in first)
    name = place
    if names is not None: name = repr(np.asarray(names).astype(object)[place])
    return f" at question {name} ({int(bad.sum())} of {bad.size} fail)"


def is_masked(
    value: object,  # Anything
) -> bool:  # Whether it is a masked array of NumPy
    "True for a masked array."
    # np.ma is a slow import, and nobody holds a masked array without it
    return isinstance(value, np.ndarray) and hasattr(value, "mask")


def refuse_tables(
    name: str,  # What the caller calls the value
    value: object,  # Anything
    of: str = "numbers",  # What rows should hold
    first: str = "",  # What else may be written
) -> None:
    """Refuse a frame, whose columns would pass for questions, and a masked array.

    Raises: `TypeError` naming what to write instead.
    """
    if is_masked(value):
        raise TypeError(f"{name} must have no mask, got a masked array; "
                        "leave masked samples out of their row")
    if hasattr(type(value), "columns"):
        kind = type(value).__name__
        raise TypeError(f"{name} must be rows of {of}, got a {kind}, whose columns "
                        f"would pass for questions; write {first}frame.to_numpy() "
                        "for one row per question")


def refuse_mixed(
    name: str,  # What the caller calls the values
    values: Sequence,  # Values, or lists of them
    of: str = "numbers",  # What they should be if not flags
) -> None:
    """Refuse flags among numbers, and a value that is masked.

    Raises: `TypeError` naming one of each.
    """
    kinds = set(map(type, values))
    if kinds & {list, tuple}:
        for row in _rows_in(values): refuse_mixed(name, row, of)
    if any(kind.__name__ == "MaskedConstant" for kind in kinds):
        raise TypeError(f"{name} must have no mask, got a masked value; leave it out")
    flags = kinds & {bool, np.bool_}
    numbers = {kind for kind in kinds - flags if issubclass(kind, _NUMBERS)}
    if flags and numbers:
        flag, number = any(_of_kinds(values, flags)), next(_of_kinds(values, numbers))
        raise TypeError(f"{name} must hold only bool or only {of}, "
                        f"got {flag} and {number}")


_NUMBERS = int, float, np.number, np.bool_


def _rows_in(values): return (row for row in values if isinstance(row, (list, tuple)))


def _of_kinds(values, kinds): return (value for value in values if type(value) in kinds)


def whole_numbers(
    name: str,  # What the caller calls the value
    value: ArrayLike,  # Integers of any shape
) -> np.ndarray:  # The same numbers as int64
    """The value as int64, refused unless its dtype is an integer one.

    Raises: `TypeError` for bool, float, text, or masked values.
    """
    if isinstance(value, (list, tuple)): refuse_mixed(name, value, "integers")
    array = np.asarray(value)
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one number, got none")
    if array.dtype.kind not in "iu" or is_masked(value):
        raise TypeError(f"{name} must hold integers, got {_describe(value, array)}")
    if array.dtype.kind == "u" and array.max() >= 2**63:
        raise ValueError(f"{name} must hold numbers below 2**63, got {array.max()}")
    # a read-only array cannot change behind our back, any other is copied;
    # asking for flags.writeable warns where np.broadcast_arrays made the array
    return array.astype(np.int64, copy=bool(array.flags.num & _WRITEABLE))


_WRITEABLE = 0x400


def _describe(value, array):
    if is_masked(value): return "a masked array"
    endless = array.dtype.kind == "O" and set(map(type, array.flat)) == {int}
    if endless: return "a number beyond 64 bits"
    if array.ndim == 0: return repr(array.item())
    if array.dtype.kind == "f":
        odd = ~(array == np.floor(array))
        if odd.any(): return f"{array[odd][0]}{faults(odd)}"
    return f"dtype {array.dtype}"


_P = ParamSpec("_P")
_R = TypeVar("_R")


def takes_counts(
    formula: Callable[_P, _R],  # A function of `n` and `c`, and of what else it takes
) -> Callable[_P, _R]:  # The same, which says what to type where outcomes are given
    "A decorator for functions of counts, which are often called with outcomes."
    needed = tuple(signature(formula).parameters)
    @wraps(formula)
    def run(*args: _P.args, **given: _P.kwargs) -> _R:
        first: Any = args[0] if args else 0
        if np.ndim(first) > 1 and len(args) + len(given) < len(needed):
            name = formula.__name__  # type: ignore[attr-defined]
            call = f"{name}({', '.join(('counts.n', 'counts.c') + needed[2:])})"
            raise TypeError(f"{name} takes counts ({', '.join(needed)}), got "
                            f"an array of shape {np.shape(first)}; of outcomes type "
                            f"counts = counts_of(outcomes), then {call}")
        return formula(*args, **given)
    return run


def equal_fields(
    one: Any,  # A dataclass of arrays, plain values and further such objects
    other: Any,  # What it is compared with
) -> bool:  # Whether both are of one class and agree in every field
    "True where two dataclasses hold the same things."
    if type(one) is not type(other): return False
    pairs = ((getattr(one, o.name), getattr(other, o.name)) for o in fields(one)
             if o.compare)
    return all(_equal(a, b) for a, b in pairs)


def _equal(a, b):
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return type(a) is type(b) and bool(a == b)
    floats = a.dtype.kind == b.dtype.kind == "f"
    return np.array_equal(a, b, equal_nan=floats)


def zero_one(
    flat: ArrayLike,  # Outcomes of any kind, 1-D
    question: ArrayLike,  # Question of each outcome, 1-D
    times: ArrayLike | None = None,  # Samples behind each outcome; 1 if None
) -> np.ndarray:  # The outcomes as bool
    """Outcomes as booleans.

    Raises: `TypeError` for text, `ValueError` for anything but 0 and 1, each with the
    likely remedy.
    """
    values = np.asarray(flat)
    if values.dtype.kind == "b": return values
    if values.dtype.kind == "O" and all(isinstance(v, _NUMBERS) for v in values):
        refuse_mixed("correct", values.tolist(), "0/1")
        values = np.array(values.tolist())
    if values.dtype.kind not in "iuf":
        raise TypeError(f"correct must hold 0/1 or bool, got {_oddest(flat)!r}; "
                        "compare text with the gold answer first, leave out what "
                        "has no outcome")
    bad = (values != 0) & (values != 1)
    if not bad.any(): return values == 1
    first = int(bad.argmax())
    each = np.ones(values.size, int) if times is None else np.asarray(times)
    raise ValueError(f"correct must be 0 or 1, got {values[first]} "
                     f"at question {np.asarray(question)[first]!s} "
                     f"({int(each[bad].sum())} of {int(each.sum())} fail); "
                     f"{_advise(values[bad])}")


def _oddest(flat):
    def rank(value):
        "Text before other numbers, these before 0 and 1."
        return isinstance(value, _NUMBERS) and 1 + (value in (0, 1))
    return min(np.asarray(flat, object), key=rank)


def _advise(bad):
    if np.isnan(bad[0]): return "judge it, or choose a policy for missing samples"
    if (bad == 100).all(): return "are these percentages?"
    return "pass graded outcomes as score"


def count_outcomes(
    outcomes: Any,  # 0/1 or bool: a table, or rows that may differ in length
    questions: Sequence | None = None,  # Name of each question
) -> tuple[np.ndarray, np.ndarray]:  # Samples and correct samples per question
    """Row lengths and row sums of a table of outcomes.

    Raises: `ValueError` or `TypeError` unless every entry is 0, 1 or bool and every
    question has a sample.
    """
    table = _outcome_rows(outcomes)
    if isinstance(table, np.ndarray):
        right = _sum_zero_one(table)
        if right is not None:
            right.setflags(write=False)
            return np.broadcast_to(np.int64(table.shape[1]), len(table)), right
    n = np.fromiter(map(len, table), np.int64, len(table))
    if (n == 0).any():
        place = faults(n == 0, questions)
        raise ValueError(f"every question needs a sample, got none{place}")
    flat = table.ravel() if isinstance(table, np.ndarray) else _flatten_outcomes(table)
    names = np.arange(len(n)) if questions is None else np.asarray(questions)
    _refuse_pair(table)
    right = zero_one(flat, np.repeat(names, n))
    return n, np.add.reduceat(right, np.cumsum(n) - n, dtype=np.int64)


def _refuse_pair(table):
    "Refuse `n` and `c` in the place of two rows of outcomes."
    if len(table) != 2 or len(table[0]) != len(table[1]): return
    n, c = map(np.asarray, table)
    if n.dtype.kind not in "iu" or c.dtype.kind not in "iu" or n.max() < 2: return
    if n.min() < 1 or c.min() < 0 or (c > n).any(): return
    raise ValueError("outcomes must be 0 or 1, got what looks like n and c of "
                     f"{len(n)} questions; type Counts(n, c)")


def _flatten_outcomes(rows):
    flat = list(chain.from_iterable(rows))
    refuse_mixed("correct", flat, "0/1")
    return np.array(flat)


def _outcome_rows(outcomes):
    "A 2-D array, or a list of rows."
    refuse_tables("outcomes", outcomes, "0/1",
                  "score(frame) for a table with named columns, ")
    if isinstance(outcomes, np.ndarray): table = np.atleast_1d(outcomes)
    else: table = list(outcomes)
    if isinstance(table, np.ndarray) and table.dtype.kind == "O": table = list(table)
    if len(table) == 0:
        raise ValueError("outcomes must hold at least one question, got none")
    if np.ndim(table[0]) == 1 and (
            isinstance(table, np.ndarray) or all(map(_is_row, table))):
        return table
    _refuse_deep(table)
    raise ValueError("outcomes must hold one row per question; write [x] for one "
                     "question, or x[:, None] for one sample per question")


def _refuse_deep(table):
    "Refuse tables in a row, with one dimension too many."
    shapes = list(map(np.shape, table)) if all(map(_is_regular, table)) else []
    if not shapes or min(map(len, shapes)) < 2: return
    got = f"{len(table)} tables"
    if len(set(shapes)) == 1: got = f"shape {(len(table), *shapes[0])}"
    raise ValueError("outcomes must have two dimensions, questions by samples, "
                     f"got {got}; if the first is of systems, type x[0] for the first "
                     "of them, or compare(x[0], x[1])")


def _is_regular(table):
    "Whether a table has a shape."
    try: np.shape(table)
    except ValueError: return False
    return True


def _is_row(row):
    if is_masked(row):
        raise TypeError("outcomes must have no mask, got a masked row; "
                        "leave masked samples out of their row")
    return hasattr(row, "__len__") and not isinstance(row, (str, bytes))


def _sum_zero_one(table):
    "The ones in each row of an array; None unless all its entries are plainly 0 or 1."
    if table.size == 0: return None
    if table.dtype.kind == "b": return _count_ones(table)
    if table.dtype.kind not in "iu": return None
    # another bit than the lowest, also a sign, shows in the union of all numbers
    if int(np.bitwise_or.reduce(table, axis=None)) not in (0, 1): return None
    return table.sum(1, dtype=np.int64)


def _count_ones(table):
    rows, width = table.shape
    if width % 8 or not hasattr(np, "bitwise_count"):
        narrow = np.uint8 if width < 256 else np.int64
        return table.view(np.uint8).sum(1, dtype=narrow).astype(np.int64)
    # eight outcomes to a byte, and bytes joined to the longest word that fits the row
    packed = np.packbits(table.reshape(-1)).reshape(rows, width // 8)
    size = next(o for o in (8, 4, 2, 1) if packed.shape[1] % o == 0)
    ones = np.bitwise_count(packed.view(f"u{size}"))
    right = ones[:, 0].astype(np.int64)
    for column in range(1, ones.shape[1]): right += ones[:, column]
    return right
