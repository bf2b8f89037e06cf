"pass@(k, T): against listings, exact values and what is refused."

import json
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import pass_at_k, pass_at_k_by_turn

ASKED = json.loads((Path(__file__).parent / "vectors" / "asked_for.json").read_text())


def test_vectors():
    for row in ASKED["by_turn"]:
        cells = {
            tuple(map(int, at.split(","))): float(Fraction(x)) for at, x in row["value"].items()
        }
        k, T = (sorted(set(o)) for o in zip(*cells))
        found = pass_at_k_by_turn([row["turns"]], k, T)
        assert found.shape == (1, len(k), len(T))
        assert max(abs(found[0, k.index(a), T.index(b)] - x) for (a, b), x in cells.items()) < 1e-14


def test_every_small_row_against_the_listing():
    for row in (o for n in range(1, 6) for o in product((1, 2.5, np.nan), repeat=n)):
        found = pass_at_k_by_turn([row], np.arange(1, len(row) + 1), [0, 1, 2, 2.5])[0]
        for k, T in product(range(1, len(row) + 1), range(4)):
            sets = list(combinations(row, k))
            want = sum(any(t <= (0, 1, 2, 2.5)[T] for t in s) for s in sets) / len(sets)
            assert found[k - 1, T] == pytest.approx(want, abs=1e-15)


def test_shapes_and_ragged_rows():
    rows = [[1, None, 3], [2, 4], np.array([np.nan, 1.0, 2.0, 7.0])]
    assert pass_at_k_by_turn(rows, 2, 3).shape == (3,) and pass_at_k_by_turn(
        rows, [1, 2], 3
    ).shape == (3, 2)
    assert pass_at_k_by_turn(rows, 2, [3]).shape == (3, 1) and pass_at_k_by_turn(
        rows, [1, 2], [1, 2, 3]
    ).shape == (3, 2, 3)
    np.testing.assert_allclose(pass_at_k_by_turn(rows, 2, 99.0), pass_at_k([3, 2, 4], [2, 2, 3], 2))


@pytest.mark.parametrize(
    "turns, k, T, kind, said",
    [
        (
            [[1, 2], [3, -1]],
            1,
            5,
            ValueError,
            (
                "turns must be at least 0, or NaN for a try that never succeeded, got -1.0 at"
                " question 1 (1 of 4 fail)"
            ),
        ),
        ([[1, np.inf]], 1, 5, ValueError, "or NaN for a try that never succeeded, got inf"),
        ([[1, 2], []], 1, 5, ValueError, "every question needs a try, got none at question 1"),
        ([[[1, 2], [3, 4]]], 1, 5, ValueError, "turns must hold one number per try, got [1, 2]"),
        ([], 1, 5, ValueError, "at least one question"),
        ([1, 2], 1, 5, ValueError, "one row per question"),
        (None, 1, 5, TypeError, "turns must be a list of rows"),
        ([["one"]], 1, 5, TypeError, "turns must hold numbers"),
        ([[True, False]], 1, 5, TypeError, "turns must hold"),
        ([[1, True]], 1, 5, TypeError, "turns must hold only bool or only turns"),
        (np.ones((2, 2), bool), 1, 5, TypeError, "the turn of each success, got bool"),
        ([[1, 2]], 3, 5, ValueError, "need 1 <= k <= n, got n=2"),
        ([[1, 2]], 0, 5, ValueError, "need k >= 1"),
        ([[1, 2]], 1, -1, ValueError, "T must be finite and at least 0, got -1"),
        ([[1, 2]], 1, np.nan, ValueError, "T must be finite"),
        ([[1, 2]], 1, [[1]], ValueError, "T must be a number or a 1-D array"),
        ([[1, 2]], 1, "x", TypeError, "T must hold numbers"),
    ],
)
def test_refusals(turns, k, T, kind, said):
    with pytest.raises(kind) as told:
        pass_at_k_by_turn(turns, k, T)
    assert said in str(told.value)
