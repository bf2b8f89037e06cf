"""More samples than there are: likelihoods, bounds by another route, published values; and what
`extrapolate` gives."""

import json
import os
import subprocess
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from math import comb, log
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats

from closeness import assert_close
from printed import check_printed
from scripts import load_script
from sampling_eval import Counts, extrapolate, posterior, score
from sampling_eval.foundations.credit import all_credit, any_credit, majority_credit, share_credit
from sampling_eval.inference import certificates as proofs, extrapolation as page
from sampling_eval.inference.certificates import certify
from sampling_eval.inference.extrapolation import (
    assumption_free_bounds,
    back_test,
    BetaDistribution,
    extrapolate_credit,
    Extrapolation,
    fit_beta_distribution,
    fit_most_zero,
    fit_power_law,
    mean_band,
    moment_bounds,
    PowerLaw,
    unsolved_limit,
)
from sampling_eval.inference.bayes import fit_prior
from sampling_eval.inference.likelihood_slopes import settle
from sampling_eval.metrics.catalog import find_metric
from sampling_eval.analyses.extrapolate.words import caution_sentences, models_clause
from sampling_eval.analyses.extrapolate.verb import forecast_budgets, refuse_without_credit

DATA = Path(__file__).parent.parent / "sampling_eval" / "examples"


def read(name):
    return np.genfromtxt(DATA / name, delimiter=",", names=True, dtype=None, encoding="utf8")


@pytest.fixture(scope="module")
def code():
    return read("humaneval_codegen16b_counts.csv")


@pytest.fixture(scope="module")
def mathematics():
    return read("deepscaler32k_counts.csv")


def test_published_values_of_beta_laws():
    assert_close(BetaDistribution(1, 1).mean([1, 9, 99], any_credit), [0.5, 0.9, 0.99], rtol=1e-12)
    want = [0.20000000000000007, 0.6122353887867416, 0.8682142855506285, 0.9579993010787745]
    assert_close(BetaDistribution(0.5, 2).mean([1, 10, 100, 1000], any_credit), want, rtol=1e-12)
    np.testing.assert_allclose(
        BetaDistribution(1, 101).mean(1000, any_credit), 1000 / 1101, rtol=1e-12
    )
    np.testing.assert_allclose(
        BetaDistribution(0.5, 2, zero=0.25).mean(10, any_credit), 0.75 * want[1], rtol=1e-12
    )
    np.testing.assert_allclose(
        unsolved_limit([30, 100, 256], 1),
        [0.09503385285530419, 0.029513049607039932, 0.011633876163163248],
        rtol=1e-12,
    )


@pytest.mark.parametrize("zero", [False, True])
def test_fit_is_the_maximum_by_another_route(code, zero):
    n, c = code["n"], code["c"]

    def cost(x):
        a, b, z = np.exp(x[0]), np.exp(x[1]), 1 / (1 + np.exp(-x[2])) if zero else 0.0
        with np.errstate(divide="ignore"):
            beta = stats.betabinom.pmf(c, n, a, b)
        return -np.log(np.where(c == 0, z, 0) + (1 - z) * beta).sum()

    other = optimize.minimize(
        cost,
        [0, 0, -2.0],
        method="Nelder-Mead",
        options=dict(xatol=1e-8, fatol=1e-10, maxiter=4000),
    )
    law = fit_beta_distribution(n, c, zero=zero)
    mine = cost([np.log(law.a), np.log(law.b), np.log(max(law.zero, 1e-300) / (1 - law.zero))])
    assert mine <= other.fun + 1e-6
    np.testing.assert_allclose([law.a, law.b], np.exp(other.x[:2]), rtol=1e-3)


def test_ragged_counts_and_order():
    rng = np.random.default_rng(0)
    n = rng.integers(3, 40, 300)
    c = rng.binomial(n, rng.beta(0.7, 2, 300))
    order = rng.permutation(300)
    assert fit_beta_distribution(n, c) == fit_beta_distribution(n[order], c[order])
    result = extrapolate_credit(n, c, [1, 3, 4, 100], any_credit)
    assert [row["kind"] for row in result.rows] == ["exact", "exact", "model", "model"]
    assert result.n_min == 3 and result.n_max == 39 and result.rows[2]["exact"] is None
    assert repr(result) == "\n".join(map(str, result.rows))
    np.testing.assert_allclose(result.exact[0], (c / n).mean(), rtol=1e-12)


def test_largest_share_at_zero_lies_on_the_profile(code):
    n, c = code["n"], code["c"]
    best, most = fit_beta_distribution(n, c, zero=True), fit_most_zero(n, c)
    np.testing.assert_allclose(best.loglik - most.loglik, stats.norm.ppf(0.95) ** 2 / 2, atol=1e-3)
    assert best.zero < most.zero < 1
    assert most.zero < fit_most_zero(n, c, 0.99).zero


def band_of(n, c, m):
    "Thresholds and band that `assumption_free_bounds` uses, for equal `n`."
    t = np.r_[0, 2 ** np.arange(32)]
    t = np.unique(np.r_[t[2 * t < m], m - 1 - t[2 * t < m]])
    average = stats.hypergeom.cdf(t, n, np.asarray(c)[:, None], m).mean(0)
    return *mean_band(average, len(c)), t


