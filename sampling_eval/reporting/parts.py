"""What a result says: the parts of a document, before they have a form."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, Union

from ..report.blocks import Question, Table
__all__ = ["Heading", "Lead", "Sentence", "Note", "Typed", "Cell", "GridLine", "Matrix", "Figure",
           "Folded", "Beside", "Key", "Keys", "Ruler", "Judged", "Series", "list_values",
           "Stretch", "Chart", "Outcomes", "Questions", "PAGES", "Part"]


@dataclass(frozen=True)
class Heading:
    "A line that opens a section."
    text: str  # What it says


@dataclass(frozen=True)
class Lead:
    "The answer, before everything else."
    text: str  # What it says


@dataclass(frozen=True)
class Sentence:
    "A line of text."
    text: str  # What it says


@dataclass(frozen=True)
class Note:
    "A line of small print; neighbours are one paragraph where the form has paragraphs."
    text: str  # What it says


@dataclass(frozen=True)
class Typed:
    "A line to be typed, which is never broken."
    text: str  # What it says


@dataclass(frozen=True)
class Cell:
    "An estimate with its intervals, as texts."
    value: str  # The estimate
    spans: tuple[str, ...] = ()  # Its intervals; one, or one per kind
    mark: str = ""  # Letters that it shares with cells it cannot be told apart from


@dataclass(frozen=True)
class GridLine:
    "One line of a matrix."
    name: str  # What it is about
    meaning: str  # The same in plain words; empty if there are none
    cells: tuple[Cell | None, ...]  # One per column; None where there is nothing


@dataclass(frozen=True)
class Matrix:
    "Estimates in a grid, each above its intervals."
    corner: str  # Head of the names
    columns: tuple[str, ...]  # Heads of the estimates
    lines: tuple[GridLine, ...]  # Lines of as many cells
    spans: tuple[str, ...] = ()  # What the intervals are about, where there are several kinds
    title: str = ""  # What it is about, above the head
    order: tuple[int, ...] = ()  # Positions of the columns, the most important first; as they stand
    wraps: bool = False  # Whether columns without room stand below; left out otherwise

    def to_table(self) -> Table:
        "The same as a table of texts: a row of estimates, then one for each kind of interval."
        explained = any(line.meaning for line in self.lines)
        head = [self.corner, *[""] * explained, *self.columns]
        widths = self.measure_marks()
        rows = [row for line in self.lines
                for row in write_line(line, self.spans, explained, widths)]
        return Table(head, rows, self.title, 1 + explained)

    def measure_marks(self) -> list[int]:
        "The longest mark of each column."
        columns = zip(*(line.cells for line in self.lines))
        return [max(len(cell.mark) for cell in [Cell(""), *column] if cell) for column in columns]

    def take(self, columns: Sequence[int]) -> Matrix:
        "The same with some of its columns."
        lines = [replace(line, cells=tuple(line.cells[i] for i in columns)) for line in self.lines]
        return replace(self, columns=tuple(self.columns[i] for i in columns), lines=tuple(lines),
                       order=())


def write_line(
    line: GridLine, kinds: Sequence[str], explained: bool, marks: Sequence[int],
) -> list[list[str]]:
    "The rows of one line."
    values = [write_value(cell, size) for cell, size in zip(line.cells, marks)]
    rows = [[line.name, *[line.meaning] * explained, *values]]
    count = max((len(cell.spans) for cell in line.cells if cell), default=0)
    for i in range(count):
        spans = [cell.spans[i] if cell and i < len(cell.spans) else "" for cell in line.cells]
        kind = kinds[i] if kinds else ""
        named = ["", kind] if explained else [kind]
        rows.append([*named, *spans])
    return rows


def write_value(cell: Cell | None, size: int) -> str:
    "A value with its mark, filled up so that the values of a column stand below each other."
    if cell is None: return ""
    return f"{cell.value} {cell.mark:<{size}}" if size else cell.value


@dataclass(frozen=True)
class Figure:
    "A figure, for the forms that can show one; neighbours stand side by side."
    draw: Callable[..., Any]  # Called with `ax=`, the Axes to draw on
    alt: str  # What is seen, for readers who do not see


@dataclass(frozen=True)
class Folded:
    "Parts that are shown on demand, for the forms that can fold."
    summary: str  # What is shown before
    parts: Sequence[Part]  # What is folded away


# What only a page shows.

@dataclass(frozen=True)
class Beside:
    "Two columns, one below the other where there is no room."
    left: Sequence[Part]  # The narrower one
    right: Sequence[Part]  # The wider one


@dataclass(frozen=True)
class Key:
    "A number to look at first."
    said: str  # The number as text
    name: str  # Metric
    meaning: str  # The same in plain words
    span: str  # Its interval as text
    value: float | None  # Estimate in [0, 1]; None for a number that has no place on the line
    low: float | None  # Ends of its interval; None without one
    high: float | None
    colour: int = 0  # Number of its colour


@dataclass(frozen=True)
class Keys:
    "The numbers to look at first, each with its interval on a line from 0 to 1."
    keys: Sequence[Key]  # From the top down


@dataclass(frozen=True)
class Ruler:
    "A number with its interval on a line, and what it is held against."
    value: float  # Estimate
    low: float  # Ends of its interval
    high: float
    mark: float  # What the interval is held against
    said: str  # The mark in words
    zero: str  # What 0 means; empty where it is not shown
    seen: str  # Everything in words, below the line
    ends: Sequence[str] = ()  # Lower end, estimate and upper end as texts, below the bar
    scale: tuple[float, float] | None = None  # Ends of the line; as far as the numbers if None


@dataclass(frozen=True)
class Judged:
    "A rule with its verdict, and what belongs to it."
    verdict: str  # `pass`, `fail` or `weak`
    mark: str  # The verdict in words, behind a sign
    text: str  # What was found
    parts: Sequence[Part]  # Its drawing and its reasons


@dataclass(frozen=True)
class Series:
    "One curve of a chart."
    label: str  # Its name
    meaning: str  # The same in plain words
    k: Sequence[int]  # Budgets, ascending
    value: Sequence[float]  # Shares at each
    low: Sequence[float | None]  # Ends of the intervals; None without one
    high: Sequence[float | None]
    said: Sequence[str]  # Each point in words
    shown: bool = True  # Whether it is seen before it is asked for
    upper: Sequence[float] = ()  # Shares where missing samples are right, if they leave two
    colour: int | None = None  # Number of its colour and marker; its place in the chart if None


def list_values(
    several: Sequence[Series],  # Curves of one figure
) -> list[float]:  # Their shares and ends of intervals
    "Everything that must have a place on the axis."
    fields = "value", "low", "high", "upper"
    return [value for series in several for name in fields for value in getattr(series, name)
            if value is not None]


@dataclass(frozen=True)
class Stretch:
    "Neighbouring budgets at which one curve is certainly above the other, all budgets at once."
    k: Sequence[int]  # Budgets, ascending
    series: int  # Number of the upper curve


@dataclass(frozen=True)
class Chart:
    "Curves over the budgets, which a reader can show and hide."
    series: Sequence[Series]  # At least one
    alt: str  # What is seen, for readers who do not see
    title: str = ""  # What was asked how often
    label: str = ""  # What is shown over k, such as `pass@k`
    stretches: Sequence[Stretch] = ()  # Where one of two curves is certainly above the other
    level: float = .95  # Confidence level of intervals and stretches
    zero: str = ""  # What 0 means where values are differences; empty where they are shares
    points: bool = True  # Whether a difference of 0.01 is a point

    @property
    def colours(self) -> list[int]:
        "Number of the colour of each curve."
        return [i if one.colour is None else one.colour for i, one in enumerate(self.series)]


@dataclass(frozen=True)
class Outcomes:
    "How often the questions of one model are right."
    c: Any  # Right samples of each question, shape `(Q,)`
    n: Any  # Samples of each


@dataclass(frozen=True)
class Questions:
    "Questions with their samples, to be filtered, searched and sorted."
    heads: Sequence[str]  # Models
    rows: Sequence[Question]  # Those that are shown
    counts: dict[str, int]  # Questions of each kind, of all there are
    names: dict[str, str]  # What each kind is called
    outcomes: Sequence[Outcomes]  # Of each model
    colours: Sequence[int] = ()  # Number of the colour of each model; their places if empty

    def colour(self, i: int) -> int:
        "Number of the colour of the model at a place."
        return self.colours[i] if self.colours else i


Part: TypeAlias = Union[Heading, Lead, Sentence, Note, Typed, Table, Matrix, Figure, Folded,
                        Beside, Keys, Ruler, Judged, Chart, Questions]
PAGES = Figure, Folded, Beside, Keys, Ruler, Judged, Chart, Questions  # What only a page shows
