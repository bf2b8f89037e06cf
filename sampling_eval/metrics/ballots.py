"""Votes with weights, and votes of a few of the tries: how many subsets an answer wins.

An answer wins at a level, a number of votes or a sum of weights, where all others stay below it or
tie with it. Ties are counted by powers of y: their integral from 0 to 1 is the chance to win one.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import lgamma, remainder

import numpy as np

from ..foundations.urn import draws

__all__ = ["MOST_APART", "nodes_and_weights", "binomial_table", "fits_floats", "common_step",
           "heaviest_wins", "first_left_chances", "group_votes", "wide_share"]

# Samples of which floats can count all subsets.
MOST_APART = 1029
# Numbers in the tables of one question, and sums that are listed where weights have no step.
MOST_CELLS, MOST_SUMS = 2**24, 2**17
BLOCK = 2**20


@lru_cache(64)
def nodes_and_weights(
    degree: int,  # Largest power of a polynomial
) -> tuple[np.ndarray, np.ndarray]:  # Points of [0, 1] and their weights
    "Points of [0, 1] and weights that integrate polynomials of this degree."
    # powers beyond a thousand are smooth to rounding at far fewer nodes
    few = min(degree // 2 + 1, int(3 * degree**.5) + 200)
    x, w = np.polynomial.legendre.leggauss(few)
    return (x + 1) / 2, w / 2


def binomial_table(
    n: int,  # Largest number to choose from
    k: int,  # Largest number chosen
) -> np.ndarray:  # `C(i, j)` for `i` up to `n` and `j` up to `k`
    "Pascal's triangle as floats."
    table = np.zeros((n + 1, k + 1))
    table[:, 0] = 1
    for l in range(k): table[1:, l+1] = np.cumsum(table[:-1, l])
    return table


def fits_floats(
    n: int,  # Number to choose from
    k: int,  # Number chosen
) -> bool:
    "Whether `C(n, k)` and all smaller ones are within float64."
    width = min(k, n // 2)
    return lgamma(n + 1) - lgamma(width + 1) - lgamma(n - width + 1) < 709.78


def _split_ties(ties, rivals):
    "Nodes for the power of y, which counts ties; a tie is lost under `wrong`."
    return (np.zeros(1), np.ones(1)) if ties == "wrong" else nodes_and_weights(rivals)


# Sums of weights

def common_step(
    weights: np.ndarray,  # Finite weights of at least 0
) -> float:  # 0 if there is none
    "The largest step of which all weights are multiples, to a part in 10^12 of the largest."
    most, step = float(weights.max()), 0.
    if most == 0: return 1.
    for weight in np.unique(weights).tolist():
        # Euclid's greatest common divisor; its remainders lose digits, which the mean gives back
        while weight > 1e-9 * most: step, weight = weight, abs(remainder(step, weight))
    units = np.rint(weights / step)
    step = float(weights.sum() / units.sum())
    return step if np.abs(units * step - weights).max() <= 1e-12 * most else 0.


def heaviest_wins(
    weights: Sequence[np.ndarray],  # Weights of the samples of each answer
    blank: int,  # Samples without an answer
    credit: np.ndarray,  # What each answer earns, in [0, 1]
    top: int,  # Largest subset
    ties: str,  # `"expected"` or `"wrong"`
    step: float | None,  # Weights are rounded to its multiples; None to find it
) -> np.ndarray:  # Sum of credits over all subsets of `0..top` samples, shape `(top + 1,)`
    """Sum over subsets of what the answer of the largest sum of weights earns.

    Raises: `ValueError` where there are too many sums to count.
    """
    ways = np.zeros(top + 1)
    if not credit.any(): return ways
    tables = _tabulate(weights, top, step)
    for a in np.flatnonzero(credit):
        others = [table for b, table in enumerate(tables) if b != a]
        ways += credit[a] * _count_wins(tables[a], others, top, ties)
    return np.convolve(ways, binomial_table(blank, top)[blank])[:top+1]


def _tabulate(weights, top, step):
    "Of each answer, how many subsets have a size and a sum: rows are sizes, columns sums."
    every, given = np.concatenate(weights), step is not None
    count, step = len(every) + len(weights), step if given else common_step(every)
    if step:
        units = [np.rint(own / step) for own in weights]
        width = max(own.sum() for own in units) + 1
        if count * width <= MOST_CELLS:
            return [_add_units(own.astype(int), int(width), top) for own in units]
    if not given and sum(2.**len(own) for own in weights) <= MOST_SUMS:
        return _list_sums(weights, top)
    most = max(own.sum() for own in weights)
    coarse = 10**np.ceil(np.log10(most / (MOST_CELLS / count - len(every))))
    found = f"step={step:.3g}" if step else "weights without a common step"
    raise ValueError(f"these weights have too many sums to count, got {found} for {len(every)} "
                     f"samples; round the weights to multiples of step={coarse:.3g} or more")


def _add_units(units, width, top):
    "The table of whole weights."
    table = np.zeros((min(len(units), top) + 1, width))
    table[0, 0] = 1
    for unit in units: table[1:, unit:] += table[:-1, :width-unit].copy()
    return table


def _list_sums(weights, top):
    "The tables of any weights; equal sums, to a part in 10^12, are one column."
    sums, sizes = zip(*map(_list_subsets, weights))
    every = np.concatenate(sums)
    order = np.argsort(every)
    new = np.diff(every[order], prepend=0) > 1e-12 * every[order]
    level = np.empty(len(every), int)
    level[order] = np.cumsum(new)
    width, tables = int(level.max()) + 1, []
    for own, size in zip(np.split(level, np.cumsum(list(map(len, sums)))[:-1]), sizes):
        table = np.bincount(size * width + own, minlength=(size.max() + 1) * width)
        tables.append(table.reshape(-1, width)[:top+1].astype(float))
    return tables


def _list_subsets(weights):
    "Sum and size of every subset."
    sums, sizes = np.zeros(1), np.zeros(1, int)
    for weight in weights: sums, sizes = np.r_[sums, sums + weight], np.r_[sizes, sizes + 1]
    return sums, sizes


def _count_wins(own, others, top, ties):
    "Subsets of `0..top` samples in which an answer has the largest sum; others are all voters."
    levels = np.flatnonzero(own[:, 1:].any(0)) + 1  # a sum of 0 wins nothing
    y, w = _split_ties(ties, len(others))
    below = [np.cumsum(table, 1) - table for table in others]
    ways, blocks = np.zeros(top + 1), -(-len(levels) * len(y) * (top + 1) // BLOCK)
    for level in np.array_split(levels, max(blocks, 1)):
        product = np.ones((len(y), 1, len(level)))
        for less, table in zip(below, others):
            rival = less[:, level] + y[:, None, None] * table[:, level]
            product = _multiply(product, rival, top)
        rest = np.tensordot(w, product, 1)
        for j in range(1, len(own)):
            fits = rest[:top+1-j]
            ways[j:j+len(fits)] += fits @ own[j, level]
    return ways


def _multiply(product, rival, top):
    "Products of polynomials along the second axis, up to the power `top`."
    size, degree = product.shape[1], rival.shape[1] - 1
    out = np.zeros((product.shape[0], min(size + degree, top + 1), product.shape[2]))
    for l in range(degree + 1):
        fits = product[:, :top+1-l]
        out[:, l:l+fits.shape[1]] += rival[:, l:l+1] * fits
    return out


# Votes of the surest

def first_left_chances(
    n: int,  # Samples in all
    k: int,  # Samples of a subset
    kept: int,  # The best of them, which vote
    table: np.ndarray,  # Binomials up to `C(n, k)`
) -> np.ndarray:  # Chances of `0..n`, shape `(n + 1,)`
    """Chance that the first sample left out of the vote has so many better ones.

    All `n` where nobody is left out.
    """
    better = np.arange(n)
    if kept == k: return np.r_[np.zeros(n), 1.]
    ways = table[better, kept] * table[n - 1 - better, k - kept - 1]
    return np.r_[ways / table[n, k], 0.]


def group_votes(
    above: np.ndarray,  # Votes of each answer among samples that come first
    group: np.ndarray,  # Its votes among samples that are equally sure
    blank: tuple[int, int],  # Samples without an answer above, and in the group
    credit: np.ndarray,  # What each answer earns, in [0, 1]
    top: int,  # Largest vote
    ties: str,  # `"expected"` or `"wrong"`
) -> np.ndarray:  # Values of `0..top` votes, shape `(g - 1, top + 1)`
    """What the vote of some earns among all above and `1..g - 1` of a group in random order.

    The mean over the orders; 0 where there are fewer samples than votes.
    """
    ways = _mixed_wins(above, group, blank, credit, ties)
    g, first = ways.shape[0] - 1, ways.shape[1] - 1
    table, mean = binomial_table(g + first, g + first), np.zeros((g - 1, top + 1))
    for p in range(1, g):
        for m in range(1, min(top, first + p) + 1):
            t = np.arange(max(0, m - first), min(p, m) + 1)
            mean[p-1, m] = table[p, t] / table[g, t] @ ways[t, m-t] / table[first+p, m]
    return mean


def _mixed_wins(above, group, blank, credit, ties):
    """Sum of credits over subsets, by the samples of the group and of those above.

    The shape is `(g + 1, a + 1)`.
    """
    shape = group.sum() + blank[1] + 1, above.sum() + blank[0] + 1
    total, votes = np.zeros(shape), above + group
    table = binomial_table(max(shape), max(shape))
    for a in np.flatnonzero(credit):
        for j in range(1, votes[a] + 1):
            # who has fewer than j votes in all can neither win nor tie
            rival = (votes >= j) & (np.arange(len(votes)) != a)
            free = (votes < j) & (np.arange(len(votes)) != a)
            y, w = _split_ties(ties, int(rival.sum()))
            product = np.ones((len(y), 1, 1))
            for up, side in zip(above[rival], group[rival]):
                product = _spread(product, _pairs(table, up, side, j, y))
            up, side = above[free].sum() + blank[0], group[free].sum() + blank[1]
            ways = np.tensordot(w, product, 1)[None]
            for kind in _pairs(table, up, 0, up + 1), _pairs(table, 0, side, side + 1):
                ways = _spread(ways, kind)
            # exactly j: what would be a tie, without those that have fewer
            mine = table, above[a], group[a], j
            own = _pairs(*mine, np.ones(1)) - _pairs(*mine)
            total += credit[a] * _spread(ways, own)[0]
    return total


def _pairs(table, up, side, most, y=None):
    """Ways to draw from both kinds, fewer than `most` in all; shape `(nodes, side + 1, up + 1)`.

    With nodes also `most` in all, a tie.
    """
    ways = np.outer(table[side, :side+1], table[up, :up+1])
    size = np.add.outer(np.arange(side + 1), np.arange(up + 1))
    if y is None: return np.where(size < most, ways, 0)[None]
    return np.where(size < most, ways, np.where(size == most, y[:, None, None] * ways, 0))


def _spread(product, rival):
    "Products of polynomials in two powers."
    _, side, up = rival.shape
    out = np.zeros((len(product), product.shape[1] + side - 1, product.shape[2] + up - 1))
    for q, p in zip(*np.nonzero(rival.any(0))):
        out[:, q:q+product.shape[1], p:p+product.shape[2]] += rival[:, q, p, None, None] * product
    return out


# Thousands of samples

def wide_share(
    row: np.ndarray,  # Votes of the answer, samples that abstain, votes of the others
    k: int,  # Samples that vote
    ties: str,  # `"expected"` or `"wrong"`
) -> float:  # To 13 decimals
    """Chance that one answer wins among `k` samples, where binomials are beyond floats.

    Each sample is picked with chance `p` near `k/n` on its own: given that `k` are, every
    k-subset is equally likely. So a binomial becomes the chance of so many picks, and no number
    is above 1. The coefficient of `x^k` is a mean over the unit circle, which also counts the
    coefficients of `k` plus and minus multiples of the number of roots. These are at most the
    chances of so many picks: by Bernstein's inequality ten standard deviations reach far enough.
    """
    own, blank, n = int(row[0]), int(row[1]), int(row.sum())
    p = k / (n + 1)
    x, whole, mine = _roots(n, p), _picks(n, p)[k], _picks(own, p)
    sizes, times = np.unique(row[2:][row[2:] > 0], return_counts=True)
    chance = _pick_table(sizes, own, p)
    power, fewer, total = np.ones_like(x), np.zeros((len(sizes), len(x)), complex), 0
    for j in range(min(own, k) + 1):
        level = chance[:, j, None] * power
        # what is too rare to change the 16th decimal is left out
        if j and mine[j] > 1e-18 * whole:
            degree = min(int(times[sizes >= j].sum()), (k - j) // j)
            total = total + mine[j] * power * _beat(fewer, level, times, degree, ties)
        fewer, power = fewer + level, power * x
    total = total * (1 - p + p * x)**blank * x**-k
    return min(max(total.mean().real / whole, 0), 1)


def _picks(size, p):
    "Chances of `0..size` picks among so many samples, each picked with chance `p`."
    return draws(np.float64(p), np.float64(1 - p), size, step=0)


def _roots(n, p):
    "Roots of unity, so many that other counts of picks have chances below rounding."
    reach = 50 / 3 + np.sqrt((50 / 3)**2 + 100 * n * p * (1 - p))
    points = min(n + 1, int(reach) + 2)
    return np.exp(2j * np.pi * np.arange(points) / points)


def _pick_table(sizes, top, p):
    "Chances of `0..top` picks among the samples of each answer."
    chance = np.zeros((len(sizes), top + 1))
    for i, size in enumerate(sizes): chance[i, :size+1] = _picks(int(size), p)[:top+1]
    return chance


def _beat(fewer, level, times, degree, ties):
    "The product over the others, a tie counted as the chance to win it; one per root."
    y, w = _split_ties(ties, degree)
    return sum(b * ((fewer + a * level)**times[:, None]).prod(0) for a, b in zip(y, w))
