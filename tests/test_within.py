"""These questions, run again: noise by exact laws, limits by published and enumerated coverage,
refusals."""

import pickle
import warnings
from fractions import Fraction
from math import comb, exp

import numpy as np
import pytest
from scipy.stats import binom, gamma

from sampling_eval.foundations.credit import all_credit, any_credit, share_credit
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.inference.fixed_questions import fix_questions, Fixed, Noise
from sampling_eval.inference.estimate import within_questions
from sampling_eval.inference.unseen import (
    add_unseen, add_unseen_sample, chance_above_zero_of_sum, fit_gamma, gamma_chance,
    gamma_quantile, Moments, split_by_size, upper_of_moments, upper_of_sum)

pytestmark = pytest.mark.filterwarnings("error")


def majority(k):
    return (2 * np.arange(k + 1) > k) + 0.5 * (2 * np.arange(k + 1) == k)


def values_of(n, c, k, credit):
    return mean_credit(np.asarray(c), n - np.asarray(c), np.array([k]), credit)[:, 0]


def test_variance_of_pass_at_three():
    expected = [0, 9 / 100, 19 / 225, 149 / 2880, 29 / 1260, 1 / 144, 1 / 900, 1 / 14400, 0, 0, 0]
    np.testing.assert_allclose(
        within_questions(10, np.arange(11), 3, any_credit).variance, expected, atol=1e-15
    )


def test_variance_components_of_repeated_runs():
    p = np.array([0.75, 0.25, 1, 0.5])
    noise = 4 * within_questions(4, [3, 1, 4, 2], 1, share_credit).variance.mean()
    assert noise == pytest.approx(0.20833333333333331)
    assert p.var() - (noise - (p * (1 - p)).mean()) == pytest.approx(0.02604166666666667)


@pytest.mark.parametrize("n,k", [(4, 1), (5, 2), (8, 4), (16, 3)])
@pytest.mark.parametrize("credit", [share_credit, any_credit, all_credit, majority])
def test_unbiased_where_two_subsets_fit(n, k, credit):
    c = np.arange(n + 1)
    value, noise = values_of(n, c, k, credit), within_questions(n, c, k, credit).variance
    for p in np.linspace(0.02, 0.98, 13):
        law = binom.pmf(c, n, p)
        assert law @ noise == pytest.approx(law @ value**2 - (law @ value) ** 2, abs=1e-13)


@pytest.mark.parametrize("n,k", [(2, 2), (3, 2), (5, 3), (8, 5), (8, 7), (16, 15), (64, 63)])
@pytest.mark.parametrize("credit", [any_credit, all_credit, majority])
def test_above_half_the_samples_the_mean_noise_is_at_least_three_quarters(n, k, credit):
    c = np.arange(n + 1)
    value, noise = values_of(n, c, k, credit), within_questions(n, c, k, credit).variance
    for p in np.linspace(0.005, 0.995, 100):
        law = binom.pmf(c, n, p)
        assert law @ noise >= 0.75 * (law @ value**2 - (law @ value) ** 2) - 1e-14


def test_redrawn_counts_by_fractions():
    n, c, k = 3, 1, 2
    p, value = Fraction(3, 8), [1 - Fraction(comb(n - i, k), comb(n, k)) for i in range(n + 1)]
    want = sum(
        comb(n, i) * p**i * (1 - p) ** (n - i) * (value[i] - value[c]) ** 2 for i in range(n + 1)
    )
    assert within_questions(n, c, k, any_credit).variance[0] == pytest.approx(
        float(want), rel=1e-12
    )


def test_shapes_and_steps():
    n, c = np.array([8, 4, 3, 2]), np.array([3, 2, 1, 1])
    mixed = within_questions(n, c, [1, 2], any_credit)
    np.testing.assert_allclose(
        mixed.variance[:2], within_variance(n[:2, None], c[:2, None], np.array([1, 2]), any_credit)
    )
    np.testing.assert_allclose(
        mixed.step, [[1 / 8, 1 / 4], [1 / 4, 1 / 2], [1 / 3, 2 / 3], [1 / 2, 1]]
    )
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
    second = sum((v - mean) ** 2 for v in weights) / (6 * 7)
    third = 2 * sum((v - mean) ** 3 for v in weights) / (6 * 7 * 8)
    m = sum(x) / 5
    variance, cubes = sum((v - m) ** 2 for v in x) / 5, sum((v - m) ** 3 for v in x) / 5
    law = add_unseen(float(m), float(variance) / 4, float(cubes) * 5 / 125, 0.2, 1 - float(m), 1.0)
    assert law.mean == pytest.approx(float(mean), rel=1e-12)
    # The variance is that of the mean with its n - 1, as an unbiased estimate has it.
    assert law.variance == pytest.approx(float(second), rel=1e-12)


