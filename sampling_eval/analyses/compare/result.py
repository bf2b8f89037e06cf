"""The results of `compare`: B minus A of two systems, and ranks and all pairs of several."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from string import ascii_lowercase
from typing import Any, Literal, Self, TYPE_CHECKING

import numpy as np

from ...inference.comparison import Comparison, Comparisons, Move, TOGETHER
from ...inference.curves import PairedCurve
from ...inference.estimate import Estimates, Interval as Ends, find_method
from ...inference.ranking import NO_TEST, Ranking
from ...inference.significance import PValue
from ...parameters import Target
from ...results.base import Data, Result, Rng, Style, Unit, later, live
from ...results.cautions import Caution
from ...results.columns import Absent, Columns
from ...results.reading import Alignment, ReadSummary
from ...results.rows import (NO_INTERVAL, Interval, Method, Weighted, find_interval, find_intervals,
                             tell_weights)
from ...results.verdict import (
    Advice, Equivalence, Evidence, Sign, WithoutAssumptions, find_evidence, find_without,
    judge_interval, pick_estimate, run_test)
from ..score.result import EqualSpending

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Difference", "DifferenceCurve", "SystemCurve", "PairwiseComparison", "Move",
           "make_differences", "make_curves", "flatten", "Pair", "Ranks", "MultipleComparison",
           "make_pairs", "make_ranks", "letter_models"]

LOADED = ("JSON holds the printed interval and p value only, not the values of the questions; "
          "compare the data again for others")


@dataclass(frozen=True, eq=False)
class Difference(Data):
    """B minus A in one metric at one budget.

    Intervals and tests are computed from `comparison` when they are first asked for.
    """
    metric: str  # Name with its budget, such as `pass@8`
    k: int | None  # Samples kept per trial; None for a mean over all samples
    a: float = later(lambda row: row.known.average(row.known.a))  # Mean of A
    b: float = later(lambda row: row.known.average(row.known.b))  # Mean of B
    difference: float = later(lambda row: row.known.difference)  # B minus A
    stderr: float | None = later(lambda row: row.known.stderr)  # Paired; None where undefined
    # Standard error had the questions differed
    stderr_unpaired: float | None = later(lambda row: row.known.stderr_unpaired)
    correlation: float | None = later(lambda row: row.known.correlation)  # Over questions
    # New questions: ends of the interval, None where undefined, and how they were computed
    low: float | None = later(lambda row: row.found.low)
    high: float | None = later(lambda row: row.found.high)
    interval: Method | None = later(lambda row: row.found.method)
    # Same questions
    again_low: float | None = later(lambda row: row.found_again.low)
    again_high: float | None = later(lambda row: row.found_again.high)
    again_interval: Method | None = later(lambda row: row.found_again.method)
    p: float | None = later(lambda row: row.tested and row.tested.value)  # The same as `pvalue`
    test: str = later(lambda row: row.tested.method if row.tested else "none")  # Name of the test
    null: str = later(lambda row: row.name_null())  # Its null hypothesis
    # The smallest p value that data of this size can reach
    smallest: float | None = later(lambda row: row.tested and row.tested.smallest or None)
    wins: int = later(lambda row: row.known.wins)  # Questions on which B is ahead
    ties: int = later(lambda row: row.known.ties)
    losses: int = later(lambda row: row.known.losses)  # Questions on which A is ahead
    # Cautious posterior probability that B is better on new questions
    chance: float | None = later(lambda row: row.known.chance)
    questions: int = later(lambda row: row.known.estimate.questions)  # Common questions
    stderr_kind: str = later(lambda row: row.known.estimate.stderr_kind)
    estimator: str = ""  # Estimator of a question's value
    reason: str = later(lambda row: row.known.estimate.reason)  # Why there is no standard error
    # Two-sided p value of the interval that gives the verdict; None without one
    pvalue: float | None = later(lambda row: row.p)
    # The assumption-free interval for new questions; None where the range of values is not known,
    # for the same questions, and beside another method that was named
    without_assumptions: WithoutAssumptions | None = None
    evidence: Evidence | None = later(lambda row: find_evidence(row.known))  # Behind a t interval
    named_test: dict[str, Any] | None = later(lambda row: row.find_test())  # The one asked for
    # Range in which the differences were stated to lie; None where none was
    bounds: tuple[float, float] | None = later(lambda row: row.known.stated)
    confidence_level: float = .95  # Level of the intervals of this row
    method: str = later(lambda row: row.name_method())  # Interval that gives the verdict
    method_asked: bool = False  # Whether it was asked for by name
    target: Target = "new_questions"  # What tests and verdict are about
    unit: Unit = "share"  # Whether 0.01 is a point
    verdict: Sign = later(lambda row: judge_interval(*row.span()))  # Of the target
    weights: Weighted | None = later(lambda row: row.find_weights())  # None where all are equal
    comparison: Comparison | None = live()  # B against A
    style: Style | None = live()  # How it is judged

    def to_dict(self) -> dict[str, Any]:
        "All stored fields as plain Python values; those on weights where there are some."
        told = super().to_dict()
        weights = told.pop("weights")
        return told | (weights or {})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        weighted = values if "weighted_by" in values else None
        return super().from_dict(dict(values) | dict(weights=weighted))

    def to_flat(self) -> dict[str, Any]: return flatten(self.to_dict())

    @property
    def new_method(self) -> str:
        "Name of the interval for new questions; empty without one."
        return "" if self.interval is None else self.interval.name

    @property
    def known(self) -> Comparison:
        "What the row was computed from."
        if self.comparison is None: raise ValueError(LOADED)
        return self.comparison

    @cached_property
    def found(self) -> Interval: return self._find_interval("new_questions")

    @cached_property
    def found_again(self) -> Interval: return self._find_interval("same_questions")

    def _find_interval(self, target: Target) -> Interval:
        assert self.style is not None
        method = self.style.name_interval(target)
        if method is not None: self._same_draws
        method = method or self.known.deciding_method(target)
        estimate = pick_estimate(self.known, target)
        return find_interval(estimate, self.confidence_level, method, self.style.rng)

    @cached_property
    def _same_draws(self) -> Rng:
        # A generator would give the p value other draws than the interval.
        assert self.style is not None
        return deepcopy(self.style.rng) if self.style.draws_in_order else self.style.rng

    @cached_property
    def tested(self) -> PValue | None:
        "The interval of the verdict, inverted; None where there is no such interval."
        assert self.style is not None
        rng = self._same_draws
        if self.span()[0] is None: return None
        return self.known.invert(self.style.interval, target=self.target, rng=rng)

    def name_null(self) -> str:
        "The null hypothesis of the test."
        if self.tested is None: return ""
        return "weighted " * (self.weights is not None) + self.tested.null

    def find_test(self) -> dict[str, Any] | None:
        "The test that was asked for by name, with its own null hypothesis."
        if self.style is None or self.style.test is None: return None
        return run_test(self.known, self.style.test, self.target, self.style.rng)

    def name_method(self) -> str:
        "Name of the interval that gives the verdict."
        units = pick_estimate(self.known, self.target).units
        assert units is not None and self.style is not None
        return find_method(units, self.style.interval or self.known.deciding_method(self.target))

    def find_weights(self) -> Weighted | None:
        "How questions are weighted."
        weights = None if self.comparison is None else self.comparison.pairs.weights
        return None if weights is None else tell_weights(weights, self.interval)

    def span(self,
        target: str | None = None,  # `new_questions` or `same_questions`; None is the row's own
    ) -> tuple[float | None, float | None]:  # Lower and upper end, None where there is none
        "The interval for one of the targets."
        asked = target or self.target
        if asked == "new_questions": return self.low, self.high
        return self.again_low, self.again_high

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
        *,
        target: Target | None = None,  # `new_questions` or `same_questions`; None is the row's own
        rng: int | np.random.Generator | None = None,  # Seed of methods that draw
    ) -> Ends:  # Ends, level and method
        """Another interval around the difference.

        Raises: `ValueError` where the method does not apply, and for a row read from JSON.
        """
        target = target or self.target
        return self.known.confidence_interval(confidence_level, method, target=target, rng=rng)

    def run_test(self,
        method: str | None = None,  # Test as in `Comparison.test`; None is the target's own
        *,
        target: Target | None = None,  # `new_questions` or `same_questions`; None is the row's own
        rng: int | np.random.Generator | None = None,  # Seed of tests that draw
    ) -> PValue:  # Two-sided p value with its null hypothesis
        """Another test of the difference.

        Raises: `ValueError` where the test does not apply, and for a row read from JSON.
        """
        return self.known.test(method, target=target or self.target, rng=rng)

    def __getstate__(self) -> dict[str, Any]:
        if self.comparison is None: return vars(self)
        self.to_dict()  # A row is computed before it travels
        return vars(self) | dict(comparison=fix_credit(self.comparison))


def flatten(
    told: dict[str, Any],  # Fields of a row by name
) -> dict[str, Any]:  # The same with a column for every number, and methods by name
    "A row as a line of a spreadsheet."
    flat = dict(told)
    for name, kind in ("without_assumptions", WithoutAssumptions), ("evidence", Evidence):
        one = flat.pop(name, None) or dict.fromkeys(part.name for part in fields(kind))
        flat |= {f"{name}_{part}": value for part, value in one.items()}
    named = flat.pop("named_test") or dict(method=None, pvalue=None)
    flat |= dict(named_test=named["method"], named_pvalue=named["pvalue"])
    methods = {name: flat[name] for name in ("interval", "again_interval") if name in flat}
    flat |= {name: "" if one is None else one["name"] for name, one in methods.items()}
    low, high = flat.pop("bounds") or (None, None)
    return flat | dict(bounds_low=low, bounds_high=high)


def make_differences(
    labels: Sequence[str],  # Name of the metric at each budget
    budgets: Sequence[int | None],  # Samples kept per trial at each
    comparisons: Comparisons,  # B against A at each
    style: Style,  # Level, interval, test, target and rng
    estimator: str = "",  # Estimator of a question's value
    unit: Unit = "share",  # Of the metric
) -> tuple[Difference, ...]:
    """The rows of a comparison, which share what is computed for all budgets at once.

    Raises: `ValueError` where a named method or test does not apply.
    """
    known: list[dict[str, Any]] = [{} for _ in labels]
    # A generator is drawn from in the order of the rows.
    if not style.draws_in_order: known = list_ends(comparisons, style)
    if shows_without(style):
        level = style.confidence_level
        known = [dict(one, without_assumptions=without)
                 for one, without in zip(known, list_without(comparisons, level))]
    whole: dict[str, Any] = dict(estimator=estimator, unit=unit, target=style.target, style=style,
                                 confidence_level=style.confidence_level,
                                 method_asked=style.interval is not None)
    rows = tuple(Difference(label, k, comparison=comparison, **ends, **whole)
                 for label, k, comparison, ends in zip(labels, budgets, comparisons, known))
    if style.draws_in_order:
        for row in rows: row.to_dict()
    elif style.may_refuse:
        # A method or a test that does not apply says so now.
        for row in rows: row.tested, row.named_test
    return rows


def shows_without(
    style: Style,  # How a difference is judged
) -> bool:
    "Whether the assumption-free interval stands beside the one that decides."
    strict = None, "assumption-free", "gaffke"
    return style.interval in strict and style.target == "new_questions"


def list_without(
    comparisons: Comparisons,  # B against A at each budget
    confidence_level: float,  # Level of the intervals
) -> list[WithoutAssumptions | None]:
    "The assumption-free interval and p value at each budget."
    if comparisons.estimates.units.bounds is None: return [None] * len(comparisons)
    low, high, _ = comparisons.estimates.ends(confidence_level, "gaffke")
    tests = (one.invert("gaffke") for one in comparisons)
    return [WithoutAssumptions(*ends, test.value, judge_interval(*ends))
            for ends, test in zip(zip(low.tolist(), high.tolist()), tests)]


def list_ends(comparisons: Comparisons, style: Style) -> list[dict[str, Any]]:
    "The intervals for both targets at each budget, and the named test, as fields of a row."
    level, rng = style.confidence_level, style.rng
    new = find_deciding(comparisons, level, style.name_interval("new_questions"), rng)
    same = find_intervals(comparisons.again, level, style.name_interval("same_questions"), rng)
    rows = [dict(low=one.low, high=one.high, interval=one.method, again_low=other.low,
                 again_high=other.high, again_interval=other.method)
            for one, other in zip(new, same)]
    if style.test not in TOGETHER: return rows
    tests = comparisons.tests(style.test, target=style.target, rng=rng)
    told = [run_test(one, style.test, style.target, rng, test)
            for one, test in zip(comparisons, tests)]
    return [dict(row, named_test=test) for row, test in zip(rows, told)]


def find_deciding(
    comparisons: Comparisons,  # B against A at each budget
    confidence_level: float,  # Level of the intervals
    method: str | None,  # Interval method; None: the one that decides at each budget
    rng: Rng,  # Seed of methods that draw
) -> list[Interval]:
    "The intervals for new questions, at each budget by its own method."
    estimates = comparisons.estimates
    if method is not None: return find_intervals(estimates, confidence_level, method, rng)
    decides = comparisons.deciding_methods()
    found: list[Interval] = [NO_INTERVAL] * len(decides)
    for one in dict.fromkeys(decides):
        own = np.flatnonzero([name == one for name in decides])
        some = find_intervals(estimates.some(own), confidence_level, one, rng)
        for place, interval in zip(own.tolist(), some): found[place] = interval
    return found


# Pickle.

@dataclass(frozen=True)
class FixedCredit:
    "The credits at one budget, for a process that does not have the function."
    credits: tuple[float, ...]

    def __call__(self, k: int) -> np.ndarray: return np.array(self.credits)


def fix_credit(
    comparison: Comparison,  # B against A
) -> Comparison:  # The same, with credits as numbers
    "A comparison that survives pickle, which a credit that is a lambda does not."
    tables = comparison.tables
    if tables is None: return comparison
    credits = tuple(np.asarray(tables.credit(tables.k), float).tolist())
    noise = comparison.noise() if callable(comparison.noise) else comparison.noise
    return replace(comparison, tables=tables._replace(credit=FixedCredit(credits)), noise=noise)


# Curves.

@dataclass(frozen=True, eq=False, repr=False)
class DifferenceCurve(PairedCurve, Data):
    "B minus A over the budgets with a simultaneous band."


def widen_band(
    curve: PairedCurve | None,  # Differences with an approximate band
    rows: Sequence[Difference],  # One row per budget
) -> DifferenceCurve | None:  # With a band that holds the interval of each row
    "A band that decides no more than the intervals of single budgets do."
    if curve is None: return None
    own = DifferenceCurve(**vars(curve))
    if any(row.low is None for row in rows): return own
    low, high = np.array([(row.low, row.high) for row in rows], float).T
    return replace(own, low=np.minimum(own.low, low), high=np.maximum(own.high, high))


@dataclass(frozen=True, eq=False)
class SystemCurve(Data):
    "The means of one system over the budgets, for new questions."
    name: str
    k: tuple[int | None, ...]  # Budgets, ascending; None for a mean over all samples
    estimate: tuple[float, ...]  # Mean at each
    low: tuple[float | None, ...]  # Ends of its interval; None without one
    high: tuple[float | None, ...]


def make_curves(
    names: Sequence[str],  # What the systems are called
    k: Sequence[int | None],  # Budgets, ascending
    means: Sequence[Estimates] | None,  # Means of each system; None where they are not known
    confidence_level: float,  # Level of the intervals
) -> tuple[SystemCurve, ...] | None:
    "Each system as `score` would give it on these questions."
    if means is None: return None
    found = [find_intervals(one, confidence_level) for one in means]
    return tuple(SystemCurve(name, tuple(k), tuple(one.value.tolist()),
                             tuple(end.low for end in ends), tuple(end.high for end in ends))
                 for name, one, ends in zip(names, means, found))


# The result.

@dataclass(frozen=True, eq=False, repr=False)
class PairwiseComparison(Result):
    "B against A on the same questions; every difference is B minus A."
    kind = "compare"
    names: tuple[str, str]  # Names of A and B
    rows: tuple[Difference, ...]  # One row per budget, or per metric
    moved: dict[str, tuple[Move, ...]]  # By metric, the questions that moved most
    samples: tuple[tuple[int, int], ...]  # Fewest and most per question, of A and of B
    alignment: Alignment  # Questions in both, and in one only
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    confidence_level: float = .95  # Level of the intervals and of the band
    target: Target = "new_questions"  # Whose interval gives the verdict
    primary: str = ""  # Metric judged at the full level; empty unless there are several metrics
    title: str = ""  # Name of the comparison
    notes: tuple[str, ...] = ()  # What could not be given, and why
    # Differences with a band over all budgets; None for one budget, and for several metrics
    curve: DifferenceCurve | None = later(lambda found: widen_band(found.band, found.rows))
    # A and B by themselves; None for several metrics
    sides: tuple[SystemCurve, ...] | None = later(lambda found: make_curves(
        found.names, [row.k for row in found.rows], found.means, found.confidence_level))
    next: Advice | None = None  # What would decide the first inconclusive row
    cautions: tuple[Caution, ...] = ()  # What the intervals do not take into account
    same_within: Equivalence | None = None  # In the first metric; None unless a margin was named
    equal_spend: EqualSpending | None = None  # None unless a column of costs was named
    # Columns of the questions: name, counts, values of A and B
    questions: Columns | Absent = field(default_factory=Absent, metadata=dict(live=True))
    band: PairedCurve | None = live()  # The band before it is held against the rows
    means: tuple[Estimates, ...] | None = live()  # Means of A and of B
    texts: Any = live()  # Where the samples stand, for a page

    @property
    def heading(self) -> str: return self.title or f"{self.names[1]} against {self.names[0]}"

    def __getitem__(self, metric: str) -> Difference:
        "The row of a metric name such as `pass@8`."
        found = {row.metric: row for row in self.rows}
        if metric in found: return found[metric]
        raise KeyError(f"metric must be one of {list(found)}, got {metric!r}")

    def verdict(self,
        target: str | None = None,  # `new_questions` or `same_questions`; None is the result's own
    ) -> dict[str, Sign]:
        "What the interval of each metric says of B."
        return {row.metric: judge_interval(*row.span(target)) for row in self.rows}

    def plot(self,  # type: ignore[override]
        what: Literal["curves", "difference"] = "curves",  # Both systems, or their difference
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw both systems over the budgets, with the ranges in which one is significantly ahead;
        or their difference, which is all there is to draw at one budget.

        Raises: `ValueError` for another word, for Axes and a size, and for an unknown size.
        """
        drawn: Axes = self._module().plot(self, what, ax=ax, size=size)
        return drawn


