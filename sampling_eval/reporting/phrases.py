"""Numbers and names as parts of a sentence."""
from __future__ import annotations

from collections.abc import Sequence

__all__ = ["say_share", "say_shares", "say_count", "join_names"]


def say_share(
    value: float,  # Number in [0, 1]
) -> str:  # `42 %`, with the decimals it takes not to round to 0 or 100
    "A share in percent."
    value = round(value, 12) if value > .5 else value  # A mean of ones may end just below 1
    if value in (0, 1): return f"{100 * value:.0f} %"
    tried = (f"{100 * value:.{d}f}" for d in range(7))
    least = "under 0.000001" if value < .5 else "over 99.999999"
    return next((text for text in tried if float(text) not in (0, 100)), least) + " %"


def say_shares(
    values: Sequence[float],  # Shares in [0, 1]
) -> list[str]:  # In percent, with the decimals it takes to tell different ones apart
    "Several shares in percent."
    shown, different = list(map(say_share, values)), len(set(values))
    if len(set(shown)) == different: return shown
    tried = ([f"{100 * value:.{d}f} %" for value in values] for d in range(1, 7))
    return next((texts for texts in tried if len(set(texts)) == different), shown)


def say_count(
    numbers: Sequence[int],  # How many there are, in several places
    what: str,  # Of what, in the singular
) -> str:  # `1 question`, `3 to 4 samples`
    "A number of things, or the range of several."
    low, high = min(numbers), max(numbers)
    shown = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"{shown} {what}{'s' * (high != 1)}"


def join_names(
    names: Sequence[str],  # At least one
    word: str = "and",  # Before the last one
) -> str:  # `a, b and c`
    "Names as a part of a sentence."
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last
