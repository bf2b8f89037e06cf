"""Curves on one axis: intervals, names at the ends of the lines, and where one is better."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..extras import need
from .axis import find_limits, shorten_names, spread_labels
from .blocks import Curves, Series
from .format import level
from .palette import GREY, LIGHT, choose_style
from .plot import (LETTER, MISSING, label_budgets, open_axes, plain, plot_curve, text_size,
                   write_budgets, write_legend, write_title)

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["plot_curves"]


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
