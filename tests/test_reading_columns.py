"""Which column plays which part, and which rows belong together.

Columns without a known name, and columns as arrays."""

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from conftest import name_kind
from sampling_eval import score
from sampling_eval.reading.column_candidates import has_numbers
from sampling_eval.reading.columns import (
    Batch,
    FILE,
    Keep,
    Source,
    add_columns,
    are_alone,
    batch_of,
    choose_columns,
    find_task,
    join_batches,
    join_source,
    join_sources,
    list_names,
    list_plain,
    list_words,
    no_column,
    pick_only,
    place_samples,
    simplify,
    take_here,
    tell_apart,
)
from sampling_eval.reading.identity import (
    find_coincidence,
    refuse_named_runs,
    refuse_others,
    repeats,
)
from sampling_eval.reading.structure import find_spread
from sampling_eval.reading.load import load
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.options import name_grading, Options
from sampling_eval.reading.values import comparable, read_decimal, tidy
from sampling_eval.results.columns import Columns, Gap, Spread


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError)) as error:
        check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


def make_batch(**parts):
    found = {part.replace("__", " "): tidy(list(values)) for part, values in parts.items()}
    return batch_of(found)


# Columns by name.


@pytest.mark.parametrize(
    "columns, named, want",
    [
        (
            ["id", "Trial", "PASSED", "my answer", "final answer"],
            {},
            dict(question="id", sample="Trial", correct="PASSED", answer="final answer"),
        ),
        (["id", "run", "seed"], {}, dict(question="id", sample="seed")),
        (["id", "run"], {}, dict(question="id", sample="run")),
        (["id", "trial", "run"], dict(sample=False), dict(question="id")),
        (
            ["id", "trial", "run"],
            dict(model="trial"),
            dict(question="id", sample="run", model="trial"),
        ),
        (
            ["id", "acc"],
            dict(correct="acc", score="acc"),
            dict(question="id", correct="acc", score="acc"),
        ),
        (["id", "w", "t"], dict(group="t", weight="w"), dict(question="id", group="t", weight="w")),
        (["weight", "group", "id"], {}, dict(question="id", cluster="group")),
        ([" Task-ID "], None, dict(question=" Task-ID ")),
        (["id", "x"], dict(question="x", sample=None), dict(question="x")),
    ],
)
def test_columns_of_parts(columns, named, want):
    found = choose_columns(iter(columns), named)
    assert found == want and list(found) == list(want)


@pytest.mark.parametrize(
    "columns, named, told",
    [
        (["id", "t"], dict(group="s"), "by='s' is not a column, got 'id', 't'"),
        (
            ["id", "scores.accuracy.value", "scores"],
            dict(score="scores.acc"),
            "score='scores.acc' is not a column, got 'id', 'scores.accuracy.value', 'scores'; "
            "did you mean 'scores.accuracy.value'? "
            "Try: sampling_eval.score(data, score='scores.accuracy.value')",
        ),
        (
            ["id", "w"],
            dict(weight="ww"),
            "weights='ww' is not a column, got 'id', 'w'; "
            "did you mean 'w'? Try: sampling_eval.score(data, weights='w')",
        ),
        (
            ["id", "run", "run_id"],
            {},
            "ambiguous: 'run' or 'run_id' could be the sample; pass sample='run' or 'run_id'",
        ),
        (
            ["id", "seed", "epoch", "run"],
            {},
            "ambiguous: 'seed' or 'epoch' could be the sample; pass sample='seed' or " "'epoch'",
        ),
        (
            ["id", "a"],
            dict(correct="a", answer="a"),
            "a column plays one part, got 'a' as correct and as answer; name " "another",
        ),
        (
            ["id", "a"],
            dict(score="a", model="a"),
            "a column plays one part, got 'a' as score and as model; name another",
        ),
    ],
)
def test_columns_that_are_refused(columns, named, told):
    assert find_error(choose_columns, columns, named) == f"ValueError: {told}"


def test_columns_that_are_added_up_play_no_other_part():
    columns = ["id", "score", "reward", "rating"]
    assert choose_columns(columns, {}, ["score", "rating"])["score"] == "reward"
    assert choose_columns(columns[:2], {}, ["score"])["score"] == "score"
    with pytest.raises(ValueError, match="'score' or 'rating' could be the score"):
        choose_columns(columns, {}, ["reward"])
    with pytest.raises(ValueError, match="'score' or 'reward' could be the score"):
        choose_columns(columns, {}, columns)


