"Means of groups: errors by hand, coverage by enumeration, fixed questions, refusals."
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from sampling_eval.inference.strata import Strata, join_groups, lean_of, spread_of
from sampling_eval.inference.units import units_of
from sampling_eval.inference.fixed_questions import Fixed, Noise, add_unseen, fix_questions

pytestmark = pytest.mark.filterwarnings("error")


def groups(*counts): return join_groups([units_of([0, 1], times=[n - c, c]) for n, c in counts])


def test_mean_and_error_by_hand():
    joined = groups((96, 72), (4, 1))
    assert joined.mean() == pytest.approx(.5)
    assert joined.variance() == pytest.approx((.75 * .25 / 95 + .25 * .75 / 3) / 4)
    assert joined.kind == "over questions of 2 fixed groups" and isinstance(joined, Strata)


def test_groups_of_one_question_share_their_spread():
    x = np.random.default_rng(0).random(9)
    joined = join_groups([units_of([v]) for v in x])
    assert joined.variance() == pytest.approx(x.var(ddof=1) / 9)
    lone = [units_of([1]), units_of([0, 1])]
    assert spread_of(lone)[0] == pytest.approx(.25**2)


@pytest.mark.parametrize("level", [.9, .95, .99])
@pytest.mark.parametrize("sizes", [(10, 10, 10), (4, 30), (2, 40), (5, 5), (3, 3, 3, 3)])
def test_coverage_by_enumeration(sizes, level):
    "The mean of groups at which t held 88.5 to 91.7 %: every outcome, so no simulation error."
    # Which of two groups of one size has which count changes nothing, as a test below says.
    found, ends = {}, {}
    for c in product(*(range(n + 1) for n in sizes)):
        same = tuple(sorted(zip(sizes, c)))
        if same not in found: found[same] = groups(*same).limits((1 - level) / 2)
        ends[c] = found[same]
    for p in (.5,) * len(sizes), (.9,) * len(sizes), (.97,) * len(sizes), (.05,) * len(sizes), (.95, .5, .05, .5)[:len(sizes)], (.2, .97, .9, .1)[:len(sizes)]:
        laws = [binom.pmf(np.arange(n + 1), n, q) for n, q in zip(sizes, p)]
        held = sum(np.prod([law[i] for law, i in zip(laws, c)]) for c, (low, high) in ends.items() if low <= np.mean(p) <= high)
        assert 1 - held <= 1.2 * (1 - level)


@pytest.mark.parametrize("counts", [((5, 5), (5, 5)), ((4, 0), (90, 0)), ((96, 72), (4, 0)), ((1, 1),), ((1, 0), (1, 1), (1, 1)), ((10**6, 10**5), (1, 1))])
def test_limits_hold_the_mean_have_width_and_are_ordered(counts):
    joined = groups(*counts)
    ends = np.array([joined.limits(tail) for tail in (.25, .05, .025, .005, .0005, 5e-7)])
    assert (np.diff(ends[:, 0]) <= 1e-9).all() and (np.diff(ends[:, 1]) >= -1e-9).all()
    assert (ends[:, 0] <= joined.mean()).all() and (joined.mean() <= ends[:, 1]).all() and (np.ptp(ends, 1) > 0).all()
    turned = groups(*((n, n - c) for n, c in counts)).limits(.025)
    np.testing.assert_allclose(turned, (1 - ends[2, 1], 1 - ends[2, 0]), atol=1e-9)


def test_any_range():
    x, y = np.random.default_rng(0).random((2, 7))
    unit = join_groups([units_of(x), units_of(y[:3])]).limits(.025)
    wide = join_groups([units_of(10 * o - 5, bounds=(-5, 5)) for o in (x, y[:3])]).limits(.025)
    np.testing.assert_allclose(np.array(wide), 10 * np.array(unit) - 5, atol=1e-9)


def test_the_order_of_groups_does_not_matter():
    one, two = (groups(*c).limits(.025) for c in (((3, 1), (40, 30), (8, 8)), ((8, 8), (3, 1), (40, 30))))
    np.testing.assert_allclose(one, two, atol=1e-11)


def test_fixed_questions_stay_fixed():
    noise = Noise(np.array([.01, .03]), np.full(2, .25))
    joined = join_groups([fix_questions([1, 0], noise), fix_questions([.5], Noise(np.array([.02]), np.array([.25])))])
    assert isinstance(joined, Fixed) and joined.weight.tolist() == [.25, .25, .5]
    assert joined.variance() == pytest.approx((.01 + .03) / 16 + .02 / 4)
    low, high = joined.limits(.025)
    assert low < joined.mean() == .5 < high


@pytest.mark.parametrize("parts", [
    [], [units_of([1]), fix_questions([1.], Noise(np.zeros(1), np.ones(1)))], [units_of([1]), units_of([1], bounds=(0, 5))]])
def test_refused(parts):
    with pytest.raises(ValueError, match="groups of one target and one range"): join_groups(parts)


# Part by part.

