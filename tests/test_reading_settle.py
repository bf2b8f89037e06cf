"""Options, policies and clusters on the way from any data to counts.

Every policy by hand, every refusal in full."""

import subprocess
import sys
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from conftest import name_kind
from sampling_eval import compare, Counts, read, score
from sampling_eval.reading.counted import (
    CountedRows,
    array_of,
    complete_counts,
    count_outcomes,
    holds_outcomes,
    holds_paths,
    is_tensor,
    is_written_count,
    note_repeated_rows,
    outcome_error,
    place_outcomes,
    read_written_count,
    settle_rows,
)
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options, Policy

NAN = float("nan")


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError)) as error:
        check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


def make_rows(question, times, correct=None, **given):
    "Counted rows from lists; answers and names as objects."
    names = given.pop("questions", "abcdefgh"[: max(question) + 1])
    held = {
        part: np.array(
            list(values), object if part in ("answer", "model", "group", "cluster") else float
        )
        for part, values in given.items()
        if values is not None
    }
    for part in {"scored"} & held.keys():
        held[part] = held[part].astype(int)
    right = None if correct is None else np.array(correct, float)
    return CountedRows(
        np.array(question), np.array(list(names), object), np.array(times), right, **held
    )


def show(counts):
    "What counts hold, as lists."
    found = dict(
        n=counts.n,
        c=counts.c,
        missing=counts.missing,
        score_sum=counts.score_sum,
        cluster=counts.cluster,
    )
    return {name: values.tolist() for name, values in found.items() if values is not None}


# Question a: 3 right, 2 wrong, 1 lost; question b: 4 wrong, 2 lost.
PLAIN = make_rows([0, 0, 0, 1, 1], [3, 2, 1, 4, 2], [1, 0, NAN, 0, NAN])


@pytest.mark.parametrize(
    "missing, should, want",
    [
        ("wrong", None, dict(n=[6, 6], c=[3, 0], missing=[1, 2])),
        ("right", None, dict(n=[6, 6], c=[4, 2], missing=[1, 2])),
        ("drop", None, dict(n=[5, 4], c=[3, 0], missing=[1, 2])),
        ("wrong", 6, dict(n=[6, 6], c=[3, 0], missing=[1, 2])),
        ("wrong", 8, dict(n=[8, 8], c=[3, 0], missing=[3, 4])),
        ("right", 8, dict(n=[8, 8], c=[6, 4], missing=[3, 4])),
        ("drop", 8, dict(n=[5, 4], c=[3, 0], missing=[3, 4])),
    ],
)
def test_samples_under_every_policy(missing, should, want):
    counts, lacks = settle_rows(PLAIN, Policy(missing, should))
    assert show(counts) == want and lacks == {}
    assert (
        counts.questions.tolist() == ["a", "b"] and counts.votes is None and counts.rewards is None
    )


@pytest.mark.parametrize(
    "policy, told",
    [
        (
            Policy(),
            "3 samples have no outcome (2 questions: 'a', 'b'); pass "
            "missing='wrong' or 'drop' (score also takes 'bounds')",
        ),
        (
            Policy("raise", 7),
            "3 samples have no outcome and 2 samples are absent (2 questions: 'a', 'b'); "
            "pass missing='wrong' or 'drop' (score also takes 'bounds')",
        ),
        (Policy("wrong", 5), "samples_per_question=5, got 6 rows at question 'a' (2 of 2 fail)"),
    ],
)
def test_samples_that_are_refused(policy, told):
    assert find_error(settle_rows, PLAIN, policy) == f"ValueError: {told}"


def test_where_samples_are_missing():
    whole = make_rows(range(5), [1, 2, 2, 2, 2], [1] * 5)
    assert "1 sample is absent (question 'a'); pass" in find_error(
        settle_rows, whole, Policy("raise", 2)
    )
    assert "11 samples are absent (5 questions: 'a', 'b', 'c', ...); pass" in find_error(
        settle_rows, whole, Policy("raise", 4)
    )
    some = make_rows(range(4), [2, 2, 2, 2], [1, NAN, NAN, NAN])
    assert "6 samples have no outcome (3 questions: 'b', 'c', 'd'); pass" in find_error(
        settle_rows, some, Policy()
    )
    odd = make_rows(range(3), [2, 3, 4], [1, 0, 1])
    assert find_error(settle_rows, odd, Policy("wrong", 2)) == (
        "ValueError: samples_per_question=2, got 3 rows at question 'b' (2 of 3 fail)"
    )