def test_values_settle_which_of_several_columns_is_meant():
    asked = []

    def settle(part, found):
        asked.append((part, found))
        return found[1:]

    columns = ["id", "qid", "score", "answer", "pred"]
    found = choose_columns(columns, {}, settle=settle)
    assert found == dict(question="qid", answer="pred", score="score")
    assert asked == [("question", ["id", "qid"]), ("answer", ["answer", "pred"])]


@pytest.mark.parametrize(
    "names, apart",
    [("ab", ["a", "b"]), ("aba", ["a.1", "b", "a.2"]), ("aabb", ["a.1", "a.2", "b.1", "b.2"])],
)
def test_columns_of_one_name_are_told_apart(names, apart):
    found = tell_apart(names)
    assert list(found) == apart and [simplify(name) for name in found] == list(names)


@pytest.mark.parametrize(
    "column, simple, words",
    [
        ("runId", "run_id", ["run", "id"]),
        ("Run ID", "run_id", ["run", "id"]),
        (" a-b ", "a_b", ["a", "b"]),
        ("x2Y", "x2_y", ["x2", "y"]),
        ("a.b/_c_", "a.b/_c_", ["a", "b", "c"]),
        (3, "3", ["3"]),
        ("", "", []),
    ],
)
def test_words_of_a_name(column, simple, words):
    assert (simplify(column), list_words(column)) == (simple, words)


def test_names_in_words():
    names = [f"c{i}" for i in range(14)]
    assert list_names([]) == "no columns"
    assert list_names(names[:12]) == ", ".join(map(repr, names[:12]))
    assert list_names(names[:13]).endswith("'c11' and 1 more")
    assert list_names(names).endswith("'c11' and 2 more")


@pytest.mark.parametrize(
    "name, columns, near",
    [
        ("corect", ["id", "correct"], "correct"),
        ("is", ["this", "is_right", "is_ok"], "is_right"),
        ("xyz", ["id", "correct"], None),
        (1, ["12", "2"], "12"),
        ("a", [], None),
    ],
)
def test_the_nearest_column(name, columns, near):
    error = no_column("score", name, columns)
    assert (error.option, error.got, error.choices) == ("score", name, tuple(columns))
    assert error.ways == (() if near is None else ({"score": near},))
    assert error.hint == ("" if near is None else f"did you mean {near!r}?")


def test_one_of_several_columns():
    assert pick_only("score", []) is None and pick_only("score", ["a"]) == "a"
    said = "'a' or 'b' could be the score; pass score='a', 'b' or 'c'$"
    with pytest.raises(ValueError, match=said):
        pick_only("score", list("abcd"))
    with pytest.raises(ValueError, match="could be the outcome; pass correct='a' or 'b'"):
        pick_only("correct", list("ab"))
    with pytest.raises(ValueError, match="could be the group; pass by='a' or 'b'") as error:
        pick_only("group", list("ab"))
    assert error.value.choices == ("a", "b") and error.value.option == "by"


@pytest.mark.parametrize(
    "part, option", [("model", "model"), ("group", "by"), ("weight", "weights")]
)
def test_a_column_of_questions_in_another_part(part, option):
    with pytest.raises(ValueError) as error:
        choose_columns(["id", "x"], {part: "id"})
    assert str(error.value) == (
        f"{option}='id' leaves no column for the question, got 'id', which is called as the "
        "question; leave it out, or name another with question='...'"
    )
    with pytest.raises(ValueError, match="Which column holds the question"):
        choose_columns(["y", "x"], {part: "x"})


# Tables that are put together.


def test_columns_that_are_made_of_others():
    source = columns_source(dict(id=[1, 2], a=[3, 4], b=[5, 6]))
    made = dict(c=(["a", "b"], lambda a, b: a + b), a=(["a"], lambda a: -a))
    found = add_columns(replace(source, head=1, plain=2), made)
    assert found.columns == ["id", "a", "b", "c"] and found.head is None and found.plain is None
    parts = found.take(dict(question="id", score="c", answer="a", model="b"), Keep()).parts
    assert {part: values.tolist() for part, values in parts.items()} == dict(
        question=[1, 2], score=[8, 10], answer=[-3, -4], model=[5, 6]
    )
    alone = found.take(dict(score="c"), Keep()).parts
    assert alone["score"].tolist() == [8, 10] and list(alone) == ["score"]
    assert found.take(dict(question="id"), Keep()).parts["question"].tolist() == [1, 2]


