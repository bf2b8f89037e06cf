"""Curves on one axis: bands, names at the ends of the lines, and where one is certainly ahead."""
from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from ..extras import need
from .numbers import percent
from .palette import GREY, LIGHT, choose_style
from .parts import Chart, Series, Stretch
from .placing import spread_labels
from .plot import (LETTER, escape_text, label_budgets, open_axes, plain, plot_curve,
                   write_budgets, write_title)
from .stretches import find_crossings, say_stretches

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["plot_chart"]

MISSING = "between full and hollow markers: missing samples counted wrong or right"


def plot_chart(
    chart: Chart,  # Curves over the budgets
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw curves with their intervals, named at their ends, and mark where one is certainly
    ahead.

    Raises: `ValueError` for Axes and a size, and for an unknown size.
    """
    with open_axes(ax, size, 1 + 2 * bool(chart.stretches) + len(chart.stretches)) as ax:
        faint = len(chart.series) > 3
        for i, series in enumerate(chart.series): draw_series(ax, i, series, faint)
        budgets = sorted({k for series in chart.series for k in series.k})
        ax.set(ylim=find_limits(chart.series), ylabel=plain(chart.label))
        label_budgets(ax, budgets)
        mark_stretches(ax, chart.stretches)
        explain_marks(ax, chart)
        write_title(ax, chart.title)
        name_lines(ax, chart.series)
        write_budgets(ax, np.array(budgets))
    return ax


def draw_series(ax: Axes, i: int, series: Series, faint: bool = False) -> None:
    "One curve with its intervals; two where missing samples leave two."
    low, high = (np.array(end, float) for end in (series.low, series.high))
    style = choose_style(i)
    plot_curve(series.k, series.value, ax=ax, series=i)
    ax.fill_between(series.k, low, high, color=style["color"], alpha=.06 if faint else .12, lw=0)
    for end in low, high: ax.plot(series.k, end, color=style["color"], lw=.4, alpha=.6)
    if not series.upper: return
    ax.plot(series.k, series.upper, mfc="white", **style)
    ax.fill_between(series.k, series.value, series.upper, color=style["color"], alpha=.3, lw=0)


def find_limits(several: Sequence[Series]) -> tuple[float, float]:
    "The whole range of shares where curves fill most of it, else the part they fill."
    values = np.array([value for series in several for name in ("value", "low", "high", "upper")
                       for value in getattr(series, name) if value is not None], float)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    shares = 0 <= low and high <= 1
    if shares and high - low > .75: return -.02, 1.02
    pad = .06 * (high - low) or .05
    if not shares: return low - pad, high + pad
    return max(low - pad, -.02), min(high + pad, 1.02)


# Stretches.

def mark_stretches(ax: Axes, stretches: Sequence[Stretch]) -> None:
    "Bars on the axis with the marker of the better curve, and a grey ground where curves cross."
    across = ax.get_xaxis_transform()
    for one in stretches:
        style = choose_style(one.series)
        ends = [one.k[0], one.k[-1]]
        ax.plot(ends, [0, 0], color=style["color"], lw=4, solid_capstyle="butt", alpha=.55,
                transform=across, clip_on=False, zorder=4)
        ax.plot(ends, [0, 0], ls="", marker=style["marker"], color=style["color"], ms=5,
                transform=across, clip_on=False, zorder=5)
    for before, after in find_crossings(stretches):
        ax.axvspan(before, after, color=GREY, alpha=.12, lw=0, zorder=0)


def explain_marks(ax: Axes, chart: Chart) -> None:
    "What shades, bars and ground mean, below the axis."
    Line: Any = need("matplotlib.lines", "plot").Line2D
    Patch: Any = need("matplotlib.patches", "plot").Patch
    entries: list[tuple[Any, str]] = []
    if any(series.upper for series in chart.series):
        entries.append((Line([], [], color=GREY, marker="o", mfc="white"), MISSING))
    for said, i in say_stretches(chart):
        if i is None: handle = Patch(color=GREY, alpha=.12, lw=0)
        else: handle = Line([], [], lw=4, ms=5, alpha=.8, **choose_style(i) | dict(ls="-"))
        entries.append((handle, said))
    if any(end is not None for series in chart.series for end in series.low):
        said = f"{percent(chart.level)} % interval at each k"
        if chart.stretches: said += f"; bars: {percent(chart.level)} % for all k at once"
        entries.append((Patch(color=GREY, alpha=.3, lw=0), said))
    if entries: place_legend(ax, *zip(*entries))


def place_legend(ax: Axes, handles: Sequence[Any], texts: Sequence[str]) -> None:
    "Lines of text below the axis, as long as the figure is wide."
    offset_copy: Any = need("matplotlib.transforms", "plot").offset_copy
    points = ax.xaxis.label.get_size()
    figure = ax.get_figure()
    room = 72 * ax.get_window_extent().width / figure.dpi
    letters = max(24, int(room / (LETTER * points)) - 2)
    lines = ["\n".join(map(escape_text, wrap(text, letters))) for text in texts]
    below = offset_copy(ax.transAxes, figure, y=-3.9 * points, units="points")
    ax.legend(handles, lines, loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=below,
              borderaxespad=0, borderpad=0, handlelength=1.6, labelspacing=.3, frameon=False,
              fontsize=points)


# Names.

def name_lines(ax: Axes, several: Sequence[Series]) -> None:
    "Names in the colour of their lines, to the right, moved apart where lines end together."
    points = ax.xaxis.label.get_size()
    figure = ax.figure.canvas.figure  # The whole figure, where the Axes stand in a part of it
    letters = int(.36 * 72 * figure.get_size_inches()[0] / (LETTER * points))
    names = shorten_names([series.label for series in several], letters)
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
    far = 72 * right / ax.get_figure().dpi
    moved = abs(up) > .4 * points or far > 2 * points
    arrow = dict(arrowstyle="-", color=colour, lw=.5, shrinkA=0, shrinkB=3,
                 relpos=(0, .5)) if moved else None
    return ax.annotate(plain(name), end, (far + .8 * points, up), textcoords="offset points",
                       va="center", color=colour, fontsize=points, annotation_clip=False,
                       arrowprops=arrow)


def shorten_names(names: Sequence[str], letters: int) -> list[str]:
    "Names with their middle left out where they are long, unless two would become one."
    most = max(letters, 10)
    short = [name if len(name) <= most else f"{name[:most // 2]}…{name[-(most - 1) // 2 + 1:]}"
             for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)
