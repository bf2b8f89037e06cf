from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

from sampling_eval.foundations.counts import Counts
from sampling_eval.inference import extrapolation as page
from sampling_eval.inference.extrapolation import (BetaLaw, back_test, extrapolate_credit, fit_beta_law, fit_most_zero, fit_power_law,
                                                   law_free_bounds, mean_band, moment_bounds, unsolved_limit)

DATA = Path(__file__).parent.parent / "nbs" / "data"


def any_right(k): return (np.arange(k + 1) >= 1) * 1.
def all_right(k): return (np.arange(k + 1) == k) * 1.
def majority(k): return (np.arange(k + 1) > k / 2) * 1.


def read(name): return np.genfromtxt(DATA / name, delimiter=",", names=True, dtype=None, encoding="utf8")


@pytest.fixture(scope="module")
def code(): return read("humaneval_codegen16b_counts.csv")


@pytest.fixture(scope="module")
def mathematics(): return read("deepscaler32k_counts.csv")


def test_frozen_data(code, mathematics):
    assert (len(code), code["c"].sum(), set(code["n"])) == (164, 3627, {100})
    assert (len(mathematics), (mathematics["c_base"] == 0).sum(), (mathematics["c_rl"] == 0).sum()) == (1060, 116, 137)
    np.testing.assert_allclose(mathematics["c_base"].mean() / 128, 0.6041052476415094, rtol=1e-12)


def test_published_values_of_beta_laws():
    np.testing.assert_allclose(BetaLaw(1, 1).mean([1, 9, 99], any_right), [.5, .9, .99], rtol=1e-12, strict=True)
    want = [0.20000000000000007, 0.6122353887867416, 0.8682142855506285, 0.9579993010787745]
    np.testing.assert_allclose(BetaLaw(.5, 2).mean([1, 10, 100, 1000], any_right), want, rtol=1e-12, strict=True)
    np.testing.assert_allclose(BetaLaw(1, 101).mean(1000, any_right), 1000 / 1101, rtol=1e-12)
    np.testing.assert_allclose(BetaLaw(.5, 2, zero=.25).mean(10, any_right), .75 * want[1], rtol=1e-12)
    np.testing.assert_allclose(unsolved_limit([30, 100, 256], 1), [0.09503385285530419, 0.029513049607039932, 0.011633876163163248], rtol=1e-12)


@pytest.mark.parametrize("zero", [False, True])
def test_fit_is_the_maximum_by_another_route(code, zero):
    n, c = code["n"], code["c"]

    def cost(x):
        a, b, z = np.exp(x[0]), np.exp(x[1]), 1 / (1 + np.exp(-x[2])) if zero else 0.
        with np.errstate(divide="ignore"): beta = stats.betabinom.pmf(c, n, a, b)
        return -np.log(np.where(c == 0, z, 0) + (1 - z) * beta).sum()

    other = optimize.minimize(cost, [0, 0, -2.], method="Nelder-Mead", options=dict(xatol=1e-8, fatol=1e-10, maxiter=4000))
    law = fit_beta_law(n, c, zero=zero)
    mine = cost([np.log(law.a), np.log(law.b), np.log(max(law.zero, 1e-300) / (1 - law.zero))])
    assert mine <= other.fun + 1e-6
    np.testing.assert_allclose([law.a, law.b], np.exp(other.x[:2]), rtol=1e-3)


def test_ragged_counts_and_order():
    rng = np.random.default_rng(0)
    n = rng.integers(3, 40, 300)
    c = rng.binomial(n, rng.beta(.7, 2, 300))
    order = rng.permutation(300)
    assert fit_beta_law(n, c) == fit_beta_law(n[order], c[order])
    result = extrapolate_credit(n, c, [1, 3, 4, 100], any_right)
    assert [row["kind"] for row in result.rows] == ["exact", "exact", "model", "model"]
    assert result.n_min == 3 and result.n_max == 39 and result.rows[2]["exact"] is None
    np.testing.assert_allclose(result.exact[0], (c / n).mean(), rtol=1e-12)


def test_largest_share_at_zero_lies_on_the_profile(code):
    n, c = code["n"], code["c"]
    best, most = fit_beta_law(n, c, zero=True), fit_most_zero(n, c)
    np.testing.assert_allclose(best.loglik - most.loglik, stats.norm.ppf(.95)**2 / 2, atol=1e-3)
    assert best.zero < most.zero < 1
    assert most.zero < fit_most_zero(n, c, .99).zero


def test_likelihoods_are_ordered(mathematics):
    for c in mathematics["c_base"], mathematics["c_rl"]:
        plain, zero = fit_beta_law(128, c), fit_beta_law(128, c, zero=True)
        assert zero.loglik >= plain.loglik - 1e-6 and plain.zero == 0


def test_no_spread_is_reported():
    c = np.random.default_rng(0).binomial(10, .5, 50) * 0 + np.tile([4, 5, 5, 6, 5], 10)
    law = fit_beta_law(10, c)
    assert law.at_edge and law.a / (law.a + law.b) == pytest.approx(.5, abs=.01)
    assert any("not determined" in text for text in extrapolate_credit(10, c, 20, any_right).warnings)


