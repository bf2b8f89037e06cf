"Laws of many budgets, and draws from long urns: against scipy, fractions and exact sums."

from math import comb, fsum, lgamma, log

import numpy as np
import pytest
from scipy import stats

from sampling_eval.foundations.long_draws import (
    add_factors,
    are_dense,
    draw_one_by_one,
    integrate_factors,
    list_law,
    log_missed,
    LONG,
    mean_above,
    near_mean,
    smooth_law,
)


@pytest.mark.parametrize(
    "k, dense",
    [
        ([5], False),
        ([1, 2, 3, 4], True),
        ([1, 100], False),
        ([4, 8], True),
        ([2, 16], False),
        ([16, 16], False),
        ([8, 4], False),
        (range(1, 513), True),
        (range(1, 514), False),
    ],
    ids=str,
)
def test_budgets_that_stand_close(k, dense):
    "Eight times their sum reaches the square of the largest."
    assert bool(are_dense(np.array(k))) == dense


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_laws_one_ball_after_the_other(step):
    right, wrong, k = np.array([0, 3, 7]), np.array([9, 6, 2]), np.array([1, 2, 5])
    laws = list(draw_one_by_one(right, wrong, k, step))
    assert [law.shape for law in laws] == [(3, 2), (3, 3), (3, 6)]
    for size, law in zip(k, laws):
        j = np.arange(size + 1)
        for row, r, w in zip(law, right, wrong):
            if step == -1:
                want = stats.hypergeom.pmf(j, r + w, r, size)
            elif step == 0:
                want = stats.binom.pmf(j, size, r / (r + w))
            else:
                want = stats.betabinom.pmf(j, size, r, w) if r else (j == 0) * 1.0
            assert row == pytest.approx(want, abs=1e-14)


def log_exact(n, few, many):
    "The chance that `few` draws miss `many`, by binomial coefficients."
    if few > n - many:
        return -np.inf
    return log(comb(n - many, few)) - log(comb(n, few)) if n < 3000 else (
        lgamma(n - many + 1) - lgamma(n - many - few + 1) - lgamma(n + 1) + lgamma(n - few + 1)
    )


CASES = [(10, 3, 4), (10, 5, 5), (10, 6, 5), (2000, 7, 1500), (2000, 40, 50), (5, 0, 2), (9, 1, 9)]


def test_chances_to_miss():
    n, few, many = np.array(CASES).T
    found = log_missed(n, few, many)
    assert found == pytest.approx([log_exact(*case) for case in CASES], rel=1e-10, abs=1e-15)
    assert log_missed(np.array([[10]]), np.array([3]), 4).shape == (1, 1)
    assert log_missed(10**6, 800, 10**6 - 900) == -np.inf, "below all floats"
    repeated = log_missed(*(np.resize(o, 700) for o in (n, few, many)))
    assert np.array_equal(repeated[:7], found) and np.array_equal(repeated[693:], found)


@pytest.mark.parametrize("few", [LONG, LONG + 1, 50_000])
@pytest.mark.parametrize("n, many", [(10**9, 90_000), (10**6, 500), (10**12, 10**7)])
def test_long_sums_are_integrals(n, few, many):
    few, many = min(few, many), max(few, many)
    exact = np.log1p(-many / (n - np.arange(few, dtype=float))).sum()
    assert log_missed(n, few, many) == pytest.approx(exact, rel=1e-12)
    column = (np.array([[o]]) for o in (n, few, many))
    assert integrate_factors(*column)[0] == pytest.approx(exact, rel=1e-11)


def test_factors_of_rows_of_their_own():
    n, few, many = np.array([[20], [30]]), np.array([[2], [5]]), np.array([[4], [25]])
    want = [log_exact(20, 2, 4), log_exact(30, 5, 25)]
    assert add_factors(n, few, many) == pytest.approx(want)
    sure = add_factors(np.array([[6]]), np.array([[4]]), np.array([[3]]))
    assert sure[0] == -np.inf


@pytest.mark.parametrize("n, c, k", [(30, 12, 9), (500, 490, 300), (2000, 3, 1000)])
def test_the_law_near_its_mean(n, c, k):
    for fewest in 0, 2, min(c, k):
        j, weight = near_mean(n, c, k, fewest)
        want = stats.hypergeom.pmf(j + fewest, n, c, k)
        assert weight / weight.sum() == pytest.approx(want / want.sum(), rel=1e-9, abs=1e-300)
        assert want.sum() == pytest.approx(1, abs=1e-12)
        chance, mean = mean_above(n, c, k, fewest)
        assert chance == pytest.approx(stats.hypergeom.sf(fewest - 1, n, c, k), rel=1e-9)
        every = np.arange(fewest, min(c, k) + 1)
        beyond = (every - fewest) @ stats.hypergeom.pmf(every, n, c, k)
        assert mean == pytest.approx(beyond, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("n, c, k", [(10**10, 4 * 10**9, 3 * 10**9), (10**11, 10**10, 6 * 10**10)])
@pytest.mark.parametrize("part", [-3, 0, 2])
def test_laws_of_billions_are_smooth(n, c, k, part):
    "Beyond 65,536 numbers the sum is an integral; the law is close to a normal one."
    mean = c * k / n
    sd = (k * (c / n) * (1 - c / n) * (n - k) / (n - 1)) ** 0.5
    fewest = round(mean + part * sd)
    chance, beyond = mean_above(n, c, k, fewest)
    z = (fewest - 0.5 - mean) / sd
    assert chance == pytest.approx(stats.norm.sf(z), rel=2e-4)
    want = sd * (stats.norm.pdf(z) - z * stats.norm.sf(z))
    assert beyond == pytest.approx(want, rel=2e-3)


@pytest.mark.parametrize(
    "n, c, k",
    [(10**6, 400_000, 300_000), (10**6 + 3, 400_003, 300_007), (400_009, 150_013, 120_007)],
    ids=["a whole mean", "a broken mean", "fewer balls"],
)
def test_the_smooth_law_is_the_law(n, c, k):
    mean = c * k // n
    fewest = mean + 100
    edges = np.array([-2000.0, fewest - mean, 2001.0]) - 0.5
    j, weight = smooth_law(n, c, k, mean, edges, fewest)
    numbers = np.arange(mean - 2000, mean + 2001)
    plain, listed = list_law(n, c, k, numbers, fewest)
    listed = listed / listed[2000]
    assert weight.sum() == pytest.approx(listed.sum(), rel=1e-9)
    above, own = j > -0.5, plain >= 0
    assert weight[above].sum() == pytest.approx(listed[own].sum(), rel=1e-9)
    assert weight[above] @ j[above] == pytest.approx(listed[own] @ plain[own], rel=1e-9)


def test_long_sums_of_several_rows_and_over_many_balls():
    "The last row draws so many of the balls that the ends of the sum count."
    n, few, many = np.array([[10**9, 5000, 90_000], [10**6, 4500, 6000], [23_000, 4100, 4100]]).T
    exact = [fsum(np.log1p(-b / (m - np.arange(a, dtype=float)))) for m, a, b in zip(n, few, many)]
    assert log_missed(n, few, many) == pytest.approx(exact, rel=1e-12)
    columns = (one[:, None] for one in (n, few, many))
    assert integrate_factors(*columns) == pytest.approx(exact, rel=1e-11)
