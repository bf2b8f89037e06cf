"These questions, run again: noise by exact laws, limits by published and enumerated coverage, refusals."
import warnings
from fractions import Fraction
from math import comb, exp

import numpy as np
import pytest
from scipy.stats import binom

from sampling_eval.foundations.credit import all_credit, any_credit, share_credit
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.inference.within import (Fixed, Law, Noise, add_unseen, fix_questions, gamma_quantile,
                                            split_by_size, upper_of_sum, within_questions)

pytestmark = pytest.mark.filterwarnings("error")


def majority(k): return (2 * np.arange(k + 1) > k) + .5 * (2 * np.arange(k + 1) == k)


def values_of(n, c, k, credit): return mean_credit(np.asarray(c), n - np.asarray(c), np.array([k]), credit)[:, 0]


def test_variance_of_pass_at_three():
    expected = [0, 9/100, 19/225, 149/2880, 29/1260, 1/144, 1/900, 1/14400, 0, 0, 0]
    np.testing.assert_allclose(within_questions(10, np.arange(11), 3, any_credit).variance, expected, atol=1e-15)


def test_variance_components_of_repeated_runs():
    p = np.array([.75, .25, 1, .5])
    noise = 4 * within_questions(4, [3, 1, 4, 2], 1, share_credit).variance.mean()
    assert noise == pytest.approx(.20833333333333331)
    assert p.var() - (noise - (p * (1 - p)).mean()) == pytest.approx(.02604166666666667)


@pytest.mark.parametrize("n,k", [(4, 1), (5, 2), (8, 4), (16, 3)])
@pytest.mark.parametrize("credit", [share_credit, any_credit, all_credit, majority])
def test_unbiased_where_two_subsets_fit(n, k, credit):
    c = np.arange(n + 1)
    value, noise = values_of(n, c, k, credit), within_questions(n, c, k, credit).variance
    for p in np.linspace(.02, .98, 13):
        law = binom.pmf(c, n, p)
        assert law @ noise == pytest.approx(law @ value**2 - (law @ value)**2, abs=1e-13)


@pytest.mark.parametrize("n,k", [(2, 2), (3, 2), (5, 3), (8, 5), (8, 7), (16, 15), (64, 63)])
@pytest.mark.parametrize("credit", [any_credit, all_credit, majority])
def test_above_half_the_samples_the_mean_noise_is_at_least_three_quarters(n, k, credit):
    c = np.arange(n + 1)
    value, noise = values_of(n, c, k, credit), within_questions(n, c, k, credit).variance
    for p in np.linspace(.005, .995, 100):
        law = binom.pmf(c, n, p)
        assert law @ noise >= .75 * (law @ value**2 - (law @ value)**2) - 1e-14


def test_redrawn_counts_by_fractions():
    n, c, k = 3, 1, 2
    p, value = Fraction(3, 8), [1 - Fraction(comb(n - i, k), comb(n, k)) for i in range(n + 1)]
    want = sum(comb(n, i) * p**i * (1 - p)**(n - i) * (value[i] - value[c])**2 for i in range(n + 1))
    assert within_questions(n, c, k, any_credit).variance[0] == pytest.approx(float(want), rel=1e-12)


def test_shapes_and_steps():
    n, c = np.array([8, 4, 3, 2]), np.array([3, 2, 1, 1])
    mixed = within_questions(n, c, [1, 2], any_credit)
    np.testing.assert_allclose(mixed.variance[:2], within_variance(n[:2, None], c[:2, None], np.array([1, 2]), any_credit))
    np.testing.assert_allclose(mixed.step, [[1/8, 1/4], [1/4, 1/2], [1/3, 2/3], [1/2, 1]])
    one = within_questions(n, c, 2, any_credit)
    assert one.variance.shape == (4,) and (one.step == mixed.at(1).step).all()
    both = one.minus(mixed.at(0))
    np.testing.assert_allclose(both.variance, mixed.variance.sum(1))
    assert (both.step == one.step).all()
    big = within_questions(3000, [0, 1, 1500, 2999, 3000], 3000, majority)
    assert np.isfinite(big.variance).all() and (big.variance >= 0).all()


