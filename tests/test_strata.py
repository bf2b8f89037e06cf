"Means of groups: errors by hand, coverage by enumeration, fixed questions, refusals."
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from sampling_eval.inference.strata import Strata, join_groups, spread_of
from sampling_eval.inference.units import units_of
from sampling_eval.inference.within import Fixed, Noise, fix_questions

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
    ends = {c: groups(*zip(sizes, c)).limits((1 - level) / 2) for c in product(*(range(n + 1) for n in sizes))}
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
