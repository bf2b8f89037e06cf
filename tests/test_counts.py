"Counts: where they come from, what they hold, how they add up."

import copy
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from conftest import command
from sampling_eval import (
    avg_at_n,
    compare,
    cons_at_k,
    count,
    Counts,
    counts_of,
    g_pass_at_k,
    merge,
    merge_counts,
    mg_pass_at_k,
    pass_at_k,
    pass_at_k_plugin,
    pass_hat_k,
    pass_hat_k_plugin,
    score,
    votes_of,
)
from sampling_eval.foundations.answers import rewards_of
from sampling_eval.foundations.counts import (
    check_counts,
    distinct,
    distinct_states,
    histogram,
    per_question,
    Values,
)


def full(turn=1, **changes):
    "Counts with every field, over questions a, b, c or c, b, a."
    answers = [["x", "y", "x", None], ["u", "v"], ["w", "w", "w"]][::turn]
    right = [[1, 0, 1, 0], [0, 0], [1, 1, 1]][::turn]
    names = ["a", "b", "c"][::turn]
    scores = [[0.5, 0.25, 0.75, 0], [0.1, 0.2], [1, 1, 1]][::turn]
    given = dict(
        missing=[0, 2, 1][::turn],
        score_sum=[sum(row) for row in scores],
        cluster=["east", "west", "east"][::turn],
        votes=votes_of(answers, right, no_answer="abstain", questions=names),
        rewards=rewards_of(scores, right, names),
        sums=dict(cost=np.arange(6).reshape(3, 2)[::turn]),
    )
    return Counts([4, 2, 3][::turn], [2, 0, 3][::turn], names, **given | changes)


# from outcomes


@pytest.mark.parametrize(
    "width",
    [1, 2, 7, 8, 9, 16, 24, 32, 40, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 320, 1000],
)
@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int64, np.uint64, float, object])
def test_a_table_is_counted_as_it_adds_up(width, kind):
    table = np.random.default_rng(width).random((13, width)) < 0.6
    table[0], table[1] = True, False
    want = [sum(row) for row in table.tolist()]
    for form in table, np.asfortranarray(table), table[::-1][::-1], np.repeat(table, 2, 1)[:, ::2]:
        counts = counts_of(form.astype(kind))
        assert counts.c.tolist() == want and counts.n.tolist() == [width] * 13
        assert counts.c.dtype == counts.n.dtype == np.int64


def test_rows_of_unequal_length():
    assert counts_of([[1, 0, 0], [1], [0.0, 1.0]]) == Counts([3, 1, 2], [1, 1, 1])
    assert counts_of(np.array([[1, 0], [1]], object)) == Counts([2, 1], [1, 1])
    assert counts_of([[1], [0]], questions=["a", "b"]) == Counts([1, 1], [1, 0], ["a", "b"])


