"Which column plays which part, which rows belong together, and the options that say so."
import numpy as np
import pytest

from sampling_eval.io.columns import (choose_columns, is_mark, leave_runs, list_names, pick_only, simplify,
                                           tell_no_column)
from sampling_eval.io.counted import CountedRows
from sampling_eval.io.identity import (advise_repeat, choose_files, find_marks, join_names, label_files, list_keys,
                                            list_unused, may_hold_draws, name_tasks, names_restart, refuse_others,
                                            settle_tasks)
from sampling_eval.io.load import load
from sampling_eval.io.frames import name_known, suit_inspect
from sampling_eval.io.options import Options, name_columns, name_grading
from sampling_eval.io.tabular import FILE, Batch, Source, batch_of
from sampling_eval.io.values import tidy


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError)) as error: check(*given, **named)
    return f"{type(error.value).__name__}: {error.value}"


def make_batch(**parts):
    found = {part.replace("__", " "): tidy(list(values)) for part, values in parts.items()}
    return batch_of(found)


# Columns by name.

@pytest.mark.parametrize("columns, named, want", [
    (["id", "Trial", "PASSED", "my answer", "final answer"], {},
     dict(question="id", sample="Trial", correct="PASSED", answer="final answer")),
    (["id", "run", "seed"], {}, dict(question="id", sample="seed")),
    (["id", "run"], {}, dict(question="id", sample="run")),
    (["id", "trial", "run"], dict(sample=False), dict(question="id")),
    (["id", "trial", "run"], dict(model="trial"), dict(question="id", sample="run", model="trial")),
    (["id", "acc"], dict(correct="acc", score="acc"), dict(question="id", correct="acc", score="acc")),
    (["id", "w", "t"], dict(group="t", weight="w"), dict(question="id", group="t", weight="w")),
    (["weight", "group", "id"], {}, dict(question="id", cluster="group")),
    ([" Task-ID "], None, dict(question=" Task-ID ")), (["id", "x"], dict(question="x", sample=None),
                                                        dict(question="x"))])
def test_columns_of_parts(columns, named, want):
    found = choose_columns(iter(columns), named)
    assert found == want and list(found) == list(want)


@pytest.mark.parametrize("columns, named, told", [
    (["id", "t"], dict(group="s"), "by='s' is not a column, got 'id', 't'"),
    (["id", "w"], dict(weight="ww"), "weights='ww' is not a column, got 'id', 'w'; did you mean 'w'?"),
    (["id", "run", "run_id"], {}, "sample must be one column, got 'run' and 'run_id'; pass sample='run' or "
     "sample='run_id'"),
    (["id", "seed", "epoch", "run"], {}, "sample must be one column, got 'seed' and 'epoch'; pass sample='seed' or "
     "sample='epoch'"),
    (["id", "a"], dict(correct="a", answer="a"), "a column plays one part, got 'a' as correct and as answer; name "
     "another"),
    (["id", "a"], dict(score="a", model="a"), "a column plays one part, got 'a' as score and as model; name another")])
def test_columns_that_are_refused(columns, named, told):
    assert find_error(choose_columns, columns, named) == f"ValueError: {told}"


def test_single_questions_about_columns():
    assert (pick_only("x", []), pick_only("x", ["a"])) == (None, "a")
    assert leave_runs(["run", "seed", "RUN_ID"]) == ["seed"] and leave_runs(["run", "run_id"]) == ["run", "run_id"]
    assert [is_mark(part) for part in ("task x", "file", "system y z", "grade", "model",
                                       "question")] == [True] * 4 + [False] * 2
    assert (simplify(" Task-ID x "), simplify(3)) == ("task_id_x", "3")
    assert list_names([]) == "no columns" and list_names(list("abc")) == "'a', 'b', 'c'"
    assert list_names([*range(12)]).endswith("10, 11") and list_names([*range(13)]).endswith("10, 11 and 1 more")
    assert tell_no_column("sums", "cost", ["costs", "x"]).endswith("; did you mean 'costs'?")
    # Half of the letters must agree: 2 * 1 / (2 + 2) is .5, and 2 * 1 / (2 + 3) is less.
    assert tell_no_column("sums", "ab", ["ax"]).endswith("; did you mean 'ax'?")
    assert tell_no_column("sums", "ab", ["axy"]) == "sums='ab' is not a column, got 'axy'"


