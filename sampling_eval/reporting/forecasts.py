"""Values beyond the samples, told in every form."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

from ..inference.extrapolation import Extrapolation
from .document import Written
from .forecast_screen import open_forecast, screen_forecast
from .numbers import share_text
from .openings import say_read
from .parts import Figure, Heading, Part, Sentence, Table
from .records import make_array

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["ExtrapolationReport"]


@dataclass(frozen=True, eq=False, repr=False)
class ExtrapolationReport(Written, Extrapolation):
    "An `Extrapolation` that writes itself in every form."
    read: str = ""  # What was read

    needed = "label", "k", "exact", "models", "laws", "low", "high"

    @property
    def heading(self) -> str: return f"{self.label} beyond {self.n_min} samples"

    def to_dict(self) -> dict[str, Any]:
        "Everything as plain Python values."
        said = dict(rows=self.rows, how=self.how(), warnings=list(self.warnings))
        return super().to_dict() | said

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        told: dict[str, Any] = {o.name: values.get(o.name) for o in fields(cls)}
        told |= {name: make_array(values[name]) for name in ("k", "exact", "low", "high")}
        models = {name: make_array(curve) for name, curve in values["models"].items()}
        # The parameters of a law, but no law: JSON does not say of which kind it was.
        laws = {name: SimpleNamespace(**law) for name, law in values["laws"].items()}
        left_out = tuple(map(tuple, values["left_out"]))
        return cls(**told | dict(models=models, laws=laws, left_out=left_out))

    def parts(self) -> list[Part]:
        "The table, the figure, what to distrust, and the method."
        names = [name for name in self.rows[0] if name != "k"]
        rows = [[str(row["k"]), *(write_value(row[name]) for name in names)] for row in self.rows]
        warned = [f"warning: {text}" for text in self.warnings]
        last = [*warned, f"{self.how()}.", *map(say_read, filter(None, [self.read]))]
        figure = Figure(self.plot, "exact values, models and bounds over k")
        table = Table(["k", *names], rows)
        return [Heading(self.heading), *open_forecast(self), table, figure, *map(Sentence, last)]

    def screen_parts(self) -> list[Part]: return screen_forecast(self, self.read)

    def plot(self, *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        "Draw exact values, models and bounds; Axes out."
        from .charts import plot_forecast
        return plot_forecast(self, ax=ax, size=size)


def write_value(value: float | str | None) -> str:
    return value if isinstance(value, str) else share_text(value)