@pytest.mark.parametrize(
    "table, error, words",
    [
        (
            np.array([[0, 2], [1, 1]]),
            ValueError,
            r"got 2 at question 0 \(1 of 4 fail\); pass graded outcomes as score",
        ),
        (np.array([[0, 1], [-1, 1]]), ValueError, "got -1 at question 1"),
        (np.array([[0, 1], [-(2**63), 1]]), ValueError, "at question 1"),
        (np.array([[0, 100]], np.uint8), ValueError, "are these percentages"),
        (np.array([[2**64 - 1, 1]], np.uint64), ValueError, "got 18446744073709551615"),
        (np.array([[0, 0.5], [1, 1]]), ValueError, "got 0.5 at question 0"),
        (np.array([[0, np.nan], [1, 1]]), ValueError, "got nan at question 0"),
        ([[0, 0.5]], ValueError, "got 0.5"),
        ([[True, 2]], TypeError, "only bool or only 0/1, got True and 2"),
        (np.array([[True, 2]], object), TypeError, "got True and 2"),
        ([[True], [1, 3]], TypeError, "got True and 1"),
        ([[1, "1"]], TypeError, "got '1'"),
        (np.array([["1", "0"]]), TypeError, "compare text"),
        ([["yes", "no"]], TypeError, "compare text"),
        ([[True, Fraction(1, 2)]], TypeError, "must hold 0/1 or bool"),
        ([[True, None]], TypeError, "got None"),
        ([[1, 1j]], TypeError, "must hold 0/1 or bool"),
        (np.array([["2026-01-01"]], "M8[D]"), TypeError, "must hold 0/1 or bool"),
        (np.array([[1, 0]], "m8[s]"), TypeError, "must hold 0/1 or bool"),
        ([[datetime(2026, 1, 1)]], TypeError, "must hold 0/1 or bool"),
        (np.ma.array([[1, 0]], mask=[[0, 1]]), TypeError, "a masked array"),
        (np.ma.array([[1, 0]]), TypeError, "masked"),
        ([np.ma.array([1, 0], mask=[0, 1]), [1]], TypeError, "a masked row"),
        (
            np.zeros((2, 0), bool),
            ValueError,
            r"every question needs a sample, got none at question 0 \(2 of 2 fail\)",
        ),
        (np.zeros((0, 2), bool), ValueError, "at least one question"),
        (np.zeros((2, 2, 2), bool), ValueError, "questions by samples"),
        ("0101", ValueError, "one row per question"),
        ({"a": [1, 0]}, ValueError, "one row per question"),
    ],
)
def test_what_is_no_outcome(table, error, words):
    with pytest.raises(error, match=words):
        counts_of(table)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_is_not_read_as_rows(library):
    frame = pytest.importorskip(library).DataFrame(dict(a=[1, 0, 1], b=[0, 0, 1]))
    with pytest.raises(
        TypeError, match=r"got a DataFrame, .* score\(frame\) .* frame.to_numpy\(\)"
    ):
        counts_of(frame)
    assert counts_of(frame.to_numpy()) == Counts([2, 2, 2], [1, 0, 2])
    if library == "polars":
        with pytest.raises(TypeError, match="got a LazyFrame"):
            counts_of(frame.lazy())


