"What tells rows of one question apart: names of columns, copies and coincidences."

from math import comb, exp, log

import numpy as np
import pytest

from sampling_eval.reading.columns import Batch
from sampling_eval.reading.identity import (
    advise_repeat,
    are_numbers,
    choose_files,
    code_few,
    find_chance,
    find_coincidence,
    find_marks,
    have_common,
    join_names,
    may_hold_draws,
    read_name,
    refuse_named_runs,
    repeats,
    settle_tasks,
    tell_rule,
    tell_value,
)
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
