"Rows of text as a Markdown table that a phone can show."
from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

__all__ = ["escape_cell", "write_rows"]

# Pandoc takes the widths of the columns from the dashes when a row is long.
WIDTHS = {"name": 8, "meaning": 34, "type": 12}


def write_rows(
    heads: Sequence[str],  # Keys of `WIDTHS`
    rows: Iterable[Sequence[str]],  # One text per head and row
) -> str:  # The table inside a block with the class `api`
    "Rows under heads."
    lines = ["| " + " | ".join(escape_cell(o) for o in row) + " |" for row in (heads, *rows)]
    rule = "|" + "|".join(":" + "-" * WIDTHS[o] for o in heads) + "|"
    return "\n".join(['<div class="api">\n', lines[0], rule, *lines[1:], "\n</div>"])


def escape_cell(
    text: object,  # What to show
) -> str:  # The same in one line
    "Markdown for a cell of a table: code, links and formulas stay, every other mark is literal."
    parts = re.split(r"(`[^`]*`|\$[^$]*\$)", str(text).replace("\n", " "))
    return "".join(escape_span(o) if i % 2 else re.sub(r"([\^~|])", r"\\\1", o)
                   for i, o in enumerate(parts))


def escape_span(text: str) -> str:
    "A bar inside code or a formula, which Markdown would take for the end of the cell."
    if "|" not in text: return text
    if text.startswith("$"): return text.replace("|", r"\vert ")
    return f"<code>{html.escape(text[1:-1]).replace('|', '&#124;')}</code>"
