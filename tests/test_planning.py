from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from sampling_eval.foundations.counts import Counts
from sampling_eval.foundations.oracle import binomial_mean, mean_over_subsets
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.inference.extrapolation import BetaLaw
from sampling_eval.inference.planning import (Components, contrast, detectable_difference, law_components, make_plan, paired_components,
                                              pilot_components, power_of, required_questions, variance_components, within_at)

DATA = Path(__file__).parent.parent / "nbs" / "data"


def any_right(k): return (np.arange(k + 1) >= 1) * 1.
def all_right(k): return (np.arange(k + 1) == k) * 1.
def majority(k): return (np.arange(k + 1) > k / 2) * 1.
def share(k): return np.arange(k + 1) / k


def read(name): return np.genfromtxt(DATA / name, delimiter=",", names=True, dtype=None, encoding="utf8")


def test_published_values():
    assert required_questions(.03, 1/9) == 969
    np.testing.assert_allclose(detectable_difference(198, 1/9 + 2/6 / np.array([1, 10])), [0.1327333278739942, 0.0756696392667773], rtol=1e-9)
    uniform = law_components(BetaLaw(1, 1), 1, any_right, [1, 2, 4, 6]).total
    np.testing.assert_allclose(uniform / uniform[0], [1, 2/3, 1/2, 4/9], rtol=1e-12)
    assert required_questions(.03, 0.1) == 873 and required_questions(.03, (26 + 14) / 400 - .03**2) == 865


def test_wang_variance_components():
    p, one = np.array([.75, .25, 1, .5]), np.array([1])
    noise = within_variance(np.full(4, 4), np.array([3, 1, 4, 2]), one, share)[:, 0]
    split = variance_components(p, noise, samples=4, ddof=0)
    np.testing.assert_allclose([split.between, 4 * split.within[0], split.between + 4 * split.within[0]], [0.02604166666666667, 0.20833333333333331, 0.234375], rtol=1e-12)


@pytest.mark.parametrize("credit, check", [(any_right, any), (all_right, all), (majority, lambda s: 2 * sum(s) > len(s))])
def test_variance_at_other_sizes_is_unbiased(credit, check):
    "The mean over all pilots is the exact variance, at fewer and at more samples than the pilot had."
    k, pilot, p = 3, 7, Fraction(2, 5)

    def exact(n):
        table = [mean_over_subsets([1] * c + [0] * (n - c), k, check) for c in range(n + 1)]
        return binomial_mean(lambda c: table[c]**2, n, p) - binomial_mean(lambda c: table[c], n, p)**2

    predicted = within_at(np.full(pilot + 1, pilot), np.arange(pilot + 1), k, credit, [3, 5, 7, 10])
    for s, n in enumerate((3, 5, 7, 10)):
        mean = binomial_mean(lambda c: Fraction(predicted[c, s]), pilot, p)
        assert abs(float(mean - exact(n))) < 1e-13


@pytest.mark.parametrize("k", [1, 2, 5])
def test_variance_at_the_pilots_own_size(k):
    n, c = np.array([10, 10, 10, 14, 11]), np.array([0, 4, 10, 9, 1])
    for m in (10, 11, 14):
        same = n == m
        want = within_variance(n[same], c[same], np.array([k]), any_right)[:, 0]
        np.testing.assert_allclose(within_at(n, c, k, any_right, [m])[same, 0], want, atol=1e-14)


def test_an_average_falls_as_one_over_n():
    w = within_at([6, 6], [2, 5], 1, any_right, [1, 2, 10])
    np.testing.assert_allclose(w, w[:, :1] / [1, 2, 10], rtol=1e-12)
    np.testing.assert_allclose(w[:, 0], [2/6 * 4/5, 5/6 * 1/5], rtol=1e-12)


def test_law_agrees_with_the_pilot_of_many_questions():
    rng = np.random.default_rng(0)
    c = rng.binomial(16, rng.beta(.6, 1.4, 40_000))
    law = law_components(BetaLaw(.6, 1.4), 4, any_right, [4, 16, 50])
    pilot = pilot_components(16, c, 4, any_right, [4, 16, 50])
    np.testing.assert_allclose(pilot.within, law.within, rtol=.02)
    np.testing.assert_allclose(pilot.between, law.between, rtol=.02)
    fitted = pilot_components(6, rng.binomial(6, rng.beta(.6, 1.4, 40_000)), 4, any_right, [4, 16, 50])
    np.testing.assert_allclose(fitted.within, law.within, rtol=.03)
    assert "because n < 2k" in fitted.source and "unbiased" in pilot.source


def test_law_with_impossible_questions():
    law = BetaLaw(.8, 1.2, zero=.3)
    parts, whole = law_components(BetaLaw(.8, 1.2), 3, any_right, [3, 9]), law_components(law, 3, any_right, [3, 9])
    np.testing.assert_allclose(whole.within, .7 * parts.within, rtol=1e-12)
    mean = BetaLaw(.8, 1.2).mean(3, any_right)
    np.testing.assert_allclose(whole.between, .7 * (parts.between + mean**2) - (.7 * mean)**2, rtol=1e-12)