# The result of `compare` for several systems: ranks, tied sets, and all pairs.


@dataclass(frozen=True, eq=False)
class Pair(Data):
    "Two of several systems in one metric; the difference is the first minus the second."
    metric: str  # Name with its budget
    first: str  # System with the higher mean
    second: str  # System with the lower mean
    # The pair by itself
    difference: float = later(lambda pair: pair.known.difference)
    stderr: float | None = later(lambda pair: pair.known.stderr)  # Paired; None where undefined
    low: float | None = later(lambda pair: pair.known.span()[0])  # None where undefined
    high: float | None = later(lambda pair: pair.known.span()[1])
    interval: Method | None = later(lambda pair: pair.find_method())
    p: float | None = later(lambda pair: pair.known.p)  # The same as `pvalue`
    p_holm: float = 1.  # P value corrected for all pairs
    test: str = later(lambda pair: pair.known.test)  # Name of the test
    apart: bool = False  # Whether the two differ significantly among all pairs
    pvalue: float | None = later(lambda pair: pair.p)  # It goes with the interval
    without_assumptions: WithoutAssumptions | None = None  # As of a `Difference`
    named_test: dict[str, Any] | None = later(lambda pair: pair.known.named_test)
    # Range in which the differences were stated to lie; None where none was
    bounds: tuple[float, float] | None = later(lambda pair: pair.known.bounds)
    method: str = later(lambda pair: pair.known.method)  # Interval that gives the verdict
    method_asked: bool = False  # Whether it was asked for by name
    # `p_holm` of the assumption-free intervals; None where these are not given
    p_holm_without: float | None = None
    test_holm: str = ""  # Name of the test behind `p_holm`
    unit: Unit = "share"  # Whether 0.01 is a point
    row: Difference | None = live()  # The first against the second, as two systems alone

    def to_flat(self) -> dict[str, Any]: return flatten(self.to_dict())

    @property
    def known(self) -> Difference:
        "The pair as two systems alone."
        return self.row if self.row is not None else Difference(self.metric, None)

    @property
    def comparison(self) -> Comparison:
        """What the pair was computed from, the first as B.

        Raises: `ValueError` for a row read from JSON.
        """
        return self.known.known

    def find_method(self) -> Method | None:
        "How the interval was computed."
        of_new = self.known.target == "new_questions"
        found: Method | None = self.known.interval if of_new else self.known.again_interval
        return found

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
    ) -> Ends:  # Ends, level and method
        """Another interval around the difference, of this pair by itself.

        Raises: `ValueError` where the method does not apply, and for a row read from JSON.
        """
        return self.known.confidence_interval(confidence_level, method)

    def __getstate__(self) -> dict[str, Any]:
        self.to_dict()  # A row is computed before it travels
        return vars(self)