def test_questions_without_an_outcome():
    lost = make_rows([0, 1, 2], [2, 2, 1], [1, NAN, NAN])
    assert find_error(settle_rows, lost, Policy("drop")) == (
        "ValueError: every question needs a sample with an outcome, "
        "got none at question 'b' (2 of 3 fail); missing='wrong' keeps it"
    )
    hollow = make_rows([0, 2], [2, 1], [1, 0])
    assert find_error(settle_rows, hollow, Policy("wrong")) == (
        "ValueError: every question needs a sample with an outcome, got none at question 'b' "
        "(1 of 3 fail); missing='wrong' with samples_per_question= keeps it"
    )
    assert settle_rows(hollow, Policy("wrong", 2))[0].n.tolist() == [2, 2, 2]
    both = make_rows([0, 2], [1, 1], [1, NAN])
    assert find_error(settle_rows, both, Policy("drop")).endswith(
        "got none at question 'b' (2 of 3 fail); "
        "missing='wrong' with samples_per_question= keeps it"
    )
    assert "None looks like one; pass correct='...'" in find_error(
        settle_rows, make_rows([0], [1]), Policy()
    )


# Scores.

SCORED = make_rows(
    [0, 0, 0, 1],
    [2, 1, 1, 2],
    [1, 0, NAN, 0],
    score=[1, 0.25, 0.5, 0],
    total=[2, 0.25, 0.5, 0],
    scored=[2, 1, 1, 2],
)


@pytest.mark.parametrize(
    "missing, sums, rewards",
    [
        ("wrong", [2.75, 0], [[0, 0, 0, 0, 1, 1], [1, 1, 0.25, 0.5, 0, 0], [1, 1, 0, 0, 0, 0]]),
        ("right", [2.75, 0], [[0, 0, 0, 0, 1, 1], [1, 1, 0.25, 0.5, 0, 0], [1, 1, 0, 1, 0, 0]]),
        ("drop", [2.25, 0], [[0, 0, 0, 1, 1], [1, 1, 0.25, 0, 0], [1, 1, 0, 0, 0]]),
    ],
)
def test_scores_under_every_policy(missing, sums, rewards):
    counts, lacks = settle_rows(SCORED, Policy(missing))
    found = counts.rewards
    assert counts.score_sum.tolist() == sums and lacks == {}
    assert [
        found.question.tolist(),
        found.score.tolist(),
        found.correct.astype(int).tolist(),
    ] == rewards
    assert found.questions.tolist() == ["a", "b"]


def test_absent_samples_have_no_score():
    counts, _ = settle_rows(SCORED, Policy("wrong", 5))
    found = counts.rewards
    assert (
        found.question.tolist() == [0, 0, 0, 0, 1, 1, 0, 1, 1, 1]
        and np.isnan(found.score[6:]).all()
    )
    assert found.correct.tolist() == [True, True] + [False] * 8 and counts.score_sum.tolist() == [
        2.75,
        0,
    ]
    # With missing='right' what is absent scores 1, and what is scored keeps its score.
    assert settle_rows(SCORED, Policy("right", 5))[0].score_sum.tolist() == [3.75, 3]


def test_scores_that_are_not_known():
    lost = make_rows(
        [0, 0, 1], [2, 1, 1], [1, NAN, 0], score=[1, NAN, 0], total=[2, 0, 0], scored=[2, 0, 1]
    )
    for missing, sums in ("wrong", [2, 0]), ("drop", [2, 0]), ("right", [3, 0]):
        assert settle_rows(lost, Policy(missing))[0].score_sum.tolist() == sums
    gone = make_rows(
        [0, 0, 1], [2, 1, 3], [1, NAN, 0], score=[1, NAN, NAN], total=[2, 0, 0], scored=[2, 0, 0]
    )
    counts, lacks = settle_rows(gone, Policy("wrong"))
    assert counts.score_sum is None and lacks == dict(score_sum="4 of 6 scores are missing")
    assert counts.rewards is not None


@pytest.mark.parametrize(
    "score, inside", [(0, True), (1, True), (-0.001, False), (1.001, False), (NAN, True)]
)
def test_scores_within_0_and_1(score, inside):
    total, scored = (0, 0) if score != score else (2 * score, 2)
    rows = make_rows(
        [0], [2], [NAN if score != score else 1], score=[score], total=[total], scored=[scored]
    )
    counts, lacks = settle_rows(rows, Policy("wrong"))
    assert (counts.score_sum is not None) is inside
    if not inside:
        assert lacks["score_sum"].startswith(
            f"scores lie outside [0, 1], got {score:g} to {score:g}; pass "
        )


@pytest.mark.parametrize(
    "total, inside",
    [(0, True), (2, True), (-5e-10, True), (-2e-9, False), (2 + 5e-10, True), (2 + 1.5e-9, False)],
)
def test_sums_of_scores_may_pass_a_bound_by_a_rounding(total, inside):
    rows = make_rows([0], [2], [1], total=[total], scored=[2])
    counts, lacks = settle_rows(rows, Policy())
    assert (counts.score_sum is not None) is inside
    assert counts.rewards is None and lacks["rewards"] == (
        "single scores were not kept where the samples were counted"
    )


