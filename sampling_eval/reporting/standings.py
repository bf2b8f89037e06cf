"""Several systems on the same questions: rank ranges, tied sets, and all pairs."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ..report.advice import describe_advice
from ..report.blocks import Table
from .advice import read_advice
from .differences import Difference
from .document import Written
from .numbers import digits, p_text, signed, signed_span
from .openings import say_read
from .parts import Chart, Heading, Part, Sentence
from .records import Absent, plain_values
from .sides import read_sides
from .standings_facts import Pair, StandingsFacts, list_places, read_places
from .standings_page import standings_page
from .standings_screen import open_standings, screen_standings
from .standings_words import describe_standings, list_analyses
from .style import Style
from .versus_chart import chart_standings

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Standings"]


@dataclass(frozen=True, eq=False, repr=False)
class Standings(StandingsFacts, Written):
    "Several systems on the same questions: rank ranges, tied sets, and all pairs."
    needed = "rankings", "rows", "alignment", "read", "target"
    told = "alignment", "read", "estimator", "confidence_level", "title", "target"

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
        return describe_standings(self)

    def parts(self) -> list[Part]:
        "The answer; ranks, tied sets and pairs for each metric; then the method."
        parts = open_standings(self)
        parts += [part for metric in self.rankings for part in list_metric(self, metric)]
        step = "" if self.next is None else describe_advice(self.next)
        last = (*list_analyses(self), step, f"Questions: {self.alignment}.", say_read(self.read),
                self.how())
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
