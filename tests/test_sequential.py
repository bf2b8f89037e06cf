"""Drawing until a success: unbiased by an independent listing, bounds of what is refused, and how such counts look."""
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.sequential import pass_at_k_until_success, stopped_at_success
from sampling_eval.metrics.passk import pass_at_k


def ends(tries, successes):
    "Every way a question can end, with the number of orders that lead there."
    stops = [(n, successes, comb(n - 1, successes - 1)) for n in range(successes, tries + 1)]
    return stops + [(tries, c, comb(tries, c)) for c in range(min(successes, tries + 1))]


def mean(values, p, tries, successes):
    "Exact mean over the ways a question can end."
    law = [ways * p**c * (1 - p)**(n - c) for n, c, ways in ends(tries, successes)]
    assert sum(law) == 1
    return sum(w * v for w, v in zip(law, values))


def test_the_share_of_right_samples_is_biased():
    share = [Fraction(c, n) for n, c, _ in ends(5, 1)]
    assert mean(share, Fraction(3, 10), 5, 1) == Fraction(494131, 1000000)
    assert all(mean(share, p, 5, 1) > p for p in (Fraction(1, 100), Fraction(1, 2), Fraction(99, 100)))


@pytest.mark.parametrize("successes", [1, 2, 3, 5])
def test_unbiased_for_every_rule(successes):
    for tries in range(1, 13):
        n, c, _ = np.array(ends(tries, successes)).T
        values = pass_at_k_until_success(n, c, np.arange(1, tries + 1), successes=successes, tries=tries)
        for p in Fraction(1, 50), Fraction(3, 10), Fraction(9, 10):
            for k, column in enumerate(values.T, 1):
                miss = mean([Fraction(v) for v in column.tolist()], p, tries, successes) - (1 - (1 - p)**k)
                assert abs(miss) < 1e-14, (successes, tries, k, p)


@pytest.mark.parametrize("tries", [1, 2, 3])
def test_nothing_else_of_few_values_is_unbiased(tries):
    "Of all estimates with values -1, 0, 1/2, 1 only one has the mean of pass@j, for each j."
    chances = [Fraction(1, 4), Fraction(1, 3), Fraction(2, 3), Fraction(4, 5)]
    n, c, _ = np.array(ends(tries, 1)).T
    for j in range(1, tries + 1):
        found = [g for g in product([-1, 0, Fraction(1, 2), 1], repeat=tries + 1)
                 if all(mean(g, p, tries, 1) == 1 - (1 - p)**j for p in chances)]
        assert found == [tuple(pass_at_k_until_success(n, c, j, tries=tries))]


def test_known_forms():
    n = np.arange(2, 60)
    np.testing.assert_allclose(pass_at_k_until_success(n, 2, 1, successes=2), 1 / (n - 1), rtol=0)
    np.testing.assert_array_equal(pass_at_k_until_success(n, 1, [1, 7]), np.c_[n <= 1, n <= 7])
    assert pass_at_k_until_success(1, 1, 5) == 1 and isinstance(pass_at_k_until_success(3, 1, 2), np.float64)
    np.testing.assert_allclose(pass_at_k_until_success(40, 6, [1, 4, 9], successes=6), pass_at_k(39, 5, [1, 4, 9]), rtol=1e-14)
    np.testing.assert_allclose(pass_at_k_until_success(40, 4, [1, 4, 9], successes=6, tries=40), pass_at_k(40, 4, [1, 4, 9]), rtol=1e-14)
    many = pass_at_k_until_success(100_000, 3, [1, 1000, 99_999], successes=3)
    assert many[0] == 2 / 99_999 and (np.diff(many) > 0).all() and many[-1] == 1
    table = pass_at_k_until_success([[2, 5], [5, 1]], [[1, 1], [0, 1]], [1, 2, 5], tries=5)
    assert table.shape == (2, 2, 3) and table[0, 0].tolist() == [0, 1, 1] and table[1, 0].tolist() == [0, 0, 0]


def test_the_mean_has_a_plain_interval():
    rng = np.random.default_rng(3)
    first = rng.geometric(rng.beta(.6, .6, 300))
    values = pass_at_k_until_success(np.minimum(first, 5), (first <= 5) * 1, [1, 3], tries=5)
    np.testing.assert_array_equal(values, np.c_[first <= 1, first <= 3])
    ends = mean_over_questions(values[:, 0]).confidence_interval(method="clopper-pearson")
    assert ends.low < values[:, 0].mean() < ends.high


@pytest.mark.parametrize("counts, options, error, text", [
    (([2, 5], [1, 0], 1), {}, ValueError, r"need c == 1 where nothing else ends the drawing, got n=5, c=0 at question 1 \(1 of 2 fail\); pass tries=5"),
    (([2, 5], [1, 3], 1), dict(tries=5), ValueError, "need c <= 1 where drawing stops there, got n=5, c=3 at question 1"),
    (([2, 3], [1, 0], 1), dict(tries=5), ValueError, "need c == 1 or n == tries=5, got n=3, c=0 at question 1"),
    (([2, 6], [1, 1], 1), dict(tries=5), ValueError, "need n <= tries=5, got n=6"),
    (([2, 5], [1, 0], 8), dict(tries=5), ValueError, "need k <= tries, got k=8, tries=5"),
    (([2, 5], [1, 1], 1), dict(successes=0), ValueError, "need successes >= 1, got 0"),
    (([2, 5], [1, 1], 1), dict(successes=True), TypeError, "successes must be an int, got True"),
    (([2, 5], [1, 1], 1), dict(tries=5.), TypeError, "tries must hold integers, got 5.0"),
    (([2, 5], [1, 1], 1), dict(tries=[5]), TypeError, "tries must be an int"),
    (([2, 5], [1, 6], 1), {}, ValueError, "need 0 <= c <= n"),
    (([2, 5], [1, 1], 0), {}, ValueError, "need k >= 1")])
def test_refusals(counts, options, error, text):
    with pytest.raises(error, match=text): pass_at_k_until_success(*counts, **options)


@pytest.mark.parametrize("n, c, found", [
    ([1, 3, 5, 5], [1, 1, 0, 1], True), ([1, 2, 3], [1, 1, 1], True), ([1, 5], [1, 0], True),
    ([5, 5, 5], [1, 0, 1], False), # nothing was stopped early
    ([1, 3, 5], [1, 0, 0], False), ([1, 3, 5], [1, 1, 2], False), ([4, 4, 3], [2, 0, 1], False), ([5], [1], False)])
def test_recognition(n, c, found):
    assert stopped_at_success(n, c) is found


def test_recognition_of_drawn_counts():
    rng = np.random.default_rng(0)
    p = rng.beta(.6, .6, 100)
    first = rng.geometric(p)
    assert stopped_at_success(np.minimum(first, 8), (first <= 8) * 1)
    n = rng.integers(4, 9, 100)
    assert not stopped_at_success(n, rng.binomial(n, p))
