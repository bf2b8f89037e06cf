"`inspect`: what data support, and which columns there are where none can be chosen."
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
from conftest import command
from printed import check_printed

from sampling_eval import Counts, count, inspect, read, score
from sampling_eval.io import tables as sources
from sampling_eval.reporting.inspections import Inspection, System, write_budgets
from sampling_eval.verbs.inspecting import count_known, join_support, list_needs, list_targets, see_support

LOGS = Path(__file__).parent / "logs"
ROWS = [dict(task_id=f"q{q}", trial=s, passed=(q + s) % 2, answer="x" * (1 + (q + s) % 2), usd=.25 * (s + q))
        for q in range(4) for s in range(4)]
FRAME = pl.DataFrame(ROWS)


def run(*words, code=0):
    told = command(*words)
    assert told.returncode == code, told.stderr
    return told.stdout + told.stderr


def pipe(data, *words):
    told = subprocess.run([sys.executable, "-m", "sampling_eval", *words], input=data, capture_output=True, check=True)
    return told.stdout.decode()


def list_possible(found): return [one.metric for one in found.metrics if one.possible]


@pytest.mark.parametrize("data, options", [
    (FRAME, {}), (FRAME.drop("answer"), {}), (np.array([[1, 0], [1, 1]]), {}), (LOGS / "tau_bench" / "gpt-4o-airline.json", {}),
    (FRAME.with_columns(passed=pl.col("usd") / 4), dict(correct=False, score="passed")),
    (LOGS / "inspect" / "arithmetic_mock.eval", dict(score="match", no_answer="abstain"))])
def test_what_is_said_to_be_possible_is_what_score_computes(data, options):
    found, report = inspect(data, **options), score(data, **options)
    names = {row.metric for row in report.rows}
    possible = [one for one in found.metrics if one.possible and one.metric not in ("mean@n", "max@k", "min@k")]
    assert {one.metric.partition("@")[0].partition("^")[0] for one in possible} == {
        name.partition("@")[0].partition("^")[0] for name in names}
    for one in possible:
        if one.metric == "pass@k": assert {f"pass@{k}" for k in one.budgets} <= names
    for one in found.metrics:
        if one.possible: continue
        with pytest.raises(ValueError) as caught: score(data, one.metric, **options)
        assert str(caught.value) == f"{one.metric} cannot be computed: {one.reason}"
    assert found.read == report.read


def test_the_screen():
    assert str(inspect(ROWS, title="run.csv")) == """\
What run.csv supports
Read 16 rows from a list of rows: question=task_id, sample=trial,
  correct=passed, answer=answer; no sample missing.

questions  samples each  right  missing  answers
------------------------------------------------
4                     4      8        0        2

metric             k
--------------------
pass@k        1 to 4
pass^k        1 to 4
avg@n          all n
cons@k        1 to 4
maj@k         1 to 4
g-pass@k_tau       4
mg-pass@k          4

No soft@n: no graded scores; name the column with score=.
No mean@n, best@k, max@k, min@k: no scores to choose by; name the column with
  score=.
Error bars, target questions: for new questions of this kind, of which these 4
  are a sample.
Error bars, target benchmark: for these questions, run again; without bias for k
  up to 2, wider above."""


def test_missing_samples_are_told_and_not_settled():
    lost = FRAME.with_columns(passed=pl.when(pl.col("trial") < 3).then("passed"))
    found = inspect(lost)
    assert found.systems[0].missing == 4 and found.read.endswith("4 of 16 samples missing (coverage 75.0%).")
    assert found.needs == ("4 samples have no outcome: pass missing='wrong', 'drop' or 'bounds'",)
    for missing in "raise", "bounds": assert inspect(lost, missing=missing).systems == found.systems
    dropped = inspect(lost, missing="drop")
    assert dropped.needs == () and dropped.read.endswith("4 of 16 samples missing (coverage 75.0%), excluded.")
    assert [o.budgets for o in dropped.metrics if o.metric == "pass@k"] == [(1, 2, 3)]


def test_questions_with_fewer_samples():
    found = inspect(FRAME.head(13))
    assert (found.systems[0].fewest, found.systems[0].most) == (1, 4)
    assert "questions have 1 to 4 samples: if 4 were drawn" in found.needs[0]
    assert found.targets["benchmark"].endswith("two samples of each are needed, one gives wider bars")
    assert inspect(FRAME.head(4)).targets["questions"] == "for new questions of this kind, of which one question says almost nothing"


