"""What names, outcomes, scores and weights of a table must be."""
from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np

from ..errors import option
from ..foundations.counts import zero_one
from ..records import dataclass
from ..results.reading import ReadNote
from .columns import Batch
from .values import extend_key

__all__ = ["Coded", "code_names", "check_outcomes", "check_scores", "check_clusters",
           "check_repeats", "Repeated", "read_weights"]

Place = Callable[[str, int], str]  # Part and position to words for where a value stands
First = Callable[[str, np.ndarray], int] | None  # Part and marked rows to the first in the data
BLANK = {"", "nan", "NaN", "None", "null", "NULL", "<NA>"}


class Repeated(ValueError):
    "A sample that appears twice; the ways out are said where the columns are known."


@dataclass(frozen=True, eq=False)
class Coded:
    "A column of names."
    code: np.ndarray  # Position in `names` of each row's name
    names: np.ndarray  # Distinct names, in order of first appearance
    notes: tuple[ReadNote, ...] = ()  # What was done to the names

    def sort(self) -> Coded:
        "The same with names ascending."
        order = np.array(sorted(range(len(self.names)), key=self.names.tolist().__getitem__))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return Coded(rank[self.code], self.names[order], self.notes)


def code_names(
    part: str,  # What the column stands for, such as `question`
    values: np.ndarray,  # Its values, from `tidy`
    times: np.ndarray,  # Samples behind each row
    place: Place,  # Words for where a row stands
) -> Coded:  # Code of each row, names by code, and what was done to them
    """A column of names as codes.

    Raises: `ValueError` for an absent name, `TypeError` unless all are text or whole numbers.
    """
    if values.dtype.kind in "iu" and len(values) > 1000: return code_numbers(values)
    rows, notes = agree_kinds(part, values.tolist(), times, place)
    names = list(dict.fromkeys(rows))
    index = dict(zip(names, range(len(names))))
    codes = np.fromiter(map(index.__getitem__, rows), np.int64, len(rows))
    if part == "question": refuse_blank(part, rows, BLANK.intersection(names), place)
    if part == "group" or part == "model" and len(names) > 1:
        refuse_blank(part, rows, {name for name in names if not str(name).strip()}, place)
    return Coded(codes, type_names(names), notes)


def code_numbers(values: np.ndarray) -> Coded:
    names, first, code = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return Coded(rank[code], type_names(names[order].tolist()))


def type_names(names: list) -> np.ndarray:
    whole = isinstance(names[0], int) and all(-2**63 <= name < 2**63 for name in names)
    return np.array(names, np.int64 if whole else object)


def refuse_blank(part: str, rows: list, blank: set, place: Place) -> None:
    if not blank: return
    row = min(map(rows.index, blank))
    why = "such a name is a null that became text" if part == "question" else "give it a name"
    raise ValueError(f"every row needs a {part}, got {rows[row]!r} {place(part, row)}; {why}")


def is_whole_float(value: object) -> bool:
    return isinstance(value, float) and value % 1 == 0 and abs(value) < 2**53


def tell_setting(value: object) -> object:
    "A model or a group that is called by a temperature or a switch."
    fraction = isinstance(value, float) and value == value and not is_whole_float(value)
    return str(value) if fraction or isinstance(value, bool) else value


def agree_kinds(
    part: str, rows: list, times: np.ndarray, place: Place,
) -> tuple[list, tuple[ReadNote, ...]]:
    "Names of one kind, whole numbers or text, and what was done to them."
    rows, notes = read_numbers(part, rows)
    kinds = find_kinds(rows)
    if type(None) in kinds: raise ValueError(tell_unnamed(part, rows, times, place))
    if kinds == {int, str}:
        return list(map(str, rows)), (ReadNote("mixed_names", (part,)),)
    if kinds in ({int}, {str}): return rows, notes
    row = next(i for i, v in enumerate(rows) if type(v) not in (int, str))
    raise TypeError(f"{part} must hold text or whole numbers, got {rows[row]!r} {place(part, row)}")


def find_kinds(rows: list) -> set[type]: return set(map(type, rows))


