"B minus A at many budgets: published values, one meaning of sup-t, coverage, refusals."

from pathlib import Path

import numpy as np
import pytest
from printed import check_printed

from sampling_eval.inference.bands import (
    curve_of,
    PairedCurve,
    join_runs,
    paired_curve,
    simultaneous_band,
)
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.units import units_of
from sampling_eval.metrics.passk import pass_at_k

DATA = Path(__file__).parents[1] / "sampling_eval" / "examples" / "deepscaler32k_counts.csv"


@pytest.fixture(scope="module")
def curves():
    table = np.genfromtxt(DATA, delimiter=",", names=True, dtype=None, encoding="utf-8")
    k = np.arange(1, 129)
    return pass_at_k(table["n"], table["c_base"], k), pass_at_k(table["n"], table["c_rl"], k), k


def test_published_band(curves):
    base, rl, k = curves
    published = {
        1: (0.07595813679245284, 0.004103778183680334),
        2: (0.05236835629921262, 0.003958598146210025),
        10: (0.010554006889041647, 0.003661842077579254),
        11: (0.009037706450377585, 0.0036898410796184456),
        60: (-0.012187828942834114, 0.004817023198645376),
        61: (-0.012393483111493872, 0.004836309383431604),
        128: (-0.01981132075471698, 0.0063021453965514665),
    }
    curve = paired_curve(base, rl, k, method="sup-t")
    for j, row in published.items():
        np.testing.assert_allclose(
            (curve.difference[j - 1], curve.stderr[j - 1]), row, rtol=0, atol=1e-9
        )
    assert abs(curve.critical - 2.556583591400162) < 0.015
    assert curve.gains.tolist() == [*range(1, 11)] and curve.losses.tolist() == [*range(61, 129)]
    assert (
        curve.inconclusive.tolist() == [*range(11, 61)]
        and curve.first_loss.tolist() == [*range(11, 62)]
        and not curve.may_never_lose
    )
    back = paired_curve(rl, base, k, method="sup-t")
    np.testing.assert_allclose(back.low, -curve.high, atol=1e-9)
    assert paired_curve(base, rl, k).critical == paired_curve(base, rl, k).critical


def test_every_method_certifies_part_of_the_published_verdict(curves):
    base, rl, k = curves
    for method in None, "gaffke":
        curve = paired_curve(base, rl, k, method=method)
        assert set(curve.gains.tolist()) <= {*range(1, 11)} and set(curve.losses.tolist()) <= {
            *range(61, 129)
        }
    assert (
        paired_curve(base, rl, k).gains.size
        and curve.method == "gaffke, Bonferroni over 128 budgets"
    )


def test_sup_t_means_one_thing():
    rng = np.random.default_rng(0)
    a, b = np.sort(rng.random((2, 25, 6)), 2)
    for method in "sup-t", "anchored-sup-t", "gaffke":
        for cluster in None, np.arange(25) // 3:
            curve = paired_curve(a, b, np.arange(1, 7), method=method, cluster=cluster)
            band = simultaneous_band(b - a, method=method, bounds=(-1, 1), cluster=cluster)
            assert curve.critical == band.critical and curve.method == band.method
            np.testing.assert_array_equal(
                [curve.low, curve.high, curve.stderr], [band.low, band.high, band.stderr]
            )


def test_one_budget_is_the_interval_of_the_difference():
    a, b = np.random.default_rng(3).integers(0, 5, (2, 20)) / 4
    for cluster in None, np.arange(20) // 3:
        one = paired_difference(a, b, cluster=cluster)
        for band, method in ("anchored-sup-t", "anchored-t"), ("gaffke", "gaffke"):
            curve = paired_curve(a[:, None], b[:, None], [1], cluster=cluster, method=band)
            want = one.confidence_interval(method=method)
            np.testing.assert_allclose(
                [curve.low[0], curve.high[0]], [want.low, want.high], atol=1e-9
            )


def test_a_doubled_budget_changes_nothing():
    x = np.random.default_rng(0).random((30, 1))
    one, two = (
        paired_curve(np.zeros_like(b), b, np.arange(1, b.shape[1] + 1))
        for b in (x, np.repeat(x, 3, 1))
    )
    assert abs(one.critical - two.critical) < 1e-6


