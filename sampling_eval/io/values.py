"""Columns of any library as plain arrays, as codes, and words for outcomes as flags."""
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import reduce
from typing import Any

import numpy as np

from ..errors import option
from ..foundations.counts import is_masked

__all__ = ["tidy", "join_arrays", "join_present", "comparable", "code_values", "find_varied",
           "join_codes", "join_columns", "order_value", "plain_name", "are_words", "read_words",
           "read_written", "type_cells", "is_absent", "is_whole_text"]

PERCENT = re.compile(r"[-+]?[0-9]+([.,][0-9]+)? ?%")
DECIMAL = re.compile(r"[-+]?[0-9]+(,[0-9]+)?")
GROUPED = re.compile(r"[-+]?([1-9][0-9]{0,2},[0-9]{3}|[0-9]+)")
NULLS = "NAType", "NaTType"
PLAIN = {bool}, {int}, {float}
# Pairs that occur in one column: the first word is right, the others are wrong.
PAIRS = [pair.split() for pair in (
    "true false", "t f", "1 0", "yes no", "y n", "pass fail", "passed failed",
    "correct incorrect wrong", "right wrong", "solved unsolved", "resolved unresolved",
    "success failure", "c i n", "✓ ✗ ✘ ✕", "✔ ✘ ✗ ✖", "✅ ❌")]
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
    return issubclass(kind, (float, Decimal, np.generic)) or kind.__name__ in NULLS


def plain_value(value: object) -> object:
    if isinstance(value, (np.datetime64, np.timedelta64)): value = str(value)
    elif isinstance(value, np.generic): value = value.item()
    if isinstance(value, Decimal): value = read_decimal(value)
    null = type(value).__name__ in NULLS or isinstance(value, float) and value != value
    return None if null else value


def read_decimal(value: Decimal) -> int | float | Decimal:
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


def are_words(
    values: np.ndarray,  # Values of a column, from `tidy`
) -> bool:  # Whether all that are there are words for outcomes
    "True for a column such as C, I, C."
    if values.dtype.kind != "O": return False
    rows = values.tolist()
    if set(map(type, rows)) - {type(None)} != {str}: return False
    plain = {word.strip().lower() for word in rows if word is not None}
    return any(plain <= set(words) for words in [*PAIRS, INSPECT])


def read_words(
    values: np.ndarray,  # Outcomes, from `tidy`
    times: np.ndarray,  # Samples behind each row
) -> tuple[np.ndarray, dict[str, bool]]:  # Words as flags, and whether each word is right
    """Outcomes with words as flags; a column without words stays as it is.

    Raises: `TypeError` for words of two kinds, beside numbers, and for any other text.
    """
    if values.dtype.kind != "O": return values, {}
    rows = values.tolist()
    if str not in (kinds := set(map(type, rows))): return values, {}
    words = {word: word.strip().lower() for word in rows if isinstance(word, str)}
    if kinds - {str, type(None)}: raise TypeError(tell_text(words, rows, times))
    pair = next((pair for pair in PAIRS if set(words.values()) <= set(pair)), None)
    if pair is None: raise TypeError(tell_odd(words, rows, times))
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


def is_absent(
    value: object,  # Any value
) -> bool:
    "Whether there is none: None or NaN."
    return value is None or isinstance(value, float) and value != value


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
    return dict(zip(known, known))


def is_whole_text(text: str) -> bool:
    "Whether a text is a whole number as Python would write it."
    digits = text.removeprefix("-")
    plain = digits.isascii() and digits.isdigit() and len(digits) < 19
    return plain and (text == "0" or digits[0] != "0")


def read_text(text: str | None) -> object:
    "A flag, a number, or the text as it stands."
    if text is None: return None
    flag = text.strip().lower()
    if flag in ("true", "false"): return flag == "true"
    # Python would take 1_0 for ten, and digits of any script.
    try: return float(text) if text.isascii() and "_" not in text else text
    except ValueError: return text