def program_on_a_fine_grid(low, high, t, m, k, sign):
    """The largest mean of `sign` times pass@k over laws on five thousand points: never above a true
    bound."""
    ends = np.geomspace(1e-4 / max(m, k), 0.5, 1500)
    p = np.unique(np.r_[0, ends, np.linspace(0, 1, 1501), 1 - ends, 1])
    chance = stats.binom.cdf(t[:, None], m, p)
    target = -sign * (1 - (1 - p) ** k)
    run = optimize.linprog(
        target,
        np.vstack([chance, -chance]),
        np.r_[high, -low],
        np.ones((1, len(p))),
        [1.0],
        (0, None),
        "highs",
    )
    return -run.fun


@pytest.mark.parametrize("k", [1, 10, 100, 1000])
def test_bounds_are_outside_a_fine_program_and_close(code, k):
    low, high, t = band_of(100, code["c"], 100)
    for sign in 1, -1:
        bound, reached = certify(
            low, high, t, 100, k, any_credit, sign
        ).bound, program_on_a_fine_grid(low, high, t, 100, k, sign)
        assert reached - 1e-8 < bound < reached + 2e-6, (k, sign, bound - reached)


@pytest.mark.parametrize("miss", [0.5, 1 / 3, 0.9, 1e-3])
@pytest.mark.parametrize("k", [2, 3, 7, 40, 1000])
def test_bounds_of_one_moment_are_never_inside_the_exact_ones(miss, k):
    "With E(1 - p) = x: E(1 - p)^k lies between x^k and x, and both ends are reached."
    (low,), (high,) = moment_bounds([miss], [miss], [0], 1, [k], any_credit)
    x = Fraction(miss)
    assert (
        0 <= 1 - x - Fraction(low) < Fraction(2, 10**9)
        and 0 <= Fraction(high) - (1 - x**k) < Fraction(2, 10**9)
        or high == 1
    )


def raised(h, degree):
    "Exact Bernstein coefficients, at a higher degree, of a mean credit: one subset of each urn."
    k = len(h) - 1
    total = comb(degree, k)
    return [
        sum(h[j] * comb(i, j) * comb(degree - i, k - j) for j in range(k + 1)) / total
        for i in range(degree + 1)
    ]


def never_negative(coefficients, most=200_000):
    """Proof in whole numbers that a polynomial in Bernstein form is at least 0 on [0, 1], by
    halving."""
    scale = max(c.denominator for c in coefficients)
    for c in coefficients:
        scale = scale * c.denominator // np.gcd.reduce([scale, c.denominator], dtype=object)
    open_parts = [[int(c * scale) for c in coefficients]]
    for _ in range(most):
        if not open_parts:
            return True
        part = open_parts.pop()
        if min(part) >= 0:
            continue
        if part[0] < 0 or part[-1] < 0:
            return False
        left, right, n = [], [], len(part) - 1
        row = part
        for step in range(n + 1):
            left.append(row[0] << (n - step))
            right.append(row[-1] << (n - step))
            row = [a + b for a, b in zip(row, row[1:])]
        open_parts += [left, right[::-1]]
    raise AssertionError("not decided")


@pytest.mark.parametrize(
    "credit, m, k",
    [
        (any_credit, 6, 6),
        (any_credit, 6, 20),
        (any_credit, 10, 4),
        (any_credit, 16, 40),
        (any_credit, 128, 10),
        (majority_credit, 100, 64),
        (majority_credit, 8, 5),
        (majority_credit, 12, 31),
        (all_credit, 8, 14),
    ],
)
def test_certificates_hold_in_exact_arithmetic(mathematics, credit, m, k):
    low, high, t = band_of(128, mathematics["c_base"], m)
    degree = max(m, k)
    chances = [raised([Fraction(int(j <= at)) for j in range(m + 1)], degree) for at in t.tolist()]
    for sign in 1, -1:
        proof = certify(low, high, t, m, k, credit, sign)
        y = [Fraction(v) for v in proof.y.tolist()]
        h = raised([Fraction(sign * v) for v in credit(k).tolist()], degree)
        gap = [
            Fraction(float(proof.level)) - h[i] + sum(v * g[i] for v, g in zip(y, chances))
            for i in range(degree + 1)
        ]
        assert never_negative(gap)
        allowed = sum(v * Fraction(float(high[i] if v > 0 else low[i])) for i, v in enumerate(y))
        assert Fraction(float(proof.level)) + allowed <= Fraction(float(proof.bound))


def test_a_negative_polynomial_is_found():
    assert never_negative(raised([Fraction(0), Fraction(1)], 5))
    assert never_negative([Fraction(1), Fraction(-1), Fraction(1)])  # (1 - 2p)^2
    assert not never_negative([Fraction(1), Fraction(-101, 100), Fraction(1)])


def test_band_is_rounded_outwards():
    getcontext().prec = 40
    for average in 0.0, 1e-9, 0.1, 0.5, 0.9, 1.0:
        for questions in 3, 1000, 10**7:
            limit = (2 / (1 - Decimal(".95"))).ln() / questions
            for end in mean_band([average], questions)[:, 0].tolist():
                if end in (0, 1):
                    continue
                x, mu = Decimal(average), Decimal(end)
                parts = [a * (a / b).ln() for a, b in ((x, mu), (1 - x, 1 - mu)) if a]
                assert sum(parts) >= limit, (average, questions, end)