def make_pairs(
    metric: str,  # Name with its budget
    ranking: Ranking,  # All pairs compared
    style: Style,  # Level, interval, test, target and rng
    unit: Unit = "share",  # Of the metric
) -> list[Pair]:  # One row per pair
    """The pairs of a ranking as rows.

    Raises: `ValueError` where a named interval method does not apply.
    """
    apart = ranking.ahead | ranking.ahead.T
    nothing = [None] * len(ranking.pairs)
    without = ranking.adjusted_without
    rows = []
    tests = zip(ranking.pairs.items(), ranking.p, ranking.p_adjusted,
                nothing if without is None else without.tolist(), strict=True)
    for ((i, j), comparison), tested, holm, holm_without in tests:
        beside = find_without(comparison, style.confidence_level) if shows_without(style) else None
        row = Difference(metric, None, comparison=comparison, style=style, target=style.target,
                         without_assumptions=beside, confidence_level=style.confidence_level,
                         unit=unit, method_asked=style.interval is not None)
        # The ranking has inverted the interval, unless it takes another test along.
        if ranking.method is None and tested is not NO_TEST: vars(row)["tested"] = tested
        rows.append(Pair(metric, str(ranking.systems[i]), str(ranking.systems[j]), row=row,
                         p_holm=float(holm), apart=bool(apart[i, j]), p_holm_without=holm_without,
                         without_assumptions=beside, test_holm=tested.method, unit=unit,
                         method_asked=style.interval is not None))
    if style.may_refuse or style.draws_in_order:
        for pair in rows: pair.to_dict()
    return rows


