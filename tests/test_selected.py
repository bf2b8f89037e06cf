"The honest score of the chosen: vectors, listings in fractions, what its mean is, ties, refusals."

import json
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from sampling_eval import selected_score

VECTORS = json.loads(
    (Path(__file__).parent / "vectors" / "crossed_selected_evidence.json").read_text("utf-8")
)["selected"]


def listed(runs, m):
    "Chosen on every set of m runs, scored on the others, in fractions."
    n, found = len(runs[0]), []
    for some in combinations(range(n), m):
        sums = [sum(row[j] for j in some) for row in runs]
        best = [row for row, one in zip(runs, sums) if one == max(sums)]
        found.append(mean(row[j] for row in best for j in range(n) if j not in some))
    return mean(found)


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_vectors(case):
    runs = [[Fraction(one) for one in row] for row in case["runs"]]
    for m, wanted in case["choose_on"].items():
        assert listed(runs, int(m)) == Fraction(wanted)
        assert selected_score(np.array(runs, float), int(m)) == pytest.approx(
            float(Fraction(wanted)), rel=1e-13
        )
        assert selected_score(runs, int(m)) == selected_score(np.array(runs, float), int(m))


@pytest.mark.parametrize("systems, n", [(2, 2), (2, 3), (3, 2), (4, 2)])
def test_every_small_table(systems, n):
    values = [Fraction(0), Fraction(1, 10), Fraction(3, 10)]
    for runs in product(product(values, repeat=n), repeat=systems):
        for m in range(1, n):
            assert selected_score(np.array(runs, float), m) == pytest.approx(
                float(listed(runs, m)), abs=1e-15, rel=1e-13
            )


@pytest.mark.parametrize(
    "chances", [(Fraction(1, 3), Fraction(3, 4)), (Fraction(1, 2), Fraction(1, 2), Fraction(2, 3))]
)
def test_unbiased_for_the_true_score_of_the_chosen(chances):
    "Tosses of unequal coins, three runs each: every outcome."
    tosses = list(product((Fraction(0), Fraction(1)), repeat=3))
    law = [
        (prod(p if one else 1 - p for row, p in zip(runs, chances) for one in row), runs)
        for runs in product(tosses, repeat=len(chances))
    ]
    assert sum(weight for weight, _ in law) == 1

    def truth(runs, m):
        sums = [sum(row[:m]) for row in runs]
        return mean(p for p, one in zip(chances, sums) if one == max(sums))

    for m in 1, 2:
        assert sum(w * listed(runs, m) for w, runs in law) == sum(
            w * truth(runs, m) for w, runs in law
        )
    assert sum(w * max(map(mean, runs)) for w, runs in law) > max(
        chances
    ), "what the winner shows is too high"


def test_rounding_makes_no_winner():
    assert 0.1 + 0.2 != 0.3
    assert selected_score([[0.1, 0.2, 1.0], [0.3, 0.0, 0.0]], 2) == pytest.approx(
        float(
            listed(
                [
                    [Fraction(1, 10), Fraction(1, 5), Fraction(1)],
                    [Fraction(3, 10), Fraction(0), Fraction(0)],
                ],
                2,
            )
        ),
        rel=1e-13,
    )
    assert selected_score([[0.5, 0.5], [0.5, 0.5]], 1) == 0.5
    assert selected_score([[0.0, 1.0], [1e-9, 0.0]], 1) == 0, "a billionth is a difference"


def test_order_of_systems_and_runs_is_no_matter():
    runs = np.random.default_rng(0).integers(0, 5, (3, 4)) / 4
    for m in 1, 2, 3:
        found = {
            round(selected_score(runs[list(one)][:, list(other)], m), 14)
            for one in permutations(range(3))
            for other in permutations(range(4))
        }
        assert len(found) == 1


def test_many_splits_and_many_systems():
    rng = np.random.default_rng(0)
    runs = rng.random((40, 18))
    assert selected_score(runs, 1) < runs.mean(1).max()
    # Choosing on all but one run, scored one run at a time.
    rest = runs.sum(1, keepdims=True) - runs
    assert selected_score(runs, 17) == pytest.approx(
        runs[rest.argmax(0), np.arange(18)].mean(), rel=1e-13
    )
    assert selected_score(runs, 9) > 0, "48,620 splits"
    assert selected_score(runs + 7, 5) == pytest.approx(7 + selected_score(runs, 5), rel=1e-13)


def test_equal_checkpoints_are_not_flattered():
    rng, honest, naive = np.random.default_rng(0), [], []
    for _ in range(300):
        p = rng.beta(2, 2, 60)
        runs = rng.binomial(1, p[:, None], (20, 60, 8)).mean(1)
        honest.append(selected_score(runs, 4) - p.mean())
        naive.append(runs.mean(1).max() - p.mean())
    assert abs(np.mean(honest)) < 3 * np.std(honest) / 300**0.5 and np.mean(naive) > 0.03


@pytest.mark.parametrize(
    "runs, m, said",
    [
        (
            [[0.1, 0.2], [0.3, 0.4]],
            2,
            "need choose_on < 2 of 2 runs, got 2; a run that chooses does not score",
        ),
        ([[0.1, 0.2], [0.3, 0.4]], 0, "need choose_on >= 1, got 0"),
        ([[0.1, 0.2], [0.3, 0.4]], -1, "need choose_on >= 1, got -1"),
        ([[0.1, 0.2], [0.3, float("nan")]], 1, "got nan at system 1, run 1 (1 of 4 fail)"),
        ([[0.1, float("-inf")], [0.3, 0.4]], 1, "got -inf at system 0, run 1 (1 of 4 fail)"),
        ([[0.1, 0.2]], 1, "at least two systems by two runs, got shape (1, 2)"),
        ([[0.1], [0.2]], 1, "got shape (2, 1)"),
        ([0.1, 0.2], 1, "got shape (2,)"),
        ([], 1, "got shape (0,)"),
        (0.5, 1, "got shape ()"),
        ([[[0.1, 0.2]] * 2] * 2, 1, "got shape (2, 2, 2)"),
        ([[0.1, 0.2], [0.3]], 1, "runs must hold rows of one length"),
        (
            np.zeros((2, 40)),
            20,
            (
                "need at most 2,097,152 splits, got 137,846,528,820 of 40 runs with choose_on=20;"
                " choose on fewer"
            ),
        ),
    ],
)
def test_refused(runs, m, said):
    with pytest.raises(ValueError) as told:
        selected_score(runs, m)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "runs, m, said",
    [
        ("text", 1, "runs must hold numbers, got 'text'"),
        ([[None, 1], [1, 1]], 1, "runs must hold numbers, got None"),
        ([[0.1, 0.2], [0.3, 0.4]], 1.0, "choose_on must be an int, got 1.0"),
        ([[0.1, 0.2], [0.3, 0.4]], True, "choose_on must be an int, got True"),
    ],
)
def test_refused_kinds(runs, m, said):
    with pytest.raises(TypeError) as told:
        selected_score(runs, m)
    assert said in str(told.value)
