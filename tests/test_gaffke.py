"Gaffke's interval against vectors, exact laws and fractions, and every property that it promises."

import json
import warnings
from dataclasses import replace
from fractions import Fraction
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.special import betaincc, betaincinv, betainccinv, gammainc, gammaincc, ndtri
from scipy.stats import binom

from sampling_eval.inference.gaffke import (
    MOST_UNTHINNED,
    gaffke_chances,
    gaffke_interval,
    gaffke_limits,
    tail_chance,
    thin_values,
)
from sampling_eval.inference.quantiles import check_level, find_roots
from sampling_eval.inference.units import units_of

SWEEP = settings(derandomize=True, deadline=None, max_examples=40)
VECTORS = json.loads((Path(__file__).parent / "vectors" / "gaffke.json").read_text())["cases"]
LEVELS = 0.9, 0.95, 0.99, 0.999
scores = st.lists(st.integers(0, 16), min_size=1, max_size=25).map(lambda x: np.array(x) / 16)
pytestmark = pytest.mark.filterwarnings("error")


def close(got, want, error=1e-9):
    np.testing.assert_allclose(got, want, rtol=0, atol=error)


@pytest.mark.parametrize(
    "case", VECTORS, ids=lambda c: f"{len(c['values'])}-{c['low']}-{c['level']}"
)
def test_vectors(case):
    close(
        gaffke_interval(case["values"], case["level"], bounds=(case["low"], case["high"])),
        case["interval"],
    )


def clopper_pearson(right, count, level):
    tail = (1 - level) / 2
    low = betaincinv(right, count - right + 1, tail) if right else 0.0
    return low, betainccinv(right + 1, count - right, tail) if right < count else 1.0


