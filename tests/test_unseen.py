"What was not seen, part by part: moments by Dirichlet weights, gamma laws, sums, inverses."

import numpy as np
import pytest
from scipy import stats

from sampling_eval.inference.unseen import (
    add_unseen,
    add_unseen_sample,
    chance_above_zero_of_gamma,
    chance_above_zero_of_sum,
    fit_gamma,
    gamma_chance,
    gamma_quantile,
    Moments,
    quantile_of_sum,
    reach_unseen,
    seen_mean,
    split_by_size,
    upper_of_moments,
    upper_of_sum,
)

LAWS = [Moments(0.2, 0.01, 4e-4, 0.3, 9.0), Moments(-0.1, 0.02, -1e-3, 0.5, 4.0)]


@pytest.mark.parametrize("x", [[0.1, 0.4, 0.35, 0.9], [0.0, 0.0, 1.0], [0.3, 0.2]], ids=str)
def test_one_more_value_with_random_weights(x):
    "Values with weights of Dirichlet, one of them at the end 1: three moments of their mean."
    x, n = np.array(x), len(x)
    mean, variance = x.mean(), x.var(ddof=1) / n
    third = ((x - mean) ** 3).sum() / n**3
    found = add_unseen(mean, variance, third, 1 / n, 1 - mean, 1.0)
    away = np.r_[x, 1.0] - np.r_[x, 1.0].mean()
    assert found.mean == pytest.approx(np.r_[x, 1.0].mean())
    assert found.variance == pytest.approx((away**2).sum() / ((n + 1) * (n + 2)))
    want = 2 * (away**3).sum() / ((n + 1) * (n + 2) * (n + 3))
    assert found.third == pytest.approx(want, abs=1e-15)
    assert found[3:] == (0.0, 1.0)
    below = add_unseen(mean, -1.0, 0.0, 1 / n, 1 - mean, 1.0)
    flat = add_unseen(mean, 0.0, 0.0, 1 / n, 1 - mean, 1.0)
    assert below == flat


def test_a_room_wider_than_the_span():
    "As many samples count as the room holds steps."
    found = add_unseen(0.0, 0.0, 0.0, 0.1, 2.0, 1.0)
    assert found.mean == pytest.approx(2 / 21)
    assert found.variance == pytest.approx(20 * (2 / 21) ** 2 / 22)
    assert found.third == pytest.approx(2 * 20 * 19 * (2 / 21) ** 3 / (22 * 23))


@pytest.mark.parametrize("end, room, span", [(1.0, 0.7, 1.0), (1.0, 1.5, 1.0), (2.0, 0.5, 1.0)])
def test_one_more_sample_of_fixed_questions(end, room, span):
    found = add_unseen_sample(0.4, 0.02, 0.1, end, room, span)
    worth = max(span, end - 0.4)
    assert found[:3] == add_unseen(0.4, 0.02, 0.002, 0.1, room, worth)[:3]
    assert (found.room, found.unlike) == (room, pytest.approx(max(worth, room) / 0.1))


@pytest.mark.parametrize("skew", [-1.9, -0.4, 0.0015, 0.02, 0.9, 2.0])
def test_gamma_laws_have_the_moments(skew):
    law = Moments(0.0, 0.04, skew * 0.008)
    scale, shape = fit_gamma(law)
    assert scale**2 * shape == pytest.approx(0.04)
    assert 2 * scale**3 * shape == pytest.approx(law.third)
    for tail in 0.3, 0.025, 1e-6:
        want = 0.2 * stats.pearson3.isf(tail, skew)
        assert gamma_quantile(scale, shape, tail) == pytest.approx(want, rel=1e-8)
        assert gamma_chance(scale, shape, want) == pytest.approx(tail, rel=1e-7)


@pytest.mark.parametrize("skew, used", [(5.0, 2.0), (-5.0, -2.0), (1e-4, 1e-3), (-1e-4, 1e-3)])
def test_a_skewness_out_of_reach(skew, used):
    scale, shape = fit_gamma(Moments(0.0, 1.0, skew))
    assert 2 * np.sign(scale) / shape**0.5 == pytest.approx(used)


def test_beyond_the_end_of_a_gamma_law():
    scale, shape = fit_gamma(Moments(0.0, 1.0, 1.0))
    assert gamma_chance(scale, shape, -3.0) == 1 and gamma_chance(-scale, shape, 3.0) == 0


@pytest.mark.parametrize("tail", [0.4, 0.025, 1e-5])
def test_the_quantile_of_a_sum_of_like_laws(tail):
    "Gamma laws of one scale add up to one."
    one, other = Moments(0.2, 0.01, 4e-4), Moments(-0.3, 0.03, 1.2e-3)
    both = Moments(-0.1, 0.04, 1.6e-3)
    assert fit_gamma(one)[0] == pytest.approx(fit_gamma(other)[0])
    want = quantile_of_sum([both], tail)
    assert quantile_of_sum([one, other], tail) == pytest.approx(want, abs=1e-8)
    assert want == pytest.approx(-0.1 + 0.2 * stats.pearson3.isf(tail, 0.2), rel=1e-8)
    still = Moments(0.5, 0.0, 0.0)
    assert quantile_of_sum([both, still], tail) == pytest.approx(want + 0.5)
    assert quantile_of_sum([still, still], tail) == 1.0


@pytest.mark.parametrize("tail", [0.2, 0.025])
def test_the_quantile_of_a_sum_by_draws(tail):
    rng = np.random.default_rng(0)
    drawn = sum(
        law.mean
        + law.variance**0.5
        * stats.pearson3.rvs(law.third / law.variance**1.5, size=400_000, random_state=rng)
        for law in LAWS
    )
    assert (drawn > quantile_of_sum(LAWS, tail)).mean() == pytest.approx(tail, abs=2e-3)


