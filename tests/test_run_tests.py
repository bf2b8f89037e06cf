"Tests of runs against vectors, all orders of small tables, and all outcomes of small designs."
import json
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, erfc, nan, prod, sqrt
from pathlib import Path

import numpy as np
import pytest

from sampling_eval.inference.ranking import holm
from sampling_eval.verbs import run_tests
from sampling_eval.verbs.run_tests import (LARGE, bound_copies, bound_one_copy, bound_reruns, bound_shares, bound_stopping,
                                           cochran_test, first_sample_test, last_sample_test, mark_sorted, pair_test,
                                           poisson_binomial, poisson_binomial_test, rough_cochran, share_disagreeing)

TABLES = json.loads((Path(__file__).parent / "vectors" / "reruns.json").read_text("utf-8"))["tables"]


@pytest.mark.parametrize("case", TABLES, ids=lambda case: f"{len(case['table'])}x{len(case['table'][0])}")
def test_pairs_and_cochran_of_the_vectors(case):
    kinds = np.array(case["table"])
    pairs = pair_test(kinds)
    assert [[a, b] for a, b in zip(pairs.first.tolist(), pairs.second.tolist())] == [o["runs"] for o in case["pairs"]]
    assert pairs.differ.tolist() == [o["discordant"] for o in case["pairs"]]
    assert (pairs.shared == len(kinds)).all()
    assert pairs.p == pytest.approx([o["p"] for o in case["pairs"]], abs=1e-13)
    assert holm(pairs.p) == pytest.approx([o["holm"] for o in case["pairs"]], abs=1e-13)
    found = cochran_test(kinds)
    want = [nan if case[name] is None else case[name] for name in ("cochran_q", "too_spread")]
    assert [found.q, found.p] == pytest.approx(want, abs=1e-12, nan_ok=True)
    assert found.method == "exact"


def test_a_sum_of_coins_in_fractions():
    means = [Fraction(1, 4), Fraction(2, 3), Fraction(0), Fraction(1), Fraction(2, 3), Fraction(1, 7)]
    law = Counter()
    for outcome in product((0, 1), repeat=len(means)):
        law[sum(outcome)] += prod(p if x else 1 - p for p, x in zip(means, outcome))
    assert poisson_binomial(np.array([float(p) for p in means])) == pytest.approx([float(law[t]) for t in range(7)], rel=1e-14)
    assert poisson_binomial(np.array([])).tolist() == [1] and poisson_binomial(np.full(1000, .5))[0] == pytest.approx(.5**1000, rel=1e-12)


def test_the_tail_of_a_run_is_that_of_all_permutations():
    outcomes = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1]])
    sums = np.array([0])
    for row in outcomes: sums = np.add.outer(sums, [row[list(o)][0] for o in permutations(range(3))]).ravel()
    for total in range(5):
        want = min(1, 2 * min((sums <= total).mean(), (sums >= total).mean()))
        assert poisson_binomial_test(total, outcomes.mean(1)) == pytest.approx(want)


def test_tails_by_hand():
    for total, p in (0, 2 * .5**10), (1, 2 * 11 * .5**10), (5, 1), (9, 2 * 11 * .5**10), (10, 2 * .5**10):
        assert poisson_binomial_test(total, np.full(10, .5)) == pytest.approx(p)
    assert poisson_binomial_test(0, np.full(60, .5)) == pytest.approx(2 * .5**60, rel=1e-12)


def test_a_normal_tail_by_hand(monkeypatch):
    means = np.repeat([.25, .5], [400, 200])
    exact = [poisson_binomial_test(total, means) for total in (170, 185, 230)]
    monkeypatch.setattr(run_tests, "LARGE", 599)
    for total in (170, 230):
        want = erfc((abs(total - 200) - .5) / sqrt(2 * (400 * 3 / 16 + 200 / 4)))
        assert poisson_binomial_test(total, means) == pytest.approx(want, rel=1e-12)
    assert poisson_binomial_test(200, means) == 1
    assert [poisson_binomial_test(total, means) for total in (170, 185, 230)] == pytest.approx(exact, rel=.2)
    monkeypatch.undo()
    # No p value of the approximation is below 1e-12.
    assert poisson_binomial_test(0, np.full(LARGE, .5)) < 1e-12 == poisson_binomial_test(0, np.full(LARGE + 1, .5))


