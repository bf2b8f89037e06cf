"""Figures of Matplotlib: Axes in, Axes out.

Numbers are computed elsewhere. Each function draws on the Axes it is given, makes one only if
there is none, and returns it; `open_axes` makes them for the size of a figure on paper.
`plot_curves` draws the curves of a page, with names at their ends.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..extras import need
from .blocks import Curves, Series
from .drawing import (GREY, INK, LIGHT, axis_limits, choose_style, is_geometric, pick_ticks,
                      shorten_names, spread_labels)
from .format import level as describe_level

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["PAPER", "escape_text", "plain", "measure_width", "axes", "open_axes",
           "label_budgets", "write_budgets", "text_size", "write_title", "write_legend",
           "LETTER", "MISSING", "plot_curve", "plot_intervals", "plot_forest", "plot_difference",
           "plot_power", "plot_extrapolation", "plot_curves"]

Arrays: TypeAlias = tuple[ArrayLike, ...]

LETTER = .52  # Mean width of a letter in heights of the text
MISSING = "between full and hollow markers: missing samples counted wrong or right"
SIZES = dict(column=3.25, page=6.75)  # Widths in inches
# How a figure of a given size looks: text of 8 points, thin lines, no box.
PAPER: dict[str, Any] = {
    **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize", "xtick.labelsize",
                     "ytick.labelsize", "legend.fontsize"), 8),
    "axes.linewidth": .6, "lines.linewidth": 1.2, "lines.markersize": 4,
    "xtick.major.width": .6, "ytick.major.width": .6, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True, "grid.color": "#808080",
    "grid.alpha": .25, "grid.linewidth": .5, "legend.frameon": False,
    # Text stays text, and the names of parts are the same on each run.
    "svg.fonttype": "none", "svg.hashsalt": "sampling_eval"}


def escape_text(text: str) -> str:
    "A text for Matplotlib without formulas and characters that have no form."
    return "".join(o if o.isprintable() else "\ufffd" for o in text).replace("$", r"\$")


def plain(name: object) -> str:
    "A name as literal text of at most 60 characters, for titles, labels and legends."
    text = str(name)
    if len(text) > 60: text = text[:40] + "..." + text[-17:]
    # A leading underscore hides a name from a legend.
    return "\u200b" * text.startswith("_") + escape_text(text)


def measure_width(
    size: str | float,  # `column`, `page`, or a width in inches
) -> float:  # Width in inches
    """The width of a figure.

    Raises: `ValueError` for another word, or a width below 1 or above 40.
    """
    if isinstance(size, str) and size in SIZES: return SIZES[size]
    try: width = float(size)
    except ValueError: width = 0.
    if 1 <= width <= 40: return width
    raise OptionError("size", must="be 'column', 'page' or a width from 1 to 40 inches", got=size)


def axes(
    ax: Axes | None = None,  # Matplotlib Axes to draw on
    high: float = 3.2,  # Height of new ones in inches
) -> Axes:  # The same, or new ones 6 inches wide
    "The given Axes, or new ones."
    if ax is not None: return ax
    plt: Any = need("matplotlib.pyplot", "plot")
    return plt.subplots(figsize=(6, high), layout="constrained")[1]


@contextmanager
def open_axes(
    ax: Axes | None = None,  # Matplotlib Axes to draw on
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new ones
    lines: float = 0,  # Lines of text that need room of their own
    rows: int = 0,  # Rows of a figure that is as high as its rows; 0 for the usual height
) -> Iterator[Axes]:  # The same, or new ones
    """The given Axes or new ones in the style of the caller, or new ones of a size for paper in
    a style of their own, which holds inside the `with` block.

    Raises: `ValueError` for Axes and a size, and for an unknown size.
    """
    if size is None:
        yield axes(ax, .18 * (7 + 1.6 * rows + lines) if rows else 3.2 + .18 * lines)
        return
    if ax is not None:
        raise ValueError("ax and size exclude each other: the Axes have a size; leave one out")
    width = measure_width(size)
    matplotlib: Any = need("matplotlib", "plot")
    plt: Any = need("matplotlib.pyplot", "plot")
    with matplotlib.rc_context(PAPER):
        high = .14 * lines + (.14 * (7 + 1.6 * rows) if rows else min(.62 * width, 2.8))
        made = plt.subplots(figsize=(width, high), layout="constrained")[1]
        # Ticks that are made after the block know the size of their numbers from here only.
        made.tick_params(labelsize=PAPER["font.size"])
        yield made


def text_size(ax: Axes) -> float:
    "The height in points of the text beside the Axes."
    return float(ax.xaxis.label.get_fontsize())


def label_budgets(
    ax: Axes,  # Axes with curves over the budgets
    budgets: ArrayLike,  # All budgets, ascending, shape `(K,)`
) -> Axes:  # The same
    "A tick for each budget that has room, on a logarithmic axis where budgets are powers."
    k = np.asarray(budgets)
    ax.set_xlabel("k, samples drawn")
    if is_geometric(k):
        ax.set_xscale("log", base=2)
        margin = (k[-1] / k[0])**.03
        ax.set_xlim(k[0] / margin, k[-1] * margin)
    else:
        margin = .03 * (k[-1] - k[0]) or .5
        ax.set_xlim(k[0] - margin, k[-1] + margin)
    ax.xaxis.set_ticks([], minor=True)
    return write_budgets(ax, k)


def write_budgets(ax: Axes, k: np.ndarray) -> Axes:
    "The numbers of the budgets that have room at the width the Axes have now."
    digit = .65 * text_size(ax) * ax.figure.dpi / 72
    places = ax.transData.transform(np.column_stack([k, np.zeros(len(k))]))[:, 0]
    names = [f"{one:g}" for one in k]
    shown = pick_ticks(k.tolist(), places.tolist(), [digit * (len(name) + 1) for name in names])
    ax.set_xticks(k[shown], [names[i] for i in shown])
    return ax


def write_title(ax: Axes, title: str) -> Axes:
    "A title above the left end of the Axes, in as many lines as it needs."
    points = text_size(ax)
    # The layout is settled first: names to the left take room from the Axes.
    ax.figure.canvas.figure.draw_without_rendering()
    room = 72 * ax.get_window_extent().width / ax.figure.dpi
    lines = wrap(title, max(24, int(room / (LETTER * points))))
    ax.set_title("\n".join(map(escape_text, lines)), fontsize=points, loc="left")
    return ax


def labelled_artists(ax: Axes) -> list[tuple[Any, str]]:
    "What has a label, and the label as it was before `plain` escaped it."
    return [(handle, text.replace(r"\$", "$"))
            for handle, text in zip(*ax.get_legend_handles_labels())]


def write_legend(
    ax: Axes,  # Axes drawn on
    entries: Sequence[tuple[Any, str]],  # What is drawn, and what it means
) -> Axes:  # The same
    "Lines of text below the axis, as long as the Axes are wide."
    if not entries: return ax
    offset_copy: Any = need("matplotlib.transforms", "plot").offset_copy
    points = text_size(ax)
    room = 72 * ax.get_window_extent().width / ax.figure.dpi
    letters = max(24, int(room / (LETTER * points)) - 2)
    lines = ["\n".join(map(escape_text, wrap(text, letters))) for _, text in entries]
    below = offset_copy(ax.transAxes, ax.figure, y=-3.9 * points, units="points")
    ax.legend([handle for handle, _ in entries], lines, loc="upper left", bbox_to_anchor=(0, 0),
              bbox_transform=below, borderaxespad=0, borderpad=0, handlelength=1.6,
              labelspacing=.3, frameon=False, fontsize=points)
    return ax


def plot_curve(
    k: ArrayLike,  # Budgets, shape `(K,)`
    estimate: ArrayLike,  # Estimates in [0, 1], shape `(K,)`
    low: ArrayLike | None = None,  # Lower ends of the intervals; NaN where there is none
    high: ArrayLike | None = None,  # Upper ends
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str | None = None,  # Name of the curve
    band: str = "",  # What the band is, such as `95 % CI at each k`
    series: int = 0,  # Which colour, marker and dash
    **kw: Any,  # Passed to the line
) -> Axes:  # The Axes drawn on
    "Draw one metric over its budgets, with intervals as a band."
    ax, k = axes(ax), np.asarray(k)
    style = choose_style(series) | dict(markevery=max(1, len(k) // 10))
    colour = style["color"]
    ax.plot(k, estimate, label=label and plain(label), **style | kw)
    if low is not None:
        ends = np.asarray(low, float), np.asarray(high, float)
        ax.fill_between(k, *ends, color=colour, alpha=.12, lw=0, label=band or None)
    ax.set(ylim=(-.02, 1.02))
    return label_budgets(ax, k)


def plot_intervals(
    names: Sequence[object],  # Name of each estimate, from the top down
    estimate: ArrayLike,  # Estimates, shape `(m,)`
    low: ArrayLike,  # Lower ends of the intervals; NaN where there is none
    high: ArrayLike,  # Upper ends
    *,
    upper: ArrayLike | None = None,  # Estimates where missing samples are counted as right
    level: float = .95,  # Confidence level of the intervals, for the legend
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str = "estimate",  # What the axis shows
) -> Axes:  # The Axes drawn on
    "Draw estimates as dots with their intervals; two dots where missing samples leave two."
    ax, y = axes(ax), np.arange(len(names))[::-1]
    ends = np.asarray(low, float), np.asarray(high, float)
    entries: list[tuple[Any, str]] = []
    if np.isfinite(ends).any():
        entries.append((ax.hlines(y, *ends, color=LIGHT[0], lw=1.2),
                        f"{describe_level(level)} CI"))
    if upper is not None:
        ax.hlines(y, estimate, upper, color=LIGHT[0], lw=4, alpha=.35)
        entries += [(line, MISSING) for line in ax.plot(upper, y, "o", color=LIGHT[0], mfc="white")]
    ax.plot(estimate, y, "o", color=LIGHT[0])
    ax.set_yticks(y, [plain(name) for name in names])
    ax.set(xlabel=plain(label), ylim=(-.6, len(names) - .4))
    ax.locator_params(axis="x", nbins=5)
    return write_legend(ax, entries)


def plot_forest(
    names: Sequence[object],  # Name of each difference, from the top down
    difference: ArrayLike,  # Differences, shape `(m,)`
    low: ArrayLike,  # Lower ends of the intervals; NaN where there is none
    high: ArrayLike,  # Upper ends
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str = "difference",  # What the axis shows
) -> Axes:  # The Axes drawn on
    "Draw differences with their intervals; grey and hollow where an interval holds zero."
    ax, y = axes(ax), np.arange(len(names))[::-1]
    difference, low, high = (np.asarray(o, float) for o in (difference, low, high))
    apart = (low > 0) | (high < 0)
    for rows, colour, face in (apart, LIGHT[0], LIGHT[0]), (~apart, GREY, "white"):
        ax.hlines(y[rows], low[rows], high[rows], color=colour)
        ax.plot(difference[rows], y[rows], "o", color=colour, mfc=face)
    ax.axvline(0, color=INK, lw=1, ls="--")
    ax.set_yticks(y, [plain(name) for name in names])
    ax.set(xlabel=plain(label), ylim=(-.6, len(names) - .4))
    ax.locator_params(axis="x", nbins=5)
    return ax


def plot_difference(
    k: ArrayLike,  # Budgets, shape `(K,)`
    difference: ArrayLike,  # Differences, shape `(K,)`
    pointwise: Arrays | None = None,  # Lower and upper ends of the intervals at each budget
    band: Arrays | None = None,  # Lower and upper ends of the band over all budgets
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str = "difference",  # What the axis shows
    level: float = .95,  # Confidence level of both, for the legend
) -> Axes:  # The Axes drawn on
    "Draw a difference curve with its bands, and mark where the one over all budgets leaves zero."
    ax, k, said = axes(ax), np.asarray(k), describe_level(level)
    every = max(1, len(k) // 10)
    ax.plot(k, difference, color=LIGHT[0], marker="o", markersize=4, markevery=every)
    if pointwise is not None:
        low, high = (np.asarray(end, float) for end in pointwise)
        ax.fill_between(k, low, high, color=LIGHT[0], alpha=.18, lw=0, label=f"{said} CI at each k")
    if band is not None: draw_band(ax, k, band, f"simultaneous {said} band")
    ax.axhline(0, color=INK, lw=1, ls="--", zorder=1)
    ax.set_ylabel(plain(label))
    write_legend(ax, labelled_artists(ax))
    return label_budgets(ax, k)


def draw_band(ax: Axes, k: np.ndarray, band: Arrays, label: str) -> None:
    "The edges of a band as thin lines, and a triangle where it leaves zero."
    low, high = (np.asarray(edge, float) for edge in band)
    for end, name in (low, label), (high, None):
        ax.plot(k, end, color=LIGHT[0], lw=.8, ls=":", label=name)
    gain = low > 0, "^", LIGHT[2], "band above zero"
    loss = high < 0, "v", LIGHT[1], "band below zero"
    for where, marker, colour, name in gain, loss:
        if not where.any(): continue
        ax.plot(k[where], np.zeros(where.sum()), marker, color=colour, markersize=5, label=name,
                markevery=max(1, len(k) // 20))


def plot_power(
    delta: ArrayLike,  # True differences, shape `(m,)`
    power: ArrayLike,  # Chance of a significant result at each, shape `(m,)`
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str | None = None,  # Name of the curve, such as the number of questions
    series: int = 0,  # Which colour, marker and dash
    target: float | None = .8,  # Power wanted, as a dashed line; None for no line
) -> Axes:  # The Axes drawn on
    "Draw the power of a test over the true difference."
    ax, delta = axes(ax), np.asarray(delta)
    style = choose_style(series) | dict(markevery=max(1, len(delta) // 8))
    ax.plot(delta, power, label=label and plain(label), **style)
    if target is not None: ax.axhline(target, color=INK, lw=1, ls="--")
    ax.set(xlabel="true difference", ylabel="power", ylim=(-.02, 1.02))
    if label: ax.legend(fontsize=text_size(ax))
    return ax


def plot_extrapolation(
    k: ArrayLike,  # Budgets, ascending, shape `(K,)`
    exact: ArrayLike,  # Estimates at the first of them, shape `(m,)` with `m <= K`
    models: Mapping[str, ArrayLike],  # Name of each model to its values, shape `(K,)`
    bounds: Arrays | None = None,  # Lower and upper assumption-free bounds; None without any
    *,
    n: int | None = None,  # Smallest number of samples, as a vertical line
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str = "estimate",  # Name of the metric
    level: float = .95,  # Confidence level of the bounds, for the legend
) -> Axes:  # The Axes drawn on
    "Draw exact values, models beyond them, and assumption-free bounds."
    ax, k, exact = axes(ax), np.asarray(k), np.asarray(exact)
    if bounds is not None:
        said = f"assumption-free {describe_level(level)} bounds"
        low, high = bounds
        ax.fill_between(k, low, high, color="0.88", label=said)
    for i, (name, values) in enumerate(models.items(), 1):
        ax.plot(k, values, label=plain(f"{name} (model)"), **choose_style(i) | dict(marker=""))
    if len(exact):
        style = choose_style(0) | dict(markevery=max(1, len(exact) // 10))
        ax.plot(k[:len(exact)], exact, label="exact", **style)
    if n is not None: ax.axvline(n, color=INK, lw=.8)
    ax.set(ylabel=plain(label), ylim=(-.02, 1.02))
    write_legend(ax, labelled_artists(ax))
    return label_budgets(ax, k)


# The curves of a page, on paper.

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
        ax.set(ylim=axis_limits(chart.values), ylabel=plain(chart.label))
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
        said = f"shades: {describe_level(chart.level)} CI at each k"
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
    ends = [curve_end(series) for series in several]
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


def curve_end(series: Series) -> tuple[float, float]:
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
