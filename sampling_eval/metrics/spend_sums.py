"Numerics and checks of spend@k: wrong tries in closed form, each state of a question once."
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.checks import faults, make_array
from .passk import pass_at_k

__all__ = ["add_rows", "count_wrong", "check_cost"]


def add_rows(
    missed: np.ndarray,  # Wrong tries of each state, shape `(S, K)`
    solved: np.ndarray,  # Right tries of each state, shape `(S, K)`
    place: np.ndarray,  # State of each question, shape `(Q,)`
    prices: np.ndarray,  # Prices of a wrong and of a right try, shape `(Q, 2)`
) -> np.ndarray:  # Shape `(Q, K)`
    "Both rows of each question's state, times their prices, added up."
    from scipy.sparse import csr_array
    # Two entries a row: each row of the result is written once and added to in place.
    ends, rows = np.arange(0, prices.size + 1, 2), np.r_[missed, solved]
    columns = np.stack([place, place + len(missed)], 1)
    return csr_array((prices.ravel(), columns.ravel(), ends),
                     shape=(len(place), len(rows))) @ rows


def count_wrong(
    n: np.ndarray,  # Samples
    c: np.ndarray,  # Right ones, in the same shape
    k: int | ArrayLike,  # Most tries; a 1-D array adds a last axis
) -> np.ndarray:
    "Wrong tries that are made before the first success, or the end."
    # the sum of C(n-c, j) / C(n, j) is a multiple of pass@k with one more right ball
    axes = (..., None) if np.ndim(k) else ...
    share, odds = ((n - c) / n)[axes], ((n - c) / (c + 1))[axes]
    more = pass_at_k(n, np.minimum(c + 1, n), k)
    return np.where(np.equal(k, 1), share, odds * more)


def check_cost(
    name: str,  # What the cost is called
    cost: ArrayLike,  # Mean cost of each question, or one for all
    unused: np.ndarray,  # Where no sample has this cost
) -> np.ndarray:  # In the shape of `unused`, 0 where it is not used
    "A mean cost of each question that is finite and at least 0."
    cost = make_array(name, cost)
    if cost.dtype.kind not in "iuf" or hasattr(cost, "mask"):
        raise TypeError(f"{name} must hold numbers, got dtype {cost.dtype}")
    try: cost = np.where(unused, 0, np.broadcast_to(cost, unused.shape)).astype(float)
    except ValueError:
        raise ValueError(f"{name} must hold one mean cost per question, shape "
                         f"{unused.shape}, got shape {cost.shape}") from None
    if (bad := ~(np.isfinite(cost) & (cost >= 0))).any():
        got = cost[bad][0] if bad.ndim else cost
        raise ValueError(f"need a finite mean cost {name} >= 0, got {got}{faults(bad)}")
    return cost
