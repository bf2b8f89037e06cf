"Guarded tries: vectors, the population in closed form, all orders of small logs, refusals."

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import Counts, guarded_at_k, guarded_tries, pass_at_k, score
from sampling_eval.analyses.addons.guarded import check_verdicts

VECTORS = json.loads((Path(__file__).parent / "vectors" / "guarded.json").read_text("utf-8"))


def same(found, want):
    assert found == pytest.approx(want, rel=2e-15, abs=1e-16)


def all_of(n, m, g, b, k):
    "The five numbers of the vectors."
    reported, right = pass_at_k(n, m, k), guarded_at_k(n, m, g, k)
    return dict(
        reported=reported,
        right=right,
        right_with_last=guarded_at_k(n, m, g, k, right_rejected=b),
        tries=guarded_tries(n, m, k),
        pass_at_k=pass_at_k(n, np.add(g, b), k),
        false_finishes=np.subtract(reported, right),
    )


@pytest.mark.parametrize("case", VECTORS["questions"])
def test_questions_of_the_vectors(case):
    found = all_of(
        case["n"], case["judged"], case["right_judged"], case["right_rejected"], case["k"]
    )
    for name, value in found.items():
        same(value, case[name])


@pytest.mark.parametrize("case", VECTORS["benchmarks"])
def test_benchmarks_of_the_vectors(case):
    found = all_of(*np.array(case["questions"]).T, case["k"])
    for name in found.keys() & case.keys():
        same(np.mean(found[name]), case[name])


@pytest.mark.parametrize("case", [case for case in VECTORS["population"] if case["k"] <= 6])
def test_the_expectation_is_that_of_the_population(case):
    "Over all outcomes of `k` tries: what the estimators are on average."
    p, s, t, k = (case[name] for name in ("p", "sensitivity", "specificity", "k"))
    n = k
    kinds = {(1, 1): p * s, (0, 1): p * (1 - s), (1, 0): (1 - p) * (1 - t), (0, 0): (1 - p) * t}
    rows, weights = [], []
    for tries in product(kinds, repeat=n):
        passed = [right for ok, right in tries if ok]
        rest = [right for ok, right in tries if not ok]
        rows.append((n, len(passed), sum(passed), sum(rest)))
        weights.append(np.prod([kinds[o] for o in tries]))
    found = all_of(*np.array(rows).T, k)
    for name in ("reported", "right", "right_with_last", "tries", "pass_at_k"):
        assert np.dot(weights, found[name]) == pytest.approx(case[name], rel=1e-12)


def test_many_questions_and_budgets():
    rng = np.random.default_rng(0)
    n = rng.integers(4, 12, 50)
    m = rng.integers(0, n + 1)
    g, b = rng.integers(0, m + 1), rng.integers(0, n - m + 1)
    k = np.array([4, 1, 3])
    table, last, tries = (
        guarded_at_k(n, m, g, k),
        guarded_at_k(n, m, g, k, right_rejected=b),
        guarded_tries(n, m, k),
    )
    assert table.shape == last.shape == tries.shape == (50, 3)
    for q in range(50):
        for i, budget in enumerate(k.tolist()):
            same(table[q, i], guarded_at_k(n[q], m[q], g[q], budget))
            same(tries[q, i], guarded_tries(n[q], m[q], budget))
            same(last[q, i], guarded_at_k(n[q], m[q], g[q], budget, right_rejected=b[q]))
    assert isinstance(guarded_at_k(4, 2, 1, 2), float) and isinstance(guarded_tries(4, 2, 2), float)
    assert guarded_at_k([[4], [6]], 2, [1, 2], 2).shape == (2, 2)


def test_ends():
    k = np.arange(1, 7)
    assert (guarded_at_k(6, 0, 0, k) == 0).all() and guarded_tries(6, 0, k) == pytest.approx(k)
    assert guarded_at_k(6, 6, 4, k) == pytest.approx(4 / 6) and guarded_tries(
        6, 6, k
    ) == pytest.approx(1)
    assert guarded_at_k(6, 0, 0, k, right_rejected=6) == pytest.approx(1)
    assert guarded_at_k(6, 2, 2, k) == pytest.approx(pass_at_k(6, 2, k))
    assert guarded_tries(10**6, 1, 10**6) == pytest.approx((10**6 + 1) / 2, rel=1e-12)
    assert guarded_at_k(10**6, 1, 1, 1) == pytest.approx(1e-6, rel=1e-12)


def test_the_last_try_over_all_orders():
    tries = [(1, 0), (0, 1), (0, 0), (0, 1)]
    for k in range(1, 5):
        handed = []
        for order in permutations(tries, k):
            passed = [right for ok, right in order if ok]
            handed.append(passed[0] if passed else order[-1][1])
        same(guarded_at_k(4, 1, 0, k, right_rejected=2), np.mean(handed))


