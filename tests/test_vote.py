"""maj@k against listings, golden vectors, whole-number and long-double arithmetic; votes against
plain counting."""

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval import compare, count, counts_of, describe, explain, score, table
from sampling_eval.bridges.lm_eval import at_k
from sampling_eval.foundations.answers import Votes, merge_votes, rows_of, tally, votes_of
from sampling_eval.foundations.checks import normalized
from sampling_eval.foundations.oracle import mean_over_subsets
from sampling_eval.reading.logs.grading import TextGrade
from sampling_eval.metrics.bestof import best_of_k
from sampling_eval.metrics.consensus import cons_at_k
from sampling_eval.metrics.passhat import pass_hat_k
from sampling_eval.metrics.passk import pass_at_k
from sampling_eval.metrics import vote, vote_counting
from sampling_eval.metrics.ballots import common_step
from sampling_eval.metrics.vote import (
    filtered_maj_at_k,
    maj_at_k,
    maj_within_questions,
    maj_within_variance,
    weighted_maj_at_k,
    weighted_maj_at_n,
)
from sampling_eval.results.cautions import Caution
from closeness import assert_close

VECTORS = Path(__file__).parent / "vectors"
EXACT = json.loads((VECTORS / "exact.json").read_text())
ASKED = json.loads((VECTORS / "asked_for.json").read_text())
PAPER = {check["id"]: check for check in json.loads((VECTORS / "paper_checks.json").read_text())}
SWEEP = settings(derandomize=True, deadline=None, database=None, max_examples=60)


def credit(sample, ties="expected"):
    votes = Counter(a for a, _ in sample if a is not None)
    tied = [a for a, times in votes.items() if times == max(votes.values())]
    if ties == "wrong" and len(tied) > 1:
        return Fraction(0)
    return Fraction(sum((a, 1) in sample for a in tied), max(len(tied), 1))


def mean_credit(sample, ties="expected"):
    "As `credit`, an answer being worth the share of its samples in this subset that are right."
    votes = Counter(a for a, _ in sample if a is not None)
    tied = [a for a, times in votes.items() if times == max(votes.values())]
    if not tied or ties == "wrong" and len(tied) > 1:
        return Fraction(0)
    return sum(Fraction(sum(r for a, r in sample if a == t), votes[t]) for t in tied) / len(tied)


def partitions(n, most=None):
    if n == 0:
        return [()]
    return [
        (part, *rest)
        for part in range(min(n, most or n), 0, -1)
        for rest in partitions(n - part, part)
    ]


def multisets(n_max):
    """Every multiset of n <= n_max samples, up to names: votes, which answers are right,
    abstentions."""
    for n in range(1, n_max + 1):
        for given in range(n + 1):
            for sizes in partitions(given):
                seen = {tuple(sorted(zip(sizes, mask))) for mask in np.ndindex(*(2,) * len(sizes))}
                for state in seen:
                    yield state, n - given


def subset_law(state, blank, k, ties):
    "Mean credit over k-subsets by listing vote vectors with their number of ways, in fractions."
    total, sizes = Fraction(0), [size for size, _ in state]

    def walk(i, left, ways, drawn):
        nonlocal total
        if i == len(sizes):
            if left > blank:
                return
            top = max(drawn, default=0)
            tied = [right for (_, right), d in zip(state, drawn) if d == top and top > 0]
            if tied and (ties == "expected" or len(tied) == 1):
                total += ways * comb(blank, left) * Fraction(sum(tied), len(tied))
            return
        for d in range(min(left, sizes[i]) + 1):
            walk(i + 1, left - d, ways * comb(sizes[i], d), [*drawn, d])

    walk(0, k, 1, [])
    return total / comb(sum(sizes) + blank, k)


@pytest.mark.parametrize("ties", ["expected", "wrong"])
def test_every_multiset_up_to_eight(ties):
    cases = list(multisets(8))
    for n in range(1, 9):
        mine = [(state, blank) for state, blank in cases if sum(s for s, _ in state) + blank == n]
        answers = [
            [a for a, (size, _) in enumerate(state) for _ in range(size)] + [None] * blank
            for state, blank in mine
        ]
        flags = [
            [r for size, r in state for _ in range(size)] + [0] * blank for state, blank in mine
        ]
        got = maj_at_k(answers, flags, np.arange(1, n + 1), ties=ties, no_answer="abstain")
        want = [
            [float(subset_law(state, blank, k, ties)) for k in range(1, n + 1)]
            for state, blank in mine
        ]
        assert_close(got, want, rtol=1e-14, atol=1e-15)


def test_the_law_of_vote_vectors_is_the_listing():
    for state, blank in list(multisets(5)):
        sample = [(a, r) for a, (size, r) in enumerate(state) for _ in range(size)] + [
            (None, 0)
        ] * blank
        for k in range(1, len(sample) + 1):
            assert subset_law(state, blank, k, "expected") == mean_over_subsets(sample, k, credit)
            assert subset_law(state, blank, k, "wrong") == mean_over_subsets(
                sample, k, lambda s: credit(s, "wrong")
            )


def test_golden_votes():
    for row in EXACT["votes"]:
        flags = [[int(a in row["correct"]) for a in row["answers"]]]
        got = maj_at_k([row["answers"]], flags, np.arange(1, len(row["answers"]) + 1))
        np.testing.assert_allclose(got[0], row["maj_at_k"], rtol=1e-13, atol=1e-15)


def from_counts(counts, right, invalid=0):
    answers = [a for a, size in counts.items() for _ in range(size)] + [None] * invalid
    return [answers], [[int(a == right) for a in answers]]


@pytest.mark.parametrize("name", ["majk_exact_4321", "majk_exact_451_wrong_mode"])
def test_paper_curves(name):
    check = PAPER[name]
    got = maj_at_k(
        *from_counts(check["input"]["answer_counts"], check["input"]["correct"]),
        check["input"]["k"],
    )
    np.testing.assert_allclose(
        got[0], [float(Fraction(x)) for x in check["exact"]], rtol=1e-14, atol=1e-15
    )


def test_paper_abstentions_and_classes():
    check = PAPER["majk_invalid"]
    row = from_counts(
        check["input"]["answer_counts"], check["input"]["correct"], check["input"]["invalid"]
    )
    assert maj_at_k(*row, 3, no_answer="abstain")[0] == pytest.approx(0.7, rel=1e-14)
    assert maj_at_k(*row, 3, no_answer="vote")[0] == pytest.approx(13 / 30, rel=1e-14)
    check = PAPER["majk_exact_n64"]
    counts = dict(enumerate(check["input"]["answer_counts"]))
    np.testing.assert_allclose(
        maj_at_k(*from_counts(counts, 0), check["input"]["k"])[0], check["output"], rtol=1e-13
    )
    check = PAPER["majk_plurality_vs_strict"]
    answers, flags = [check["input"]["answers"]], [
        [int(a == "A") for a in check["input"]["answers"]]
    ]
    assert (
        maj_at_k(answers, flags, 4)[0] == check["output"]["plurality"]
        and cons_at_k(4, 2, 4) == check["output"]["strict_majority"]
    )


