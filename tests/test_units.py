"Sampling units: standard errors by another route, histograms, clusters, and what is refused."
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.inference.units import Units, number_groups, units_of

SWEEP = settings(derandomize=True, deadline=None, max_examples=60)
table = st.lists(st.lists(st.integers(0, 8), min_size=3, max_size=3), min_size=2, max_size=12)


@SWEEP
@given(table, st.randoms(use_true_random=False))
def test_mean_and_variance_by_numpy_in_any_order(rows, random):
    x = np.array(rows) / 8
    random_rows = list(rows)
    random.shuffle(random_rows)
    turned = units_of(np.array(random_rows) / 8)
    np.testing.assert_allclose(units_of(x).mean(), x.mean(0), rtol=0, atol=1e-15)
    np.testing.assert_allclose(units_of(x).variance(), x.var(0, ddof=1) / len(x), rtol=1e-12, atol=1e-18)
    np.testing.assert_allclose(turned.variance(), units_of(x).variance(), rtol=1e-12, atol=1e-18)
    assert units_of(x).df() == pytest.approx(len(x) - 1)


@SWEEP
@given(st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any))
def test_histograms_are_repeats(times):
    values = np.array([[0, .1], [.5, .4], [1, 1]])
    short, long = units_of(values, times=times), units_of(np.repeat(values, times, 0))
    for name in "mean", "variance", "df":
        np.testing.assert_allclose(getattr(short, name)(), getattr(long, name)(), rtol=1e-12, atol=1e-18)
    assert short.count == long.count == sum(times) == short.questions
    np.testing.assert_allclose(short.anchored().variance(), long.anchored().variance(), rtol=1e-12)


def test_clusters():
    rng = np.random.default_rng(0)
    x, g = rng.random(40), rng.integers(0, 9, 40)
    rest = np.array([(x[g == j] - x.mean()).sum() for j in np.unique(g)])
    units = units_of(x, cluster=g)
    assert units.variance()[0] == pytest.approx(9 / 8 * (rest**2).sum() / 40**2)
    sizes = np.bincount(g)
    assert units.df() == pytest.approx(40**2 / (sizes**2).sum() - 1)
    assert (units.kind, units.count, units.questions) == ("over 9 clusters", 9, 40)
    for names in g.astype(str), g.tolist(), [(int(i), "x") for i in g], g.astype(object):
        np.testing.assert_allclose(units_of(x, cluster=names).variance(), units.variance(), rtol=1e-12)


def test_clusters_of_one_question_are_questions():
    x = np.random.default_rng(1).random((15, 4))
    alone, named = units_of(x), units_of(x, cluster=range(15))
    np.testing.assert_allclose(named.variance(), alone.variance(), rtol=1e-12)
    assert named.df() == pytest.approx(alone.df())


def test_no_spread_is_seen_as_none():
    assert (units_of(np.full((7, 2), .1)).variance() == 0).all()
    assert units_of([.1] * 6, cluster=[0, 0, 1, 1, 2, 2]).variance() == 0
    assert units_of(np.full(3, .1) + [0, 1e-12, 0]).variance()[0] > 0


def test_anchors_stand_at_the_ends_with_the_typical_size():
    more = units_of([3, 4, 8], bounds=(2, 10), cluster=["a", "a", "b"]).anchored()
    assert more.size.tolist() == pytest.approx([2, 1, 5 / 3, 5 / 3])
    assert more.total[2:, 0].tolist() == pytest.approx([10 / 3, 50 / 3])


def test_one_budget_of_many():
    x = np.random.default_rng(2).random((9, 5))
    units = units_of(x)
    assert isinstance(units.at(3), Units) and units.at(3).mean() == units.mean()[3]


def test_rounding_beyond_the_bounds_is_put_back():
    assert units_of([1 + 1e-12, -1e-12]).total.ravel().tolist() == [1, 0]
    assert units_of([1, 0], bounds=np.array([0, 1])).bounds == (0, 1)
    assert units_of([1, 0], bounds=[0, 1]).bounds == (0, 1)


masked = np.ma.array([1, 0], mask=[0, 1])
WRONG = "two ascending numbers of at most 1e150 in size, got "


