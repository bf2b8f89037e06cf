"Parts of a proven bound: derivatives by differences, bounds that hold, prices, points."

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from sampling_eval.foundations.credit import all_credit, any_credit, majority_credit, share_credit
from sampling_eval.foundations.credit import CREDITS
from sampling_eval.inference import certificates as lab
from sampling_eval.inference.certificates import (
    bend_terms,
    ceiling_of,
    Certificate,
    certify,
    kind_of_credit,
    Program,
    propose_prices,
    sharpen_prices,
    support_points,
)

P = np.array([0.003, 0.1, 0.37, 0.5, 0.81, 0.995])
Y = np.array([0.7, -0.4, 0.2])


def program(credit, k, sign=1, m=5, at_most=(0, 2, 4)):
    low, high = np.full(len(at_most), 0.1), np.full(len(at_most), 0.9)
    return Program(low, high, np.array(at_most), m, k, credit, sign)


def slope_of(f, x, step=1e-6):
    return (f(x + step) - f(x - step)) / (2 * step)


CASES = [
    (any_credit, 1, 1),
    (any_credit, 4, 1),
    (any_credit, 6, -1),
    (all_credit, 3, 1),
    (majority_credit, 5, -1),
    (share_credit, 1, 1),
    (share_credit, 2, 1),
]
NAMES = [f"{credit.__name__} {k} {sign}" for credit, k, sign in CASES]


@pytest.mark.parametrize("n, j", [(0, 0), (4, 0), (4, 4), (4, 1), (9, 5)])
def test_binomial_chances(n, j):
    p = np.r_[0, P, 1]
    assert lab._binomial(n, j, p) == pytest.approx(stats.binom.pmf(j, n, p), rel=1e-12)


@pytest.mark.parametrize("credit, k, sign", CASES, ids=NAMES)
def test_rewards_and_chances(credit, k, sign):
    found, h = program(credit, k, sign), np.asarray(credit(k))
    law = stats.binom.pmf(np.arange(k + 1), k, P[:, None])
    assert found.h.tolist() == (sign * h).tolist()
    assert found.reward(P) == pytest.approx(sign * (law @ h), rel=1e-12)
    below = stats.binom.cdf([0, 2, 4], 5, P[:, None])
    assert found.chances(P) == pytest.approx(below, rel=1e-12)
    assert found.f(P, Y) == pytest.approx(sign * (law @ h) - below @ Y, rel=1e-11)
    assert found.closed == (credit is any_credit)
    ends = found.reward(np.array([0.0, 1.0]))
    assert ends == pytest.approx([sign * h[0], sign * h[-1]], abs=1e-14)


@pytest.mark.parametrize("credit, k, sign", CASES, ids=NAMES)
@pytest.mark.parametrize("m, at_most", [(5, (0, 2, 4)), (1, (0,)), (2, (0, 1))], ids=str)
def test_slopes_by_differences(credit, k, sign, m, at_most):
    found, y = program(credit, k, sign, m, at_most), Y[: len(at_most)]
    first, second = found.slopes(P, y)
    assert first == pytest.approx(slope_of(lambda p: found.f(p, y), P), rel=1e-6, abs=1e-8)
    curve = slope_of(lambda p: found.slopes(p, y)[0], P)
    assert second == pytest.approx(curve, rel=1e-6, abs=1e-8)
    one, two = found.chance_slopes(P)
    assert one == pytest.approx(slope_of(found.chances, P), rel=1e-6, abs=1e-8)
    assert two == pytest.approx(
        slope_of(lambda p: found.chance_slopes(p)[0], P), rel=1e-6, abs=1e-8
    )


