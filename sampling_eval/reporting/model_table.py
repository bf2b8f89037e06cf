"""The result of `table`: models by metrics, with letters for those that cannot be told apart."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ..inference.estimate import TARGETS
from ..report.headline import describe_sizes
from ..report.score import describe_intervals, list_reasons, methods
from ..report.sources import cite
from ..report.text import measure
from ..results.rows import Row
from ..results.score_report import Report
from . import latex
from .beside import say_disputed, say_named_apart
from .document import Written
from .letters import Letters, letter_models, say_leader, say_letters
from .matrix import find_decimals, make_cell
from .numbers import digits
from .openings import say_read
from .parts import Cell, Folded, GridLine, Lead, Matrix, Note, Part
from .standings_facts import Places, list_places, read_places

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Column", "ModelTable"]

ERRORS = dict(ends="Below each estimate its",
              half="± is the distance from the estimate to the farther end of its")
HEAD = 24  # Columns of a terminal for the name of a group


@dataclass(frozen=True)
class Column:
    "One metric in one group: the models in order, and those that cannot be told apart."
    metric: str  # Name with its budget
    group: str  # Group of questions; empty for all
    places: Places | None = None  # Ranks and tied groups; None for a single model
    tests: tuple[str, ...] = ()  # Tests that tell two models apart
    other_tests: tuple[str, ...] = ()  # Those of the analysis that stands beside
    disputed: tuple[tuple[str, str, bool], ...] = ()  # Pairs that one of both tells apart
    named_tests: tuple[str, ...] = ()  # Those of a test that was asked for by name
    named_apart: tuple[tuple[str, str], ...] = ()  # Pairs that it tells apart: better, worse

    @property
    def letters(self) -> Letters:
        "The letters of each model; none for a single one."
        return letter_models(self.places.tied) if self.places else {}

    def to_dict(self) -> dict[str, Any]:
        "All as plain values, the places as rows."
        told = dict(metric=self.metric, group=self.group, tests=list(self.tests),
                    other_tests=list(self.other_tests), disputed=list(map(list, self.disputed)),
                    named_tests=list(self.named_tests),
                    named_apart=list(map(list, self.named_apart)))
        if self.places is None: return told | dict(systems=[], tied=[])
        systems = [place | dict(letters=self.letters[str(place["system"])])
                   for place in list_places(self.places)]
        return told | dict(systems=systems, tied=[list(group) for group in self.places.tied])

    @classmethod
    def from_dict(cls,
        values: Mapping[str, Any],  # What `to_dict` gave
    ) -> Self:  # An equal column
        "A column from its plain values."
        places = read_places(values) if values["systems"] else None
        disputed = tuple((first, second, own) for first, second, own in values.get("disputed", ()))
        return cls(values["metric"], values["group"], places, tuple(values["tests"]),
                   tuple(values.get("other_tests", ())), disputed,
                   tuple(values.get("named_tests", ())),
                   tuple((first, second) for first, second in values.get("named_apart", ())))


@dataclass(frozen=True, eq=False, repr=False)
class ModelTable(Written):
    "Models by metrics on the same questions, best model first."
    numbers: Sequence[Row]  # One row per model, group and metric
    columns: tuple[Column, ...]  # One per metric and group, in the order of the table
    read: str  # What was read, in a sentence
    notes: tuple[str, ...] = ()  # What a reader has to know
    confidence_level: float = .95  # Level of the intervals, and of all letters of a column
    title: str = ""  # Name of the data
    target: str = "questions"  # What intervals and letters are about
    errors: str = "ends"  # `ends` of the intervals, or `half`: the distance to the farther end

    needed = "rows", "columns", "read", "target"
    told = "read", "confidence_level", "title", "target", "errors"

    @property
    def heading(self) -> str: return self.title or "models by metrics"

    @property
    def models(self) -> list[str]:
        "The models, best first in the first metric."
        return list(dict.fromkeys(row.model for row in self.numbers))

    @property
    def metrics(self) -> list[str]:
        "The metrics in the order of the table."
        return list(dict.fromkeys(column.metric for column in self.columns))

    @property
    def groups(self) -> list[str]:
        "The groups of questions, their mean last; one empty name where there are none."
        return list(dict.fromkeys(column.group for column in self.columns))

    @property
    def heads(self) -> dict[str, str]:
        "The groups as heads of columns: `mean of 3`, and a number where a name is long."
        plain = {group: re.sub("^(mean of [0-9]+) groups$", r"\1", group) for group in self.groups}
        return {group: head if measure(head) <= HEAD else f"({i})"
                for i, (group, head) in enumerate(plain.items(), 1)}

    @property
    def report(self) -> Report:
        "The same numbers as `score` gives them."
        target: Any = self.target
        return Report(self.numbers, None, self.notes, self.confidence_level, self.title,
                      target=target)

    @property
    def rows(self) -> list[dict[str, Any]]:
        "One row per model and group: every estimate, its interval and its letters."
        return [self.make_row(model, group) for group in self.groups for model in self.models]

    def make_row(self,
        model: str,  # Name of the model
        group: str,  # Group of questions; empty for all
    ) -> dict[str, Any]:  # A line of a spreadsheet
        "The numbers of one model and group by name."
        row: dict[str, Any] = dict(model=model, group=group) if group else dict(model=model)
        for column in self.columns:
            if column.group != group: continue
            one, name = self[model, column.metric, group], column.metric
            row |= {name: one.estimate, f"{name} low": one.low, f"{name} high": one.high,
                    f"{name} letters": column.letters.get(model, "")}
        return row

    def __getitem__(self,
        key: tuple[str, ...],  # Model and metric, or model, metric and group
    ) -> Row:
        """The number of a model and a metric.

        Raises: `KeyError` with the names there are.
        """
        model, metric, group = (*key, self.groups[-1])[:3]
        for row in self.numbers:
            if (row.model, row.metric, row.group) == (model, metric, group): return row
        raise KeyError(f"need one of the models {self.models}, of the metrics {self.metrics}"
                       f"{self.name_groups()}, got {key!r}")

    def name_groups(self) -> str:
        return f" and of the groups {self.groups}" if self.groups != [""] else ""

    # What it says.

    @property
    def answer(self) -> str:
        "Which model is first, and which ones cannot be told apart from it."
        metric, group = self.metrics[0], self.groups[-1]
        column = next(one for one in self.columns if (one.metric, one.group) == (metric, group))
        value = digits(self[self.models[0], metric, group].estimate)
        over = f"{metric}, {group}" if group else metric
        return say_leader(over, self.models, value, column.letters)

    @property
    def size(self) -> str:
        "What the table is about, in one line."
        blocks = {key: rows for key, rows in self.report.blocks().items()
                  if key[1] == self.groups[-1]}
        whole = {(model, ""): rows for (model, _), rows in blocks.items()}
        return ", ".join(describe_sizes(whole, "models"))

    @property
    def opening(self) -> str:
        "The same after the name of the data."
        return f"{self.title}: {self.size}" if self.title else self.size

    @property
    def legend(self) -> list[str]:
        "What intervals and letters mean, and what else has to be known."
        said = ["There is no interval; the reason stands with the numbers."]
        if any(row.low is not None for row in self.numbers):
            said = [f"{ERRORS[self.errors]} {describe_intervals(self.report)}"]
        if any(row.low is None for row in self.numbers): said += list_reasons(self.numbers)
        if len(self.models) > 1:
            said.append(say_letters(self.confidence_level, f"for {TARGETS[self.target]}",
                                    len(self.columns) > 1))
        said += [f"{head}: {group}." for group, head in self.heads.items()
                 if head != group and head.startswith("(")]
        pairs = [(f"{one.metric}, {one.group}" if one.group else one.metric, *pair)
                 for one in self.columns for pair in one.disputed]
        said += say_disputed(pairs, [test for one in self.columns for test in one.other_tests])
        said += [say_named_apart(f"{one.metric}, {one.group}" if one.group else one.metric,
                                 one.named_tests, one.named_apart)
                 for one in self.columns if one.named_tests]
        if len(self.groups) > 1: said.append(f"The {self.groups[-1]} counts each group the same.")
        return [*said, *self.notes]

    def how(self) -> str:
        "What was computed and how, in sentences fit for a paper."
        said = cite(methods(self.report))
        if len(self.models) == 1: return said
        tests = " or ".join(dict.fromkeys(test for one in self.columns for test in one.tests))
        return (f"{said} Letters: {tests}, two-sided, Holm's correction "
                "over all pairs of models in each column.")

    def matrices(self) -> list[Matrix]:
        "Models by metrics; with groups a matrix per metric, models by groups."
        if self.groups == [""]: return [make_grid(self, self.columns)]
        return [make_grid(self, [one for one in self.columns if one.metric == metric], metric)
                for metric in self.metrics]

    def parts(self) -> list[Part]:
        "The answer, the table, how to read it, and how it was computed."
        last = [*self.legend, say_read(self.read), self.how()]
        return [Lead(self.answer), *self.matrices(), *map(Note, last)]

    def screen_parts(self) -> list[Part]:
        opening = Lead(self.opening), Lead(self.answer)
        return [*opening, *self.matrices(), *map(Lead, [*self.legend, say_read(self.read)])]

    def page_parts(self) -> list[Part]:
        method = Folded("How it was computed", [Note(say_read(self.read)), Note(self.how())])
        opening = Note(self.opening), Lead(self.answer)
        return [*opening, *self.matrices(), *map(Note, self.legend), method]

    def to_latex(self) -> str:
        "A float for the package `booktabs`, with caption and label; the method as comments."
        said = [f"{', '.join(self.metrics)}. {self.size}.", *self.legend]
        return latex.write_float(self.matrices(), " ".join(said), "tab:models",
                                 [self.read, self.how()])

    def plot(self,
        metric: str | None = None,  # Which metric; None is the first
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        "Draw one metric of every model with its intervals."
        from .model_plot import plot_models
        metric = metric or self.metrics[0]
        rows = [self[model, metric] for model in self.models]
        column = next(one for one in self.columns[::-1] if one.metric == metric)
        return plot_models(rows, column.letters, ax=ax, size=size)

    # As plain values.

    def to_dict(self) -> dict[str, Any]:
        "Everything as plain Python values."
        told = {name: getattr(self, name) for name in self.told}
        return dict(answer=self.answer, rows=[row.to_dict() for row in self.numbers],
                    columns=[column.to_dict() for column in self.columns],
                    notes=list(self.notes), **told, how=self.how())

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        numbers = tuple(map(Row.from_dict, values["rows"]))
        columns = tuple(map(Column.from_dict, values["columns"]))
        told = {name: values[name] for name in cls.told}
        return cls(numbers, columns, notes=tuple(values["notes"]), **told)


def make_grid(table: ModelTable, columns: Sequence[Column], title: str = "") -> Matrix:
    "Models by metrics, or by groups in one metric."
    found = [[table[model, one.metric, one.group] for one in columns] for model in table.models]
    decimals = find_decimals([row for line in found for row in line])
    letters = [one.letters for one in columns]
    lines = [GridLine(model, "", tuple(write_cells(line, letters, decimals, table.errors)))
             for model, line in zip(table.models, found)]
    heads = [table.heads[one.group] if title else one.metric for one in columns]
    return Matrix("model", tuple(heads), tuple(lines), title=title, wraps=True)


def write_cells(
    rows: Sequence[Row], letters: Sequence[Letters], decimals: int, errors: str,
) -> Iterator[Cell]:
    "The numbers of one model with their letters."
    for row, known in zip(rows, letters):
        cell, mark = make_cell(row, decimals), known.get(row.model, "")
        if errors == "half": yield Cell(f"{cell.value} {say_half(row, decimals)}", mark=mark)
        else: yield Cell(cell.value, cell.spans, mark)


def say_half(row: Row, decimals: int) -> str:
    "The distance from the estimate to the farther end of its interval."
    if row.low is None or row.high is None: return "± -"
    return f"± {max(row.estimate - row.low, row.high - row.estimate):.{decimals + 1}f}"
