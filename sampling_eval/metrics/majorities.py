"Numerics of cons@k: one budget by the urn, a whole curve from chances of ties, very large budgets."
from __future__ import annotations

import numpy as np

from ..foundations.credit import majority_credit
from ..foundations.urn import MOST_DRAWS, mean_above, mean_credit

__all__ = ["mostly_right", "sum_ties"]

FEW = 4096  # Budgets that are looked at one by one where one of them is very large


def mostly_right(
    n: np.ndarray,  # Samples, a column `(S, 1)`
    c: np.ndarray,  # Correct ones, in the same shape
    k: np.ndarray,  # Budgets, shape `(K,)`
) -> np.ndarray:  # Shape `(S, K)`
    "Chance that more than half of a k-subset is correct."
    if k.max() > MOST_DRAWS and len(k) < FEW:
        return np.concatenate([_one_budget(n, c, k[i:i + 1]) for i in range(len(k))], 1)
    if len(k) == 1 or k.sum() < n.max():
        return mean_credit(c, n - c, k, majority_credit)
    rows = max(1, 2**21 // int(n.max()))
    blocks = [slice(i, i + rows) for i in range(0, len(n), rows)]
    return np.concatenate([sum_ties(n[block], c[block], k) for block in blocks])


def _one_budget(n, c, k):
    if k[0] <= MOST_DRAWS: return mean_credit(c, n - c, k, majority_credit)
    b = int(k[0])
    pairs = zip(n.ravel().tolist(), c.ravel().tolist())
    return np.array([[mean_above(m, right, b, b // 2 + 1)[0]] for m, right in pairs])


def sum_ties(n: np.ndarray, c: np.ndarray, k: np.ndarray) -> np.ndarray:
    "cons@k at every budget from the chances of a tie, in the shapes of `mostly_right`."
    few, many = np.minimum(c, n - c), np.maximum(c, n - c)
    t = np.arange(n.max() // 2 + 1.)
    left = np.maximum(n - 2 * t, 1)
    pairs = np.maximum(few - t, 0) * (many - t) / (left * np.maximum(left - 1, 1))
    tie, odd = np.ones(left.shape), np.zeros(left.shape)
    tie[:, 1:] = np.cumprod(2 * (2 * t + 1) / (t + 1) * pairs, 1)[:, :-1]
    gain = tie * (many - few) / (2 * left)
    # a majority of the fewer side at 2t + 1: the gains above t, added from the top
    odd[:, :-1] = np.cumsum(gain[:, :0:-1], 1)[:, ::-1]
    half = k // 2
    odd = odd[:, half] + (few == many) / 2
    even = np.where(k % 2, 0, tie[:, half] / left[:, half])
    fewer, more = odd - even * (few - half), 1 - (odd + even * (many - half))
    value = np.where(k == 1, c / n, np.where(c == few, fewer, more))
    return np.where(k == n, 2 * c > n, value)
