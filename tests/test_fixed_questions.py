"The same questions: noise, weights, bounds of unknown variances, and limits at many budgets."

import pickle

import numpy as np
import pytest

from sampling_eval.inference.fixed_questions import (
    Fixed,
    fix_questions,
    limits_at_budget,
    Noise,
    stratum_moments,
)
from sampling_eval.inference.unseen import add_unseen_sample, upper_of_sum

VALUES = np.array([[0.2, 0.9], [0.5, 0.4], [0.8, 0.1], [0.3, 0.3]])
NOISE = Noise(
    np.array([[0.01, 0.02], [0.03, 0.01], [0.0, 0.02], [0.02, 0.02]]), np.full((4, 2), 0.2)
)


def test_noise_of_a_difference():
    one, other = Noise(np.array([0.1]), np.array([0.5]), 1.0), Noise(
        np.array([0.2]), np.array([0.25]), 2.0
    )
    found = one.minus(other)
    assert found.variance == pytest.approx([0.3]) and found.step.tolist() == [0.5]
    assert found.span == 2 and Noise(np.ones(1), np.ones(1)).span == 1
    assert NOISE.at(1).variance.tolist() == NOISE.variance[:, 1].tolist()


def test_means_and_variances_by_hand():
    fixed = fix_questions(VALUES, NOISE)
    assert fixed.mean() == pytest.approx(VALUES.mean(0))
    assert fixed.variance() == pytest.approx(NOISE.variance.sum(0) / 16)
    one = fixed.at(1)
    assert one.mean() == pytest.approx(VALUES[:, 1].mean()) and isinstance(one.mean(), float)
    assert one.variance() == pytest.approx(NOISE.variance[:, 1].sum() / 16)
    assert fixed.kind == "within questions" and one.guessed == 0


def test_variances_below_zero_are_none():
    noise = Noise(np.array([[-0.1, 0.2], [0.0, -0.1]]), np.ones((2, 2)))
    fixed = fix_questions([[0.5, 0.5], [0.1, 0.1]], noise)
    assert fixed.variance().tolist() == [0, pytest.approx(0.025)]
    assert fixed.at(0).variance() == 0


@pytest.mark.parametrize("times", [[1, 2, 0, 3], [2, 1, 1, 1]])
def test_repeated_questions_are_questions(times):
    short = fix_questions(VALUES, NOISE, times=times)
    many = Noise(np.repeat(NOISE.variance, times, 0), np.repeat(NOISE.step, times, 0))
    long = fix_questions(np.repeat(VALUES, times, 0), many)
    assert short.mean() == pytest.approx(long.mean())
    assert short.variance() == pytest.approx(long.variance())
    assert np.array(short.limits(0.025)) == pytest.approx(np.array(long.limits(0.025)))
    assert len(short.value) == np.count_nonzero(times) and short.times @ short.weight == (
        pytest.approx(1)
    )


@pytest.mark.parametrize("times", [None, [1, 2, 3]])
def test_unknown_variances_are_bounded_by_the_spread(times):
    value = np.array([0.1, 0.5, 0.9])
    noise = Noise(np.array([0.01, np.nan, np.nan]), np.full(3, 0.2))
    found = fix_questions(value, noise, times=times)
    many = np.ones(3, int) if times is None else np.array(times)
    count = many.sum()
    spread = (value - many @ value / count) ** 2 * count / (count - 1)
    assert found.known_noise.variance == pytest.approx([0.01, *spread[1:]])
    assert found.guessed == many[1:].sum()
    assert found.kind == f"within questions, {many[1:].sum()} of {count} by an upper bound"
    lone = fix_questions([0.4], Noise(np.array([np.nan]), np.ones(1)))
    assert lone.variance() == 0 and lone.guessed == 1


def test_unknown_variances_at_many_budgets():
    noise = Noise(np.where(np.arange(8).reshape(4, 2) == 3, np.nan, NOISE.variance), 0.2)
    found = fix_questions(VALUES, noise)
    assert found.guessed.tolist() == [0, 1] and found.at(1).guessed == 1
    assert found.kind == "within questions, 1 of 4 by an upper bound"
    want = (VALUES[1, 1] - VALUES[:, 1].mean()) ** 2 * 4 / 3
    assert found.known_noise.variance[1, 1] == pytest.approx(want)


