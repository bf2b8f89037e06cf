"""Numbers as a person reads them: shares in percent, differences in points, p values, counts.

A number on another scale than shares (scores, rewards, tokens) is written as it is.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, TypeVar

from ..spelling import option

# For types alone: the help of a command prints numbers and needs no NumPy.
if TYPE_CHECKING:
    from ..results.base import Unit
    from ..results.reading import Alignment, DeadCount

__all__ = ["decimal", "signed", "percent", "points", "value", "difference", "interval",
           "write_interval", "difference_interval", "level", "describe_ci", "pvalue", "count",
           "count_range", "about", "join", "join_some", "ranges", "split_runs", "open_sentence",
           "TARGET_WORDS", "describe_stated", "describe_alignment",
           "describe_dead"]

# What an interval, a test or a rule is about.
TARGET_WORDS = dict(new_questions="new questions", same_questions="same questions")
Item = TypeVar("Item")


def decimal(
    number: float | None,  # None for an undefined one
    decimals: int = 3,  # Decimals where they suffice
) -> str:  # `0.420`, `-` if undefined
    "A number in decimals, with as many as it takes not to round to 0, 1 or -1."
    if number is None: return "-"
    if number == round(number): return f"{number:.{decimals}f}"
    # A small number becomes a power of ten; one close to 1 gets digits until it differs from 1.
    most = 7 if abs(number) < .5 else 18
    tried = (f"{number:.{d}f}" for d in range(decimals, most))
    shown = next((text for text in tried if float(text) not in (-1, 0, 1)), None)
    return shown or f"{number:.2e}"


def signed(number: float | None) -> str:
    "A difference in decimals: `+0.031`; zero has no sign."
    return "+" * is_positive(number) + decimal(number)


def is_positive(number: float | None) -> bool: return number is not None and bool(number > 0)


def percent(
    share: float | None,  # Number in [0, 1]; None for an undefined one
    unit: bool = True,  # Whether the percent sign stands behind it
    decimals: int = 1,  # Decimals where they suffice
) -> str:  # `42.0 %`
    "A share in percent to a tenth, with more decimals where it would round to 0 or 100."
    if share is None: return "-"
    return show_tenths(100 * share, 0, 100, decimals=decimals) + " %" * unit


def show_tenths(size: float, *ends: float, decimals: int = 1) -> str:
    "A number with one decimal, or as many as it takes not to round to an end that it is not."
    size = round(size, 12)  # A mean of ones may end just below 1
    if size in ends: return f"{size:.{decimals}f}"
    most = 4 if abs(size) < 50 else 10
    tried = (f"{size:.{d}f}" for d in range(decimals, max(most, decimals + 1)))
    return next((text for text in tried if float(text) not in ends), f"{size:.2g}")


def points(
    change: float | None,  # A difference of two shares; None for an undefined one
    unit: bool = False,  # Whether `points` stands behind it
    sign: bool = True,  # Whether a plus stands before a positive one
) -> str:  # `+7.6`
    "A difference of shares in points to a tenth, with more decimals where it would round to 0."
    if change is None: return "-"
    plus = "+" * (sign and is_positive(change))
    return plus + show_tenths(100 * change, 0) + " points" * unit


# A number of a metric, in its own unit.

def value(number: float | None, unit: Unit = "share") -> str:
    "A value of a metric: `42.0 %`, or a score as it is."
    return percent(number) if unit == "share" else decimal(number)


def difference(
    change: float | None,  # None for an undefined one
    unit: Unit = "share",  # Of the values
    *,
    sign: bool = True,  # Whether a plus stands before a positive one
    named: bool = True,  # Whether `points` stands behind a difference of shares
) -> str:  # `+7.6 points`
    "A difference of two values: in points, or of two scores as it is."
    if unit == "share": return points(change, named, sign)
    return signed(change) if sign else decimal(change)


def interval(low: float | None, high: float | None, unit: Unit = "share") -> str:
    "Both ends of an interval of values: `31.6 to 52.8 %`."
    if low is None or high is None: return "-"
    if unit == "share": return f"{percent_end(low)} to {percent_end(high)} %"
    return f"{decimal(low)} to {decimal(high)}"


def write_interval(
    low: float | None,  # Lower end
    high: float | None,  # Upper end
    share: bool,  # Whether they are shares, in percent
    decimals: int,  # Decimals of shares in percent
) -> str:
    "Both ends of an interval without a unit; `-` where there is none."
    if low is None or high is None: return "-"
    if share: ends = [percent(end, unit=False, decimals=decimals) for end in (low, high)]
    else: ends = [decimal(end, decimals + 1) for end in (low, high)]
    return ("–" if low >= 0 else " to ").join(ends)


def percent_end(share: float) -> str:
    "An end of an interval to a tenth of a percent; closer to 0 or 100 it says so."
    if 0 < share < .0005: return "<0.1"
    return ">99.9" if .9995 <= share < 1 else percent(share, unit=False)


def difference_interval(low: float | None, high: float | None, unit: Unit = "share") -> str:
    "Both ends of an interval of differences: `-1.7 to +14.5`, in points for shares."
    if low is None or high is None: return "-"
    write = points if unit == "share" else signed
    return f"{write(low)} to {write(high)}"


# Statistics.

def level(confidence_level: float) -> str:
    "A confidence level: `95 %`, never rounded to 0 or 100."
    for digits in range(6, 18):
        text = f"{100 * confidence_level:.{digits}g}"
        if abs(float(text) - 100 * confidence_level) <= .1 * (1 - confidence_level): break
    return f"{text} %"


def describe_ci(
    low: float | None,  # Lower end
    high: float | None,  # Upper end
    confidence_level: float,  # Its level
    *what: str,  # What it is about, and how it was computed; empty ones are left out
    unit: Unit = "share",  # Of both ends
    change: bool = False,  # Whether it is of a difference
) -> str:  # `95 % CI 31.6 to 52.8 %, new questions`
    "A confidence interval."
    ends = (difference_interval if change else interval)(low, high, unit)
    return ", ".join([f"{level(confidence_level)} CI {ends}", *filter(None, what)])


def pvalue(
    p: float | None,  # None for an undefined one
    equals: bool = True,  # Whether `p =` stands before it
    alpha: float = .05,  # Level that it is held against
) -> str:  # `p = .023`, `p < 1e-12`
    """A p value to three decimals, or two digits where it is smaller.

    One above the level never looks equal to it: `p = .0504`.
    """
    if p is None: return "p undefined" if equals else "-"
    if p < 1e-12: return "p < 1e-12" if equals else "<1e-12"
    if p >= 1: text = "1"
    elif p >= .9995: text = ".999"
    elif p >= .001:
        rounded = (f"{p:.{places}f}" for places in range(3, 13))
        text = next((one for one in rounded if float(one) > alpha or p <= alpha), f"{p:.12f}")
        text = text.lstrip("0")
    else: text = f"{p:.1e}"
    return f"p = {text}" if equals else text


# Counts and names.

def count(number: int, what: str) -> str:
    "A number of things: `1 question`, `2,200 questions`."
    return f"{number:,} {what}{'s' * (number != 1)}"


def amount(number: float, digits: int = 4) -> str:
    "A cost in the reader's own unit: so many digits, or a whole number if it has more."
    return f"{number:,.{digits}g}" if number < 10**digits - .5 else f"{number:,.0f}"


def count_range(low: int, high: int, what: str = "") -> str:
    "A number of things, or the range of several: `4 to 8 samples`."
    shown = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"{shown} {what}{'s' * (high != 1)}" if what else shown


def about(number: int) -> str:
    "A number that is an estimate: `about 480`, two digits rounded up; below 100 as it is."
    if number < 100: return f"about {number}"
    step = 10 ** (floor(log10(number)) - 1)
    return f"about {ceil(number / step) * step:,}"


def join(
    names: Sequence[str],  # At least one
    word: str = "and",  # Before the last one
) -> str:  # `a, b and c`
    "Names as a part of a sentence."
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def join_some(
    names: Sequence[str],  # Any number
    most: int,  # Names that are listed
) -> str:  # `a, b and 3 more`
    "The first few of several names, and how many more there are."
    more = len(names) - most
    return ", ".join(names[:most]) + f" and {more} more" * (more > 0)


def ranges(
    numbers: Sequence[int],  # Ascending
    steps: Sequence[int] | None = None,  # All numbers there are; each integer if None
) -> str:  # `1-8, 32`
    "Numbers with their neighbours joined: neighbours in `steps`, such as the budgets of a table."
    place = dict(zip(numbers, numbers))
    if steps is not None: place = {number: i for i, number in enumerate(steps)}
    runs = split_runs(numbers, lambda number, after: place[after] == place[number] + 1)
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def split_runs(
    items: Sequence[Item],  # In their order
    follows: Callable[[Item, Item], bool],  # Whether the second is a neighbour of the first
) -> list[list[Item]]:
    "Items with their neighbours."
    runs: list[list[Item]] = []
    for item in items:
        if runs and follows(runs[-1][-1], item): runs[-1].append(item)
        else: runs.append([item])
    return runs


def open_sentence(text: str) -> str:
    "A text with a capital first letter."
    return text[:1].upper() + text[1:]


# Sentences that several results share.

def describe_alignment(
    alignment: Alignment,  # The questions that systems share
) -> str:  # `50 common questions; left out: 5 only in base.csv ('q25', 'q26', 'q27', ...)`
    "How many questions are compared, and which ones were left out."
    left = [one for one in alignment.unmatched if one.questions]
    if not left: return f"same {count(alignment.common, 'question')}"
    several = len(alignment.unmatched) > 2
    said = []
    for one in left:
        more = ", ..." * (one.questions > len(one.names))
        named = ", ".join(map(repr, one.names)) + more
        where = f"of {one.system}" if several else f"only in {one.system}"
        said.append(f"{one.questions:,} {where} ({named})")
    return f"{count(alignment.common, 'common question')}; left out: {join(said)}"


def describe_dead(dead: DeadCount) -> str:
    "How many questions can tell no systems apart."
    where = "" if dead.systems == 1 else f" in all {dead.systems} models"
    live = dead.questions - dead.never - dead.always
    return (f"Dead questions: {dead.never:,} never and {dead.always:,} always right{where}; the "
            f"other {live:,} of {dead.questions:,} decide every comparison.")


def describe_stated(
    bounds: tuple[float, float],  # Range in which the differences were stated to lie
    unit: Unit,  # Of the metric
) -> str:  # One sentence
    "A range that was stated, as the assumption it is."
    ends = difference_interval(*bounds, unit) + " points" * (unit == "share")
    return (f"Assumes that no question moves by more than {ends} ({option('bounds')}), which data "
            "cannot verify.")
