"Distributions of a posterior mean: against beta laws, normal laws and sums in closed form."

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from sampling_eval.foundations.credit import any_credit, majority_credit, share_credit
from sampling_eval.inference.posterior_law import (
    bisect,
    law_of_mean,
    LazyLaw,
    MatchedBeta,
    Mixture,
    OneQuestion,
    place_nodes,
)

PRIOR = SimpleNamespace(a=0.7, b=1.3)
Q = np.array([0.025, 0.3, 0.5, 0.9])


def parts_of(zero, one):
    "Posterior weights of hopeless, of the Beta distribution and of solved, for one state."
    return np.array([[zero], [1 - zero - one], [one]])


def test_halving_finds_quantiles():
    found = bisect(stats.norm.cdf, Q, -9, 9, 60)
    assert found == pytest.approx(stats.norm.ppf(Q), abs=1e-12)
    assert bisect(stats.norm.cdf, 0.5, -1, 3, 1) == 0, "between -1 and 1 after one halving"
    assert bisect(stats.norm.cdf, 0.9, -1, 3, 1) == 2
    steps = bisect(lambda x: np.floor(x), np.array(1.0), 0, 4, 50)
    assert steps == pytest.approx(1, abs=1e-12), "the least value that reaches the share"


@pytest.mark.parametrize("n, c", [(1, 0), (8, 3), (200, 200)])
@pytest.mark.parametrize("k, credit", [(1, share_credit), (4, any_credit)])
def test_nodes_have_the_moments_of_the_posterior(n, c, k, credit):
    values, weight = place_nodes(
        np.array([n]), np.array([c]), k, credit, PRIOR, parts_of(0.1, 0.2)
    )
    law = stats.beta(PRIOR.a + c, PRIOR.b + n - c)
    pay = (lambda p: p) if k == 1 else (lambda p: 1 - (1 - p) ** k)
    want = [0.7 * law.expect(lambda p: pay(p) ** power) + 0.2 for power in (1, 2)]
    assert weight.sum() == pytest.approx(1, rel=1e-12)
    assert [weight[0] @ values**power for power in (1, 2)] == pytest.approx(want, rel=1e-6)
    assert (values[0], values[-1]) == (0, 1)
    assert weight[0, [0, -1]] == pytest.approx([0.1, 0.2])


def test_more_nodes_for_few_questions_and_many_samples():
    def count(n, k, questions):
        given = np.array([n]), np.array([0]), k, any_credit, PRIOR, parts_of(0, 0)
        return len(place_nodes(*given, questions)[0]) - 2

    assert [count(8, 8, 1), count(8, 8, 100)] == [4128, 168]
    assert count(100, 300, 4000) == 64 + 16 * 20 + 1
    given = np.array([8]), np.array([0]), 8, any_credit, PRIOR, parts_of(0, 0)
    assert len(place_nodes(*given)[0]) == 4130, "one question, unless more are named"


@pytest.mark.parametrize("times", [np.array([3]), np.array([40])])
def test_the_mean_of_coins_is_binomial(times):
    "Hopeless or solved with even chances: the mean is a binomial share."
    q = int(times[0])
    law = law_of_mean(
        np.array([0.0, 1.0]), np.array([[0.5, 0.5]]), times, 0.5, (0.25 / q) ** 0.5
    )
    between = (np.arange(q) + 0.5) / q
    want = stats.binom.cdf(np.arange(q), q, 0.5)
    assert law.cdf(between) == pytest.approx(want, abs=0.01)
    assert law.cdf(-1) == 0 and law.cdf(2) == 1


def test_the_mean_of_two_kinds_of_questions():
    rng = np.random.default_rng(0)
    values = np.linspace(0, 1, 101)
    weight = np.array([stats.beta.pdf(values, 2, 5), stats.beta.pdf(values, 4, 3)])
    weight /= weight.sum(1, keepdims=True)
    times = np.array([10, 30])
    means = weight @ values
    spread = weight @ values**2 - means**2
    mean, sd = times @ means / 40, (times @ spread) ** 0.5 / 40
    law = law_of_mean(values, weight, times, mean, sd)
    drawn = sum(
        rng.multinomial(count, row, 40_000) @ values for count, row in zip(times, weight)
    ) / 40
    found = law.quantile(Q)
    assert law.cdf(found) == pytest.approx(Q, abs=1e-9)
    assert found == pytest.approx(np.quantile(drawn, Q), abs=5 * sd / 40_000**0.5 * 2)
    assert found == pytest.approx(mean + sd * stats.norm.ppf(Q), abs=0.1 * sd)
    assert law.start == pytest.approx(max(mean - 10 * sd, -0.01))
    assert law.start + law.length == pytest.approx(min(mean + 10 * sd, 1.01))


def test_a_window_stops_at_the_values():
    law = law_of_mean(np.array([0.2, 0.6]), np.array([[0.5, 0.5]]), np.array([2]), 0.4, 0.2)
    assert law.start == pytest.approx(0.2 - 0.004) and law.length == pytest.approx(0.4 + 0.008)
    flat = law_of_mean(np.array([0.5, 0.5]), np.array([[0.5, 0.5]]), np.array([2]), 0.5, 0.0)
    assert flat.length == pytest.approx(1e-9)


