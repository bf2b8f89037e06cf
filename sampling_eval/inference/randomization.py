"Numerics of sign flips and permutations: common steps, draws, the saddlepoint; and `PValue`."
from __future__ import annotations

from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from ..foundations.counts import distinct_states, per_question
from ..foundations.urn import mean_credit
from ..parameters import Target
from .quantiles import normal_chance


class PValue(NamedTuple):
    "A two-sided p value, how it was computed, and what it is a test of."
    value: float  # Chance of a difference at least as large under the null hypothesis
    method: str  # Name of the test
    null: str = ""  # The null hypothesis in words
    target: Target = "new_questions"  # The target that the null hypothesis belongs to
    smallest: float = 0.  # The smallest p value that data of this size can reach

    def __repr__(self): return f"p = {self.value:.3g} ({self.method})"


SAME_CHANCE = "the same chance on every question"
ZERO_MEAN = "mean difference zero over all questions of the kind"
SYMMETRIC = ZERO_MEAN + ", differences symmetric around it"


MOST_DRAWS = 10**7


def check_draws(draws):
    "A whole number of draws, as many as memory holds."
    kind = isinstance(draws, (int, np.integer)) and not isinstance(draws, bool)
    if kind and 1 <= draws <= MOST_DRAWS: return
    limit = f"at most {MOST_DRAWS:,}" if kind and draws > 1 else "at least 1"
    raise ValueError(f"draws must be a whole number of {limit}, got {draws!r:.60}")


def flip_by_draws(z, draws, rng):
    "P value from drawn signs, the observed table counted in."
    sizes, times = np.unique(np.abs(z).round(13), return_counts=True)
    # Few distinct sizes are drawn with their numbers, many one by one.
    if 8 * len(sizes) >= len(z): return float(draw_signs(z[:, None], draws, rng)[0])
    limit, beyond = abs(z.sum()) - 1e-10 * np.abs(z).sum(), 0
    for m in cut_draws(draws, len(sizes)):
        plus = rng.binomial(times, .5, (m, len(sizes))) @ sizes
        beyond += int((np.abs(2 * plus - np.abs(z).sum()) >= limit).sum())
    return (1 + beyond) / (1 + draws)


def draw_signs(z, draws, rng):
    "P values from signs drawn one by one, the same signs at all budgets `(Q, K)`."
    sizes, beyond = np.abs(z), np.zeros(z.shape[1], int)
    limit = np.abs(z.sum(0)) - 1e-10 * sizes.sum(0)
    for m in cut_draws(draws, len(z)):
        plus = draw_bits((m, len(z)), rng) @ sizes
        beyond += (np.abs(2 * plus - sizes.sum(0)) >= limit).sum(0)
    return (1 + beyond) / (1 + draws)


