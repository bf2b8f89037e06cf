"""Published shares, of which only the questions are known: the counts that fit, and intervals."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...spelling import name_option, option
from ...inference.intervals import Interval, Method
from ...inference.shares import clopper_pearson_limits
from ...inference.two_proportions import (
    IndependentDifference, independent_difference, least_paired_p)
from ...reading.counted import is_written_count, read_written_count
from ..audit.result import Audit, AuditVerdict, PublishedDifference, PublishedNumber

NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*(%?)\s*"
TRIED = 64  # Samples per question that are tried where none are given
MOST_SAMPLES = 10**9  # Samples beyond which no benchmark goes


def audit_shares(
    given: Mapping[str, Any],  # One share or two, each by the option that it was given for
    questions: Any,  # Questions behind a share; None where a count says so itself
    samples: Any,  # Samples per question; None: the fewest that fit
    confidence_level: float,  # Level of the intervals
) -> Audit:  # Counts that fit, intervals, and the difference of two
    """What one share or two can mean.

    Raises: `ValueError` or `TypeError` for what is no share, or that no count gives.
    """
    shares = [read_share(name, value, questions, samples) for name, value in given.items()]
    shared = share_samples(shares)
    rows = tuple(one.describe(shared, confidence_level) for one in shares)
    gap = None if len(rows) < 2 else published_difference(rows[0], rows[1], confidence_level)
    return Audit(rows, confidence_level, gap)


@dataclass(frozen=True)
class Share:
    "A share as it was published, and what is known of the samples behind it."
    name: str  # The option that it was given for
    text: str
    value: Fraction
    half: Fraction  # Half of its last digit; 0 for a count
    questions: int
    samples: int | None  # Samples of each question; None where they are not known

    def range_right(self, samples: int) -> tuple[int, int]:
        "Fewest and most right samples that are rounded to the share; none if they cross."
        total = self.questions * samples
        least, most = (self.value + sign * self.half for sign in (-1, 1))
        return max(0, ceil(least * total)), min(total, floor(most * total))

    def fits(self, samples: int) -> bool:
        low, high = self.range_right(samples)
        return low <= high

    def list_fits(self) -> tuple[int, ...]:
        "Samples per question that fit."
        tried = range(1, TRIED + 1) if self.samples is None else (self.samples,)
        return tuple(filter(self.fits, tried))

    def find_near(self, samples: int) -> tuple[int, int]:
        "The right samples just below the share, and just above."
        total = self.questions * samples
        below = min(floor(self.value * total), total - 1)
        return below, below + 1

    def describe(self, samples: int, confidence_level: float) -> PublishedNumber:
        "The counts that fit with so many samples of each question, and intervals."
        low, high = self.range_right(samples)
        apart = limit_range(low, high, self.questions * samples, confidence_level)
        alike = round_questions(low, high, samples)
        together = limit_range(*alike, self.questions, confidence_level)
        near = () if self.samples is not None or self.fits(1) else self.find_near(1)
        least = max(Fraction(0), self.value - self.half)
        most = min(Fraction(1), self.value + self.half)
        return PublishedNumber(
            self.text, float(self.value), float(least), float(most), self.questions, samples,
            self.list_fits(), TRIED if self.samples is None else 0, low, high, together, apart,
            near)


def round_questions(low: int, high: int, samples: int) -> tuple[int, int]:
    "Right questions, as if the samples of a question agreed, that hold a range of right samples."
    return low // samples, -(-high // samples)


def limit_range(low: int, high: int, total: int, level: float) -> Interval:
    "The interval that holds those of all counts of a range."
    tail = (1 - level) / 2
    ends = (float(clopper_pearson_limits(low, total, tail)[0]),
            float(clopper_pearson_limits(high, total, tail)[1]))
    return Interval(*ends, level, "new_questions", Method("clopper-pearson", True))


# What was given.

def read_share(name: str, given: Any, questions: Any, samples: Any) -> Share:
    "A share from text or a number."
    if isinstance(given, bool) or not isinstance(given, (str, int, float)):
        raise OptionTypeError(name, "a published number is text such as '0.843' or '26/30', or a "
                                    "float", found=type(given).__name__)
    text = given if isinstance(given, str) else repr(given)
    if is_written_count(text): return read_count(name, text, questions, samples)
    found = re.fullmatch(NUMBER, text, re.ASCII)
    if found is None:
        raise OptionError(name, "a published number is a share such as 0.843, 84.3% or 26/30",
                          found=repr(text), hint="several of one log are pass@1 38.0, pass@2 "
                          "44.7, and runs 219 213 223 of 260")
    digits, sign = found.groups()
    number, scale = Decimal(digits), 100 if sign else 1
    if not 0 <= number <= scale: refuse_share(name, text, number, bool(sign))
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    half = Fraction(10)**min(exponent, 0) / 2
    size = check_size("questions", questions)
    if size is None:
        raise OptionError("questions", f"how many questions are behind {text}?", found="no number",
                          hint=f"{option('questions', 30)}, or write the count as 26/30")
    return check_fit(Share(name, text, Fraction(number) / scale, half / scale, size,
                           check_size("samples", samples)))


def read_count(name: str, text: str, questions: Any, samples: Any) -> Share:
    "A share from right samples and all of them."
    right, total = read_written_count(text, name)
    size, each = check_size("questions", questions), check_size("samples", samples)
    known = size or total // (each or 1)
    if total % known or each not in (None, total // known):
        asked = [name_option(one) for one, value in (("questions", size), ("samples", each))
                 if value is not None]
        raise OptionError("questions", f"{text} counts {total} samples, which {' and '.join(asked)}"
                                       " must divide evenly", found=str(size or each))
    return Share(name, text, Fraction(right, total), Fraction(0), known, total // known)


def check_size(name: str, given: Any) -> int | None:
    "A number of questions or samples."
    if given is None: return None
    whole = isinstance(given, (int, float, np.number)) and not isinstance(given, bool)
    if not whole or given % 1 or not 1 <= given <= MOST_SAMPLES:
        raise OptionError(name, must=f"be a whole number from 1 to {MOST_SAMPLES:,}", got=given)
    return int(given)


def refuse_share(name: str, text: str, number: Decimal, in_percent: bool) -> None:
    "Refuse a number that no share of right samples is."
    fits = not in_percent and 1 < number <= 100
    raise OptionError(name, "a share lies between 0 and 1, or 0% and 100%", found=repr(text),
                      hint=f"in percent it is {text.strip()}%" if fits else "")


def check_fit(share: Share) -> Share:
    "Refuse a share that no count of its questions and samples is rounded to."
    if share.list_fits(): return share
    samples = share.samples or TRIED
    total = share.questions * samples
    near = " and ".join(f"{one}/{total} = {one / total:.4g}" for one in share.find_near(samples))
    most = replace(share, samples=None)
    fits = most.list_fits()[:5]
    which = f"{share.questions:,} questions with {samples:,} sample{'s' * (samples != 1)} each"
    if share.samples is None:
        which = f"{share.questions:,} questions with 1 to {TRIED} samples each"
    hint = (f"it fits {option('samples', *fits)}" if fits else
            f"is it a share of these {share.questions:,} questions?")
    raise OptionError(share.name, f"no count of {which} is rounded to {share.text}",
                      where=f": nearest are {near}", hint=hint)


def share_samples(shares: list[Share]) -> int:
    "The fewest samples per question that fit every share, or those that were given."
    found = set(shares[0].list_fits()).intersection(*(one.list_fits() for one in shares[1:]))
    if found: return min(found)
    each = " and ".join(f"{one.text} ({', '.join(map(str, one.list_fits()[:4]))})"
                        for one in shares)
    raise OptionError("samples", "two numbers are compared with as many samples per question",
                      found=each, hint="audit them one at a time")


# Two numbers.

def published_difference(
    first: PublishedNumber, second: PublishedNumber, confidence_level: float,
) -> PublishedDifference:
    "The second number less the first, as if their questions were independent."
    a, b = ((one.right_least, one.right_most) for one in (first, second))
    apart = spread_differences(a, b, first.total, second.total, confidence_level)
    samples, alike = first.samples, apart
    if samples > 1:
        alike = spread_differences(round_questions(*a, samples), round_questions(*b, samples),
                                   first.questions, second.questions, confidence_level)
    verdict: AuditVerdict = "unknown"
    if excludes_zero(alike): verdict = "significant"
    elif not apart.possible: verdict = "not significant"
    paired = None
    if samples == 1 and first.questions == second.questions:
        paired = min(least_paired_p(one, other) for one in a for other in b)
    return PublishedDifference(
        second.value - first.value, alike.interval, alike.p, apart.interval, apart.p,
        verdict, alike.exact and apart.exact, paired)


@dataclass(frozen=True)
class Spread:
    "The intervals of all pairs of counts that fit, as one."
    interval: Interval
    p: float  # The largest
    possible: bool  # Whether any pair differs significantly
    exact: bool


def excludes_zero(found: Spread | IndependentDifference) -> bool:
    return found.interval.low > 0 or found.interval.high < 0


def spread_differences(
    a: tuple[int, int], b: tuple[int, int], count_a: int, count_b: int, confidence_level: float,
) -> Spread:
    "What the pairs of counts that are nearest to each other, and farthest apart, say."
    pairs = {(a[1], b[0]), (a[0], b[1]), find_nearest(a, b, count_a, count_b)}
    found = [independent_difference(one, count_a, other, count_b, confidence_level)
             for one, other in sorted(pairs)]
    ends = min(one.interval.low for one in found), max(one.interval.high for one in found)
    return Spread(replace(found[0].interval, low=ends[0], high=ends[1]),
                  max(one.p for one in found), any(map(excludes_zero, found)),
                  all(one.exact for one in found))


def find_nearest(
    a: tuple[int, int], b: tuple[int, int], count_a: int, count_b: int,
) -> tuple[int, int]:
    "The pair of counts whose shares are nearest."
    pairs = [(one, min(max(round(one * count_b / count_a), b[0]), b[1]))
             for one in range(a[0], a[1] + 1)]
    return min(pairs, key=lambda pair: abs(pair[0] * count_b - pair[1] * count_a))