def test_ragged_pilot():
    rng = np.random.default_rng(0)
    n = rng.integers(8, 20, 20_000)
    pilot = pilot_components(n, rng.binomial(n, rng.beta(1, 1, len(n))), 1, any_right, [1, 8])
    np.testing.assert_allclose(pilot.between, 1/12, rtol=.03)
    np.testing.assert_allclose(pilot.within, [1/6, 1/48], rtol=.03)


def test_paired_pilots_of_real_runs():
    table = read("deepscaler32k_counts.csv")
    base, tuned = (Counts(table["n"], table[name], table["question_id"]) for name in ("c_base", "c_rl"))
    both = paired_components(base, tuned, 1, any_right, [128])
    d = (tuned.c - base.c) / 128
    np.testing.assert_allclose(both.between + both.within[0], d.var(ddof=1), rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(both.total[0] / 1060), 0.004103778183680334, rtol=1e-9)
    one, two = (pilot_components(x.n, x.c, 1, any_right, [128]) for x in (base, tuned))
    assert contrast(one, two, correlation=.9).between < contrast(one, two).between == pytest.approx(one.between + two.between)
    with pytest.raises(ValueError, match="same questions"): paired_components(base, Counts(table["n"], table["c_rl"]), 1, any_right, [128])


def test_power_questions_and_difference_invert_each_other():
    for method in ("normal", "t"):
        for questions in (5, 30, 400):
            gap = detectable_difference(questions, .2, method=method)
            assert power_of(gap, questions, .2, method=method) == pytest.approx(.8, abs=1e-9)
            assert abs(int(required_questions(gap * (1 + 1e-9), .2, method=method)) - questions) == 0
    assert power_of(.1, 50, .2, method="t") < power_of(.1, 50, .2)
    np.testing.assert_array_equal(required_questions([.1, .05], .2), [157, 628])


def test_plan_modes():
    parts = Components(.1, np.array([.2, .1, .05, .01]), np.array([1, 2, 4, 20]))
    need = make_plan(parts, delta=.05)
    assert need.best == 0 and need.enough == 20 and (need.power >= .8).all() and list(need.questions) == sorted(need.questions)[::-1]
    assert make_plan(parts, delta=.05, cost_question=30).best > 0
    fixed = make_plan(parts, questions=300)
    assert fixed.best == 3 and (np.diff(fixed.delta) < 0).all() and (fixed.questions == 300).all()
    both = make_plan(parts, delta=.07, questions=300)
    assert both.power[both.best] >= .8 and (both.power[:both.best] < .8).all()
    assert make_plan(parts, delta=.001, questions=300).best is None and "no listed number" in repr(make_plan(parts, delta=.001, questions=300))
    split = make_plan(parts, budget=1000, cost_question=10)
    assert (split.cost <= 1000).all() and split.delta[split.best] == split.delta.min()
    limited = make_plan(parts, budget=1000, questions=50)
    assert limited.questions.max() == 50 and limited.samples[limited.best] == 20
    assert list(make_plan(parts, budget=40).samples) == [1, 2, 4, 20] and list(make_plan(parts, budget=39).samples) == [1, 2, 4]
    assert need.rows[0] == dict(samples=1, questions=942, delta=.05, power=need.power[0], cost=942.0, between_share=pytest.approx(1/3))


def test_a_negative_between_variance_is_kept_and_said():
    parts = variance_components([.5, .5, .5], [.1, .1, .1])
    assert parts.between == pytest.approx(-.1) and parts.total[0] == pytest.approx(.1)
    assert "taken as 0" in make_plan(parts, questions=3).how() and make_plan(parts, questions=3).best is None


@pytest.mark.parametrize("call, text", [
    (lambda: required_questions(0, .1), "need delta > 0"), (lambda: required_questions(.1, np.nan), "need variance > 0"),
    (lambda: required_questions(.1, .1, power=1), "power < 1"), (lambda: required_questions(.1, .1, power=.01), "0.025 < power"),
    (lambda: required_questions(.1, .1, confidence_level=95), "confidence_level < 1"), (lambda: power_of(.1, 5, .1, method="z"), "'normal' or 't'"),
    (lambda: power_of(.1, 1, .1, method="t"), "questions >= 2"), (lambda: within_at([5, 8], [1, 2], 4, any_right, [4]), "need n >= 2k"),
    (lambda: within_at([8], [1], 4, any_right, [3]), "need samples >= k"), (lambda: variance_components([.5], [.1]), "two at least"),
    (lambda: variance_components([.5, np.nan], [.1, .1]), "finite"), (lambda: make_plan(Components(.1, np.ones(1), np.ones(1, int))), "give delta"),
    (lambda: make_plan(Components(.1, np.ones(1), np.ones(1, int)), budget=1), "two questions"),
    (lambda: contrast(Components(.1, np.ones(1), np.ones(1, int)), correlation=2), "correlation"),
])
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text): call()


def test_the_square_of_an_estimate_is_a_credit():
    "Mean of the squared estimate under a uniform law, by listing."
    k, n = 2, 5
    square = sum(Fraction(1, n + 1) * (1 - Fraction(comb(n - c, k), comb(n, k)))**2 for c in range(n + 1))
    true = 1 - 2 * Fraction(1, k + 1) + Fraction(1, 2 * k + 1)
    np.testing.assert_allclose(law_components(BetaLaw(1, 1), k, any_right, [n]).within, [float(square - true)], rtol=1e-12)