def test_several_budgets_are_one_at_a_time():
    x = np.random.default_rng(0).random((9, 3))
    joined = join_groups([units_of(x[:4]), units_of(x[4:8]), units_of(x[8:])])
    assert joined.budgets == 3 and joined.bounds == (0, 1) and joined.mean().shape == joined.variance().shape == (3,)
    np.testing.assert_allclose(joined.mean(), [joined.at(i).mean() for i in range(3)], rtol=1e-14)
    np.testing.assert_allclose(joined.variance(), [joined.at(i).variance() for i in range(3)], rtol=1e-14)
    ends = joined.limits(.05)
    assert type(ends) is tuple and len(ends) == 2
    np.testing.assert_allclose(ends, np.transpose([joined.at(i).limits(.05) for i in range(3)]), rtol=1e-12)
    assert type(joined.at(0).mean()) is type(joined.at(0).variance()) is float


def test_spread_and_lean_of_groups_by_hand():
    "One lone question stands for its distance; three of them lean as they lie, two as far as can be."
    pair, four = units_of([0, 1], bounds=(0, 2)), units_of([0, 0, 0, 2], bounds=(0, 2))
    lone = [units_of([o], bounds=(0, 2)) for o in (0., 1., 2., 1.5)]
    assert spread_of([pair, four]) == [pytest.approx(.25), pytest.approx(.25)]
    assert [float(o[0]) for o in spread_of([four, lone[2]])] == pytest.approx([.25, .75**2])
    both = spread_of([four, lone[0], lone[1]])
    assert [float(o[0]) for o in both] == pytest.approx([.25, .5, .5])
    assert [float(o[0]) for o in lean_of([four, pair], 1)] == pytest.approx([4 * (1.5**3 - 3 * .5**3) / 4**3 / 4,
            .25 * 2 / 2])
    assert [float(o[0]) for o in lean_of([four], -1)] == pytest.approx([-4 * (1.5**3 - 3 * .5**3) / 4**3 / 4])
    assert [float(o[0]) for o in lean_of([four, lone[0], lone[1]], -1)][1:] == pytest.approx([.5 * 2] * 2)
    values = np.array([0, 1, 2, 1.5])
    third = ((values - values.mean())**3).mean()
    for sign in 1, -1: assert [float(o[0]) for o in lean_of(lone, sign)] == pytest.approx([sign * third] * 4)
    assert [float(o[0]) for o in lean_of(lone[:2] + lone[3:],
                                         1)] == pytest.approx([((np.array([0, 1, 1.5]) - 2.5 / 3)**3).mean()] * 3)
    three = units_of([0, 0, 2], bounds=(0, 2))
    assert float(lean_of([three], 1)[0][0]) == pytest.approx(float(three.third_moment()[0]))


def test_laws_of_groups_by_hand():
    "Groups of like weight share a stratum; a small group has one of its own."
    parts = [units_of(np.array([0, 1, 1, 0, 1]), bounds=(-1, 2)), units_of(np.array([1, 1, 0, 1]), bounds=(-1, 2)),
             units_of(np.array([2.]), bounds=(-1, 2))]
    joined = join_groups(parts)
    spread, means = [float(o[0]) for o in spread_of(parts)], [.6, .75, 2.]
    for sign, end in (1, 2), (-1, 1):
        lean = [float(o[0]) for o in lean_of(parts, sign)]
        # The lone question's spread is its distance from all groups; in a stratum of its own, from itself.
        alone = float(spread_of(parts[2:])[0][0])
        small = add_unseen(sign * 2 / 3, alone / 9, float(lean_of(parts[2:], sign)[0][0]) / 27, 3 * 1 / 3,
                           (end - sign * 2) / 3, 1.)
        share = 2/3
        room = share * max(end - sign * o for o in means[:2])
        large = add_unseen(sign * (.6 + .75) / 3, (spread[0] + spread[1]) / 9, (lean[0] + lean[1]) / 27, 3 * .25 / 3,
                           room, 3 * share)
        np.testing.assert_allclose(joined.moments(sign), [small, large], rtol=1e-9, atol=1e-15)


def test_fixed_groups_in_full():
    "Weights by group, steps and the widest span; questions of unknown noise are counted."
    one = fix_questions([1, 0, .5], Noise(np.array([.1, np.nan, .2]), np.full(3, .25), 1.), times=[1, 2, 1])
    two = fix_questions([.5, .25], Noise(np.array([np.nan, .02]), np.full(2, .5), 2.))
    joined = join_groups([one, two])
    assert joined.weight.tolist() == [1/8] * 3 + [1/4] * 2 and joined.times.tolist() == [1, 2, 1, 1, 1]
    assert joined.value.tolist() == [1, 0, .5, .5, .25]
    assert joined.guessed == 3 and joined.noise.span == 2 and joined.noise.step.tolist() == [.25] * 3 + [.5] * 2
    assert joined.bounds == (0, 1)
    assert joined.kind == "within questions, 3 of 6 by an upper bound"
    alone = join_groups([fix_questions([1, .5], Noise(np.array([.1, .2]), np.full(2, .25)), bounds=(0, 2))])
    assert alone.bounds == (0, 2) and alone.weight.tolist() == [.5, .5] and alone.mean() == .75
    assert join_groups([units_of([1, 0], bounds=(0, 2))]).bounds == (0, 2)
    with pytest.raises(ValueError, match="got 0 kinds"): join_groups([])
    with pytest.raises(ValueError, match="got 2 kinds"): join_groups([units_of([1]), units_of([1], bounds=(0, 5))])
