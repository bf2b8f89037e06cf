"Rows become counted rows: equal ones are added, in the order of the data or of their names."
import json

import duckdb
import numpy as np
import pytest

from conftest import name_kind
from sampling_eval.io import counts_file
from sampling_eval.io.counted import CountedRows
from sampling_eval.io.counts_file import (find_counts, read_counts, read_counts_files, tabulate_rows, write_counts,
                                               write_texts)
from sampling_eval.io.sample_ids import set_bits
from sampling_eval.io.frames import FEW
from sampling_eval.io.merging import stack_gradings
from sampling_eval.io.merging import merge_rows, share_questions, stack_runs
from sampling_eval.io.options import Options
from sampling_eval.io.grouped_rows import File
from sampling_eval.io.reduce import code_answers, rank_answers, reduce_rows
from sampling_eval.io.tables import check_threshold
from sampling_eval.io.tabular import Batch, Keep
from sampling_eval.io.grouped_rows import Task
from sampling_eval.results.reading import ReadNote, ReadSummary
from sampling_eval.io.values import tidy

NAN = float("nan")


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError, OSError)) as error: check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


def place(part, row): return f"at <{part} {row}>"


def make_batch(times=None, added=None, in_order=True, draws=None, **parts):
    held = {part.replace("__", " "): tidy(list(values)) for part, values in parts.items()}
    size = len(held["question"])
    return Batch(held, np.ones(size, int) if times is None else np.array(times), place, added or {}, draws, in_order)


def show(rows):
    "Every column that is known of counted rows, row by row, as lists."
    found = dict(question=rows.questions[rows.question].tolist(), times=rows.times.tolist())
    for part in ("correct", "answer", "score", "total", "scored", "model", "group", "cluster", "weight", "draws",
                 "runs"):
        column = getattr(rows, part)
        if column is not None: found[part] = [None if v != v else v for v in column.tolist()]
    return found | {f"sum {name}": values.tolist() for name, values in rows.sums.items()}


def reduce(batch, chosen=None, **keep):
    rows, notes = reduce_rows(batch, Keep(**keep), chosen or {})
    return show(rows), notes


# Equal rows.

TABLE = dict(question=["b", "a", "b", "b", "a"], correct=[0, 1, 0, 1, None])


def test_equal_rows_in_the_order_of_the_data_or_of_their_names():
    assert reduce(make_batch(**TABLE)) == (dict(question=["b", "a", "b", "a"], times=[2, 1, 1, 1],
                                                correct=[0, 1, 1, None]), [])
    found, _ = reduce(make_batch(in_order=False, **TABLE))
    assert found == dict(question=["a", "a", "b", "b"], times=[1, 1, 1, 2], correct=[1, None, 1, 0])
    weighed, _ = reduce(make_batch(times=[1, 2, 4, 8, 16], **TABLE))
    assert weighed["times"] == [5, 2, 8, 16]


def test_rows_of_an_engine_stand_by_model_question_outcome_answer_and_score():
    parts = dict(model=["y", "x", "x", "x", "x", "x", "x"], question=["a", "b", "a", "a", "a", "a", "a"],
                 correct=[1, 1, 0, 1, 1, 1, 1], answer=["r", "r", "w", "s", "r", None, "r"],
                 score=[1, 1, 0, 1, 1, 1, .5])
    found, _ = reduce(make_batch(in_order=False, **parts))
    assert found["model"] == ["x"] * 6 + ["y"] and found["question"] == ["a"] * 5 + ["b", "a"]
    assert found["correct"] == [1, 1, 1, 1, 0, 1, 1] and found["score"] == [1, .5, 1, 1, 0, 1, 1]
    assert found["answer"] == [None, "r", "r", "s", "w", "r", "r"]
    assert reduce(make_batch(in_order=False, **parts), answers=False)[0].get("answer") is None


@pytest.mark.parametrize("part", ["model", "group", "cluster", "answer", "score", "correct"])
def test_what_differs_in_one_column_is_kept_apart(part):
    values = dict(correct=[1., 0.], score=[.5, .25]).get(part, ["u", "v"])
    question = ["a", "b"] if part == "cluster" else ["a", "a"]
    for in_order in True, False:
        rows, _ = reduce(make_batch(question=question * 2, in_order=in_order, **{part: values * 2}))
        assert rows["times"] == [2, 2] and sorted(map(str, rows[part])) == sorted(map(str, values))