def orders(kinds):
    "All tables that have the samples of each question in another order, absent ones in place."
    rows = []
    for row in kinds.tolist():
        here = [i for i, one in enumerate(row) if one != -1]
        found = []
        for order in permutations([row[i] for i in here]):
            new = list(row)
            for i, one in zip(here, order): new[i] = one
            found.append(new)
        rows.append(found)
    return np.array(list(product(*rows)))


@pytest.mark.parametrize("table", [[[1, 0, 0], [1, 1, 0], [0, 1, 0]], [[3, 3, 1], [0, -1, 0], [1, 2, -1], [0, 0, 5]],
                                   [[0, 1, -1, 1], [1, 1, 0, 1]]])
def test_pairs_against_all_orders(table):
    kinds = np.array(table)
    every = orders(kinds)
    pairs = pair_test(kinds)
    for a, b, differ, p in zip(pairs.first, pairs.second, pairs.differ, pairs.p):
        both = (kinds[:, a] != -1) & (kinds[:, b] != -1)
        seen = (every[:, both, a] != every[:, both, b]).sum(1)
        want = Fraction(int((seen <= differ).sum()), len(every))
        mean = sum(Fraction(int(x)) for x in seen) / len(every)
        # Of tables with gaps only pairs that differ too rarely are worked out.
        assert p == pytest.approx(float(want), rel=1e-12) or p == 1 and (kinds == -1).any() and differ >= mean
        assert (kinds[both, a] != kinds[both, b]).sum() == differ
    n = (kinds != -1).sum(1)
    assert share_disagreeing(kinds)[n < 2].tolist() == [0] * int((n < 2).sum())


@pytest.mark.parametrize("table", [[[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1]], [[1, 0, 0, 1], [1, 1, 0, 1]],
                                   [[1, 0], [1, 0], [0, 1], [1, 0]], [[1, 0, 1], [1, 0, -1], [0, 0, 1]]])
def test_cochran_against_all_orders(table):
    outcomes = np.array(table)
    whole = outcomes[(outcomes != -1).all(1)]
    squares = (orders(whole).sum(1)**2).sum(1)
    seen = (whole.sum(0)**2).sum()
    found = cochran_test(outcomes)
    assert found.p == pytest.approx((squares >= seen).mean())


def test_cochran_permuted_and_approximated(monkeypatch):
    outcomes = (np.random.default_rng(3).random((40, 4)) < [.3, .4, .5, .6]).astype(int)
    exact = cochran_test(outcomes)
    monkeypatch.setattr(run_tests, "STATES", 0)
    drawn = cochran_test(outcomes)
    assert (exact.method, drawn.method, drawn.permutations) == ("exact", "permutation", 9999)
    assert drawn == cochran_test(outcomes) and abs(drawn.p - exact.p) < 4 * (exact.p * (1 - exact.p) / 9999)**.5 + 1e-4
    monkeypatch.setattr(run_tests, "SPACE", 0)
    rough = cochran_test(outcomes)
    assert rough.method == "chi-square" and rough.p == pytest.approx(exact.p, rel=.3)
    monkeypatch.undo()
    assert rough_cochran(outcomes) == rough.p and rough_cochran(np.ones((3, 3), int)) == 1
    assert cochran_test((np.random.default_rng(0).random((60, 64)) < .5).astype(int), 99).method == "permutation"


# Copies.

def test_copies_of_every_run():
    kinds = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 1]])
    p, times = bound_copies(kinds)
    # Two flaky questions, three ways to divide four runs in pairs.
    assert times == 2 and p == pytest.approx(3 * bound_one_copy(2, 2)**2) and bound_one_copy(2, 2) == pytest.approx(1 / 7, rel=2e-3)
    for other in ([[1, 0, 0], [0, 1, 1]], [[1, 1], [0, 0]], [[1, 0, 1, 1]], [[1, 0, 1, -1], [1, 0, 1, -1]]):
        assert bound_copies(np.array(other)) == (1., 1)


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 5), Fraction(9, 10)])
def test_no_difficulty_gives_copies_more_often_than_the_bound(p):
    groups = [(0, 1), (2, 3)]
    chance = sum((p**sum(row) * (1 - p)**(4 - sum(row)) for row in product((0, 1), repeat=4)
                  if 0 < sum(row) < 4 and all(row[a] == row[b] for a, b in groups)), Fraction(0))
    assert float(chance / (1 - p**4 - (1 - p)**4)) <= bound_one_copy(2, 2)


# Numbers of samples that depend on outcomes.

