"Paired comparison, bands over all k, confidence sequences: published values, exact laws, seeded simulations."
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.inference import comparison as c
from sampling_eval.inference.sequential import betting_wealth, confidence_sequence
from sampling_eval.metrics.passk import pass_at_k

DATA = Path(__file__).parents[1] / "nbs" / "data" / "deepscaler32k_counts.csv"
SWEEP = settings(derandomize=True, deadline=None, max_examples=60)


@pytest.fixture(scope="module")
def curves():
    table = np.genfromtxt(DATA, delimiter=",", names=True, dtype=None, encoding="utf-8")
    k = np.arange(1, 129)
    return pass_at_k(table["n"], table["c_base"], k), pass_at_k(table["n"], table["c_rl"], k), k


def test_aime_and_gsm8k():
    r1 = np.array([4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1]) / 4
    o3 = np.array([4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4]) / 4
    one = c.paired_difference(r1, o3)
    np.testing.assert_allclose([one.difference, one.stderr, one.stderr_unpaired],
                               [11 / 60, .07506610843064022, .0927960727138337], rtol=1e-12)
    np.testing.assert_allclose(one.correlation, np.corrcoef(r1, o3)[0, 1], rtol=1e-12)
    assert (one.wins, one.ties, one.losses) == (6, 8, 1) and one.moved(1)[0].question == 14
    a, b = (np.repeat(x, [306, 209, 152, 652]) for x in ([1, 0, 1, 0], [1, 1, 0, 0]))
    gsm = c.paired_difference(a, b)
    assert gsm.p.method == "McNemar, exact" and (gsm.wins, gsm.losses) == (209, 152)
    np.testing.assert_allclose([gsm.p.value, gsm.test("sign-flip").value, gsm.difference, gsm.stderr_unpaired],
                               [.003150656880360618, .003150656880360618, .043214556482183475, .01877630427557716], rtol=1e-10)


def test_published_band(curves):
    base, rl, k = curves
    published = {1: (.07595813679245284, .004103778183680334), 2: (.05236835629921262, .003958598146210025),
                 10: (.010554006889041647, .003661842077579254), 11: (.009037706450377585, .0036898410796184456),
                 60: (-.012187828942834114, .004817023198645376), 61: (-.012393483111493872, .004836309383431604),
                 128: (-.01981132075471698, .0063021453965514665)}
    curve = c.paired_curve(base, rl, k)
    for j, row in published.items():
        np.testing.assert_allclose((curve.difference[j - 1], curve.stderr[j - 1]), row, rtol=0, atol=1e-9)
    assert abs(curve.critical - 2.556583591400162) < .015
    assert curve.gains.tolist() == [*range(1, 11)] and curve.losses.tolist() == [*range(61, 129)]
    assert curve.undecided.tolist() == [*range(11, 61)] and curve.first_loss.tolist() == [*range(11, 62)] and not curve.may_never_lose
    again = c.paired_curve(base, rl, k, rng=0)
    assert again.critical == curve.critical
    back = c.paired_curve(rl, base, k)
    np.testing.assert_allclose(back.low, -curve.high, atol=1e-14)


def test_two_budgets_match_an_integral():
    from scipy import integrate
    from scipy.special import ndtr
    x, y = np.random.default_rng(0).random((2, 5000))
    b = np.column_stack([x, .8 * x + .2 * y])
    rho = np.corrcoef(b.T)[0, 1]
    side = (1 - rho**2)**.5
    inside = lambda z: integrate.quad(lambda u: np.exp(-u**2 / 2) / (2 * np.pi)**.5 * (
        ndtr((z - rho * u) / side) - ndtr((-z - rho * u) / side)), -z, z)[0]
    critical = c.paired_curve(np.zeros_like(b), b, [1, 2]).critical
    assert abs(inside(critical) - .95) < .002