def read_numbers(part: str, rows: list) -> tuple[list, tuple[ReadNote, ...]]:
    "Names that are flags or fractions as text or whole numbers, where they stand for such."
    if not find_kinds(rows) & {bool, float}: return rows, ()
    if part in ("model", "group"): rows = list(map(tell_setting, rows))
    if float not in find_kinds(rows): return rows, ()
    return list(map(read_whole, rows)), (ReadNote("whole_names", (part,)),)


def read_whole(value: Any) -> Any:
    "A whole number for a float that is one, and None for NaN."
    if value != value: return None
    return int(value) if is_whole_float(value) else value


def tell_unnamed(part: str, rows: list, times: np.ndarray, place: Place) -> str:
    "The sentence on rows without a name."
    absent = np.array([value is None for value in rows])
    return (f"every row needs a {part}, got none {place(part, int(absent.argmax()))} "
            f"({times[absent].sum()} of {times.sum()} fail)")


def check_outcomes(
    values: np.ndarray,  # Outcomes, from `tidy`
    names: np.ndarray,  # Name of the question of each row, for messages
    times: np.ndarray,  # Samples behind each row
    find_first: First = None,  # Which of some rows the data begin with
) -> np.ndarray:  # 1.0, 0.0, or NaN where there is no outcome
    """Outcomes as floats.

    Raises: `TypeError` for text or mixed kinds, `ValueError` for numbers other than 0 and 1.
    """
    odd = mark_odd(values) if find_first is not None else np.array([])
    if find_first is None or not odd.any(): return read_outcomes(values, names, times)
    # The fault that is named is the first of the data, not of the engine.
    order = np.r_[find_first("correct", odd), np.arange(len(values))]
    return read_outcomes(values[order], names[order], np.r_[0, times])


def mark_odd(values: np.ndarray) -> np.ndarray:
    "Where there is a number other than 0 and 1."
    if values.dtype.kind != "O": return (values != 0) & (values != 1) & (values == values)
    return np.array([isinstance(v, (int, float)) and v not in (0, 1) for v in values.tolist()])


