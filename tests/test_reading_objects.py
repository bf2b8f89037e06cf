"Objects whose keys are names, the records that an object holds, and fields in cells."

import numpy as np
import pytest

from sampling_eval.reading.objects import (
    holds_outcomes,
    holds_values,
    list_fields,
    name_fields,
    rows_of_lists,
    rows_of_object,
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
