"""Estimates with their standard errors, and confidence intervals by name.

`estimates_of` makes the estimates of sampling units at all budgets; `Estimates.ends` finds their
intervals by a method of the tables at the end, for the two targets of `TARGETS`.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import index
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..spelling import option
from ..foundations.checks import faults, make_generator
from ..parameters import Target
from .fixed_questions import Fixed
from .gaffke import gaffke_limits
from .quantiles import check_level, clopper_pearson_limits, find_t, wilson_limits
from .strata import Strata
from .units import Units


TARGETS = get_args(Target)
ASSUMPTION_FREE = "assumption-free"  # The default of one system, as it is asked for by name
UPPER_BOUND = ", an upper bound for this benchmark"


def check_target(
    target: Any,  # Name of a target
) -> Target:  # The same
    "One of the two targets, or an error."
    if target not in TARGETS: raise OptionError("target", choices=tuple(TARGETS), got=target)
    return target


@dataclass(frozen=True)
class Interval:
    "A range of plausible values, with the level and the method by name."
    low: float  # Lower end
    high: float  # Upper end
    confidence_level: float = .95  # Share of such intervals that should hold the truth
    method: str = ""  # How it was computed

    def __repr__(self):
        return (f"[{self.low:.4g}, {self.high:.4g}] "
                f"({100*self.confidence_level:.12g} %, {self.method})")


@dataclass(frozen=True)
class Estimate:
    """A mean over questions, what it was computed from, and its standard error.

    Parameters:
        value        Mean over questions
        stderr       Standard error of the mean; None where the data show none
        questions    Number of questions
        n_min        Fewest samples of a question
        n_max        Most samples of a question
        k            Samples kept per trial
        estimator    How the value of a question was estimated
        stderr_kind  Over what the standard error was taken
        missing      Samples without an outcome
        reason       Why `stderr` is None
        units        `Units`, `Fixed` or `Strata`

    Two estimates are equal if they say the same; what they were computed from is not
    compared.
    """
    value: float  # Mean over questions
    stderr: float | None  # Standard error of the mean; None where the data show none
    questions: int  # Number of questions
    n_min: int | None = None  # Fewest samples of a question
    n_max: int | None = None  # Most samples of a question
    k: int | None = None  # Samples kept per trial
    estimator: str = ""  # How the value of a question was estimated
    stderr_kind: str = "over questions"  # Over what the standard error was taken
    missing: int = 0  # Samples without an outcome
    reason: str = ""  # Why `stderr` is None
    units: Any = field(default=None, repr=False, compare=False)  # `Units`, `Fixed` or `Strata`

    def __repr__(self):
        error = f"no stderr: {self.reason}"
        if self.stderr is not None:
            error = f"stderr {self.stderr:.4g} {self.stderr_kind}"
        return f"Estimate({self.value:.6g}, {error}, {self.questions} questions)"

    def to_dict(self) -> dict:
        "What the estimate says, as plain values for JSON."
        names = [part.name for part in fields(self) if part.name != "units"]
        return {name: getattr(self, name) for name in names}

    def confidence_interval(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Name of the method; None is the package default
        *,
        rng: int | np.random.Generator | None = None,  # Seed or generator for methods that draw
    ) -> Interval:  # Ends, level and method
        """Interval around the estimate.

        Value: by default `gaffke` for questions and clusters of known range, `gamma`
        for fixed questions and fixed groups, `t` where the range is unknown.

        Raises: `ValueError` where the method does not apply, with the reason.
        """
        check_level(confidence_level)
        if self.units is None:
            why = self.reason or "the estimate does not hold its values"
            raise ValueError(f"no interval: {why}")
        method = find_method(self.units, method)
        if method == "t" and self.stderr is None:
            own, other = "the default method has one", f"pass {option('bounds')} for one"
            advice = other if self.units.bounds is None else own
            raise OptionError("method", f"no plain t interval: {self.reason}", hint=advice)
        if method == "bootstrap" and self.stderr is None:
            need_units(self, "the bootstrap", "the default method has an interval")
            raise ValueError(f"no bootstrap interval: {self.reason}, "
                             "and redrawing it gives none; the default method has one "
                             "where the range is known")
        low, high, names = estimates_of(self.units).ends(confidence_level, method, rng)
        return Interval(float(low[0]), float(high[0]), confidence_level, names[0])


@dataclass(frozen=True, eq=False, repr=False)
class Estimates(Sequence):
    "The means of one metric at several budgets; item `i` is the `Estimate` at one."
    units: Units | Fixed | Strata  # What the means are computed from, at all budgets
    kind: str | None = None  # Over what the errors are taken; None is what the units say
    k: np.ndarray | None = None  # Samples kept per trial at each; None for averages
    facts: dict = field(default_factory=dict)  # Further fields of each estimate

    @cached_property
    def value(self) -> np.ndarray:
        "Mean at each budget, shape `(K,)`."
        return np.atleast_1d(self.units.mean())

    @cached_property
    def stderr(self) -> np.ndarray:
        "Standard error at each budget, shape `(K,)`; nan where the data show none."
        variance = np.atleast_1d(self.units.variance())
        return np.sqrt(np.where(variance > 0, variance, np.nan))

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        "Why there is no standard error at a budget; empty where there is one."
        absent = np.isnan(self.stderr)
        if not absent.any(): return ("",) * len(absent)
        reason = explain_no_spread(self.units)
        return tuple(reason if none else "" for none in absent)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        "Over what the error is taken at each budget."
        guessed = np.ndim(getattr(self.units, "guessed", 0)) > 0
        if self.kind or not guessed: return (self.kind or self.units.kind,) * len(self)
        return tuple(self.units.at(i).kind for i in range(len(self)))

    @cached_property
    def questions(self): return count_questions(self.units)

    def __len__(self): return len(self.value)

    def __getitem__(self, i):
        "The estimate at one budget."
        i = range(len(self))[index(i)]
        units = self.units.at(i) if np.ndim(self.units.mean()) else self.units
        error, k = float(self.stderr[i]), None if self.k is None else self.k[i]
        known = not np.isnan(error)
        return Estimate(
            float(self.value[i]), error if known else None, self.questions,
            k=k if k is None else index(k), reason=self.reasons[i],
            stderr_kind=self.kinds[i], units=units, **self.facts)

    def some(
        self,
        places: np.ndarray,  # Positions of some budgets
    ) -> Estimates:  # The same at these
        "The estimates at some of the budgets, of units that are drawn anew."
        assert isinstance(self.units, Units)
        units = replace(self.units, total=self.units.total[:, places])
        return replace(self, units=units, k=None if self.k is None else self.k[places])

    def __repr__(self):
        return f"Estimates({len(self)} budgets, {self.questions} questions)"

    def ends(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Name of the method; None is the package default
        rng: int | np.random.Generator | None = None,  # Seed or generator for methods that draw
    ) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:  # Lower, upper ends `(K,)`, methods
        """Ends of the interval at each budget, and the name of its method.

        Value: as `confidence_interval` of each estimate; nan and the name `none` where
        the method needs a spread that the data do not show.

        Raises: `ValueError` where the method does not apply, with the reason.
        """
        check_level(confidence_level)
        method = find_method(self.units, method)
        tail = (1 - confidence_level) / 2
        row = METHODS[method]
        if row.at_once: low, high, names = row.limits(self, tail)
        else: low, high, names = one_by_one(self, tail, method, rng)
        # Adding 0 turns -0. into 0.
        low, high = np.minimum(low, self.value) + 0., np.maximum(high, self.value) + 0.
        return low, high, tuple(names)


def estimates_of(
    units: Units | Fixed | Strata,  # What the means are computed from, at one budget or many
    kind: str | None = None,  # What the standard errors are over; None is what the units say
    *,
    k: ArrayLike | None = None,  # Samples kept per trial at each budget
    **facts,  # Further fields of each estimate, such as `n_min` and `estimator`
) -> Estimates:  # The means with their errors
    "The estimates of units at all their budgets."
    return Estimates(units, kind, None if k is None else np.atleast_1d(k), facts)


def estimate_from(
    units: Units | Fixed | Strata,  # What the mean is computed from, at one budget
    kind: str | None = None,  # What the standard error is over; None is what the units say
    **facts,  # Further fields of the estimate, such as `k` and `n_min`
) -> Estimate:  # The mean with its error
    "The estimate of units at one budget, with its error or the reason for none."
    return estimates_of(units, kind, **facts)[0]


def one_by_one(estimates, tail, method, rng):
    "Ends by a method that knows one budget at a time; nan where no spread is seen."
    found = [METHODS[method].limits(one, tail, rng) for one in estimates]
    low, high, names = zip(*found)
    return np.array(low, float), np.array(high, float), names


def count_questions(units):
    "How many questions stand behind a mean."
    if isinstance(units, Strata):
        return sum(count_questions(part) for part in units.parts)
    if isinstance(units, Fixed): return int(units.times.sum())
    if units.asked is not None: return units.asked
    return round(units.questions) if units.clustered else units.count


def explain_no_spread(
    units: Units | Fixed | Strata,  # What the mean is computed from
) -> str:  # The reason in words
    "Why there is no standard error."
    if isinstance(units, Fixed):
        return ("the samples of each question agree, "
                "which shows no variation within questions")
    if isinstance(units, Strata): return "no group shows a spread"
    what = "cluster" if units.clustered else "question"
    if units.count == 1: return f"one {what} shows no spread"
    return f"all {units.count} {what}s have the same value, which shows no spread"


def default_method(
    units: Units | Fixed | Strata,  # What an interval is computed from
) -> str:  # Name of a method
    "The method that is taken where none is named."
    if units.bounds is None: return "t"
    return "gamma" if isinstance(units, (Fixed, Strata)) else "gaffke"


def find_method(
    units: Units | Fixed | Strata,  # What an interval is computed from
    method: str | None,  # Name of a method; None is the default
) -> str:  # Name of a method
    "The method by name, or the default; an error for an unknown one."
    if method == ASSUMPTION_FREE:
        need_bounds(units, f"the {ASSUMPTION_FREE} interval")
        method = None
    method = default_method(units) if method is None else method
    if method in METHODS: return method
    raise OptionError("method", choices=(ASSUMPTION_FREE, *METHODS), got=method)


def limits_by_gaffke(estimates, tail):
    "Limits at all budgets; for single 0/1 answers they are Clopper and Pearson's."
    units = need_units(estimates, "gaffke", "the default is 'gamma'")
    name, weighted = "gaffke", units.weighted
    if units.clustered: name += f" over {units.count} clusters"
    if weighted: name += " over weighted questions"
    if units.assumed is not None:
        name += f" (approximate: assumes no larger weight than {units.assumed:g})"
    plain = not (units.clustered or weighted) and units.bounds == (0, 1)
    same = plain & ((units.total == 0) | (units.total == 1)).all(0)
    names = [name + " = clopper-pearson" * bool(one) for one in same]
    return *gaffke_limits(units, tail), names


def limits_by_gamma(estimates, tail):
    "Limits at all budgets for fixed questions, or fixed groups."
    units = need_fixed(estimates.units)
    names = [name_gamma(units)] * len(estimates)
    return *map(np.atleast_1d, units.limits(tail)), names


def need_fixed(
    units: Units | Fixed | Strata,  # What gamma is asked about
) -> Fixed | Strata:  # The same
    "Fixed questions or groups whose values have a range, which gamma is for."
    if isinstance(units, Units):
        raise OptionError("method", "gamma is for fixed questions or groups of known noise",
                          found="questions drawn anew",
                          hint="the default method has an interval")
    need_bounds(units, "gamma")
    return units


def name_gamma(
    units: Fixed | Strata,  # What an interval is computed from
) -> str:  # Its name
    "The name of the gamma interval of fixed questions, or of fixed groups."
    place = "over strata" if isinstance(units, Strata) else "within questions"
    return f"gamma {place} (approximate)"


def need_units(
    estimate: Estimate,  # What a method is asked about
    name: str,  # Name of the method
    advice: str,  # What to take instead
) -> Units:  # Its units
    "Units that are drawn anew, which fixed questions and groups are not."
    if isinstance(estimate.units, Units): return estimate.units
    rule = f"{name} draws questions anew, which is {option('target', 'new_questions')}"
    raise OptionError("method", f"{rule} without fixed groups", hint=advice)


def need_bounds(units, name):
    "An error where a method needs the range of values and it is not known."
    if units.bounds is not None: return
    raise OptionError("method", f"{name} needs bounded values", found="bounds=None",
                      hint=f"use {option('method', 't')}")


def limits_by_t(estimates, tail):
    "Limits at all budgets, inside the range where it is known; nan where no spread is seen."
    units = estimates.units
    if isinstance(units, Strata): df = [units.at(i).df() for i in range(units.budgets)]
    else: df = [units.count - 1 if isinstance(units, Units) else np.inf]
    half = np.array([find_t(tail, one) if one > 0 else np.nan for one in df]) * estimates.stderr
    names = ["none" if none else "t (approximate)" for none in np.isnan(half)]
    least, most = units.bounds or (-np.inf, np.inf)
    low, high = (np.clip(estimates.value + one, least, most) for one in (-half, half))
    return low, high, names


def limits_by_anchored_t(estimates, tail):
    "Limits at all budgets, with an invented unit at either end of the range."
    units = need_units(estimates, "anchored-t", "the default is 'gamma'")
    need_bounds(units, "anchored-t")
    more = units.anchored()
    half = find_t(tail, more.df()) * np.sqrt(more.variance())
    low, high = (np.clip(more.mean() + o, *units.bounds) for o in (-half, half))
    return low, high, ["anchored-t (approximate)"] * len(estimates)


def limits_by_bootstrap(estimate, tail, rng, draws=2000):
    "Quantiles of the means of redrawn units."
    if estimate.stderr is None: return np.nan, np.nan, "none"
    units = need_units(estimate, "the bootstrap", "the default method has an interval")
    seed = "rng given" if isinstance(rng, np.random.Generator) else f"seed {rng or 0}"
    low, high = np.quantile(draw_means(units, rng, draws), [tail, 1 - tail])
    return low, high, f"bootstrap, {seed} (approximate)"


def draw_means(
    units: Units,  # Units at one budget
    rng: int | np.random.Generator | None = None,  # Seed or generator; None is seed 0
    draws: int = 2000,  # How many samples of units are drawn
) -> np.ndarray:  # Mean of each, shape `(draws,)`
    "Means of units that are drawn anew from those there are."
    rows, state = np.unique(np.c_[units.total, units.size], axis=0, return_inverse=True)
    times = np.bincount(state.ravel(), units.times)
    rng = make_generator(rng)
    block = max(1, 2**22 // len(rows))
    blocks = [min(block, draws - i) for i in range(0, draws, block)]
    chance = times / times.sum()
    drawn = [rng.multinomial(units.count, chance, m) @ rows for m in blocks]
    sums = np.concatenate(drawn)
    return sums[:, 0] / sums[:, 1]


def count_right(estimate, name):
    "Right answers and questions, where each question has one right or wrong answer."
    units = need_units(estimate, name, "the default method has an interval")
    rule = f"{name} needs one 0/1 outcome per independent question"
    if units.clustered:
        raise ValueError(f"{rule}, got clusters; the default method takes them")
    if units.weighted:
        raise ValueError(f"{rule}, got weights; the default method takes them")
    if units.bounds != (0, 1):
        raise ValueError(f"{rule}, got bounds={units.bounds}; "
                         "the default method takes any range")
    if (bad := ~np.isin(units.total[:, 0], (0, 1))).any():
        raise ValueError(f"{rule}, got {units.total[bad][0, 0]:.4g}{faults(bad)}; "
                         "the default method takes any value in [0, 1]")
    return int(round(units.mean()[0] * units.count)), units.count


def limits_by_wilson(estimate, tail, rng):
    right, count = count_right(estimate, "wilson")
    return *wilson_limits(right, count, tail), "wilson (approximate)"


def limits_by_clopper_pearson(estimate, tail, rng):
    right, count = count_right(estimate, "clopper-pearson")
    return *clopper_pearson_limits(right, count, tail), "clopper-pearson"


class MethodRow(NamedTuple):
    "An interval method: how its limits are computed, and what follows from it elsewhere."
    limits: Callable  # Of estimates at all budgets and a tail; of one also with `rng`
    at_once: bool = True  # Whether at all budgets
    exact: bool = False  # Whether it holds at least its level, assuming nothing but the range
    anew: bool = False  # Whether for new questions alone
    needs_spread: bool = False  # Whether it has no interval where the data show no spread
    draws: bool = False  # Whether it has a seed
    binary: bool = False  # Whether of single right or wrong answers alone
    sources: tuple[str, ...] = ()  # Keys of the bibliography


METHODS = {
    "gaffke": MethodRow(limits_by_gaffke, exact=True, anew=True,
                        sources=("gaffke2005", "vlassis2026")),
    "gamma": MethodRow(limits_by_gamma, sources=("fay1997",)),
    "anchored-t": MethodRow(limits_by_anchored_t, anew=True),
    "t": MethodRow(limits_by_t, needs_spread=True),
    "bootstrap": MethodRow(limits_by_bootstrap, at_once=False, anew=True, needs_spread=True,
                           draws=True),
    "wilson": MethodRow(limits_by_wilson, at_once=False, binary=True),
    "clopper-pearson": MethodRow(limits_by_clopper_pearson, at_once=False, exact=True, binary=True,
                                 sources=("clopper1934",))}
interval_methods = tuple(METHODS)


def is_anew(
    method: str | None,  # Interval method; None: the one that decides
) -> bool:
    "Whether a method that was named is for new questions alone."
    return method == ASSUMPTION_FREE or method in METHODS and METHODS[method].anew
