"""The verdicts on a new system."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..inference.estimate import Estimate, Interval
from .document import Written
from .headline import say_count
from .intervals import explain_gaffke
from .numbers import digits, signed, signed_span
from .parts import Heading, Lead, Part, Sentence, Table
from .primary import say_rules
from .records import Record, join_field
from .versus_screen import say_unmatched

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Check", "Gate"]


@dataclass(frozen=True, eq=False, repr=False)
class Check(Record):
    "One rule of a gate, the numbers it was judged by, and the verdict."
    rule: str  # The rule in words
    metric: str  # Name with its budget
    value: float  # Difference new minus baseline, or the value of the new system
    low: float  # Lower end of its interval
    high: float  # Upper end
    limit: float  # The number the interval is held against
    verdict: str  # `pass`, `fail` or `weak`
    interval: str  # Interval method and level
    questions: int  # Number of questions
    target: str = ""  # What the interval is about, in words
    drop: bool = False  # Whether the rule is about a drop against the baseline
    warning: str = ""  # What a weak check would need
    estimate: Estimate | None = None  # What it was computed from; None in a row read from JSON

    names = ("rule", "metric", "value", "low", "high", "limit", "verdict", "interval",
             "questions", "target", "drop", "warning")

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
        *,
        rng: int | np.random.Generator | None = None,  # Seed of methods that draw
    ) -> Interval:  # Ends, level and method
        """Another interval around the value.

        Raises: `ValueError` where the method does not apply, and for a row read from JSON.
        """
        if self.estimate is None:
            raise ValueError("the check holds its printed interval only, not the values of the "
                             "questions; judge the data again for others")
        return self.estimate.confidence_interval(confidence_level, method, rng=rng)


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Written):
    "Verdicts on a new system."
    rows: tuple[Check, ...]  # One check per rule
    names: tuple[str, ...]  # Name of the new system, and of the baseline if there is one
    read: str  # What was read
    alignment: str = ""  # Which questions were compared

    needed = "rows", "names", "read", "alignment"

    @property
    def verdict(self) -> str:
        "The worst verdict: `fail`, else `weak`, else `pass`."
        found = {row.verdict for row in self.rows}
        return next(o for o in ("fail", "weak", "pass") if o in found)

    @property
    def heading(self) -> str: return f"gate {self.verdict}{self.say_names()}"

    def say_names(self) -> str:
        "Who is judged, against whom; nothing where the run has no name."
        named = " against ".join(filter(None, self.names))
        return f": {named}" if named else ""

    @property
    def warnings(self) -> tuple[str, ...]:
        "What was not decided, and what would decide it."
        return tuple(warn_of_weak(row) for row in self.rows if row.verdict == "weak")

    def exit_code(self,
        strict: bool = False,  # Whether a weak gate fails
        weak_passes: bool = False,  # Whether a weak gate passes
    ) -> int:  # 0 for pass, 1 for fail, 3 for weak
        "The exit code of a command; weak is 0 with `weak_passes`, 1 with `strict`."
        if self.verdict != "weak": return 0 if self.verdict == "pass" else 1
        if weak_passes: return 0
        return 1 if strict else 3

    def to_dict(self) -> dict[str, Any]:
        "Everything as plain Python values."
        said = dict(verdict=self.verdict, warnings=list(self.warnings), how=self.how())
        if len(self.rows) > 1: said["primary"] = self.rows[0].rule
        return super().to_dict() | said

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        rows = tuple(Check.from_dict(row) for row in values["rows"])
        return cls(rows, tuple(values["names"]), values["read"], values["alignment"])

    def tell_methods(self) -> str:
        from .methods import gate_methods
        return gate_methods(self)

    def how(self) -> str:
        "The rule of the verdicts."
        intervals = join_field(self.rows, "interval")
        several = say_rules(self.rows[0].rule, len(self.rows) - 1)
        return ("pass: the whole interval is at or above the limit; "
                "fail: the whole interval is below it; "
                "weak: it reaches to both sides, and the data do not decide. "
                f"{several and several + ' '}"
                f"Judged: {join_field(self.rows, 'target')}. "
                f"Intervals: {intervals}, two-sided{explain_gaffke(intervals)}.")

    def parts(self) -> list[Part]:
        "The table of rules, what was not decided, and the method."
        heads = ["rule", "value", "interval", "limit", "questions", "judged", "verdict"]
        warned = [f"warning: {text}" for text in self.warnings]
        questions = f"Questions: {self.alignment} (A: baseline, B: new)." if self.alignment else ""
        said = [*warned, *filter(None, [questions]), self.read, self.how()]
        table = Table(heads, [write_check(row) for row in self.rows])
        return [Heading(self.heading), table, *map(Sentence, said)]

    def screen_parts(self) -> list[Part]:
        "The verdict in a sentence, each rule with its numbers."
        last = [*say_unmatched(self.alignment), self.read]
        return [*self.page_parts()[:1 + len(self.rows)], *map(Lead, last)]

    def page_parts(self) -> list[Part]:
        "The verdict first, then every number."
        lead = Lead(f"{self.verdict.upper()}{self.say_names()}")
        said = [say_check(row) for row in self.rows]
        said += filter(None, [say_rules(self.rows[0].rule, len(self.rows) - 1)])
        return [lead, *map(Sentence, said), *self.parts()[1:]]

    def plot(self, *, ax: Axes | None = None) -> Axes:
        "Draw how far each value lies from its limit, with its interval; Axes out."
        from .charts import plot_gate
        return plot_gate(self, ax=ax)


def say_check(row: Check) -> str:
    "A rule, its verdict, and the numbers behind it."
    value = signed(row.value) if row.drop else digits(row.value)
    numbers = f"{value}, {signed_span(row.low, row.high)} on {row.target}"
    helps = f"; {row.warning}" if row.warning else ""
    questions = say_count([row.questions], "question")
    return f"{row.verdict.upper()}: {row.rule} ({numbers}; {questions}){helps}."


def warn_of_weak(row: Check) -> str:
    helps = f"; {row.warning}" if row.warning else ""
    if row.high < row.limit: return f"{row.rule}: not decided{helps}"
    return (f"{row.rule}: not decided, the interval {signed_span(row.low, row.high)} "
            f"reaches to both sides of {signed(row.limit)}{helps}")


def write_check(row: Check) -> list[str]:
    value = signed(row.value) if row.drop else digits(row.value)
    numbers = [value, signed_span(row.low, row.high), signed(row.limit), str(row.questions)]
    return [row.rule, *numbers, row.target, row.verdict]