def test_budgets_without_spread_have_width_and_cover():
    "100 seeded runs; the law of rare one-sided moves at which half-weight anchors held 86.7 %."
    rng, missed = np.random.default_rng(0), np.zeros(2)
    for _ in range(100):
        a = np.zeros((60, 3))
        b = np.column_stack([rng.random(60) < 0.03, rng.random(60) < 0.5, np.zeros(60)]).astype(
            float
        )
        truth = np.array([0.03, 0.5, 0])
        for i, method in enumerate((None, "gaffke")):
            curve = paired_curve(a, b, [1, 2, 3], method=method)
            assert (curve.high > curve.low).all()
            missed[i] += not ((curve.low <= truth) & (truth <= curve.high)).all()
    # Standard error of a rate of .05 in 100 runs: 2.2 %.
    assert (missed / 100 <= 0.05 + 3 * 0.022).all()
    same = paired_curve(np.ones((50, 2)), np.ones((50, 2)), [1, 2])
    assert (same.low < 0).all() and (same.high > 0).all()
    one = paired_curve(np.zeros((1, 2)), np.ones((1, 2)), [1, 2])
    assert (one.low < 0).all() and (one.high == 1).all() and one.may_never_lose
    with pytest.raises(ValueError, match="differ, got none at column 0"):
        paired_curve(np.zeros((1, 2)), np.ones((1, 2)), [1, 2], method="sup-t")


def test_clusters_count_as_units_in_the_band():
    rng = np.random.default_rng(0)
    b = np.repeat(rng.integers(0, 2, (20, 1)).astype(float), 10, 0)
    grouped, naive = (
        paired_curve(np.zeros_like(b), b, [1], cluster=g) for g in (np.arange(200) // 10, None)
    )
    assert grouped.high[0] - grouped.low[0] > 2 * (naive.high[0] - naive.low[0])


def test_band_covers_small_samples():
    rng, missed = np.random.default_rng(1), 0
    k = np.arange(1, 9)
    truth = lambda p: (1 - (1 - p[:, None]) ** k).mean(0)
    big = rng.beta(0.7, 0.7, 200_000)
    want = truth(big**0.5) - truth(big)
    for _ in range(300):
        p = rng.beta(0.7, 0.7, 40)
        curve = paired_curve(
            pass_at_k(8, rng.binomial(8, p), k), pass_at_k(8, rng.binomial(8, p**0.5), k), k
        )
        missed += not ((curve.low <= want) & (want <= curve.high)).all()
    # Standard error of a rate of .05 in 300 runs: 1.3 %.
    assert missed / 300 <= 0.05 + 3 * 0.013


ones = np.ones((3, 2))


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: paired_curve(ones, ones, [2, 1]), "k must ascend, got 1 after 2"),
        (lambda: paired_curve(ones, ones, [1, 1]), "k must ascend, got 1 after 1"),
        (lambda: paired_curve(np.eye(3), np.eye(3), [1, 3, 2]), "k must ascend, got 2 after 3"),
        (lambda: paired_curve(ones, ones[:, :1], [1, 2]), "need a and b of shape"),
        (lambda: paired_curve(ones, ones, [1]), "need a and b of shape"),
        (lambda: paired_curve(ones, ones, [0, 1]), "k >= 1"),
        (lambda: paired_curve(ones, ones, [1, np.nan]), "k must hold integers"),
        (lambda: paired_curve(ones, ones, ["a", "b"]), "k must hold integers"),
        (lambda: paired_curve([1], [1], [1]), r"a must have shape \(Q, K\)"),
        (lambda: paired_curve(ones, ones * 2, [1, 2]), r"b must lie in \[0, 1\]"),
        (lambda: paired_curve(ones * np.nan, ones, [1, 2]), "a must be finite"),
        (lambda: paired_curve([["x"]], [["y"]], [1]), "a must be numbers"),
        (
            lambda: paired_curve(ones, np.ma.array(ones, mask=ones), [1, 2]),
            "b must be a plain array",
        ),
        (lambda: paired_curve([[1, 0], [1]], ones, [1, 2]), "rows of one length"),
        (lambda: paired_curve(ones, ones, [1, 2], confidence_level=0), "confidence_level"),
        (lambda: paired_curve(ones, ones, [1, 2], method="t"), "method must be"),
        (lambda: paired_curve(ones, ones, [1, 2], bounds=(1, 0)), "two ascending"),
        (lambda: paired_curve(ones, ones, [1, 2], bounds=None, method="gaffke"), "bounds=None"),
        (lambda: paired_curve(ones, ones, [1, 2], cluster=[1]), "cluster must hold"),
    ],
)
def test_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


# Verdicts by hand.


def curve_between(low, high, k=(1, 2, 3, 5)):
    "A curve with these edges."
    low, high = np.array(low, float), np.array(high, float)
    return PairedCurve(
        np.array(k),
        (low + high) / 2,
        (high - low) / 4,
        low,
        high,
        2.5,
        0.9,
        40,
        "sup-t (approximate)",
    )


