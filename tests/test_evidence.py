"""Evidence of a difference that may be watched: vectors, fractions, chances added up exactly,
refusals."""

import json
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import difference_evidence

VECTORS = json.loads(
    (Path(__file__).parent / "vectors" / "crossed_selected_evidence.json").read_text("utf-8")
)["evidence"]
STAKES = [Fraction(i, 10) for i in range(1, 10)]
HALVES = [Fraction(i, 2) for i in range(-2, 3)]


def listed(x, m):
    "The same in fractions, after the last question."
    return sum(prod(1 + s * (d - m) / (1 + abs(m)) for d in x) for s in STAKES) / 9


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_vectors(case):
    x, m = [Fraction(one) for one in case["x"]], Fraction(case["margin"])
    found = difference_evidence(np.array(x, float), float(m))
    np.testing.assert_allclose(found, case["evidence"], rtol=1e-13)
    np.testing.assert_allclose(
        found, [float(listed(x[:t], m)) for t in range(1, len(x) + 1)], rtol=1e-13
    )
    assert difference_evidence(x, m).tolist() == found.tolist(), "fractions are numbers"


@pytest.mark.parametrize(
    "margin",
    [Fraction(0), Fraction(1, 20), Fraction(-1, 50), Fraction(99, 100), Fraction(-99, 100)],
)
def test_every_short_path_in_fractions(margin):
    for t in range(1, 5):
        paths = list(product(HALVES, repeat=t))
        found = difference_evidence(np.array(paths, float), float(margin))
        assert found.shape == (len(paths), t)
        # Where everything but a hundredth is lost, 1 less the stake is what rounding leaves.
        np.testing.assert_allclose(
            found[:, -1], [float(listed(x, margin)) for x in paths], rtol=1e-13
        )


@pytest.mark.parametrize("margin", [Fraction(0), Fraction(1, 3), Fraction(-1, 20)])
@pytest.mark.parametrize("values", [(-1, 1), (-1, 0, 1), (Fraction(-1, 2), 0, 1)])
def test_the_mean_is_one_at_the_margin_and_less_below(values, margin):
    low, high = values[0], values[-1]

    def mean_after(t, true):
        rise = (true - low) / (high - low)
        law = (
            {low: (1 - rise) / 2, high: rise / 2, true: Fraction(1, 2)}
            if len(values) == 3
            else {low: 1 - rise, high: rise}
        )
        return sum(prod(law[v] for v in x) * listed(x, margin) for x in product(law, repeat=t))

    for t in 1, 2, 4:
        assert mean_after(t, margin) == 1
        assert mean_after(t, margin - Fraction(1, 8)) < 1 < mean_after(t, margin + Fraction(1, 8))


@pytest.mark.parametrize("chance, looks", [(1, 400), (0.5, 400), (0.2, 200)])
def test_the_level_at_every_look_is_added_up_exactly(chance, looks):
    "Equal systems that differ on some questions, by 1: the chance that evidence ever reaches 20."

    def reached(both):
        alive, alarm = np.zeros((looks + 2, looks + 2)), 0.0
        alive[0, 0] = 1.0
        wins, losses = np.ogrid[: looks + 2, : looks + 2]
        up = np.mean([(1 + s) ** wins * (1 - s) ** losses for s in np.arange(1, 10) / 10], 0)
        rich = (up >= 20) | ((up.T >= 20) if both else False)
        for _ in range(looks):
            moved = alive * (1 - chance)
            moved[1:] += alive[:-1] * chance / 2
            moved[:, 1:] += alive[:, :-1] * chance / 2
            alarm, alive = alarm + moved[rich].sum(), np.where(rich, 0, moved)
        return alarm

    one, either = reached(both=False), reached(both=True)
    assert 0.02 < one < 0.05 and one < either <= 2 * one
    if chance == 1:
        assert one == pytest.approx(0.0383, abs=1e-4), "as the page says"


@pytest.mark.parametrize("margin", [0, -0.02, 0.1])
def test_the_level_at_every_look_by_simulation(margin):
    "Four samples a question, a look after each of 400, the mean difference at the margin."
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 0.6, (1500, 400))
    gain = max(margin, 0) / 0.5, max(-margin, 0) / 0.5
    old, new = (rng.binomial(4, p + one * (1 - p)) for one in gain[::-1])
    x = (new - old) / 4
    assert abs(x.mean() - margin) < 0.002
    better, worse = (difference_evidence(sign * x, sign * margin).max(-1) >= 20 for sign in (1, -1))
    assert better.mean() <= 0.05 and worse.mean() <= 0.05 and (better | worse).mean() <= 0.08


def test_long_paths_keep_their_digits():
    losses, wins = np.full(1000, -1.0), np.full(3000, 1.0)
    found = difference_evidence(np.r_[losses, wins])
    for t in 300, 1000, 1400, 2500:
        x = [Fraction(v) for v in (-1, 1)]
        exact = (
            sum((1 + s * x[0]) ** min(t, 1000) * (1 + s * x[1]) ** max(t - 1000, 0) for s in STAKES)
            / 9
        )
        assert found[t - 1] == pytest.approx(float(exact), rel=1e-12)
    assert found[-1] == np.inf or found[-1] > 1e200
    assert not np.isnan(difference_evidence(np.ones(10_000))).any(), "beyond floats it is infinite"
    assert difference_evidence(np.zeros(3)).tolist() == [1, 1, 1]


def test_rows_are_paths():
    x = np.random.default_rng(0).uniform(-1, 1, (3, 4, 600))
    found = difference_evidence(x, 0.1)
    assert found.shape == x.shape
    np.testing.assert_array_equal(found[1, 2], difference_evidence(x[1, 2], 0.1))


@pytest.mark.parametrize(
    "x, margin, said",
    [
        ([0.1, float("nan")], 0, "x must lie in [-1, 1], got nan at question 1 (1 of 2 fail)"),
        ([0.1, 1.5], 0, "x must lie in [-1, 1], got 1.5 at question 1 (1 of 2 fail)"),
        ([2.0, -3.0], 0, "got 2.0 at question 0 (2 of 2 fail)"),
        ([], 0, "x must hold at least one difference, got shape (0,)"),
        (0.5, 0, "at least one difference, got shape ()"),
        ([[0.1], [0.1, 0.2]], 0, "x must hold rows of one length"),
        ([0.1], 1, "need -1 < margin < 1, got 1"),
        ([0.1], -1, "need -1 < margin < 1, got -1"),
        ([0.1], float("nan"), "need -1 < margin < 1, got nan"),
        ([0.1], 2, "need -1 < margin < 1, got 2"),
    ],
)
def test_refused(x, margin, said):
    with pytest.raises(ValueError) as told:
        difference_evidence(x, margin)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "x, margin, said",
    [
        ("text", 0, "x must hold numbers, got 'text'"),
        ([None], 0, "x must hold numbers, got None"),
        ([0.1], "a", "margin must hold numbers, got 'a'"),
        ([0.1], [0, 1], "margin must be one number"),
    ],
)
def test_refused_kinds(x, margin, said):
    with pytest.raises(TypeError) as told:
        difference_evidence(x, margin)
    assert said in str(told.value)
