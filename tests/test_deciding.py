"""Gates: verdicts, the fewest questions, and what would decide."""
from dataclasses import replace
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest

from sampling_eval.foundations.credit import share_credit
from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.deciding import (enough_data, enough_noise, judge, least_questions,
                                              split_reach, verdict_chances)
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.gaffke import gaffke_interval, gaffke_limits
from sampling_eval.inference.quantiles import normal_quantile


def test_a_gate_of_two_points_needs_183_questions():
    assert [least_questions(drop, won=False) for drop in (.01, .02, .05)] == [368, 183, 72]
    assert least_questions(0) == 6 and least_questions(0, won=False) is None


@pytest.mark.parametrize("level", [.9, .95, .99])
@pytest.mark.parametrize("drop", [.005, .02, .3, .9])
@pytest.mark.parametrize("won", [True, False])
def test_the_fewest_questions_are_those_of_the_limit(level, drop, won):
    least = least_questions(drop, level, won=won)
    def low(q): return gaffke_interval([int(won)], level, bounds=(-1, 1), times=[q])[0]
    assert low(least) >= -drop - 1e-9 and (least == 1 or low(least - 1) < -drop)


def told(estimate, limit, power=.5):
    "What `enough_data` is told of an estimate."
    ends = estimate.confidence_interval()
    reach = estimate.value - ends.low if estimate.value >= limit else ends.high - estimate.value
    return dict(distance=abs(estimate.value - limit), reach=reach, stderr=estimate.stderr or 0., power=power)


def test_as_much_data_as_was_said_decides_and_less_does_not():
    values = np.r_[np.ones(6), np.zeros(30), -np.ones(2)]
    estimate = mean_over_questions(values, bounds=(-1, 1))
    factor = enough_data(**told(estimate, -.02))
    for times, verdict in ((factor * 1.05, "pass"), (factor * .95, "inconclusive")):
        grown = replace(estimate.units, times=estimate.units.times * times)
        low, high = gaffke_limits(grown, .025)
        assert judge(low[0], high[0], -.02) == verdict
    assert enough_data(**told(mean_over_questions([0.] * 9, bounds=(-1, 1)), 0)) == np.inf


def test_more_samples_decide_for_the_same_questions():
    n, rng = np.full(40, 8), np.random.default_rng(0)
    p = rng.beta(2, 2, 40)
    old, new = rng.binomial(8, p), rng.binomial(8, np.minimum(p + .05, 1))
    pair = paired_difference(old / 8, new / 8, tables=Tables(n, old, n, new, 1, share_credit))
    half, sure = (enough_data(**told(pair.again, -.02, power)) for power in (.5, .8))
    assert 1 < half < sure < 100
    many = paired_difference(old / 8, new / 8, tables=Tables(n * 100, old * 100, n * 100, new * 100, 1, share_credit))
    assert many.confidence_interval(target="same_questions").low >= -.02


@pytest.mark.parametrize("power", [.5, .8, .99])
@pytest.mark.parametrize("between", [0., .0002, .0005])
def test_the_noise_that_is_enough_fills_the_distance(power, between):
    noise = enough_noise(.1, .13, .05, between, power=power)
    z, rest = split_reach(.13, .05)
    filled = z * (between + noise)**.5 + normal_quantile(power) * noise**.5 + rest
    assert noise > 0 and filled == pytest.approx(.1)


def test_no_noise_is_enough_where_questions_alone_are_too_many():
    assert enough_noise(.1, .13, .05, .05**2) == 0 == enough_noise(.01, .2, .05, 0)
    assert enough_noise(.1, .13, .05, 0) > enough_noise(.1, .13, .05, 0, power=.8)


# By hand.


@pytest.mark.parametrize("drop, level, more, least", [
    (0, .95, {}, 6), (0, .5, {}, 2), (0, .9375, {}, 5), (1, .95, {}, 1), (2, .95, {}, 1), (.999, .95, {}, 1),
    (.5, .95, {}, 3), (0, .95, dict(width=10), 6), (5, .95, dict(width=10), 3),
    (1, .95, dict(won=False), 1), (.5, .95, dict(won=False), 6), (.5, .9375, dict(won=False), 5),
    (5, .95, dict(width=10, won=False), 6), (0, .95, dict(won=False), None), (0, .95, dict(width=3, won=False), None)])
def test_the_fewest_questions_by_powers(drop, level, more, least):
    "Half to the power of six is .0156, of five .03125: below .025 only the first."
    assert least_questions(drop, level, **more) == least


def test_enough_data_is_the_root_of_its_quadratic():
    "With m times the data: z s/sqrt(m) + rest/m + (quantile of the power) s/sqrt(m) is the distance."
    for distance, reach, stderr, level, power in product((.02, .3), (.05, .4), (0., .02, .1), (.9, .95), (.5, .8, .3)):
        many = enough_data(distance, reach, stderr, level, power)
        z, rest = split_reach(reach, stderr, level)
        filled = (z + float(normal_quantile(power))) * stderr / many**.5 + rest / many
        assert filled == pytest.approx(distance)
    assert enough_data(.1, .2, .05) == enough_data(.1, .2, .05, .95, .5)
    assert enough_data(.1, .2, 0.) == pytest.approx(2) and enough_data(.1, .1, 0.) == pytest.approx(1)
    assert enough_data(0., .2, .05) == enough_data(-.1, .2, .05) == enough_data(float("nan"), .2, .05) == np.inf


def test_enough_noise_by_hand():
    z = 1.959963984540054
    assert enough_noise(.1, z * .05, .05, 0.) == pytest.approx((.1 / z)**2)
    assert enough_noise(.1, z * .05, .05, .001) == pytest.approx((.1 / z)**2 - .001)
    assert enough_noise(.1, z * .05 + .02, .05, .001) == pytest.approx((.08 / z)**2 - .001)
    assert enough_noise(.1, z * .05, .05, 0.,
        .9) == pytest.approx(((.1 - z * .05 + 1.6448536269514722 * .05) / 1.6448536269514722)**2)
    edge = (.1 / split_reach(z * .05, .05)[0])**2
    assert enough_noise(.1, z * .05, .05, edge * (1 + 1e-9)) == 0 < enough_noise(.1, z * .05, .05, edge * (1 - 1e-9))
    assert enough_noise(.02, .02, 0., 0.) == 0 == enough_noise(0., 0., 0., 0.)


def test_verdicts_drawn_again_by_the_normal_law():
    law = NormalDist(.1, .2)
    for below, above, limit in (.3, .1, -.05), (.1, .4, .2), (0., 0., .3), (.01, .9, -.9):
        chances = verdict_chances(below, above, limit, .2, .1)
        passes, fails = 1 - law.cdf(limit + below), law.cdf(limit - above)
        assert chances == pytest.approx({"pass": passes, "fail": fails, "inconclusive": max(0, 1 - passes - fails)})
    assert verdict_chances(.1, .1, 0., .1) == verdict_chances(.1, .1, 0., .1, 0.) == pytest.approx(
        {"pass": NormalDist().cdf(-1), "fail": NormalDist().cdf(-1), "inconclusive": 1 - 2 * NormalDist().cdf(-1)})
    assert list(chances) == ["pass", "fail", "inconclusive"] and verdict_chances(-.1, -.1, 0., .1)["inconclusive"] == 0
