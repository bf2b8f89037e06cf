"Objects whose keys are names, the records that an object holds, and fields in cells."

from collections import UserDict

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sampling_eval.reading.columns import Keep
from sampling_eval.reading.objects import (
    columns_source,
    holds_index,
    holds_outcomes,
    holds_values,
    is_series,
    list_fields,
    name_fields,
    reveal_fields,
    rows_of_array,
    rows_of_lists,
    rows_of_object,
    rows_source,
    series_rows,
    spread_index,
    walk,
)
from sampling_eval.reading.records import find_records

NAN = float("nan")


@pytest.mark.parametrize(
    "values, outcomes, numbers",
    [
        ([1, 0, None], True, True),
        ([True, False], True, True),
        ([1.0, NAN], True, True),
        (["C", "I"], True, True),
        ([0.5], False, True),
        ([2, 1], False, True),
        (["x"], False, False),
        ([[1]], False, False),
        ([{}], False, False),
        ([], True, False),
        ("10", False, False),
        ([None], True, True),
    ],
    ids=str,
)
def test_lists_of_outcomes_and_of_numbers(values, outcomes, numbers):
    assert (holds_outcomes(values), holds_values(values)) == (outcomes, numbers)


def test_lists_without_names():
    assert rows_of_lists([(1, 0), np.array([1])]) == [dict(correct=[1, 0]), dict(correct=[1])]
    assert rows_of_lists([[1, 0.5]]) == [dict(score=[1, 0.5])]
    for odd in [], [1], [[1], 1], ["ab"]:
        with pytest.raises(TypeError, match="need a list for each question"):
            rows_of_lists(odd)


def rows(column, *names, part="correct", values=([1, 0], [1, 1])):
    return [
        {column: name, "question": place, part: value}
        for name, listed in zip(names, values)
        for place, value in enumerate(listed)
    ]


@pytest.mark.parametrize(
    "data, keys, want",
    [
        # One list under each key.
        (dict(q1=[1, 0], q2=[1]), None, "questions"),
        ({"a/1": [1, 0], "7": [1]}, None, "questions"),
        (dict(run_1=[1, 0], run_2=[1, 1]), None, rows("sample", "run_1", "run_2")),
        (dict(a=[1, 0], b=[1, 1]), "models", rows("model", "a", "b")),
        (dict(a=[1, 0], b=[1, 1]), "samples", rows("sample", "a", "b")),
        (
            dict(a=[0.5, 0], b=[1, 1]),
            "models",
            rows("model", "a", "b", part="score", values=([0.5, 0], [1, 1])),
        ),
        (dict(a=[1, 0], b=[1, 1]), None, "What are the keys 'a', 'b'? Pass keys='questions', 'mod"),
        (dict(a=[1, 0], b=[1]), None, "Pass keys='questions' or 'models'"),
        (dict(q1=[1], b=[1]), None, "What are the keys"),
        # A table under each key.
        (
            dict(a=[[1, 0], [1]]),
            None,
            [
                dict(model="a", question=0, correct=[1, 0]),
                dict(model="a", question=1, correct=[1]),
            ],
        ),
        (dict(a=[[1]]), "questions", "a table of questions and samples stands under each key"),
        (dict(a=[[1]]), "models", [dict(model="a", question=0, correct=[1])]),
        # What is no such object.
        ({}, None, None),
        (dict(a=[]), None, None),
        (dict(a=[1], b=2), None, None),
        (dict(a=["x"]), None, None),
        (dict(a=[1], b=["x"]), None, None),
        (dict(a=[[1]], b=2), None, None),
        (dict(a=dict(b=[1]), d=dict(b=["x"])), None, None),
        (dict(q1=dict(m=[1]), x=dict(m=[1])), None, "What are the keys 'q1', 'x'"),
        (dict(correct=[1, 0], x=[1, 0]), None, None),
        (dict(run_1=[1], x=[1]), None, None),
        (dict(a=[[1], 1]), None, None),
        (dict(a=[1]), "rows", "keys must be 'questions', 'models' or 'samples', got 'rows'"),
        # An object under each key.
        (
            dict(q1=dict(m=[1, 0]), q2=dict(m=[1])),
            None,
            [
                dict(question="q1", model="m", correct=[1, 0]),
                dict(question="q2", model="m", correct=[1]),
            ],
        ),
        (dict(m=dict(q1=[1, 0])), None, [dict(model="m", question="q1", correct=[1, 0])]),
        (dict(q1=dict(q2=[1])), None, "What are the keys 'q1'"),
        (dict(a=dict(b=[1])), None, "What are the keys 'a'"),
        (dict(a=dict(b=[0.5])), "questions", [dict(question="a", model="b", score=[0.5])]),
        (
            dict(a=dict(run1=1, run2=0)),
            None,
            [
                dict(question="a", sample="run1", correct=1),
                dict(question="a", sample="run2", correct=0),
            ],
        ),
        (dict(a=dict(x=1, run2=0)), None, None),
        (dict(a={}), None, None),
        (dict(a=dict(correct=1)), None, [dict(question="a", correct=1)]),
        (dict(a=dict(score=[1])), "models", [dict(model="a", score=[1])]),
        (dict(a=dict(model=1)), None, None),
        (dict(a=dict(question=1, correct=1)), None, "Pass keys='models' or 'samples'"),
        (
            dict(a=dict(question=1, correct=1)),
            "models",
            [dict(model="a", question=1, correct=1)],
        ),
    ],
    ids=str,
)
def test_objects_whose_keys_are_names(data, keys, want):
    try:
        found = rows_of_object(data, keys)
    except ValueError as error:
        found = str(error)
    if want == "questions":
        want = [dict(question=key, correct=row) for key, row in data.items()]
    if isinstance(want, str):
        assert want in found
    else:
        assert found == want


