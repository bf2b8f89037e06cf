"""A document as LaTeX."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from textwrap import fill

from .blocks import (Block, Cell, Code, Document, Grid, GridLine, Headline, Table, Text,
                     open_folds)
from .text import printable

__all__ = ["escape_latex", "latex_table", "render", "write_float"]

WIDTH = 88  # Columns of a source
APART = "\0"  # Stands between signs that LaTeX would join
WRITTEN = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
WRITTEN |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
WRITTEN |= {APART: "{}", "–": "--", "±": r"$\pm$"} | {sign: "\\" + sign for sign in "&%$#_{}"}
OF_ENGINES = re.compile("[^\0-\u024f\u2010-\u2027\ufffd]")  # Signs that pdflatex does not know


def escape_latex(text: object) -> str:
    "Text as LaTeX that shows it literally."
    spaced = re.sub("-(?=-)", f"-{APART}", printable(text))
    return "".join(WRITTEN.get(sign, sign) for sign in spaced)


def latex_table(
    lines: Sequence[Sequence[str]],  # Head and rows
    title: str = "",  # Line above the head
    left: int = 1,  # Columns of names
) -> str:  # Lines of LaTeX for the package `booktabs`
    "A table in LaTeX with every cell escaped."
    return write_rows([list(map(escape_latex, line)) for line in lines], title, left)


def write_rows(lines: Sequence[Sequence[str]], title: str, left: int) -> str:
    "A table of cells that are LaTeX already."
    width = len(lines[0])
    head, *rows = map(write_row, lines)
    above = [rf"\multicolumn{{{width}}}{{l}}{{{escape_latex(title)}}} \\"] if title else []
    begin = r"\begin{tabular}{" + "l" * left + "r" * (width - left) + "}"
    body = [r"\toprule", *above, head, r"\midrule", *rows, r"\bottomrule"]
    return "\n".join([begin, *body, r"\end{tabular}"])


def write_row(cells: Sequence[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # After a rule or the end of a row a bracket or a star would be an option of it.
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def write_grid(grid: Grid) -> str:
    "Estimates with their letters raised, and their intervals below them in small type."
    lines = tuple(GridLine(escape_latex(line.name), escape_latex(line.meaning),
                           tuple(map(write_cell, line.cells))) for line in grid.lines)
    kinds = tuple(map(escape_latex, grid.intervals))
    table = replace(grid, lines=lines, intervals=kinds).to_table()
    heads = list(map(escape_latex, table.head))
    return write_rows([heads, *table.rows], grid.title, table.left)


def write_cell(cell: Cell | None) -> Cell | None:
    "The same as LaTeX, its letters in its value."
    if cell is None: return None
    raised = rf"\textsuperscript{{{escape_latex(cell.letters)}}}" * bool(cell.letters)
    small = (rf"{{\scriptsize {escape_latex(ends)}}}" for ends in cell.intervals)
    return Cell(escape_latex(cell.value) + raised, tuple(small))


def render(document: Document) -> str:
    """A document in LaTeX, with its folds opened and without its pictures.

    A paper takes the tables and writes its own sentences. Those of the result travel along as
    comments, so that the source still says what the numbers are.
    """
    blocks: list[str] = []
    # Without an empty line between them two tables would stand side by side.
    for is_table, group in groupby(open_folds(document), key=is_tabular):
        written = [text for text in map(write_block, group) if text]
        blocks += written if is_table else ["\n".join(written)] * bool(written)
    return "\n\n".join(blocks) + "\n"


def is_tabular(block: Block) -> bool: return isinstance(block, (Table, Grid))


def write_block(block: Block) -> str:
    "A table, or a comment; nothing of a picture."
    if isinstance(block, Grid): return write_grid(block)
    if isinstance(block, Table): return latex_table(block.lines, block.title, block.left)
    if isinstance(block, (Headline, Text, Code)): return f"% {escape_latex(block.text)}"
    return ""


def write_float(
    grids: Sequence[Grid],  # Tables that belong together
    caption: str,  # What a reader has to know to read them
    label: str,  # Name by which the text refers to them
    comments: Sequence[str] = (),  # Sentences that only the source holds
) -> str:  # One `table` environment
    "Tables as a float with a caption and a label, to be pasted into a paper."
    tables = "\n\n\\medskip\n".join(map(write_grid, grids))
    lines = [r"\begin{table}", r"\centering", fold(rf"\caption{{{escape_latex(caption)}}}"),
             rf"\label{{{label}}}", tables, r"\end{table}"]
    needed = [r"% Needs \usepackage{booktabs}.", *engine_comment("\n".join(lines))]
    told = [fold(f"% {escape_latex(text)}", "% ") for text in comments]
    return "\n".join([*needed, *lines, *told]) + "\n"


def fold(text: str, indent: str = "  ") -> str:
    "Long lines broken at spaces, which mean the same there."
    return fill(text, WIDTH, subsequent_indent=indent, break_long_words=False,
                break_on_hyphens=False)


def engine_comment(text: str) -> list[str]:
    "Which engine the text needs, where a name holds signs that pdflatex does not know."
    found = OF_ENGINES.search(text)
    return [f"% {found[0]} needs XeLaTeX or LuaLaTeX, and a font that has it."] if found else []
