"""A document as fixed-width text."""
from __future__ import annotations

from collections.abc import Sequence

from .parts import Figure, Folded, Part, Table

__all__ = ["printable", "text_table", "render"]


def printable(
    text: object,  # Any text that comes from data
) -> str:  # The same without control characters
    "Text that is safe to print: nothing in it moves the cursor or changes colours."
    return "".join(o if o.isprintable() else "\ufffd" for o in str(text))


def text_table(
    lines: Sequence[Sequence[str]],  # Head and rows
) -> str:  # Aligned lines, the first column to the left
    "A table in fixed-width text."
    shown = [[printable(cell) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    head, *rows = (align_cells(line, widths) for line in shown)
    rule = "-" * (sum(widths) + 2 * len(widths) - 2)
    return "\n".join([head, rule, *rows])


def align_cells(line: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(line, widths, strict=True)
    cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
    return "  ".join(cells).rstrip()


def render(
    parts: Sequence[Part],  # What a result says
) -> str:  # Lines, with air around each table
    "A document for the terminal; figures and folded parts are left out."
    lines: list[str] = []
    for part in parts:
        if isinstance(part, (Figure, Folded)): continue
        if isinstance(part, Table): lines += [*open_table(part, lines), text_table(part.lines), ""]
        else: lines.append(printable(part.text))
    return "\n".join(lines).strip("\n")


def open_table(table: Table, before: Sequence[str]) -> list[str]:
    "What stands between a table and the line before it: its title, or an empty line."
    if table.title: return [printable(table.title)]
    return [""] if before and before[-1] else []