@pytest.mark.parametrize("level", [*LEVELS, 0.999999])
@pytest.mark.parametrize("count", [1, 2, 3, 10, 100, 1319, 10**4, 10**5])
def test_right_and_wrong_answers_are_clopper_pearson(count, level):
    for right in sorted(
        {0, 1, 2, count // 100, count // 10, count // 3, count // 2, count - 1, count}
        & {*range(count + 1)}
    ):
        close(
            gaffke_interval([0, 1], level, times=[count - right, right]),
            clopper_pearson(right, count, level),
        )


def test_long_lists_of_answers_are_clopper_pearson_too():
    close(gaffke_interval([1] * 1500 + [0] * 500), clopper_pearson(1500, 2000, 0.95))
    close(gaffke_interval(np.ones(5000)), clopper_pearson(5000, 5000, 0.95))
    close(gaffke_interval(np.full(3000, 0.25)), gaffke_interval([0.25], times=[3000]))


@SWEEP
@given(scores, st.lists(st.floats(1e-6, 1 - 1e-9), min_size=2, max_size=5))
def test_width_estimate_and_order_of_levels(x, levels):
    ends = np.array([gaffke_interval(x, level) for level in sorted(levels)])
    assert (ends[:, 0] < ends[:, 1]).all() and (ends[:, 0] >= 0).all() and (ends[:, 1] <= 1).all()
    assert (ends[:, 0] <= x.mean()).all() and (x.mean() <= ends[:, 1]).all()
    assert (np.diff(ends[:, 0]) <= 1e-11).all() and (np.diff(ends[:, 1]) >= -1e-11).all()


@SWEEP
@given(scores, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_order_negation_range_and_repeats(x, level, random):
    low, high = gaffke_interval(x, level)
    turned = x.tolist()
    random.shuffle(turned)
    close(gaffke_interval(turned, level), (low, high), 1e-11)
    close(gaffke_interval(1 - x, level), (1 - high, 1 - low), 1e-10)
    close(gaffke_interval(-x, level, bounds=(-1, 0)), (-high, -low), 1e-10)
    for start, width in (-3, 7), (1e6, 1e3), (0, 1e-9), (0, 1e-200), (-1e149, 2e149):
        moved = gaffke_interval(start + width * x, level, bounds=(start, start + width))
        close((np.array(moved) - start) / width, (low, high), 1e-9)
    values, times = np.unique(x, return_counts=True)
    close(gaffke_interval(values, level, times=times), (low, high), 1e-11)
    close(gaffke_interval(x, level, cluster=range(len(x))), (low, high), 1e-11)


def test_a_better_score_moves_both_ends_up():
    x = np.random.default_rng(0).random(12)
    more = x + np.linspace(0, 0.1, 12) * (x < 0.9)
    assert (np.array(gaffke_interval(more)) > gaffke_interval(x)).all()


@pytest.mark.parametrize("count", [1001, 5000, 20_000])
def test_thinning_moves_the_ends_by_less_than_a_millionth_of_the_width(count):
    x = np.random.default_rng(0).beta(0.5, 0.7, count)
    units = units_of(x, cluster=range(count))
    # Clusters are not thinned, so that their limits are those of all values.
    full = np.array(gaffke_limits(units, 0.025)).ravel()
    thin = np.array(gaffke_interval(x))
    close(thin, full, 1e-6 * np.ptp(full))
    close(thin.mean(), full.mean(), 1e-6 * np.ptp(full))


@pytest.mark.parametrize("rows", [9, 1500])
def test_all_budgets_at_once_are_one_at_a_time(rows):
    x = np.sort(np.random.default_rng(0).random((rows, 6)), 1)
    x[:, 4] = 1
    for units in units_of(x), units_of(x, cluster=np.arange(rows) // 2):
        once = np.array(gaffke_limits(units, 0.025))
        single = np.hstack([np.array(gaffke_limits(units.at(i), 0.025)) for i in range(6)])
        close(once, single, 1e-10)


def test_whole_clusters_by_exact_laws():
    # Clusters of one size whose answers agree are so many questions.
    for right in range(6):
        answers = np.repeat([1] * right + [0] * (5 - right), 4)
        close(gaffke_interval(answers, cluster=np.arange(20) // 4), clopper_pearson(right, 5, 0.95))


@SWEEP
@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(1, 3)),
        min_size=1,
        max_size=5,
        unique_by=lambda o: o[0],
    ),
    st.integers(1, 19),
)
def test_chance_by_partial_fractions(rows, m):
    "P(sum G z > 0) = sum over positive z of the residues, in fractions, for times of 1."
    z = [Fraction(v - m, 20) for v, _ in rows if v != m] + [Fraction(20 - m, 20)]
    if len(set(z)) < len(z):
        z = z[:-1]
    want = sum(prod(a / (a - b) for b in z if b != a) for a in z if a > 0)
    got = tail_chance(np.array([z], float), np.ones(len(z)))[0]
    assert abs(got - float(want)) < 2e-9 * (1 if len(z) > 1 else 1e9)


SHAPES = 1, 2, 7, 30, 1e3, 1e5, 1e6


@pytest.mark.parametrize("a", SHAPES)
@pytest.mark.parametrize("b", SHAPES)
def test_chance_of_two_values_is_a_beta_law(a, b):
    r = np.array([1e-6, 1e-3, 0.1, 0.5, 1, 2, 10, 1e3, 1e6])
    got = tail_chance(np.stack([r, -np.ones(9)], 1), np.array([a, b]))
    want, other = betaincc(a, b, 1 / (1 + r)), betaincc(b, a, r / (1 + r))
    near = np.minimum(want, other) > 1e-12
    np.testing.assert_allclose(
        np.minimum(got, 1 - got)[near], np.minimum(want, other)[near], rtol=1e-8, atol=2e-16
    )
    assert (np.abs(got - want) < 1e-9).all()


@pytest.mark.parametrize("shape", [1, 2, 7, 30, 1e3, 1e5, 4e6])
def test_chance_with_a_shift_is_a_gamma_law(shape):
    x = shape + np.array([-30, -6, -2, -1, 0, 1, 2, 6, 30]) * shape**0.5
    x = np.r_[x[x > 0], 1e-3 * shape, 1e-9]
    up = tail_chance(np.ones((len(x), 1)), np.array([shape]), -x)
    down = tail_chance(-np.ones((len(x), 1)), np.array([shape]), x)
    close(up, gammaincc(shape, x), 2e-9)
    close(down, gammainc(shape, x), 2e-9)
    # At 4e6 scipy's own law is off by a thousandth of a tail of 1e-9.
    small = (gammainc(shape, x) > 1e-14) & (shape < 1e6)
    np.testing.assert_allclose(
        np.minimum(down, up)[small],
        np.minimum(gammainc(shape, x), gammaincc(shape, x))[small],
        rtol=1e-7,
        atol=1e-15,
    )


def test_chance_of_sums_on_one_side():
    ones, none = np.ones((1, 2)), np.zeros((1, 2))
    assert [
        tail_chance(z, np.ones(2), s)[0]
        for z, s in (
            (ones, 0),
            (-ones, 0),
            (none, 1),
            (none, -1),
            (none, 0),
            (ones, 1),
            (-ones, -1),
        )
    ] == [1, 0, 1, 0, 0, 1, 0]
    for z in np.nan, np.inf:
        with pytest.raises(ValueError, match="finite"):
            tail_chance(np.array([[z, 1]]), np.ones(2))


@pytest.mark.parametrize("count", [1, 5, 30, 400])
def test_one_success_far_in_the_tail(count):
    for level in 0.999999, 1 - 1e-9, 1 - 1e-12:
        close(
            gaffke_interval([0, 1], level, times=[count - 1, 1]), clopper_pearson(1, count, level)
        )


def test_coverage_over_rates_is_never_below_the_level():
    rates = np.linspace(0.002, 0.998, 499)
    for count in 3, 8, 30:
        law = binom.pmf(np.arange(count + 1), count, rates[:, None])
        for level in LEVELS:
            ends = np.array(
                [gaffke_interval([0, 1], level, times=[count - c, c]) for c in range(count + 1)]
            )
            holds = (ends[:, 0] <= rates[:, None]) & (rates[:, None] <= ends[:, 1])
            assert (law * holds).sum(1).min() >= level - 1e-9


@pytest.mark.parametrize("values,law", [((-0.42, 1), 1.8), ((0, 1), 2), ((-1, 1), 2), ((0, -1), 2)])
def test_pairs_that_one_sided_moves_decide(values, law):
    "The laws of differences at which half-weight anchors held 83 to 86 %."
    for count in 30, 100:
        share = law / count
        k = np.arange(count + 1)
        chance = binom.pmf(k, count, share)
        seen = k[chance > 1e-12]
        ends = np.array(
            [gaffke_interval(values, bounds=(-1, 1), times=[count - c, c]) for c in seen]
        )
        truth = values[0] + share * (values[1] - values[0])
        assert chance[seen][(ends[:, 0] <= truth) & (truth <= ends[:, 1])].sum() > 0.95 - 1e-9


@SWEEP
@given(scores, st.sampled_from(LEVELS))
def test_the_two_chances_at_the_limits_are_the_tails(x, level):
    tail = (1 - level) / 2
    low, high = gaffke_interval(x, level)
    if 0 < low < x.mean():
        assert gaffke_chances(units_of(x), low)[0] == pytest.approx(tail, rel=1e-6)
    if x.mean() < high < 1:
        assert gaffke_chances(units_of(x), high)[1] == pytest.approx(tail, rel=1e-6)


def test_extremes():
    one = gaffke_interval([0.3])
    close(one, (0.0075, 0.9825))
    # So many questions make a normal law; the mean and the rest of a chance cancel to eleven
    # digits.
    reach = ndtri(0.975) * np.std([0, 0.3, 1]) / 3e12**0.5
    close(
        gaffke_interval([0, 0.3, 1], times=[10**12] * 3), (1.3 / 3 - reach, 1.3 / 3 + reach), 1e-11
    )
    many = np.random.default_rng(0).random(10**6)
    low, high = gaffke_interval(many)
    assert low < many.mean() < high and high - low == pytest.approx(
        2 * 1.96 * many.std() / 1e3, rel=1e-3
    )
    x = np.random.default_rng(1).random(12)
    close(
        np.array(gaffke_interval(1e6 * x, bounds=(-1e6, 1e6))) / 1e6,
        gaffke_interval(x, bounds=(-1, 1)),
    )
    close(gaffke_interval(0.5 + 1e-12 * x), gaffke_interval(np.full(12, 0.5)), 1e-11)
    for values in 1 - 1e-12 * x, 1e-12 * x, 1e-300 * x, np.r_[np.ones(11), np.nextafter(1, 0)]:
        low, high = gaffke_interval(values)
        assert 0 <= low <= values.mean() <= high <= 1 and high - low > 0.2
    assert str(gaffke_interval([0] * 3)[0]) == "0.0"
    for level in 1e-300, 1e-9, 1 - 1e-12, 1 - 1e-16:
        low, high = gaffke_interval(x, level)
        assert 0 <= low < x.mean() < high <= 1


@pytest.mark.parametrize(
    "level", [0, 1, -1, 2, 95, np.nan, np.inf, True, False, None, "0.95", [0.9], 1j]
)
def test_levels_that_are_none(level):
    for call in check_level, lambda o: gaffke_interval([1, 0], o):
        with pytest.raises((ValueError, TypeError), match="confidence_level"):
            call(level)


def test_refused():
    with pytest.raises(ValueError, match="got bounds=None"):
        gaffke_interval([1], bounds=None)
    with pytest.raises(ValueError, match="one number per question"):
        gaffke_interval([[1, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(TypeError, match="masked"):
            gaffke_interval(np.ma.array([1, 0], mask=[0, 1]))


# Part by part.


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("shift", [1e-6, 0.01, 0.5, 2.0])
def test_a_largest_value_without_weight(shift):
    "shift - G / 2 with G ~ Gamma(3), whatever stands beside it with no weight at all."
    z, times = np.array([[1.0, -0.5]]), np.array([[0.0, 3.0]])
    assert tail_chance(z, times, shift)[0] == pytest.approx(gammainc(3, 2 * shift), rel=1e-9)


def test_quadrature_by_gamma_laws_to_many_digits():
    """One sum of values alike: the far nodes count where there are few, the path is bent where it
    is steep."""
    for shape in 1.5, 2, 3, 10, 200.0:
        for x in np.array([0.3, 0.8, 1.5, 3]) * shape:
            got = tail_chance(np.ones((1, 1)), np.array([shape]), -x)[0]
            want, other = gammaincc(shape, x), gammainc(shape, x)
            small = min(want, other)
            assert min(got, 1 - got) == pytest.approx(
                small, rel=3e-9 + 1e-15 / small if shape >= 2 else 1e-6
            )


def test_rows_by_themselves_and_together():
    rng = np.random.default_rng(0)
    z, times, shift = (
        rng.uniform(-1, 1, (40, 6)),
        rng.integers(0, 5, 6) + 0.5,
        rng.normal(size=40) / 3,
    )
    shift[:2], z[2] = 0, np.abs(z[2])
    together = tail_chance(z, times, shift)
    alone = [tail_chance(z[i : i + 1], times, shift[i])[0] for i in range(40)]
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    flipped = tail_chance(-z, times, -shift)
    np.testing.assert_allclose(together + flipped, 1, atol=1e-9)
    assert tail_chance(z * 7, times, shift * 7) == pytest.approx(together, rel=1e-9)


@pytest.mark.parametrize("power", [1, 3])
def test_roots_of_falling_functions(power):
    calls = []
    goals = np.array([0.1, 0.5, 0.93])

    def excess(x):
        calls.append(x)
        return goals**power - x**power

    for start in np.array([0.2, 0.6, 0.9]), np.array([-1.0, 0.0, 1.0]), np.full(3, 2.0):
        calls.clear()
        found = find_roots(excess, np.zeros(3), np.ones(3), start, np.full(3, 0.3))
        np.testing.assert_allclose(found, goals, rtol=1e-9)
        inside = (start > 0) & (start < 1)
        np.testing.assert_array_equal(calls[0], np.where(inside, start, 0.5))
        assert len(calls) <= (6 if power == 1 else 14) and all(
            ((0 <= o) & (o <= 1)).all() for o in calls
        )
    # A jump has its root where the sign changes.
    jump = find_roots(
        lambda x: np.where(x < 0.3, 1.0, -1.0), np.zeros(1), np.ones(1), np.array([0.5]), np.ones(1)
    )
    assert jump[0] == pytest.approx(0.3, abs=1e-9)


@pytest.mark.parametrize(
    "right, count, p", [(3, 10, 0.2), (0, 4, 0.3), (4, 4, 0.6), (7, 40, 0.3), (5, 9, 0.5)]
)
def test_the_two_chances_are_those_of_the_binomial_law(right, count, p):
    for low, high in (0, 1), (-1, 1), (2, 7):
        units = units_of([low, high], bounds=(low, high), times=[count - right, right])
        found = gaffke_chances(units, low + p * (high - low))
        assert found == (
            pytest.approx(binom.sf(right - 1, count, p), rel=1e-7, abs=1e-10),
            pytest.approx(binom.cdf(right, count, p), rel=1e-7, abs=1e-10),
        )
        assert all(type(o) is float for o in found)
    groups = units_of(
        np.repeat([0, 1], [2 * (count - right), 2 * right]), cluster=np.arange(2 * count) // 2
    )
    assert gaffke_chances(groups, p) == pytest.approx(
        gaffke_chances(units_of([0, 1], times=[count - right, right]), p), rel=1e-9
    )
    half = units_of([-1, 1], bounds=(-1, 1), times=[count - right, right])
    assert gaffke_chances(half) == pytest.approx(gaffke_chances(half, 0.0), rel=1e-12)
    with pytest.raises(ValueError, match="got bounds=None"):
        gaffke_chances(units_of([1, 0], bounds=None))


def test_thinned_values_keep_their_mean():
    x = np.random.default_rng(0).random(1200)
    few, many = units_of(x[:MOST_UNTHINNED], times=np.arange(MOST_UNTHINNED) % 3 + 1), units_of(x)
    total, size, times = thin_values(few)
    assert total is few.total and times.dtype == float and times.tolist() == few.times.tolist()
    total, size, times = thin_values(many, points=101)
    assert len(total) == 101 and (size == 1).all() and times.sum() == pytest.approx(1200)
    assert times @ total[:, 0] == pytest.approx(x.sum(), rel=1e-12)
    np.testing.assert_allclose(np.diff(total[:, 0]), np.ptp(x) / 100, rtol=1e-9)
    assert total[0, 0] == x.min() and total[-1, 0] == pytest.approx(x.max())
    # Each value is split between its neighbours: no weight is farther than a step.
    one = thin_values(units_of(np.r_[np.linspace(0, 1, 1001), 0.50025]), points=2001)
    assert one[2][one[0][:, 0].searchsorted(0.5 - 1e-9) :][:2] == pytest.approx([1.5, 0.5])
    counted = thin_values(units_of(np.repeat([0.25, 0.75], [700, 500])))
    assert counted[0].ravel().tolist() == [0.25, 0.75] and counted[2].tolist() == [700, 500]
    assert counted[1].tolist() == [1, 1]
    clustered = replace(many, clustered=True)
    assert len(thin_values(clustered)[0]) == 1200 and len(thin_values(many)[0]) <= 1025


def test_limits_of_extreme_samples():
    "One question at either end, and a sample that leaves no room."
    units = units_of([[1.0, 0.0], [1.0, 0.0]])
    low, high = gaffke_limits(units, 0.025)
    assert high.tolist() == [1, pytest.approx(1 - 0.025**0.5)] and low.tolist() == [
        pytest.approx(0.025**0.5),
        0,
    ]
    wide = gaffke_limits(units_of([[3.0, 1.0], [3.0, 1.0]], bounds=(1, 3)), 0.025)
    np.testing.assert_allclose(wide, 1 + 2 * np.array([low, high]), rtol=1e-12)
    assert not np.signbit(gaffke_limits(units_of([0.0, 0.0]), 0.025)[0][0])
    weighed = replace(units_of([1.0, 0.0, 1.0]), largest=2.0)
    ends = gaffke_limits(weighed, 0.025)
    assert (ends[0] < gaffke_limits(units_of([1.0, 0.0, 1.0]), 0.025)[0]).all()
    assert (ends[1] >= gaffke_limits(units_of([1.0, 0.0, 1.0]), 0.025)[1]).all()
