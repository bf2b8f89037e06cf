"""Several systems on the same questions: rank ranges, tied sets, and all pairs."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from ..inference.comparison import Comparison
from ..inference.estimate import TARGETS, Interval
from ..inference.ranking import Ranking
from .advice import Advice, Advised, find_advice, read_advice
from .differences import Difference, freeze_credit
from .document import Written
from .numbers import digits, p_text, signed, signed_span
from .openings import say_read
from .parts import Chart, Heading, Part, Sentence, Table
from .records import Absent, Record, join_field, plain_values
from .sides import Sides, Told, read_sides
from .standings_page import standings_page
from .standings_screen import open_standings, screen_standings
from .style import Style
from .versus_chart import chart_standings

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Pair", "pair_rows", "Places", "Standings"]


@dataclass(frozen=True, eq=False, repr=False)
class Pair(Record):
    "Two of several systems in one metric; the difference is the first minus the second."
    metric: str  # Name with its budget
    first: str  # System with the higher mean
    second: str  # System with the lower mean
    row: Difference  # The first against the second, as two systems alone
    p_holm: float  # P value corrected for all pairs
    apart: bool  # Whether the two are told apart

    names = ("metric", "first", "second", "difference", "stderr", "low", "high", "interval", "p",
             "p_holm", "test", "apart")

    @cached_property
    def difference(self) -> float:
        "First minus second."
        return self.row.difference

    @cached_property
    def stderr(self) -> float | None:
        "Paired standard error."
        return self.row.stderr

    @cached_property
    def low(self) -> float | None:
        "Lower end of the interval of this pair by itself."
        return self.row.span()[0]

    @cached_property
    def high(self) -> float | None:
        "Upper end."
        return self.row.span()[1]

    @cached_property
    def interval(self) -> str:
        "Interval method and level."
        of_questions = self.row.style.target == "questions"
        return self.row.interval if of_questions else self.row.again_interval

    @cached_property
    def p(self) -> float | None:
        "Two-sided p value of this pair by itself."
        return self.row.p

    @cached_property
    def test(self) -> str:
        "Name of the test."
        return self.row.test

    @property
    def comparison(self) -> Comparison:
        """What the pair was computed from, the first as B.

        Raises: `ValueError` for a row read from JSON.
        """
        return self.row.known

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
    ) -> Interval:  # Ends, level and method
        """Another interval around the difference, of this pair by itself.

        Raises: `ValueError` where the method does not apply, and for a row read from JSON.
        """
        return self.row.confidence_interval(confidence_level, method)


def pair_rows(
    metric: str,  # Name with its budget
    ranking: Ranking,  # All pairs compared
    **style: Any,  # Level, interval, test, target and rng, as in `Style`
) -> list[Pair]:  # One row per pair
    """The pairs of a ranking as rows.

    Raises: `ValueError` where a named interval method does not apply.
    """
    judged = Style(**style)
    apart = ranking.ahead | ranking.ahead.T
    rows = []
    tests = zip(ranking.pairs.items(), ranking.p, ranking.p_adjusted, strict=True)
    for ((i, j), comparison), tested, holm in tests:
        row = Difference(metric, None, comparison, style=judged)
        # The ranking has run the test, which may be long.
        vars(row)["tested"] = tested
        who = str(ranking.systems[i]), str(ranking.systems[j])
        rows.append(Pair(metric, *who, row, float(holm), bool(apart[i, j])))
    if judged.may_refuse or judged.draws_in_order:
        for pair in rows: pair.to_dict()
    return rows


@dataclass(frozen=True)
class Places:
    "What a ranking that was read from JSON still says."
    systems: tuple[str, ...]  # Names, best mean first
    means: Sequence[float]  # Mean of each
    rank_low: Sequence[int]  # Best rank of each
    rank_high: Sequence[int]  # Worst rank of each
    tied: list[tuple[str, ...]]  # Largest groups of which no two are told apart


def list_places(ranking: Ranking | Places) -> list[dict[str, Any]]:
    "One dict per system: name, mean, best and worst rank."
    columns = ranking.systems, ranking.means, ranking.rank_low, ranking.rank_high
    return [dict(system=system, mean=float(mean), rank_low=int(low), rank_high=int(high))
            for system, mean, low, high in zip(*columns)]


def read_places(values: Mapping[str, Any]) -> Places:
    "A ranking from its plain values."
    names = "system", "mean", "rank_low", "rank_high"
    systems, means, low, high = ([row[name] for row in values["systems"]] for name in names)
    return Places(tuple(systems), means, low, high, [tuple(group) for group in values["tied"]])


@dataclass(frozen=True, eq=False, repr=False)
class Standings(Written):
    "Several systems on the same questions: rank ranges, tied sets, and all pairs."
    rankings: Mapping[str, Ranking | Places]  # By metric name
    rows: tuple[Pair, ...]  # All pairs of every metric
    alignment: str  # How many questions all systems share, and what was left out
    read: str  # What was read
    estimator: str = ""  # Estimator of a question's value, in words
    confidence_level: float = .95  # One minus the chance of any false finding
    title: str = ""  # Name of the comparison
    target: str = "questions"  # What the tests and intervals are about
    questions: Mapping[str, Any] = field(default_factory=dict)  # Name, counts and values of each
    sides: Sides | Told | None = None  # Systems by themselves; None where an old text told none
    advised: Advised = None  # What would tell the leader from the next, or what finds it

    needed = "rankings", "rows", "alignment", "read", "target"
    told = "alignment", "read", "estimator", "confidence_level", "title", "target"

    @property
    def heading(self) -> str:
        return self.title or f"{len(next(iter(self.rankings.values())).systems)} systems"

    @cached_property
    def next(self) -> Advice | None:
        "What would tell the leader from the first that may equal it; None where nothing would."
        return find_advice(self.advised)

    def __getitem__(self,
        key: tuple[str, str, str],  # Metric name, then the two systems in either order
    ) -> Pair:
        "The row of a metric and two systems."
        metric, *systems = key
        for row in self.rows:
            if row.metric == metric and {row.first, row.second} == set(systems): return row
        known = [(row.metric, row.first, row.second) for row in self.rows[:3]]
        raise KeyError(f"need a metric and two systems such as {known}, got {key!r}")

    def to_dict(self) -> dict[str, Any]:
        "Everything as plain Python values, the rankings as rows."
        rankings = {metric: dict(systems=list_places(r), tied=[list(group) for group in r.tied])
                    for metric, r in self.rankings.items()}
        rows = [row.to_dict() for row in self.rows]
        told = {name: plain_values(getattr(self, name)) for name in self.told}
        if self.sides is not None: told["sides"] = [side._asdict() for side in self.sides.each]
        told["next"] = plain_values(self.next)
        return dict(rankings=rankings, rows=rows, **told, how=self.how())

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        places = {metric: read_places(o) for metric, o in values["rankings"].items()}
        style = Style(values["confidence_level"], target=values["target"])
        row = Difference("", None, style=style)
        rows = tuple(Pair.from_dict(o, row=row) for o in values["rows"])
        told = {name: values[name] for name in cls.told}
        return cls(places, rows, questions=Absent(), **told,
                   sides=read_sides(values.get("sides")),
                   advised=read_advice(values.get("next")))

    def tell_methods(self) -> str:
        from .methods import standings_methods
        return standings_methods(self)

    def how(self) -> str:
        "What was compared and how."
        level = f"{100 * self.confidence_level:g} %"
        return (f"All pairs on the same questions, for {TARGETS[self.target]}; "
                f"{', '.join(self.rankings)}: {self.estimator}. "
                f"Tests: {join_field(self.rows, 'test')}, two-sided, "
                f"Holm's correction over the pairs of each metric at {level}. "
                f"Intervals: {join_field(self.rows, 'interval')}, each pair by itself.")

    def parts(self) -> list[Part]:
        "The answer; ranks, tied sets and pairs for each metric; then the method."
        parts = open_standings(self)
        parts += [part for metric in self.rankings for part in list_metric(self, metric)]
        step = "" if self.next is None else self.next.sentence
        last = step, f"Questions: {self.alignment}.", say_read(self.read), self.how()
        return [*parts, *(Sentence(text) for text in last if text)]

    def screen_parts(self) -> list[Part]: return screen_standings(self)

    def page_parts(self) -> list[Part]: return standings_page(self)

    def chart(self) -> Chart | None:
        "All systems over the budgets; None at one budget."
        return chart_standings(self)

    def plot(self,
        metric: str | None = None,  # Metric with its budget; None draws all budgets
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw all systems over the budgets; at one budget every system against the best one.

        Raises: `ValueError` for an unknown metric, for Axes and a size, and for an unknown size.
        """
        from .charts import plot_standings
        return plot_standings(self, metric, ax=ax, size=size)

    def __getstate__(self) -> dict[str, Any]:
        frozen = {metric: freeze(ranking) for metric, ranking in self.rankings.items()}
        return vars(self) | dict(rankings=frozen, advised=self.next)


