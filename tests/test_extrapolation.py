import re
import json
import os
import subprocess
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from math import comb, log
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

from sampling_eval import extrapolate
from sampling_eval.foundations.credit import all_credit, any_credit, majority_credit, share_credit
from sampling_eval.report.extrapolate import list_cautions
from sampling_eval.inference import extrapolation as page
from sampling_eval.inference import moment_bounds as proofs
from sampling_eval.inference.bayes import posterior
from sampling_eval.inference.fitted_prior import fit_prior, settle
from sampling_eval.inference.extrapolation import (
    BackTest, BetaLaw, Extrapolation, PowerLaw, back_test, extrapolate_credit, fit_beta_law,
    fit_most_zero, fit_power_law, law_free_bounds, mean_band, unsolved_limit)
from sampling_eval.inference.moment_bounds import Certificate, certify, moment_bounds
from closeness import assert_close
from printed import check_printed

DATA = Path(__file__).parent.parent / "sampling_eval" / "examples"


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
    assert_close(BetaLaw(1, 1).mean([1, 9, 99], any_credit), [.5, .9, .99], rtol=1e-12)
    want = [0.20000000000000007, 0.6122353887867416, 0.8682142855506285, 0.9579993010787745]
    assert_close(BetaLaw(.5, 2).mean([1, 10, 100, 1000], any_credit), want, rtol=1e-12)
    np.testing.assert_allclose(BetaLaw(1, 101).mean(1000, any_credit), 1000 / 1101, rtol=1e-12)
    np.testing.assert_allclose(BetaLaw(.5, 2, zero=.25).mean(10, any_credit), .75 * want[1], rtol=1e-12)
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
    result = extrapolate_credit(n, c, [1, 3, 4, 100], any_credit)
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
    assert any("not determined" in text for text in list_cautions(extrapolate_credit(10, c, 20, any_credit)))


def test_bounds_of_few_moments():
    exact = [1/3, 2/3]
    np.testing.assert_allclose(moment_bounds(exact, exact, [0, 1], 2, [3], any_credit)[:, 0], [13/18, 7/9], atol=1e-6)
    np.testing.assert_allclose(moment_bounds([3/8, 5/8], [3/8, 5/8], [0, 1], 2, [3], majority_credit)[:, 0], [7/16, 9/16], atol=1e-4)
    np.testing.assert_allclose(moment_bounds(exact, exact, [0, 1], 2, [1, 2], any_credit), [[.5, 2/3]] * 2, atol=1e-6)
    assert moment_bounds([.9, .9], [1, .95], [0, 1], 2, [3], any_credit) is not None
    assert moment_bounds([0, 0], [.1, .1], [0, 1], 2, [3], any_credit)[0, 0] >= .9 - 1e-6


def band_of(n, c, m):
    "Thresholds and band that `law_free_bounds` uses, for equal `n`."
    t = np.r_[0, 2**np.arange(32)]
    t = np.unique(np.r_[t[2 * t < m], m - 1 - t[2 * t < m]])
    average = stats.hypergeom.cdf(t, n, np.asarray(c)[:, None], m).mean(0)
    return *mean_band(average, len(c)), t


def program_on_a_fine_grid(low, high, t, m, k, sign):
    "The largest mean of `sign` times pass@k over laws on five thousand points: never above a true bound."
    ends = np.geomspace(1e-4 / max(m, k), .5, 1500)
    p = np.unique(np.r_[0, ends, np.linspace(0, 1, 1501), 1 - ends, 1])
    chance = stats.binom.cdf(t[:, None], m, p)
    target = -sign * (1 - (1 - p)**k)
    run = optimize.linprog(target, np.vstack([chance, -chance]), np.r_[high, -low], np.ones((1, len(p))), [1.], (0, None), "highs")
    return -run.fun


@pytest.mark.parametrize("k", [1, 10, 100, 1000])
def test_bounds_are_outside_a_fine_program_and_close(code, k):
    low, high, t = band_of(100, code["c"], 100)
    for sign in 1, -1:
        bound, reached = certify(low, high, t, 100, k, any_credit, sign).bound, program_on_a_fine_grid(low, high, t, 100, k, sign)
        assert reached - 1e-8 < bound < reached + 2e-6, (k, sign, bound - reached)


@pytest.mark.parametrize("miss", [.5, 1/3, .9, 1e-3])
@pytest.mark.parametrize("k", [2, 3, 7, 40, 1000])
def test_bounds_of_one_moment_are_never_inside_the_exact_ones(miss, k):
    "With E(1 - p) = x: E(1 - p)^k lies between x^k and x, and both ends are reached."
    (low,), (high,) = moment_bounds([miss], [miss], [0], 1, [k], any_credit)
    x = Fraction(miss)
    assert 0 <= 1 - x - Fraction(low) < Fraction(2, 10**9) and 0 <= Fraction(high) - (1 - x**k) < Fraction(2, 10**9) or high == 1


def test_bounds_of_two_moments_are_never_inside_the_exact_ones():
    third = [1/3, 2/3]
    (low,), (high,) = moment_bounds(third, third, [0, 1], 2, [3], any_credit)
    assert 0 <= Fraction(13, 18) - Fraction(low) < Fraction(2, 10**9) and 0 <= Fraction(high) - Fraction(7, 9) < Fraction(2, 10**9)
    (low,), (high,) = moment_bounds([3/8, 5/8], [3/8, 5/8], [0, 1], 2, [3], majority_credit)
    assert 0 <= Fraction(7, 16) - Fraction(low) < Fraction(2, 10**9) and 0 <= Fraction(high) - Fraction(9, 16) < Fraction(2, 10**9)


def raised(h, degree):
    "Exact Bernstein coefficients, at a higher degree, of a mean credit: one subset of each urn."
    k = len(h) - 1
    total = comb(degree, k)
    return [sum(h[j] * comb(i, j) * comb(degree - i, k - j) for j in range(k + 1)) / total for i in range(degree + 1)]


def never_negative(coefficients, most=200_000):
    "Proof in whole numbers that a polynomial in Bernstein form is at least 0 on [0, 1], by halving."
    scale = max(c.denominator for c in coefficients)
    for c in coefficients: scale = scale * c.denominator // np.gcd.reduce([scale, c.denominator], dtype=object)
    open_parts = [[int(c * scale) for c in coefficients]]
    for _ in range(most):
        if not open_parts: return True
        part = open_parts.pop()
        if min(part) >= 0: continue
        if part[0] < 0 or part[-1] < 0: return False
        left, right, n = [], [], len(part) - 1
        row = part
        for step in range(n + 1):
            left.append(row[0] << (n - step))
            right.append(row[-1] << (n - step))
            row = [a + b for a, b in zip(row, row[1:])]
        open_parts += [left, right[::-1]]
    raise AssertionError("not decided")


