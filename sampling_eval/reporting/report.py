"""The result of `score`: numbers that carry their meaning."""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ..io.origin import Coverage
from ..results.diagnostics import Caution
from .advice import read_advice
from .columns import Columns
from .document import Written
from .many import say_shown
from .parts import Note, Part
from .records import Absent, plain_values
from .report_facts import ReportFacts
from .rows import Row
from .score_parts import describe_method, order_flaky, score_parts, screen_parts
from .weights import take_weights

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Report"]


@dataclass(frozen=True, eq=False, repr=False)
class Report(ReportFacts, Written):
    "The result of `score`: rows, per-question columns, and the sentences that explain them."
    needed = "rows", "read", "notes", "confidence_level", "title"

    @property
    def heading(self) -> str: return self.title or "report"

    @property
    def page_title(self) -> str:
        return f"sampling_eval: {self.title}" if self.title else "sampling_eval report"

    def to_dict(self) -> dict[str, Any]:
        "Estimates by name, `{'pass@8': 0.81}`; one dict per model and group if there are several."
        found = {self.name(key): {row.metric: row.estimate for row in rows}
                 for key, rows in self.blocks().items()}
        return next(iter(found.values())) if len(found) == 1 else found

    def to_json(self) -> str:
        "Everything but the per-question rows, as JSON text."
        whole = dict(title=self.title, answer=self.answer, read=self.read, notes=self.notes,
                     cautions=[one.to_dict() for one in self.cautions],
                     totals=[vars(one) for one in self.totals],
                     confidence_level=self.confidence_level, how=self.how(), letters=self.letters,
                     next=plain_values(self.next), rows=[row.to_dict() for row in self.rows])
        return json.dumps(whole, indent=1, ensure_ascii=False)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        rows = tuple(Row(weights=take_weights(row), **row) for row in map(dict, values["rows"]))
        told = {name: values[name] for name in ("read", "confidence_level", "title")}
        return cls(rows, Absent(), notes=tuple(values["notes"]), told=values.get("answer", ""),
                   cautions=tuple(map(Caution.from_dict, values.get("cautions", ()))),
                   totals=tuple(Coverage(**one) for one in values.get("totals", ())),
                   lettered=values.get("letters", {}),
                   advised=read_advice(values.get("next")), **told)

    def tell_methods(self) -> str:
        from .methods import score_methods
        return score_methods(self)

    def how(self) -> str:
        "What was computed and how, in sentences fit for a paper."
        return describe_method(self)

    def parts(self) -> list[Part]: return score_parts(self)
    def screen_parts(self) -> list[Part]: return screen_parts(self)

    def page_parts(self) -> list[Part]:
        from .score_page import score_page
        if self.many is None: return score_page(self)
        return [*score_page(self.shorten()), Note(say_shown(self.many))]

    def plot(self,
        model: str | None = None,  # Which model; all of them if None
        metric: str | None = None,  # Which metric, `pass@k` or `pass@8`; chosen if None
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw what the report holds: the metrics of one model over k, or one metric of several
        models or groups; dots with intervals where there is one budget.

        Raises: `ValueError` for an unknown model or metric, for Axes and a size, and for an
        unknown size.
        """
        from .charts import plot_report
        return plot_report(self, model, metric, ax=ax, size=size)

    def flaky(self) -> Columns:
        "The questions with some right and some wrong samples, those closest to even first."
        if isinstance(self.questions, Absent): raise ValueError(Absent.said)
        if "c" not in self.questions:
            raise ValueError("flaky questions need outcomes, and these data hold graded scores "
                             "only")
        share = self.questions["c"] / self.questions["n"]
        return self.questions.where(order_flaky(share))
