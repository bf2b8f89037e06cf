"Chapters: what the sidebar orders, `nbs/chapters.toml` describes and the notebooks hold."
from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
HEAD = re.compile(r"# (?P<title>.+?)\n\n> (?P<subtitle>.+)")
# Shelves and sections whose pages are chapters.
COURSE = "Course"
BOOK = COURSE, "Metrics", "Error bars", "On real data"
# Words of prose that are read in a minute, formulas among them; a figure takes half a minute.
PACE = 200
# Sections that the site folds, or that are done and not read; hints and the like are folded too.
FOLDED = ("Beyond the lesson", "How it is computed", "Behind this page", "Checks",
          "Read next", "References")
FOLD = re.compile(r"<details.*?</details>", re.S)
# Where the chapters of a part are listed, and the list that JupyterLab shows there.
LISTED = re.compile(r"<!-- chapters: (.+?) -->(\n\n(?:\d+\. .+\n?)+)?")


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
    short = path.removeprefix("nbs/").removesuffix(".ipynb")
    return Page(short, found["title"], found["subtitle"], shelf, part, count_minutes(cells))


def count_minutes(cells: Sequence[dict]) -> int:
    "Minutes to read what a lesson shows without a click, up to its exercises, and its figures."
    words, figures, section = 0, 0, ""
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and source.startswith("## "):
            section = source.split("\n")[0].removeprefix("## ")
        if section == "Exercises": break
        if section in FOLDED: continue
        if cell["cell_type"] == "markdown":
            words += len(LISTED.sub("", FOLD.sub("", source)).split())
        figures += "#| label: fig-" in source
    return max(1, round(words / PACE + figures / 2))


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
    home = f"{'../' * page.path.count('/')}course.ipynb#twelve-lessons"
    lessons = sum(o.page.shelf == COURSE for o in list_chapters())
    place = (f"[Lesson {chapter.number} of {lessons}]({home})" if page.shelf == COURSE else
             f"[Chapter {chapter.number}]({home}), {page.part}")
    lines = [f"{place}: {page.minutes} minutes. You will be able to {chapter.learn}."]
    if chapter.before:
        lines.append("Before it: " + ", ".join(link(o, page.path) for o in chapter.before) + ".")
    return "\n".join(['<div class="chapter">\n', " ".join(lines), "\n</div>"])


def fill_lists(text: str, keep: bool = False) -> str:
    "The chapters of each part where they are listed; on request the mark of the place stays."
    def fill(found: re.Match) -> str:
        mark = f"<!-- chapters: {found[1]} -->\n\n" * keep
        return mark + write_part(found[1])
    return LISTED.sub(fill, text)


def write_part(title: str) -> str:
    "The chapters of a part, with number, minutes and aim."
    found = [o for o in list_chapters() if o.page.part == title]
    if not found: raise ValueError(f"no part of the book is named {title!r}")
    return "\n".join(f"{o.number}. [{o.page.title}]({o.page.path}.ipynb), {o.page.minutes} minutes:"
                     f" {o.learn}." for o in found)
