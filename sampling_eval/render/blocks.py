"""What a result says, before it has a form: a document is a list of blocks.

`Headline`, `Text`, `Code`, `Table` and `Grid` have a form everywhere. Pictures (`Curves`,
`Intervals`, `Questions`) and `Samples` are for pages. A `Fold` is the level of detail: closed on
a screen, opened by `--how`, a click on a page.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TYPE_CHECKING, TypeAlias, Union

from ..spelling import Spelling, spell

if TYPE_CHECKING: from ..results.verdict import Badge  # Which imports numpy; help needs none

__all__ = ["Headline", "Text", "is_note", "Code", "Table", "Cell", "GridLine", "Grid", "Series",
           "Stretch", "Curves", "Line", "Intervals", "SHARES", "Question", "Questions", "Excerpt",
           "Passage", "Samples", "Fold", "Later", "Block", "Document",
           "spell_options", "open_folds"]


@dataclass(frozen=True)
class Headline:
    "The answer: who, by how much with its CI, verdict."
    text: str
    verdict: Badge = ""  # Shown as a badge beside it, in colour and word


@dataclass(frozen=True)
class Text:
    "A paragraph."
    text: str
    kind: Literal["plain", "note", "caution", "heading", "lead"] = "plain"


def is_note(block: object) -> bool:
    "Whether a block is small print, of which several lines stand together."
    return isinstance(block, Text) and block.kind == "note"


@dataclass(frozen=True)
class Code:
    "A line to be typed, which is never broken inside a word."
    text: str


# Tables.

@dataclass(frozen=True)
class Table:
    "A small table of texts, names to the left and numbers to the right."
    head: Sequence[str]  # Column heads
    rows: Sequence[Sequence[str]]  # Rows of texts, as long as the head
    title: str = ""  # What it is about, above the head
    left: int = 1  # Columns of names; the others hold numbers

    @property
    def lines(self) -> list[Sequence[str]]:
        "The head, then the rows."
        return [self.head, *self.rows]


@dataclass(frozen=True)
class Cell:
    "An estimate with its intervals, as texts."
    value: str
    intervals: tuple[str, ...] = ()  # One, or one per target
    letters: str = ""  # Models that share a letter do not differ significantly


@dataclass(frozen=True)
class GridLine:
    "One line of a grid."
    name: str
    meaning: str  # The same in plain words; empty if there are none
    cells: tuple[Cell | None, ...]  # One per column; None where there is nothing


@dataclass(frozen=True)
class Grid:
    "Estimates, each above its intervals."
    corner: str  # Head of the names
    columns: tuple[str, ...]  # Heads of the estimates
    lines: tuple[GridLine, ...]
    intervals: tuple[str, ...] = ()  # What the intervals are about, where there are several
    title: str = ""  # What it is about, above the head
    order: tuple[int, ...] = ()  # Positions of the columns, the most important first
    wraps: bool = False  # Whether columns without room stand below; left out otherwise

    def to_table(self) -> Table:
        "The same as a table of texts: a row of estimates, then one for each kind of interval."
        explained = any(line.meaning for line in self.lines)
        head = [self.corner, *[""] * explained, *self.columns]
        widths = self.letter_widths()
        rows = [row for line in self.lines
                for row in line_rows(line, self.intervals, explained, widths)]
        return Table(head, rows, self.title, 1 + explained)

    def letter_widths(self) -> list[int]:
        "The longest letters of each column."
        columns = zip(*(line.cells for line in self.lines))
        return [max(len(cell.letters) for cell in [Cell(""), *column] if cell)
                for column in columns]

    def take(self, columns: Sequence[int]) -> Grid:
        "The same with some of its columns."
        lines = [replace(line, cells=tuple(line.cells[i] for i in columns)) for line in self.lines]
        return replace(self, columns=tuple(self.columns[i] for i in columns), lines=tuple(lines),
                       order=())


def line_rows(
    line: GridLine, kinds: Sequence[str], explained: bool, widths: Sequence[int],
) -> list[list[str]]:
    "The rows of one line."
    values = [cell_value(cell, width) for cell, width in zip(line.cells, widths)]
    rows = [[line.name, *[line.meaning] * explained, *values]]
    for i in range(max((len(cell.intervals) for cell in line.cells if cell), default=0)):
        ends = [cell.intervals[i] if cell and i < len(cell.intervals) else ""
                for cell in line.cells]
        kind = kinds[i] if kinds else ""
        rows.append([*(["", kind] if explained else [kind]), *ends])
    return rows


def cell_value(cell: Cell | None, width: int) -> str:
    "A value with its letters, filled up so that the values of a column stand below each other."
    if cell is None: return ""
    return f"{cell.value} {cell.letters:<{width}}" if width else cell.value


# Pictures.

@dataclass(frozen=True)
class Series:
    "One curve."
    label: str
    meaning: str  # The same in plain words
    k: Sequence[int]  # Budgets, ascending
    value: Sequence[float]
    low: Sequence[float | None]  # Ends of the intervals; None without one
    high: Sequence[float | None]
    said: Sequence[str]  # Each point in words
    shown: bool = True  # Whether it is seen before it is asked for
    upper: Sequence[float] = ()  # Values where missing samples are right, if they leave two
    colour: int | None = None  # Number of its colour and marker; its place if None


@dataclass(frozen=True)
class Stretch:
    "Neighbouring budgets at which one curve is significantly above the other, simultaneously."
    k: Sequence[int]  # Budgets, ascending
    series: int  # Number of the upper curve


@dataclass(frozen=True)
class Curves:
    "Values over the budgets, which a reader can show and hide."
    series: Sequence[Series]  # At least one
    alt: str  # What is seen, for readers who do not see
    title: str = ""  # What was asked how often
    label: str = ""  # What is shown over k, such as `pass@k`
    stretches: Sequence[Stretch] = ()
    level: float = .95  # Confidence level of intervals and stretches
    zero: str = ""  # What 0 means where values are differences; empty where they are shares
    points: bool = True  # Whether a difference of 0.01 is a point
    band: Sequence[tuple[int, float, float]] = ()  # Budget, low and high of a range behind them
    across: str = "k, samples drawn"  # What k is

    @property
    def colours(self) -> list[int]:
        "Number of the colour of each curve."
        return [i if one.colour is None else one.colour for i, one in enumerate(self.series)]

    @property
    def values(self) -> list[float]:
        "Everything that must have a place on the axis."
        fields = "value", "low", "high", "upper"
        edges = [edge for _, *ends in self.band for edge in ends]
        return edges + [value for one in self.series for name in fields
                        for value in getattr(one, name) if value is not None]

    @property
    def crossings(self) -> list[tuple[int, int]]:
        "The last budget before each crossing of the curves, and the first one after it."
        return [(one.k[-1], other.k[0]) for one, other in zip(self.stretches, self.stretches[1:])
                if one.series != other.series]

    def describe_stretches(self) -> list[tuple[str, int | None]]:
        "Phrases on who is better where, each with the number of its curve if it has one."
        found: dict[int, list[str]] = {}
        for one in self.stretches: found.setdefault(one.series, []).append(describe_run(one.k))
        said: list[tuple[str, int | None]] = [
            (f"{self.series[i].label} is better at {' and '.join(runs)}", i)
            for i, runs in found.items()]
        gaps = [f"between k = {before} and {after}" for before, after in self.crossings]
        return said + [(f"the curves cross {' and '.join(gaps)}", None)] * bool(gaps)


def describe_run(k: Sequence[int]) -> str:
    return f"k = {k[0]}" if len(k) == 1 else f"k = {k[0]}-{k[-1]}"


@dataclass(frozen=True)
class Line:
    "An estimate with its interval, and what it is held against."
    label: str
    said: str  # The number as text
    value: float
    low: float | None  # Ends of its interval; None without one
    high: float | None
    note: str = ""  # Small print below the label, such as the interval in words
    limit: float | None = None  # What the interval is held against
    verdict: Badge = ""
    colour: int = 0  # Number of its colour


@dataclass(frozen=True)
class Intervals:
    "Estimates with their intervals on one scale, one below the other: a forest plot."
    lines: Sequence[Line]
    alt: str  # What is seen, for readers who do not see
    scale: tuple[float, float] | None = None  # Ends of the scale; as far as the numbers if None
    ends: tuple[str, str] = ("", "")  # What stands at the ends of the scale
    zero: str = ""  # What 0 means; empty where it has no line
    limit: str = ""  # What the limits of the lines mean


# Of an `Intervals` whose scale is all shares from 0 to 1
SHARES: dict[str, Any] = dict(scale=(0., 1.), ends=("0 %", "100 %"))


@dataclass(frozen=True)
class Excerpt:
    "A text of a log, or its beginning and its end."
    start: str
    end: str = ""
    left_out: int = 0  # Characters between the two

    @property
    def size(self) -> int:
        "Characters that are shown."
        return len(self.start) + len(self.end)


@dataclass(frozen=True)
class Passage:
    "What one sample says."
    outcome: str  # In words, such as `✓ right`
    right: bool | None  # None for a score, and without an outcome
    system: str  # Model; empty for the only one
    answer: Excerpt | None
    prompt: Excerpt | None  # None where all samples of the question share one
    where: str  # Such as `runs.csv, line 12`
    link: str = ""  # Address of that place; empty where it is not known from the page


@dataclass(frozen=True)
class Samples:
    "Prompts and answers of a question. They are filled in for a page only, and shown nowhere else."
    question: str
    prompt: Excerpt | None = None  # What all samples were asked
    passages: tuple[Passage, ...] = ()
    total: int | None = None  # Samples that the question has in all
    opened: bool = False  # Whether they are shown without a click

    @property
    def size(self) -> int:
        "Characters that are shown."
        own = [text for one in self.passages for text in (one.prompt, one.answer)]
        return sum(text.size for text in [self.prompt, *own] if text)


@dataclass(frozen=True)
class Question:
    "One question of a table of them."
    name: str
    kind: str  # `flaky`, `never` or `always` right; `mixed`: always in one model, never in another
    tries: Sequence[tuple[int, int] | None]  # Right samples and samples of each model
    samples: Samples | None = None  # What they say, on a page that shows it

    @property
    def share(self) -> float:
        "Share of right samples, each model weighted alike."
        shares = [c / n for c, n in filter(None, self.tries) if n]
        return sum(shares) / len(shares) if shares else 0.

    @property
    def loss(self) -> float:
        "What the second of two models lost against the first; else the share of wrong samples."
        if len(self.tries) != 2 or None in self.tries: return 1 - self.share
        (c, n), (d, m) = self.tries  # type: ignore[misc]
        return c / n - d / m if n and m else 0.


@dataclass(frozen=True)
class Questions:
    "Questions with their samples, to be filtered, searched and sorted."
    heads: Sequence[str]  # Models
    rows: Sequence[Question]  # Those that are shown
    counts: dict[str, int]  # Questions of each kind, of all there are
    names: dict[str, str]  # What each kind is called
    outcomes: Sequence[tuple[Any, Any]] = ()  # c and n of all questions, for each model's picture
    colours: Sequence[int] = ()  # Number of the colour of each model; their places if empty

    def colour(self, i: int) -> int:
        "Number of the colour of the model at a place."
        return self.colours[i] if self.colours else i


# Detail.

@dataclass(frozen=True)
class Fold:
    "Blocks that are shown on demand."
    summary: str  # What is shown before
    blocks: Sequence[Block]  # Often `Later`: most screens never open a fold


class Later(Sequence["Block"]):
    "Blocks that are made when they are looked at."

    def __init__(self,
        make: Callable[..., Sequence[Block]],  # Makes them
        *given: Any,  # From these
    ) -> None:
        self.make, self.given = make, given

    @cached_property
    def made(self) -> Sequence[Block]: return self.make(*self.given)

    def __len__(self) -> int: return len(self.made)
    def __getitem__(self, i: Any) -> Any: return self.made[i]


Block: TypeAlias = Union[Headline, Text, Code, Table, Grid, Curves, Intervals, Questions, Samples,
                         Fold]
Document: TypeAlias = Sequence[Block]


def spell_options(
    blocks: Document,  # Sentences in which options are marked
    spelling: Spelling,  # How they are spelled
) -> list[Block]:  # The same, spelled
    "A document as Python or the command shows it. Tables and pictures name no options."
    return [spell_block(block, spelling) for block in blocks]


def spell_block(block: Block, spelling: Spelling) -> Block:
    if isinstance(block, (Headline, Text)): return replace(block, text=spell(block.text, spelling))
    if isinstance(block, Fold):
        return replace(block, blocks=Later(spell_options, block.blocks, spelling))
    return block


def open_folds(blocks: Document) -> list[Block]:
    "A document at full length: the content of each fold in its place, below its summary."
    opened: list[Block] = []
    for block in blocks:
        if isinstance(block, Fold):
            opened += [Text(block.summary, "heading"), *open_folds(block.blocks)]
        else: opened.append(block)
    return opened
