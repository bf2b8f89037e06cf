"""The questions that are worth a look: flaky ones, or those on which systems differ."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..results.explanation import Listed, ListedSide, Order, Shortlist
from ..results.score_report import order_flaky
from .side_by_side import Measured, find_gaps, list_names, unit_of

__all__ = ["list_worth", "mean_scores"]

MOST = 50  # Questions that a result keeps


def list_worth(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions
    measured: Measured,  # Their metrics
    **told: Any,  # What was read, and the title
) -> Shortlist:
    "The questions to look at first."
    if len(sides) == 2: order, counts = order_gaps(measured)
    elif len(sides) == 1: order, counts = order_one(next(iter(sides.values())))
    else: order, counts = order_spread(measured)
    first = next(iter(sides.values()))
    kind: Order = "difference" if len(sides) == 2 else "spread"
    if len(sides) == 1: kind = name_order(first)
    listed = tuple(list_one(int(row), sides, measured) for row in order[:MOST])
    metric = "" if len(sides) == 1 else measured[0][0].labels[0]
    return Shortlist(tuple(sides), listed, len(first), kind, counts, metric,
                     unit_of(measured[0][0].metric), **told)


def name_order(counts: Counts) -> Order:
    "What the questions of one system are ordered by."
    if counts.c is not None: return "flaky"
    return "scores" if counts.score_sum is None else "graded"


def order_one(counts: Counts) -> tuple[np.ndarray, dict[str, int]]:
    "Flaky questions of one system, those closest to even first; scores of a scale from the lowest."
    if counts.c is None:
        means = np.asarray(mean_scores(counts))
        low_first = np.argsort(means, kind="stable")
        return (order_flaky(means) if counts.score_sum is not None else low_first), {}
    order = order_flaky(counts.c / counts.n)
    never, always = int((counts.c == 0).sum()), int((counts.c == counts.n).sum())
    return order, dict(flaky=len(order), never=never, always=always)


def order_gaps(measured: Measured) -> tuple[np.ndarray, dict[str, int]]:
    "Questions on which two systems differ, the largest differences first."
    gaps = find_gaps(measured)
    assert gaps is not None
    order = np.argsort(-np.abs(gaps), kind="stable")
    higher, lower = int((gaps > 0).sum()), int((gaps < 0).sum())
    counts = dict(higher=higher, lower=lower, equal=len(gaps) - higher - lower)
    return order[gaps[order] != 0], counts


def order_spread(measured: Measured) -> tuple[np.ndarray, dict[str, int]]:
    "Questions on which several systems differ, the largest spread first."
    table = np.stack([one.table[one.state, 0] for one in measured[0][1]])
    spread = np.ptp(table, 0)
    order = np.argsort(-spread, kind="stable")
    order = order[spread[order] > 0]
    return order, dict(differ=len(order))


def list_one(row: int, sides: Mapping[str, Counts], measured: Measured) -> Listed:
    "One question: its samples on each of two systems, or the extremes of several."
    name = list_names(sides)[row]
    if len(sides) > 2: return Listed(name, **find_extremes(row, list(sides), measured))
    own = tuple(list_side(counts, row) for counts in sides.values())
    gaps = find_gaps(measured)
    if gaps is None: return Listed(name, own)
    return Listed(name, own, float(gaps[row]), float(gaps[row]) / len(gaps))


def list_side(counts: Counts, row: int) -> ListedSide:
    "Samples of one question, and right ones or their mean score."
    n = int(counts.n[row])
    if counts.c is not None: return ListedSide(int(counts.c[row]), n)
    means = mean_scores(counts)
    return ListedSide(None, n, None if means is None else float(means[row]))


def mean_scores(
    counts: Counts,  # Counts of one system
) -> np.ndarray | None:  # Shape `(Q,)`; None where no scores are kept
    "The mean score of every question: of graded credit, or of scores on a scale of their own."
    if counts.score_sum is not None: return np.asarray(counts.score_sum) / counts.n
    if counts.rewards is None: return None
    known = ~np.isnan(counts.rewards.score)
    question = counts.rewards.question[known]
    size = np.bincount(question, minlength=len(counts))
    return np.bincount(question, counts.rewards.score[known], minlength=len(counts)) / size


def find_extremes(row: int, names: Sequence[str], measured: Measured) -> dict[str, Any]:
    "The lowest and the highest of several systems on one question."
    values = [float(one.table[one.state[row], 0]) for one in measured[0][1]]
    low, high = int(np.argmin(values)), int(np.argmax(values))
    return dict(low=values[low], low_of=names[low], high=values[high], high_of=names[high])
