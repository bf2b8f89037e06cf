"""What several printed numbers of one log can mean: a curve of metrics, or totals of runs."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, comb, floor
from typing import Any

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...spelling import option
from ...foundations.counts import Counts
from ...inference.intervals import Interval, Method
from ...inference.published import Point, can_count, find_bend, rounding_excess
from ...inference.quantiles import t_quantile
from ...inference.rerun import spread_runs
from ...metrics.catalog import Metric, find_metric
from .result import PublishedCurve, PublishedRuns, PublishedValue

SHARE = r"(?:\d+\.?\d*|\.\d+)"
NAMED = rf"([a-zA-Z][\w-]*[@^][\w.]+)\s*[:=]?\s*({SHARE}\s*%?)"
SEVERAL = rf"\s*{NAMED}(?:[\s,;]+{NAMED})*\s*"
TOTALS = r"\s*(\d+(?:[\s,;]+\d+)+)(?:\s*of\s*(\d+))?\s*"
TRIED = 64  # Samples per question that are tried where none are given
ROUNDING = 1e-7  # What a linear program may miss by itself
AGAINST = {"pass@k": False, "pass^k": True}  # Whether it counts the wrong samples


# Which of them it is.

def read_values(given: Any) -> dict[str, str] | None:
    "Printed values by metric; None where something else was given."
    if isinstance(given, Mapping):
        return {name: one if isinstance(one, str) else repr(one) for name, one in given.items()}
    if not isinstance(given, str) or not re.fullmatch(SEVERAL, given, re.ASCII): return None
    found = re.findall(NAMED, given, re.ASCII)
    if len(found) == len(dict(found)): return dict(found)
    raise OptionError("number", must="name each metric once", found=repr(given))


def read_totals(given: Any, questions: int | None) -> tuple[list[int], int] | None:
    "Right questions of each run, and the questions of a run; None where something else was given."
    listed = isinstance(given, (list, tuple, np.ndarray))
    text = " ".join(map(str, given)) if listed else given
    found = re.fullmatch(TOTALS, text, re.ASCII) if isinstance(text, str) else None
    if found is None:
        if isinstance(given, str): return None
        raise OptionTypeError("number", "runs are whole numbers of right questions, two at least",
                              found=f"{given!r:.60}", hint="such as [219, 213, 223]")
    totals = [int(one) for one in re.findall(r"\d+", found[1])]
    size = int(found[2]) if found[2] else questions
    if size is None:
        raise OptionError("questions", "how many questions has a run?", found="no number",
                          hint=f"{option('questions', 260)}, or write 219 213 of 260")
    if questions not in (None, size):
        raise OptionError("questions", f"the text says {size} questions", found=str(questions))
    if max(totals) > size or size < 1:
        raise OptionError("number", f"a run has at most {size} right questions",
                          found=str(max(totals)))
    return totals, size


# A curve.

@dataclass(frozen=True, eq=False)
class Printed:
    "A metric at a budget, and what was printed of it."
    metric: Metric
    k: int
    text: str
    value: Fraction
    half: Fraction  # Half of its last digit

    @property
    def label(self) -> str: return self.metric.label(self.k)

    @property
    def least(self) -> Fraction: return max(Fraction(0), self.value - self.half)

    @property
    def most(self) -> Fraction: return min(Fraction(1), self.value + self.half)

    def on_states(self, samples: int) -> np.ndarray:
        "The metric of a question with 0 to all of so many samples right."
        right = np.arange(samples + 1)
        counts = Counts(np.full(samples + 1, samples), right)
        return self.metric.values(counts, np.array([self.k]))[:, 0]

    def fits(self, questions: int, samples: int) -> bool:
        "Whether a mean over so many questions can be rounded to it."
        if self.metric.name not in AGAINST: return True
        total = questions * comb(samples, self.k)
        return ceil(self.least * total) <= floor(self.most * total)


def audit_curve(
    given: Mapping[str, str], questions: int | None, samples: int | None,
) -> PublishedCurve:
    """Whether one log can show all of some values.

    Raises: `ValueError` for metrics that are no credit of counts or state no budget, and for values
    that are no shares.
    """
    printed = read_printed(given)
    if not printed: raise OptionError("number", "several values need a metric each", found="none")
    largest = max(one.k for one in printed)
    if samples is not None and samples < largest:
        raise OptionError("samples", f"k={largest} needs {largest} samples", found=str(samples))
    each = samples or largest
    fits = tuple(fitting_samples(printed, questions, samples)) if questions is not None else ()
    miss = measure_miss(printed, each)
    bends = {name: find_bend(family_points(printed, name)) for name in AGAINST}
    family = next((name for name, bend in bends.items() if bend is not None), "")
    bend = bends.get(family)
    possible = bend is None and miss == 0 and (questions is None or bool(fits))
    return PublishedCurve(
        tuple(published_values(printed)), possible, each, samples is not None, questions, fits,
        miss, family,
        () if bend is None else tuple(one.k for one in bend.points),
        () if bend is None else turn(bend.gains, AGAINST[family]))


def turn(gains: Iterable[float], against: bool) -> tuple[float, ...]:
    return tuple(-one if against else one for one in gains)


def read_printed(given: Mapping[str, str]) -> list[Printed]:
    "Metrics with their values by ascending budget."
    numbers = {name: read_number(name, text) for name, text in given.items()}
    # Without a sign they are percent as soon as one of them is no share.
    whole = any(number > 1 and "%" not in given[name] for name, number in numbers.items())
    found = []
    for name, number in numbers.items():
        metric, k = parse_credit_metric(name)
        scale = 100 if whole or "%" in given[name] else 1
        exponent = number.as_tuple().exponent
        assert isinstance(exponent, int)
        if number > scale:
            raise OptionError("number", f"{name} lies between 0 and {scale}", found=given[name])
        half = Fraction(10)**min(exponent, 0) / 2 / scale
        found.append(Printed(metric, k, given[name].strip(), Fraction(number) / scale, half))
    return sorted(found, key=lambda one: (one.metric.name, one.k))


def read_number(name: str, text: str) -> Decimal:
    "The number in a text, with all its digits."
    try: number = Decimal(text.rstrip("% "))
    except InvalidOperation: number = Decimal("nan")
    if number.is_finite() and number >= 0: return number
    raise OptionError("number", f"{name} must be a share such as 0.380 or 38.0%", found=repr(text))


def parse_credit_metric(name: str) -> tuple[Metric, int]:
    "A metric that is a credit of counts, and its budget."
    (metric, *more), k = find_metric(name)
    if metric.at == "n": k = 1
    if metric.credit is None or more or k is None:
        raise OptionError("number", "an audit knows metrics that follow from the number of right "
                                    "samples, with their budgets, such as pass@8", got=name)
    return metric, k


def family_points(printed: Sequence[Printed], name: str) -> list[Point]:
    "Values of one family; those of pass^k as the share with a wrong sample, which bends alike."
    own = [one for one in printed if one.metric.name == name]
    return [Point(one.k, 1 - one.value if AGAINST[name] else one.value, one.half) for one in own]


def measure_miss(printed: Sequence[Printed], samples: int) -> float:
    "By how much rounding must be exceeded; 0 where it need not."
    miss = rounding_excess(*make_rules(printed, samples))
    return miss if miss > ROUNDING else 0.


def make_rules(
    printed: Sequence[Printed], samples: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    "Each metric on questions with 0 to all samples right, and the ends of what is rounded to it."
    return (np.array([one.on_states(samples) for one in printed]),
            np.array([float(one.least) for one in printed]),
            np.array([float(one.most) for one in printed]))


def fitting_samples(
    printed: Sequence[Printed], questions: int, samples: int | None,
) -> Iterator[int]:
    "Samples per question with which so many questions can give every value."
    largest = max(one.k for one in printed)
    tried = range(largest, max(TRIED, largest) + 1) if samples is None else (samples,)
    for each in tried:
        grid = all(one.fits(questions, each) for one in printed)
        if not grid or measure_miss(printed, each): continue
        if can_count(*make_rules(printed, each), questions): yield each


def published_values(printed: Sequence[Printed]) -> Iterator[PublishedValue]:
    "Each value, and what a sample adds to the one before it."
    last: Printed | None = None
    for one in printed:
        step = None
        if last is not None and last.metric is one.metric:
            step = float((one.value - last.value) / (one.k - last.k))
        yield PublishedValue(one.label, one.k, one.text, float(one.value), float(one.least),
                             float(one.most), step)
        last = one


# Totals of runs.

def audit_runs(totals: Sequence[int], questions: int, confidence_level: float) -> PublishedRuns:
    "The mean of runs of one system on the same questions, and whether their spread is chance."
    tail = (1 - confidence_level) / 2
    found = spread_runs(totals, questions, confidence_level)
    half = float(t_quantile(tail, len(totals) - 1)) * found.stderr
    low, high = max(0., (found.mean - half) / questions), min(1., (found.mean + half) / questions)
    same = None if half == 0 else Interval(low, high, confidence_level, "same_questions",
                                           Method("t", False))
    return PublishedRuns(
        tuple(totals), questions, found.mean / questions, same, found.spread, found.interval,
        found.largest, found.p, found.p >= 1 - confidence_level)
