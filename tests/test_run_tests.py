"Totals of runs, copies and numbers of samples, over all outcomes of small designs. Pairs and Cochran's Q: test_rerun.py."
from fractions import Fraction
from itertools import permutations, product
from math import comb, erfc, prod, sqrt

import numpy as np
import pytest

from sampling_eval.verbs import runs
from sampling_eval.verbs.runs import (LARGE, bound_copies, bound_one_copy, bound_reruns,
                                      bound_shares, bound_stopping, first_sample_test,
                                      last_sample_test, mark_sorted, poisson_binomial_test)

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
    monkeypatch.setattr(runs, "LARGE", 599)
    for total in (170, 230):
        want = erfc((abs(total - 200) - .5) / sqrt(2 * (400 * 3 / 16 + 200 / 4)))
        assert poisson_binomial_test(total, means) == pytest.approx(want, rel=1e-12)
    assert poisson_binomial_test(200, means) == 1
    assert [poisson_binomial_test(total, means) for total in (170, 185, 230)] == pytest.approx(exact, rel=.2)
    monkeypatch.undo()
    # No p value of the approximation is below 1e-12.
    assert poisson_binomial_test(0, np.full(LARGE, .5)) < 1e-12 == poisson_binomial_test(0, np.full(LARGE + 1, .5))


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
