"""A document as Markdown."""
from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from .parts import PAGES, Heading, Matrix, Note, Part, Table
from .text import printable

__all__ = ["escape_markdown", "markdown_table", "render"]

# Underscores inside a word have no meaning in Markdown.
MEANING = re.compile(r"([\\`*|$~]|(?<!\w)_|_(?!\w))")
# A bracket is a link, a reference or a definition only with one of these after it.
LINK_END = re.compile(r"\](?=[(\[:])")


def escape_markdown(
    text: object,  # Any text that comes from data
) -> str:  # Text for a paragraph, or a cell of a table
    "Text as Markdown that shows it literally."
    plain = html.escape(printable(text), quote=False)
    return MEANING.sub(r"\\\1", LINK_END.sub("&#93;", plain))


def markdown_table(
    lines: Sequence[Sequence[str]],  # Head and rows
    left: int = 1,  # Columns of names
) -> str:  # Lines of Markdown, numbers to the right
    "A table in Markdown with every cell escaped."
    head, *rows = map(write_row, lines)
    rule = "|" + "---|" * left + "---:|" * (len(lines[0]) - left)
    return "\n".join([head, rule, *rows])


def write_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(escape_markdown(cell).rstrip() for cell in cells) + " |"


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


def write_bold(text: str) -> str: return f"**{escape_markdown(text)}**"