def test_models_groups_and_clusters():
    both = pl.concat([FRAME.with_columns(model=pl.lit("base")), FRAME.head(12).with_columns(model=pl.lit("tuned"))])
    both = both.with_columns(topic=pl.col("task_id").replace_strict({f"q{i}": f"part {i % 2}" for i in range(4)}))
    found = inspect(both.with_columns(passage="topic"), by="topic", cluster="passage")
    assert [(o.model, o.group, o.questions) for o in found.systems] == [
        ("base", "", 4), ("base", "part 0", 2), ("base", "part 1", 2), ("tuned", "", 3), ("tuned", "part 0", 2),
        ("tuned", "part 1", 1)]
    assert found.systems[0].clusters == 2 and "clusters" in str(found)


def test_counts_files_are_inspected_too(tmp_path):
    count(FRAME, tmp_path / "kept.parquet")
    assert inspect(tmp_path / "kept.parquet").systems == inspect(FRAME).systems


# Columns to choose from.

ODD = FRAME.rename(dict(task_id="the problem", passed="verdict", trial="nr"))


@pytest.mark.parametrize("convert", [lambda f: f, pl.DataFrame.to_dicts, pl.DataFrame.to_pandas,
                                     lambda f: f.to_dict(as_series=False)])
def test_columns_are_listed_where_none_can_be_chosen(convert):
    found = inspect(convert(ODD))
    assert found.fault.startswith("Which column holds the question? Got ")
    assert {o.column: (o.holds, o.different, o.parts[:1]) for o in found.columns} == {
        "the problem": ("text", 4, ("question",)), "nr": ("whole numbers", 4, ("question",)),
        "verdict": ("whole numbers", 2, ("correct",)), "answer": ("text", 2, ("answer",)), "usd": ("numbers", 7, ("score",))}
    assert found.choice == {"question": "the problem", "correct": "verdict"}
    assert str(found).endswith("Next: pass question='the problem', correct='verdict'")
    again = inspect(convert(ODD), **found.choice)
    assert not again.fault and again.systems[0].right == 8


def test_two_columns_that_could_play_one_part():
    found = inspect(FRAME.with_columns(prediction="answer"))
    assert found.fault.startswith("ambiguous: 'answer' or 'prediction' could be the answer")
    assert [o.column for o in found.columns if "answer" in o.parts] == ["answer", "prediction"] and not found.choice


@pytest.mark.parametrize("name", ["odd.csv", "odd.jsonl", "odd.parquet"])
def test_files_with_odd_columns(name, tmp_path, monkeypatch):
    path = tmp_path / name
    dict(csv=ODD.write_csv, jsonl=ODD.write_ndjson, parquet=ODD.write_parquet)[name[4:]](path)
    small = inspect(path)
    assert {o.column: o.different for o in small.columns}["verdict"] == 2 and small.choice["correct"] == "verdict"
    monkeypatch.setattr(sources, "SMALL", -1)
    # An engine would have to count each column, and only their names are looked at.
    large = inspect(path)
    assert {o.column for o in large.columns} == set(ODD.columns) and not any(o.holds for o in large.columns)


def test_what_columns_hold():
    frame = dict(flag=[True, False, None], empty=[None] * 3, cells=[[1], [0, 1], []], word=["yes", "no", "yes"],
                 long=["a" * 30, "b\nc", "d"], mixed=[1, "a", None], number=["0.5", "1", "2"])
    found = {o.column: o for o in inspect(frame).columns}
    assert {name: o.holds for name, o in found.items()} == dict(
        flag="flags", empty="nothing", cells="lists", word="text", long="text", mixed="mixed", number="numbers")
    assert found["flag"].parts == found["word"].parts == ("correct",)
    assert found["long"].examples == ("aaaaaaaaa...", "b c")


