"""What `score` has found, in no form yet."""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..io.origin import Coverage, File
from ..results.diagnostics import Caution
from .advice import Advice, Advised, find_advice
from .columns import Columns
from .headline import say_answer
from .letters import Letters
from .many import Many, say_all
from .records import Absent
from .rows import Row

__all__ = ["ReportFacts", "explain_choice"]


@dataclass(frozen=True, eq=False, repr=False)
class ReportFacts:
    "Rows, per-question columns, and what follows from them."
    rows: Sequence[Row]  # One row per metric, budget, model and group
    questions: Columns | Absent  # One row per question: model, question, n, c, and each metric
    read: str  # What was read, and how missing samples were treated
    notes: tuple[str, ...] = ()  # What was left out, and why
    confidence_level: float = .95  # Level of the intervals
    title: str = ""  # Name of the data
    files: tuple[File, ...] = ()  # Files that were read
    lettered: Callable[[], Mapping[str, Letters]] | Mapping[str, Letters] = field(
        default_factory=dict)  # By metric, letters of models, or a function that finds them
    cautions: tuple[Caution, ...] = ()  # What may be wrong with the data, with the test behind it
    totals: tuple[Coverage, ...] = ()  # Totals that logs store, and how many samples they hold
    told: str = ""  # The answer, where the questions behind it are absent
    advised: Advised = None  # What would halve the first interval, or what finds it
    # From a metric and models to the command that compares them, where it is known
    spelled: Callable[[str, Sequence[str]], str] | None = None
    many: Many | None = None  # Of very many models or groups, what is shown of them

    @property
    def answer(self) -> str:
        "One or two sentences that somebody understands who has never heard of pass@k."
        if self.told: return self.told
        if self.many is not None and self.many.what == "model": return say_all(self.many)
        rows = self if self.many is None else replace(self, rows=self.many.rows)
        return say_answer(rows.blocks(), self.questions, kind=self.kind)

    @property
    def headline(self) -> str:
        "The answer, and of several models whether the first one is ahead by more than chance."
        if self.many is not None or not self.letters: return self.answer
        return say_answer(self.blocks(), self.questions, self.letters, self.kind)

    @property
    def kind(self) -> str:
        "What the systems are: models, or gradings of the same samples."
        if self.many is not None: return "model"
        count = len({row.model for row in self.rows})
        return "grading" if re.match(f"{count} (gradings|columns) of ", self.read) else "model"

    @cached_property
    def letters(self) -> Mapping[str, Letters]:
        "By metric, the letters of models: those that share one cannot be told apart."
        return self.lettered() if callable(self.lettered) else self.lettered

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | dict(lettered=self.letters, advised=self.next, spelled=None, many=None)

    def shorten(self) -> ReportFacts:
        "The same with the models or groups that are shown, where there are very many."
        if self.many is None: return self
        questions = Absent() if self.many.what == "model" else self.questions
        return replace(self, rows=self.many.rows, lettered={}, many=None, questions=questions,
                       told=self.headline)

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
