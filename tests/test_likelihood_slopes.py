"Newton's steps inside a box, against a listing of its faces; rising products by their sums."

from itertools import product

import numpy as np
import pytest

from sampling_eval.inference.likelihood_slopes import log_rising_of_many, settle

BENDS = [
    np.array([[2.0, 0.5], [0.5, 1.0]]),
    np.array([[1.0, -0.3], [-0.3, 1.0]]),
    np.array([[3.0, 0.4, -0.2], [0.4, 1.0, 0.3], [-0.2, 0.3, 2.0]]),
]


def bowl(bend, top):
    "A quadratic function with its minimum at `top`."

    def slopes(x):
        return (x - top) @ bend @ (x - top) / 2, bend @ (x - top), bend

    return slopes


def lowest_of_faces(bend, top, low, high):
    "The minimum in the box: the lowest of the minima of all its faces that lie inside."
    best, count = (np.inf, None), len(top)
    for sides in product((None, 0, 1), repeat=count):
        held = np.array([side is not None for side in sides])
        x = np.where([side == 1 for side in sides], high, low).astype(float)
        if not held.all():
            pull = bend[np.ix_(~held, held)] @ (x - top)[held]
            x[~held] = top[~held] - np.linalg.solve(bend[np.ix_(~held, ~held)], pull)
        if (x < low - 1e-12).any() or (x > high + 1e-12).any():
            continue
        value = (x - top) @ bend @ (x - top) / 2
        if value < best[0] - 1e-12:
            best = value, x
    return best[1]


@pytest.mark.parametrize("bend", BENDS, ids=["two", "leaning", "three"])
@pytest.mark.parametrize("at", [-2.0, -1.0, 0.3, 1.0, 2.5])
def test_the_lowest_point_of_a_box(bend, at):
    "From its corners, its middle and from outside of it."
    count = len(bend)
    low, high = np.full(count, -1.0), np.full(count, 1.0)
    for lean in (np.zeros(count), 0.7 * np.arange(count), -1.3 * np.arange(count)):
        top = at + lean
        want = lowest_of_faces(bend, top, low, high)
        for start in (low, high, np.zeros(count), 9 * high, np.linspace(-1, 1, count)):
            found = settle(bowl(bend, top), start, low, high)
            assert found == pytest.approx(want, abs=1e-9)


def test_equal_ends_hold_a_parameter():
    bend, top = BENDS[0], np.array([0.4, 0.6])
    for held in -0.5, 0.4, 2.0:
        found = settle(bowl(bend, top), [7.0, 0.0], [held, -9], [held, 9])
        assert found[0] == held and found[1] == pytest.approx(0.6 - 0.5 * (held - 0.4), abs=1e-12)
    assert settle(bowl(bend, top), [0.0, 0.0], [1, 2], [1, 2]).tolist() == [1, 2]


@pytest.mark.parametrize("start", [0.6, 1.2, 1.9])
def test_steps_on_a_curve_that_is_no_bowl(start):
    "The minimum of `exp(x) - 3x` is at log 3."

    def slopes(x):
        rise = np.exp(x)
        return (rise - 3 * x).sum(), rise - 3, np.diag(rise)

    found = settle(slopes, [start], [-4], [4])
    assert found == pytest.approx([np.log(3)], rel=1e-12)
    once = np.clip(start - (np.exp(start) - 3) / np.exp(start), -4, 4)
    lower = np.exp(once) - 3 * once < np.exp(start) - 3 * start
    assert settle(slopes, [start], [-4], [4], steps=1) == pytest.approx([once if lower else start])
    assert settle(slopes, [start], [-4], [4], steps=0).tolist() == [start]


def test_where_nothing_curves_upwards_the_start_stays():
    def hill(x):
        return -(x @ x), -2 * x, -2 * np.eye(len(x))

    assert settle(hill, [0.5, 3.0], [-1, -1], [1, 1]).tolist() == [0.5, 1.0]
    saddle = np.diag([1.0, -1.0])
    assert settle(bowl(saddle, np.zeros(2)), [0.5, 0.5], [-1, -1], [1, 1]).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("x", [0.3, 1.0, 7.5])
@pytest.mark.parametrize("m", [0, 1, 2, 12])
def test_rising_products_are_sums_over_their_factors(x, m):
    "Of `x (x+1) ... (x+m-1)`: its logarithm and the slopes of it in the logarithm of `x`."
    factors = x + np.arange(m)
    want = [
        np.log(factors).sum(),
        (x / factors).sum(),
        (x / factors).sum() - (x**2 / factors**2).sum(),
    ]
    assert log_rising_of_many(x, m) == pytest.approx(want, rel=1e-9, abs=1e-9)
