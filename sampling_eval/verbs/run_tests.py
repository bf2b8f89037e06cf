"""Exact tests of whether runs differ, or agree, more than independent samples of a question would.

Arrays in, p values out. A table of kinds has a row per question and a column per run: samples of
one question are alike where their kinds are equal, and `ABSENT` marks a sample that is not there.
All is conditional on the samples of each question, whose order says nothing if they are
independent. Where only counts are known, p is an upper bound over all distributions of difficulty.
"""
from __future__ import annotations

from itertools import combinations
from math import comb, erfc, exp, fsum, lgamma, log, sqrt

import numpy as np

from ..foundations import urn
from ..records import dataclass

__all__ = ["ABSENT", "LARGE", "Cochran", "Pairs", "bound_copies", "bound_reruns", "bound_shares",
           "bound_stopping", "cochran_test", "first_sample_test", "last_sample_test",
           "mark_sorted", "pair_test", "poisson_binomial", "poisson_binomial_test",
           "rough_cochran", "share_disagreeing"]

ABSENT = -1
LARGE = 4096  # Questions beyond which a sum of coins is taken for a normal one
STATES = 100_000  # Sorted totals times subsets of runs beyond which Cochran's Q is permuted
SPACE = 50_000_000  # Permuted outcomes beyond which its chi-square approximation is taken
BLOCK = 2**22  # Outcomes that are permuted at once


# Sums of independent 0 or 1.

def poisson_binomial(
    means: np.ndarray,  # Mean of each, in [0, 1]
) -> np.ndarray:  # Probability of each total, shape `(len(means) + 1,)`
    "The exact distribution of a sum of independent 0 or 1."
    found = np.ones(1)
    # Every term is positive, so that small probabilities keep their digits.
    for mean, size in zip(*np.unique(means, return_counts=True)):
        found = np.convolve(found, convolve_power(np.array([1 - mean, mean]), int(size)))
    return found


def convolve_power(one: np.ndarray, size: int) -> np.ndarray:
    "The distribution of a sum of several independent numbers of one distribution."
    found = np.ones(1)
    while size:
        if size & 1: found = np.convolve(found, one)
        size >>= 1
        if size: one = np.convolve(one, one)
    return found


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


# Two runs that agree.

@dataclass(frozen=True, eq=False)
class Pairs:
    "All pairs of runs: arrays of shape `(P,)`."
    first: np.ndarray  # Position of one run
    second: np.ndarray  # Position of the other, which is larger
    differ: np.ndarray  # Questions on which they differ
    shared: np.ndarray  # Questions that both have
    p: np.ndarray  # Chance that as few differ


def share_disagreeing(
    kinds: np.ndarray,  # Kinds, shape `(Q, R)`
) -> np.ndarray:  # In [0, 1]; 0 below two samples, shape `(Q,)`
    "The share of pairs of samples that differ, for each question."
    n = (kinds != ABSENT).sum(1)
    question, _, codes = code_kinds(kinds)
    _, first, size = np.unique(codes, return_index=True, return_counts=True)
    alike = np.bincount(question[first], size * (size - 1.), len(kinds))
    return 1 - np.where(n > 1, alike / np.maximum(n * (n - 1), 1), 1)