@pytest.mark.parametrize(
    "low, high, gains, undecided, losses, first, never",
    [
        ([0.1] * 4, [0.2] * 4, [1, 2, 3, 5], [], [], [], True),
        ([-0.2] * 4, [-0.1] * 4, [], [], [1, 2, 3, 5], [1], False),
        ([-0.1] * 4, [0.1] * 4, [], [1, 2, 3, 5], [], [1, 2, 3, 5], True),
        ([0] * 4, [0.1] * 4, [], [1, 2, 3, 5], [], [], True),
        ([-0.1] * 4, [0] * 4, [], [1, 2, 3, 5], [], [1, 2, 3, 5], True),
        ([0.1, -0.1, -0.2, -0.3], [0.2, 0.1, -0.1, -0.1], [1], [2], [3, 5], [2, 3], False),
        ([-0.2, -0.1, 0.1, 0], [-0.1, 0.1, 0.2, 0], [3], [2, 5], [1], [1], False),
    ],
)
def test_verdicts_of_a_curve(low, high, gains, undecided, losses, first, never):
    curve = curve_between(low, high)
    assert [
        o.tolist() for o in (curve.gains, curve.inconclusive, curve.losses, curve.first_loss)
    ] == [gains, undecided, losses, first]
    assert curve.may_never_lose == never


@pytest.mark.parametrize(
    "low, high, said",
    [
        (
            [0.1, -0.1, -0.2, -0.3],
            [0.2, 0.1, -0.1, -0.1],
            "gain at k = 1; inconclusive at k = 2; loss at k = 3, 5;\n  first loss 2..3",
        ),
        ([-0.2] * 4, [-0.1] * 4, "loss at k = 1..3, 5;\n  first loss 1"),
        ([0.1] * 4, [0.2] * 4, "gain at k = 1..3, 5;\n  first loss none"),
        ([-0.1, 0, 0, 0], [0.2] * 4, "inconclusive at k = 1..3, 5;\n  first loss 1 or none"),
    ],
)
def test_a_curve_says_where_it_gains_and_loses(low, high, said):
    assert repr(curve_between(low, high)) == (
        "PairedCurve(B - A over 40 questions, 90 % band for 4 budgets,\n"
        f"  sup-t (approximate), critical value 2.500:\n  {said})"
    )


def test_the_curve_of_units_holds_at_95_percent_by_default():
    a, b = np.random.default_rng(0).random((2, 9, 3))
    units = units_of(b - a, bounds=(-1, 1))
    found, want = curve_of(units, [1, 2, 4]), paired_curve(a, b, [1, 2, 4])
    assert found.confidence_level == 0.95
    for name in "low", "high", "difference", "k":
        assert getattr(found, name) == pytest.approx(getattr(want, name), rel=1e-12)


@pytest.mark.parametrize(
    "k, said",
    [([4], "4"), ([4, 5], "4..5"), ([1, 3, 5], "1, 3, 5"), ([7, 1, 2, 3, 9, 10], "1..3, 7, 9..10")],
)
def test_runs(k, said):
    assert join_runs(k) == said


def test_a_curve_in_numbers():
    a, b = np.array(
        [[0.25, 0.4, 0.5], [0, 0.1, 0.2], [1, 1, 1], [0.5, 0.7, 0.9], [0, 0, 0]]
    ), np.array([[0.5, 0.6, 0.7], [0.25, 0.2, 0.2], [1, 1, 1], [0.25, 0.6, 0.8], [0.75, 0.8, 0.9]])
    lines = []
    cases = [
        {},
        dict(confidence_level=0.8),
        dict(method="gaffke"),
        dict(method="sup-t"),
        dict(bounds=None),
        dict(cluster=[1, 1, 2, 2, 3]),
        dict(bounds=(-1, 2)),
    ]
    for options in cases:
        curve = paired_curve(a, b, [1, 2, 4], **options)
        lines += [
            f"{options}: {curve!r}",
            *(
                " ".join(f"{x:.9f}" for x in getattr(curve, name))
                for name in ("difference", "stderr", "low", "high")
            ),
        ]
    check_printed("estimates", "curves", "\n".join(lines))
    assert paired_curve(a, b, [1, 2, 4]).difference == pytest.approx((b - a).mean(0))
    assert paired_curve(a, b, [1, 2, 4]).confidence_level == 0.95
    assert paired_curve(a, b, [1, 2, 4]).k.tolist() == [1, 2, 4]
