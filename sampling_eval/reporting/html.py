"""A document as one HTML file that loads nothing."""
from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import Any

from ..extras import need
from .parts import Figure, Folded, Heading, Note, Part, Sentence, Table
from .text import printable

__all__ = ["STYLE", "escape_html", "html_table", "draw_svg", "render"]

STYLE = """
body {font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a}
body {max-width: 76rem; margin: 2rem auto; padding: 0 1rem}
table {border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums}
table {display: block; overflow-x: auto}
th, td {padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #ddd}
th, td {white-space: nowrap}
th:first-child, td:first-child {text-align: left}
thead th {border-bottom: 2px solid #1a1a1a}
svg {max-width: 30rem; height: auto} .figures {display: flex; flex-wrap: wrap; gap: 1rem}
.note {color: #555; font-size: .92em} summary {cursor: pointer}
"""
VIEW = '<meta name="viewport" content="width=device-width, initial-scale=1">'


def escape_html(
    text: object,  # Any text that comes from data
) -> str:  # Text for HTML, between tags or in quotes
    "Text as HTML that shows it literally."
    return escape(printable(text))


def html_table(
    lines: Sequence[Sequence[str]],  # Head and rows
) -> str:  # HTML of the table
    "A table in HTML with every cell escaped."
    head, *rows = lines
    body = "".join(write_row(row, "td") for row in rows)
    return f"<table><thead>{write_row(head, 'th')}</thead><tbody>{body}</tbody></table>"


def write_row(row: Sequence[str], tag: str) -> str:
    cells = "".join(f"<{tag}>{escape_html(cell)}</{tag}>" for cell in row)
    return f"<tr>{cells}</tr>"


def draw_svg(
    figure: Figure,  # What to draw
) -> str:  # The figure as inline SVG
    "A figure as SVG text, with letters as outlines so that the page needs no font."
    matplotlib: Any = need("matplotlib", "plot")
    Canvas: Any = need("matplotlib.figure", "plot").Figure
    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "sampling_eval", "svg.fonttype": "path"}):
        canvas = Canvas(figsize=(5, 3.4), layout="constrained")
        figure.draw(ax=canvas.add_subplot())
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from")
            unstated = dict.fromkeys(["Date", "Creator", "Format", "Type"])
            canvas.savefig(out, format="svg", metadata=unstated)
    drawn = out.getvalue()
    # Inside HTML the addresses of namespaces are not needed, and look like something to load.
    drawn = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawn[drawn.index("<svg"):])
    return drawn.replace("<svg", f'<svg role="img" aria-label="{escape_html(figure.alt)}"', 1)


def render(
    parts: Sequence[Part],  # What a result says
    title: str,  # Title and first heading of the page
) -> str:  # One HTML document
    "A document as a self-contained page: styles and drawings stand inside the file."
    name = escape_html(title)
    head = f'<meta charset="utf-8">{VIEW}<title>{name}</title><style>{STYLE}</style>'
    return (f'<!doctype html>\n<html lang="en"><head>{head}</head>\n'
            f"<body>\n<h1>{name}</h1>\n{write_parts(parts)}\n</body></html>\n")


def write_parts(parts: Sequence[Part]) -> str:
    blocks: list[str] = []
    for is_figure, group in groupby(parts, key=lambda part: isinstance(part, Figure)):
        if is_figure: blocks.append(write_figures(group))
        else: blocks += [write_part(part) for part in group]
    return "\n".join(blocks)


def write_figures(figures: Iterable[Part]) -> str:
    drawn = "".join(draw_svg(figure) for figure in figures if isinstance(figure, Figure))
    return f'<div class="figures">{drawn}</div>'


def write_part(part: Part) -> str:
    if isinstance(part, Heading): return f"<h2>{escape_html(part.text)}</h2>"
    if isinstance(part, Sentence): return f"<p>{escape_html(part.text)}</p>"
    if isinstance(part, Note): return f'<p class="note">{escape_html(part.text)}</p>'
    if isinstance(part, Figure): return write_figures([part])
    if isinstance(part, Folded):
        summary = f"<summary>{escape_html(part.summary)}</summary>"
        return f"<details>{summary}{write_parts(part.parts)}</details>"
    title = f"<h2>{escape_html(part.title)}</h2>\n" if part.title else ""
    return title + html_table(part.lines)
