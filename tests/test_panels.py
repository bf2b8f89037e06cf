"Panels of judges: accuracy of k of J, the correlation of their errors, their effective number."

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import panel_at_k, panel_facts

ASKED = json.loads((Path(__file__).parent / "vectors" / "asked_for.json").read_text())
SIX = [[0, 0, 1, 0, 0, 0], [1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 0, 1], [1] * 6]


def test_vectors():
    for row in ASKED["panel"]:
        found = panel_at_k(row["right"], list(map(int, row["value"]))).mean(0)
        np.testing.assert_allclose(
            found, [float(Fraction(x)) for x in row["value"].values()], rtol=1e-14, atol=1e-15
        )


def test_every_panel_against_the_listing():
    for judges in range(1, 9):
        rows = [[1] * c + [0] * (judges - c) for c in range(judges + 1)]
        found = panel_at_k(rows, np.arange(1, judges + 1))
        for row, values in zip(rows, found):
            want = [
                np.mean([(1 + np.sign(2 * sum(s) - k)) / 2 for s in combinations(row, k)])
                for k in range(1, judges + 1)
            ]
            np.testing.assert_allclose(values, want, rtol=1e-13, atol=1e-15)
    assert panel_at_k(np.array(SIX, bool), 3).tolist() == [0, 1, 1, 1]


def test_facts_of_the_six():
    told = panel_facts(SIX)
    p, both = Fraction(17, 24), Fraction(7, 12)
    assert told.error_correlation == pytest.approx(float((both - p**2) / (p * (1 - p))), rel=1e-14)
    assert (told.items, told.judges, told.mean_accuracy) == (
        4,
        6,
        17 / 24,
    ) and told.effective_number == pytest.approx(2.01694, abs=1e-5)
    alone = [
        float(sum(Fraction([1, 3, 3, 1][x]) * p**x * (1 - p) ** (3 - x) for x in (2, 3))),
        0.8478,
    ]
    assert told.independent([3, 5]) == pytest.approx(alone, abs=1e-4) and told.independent(
        1
    ) == pytest.approx(17 / 24)
    assert told.independent(2) == pytest.approx(17 / 24)  # a tie is one half
    assert (
        repr(told)
        == "PanelFacts(6 judges, 4 items: mean accuracy 0.708, error correlation 0.395, effective"
        " number 2.02)"
    )


def test_effective_number_at_the_ends():
    for right in np.ones((3, 4), int), np.zeros((3, 4), int):
        told = panel_facts(right)
        assert (
            told.error_correlation is None
            and told.effective_number is None
            and "no correlation" in repr(told)
        )
    assert panel_facts([[1, 1, 1], [0, 0, 0]]).effective_number == pytest.approx(1)
    assert panel_facts([[1, 0], [0, 1]]).effective_number == np.inf  # the mean never moves
    rng = np.random.default_rng(0)
    assert panel_facts(rng.random((20000, 5)) < 0.7).effective_number == pytest.approx(5, rel=0.03)


@pytest.mark.parametrize(
    "right, k, kind, said",
    [
        (
            [[1, 0], [1, None]],
            1,
            ValueError,
            "right must hold 0/1, got nan at item 1 (1 of 4 fail): without a gold label",
        ),
        ([[1, 2]], 1, ValueError, "right must hold 0/1, got 2.0 at item 0"),
        ([["yes", "no"]], 1, TypeError, "compare the verdicts with the gold labels"),
        ([[1, 0], [1]], 1, ValueError, "right must hold rows of one length"),
        ([1, 0], 1, ValueError, "one row per item and one column per judge"),
        ([], 1, ValueError, "one row per item"),
        (None, 1, TypeError, "right must be a list of rows"),
        ([[1, 0]], 3, ValueError, "need 1 <= k <= J, got J=2, k=3"),
        ([[1, 0]], 0, ValueError, "need k >= 1"),
        ([[1, 0]], 1.5, TypeError, "k must hold integers"),
    ],
)
def test_refusals(right, k, kind, said):
    with pytest.raises(kind) as told:
        panel_at_k(right, k)
    assert said in str(told.value)


def test_facts_need_two():
    for right in [[1, 0]], [[1], [0]]:
        with pytest.raises(ValueError, match="need at least 2 items and 2 judges"):
            panel_facts(right)
    with pytest.raises(ValueError, match="need k >= 1"):
        panel_facts(SIX).independent(0)
