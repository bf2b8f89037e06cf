"Many systems: Holm's correction by another route, ranks, tied sets, refusals."
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.ranking import Ranking, compare_all, find_cliques, holm
from sampling_eval.inference.weights import check_weights

SWEEP = settings(derandomize=True, deadline=None, max_examples=60)


@SWEEP
@given(st.lists(st.floats(0, 1), max_size=7), st.floats(.001, .5))
def test_holm_by_its_steps(p, level):
    "Step down: the smallest is compared with level/m, the next with level/(m-1), until one stays."
    rejected, rest = set(), sorted(range(len(p)), key=lambda i: p[i])
    while rest and p[rest[0]] <= level / len(rest): rejected.add(rest.pop(0))
    adjusted = holm(p)
    near = [i for i in range(len(p)) if abs(adjusted[i] - level) < 1e-12]
    assert near or {i for i in range(len(p)) if adjusted[i] <= level} == rejected
    assert (adjusted >= p).all() and (adjusted <= 1).all()


def test_holm():
    np.testing.assert_allclose(holm([.01, .04, .03, .005]), [.03, .06, .06, .02])
    assert holm([]).tolist() == [] and holm([0, 0]).tolist() == [0, 0]


def test_ranks_and_ties():
    rng = np.random.default_rng(0)
    p = rng.beta(2, 2, 400)
    values = {name: rng.binomial(4, np.clip(p + gain, 0, 1)) / 4 for name, gain in (("a", 0), ("b", 0), ("c", .15), ("d", -.2))}
    ranking = compare_all(values)
    assert ranking.systems[0] == "c" and ranking.systems[-1] == "d"
    assert sorted(map(len, ranking.tied)) == [1, 1, 2]
    assert ranking.rank_low.tolist() == [1, 2, 2, 4] and ranking.rank_high.tolist() == [1, 3, 3, 4]
    two = compare_all({"x": [1, 0, 1], "y": [1, 0, 1]})
    assert two.tied == [("x", "y")] and "rank 1..2" in repr(two)


def cliques(near):
    sets = [set(s) for r in range(1, len(near) + 1) for s in combinations(range(len(near)), r) if all(j in near[i] for i, j in combinations(s, 2))]
    return {frozenset(s) for s in sets if not any(s < t for t in sets)}


@SWEEP
@given(st.integers(1, 7), st.randoms(use_true_random=False))
def test_tied_sets_by_listing(size, random):
    near = [set() for _ in range(size)]
    for i, j in combinations(range(size), 2):
        if random.random() < .6: near[i].add(j), near[j].add(i)
    found = list(find_cliques(set(), set(range(size)), set(), near))
    assert {frozenset(f) for f in found} == cliques(near) and len(found) == len(cliques(near))


def test_many_tied_systems_are_one_set_at_once():
    near = [set(range(200)) - {i} for i in range(200)]
    assert list(find_cliques(set(), set(range(200)), set(), near)) == [set(range(200))]


def test_each_target_has_its_test():
    rng = np.random.default_rng(0)
    n, counts = np.full(20, 8), {name: rng.binomial(8, p, 20) for name, p in (("a", .3), ("b", .6), ("c", .9))}
    share = lambda k: np.arange(k + 1) / k
    facts = {(old, new): dict(tables=Tables(n, counts[old], n, counts[new], 1, share)) for old in counts for new in counts if old != new}
    values = {name: right / 8 for name, right in counts.items()}
    new, again = (compare_all(values, facts=facts, target=target) for target in ("new_questions", "same_questions"))
    assert {p.target for p in new.p} == {"new_questions"} and {p.target for p in again.p} == {"same_questions"}
    for ranking, target in (new, "new_questions"), (again, "same_questions"):
        assert [p.value for p in ranking.p] == [pair.invert(target=target).value for pair in ranking.pairs.values()]
    assert again.tied == [("c",), ("b",), ("a",)] and isinstance(new, Ranking)


def test_no_false_finding_among_equal_systems():
    "200 seeded runs of four equal systems; standard error of a rate of .05: 1.5 %."
    rng = np.random.default_rng(0)
    found = [(compare_all({i: rng.binomial(4, .5, 30) / 4 for i in range(4)}).p_adjusted <= .05).any() for _ in range(200)]
    assert np.mean(found) <= .05 + 4 * .015


values = dict(a=[1, 0], b=[1, 1])


@pytest.mark.parametrize("call,message", [
    (lambda: compare_all({"a": [1, 0]}), "at least two systems"), (lambda: compare_all([[1, 0], [1, 1]]), "must map names"), (lambda: compare_all(dict(a=[1, 0], b=[1])), "same questions, got 2 and 1"),
    (lambda: compare_all(dict(a=["x"], b=["y"])), "'a' must be numbers"), (lambda: compare_all(dict(a=[1.], b=[np.nan])), "'b' must be finite"), (lambda: compare_all(dict(a=[[1]], b=[[1]])), "one number per question"),
    (lambda: compare_all(values, confidence_level=95), "confidence_level"), (lambda: compare_all(values, confidence_level="a"), "confidence_level"), (lambda: compare_all(values, method="z"), "method must be"),
    (lambda: compare_all(values, target="both"), "target must be"), (lambda: compare_all(values, cluster=[1]), "cluster must hold"), (lambda: compare_all(values, bounds=(0, np.nan)), "two ascending"),
    (lambda: holm([.5, 2]), "numbers in"), (lambda: holm([np.nan]), "numbers in"), (lambda: holm([[.1]]), "numbers in"), (lambda: holm(.5), "numbers in"), (lambda: holm(["a"]), "plain numbers"),
    (lambda: holm(np.ma.array([.1, .2], mask=[0, 1])), "plain numbers")])
