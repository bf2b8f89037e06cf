"""Two systems on the same questions."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from ..report.advice import describe_advice
from ..inference.comparison import Move
from ..inference.curves import PairedCurve
from ..inference.estimate import TARGETS
from ..report.blocks import Table
from .advice import read_advice
from .differences import Difference, difference_cells, difference_heads
from .document import Written
from .numbers import digits, signed
from .openings import say_read
from .parts import Chart, Heading, Part, Sentence
from .records import Absent, make_array, plain_values
from .sides import read_sides
from .style import Style
from .versus_chart import chart_versus
from .versus_facts import VersusFacts
from .versus_page import versus_page
from .versus_screen import list_reasons, pick_rows, screen_versus
from .versus_words import describe_comparison, list_analyses, say_ahead, say_band, say_verdict
from .weights import take_weights

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Versus"]

# Fields that are told under the name of what is made of them.
SHOWN = {"drawn": "curve", "advised": "next"}


@dataclass(frozen=True, eq=False, repr=False)
class Versus(VersusFacts, Written):
    "B against A on the same questions; every difference is B minus A."
    needed = "rows", "curve", "moved", "names", "alignment", "samples"

    def to_dict(self) -> dict[str, Any]:
        "Everything but the columns of the questions, as plain Python values."
        left = {"questions", "sides"} | ({"primary"} if not self.primary else set())
        names = [SHOWN.get(o.name, o.name) for o in fields(self) if o.name not in left]
        told = {name: plain_values(getattr(self, name)) for name in names}
        if self.sides is not None: told["sides"] = [side._asdict() for side in self.sides.each]
        return told | dict(how=self.how(), band=say_band(self.curve), verdict=self.verdict())

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        style = Style(values["confidence_level"], target=values["target"])
        rows = tuple(Difference.from_dict(row, style=style, weights=take_weights(row))
                     for row in map(dict, values["rows"]))
        moved = {metric: [Move(*o) for o in moves] for metric, moves in values["moved"].items()}
        told = {o.name: values.get(o.name) for o in fields(cls)} | dict(rows=rows, moved=moved)
        told |= dict(drawn=read_curve(values["curve"]), sides=read_sides(values.get("sides")),
                     advised=read_advice(values.get("next")), primary=values.get("primary", ""))
        told |= {name: tuple(values[name]) for name in ("names", "samples", "notes")}
        return cls(**told | dict(questions=Absent()))

    def verdict(self,
        target: str | None = None,  # `questions` or `benchmark`; None is the result's own
    ) -> str:  # One sentence
        "What the intervals of a target decide."
        return say_verdict(self, target or self.target)

    def tell_methods(self) -> str:
        from .methods import versus_methods
        return versus_methods(self)

    def how(self) -> str:
        "What was compared and how, in sentences fit for a paper."
        return describe_comparison(self)

    def parts(self) -> list[Part]:
        "The verdicts, the table, the questions that moved, and the method."
        head, *table = list_table(self)
        beside = map(Sentence, list_analyses(self, pick_rows(self.rows)))
        return [head, *list_verdicts(self), Sentence(say_ahead(self, self.rows[0])), *table,
                *beside, *list_moved(self), *self.list_notes()]

    def list_notes(self) -> list[Part]:
        "What to do next, what was read, and the method."
        step = "" if self.next is None else describe_advice(self.next)
        last = [step, self.say_primary(), f"Questions: {self.alignment}.",
                *map(say_read, [*self.notes, self.read]), self.how()]
        return [Sentence(text) for text in last if text]

    def say_band(self,
        name: str,  # What B is called
    ) -> str:  # One or two sentences, empty without a curve
        "What holds at all budgets at once."
        return say_band(self.curve, name)

    def screen_parts(self) -> list[Part]: return screen_versus(self)

    def page_parts(self) -> list[Part]: return versus_page(self)

    def chart(self) -> Chart | None:
        "A and B over the budgets, and where one is certainly ahead; None at one budget."
        return chart_versus(self)

    def plot(self,
        what: str = "curves",  # `curves` of both systems, or their `difference`
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw both systems over the budgets, with the stretches where one is certainly ahead; or
        their difference, which is all there is to draw at one budget.

        Raises: `ValueError` for another word, for Axes and a size, and for an unknown size.
        """
        from .charts import plot_versus
        return plot_versus(self, what, ax=ax, size=size)


def read_curve(values: Mapping[str, Any] | None) -> PairedCurve | None:
    "A curve with its band from its plain values."
    if values is None: return None
    told = dict(values)
    for name in "k", "difference", "stderr", "low", "high": told[name] = make_array(values[name])
    return PairedCurve(**told)


def list_table(versus: Versus) -> list[Part]:
    "The table of differences, and why an entry is missing."
    a, b = versus.names
    head = "B against A" if (a, b) == ("A", "B") else f"A = {a}, B = {b}"
    heads = difference_heads(versus.confidence_level)
    # Of several metrics each has a level of its own.
    if versus.primary: heads[4:6] = "these questions again", "new questions"
    table = Table(heads, [difference_cells(row) for row in versus.rows])
    return [Heading(head), table, *map(Sentence, list_reasons(versus.rows))]


def list_verdicts(versus: Versus) -> list[Part]:
    "The verdict of the target asked for, that of the other one, and the band."
    other = next(name for name in TARGETS if name != versus.target)
    parts: list[Part] = [Heading(versus.verdict())]
    # What is adjusted for several metrics is adjusted for one target.
    if not versus.primary: parts.append(Sentence(versus.verdict(other)))
    if versus.curve is not None: parts.append(Sentence(say_band(versus.curve)))
    return parts


def list_moved(versus: Versus) -> list[Part]:
    "The questions that moved most, by metric."
    parts: list[Part] = []
    for metric, moves in versus.moved.items():
        rows = [[str(o.question), digits(o.a), digits(o.b), signed(o.difference)] for o in moves]
        table = Table(["question", "A", "B", "B - A"], rows)
        if rows: parts += [Heading(f"Largest differences in {metric}"), table]
        else: parts.append(Sentence(f"No question differs in {metric}."))
    return parts