# Files that hold models.

def test_files_as_models():
    chosen, models = dict(question="id"), Options(files_hold="models")
    assert choose_files(chosen, models, ["a", "b"]) == dict(question="id", model=FILE)
    assert choose_files(chosen, models, ["a"]) == chosen == choose_files(chosen, Options(), ["a", "b"])
    assert find_error(choose_files, dict(model="m"), models, ["a", "b"]) == (
        "ValueError: files_hold='models' names each model after its file, but there is model='m'; leave files_hold "
        "out, "
        "or pass model=False")


def test_models_that_are_files_have_short_names():
    rows = CountedRows(np.array([0, 0]), np.array(["q"]), np.array([1, 1]),
                       model=np.array(["/x/a.csv", "/x/b.csv"], object))
    files = ["/x/a.csv", "/x/b.csv"]
    assert label_files(rows, dict(model=FILE), files).model.tolist() == ["a", "b"]
    assert label_files(rows, dict(model="m"), files) is rows is label_files(rows, {}, files)
    nameless = CountedRows(rows.question, rows.questions, rows.times)
    assert label_files(nameless, dict(model=FILE), files) is nameless


@pytest.mark.parametrize("chosen, options, want", [
    ({}, {}, True), (dict(sample="s"), {}, False), (dict(model="m"), {}, False),
    ({}, dict(columns=dict(model=False)), False),
    ({}, dict(columns=dict(sample=False)), True), (dict(sample="s"), dict(files_hold="draws"), True),
    ({}, dict(files_hold="models"), False)])
def test_files_that_may_hold_draws(chosen, options, want):
    assert may_hold_draws(chosen, Options(**options)) is want
    assert ("file" in find_marks([], chosen, Options(**options), ["a", "b"])) is want
    assert "file" not in find_marks([], chosen, Options(**options), ["a"])


# Columns that tell rows apart.

def test_marks_of_columns():
    columns = ["id", "Step", "split", "dataset", "run", "metric", "other", "llm"]
    chosen = dict(question="id")
    found = find_marks(columns, chosen, Options(), [])
    assert list(found.items()) == [("task dataset", "dataset"), ("task split", "split"), ("system llm", "llm"),
                                   ("system Step", "Step"), ("grade metric", "metric"), ("system run", "run")]
    named = find_marks(columns, chosen, Options(columns=dict(sample=False)), [])
    assert "system run" not in named and "system llm" in named
    assert list(find_marks(columns, chosen | dict(model="llm"), Options(ignore=("Step", "run")), [])) == [
        "task dataset", "task split", "grade metric"]
    assert "task Subject" in find_marks(["id"], dict(cluster="Subject"), Options(), [])
    assert "task passage" not in find_marks(["id"], dict(cluster="passage"), Options(), [])


def test_columns_that_are_not_used():
    columns = ["id", "model", "system", "Trial", "cost", "x"]
    assert list_unused(columns, dict(question="id"), Options()) == columns[1:]
    assert list_unused(columns, dict(question="id"), Options(sums=("cost",), ignore=("x",))) == columns[1:4]
    assert list_unused(columns, {}, Options(columns=dict(model="x"))) == ["id", "Trial", "cost", "x"]
    assert list_unused(columns, {}, Options(columns=dict(sample=False))) == ["id", "model", "system", "cost", "x"]
    assert list_unused(columns, {}, Options(columns=dict(sample="x"))) == columns
    assert find_error(list_unused, columns, {}, Options(ignore=("y",
                                                                ))).startswith("ValueError: ignore='y' is not a column")


