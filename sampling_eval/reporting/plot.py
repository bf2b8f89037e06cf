"""Drawings of arrays: Axes in, Axes out.

Numbers are computed elsewhere. Each function draws on the Axes it is given, makes one only if
there is none, and returns it.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING: from matplotlib.axes import Axes

Arrays: TypeAlias = tuple[ArrayLike, ...]

from ..extras import need

__all__ = ["COLOURS", "MARKERS", "DASHES", "plain", "axes", "place_legend", "plot_curve",
           "plot_fan", "plot_questions", "plot_forest", "plot_difference", "plot_power",
           "plot_extrapolation"]

# The colours of Okabe and Ito are told apart by most colour-blind readers. Since colour alone is
# not enough, every series also has a marker and a dash of its own.
COLOURS = "#0072B2 #E69F00 #009E73 #CC79A7 #D55E00 #56B4E9 #000000".split()
MARKERS = "o s ^ D v P X".split()
DASHES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1))]
BLACK, GREY = "#000000", "#777777"


def plain(
    name: object,  # Any text that comes from data
) -> str:  # Text that Matplotlib shows as it stands, at most 60 characters
    "A name as literal text for titles, labels and legends."
    text = str(name)
    if len(text) > 60: text = text[:40] + "..." + text[-17:]
    text = "".join(o if o.isprintable() else "\ufffd" for o in text).replace("$", r"\$")
    # A leading underscore hides a name from a legend.
    return "\u200b" + text if text.startswith("_") else text


def axes(
    ax: Axes | None = None,  # Matplotlib Axes to draw on
) -> Axes:  # The same, or new ones of 4.5 x 3 inches
    "The given Axes, or new ones."
    if ax is not None: return ax
    plt: Any = need("matplotlib.pyplot", "plot")
    return plt.subplots(figsize=(4.5, 3), layout="constrained")[1]


def choose_style(series: int) -> dict[str, Any]:
    "Colour, marker and dash of a series."
    i = series % len(COLOURS)
    return dict(color=COLOURS[i], marker=MARKERS[i], ls=DASHES[i], markersize=4)


def label_budgets(ax: Axes, k: np.ndarray) -> Axes:
    "A log-2 axis for budgets that span more than a decade, a tick each for few."
    ax.set_xlabel("k")
    if k.max() > 10 * k.min():
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter("{x:g}")
    elif len(k) <= 10: ax.set_xticks(k)
    return ax


def place_legend(
    ax: Axes,  # Axes with labelled series
) -> Axes:  # The same
    "Put the legend below the Axes, in two columns."
    ax.legend(fontsize="small", frameon=False, ncols=2, loc="upper center",
              bbox_to_anchor=(.5, -.22))
    return ax


def plot_curve(
    k: ArrayLike,  # Budgets, shape `(K,)`
    estimate: ArrayLike,  # Estimates in [0, 1], shape `(K,)`
    low: ArrayLike | None = None,  # Lower ends of the intervals; NaN where there is none
    high: ArrayLike | None = None,  # Upper ends
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str | None = None,  # Name of the curve
    band: str = "",  # What the band is, such as `95 % interval at each k`
    wide: Arrays | None = None,  # Both edges of a band over all budgets, drawn as thin lines
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
        ax.fill_between(k, *ends, color=colour, alpha=.18, lw=0, label=band or None)
    for edge, name in zip(wide or (), ("band over all k", None)):
        ax.plot(k, np.asarray(edge, float), color=colour, lw=.8, ls=":", label=name)
    ax.set(ylim=(-.02, 1.02))
    return label_budgets(ax, k)


def plot_fan(
    k: ArrayLike,  # Budgets, shape `(K,)`
    some: Arrays,  # pass@k: estimate, low, high, and both edges of a band if there is one
    every: Arrays,  # The same of pass^k
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    level: float = .95,  # Confidence level of the intervals, for the legend
) -> Axes:  # The Axes drawn on
    "Draw pass@k and pass^k from one point, each with its interval at every `k`."
    band = f"{100 * level:g} % interval at each k"
    ax = plot_curve(k, *some[:3], ax=ax, label="pass@k", band=band, wide=some[3:] or None)
    wide = every[3:] or None
    plot_curve(k, *every[:3], ax=ax, label="pass^k", band=band, wide=wide, series=1)
    ax.set_ylabel("mean over questions")
    return place_legend(ax)


def plot_questions(
    share: ArrayLike,  # Share of correct samples per question, shape `(Q,)`
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    bins: int | None = None,  # Number of bars; one per distinct value up to 21 if None
    label: str | None = None,  # Name of the system
) -> Axes:  # The Axes drawn on
    "Draw how many questions have which share of correct samples."
    ax, share = axes(ax), np.asarray(share, float)
    distinct, questions = np.unique(share, return_counts=True)
    if bins is None and len(distinct) > 21: bins = 20
    if bins is None:
        width = .8 * min(np.diff(distinct), default=.1)
        ax.bar(distinct, questions, width=width, color=COLOURS[0])
    else: ax.hist(share, bins, range=(0, 1), color=COLOURS[0], edgecolor="white")
    ax.set(xlabel="share of correct samples", ylabel="questions", xlim=(-.13, 1.13))
    if label: ax.set_title(plain(label))
    return ax


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
    for rows, colour, face in (apart, COLOURS[0], COLOURS[0]), (~apart, GREY, "white"):
        ax.hlines(y[rows], low[rows], high[rows], color=colour)
        ax.plot(difference[rows], y[rows], "o", color=colour, mfc=face)
    ax.axvline(0, color=BLACK, lw=1, ls="--")
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
    ax, k, said = axes(ax), np.asarray(k), f"{100 * level:g} %"
    every = max(1, len(k) // 10)
    ax.plot(k, difference, color=COLOURS[0], marker="o", markersize=4, markevery=every)
    if pointwise is not None:
        low, high = (np.asarray(end, float) for end in pointwise)
        label_each = f"{said} interval at each k"
        ax.fill_between(k, low, high, color=COLOURS[0], alpha=.18, lw=0, label=label_each)
    if band is not None: draw_band(ax, k, band, f"{said} band over all k")
    ax.axhline(0, color=BLACK, lw=1, ls="--", zorder=1)
    ax.set_ylabel(plain(label))
    if ax.get_legend_handles_labels()[0]: ax.legend(fontsize="small")
    return label_budgets(ax, k)


def draw_band(ax: Axes, k: np.ndarray, band: Arrays, label: str) -> None:
    "The edges of a band as thin lines, and a triangle where it leaves zero."
    low, high = (np.asarray(edge, float) for edge in band)
    for end, name in (low, label), (high, None):
        ax.plot(k, end, color=COLOURS[0], lw=.8, ls=":", label=name)
    gain = low > 0, "^", COLOURS[2], "gain by the band"
    loss = high < 0, "v", COLOURS[4], "loss by the band"
    for where, marker, colour, name in gain, loss:
        if not where.any(): continue
        ax.plot(k[where], np.zeros(where.sum()), marker, color=colour, markersize=5, label=name)


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
    if target is not None: ax.axhline(target, color=BLACK, lw=1, ls="--")
    ax.set(xlabel="true difference", ylabel="power", ylim=(-.02, 1.02))
    if label: ax.legend(fontsize="small")
    return ax


def plot_extrapolation(
    k: ArrayLike,  # Budgets, ascending, shape `(K,)`
    exact: ArrayLike,  # Estimates at the first of them, shape `(m,)` with `m <= K`
    models: Mapping[str, ArrayLike],  # Name of each model to its values, shape `(K,)`
    bounds: Arrays | None = None,  # Lower and upper bounds without a law; None if there are none
    *,
    n: int | None = None,  # Smallest number of samples, as a vertical line
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    label: str = "estimate",  # Name of the metric
    level: float = .95,  # Confidence level of the bounds, for the legend
) -> Axes:  # The Axes drawn on
    "Draw exact values, models beyond them, and bounds that assume no law."
    ax, k, exact = axes(ax), np.asarray(k), np.asarray(exact)
    if bounds is not None:
        said = f"bounds without a law, {100 * level:g} %"
        low, high = bounds
        ax.fill_between(k, low, high, color="0.88", label=said)
    for i, (name, values) in enumerate(models.items(), 1):
        dash = DASHES[1:][i % 6]
        ax.plot(k, values, label=plain(f"{name} (model)"), color=COLOURS[i % 7], ls=dash)
    if len(exact):
        style = choose_style(0) | dict(markevery=max(1, len(exact) // 10))
        ax.plot(k[:len(exact)], exact, label="exact", **style)
    if n is not None: ax.axvline(n, color=BLACK, lw=.8)
    ax.set(ylabel=plain(label), ylim=(-.02, 1.02))
    ax.legend(fontsize="x-small")
    return label_budgets(ax, k)
