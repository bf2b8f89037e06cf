"""Figures of curves over k: of systems, and of their difference."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TYPE_CHECKING

import numpy as np

from ..extras import need
from ..results.analysis import Sign
from ..results.base import Unit
from ..results.comparison import Difference, PairwiseComparison, SystemCurve
from ..results.rows import name_family
from .blocks import Block, Curves, Intervals, Line, Series, Stretch, Verdict
from .drawing import GREY, LIGHT, choose_style, find_limits, shorten_names, spread_labels
from .format import count, difference, difference_interval, interval, level, value
from .plot import (LETTER, MISSING, label_budgets, open_axes, plain, plot_curve, plot_difference,
                   plot_forest, text_size, write_budgets, write_legend, write_title)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_curves", "draw_systems", "draw_result", "draw_difference", "find_crossings",
           "plot"]


# Curves


def plot_curves(
    chart: Curves,  # Curves over the budgets
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw curves with their intervals, named at their ends, and mark where one is significantly
    better.

    Raises: `ValueError` for Axes and a size, and for an unknown size.
    """
    with open_axes(ax, size, count_lines(chart)) as ax:
        for i, series in enumerate(chart.series): draw_series(ax, i, series, len(chart.series))
        budgets = sorted({k for series in chart.series for k in series.k})
        ax.set(ylim=find_limits(chart.values), ylabel=plain(chart.label))
        label_budgets(ax, budgets)
        mark_stretches(ax, chart)
        explain_marks(ax, chart)
        write_title(ax, chart.title)
        name_lines(ax, chart.series)
        write_budgets(ax, np.array(budgets))
    return ax


def count_lines(chart: Curves) -> int:
    "Lines of text that need room beyond the usual: what marks mean, and many names."
    marks = 2 * bool(chart.stretches) + len(chart.stretches)
    return 1 + marks + max(0, len(chart.series) - 6)


def draw_series(ax: Axes, i: int, series: Series, several: int) -> None:
    "One curve with its intervals, the fainter the more there are; two where samples are missing."
    style = choose_style(i)
    colour = style["color"]
    low, high = (np.array(end, float) for end in (series.low, series.high))
    plot_curve(series.k, series.value, ax=ax, series=i)
    ax.fill_between(series.k, low, high, color=colour, alpha=.4 / max(3, several), lw=0)
    if several <= 6:
        for end in low, high: ax.plot(series.k, end, color=colour, lw=.4, alpha=.6)
    if not series.upper: return
    ax.plot(series.k, series.upper, mfc="white", **style)
    ax.fill_between(series.k, series.value, series.upper, color=colour, alpha=.3, lw=0)


# Stretches.

def mark_stretches(ax: Axes, chart: Curves) -> None:
    "Bars on the axis with the marker of the better curve, and a grey ground where curves cross."
    across = ax.get_xaxis_transform()
    for one in chart.stretches:
        style = choose_style(one.series)
        ends = [one.k[0], one.k[-1]]
        ax.plot(ends, [0, 0], color=style["color"], lw=4, solid_capstyle="butt", alpha=.55,
                transform=across, clip_on=False, zorder=4)
        ax.plot(ends, [0, 0], ls="", marker=style["marker"], color=style["color"], ms=5,
                transform=across, clip_on=False, zorder=5)
    for before, after in chart.crossings:
        ax.axvspan(before, after, color=GREY, alpha=.12, lw=0, zorder=0)


def explain_marks(ax: Axes, chart: Curves) -> None:
    "What shades, bars and ground mean, below the axis."
    Line: Any = need("matplotlib.lines", "plot").Line2D
    Patch: Any = need("matplotlib.patches", "plot").Patch
    entries: list[tuple[Any, str]] = []
    for said, i in chart.describe_stretches():
        if i is None: handle = Patch(color=GREY, alpha=.12, lw=0)
        else: handle = Line([], [], lw=4, ms=5, alpha=.8, **choose_style(i) | dict(ls="-"))
        entries.append((handle, said))
    if any(series.upper for series in chart.series):
        entries.append((Line([], [], color=GREY, marker="o", mfc="white"), MISSING))
    if any(end is not None for series in chart.series for end in series.low):
        said = f"shades: {level(chart.level)} CI at each k"
        if chart.stretches: said += "; bars: significant in the simultaneous band"
        entries.append((Patch(color=GREY, alpha=.3, lw=0), said))
    write_legend(ax, entries)