@pytest.mark.parametrize("parts", [
    dict(correct=[None, 1, 0]), dict(correct=[1, 1, None]), dict(answer=["x", "y", "x"]), dict(score=[.5, 1, .5]),
    dict(model=["x", "y", "x"]), dict(group=["x", "x", "y"])])
def test_questions_are_never_mixed(parts):
    question = ["a", "b", "c"] if "correct" in parts or "group" in parts else ["a", "a", "b"]
    for in_order in True, False:
        rows, _ = reduce(make_batch(question=question, in_order=in_order, **parts))
        assert rows["times"] == [1, 1, 1] and sorted(rows["question"]) == question


def test_questions_stand_in_the_order_of_the_data():
    def list_questions(**given): return reduce_rows(make_batch(**given), Keep(), {})[0].questions.tolist()
    assert list_questions(question=["b", "a"]) == ["b", "a"] and list_questions(question=["b", "a"],
        in_order=False) == [
        "a", "b"]
    groups = dict(question=[2, 2, 1], group=["h", "g", "g"])
    assert list_questions(**groups) == ["h/2", "g/2", "g/1"]
    assert list_questions(in_order=False, **groups) == ["g/1", "g/2", "h/2"]
    told = find_error(list_questions, question=["a", None])
    assert told == "ValueError: every row needs a question, got none at <question 1> (1 of 2 fail)"
    told = find_error(list_questions, question=["a", "b"], task__part=[None, "x"])
    assert told == "ValueError: every row needs a part, got none at <task part 0> (1 of 2 fail)"


def test_wrong_rows_stand_before_missing_ones():
    parts = dict(question=["a"] * 3, correct=[None, 0, 1], answer=["x", "z", "y"])
    assert reduce(make_batch(in_order=False, **parts))[0]["correct"] == [1, 0, None]


def test_sums_of_equal_rows():
    parts = dict(question=["a", "a", "b", "a"], correct=[1, 1, 0, 0], score=[.5, .5, NAN, .25])
    found, _ = reduce(make_batch(sum__cost=[1, 2, 4, None], **parts), scores=True)
    assert found["total"] == [1, 0, .25] and found["scored"] == [2, 0, 1] and found["times"] == [2, 1, 1]
    assert found["sum cost"][:2] == [3, 4] and np.isnan(found["sum cost"][2])
    weighed, _ = reduce(make_batch(times=[2, 3, 4, 5], **parts))
    assert weighed["total"] == [2.5, 0, 1.25] and weighed["scored"] == [5, 0, 5] and weighed["times"] == [5, 4, 5]
    # Sums that an engine has added, beside scores of other rows.
    added = dict(total=np.array([0, 7.]), scored=np.array([0., 9]))
    both, _ = reduce(make_batch(times=[2, 9], added=added, question=["a", "b"], correct=[1, 1], score=[.5, None]))
    assert both["total"] == [1, 7] and both["scored"] == [2, 9]
    single, _ = reduce(make_batch(question=["c", "a", "b"], correct=[1, 1, 1], sum__cost=[3, 1, 2], in_order=False))
    assert single["question"] == ["a", "b", "c"] and single["sum cost"] == [1, 2, 3]


def test_outcomes_that_an_engine_derived():
    added = dict(total=np.array([1.]), scored=np.array([1.]))
    found, notes = reduce(make_batch(question=["a"], correct=[1], added=added), dict(score="s"), threshold=.25)
    said = ReadNote("sums_only", count=FEW)
    assert notes == [ReadNote("threshold", ("s",), value=.25), said] and found["correct"] == [1]
    for scores in True, False: assert said not in reduce(make_batch(question=["a"], added=added), scores=scores)[1]
    assert said not in reduce(make_batch(question=["a"], score=[1], added=added), dict(score="s"))[1]


