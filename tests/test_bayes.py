"""Posteriors against scorio's stored numbers, published values and independent routes."""
import json
from math import comb
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from sampling_eval.foundations.credit import all_credit, any_credit, majority_credit, share_credit
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference import fitted_prior as page
from sampling_eval.inference.bayes import (Prior, bayes_at_n, beta_terms, fit_prior, log_rising, posterior, posterior_mean,
                                           posterior_variance, probability_better)

SCORIO = json.loads((Path(__file__).parent / "vectors/scorio_posteriors.json").read_text())


def mg_pass(k): return 2 / k * np.maximum(np.arange(k + 1) - -(-k // 2), 0)


def area(k):
    """Mean height of the polygon pass@1..pass@k."""
    if k == 1: return any_credit(1)
    curve = np.array([[1 - comb(k - j, i) / comb(k, i) for i in range(1, k + 1)] for j in range(k + 1)])
    return (curve[:, 1:] + curve[:, :-1]).sum(1) / 2 / (k - 1)


CREDITS = {"pass_at_k": any_credit, "pass_hat_k": all_credit, "maj_at_k": majority_credit, "mg_pass_at_k": mg_pass, "auc_at_k": area,
           "g_pass_half": lambda k: (np.arange(k + 1) >= max(1, -(-k // 2))) * 1.}


@pytest.mark.parametrize("name", ["doc_2x5", "ladder_8x8", "beta_50x16"])
def test_flat_normal_is_scorios(name):
    data = SCORIO[name]
    for k, results in data["ci"].items():
        for metric, expected in results.items():
            prior, level = ((.5, .5), .95) if "jeffreys" in metric else ("flat", .9 if metric.endswith("90") else .95)
            credit = CREDITS[metric.removesuffix("_jeffreys").removesuffix("_90")]
            if metric == "g_pass_half" and int(k) % 2: credit = majority_credit
            result = posterior(np.full(len(data["c"]), data["n"]), data["c"], int(k), credit, prior=prior)
            interval = result.confidence_interval(level, method="normal")
            assert np.allclose([result.value, result.sd, interval.low, interval.high], expected, rtol=0, atol=1e-9), (k, metric)


@pytest.mark.parametrize("name", ["doc_2x5", "ladder_8x8", "beta_50x16"])
def test_average_is_scorios(name):
    data, n = SCORIO[name], SCORIO[name]["n"]
    result = posterior(np.full(len(data["c"]), n), data["c"], 1, share_credit)
    interval = result.confidence_interval(method="normal")
    assert np.allclose([result.value, result.sd, interval.low, interval.high], data["bayes_ci_01"], atol=1e-12)
    assert np.allclose([np.mean(data["c"]) / n, result.sd * (n + 2) / n], data["avg"], atol=1e-12)


def test_documented_examples():
    two = posterior([5, 5], [3, 4], 2, majority_credit)
    assert two.value == pytest.approx(25/56, abs=1e-14) and two.sd == pytest.approx((67/3136)**.5, abs=1e-14)
    assert posterior([5, 5], [3, 4], 3, majority_credit).value == pytest.approx(115/168, abs=1e-14)
    seen = posterior([5, 5], [3, 4], 2, any_credit)
    assert seen.value == pytest.approx(47/56, abs=1e-14) and seen.sd == pytest.approx((89/9408)**.5, abs=1e-14)
    assert posterior([100], [0], 1000, any_credit).value == pytest.approx(1000/1101, abs=1e-12)
    assert posterior_mean(1, 0, [1, 9, 99], any_credit, Prior(1, 1e-300)).shape == (3,)


def test_bayes_at_n():
    graded, before = [[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]], [[0, 2], [1, 2]]
    a, b = bayes_at_n(graded, [0, .5, 1], before), bayes_at_n(graded, [0, .5, 1])
    assert (a.value, a.sd) == (pytest.approx(.575), pytest.approx((5/704)**.5, abs=1e-14))
    assert (b.value, b.sd) == (pytest.approx(.5625), pytest.approx((13/1536)**.5, abs=1e-14))
    assert b.sd * 8 / 5 == pytest.approx(.14719601443879746, abs=1e-12)
    binary = bayes_at_n([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]).confidence_interval(method="normal")
    assert (binary.low, binary.high) == (pytest.approx(.4106976735953825), pytest.approx(.8750166121189034))


def test_flat_interval_excludes_the_average_of_o3_mini():
    c = [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4]
    flat, fitted = (posterior(np.full(15, 4), c, 1, share_credit, prior=p) for p in ("flat", "fitted"))
    interval = flat.confidence_interval(method="normal")
    assert (flat.value, interval.low, interval.high) == (pytest.approx(71/90), pytest.approx(.7130021265306425), pytest.approx(.8647756512471352))
    assert flat.sd**2 == pytest.approx(17/11340) and interval.high < np.mean(c) / 4
    assert fitted.confidence_interval().low < np.mean(c) / 4 < fitted.confidence_interval().high


@pytest.mark.parametrize("c,low,high", [(20, .8389023847809204, .9987951165516364), (18, .6962255930860758, .9695110323784845)])
def test_one_question_has_exact_quantiles(c, low, high):
    interval = posterior([20], [c], 1, share_credit).confidence_interval()
    assert (interval.low, interval.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


@pytest.mark.parametrize("n,c,k,credit,prior", [
    ([4] * 3, [0, 2, 4], 2, any_credit, Prior()), ([4] * 3, [0, 2, 4], 50, any_credit, Prior(.05, .3)),
    ([64] * 4, [0, 1, 30, 64], 32, majority_credit, Prior(.3, .7)), ([8, 3, 2] * 5, [4, 0, 1] * 5, 3, share_credit, Prior(.5, 2, .2, .1))])
def test_law_of_the_mean_against_draws(n, c, k, credit, prior):
    from scipy.special import betaln
    rng, total, grid = np.random.default_rng(0), 0, np.linspace(0, 1, 20001)
    curve = mean_credit(grid, 1 - grid, np.array([k]), credit, 0)[:, 0]
    for m, right in zip(n, c):
        rest = (1 - prior.at_zero - prior.at_one) * np.exp(betaln(prior.a + right, prior.b + m - right) - betaln(prior.a, prior.b))
        zero, one = prior.at_zero * (right == 0), prior.at_one * (right == m)
        u = rng.random(200_000) * (rest + zero + one)
        p = np.where(u < zero, 0., np.where(u < zero + one, 1., rng.beta(prior.a + right, prior.b + m - right, len(u))))
        total = total + np.interp(p, grid, curve)
    result = posterior(n, c, k, credit, prior=prior)
    drawn = total / len(n)
    assert result.value == pytest.approx(drawn.mean(), abs=2e-3) and result.sd == pytest.approx(drawn.std(), rel=2e-2)
    q = np.array([.025, .25, .5, .975])
    x = np.quantile(drawn, q)
    assert (result.law.cdf(x + 3e-3) > q - 6e-3).all() and (result.law.cdf(x - 3e-3) < q + 6e-3).all()


def test_moments_per_question():
    n, c = np.array([[4, 8], [16, 2]]), np.array([[1, 8], [0, 1]])
    assert posterior_mean(n, c, [1, 3, 40], any_credit).shape == (2, 2, 3)
    assert (posterior_variance(n, c, [1, 3, 40], any_credit) > 0).all()


def test_k_up_to_256_is_quick():
    c = np.random.default_rng(0).binomial(256, np.random.default_rng(1).beta(.3, .7, 10_000))
    start = perf_counter()
    for k in (16, 64, 128, 256): posterior(np.full(10_000, 256), c, k, majority_credit).confidence_interval()
    assert perf_counter() - start < 2


def test_fit_recovers_a_known_law():
    rng = np.random.default_rng(0)
    c = rng.binomial(32, rng.beta(.5, 1.5, 4000))
    prior = fit_prior(np.full(4000, 32), c)
    assert (prior.a, prior.b) == (pytest.approx(.5, rel=.1), pytest.approx(1.5, rel=.1))
    c[:1000] = 0
    atom = fit_prior(np.full(4000, 32), c, at_zero=True)
    assert atom.at_zero == pytest.approx(.25, abs=.06)


@pytest.mark.parametrize("c", [np.zeros(10, int), np.full(10, 4), np.full(10, 2), np.array([0, 4] * 5), np.array([3])])
def test_fit_at_the_edges(c):
    result = posterior(np.full(len(c), 4), c, 1, share_credit, prior="fitted")
    interval = result.confidence_interval()
    assert 0 <= interval.low < interval.high <= 1 and result.sd > 0


def test_rising_products_by_both_routes():
    m = np.array([0, 1, 7, 500, 16000])
    for x in .05, 1., 30., 5e4:
        direct, gammas = log_rising(x, m), page._log_rising_of_many(x, m)
        np.testing.assert_allclose(gammas, direct, rtol=1e-9, atol=1e-9 * x)
        assert (direct[:, 0] == 0).all() and (direct[1:] >= 0).all()
    np.testing.assert_allclose(np.exp(log_rising(3., np.array([4]))[0]), 3 * 4 * 5 * 6, rtol=1e-14)


def test_beta_terms_are_the_beta_binomial_law():
    from scipy.stats import betabinom
    c = np.arange(13)
    value = beta_terms(np.full(13, 12), c, .3, 1.7)[0]
    np.testing.assert_allclose(np.exp(value) * [comb(12, i) for i in c], betabinom.pmf(c, 12, .3, 1.7), rtol=1e-12)


@pytest.mark.parametrize("at_zero", [False, True])
@pytest.mark.parametrize("at_one", [False, True])
def test_the_fitted_prior_is_where_the_slope_is_zero(at_zero, at_one):
    rng = np.random.default_rng(4)
    n = rng.integers(4, 20, 300)
    p = np.where(rng.random(300) < .2, 0, np.where(rng.random(300) < .2, 1, rng.beta(2, 3, 300)))
    c = rng.binomial(n, p)
    prior = fit_prior(n, c, at_zero=at_zero, at_one=at_one)
    rest = 1 - prior.at_zero - prior.at_one
    odds = [mass / rest for mass, on in ((prior.at_zero, at_zero), (prior.at_one, at_one)) if on]
    z = np.log([prior.a, prior.b, *odds])
    slope = page._cost(z, n, c, np.ones(300), at_zero, at_one)[1]
    pressed = (z <= -16 + 1e-9) & (slope > 0) # a mass that the counts do not want ends at the edge
    assert np.abs(slope[~pressed]).max() < 1e-9 and not pressed[:2].any()


def test_nodes_of_a_fit_at_the_edge_are_unique():
    """All wrong: `a` ends at its smallest value, and the ellipsoid around it starts from exactly there."""
    prior = fit_prior(np.full(30, 4), np.zeros(30, int))
    assert prior.a == pytest.approx(.05, rel=1e-14)
    middle = prior.nodes[len(prior.nodes) // 2][1]
    assert (middle.a, middle.b) == (pytest.approx(prior.a, rel=1e-12), pytest.approx(prior.b, rel=1e-12))


def test_probability_better():
    a, b = posterior([20], [15], 1, share_credit), posterior([20], [10], 1, share_credit)
    p, q = np.random.default_rng(0).beta(16, 6, 400_000), np.random.default_rng(1).beta(11, 11, 400_000)
    assert probability_better(a, b) == pytest.approx((p > q).mean(), abs=3e-3)
    assert probability_better(a, b) + probability_better(b, a) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("call,error", [
    (lambda: posterior([4], [5], 1, share_credit), ValueError), (lambda: posterior([4], [2], 0, share_credit), ValueError),
    (lambda: posterior([4], [2], True, share_credit), TypeError), (lambda: posterior([4], [2], 1, share_credit, prior=(0, 1)), ValueError),
    (lambda: Prior(1, 1, .5, .5), ValueError), (lambda: posterior([4], [2], 1, share_credit).confidence_interval(method="t"), ValueError),
    (lambda: posterior([4], [2], 1, share_credit).confidence_interval(1.), ValueError), (lambda: bayes_at_n([0, 1]), ValueError)])
def test_refusals(call, error):
    with pytest.raises(error): call()