def read_outcomes(values: np.ndarray, names: np.ndarray, times: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "b": return values.astype(float)
    if values.dtype.kind == "O": return check_objects(values, names, times)
    result, present = np.full(len(values), np.nan), values == values
    if present.all(): return zero_one(values, names, times).astype(float)
    if present.any(): result[present] = zero_one(values[present], names[present], times[present])
    return result


def check_objects(values: np.ndarray, names: np.ndarray, times: np.ndarray) -> np.ndarray:
    rows = values.tolist()
    result, kinds = np.full(len(rows), np.nan), set(map(type, rows)) - {type(None)}
    present = np.fromiter((v is not None for v in rows), bool, len(rows))
    if not kinds: return result
    known = np.array([v for v in rows if v is not None], object)
    if kinds == {bool}: known = known.astype(bool)
    elif bool in kinds: refuse_two_kinds(known.tolist())
    elif kinds <= {int, float}: known = type_numbers(np.array(known.tolist()))
    result[present] = zero_one(known, names[present], times[present])
    return result


def type_numbers(values: np.ndarray) -> np.ndarray:
    "Numbers as they are, and as floats where whole ones go beyond 64 bits or some are missing."
    if values.dtype.kind != "O": return values
    floats = ("nan" if v is None else v if abs(v) < 2**1000 else "inf" for v in values.tolist())
    return np.array(list(map(float, floats)))


def refuse_two_kinds(known: list) -> None:
    flag = any(v is True for v in known)  # the same whatever the order of the rows
    other = min((v for v in known if not isinstance(v, bool)), key=str)
    raise TypeError(f"correct must hold only bool or only 0/1, got {flag} and {other!r}")


def check_scores(
    name: str,  # What the column stands for
    values: np.ndarray,  # Scores, from `tidy`
    times: np.ndarray,  # Samples behind each row
    place: Place,  # Words for where a row stands
    find_first: First = None,  # Which of some rows the data begin with
) -> np.ndarray:  # float64, NaN where there is no score
    """Scores as floats.

    Raises: `TypeError` for text, `ValueError` for an infinite score.
    """
    if values.dtype.kind == "O": refuse_words(name, values.tolist(), place, find_first)
    scores = type_numbers(values).astype(np.float64)
    if (bad := np.isinf(scores)).any():
        row = pick_first(name, bad, find_first)
        raise ValueError(f"{name} must be finite, got {scores[row]} {place(name, row)} "
                         f"({times[bad].sum()} of {times.sum()} fail)")
    return scores


def pick_first(part: str, some: np.ndarray, find_first: First) -> int:
    return int(some.argmax()) if find_first is None else find_first(part, some)


def refuse_words(name: str, rows: list, place: Place, find_first: First) -> None:
    kinds = set(map(type, rows)) - {type(None)}
    if kinds <= {int, float, Decimal} or kinds == {bool}: return
    odd = np.array([type(v) not in (int, float, Decimal, type(None)) for v in rows])
    row = pick_first(name, odd, find_first)
    leave = f"; pass {option('score', False)} to leave the column out" if name == "score" else ""
    raise TypeError(f"{name} must hold numbers, got {rows[row]!r} {place(name, row)}{leave}")


def check_clusters(
    question: Coded,  # Question of each row
    cluster: Coded,  # Cluster of each row
) -> None:
    """Refuse a question in two clusters.

    Raises: `ValueError` naming the question and both clusters.
    """
    expected = cluster.code[np.unique(question.code, return_index=True)[1]][question.code]
    odd = cluster.code != expected
    if not odd.any(): return
    row, groups = int(odd.argmax()), cluster.names.tolist()
    raise ValueError(
        f"a question belongs to one cluster, got {question.names.tolist()[question.code[row]]!r} "
        f"in {groups[expected[row]]!r} and in {groups[cluster.code[row]]!r} "
        f"({len(np.unique(question.code[odd]))} of {len(question.names)} questions fail)")


def check_repeats(
    codes: dict[str, Coded],  # Names of each row, by part
    place: Place,  # Words for where a row stands
) -> None:
    """Refuse a sample that appears twice.

    Raises: `ValueError` naming the sample and both places.
    """
    parts = [part for part in ("file", "model", "question", "sample") if part in codes]
    key = np.zeros(len(codes["sample"].code), np.int64)
    for part in parts: key = extend_key(key, codes[part].code, len(codes[part].names))
    ordered = np.sort(key)
    if not (ordered[1:] == ordered[:-1]).any(): return
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    repeated = first[inverse] != np.arange(len(key))
    again = int(repeated.argmax())
    names = {part: codes[part].names.tolist()[codes[part].code[again]] for part in parts}
    before = place("sample", int(first[inverse[again]]))
    raise Repeated(tell_repeat(names, f" {before} and again {place('sample', again)}",
                                 int(repeated.sum())))


def tell_repeat(names: dict, where: str, rows: int) -> str:
    "The sentence on a sample that appears twice."
    named = ", ".join(f"{part} {name!r}" for part, name in names.items())
    return f"each sample must appear once, got {named}{where} ({say_repeats(rows)})"


def say_repeats(rows: int) -> str:
    "How many rows repeat, in words."
    return "1 row repeats" if rows == 1 else f"{rows} rows repeat"


def read_weights(
    batch: Batch,  # Rows with a column of weights
    question: Coded,  # Question of each row
) -> np.ndarray:  # Weight of each row
    """The weight of each row, which is that of its question.

    Raises: `ValueError` or `TypeError` naming the first row without a weight, with one that is not
    positive and finite, or with another one than an earlier row of its question.
    """
    values = batch.parts["weight"]
    weight = check_scores("weight", values, batch.times, batch.place, batch.find_first)
    bad = ~(np.isfinite(weight) & (weight > 0))
    if bad.any():
        row = int(bad.argmax())
        got = values.tolist()[row]
        raise ValueError(f"every row needs a positive and finite weight, got {got!r} "
                         f"{batch.place('weight', row)} "
                         f"({batch.times[bad].sum()} of {batch.times.sum()} fail)")
    refuse_two_weights(question, weight)
    return weight


def refuse_two_weights(question: Coded, weight: np.ndarray) -> None:
    first = np.unique(question.code, return_index=True)[1]
    expected = weight[first][question.code]
    odd = weight != expected
    if not odd.any(): return
    row = int(odd.argmax())
    low, high = sorted((expected[row], weight[row]))
    raise ValueError(
        f"a question has one weight, got {low:g} and {high:g} at "
        f"{question.names.tolist()[question.code[row]]!r} "
        f"({len(np.unique(question.code[odd]))} of {len(question.names)} questions fail)")
