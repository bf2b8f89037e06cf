"Logs of one run put together, and several logs as one table."
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.io.harness.ask import Ask, NoOutcomes
from sampling_eval.io.harness.joining import (check_files, join_tables, label_path, name_models, number_on, refuse_copies)
from sampling_eval.io.harness.log import Log
from sampling_eval.io.harness.reader import Reader
from sampling_eval.io.harness.retries import Held, join_runs
from sampling_eval.io.harness.tabular import Table, read_table


def table(name, *rows, **more):
    made = Table(Path(f"/logs/{name}"), **more)
    for row in rows: made.add(dict(model="m", task="t") | row)
    return made


def sample(question, number, score, **more): return dict(question=question, sample=number, score=score) | more


def rows(made):
    "Question, sample, score and outcome of each sample."
    columns = made.columns
    return list(zip(columns["question"], columns["sample"], columns["score"], columns["correct"]))


# One run.

def test_what_is_one_sample():
    def hold(uuid=None, score=None, correct=None): return Held(dict(uuid=uuid, score=score, correct=correct), Path("x"))
    assert (hold(score=.5).outcome, hold(score=.5, correct=False).outcome, hold().outcome,
        hold(score=float("nan")).outcome) == (
        .5, False, None, None)
    assert hold("u").is_same(hold("u")) and not hold("u").is_same(hold("v"))
    assert hold(score=1).is_same(hold(score=0))
    assert not hold(score=1).is_same(hold()) and not hold().is_same(hold(score=1))
    assert hold("u", 1).is_same(hold(score=1)) and not hold("u").is_same(hold("v",
        1)) and not hold("u").is_same(hold(score=1))


def test_retries_of_one_run():
    first = table("1", sample("a", 0, 1., run="r"), sample("b", 0, None, run="r"), sample("c", 0, 0., run="r"),
                  sample("d", 0, None, run="r"))
    later = table("2", sample("b", 0, 0., run="r"), sample("a", 0, 1., run="r"), sample("d", 0, None, run="r"),
                  sample("e", 0, 1., run="r"), took="later", notes=["late"])
    (made,), notes = join_runs([first, later])
    assert rows(made) == [("a", 0, 1., None), ("b", 0, 0., None), ("c", 0, 0., None), ("d", 0, None, None),
        ("e", 0, 1., None)]
    assert (made.path, made.took, made.notes, made.outcomes) == (Path("/logs/2"), "later", ["late"], False)
    assert notes == ["2 files are parts of one run each and complete each other",
                     "1 sample that several files hold counts once", "2 samples run again count as rerun"]


def test_a_rerun_without_an_outcome_changes_nothing():
    (made,), notes = join_runs([table("1", sample("a", 0, 1., run="r")), table("2", sample("a", 0, None, run="r"))])
    assert rows(made) == [("a", 0, 1., None)] and notes[1:] == ["1 sample run again counts as rerun"]


def test_reruns_and_copies_by_name():
    one = table("1", sample("a", 0, 1., run="r", uuid="u"), sample("b", 0, 1., run="r", uuid="v"))
    two = table("2", sample("a", 0, 0., run="r", uuid="w"), sample("b", 0, 1., run="r", uuid="v"))
    (made,), notes = join_runs([one, two])
    assert [row[2] for row in rows(made)] == [0., 1.] and notes[1:] == [
        "1 sample that several files hold counts once", "1 sample run again counts as rerun"]


def test_two_scores_of_one_sample():
    pair = [table(str(i), sample("a", 3, float(i), run="r")) for i in range(2)]
    with pytest.raises(ValueError) as error: join_runs(pair)
    assert str(error.value) == ("a sample has one score, got 0.0 in 0 and 1.0 in 1 for sample 3 of question 'a'; leave "
                                "one of the files out")
    other = [table(str(i), sample("a", 3, float(i), uuid="u")) for i in range(2)]
    with pytest.raises(ValueError, match="got 0.0 in 0 and 1.0 in 1 for sample 3"): join_runs(other)


def test_runs_of_their_own():
    "Without a name, of another model, of several models, and with one name of another model."
    logs = [table("1", sample("a", 0, 1.)), table("2", sample("a", 0, 0.)), table("3", sample("a", 0, 1., run="r")),
            table("4", sample("a", 0, 1., run="r", model="n")),
            table("5", sample("a", 0, 1., run="r"), sample("a", 0, 1., run="s")), table("6")]
    made, notes = join_runs(logs)
    assert [one.path.name for one in made] == ["1", "2", "3", "4", "5"] and notes == []
    assert made[0] is logs[0]


def test_a_sample_that_stands_twice_in_one_log_stays_twice():
    twice = [sample("a", 0, 1., run="r")] * 2
    (made,), notes = join_runs([table("1", *twice), table("2", *twice)])
    assert len(rows(made)) == 2 and notes[1:] == ["2 samples that several files hold count once"]


