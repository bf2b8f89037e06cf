"""A document as one HTML file that loads nothing.

The page, its style and its script stand beside this module: page.html, page.css, page.js.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from .blocks import (Cell, Code, Curves, Document, Excerpt, Fold, Grid, GridLine, Headline,
                     Intervals, Line, Passage, Question, Questions, Samples, Series, Table, Text)
from .drawing import DARK, LIGHT
from .svg import Bars, count_shares, draw_chart, draw_line, draw_shares, scale_ends
from .text import escape_html
from .verdicts import badge_text

__all__ = ["html_table", "render", "render_cell"]

MOST_DOTS = 20  # Samples that are drawn as dots
PICTURES = Curves, Intervals, Questions, Samples
# Of the output of a cell, whose page has a style of its own.
CELL_STYLE = """
.sampling-eval { max-width: 60em; }
.sampling-eval .lead { font-weight: 600; }
.sampling-eval .note, .sampling-eval small { opacity: .75; }
.sampling-eval small { display: block; }
.sampling-eval :is(th, td) {
  text-align: right; white-space: nowrap; vertical-align: top; padding: .2em .6em;
}
.sampling-eval .mark { display: inline-block; text-align: left; margin-left: .15em; }
.sampling-eval :is(th, td):first-child, .sampling-eval .two :is(th, td):nth-child(2) {
  text-align: left;
}
.sampling-eval .scroll { overflow-x: auto; }
.sampling-eval summary { cursor: pointer; }
.sampling-eval h2 { font-size: 1em; }
"""


def render(
    document: Document,  # What a result says
    title: str,  # Title of the page, and its first heading if no block is a headline
) -> str:  # One HTML document
    "A document as a self-contained page: styles, drawings and script stand inside the file."
    has_headline = any(isinstance(block, Headline) for block in document)
    first = "" if has_headline else f"<h1>{escape_html(title)}</h1>\n"
    body = first + write_blocks(document)
    moves = 'class="chart"' in body or '<section class="questions' in body
    script = f"\n<script>{read_file('page.js')}</script>" * moves
    page = read_file("page.html")
    # The body comes last: what it says may look like a place.
    filled = page.replace("{{style}}", read_style()).replace("{{title}}", escape_html(title))
    before, after = filled.split("{{body}}{{script}}")
    return before + body + script + after


def render_cell(document: Document) -> str:
    "A document as a part of a notebook: each estimate above its CI, folds closed, no pictures."
    said = "\n".join(WRITERS[type(block)](block) for block in map(shrink, document)
                     if not isinstance(block, PICTURES))
    return f'<div class="sampling-eval"><style>{CELL_STYLE}</style>\n{said}\n</div>'


def shrink(block: Any) -> Any:
    "A block without pictures, its headline no larger than its text."
    if isinstance(block, Headline): return Text(block.text, "lead")
    if not isinstance(block, Fold): return block
    return Fold(block.summary, [one for one in map(shrink, block.blocks)
                                if not isinstance(one, PICTURES)])


@cache
def read_file(name: str) -> str: return files(__package__).joinpath(name).read_text("utf-8")


@cache
def read_style() -> str:
    "The style with the colours of the series."
    hues = "".join(f".c{i} {{ --hue: var(--c{i}); }}\n" for i in range(len(LIGHT)))
    style = read_file("page.css").replace("{{hues}}", hues)
    return style.replace("{{light}}", name_colours(LIGHT)).replace("{{dark}}", name_colours(DARK))


def name_colours(colours: Sequence[str]) -> str:
    return " ".join(f"--c{i}: {colour};" for i, colour in enumerate(colours))


def write_blocks(document: Document) -> str:
    return "\n".join(WRITERS[type(block)](block) for block in document)


# Text.

def write_prose(text: str) -> str:
    "Text whose numbers stay on one line with their percent sign."
    return escape_html(text).replace(" %", "&nbsp;%")


def write_headline(block: Headline) -> str:
    "The answer, beside its verdict as a badge."
    said = f"<h1>{write_prose(block.text)}</h1>"
    if not block.verdict: return said
    return f'<span class="badge {block.verdict}">{badge_text(block.verdict)}</span>\n{said}'


def write_text(block: Text) -> str:
    if block.kind == "heading": return f"<h2>{escape_html(block.text)}</h2>"
    kind = "" if block.kind == "plain" else f' class="{block.kind}"'
    warning = "<b>Warning:</b> " * (block.kind == "caution")
    return f"<p{kind}>{warning}{write_prose(block.text)}</p>"


def write_code(block: Code) -> str: return f"<p><code>{escape_html(block.text)}</code></p>"


def write_fold(block: Fold) -> str:
    summary = f"<summary>{escape_html(block.summary)}</summary>"
    return f"<details>{summary}{write_blocks(block.blocks)}</details>"


# Tables.

def write_titled(block: Table) -> str:
    return write_title(block.title) + html_table(block.lines, block.left)


def write_title(title: str) -> str:
    "The line above a table; empty without one."
    return f"<h2>{escape_html(title)}</h2>\n" if title else ""


def html_table(
    lines: Sequence[Sequence[str]],  # Head and rows
    left: int = 1,  # Columns of names
) -> str:  # HTML of the table
    "A table in HTML with every cell escaped."
    head, *rows = ([write_prose(cell) for cell in line] for line in lines)
    return write_table(head, rows, "words" if left > 2 else "two" * (left > 1))


def write_table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    "A table of cells that are HTML already; it scrolls by itself where it is too wide."
    body = "".join(write_row(row, "td") for row in rows)
    named = f' class="{kind}"' if kind else ""
    return (f'<div class="scroll" tabindex="0"><table{named}>'
            f"<thead>{write_row(head, 'th')}</thead><tbody>{body}</tbody></table></div>")


def write_row(row: Sequence[str], tag: str) -> str:
    "One row of a table."
    cells = "".join(f"<{tag}>{cell}</{tag}>" for cell in row)
    return f"<tr>{cells}</tr>"


def write_grid(block: Grid) -> str:
    "A line of estimates, each with its intervals below."
    widths = block.letter_widths()
    rows = [[write_name(line, block.intervals), *map(write_cell, line.cells, widths)]
            for line in block.lines]
    head = list(map(escape_html, [block.corner, *block.columns]))
    return write_title(block.title) + write_table(head, rows, "matrix")


def write_name(line: GridLine, kinds: Sequence[str]) -> str:
    below = [line.meaning] * bool(line.meaning) + list(kinds)
    return escape_html(line.name) + "".join(f"<small>{escape_html(text)}</small>" for text in below)


def write_cell(cell: Cell | None, width: int) -> str:
    "An estimate, its letters in a space as wide as the longest ones, and its intervals."
    if cell is None: return ""
    below = "".join(f"<small>{write_prose(text)}</small>" for text in cell.intervals)
    raised = f'<sup class="mark" style="width:{width}ch">{escape_html(cell.letters)}</sup>'
    return write_prose(cell.value) + raised * (width > 0) + below


# Pictures.

def write_intervals(block: Intervals) -> str:
    "A forest plot: on each line a name, the interval as a bar on the common scale, the number."
    scale = scale_ends(block)
    lines = "".join(write_line(line, scale, bool(block.zero)) for line in block.lines)
    legend = [f"dashed line: {block.zero}"] * bool(block.zero)
    legend += [f"red line: {block.limit}"] * bool(block.limit)
    left, right = map(write_prose, block.ends)
    ends = (f'<div class="interval ends"><span>{write_prose("; ".join(legend))}</span>'
            f"<span><span>{left}</span><span>{right}</span></span></div>")
    return f'<figure class="intervals" role="img" aria-label="{escape_html(block.alt)}">{lines}' \
           f"{ends}</figure>"


def write_line(line: Line, scale: tuple[float, float], zero: bool) -> str:
    note = f"<small>{write_prose(line.note)}</small>" * bool(line.note)
    return (f'<div class="interval c{line.colour % 8} {line.verdict}"><span>'
            f"{escape_html(line.label)}{note}</span>{draw_line(line, scale, zero)}"
            f"<b>{write_prose(line.said)}</b></div>")


def write_curves(block: Curves) -> str:
    boxes = "".join(map(write_box, range(len(block.series)), block.colours, block.series))
    controls = f'<div class="controls" hidden>{boxes}</div>' * (len(block.series) > 1)
    return (f'{write_title(block.title)}<figure class="chart">{controls}{draw_chart(block)}'
            '<figcaption class="live" aria-live="polite">Point at a dot or tap it, or move there '
            "with the keyboard, to read its numbers.</figcaption></figure>")


def write_box(i: int, colour: int, series: Series) -> str:
    "A box that shows or hides a series."
    said = f"{series.label}: {series.meaning}" if series.meaning else series.label
    checked = " checked" * series.shown
    return (f'<label class="c{colour % 8}"><input type="checkbox" data-shows="{i}"{checked}> '
            f"{escape_html(said)}</label>")


def write_questions(block: Questions) -> str:
    "A table of questions with what filters it."
    kinds = {"all": sum(block.counts.values()), **block.counts}
    boxes = "".join(f'<label><input type="radio" name="kind" value="{kind}"'
                    f'{" checked" * (kind == "all")}> '
                    f"{escape_html(block.names.get(kind, kind))}: {count}</label>"
                    for kind, count in kinds.items())
    search = '<input type="search" placeholder="search" aria-label="search questions">'
    head = write_row(list(map(escape_html, ["question", *block.heads])), "th")
    body = "".join(write_question(block, row) for row in block.rows)
    several = " several" * (len(block.heads) > 1)
    pictures = write_outcomes(block) if block.outcomes else ""
    return (f'<section class="questions{several}">{pictures}'
            f'<form class="controls" hidden>{boxes}{search}{write_orders(block)}</form>'
            f'<p class="note live"></p><div class="scroll" tabindex="0"><table>'
            f"<thead>{head}</thead>{body}</table></div></section>")


def write_orders(block: Questions) -> str:
    "A choice of orders, the one on the page first."
    loss = "largest loss first"
    if len(block.heads) == 2:
        loss = f"largest loss first ({block.heads[0]} minus {block.heads[1]})"
    orders = {"": "as listed", "-loss": loss, "share": "least often right first",
              "-share": "most often right first"}
    options = "".join(f'<option value="{value}">{escape_html(said)}</option>'
                      for value, said in orders.items())
    return f'<label>order <select aria-label="order of the questions">{options}</select></label>'


def write_outcomes(block: Questions) -> str:
    "Bars for each model, all to one scale."
    bars = [count_shares(c, n) for c, n in block.outcomes]
    most = max(max(one.counts) for one in bars)
    seen = f"Questions, by {bars_caption(bars)}"
    several, drawn = len(bars) > 1, []
    for i, (head, one) in enumerate(zip(block.heads, bars)):
        name, alt = (f"<b>{escape_html(head)}</b>", f"{head}: {seen}") if several else ("", seen)
        hue = f"c{block.colour(i) % 8}"
        drawn.append(f'<div class="{hue}">{name}{draw_shares(one, most, alt)}</div>')
    return (f'<figure class="shares"><figcaption>{seen}</figcaption>'
            f'<div class="strips">{"".join(drawn)}</div></figure>')


def bars_caption(bars: Sequence[Bars]) -> str:
    "What the bars of all models count."
    if not all(one.alike for one in bars): return "the share of their samples that is right"
    numbers = {one.steps for one in bars}
    many = f"{numbers.pop()} " if len(numbers) == 1 else ""
    return f"how many of their {many}samples are right"


def write_question(block: Questions, question: Question) -> str:
    cells = "".join(write_tries(block.colour(i), tries) for i, tries in enumerate(question.tries))
    name, wide = escape_html(question.name), len(question.tries) + 1
    said = write_samples(question.samples) if question.samples else ""
    below = f'<tr class="said"><td colspan="{wide}">{said}</td></tr>' * bool(said)
    return (f'<tbody data-kind="{question.kind}" data-share="{question.share:.6f}" '
            f'data-loss="{question.loss:.6f}"><tr><td>{name}</td>{cells}</tr>{below}</tbody>')


def write_tries(colour: int, tries: tuple[int, int] | None) -> str:
    "Right samples and samples as dots, or as a bar where they are many."
    if tries is None: return "<td></td>"
    c, n = tries
    form = "dots" if n <= MOST_DOTS else "bar"
    return (f'<td class="c{colour % 8}" data-order="{c / n if n else 0:.6f}"><span class="{form}" '
            f'style="--c:{c};--n:{n}"></span>{c} of {n}</td>')


# What samples say. All of it is text of a log: nothing of it is markup.

def write_samples(block: Samples) -> str:
    "Prompt and answers of a question, folded unless they are what the page is about."
    if not block.passages: return ""
    asked = f"<h3>Prompt</h3>{write_excerpt(block.prompt)}" if block.prompt else ""
    parts = "".join(map(write_passage, block.passages))
    shown = len(block.passages)
    many = f"{shown} of {block.total} samples" if (block.total or 0) > shown else \
        f"{shown} sample{'s' * (shown != 1)}"
    opened = " open" * block.opened
    return (f'<details class="samples"{opened}><summary>Prompt and answers: {many}</summary>'
            f"{asked}{parts}</details>")


def write_passage(one: Passage) -> str:
    "One sample: its outcome, whose it is, where it stands, and what it says."
    kind = {True: "right", False: "wrong"}.get(one.right, "open")  # type: ignore[arg-type]
    system = f" {escape_html(one.system)}" * bool(one.system)
    where = escape_html(one.where)
    if one.link: where = f'<a href="{escape_html(one.link)}">{where}</a>'
    asked = f"<p>Prompt</p>{write_excerpt(one.prompt)}" if one.prompt else ""
    told = write_excerpt(one.answer) if one.answer else '<p class="note">No answer.</p>'
    head = f"<p><b>{escape_html(one.outcome)}</b>{system} <small>{where}</small></p>"
    return f'<div class="sample {kind}">{head}{asked}{told}</div>'


def write_excerpt(text: Excerpt) -> str:
    "A text with its lines; what was cut from its middle is said there."
    cut = (f'<i class="cut">{text.left_out:,} characters left out</i>{write_lines(text.end)}'
           if text.left_out else "")
    return f"<pre>{write_lines(text.start)}{cut}</pre>"


def write_lines(text: str) -> str:
    "Text with its line breaks; other characters that move a cursor are shown as such."
    lines = text.replace("\r\n", "\n").expandtabs(4).split("\n")
    return "\n".join(map(escape_html, lines))


WRITERS: dict[type, Callable[[Any], str]] = {
    Headline: write_headline, Text: write_text, Code: write_code, Fold: write_fold,
    Table: write_titled, Grid: write_grid, Intervals: write_intervals, Curves: write_curves,
    Questions: write_questions, Samples: write_samples}