def test_rare_events_have_poisson_limits():
    for right, tail in (1, 0.025), (3, 0.005), (10, 0.025):
        law = add_unseen(right * 1e-5, right * 1e-10, right * 1e-15, 1e-5, 1, 1)
        rate = upper_of_sum([law], tail) * 1e5
        assert sum(
            exp(-rate) * rate**i / np.prod(np.arange(1.0, i + 1)) for i in range(right + 1)
        ) == pytest.approx(tail, rel=2e-3)


@pytest.mark.parametrize("n, count", [(2, 1), (2, 20), (8, 3)])
@pytest.mark.parametrize("tail", [0.05, 0.025, 0.005, 0.0005])
def test_without_noise_the_limit_is_the_exact_one(n, count, tail):
    """All wrong: nobody is right in all samples but with the chance `tail`; for pairs all of A
    right, all of B wrong."""
    zero, every = np.zeros(count, int), np.full(count, n)
    one = fix_questions(zero / n, within_questions(every, zero, 1, share_credit))
    exact = 1 - tail ** (1 / (n * count))
    assert one.limits(tail)[1] >= exact - 1e-12
    assert one.limits(tail)[1] == pytest.approx(exact, rel=1e-9) or tail < 0.01 or n * count == 2
    noise = within_questions(every, zero, 1, share_credit)
    pair = fix_questions(zero - 1.0, noise.minus(noise), bounds=(-1, 1))
    # Of 2 n samples each had to turn, half of them from right to wrong.
    assert pair.limits(tail)[1] >= 1 - 2 * tail ** (1 / (2 * n * count)) - 1e-12


def test_strata_of_steps():
    rows = split_by_size(np.array([0.5, 1.0, 0.26, 0.25, 0.1, 0.9]))
    assert [set(row.tolist()) for row in rows] == [{1, 5}, {0, 2}, {3}, {4}] or sum(
        map(len, rows)
    ) == 6
    assert all(np.ptp(np.log2(np.array([0.5, 1.0, 0.26, 0.25, 0.1, 0.9])[row])) < 1 for row in rows)


@pytest.mark.parametrize("n", [[4] * 6, [2, 64, 64, 64, 64, 64], [2, 8, 64, 1000, 1000, 1000]])
def test_limits_hold_the_mean_have_width_and_are_ordered(n):
    n = np.array(n)
    for c in n * 0, n, n // 2, np.where(np.arange(6) % 2, n, 0), np.minimum(n, 1):
        fixed = fix_questions(c / n, within_questions(n, c, 1, share_credit))
        ends = np.array([fixed.limits(tail) for tail in (0.25, 0.05, 0.025, 0.005, 0.0005, 5e-7)])
        assert (np.diff(ends[:, 0]) <= 1e-9).all() and (np.diff(ends[:, 1]) >= -1e-9).all()
        assert (
            (ends[:, 0] <= fixed.mean()).all()
            and (fixed.mean() <= ends[:, 1]).all()
            and (np.ptp(ends, 1) > 0).all()
        )
        turned = fix_questions(1 - c / n, within_questions(n, n - c, 1, share_credit))
        np.testing.assert_allclose(
            turned.limits(0.025), (1 - ends[2, 1], 1 - ends[2, 0]), atol=1e-9
        )


def test_histograms_are_repeats():
    value, times = np.array([0, 0.25, 0.5, 1]), [3, 0, 2, 5]
    noise = Noise(np.array([0, 0.04, 0.06, 0]), np.full(4, 0.25))
    short = fix_questions(value, noise, times=times)
    long = fix_questions(
        np.repeat(value, times), Noise(np.repeat(noise.variance, times), np.full(10, 0.25))
    )
    np.testing.assert_allclose(
        [short.mean(), short.variance(), *short.limits(0.025)],
        [long.mean(), long.variance(), *long.limits(0.025)],
        rtol=1e-12,
    )


