"""Rows of a report: an estimate, its interval and its weights."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, Self

from ..inference.intervals import (
    Estimate, Estimates, Interval, INTERVAL_METHODS, Unit, resolve_method)
from ..inference.units import Weights
from .base import Data, HasInterval, Rng, ends, live

__all__ = ["interval_of", "intervals_of", "Weighted", "weighted_of", "WHOLE", "Bound", "Row",
           "name_method", "name_at", "name_family"]


# Intervals


def interval_of(
    estimate: Estimate,  # Mean with the units behind it
    confidence_level: float = .95,  # Level of the interval
    method: str | None = None,  # Interval method; None is the package default
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
    unit: Unit = "share",  # Of the mean
) -> Interval | None:
    """The interval of an estimate; None where it needs a spread that the data do not show.

    Raises: `ValueError` where the method does not apply.
    """
    units = estimate.units
    if units is not None and estimate.stderr is None:
        if INTERVAL_METHODS[resolve_method(units, method)].needs_spread: return None
    return replace(estimate.confidence_interval(confidence_level, method, rng=rng), unit=unit)


def intervals_of(
    estimates: Estimates | tuple[Estimate, ...],  # Means at several budgets; a tuple has none
    confidence_level: float = .95,  # Level of the intervals
    method: str | None = None,  # Interval method; None is the package default
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
    unit: Unit = "share",  # Of the means
) -> list[Interval | None]:
    """The interval at each budget; None where the data do not show the spread it needs.

    Raises: `ValueError` where the method does not apply.
    """
    if not isinstance(estimates, Estimates): return [None] * len(estimates)
    return estimates.intervals(confidence_level, method, rng, unit)


# Weights of questions


@dataclass(frozen=True, eq=False)
class Weighted(Data):
    "How the questions of a number are weighted."
    weighted_by: str  # Column of the weights, or words for it
    effective_questions: float  # Questions of equal weight that say about as much
    largest_weight: float  # Largest weight that a question may have
    largest_weight_declared: bool  # Whether it was declared; else it is the largest seen
    # The same where the interval assumes it and is approximate therefore; else None.
    assumed_largest_weight: float | None = None


def weighted_of(
    weights: Weights | None,  # Weights of questions; None where all weigh the same
    interval: Interval | None = None,  # What assumes one of the weights
) -> Weighted | None:
    "The facts on weights that a row carries."
    if weights is None: return None
    assumed = None if interval is None else interval.method.max_weight
    return Weighted(weights.name, weights.effective, weights.largest * weights.unit,
                    weights.declared, assumed)


# Rows

WHOLE = "", "all questions"  # Groups of rows over all questions of a model


@dataclass(frozen=True, eq=False)
class Bound(Data):
    "Where missing samples are counted both ways: what they count as in a row."
    missing: Literal["wrong", "right"]
    group: str  # Group of questions of the row, without what its missing samples count as


@dataclass(frozen=True, eq=False)
class Row(HasInterval, Data):
    "One number of a report."
    metric: str  # Name with its budget, such as `pass@8`
    k: int | None  # Samples kept per trial; None for a mean over all samples
    estimate: float  # Mean over questions
    stderr: float | None  # Its standard error; None where undefined
    # None where undefined
    interval: Interval | None = field(metadata=ends(method="interval", before="model"))
    questions: int  # Number of questions averaged
    n_min: int  # Fewest samples of a question
    n_max: int  # Most samples of a question
    missing: int  # Samples without an outcome
    estimator: str  # Estimator by name
    stderr_kind: str = ""  # What the standard error is over
    model: str = ""  # System, if the data name one
    group: str = ""  # Group of questions, if asked for
    reason: str = ""  # Why a standard error or interval is undefined
    # At this budget, of the band over all budgets of the metric
    band: Interval | None = field(
        default=None, metadata=ends("band_low", "band_high", words="band"))
    # For the same questions, beside that for new ones
    again: Interval | None = field(default=None, metadata=ends(
        "again_low", "again_high", method="again_interval", target="same_questions"))
    short_of: int = 0  # Samples that questions have fewer than `n_max` each, in all
    weights: Weighted | None = None  # How questions are weighted; None where all weigh the same
    unit: Unit = "share"  # Of the estimate and its interval
    of_groups: int | None = None  # Groups of which it is the mean; None for a mean over questions
    bound: Bound | None = None  # None unless missing samples are counted both ways
    estimates: Sequence[Estimate] | None = live()  # What it is made of; None in a row from JSON
    place: int = live()  # Its position there

    def to_dict(self) -> dict[str, Any]:
        "All fields as plain Python values; those on weights only where there are some."
        told = super().to_dict()
        return told | (told.pop("weights") or {})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        "The same again, without what it is made of."
        told = dict(values)
        if "weighted_by" in told: told["weights"] = told
        return super().from_dict(told)

    def to_flat(self) -> dict[str, Any]:
        "The same as a line of a spreadsheet: methods by name."
        names = dict(interval=name_method(self.interval), again_interval=name_method(self.again),
                     bound="" if self.bound is None else self.bound.missing)
        return self.to_dict() | names

    @property
    def group_alone(self) -> str:
        "The group of questions, without what missing samples count as."
        return self.group if self.bound is None else self.bound.group

    @property
    def source(self) -> Estimate | None:
        "What the row is made of; None in a row that was read from JSON."
        return None if self.estimates is None else self.estimates[self.place]

    @property
    def samples(self) -> str:
        "Samples per question, as a number or a range."
        return f"{self.n_min}" if self.n_min == self.n_max else f"{self.n_min}..{self.n_max}"

    def confidence_interval(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Name of the method; None is the package default
        *,
        rng: Rng = None,  # Seed or generator for methods that draw
    ) -> Interval:
        """The interval at another level, or by another method.

        Raises: `ValueError` where the method does not apply, or the row was read from JSON.
        """
        if self.source is not None:
            return self.source.confidence_interval(confidence_level, method, rng=rng)
        name = name_method(self.interval) or "none"
        raise ValueError(f"{self.metric} holds its stored interval only ({name}); "
                         "score the data again for another one")


def name_method(interval: Interval | None) -> str:
    "The name of its method; empty without an interval."
    return "" if interval is None else interval.method.name


@lru_cache(4096)  # A report asks for each name many times
def name_family(
    metric: str,  # Name with its budget, such as `pass@8`
) -> str:  # Name without it, such as `pass@k`
    "The name that a metric has at all its budgets."
    return re.sub(r"(?<=[@^])\d+", "k", metric, count=1)


def name_at(
    family: str,  # Name without its budget, such as `pass@k`
    k: int,  # Its budget
) -> str:  # Name with it, such as `pass@8`
    "The name that a metric has at one of its budgets."
    return re.sub(r"(?<=[@^])k", str(k), family, count=1)
