"A prior fitted across questions: derivatives by differences, the Newton steps, penalty, nodes and what is refused."
from math import log

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import betaln
from scipy.stats import betabinom

from sampling_eval.inference import fitted_prior as page
from sampling_eval.inference.fitted_prior import Prior, beta_terms, blend, fit_prior, log_rising, settle
from printed import check_printed

N, C = np.array([8, 8, 8, 6, 9, 8, 8, 7]), np.array([0, 0, 3, 6, 2, 8, 7, 1])


def rise_of(f, x, nudge=1e-5):
    "Central differences of what a function returns, one row a coordinate."
    steps = nudge * np.eye(len(x))
    return np.array([(np.asarray(f(x + d)) - np.asarray(f(x - d))) / (2 * nudge) for d in steps])


# The law.

def test_a_prior_says_what_it_is():
    assert str(Prior()) == "given prior Beta(1, 1)"
    assert (Prior().at_zero, Prior().at_one, Prior().name, Prior().nodes) == (0, 0, "", ())
    assert str(Prior(.12345, 20000., .25, 0., "fitted")) == "fitted prior Beta(0.1235, 2e+04, 0.25 at 0, 0 at 1)"
    assert str(Prior(2, 3, 0., .1)).endswith("Beta(2, 3, 0 at 0, 0.1 at 1)")
    assert Prior(1, 2, nodes=((1., Prior()),)) == Prior(1, 2) and "nodes" not in repr(Prior())


@pytest.mark.parametrize("given, message", [
    ((0, 1), "need a > 0 and b > 0, got a=0, b=1"), ((1, 0), "got a=1, b=0"), ((1, -2), "got a=1, b=-2"),
    ((np.nan, 1), "need a > 0"), ((1, np.nan), "need a > 0"),
    ((1, 1, -.1, 0), "need at_zero >= 0, at_one >= 0 and a sum below 1, got -0.1 and 0"),
    ((1, 1, 0, -.1), "got 0 and -0.1"),
    ((1, 1, .5, .5), "got 0.5 and 0.5"), ((1, 1, 1, 0), "sum below 1"), ((1, 1, np.nan, 0), "sum below 1")])
def test_priors_that_are_none(given, message):
    with pytest.raises(ValueError, match=message): Prior(*given)
    assert Prior(1e-9, 1e-9, .5, .4999).at_one == .4999


# Derivatives.

@pytest.mark.parametrize("x", [.07, 1., 300.])
def test_slopes_of_rising_products(x):
    m = np.array([0, 1, 2, 9])
    value, slope, curve = log_rising(x, m)
    np.testing.assert_allclose(value, [np.log(x + np.arange(o)).sum() for o in m], rtol=1e-13)
    at = lambda t, i: log_rising(np.exp(t[0]), m)[i]
    for i, exact in (0, slope), (1, curve):
        np.testing.assert_allclose(rise_of(lambda t: at(t, i), np.array([log(x)]))[0], exact, rtol=1e-6, atol=1e-9)


def test_long_products_take_the_other_route(monkeypatch):
    "From more than 2**14 factors on by gamma functions."
    calls, many = [], page._log_rising_of_many
    monkeypatch.setattr(page, "_log_rising_of_many", lambda x, m: calls.append(int(m.max())) or many(x, m))
    for most in 2**14, 2**14 + 1:
        value, slope, curve = log_rising(.7, np.array([0, 3, most]))
        terms = .7 + np.arange(most)
        assert value[2] == pytest.approx(np.log(terms).sum(), rel=1e-11)
        assert slope[2] == pytest.approx((.7 / terms).sum(), rel=1e-9)
        assert curve[2] == pytest.approx((.7 * np.arange(most) / terms**2).sum(), rel=1e-8)
    assert calls == [2**14 + 1]