def test_a_doubled_budget_changes_nothing():
    x = np.random.default_rng(0).random((30, 1))
    one, two = (c.paired_curve(np.zeros_like(b), b, np.arange(1, b.shape[1] + 1)) for b in (x, np.repeat(x, 3, 1)))
    assert abs(one.critical - two.critical) < 1e-6


def test_budgets_without_spread_have_width_and_cover():
    rng, missed = np.random.default_rng(0), 0
    for _ in range(200):
        a = np.zeros((60, 3))
        b = np.column_stack([rng.random(60) < .02, rng.random(60) < .5, np.zeros(60)]).astype(float)
        curve = c.paired_curve(a, b, [1, 2, 3], draws=500)
        truth = np.array([.02, .5, 0])
        assert (curve.high > curve.low).all() and curve.method == "anchored-sup-t"
        missed += not ((curve.low <= truth) & (truth <= curve.high)).all()
    assert missed <= 16
    same = c.paired_curve(np.ones((50, 2)), np.ones((50, 2)), [1, 2])
    assert (same.low < 0).all() and (same.high > 0).all()
    one = c.paired_curve(np.zeros((1, 2)), np.ones((1, 2)), [1, 2])
    assert (one.low < 0).all() and (one.high == 1).all() and one.may_never_lose
    with pytest.raises(ValueError, match="sup-t needs questions that differ, got none at k=1"):
        c.paired_curve(np.zeros((1, 2)), np.ones((1, 2)), [1, 2], method="sup-t")


def test_clusters_count_as_units_in_the_band():
    rng = np.random.default_rng(0)
    b = np.repeat(rng.integers(0, 2, (20, 1)).astype(float), 10, 0)
    cluster = np.arange(200) // 10
    grouped, naive = (c.paired_curve(np.zeros_like(b), b, [1], cluster=g) for g in (cluster, None))
    assert grouped.method == "anchored-sup-t" and naive.method == "sup-t"
    assert grouped.high[0] - grouped.low[0] > 2.5 * (naive.high[0] - naive.low[0])


def test_single_budget_is_the_interval_of_the_mean():
    a, b = np.random.default_rng(3).integers(0, 5, (2, 20)) / 4
    for cluster in None, np.arange(20) // 3:
        one = c.paired_difference(a, b, cluster=cluster)
        for band, method in ("anchored-sup-t", "anchored-t"), ("sup-t", "t"):
            curve = c.paired_curve(a[:, None], b[:, None], [1], cluster=cluster, method=band)
            want = one.confidence_interval(method=method)
            np.testing.assert_allclose([curve.low[0], curve.high[0]], [want.low, want.high], atol=1e-9)


def test_band_covers_small_samples():
    rng, missed = np.random.default_rng(1), 0
    k = np.arange(1, 9)
    truth = lambda p: (1 - (1 - p[:, None])**k).mean(0)
    big = rng.beta(.7, .7, 200_000)
    want = truth(big**.5) - truth(big)
    for _ in range(300):
        p = rng.beta(.7, .7, 40)
        curve = c.paired_curve(pass_at_k(8, rng.binomial(8, p), k), pass_at_k(8, rng.binomial(8, p**.5), k), k, draws=500)
        missed += not ((curve.low <= want) & (want <= curve.high)).all()
    assert missed <= 30


def listed(d):
    sums = [abs(sum(s * x for s, x in zip(signs, d))) for signs in product([-1, 1], repeat=len(d))]
    return Fraction(sum(s >= abs(sum(d)) for s in sums), 2**len(d))


@SWEEP
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9), st.sampled_from([1, 3, 7, 128]))
def test_sign_flip_by_every_route(d, scale):
    want = float(listed(d))
    assert abs(c.sign_flip(np.array(d) / scale).value - want) < 1e-14
    assert abs(c.sign_flip(np.array(d) * np.pi).value - want) < 1e-14
    assert c.sign_flip(np.negative(d)).value == c.sign_flip(d).value