# Names.

def name_lines(ax: Axes, several: Sequence[Series]) -> None:
    "Names in the colour of their lines, to the right, moved apart where lines end together."
    points = text_size(ax)
    figure = ax.figure.canvas.figure  # The whole figure, where the Axes stand in a part of it
    letters = int(.36 * 72 * figure.get_size_inches()[0] / (LETTER * points))
    names = shorten_names([series.label for series in several], max(letters, 10))
    ends = [find_end(series) for series in several]
    labels = [write_name(ax, i, name, end, points)
              for i, (name, end) in enumerate(zip(names, ends))]
    # The layout is settled first: the height of the Axes decides how far names must move.
    figure.draw_without_rendering()
    pixel = 72 / figure.dpi
    heights = [ax.transData.transform(end)[1] * pixel for end in ends]
    box = ax.get_window_extent()
    placed = spread_labels(heights, 1.15 * points, box.y0 * pixel, box.y1 * pixel)
    for label in labels: label.remove()
    for i, (name, end, at, wanted) in enumerate(zip(names, ends, placed, heights)):
        write_name(ax, i, name, end, points, at - wanted)


def find_end(series: Series) -> tuple[float, float]:
    "Where a curve ends; between both where missing samples leave two."
    value = series.value[-1]
    return series.k[-1], (value + series.upper[-1]) / 2 if series.upper else value


def write_name(
    ax: Axes, i: int, name: str, end: tuple[float, float], points: float, up: float = 0.,
) -> Any:
    "A name beside the end of its line, with a thin line to it where it had to move."
    colour = LIGHT[i % len(LIGHT)]
    right = ax.transAxes.transform((1, 0))[0] - ax.transData.transform(end)[0]
    far = 72 * right / ax.figure.dpi
    moved = abs(up) > .4 * points or far > 2 * points
    arrow = dict(arrowstyle="-", color=colour, lw=.5, shrinkA=0, shrinkB=3,
                 relpos=(0, .5)) if moved else None
    return ax.annotate(plain(name), end, (far + .8 * points, up), textcoords="offset points",
                       va="center", color=colour, fontsize=points, annotation_clip=False,
                       arrowprops=arrow)


# Figures of a comparison


def draw_systems(
    sides: Sequence[SystemCurve],  # Systems over the same budgets
    metric: str,  # Name of the metric at one of them
    unit: Unit,  # Of the metric
    caption: str,  # What is compared, on how many questions
    confidence_level: float,  # Level of the intervals
    found: Sequence[Stretch] = (),  # Where one of two is significantly above the other
) -> Curves:
    "Systems over the budgets with their intervals."
    label = name_family(metric)
    return Curves([make_series(side, unit) for side in sides],
                  f"{label} of {count(len(sides), 'system')} over k with intervals", caption, label,
                  found, confidence_level)


def make_series(side: SystemCurve, unit: Unit) -> Series:
    "A system over the budgets, each point in words."
    points = zip(side.k, side.estimate, side.low, side.high)
    said = [f"{side.name}, k = {k}: {value(mean, unit)} ({interval(low, high, unit)})"
            for k, mean, low, high in points]
    return Series(side.name, "", [k or 0 for k in side.k], side.estimate, side.low, side.high, said)


def find_ranges(result: PairwiseComparison) -> list[Stretch]:
    "Runs of neighbouring budgets at which the band is on one side of zero."
    curve = result.curve
    if curve is None: return []
    sides = np.where(curve.low > 0, 1, np.where(curve.high < 0, 0, -1))
    starts = np.flatnonzero(np.diff(sides)) + 1
    runs = zip(np.split(curve.k, starts), np.split(sides, starts))
    return [Stretch(k.tolist(), int(side[0])) for k, side in runs if side[0] >= 0]


