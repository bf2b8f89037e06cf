"A page as a list of pieces, of which book, slides and Markdown are made."
import json
import re
from dataclasses import dataclass
from pathlib import Path

from sampling_eval_site.api import MARK, describe_marked

ROOT = Path(__file__).resolve().parents[1]
HIDDEN = re.compile(r"#\| *(?:hide|default_exp|export)\b(?!s)")
STYLE = re.compile(r"<style>.*?</style>", re.S)
IMPORTS = re.compile(r"(?:(?:from|import) .*|\s.*|\)|)")


@dataclass(frozen=True)
class Piece:
    "A part of a page."
    kind: str  # prose, code, output, table or figure; live: what moves in a browser, as text
    text: str  # Markdown, code, or the caption of a figure
    folded: bool = False  # Shown after a click
    label: str = ""  # Name of a figure
    svg: str = ""  # The figure
    words: str = ""  # The figure for readers who do not see it


def read_pieces(page, live=False):
    "The pieces of a page by its path from `nbs`, without what is hidden; what moves if `live`."
    cells = json.loads((ROOT / "nbs" / f"{page}.ipynb").read_text("utf-8"))["cells"]
    return [piece for cell in cells
            for piece in read_cell(cell) + (read_live(cell) if live else [])]


def read_live(cell):
    "The text of what a cell shows in a browser alone: its first state, or its question."
    shown = [{key: "".join(value) for key, value in out.get("data", {}).items()}
             for out in cell.get("outputs", [])]
    return [Piece("live", data["text/plain"].rstrip()) for data in shown
            if "text/html" in data and "text/markdown" not in data and data.get("text/plain")]


def read_cell(cell):
    source = "".join(cell["source"]).strip()
    if cell["cell_type"] == "markdown":
        if MARK.search(source): return [Piece("table", describe_marked(source))]
        said = STYLE.sub("", source).strip()
        return [Piece("prose", said)] if said else []
    lines = source.splitlines()
    told = [o for o in lines if o.startswith("#|")]
    if any(map(HIDDEN.match, told)): return []
    options = dict(re.findall(r"^#\| *([\w-]+): *\"?(.*?)\"?$", "\n".join(told), re.M))
    code = "\n".join(o for o in lines if not o.startswith("#|")).strip()
    folded = "code-fold" in options or any("exports" in o for o in told)
    shown = code and options.get("echo") != "false" and not all(map(IMPORTS.fullmatch, lines))
    first = [Piece("code", code, folded)] if shown else []
    answer = options.get("classes") in ("answer", "check")
    return first + [o for out in cell.get("outputs", []) for o in read_output(out, options, answer)]


def read_output(output, options, folded):
    "What a cell shows; nothing of what runs only in a browser."
    data = {key: "".join(value) for key, value in output.get("data", {}).items()}
    if "image/svg+xml" in data:
        return [Piece("figure", options.get("fig-cap", ""), folded, options.get("label", ""),
                      data["image/svg+xml"], options.get("fig-alt", ""))]
    if "text/html" in data: return []
    if "text/markdown" in data: return [Piece("table", data["text/markdown"].strip(), folded)]
    text = "".join(output.get("text", "") or data.get("text/plain", "")).rstrip()
    return [Piece("output", text, folded)] if text else []


def fence(text, language=""):
    "Text as a block of code."
    marks = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{marks}{language}\n{text}\n{marks}"
