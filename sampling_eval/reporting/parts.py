"""What a result says: the parts of a document, before they have a form."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

__all__ = ["Heading", "Sentence", "Note", "Table", "Figure", "Folded", "Part"]


@dataclass(frozen=True)
class Heading:
    "A line that opens a section."
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
class Table:
    "A small table of texts, the first column to the left and the others to the right."
    head: Sequence[str]  # Column heads
    rows: Sequence[Sequence[str]]  # Rows of texts, as long as the head
    title: str = ""  # What it is about, above the head

    @property
    def lines(self) -> list[Sequence[str]]:
        "The head, then the rows."
        return [self.head, *self.rows]


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


Part: TypeAlias = Union[Heading, Sentence, Note, Table, Figure, Folded]