def test_bounds_hold_where_every_model_fails():
    p = np.repeat([1e-3, 0.5], 50)
    truth = (1 - (1 - p) ** 1024).mean()
    for seed in range(3):
        found = extrapolate_credit(
            64, np.random.default_rng(seed).binomial(64, p), 1024, any_credit
        )
        assert len(found.models) == 4 and all(values[0] < truth for values in found.models.values())
        assert found.low[0] <= truth <= found.high[0]
        assert any("their spread is no error bar" in text for text in caution_sentences(found))


def test_bounds_do_not_depend_on_the_points(code, monkeypatch):
    low, high, t = band_of(100, code["c"], 100)
    want = [
        certify(low, high, t, 100, k, any_credit, sign).bound
        for k in (1, 50, 1000)
        for sign in (1, -1)
    ]
    grid = proofs._grid
    monkeypatch.setattr(proofs, "_grid", lambda k: np.unique(np.r_[0, grid(k)[1:-1] * 0.997, 1]))
    got = [
        certify(low, high, t, 100, k, any_credit, sign).bound
        for k in (1, 50, 1000)
        for sign in (1, -1)
    ]
    np.testing.assert_allclose(got, want, rtol=1e-9)


def test_a_bound_without_a_solver_is_wide_and_true(code, monkeypatch):
    monkeypatch.setattr(proofs, "propose_prices", lambda *args: None)
    low, high, t = band_of(100, code["c"], 100)
    assert 1 <= certify(low, high, t, 100, 20, any_credit).bound < 1 + 1e-9


def fits(code, mathematics):
    "Every kind of number that an optimiser or a program finds, at full digits."
    numbers = {}
    for name, n, c in (
        ("code", code["n"], code["c"]),
        ("few", code["n"][:30], code["c"][:30]),
        ("math", mathematics["n"], mathematics["c_rl"]),
    ):
        laws = (
            fit_beta_distribution(n, c),
            fit_beta_distribution(n, c, zero=True),
            fit_most_zero(n, c),
        )
        numbers[name] = [v for law in laws for v in (law.a, law.b, law.zero, law.loglik)]
        power = fit_power_law(n, c)
        numbers[name] += [power.scale, power.exponent]
        for mass in False, True:
            prior = fit_prior(n, c, at_zero=mass, at_one=mass)
            after = posterior(n, c, 4, any_credit, prior=prior)
            ends = after.confidence_interval()
            numbers[f"{name}, prior, {mass}"] = [
                prior.a,
                prior.b,
                prior.at_zero,
                prior.at_one,
                after.value,
                after.sd,
                ends.low,
                ends.high,
            ]
    numbers["edge"] = list(vars(fit_beta_distribution(10, np.tile([4, 5, 5, 6, 5], 10))).values())[
        :4
    ]
    numbers["bounds"] = (
        assumption_free_bounds(code["n"], code["c"], [1, 10, 100, 1000], any_credit)
        .ravel()
        .tolist()
    )
    return numbers


FOREIGN = f"""
import json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_extrapolation as own
files = "humaneval_codegen16b_counts.csv", "deepscaler32k_counts.csv"
print(json.dumps(own.fits(*map(own.read, files))))
"""


@pytest.fixture(scope="module")
def numbers(code, mathematics):
    return fits(code, mathematics)


