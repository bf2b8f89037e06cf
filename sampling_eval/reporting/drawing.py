"""Curves, bars and interval marks as inline SVG, drawn without a plotting library."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, log

from ..report.axis import find_limits, is_geometric, shorten_names, spread_labels
from ..report.palette import dash_array
from ..report.svg import (APART, BOTTOM, DIGIT, HIGH, LEFT, LETTERS, RIGHT, STRETCH, TOP, WIDE,
                          draw_axes, draw_point, draw_range, draw_strip, find_step, trace)
from ..report.text import escape_html
from .parts import Chart, Ruler, Series, Stretch, list_values
from .stretches import find_crossings, say_stretches

__all__ = ["draw_chart", "draw_span", "draw_ruler"]


@dataclass(frozen=True)
class Frame:
    "Where budgets and values stand in a chart."
    series: Sequence[Series]  # Curves that must fit
    differences: bool = False  # Whether values are differences, else shares

    @cached_property
    def limits(self) -> tuple[float, float]:
        "Values at the floor and at the top."
        values = list_values(self.series)
        # A difference is held against 0, which always has its line.
        if self.differences: return find_limits([*values, 0.])
        low, high = find_limits(values)
        return max(low, 0.), min(high, 1.)

    @cached_property
    def places(self) -> dict[int, float]:
        "Each budget, evenly or by its logarithm."
        budgets = sorted({k for one in self.series for k in one.k})
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
        step = find_step(high - low, 6 if self.differences else 5)
        return [step * i for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def draw_chart(
    chart: Chart,  # Curves over the budgets
) -> str:  # One SVG element
    "Values over k with their ranges; every point can be focused and says its numbers."
    frame = Frame(chart.series, bool(chart.zero))
    wanted = [frame.height(series.value[-1]) for series in chart.series]
    heights = spread_labels(wanted, APART, TOP, HIGH - BOTTOM + APART / 2)
    names = shorten_names([series.label for series in chart.series], LETTERS)
    curves = [f'<g class="c{colour % 8}" data-series="{i}"{" hidden" * (not series.shown)}>'
              f"{draw_series(colour, series, frame, name, at)}</g>"
              for i, (colour, series, name, at)
              in enumerate(zip(chart.colours, chart.series, names, heights))]
    axes = draw_axes(frame, [say_line(chart, value) for value in frame.list_lines()])
    strips = draw_strips(chart, names, frame)
    marks = [*draw_crossings(chart.stretches, frame), *strips, *draw_zero(chart, frame)]
    tall = HIGH + STRETCH * len(strips)
    return (f'<svg viewBox="0 0 {WIDE} {tall}" role="group" aria-label="{escape_html(chart.alt)}">'
            f"{''.join([*axes, *marks, *curves])}</svg>")


def say_line(chart: Chart, value: float) -> str:
    "What stands beside a grid line: a share, or a difference with its sign."
    if not chart.zero: return f"{100 * value:.3g} %"
    return f"{(100 if chart.points else 1) * value:+.3g}" if value else "0"


def draw_zero(chart: Chart, frame: Frame) -> list[str]:
    "The line at 0 and what it means; nothing in a chart of shares."
    if not chart.zero: return []
    y = frame.height(0.)
    return [f'<path class="upright" d="M{LEFT} {y:.1f}H{WIDE - RIGHT}"/>'
            f'<text x="{WIDE - RIGHT + 10}" y="{y + 4:.1f}">{escape_html(chart.zero)}</text>']


def draw_crossings(stretches: Sequence[Stretch], frame: Frame) -> list[str]:
    "A ground where curves certainly cross."
    drawn = []
    for before, after in find_crossings(stretches):
        left, right = frame.places[before], frame.places[after]
        drawn.append(f'<rect class="crossing" x="{left:.1f}" y="{TOP}" '
                     f'width="{right - left:.1f}" height="{HIGH - BOTTOM - TOP}"/>')
    return drawn


def draw_strips(chart: Chart, names: Sequence[str], frame: Frame) -> list[str]:
    "Below the budgets who is better where, and where curves cross: bars above their words."
    short = replace(chart, series=[replace(one, label=name)
                                   for one, name in zip(chart.series, names)])
    drawn = []
    for line, (said, i) in enumerate(say_stretches(short)):
        ends = [(one.k[0], one.k[-1]) for one in chart.stretches if one.series == i]
        if i is None: ends = find_crossings(chart.stretches)
        kind = "gap" if i is None else f"c{chart.colours[i] % 8}"
        y = HIGH + STRETCH * line + 12
        drawn.append(f'<g class="stretch {kind}">{draw_strip(ends, said, frame, y)}</g>')
    return drawn


def draw_series(colour: int, series: Series, frame: Frame, name: str, at: float) -> str:
    "One curve: its range, its line, its points and its name."
    xs = [frame.places[k] for k in series.k]
    ys = list(map(frame.height, series.value))
    parts = [draw_range(series, xs, frame),
             f'<path class="line" d="{trace(xs, ys)}"{dash_array(colour)}/>']
    parts += [draw_point(colour, said, x, y) for said, x, y in zip(series.said, xs, ys)]
    # A difference is named by the title, and beside it stands what 0 means.
    if not frame.differences:
        right = WIDE - RIGHT + 10
        parts.append(f'<text class="name" x="{right}" y="{at + 4:.1f}">{escape_html(name)}</text>')
    return "".join(parts)


def draw_span(
    value: float,  # Estimate in [0, 1]
    low: float | None,  # Lower end of its interval; None without one
    high: float | None,  # Upper end
) -> str:  # One SVG element
    "An estimate as a dot on a line from 0 to 100 %, its interval as a bar."
    bar = ""
    if low is not None and high is not None:
        bar = (f'<rect class="range" x="{4 + 392 * low:.1f}" y="5" '
               f'width="{max(392 * (high - low), 2):.1f}" height="8" rx="4"/>')
    ends = ('<text class="end" x="4" y="28">0&#160;%</text>'
            '<text class="end" x="396" y="28" text-anchor="end">100&#160;%</text>')
    return ('<svg class="span" viewBox="0 0 400 30" aria-hidden="true"><path class="grid" '
            f'd="M4 9H396M4 4V14M396 4V14"/>{bar}<circle cx="{4 + 392 * value:.1f}" cy="9" r="6"/>'
            f"{ends}</svg>")


def draw_ruler(
    ruler: Ruler,  # A number with its interval, and what it is held against
) -> str:  # One SVG element
    "The interval as a bar, the number as a dot, and upright lines at the mark and at 0."
    known = [ruler.low, ruler.high, ruler.value, ruler.mark, *[0.] * bool(ruler.zero)]
    least, most = ruler.scale or (min(known), max(known))
    width = most - least or 1.

    def place(value: float) -> float: return 20 + 360 * (value - least) / width

    left, right, at = map(place, (ruler.low, ruler.high, ruler.value))
    ends = draw_ends(ruler.ends, (left, at, right))
    below = 60 + 16 * bool(ends)
    zero = draw_mark(place(0.), ruler.zero, below) if ruler.zero and ruler.mark else ""
    tall = 50 + 16 * (bool(ends) + bool(zero))
    return (f'<svg class="span c0" viewBox="0 0 400 {tall}" role="img" '
            f'aria-label="{escape_html(ruler.seen)}"><path class="grid" d="M4 33H396"/>'
            f'<rect class="range" x="{left:.1f}" y="27" width="{max(right - left, 2):.1f}" '
            f'height="12" rx="5"/>{draw_mark(place(ruler.mark), ruler.said, 12)}{zero}{ends}'
            f'<circle cx="{at:.1f}" cy="33" r="6"/></svg>')


def draw_ends(said: Sequence[str], places: Sequence[float]) -> str:
    "The ends of a bar and its dot in numbers, which never touch; none where they are not given."
    if not said: return ""
    room = DIGIT * (max(map(len, said)) + 1)
    xs = spread_labels(places, room, room / 2, 400 - room / 2)
    return "".join(f'<text x="{x:.1f}" y="60" text-anchor="middle">{escape_html(text)}</text>'
                   for x, text in zip(xs, said))


def draw_mark(x: float, said: str, y: int) -> str:
    "An upright line and its words, which stay inside the drawing."
    sides = [x < 100, x > 300]
    anchor = ["start", "end"][sides.index(True)] if any(sides) else "middle"
    return (f'<path class="upright" d="M{x:.1f} 17V48"/><text x="{x:.1f}" y="{y}" '
            f'text-anchor="{anchor}">{escape_html(said)}</text>')
