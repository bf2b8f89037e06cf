"Parts of Gaffke's quadrature: saddle, path, sums along it, limits, and thinned values."

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from sampling_eval.inference.random_means import (
    divide_path,
    FINE_STEP,
    follow_path,
    follow_paths,
    integrate,
    LOOKS,
    place_nodes,
    saddle_point,
    STEP,
    step_between_poles,
    sum_logs,
    tail_chance,
    thin_values,
    upper_limits,
)
from sampling_eval.inference.units import units_of

RNG = np.random.default_rng(0)
Z = np.c_[RNG.uniform(-1, 1, (9, 4)), np.ones(9)]
TIMES = np.broadcast_to(np.array([2.0, 3.0, 1.0, 2.0, 1.0]), Z.shape)
SHIFT = np.where(np.arange(9) < 5, 0.0, RNG.uniform(-2, 0.3, 9))


def exact_saddle(z, times, shift):
    def left(s):
        return shift + (times * z / (1 - s * z)).sum() - 1 / s

    return brentq(left, 1e-12, 1 - 1e-12, xtol=1e-15)


def test_saddles_are_roots_to_a_thousandth_of_their_width():
    found = saddle_point(Z, TIMES, SHIFT)
    for z, times, shift, s in zip(Z, TIMES, SHIFT, found):
        root = exact_saddle(z, times, shift)
        width = ((times * (z / (1 - root * z)) ** 2).sum() + root**-2) ** -0.5
        assert abs(s - root) < 1e-3 * width


def test_a_saddle_does_not_depend_on_other_rows():
    together = saddle_point(Z, TIMES, SHIFT)
    alone = [saddle_point(Z[i : i + 1], TIMES[i : i + 1], SHIFT[i : i + 1])[0] for i in range(9)]
    assert together.tolist() == alone


@pytest.mark.parametrize("rise", [1e-6, 0.4, 30.0])
@pytest.mark.parametrize("left", [-50.0, -1.0, 0.3, 8.0, 900.0])
@pytest.mark.parametrize("s", [0.01, 0.5, 0.97])
def test_a_step_ends_where_two_curves_meet(left, rise, s):
    q = rise * (1 - s) ** 2
    p = left - rise * (1 - s)
    x = step_between_poles(np.array([left]), np.array([rise]), np.array([s]))[0]
    assert 0 < x < 1
    assert p + q / (1 - x) == pytest.approx(1 / x, rel=1e-3)


def test_nodes_begin_at_the_saddle_with_their_slope():
    t = np.array([0.0, 0.3, 1.1, 2.5])
    s, width, bend = np.array([0.4, 0.7]), np.array([0.1, 0.3]), np.array([0.2, -0.33])
    u, slope = place_nodes(t, s, width, bend)
    assert u[:, 0] == pytest.approx(s)
    step = 1e-6
    ends = [place_nodes(t + side * step, s, width, bend)[0] for side in (1, -1)]
    assert slope == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-7)
    # Near the saddle the path is the parabola i w y + w b y^2.
    near, _ = place_nodes(np.array([1e-3]), s, width, bend)
    want = s + width * (1j * 1e-3 + bend * 1e-6)
    assert near[:, 0] == pytest.approx(want, abs=1e-9)
    straight, _ = place_nodes(t, s, width, np.zeros(2))
    assert straight == pytest.approx(s[:, None] + width[:, None] * 1j * np.sinh(t))


def test_sums_of_logarithms():
    u = np.array([[0.3 + 0.2j, -0.4 + 3j], [0.1 + 0j, 0.9 - 0.01j]])
    z, times = np.array([[1.0, -0.5, 0.2], [0.0, 0.7, -3.0]]), np.array([[1.0, 2, 3], [4, 1, 1]])
    want = np.einsum("rs,rsn->rn", times, np.log(1 - u[:, None] * z[..., None]))
    assert sum_logs(u, z, times) == pytest.approx(want, rel=1e-13)


@pytest.mark.parametrize("step", [STEP, FINE_STEP])
def test_a_path_is_looked_at_three_times(step):
    parts = divide_path(step)
    assert np.concatenate(parts).tolist() == np.arange(0, 14, step).tolist()
    assert len(parts) == len(LOOKS) + 1
    for look, before, after in zip(LOOKS, parts, parts[1:]):
        assert before[-1] < look <= after[0] <= look + step


def chance_of_gamma(shape, shift):
    "Of `shift + G z > 0` for z = 1 after scaling: `G > -shift`."
    return stats.gamma.sf(-shift, shape)


@pytest.mark.parametrize("step", [STEP, FINE_STEP])
def test_the_sum_along_a_path_is_the_chance(step):
    shape, shift = np.array([12.0, 30.0, 100.0]), np.array([-20.0, -55.0, -130.0])
    z, times = np.ones((3, 1)), shape[:, None]
    s = np.array([exact_saddle(*row) for row in zip(z, times, shift)])
    width = (times[:, 0] / (1 - s) ** 2 + s**-2) ** -0.5
    chance, grows = follow_path(z, times, shift, s, width, np.zeros(3), step)
    assert chance == pytest.approx(chance_of_gamma(shape, shift), rel=1e-9)
    assert not grows.any()


