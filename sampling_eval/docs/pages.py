"""Processors of a whole page: its chapter under the title, and folds behind the lesson.

nbdev describes a function where it is defined, and a lesson full of parameters is long to read.
A line stays there; signature and parameters follow after the lesson, under the same anchors.
"""
from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Any

__all__ = ["AppendixLast", "ChapterHead", "ReferenceFold", "list_parts", "fold", "glossary",
           "picture_words", "plain_helpers", "list_functions", "inline_html", "Chapter", "Page",
           "list_chapters", "list_pages", "find_page", "introduce", "write_part", "Figure",
           "list_figures", "show_gallery", "shrink"]

CALL = re.compile(r"^show_doc\((\w+)\)$|^Markdown\(Api\((\w+)\)", re.M)
HEADING = re.compile(r"#{2,3} +(.+)")
# Numerics and descriptions stand behind the lesson and before the literature.
APPENDICES = "## How it is computed", "## Checks"
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
    from execnb.nbio import mk_cell
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
            text = read_output(cell)
            if kept and (found := HEADING.fullmatch(kept[-1].source.strip())):
                kept.pop()
                text = f"### {found[1]}\n\n{text}"
            elif summaries.get(name):
                kept.append(write_cell(write_summary(name, summaries[name])))
            entries[name] = text
        if not entries: return
        fold = write_cell(write_fold(entries))
        self.nb.cells[:] = with_script(place_last(kept, [fold]))


class AppendixLast(PageProcessor):
    "Put how something is computed, and what is checked, behind the lesson; the script folds both."

    def begin(self) -> None:
        lesson: list[Any] = []
        last: list[Any] = []
        for section in group_sections(self.nb.cells):
            behind = section[0].source.startswith(APPENDICES)
            (last if behind else lesson).extend(section)
        if last: self.nb.cells[:] = with_script(place_last(lesson, last))


def group_sections(cells: Iterable[Any]) -> list[list[Any]]:
    "The cells of a page by section; the first one is what stands above the first heading."
    sections: list[list[Any]] = [[]]
    for cell in cells:
        if cell.source.startswith("## "): sections.append([])
        sections[-1].append(cell)
    return [o for o in sections if o]


def find_described(cell: Any) -> str:
    "The name that a cell describes; empty if it is another cell."
    found = CALL.search(cell.source) if cell.cell_type == "code" else None
    return (found[1] or found[2]) if found else ""


