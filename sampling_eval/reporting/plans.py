"""A plan for a comparison, told in every form."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from ..inference.planning import Components
from ..report.blocks import Table
from ..report.plan_words import tell_plan
from .document import Written
from .numbers import digits
from .openings import say_read
from .parts import Figure, Heading, Part, Sentence
from .plan_screen import open_plan, screen_plan
from .planned import AskedPlan, Related
from .records import make_array

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["PlanReport"]

HEADS = ["samples", "questions", "difference", "power", "cost", "between"]
BETWEEN = ("; between: share of the variance that lies between questions, "
           "which more samples cannot lower")


@dataclass(frozen=True, eq=False, repr=False)
class PlanReport(Written, AskedPlan):
    "A `Plan` that writes itself in every form."
    needed = "goal", "samples", "questions", "delta", "power", "cost", "components", "metric"

    @property
    def sentences(self) -> list[str]: return tell_plan(self)

    def how(self) -> str:
        "What was asked, what is recommended, and on which numbers it rests."
        return " ".join(self.sentences).removesuffix(".")

    @property
    def heading(self) -> str: return f"plan for {self.metric}"

    def to_dict(self) -> dict[str, Any]:
        "The plan as plain Python values, without the simulated population."
        told = {name: o for name, o in super().to_dict().items() if name != "population"}
        delta = [row["delta"] for row in self.rows]
        return told | dict(delta=delta, rows=self.rows, how=self.how())

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        told: dict[str, Any] = {o.name: values.get(o.name) for o in fields(cls)}
        arrays = "samples", "questions", "delta", "power", "cost", "smallest"
        told |= {name: make_array(values[name]) for name in arrays}
        given = dict(values["components"])
        given |= {name: make_array(given[name]) for name in ("within", "samples")}
        told["usual"] = tuple(values.get("usual") or ())
        told["notes"] = tuple(values.get("notes") or ())
        told["others"] = tuple(Related(o["correlation"], tuple(o["rows"]))
                               for o in values.get("others") or ())
        return cls(**told | dict(components=Components(**given)))

    def parts(self) -> list[Part]:
        "What is recommended and on what it rests, the table, and the figure."
        rows = [HEADS, *(self._write_row(i) for i in range(len(self.rows)))]
        # The same questions do not vary, so there is no share between them.
        fixed = self.target == "benchmark"
        head, *body = [row[:-1] for row in rows] if fixed else rows
        read = [say_read(self.read)] * bool(self.read)
        last = [f"* recommended{'' if fixed else BETWEEN}.", *read]
        # The answer in its own words takes the place of the plan's first sentence.
        said = self.sentences[1:] if self.asked else self.sentences
        return [Heading(self.heading), *open_plan(self), *map(Sentence, said), Table(head, body),
                Figure(self.plot, "power over the true difference"), *map(Sentence, last)]

    def screen_parts(self) -> list[Part]:
        return screen_plan(self) if self.asked else self.parts()

    def _write_row(self, i: int) -> list[str]:
        row = self.rows[i]
        mark = "* " if i == self.best else ""
        numbers = [digits(row["delta"], 4), digits(row["power"]), f"{row['cost']:,.6g}"]
        sizes = [f"{mark}{row['samples']}", str(row["questions"])]
        return [*sizes, *numbers, f"{row['between_share']:.0%}"]

    def plot(self, *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw the power at half, once and twice the questions of the recommended row; Axes out.

        Raises: `ValueError` for a simulated plan that was read from JSON.
        """
        if self.method == "interval" and self.population is None:
            raise ValueError("JSON does not hold the simulated population; plan again for a "
                             "figure of its power")
        from .charts import plot_plan
        return plot_plan(self, ax=ax, size=size)