@pytest.mark.parametrize("credit, k, sign", CASES, ids=NAMES)
def test_terms_of_the_second_derivative(credit, k, sign):
    found = program(credit, k, sign)
    terms = bend_terms(found.h, found.at_most, 5, Y)
    total = sum(size * stats.binom.pmf(j, n, P) for (n, j), size in terms.items())
    assert total == pytest.approx(found.slopes(P, Y)[1], rel=1e-9, abs=1e-10)
    # What rounding can change is taken off as a constant, below what is true.
    constant = 2.0**-50 * (k**2 * np.abs(found.h).max() + 25 * np.abs(Y).sum())
    assert terms[0, 0] == pytest.approx(-constant, rel=1e-9) and (k - 2, -1) not in terms
    assert all(0 <= j <= n for n, j in terms)


def test_terms_of_a_credit_that_bends_everywhere():
    "Beyond 256 bends their deepest stands for all of them."
    k = 400
    h = np.cumsum(np.random.default_rng(0).random(k + 1)) / k
    second = k * (k - 1) * np.diff(h, 2)
    terms = bend_terms(h, np.array([0]), 3, np.zeros(1))
    constant = 2.0**-50 * k**2 * np.abs(h).max() - second.min()
    assert terms[0, 0] == pytest.approx(-constant, rel=1e-12)
    assert [one for one in terms if one[0] == k - 2] == []
    convex = bend_terms(np.arange(k + 1.0) ** 2, np.array([0]), 3, np.zeros(1))
    assert convex[0, 0] == pytest.approx(-(2.0**-50) * k**2 * k**2), "nothing bends down"
    few = np.r_[0.0, np.zeros(k - 254), np.arange(1, 255) % 2]
    assert np.count_nonzero(np.diff(few, 2)) <= 256
    assert (k - 2, k - 2) in bend_terms(few, np.array([0]), 3, np.zeros(1))


@pytest.mark.parametrize("credit, k, sign", CASES, ids=NAMES)
def test_no_bend_is_deeper_than_its_bound(credit, k, sign):
    found, edges = program(credit, k, sign), np.linspace(0, 1, 12)
    terms = bend_terms(found.h, found.at_most, 5, Y)
    bound = lab._deepest(terms, edges[:-1], edges[1:])
    inside = np.linspace(edges[:-1], edges[1:], 41)
    deepest = (-found.slopes(inside.ravel(), Y)[1]).reshape(inside.shape).max(0)
    assert (bound >= deepest).all() and (bound >= 0).all()
    narrow = np.linspace(0.4, 0.4001, 2)
    tight = lab._deepest(terms, narrow[:1], narrow[1:])[0]
    assert tight == pytest.approx(max(-found.slopes(narrow[:1], Y)[1][0], 0), rel=0.02, abs=0.02)


def test_the_deepest_bend_of_single_terms():
    "A term that bends down is largest at j / n or at the nearest end, one that bends up at an end."
    a, b = np.array([0.1, 0.5, 0.6]), np.array([0.3, 0.7, 0.9])
    down = lab._deepest({(4, 2): -3.0}, a, b)
    want = 3 * stats.binom.pmf(2, 4, [0.3, 0.5, 0.6])
    assert down == pytest.approx(want, rel=3e-6) and (down > want).all()
    both = lab._deepest({(0, 0): -2.0, (4, 2): 3.0}, a, b)
    least = np.minimum(stats.binom.pmf(2, 4, a), stats.binom.pmf(2, 4, b))
    assert both == pytest.approx(2 - 3 * least, rel=1e-5) and (both > 2 - 3 * least).all()
    assert lab._deepest({(0, 0): 2.0}, a, b).tolist() == [0, 0, 0]


@pytest.mark.parametrize("room", [1e-3, 1e-9])
def test_a_ceiling_is_the_largest_value(room):
    found = program(any_credit, 6)
    terms = bend_terms(found.h, found.at_most, 5, Y)
    p = np.linspace(0, 1, 5)
    top, place = ceiling_of(lambda x: found.f(x, Y), terms, p, found.f(p, Y), room)
    fine = np.linspace(0, 1, 200_001)
    assert found.f(fine, Y).max() - room <= top <= found.f(fine, Y).max() + 1e-9
    assert found.f(np.array([place]), Y)[0] == pytest.approx(top, abs=1e-14)