def test_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message): call()


# By hand.

def test_adjusted_values_keep_their_order_and_stop_at_one():
    assert holm([.5, .01, .4]).tolist() == pytest.approx([.8, .03, .8]) and holm([1, 1]).tolist() == [1, 1]
    assert holm([.3]).tolist() == [.3]
    assert holm([True, False]).tolist() == [1, 0]
    assert holm(np.array([.02, .02, .02])).tolist() == pytest.approx([.06] * 3)
    assert holm([.001, .002, .003, .9]).tolist() == pytest.approx([.004, .006, .006, .9])


@pytest.mark.parametrize("p", [[1 + 1e-9], [-1e-9], [.5, np.inf]])
def test_numbers_just_outside_are_refused(p):
    with pytest.raises(ValueError, match=r"numbers in \[0, 1\]"): holm(p)


def ranking_of(p_adjusted, level=.95):
    "Three systems x, y, z, 40 questions each, with adjusted p values for x-y, x-z, y-z as given."
    columns = dict(x=np.r_[np.ones(30), np.zeros(10)], y=np.r_[np.ones(20), np.zeros(20)],
        z=np.r_[np.ones(10), np.zeros(30)])
    made = compare_all(columns, confidence_level=level)
    return replace(made, p_adjusted=np.array(p_adjusted))


@pytest.mark.parametrize("p, low, high, tied", [
    ([.01, .01, .01], [1, 2, 3], [1, 2, 3], [("x",), ("y",), ("z",)]),
    ([.2, .01, .2], [1, 1, 2], [2, 3, 3], [("x", "y"), ("y", "z")]),
    ([1, 1, 1], [1, 1, 1], [3, 3, 3], [("x", "y", "z")]),
    ([.2, .05, .05], [1, 1, 3], [2, 2, 3], [("x", "y"), ("z",)]),
    ([.2, .0501, .0501], [1, 1, 1], [3, 3, 3], [("x", "y", "z")]),
    ([.05, .05, .2], [1, 2, 2], [1, 3, 3], [("x",), ("y", "z")])])
def test_ranks_from_adjusted_values(p, low, high, tied):
    "A value at the level itself tells apart; 1 - .95 is a little more than .05."
    ranking = ranking_of(p)
    assert ranking.rank_low.tolist() == low and ranking.rank_high.tolist() == high and ranking.tied == tied
    apart = [(i, j) for (i, j), value in zip(ranking.pairs, p) if value <= .05]
    assert list(map(tuple, np.argwhere(ranking.ahead))) == apart and not np.triu(ranking.ahead.T).any()


def test_what_a_ranking_says():
    values = dict(low=[0, 0, 1, 0], top=[1, 1, 1, .5], mid=[1, 0, 1, .25])
    ranking = compare_all(values, confidence_level=.9)
    assert (repr(ranking)
        == "Ranking(3 pairs, Holm, 90 %)\n  rank 1..3  0.8750  top\n  rank 1..3  0.5625  mid\n  rank 1..3  0.2500  low")
    assert ranking.systems == ("top", "mid", "low") and ranking.means.tolist() == [.875, .5625, .25]
    assert ranking.confidence_level == .9
    assert {pair: one.difference for pair, one in ranking.pairs.items()} == {(0, 1): .3125, (0, 2): .625, (1, 2): .3125}
    assert ranking.p_adjusted.tolist() == pytest.approx(holm([one.value for one in ranking.p]).tolist())
    assert compare_all(values).confidence_level == .95 and compare_all(values).ahead.shape == (3, 3)


def test_options_reach_every_pair():
    rng = np.random.default_rng(3)
    values, cluster = {name: rng.random(12) * scale for name,
        scale in (("a", 1), ("b", .8), ("c", .5))}, np.arange(12) // 2
    for method, more in (None, {}), ("gaffke", {}), ("t", dict(bounds=None)), ("sign-flip",
        dict(cluster=cluster)), ("gaffke", dict(bounds=(-1, 2))):
        ranking = compare_all(values, method=method, **more)
        for (i, j), p in zip(ranking.pairs, ranking.p):
            new, old = ranking.systems[i], ranking.systems[j]
            assert p == paired_difference(values[old], values[new], **more).test(method), (method, more)
    again = compare_all(values, target="same_questions")
    assert {p.target for p in again.p} == {"same_questions"}
    weights = check_weights(np.arange(1, 13))
    weighted = compare_all(values, weights=weights)
    means = [np.average(column, weights=np.arange(1, 13)) for column in values.values()]
    assert weighted.means.tolist() == pytest.approx(sorted(means, reverse=True))
    assert [one.difference for one in weighted.pairs.values()] == pytest.approx([weighted.means[i] - weighted.means[j]
        for i, j in weighted.pairs])
    moved = np.random.default_rng(1).normal(.42, 1, 60)
    drawn = [compare_all(dict(a=np.zeros(60), b=moved), bounds=None, method="sign-flip", rng=seed).p[0] for seed in (None, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2] and drawn[0].method == "sign-flip, 9999 draws"


def test_equal_means_keep_the_order_given():
    assert compare_all(dict(b=[1, 0], a=[0, 1])).systems == ("b", "a")
    tied = compare_all(dict(b=[1, 0], a=[0, 1]))
    assert tied.tied == [("b", "a")] and tied.pairs[0, 1].difference == 0 and not tied.ahead.any()