def test_unseen_event_by_a_sample_with_one_more():
    "With N equal steps the moments are those of the random mean of N values and the end."
    x, end = [Fraction(i, 4) for i in (0, 1, 4, 2, 2)], Fraction(1)
    weights = [*x, end]
    mean = sum(weights) / 6
    second = sum((v - mean)**2 for v in weights) / (6 * 7)
    third = 2 * sum((v - mean)**3 for v in weights) / (6 * 7 * 8)
    m = sum(x) / 5
    variance, cubes = sum((v - m)**2 for v in x) / 5, sum((v - m)**3 for v in x) / 5
    law = add_unseen(float(m), float(variance) / 4, float(cubes) * 5 / 125, .2, 1 - float(m), 1.)
    assert law.mean == pytest.approx(float(mean), rel=1e-12)
    # The variance is that of the mean with its n - 1, as an unbiased estimate has it.
    assert law.variance == pytest.approx(float(second), rel=1e-12)


def test_rare_events_have_poisson_limits():
    for right, tail in (1, .025), (3, .005), (10, .025):
        law = add_unseen(right * 1e-5, right * 1e-10, right * 1e-15, 1e-5, 1, 1)
        rate = upper_of_sum([law], tail) * 1e5
        assert sum(exp(-rate) * rate**i / np.prod(np.arange(1., i + 1)) for i in range(right + 1)) == pytest.approx(tail, rel=2e-3)


@pytest.mark.parametrize("skew", [-1.9, -.5, -.02, .02, .5, 1.9])
@pytest.mark.parametrize("tail", [.4, .05, .025, .0005, 1e-7])
def test_sums_of_equal_laws_are_one_law(skew, tail):
    "Two gamma laws of one scale add up to a gamma law; the quadrature finds its quantile."
    one, two = Law(.2, .003, skew * .003**1.5), Law(.1, .006, skew * .003**.5 * .006)
    whole = Law(.3, .009, skew * .003**1.5 * 3)
    scale = skew * .003**.5 / 2
    want = .3 + gamma_quantile(scale, .009 / scale**2, tail)
    assert upper_of_sum([one, two], tail) == pytest.approx(want, abs=2e-7)
    assert upper_of_sum([whole], tail) == pytest.approx(want, abs=1e-12)
    assert upper_of_sum([one, Law(.1, 0., 0.)], tail) == pytest.approx(.1 + upper_of_sum([one], tail))


def test_strata_of_steps():
    rows = split_by_size(np.array([.5, 1., .26, .25, .1, .9]))
    assert [set(row.tolist()) for row in rows] == [{1, 5}, {0, 2}, {3}, {4}] or sum(map(len, rows)) == 6
    assert all(np.ptp(np.log2(np.array([.5, 1., .26, .25, .1, .9])[row])) < 1 for row in rows)


@pytest.mark.parametrize("n", [[4] * 6, [2, 64, 64, 64, 64, 64], [2, 8, 64, 1000, 1000, 1000]])
def test_limits_hold_the_mean_have_width_and_are_ordered(n):
    n = np.array(n)
    for c in n * 0, n, n // 2, np.where(np.arange(6) % 2, n, 0), np.minimum(n, 1):
        fixed = fix_questions(c / n, within_questions(n, c, 1, share_credit))
        ends = np.array([fixed.limits(tail) for tail in (.25, .05, .025, .005, .0005, 5e-7)])
        assert (np.diff(ends[:, 0]) <= 1e-9).all() and (np.diff(ends[:, 1]) >= -1e-9).all()
        assert (ends[:, 0] <= fixed.mean()).all() and (fixed.mean() <= ends[:, 1]).all() and (np.ptp(ends, 1) > 0).all()
        turned = fix_questions(1 - c / n, within_questions(n, n - c, 1, share_credit))
        np.testing.assert_allclose(turned.limits(.025), (1 - ends[2, 1], 1 - ends[2, 0]), atol=1e-9)


def test_histograms_are_repeats():
    value, times = np.array([0, .25, .5, 1]), [3, 0, 2, 5]
    noise = Noise(np.array([0, .04, .06, 0]), np.full(4, .25))
    short = fix_questions(value, noise, times=times)
    long = fix_questions(np.repeat(value, times), Noise(np.repeat(noise.variance, times), np.full(10, .25)))
    np.testing.assert_allclose([short.mean(), short.variance(), *short.limits(.025)], [long.mean(), long.variance(), *long.limits(.025)], rtol=1e-12)