@pytest.mark.parametrize("width", [1, 0.5])
def test_no_place_is_higher_than_a_ceiling_by_more_than_the_room(width):
    "In the middle of two ends a parabola is higher than both by an eighth of its bend."
    ends, excess = np.array([0, width]), width**2 / 4
    f = lambda p: 1 - (p - width / 2) ** 2
    top, _ = ceiling_of(f, {(0, 0): -2.0}, ends, f(ends), 0.95 * excess)
    assert top == 1
    top, _ = ceiling_of(f, {(0, 0): -2.0}, ends, f(ends), 1.05 * excess)
    assert top == 1 - excess
    slope = lambda p: p - p**2 / 2
    assert ceiling_of(lambda p: p, {(0, 0): -1e-12}, ends, ends, 2.0) == (width, width)
    p = np.array([0, 0.8, 1.3])
    found = ceiling_of(slope, {(0, 0): -1.0}, p, slope(p), 1e-9)
    assert found == pytest.approx((0.5, 1), abs=1e-4)


def test_work_in_blocks():
    calls = []

    def f(p):
        calls.append(len(p))
        return 2 * p

    assert lab._in_blocks(f, np.arange(5), 2).tolist() == [0, 2, 4, 6, 8] and calls == [2, 2, 1]
    assert lab._in_blocks(f, np.zeros(0), 2).tolist() == [] and calls[3:] == [0]


@pytest.mark.parametrize("credit", CREDITS)
def test_kinds_of_credits(credit):
    kind = credit if credit in ("any", "all") else "other"
    assert kind_of_credit(credit, np.array([5])) == kind
    if credit in ("any", "all"):
        # At a budget of 1 both pay the same: other budgets tell them apart.
        assert kind_of_credit(credit, np.array([1])) == kind


def test_a_credit_that_differs_at_one_budget():
    odd = lambda k: any_credit(k) if k != 7 else all_credit(k)
    assert kind_of_credit(odd, np.array([4])) == "any"
    assert kind_of_credit(odd, np.array([4, 7])) == "other"
    assert kind_of_credit(lambda k: np.arange(k + 1) / k, np.array([1])) == "other"


def test_what_a_band_allows():
    found = Program(
        np.array([0.1, 0.2]), np.array([0.5, 0.6]), np.array([0, 1]), 3, 2, any_credit
    )
    assert found.allowed(np.array([2.0, -3.0])) == pytest.approx(2 * 0.5 - 3 * 0.2)
    assert found.allowed(np.zeros(2)) == 0 and found.sign == 1


@pytest.mark.parametrize("at_most, m, k", [((0,), 1, 2), ((0, 1), 3, 4), ((0, 1, 2), 4, 6)])
def test_prices_are_those_of_the_dual(at_most, m, k):
    p, w = np.array([0.2, 0.7]), np.array([0.5, 0.5])
    near = program(any_credit, k, 1, m, at_most)
    mean = near.chances(p).T @ w
    near = Program(mean - 1e-3, mean + 1e-3, near.at_most, m, k, any_credit)
    grid = np.linspace(0, 1, 101)
    y, level, weight = propose_prices(near, near.reward(grid), near.chances(grid))
    assert weight.sum() == pytest.approx(1) and (weight >= 0).all()
    seen = near.chances(grid).T @ weight
    assert (seen >= near.low - 1e-7).all() and (seen <= near.high + 1e-7).all()
    # Strong duality, and no point above the level.
    assert level + near.allowed(y) == pytest.approx(weight @ near.reward(grid), abs=1e-7)
    assert near.f(grid, y).max() == pytest.approx(level, abs=1e-7)


