"""The charts of results, drawn from their rows."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .overlay import plot_chart
from ..report.plot import open_axes, plot_forest, plot_intervals, plot_power, write_title
from .subjects import Dots, list_dots, make_chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .planned import AskedPlan
    from .report_facts import ReportFacts

__all__ = ["plot_report", "plot_plan"]


def plot_report(
    report: ReportFacts,  # Result of `score`
    model: str | None = None,  # Which model; all of them if None
    metric: str | None = None,  # Which metric, `pass@k` or `pass@8`; chosen if None
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw what a report holds: the metrics of one model over k, or one metric of several models
    or groups; dots with intervals where there is one budget.

    Raises: `ValueError` for an unknown model or metric, for Axes and a size, and for an unknown
    size.
    """
    chart = make_chart(report, model, metric)
    if chart is not None: return plot_chart(chart, ax=ax, size=size)
    return plot_dots(list_dots(report, model, metric), ax=ax, size=size)


def plot_dots(
    dots: Dots,  # Numbers with their intervals
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    "Draw each number with its interval on a line of its own."
    names, rows, tops = zip(*dots.rows)
    ends = [row.low for row in rows], [row.high for row in tops]
    low, high = (np.array(end, float) for end in ends)
    upper = None if rows == tops else [row.estimate for row in tops]
    with open_axes(ax, size, 2 * (upper is not None), len(rows)) as ax:
        plot_intervals(names, [row.estimate for row in rows], low, high, upper=upper,
                       level=dots.level, ax=ax, label=dots.label)
        return write_title(ax, dots.title)


def plot_plan(
    plan: AskedPlan,  # Plan for a comparison
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    "Draw the power at half, once and twice the questions of the recommended row."
    row = int(np.nanargmax(plan.power)) if plan.best is None else plan.best
    most = plan.delta[row] if np.isfinite(plan.delta[row]) else .5
    # A simulated power takes its time.
    points = 8 if plan.method == "interval" else 50
    delta = np.linspace(.1, min(2, .999 / most), points) * most
    with open_axes(ax, size) as ax:
        for series, factor in enumerate((.5, 1, 2)):
            questions = max(2, round(factor * int(plan.questions[row])))
            power = [plan.power_at(row, float(d), questions) for d in delta]
            target = plan.wanted if factor == 1 else None
            label = f"{questions} questions"
            plot_power(delta, power, ax=ax, label=label, series=series, target=target)
        return write_title(ax, f"{plan.metric}, n = {plan.samples[row]}")
