"Draws of signs, whole steps of differences, and the saddlepoint: part by part."

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.special import ndtr

from sampling_eval.foundations.credit import any_credit, majority_credit
from sampling_eval.inference.randomization import (
    check_draws,
    common_steps,
    count_small,
    cut_draws,
    denominators_of,
    draw_bits,
    draw_signs,
    flip_by_draws,
    flip_by_saddle,
    PValue,
    scale_differences,
    share_signs,
    sum_values,
    tilt_signs,
    value_counts,
)


def test_a_p_value_in_print():
    one = PValue(0.01234, "sign-flip")
    assert repr(one) == "p = 0.0123 (sign-flip)"
    assert one[2:] == ("", "new_questions", 0.0)


@pytest.mark.parametrize("draws", [1, 10**7, np.int32(5)], ids=repr)
def test_numbers_of_draws(draws):
    assert check_draws(draws) is None


@pytest.mark.parametrize(
    "draws, rule",
    [
        (0, "at least 1"),
        (-3, "at least 1"),
        (10**7 + 1, "at most 10,000,000"),
        (True, "at least 1"),
        (5.0, "at least 1"),
    ],
    ids=repr,
)
def test_numbers_of_draws_refused(draws, rule):
    with pytest.raises(ValueError) as refused:
        check_draws(draws)
    assert str(refused.value) == f"draws must be a whole number of {rule}, got {draws!r}"


@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (5, 3), (1, 7)], ids=str)
def test_bits_are_those_of_numpy(shape):
    one, other = (np.random.default_rng(3) for _ in "ab")
    assert (draw_bits(shape, one) == other.integers(0, 2, shape, np.int8)).all()


@pytest.mark.parametrize(
    "draws, length, parts",
    [
        (10, 2**22, [1] * 10),
        (10, 2**23, [1] * 10),
        (10, 2**20, [4, 4, 2]),
        (8, 2**20, [4, 4]),
        (3, 1, [3]),
    ],
)
def test_draws_are_cut_for_memory(draws, length, parts):
    assert cut_draws(draws, length) == parts


def signs_drawn(z, draws, seed):
    "The same signs as `draw_signs`, for few draws."
    plus = np.random.default_rng(seed).integers(0, 2, (draws, len(z)), np.int8)
    sums = (2.0 * plus - 1) @ np.abs(z)
    beyond = np.abs(sums) >= np.abs(z.sum(0)) - 1e-9
    return (1 + beyond.sum(0)) / (1 + draws)


def test_signs_drawn_one_by_one():
    z = np.random.default_rng(0).normal(0.2, 1, (11, 3))
    found = draw_signs(z, 500, np.random.default_rng(5))
    assert found.tolist() == signs_drawn(z, 500, 5).tolist() and 0 < found.min() < 1
    # Sums that are equal count as far: three equal steps give +-3 in two of eight cases.
    equal = draw_signs(np.array([[0.1], [0.1], [0.1]]), 20_000, np.random.default_rng(0))
    assert equal[0] == pytest.approx(0.25, abs=0.015)


