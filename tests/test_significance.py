"""Tests of two targets: listings in fractions, published values, level by enumeration and
simulation, refusals."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, hypergeom, multinomial, norm

from sampling_eval.foundations.credit import any_credit
from sampling_eval.inference import significance as s
from sampling_eval.inference import gaffke
from sampling_eval.inference import randomization
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.units import units_of

SWEEP = settings(derandomize=True, deadline=None, max_examples=60)
pytestmark = pytest.mark.filterwarnings("error")


def listed(d):
    sums = [abs(sum(s * x for s, x in zip(signs, d))) for signs in product([-1, 1], repeat=len(d))]
    return Fraction(sum(s >= abs(sum(d)) for s in sums), 2 ** len(d))


@SWEEP
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9), st.sampled_from([1, 3, 7, 128]))
def test_sign_flip_by_every_route(d, scale):
    want = float(listed(d))
    assert abs(s.sign_flip(np.array(d) / scale).value - want) < 1e-14
    assert abs(s.sign_flip(np.array(d) * np.pi).value - want) < 1e-14
    assert s.sign_flip(np.negative(d)).value == s.sign_flip(d).value
    for size in 1e-12, 1e6, 1e140:
        assert abs(s.sign_flip(np.array(d) * size).value - want) < 1e-14


def test_long_sign_flips():
    rng = np.random.default_rng(0)
    d = rng.integers(-8, 10, 500) / 8
    exact, drawn = s.sign_flip(d), s.sign_flip(d * np.pi)
    assert exact.method == "sign-flip, exact" and drawn.method == "sign-flip, 9999 draws"
    assert (
        abs(exact.value - drawn.value) < 4 * (exact.value * (1 - exact.value) / 9999) ** 0.5 + 2e-4
    )
    assert s.sign_flip(d * np.pi, rng=0).value == drawn.value != s.sign_flip(d * np.pi, rng=5).value
    steps = np.round((rng.normal(size=36) + 0.3) * 64) / 64
    assert abs(s.flip_by_halves(steps) - s.sign_flip(steps).value) < 1e-12
    assert s.sign_flip(np.full(30, 0.5)).value == pytest.approx(2.0 * 2.0**-30, rel=1e-12)


def test_clusters_flip_together():
    d, cluster = np.array([1, 1, -1, 1, 1, 1]), [0, 0, 1, 2, 2, 1]
    assert s.sign_flip(d, cluster=cluster).value == float(listed([2, 0, 2]))


def test_what_a_sign_flip_says():
    p = s.sign_flip([0.5, 0.5, -0.25, 0])
    assert (p.null, p.target, p.smallest) == (randomization.SYMMETRIC, "new_questions", 0.25)


@SWEEP
@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_by_fractions(wins, losses):
    few, both = min(wins, losses), wins + losses
    tail = Fraction(sum(comb(both, i) for i in range(few + 1)), 2**both)
    p, mid = s.mcnemar(wins, losses), s.mcnemar(wins, losses, mid=True)
    assert p.value == pytest.approx(float(min(1, 2 * tail)), rel=1e-12) and p.smallest == min(
        1.0, 2.0 * 2.0**-both
    )
    assert mid.value == pytest.approx(
        float(min(1, 2 * tail - Fraction(comb(both, few), 2**both))), rel=1e-12
    )
    assert s.sign_flip(np.r_[np.ones(wins), -np.ones(losses), 0]).value == pytest.approx(
        p.value, rel=1e-12
    )


def deals(tables):
    "Law of the summed difference over all deals, in fractions."
    law = {Fraction(0): Fraction(1)}
    for n_a, c_a, n_b, c_b in tables:
        pool, more = [1] * (c_a + c_b) + [0] * (n_a + n_b - c_a - c_b), {}
        for taken in combinations(range(n_a + n_b), n_a):
            right = sum(pool[i] for i in taken)
            gap = Fraction(c_a + c_b - right, n_b) - Fraction(right, n_a)
            for total, chance in law.items():
                more[total + gap] = more.get(total + gap, 0) + chance / comb(n_a + n_b, n_a)
        law = more
    return law


question = st.tuples(
    st.integers(1, 4), st.integers(1, 4), st.integers(0, 4), st.integers(0, 4)
).map(lambda o: (o[0], min(o[2], o[0]), o[1], min(o[3], o[1])))


@SWEEP
@given(st.lists(question, min_size=1, max_size=4))
def test_permutation_by_listing_every_deal(tables):
    n_a, c_a, n_b, c_b = map(np.array, zip(*tables))
    law = deals(tables)
    seen = sum(Fraction(b, m) - Fraction(a, n) for n, a, m, b in tables)
    tails = sum(p for t, p in law.items() if t <= seen), sum(p for t, p in law.items() if t >= seen)
    p = s.permutation(n_a, c_a, n_b, c_b)
    assert (
        p.value == pytest.approx(float(min(1, 2 * min(tails))), abs=1e-13)
        and p.method == "stratified permutation, exact"
    )
    least = min(law[min(law)], law[max(law)])
    assert p.smallest == pytest.approx(float(min(1, 2 * least)), rel=1e-9)
    assert s.permutation(n_b, c_b, n_a, c_a).value == pytest.approx(p.value, abs=1e-13)


def test_permutation_at_one_sample_is_mcnemar():
    a, b = (np.repeat(x, [306, 209, 152, 652]) for x in ([1, 0, 1, 0], [1, 1, 0, 0]))
    one = np.ones(len(a), int)
    p = s.permutation(one, a, one, b)
    assert (
        p.value
        == pytest.approx(s.mcnemar(209, 152).value, rel=1e-9)
        == pytest.approx(0.003150656880360618)
    )
    assert (p.null, p.target) == (randomization.SAME_CHANCE, "same_questions")


def test_drawn_deals_agree_with_the_exact_law():
    n, c_a, c_b = (
        np.full(12, 6),
        np.array([1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6]),
        np.array([3, 3, 3, 5, 6, 1, 2, 2, 5, 4, 6, 6]),
    )
    exact = s.permutation(n, c_a, n, c_b).value
    drawn = s.permutation(n, c_a, n, c_b, 2, lambda k: np.arange(k + 1) / k)
    # The mean share of two draws is the share itself.
    assert (
        abs(exact - drawn.value) < 8 * (exact / 9999) ** 0.5
        and drawn.method == "stratified permutation, 9999 draws"
    )
    again = [s.permutation(n, c_a, n, c_b, 3, any_credit, rng=seed).value for seed in (0, None, 7)]
    assert again[0] == again[1] != again[2]


@pytest.mark.parametrize(
    "count,n_a,n_b,rate", [(30, 1, 8, 0.95), (20, 1, 64, 0.95), (30, 4, 4, 0.5)]
)
def test_level_for_equal_chances(count, n_a, n_b, rate):
    "1000 seeded runs each, standard error .7 %; the sign flip at unequal n rejects in 20 to 36 %."
    rng, size = np.random.default_rng(0), (1000, count)
    a, b = rng.binomial(n_a, rate, size), rng.binomial(n_b, rate, size)
    full_a, full_b = np.full(count, n_a), np.full(count, n_b)
    exact = np.mean([s.permutation(full_a, x, full_b, y).value <= 0.05 for x, y in zip(a, b)])
    cautious = np.mean(
        [
            s.invert_gaffke(units_of(y / n_b - x / n_a, bounds=(-1, 1))).value <= 0.05
            for x, y in zip(a[:400], b[:400])
        ]
    )
    flipped = np.mean(
        [s.sign_flip(y / n_b - x / n_a).value <= 0.05 for x, y in zip(a[:400], b[:400])]
    )
    assert exact < 0.05 + 4 * 0.007 and cautious < 0.05 + 4 * 0.011
    assert flipped > 0.15 if n_a != n_b else flipped < 0.05 + 4 * 0.011


def test_each_null_has_its_own_test():
    "True differences of +.3 and -.3 at random: mean zero over the supply, chances far from equal."
    rng, n = np.random.default_rng(0), np.full(30, 64)
    found = []
    for _ in range(300):
        up = rng.random(30) < 0.5
        a, b = rng.binomial(64, np.where(up, 0.35, 0.65)), rng.binomial(
            64, np.where(up, 0.65, 0.35)
        )
        found.append(
            (
                s.permutation(n, a, n, b).value <= 0.05,
                s.sign_flip((b - a) / 64).value <= 0.05,
                s.invert_gaffke(units_of((b - a) / 64, bounds=(-1, 1))).value <= 0.05,
            )
        )
    same, flip, inverted = np.mean(found, 0)
    # Standard error of a rate of .05 in 300 runs: 1.3 %.
    assert same > 0.4 and flip < 0.05 + 4 * 0.013 and inverted < 0.05 + 4 * 0.013


@SWEEP
@given(st.lists(st.integers(-8, 8), min_size=1, max_size=12))
def test_inverted_interval_is_the_level_at_which_zero_leaves(d):
    units = units_of(np.array(d) / 8, bounds=(-1, 1))
    p = s.invert_gaffke(units)
    assert p.smallest <= p.value + 1e-9 and p.smallest == pytest.approx(min(1.0, 2 * 0.5 ** len(d)))
    for level in (1 - p.value) * 0.999, 1 - p.value * 0.999:
        if not 0 < level < 1:
            continue
        low, high = gaffke_interval(np.array(d) / 8, level, bounds=(-1, 1))
        out = low > 0 or high < 0
        if abs(level - 1 + p.value) > 1e-6:
            assert out == (level < 1 - p.value)


def test_smallest_p_of_many_units_in_a_wide_range():
    units = units_of(np.ones(200) * 1e6, bounds=(-1e6, 1e6))
    assert s.invert_gaffke(units).smallest == pytest.approx(2 * 0.5**200)


@pytest.mark.parametrize("count,moves", [(5, 1.0), (10, 0.5), (30, 0.2), (80, 0.1)])
def test_equal_systems_are_seldom_called_better(count, moves):
    "P(B > A) beyond .975 in at most 2.5 %, by every table of wins and losses."
    found = 0
    for wins in range(count + 1):
        for losses in range(count + 1 - wins):
            chance = multinomial.pmf(
                [wins, losses, count - wins - losses], count, [moves / 2, moves / 2, 1 - moves]
            )
            if chance < 1e-9:
                continue
            d = np.r_[np.ones(wins), -np.ones(losses), np.zeros(count - wins - losses)]
            found += chance * (s.chance_above_zero(d) > 0.975)
    assert found <= 0.025


def test_equal_systems_with_unequal_samples_are_seldom_called_better():
    "The tables at which one sample against eight called one better in 18 %: 400 seeded runs."
    rng = np.random.default_rng(0)
    a, b = rng.binomial(1, 0.95, (400, 30)), rng.binomial(8, 0.95, (400, 30)) / 8
    above = np.array([s.chance_above_zero(d) for d in b - a])
    for found in (above > 0.975, above < 0.025):
        assert found.mean() <= 0.025 + 4 * (0.025 * 0.975 / 400) ** 0.5


def test_chance_above_zero():
    d = np.random.default_rng(0).normal(size=30).clip(-1, 1)
    assert abs(s.chance_above_zero(d) + s.chance_above_zero(-d) - 1) < 1e-9
    assert abs(s.chance_above_zero(d) - s.chance_above_zero(d * 1e-3, bounds=(-1e-3, 1e-3))) < 1e-9
    np.testing.assert_allclose(s.chance_above_zero(-np.ones(60)), 0.5**60, rtol=1e-8)
    # One question at the end of the range against B: a Beta law for single samples.
    np.testing.assert_allclose(
        s.chance_above_zero(np.r_[np.ones(12), -np.ones(3)]),
        float(Fraction(sum(comb(15, i) for i in range(12)), 2**15)),
        rtol=1e-8,
    )
    assert s.chance_above_zero([0]) == s.chance_above_zero([1]) == 0.5


four = [4], [2], [4], [2]


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: s.sign_flip([]), "one number per question"),
        (lambda: s.sign_flip([np.nan]), "finite"),
        (lambda: s.sign_flip(["a"]), "must be numbers"),
        (lambda: s.sign_flip([[1, 2]]), "got 2 budgets"),
        (lambda: s.sign_flip(np.ma.array([1, 2], mask=[0, 1])), "masked"),
        (lambda: s.sign_flip([1, 2], cluster=[1]), "cluster must hold"),
        *(
            (lambda n=n: s.sign_flip([1, 2], draws=n), "draws must be a whole number of at least 1")
            for n in (0, -1, 1e3, "x")
        ),
        *(
            (lambda o=o: s.mcnemar(*o), text)
            for o, text in (
                ((-1, 2), "0 or more"),
                ((1.5, 0), "integers"),
                (("1", 0), "integers"),
                ((True, 0), "integers"),
                (([1], 2), "single numbers"),
                ((2**52, 2**52), r"2\*\*53"),
            )
        ),
        (lambda: s.permutation([4], [5], [4], [2]), "0 <= c <= n"),
        (lambda: s.permutation([4, 4], [2, 2], [4], [2]), "same questions, got 2 and 1"),
        (lambda: s.permutation([], [], [], []), "at least one"),
        (
            lambda: s.permutation([4], [2], [[4]], [[2]]),
            "counts must be one per question, got shapes",
        ),
        (lambda: s.permutation([4], [2], [4, 4], [2, 2]), "same questions, got 1 and 2"),
        (lambda: s.permutation([4], [2], [3], [2], 4, any_credit), "1 <= k <= n"),
        (lambda: s.permutation([3], [2], [4], [2], 4, any_credit), "1 <= k <= n"),
        (lambda: s.permutation([4.0], [2], [4], [2]), "integers"),
        (lambda: s.permutation([[4]], [[2]], [[4]], [[2]]), "one per question"),
        (lambda: s.permutation(*four, 5), "1 <= k <= n"),
        (lambda: s.permutation(*four, [1, 2]), "one budget"),
        (lambda: s.permutation(*four, 2, draws=0), "draws must be"),
        (lambda: s.permutation(np.ma.array([4], mask=[1]), [2], [4], [2]), "masked"),
        (lambda: s.invert_gaffke(units_of([0.5], bounds=None)), "bounds=None"),
        (lambda: s.invert_gaffke(units_of([0.5], bounds=(0, 1))), "hold 0 inside"),
        (lambda: s.invert_gaffke(units_of([-0.5], bounds=(-1, 0))), "hold 0 inside"),
        (lambda: s.chance_above_zero([-0.5], bounds=(-1, 0)), "hold 0 inside"),
        (lambda: s.invert_gaffke(units_of([[0.5, 0]], bounds=(-1, 1))), "2 budgets"),
        (lambda: s.chance_above_zero([2]), r"lie in \[-1, 1\]"),
        (lambda: s.chance_above_zero([0.5], bounds=None), "bounds=None"),
        (lambda: s.chance_above_zero([0.5], bounds=(0, 1)), "hold 0 inside"),
        (lambda: s.chance_above_zero([np.nan]), "finite"),
    ],
)
def test_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_extremes():
    assert s.permutation([10**6], [500_000], [10**6], [501_000]).value == pytest.approx(
        2 * hypergeom.cdf(500_000, 2 * 10**6, 1_001_000, 10**6), rel=1e-6
    )
    assert s.mcnemar(10**9, 10**9 + 7).value <= 1 and s.mcnemar(2000, 0).value < 1e-300
    assert (
        s.permutation([4] * 3, [4] * 3, [4] * 3, [4] * 3).value == 1
        and s.sign_flip([0, 0]).value == 1
    )
    assert s.invert_gaffke(units_of(np.full(300, 0.5), bounds=(-1, 1))).value == pytest.approx(
        2 * 1.5**-300, rel=1e-6
    )


def test_one_pick_and_no_credit_mean_the_share_of_right_samples():
    n, c_a, c_b = np.full(6, 5), np.array([1, 2, 3, 4, 5, 0]), np.array([3, 3, 4, 5, 5, 1])
    exact = s.permutation(n, c_a, n, c_b)
    assert exact == s.permutation(n, c_a, n, c_b, 3) and "exact" in exact.method
    assert exact.value == pytest.approx(
        s.permutation(n, c_a, n, c_b, 1, any_credit).value, rel=1e-12
    )


def listed_sums(sizes):
    sums = np.zeros(1)
    for size in sizes:
        sums = np.r_[sums - size, sums + size]
    return sums


@pytest.mark.parametrize("law", ["random", "standard_normal", "standard_exponential"])
def test_the_saddlepoint_against_all_signs(law):
    rng = np.random.default_rng(5)
    sizes = np.abs(getattr(rng, law)(18))
    sums = listed_sums(sizes)
    for p in 0.8, 0.5, 0.2, 0.1, 0.05, 0.02:
        signs = rng.choice([-1, 1], (20_000, 18))
        row = (
            signs[np.argmin(np.abs(np.abs(signs @ sizes) - np.quantile(np.abs(sums), 1 - p)))]
            * sizes
        )
        exact = (np.abs(sums) >= abs(row.sum()) - 1e-9).mean()
        assert randomization.flip_by_saddle(row[:, None], np.ones(18))[0] == pytest.approx(
            exact, rel=0.06
        )


@pytest.mark.parametrize("shift", [0, 0.02, 0.04, 0.055])
def test_the_saddlepoint_against_draws(shift):
    rng = np.random.default_rng(5)
    z = rng.normal(size=1000) * rng.random(1000) ** 3 + shift
    drawn = randomization.flip_by_draws(z, 40_000, np.random.default_rng(1))
    found = s.sign_flip(z)
    assert found.value == pytest.approx(drawn, abs=4 * (drawn / 40_000) ** 0.5)
    assert found.method == (
        "sign-flip, 9999 draws" if found.value < 0.01 else "sign-flip, saddlepoint (approximate)"
    )
    if found.value < 0.01:
        assert found.value == randomization.flip_by_draws(z, 9999, np.random.default_rng(0))


def test_the_saddlepoint_at_its_edges():
    ones = np.ones((60, 1))
    assert (
        randomization.flip_by_saddle(np.vstack([ones, -ones]), np.ones(120))
        == randomization.flip_by_saddle(np.zeros((3, 1)), np.ones(3))
        == 1
    )
    assert 0 <= randomization.flip_by_saddle(ones, np.ones(60))[0] < 1e-10
    z = np.random.default_rng(0).normal(size=(50, 4))
    z[:, 3] += 10 * np.abs(z[:, 2])
    each = [randomization.flip_by_saddle(z[:, [i]], np.ones(50))[0] for i in range(4)]
    np.testing.assert_allclose(randomization.flip_by_saddle(z, np.ones(50)), each, rtol=1e-9)
    np.testing.assert_allclose(randomization.flip_by_saddle(-1e4 * z, np.ones(50)), each, rtol=1e-9)
    doubled = randomization.flip_by_saddle(np.repeat(z, 2, 0), np.ones(100))
    np.testing.assert_allclose(randomization.flip_by_saddle(z, np.full(50, 2)), doubled, rtol=1e-9)


def test_the_flip_of_many_budgets_is_that_of_each():
    rng = np.random.default_rng(2)
    table, state = np.c_[
        rng.integers(-8, 9, (60, 2)) / 8,
        rng.normal(size=(60, 3)),
        rng.normal(1, 1, 60),
        np.zeros(60),
    ], rng.integers(0, 60, 90)
    table[30:, 4] = 0
    found = s.sign_flips(table, state)
    for i, one in enumerate(found):
        alone = s.sign_flip(table[state, i])
        assert one[1:] == alone[1:] and one.value == pytest.approx(alone.value, rel=1e-9)
    assert len({one.method for one in found}) == 3


@pytest.mark.parametrize("rng", [None, 3])
def test_budgets_share_the_signs_of_a_seed(rng):
    z = np.random.default_rng(2).normal(0.4, 1, (90, 4))
    z[:5, 1], z[:, 3] = 0, np.round(1.2 * z[:, 3]) * 2**0.5 + 0.3 * 3**0.5
    found = s.sign_flips(z, draws=2000, rng=rng)
    for one, column in zip(found, z.T):
        alone = s.sign_flip(column, draws=2000, rng=rng)
        assert one[1:] == alone[1:] and one.value == pytest.approx(alone.value, rel=1e-9)
        if "draws" in one.method:
            assert one.value == randomization.flip_by_draws(
                column[column != 0], 2000, np.random.default_rng(rng or 0)
            )
    assert sum("2000 draws" in one.method for one in found) >= 3


def test_a_generator_is_drawn_from_in_turn():
    z = np.random.default_rng(2).normal(0.5, 1, (90, 2))
    rng = np.random.default_rng(7)
    want = [randomization.flip_by_draws(column, 999, rng) for column in z.T]
    assert [
        one.value for one in s.sign_flips(z, draws=999, rng=np.random.default_rng(7))
    ] == want


@pytest.mark.parametrize(
    "few, throws", [(4_996_838, 10**7), (5 * 10**8 - 31_623, 10**9), (5 * 10**11 - 10**6, 10**12)]
)
def test_mcnemar_of_very_many_questions(few, throws):
    expected = 2 * binom.cdf(few, throws, 0.5)
    assert s.mcnemar(throws - few, few).value == pytest.approx(expected, rel=1e-12)
    assert s.mcnemar(few, throws - few, mid=True).value == pytest.approx(
        expected - binom.pmf(few, throws, 0.5), rel=1e-9
    )


def test_mcnemar_of_many_ties_is_one():
    assert s.mcnemar(5 * 10**7, 5 * 10**7).value == 1
    assert s.mcnemar(5 * 10**7, 5 * 10**7, mid=True).value == pytest.approx(1, abs=1e-9)
    assert s.mcnemar(0, 0).value == s.mcnemar(0, 0, mid=True).value == 1


# The pieces, by hand.


def test_one_draw_is_enough():
    for draws in 1, np.int64(1), 9999:
        randomization.check_draws(draws)
    for draws in 0, -1, 1.0, "1", None, np.int64(0):
        with pytest.raises(ValueError, match="at least 1, got"):
            randomization.check_draws(draws)
    z = np.random.default_rng(0).normal(1, 1, 60)
    assert (
        s.sign_flip(z, draws=1).value in (0.5, 1)
        and s.sign_flip(z, draws=1).method == "sign-flip, 1 draws"
    )
    assert s.permutation([4] * 3, [1, 2, 3], [4] * 3, [2, 2, 3], 2, any_credit, draws=1).value in (
        1.0,
    )


@pytest.mark.parametrize(
    "steps", [[1], [2, 1], [3, -3, 3], [5, 4, 3, -1], [1, 1, 1, 1, 1, -1], [7, 2, 2, -4]]
)
def test_laws_of_sums_in_fractions(steps):
    want, z = float(listed(steps)), np.array(steps)
    assert (
        s.flip_by_adding(z)
        == s.flip_by_adding(-z)
        == want
        == s.flip_by_halves(z * 1.0)
        == s.flip_by_halves(z * -0.1)
    )


def test_long_laws_keep_their_smallest_digits():
    assert s.flip_by_adding(np.ones(1000, int)) == 2.0 * 2.0**-1000
    assert s.flip_by_adding(np.r_[np.ones(999, int), -1]) == 2.0 * 1001 * 2.0**-1000


@pytest.mark.parametrize(
    "z, steps",
    [
        ([0.5, -0.25, 0, 1], [2, -1, 0, 4]),
        ([2, 4, -6], [1, 2, -3]),
        ([1 / 3, 0.1], [10, 3]),
        ([-0.7], [-1]),
        ([np.pi, 1], None),
        ([1] * 16 + [np.pi], None),
        ([0.1 + 0.2, 0.3], [1, 1]),
        ([3e-4, 1e-3], [3, 10]),
        ([3e-5, 1e-4], None),
        ([1 / p for p in (9967, 9949, 9941, 9931, 9929)], None),
        ([1 / p for p in (9967, 9949)], [9949, 9967]),
    ],
)
def test_common_steps(z, steps):
    found = randomization.common_steps(np.array(z, float))
    if steps is None:
        assert found is None
    else:
        assert found.tolist() == steps and found.dtype == np.int64


def test_all_fractions_of_small_denominators():
    x = np.array([Fraction(a, b) for b in range(1, 40) for a in range(b + 3)])
    assert randomization.denominators_of(x.astype(float)).tolist() == [f.denominator for f in x]


def lugannani_rice(z):
    """The formula as in print, for one budget: the root by bisection, logarithms of cosh as they
    are."""
    from scipy.optimize import brentq

    z = np.array(z) / np.abs(z).max()
    size, seen = np.abs(z), abs(z.sum())
    t = brentq(lambda t: (size * np.tanh(t * size)).sum() - seen, 0, 500, xtol=1e-14, rtol=1e-14)
    growth = np.logaddexp(t * size, -t * size) - np.log(2)
    w, u = (2 * (t * seen - growth.sum())) ** 0.5, t * (
        (size / np.cosh(t * size)) ** 2
    ).sum() ** 0.5
    return 2 * (norm.sf(w) + norm.pdf(w) * (1 / u - 1 / w))


@pytest.mark.parametrize("shift", [0.1, 0.3, 0.8, 2.0])
@pytest.mark.parametrize("count", [6, 50, 400])
def test_the_saddlepoint_as_in_print(shift, count):
    z = np.random.default_rng(count).normal(shift, 1, count)
    want = lugannani_rice(z)
    assert randomization.flip_by_saddle(z[:, None], np.ones(count, int))[0] == pytest.approx(
        want, rel=1e-8
    )
    assert randomization.flip_by_saddle(np.c_[z * 7, -z], np.ones(count, int)) == pytest.approx(
        [want] * 2, rel=1e-8
    )
    assert randomization.flip_by_saddle(np.c_[z, np.roll(z, 1)], np.full(count, 3))[
        1
    ] == pytest.approx(lugannani_rice(np.repeat(z, 3)), rel=1e-8)


def test_the_saddlepoint_of_very_unequal_sizes():
    z = np.r_[1.0, -0.9, np.geomspace(1e-6, 0.5, 40)]
    assert randomization.flip_by_saddle(z[:, None], np.ones(42, int))[0] == pytest.approx(
        lugannani_rice(z), rel=1e-8
    )
    far = np.r_[100.0, np.full(60, 0.5)]
    assert randomization.flip_by_saddle(far[:, None], np.ones(61, int))[0] == pytest.approx(
        randomization.flip_by_saddle(far[:, None] / 100, np.ones(61, int))[0], rel=1e-12
    )
    assert randomization.flip_by_saddle(np.array([[1.0], [1e-9]]), np.ones(2, int))[0] <= 1


def test_up_to_forty_questions_are_exact():
    z = np.random.default_rng(0).normal(0.2, 1, 41)
    assert s.flip_exactly(z) is None and s.flip_exactly(z[:0]) == (
        1.0,
        "sign-flip, exact",
        randomization.SYMMETRIC,
        "new_questions",
        1.0,
    )
    forty = s.sign_flip(z[:40])
    assert forty.method == "sign-flip, exact" and forty.smallest == 2.0 * 2.0**-40
    assert forty.value == pytest.approx(
        randomization.flip_by_saddle(z[:40, None], np.ones(40, int))[0], rel=0.02
    )
    assert (
        s.sign_flip(z).method.startswith("sign-flip, saddlepoint")
        and s.sign_flip(z).smallest == 2.0 * 2.0**-41
    )
    assert s.sign_flip([0.5]).smallest == 1 and s.sign_flip([0.5, 0.2]).smallest == 0.5


@pytest.mark.parametrize(
    "wins, losses, p, mid, least",
    [
        (0, 0, 1, 1, 1),
        (1, 0, 1, 0.5, 1),
        (2, 0, 0.5, 0.25, 0.5),
        (3, 1, 0.625, 0.375, 0.125),
        (2, 2, 1, 1, 0.125),
        (5, 0, 0.0625, 0.03125, 0.0625),
    ],
)
def test_mcnemar_by_hand(wins, losses, p, mid, least):
    found, half = s.mcnemar(wins, losses), s.mcnemar(losses, wins, mid=True)
    assert found == (p, "McNemar, exact", randomization.ZERO_MEAN, "new_questions", least)
    assert half == (
        pytest.approx(mid),
        "McNemar, mid-p (approximate)",
        randomization.ZERO_MEAN,
        "new_questions",
        min(1, 0.5 ** (wins + losses)),
    )


@pytest.mark.parametrize("bounds", [(-1, 1), (-1, 3), (-3, 1)])
def test_the_clearest_data_in_a_lopsided_range(bounds):
    """All questions at the end that is farther from zero: the shorter part of the range, to their
    number."""
    units = units_of([1, 1, 1], bounds=bounds)
    found = s.invert_gaffke(units)
    assert found.smallest == pytest.approx(
        min(1, 2 * (min(-bounds[0], bounds[1]) / (bounds[1] - bounds[0])) ** 3)
    )
    level = 1 - found.value
    if 0 < level < 1:
        assert (
            gaffke_interval([1, 1, 1], level * 0.9999, bounds=bounds)[0]
            > 0
            > gaffke_interval([1, 1, 1], 1 - found.value * 0.9999, bounds=bounds)[0]
        )
    assert found.method == "gaffke, inverted" and (found.null, found.target) == (
        randomization.ZERO_MEAN,
        "new_questions",
    )
    grouped = s.invert_gaffke(units_of([1, 1, -1], bounds=bounds, cluster=[0, 0, 1]))
    assert grouped.method == "gaffke, inverted over 2 clusters"
    ends = (
        s.invert_gaffke(units_of([end] * 3, bounds=bounds, cluster=[0, 0, 1])).value
        for end in bounds
    )
    assert grouped.smallest == pytest.approx(min(ends), rel=1e-8)
    assert s.invert_gaffke(units_of([0, 0], bounds=bounds)).value == 1


def test_a_long_lattice_is_drawn():
    n_a, n_b = np.array([97, 89, 83, 79]), np.array([73, 71, 67, 61])
    found = s.permutation(n_a, n_a // 3, n_b, n_b // 2, draws=499)
    assert found.method == "stratified permutation, 499 draws"
    assert (
        s.permutation(n_a, n_a // 3, n_b, n_b // 2, 1, any_credit, draws=499).method
        == "stratified permutation, 499 draws"
    )
    both = s.permutations(n_a, n_a // 3, n_b, n_b // 2, [1, 3], any_credit, draws=499)
    assert [one.method for one in both] == ["stratified permutation, 499 draws"] * 2


def test_budgets_of_permutations_in_any_order():
    n, c_a, c_b = np.full(6, 5), np.array([1, 2, 3, 4, 5, 0]), np.array([3, 3, 4, 5, 5, 1])
    found = s.permutations(n, c_a, n, c_b, [3, 1, 2, 1], any_credit, draws=300, rng=2)
    exact, drawn = s.permutation(n, c_a, n, c_b), s.permutations(
        n, c_a, n, c_b, [3, 2], any_credit, draws=300, rng=2
    )
    assert found == [drawn[0], exact, drawn[1], exact] and drawn[0] != drawn[1]
    assert s.permutations(n, c_a, n, c_b, [3, 1]) == [exact, exact]
    assert s.permutation(n, c_a, n, c_b, 3, any_credit, draws=300, rng=2) == drawn[0]
    assert s.permutation(5, 1, 5, 4) == s.permutation([5], [1], [5], [4])


def test_the_chance_above_zero_by_hand():
    "One question more at the end against B, and half where neither is ahead with it."
    assert s.chance_above_zero([1, 1]) == pytest.approx(0.75) and s.chance_above_zero(
        [-1, -1]
    ) == pytest.approx(0.25)
    assert s.chance_above_zero([1, -1]) == 0.5 == s.chance_above_zero([1, 1, -1])
    assert s.chance_above_zero([1, 1, 1, -1]) == pytest.approx(1 - 5 / 16)
    assert s.chance_above_zero([3, 3], bounds=(-1, 3)) == pytest.approx(15 / 16)
    assert s.chance_above_zero([1, -1], state=[0, 0, 0, 1]) == pytest.approx(1 - 5 / 16)
    grouped = s.chance_above_zero([1, 1, 1, 1], cluster=[0, 0, 1, 1])
    assert grouped == pytest.approx(0.75) != s.chance_above_zero([1, 1, 1, 1])


@pytest.mark.parametrize("d", [[1], [1, 1, -1], [1, 1, 1, -1, -1], [1, -1, -1], [0.5, 0.5], [0]])
def test_what_the_quadrature_cannot_tell_from_one_is_one(d):
    units = units_of(d, bounds=(-1, 1))
    assert s.invert_gaffke(units).value in (
        1.0,
        pytest.approx(2 * min(gaffke.gaffke_chances(units))),
    )
    assert s.invert_gaffke(units).value <= 1
    if 2 * min(gaffke.gaffke_chances(units)) > 1 - 1e-8:
        assert s.invert_gaffke(units).value == 1


@pytest.mark.parametrize("weights", [[1, 2, 3, 1, 2, 3], [1, 1, 1, 1, 1, 1], [5, 1, 1]])
def test_the_clearest_weighted_data_reach_the_smallest_p_value(weights):
    from sampling_eval.inference.units import Units

    sizes = np.array(weights, float)
    size = sizes / sizes.mean()
    won = Units(size[:, None], size, np.ones(len(size)), (-1, 1), largest=float(size.max()))
    found = s.invert_gaffke(won)
    assert found.value == pytest.approx(
        found.smallest, rel=1e-8
    ) and found.smallest >= 2 * 2.0 ** -len(sizes)


@pytest.mark.parametrize("questions", [3, 40])
def test_drawn_signs_count_the_observed_table(questions):
    "Of as many draws as of chances: none beyond is 1 of 1 + draws, all beyond are 1."
    rng, draws = np.random.default_rng(0), 99
    assert randomization.flip_by_draws(np.zeros(questions), draws, rng) == 1
    assert randomization.draw_signs(np.zeros((questions, 2)), draws, rng).tolist() == [1, 1]
    if questions == 40:
        assert randomization.flip_by_draws(np.ones(questions), draws, rng) == 0.01
        assert randomization.draw_signs(np.ones((questions, 1)), draws, rng).tolist() == [0.01]


def test_as_many_draws_as_memory_holds():
    randomization.check_draws(randomization.MOST_DRAWS)
    for wrong in randomization.MOST_DRAWS + 1, 0, True, 2.0:
        with pytest.raises(ValueError, match="draws must be a whole number of"):
            randomization.check_draws(wrong)
