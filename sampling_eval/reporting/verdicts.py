"""The verdicts on a new system."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from ..inference.estimate import Estimate, Interval
from .advice import Advice, read_advice
from .document import Written
from .gate_page import gate_page, list_steps
from .intervals import explain_gaffke
from .numbers import digits, signed, signed_span, span_text
from .openings import say_read
from .parts import Heading, Lead, Part, Sentence, Table
from .question_rules import Fall, MustPass, Watch, list_question_parts, say_falls, say_open
from .primary import say_rules
from .records import Record, join_field
from .verdict_words import (FELL, Command, explain_equals, explain_falls, explain_must_pass,
                            explain_rule, order_rules, say_check, say_exit, say_title, say_who,
                            warn_of_weak)
from .versus_screen import say_unmatched

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Check", "Gate", "FELL"]

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, eq=False, repr=False)
class Check(Record):
    "One rule of a gate, the numbers it was judged by, and the verdict."
    rule: str  # The rule in words
    metric: str  # Name with its budget, or what is counted
    value: float  # Difference new minus baseline, value of the new system, or a number of questions
    low: float | None  # Lower end of its interval; None where questions are counted
    high: float | None  # Upper end
    limit: float  # The number the interval, or the count, is held against
    verdict: str  # `pass`, `fail` or `weak`
    interval: str  # Interval method and level
    questions: int  # Number of questions
    target: str = ""  # What the interval is about, in words
    drop: bool = False  # Whether the rule is about a drop against the baseline
    warning: str = ""  # What a weak check would need
    said: str = ""  # What was found, where questions are counted
    equal_passes: float | None = None  # Chance that a system equal to the baseline passes
    equal_flips: float | None = None  # Chance that it gets another verdict when run again
    next: Advice | None = None  # What a weak check would need, in numbers
    estimate: Estimate | None = None  # What it was computed from; None in a row read from JSON

    names = ("rule", "metric", "value", "low", "high", "limit", "verdict", "interval", "questions",
             "target", "drop", "warning", "said", "equal_passes", "equal_flips", "next")

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
    falls: tuple[Fall, ...] = ()  # Questions the new system answers right less often
    watch: Watch | None = None  # What the samples could show of single questions
    must_pass: tuple[MustPass, ...] = ()  # Questions that must pass
    notes: tuple[str, ...] = ()  # What else a reader has to know
    command: Command | None = None  # How it was asked for in a shell; None in Python

    needed = "rows", "names", "read", "alignment"

    @property
    def verdict(self) -> str:
        "The worst verdict: `fail`, else `weak`, else `pass`."
        found = {row.verdict for row in self.rows}
        return next(o for o in ("fail", "weak", "pass") if o in found)

    @property
    def allows_falls(self) -> bool:
        "Whether no rule speaks of single questions that fall."
        return all(row.metric != FELL for row in self.rows)

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
        told = super().to_dict() | said
        del told["command"]
        return told

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        told = [dict(row, next=read_advice(row.get("next"))) for row in values["rows"]]
        watch = values.get("watch")
        if watch is not None: watch = dict(lower=None) | watch
        return cls(read_rows(Check, told), tuple(values["names"]), values["read"],
                   values["alignment"], read_rows(Fall, values.get("falls", ())),
                   None if watch is None else Watch.from_dict(watch),
                   read_rows(MustPass, values.get("must_pass", ())),
                   tuple(values.get("notes", ())))

    def to_junit(self,
        strict: bool = False,  # Whether a weak rule fails
        weak_passes: bool = False,  # Whether a weak rule passes; else it is skipped
        timestamp: str | None = None,  # Such as `2026-01-31T12:00:00`; the present time if None
    ) -> str:  # XML
        "One test case for every rule, every question that must pass, and every one that fell."
        from .junit import write_junit
        return write_junit(self, strict, weak_passes, timestamp)

    def tell_methods(self) -> str:
        from .methods import gate_methods
        return gate_methods(self)

    def how(self) -> str:
        "The rule of the verdicts."
        intervals = join_field(self.rows, "interval")
        said = ["A rule passes if its whole interval is at or above the limit, fails if all of it "
                "is below, and is weak if it reaches to both sides: the data do not decide. "
                f"Judged: {join_field(self.rows, 'target')}."]
        if intervals: said.append(f"Intervals: {intervals}, two-sided{explain_gaffke(intervals)}.")
        said += filter(None, [self.say_rules(), *map(explain_equals, self.rows)])
        if self.watch: said.append(explain_falls(self.watch))
        if self.must_pass: said.append(explain_must_pass(self.must_pass))
        return " ".join(said)

    def parts(self) -> list[Part]:
        "The verdict on each rule, every number, and the method."
        first, *others = self.say_verdicts()
        return [Heading(first), *map(Sentence, others), *self.list_numbers()]

    def list_numbers(self) -> list[Part]:
        "The table of rules, single questions, what was read, and the method."
        questions = f"Questions: {self.alignment} (A: baseline, B: new)." if self.alignment else ""
        said = [*filter(None, [questions]), *map(say_read, [*self.notes, self.read]), self.how()]
        single = list_question_parts(self.falls, self.watch, self.must_pass)
        return [self.make_table(), *single, *map(Sentence, said)]

    def make_table(self) -> Table:
        "Every number of each rule."
        heads = ["rule", "value", "interval", "limit", "questions", "judged", "verdict"]
        return Table(heads, [write_check(row) for row in self.rows])

    def screen_parts(self) -> list[Part]:
        "The verdict, each rule with its numbers, the questions that fell."
        first, *others = self.say_verdicts()
        several = len(self.rows) > 1
        checks = [Sentence(text) for text in others] * several
        exits = say_exit(self) * (self.verdict == "weak")
        said = [*others * (not several), f"{say_who(self)}.", *self.say_single(), exits,
                *map(say_read, self.notes), *say_unmatched(self.alignment), say_read(self.read)]
        return [Lead(first), *checks, self.shorten_table(), *list_steps(self),
                *map(Lead, filter(None, said))]

    def shorten_table(self) -> Table:
        "The numbers of each rule that fit a terminal."
        table = self.make_table()
        rows = [[*row[:4], row[-1]] for row in table.rows]
        return Table([*table.head[:4], table.head[-1]], rows)

    def to_summary(self) -> str:
        "Markdown for the step summary of a workflow: the verdict in words, numbers folded."
        from .workflow import write_summary
        return write_summary(self)

    def page_parts(self) -> list[Part]: return gate_page(self, self.make_table())

    def say_rules(self) -> str:
        "How several rules with an interval are judged together; empty for one."
        ranged = [row.rule for row in self.rows if row.low is not None]
        return say_rules(ranged[0], len(ranged) - 1) if ranged else ""

    def say_verdicts(self) -> list[str]:
        "The verdict of all rules, then each by itself; what else is said of the only one."
        if len(self.rows) > 1: said = [say_check(row, self) for row in order_rules(self)]
        else: said = explain_rule(self.rows[0], self)
        return [say_title(self), *filter(None, said)]

    def say_single(self) -> list[str]:
        "What is said of single questions, beside the rule about them if there is one."
        if self.watch is None: return []
        named = say_falls(self.falls, self.watch) if self.allows_falls else ""
        said = " ".join(filter(None, [named, say_open(self.falls)]))
        return [said] if said else []

    def plot(self, *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw how far each value lies from its limit, with its interval.

        Raises: `ValueError` where all rules count questions.
        """
        from .charts import plot_gate
        return plot_gate(self, ax=ax, size=size)


def read_rows(kind: type[R], told: Iterable[Mapping[str, Any]]) -> tuple[R, ...]:
    "Rows of one kind from their plain values."
    return tuple(kind.from_dict(row) for row in told)


def write_check(row: Check) -> list[str]:
    "The cells of a rule."
    if row.low is None: numbers = [f"{row.value:g}", "-", f"{row.limit:g}"]
    else:
        number, span = (signed, signed_span) if row.drop else (digits, span_text)
        numbers = [number(row.value), span(row.low, row.high), number(row.limit)]
    return [row.rule, *numbers, str(row.questions), row.target, row.verdict]