def freeze(ranking: Ranking | Places) -> Ranking | Places:
    "A ranking that survives pickle."
    if isinstance(ranking, Places): return ranking
    return replace(ranking, pairs={ij: freeze_credit(o) for ij, o in ranking.pairs.items()})


def list_metric(standings: Standings, metric: str) -> list[Part]:
    "What the standings say of one metric."
    ranking = standings.rankings[metric]
    ranks = [write_place(place) for place in list_places(ranking)]
    pairs = [write_pair(row) for row in standings.rows if row.metric == metric]
    groups = ["{" + ", ".join(map(str, group)) + "}" for group in ranking.tied if len(group) > 1]
    level = f"{100 * standings.confidence_level:g} % interval"
    heads = ["pair", "difference", "stderr", level, "p", "p (Holm)", "apart"]
    return [Heading(metric), Table(["system", "mean", "rank"], ranks),
            Sentence(f"Not told apart: {'; '.join(groups) or 'none'}."), Table(heads, pairs)]


def write_place(place: Mapping[str, Any]) -> list[str]:
    low, high = place["rank_low"], place["rank_high"]
    rank = f"{low}" if low == high else f"{low} to {high}"
    return [str(place["system"]), digits(place["mean"]), rank]


def write_pair(row: Pair) -> list[str]:
    numbers = [signed(row.difference), digits(row.stderr), signed_span(row.low, row.high)]
    tests = [p_text(row.p), p_text(row.p_holm), "yes" if row.apart else "no"]
    return [f"{row.first} - {row.second}", *numbers, *tests]