@pytest.mark.parametrize("repeats", [8, 9, 40])
def test_few_sizes_are_drawn_with_their_numbers(repeats):
    z = np.repeat([0.5, -1.0], [repeats, repeats // 4])
    found = flip_by_draws(z, 20_000, np.random.default_rng(0))
    exact = 0.0
    a, b = repeats, repeats // 4
    limit = abs(0.5 * a - b)
    for i, j in product(range(a + 1), range(b + 1)):
        if abs(0.5 * (2 * i - a) + (2 * j - b)) >= limit - 1e-9:
            exact += comb(a, i) * comb(b, j) / 2 ** (a + b)
    assert found == pytest.approx(exact, abs=4 * (0.25 / 20_000) ** 0.5)
    count = found * 20_001
    assert count == pytest.approx(round(count)) and count >= 1


def test_one_size_in_eight_is_drawn_alone():
    "With an eighth as many sizes as values, or more, each value has its own sign."
    for count, alone in (16, True), (17, False):
        z = np.r_[np.full(count - 1, 0.3), -0.7]
        own = float(draw_signs(z[:, None], 99, np.random.default_rng(1))[0])
        assert (flip_by_draws(z, 99, np.random.default_rng(1)) == own) == alone


@pytest.mark.parametrize(
    "x, denominator",
    [
        (0.0, 1),
        (1.0, 1),
        (0.5, 2),
        (2 / 3, 3),
        (7 + 5 / 9999, 9999),
        (1 / 10_000, 10_000),
        (1 / 10_001, 0),
        (np.pi, 0),
        (0.5 + 1e-13, 2),
        (0.5 + 1e-11, 0),
    ],
)
def test_denominators(x, denominator):
    assert denominators_of(np.array([x])).tolist() == [denominator]


def test_denominators_up_to_another_one():
    x = np.array([1 / 7, 1 / 8, 3 / 9])
    assert denominators_of(x, 7).tolist() == [7, 0, 3]


@pytest.mark.parametrize(
    "z, steps",
    [
        ([0.5, -1.0, 0.25], [2, -4, 1]),
        ([2.0, 4.0, -6.0], [1, 2, -3]),
        ([1 / 3, -0.5], [2, -3]),
        ([0.1], [1]),
        ([np.pi, 1.0], None),
        ([1.0] * 16 + [np.pi], None),
        ([1 / 9973, 1 / 9967, 1 / 9949, 1 / 9941, 1 / 9931, 1 / 9929], None),
    ],
    ids=["halves", "twos", "thirds", "one", "pi first", "pi last", "primes"],
)
def test_whole_steps(z, steps):
    found = common_steps(np.array(z))
    assert found is None if steps is None else found.tolist() == steps


def test_steps_that_are_too_many():
    "The sum of the steps times their number is kept below 2e8."
    assert common_steps(np.array([1.0, 1e8 - 2])).tolist() == [1, 99_999_998]
    assert common_steps(np.array([1.0, 1e8 - 1])) is None


@pytest.mark.parametrize(
    "z, left",
    [
        ([0.0, 1e-13, 1e-11, -0.5], [1e-11, -0.5]),
        ([0.0, 0.0], []),
        ([2e-4, -1e-4], [1.0, -0.5]),
        ([1000.0, 500.0], [1.0, 0.5]),
        ([999.0, 1.0], [999.0, 1.0]),
        ([2e-3, -1e-3], [2e-3, -1e-3]),
        ([1e-3, 5e-4], [1.0, 0.5]),
    ],
)
def test_differences_of_a_usual_size(z, left):
    assert scale_differences(np.array(z)).tolist() == left


def test_budgets_that_share_their_signs():
    many, other = np.linspace(0.1, 1, 8), np.linspace(0.2, 2, 8)
    few, short = np.full(17, 0.5), np.linspace(0.1, 1, 5)
    columns = [many, few, other, short, few]
    assert share_signs(columns, False) == [[0, 2], [1], [3], [4]]
    assert share_signs(columns, True) == [[0], [1], [2], [3], [4]]
    eighth = np.r_[np.full(15, 0.5), 0.7]
    assert share_signs([eighth, eighth], False) == [[0, 1]]


def test_budgets_with_a_seed_and_with_a_generator():
    a, b = (np.random.default_rng(i).normal(0.3, 1, 9) for i in (1, 2))
    both = draw_signs(np.c_[a, b], 200, np.random.default_rng(4))
    assert count_small([a, b], 200, 4) == both.tolist()
    assert count_small([a, b], 200, None) == count_small([a, b], 200, 0)
    rng = np.random.default_rng(4)
    apart = [flip_by_draws(z, 200, rng) for z in (a, b)]
    assert count_small([a, b], 200, np.random.default_rng(4)) == apart


@pytest.mark.parametrize("credit", [any_credit, majority_credit])
def test_values_of_counts(credit):
    found, h = value_counts(5, np.array([1, 3]), credit), credit(3)
    assert found[:, 0].tolist() == [c / 5 for c in range(6)]
    for c in range(6):
        ways = [comb(c, j) * comb(5 - c, 3 - j) for j in range(4)]
        assert found[c, 1] == pytest.approx(np.dot(ways, h) / comb(5, 3))


def test_sums_of_values():
    n, c = np.array([2, 3, 2, 3, 2]), np.array([1, 3, 1, 0, 2])
    pay = lambda size: np.arange(size + 1)[:, None] * np.array([1.0, 10.0]) / size
    want = Fraction(1, 2) * 2 + 1 + 0 + 1
    assert sum_values(pay, n, c).tolist() == [float(want), 10 * float(want)]


# The saddlepoint.


def test_tilted_signs_have_the_sum_and_its_variance():
    size, times = np.array([[0.2, 1.0], [1.0, 0.5]]), np.array([7.0, 5.0])
    seen = np.array([2.4, 9.0])
    s, curve = tilt_signs(size, times, seen)
    tilt = np.tanh(s * size)
    assert times @ (size * tilt) == pytest.approx(seen, rel=1e-10)
    assert curve == pytest.approx(times @ (size**2 * (1 - tilt**2)), rel=1e-10)
    none, flat = tilt_signs(size, times, np.zeros(2))
    assert none.tolist() == [0, 0] and flat == pytest.approx(times @ size**2)


@pytest.mark.parametrize("wins, losses", [(30, 18), (60, 30), (400, 330)])
def test_the_saddlepoint_of_equal_steps(wins, losses):
    "The chance of a fair coin, its lattice smoothed out: between that of beyond and of as far."
    n = wins + losses
    beyond = sum(comb(n, j) for j in range(wins + 1, n + 1)) / 2**n * 2
    as_far = beyond + 2 * comb(n, wins) / 2**n
    found = flip_by_saddle(np.array([[1.0], [-1.0]]), np.array([wins, losses]))[0]
    assert beyond < found < as_far
    assert found == pytest.approx((beyond + as_far) / 2, rel=0.05)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e6])
def test_the_saddlepoint_knows_no_scale_and_no_side(scale):
    z = np.random.default_rng(3).normal(0.15, 1, (200, 2))
    plain = flip_by_saddle(z, np.ones(200))
    assert flip_by_saddle(-scale * z, np.ones(200)) == pytest.approx(plain, rel=1e-9)
    normal = 2 * ndtr(-np.abs(z.sum(0)) / (z**2).sum(0) ** 0.5)
    assert plain == pytest.approx(normal, rel=0.1)


def test_the_saddlepoint_at_no_sum_and_at_the_largest():
    assert flip_by_saddle(np.array([[1.0], [-1.0]]), np.array([50, 50]))[0] == 1
    assert flip_by_saddle(np.zeros((2, 1)), np.array([5, 5]))[0] == 1
    assert 0 <= flip_by_saddle(np.ones((1, 1)), np.array([60]))[0] < 1e-15
