"""Numerics of sign flips and permutations: many budgets at once, exact where that is short enough.

`sign_flips` flips the sign of each question's difference, `permutations` deals the samples of each
question anew; both end in a `PValue`.
"""
from __future__ import annotations

from functools import lru_cache, partial, reduce
from math import gcd, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.checks import make_array, make_generator
from ..foundations.counts import check_counts, distinct_states, per_question
from ..foundations.credit import Credit, resolve_credit, share_credit
from ..foundations.urn import draws as urn_draws, mean_credit
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


def flip_by_adding(steps):
    "P value from the distribution of the sum, one question added after another."
    law, top = np.zeros(int(np.abs(steps).sum()) + 1), 0
    law[0] = 1
    for step in np.sort(np.abs(steps)):
        # Halving before adding keeps every term positive: tiny tails keep digits.
        half = law[:top + 1] / 2
        law[:top + 1] = half
        law[step:step + top + 1] += half
        top += int(step)
    return float(min(1., 2 * law[:(top - abs(int(steps.sum()))) // 2 + 1].sum()))


def flip_by_halves(z):
    "P value from two lists of sums; every sum of one is looked up in the other."
    def list_sums(part):
        return reduce(lambda sums, v: np.r_[sums - v, sums + v], part, np.zeros(1))
    left, right = np.sort(list_sums(z[::2])), list_sums(z[1::2])
    # A little slack keeps ties that rounding has split.
    limit = abs(z.sum()) - 1e-10 * np.abs(z).sum()
    beyond = len(left) - np.searchsorted(left, limit - right)
    return float(min(1., 2 * (beyond / 2**len(z)).sum()))


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


def sign_flips(
    z: np.ndarray,  # Differences of distinct units at each budget, shape `(U, K)`
    state: np.ndarray | None = None,  # Row of each question or group; all once if None
    *,
    draws: int = 9999,  # As in `sign_flip`
    rng: int | np.random.Generator | None = None,  # Seed or generator; None is seed 0
) -> list[PValue]:  # Two-sided p values, one a budget
    "The sign flip at every budget; what is approximated is computed for all at once."
    check_draws(draws)
    state = np.arange(len(z)) if state is None else state
    columns = [scale_differences(column[state]) for column in z.T]
    found = [flip_exactly(column) for column in columns]
    rest = [i for i, p in enumerate(found) if p is None]
    if rest:
        chances = flip_by_saddle(z[:, rest], np.bincount(state, minlength=len(z)))
        near = flip_nearly([columns[i] for i in rest], chances.tolist(), draws, rng)
        for i, p in zip(rest, near): found[i] = p
    return found


def flip_nearly(columns, chances, draws, rng):
    "The p values by the saddlepoint, small ones by draws."
    pairs = zip(chances, columns)
    found = [name_flip(p, "saddlepoint (approximate)", z) for p, z in pairs]
    small = [i for i, p in enumerate(chances) if p < .01]
    counted = count_small([columns[i] for i in small], draws, rng)
    for i, p in zip(small, counted):
        found[i] = name_flip(p, f"{draws} draws", columns[i])
    return found


def scale_differences(z):
    "The differences that are none by rounding left out, of a usual size."
    largest = np.abs(z).max()
    if largest > 0 and not 1e-3 < largest < 1e3: z = z / largest
    return z[np.abs(z) > 1e-12]


def flip_exactly(z):
    "The exact test; None where no exact route is short enough."
    if len(z) == 0: return name_flip(1., "exact", z)
    steps = common_steps(z)
    if steps is not None: return name_flip(flip_by_adding(steps), "exact", z)
    if len(z) <= 40: return name_flip(flip_by_halves(z), "exact", z)
    return None


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


def name_flip(p, how, z):
    least = min(1., 2. * 2.**-len(z))
    return PValue(p, f"sign-flip, {how}", SYMMETRIC, "new_questions", least)


def pool_tables(n_a, c_a, n_b, c_b):
    "Distinct tables `(n_a, n_b, right in both)` and how often each occurs."
    rows = np.stack([n_a, n_b, c_a + c_b], 1)
    # Where all samples agree, every deal looks the same.
    open_rows = (rows[:, 2] > 0) & (rows[:, 2] < rows[:, 0] + rows[:, 1])
    tables, times = np.unique(rows[open_rows], axis=0, return_counts=True)
    return [tuple(row) for row in tables.tolist()], times.tolist()


def deal_table(n_a, n_b, right):
    "Possible numbers of right samples of A, and the chance of each."
    law = urn_draws([right], [n_a + n_b - right], n_a)[0]
    c = np.arange(max(0, right - n_b), min(n_a, right) + 1)
    return c, law[c]


def sum_on_lattice(tables, times, observed, most=2**22):
    "Both tails of the summed differences at `observed`; None on a long lattice."
    scale = lcm(*(n for n_a, n_b, _ in tables for n in (n_a, n_b)))
    lowest, laws = 0, []
    for (n_a, n_b, right), count in zip(tables, times):
        c, law = deal_table(n_a, n_b, right)
        # One right sample more for A takes 1/n_a + 1/n_b from the difference.
        step = scale // n_a + scale // n_b
        most_a = int(c[-1])
        lowest += count * ((right - most_a) * (scale // n_b) - most_a * (scale // n_a))
        laws.append((step, law[::-1], count))
    unit = gcd(*(step for step, _, _ in laws))
    length = 1 + sum(count * (len(law) - 1) * (step // unit)
                     for step, law, count in laws)
    if length > most: return None
    size = 2**int(np.ceil(np.log2(length + 1)))
    product = np.ones(size // 2 + 1, complex)
    for step, law, count in laws:
        spaced = np.zeros(size)
        spaced[:(len(law) - 1) * (step // unit) + 1:step // unit] = law
        product *= np.fft.rfft(spaced)**count
    whole = np.maximum(np.fft.irfft(product, size)[:length], 0)
    seen = round((observed * scale - lowest) / unit)
    return whole[:seen + 1].sum(), whole[seen:].sum()


def sum_by_draws(tables, times, observed, pay, draws, rng):
    "Both tails of the summed differences at each budget; budgets share the deals."
    total = np.zeros((draws, len(observed)))
    for (n_a, n_b, right), count in zip(tables, times):
        c, law = deal_table(n_a, n_b, right)
        gap, law = pay(n_b)[right - c] - pay(n_a)[c], law / law.sum()
        # Few copies of a table are dealt one by one, many by how often each deal comes.
        if count < len(c):
            dealt = rng.choice(len(c), (draws, count), p=law)
            for column in dealt.T: total += gap[column]
        else: total += rng.multinomial(count, law, draws) @ gap
    slack = 1e-10 * (1 + np.abs(total).max(0))
    low, high = (total <= observed + slack).sum(0), (total >= observed - slack).sum(0)
    return (1 + low) / (1 + draws), (1 + high) / (1 + draws)


def value_counts(n, k, credit):
    "Mean credit of 0 to `n` right samples at each budget; one draw pays the share."
    def mean(n, c, k): return np.where(k == 1, c / n, mean_credit(c, n - c, k, credit))
    return per_question(mean, np.int64(n), np.arange(n + 1), k)


def sum_values(pay, n, c):
    "Sum of the values of questions at each budget."
    sizes, rights, state = distinct_states(n, c)
    times = np.bincount(state)
    return sum(t * pay(n)[c] for n, c, t in zip(sizes, rights, times))


def least_tail(tables, times):
    "Chance of the clearest deal possible."
    laws = [deal_table(*table)[1] for table in tables]
    # With very many samples the clearest deal has a chance of 0 in floats.
    with np.errstate(divide="ignore"):
        ends = [sum(t * np.log(law[i]) for t, law in zip(times, laws)) for i in (0, -1)]
    return float(np.exp(min(ends)))


def permutations(
    n_a: ArrayLike,  # Samples of A per question, shape `(Q,)`
    c_a: ArrayLike,  # Correct ones among them
    n_b: ArrayLike,  # Samples of B on the same questions
    c_b: ArrayLike,  # Correct ones among them
    k: int | ArrayLike,  # Budgets, shape `(K,)`
    credit: str | Credit | None = None,  # As in `permutation`
    *,
    draws: int = 9999,  # As in `permutation`
    rng: int | np.random.Generator | None = None,  # Seed or generator; None is seed 0
) -> list[PValue]:  # Two-sided p values, one a budget
    "The permutation test at every budget; where deals are drawn, all share them."
    given = dict(n_a=n_a, c_a=c_a, n_b=n_b, c_b=c_b)
    n_a, c_a, n_b, c_b = (np.atleast_1d(make_array(*one)) for one in given.items())
    n_a, c_a, _ = check_counts(n_a, c_a, k)
    n_b, c_b, k = check_counts(n_b, c_b, k)
    check_draws(draws)
    check_sizes(n_a, n_b)
    credit_of = share_credit if credit is None else resolve_credit(credit)
    # Without a credit every budget pays the share, as one draw does.
    k = np.atleast_1d(np.ones_like(k) if credit is None else k)
    tables, times = pool_tables(n_a, c_a, n_b, c_b)
    if not tables: return [name_permutation(1., "exact", 1.)] * len(k)
    share, drawn = None, iter(())
    if (k == 1).any():
        share = permute_share(tables, times, (c_b / n_b - c_a / n_a).sum())
    rest = k if share is None else k[k > 1]
    if len(rest):
        value = partial(value_counts, k=rest, credit=credit_of)
        pay = lru_cache(32)(value)
        observed = sum_values(pay, n_b, c_b) - sum_values(pay, n_a, c_a)
        drawn = iter(permute_by_draws(tables, times, observed, pay, draws, rng))
    return [share if share and one == 1 else next(drawn) for one in k]


def check_sizes(n_a, n_b):
    "One number of samples a question, for the same questions."
    if n_a.ndim > 1 or n_b.ndim > 1:
        raise ValueError("counts must be one per question, "
                         f"got shapes {n_a.shape} and {n_b.shape}")
    if n_a.shape != n_b.shape:
        raise ValueError("A and B must hold the same questions, "
                         f"got {len(n_a)} and {len(n_b)}")


def permute_share(tables, times, observed):
    "The exact test of the share; None on a long lattice."
    tails = sum_on_lattice(tables, times, observed)
    if tails is None: return None
    return name_permutation(2 * min(tails), "exact", least_tail(tables, times))


def permute_by_draws(tables, times, observed, pay, draws, rng):
    "The test at each budget from drawn deals."
    rng = make_generator(rng)
    tails = sum_by_draws(tables, times, observed, pay, draws, rng)
    least = max(1 / (1 + draws), least_tail(tables, times))
    return [name_permutation(2 * tail, f"{draws} draws", least)
            for tail in np.minimum(*tails)]


def name_permutation(p, how, least):
    "The result of a test with the chance `least` of the clearest deal on one side."
    p = min(1., max(float(p), 1e-12))
    name = f"stratified permutation, {how}"
    return PValue(p, name, SAME_CHANCE, "same_questions", min(1., 2 * least))
