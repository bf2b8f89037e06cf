"Which part a column could play: each word of a rule, and each value at its boundary."

from dataclasses import replace

import numpy as np
import pytest

from sampling_eval.reading.column_candidates import (
    Seen,
    cut_example,
    guess_parts,
    hold_outcomes,
    may_name,
    pick_same,
    show_columns,
    suggest_grades,
    suggest_way,
    survey_sources,
    tell_kind,
)
from sampling_eval.reading.objects import columns_source

NAN = float("nan")


def heads(**columns):
    return {name: np.fromiter(values, object, len(values)) for name, values in columns.items()}


@pytest.mark.parametrize(
    "values, kind",
    [
        ([], "nothing"),
        ([True, False], "flags"),
        ([True, 1], "mixed"),
        ([1, "2", 3.0], "whole numbers"),
        ([1, 2.5], "numbers"),
        ([1, 200.5], "numbers"),
        ([2.0**53 + 2, 1e300], "whole numbers"),
        ([1, float("inf")], "mixed"),
        (["1", "x"], "text"),
        (["x", [1]], "lists"),
        ([{}, 1], "lists"),
        (["x", 1], "mixed"),
    ],
    ids=str,
)
def test_words_for_values(values, kind):
    assert tell_kind(values) == kind


@pytest.mark.parametrize(
    "text, cut",
    [("a" * 12, "a" * 12), ("a" * 13, "a" * 9 + "..."), (" a\n b ", "a b")],
    ids="fits long lines".split(),
)
def test_examples_are_short(text, cut):
    assert cut_example(text) == cut


@pytest.mark.parametrize(
    "values, outcomes",
    [
        ([0, 1], True),
        ([1.0, "0"], True),
        (["True", False], True),
        ([" Yes", "no"], True),
        (["C", "I"], True),
        ([0], False),
        ([0, 1, 2], False),
        (["yes", "fail"], False),
        (["1", "true"], True),
    ],
    ids=str,
)
def test_two_words_for_right_and_wrong(values, outcomes):
    assert hold_outcomes(values) is outcomes


@pytest.mark.parametrize(
    "values, parts",
    [
        ([0, 1, 1], ("correct",)),
        ([0, 0, 0], ()),
        ([0.5, 0.5], ("score",)),
        (["a", "b", "a", "b"], ("question",)),
        (["a", "b", "a"], ()),
        (["a", "a"], ()),
        ([[1], [2]], ()),
    ],
    ids=str,
)
def test_parts_that_values_allow(values, parts):
    different = list({repr(value): value for value in values}.values())
    assert guess_parts(values, different) == parts


@pytest.mark.parametrize(
    "values, names",
    [
        (["a", "b"], True),
        ([1, 2], True),
        (["1.0", "2"], True),
        (["1.5", "2"], False),
        (["1.5", "x"], True),
        (["200.5", "2"], False),
        (["a", "a"], False),
        (["a", ""], False),
        ([True, False], False),
        (["a", None], False),
        ([1.0, 2.0], False),
    ],
    ids=str,
)
def test_values_that_may_name_questions(values, names):
    assert may_name(values) is names


def test_columns_that_name_the_same_questions():
    same = dict(name=["aaa", "b", "aaa"], qid=["1", "2", "1"], case=["1", "2", "3"])
    assert pick_same(["name", "qid"], same) == ["qid"]
    assert pick_same(["name", "case"], same) == [] == pick_same(["case", "name"], same)


TWICE = ["a", "a", "b", "b"]
FLAGS = [1, 0, 1, 1]


