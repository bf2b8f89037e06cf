"""The charts of results, drawn from their rows."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .plot import (axes, place_legend, plain, plot_curve, plot_difference, plot_extrapolation,
                   plot_fan, plot_forest, plot_power)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .forecasts import ExtrapolationReport
    from .plans import PlanReport
    from .report import Report, Row
    from .standings import Standings
    from .verdicts import Gate
    from .versus import Versus

__all__ = ["Line", "find_curves", "plot_report", "plot_versus", "plot_standings", "plot_gate",
           "plot_plan", "plot_forecast"]


class Line(NamedTuple):
    "A metric over its budgets; NaN where an end is undefined, since a plot leaves a gap there."
    k: np.ndarray  # Budgets, shape `(K,)`
    estimate: np.ndarray  # Estimates, shape `(K,)`
    low: np.ndarray  # Lower ends of the intervals
    high: np.ndarray  # Upper ends
    edges: tuple[np.ndarray, ...]  # Lower and upper edges of the band; empty without one


def find_curves(
    rows: Sequence[Row],  # Rows of one model and group
) -> dict[str, Line]:  # Line of each metric, `pass@k`, by name
    "The rows as curves over `k`, one per metric; means over all samples have none."
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.k is None: continue
        name = re.sub(r"(?<=[@^])\d+", "k", row.metric, count=1)
        found.setdefault(name, []).append(row)
    return {name: make_curve(same) for name, same in found.items()}


def make_curve(rows: Sequence[Row]) -> Line:
    names = "k", "estimate", "low", "high", "band_low", "band_high"
    table = np.array([[getattr(row, name) for name in names] for row in rows], float)
    k, estimate, low, high, band_low, band_high = table.T
    edges = (band_low, band_high) if np.isfinite(band_low).all() else ()
    return Line(k, estimate, low, high, edges)


def plot_report(
    report: Report,  # Result of `score`
    model: str | None = None,  # Which model; the first if None
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
) -> Axes:  # The Axes drawn on
    """Draw the fan of pass@k and pass^k; without one of the two, every metric with budgets.

    Raises: `ValueError` for an unknown model, or without a metric that has budgets.
    """
    key = choose_block(report, model)
    rows = report.blocks()[key]
    curves = find_curves(rows)
    if not curves:
        raise ValueError("a figure needs a metric with budgets k, and this report has none")
    ax = draw_curves(curves, axes(ax), report.confidence_level)
    size = f"({rows[0].questions} questions, n = {rows[0].samples})"
    return give_title(ax, " ".join(filter(None, [report.name(key), size])))


def choose_block(report: Report, model: str | None) -> tuple[str, str]:
    "The first model and group of a report, or the first of a named model."
    keys = list(report.blocks())
    of_model = [key for key in keys if model in (None, key[0])]
    if of_model: return of_model[0]
    raise ValueError(f"model must be one of {[key[0] for key in keys]}, got {model!r}")


def draw_curves(curves: dict[str, Line], ax: Axes, level: float) -> Axes:
    if curves.keys() >= {"pass@k", "pass^k"}:
        some, every = curves["pass@k"], curves["pass^k"]
        upper, lower = ((*curve[1:4], *curve.edges) for curve in (some, every))
        return plot_fan(some.k, upper, lower, ax=ax, level=level)
    band = f"{100 * level:g} % interval"
    for i, (name, curve) in enumerate(curves.items()):
        wide = curve.edges or None
        plot_curve(*curve[:4], ax=ax, label=name, series=i, band=band, wide=wide)
    return place_legend(ax)


def give_title(ax: Axes, title: str) -> Axes:
    ax.set_title(plain(title), fontsize="medium")
    return ax


def plot_versus(
    versus: Versus,  # Two systems compared
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
) -> Axes:  # The Axes drawn on
    "Draw the difference curve with its bands, or the rows as a forest where there is no curve."
    rows, curve = versus.rows, versus.curve
    low, high = np.array([[row.low, row.high] for row in rows], float).T
    if curve is None:
        values = [row.difference for row in rows], low, high
        ax = plot_forest([row.metric for row in rows], *values, ax=ax, label="B - A")
    else:
        bands = (low, high), (curve.low, curve.high)
        level = versus.confidence_level
        ax = plot_difference(curve.k, curve.difference, *bands, ax=ax, label="B - A", level=level)
    return give_title(ax, f"{versus.heading} ({rows[0].questions} questions)")


def plot_standings(
    standings: Standings,  # Several systems compared
    metric: str | None = None,  # Which metric; the first if None
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
) -> Axes:  # The Axes drawn on
    "Draw every system against the first of the ranking."
    metric = metric or next(iter(standings.rankings))
    best = standings.rankings[metric].systems[0]
    rows = [row for row in standings.rows if (row.metric, row.first) == (metric, best)]
    # A pair is the first less the second; the figure shows the second less the first.
    high, low = -np.array([[row.low, row.high] for row in rows], float).T
    values = [-row.difference for row in rows], low, high
    label = f"{metric}: difference from {best}"
    return plot_forest([row.second for row in rows], *values, ax=ax, label=label)


def plot_gate(
    gate: Gate,  # Verdicts on a new system
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
) -> Axes:  # The Axes drawn on
    "Draw how far each value lies from its limit, with its interval."
    rows = [row for row in gate.rows if row.low is not None]
    if not rows: raise ValueError("no rule of this gate has an interval to draw")
    far = np.array([[row.value, row.low, row.high] for row in rows], float).T
    far -= [row.limit for row in rows]
    names = [row.rule for row in rows]
    return plot_forest(names, *far, ax=ax, label="distance from the limit")


def plot_plan(
    plan: PlanReport,  # Plan for a comparison
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
) -> Axes:  # The Axes drawn on
    "Draw the power at half, once and twice the questions of the recommended row."
    ax = axes(ax)
    row = int(np.nanargmax(plan.power)) if plan.best is None else plan.best
    most = plan.delta[row] if np.isfinite(plan.delta[row]) else .5
    # A simulated power takes its time.
    points = 8 if plan.method == "interval" else 50
    delta = np.linspace(.1, min(2, .999 / most), points) * most
    for series, factor in enumerate((.5, 1, 2)):
        questions = max(2, round(factor * int(plan.questions[row])))
        power = [plan.power_at(row, float(d), questions) for d in delta]
        target = plan.wanted if factor == 1 else None
        label = f"{questions} questions"
        plot_power(delta, power, ax=ax, label=label, series=series, target=target)
    return give_title(ax, f"{plan.metric}, n = {plan.samples[row]}")


def plot_forecast(
    forecast: ExtrapolationReport,  # Values beyond the samples
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
) -> Axes:  # The Axes drawn on
    "Draw exact values, models and bounds."
    e = forecast
    order = np.argsort(e.k, kind="stable")
    exact = e.exact[np.argsort(e.k[e.k <= e.n_min], kind="stable")]
    models = {name: values[order] for name, values in e.models.items()}
    bounds = None if e.low is None or e.high is None else (e.low[order], e.high[order])
    ax = plot_extrapolation(e.k[order], exact, models, bounds, n=e.n_min, ax=ax, label=e.label,
                            level=e.confidence_level)
    samples = f"{e.n_min}" if e.n_min == e.n_max else f"{e.n_min}..{e.n_max}"
    return give_title(ax, f"{e.questions} questions, n = {samples}")
