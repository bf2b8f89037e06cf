"""Processors of a whole page: its chapter under the title, its descriptions in one fold at the end.

nbdev describes a function where it is defined, and a lesson full of parameters is long to read.
A line stays there; signature and parameters follow after the lesson, under the same anchors.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from .chapters import find_page, introduce, write_part
from .processors import DEFINITIONS, read_code

__all__ = ["AppendixLast", "ChapterHead", "ReferenceFold", "list_parts"]

CALL = re.compile(r"^show_doc\((\w+)\)$|^Markdown\(Api\((\w+)\)", re.M)
HEADING = re.compile(r"#{2,3} +(.+)")
# Numerics and descriptions stand behind the lesson and before the literature.
APPENDIX = "## How it is computed"
LITERATURE = "## References"
TITLE = "## Functions of this page"


class PageProcessor:
    "Something that nbdev does with all cells of a page; it hands the page over at the start."

    def __init__(self, nb: Any): self.nb = nb


class ChapterHead(PageProcessor):
    "Put what a chapter is about under its title."

    def begin(self) -> None:
        page = find_page(self.nb.cells)
        told = introduce(page) if page else ""
        if told: self.nb.cells.insert(1, write_cell(told))


def write_cell(text: str) -> Any:
    "A cell of Markdown as nbdev wants it."
    from execnb.nbio import mk_cell
    made = mk_cell(text, "markdown")
    made.directives_ = {}
    return made


class ReferenceFold(PageProcessor):
    "Gather the descriptions of functions in one fold behind the lesson."

    def begin(self) -> None:
        summaries = dict(list_summaries(self.nb.cells))
        kept: list[Any] = []
        entries: dict[str, str] = {}
        for cell in self.nb.cells:
            name = find_described(cell)
            if not name:
                kept.append(cell)
                continue
            text = read_output(cell)
            if kept and (found := HEADING.fullmatch(kept[-1].source.strip())):
                kept.pop()
                text = f"### {found[1]}\n\n{text}"
            elif summaries.get(name):
                kept.append(write_cell(write_summary(name, summaries[name])))
            entries[name] = text
        if entries: self.nb.cells[:] = place_last(kept, [write_cell(write_fold(entries))])


class AppendixLast(PageProcessor):
    "Put how something is computed behind the lesson; the script folds it."

    def begin(self) -> None:
        cells = list(self.nb.cells)
        heads = [i for i, o in enumerate(cells) if o.source.startswith("## ")]
        start = next((i for i in heads if cells[i].source.startswith(APPENDIX)), None)
        if start is None: return
        end = next((i for i in heads if i > start), len(cells))
        self.nb.cells[:] = place_last(cells[:start] + cells[end:], cells[start:end])


def find_described(cell: Any) -> str:
    "The name that a cell describes; empty if it is another cell."
    found = CALL.search(cell.source) if cell.cell_type == "code" else None
    return (found[1] or found[2]) if found else ""


def read_output(cell: Any) -> str:
    return "".join("".join(o["data"]["text/markdown"]) for o in cell.outputs).strip()


def list_summaries(cells: Iterable[Any]) -> Iterator[tuple[str, str]]:
    "The first paragraph on everything that a page defines."
    for cell in cells:
        for node in read_code(cell.source) if cell.cell_type == "code" else []:
            if isinstance(node, DEFINITIONS) and (said := ast.get_docstring(node)):
                yield node.name, " ".join(said.partition("\n\n")[0].split())


def write_summary(name: str, said: str) -> str:
    return f"[**{name}**](#{name.lower()}): {said}".replace("|", r"\|")


def write_fold(entries: dict[str, str]) -> str:
    "All descriptions in a closed fold under a heading."
    names = escape(", ".join(entries))
    return "\n\n".join([TITLE, '<details class="reference">', f"<summary>{names}</summary>",
                        "<div>", *entries.values(), "</div>", "</details>", write_script()])


def write_script() -> str:
    "Folds the numerics, and opens a fold for a reader who follows a link into it."
    script = Path(__file__).with_name("reveal.js").read_text("utf-8")
    return f"```{{=html}}\n<script>\n{script}</script>\n```"


def place_last(cells: Sequence[Any], more: Sequence[Any]) -> list[Any]:
    "Cells with some more of them before the literature."
    place = next((i for i, o in enumerate(cells) if o.source.startswith(LITERATURE)), len(cells))
    return [*cells[:place], *more, *cells[place:]]


def list_parts(
    cell: Any,  # Cell of a page
) -> None:
    "Put the chapters of a part in the place of `<!-- chapters: Two systems -->`."
    if cell.cell_type == "markdown":
        cell.source = re.sub("<!-- chapters: (.+?) -->", lambda o: write_part(o[1]), cell.source)
