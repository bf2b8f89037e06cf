"""A document as fixed-width text."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..report.blocks import Table
from ..report.text import (WIDTH, break_command, is_long, list_heads, measure, printable,
                           text_table, wrap, write_table)
from .parts import PAGES, Lead, Matrix, Part, Typed

__all__ = ["render"]


def write_matrix(
    matrix: Matrix,  # Estimates above their intervals
) -> list[str]:  # Its lines, and which columns found no room
    "A matrix in at most 80 columns."
    places = fit_columns(drop_long_names(matrix))
    lines = write_block(matrix, places)
    rest = [i for i in range(len(matrix.columns)) if i not in places]
    if rest and matrix.wraps: return [*lines, "", *write_matrix(matrix.take(rest))]
    hidden = [matrix.columns[i] for i in rest]
    budgets = "k = " * matrix.columns[0].startswith("k = ")
    said = f"Not shown here: {budgets}{list_heads(hidden)}; --how and files have them."
    if hidden: lines.append(wrap(said))
    return lines


def write_block(matrix: Matrix, places: Sequence[int]) -> list[str]:
    "The lines of some columns."
    table = drop_long_names(matrix).take(places).to_table()
    return put_long_names(matrix, text_table(table.lines, table.left).split("\n"))


def drop_long_names(matrix: Matrix) -> Matrix:
    "A matrix without its long names, so that columns find room."
    lines = [replace(line, name="") if is_long(line) else line for line in matrix.lines]
    return replace(matrix, lines=tuple(lines))


def put_long_names(
    matrix: Matrix,  # With its long names
    table: Sequence[str],  # Head, rule and rows without them
) -> list[str]:  # The same with each long name on a line of its own
    "A table whose long names stand above their numbers."
    lines, at = list(table[:2]), 2
    for line in matrix.lines:
        size = len(replace(matrix, lines=(line,)).to_table().rows)
        if is_long(line): lines.append(wrap(line.name))
        lines += table[at:at + size]
        at += size
    return lines


def fit_columns(matrix: Matrix) -> list[int]:
    "Positions of the columns that fit, the most important first to be chosen."
    table = matrix.to_table()
    widths = [2 + max(measure(printable(cell)) for cell in column) for column in zip(*table.lines)]
    room = WIDTH + 2 - sum(widths[:table.left])
    places: list[int] = []
    for i in matrix.order or range(len(matrix.columns)):
        room -= widths[table.left + i]
        if room < 0 and places: break
        places.append(i)
    return sorted(places)


def render(
    parts: Sequence[Part],  # What a result says
) -> str:  # Lines, with air around each table
    "A document for the terminal; figures and folded parts are left out."
    lines: list[str] = []
    for part in parts:
        if isinstance(part, PAGES): continue
        if isinstance(part, Matrix): lines += [*open_table(part, lines), *write_matrix(part), ""]
        elif isinstance(part, Table):
            lines += [*open_table(part, lines), write_table(part), ""]
        elif isinstance(part, Typed): lines.append(break_command(part.text))
        elif isinstance(part, Lead):
            lines += [""] * bool(lines and lines[-1])
            lines += [wrap(part.text), ""]
        else: lines.append(wrap(part.text))
    return "\n".join(lines).strip("\n")


def open_table(table: Table | Matrix, before: Sequence[str]) -> list[str]:
    "What stands between a table and the line before it: its title, or an empty line."
    air = [""] if before and before[-1] else []
    return air + [wrap(table.title)] * bool(table.title)
