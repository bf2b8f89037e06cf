"Rows that hold several samples, one row per sample."
import numpy as np
import pytest

from sampling_eval.io.tables import open_sources
from sampling_eval.io.tabular import Keep, Source, batch_of
from sampling_eval.io.unfold import (NUMBER, PLACE, flatten_lists, is_list, measure_lists, parse_list, read_list,
                                          refuse_again, unfold_lists, unfold_runs, unfold_totals)


def hold(**columns): return open_sources(columns)[0]


def take(source, **chosen):
    "The parts of a source, the samples behind each row, and where the first and last row stand."
    batch = source.take(chosen, Keep())
    parts = {part: values.tolist() for part, values in batch.parts.items()}
    return parts, batch.times.tolist(), [batch.place("question", row) for row in (0, len(batch) - 1)]


@pytest.mark.parametrize("value, want", [
    ([], True), ((), True), (np.array([]), True), (np.array(1), False), ("[1]", True), (" [1]\n", True), ("[]", True),
    ("[1", False), ("1]", False), ("", False), (5, False), (None, False), ({}, False)])
def test_what_is_a_list(value, want): assert is_list(value) is want


@pytest.mark.parametrize("cell, want", [
    ((1, 2), [1, 2]), ([1], [1]), (np.array([1., .5]), [1., .5]), ("[true, null]", [True, None]),
    ("[True, None]", [True, None]), ("[nan, 1.0]", [None, 1.0]), ("[NaN]", ["nan"]), ("['nan', 'a_b']", ["nan", "a_b"]),
    ("[1_0]", None), ('["a_b", \'c\']', ["a_b", "c"]), ("[x]", None), ("[1], [2]", None),
    ("[" * 9999 + "]" * 9999, None),
    (" [None] ", [None]), ("[banana]", None)])
def test_lists_from_cells(cell, want):
    found = parse_list(cell)
    assert found == want if want != ["nan"] else np.isnan(found[0])


def test_cells_that_must_hold_a_list():
    base = batch_of({"question": np.arange(9)})
    assert read_list(None, "x", 0, base) is read_list(float("nan"), "x", 0, base) is None
    assert read_list([], "x", 0, base) == []
    for cell in 1, .5, "text", "[1_0]":
        with pytest.raises(TypeError) as error: read_list(cell, "x", 7, base)
        assert str(error.value) == f"x must hold a list in every row, got {cell!r} at row 7"


def test_lists_of_a_row_have_one_length():
    base = batch_of({"question": np.arange(3)})
    assert measure_lists(dict(a=[[1], None, [1, 2]], b=[None, None, [3, 4]]), base).tolist() == [1, 0, 2]
    assert measure_lists(dict(a=[[], [1], None]), base).tolist() == [0, 1, 0]
    with pytest.raises(ValueError) as error:
        measure_lists(dict(a=[[1], [1], [1, 2]], b=[[2], [1, 2, 3], []], c=[None] * 3), base)
    assert str(error.value) == ("the lists of a row must have one length, got 1 of a, 3 of b, 0 of c at row 1 "
                                "(2 of 3 rows fail)")
    assert flatten_lists([[1, 2], None, [], [3]], np.array([2, 2, 1, 1])).tolist() == [1, 2, None, None, None, 3]


def test_lists_as_rows():
    source = hold(id=["a", "b", "c"], model=["m", "n", "o"], right=[[1, 0], [], [1]], said=[["x", "y"], None, ["z"]])
    unfolded = unfold_lists(source, ["right", "said", "absent"])
    assert unfolded.columns == ["id", "model", "right", "said", PLACE] and unfolded.tells_files is True
    assert take(unfolded, question="id", model="model", correct="right", answer="said", sample=PLACE) == (
        dict(question=["a", "a", "b", "c"], model=["m", "m", "n", "o"], correct=[1, 0, None, 1],
             answer=["x", "y", None, "z"], sample=[0, 1, 0, 0]), [1, 1, 0, 1], ["at row 0", "at row 2"])


def test_what_a_source_is_stays_with_it():
    plain = hold(id=[1], x=[[1]])
    source = Source(plain.columns, plain.take, "rows of mine", "counted", ("a", "b"))
    for made in unfold_lists(source, ["x"]), unfold_runs(source, dict(x=1), "run"), unfold_totals(source, "id", "x"):
        assert (made.what, made.verb, made.files, made.tells_files) == ("rows of mine", "counted", ("a", "b"), True)


def test_columns_of_runs_as_rows():
    source = hold(id=["a", "b"], run_2=[1, 0], run_10=[0, None])
    unfolded = unfold_runs(source, dict(run_2=2, run_10=10), "runs")
    assert unfolded.columns == ["id", "runs", NUMBER]
    assert take(unfolded, question="id", correct="runs", sample=NUMBER) == (
        dict(question=["a", "a", "b", "b"], correct=[1, 0, 0, None], sample=[2, 10, 2, 10]), [1, 1, 1, 1],
        ["at row 0", "at row 1"])


def test_numbers_of_samples_as_rows():
    "All right, all wrong, some right, and a question without a sample."
    source = hold(id=["a", "b", "c", "d"], n=[2, 3, 4, 0], c=[2, 0, 1, 0], k=[5, 6, 7, 8])
    unfolded = unfold_totals(source, "n", "c")
    assert unfolded.columns == ["id", "k", "c"]
    assert take(unfolded, question="id", correct="c", score="k") == (
        dict(question=["a", "b", "c", "c", "d"], correct=[1, 0, 1, 0, 0], score=[5, 6, 7, 7, 8]), [2, 3, 1, 3, 0],
        ["at row 0", "at row 3"])


def test_two_rows_of_one_question_are_no_totals():
    def look(**parts): return refuse_again(batch_of({part.replace("_", " "): np.array(v) for part, v in parts.items()}))
    rows = dict(question=[1, 2, 1])
    assert look(**rows, model=["a", "a", "b"]) is look(**rows, group=[1, 1, 2]) is look(**rows,
        task_x=[1, 1, 2]) is None
    for more in {}, dict(model=["a", "b", "a"]), dict(answer=["a", "b", "c"]):
        with pytest.raises(ValueError) as error: look(**rows, **more)
        assert str(error.value) == (
            "each question must appear once in a table of n and c, got 1 at row 0 and again at row 2; add them up, or "
            "name a column model")