@pytest.mark.parametrize("values,options,message", [
    ([], {}, "one number per question"), (1., {}, "one number per question"), (np.ones((2, 2, 2)), {}, "one number per question"),
    ([np.nan, 1], {}, "finite, got nan at question 0"), ([1, np.inf], {}, "finite, got inf at question 1"),
    ([1e200], dict(bounds=None), "at most 1e150"), ([62, .5], {}, r"lie in \[0, 1\], got 62.0 at question 0 \(1 of 2 fail\)"),
    ([1, [0]], {}, "rows of one length"), (masked, {}, "masked"), ([masked], {}, "masked"), ([np.ma.masked, 1], {}, "masked"),
    (["1", "0"], {}, "must be numbers"), ([None], {}, "must be numbers"), ([1 + 2j], {}, "must be numbers"), (np.array([1, 0], object), {}, "must be numbers"),
    ([1, 0], dict(bounds=(0, np.nan)), WRONG + "0 and nan"), ([1, 0], dict(bounds=(1, 0)), WRONG + "1 and 0"),
    ([1, 0], dict(bounds=(0, 0)), WRONG), ([1, 0], dict(bounds=(0, np.inf)), WRONG), ([1, 0], dict(bounds=(0, 1e200)), WRONG),
    ([1, 0], dict(bounds=(0,)), WRONG), ([1, 0], dict(bounds="ab"), WRONG), ([1, 0], dict(bounds=("0", "1")), WRONG), ([1, 0], dict(bounds=5), WRONG), ([1, 0], dict(bounds=(0, [1])), WRONG),
    ([1, 0], dict(times=[1]), r"one count per value \(2\)"), ([1, 0], dict(times=[0, 0]), "positive sum"), ([1, 0], dict(times=[2, -1]), "positive sum"),
    ([1, 0], dict(times=[1., 2.]), "integers"), ([1, 0], dict(times=[1, np.nan]), "integers"), ([1, 0], dict(times=["1", "2"]), "integers"), ([1, 0], dict(times=np.ma.array([1, 2], mask=[0, 1])), "masked"),
    ([1, 0], dict(times=[2**53, 1]), r"less than 2\*\*53"), ([1, 0], dict(times=np.array([2**63, 1], np.uint64)), r"below 2\*\*63"), ([1, 0], dict(times=[2**62, 2**62]), r"less than 2\*\*53"),
    ([1, 0], dict(cluster=["a"]), r"one name per question \(2\), got 1"), ([1, 0], dict(cluster="ab"), "one name per question, got 'ab'"), ([1, 0], dict(cluster=5), "one name per question"),
    ([1, 0], dict(cluster=["a", None]), r"got none at question 1 \(1 of 2 fail\)"), ([1, 0], dict(cluster=[np.nan, 1]), "got none at question 0"), ([1, 0], dict(cluster=masked), "masked"),
    ([1, 0], dict(cluster=[1, 2], times=[1, 1]), "got times")])
def test_refused(values, options, message):
    with pytest.raises((ValueError, TypeError), match=message): units_of(values, **options)

def test_states_are_looked_up():
    rng = np.random.default_rng(3)
    table, state = rng.random((6, 4)), rng.integers(0, 6, 50)
    whole, short = units_of(table[state]), units_of(table, state=state)
    counted = units_of(table, state=state, times=np.bincount(state, minlength=6))
    for units in short, counted:
        np.testing.assert_allclose(units.mean(), whole.mean(), rtol=1e-14)
        np.testing.assert_allclose(units.variance(), whole.variance(), rtol=1e-13)
    assert short.count == whole.count == 50
    unused = units_of(np.vstack([table, np.ones(4)]), state=state)
    assert len(unused.total) == len(set(state.tolist()))


@pytest.mark.parametrize("groups,questions,states", [(3, 50, 6), (40, 50, 30), (50, 50, 50), (7, 2000, 40)])
@pytest.mark.parametrize("kind", [np.array, np.ndarray.tolist, lambda g: g.astype(str), lambda g: g * 10**9, lambda g: -g, lambda g: g / 2])
def test_groups_of_states_are_groups_of_questions(groups, questions, states, kind):
    rng = np.random.default_rng(4)
    table, state, group = rng.random((states, 5)), rng.integers(0, states, questions), kind(rng.integers(0, groups, questions))
    whole, short = units_of(table[state], cluster=group), units_of(table, state=state, cluster=group)
    named = units_of(table, state=state, cluster=group, times=np.bincount(state, minlength=states))
    for units in short, named:
        np.testing.assert_allclose(units.total, whole.total, rtol=1e-13)
        assert units.size.tolist() == whole.size.tolist() and units.kind == whole.kind
    code, count = number_groups(group)
    assert (count, code.max(), code.min()) == (len(set(np.asarray(group).tolist())), count - 1, 0)
    np.testing.assert_array_equal(code, np.unique(np.asarray(group).astype(str) if isinstance(group, list) else group, return_inverse=True)[1])


@pytest.mark.parametrize("state,message", [([0, 2], r"one row of values \(0 to 1\) per question, got shape \(2,\) from 0 to 2"), ([-1, 0], "from -1 to 0"),
                                           ([[0, 1]], r"got shape \(1, 2\)"), ([.5], "integers"), ([], "at least one number")])
def test_states_refused(state, message):
    with pytest.raises((ValueError, TypeError), match=message): units_of([1, 0], state=state)
    with pytest.raises((ValueError, TypeError), match=message): units_of([1, 0], state=state, cluster=[1] * len(state))