@pytest.mark.parametrize("credit, sign", [(any_credit, 1), (any_credit, -1), (majority_credit, 1)])
def test_sharpened_prices_touch_the_level(credit, sign):
    p, w = np.array([0.15, 0.6]), np.array([0.4, 0.6])
    near = program(credit, 5, sign, 4, (0, 1, 2))
    mean = near.chances(p).T @ w
    near = Program(mean - 0.02, mean + 0.02, near.at_most, 4, 5, credit, sign)
    grid = np.linspace(0, 1, 201)
    y, level, weight = propose_prices(near, near.reward(grid), near.chances(grid))
    places, weights = support_points(grid, weight, np.ones(201, bool))
    before = y.copy()
    sharp = sharpen_prices(near, y, level, places, weights)
    assert sharp is not None and (y == before).all(), "prices given stay"
    prices, spots, mass = sharp
    heights = near.f(spots, prices)[mass > 1e-9]
    assert np.ptp(heights) < 1e-12 and mass.sum() == pytest.approx(1, abs=1e-12)
    inner = (spots > 1e-6) & (spots < 1 - 1e-6) & (mass > 1e-9)
    assert near.slopes(spots, prices)[0][inner] == pytest.approx(0, abs=1e-9)
    limit = np.where(prices > 0, near.high, near.low)
    bound = prices != 0
    assert (near.chances(spots).T @ mass)[bound] == pytest.approx(limit[bound], abs=1e-11)


def test_points_of_weight_are_joined_with_their_neighbours():
    p = np.linspace(0, 1, 21)
    w = np.zeros(21)
    w[[2, 3, 10, 14, 19]] = [1, 3, 2, 2, 4]
    places, weight = support_points(p, w, np.ones(21, bool))
    assert weight.tolist() == [4, 4, 4]
    assert places == pytest.approx([(p[2] + 3 * p[3]) / 4, (p[10] + p[14]) / 2, p[19]])
    used = np.arange(21) % 2 == 0
    some = np.zeros(11)
    some[[1, 4]] = 1, 2
    places, weight = support_points(p, some, used)
    assert places == pytest.approx([p[2], p[8]]) and weight.tolist() == [1, 2]


def test_a_grid_of_chances():
    grid = lab._grid(50)
    assert grid[0] == 0 and grid[1] == pytest.approx(1e-3 / 50) and grid[-1] == 1
    assert grid == pytest.approx(1 - grid[::-1], abs=1e-12) and (np.diff(grid) > 0).all()
    assert np.isin(np.linspace(0, 1, 81), grid).all()


def test_strays_are_found_between_points():
    "A peak between two points, that both miss."
    found, y = program(any_credit, 40, 1, 3, (0,)), np.array([-0.2])
    terms = bend_terms(found.h, found.at_most, 3, y)
    f = lambda p: found.f(p, y)
    fine = np.linspace(0, 1, 100_001)
    best, top = fine[f(fine).argmax()], f(fine).max()
    p = np.array([0, best - 0.03, best + 0.04, 0.6, 1.0])
    level = (f(p).max() + top) / 2
    places, over = lab._strays(f, terms, p, f(p), level)
    assert over == pytest.approx(top - level, rel=0.02) and np.abs(places - best).min() < 1e-2
    assert (places >= 0).all() and (places <= 1).all() and (np.diff(places) > 0).all()
    none, over = lab._strays(f, terms, p, f(p), top + 1e-3)
    assert len(none) == 0 == over


def test_of_several_strays_the_highest_counts():
    "A peak of 1 at one quarter, and one of .8 at three quarters; all three points lie at 0."
    f = lambda p: np.sin(2 * np.pi * p) ** 2 * np.where(p < 0.5, 1, 0.8)
    p = np.array([0, 0.5, 1.0])
    places, over = lab._strays(f, {(0, 0): -8 * np.pi**2}, p, np.zeros(3), 0.5)
    assert over == pytest.approx(0.5)
    for peak in 0.25, 0.75:
        assert np.abs(places - peak).min() < 1e-12
    places, over = lab._strays(f, {(0, 0): -8 * np.pi**2}, p, np.zeros(3), 0.9)
    assert over == pytest.approx(0.1) and np.abs(places - 0.75).min() > 0.1