def test_three_questions():
    rows, tied = [list("AAABB"), list("ABBCC"), list("AAABC")], [
        list("AAABB"),
        list("AABBC"),
        list("AAABC"),
    ]
    flags = lambda table: [[int(a == "A") for a in row] for row in table]
    assert maj_at_k(rows, flags(rows), 5).mean() == pytest.approx(2 / 3, rel=1e-15)
    assert maj_at_k(tied, flags(tied), 5).tolist() == [1, 0.5, 1]


def whole_numbers_curve(own, others, blank, budgets):
    "The generating function in integers, powers of y kept apart: no nodes, no floats."
    n, top, ways = own + sum(others) + blank, max(budgets), {k: Fraction(0) for k in budgets}
    for j in range(1, min(own, top) + 1):
        free, poly = blank + sum(a for a in others if a < j), {(0, 0): 1}
        for a in (a for a in others if a >= j):
            new = {}
            for (d, m), w in poly.items():
                for l in range(min(j, top - j - d) + 1):
                    new[d + l, m + (l == j)] = new.get((d + l, m + (l == j)), 0) + w * comb(a, l)
            poly = new
        for (d, m), w in poly.items():
            for k in budgets:
                if 0 <= k - j - d:
                    ways[k] += Fraction(comb(own, j) * w * comb(free, k - j - d), m + 1)
    return [float(ways[k] / comb(n, k)) for k in budgets]


@pytest.mark.parametrize(
    "own, others, blank",
    [
        (20, [18, 10, 6, 4, 3, 1, 1, 1], 0),
        (9, [9] * 6, 10),
        (3, [2] * 30 + [1] * 20, 7),
        (40, [39, 20, 1], 0),
    ],
)
def test_against_whole_numbers(own, others, blank):
    budgets = list(range(1, own + sum(others) + blank + 1))
    answers = [
        [0] * own + [a + 1 for a, size in enumerate(others) for _ in range(size)] + [None] * blank
    ]
    got = maj_at_k(
        answers, [[1] * own + [0] * (len(answers[0]) - own)], budgets, no_answer="abstain"
    )[0]
    np.testing.assert_allclose(got, whole_numbers_curve(own, others, blank, budgets), rtol=1e-13)


def zipf(n, classes):
    share = n / np.arange(1, classes + 1) / (1 / np.arange(1, classes + 1)).sum()
    size = np.maximum(share.astype(int), 1)
    size[0] += n - size.sum()
    return size


def test_thousand_samples_two_hundred_answers_small_budgets():
    size = zipf(1000, 200)
    answers, budgets = np.repeat(np.arange(200), size)[None], [1, 2, 5, 12, 20]
    for a in (0, 1, 20):
        got = maj_at_k(answers, answers == a, budgets)[0]
        np.testing.assert_allclose(
            got,
            whole_numbers_curve(int(size[a]), np.delete(size, a).tolist(), 0, budgets),
            rtol=1e-12,
        )


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no long double here")
def test_thousand_samples_two_hundred_answers_all_budgets(monkeypatch):
    "The same sums in long double, with nodes polished there."
    size = zipf(1000, 200)
    own, others = np.array([size[0], size[1], size[30]]), np.array(
        [np.delete(size, i) for i in (0, 1, 30)]
    )
    others, blank = -np.sort(-others, 1), np.zeros(3, int)
    plain = vote_counting.lead_share(own, others, blank, 1000, "expected")

    def nodes(degree):
        size = degree // 2 + 1
        x = np.polynomial.legendre.leggauss(size)[0].astype(np.longdouble)
        for _ in range(3):
            before, now = np.ones_like(x), x
            for m in range(2, size + 1):
                before, now = now, ((2 * m - 1) * x * now - (m - 1) * before) / m
            slope = size * (before - x * now) / (1 - x * x)
            x = x - now / slope
        return (x + 1) / 2, 1 / ((1 - x * x) * slope**2)

    def binomials(n, k):
        table = np.zeros((n + 1, k + 1), np.longdouble)
        table[:, 0] = 1
        for l in range(k):
            table[1:, l + 1] = np.cumsum(table[:-1, l])
        return table

    zeros, ones = np.zeros, np.ones

    class Wide:
        def __getattr__(self, name):
            return getattr(np, name)

        def zeros(self, shape, dtype=np.longdouble):
            return zeros(shape, dtype)

        def ones(self, shape, dtype=np.longdouble):
            return ones(shape, dtype)

    monkeypatch.setattr(vote_counting, "np", Wide())
    monkeypatch.setattr(vote_counting, "nodes_and_weights", nodes)
    monkeypatch.setattr(vote_counting, "binomial_table", binomials)
    wide = vote_counting.lead_share(own, others, blank, 1000, "expected")
    assert wide.dtype == np.longdouble
    live = wide > 1e-290
    assert np.abs(plain[live] / wide[live] - 1).max() < 1e-12


def test_most_ties_by_symmetry():
    for classes, each in ((200, 5), (500, 2), (1000, 1), (10, 100)):
        answers = np.repeat(np.arange(classes), each)[None]
        got = maj_at_k(answers, answers == 3, np.arange(1, 1001, 37))
        np.testing.assert_allclose(got, 1 / classes, rtol=1e-12)


questions = st.lists(
    st.lists(st.tuples(st.integers(0, 4) | st.none(), st.just(0)), min_size=1, max_size=12),
    min_size=1,
    max_size=4,
)


@SWEEP
@given(rows=questions, right=st.sets(st.integers(0, 4)))
def test_between_its_sisters(rows, right):
    answers = [[a for a, _ in row] for row in rows]
    flags = [[int(a in right) for a in row] for row in answers]
    n, c = np.array([len(r) for r in answers]), np.array([sum(f) for f in flags])
    k = np.arange(1, n.min() + 1)
    for rule in "abstain", "vote":
        value = maj_at_k(answers, flags, k, no_answer=rule)
        assert (value <= pass_at_k(n, c, k) + 1e-14).all() and (
            value >= pass_hat_k(n, c, k) - 1e-14
        ).all()
        assert (maj_at_k(answers, flags, k, no_answer=rule, ties="wrong") <= value + 1e-14).all()
        if len(right) == 1:
            assert (value >= cons_at_k(n, c, k) - 1e-14).all()
        np.testing.assert_allclose(value[:, 0], c / n, rtol=1e-14)
        np.testing.assert_allclose(
            value,
            maj_at_k([row[::-1] for row in answers], [f[::-1] for f in flags], k, no_answer=rule),
            rtol=1e-14,
        )
        full = maj_at_k(answers, flags, None, no_answer=rule)
        np.testing.assert_allclose(
            full,
            [maj_at_k([a], [f], len(a), no_answer=rule)[0] for a, f in zip(answers, flags)],
            atol=1e-14,
        )


