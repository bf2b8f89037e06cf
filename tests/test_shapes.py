"Whether a row holds one sample or several, at the boundary of each rule."

import numpy as np
import pytest

from sampling_eval.reading.columns import Batch
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.shapes import (
    ALL,
    find_means,
    find_question,
    group_runs,
    is_list,
    join_numbers,
    mark_unfit,
    measure_lists,
    parse_list,
    refuse_again,
    shape_sources,
    take_means,
)


def shape(named=None, **columns):
    return shape_sources([columns_source(columns)], named or {})


@pytest.mark.parametrize(
    "columns, stems",
    [
        (["run_1", "run_2"], {"run": {"run_1": 1, "run_2": 2}}),
        (["run2", "run10", "run1"], {"run": {"run1": 1, "run2": 2, "run10": 10}}),
        (["my_seed_0", "my_seed_1"], {"my_seed": {"my_seed_0": 0, "my_seed_1": 1}}),
        (["run_1"], {}),
        (["cost_1", "cost_2"], {}),
        (["run_1234567890", "run_1"], {}),
        # Budgets of pass@k have gaps.
        (["pass_1", "pass_2"], {"pass": {"pass_1": 1, "pass_2": 2}}),
        (["pass_1", "pass_3"], {}),
        (["run_1", "run_3"], {"run": {"run_1": 1, "run_3": 3}}),
        # Columns of an array.
        (["0", "1", "2"], {"": {"0": 0, "1": 1, "2": 2}}),
        (["1", "2"], {"": {"1": 1, "2": 2}}),
        (["2", "3"], {}),
        (["0", "2"], {}),
        (["0", "01"], {}),
    ],
    ids=str,
)
def test_columns_of_one_name_but_for_a_number(columns, stems):
    found = group_runs(columns)
    assert found == stems and [*map(list, found.values())] == [*map(list, stems.values())]


@pytest.mark.parametrize(
    "columns, named, want",
    [
        (["idx", "x"], {}, {"question": "idx"}),
        (["prompt", "uuid"], {}, {"question": "uuid"}),
        (["idx", "question_id"], {}, {}),
        (["idx"], dict(question="x"), {}),
        (["x"], {}, {}),
    ],
)
def test_further_names_of_questions(columns, named, want):
    assert find_question(columns, named) == want


@pytest.mark.parametrize(
    "value, several",
    [
        ([1], True),
        ((1,), True),
        (np.array([1]), True),
        (np.array(1), False),
        ("[1]", True),
        (" [1] ", True),
        ("[1", False),
        ("1]", False),
        (1, False),
        (None, False),
    ],
    ids=str,
)
def test_cells_that_are_lists(value, several):
    assert is_list(value) is several


