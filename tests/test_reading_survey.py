"What stands in the columns of a table, and which part each could play."
import numpy as np
import pytest

from sampling_eval.io.tables import open_sources
from sampling_eval.io.column_candidates import (Seen, are_whole, guess_parts, hold_outcomes,
                                                is_absent, is_number, list_values, shorten,
                                                suggest_parts, survey_sources, tell_kind)
from sampling_eval.io.tabular import Source


@pytest.mark.parametrize("values, kind", [
    ([], "nothing"), ([True, False], "flags"), ([True, 1], "mixed"), ([True, "a"], "mixed"),
    ([1, 2.], "whole numbers"), (["1", "20"], "whole numbers"), ([2.**60, 1], "whole numbers"),
    ([1, .5], "numbers"), (["1", "0.5"], "numbers"), ([1, "a"], "mixed"), (["a", "b"], "text"),
    (["1", "inf"], "text"), ([float("inf")], "mixed"), ([[1], [2]], "lists"), (["a", (1,)], "lists"),
    ([{}, "a"], "lists"), ([np.array([1])], "lists"), ([None, 1], "mixed")])
def test_kinds_of_values(values, kind): assert tell_kind(values) == kind


def test_numbers():
    assert [bool(is_number(value)) for value in (1, .5, "2", "x", True, [1], (1,), None, "nan", float("inf"))] == [
        True, True, True, False, False, False, False, False, False, False]
    assert is_number(np.array([1])) is is_number("x") is False and is_number(np.float32(1))
    assert are_whole([1, 2., "3"]) and not are_whole([1, .5]) and not are_whole([1000.5]) and are_whole([2.**70])
    assert is_absent(None) and is_absent(float("nan")) and not is_absent(0) and not is_absent("")


@pytest.mark.parametrize("values, parts", [
    (["yes", "no"], ("correct",)), (["Yes ", "no", "no"], ("correct",)), ([1, 0], ("correct",)),
    (["1.0", "0.0"], ("correct",)), (["true", "FALSE"], ("correct",)), ([True, False], ("correct",)),
    (["c", "i"], ("correct",)), (["right", "wrong"], ("correct",)), (["passed", "failed"], ("correct",)),
    (["pass", "fail"], ("correct",)), (["correct", "incorrect"], ("correct",)),
    (["yes", "fail"], ()), (["yes", "yes"], ()), (["yes", "no", "maybe"], ()), ([True, True], ()),
    ([.5, .25], ("score",)), ([.5], ("score",)), ([.5, .5], ("score",)),
    (["a", "b"] * 2, ("question",)), (["a", "b", "a"], ()), (["a", "a"], ()), ([7, 8] * 2, ("question",)),
    ([7, 8, 7], ()), ([[1], [2], [1], [2]], ()), ([], ())])
def test_parts_that_values_allow(values, parts):
    different = list({repr(value): value for value in values}.values())
    assert guess_parts(values, different) == parts


def test_outcomes_are_two_words_of_one_pair():
    assert hold_outcomes(["yes", "NO "]) and hold_outcomes(["1", "0.0"]) and hold_outcomes(["true", "0"])
    assert not hold_outcomes(["yes"]) and not hold_outcomes(["yes", "Yes"]) and not hold_outcomes(["yes", "fail"])
    assert not hold_outcomes(["0", "1", "true"])


def test_examples_are_short():
    assert shorten("a" * 12) == "a" * 12 and shorten("a" * 13) == "a" * 9 + "..." and shorten(" a\n  b ") == "a b"


COLUMNS = dict(item=["a", "a", "b", "b"], model=["m"] * 4, right=["yes", "no", "no", None],
               grade=[.5, .25, float("nan"), 1.], said=["a long text indeed", "x", "x", "y"],
               empty=[None] * 4, id=[1, 1, 2, 2], runs=[[1], [1, 0], [0], [1]])


def test_what_is_seen_of_columns():
    assert survey_sources(open_sources(COLUMNS)) == [
        Seen("item", "text", 2, ("a", "b"), ("question",)),
        Seen("model", "text", 1, ("m",), ("model",)),
        Seen("right", "text", 2, ("yes", "no"), ("correct",)),
        Seen("grade", "numbers", 3, ("0.5", "0.25"), ("score",)),
        Seen("said", "text", 3, ("a long te...", "x"), ()),
        Seen("empty", "nothing", 0, (), ()),
        Seen("id", "whole numbers", 2, ("1", "2"), ("question",)),
        Seen("runs", "lists", 3, ("[1]", "[1, 0]"), ())]


def test_values_of_several_sources_where_one_lacks_the_column():
    sources = [*open_sources(dict(id=[1, 2], x=[5, None])), *open_sources(dict(id=[3]))]
    assert list_values("x", sources) == [5] and list_values("id", sources) == [1, 2, 3]
    assert [(seen.column, seen.different) for seen in survey_sources(sources)] == [("id", 3), ("x", 1)]


def test_a_column_that_an_engine_would_count_is_told_by_its_name():
    read, = open_sources(dict(id=[1, 1]))
    counted = Source(["id", "x", "Group ID"], read.take, verb="counted")
    want = [Seen("id", parts=("question",)), Seen("x"), Seen("Group ID", parts=("cluster",))]
    assert survey_sources([counted]) == survey_sources([counted, counted]) == want
    assert survey_sources([read, counted]) == want


@pytest.mark.parametrize("seen, named, want", [
    ([Seen("id", parts=("question",)), Seen("ok", parts=("correct",))], {}, dict(correct="ok")),
    ([Seen("item", parts=("question",)), Seen("passed", parts=("correct",))], {}, dict(question="item")),
    # Two columns have a known name: the first of them.
    ([Seen("x", parts=("question",)), Seen("id", parts=("question",)), Seen("qid", parts=("question",))], {},
     dict(question="id")),
    ([Seen("x", parts=("question", "correct"))], {}, dict(question="x")),
    ([Seen("x", parts=("question", "correct")), Seen("y", parts=("correct",))], {}, dict(question="x", correct="y")),
    ([Seen("x", parts=("question",)), Seen("y", parts=("correct",))], dict(question="x"), dict(correct="y")),
    ([Seen("x", parts=("question",)), Seen("y", parts=("correct",))], dict(correct=False), dict(question="x")),
    ([Seen("x")], {}, {}), ([], {}, {})])
def test_columns_to_try(seen, named, want): assert suggest_parts(seen, named) == want