def test_one_ragged_question_does_not_widen_all():
    n = np.r_[2, np.full(99, 64)]
    even = fix_questions(np.full(100, .5), within_questions(64, np.full(100, 32), 1, share_credit))
    odd = fix_questions(np.r_[.5, np.full(99, .5)], within_questions(n, n // 2, 1, share_credit))
    assert np.ptp(odd.limits(.025)) < 1.5 * np.ptp(even.limits(.025))


def test_coverage_of_one_question_by_enumeration():
    for n, k, credit in (8, 1, share_credit), (16, 1, share_credit), (16, 4, any_credit):
        c = np.arange(n + 1)
        value, noise = values_of(n, c, k, credit), within_questions(n, c, k, credit)
        ends = np.array([fix_questions(value[i:i + 1], Noise(noise.variance[i:i + 1], noise.step[i:i + 1])).limits(.025) for i in c])
        for p in np.linspace(.02, .98, 49):
            truth = binom.pmf(np.arange(k + 1), k, p) @ credit(k)
            assert binom.pmf(c, n, p)[(ends[:, 0] <= truth) & (truth <= ends[:, 1])].sum() > .93


@pytest.mark.parametrize("n,k,credit,chances", [
    (64, 63, majority, np.full(12, .5)), (64, 63, majority, np.linspace(.4, .6, 12)), (64, 48, majority, np.full(5, .47)), (16, 15, majority, np.full(20, .5)),
    (16, 12, any_credit, np.full(12, .05)), (16, 16, all_credit, np.full(12, .93))])
def test_coverage_above_half_the_samples(n, k, credit, chances):
    "The budgets at which the jackknife held 77.5 to 91.5 %: 2000 seeded runs, standard error .5 %."
    rng, table = np.random.default_rng(0), np.arange(n + 1)
    value, noise = values_of(n, table, k, credit), within_questions(n, table, k, credit)
    truth = np.mean([binom.pmf(np.arange(k + 1), k, p) @ credit(k) for p in chances])
    held = 0
    for c in rng.binomial(n, chances, (2000, len(chances))):
        low, high = fix_questions(value[c], Noise(noise.variance[c], noise.step[c])).limits(.025)
        held += low <= truth <= high
    assert held / 2000 > .93


def test_unknown_variances_take_the_spread():
    some = fix_questions([1, 0, 1, 0, 1], Noise(np.array([.1, np.nan, .1, .1, .1]), np.full(5, 1.)))
    assert some.kind == "within questions, 1 of 5 by an upper bound" and isinstance(some, Fixed)
    assert some.variance()**.5 == pytest.approx((.4 + .6**2 * 5 / 4)**.5 / 5)


ones = np.ones(2)


@pytest.mark.parametrize("call,message", [
    (lambda: within_questions([4], [5], 1, share_credit), "0 <= c <= n"), (lambda: within_questions([4], [2], 5, share_credit), "1 <= k <= n"),
    (lambda: within_questions([4.], [2], 1, share_credit), "integers"), (lambda: within_questions(np.ma.array([4, 4], mask=[0, 1]), [2, 2], 1, share_credit), "masked"),
    (lambda: within_questions(["4"], [2], 1, share_credit), "integers"), (lambda: within_questions([], [], 1, share_credit), "at least one"),
    (lambda: fix_questions([1, 0], Noise(ones[:1], ones[:1])), r"one variance per value \(2,\), got \(1,\)"),
    (lambda: fix_questions([1, 0], Noise(ones, 0 * ones)), "steps above 0"), (lambda: fix_questions([1, 0], Noise(ones, np.nan * ones)), "steps above 0"),
    (lambda: fix_questions([1, 0], Noise(np.inf * ones, ones)), "finite variances"), (lambda: fix_questions([1, np.nan], Noise(ones, ones)), "finite"),
    (lambda: fix_questions([1, 0], Noise(ones, ones), bounds=(0, np.nan)), "bounds must be"), (lambda: fix_questions([1, 0], Noise(ones, ones), times=[1., 1.]), "integers"),
    (lambda: fix_questions([1, 0], Noise(ones, ones), times=[1]), "one count per value")])
def test_refused(call, message):
    with warnings.catch_warnings(), pytest.raises((ValueError, TypeError), match=message): call()
