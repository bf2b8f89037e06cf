"""A figure that a reader can move, and a question that the reader answers before the page does.

Where scripts do not run, a table and its picture stay, and a fold with the answer. Each explorer
has its script in explorers/, which defines `show(state)`; what they share with the page that counts
a log stands in `browser`.
"""
from __future__ import annotations

import hashlib
import html
import json
import re
import textwrap
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple

from ..browser import read_script
from .display import FIGURES, Table, draw_png

__all__ = ["Explorer", "Guess", "check_choice", "check_ranges", "guess", "slide"]

SCRIPTS = Path(__file__).parent / "explorers"
# What stands in a notebook that was neither run nor trusted, where no script has replaced it
UNTRUSTED = "The figure moves once this cell is run, or the notebook trusted."
# A number of a cell, and no part of a fraction
NUMBER = re.compile(r"(?<![\d./])-?\d+(?:\.\d+)?(?![\d./])")
# Scripts of `browser` that an explorer runs besides numbers and drawing
NEEDS = dict(urn=("metrics",), vote=("metrics",), auditor=("beta",), interval=("beta", "chances"),
             peek=("chances",), significance=("chances",), bayes=("beta",))
# Explorers that draw bars, by bars.js
BARS = "paired", "runs", "beyond", "rate", "needed", "judge"
NEEDS |= dict.fromkeys(BARS, ("metrics", "beta", "chances"))


class Explorer:
    "A figure with sliders that draws itself anew, and a table where scripts do not run."

    def __init__(
        self,
        name: str,  # Script that defines `show(state)`: a file in explorers/ without its ending
        controls: Sequence[Mapping[str, Any]],  # Sliders, as `slide` makes them
        start: Mapping[str, Any],  # First value of every slider, and `choice`
        table: Table,  # What is seen without scripts
        caption: str,  # What the reader can do
        sentence: str = "",  # What the table says, without scripts
        presets: Mapping[str, Mapping[str, Any]] | None = None,  # States with a name
        drawn: Sequence[int] = (-1,),  # Columns drawn without scripts: a value, or both ends
        **more: Any,  # What else the script reads
    ):
        self.name, self.controls, self.start, self.more = name, list(controls), dict(start), more
        self.table, self.caption, self.sentence = table, caption, sentence
        self.presets, self.drawn = dict(presets or {}), drawn

    @property
    def script(self) -> str:
        "What `page.js` runs: the data of the page, the shared parts, the explorer's own."
        given = {"name": self.name, "controls": self.controls, "start": self.start,
                 "presets": self.presets, **self.more}
        data = json.dumps(given).replace("<", "\\u003c")
        common = ("numbers", "drawing", *NEEDS.get(self.name, ()))
        parts = [*(read_script(f"{o}.js") for o in common), *map(read_file, (
            "bars.js" if self.name in BARS else "shared.js", f"{self.name}.js"))]
        # Every page stores its own copy: comments stay in the files.
        return re.sub(r"(?m)^ *//.*\n|^\n", "", "\n".join([f"const given = {data};", *parts]))

    def _repr_html_(self) -> str:
        script = self.script
        # Taken from the content: stored outputs stay the same from run to run.
        name = "explorer-" + hashlib.sha256(script.encode()).hexdigest()[:10]
        style, page = (read_file(o).replace("#explorer", f"#{name}")
                       for o in ("page.css", "page.js"))
        head, *rows = self.table.lines()
        cells = "".join(write_row(row, "td") for row in rows)
        return "\n".join([
            f'<figure class="explorer" id="{name}">',
            f"<style>\n{style}</style>",
            f'<div class="stage">{UNTRUSTED}</div>', *self.write_still(),
            f'<p class="said">{html.escape(self.sentence)}</p>',
            f'<table class="static"><thead>{write_row(head, "th")}</thead>'
            f"<tbody>{cells}</tbody></table>",
            f"<figcaption>{html.escape(self.caption)}</figcaption>",
            # A block of its own: another explorer of the page has the same names.
            f"<script>{{\n{script}\n{page}}}</script>", "</figure>"])

    def list_bars(self) -> list[Bar]:
        "Rows of the table that hold a number, or both ends."
        told = [(row[0], " to ".join(row[i] for i in self.drawn))
                for row in self.table.lines()[1:]]
        return [Bar(label, list(map(float, NUMBER.findall(words))), words)
                for label, words in told if NUMBER.search(words)]

    def write_still(self) -> list[str]:
        "A picture of the table; none where Matplotlib is not installed, or no number stands."
        bars, heads = self.list_bars(), self.table.heads
        if not bars or not find_spec("matplotlib"): return []
        names = {"ylabel": heads[0], "xlabel": " to ".join(heads[i] for i in self.drawn)}
        data = b64encode(draw_bars(bars, str(self.start.get("choice")), names)).decode()
        alt = html.escape(self.sentence)
        return [f'<img class="still" alt="{alt}" src="data:image/png;base64,{data}">']

    def __repr__(self) -> str: return f"{self.table!r}\n{self.sentence}".rstrip()


