"""Every metric of one or several systems, question by question, at budgets they share."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.counts import Counts, Values
from ..metrics.catalog import Metric
from .metric_choice import Budgets, Chosen, Metrics, pick_metrics, say_left_out
from .measuring import share_budgets

__all__ = ["Measured", "measure_all", "list_names", "find_gaps", "subtract"]

ROUNDING = 1e-12  # Differences below this part of their terms are roundings of zero
Measured = list[tuple[Chosen, tuple[Values, ...]]]  # Each metric with its values on every system


def measure_all(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions, in one order
    metrics: Metrics,  # Names; None for all that every system has
    k: Budgets,  # Budgets asked for; None chooses
    ties: str,  # Ties of maj@k
    lacks: Mapping[str, str],  # Field of the counts to the reason it is absent
) -> Measured:
    """Every metric with its values on every system, at budgets that all of them reach.

    Raises: `ValueError` for an unknown name, or where no metric is left.
    """
    counts = tuple(sides.values())
    picked = [pick_metrics(side, metrics, k, ties, lacks) for side in counts]
    found = [{(metric.name, stated): metric for metric, stated in one} for one, _ in picked]
    shared = [key for key in found[0] if all(key in one for one in found)]
    if not shared: raise ValueError(f"no metric to report: {say_left_out(picked[0][1])}")
    return [measure_one([one[key] for one in found], key[1], counts, k) for key in shared]


def measure_one(
    metrics: Sequence[Metric], stated: int | None, counts: tuple[Counts, ...], k: Budgets,
) -> tuple[Chosen, tuple[Values, ...]]:
    "One metric on every system."
    first = metrics[0]
    if first.at == "largest k" and not stated and k is not None: k = int(np.max(k))
    chosen = share_budgets(first, stated, counts, k)
    values = [metric.at_states(side, chosen.ks) for metric, side in zip(metrics, counts)]
    return chosen, tuple(values)


def list_names(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions
) -> list[Any]:  # Their names, in order
    "Names of the questions, which all systems share."
    return list(np.asarray(next(iter(sides.values())).questions).tolist())


def find_gaps(
    measured: Measured,  # Metrics on some systems
) -> np.ndarray | None:  # Differences, shape `(Q,)`
    "B minus A of every question in the first metric; None unless there are two systems."
    _, values = measured[0]
    if len(values) != 2: return None
    old, new = (one.table[one.state, 0] for one in values)
    return subtract(old, new)


def subtract(
    old: ArrayLike,  # Numbers
    new: ArrayLike,  # As many
) -> np.ndarray:  # Their differences
    "New minus old, without the rounding of equal numbers."
    old, new = np.asarray(old, float), np.asarray(new, float)
    small = ROUNDING * np.maximum(np.abs(old), np.abs(new))
    return np.where(np.abs(new - old) <= small, 0., new - old)
