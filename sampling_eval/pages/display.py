"What pages show: tables in Markdown, and the settings of figures and numbers."
from __future__ import annotations

import html
import re
from collections.abc import Sequence
from fractions import Fraction
from io import BytesIO
from numbers import Integral, Real
from typing import Any

__all__ = ["Table", "page_figures", "show_value", "escape_cell"]


class Table:
    """Rows under heads: a Markdown table in notebooks and pages, aligned text elsewhere.

    Floats have three decimals from 0 to 10, fewer above, and keep a digit when they are smaller.
    In Markdown a column of yes and no is one of marks.
    """

    def __init__(
        self,
        rows: Sequence[Sequence],  # One sequence of values per row
        *heads: str,  # Head of each column
    ):
        self.rows, self.heads = [tuple(row) for row in rows], heads
        wrong = [row for row in self.rows if len(row) != len(heads)]
        if wrong:
            at = self.rows.index(wrong[0])
            raise ValueError(f"every row must have {len(heads)} values, one per head,"
                             f" got {len(wrong[0])} in row {at}"
                             f" ({len(wrong)} of {len(self.rows)} fail)")
        self.right = [all(is_numeric_cell(row[i]) or row[i] is None for row in self.rows)
                      for i in range(len(heads))]

    def lines(self) -> list[list[str]]:
        "Heads and rows as texts."
        return [list(self.heads), *([show_value(o) for o in row] for row in self.rows)]

    def _repr_markdown_(self) -> str:
        heads, *told = self.lines()
        lines = [heads, *mark_columns(told)]
        head, *rows = ("| " + " | ".join(map(escape_cell, line)) + " |" for line in lines)
        rule = "|" + "|".join("---:" if o else ":---" for o in self.right) + "|"
        return "\n".join([head, rule, *rows])

    def __repr__(self) -> str:
        lines = self.lines()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shape = list(zip(widths, self.right, strict=True))
        fit = [[o.rjust(w) if right else o.ljust(w)
                for o, (w, right) in zip(line, shape, strict=True)] for line in lines]
        body = ["  ".join(line).rstrip() for line in fit]
        return "\n".join([body[0], "-" * (sum(widths) + 2 * len(widths) - 2), *body[1:]])


def is_numeric_cell(value: object) -> bool:
    return isinstance(value, (Real, Fraction)) and not isinstance(value, bool)


MARKS = {"yes": "✓", "no": "✗"}


def mark_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    "Texts, where a column of nothing but yes and no is one of marks."
    columns = [list(column) for column in zip(*rows, strict=True)]
    marked = [[MARKS.get(o, o) for o in column] if {*column} <= {*MARKS, ""} else column
              for column in columns]
    return [list(row) for row in zip(*marked, strict=True)]


def show_value(
    value: Any,  # Number, text, truth value or None
) -> str:  # Three decimals for a float; a small one keeps a digit, a large one needs fewer
    "A value as a reader wants it in a table."
    if value is None: return ""
    if hasattr(value, "item"): value = value.item()
    if isinstance(value, bool): return "yes" if value else "no"
    if isinstance(value, Fraction): return str(value)
    if isinstance(value, Integral): return f"{value:,}" if abs(int(value)) >= 10_000 else str(value)
    if not isinstance(value, Real): return str(value)
    size = abs(float(value))
    # Three decimals would print a small number as zero.
    if 0 < size < 5e-4: return f"{value:.1e}"
    # Nobody measures a percentage or a count to a thousandth.
    decimals = 3 if size < 9.9995 else 1 if size < 999.95 else 0
    # Zero has no sign.
    return f"{float(value) + 0.:,.{decimals}f}"


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


# Figures.

def page_figures() -> None:
    """Set the figures and numbers of a page: SVG and PNG, full width, plain numbers.

    Jupyter shows no SVG of a notebook that it does not trust: it shows the PNG, on white. The
    ground of the SVG, which pages show, is clear.

    Called once a page, in a hidden cell after the imports.
    """
    import matplotlib
    import numpy as np
    from IPython.core.interactiveshell import InteractiveShell
    from matplotlib.figure import Figure
    from matplotlib_inline.backend_inline import set_matplotlib_formats
    set_matplotlib_formats("svg", bbox_inches=None, metadata={"Date": None})
    shell: Any = InteractiveShell.instance()
    shell.display_formatter.formatters["image/png"].for_type(Figure, draw_png)
    matplotlib.rcParams.update(FIGURES)
    if int(np.__version__.split(".")[0]) > 1: np.set_printoptions(legacy="1.25")
    np.set_printoptions(precision=4, suppress=True)


def draw_png(
    figure: Any,  # Figure of Matplotlib
) -> bytes:  # A quarter of what Matplotlib writes
    "A figure as PNG on white, in 64 colours."
    from PIL import Image
    drawn, small = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=figure.dpi, facecolor="white")
    Image.open(drawn).convert("RGB").quantize(64).save(small, "PNG", optimize=True)
    return small.getvalue()


# `transparent=True` would fail inside the display hook without failing the run,
# so the backgrounds are clear one by one.
FIGURES: Any = {
    "svg.hashsalt": "sampling_eval", "svg.fonttype": "none",
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
    "figure.figsize": (6, 3.2), "figure.constrained_layout.use": True, "font.size": 10.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "grid.color": "#808080", "grid.alpha": .25, "grid.linewidth": .6,
    "legend.frameon": False,
}
