"What tells rows of one question apart: names of columns, copies and coincidences."

from dataclasses import replace
from math import comb, exp, log

import numpy as np
import pytest

from sampling_eval.reading.columns import Batch, batch_of
from sampling_eval.reading.counted import CountedRows
from sampling_eval.reading.identity import (
    advise_repeat,
    are_duplicates,
    are_numbers,
    check_duplicates,
    choose_files,
    code_few,
    find_chance,
    find_coincidence,
    find_marks,
    has_several,
    have_common,
    join_heads,
    join_names,
    label_files,
    list_scope,
    list_unused,
    may_hold_draws,
    read_name,
    refuse_named_runs,
    refuse_other_text,
    refuse_row_ids,
    repeats,
    settle_tasks,
    tell_rule,
    tell_value,
)
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.options import Options
from sampling_eval.reading.values import tidy
from sampling_eval.spelling import spell


def batch(**parts):
    parts = {name.replace("__", " "): tidy(values) for name, values in parts.items()}
    size = len(next(iter(parts.values())))
    return Batch(parts, np.ones(size, int), lambda part, row: f"at {row}")


@pytest.mark.parametrize(
    "files_hold, files, chosen, model",
    [
        ("models", "ab", {}, "\0file"),
        ("models", "a", {}, None),
        ("draws", "ab", {}, None),
        (None, "ab", {}, None),
        ("models", "a", dict(model="m"), "m"),
    ],
)
def test_models_that_are_files(files_hold, files, chosen, model):
    options = Options.of(dict(files_hold=files_hold))
    assert choose_files(chosen, options, list(files)).get("model") == model


def test_models_of_files_and_of_a_column():
    options = Options.of(dict(files_hold="models"))
    with pytest.raises(ValueError, match="names each model after its file, but there is model='m'"):
        choose_files(dict(model="m"), options, ["a", "b"])


@pytest.mark.parametrize(
    "chosen, options, draws",
    [
        ({}, {}, True),
        (dict(sample="s"), {}, False),
        (dict(model="m"), {}, False),
        ({}, dict(model=False), False),
        (dict(sample="s"), dict(files_hold="draws"), True),
        ({}, dict(files_hold="models"), False),
    ],
)
def test_files_that_may_hold_draws(chosen, options, draws):
    assert may_hold_draws(chosen, Options.of(options)) is draws


def test_columns_that_tell_rows_apart():
    columns = ["q", "scorer", "Agent", "dataset", "split", "x"]
    options = Options.of(dict(ignore=["split"]))
    assert find_marks(columns, dict(question="q"), options, ["a"]) == {
        "task dataset": "dataset",
        "system Agent": "Agent",
        "grade scorer": "scorer",
    }
    chosen = dict(question="q", cluster="dataset")
    marks = find_marks(columns, chosen, options, ["a", "b"])
    assert marks["task dataset"] == "dataset" and marks["file"] == "\0file"
    assert "task x" not in find_marks(columns, dict(question="q", cluster="x"), options, ["a"])
    with pytest.raises(ValueError, match="ignore='z' is not a column"):
        find_marks(columns, {}, Options.of(dict(ignore=["z"])), [])


def test_tasks_in_which_names_restart():
    both = batch(question=[1, 1], task__d=["a", "b"], task__s=["x", "x"])
    found, notes = settle_tasks(both, dict(question="q"))
    assert list(found.parts) == ["question", "task d"] and notes[0].names == ("d", "q")
    found, notes = settle_tasks(batch(question=[1, 2], task__d=["a", "b"]), dict(question="q"))
    assert list(found.parts) == ["question"] and notes == []
    # The second task adds nothing to the first one.
    both = batch(question=[1, 1], task__d=["a", "b"], task__s=["x", "y"])
    assert list(settle_tasks(both, dict(question="q"))[0].parts) == ["question", "task d"]


def test_what_one_sample_is_called():
    named = dict(file="f", model="m", group="g", question=1, sample=2, other=3)
    whole = dict(file="f", model="m", sample=2)
    assert join_names(batch(question=[1, 2], group=["g", "h"]), named) == whole | dict(question=1)
    same = batch(question=[1, 1], group=["g", "h"])
    assert join_names(same, named) == whole | dict(question="g/1")
    tasks = batch(question=[1, 1], group=["g", "h"], task__d=["a", "b"])
    assert join_names(tasks, named | {"task d": "a"})["question"] == "a/1"