def test_noise_that_is_found_when_asked_for():
    asked = []

    def find():
        asked.append(1)
        return NOISE

    fixed = fix_questions(VALUES, find)
    assert not asked and fixed.variance() == pytest.approx(NOISE.variance.sum(0) / 16)
    assert fixed.known_noise is NOISE and len(asked) == 1
    again = pickle.loads(pickle.dumps(fix_questions(VALUES, lambda: NOISE)))
    assert again.variance() == pytest.approx(fixed.variance())


@pytest.mark.parametrize(
    "variance, step, said",
    [
        (np.ones(3), np.ones(3), r"one variance per value \(2,\), got \(3,\)"),
        (np.array([1, np.inf]), np.ones(2), "finite variances .* got up to inf"),
        (np.ones(2), np.array([0.0, 1]), "steps above 0, got up to 1.0 and from 0.0"),
        (np.ones(2), np.array([np.inf, 1]), "steps above 0"),
    ],
)
def test_noise_refused(variance, step, said):
    with pytest.raises(ValueError, match=said):
        fix_questions([0.5, 0.5], Noise(variance, step))


# Limits.


def test_moments_of_a_stratum():
    fixed = Fixed(
        np.array([0.2, 0.6]),
        Noise(np.array([0.02, 0.05]), np.array([0.5, 0.4]), 0.9),
        np.array([0.3, 0.1]),
        np.array([2, 4]),
    )
    found = stratum_moments(fixed, fixed.value, 1.0, np.array([0, 1]))
    mean, noise = 2 * 0.3 * 0.2 + 4 * 0.1 * 0.6, 2 * 0.09 * 0.02 + 4 * 0.01 * 0.05
    want = add_unseen_sample(mean, noise, 0.15, 1.0, 0.8, 0.9)
    assert list(found) == pytest.approx(list(want))
    part = stratum_moments(fixed, -fixed.value, 0.0, np.array([1]))
    want = add_unseen_sample(-0.24, 4 * 0.01 * 0.05, 0.04, 0.0, 0.4 * 0.6, 0.4 * 0.9)
    assert list(part) == pytest.approx(list(want))


@pytest.mark.parametrize("bounds", [(0, 1), (-2, 3)])
@pytest.mark.parametrize("tail", [0.2, 0.025])
def test_limits_are_those_of_the_moments(bounds, tail):
    fixed = fix_questions(VALUES, NOISE, bounds=bounds)
    low, high = fixed.limits(tail)
    for i in range(2):
        one = fixed.at(i)
        upper, lower = upper_of_sum(one.moments(1), tail), -upper_of_sum(one.moments(-1), tail)
        assert one.limits(tail) == pytest.approx((max(lower, bounds[0]), min(upper, bounds[1])))
        assert (low[i], high[i]) == pytest.approx(one.limits(tail), rel=1e-9)


@pytest.mark.parametrize("least", [0.101, 0.1, 0.02])
def test_budgets_of_unlike_steps_have_strata(least):
    "Steps that differ by a factor of two are apart."
    noise = Noise(NOISE.variance, np.array([[0.2, 0.2]] * 3 + [[0.2, least]]))
    fixed = fix_questions(VALUES, noise)
    assert len(fixed.at(0).moments(1)) == 1 and len(fixed.at(1).moments(1)) == 1 + (least <= 0.1)
    for i, ends in enumerate(zip(*fixed.limits(0.025))):
        assert ends == pytest.approx(limits_at_budget(fixed.at(i), 0.025), rel=1e-9)


@pytest.mark.parametrize("least, strata", [(0.1, 1), (0.4, 2)])
def test_strata_go_by_steps_times_weights(least, strata):
    "Four times the weight and a quarter of the step move the mean as far."
    noise = Noise(NOISE.variance, np.array([[0.4] * 2, [0.4] * 2, [least] * 2, [least] * 2]))
    fixed = Fixed(VALUES, noise, np.array([0.1, 0.1, 0.4, 0.4]), np.ones(4, int))
    assert len(fixed.at(0).moments(1)) == strata == len(fixed.at(1).moments(-1))
    for i, ends in enumerate(zip(*fixed.limits(0.025))):
        assert ends == pytest.approx(limits_at_budget(fixed.at(i), 0.025), rel=1e-9)


def test_limits_hold_the_mean():
    sure = fix_questions([1.0, 1.0], Noise(np.zeros(2), np.full(2, 0.5)))
    low, high = sure.limits(0.025)
    assert high == 1 and 0 < low < 1
    none = fix_questions([0.0, 0.0], Noise(np.zeros(2), np.full(2, 0.5)))
    assert none.limits(0.025) == pytest.approx((0, 1 - low))