class Bar(NamedTuple):
    "A row of the picture of a table."
    label: str
    ends: list[float]  # Both, or one of a bar that begins at zero
    words: str


def draw_bars(
    bars: Sequence[Bar],  # From top to bottom
    choice: str,  # Label of the one in colour; all are, where none has it
    names: Mapping[str, str],  # Of the axes
) -> bytes:  # PNG
    "What a table holds, as bars."
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    with rc_context(FIGURES | {"axes.grid.axis": "x"}):
        figure = Figure(figsize=(6, .7 + .3 * len(bars)))
        ax = figure.subplots()
        one = choice in [o.label for o in bars]
        for y, bar in enumerate(bars):
            low, high = bar.ends if len(bar.ends) == 2 else (0, bar.ends[0])
            colour = "#b0b0b0" if one and bar.label != choice else "#0072B2"
            ax.barh(y, high - low, left=low, height=.6, color=colour)
            ax.annotate(bar.words, (max(low, high), y), (4, 0), textcoords="offset points",
                        va="center")
        ax.set(yticks=range(len(bars)), yticklabels=[o.label for o in bars], **names)
        ax.axvline(0, color="black", lw=.8)
        ax.invert_yaxis()
        return draw_png(figure)


def read_file(name: str) -> str:
    "The text of a script or style that stands beside the explorers."
    return (SCRIPTS / name).read_text("utf-8")


def write_row(row: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(o)}</{tag}>" for o in row) + "</tr>"


def slide(
    name: str,  # What the script calls it
    label: str,  # What the reader reads
    low: int,  # First value
    high: int | str | Sequence[str],  # Last value, or sliders: their sum, less those with a minus
    **shown: Any,  # How a value is shown: divided by `scale`, or as an entry of `shown`
) -> dict[str, Any]:
    "A slider of whole numbers."
    return {"name": name, "label": label, "low": low, "high": high, **shown}


def check_choice(
    choice: str,  # What is shown first
    known: Collection[str],  # What there is to choose from
    what: str = "choice",  # Name of the parameter
) -> None:
    "Refuse a choice that an explorer does not have."
    if choice not in known:
        raise ValueError(f"{what} must be one of {list(known)}, got {choice!r}")


def check_ranges(controls: Sequence[Mapping[str, Any]], start: Mapping[str, Any]) -> None:
    "Refuse a start that a slider cannot show."
    def part(name): return -start[name[1:]] if name[0] == "-" else start[name]
    for name, low, high in ((o["name"], o["low"], o["high"]) for o in controls):
        ends = [high] if isinstance(high, str) else high
        most = ends if isinstance(ends, int) else sum(map(part, ends))
        if isinstance(start[name], bool) or not isinstance(start[name], Integral):
            raise TypeError(f"{name} must be an int, got {start[name]!r}")
        if not low <= start[name] <= most:
            raise ValueError(f"need {low} <= {name} <= {most}, got {name}={start[name]}")


# A question with a field for a number.

class Guess:
    "A question with a field for a number; without scripts the answer is folded."

    def __init__(
        self,
        question: str,  # What the reader is asked
        answer: float,  # The number
        because: str,  # Why, in a sentence
        unit: str,  # Stands behind every number
        near: float,  # Largest error that counts as right
    ):
        self.question, self.answer, self.because = question, float(answer), because
        self.unit, self.near = unit, near

    def _repr_html_(self) -> str:
        question, unit = html.escape(self.question), html.escape(self.unit)
        # Where no script runs nobody would look at what is entered.
        entry = (f'<input type="number" step="any" aria-label="{question}">{unit}'
                 " <button>Check</button>")
        given = dict(answer=self.answer, near=self.near, unit=unit, entry=entry,
                     because=html.escape(self.because))
        data = json.dumps(given, ensure_ascii=False).replace("<", "\\u003c")
        shown = html.escape(self.show_answer())
        # Taken from the content: stored outputs stay the same from run to run.
        name = "guess-" + hashlib.sha256((data + question).encode()).hexdigest()[:10]
        style, script = (read_file(o).replace("#guess", f"#{name}")
                         for o in ("guess.css", "guess.js"))
        return "\n".join([
            f'<figure class="guess" id="{name}">', f"<style>\n{style}</style>",
            f"<p><b>Guess first.</b> {question}</p>",
            '<p class="entry"></p>', '<p class="told" aria-live="polite"></p>',
            f"<details><summary>Tell me</summary><p>{shown}</p></details>",
            f"<script>{{\nconst given = {data};\n{script}}}</script>", "</figure>"])

    def show_answer(self) -> str: return f"{self.answer:.3g}{self.unit}. {self.because}"

    def __repr__(self) -> str: return textwrap.fill(f"Guess first. {self.question}", 80)


def guess(
    question: str,  # What the reader is asked, in one or two sentences
    answer: float,  # The number, computed
    because: str,  # Why, in one sentence
    *,
    unit: str = " %",  # Stands behind every number
    near: float | None = None,  # Largest error that counts as right; a twentieth if None
) -> Guess:  # The question
    "Ask for a number before the page tells it."
    return Guess(question, answer, because, unit, abs(answer) / 20 if near is None else near)
