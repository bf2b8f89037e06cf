"""What the pages of the site need: processors, the description of a function, figures, tables.

A plain module: no notebook exports it. `settings.ini` names the processors and the renderer.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from .cells import escape_cell
from .description import describe

__all__ = ["fold", "glossary", "picture_words", "plain_helpers", "list_functions", "inline_html",
           "Api", "page_figures", "Table"]

OPENED = '#| code-fold: show\n#| code-summary: "Exported source"\n'
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef


def fold(
    cell: Any,  # Cell of a page, after nbdev's own processors
) -> None:
    "Fold the source of an exported cell under its name, and a cell that only imports."
    if cell.cell_type != "code": return
    if cell.source.startswith(OPENED):
        rest = cell.source.removeprefix(OPENED)
        cell.source = write_fold(" ".join(["Source", *name_definitions(rest)]), rest)
    elif "code-fold:" not in cell.source and holds_only_imports(cell.source):
        cell.source = "#| classes: imports\n" + write_fold("Imports", cell.source)


def write_fold(summary: str, source: str) -> str:
    return f'#| code-fold: true\n#| code-summary: "{summary}"\n{source}'


def read_code(source: str) -> list[ast.stmt]:
    "The statements of a cell; none if it is not Python."
    try: return ast.parse(source).body
    except SyntaxError: return []


def holds_only_imports(source: str) -> bool:
    body = read_code(source)
    return bool(body) and all(isinstance(o, (ast.Import, ast.ImportFrom)) for o in body)


def name_definitions(source: str) -> list[str]:
    "`of pass_at_k` for the first public definition of a cell, nothing if there is none."
    names = [o.name for o in read_code(source) if isinstance(o, DEFINITIONS)]
    public = [o for o in names if not o.startswith("_")]
    return [f"of {public[0]}"] if public else []


TERM = re.compile(r"(\]\((?:\.\./)*glossary\.ipynb#[\w-]+\))(?!\{)")


def glossary(
    cell: Any,  # Cell of a page
) -> None:
    "Let Quarto show the entry of the glossary over every link into it."
    if cell.cell_type == "markdown": cell.source = TERM.sub(r"\1{.quarto-xref .term}", cell.source)


PICTURE = re.compile(r"(?P<whole>!\[(?P<words>[^\[\]\"]+)\]\([^)\s]+\))(?!\{)")


def picture_words(
    cell: Any,  # Cell of a page
) -> None:
    "Give a picture its words for readers who do not see; Quarto takes them for the caption only."
    if cell.cell_type != "markdown": return
    cell.source = PICTURE.sub(r'\g<whole>{fig-alt="\g<words>"}', cell.source)


LINKED = re.compile(r"\[(`_[^`]*`)\]\([^)\s]*\)")


def plain_helpers(
    cell: Any,  # Cell of a page
) -> None:
    "Take the link from a helper's name: nbdev sets one, and no page describes helpers."
    if cell.cell_type == "markdown": cell.source = LINKED.sub(r"\1", cell.source)


WANTED = re.compile(r"<!-- functions: (public|internal|filter) -->")


def list_functions(
    cell: Any,  # Cell of a page in the folder of the front page
) -> None:
    """Put the names of the package in the place of `<!-- functions: public -->` or `internal`.

    In the place of `<!-- functions: filter -->` stands a box that hides what it does not name.

    Done for the site only, so that no stored output goes stale with every new function.
    """
    if cell.cell_type != "markdown": return
    cell.source = WANTED.sub(write_wanted, cell.source)


def write_wanted(found: re.Match[str]) -> str:
    from .index import FILTER, write_index
    return FILTER if found[1] == "filter" else write_index(found[1] == "public")


def inline_html(
    cell: Any,  # Cell of a page
) -> None:
    """Turn an output in HTML into Markdown that holds it as a raw block.

    Quarto adds require.js and jQuery from a distant server to a page with any output in HTML.
    """
    for out in cell.get("outputs", []):
        data = out.get("data") or {}
        if "text/html" not in data: continue
        shown = "".join(data.pop("text/html")).strip()
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
        raw = f"{fence}{{=html}}\n{shown}\n{fence}\n"
        if "text/markdown" not in data: data["text/markdown"] = raw.splitlines(keepends=True)


class Api:
    "A function or class described: summary, signature, table of parameters, rest of the docstring."

    def __init__(
        self,
        sym: Any,  # Function or class
        name: str | None = None,  # Name to show; its own if None
        title_level: int = 3,  # Level of the heading
    ):
        self.sym, self.level, self.name = sym, title_level, name or find_name(sym)

    def _repr_markdown_(self) -> str:
        # A traceback in this place hangs pandoc, so a page rather shows a bare name.
        try: parts = describe(self.sym, self.name)
        except Exception: parts = []
        return "\n\n".join(["#" * self.level + " " + self.name, *parts]) + "\n"


def find_name(sym: Any) -> str:
    "What a page calls a function or class; the text of anything else."
    try: path = sym.__qualname__
    except Exception: return repr(sym)
    return sym.__name__ if "<locals>" in path else path


def page_figures() -> None:
    """Set the figures and numbers of a page: SVG, full width, clear background, plain numbers.

    Called once a page, in a hidden cell after the imports.
    """
    import matplotlib
    import numpy as np
    from matplotlib_inline.backend_inline import set_matplotlib_formats
    set_matplotlib_formats("svg", bbox_inches=None, metadata={"Date": None})
    matplotlib.rcParams.update(FIGURES)
    if int(np.__version__.split(".")[0]) > 1: np.set_printoptions(legacy="1.25")
    np.set_printoptions(precision=4, suppress=True)


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


class Table:
    """Rows under heads: a Markdown table in notebooks and pages, aligned text elsewhere.

    Floats have three decimals, and keep a digit when they are smaller.
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
        self.right = [all(is_number(row[i]) or row[i] is None for row in self.rows)
                      for i in range(len(heads))]

    def lines(self) -> list[list[str]]:
        "Heads and rows as texts."
        return [list(self.heads), *([show_value(o) for o in row] for row in self.rows)]

    def _repr_markdown_(self) -> str:
        head, *rows = ("| " + " | ".join(map(escape_cell, line)) + " |" for line in self.lines())
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


def is_number(value: object) -> bool:
    return isinstance(value, (Real, Fraction)) and not isinstance(value, bool)


def show_value(
    value: Any,  # Number, text, truth value or None
) -> str:  # Three decimals for a float; a small one keeps a digit
    "A value as a reader wants it in a table."
    if value is None: return ""
    if hasattr(value, "item"): value = value.item()
    if isinstance(value, bool): return "yes" if value else "no"
    if isinstance(value, Fraction): return str(value)
    if isinstance(value, Integral): return f"{value:,}" if abs(int(value)) >= 10_000 else str(value)
    if not isinstance(value, Real): return str(value)
    # Three decimals would print a small number as zero.
    return f"{value:.1e}" if 0 < abs(float(value)) < 5e-4 else f"{value:.3f}"
