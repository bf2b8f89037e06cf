"""The charts of results, drawn from their rows."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .overlay import plot_chart
from ..report.plot import open_axes, plot_difference, plot_forest, write_title
from .versus_chart import chart_standings, chart_versus

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .gate_facts import GateFacts
    from .standings_facts import StandingsFacts
    from .versus_facts import VersusFacts

__all__ = ["plot_versus", "plot_standings", "plot_gate"]


def plot_versus(
    versus: VersusFacts,  # Two systems compared
    what: str = "curves",  # `curves` of both systems, or their `difference`
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw both systems over the budgets, with the stretches where one is certainly ahead; or
    their difference, which is all there is to draw at one budget.

    Raises: `ValueError` for another word, for Axes and a size, and for an unknown size.
    """
    if what not in ("curves", "difference"):
        raise ValueError(f"what must be 'curves' or 'difference', got {what!r}")
    chart = chart_versus(versus) if what == "curves" else None
    if chart is not None: return plot_chart(chart, ax=ax, size=size)
    lines, rows = (0, len(versus.rows)) if versus.curve is None else (4, 0)
    with open_axes(ax, size, lines, rows) as ax:
        draw_difference(versus, ax)
        return write_title(ax, versus.caption)


def draw_difference(versus: VersusFacts, ax: Axes) -> None:
    "The difference curve with its bands, or the rows one below the other without a curve."
    rows, curve = versus.rows, versus.curve
    low, high = np.array([row.span(versus.target) for row in rows], float).T
    if curve is None:
        values = [row.difference for row in rows], low, high
        plot_forest([row.metric for row in rows], *values, ax=ax, label="B - A")
        return
    bands = (low, high), (curve.low, curve.high)
    plot_difference(curve.k, curve.difference, *bands, ax=ax, label="B - A",
                    level=versus.confidence_level)


def plot_standings(
    standings: StandingsFacts,  # Several systems compared
    metric: str | None = None,  # Metric with its budget; None draws all budgets
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw all systems over the budgets; at one budget every system against the best one.

    Raises: `ValueError` for an unknown metric, for Axes and a size, and for an unknown size.
    """
    if metric not in (None, *standings.rankings):
        raise ValueError(f"metric must be one of {list(standings.rankings)}, got {metric!r}")
    chart = chart_standings(standings) if metric is None else None
    if chart is not None: return plot_chart(chart, ax=ax, size=size)
    metric = metric or next(iter(standings.rankings))
    best = standings.rankings[metric].systems[0]
    rows = [row for row in standings.rows if (row.metric, row.first) == (metric, best)]
    # A pair is the first less the second; the figure shows the second less the first.
    high, low = -np.array([[row.low, row.high] for row in rows], float).T
    values = [-row.difference for row in rows], low, high
    label = f"{metric}: difference from {best}"
    with open_axes(ax, size, rows=len(rows)) as ax:
        return plot_forest([row.second for row in rows], *values, ax=ax, label=label)


def plot_gate(
    gate: GateFacts,  # Verdicts on a new system
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    "Draw how far each value lies from its limit, with its interval."
    rows = [row for row in gate.rows if row.low is not None]
    if not rows: raise ValueError("no rule of this gate has an interval to draw")
    far = np.array([[row.value, row.low, row.high] for row in rows], float).T
    far -= [row.limit for row in rows]
    names = [row.rule for row in rows]
    with open_axes(ax, size, rows=len(rows)) as ax:
        return plot_forest(names, *far, ax=ax, label="distance from the limit")