def test_columns_that_are_one_name_together():
    source = columns_source(dict(id=[1, 2, 3], run=["r", "s", None], at=[0, 1, 2]))
    assert join_source(source, ["run", "x"]) is source
    found = join_source(source, ["run", "at"])
    taken = found.take(dict(question="id", sample="run,at"), Keep()).parts["sample"]
    assert found.columns[-1] == "run,at" and taken.tolist() == ["r/0", "s/1", None]
    every = join_source(columns_source(dict(a=[1], b=[2])), ["a", "b"])
    assert every.columns == ["a", "b", "a,b"]
    large = replace(source, head=1, take=None, plain=lambda: [source])
    assert join_source(large, ["run", "at"]).take(dict(question="run,at"), Keep()).times.sum() == 3


def test_tables_as_one():
    one = replace(columns_source(dict(id=[1, 2], a=[3, 4])), files=("x",), sizes=(2,))
    two = replace(columns_source(dict(id=[5], b=[6])), files=("y",), sizes=(1,), what="two")
    assert join_sources([one]) is one and one.what != two.what
    there = take_here(join_sources([one, two]), dict(question="id", file=FILE), Keep()).parts
    assert there["file"].tolist() == ["x", "x", "y"]
    found = join_sources([one, two])
    assert (found.columns, found.files, found.what) == (["id", "a", "b"], ("x", "y"), one.what)
    batch = found.take(dict(question="id", score="a", model="b", file=FILE), Keep())
    assert {part: values.tolist() for part, values in batch.parts.items()} == dict(
        question=[1, 2, 5], score=[3, 4, None], model=[None, None, 6], file=["x", "x", "y"]
    )
    assert batch.times.tolist() == [1, 1, 1] and batch.place("score", 2) == "at row 0"
    with pytest.raises(ValueError, match="question='a' is not a column, got 'id', 'b'"):
        found.take(dict(question="a"), Keep())
    plain = replace(one, plain=lambda: [one, two])
    assert list_plain([plain, two]) == [one, two, two]


def test_the_file_of_each_row():
    source = replace(columns_source(dict(id=[1, 2, 3])), files=("x", "y"), sizes=(1, 2))
    taken = take_here(source, dict(question="id", model=FILE, file=FILE), Keep()).parts
    assert taken["model"].tolist() == ["x", "y", "y"] == taken["file"].tolist()
    assert list(take_here(source, dict(question="id", score="z"), Keep()).parts) == ["question"]
    alone = replace(source, files=("x",), sizes=())
    taken = take_here(alone, dict(question="id", file=FILE), Keep()).parts
    assert taken["file"].tolist() == ["x"] * 3


def test_batches_one_after_another():
    def make(name, size, **more):
        parts = dict(question=np.arange(size), **more.pop("parts", {}))
        return Batch(parts, np.ones(size, int), lambda part, row: f"{part} {name}{row}", **more)

    one = make("a", 2, added=dict(x=np.array([1.0, 2])), draws=np.eye(2, 3), marks=np.array([1, 2]))
    two = make("b", 3, added=dict(y=np.array([3.0, 4, 5])), draws=np.eye(3),
               marks=np.array([3, 4, 5]), parts=dict(score=np.array([7, 8, 9])))
    assert join_batches([one]) is one
    found = join_batches([one, two])
    assert found.parts["question"].tolist() == [0, 1, 0, 1, 2] and len(found) == 5
    assert found.parts["score"].tolist() == [None, None, 7, 8, 9]
    assert {name: values.tolist() for name, values in found.added.items()} == dict(
        x=[1, 2, 0, 0, 0], y=[0, 0, 3, 4, 5]
    )
    assert found.draws.shape == (5, 3) and found.marks.tolist() == [1, 2, 3, 4, 5]
    assert [found.place("p", row) for row in range(5)] == ["p a0", "p a1", "p b0", "p b1", "p b2"]
    bare = join_batches([replace(one, draws=None, marks=None), two])
    assert bare.draws is None and bare.marks is None and bare.in_order
    assert not join_batches([replace(one, in_order=False), two]).in_order


