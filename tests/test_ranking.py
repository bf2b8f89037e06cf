"Many systems: Holm's correction by another route, ranks, tied sets, refusals."
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.inference.comparison import Tables
from sampling_eval.inference.ranking import Ranking, compare_all, find_cliques, holm

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
    new, again = (compare_all(values, facts=facts, target=target) for target in ("questions", "benchmark"))
    assert {p.target for p in new.p} == {"questions"} and {p.method for p in again.p} == {"stratified permutation, exact"}
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