@dataclass(frozen=True, eq=False)
class Ranks(Data):
    "Systems in one metric, best mean first."
    systems: tuple[str, ...]  # Their names
    means: tuple[float, ...]  # Mean of each
    rank_low: tuple[int, ...]  # Best possible rank of each
    rank_high: tuple[int, ...]  # Worst possible rank of each
    tied: tuple[tuple[str, ...], ...]  # Largest groups of which no two differ significantly

    @property
    def rows(self) -> list[dict[str, Any]]:
        "One dict per system: name, mean, best and worst rank."
        columns = self.systems, self.means, self.rank_low, self.rank_high
        return [dict(zip(COLUMNS, place)) for place in zip(*columns)]

    def to_dict(self) -> dict[str, Any]:
        "The systems as rows, and the tied groups."
        return dict(systems=self.rows, tied=[list(group) for group in self.tied])

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        rows = values["systems"]
        systems, means, low, high = (tuple(row[name] for row in rows) for name in COLUMNS)
        return cls(systems, means, low, high, tuple(map(tuple, values["tied"])))


COLUMNS = "system", "mean", "rank_low", "rank_high"  # Of a system in JSON


def make_ranks(ranking: Ranking) -> Ranks:
    "Which ranks each system may have, and which ones are tied."
    means, low, high = (tuple(np.asarray(column).tolist()) for column in
                        (ranking.means, ranking.rank_low, ranking.rank_high))
    tied = tuple(tuple(map(str, group)) for group in ranking.tied)
    return Ranks(tuple(map(str, ranking.systems)), means, low, high, tied)