def draw_bits(shape, rng):
    "The bits of `rng.integers(0, 2, shape, np.int8)`, four of them from one word."
    count = int(np.prod(shape))
    words = rng.integers(0, 2**32, -(-count // 4), np.uint32)
    # NumPy takes the bytes of a word from the lowest on, and of each the highest bit.
    return (words.astype("<u4").view(np.uint8)[:count] >> 7).reshape(shape)


def cut_draws(draws, length):
    "Numbers of draws that fit into memory."
    rows = max(1, 2**22 // length)
    return [min(rows, draws - i) for i in range(0, draws, rows)]


def common_steps(z):
    "The differences as whole numbers of a common step; None if there is no short one."
    sizes, scale = np.abs(z).round(13), 1
    # Most tables without a step show it in their first rows.
    if not denominators_of(sizes[:16]).all(): return None
    below = denominators_of(sizes)
    for denominator in sorted(set(below.tolist())):
        scale = lcm(scale, denominator)
        if not 0 < scale < 10**20: return None
    above = np.rint(sizes * below).astype(int).tolist()
    whole = [v * (scale // w) for v, w in zip(above, below.tolist())]
    steps = [w // gcd(*whole) for w in whole]
    if sum(steps) * len(z) >= 2e8: return None
    return np.array(steps, np.int64) * np.sign(z).astype(int)


def denominators_of(
    x: np.ndarray,  # Numbers of at least 0, shape `(M,)`
    most: int = 10_000,  # Largest denominator
) -> np.ndarray:  # Denominators, 0 where no fraction is within 1e-12, shape `(M,)`
    "Denominators of the numbers, by their continued fractions."
    found, rest = np.zeros(len(x), int), x.copy()
    zeros, ones = np.zeros(len(x)), np.ones(len(x))
    above, below = (zeros, ones), (ones, zeros)
    for _ in range(30):
        whole = np.floor(rest)
        above = above[1], whole * above[1] + above[0]
        below = below[1], whole * below[1] + below[0]
        still = (found == 0) & (below[1] <= most)
        near = still & (np.abs(x - above[1] / below[1]) <= 1e-12)
        found[near] = below[1][near]
        if not (still & ~near).any(): break
        rest = 1 / np.where(rest > whole, rest - whole, 1)
    return found


def flip_by_saddle(
    z: np.ndarray,  # Differences of distinct units at each budget, shape `(U, K)`
    times: np.ndarray,  # How often each unit occurs, shape `(U,)`
) -> np.ndarray:  # Two-sided p values, shape `(K,)`
    "Chance that random signs give a sum at least as far from zero, by the saddlepoint."
    size = np.abs(z) / np.maximum(np.abs(z).max(0), 1e-300)
    share = np.where(z < 0, -size, size)
    seen = np.abs(np.einsum("u,uk->k", times, share))
    s, curve = tilt_signs(size, times, seen)
    pull, tilt = s * size, np.tanh(s * size)
    # The logarithm of cosh, for small and for large numbers without cancellation.
    near_zero = -np.log1p(-np.where(pull < 1, tilt, 0)**2) / 2
    far = pull + np.log1p(np.exp(-2 * pull)) - np.log(2)
    growth = np.where(pull < 1, near_zero, far)
    depth = s * seen - np.einsum("u,uk->k", times, growth)
    w, u = np.sqrt(np.maximum(2 * depth, 0)), s * np.sqrt(curve)
    # At a sum of 0 both terms are infinite, and their difference is 0.
    near = (w < 1e-4) | (u == 0)
    gap = 1 / np.where(near, 1, u) - 1 / np.where(near, 1, w)
    density = np.exp(-w**2 / 2) / (2 * np.pi)**.5
    return np.clip(2 * (normal_chance(-w) + density * gap), 0, 1)


def tilt_signs(size, times, seen):
    "Where the tilted signs have the sum that was seen, and their variance there."
    spread = np.einsum("u,uk->k", times, size**2)
    s = seen / np.maximum(spread, 1e-300)
    for _ in range(60):
        tilt = np.tanh(s * size)
        sums = np.einsum("u,uk->k", times, size * tilt)
        curve = np.einsum("u,uk->k", times, (size - size * tilt) * (size + size * tilt))
        # The slope falls, so that the steps only rise; at the largest sum without end.
        step = np.clip((seen - sums) / np.maximum(curve, 1e-300), 0, 50)
        s = s + step
        if (step <= 1e-12 * s).all(): break
    return s, curve


def scale_differences(z):
    "The differences that are none by rounding left out, of a usual size."
    largest = np.abs(z).max()
    if largest > 0 and not 1e-3 < largest < 1e3: z = z / largest
    return z[np.abs(z) > 1e-12]


def count_small(columns, draws, rng):
    "P values from drawn signs; with a seed budgets of one length share the signs."
    found, seed = {}, 0 if rng is None else rng
    for rows in share_signs(columns, isinstance(seed, np.random.Generator)):
        flip, z = flip_by_draws, columns[rows[0]]
        if len(rows) > 1: flip, z = draw_signs, np.stack([columns[i] for i in rows], 1)
        chances = flip(z, draws, np.random.default_rng(seed))
        found |= dict(zip(rows, np.atleast_1d(chances).tolist()))
    return [found[i] for i in range(len(columns))]


def share_signs(columns, apart):
    "Budgets whose signs are drawn together; apart those with few distinct sizes."
    groups = {}
    for i, z in enumerate(columns):
        few = 8 * len(np.unique(np.abs(z).round(13))) < len(z)
        groups.setdefault(-i - 1 if apart or few else len(z), []).append(i)
    return list(groups.values())


def value_counts(n, k, credit):
    "Mean credit of 0 to `n` right samples at each budget; one draw pays the share."
    def mean(n, c, k): return np.where(k == 1, c / n, mean_credit(c, n - c, k, credit))
    return per_question(mean, np.int64(n), np.arange(n + 1), k)


def sum_values(pay, n, c):
    "Sum of the values of questions at each budget."
    sizes, rights, state = distinct_states(n, c)
    times = np.bincount(state)
    return sum(t * pay(n)[c] for n, c, t in zip(sizes, rights, times))


