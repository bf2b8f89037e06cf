"""Processors that nbdev runs over the cells of a page; `procs` in settings.ini names them."""
from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

__all__ = ["fold", "glossary", "picture_words", "plain_helpers", "list_functions", "inline_html"]

OPENED = '#| code-fold: show\n#| code-summary: "Exported source"\n'
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
IMPORTS = ast.Import, ast.ImportFrom


def fold(
    cell: Any,  # Cell of a page, after nbdev's own processors
) -> None:
    "Fold the source of an exported cell under its name, and a cell that only imports."
    if cell.cell_type != "code": return
    body = read_code(cell.source)
    if cell.source.startswith(OPENED):
        # Named after its first public definition, if there is one.
        names = [o.name for o in body if isinstance(o, DEFINITIONS) and o.name[0] != "_"]
        summary = f"Source of {names[0]}" if names else "Source"
        cell.source = write_fold(summary, cell.source.removeprefix(OPENED))
    elif "code-fold:" not in cell.source and body and all(isinstance(o, IMPORTS) for o in body):
        cell.source = "#| classes: imports\n" + write_fold("Imports", cell.source)


def write_fold(summary: str, source: str) -> str:
    return f'#| code-fold: true\n#| code-summary: "{summary}"\n{source}'


def read_code(source: str) -> list[ast.stmt]:
    "The statements of a cell; none if it is not Python."
    try: return ast.parse(source).body
    except SyntaxError: return []


def rewrite(pattern: str, new: str | Callable[[re.Match[str]], str], cell: Any) -> None:
    "Replace what fits a pattern in the text of a page."
    if cell.cell_type == "markdown": cell.source = re.sub(pattern, new, cell.source)


def glossary(
    cell: Any,  # Cell of a page
) -> None:
    "Let Quarto show the entry of the glossary over every link into it."
    rewrite(r"(\]\((?:\.\./)*glossary\.ipynb#[\w-]+\))(?!\{)", r"\1{.quarto-xref .term}", cell)


def picture_words(
    cell: Any,  # Cell of a page
) -> None:
    "Give a picture its words for readers who do not see; Quarto takes them for the caption only."
    rewrite(r"(!\[([^\[\]\"]+)\]\([^)\s]+\))(?!\{)", r'\1{fig-alt="\2"}', cell)


def plain_helpers(
    cell: Any,  # Cell of a page
) -> None:
    "Take the link from a helper's name: nbdev sets one, and no page describes helpers."
    rewrite(r"\[(`_[^`]*`)\]\([^)\s]*\)", r"\1", cell)


def list_functions(
    cell: Any,  # Cell of a page in the folder of the front page
) -> None:
    """Put the names of the package in the place of `<!-- functions: public -->` or `internal`.

    In the place of `<!-- functions: filter -->` stands a box that hides what it does not name.

    Done for the site only, so that no stored output goes stale with every new function.
    """
    def write_wanted(found: re.Match[str]) -> str:
        from .index import write_filter, write_index
        return write_filter() if found[1] == "filter" else write_index(found[1] == "public")

    rewrite("<!-- functions: (public|internal|filter) -->", write_wanted, cell)


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
