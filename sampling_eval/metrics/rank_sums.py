"Numerics of best@k, max@k and min@k: samples sorted by score, ties shared, one matrix a size."
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.answers import Rewards
from ..foundations.counts import check_counts, distinct

__all__ = ["sort_rewards", "share_ties", "sum_by_rank", "refuse_endless"]


def sort_rewards(
    rewards: Rewards,  # Score of every sample
) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:  # Positions, and the keys in that order
    "Positions by question and score, missing ones first, and the keys in that order."
    known = ~np.isnan(rewards.score)
    score = np.where(known, rewards.score, 0)
    order = np.lexsort((score, known, rewards.question))
    return order, (rewards.question[order], known[order], score[order])


def share_ties(
    value: np.ndarray,  # Value of every sample
    keys: tuple[np.ndarray, ...],  # What is equal in a block of ties
) -> np.ndarray:
    "Mean value of each block of equal keys, in every place of the block."
    changes = [np.diff(key, prepend=key[0]) != 0 for key in keys]
    block = np.cumsum(np.any(changes, axis=0))
    return (np.bincount(block, value) / np.bincount(block))[block]


def sum_by_rank(
    value: np.ndarray,  # Values, sorted within questions
    n: np.ndarray,  # Samples per question
    k: int | ArrayLike,  # Budgets
    order_weights: Callable,  # Maps samples and budgets to the weight of each rank
    top: float = np.inf,  # Largest sum that there can be
) -> np.ndarray:  # In the shape of the questions and of `k`
    "Sums of values by the weights of their ranks."
    n, _, k = check_counts(n, 0, k)
    table = np.minimum(_add_weighted(value, n, np.atleast_1d(k), order_weights), top)
    return table.reshape(n.shape + k.shape)


def _add_weighted(value, n, k, order_weights):
    "Sum of order weights and values that are sorted within questions, shape `(Q, K)`."
    out, first = np.empty((len(n), len(k))), np.cumsum(n) - n
    for size in distinct(n)[0].tolist():
        same = np.flatnonzero(n == size)
        rows = value[first[same, None] + np.arange(size)]
        width = max(1, 2**22 // size)
        for i in range(0, len(k), width):
            out[same, i:i+width] = rows @ order_weights(size, k[i:i+width])
    return out


def refuse_endless(
    rewards: Rewards,  # Reward of every sample
) -> None:
    "Refuse rewards that are missing or infinite."
    bad = ~np.isfinite(rewards.score)
    if not bad.any(): return
    name = rewards.questions.tolist()[rewards.question[bad.argmax()]]
    raise ValueError(f"rewards must be finite, got {rewards.score[bad][0]} "
                     f"at question {name!r} ({bad.sum()} of {bad.size} fail)")