def test_a_path_that_is_bent_the_wrong_way_grows():
    z, times = np.array([[1.0]]), np.array([[40.0]])
    s = np.array([exact_saddle(z[0], times[0], -50.0)])
    width = (times[:, 0] / (1 - s) ** 2 + s**-2) ** -0.5
    for bend, grown in (0.3, False), (-0.3, True):
        _, grows = follow_path(z, times, np.array([-50.0]), s, width, np.array([bend]), STEP)
        assert grows.tolist() == [grown]


def test_many_rows_are_followed_in_blocks():
    rows = 2**11 // 5 + 40
    z, times = np.resize(Z, (rows, 5)), np.resize(TIMES, (rows, 5))
    shift = np.resize(SHIFT, rows)
    s = saddle_point(z, times, shift)
    pull = z / (1 - s[:, None] * z)
    width = ((times * pull**2).sum(1) + s**-2) ** -0.5
    chance, grows = follow_paths(z, times, shift, s, width, 0 * s)
    assert chance.shape == grows.shape == (rows,)
    assert chance[:9] == pytest.approx(chance[9:18], rel=1e-13)
    assert chance[-9:] == pytest.approx(np.resize(chance[:9], rows)[-9:], rel=1e-13)


def test_integrals_against_gamma_laws():
    for shape in 1.0, 2.5, 12.0, 300.0:
        for part in 1.05, 1.5, 3.0:
            shift = -part * (shape + 1)
            found = integrate(np.ones((1, 1)), np.array([[shape]]), np.array([shift]))[0]
            want = chance_of_gamma(shape, shift)
            if want > 1e-280:
                assert found == pytest.approx(want, rel=1e-7 if shape == 1 else 1e-8)


def test_chances_by_draws():
    rng = np.random.default_rng(4)
    drawn = rng.gamma(TIMES[0], size=(200_000, 5))
    found = tail_chance(Z, TIMES[0], SHIFT)
    for z, shift, chance in zip(Z, SHIFT, found):
        seen = (shift + drawn @ z > 0).mean()
        assert seen == pytest.approx(chance, abs=5 * (0.25 / 200_000) ** 0.5)


@pytest.mark.parametrize("largest", [1.0, 2.5])
@pytest.mark.parametrize("tail", [0.3, 0.025, 1e-6])
def test_upper_limits_are_where_the_chance_is_the_tail(largest, tail):
    total = np.array([[0.0, 0.5, 2.0], [1.0, 1.0, 1.5]])
    size, times, end = np.array([1.0, 1.0, 2.0]), np.array([3.0, 4.0, 2.0]), np.array([1.0, 1.0])
    found = upper_limits(total, size, times, end, tail, largest)
    for row, limit, high in zip(total, found, end):
        mean = (times @ row) / (times @ size)

        def chance(m):
            z = np.r_[row - m * size, largest * (high - m)]
            return tail_chance(z[None], np.r_[times, 1.0])[0] - tail

        assert mean < limit < high
        assert limit == pytest.approx(brentq(chance, mean, high - 1e-12, xtol=1e-14), abs=1e-9)


def test_a_limit_at_the_end_stays_there():
    full = upper_limits(
        np.array([[1.0, 1.0]]), np.ones(2), np.array([3.0, 2.0]), np.array([1.0]), 0.1, 1.0
    )
    assert full.tolist() == [1.0]


def test_up_to_a_thousand_values_stay():
    for count in 999, 1000:
        values = np.linspace(0, 1, count) ** 2
        total, size, times = thin_values(units_of(values))
        assert len(total) == count and times.tolist() == [1.0] * count
        assert total[:, 0] == pytest.approx(values)


def test_equal_values_are_counted_before_they_are_thinned():
    values = np.repeat(np.linspace(0, 1, 900), 3)
    total, size, times = thin_values(units_of(values))
    assert len(total) == 900 and times.tolist() == [3.0] * 900 and size.tolist() == [1.0] * 900


def test_a_thousand_distinct_values_among_more_rows_stay():
    values = np.linspace(0, 1, 1000)
    total, _, times = thin_values(units_of(np.r_[values, np.full(300, values[7])]))
    assert total[:, 0].tolist() == values.tolist() and times[6:9].tolist() == [1, 301, 1]


@pytest.mark.parametrize("points", [5, 65, 1025])
def test_thinned_values_keep_number_and_mean(points):
    values = np.random.default_rng(1).beta(0.5, 2, 3000)
    total, size, times = thin_values(units_of(values), points)
    assert len(total) <= points and times.sum() == pytest.approx(3000)
    assert times @ total[:, 0] == pytest.approx(values.sum(), rel=1e-12)
    assert (total[0, 0], total[-1, 0]) == (values.min(), values.max())
    grid = np.linspace(values.min(), values.max(), points)
    for value, count in zip(total[:, 0], times):
        near = np.maximum(1 - np.abs(values - value) / (grid[1] - grid[0]), 0)
        assert count == pytest.approx(near.sum(), abs=1e-8)


def test_clusters_are_never_thinned():
    values, cluster = np.random.default_rng(2).random(4000), np.arange(4000) // 2
    total, size, times = thin_values(units_of(values, cluster=cluster))
    assert len(total) == 2000 and size.tolist() == [2.0] * 2000