def test_counting_imports_no_masked_arrays():
    # numpy before 2 imports them itself.
    code = (
        "import sys, numpy as np; sys.modules.pop('numpy.ma', None);from"
        " sampling_eval.foundations.counts import Counts, counts_of, per_question;a ="
        " counts_of(np.eye(64, dtype=bool)); counts_of([[1, 0], [1]]); a.states; a == a +"
        " a;per_question(lambda n, c, k: c / n + 0 * k, [5, 900_000], [1, 7], [3, 1]);"
        " print('numpy.ma' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr


# states


def test_states_are_the_distinct_pairs():
    rng = np.random.default_rng(0)
    for most in 3, 40, 2**30:
        n = rng.integers(1, most, 500)
        counts = Counts(n, rng.integers(0, n + 1))
        states = counts.states
        assert (states.n[states.state] == counts.n).all() and (
            states.c[states.state] == counts.c
        ).all()
        pairs = list(zip(states.n.tolist(), states.c.tolist()))
        assert pairs == sorted(set(zip(counts.n.tolist(), counts.c.tolist())))
        assert states.times.tolist() == np.bincount(states.state).tolist() and len(states) == len(
            pairs
        )
        assert counts.states is states
        assert [o.tolist() for o in histogram(counts)] == [
            states.n.tolist(),
            states.c.tolist(),
            states.times.tolist(),
        ]


def test_states_of_scores_are_refused():
    with pytest.raises(TypeError, match="states need outcomes"):
        Counts([2], None, score_sum=[1.0]).states


@pytest.mark.parametrize(
    "numbers", [[5], [3, 1, 3], [0, 10**12, 7, 10**12], list(range(9)), [-4, 2, -4]]
)
def test_distinct_numbers(numbers):
    values, place = distinct(np.array(numbers))
    assert values.tolist() == sorted(set(numbers)) and values[place].tolist() == numbers


def test_budgets_in_any_order():
    def formula(n, c, k):
        assert (np.diff(k) > 0).all()
        return c / n + 1000 * k

    n, c = np.array([[9, 8], [9, 9]]), np.array([[3, 8], [3, 0]])
    for k in 1, [1], [2, 5], [5, 2, 5, 1], [3, 3]:
        got = per_question(formula, n, c, k)
        np.testing.assert_array_equal(
            got, (c / n)[(...,) + (None,) * np.ndim(k)] + 1000 * np.array(k)
        )


def test_values_of_questions():
    values = Values(np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([1, 0, 1]), np.array([1, 2]))
    assert values.of_questions().tolist() == [[0.3, 0.4], [0.1, 0.2], [0.3, 0.4]]


def test_distinct_states_keep_the_shape():
    n, c, state = distinct_states(np.full((2, 2), 4), np.array([[0, 3], [3, 4]]))
    assert (n.tolist(), c.tolist(), state.tolist()) == ([4] * 3, [0, 3, 4], [[0, 1], [1, 2]])


# equality, copies


def test_equal_counts():
    assert full() == full() and full() != full(-1) and full() != "counts"
    assert Counts([1], [1]) == Counts(np.array([1]), [1], [0], [0]) != Counts([1], None)
    nan = rewards_of([[np.nan, 1], [0, 0], [1, 1]])
    assert (
        full(rewards=nan)
        == full(rewards=rewards_of([[np.nan, 1], [0, 0], [1, 1]]))
        != full(rewards=rewards_of([[0, 1], [0, 0], [1, 1]]))
    )


@pytest.mark.parametrize(
    "changes",
    [
        dict(missing=[0, 2, 2]),
        dict(score_sum=None),
        dict(score_sum=[1.5, 0.3, 3.1]),
        dict(cluster=["east"] * 3),
        dict(cluster=None),
        dict(votes=None),
        dict(votes=votes_of([["x"] * 4, ["u", "v"], ["w"] * 3], [[1] * 4, [0, 0], [1] * 3])),
        dict(rewards=None),
        dict(rewards=rewards_of([[0] * 4, [0] * 2, [0] * 3])),
        dict(sums={}),
        dict(sums=dict(cost=np.ones((3, 2)))),
        dict(sums=dict(tokens=np.arange(6).reshape(3, 2))),
    ],
)
def test_one_field_makes_counts_unequal(changes):
    assert full() != full(**changes)


def test_counts_have_no_hash():
    for thing in full(), full().votes, full().rewards:
        with pytest.raises(TypeError, match="unhashable"):
            hash(thing)


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, replace, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_counts_survive_copies(again):
    counts = full()
    for _ in range(2):
        assert again(counts) == counts
        assert again(counts).states.times.tolist() == counts.states.times.tolist()
    assert again(counts.votes) == counts.votes and again(counts.rewards) == counts.rewards


def test_fields_that_do_not_fit():
    for name in "missing", "score_sum", "cluster":
        with pytest.raises(
            ValueError, match=rf"{name} must hold one value per question \(3\), got 2"
        ):
            full(**{name: [1, 2]})
    with pytest.raises(ValueError, match="votes must hold one value per question"):
        full(votes=votes_of([["x"]], [[1]]))
    with pytest.raises(ValueError, match="rewards must hold one value per question"):
        full(rewards=rewards_of([[1]]))
    with pytest.raises(
        ValueError, match=r"sums of 'cost' must hold two numbers .* got shape \(3,\)"
    ):
        full(sums=dict(cost=[1, 2, 3]))
    with pytest.raises(ValueError, match="each question must appear once, got 'b' 2 times"):
        Counts([1] * 4, [1] * 4, list("abcb"))
    with pytest.raises(ValueError, match="each question must appear once, got 3 2 times"):
        Counts([1] * 2, [1] * 2, [3, 3])


# adding runs


def test_nothing_is_lost_when_runs_are_added():
    both = full() + full(-1)
    assert (
        both.questions.tolist() == ["a", "b", "c"]
        and both.n.tolist() == [8, 4, 6]
        and both.c.tolist() == [4, 0, 6]
    )
    assert both.missing.tolist() == [0, 4, 2] and both.cluster.tolist() == ["east", "west", "east"]
    np.testing.assert_allclose(both.score_sum, [3, 0.6, 6])
    assert both.sums["cost"].tolist() == [[0, 2], [4, 6], [8, 10]] and list(both.sums) == ["cost"]
    assert both.votes.n.tolist() == [8, 4, 6] and both.votes.c.tolist() == [4, 0, 6]
    assert dict(zip(both.votes.answer.tolist(), both.votes.votes.tolist())) == dict(
        x=4, y=2, u=2, v=2, w=6
    )
    assert both.rewards.n.tolist() == [8, 4, 6] and both.votes.questions.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(np.bincount(both.rewards.question, both.rewards.score), [3, 0.6, 6])


def test_runs_add_in_any_grouping():
    a, b, c = full(), full(-1), full()
    assert (a + b) + c == merge_counts(a, b, c) and merge_counts(a) == a
    unnamed = Counts([1], [1], ["a"], votes=votes_of([["x"]], [[1]]))
    assert (unnamed + unnamed).votes.questions.tolist() == ["a"]
    with pytest.raises(ValueError, match="at least one run"):
        merge_counts()


@pytest.mark.parametrize(
    "changes, name",
    [
        (dict(score_sum=None), "score_sum"),
        (dict(cluster=None), "cluster"),
        (dict(votes=None), "votes"),
        (dict(rewards=None), "rewards"),
        (dict(sums={}), "sums of 'cost'"),
        (dict(sums=dict(cost=np.ones((3, 2)), tokens=np.ones((3, 2)))), "sums of 'tokens'"),
    ],
)
def test_what_one_run_lacks_is_named(changes, name):
    for pair in (full(), full(**changes)), (full(**changes), full()):
        with pytest.raises(
            ValueError, match=f"runs must hold the same fields, got {name} in 1 of 2; .* replace"
        ):
            merge_counts(*pair)
    assert full(**changes) + full(**changes)


def test_runs_that_disagree():
    other = full(cluster=["east", "north", "north"])
    with pytest.raises(
        ValueError,
        match=r"the cluster of a question, got 'west' and 'north' at question 'b' \(2 of 3 fail\)",
    ):
        full() + other
    with pytest.raises(ValueError, match="got c in 1 of 2"):
        Counts([2], [1], score_sum=[1.0]) + Counts([2], None, score_sum=[1.0])
    with pytest.raises(ValueError, match="an answer must be right or wrong throughout"):
        Counts([1], [1], votes=votes_of([["x"]], [[1]])) + Counts(
            [1], [0], votes=votes_of([["x"]], [[0]])
        )
    with pytest.raises(ValueError, match=r"only in the first \['b'\], only in another \['x'\]"):
        Counts([4, 4], [1, 3], ["a", "b"]) + Counts([4, 4], [1, 3], ["a", "x"])


@pytest.mark.parametrize(
    "deep, got",
    [
        (np.zeros((2, 3, 4), int), r"shape \(2, 3, 4\)"),
        ([np.zeros((3, 4), int)] * 2, r"shape \(2, 3, 4\)"),
        ([[[0, 1], [1, 1]]] * 3, r"shape \(3, 2, 2\)"),
        ([np.zeros((3, 4), int), np.zeros((2, 4), int)], "2 tables"),
    ],
)
def test_one_dimension_too_many(deep, got):
    for call in counts_of, score, compare:
        with pytest.raises(
            ValueError,
            match=rf"questions by samples, got {got}; if the first is of systems, type x\[0\]",
        ):
            call(deep)


@pytest.mark.parametrize(
    "pair",
    [
        ([4, 4, 4], [0, 3, 4]),
        [[4, 2], [0, 2]],
        np.array([[8, 8], [1, 8]]),
        (np.array([4, 4]), np.array([1, 2])),
    ],
)
def test_n_and_c_are_named(pair):
    for call in counts_of, score:
        with pytest.raises(
            ValueError, match=r"looks like n and c of \d questions; type Counts\(n, c\)"
        ):
            call(pair)


@pytest.mark.parametrize(
    "rows",
    [
        [[4, 4], [0, 5]],
        [[1, 1], [0, 2]],
        [[0, 4], [0, 1]],
        [[4, 4], [-1, 2]],
        [[0.5, 4], [0, 1]],
        [[4], [1, 2]],
    ],
)
def test_other_numbers_than_n_and_c(rows):
    with pytest.raises(ValueError, match="correct must be 0 or 1"):
        counts_of(rows)


@pytest.mark.parametrize(
    "function, more, typed",
    [
        (pass_at_k, [4], "counts.n, counts.c, k"),
        (pass_at_k_plugin, [4], "counts.n, counts.c, k"),
        (pass_hat_k, [4], "counts.n, counts.c, k"),
        (pass_hat_k_plugin, [4], "counts.n, counts.c, k"),
        (cons_at_k, [2], "counts.n, counts.c, k"),
        (avg_at_n, [], "counts.n, counts.c"),
        (mg_pass_at_k, [2], "counts.n, counts.c, k"),
        (g_pass_at_k, [2], "counts.n, counts.c, k"),
    ],
)
def test_outcomes_in_place_of_counts(function, more, typed):
    outcomes = np.array([[0, 1, 1, 0], [1, 1, 1, 1]])
    for one in outcomes, outcomes.tolist():
        with pytest.raises(
            TypeError,
            match=re.escape(f"counts = counts_of(outcomes), then {function.__name__}({typed}"),
        ):
            function(one, *more)
    with pytest.raises(TypeError, match="missing .* required"):
        function(4)
    counts = counts_of(outcomes)
    if more:
        assert function(counts.n, counts.c, 2, *[0.5] * (function is g_pass_at_k)).shape == (2,)
    assert pickle.loads(pickle.dumps(function)) is function


def test_numbers_beyond_64_bits():
    with pytest.raises(TypeError, match="n must hold integers, got a number beyond 64 bits"):
        pass_at_k(10**5000, 1, 1)
    with pytest.raises(TypeError, match="k must hold integers, got a number beyond 64 bits"):
        score([[0, 1]], k=10**5000)


# `count` and `merge`: a table counted once, and runs added.

FIRST = dict(question=[1, 1, 2], sample=[0, 1, 0], correct=[1, 0, 1])
SECOND = dict(question=[1, 2, 2], sample=[2, 1, 2], correct=[1, 0, 0])


def numbers(data):
    return score(data, "pass@k", missing="wrong").estimates()


def test_counts_stand_for_the_data(tmp_path):
    path = tmp_path / "counts.parquet"
    rows = count(FIRST, path)
    assert len(rows) == 3 and numbers(rows) == numbers(str(path)) == numbers(FIRST)


def test_counted_rows_are_written_as_they_are(tmp_path):
    rows = count(FIRST)
    assert count(rows, tmp_path / "a.parquet") is rows and numbers(
        str(tmp_path / "a.parquet")
    ) == numbers(FIRST)


def test_two_runs_are_added(tmp_path):
    path = tmp_path / "both.parquet"
    both = merge(FIRST, SECOND, path=path)
    assert len(both) == 6 and score(both, "avg@n").questions["n"].tolist() == [3, 3]
    assert (
        score(str(path), "pass@1").estimates() == score(both, "pass@1").estimates() == {
            "pass@1": 0.5
        }
    )


def test_a_sample_is_never_counted_twice():
    with pytest.raises(ValueError, match="each sample must appear once"):
        merge(FIRST, FIRST)
    assert len(merge(FIRST, FIRST, separate=True)) == 6


def test_questions_must_agree_unless_it_is_said():
    other = dict(question=[3], sample=[0], correct=[1])
    with pytest.raises(ValueError, match="runs must cover the same questions"):
        merge(FIRST, other)
    assert score(merge(FIRST, other, union=True), "avg@n").questions["n"].tolist() == [2, 1, 1]


def test_options_of_reading_are_for_data_that_are_not_counted(tmp_path):
    named = dict(q=[1, 1, 2], correct=[1, 0, 1], score=[0.2, 0.9, 0.9])
    rows = count(named, question="q", correct=False, threshold=0.5, ignore=["correct"])
    assert score(rows, "pass@1").estimates() == {"pass@1": 0.75}
    with pytest.raises((TypeError, ValueError)):
        count(rows, threshold=0.5)
    assert count(rows, path=None) is rows and list(tmp_path.iterdir()) == []


def test_runs_are_merged_as_asked(tmp_path):
    both = merge(FIRST, SECOND, path=tmp_path / "both.parquet")
    assert (tmp_path / "both.parquet").exists() and merge(
        FIRST, SECOND
    ).questions.tolist() == both.questions.tolist()
    assert len(merge(count(FIRST), count(SECOND))) == 6


# Graded or right and wrong is decided over all inputs.

GRADED = [
    dict(question=[1, 1, 2, 2], sample=[0, 1, 0, 1], score=[0.0, 1.0, 1.0, 0.0]),
    dict(question=[1, 1, 2, 2], sample=[2, 3, 2, 3], score=[0.0, 0.5, 1.0, 0.0]),
]


def write_table(path, columns):
    path.write_text(
        "\n".join([",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values()))])
        + "\n"
    )
    return str(path)


def write_halves(folder):
    return [write_table(folder / f"{i}.csv", half) for i, half in enumerate(GRADED)]


def test_a_graded_half_of_0_and_1_is_graded(tmp_path):
    paths = write_halves(tmp_path)
    counted = [str(tmp_path / f"{i}.parquet") for i in range(2)]
    for path, half in zip(counted, GRADED):
        count(half, path)
    for halves in (
        GRADED,
        GRADED[::-1],
        paths,
        counted,
        [count(half) for half in GRADED],
        [paths[0], counted[1]],
        map(pd.DataFrame, GRADED),
    ):
        both = merge(*halves)
        assert both.correct is None and "all 0 or 1" not in both.source
        assert score(both, "soft@n").estimates() == {"soft@4": 3.5 / 8}
    assert command("merge", *counted, "-o", str(tmp_path / "both.parquet")).returncode == 0
    assert score(str(tmp_path / "both.parquet"), "soft@n").estimates() == {"soft@4": 3.5 / 8}


def test_halves_of_0_and_1_stay_right_and_wrong_until_a_score_decides(tmp_path):
    more = dict(GRADED[0], sample=[4, 5, 4, 5], score=[1.0, 1.0, 1.0, 0.0])
    both = merge(GRADED[0], more)
    assert score(both, "pass@1").estimates() == {"pass@1": 5 / 8}
    count(both, tmp_path / "both.parquet")
    for kept in both, str(tmp_path / "both.parquet"):
        assert score(merge(kept, GRADED[1]), "soft@n").estimates() == {
            "soft@6": pytest.approx(6.5 / 12)
        }


def test_outcomes_beside_scores_are_not_given_up():
    judged = dict(GRADED[0], correct=[0, 1, 1, 0])
    with pytest.raises(ValueError, match="all runs or none must have correct, got 1 of 2"):
        merge(judged, GRADED[1])


# Counts that are added.


def draw_counts(model, sample, path=None):
    return count(
        dict(question=[1, 1, 2, 2], sample=sample, correct=[1, 0, 1, 1], model=[model] * 4), path
    )


@pytest.mark.parametrize(
    "ids",
    [
        ([0, 1, 0, 1], [1, 2, 2, 3]),
        ([700, 701, 700, 701], [701, 702, 702, 703]),
        (["a", "b", "a", "b"], ["b", "c", "c", "d"]),
    ],
)
def test_counts_know_their_model_and_their_samples(ids, tmp_path):
    one, other = ids
    a, b = draw_counts("m", one).counts(), draw_counts("m", other).counts()
    for pair in (a, b), (b, a), (a, a):
        with pytest.raises(
            ValueError, match="each sample must appear once, got [14] of [74] compared sample ids"
        ):
            pair[0] + pair[1]
    with pytest.raises(
        ValueError, match="counts of one system are added, got those of 'm' and 'other'"
    ):
        a + draw_counts("other", other).counts()
    rest = draw_counts(
        "m",
        (
            [value if isinstance(value, str) else value + 50 for value in other[::-1]]
            if other[0] != "b"
            else [*"xyzw"]
        ),
    )
    whole = a + rest.counts()
    assert whole.n.tolist() == [4, 4] and whole.model == "m"
    with pytest.raises(ValueError, match="each sample must appear once"):
        whole + a
    draw_counts("m", one, tmp_path / "a.parquet")
    kept = count(str(tmp_path / "a.parquet")).counts()
    with pytest.raises(ValueError, match="each sample must appear once"):
        kept + a
    assert kept == a


# Boundaries of counts and budgets.


@pytest.mark.parametrize(
    "given, said",
    [
        (([3, 0], 0), "need 1 <= n < 2**31, got n=0 at question 1 (1 of 2 fail)"),
        (([2**31, 1], 0), "need 1 <= n < 2**31, got n=2147483648 at question 0 (1 of 2 fail)"),
        (([3, 3], [3, 4]), "need 0 <= c <= n, got n=3, c=4 at question 1 (1 of 2 fail)"),
        (([3, 3], [0, -1]), "need 0 <= c <= n, got n=3, c=-1 at question 1 (1 of 2 fail)"),
        ((3, 1, 0), "need k >= 1, got k=0"),
        (([3, 5], 1, [1, 4]), "need 1 <= k <= n, got n=3, c=1, k=4 at question 0 (1 of 2 fail)"),
        ((3, 1, True), "k must be an int, got True"),
        ((3, 1, [[1]]), "k must be an int or a 1-D array, got shape (1, 1)"),
        (([3, 3], [1, 1, 1]), "n and c must broadcast together, got shapes (2,) and (3,)"),
    ],
    ids=str,
)
def test_counts_refused_at_their_boundaries(given, said):
    with pytest.raises((ValueError, TypeError)) as refused:
        check_counts(*given)
    assert str(refused.value) == said


def test_counts_up_to_their_boundaries():
    n, c, k = check_counts([2**31 - 1, 1], [2**31 - 1, 0], 1)
    assert n.tolist() == c.tolist()[:1] + [1] and k == 1
    assert check_counts(3, 1, 9, within=False)[2] == 9 and check_counts(3, 3, 3)[2] == 3


@pytest.mark.parametrize("low", [-5, 0, 7, 10**6])
@pytest.mark.parametrize("reach", [1, 3, 1024 + 4 * 4, 1024 + 4 * 4 + 1, 10**9])
def test_distinct_numbers_near_and_far(low, reach):
    numbers = np.array([low + reach, low, low + 1, low + reach])
    values, place = distinct(numbers)
    assert values.tolist() == sorted(set(numbers.tolist()))
    assert values[place].tolist() == numbers.tolist()


def test_a_formula_is_evaluated_in_blocks(monkeypatch):
    sizes = []

    def formula(n, c, k):
        sizes.append(len(n))
        return c / n + 0 * k

    n, k = np.full(9, 20), np.array([2**20 - 1])
    found = per_question(formula, n, np.arange(9), k, within=False)
    assert sizes == [4, 4, 1] and found[:, 0].tolist() == [c / 20 for c in range(9)]


def test_arrays_of_counts_cannot_be_changed():
    found = Counts([3, 4], [1, 2], missing=[0, 1])
    for held in found.n, found.c, found.missing:
        with pytest.raises(ValueError, match="read-only"):
            held[0] = 2
    assert repr(found) == "Counts(2 questions, n=3..4, correct 3 of 7, missing=1)"
    assert repr(Counts([3], [1])) == "Counts(1 questions, n=3, correct 1 of 3)"


def test_runs_that_do_not_fit_are_named():
    def run(names, cluster=None):
        return Counts([1] * len(names), [1] * len(names), list(names), cluster=cluster)

    said = "got only in the first ['a', 'b', 'c'], only in another ['x', 'y']"
    with pytest.raises(ValueError, match=re.escape(said)):
        run("udbac") + run("yux")
    said = (
        "runs must agree on the cluster of a question, got 'west' and 'north' at question 'b' "
        "(1 of 3 fail)"
    )
    with pytest.raises(ValueError, match=re.escape(said)):
        run("abc", ["east", "west", "east"]) + run("cba", ["east", "north", "east"])
    both = run("abc", ["east", "west", "north"]) + run("cab", ["north", "east", "west"])
    assert both.cluster.tolist() == ["east", "west", "north"]


def test_counts_of_one_question_each():
    with pytest.raises(ValueError, match=r"counts must be one per question, got shape \(1, 2\)"):
        Counts([[1, 2]], [[1, 2]])


def test_sample_ids_of_runs_that_are_added():
    one, other = (Counts([1], [1], ["a"], samples=np.array([name])) for name in (5, 7))
    assert (one + other).samples.tolist() == [5, 7]
    assert (one + Counts([1], [1], ["a"])).samples is None
    with pytest.raises(ValueError, match="got 1 of 1 compared sample ids in two runs"):
        one + one


def test_the_question_that_breaks_a_rule():
    with pytest.raises(ValueError, match=r"got n=0 at question 1 \(1 of 2 fail\)"):
        check_counts([100, 0], [0, 0])
    with pytest.raises(ValueError, match=r"got n=3, c=0, k=4 at question 1 \(1 of 2 fail\)"):
        check_counts([4, 3], [0, 0], [1, 4])
    with pytest.raises(ValueError, match=r"got n=2, c=3 at question 1 \(1 of 3 fail\)"):
        check_counts([2, 2, 2], [2, 3, 0])