@pytest.mark.parametrize(
    "part, column, once, option, hint",
    [
        ("file", "", False, "files_hold", "if each file is a model"),
        ("grade scorer", "scorer", True, "ignore", "keep the rows of one scorer, or pass"),
        ("system agent", "agent", True, "model", "sample='agent' if they are draws"),
        ("system agent", "agent", False, "model", "to tell them apart, or ignore='agent'"),
    ],
)
def test_ways_out_of_a_column(part, column, once, option, hint):
    asked, _, ways = tell_rule(part, column, once)
    assert asked == option and hint in spell(ways)


def test_values_as_they_are_told():
    assert tell_value("file", "x/y\\z.csv") == "'z.csv'" and tell_value("system m", 1.0) == "1"
    assert [read_name(v) for v in ("3", "03", 3.0, "x", 2.5)] == [3, "03", 3, "x", 2.5]


def test_advice_on_a_sample_that_appears_twice():
    chosen = dict(question="q", sample="s")
    told = str(advise_repeat(["q", "s", "a", "b", "c"], chosen, ["f"]))
    assert "if a column (a, b, c) tells" in told and "files" not in told
    told = str(advise_repeat(["q", "s", "a", "b", "c", "d"], chosen, ["f", "g"]))
    assert "(a, b, c, ...)" in told and "if the files hold other models" in told
    assert "if a column tells" in str(advise_repeat(["q", "s"], chosen, []))
    run = str(advise_repeat(["q", "run"], dict(question="q", sample="s"), []))
    assert run.startswith("if each run is a model of its own")
    own = dict(question="q", sample="s", model="run")
    assert "if a column tells" in str(advise_repeat(["q", "run"], own, []))


@pytest.mark.parametrize(
    "names, numbers",
    [
        ([0, 1, 2], True),
        (["1", "2"], True),
        ([2.0, 1], True),
        ([1, 3], False),
        ([2, 3], False),
        ([0, 1, "x"], False),
        ([True, 0], False),
        ([], True),
    ],
    ids=str,
)
def test_values_that_count_samples(names, numbers):
    assert are_numbers(names) is numbers


@pytest.mark.parametrize("size, few", [(1, False), (2, True), (50, True), (51, False)])
def test_few_values(size, few):
    assert bool(code_few(np.arange(size))[1]) is few


@pytest.mark.parametrize(
    "values, named",
    [
        (["run_1", "run_2"], False),
        (["run_1", "job_1"], True),
        (["Run 1", "run 2"], False),
        ([1, 2.0, None], False),
        (["a1b2c3d4", "ffffffff"], False),
        (["a", "b"], True),
    ],
    ids=str,
)
def test_runs_that_are_names(values, named):
    if not named:
        return refuse_named_runs("run", tidy(values))
    with pytest.raises(ValueError, match="run must number the samples, got '"):
        refuse_named_runs("run", tidy(values))


@pytest.mark.parametrize(
    "texts, models, same",
    [
        ("aabc", "", True),
        ("aabcd", "", False),
        ("aaaa", "", False),
        ("aabb", "xyxy", False),
        (["a", "a", "b", None, ""], "", True),
    ],
)
def test_texts_that_most_rows_share(texts, models, same):
    held = [tidy(list(models))] if models else []
    assert repeats(tidy(list(texts)), held) is same


def test_questions_of_two_runs():
    assert have_common(np.array([0, 1]), np.array([3, 3]))
    assert not have_common(np.array([0, 1, 1]), np.array([0, 1, 1]))


# Whole tables.


def head(**columns):
    return {name: tidy(list(values)) for name, values in columns.items()}


@pytest.mark.parametrize(
    "names, texts, said",
    [
        ("aab", ["x", "y", "z"], "one q needs one prompt, got two for 'a'; pass question='prompt'"),
        ("aab", ["x", "y", "x"], "got two for 'a'; pass question='prompt' if the text is the"),
        ("aabc", ["x", "y", "x", "x"], "got two for 'a'; pass model='prompt' to tell these apart"),
        ("bbaa", ["x", "y", "y", "z"], "got two for 'a'; pass"),
        (["10", "10", "9", "9"], ["x", "y", "y", "z"], "got two for 9; pass"),
        ("aab", ["x", "x", "z"], None),
        ("aab", ["x", None, "z"], None),
        ("aab", ["x", "", "z"], None),
        ("aab", ["", None, ""], None),
    ],
)
def test_one_name_of_two_texts(names, texts, said):
    table = head(q=names, prompt=texts)
    scope = np.unique(table["q"].astype(str), return_inverse=True)[1]
    if said is None:
        return refuse_other_text(table, "q", "prompt", scope)
    with pytest.raises(ValueError) as error:
        refuse_other_text(table, "q", "prompt", scope)
    assert said in str(error.value) and error.value.option == "ignore"
    assert "or ignore='prompt' if its wording changes from sample to sample" in str(error.value)