def test_answers_of_several_types():
    answers = np.array(["1", 1, 1., True, None, "1", None], object)
    assert code_answers(answers).tolist() == [0, 1, 2, 3, 4, 0, 4]
    assert code_answers(np.array(["a", None, "a"], object)).tolist() == [0, 1, 0]
    assert code_answers(np.array(["1", 1, None, 1], object)).tolist() == [0, 1, 2, 1]
    assert code_answers(np.array([{1}, {1}, "a"], object)).tolist() == [0, 1, 2]
    assert rank_answers(answers).tolist() == [4, 3, 2, 1, 0, 4, 0]
    found, _ = reduce(make_batch(question=["a"] * 7, answer=answers.tolist()))
    assert found["times"] == [2, 1, 1, 1, 2]


# Names.

def test_questions_that_restart_in_groups_and_tasks():
    found, notes = reduce(make_batch(question=[1, 1, 2, 1], group=["h", "g", "g", "h"]))
    assert found["question"] == ["h/1", "g/1", "g/2"] and notes == [ReadNote("named_by_group")]
    sorted_, _ = reduce(make_batch(question=[1, 1, 2, 1], group=["h", "g", "g", "h"], in_order=False))
    assert sorted_["question"] == ["g/1", "g/2", "h/1"] and sorted_["times"] == [1, 1, 2]
    found, notes = reduce(make_batch(question=[1, 2, 1], group=["g", "h", "g"]))
    assert found["question"] == [1, 2] and notes == []
    found, _ = reduce(make_batch(question=[1, 1], task__b=["x", "y"], task__a=["u", "u"]))
    assert found["question"] == ["x/u/1", "y/u/1"]
    mixed, notes = reduce(make_batch(question=[1, "2"], model=[.5, "m"]))
    assert notes == [ReadNote("mixed_names", ("question",))] and mixed["model"] == ["0.5", "m"]


def test_repeats_among_rows():
    told = find_error(reduce, make_batch(question=[1, 1], sample=[3, 3], correct=[1, 1]))
    assert told.startswith("ValueError: each sample must appear once, got question 1, sample 3 at <sample 0> and again "
                           "at")
    assert "model 'm', question" in find_error(reduce, make_batch(model="mm", question=[1, 1], sample=[3, 3]))
    assert reduce(make_batch(model="mn", question=[1, 1], sample=[3, 3]))[0]["times"] == [1, 1]
    assert "(1 of 1 questions fail)" in find_error(reduce, make_batch(question=[1, 1], cluster="ab"))


def test_sample_numbers_and_runs_of_equal_rows():
    batch = make_batch(question=["a", "a", "b", "a"], sample=[0, 2, 155, 1], correct=[1, 1, 1, 0])
    assert "draws" not in reduce(batch)[0] and "runs" not in reduce(batch)[0]
    found = reduce(batch, draws=True)[0]
    assert found["draws"] == [[5, 0, 0], [0, 0, 2**51], [2, 0, 0]] and "runs" not in found
    rows, _ = reduce_rows(batch, Keep(runs=True), {})
    assert rows.run_names == (0, 1, 2, 155) and rows.runs[:, 0].tolist() == [5, 8, 2] and rows.draws is None
    files = make_batch(question=["a", "a"], sample=[0, 1], file=["f", "g"])
    assert "draws" not in reduce(files, draws=True)[0]
    counted = make_batch(question=["a", "b"], times=[1, 1], draws=set_bits(np.array([3, 4])))
    assert reduce(counted, draws=True)[0]["draws"] == [[8, 0, 0], [16, 0, 0]]
    # A sample without a bit could be any: what is left of the others says nothing.
    partly = make_batch(question=["a", "b"], times=[2, 1], draws=set_bits(np.array([3, 4])))
    assert "draws" not in reduce(partly, draws=True)[0]
    assert "draws" not in reduce(make_batch(question=["a"], sample=["x"]), draws=True)[0]


def test_weights_of_questions():
    found, _ = reduce(make_batch(question=["a", "b", "a"], correct=[1, 0, 0], weight=[2, .5, 2]))
    assert found["weight"] == [2, .5, 2]


# From sources to rows.


