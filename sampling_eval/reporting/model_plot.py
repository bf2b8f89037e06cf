"""The picture of a table: one metric of every model."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .palette import LIGHT
from .plot import open_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .model_table import ModelTable

__all__ = ["plot_models"]


def plot_models(
    table: ModelTable,  # Models by metrics
    metric: str,  # Which metric
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    "Draw a metric of every model with its interval, the best at the top, letters at the right."
    with open_axes(ax, size, rows=len(table.models)) as ax:
        draw_models(table, metric, ax)
    return ax


def draw_models(table: ModelTable, metric: str, ax: Axes) -> None:
    "A row per model: its interval, its estimate, and its letters."
    y = np.arange(len(table.models))[::-1]
    rows = [table[model, metric] for model in table.models]
    low, high = np.array([[row.low, row.high] for row in rows], float).T
    ax.hlines(y, low, high, color=LIGHT[0])
    ax.plot([row.estimate for row in rows], y, "o", color=LIGHT[0])
    column = next(one for one in table.columns[::-1] if one.metric == metric)
    for model, place in zip(table.models, y):
        ax.annotate(column.letters.get(model, ""), (1.01, place), va="center",
                    xycoords=("axes fraction", "data"))
    ax.set_yticks(y, list(map(plain, table.models)))
    ax.set(xlabel=plain(metric), ylim=(-.6, len(rows) - .4))
