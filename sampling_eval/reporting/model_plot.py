"""The picture of a table: one metric of every model."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..report.palette import LIGHT
from .letters import Letters
from ..report.plot import open_axes, plain
from ..results.rows import Row

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["plot_models"]


def plot_models(
    rows: Sequence[Row],  # One metric of each model, best first
    letters: Letters,  # Letters of each model
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    "Draw a metric of every model with its interval, the best at the top, letters at the right."
    with open_axes(ax, size, rows=len(rows)) as ax:
        draw_models(rows, letters, ax)
    return ax


def draw_models(rows: Sequence[Row], letters: Letters, ax: Axes) -> None:
    "A row per model: its interval, its estimate, and its letters."
    y = np.arange(len(rows))[::-1]
    low, high = np.array([[row.low, row.high] for row in rows], float).T
    ax.hlines(y, low, high, color=LIGHT[0])
    ax.plot([row.estimate for row in rows], y, "o", color=LIGHT[0])
    for row, place in zip(rows, y):
        ax.annotate(letters.get(row.model, ""), (1.01, place), va="center",
                    xycoords=("axes fraction", "data"))
    ax.set_yticks(y, [plain(row.model) for row in rows])
    ax.set(xlabel=plain(rows[0].metric), ylim=(-.6, len(rows) - .4))