def test_copies_in_other_runs_are_let_go():
    one = table("1", sample("a", 0, 1., uuid="u"), sample("b", 0, 1.))
    two = table("2", sample("c", 0, 0., uuid="w"), sample("a", 0, 1., uuid="u"), sample("b", 0, 1.),
        sample("a", 1, None, uuid="u"))
    made, notes = join_runs([one, two, table("3", sample("a", 0, 1., uuid="u"))])
    assert [rows(part) for part in made] == [[("a", 0, 1., None), ("b", 0, 1., None)],
        [("c", 0, 0., None), ("b", 0, 1., None)]]
    assert notes == ["3 samples that several files hold count once"]


def test_outcomes_of_any_part():
    one = table("1", sample("a", 0, None, run="r", correct=True))
    (made,), _ = join_runs([one, table("2", sample("b", 0, 1., run="r"))])
    assert made.outcomes is True and rows(made) == [("a", 0, None, True), ("b", 0, 1., None)]


# One log.

def test_tables():
    made = table("gpt.json", sample("a", 0, None, run="r", lost=True), sample("b", 1, None, task="gpt"),
        sample("c", 0, None, task=None))
    assert not made.outcomes and not made.has_outcome() and made.list_tasks() == [("t", "", "r")]
    made.versions["gpt"] = "version 1"
    assert made.list_tasks() == [("t", "", "r"), ("gpt", "version 1", "r")]
    made.keep(iter([2, 0]))
    assert made.columns["question"] == ["c", "a"] and Table().list_tasks() == []
    assert table("x", sample("a", 0, 0.)).has_outcome() and table("x",
        dict(question=1, sample=0, correct=False)).has_outcome()
    assert table("x", dict(question=1, sample=0, correct=None)).outcomes is True


def read(made, grade=None, fault=None, origin=""):
    def make(log, ask):
        if fault: raise fault
        ask.note("noted"), ask.note_task("t", ["q"])
        return "parts", made
    ask = Ask(grade=grade)
    found = read_table(Log(Path("/logs/x.json"), "document", {}),
        Reader("mine", ("document",), bool, make, origin=origin), ask)
    assert ask.notes == [] and ask.versions == {}
    return found


def test_a_log_as_columns():
    made = read([sample("a", 0, .5, answer="x"), sample(1, 1, .5, lost=True),
        dict(question="b", sample=0, correct=True, score=1., lost=True),
                 dict(question="c", sample=0, lost=True)])
    assert rows(made) == [("a", 0, .5, None), (1, 1, None, None), ("b", 0, None, None), ("c", 0, None, None)]
    assert (made.path, made.took, made.notes, made.outcomes) == (Path("/logs/x.json"), "parts", ["noted"], True)
    assert made.versions["t"].startswith("questions 1, hash ")


def test_rows_judged_anew():
    seen = []
    def grade(answer, target):
        seen.append((answer, target))
        return {"yes": True, "no": 0, "one": np.bool_(True), "half": None}[answer]
    made = read([sample("a", 0, 1., answer="no", target="t"), sample("b", 0, 0., answer="x", graded="yes"),
        sample("c", 0, 1., answer=None),
                 sample("d", 0, 1., answer="yes", lost=True), sample("e", 0, 1., judged=True, answer="z"),
                 sample("f", 0, None, judged=True),
                 sample("g", 0, 1., answer="half"), sample("h", 0, 1., answer="one"),
                 sample("i", 0, 1., graded=None, answer="yes")], grade)
    assert [row[2:] for row in rows(made)] == [(None, o) for o in (False, True, None, None, True, None, None, True,
        None)]
    assert seen == [("no", "t"), ("yes", None), ("half", None), ("one", None)] and made.outcomes is True
    for verdict in "yes", 2, .5, [1]:
        with pytest.raises(TypeError) as error: read([sample("a", 0, 1., answer="x")], lambda answer, target: verdict)
        assert str(error.value) == f"grade must return True, False or None, got {verdict!r} for answer 'x'"
    assert read([], grade).outcomes is True
    def refuse(answer, target): raise NoOutcomes("nothing to compare with")
    with pytest.raises(NoOutcomes, match="^nothing to compare with for question 'a' in x.json$"): read([sample("a", 0,
        1., answer="x")], refuse)


@pytest.mark.parametrize("change", [dict(question=None), dict(question=.5), dict(sample="0"), dict(sample=None),
    dict(model=5),
                                    dict(task=5), dict(run=5), dict(uuid=5)])
def test_rows_of_the_wrong_kind(change):
    (part, value), = change.items()
    with pytest.raises(ValueError) as error: read([sample("a", 0, 1.) | change])
    assert str(error.value) == f"x.json does not follow the layout of mine (TypeError: {part} {value!r})"


@pytest.mark.parametrize("fault, origin, told", [
    (KeyError("k"), "", "x.json does not follow the layout of mine (KeyError: 'k')"),
    (IndexError("i"), "o", "x.json does not follow the layout of mine (IndexError: i)"),
    (ValueError("said of x.json"), "o", "said of x.json"), (ValueError("said"), "", "said"),
    (ValueError("said"), "o", "the reader 'mine' of o failed on x.json (ValueError: said)"),
    (ZeroDivisionError("x.json"), "o", "the reader 'mine' of o failed on x.json (ZeroDivisionError: x.json)")])
