"Which column plays which part, which rows belong together, and the options that say so."
import pytest

from conftest import name_kind
from sampling_eval.io.columns import batch_of, choose_columns
from sampling_eval.io.identity import refuse_others
from sampling_eval.io.options import Options, name_grading
from sampling_eval.io.values import tidy


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError)) as error: check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


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
    (["id", "scores.accuracy.value", "scores"], dict(score="scores.acc"), "score='scores.acc' is not a column, got 'id', "
     "'scores.accuracy.value', 'scores'; did you mean 'scores.accuracy.value'? Try: sampling_eval.score(data, score='scores.accuracy.value')"),
    (["id", "w"], dict(weight="ww"), "weights='ww' is not a column, got 'id', 'w'; did you mean 'w'? Try: sampling_eval.score(data, weights='w')"),
    (["id", "run", "run_id"], {}, "ambiguous: 'run' or 'run_id' could be the sample. Try: sampling_eval.score(data, "
     "sample='run'), or: sampling_eval.score(data, sample='run_id')"),
    (["id", "seed", "epoch", "run"], {}, "ambiguous: 'seed' or 'epoch' could be the sample. Try: sampling_eval.score(data, "
     "sample='seed'), or: sampling_eval.score(data, sample='epoch')"),
    (["id", "a"], dict(correct="a", answer="a"), "a column plays one part, got 'a' as correct and as answer; name "
     "another"),
    (["id", "a"], dict(score="a", model="a"), "a column plays one part, got 'a' as score and as model; name another")])
def test_columns_that_are_refused(columns, named, told):
    assert find_error(choose_columns, columns, named) == f"ValueError: {told}"


# Columns that tell rows apart.


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


# Options.


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


@pytest.mark.parametrize("name", ["weights", "largest_weight"])
def test_options_of_other_verbs(name):
    assert find_error(Options.of, {name: 1}) == (
        f"TypeError: {name}= is for score, compare, table and gate; leave it out, or use one of these")