@pytest.mark.parametrize("credit, m, k", [(any_credit, 6, 6), (any_credit, 6, 20), (any_credit, 10, 4), (any_credit, 16, 40),
                                          (any_credit, 128, 10), (any_credit, 128, 300), (majority_credit, 100, 64), (majority_credit, 8, 5),
                                          (majority_credit, 12, 31), (all_credit, 8, 14)])
def test_certificates_hold_in_exact_arithmetic(mathematics, credit, m, k):
    low, high, t = band_of(128, mathematics["c_base"], m)
    degree = max(m, k)
    chances = [raised([Fraction(int(j <= at)) for j in range(m + 1)], degree) for at in t.tolist()]
    for sign in 1, -1:
        proof = certify(low, high, t, m, k, credit, sign)
        y = [Fraction(v) for v in proof.y.tolist()]
        h = raised([Fraction(sign * v) for v in credit(k).tolist()], degree)
        gap = [Fraction(float(proof.level)) - h[i] + sum(v * g[i] for v, g in zip(y, chances)) for i in range(degree + 1)]
        assert never_negative(gap)
        allowed = sum(v * Fraction(float(high[i] if v > 0 else low[i])) for i, v in enumerate(y))
        assert Fraction(float(proof.level)) + allowed <= Fraction(float(proof.bound))


def test_a_negative_polynomial_is_found():
    assert never_negative(raised([Fraction(0), Fraction(1)], 5))
    assert never_negative([Fraction(1), Fraction(-1), Fraction(1)]) # (1 - 2p)^2
    assert not never_negative([Fraction(1), Fraction(-101, 100), Fraction(1)])


def test_band_is_rounded_outwards():
    getcontext().prec = 40
    for average in 0., 1e-9, .1, .5, .9, 1.:
        for questions in 3, 1000, 10**7:
            limit = (2 / (1 - Decimal(".95"))).ln() / questions
            for end in mean_band([average], questions)[:, 0].tolist():
                if end in (0, 1): continue
                x, mu = Decimal(average), Decimal(end)
                parts = [a * (a / b).ln() for a, b in ((x, mu), (1 - x, 1 - mu)) if a]
                assert sum(parts) >= limit, (average, questions, end)


def test_bounds_hold_where_every_model_fails():
    p = np.repeat([1e-3, .5], 50)
    truth = (1 - (1 - p)**1024).mean()
    for seed in range(3):
        found = extrapolate_credit(64, np.random.default_rng(seed).binomial(64, p), 1024, any_credit)
        assert len(found.models) == 4 and all(values[0] < truth for values in found.models.values())
        assert found.low[0] <= truth <= found.high[0]
        assert any("their spread is no error bar" in text for text in list_cautions(found))


def test_bounds_do_not_depend_on_the_points(code, monkeypatch):
    low, high, t = band_of(100, code["c"], 100)
    want = [certify(low, high, t, 100, k, any_credit, sign).bound for k in (1, 50, 1000) for sign in (1, -1)]
    grid = proofs._grid
    monkeypatch.setattr(page, "_grid", lambda k: np.unique(np.r_[0, grid(k)[1:-1] * .997, 1]))
    got = [certify(low, high, t, 100, k, any_credit, sign).bound for k in (1, 50, 1000) for sign in (1, -1)]
    np.testing.assert_allclose(got, want, rtol=1e-9)


def test_a_bound_without_a_solver_is_wide_and_true(code, monkeypatch):
    monkeypatch.setattr(page, "_propose", lambda *args: None)
    low, high, t = band_of(100, code["c"], 100)
    assert 1 <= certify(low, high, t, 100, 20, any_credit).bound < 1 + 1e-9


def fits(code, mathematics):
    "Every kind of number that an optimiser or a program finds, at full digits."
    numbers = {}
    for name, n, c in (("code", code["n"], code["c"]), ("few", code["n"][:30], code["c"][:30]), ("math", mathematics["n"], mathematics["c_rl"])):
        laws = fit_beta_law(n, c), fit_beta_law(n, c, zero=True), fit_most_zero(n, c)
        numbers[name] = [v for law in laws for v in (law.a, law.b, law.zero, law.loglik)]
        power = fit_power_law(n, c)
        numbers[name] += [power.scale, power.exponent]
        for mass in False, True:
            prior = fit_prior(n, c, at_zero=mass, at_one=mass)
            after = posterior(n, c, 4, any_credit, prior=prior)
            ends = after.confidence_interval()
            numbers[f"{name}, prior, {mass}"] = [prior.a, prior.b, prior.at_zero, prior.at_one, after.value, after.sd, ends.low, ends.high]
    numbers["edge"] = list(vars(fit_beta_law(10, np.tile([4, 5, 5, 6, 5], 10))).values())[:4]
    numbers["bounds"] = law_free_bounds(code["n"], code["c"], [1, 10, 100, 1000], any_credit).ravel().tolist()
    return numbers


FOREIGN = f"""
import json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_extrapolation as own
print(json.dumps(own.fits(own.read("humaneval_codegen16b_counts.csv"), own.read("deepscaler32k_counts.csv"))))
"""


def foreign_settings():
    "Another BLAS kernel, and numpy without the vector instructions of this machine."
    try: from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
    except ImportError: from numpy.core._multiarray_umath import __cpu_dispatch__, __cpu_features__
    features = " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))
    return [dict(OPENBLAS_CORETYPE="Haswell"), dict(OPENBLAS_CORETYPE="Nehalem", NPY_DISABLE_CPU_FEATURES=features)]


@pytest.fixture(scope="module")
def numbers(code, mathematics): return fits(code, mathematics)


