"best@k, max@k and min@k against listings, golden vectors, whole-number weights and scorio."

import json
import re
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval import compare, count, Counts, describe, score
from sampling_eval.foundations.answers import Rewards, merge_rewards, rewards_of
from sampling_eval.foundations.oracle import mean_over_subsets
from sampling_eval.metrics.bestof import best_of_k, max_at_k, min_at_k, order_weights
from sampling_eval.metrics.passhat import pass_hat_k
from sampling_eval.metrics.passk import pass_at_k, pass_at_k_plugin

VECTORS = Path(__file__).parent / "vectors"
EXACT = json.loads((VECTORS / "exact.json").read_text())
PAPER = {check["id"]: check for check in json.loads((VECTORS / "paper_checks.json").read_text())}
SWEEP = settings(derandomize=True, deadline=None, database=None, max_examples=80)


def chosen(subset):
    best = max(score for score, _ in subset)
    tied = [right for score, right in subset if score == best]
    return Fraction(sum(tied), len(tied))


def test_golden():
    for row in EXACT["best_of_k"]:
        k = np.arange(1, len(row["scores"]) + 1)
        np.testing.assert_allclose(
            best_of_k([row["scores"]], [row["correct"]], k)[0],
            row["best_of_k"],
            rtol=1e-13,
            atol=1e-15,
        )


def test_paper():
    check = PAPER["best_of_k_by_score"]
    np.testing.assert_allclose(
        best_of_k([check["input"]["scores"]], [check["input"]["correct"]], check["input"]["k"])[0],
        check["output"],
        rtol=1e-14,
        atol=1e-16,
    )
    for name, function in (("max_at_k_curve", max_at_k), ("min_at_k_curve", min_at_k)):
        np.testing.assert_allclose(
            function([PAPER[name]["input"]["rewards"]], np.arange(1, 6))[0],
            PAPER[name]["output"],
            rtol=1e-14,
        )
    check = PAPER["max_at_2_weighted"]
    graded = np.array(check["input"]["w"])[np.array(check["input"]["R"])]
    assert max_at_k(graded, 2).mean() == pytest.approx(check["output"], rel=1e-14)
    check = PAPER["verl_best_at_n_with_replacement"]
    assert max_at_k([[1, 1] + [0] * 6], 4)[0] == pytest.approx(
        check["output"]["unbiased"], rel=1e-14
    )
    assert pass_at_k_plugin(8, 2, 4) == pytest.approx(check["output"]["verl_expected"], rel=1e-14)


rows = st.lists(
    st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 0.5, 2.0]), st.integers(0, 1)),
    min_size=1,
    max_size=7,
)


