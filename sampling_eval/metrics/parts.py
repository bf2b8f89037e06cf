"Samples of several sources or kinds: counts checked, equal questions once, splits of a budget."
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..foundations.checks import faults, whole_numbers
from ..foundations.counts import check_counts, distinct_states

__all__ = ["count_by_limit", "distinct_rows", "check_part", "check_portfolio", "share_states",
           "take_budgets", "MOST_SPLITS", "check_splits", "Portfolio"]


def distinct_rows(
    counts: Sequence[np.ndarray],  # Several counts of each question, arrays of one shape
) -> tuple[list[np.ndarray], np.ndarray]:  # The same of distinct rows, and which a question has
    "Questions of which all counts are equal, once."
    shape, flat = counts[0].shape, [np.ravel(one) for one in counts]
    place = np.zeros(flat[0].size, np.int64)
    for one in flat:
        # Of what was told apart so far and the next count, the distinct pairs.
        *_, place = distinct_states(place, one)
    first = np.zeros(int(place.max()) + 1, np.int64)
    first[place] = np.arange(len(place))
    return [one[first] for one in flat], place.reshape(shape)


def count_by_limit(
    place: np.ndarray,  # Question of each success
    turn: np.ndarray,  # Where it came; NaN is none
    limits: np.ndarray,  # Limits in any order, shape `(T,)`
    size: int,  # Questions
    times: np.ndarray | None = None,  # Successes that each stands for; 1 each if None
) -> np.ndarray:  # Whole numbers, shape `(size, T)`
    "Successes of each question up to each limit, from one pass over them."
    order = np.argsort(limits)
    # The first limit that a success keeps; NaN is beyond all.
    first = np.searchsorted(limits[order], turn)
    width = len(limits) + 1
    count = np.bincount(place * width + first, times, size * width).reshape(size, width)
    solved = np.empty((size, len(limits)), np.int64)
    solved[:, order] = count[:, :-1].cumsum(1)
    return solved


def check_part(
    name: str,  # What the part is called
    part: ArrayLike,  # Its counts
    of: str,  # What it is part of
    n: np.ndarray,  # Tries per question
    m: np.ndarray,  # Tries that passed
    most: np.ndarray,  # Counts of the whole
) -> list[np.ndarray]:  # `n`, `m` and the part, in one shape
    """Counts of a part that are no larger than those of the whole.

    Raises: `ValueError` naming the first question where they are.
    """
    own = whole_numbers(name, part)
    try: n, m, own, most = np.broadcast_arrays(n, m, own, most)
    except ValueError:
        raise ValueError(f"{name} must fit n and judged, got shapes {own.shape} and "
                         f"{n.shape}") from None
    if (bad := (own < 0) | (own > most)).any():
        raise ValueError(f"need 0 <= {name} <= {of}, got {name}={own[bad][0]}, "
                         f"{of}={most[bad][0]}{faults(bad)}")
    return [n, m, own]


# Sources.

