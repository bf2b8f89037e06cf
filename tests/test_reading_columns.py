"""Which column plays which part, and which rows belong together.

Columns without a known name, and columns as arrays."""

import math
from decimal import Decimal

import numpy as np
import pytest

from conftest import name_kind
from sampling_eval import score
from sampling_eval.reading.column_candidates import has_numbers
from sampling_eval.reading.columns import batch_of, choose_columns
from sampling_eval.reading.identity import (
    find_coincidence,
    refuse_named_runs,
    refuse_others,
    repeats,
)
from sampling_eval.reading.structure import find_spread
from sampling_eval.reading.load import load
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
