"""The interval of an estimate: its ends, and how they were computed."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..inference.estimate import UPPER_BOUND, Estimate, Estimates, default_method
from ..inference.strata import Strata
from ..inference.units import Units
from ..inference.fixed_questions import Fixed
from ..records import dataclass
from .base import Data
from .style import Rng

__all__ = ["Method", "Interval", "NO_INTERVAL", "find_interval", "find_intervals"]

EXACT = "gaffke", "clopper-pearson"  # Methods that hold at least their level
RESTS_ON_SPREAD = "t", "bootstrap"  # Methods without an interval where the data show no spread


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
        if (method or default_method(units)) in RESTS_ON_SPREAD: return NO_INTERVAL
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
    own = Method(method or default_method(units), level, False, bound,
                 strata=isinstance(units, Strata))
    if isinstance(units, Units): own = add_units(own, units)
    own = replace(own, exact=own.name in EXACT and own.max_weight is None)
    if own.name == "bootstrap" and not isinstance(rng, np.random.Generator):
        own = replace(own, seed=int(rng or 0))
    if own.name != "gaffke" or not isinstance(units, Units) or not is_plain(units):
        return [own] * budgets
    binary = replace(own, same_as="clopper-pearson")
    shares = ((units.total == 0) | (units.total == 1)).all(0)
    return [binary if one else own for one in shares.tolist()]


def add_units(method: Method, units: Units) -> Method:
    "A method with what its units tell."
    assumed = units.assumed if method.name == "gaffke" else None
    return replace(method, max_weight=assumed, weighted=units.weighted,
                   clusters=units.count if units.clustered else None)


def is_plain(units: Units) -> bool:
    "Whether units are single questions of equal weight with values in [0, 1]."
    return not (units.clustered or units.weighted) and units.bounds == (0, 1)