@pytest.mark.parametrize(
    "columns, named, way",
    [
        (dict(task_name=TWICE, ok=FLAGS), {}, dict(question="task_name", correct="ok")),
        (dict(task_name=TWICE, ok=FLAGS), dict(question="x"), dict(correct="ok")),
        (dict(task_name=TWICE, ok=FLAGS), dict(correct="x"), dict(question="task_name")),
        (dict(task_name=TWICE, ok=FLAGS), dict(question=False), {}),
        (dict(task_name=TWICE, ok=FLAGS), dict(other="ok"), {}),
        # Two outcomes that are called so, or none.
        (dict(task_name=TWICE, is_ok=FLAGS, is_right=FLAGS), {}, {}),
        (dict(task_name=TWICE, x=FLAGS), {}, dict(question="task_name", correct="x")),
        (dict(task_name=TWICE, x=FLAGS, y=TWICE), {}, {}),
        (dict(task_name=TWICE, the_outcome=FLAGS, y=TWICE), {}, "the_outcome"),
        (dict(task_name=TWICE, the_outcome=FLAGS, x=FLAGS), {}, {}),
        # Scores.
        (dict(task_name=TWICE, my_score=[0.5, 0.1, 1, 1]), {}, ("score", "my_score")),
        (dict(task_name=TWICE, my_score=[3, 1, 2, 5]), {}, ("score", "my_score")),
        (dict(task_name=TWICE, my_score=TWICE), {}, {}),
        (dict(task_name=TWICE, score_count=[3, 1, 2, 5]), {}, {}),
        (dict(task_name=TWICE, a_score=[3, 1, 2, 5], b_score=[3, 1, 2, 5]), {}, {}),
        # Questions that are counts, groups, constants or numbers of rows.
        (dict(task_count=[1, 1, 2, 2], ok=FLAGS), {}, {}),
        (dict(task_type=TWICE, ok=FLAGS), {}, {}),
        (dict(task_name=["a"] * 4, ok=FLAGS), {}, {}),
        (dict(task_name=TWICE, case_name=["a", "b", "a", "b"], ok=FLAGS), {}, {}),
        (dict(task_name=TWICE, case_name=["x", "x", "y", "y"], ok=FLAGS), {}, "task_name"),
        (dict(task_name=["a"] * 4, rollout_idx=[0, 1, 2, 3], ok=FLAGS), {}, "task_name"),
        # What is unique in every row.
        (dict(word=list("abcd"), ok=FLAGS), {}, "word"),
        (dict(word=list("abcd"), more=list("abcd"), ok=FLAGS), {}, "word"),
        (dict(word=list("abcd"), more=TWICE, ok=FLAGS), {}, {}),
        (dict(task_name=list("abcd"), rollout_idx=[0, 1, 0, 1], ok=FLAGS), {}, {}),
        (dict(word=list("abcd"), rollout_idx=[0, 1, 0, 1], ok=FLAGS), {}, {}),
        # What is known by its name, and two columns of one name.
        (dict(id=TWICE, is_ok=FLAGS), {}, dict(correct="is_ok")),
        (dict(id=TWICE, qid=TWICE, is_ok=FLAGS), {}, {}),
        (dict(task_name=TWICE, correct=FLAGS, x=FLAGS), {}, dict(question="task_name")),
        (dict(task_name=TWICE, score=FLAGS, x=FLAGS), {}, dict(question="task_name")),
        (dict(task_name=TWICE, correct=FLAGS, passed=FLAGS, ok=FLAGS), {}, {}),
        (dict(task_name=TWICE, reward=FLAGS, rating=FLAGS), {}, {}),
        (dict(task_name=TWICE, is_ok=FLAGS, is_right=FLAGS, my_score=[3, 1, 2, 5]), {}, {}),
        # What happened to a sample is no outcome, nor are lists.
        (dict(task_name=TWICE, x=FLAGS, exit=FLAGS), {}, dict(question="task_name", correct="x")),
        (dict(task_name=TWICE, x=FLAGS, y=[[1]] * 4), {}, dict(question="task_name", correct="x")),
        (dict(task_name=TWICE, x=FLAGS, seed=FLAGS), {}, dict(question="task_name", correct="x")),
        (dict(task_name=TWICE, x=FLAGS, pred=FLAGS), {}, dict(question="task_name", correct="x")),
        # Of columns that are unique in every row, those that may name something.
        (dict(n_words=[5, 6, 7, 8], word=list("abcd"), ok=FLAGS), {}, "word"),
        (dict(share=[0.5, 0.1, 0.2, 0.3], word=list("abcd"), ok=FLAGS), {}, "word"),
        (dict(done=["yes", "no"], word=["a", "b"]), {}, dict(question="word", correct="done")),
        (dict(task_name=["a"] * 4, rollout_idx=[0, 0, 1, 1], ok=FLAGS), {}, {}),
        (dict(event_id=list("abcd"), ok=FLAGS), {}, {}),
        (dict(word=list("abcd"), event=list("efgh"), ok=FLAGS), {}, {}),
        (dict(case_id=list("abcd"), ok=FLAGS), {}, dict(question="case_id", correct="ok")),
        (dict(request_id=TWICE, ok=FLAGS), {}, dict(question="request_id", correct="ok")),
        (dict(task_name=TWICE, case_id=list("abcd"), ok=FLAGS), {}, "case_id"),
    ],
)
def test_the_only_way_that_may_be_meant(columns, named, way):
    found = suggest_way(heads(**columns), named)
    if isinstance(way, str):
        assert way in found.values()
    elif isinstance(way, tuple):
        assert found == {"question": "task_name", way[0]: way[1]}
    else:
        assert found == way


@pytest.mark.parametrize(
    "column, values, seen",
    [
        ("id", ["a", "b", "a", "b"], ("text", 2, ("a", "b"), ("question",))),
        ("task", ["a", "b", "a", None], ("text", 2, ("a", "b"), ())),
        ("task", ["a", "b", "a", "b", NAN], ("text", 2, ("a", "b"), ("question",))),
        ("score", [1, 0, 1, 1], ("whole numbers", 2, ("1", "0"), ("score", "correct"))),
        ("x", [0.5, 0.25, 1, 3], ("numbers", 4, ("0.5", "0.25"), ("score",))),
        ("answer", [None] * 4, ("nothing", 0, (), ("answer",))),
    ],
)
def test_what_a_column_holds(column, values, seen):
    (found,) = survey_sources([columns_source({column: values})])
    assert found == Seen(column, *seen)


def test_columns_of_several_tables():
    one = columns_source(dict(id=["a", "a"], ok=[1, 0]))
    two = columns_source(dict(id=["b", "b"], note=["x", "x"]))
    found = {seen.column: seen for seen in survey_sources([one, two])}
    assert list(found) == ["id", "ok", "note"] and found["id"].different == 2
    assert (found["ok"].parts, found["note"].examples) == (("correct",), ("x",))
    counted = replace(two, verb="counted")
    assert survey_sources([one, counted])[0] == Seen("id", parts=("question",))
    assert survey_sources([counted])[1] == Seen("note")


def test_answers_that_can_be_judged():
    three = [dict(grade=rule) for rule in ("exact", "number", "last_line")]
    assert suggest_grades(heads(target=["a"]), dict(answer="x")) == three
    assert suggest_grades(heads(target=["a"]), {}) == []
    both = heads(target=["a"], gold=["a"], my_score=[0.5])
    assert suggest_grades(both, dict(answer="x")) == [dict(score="my_score")]


def test_columns_as_they_are_shown():
    shown = show_columns(heads(task=["fix", "add", "fix", None, "cut"], n=[1.5]))
    assert shown == "'task' (text, 3 different: fix, add), 'n' (numbers, 1 different: 1.5)"
    many = show_columns(heads(**{f"c{i}": [1] for i in range(13)}))
    assert "'c11'" in many and "'c12'" not in many