@SWEEP
@given(questions=st.lists(rows, min_size=1, max_size=4))
def test_against_listing(questions):
    scores, flags = [[np.nan if s < 0 else s for s, _ in row] for row in questions], [
        [r for _, r in row] for row in questions
    ]
    k = np.arange(1, min(map(len, questions)) + 1)
    best, high, low = (
        best_of_k(scores, flags, k),
        max_at_k([[s for s, _ in row] for row in questions], k),
        min_at_k([[s for s, _ in row] for row in questions], k),
    )
    for i, row in enumerate(questions):
        for j, size in enumerate(k):
            assert best[i, j] == pytest.approx(
                float(mean_over_subsets(row, size, chosen)), abs=1e-14
            )
            assert high[i, j] == pytest.approx(
                float(mean_over_subsets([s for s, _ in row], size, max)), abs=1e-14
            )
            assert low[i, j] == pytest.approx(
                float(mean_over_subsets([s for s, _ in row], size, min)), abs=1e-14
            )
    n, c = np.array([len(f) for f in flags]), np.array([sum(f) for f in flags])
    np.testing.assert_allclose(max_at_k(flags, k), pass_at_k(n, c, k), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(min_at_k(flags, k), pass_hat_k(n, c, k), rtol=1e-13, atol=1e-15)


def test_weights_against_whole_numbers():
    for n in (1, 5, 300, 1100):
        for k in {1, min(2, n), n // 2 or 1, n}:
            want = np.array(
                [float(Fraction(comb(i - 1, k - 1), comb(n, k))) for i in range(1, n + 1)]
            )
            np.testing.assert_allclose(order_weights(n, [k])[:, 0], want, rtol=1e-11, atol=1e-300)
            assert order_weights(n, [k]).sum() == pytest.approx(1, abs=1e-12)


def test_long_curve_in_blocks():
    n, k = 3000, np.arange(1, 3001)
    np.testing.assert_allclose(
        max_at_k(np.arange(1.0, n + 1)[None], k)[0], k * (n + 1) / (k + 1), rtol=1e-12
    )


def test_scorio():
    scorio = pytest.importorskip("scorio.eval")
    table = np.array([[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]])
    for k in 1, 2, 3, 4, 5:
        assert max_at_k(np.array([0, 0.5, 1])[table], k).mean() == pytest.approx(
            scorio.max_at_k(table, k=k, w=np.array([0, 0.5, 1])), rel=1e-12
        )


def test_shapes_and_refusals():
    two = [[0.1, 0.2, 0.3], [0.4, 0.5]], [[0, 1, 0], [1, 0]]
    assert (
        best_of_k(*two, 2).shape == (2,)
        and best_of_k(*two, [1, 2]).shape == (2, 2)
        and max_at_k(two[0], 1).shape == (2,)
    )
    assert (np.signbit(min_at_k([[0, 0, 1]], [1, 2, 3])) == False).all()
    assert best_of_k([[None, None]], [[1, 0]], [1, 2]).tolist() == [[0.5, 0.5]]
    assert best_of_k([[np.inf, 1.0]], [[1, 0]], 2).tolist() == [1]
    for call, kind, text in (
        (lambda: best_of_k(*two, 3), ValueError, "need 1 <= k <= n"),
        (lambda: best_of_k([[0.1]], [[0.5]], 1), ValueError, "correct must be 0 or 1"),
        (
            lambda: best_of_k([[0.1, 0.2]], [[1]], 1),
            ValueError,
            "scores and correct must have one length, got 2 and 1 at question 0",
        ),
        (lambda: max_at_k([[0.1, np.inf]], 1), ValueError, "finite"),
        (lambda: max_at_k([["x"]], 1), TypeError, "numbers"),
        (lambda: max_at_k([0.1, 0.2], 1), ValueError, "one row per question"),
        (lambda: max_at_k([[]], 1), ValueError, "needs a sample"),
        (lambda: max_at_k([[0.1, 0.2]], 2.0), TypeError, "k must hold integers"),
    ):
        with pytest.raises(kind, match=text):
            call()


def test_merge():
    first, second = rewards_of([[0.1], [0.2, 0.3]], [[1], [0, 1]], ["a", "b"]), rewards_of(
        [[0.9], [0.4]], [[1], [0]], ["b", "a"]
    )
    both = merge_rewards(first, second)
    assert sorted(zip(both.questions[both.question].tolist(), both.score.tolist())) == [
        ("a", 0.1),
        ("a", 0.4),
        ("b", 0.2),
        ("b", 0.3),
        ("b", 0.9),
    ]
    assert Rewards([1, 0], [0.1, 0.2]).n.tolist() == [1, 1]
    with pytest.raises(ValueError, match="judged"):
        merge_rewards(first, rewards_of([[0.1], [0.2]], questions=["a", "b"]))


# scores that are the outcome

OUTCOMES, GRADES = [1, 0, 0, 1, 1, 0], [0.9, 0.2, 0.4, 0.7, 0.6, 0.1]
LABELS = dict(question=[1, 1, 1, 2, 2, 2], sample=[0, 1, 2] * 2)
ALONE = {  # a score that says no more than the outcome, and how it is read
    "derived": (dict(score=OUTCOMES), {}),
    "twice": (dict(correct=OUTCOMES, reward=OUTCOMES), {}),
    "named": (dict(correct=OUTCOMES, other=OUTCOMES), dict(score="other")),
    "with gaps": (dict(correct=OUTCOMES, score=[1.0, None, 0.0, None, 1.0, 0.0]), {}),
    "threshold": (dict(score=GRADES), dict(threshold=0.5)),
}


@pytest.mark.parametrize("case", ALONE)
def test_best_is_not_offered_where_the_only_score_is_the_outcome(case, tmp_path):
    columns, options = ALONE[case]
    report = score(LABELS | columns, **options)
    why = "the only score is the outcome, by which best@k is pass@k"
    assert (
        "best@k" not in [row.metric[:4] + "@k" for row in report.rows]
        and report.left_out["best@k"] == why
    )
    for ask in (
        lambda: score(LABELS | columns, "best@2", **options),
        lambda: compare(LABELS | columns, LABELS | columns, "best@2", **options),
    ):
        with pytest.raises(
            ValueError,
            match=f"best@2 cannot be computed: {why}; name the column of a verifier with score=",
        ):
            ask()
    [told] = [
        one for one in describe(LABELS | columns, **options).metrics if one.metric == "best@k"
    ]
    assert (told.possible, told.reason) == (False, why)
    count(LABELS | columns, tmp_path / "c.parquet", **options)
    assert score(tmp_path / "c.parquet").left_out["best@k"] in (
        why,
        "single scores were not kept where the samples were counted",
    )
    if "None" not in str(columns):
        assert score(LABELS | columns, "max@2", **options)["max@2"].estimate > 0


@pytest.mark.parametrize(
    "columns",
    [
        dict(correct=OUTCOMES, score=GRADES),
        dict(correct=OUTCOMES, score=[1, 0, 1, 1, 1, 0]),
        dict(correct=OUTCOMES, score=[2, 0, 0, 2, 2, 0]),
    ],
)
def test_best_is_offered_where_scores_say_more(columns):
    found = score(LABELS | columns)["best@2"].estimate
    rows = [columns[name][:3] for name in ("score", "correct")], [
        columns[name][3:] for name in ("score", "correct")
    ]
    assert found == pytest.approx(np.mean([best_of_k([a], [b], 2)[0] for a, b in rows]))


def test_who_made_the_outcomes_is_kept():
    alike = rewards_of([[1, 0]], [[1, 0]])
    assert (
        alike.choose_alike
        and not rewards_of([[1, 0]]).choose_alike
        and not rewards_of([[1, 1]], [[1, 0]]).choose_alike
    )
    assert replace(rewards_of([[0.7, 0.2]], [[1, 0]]), judging=True).choose_alike
    counts = Counts([2], [1], rewards=alike)
    assert (
        counts.ranking is None
        and replace(counts, rewards=rewards_of([[0.7, 0.2]], [[1, 0]])).ranking is not None
    )
    judged = replace(rewards_of([[0.7, 0.2]], [[1, 0]]), judging=True)
    assert merge_rewards(judged, judged).judging and not merge_rewards(alike, alike).judging


# What is no table of scores, and how one shows itself.


@pytest.mark.parametrize(
    "given, said",
    [
        (([0, 1], [0.5]), "question, score and correct must have one length, got [1, 2]"),
        (([0, 1], [0.5, 1], [1]), "question, score and correct must have one length, got [1, 2]"),
        (([0, 0], [0.5, 1], None, ["a", "b"]),
         "every question needs a sample, got none at question 'b' (1 of 2 fail)"),
        (([2, 0], [0.5, 1]), "every question needs a sample, got none at question 1 (1 of 3 fail)"),
    ],
    ids=["scores", "verdicts", "the last", "one between"],
)
def test_what_holds_no_scores(given, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        Rewards(*given)


@pytest.mark.parametrize(
    "given, said",
    [
        (([0, 0, 1], [0.5, np.nan, 1]), "2 questions, n=1..2, 1 scores missing, not judged"),
        (([0, 1], [0.5, 1], [1, 0]), "2 questions, n=1"),
        (([0, 1], [np.nan, None], [1, 0]), "2 questions, n=1, 2 scores missing"),
    ],
    ids=["a gap", "judged", "no score"],
)
def test_scores_in_a_line(given, said):
    assert repr(Rewards(*given)) == f"Rewards({said})"


def test_what_runs_with_scores_must_share():
    plain = rewards_of([[0.5], [1]])
    both = plain + plain
    assert both.correct is None and both.n.tolist() == [2, 2] and both.bounds is None
    bounded = replace(plain, bounds=(0, 1))
    assert (bounded + bounded).bounds == (0, 1)
    with pytest.raises(ValueError, match="all runs must have scores on one scale, got bounds"):
        merge_rewards(plain, bounded)
    judged = rewards_of([[0.5], [1]], [[1], [1]])
    with pytest.raises(ValueError, match="all runs or none must be judged, got 1 of 3"):
        merge_rewards(plain, judged, plain)
    # Where one run's outcomes were made from its scores, they say no more than these.
    assert merge_rewards(judged, replace(judged, judging=True)).judging


def test_a_row_of_scores_has_a_row_of_verdicts():
    with pytest.raises(ValueError, match="scores and correct must have one length, got 2 and 1"):
        rewards_of([[0.5, 1]], [[1]])
    assert rewards_of([[0.5, 1], [2]]).question.tolist() == [0, 0, 1]