def test_other_errors_stay_errors(tmp_path):
    with pytest.raises(FileNotFoundError): inspect(tmp_path / "none.csv")
    with pytest.raises(TypeError, match="did you mean 'threshold'"): inspect(FRAME, treshold=.5)
    with pytest.raises(ValueError, match="missing must be"): inspect(FRAME, missing="wrnog")
    (tmp_path / "bad.jsonl").write_text('{"id": 1}\n{"id"\n')
    with pytest.raises(ValueError, match="line 2: malformed JSON"): inspect(tmp_path / "bad.jsonl")
    with pytest.raises(ValueError, match="pass score="): inspect(LOGS / "inspect" / "arithmetic_mock.eval")
    with pytest.raises((ValueError, TypeError)): inspect([[1, 2], [0, 1]])


# Forms.

@pytest.mark.parametrize("data", [FRAME, ODD])
def test_every_form(data):
    found = inspect(data)
    assert Inspection.from_json(found.to_json()) == found
    assert max(map(len, str(found).splitlines())) <= 80
    for form in found.to_markdown(), found.to_latex(), found.to_html(): assert "supports" in form
    assert len(found.to_frame("polars")) == len(found.rows)
    with pytest.raises(ValueError, match="has no figure"): found.plot()


def test_budgets_in_words():
    words = [write_budgets(o) for o in ((), (4,), (1, 2), (1, 2, 3), (1, 2, 4, 8, 16, 32), (1, 2, 4, 8, 16, 32, 64))]
    assert words == ["all n", "4", "1, 2", "1 to 3", "1, 2, 4, 8, 16, 32", "1, 2, 4, ..., 64"]


def join_lines(told): return " ".join(told.replace("\\\n", "").split())


def test_the_command(tmp_path):
    path, odd = tmp_path / "run.csv", tmp_path / "odd.csv"
    FRAME.write_csv(path)
    ODD.write_csv(odd)
    told = run("inspect", path, "--no-answer", "vote")
    assert told.startswith("What run.csv supports\n") and "name the column with --score.\n" in told
    assert join_lines(told).endswith(f"Next: sampling-eval score {path} --no-answer vote")
    found = json.loads(run("inspect", path, "-f", "json"))
    assert found["systems"][0]["right"] == 8 and found["metrics"][0]["metric"] == "pass@k"
    told = run("inspect", odd, code=2)
    words = f"inspect {odd} --question 'the problem' --correct verdict"
    assert join_lines(told).endswith(f"Next: sampling-eval {words}") and "pass --question" in told
    assert run("inspect", odd, "--question", "the problem", "--correct", "verdict").startswith("What odd.csv")
    assert pipe(path.read_bytes(), "inspect", "-").endswith("Next: sampling-eval score -\n")
    assert "has no figure" in run("inspect", path, "-o", tmp_path / "x.svg", code=2)


def test_a_table_of_a_database(tmp_path):
    held = FRAME.to_arrow()
    with duckdb.connect(str(tmp_path / "runs.db")) as con: con.execute("CREATE TABLE monday AS FROM held")
    assert str(inspect(tmp_path / "runs.db")).startswith("What runs.db supports")
    assert len(held) == 16


# Everything on small data, recounted by hand when it was stored.

