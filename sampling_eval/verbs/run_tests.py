"""Exact tests of a run's total, of copies, and of numbers of samples that depend on outcomes.

Arrays in, p values out. A table of kinds has a row per question and a column per run: samples of
one question are alike where their kinds are equal, and `ABSENT` marks a sample that is not there.
All is conditional on the samples of each question, whose order says nothing if they are
independent. Where only counts are known, p is an upper bound over all distributions of difficulty.
Pairs of runs and Cochran's Q are tested by `inference.rerun`.
"""
from __future__ import annotations

from math import comb, erfc, exp, lgamma, log, sqrt

import numpy as np

from ..foundations import urn
from ..inference.rerun import ABSENT, poisson_binomial

__all__ = ["LARGE", "bound_copies", "bound_reruns", "bound_shares", "bound_stopping",
           "first_sample_test", "last_sample_test", "mark_sorted", "poisson_binomial_test"]

LARGE = 4096  # Questions beyond which a sum of coins is taken for a normal one


def poisson_binomial_test(
    total: int,  # Sum of independent 0 or 1
    means: np.ndarray,  # Mean of each, shape `(Q,)`
) -> float:  # Twice the smaller tail, at most 1
    "Two-sided p value of a sum of independent 0 or 1 with different means."
    if len(means) <= LARGE: return two_sided(poisson_binomial(means), total)
    mean, variance = means.sum(), (means * (1 - means)).sum()
    return max(erfc(max(abs(total - mean) - .5, 0) / sqrt(2 * variance)), 1e-12)


def two_sided(distribution: np.ndarray, seen: int) -> float:
    "Twice the smaller tail, at most 1."
    return min(1., 2 * float(min(distribution[:seen + 1].sum(), distribution[seen:].sum())))


def bound_copies(
    kinds: np.ndarray,  # Kinds, shape `(Q, R)`
) -> tuple[float, int]:  # p, and how often each run stands there; 1 and 1 where none is seen
    """Whether every run stands there several times, such as the columns a, b, a, b.

    Value: an upper bound of the chance, over all distributions of difficulty and over all ways to
    divide the runs into such groups; for outcomes of 0 and 1 that are all there.
    """
    size = kinds.shape[1]
    _, group, times = np.unique(kinds, axis=1, return_inverse=True, return_counts=True)
    each = int(times.min()) if len(times) else 1
    if each < 2 or times.max() != each or len(times) < 2: return 1., 1
    if not np.isin(kinds, (0, 1)).all(): return 1., 1
    right = kinds.sum(1)
    flaky = int(((right > 0) & (right < size)).sum())
    ways = lgamma(size + 1) - len(times) * lgamma(each + 1) - lgamma(len(times) + 1)
    ways += log(sum(size % other == 0 for other in range(2, size)))
    return min(1., exp(min(0., ways + flaky * log(bound_one_copy(len(times), each))))), each


def bound_one_copy(groups: int, each: int) -> float:
    "The largest chance that the samples of a flaky question agree within given groups."
    size, p = groups * each, np.linspace(1e-3, .5, 500)
    chance = sum(comb(groups, j) * p**(j * each) * (1 - p)**(size - j * each)
                 for j in range(1, groups))
    # The margin covers what lies between two points of the grid.
    return min(1., 1.001 * float((chance / (1 - p**size - (1 - p)**size)).max()))


# Numbers of samples that depend on the outcomes.

def mark_sorted(
    outcomes: np.ndarray,  # Outcomes of 0 and 1, or `ABSENT`, shape `(Q, R)`
) -> np.ndarray:  # Whether every flaky question has its right samples first, and last
    "Whether samples were put in order of their outcomes, so that their places say nothing."
    held = outcomes != ABSENT
    right = ((outcomes == 1) & held).sum(1)
    flaky = (right > 0) & (right < held.sum(1))
    some, here = outcomes[flaky], held[flaky]
    seen = np.cumsum((some == 1) & here, 1)
    # Before a wrong sample stand all right ones, or none.
    wrong = here & (some != 1)
    found = [bool((seen == total)[wrong].all()) for total in (right[flaky][:, None], 0)]
    return np.array(found) & bool(flaky.any())