@dataclass(frozen=True, eq=False, repr=False)
class MultipleComparison(Result):
    "Several systems on the same questions: ranks, tied sets, and all pairs."
    kind = "ranking"
    rankings: dict[str, Ranks]  # By metric
    rows: tuple[Pair, ...]  # All pairs of every metric
    alignment: Alignment  # Questions that all systems share, and those left out
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    estimator: str = ""  # Estimator of a question's value
    confidence_level: float = .95  # One minus the chance of any false finding in a metric
    title: str = ""  # Name of the comparison
    target: Target = "new_questions"  # What the tests and intervals are about
    unit: Unit = "share"  # Of the metric
    notes: tuple[str, ...] = ()  # What could not be checked
    # Systems by themselves
    sides: tuple[SystemCurve, ...] | None = later(lambda found: make_curves(
        found.names, found.k, found.means, found.confidence_level))
    # What would separate the leader from the first that may equal it
    next: Advice | None = None
    # Columns of the questions: name, counts and values of each system
    questions: Columns | Absent = field(default_factory=Absent, metadata=dict(live=True))
    means: tuple[Estimates, ...] | None = live()  # Means of each system
    texts: Any = live()  # Where the samples stand, for a page
    names: tuple[str, ...] = live()  # Systems, in the order in which they were given
    k: tuple[int | None, ...] = ()  # Budgets of the metrics

    @property
    def heading(self) -> str:
        return self.title or f"{len(next(iter(self.rankings.values())).systems)} systems"

    def __getitem__(self,
        key: tuple[str, str, str],  # Metric name, then the two systems in either order
    ) -> Pair:
        "The row of a metric and two systems."
        metric, *systems = key
        for row in self.rows:
            if row.metric == metric and {row.first, row.second} == set(systems): return row
        known = [(row.metric, row.first, row.second) for row in self.rows[:3]]
        raise KeyError(f"need a metric and two systems such as {known}, got {key!r}")

    def plot(self,  # type: ignore[override]
        metric: str | None = None,  # Metric with its budget; None draws all budgets
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw all systems over the budgets; at one budget every system against the best one.

        Raises: `ValueError` for an unknown metric, for Axes and a size, and for an unknown size.
        """
        drawn: Axes = self._module().plot(self, metric, ax=ax, size=size)
        return drawn


def letter_models(
    tied: Sequence[Sequence[object]],  # Largest groups without a significant difference, best first
) -> dict[str, str]:  # The letters of each model, one for each of its groups
    "A letter for each group: a to z, then a2 to z2."
    found: dict[str, str] = {}
    for i, group in enumerate(tied):
        turn, place = divmod(i, len(ascii_lowercase))
        letter = ascii_lowercase[place] + (f"{turn + 1}" if turn else "")
        for model in map(str, group): found[model] = found.get(model, "") + letter
    return found