def test_graded_scores():
    graded = make_rows(
        [0, 0, 1],
        [2, 1, 1],
        score=[0.5, NAN, 0.25],
        total=[1, 0, 0.25],
        scored=[2, 0, 1],
        answer="xyz",
    )
    counts, lacks = settle_rows(graded, Policy("drop"))
    assert show(counts) == dict(n=[2, 1], missing=[1, 0], score_sum=[1, 0.25])
    assert (
        counts.votes is None
        and counts.rewards.correct is None
        and counts.rewards.score.tolist() == [0.5, 0.5, 0.25]
    )
    assert lacks == dict(
        c="scores are graded; threshold= makes them right or wrong, soft@n is their mean"
    )
    assert show(settle_rows(graded, Policy("wrong"))[0]) == dict(
        n=[3, 1], missing=[1, 0], score_sum=[1, 0.25]
    )
    assert show(settle_rows(graded, Policy("right"))[0])["score_sum"] == [2, 0.25]
    costly = CountedRows(**{**vars(graded), "sums": dict(cost=np.ones(3))})
    assert not settle_rows(costly, Policy("drop"))[0].sums


def test_sums_of_scores_do_not_depend_on_the_order():
    values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    sums = {
        settle_rows(
            make_rows([0] * 7, [1] * 7, [1] * 7, total=list(some), scored=[1] * 7), Policy()
        )[0].score_sum[0]
        for some in (values, values[::-1], values[3:] + values[:3], values[::2] + values[1::2])
    }
    assert len(sums) == 1 and abs(Fraction(sums.pop()) - sum(map(Fraction, values))) < 1e-15


def test_sums_of_further_columns_by_outcome():
    rows = make_rows([0, 0, 0, 1], [2, 1, 1, 2], [1, 0, NAN, 0])
    rows = CountedRows(
        rows.question,
        rows.questions,
        rows.times,
        rows.correct,
        sums=dict(cost=np.array([1.0, 2, 4, 8])),
    )
    for missing, want in (
        ("wrong", [[6, 1], [8, 0]]),
        ("right", [[2, 5], [8, 0]]),
        ("drop", [[2, 1], [8, 0]]),
    ):
        assert settle_rows(rows, Policy(missing))[0].sums["cost"].tolist() == want


# Votes.

VOTED = make_rows(
    [0, 0, 0, 0, 1], [3, 2, 1, 1, 2], [1, 0, 0, NAN, 0], answer=["x", "y", None, "x", "z"]
)


def show_votes(rows, policy):
    votes = settle_rows(rows, policy)[0].votes
    return (
        votes.answer.tolist(),
        votes.votes.tolist(),
        votes.correct.astype(int).tolist(),
        votes.blank.tolist(),
        votes.question.tolist(),
    )


def test_votes_under_every_policy():
    xyz = ["x", "y", "z"], [3, 2, 2], [1, 0, 0]
    assert show_votes(VOTED, Policy("wrong", no_answer="abstain")) == (*xyz, [2, 0], [0, 0, 1])
    assert show_votes(VOTED, Policy("drop", no_answer="abstain")) == (*xyz, [1, 0], [0, 0, 1])
    assert show_votes(VOTED, Policy("wrong", 9, no_answer="abstain")) == (*xyz, [4, 7], [0, 0, 1])
    counts, lacks = settle_rows(VOTED, Policy("wrong"))
    assert counts.votes is None and list(lacks) == ["votes"] and "no_answer" in lacks["votes"]


def test_votes_without_any_answer():
    silent = make_rows([0, 1], [1, 1], [1, 0], answer=[None, None])
    counts, lacks = settle_rows(silent, Policy())
    assert counts.votes is None and lacks == {}
    _, lacks = settle_rows(silent, Policy(no_answer="abstain"))
    assert lacks["votes"].startswith(
        "a sample that abstains cannot be right, got one at question 'a'"
    )
    wrong = make_rows([0, 1], [1, 2], [0, 0], answer=[None, None])
    assert settle_rows(wrong, Policy(no_answer="abstain"))[0].votes.blank.tolist() == [1, 2]


# Counts that were handed over.


def complete(n, c, missing, should, lost=None):
    return complete_counts(Counts(n, c, missing=lost), Policy(missing, should))


@pytest.mark.parametrize(
    "missing, n, c",
    [("wrong", [4, 4], [1, 2]), ("right", [4, 4], [3, 2]), ("drop", [2, 4], [1, 2])],
)
def test_counts_are_completed(missing, n, c):
    found = complete([2, 4], [1, 2], missing, 4)
    assert (found.n.tolist(), found.c.tolist(), found.missing.tolist()) == (n, c, [2, 0])