def code_kinds(kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    "Question and run of each sample, and a code of its question and kind."
    question, run = np.nonzero(kinds != ABSENT)
    return question, run, question * (int(kinds.max()) + 1) + kinds[question, run]


def pair_test(
    kinds: np.ndarray,  # Kinds, shape `(Q, R)`
) -> Pairs:
    """Whether two runs agree too often, for every pair of runs.

    Value: given a question's samples, two runs are any two of them and differ with the chance
    `share_disagreeing`; `p` is the lower tail of the sum over questions.
    """
    share, present = share_disagreeing(kinds), (kinds != ABSENT).astype(float)
    first, second = np.triu_indices(kinds.shape[1], 1)
    shared = (present.T @ present)[first, second]
    differ = shared - count_alike(kinds)[first, second]
    if (kinds != ABSENT).all():
        p = np.cumsum(poisson_binomial(share))[differ.astype(int)]
    else: p = find_tails(share, present, first, second, differ)
    return Pairs(first, second, differ.astype(int), shared.astype(int), np.minimum(p, 1))


def count_alike(kinds: np.ndarray) -> np.ndarray:
    "Questions on which each run agrees with each other one, shape `(R, R)`."
    _, run, codes = code_kinds(kinds)
    row = np.unique(codes, return_inverse=True)[1].ravel()
    holds = np.zeros((int(row.max(initial=-1)) + 1, kinds.shape[1]))
    holds[row, run] = 1
    return holds.T @ holds


def find_tails(share: np.ndarray, present: np.ndarray, first: np.ndarray, second: np.ndarray,
               differ: np.ndarray) -> np.ndarray:
    "Lower tails of pairs that have different questions; 1 where as many differ as expected."
    mean = (present.T @ (share[:, None] * present))[first, second]
    tails: dict[bytes, np.ndarray] = {}
    p = np.ones(len(first))
    for pair in np.flatnonzero(differ < mean):
        both = (present[:, first[pair]] * present[:, second[pair]]) > 0
        key = np.packbits(both).tobytes()
        if key not in tails: tails[key] = np.cumsum(poisson_binomial(share[both]))
        p[pair] = tails[key][int(differ[pair])]
    return p


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


# A run that is far off: Cochran's Q.

@dataclass(frozen=True)
class Cochran:
    "Cochran's Q of the questions that every run has."
    q: float  # The statistic; NaN where no question is flaky
    p: float  # Probability of a value as large if samples are independent; NaN without Q
    method: str  # `exact`, `permutation` or `chi-square`
    permutations: int = 0  # Random ones


def cochran_test(
    outcomes: np.ndarray,  # Outcomes of 0 and 1, or `ABSENT`, shape `(Q, R)`
    permutations: int = 9999,  # Random ones, where the exact distribution is out of reach
) -> Cochran:
    """Whether some runs are right more often than others.

    Value: exact over all orders of the samples within each question, by a dynamic programme over
    sorted totals; beyond `STATES` permuted, beyond `SPACE` outcomes approximated by chi-square.
    """
    table = keep_flaky(outcomes)
    q = find_cochran(table)
    if not len(table): return Cochran(q, float("nan"), "exact")
    distribution = list_squares(table)
    if distribution is not None:
        squares, chances = distribution
        seen = int((table.sum(0)**2).sum())
        return Cochran(q, min(1., float(chances[squares >= seen].sum())), "exact")
    if permutations * table.size > SPACE:
        return Cochran(q, chi_square_tail(q, table.shape[1] - 1), "chi-square")
    above = permute_squares(table, permutations, np.random.default_rng(0))
    return Cochran(q, (1 + above) / (1 + permutations), "permutation", permutations)


def rough_cochran(
    outcomes: np.ndarray,  # Outcomes of 0 and 1, or `ABSENT`, shape `(Q, R)`
) -> float:  # Chi-square approximation of the chance that runs differ as much; 1 without Q
    "A quick look at Cochran's Q, before the exact test."
    table = keep_flaky(outcomes)
    return chi_square_tail(find_cochran(table), table.shape[1] - 1) if len(table) else 1.


def keep_flaky(outcomes: np.ndarray) -> np.ndarray:
    "The questions that every run has, with some right and some wrong samples."
    whole = outcomes[(outcomes != ABSENT).all(1)].astype(np.int64)
    right = whole.sum(1)
    return whole[(right > 0) & (right < whole.shape[1])]


def find_cochran(table: np.ndarray) -> float:
    "Cochran's Q of flaky questions."
    if not len(table): return float("nan")
    runs, totals, right = table.shape[1], table.sum(0), table.sum(1)
    total = int(totals.sum())
    top = (runs - 1) * (runs * int((totals**2).sum()) - total**2)
    return top / (runs * total - int((right**2).sum()))


def chi_square_tail(q: float, degrees: int) -> float:
    "Upper tail of a chi-square distribution, by its finite sum: scipy takes longer to import."
    if not q > 0: return 1.
    half, odd = q / 2, degrees % 2
    # Terms of a Poisson distribution with mean q / 2, at whole numbers or at halves.
    powers = [i + odd / 2 for i in range(degrees // 2)]
    terms = (exp(power * log(half) - half - lgamma(power + 1)) for power in powers)
    return min(fsum(terms) + (erfc(half**.5) if odd else 0.), 1.)


def list_squares(table: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    "Sums of squared totals and their probabilities; None beyond `STATES`."
    runs, base = table.shape[1], len(table) + 1
    if base**runs >= 2**62: return None
    place = base**np.arange(runs)
    totals, chances = np.zeros((1, runs), np.int64), np.ones(1)
    for right in np.sort(table.sum(1)).tolist():
        if comb(runs, right) * len(totals) > STATES: return None
        # Which of the runs are right: all ways for one question.
        some = np.array(list(combinations(range(runs), right)))
        steps = (some[:, :, None] == np.arange(runs)).sum(1)
        moved = np.sort((totals[:, None] + steps).reshape(-1, runs), 1)
        _, first, code = np.unique(moved @ place, return_index=True, return_inverse=True)
        chances = np.bincount(code.ravel(), np.repeat(chances / len(steps), len(steps)))
        totals = moved[first]
    return (totals**2).sum(1), chances


def permute_squares(table: np.ndarray, permutations: int, rng: np.random.Generator) -> int:
    "How many random orders have a sum of squared totals as large."
    seen, above, left = int((table.sum(0)**2).sum()), 0, permutations
    small = table.astype(np.int8)
    while left:
        size = min(left, max(1, BLOCK // table.size))
        block = np.broadcast_to(small, (size, *table.shape)).reshape(-1, table.shape[1])
        orders = rng.permuted(block, axis=1).reshape(size, *table.shape)
        above += int(((orders.sum(1, dtype=np.int64)**2).sum(1) >= seen).sum())
        left -= size
    return above


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