def test_fishers_test_of_first_samples():
    n, first = np.array([1] * 4 + [4] * 4), np.array([1, 1, 1, 1, 0, 0, 0, 0])
    assert first_sample_test(n, first) == pytest.approx(2 / comb(8, 4)) and first_sample_test(np.full(8, 3), first) == 1
    assert first_sample_test(n, 1 - first) == pytest.approx(2 / comb(8, 4))
    for right, total, few in ((3, 7, 4), (6, 7, 5), (0, 5, 2), (5, 5, 3)):
        first = np.arange(total) < right
        chances = [comb(right, j) * comb(total - right, few - j) / comb(total, few) for j in range(few + 1)]
        seen = int(first[:few].sum())
        want = min(1, 2 * min(sum(chances[:seen + 1]), sum(chances[seen:])))
        assert first_sample_test(np.where(np.arange(total) < few, 1, 2), first) == pytest.approx(want, rel=1e-12)


def test_last_samples_of_short_questions():
    n, c = np.array([2, 2, 3, 4]), np.array([1, 1, 2, 2])
    every = [Fraction(1, 2), Fraction(1, 2), Fraction(2, 3)]
    assert last_sample_test(n, c, np.array([1, 1, 1, 0])) == pytest.approx(float(2 * prod(every)))
    assert last_sample_test(np.full(4, 2), c, np.ones(4, int)) == 1


def test_stopping_is_bounded_over_all_difficulties():
    assert bound_stopping(np.array([1, 2, 3, 5, 5])) == pytest.approx(1 / 2 * 4 / 9)
    assert bound_stopping(np.array([1, 2, 3, 5, 5]), True) == pytest.approx(1 / 4 * 4 / 27)


def test_reruns_are_bounded_over_all_difficulties():
    n, c = np.array([1] * 15 + [4] * 15), np.array([1] * 15 + [2] * 15)
    p = bound_reruns(n, c)
    share = np.linspace(0, 1, 1001)
    assert p == pytest.approx(2 * (share * (1 - share**4)).max()**15, rel=.01) and bound_reruns(n, n - c) == p
    assert bound_reruns(n, np.minimum(n, 1) * 0 + c * 0) == 1 and bound_reruns(np.full(3, 2), np.full(3, 1)) == 1
    c[20] = 4
    assert bound_reruns(n, c) == 1


@pytest.mark.parametrize("test, sizes", [(bound_reruns, (1, 1, 2, 2)), (bound_reruns, (1, 1, 1, 3, 3)), (bound_shares, (1, 1, 2, 2)),
                                         (bound_shares, (1, 1, 1, 1, 2, 2))])
def test_bounds_hold_at_every_level_and_difficulty(test, sizes):
    "The chance of p <= level, over all counts, for difficulties that are mixtures of two."
    n = np.array(sizes)
    for low, high, share in ((.5, .5, 1), (.1, .9, .5), (0, .8, .3), (.67, .67, 1), (.5, 1, .8)):
        found = []
        for c in product(*(range(size + 1) for size in sizes)):
            chance = prod(comb(size, r) * (share * low**r * (1 - low)**(size - r)
                                           + (1 - share) * high**r * (1 - high)**(size - r)) for size, r in zip(sizes, c))
            found.append((test(n, np.array(c)), chance))
        for level in sorted({p for p, _ in found}): assert sum(o for p, o in found if p <= level) <= level + 1e-12


def test_shares_of_two_sizes():
    n, c = np.array([1] * 40 + [4] * 40), np.array([1] * 40 + [1] * 40)
    assert bound_shares(n, c) < 1e-6 and bound_shares(n, np.where(n == 1, 0, 3)) < 1e-6
    assert bound_shares(np.full(4, 2), np.array([0, 1, 2, 2])) == 1 and bound_shares(n, n) == 1


@pytest.mark.parametrize("table, first, last", [
    ([[1, 1, 0], [1, 0, 0]], True, False), ([[0, 1, 1], [0, 0, 1]], False, True), ([[1, 0, 1]], False, False),
    ([[1, 1], [0, 0]], False, False), ([[1, 0], [0, 1]], False, False), ([[1, 0, -1], [1, 1, 0]], True, False),
    ([[1, 0, -1], [-1, 0, 1]], False, False)])
def test_samples_in_order_of_their_outcomes(table, first, last):
    assert mark_sorted(np.array(table)).tolist() == [first, last]
