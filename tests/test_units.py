"Sampling units: standard errors by another route, histograms, clusters, and what is refused."

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.inference.grouping import (
    add_by_group,
    check_bounds,
    largest_size,
    number_groups,
    within_bounds,
)
from sampling_eval.inference.units import (
    check_weights,
    cross_groups,
    Crossed,
    Units,
    units_of,
    weigh_units,
)
from sampling_eval.inference.unseen import add_unseen

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
    np.testing.assert_allclose(
        units_of(x).variance(), x.var(0, ddof=1) / len(x), rtol=1e-12, atol=1e-18
    )
    np.testing.assert_allclose(turned.variance(), units_of(x).variance(), rtol=1e-12, atol=1e-18)
    assert units_of(x).df() == pytest.approx(len(x) - 1)


@SWEEP
@given(st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any))
def test_histograms_are_repeats(times):
    values = np.array([[0, 0.1], [0.5, 0.4], [1, 1]])
    short, long = units_of(values, times=times), units_of(np.repeat(values, times, 0))
    for name in "mean", "variance", "df":
        np.testing.assert_allclose(
            getattr(short, name)(), getattr(long, name)(), rtol=1e-12, atol=1e-18
        )
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
        np.testing.assert_allclose(
            units_of(x, cluster=names).variance(), units.variance(), rtol=1e-12
        )


def test_clusters_of_one_question_are_questions():
    x = np.random.default_rng(1).random((15, 4))
    alone, named = units_of(x), units_of(x, cluster=range(15))
    np.testing.assert_allclose(named.variance(), alone.variance(), rtol=1e-12)
    assert named.df() == pytest.approx(alone.df())


def test_anchors_stand_at_the_ends_with_the_typical_size():
    more = units_of([3, 4, 8], bounds=(2, 10), cluster=["a", "a", "b"]).anchored()
    assert more.size.tolist() == pytest.approx([2, 1, 5 / 3, 5 / 3])
    assert more.total[2:, 0].tolist() == pytest.approx([10 / 3, 50 / 3])


def test_rounding_beyond_the_bounds_is_put_back():
    assert units_of([1 + 1e-12, -1e-12]).total.ravel().tolist() == [1, 0]
    assert units_of([1, 0], bounds=np.array([0, 1])).bounds == (0, 1)
    assert units_of([1, 0], bounds=[0, 1]).bounds == (0, 1)


masked = np.ma.array([1, 0], mask=[0, 1])
WRONG = "two ascending numbers of at most 1e150 in size, got "


