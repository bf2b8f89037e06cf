"""A document as plain text, on any console."""
from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import TextIOWrapper
from unicodedata import category, east_asian_width

from .blocks import (Block, Code, Document, Grid, GridLine, Headline, Table, Text, is_note,
                     open_folds)
from .format import decimal

__all__ = ["WIDTH", "printable", "escape_html", "text_table", "preview", "measure", "cut",
           "cut_text", "break_command", "render", "wrap", "prepare_consoles"]


WIDTH = 80  # Columns of a terminal
NAME = 40  # Columns of a name that stands beside its numbers
WORD = r"""(?:[^\s'"]|'[^']*'|"[^"]*")+"""  # Of a shell, as `shlex.join` quotes it


def printable(text: object) -> str:
    "Text that is safe to print: nothing in it moves the cursor or changes colours."
    said = str(text)
    if said.isprintable(): return said  # A page holds millions of characters, most of them so
    return "".join(o if o.isprintable() else "\ufffd" for o in said)


def escape_html(text: object) -> str:
    "Text as HTML that shows it literally, between tags or in quotes."
    from html import escape  # The names of all characters, which a terminal does not need
    return escape(printable(text))


def text_table(
    lines: Sequence[Sequence[str]],  # Head and rows
    left: int = 1,  # Columns that are aligned to the left
) -> str:  # Aligned lines, numbers to the right
    "A table in fixed-width text."
    shown = [[printable(cell) for cell in line] for line in lines]
    widths = [max(map(measure, column)) for column in zip(*shown, strict=True)]
    head, *rows = (align_cells(line, widths, left) for line in shown)
    rule = "-" * (sum(widths) + 2 * len(widths) - 2)
    return "\n".join([head, rule, *rows])


PREVIEWED = 20  # Rows of a table that are shown in a console


def preview(
    heads: Sequence[str],  # Names of the columns
    rows: Sequence[Mapping[str, object]],  # All rows
) -> str:  # Aligned lines, and how many rows are not shown
    "The first rows of a table of data."
    shown = [list(map(write_cell, row.values())) for row in rows[:PREVIEWED]]
    lines = [heads, *shown]
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines]
    more = [f"... {len(rows) - PREVIEWED} more rows"] * (len(rows) > PREVIEWED)
    return "\n".join([*text, *more])


def write_cell(value: object) -> str:
    return decimal(value) if isinstance(value, float) else printable(value)