def test_one_ragged_question_does_not_widen_all():
    n = np.r_[2, np.full(99, 64)]
    even = fix_questions(np.full(100, 0.5), within_questions(64, np.full(100, 32), 1, share_credit))
    odd = fix_questions(np.r_[0.5, np.full(99, 0.5)], within_questions(n, n // 2, 1, share_credit))
    assert np.ptp(odd.limits(0.025)) < 1.5 * np.ptp(even.limits(0.025))


def test_coverage_of_one_question_by_enumeration():
    for n, k, credit in (8, 1, share_credit), (16, 1, share_credit), (16, 4, any_credit):
        c = np.arange(n + 1)
        value, noise = values_of(n, c, k, credit), within_questions(n, c, k, credit)
        ends = np.array(
            [
                fix_questions(
                    value[i : i + 1], Noise(noise.variance[i : i + 1], noise.step[i : i + 1])
                ).limits(0.025)
                for i in c
            ]
        )
        for p in np.linspace(0.02, 0.98, 49):
            truth = binom.pmf(np.arange(k + 1), k, p) @ credit(k)
            assert binom.pmf(c, n, p)[(ends[:, 0] <= truth) & (truth <= ends[:, 1])].sum() > 0.93


@pytest.mark.parametrize(
    "n,k,credit,chances",
    [
        (64, 63, majority, np.full(12, 0.5)),
        (64, 63, majority, np.linspace(0.4, 0.6, 12)),
        (64, 48, majority, np.full(5, 0.47)),
        (16, 15, majority, np.full(20, 0.5)),
        (16, 12, any_credit, np.full(12, 0.05)),
        (16, 16, all_credit, np.full(12, 0.93)),
    ],
)
def test_coverage_above_half_the_samples(n, k, credit, chances):
    "The budgets at which the jackknife held 77.5 to 91.5 %: 2000 seeded runs, standard error .5 %."
    rng, table = np.random.default_rng(0), np.arange(n + 1)
    value, noise = values_of(n, table, k, credit), within_questions(n, table, k, credit)
    truth = np.mean([binom.pmf(np.arange(k + 1), k, p) @ credit(k) for p in chances])
    held = 0
    for c in rng.binomial(n, chances, (2000, len(chances))):
        low, high = fix_questions(value[c], Noise(noise.variance[c], noise.step[c])).limits(0.025)
        held += low <= truth <= high
    assert held / 2000 > 0.93


def test_unknown_variances_take_the_spread():
    some = fix_questions(
        [1, 0, 1, 0, 1], Noise(np.array([0.1, np.nan, 0.1, 0.1, 0.1]), np.full(5, 1.0))
    )
    assert some.kind == "within questions, 1 of 5 by an upper bound" and isinstance(some, Fixed)
    assert some.variance() ** 0.5 == pytest.approx((0.4 + 0.6**2 * 5 / 4) ** 0.5 / 5)


ones = np.ones(2)


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: within_questions([4], [5], 1, share_credit), "0 <= c <= n"),
        (lambda: within_questions([4], [2], 5, share_credit), "1 <= k <= n"),
        (lambda: within_questions([4.0], [2], 1, share_credit), "integers"),
        (
            lambda: within_questions(np.ma.array([4, 4], mask=[0, 1]), [2, 2], 1, share_credit),
            "masked",
        ),
        (lambda: within_questions(["4"], [2], 1, share_credit), "integers"),
        (lambda: within_questions([], [], 1, share_credit), "at least one"),
        (
            lambda: fix_questions([1, 0], Noise(ones[:1], ones[:1])),
            r"one variance per value \(2,\), got \(1,\)",
        ),
        (lambda: fix_questions([1, 0], Noise(ones, 0 * ones)), "steps above 0"),
        (lambda: fix_questions([1, 0], Noise(ones, np.nan * ones)), "steps above 0"),
        (lambda: fix_questions([1, 0], Noise(np.inf * ones, ones)), "finite variances"),
        (lambda: fix_questions([1, np.nan], Noise(ones, ones)), "finite"),
        (lambda: fix_questions([1, 0], Noise(ones, ones), bounds=(0, np.nan)), "bounds must be"),
        (lambda: fix_questions([1, 0], Noise(ones, ones), times=[1.0, 1.0]), "integers"),
        (lambda: fix_questions([1, 0], Noise(ones, ones), times=[1]), "one count per value"),
    ],
)
def test_refused(call, message):
    with warnings.catch_warnings(), pytest.raises((ValueError, TypeError), match=message):
        call()


# Part by part.