def test_the_first_row_of_several_batches():
    plain = batch_of(dict(question=np.arange(2)))
    last = replace(batch_of(dict(question=np.arange(3))),
                   find_first=lambda part, some: int(np.flatnonzero(some)[-1]))
    found = join_batches([plain, last])
    for some, first in (("01100", 1), ("11001", 0), ("00101", 4), ("00010", 3)):
        assert found.find_first("score", np.array(list(map(int, some)))) == first


def test_samples_are_placed_in_the_rows_of_their_names():
    found = [("n", "1", "x"), ("o", "1", "y"), ("m", "1", 3)]
    row, ids = place_samples({("m", "1"): 4, ("n", "1"): 2}, found)
    assert (row.tolist(), ids.tolist()) == ([2, 4], ["x", 3])
    row, ids = place_samples({}, [("a", "b")])
    assert len(row) == len(ids) == 0 and row.dtype == np.int64


TASK = dict(task=["a", "a", "b", "b"], trial=[0, 1, 0, 1], correct=[1, 0, 1, 1])


@pytest.mark.parametrize(
    "change, named, found",
    [
        ({}, {}, True),
        ({}, dict(question="task"), False),
        (dict(id=[1, 2, 3, 4]), {}, False),
        (dict(name=list("wxyz")), {}, False),
        (dict(trial=None), {}, False),
        (dict(trial=None, seed=[0, 1, 0, 1]), {}, True),
        (dict(trial=[0, 0, 0, 1]), {}, False),
        (dict(task=list("abcd")), {}, False),
        (dict(nr=[0, 1, 0, 1]), dict(sample="nr"), False),
        (dict(correct=None), {}, False),
        (dict(correct=None, right=[1] * 4), dict(correct="right"), True),
        ({}, dict(model="task"), False),
        (dict(task=["a"] * 4, model=list("xxyy")), {}, True),
        (dict(task=["a"] * 4, who=list("xxyy")), {}, False),
        (dict(task=["a"] * 4, who=list("xxyy")), dict(model="who"), True),
    ],
)
def test_a_task_that_was_tried_several_times(change, named, found):
    columns = {name: values for name, values in (TASK | change).items() if values is not None}
    source = columns_source(columns)
    want = dict(question="task") if found else {}
    assert find_task([source], list(columns), named) == want
    assert find_task([replace(source, verb="counted")], list(columns), named) == {}
    other = columns_source(dict(x=[1]))
    assert find_task([source, other], list(columns), named) == {}


@pytest.mark.parametrize(
    "columns, alone",
    [
        (dict(x=[1, 0]), True),
        ({"x": [1], "Unnamed: 0": [0]}, True),
        ({"x": [1, 0], "index": [1, 2]}, True),
        ({"x": [1, 0], "": [0, 1]}, True),
        ({"x": [1, 0], "index": [0, 2]}, False),
        ({"x": [1, 0], "index": ["a", "b"]}, False),
        ({"x": [1, 0], "y": [0, 1]}, False),
        ({"x": [1, 0], "index": [0, 1], "y": [0, 1]}, False),
    ],
)
def test_samples_beside_nothing_but_numbers_of_rows(columns, alone):
    source = columns_source(columns)
    assert are_alone([source], list(columns), {"x"}) is alone
    assert are_alone([source], ["x"], {"x"}) and are_alone([source], list(columns), {*columns})


# Columns that tell rows apart.