@pytest.mark.parametrize("data, known", [(dict(a=[1], b=[1]), 3), (dict(a=[1], b=[1, 0]), 2)])
def test_what_keys_may_be_are_fields_of_the_refusal(data, known):
    with pytest.raises(ValueError) as error:
        rows_of_object(data)
    assert error.value.choices == ("questions", "models", "samples")[:known]


# The only object of a file.

SAMPLES = [dict(id=1, correct=1)]


@pytest.mark.parametrize(
    "row, want",
    [
        (dict(columns=["id", "ok"], data=[[1, 2]]), ([dict(id=1, ok=2)], "")),
        (dict(columns=["id"], data=3), ([dict(columns=["id"], data=3)], "")),
        (dict(id=[1, 2], ok=[3, 4]), ([dict(id=1, ok=3), dict(id=2, ok=4)], "")),
        (dict(id=[1, 2], ok=[3]), ([dict(id=[1, 2], ok=[3])], "")),
        (dict(id=[1], ok=[3], x=1), ([dict(id=[1], ok=[3], x=1)], "")),
        # A list of records.
        (dict(a=SAMPLES, x=1), (SAMPLES, "a")),
        (dict(a=dict(b=dict(c=SAMPLES))), (SAMPLES, "a.b.c")),
        (dict(a=dict(b=dict(c=dict(d=SAMPLES)))), None),
        (dict(a=SAMPLES, b=[dict(x=1)]), (SAMPLES, "a")),
        (dict(a=[dict(id=1)], b=[dict(x=1)]), ([dict(id=1)], "a")),
        (dict(a=[dict(x=1)], b=dict(c=[dict(x=1)])), ([dict(x=1)], "a")),
        (dict(a=SAMPLES, b=SAMPLES), "which list of 'f.json' holds the samples?"),
        (dict(a=[dict(role="u", content="x")], x=1), None),
        (dict(a=[*SAMPLES, 3], x=1), None),
        # A sample itself, and a summary.
        (dict(id=1, correct=1, a=[dict(x=1)]), None),
        (dict(id=1, score=1, a=SAMPLES), None),
        (dict(id=1, a=[dict(x=1)]), ([dict(x=1)], "a")),
        (dict(correct=1, a=[dict(x=1)]), None),
        (dict(correct=1, a=[dict(id=1)]), ([dict(id=1)], "a")),
        (dict(mean_score=1, x=2), "'f.json' is a summary: one object with totals, such as 'mean_"),
        (dict(id=1, total=3), None),
        (dict(x=2), None),
    ],
    ids=str,
)
def test_the_records_of_an_object(row, want):
    try:
        found = find_records(row, None, "d/f.json")
    except ValueError as error:
        assert want in str(error)
    else:
        assert found == (([row], "") if want is None else want)


def test_a_summary_among_other_files_is_left_to_them():
    row = dict(mean_score=1, x=2)
    assert find_records(row, None, "f.json", alone=False) == ([row], "")


# Fields of objects in cells.

CELL = {"a": {"b": {"c": 1}, "x.y": 2}, "d": 3, "e": [4]}


@pytest.mark.parametrize(
    "path, value",
    [("a.b.c", 1), ("a.x.y", 2), ("d", 3), ("e", [4]), ("f", None), ("d.f", None), ("a.b.f", None)],
)
def test_a_field_by_its_path(path, value):
    assert walk(CELL, path.split(".")) == value


def test_the_fields_of_a_cell():
    assert list(name_fields(CELL)) == ["a.b.c", "a.x.y", "d"]
    assert list(name_fields(CELL, 2)) == ["a.x.y", "d"] and list(name_fields(3)) == []
    deep = {"a": {"b": {"c": {"d": {"e": {"f": 1, "g": {"h": 2}}}}}}}
    assert list(name_fields(deep)) == ["a.b.c.d.e.f"]