def read_output(cell: Any) -> str:
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
    "All descriptions in a closed fold under a heading."
    names = escape(", ".join(entries))
    return "\n\n".join([TITLE, '<details class="reference">', f"<summary>{names}</summary>",
                        "<div>", *entries.values(), "</div>", "</details>"])


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
        cell.source = re.sub("<!-- chapters: (.+?) -->", lambda o: write_part(o[1]), cell.source)


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
    elif "code-fold:" not in cell.source and body and all(isinstance(o, IMPORTS) for o in body):
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

    Done for the site only, so that no stored output goes stale with every new function.
    """
    def write_wanted(found: re.Match[str]) -> str:
        from .index import write_filter, write_index
        return write_filter() if found[1] == "filter" else write_index(found[1] == "public")

    rewrite("<!-- functions: (public|internal|filter) -->", write_wanted, cell)


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


# Chapters: what the sidebar orders, `nbs/chapters.toml` describes and the notebooks hold.


ROOT = Path(__file__).parents[2]
HEAD = re.compile(r"# (?P<title>.+?)\n\n> (?P<subtitle>.+)")
# Shelves and sections whose pages are chapters.
BOOK = "Metrics", "Error bars", "On real data"
# Words of prose that are read in a minute, formulas among them; a figure takes half a minute.
PACE = 180


@dataclass(frozen=True)
class Page:
    "A page of the site."
    path: str  # From `nbs`, without its ending
    title: str
    subtitle: str
    shelf: str  # Word of the bar
    part: str  # Section of the sidebar, or the shelf
    minutes: int  # To read its prose and look at its figures


@dataclass(frozen=True)
class Chapter:
    "A page of the book."
    number: int
    page: Page
    learn: str  # What a reader can do afterwards
    before: Sequence[str]  # Pages to read first
    search: str  # What people type who look for it


@cache
def list_pages() -> list[Page]:
    "Every page, in the order of the shelves."
    import yaml
    site = yaml.safe_load((ROOT / "_quarto.yml").read_text("utf-8"))["website"]
    return [read_page(path, shelf["title"], part) for shelf in site["sidebar"]
            for path, part in list_entries(shelf["contents"], shelf["title"])]


def list_entries(contents: Sequence, part: str) -> Iterator[tuple[str, str]]:
    for entry in contents:
        if isinstance(entry, dict): yield from list_entries(entry["contents"], entry["section"])
        else: yield entry, part


def read_page(path: str, shelf: str, part: str) -> Page:
    cells = json.loads((ROOT / path).read_text("utf-8"))["cells"]
    prose = ["".join(o["source"]) for o in cells if o["cell_type"] == "markdown"]
    found = HEAD.match(prose[0])
    if not found: raise ValueError(f"a page begins with `# Title` and `> subtitle`, got {path}")
    figures = sum("#| label: fig-" in "".join(o["source"]) for o in cells)
    minutes = max(1, ceil(sum(len(o.split()) for o in prose) / PACE + figures / 2))
    short = path.removeprefix("nbs/").removesuffix(".ipynb")
    return Page(short, found["title"], found["subtitle"], shelf, part, minutes)


@cache
def list_chapters() -> list[Chapter]:
    "Pages of the book that are described, in order."
    told = tomllib.loads((ROOT / "nbs" / "chapters.toml").read_text("utf-8"))
    pages = [o for o in list_pages() if (o.shelf in BOOK or o.part in BOOK) and o.path in told]
    return [Chapter(number, page, **told[page.path]) for number, page in enumerate(pages, 1)]


def find_page(
    cells: Sequence[Any],  # Cells of a notebook
) -> Page | None:  # None for a notebook that no shelf holds
    "The page that begins with these cells; the filter of Quarto is told no path."
    found = HEAD.match("".join(cells[0]["source"])) if cells else None
    return next((o for o in list_pages() if found and o.title == found["title"]), None)


def link(path: str, start: str) -> str:
    "A link from a page to another, under its title."
    page = next(o for o in list_pages() if o.path == path)
    return f"[{page.title}]({'../' * start.count('/')}{path}.ipynb)"


def introduce(page: Page) -> str:
    "Number, part, minutes, aim and prerequisites of a chapter; empty for another page."
    chapter = next((o for o in list_chapters() if o.page == page), None)
    if chapter is None: return ""
    home = f"{'../' * page.path.count('/')}course.ipynb#the-book"
    lines = [f"[Chapter {chapter.number}]({home}), {page.part}: {page.minutes} minutes. "
             f"You will be able to {chapter.learn}."]
    if chapter.before:
        lines.append("Before it: " + ", ".join(link(o, page.path) for o in chapter.before) + ".")
    return "\n".join(['<div class="chapter">\n', " ".join(lines), "\n</div>"])


def write_part(title: str) -> str:
    "The chapters of a part, with number, minutes and aim."
    found = [o for o in list_chapters() if o.page.part == title]
    if not found: raise ValueError(f"no part of the book is named {title!r}")
    return "\n".join(f"{o.number}. [{o.page.title}]({o.page.path}.ipynb), {o.page.minutes} minutes:"
                     f" {o.learn}." for o in found)


# The gallery: figures stored in the notebooks, each with the question it answers.


FOLDER = "gallery"
LABEL = re.compile(r"^#\| label: (fig-[\w-]+)$", re.M)
ALT = re.compile(r"^#\| fig-alt: \"?(.+?)\"?$", re.M)


@dataclass(frozen=True)
class Figure:
    "A figure of a page."
    page: Page
    label: str
    question: str
    words: str  # For readers who do not see it
    svg: str

    @property
    def file(self) -> str: return f"{FOLDER}/{self.page.path.replace('/', '-')}-{self.label}.svg"

    @property
    def address(self) -> str: return f"{self.page.path}.html#{self.label}"


@cache
def list_figures() -> list[Figure]:
    "Figures that `nbs/gallery.toml` names, in the order of the pages."
    asked = tomllib.loads((ROOT / "nbs" / "gallery.toml").read_text("utf-8"))
    return [o for page in list_pages() for o in read_figures(page, asked)]


def read_figures(page: Page, asked: dict[str, str]) -> Iterator[Figure]:
    for cell in json.loads((ROOT / "nbs" / f"{page.path}.ipynb").read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        label, words = LABEL.search(source), ALT.search(source)
        question = asked.get(f"{page.path}#{label[1]}") if label else None
        drawn = ["".join(o["data"]["image/svg+xml"]) for o in cell.get("outputs", [])
                 if "image/svg+xml" in o.get("data", {})]
        if label and question and drawn:
            yield Figure(page, label[1], question, words[1] if words else question, drawn[0])


def shrink(svg: str) -> str:
    "A figure as a small picture."
    unseen = r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>"
    bare = re.sub(unseen, "", svg, flags=re.S)
    short = re.sub(r"\d+\.\d{2,}", lambda o: f"{float(o[0]):.4g}", bare)
    return re.sub(r"\s+", " ", short).replace("> <", "><").strip() + "\n"


def show_gallery(cell: Any) -> None:
    """Put figures in the place of `<!-- gallery -->` or `<!-- gallery: page#fig-x page#fig-y -->`.

    The pages that use them stand beside the folder of the small pictures.
    """
    def write_wanted(found: re.Match[str]) -> str:
        return write_some(found[1].split()) if found[1] else write_all()

    if cell.cell_type == "markdown":
        cell.source = re.sub(r"<!-- gallery(?:: (.+?))? -->", write_wanted, cell.source)


def write_all() -> str:
    "All figures, part by part."
    parts = groupby(list_figures(), key=lambda o: o.page.part)
    return "\n\n".join(f"## {part}\n\n{write_grid(list(figures))}" for part, figures in parts)


def write_some(names: list[str]) -> str:
    "Figures by page and label."
    known = {f"{o.page.path}#{o.label}": o for o in list_figures()}
    unknown = [o for o in names if o not in known]
    if unknown: raise ValueError(f"nbs/gallery.toml and the pages have no figure {unknown}")
    return write_grid([known[o] for o in names])


def write_grid(figures: list[Figure]) -> str:
    rows = "\n".join(map(write_figure, figures))
    return f'```{{=html}}\n<div class="gallery">\n{rows}\n</div>\n```'


def write_figure(figure: Figure) -> str:
    words, title = escape(figure.words), escape(figure.page.title)
    return (f'<a href="{figure.address}"><img src="{figure.file}" alt="{words}" loading="lazy">'
            f"<strong>{escape(figure.question)}</strong> <span>{title}</span></a>")