@pytest.mark.parametrize(
    "parts, told",
    [
        (
            dict(system__llm=["a", "b"]),
            "a question needs rows of one llm, got 'a' and 'b' for id 1 (1 of 1 questions fail); "
            "pass model='llm' to tell them apart, sample='llm' if they are draws of one model, "
            "or ignore='llm' if it changes nothing; or keep the rows of one llm",
        ),
        (
            dict(system__llm=["b", "a", "b"]),
            "a question needs rows of one llm, got 'a' and 'b' for id 1 (1 of 1 questions fail); "
            "pass model='llm' to tell them apart, or ignore='llm' if it changes nothing; "
            "or keep the rows of one llm",
        ),
        (
            dict(system__t=[0.5, 0.25]),
            "a question needs rows of one t, got 0.25 and 0.5 for id 1 (1 of 1 questions fail); "
            "pass model='t' to tell them apart, or ignore='t' if it changes nothing; "
            "or keep the rows of one t",
        ),
        (
            dict(system__t=["b", 2]),
            "got 2 and 'b' for id 1 (1 of 1 questions fail); pass model='t' to tell them apart, "
            "sample='t' if",
        ),
        (
            dict(system__t=[10.0, 9.0]),
            "got 9 and 10 for id 1 (1 of 1 questions fail); pass model='t' to tell them apart, "
            "sample='t' if",
        ),
        (
            dict(grade__metric=["f1", "em", "acc"]),
            "a sample has one outcome, but there are rows of several metric, "
            "got 'acc' and 'em' for id 1 (1 of 1 questions fail); "
            "keep the rows of one metric, or pass ignore='metric' if it changes nothing",
        ),
        (
            dict(file=["x/a.csv", "x\\b.csv"]),
            "files with the same questions must be told apart, got 'a.csv' and 'b.csv' for id 1 "
            "(1 of 1 questions fail); pass files_hold='models' if each file is a model, "
            "files_hold='draws' if they hold more samples of one; "
            "if they are other tasks, add a column dataset to each",
        ),
    ],
)
def test_rows_of_one_question_that_do_not_belong_together(parts, told):
    size = len(next(iter(parts.values())))
    assert told in find_error(
        refuse_others, make_batch(question=[1.0] * size, **parts), dict(question="id"), Options()
    )


def test_questions_that_fail_are_counted():
    batch = make_batch(question=[3, 3, 1, 1, 2, 2], system__m=["a", "b", "c", "d", "e", "e"])
    assert "got 'c' and 'd' for q 1 (2 of 3 questions fail)" in find_error(
        refuse_others, batch, dict(question="q"), Options()
    )
    apart = make_batch(question=[1, 1], model=["x", "y"], system__m=["a", "b"])
    assert refuse_others(apart, dict(question="q"), Options()) is None
    grouped = make_batch(question=[1, 1], group=["x", "y"], system__m=["a", "b"])
    assert refuse_others(grouped, dict(question="q"), Options()) is None
    tasks = make_batch(question=[1, 1], task__t=["x", "y"], system__m=["a", "b"])
    assert refuse_others(tasks, dict(question="q"), Options()) is None
    files = make_batch(question=[1, 1], file=["a", "b"])
    assert refuse_others(files, dict(question="q"), Options(files_hold="draws")) is None
    assert "files_hold=" in find_error(refuse_others, files, dict(question="q"), Options())


# Options.


def test_gradings_side_by_side():
    def judge(answer, target):
        return True

    options = Options.of(dict(grade=["exact", judge], score="s"))
    assert options.several == ("grade", ("exact", judge)) and options.given == ("grade", "score")
    split = options.split()
    assert (
        list(split) == ["exact", "judge"]
        and split["judge"].grade is judge
        and split["exact"].grade == "exact"
    )
    assert all(
        own.several is None and own.columns == dict(score="s") and own.given == options.given
        for own in split.values()
    )
    columns = Options.of(dict(correct=("a", "b"), question="q")).split()
    assert [own.columns for own in columns.values()] == [
        dict(question="q", correct="a"),
        dict(question="q", correct="b"),
    ]
    assert (
        Options.of(dict(correct="a")).split() == {}
        and Options.of(dict(filter=["f"])).split()["f"].filter == "f"
    )
    assert (name_grading("x"), name_grading(judge), name_grading(3)) == ("x", "judge", "3")


@pytest.mark.parametrize("name", ["weights", "largest_weight"])
def test_options_of_other_verbs(name):
    assert find_error(Options.of, {name: 1}) == (
        f"TypeError: {name}= is for score, compare, table and gate; "
        "leave it out, or use one of these"
    )


# Columns as plain arrays.

NAN = float("nan")


def show(values):
    return list(map(repr, values.tolist() if isinstance(values, np.ndarray) else values))


# Values.