def test_tasks_that_name_questions():
    batch = make_batch(question=[1, 1, 2, 2], task__a=["x", "x", "y", "y"], task__b=["u", "v", "u", "u"])
    found, said = settle_tasks(batch, dict(question="id"))
    assert list(found.parts) == ["question", "task b"]
    assert said == ("questions are named b/id, since one id stands under several values of b (ignore='b' if it is one "
                    "question)")
    batch = make_batch(question=[1, 1, 1], task__a=["x", "y", "y"], task__b=["u", "u", "v"], task__c=["s", "t", "t"])
    found, said = settle_tasks(batch, dict(question="id"))
    assert list(found.parts) == ["question", "task a", "task b"] and said.startswith("questions are named a/b/id, "
                                                                                     "since")
    assert "several values of a and b (ignore='a' if" in said
    assert settle_tasks(make_batch(question=[1, 2], task__a=["x", "y"]), {})[1] == ""
    assert list(settle_tasks(make_batch(question=[1, 2], task__a=["x", "y"]), {})[0].parts) == ["question"]
    plain = make_batch(question=[1])
    assert settle_tasks(plain, {}) == (plain, "")
    grouped = make_batch(question=[1, 1], group=["g", "h"], task__a=["x", "y"])
    assert list(settle_tasks(grouped, {})[0].parts) == ["question", "group"]


@pytest.mark.parametrize("parts, told", [
    (dict(system__llm=["a", "b"]), "a question needs rows of one llm, got 'a' and 'b' for id 1 (1 of 1 questions "
     "fail); "
     "pass model='llm' to tell them apart, sample='llm' if they are draws of one model, or ignore='llm' if it changes "
     "nothing; or keep the rows of one llm"),
    (dict(system__llm=["b", "a", "b"]), "a question needs rows of one llm, got 'a' and 'b' for id 1 (1 of 1 questions "
     "fail); pass model='llm' to tell them apart, or ignore='llm' if it changes nothing; or keep the rows of one llm"),
    (dict(system__t=[.5, .25]), "a question needs rows of one t, got 0.25 and 0.5 for id 1 (1 of 1 questions fail); "
     "pass "
     "model='t' to tell them apart, or ignore='t' if it changes nothing; or keep the rows of one t"),
    (dict(system__t=["b", 2]), "got 2 and 'b' for id 1 (1 of 1 questions fail); pass model='t' to tell them apart, "
     "sample='t' if"),
    (dict(system__t=[10., 9.]), "got 9 and 10 for id 1 (1 of 1 questions fail); pass model='t' to tell them apart, "
     "sample='t' if"),
    (dict(grade__metric=["f1", "em", "acc"]), "a sample has one outcome, but there are rows of several metric, got "
     "'acc' "
     "and 'em' for id 1 (1 of 1 questions fail); keep the rows of one metric, or pass ignore='metric' if it changes "
     "nothing"),
    (dict(file=["x/a.csv", "x\\b.csv"]), "files with the same questions must be told apart, got 'a.csv' and 'b.csv' "
     "for id "
     "1 (1 of 1 questions fail); pass files_hold='models' if each file is a model, files_hold='draws' if they hold "
     "more "
     "samples of one; if they are other tasks, add a column dataset to each")])
def test_rows_of_one_question_that_do_not_belong_together(parts, told):
    size = len(next(iter(parts.values())))
    assert told in find_error(refuse_others, make_batch(question=[1.] * size, **parts), dict(question="id"), Options())


def test_questions_that_fail_are_counted():
    batch = make_batch(question=[3, 3, 1, 1, 2, 2], system__m=["a", "b", "c", "d", "e", "e"])
    assert "got 'c' and 'd' for q 1 (2 of 3 questions fail)" in find_error(refuse_others, batch, dict(question="q"),
                                                                           Options())
    apart = make_batch(question=[1, 1], model=["x", "y"], system__m=["a", "b"])
    assert refuse_others(apart, dict(question="q"), Options()) is None
    grouped = make_batch(question=[1, 1], group=["x", "y"], system__m=["a", "b"])
    assert refuse_others(grouped, dict(question="q"), Options()) is None
    tasks = make_batch(question=[1, 1], task__t=["x", "y"], system__m=["a", "b"])
    assert refuse_others(tasks, dict(question="q"), Options()) is None
    files = make_batch(question=[1, 1], file=["a", "b"])
    assert refuse_others(files, dict(question="q"), Options(files_hold="draws")) is None
    assert "files_hold=" in find_error(refuse_others, files, dict(question="q"), Options())


