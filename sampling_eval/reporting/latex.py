"""A document as LaTeX."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..report.blocks import Table
from ..report.latex import escape_latex, fold, latex_table, tell_engine, write_rows
from .parts import PAGES, Cell, GridLine, Matrix, Part

__all__ = ["render", "write_float"]



def write_matrix(matrix: Matrix) -> str:
    "Estimates with their letters raised, and their intervals below them in small type."
    table = matrix.to_table()
    rows = [row for line in matrix.lines for row in write_line(line, matrix.spans, table.left)]
    return write_rows([list(map(escape_latex, table.head)), *rows], matrix.title, table.left)


def write_line(line: GridLine, kinds: Sequence[str], left: int) -> list[list[str]]:
    "A row of estimates, then one for each kind of interval."
    names = [line.name, line.meaning][:left]
    rows = [[*map(escape_latex, names), *map(write_value, line.cells)]]
    for i in range(max((len(cell.spans) for cell in line.cells if cell), default=0)):
        kind = escape_latex(kinds[i]) if kinds else ""
        rows.append([*[""] * (left - 1), kind, *(write_span(cell, i) for cell in line.cells)])
    return rows


def write_value(cell: Cell | None) -> str:
    if cell is None: return ""
    raised = rf"\textsuperscript{{{escape_latex(cell.mark)}}}" * bool(cell.mark)
    return escape_latex(cell.value) + raised


def write_span(cell: Cell | None, i: int) -> str:
    if cell is None or i >= len(cell.spans): return ""
    return rf"{{\scriptsize {escape_latex(cell.spans[i])}}}"


def render(
    parts: Sequence[Part],  # What a result says
) -> str:  # Tables for the package `booktabs`; sentences as comments
    """A document in LaTeX; figures and folded parts are left out.

    A paper takes the tables and writes its own sentences. Those of the result travel along as
    comments, so that the source still says what the numbers are.
    """
    shown = [part for part in parts if not isinstance(part, PAGES)]
    blocks: list[str] = []
    # Without an empty line between them two tables would stand side by side.
    for is_table, group in groupby(shown, key=lambda part: isinstance(part, (Table, Matrix))):
        written = [write_part(part) for part in group]
        blocks += written if is_table else ["\n".join(written)]
    return "\n\n".join(blocks) + "\n"


def write_part(part: Part) -> str:
    if isinstance(part, Matrix): return write_matrix(part)
    if isinstance(part, Table): return latex_table(part.lines, part.title, part.left)
    return "" if isinstance(part, PAGES) else f"% {escape_latex(part.text)}"


def write_float(
    matrices: Sequence[Matrix],  # Tables that belong together
    caption: str,  # What a reader has to know to read them
    label: str,  # Name by which the text refers to them
    comments: Sequence[str] = (),  # Sentences that only the source holds
) -> str:  # One `table` environment
    "Tables as a float with a caption and a label, to be pasted into a paper."
    tables = "\n\n\\medskip\n".join(map(write_matrix, matrices))
    lines = [r"\begin{table}", r"\centering", fold(rf"\caption{{{escape_latex(caption)}}}"),
             rf"\label{{{label}}}", tables, r"\end{table}"]
    needed = [r"% Needs \usepackage{booktabs}.", *tell_engine("\n".join(lines))]
    told = [fold(f"% {escape_latex(text)}", "% ") for text in comments]
    return "\n".join([*needed, *lines, *told]) + "\n"