@pytest.mark.parametrize(
    "text, want",
    [
        ("3", 3),
        ("3.000", 3),
        ("1E+2", 100),
        ("2.5", 2.5),
        ("-0.25", -0.25),
        ("Infinity", math.inf),
        ("1E-400", None),
        ("0.99999999999999999999", None),
        ("1.00000000000000000001", None),
        ("12345678901234567890", 12345678901234567890),
    ],
)
def test_a_decimal_is_no_other_numbers_name(text, want):
    assert repr(read_decimal(Decimal(text))) == repr(Decimal(text) if want is None else want)


def test_nested_answers_as_text():
    nested = np.empty(6, object)
    nested[:] = [
        {"b": np.array([1, 2]), "a": "ü"},
        [Decimal("1.5"), None],
        (1, 2),
        "x",
        None,
        np.array([[1]]),
    ]
    assert comparable(nested).tolist() == [
        '{"a": "ü", "b": [1, 2]}',
        '["1.5", null]',
        "[1, 2]",
        "x",
        None,
        "[[1]]",
    ]
    assert show(comparable(np.array([1, 2.5], object))) == ["1", "2.5"]
    assert comparable(np.array([1.0, NAN])).dtype.kind == "f"


# Small tables: columns that are kept by states, and what is printed of them.

OLD = Spread(((np.array([0.5, 1.0]), np.array([1, 0, 1])), (np.array([0.25]), np.array([0]))))
NEW = Spread(((np.array([0.0, 1.0]), np.array([1, 1, 0, 0])),))


def test_columns_kept_by_states():
    assert OLD.fill().tolist() == [1.0, 0.5, 1.0, 0.25] and Gap(NEW, OLD).fill().tolist() == [
        0.0,
        0.5,
        -1.0,
        -0.25,
    ]
    table = Columns(dict(a=OLD, b=Gap(NEW, OLD), c=["x", "y", "z", "w"]))
    assert table["a"].tolist() == [1.0, 0.5, 1.0, 0.25] and table["b"].tolist() == [
        0.0,
        0.5,
        -1.0,
        -0.25,
    ]
    assert table["c"].dtype.kind == "U"
    assert (
        table.rows()[1] == dict(a=0.5, b=0.5, c="y")
        and len(table) == 3
        and list(table) == ["a", "b", "c"]
    )
    assert table.where(np.array([2, 0])).rows() == [
        dict(a=1.0, b=-1.0, c="z"),
        dict(a=1.0, b=0.0, c="x"),
    ]


def test_equal_tables():
    one = Columns(dict(a=[1, 2], b=[3, 4]))
    assert one == Columns(dict(a=np.array([1, 2]), b=[3, 4])) and one != Columns(
        dict(b=[3, 4], a=[1, 2])
    )
    assert one != Columns(dict(a=[1, 2], b=[3, 5])) and one != Columns(dict(a=[1, 2]))
    assert one != dict(a=[1, 2], b=[3, 4])
    with pytest.raises(ValueError):
        Columns(dict(a=[1, 2], b=[3])).rows()


def test_a_table_as_text():
    assert repr(Columns(dict(name=["a\x1b", "long"], x=[0.5, 1], n=[12345, 7]))) == (
        "name      x      n\n  a\ufffd  0.500  12345\nlong  1.000      7"
    )
    assert repr(Columns(dict(n=list(range(21))))).endswith("\n19\n... 1 more rows")


# Columns without a known name: which are refused, at each boundary.


def cross(questions, *counts):
    "Questions that have each value so often, as codes of rows."
    one = [code for code, count in enumerate(counts) for _ in range(count)]
    return np.repeat(np.arange(questions), len(one)), np.tile(one, questions)


def is_design(question, value, system=None):
    "Whether values lie over the questions by design."
    system = np.zeros(len(question), int) if system is None else system
    return find_spread(np.asarray(question), system, np.asarray(value)).designed


def test_a_design_is_told_from_chance():
    for counts in (1, 1), (2, 1), (1, 1, 1), (4, 4), (3, 0, 3):
        assert is_design(*cross(6, *counts))
    assert not is_design(*cross(1, 1, 1)) and not is_design(*cross(9, 3))
    rng = np.random.default_rng(0)
    question = np.repeat(np.arange(60), 8)
    for _ in range(200):
        assert not is_design(question, rng.integers(rng.integers(2, 9), size=480))