@pytest.mark.parametrize(
    "text, values",
    [
        ("[1, null]", [1, None]),
        ("[True, False]", [True, False]),
        ("[1, nan]", [1, None]),
        ("['a_b', 'nan']", ["a_b", "nan"]),
        (" [True] ", [True]),
        ("[1_0]", None),
        ("[x]", None),
        ("[", None),
        ((1, 2), [1, 2]),
        (np.array([1, 2]), [1, 2]),
        ("[" * 9000 + "]" * 9000, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_lists_as_they_are_written(text, values):
    assert parse_list(text) == values


@pytest.mark.parametrize(
    "n, c, unfit",
    [
        (4, 0, False),
        (4, 4, False),
        (0, 0, False),
        (4, 5, True),
        (4, -1, True),
        (4.5, 1, True),
        (4, 0.5, True),
        (2**31 - 1, 1, False),
        (2**31, 1, True),
        (np.nan, 1, True),
    ],
)
def test_numbers_of_samples(n, c, unfit):
    assert mark_unfit(np.array([n]), np.array([c])).tolist() == [unfit]


def test_whole_numbers_and_floats_of_one_column():
    mixed = np.array([1, 2.5], object)
    assert join_numbers(mixed).dtype == float
    for values in np.array([1, "a"], object), np.array([1, 2], object), np.arange(2):
        assert join_numbers(values) is values


def test_lists_of_one_length():
    base = Batch({}, np.ones(3, int), lambda part, row: f"at {row}")
    lists = dict(a=[[1], None, []], b=[[2], [1, 2], None])
    assert measure_lists(lists, base).tolist() == [1, 2, 0]
    with pytest.raises(ValueError) as error:
        measure_lists(dict(a=[[1], [1], [1]], b=[[1], [1, 2], []]), base)
    assert str(error.value) == (
        "the lists of a row must have one length, got 1 of a, 2 of b at 1 (2 of 3 rows fail)"
    )


def test_a_question_stands_once_in_a_table_of_counts():
    def make(**parts):
        parts = {name.replace("__", " "): np.array(values) for name, values in parts.items()}
        return Batch(parts, np.ones(2, int), lambda part, row: f"at {row}")

    for part in "model", "group", "task__d":
        refuse_again(make(question=[1, 1], **{part: ["a", "b"]}))
    for part in "model", "x":
        with pytest.raises(ValueError, match="got 1 at 0 and again at 1; add them up"):
            refuse_again(make(question=[1, 1], **{part: ["a", "a"]}))


# Means of whole runs.

RUNS = dict(seed=[1, 2], accuracy=[0.5, 0.75])


@pytest.mark.parametrize(
    "change, found",
    [
        ({}, ("seed", "accuracy", "")),
        (dict(n=[9, 9]), ("seed", "accuracy", "n")),
        (dict(model=["a", "b"]), ("seed", "accuracy", "")),
        (dict(x=[1, 2]), None),
        (dict(run=[1, 2]), None),
        (dict(mean=[0.1, 0.2]), None),
        (dict(n=[9, 9], total=[9, 9]), None),
        (dict(accuracy=[0.0, 1.0]), None),
        (dict(accuracy=[0.0, 0.5]), ("seed", "accuracy", "")),
        (dict(accuracy=[1.0, 0.5]), ("seed", "accuracy", "")),
        (dict(accuracy=[0.5, 1.5]), None),
        (dict(accuracy=[-0.5, 0.5]), None),
        (dict(accuracy=[0, 1]), None),
        (dict(accuracy=["50 %", "75 %"]), ("seed", "accuracy", "")),
    ],
    ids=str,
)
def test_tables_of_means_of_runs(change, found):
    columns = RUNS | change
    assert find_means(columns_source(columns), list(columns), {}) == found
    assert find_means(columns_source(columns), list(columns), dict(question="x")) is None


@pytest.mark.parametrize("sizes, count", [([9, 9], 9), ([9, 8], None), (None, None)])
def test_means_of_runs_are_samples_of_one_question(sizes, count):
    columns = RUNS | (dict(n=sizes) if sizes else {})
    source, parts, note = take_means(
        columns_source(columns), ("seed", "accuracy", "n" if sizes else "")
    )
    assert parts == dict(question=ALL, sample="seed", score="accuracy", correct=False)
    assert (note.names, note.count) == (("accuracy",), count)
    assert ALL in source.columns


def test_shapes_in_their_order():
    def parts(shaped):
        return shaped.notes and shaped.notes[0].kind, shaped.named.get("correct")

    assert parts(shape(id=[1], correct=[[1, 0]])) == ("lists", "correct")
    assert parts(shape(id=[1], n=[3], c=[2])) == ("totals", "c")
    assert parts(shape(id=[1], run_1=[1], run_2=[0])) == ("run_columns", "run_1..run_2")
    assert parts(shape(id=[1], correct=[1])) == ((), None)
    with pytest.raises(ValueError, match="each row is the accuracy of a whole run"):
        shape(**RUNS)
    with pytest.raises(ValueError, match="ambiguous: columns such as 'run_1' or 'seed_1'"):
        shape(id=[1], run_1=[1], run_2=[0], seed_1=[1], seed_2=[0])
    with pytest.raises(ValueError, match="ambiguous: run_1..run_2 or 'score' could hold"):
        shape(id=[1], run_1=[1], run_2=[0], score=[0.5])
    assert parts(shape(dict(score=False), id=[1], run_1=[1], run_2=[0], score=[1]))[1]


@pytest.mark.parametrize(
    "columns, said",
    [
        (dict(n=[3, 3], c=[2, 4]), r"need whole numbers 0 <= c <= n, got n=3, c=4 .*\(1 of 2 fail"),
        (dict(n=[3, 3], total=[4, 4], c=[2, 1]), "ambiguous: 'n' or 'total' could hold the number"),
        (dict(n=[3, 3], correct=[1, 0]), "could count the right ones of n samples or be the outc"),
    ],
)
def test_numbers_of_samples_that_are_unclear(columns, said):
    with pytest.raises(ValueError, match=said):
        shape(id=[1, 2], **columns)


@pytest.mark.parametrize(
    "columns, totals",
    [
        (dict(n=[3, 3], correct=[2, 0]), True),
        (dict(n=[3, 1], correct=[1, 0]), False),
        (dict(total=[3, 3], correct=[1, 0]), False),
        (dict(n=[1, 1], c=[1, 0]), True),
        (dict(n=[3, 3], correct=[2, 0], sample=[0, 0]), False),
    ],
    ids=str,
)
def test_numbers_of_samples_or_outcomes(columns, totals):
    assert bool(shape(id=[1, 2], **columns).notes) is totals
