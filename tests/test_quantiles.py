"Quantiles and roots: against scipy, in closed form, at the places where formulas change."

import numpy as np
import pytest
from scipy import special, stats

from sampling_eval.inference.quantiles import (
    beta_density,
    beta_fraction,
    check_level,
    divide_polynomials,
    expand_t,
    find_roots,
    half_step,
    normal_chance,
    normal_quantile,
    share_t,
    solve_falling,
    start_middle,
    start_tail,
    t_quantile,
)


@pytest.mark.parametrize("level", [0.001, 0.95, np.float32(0.5)], ids=repr)
def test_levels_that_are_some(level):
    assert check_level(level) is level


@pytest.mark.parametrize("level", [0, 1, -0.1, 1.5, np.nan, True], ids=repr)
def test_levels_out_of_range(level):
    with pytest.raises(ValueError, match="need 0 < confidence_level < 1, got"):
        check_level(level)


def test_a_level_that_is_no_number():
    with pytest.raises(TypeError, match="confidence_level must be a number, got '95'"):
        check_level("95")


# The normal distribution. Its three formulas meet at .075 and at exp(-25).
CHANCES = np.r_[
    10.0 ** -np.arange(1, 300, 7), 0.0749, 0.0751, np.exp(-25) * np.array([0.99, 1.01]), 0.3, 0.5
]


def test_normal_quantiles_in_both_tails():
    assert normal_quantile(CHANCES) == pytest.approx(special.ndtri(CHANCES), rel=2e-15, abs=1e-16)
    above = CHANCES[CHANCES > 1e-12]
    assert normal_quantile(1 - above) == pytest.approx(special.ndtri(1 - above), rel=2e-15)
    assert normal_quantile(0.5) == 0 and normal_quantile(0.975).shape == ()
    assert normal_quantile([[0.1], [0.9]]).shape == (2, 1)


def test_chances_below_numbers():
    x = np.array([[-38.0, -3, -0.1], [0, 2, 9]])
    assert normal_chance(x) == pytest.approx(special.ndtr(x), rel=1e-13)
    assert normal_chance(0) == 0.5 and np.shape(normal_chance(1.0)) == ()


def test_polynomials_from_the_highest_power_down():
    assert divide_polynomials(3.0, ((2, 5, 7), (1, 0, -1))) == (2 * 9 + 5 * 3 + 7) / (9 - 1)


# The t distribution.


@pytest.mark.parametrize("df", [0.5, 1, 2, 2.9, 3, 3.1, 10, 39.9, 40.1, 500, 9_999, 10_000, 10**6])
def test_t_quantiles_in_every_part(df):
    for tail in 1e-12, 1e-5, 0.025, 0.2499, 0.25, 0.2501, 0.4, 0.499:
        want = special.stdtrit(df, tail) if df < 1 else stats.t.isf(tail, df)
        assert t_quantile(tail, df) == pytest.approx(abs(want), rel=2e-11), tail


def test_far_tails_of_few_degrees_stay_floats():
    assert t_quantile(1e-140, 1) == pytest.approx(1e140 / np.pi, rel=1e-12)
    for start in 0.01, 0.3:
        assert t_quantile(start, 1e-3) == np.exp(340), "the farthest that is looked at"


@pytest.mark.parametrize("z", [0.5, 1.96, 4.0])
def test_the_expansion_of_t_has_five_terms(z):
    "Its error falls with the fifth power of the degrees."
    off = [expand_t(z, df) - stats.t.isf(stats.norm.sf(z), df) for df in (20, 40)]
    assert off[0] / off[1] == pytest.approx(32, rel=0.35)
    assert expand_t(z, np.inf) == z


@pytest.mark.parametrize("df", [0.5, 1, 2.5, 3, 3.5, 12, 100, 9000])
def test_starts_lie_on_one_side(df):
    for tail in 0.26, 0.4, 0.49:
        low, root = np.exp(start_middle(tail, df)), t_quantile(tail, df)
        # The density at 0 times the number is the chance.
        assert low == pytest.approx((0.5 - tail) / stats.t.pdf(0, df), rel=1e-9) and low <= root
    for tail in 0.25, 0.025, 1e-6:
        high = start_tail(tail, df)
        assert np.log(t_quantile(tail, df)) <= high + 1e-12
        # In the far tail the density is c x^-(df + 1).
        far = np.log(stats.t.pdf(1e8, df)) + (df + 1) * np.log(1e8) if df < 4 else None
        if df <= 3:
            assert high == pytest.approx((far - np.log(df) - np.log(tail)) / df, rel=1e-6)
        if df >= 12 and tail >= 1e-3:
            near = 2 * expand_t(max(stats.norm.isf(tail), 1.0), df)
            assert high <= np.log(near) + 1e-12


@pytest.mark.parametrize("df", [1, 4, 30, 5000])
@pytest.mark.parametrize("x", [1e-3, 0.3, 1.5, 2.5, 40.0])
def test_shares_of_t(df, x):
    outside, inside, rise = share_t(np.log(x), df)
    assert outside == pytest.approx(stats.t.sf(x, df), rel=1e-10)
    assert inside == pytest.approx(stats.t.cdf(x, df) - 0.5, rel=1e-9)
    assert rise == pytest.approx(x * stats.t.pdf(x, df), rel=1e-10)


@pytest.mark.parametrize("a", [0.5, 3, 19.99, 20, 20.01, 300, 1e6])
def test_the_step_of_half(a):
    assert half_step(a) == pytest.approx(np.log(special.poch(a, 0.5)), rel=1e-12)


@pytest.mark.parametrize("x", [0.01, 0.5, 0.51, 0.9])
@pytest.mark.parametrize("a", [0.5, 4.0, 60.0])
def test_parts_of_the_beta_distribution(x, a):
    factor = x**a * (1 - x) ** 0.5 / special.beta(a, 0.5)
    assert beta_density(x, 1 - x, a) == pytest.approx(factor, rel=1e-11)
    if x < (a + 1) / (a + 2.5):
        share = factor / a * beta_fraction(x, a, 0.5)
        assert share == pytest.approx(special.betainc(a, 0.5, x), rel=1e-11)


# Roots.


def test_roots_of_falling_lines_and_curves():
    root = np.array([0.2, 0.5, 0.999])
    starts = dict(inside=np.full(3, 0.4), outside=np.array([-1.0, 2.0, 1.0]), there=root.copy())
    for start in starts.values():
        for excess in (lambda x: root - x, lambda x: np.exp(9 * (root - x)) - 1):
            found = find_roots(excess, np.zeros(3), np.ones(3), start, np.full(3, 0.3))
            assert found == pytest.approx(root, rel=1e-12)


def test_a_root_takes_few_steps():
    calls = []

    def excess(x):
        calls.append(x)
        return 0.3 - x

    find_roots(excess, np.zeros(1), np.ones(1), np.array([0.5]), np.array([0.25]))
    assert len(calls) <= 4


@pytest.mark.parametrize("tail", [0.5, 0.05, 1e-9])
@pytest.mark.parametrize("start", [0.1, 1.0, 12.0])
def test_where_a_chance_falls_to_its_tail(tail, start):
    def law(u):
        return np.exp(-u), -np.exp(-u)

    assert solve_falling(law, tail, start) == pytest.approx(-np.log(tail), rel=1e-7)


def test_a_chance_without_slope_is_halved():
    "A step has no slope: halving between 0 and 40 finds it."
    found = solve_falling(lambda u: (float(u < 7.25), 0.0), 0.05, 3.0)
    assert found == pytest.approx(7.25, abs=1e-8)
