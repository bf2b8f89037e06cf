"Draws from an urn: laws, mean credits, pairs of halves and variances, by listing."

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from sampling_eval.foundations.credit import any_credit, MOST_CREDITS, share_credit
from sampling_eval.foundations.urn import (
    draws,
    laws,
    mean_credit,
    pair,
    second_moment,
    WIDEST,
    within_variance,
)


def law_of(step, right, wrong, k):
    j = np.arange(k + 1)
    if step == -1:
        return stats.hypergeom.pmf(j, right + wrong, right, k)
    if step == 0:
        return stats.binom.pmf(j, k, right / (right + wrong))
    return stats.betabinom.pmf(j, k, right, wrong)


@pytest.mark.parametrize("step", [-1, 0, 1])
@pytest.mark.parametrize("k", [0, 1, 2, 5, 9])
def test_laws_of_draws(step, k):
    urns = [(4, 6), (9, 1), (1, 9), (5, 5), (7, 3)]
    right, wrong = np.array(urns).T
    found = draws(right, wrong, k, step)
    assert found.shape == (5, k + 1)
    for row, urn in zip(found, urns):
        assert row == pytest.approx(law_of(step, *urn, k), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("step", [-1, 0])
def test_urns_of_one_colour(step):
    assert draws([5, 0], [0, 5], 3, step).tolist() == [[0, 0, 0, 1], [1, 0, 0, 0]]
    assert draws(3, 4, 2).shape == (3,) and (draws(3, 4, 2) == draws(3, 4, 2, -1)).all()


def test_laws_beyond_what_is_written_out():
    with pytest.raises(ValueError, match=f"need k <= {MOST_CREDITS} for a law of k draws"):
        draws(1, 1, MOST_CREDITS + 1, 0)


@pytest.mark.parametrize("k", [[1, 2, 3, 4], [2, 9], [9, 2]], ids=["dense", "apart", "turned"])
def test_laws_of_several_budgets(k):
    right, wrong = np.array([4, 8]), np.array([6, 2])
    for size, law in zip(k, laws(right, wrong, np.array(k))):
        assert law == pytest.approx(draws(right, wrong, size), rel=1e-12, abs=1e-15)


def odd_credit(k):
    return (np.arange(k + 1) % 2) * 0.9 + 0.05


@pytest.mark.parametrize("credit", [any_credit, share_credit, odd_credit])
@pytest.mark.parametrize("step", [-1, 0, 1])
def test_mean_credits(credit, step):
    right, wrong, k = np.array([4, 9, 1]), np.array([6, 1, 9]), np.array([1, 3, 7])
    found = mean_credit(right, wrong, k, credit, step)
    for i, (r, w) in enumerate(zip(right, wrong)):
        want = [law_of(step, r, w, b) @ credit(b) for b in k]
        assert found[i] == pytest.approx(want, rel=1e-12)
    plain = mean_credit(right, wrong, k, credit)
    assert (plain == mean_credit(right, wrong, k, credit, -1)).all()


@pytest.mark.parametrize("k", [10, 40])
def test_credits_near_one_keep_what_they_lack(k):
    "One wrong ball of many: all but a few digits are nines."
    found = 1 - mean_credit([60], [40], np.array([k]), any_credit)[0, 0]
    exact = Fraction(comb(40, k), comb(100, k))
    assert found == pytest.approx(float(exact), rel=1e-12, abs=2.0**-53)


@pytest.mark.parametrize("h", [[0, 1], [0, 1, 1], [0.2, 0.5, 0.1, 0.9]], ids=len)
def test_pairs_of_halves(h):
    "Of 2k draws in any order the first half and the second."
    h, k = np.array(h, float), len(h) - 1
    want = []
    for s in range(2 * k + 1):
        ways = [comb(k, j) * comb(k, s - j) if 0 <= s - j <= k else 0 for j in range(k + 1)]
        products = [w * h[j] * h[s - j] for j, w in enumerate(ways) if w]
        want.append(sum(products) / comb(2 * k, s))
    assert pair(h) == pytest.approx(want)
    both = pair(np.stack([h, 1 - h], -1))
    assert both[:, 0] == pytest.approx(want) and both[:, 1] == pytest.approx(pair(1 - h))


def test_pairs_beyond_what_is_written_out():
    with pytest.raises(ValueError, match=f"need k <= {WIDEST} for a variance, got k={WIDEST + 1}"):
        pair(np.zeros(WIDEST + 2))


@pytest.mark.parametrize("credit", [any_credit, share_credit, odd_credit])
@pytest.mark.parametrize("k, n", [(1, 2), (1, 7), (2, 4), (3, 9)])
def test_variances_within_are_unbiased(credit, k, n):
    "Over all numbers of right samples their mean is the variance of the estimate."
    c, budget = np.arange(n + 1), np.array([k])
    found = within_variance(np.full(n + 1, n), c, budget, credit)[:, 0]
    value = mean_credit(c, n - c, budget, credit)[:, 0]
    for p in 0.13, 0.5, 0.8:
        law = stats.binom.pmf(c, n, p)
        assert law @ found == pytest.approx(law @ value**2 - (law @ value) ** 2, abs=1e-14)
    if credit is not odd_credit:
        assert found[[0, -1]] == pytest.approx(0, abs=1e-16)


def test_variances_need_twice_the_budget():
    with pytest.raises(ValueError, match=r"need n >= 2k .*, got n=5, k=3 \(1 of 2 fail\)"):
        within_variance(np.array([6, 5]), np.array([1, 1]), np.array([1, 3]), any_credit)


@pytest.mark.parametrize("step", [-1, 0, 1])
@pytest.mark.parametrize("k", [1, 3])
def test_products_of_two_trials(step, k):
    right, wrong = np.array([5, 3]), np.array([3, 7])
    found = second_moment(right, wrong, np.array([k]), odd_credit, step)[:, 0]
    for i, (r, w) in enumerate(zip(right, wrong)):
        total, h = 0.0, odd_credit(k)
        for j in range(k + 1):
            after = law_of(step, r + step * j, w + step * (k - j), k)
            total += law_of(step, r, w, k)[j] * h[j] * (np.nan_to_num(after) @ h)
        assert found[i] == pytest.approx(total, rel=1e-9)
