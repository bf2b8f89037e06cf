"""Processors of a whole page: its chapter under the title, and folds behind the lesson.

nbdev describes a function where it is defined, and a lesson full of parameters is long to read.
A line stays there; signature and parameters follow after the lesson, under the same anchors.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from execnb.nbio import mk_cell
from nbdev.doclinks import NbdevLookup

from .api import MARK, describe_marked
from .chapters import fill_lists, find_page, introduce
from .finder import write_filter
from .index import write_index
from .kept import drop_lists

CALL = re.compile(r"^(show_doc)\((\w+)\)$", re.M)
HEADING = re.compile(r"#{2,3} +(.+)")
INSIDE = re.compile(r"\]\(#([^)\s]+)\)")
# What is for the curious, and descriptions, stand behind the lesson and before the literature.
BEHIND = "## Behind this page"
APPENDICES = "## Beyond the lesson", BEHIND, "## How it is computed", "## Checks"
LITERATURE = "## References"
TITLE = "## Functions of this page"


class PageProcessor:
    "Something that nbdev does with all cells of a page; it hands the page over at the start."

    def __init__(self, nb: Any): self.nb = nb


class ChapterHead(PageProcessor):
    "Put what a chapter is about under its title."

    def begin(self) -> None:
        page = find_page(self.nb.cells)
        told = introduce(page) if page else ""
        if told: self.nb.cells.insert(1, write_cell(told))


def write_cell(text: str) -> Any:
    "A cell of Markdown as nbdev wants it."
    made = mk_cell(text, "markdown")
    made.directives_ = {}
    return made


class ReferenceFold(PageProcessor):
    "Gather the descriptions of functions in one fold behind the lesson."

    def begin(self) -> None:
        summaries = dict(list_summaries(self.nb.cells))
        kept: list[Any] = []
        entries: dict[str, str] = {}
        for cell in self.nb.cells:
            name = find_described(cell)
            if not name:
                kept.append(cell)
                continue
            text = read_description(cell)
            found = HEADING.fullmatch(kept[-1].source.strip()) if kept else None
            if found and kept[-1].source not in APPENDICES:
                kept.pop()
                text = f"### {found[1]}\n\n{text}"
            elif summaries.get(name):
                kept.append(write_cell(write_summary(name, summaries[name])))
            entries[name] = text
        if not entries: return
        self.nb.cells[:] = with_script(place_fold(kept, write_fold(entries)))


class AppendixLast(PageProcessor):
    "Put what is for the curious behind the lesson, under one heading; the script folds it."

    def begin(self) -> None:
        lesson: list[Any] = []
        last: list[Any] = []
        for section in group_sections(self.nb.cells):
            behind = section[0].source.startswith(APPENDICES)
            (last if behind else lesson).extend(lower(section) if behind else section)
        if not last: return
        self.nb.cells[:] = with_script(place_last(lesson, [write_cell(BEHIND), *last]))


NEXT = re.compile(r'^## Read next\s+(?=<div class="next">)')  # Heading and box in one cell


class NextBox(PageProcessor):
    "Take the heading from the box of what to read next, which says so itself."

    def begin(self) -> None:
        for cell in self.nb.cells: cell.source = NEXT.sub("", cell.source)
        sections = group_sections(self.nb.cells)
        boxes = [is_next(section) for section in sections]
        self.nb.cells[:] = [o for section, box in zip(sections, boxes, strict=True)
                            for o in section[box:]]


def is_next(section: Sequence[Any]) -> bool:
    "Whether a section is the box alone, under its heading."
    return (section[0].source.strip() == "## Read next" and len(section) > 1
            and section[1].source.startswith('<div class="next">'))


class NoLoneImports(PageProcessor):
    "Take imports from a page that shows no other code: its figure needs them, its reader does not."

    def begin(self) -> None:
        code = [o for o in self.nb.cells if o.cell_type == "code"]
        if not any(map(is_shown, code)):
            self.nb.cells[:] = [o for o in self.nb.cells if o not in code or not only_imports(o)]


def is_shown(cell: Any) -> bool:
    "Whether a cell of code shows more than imports."
    return not only_imports(cell) and not re.search("(?m)^#\\| *echo: *false", cell.source)


def only_imports(cell: Any) -> bool:
    body = read_code(cell.source)
    return bool(body) and all(isinstance(o, IMPORTS) for o in body)


def lower(section: Sequence[Any]) -> list[Any]:
    "A section without the heading that all such share, or with its own as a lower one."
    first, *others = section
    rest = first.source.removeprefix(BEHIND)
    first.source = rest.strip() if rest != first.source else f"#{first.source}"
    return [first, *others] if first.source else others


def group_sections(cells: Iterable[Any]) -> list[list[Any]]:
    "The cells of a page by section; the first one is what stands above the first heading."
    sections: list[list[Any]] = [[]]
    for cell in cells:
        if cell.source.startswith("## "): sections.append([])
        sections[-1].append(cell)
    return [o for o in sections if o]


def find_described(cell: Any) -> str:
    "The name that a cell describes; empty if it is another cell."
    found = (CALL if cell.cell_type == "code" else MARK).search(cell.source)
    return found[2] if found else ""


def read_description(cell: Any) -> str:
    "What nbdev made of a definition, or what stands in the place of a mark."
    if cell.cell_type == "markdown": return NbdevLookup().linkify(describe_marked(cell.source))
    return "".join("".join(o["data"]["text/markdown"]) for o in cell.outputs).strip()


def list_summaries(cells: Iterable[Any]) -> Iterator[tuple[str, str]]:
    "The first paragraph on everything that a page defines."
    for cell in cells:
        for node in read_code(cell.source) if cell.cell_type == "code" else []:
            if isinstance(node, DEFINITIONS) and (said := ast.get_docstring(node)):
                yield node.name, " ".join(said.partition("\n\n")[0].split())


def write_summary(name: str, said: str) -> str:
    return f"[**{name}**](#{name.lower()}): {said}".replace("|", r"\|")


def write_fold(entries: dict[str, str]) -> str:
    "All descriptions in a closed fold."
    names = escape(", ".join(entries))
    return "\n\n".join(['<details class="reference">', f"<summary>{names}</summary>",
                        "<div>", *entries.values(), "</div>", "</details>"])


def place_fold(cells: Sequence[Any], fold: str) -> list[Any]:
    "Cells with a fold of descriptions: what is for the curious has its first, or it has a heading."
    place = next((i for i, o in enumerate(cells, 1) if o.source == BEHIND), None)
    if place: return [*cells[:place], write_cell(fold), *cells[place:]]
    return place_last(cells, [write_cell(f"{TITLE}\n\n{fold}")])


def with_script(cells: list[Any]) -> list[Any]:
    "Cells with the script, once, that folds and opens what stands behind the lesson."
    script = Path(__file__).with_name("reveal.js").read_text("utf-8")
    text = f"```{{=html}}\n<script>\n{script}</script>\n```"
    if any(o.source == text for o in cells): return cells
    return place_last(cells, [write_cell(text)])


def place_last(cells: Sequence[Any], more: Sequence[Any]) -> list[Any]:
    "Cells with some more of them before the literature."
    place = next((i for i, o in enumerate(cells) if o.source.startswith(LITERATURE)), len(cells))
    return [*cells[:place], *more, *cells[place:]]


def list_parts(cell: Any) -> None:
    "Put the chapters of a part in the place of `<!-- chapters: Two systems -->`."
    if cell.cell_type == "markdown":
        cell.source = fill_lists(cell.source)


# Processors that nbdev runs over the cells of a page; `procs` in settings.ini names them.


OPENED = '#| code-fold: show\n#| code-summary: "Exported source"\n'
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
IMPORTS = ast.Import, ast.ImportFrom


def fold(cell: Any) -> None:
    "Fold the source of an exported cell under its name, and a cell that only imports."
    if cell.cell_type != "code": return
    body = read_code(cell.source)
    if cell.source.startswith(OPENED):
        # Named after its first public definition, if there is one.
        names = [o.name for o in body if isinstance(o, DEFINITIONS) and o.name[0] != "_"]
        summary = f"Source of {names[0]}" if names else "Source"
        cell.source = fold_cell(summary, cell.source.removeprefix(OPENED))
    elif "code-fold:" not in cell.source and only_imports(cell):
        cell.source = "#| classes: imports\n" + fold_cell("Imports", cell.source)


def fold_cell(summary: str, source: str) -> str:
    return f'#| code-fold: true\n#| code-summary: "{summary}"\n{source}'


def read_code(source: str) -> list[ast.stmt]:
    "The statements of a cell; none if it is not Python."
    try: return ast.parse(source).body
    except SyntaxError: return []


def rewrite(pattern: str, new: str | Callable[[re.Match[str]], str], cell: Any) -> None:
    "Replace what fits a pattern in the text of a page."
    if cell.cell_type == "markdown": cell.source = re.sub(pattern, new, cell.source)


def glossary(cell: Any) -> None:
    "Let Quarto show the entry of the glossary over every link into it."
    rewrite(r"(\]\((?:\.\./)*glossary\.ipynb#[\w-]+\))(?!\{)", r"\1{.quarto-xref .term}", cell)


def picture_words(cell: Any) -> None:
    "Give a picture its words for readers who do not see; Quarto takes them for the caption only."
    rewrite(r"(!\[([^\[\]\"]+)\]\([^)\s]+\))(?!\{)", r'\1{fig-alt="\2"}', cell)


def plain_helpers(cell: Any) -> None:
    "Take the link from a helper's name: nbdev sets one, and no page describes helpers."
    rewrite(r"\[(`_[^`]*`)\]\([^)\s]*\)", r"\1", cell)


def list_functions(cell: Any) -> None:
    """Put the names of the package in the place of `<!-- functions: public -->` or `internal`.

    In the place of `<!-- functions: filter -->` stands a box that hides what it does not name.

    A notebook keeps the public ones as a list (`tools/course.py`), which makes room for a table.
    """
    def write_wanted(found: re.Match[str]) -> str:
        return write_filter() if found[1] == "filter" else write_index(found[1] == "public")

    if cell.cell_type == "markdown": cell.source = drop_lists(cell.source)
    rewrite("<!-- functions: (public|internal|filter) -->", write_wanted, cell)


STILL = re.compile(r'<img class="still"[^>]*>\n?')


def drop_png(cell: Any) -> None:
    "Take out what is for notebooks that nobody trusts: the PNG of a figure, an explorer's picture."
    for out in cell.get("outputs", []):
        data = out.get("data") or {}
        if "image/svg+xml" in data: data.pop("image/png", None)
        if "text/html" in data: data["text/html"] = STILL.sub("", "".join(data["text/html"]))


CODE = re.compile(r"(```.*?```|`[^`]*`|\$[^$]*\$|<[^>]*>)", re.S)
QUOTE = re.compile(r"(?<!\w)['\"]|['\"](?!\w)")
DASHES = re.compile(r"(?<=[\s(])--(?=\w)")


def straight_marks(cell: Any) -> None:
    """Keep the quotes and hyphens of an output as they were printed: pandoc would curl them.

    Who copies `missing='wrong'` or `--how` from a page needs them straight.
    """
    def keep(text: str) -> str: return DASHES.sub(r"\\-\\-", QUOTE.sub(r"\\\g<0>", text))

    for out in cell.get("outputs", []):
        data = out.get("data") or {}
        if "text/markdown" not in data: continue
        parts = CODE.split("".join(data["text/markdown"]))
        parts[::2] = map(keep, parts[::2])
        data["text/markdown"] = "".join(parts)


EXPLORER = re.compile(r'given = \{"name": "(\w+)"')
ADDRESS = ("<script>if (/^#\\w+=/.test(location.hash)) "
           'history.replaceState(null, "", "#{}&" + location.hash.slice(1));</script>\n')


def name_anchors(cell: Any) -> None:
    """Name headings as pandoc does in links inside a page: `#The-urn` becomes `#the-urn`.

    A notebook names them as JupyterLab does, where such a link works too.
    """
    if cell.cell_type == "markdown": cell.source = INSIDE.sub(name_anchor, cell.source)


def name_anchor(found: re.Match[str]) -> str: return f"](#{make_anchor(found[1])})"


def make_anchor(title: str) -> str:
    "The anchor that pandoc gives a heading, or a heading whose spaces are hyphens."
    words = re.sub(r"[^\w\s.]", "", title.replace("-", " ")).lower().split()
    return re.sub(r"^[^a-z]+", "", "-".join(words))


def take_address(cell: Any) -> None:
    "Let an address such as `#c=0&n=60` set the first explorer of a page: put its name before it."
    for out in cell.get("outputs", []):
        data = out.get("data") or {}
        shown = "".join(data.get("text/html", ""))
        found = EXPLORER.search(shown)
        if found: data["text/html"] = ADDRESS.format(found[1]) + shown


def inline_html(cell: Any) -> None:
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