@pytest.mark.parametrize("chosen, threshold, told", [
    ({}, "0.5", "TypeError: threshold must be a number, got '0.5'"), ({}, True, "TypeError: threshold must be a "
                                                                      "number, got True"),
    ({}, NAN, "ValueError: threshold must be finite, got nan"), ({}, -np.inf, "ValueError: threshold must be finite, "
                                                                 "got -inf"),
    (dict(correct="c", score="s"), .5, "ValueError: threshold derives correct from score, but there is correct='c'; "
     "leave "
     "threshold out, or pass correct=False"),
    ({}, 0, "ValueError: threshold derives correct from score, and no column is the score; pass score='...'")])
def test_thresholds_that_are_refused(chosen, threshold, told):
    assert find_error(check_threshold, chosen, threshold) == told
    assert check_threshold({}, None) is None is check_threshold(dict(score="s"), np.float32(.5))


# Runs that are added.

def make_rows(question, times, correct=None, source="", files=(), tasks=(), **given):
    held = {part: np.array(list(values), object if part in ("answer", "model", "group", "cluster") else None)
            for part, values in given.items()}
    names = list(dict.fromkeys(question))
    right = None if correct is None else np.array(correct, float)
    return CountedRows(np.array([names.index(q) for q in question]), np.array(names, object), np.array(times), right,
                       summary=ReadSummary("table", source, rows=sum(times), columns=dict(question="q"))
                       if source else ReadSummary(),
                       files=tuple(files), tasks=tuple(tasks), **held)


def test_runs_as_one_batch():
    one = make_rows(["a", "b"], [2, 1], [1, 0], score=[.5, 1], total=[1, 1.], scored=[2, 1], answer=["x", None])
    two = make_rows(["b"], [3], [1], score=[.25], total=[.75], scored=[3])
    batch = stack_runs([one, two], False)
    assert {part: values.tolist() for part, values in batch.parts.items()} == dict(
        question=["a", "b", "b"], correct=[1, 0, 1], score=[.5, 1, .25])
    assert batch.times.tolist() == [2, 1, 3] and batch.added == {} and not batch.in_order and batch.place("x", 3) == (
        "in the runs")
    summed = make_rows(["b"], [3], [1], total=[.75], scored=[3])
    added = stack_runs([one, summed], False).added
    assert added["total"].tolist() == [1, 1, .75] and added["scored"].tolist() == [2, 1, 3] and len(added) == 2
    assert stack_runs([one, make_rows(["b"], [1], [1])], False).added == {}
    bits = make_rows(["a"], [1], [1], draws=[[1, 0, 0]])
    assert stack_runs([bits, bits], False).draws.tolist() == [[1, 0, 0]] * 2
    assert stack_runs([bits, bits], True).draws is None and stack_runs([bits, one], False).draws is None


def test_runs_with_sums_of_scores_say_nothing_of_single_ones():
    runs = [make_rows(["a"], [2], [1], total=[1.5], scored=[2]), make_rows(["a"], [1], [1], total=[.25], scored=[1])]
    merged = merge_rows(*runs, separate=True)
    assert show(merged) == dict(question=["a"], times=[3], correct=[1], total=[1.75], scored=[3])
    assert merged.source == "added 2 runs: unnamed; unnamed"
    stacked = stack_gradings(dict(u=runs[0], v=runs[1]))
    assert "different scores" not in stacked.source and show(stacked)["total"] == [1.5, .25]


def test_runs_that_are_merged():
    one = make_rows(["b", "a"], [2, 1], [1, 0], score=[.5, 1], total=[1, 1.], scored=[2, 1], answer=["x", None],
                    source="a", draws=[[3, 0, 0], [4, 0, 0]])
    two = make_rows(["a", "b"], [3, 1], [0, NAN], score=[1, .5], total=[3, .5], scored=[3, 1], answer=[None, "x"],
                    source="b", draws=[[3 + 8, 0, 0], [4, 0, 0]])
    merged = merge_rows(one, two)
    assert show(merged) == dict(question=["a", "b", "b"], times=[4, 2, 1], correct=[0, 1, None],
                                answer=[None, "x", "x"],
                                score=[1, .5, .5], total=[4, 1, .5], scored=[4, 2, 1],
                                draws=[[15, 0, 0], [3, 0, 0], [4, 0, 0]])
    assert merged.source == "added 2 runs, 3 rows from a and 4 rows from b: question=q"
    assert merge_rows(one).source == "added 1 run, 3 rows from a: question=q"
    graded = make_rows(["a"], [2], score=[.5], total=[1.], scored=[2])
    assert merge_rows(graded).correct is None and show(merge_rows(graded))["total"] == [1]


