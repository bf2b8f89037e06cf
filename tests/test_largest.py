"The quantile of the largest of correlated normal variables: its parts against exact laws."

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from sampling_eval.inference.largest import (
    bound_quantile,
    budget_axes,
    chain_average,
    chain_law,
    exceed,
    measure_reaches,
    pick_knots,
    spread_directions,
    sup_quantile,
    turn_angles,
)


def on_circle(*degrees):
    "Unit vectors in a plane, one a column."
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def slope_of(law, u, step=1e-5):
    return (law(u + step) - law(u - step)) / (2 * step)


def chance_of_either(angle, u):
    "Chance that one of two normal variables exceeds `u` in size, their angle given."
    both = stats.multivariate_normal(cov=[[1, np.cos(angle)], [np.cos(angle), 1]])
    inside = both.cdf([u, u], lower_limit=[-u, -u])
    return 1 - inside


@pytest.mark.parametrize("dimensions", [2, 4, 6, 10])
def test_chances_beyond_a_reach_are_those_of_chi_square(dimensions):
    reach = np.array([0.3, 0.8, 1.0])
    chance, slope = exceed(reach, 2.2, dimensions)
    square = (2.2 / reach) ** 2
    assert chance == pytest.approx(stats.chi2.sf(square, dimensions), rel=1e-12)
    want = -stats.chi2.pdf(square, dimensions) * 2 * 2.2 / reach**2
    assert slope == pytest.approx(want, rel=1e-12)
    never, flat = exceed(np.array([0.0]), 2.2, dimensions)
    assert never[0] == 0 == flat[0]


@pytest.mark.parametrize(
    "degrees, angles",
    [((0, 10, 70), (10, 60)), ((0, 90), (90,)), ((0, 120), (60,)), ((0, 180), (0,)), ((5,), ())],
)
def test_angles_of_neighbours_whose_sign_does_not_matter(degrees, angles):
    assert np.degrees(turn_angles(on_circle(*degrees))) == pytest.approx(angles, abs=1e-6)


@pytest.mark.parametrize("angle", [0.05, 0.4, 1.0, np.pi / 2])
@pytest.mark.parametrize("u", [1.0, 1.96, 3.0])
def test_a_chain_of_two_is_exact(angle, u):
    law = chain_law(np.array([angle]))
    assert law(u)[0] == pytest.approx(chance_of_either(angle, u), abs=1e-5)
    assert law(u)[1] == pytest.approx(slope_of(lambda x: law(x)[0], u), rel=1e-6)


def test_a_chain_adds_what_is_new_at_each_knot():
    alone = 2 * stats.norm.sf(1.9)
    steps = [chain_law(np.array([angle]))(1.9)[0] - alone for angle in (0.3, 0.7)]
    assert chain_law(np.array([0.3, 0.7]))(1.9)[0] == pytest.approx(alone + sum(steps), rel=1e-12)
    assert chain_law(np.array([]))(1.9) == pytest.approx((alone, -2 * stats.norm.pdf(1.9)))


def test_a_chain_over_directions():
    reach = np.array([[0.5, 0.9, 0.2], [0.7, 0.3, 0.2], [0.1, 0.8, 1.0]])
    chance = stats.chi2.sf((2 / reach) ** 2, 4)
    new = np.maximum(chance[1:] - chance[:-1], 0).sum(0)
    assert chain_average(2.0, reach, 4) == pytest.approx((chance[0] + new).mean(), rel=1e-12)


@pytest.mark.parametrize("budgets, knots", [(1, [0]), (2, [0, 1]), (7, [*range(7)])])
def test_knots_of_few_budgets_are_all_of_them(budgets, knots):
    assert pick_knots(on_circle(*range(0, 10 * budgets, 10))).tolist() == knots


def test_knots_lie_at_equal_distances():
    assert pick_knots(on_circle(*range(61))).tolist() == [0, 10, 20, 30, 40, 50, 60]
    assert pick_knots(on_circle(*range(61)), 3).tolist() == [0, 30, 60]
    # Most of the way is made in one step: no budget is a knot twice.
    assert pick_knots(on_circle(0, 80, 81, 82)).tolist() == [0, 1, 3]