def test_the_fields_of_a_table():
    cells = np.fromiter([dict(a=1), None, dict(b=2)], object, 3)
    found = list_fields(dict(x=cells, y=np.arange(3)))
    assert {name: values.tolist() for name, values in found.items()} == {
        "x.a": [1, None, None],
        "x.b": [None, None, 2],
    }
    wide = np.fromiter([{f"f{i}": i for i in range(201)}], object, 1)
    assert len(list_fields(dict(x=wide))) == 200


def test_fields_are_revealed_where_they_are_named():
    one = columns_source(dict(id=[1, 2], x=[dict(a=dict(b=3)), None]))
    two = columns_source(dict(id=[3], y=[4]))
    plain = reveal_fields([one, two], [("score", "id"), ("sums", "z"), ("ignore", None)])
    assert plain == [one, two]
    wanted = [("score", "x.a.b"), ("sums", "y")]
    first, second = reveal_fields([one, two], wanted)
    assert first.columns == ["id", "x", "x.a.b"] and second.columns == ["id", "y"]
    parts = first.take(dict(question="id", score="x.a.b", answer="x"), Keep()).parts
    assert parts["score"].tolist() == [3, None] and parts["question"].tolist() == [1, 2]
    assert parts["answer"].tolist() == [dict(a=dict(b=3)), None]
    assert first.take(dict(question="id"), Keep()).parts["question"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="sums='x.a.c' is not a column, got 'id', 'x', 'y', 'x.a"):
        reveal_fields([one, two], [("sums", "x.a.c")])
    dotted = columns_source({"id": [1], "x.a": [5], "x": [dict(a=1)]})
    assert reveal_fields([dotted], [("score", "x.a")]) == [dotted]


# Columns, arrays and series.


@pytest.mark.parametrize(
    "columns, kind, said",
    [
        (dict(id="ab"), TypeError, "a list or an array, got 'ab' for 'id'"),
        (dict(id=[1, 2], x=b"ab"), TypeError, "got b'ab' for 'x'"),
        (dict(id=[1], x=dict(a=1)), TypeError, "got {'a': 1} for 'x'"),
        (dict(id=[1], x=3), TypeError, "got 3 for 'x'"),
        (dict(id=[1, 2], x=[1]), ValueError, "columns must have one length, got 'id': 2, 'x': 1"),
    ],
)
def test_columns_that_are_none(columns, kind, said):
    with pytest.raises(kind) as error:
        columns_source(columns)
    assert said in str(error.value)


def test_rows_and_columns_are_tables():
    rows = rows_source([dict(id=1, x=2), dict(id=3, y="a")])
    columns = columns_source(dict(id=(1, 3), x=np.array([2, 5]), y=pd.Series(["b", "a"])))
    assert rows.columns == columns.columns == ["id", "x", "y"]
    assert (rows.what, columns.what) == ("a list of rows", "a dict of columns")
    chosen = dict(question="id", score="x", answer="y")
    found = [source.take(chosen, Keep()) for source in (rows, columns)]
    assert [batch.parts["score"].tolist() for batch in found] == [[2, None], [2, 5]]
    assert [batch.parts["answer"].tolist() for batch in found] == [[None, "a"], ["b", "a"]]
    assert found[0].times.tolist() == [1, 1] and found[0].place("score", 1) == "at row 1"


def objects(*values):
    return np.fromiter(values, object, len(values))


@pytest.mark.parametrize(
    "data, keys, want",
    [
        (np.eye(2, dtype=int), None, [dict(correct=[1, 0]), dict(correct=[0, 1])]),
        (np.array([[0.5, 1]]), None, [dict(score=[0.5, 1])]),
        (objects([1, 0], [1]), None, [dict(correct=[1, 0]), dict(correct=[1])]),
        (objects([1, 0], 1), None, "must hold one row per question, got shape (2,); write x[None]"),
        (np.array([1, 0]), None, "a.npy must hold one row per question, got shape (2,)"),
        (np.ones((1, 1, 2)), None, "got shape (1, 1, 2)"),
        (objects(), None, "got shape (0,)"),
        (dict(q1=np.array([1, 0])), None, [dict(question="q1", correct=[1, 0])]),
        (
            dict(a=np.array([1, 0])),
            "models",
            [dict(model="a", question=q, correct=1 - q) for q in (0, 1)],
        ),
        (
            dict(id=np.array([1, 2]), correct=np.array([1, 0])),
            None,
            [dict(id=1, correct=1), dict(id=2, correct=0)],
        ),
        (
            dict(id=np.array([1, 2]), correct=np.array([1])),
            None,
            "the arrays of a.npy must be columns of one length, got 'id': 2, 'correct': 1",
        ),
        (dict(id=np.array(1), correct=np.array([1])), None, "got 'id': 0, 'correct': 1"),
        (dict(id=np.array([]), correct=np.array([])), None, "got 'id': 0, 'correct': 0"),
    ],
    ids=str,
)
def test_arrays_as_rows(data, keys, want):
    if not isinstance(want, str):
        assert rows_of_array(data, "a.npy", keys) == want
        return
    with pytest.raises(ValueError) as error:
        rows_of_array(data, "a.npy", keys)
    assert want in str(error.value)