def test_fitted_numbers_are_the_same_on_another_processor(numbers):
    setting = load_script("tools/nbrun.py").other_machine()
    run = subprocess.run(
        [sys.executable, "-c", FOREIGN],
        env={**os.environ, **setting},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    there = json.loads(run.stdout)
    assert numbers.keys() == there.keys()
    for name in numbers:
        np.testing.assert_allclose(there[name], numbers[name], rtol=1e-9, err_msg=name)


def test_fits_do_not_depend_on_where_the_search_ended(numbers, code, mathematics, monkeypatch):
    want, search = numbers, optimize.minimize

    def stop_early(cost, start, *args, **options):
        result = search(cost, start, *args, **options)
        low, high = np.transpose(options["bounds"])
        result.x = np.clip(
            result.x + 1e-4 * np.random.default_rng(0).standard_normal(len(result.x)), low, high
        )
        return result

    monkeypatch.setattr(optimize, "minimize", stop_early)
    got = fits(code, mathematics)
    for name in want:
        np.testing.assert_allclose(got[name], want[name], rtol=1e-9, err_msg=name)


def test_a_fit_that_cannot_be_settled_stays():
    "A hill has no minimum inside: the start is returned, or the edge it is pressed against."
    hill = lambda x: (-(x**2).sum(), -2 * x, -2 * np.eye(len(x)))
    np.testing.assert_array_equal(settle(hill, [0.3, 0.2], [-1, -1], [1, 1]), [0.3, 0.2])
    slope = lambda x: (x.sum(), np.ones(2), np.zeros((2, 2)))
    np.testing.assert_array_equal(settle(slope, [0, 0], [0, 0], [1, 1]), [0, 0])


def test_bounds_contain_every_model_that_fits(mathematics):
    result = extrapolate_credit(128, mathematics["c_base"], [1, 16, 128, 1000, 100_000], any_credit)
    for values in result.models.values():
        assert ((result.low <= values) & (values <= result.high)).all()
    assert ((result.low[:3] <= result.exact) & (result.exact <= result.high[:3])).all()


def test_bounds_hold_for_other_credits_and_mirrored():
    rng = np.random.default_rng(1)
    n, c = np.full(300, 12), rng.binomial(12, rng.beta(2, 2, 300))
    low, high = assumption_free_bounds(n, c, [25], majority_credit)[:, 0]
    truth = BetaDistribution(2, 2).mean(25, majority_credit)
    assert low < truth < high and high - low < 0.6
    one, other = extrapolate_credit(n, c, [5, 50], all_credit), extrapolate_credit(
        n, n - c, [5, 50], any_credit
    )
    np.testing.assert_allclose(one.high, 1 - other.low, rtol=1e-12)
    np.testing.assert_allclose(one.exact, 1 - other.exact, rtol=1e-12)
    assert one.mirrored and "Beta + mass at 1" in one.models and not other.mirrored
    assert "power law" not in extrapolate_credit(n, c, [25], majority_credit).models


def test_infeasible_counts_are_reported():
    result = extrapolate_credit(
        np.full(1000, 10), np.tile([4, 5, 5, 6], 250) * 0 + 5, [20], any_credit
    )
    assert (
        result.low is None
        and "No distribution of difficulty" in list(caution_sentences(result))[-1]
        and result.rows[0]["low"] is None
    )


def test_bad_input():
    for k, error in ((0, ValueError), (2.5, TypeError), (True, TypeError)):
        with pytest.raises(error):
            extrapolate_credit([5, 5], [1, 2], k, any_credit)
    with pytest.raises(ValueError, match="confidence_level"):
        extrapolate_credit([5, 5], [1, 2], 9, any_credit, confidence_level=95)
    with pytest.raises(ValueError, match="need 0 <= c <= n"):
        extrapolate_credit([5, 5], [1, 7], 9, any_credit)


def test_power_law_recovers_its_own_curve(monkeypatch):
    monkeypatch.setattr(page, "_exact", lambda n, c, k, credit: np.exp(-1.7 * k**-0.4))
    law = fit_power_law([100], [5])
    np.testing.assert_allclose([law.scale, law.exponent], [1.7, 0.4], rtol=1e-9)


def test_back_test_is_seeded(mathematics):
    n, c = mathematics["n"], mathematics["c_base"]
    one, two = (
        back_test(n, c, 8, [16, 128], any_credit, repeats=2, rng=rng)
        for rng in (None, np.random.default_rng(0))
    )
    np.testing.assert_array_equal(one.models["Beta"], two.models["Beta"])
    assert one.inside.all() and one.error()["Beta"].shape == (2,) and "mean error" in repr(one)
    with pytest.raises(ValueError, match="keep"):
        back_test(n, c, 128, [16], any_credit)


RUN = SimpleNamespace(
    models=dict(Beta=np.array([0.5, 0.75])), low=np.array([0.25, 0.5]), high=np.array([0.5, 0.9])
)


@pytest.fixture
def asked(monkeypatch):
    "What a back-test asks of each of its extrapolations, of which none is computed."
    calls = []
    monkeypatch.setattr(page, "extrapolate_credit", lambda *all: calls.append(all) or RUN)
    return calls


def test_a_back_test_keeps_some_samples_ten_times(asked):
    n, c = [6, 7, 5, 6], [6, 0, 2, 3]
    found = back_test(n, c, 3, [1, 2], any_credit)
    kept = np.array([part for _, part, _, _ in asked])
    assert kept.shape == (10, 4) and {keep for keep, *_ in asked} == {3}
    assert (kept[:, 0] == 3).all() and (kept[:, 1] == 0).all() and (kept[:, 2:] <= 3).all()
    assert len(np.unique(kept, axis=0)) > 1 and found.n_min == 5 and found.keep == 3
    assert found.models["Beta"].tolist() == [[0.5, 0.75]] * 10


def test_ends_of_bounds_hold_the_exact_value():
    run = SimpleNamespace(low=np.array([0.2] * 4), high=np.array([0.6] * 4))
    held = page._holds(run, np.array([0.2, 0.6, 0.1, 0.7]))
    assert held.tolist() == [True, True, False, False]
    none = SimpleNamespace(low=None, high=None)
    assert page._holds(none, np.array([0.5, 0.6])).tolist() == [False, False]


@pytest.mark.parametrize("keep, repeats", [(1, 1), (4, 1), (1, 61)])
def test_one_sample_may_be_kept_and_all_but_one(asked, keep, repeats):
    assert len(back_test([5, 6], [1, 2], keep, 2, any_credit, repeats=repeats).inside) == repeats


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(keep=0), "need 1 <= keep < n, got keep=0, smallest n=5"),
        (dict(keep=5), "need 1 <= keep < n, got keep=5, smallest n=5"),
        (dict(k=6), "need 1 <= k <= n, got n=5, c=1, k=6"),
        (dict(repeats=0), "need repeats >= 1, got 0"),
        (dict(repeats=10**6 + 1), "need repeats <= 1000000, got 1000001"),
    ],
)
def test_back_tests_refused(asked, given, said):
    options = dict(n=[5, 6], c=[1, 2], keep=2, k=2, credit=any_credit) | given
    with pytest.raises(ValueError, match=said):
        back_test(**options)
    assert not asked