def test_noise_of_differences_and_budgets():
    one = Noise(np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([[0.5, 0.6], [0.7, 0.8]]), 2.0)
    two = Noise(np.array([[0.01, 0.02], [0.03, 0.04]]), np.array([[0.6, 0.5], [0.1, 0.9]]))
    for gap in one.minus(two), two.minus(one):
        np.testing.assert_allclose(gap.variance, [[0.11, 0.22], [0.33, 0.44]])
        assert gap.step.tolist() == [[0.6, 0.6], [0.7, 0.9]] and gap.span == 2
    assert (
        one.at(1).variance.tolist() == [0.2, 0.4]
        and one.at(1).step.tolist() == [0.6, 0.8]
        and one.at(1).span == 2
    )
    assert two.span == 1


def test_noise_of_ragged_questions_at_several_budgets():
    """Two trials of k fit in 2k samples: from there the variance is unbiased, below it the counts
    are redrawn."""
    n, c, k = np.array([4, 8, 4, 5, 7, 16, 4]), np.array([1, 2, 1, 4, 4, 9, 0]), np.array([1, 2, 4])
    found = within_questions(n, c, k, any_credit)
    for i, (size, right) in enumerate(zip(n.tolist(), c.tolist())):
        for j, budget in enumerate(k.tolist()):
            if size >= 2 * budget:
                want = within_variance(
                    np.array([size]), np.array([right]), np.array([budget]), any_credit
                )[0, 0]
            else:
                p, value = Fraction(2 * right + 1, 2 * size + 2), [
                    1 - Fraction(comb(size - o, budget), comb(size, budget))
                    for o in range(size + 1)
                ]
                want = float(
                    sum(
                        comb(size, o)
                        * p**o
                        * (1 - p) ** (size - o)
                        * (value[o] - value[right]) ** 2
                        for o in range(size + 1)
                    )
                )
            assert found.variance[i, j] == pytest.approx(want, rel=1e-10, abs=1e-15)
            assert found.step[i, j] == min(1, budget / size)
    assert within_questions(4, 1, 2, any_credit).variance.shape == (1,) and found.span == 1


def test_the_quantile_and_the_chance_invert_each_other():
    one, two, still = (
        Moments(0.2, 0.003, 1e-4),
        Moments(-0.1, 0.006, -2e-4),
        Moments(0.05, 0.0, 0.0),
    )
    for laws in [one], [two], [one, still], [one, two], [one, two, still], [one, one, two]:
        for tail in 0.3, 0.05, 0.001:
            shift = upper_of_sum(laws, tail)
            moved = [Moments(laws[0].mean - shift, *laws[0][1:]), *laws[1:]]
            assert chance_above_zero_of_sum(moved) == pytest.approx(tail, rel=1e-6)
    assert upper_of_sum([still, still], 0.05) == pytest.approx(0.1)
    assert [chance_above_zero_of_sum([Moments(o, 0.0, 0.0)]) for o in (0.1, 0.0, -0.1)] == [1, 1, 0]
    limits = upper_of_moments(
        Moments(
            np.array([0.2, 0.4, -0.1]), np.array([0.003, 0.0, 0.006]), np.array([1e-4, 0.0, -2e-4])
        ),
        0.05,
    )
    assert limits == pytest.approx(
        [upper_of_sum([one], 0.05), 0.4, upper_of_sum([two], 0.05)], rel=1e-12
    )


def test_the_limit_of_the_unseen_alone_is_inverted_too():
    "Where no noise was seen the shifted gamma law falls short of the exact limit at 90 and 95 %."
    hidden = add_unseen_sample(0.4, 0.0, 0.1, 1.0, 0.6, 1.0)
    assert hidden.unlike == pytest.approx(10) and hidden.room == 0.6
    for tail in 0.05, 0.025:
        limit = upper_of_sum([hidden], tail)
        assert limit == pytest.approx(0.4 + 0.6 * (1 - tail**0.1)) and limit == pytest.approx(
            float(upper_of_moments(hidden, tail))
        )
        assert chance_above_zero_of_sum(
            [hidden._replace(mean=hidden.mean - limit)]
        ) == pytest.approx(tail)
    wide = add_unseen_sample(-1.0, 0.02, 0.25, 1.0, 2.0, 1.0)
    assert wide.unlike == 8 and wide[:3] == add_unseen(-1.0, 0.02, 0.005, 0.25, 2.0, 2.0)[:3]
    # Alike on the whole, one question apart by 2: what was seen is worth its own samples only.
    assert (
        add_unseen_sample(0.0, 0.02, 0.25, 1.0, 2.0, 1.0)[:3]
        == add_unseen(0.0, 0.02, 0.005, 0.25, 2.0, 1.0)[:3]
    )