@pytest.mark.parametrize(
    "values,options,message",
    [
        ([], {}, "one number per question"),
        (1.0, {}, "one number per question"),
        (np.ones((2, 2, 2)), {}, "one number per question"),
        ([np.nan, 1], {}, "finite, got nan at question 0"),
        ([1, np.inf], {}, "finite, got inf at question 1"),
        ([1e200], dict(bounds=None), "at most 1e150"),
        ([62, 0.5], {}, r"lie in \[0, 1\], got 62.0 at question 0 \(1 of 2 fail\)"),
        ([1, [0]], {}, "rows of one length"),
        (masked, {}, "masked"),
        ([masked], {}, "masked"),
        ([np.ma.masked, 1], {}, "masked"),
        (["1", "0"], {}, "must be numbers"),
        ([None], {}, "must be numbers"),
        ([1 + 2j], {}, "must be numbers"),
        (np.array([1, 0], object), {}, "must be numbers"),
        ([1, 0], dict(bounds=(0, np.nan)), WRONG + "0 and nan"),
        ([1, 0], dict(bounds=(1, 0)), WRONG + "1 and 0"),
        ([1, 0], dict(bounds=(0, 0)), WRONG),
        ([1, 0], dict(bounds=(0, np.inf)), WRONG),
        ([1, 0], dict(bounds=(0, 1e200)), WRONG),
        ([1, 0], dict(bounds=(0,)), WRONG),
        ([1, 0], dict(bounds="ab"), WRONG),
        ([1, 0], dict(bounds=("0", "1")), WRONG),
        ([1, 0], dict(bounds=5), WRONG),
        ([1, 0], dict(bounds=(0, [1])), WRONG),
        ([1, 0], dict(times=[1]), r"one count per value \(2\)"),
        ([1, 0], dict(times=[0, 0]), "positive sum"),
        ([1, 0], dict(times=[2, -1]), "positive sum"),
        ([1, 0], dict(times=[1.0, 2.0]), "integers"),
        ([1, 0], dict(times=[1, np.nan]), "integers"),
        ([1, 0], dict(times=["1", "2"]), "integers"),
        ([1, 0], dict(times=np.ma.array([1, 2], mask=[0, 1])), "masked"),
        ([1, 0], dict(times=[2**53, 1]), r"less than 2\*\*53"),
        ([1, 0], dict(times=np.array([2**63, 1], np.uint64)), r"below 2\*\*63"),
        ([1, 0], dict(times=[2**62, 2**62]), r"less than 2\*\*53"),
        ([1, 0], dict(cluster=["a"]), r"one name per question \(2\), got 1"),
        ([1, 0], dict(cluster="ab"), "one name per question, got 'ab'"),
        ([1, 0], dict(cluster=5), "one name per question"),
        ([1, 0], dict(cluster=["a", None]), r"got none at question 1 \(1 of 2 fail\)"),
        ([1, 0], dict(cluster=[np.nan, 1]), "got none at question 0"),
        ([1, 0], dict(cluster=masked), "masked"),
        ([1, 0], dict(cluster=[1, 2], times=[1, 1]), "got times"),
    ],
)
def test_refused(values, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        units_of(values, **options)


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


@pytest.mark.parametrize(
    "groups,questions,states", [(3, 50, 6), (40, 50, 30), (50, 50, 50), (7, 2000, 40)]
)
@pytest.mark.parametrize(
    "kind",
    [
        np.array,
        np.ndarray.tolist,
        lambda g: g.astype(str),
        lambda g: g * 10**9,
        lambda g: -g,
        lambda g: g / 2,
    ],
)
def test_groups_of_states_are_groups_of_questions(groups, questions, states, kind):
    rng = np.random.default_rng(4)
    table, state, group = (
        rng.random((states, 5)),
        rng.integers(0, states, questions),
        kind(rng.integers(0, groups, questions)),
    )
    whole, short = units_of(table[state], cluster=group), units_of(
        table, state=state, cluster=group
    )
    named = units_of(table, state=state, cluster=group, times=np.bincount(state, minlength=states))
    for units in short, named:
        np.testing.assert_allclose(units.total, whole.total, rtol=1e-13)
        assert units.size.tolist() == whole.size.tolist() and units.kind == whole.kind
    code, count = number_groups(group)
    assert (count, code.max(), code.min()) == (len(set(np.asarray(group).tolist())), count - 1, 0)
    np.testing.assert_array_equal(
        code,
        np.unique(
            np.asarray(group).astype(str) if isinstance(group, list) else group, return_inverse=True
        )[1],
    )


@pytest.mark.parametrize(
    "state,message",
    [
        ([0, 2], r"one row of values \(0 to 1\) per question, got shape \(2,\) from 0 to 2"),
        ([-1, 0], "from -1 to 0"),
        ([[0, 1]], r"got shape \(1, 2\)"),
        ([0.5], "integers"),
        ([], "at least one number"),
    ],
)
def test_states_refused(state, message):
    with pytest.raises((ValueError, TypeError), match=message):
        units_of([1, 0], state=state)
    with pytest.raises((ValueError, TypeError), match=message):
        units_of([1, 0], state=state, cluster=[1] * len(state))


# Part by part.


def test_moments_of_units_in_fractions():
    total, size, times = [Fraction(1, 2), Fraction(2), Fraction(0)], [1, 3, 2], [2, 1, 4]
    questions = sum(t * s for t, s in zip(times, size))
    mean = sum(t * v for t, v in zip(times, total)) / questions
    rest = [v - s * mean for v, s in zip(total, size)]
    units = Units(
        np.array([[float(v), 1 - float(v)] for v in total]), np.array(size, float), np.array(times)
    )
    assert (
        units.mean()[0] == pytest.approx(float(mean), rel=1e-14)
        and units.questions == questions == 13
    )
    assert units.count == 7
    np.testing.assert_allclose(units.rest()[:, 0], np.array(rest, float), rtol=1e-12)
    want = Fraction(7, 6) * sum(t * r**2 for t, r in zip(times, rest)) / questions**2
    assert units.variance()[0] == pytest.approx(float(want), rel=1e-12)
    third = sum(t * r**3 for t, r in zip(times, rest)) / Fraction(questions) ** 3
    assert units.third_moment()[0] == pytest.approx(
        float(third), rel=1e-12
    ) and units.third_moment().shape == (2,)
    assert units.df() == pytest.approx(questions**2 / (2 + 9 + 16) - 1)
    assert (
        units.bounds,
        units.clustered,
        units.largest,
        units.weighted,
        units.top,
        units.kind,
    ) == ((0, 1), False, None, False, 3, "over questions")


def test_what_units_are_called():
    one = units_of([1, 0.5, 0])
    assert one.kind == "over questions" and replace(one, clustered=True).kind == "over 3 clusters"
    weighed = replace(one, clustered=True, largest=0.7)
    assert weighed.weighted and weighed.top == 0.7 and weighed.kind == "over weighted questions"
    alone = units_of([0.25])
    assert alone.variance() == 0 and alone.df() == 0 and alone.at(0).total.shape == (1, 1)
    np.testing.assert_array_equal(largest_size(np.array([[-3.0, 1.0], [2.0, 0.5]])), [3, 1])


def test_spread_at_the_edge_of_rounding():
    "Up to 1e-14 of the values a spread is rounding."
    flat, real = (units_of([0.5, 0.5 + o], bounds=None) for o in (4e-15, 4e-14))
    assert flat.variance() == 0 < real.variance()


@pytest.mark.parametrize("low, high", [(0, 1), (-5, 5), (2.0, 2.5)])
def test_values_at_the_edge_of_their_bounds(low, high):
    "A billionth of the range is rounding and is put back, more is refused."
    width = high - low
    for end, sign in (low, -1), (high, 1):
        assert units_of([end + sign * 0.9e-9 * width, low], bounds=(low, high)).total[0, 0] == end
        with pytest.raises(
            ValueError,
            match=re.escape(f"values must lie in [{low}, {high}], got ")
            + r".*at question 1 \(1 of 2 fail\); pass bounds= for another range",
        ):
            units_of([low, end + sign * 1.2e-9 * width], bounds=(low, high))
    assert (
        check_bounds((np.int64(low), high)) == (low, high)
        and type(check_bounds(np.array([0, 1]))[0]) is int
    )
    with pytest.raises(ValueError, match=r"\(2 of 3 fail\)"):
        units_of([[0.1, 0.2], [9, 0.2], [0.2, 9]])


def test_the_largest_numbers():
    assert units_of([1e150, -1e150], bounds=None).total.ravel().tolist() == [1e150, -1e150]
    assert check_bounds(None) is None
    for value in 1.001e150, -1.001e150:
        with pytest.raises(
            ValueError, match="values must be at most 1e150 in size, got -?1.001e.150 at question 1"
        ):
            units_of([0, value], bounds=None)
    assert check_bounds((-1e150, 1e150)) == (-1e150, 1e150) and check_bounds([False, True]) == (
        False,
        True,
    )
    for pair in (-1.001e150, 0), (0, 1.001e150), (1, 1):
        with pytest.raises(ValueError, match="bounds must be two ascending numbers"):
            check_bounds(pair)
    assert (
        units_of([True, False]).mean() == 0.5 and units_of(np.array([1, 0], np.uint8)).mean() == 0.5
    )
    assert units_of([1, 0], times=[2**53 - 2, 1]).count == 2**53 - 1
    with pytest.raises(
        ValueError, match=r"times must add up to less than 2\*\*53, got 9.0072e\+15"
    ):
        units_of([1, 0], times=[2**53 - 1, 1])
    assert units_of([1, 0, 0.5], times=[0, 3, 1]).times.tolist() == [3, 1]
    with pytest.raises(ValueError, match="times must be counts with a positive sum, got -1"):
        units_of([1, 0], times=[2, -1])
    assert within_bounds(np.array([[0.0, 1.0]]), (0, 1)) and not within_bounds(
        np.array([[np.nan]]), None
    )
    assert not within_bounds(np.array([[1.1]]), (0, 1))


def test_names_of_groups():
    for names, want in (
        (["b", "a", "b"], [1, 0, 1]),
        ([5, 3, 5], [1, 0, 1]),
        (np.array([-7, 10**6, -7]), [0, 1, 0]),
        (np.array([0.5, 0.25, 0.5]), [1, 0, 1]),
        (np.array([3, 1, 3], np.uint8), [1, 0, 1]),
    ):
        group, count = number_groups(names, 3)
        assert group.tolist() == want and count == 2
    assert number_groups(np.array([4, 9, 6]))[0].tolist() == [0, 2, 1]
    with pytest.raises(ValueError, match=r"cluster must hold one name per question \(4\), got 3"):
        number_groups("a b c".split(), 4)
    for names, message in (
        ([b"a", None], "got none at question 1"),
        (np.array([[1, 2]]), r"got shape \(1, 2\)"),
        (b"ab", "got b'ab'"),
        (7, "got 7"),
        (np.array([1.0, np.nan]), "at question 1"),
    ):
        with pytest.raises((TypeError, ValueError), match="cluster must .*" + message):
            number_groups(names)


@pytest.mark.parametrize("questions, groups", [(8, 16), (7, 16), (9, 16)])
def test_few_questions_in_many_cells(questions, groups):
    "Both ways to add up groups, at the number of cells where one takes over."
    values, state = (
        np.array([[0.5, 0.25], [1.0, 0.0], [0.125, 0.75], [0.0, 0.5]]),
        np.arange(questions) % 4,
    )
    group = np.arange(questions) * 2 % groups
    found = add_by_group(values, group, state, groups)
    want = np.zeros((groups, 2))
    np.add.at(want, group, values[state])
    np.testing.assert_array_equal(found, want)
    with pytest.raises(ValueError, match="clusters need one value per question, got times"):
        units_of([1, 0], cluster=[1, 2], times=[1, 1])
    assert units_of(
        [0.5, 1], state=[0, 1, 1], cluster=list("aab"), times=[1, 2]
    ).total.ravel().tolist() == [1.5, 1]


# Weights of questions.


@pytest.mark.parametrize(
    "weights, largest, told",
    [
        ([2, 2, 2], None, None),
        ([2, 2, 2], 2, None),
        ([2, 2, 2], 2.5, ([0.8, 0.8, 0.8], True)),
        ([1, 2, 4], None, ([0.25, 0.5, 1], False)),
        ([1, 2, 4], 4, ([0.25, 0.5, 1], True)),
        ([4], None, None),
    ],
)
def test_weights_in_units_of_the_largest_seen(weights, largest, told):
    found = check_weights(weights, largest)
    if told is None:
        assert found is None
        return
    unit = max(weights)
    assert found.weight.tolist() == [one / unit for one in weights] and found.unit == unit
    assert (found.largest, found.declared) == ((largest or unit) / unit, told[1])


@pytest.mark.parametrize(
    "weights, largest, said",
    [
        ([1, 0], None, "got 0 at question 1"),
        ([1, -1], None, "got -1 at question 1"),
        ([1, np.inf], None, "got inf at question 1"),
        ([], None, "hold one number per question"),
        ([[1, 2]], None, "hold one number per question"),
        ([True, False], None, "hold one number per question"),
        ([1, 2], 1.9, "at least the largest weight seen (2), got 1.9"),
        ([1, 2], True, "largest_weight must be a number"),
        ([1, 2], np.nan, "largest_weight must be a number"),
        ([1, 2], "3", "largest_weight must be a number"),
    ],
)
def test_weights_that_are_refused(weights, largest, said):
    with pytest.raises((ValueError, TypeError)) as error:
        check_weights(weights, largest)
    assert said in str(error.value)


def test_weighted_questions_are_units():
    weights = check_weights([1, 2, 2, 1])
    values = np.array([0.0, 0.5, 0.5, 1])
    units = weigh_units(np.array([0.0, 0.5, 1]), weights, state=np.array([0, 1, 1, 2]))
    # Questions of one row and one weight stand once.
    rows = zip(units.size.tolist(), units.times.tolist(), units.total[:, 0].tolist())
    assert sorted(rows) == [
        (0.5, 1, 0.0),
        (0.5, 1, 0.5),
        (1.0, 2, 0.5),
    ]
    assert units.mean()[0] == pytest.approx((0 + 1 + 1 + 1) / 6, rel=1e-15)
    assert weights.average(values) == pytest.approx(0.5, rel=1e-15)
    assert (weights.effective, units.assumed) == (pytest.approx(36 / 10), 2)
    assert weigh_units(values, check_weights([1, 2, 2, 1], 4)).assumed is None
    with pytest.raises(ValueError, match=r"one number per question \(3\), got 4"):
        weigh_units(values[:3], weights)
    with pytest.raises(TypeError, match="weights must come from check_weights"):
        weigh_units(values, [1, 2, 2, 1])


@pytest.mark.parametrize("declared", [None, 4])
def test_weighted_clusters_are_units(declared):
    weights = check_weights([1, 2, 2, 1, 1], declared)
    values = np.array([0.0, 0.5, 1, 1, 0])
    units = weigh_units(values, weights, cluster=list("aabba"))
    assert units.size.tolist() == [2, 1.5] and units.total[:, 0].tolist() == [0.5, 1.5]
    assert units.clustered and units.times.tolist() == [1, 1] and units.asked == 5
    # The largest weight times the questions of the largest cluster, or the largest seen.
    assert (units.largest, units.assumed) == ((2 * 3, None) if declared else (2, 2 * 2))
    for names in range(5), None:
        assert not weigh_units(values, weights, cluster=names).clustered
    assert weigh_units(values, weights, cluster=["a"] * 5).count == 1


# Groups that share clusters.


def test_groups_with_the_same_part_of_each_cluster_are_one_mean():
    values = [np.array([0.0, 1, 1, 1]), np.array([0.0, 0, 1, 0])]
    alike = cross_groups(values, [list("aabb"), list("baab")])
    assert isinstance(alike, Units) and alike.count == 2 and alike.clustered
    assert alike.mean()[0] == pytest.approx((3 / 4 + 1 / 4) / 2, rel=1e-15)
    other = cross_groups(values, [list("aabb"), list("aaab")])
    assert isinstance(other, Crossed) and other.mean() == pytest.approx(0.5, rel=1e-15)
    lone = cross_groups(values, [list("aabb"), list("bbcc")])
    assert isinstance(lone, Crossed)
    # Groups of different size count the same.
    sizes = cross_groups([np.array([0.0, 1]), np.array([1.0, 1, 1, 1])], [list("ab"), list("aabb")])
    assert isinstance(sizes, Units) and sizes.mean()[0] == pytest.approx(0.75, rel=1e-15)


def test_groups_of_one_mean_count_all_their_questions():
    "Each group as if it had three questions, the mean of two and four."
    found = cross_groups(
        [np.array([0.0, 1]), np.array([1.0, 1, 1, 0.5])],
        [list("ab"), list("aabb")],
        bounds=(-2, 2),
    )
    assert found.size.tolist() == [3, 3] and found.times.tolist() == [1, 1]
    assert found.total[:, 0].tolist() == [1.5 * 0 + 0.75 * 2, 1.5 * 1 + 0.75 * 1.5]
    assert (found.bounds, found.clustered, found.kind) == ((-2, 2), True, "over 2 clusters")
    weighed = cross_groups(
        [np.array([0.0, 1]), np.array([1.0, 1])],
        [list("ab")] * 2,
        weights=[np.ones(2)] * 2,
        largest=1.5,
    )
    assert isinstance(weighed, Crossed) and weighed.parts[0].top == 1.5
    lone = cross_groups([np.array([0.0, 1]), np.array([1.0, 1, 0])], [list("ab"), list("bcc")])
    assert [part.clustered for part in lone.parts] == [False, True]
    assert [part.asked for part in lone.parts] == [2, 3]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "bounds, largest, over", [((0, 1), None, 1), ((-1, 3), None, 1), ((0, 1), 4, 4)], ids=str
)
def test_the_law_of_groups_that_share_clusters_by_hand(bounds, largest, over, sign):
    """What a cluster moves is the sum of what its questions move, each by its group's size. One
    that was not seen may weigh four times what the largest of some group does."""
    values = [np.array([0.0, 1, 0.25, 1]), np.array([1.0, 0, 0.5]), np.array([0.75, 0.5])]
    clusters = [list("aabc"), list("bcd"), list("da")]
    weights = None if largest is None else [np.ones(len(own)) for own in values]
    found = cross_groups(values, clusters, bounds=bounds, weights=weights, largest=largest)
    pull, share, held = (dict.fromkeys("abcd", 0.0) for _ in range(3))
    for own, names in zip(values, clusters):
        part = 1 / (3 * len(own))
        for value, name in zip(own, names):
            pull[name] += (value - own.mean()) * part
            share[name] += part
            held[name] += sign * own.mean() * part
    mean = sign * sum(own.mean() for own in values) / 3
    end = bounds[1] if sign > 0 else -bounds[0]
    room = max(end - held[name] / share[name] for name in "abcd")
    width = bounds[1] - bounds[0]
    third = sign * sum(one**3 for one in pull.values())
    step = width * max(share.values()) * over
    want = add_unseen(mean, found.variance(), third, step, room, width)
    assert list(found.moments(sign)[0]) == pytest.approx(list(want), rel=1e-12)
    assert found.pull()[:, 0] == pytest.approx(list(pull.values()), abs=1e-15)


