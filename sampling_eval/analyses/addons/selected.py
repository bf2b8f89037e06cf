"""What the best of several systems scores on runs that did not choose it, where all have runs."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from ...inference.ranking import selected_score
from ...metrics.catalog import CATALOG
from ...render.format import count, value
from ...results.base import Data, Unit
from ..engine.runs import RowRuns, RunTable
from . import Ranked

LEAST_SYSTEMS, MOST_PARTS = 3, 16
MEANS = "avg@n", "soft@n", "mean@n"  # Means of single samples, beside pass@1


@dataclass(frozen=True, eq=False)
class Selected(Data):
    "The best system on all runs, and chosen on half of them."
    metric: str  # Its name, a mean of single samples
    systems: int
    runs: int  # Of each system
    choose_on: int  # Runs that choose
    score_on: int  # Runs that score what was chosen; others are left out
    splits: int  # Sets of runs that chose
    best: float  # Mean of the best system over all runs, which also chose it
    score: float  # Of the chosen one on the runs that did not choose it
    unit: Unit = "share"  # Of both: right samples, or scores


FOUND = Selected  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Nothing
) -> bool:
    "It costs little, and is asked for always."
    return True


def measure(request: bool, asked: Ranked) -> Selected | None:
    """The score of the chosen, in the first metric that is a mean of single samples.

    Value: of more than 16 runs neighbours choose or score together, so that splits stay few; None
    for two systems, and unless all have as many runs, at least two, of every question.
    """
    tables = [one for one in asked.runs.values() if one is not None]
    if len(tables) < max(LEAST_SYSTEMS, len(asked.runs)): return None
    n = len(tables[0].names)
    units = {CATALOG[name].label(n): CATALOG[name].unit for name in MEANS} | {"pass@1": "share"}
    metric = next((name for name in asked.metrics if name in units), None)
    if metric is None or n < 2: return None
    means = [run_means(one, units[metric]) for one in tables]
    if any(one is None or len(one) != n for one in means): return None
    table = np.array(means)
    size = -(-n // MOST_PARTS)
    parts = n // size
    blocks = table[:, :parts * size].reshape(len(table), parts, size).mean(2)
    choose_on = parts // 2
    return Selected(metric, len(table), n, choose_on * size, (parts - choose_on) * size,
                    comb(parts, choose_on), float(table.mean(1).max()),
                    selected_score(blocks, choose_on), units[metric])


def run_means(table: RunTable, unit: Unit) -> list[float] | None:
    "Mean of each run; None unless each has one sample of every question."
    if unit == "score": return table.mean_scores() if isinstance(table, RowRuns) else None
    if not table.binary: return None
    every = list(table.total_each(np.zeros(table.questions)))
    if any(one.size != table.questions for one in every): return None
    return [one.right / one.size for one in every]


# In words.

def sentences(found: Selected) -> list[str]:
    "What the winner scores where it did not choose itself, and what it shows."
    apart = found.score_on + found.choose_on == found.runs
    score, best = (value(one, found.unit) for one in (found.score, found.best))
    others = "the" if apart else found.score_on
    return [f"Chosen on {found.choose_on} of {found.runs} runs, the best of {found.systems} scores "
            f"{score} in {found.metric} on {others} others (mean of "
            f"{count(found.splits, 'split')}, same questions); on the {found.runs} runs that chose "
            f"it the leader shows {best}. Not shown: what choosing on all {found.runs} is worth."]
