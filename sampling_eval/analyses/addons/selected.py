"""What the best of several systems scores on runs that did not choose it, where all have runs."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from ...inference.ranking import selected_score
from ...render.format import count, percent
from ...results.base import Data
from ..engine.runs import RunTable
from . import Ranked

LEAST_SYSTEMS, MOST_PARTS = 3, 16


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
    metric = next((name for name in asked.metrics if name == "pass@1" or name[:4] == "avg@"), "")
    means = [run_means(one) for one in asked.runs.values()]
    if not metric or len(means) < LEAST_SYSTEMS or any(one is None for one in means): return None
    n = len(means[0] or ())
    if n < 2 or any(len(one or ()) != n for one in means): return None
    table = np.array(means)
    size = -(-n // MOST_PARTS)
    parts = n // size
    blocks = table[:, :parts * size].reshape(len(table), parts, size).mean(2)
    choose_on = parts // 2
    return Selected(metric, len(table), n, choose_on * size, (parts - choose_on) * size,
                    comb(parts, choose_on), float(table.mean(1).max()),
                    selected_score(blocks, choose_on))


def run_means(table: RunTable | None) -> list[float] | None:
    "Share of right samples of each run; None unless each has one sample of every question."
    if table is None or not table.binary: return None
    every = list(table.total_each(np.zeros(table.questions)))
    if any(one.size != table.questions for one in every): return None
    return [one.right / one.size for one in every]


# In words.

def sentences(found: Selected) -> list[str]:
    "What the winner scores where it did not choose itself, and what it shows."
    apart = found.score_on + found.choose_on == found.runs
    return [f"Chosen on {found.choose_on} of {found.runs} runs, the best of {found.systems} scores "
            f"{percent(found.score)} in {found.metric} on {'the' if apart else found.score_on} "
            f"others (mean of {count(found.splits, 'split')}, same questions); on the {found.runs} "
            f"runs that chose it the leader shows {percent(found.best)}. Not shown: what choosing "
            f"on all {found.runs} is worth."]