def test_counts_that_cannot_be_completed():
    plain = Counts([2, 4], [1, 2])
    assert complete_counts(plain, Policy("wrong")) is plain
    assert complete([4, 4], [1, 2], "raise", 4).n.tolist() == [4, 4]
    assert find_error(complete, [2, 4], [1, 2], "raise", 4) == (
        "ValueError: samples_per_question=4, got n=2 at question 0 (1 of 2 fail); "
        "pass missing='wrong' or 'drop' (score also takes 'bounds')"
    )
    assert find_error(complete, [2, 4], [1, 2], "wrong", 3) == (
        "ValueError: samples_per_question=3, got n=4 at question 1 (1 of 2 fail)"
    )
    assert find_error(complete, [2, 4], [1, 2], "raise", 3) == (
        "ValueError: samples_per_question=3, got n=2 at question 0 (2 of 2 fail)"
    )
    assert find_error(complete, [2, 4], [1, 2], "drop", 4, [1, 0]) == (
        "ValueError: samples_per_question=4, got n=2 at question 0 (1 of 2 fail); "
        "what these counts already hold cannot be completed"
    )
    scored = Counts([1], [1], score_sum=[0.5])
    assert "cannot be completed" in find_error(complete_counts, scored, Policy("wrong", 2))
    for part in "votes", "rewards":
        rows = SCORED if part == "rewards" else make_rows([0], [1], [1], answer=["x"])
        held = getattr(settle_rows(rows, Policy("drop"))[0], part)
        counts = Counts(held.n, [1] * len(held.n), **{part: held})
        assert "cannot be completed" in find_error(complete_counts, counts, Policy("wrong", 9))


# Tables of outcomes.


def test_holes_without_a_policy():
    assert find_error(count_outcomes, [[1, None], [1, 0], [NAN, None], [1, 0]], Policy()) == (
        "ValueError: 3 samples have no outcome (2 questions: 0, 2); pass "
        "missing='wrong' or 'drop' (score also takes 'bounds')"
    )
    assert find_error(count_outcomes, [[1], [None], [NAN, None]], Policy("drop")) == (
        "ValueError: every question needs a sample with an outcome, "
        "got none at question 1 (2 of 3 fail); pass missing='wrong', or leave it out of all"
    )
    found = count_outcomes([[1, None], [None, 0, None]], Policy("right"))
    assert (found.n.tolist(), found.c.tolist(), found.missing.tolist()) == ([2, 3], [2, 2], [1, 2])


# Counted rows.


def test_counts_of_one_model():
    rows = make_rows([0, 0], [1, 1], [1, 0], model="xy")
    assert find_error(rows.counts) == (
        "ValueError: counts are of one model, got 'x', 'y'; "
        "take one of models(), or pass model=False when reading if these are samples of one"
    )
    assert make_rows([0, 0], [1, 1], [1, 0], model="xx").counts().n.tolist() == [2]
    assert "pass threshold=... when reading" in find_error(
        make_rows([0], [1], total=[0.5], scored=[1]).counts
    )
    assert "None looks like one; pass correct='...'" in find_error(make_rows([0], [1]).counts)


# Loading.


def test_clusters_that_nobody_asked_for_are_not_judged():
    odd = [dict(id=1, correct=1, group=name) for name in "ab"]
    assert load(odd).blocks["", ""].n.tolist() == [2]
    assert "a question belongs to one cluster" in find_error(read, odd)
    assert "a question belongs to one cluster" in find_error(
        load, odd, Options.of(dict(cluster=True))
    )


# Options, policies and clusters on the way from any data to counts.

