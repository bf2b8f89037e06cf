"""The verdicts on a new system."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from .advice import read_advice
from .document import Written
from .gate_facts import Check, GateFacts
from .gate_page import gate_page, list_steps
from .gate_tables import list_numbers, shorten_table
from .openings import say_read
from .parts import Heading, Lead, Part, Sentence
from .question_rules import Fall, MustPass, Watch, say_falls, say_open
from .records import Record
from .verdict_words import describe_gate, say_exit, say_verdicts, say_who, warn_of_weak
from .weights import take_weights

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Gate"]

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, eq=False, repr=False)
class Gate(GateFacts, Written):
    "Verdicts on a new system."
    needed = "rows", "names", "read", "alignment"

    @property
    def heading(self) -> str: return f"gate {self.verdict}{self.say_names()}"

    @property
    def warnings(self) -> tuple[str, ...]:
        "What was not decided, and what would decide it."
        return tuple(warn_of_weak(row) for row in self.rows if row.verdict == "weak")

    def to_dict(self) -> dict[str, Any]:
        "Everything as plain Python values."
        said = dict(verdict=self.verdict, warnings=list(self.warnings), how=self.how())
        if len(self.rows) > 1: said["primary"] = self.rows[0].rule
        told = super().to_dict() | said
        del told["command"]
        return told

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        rows = tuple(map(read_check, values["rows"]))
        watch = values.get("watch")
        if watch is not None: watch = dict(lower=None) | watch
        return cls(rows, tuple(values["names"]), values["read"],
                   values["alignment"], read_rows(Fall, values.get("falls", ())),
                   None if watch is None else Watch.from_dict(watch),
                   read_rows(MustPass, values.get("must_pass", ())),
                   tuple(values.get("notes", ())))

    def to_junit(self,
        strict: bool = False,  # Whether a weak rule fails
        weak_passes: bool = False,  # Whether a weak rule passes
        timestamp: str | None = None,  # Such as `2026-01-31T12:00:00`; the present time if None
        skip_inconclusive: bool = False,  # Whether a weak rule is skipped; else it fails
    ) -> str:  # XML
        "One test case for every rule, every question that must pass, and every one that fell."
        from .junit import write_junit
        return write_junit(self, strict, weak_passes, timestamp, skip_inconclusive)

    def tell_methods(self) -> str:
        from .methods import gate_methods
        return gate_methods(self)

    def how(self) -> str:
        "The rule of the verdicts."
        return describe_gate(self)

    def parts(self) -> list[Part]:
        "The verdict on each rule, every number, and the method."
        first, *others = say_verdicts(self)
        return [Heading(first), *map(Sentence, others), *list_numbers(self)]

    def screen_parts(self) -> list[Part]:
        "The verdict, each rule with its numbers, the questions that fell."
        first, *others = say_verdicts(self)
        several = len(self.rows) > 1
        checks = [Sentence(text) for text in others] * several
        exits = say_exit(self) * (self.verdict == "weak")
        said = [*others * (not several), f"{say_who(self)}.", *self.say_single(), exits,
                *map(say_read, self.notes), *say_unmatched(self.alignment), say_read(self.read)]
        return [Lead(first), *checks, shorten_table(self), *list_steps(self),
                *map(Lead, filter(None, said))]

    def to_summary(self) -> str:
        "Markdown for the step summary of a workflow: the verdict in words, numbers folded."
        from .workflow import write_summary
        return write_summary(self)

    def page_parts(self) -> list[Part]: return gate_page(self)

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


def read_check(told: Mapping[str, Any]) -> Check:
    "A rule from its plain values."
    values = dict(usual=None, bounds=None, confidence_level=None) | dict(told)
    weights = take_weights(values)
    return Check.from_dict(values | dict(next=read_advice(values.get("next"))), weights=weights)


def read_rows(kind: type[R], told: Iterable[Mapping[str, Any]]) -> tuple[R, ...]:
    "Rows of one kind from their plain values."
    return tuple(kind.from_dict(row) for row in told)


def say_unmatched(alignment: str) -> list[str]:
    "Which questions were left out because only one system has them."
    if not alignment or alignment.endswith("0 only in A, 0 only in B"): return []
    return [f"Questions: {alignment}."]