def test_bounds_of_few_moments():
    exact = [1/3, 2/3]
    np.testing.assert_allclose(moment_bounds(exact, exact, [0, 1], 2, [3], any_right)[:, 0], [13/18, 7/9], atol=1e-6)
    np.testing.assert_allclose(moment_bounds([3/8, 5/8], [3/8, 5/8], [0, 1], 2, [3], majority)[:, 0], [7/16, 9/16], atol=1e-4)
    np.testing.assert_allclose(moment_bounds(exact, exact, [0, 1], 2, [1, 2], any_right), [[.5, 2/3]] * 2, atol=1e-6)
    assert moment_bounds([.9, .9], [1, .95], [0, 1], 2, [3], any_right) is not None
    assert moment_bounds([0, 0], [.1, .1], [0, 1], 2, [3], any_right)[0, 0] >= .9 - 1e-6


def test_a_finer_grid_changes_nothing(code, monkeypatch):
    n, c, k = code["n"], code["c"], np.array([50, 200, 1000])
    coarse = law_free_bounds(n, c, k, any_right)
    fine_grid = lambda k: np.unique(np.r_[0, np.geomspace(1e-4 / k, .5, 1500), np.linspace(0, 1, 1501), 1 - np.geomspace(1e-4 / k, .5, 1500), 1])
    monkeypatch.setattr(page, "_grid", fine_grid)
    np.testing.assert_allclose(law_free_bounds(n, c, k, any_right), coarse, atol=2e-4)


def test_bounds_contain_every_model_that_fits(mathematics):
    result = extrapolate_credit(128, mathematics["c_base"], [1, 16, 128, 1000, 100_000], any_right)
    for values in result.models.values(): assert ((result.low <= values) & (values <= result.high)).all()
    assert ((result.low[:3] <= result.exact) & (result.exact <= result.high[:3])).all()


def test_bounds_hold_for_other_credits_and_mirrored():
    rng = np.random.default_rng(1)
    n, c = np.full(300, 12), rng.binomial(12, rng.beta(2, 2, 300))
    low, high = law_free_bounds(n, c, [25], majority)[:, 0]
    truth = BetaLaw(2, 2).mean(25, majority)
    assert low < truth < high and high - low < .6
    one, other = extrapolate_credit(n, c, [5, 50], all_right), extrapolate_credit(n, n - c, [5, 50], any_right)
    np.testing.assert_allclose(one.high, 1 - other.low, rtol=1e-12)
    np.testing.assert_allclose(one.exact, 1 - other.exact, rtol=1e-12)
    assert one.mirrored and "Beta + mass at 1" in one.models and not other.mirrored
    assert "power law" not in extrapolate_credit(n, c, [25], majority).models


def test_band_covers_and_never_has_zero_width():
    low, high = mean_band([0, .3, 1], 50)
    assert (high > low).all() and low[0] == 0 and high[2] == 1
    np.testing.assert_allclose(mean_band([0, .3, 1], 50)[:, [0]], 1 - mean_band([0, .7, 1], 50)[::-1, [2]], rtol=1e-12)
    wide, narrow = (np.ptp(mean_band([.3], q), 0) for q in (50, 5000))
    assert wide > 5 * narrow


def test_infeasible_counts_are_reported():
    result = extrapolate_credit(np.full(1000, 10), np.tile([4, 5, 5, 6], 250) * 0 + 5, [20], any_right)
    assert result.low is None and "no law of p fits" in result.warnings[-1] and result.rows[0]["low"] is None


@pytest.mark.parametrize("counts, text", [(([5, 5], [0, 0]), "right and wrong"), (([5, 5], [5, 5]), "right and wrong"), (([1, 1], [0, 1]), "n >= 2")])
def test_what_cannot_be_fitted(counts, text):
    with pytest.raises(ValueError, match=text): fit_beta_law(*counts)
    result = extrapolate_credit(*counts, [2, 50], any_right)
    assert result.left_out and result.low is not None and (result.low <= result.high).all()


def test_a_one_sided_level_below_one_half_is_refused(code):
    with pytest.raises(ValueError, match="0.5 < confidence_level < 1"): fit_most_zero(code["n"], code["c"], .4)


def test_two_samples_do_not_determine_a_share_at_zero():
    with pytest.raises(ValueError, match="n >= 3"): fit_beta_law([2, 2, 2], [0, 1, 2], zero=True)


def test_bad_input():
    for k, error in ((0, ValueError), (2.5, TypeError), (True, TypeError)):
        with pytest.raises(error): extrapolate_credit([5, 5], [1, 2], k, any_right)
    with pytest.raises(ValueError, match="confidence_level"): extrapolate_credit([5, 5], [1, 2], 9, any_right, confidence_level=95)
    with pytest.raises(ValueError, match="need 0 <= c <= n"): extrapolate_credit([5, 5], [1, 7], 9, any_right)


def test_power_law_recovers_its_own_curve(monkeypatch):
    monkeypatch.setattr(page, "_exact", lambda n, c, k, credit: np.exp(-1.7 * k**-.4))
    law = fit_power_law([100], [5])
    np.testing.assert_allclose([law.scale, law.exponent], [1.7, .4], rtol=1e-9)


def test_back_test_is_seeded(mathematics):
    n, c = mathematics["n"], mathematics["c_base"]
    one, two = (back_test(n, c, 8, [16, 128], any_right, repeats=2, rng=rng) for rng in (None, np.random.default_rng(0)))
    np.testing.assert_array_equal(one.models["Beta"], two.models["Beta"])
    assert one.inside.all() and one.error()["Beta"].shape == (2,) and "mean error" in repr(one)
    with pytest.raises(ValueError, match="keep"): back_test(n, c, 128, [16], any_right)