def test_sums_that_all_runs_have_are_added():
    one = make_rows(["a", "b"], [1, 1], [1, 1])
    with_sums = [CountedRows(**{**vars(one), "sums": sums}) for sums in (
        dict(cost=np.array([1., 2]), price=np.array([1., 1])), dict(cost=np.array([4., 8])))]
    merged = merge_rows(*with_sums, separate=True)
    assert {name: values.tolist() for name, values in merged.sums.items()} == dict(cost=[5, 10])


@pytest.mark.parametrize("a, b, told", [
    (dict(files=[File("x/a", "h")]), dict(files=[File("y/b", "h")]),
     "the same file twice: 'x/a' in run 1 and 'y/b' in run 2 have the same content"),
    (dict(files=[File("s3://a/b")]), dict(files=[File("s3://a/b")]), "the same file twice: 's3://a/b' in run 1 and"),
    (dict(model="mm"), {}, "all runs or none must have model, got 1 of 2"),
    (dict(draws=[[1, 0, 0], [1, 0, 0]]), dict(draws=[[2, 0, 0], [1, 0, 0]]), "each sample must appear once, got "
     "question 'b' "
     "with one sample number in two runs (1 of 2 questions fail); if these are separate draws, pass separate=True"),
    (dict(draws=[[1, 0, 0], [1, 0, 0]], model="mn"), dict(draws=[[1, 0, 0], [2, 0, 0]], model="mn"),
     "got model 'm', question 'a' with one sample number in two runs (1 of 2 questions fail)")])
def test_runs_that_do_not_go_together(a, b, told):
    runs = [make_rows(["a", "b"], [1, 1], [1, 1], **given) for given in (a, b)]
    assert told in find_error(merge_rows, *runs)


def test_runs_of_other_questions():
    one, two = make_rows("abcdez", [1] * 6, [1] * 6), make_rows("zyxwv", [1] * 5, [1] * 5)
    assert find_error(merge_rows, one, two) == (
        "ValueError: runs must cover the same questions, got only in run 1 ['a', 'b', 'c'], only in run 2 ['v', 'w', "
        "'x']; "
        "pass union=True for parts of one benchmark")
    assert share_questions([one, two]) and not share_questions([make_rows("a", [1]), make_rows("b", [1])])
    apart = make_rows("a", [1], model="m"), make_rows("a", [1], model="n")
    assert not share_questions(apart) and len(merge_rows(*apart).models()) == 2
    assert "all runs or none must have correct, got 1 of 2" in find_error(merge_rows, make_rows("a", [1], [1]),
                                                                          make_rows("a", [1]))


# Gradings.

def test_gradings_of_one_table():
    strict = make_rows(["b", "a"], [2, 1], [1, 0], source="s", files=[File("f", "h")], tasks=[Task("t")])
    loose = make_rows(["b", "a"], [2, 1], [1, 1], source="l", files=[File("g", "i")], tasks=[Task("u")])
    found = stack_gradings(dict(strict=strict, loose=loose))
    assert show(found) == dict(question=["b", "a", "b", "a"], times=[2, 1, 2, 1], correct=[1, 0, 1, 1],
                               model=["strict", "strict", "loose", "loose"])
    assert found.tasks == (Task("t"),) and found.files == (File("f", "h"),)
    told = found.summary
    assert (told.kind, told.gradings, told.same_samples) == ("gradings", ("strict", "loose"), True)
    assert told.inputs == (strict.summary, loose.summary)
    one = stack_gradings(dict(strict=strict))
    assert one.model is None and one.correct.tolist() == [1, 0] and one.summary == strict.summary
    named = make_rows(["a", "a"], [1, 1], [1, 0], model="xx")
    assert stack_gradings(dict(u=named, v=named)).model.tolist() == ["u", "u", "v", "v"]
    several = make_rows(["a", "a"], [1, 1], [1, 0], model="xy")
    assert stack_gradings(dict(u=several, v=several)).model.tolist() == ["x u", "y u", "x v", "y v"]