@pytest.mark.parametrize("settings, each", [(2, 4), (2, 2), (2, 1), (3, 1), (4, 2)])
@pytest.mark.parametrize("lost", [0, 0.03, 0.1])
def test_a_design_is_seen_where_rows_are_lost(settings, each, lost):
    rng = np.random.default_rng(settings)
    question, value = cross(40, *[each] * settings)
    for _ in range(20):
        kept = rng.random(len(question)) >= lost
        assert is_design(question[kept], value[kept])


def test_a_design_within_one_system_is_seen():
    question, value = cross(12, 1, 1, 1, 1)
    nested = np.r_[value, np.full(48, 9)], np.r_[np.zeros(48, int), np.ones(48, int)]
    assert is_design(np.r_[question, np.repeat(np.arange(12), 4)], *nested)
    # Run ids that no question shares, and a value for each question, are none.
    assert not is_design(question, np.arange(48)) and not is_design(question, question)
    assert not is_design(np.arange(9), np.arange(9) % 2)


def fail(rows, **options):
    "What is said of a table; empty if it is read."
    try:
        load(rows, Options.of(options))
    except ValueError as error:
        return str(error)
    return ""


def refuse(values, size, **more):
    "What is said of a column; empty if it is let through."
    rows = [
        dict(id=i // size, correct=1, which=value)
        | {name: column[i] for name, column in more.items()}
        for i, value in enumerate(values)
    ]
    return fail(rows)


def test_settings_are_told_from_fractions_and_texts():
    assert refuse([f"v{i:02}" for i in range(80)] * 2, 80) == (
        "column 'which' takes the same values ('v00', 'v01', ...) in every question: "
        "a model, a setting or the sample? Pass sample='which' if they are draws, "
        "model='which' to tell them apart, by='which' if they are groups, "
        "or ignore='which' if it changes nothing"
    )
    for values in [i + 0.5 for i in range(51)] * 2, [f"{i}.5" for i in range(51)] * 2:
        assert refuse(values, 51) == ""
    assert "takes the same values" in refuse([0.5, 1.5] * 9, 2)
    assert refuse(["x" * 201, "y" * 201] * 9, 2) == "" != refuse(["x" * 200, "y"] * 9, 2)


@pytest.mark.parametrize("name", ["variant", "prompt_variant", "version", "shots"])
def test_numbers_under_the_name_of_a_setting_are_asked_about(name):
    rows = [{"id": i // 4, "correct": 1, name: i % 4 + 1} for i in range(40)]
    assert f"column {name!r} takes the same values" in fail(rows)
    assert fail(rows, sample=name) == "" == fail(rows, by=name)


def test_numbers_of_samples_and_repeated_values():
    for names in range(4), range(1, 5), "0123", [1.0, 2.0, 3.0, 4.0]:
        assert refuse([*names] * 20, 4) == ""
    for names in "abcd", (0, 1, 5, 9), (1024, 2048, 4096, 8192):
        assert "sample='which' if they are draws" in refuse([*names] * 20, 4)
        # A number of samples has other names.
        assert refuse([*names] * 20, 4, sample=[*range(4)] * 20) == ""
    unique = [*range(80)]
    assert "('a', 'b', ...)" in refuse([*"abcd"] * 20, 4, sample=unique)
    twice = refuse([0, 0, 1, 1] * 20, 4)
    assert "('0', '1') in every question" in twice and "sample=" not in twice
    assert refuse([0, 0, 1, 1] * 20, 4, sample=[*range(4)] * 20) == twice
    assert "('1', 'a')" in refuse(["a", "a", 1, 1] * 20, 4)
    assert "('9', '10')" in refuse(["10", "10", "9", "9"] * 20, 4)


def test_what_happened_to_a_sample_is_no_setting():
    for name in "finish_reason", "status", "latency_ms", "gpu", "startedAt", "errorType":
        assert fail([dict(id=i // 2, correct=1) | {name: i % 2 * 3} for i in range(40)]) == ""
    for name in "max_tokens", "thinking", "errors_allowed_mode":
        assert "takes the same values" in fail(
            [dict(id=i // 2, correct=1) | {name: i % 2 * 3} for i in range(40)]
        )


def test_runs_are_named_or_numbered():
    def look(*values):
        refuse_named_runs("run", np.array([*values, None], object))

    for fine in ("a",), (1, 2.0), ("run_1", "Run_22"), ("0123456789ab", "ba9876543210"):
        look(*fine)
    with pytest.raises(ValueError) as error:
        look("run_b", "run_a")
    assert str(error.value) == (
        "run must number the samples, got 'run_a' and 'run_b'; "
        "pass model='run' if each is a model of its own, "
        "or sample='run' if they are draws of one model"
    )


# Texts.


def test_texts_repeat_within_a_model():
    texts, models = np.array([*"aabb"], object), np.array([*"xyxy"], object)
    assert repeats(texts, []) and not repeats(texts, [models])
    assert repeats(np.array([*"aabbcc"], object), [np.array([*"xxxxyz"], object)])


def test_names_of_rows_beside_few_texts():
    rows = [dict(id=i, prompt=p, correct=1) for i, p in enumerate("aab")]
    assert fail(rows) == (
        "3 rows have 3 different id, but most share their prompt with another; "
        "pass question='prompt' if rows of one prompt are samples of one question, "
        "question='id' if each is a question of its own"
    )
    assert (
        fail(rows, question="id")
        == fail(rows[1:])
        == fail([row | dict(prompt=row["id"]) for row in rows])
        == ""
    )
    assert fail([row | dict(id=0) for row in rows], ignore="prompt") == ""
    assert fail([row | dict(model=m) for row, m in zip(rows, "xyy")]) == ""
    # The text that differs most is named; one that never repeats stands for the question.
    both = [
        row | dict(problem=p) for row, p in zip(rows + [dict(id=3, prompt="b", correct=1)], "ccdf")
    ]
    assert "share their problem with another" in fail(both)
    assert fail([row | dict(problem=i) for i, row in enumerate(both)]) == ""


def test_advice_for_one_name_of_two_texts():
    "Fewer texts than questions tell systems apart; as many are the questions."
    rows = [
        dict(id=10, prompt="a", correct=1),
        dict(id=10, prompt="b", correct=1),
        dict(id=9, prompt="a", correct=1),
    ]
    few = rows + [dict(id=8, prompt="a", correct=0)]
    assert fail(few) == (
        "one id needs one prompt, got two for 10; pass model='prompt' to tell these apart, "
        "or ignore='prompt' if its wording changes from sample to sample"
    )
    assert "pass question='prompt' if the text is the question" in fail(
        few[:-1] + [dict(few[-1], prompt="c")]
    )
    assert "got two for 9; " in fail(few + [dict(id=9, prompt="b", correct=1)])
    assert fail([row | dict(prompt=p) for row, p in zip(few, ["a", None, "b", "b"])]) == ""
    assert fail([row | dict(prompt="") for row in few]) == ""
    assert "got two for 10; " in fail(few + [dict(id=8, prompt=None, correct=0)])


@pytest.mark.parametrize("asked", ["by", "model"])
def test_the_only_column_of_questions_plays_no_other_part(asked):
    "No other column is offered in its place: a prompt may be that of several questions."
    rows = [dict(question=f"q{q}", prompt=f"p{q % 2}", correct=q % 3 % 2) for q in range(8)]
    with pytest.raises(ValueError, match="leaves no column for the question") as error:
        score(rows, **{asked: "question"})
    assert error.value.ways == ()


@pytest.mark.parametrize(
    "values, several", [([0, 1, 0], True), ([0, 0, 0], False), ([0, 1, 2], False)]
)
def test_a_column_numbers_samples_where_it_repeats_and_varies(values, several):
    assert has_numbers(dict(sample=values)) == several
    assert not has_numbers(dict(name=values))


@pytest.mark.parametrize("lonely", [0, 1])
def test_runs_that_agree_are_found_where_one_has_a_question_more(lonely):
    "Forty flaky questions, eight samples each, the same in two runs; one run holds another one."
    right = np.arange(320) % 8 < 4
    run = np.r_[np.repeat([0, 1], 320), lonely]
    pair = np.r_[np.tile(np.repeat(np.arange(40), 8), 2), 40]
    outcome = np.r_[right, right, True].astype(int)
    found = find_coincidence(run, pair, outcome, lambda: outcome + 2 * pair, np.ones(641, int))
    assert (found.first, found.second, found.questions) == (0, 1, 40)
