"""The questions that are worth a look, told in every form."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Self

from .document import Written
from .explained import GAP
from .explanation_parts import cut_text, name_letters
from .numbers import digits, signed
from .openings import say_read
from .parts import Heading, Lead, Note, Part, Sentence, Table

__all__ = ["Shortlist"]

SHOWN = 15  # Questions that the first screen lists
NAME, SHORT = 44, 16  # Columns of the name of a question, and of a model


@dataclass(frozen=True, eq=False, repr=False)
class Shortlist(Written):
    "Questions worth a look: flaky ones first, or those that make up most of a difference."
    names: tuple[str, ...]  # Names of the systems
    rows: tuple[dict[str, Any], ...]  # One per question, in the order to look at them
    questions: int  # Questions there are
    said: str  # Which questions are listed, in one or two sentences
    metric: str = ""  # Metric of the difference; empty for one system
    read: str = ""  # What was read
    title: str = ""  # Name of the data

    needed = "names", "rows", "questions", "said"

    @property
    def heading(self) -> str: return self.title or "Questions worth a look"

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        return cls(**{**values, "names": tuple(values["names"]), "rows": tuple(values["rows"])})

    def parts(self) -> list[Part]:
        "The sentence on what is listed, the questions, and what was read."
        last = [Sentence(say_read(self.read))] * bool(self.read)
        return [*map(Heading, filter(None, [self.title])), *self.open(),
                *self.list_rows(len(self.rows)), *last]

    def screen_parts(self) -> list[Part]:
        "The same with the first questions."
        last = [Lead(say_read(self.read))] * bool(self.read)
        return [*self.open(), *self.list_rows(SHOWN), *last]

    def open(self) -> list[Part]:
        "Which systems are compared, and what is listed."
        who = name_letters(self.names) if len(self.names) == 2 else ""
        return [*map(Note, filter(None, [who])), Lead(self.said)]

    def list_rows(self, most: int) -> list[Part]:
        "A table with a line per question."
        if not self.rows: return []
        lines = list(map(write_row, self.rows[:most]))
        more = len(self.rows) - len(lines)
        verb = "is" if more == 1 else "are"
        said = [f"{more} more {verb} listed with --how and in files."] * bool(more)
        return [Table(list(lines[0]), [list(line.values()) for line in lines]), *map(Note, said)]

    def plot(self, **given: Any) -> NoReturn:
        "Refuse: there is nothing to draw."
        raise ValueError("a list of questions has no figure; write it as .json, .csv, .md, .html "
                         "or .txt")


def write_row(row: Mapping[str, Any]) -> dict[str, str]:
    "The cells of one question by their heads."
    cells = dict(question=cut_text(row["question"], NAME))
    for side in ("", " A", " B"):
        if f"samples{side}" in row: cells[side.strip() or "right"] = write_tries(row, side)
    for head in ("lowest", "highest"):
        if head not in row: continue
        cells |= {head: digits(row[head]), f"{head} of": cut_text(row[f"{head} of"], SHORT)}
    return cells | {head: signed(row[head]) for head in (GAP, "adds") if head in row}


def write_tries(row: Mapping[str, Any], side: str) -> str:
    "How often one system was right."
    samples = row[f"samples{side}"]
    if f"right{side}" in row: return f"{row[f'right{side}']} of {samples}"
    return f"{digits(row[f'mean score{side}'])} in {samples}"