def test_a_law_on_demand_is_made_once():
    n, c, parts = np.array([8, 8]), np.array([2, 6]), np.repeat(parts_of(0, 0), 2, 1)
    times = np.array([5, 5])
    rows = [stats.beta(PRIOR.a + o, PRIOR.b + 8 - o) for o in (2, 6)]
    mean = np.mean([row.mean() for row in rows])
    sd = (sum(5 * row.var() for row in rows)) ** 0.5 / 10
    law = LazyLaw(n, c, 1, share_credit, PRIOR, parts, times, mean, sd)
    assert not hasattr(law, "made")
    found = law.quantile(Q)
    made = law.made
    assert law.cdf(found) == pytest.approx(Q, abs=1e-9) and law.made is made
    assert found == pytest.approx(mean + sd * stats.norm.ppf(Q), abs=0.1 * sd)
    assert law.quantile(np.array([0.0, 1.0])).min() >= 0
    top = LazyLaw(n, np.array([8, 8]), 1, share_credit, PRIOR, parts, times, 0.95, 0.03)
    assert top.quantile(np.array([1.0]))[0] <= 1


@pytest.mark.parametrize("k, credit", [(1, share_credit), (3, any_credit), (3, majority_credit)])
@pytest.mark.parametrize("zero, one", [(0.0, 0.0), (0.2, 0.1), (0.6, 0.4)])
def test_quantiles_of_one_question(k, credit, zero, one):
    law = OneQuestion(8, 3, k, credit, PRIOR, parts_of(zero, one))
    rest = 1 - zero - one
    pay = lambda p: stats.binom.pmf(np.arange(k + 1), k, np.reshape(p, (-1, 1))) @ credit(k)
    shares = np.array([0.05, 0.25, 0.5, 0.8, 0.95])
    want = []
    for q in shares:
        p = 0.0 if q < zero else 1.0 if q > 1 - one else None
        if p is None:
            p = stats.beta.ppf((q - zero) / rest, PRIOR.a + 3, PRIOR.b + 5)
        want.append(float(pay(p)[0]))
    assert law.quantile(shares) == pytest.approx(want, abs=1e-9)
    if rest > 0:
        inside = (shares > zero) & (shares < 1 - one)
        assert law.cdf(np.array(want))[inside] == pytest.approx(shares[inside], abs=5e-3)


def test_a_credit_that_falls_has_no_quantile_of_one_question():
    falling = lambda k: np.array([1.0, 1.0, 0.0])
    law = OneQuestion(8, 3, 2, falling, PRIOR, parts_of(0, 0))
    with pytest.raises(ValueError, match="need a credit that never falls"):
        law.quantile(Q)
    level = OneQuestion(8, 3, 2, lambda k: np.array([0.0, 1.0, 1.0]), PRIOR, parts_of(0, 0))
    assert (np.diff(level.quantile(Q)) > 0).all()


@pytest.mark.parametrize("bounds", [(0, 1), (-1, 3)])
def test_a_beta_law_matched_to_moments(bounds):
    low, high = bounds
    value, sd = low + 0.3 * (high - low), 0.1 * (high - low)
    law = MatchedBeta(value, sd, bounds)
    want = stats.beta(*law.shape, loc=low, scale=high - low)
    assert (want.mean(), want.std()) == pytest.approx((value, sd))
    x = np.linspace(low - 0.5, high + 0.5, 9)
    assert law.cdf(x) == pytest.approx(want.cdf(x), abs=1e-12)
    assert law.quantile(Q) == pytest.approx(want.ppf(Q), rel=1e-9)


def test_beta_laws_at_the_edges_of_what_can_be():
    assert MatchedBeta(1.0, 0.0, (0, 1)).quantile(0.5) == pytest.approx(1)
    assert MatchedBeta(0.0, 0.0, (0, 1)).quantile(0.5) == pytest.approx(0, abs=1e-9)
    wide = MatchedBeta(0.5, 0.9, (0, 1))
    assert wide.shape == pytest.approx((5e-10, 5e-10))
    narrow = MatchedBeta(0.5, 0.0, (0, 1))
    assert sum(narrow.shape) == pytest.approx(0.25 / 1e-18, rel=1e-9)


def test_a_mixture_of_laws():
    one, other = stats.norm(0.3, 0.05), stats.norm(0.7, 0.02)
    law = Mixture([0.25, 0.75], [one, other], (0, 1))
    x = np.linspace(0, 1, 11)
    assert law.cdf(x) == pytest.approx(0.25 * one.cdf(x) + 0.75 * other.cdf(x), rel=1e-12)
    assert law.cdf(law.quantile(Q)) == pytest.approx(Q, abs=1e-9)
    assert law.quantile(0.25) == pytest.approx(0.5, abs=0.15)
