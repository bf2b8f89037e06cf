"Gates: verdicts, the fewest questions, what would decide, and what more samples gain at most."

from dataclasses import replace
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import binom

from scripts import load_script
from sampling_eval import compare, Counts, mean_over_questions, score
from sampling_eval.foundations.credit import any_credit, majority_credit, share_credit
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.deciding import (
    enough_data,
    enough_noise,
    judge,
    least_questions,
    split_reach,
    verdict_chances,
)
from sampling_eval.inference.gaffke import gaffke_interval, gaffke_limits
from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.quantiles import normal_quantile
from sampling_eval.analyses.engine.next_steps import (
    doubt_samples,
    QUANTILE,
    redraw_listed,
    redraw_single,
    UNSEEN,
)


def test_a_gate_of_two_points_needs_183_questions():
    assert [least_questions(drop, won=False) for drop in (0.01, 0.02, 0.05)] == [368, 183, 72]
    assert least_questions(0) == 6 and least_questions(0, won=False) is None


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("drop", [0.005, 0.02, 0.3, 0.9])
@pytest.mark.parametrize("won", [True, False])
def test_the_fewest_questions_are_those_of_the_limit(level, drop, won):
    least = least_questions(drop, level, won=won)

    def low(q):
        return gaffke_interval([int(won)], level, bounds=(-1, 1), times=[q])[0]

    assert low(least) >= -drop - 1e-9 and (least == 1 or low(least - 1) < -drop)


def told(estimate, limit, power=0.5):
    "What `enough_data` is told of an estimate."
    ends = estimate.confidence_interval()
    reach = estimate.value - ends.low if estimate.value >= limit else ends.high - estimate.value
    return dict(
        distance=abs(estimate.value - limit),
        reach=reach,
        stderr=estimate.stderr or 0.0,
        power=power,
    )


def test_as_much_data_as_was_said_decides_and_less_does_not():
    values = np.r_[np.ones(6), np.zeros(30), -np.ones(2)]
    estimate = mean_over_questions(values, bounds=(-1, 1))
    factor = enough_data(**told(estimate, -0.02))
    for times, verdict in ((factor * 1.05, "pass"), (factor * 0.95, "inconclusive")):
        grown = replace(estimate.units, times=estimate.units.times * times)
        low, high = gaffke_limits(grown, 0.025)
        assert judge(low[0], high[0], -0.02) == verdict
    assert enough_data(**told(mean_over_questions([0.0] * 9, bounds=(-1, 1)), 0)) == np.inf


def test_more_samples_decide_for_the_same_questions():
    n, rng = np.full(40, 8), np.random.default_rng(0)
    p = rng.beta(2, 2, 40)
    old, new = rng.binomial(8, p), rng.binomial(8, np.minimum(p + 0.05, 1))
    pair = paired_difference(old / 8, new / 8, tables=Tables(n, old, n, new, 1, share_credit))
    half, sure = (enough_data(**told(pair.again, -0.02, power)) for power in (0.5, 0.8))
    assert 1 < half < sure < 100
    many = paired_difference(
        old / 8, new / 8, tables=Tables(n * 100, old * 100, n * 100, new * 100, 1, share_credit)
    )
    assert many.confidence_interval(target="same_questions").low >= -0.02


@pytest.mark.parametrize("power", [0.5, 0.8, 0.99])
@pytest.mark.parametrize("between", [0.0, 0.0002, 0.0005])
def test_the_noise_that_is_enough_fills_the_distance(power, between):
    noise = enough_noise(0.1, 0.13, 0.05, between, power=power)
    z, rest = split_reach(0.13, 0.05)
    filled = z * (between + noise) ** 0.5 + normal_quantile(power) * noise**0.5 + rest
    assert noise > 0 and filled == pytest.approx(0.1)


def test_no_noise_is_enough_where_questions_alone_are_too_many():
    assert enough_noise(0.1, 0.13, 0.05, 0.05**2) == 0 == enough_noise(0.01, 0.2, 0.05, 0)
    assert enough_noise(0.1, 0.13, 0.05, 0) > enough_noise(0.1, 0.13, 0.05, 0, power=0.8)


