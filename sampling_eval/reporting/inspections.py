"""What data support, told in every form."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Self

from ..report.blocks import Table
from . import text
from .document import Written
from .openings import say_read
from .parts import Heading, Part, Sentence, Typed

__all__ = ["System", "Support", "Column", "Inspection"]

HEADS = ("model", "group", "questions", "samples each", "right", "missing", "answers", "scores",
         "clusters")
FEW = 6  # Budgets that are listed one by one


@dataclass(frozen=True)
class System:
    "The samples of one model, or of one of its groups."
    model: str
    group: str
    questions: int
    fewest: int  # Samples of the question with the fewest
    most: int  # Samples of the question with the most
    right: int | None  # Right samples; None for graded scores
    missing: int  # Samples without an outcome
    answers: int | None = None  # Different answers; None where there are none
    scored: int | None = None  # Samples with a score; None where there are none
    clusters: int | None = None  # Clusters of questions


@dataclass(frozen=True)
class Support:
    "A metric, and whether the data allow it."
    metric: str
    possible: bool
    budgets: tuple[int, ...] = ()  # Budgets that `score` would report; none for an average
    reason: str = ""  # Why it is not possible


@dataclass(frozen=True)
class Column:
    "A column that could be chosen."
    column: str
    holds: str
    different: int | None
    examples: tuple[str, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Inspection(Written):
    "What data support, or which columns they have where none could be chosen."
    title: str  # Name of the data
    read: str = ""  # What was read, and what was taken for what
    systems: tuple[System, ...] = ()  # Each model and group
    metrics: tuple[Support, ...] = ()  # Every metric of the package
    targets: Mapping[str, str] = field(default_factory=dict)  # Target of error bars to its meaning
    needs: tuple[str, ...] = ()  # What has to be passed, or may be
    fault: str = ""  # Why the data could not be read as they stand
    columns: tuple[Column, ...] = ()  # Columns to choose from, where they could not be read
    choice: Mapping[str, str] = field(default_factory=dict)  # Column to try for a part
    typed: str = ""  # Command to type next

    needed = "title", "systems", "metrics", "columns", "fault"

    @property
    def rows(self) -> Sequence[Any]:
        "The metrics, or the columns to choose from."
        return self.metrics or self.columns

    @property
    def heading(self) -> str: return f"What {self.title} supports"

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        kinds = dict(systems=System, metrics=Support, columns=Column)
        rows = {name: tuple(kind(**{key: tuple(o) if isinstance(o, list) else o
                                    for key, o in row.items()}) for row in values[name])
                for name, kind in kinds.items()}
        return cls(**{**values, **rows, "needs": tuple(values["needs"])})

    def say(
        self,
        change: Callable[[str], str],  # Maps a sentence to another
    ) -> Self:  # The same in other words
        "The same with options spelled otherwise."
        metrics = tuple(replace(one, reason=change(one.reason)) for one in self.metrics)
        return replace(self, metrics=metrics, needs=tuple(map(change, self.needs)),
                       fault=change(self.fault))

    def to_text(self,
        how: bool = False,  # Whether every number is shown: it always is
    ) -> str:
        "Text for the terminal, its sentences in lines of at most 80 characters."
        return text.render([line for part in self.parts() for line in wrap_sentence(part)])

    def parts(self) -> list[Part]:
        "What was read, the metrics, targets and needs; or the fault and the columns."
        head, last = Heading(self.heading), map(Typed, self.tell_next())
        if self.fault:
            end = "" if self.fault.endswith(".") else "."
            return [head, Sentence(say_read(self.fault) + end), *self.write_columns(), *last]
        targets = [f"Error bars, target {name}: {said}." for name, said in self.targets.items()]
        needs = [f"{say_read(need)}." for need in self.needs]
        said = [*self.tell_impossible(), *targets, *needs]
        return [head, Sentence(say_read(self.read)), self.write_systems(), self.write_metrics(),
                *map(Sentence, said), *last]

    def tell_next(self) -> list[str]:
        "What to type next."
        named = ", ".join(f"{part}={column!r}" for part, column in self.choice.items())
        told = self.typed or named and f"pass {named}"
        return [f"Next: {told}"] if told else []

    def tell_impossible(self) -> list[str]:
        "A sentence for each reason why metrics are not possible."
        names: dict[str, list[str]] = {}
        for one in self.metrics:
            if not one.possible: names.setdefault(one.reason, []).append(one.metric)
        return [f"No {', '.join(metrics)}: {reason}." for reason, metrics in names.items()]

    def write_systems(self) -> Table:
        "A line for each model and group."
        columns = zip(HEADS, zip(*map(write_system, self.systems)))
        shown = {head: cells for head, cells in columns if set(cells) - {"", "-"}}
        return Table(list(shown), [list(row) for row in zip(*shown.values())])

    def write_metrics(self) -> Table:
        "A line for each metric that is possible."
        rows = [[one.metric, write_budgets(one.budgets)] for one in self.metrics if one.possible]
        return Table(["metric", "k"], rows)

    def write_columns(self) -> list[Part]:
        "A line for each column."
        if not self.columns: return []
        rows = [[one.column, one.holds or "-", write_count(one.different),
                 ", ".join(one.examples), " or ".join(one.parts) or "-"] for one in self.columns]
        return [Table(["column", "holds", "different", "such as", "could be"], rows)]

    def plot(self, **given: Any) -> NoReturn:
        "Refuse: there is nothing to draw."
        raise ValueError("what data support has no figure; write it as .json, .md, .html or .txt")


def wrap_sentence(part: Part) -> list[Part]:
    "A sentence in lines that fit a screen; a note is a command, which stays in one line."
    if not isinstance(part, Sentence): return [part]
    return [Sentence(line) for line in text.wrap(part.text, "  ").split("\n")]


def write_system(one: System) -> list[str]:
    "What is known of a model or group, in the order of the heads."
    counts = one.right, one.missing, one.answers, one.scored, one.clusters
    return [one.model, one.group, str(one.questions), write_range(one.fewest, one.most),
            *map(write_count, counts)]


def write_range(fewest: int, most: int) -> str:
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def write_count(count: int | None) -> str: return "-" if count is None else str(count)


def write_budgets(budgets: Sequence[int]) -> str:
    "Budgets as a range, or as a list that is not too long."
    if not budgets: return "all n"
    if len(budgets) > 2 and budgets[-1] - budgets[0] == len(budgets) - 1:
        return f"{budgets[0]} to {budgets[-1]}"
    texts = list(map(str, budgets))
    if len(texts) > FEW: texts = [*texts[:3], "...", texts[-1]]
    return ", ".join(texts)
