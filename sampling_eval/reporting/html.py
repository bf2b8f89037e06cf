"""A document as one HTML file that loads nothing."""
from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from ..extras import need
from ..report.blocks import Question, Table
from ..report.html import (html_table, write_box, write_prose, write_row, write_table, write_title,
                           write_tries)
from ..report.svg import Bars, count_shares, draw_shares
from ..report.text import escape_html
from .drawing import draw_chart, draw_ruler, draw_span
from .page_style import SCRIPT, STYLE
from .parts import (Beside, Cell, Chart, Figure, Folded, GridLine, Heading, Judged, Key, Keys,
                    Lead, Matrix, Note, Part, Questions, Ruler, Sentence, Typed)
from ..report.plot import PAPER

__all__ = ["draw_svg", "render"]

VIEW = '<meta name="viewport" content="width=device-width, initial-scale=1">'
# Nothing is loaded, and nothing can be.
SEALED = ('<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">")
LONG = 120  # Letters of an answer of which only the first sentence is a heading
SENTENCE = re.compile(r"(?<=\.) (?=[A-Z\d])")


def draw_svg(
    figure: Figure,  # What to draw
) -> str:  # The figure as inline SVG
    "A figure as SVG text, with letters as outlines so that the page needs no font."
    matplotlib: Any = need("matplotlib", "plot")
    Canvas: Any = need("matplotlib.figure", "plot").Figure
    out = io.StringIO()
    with matplotlib.rc_context(PAPER | {"svg.fonttype": "path"}):
        canvas = Canvas(figsize=(5, 3.4), layout="constrained")
        figure.draw(ax=canvas.add_subplot())
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from")
            unstated = dict.fromkeys(["Date", "Creator", "Format", "Type"])
            canvas.savefig(out, format="svg", metadata=unstated, transparent=True)
    drawn = out.getvalue()
    # Inside HTML the addresses of namespaces are not needed, and look like something to load.
    drawn = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawn[drawn.index("<svg"):])
    return drawn.replace("<svg", f'<svg role="img" aria-label="{escape_html(figure.alt)}"', 1)


def render(
    parts: Sequence[Part],  # What a result says
    title: str,  # Title of the page, and its first heading if no part is the answer
) -> str:  # One HTML document
    "A document as a self-contained page: styles, drawings and script stand inside the file."
    name = escape_html(title)
    head = (f'<meta charset="utf-8">{SEALED}{VIEW}<title>{name}</title>'
            f"<style>{STYLE}</style>")
    first = "" if any(isinstance(part, Lead) for part in parts) else f"<h1>{name}</h1>\n"
    body = write_parts(parts)
    # Questions of several models have a second class.
    moves = 'class="chart"' in body or '<section class="questions' in body
    script = f"\n<script>{SCRIPT}</script>" * moves
    return (f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n'
            f"{first}{body}{script}\n</body></html>\n")


def write_parts(parts: Sequence[Part]) -> str:
    blocks: list[str] = []
    for is_figure, group in groupby(parts, key=lambda part: isinstance(part, Figure)):
        if is_figure: blocks.append(write_figures(group))
        else: blocks += [WRITERS[type(part)](part) for part in group]
    return "\n".join(blocks)


def write_figures(figures: Iterable[Part]) -> str:
    drawn = "".join(draw_svg(figure) for figure in figures if isinstance(figure, Figure))
    return f'<div class="figures">{drawn}</div>'


def write_lead(part: Lead) -> str:
    "The answer as a heading; what follows its first sentence stands below where it is long."
    first, *rest = SENTENCE.split(part.text, 1) if len(part.text) > LONG else [part.text]
    below = "".join(f'\n<p class="lead">{write_prose(text)}</p>' for text in rest)
    return f"<h1>{write_prose(first)}</h1>{below}"


def write_heading(part: Heading) -> str: return f"<h2>{escape_html(part.text)}</h2>"
def write_sentence(part: Sentence) -> str: return f"<p>{write_prose(part.text)}</p>"
def write_typed(part: Typed) -> str: return f"<p><code>{escape_html(part.text)}</code></p>"
def write_note(part: Note) -> str: return f'<p class="note">{write_prose(part.text)}</p>'


def write_titled(part: Table) -> str:
    return write_title(part.title) + html_table(part.lines, part.left, part.wraps)


def write_matrix(part: Matrix) -> str:
    "A line of estimates, each with its intervals below."
    marks = part.measure_marks()
    rows = [[write_name(line, part.spans), *map(write_cell, line.cells, marks)]
            for line in part.lines]
    head = list(map(escape_html, [part.corner, *part.columns]))
    return write_title(part.title) + write_table(head, rows, "matrix")


def write_name(line: GridLine, spans: Sequence[str]) -> str:
    below = [line.meaning] * bool(line.meaning) + list(spans)
    return escape_html(line.name) + "".join(f"<small>{escape_html(text)}</small>" for text in below)


