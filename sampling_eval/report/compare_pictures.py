"""Pictures of systems that are compared: curves over k, and differences against 0."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results.rows import name_family
from ..results.analysis import Sign
from ..results.base import Unit
from ..results.comparison import Difference, PairwiseComparison, SystemCurve
from .blocks import Block, Curves, Intervals, Line, Series, Stretch, Verdict
from .format import count, difference, difference_interval, interval, level, value
from .plot import open_axes, plot_difference, plot_forest, write_title
from .plot_curves import plot_curves

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["draw_systems", "draw_result", "draw_difference", "find_crossings", "plot",
           "plot_curves"]


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