@pytest.mark.parametrize("setting", foreign_settings(), ids=lambda s: s["OPENBLAS_CORETYPE"])
def test_fitted_numbers_are_the_same_on_another_processor(numbers, setting):
    run = subprocess.run([sys.executable, "-c", FOREIGN], env={**os.environ, **setting}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    there = json.loads(run.stdout)
    assert numbers.keys() == there.keys()
    for name in numbers: np.testing.assert_allclose(there[name], numbers[name], rtol=1e-9, err_msg=name)


def test_fits_do_not_depend_on_where_the_search_ended(numbers, code, mathematics, monkeypatch):
    want, search = numbers, optimize.minimize

    def stop_early(cost, start, *args, **options):
        result = search(cost, start, *args, **options)
        low, high = np.transpose(options["bounds"])
        result.x = np.clip(result.x + 1e-4 * np.random.default_rng(0).standard_normal(len(result.x)), low, high)
        return result

    monkeypatch.setattr(optimize, "minimize", stop_early)
    got = fits(code, mathematics)
    for name in want: np.testing.assert_allclose(got[name], want[name], rtol=1e-9, err_msg=name)


def test_a_fit_that_cannot_be_settled_stays():
    "A hill has no minimum inside: the start is returned, or the edge it is pressed against."
    hill = lambda x: (-(x**2).sum(), -2 * x, -2 * np.eye(len(x)))
    np.testing.assert_array_equal(settle(hill, [.3, .2], [-1, -1], [1, 1]), [.3, .2])
    slope = lambda x: (x.sum(), np.ones(2), np.zeros((2, 2)))
    np.testing.assert_array_equal(settle(slope, [0, 0], [0, 0], [1, 1]), [0, 0])


def test_bounds_contain_every_model_that_fits(mathematics):
    result = extrapolate_credit(128, mathematics["c_base"], [1, 16, 128, 1000, 100_000], any_credit)
    for values in result.models.values(): assert ((result.low <= values) & (values <= result.high)).all()
    assert ((result.low[:3] <= result.exact) & (result.exact <= result.high[:3])).all()


def test_bounds_hold_for_other_credits_and_mirrored():
    rng = np.random.default_rng(1)
    n, c = np.full(300, 12), rng.binomial(12, rng.beta(2, 2, 300))
    low, high = law_free_bounds(n, c, [25], majority_credit)[:, 0]
    truth = BetaLaw(2, 2).mean(25, majority_credit)
    assert low < truth < high and high - low < .6
    one, other = extrapolate_credit(n, c, [5, 50], all_credit), extrapolate_credit(n, n - c, [5, 50], any_credit)
    np.testing.assert_allclose(one.high, 1 - other.low, rtol=1e-12)
    np.testing.assert_allclose(one.exact, 1 - other.exact, rtol=1e-12)
    assert one.mirrored and "Beta + mass at 1" in one.models and not other.mirrored
    assert "power law" not in extrapolate_credit(n, c, [25], majority_credit).models


def test_band_covers_and_never_has_zero_width():
    low, high = mean_band([0, .3, 1], 50)
    assert (high > low).all() and low[0] == 0 and high[2] == 1
    np.testing.assert_allclose(mean_band([0, .3, 1], 50)[:, [0]], 1 - mean_band([0, .7, 1], 50)[::-1, [2]], rtol=1e-12)
    wide, narrow = (np.ptp(mean_band([.3], q), 0) for q in (50, 5000))
    assert wide > 5 * narrow


def test_infeasible_counts_are_reported():
    result = extrapolate_credit(np.full(1000, 10), np.tile([4, 5, 5, 6], 250) * 0 + 5, [20], any_credit)
    assert result.low is None and "No distribution of difficulty" in list(list_cautions(result))[-1] and result.rows[0]["low"] is None


@pytest.mark.parametrize("counts, text", [(([5, 5], [0, 0]), "right and wrong"), (([5, 5], [5, 5]), "right and wrong"), (([1, 1], [0, 1]), "n >= 2")])
def test_what_cannot_be_fitted(counts, text):
    with pytest.raises(ValueError, match=text): fit_beta_law(*counts)
    result = extrapolate_credit(*counts, [2, 50], any_credit)
    assert result.left_out and result.low is not None and (result.low <= result.high).all()


def test_a_one_sided_level_below_one_half_is_refused(code):
    with pytest.raises(ValueError, match="0.5 < confidence_level < 1"): fit_most_zero(code["n"], code["c"], .4)


def test_two_samples_do_not_determine_a_share_at_zero():
    with pytest.raises(ValueError, match="n >= 3"): fit_beta_law([2, 2, 2], [0, 1, 2], zero=True)


def test_bad_input():
    for k, error in ((0, ValueError), (2.5, TypeError), (True, TypeError)):
        with pytest.raises(error): extrapolate_credit([5, 5], [1, 2], k, any_credit)
    with pytest.raises(ValueError, match="confidence_level"): extrapolate_credit([5, 5], [1, 2], 9, any_credit, confidence_level=95)
    with pytest.raises(ValueError, match="need 0 <= c <= n"): extrapolate_credit([5, 5], [1, 7], 9, any_credit)


def test_power_law_recovers_its_own_curve(monkeypatch):
    monkeypatch.setattr(page, "_exact", lambda n, c, k, credit: np.exp(-1.7 * k**-.4))
    law = fit_power_law([100], [5])
    np.testing.assert_allclose([law.scale, law.exponent], [1.7, .4], rtol=1e-9)


def test_back_test_is_seeded(mathematics):
    n, c = mathematics["n"], mathematics["c_base"]
    one, two = (back_test(n, c, 8, [16, 128], any_credit, repeats=2, rng=rng) for rng in (None, np.random.default_rng(0)))
    np.testing.assert_array_equal(one.models["Beta"], two.models["Beta"])
    assert one.inside.all() and one.error()["Beta"].shape == (2,) and "mean error" in repr(one)
    with pytest.raises(ValueError, match="keep"): back_test(n, c, 128, [16], any_credit)


@pytest.mark.parametrize("level", [None, "x", [.9]])
def test_a_level_is_a_number(level):
    with pytest.raises(TypeError, match="confidence_level must be a number, got"):
        extrapolate([[1, 0], [1, 1]], confidence_level=level)


@pytest.mark.parametrize("peak", [.05, .5, .95])
def test_no_place_between_two_is_higher_than_the_ceiling(peak):
    def f(p): return 1 - (p - peak)**2
    ends = np.array([0., 1.])
    top, place = proofs.find_ceiling(f, {(0, 0): -2.}, ends, f(ends), 1e-9)
    assert 1 - 1e-9 <= top <= 1 and f(place) == top


# What is shown, in full.

def show_extrapolation(found):
    "Everything that was found; bounds to seven digits."
    rows = [{name: round(v, 7) if isinstance(v, float) else v for name, v in row.items()} for row in found.rows]
    laws = {name: str(law) for name, law in found.laws.items()}
    facts = (found.questions, found.n_min, found.n_max, found.unsolved, found.mirrored, found.confidence_level,
             found.exact.tolist())
    return "\n".join([*list_cautions(found), *map(str, rows), *map(str, laws.items()), str(found.misfit), str(found.left_out),
                      str(facts)])


SMALL = [0, 1, 8, 3, 0, 5, 8, 2, 1, 6]
EXTRAPOLATIONS = {
    "any right": (8, SMALL, [1, 8, 9, 100], any_credit, dict(label="pass@k")),
    "all right": (8, SMALL, [2, 40], all_credit, dict(label="pass^k", confidence_level=.9)),
    "a majority": ([9, 8, 7, 9, 8, 8, 9, 8, 8, 8], [0, 1, 7, 3, 0, 5, 8, 2, 1, 6], [3, 7, 9], majority_credit, {}),
    "none right": ([5, 6], [0, 0], [5, 50], any_credit, {}),
    "within the samples": (8, SMALL, 4, any_credit, dict(label="pass@4")),
    "two samples": (2, [0, 1, 2, 1, 0], [1, 20], any_credit, {}),
    "too alike": (10, [4, 5, 5, 6, 5] * 4, 30, any_credit, {})}


@pytest.mark.parametrize("name", EXTRAPOLATIONS)
def test_extrapolations_in_full(name):
    n, c, k, credit, options = EXTRAPOLATIONS[name]
    found = extrapolate_credit(np.broadcast_to(n, len(c)), c, k, credit, **options)
    check_printed("plans", f"extrapolation, {name}", show_extrapolation(found))


def test_back_tests_in_full():
    found = back_test(np.full(10, 8), SMALL, 4, [4, 8], any_credit, repeats=2, label="pass@k", rng=2)
    models = [f"{name}: {values.tolist()}" for name, values in found.models.items()]
    check_printed("plans", "back-test", "\n".join([repr(found), *models, str(found.inside.tolist()),
                                                   str(found.error())]))


def test_what_a_back_test_draws(monkeypatch):
    "Ten subsets without replacement from seed 0, each fitted at the budgets asked for."
    calls = []
    def note(*given):
        calls.append(given)
        return extrapolation_of(models={}, low=None)
    monkeypatch.setattr(page, "extrapolate_credit", note)
    n, c = np.array([8, 9, 12]), np.array([0, 9, 5])
    found = back_test(n, c, 7, 8, any_credit)
    assert len(calls) == 10 and all((keep, k.tolist(), credit) == (7, [8], any_credit) for keep, _, k, credit in calls)
    drawn = np.array([part for _, part, _, _ in calls])
    np.testing.assert_array_equal(drawn, np.random.default_rng(0).hypergeometric(c, n - c, 7, size=(10, 3)))
    assert (found.label, found.keep, found.n_min, found.k.tolist(), found.models) == ("mean credit", 7, 8, [8], {})
    assert found.exact == pytest.approx([2/3]) and not found.inside.any() and found.inside.shape == (10, 1)
    assert back_test(n, c, 1, [1, 2], any_credit, repeats=3, rng=np.random.default_rng(5)).inside.shape == (3, 2)
    np.testing.assert_array_equal([part for _, part, _, _ in calls[10:]],
                                  np.random.default_rng(5).hypergeometric(c, n - c, 1, size=(3, 3)))
    for keep in 0, 8:
        with pytest.raises(ValueError, match=f"need 1 <= keep < n, got keep={keep}, smallest n=8"):
            back_test(n, c, keep, 8, any_credit)


def test_a_back_test_by_hand():
    made = BackTest("pass@k", 4, 9, np.array([2, 30]), np.array([.5, .75]), {"Beta": np.array([[.5, .7], [.6, .9]])},
                    np.array([[True, False], [True, True]]))
    np.testing.assert_allclose(made.error()["Beta"], [.05, .05])
    assert repr(made).splitlines() == [
        "pass@k: 4 of 9 samples kept, 2 times; mean error (root mean square)",
        "                   k                 2                30",
        "               exact            0.5000            0.7500",
        "                Beta  +0.0500 (0.0707)  +0.0500 (0.1118)",
        "         bounds held              100%               50%"]


def test_bounds_that_hold_and_models_of_every_run():
    exact = np.array([.1, .5, .9])
    def held(low, high): return page._holds(extrapolation_of(low=low, high=high), exact).tolist()
    assert held(np.array([.1, .6, 0.]), np.array([.2, .7, .9])) == [True, False, True]
    assert held(np.array([0., .4, .5]), np.array([.05, .5, .89])) == [False, True, False]
    assert held(None, None) == [False] * 3
    stacked = page._stack_models([dict(a=np.ones(2), b=np.zeros(2)), dict(b=np.ones(2), c=np.ones(2))])
    assert list(stacked) == ["b"] and stacked["b"].tolist() == [[0, 0], [1, 1]]


def extrapolation_of(**given):
    "An extrapolation of ten questions with some of its fields."
    fields = dict(label="pass@k", k=np.array([4, 9]), questions=10, n_min=8, n_max=8, exact=np.array([.5]), models={},
                  laws={}, misfit={},
                  low=np.array([.4, .5]), high=np.array([.6, .9]), unsolved=0, mirrored=False, confidence_level=.95,
                  left_out=())
    return Extrapolation(**fields | given)


@pytest.mark.parametrize("given, want", [
    (dict(), ["k > 8 is a model"]), (dict(k=np.array([4, 8])), []),
    (dict(k=np.array([8]), left_out=(("Beta", "too few"),)), ["Beta left out: too few"]),
    (dict(k=np.array([8]), unsolved=2), ["2 of 10 questions have no right sample: impossible .* up to 31.2 % .exact 95 % bound"]),
    (dict(k=np.array([8]), unsolved=1, mirrored=True, confidence_level=.99), ["no wrong sample: certain .* up to 43.8 %"]),
    (dict(k=np.array([8]), laws={"Beta": BetaLaw(1, 1, at_edge=True), "power law": PowerLaw(1, 1), "other": BetaLaw(1, 1)}),
     ["^Beta: parameters not determined"]),
    (dict(k=np.array([8]), misfit=dict(a=.01, b=-.0101, c=.5)), ["^b misses .* by -1.0 points", "^c misses .* by .50.0 points"]),
    (dict(models=dict(a=np.array([.1, 0.]), b=np.array([.9, .02]))), ["k > 8 is a model"]),
    (dict(models=dict(a=np.array([.1, .5]), b=np.array([.9, .5201]))), ["k > 8 is a model", "differ by up to 2.0 points, at k = 9"]),
    (dict(models=dict(a=np.array([.1, .5]))), ["k > 8 is a model"]),
    (dict(k=np.array([8]), low=None, high=None), ["No distribution of difficulty fits"])])
def test_cautions(given, want):
    found = list(list_cautions(extrapolation_of(**given)))
    assert len(found) == len(want) and all(re.search(one, text) for one, text in zip(want, found)), found


def test_rows():
    found = extrapolation_of(n_max=12, models=dict(a=np.ones(2), b=np.ones(2)))
    assert found.rows == [dict(k=4, kind="exact", exact=.5, a=1., b=1., low=.4, high=.6),
                          dict(k=9, kind="model", exact=None, a=1., b=1., low=.5, high=.9)]


# Laws.

def test_the_mean_of_a_law_with_impossible_questions():
    "A credit that pays where nothing is right pays for the impossible ones too."
    none = lambda k: (np.arange(k + 1) == 0) * 1.
    assert BetaLaw(1, 1, zero=.4).mean(3, none) == pytest.approx(.6 / 4 + .4)
    assert BetaLaw(1, 2, zero=.25).mean([1, 2], none).tolist() == pytest.approx([.75 * 2/3 + .25, .75 / 2 + .25])
    assert np.shape(BetaLaw(1, 1).mean(3, none)) == () and BetaLaw(1, 1).mean(3, share_credit) == pytest.approx(.5)
    assert (BetaLaw(1, 1).zero, BetaLaw(1, 1).loglik, BetaLaw(1, 1).at_edge) == (0, None, False)
    assert PowerLaw(1.5, .5).mean(4) == pytest.approx(np.exp(-.75))
    assert PowerLaw(1.5, .5).mean([1, 9]).tolist() == pytest.approx([np.exp(-1.5), np.exp(-.5)])


def test_likelihoods_in_numbers():
    n, c = np.array([5, 5, 6, 7, 3]), np.array([0, 3, 6, 2, 0])
    plain, free, most = fit_beta_law(n, c), fit_beta_law(n, c, zero=True), fit_most_zero(n, c, .8)
    for law in plain, most:
        orders = [comb(*o) for o in zip(n.tolist(), c.tolist())]
        chance = (1 - law.zero) * stats.betabinom.pmf(c, n, law.a, law.b) / orders + law.zero * (c == 0)
        assert law.loglik == pytest.approx(np.log(chance).sum(), rel=1e-12) and not law.at_edge
    assert free.loglik - most.loglik == pytest.approx(stats.norm.ppf(.8)**2 / 2, abs=1e-9) and plain.zero == 0
    assert fit_beta_law(n, c + (c == 0), zero=True) == fit_beta_law(n, c + (c == 0))
    assert fit_beta_law([2, 2, 1], [1, 2, 0]).zero == 0 and fit_beta_law([3, 2, 2], [1, 0, 2], zero=True).loglik
    assert fit_beta_law([5] * 40, [0] * 20 + [3, 4] * 10, zero=True).zero == pytest.approx(.5, abs=.01)


@pytest.mark.parametrize("call, text", [
    (lambda: fit_beta_law([5, 4], [0, 0]), "need right and wrong samples to fit a law, got 9 alike"),
    (lambda: fit_beta_law([5, 4], [5, 4]), "got 9 alike"),
    (lambda: fit_beta_law([1, 1], [0, 1]), "n >= 2 to fit this law, got n=1"),
    (lambda: fit_beta_law([2, 2], [0, 1], zero=True), "n >= 3 to fit this law, got n=2"),
    (lambda: fit_most_zero([5, 5], [0, 3], .5), "need 0.5 < confidence_level < 1, got 0.5"),
    (lambda: fit_most_zero([5, 5], [0, 3], 1), "got 1"),
    (lambda: fit_power_law([3], [2]), "need a curve inside .0, 1. at two budgets, got 1"),
    (lambda: fit_power_law([2], [1]), "got 1")])
def test_what_cannot_be_fitted_in_full(call, text):
    with pytest.raises(ValueError, match=text): call()


def test_a_curve_through_two_points():
    "A third, two thirds and 1 of one question: two budgets inside, and a curve through both."
    law = fit_power_law([3], [1])
    assert law.scale == pytest.approx(log(3), rel=1e-9)
    assert law.exponent == pytest.approx(log(log(3) / log(1.5)) / log(2), rel=1e-9)
    n, c = np.array([40, 45, 40]), np.array([1, 9, 30])
    found = fit_power_law(n, c)
    k = np.unique(np.geomspace(1, 40, 40).astype(int))
    counts = list(zip(n.tolist(), c.tolist()))
    curve = np.log(np.mean([[1 - comb(m - o, j) / comb(m, j) for j in k.tolist()] for m, o in counts], 0))
    inside = curve < 0
    def cost(x): return ((x[0] * k[inside]**-x[1] + curve[inside])**2).sum()
    best = optimize.minimize(cost, [1, 1], method="Nelder-Mead", options=dict(xatol=1e-10, fatol=1e-16, maxiter=4000)).x
    assert [found.scale, found.exponent] == pytest.approx(best, rel=1e-5)
    levels = np.log(np.array([.2, .3, .5, .8]))
    budgets, x, nudge = np.array([1., 3., 9., 20.]), np.array([1.3, .6]), 1e-6 * np.eye(2)
    value, slope, bend = page._squares(x, budgets, levels)
    assert value == pytest.approx(((1.3 * budgets**-.6 + levels)**2).sum() / 2)
    for order, exact in (0, slope), (1, bend):
        def at(z): return page._squares(z, budgets, levels)[order]
        rise = [at(x + d) - at(x - d) for d in nudge]
        np.testing.assert_allclose(np.array(rise) / 2e-6, exact, rtol=1e-6)


def test_limits_of_averages_in_numbers():
    low, high = mean_band([0., .5, 1.], 164, .9)
    end = (.1 / 6)**(1 / 164)
    assert high[0] == pytest.approx(1 - end, rel=1e-9) and low[2] == pytest.approx(end, rel=1e-9)
    half = (1 - (1 - np.exp(-2 * log(60) / 164))**.5) / 2
    assert low[1] == pytest.approx(half, rel=1e-9) and high[1] == pytest.approx(1 - half, rel=1e-9)
    # Not further out than the formula, but for rounding.
    for average in .1, .9:
        for end in mean_band(average, 50)[:, 0]:
            entropy = average * log(average / end) + (1 - average) * log((1 - average) / (1 - end))
            assert entropy == pytest.approx(log(40) / 50, rel=1e-12)
    assert unsolved_limit(20, 5) == pytest.approx(1 - .05**.25, rel=1e-12)
    assert unsolved_limit(20, 5, .5) == pytest.approx(1 - .5**.25, rel=1e-12)


# Certificates, part by part.

CREDITS = dict(any=any_credit, all=all_credit, majority=majority_credit, share=share_credit)


def program_of(credit, k, m=9, at_most=(0, 1, 4, 7), sign=1):
    at_most = np.array(at_most)
    return proofs.Program(np.full(len(at_most), .2), np.linspace(.5, .8, len(at_most)), at_most, m, k, credit, sign)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("k", [1, 2, 3, 12])
@pytest.mark.parametrize("credit", CREDITS.values(), ids=CREDITS)
def test_a_program_and_its_slopes(credit, k, sign):
    program, y, p = program_of(credit, k, sign=sign), np.array([.7, -1.2, .4, -.3]), np.linspace(.05, .95, 7)
    chance = stats.binom.cdf(program.at_most, 9, p[:, None])
    reward = sign * stats.binom.pmf(np.arange(k + 1), k, p[:, None]) @ credit(k)
    np.testing.assert_allclose(program.reward(p), reward, atol=1e-14)
    np.testing.assert_allclose(program.chances(p), chance, atol=1e-14)
    np.testing.assert_allclose(program.f(p, y), reward - chance @ y, atol=1e-13)
    assert program.reward(np.array([0., 1.])).tolist() == pytest.approx([sign * credit(k)[0], sign * credit(k)[-1]],
            abs=1e-15)
    assert program.reward(np.zeros(0)).shape == (0,) and program.chances(np.zeros(0)).shape == (0, 4)
    assert program.allowed(y) == pytest.approx(.7 * .5 - 1.2 * .2 + .4 * .7 - .3 * .2)
    (first, second), h = program.slopes(p, y), 1e-4
    ahead, here, behind = (program.f(p + d, y) for d in (h, 0, -h))
    np.testing.assert_allclose(first, (ahead - behind) / (2 * h), atol=2e-5)
    np.testing.assert_allclose(second, (ahead - 2 * here + behind) / h**2, atol=2e-3)
    one, two = program.chance_slopes(p)
    ahead, here, behind = (program.chances(p + d) for d in (h, 0, -h))
    np.testing.assert_allclose(one, (ahead - behind) / (2 * h), atol=2e-5)
    np.testing.assert_allclose(two, (ahead - 2 * here + behind) / h**2, atol=2e-3)
    # The same second derivative, as binomial chances; a small constant is room for rounding.
    terms = proofs.bend_terms(program.h, program.at_most, 9, y)
    slack = 2.**-50 * (k**2 * np.abs(program.h).max() + 81 * 2.6)
    total = sum(size * stats.binom.pmf(j, degree, p) for (degree, j), size in terms.items())
    np.testing.assert_allclose(total + slack, second, atol=1e-10)
    assert all(0 <= j <= degree for degree, j in terms)
    assert terms.get((0, 0), 0) == pytest.approx(-slack + (k == 2) * 2 * np.diff(program.h, 2).sum(), rel=1e-9)


def test_many_bends_are_one_constant():
    "Beyond 256 of them a credit counts with the deepest; a convex one not at all."
    y, at_most = np.zeros(1), np.array([0])
    for power in .5, 2:
        h = (np.arange(301) / 300)**power
        terms = proofs.bend_terms(h, at_most, 2, y)
        second = 300 * 299. * np.diff(h, 2)
        assert set(terms) == {(0, 0)}
        assert terms[0, 0] == pytest.approx(min(second.min(), 0) - 2.**-50 * 300**2, rel=1e-9)
    assert len(proofs.bend_terms((np.arange(258) / 257)**2., at_most, 2, y)) == 257
    assert len(proofs.bend_terms((np.arange(260) / 259)**2., at_most, 2, y)) == 1


def test_binomial_chances_at_the_ends():
    p = np.array([0., .2, 1.])
    for n, j in (0, 0), (1, 0), (1, 1), (5, 0), (5, 2), (5, 5):
        np.testing.assert_allclose(proofs._binomial(n, j, p), stats.binom.pmf(j, n, p), rtol=1e-12)


def test_the_deepest_bend_of_an_interval():
    a, b, safe = np.array([0., .2, .5]), np.array([.2, .6, 1.]), 1e-6
    peak = [stats.binom.pmf(2, 5, p) for p in (.2, .4, .5)]
    np.testing.assert_allclose(proofs._deepest({(5, 2): -3.}, a, b), 3 * np.array(peak) * (1 + safe)**2, rtol=1e-9)
    least = [0., stats.binom.pmf(2, 5, .2), 0.]
    np.testing.assert_allclose(proofs._deepest({(5, 2): 3., (0, 0): -2.}, a, b),
                               (2 * (1 + safe) - 3 * np.array(least) * (1 - safe)) * (1 + safe), rtol=1e-9)
    assert proofs._deepest({(0, 0): 3.}, a, b).tolist() == [0, 0, 0]


def test_the_grid_of_chances():
    for k in 1, 10, 3000:
        grid = proofs._grid(k)
        assert grid[0] == 0 and grid[1] == pytest.approx(1e-3 / k) and grid[-1] == 1
        assert np.isin(np.linspace(0, 1, 81), grid).all()
        np.testing.assert_allclose(grid + grid[::-1], 1, atol=1e-12)
        # 120 steps of one ratio to either end, and 81 even ones.
        small = grid[(grid > 0) & (grid < 1/80)]
        np.testing.assert_allclose(np.diff(np.log(small)), log(500 * k) / 119, rtol=1e-6)
        assert 315 < len(grid) <= 321


@pytest.mark.parametrize("credit, k, kind", [(any_credit, 4, "any"), (any_credit, 1, "any"), (all_credit, 4, "all"),
                                             (share_credit, 1, "other"),
                                             (majority_credit, 3, "other"),
                                             (lambda k: any_credit(k) if k < 7 else all_credit(k), 5, "any"),
                                             (lambda k: any_credit(k) if k < 7 else all_credit(k), 8, "other"),
                                             (lambda k: all_credit(k) if k < 7 else any_credit(k), 9, "other")])
def test_kinds_of_credits(credit, k, kind): assert proofs.kind_of_credit(credit, np.array([k])) == kind


@pytest.mark.parametrize("odd", [2, 3, 9])
def test_a_credit_must_be_of_its_kind_at_every_budget(odd):
    for usual, other, kind in (any_credit, all_credit, "any"), (all_credit, any_credit, "all"):
        mixed = lambda k: other(k) if k == odd else usual(k)
        assert proofs.kind_of_credit(usual, np.array([5, 9])) == kind and proofs.kind_of_credit(mixed, np.array([5, 9])) == "other"


def test_a_law_at_the_lower_edge():
    "Every question is solved always or never: both parameters fall to the edge."
    law = fit_beta_law([8] * 4, [0, 8, 0, 8])
    assert law.at_edge and (law.a, law.b) == (pytest.approx(np.exp(-12)), pytest.approx(np.exp(-12)))
    uneven = fit_beta_law([8] * 6, [0, 8, 0, 8, 0, 0])
    assert uneven.at_edge and law.loglik == pytest.approx(4 * log(.5), abs=1e-3)


def test_points_with_weight():
    p = np.arange(12) / 11
    used = np.ones(12, bool)
    used[3] = False
    w = np.zeros(11)
    # Of the points 0, 2, 6 and 11 the first three follow within four places each.
    w[[0, 2, 5, 10]] = [.1, .3, .2, .4]
    places, weights = proofs.find_support(p, w, used)
    assert weights == pytest.approx([.6, .4]) and places == pytest.approx([(0 * .1 + 2 * .3 + 6 * .2) / 11 / .6, 1])
    w[5] = 0
    assert len(proofs.find_support(p, w, used)[0]) == 2
    w = np.zeros(12)
    w[[0, 4, 9]] = 1/3
    assert proofs.find_support(p, w, np.ones(12, bool))[1] == pytest.approx([2/3, 1/3])


def test_what_a_proof_adds():
    "The room that the search leaves, and room for rounding, once for the level and once for the bound."
    for credit, k, degree in (any_credit, 50, 1), (majority_credit, 3, 3):
        program, p = program_of(credit, k), proofs._grid(50)
        free, place = proofs._prove(program, np.zeros(4), p)
        assert free.level == pytest.approx(1 + 1e-10 + 2.**-49 * (degree + 2), abs=3e-16)
        assert free.bound == pytest.approx(free.level + 2.**-49 * (degree + 2), abs=3e-16)
        assert program.reward(np.array([place]))[0] == pytest.approx(1, abs=1e-9) and (free.y == 0).all()
        y = np.array([0., 0., 4e4, -3e4])
        proof, place = proofs._prove(program, y, p)
        slop = 2.**-49 * (degree + 2 + (9 + 2 + 4) * 7e4)
        fine = np.linspace(0, 1, 200_001)
        top = max(program.f(fine, y).max(), program.f(np.array([place]), y)[0])
        assert proof.level - top == pytest.approx(1e-10 + slop, abs=3e-11)
        assert proof.bound == pytest.approx(proof.level + program.allowed(y) + slop, abs=2e-11)
    wide = proofs._prove(program, np.zeros(4), p, room=1e-3)[0]
    assert wide.level == pytest.approx(1.001, abs=1e-12)


def test_the_best_of_several_proofs():
    proofs = {bound: Certificate(np.zeros(1), 0., bound) for bound in (.25, .3, .5, .5 + 1e-11, .7)}
    assert proofs._choose_proof([proofs[.5]], [proofs[.25]], .25) is proofs[.5]
    assert proofs._choose_proof([proofs[.5]], [proofs[.25]], .24) is proofs[.25]
    pick = lambda sharp, plain: proofs._choose_proof([proofs[o] for o in sharp], [proofs[o] for o in plain], 1e-10).bound
    assert pick([.7, .5], [.5 + 1e-11]) == .5 and pick([.5 + 1e-11], [.5]) == .5 + 1e-11 and pick([.5], [.3]) == .3
    assert pick([], [.7, .3]) == .3 and pick([.7, .3], []) == .3 and pick([.7], [.5]) == .5


def test_places_above_a_level():
    "A hill of height 1 between two points is found, with places beside it; a low hill is not looked at."
    peak = .34
    def f(p): return 1 - 8 * (p - peak)**2
    p = np.linspace(0, 1, 11)
    terms = {(0, 0): -16.}
    places, gap = proofs._strays(f, terms, p, f(p), .9)
    assert gap == pytest.approx(.1, abs=2e-5) and len(places) == 7
    width, spot = .1, places[3]
    assert spot == pytest.approx(peak, abs=.1 / 16 / 8)
    np.testing.assert_allclose(places - spot, width * np.array([-1/4, -1/16, -1/64, 0, 1/64, 1/16, 1/4]), atol=1e-12)
    assert proofs._strays(f, terms, p, f(p), 1.2)[0].size == 0 and proofs._strays(f, terms, p, f(p), 1.2)[1] == 0.
    near, gap = proofs._strays(f, terms, p, f(p), 1.0005)
    assert near.size == 0 and gap == 0
    # At an end only one neighbour is there.
    def slope(p): return p
    places, gap = proofs._strays(slope, {(0, 0): 0.}, p, slope(p), .5)
    assert gap == pytest.approx(.5) and places.max() == 1 and places.min() == pytest.approx(1 - .05 / 4)


def test_points_in_use():
    program = program_of(any_credit, 3)
    points = proofs._Points(program, np.linspace(0, 1, 5))
    assert points.used.all() and points.values(np.zeros(4)) == pytest.approx(1 - (1 - points.p)**3)
    level = float(points.rewards[2])
    points.choose(np.zeros(4), level, .5)
    # Those above the level, and of those in use the ones less than the depth below it: 37/64 is, 0 is not.
    assert points.used.tolist() == [False, True, True, True, True]
    points.choose(np.zeros(4), 1., .1)
    assert points.used.tolist() == [False, False, False, True, True]
    points.choose(np.zeros(4), float(points.rewards[1]), .001)
    assert points.used.tolist() == [False, False, True, True, True]
    points.add(np.array([.6, .5, .1]))
    assert points.p.tolist() == [0, .1, .25, .5, .6, .75, 1] and points.used[[1, 4]].all()
    np.testing.assert_allclose(points.rewards, program.reward(points.p))
    np.testing.assert_allclose(points.chances, program.chances(points.p))


@pytest.mark.parametrize("low, high, at_most, m, k, credit, want", [
    ([.5], [.5], [0], 1, 2, any_credit, (1/2, 3/4)), ([1/3, 2/3], [1/3, 2/3], [0, 1], 2, 3, any_credit, (13/18, 7/9)),
    ([3/8, 5/8], [3/8, 5/8], [0, 1], 2, 3, majority_credit, (7/16, 9/16)),
    ([.2], [.6], [0], 1, 3, any_credit, (.4, 1 - .2**3)),
    ([.2], [.6], [0], 1, 3, all_credit, (.4**3, .8)), ([0.], [1.], [0], 1, 5, majority_credit, (0, 1)),
    ([.25], [.25], [0], 1, 1, share_credit, (.75, .75)), ([.1], [.4], [0], 2, 2, any_credit, (.6, .9))])
def test_bounds_are_sharp_to_the_room_of_the_search(low, high, at_most, m, k, credit, want):
    found = moment_bounds(low, high, at_most, m, [k], credit)[:, 0]
    assert -2e-10 < found[0] - want[0] <= 1e-15 and -1e-15 <= found[1] - want[1] < 2e-10


def test_bounds_within_the_credits_and_none():
    assert moment_bounds([.9, .1], [.95, .2], [0, 1], 2, [3], any_credit) is None
    pay = lambda k: .2 + .5 * np.arange(k + 1) / k
    ends = moment_bounds([0.], [1.], [0], 1, [2, 3], pay)
    np.testing.assert_allclose(ends, [[.2, .2], [.7, .7]], atol=1e-15)
    n, c = np.array([6, 8, 6, 9, 7]), np.array([0, 3, 5, 9, 1])
    t = np.arange(6) # 0, 1, 2, and as many from the other end.
    average = stats.hypergeom.cdf(t, n[:, None], c[:, None], 6).mean(0)
    low, high = mean_band(average, 5, .9)
    want = moment_bounds(low, high, t, 6, [3, 30], any_credit)
    np.testing.assert_allclose(law_free_bounds(n, c, [3, 30], any_credit, .9), want, atol=1e-8)


def test_peaks_at_the_ends_of_the_range():
    "Nothing is looked at below 0 or above 1."
    p = np.linspace(0, 1, 11)
    def falling(p): return 1 - p
    places, gap = proofs._strays(falling, {(0, 0): 0.}, p, falling(p), .5)
    assert gap == pytest.approx(.5, abs=1e-12) and places.min() == 0 and places.max() == pytest.approx(.05 / 4)
    def two(p): return np.abs(p - .5)
    places, gap = proofs._strays(two, {(0, 0): 0.}, p, two(p), .3)
    assert gap == pytest.approx(.2, abs=1e-12) and places[0] == 0 and places[-1] == 1 and len(places) == 8


@pytest.mark.parametrize("short, factor, move, reached", [
    (0., 1., 0., True), (1.19e-10, 1., 0., True), (1.21e-10, 1., 0., False), (1e-9, 1., 0., False),
    (0., 1 + 5e-12, 0., True), (0., 1 + 5e-11, 0., False),
    (0., 1 - 5e-11, 0., False), (0., 1., 1e-12, True), (0., 1., 2e-11, False), (0., 1., -2e-11, False),
    (0., 1., -1e-12, True)])
def test_when_a_bound_is_reached(monkeypatch, short, factor, move, reached):
    "A law inside the band has the bound as its mean, up to the room of the search and rounding."
    third = np.array([1/3, 2/3])
    program = proofs.Program(third, third, np.array([0, 1]), 2, 3, any_credit)
    y, places, weights = np.array([-10/9, 2/9]), np.array([1/3, 1.]), np.array([.75 + move, .25 - move])
    monkeypatch.setattr(page, "_sharpen", lambda *given: (y, places, weights * factor))
    tried = []
    def prove(program, y, p):
        tried.append(p)
        return Certificate(y, 0., float(weights @ program.reward(places) * factor + short)), 0.
    monkeypatch.setattr(page, "_prove", prove)
    proof, told = proofs._sharp_proof(program, y, 1., np.array([0., 1.]), (places, weights))
    assert told == reached and proof.y is y and tried[0] == pytest.approx([0, 1/3, 1])
    monkeypatch.setattr(page, "_sharpen", lambda *given: None)
    assert proofs._sharp_proof(program, y, 1., np.array([0., 1.]), (places, weights)) == (None, False)


def test_prices_and_weights_after_sharpening():
    "From a coarse start to the prices that algebra finds; too far away nothing comes back."
    third = np.array([1/3, 2/3])
    program = proofs.Program(third, third, np.array([0, 1]), 2, 3, any_credit)
    y, places, weights = proofs.sharpen_prices(program, np.array([-1.1, .2]), 1., np.array([.34, 1.]), np.array([.74, .26]))
    assert y == pytest.approx([-10/9, 2/9], abs=1e-12) and places == pytest.approx([1/3, 1], abs=1e-12)
    assert weights == pytest.approx([.75, .25], abs=1e-12)
    # The support has the means of the band, and f its level there with slope 0.
    assert program.chances(places).T @ weights == pytest.approx(third, abs=1e-13)
    assert program.slopes(places, y)[0][0] == pytest.approx(0, abs=1e-12)
    assert proofs.sharpen_prices(program, np.array([-1.1, .2]), 1., np.array([.02, 1.]), np.array([.74, .26])) is None
    with np.errstate(all="ignore"):
        unused = proofs.sharpen_prices(program, np.array([-1.1, 0.]), 1., np.array([.34, 1.]), np.array([.74, .26]))
    assert unused is None or unused[0][1] == 0


def test_a_ceiling_ends_where_nothing_can_be_higher():
    "Between two values of 3/4 a parabola of this bend reaches 1, and no more: a room of .26 ends the search."
    def f(p): return 1 - (p - .5)**2
    ends, bend = np.array([0., 1.]), {(0, 0): -2.}
    assert proofs.find_ceiling(f, bend, ends, f(ends), .26) == (.75, 0)
    assert proofs.find_ceiling(f, bend, ends, f(ends), .24) == (1, .5)
    def two(p): return np.maximum(1 - 90 * (p - .3)**2, 1.1 - 90 * (p - .8)**2)
    top, place = proofs.find_ceiling(two, {(0, 0): -180.}, ends, two(ends), 1e-6)
    assert top == pytest.approx(1.1, abs=1e-6) and place == pytest.approx(.8, abs=1e-3)
