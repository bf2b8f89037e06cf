"Posteriors against scorio's stored numbers, published values and independent routes."

import json
from fractions import Fraction
from math import comb, log, prod
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import betaln
from scipy.stats import betabinom

from printed import check_printed
from sampling_eval import bayes_at_n, posterior
from sampling_eval.foundations.credit import all_credit, any_credit, majority_credit, share_credit
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference import bayes as page, likelihood_slopes
from sampling_eval.inference.bayes import (
    beta_terms,
    blend,
    fit_prior,
    log_rising,
    posterior_mean,
    posterior_variance,
    Prior,
    probability_better,
)
from sampling_eval.inference.likelihood_slopes import settle

SCORIO = json.loads((Path(__file__).parent / "vectors/scorio_posteriors.json").read_text())


def mg_pass(k):
    return 2 / k * np.maximum(np.arange(k + 1) - -(-k // 2), 0)


def area(k):
    """Mean height of the polygon pass@1..pass@k."""
    if k == 1:
        return any_credit(1)
    curve = np.array(
        [[1 - comb(k - j, i) / comb(k, i) for i in range(1, k + 1)] for j in range(k + 1)]
    )
    return (curve[:, 1:] + curve[:, :-1]).sum(1) / 2 / (k - 1)


CREDITS = {
    "pass_at_k": any_credit,
    "pass_hat_k": all_credit,
    "maj_at_k": majority_credit,
    "mg_pass_at_k": mg_pass,
    "auc_at_k": area,
    "g_pass_half": lambda k: (np.arange(k + 1) >= max(1, -(-k // 2))) * 1.0,
}


@pytest.mark.parametrize("name", ["doc_2x5", "ladder_8x8", "beta_50x16"])
def test_flat_normal_is_scorios(name):
    data = SCORIO[name]
    for k, results in data["ci"].items():
        for metric, expected in results.items():
            prior, level = (
                ((0.5, 0.5), 0.95)
                if "jeffreys" in metric
                else ("flat", 0.9 if metric.endswith("90") else 0.95)
            )
            credit = CREDITS[metric.removesuffix("_jeffreys").removesuffix("_90")]
            if metric == "g_pass_half" and int(k) % 2:
                credit = majority_credit
            result = posterior(
                np.full(len(data["c"]), data["n"]), data["c"], int(k), credit, prior=prior
            )
            interval = result.confidence_interval(level, method="normal")
            assert np.allclose(
                [result.value, result.sd, interval.low, interval.high], expected, rtol=0, atol=1e-9
            ), (k, metric)


def test_documented_examples():
    two = posterior([5, 5], [3, 4], 2, majority_credit)
    assert two.value == pytest.approx(25 / 56, abs=1e-14) and two.sd == pytest.approx(
        (67 / 3136) ** 0.5, abs=1e-14
    )
    assert posterior([5, 5], [3, 4], 3, majority_credit).value == pytest.approx(
        115 / 168, abs=1e-14
    )
    seen = posterior([5, 5], [3, 4], 2, any_credit)
    assert seen.value == pytest.approx(47 / 56, abs=1e-14) and seen.sd == pytest.approx(
        (89 / 9408) ** 0.5, abs=1e-14
    )
    assert posterior([100], [0], 1000, any_credit).value == pytest.approx(1000 / 1101, abs=1e-12)
    assert posterior_mean(1, 0, [1, 9, 99], any_credit, Prior(1, 1e-300)).shape == (3,)


def test_bayes_at_n():
    graded, before = [[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]], [[0, 2], [1, 2]]
    a, b = bayes_at_n(graded, [0, 0.5, 1], before), bayes_at_n(graded, [0, 0.5, 1])
    assert (a.value, a.sd) == (pytest.approx(0.575), pytest.approx((5 / 704) ** 0.5, abs=1e-14))
    assert (b.value, b.sd) == (pytest.approx(0.5625), pytest.approx((13 / 1536) ** 0.5, abs=1e-14))
    assert b.sd * 8 / 5 == pytest.approx(0.14719601443879746, abs=1e-12)
    binary = bayes_at_n([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]).confidence_interval(method="normal")
    assert (binary.low, binary.high) == (
        pytest.approx(0.4106976735953825),
        pytest.approx(0.8750166121189034),
    )


def test_flat_interval_excludes_the_average_of_o3_mini():
    c = [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4]
    flat, fitted = (
        posterior(np.full(15, 4), c, 1, share_credit, prior=p) for p in ("flat", "fitted")
    )
    interval = flat.confidence_interval(method="normal")
    assert (flat.value, interval.low, interval.high) == (
        pytest.approx(71 / 90),
        pytest.approx(0.7130021265306425),
        pytest.approx(0.8647756512471352),
    )
    assert flat.sd**2 == pytest.approx(17 / 11340) and interval.high < np.mean(c) / 4
    assert fitted.confidence_interval().low < np.mean(c) / 4 < fitted.confidence_interval().high


@pytest.mark.parametrize(
    "c,low,high",
    [(20, 0.8389023847809204, 0.9987951165516364), (18, 0.6962255930860758, 0.9695110323784845)],
)
def test_one_question_has_exact_quantiles(c, low, high):
    interval = posterior([20], [c], 1, share_credit).confidence_interval()
    assert (interval.low, interval.high) == (
        pytest.approx(low, abs=1e-12),
        pytest.approx(high, abs=1e-12),
    )


@pytest.mark.parametrize(
    "n,c,k,credit,prior",
    [
        ([4] * 3, [0, 2, 4], 2, any_credit, Prior()),
        ([4] * 3, [0, 2, 4], 50, any_credit, Prior(0.05, 0.3)),
        ([64] * 4, [0, 1, 30, 64], 32, majority_credit, Prior(0.3, 0.7)),
        ([8, 3, 2] * 5, [4, 0, 1] * 5, 3, share_credit, Prior(0.5, 2, 0.2, 0.1)),
    ],
)
def test_law_of_the_mean_against_draws(n, c, k, credit, prior):
    from scipy.special import betaln

    rng, total, grid = np.random.default_rng(0), 0, np.linspace(0, 1, 20001)
    curve = mean_credit(grid, 1 - grid, np.array([k]), credit, 0)[:, 0]
    for m, right in zip(n, c):
        rest = (1 - prior.at_zero - prior.at_one) * np.exp(
            betaln(prior.a + right, prior.b + m - right) - betaln(prior.a, prior.b)
        )
        zero, one = prior.at_zero * (right == 0), prior.at_one * (right == m)
        u = rng.random(200_000) * (rest + zero + one)
        p = np.where(
            u < zero,
            0.0,
            np.where(u < zero + one, 1.0, rng.beta(prior.a + right, prior.b + m - right, len(u))),
        )
        total = total + np.interp(p, grid, curve)
    result = posterior(n, c, k, credit, prior=prior)
    drawn = total / len(n)
    assert result.value == pytest.approx(drawn.mean(), abs=2e-3) and result.sd == pytest.approx(
        drawn.std(), rel=2e-2
    )
    q = np.array([0.025, 0.25, 0.5, 0.975])
    x = np.quantile(drawn, q)
    assert (result.law.cdf(x + 3e-3) > q - 6e-3).all() and (
        result.law.cdf(x - 3e-3) < q + 6e-3
    ).all()


def test_moments_per_question():
    n, c = np.array([[4, 8], [16, 2]]), np.array([[1, 8], [0, 1]])
    assert posterior_mean(n, c, [1, 3, 40], any_credit).shape == (2, 2, 3)
    assert (posterior_variance(n, c, [1, 3, 40], any_credit) > 0).all()


def test_fit_recovers_a_known_law():
    rng = np.random.default_rng(0)
    c = rng.binomial(32, rng.beta(0.5, 1.5, 4000))
    prior = fit_prior(np.full(4000, 32), c)
    assert (prior.a, prior.b) == (pytest.approx(0.5, rel=0.1), pytest.approx(1.5, rel=0.1))
    c[:1000] = 0
    atom = fit_prior(np.full(4000, 32), c, at_zero=True)
    assert atom.at_zero == pytest.approx(0.25, abs=0.06)


@pytest.mark.parametrize(
    "c", [np.zeros(10, int), np.full(10, 4), np.full(10, 2), np.array([0, 4] * 5), np.array([3])]
)
def test_fit_at_the_edges(c):
    result = posterior(np.full(len(c), 4), c, 1, share_credit, prior="fitted")
    interval = result.confidence_interval()
    assert 0 <= interval.low < interval.high <= 1 and result.sd > 0


def test_rising_products_by_both_routes():
    m = np.array([0, 1, 7, 500, 16000])
    for x in 0.05, 1.0, 30.0, 5e4:
        direct, gammas = log_rising(x, m), likelihood_slopes.log_rising_of_many(x, m)
        np.testing.assert_allclose(gammas, direct, rtol=1e-9, atol=1e-9 * x)
        assert (direct[:, 0] == 0).all() and (direct[1:] >= 0).all()
    np.testing.assert_allclose(np.exp(log_rising(3.0, np.array([4]))[0]), 3 * 4 * 5 * 6, rtol=1e-14)


def test_beta_terms_are_the_beta_binomial_law():
    from scipy.stats import betabinom

    c = np.arange(13)
    value = beta_terms(np.full(13, 12), c, 0.3, 1.7)[0]
    np.testing.assert_allclose(
        np.exp(value) * [comb(12, i) for i in c], betabinom.pmf(c, 12, 0.3, 1.7), rtol=1e-12
    )


@pytest.mark.parametrize("at_zero", [False, True])
@pytest.mark.parametrize("at_one", [False, True])
def test_the_fitted_prior_is_where_the_slope_is_zero(at_zero, at_one):
    rng = np.random.default_rng(4)
    n = rng.integers(4, 20, 300)
    p = np.where(rng.random(300) < 0.2, 0, np.where(rng.random(300) < 0.2, 1, rng.beta(2, 3, 300)))
    c = rng.binomial(n, p)
    prior = fit_prior(n, c, at_zero=at_zero, at_one=at_one)
    rest = 1 - prior.at_zero - prior.at_one
    odds = [mass / rest for mass, on in ((prior.at_zero, at_zero), (prior.at_one, at_one)) if on]
    z = np.log([prior.a, prior.b, *odds])
    slope = page._cost(z, n, c, np.ones(300), at_zero, at_one)[1]
    pressed = (z <= -16 + 1e-9) & (slope > 0)  # a mass that the counts do not want ends at the edge
    assert np.abs(slope[~pressed]).max() < 1e-9 and not pressed[:2].any()


def test_nodes_of_a_fit_at_the_edge_are_unique():
    """All wrong: `a` ends at its smallest value, and the ellipsoid around it starts from exactly
    there."""
    prior = fit_prior(np.full(30, 4), np.zeros(30, int))
    assert prior.a == pytest.approx(0.05, rel=1e-14)
    middle = prior.nodes[len(prior.nodes) // 2][1]
    assert (middle.a, middle.b) == (
        pytest.approx(prior.a, rel=1e-12),
        pytest.approx(prior.b, rel=1e-12),
    )


def test_probability_better():
    a, b = posterior([20], [15], 1, share_credit), posterior([20], [10], 1, share_credit)
    p, q = np.random.default_rng(0).beta(16, 6, 400_000), np.random.default_rng(1).beta(
        11, 11, 400_000
    )
    assert probability_better(a, b) == pytest.approx((p > q).mean(), abs=3e-3)
    assert probability_better(a, b) + probability_better(b, a) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    "call,error",
    [
        (lambda: posterior([4], [5], 1, share_credit), ValueError),
        (lambda: posterior([4], [2], 0, share_credit), ValueError),
        (lambda: posterior([4], [2], True, share_credit), TypeError),
        (lambda: posterior([4], [2], 1, share_credit, prior=(0, 1)), ValueError),
        (lambda: Prior(1, 1, 0.5, 0.5), ValueError),
        (lambda: posterior([4], [2], 1, share_credit).confidence_interval(method="t"), ValueError),
        (lambda: posterior([4], [2], 1, share_credit).confidence_interval(1.0), ValueError),
        (lambda: bayes_at_n([0, 1]), ValueError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()


# By other routes: fractions, quadrature, closed forms.


def beta_moment(a, b, right, wrong=0):
    "Mean of `p**right (1 - p)**wrong` under a Beta law of whole numbers."

    def rising(x, m):
        return prod(Fraction(x) + i for i in range(m))

    return rising(a, right) * rising(b, wrong) / rising(a + b, right + wrong)


def mix_by_hand(n, c, k, zero, one):
    "Exact mean and variance of pass@k of one question: a flat law, and mass at either end."
    from_beta = (1 - zero - one) * beta_moment(1, 1, c, n - c)
    masses = [zero * (c == 0), from_beta, one * (c == n)]
    weights = [Fraction(mass) / sum(masses) for mass in masses]
    a, b = 1 + c, 1 + n - c
    first = 1 - beta_moment(a, b, 0, k)
    second = 1 - 2 * beta_moment(a, b, 0, k) + beta_moment(a, b, 0, 2 * k)
    mean = weights[1] * first + weights[2]
    return mean, weights[1] * second + weights[2] - mean**2


@pytest.mark.parametrize(
    "zero, one", [("0", "0"), ("1/5", "0"), ("0", "1/10"), ("1/5", "1/10"), ("3/5", "3/10")]
)
@pytest.mark.parametrize("n, c", [(3, 0), (3, 3), (3, 1), (1, 1), (7, 6)])
def test_moments_with_mass_at_either_end_in_fractions(n, c, zero, one):
    zero, one = Fraction(zero), Fraction(one)
    prior = Prior(at_zero=float(zero), at_one=float(one))
    for k in 1, 2, 9:
        mean, variance = mix_by_hand(n, c, k, zero, one)
        assert posterior_mean(n, c, k, any_credit, prior) == pytest.approx(float(mean), rel=1e-12)
        assert posterior_variance(n, c, k, any_credit, prior) == pytest.approx(
            float(variance), rel=1e-11
        )
        whole = posterior([n], [c], k, any_credit, prior=prior)
        assert [whole.value, whole.sd] == pytest.approx(
            [float(mean), float(variance) ** 0.5], rel=1e-11
        )


@pytest.mark.parametrize("c", [[10**6], [0], [0, 10**6, 5 * 10**5]])
def test_a_variance_close_to_an_end_keeps_its_digits(c):
    n, c = 10**6, np.array(c)
    want = (1 + c) * (1 + n - c) / ((n + 2) ** 2 * (n + 3))
    np.testing.assert_allclose(
        posterior_variance(np.full(len(c), n), c, 1, share_credit), want, rtol=1e-9
    )


def test_moments_over_several_priors_are_those_of_the_mixture():
    parts = [Prior(1, 3), Prior(2, 1, 0.25, 0), Prior(1, 1, 0, 0.5)]
    weights = 0.5, 0.3, 0.2
    mixed = Prior(1, 1, nodes=tuple(zip(weights, parts)))
    n, c = np.array([4, 4, 2, 2]), np.array([0, 4, 0, 1])
    means, variances = (
        np.array([of(n, c, [1, 3], any_credit, p) for p in parts])
        for of in (posterior_mean, posterior_variance)
    )
    mean = np.einsum("w,wqk->qk", weights, means)
    second = np.einsum("w,wqk->qk", weights, variances + means**2)
    np.testing.assert_allclose(posterior_mean(n, c, [1, 3], any_credit, mixed), mean, rtol=1e-13)
    np.testing.assert_allclose(
        posterior_variance(n, c, [1, 3], any_credit, mixed), second - mean**2, rtol=1e-12
    )
    whole = posterior(n, c, 3, any_credit, prior=mixed)
    each = [posterior(n, c, 3, any_credit, prior=p) for p in parts]
    values, sds = (np.array([getattr(one, name) for one in each]) for name in ("value", "sd"))
    assert whole.value == pytest.approx(weights @ values) == pytest.approx(mean[:, 1].mean())
    assert whole.sd == pytest.approx((weights @ (sds**2 + values**2) - whole.value**2) ** 0.5)
    # Each law is a Beta law with the mean and the spread of its prior.
    from scipy.stats import beta

    size = values * (1 - values) / sds**2 - 1

    def cdf(x):
        return weights @ beta.cdf(x, values * size, (1 - values) * size)

    for x in 0.2, 0.5, 0.8:
        assert whole.law.cdf(x) == pytest.approx(cdf(x), rel=1e-12)
    ends = whole.confidence_interval(0.9)
    assert [cdf(ends.low), cdf(ends.high)] == pytest.approx([0.05, 0.95], abs=1e-10)


def better_by_quadrature(a, b):
    "Chance that one Beta variable exceeds another."
    from scipy.integrate import quad
    from scipy.stats import beta

    return quad(lambda x: beta.pdf(x, *a) * beta.cdf(x, *b), 0, 1, epsabs=1e-12)[0]


@pytest.mark.parametrize("n_a, c_a, n_b, c_b", [(20, 15, 20, 10), (3, 1, 9, 8), (2, 0, 20, 1)])
def test_probability_better_by_quadrature(n_a, c_a, n_b, c_b):
    a, b = posterior([n_a], [c_a], 1, share_credit), posterior([n_b], [c_b], 1, share_credit)
    want = better_by_quadrature((1 + c_a, 1 + n_a - c_a), (1 + c_b, 1 + n_b - c_b))
    assert probability_better(a, b) == pytest.approx(want, abs=5e-6)
    assert probability_better(b, a) == pytest.approx(1 - want, abs=5e-6)
    assert probability_better(a, a) == pytest.approx(0.5, abs=1e-6)


def test_against_a_system_that_may_be_hopeless():
    hopeless = posterior([2], [0], 1, share_credit, prior=Prior(1, 1, 0.5, 0.1))
    other = posterior([20], [1], 1, share_credit)
    # The mass at 0 is .5 against .4 / 3, that of the Beta law.
    want = 4 / 19 * better_by_quadrature((1, 3), (2, 20))
    assert probability_better(other, hopeless) == pytest.approx(1 - want, abs=5e-6)


def test_a_sure_value_is_better_than_any_other():
    sure, open_ = posterior(
        [5], [5], 1, share_credit, prior=Prior(1, 1, 0, 0.9999999999)
    ), posterior([9], [8], 1, share_credit)
    assert probability_better(sure, open_) == pytest.approx(1, abs=1e-6)
    assert probability_better(open_, sure) == pytest.approx(0, abs=1e-6)
    fixed = posterior([4, 4], [1, 2], 1, lambda k: np.full(k + 1, 0.25))
    assert probability_better(bayes_at_n([[1, 1]], (0, 1)), bayes_at_n([[0, 0]], (0, 1))) > 0.9
    assert fixed.value == 0.25 and fixed.sd == pytest.approx(0, abs=1e-8)


def test_a_law_of_two_peaks_is_half_above_what_lies_between():
    "Between the peaks the distribution function stands still."
    peaks = Prior(nodes=((0.5, Prior(2, 2e4)), (0.5, Prior(2e4, 2))))
    assert probability_better(
        posterior([1], [0], 1, share_credit, prior=peaks), posterior([40], [20], 1, share_credit)
    ) == pytest.approx(0.5, abs=1e-6)


def test_short_and_long_questions_have_one_law():
    "Two thousand questions of one sample and as many of 4096: the sum is nearly normal."
    mean = posterior([1, 4096], [0, 1500], 1, share_credit, times=[2000, 2000])
    assert mean.value == pytest.approx((1 / 3 + 1501 / 4098) / 2)
    ends = mean.law.quantile(np.array([0.025, 0.5, 0.975]))
    np.testing.assert_allclose((ends - mean.value) / mean.sd, [-1.96, 0, 1.96], atol=0.02)


def test_the_law_of_two_questions_by_quadrature():
    "A mean of two independent Beta variables, Beta(2, 1) and Beta(1, 2)."
    from scipy.integrate import quad
    from scipy.stats import beta

    law = posterior([1, 1], [1, 0], 1, share_credit).law
    for x in 0.05, 0.3, 0.5, 0.62, 0.9:
        cuts = [min(max(end, 0), 1) for end in (2 * x, 2 * x - 1)]
        want = quad(lambda p: 2 * p * beta.cdf(2 * x - p, 1, 2), 0, 1, epsabs=1e-12, points=cuts)[0]
        assert law.cdf(x) == pytest.approx(want, abs=2e-8)
        assert law.quantile(np.array([want]))[0] == pytest.approx(x, abs=1e-7)
    assert law.cdf(np.array([-1.0, 2.0])).tolist() == [0, 1]


@pytest.mark.parametrize(
    "k, turn", [(1, lambda p: p), (3, lambda p: 1 - (1 - p) ** 3), (8, lambda p: 1 - (1 - p) ** 8)]
)
def test_the_law_of_one_question_is_a_beta_law_turned(k, turn):
    from scipy.stats import beta

    law, p, q = (
        posterior([20], [15], k, any_credit).law,
        np.linspace(0.45, 0.95, 11),
        np.array([1e-6, 0.01, 0.3, 0.5, 0.9, 0.999]),
    )
    np.testing.assert_allclose(law.cdf(turn(p)), beta.cdf(p, 16, 6), atol=2e-5)
    np.testing.assert_allclose(law.quantile(q), turn(beta.ppf(q, 16, 6)), rtol=1e-11)


def test_the_law_of_one_question_with_mass_at_its_ends():
    from scipy.stats import beta

    q = np.array([0.1, 0.5, 0.78, 0.8, 0.99])
    # 15/19 of the mass is at 0: .5 against .4 / 3.
    zero = posterior([2], [0], 1, share_credit, prior=Prior(1, 1, 0.5, 0.1)).law
    np.testing.assert_allclose(
        zero.quantile(q), [0, 0, 0, *beta.ppf((q[3:] - 15 / 19) * 19 / 4, 1, 3)], rtol=1e-11
    )
    # 3/7 of the mass is at 1: .1 against .4 / 3.
    one = posterior([2], [2], 1, share_credit, prior=Prior(1, 1, 0.5, 0.1)).law
    np.testing.assert_allclose(
        one.quantile(q), [*beta.ppf(q[:2] * 7 / 4, 3, 1), 1, 1, 1], rtol=1e-11
    )
    x = np.array([0.2, 0.6, 0.9])
    np.testing.assert_allclose(one.cdf(x), beta.cdf(x, 3, 1) * 4 / 7, atol=1e-5)
    np.testing.assert_allclose(zero.cdf(x), 15 / 19 + beta.cdf(x, 1, 3) * 4 / 19, atol=1e-5)


def test_a_credit_that_falls_has_quantiles_of_several_questions_only():
    def fall(k):
        return 1 - np.arange(k + 1) / k

    with pytest.raises(ValueError, match="a credit that never falls, got one that does"):
        posterior([4], [1], 2, fall).confidence_interval()
    one, other = posterior([4, 4], [1, 1], 2, fall), posterior([4, 4], [1, 1], 2, share_credit)
    assert one.confidence_interval().low == pytest.approx(
        1 - other.confidence_interval().high, abs=1e-8
    )


def test_quantiles_stay_within_what_can_be_paid():
    def some(k):
        return np.where(np.arange(k + 1) == k, 0.8, 0.2)

    law = posterior([8, 8], [8, 8], 2, some).law
    low, high = law.quantile(np.array([0.0, 1.0]))
    assert 0.2 <= low < high <= 0.8
    assert law.quantile(np.array([1e-13, 1 - 1e-13])).max() <= 0.8


def test_the_interval_of_graded_outcomes_is_that_of_a_beta_law():
    from scipy.stats import beta

    graded = bayes_at_n([[0, 1, 2], [2, 2, 1]], [-1, 0, 3])
    # Shares (2, 2, 2)/6 and (1, 2, 3)/6; means 2/3 and 4/3; variances (10/3 - 4/9)/7 and (28/6 -
    # 16/9)/7.
    variance = (Fraction(10, 3) - Fraction(4, 9) + Fraction(28, 6) - Fraction(16, 9)) / 7 / 4
    assert (graded.value, graded.sd) == (pytest.approx(1), pytest.approx(float(variance) ** 0.5))
    assert (graded.questions, graded.k, graded.beyond) == (2, None, 0)
    size = 0.5 * 0.5 / float(variance / 16) - 1
    law = beta(0.5 * size, 0.5 * size, loc=-1, scale=4)
    for level in 0.5, 0.95:
        ends = graded.confidence_interval(level)
        assert [ends.low, ends.high] == pytest.approx(list(law.interval(level)))
        assert (str(ends.method), ends.level) == ("flat Dirichlet prior, quantile", level)
    x = np.array([-2, -1, 0, 1, 2.5, 3, 4])
    np.testing.assert_allclose(graded.law.cdf(x), law.cdf(x), rtol=1e-12)


@pytest.mark.parametrize(
    "args, said",
    [
        (([0, 1],), r"outcomes must have shape \(Q, n\), got \(2,\)"),
        (([[0, 2]],), r"outcomes must lie in 0\.\.1, got 0\.\.2"),
        (([[-1, 1]],), r"got -1\.\.1"),
        (([[0, 3]], (0, 0.5, 1)), r"lie in 0\.\.2, got 0\.\.3"),
        (([[0, 1]], (0, 1), [[2]]), r"got 0\.\.2"),
        (([[0.5, 1]],), "outcomes must hold integers"),
        (([[0, 1]], (0, 1), [[0.5]]), "prior_outcomes must hold integers"),
    ],
)
def test_graded_outcomes_that_are_refused(args, said):
    with pytest.raises((ValueError, TypeError), match=said):
        bayes_at_n(*args)
    assert bayes_at_n([[0, 1]], (0, 1), [[1]]).value == pytest.approx(3 / 5)
    assert bayes_at_n([[0, 2]], (0, 0.5, 1)).value == pytest.approx(0.5)


@pytest.mark.parametrize(
    "args, said",
    [
        (([[0, 1]], [1]), "weights must hold two finite numbers at least, got"),
        (([[0, 1]], [[0, 1]]), "weights must hold two finite numbers at least, got"),
        (([[0, 1]], 1), "weights must hold two finite numbers at least, got 1"),
        (([[0, 1]], [0, np.inf]), "weights must hold two finite numbers at least, got"),
        (([[0, 1]], [np.nan, 1]), "weights must hold two finite numbers at least, got"),
        (([[0, 1]], (0, 1), [1]), r"a row for each of 1 questions, got shape \(1,\)"),
        (([[0, 1]], (0, 1), [[1], [0]]), r"a row for each of 1 questions, got shape \(2, 1\)"),
        (([[[0, 1]]],), r"outcomes must have shape \(Q, n\), got \(1, 1, 2\)"),
    ],
)
def test_weights_and_earlier_outcomes_that_are_refused(args, said):
    with pytest.raises(ValueError, match=said):
        bayes_at_n(*args)


@pytest.mark.parametrize(
    "given, kind, said",
    [
        (dict(times=[1]), ValueError, r"times must hold a number of at least 0 .* got \[1\]"),
        (dict(times=[2, -1]), ValueError, r"some above 0, got \[2, -1\]"),
        (dict(times=[0, 0]), ValueError, r"some above 0, got \[0, 0\]"),
        (dict(times=[[1, 1]]), ValueError, r"some above 0, got \[\[1, 1\]\]"),
        (dict(n=[[4, 4]]), ValueError, r"counts must be one per question, got shape \(1, 2\)"),
        (dict(k=[1, 2]), TypeError, "k must be one budget, got 2"),
        (dict(k=[3]), TypeError, "k must be one budget, got 1"),
    ],
)
def test_counts_of_a_posterior_that_are_refused(given, kind, said):
    options = dict(n=[4, 4], c=[1, 2], k=1, credit=share_credit) | given
    with pytest.raises(kind, match=said):
        posterior(**options)


def test_counts_that_no_question_has_do_not_matter():
    some = posterior([4, 4, 2], [1, 3, 0], 1, share_credit, times=[2, 1, 0])
    same = posterior([4, 4, 4], [1, 1, 3], 1, share_credit)
    assert (some.value, some.sd, some.questions, some.beyond) == (
        pytest.approx(same.value),
        pytest.approx(same.sd),
        3,
        0,
    )


@pytest.mark.parametrize(
    "prior, told",
    [
        ("flat", "flat prior Beta(1, 1)"),
        ((0.5, 2), "given prior Beta(0.5, 2)"),
        ([2, 3], "given prior Beta(2, 3)"),
        (Prior(1, 2, 0.25, 0.125, "own"), "own prior Beta(1, 2, 0.25 at 0, 0.125 at 1)"),
        (Prior(1, 2, 0, 0.125), "given prior Beta(1, 2, 0 at 0, 0.125 at 1)"),
    ],
)
def test_the_method_names_its_prior(prior, told):
    mean = posterior([4, 2, 8], [4, 1, 3], 5, any_credit, prior=prior)
    assert str(mean.prior) == told
    assert (mean.questions, mean.k, mean.beyond) == (3, 5, 2)
    assert str(mean.confidence_interval().method) == f"{told}, quantile, k > n on 2 questions"
    assert (
        str(mean.confidence_interval(method="normal").method)
        == f"{told}, normal, k > n on 2 questions"
    )
    ends = posterior([4, 2, 8], [4, 1, 3], 2, any_credit, prior=prior).confidence_interval(
        method="quantile"
    )
    assert str(ends.method) == f"{told}, quantile"
    assert posterior_mean([4, 2], [4, 1], 3, any_credit, prior) == pytest.approx(
        posterior_mean([4, 2], [4, 1], 3, any_credit, mean.prior)
    )


@pytest.mark.parametrize("prior", ["even", (1, 2, 3), 1, None, (), "fitted "])
def test_what_is_no_prior_is_refused(prior):
    for call in (
        lambda: posterior([4], [2], 1, share_credit, prior=prior),
        lambda: posterior_mean([4], [2], 1, share_credit, prior),
    ):
        with pytest.raises(
            ValueError, match=r"prior must be 'flat', \(a, b\), 'fitted' or a Prior, got "
        ):
            call()


def test_the_normal_interval_by_hand():
    mean = posterior([4, 4], [4, 4], 1, share_credit)
    # Beta(5, 1) twice: mean 5/6, variance 5/252, halved for the mean of two.
    assert (mean.value, mean.sd) == (pytest.approx(5 / 6), pytest.approx((5 / 504) ** 0.5))
    half = 1.6448536269514722 * (5 / 504) ** 0.5
    open_, clipped, narrow = (
        mean.confidence_interval(0.9, "normal", **dict(bounds))
        for bounds in ([("bounds", None)], (), [("bounds", (0.7, 0.8))])
    )
    assert [open_.low, open_.high] == pytest.approx([5 / 6 - half, 5 / 6 + half])
    wide = mean.confidence_interval(0.999, "normal")
    assert wide.high == 1 and wide.low == pytest.approx(
        5 / 6 - 3.2905267314918945 * (5 / 504) ** 0.5
    )
    assert [clipped.low, clipped.high] == pytest.approx([5 / 6 - half, 5 / 6 + half])
    assert [narrow.low, narrow.high] == [0.7, 0.8] and mean.confidence_interval().level == 0.95
    below = posterior([400], [0], 1, share_credit).confidence_interval(0.999, "normal")
    assert below.low == 0 < below.high


@pytest.mark.parametrize("level", [0, 1, -0.1, 1.5])
def test_levels_at_the_ends_are_refused(level):
    with pytest.raises(ValueError, match="need 0 < confidence_level < 1"):
        posterior([4], [2], 1, share_credit).confidence_interval(level)


@pytest.mark.parametrize("prior", ["flat", "fitted", Prior(0.5, 0.5, 0.1, 0.1)])
def test_equal_questions_may_stand_once(prior):
    n, c, times = np.array([4, 4, 2, 8]), np.array([0, 3, 2, 8]), np.array([3, 1, 2, 2])
    once = posterior(n, c, 3, any_credit, prior=prior, times=times)
    each = posterior(np.repeat(n, times), np.repeat(c, times), 3, any_credit, prior=prior)
    assert (once.questions, once.beyond) == (each.questions, each.beyond) == (8, 2)
    assert (once.value, once.sd) == (
        pytest.approx(each.value, rel=1e-9),
        pytest.approx(each.sd, rel=1e-9),
    )
    ends = [one.confidence_interval() for one in (once, each)]
    assert [ends[0].low, ends[0].high] == pytest.approx([ends[1].low, ends[1].high], rel=1e-7)
    one = posterior([4], [3], 3, any_credit, times=[1])
    assert (
        one.questions == 1
        and one.confidence_interval() == posterior([4], [3], 3, any_credit).confidence_interval()
    )
    means = posterior_mean(np.repeat(n, times), np.repeat(c, times), 3, any_credit, prior)
    assert means.mean() == pytest.approx(once.value, rel=1e-9)


def test_posteriors_in_numbers():
    "Quantiles, moments and chances of awkward cases, as they were when they were checked."
    cases = {
        "flat": ([4] * 6, [0, 1, 2, 3, 4, 4], 2, any_credit, "flat"),
        "fitted": ([4] * 6, [0, 1, 2, 3, 4, 4], 2, any_credit, "fitted"),
        "fitted, ragged": ([8, 3, 2, 16], [8, 0, 1, 3], 4, all_credit, "fitted"),
        "both ends": ([3, 3, 5], [0, 3, 2], 2, any_credit, Prior(0.5, 2, 0.2, 0.1)),
        "one question": ([7], [3], 4, majority_credit, (0.5, 0.5)),
        "all wrong": ([4] * 5, [0] * 5, 10, any_credit, "fitted"),
        "all right, many": ([64] * 50, [64] * 50, 32, all_credit, "flat"),
        "some": ([64] * 3, [1, 25, 63], 16, majority_credit, (0.3, 0.7)),
    }
    made = {name: posterior(*case[:4], prior=case[4]) for name, case in cases.items()}
    lines = []
    for name, one in made.items():
        ends = one.confidence_interval(0.9)
        numbers = [
            one.value,
            one.sd,
            ends.low,
            ends.high,
            *one.law.cdf(one.value + one.sd * np.array([-1.5, -0.5, 0.25, 1.0])),
        ]
        lines += [f"{name}: {ends.method}", " ".join(f"{x:.9f}" for x in numbers)]
    a, b = made["flat"], made["both ends"]
    lines += [f"{probability_better(a, b):.9f} {probability_better(b, a):.9f}"]
    check_printed("estimates", "posteriors", "\n".join(lines))


def test_a_question_that_may_be_hopeless_counts_with_all_its_chance():
    hopeless = posterior([2], [0], 1, share_credit, prior=Prior(1, 1, 0.5, 0.1))
    likely = posterior([20], [1], 1, share_credit)
    # By quadrature: the Beta part of the first law against the second, and nothing from its atom at
    # 0.
    assert probability_better(hopeless, likely) == pytest.approx(0.160183, abs=5e-6)
    assert probability_better(likely, hopeless) == pytest.approx(1 - 0.160183, abs=2e-3)


# A prior fitted across questions: derivatives by differences, the Newton steps, penalty, nodes and
# what is refused.

N, C = np.array([8, 8, 8, 6, 9, 8, 8, 7]), np.array([0, 0, 3, 6, 2, 8, 7, 1])


def rise_of(f, x, nudge=1e-5):
    "Central differences of what a function returns, one row a coordinate."
    steps = nudge * np.eye(len(x))
    return np.array([(np.asarray(f(x + d)) - np.asarray(f(x - d))) / (2 * nudge) for d in steps])


# The law.


def test_a_prior_says_what_it_is():
    assert str(Prior()) == "given prior Beta(1, 1)"
    assert (Prior().at_zero, Prior().at_one, Prior().name, Prior().nodes) == (0, 0, "", ())
    assert (
        str(Prior(0.12345, 20000.0, 0.25, 0.0, "fitted"))
        == "fitted prior Beta(0.1235, 2e+04, 0.25 at 0, 0 at 1)"
    )
    assert str(Prior(2, 3, 0.0, 0.1)).endswith("Beta(2, 3, 0 at 0, 0.1 at 1)")
    assert Prior(1, 2, nodes=((1.0, Prior()),)) == Prior(1, 2) and "nodes" not in repr(Prior())


@pytest.mark.parametrize(
    "given, message",
    [
        ((0, 1), "need a > 0 and b > 0, got a=0, b=1"),
        ((1, 0), "got a=1, b=0"),
        ((1, -2), "got a=1, b=-2"),
        ((np.nan, 1), "need a > 0"),
        ((1, np.nan), "need a > 0"),
        ((1, 1, -0.1, 0), "need at_zero >= 0, at_one >= 0 and a sum below 1, got -0.1 and 0"),
        ((1, 1, 0, -0.1), "got 0 and -0.1"),
        ((1, 1, 0.5, 0.5), "got 0.5 and 0.5"),
        ((1, 1, 1, 0), "sum below 1"),
        ((1, 1, np.nan, 0), "sum below 1"),
    ],
)
def test_priors_that_are_none(given, message):
    with pytest.raises(ValueError, match=message):
        Prior(*given)
    assert Prior(1e-9, 1e-9, 0.5, 0.4999).at_one == 0.4999


# Derivatives.


@pytest.mark.parametrize("x", [0.07, 1.0, 300.0])
def test_slopes_of_rising_products(x):
    m = np.array([0, 1, 2, 9])
    value, slope, curve = log_rising(x, m)
    np.testing.assert_allclose(value, [np.log(x + np.arange(o)).sum() for o in m], rtol=1e-13)
    at = lambda t, i: log_rising(np.exp(t[0]), m)[i]
    for i, exact in (0, slope), (1, curve):
        np.testing.assert_allclose(
            rise_of(lambda t: at(t, i), np.array([log(x)]))[0], exact, rtol=1e-6, atol=1e-9
        )


def test_long_products_take_the_other_route(monkeypatch):
    "From more than 2**14 factors on by gamma functions."
    calls, many = [], likelihood_slopes.log_rising_of_many
    monkeypatch.setattr(
        page,
        "log_rising_of_many",
        lambda x, m: calls.append(int(m.max())) or many(x, m),
    )
    for most in 2**14, 2**14 + 1:
        value, slope, curve = log_rising(0.7, np.array([0, 3, most]))
        terms = 0.7 + np.arange(most)
        assert value[2] == pytest.approx(np.log(terms).sum(), rel=1e-11)
        assert slope[2] == pytest.approx((0.7 / terms).sum(), rel=1e-9)
        assert curve[2] == pytest.approx((0.7 * np.arange(most) / terms**2).sum(), rel=1e-8)
    assert calls == [2**14 + 1]


def test_slopes_of_a_beta_law():
    x = np.log([0.6, 2.3])
    at = lambda z: beta_terms(N, C, *np.exp(z))
    value, slope, bend = at(x)
    np.testing.assert_allclose(rise_of(lambda z: at(z)[0], x).T, slope, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(
        np.moveaxis(rise_of(lambda z: at(z)[1], x), 0, -1), bend, rtol=1e-6, atol=1e-9
    )


def test_slopes_of_a_blend():
    """Three parts that are quadratic in two coordinates, at two states; one part is far below the
    others."""
    rng = np.random.default_rng(0)
    start, slopes, bends = (
        rng.normal(size=(3, 2)),
        rng.normal(size=(3, 2, 2)),
        rng.normal(size=(3, 2, 2, 2)),
    )
    bends = bends + bends.swapaxes(-1, -2)
    start[2] -= 500

    def parts(z):
        return [(s + g @ z + b @ z @ z / 2, g + b @ z, b) for s, g, b in zip(start, slopes, bends)]

    x = np.array([0.3, -0.2])
    value, slope, bend = blend(parts(x))
    np.testing.assert_allclose(
        value, np.log(np.exp([part[0] for part in parts(x)]).sum(0)), rtol=1e-12
    )
    np.testing.assert_allclose(rise_of(lambda z: blend(parts(z))[0], x).T, slope, rtol=1e-7)
    np.testing.assert_allclose(
        np.moveaxis(rise_of(lambda z: blend(parts(z))[1], x), 0, -1), bend, rtol=1e-6
    )
    assert blend(parts(x)[:1])[0].tolist() == parts(x)[0][0].tolist()
    hopeless = blend([parts(x)[0], (np.array([-np.inf, 0.0]), slopes[1], bends[1])])
    assert hopeless[0][0] == pytest.approx(parts(x)[0][0][0]) and np.isfinite(hopeless[1]).all()


@pytest.mark.parametrize(
    "at_zero, at_one", [(False, False), (True, False), (False, True), (True, True)]
)
def test_the_cost_is_the_penalised_likelihood(at_zero, at_one):
    times = np.array([1, 2, 1, 3, 1, 1, 2, 1])
    z = np.array([-0.4, 0.7, -1.0, -2.0])[: 2 + at_zero + at_one]
    a, b = np.exp(z[:2])
    odds = np.exp(z[2:])
    ends = [hit for hit, on in ((C == 0, at_zero), (C == N, at_one)) if on]
    # One order of the samples: without the binomial coefficient.
    chance = np.exp(betaln(a + C, b + N - C) - betaln(a, b))
    chance = (chance + sum(o * hit for o, hit in zip(odds, ends))) / (1 + odds.sum())
    toll = -log(a) - log(b) + 2 * log(a + b) + log(1 + a + b) / 2
    cost = lambda x: page._cost(x, N, C, times, at_zero, at_one)
    value, slope, bend = cost(z)
    assert value == pytest.approx(toll - times @ np.log(chance), rel=1e-12)
    assert page._toll(a, b)[0] == pytest.approx(toll)
    np.testing.assert_allclose(rise_of(lambda x: cost(x)[0], z), slope, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(rise_of(lambda x: cost(x)[1], z), bend, rtol=1e-5, atol=1e-8)


# Newton steps.


def test_a_step_that_leads_up_is_not_taken():
    "From .8 the step for x**4 - 4x**2 + x leads out of the valley, to a higher value."

    def valley(x):
        return (
            (np.abs(x) ** 1.5).sum(),
            1.5 * np.sign(x) * np.abs(x) ** 0.5,
            np.diag(0.75 / np.abs(x) ** 0.5) / 2,
        )

    assert settle(valley, [0.5], [-9], [9]).tolist() == [0.5]

    def flat(x):
        return 0.0, np.zeros(1), np.zeros((1, 1))

    assert settle(flat, [0.5], [0], [1]).tolist() == [0.5]


# Fits.


@pytest.mark.parametrize(
    "masses", [dict(), dict(at_zero=True), dict(at_one=True), dict(at_zero=True, at_one=True)]
)
def test_fitted_priors_in_full(masses):
    "Ten of thirty questions hopeless, six solved, the others in the middle."
    N, C = (
        np.repeat([9, 10], 15),
        np.r_[[0] * 10, [3, 4, 5, 2, 6], [10] * 6, [4, 5, 6, 7, 5, 3, 5, 4, 6]],
    )
    prior = fit_prior(N, C, **masses)

    # In an order that does not depend on the signs of eigenvectors.
    def place(node):
        return [round(o, 6) for o in (node[1].a, node[1].b, node[1].at_zero, node[1].at_one)]

    rows = sorted(prior.nodes, key=place)
    nodes = "\n".join(f"{float(w)!r} {p!r}" for w, p in rows)
    check_printed("plans", f"prior {sorted(masses)}", f"{prior!r}\n{prior}\n{nodes}")
    weight = np.array([w for w, _ in prior.nodes])
    assert (
        len(weight) == 3 ** (2 + len(masses))
        and weight.sum() == pytest.approx(1)
        and (weight > 0).all()
    )
    assert prior.name == "fitted"
    shuffled = fit_prior(N[::-1].reshape(3, 10), C[::-1].reshape(3, 10), **masses)
    want = [prior.a, prior.b, prior.at_zero, prior.at_one]
    assert [shuffled.a, shuffled.b, shuffled.at_zero, shuffled.at_one] == pytest.approx(
        want, rel=1e-9
    )
    twice = fit_prior(N, C, times=np.full(30, 2), **masses)
    again = fit_prior(np.r_[N, N], np.r_[C, C], **masses)
    assert [twice.a, twice.b] == pytest.approx([again.a, again.b], rel=1e-9)


def test_the_fit_by_another_search():
    def cost(z):
        a, b = np.exp(z)
        chance = betabinom.logpmf(C, N, a, b).sum()
        return -(chance + log(a) + log(b) - 2 * log(a + b) - log(1 + a + b) / 2)

    other = np.exp(
        minimize(cost, [0.0, 0.0], method="Nelder-Mead", options=dict(xatol=1e-9, fatol=1e-12)).x
    )
    prior = fit_prior(N, C)
    assert [prior.a, prior.b] == pytest.approx(other, rel=1e-5)


def test_single_samples_show_no_spread():
    with pytest.raises(
        ValueError,
        match=(
            r"need n >= 2 for some question to fit a prior, got n=1 for all 5; use prior='flat' or"
            r" \(a, b\)"
        ),
    ):
        fit_prior([1, 1], [0, 1], times=[2, 3])
    assert fit_prior([1, 2], [0, 1]).name == "fitted"


def test_masses_that_nothing_asks_for():
    "No question was never right or always right: the masses end at the edge of the search."
    prior = fit_prior([8] * 6, [2, 3, 4, 5, 6, 7], at_zero=True, at_one=True)
    assert prior.at_zero == pytest.approx(np.exp(-16), rel=1e-6)
    assert prior.at_one == pytest.approx(np.exp(-16), rel=1e-6)
    # Equal counts are as sure as the penalty lets them be; all wrong, a is as small as it may be.
    alike = fit_prior([40] * 50, [20] * 50)
    assert alike.a == pytest.approx(alike.b) and 20 < alike.a < 5e4
    assert fit_prior([9] * 9, [0] * 9).a == pytest.approx(0.05) and fit_prior(
        [9] * 9, [9] * 9
    ).b == pytest.approx(0.05)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_credit_that_is_the_same_whatever_comes(value):
    "Nothing is uncertain; under a prior of several kinds of questions too."
    def credit(k): return np.full(k + 1, value)
    for prior in "flat", "fitted":
        found = posterior([4, 4, 4, 4], [0, 1, 3, 4], 2, credit, prior=prior)
        assert (found.value, found.sd) == pytest.approx((value, 0), abs=1e-12)
        ends = found.confidence_interval()
        assert (ends.low, ends.high) == pytest.approx((value, value), abs=2e-9)