def test_means_without_the_unseen():
    assert seen_mean(LAWS) == pytest.approx(0.2 - 0.03 - 0.1 - 0.1)


@pytest.mark.parametrize("law, tail", [(LAWS[0], 0.025), (LAWS[1], 0.3)], ids=["one", "other"])
def test_how_far_the_unseen_may_lie(law, tail):
    "A share `u` of samples like it is missed by all others with the chance of the tail."
    share = reach_unseen(law, tail) / law.room
    assert (1 - share) ** law.unlike == pytest.approx(tail)


@pytest.mark.parametrize("tail", [0.4, 0.05, 1e-4])
def test_limits_hold_the_sum_and_the_unseen(tail):
    own = quantile_of_sum(LAWS, tail)
    far = seen_mean(LAWS) + max(reach_unseen(law, tail) for law in LAWS)
    assert upper_of_sum(LAWS, tail) == max(own, far)
    bare = [law._replace(room=0.0) for law in LAWS]
    assert upper_of_sum(bare, tail) == own
    lone = [LAWS[0]._replace(variance=0.0, third=0.0)]
    assert upper_of_sum(lone, tail) == pytest.approx(
        max(0.2, 0.17 + float(reach_unseen(LAWS[0], tail)))
    )


@pytest.mark.parametrize("rooms", [(0.3, 0.5), (0.5, 0.3), (0.3, 0.0), (0.0, 0.3)], ids=str)
def test_the_farthest_unseen_is_the_limit_where_hardly_anything_moves(rooms):
    "One sample of nine, or of four, was not seen; the part without room hides none."
    laws = [Moments(0.2, 1e-8, 0.0, rooms[0], 9.0), Moments(-0.1, 1e-8, 0.0, rooms[1], 4.0)]
    seen = 0.1 - rooms[0] / 10 - rooms[1] / 5
    far = max(rooms[0] * (1 - 0.025 ** (1 / 9)), rooms[1] * (1 - 0.025 ** (1 / 4)))
    assert upper_of_sum(laws, 0.025) == pytest.approx(seen + far, rel=1e-9)


def test_parts_that_do_not_move_divide_by_nothing():
    still = Moments(0.5, 0.0, 0.0)
    with np.errstate(all="raise", under="ignore"):
        assert quantile_of_sum([still, LAWS[0]], 0.025) > 0.7
        assert chance_above_zero_of_gamma([LAWS[0]._replace(mean=-0.6), still]) < 0.5


@pytest.mark.parametrize("tail", [0.3, 0.025])
def test_limits_at_many_budgets(tail):
    laws = [*LAWS, Moments(0.3, 0.0, 0.0, 0.2, 5.0), Moments(0.3, 0.02, 1e-3), Moments(0.1, 0, 0)]
    both = Moments(*np.array(laws).T)
    found = upper_of_moments(both, tail)
    assert found == pytest.approx([upper_of_sum([law], tail) for law in laws], rel=1e-12)
    assert upper_of_moments(laws[0], tail) == pytest.approx(found[0])


@pytest.mark.parametrize("shift", [-0.9, -0.55, -0.2])
@pytest.mark.parametrize("laws", [LAWS, LAWS[:1], LAWS[1:]], ids=["both", "one", "other"])
def test_the_chance_above_zero_inverts_the_limit(laws, shift):
    moved = [laws[0]._replace(mean=laws[0].mean + shift), *laws[1:]]
    chance = chance_above_zero_of_sum(moved)
    if 1e-12 < chance < 0.999:
        assert upper_of_sum(moved, chance) == pytest.approx(0, abs=1e-6)
    assert chance_above_zero_of_gamma(moved) <= chance


@pytest.mark.parametrize("mean, chance", [(0.1, 1.0), (0.0, 1.0), (-0.1, 0.0)])
def test_a_sum_that_does_not_move(mean, chance):
    assert chance_above_zero_of_gamma([Moments(mean, 0.0, 0.0)]) == chance
    assert chance_above_zero_of_sum([Moments(mean, 0.0, 0.0)]) == chance


def test_what_is_seen_above_zero_is_certain():
    law = Moments(0.5, 0.01, 0.0, 0.3, 9.0)
    assert chance_above_zero_of_sum([law]) == 1
    # No sample like the unseen one could bring the mean to 0.
    far = Moments(-0.9, 1e-6, 0.0, 0.3, 9.0)
    assert chance_above_zero_of_sum([far]) == pytest.approx(0, abs=1e-12)
    near = Moments(-0.2, 1e-8, 0.0, 0.3, 9.0)
    want = (1 - 0.23 / 0.3) ** 9
    assert chance_above_zero_of_sum([near]) == pytest.approx(want)


@pytest.mark.parametrize(
    "step, strata",
    [
        ([1.0], [[0]]),
        ([1.0, 0.6, 0.51], [[0, 1, 2]]),
        ([0.5, 1.0], [[1], [0]]),
        ([0.3, 1.0, 0.3, 0.2, 1.0], [[1, 4], [0, 2, 3]]),
        ([1.0, 0.5, 0.26, 0.25], [[0], [1, 2], [3]]),
        ([1.0, 0.5 * (1 + 1e-13)], [[0], [1]]),
    ],
    ids=str,
)
def test_rows_of_like_steps(step, strata):
    assert [rows.tolist() for rows in split_by_size(np.array(step))] == strata


def test_strata_of_another_factor():
    step = np.array([1.0, 0.4, 0.3, 0.1])
    assert [rows.tolist() for rows in split_by_size(step, 3)] == [[0, 1], [2], [3]]
