"Win shares, and the best of k against the best of k: listings, exact values, refusals."

import json
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import head_to_head_at_k, pass_at_k, win_share

ASKED = json.loads((Path(__file__).parent / "vectors" / "asked_for.json").read_text())


def listed(a, b, k):
    bests = [[max(s) for s in combinations(row, k)] for row in (a, b)]
    won = [Fraction(int(s > t) + int(s >= t), 2) for s, t in product(*bests)]
    return float(sum(won) / len(won))


def test_vectors():
    for row in ASKED["head_to_head"]:
        found = head_to_head_at_k([row["a"]], [row["b"]], list(map(int, row["value"])))[0]
        np.testing.assert_allclose(
            found, [float(Fraction(x)) for x in row["value"].values()], rtol=1e-14, atol=1e-15
        )
    found = head_to_head_at_k([[3, 1, 4, 1, 2]], [[2, 2, 3, 3]], [1, 2, 3, 4])
    np.testing.assert_allclose(found[0], [2 / 5, 71 / 120, 3 / 4, 9 / 10], rtol=1e-15)


def test_ragged_sides_against_the_listing():
    rng = np.random.default_rng(0)
    a, b = ([list(rng.integers(0, 5, rng.integers(3, 8)) / 4) for _ in range(40)] for _ in "ab")
    found = head_to_head_at_k(a, b, [1, 2, 3])
    want = [[listed(x, y, k) for k in (1, 2, 3)] for x, y in zip(a, b)]
    np.testing.assert_allclose(found, want, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(found + head_to_head_at_k(b, a, [1, 2, 3]), 1, rtol=1e-14)
    assert (
        head_to_head_at_k(a, b, 2).shape == (40,)
        and (head_to_head_at_k(a, b, 2) == found[:, 1]).all()
    )
    many = head_to_head_at_k(a * 3000, b * 3000, [1, 2, 3])  # in several parts
    assert (many[:40] == found).all() and (many[-40:] == found).all()


def test_right_or_wrong_is_the_difference_of_pass_at_k():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 50, 20))
    k = np.arange(1, 21)
    apart = (pass_at_k(20, a.sum(1), k) - pass_at_k(20, b.sum(1), k) + 1) / 2
    np.testing.assert_allclose(head_to_head_at_k(a, b, k), apart, rtol=1e-12, atol=1e-14)


def test_a_thousand_scores():
    a, b = np.arange(2000).reshape(2, 1000)[:, None]
    assert (head_to_head_at_k(b, a, [1, 500, 1000]) == 1).all() and (
        head_to_head_at_k(a, b, [1, 500, 1000]) == 0
    ).all()
    np.testing.assert_allclose(head_to_head_at_k(a, a, np.arange(1, 1001)), 0.5, rtol=1e-12)


def test_win_share():
    for one in list(product(range(4), repeat=3))[1:]:
        assert win_share(*one) == float(Fraction(2 * one[0] + one[1], 2 * sum(one)))
    assert win_share([2, 0], 0, [0, 2]).tolist() == [1, 0] and win_share(
        [[1, 2]], [[0, 1]], [[1, 1]]
    ).shape == (1, 2)
    assert win_share(10**9, 0, 3 * 10**9) == 0.25


@pytest.mark.parametrize(
    "a, b, k, kind, said",
    [
        (
            [[1, 2, 3]],
            [[1, 2]],
            3,
            ValueError,
            (
                "need 1 <= k <= the samples of the smaller side, got 3 and 2, k=3 at question 0 (1"
                " of 1 fail)"
            ),
        ),
        (
            [[1, 2, 3], [1, 2]],
            [[1, 2, 3], [1, 2]],
            3,
            ValueError,
            "got 2 and 2, k=3 at question 1 (1 of 2 fail)",
        ),
        ([[1, 2, 3]], [[1, 2]], [1, 3], ValueError, "got 3 and 2, k=3 at question 0"),
        ([[1, 2]], [[1, 2]], 0, ValueError, "need k >= 1"),
        ([[1, 2]], [[1, 2]], 1.5, TypeError, "k must hold integers"),
        (
            [[1, 2], [3]],
            [[1, 2]],
            1,
            ValueError,
            "a and b must hold the same questions, got 2 and 1 rows",
        ),
        (
            [[1, np.nan]],
            [[1, 2]],
            1,
            ValueError,
            "a must hold finite scores, got nan at question 0 (1 of 2 fail)",
        ),
        ([[1, None]], [[1, 2]], 1, TypeError, "a must hold numbers, got None"),
        ([["x"]], [[1]], 1, TypeError, "a must hold numbers"),
        (
            [[1], []],
            [[1], [1]],
            1,
            ValueError,
            "every question needs a score in a, got none at question 1",
        ),
        ([1, 2], [1, 2], 1, ValueError, "a must hold one row per question"),
        ([], [], 1, ValueError, "at least one question"),
    ],
)
def test_refusals(a, b, k, kind, said):
    with pytest.raises(kind) as told:
        head_to_head_at_k(a, b, k)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "given, kind, said",
    [
        (([1, -1], 0, 1), ValueError, "need wins >= 0, got -1 at question 1 (1 of 2 fail)"),
        (([0, 1], 0, 0), ValueError, "every question needs a judgement, got none at question 0"),
        (([0.5], 0, 1), TypeError, "wins must hold integers"),
        (([1, 2], [1, 2, 3], 0), ValueError, "one number per question, got shapes (2,), (3,), ()"),
        (([1], [None], [0]), TypeError, "ties must hold integers"),
        ((True, 0, 0), TypeError, "wins must hold integers"),
    ],
)
def test_refusals_of_win_share(given, kind, said):
    with pytest.raises(kind) as told:
        win_share(*given)
    assert said in str(told.value)
