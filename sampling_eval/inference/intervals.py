"""Plumbing: estimates with their standard errors, and confidence intervals by name.

`estimates_of` makes the estimates of sampling units at all budgets; `Estimates.intervals` finds
their intervals by a method of `INTERVAL_METHODS` at the end, for the two targets of `TARGETS`. A
method is its function and its row there: help, refusals, the text on methods and its sources
follow.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import index
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..spelling import option
from ..foundations.checks import faults, make_generator
from ..parameters import Target
from .fixed_questions import Fixed
from .gaffke import gaffke_chances, gaffke_limits
from .quantiles import check_level, t_quantile
from .shares import clopper_pearson_limits, wilson_limits
from .units import Strata, Units
from .unseen import chance_above_zero_of_sum


TARGETS = get_args(Target)
# The default of one system, as it is asked for by name; `FREE`, below the table, is what it means.
ASSUMPTION_FREE = "assumption-free"
USUAL = "t"  # What decides where enough stands behind it, or no range is known
UPPER_BOUND = ", an upper bound for this benchmark"
Unit: TypeAlias = Literal["share", "score"]  # A share of 1, or a score on a scale of its own


def check_target(
    target: Any,  # Name of a target
) -> Target:  # The same
    "One of the two targets, or an error."
    if target not in TARGETS: raise OptionError("target", choices=tuple(TARGETS), got=target)
    return target


@dataclass(frozen=True)
class Method:
    "How an interval was computed."
    name: str  # As `method=` takes it: `gaffke`, `gamma`, ...; or in words
    # Whether it holds at least its level, assuming nothing but the range; None: the name says it
    exact: bool | None = None
    upper_bound: bool = False  # Whether that of the same questions has the spread of new ones
    max_weight: float | None = None  # Largest weight, where it is assumed that none is larger
    same_as: str = ""  # Another name of the same interval, `clopper-pearson`
    clusters: int | None = None  # Groups of questions it is over; None for single questions
    weighted: bool = False  # Whether the questions have weights
    strata: bool = False  # Whether it is of a mean over fixed groups
    seed: int | None = None  # Seed of a method that draws; None for a generator that was given

    def __str__(self):
        row = INTERVAL_METHODS.get(self.name)
        said = self.name
        # An approximate method is called the same over clusters.
        if row and row.exact:
            if self.clusters is not None: said += f" over {self.clusters} clusters"
            if self.weighted: said += " over weighted questions"
        if row and row.fixed: said += " over strata" if self.strata else " within questions"
        if row and row.draws: said += ", rng given" if self.seed is None else f", seed {self.seed}"
        if self.same_as: said += f" = {self.same_as}"
        if self.max_weight is not None:
            return f"{said} (approximate: assumes no larger weight than {self.max_weight:g})"
        return said + " (approximate)" * (self.exact is False)


@dataclass(frozen=True)
class Interval:
    "A range of plausible values, and what it is of: the form of every interval of an estimate."
    low: float  # Lower end
    high: float  # Upper end
    level: float = .95  # Share of such intervals that should hold the truth; NaN: its holder says
    target: Target | None = None  # The questions it is about; None: as what holds it says
    method: Method = Method("")  # How it was computed
    unit: Unit = "share"  # Of its ends

    def __repr__(self):
        return f"[{self.low:.4g}, {self.high:.4g}] ({100*self.level:.12g} %, {self.method})"


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
        name = resolve_method(self.units, method)
        check_method(self.units, name)
        if INTERVAL_METHODS[name].needs_spread and self.stderr is None:
            own, other = "the default method has one", f"pass {option('bounds')} for one"
            advice = other if self.units.bounds is None else own
            raise OptionError("method", f"no {name} interval: {self.reason}", hint=advice)
        one = estimates_of(self.units, self.stderr_kind)
        found, = one.intervals(confidence_level, name, rng)
        assert found is not None  # It has the spread it needs
        return found


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
    ) -> tuple[np.ndarray, np.ndarray]:  # Lower and upper ends, shape `(K,)`
        """Ends of the interval at each budget.

        Value: as `confidence_interval` of each estimate; nan where the method needs a
        spread that the data do not show.

        Raises: `ValueError` where the method does not apply, with the reason.
        """
        check_level(confidence_level)
        name = resolve_method(self.units, method)
        check_method(self.units, name)
        tail = (1 - confidence_level) / 2
        row = INTERVAL_METHODS[name]
        low, high = row.limits(self, tail) if row.at_once else one_by_one(self, tail, row, rng)
        # Adding 0 turns -0. into 0.
        return np.minimum(low, self.value) + 0., np.maximum(high, self.value) + 0.

    def intervals(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Name of the method; None is the package default
        rng: int | np.random.Generator | None = None,  # Seed or generator for methods that draw
        unit: Unit = "share",  # Of the values
    ) -> list[Interval | None]:  # One a budget; None where `ends` has none
        """The interval at each budget.

        Raises: `ValueError` where the method does not apply, with the reason.
        """
        low, high = self.ends(confidence_level, method, rng)
        bound = UPPER_BOUND in (self.kind or "")
        target = find_target(self.units, bound)
        name = resolve_method(self.units, method)
        said = methods_by_budget(self.units, name, len(self), bound, rng)
        ends = zip(low.tolist(), high.tolist(), said, strict=True)
        return [None if np.isnan(lower)
                else Interval(lower, upper, confidence_level, target, how, unit)
                for lower, upper, how in ends]


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


def one_by_one(estimates, tail, row, rng):
    "Ends by a method that knows one budget at a time; nan where no spread is seen."
    low, high = zip(*(row.limits(one, tail, rng) for one in estimates))
    return np.array(low, float), np.array(high, float)


def find_target(
    units: Units | Fixed | Strata,  # What an interval is computed from
    bound: bool = False,  # Whether it is of the same questions with the spread of new ones
) -> Target:
    "What an interval is about."
    if isinstance(units, Strata): return find_target(units.parts[0], bound)
    return "same_questions" if bound or isinstance(units, Fixed) else "new_questions"


def methods_by_budget(
    units: Units | Fixed | Strata,  # What the means are computed from, at one budget or many
    name: str,  # Interval method
    budgets: int = 1,  # How many there are
    bound: bool = False,  # Whether they are of the same questions with the spread of new ones
    rng: int | np.random.Generator | None = None,  # Seed of methods that draw; None is seed 0
) -> list[Method]:
    "How the interval at each budget is computed."
    row, facts = INTERVAL_METHODS[name], dict[str, Any]()
    exact = row.exact
    if isinstance(units, Units):
        assumed = units.assumed if exact else None
        exact = exact and assumed is None
        facts = dict(max_weight=assumed, weighted=units.weighted,
                     clusters=units.count if units.clustered else None)
    if row.draws and not isinstance(rng, np.random.Generator): facts |= dict(seed=int(rng or 0))
    own = Method(name, exact, bound, strata=isinstance(units, Strata), **facts)
    if not (row.same_as and isinstance(units, Units)): return [own] * budgets
    if units.clustered or units.weighted or units.bounds != (0, 1): return [own] * budgets
    other = replace(own, same_as=row.same_as)
    right_or_wrong = ((units.total == 0) | (units.total == 1)).all(0)
    return [other if one else own for one in right_or_wrong.tolist()]


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
    if units.bounds is None: return USUAL
    return "gamma" if isinstance(units, (Fixed, Strata)) else FREE


def resolve_method(
    units: Units | Fixed | Strata,  # What an interval is computed from
    method: str | None,  # Name of a method; None is the default
) -> str:  # Name of a method
    "The method by name, or the default; an error for an unknown one."
    if method == ASSUMPTION_FREE:
        need_bounds(units, f"the {ASSUMPTION_FREE} interval")
        method = None
    method = default_method(units) if method is None else method
    if method in INTERVAL_METHODS: return method
    raise OptionError("method", choices=(ASSUMPTION_FREE, *INTERVAL_METHODS), got=method)


def check_method(
    units: Units | Fixed | Strata,  # What an interval is computed from
    name: str,  # Method of the table
) -> None:
    "An error for units that a method does not know."
    row = INTERVAL_METHODS[name]
    anew = isinstance(units, Units)
    if (row.anew or row.binary) and not anew:
        rule = f"{name} draws questions anew, which is {option('target', 'new_questions')}"
        raise OptionError("method", f"{rule} without fixed groups",
                          hint=f"the default is {default_method(units)!r}")
    if row.fixed and anew:
        raise OptionError("method", f"{name} is for fixed questions or groups of known noise",
                          found="questions drawn anew",
                          hint="the default method has an interval")
    if row.bounded: need_bounds(units, name)
    if row.binary: check_binary(units, name)


def need_bounds(units, name):
    "An error where a method needs the range of values and it is not known."
    if units.bounds is not None: return
    raise OptionError("method", f"{name} needs bounded values", found="bounds=None",
                      hint=f"use {option('method', USUAL)}")


def check_binary(units, name):
    "An error unless each question has one right or wrong answer."
    rule = f"{name} needs one 0/1 outcome per independent question"
    if units.clustered:
        raise ValueError(f"{rule}, got clusters; the default method takes them")
    if units.weighted:
        raise ValueError(f"{rule}, got weights; the default method takes them")
    if units.bounds != (0, 1):
        raise ValueError(f"{rule}, got bounds={units.bounds}; "
                         "the default method takes any range")
    if (bad := ~np.isin(units.total, (0, 1)).all(1)).any():
        first = units.total[bad][0]
        raise ValueError(f"{rule}, got {first[~np.isin(first, (0, 1))][0]:.4g}{faults(bad)}; "
                         "the default method takes any value in [0, 1]")


def is_anew(
    method: str | None,  # Interval method; None: the one that decides
) -> bool:
    "Whether a method that was named is for new questions alone."
    return method == ASSUMPTION_FREE or row_of(method).anew


def row_of(
    method: str | None,  # Interval method
) -> MethodRow:  # None of whose columns is set where there is no such method
    "What is known of a method: nothing where none was named, or JSON has one of another version."
    return INTERVAL_METHODS.get(method or "", NO_METHOD)


# The methods: limits, and the level at which they begin to leave out zero.


class Inverted(NamedTuple):
    "What an interval says of the mean zero."
    p: float  # One minus the largest level at which it leaves out zero
    test: str  # Name of the test
    smallest: float = 0.  # The smallest p value that data of this size can reach


def side_of_zero(estimate):
    "The sign of the side of zero, seen from the mean: -1 for a mean above zero."
    return -1 if estimate.value > 0 else 1


def limits_by_gaffke(estimates, tail):
    "Limits at all budgets; for single 0/1 answers they are Clopper and Pearson's."
    return gaffke_limits(estimates.units, tail)


def invert_gaffke_limits(estimate, rng):
    "Twice the tail of the limit on the side of zero: only that one can pass it."
    units = estimate.units
    low, high = units.bounds
    # The clearest data possible: every unit won, or every one lost, by everything.
    least = 2 * (min(high, -low) / (high - low))**units.count
    # Units of different size have no closed form; their clearest data are tested.
    if (units.size != units.top).any():
        ends = (end * units.size[:, None] for end in (low, high))
        least = min(2 * min(gaffke_chances(replace(units, total=total))) for total in ends)
    name = "gaffke, inverted" + f" over {units.count} clusters" * units.clustered
    return Inverted(2 * gaffke_chances(units)[estimate.value < 0], name, min(1., least))


def limits_by_gamma(estimates, tail):
    "Limits at all budgets for fixed questions, or fixed groups."
    return map(np.atleast_1d, estimates.units.limits(tail))


def invert_gamma(estimate, rng):
    moments = estimate.units.moments(side_of_zero(estimate))
    name = methods_by_budget(estimate.units, "gamma")[0]
    return Inverted(2 * chance_above_zero_of_sum(moments), f"{name}, inverted")


def limits_by_anchored_t(estimates, tail):
    "Limits at all budgets, with an invented unit at either end of the range."
    more = estimates.units.anchored()
    half = t_quantile(tail, more.df()) * np.sqrt(more.variance())
    return (np.clip(more.mean() + o, *more.bounds) for o in (-half, half))


def invert_anchored_t(estimate, rng):
    from scipy.special import stdtr
    more = estimate.units.anchored()
    ratio = side_of_zero(estimate) * more.mean()[0] / more.variance()[0]**.5
    return Inverted(2 * stdtr(more.df(), ratio), "anchored-t (approximate), inverted")


def limits_by_t(estimates, tail):
    "Limits at all budgets, inside the range where it is known; nan where no spread is seen."
    units = estimates.units
    if isinstance(units, Strata): df = [units.at(i).df() for i in range(units.budgets)]
    else: df = [units.count - 1 if isinstance(units, Units) else np.inf]
    half = np.array([t_quantile(tail, one) if one > 0 else np.nan for one in df]) * estimates.stderr
    least, most = units.bounds or (-np.inf, np.inf)
    return (np.clip(estimates.value + one, least, most) for one in (-half, half))


def invert_t(estimate, rng):
    "Two-sided p value of a mean in units of its standard error."
    from scipy.special import ndtr, stdtr
    ratio = -abs(estimate.value) / estimate.stderr
    if not isinstance(estimate.units, Units):
        return Inverted(2 * ndtr(ratio), "normal (approximate)")
    df = estimate.units.count - 1
    return Inverted(2 * stdtr(df, ratio), f"t (approximate), {df:g} degrees of freedom")


def limits_by_bootstrap(estimate, tail, rng, draws=2000):
    "Quantiles of the means of redrawn units; nan where no spread is seen."
    if estimate.stderr is None: return np.nan, np.nan
    return np.quantile(draw_means(estimate.units, rng, draws), [tail, 1 - tail])


def invert_bootstrap(estimate, rng):
    "Twice the share of drawn means up to zero, between two of them by a straight line."
    name = "bootstrap (approximate), inverted"
    sums = np.sort(-side_of_zero(estimate) * draw_means(estimate.units, rng))
    passed = int(np.searchsorted(sums, 0, "right"))
    if passed in (0, len(sums)): return Inverted(2. * (passed > 0), name)
    below, above = sums[passed - 1:passed + 1]
    return Inverted(2 * (passed - 1 - below / (above - below)) / (len(sums) - 1), name)


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


def count_right(estimate):
    "Right answers and questions."
    return int(round(estimate.value * estimate.units.count)), estimate.units.count


def limits_by_wilson(estimate, tail, rng): return wilson_limits(*count_right(estimate), tail)


def limits_by_clopper_pearson(estimate, tail, rng):
    return clopper_pearson_limits(*count_right(estimate), tail)


class MethodRow(NamedTuple):
    "An interval method: how its limits are computed, and what follows from it elsewhere."
    limits: Callable  # Both, of estimates at all budgets and a tail; of one also with `rng`
    invert: Callable | None = None  # `Inverted`, of an estimate and `rng`; None: no p value
    at_once: bool = True  # Whether at all budgets
    free: bool = False  # Whether `assumption-free` means it, where questions are drawn anew
    exact: bool = False  # Whether it holds at least its level, assuming nothing but the range
    anew: bool = False  # Whether for new questions alone
    fixed: bool = False  # Whether for fixed questions or fixed groups alone
    groups: bool = False  # Whether it knows a mean over groups
    bounded: bool = False  # Whether it refuses values without a range
    advises: bool = False  # Whether it tells what more data would do; else the default does
    needs_spread: bool = False  # Whether it has no interval where the data show no spread
    draws: bool = False  # Whether it has a seed
    binary: bool = False  # Whether of single right or wrong answers alone
    banded: bool = False  # Whether a band over all budgets stands beside it
    same_as: str = ""  # Method that it equals for single right or wrong answers
    sources: tuple[str, ...] = ()  # Keys of the bibliography


INTERVAL_METHODS = {
    "gaffke": MethodRow(
        limits_by_gaffke, invert_gaffke_limits, free=True, exact=True, anew=True, banded=True,
        same_as="clopper-pearson", sources=("gaffke2005", "vlassis2026")),
    "gamma": MethodRow(limits_by_gamma, invert_gamma, fixed=True, groups=True, bounded=True,
                       sources=("fay1997",)),
    "anchored-t": MethodRow(limits_by_anchored_t, invert_anchored_t, anew=True, bounded=True,
                            banded=True),
    USUAL: MethodRow(limits_by_t, invert_t, groups=True, advises=True, needs_spread=True),
    "bootstrap": MethodRow(limits_by_bootstrap, invert_bootstrap, at_once=False, anew=True,
                           needs_spread=True, draws=True),
    "wilson": MethodRow(limits_by_wilson, at_once=False, binary=True),
    "clopper-pearson": MethodRow(limits_by_clopper_pearson, at_once=False, exact=True, binary=True,
                                 sources=("clopper1934",))}
interval_methods = tuple(INTERVAL_METHODS)
FREE, = (name for name, row in INTERVAL_METHODS.items() if row.free)
NO_METHOD = MethodRow(one_by_one)  # Of a name that is none: no column is set
