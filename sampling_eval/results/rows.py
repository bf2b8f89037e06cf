"""Rows of a report: an estimate, its interval and its weights."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, Self

import numpy as np

from ..inference.estimate import Estimate, Estimates, Interval as Ends, UPPER_BOUND, find_method
from ..inference.fixed_questions import Fixed
from ..inference.intervals import METHODS
from ..inference.strata import Strata
from ..inference.units import Units
from ..inference.weights import Weights
from .base import Data, Rng, Unit, live

__all__ = ["Method", "Interval", "NO_INTERVAL", "find_interval", "find_intervals", "Weighted",
           "tell_weights", "Bound", "Row", "name_at", "name_family"]


# Intervals


@dataclass(frozen=True, eq=False)
class Method(Data):
    "How an interval was computed."
    name: str  # As `method=` takes it: `gaffke`, `gamma`, `t`, `bootstrap`, ...
    level: float  # Confidence level
    exact: bool  # Whether it holds at least its level, assuming nothing but the range of scores
    upper_bound: bool = False  # Whether that of the same questions has the spread of new ones
    max_weight: float | None = None  # Largest weight, where it is assumed that none is larger
    same_as: str = ""  # Another name of the same interval, `clopper-pearson`
    clusters: int | None = None  # Groups of questions it is over; None for single questions
    weighted: bool = False  # Whether the questions have weights
    strata: bool = False  # Whether it is of a mean over fixed groups
    seed: int | None = None  # Seed of a method that draws; None for a generator that was given


@dataclass(frozen=True, eq=False)
class Interval(Data):
    "Both ends of an interval, and its method; all None where there is none."
    low: float | None = None
    high: float | None = None
    method: Method | None = None


NO_INTERVAL = Interval()


def find_interval(
    estimate: Estimate,  # Mean with the units behind it
    confidence_level: float = .95,  # Level of the interval
    method: str | None = None,  # Interval method; None is the package default
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
) -> Interval:
    """The interval of an estimate; none where the method needs a spread that the data do not show.

    Raises: `ValueError` where the method does not apply.
    """
    units = estimate.units
    if units is not None and estimate.stderr is None:
        if METHODS[find_method(units, method)].needs_spread: return NO_INTERVAL
    found = estimate.confidence_interval(confidence_level, method, rng=rng)
    assert units is not None  # The interval would have been refused
    bound = UPPER_BOUND in estimate.stderr_kind
    own, = list_methods(units, 1, confidence_level, method, rng, bound)
    return Interval(found.low, found.high, own)


def find_intervals(
    estimates: Estimates | tuple[Estimate, ...],  # Means at several budgets; a tuple has none
    confidence_level: float = .95,  # Level of the intervals
    method: str | None = None,  # Interval method; None is the package default
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
) -> list[Interval]:
    """The interval at each budget; none where the data do not show the spread it needs.

    Raises: `ValueError` where the method does not apply.
    """
    if not isinstance(estimates, Estimates): return [NO_INTERVAL] * len(estimates)
    low, high, _ = estimates.ends(confidence_level, method, rng)
    bound = UPPER_BOUND in (estimates.kind or "")
    own = list_methods(estimates.units, len(estimates), confidence_level, method, rng, bound)
    ends = zip(low.tolist(), high.tolist(), own, strict=True)
    return [NO_INTERVAL if np.isnan(one) else Interval(one, other, named)
            for one, other, named in ends]


def list_methods(
    units: Units | Fixed | Strata,  # What the means are computed from, at one budget or many
    budgets: int,  # How many there are
    level: float,  # Confidence level
    method: str | None = None,  # Interval method; None is the package default
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
    bound: bool = False,  # Whether they are of the same questions with the spread of new ones
) -> Sequence[Method]:
    "The method of the interval at each budget."
    own = Method(find_method(units, method), level, False, bound,
                 strata=isinstance(units, Strata))
    if isinstance(units, Units): own = add_units(own, units)
    own = replace(own, exact=METHODS[own.name].exact and own.max_weight is None)
    if METHODS[own.name].draws and not isinstance(rng, np.random.Generator):
        own = replace(own, seed=int(rng or 0))
    if own.name != "gaffke" or not isinstance(units, Units): return [own] * budgets
    if own.clusters is not None or own.weighted or units.bounds != (0, 1): return [own] * budgets
    binary = replace(own, same_as="clopper-pearson")
    shares = ((units.total == 0) | (units.total == 1)).all(0)
    return [binary if one else own for one in shares.tolist()]


def add_units(method: Method, units: Units) -> Method:
    "A method with what its units tell."
    assumed = units.assumed if method.name == "gaffke" else None
    return replace(method, max_weight=assumed, weighted=units.weighted,
                   clusters=units.count if units.clustered else None)


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


def tell_weights(
    weights: Weights | None,  # Weights of questions; None where all weigh the same
    method: Method | None = None,  # Method of the interval
) -> Weighted | None:
    "The facts on weights that a row carries."
    if weights is None: return None
    assumed = None if method is None else method.max_weight
    return Weighted(weights.name, weights.effective, weights.largest * weights.unit,
                    weights.declared, assumed)


# Rows


@dataclass(frozen=True, eq=False)
class Bound(Data):
    "Where missing samples are counted both ways: what they count as in a row."
    missing: Literal["wrong", "right"]
    group: str  # Group of questions of the row, without what its missing samples count as


@dataclass(frozen=True, eq=False)
class Row(Data):
    "One number of a report."
    metric: str  # Name with its budget, such as `pass@8`
    k: int | None  # Samples kept per trial; None for a mean over all samples
    estimate: float  # Mean over questions
    stderr: float | None  # Its standard error; None where undefined
    low: float | None  # Lower end of the interval; None where undefined
    high: float | None  # Upper end
    questions: int  # Number of questions averaged
    n_min: int  # Fewest samples of a question
    n_max: int  # Most samples of a question
    missing: int  # Samples without an outcome
    estimator: str  # Estimator by name
    stderr_kind: str = ""  # What the standard error is over
    interval: Method | None = None  # Method of the interval; None without one
    model: str = ""  # System, if the data name one
    group: str = ""  # Group of questions, if asked for
    reason: str = ""  # Why a standard error or interval is undefined
    band_low: float | None = None  # Lower edge of the band over all budgets of the metric
    band_high: float | None = None  # Upper edge
    band: str = ""  # Method of the band
    again_low: float | None = None  # Lower end for the same questions
    again_high: float | None = None  # Upper end
    again_interval: Method | None = None  # Its method
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
        names = dict(interval=self.interval and self.interval.name,
                     again_interval=self.again_interval and self.again_interval.name,
                     bound=self.bound and self.bound.missing)
        return self.to_dict() | {field: name or "" for field, name in names.items()}

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
    ) -> Ends:
        """The interval at another level, or by another method.

        Raises: `ValueError` where the method does not apply, or the row was read from JSON.
        """
        if self.source is not None:
            return self.source.confidence_interval(confidence_level, method, rng=rng)
        name = "none" if self.interval is None else self.interval.name
        raise ValueError(f"{self.metric} holds its stored interval only ({name}); "
                         "score the data again for another one")


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
