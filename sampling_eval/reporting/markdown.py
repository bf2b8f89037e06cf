"""A document as Markdown."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from ..report.blocks import Table
from ..report.markdown import escape_markdown, markdown_table, write_bold
from .parts import PAGES, Heading, Matrix, Note, Part

__all__ = ["render"]


def render(
    parts: Sequence[Part],  # What a result says
) -> str:  # Paragraphs and tables
    "A document in Markdown; figures and folded parts are left out."
    shown = [part for part in parts if not isinstance(part, PAGES)]
    blocks: list[str] = []
    for is_note, group in groupby(shown, key=lambda part: isinstance(part, Note)):
        if is_note: blocks.append(join_notes(group))
        else: blocks += [block for part in group for block in write_part(part)]
    return "\n\n".join(blocks) + "\n"


def join_notes(notes: Iterable[Part]) -> str:
    "One paragraph; two spaces at the end of a line break it."
    return "  \n".join(escape_markdown(note.text) for note in notes if isinstance(note, Note))


def write_part(part: Part) -> list[str]:
    if isinstance(part, Matrix): part = part.to_table()
    if isinstance(part, Table):
        title = [write_bold(part.title)] if part.title else []
        return [*title, markdown_table(part.lines, part.left)]
    if isinstance(part, Heading): return [write_bold(part.text)]
    return [] if isinstance(part, PAGES) else [escape_markdown(part.text)]