LONG = [
    dict(id=q, sample=s, correct=(q + s) % 2, group=q // 2, cost=q + 0.5)
    for q in range(4)
    for s in range(3)
]


# Options.


@pytest.mark.parametrize(
    "name, near",
    [
        ("corect", "correct"),
        ("metric", "metrics"),
        ("treshold", "threshold"),
        ("clusters", "cluster"),
    ],
)
def test_unknown_options_are_refused_with_the_near_one(name, near):
    with pytest.raises(TypeError, match=f"there is no option '{name}'; did you mean '{near}'?"):
        Options.of({name: 1}, ["metrics", "k"])


def test_an_option_without_a_near_one_is_refused_with_all():
    with pytest.raises(TypeError, match="there is no option 'zzz'; known are question, "):
        Options.of(dict(zzz=1))


def test_options_that_are_none_are_not_given():
    assert Options.of(dict(question=None, by=None, cluster=None)) == Options()


def test_options_hold_what_they_were_given():
    options = Options.of(
        dict(
            by="task",
            cluster="part",
            sums="cost",
            missing="drop",
            score=False,
            threshold=0.5,
            filter="x",
        ),
        answers=False,
    )
    assert options.columns == dict(score=False, cluster="part", group="task")
    assert (options.sums, options.threshold, options.filter) == (("cost",), 0.5, "x")
    assert options.policy == Policy("drop") and not options.answers and options.uses_clusters
    with pytest.raises(ValueError, match="sums must name each column once"):
        Options.of(dict(sums=["a", "a"]))


@pytest.mark.parametrize(
    "choice, said",
    [
        (
            dict(missing="bounds"),
            "missing must be 'raise', 'wrong', 'drop' or 'right', got 'bounds'",
        ),
        (dict(no_answer="skip"), "no_answer must be None, 'abstain' or 'vote', got 'skip'"),
        (
            dict(conflict="first"),
            "conflict must be 'refuse', 'any', 'majority' or 'mean', got 'first'",
        ),
        (
            dict(normalize="upper"),
            "normalize must be None, 'strip', 'lower' or 'number', got 'upper'",
        ),
        (dict(samples_per_question=0), "samples_per_question must be a whole number of at least 1"),
        (dict(samples_per_question=True), "samples_per_question must be a whole number"),
    ],
)
def test_policies_check_themselves(choice, said):
    for make in Policy, lambda **o: Options.of(o):
        with pytest.raises(ValueError, match=said):
            make(**choice)


# A table of outcomes.


def test_a_table_of_outcomes_has_no_columns():
    assert load([[1, 0], [1, 1]]).blocks["", ""].c.tolist() == [1, 2]
    for name, value in dict(question="id", by="task", cluster=True, threshold=0.5).items():
        with pytest.raises(ValueError, match=f"{name}= is for files and frames, but a table"):
            load([[1, 0]], Options.of({name: value}))


def test_tables_are_completed():
    options = Options.of(dict(samples_per_question=3, missing="wrong"))
    found = load([[1, 0], [1, 1, 1]], options)
    assert found.blocks["", ""].n.tolist() == [3, 3] and found.rows is None
    assert str(found.summary) == "1 of 6 samples missing (coverage 83.3 %), counted as wrong"
    kept = Counts([2, 2], [1, 1], missing=[1, 0])
    with pytest.raises(ValueError, match="what these counts already hold cannot be completed"):
        load(kept, options)


# Clusters and groups.


def test_clusters_from_beside_the_data():
    groups = {q: f"g{q % 2}" for q in range(4)}
    for data in LONG, [[1, 0]] * 4:
        found = load(data, Options.of(dict(cluster=groups))).blocks["", ""]
        assert found.cluster.tolist() == ["g0", "g1", "g0", "g1"]
    in_order = load([[1, 0]] * 4, Options.of(dict(cluster=list("aabb")))).blocks["", ""]
    assert in_order.cluster.tolist() == list("aabb")
    with pytest.raises(TypeError, match="a column or a mapping of question to group, got list"):
        load(LONG, Options.of(dict(cluster=list("aabb"))))
    with pytest.raises(ValueError, match=r"got none for 3 \(1 of 4 fail\)"):
        load(LONG, Options.of(dict(cluster={q: 0 for q in range(3)})))
    with pytest.raises(ValueError, match=r"one group per question \(4\)"):
        load([[1, 0]] * 4, Options.of(dict(cluster=[1, 2])))


def test_a_column_of_clusters_is_used_when_asked_for():
    unused = load(LONG)
    assert unused.blocks["", ""].cluster is None and "not used: cluster=group" in str(
        unused.summary
    )
    for cluster in True, "group":
        used = load(LONG, Options.of(dict(cluster=cluster)))
        assert used.blocks["", ""].cluster.tolist() == [0, 0, 1, 1]
        assert "; no sample missing" in str(used.summary) and "not used" not in str(used.summary)
    assert read(LONG).cluster is not None


def test_groups():
    rows = [row | dict(task=f"t{row['id'] % 2}") for row in LONG]
    blocks = load(rows, Options.of(dict(by="task"))).blocks
    assert list(blocks) == [("", ""), ("", "t0"), ("", "t1")]
    assert blocks["", "t1"].questions.tolist() == [1, 3]
    with pytest.raises(ValueError, match="every row needs a group, got '' at row 1; give it"):
        load(
            [dict(id=1, correct=1, task="a"), dict(id=2, correct=1, task="")],
            Options.of(dict(by="task")),
        )


def test_questions_of_one_name_in_two_groups_are_told_apart():
    rows = [dict(id=1, correct=1, task="a"), dict(id=1, correct=0, task="b")]
    found = load(rows, Options.of(dict(by="task")))
    assert found.blocks["", ""].questions.tolist() == ["a/1", "b/1"]
    assert "questions are named group/question" in str(found.summary)


# Counted rows.


def test_counted_rows_settle_again_under_another_policy():
    rows = [dict(id=1, correct=1, model="x"), dict(id=1, correct=None, model="x")]
    first = load(rows, Options.of(dict(missing="wrong")))
    again = load(first.rows, Options(policy=Policy("right")))
    assert first.blocks["x", ""].c.tolist() == [1] and again.blocks["x", ""].c.tolist() == [2]
    assert str(again.summary).endswith("1 of 2 samples missing (coverage 50.0 %), counted as right")


def test_what_was_read_already_has_no_columns_to_choose():
    for name in "question", "by", "threshold":
        with pytest.raises(ValueError, match=f"{name}= is for data that are still to be read"):
            load(read(LONG), Options.of({name: "id"}))


def test_sums_by_outcome():
    rows = read(LONG, sums=["cost"])
    if "sums" not in {field.name for field in fields(Counts)}:
        pytest.skip("Counts has no sums")
    sums = rows.counts().sums["cost"]
    assert sums.shape == (4, 2) and sums.sum(1).tolist() == [1.5, 4.5, 7.5, 10.5]
    assert sums[:, 1].tolist() == [0.5, 3.0, 2.5, 7.0]


def test_a_sum_with_gaps_is_not_known():
    rows = read([dict(id=1, correct=1, cost=2.0), dict(id=1, correct=0, cost=None)], sums="cost")
    assert rows.sums["cost"][0] == 2 and np.isnan(rows.sums["cost"][1])
    with pytest.raises(TypeError, match="cost must hold numbers, got 'x' at row 0"):
        read([dict(id=1, correct=1, cost="x")], sums="cost")


def test_small_files_need_no_engine(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "correct": 1}\n')
    code = (
        "import sys; from sampling_eval.reading.load import load; load(sys.argv[1]); "
        "print([m for m in ('duckdb', 'narwhals', 'pandas', 'polars', 'scipy', 'rich') "
        "if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_an_array_needs_neither_files_nor_harnesses_nor_pages():
    code = (
        "import sys, sampling_eval; sampling_eval.score([[1, 0]]); "
        "print([m for m in sys.modules if m.startswith(("
        "'sampling_eval.reading.logs.l', 'sampling_eval.reading.logs.f', "
        "'sampling_eval.reading.objects', 'sampling_eval.reading.tables', "
        "'sampling_eval.reading.files', 'sampling_eval.reading.counts_file', "
        "'sampling_eval.render.html', 'sampling_eval.analyses.score.pictures'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr


# Arrays and lists of outcomes in which some samples have none.

HOLED = [[1, 0, None], [1, 1, 0], [1, float("nan"), 1]]


@pytest.mark.parametrize(
    "missing, n, c",
    [
        ("wrong", [3, 3, 3], [1, 2, 2]),
        ("drop", [2, 3, 2], [1, 2, 2]),
        ("right", [3, 3, 3], [2, 2, 3]),
    ],
)
def test_policies(missing, n, c):
    for data in (
        HOLED,
        np.array(HOLED, float),
        np.array(HOLED, object),
        list(map(np.array, HOLED)),
    ):
        counts = count_outcomes(data, Policy(missing))
        assert counts.n.tolist() == n and counts.c.tolist() == c
        assert counts.missing.tolist() == [1, 0, 1]


def test_refused_with_what_to_pass():
    said = r"2 samples have no outcome \(2 questions: 0, 2\); pass missing='wrong' or 'drop'"
    with pytest.raises(ValueError, match=said):
        score(HOLED)
    with pytest.raises(ValueError, match="none at question 1 .1 of 2 fail.; pass missing='wrong'"):
        score([[1, 0], [None, None]], missing="drop")


def test_verbs_tell_what_was_missing():
    report = score(HOLED, missing="wrong")
    assert report.rows[0].missing == 2 and "2 of 9 samples missing" in report.read
    low, high = (row.estimate for row in score(HOLED, "pass@1", missing="bounds").rows)
    assert (low, high) == pytest.approx((5 / 9, 7 / 9), rel=1e-15)
    both = compare(HOLED, HOLED, k=1, missing="wrong").read
    assert [(one.missing.count, one.missing.total) for one in both.values()] == [(2, 9)] * 2


def test_flags():
    counts = count_outcomes([[True, None], [False, True]], Policy("wrong"))
    assert counts.c.tolist() == [1, 1] and counts.n.tolist() == [2, 2]


def test_whole_tables_are_untouched():
    for data in ([[1, 0], [1]], np.eye(2, dtype=int), np.eye(2)):
        assert not count_outcomes(data, Policy()).missing.any()


def test_samples_of_a_question_reach_to_a_limit():
    assert Policy(samples_per_question=2**24).samples_per_question == 2**24
    with pytest.raises(ValueError, match="at most 16,777,216, got 16777217"):
        Policy(samples_per_question=2**24 + 1)


# Scales of scores.

GRADES = make_rows([0, 0, 1], [2, 1, 1], score=[5, NAN, 2], total=[10, 0, 2], scored=[2, 0, 1])


@pytest.mark.parametrize(
    "scale", [(1,), (1, 2, 3), (2, 1), (1, 1), (True, 2), ("1", 2), (0, np.inf), (-np.inf, 0), 5]
)
def test_what_is_no_scale(scale):
    with pytest.raises(ValueError, match="scale must be the least and the largest score"):
        Policy(scale=scale)


def test_a_scale_is_two_numbers():
    assert Policy(scale=np.array([1, 5])).scale == (1.0, 5.0)
    assert list(map(type, Policy(scale=[0, 1]).scale)) == [float, float]


@pytest.mark.parametrize("missing, filled", [("wrong", 1), ("right", 5)])
def test_a_missing_score_is_the_least_or_the_largest(missing, filled):
    found = settle_rows(GRADES, Policy(missing, scale=(1, 5)))[0].rewards
    assert (found.score.tolist(), found.bounds) == ([5, 5, filled, 2], (1, 5))
    assert found.correct is None


def test_scales_that_do_not_fit():
    assert find_error(settle_rows, GRADES, Policy("drop", scale=(1, 4))) == (
        "ValueError: scores must lie in the scale 1 to 4, got 5 at question a (2 of 4 fail)"
    )
    assert "in the scale 3 to 5, got 2 at question b (1 of 4" in find_error(
        settle_rows, GRADES, Policy("drop", scale=(3, 5))
    )
    sums = make_rows([0], [2], [1], total=[2], scored=[2])
    assert "needs the single scores" in find_error(settle_rows, sums, Policy(scale=(0, 1)))
    bare = make_rows([0], [2], [1])
    assert "states the range of scores, got none" in find_error(
        settle_rows, bare, Policy(scale=(0, 1))
    )


def test_a_scale_of_counts():
    rewards = settle_rows(GRADES, Policy("drop"))[0].rewards
    counts = Counts(rewards.n, None, rewards=rewards)
    assert complete_counts(counts, Policy(scale=(1, 5))).rewards.bounds == (1, 5)
    assert "got counts without them" in find_error(
        complete_counts, Counts([1], [1]), Policy(scale=(1, 5))
    )


@pytest.mark.parametrize(
    "low, high, percent",
    [(0, 100, True), (0, 10, False), (0, 10.5, True), (-1, 100, False), (0, 101, False)],
)
def test_scores_that_may_be_percentages(low, high, percent):
    rows = make_rows([0, 0], [1, 1], [1, 1], score=[low, high], total=[low, high], scored=[1, 1])
    _, lacks = settle_rows(rows, Policy())
    assert ("if they are percentages" in lacks["score_sum"]) is percent


def test_sums_outside_are_told_without_the_scores():
    rows = make_rows([0], [2], [1], total=[5], scored=[2])
    _, lacks = settle_rows(rows, Policy())
    assert lacks["score_sum"] == "scores lie outside [0, 1]; max@k and min@k take any"


# Rows of a model, and what is told of rows.


def test_rows_by_model_keep_their_order():
    rows = make_rows([0] * 40, range(1, 41), [1] * 40, model="yx" * 20)
    found = rows.models()
    assert list(found) == ["y", "x"]
    assert found["x"].times.tolist() == list(range(2, 41, 2))
    assert list(rows.groups()) == [""] and rows.groups()[""] is rows
    assert repr(rows) == "CountedRows(820 samples of 1 questions; correct, model)"
    assert "no other column" in repr(make_rows([0], [1]))


def test_hashes_of_samples_are_those_of_all_rows():
    rows = make_rows([0, 1], [1, 1], [1, 0], model="xx")
    held = CountedRows(**vars(rows) | dict(fingerprint=3))
    assert held.models()["x"].fingerprint == 3
    other = CountedRows(**vars(rows) | dict(fingerprint=3, model=np.array(["x", "y"], object)))
    assert other.models()["x"].fingerprint is None
    assert settle_rows(rows, Policy())[0].model == "x"
    assert settle_rows(make_rows([0], [1], [1]), Policy())[0].model == ""


def repeat_rows(questions, twice, **more):
    "Rows of one sample each, of which the first ones come again."
    size = [1 + (q < twice) for q in range(questions)]
    names = list(map(str, range(questions)))
    rows = make_rows(range(questions), size, [1] * questions, questions=names)
    return CountedRows(**vars(rows) | more)


@pytest.mark.parametrize(
    "questions, twice, more, found",
    [
        (20, 3, {}, True),
        (19, 3, {}, False),
        (20, 0, {}, False),
        (20, 3, dict(sample_column="s"), False),
        (20, 3, dict(sample_column="s", ordered=False), True),
    ],
)
def test_rows_that_repeat(questions, twice, more, found):
    notes = list(note_repeated_rows(repeat_rows(questions, twice, **more), "f"))
    assert bool(notes) is found
    if found:
        (note,) = notes
        told = note.names, note.count, note.total, note.value, note.text
        assert told == (("", "f"), 3, 23, 1, "question and outcome")


def test_rows_that_repeat_by_model():
    size = [1] * 40
    size[20] = 2
    rows = make_rows(
        [*range(20), *range(20)],
        size,
        [1] * 40,
        model=["x"] * 20 + ["y"] * 20,
        answer=["a"] * 40,
        questions=list(map(str, range(20))),
    )
    (note,) = note_repeated_rows(rows)
    assert (note.names, note.count, note.total) == (("y", ""), 1, 21)
    assert note.text == "question, outcome and answer"
    every = make_rows(range(20), [2] * 20, [1] * 20, questions=list(map(str, range(20))))
    assert not list(note_repeated_rows(every))


def test_rows_that_repeat_beside_others():
    "Each question has a right and a wrong sample, and three have a right one more."
    size = [1 + (row < 3) for row in range(20)] + [1] * 20
    rows = make_rows(
        [*range(20)] * 2, size, [1] * 20 + [0] * 20, questions=list(map(str, range(20)))
    )
    (note,) = note_repeated_rows(rows)
    assert (note.count, note.total, note.value) == (3, 43, 2)
    odd = make_rows(range(20), [3, 2] + [1] * 18, [1] * 20, questions=list(map(str, range(20))))
    (note,) = note_repeated_rows(odd)
    assert (note.count, note.total, note.value) == (3, 23, 1)


def test_sums_and_hashes_belong_to_rows_of_a_model():
    rows = make_rows([0, 1, 0], [1, 2, 1], [1, 0, 0], model="xyx", score=[1, 0, 0.5])
    held = CountedRows(**vars(rows) | dict(
        sums=dict(cost=np.array([1.0, 2, 4])), draws=np.array([[1, 0, 0], [3, 0, 0], [2, 0, 0]])
    ))
    found = held.models()
    assert {name: own.sums["cost"].tolist() for name, own in found.items()} == {
        "x": [1, 4],
        "y": [2],
    }
    assert found["y"].questions.tolist() == ["b"] and found["x"].score.tolist() == [1, 0.5]
    own = {name: settle_rows(part, Policy())[0].samples for name, part in found.items()}
    assert [len(samples) for samples in own.values()] == [2, 2]
    assert not {*own["x"].tolist()} & {*own["y"].tolist()}
    bare = CountedRows(**vars(held) | dict(model=None))
    assert {*settle_rows(bare, Policy())[0].samples.tolist()}.isdisjoint(own["x"].tolist())
    assert held.warnings == () and held.source == str(held.summary)


def test_the_last_question_may_hold_no_sample():
    rows = make_rows([0], [1], [1], score=[1], total=[1], scored=[1], questions="ab")
    found = settle_rows(rows, Policy("wrong", 2))[0].rewards
    assert found.question.tolist() == [0, 0, 1, 1] and found.judging is False
    derived = CountedRows(**vars(rows) | dict(derived=True))
    assert settle_rows(derived, Policy("wrong", 2))[0].rewards.judging is True


def test_which_column_may_hold_the_outcome():
    ways = [dict(threshold=0.5), dict(threshold=1)]
    assert str(outcome_error((), ways)).endswith("pass threshold=0.5 or 1")
    assert "Candidates: a, b; pass correct='a' or 'b'" in str(outcome_error("ab", []))


# What data are.


@pytest.mark.parametrize(
    "data, outcomes, paths",
    [
        ("3/4", True, True),
        ("a.csv", False, True),
        (Path("a"), False, True),
        (["a", Path("b")], False, True),
        (["a", 1], False, False),
        ([], False, False),
        ([[1, 0]], True, False),
        ([dict(a=1)], False, False),
        (np.eye(2), True, False),
        (Counts([1], [1]), True, False),
        ({}, False, False),
    ],
    ids=str,
)
def test_outcomes_and_paths(data, outcomes, paths):
    assert (holds_outcomes(data), holds_paths(data)) == (outcomes, paths)


@pytest.mark.parametrize(
    "text, want", [("0/1", (0, 1)), (" 3 / 3 ", (3, 3)), ("9/10000000", (9, 10**7))]
)
def test_written_counts(text, want):
    assert read_written_count(text) == want


@pytest.mark.parametrize("text", ["1/0", "4/3", "-1/3", "0/10000001"])
def test_written_counts_that_are_none(text):
    with pytest.raises(ValueError, match="right/questions needs 0 <= right"):
        read_written_count(text)


def test_a_file_is_no_written_count(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "3").mkdir()
    assert is_written_count("3/4")
    (tmp_path / "3" / "4").touch()
    assert not is_written_count("3/4")
    counts = count_outcomes("2/3", Policy())
    assert (counts.n.tolist(), counts.c.tolist()) == ([1, 1, 1], [1, 1, 0])


@pytest.mark.parametrize(
    "data, want",
    [
        ("3/4", None),
        (Counts([1], [1]), None),
        (np.array([[1, 0]]), [[1, 0]]),
        ([[1, 0], [None]], [[1, 0], [NAN, -1]]),
        (np.zeros((1, 1024)), [[0] * 1024]),
        (np.zeros((1, 1025)), None),
        ([[0] * 1024], [[0] * 1024]),
        ([[0] * 1025], None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_outcomes_by_place(data, want):
    found = place_outcomes(data)
    assert (found is None) is (want is None)
    assert want is None or np.array_equal(found, want, equal_nan=True)


class Tensor:
    def __init__(self, shape=(1, 2), **more):
        self.shape = shape
        vars(self).update(more)

    def __array__(self, *given, **named):
        raise RuntimeError("no.\nmore")


@pytest.mark.parametrize(
    "data, tensor",
    [
        (Tensor(), True),
        (Tensor((2,)), False),
        (Tensor(columns=1), False),
        (Tensor((2,), __dlpack__=1), True),
        (np.eye(2), False),
        ([1], False),
    ],
)
def test_arrays_of_other_libraries(data, tensor):
    assert is_tensor(data) is tensor


@pytest.mark.parametrize(
    "more, said",
    [
        ({}, r"need a tensor that numpy can read, got a test_reading_settle Tensor \(no\)"),
        (dict(device="CPU:0"), "need a tensor that numpy can read"),
        (dict(device="cuda", cpu=1), r"on cuda; pass data.cpu\(\)"),
        (dict(device="gpu"), r"must lie in main memory, .* on gpu; pass data.get\(\)"),
    ],
)
def test_tensors_that_cannot_be_read(more, said):
    with pytest.raises(TypeError, match=said):
        array_of(Tensor(**more))
