"Bets on a mean, question by question, and long products."

import numpy as np
import pytest

from sampling_eval.inference.bets import find_stakes, log_wealth, multiply_up, rescale


def test_differences_between_zero_and_one():
    assert rescale([-1, 0, 3], (-1, 3)).tolist() == [0, 0.25, 1]


@pytest.mark.parametrize("alpha", [0.05, 0.4])
def test_stakes_follow_what_was_seen_before(alpha):
    x = np.array([0.2, 0.9, 0.5, 0.0])
    centres, spread, want = [], 0.25, []
    for t in range(1, 5):
        before = spread / t
        want.append((2 * np.log(2 / alpha) / (before * t * np.log(1 + t))) ** 0.5)
        centres.append((0.5 + x[:t].sum()) / (t + 1))
        spread += (x[t - 1] - centres[-1]) ** 2
    assert find_stakes(x, alpha) == pytest.approx(want, rel=1e-12)
    both = find_stakes(np.stack([x, x[::-1]]), alpha)
    assert both[0] == pytest.approx(want) and both[1] == pytest.approx(find_stakes(x[::-1], alpha))


@pytest.mark.parametrize("m", [0.1, 0.5, 0.8])
def test_wealth_of_both_sides(m):
    x, stakes = np.array([0.2, 0.9, 0.5]), np.array([3.0, 0.7, 0.2])
    up, down = log_wealth(x, m, stakes)
    rich, poor = 1.0, 1.0
    for i in range(3):
        rich *= 1 + min(stakes[i], 0.5 / m) * (x[i] - m)
        poor *= 1 - min(stakes[i], 0.5 / (1 - m)) * (x[i] - m)
        assert np.exp([up[i], down[i]]) == pytest.approx([rich, poor])
    both = log_wealth(np.stack([x[::-1], x]), m, stakes)
    assert both[0][1] == pytest.approx(up) and both[1][1] == pytest.approx(down)
    assert both[0][0] == pytest.approx(log_wealth(x[::-1], m, stakes)[0])


@pytest.mark.parametrize("length", [1, 255, 256, 257, 1000])
def test_products_in_blocks(length):
    factors = np.random.default_rng(0).uniform(0.5, 2, (2, length, 3))
    assert multiply_up(factors) == pytest.approx(factors.cumprod(-2), rel=1e-10)


def test_products_that_leave_the_range_and_come_back():
    factors = np.r_[np.full(1100, 2.0), np.full(1100, 0.5)][:, None]
    with np.errstate(over="ignore"):
        found = multiply_up(factors)[:, 0]
    assert found[1099] == np.inf and found[-1] == 1 and found[1000] == 2.0**1001


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("m", [0.0, 1.0])
def test_wealth_of_bets_on_a_mean_at_an_end(m):
    "Where the mean is 0, more than 0 can be bet on with any stake, and less than 0 with a half."
    x, stakes = np.array([0.25, 1.0]), np.array([2.0, 3.0])
    up, down = log_wealth(x, np.float64(m), stakes)
    free, held = (up, down) if m == 0 else (down, up)
    gone = x if m == 0 else 1 - x
    assert np.exp(free) == pytest.approx((1 + stakes * gone).cumprod())
    assert np.exp(held) == pytest.approx((1 - gone / 2).cumprod())
