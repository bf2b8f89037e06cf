"""Tests of whether the runs of a log are independent: pairs too alike, and a run that stands apart.

`nbs/inference/rerun.ipynb` derives them.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import erfc, exp, fsum, lgamma, log

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.checks import faults, is_masked, make_array, list_entries
from ..foundations.counts import Counts
from .rerun import cochran_q, poisson_binomial, squares_distribution

__all__ = ["ABSENT", "Pairs", "pair_test", "share_disagreeing", "Cochran", "cochran_test",
           "rough_cochran", "runs_too_alike", "run_effect"]


# Runs too alike

ABSENT = -1  # No try of this question in this run


@dataclass(frozen=True, eq=False)
class Pairs:
    "All pairs of runs: arrays of shape `(P,)`."
    first: np.ndarray  # Position of one run
    second: np.ndarray  # Position of the other, which is larger
    differ: np.ndarray  # Questions on which they differ
    shared: np.ndarray  # Questions that both have
    p: np.ndarray  # Chance that as few differ
    blind: bool = False  # Whether no outcome could have shown a copy

    @cached_property
    def holm(self) -> np.ndarray:  # Shape `(P,)`
        "P values adjusted for the number of pairs."
        # What ranks systems takes long to import.
        from .ranking import holm
        return holm(self.p)


def pair_test(
    kinds: np.ndarray,  # Kinds, or `ABSENT`, shape `(Q, R)`
) -> Pairs:  # With the chance that as few questions differ
    """Whether two runs agree too often, for every pair of runs.

    Value: given a question's tries, two runs are any two of them and differ with the
    chance `share_disagreeing`; `p` is the lower tail of the sum over questions.
    """
    share, present = share_disagreeing(kinds), (kinds != ABSENT).astype(float)
    first, second = np.triu_indices(kinds.shape[1], 1)
    shared = (present.T @ present)[first, second]
    differ = shared - count_alike(kinds)[first, second]
    if (kinds != ABSENT).all():
        p = np.cumsum(poisson_binomial(share))[differ.astype(int)]
    else: p = agreement_tails(share, present, first, second, differ)
    blind = not ((share > 0) & (share < 1)).any()
    shared = shared.astype(int)
    return Pairs(first, second, differ.astype(int), shared, np.minimum(p, 1), blind)


def share_disagreeing(
    kinds: np.ndarray,  # Kinds, shape `(Q, R)`; tries are alike where these are equal
) -> np.ndarray:  # In [0, 1]; 0 below two tries, shape `(Q,)`
    "The share of pairs of tries that differ, for each question."
    n = (kinds != ABSENT).sum(1)
    question, _, codes = code_kinds(kinds)
    _, first, size = np.unique(codes, return_index=True, return_counts=True)
    alike = np.bincount(question[first], size * (size - 1.), len(kinds))
    return 1 - np.where(n > 1, alike / np.maximum(n * (n - 1), 1), 1)


def code_kinds(kinds):
    "Question and run of each try, and a code of its question and kind."
    question, run = np.nonzero(kinds != ABSENT)
    return question, run, question * (int(kinds.max()) + 1) + kinds[question, run]


def count_alike(kinds):
    "Questions on which each run agrees with each other one, shape `(R, R)`."
    _, run, codes = code_kinds(kinds)
    row = np.unique(codes, return_inverse=True)[1].ravel()
    holds = np.zeros((int(row.max(initial=-1)) + 1, kinds.shape[1]))
    holds[row, run] = 1
    return holds.T @ holds


def agreement_tails(share, present, first, second, differ):
    "Lower tails of pairs with different questions; 1 where as many differ as expected."
    mean = (present.T @ (share[:, None] * present))[first, second]
    tails: dict[bytes, np.ndarray] = {}
    p = np.ones(len(first))
    for pair in np.flatnonzero(differ < mean):
        both = (present[:, first[pair]] * present[:, second[pair]]) > 0
        key = np.packbits(both).tobytes()
        if key not in tails: tails[key] = np.cumsum(poisson_binomial(share[both]))
        p[pair] = tails[key][int(differ[pair])]
    return p


# A run that stands apart

SPACE = 50_000_000  # Drawn outcomes beyond which the chi-square approximation is taken
BLOCK = 2**22  # Outcomes that are drawn at once


@dataclass(frozen=True)
class Cochran:
    "Cochran's Q of the questions that every run has."
    q: float  # The statistic; NaN where no question is flaky
    p: float  # Chance of a value as large if tries are independent; NaN without Q
    p_alike: float  # Chance of a value as small: totals too alike; NaN without Q
    method: str  # `exact`, `permutation` or `chi-square`
    permutations: int = 0  # Random ones

    def __repr__(self):
        drawn = f", {self.permutations} orders" if self.permutations else ""
        return (f"Cochran(q={self.q:.4g}, p={self.p:.4g}, p_alike={self.p_alike:.4g}, "
                f"{self.method}{drawn})")


def cochran_test(
    outcomes: np.ndarray,  # Outcomes of 0 and 1, or `ABSENT`, shape `(Q, R)`
    permutations: int = 9999,  # Random ones, where the exact distribution is out of reach
) -> Cochran:  # With both tails
    """Whether some runs are right more often than others.

    Value: exact over all orders of the tries within each question, by a dynamic
    programme over sorted totals; beyond `STATES` permuted, beyond `SPACE` outcomes
    approximated by chi-square.
    """
    table = keep_flaky(outcomes)
    q = cochran_q(table)
    if not len(table): return Cochran(q, q, q, "exact")
    distribution = squares_distribution(table)
    seen = int((table.sum(0)**2).sum())
    if distribution is not None:
        squares, chances = distribution
        above, below = chances[squares >= seen].sum(), chances[squares <= seen].sum()
        return Cochran(q, min(1., float(above)), min(1., float(below)), "exact")
    if permutations * table.size > SPACE:
        above = chi_square_tail(q, table.shape[1] - 1)
        return Cochran(q, above, 1 - above, "chi-square")
    above, equal = permute_squares(table, permutations, np.random.default_rng(0))
    tails = (above, permutations - above + equal)
    p, alike = ((1 + tail) / (1 + permutations) for tail in tails)
    return Cochran(q, p, alike, "permutation", permutations)


def rough_cochran(
    outcomes: np.ndarray,  # Outcomes of 0 and 1, or `ABSENT`, shape `(Q, R)`
) -> float:  # Chi-square approximation of the chance that runs differ as much; 1 without Q
    "A quick look at Cochran's Q, before the exact test."
    table = keep_flaky(outcomes)
    if not len(table): return 1.
    return chi_square_tail(cochran_q(table), table.shape[1] - 1)


def keep_flaky(outcomes):
    "The questions that every run has, with some right and some wrong tries."
    whole = outcomes[(outcomes != ABSENT).all(1)].astype(np.int64)
    right = whole.sum(1)
    return whole[(right > 0) & (right < whole.shape[1])]


def chi_square_tail(q, degrees):
    "Upper tail of a chi-square distribution by its finite sum; scipy imports slowly."
    if not q > 0: return 1.
    half, odd = q / 2, degrees % 2
    # Terms of a Poisson distribution with mean q / 2, at whole numbers or at halves.
    powers = [i + odd / 2 for i in range(degrees // 2)]
    terms = (exp(power * log(half) - half - lgamma(power + 1)) for power in powers)
    return min(fsum(terms) + (erfc(half**.5) if odd else 0.), 1.)


def permute_squares(table, permutations, rng):
    "How many random orders have squared totals as large, and how many the same."
    seen, above, equal, left = int((table.sum(0)**2).sum()), 0, 0, permutations
    small = table.astype(np.int8)
    while left:
        size = min(left, max(1, BLOCK // table.size))
        block = np.broadcast_to(small, (size, *table.shape))
        orders = rng.permuted(block.reshape(-1, table.shape[1]), axis=1)
        totals = orders.reshape(size, *table.shape).sum(1, dtype=np.int64)
        squares = (totals**2).sum(1)
        above += int((squares >= seen).sum())
        equal += int((squares == seen).sum())
        left -= size
    return above, equal


# The tests, from a table of outcomes


def runs_too_alike(
    outcomes: ArrayLike,  # 0 or 1, a row for each question, a column for each run
) -> Pairs:  # P values of all pairs, `holm` adjusted; `blind` where none could be small
    """Exact test of whether two runs agree more often than independent ones.

    Parameters:
        outcomes  0 or 1, a row for each question, a column for each run
        return    P values of all pairs, `holm` adjusted; `blind` where none could be small

    Raises: `ValueError` or `TypeError` for counts, or rows of unequal length: the run
    of each try is needed.
    """
    return pair_test(table_runs(outcomes))


def run_effect(
    outcomes: ArrayLike,  # 0 or 1, a row for each question, a column for each run
    permutations: int = 9999,  # Random ones, where the exact distribution is out of reach
) -> Cochran:  # Q with both tails, and how they were found
    """Test of whether one run, or one position, is right more often than others.

    Parameters:
        outcomes      0 or 1, a row for each question, a column for each run
        permutations  Random ones, where the exact distribution is out of reach
        return        Q with both tails, and how they were found

    Raises: `ValueError` or `TypeError` for counts, or rows of unequal length: the run
    of each try is needed.
    """
    return cochran_test(table_runs(outcomes), permutations)


def table_runs(outcomes):
    "A table of 0 and 1 with two runs at least."
    rows = [] if isinstance(outcomes, Counts) else list_entries("outcomes", outcomes, "rows of 0/1")
    if not rows or any(make_array("outcomes", row).ndim == 0 for row in rows):
        raise TypeError("the run of each try is needed, got counts: pass outcomes 0 "
                        "or 1, a row for each question, a column for each run")
    lengths = {np.size(row) for row in rows}
    if len(lengths) > 1:
        raise ValueError("every question needs a try of every run, got rows of "
                         f"{min(lengths)} to {max(lengths)} tries")
    table = make_array("outcomes", rows)
    if is_masked(outcomes) or table.dtype.kind not in "biuf":
        raise TypeError(f"outcomes must be 0 or 1, got dtype {table.dtype}")
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError("need a row for each question and two runs at least, "
                         f"got shape {table.shape}")
    if (bad := ((table != 0) & (table != 1)).any(1)).any():
        odd = table[bad][0]
        raise ValueError("outcomes must be 0 or 1, got "
                         f"{odd[(odd != 0) & (odd != 1)][0]}{faults(bad)}")
    return table.astype(np.int64)