def test_readers_that_fail(fault, origin, told):
    with pytest.raises(ValueError) as error: read([], fault=fault, origin=origin)
    assert str(error.value) == told
    with pytest.raises(ZeroDivisionError): read([], fault=ZeroDivisionError())


# Several logs.

def paths(*names): return [Path(name) for name in names]


def test_what_files_may_hold():
    for fine in None, "draws", "models": assert check_files(fine) is None
    with pytest.raises(ValueError, match="^files_hold must be 'draws' or 'models', got 'both'$"): check_files("both")


def test_names_of_paths():
    for names, labels in ((("/x/a/1.json", "/x/b/1.json"), ["a/1", "b/1"]),
        (("/x/a.json", "/x/b.v2.json"), ["a", "b.v2"]),
                          (("/x/a/1", "/x/a/c/2"), ["1", "c/2"]), (("a",), ["a"]), (("/x/a", "/x/a/b"), ["a", "a/b"])):
        assert [label_path(path, paths(*names)) for path in paths(*names)] == labels


def test_copies_of_a_file(tmp_path):
    one, two, three = (tmp_path / name for name in "abc")
    for path, text in (one, "x"), (two, "y"), (three, "x"): path.write_text(text)
    assert refuse_copies([one, two]) is None
    with pytest.raises(ValueError) as error: refuse_copies([one, two, three])
    assert str(error.value) == f"{one} and {three} are the same file twice; leave one out"


def name(models, files=None, by_folder=False, names=("/x/a/1.json", "/x/b/2.json")):
    tables = [SimpleNamespace(columns=dict(model=list(own))) for own in models]
    name_models(tables, paths(*names), files, by_folder)
    return [one.columns["model"] for one in tables]


def test_models_of_files():
    assert name([[None, None], [None]]) == [[None, None], [None]] and name([["m"], ["n", "m"]]) == [["m"], ["n", "m"]]
    assert name([["m", None], [None]]) == [["m", "a/1"], ["b/2"]]
    assert name([["m", None], ["n"]], "models") == [["m a/1", "a/1"], ["n b/2"]] and name([[None], [None]],
        "draws") == [[None], [None]]
    assert name([["m", None], [None]], by_folder=True) == [["a", "a"], ["b"]]
    assert name([["m"], [None]], by_folder=True, names=("/x/1.json", "/x/2.json")) == [["m"], ["2"]]


def number(files, *logs, names=None):
    tables = [table(str(i), *(sample(question, place, 1., **more) for question, place, more in log)) for i,
        log in enumerate(logs)]
    number_on(tables, paths(*(names or (f"/x/{i}.json" for i in range(len(logs))))), files)
    return [one.columns["sample"] for one in tables]


def test_samples_of_later_files():
    first, later = [("a", 0, {}), ("a", 3, {}), ("b", 0, {})], [("a", 0, {}), ("a", 1, {}), ("c", 0, {})]
    assert number("draws", first, later, [("a", 0, {}), ("b", 5, {})]) == [[0, 3, 0], [4, 5, 0], [6, 6]]
    assert number(None, first, [("a", 0, dict(model="n")), ("b", 0, dict(task="u"))]) == [[0, 3, 0], [0, 0]]
    assert number(None, first, [("a", 0, {})], names=("/x/d.json", "/x/d_failed.json")) == [[0, 3, 0], [4]]
    assert number(None, first, [("a", 0, {})], names=("/x/d_failed.json", "/x/d.json")) == [[0, 3, 0], [4]]
    for names in ("/x/d.json", "/y/d_failed.json"), ("/x/d.json", "/x/e_failed.json"), ("/x/d.json", "/y/d.json"):
        with pytest.raises(ValueError, match="pass files_hold='draws'"): number(None, first, later, names=names)
    for files in None, "models":
        with pytest.raises(ValueError) as error: number(files, first,
            [("z", 0, {}), ("b", 0, {}), ("a", 0, {}), ("b", 1, {})])
        assert str(error.value) == (
            "question 'b' is in 0.json and in 1.json (2 questions in all); pass files_hold='draws' if both are "
            "samples of one "
            "model, files_hold='models' if not")


def test_all_samples_as_columns():
    one = table("1", sample("a", 0, 1., answer="x", run="r", uuid="u"), sample("b", 0, None))
    two = table("2", sample("a", 0, .5, task="u"))
    assert join_tables([one]) == dict(question=["a", "b"], sample=[0, 0], answer=["x", None], score=[1., None],
        model=["m", "m"], task=["t", "t"])
    assert join_tables([one, two])["question"] == ["t/a", "t/b", "u/a"]
    judged = table("3", dict(question="c", sample=0, correct=True))
    assert join_tables([judged]) == dict(question=["c"], sample=[0], correct=[True], model=["m"], task=["t"])
    assert join_tables([one, judged])["correct"] == [None, None, True]
    lost = table("4", dict(question="c", sample=0, correct=None, model=None, task=None))
    assert join_tables([lost]) == dict(question=["c"], sample=[0], correct=[None])