# By hand.


@pytest.mark.parametrize(
    "low, high, verdict",
    [
        (0.1, 0.3, "pass"),
        (0.11, 0.3, "pass"),
        (0.1, 0.1, "pass"),
        (0.09, 0.1, "inconclusive"),
        (-0.2, 0.1, "inconclusive"),
        (-0.2, 0.3, "inconclusive"),
        (-0.2, 0.09, "fail"),
    ],
)
def test_an_interval_that_reaches_the_limit_is_not_below_it(low, high, verdict):
    assert judge(low, high, 0.1) == verdict


@pytest.mark.parametrize("drop", [-1e-9, -1, float("nan")])
def test_no_drop_is_below_zero(drop):
    with pytest.raises(ValueError, match="need max_drop >= 0, got "):
        least_questions(drop)


@pytest.mark.parametrize(
    "drop, level, more, least",
    [
        (0, 0.95, {}, 6),
        (0, 0.5, {}, 2),
        (0, 0.9375, {}, 5),
        (1, 0.95, {}, 1),
        (2, 0.95, {}, 1),
        (0.999, 0.95, {}, 1),
        (0.5, 0.95, {}, 3),
        (0, 0.95, dict(width=10), 6),
        (5, 0.95, dict(width=10), 3),
        (1, 0.95, dict(won=False), 1),
        (0.5, 0.95, dict(won=False), 6),
        (0.5, 0.9375, dict(won=False), 5),
        (5, 0.95, dict(width=10, won=False), 6),
        (0, 0.95, dict(won=False), None),
        (0, 0.95, dict(width=3, won=False), None),
    ],
)
def test_the_fewest_questions_by_powers(drop, level, more, least):
    "Half to the power of six is .0156, of five .03125: below .025 only the first."
    assert least_questions(drop, level, **more) == least


def test_enough_data_is_the_root_of_its_quadratic():
    """With m times the data: z s/sqrt(m) + rest/m + (quantile of the power) s/sqrt(m) is the
    distance."""
    for distance, reach, stderr, level, power in product(
        (0.02, 0.3), (0.05, 0.4), (0.0, 0.02, 0.1), (0.9, 0.95), (0.5, 0.8, 0.3)
    ):
        many = enough_data(distance, reach, stderr, level, power)
        z, rest = split_reach(reach, stderr, level)
        filled = (z + float(normal_quantile(power))) * stderr / many**0.5 + rest / many
        assert filled == pytest.approx(distance)
    assert enough_data(0.1, 0.2, 0.05) == enough_data(0.1, 0.2, 0.05, 0.95, 0.5)
    assert enough_data(0.1, 0.2, 0.0) == pytest.approx(2) and enough_data(
        0.1, 0.1, 0.0
    ) == pytest.approx(1)
    assert (
        enough_data(0.0, 0.2, 0.05)
        == enough_data(-0.1, 0.2, 0.05)
        == enough_data(float("nan"), 0.2, 0.05)
        == np.inf
    )


def test_enough_noise_by_hand():
    z = 1.959963984540054
    assert enough_noise(0.1, z * 0.05, 0.05, 0.0) == pytest.approx((0.1 / z) ** 2)
    assert enough_noise(0.1, z * 0.05, 0.05, 0.001) == pytest.approx((0.1 / z) ** 2 - 0.001)
    assert enough_noise(0.1, z * 0.05 + 0.02, 0.05, 0.001) == pytest.approx((0.08 / z) ** 2 - 0.001)
    assert enough_noise(0.1, z * 0.05, 0.05, 0.0, 0.9) == pytest.approx(
        ((0.1 - z * 0.05 + 1.6448536269514722 * 0.05) / 1.6448536269514722) ** 2
    )
    edge = (0.1 / split_reach(z * 0.05, 0.05)[0]) ** 2
    assert (
        enough_noise(0.1, z * 0.05, 0.05, edge * (1 + 1e-9))
        == 0
        < enough_noise(0.1, z * 0.05, 0.05, edge * (1 - 1e-9))
    )
    assert enough_noise(0.02, 0.02, 0.0, 0.0) == 0 == enough_noise(0.0, 0.0, 0.0, 0.0)