def test_first_seen():
    for order in set(permutations("AABBC")):
        got = maj_at_k([order], [[int(a == "A") for a in order]], 5, ties="first")[0]
        assert got == (max(order, key=order.count) == "A")
    orders = list(permutations("AABBC"))
    mean = np.mean(
        [maj_at_k([o], [[int(a == "A") for a in o]], None, ties="first")[0] for o in orders]
    )
    assert mean == maj_at_k([orders[0]], [[int(a == "A") for a in orders[0]]], 5)[0] == 0.5
    assert maj_at_k([list("AB")], [[1, 0]], [2], ties="first").shape == (1, 1)
    with pytest.raises(ValueError, match="k = n"):
        maj_at_k([list("ABAB")], [[1, 0, 1, 0]], [2, 4], ties="first")
    with pytest.raises(ValueError, match="ties must be"):
        maj_at_k([["A"]], [[1]], None, ties="last")


def test_shapes_and_refusals():
    two = [list("AAB"), list("AB")], [[1, 1, 0], [1, 0]]
    assert (
        maj_at_k(*two, 2).shape == (2,)
        and maj_at_k(*two, [1, 2]).shape == (2, 2)
        and maj_at_k(*two, None).shape == (2,)
    )
    assert maj_at_k([["", None]], [[0, 0]], [1, 2], no_answer="abstain").tolist() == [[0, 0]]
    assert maj_at_k([["B"]], [[0]], None, ties="first").tolist() == [0]
    with pytest.raises(ValueError, match="need 1 <= k <= n, got n=2, c=1, k=3 at question 1"):
        maj_at_k(*two, 3)
    with pytest.raises(TypeError, match="k must be an int"):
        maj_at_k(*two, True)
    with pytest.raises(ValueError, match="k >= 1"):
        maj_at_k(*two, 0)
    wide = np.arange(1030)[None] % 5
    assert maj_at_k(wide[:, :1029], wide[:, :1029] == 0, 514).shape == (1,)
    assert maj_at_k(wide, wide == 0, 515) == pytest.approx(0.2, abs=1e-13)
    assert maj_at_k(wide, wide == 0, [1, 400])[0, 0] == 0.2
    assert np.isfinite(maj_at_k(wide[:, :1029], wide[:, :1029] == 0, np.arange(1, 1030))).all()


def test_weighted():
    answers, flags = [list("AABC"), list("BBA"), [None, "A"]], [[1, 1, 0, 0], [0, 0, 1], [0, 1]]
    got = weighted_maj_at_n(
        answers, flags, [[0.1, 0.2, 0.3, 0.1], [0.1, 0.1, 0.9], [5, 0]], no_answer="abstain"
    )
    assert got.tolist() == [0.5, 1, 0]
    ones = [[1] * len(row) for row in answers]
    assert (
        weighted_maj_at_n(answers, flags, ones, no_answer="abstain").tolist()
        == maj_at_k(answers, flags, None, no_answer="abstain").tolist()
    )
    assert weighted_maj_at_n([list("AAAB")], [[1, 1, 1, 0]], [[0.1, 0.1, 0.1, 0.3]]).tolist() == [
        0.5
    ]
    assert weighted_maj_at_n(
        [["1", 1.0, "x"]], [[1, 1, 0]], [[1, 1, 1.5]], normalize="number"
    ).tolist() == [1]
    for bad in (
        [[1]],
        [[1], [1], [1]],
        [[1, 1, 1, -1], [1] * 3, [1] * 2],
        [[1, 1, 1, np.nan], [1] * 3, [1] * 2],
    ):
        with pytest.raises(ValueError):
            weighted_maj_at_n(answers, flags, bad, no_answer="abstain")


def heaviest(sample, ties="expected"):
    "As `credit`, of pairs of an answer and a weight; A is right."
    total = Counter()
    for a, w in sample:
        total[a] += w * (a is not None)
    tied = [a for a in total if total[a] == max(total.values()) > 0]
    if not tied or ties == "wrong" and len(tied) > 1:
        return Fraction(0)
    return Fraction("A" in tied, len(tied))


def in_order(sample, m, ties="expected"):
    "The vote of the `m` surest, mean over the orders of equally sure ones."
    groups = [
        [a for a, w in sample if w == level]
        for level in sorted({w for _, w in sample}, reverse=True)
    ]
    orders = list(product(*(permutations(group) for group in groups)))
    picked = [[a for part in order for a in part][:m] for order in orders]
    return sum(credit([(a, int(a == "A")) for a in some], ties) for some in picked) / len(orders)


def of(sample):
    return [[a for a, _ in sample]], [[int(a == "A") for a, _ in sample]], [[w for _, w in sample]]