def check_portfolio(
    n: ArrayLike,  # Samples per question and source, shape `(Q, S)`
    c: ArrayLike,  # Right ones among them, same shape
    k: ArrayLike,  # Tries of each source, shape `(S,)`, or many splits, `(K, S)`
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # All as int64
    """Counts and tries with the sources on the last axis.

    Raises: `ValueError` or `TypeError` unless the shapes fit, every split has a try, and no
    source has more tries than samples.
    """
    n, c, _ = check_counts(n, c)
    k = whole_numbers("k", k)
    if n.ndim == 0 or k.ndim not in (1, 2) or n.shape[-1] != k.shape[-1]:
        raise ValueError("n, c and k must hold the same sources on their last axis, "
                         f"got shapes {n.shape} and {k.shape}")
    if (k < 0).any(): raise ValueError(f"need k >= 0 for every source, got {k.min()}")
    if (bad := k.sum(-1) == 0).any():
        got = k.tolist() if k.ndim == 1 else f"none in row {bad.argmax()}"
        raise ValueError(f"every split needs a try, got {got}")
    most = k if k.ndim == 1 else k.max(0)
    if (bad := most > n).any():
        where = np.argwhere(bad)[0]
        one = int(where[-1])
        raise ValueError(f"need k <= n for every source, got n={n[tuple(where)]}, k={most[one]} "
                         f"of source {one}{faults(bad.any(-1))}")
    return n, c, k


def share_states(
    n: np.ndarray,  # Samples per question and source, shape `(..., S)`
    c: np.ndarray,  # Right ones among them, same shape
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # Both of shape `(J, S)`; which a question has
    "Distinct counts of all sources, and which of them a question has."
    sources = n.shape[-1]
    flat = [one[..., source] for source in range(sources) for one in (n, c)]
    kinds, place = distinct_rows(flat)
    return np.stack(kinds[::2], 1), np.stack(kinds[1::2], 1), place[()]


def take_budgets(
    formula: Callable,  # A metric of `n`, `c` and budgets
    unused: float,  # Its value where a source has no try
    n: np.ndarray,  # Samples of one source, shape `(J,)`
    c: np.ndarray,  # Right ones among them
    k: np.ndarray,  # Its tries in each split, one number or shape `(K,)`
) -> np.ndarray:  # Shape `(J,)` or `(J, K)`
    "A metric at the tries of one source in each split."
    sizes, rights, state = distinct_states(n, c)
    budgets, place = np.unique(k, return_inverse=True)
    table = np.full((len(sizes), len(budgets)), unused)
    used = budgets > 0
    if used.any(): table[:, used] = formula(sizes, rights, budgets[used])
    # In the order of the splits first, while there are few rows.
    rows = table[:, place.ravel()][state.ravel()]
    return rows.reshape((*n.shape, *np.shape(k)))


# Splits of a budget.

MOST_SPLITS = 20_000  # More are refused


def check_splits(
    k: int,  # Tries in all
    most: ArrayLike,  # Most tries of each source, shape `(S,)`
    name: str = "k",  # What the tries are called
) -> tuple[int, np.ndarray]:  # The tries, and most of each source, at most as many
    """Tries that can be split over the sources, in not too many ways.

    Raises: `OptionError` otherwise.
    """
    tries = whole_numbers(name, k)
    if tries.ndim: raise OptionError(name, must="be an int", found=f"shape {tries.shape}")
    if tries < 1: raise OptionError(name, must="be at least 1", got=int(tries))
    own = np.minimum(np.atleast_1d(whole_numbers("most", most)), tries)
    total, sources = int(own.sum()), len(own)
    if total < tries:
        raise OptionError(name, must=f"be at most {total}, the samples of all sources",
                          got=int(tries))
    count = comb(int(tries) + sources - 1, sources - 1)
    # Those of two sources stand in one row, however many they are.
    limit = MOST_SPLITS if sources > 2 else 2**20
    if count > limit:
        raise OptionError(name, must=f"have at most {limit:,} splits over {sources} sources",
                          found=f"{int(tries)} with {count:,}",
                          hint="name splits in portfolio_at_k")
    return int(tries), own


@dataclass(frozen=True, eq=False, repr=False)
class Portfolio:
    "Every split of a budget over sources, with its value for each question."
    splits: np.ndarray  # Tries of each source, shape `(K, S)`
    values: np.ndarray  # Value of each question at each split, shape `(Q, K)`

    @cached_property
    def means(self) -> np.ndarray:  # Shape `(K,)`
        "Mean over questions at each split."
        return self.values.mean(0)

    @property
    def best(self) -> int:
        "Position of the split with the largest mean; the first of equal ones."
        return int(np.argmax(self.means >= self.means.max() - 1e-15))

    @property
    def best_split(self) -> np.ndarray:  # Shape `(S,)`
        "Tries of each source at the best split, chosen after looking."
        return self.splits[self.best]

    def find(
        self,
        split: ArrayLike,  # Tries of each source, shape `(S,)`
    ) -> int:  # Its position
        "Position of a split among all."
        here = (self.splits == np.asarray(split)).all(1)
        if here.any(): return int(here.argmax())
        raise OptionError("split", must=f"be one of {len(self.splits)} splits of "
                          f"k={self.splits[0].sum()}", found=f"{np.asarray(split)}")

    def gains(
        self,
        split: ArrayLike,  # The split that others are held against, shape `(S,)`
    ) -> np.ndarray:  # Value less that of `split`, per question, shape `(Q, K)`
        "Paired differences of every split with one of them."
        return self.values - self.values[:, [self.find(split)]]

    def __repr__(self) -> str:
        best = " + ".join(map(str, self.best_split.tolist()))
        return (f"Portfolio({len(self.values)} questions, {len(self.splits)} splits of "
                f"{self.splits[0].sum()}, best {best}: {self.means[self.best]:.4f})")