@pytest.mark.parametrize(
    "given, more, said",
    [
        ((4, 5, 1, 2), {}, "0 <= c <= n"),
        ((4, 2, 3, 2), {}, r"need 0 <= right_judged <= judged, got right_judged=3, judged=2"),
        ((4, 2, -1, 2), {}, "need 0 <= right_judged <= judged"),
        ((4, 2, 1, 5), {}, "need 1 <= k <= n"),
        ((4, 2, 1, 0), {}, "need k >= 1"),
        (([4, 4], [2, 2], [1, 3], 2), {}, r"at question 1 \(1 of 2 fail\)"),
        ((4, [1, 2], [1, 1, 1], 2), {}, "right_judged must fit n and judged"),
        (
            (4, 2, 1, 2),
            dict(right_rejected=3),
            r"need 0 <= right_rejected <= n - judged, got right_rejected=3, n - judged=2",
        ),
    ],
)
def test_counts_that_cannot_be(given, more, said):
    with pytest.raises(ValueError, match=said):
        guarded_at_k(*given, **more)


def test_counts_of_another_kind():
    with pytest.raises(TypeError, match="right_judged must hold integers"):
        guarded_at_k(4, 2, 0.5, 2)
    with pytest.raises(TypeError, match="k must be an int"):
        guarded_tries(4, 2, True)


def test_every_sample_needs_a_verdict():
    rows = [
        dict(question=q, sample=s, correct=s % 2, verdict=1) for q in range(3) for s in range(4)
    ]
    assert score(rows, "pass@1", verdict="verdict").guarded is not None
    both = Counts([4, 4], [2, 2], ["a", "b"], sums={"verdict": [[1, 2], [2, 2]]})
    passed, right = check_verdicts(both, Counts([4, 4], [3, 4], ["a", "b"]), "verdict")
    assert (passed.tolist(), right.tolist()) == ([1, 2], [2, 2])
    for judged, seen in (
        (None, 0),
        (Counts([4], [3], ["a"]), 4),
        (Counts([4, 3], [3, 3], ["a", "b"]), 7),
        (Counts([4, 4], [3, 4], ["a", "c"]), 8),
    ):
        with pytest.raises(ValueError, match=f"got 8 outcomes and {seen} verdicts in column"):
            check_verdicts(both, judged, "verdict")


TRUTH = Counts([4, 4, 4], [2, 1, 4], ["a", "b", "c"], sums={"verdict": [[1, 2], [3, 0], [0, 1]]})


@pytest.mark.parametrize(
    "sums, passed, fits",
    [
        ([[1, 2], [3, 0], [0, 1]], [3, 3, 1], True),
        ([[2, 2], [3, 1], [0, 4]], [4, 4, 4], True),
        ([[0, 0], [0, 0], [0, 0]], [0, 0, 0], True),
        # What passed is not what was right and wrong of it, on one question.
        ([[1, 2], [3, 0], [0, 1]], [3, 3, 2], False),
        ([[1, 2], [3, 0], [0, 1]], [3, 3, 0], False),
        # More right ones passed than there are, and more wrong ones.
        ([[1, 3], [3, 0], [0, 1]], [4, 3, 1], False),
        ([[1, 2], [2, 2], [0, 1]], [3, 4, 1], False),
        ([[3, 1], [3, 0], [0, 1]], [4, 3, 1], False),
        ([[1, 2], [3, 0], [1, 3]], [3, 3, 4], False),
    ],
)
def test_verdicts_that_outcomes_allow(sums, passed, fits):
    truth = Counts(TRUTH.n, TRUTH.c, TRUTH.questions, sums={"verdict": sums})
    judged = Counts(TRUTH.n, passed, TRUTH.questions)
    if fits:
        wrong, right = check_verdicts(truth, judged, "verdict")
        assert (wrong + right).tolist() == passed
        return
    with pytest.raises(ValueError, match="column 'verdict' must hold 0 and 1, a verdict for each"):
        check_verdicts(truth, judged, "verdict")


@pytest.mark.parametrize(
    "truth, said",
    [
        (Counts([4], [2], ["a"]), "a verdict needs a table with a column of it, got outcomes"),
        (Counts([4], None, ["a"], score_sum=[2.0]), "needs outcomes of 0 and 1 beside it, got"),
    ],
)
def test_verdicts_without_a_column_or_outcomes(truth, said):
    with pytest.raises(ValueError, match=said):
        check_verdicts(truth, Counts([4], [2], ["a"]), "verdict")


def test_loops_of_models_with_other_numbers_of_tries():
    "A limit of tries that one model has not is told of the others alone."
    rows = [
        dict(model=model, question=q, sample=s, right=int((q + s) % 3 == 0), passed=int(s % 2))
        for model, n in (("a", 2), ("b", 4))
        for q in range(6)
        for s in range(n)
    ]
    found = score(rows, "pass@k", correct="right", verdict="passed").guarded
    assert [(row.model, row.k) for row in found.rows] == [
        ("a", 1), ("a", 2), ("b", 1), ("b", 2), ("b", 3), ("b", 4)
    ]
    named = score(rows, "guarded@2,guarded@1", correct="right", verdict="passed").guarded
    assert [(row.model, row.k) for row in named.rows] == [
        ("a", 1), ("a", 2), ("b", 1), ("b", 2)
    ]
    for row in found.rows:
        n = dict(a=2, b=4)[row.model]
        right = np.array([sum((q + s) % 3 == 0 for s in range(n)) for q in range(6)])
        both = [sum((q + s) % 3 == 0 and s % 2 for s in range(n)) for q in range(6)]
        assert row.right == pytest.approx(np.mean(guarded_at_k(n, n // 2, both, row.k)))
        last = guarded_at_k(n, n // 2, both, row.k, right_rejected=right - both)
        assert row.right_with_last == pytest.approx(np.mean(last))