def test_long_sign_flips():
    rng = np.random.default_rng(0)
    d = rng.integers(-8, 10, 500) / 8
    exact, drawn = c.sign_flip(d), c.sign_flip(d * np.pi)
    assert exact.method == "sign-flip, exact" and drawn.method == "sign-flip, 9999 draws"
    assert abs(exact.value - drawn.value) < 4 * (exact.value * (1 - exact.value) / 9999)**.5 + 2e-4
    assert c.sign_flip(d * np.pi, rng=0).value == drawn.value != c.sign_flip(d * np.pi, rng=5).value
    halves = rng.normal(size=36) + .3
    steps = np.round(halves * 64) / 64
    assert abs(c._flips_by_halves(steps) - c.sign_flip(steps).value) < 1e-12


def test_clusters_flip_together():
    d, cluster = np.array([1, 1, -1, 1, 1, 1]), [0, 0, 1, 2, 2, 1]
    assert c.sign_flip(d, cluster=cluster).value == float(listed([2, 0, 2]))
    a, b = np.zeros(6), np.maximum(d, 0)
    assert c.paired_difference(a, b, cluster=cluster).p.method.startswith("sign-flip")


@SWEEP
@given(st.integers(0, 40), st.integers(0, 40))
def test_chance_is_a_beta_law_for_single_samples(wins, losses):
    n = wins + losses + 1
    want = float(Fraction(sum(comb(n, j) for j in range(wins + 1)), 2**n))
    got = c.chance_above_zero(np.r_[np.ones(wins), -np.ones(losses), 0])
    assert abs(got - want) < 1e-12
    assert abs(got + c.chance_above_zero(np.r_[-np.ones(wins), np.ones(losses), 0]) - 1) < 1e-12


def test_chance_does_not_depend_on_scale_and_keeps_small_tails():
    d = np.random.default_rng(0).normal(size=30)
    assert abs(c.chance_above_zero(d) - c.chance_above_zero(d * 1e-3)) < 1e-11
    np.testing.assert_allclose(c.chance_above_zero(-np.ones(60)), .5**61, rtol=1e-9)
    draws = np.random.default_rng(1).exponential(size=(200_000, 32)) @ np.r_[d, np.abs(d).max() * np.array([1, -1])]
    assert abs(c.chance_above_zero(d) - (draws > 0).mean()) < .005


def test_holm_and_ranking():
    np.testing.assert_allclose(c.holm([.01, .04, .03, .005]), [.03, .06, .06, .02])
    assert c.holm([]).tolist() == []
    rng = np.random.default_rng(0)
    p = rng.beta(2, 2, 400)
    values = {name: rng.binomial(4, np.clip(p + gain, 0, 1)) / 4 for name, gain in (("a", 0), ("b", 0), ("c", .15), ("d", -.2))}
    ranking = c.compare_all(values)
    assert ranking.systems[0] == "c" and ranking.systems[-1] == "d"
    assert sorted(map(len, ranking.tied)) == [1, 1, 2]
    assert ranking.rank_low.tolist() == [1, 2, 2, 4] and ranking.rank_high.tolist() == [1, 3, 3, 4]
    two = c.compare_all({"x": [1, 0, 1], "y": [1, 0, 1]})
    assert two.tied == [("x", "y")] and "rank 1..2" in repr(two)


def test_align():
    found = c.align(["a", "b", "c"], np.array(["c", "b", "x"]), on_unmatched="drop")
    assert found.names == ("b", "c") and found.a.tolist() == [1, 2] and found.b.tolist() == [1, 0]
    assert repr(found) == "2 in both, 1 only in A ('a'), 1 only in B ('x')"
    names = [f"q{i}" for i in range(9)]
    with pytest.raises(ValueError, match=r"5 in both, 4 only in A \('q5', 'q6', 'q7', ...\), 0 only in B"): c.align(names, names[:5])
    with pytest.raises(ValueError, match="got 'a' 2 times in B"): c.align(["a"], ["a", "a"])
    with pytest.raises(ValueError, match="names are int in A and str in B"): c.align([1], ["1"], on_unmatched="drop")
    with pytest.raises(ValueError, match="on_unmatched must be"): c.align([1], [1], on_unmatched="inner")