def test_the_least_proof_is_chosen():
    def proof(bound):
        return Certificate(np.zeros(1), bound, bound)

    a, b, c = proof(0.5), proof(0.4), proof(0.45)
    assert lab._choose_proof([a, c], [], 0.01) is c and lab._choose_proof([], [a, b], 0.01) is b
    # Plain prices have to be clearly less.
    assert lab._choose_proof([c], [b], 0.04) is b and lab._choose_proof([c], [b], 0.06) is c


@pytest.mark.parametrize("sign, bound", [(1, 1 - 0.64**2), (-1, -0.36)])
def test_bounds_in_closed_form(sign, bound):
    """One threshold at one sample is the mean. With a mean of .36 pass@2 lies between .36, all or
    nothing, and 1 - .64^2, where all questions are alike."""
    found = certify([0.64], [0.64], [0], 1, 2, any_credit, sign)
    assert found.bound == pytest.approx(bound, abs=1e-8) and found.bound >= bound
    assert found.level + found.y @ [0.64] == pytest.approx(found.bound, abs=1e-12)


@pytest.mark.parametrize("credit, k, sign", CASES, ids=NAMES)
@pytest.mark.parametrize("room", [1e-10, 1e-3])
def test_a_proof_adds_what_rounding_may_take(credit, k, sign, room):
    found = program(credit, k, sign)
    p = np.linspace(0, 1, 400)
    proof, place = lab._prove(found, Y, p, room)
    degree = 1 if credit is any_credit else k
    slop = 2.0**-49 * ((degree + 2) * np.abs(found.h).max() + (5 + 2 + 3) * np.abs(Y).sum())
    top = found.f(np.array([place]), Y)[0]
    assert proof.level - top == pytest.approx(room + slop, abs=1e-15)
    allowed = 0.9 * (0.7 + 0.2) - 0.1 * 0.4
    assert proof.bound - proof.level == pytest.approx(allowed + slop, abs=1e-15)
    assert proof.y is Y
    assert lab._prove(found, Y, p)[0].level == lab._prove(found, Y, p, 1e-10)[0].level


def test_strays_have_neighbours_on_three_scales():
    "Each peak is looked for on two grids of 17 between the points beside it."
    found, y = program(any_credit, 40, 1, 3, (0,)), np.array([-0.2])
    terms = bend_terms(found.h, found.at_most, 3, y)
    f = lambda p: found.f(p, y)
    fine = np.linspace(0, 1, 100_001)
    best = fine[f(fine).argmax()]
    p = np.array([0, best - 0.03, best + 0.01, best + 0.05, 1.0])
    v = f(p)
    peak = int(v.argmax())
    a, b = p[peak - 1], p[peak + 1]
    places, over = lab._strays(f, terms, p, v, v.max())
    grid = np.linspace(a, b, 17)
    first = grid[f(grid).argmax()]
    step = (b - a) / 16
    grid = np.linspace(first - step, first + step, 17)
    spot = grid[f(grid).argmax()]
    width = (b - a) / 2
    want = spot + width * np.array([-1 / 4, -1 / 16, -1 / 64, 0, 1 / 64, 1 / 16, 1 / 4])
    assert places == pytest.approx(want, abs=1e-12)
    assert over == pytest.approx(f(np.array([spot]))[0] - v.max(), rel=1e-9) and over > 0


@pytest.mark.parametrize("credit, sign", [(any_credit, 1), (majority_credit, -1)])
def test_a_sharp_proof_is_reached_by_a_distribution(credit, sign):
    p, w = np.array([0.15, 0.6]), np.array([0.4, 0.6])
    near = program(credit, 5, sign, 4, (0, 1, 2))
    mean = near.chances(p).T @ w
    near = Program(mean - 0.02, mean + 0.02, near.at_most, 4, 5, credit, sign)
    grid = np.linspace(0, 1, 401)
    y, level, weight = propose_prices(near, near.reward(grid), near.chances(grid))
    support = support_points(grid, weight, np.ones(401, bool))
    proof, reached = lab._sharp_proof(near, y, level, grid, support)
    assert reached and proof.bound == pytest.approx(level + near.allowed(y), abs=1e-4)