def test_slopes_of_a_beta_law():
    x = np.log([.6, 2.3])
    at = lambda z: beta_terms(N, C, *np.exp(z))
    value, slope, bend = at(x)
    np.testing.assert_allclose(rise_of(lambda z: at(z)[0], x).T, slope, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(np.moveaxis(rise_of(lambda z: at(z)[1], x), 0, -1), bend, rtol=1e-6, atol=1e-9)


def test_slopes_of_a_blend():
    "Three parts that are quadratic in two coordinates, at two states; one part is far below the others."
    rng = np.random.default_rng(0)
    start, slopes, bends = rng.normal(size=(3, 2)), rng.normal(size=(3, 2, 2)), rng.normal(size=(3, 2, 2, 2))
    bends = bends + bends.swapaxes(-1, -2)
    start[2] -= 500
    def parts(z): return [(s + g @ z + b @ z @ z / 2, g + b @ z, b) for s, g, b in zip(start, slopes, bends)]
    x = np.array([.3, -.2])
    value, slope, bend = blend(parts(x))
    np.testing.assert_allclose(value, np.log(np.exp([part[0] for part in parts(x)]).sum(0)), rtol=1e-12)
    np.testing.assert_allclose(rise_of(lambda z: blend(parts(z))[0], x).T, slope, rtol=1e-7)
    np.testing.assert_allclose(np.moveaxis(rise_of(lambda z: blend(parts(z))[1], x), 0, -1), bend, rtol=1e-6)
    assert blend(parts(x)[:1])[0].tolist() == parts(x)[0][0].tolist()
    hopeless = blend([parts(x)[0], (np.array([-np.inf, 0.]), slopes[1], bends[1])])
    assert hopeless[0][0] == pytest.approx(parts(x)[0][0][0]) and np.isfinite(hopeless[1]).all()


@pytest.mark.parametrize("at_zero, at_one", [(False, False), (True, False), (False, True), (True, True)])
def test_the_cost_is_the_penalised_likelihood(at_zero, at_one):
    times = np.array([1, 2, 1, 3, 1, 1, 2, 1])
    z = np.array([-.4, .7, -1., -2.])[:2 + at_zero + at_one]
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
    def valley(x): return (np.abs(x)**1.5).sum(), 1.5 * np.sign(x) * np.abs(x)**.5, np.diag(.75 / np.abs(x)**.5) / 2
    assert settle(valley, [.5], [-9], [9]).tolist() == [.5]
    def flat(x): return 0., np.zeros(1), np.zeros((1, 1))
    assert settle(flat, [.5], [0], [1]).tolist() == [.5]


# Fits.

@pytest.mark.parametrize("masses", [dict(), dict(at_zero=True), dict(at_one=True), dict(at_zero=True, at_one=True)])
def test_fitted_priors_in_full(masses):
    "Ten of thirty questions hopeless, six solved, the others in the middle."
    N, C = np.repeat([9, 10], 15), np.r_[[0] * 10, [3, 4, 5, 2, 6], [10] * 6, [4, 5, 6, 7, 5, 3, 5, 4, 6]]
    prior = fit_prior(N, C, **masses)
    # In an order that does not depend on the signs of eigenvectors.
    def place(node): return [round(o, 6) for o in (node[1].a, node[1].b, node[1].at_zero, node[1].at_one)]
    rows = sorted(prior.nodes, key=place)
    nodes = "\n".join(f"{float(w)!r} {p!r}" for w, p in rows)
    check_printed("plans", f"prior {sorted(masses)}", f"{prior!r}\n{prior}\n{nodes}")
    weight = np.array([w for w, _ in prior.nodes])
    assert len(weight) == 3**(2 + len(masses)) and weight.sum() == pytest.approx(1) and (weight > 0).all()
    assert prior.name == "fitted"
    shuffled = fit_prior(N[::-1].reshape(3, 10), C[::-1].reshape(3, 10), **masses)
    want = [prior.a, prior.b, prior.at_zero, prior.at_one]
    assert [shuffled.a, shuffled.b, shuffled.at_zero, shuffled.at_one] == pytest.approx(want, rel=1e-9)
    twice = fit_prior(N, C, times=np.full(30, 2), **masses)
    again = fit_prior(np.r_[N, N], np.r_[C, C], **masses)
    assert [twice.a, twice.b] == pytest.approx([again.a, again.b], rel=1e-9)


def test_the_fit_by_another_search():
    def cost(z):
        a, b = np.exp(z)
        chance = betabinom.logpmf(C, N, a, b).sum()
        return -(chance + log(a) + log(b) - 2 * log(a + b) - log(1 + a + b) / 2)
    other = np.exp(minimize(cost, [0., 0.], method="Nelder-Mead", options=dict(xatol=1e-9, fatol=1e-12)).x)
    prior = fit_prior(N, C)
    assert [prior.a, prior.b] == pytest.approx(other, rel=1e-5)


def test_single_samples_show_no_spread():
    with pytest.raises(ValueError, match=r"need n >= 2 for some question to fit a prior, got n=1 for all 5; use prior='flat' or \(a, b\)"):
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
    assert fit_prior([9] * 9, [0] * 9).a == pytest.approx(.05) and fit_prior([9] * 9, [9] * 9).b == pytest.approx(.05)