def test_bounds_hold_at_95_percent_by_default():
    counts = [3, 3, 4], [0, 2, 4], [2]
    found = assumption_free_bounds(*counts, any_credit)
    assert found == pytest.approx(assumption_free_bounds(*counts, any_credit, 0.95))
    assert (found != assumption_free_bounds(*counts, any_credit, 0.9)).all()


@pytest.mark.parametrize("level", [None, "x", [0.9]])
def test_a_level_is_a_number(level):
    with pytest.raises(TypeError, match="confidence_level must be a number, got"):
        extrapolate([[1, 0], [1, 1]], confidence_level=level)


@pytest.mark.parametrize("peak", [0.05, 0.5, 0.95])
def test_no_place_between_two_is_higher_than_the_ceiling(peak):
    def f(p):
        return 1 - (p - peak) ** 2

    ends = np.array([0.0, 1.0])
    top, place = proofs.ceiling_of(f, {(0, 0): -2.0}, ends, f(ends), 1e-9)
    assert 1 - 1e-9 <= top <= 1 and f(place) == top


# What is shown, in full.


def show_extrapolation(found):
    "Everything that was found; bounds to seven digits."
    rows = [
        {name: round(v, 7) if isinstance(v, float) else v for name, v in row.items()}
        for row in found.rows
    ]
    laws = {name: str(law) for name, law in found.laws.items()}
    facts = (
        found.questions,
        found.n_min,
        found.n_max,
        found.unsolved,
        found.mirrored,
        found.confidence_level,
        found.exact.tolist(),
    )
    return "\n".join(
        [
            *caution_sentences(found),
            *map(str, rows),
            *map(str, laws.items()),
            str(found.misfit),
            str(found.left_out),
            str(facts),
        ]
    )


SMALL = [0, 1, 8, 3, 0, 5, 8, 2, 1, 6]
EXTRAPOLATIONS = {
    "any right": (8, SMALL, [1, 8, 9, 100], any_credit, dict(label="pass@k")),
    "all right": (8, SMALL, [2, 40], all_credit, dict(label="pass^k", confidence_level=0.9)),
    "a majority": (
        [9, 8, 7, 9, 8, 8, 9, 8, 8, 8],
        [0, 1, 7, 3, 0, 5, 8, 2, 1, 6],
        [3, 7, 9],
        majority_credit,
        {},
    ),
    "none right": ([5, 6], [0, 0], [5, 50], any_credit, {}),
    "within the samples": (8, SMALL, 4, any_credit, dict(label="pass@4")),
    "two samples": (2, [0, 1, 2, 1, 0], [1, 20], any_credit, {}),
    "too alike": (10, [4, 5, 5, 6, 5] * 4, 30, any_credit, {}),
}


@pytest.mark.parametrize("name", EXTRAPOLATIONS)
def test_extrapolations_in_full(name):
    n, c, k, credit, options = EXTRAPOLATIONS[name]
    found = extrapolate_credit(np.broadcast_to(n, len(c)), c, k, credit, **options)
    check_printed("plans", f"extrapolation, {name}", show_extrapolation(found))


def test_back_tests_in_full():
    found = back_test(
        np.full(10, 8), SMALL, 4, [4, 8], any_credit, repeats=2, label="pass@k", rng=2
    )
    models = [f"{name}: {values.tolist()}" for name, values in found.models.items()]
    check_printed(
        "plans",
        "back-test",
        "\n".join([repr(found), *models, str(found.inside.tolist()), str(found.error())]),
    )


def extrapolation_of(**given):
    "An extrapolation of ten questions with some of its fields."
    fields = dict(
        label="pass@k",
        k=np.array([4, 9]),
        questions=10,
        n_min=8,
        n_max=8,
        exact=np.array([0.5]),
        models={},
        laws={},
        misfit={},
        low=np.array([0.4, 0.5]),
        high=np.array([0.6, 0.9]),
        unsolved=0,
        mirrored=False,
        confidence_level=0.95,
        left_out=(),
    )
    return Extrapolation(**fields | given)


# Laws.


def test_the_mean_of_a_law_with_impossible_questions():
    "A credit that pays where nothing is right pays for the impossible ones too."
    none = lambda k: (np.arange(k + 1) == 0) * 1.0
    assert BetaDistribution(1, 1, zero=0.4).mean(3, none) == pytest.approx(0.6 / 4 + 0.4)
    assert BetaDistribution(1, 2, zero=0.25).mean([1, 2], none).tolist() == pytest.approx(
        [0.75 * 2 / 3 + 0.25, 0.75 / 2 + 0.25]
    )
    assert np.shape(BetaDistribution(1, 1).mean(3, none)) == () and BetaDistribution(1, 1).mean(
        3, share_credit
    ) == pytest.approx(0.5)
    assert (
        BetaDistribution(1, 1).zero,
        BetaDistribution(1, 1).loglik,
        BetaDistribution(1, 1).at_edge,
    ) == (0, None, False)
    assert PowerLaw(1.5, 0.5).mean(4) == pytest.approx(np.exp(-0.75))
    assert PowerLaw(1.5, 0.5).mean([1, 9]).tolist() == pytest.approx([np.exp(-1.5), np.exp(-0.5)])