def measure(text: str) -> int:
    "Columns of a terminal that a text takes: two for a wide sign, none for a combining one."
    if text.isascii(): return len(text)
    wide = sum(east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(category(sign) in ("Mn", "Me") for sign in text)


def cut(text: str, width: int) -> str:
    "A text that is no wider than its place: cut, with an ellipsis, if need be."
    if measure(text) <= width: return text
    return next(split_columns(text, width - 1)) + "…"


def cut_text(
    value: object,  # A name or an answer, of any length
    width: int,  # Columns of a terminal that it may take
    length: int | None = None,  # Characters of the whole, where `value` is its beginning only
) -> str:  # One line without control characters
    "A text in one line, cut where it is too long, with the length of the whole."
    whole = str(value) or "''"
    length = len(whole) if length is None else length
    text = printable(" ".join(whole[:4 * width].split()))
    if text == whole and measure(text) <= width: return text
    if not whole.strip():
        quoted = repr(whole)
        if length == len(whole) and len(quoted) <= width: return quoted
        return f"{length:,} characters of space"
    if len(whole) <= 4 * width and measure(text) <= width: return text
    mark = f"… ({length:,} characters)"
    room, used, end = max(width - len(mark), 1), 0, 0
    while end < len(text) and (used := used + measure(text[end])) <= room: end += 1
    return text[:end] + mark


def split_columns(text: str, width: int) -> Iterator[str]:
    "The pieces of a text, each as long as the columns allow."
    piece, used = "", 0
    for sign in text:
        size = measure(sign)
        if used + size > width and piece:
            yield piece
            piece, used = "", 0
        piece, used = piece + sign, used + size
    yield piece


def align_cells(line: Sequence[str], widths: Sequence[int], left: int) -> str:
    spaces = [" " * (width - measure(cell)) for cell, width in zip(line, widths, strict=True)]
    cells = [cell + space for cell, space in zip(line[:left], spaces)]
    cells += [space + cell for cell, space in zip(line[left:], spaces[left:])]
    return "  ".join(cells).rstrip()


def write_table(table: Table) -> str:
    "A table; columns without room stand below, long names on lines of their own."
    if sum(column_widths(table)) <= WIDTH + 2: return text_table(table.lines, table.left)
    # What stands below a long name is not a part of it.
    table = replace(table, left=min(table.left, len(table.head) - 1))
    long = [take_long_name(row, table.left) for row in table.rows]
    blank = [""] * table.left
    rows = [[*blank, *row[table.left:]] if name else row for name, row in zip(long, table.rows)]
    short = replace(table, rows=rows)
    widths = column_widths(short)
    names = sum(widths[:table.left])
    blocks = divide_columns(widths, table.left, WIDTH + 2 - names)
    return "\n\n".join(write_columns(short, block, long, WIDTH - names) for block in blocks)


def divide_columns(widths: Sequence[int], first: int, room: int) -> list[list[int]]:
    "Positions of the columns from the first one on, in blocks that have room beside the names."
    blocks: list[list[int]] = [[]]
    for i in range(first, len(widths)):
        taken = sum(widths[j] for j in blocks[-1]) + widths[i]
        if taken > room and blocks[-1]: blocks.append([])
        blocks[-1].append(i)
    return blocks


def column_widths(table: Table) -> list[int]:
    "The columns of a terminal that each column of a table takes, with the gap behind it."
    return [2 + max(measure(printable(cell)) for cell in column) for column in zip(*table.lines)]


def take_long_name(row: Sequence[str], left: int) -> str:
    "The name of a row that is too long to stand beside its numbers; empty for any other."
    name = "  ".join(map(printable, row[:left]))
    return name if measure(name) > NAME else ""


def write_columns(table: Table, places: Sequence[int], long: Sequence[str], room: int) -> str:
    "Some columns beside the short names and below the long ones."
    cells = [[*line[:table.left], *(cut(printable(line[i]), room) for i in places)]
             for line in table.lines]
    head, rule, *rows = text_table(cells, table.left).split("\n")
    lines = [line for name, row in zip(long, rows) for line in ([wrap(name)] * bool(name) + [row])]
    return "\n".join([head, rule, *lines])


def write_grid(grid: Grid) -> list[str]:
    "A grid in at most 80 columns."
    places = fit_columns(drop_long_names(grid))
    lines = write_columns_of(grid, places)
    rest = [i for i in range(len(grid.columns)) if i not in places]
    if rest and grid.wraps: return [*lines, "", *write_grid(grid.take(rest))]
    hidden = [grid.columns[i] for i in rest]
    budgets = "k = " * bool(grid.order)  # Columns of metrics have no order
    said = f"Not shown here: {budgets}{first_heads(hidden)}; --how and files have them."
    if hidden: lines.append(wrap(said))
    return lines


def write_columns_of(grid: Grid, places: Sequence[int]) -> list[str]:
    "The lines of some columns."
    table = drop_long_names(grid).take(places).to_table()
    return put_long_names(grid, text_table(table.lines, table.left).split("\n"))


def is_long(line: GridLine) -> bool:
    "Whether a name stands on a line of its own."
    return measure(printable(line.name)) > NAME


def drop_long_names(grid: Grid) -> Grid:
    "A grid without its long names, so that columns find room."
    lines = [replace(line, name="") if is_long(line) else line for line in grid.lines]
    return replace(grid, lines=tuple(lines))


def put_long_names(
    grid: Grid,  # With its long names
    table: Sequence[str],  # Head, rule and rows without them
) -> list[str]:  # The same with each long name on a line of its own
    "A table whose long names stand above their numbers."
    lines, at = list(table[:2]), 2
    for line in grid.lines:
        size = len(replace(grid, lines=(line,)).to_table().rows)
        if is_long(line): lines.append(wrap(line.name))
        lines += table[at:at + size]
        at += size
    return lines


def fit_columns(grid: Grid) -> list[int]:
    "Positions of the columns that fit, the most important first to be chosen."
    table = grid.to_table()
    widths = column_widths(table)
    room = WIDTH + 2 - sum(widths[:table.left])
    places: list[int] = []
    for i in grid.order or range(len(grid.columns)):
        room -= widths[table.left + i]
        if room < 0 and places: break
        places.append(i)
    return sorted(places)


def first_heads(heads: Sequence[str]) -> str:
    "The first heads, and how many more there are."
    more = f" and {len(heads) - 6} more" * (len(heads) > 6)
    return ", ".join(heads[:6]) + more


def wrap(
    text: str,  # One sentence or several
    indent: str = "",  # What the lines after the first begin with
) -> str:  # Lines of at most 80 columns
    "A paragraph of the terminal."
    # A number and its percent sign stay together.
    whole = printable(text).rstrip().replace(" %", "\xa0%")
    first, *others = whole.lstrip(" ").split(" ")
    words = [whole[:len(whole) - len(whole.lstrip(" "))] + first, *others]
    lines: list[str] = []
    for piece in (piece for word in words for piece in split_columns(word, WIDTH - len(indent))):
        fits = bool(lines) and measure(lines[-1]) + measure(piece) < WIDTH
        if fits: lines[-1] += f" {piece}"
        elif piece: lines.append(indent * bool(lines) + piece)
    return "\n".join(line.rstrip(" ") for line in lines).replace("\xa0%", " %")


def break_command(
    text: str,  # A line to be typed, such as `Next: sampling-eval score run.jsonl`
) -> str:  # The same, in lines that a shell reads as one
    "A command in lines of at most 80 columns, where its words allow it."
    text = printable(text)
    if measure(text) <= WIDTH or "sampling-eval " not in text: return text
    lines = [""]
    for word in re.findall(rf"--[\w-]+ {WORD}|{WORD}", text):  # An option stays with its value
        if lines[-1] and measure(f"{lines[-1]} {word} \\") > WIDTH: lines.append("  " + word)
        else: lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return " \\\n".join(lines)


def render(
    document: Document,  # What a result says
    detail: bool = False,  # Whether folds are opened, and every column of a grid is shown
) -> str:  # Lines of at most 80 columns
    "A document for the terminal; pictures are left out, and folds unless `detail` opens them."
    shown = open_folds(document) if detail else document
    written = [(block, write_block(block, detail)) for block in shown]
    text, before = "", None
    for block, lines in written:
        if not lines: continue
        text += ("\n" if is_note(block) and is_note(before) else "\n\n") * bool(text) + lines
        before = block
    return text


def write_block(block: Block, detail: bool) -> str:
    "The lines of a block; none of a picture."
    if isinstance(block, Grid):
        grid = replace(block, wraps=block.wraps or detail)
        return "\n".join([*open_table(grid), *write_grid(grid)])
    if isinstance(block, Table): return "\n".join([*open_table(block), write_table(block)])
    if isinstance(block, Code): return break_command(block.text)
    if isinstance(block, Headline): return wrap(block.text)
    if isinstance(block, Text): return wrap("Warning: " * (block.kind == "caution") + block.text)
    return ""


def open_table(table: Table | Grid) -> list[str]: return [wrap(table.title)] * bool(table.title)


# Consoles that cannot show every sign, such as those of Windows under cp437


# The signs that reports print; those of tables keep their width.
PLAIN = {
    "\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{MINUS SIGN}": "-", "\N{MULTIPLICATION SIGN}": "x",
    "\N{MIDDLE DOT}": ".", "\N{BLACK CIRCLE}": "*", "\N{WHITE CIRCLE}": "o",
    "\N{FULL BLOCK}": "#", "\N{REPLACEMENT CHARACTER}": "?", "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{GREATER-THAN OR EQUAL TO}": ">=", "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{PLUS-MINUS SIGN}": "+/-", "\N{RIGHTWARDS ARROW}": "->",
    "\N{GREEK SMALL LETTER TAU}": "tau",
}
ERRORS = "sampling_eval.plain_signs"


def prepare_consoles() -> None:
    "Let output and errors print any text: a sign that they lack is no reason to fail."
    codecs.register_error(ERRORS, spell_signs)
    for stream in sys.stdout, sys.stderr:
        if isinstance(stream, TextIOWrapper): stream.reconfigure(errors=ERRORS)


def spell_signs(error: UnicodeError) -> tuple[str, int]:
    "Plain signs in the place of those that an encoding lacks, codes in the place of letters."
    if not isinstance(error, UnicodeEncodeError): raise error
    lacking = error.object[error.start:error.end]
    return "".join(PLAIN.get(sign) or write_code(sign) for sign in lacking), error.end


def write_code(sign: str) -> str: return sign.encode("ascii", "backslashreplace").decode()