def find_crossings(
    result: PairwiseComparison,  # Two systems compared
) -> list[tuple[int, int]]:  # Last budget before each crossing, and first one after it
    "Between which budgets the curves cross, by the simultaneous band."
    return Curves([], "", stretches=find_ranges(result)).crossings


def draw_curves(result: PairwiseComparison) -> Curves | None:
    "Both systems over the budgets, with the ranges of the band; None at one budget."
    if result.curve is None or result.sides is None: return None
    row = result.rows[0]
    return draw_systems(result.sides, row.metric, row.unit, caption(result),
                        result.confidence_level, find_ranges(result))


def caption(result: PairwiseComparison) -> str:
    return f"{result.heading} ({count(result.rows[0].questions, 'question')})"


def draw_result(
    result: PairwiseComparison,  # Two systems compared
) -> list[Block]:
    "The curves of both systems where values are shares of 1, else the differences."
    curves = draw_curves(result)
    if curves is None: return draw_intervals(result)
    return [curves] if all(0 <= one <= 1 for one in curves.values) else []


def draw_intervals(result: PairwiseComparison) -> list[Block]:
    "The difference in each metric against 0; scores of different scales on lines of their own."
    known = [row for row in result.rows if row.span()[0] is not None]
    shares = [row for row in known if row.unit == "share"]
    groups = [shares] * bool(shares) + [[row] for row in known if row.unit == "score"]
    a, b = result.names
    return [Intervals([make_line(row) for row in rows], f"{b} minus {a} with intervals",
                      zero="no difference") for rows in groups]


def make_line(row: Difference) -> Line:
    low, high = row.span()
    verdicts: dict[Sign, Verdict] = dict(better="better", worse="worse",
                                         inconclusive="inconclusive")
    ends = f"{level(row.confidence_level)} CI {difference_interval(low, high, row.unit)}"
    return Line(row.metric, difference(row.difference, row.unit), row.difference, low, high, ends,
                verdict=verdicts.get(row.verdict, ""))


def draw_difference(
    result: PairwiseComparison,  # Two systems compared
) -> list[Block]:
    "B minus A over the budgets against 0; nothing at one budget."
    if result.curve is None: return []
    (a, b), rows, unit = result.names, result.rows, result.rows[0].unit
    low, high = zip(*(row.span() for row in rows))
    said = [f"k = {row.k}: {difference(row.difference, unit)} "
            f"({difference_interval(*row.span(), unit)})" for row in rows]
    series = Series(f"{b} minus {a}", "", [row.k or 0 for row in rows],
                    [row.difference for row in rows], low, high, said)
    label = name_family(rows[0].metric)
    chart = Curves([series], f"{label}: {b} minus {a} over k with intervals", label=label,
                   level=result.confidence_level, zero="no difference", points=unit == "share")
    return [chart]


def plot(
    result: PairwiseComparison,  # Two systems compared
    what: str = "curves",  # `curves` of both systems, or their `difference`
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw both systems over the budgets, with the ranges in which one is significantly ahead; or
    their difference, which is all there is to draw at one budget.

    Raises: `ValueError` for another word, for Axes and a size, and for an unknown size.
    """
    if what not in ("curves", "difference"):
        raise ValueError(f"what must be 'curves' or 'difference', got {what!r}")
    curves = draw_curves(result) if what == "curves" else None
    if curves is not None: return plot_curves(curves, ax=ax, size=size)
    lines, rows = (0, len(result.rows)) if result.curve is None else (4, 0)
    with open_axes(ax, size, lines, rows) as ax:
        plot_differences(result, ax)
        return write_title(ax, caption(result))


def plot_differences(result: PairwiseComparison, ax: Axes) -> None:
    "The difference curve with its bands, or the rows one below the other without a curve."
    rows, curve = result.rows, result.curve
    low, high = np.array([row.span() for row in rows], float).T
    if curve is None:
        values = [row.difference for row in rows], low, high
        plot_forest([row.metric for row in rows], *values, ax=ax, label="B - A")
        return
    bands = (low, high), (curve.low, curve.high)
    plot_difference(curve.k, curve.difference, *bands, ax=ax, label="B - A",
                    level=result.confidence_level)
