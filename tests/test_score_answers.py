"""Votes and verifier scores through `score`: values of the functions, and what is said when a column is missing or contradicts itself."""
import numpy as np
import pytest

from sampling_eval import best_of_k, maj_at_k, max_at_k, min_at_k, score

ANSWERS, CORRECT = [list("AAABB"), list("AABBC"), list("AAABC")], [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0]]
SCORES = [[.1, .9, .3, .5, .2], [.7, .1, .8, .2, .6], [.5, .5, .5, .1, .9]]
TABLE = dict(question=np.repeat([1, 2, 3], 5), answer=sum(ANSWERS, []), score=sum(SCORES, []), correct=sum(CORRECT, []))


def without(*names): return {name: column for name, column in TABLE.items() if name not in names}


def test_values_are_the_functions():
    k, got = [1, 3, 5], score(TABLE, metrics=["maj@k", "best@k", "max@k", "min@k"], k=[1, 3, 5]).estimates()
    want = {"maj": maj_at_k(ANSWERS, CORRECT, k), "best": best_of_k(SCORES, CORRECT, k), "max": max_at_k(SCORES, k), "min": min_at_k(SCORES, k)}
    for name, values in want.items():
        assert [got[f"{name}@{b}"] for b in k] == pytest.approx(values.mean(0).tolist(), rel=1e-14)


@pytest.mark.parametrize("missing,metric,message", [
    ("answer", "maj@k", "maj@k cannot be computed: no answers; name the column with answer=, or take cons@k, the strict majority of correct samples"),
    ("score", "best@k", "best@k cannot be computed: no scores to choose by; name the column with score="),
    ("score", "max@k", "max@k cannot be computed: no scores to choose by; name the column with score="),
    ("score", "soft@n", "soft@n cannot be computed: no graded scores; name the column with score=")])
def test_a_missing_column_is_named(missing, metric, message):
    with pytest.raises(ValueError) as error: score(without(missing), metrics=[metric])
    assert str(error.value) == message


def test_flags_alone_leave_votes_out_or_refuse_them():
    report = score(CORRECT)
    assert not any(name.startswith(("maj", "best")) for name in report.estimates()) and "maj@k (no answers" in str(report)
    with pytest.raises(ValueError, match="strict majority of correct samples"): score(CORRECT, metrics=["maj@k"])


def test_one_text_right_and_wrong_needs_a_rule():
    table = TABLE | dict(correct=[1, 1, 0, 0, 0, *TABLE["correct"][5:]])
    with pytest.raises(ValueError, match=r"throughout a question, got 'A' \(2 right, 1 wrong\) at question 1 \(1 of 8 answers fail\); choose conflict='any' or 'majority'"):
        score(table, metrics=["maj@k"])
    assert score(table, metrics=["maj@k"], k=5, conflict="majority").estimates() == score(TABLE, metrics=["maj@k"], k=5).estimates()


@pytest.mark.parametrize("interval", [None, "t", "bootstrap"])
@pytest.mark.parametrize("questions", [1, 3])
def test_rewards_that_agree_have_no_error_and_no_interval(interval, questions):
    table = dict(question=np.repeat(np.arange(questions), 2), score=[.1, .9] * questions, correct=[0, 1] * questions)
    row = score(table, metrics=["max@k"], k=2, interval=interval).rows[0]
    assert (row.estimate, row.stderr, row.low, row.high) == (.9, None, None, None) and "shows no spread" in row.reason
    assert score(table, metrics=["best@k"], k=2, interval=interval).rows[0].estimate == 1