def make_rows(question, times=None, **more):
    question = np.array(question)
    names = np.arange(int(question.max()) + 1)
    times = np.ones(len(question), int) if times is None else np.array(times)
    return CountedRows(question, names, times, **more)


@pytest.mark.parametrize(
    "question, times, model, several",
    [
        ([0, 1, 2], None, None, False),
        ([0, 0, 1], None, None, True),
        ([0, 1], [2, 1], None, True),
        ([0, 0], None, "xy", False),
        ([0, 0, 1], None, "xyx", False),
        ([0, 0, 0], None, "xyx", True),
        ([0, 0], [1, 2], "xy", True),
    ],
)
def test_questions_of_several_samples(question, times, model, several):
    model = None if model is None else np.array(list(model), object)
    assert has_several(make_rows(question, times, model=model)) is several


@pytest.mark.parametrize(
    "texts, question, named",
    [
        (dict(prompt="aab"), [0, 1, 2], "prompt"),
        (dict(prompt="abc"), [0, 1, 2], None),
        (dict(prompt="aa"), [0, 1], None),
        (dict(prompt="aab"), [0, 0, 1], None),
        (dict(prompt="aabb", problem="aabc"), [0, 1, 2, 3], "problem"),
        (dict(prompt="aabb", problem="abcd"), [0, 1, 2, 3], None),
        ({}, [0, 1, 2], None),
    ],
)
def test_names_that_number_the_rows(texts, question, named):
    table, rows = head(**texts), make_rows(question)
    if named is None:
        return refuse_row_ids(table, [], list(texts), rows, "nr")
    with pytest.raises(ValueError) as error:
        refuse_row_ids(table, [], list(texts), rows, "nr")
    count = len(question)
    assert str(error.value) == (
        f"{count} rows have {count} different nr, but most share their {named} with another; pass "
        f"question='{named}' if rows of one {named} are samples of one question, question='nr' if "
        "each is a question of its own"
    )


def look_for_copies(options=None, chosen=None, **columns):
    chosen = dict(question="q") | (chosen or {})
    table = {name: list(values) for name, values in columns.items()}
    held = batch_of({part: tidy(table[column]) for part, column in chosen.items()})
    return check_duplicates([columns_source(table)], held, chosen, Options.of(options or {}))


def test_rows_that_may_be_copies():
    "Eight rows of two questions: each stands there under two numbers, and is equal else."
    q, nr = "aaaabbbb", [0, 0, 1, 1] * 2
    (note,) = look_for_copies(q=q, nr=nr, correct=[1, 1, 0, 0] * 2)
    assert (note.kind, note.count, note.total, note.value) == ("exact_copies", 4, 8, 3)
    # Numbers that are told or ignored, that stand once or are no numbers, rows that differ.
    assert look_for_copies(q=q, nr=nr, correct=[1, 1, 0, 0] * 2, chosen=dict(sample="nr")) == ()
    assert look_for_copies(q=q, nr=[0, 1, 2, 3] * 2, correct=[1, 1, 0, 0] * 2) == ()
    assert look_for_copies(q=q, nr=list("xxyy") * 2, correct=[1, 1, 0, 0] * 2) == ()
    assert look_for_copies(q=q, nr=nr, correct=[1, 0, 0, 0] * 2) == ()
    assert look_for_copies(q=q, nr=[0] * 8, correct=[1, 1, 0, 0] * 2) == ()
    assert look_for_copies(q=q, seed=nr, correct=[1, 1, 0, 0] * 2) == ()
    (told,) = look_for_copies(dict(sample=False), q=q, seed=nr, correct=[1, 1, 0, 0] * 2)
    assert told == note


def test_copies_that_are_no_chance():
    "Of 4 rows of a question, two right, 2 of 6 orders agree: less than 1 in 10,000 from 9 on."
    def look(size):
        q, nr = np.repeat(np.arange(size), 4).tolist(), [0, 0, 1, 1] * size
        return look_for_copies(q=q, nr=nr, correct=[1, 1, 0, 0] * size)

    assert (1 / 3) ** 8 > 1e-4 > (1 / 3) ** 9 and look(8)[0].count == 16
    with pytest.raises(ValueError) as error:
        look(9)
    assert str(error.value) == (
        "each sample must appear once, got 18 of 36 rows are exact copies of other rows (all 3 "
        f"columns are equal), which samples of their own are with a chance of {(1 / 3) ** 9:.0e}; "
        "leave the copies out and pass sample='nr', or take 'nr' out of the data"
    )