def first_sample_test(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    first: np.ndarray,  # Outcome of its first sample, 0 or 1
) -> float:  # Two-sided p, at most 1
    """Whether the first outcome says how many samples a question has.

    Value: Fisher's exact test of the questions with the fewest samples against all others.
    """
    if n.min() == n.max(): return 1.
    few = n == n.min()
    right = int(first.sum())
    return two_sided(urn.draws(right, len(n) - right, int(few.sum())), int(first[few].sum()))


def last_sample_test(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    c: np.ndarray,  # Right ones among them
    last: np.ndarray,  # Outcome of its last sample, 0 or 1
) -> float:  # Two-sided p, at most 1
    """Whether questions with fewer samples than others end with a right, or a wrong, sample.

    Value: given its counts, the last sample of a question is right with chance `c / n`.
    """
    short = n < n.max()
    if not short.any(): return 1.
    return two_sided(poisson_binomial((c / n)[short]), int(last[short].sum()))


def bound_stopping(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    ordered: bool = False,  # Whether the right sample is also known to be the last one
) -> float:
    """How likely each question with fewer samples than others has exactly one right, at most.

    Value: the product of the largest chances over all difficulties, `n p (1 - p)^(n - 1)` at
    `p = 1 / n`; without the factor `n` where the right one is the last.
    """
    short = n[(n < n.max()) & (n > 1)].astype(float)
    logs = (short - 1) * np.log1p(-1 / short) - (np.log(short) if ordered else 0)
    return exp(float(logs.sum()))


def bound_reruns(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    c: np.ndarray,  # Right ones among them
) -> float:
    """Whether questions with the fewest samples are all right, or all wrong, and no other is.

    Value: an upper bound of the chance over all distributions of difficulty, if the number of
    samples has nothing to do with outcomes; 1 where the counts look otherwise.
    """
    few = n == n.min()
    if few.all(): return 1.
    for count in (c, n - c):
        if (count == n)[few].all() and not (count == n)[~few].any():
            return min(1., 2 * exp(bound_pattern(int(few.sum()), n[~few], int(n.min()))))
    return 1.


def bound_pattern(fewest: int, others: np.ndarray, size: int) -> float:
    "Largest log chance that some questions are all right, and no other: `E p^n >= E(p^m)^(n/m)`."
    share = np.linspace(0, 1, 20_001)[1:-1]
    sizes, times = np.unique(others, return_counts=True)
    logs = fewest * np.log(share)
    for other, count in zip(sizes.tolist(), times.tolist()):
        logs = logs + count * np.log1p(-share**(other / size))
    return float(logs.max()) + 1e-3


def bound_shares(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    c: np.ndarray,  # Right ones among them
) -> float:  # Two-sided p, at most 1
    """Whether questions with the fewest samples are right more often, or less, than all others.

    Value: an upper bound over all distributions of difficulty. For each mean the two groups have
    independent Chernoff bounds `u` and `v`, and `P(U V <= w) <= w (1 - log w)`.
    """
    few, share = n == n.min(), c / n
    if few.all(): return 1.
    one, other, sizes = share[few].mean(), share[~few].mean(), (few.sum(), (~few).sum())
    mean = np.linspace(min(one, other), max(one, other), 2001)
    logs = sizes[0] * diverge(one, mean) + sizes[1] * diverge(other, mean)
    w = -float(logs.min())
    return min(1., 2 * exp(w) * (1 - w))


def diverge(share: float, mean: np.ndarray) -> np.ndarray:
    "Kullback-Leibler divergence of two coins."
    with np.errstate(divide="ignore", invalid="ignore"):
        right = np.where(share > 0, share * np.log(share / mean), 0.)
        wrong = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - mean)), 0.)
    return np.nan_to_num(right + wrong, nan=np.inf, posinf=np.inf)