UNEVEN = [dict(question=q, sample=s, correct=None if (q, s) == (2, 1) else int(s < q),
               answer=["a", "b", None][(q + s) % 3], score=None if s == 3 else (q + s) % 4 / 4,
               model=m, task="uv"[q % 2], passage=q // 2) for m in "xy" for q in range(5)
               for s in range(4 if (m, q) != ("y", 4) else 3)]
SMALL = {"rows": (UNEVEN, {}), "missing wrong": (UNEVEN, dict(missing="wrong", no_answer="vote")),
         "no question": ([dict(a=1, b="x", c=.5), dict(a=0, b="y", c=None)], {}),
         "a table": ([[1, None], [0, 1]], dict(title="table")), "one sample": ([[1]], dict(missing="raise")),
         "bounds": ([[1, None], [0, None]], dict(missing="bounds"))}


@pytest.mark.parametrize("name", SMALL)
def test_all_of_small_data(name):
    data, options = SMALL[name]
    check_printed("verbs", f"inspect {name}", json.dumps(json.loads(inspect(data, **options).to_json()), indent=1))


@pytest.mark.parametrize("options, missing", [(dict(by="task", cluster="passage", title="t"), "raise"),
                                              (dict(by="task", missing="drop", no_answer="vote"), "drop")])
def test_all_of_models_and_groups(options, missing):
    found = inspect(UNEVEN, **options)
    rows = [(one.model, one.group, one.questions, one.fewest, one.most, one.right, one.missing, one.answers, one.scored,
             one.clusters) for one in found.systems]
    told = json.dumps([found.title, found.read, rows, found.targets, found.needs,
                       [(one.metric, one.possible, one.budgets) for one in found.metrics]], indent=1)
    check_printed("verbs", f"inspect groups, missing {missing}", told)


def make_system(fewest, most, missing=0, group=""): return System("m", group, 3, fewest, most, None, missing)


@pytest.mark.parametrize("systems, settled, said", [
    ([make_system(4, 4)], False, []), ([make_system(4, 4, 1)], True, []),
    ([make_system(4, 4, 1)], False, ["1 sample has no outcome: pass missing='wrong', 'drop' or 'bounds'"]),
    ([make_system(4, 4, 1), make_system(4, 4, 1, "g")], False,
     ["1 sample has no outcome: pass missing='wrong', 'drop' or 'bounds'"]),
    ([make_system(4, 4, 1), make_system(4, 4, 2)], False,
     ["3 samples have no outcome: pass missing='wrong', 'drop' or 'bounds'"]),
    ([make_system(4, 4), make_system(3, 3)], True,
     ["questions have 3 to 4 samples: if 4 were drawn of each, pass samples_per_question=4 and the absent ones are "
      "missing"]),
    ([make_system(2, 5), make_system(3, 4)], True,
     ["questions have 2 to 5 samples: if 5 were drawn of each, pass samples_per_question=5 and the absent ones are "
      "missing"])])
def test_what_score_has_to_be_told(systems, settled, said): assert list(list_needs(systems, settled)) == said


@pytest.mark.parametrize("sizes, samples, new, again", [
    ([5, 3], [4, 5], "of which these 3 are a sample", "without bias for k up to 2, wider above"),
    ([2], [3], "of which these 2 are a sample", "k up to 1,"),
    ([1], [1], "of which one question says almost nothing", "two samples of each are needed, one gives wider bars"),
    ([3, 3], [2, 1], "these 3", "two samples of each are needed")])
def test_what_each_target_holds_for(sizes, samples, new, again):
    found = list_targets([Counts([n] * size, [0] * size) for size, n in zip(sizes, samples)])
    assert list(found) == ["questions", "benchmark"] and new in found["questions"] and again in found["benchmark"]
    assert found["questions"].startswith("for new questions of this kind, ")
    assert found["benchmark"].startswith("for these questions, run again; ")


def test_a_metric_is_possible_where_it_is_on_every_system():
    four, two, scored = Counts([4, 5], [1, 1]), Counts([2], [1]), Counts([2], None, score_sum=[1.])
    assert join_support("pass@k", [four, two], {}).budgets == (1, 2) == join_support("pass@k", [two, four], {}).budgets
    assert join_support("avg@n", [four, two], {}).budgets == () and join_support("avg@n", [four], {}).possible
    lacking = join_support("pass@k", [four, scored], dict(c="no outcomes here"))
    assert (lacking.possible, lacking.reason, lacking.budgets) == (False, "no outcomes here", ())
    assert see_support("soft@n", scored, {}).possible
    assert see_support("maj@k", four, {}).reason.startswith("no answers; name")


def test_answers_and_scores_there_are():
    rows = read([dict(question=q, correct=1, answer=a, score=s)
                 for q, a, s in ((1, "x", 1), (1, "x", None), (2, None, .5), (2, "y", .5))])
    assert count_known(rows) == dict(answers=2, scored=3) and count_known(read([dict(question=1, correct=1)])) == {}


def test_clusters_are_those_named():
    assert {one.clusters for one in inspect(UNEVEN, cluster={q: q for q in range(5)}).systems} == {5}
    assert inspect(UNEVEN, no_answer="abstain", conflict="any").metrics != inspect(UNEVEN).metrics
    copies = [dict(model=m, question=q, sample=s, answer="same", correct=q % 2) for m in "xy" for q in range(20)
              for s in range(2)]
    assert sum("all samples of each question agree" in one for one in inspect(copies).needs) == 1