LEVELS = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])


@pytest.mark.parametrize(
    "index, holds",
    [
        (None, False),
        ([5, 6], False),
        ([0.5, 1.5], False),
        (["a", 1], False),
        (["a", "b"], True),
        (pd.Index([5, 6], name="id"), True),
        (LEVELS, True),
    ],
    ids="none numbers fractions mixed texts named levels".split(),
)
def test_an_index_that_names_rows(index, holds):
    assert holds_index(pd.Series([1, 0], index)) is holds
    assert holds_index(pd.DataFrame(dict(x=[1, 0]), index)) is holds


def test_what_has_no_index():
    assert not holds_index([1]) and not holds_index(3) and not holds_index(pl.Series([1]))


@pytest.mark.parametrize(
    "data, series",
    [
        (pd.Series([1]), True),
        (pl.Series([1]), True),
        (pd.DataFrame(dict(a=[1])), False),
        (pl.DataFrame(dict(a=[1])), False),
        ([1], False),
        (UserDict(), False),
        (type("Series", (), {})(), False),
    ],
)
def test_columns_of_a_frame_alone(data, series):
    assert is_series(data) is series


def plain(found):
    return found.to_dict("records") if isinstance(found, pd.DataFrame) else found


@pytest.mark.parametrize(
    "data, want",
    [
        (pl.Series([[1, 0], [1, 1]]), [dict(correct=[1, 0]), dict(correct=[1, 1])]),
        (pd.Series([[1, 0], (1, 1)]), [dict(correct=[1, 0]), dict(correct=[1, 1])]),
        (
            pd.Series([1, 0], ["a", "b"]),
            [dict(question="a", correct=1), dict(question="b", correct=0)],
        ),
        (
            pd.Series([0.5, 1], ["a", "b"]),
            [dict(question="a", score=0.5), dict(question="b", score=1)],
        ),
        (
            pd.Series([[1, 0], [1]], pd.Index([5, 6], name="id")),
            [dict(id=5, correct=[1, 0]), dict(id=6, correct=[1])],
        ),
        (
            pd.Series([0.5, 1], LEVELS.set_names(["id", "trial"])),
            [dict(id="a", trial=1, score=0.5), dict(id="b", trial=2, score=1)],
        ),
        (
            pd.Series([1, 0], LEVELS),
            [dict(level_0="a", level_1=1, correct=1), dict(level_0="b", level_1=2, correct=0)],
        ),
        (pd.Series([1, 0]), "one row per question, got a Series without names; write [x]"),
        (pd.Series([[1, 0], None]), "need a list for each question"),
    ],
)
def test_series_as_tables(data, want):
    if not isinstance(want, str):
        assert plain(series_rows(data)) == want
        return
    with pytest.raises((TypeError, ValueError)) as error:
        series_rows(data)
    assert want in str(error.value)


@pytest.mark.parametrize(
    "columns, index, names",
    [
        (dict(correct=[1, 0]), ["a", "b"], ["question", "correct"]),
        (dict(correct=[1, 0]), pd.Index(["a", "b"], name="case"), ["case", "correct"]),
        (dict(correct=[1, 0]), pd.Index([5, 6], name="case"), ["case", "correct"]),
        (dict(correct=[1, 0]), LEVELS.set_names(["id", "trial"]), ["id", "trial", "correct"]),
        (dict(correct=[1, 0]), None, None),
        (dict(correct=[1, 0]), [5, 6], None),
        (dict(id=[1, 2], correct=[1, 0]), ["a", "b"], None),
        # A name that a column has already names no other one.
        (dict(case=[1, 2], correct=[1, 0]), pd.Index(["a", "b"], name="case"), None),
        ({0: [1, 2], 1: [1, 0]}, None, ["0", "1"]),
        ({0: [1, 2], "x": [1, 0]}, ["a", "b"], ["question", "0", "x"]),
    ],
    ids=str,
)
def test_frames_whose_index_names_questions(columns, index, names):
    data = pd.DataFrame(columns, index)
    found = spread_index(data)
    assert list(found.columns) == (list(columns) if names is None else names)
    assert (found is data) is (names is None) and len(found) == 2
    assert list(data.columns) == list(columns)


def test_what_is_no_frame_of_pandas_stays():
    for data in pd.Series([1], ["a"]), pl.DataFrame(dict(x=[1])), [1], dict(x=[1]):
        assert spread_index(data) is data