def test_draws_come_once_only_where_each_stands_for_one_sample():
    batch = make_batch(question=[1, 1], system__m=["a", "b"])
    twice = Batch(batch.parts, np.array([1, 2]), batch.place)
    ask = dict(question="q"), Options()
    assert "sample='m' if" in find_error(refuse_others, batch, *ask)
    assert "sample='m' if" not in find_error(refuse_others, twice, *ask)


# Names of a sample.

def test_names_of_a_sample():
    batch = make_batch(sample=[0, 0], question=[1, 1], task__b=["u", "v"], group=["g", "g"], file=["f", "f"],
                       task__a=["x", "x"], model=["m", "m"])
    assert list_keys(batch) == ["file", "model", "group", "task b", "task a", "question", "sample"]
    assert name_tasks(batch) == ["task b", "task a"] and not names_restart(batch)
    named = dict(file="f", model="m", group="g", question=1, sample=0) | {"task a": "x", "task b": "u"}
    assert join_names(batch, named) == dict(file="f", model="m", question="u/x/1", sample=0)
    plain = make_batch(sample=[0], question=[1])
    assert list_keys(plain) == ["question", "sample"] and join_names(plain, dict(question=1, sample=0)) == dict(
        question=1, sample=0)
    assert names_restart(make_batch(question=[1, 1, 2], group=["g", "h", "g"]))
    restarted = make_batch(sample=[0, 0], question=[1, 1], group=["g", "h"])
    assert names_restart(restarted)
    assert join_names(restarted, dict(group="h", question=1, sample=0)) == dict(question="h/1", sample=0)
    by_task = make_batch(question=[1, 1], task__a=["x", "y"], group=["g", "h"])
    assert not names_restart(by_task)


@pytest.mark.parametrize("columns, chosen, files, told", [
    (["id", "s"], dict(question="id", sample="s"), [], "; if a column tells them apart, pass model='...' or "
     "sample='...'; "
     "if each row is a sample of its own, pass sample=False"),
    (["id", "s", "a", "b", "c"], dict(question="id", sample="s"), ["f"],
     "; if a column (a, b, c) tells them apart, pass "
     "model='...' or sample='...'; if each row is a sample of its own, pass sample=False"),
    (["id", "s", "a", "b", "c", "d"], dict(question="id", sample="s"), ["f", "g"],
     "; if a column (a, b, c, ...) tells them "
     "apart, pass model='...' or sample='...'; if each row is a sample of its own, pass sample=False; if the files "
     "hold "
     "other models or more samples, pass files_hold='models' or 'draws'"),
    (["id", "seed", "Run"], dict(question="id", sample="seed"), [],
     "; if each Run is a model of its own, pass model='Run'; "
     "if each row is a sample of its own, pass sample=False"),
    (["id", "run"], dict(question="id", sample="run"), [], "; if each run is a model of its own, pass model='run'; if "
     "each "
     "row is a sample of its own, pass sample=False"),
    (["id", "s", "run"], dict(question="id", sample="s", model="run"), [],
     "; if a column tells them apart, pass model='...' "
     "or sample='...'; if each row is a sample of its own, pass sample=False")])
def test_ways_out_of_a_repeat(columns, chosen, files, told):
    assert advise_repeat(columns, chosen, files) == told


# Sources that know their columns.

def make_source(*columns, **known): return Source(list(columns), None, known=known)


def test_known_columns_of_a_source():
    source = make_source("id", "s", question=("id",), score=("s",), sample=())
    assert name_known(source, Options()).columns == dict(question="id", score="s")
    assert name_known(source, Options(columns=dict(question="x"))).columns == dict(question="x", score="s")
    assert name_known(source, Options(columns=dict(correct="c"))).columns == dict(correct="c", question="id")
    assert name_known(source, Options(columns=dict(correct=False))).columns == dict(correct=False, question="id",
                                                                                    score="s")
    two = make_source("id", score=("a", "b"))
    assert find_error(name_known, two, Options()) == (
        "ValueError: score must be one column, got 'a' and 'b'; pass score='a' or score='b'")