def test_verdicts_drawn_again_by_the_normal_law():
    law = NormalDist(0.1, 0.2)
    for below, above, limit in (
        (0.3, 0.1, -0.05),
        (0.1, 0.4, 0.2),
        (0.0, 0.0, 0.3),
        (0.01, 0.9, -0.9),
    ):
        chances = verdict_chances(below, above, limit, 0.2, 0.1)
        passes, fails = 1 - law.cdf(limit + below), law.cdf(limit - above)
        assert chances == pytest.approx(
            {"pass": passes, "fail": fails, "inconclusive": max(0, 1 - passes - fails)}
        )
    assert (
        verdict_chances(0.1, 0.1, 0.0, 0.1)
        == verdict_chances(0.1, 0.1, 0.0, 0.1, 0.0)
        == pytest.approx(
            {
                "pass": NormalDist().cdf(-1),
                "fail": NormalDist().cdf(-1),
                "inconclusive": 1 - 2 * NormalDist().cdf(-1),
            }
        )
    )
    assert (
        list(chances) == ["pass", "fail", "inconclusive"]
        and verdict_chances(-0.1, -0.1, 0.0, 0.1)["inconclusive"] == 0
    )


# What more samples gain at most: the moments of the limit by listing, and how often it is exceeded.

lab = load_script("bench/claims.py")


def describe(n, c, k, credit):
    "Value and noise of one question with each number of right samples."
    n, c = np.full(np.shape(c), n), np.asarray(c)
    value = mean_credit(c, n - c, np.array([k]), credit)[:, 0]
    return value, within_variance(n, c, np.array([k]), credit)[:, 0]


def list_variance(state, apart, k, credit):
    """Variance of the square of the distance from the mean, less the noise, over all outcomes of a
    question."""
    n, c = state
    value, noise = describe(n, np.arange(n + 1), k, credit)
    chance = binom.pmf(np.arange(n + 1), n, (c + 0.5) / (n + 1))
    told = (apart + value - chance @ value) ** 2 - noise
    return chance @ told**2 - (chance @ told) ** 2


def find_step(state, apart, k, credit):
    n, c = state
    value, noise = describe(n, np.array([c, min(c + 1, n), max(c - 1, 0)]), k, credit)
    own = (apart + value - value[0]) ** 2 - noise
    return own[0] - own.min()


@pytest.mark.parametrize(
    "k, credit",
    [
        (1, share_credit),
        (1, lambda k: 2 - share_credit(k) / 2),
        (2, any_credit),
        (3, majority_credit),
    ],
)
def test_the_limit_of_one_system_by_listing(k, credit):
    states = [(6, 0), (6, 3), (8, 8), (7, 5)]
    n, c = np.array(states).T
    value = np.array([describe(*state, k, credit)[0] for state in [(m, [d]) for m, d in states]])[
        :, 0
    ]
    apart = value - value.mean()
    variance = sum(list_variance(state, gap, k, credit) for state, gap in zip(states, apart))
    step = max(find_step(state, gap, k, credit) for state, gap in zip(states, apart))
    assert doubt_samples([(n, c)], k, credit) == pytest.approx(
        (QUANTILE * variance**0.5 + UNSEEN * step) / 12
    )


