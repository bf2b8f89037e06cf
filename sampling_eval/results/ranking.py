"""The result of `compare` for several systems: ranks, tied sets, and all pairs."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..inference.comparison import Comparison
from ..inference.estimate import Estimates, Interval as Ends
from ..inference.ranking import NO_TEST, Ranking
from ..parameters import Target
from ..records import dataclass
from .analysis import Advice, Analysis, Kind, default_kind, pick_estimate, usual_kind
from .reading import Alignment, ReadSummary
from .base import Data, Result, Unit, later, live
from .columns import Absent, Columns
from .comparison import Difference, SystemCurve, flatten, make_curves
from .rows import Method
from .style import Style

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Pair", "Ranks", "MultipleComparison", "make_pairs", "make_ranks",
           "letter_models"]


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
    usual: Analysis | None = later(lambda pair: pair.known.usual)
    default: Analysis = later(lambda pair: pair.known.default)
    named_test: dict[str, Any] | None = later(lambda pair: pair.known.named_test)
    # Range in which the differences were stated to lie; None where none was
    bounds: tuple[float, float] | None = later(lambda pair: pair.known.bounds)
    method: str = later(lambda pair: pair.known.method)  # Interval that gives the verdict
    other_holm: float = 1.  # `p_holm` by the usual analysis, or by the default if that decides
    other_test: str = ""  # Name of that analysis; empty where there is none
    other_kind: Kind = "other"  # What kind of analysis it is
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
    usual = ranking.interval is None or ranking.method is not None
    rows = []
    tests = zip(ranking.pairs.items(), ranking.p, ranking.p_adjusted, ranking.other,
                ranking.other_adjusted, strict=True)
    for ((i, j), comparison), tested, holm, other, other_holm in tests:
        row = Difference(metric, None, comparison=comparison, style=style, target=style.target,
                         confidence_level=style.confidence_level, unit=unit)
        estimate = pick_estimate(comparison, style.target)
        kind = usual_kind(comparison, style.target) if usual else default_kind(estimate)
        # The ranking has inverted the interval, unless it takes another test along.
        if ranking.method is None and tested is not NO_TEST: vars(row)["tested"] = tested
        rows.append(Pair(metric, str(ranking.systems[i]), str(ranking.systems[j]), row=row,
                         p_holm=float(holm), apart=bool(apart[i, j]), other_holm=float(other_holm),
                         other_test="" if other is None else other.method, other_kind=kind,
                         test_holm=tested.method, unit=unit))
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


def make_ranks(
    ranking: Ranking,  # All pairs of several systems
) -> Ranks:
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
