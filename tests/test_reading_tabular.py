"Sources and batches: what is taken, and several as one."
import numpy as np
import pytest

from sampling_eval.io.tables import open_sources
from sampling_eval.io.tabular import (FILE, Batch, Keep, Source, Stack, add_files, batch_of, join_batches,
                                           list_columns, place_row, take_here)


def listed(parts): return {part: values.tolist() for part, values in parts.items()}


def hold(**columns): return open_sources(columns)[0]


def test_columns_stand_in_order_of_appearance():
    assert list_columns([hold(b=[1], a=[2]), hold(c=[3], a=[4], b=[5])]) == ["b", "a", "c"]


def test_rows_of_one_sample_each():
    batch = batch_of({"question": np.array([7, 8])})
    assert batch.times.tolist() == [1, 1] and batch.times.dtype == np.int64 and len(batch) == 2
    assert batch.place("correct", 3) == place_row("", 3) == "at row 3"
    assert batch.in_order is True and batch.draws is batch.marks is batch.check_repeats is batch.find_first is None
    keep = Keep()
    assert (keep.answers, keep.scores, keep.draws, keep.threshold, keep.runs) == (True, None, False, None, False)


def test_what_a_source_holds_of_the_chosen_columns():
    source = hold(id=[1, 2], x=["a", "b"])
    assert listed(take_here(source, dict(question="id", answer="x", score="absent"), Keep()).parts) == dict(
        question=[1, 2], answer=["a", "b"])
    with pytest.raises(ValueError, match="question='ids' is not a column, got 'id', 'x'; did you mean 'id'"):
        take_here(source, dict(question="ids"), Keep())


def test_files_are_a_column():
    "Engines take the file as a column; what is read gets it from the number of rows of each file."
    plain = hold(id=[1, 2, 3])
    chosen = dict(question="id", model=FILE, file=FILE)
    two = Source(["id"], plain.take, files=("a", "b"), sizes=(1, 2))
    assert listed(take_here(two, chosen, Keep()).parts) == dict(
        question=[1, 2, 3], model=["a", "b", "b"], file=["a", "b", "b"])
    one = Source(["id"], plain.take, files=("a",))
    assert listed(take_here(one, chosen, Keep()).parts)["file"] == ["a"] * 3
    asked = []
    def take(chosen, keep):
        asked.append(chosen)
        return batch_of({"question": np.array([1])})
    for source in Source(["id"], take, verb="counted", files=("a",)), Source(["id"], take, tells_files=True):
        assert listed(take_here(source, chosen | dict(answer="absent"), Keep()).parts) == dict(question=[1])
    assert asked == [chosen, chosen]
    batch = batch_of({"question": np.array([1])})
    assert add_files(two, batch, []) is batch


def make(question, more, **fields):
    parts = {"question": np.array(question)} | {part: np.array(values) for part, values in more.items()}
    return Batch(parts, np.arange(len(question)) + 1, lambda part, row: f"{part} {row} of {question}", **fields)


def test_batches_one_after_another():
    one = make([1, 2], dict(answer=["a", "b"]), added=dict(tokens=np.array([3., 4.])), draws=np.ones((2, 3), int),
               marks=np.array([5, 6]), in_order=False)
    two = make([9], dict(score=[.5]), draws=np.zeros((1, 3), int), marks=np.array([7]))
    assert join_batches([one]) is one
    both = join_batches([one, two])
    assert listed(both.parts) == dict(question=[1, 2, 9], answer=["a", "b", None], score=[None, None, .5])
    assert both.times.tolist() == [1, 2, 1] and listed(both.added) == dict(tokens=[3, 4, 0])
    assert both.draws.tolist() == [[1] * 3, [1] * 3, [0] * 3] and both.marks.tolist() == [5, 6, 7]
    assert both.in_order is False and join_batches([two, one]).in_order is True
    assert [both.place("answer", row) for row in range(3)] == [
        "answer 0 of [1, 2]", "answer 1 of [1, 2]", "answer 0 of [9]"]
    bare = join_batches([make([1], {}), two])
    assert bare.draws is bare.marks is bare.check_repeats is None and bare.added == {}


def test_the_first_of_some_rows():
    "Each batch knows in which order its rows stand in the data."
    last = make([3, 4], {}, find_first=lambda part, some: int(np.flatnonzero(some)[-1]))
    stack = Stack([make([1, 2], {}), last], [2, 4])
    def find(*some): return stack.find_first("question", np.array(some, bool))
    assert (find(0, 1, 1, 1), find(1, 1, 0, 0), find(0, 0, 1, 1), find(0, 0, 1, 0)) == (1, 0, 3, 2)
    assert Stack([last, last], [2, 4]).find_first("question", np.array([1, 0, 1, 1], bool)) == 0
    assert [stack.find(row)[1] for row in range(4)] == [0, 0, 2, 2]
    assert join_batches([make([1, 2], {}), last]).find_first("question", np.array([0, 0, 1, 1], bool)) == 3