@pytest.mark.parametrize(
    "third, skew",
    [
        (0.0, 1e-3),
        (5e-4, 1e-3),
        (-5e-4, 1e-3),
        (0.002, 0.002),
        (-0.002, -0.002),
        (1.5, 1.5),
        (2.0, 2.0),
        (9.0, 2.0),
        (-9.0, -2.0),
    ],
)
def test_the_gamma_law_of_three_moments(third, skew):
    sd = 0.3
    scale, shape = fit_gamma(Moments(0.7, sd**2, third * sd**3))
    assert scale == pytest.approx(sd * skew / 2, rel=1e-9) and shape == pytest.approx(
        4 / skew**2, rel=1e-9
    )
    law = gamma(shape, scale=abs(scale))
    for tail in 0.4, 0.05, 1e-6:
        want = law.isf(tail) - law.mean() if scale > 0 else law.mean() - law.ppf(tail)
        assert gamma_quantile(scale, shape, tail) == pytest.approx(want, rel=1e-9, abs=1e-12)
        assert gamma_chance(scale, shape, want) == pytest.approx(tail, rel=1e-6)
    outside = -1.01 * scale * shape
    assert gamma_chance(scale, shape, outside) == (1 if scale > 0 else 0)


def test_strata_at_exactly_twice_the_step():
    def strata(*step):
        return [rows.tolist() for rows in split_by_size(np.array(step))]

    assert strata(1.0, 0.5) == [[0], [1]] and strata(1.0, 0.500001) == [[0, 1]]
    assert strata(0.5, 1.0, 0.75, 0.5) == [[1, 2], [0, 3]]
    assert strata(0.3) == [[0]] and strata(1.0, 0.6, 0.4, 0.3, 0.21, 0.2) == [
        [0, 1],
        [2, 3, 4],
        [5],
    ]
    assert strata(0.2, 0.2, 0.2) == [[0, 1, 2]]
    assert [rows.tolist() for rows in split_by_size(np.array([1.0, 0.5, 0.3]), 3.5)] == [[0, 1, 2]]


def test_fixed_questions_in_numbers():
    value, variance, step = (
        np.array([[0.5, 0.75], [0.0, 1.0]]),
        np.array([[0.04, 0.02], [0.01, -0.5]]),
        np.array([[0.25, 0.5], [0.25, 0.5]]),
    )
    fixed = Fixed(
        value,
        Noise(variance, step, 1.0),
        np.array([0.2, 0.3]),
        np.array([2, 2]),
        guessed=np.array([0, 2]),
    )
    assert fixed.mean() == pytest.approx([0.4 * 0.5, 0.4 * 0.75 + 0.6])
    assert fixed.variance() == pytest.approx([2 * (0.04 * 0.04 + 0.09 * 0.01), 0])
    assert (
        fixed.at(0).variance() == pytest.approx(2 * (0.04 * 0.04 + 0.09 * 0.01))
        and fixed.at(1).variance() == 0
    )
    assert isinstance(fixed.at(0).mean(), float)
    assert (
        fixed.kind == "within questions, 2 of 4 by an upper bound"
        and fixed.at(0).kind == "within questions"
    )
    assert fixed.at(1).guessed == 2
    assert fixed.bounds == (0, 1) and Fixed(value, None, 1, 1).guessed == 0


def test_noise_that_is_found_when_it_is_asked_for():
    calls = []

    def find():
        calls.append(1)
        return Noise(np.array([0.01, 0.02]), np.array([0.5, 0.5]))

    fixed = fix_questions([0.5, 1.0], find, times=[3, 1])
    assert fixed.mean() == pytest.approx(0.625) and not calls and fixed.guessed == 0
    assert (
        fixed.variance() == pytest.approx((3 * 0.01 + 0.02) / 16)
        and fixed.limits(0.1)
        and len(calls) == 1
    )
    again = pickle.loads(
        pickle.dumps(
            fix_questions(
                [0.5, 1.0], Noise(np.array([0.01, 0.02]), np.array([0.5, 0.5])), times=[3, 1]
            )
        )
    )
    assert again.variance() == fixed.variance() and again.limits(0.1) == fixed.limits(0.1)
    assert isinstance(fixed.__getstate__()["known_noise"], Noise)