@pytest.mark.parametrize("k, credit", [(1, share_credit), (2, any_credit)])
def test_the_limit_of_a_difference_by_listing(k, credit):
    a, b = [(4, 1), (6, 6), (5, 2)], [(4, 0), (5, 4), (8, 3)]
    columns = [np.array(side).T for side in (a, b)]
    value = [np.array([describe(n, [c], k, credit)[0][0] for n, c in side]) for side in (a, b)]
    apart = value[1] - value[0]
    apart -= apart.mean()
    variance = 0.0
    for (m, c), (n, d), gap in zip(a, b, apart):
        old, quiet = describe(m, np.arange(m + 1), k, credit)
        new, loud = describe(n, np.arange(n + 1), k, credit)
        p = binom.pmf(np.arange(m + 1), m, (c + 0.5) / (m + 1))
        q = binom.pmf(np.arange(n + 1), n, (d + 0.5) / (n + 1))
        told = [
            ((gap + (new[j] - q @ new) - (old[i] - p @ old)) ** 2 - quiet[i] - loud[j], p[i] * q[j])
            for i, j in product(range(m + 1), range(n + 1))
        ]
        values, chance = np.array(told).T
        variance += chance @ values**2 - (chance @ values) ** 2
    step = max(
        *(find_step(state, -gap, k, credit) for state, gap in zip(a, apart)),
        *(find_step(state, gap, k, credit) for state, gap in zip(b, apart)),
    )
    assert doubt_samples(columns, k, credit) == pytest.approx(
        (QUANTILE * variance**0.5 + UNSEEN * step) / 6
    )


def test_single_samples_need_no_list():
    n, c = np.array([2, 9, 9, 40]), np.array([2, 0, 4, 39])
    known, listed = redraw_single(n, c, share_credit), redraw_listed(n, c, 1, share_credit)
    for name in "value", "noise", "spread", "lean", "rest":
        np.testing.assert_allclose(getattr(known, name), getattr(listed, name), atol=1e-15)
    np.testing.assert_allclose(known.moves, listed.moves, atol=1e-15)


def test_a_question_always_right_may_be_right_less_often():
    # One question of a thousand samples decides: right in all of them, it may fail in 3 of 1,000.
    n, c = np.array([1000, 1000]), np.array([1000, 0])
    least = 0.5 - doubt_samples([(n, c)], 1, share_credit) * 2
    assert 0.5 - least == pytest.approx(0.0039, abs=0.0003)


def test_too_many_outcomes_make_no_claim():
    n, c = np.full(30, 10**6), np.arange(30) * 30_000
    assert (
        doubt_samples([(n, c)], 2, any_credit) is None
        and doubt_samples([(n, c)] * 2, 2, any_credit) is None
    )
    assert doubt_samples([(n, c)], 1, share_credit) < 1e-4


# The claims.


def test_the_limit_is_seldom_exceeded_where_the_point_estimate_often_is():
    found = [told for kind, _, told in lab.run("narrower", runs=12, seed=3, quick=True)]
    false, point, said = (
        sum(getattr(one, name) for one in found) for name in ("false", "point", "said")
    )
    assert said > 250 and false / said <= 0.01 and 0.3 < point / said < 0.7
    assert max(one.false for one in found) <= 1


def test_no_number_of_samples_is_said_where_some_would_do_in_one_of_fifty_at_most():
    cells = [
        (40, 2, "beta(1,1)", 0.04, 0.1),
        (60, 4, "beta(5,5)", 0.04, 0.0),
        (60, 2, "beta(5,5)", 0.04, 0.1),
    ]
    found = [
        lab.measure_never(
            np.random.default_rng(i), q, np.full(q, n), lab.LAWS[law], ahead, apart, 60
        )
        for i, (q, n, law, ahead, apart) in enumerate(cells)
    ]
    false, said, point, pointed = (
        sum(getattr(one, name) for one in found) for name in ("false", "said", "point", "pointed")
    )
    assert said > 30 and false / said <= 0.02 and point / pointed > 0.1


@pytest.mark.parametrize("metric", ["pass@1", "pass@2", "pass^2", "cons@3"])
def test_the_claim_is_a_field(metric):
    rng = np.random.default_rng(4)
    report = score(Counts(np.full(200, 16), rng.binomial(16, rng.beta(0.5, 0.5, 200))), metric)
    advice = report.next
    assert 0 < advice.gain < advice.gain_at_most < 0.5
    assert round(100 * advice.gain_at_most) == pytest.approx(100 * advice.gain_at_most)
    assert type(report).from_json(report.to_json()).next == advice


