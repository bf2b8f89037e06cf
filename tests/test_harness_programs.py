"Logs of programs: human-eval, evalplus, BigCodeBench and SWE-bench."
import numpy as np
import pytest

from harness_cases import LOGS, load, put, read, refusal, same
from sampling_eval import score
from sampling_eval.metrics.passk import pass_at_k

REPORTS = LOGS / "swe_bench"
PROGRAMS = LOGS / "bigcodebench"


def value(path, metric, **options): return score(path, metric, **options).rows[0].estimate


# human-eval.

def test_human_eval_example():
    n, c = read(LOGS / "human_eval").counts()
    assert pass_at_k(n, c, 1).tolist() == [.5]


def test_human_eval(tmp_path):
    lines = [dict(task_id="h/0", passed=True, result="passed", completion="c"),
             dict(task_id="h/1", passed=False, result=""),
             dict(task_id="h/0", passed=False, result="failed", solution="s")]
    samples = read(put(tmp_path / "x.jsonl", lines, True))
    assert samples.took == dict(question="task_id", sample="order of appearance", correct="passed",
                                answer="completion") and not samples.logs.ordered
    assert samples.rows("question sample correct answer") == [
        ("h/0", 0, True, "c"), ("h/1", 0, False, None), ("h/0", 1, False, None)]


def test_programs_that_were_not_run(tmp_path):
    path = LOGS / "human_eval/example_samples.jsonl"
    assert refusal(path) == (
        "example_samples.jsonl holds programs that were not run; read the *_results.jsonl "
        "(human-eval) or *eval_results.json (evalplus) of their evaluation")
    assert read(path, grade=lambda a, t: "1" in a).counts()[0] == [6]
    lines = [dict(task_id="h/0", completion="c"), dict(task_id="h/1", completion=None),
             dict(task_id="h/0", solution="s")]
    samples = read(put(tmp_path / "x.jsonl", lines, True), grade=lambda a, t: a == "s")
    assert samples.rows("question sample correct answer") == [
        ("h/0", 0, False, "c"), ("h/1", 0, None, None), ("h/0", 1, True, "s")]


# evalplus.

def test_evalplus_base_and_plus(tmp_path):
    assert read(LOGS / "evalplus").counts()[1] == [2, 1]
    assert read(LOGS / "evalplus", score="base").counts()[1] == [3, 2]
    assert "score must be one of 'plus', 'base', got 'pass'" in refusal(LOGS / "evalplus",
                                                                        score="pass")
    def sample(base, plus): return dict(base_status=base, plus_status=plus, solution="s")
    tries = {"a/0": [sample("pass", "pass"), sample("pass", "fail"), sample("fail", "pass"),
                     sample("pass", None)], "a/1": [sample(None, None)]}
    path = put(tmp_path / "x.json", dict(eval=tries))
    assert same(read(path).correct, [1, 0, 0, np.nan, np.nan])
    assert read(path).took["correct"] == "base_status and plus_status 'pass'"
    assert same(read(path, score="base").correct, [1, 1, 0, 1, np.nan])
    put(path, dict(date="", hash="", eval={"a/0": [sample("pass", None), dict(base_status=None)]}))
    assert same(read(path).correct, [1, np.nan])
    assert read(path).took["correct"] == "base_status 'pass'"


# BigCodeBench.

def test_bigcodebench_own_numbers():
    own = load(next(PROGRAMS.glob("*pass_at_k.json")))
    for k in (1, 2): assert value(PROGRAMS, "pass@k", k=k) == pytest.approx(own[f"pass@{k}"])
    samples = read(PROGRAMS)
    assert samples.counts() == ([3, 3], [2, 1]) and set(samples.model) == {own["model"]}


def test_bigcodebench(tmp_path):
    tries = [dict(status="pass", solution="s"), dict(status="timeout")]
    path = put(tmp_path / "my--model--bigcodebench-complete--more.json",
               dict(eval={"b/0": tries, "b/1": [dict(status="fail")]}))
    assert read(path).rows("question sample answer model correct") == [
        ("b/0", 0, "s", "my--model", True), ("b/0", 1, None, "my--model", False),
        ("b/1", 0, None, "my--model", False)]
    assert read(path.rename(tmp_path / "x.json")).model is None
    put(tmp_path / "x.json", dict(eval={"b/2": [*tries, dict(status="new")]}))
    assert refusal(tmp_path / "x.json") == (
        "a status must be one of 'pass', 'fail', 'timeout', got 'new' for b/2 in x.json")