def write_cell(cell: Cell | None, mark: int) -> str:
    "An estimate, its letters in a space as wide as the longest ones, and its intervals."
    if cell is None: return ""
    spans = "".join(f"<small>{escape_html(span)}</small>" for span in cell.spans)
    raised = f'<sup class="mark" style="width:{mark}ch">{escape_html(cell.mark)}</sup>'
    return escape_html(cell.value) + raised * (mark > 0) + spans


def write_folded(part: Folded) -> str:
    summary = f"<summary>{escape_html(part.summary)}</summary>"
    return f"<details>{summary}{write_parts(part.parts)}</details>"


def write_beside(part: Beside) -> str:
    left, right = write_parts(part.left), write_parts(part.right)
    return f'<div class="beside"><div>{left}</div><div>{right}</div></div>'


def write_keys(part: Keys) -> str: return "".join(map(write_key, part.keys))


def write_key(key: Key) -> str:
    said, name = escape_html(key.said), escape_html(key.name)
    small = "<br>".join(escape_html(text) for text in (key.meaning, key.span) if text)
    span = "" if key.value is None else draw_span(key.value, key.low, key.high)
    return (f'<div class="key c{key.colour % 8}"><span><b>{said}</b> {name}</span>'
            f"<small>{small}</small>{span}</div>")


def write_ruler(part: Ruler) -> str:
    seen = f"<figcaption>{write_prose(part.seen)}</figcaption>"
    return f'<figure class="ruler">{draw_ruler(part)}{seen}</figure>'


def write_judged(part: Judged) -> str:
    said = f"<p><b>{escape_html(part.mark)}</b> {write_prose(part.text)}</p>"
    return f'<section class="judged {part.verdict}">{said}{write_parts(part.parts)}</section>'


def write_chart(part: Chart) -> str:
    boxes = "".join(map(write_box, range(len(part.series)), part.colours, part.series))
    controls = f'<div class="controls" hidden>{boxes}</div>' * (len(part.series) > 1)
    return (f'<figure class="chart" style="margin:0">{controls}{draw_chart(part)}'
            '<figcaption class="live" aria-live="polite">Point at a dot or tap it, or move there '
            "with the keyboard, to read its numbers.</figcaption></figure>")


def write_questions(part: Questions) -> str:
    "A table of questions with what filters it."
    kinds = {"all": sum(part.counts.values()), **part.counts}
    boxes = "".join(f'<label><input type="radio" name="kind" value="{kind}"'
                    f'{" checked" * (kind == "all")}> '
                    f"{escape_html(part.names.get(kind, kind))}: {count}</label>"
                    for kind, count in kinds.items())
    search = '<input type="search" placeholder="search" aria-label="search questions">'
    head = write_row(list(map(escape_html, ["question", *part.heads])), "th")
    body = "".join(write_question(part, row) for row in part.rows)
    several = " several" * (len(part.heads) > 1)
    return (f'<section class="questions{several}">{write_outcomes(part)}'
            f'<div class="controls" hidden>{boxes}{search}</div><p class="note live"></p>'
            f'<div class="scroll" tabindex="0"><table><thead>{head}</thead>'
            f"<tbody>{body}</tbody></table></div></section>")


def write_outcomes(part: Questions) -> str:
    "Bars for each model, all to one scale."
    bars = [count_shares(one.c, one.n) for one in part.outcomes]
    most = max(max(one.counts) for one in bars)
    seen = f"Questions, by {say_bars(bars)}"
    several, drawn = len(bars) > 1, []
    for i, (head, one) in enumerate(zip(part.heads, bars)):
        name, alt = (f"<b>{escape_html(head)}</b>", f"{head}: {seen}") if several else ("", seen)
        hue = f"c{part.colour(i) % 8}"
        drawn.append(f'<div class="{hue}">{name}{draw_shares(one, most, alt)}</div>')
    return (f'<figure class="shares"><figcaption>{seen}</figcaption>'
            f'<div class="strips">{"".join(drawn)}</div></figure>')


def say_bars(bars: Sequence[Bars]) -> str:
    "What the bars of all models count."
    if not all(one.alike for one in bars): return "the share of their samples that is right"
    numbers = {one.steps for one in bars}
    many = f"{numbers.pop()} " if len(numbers) == 1 else ""
    return f"how many of their {many}samples are right"


def write_question(part: Questions, question: Question) -> str:
    cells = "".join(write_tries(part.colour(i), tries) for i, tries in enumerate(question.tries))
    name = escape_html(question.name)
    return f'<tr data-kind="{question.kind}"><td>{name}</td>{cells}</tr>'


WRITERS: dict[type, Callable[[Any], str]] = {
    Lead: write_lead, Heading: write_heading, Sentence: write_sentence, Note: write_note,
    Typed: write_typed, Table: write_titled, Matrix: write_matrix, Folded: write_folded,
    Beside: write_beside,
    Keys: write_keys, Ruler: write_ruler, Judged: write_judged, Chart: write_chart,
    Questions: write_questions}