@pytest.mark.parametrize("dimensions", [2, 4])
def test_directions_are_spread_evenly(dimensions):
    found = spread_directions(dimensions)
    assert found.shape == (4096, dimensions)
    assert (found**2).sum(1) == pytest.approx(1, rel=1e-12)
    assert found.mean(0) == pytest.approx(0, abs=2e-3)
    assert found.T @ found / 4096 == pytest.approx(np.eye(dimensions) / dimensions, abs=4e-3)
    # The generalised golden ratio is the root of x^(d + 1) = x + 1.
    ratio = brentq(lambda x: x ** (dimensions + 1) - x - 1, 1, 2, xtol=1e-15)
    first = stats.norm.ppf((0.5 + ratio ** -np.arange(1, dimensions + 1)) % 1)
    assert found[0] == pytest.approx(first / np.linalg.norm(first), rel=1e-9)
    assert spread_directions(dimensions, 5) == pytest.approx(found[:5], rel=1e-12)


@pytest.mark.parametrize("count", [1, 127, 128, 129, 300])
def test_reaches_in_blocks(count):
    axes, directions = on_circle(0, 50, 80), spread_directions(2)[:count]
    largest, chained = measure_reaches(axes, directions, np.array([0, 2]))
    reach = np.abs(axes.T @ directions.T)
    assert largest == pytest.approx(reach.max(0)) and chained == pytest.approx(reach[[0, 2]])


def unit_columns(rows, budgets, seed=0):
    table = np.random.default_rng(seed).normal(size=(rows, budgets))
    return table / np.sqrt((table**2).sum(0))


@pytest.mark.parametrize("rows, budgets", [(1, 3), (2, 9), (5, 30), (16, 40)])
def test_axes_keep_all_products(rows, budgets):
    columns = unit_columns(rows, budgets)
    axes = budget_axes(columns)
    assert len(axes) <= rows and axes.T @ axes == pytest.approx(columns.T @ columns, abs=1e-2)
    assert (axes**2).sum(0) == pytest.approx(1, rel=1e-12)


def test_axes_in_too_few_dimensions():
    assert len(budget_axes(np.eye(16))) == 16 and budget_axes(np.eye(17)) is None
    near = np.c_[[1, 0.0], [np.cos(0.005), np.sin(0.005)]]
    assert len(budget_axes(near)) == 1, "what is left is below 1e-4"
    assert len(budget_axes(on_circle(0, 1))) == 2
    assert budget_axes(on_circle(0, 90), most=1) is None
    assert budget_axes(on_circle(0, 8), most=1).shape == (1, 2), "sin(8 degrees)**2 < .02"
    assert budget_axes(on_circle(0, 9), most=1) is None


@pytest.mark.parametrize("level", [0.3, 0.5, 0.8, 0.95, 0.999])
@pytest.mark.parametrize("degrees", [(0, 90), (0, 30), (0, 5)], ids=str)
def test_two_budgets_have_a_known_quantile(degrees, level):
    angle = np.radians(degrees[1])
    want = brentq(lambda u: chance_of_either(angle, u) - 1 + level, 0.01, 9)
    assert sup_quantile(on_circle(*degrees), level) == pytest.approx(want, abs=2e-3)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_budgets_that_are_one(level):
    alone = stats.norm.isf((1 - level) / 2)
    for columns in np.ones((1, 1)), np.ones((1, 4)), on_circle(20, 200, 20):
        assert sup_quantile(columns, level) == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("budgets", [3, 12])
def test_independent_budgets(budgets):
    want = stats.norm.isf((1 - 0.95 ** (1 / budgets)) / 2)
    assert sup_quantile(np.eye(budgets), 0.95) == pytest.approx(want, abs=0.06)
    # Beyond sixteen dimensions the bound is Sidak's, which is exact here.
    many = stats.norm.isf((1 - 0.95 ** (1 / 40)) / 2)
    assert sup_quantile(np.eye(40), 0.95) == pytest.approx(many, rel=1e-9)


def test_the_bound_is_the_smaller_of_two():
    apart = stats.norm.isf((1 - 0.9 ** (1 / 3)) / 2)
    assert bound_quantile(np.eye(3), 0.1) == pytest.approx(apart, rel=1e-12)
    close = on_circle(0, 1, 2)
    law = chain_law(turn_angles(close))
    want = brentq(lambda u: law(u)[0] - 0.1, 1, 4)
    assert bound_quantile(close, 0.1) == pytest.approx(want, rel=1e-7) and want < apart