def test_likelihoods_in_numbers():
    n, c = np.array([5, 5, 6, 7, 3]), np.array([0, 3, 6, 2, 0])
    plain, free, most = (
        fit_beta_distribution(n, c),
        fit_beta_distribution(n, c, zero=True),
        fit_most_zero(n, c, 0.8),
    )
    for law in plain, most:
        orders = [comb(*o) for o in zip(n.tolist(), c.tolist())]
        chance = (1 - law.zero) * stats.betabinom.pmf(c, n, law.a, law.b) / orders + law.zero * (
            c == 0
        )
        assert law.loglik == pytest.approx(np.log(chance).sum(), rel=1e-12) and not law.at_edge
    assert (
        free.loglik - most.loglik == pytest.approx(stats.norm.ppf(0.8) ** 2 / 2, abs=1e-9)
        and plain.zero == 0
    )
    assert fit_beta_distribution(n, c + (c == 0), zero=True) == fit_beta_distribution(
        n, c + (c == 0)
    )
    assert (
        fit_beta_distribution([2, 2, 1], [1, 2, 0]).zero == 0
        and fit_beta_distribution([3, 2, 2], [1, 0, 2], zero=True).loglik
    )
    assert fit_beta_distribution([5] * 40, [0] * 20 + [3, 4] * 10, zero=True).zero == pytest.approx(
        0.5, abs=0.01
    )


def rise_of(f, x, nudge=1e-5):
    "Central differences of what a function returns, one row a coordinate."
    steps = nudge * np.eye(len(x))
    return np.array([(np.asarray(f(x + d)) - np.asarray(f(x - d))) / (2 * nudge) for d in steps])