def test_two_clusters_are_never_lopsided():
    "Their third moment is the largest there can be: the variance times the longest step."
    values = [np.array([0.0, 1, 0.25]), np.array([1.0, 0.5])]
    found = cross_groups(values, [list("aab"), list("bb")])
    share = (1 / 3 + 1) / 2
    law = found.moments(1)[0]
    mean, room = (5 / 12 + 3 / 4) / 2, 1 - 5 / 12
    want = add_unseen(mean, found.variance(), found.variance() * share, share, room, 1)
    assert found.count == 2 and list(law) == pytest.approx(list(want), rel=1e-12)


def test_an_unseen_cluster_weighs_at_least_as_much_as_the_heaviest_seen():
    "The largest weight is that of a question; two of them make up the first cluster."
    values = [np.array([0.0, 1, 0.25]), np.array([1.0, 0.5, 0])]
    found = cross_groups(values, [list("aab")] * 2, weights=[np.ones(3)] * 2, largest=1.0)
    variance, mean = found.variance(), (5 / 12 + 1 / 2) / 2
    want = add_unseen(mean, variance, variance * 2 / 3, 2 / 3, 1 - mean, 1)
    assert list(found.moments(1)[0]) == pytest.approx(list(want), rel=1e-12)


def test_three_clusters_can_be_lopsided():
    values = [np.array([0.0, 1, 0.25]), np.array([1.0, 0.5])]
    found = cross_groups(values, [list("abc"), list("bb")])
    third = sum(((x - 5 / 12) / 6) ** 3 for x in values[0])
    room = 1 - 5 / 12
    want = add_unseen((5 / 12 + 3 / 4) / 2, found.variance(), third, 2 / 3, room, 1)
    assert found.count == 3 and list(found.moments(1)[0]) == pytest.approx(list(want), rel=1e-12)


def test_a_group_of_one_cluster_borrows_its_spread():
    "Groups of means 1/2 and 3/4; the second is one cluster, which the first holds too."
    found = cross_groups([np.array([0.0, 1, 0.5]), np.array([1.0, 0.5])], [list("abc"), list("aa")])
    seen = [3 / 2 * (1 / 2 / 6) ** 2] * 2
    borrowed = (3 / 4 - 5 / 8) ** 2 / 4
    assert found.variance() == pytest.approx(sum(seen) + borrowed, rel=1e-12)
    # Two clusters of the first group alone, one of both: each part shows one degree.
    squares = sum(one**2 for one in (*seen, borrowed))
    assert found.df() == pytest.approx((sum(seen) + borrowed) ** 2 / squares)