@pytest.mark.parametrize("tail", [0.3, 0.025, 0.001])
def test_all_budgets_at_once_are_one_at_a_time(tail):
    "Steps of one size, and of several, in one call."
    n, c, k = np.array([2, 4, 9, 16, 16, 3]), np.array([1, 0, 9, 5, 16, 2]), np.array([1, 2])
    value = mean_credit(c, n - c, k, any_credit)
    # The last with steps of exactly one to two, which are two strata.
    double, some = np.array([4, 8, 8, 4, 8, 8]), np.minimum(c, 4)
    for size, right, shown in (
        (n, c, value),
        (np.full(6, 16), c, mean_credit(c, 16 - c, k, any_credit)),
        (double, some, mean_credit(some, double - some, k, any_credit)),
    ):
        for low, high in (0, 1), (-1, 1.5):
            fixed = fix_questions(
                shown, within_questions(size, right, k, any_credit), bounds=(low, high)
            )
            ends = np.array(fixed.limits(tail))
            np.testing.assert_allclose(
                ends, np.array([fixed.at(i).limits(tail) for i in range(2)]).T, atol=1e-11
            )
            assert ends.shape == (2, 2)


@pytest.mark.parametrize("tail", [0.3, 0.025])
def test_limits_by_their_laws(tail):
    """Two strata: the limits are quantiles of the sum of their random means, each with one event at
    its end, here with more room than one system spans."""
    value, variance, step = (
        np.array([0.5, 1.0, 0.25]),
        np.array([0.04, 0.01, 0.02]),
        np.array([0.5, 0.1, 0.12]),
    )
    times, w = np.array([1, 4, 2]), np.array([0.1, 0.15, 0.15])
    fixed = Fixed(value, Noise(variance, step, 0.9), w, times, (0, 1.2))

    def law(rows, sign, end):
        mean = sum(sign * times[i] * w[i] * value[i] for i in rows)
        spread, share = sum(times[i] * w[i] ** 2 * variance[i] for i in rows), sum(
            times[i] * w[i] for i in rows
        )
        largest = max(w[i] * step[i] for i in rows)
        room, least = share * max(end - sign * value[i] for i in rows), share * 0.9
        law = add_unseen(
            mean, spread, spread * largest, largest, room, max(least, share * end - mean)
        )
        return law._replace(room=room, unlike=max(room, least) / largest)

    for sign, end in (1, 1.2), (-1, 0):
        want = [law(rows, sign, end) for rows in ([0], [1, 2])]
        np.testing.assert_allclose(fixed.moments(sign), want, rtol=1e-12)
        limit = sign * upper_of_sum(want, tail)
        assert fixed.limits(tail)[sign > 0] == pytest.approx(
            max(limit, 0) if sign < 0 else min(limit, 1.2), rel=1e-9
        )


def test_questions_of_unknown_noise():
    "The squared distance from the mean stands in, with its n/(n - 1); alone a question has none."
    known = Noise(np.array([[0.1, np.nan], [np.nan, np.nan], [0.2, 0.3]]), np.array([0.5]), 1.0)
    fixed = fix_questions([[1.0, 0.5], [0.0, 1.0], [0.5, 0.0]], known, times=[1, 2, 0])
    assert fixed.guessed.tolist() == [2, 3] and fixed.times.tolist() == [1, 2]
    assert fixed.weight == pytest.approx([1 / 3, 1 / 3])
    np.testing.assert_allclose(
        fixed.noise.variance, [[0.1, (1 / 3) ** 2 * 1.5], [(1 / 3) ** 2 * 1.5, (1 / 6) ** 2 * 1.5]]
    )
    assert fixed.noise.step.shape == (2, 2) and fixed.noise.span == 1
    alone = fix_questions([0.25], Noise(np.array([np.nan]), np.array([1.0])))
    assert alone.variance() == 0 and alone.guessed == 1 and type(alone.guessed) is int
    with pytest.raises(
        ValueError,
        match=(
            r"noise must hold finite variances \(NaN where unknown\) and steps above 0, got up to"
            r" inf and from 0.5"
        ),
    ):
        fix_questions([1, 0], Noise(np.array([np.inf, 0.0]), np.array([0.5, 1.0])))
    with pytest.raises(ValueError, match=r"got up to 0.0 and from 0.0"):
        fix_questions([1, 0], Noise(np.zeros(2), np.array([0.0, 1.0])))
    with pytest.raises(ValueError, match=r"one variance per value \(2, 2\), got \(2,\)"):
        fix_questions([[1, 0], [0, 1]], Noise(np.zeros(2), np.ones(2)))