@pytest.mark.parametrize("ties", ["expected", "wrong"])
def test_weights_and_confidence_against_every_listing(ties):
    kinds, rules = list(product(("A", "B", "C", None), (0, 1, 2))), dict(
        no_answer="abstain", ties=ties
    )
    rng = np.random.default_rng(3)
    draws = [d for n in (1, 2, 3) for d in combinations_with_replacement(kinds, n)]
    draws += [[kinds[i] for i in rng.integers(0, 12, n)] for n in (5, 6) for _ in range(12)]
    for draw in draws:
        k = np.arange(1, len(draw) + 1)
        want = [float(mean_over_subsets(draw, int(b), lambda s: heaviest(s, ties))) for b in k]
        assert_close(weighted_maj_at_k(*of(draw), k, **rules)[0], want, rtol=1e-13, atol=1e-15)
        for keep in Fraction(1, 3), 0.5:
            want = [
                float(
                    mean_over_subsets(
                        draw, int(b), lambda s: in_order(s, -(-len(s) * Fraction(keep) // 1), ties)
                    )
                )
                for b in k
            ]
            assert_close(
                filtered_maj_at_k(*of(draw), k, keep, **rules)[0], want, rtol=1e-13, atol=1e-15
            )


@pytest.mark.parametrize(
    "metric, column", [("weighted_vote", "weights"), ("filtered_vote", "confidence")]
)
def test_vectors_of_weighted_and_filtered_votes(metric, column):
    rows = ASKED[metric]
    for row in rows:
        k = np.arange(1, len(row["answers"]) + 1)
        given, want = (
            [row["answers"]],
            [[a == row["right"] for a in row["answers"]]],
            [row[column]],
            k,
        ), list(row["value"].values())
        for more in ((),) if metric == "weighted_vote" else ((0.5,), (-(-k // 2),)):
            found = (weighted_maj_at_k if metric == "weighted_vote" else filtered_maj_at_k)(
                *given, *more
            )[0]
            assert_close(found, [float(Fraction(x)) for x in want], rtol=1e-13, atol=1e-15)


def test_weights_of_any_scale_and_without_a_step():
    rng = np.random.default_rng(0)
    answers = [list(rng.choice(list("AABBC"), 9)) for _ in range(6)]
    for row in answers:
        for weights in (
            rng.random(9),
            rng.integers(1, 5, 9) / 7,
            10.0 ** rng.integers(-3, 4, 9),
            rng.integers(0, 3, 9) * 1e-200,
        ):
            want = [
                np.mean(
                    [
                        weighted_maj_at_n(
                            [[row[i] for i in s]], [[row[i] == "A" for i in s]], [weights[list(s)]]
                        )[0]
                        for s in combinations(range(9), k)
                    ]
                )
                for k in (1, 4, 8, 9)
            ]
            got = weighted_maj_at_k([row], [[a == "A" for a in row]], [weights], [1, 4, 8, 9])[0]
            np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15)
    ragged = weighted_maj_at_k(
        [answers[0], ["A", "B"]], [[a == "A" for a in answers[0]], [1, 0]], [[1] * 9, [2, 1]], 2
    )
    assert ragged.shape == (2,) and ragged[1] == 1
    near = weighted_maj_at_k([list("AAAB")], [[1, 1, 1, 0]], [[0.1, 0.1, 0.1, 0.3]], 4)
    assert near.tolist() == [0.5]
    rounded = weighted_maj_at_k([list("AAB")], [[1, 1, 0]], [[0.26, 0.24, 0.51]], 3, step=0.25)
    assert rounded.tolist() == [0.5]


def test_sixty_four_samples_at_every_k():
    rng = np.random.default_rng(1)
    answers, sure = rng.integers(0, 8, 64), rng.integers(1, 101, 64)
    flags, k = answers == np.arange(8)[:, None], np.arange(1, 65)
    repeat = np.broadcast_to(answers, flags.shape), flags, np.broadcast_to(sure, flags.shape), k
    for values in (
        weighted_maj_at_k(*repeat),
        filtered_maj_at_k(*repeat, 0.3),
        filtered_maj_at_k(*repeat, 1.0),
    ):
        assert np.abs(values.sum(0) - 1).max() < 1e-13  # somebody wins
    assert_close(filtered_maj_at_k(*repeat, 1.0), maj_at_k(*repeat[:2], k), rtol=1e-13)
    assert_close(
        weighted_maj_at_k(*repeat[:2], np.ones((8, 64)), k), maj_at_k(*repeat[:2], k), rtol=1e-13
    )
    best = best_of_k(repeat[2], flags, k)
    assert_close(filtered_maj_at_k(*repeat, 1), best, rtol=1e-13)


def test_weights_of_four_decimals():
    rng, k = np.random.default_rng(0), [1, 5, 20, 40]
    answers = rng.integers(0, 5, 40)
    answers = np.where(rng.random(40) < 0.5, 0, answers)
    weights = rng.random(40).round(4)
    shown = [answers] * 5, np.eye(5, dtype=int)[:, answers]
    wins = weighted_maj_at_k(*shown, [weights] * 5, k)
    assert np.abs(wins.sum(0) - 1).max() < 1e-13
    assert wins[:, -1].tolist() == weighted_maj_at_n(*shown, [weights] * 5).tolist()
    for scale in 1 / 7, 1e-8, 3e5:
        scaled = weighted_maj_at_k(*shown, [weights * scale] * 5, k)
        np.testing.assert_allclose(scaled, wins, rtol=1e-12)
    assert common_step(weights) == pytest.approx(1e-4, rel=1e-12)
    assert common_step(np.array([0.1, 0.2, 0.3])) == pytest.approx(0.1)
    assert common_step(np.array([1, 1 / 3, 1 / 7])) == pytest.approx(1 / 21)
    assert common_step(rng.random(9)) == 0 and common_step(np.zeros(2)) == 1


def test_a_share_is_rounded_up_exactly():
    pool = [list("AB" * 50)], [[1, 0] * 50], [list(range(100))]
    for keep, k, m in (
        (0.1, 30, 3),
        (0.07, 100, 7),
        (2 / 3, 3, 2),
        (5 / 9, 9, 5),
        (Fraction(1, 3), 99, 33),
        (0.29, 100, 29),
        (1e-9, 5, 1),
    ):
        assert filtered_maj_at_k(*pool, k, keep) == filtered_maj_at_k(*pool, k, m)


def test_what_weights_and_confidence_refuse():
    pair = [list("AB")], [[1, 0]]
    for bad, said in (
        ([[-1, 1]], "weights must be finite and >= 0, got -1.0 at question 0"),
        ([[1, np.nan]], "weights must be finite and >= 0, got nan"),
        ([[1]], "answers and weights must have one length"),
        ([[1, 2], [1, 2]], "must cover the same questions"),
    ):
        with pytest.raises(ValueError, match=said):
            weighted_maj_at_k(*pair, bad, 1)
    for bad in None, [[1, None]], [["a", "b"]]:
        with pytest.raises(TypeError):
            weighted_maj_at_k(*pair, bad, 1)
        with pytest.raises(TypeError):
            filtered_maj_at_k(*pair, bad, 1, 0.5)
    many = [list("AB") * 40], [[1, 0] * 40]
    with pytest.raises(
        ValueError,
        match=(
            "too many sums to count, got weights without a common step for 80 samples; round the"
            " weights to multiples of step="
        ),
    ):
        weighted_maj_at_k(*many, [np.random.default_rng(0).random(80)], 3)
    with pytest.raises(ValueError, match="got step=1e-09 for 80"):
        weighted_maj_at_k(*many, [np.random.default_rng(0).random(80)], 3, step=1e-9)
    with pytest.raises(ValueError, match="step must be a finite number above 0"):
        weighted_maj_at_k(*pair, [[1, 2]], 1, step=0)
    with pytest.raises(ValueError, match="confidence must be finite, got inf"):
        filtered_maj_at_k(*pair, [[1, np.inf]], 1, 0.5)
    for keep, said in (
        (0.0, "a share in"),
        (1.5, "a share in"),
        (np.nan, "a share in"),
        (0, "need 1 <= keep <= k"),
        (2, "need 1 <= keep <= k"),
        ([1, 1], "one whole number per k"),
    ):
        with pytest.raises(ValueError, match=said):
            filtered_maj_at_k(*pair, [[1, 2]], 1, keep)
    for keep in True, "half", None, [0.5]:
        with pytest.raises(TypeError, match="keep must hold integers"):
            filtered_maj_at_k(*pair, [[1, 2]], 1, keep)
    for metric in (lambda k: weighted_maj_at_k(*pair, [[1, 2]], k)), (
        lambda k: filtered_maj_at_k(*pair, [[1, 2]], k, 0.5)
    ):
        with pytest.raises(ValueError, match="need 1 <= k <= n"):
            metric(3)
    wide = [[0, 1] * 515], [[1, 0] * 515], [[1, 2] * 515]
    with pytest.raises(ValueError, match="need n <= 1029 where samples are told apart, got n=1030"):
        weighted_maj_at_k(*wide, 2)
    mixed = [[[0, 1], row] for (row,) in wide]
    with pytest.raises(ValueError, match=r"got n=1030 at question 1 \(1 of 2 fail\)"):
        weighted_maj_at_k(*mixed, 2)
    silent = [[None, None]], [[0, 0]], [[1, 2]]
    assert weighted_maj_at_k(*silent, [1, 2], no_answer="abstain").tolist() == [[0, 0]]
    assert filtered_maj_at_k(*silent, [1, 2], 0.5, no_answer="abstain").tolist() == [[0, 0]]


def listed_variance(sample, k, ties, pay=credit):
    places = range(len(sample))
    value = {s: pay([sample[i] for i in s], ties) for s in combinations(places, k)}
    pairs = [value[s] * value[t] for s in value for t in value if not set(s) & set(t)]
    return float((sum(value.values()) / len(value)) ** 2 - sum(pairs) / len(pairs))


@pytest.mark.parametrize("ties", ["expected", "wrong"])
def test_within_variance(ties):
    sample = [("A", 1)] * 3 + [("B", 0)] * 2 + [("C", 0), ("D", 1), (None, 0)]
    votes = votes_of([[a for a, _ in sample]], [[r for _, r in sample]], no_answer="abstain")
    k = [1, 2, 3, 4]
    got = np.array(
        [maj_within_variance(votes, k, ties=ties, draws=400, rng=r)[0] for r in range(10)]
    )
    want = [listed_variance(sample, b, ties) for b in k]
    assert np.abs(got.mean(0) - want).max() < 4 * (got.std(0, ddof=1) / 10**0.5).max() + 1e-14
    np.testing.assert_allclose(got[:, 0], want[0], rtol=1e-12)
    same = votes_of([["A"] * 6, ["B"] * 6], [[1] * 6, [0] * 6])
    assert (maj_within_variance(same, [1, 3], ties=ties, draws=3) == 0).all()
    both = maj_within_variance(
        votes_of([list("AABBCC"), list("AB")], [[1, 1, 0, 0, 0, 0], [1, 0]]), 1, draws=1
    )
    np.testing.assert_allclose(both, [(1 / 3) * (2 / 3) / 5, 0.25], rtol=1e-12)


def test_tally_against_plain_counting():
    rng = np.random.default_rng(3)
    question, label = rng.integers(0, 20, 3000), rng.integers(0, 7, 3000)
    question[:20] = np.arange(20)
    answers = np.array([f"a{i}" for i in label], object)
    votes = tally(question, answers, label < 2)
    want = Counter(zip(question.tolist(), answers))
    assert dict(zip(zip(votes.question.tolist(), votes.answer), votes.votes.tolist())) == want
    assert (np.diff(votes.question) >= 0).all() and votes.n.tolist() == np.bincount(
        question
    ).tolist()
    assert votes.c.tolist() == np.bincount(question, label < 2).tolist()
    for q in range(20):
        assert list(votes.answer[votes.question == q]) == list(
            dict.fromkeys(answers[question == q])
        )
    rows = rows_of(votes, question, answers)
    assert (votes.answer[rows] == answers).all() and (votes.question[rows] == question).all()
    halves = [
        tally(question[half], answers[half], (label < 2)[half], questions=range(20))
        for half in (slice(None, None, 2), slice(1, None, 2))
        if len(np.unique(question[half])) == 20
    ]
    if len(halves) == 2:
        assert sorted(
            zip(
                *(
                    map(
                        tuple,
                        [
                            merge_votes(*halves).question,
                            merge_votes(*halves).answer,
                            merge_votes(*halves).votes,
                        ],
                    )
                )
            )
        ) == sorted(zip(map(int, votes.question), votes.answer, map(int, votes.votes)))


def test_labels():
    assert votes_of([[1, 1.0, True]], [[1, 1, 1]]).votes.tolist() == [3]
    assert votes_of([["1", "1.0"]], [[1, 0]]).votes.tolist() == [1, 1]
    assert votes_of([[(1, 2), (1, 2)], [(1, 2), (2, 1)]], [[1, 1], [1, 0]]).votes.tolist() == [
        2,
        1,
        1,
    ]
    assert votes_of([[{"a": 1}, {"a": 1}]], [[1, 1]], normalize=str).votes.tolist() == [2]
    assert votes_of([np.array(["x", "y"])], [[1, 0]]).answer.tolist() == ["x", "y"]
    assert votes_of(
        [[" ", "x"]], [[0, 1]], normalize="strip", no_answer="abstain"
    ).blank.tolist() == [1]
    assert votes_of(
        [["x", "no"]], [[1, 0]], normalize=lambda a: None if a == "no" else a, no_answer="vote"
    ).answer.tolist() == ["x", None]
    assert votes_of(
        [[float("nan"), np.float64("nan"), None, ""]], [[0] * 4], no_answer="vote"
    ).votes.tolist() == [4]
    assert votes_of(
        [["1e999999999", "1/0", "٣"]], [[0, 0, 0]], normalize="number"
    ).votes.tolist() == [1, 1, 1]
    for rows, kind in (
        ([["1", 1]], ValueError),
        ([[{}, {}]], TypeError),
        ("AB", ValueError),
        ([], ValueError),
        ([[]], ValueError),
    ):
        with pytest.raises(kind):
            votes_of(rows, [[1] * len(r) for r in rows])
    with pytest.raises(TypeError, match="at question 0; pass normalize"):
        votes_of([[[1]]], [[1]])
    with pytest.raises(ValueError, match=r"\(2 of 3 answers fail\)"):
        votes_of([["x", "x", "y"], ["x", "x"]], [[1, 0, 0], [0, 1]])
    with pytest.raises(ValueError, match="abstain.*vote"):
        merge_votes(
            votes_of([[None]], [[0]], no_answer="vote"),
            votes_of([[None]], [[0]], no_answer="abstain"),
        )
    with pytest.raises(ValueError, match="right or wrong throughout"):
        merge_votes(votes_of([["x"]], [[0]]), votes_of([["x"]], [[1]]))
    with pytest.raises(TypeError):
        votes_of([["x"]])
    with pytest.raises(ValueError, match="no_answer"):
        votes_of([["x"]], [[1]], no_answer="drop")
    with pytest.raises(ValueError, match="conflict"):
        votes_of([["x"]], [[1]], conflict="first")
    with pytest.raises(
        ValueError, match="every question needs a sample, got none at question 'q2'"
    ):
        tally([0], ["x"], [1], questions=["q1", "q2"])


def test_one_wide_question_among_many():
    answers = [list(range(300))] + [[0, 0, 1, 2]] * 2000
    flags = [[1] + [0] * 299] + [[1, 1, 0, 0]] * 2000
    got = maj_at_k(answers, flags, [2, 4])
    np.testing.assert_allclose(got[0], 1 / 300, rtol=1e-13)
    np.testing.assert_allclose(got[1:], [[0.5, 1]] * 2000, rtol=1e-14)


def test_lengths_are_checked_before_values():
    with pytest.raises(ValueError, match="one length"):
        tally([0], ["x"], [1, 7])
    with pytest.raises(ValueError, match="ascending"):
        Votes(
            np.array([1, 0]),
            np.array(["a", "b"], object),
            np.ones(2, int),
            np.ones(2, bool),
            np.zeros(2, int),
            np.arange(2),
        )


@pytest.mark.parametrize("ties", ["expected", "wrong"])
def test_within_questions_jackknife_against_leaving_out_by_hand(ties):
    rng = np.random.default_rng(7)
    rows = [
        [None if a == 4 else "ABCD"[a] for a in rng.integers(0, 5, n)] for n in (5, 6, 7, 7, 3, 12)
    ]
    flags = [[int(a in ("A", "D")) for a in row] for row in rows]
    votes = votes_of(rows, flags, no_answer="abstain")
    k = [1, 2, 3, 4, 5]
    got = np.stack(
        [
            maj_within_questions(
                votes_of([row], [flag], no_answer="abstain"),
                [b for b in k if b <= len(row)],
                ties=ties,
                draws=20,
            )[0].tolist()
            + [0.0] * sum(b > len(row) for b in k)
            for row, flag in zip(rows, flags)
        ]
    )
    for i, row in enumerate(rows):
        for j, b in enumerate(k):
            if b == len(row) > 1:
                assert np.isnan(got[i, j])
            elif b < len(row) < 2 * b:
                n, left = len(row), [(r, f) for r, f in zip(row, flags[i])]
                theta = [
                    float(
                        mean_over_subsets(
                            left[:s] + left[s + 1 :], b, lambda draw: credit(draw, ties)
                        )
                    )
                    for s in range(n)
                ]
                assert got[i, j] == pytest.approx(
                    (n - 1) / n * sum((t - sum(theta) / n) ** 2 for t in theta),
                    rel=1e-11,
                    abs=1e-15,
                )
    together = maj_within_questions(votes, [1, 3], ties=ties, draws=20)
    np.testing.assert_allclose(together[:, 0], got[:, 0], rtol=1e-12, atol=1e-15)
    part = [i for i, row in enumerate(rows) if 3 < len(row) < 6]
    np.testing.assert_allclose(together[part, 1], got[part, 2], rtol=1e-12, atol=1e-15)
    assert np.isnan(together[4, 1])


# one answer with both verdicts

MIXED = [("A", 1), ("A", 0), ("A", 1), ("B", 0), ("B", 1), ("C", 1), (None, 0)]


def mixed_samples(n):
    "Every multiset of n samples with three answers or none, each right or wrong."
    kinds = [(a, r) for a in "ABC" for r in (0, 1)] + [(None, 0)]
    return combinations_with_replacement(kinds, n)


def count_mixed(sample):
    return votes_of(*[[list(column)] for column in zip(*sample)], None, "abstain", "mean")


@pytest.mark.parametrize("ties", ["expected", "wrong"])
def test_the_mean_of_verdicts_over_every_subset(ties):
    for n in range(1, 6):
        for sample in mixed_samples(n):
            got = vote.maj_from_votes(count_mixed(sample), np.arange(1, n + 1), ties=ties)[0]
            want = [
                float(mean_over_subsets(sample, k, lambda draw: mean_credit(draw, ties)))
                for k in range(1, n + 1)
            ]
            np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-15)
    assert vote.maj_from_votes(count_mixed(MIXED), None)[0] == pytest.approx(2 / 3)


def test_without_mixed_verdicts_the_mean_changes_nothing():
    for rule in "refuse", "any", "majority", "mean":
        votes = votes_of([list("AABBC"), list("AB")], [[1, 1, 0, 0, 0], [0, 1]], conflict=rule)
        assert votes.c.tolist() == [2, 1] and votes == votes_of(
            [list("AABBC"), list("AB")], [[1, 1, 0, 0, 0], [0, 1]]
        )


def test_votes_with_mixed_verdicts_know_their_right_samples_and_add_up():
    both = [[("A", 1), ("A", 0), ("A", 1)], [("A", 0), ("A", 0), ("B", 1), ("B", 0)]]
    added = merge_votes(*map(count_mixed, both))
    assert added == count_mixed(both[0] + both[1]) == count_mixed(both[0]) + count_mixed(both[1])
    assert added.correct.tolist() == [0.4, 0.5] and added.c.tolist() == [3]
    assert maj_at_k([["A"] * 7], [[1, 1, 1, 0, 0, 0, 0]], [1, 3, 7], conflict="mean")[
        0
    ] == pytest.approx([3 / 7] * 3)
    plain = votes_of([["A"]], [[1]]), votes_of([["A"]], [[0]])
    with pytest.raises(ValueError, match="throughout a question"):
        plain[0] + plain[1]


@pytest.mark.parametrize("ties", ["expected", "wrong"])
def test_variance_of_mixed_verdicts(ties):
    def theta(sample, k):
        return mean_over_subsets(sample, k, lambda draw: mean_credit(draw, ties))

    votes, got = count_mixed(MIXED), []
    assert maj_within_variance(votes, 1, ties=ties, draws=1)[0] == pytest.approx(4 / 7 * 3 / 7 / 6)
    for rng in range(10):
        got.append(maj_within_variance(votes, [2, 3], ties=ties, draws=300, rng=rng)[0])
    for k, found in zip((2, 3), np.transpose(got)):
        want = float(listed_variance(MIXED, k, ties, mean_credit))
        assert abs(found.mean() - want) < 5 * found.std() / 10**0.5
    for k in 4, 5, 6:
        left = [theta(MIXED[:i] + MIXED[i + 1 :], k) for i in range(7)]
        want = Fraction(6, 7) * sum((one - sum(left) / 7) ** 2 for one in left)
        assert maj_within_questions(votes, k, ties=ties)[0] == pytest.approx(float(want), rel=1e-12)


def test_weighted_votes_pay_the_share_of_an_answer():
    mixed = [["A", "A", "B"]], [[1, 0, 0]], [[1.0, 1.0, 1.5]]
    assert weighted_maj_at_n(*mixed, conflict="mean")[0] == 0.5
    assert_close(
        weighted_maj_at_k(*mixed, [1, 2, 3], conflict="mean")[0], [1 / 3, 0.5 / 3, 0.5], rtol=1e-14
    )


def test_benchmark_target_of_a_vote_in_score():
    from sampling_eval import score

    rng = np.random.default_rng(1)
    answers = rng.choice(list("AABC"), (40, 8))
    table = dict(
        question=np.repeat(np.arange(40), 8),
        answer=answers.ravel(),
        correct=(answers == "A").ravel().astype(int),
    )
    rows = {
        r.k: r for r in score(table, metrics=["maj@k"], k=[3, 6, 8], target="same_questions").rows
    }
    noise = maj_within_questions(votes_of(answers, answers == "A"), [3, 6])
    assert [rows[3].stderr, rows[6].stderr] == pytest.approx(
        (np.maximum(noise.sum(0), 0) ** 0.5 / 40).tolist(), rel=1e-12
    )
    assert rows[6].stderr_kind == "within questions" and "upper bound" in rows[8].stderr_kind


# the equality of whoever judges

SPELLED = (
    {  # by rule: answers of a question with the right answer "18", the vote, and how explain spells
        "number": (["18", "18.0", " 1.8e1 ", "7", "7", "eighteen"], 1.0, ["18", "7", "eighteen"]),
        "exact": (["18", "18 ", "\n18", "18.0", "7", "7"], 1.0, ["18", "7", "18.0"]),
        "last_line": (
            ["so\n18", "thus\n18\n", "18", "no\n7", "7", "18 and\n1"],
            1.0,
            ["18", "7", "1"],
        ),
    }
)


@pytest.mark.parametrize("rule", SPELLED)
def test_answers_that_the_grader_calls_equal_are_one_vote(rule, tmp_path):
    answers, want, spelled = SPELLED[rule]
    rows = [
        dict(question=q, sample=s, answer=a, target="18")
        for q in range(2)
        for s, a in enumerate(answers)
    ]
    found = score(rows, ["maj@6", "pass@1"], grade=rule)
    assert (found["maj@6"].estimate, found["pass@1"].estimate) == (want, 0.5)
    assert "right_spellings" not in [one.kind for one in found.cautions]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert score(path, "maj@6", grade=rule)["maj@6"].estimate == want
    count(path, tmp_path / "c.parquet", grade=rule)
    assert score(tmp_path / "c.parquet", "maj@6")["maj@6"].estimate == want
    shown = explain(path, "0", grade=rule)
    assert [one.answer for one in shown.answers] == spelled and shown.sides[0].vote.samples == 3
    assert at_k(["18"], [answers], "maj@6", grade=rule) == {"maj@6": want}


def test_numbers_are_spelled_once():
    spell = TextGrade("number").spell
    cases = {
        "1,800": "1800",
        "-0.50": "-0.5",
        "2/6": "1/3",
        "1e-3": "0.001",
        "-1/8": "-0.125",
        "0.0": "0",
        " x ": "x",
        "": None,
        None: None,
    }
    assert {text: spell(text) for text in cases} == cases
    assert all(
        normalized(spell(text), "number") == normalized(text, "number") for text in cases if text
    )


def test_a_log_graded_anew_votes_by_the_grader(tmp_path):
    log = tmp_path / "samples_x.jsonl"
    texts = ["18", "18.0", "7", "[invalid]"]
    record = dict(
        doc_id=0,
        doc={},
        target="18",
        resps=[texts],
        filtered_resps=texts,
        filter="none",
        exact_match=0.0,
        metrics=["exact_match"],
        arguments={"gen_args_0": {"arg_0": "?", "arg_1": {}}},
    )
    log.write_text(json.dumps(record) + "\n")
    found = score(log, ["maj@4", "pass@1"], grade="number", no_answer="abstain")
    assert (found["maj@4"].estimate, found["pass@1"].estimate) == (1, 0.5)


def judged(right, wrong=("9",)):
    return [
        dict(question=q, sample=s, answer=a, correct=int(a in right))
        for q in range(3)
        for s, a in enumerate([*right, *wrong])
    ]


@pytest.mark.parametrize(
    "right, rule, said",
    [
        (
            ["18", "18.0"],
            "number",
            (
                "3 of 3 questions have several right answers, such as '18' and '18.0' at question"
                " 0: each has votes of its own"
            ),
        ),
        (["Paris", "paris "], "lower", "normalize='lower' makes them one."),
        (["x", "x "], "strip", "normalize='strip' makes them one."),
        (["NYC", "New York"], None, "Spell equal answers alike."),
    ],
)
def test_right_answers_in_several_spellings_are_a_caution(right, rule, said):
    rows = judged(right)
    [one] = [one for one in score(rows, "maj@k").cautions if one.kind == "right_spellings"]
    assert (
        said in str(one)
        and (one.rule, one.questions, one.among) == (rule, 3, 3)
        and Caution.from_dict(one.to_dict()) == one
    )
    for quiet in (
        score(rows, "pass@k"),
        score(judged(right[:1]), "maj@k"),
        *([score(rows, "maj@k", normalize=rule)] if rule else []),
    ):
        assert "right_spellings" not in [one.kind for one in quiet.cautions]
    assert (
        one.of("A") in compare(rows, rows, "maj@2").cautions
        and not compare(rows, rows, "pass@2").cautions
    )
    both = [row | dict(model=name) for name in "AB" for row in rows]
    assert one.of("A") in table(both, ["maj@2"]).cautions and not table(both, ["pass@2"]).cautions
    assert any(said in str(told) for told in describe(rows).cautions)


def test_a_rule_that_joins_some_spellings():
    rows = judged(["1", "1.0"]) + [row | dict(question="z") for row in judged(["one", "1"])[:3]]
    [one] = [one for one in score(rows, "maj@k").cautions if one.kind == "right_spellings"]
    assert (one.questions, one.rule, one.left) == (4, "number", 1) and str(one).endswith(
        "makes them one (1 would still have several)."
    )


def test_explain_shows_the_share_of_an_answer_with_both_verdicts():
    rows = [
        dict(question=q, sample=s, answer=a, correct=c)
        for q in "ab"
        for s, (a, c) in enumerate([("12", 1), ("12", 0), ("12", 1), ("7", 0)])
    ]
    one = explain(rows, "a", conflict="mean")
    assert one.answers[0].right == (2 / 3,) and one.sides[0].vote.right == 2 / 3
    assert 'A vote of all 4 samples: 3 say "12", right in 66.7 % of them.' in str(one) and one[
        "maj@4"
    ].value == pytest.approx(2 / 3)
    assert score(rows, "maj@1", conflict="mean")["maj@1"].estimate == pytest.approx(0.5)


def test_flags_alone_are_told_what_to_type():
    "As every function of counts does that is given a matrix of outcomes."
    flags = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    for call, missing, metric in (
        (lambda: vote.maj_at_k(flags, 2), "k", "cons_at_k"),
        (lambda: vote.maj_at_k(np.array(flags), k=2), "correct", "cons_at_k"),
        (lambda: vote.weighted_maj_at_k(flags, 2), "weights and no k", "cons_at_k"),
        (lambda: best_of_k(flags, 2), "k", "pass_at_k"),
    ):
        with pytest.raises(TypeError) as told:
            call()
        assert f"got no {missing}; of flags alone" in str(told.value)
        assert f"then {metric}(counts.n, counts.c, k)" in str(told.value)
    counts = counts_of(flags)
    found = [cons_at_k(counts.n, counts.c, k).mean() for k in (1, 2, 3)]
    assert found == pytest.approx([0.7, 0.45, 0.85])


# What is no table of votes.

TABLE = dict(
    question=np.array([0, 0, 1]),
    answer=np.array(["a", "b", "a"], object),
    votes=np.array([2, 1, 1]),
    correct=np.array([True, False, True]),
    blank=np.array([0, 0]),
    questions=np.array(["p", "q"]),
)


@pytest.mark.parametrize(
    "changed, said",
    [
        (dict(votes=np.array([2, 1])), "question, answer, votes and correct must have one length, "
                                       "got [2, 3]"),
        (dict(blank=np.array([0])), "blank must hold one value per question (2), got 1"),
        (dict(question=np.array([0, 0, 0])), "every question needs a sample, got none at question "
                                             "'q' (1 of 2 fail)"),
    ],
    ids=["lengths", "blanks", "no sample"],
)
def test_what_holds_no_votes(changed, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        Votes(**TABLE | changed)


def test_votes_in_a_line():
    assert repr(Votes(**TABLE)) == "Votes(2 questions, n=1..3, 3 distinct answers)"
    silent = Votes(**TABLE | dict(question=np.array([0, 0, 0]), blank=np.array([0, 4])))
    assert repr(silent) == "Votes(2 questions, n=4, 3 distinct answers, blank=4)"
    assert silent.n.tolist() == [4, 4] and silent.c.tolist() == [3, 0]


@pytest.mark.parametrize("right", range(5))
@pytest.mark.parametrize("conflict", ["any", "majority", "mean"])
def test_an_answer_with_two_verdicts(right, conflict):
    marks = [1] * right + [0] * (4 - right)
    worth = dict(any=right > 0, majority=right > 2, mean=right / 4)[conflict]
    votes = tally([0] * 5, [*"xxxxy"], [*marks, 0], conflict=conflict)
    assert votes.correct.tolist() == [worth, 0] and votes.votes.tolist() == [4, 1]


def test_a_share_of_verdicts_is_kept_when_runs_are_added():
    shared = votes_of([["x", "x", "y"]], [[1, 0, 1]], conflict="mean")
    both = merge_votes(shared, votes_of([["x", "y"]], [[1, 1]]))
    assert both.answer.tolist() == ["x", "y"] and both.votes.tolist() == [3, 2]
    assert both.correct.tolist() == pytest.approx([2 / 3, 1])


def test_a_blank_answer_that_votes_may_be_right():
    votes = tally([0, 0], [None, "x"], [1, 0], no_answer="vote")
    assert votes.answer.tolist() == [None, "x"] and votes.correct.tolist() == [True, False]


def test_within_variance_needs_two_groups_of_votes():
    votes = votes_of([[*"aabb"], [*"aab"]], [[1, 1, 0, 0], [1, 1, 0]], questions=["p", "q"])
    said = "need n >= 2k for a within-question variance, got n=3, k=2 at question 'q' (1 of 2 fail)"
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        maj_within_variance(votes, [1, 2])


def test_runs_with_and_without_votes_for_no_answer_are_not_added():
    rows, right = [[None, "x"], ["y"]], [[0, 1], [1]]
    silent, voting = (votes_of(rows, right, no_answer=rule) for rule in ("abstain", "vote"))
    for runs in (silent, voting), (voting, silent):
        with pytest.raises(ValueError, match="runs must treat missing answers alike"):
            merge_votes(*runs)
    assert (silent + silent).blank.tolist() == [2, 0]
    assert (voting + voting).votes.tolist() == [2, 2, 2]


# Votes with weights, and of the surest, by hand.


def test_draws_and_seed_reach_the_votes_of_groups():
    votes = votes_of([[*"aabbcd"], [*"aabccc"]], [[1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]])
    for ties in "expected", "wrong":
        options = dict(ties=ties, draws=3, rng=5)
        found = maj_within_questions(votes, [2, 3], **options)
        want = np.stack([maj_within_variance(votes, k, **options) for k in (2, 3)], 1)
        assert found == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("k, right", [(1, 2 / 3), (2, 1 / 3), (3, 0)])
def test_weights_without_a_common_step(k, right):
    "One of `a` alone wins, both against none do; any of them loses to `b`, and so do both."
    given = [[*"aab"]], [[1, 1, 0]], [[1, 2**0.5, 2.718281828459045]]
    assert weighted_maj_at_k(*given, k) == pytest.approx([right])


def test_no_weight_wins_nothing():
    given = [["a"] * 20], [[1] * 20], [[0] * 20]
    assert weighted_maj_at_k(*given, [1, 20]).tolist() == [[0, 0]]
    assert weighted_maj_at_n(*given).tolist() == [0]


def test_the_weight_of_no_answer_is_nobody_s():
    given = [["a", None, "b"]], [[0, 0, 1]], [[1, 9, 2]]
    found = weighted_maj_at_k(*given, [1, 2, 3], no_answer="abstain")
    assert found[0] == pytest.approx([1 / 3, 2 / 3, 1])
    assert weighted_maj_at_n(*given, no_answer="abstain").tolist() == [1]


@pytest.mark.parametrize(
    "k, keep, shared, sole",
    [(4, 2, 2 / 3, 2 / 3), (4, 3, 2 / 3, 1 / 3), (3, 2, 2 / 3, (1 + 0.5 + 0.5 + 1 / 3) / 4)],
)
def test_the_surest_says_nothing(k, keep, shared, sole):
    "Of `a`, `a` and `b`, which are equally sure, those that vote are drawn by lot."
    given = [[None, *"aab"]], [[0, 1, 1, 0]], [[9, 5, 5, 5]], k, keep
    found = [filtered_maj_at_k(*given, ties=ties, no_answer="abstain")[0]
             for ties in ("expected", "wrong")]
    assert found == pytest.approx([shared, sole])
