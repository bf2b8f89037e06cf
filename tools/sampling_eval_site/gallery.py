"The gallery: figures stored in the notebooks, each with the question it answers."
from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby
from typing import Any

from .chapters import ROOT, Page, list_pages
from .finder import write_filter
from .kept import drop_lists

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
        bare = drop_lists(cell.source)
        cell.source = re.sub(r"<!-- gallery(?:: (.+?))? -->", write_wanted, bare)


def write_all() -> str:
    "A box that finds figures, and all of them, part by part."
    grids = [f"## {part}\n\n{write_grid(figures)}" for part, figures in group_figures()]
    return "\n\n".join([write_filter("part of a question or title"), *grids])


def group_figures() -> Iterator[tuple[str, list[Figure]]]:
    "Each part with its figures."
    for part, figures in groupby(list_figures(), key=lambda o: o.page.part):
        yield part, list(figures)


def write_questions() -> str:
    "The questions of all figures in Markdown, part by part, each with its page."
    return "\n\n".join("\n".join([f"**{part}**\n", *map(write_question, figures)])
                       for part, figures in group_figures())


def write_question(figure: Figure) -> str:
    return f"- {figure.question} [{figure.page.title}]({figure.page.path}.ipynb)"


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
