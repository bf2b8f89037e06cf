"Whether a row holds one sample or several, at the boundary of each rule."

from dataclasses import replace

import numpy as np
import pytest

from sampling_eval.reading.columns import FILE, Batch, Keep, take_here
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.shapes import (
    ALL,
    NUMBER,
    PLACE,
    ROW,
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
        (["my_pass_1", "my_pass_3"], {}),
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
        (4.0, 1.0, False),
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


# Whole tables: what a row holds, and the samples that are made of it.


def list_samples(shaped, **parts):
    "Each sample of a table as a tuple: what names its question, other parts, and how many it is."
    chosen = {part: name for part, name in shaped.named.items() if isinstance(name, str)} | parts
    rows = []
    for source in shaped.sources:
        batch = source.take(chosen, Keep())
        columns = [batch.parts[part].tolist() for part in chosen]
        rows += zip(*columns, batch.times.tolist())
    return list(chosen), rows


LISTED = ["question", "correct", "sample"]


@pytest.mark.parametrize(
    "columns, named, parts, rows",
    [
        (
            dict(id=["a", "b"], correct=[[1, 0], [1]]),
            dict(question="id"),
            LISTED,
            [("a", 1, 0, 1), ("a", 0, 1, 1), ("b", 1, 0, 1)],
        ),
        # A question without a sample stays, and counts none.
        (
            dict(id=["a", "b", "c", "d"], correct=[[1], [], None, float("nan")]),
            dict(question="id"),
            LISTED,
            [("a", 1, 0, 1), *((name, None, 0, 0) for name in "bcd")],
        ),
        (
            dict(id=["a"], correct=["[1, 0]"], seed=["[7, 9]"]),
            dict(question="id", sample="seed"),
            LISTED,
            [("a", 1, "[7, 9]", 1), ("a", 0, "[7, 9]", 1)],
        ),
        # Right ones first, then wrong ones; of no sample a row that counts none.
        (
            dict(id=["a", "b", "c", "d"], n=[3, 0, 2, 2], c=[1, 0, 2, 0]),
            dict(question="id"),
            ["question", "correct"],
            [("a", 1, 1), ("a", 0, 2), ("b", 0, 0), ("c", 1, 2), ("d", 0, 2)],
        ),
        (
            dict(id=["a", "b"], run_2=[1, 0], run_1=[0, 0]),
            dict(question="id"),
            LISTED,
            [("a", 0, 1, 1), ("a", 1, 2, 1), ("b", 0, 1, 1), ("b", 0, 2, 1)],
        ),
        (
            dict(id=["a", "b"], seed_0=["pass", "fail"], seed_1=["fail", None]),
            dict(question="id"),
            LISTED,
            [("a", "pass", 0, 1), ("a", "fail", 1, 1), ("b", "fail", 0, 1), ("b", None, 1, 1)],
        ),
    ],
    ids="lists empty text totals runs words".split(),
)
def test_the_samples_behind_a_row(columns, named, parts, rows):
    found, samples = list_samples(shape(named, **columns))
    places = [found.index(part) for part in parts]
    assert [tuple(row[i] for i in [*places, -1]) for row in samples] == rows


def kinds(shaped):
    return [note.kind for note in shaped.notes]


@pytest.mark.parametrize(
    "columns, named, ignore, found",
    [
        (dict(correct=[[1, 0], [1]]), {}, [], ["lists", "row_numbers"]),
        (dict(n=[3, 2], c=[1, 2]), {}, [], ["totals", "row_numbers"]),
        (dict(run_1=[1, 0], run_2=[0, 1]), {}, [], ["run_columns", "row_numbers"]),
        (dict(correct=[1, 0]), dict(question=False), [], ["row_numbers"]),
        (dict(correct=[1, 0]), {}, [], []),
        # What stands beside the samples may name questions, unless it only counts rows.
        (dict(text=["x", "y"], correct=[[1, 0], [1]]), {}, [], ["lists"]),
        (dict(text=["x", "y"], correct=[[1, 0], [1]]), {}, ["text"], ["lists", "row_numbers"]),
        (dict(index=[0, 1], correct=[[1, 0], [1]]), {}, [], ["lists"]),
        ({"Unnamed: 0": [0, 1], "correct": [[1, 0], [1]]}, {}, [], ["lists", "row_numbers"]),
        ({"Unnamed: 0": [1, 2], "correct": [[1, 0], [1]]}, {}, [], ["lists", "row_numbers"]),
        ({"Unnamed: 0": [5, 9], "correct": [[1, 0], [1]]}, {}, [], ["lists"]),
        (dict(id=[1, 2], correct=[[1, 0], [1]]), {}, [], ["lists"]),
        (dict(x=[1, 2], correct=[[1, 0], [1]]), dict(question="x"), [], ["lists"]),
        (dict(results=[[dict(a=1)], [1]], scores=[[1], [2]]), {}, [], ["lists"]),
    ],
)
def test_rows_that_are_questions(columns, named, ignore, found):
    shaped = shape_sources([columns_source(columns)], named, ignore=ignore)
    assert kinds(shaped) == found
    if "row_numbers" in found:
        parts, samples = list_samples(shaped)
        assert {row[parts.index("question")] for row in samples} == {0, 1}


def test_where_a_sample_stands():
    def place(named, part, row, **columns):
        (source,) = shape(named, **columns).sources
        chosen = dict(question="id", correct=shape(named, **columns).named["correct"])
        return source.take(chosen, Keep()).place(part, row)

    assert place({}, "correct", 2, id=["a", "b"], correct=[[1, 0], [1]]) == "at row 1"
    assert place({}, "correct", 1, id=["a", "b"], n=[3, 2], c=[1, 2]) == "at row 0"
    assert place({}, "correct", 3, id=["a", "b"], run_1=[1, 0], run_2=[1, 0]) == "at row 1"


def test_the_file_of_a_sample():
    source = replace(
        columns_source(dict(id=["a", "b"], correct=[[1, 0], [1]])), files=("x", "y"), sizes=(1, 1)
    )
    (found,) = shape_sources([source], {}).sources
    batch = take_here(found, dict(question="id", correct="correct", model=FILE), Keep())
    assert batch.parts["model"].tolist() == ["x", "x", "y"] and found.files == ("x", "y")


@pytest.mark.parametrize("cell", [3, 3.5, "x", "[1", dict(a=1)])
def test_a_cell_that_is_no_list(cell):
    (source,) = shape(dict(correct="ok"), id=["a", "b"], ok=[[1, 0], cell]).sources
    with pytest.raises(TypeError) as error:
        source.take(dict(question="id", correct="ok"), Keep())
    assert str(error.value) == f"ok must hold a list in every row, got {cell!r} at row 1"


def test_a_question_of_totals_that_stands_there_twice():
    (source,) = shape(id=["a", "a"], n=[3, 2], c=[1, 2]).sources
    chosen = dict(question="id", correct="c")
    with pytest.raises(ValueError, match="each question must appear once in a table of n and c"):
        source.take(chosen, Keep())
    # Where columns are looked at for what tells them apart, all rows are there.
    looked = source.take(chosen, Keep(looking=True))
    assert looked.times.tolist() == [1, 2, 2] and looked.parts["correct"].tolist() == [1, 0, 1]


def test_runs_that_a_table_lacks():
    one = columns_source(dict(id=[1], run_1=[1], run_2=[0]))
    assert kinds(shape_sources([one, columns_source(dict(id=[2], run_1=[1]))], {})) == []
    odd = columns_source(dict(id=[2], run_1=[1], run_2=[0.5]))
    assert kinds(shape_sources([one, odd], {})) == []
    assert kinds(shape_sources([one, one], {})) == ["run_columns"]


def test_rows_are_numbered_in_each_file():
    one, two = columns_source(dict(correct=[1, 0, 1])), columns_source(dict(correct=[0]))
    shaped = shape_sources([one, two], dict(question=False))
    taken = [source.take(dict(question=ROW), Keep()) for source in shaped.sources]
    assert [batch.parts["question"].tolist() for batch in taken] == [[0, 1, 2], [0]]
    both = replace(one, files=("x", "y"), sizes=(2, 1))
    (found,) = shape_sources([both], dict(question=False)).sources
    numbers = found.take(dict(question=ROW), Keep()).parts["question"]
    assert numbers.tolist() == [0, 1, 0] and found.sizes == (2, 1)


@pytest.mark.parametrize("lists", [True, False])
def test_an_engine_knows_which_columns_hold_lists(lists):
    source = columns_source(dict(id=[1], correct=[[1, 0]] if not lists else [1]))
    known = replace(source, holds_lists=lambda column: lists and column == "correct")
    assert kinds(shape_sources([known], {})) == ["lists"] * lists
    plain = columns_source(dict(id=[2], correct=[[1, 0]]))
    assert kinds(shape_sources([known, plain], {})) == ["lists"]


@pytest.mark.parametrize(
    "columns, named, sums, want",
    [
        (dict(correct=[[1]], scores=[[0.5]]), {}, [], dict(correct="correct", score="scores")),
        (dict(scores=[[0.5]], answers=[["x"]]), {}, [], dict(score="scores", answer="answers")),
        (dict(answers=[["x"]]), {}, [], None),
        # An outcome of the row itself: lists beside it are something else.
        (dict(correct=[1], scores=[[0.5, 1]]), {}, [], None),
        (dict(correct=[1], scores=[[0.5]]), dict(correct=False), [], dict(score="scores")),
        (dict(x=[1], scores=[[0.5]]), dict(correct="x"), [], None),
        (dict(x=[[1]], scores=[[0.5]]), dict(correct="x", score=False), [], dict(correct="x")),
        (dict(correct=[None, [1]]), {}, [], dict(correct="correct")),
        (dict(correct=[[1]], cost=[[2]]), {}, ["cost"], dict(correct="correct")),
        (dict(correct=[[1]], cost=[2]), {}, ["cost"], "sums='cost' must hold a list in every row"),
        (dict(correct=[[1]], x=[2]), dict(score="x"), [], "score='x' must hold a list in every"),
        (dict(correct=[[1]], x=[2]), dict(answer="x"), [], "as 'correct' does; leave it out"),
        (dict(correct=[[1]], passed=[[1]]), {}, [], "'correct' or 'passed' could be the outcome"),
    ],
)
def test_lists_of_each_part(columns, named, sums, want):
    size = len(next(iter(columns.values())))
    columns = dict(id=list(range(size))) | columns
    if isinstance(want, str):
        with pytest.raises(ValueError, match=want):
            shape_sources([columns_source(columns)], named, sums)
        return
    shaped = shape_sources([columns_source(columns)], named, sums)
    if want is None:
        assert kinds(shaped) == [] and shaped.named == named
        return
    assert kinds(shaped) == ["lists"] and shaped.notes[0].names == tuple(want.values())
    none = dict.fromkeys(("correct", "score", "answer"), False)
    assert shaped.named == named | none | want | dict(sample=PLACE)
    if sums:
        parts, samples = list_samples(shaped, **{"sum cost": "cost"})
        assert samples[0][parts.index("sum cost")] == 2


def test_a_list_may_stand_in_a_later_table():
    one = columns_source(dict(id=[1], x=[2]))
    two = columns_source(dict(id=[2], correct=[[1, 0]]))
    shaped = shape_sources([one, two], {})
    assert kinds(shaped) == ["lists"] and PLACE in shaped.sources[0].columns


@pytest.mark.parametrize(
    "columns, named, sums, want",
    [
        (dict(n=[3, 3], c=[1, 2]), {}, [], ("n", "c")),
        (dict(N=[3, 3], num_correct=[1, 2]), {}, [], ("N", "num_correct")),
        (dict(n=[3, 3], right=[1, 2]), dict(correct="right"), [], ("n", "right")),
        (dict(n=[3, 3], c=[1, 2]), dict(correct=False), [], None),
        (dict(n=[3, 3], c=[1, 2], cost=[1, 2]), {}, ["cost"], None),
        (dict(n=[3, 3], c=[1, 2], s=[1, 2]), dict(score="s"), [], None),
        (dict(n=[3, 3], c=[1, 2], s=[1, 2]), dict(answer="s"), [], None),
        (dict(n=[3, 3], c=[1, 2], s=[1, 2]), dict(sample="s"), [], None),
        (dict(n=[3, 3], c=[1, 2], seed=[1, 2]), {}, [], None),
        (dict(c=[1, 2]), {}, [], None),
        (dict(n=[3, 3]), {}, [], None),
        (dict(n=["x", "y"], c=[1, 2]), {}, [], None),
        (dict(n=[3, 3], correct=["a", "b"]), {}, [], None),
        (dict(n=[3, 3], total=[3, 1], c=[1, 2]), {}, [], ("n", "c")),
        # Outcomes of one sample each, where a question has several rows of a model.
        (dict(id=[1, 1], n=[3, 3], correct=[1, 0]), {}, [], None),
        (dict(id=[1, 1], n=[3, 3], correct=[1, 0], model=["a", "b"]), {}, [], "of n samples or"),
        (dict(id=[1, 1], n=[3, 3], correct=[1, 0], task=["a", "b"]), {}, [], None),
        (dict(n=[3, 2], correct=[1, 0]), {}, [], "0 and 1 only, each question once and n above 1"),
        (dict(n=[3, 2], correct=[1, 2]), {}, [], ("n", "correct")),
        (dict(n=[3, 1], correct=[1, 4]), {}, [], None),
        (dict(id=[1], n=[3], correct=[1]), {}, [], "each question once and n above 1"),
    ],
)
def test_totals_of_each_name(columns, named, sums, want):
    source = columns_source(dict(id=[1, 2]) | columns)
    if isinstance(want, str):
        with pytest.raises(ValueError, match=want):
            shape_sources([source], named, sums)
        return
    shaped = shape_sources([source], named, sums)
    assert [note.names for note in shaped.notes] == ([] if want is None else [want])
    if want is None:
        return
    assert shaped.named == named | dict(correct=want[1], sample=False, score=False, answer=False)
    assert want[0] not in shaped.sources[0].columns


@pytest.mark.parametrize(
    "one, two, found",
    [
        (dict(id=[1], n=[3], correct=[2]), dict(id=[2], n=[3], correct=[1]), ["totals"]),
        (dict(id=[1], n=[3], c=[2]), dict(id=[2], c=[1]), []),
        (dict(id=[1], n=[3], correct=[2]), dict(id=[2], correct=[1]), []),
        (dict(id=[1], n=[3], correct=[2]), dict(id=[2], n=[3], correct=[4]), []),
        (dict(id=[1], n=[3], correct=[1]), dict(id=[2], n=[2], correct=[0]), "each question once"),
        (dict(id=[1], n=[3], correct=[1]), dict(id=[2], n=[1], correct=[0]), []),
        (dict(id=[1], n=[3], correct=[1]), dict(id=[1], n=[3], correct=[0]), []),
        (dict(id=[1], n=[3], correct=[1]), dict(n=[3], correct=[0]), []),
    ],
)
def test_totals_of_two_tables(one, two, found):
    sources = [columns_source(one), columns_source(two)]
    if isinstance(found, str):
        with pytest.raises(ValueError, match=found):
            shape_sources(sources, {})
        return
    assert kinds(shape_sources(sources, {})) == found


@pytest.mark.parametrize(
    "columns, named, sums, runs",
    [
        (dict(run_1=[1], run_2=[0]), {}, [], True),
        (dict(run_1=[1], run_2=[0], cost=[1]), {}, ["cost"], False),
        (dict(run_1=[1], run_2=[0], x=[1]), dict(correct="x"), [], False),
        (dict(run_1=[1], run_2=[0], x=[1]), dict(score="x"), [], False),
        (dict(run_1=[1], run_2=[0], x=[1]), dict(answer="x"), [], False),
        (dict(run_1=[1], run_2=[0], x=[1]), dict(sample="x"), [], False),
        (dict(run_1=[1], run_2=[0], x=[1]), dict(sample=False), [], True),
        (dict(run_1=[1], run_2=[0], passed=[1]), {}, [], False),
        (dict(run_1=[1], run_2=[0.5]), {}, [], False),
        (dict(run_1=[1], run_2=["x"]), {}, [], False),
        (dict(run_1=["yes"], run_2=["no"]), {}, [], True),
        (dict(run_1=[1], run_2=[0], seed_1=["x"], seed_2=["y"]), {}, [], True),
    ],
)
def test_columns_of_runs(columns, named, sums, runs):
    shaped = shape_sources([columns_source(dict(id=[1]) | columns)], named, sums)
    assert kinds(shaped) == ["run_columns"] * runs
    if runs:
        assert shaped.notes[0].names == ("run_1", "run_2")
        want = dict(correct="run_1..run_2", score=False, answer=False, sample=NUMBER)
        assert shaped.named == want | named


def test_means_of_runs_stand_for_them_where_that_is_asked():
    source = columns_source(RUNS)
    shaped = shape_sources([source], {}, means=True)
    assert kinds(shaped) == ["run_means"]
    parts, samples = list_samples(shaped)
    assert parts == ["question", "sample", "score"]
    assert samples == [(ALL, 1, 0.5, 1), (ALL, 2, 0.75, 1)]
    plain = shape_sources([source, source], {}, means=True)
    assert plain.sources == [source, source] and plain.notes == ()