@pytest.mark.parametrize(
    "columns, copies",
    [
        (dict(q="aab", s=[0, 0, 0], x=[5, 5, 6]), True),
        (dict(q="aab", s=[0, 0, 0], x=[5, 7, 6]), False),
        (dict(q="aab", s=[0, 1, 0], x=[5, 5, 6]), False),
    ],
)
def test_rows_of_one_sample_that_are_equal(columns, copies):
    table = {name: list(values) for name, values in columns.items()}
    held = batch_of(dict(question=tidy(table["q"]), sample=tidy(table["s"])))
    sources = [columns_source(table)]
    assert are_duplicates(sources, held, dict(question="q", sample="s")) is copies
    assert not are_duplicates(sources, held, dict(question="q", sample="other"))


def test_first_rows_of_several_tables():
    one, two = columns_source(dict(id=[1, 2], x=[3, 4])), columns_source(dict(id=[5], y=[6]))
    found = join_heads([one, two], ["y", "x", "y"])
    assert {name: values.tolist() for name, values in found.items()} == dict(
        y=[None, None, 6], x=[3, 4, None]
    )
    large = replace(one, head=lambda columns, size: {c: np.arange(size) for c in columns})
    assert join_heads([large, two], ["id"], 2)["id"].tolist() == [0, 1, 5]
    assert len(join_heads([large], ["id"])["id"]) == 10_000


@pytest.mark.parametrize(
    "columns, chosen, options, unused",
    [
        (["q", "x", "cost", "note"], {}, dict(sums="cost", ignore=["note"]), ["x"]),
        (["q", "run", "it"], dict(sample="run,it"), {}, []),
        (["q", "sample", "x"], {}, dict(sample=False), ["x"]),
        (["q", "model_id", "x"], dict(model="m"), dict(model="m"), ["x"]),
        (["q", "score", "x"], {}, dict(score="s"), ["score", "x"]),
    ],
)
def test_columns_that_play_no_part(columns, chosen, options, unused):
    assert list_unused(columns, dict(question="q") | chosen, Options.of(options)) == unused


def test_columns_that_name_a_question_of_a_model():
    held = batch(question=[1], task__d=["a"], model=["m"])
    chosen = dict(question="q", group="g", model="m")
    assert list_scope(held, chosen) == ["q", "g", "m", "d"]
    assert list_scope(held, chosen | dict(model="\0file")) == ["q", "g", "d"]


def test_models_called_after_their_files():
    rows = make_rows([0, 1, 1], model=np.array(["d/x/a.csv", "d/y/a.csv", "z"], object))
    files = ["d/x/a.csv", "d/y/a.csv"]
    found = label_files(rows, dict(model="\0file"), files)
    assert found.model.tolist() == ["x/a", "y/a", "z"]
    assert label_files(rows, dict(model="m"), files) is rows
    bare = make_rows([0])
    assert label_files(bare, dict(model="\0file"), files) is bare


# Chances, by counting.


def test_the_chance_that_rows_of_one_number_agree():
    "Two questions, two numbers each, every row twice: of 4!/(2!2!) orders 2 keep them together."
    scope, key = np.repeat([0, 1], 4), np.repeat(range(4), 2)
    content = np.repeat([0, 1, 0, 1], 2)
    assert find_chance(scope, key, content) == pytest.approx(2 * log(2 / comb(4, 2)))
    assert find_chance(scope, key, np.zeros(8, int)) == pytest.approx(0)
    assert find_chance(scope[:-1], key[:-1], content[:-1]) is None


def coincide(questions, right, other=None, times=None):
    "Two runs, with a right and a wrong sample on each question."
    run = np.repeat([0, 1], 2 * questions)
    pair = np.tile(np.repeat(range(questions), 2), 2)
    one = [right, 0] * questions
    outcome = np.array(one + (one if other is None else other))
    contents = 2 * pair + outcome
    times = np.ones(len(run)) if times is None else times
    return find_coincidence(run, pair, outcome, lambda: contents, times)


def test_two_runs_that_agree_too_well():
    "Of 4 samples of which 2 are right, 2 by 2 agree in 2 * 2 / comb(4, 2) of the orders."
    chance = 4 / comb(4, 2)
    first = next(n for n in range(1, 99) if chance**n <= 1e-4)
    assert coincide(first - 1, 1) is None
    found = coincide(first, 1)
    assert (found.first, found.second, found.questions) == (0, 1, first)
    assert found.chance == pytest.approx(chance**first)
    assert "agree in every count of" in found.said
    # Another outcome somewhere, or nothing to choose from.
    assert coincide(first, 1, [1, 0] * (first - 1) + [0, 0]) is None
    assert coincide(99, 0) is None
    assert coincide(2000, 1).chance == exp(-700)