@pytest.mark.parametrize("zero, free", [(0.0, 2), (0.2, 3), (0.7, 3)])
def test_the_misfit_is_the_likelihood_with_its_slopes(zero, free):
    "Without a share at zero its slope is not asked for."
    n, c = np.array([5, 5, 6, 7, 3]), np.array([0, 3, 6, 2, 0])
    weight = np.array([1, 2, 1, 3, 1]) / 8
    x = np.array([-0.4, 0.7, zero])
    law = stats.betabinom(n, *np.exp(x[:2]))
    orders = [comb(*o) for o in zip(n.tolist(), c.tolist())]
    chance = (1 - zero) * law.pmf(c) / orders + zero * (c == 0)
    misfit = lambda x: page._misfit(x, n, c, weight)
    value, slope, bend = misfit(x)
    assert value == pytest.approx(-weight @ np.log(chance), rel=1e-12)
    rise, turn = (rise_of(lambda x: misfit(x)[i], x)[:free] for i in (0, 1))
    np.testing.assert_allclose(rise, slope[:free], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(turn[:, :free], bend[:free, :free], rtol=1e-5, atol=1e-8)


def test_squares_of_a_power_law_with_their_slopes():
    k, level = np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.8, -1.1, -0.7, -0.4])
    squares = lambda x: page._squares(x, k, level)
    x = np.array([1.4, 0.6])
    value, slope, bend = squares(x)
    assert value == pytest.approx(((1.4 * k**-0.6 + level) ** 2).sum() / 2, rel=1e-12)
    np.testing.assert_allclose(rise_of(lambda x: squares(x)[0], x), slope, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(rise_of(lambda x: squares(x)[1], x), bend, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "call, text",
    [
        (
            lambda: fit_beta_distribution([5, 4], [0, 0]),
            "need right and wrong samples to fit a law, got 9 alike",
        ),
        (lambda: fit_beta_distribution([5, 4], [5, 4]), "got 9 alike"),
        (lambda: fit_beta_distribution([1, 1], [0, 1]), "n >= 2 to fit this law, got n=1"),
        (
            lambda: fit_beta_distribution([2, 2], [0, 1], zero=True),
            "n >= 3 to fit this law, got n=2",
        ),
        (lambda: fit_most_zero([5, 5], [0, 3], 0.5), "need 0.5 < confidence_level < 1, got 0.5"),
        (lambda: fit_most_zero([5, 5], [0, 3], 1), "got 1"),
        (lambda: fit_power_law([3], [2]), "need a curve inside .0, 1. at two budgets, got 1"),
        (lambda: fit_power_law([2], [1]), "got 1"),
    ],
)
def test_what_cannot_be_fitted_in_full(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_limits_of_averages_in_numbers():
    low, high = mean_band([0.0, 0.5, 1.0], 164, 0.9)
    end = (0.1 / 6) ** (1 / 164)
    assert high[0] == pytest.approx(1 - end, rel=1e-9) and low[2] == pytest.approx(end, rel=1e-9)
    half = (1 - (1 - np.exp(-2 * log(60) / 164)) ** 0.5) / 2
    assert low[1] == pytest.approx(half, rel=1e-9) and high[1] == pytest.approx(1 - half, rel=1e-9)
    # Not further out than the formula, but for rounding.
    for average in 0.1, 0.9:
        for end in mean_band(average, 50)[:, 0]:
            entropy = average * log(average / end) + (1 - average) * log((1 - average) / (1 - end))
            assert entropy == pytest.approx(log(40) / 50, rel=1e-12)
    assert unsolved_limit(20, 5) == pytest.approx(1 - 0.05**0.25, rel=1e-12)
    assert unsolved_limit(20, 5, 0.5) == pytest.approx(1 - 0.5**0.25, rel=1e-12)


# Certificates, part by part.

CREDITS = dict(any=any_credit, all=all_credit, majority=majority_credit, share=share_credit)


@pytest.mark.parametrize(
    "credit, k, kind",
    [
        (any_credit, 4, "any"),
        (any_credit, 1, "any"),
        (all_credit, 4, "all"),
        (share_credit, 1, "other"),
        (majority_credit, 3, "other"),
        (lambda k: any_credit(k) if k < 7 else all_credit(k), 5, "any"),
        (lambda k: any_credit(k) if k < 7 else all_credit(k), 8, "other"),
        (lambda k: all_credit(k) if k < 7 else any_credit(k), 9, "other"),
    ],
)
def test_kinds_of_credits(credit, k, kind):
    assert proofs.kind_of_credit(credit, np.array([k])) == kind


def test_a_law_at_the_lower_edge():
    "Every question is solved always or never: both parameters fall to the edge."
    law = fit_beta_distribution([8] * 4, [0, 8, 0, 8])
    assert law.at_edge and (law.a, law.b) == (
        pytest.approx(np.exp(-12)),
        pytest.approx(np.exp(-12)),
    )
    uneven = fit_beta_distribution([8] * 6, [0, 8, 0, 8, 0, 0])
    assert uneven.at_edge and law.loglik == pytest.approx(4 * log(0.5), abs=1e-3)


@pytest.mark.parametrize(
    "low, high, at_most, m, k, credit, want",
    [
        ([0.5], [0.5], [0], 1, 2, any_credit, (1 / 2, 3 / 4)),
        ([1 / 3, 2 / 3], [1 / 3, 2 / 3], [0, 1], 2, 3, any_credit, (13 / 18, 7 / 9)),
        ([3 / 8, 5 / 8], [3 / 8, 5 / 8], [0, 1], 2, 3, majority_credit, (7 / 16, 9 / 16)),
        ([0.2], [0.6], [0], 1, 3, any_credit, (0.4, 1 - 0.2**3)),
        ([0.2], [0.6], [0], 1, 3, all_credit, (0.4**3, 0.8)),
        ([0.0], [1.0], [0], 1, 5, majority_credit, (0, 1)),
        ([0.25], [0.25], [0], 1, 1, share_credit, (0.75, 0.75)),
        ([0.1], [0.4], [0], 2, 2, any_credit, (0.6, 0.9)),
    ],
)
def test_bounds_are_sharp_to_the_room_of_the_search(low, high, at_most, m, k, credit, want):
    found = moment_bounds(low, high, at_most, m, [k], credit)[:, 0]
    assert -2e-10 < found[0] - want[0] <= 1e-15 and -1e-15 <= found[1] - want[1] < 2e-10


def test_bounds_within_the_credits_and_none():
    assert moment_bounds([0.9, 0.1], [0.95, 0.2], [0, 1], 2, [3], any_credit) is None
    pay = lambda k: 0.2 + 0.5 * np.arange(k + 1) / k
    ends = moment_bounds([0.0], [1.0], [0], 1, [2, 3], pay)
    np.testing.assert_allclose(ends, [[0.2, 0.2], [0.7, 0.7]], atol=1e-15)
    n, c = np.array([6, 8, 6, 9, 7]), np.array([0, 3, 5, 9, 1])
    t = np.arange(6)  # 0, 1, 2, and as many from the other end.
    average = stats.hypergeom.cdf(t, n[:, None], c[:, None], 6).mean(0)
    low, high = mean_band(average, 5, 0.9)
    want = moment_bounds(low, high, t, 6, [3, 30], any_credit)
    np.testing.assert_allclose(
        assumption_free_bounds(n, c, [3, 30], any_credit, 0.9), want, atol=1e-8
    )


# `extrapolate`: what more samples would have shown.

TABLE = np.genfromtxt(
    Path(__file__).parents[1] / "sampling_eval" / "examples" / "humaneval_codegen16b_counts.csv",
    delimiter=",",
    names=True,
    dtype=None,
    encoding="utf-8",
)
CODE = Counts(TABLE["n"], TABLE["c"])


@pytest.fixture(scope="module")
def told():
    return extrapolate(CODE, k=[1, 100, 1000])


def test_up_to_n_it_is_measured(told):
    measured = score(CODE, "pass@k", k=[1, 100]).estimates()
    np.testing.assert_allclose(told.exact[:2], list(measured.values()))
    assert told.to_dict()["exact"] == pytest.approx([0.2212, 0.7378], abs=1e-4)


def test_beyond_n_there_are_models_and_bounds(told):
    last = {name: values[-1] for name, values in told.models.items()}
    assert list(last) == ["Beta", "Beta + mass at 0", "Beta + most at 0", "power law"]
    assert (
        all(told.low[-1] < value < told.high[-1] for value in last.values())
        and told.high[-1] > 0.999
    )
    assert told.low[1] == pytest.approx(told.low[2])


def test_default_budgets():
    assert extrapolate(Counts([4, 5], [1, 2])).k.tolist() == [1, 4, 40, 400, 4000]
    assert extrapolate(Counts([4, 5], [1, 2]), k=range(1, 4)).k.tolist() == [1, 2, 3]
    assert extrapolate(Counts([4, 5], [1, 2]), metrics="pass@9").k.tolist() == [9]


def test_confidence_of_the_bounds(told):
    calmer = extrapolate(CODE, k=[1, 100, 1000], confidence_level=0.8)
    assert (calmer.low >= told.low).all() and calmer.low[1] > told.low[1]


@pytest.mark.parametrize(
    "given, said",
    [
        (
            dict(metrics="avg@n"),
            (
                "follows from the number of right samples and changes with k, got avg@n; known are"
                " pass@k"
            ),
        ),
        (dict(metrics="pass@8", k=9), "'pass@8' states its budget, got k=9 as well"),
        (dict(k=0), "k >= 1"),
    ],
)
def test_refusals(given, said):
    with pytest.raises(ValueError, match=said):
        extrapolate(CODE, **given)


def test_what_was_read_is_said(tmp_path):
    (tmp_path / "a.csv").write_text("question,correct\n1,1\n1,0\n2,0\n2,0\n")
    assert extrapolate(str(tmp_path / "a.csv"), k=[2, 4]).read[""].files == ("a.csv",)


RAGGED = Counts([4, 6, 4], [1, 3, 4], missing=[0, 1, 0])


@pytest.mark.parametrize(
    "k, stated, want",
    [
        (None, None, [1, 4, 40, 400, 4000]),
        (None, 9, 9),
        (3, None, 3),
        ([3, 1], None, [3, 1]),
        (range(2, 5), None, [2, 3, 4]),
    ],
)
def test_budgets_asked_for_or_by_default(k, stated, want):
    assert np.array_equal(forecast_budgets(RAGGED, k, stated), want)


def test_one_sample_has_its_budgets():
    assert forecast_budgets(Counts([1, 2], [0, 1]), None, None).tolist() == [1, 10, 100, 1000]


@pytest.mark.parametrize(
    "name, refused",
    [
        ("pass@k", False),
        ("cons@k", False),
        ("g-pass@k_0.5", False),
        ("avg@n", True),
        ("soft@n", True),
        ("maj@k", True),
        ("max@k", True),
    ],
)
def test_metrics_with_a_law(name, refused):
    metric = find_metric(name)[0][0]
    if not refused:
        assert refuse_without_credit(metric, name) is None
    else:
        with pytest.raises(
            ValueError, match=f"changes with k, got {name}; known are pass@k, pass.k, cons@k, mg"
        ):
            refuse_without_credit(metric, name)


def test_what_was_asked_for_is_computed():
    for metrics, k in (("pass^3", None), ("pass^k", [3])):
        found = extrapolate(RAGGED, metrics, k)
        assert found.k.tolist() == [3] and found.exact == pytest.approx([(0 + 1 / 20 + 1) / 3])


def test_a_model_of_several_and_columns():
    rows = [
        dict(m=model, q=q, right=int(s < q + shift))
        for model, shift in (("x", 0), ("y", 1))
        for q in range(3)
        for s in range(4)
    ]
    given = dict(model="m", question="q", correct="right")
    found = {model: extrapolate(rows, k=[1], models=model, **given) for model in "xy"}
    assert [one.exact[0] for one in found.values()] == pytest.approx([1 / 4, 2 / 4])
    assert found["x"].read[""].rows == 24
    with pytest.raises(ValueError, match="the data must hold one model, got 2"):
        extrapolate(rows, k=[1], **given)
    with pytest.raises(ValueError, match="maj@3 cannot be computed"):
        extrapolate(RAGGED, metrics="maj@3")


@pytest.mark.parametrize(
    "found, said",
    [
        ({}, ""),
        (dict(beta=0.5), "; one model says 50.0 %"),
        (dict(beta=0.5, zero=0.25), "; 2 models say 25.0 to 50.0 %"),
        (dict(beta=0.5, zero=0.25, more=0.75), "; 3 models say 25.0 to 75.0 %"),
    ],
)
def test_what_models_make_of_it(found, said):
    assert models_clause(SimpleNamespace(models=tuple(found)), found) == said


def test_models_that_were_not_fitted_in_every_run_are_left_out():
    runs = [dict(a=np.array([0.1, 0.2]), b=np.array([0.3, 0.4])), dict(a=np.array([0.5, 0.6]))]
    found = page._stack_models(runs)
    assert list(found) == ["a"] and found["a"].tolist() == [[0.1, 0.2], [0.5, 0.6]]
    assert list(page._stack_models(runs[:1])) == ["a", "b"]
