"""A document as Markdown."""
from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from .blocks import Block, Code, Document, Fold, Grid, Headline, Table, Text, is_note
from .text import printable

__all__ = ["escape_markdown", "markdown_table", "render"]

# Underscores inside a word have no meaning in Markdown.
MEANING = re.compile(r"([\\`*|$~]|(?<!\w)_|_(?!\w))")
# A bracket is a link, a reference or a definition only with one of these after it.
LINK_END = re.compile(r"\](?=[(\[:])")


def escape_markdown(text: object) -> str:
    "Text as Markdown that shows it literally, in a paragraph or in a cell of a table."
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


def render(document: Document) -> str:
    "A document in Markdown; folds are shown on demand, pictures are left out."
    blocks: list[str] = []
    for small, group in groupby(document, key=is_note):
        if small: blocks.append(join_notes(group))
        else: blocks += [text for block in group for text in write_block(block)]
    return "\n\n".join(blocks) + "\n"


def join_notes(notes: Iterable[Block]) -> str:
    "One paragraph; two spaces at the end of a line break it."
    return "  \n".join(escape_markdown(note.text) for note in notes if isinstance(note, Text))


def write_block(block: Block) -> list[str]:
    "The paragraphs of a block; none of a picture."
    if isinstance(block, Grid): block = block.to_table()
    if isinstance(block, Table):
        title = [write_bold(block.title)] if block.title else []
        return [*title, markdown_table(block.lines, block.left)]
    if isinstance(block, Headline): return [write_bold(block.text)]
    if isinstance(block, Code): return [f"    {printable(block.text)}"]
    if isinstance(block, Text): return [write_text(block)]
    return [write_fold(block)] if isinstance(block, Fold) else []


def write_text(block: Text) -> str:
    if block.kind == "heading": return write_bold(block.text)
    return ("**Warning:** " if block.kind == "caution" else "") + escape_markdown(block.text)


def write_fold(fold: Fold) -> str:
    "What a click shows; Markdown inside of HTML needs empty lines around it."
    summary = html.escape(printable(fold.summary))
    inside = render(fold.blocks)
    return f"<details><summary>{summary}</summary>\n\n{inside}\n</details>"


def write_bold(text: str) -> str:
    "Text in bold type."
    return f"**{escape_markdown(text)}**"