def test_graded_gradings_have_no_outcome():
    graded = make_rows(["a"], [1], score=[.5], total=[.5], scored=[1])
    assert stack_gradings(dict(u=graded, v=graded)).correct is None
    assert find_error(stack_gradings, dict(u=graded, v=make_rows(["a"], [1], [1]))) == (
        "ValueError: gradings side by side must all say right or wrong, or all give a score, got 'v' (right or wrong) "
        "and "
        "'u' (a score); pass threshold=, above which a score is right")


# Counts files.

RICH = make_rows(["b", "b", "a", "b"], [2, 1, 3, 1], [1, 0, NAN, 1], source="said", files=[File("x/f.csv", "aa")],
                 model=["m", "m", "m", "n"], cluster=["c", "c", "d", "c"], group=["g", "g", "g", "g"],
                 answer=["x", None, {"k": 1}, 7], score=[1., .5, NAN, .25], total=[2., .5, 0, .25], scored=[2, 1, 0, 1],
                 draws=[[5, 0, 0], [0, 0, 1], [7, 0, 0], [1, 0, 0]])


def test_the_columns_of_a_counts_file(tmp_path):
    table = tabulate_rows(RICH)
    assert list(table) == ["model", "question", "cluster", "group", "rows", "score", "scored", "single", "correct",
                           "answer", "draws0", "draws1", "draws2"]
    assert table["correct"].tolist() == [1, 0, -1, 1] and table["rows"].tolist() == [2, 1, 3, 1]
    assert table["answer"].tolist() == ['"x"', "", '{"k": 1}', "7"] and table["draws2"].tolist() == [0, 1, 0, 0]
    assert write_texts(np.array([1 + 2j], object)).tolist() == ['"(1+2j)"']
    assert list(tabulate_rows(make_rows(["a"], [1]))) == ["question", "rows"]
    write_counts(tmp_path / "c.parquet", RICH)
    held = duckdb.sql(f"SELECT correct, answer, score FROM '{tmp_path}/c.parquet'").fetchall()
    assert held == [(True, '"x"', 2), (False, None, .5), (None, '{"k": 1}', 0), (True, "7", .25)]


def test_a_counts_file_gives_back_every_column(tmp_path):
    rows = CountedRows(**{**vars(RICH), "sums": dict(cost=np.array([1., NAN, 4, 8]))})
    write_counts(tmp_path / "c.parquet", rows)
    kept = read_counts(tmp_path / "c.parquet")
    assert show(kept)["sum cost"][0] == 4 and kept.summary == RICH.summary and kept.files == (File("f.csv", "aa"),)
    assert {part: values for part, values in show(kept).items() if part != "sum cost"} == dict(
        question=["a", "b", "b", "b"], times=[3, 2, 1, 1], correct=[None, 1, 0, 1], answer=['{"k": 1}', "x", None, 7],
        score=[None, 1, .5, .25], total=[0, 2, .5, .25], scored=[0, 2, 1, 1], model=["m", "m", "m", "n"],
        group=["g"] * 4, cluster=["d", "c", "c", "c"], draws=[[7, 0, 0], [5, 0, 0], [0, 0, 1], [1, 0, 0]])
    write_counts(tmp_path / "d.parquet", make_rows(["a", "a"], [2, 1], [1, 0], total=[1.5, 0], scored=[2, 1]))
    summed = read_counts(tmp_path / "d.parquet")
    assert show(summed) == dict(question=["a", "a"], times=[2, 1], correct=[1, 0], total=[1.5, 0], scored=[2, 1])
    assert summed.source == "" and [file.path for file in summed.files] == [str(tmp_path / "d.parquet")]