# SWE-bench.

def test_swe_bench_own_numbers():
    for path in sorted(REPORTS.glob("*.json")):
        own, samples = load(path), read(path)
        assert len(samples) == own["total_instances"]
        assert samples.counts()[1].count(1) == own["resolved_instances"]
        lost = own["error_instances"] + len(own["incomplete_ids"])
        assert np.isnan(samples.correct).sum() == lost
        share = own["resolved_instances"] / own["total_instances"]
        assert value(path, "avg@n", missing="wrong") == pytest.approx(share)


def test_swe_bench_reports_of_one_run_count_once():
    samples = read(REPORTS)
    assert samples.counts() == ([2, 2, 2, 2, 1, 1], [2, 1, 1, 0, 0, 0])
    assert set(samples.model) == {"mock__model"}
    assert samples.notes["counted_once"] > 0
    assert read(sorted(REPORTS.glob("*.json"))).counts() == samples.counts()
    found = read(REPORTS / "logs")
    assert found.counts() == ([2, 2, 2, 1, 1, 1], [2, 1, 1, 0, 0, 0])
    assert "no_report" in found.notes


def test_swe_bench_reports(tmp_path):
    report = dict(submitted_ids=["a", "b", "c", "d", "e"], incomplete_ids=["f"],
                  unresolved_ids=["b"], empty_patch_ids=["c", "d"], resolved_ids=["a", "c"],
                  error_ids=["e"], infra_failure_ids=["b"])
    first = put(tmp_path / "x/my.model.run1.json", report)
    samples = read(first)
    assert samples.rows("question sample model correct") == [
        (name, 0, "my.model", outcome) for name, outcome in
        dict(a=True, b=False, c=True, d=False, e=None, f=None).items()]
    assert samples.took == {"question": "instance", "sample": "run", "correct": "resolved",
                            "model and run": "file name"}
    assert samples.notes == dict(no_outcome=2, empty_patches=2, infrastructure=1)
    again = dict(submitted_ids=["a", "g"], resolved_ids=["a", "g"])
    same_run = put(tmp_path / "y/my.model.run1.json", again)
    assert read([first, same_run]).questions == [*"abcdef", "g"]
    other_run = put(tmp_path / "y/my.model.run2.json", again)
    assert read([first, other_run]).counts() == ([2, 1, 1, 1, 0, 0, 1], [2, 0, 1, 0, 0, 0, 1])
    assert set(read(put(tmp_path / "alone.json", again)).model) == {"alone"}


@pytest.mark.parametrize("place, model", [
    ("run/model/x-1/report.json", "model"), ("model/logs/x-1/report.json", "model"),
    ("run/model/other/report.json", None)])
def test_swe_bench_instances(tmp_path, place, model):
    def report(resolved): return dict(patch_successfully_applied=True, resolved=resolved)
    samples = read(put(tmp_path / place, {"x-1": report(True), "x-2": report(False)}))
    models = (model,) * (model is not None)
    assert samples.rows("question sample correct" + " model" * len(models)) == [
        ("x-1", 0, True, *models), ("x-2", 0, False, *models)]


def instance(resolved):
    return {"x-1": dict(patch_successfully_applied=True, resolved=resolved)}


def test_swe_bench_runs_and_submissions(tmp_path):
    "Equal reports of two runs are two samples; submissions are models."
    for run in "ab": put(tmp_path / f"runs/{run}/m/x-1/report.json", instance(True))
    assert read(tmp_path / "runs").counts() == ([2], [2])
    for model in "ab":
        put(tmp_path / f"subs/{model}/logs/x-1/report.json", instance(model == "a"))
    assert sorted(read(tmp_path / "subs").model) == ["a", "b"]


def test_swe_bench_two_outcomes_of_one_run(tmp_path):
    put(tmp_path / "run1/m/x-1/report.json", instance(True))
    report = dict(submitted_ids=["x-1"], resolved_ids=[], unresolved_ids=["x-1"])
    put(tmp_path / "m.run1.json", report)
    assert refusal(tmp_path) == (
        "an instance must have one outcome in a run, got False and True for 'x-1' in m.run1.json "
        "and report.json; leave the older one out")
