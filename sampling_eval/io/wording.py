"""Outcomes that are written as words."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["are_words", "read_words"]

# Pairs that occur in one column: the first word is right, the others are wrong.
PAIRS = [pair.split() for pair in (
    "true false", "t f", "1 0", "yes no", "y n", "pass fail", "passed failed",
    "correct incorrect wrong", "right wrong", "solved unsolved", "resolved unresolved",
    "success failure", "c i n")]
KNOWN = {word for pair in PAIRS for word in pair}
INSPECT = {"c", "i", "n", "p"}  # Correct, incorrect, no answer and partial credit


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
                "I as 1, 0.5 and 0 in a column score, and pass threshold=... for outcomes")
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
