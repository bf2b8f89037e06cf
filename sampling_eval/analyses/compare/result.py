"""The results of `compare`: B minus A of two systems, and ranks and all pairs of several."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from string import ascii_lowercase
from typing import Any, Literal, Self, TYPE_CHECKING

import numpy as np

from ...inference.bands import PairedCurve
from ...inference.comparison import Comparison, Move
from ...inference.intervals import Interval
from ...inference.significance import PValue
from ...parameters import Target
from ...results.added import Extended
from ...results.base import Data, HasInterval, Unit, ends, live
from ...results.cautions import Caution
from ...results.columns import Absent, Columns
from ...results.reading import Alignment, ReadSummary
from ...results.rows import Weighted
from ...results.verdict import (
    Advice, Equivalence, Evidence, Sign, WithoutAssumptions, judge_interval)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Difference", "DifferenceCurve", "SystemCurve", "PairwiseComparison", "Move", "flatten",
           "Pair", "Ranks", "MultipleComparison", "letter_models"]

LOADED = ("JSON holds the printed interval and p value only, not the values of the questions; "
          "compare the data again for others")


@dataclass(frozen=True, eq=False)
class Difference(HasInterval, Data):
    "B minus A in one metric at one budget."
    metric: str  # Name with its budget, such as `pass@8`
    k: int | None  # Samples kept per trial; None for a mean over all samples
    a: float  # Mean of A
    b: float  # Mean of B
    difference: float  # B minus A
    stderr: float | None  # Paired; None where undefined
    stderr_unpaired: float | None  # Standard error had the questions differed
    correlation: float | None  # Over questions
    # For new questions, and for the same ones; None where undefined
    interval: Interval | None = field(metadata=ends(method="interval", target="new_questions"))
    again: Interval | None = field(metadata=ends(
        "again_low", "again_high", method="again_interval", target="same_questions"))
    p: float | None  # The same as `pvalue`
    test: str  # Name of the test
    null: str  # Its null hypothesis
    smallest: float | None  # The smallest p value that data of this size can reach
    wins: int  # Questions on which B is ahead
    ties: int
    losses: int  # Questions on which A is ahead
    chance: float | None  # Cautious posterior probability that B is better on new questions
    questions: int  # Common questions
    stderr_kind: str
    estimator: str  # Estimator of a question's value
    reason: str  # Why there is no standard error
    # Two-sided p value of the interval that gives the verdict; None without one
    pvalue: float | None
    # The assumption-free interval for new questions; None where the range of values is not known,
    # for the same questions, and beside another method that was named
    without_assumptions: WithoutAssumptions | None
    evidence: Evidence | None  # Behind a t interval
    named_test: dict[str, Any] | None  # The one asked for, with its own null hypothesis
    bounds: tuple[float, float] | None  # Range in which the differences were stated to lie, if any
    confidence_level: float  # Level of the intervals of this row
    method: str  # Interval that gives the verdict
    method_asked: bool  # Whether it was asked for by name
    target: Target  # What tests and verdict are about
    unit: Unit  # Whether 0.01 is a point
    verdict: Sign  # Of the target
    weights: Weighted | None = None  # None where all are equal
    comparison: Comparison | None = live()  # B against A

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
        return "" if self.interval is None else self.interval.method.name

    @property
    def known(self) -> Comparison:
        "What the row was computed from."
        if self.comparison is None: raise ValueError(LOADED)
        return self.comparison

    def about(self,
        target: str | None = None,  # `new_questions` or `same_questions`; None is the row's own
    ) -> Interval | None:
        "The interval for one of the targets."
        return self.interval if (target or self.target) == "new_questions" else self.again

    def verdict_of(self,
        target: str | None = None,  # `new_questions` or `same_questions`; None is the row's own
    ) -> Sign:
        "What the interval for one of the targets says of B."
        if target in (None, self.target): return self.verdict
        return judge_interval(self.about(target))

    def span(self,
        target: str | None = None,  # `new_questions` or `same_questions`; None is the row's own
    ) -> tuple[float | None, float | None]:  # Lower and upper end, None where there is none
        "The ends of the interval for one of the targets."
        found = self.about(target)
        return (None, None) if found is None else (found.low, found.high)

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
        *,
        target: Target | None = None,  # `new_questions` or `same_questions`; None is the row's own
        rng: int | np.random.Generator | None = None,  # Seed of methods that draw
    ) -> Interval:  # Ends, level and method
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


# Pickle.

@dataclass(frozen=True)
class FixedCredit:
    "The credits at one budget, for a process that does not have the function."
    credits: tuple[float, ...]

    def __call__(self, k: int) -> np.ndarray: return np.array(self.credits)


def fix_credit(
    comparison: Comparison | None,  # B against A
) -> Comparison | None:  # The same, with credits as numbers
    "A comparison that survives pickle, which a credit that is a lambda does not."
    tables = None if comparison is None else comparison.tables
    if comparison is None or tables is None: return comparison
    credits = tuple(np.asarray(tables.credit(tables.k), float).tolist())
    noise = comparison.noise() if callable(comparison.noise) else comparison.noise
    return replace(comparison, tables=tables._replace(credit=FixedCredit(credits)), noise=noise)


# Curves.

@dataclass(frozen=True, eq=False, repr=False)
class DifferenceCurve(PairedCurve, Data):
    "B minus A over the budgets with a simultaneous band."


@dataclass(frozen=True, eq=False)
class SystemCurve(Data):
    "The means of one system over the budgets, for new questions."
    name: str
    k: tuple[int | None, ...]  # Budgets, ascending; None for a mean over all samples
    estimate: tuple[float, ...]  # Mean at each
    low: tuple[float | None, ...]  # Ends of its interval; None without one
    high: tuple[float | None, ...]


# The result.

@dataclass(frozen=True, eq=False, repr=False)
class PairwiseComparison(Extended):
    """B against A on the same questions; every difference is B minus A.

    Parameters:
        names             Names of A and B
        rows              One row per budget, or per metric
        moved             By metric, the questions that moved most
        samples           Fewest and most per question, of A and of B
        alignment         Questions in both, and in one only
        read              What was read, by system
        confidence_level  Level of the intervals and of the band
        target            Whose interval gives the verdict
        primary           Metric judged at the full level; empty unless there are several metrics
        title             Name of the comparison
        notes             What could not be given, and why
        curve             Differences with a band over all budgets; None for one budget, and for
                          several metrics
        sides             A and B by themselves; None for several metrics
        next              What would decide the first inconclusive row
        cautions          What the intervals do not take into account
        same_within       In the first metric; None unless a margin was named
        questions         Columns of the questions: name, counts, values of A and B
        texts             Where the samples stand, for a page
    """
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
    curve: DifferenceCurve | None = None
    sides: tuple[SystemCurve, ...] | None = None  # A and B by themselves; None for several metrics
    next: Advice | None = None  # What would decide the first inconclusive row
    cautions: tuple[Caution, ...] = ()  # What the intervals do not take into account
    same_within: Equivalence | None = None  # In the first metric; None unless a margin was named
    # Columns of the questions: name, counts, values of A and B
    questions: Columns | Absent = field(default_factory=Absent, metadata=dict(live=True))
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
        return {row.metric: row.verdict_of(target) for row in self.rows}

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
class Pair(HasInterval, Data):
    "Two of several systems in one metric; the difference is the first minus the second."
    metric: str  # Name with its budget
    first: str  # System with the higher mean
    second: str  # System with the lower mean
    # The pair by itself
    difference: float
    stderr: float | None  # Paired; None where undefined
    interval: Interval | None = field(metadata=ends(method="interval"))  # None where undefined
    p: float | None  # The same as `pvalue`
    p_holm: float  # P value corrected for all pairs
    test: str  # Name of the test
    apart: bool  # Whether the two differ significantly among all pairs
    pvalue: float | None  # It goes with the interval
    without_assumptions: WithoutAssumptions | None  # As of a `Difference`
    named_test: dict[str, Any] | None
    bounds: tuple[float, float] | None  # Range in which the differences were stated to lie, if any
    method: str  # Interval that gives the verdict
    method_asked: bool  # Whether it was asked for by name
    # `p_holm` of the assumption-free intervals; None where these are not given
    p_holm_without: float | None = None
    test_holm: str = ""  # Name of the test behind `p_holm`
    unit: Unit = "share"  # Whether 0.01 is a point
    comparison: Comparison | None = live()  # The first against the second
    target: Target = live()  # What tests and interval are about

    def to_flat(self) -> dict[str, Any]: return flatten(self.to_dict())

    @property
    def known(self) -> Comparison:
        "What the pair was computed from."
        if self.comparison is None: raise ValueError(LOADED)
        return self.comparison

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
    ) -> Interval:  # Ends, level and method
        """Another interval around the difference, of this pair by itself.

        Raises: `ValueError` where the method does not apply, and for a row read from JSON.
        """
        return self.known.confidence_interval(confidence_level, method, target=self.target)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | dict(comparison=fix_credit(self.comparison))


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
        return [dict(zip(RANK_COLUMNS, place)) for place in zip(*columns)]

    def to_dict(self) -> dict[str, Any]:
        "The systems as rows, and the tied groups."
        return dict(systems=self.rows, tied=[list(group) for group in self.tied])

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        rows = values["systems"]
        systems, means, low, high = (tuple(row[name] for row in rows) for name in RANK_COLUMNS)
        return cls(systems, means, low, high, tuple(map(tuple, values["tied"])))


RANK_COLUMNS = "system", "mean", "rank_low", "rank_high"  # Of a system in JSON


@dataclass(frozen=True, eq=False, repr=False)
class MultipleComparison(Extended):
    """Several systems on the same questions: ranks, tied sets, and all pairs.

    Parameters:
        rankings          By metric
        rows              All pairs of every metric
        alignment         Questions that all systems share, and those left out
        read              What was read, by system
        estimator         Estimator of a question's value
        confidence_level  One minus the chance of any false finding in a metric
        title             Name of the comparison
        target            What the tests and intervals are about
        unit              Of the metric
        notes             What could not be checked
        sides             Systems by themselves
        next              What would separate the leader from the first that may equal it
        questions         Columns of the questions: name, counts and values of each system
        texts             Where the samples stand, for a page
        names             Systems, in the order in which they were given
        k                 Budgets of the metrics
    """
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
    sides: tuple[SystemCurve, ...] | None = None  # Systems by themselves
    # What would separate the leader from the first that may equal it
    next: Advice | None = None
    # Columns of the questions: name, counts and values of each system
    questions: Columns | Absent = field(default_factory=Absent, metadata=dict(live=True))
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
