"""The result of `score`: numbers that carry their meaning."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from ..reading.origin import File
from .advice import Advice, Advised, find_advice, read_advice
from .columns import Columns
from .document import Written
from .headline import say_answer
from .letters import Letters
from .parts import Part
from .records import Absent, plain_values
from .rows import Row
from .score_parts import describe_method, order_flaky, score_parts, screen_parts
from .weights import take_weights

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Report"]


@dataclass(frozen=True, eq=False, repr=False)
class Report(Written):
    "The result of `score`: rows, per-question columns, and the sentences that explain them."
    rows: Sequence[Row]  # One row per metric, budget, model and group
    questions: Columns | Absent  # One row per question: model, question, n, c, and each metric
    read: str  # What was read, and how missing samples were treated
    notes: tuple[str, ...] = ()  # What was left out, and why
    confidence_level: float = .95  # Level of the intervals
    title: str = ""  # Name of the data
    files: tuple[File, ...] = ()  # Files that were read
    lettered: Callable[[], Mapping[str, Letters]] | Mapping[str, Letters] = field(
        default_factory=dict)  # By metric, letters of models, or a function that finds them
    cautions: tuple[str, ...] = ()  # What may be wrong with the data, with the test behind it
    told: str = ""  # The answer, where the questions behind it are absent
    advised: Advised = None  # What would halve the first interval, or what finds it
    # From a metric and models to the command that compares them, where it is known
    spelled: Callable[[str, Sequence[str]], str] | None = None

    needed = "rows", "read", "notes", "confidence_level", "title"

    @property
    def heading(self) -> str: return self.title or "report"

    @property
    def page_title(self) -> str:
        return f"sampling_eval: {self.title}" if self.title else "sampling_eval report"

    @property
    def answer(self) -> str:
        "One or two sentences that somebody understands who has never heard of pass@k."
        return self.told or say_answer(self.blocks(), self.questions, kind=self.kind)

    @property
    def headline(self) -> str:
        "The answer, and of several models whether the first one is ahead by more than chance."
        if not self.letters: return self.answer
        return say_answer(self.blocks(), self.questions, self.letters, self.kind)

    @property
    def kind(self) -> str:
        "What the systems are: models, or gradings of the same samples."
        count = len({row.model for row in self.rows})
        return "grading" if re.match(f"{count} (gradings|columns) of ", self.read) else "model"

    @cached_property
    def letters(self) -> Mapping[str, Letters]:
        "By metric, the letters of models: those that share one cannot be told apart."
        return self.lettered() if callable(self.lettered) else self.lettered

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | dict(lettered=self.letters, advised=self.next, spelled=None)

    @cached_property
    def next(self) -> Advice | None:
        "What would halve the interval of the first row; None for several models."
        return find_advice(self.advised)

    def blocks(self) -> dict[tuple[str, str], list[Row]]:
        "Rows by model and group, in order."
        found: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows: found.setdefault((row.model, row.group), []).append(row)
        return found

    def name(self, key: tuple[str, str]) -> str:
        "A model and group in words."
        return " / ".join(filter(None, key))

    def __getitem__(self,
        metric: str | tuple[str, ...],  # `pass@8`, or model, metric, or model, group, metric
    ) -> Row:
        """The row of a metric.

        Raises: `KeyError` with the names there are, and where a name is there several times.
        """
        *where, name = [metric] if isinstance(metric, str) else metric
        named = [row for row in self.rows if row.metric == name]
        found = [row for row in named if set(where) <= {row.model, row.group}]
        if len(found) == 1: return found[0]
        raise KeyError(explain_choice(metric, self.rows, found))

    def to_dict(self) -> dict[str, Any]:
        "Estimates by name, `{'pass@8': 0.81}`; one dict per model and group if there are several."
        found = {self.name(key): {row.metric: row.estimate for row in rows}
                 for key, rows in self.blocks().items()}
        return next(iter(found.values())) if len(found) == 1 else found

    def to_json(self) -> str:
        "Everything but the per-question rows, as JSON text."
        whole = dict(title=self.title, answer=self.answer, read=self.read, notes=self.notes,
                     cautions=self.cautions, confidence_level=self.confidence_level,
                     how=self.how(), letters=self.letters, next=plain_values(self.next),
                     rows=[row.to_dict() for row in self.rows])
        return json.dumps(whole, indent=1, ensure_ascii=False)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        rows = tuple(Row(weights=take_weights(row), **row) for row in map(dict, values["rows"]))
        told = {name: values[name] for name in ("read", "confidence_level", "title")}
        return cls(rows, Absent(), notes=tuple(values["notes"]), told=values.get("answer", ""),
                   cautions=tuple(values.get("cautions", ())), lettered=values.get("letters", {}),
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
        return score_page(self)

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


def explain_choice(
    metric: str | tuple[str, ...], rows: Sequence[Row], found: Sequence[Row],
) -> str:
    "Why no single row has that name, and what to write instead."
    if not found:
        known = list(dict.fromkeys(row.metric for row in rows))
        return f"metric must be one of {known}, got {metric!r}"
    places = ", ".join(repr(" / ".join(filter(None, (row.model, row.group)))) for row in found)
    return (f"{metric!r} stands in {len(found)} rows, of {places}; "
            "write report[model, metric] or report[model, group, metric]")