@pytest.mark.parametrize(
    "n, c, said",
    [
        ([2] * 30, [1] + [2] * 29, "about 15 % (0 to 15 %)"),
        ([2, 2], [1, 2], "about 5 % (0 to 5 %)"),
    ],
)
def test_what_endless_samples_give_where_all_spread_is_noise(n, c, said):
    # All questions may be equally hard: then endless samples leave each at the mean.
    report = score(Counts(n, c), "pass@1")
    low, high = gaffke_interval([report.rows[0].estimate] * len(n))
    gain = 1 - (high - low) / (report.rows[0].high - report.rows[0].low)
    assert report.next.gain == pytest.approx(gain, abs=1e-9) and gain < 0.15
    assert f"endless samples per question would narrow it by {said}." in " ".join(
        repr(report).split()
    )


@pytest.mark.parametrize(
    "questions, n, law",
    [
        (30, 2, lab.mix(1, 0.97, 0)),
        (10, 4, lab.mix(1, 0.9, 0)),
        (30, 4, lab.beta(8, 2)),
        (50, 4, lab.beta(0.5, 0.5)),
        (20, 8, lab.beta(1, 1)),
    ],
)
def test_what_endless_samples_give_is_about_true_and_its_limits_hold(questions, n, law):
    rng = np.random.default_rng(7)
    drawn = [
        lab.measure_gains(rng, questions, np.full(questions, n), law, "pass@", 1) for _ in range(60)
    ]
    least, about, most, true = np.array([one for one in drawn if one is not None]).T
    # Chances that happen to lie nearer to one half than the samples show make it wider by a little.
    assert (true <= most).mean() >= 0.95 and (true >= least - 0.05).mean() >= 0.95
    assert abs((about - true).mean()) <= 0.05 and (least <= about).all() and (about <= most).all()


@pytest.mark.parametrize("interval", ["gaffke", "anchored-t", "t", "bootstrap"])
def test_every_interval_knows_what_endless_samples_would_give(interval):
    told = score(Counts([2, 4, 3, 4, 4, 4], [1, 2, 0, 4, 3, 1]), "pass@1", interval=interval).next
    assert 0 == told.gain_at_least < told.gain < told.gain_at_most <= 1
    whole = score(Counts([2] * 30, [1] + [2] * 29), "pass@1", interval=interval).next
    assert whole.gain == pytest.approx(1.0) if interval in ("t", "bootstrap") else whole.gain < 0.5


def test_nothing_is_said_where_the_noise_or_its_limit_is_unknown():
    rows = [
        dict(question=q, topic=q // 2, correct=int(s < q % 4)) for q in range(24) for s in range(3)
    ]
    for options in dict(cluster="topic"), dict(interval="wilson"):
        told = score(
            rows if "cluster" in options else Counts([3] * 9, [0, 3, 3] * 3), "pass@1", **options
        )
        assert told.next.gain is None is told.next.gain_at_most and "endless" not in repr(told)
    pair = Counts([8] * 40, [0, 3, 4, 7] * 10), Counts([8] * 40, [0, 4, 5, 7] * 10)
    assert compare(*pair, "pass@1", method="assumption-free").next.gain is None


def test_a_line_of_the_bench():
    said = lab.tell("never", "Q=5", lab.Tally(10, 4, 1, 2, 8))
    assert said.split() == "never Q=5 runs 10 said 4 false 25.0 % point 25.0 % of 8".split()
    assert (
        lab.tell("never", "Q=5", lab.Tally(10, 0, 0, 0, 0)).split()[6:]
        == "false - % point - % of 0".split()
    )
    first, again = (
        [found for _, _, found in lab.run("never", runs=5, seed=2, quick=True)] for _ in range(2)
    )
    assert first == again