@pytest.fixture(scope="module")
def sharp():
    "A program, prices that are proven sharp, and the distribution that reaches their bound."
    p, w = np.array([0.15, 0.6]), np.array([0.4, 0.6])
    near = program(any_credit, 5, 1, 4, (0, 1, 2))
    mean = near.chances(p).T @ w
    near = Program(mean - 0.02, mean + 0.02, near.at_most, 4, 5, any_credit)
    grid = np.linspace(0, 1, 401)
    y, level, weight = propose_prices(near, near.reward(grid), near.chances(grid))
    support = support_points(grid, weight, np.ones(401, bool))
    return near, level, grid, sharpen_prices(near, y, level, *support)


@pytest.mark.parametrize("side", ["low", "high"])
@pytest.mark.parametrize("i", [0, 1, 2])
def test_a_distribution_outside_the_band_reaches_no_bound(sharp, monkeypatch, side, i):
    "The band ends at what the distribution has where a price is paid, then a millionth before."
    near, level, grid, (y, places, w) = sharp
    monkeypatch.setattr(lab, "sharpen_prices", lambda *given: (y, places, w))
    mean = near.chances(places).T @ w
    ends = dict(low=mean - 1e-3 * (y >= 0), high=mean + 1e-3 * (y <= 0))
    assert lab._sharp_proof(replace(near, **ends), y, level, grid, (places, w))[1]
    ends[side][i] = mean[i] + (1e-6 if side == "low" else -1e-6)
    assert not lab._sharp_proof(replace(near, **ends), y, level, grid, (places, w))[1]


@pytest.mark.parametrize("change", ["mass", "prices"])
def test_what_is_no_distribution_or_no_best_price_reaches_no_bound(sharp, monkeypatch, change):
    near, level, grid, (y, places, w) = sharp
    wide = replace(near, low=near.low - 0.1, high=near.high + 0.1)
    other = (y, places, w * 1.0001) if change == "mass" else (0 * y, places, w)
    monkeypatch.setattr(lab, "sharpen_prices", lambda *given: other)
    proof, reached = lab._sharp_proof(wide, y, level, grid, (places, w))
    assert not reached and proof.bound >= wide.reward(places) @ w


@pytest.mark.parametrize("credit, k, sign", CASES, ids=NAMES)
def test_bounds_without_sharpened_prices_are_true_and_close(monkeypatch, credit, k, sign):
    p, w = np.array([0.15, 0.6]), np.array([0.4, 0.6])
    found = program(credit, k, sign)
    mean = found.chances(p).T @ w
    band = mean - 0.02, mean + 0.02, found.at_most, 5, k, credit, sign
    sharp = certify(*band).bound
    monkeypatch.setattr(lab, "sharpen_prices", lambda *given: None)
    plain = certify(*band)
    assert found.reward(p) @ w <= plain.bound == pytest.approx(sharp, abs=1e-8)


def test_points_in_use():
    found = program(any_credit, 6)
    points = lab._Points(found, np.linspace(0, 1, 5))
    assert points.used.all() and points.values(Y) == pytest.approx(found.f(points.p, Y))
    v = points.values(Y)
    level = np.sort(v)[2]
    points.choose(Y, level, 0.0)
    assert points.used.tolist() == (v > level).tolist()
    points.choose(Y, level, 9.0)
    assert points.used.tolist() == (v > level).tolist(), "what is out of use stays out"
    points.add(np.array([0.1, 0.25, 0.9]))
    assert points.p.tolist() == [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    assert points.used[[1, 5]].all() and points.used.sum() == 2 + (v > level).sum()
    assert points.values(Y) == pytest.approx(found.f(points.p, Y))


def test_the_largest_credit_is_sought_unless_a_sign_says_else():
    plain = certify([0.5], [0.7], [0], 1, 2, any_credit)
    assert plain.bound == pytest.approx(certify([0.5], [0.7], [0], 1, 2, any_credit, 1).bound)
    assert plain.bound == pytest.approx(1 - 0.5**2, abs=1e-8)
