"""Columns of any library as plain arrays and as codes, and what names and outcomes must be."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timezone
from decimal import Decimal
from functools import reduce
from typing import Any
from uuid import UUID

import numpy as np

from ..errors import OptionTypeError
from ..spelling import option
from ..foundations.counts import is_masked, zero_one
from ..results.reading import ReadNote

__all__ = ["FEW", "blank_answers", "tidy", "join_arrays", "join_present", "comparable",
           "code_values", "find_varied", "join_codes", "join_columns", "order_value",
           "plain_name", "are_words", "read_words", "read_written", "type_cells", "is_absent",
           "is_whole_text", "Coded", "code_names", "check_outcomes", "check_scores",
           "check_clusters", "check_repeats", "Repeated", "code_equal", "code_in_order",
           "find_second", "tell_repeat", "extend_key"]

PERCENT = re.compile(r"[-+]?[0-9]+([.,][0-9]+)? ?%")
DECIMAL = re.compile(r"[-+]?[0-9]+(,[0-9]+)?")
GROUPED = re.compile(r"[-+]?([1-9][0-9]{0,2},[0-9]{3}|[0-9]+)")
FEW = 1000  # Different scores that are kept apart without being asked for
NULLS = "NAType", "NaTType"
PLAIN = {bool}, {int}, {float}
# Pairs that occur in one column: the first word is right, the others are wrong.
PAIRS = [pair.split() for pair in (
    "true false", "t f", "1 0", "yes no", "y n", "pass fail failed", "passed failed",
    "correct incorrect wrong", "right wrong", "solved unsolved", "resolved unresolved",
    "success failure fail failed", "succeeded failed", "accepted rejected", "c i n",
    "✓ ✗ ✘ ✕", "✔ ✘ ✗ ✖", "✅ ❌")]
KNOWN = {word for pair in PAIRS for word in pair}
INSPECT = {"c", "i", "n", "p"}  # Correct, incorrect, no answer and partial credit


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
    return (issubclass(kind, (float, Decimal, np.generic, date, time))
            or kind.__name__ in (*NULLS, "UUID"))


def plain_value(value: object) -> object:
    if isinstance(value, (np.datetime64, np.timedelta64)): value = str(value)
    elif isinstance(value, (date, time, UUID)) and value == value: value = str(value)
    elif isinstance(value, np.generic): value = value.item()
    if isinstance(value, Decimal): value = read_decimal(value)
    null = type(value).__name__ in NULLS or isinstance(value, float) and value != value
    return None if null else value


def read_decimal(value: Decimal) -> int | float | Decimal:
    "A decimal number as a plain one that is no other number's name."
    if not value.is_finite(): return float(value)
    if value == value.to_integral_value(): return int(value)
    return value if float(value) % 1 == 0 else float(value)


def join_arrays(arrays: list[np.ndarray]) -> np.ndarray:  # The whole column
    "One column from its parts; columns of different types keep the type of each value."
    if len(arrays) == 1: return arrays[0]
    if len({a.dtype.kind for a in arrays}) == 1: return tidy(np.concatenate(arrays))
    return tidy([value for a in arrays for value in a.tolist()])


def join_present(arrays: Sequence[np.ndarray | None]) -> np.ndarray | None:  # The whole array
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


def code_equal(rows: list) -> tuple[np.ndarray, list]:  # Code of each, and the distinct ones
    "A code for each value, in order of first appearance."
    names = list(dict.fromkeys(rows))
    place = dict(zip(names, range(len(names))))
    return np.fromiter(map(place.__getitem__, rows), np.int64, len(rows)), names


def join_codes(code: np.ndarray, other: np.ndarray) -> np.ndarray:  # Code of each pair
    "One code for two, from 0 on without a gap."
    return np.unique(extend_key(code, other, int(other.max()) + 1), return_inverse=True)[1]


def join_columns(columns: Iterable[np.ndarray]) -> np.ndarray:  # Code of each row
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


def plain_name(value: Any) -> Any:  # The same, whole numbers as such
    "A name as it was written: 1.0 is 1."
    return int(value) if isinstance(value, float) and value % 1 == 0 else value


def order_value(value: Any) -> tuple:  # What names are sorted by
    "Numbers by size, then everything else as text."
    value = plain_name(value)
    number = isinstance(value, (int, float))
    return (0, value, "") if number and value == value else (1, 0, str(value))


def read_written(
    values: np.ndarray,  # Numbers of a column, from `tidy`
) -> tuple[np.ndarray, str]:  # As floats, and how they were written: percent, decimal_comma or ""
    "Texts such as 80 % and 0,5 as numbers; any other column as it stands."
    if values.dtype.kind != "O": return values, ""
    rows = values.tolist()
    if set(map(type, rows)) - {type(None)} != {str}: return values, ""
    texts = [None if text is None else text.strip() for text in rows]
    known = [text for text in texts if text]
    if all(map(PERCENT.fullmatch, known)): kind = "percent"
    # 1,234 could be more than a thousand.
    elif all(map(DECIMAL.fullmatch, known)) and not all(map(GROUPED.fullmatch, known)):
        kind = "decimal_comma"
    else: return values, ""
    scale = 100 if kind == "percent" else 1
    numbers = [float(text.rstrip("% ").replace(",", ".")) / scale if text else None
               for text in texts]
    return tidy(numbers), kind


def are_words(values: np.ndarray) -> bool:  # Whether all that are there are words for outcomes
    "True for a column such as C, I, C."
    if values.dtype.kind != "O": return False
    rows = values.tolist()
    if set(map(type, rows)) - {type(None)} != {str}: return False
    plain = {word.strip().lower() for word in rows if word is not None}
    return any(plain <= set(words) for words in [*PAIRS, INSPECT])


def read_words(values: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, dict[str, bool]]:
    """Outcomes with words as flags, and what each word means; other columns stay as they are.

    Raises: `TypeError` for words of two kinds, beside numbers, and for any other text.
    """
    if values.dtype.kind != "O": return values, {}
    rows = values.tolist()
    if str not in (kinds := set(map(type, rows))): return values, {}
    words = {word: word.strip().lower() for word in rows if isinstance(word, str)}
    if kinds - {str, type(None)}: raise TypeError(tell_text(words, rows, times))
    pair = next((pair for pair in PAIRS if set(words.values()) <= set(pair)), None)
    if pair is None: raise OptionTypeError("correct", tell_odd(words, rows, times))
    flags = {word: plain == pair[0] for word, plain in words.items()}
    return np.fromiter(map(flags.get, rows), object, len(rows)), flags


def tell_odd(words: dict[str, str], rows: list, times: np.ndarray) -> str:
    "The sentence on words that are no outcomes, or outcomes of several kinds."
    plain = set(words.values())
    if "p" in plain <= INSPECT:
        return ("correct must be right or wrong, got 'P', which is partial credit; write C, P and "
                f"I as 1, 0.5 and 0 in a column score, and pass {option('threshold', ...)} for "
                "outcomes")
    odd = [word for word, text in words.items() if text not in KNOWN]
    if odd: return tell_text(odd, rows, times)
    return f"correct must hold words of one kind, got {' and '.join(map(repr, sorted(words)[:4]))}"


def tell_text(odd: Iterable[str], rows: list, times: np.ndarray) -> str:
    "The sentence on text that is no outcome, the same whatever the order of the rows."
    bad = set(odd)
    fails = sum(m for word, m in zip(rows, times.tolist()) if isinstance(word, str) and word in bad)
    return (f"correct must hold 0/1 or bool, got {', '.join(map(repr, sorted(bad)[:3]))} "
            f"({fails} of {times.sum()} fail); compare text with the gold answer first, leave out "
            "what has no outcome")


def is_absent(value: object) -> bool:
    "Whether there is none: None or NaN."
    return value is None or isinstance(value, float) and value != value


# Answers that say that there is none, in small letters.
NO_ANSWER = "", "[invalid]", "n/a"


def blank_answers(
    parts: Mapping[str, np.ndarray],  # Values by part
) -> Mapping[str, np.ndarray]:  # The same, with None where an answer says that there is none
    "Samples that abstain: what stands for no answer, unless it was right where it stands."
    answers = parts.get("answer")
    if answers is None or answers.dtype != object: return parts
    rows = answers.tolist()
    words = {one for one in set(filter(is_text, rows)) if one and one.strip().lower() in NO_ANSWER}
    if words and "correct" in parts:
        words -= {one for one, right in zip(rows, parts["correct"].tolist())
                  if right == 1 and is_text(one) and one in words}
    if not words: return parts
    blank = [None if is_text(one) and one in words else one for one in rows]
    return {**parts, "answer": np.fromiter(blank, object, len(blank))}


def is_text(value: object) -> bool: return isinstance(value, str)


# The cells of a CSV file.

def type_cells(part: str, texts: Iterable[str | None]) -> np.ndarray:
    "A column of a CSV file as the type that all of its texts have."
    texts = list(texts)
    known = read_known(part, {text for text in texts if text})
    return tidy([known[text] if text else None for text in texts])


def read_known(part: str, texts: set[str]) -> Mapping[str, object]:
    "What each text of a column stands for."
    if part in ("question", "sample", "model", "cluster", "group") or part.startswith("task "):
        return name_reader(texts)
    if part == "answer" or part.startswith("look "): return dict(zip(texts, texts))
    return {text: read_text(text) for text in texts}


def name_reader(known: set[str]) -> dict:
    "Whole numbers if all texts are written as such, else the texts."
    if all(map(is_whole_text, known)): return {text: int(text) for text in known}
    # A frame with missing values writes whole numbers so.
    stems = [text.removesuffix(".0") for text in known]
    whole = all(text.endswith(".0") for text in known) and all(map(is_whole_text, stems))
    return dict(zip(known, map(int, stems) if whole else known))


def is_whole_text(text: str) -> bool:
    "Whether a text is a whole number as Python would write it."
    digits = text.removeprefix("-")
    plain = digits.isascii() and digits.isdigit() and len(digits) < 20
    return plain and (text == "0" or digits[0] != "0") and -2**63 <= int(text) < 2**63


def read_text(text: str | None) -> object:
    "A flag, a number, or the text as it stands."
    if text is None: return None
    flag = text.strip().lower()
    if flag in ("true", "false"): return flag == "true"
    # Python would take 1_0 for ten, and digits of any script.
    try: return float(text) if text.isascii() and "_" not in text else text
    except ValueError: return text


# What names, outcomes and scores of a table must be.

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
        return Coded(np.argsort(order)[self.code], self.names[order], self.notes)


def code_in_order(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    "Distinct values in order of first appearance, the first row of each, and a code for each row."
    names, first, code = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return names[order], first[order], np.argsort(order)[code]


def code_names(
    part: str,  # What the column stands for, such as `question`
    values: np.ndarray,  # Its values, from `tidy`
    times: np.ndarray,  # Samples behind each row
    place: Place,  # Words for where a row stands
) -> Coded:  # Code of each row, names by code, and what was done to them
    """A column of names as codes.

    Raises: `ValueError` for an absent name, `TypeError` unless all are text or whole numbers.
    """
    if values.dtype.kind in "iu":
        numbers, _, codes = code_in_order(values)
        return Coded(codes, type_names(spell_names(numbers.tolist())))
    rows, notes = agree_kinds(part, values.tolist(), times, place)
    codes, names = code_equal(rows)
    spelled = spell_names(names)
    if spelled != names:
        again, names = code_equal(spelled)
        codes, rows = again[codes], [spelled[code] for code in codes.tolist()]
    if part == "question": refuse_blank(part, rows, BLANK.intersection(names), place)
    if part == "group" or part == "model" and len(names) > 1:
        refuse_blank(part, rows, {name for name in names if not str(name).strip()}, place)
    return Coded(codes, type_names(names), notes)


# A moment, as Python, pandas, Polars, DuckDB and JSON write it.
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)? ?"
                    r"(Z|UTC|[+-]\d\d(?::?\d\d)?)?")
HALF = re.compile("[\ud800-\udfff]")  # Half a character, which no text in UTF-8 can hold


def spell_names(names: list) -> list:
    "Names as every route spells them: a CSV file has no types, and JSON no dates."
    if all(isinstance(name, int) for name in names):
        # A number beyond 64 bits is text in most routes.
        return names if all(-2**63 <= name < 2**63 for name in names) else list(map(str, names))
    return list(map(spell_text, names))


def spell_text(name: str) -> str:
    "A moment in one spelling, and half a character as the mark of one that is lost."
    if not name.isascii(): return HALF.sub("\ufffd", name)
    found = MOMENT.fullmatch(name) if name[4:5] == "-" else None
    return name if found is None else spell_moment(*found.groups())


def spell_moment(day: str, clock: str, seconds: str | None, fraction: str | None,
                 zone: str | None) -> str:
    "Such as `2024-01-01 03:04:05.12`; midnight is the day alone, and a zone is UTC."
    fraction = (fraction or "").rstrip("0").rstrip(".")
    moment = f"{clock}{seconds or ':00'}"
    midnight = moment == "00:00:00" and not fraction
    if zone is None: return day if midnight else f"{day} {moment}{fraction}"
    zone = "+00:00" if zone in ("Z", "UTC") else zone
    try: known = datetime.fromisoformat(f"{day} {moment}{zone}")
    except ValueError: return f"{day} {moment}{fraction}{zone}"
    known = known.astimezone(timezone.utc)
    return f"{known:%Y-%m-%d %H:%M:%S}{fraction}+00:00"


def type_names(names: list) -> np.ndarray:
    return np.array(names, np.int64 if isinstance(names[0], int) else object)


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
    leave = f"pass {option('score', False)} to leave the column out" if name == "score" else ""
    raise OptionTypeError(name, f"{name} must hold numbers, got {rows[row]!r} {place(name, row)}",
                          hint=leave)


def check_clusters(question: Coded, cluster: Coded) -> None:
    """Refuse a question in two clusters.

    Raises: `ValueError` naming the question and both clusters.
    """
    two, name, fails = find_second(question, cluster.code)
    if not two: return
    one, other = (cluster.names.tolist()[code] for code in two)
    raise ValueError(f"a question belongs to one cluster, got {name} in {one!r} and in {other!r} "
                     f"({fails})")


def find_second(
    question: Coded,  # Question of each row
    values: np.ndarray,  # What is to be the same in all rows of a question
) -> tuple[list, str, str]:  # Two values of one question, its name, and how many fail; else empty
    "The first question that has two values."
    expected = values[np.unique(question.code, return_index=True)[1]][question.code]
    odd = values != expected
    if not odd.any(): return [], "", ""
    row = int(odd.argmax())
    fails = len(np.unique(question.code[odd]))
    return ([expected[row], values[row]], repr(question.names.tolist()[question.code[row]]),
            f"{fails} of {len(question.names)} questions fail")


def check_repeats(codes: dict[str, Coded], place: Place) -> None:
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
    said = "1 row repeats" if rows == 1 else f"{rows} rows repeat"
    return f"each sample must appear once, got {named}{where} ({said})"
