"""Curves, intervals and bars as inline SVG, drawn without a plotting library."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, log, log10

import numpy as np

from .blocks import Curves, Intervals, Line, Series
from .drawing import (axis_limits, dash_array, is_geometric, pick_ticks, shape_path, shorten_names,
                      spread_labels)
from .text import escape_html

__all__ = ["draw_chart", "draw_line", "scale_ends", "Bars", "count_shares", "draw_shares"]

WIDE, HIGH = 560, 300  # Size of a chart, in units of the drawing
LEFT, RIGHT, TOP, BOTTOM = 44, 116, 12, 44  # Its margins; names of curves stand to the right
APART = 14  # Least distance between two names
DIGIT = 7  # Width of a digit
LETTERS_IN_NAME = 14  # Letters of a name there is room for
STRETCH = 36  # Height of a line of bars below the budgets, with its words
STRIP = 360  # Width of the bars of one model


@dataclass(frozen=True)
class Frame:
    "Where budgets and values stand in a chart."
    chart: Curves  # Curves that must fit

    @cached_property
    def limits(self) -> tuple[float, float]:
        "Values at the floor and at the top."
        values = self.chart.values
        # A difference is held against 0, which always has its line.
        if self.chart.zero: return axis_limits([*values, 0.])
        low, high = axis_limits(values)
        return max(low, 0.), min(high, 1.)

    @cached_property
    def places(self) -> dict[int, float]:
        "Each budget, evenly or by its logarithm."
        known = {k for one in self.chart.series for k in one.k}
        budgets = sorted(known | {k for k, *_ in self.chart.band})
        scale = [log(k) if is_geometric(budgets) else float(k) for k in budgets]
        width = scale[-1] - scale[0] or 1
        room = WIDE - LEFT - RIGHT
        return {k: LEFT + room * (at - scale[0]) / width for k, at in zip(budgets, scale)}

    def height(self, value: float) -> float:
        "How far below the upper edge a value stands."
        low, high = self.limits
        return TOP + (HIGH - TOP - BOTTOM) * (high - value) / (high - low)

    def list_lines(self) -> list[float]:
        "The values that have a grid line."
        low, high = self.limits
        step = grid_step(high - low, 6 if self.chart.zero else 5)
        return [step * i for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def grid_step(
    height: float,  # What an axis reaches over, above 0
    most: int = 5,  # Steps that it has at most
) -> float:  # 1, 2 or 5 times a power of ten
    "The distance of two grid lines."
    least = height / most * (1 - 1e-9)
    unit = 10. ** floor(log10(least))
    return next((part * unit for part in (1, 2, 5) if part * unit >= least), 10 * unit)


def draw_chart(chart: Curves) -> str:
    "Values over k with their ranges; every point can be focused and says its numbers."
    frame = Frame(chart)
    wanted = [frame.height(series.value[-1]) for series in chart.series]
    heights = spread_labels(wanted, APART, TOP, HIGH - BOTTOM + APART / 2)
    names = shorten_names([series.label for series in chart.series], LETTERS_IN_NAME)
    curves = [f'<g class="c{colour % 8}" data-series="{i}"{" hidden" * (not series.shown)}>'
              f"{draw_series(colour, series, frame, name, at)}</g>"
              for i, (colour, series, name, at)
              in enumerate(zip(chart.colours, chart.series, names, heights))]
    axes = draw_axes(frame, [say_line(chart, value) for value in frame.list_lines()])
    strips = draw_strips(chart, names, frame)
    marks = [*draw_band(frame), *draw_crossings(frame), *strips, *draw_zero(chart, frame)]
    tall = HIGH + STRETCH * len(strips)
    return (f'<svg viewBox="0 0 {WIDE} {tall}" role="group" aria-label="{escape_html(chart.alt)}">'
            f"{''.join([*axes, *marks, *curves])}</svg>")


def say_line(chart: Curves, value: float) -> str:
    "What stands beside a grid line: a share, or a difference with its sign."
    if not chart.zero: return f"{100 * value:.3g} %"
    return f"{(100 if chart.points else 1) * value:+.3g}" if value else "0"


def draw_axes(frame: Frame, said: Sequence[str]) -> list[str]:
    "Grid lines with their words, budgets below, and what k is."
    lines = []
    for value, text in zip(frame.list_lines(), said, strict=True):
        y = frame.height(value)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDE - RIGHT}"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    base = HIGH - BOTTOM + 18
    budgets, places = zip(*frame.places.items())
    for i in pick_ticks(budgets, places, [DIGIT * (len(str(k)) + 1) for k in budgets]):
        lines.append(f'<text x="{places[i]:.1f}" y="{base}" text-anchor="middle">{budgets[i]}'
                     "</text>")
    middle = (LEFT + WIDE - RIGHT) / 2
    lines.append(f'<text x="{middle}" y="{base + 20}" text-anchor="middle">'
                 f"{escape_html(frame.chart.across)}</text>")
    return lines


def draw_zero(chart: Curves, frame: Frame) -> list[str]:
    "The line at 0 and what it means; nothing in a chart of shares."
    if not chart.zero: return []
    y = frame.height(0.)
    return [f'<path class="upright" d="M{LEFT} {y:.1f}H{WIDE - RIGHT}"/>'
            f'<text x="{WIDE - RIGHT + 10}" y="{y + 4:.1f}">{escape_html(chart.zero)}</text>']


def draw_band(frame: Frame) -> list[str]:
    "A range behind the curves."
    if not frame.chart.band: return []
    k, low, high = zip(*frame.chart.band)
    xs = [frame.places[one] for one in k]
    there = trace(xs, list(map(frame.height, high)))
    back = trace(xs[::-1], list(map(frame.height, low))[::-1])
    return [f'<path class="crossing" d="{there}L{back[1:]}Z"/>']


def draw_crossings(frame: Frame) -> list[str]:
    "A ground where curves certainly cross."
    drawn = []
    for before, after in frame.chart.crossings:
        left, right = frame.places[before], frame.places[after]
        drawn.append(f'<rect class="crossing" x="{left:.1f}" y="{TOP}" '
                     f'width="{right - left:.1f}" height="{HIGH - BOTTOM - TOP}"/>')
    return drawn


def draw_strips(chart: Curves, names: Sequence[str], frame: Frame) -> list[str]:
    "Below the budgets who is better where, and where curves cross: bars above their words."
    short = replace(chart, series=[replace(one, label=name)
                                   for one, name in zip(chart.series, names)])
    drawn = []
    for line, (said, i) in enumerate(short.describe_stretches()):
        ends = [(one.k[0], one.k[-1]) for one in chart.stretches if one.series == i]
        if i is None: ends = chart.crossings
        kind = "gap" if i is None else f"c{chart.colours[i] % 8}"
        y = HIGH + STRETCH * line + 12
        drawn.append(f'<g class="stretch {kind}">{draw_strip(ends, said, frame, y)}</g>')
    return drawn


def draw_strip(ends: Sequence[tuple[int, int]], said: str, frame: Frame, y: int) -> str:
    "Bars from budget to budget, as wide as a dot at one of them, and words that stay inside."
    places = [(frame.places[first] - 4, frame.places[last] + 4) for first, last in ends]
    bars = "".join(f'<path d="M{left:.1f} {y}H{right:.1f}"/>' for left, right in places)
    start = max(LEFT - 4., min(places[0][0], WIDE - DIGIT * len(said)))
    return f'{bars}<text x="{start:.1f}" y="{y + 17}">{escape_html(said)}</text>'


def draw_shape(colour: int, x: float, y: float, more: str = "", inside: str = "") -> str:
    "The marker of a series around a point."
    path = shape_path(colour)
    if not path: return f'<circle{more} cx="{x:.1f}" cy="{y:.1f}" r="4">{inside}</circle>'
    return f'<path class="mark"{more} d="M{x:.1f} {y:.1f}{path}">{inside}</path>'


def draw_series(colour: int, series: Series, frame: Frame, name: str, at: float) -> str:
    "One curve: its range, its line, its points and its name."
    xs = [frame.places[k] for k in series.k]
    ys = list(map(frame.height, series.value))
    parts = [draw_range(series, xs, frame),
             f'<path class="line" d="{trace(xs, ys)}"{dash_array(colour)}/>']
    parts += [draw_point(colour, said, x, y) for said, x, y in zip(series.said, xs, ys)]
    # A difference is named by the title, and beside it stands what 0 means.
    if not frame.chart.zero:
        right = WIDE - RIGHT + 10
        parts.append(f'<text class="name" x="{right}" y="{at + 4:.1f}">{escape_html(name)}</text>')
    return "".join(parts)


def draw_range(series: Series, xs: Sequence[float], frame: Frame) -> str:
    "Intervals of a series as an area."
    known = [(x, frame.height(low), frame.height(high))
             for x, low, high in zip(xs, series.low, series.high)
             if low is not None and high is not None]
    if len(known) < 2: return ""
    x, low, high = map(list, zip(*known))
    there, back = trace(x, high), trace(x[::-1], low[::-1])
    return f'<path class="range" d="{there}L{back[1:]}Z"/>'


def trace(xs: Sequence[float], ys: Sequence[float]) -> str:
    "A path through points."
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(xs, ys))


def draw_point(colour: int, said: str, x: float, y: float) -> str:
    "A point that says its number."
    text = escape_html(said)
    more = f' tabindex="0" role="img" aria-label="{text}" data-say="{text}"'
    return draw_shape(colour, x, y, more, f"<title>{text}</title>")


def draw_line(
    line: Line,  # An estimate with its interval
    scale: tuple[float, float],  # Ends of the scale
    zero: bool = False,  # Whether 0 has an upright line
) -> str:  # One SVG element
    "An interval as a bar and its estimate as a dot on a scale, with what they are held against."
    least, most = scale
    width = most - least or 1.

    def place(number: float) -> float: return 8 + 384 * (number - least) / width

    parts = ['<path class="grid" d="M8 14H392"/>']
    if line.low is not None and line.high is not None:
        left, right = place(line.low), place(line.high)
        parts.append(f'<rect class="range" x="{left:.1f}" y="8" '
                     f'width="{max(right - left, 2):.1f}" height="12" rx="5"/>')
    if zero: parts.append(f'<path class="upright" d="M{place(0.):.1f} 1V27"/>')
    if line.limit is not None:
        parts.append(f'<path class="limit" d="M{place(line.limit):.1f} 1V27"/>')
    parts.append(f'<circle cx="{place(line.value):.1f}" cy="14" r="6"/>')
    return f'<svg class="line" viewBox="0 0 400 28" aria-hidden="true">{"".join(parts)}</svg>'


def scale_ends(block: Intervals) -> tuple[float, float]:
    "The ends of a scale that holds all numbers of a block, and 0 where it has a line."
    if block.scale is not None: return block.scale
    known = [number for line in block.lines
             for number in (line.value, line.low, line.high, line.limit) if number is not None]
    known += [0.] * bool(block.zero)
    return min(known), max(known)


@dataclass(frozen=True)
class Bars:
    "Questions by how many of their samples are right."
    counts: Sequence[int]  # Questions of each bar
    steps: int  # Samples of each question, or parts of the range from 0 to 1
    alike: bool  # Whether each bar is one number of right samples


def count_shares(
    c: np.ndarray,  # Right samples per question, shape `(Q,)`
    n: np.ndarray,  # Samples per question
) -> Bars:  # One bar for each number of right samples where there are few, ten for shares otherwise
    "How many questions are solved how often."
    alike = len(np.unique(n)) == 1 and n[0] <= 20
    steps = int(n[0]) if alike else 10
    place = np.rint(c / n * steps) if alike else np.minimum(np.floor(c / n * steps), steps - 1)
    return Bars(np.bincount(place.astype(int), minlength=steps + alike).tolist(), steps, alike)


def draw_shares(
    bars: Bars,  # Questions of one model
    most: int,  # Questions of the longest bar of all models
    alt: str,  # What is seen, for readers who do not see
) -> str:  # One SVG element
    "Bars from never to always right, the sum of which is the number of questions."
    room = (STRIP - 8) / len(bars.counts)
    drawn = [draw_bar(4 + room * i, room, count, most) for i, count in enumerate(bars.counts)]
    names = name_edges(room) if not bars.alike else [
        name_place(4 + room * (i + .5), name_bar(i, bars)) for i in range(len(bars.counts))]
    return (f'<svg viewBox="0 0 {STRIP} 158" role="img" aria-label="{escape_html(alt)}">'
            f"{''.join([*drawn, *names])}</svg>")


def name_bar(i: int, bars: Bars) -> str: return f"{i} of {bars.steps}" if bars.steps < 8 else str(i)


def name_edges(room: float) -> list[str]:
    "Every second of the shares between ten bars."
    return [name_place(4 + room * i, f"{10 * i}&#160;%") for i in range(0, 11, 2)]


def name_place(x: float, name: str) -> str:
    sides = {True: "start"} if x < 10 else {x > STRIP - 10: "end"}
    return f'<text x="{x:.1f}" y="152" text-anchor="{sides.get(True, "middle")}">{name}</text>'


def draw_bar(x: float, room: float, count: int, most: int) -> str:
    tall = 112 * count / most
    return (f'<rect x="{x + room * .1:.1f}" y="{134 - tall:.1f}" width="{room * .8:.1f}" '
            f'height="{tall:.1f}"/><text x="{x + room / 2:.1f}" y="{129 - tall:.1f}" '
            f'text-anchor="middle">{count}</text>')