@pytest.mark.parametrize("call, text", [
    (lambda: c.paired_difference([1, 0], [1]), "got 2 and 1"),
    (lambda: c.paired_difference([1, 0], [1, 2]), r"b must lie in \[0, 1\], got 2.0 at question 1"),
    (lambda: c.paired_difference([], []), "one number per question"),
    (lambda: c.paired_difference([1, 0], [1, 1], cluster=["x"]), "one name per question"),
    (lambda: c.paired_difference([1, 0], [1, 1]).test("z"), "method must be"),
    (lambda: c.paired_curve(np.ones((3, 2)), np.ones((3, 2)), [2, 1]), "k must ascend, got 1 after 2"),
    (lambda: c.paired_curve(np.ones((3, 2)), np.ones((3, 1)), [1, 2]), "need a and b of shape"),
    (lambda: c.compare_all({"a": [1, 0]}), "at least two systems"),
    (lambda: c.holm([.5, 2]), "numbers in"),
    (lambda: c.mcnemar(-1, 2), "0 or more"),
    (lambda: confidence_sequence([]), "at least one difference"),
    (lambda: confidence_sequence([np.nan]), "got nan"),
    (lambda: confidence_sequence([0.], confidence_level=2), "confidence_level"),
])
def test_refused(call, text):
    with pytest.raises(ValueError, match=text): call()


def test_rewards_without_bounds():
    one = c.paired_difference([10., 12, 9, 30], [11., 15, 9, 33], bounds=None)
    assert one.difference == 1.75 and one.confidence_interval().method == "t"


def test_one_question():
    one = c.paired_difference([0], [1])
    assert one.stderr is None and one.p.value == 1 and one.chance == .75 and "undefined" in repr(one)
    assert one.confidence_interval().low < 0 < one.confidence_interval().high


def test_type_one_error():
    rng = np.random.default_rng(0)
    p = rng.beta(.6, .6, (600, 40))
    x, y = rng.binomial(8, p) / 8, rng.binomial(8, p) / 8
    found = [(one.p.value <= .05, one.test("t").value <= .05) for one in map(c.paired_difference, x, y)]
    exact, t = np.mean(found, 0)
    assert .02 <= exact <= .07 and .03 <= t <= .07


def test_confidence_sequence_is_the_set_of_unrefuted_claims():
    rng = np.random.default_rng(0)
    d = np.clip(rng.normal(.2, .4, 300), -1, 1)
    whole, bets = confidence_sequence(d), np.linspace(-1, 1, 41)
    assert (np.diff(whole.low) >= 0).all() and (np.diff(whole.high) <= 0).all()
    for m in bets:
        if betting_wealth(d, m).max() < 20: assert whole.low[-1] <= m + 1e-9 and m <= whole.high[-1] + 1e-9
    mirrored = confidence_sequence(-d)
    np.testing.assert_allclose(mirrored.low, -whole.high, atol=.0011)


def test_wealth_is_fair():
    laws = [(1, .3), (-.5, .6), (0, .1)]
    mean = sum(x * p for x, p in laws)
    total = sum(np.prod([p for _, p in path]) * betting_wealth([x for x, _ in path], mean)[-1] for path in product(laws, repeat=5))
    assert abs(total - 1) < 1e-12


def test_no_peeking_penalty():
    rng = np.random.default_rng(2)
    p = rng.beta(.6, .6, (1000, 300))
    d = (rng.binomial(4, p) - rng.binomial(4, p)) / 4
    assert (betting_wealth(d, 0).max(-1) >= 20).mean() <= .05


def test_data_is_the_published_file():
    table = np.genfromtxt(DATA, delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert len(table) == 1060 and (table["n"] == 128).all() and table["c_base"].mean() / 128 == pytest.approx(.6041052476415094, abs=1e-12)