def test_a_counts_file_that_cannot_be_written(tmp_path, monkeypatch):
    class Connection:
        def register(self, name, held): pass

        def execute(self, query): raise duckdb.IOException("IO Error: the disk is full\nmore of it")
    monkeypatch.setattr(counts_file, "connect", Connection)
    path = tmp_path / "c.parquet"
    assert find_error(write_counts, path, RICH) == f"OSError: cannot write '{path}': IO Error: the disk is full"


def test_names_of_counts_files(tmp_path):
    assert find_error(write_counts, tmp_path / "c.csv", RICH) == (
        "ValueError: a counts file is Parquet, its name must end in .parquet, got 'c.csv'")
    assert find_error(write_counts, tmp_path / "no" / "c.parquet", RICH) == (
        f"OSError: cannot write '{tmp_path}/no/c.parquet': there is no folder '{tmp_path}/no'")
    assert "no file to read at" in find_error(read_counts, tmp_path / "c.parquet")
    remote = make_rows(["a"], [1], [1], files=[File("s3://b/c.csv")])
    write_counts(tmp_path / "r.parquet", remote)
    assert read_counts(tmp_path / "r.parquet").files == (File("s3://b/c.csv"),)
    (tmp_path / "empty.parquet").touch()
    files = [str(tmp_path / name) for name in ("r.parquet", "empty.parquet", "x.csv")]
    assert find_counts(files) == files[:1] and find_counts(["s3://b/c.parquet"]) == [] == find_counts(["a.csv"])


@pytest.mark.parametrize("given, told", [
    (dict(question="q"), "question= names a column of samples, but 'F' holds counts"),
    (dict(weights="w"), "weights= names a column of samples, but 'F' holds counts; pass a mapping of question to "
     "weight"),
    (dict(by="t"), "by= names a column of samples, but 'F' holds counts"),
    (dict(cluster="c"), "cluster= names a column"),
    (dict(grade="exact"), "grade= is for samples, but 'F' holds counts"),
    (dict(ignore="x"), "ignore= is for samples, but 'F' holds counts"), (dict(question=False), ""),
    (dict(cluster=True), "")])
def test_options_of_counts_files(given, told, tmp_path):
    path = str(tmp_path / "c.parquet")
    write_counts(path, RICH)
    weights = given.pop("weights", None)
    options = Options.of(given, weights=weights)
    if told: assert told.replace("F", path) in find_error(read_counts_files, [path], [path], options)
    else: assert len(read_counts_files([path], [path], options)) == 7


def test_several_counts_files(tmp_path):
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    for path, question in zip(paths, ["a", "b"]): write_counts(path, make_rows([question], [1], [1]))
    assert read_counts_files(paths, paths, Options()).questions.tolist() == ["a", "b"]
    assert find_error(read_counts_files, [*paths, "s.csv"], paths, Options()) == (
        f"ValueError: counts files and samples cannot be read together, got {paths[0]!r} and 's.csv'; write counts of "
        f"the "
        "samples first")


def test_what_a_counts_file_says_about_itself(tmp_path):
    write_counts(tmp_path / "c.parquet", RICH)
    (text,), = duckdb.sql(f"SELECT decode(value) FROM parquet_kv_metadata('{tmp_path}/c.parquet') "
                     "WHERE key = 'sampling_eval'").fetchall()
    told = json.loads(text)
    assert ReadSummary.from_dict(told.pop("summary")) == RICH.summary
    assert told == dict(version=1, source="question=q", files=[["f.csv", "aa"]], tasks=[], derived=False)


def test_an_older_counts_file_holds_a_sentence(tmp_path):
    path = tmp_path / "c.parquet"
    about = json.dumps(dict(version=1, source="read 2 rows: question=id", files=[], warnings=["Not checked."]))
    held = "SELECT 1 AS question, 2::BIGINT AS rows, true AS correct"
    duckdb.sql(f"COPY ({held}) TO '{path}' (FORMAT parquet, KV_METADATA {{sampling_eval: '{about}'}})")
    rows = read_counts(path)
    assert rows.summary.kind == "recorded" and rows.source == "read 2 rows: question=id"
    assert rows.warnings == ("Not checked.",) and len(rows) == 2