def test_frames_of_inspect_name_their_columns():
    def take(chosen, keep): return batch_of({part: tidy(["C", "YES", "?", 1, None]) for part in chosen})
    known = "sample_id", "eval_id", "id", "epoch"
    plain = Source(list(known[:3]), take)
    assert suit_inspect(plain) is plain
    assert suit_inspect(Source(list(known), take)).known == dict(question=("id",), sample=("epoch",), score=())
    frame = suit_inspect(Source([*known, "score_x", "score"], take))
    assert frame.known == dict(question=("id",), sample=("epoch",), score=("score_x",))
    taken = frame.take(dict(question="id", score="score_x"), None).parts
    assert taken["score"].tolist() == [1, 1, "?", 1, None]
    assert taken["question"].tolist()[0] == "C"
    assert frame.take(dict(question="id", score="score"), None).parts["score"].tolist()[0] == "C"


# Options.

def test_options_that_name_columns():
    for given, want in [({}, False), (dict(score="acc"), False), (dict(by="task"), False),
                        (dict(cluster="task"), False),
                        (dict(question="task"), True), (dict(by="part"), True), (dict(question=False), False),
                        (dict(sums="cost"), True), (dict(question="q", harness="table"), True),
                        (dict(harness="table"), True),
                        (dict(question="q", harness="lm-eval"), False), (dict(ignore="x"), False)]:
        assert Options.of(given).names_columns is want, given


@pytest.mark.parametrize("cluster, uses, groups", [
    (None, False, False), (True, True, False), (False, False, False), ("c", True, False), ("", False, False),
    ({}, False, True), ({"a": 1}, False, True), (["x"], False, True)])
def test_clusters_of_rows_and_of_questions(cluster, uses, groups):
    options = Options.of(dict(cluster=cluster))
    assert options.uses_clusters is uses and options.groups_questions is groups
    assert options.given == (("cluster",) if isinstance(cluster, (str, bool)) else ())


def test_what_was_given():
    options = Options.of(dict(by="t", missing="drop", cluster="c", filter="f", threshold=.5, no_answer="vote"),
                         weights="w")
    assert sorted(options.given) == ["cluster", "filter", "group", "threshold", "weights"]
    assert options.columns == dict(cluster="c", group="t", weight="w") and options.weights == "w"
    assert (options.policy.missing, options.policy.no_answer, options.filter, options.harness) == ("drop", "vote", "f",
                                                                                                   "auto")
    assert Options.of({}, weights={"a": 1}).given == () and "weight" not in Options.of({}, weights={"a": 1}).columns
    assert find_error(Options.of, {}, weights=3) == (
        "TypeError: weights must be a column or a mapping of question to weight, got int")


def test_gradings_side_by_side():
    def judge(answer, target): return True
    options = Options.of(dict(grade=["exact", judge], score="s"))
    assert options.several == ("grade", ("exact", judge)) and options.given == ("grade", "score")
    split = options.split()
    assert list(split) == ["exact", "judge"] and split["judge"].grade is judge and split["exact"].grade == "exact"
    assert all(own.several is None and own.columns == dict(score="s") and own.given == options.given
               for own in split.values())
    columns = Options.of(dict(correct=("a", "b"), question="q")).split()
    assert [own.columns for own in columns.values()] == [dict(question="q", correct="a"),
                                                         dict(question="q", correct="b")]
    assert Options.of(dict(correct="a")).split() == {} and Options.of(dict(filter=["f"])).split()["f"].filter == "f"
    assert (name_grading("x"), name_grading(judge), name_grading(3)) == ("x", "judge", "3")


def test_names_of_further_columns():
    assert (name_columns("sums", "a"), name_columns("sums", ["a", "b"]), name_columns("sums", ())) == (("a",),
                                                                                                       ("a", "b"), ())
    assert find_error(name_columns, "ignore",
                      ["a", "a"]) == "ValueError: ignore must name each column once, got ('a', 'a')"


@pytest.mark.parametrize("name", ["weights", "largest_weight"])
def test_options_of_other_verbs(name):
    assert find_error(Options.of, {name: 1}) == (
        f"TypeError: {name}= is for score, compare, table and gate; leave it out, or use one of these")


def test_a_weight_in_words():
    with pytest.raises(ValueError, match="finite weight, got 0 at row 1"):
        load([dict(id=1, correct=1, w=1), dict(id=2, correct=1, w=0)], Options.of({}, weights="w"))
