"What more samples gain at most: the moments of the limit by listing, and how often it is exceeded."
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from sampling_eval import Counts, compare, score
from sampling_eval.foundations.credit import any_credit, majority_credit, share_credit
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.verbs.next_steps import QUANTILE, UNSEEN, doubt_samples, redraw_listed, redraw_single
from scripts import load_script

lab = load_script("bench/claims.py")


def describe(n, c, k, credit):
    "Value and noise of one question with each number of right samples."
    n, c = np.full(np.shape(c), n), np.asarray(c)
    value = mean_credit(c, n - c, np.array([k]), credit)[:, 0]
    return value, within_variance(n, c, np.array([k]), credit)[:, 0]


def list_variance(state, apart, k, credit):
    "Variance of the square of the distance from the mean, less the noise, over all outcomes of a question."
    n, c = state
    value, noise = describe(n, np.arange(n + 1), k, credit)
    chance = binom.pmf(np.arange(n + 1), n, (c + .5) / (n + 1))
    told = (apart + value - chance @ value)**2 - noise
    return chance @ told**2 - (chance @ told)**2


def find_step(state, apart, k, credit):
    n, c = state
    value, noise = describe(n, np.array([c, min(c + 1, n), max(c - 1, 0)]), k, credit)
    own = (apart + value - value[0])**2 - noise
    return own[0] - own.min()


@pytest.mark.parametrize("k, credit", [(1, share_credit), (1, lambda k: 2 - share_credit(k) / 2), (2, any_credit),
                                       (3, majority_credit)])
def test_the_limit_of_one_system_by_listing(k, credit):
    states = [(6, 0), (6, 3), (8, 8), (7, 5)]
    n, c = np.array(states).T
    value = np.array([describe(*state, k, credit)[0] for state in [(m, [d]) for m, d in states]])[:, 0]
    apart = value - value.mean()
    variance = sum(list_variance(state, gap, k, credit) for state, gap in zip(states, apart))
    step = max(find_step(state, gap, k, credit) for state, gap in zip(states, apart))
    assert doubt_samples([(n, c)], k, credit) == pytest.approx((QUANTILE * variance**.5 + UNSEEN * step) / 12)


@pytest.mark.parametrize("k, credit", [(1, share_credit), (2, any_credit)])
def test_the_limit_of_a_difference_by_listing(k, credit):
    a, b = [(4, 1), (6, 6), (5, 2)], [(4, 0), (5, 4), (8, 3)]
    columns = [np.array(side).T for side in (a, b)]
    value = [np.array([describe(n, [c], k, credit)[0][0] for n, c in side]) for side in (a, b)]
    apart = value[1] - value[0]
    apart -= apart.mean()
    variance = 0.
    for (m, c), (n, d), gap in zip(a, b, apart):
        old, quiet = describe(m, np.arange(m + 1), k, credit)
        new, loud = describe(n, np.arange(n + 1), k, credit)
        p = binom.pmf(np.arange(m + 1), m, (c + .5) / (m + 1))
        q = binom.pmf(np.arange(n + 1), n, (d + .5) / (n + 1))
        told = [((gap + (new[j] - q @ new) - (old[i] - p @ old))**2 - quiet[i] - loud[j], p[i] * q[j])
                for i, j in product(range(m + 1), range(n + 1))]
        values, chance = np.array(told).T
        variance += chance @ values**2 - (chance @ values)**2
    step = max(*(find_step(state, -gap, k, credit) for state, gap in zip(a, apart)),
               *(find_step(state, gap, k, credit) for state, gap in zip(b, apart)))
    assert doubt_samples(columns, k, credit) == pytest.approx((QUANTILE * variance**.5 + UNSEEN * step) / 6)


def test_single_samples_need_no_list():
    n, c = np.array([2, 9, 9, 40]), np.array([2, 0, 4, 39])
    known, listed = redraw_single(n, c, share_credit), redraw_listed(n, c, 1, share_credit)
    for name in "value", "noise", "spread", "lean", "rest":
        np.testing.assert_allclose(getattr(known, name), getattr(listed, name), atol=1e-15)
    np.testing.assert_allclose(known.moves, listed.moves, atol=1e-15)


def test_a_question_always_right_may_be_right_less_often():
    # One question of a thousand samples decides: right in all of them, it may fail in 3 of 1,000.
    n, c = np.array([1000, 1000]), np.array([1000, 0])
    least = .5 - doubt_samples([(n, c)], 1, share_credit) * 2
    assert .5 - least == pytest.approx(.0039, abs=.0003)


def test_too_many_outcomes_make_no_claim():
    n, c = np.full(30, 10**6), np.arange(30) * 30_000
    assert doubt_samples([(n, c)], 2, any_credit) is None and doubt_samples([(n, c)] * 2, 2, any_credit) is None
    assert doubt_samples([(n, c)], 1, share_credit) < 1e-4


# The claims.

def test_the_limit_is_seldom_exceeded_where_the_point_estimate_often_is():
    found = [told for kind, _, told in lab.run("narrower", runs=40, seed=3, quick=True)]
    false, point, said = (sum(getattr(one, name) for one in found) for name in ("false", "point", "said"))
    assert said > 900 and false / said <= .01 and .3 < point / said < .7
    assert max(one.false / one.said for one in found) <= .05


def test_no_number_of_samples_is_said_where_some_would_do_in_one_of_fifty_at_most():
    cells = [(40, 2, "beta(1,1)", .04, .1), (60, 4, "beta(5,5)", .04, 0.), (60, 2, "beta(5,5)", .04, .1)]
    found = [lab.measure_never(np.random.default_rng(i), q, np.full(q, n), lab.LAWS[law], ahead, apart, 60)
             for i, (q, n, law, ahead, apart) in enumerate(cells)]
    false, said, point, pointed = (sum(getattr(one, name) for one in found)
                                   for name in ("false", "said", "point", "pointed"))
    assert said > 30 and false / said <= .02 and point / pointed > .1


@pytest.mark.parametrize("metric", ["pass@1", "pass@2", "pass^2", "cons@3"])
def test_the_claim_is_a_field(metric):
    rng = np.random.default_rng(4)
    report = score(Counts(np.full(200, 16), rng.binomial(16, rng.beta(.5, .5, 200))), metric)
    advice = report.next
    assert 0 < advice.gain < advice.gain_at_most < .5
    assert round(100 * advice.gain_at_most) == pytest.approx(100 * advice.gain_at_most)
    assert type(report).from_json(report.to_json()).next == advice


def test_a_comparison_has_the_fields_too():
    rng = np.random.default_rng(5)
    p = rng.beta(.5, .5, 100)
    sides = [Counts(np.full(100, 16), rng.binomial(16, np.clip(p + more, 0, 1))) for more in (0, .01 + .1 * rng.normal(size=100))]
    advice = compare(*sides, "pass@1").next
    assert 0 < advice.gain < advice.gain_at_most <= 1 and advice.to_dict()["gain_at_most"] == advice.gain_at_most


def test_a_line_of_the_bench():
    said = lab.tell("never", "Q=5", lab.Tally(10, 4, 1, 2, 8))
    assert said.split() == "never Q=5 runs 10 said 4 false 25.0 % point 25.0 % of 8".split()
    assert lab.tell("never", "Q=5", lab.Tally(10, 0, 0, 0, 0)).split()[6:] == "false - % point - % of 0".split()
    first, again = ([found for _, _, found in lab.run("never", runs=5, seed=2, quick=True)] for _ in range(2))
    assert first == again
