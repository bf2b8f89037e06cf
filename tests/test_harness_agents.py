"Logs of agents and of programs: numbers equal to those that the harness itself computed."
import json
import shutil
from math import comb

import numpy as np
import pytest

from harness_cases import LOGS, put, read
from sampling_eval import score

JOB = LOGS / "harbor/2026-11-21__10-00-00"
RUN = LOGS / "terminal_bench/2026-11-20__10-00-00"
TRACES = LOGS / "verifiers_traces/traces.jsonl"
PROMPTFOO = LOGS / "promptfoo_repeat"
REPORTS = LOGS / "swe_bench"
PROGRAMS = LOGS / "bigcodebench"


def load(path): return json.loads(path.read_text())


def lines(path): return [json.loads(line) for line in path.read_text().splitlines()]


def value(path, metric, **options): return score(path, metric, **options).rows[0].estimate


# verifiers since 0.4.

def test_verifiers_traces():
    samples = read(TRACES)
    assert samples.counts() == ([4, 4, 3, 3, 4], [4, 1, 3, 2, 2])
    assert samples.questions == [3, 0, 1, 4, 2] and set(samples.model) == {"mock"}
    assert np.isnan(samples.correct).sum() == 2 and "not ok are missing" in samples.source
    # Its dashboard shows the mean over rollouts that are ok, and the mean over all.
    assert value(TRACES, "avg@n", missing="wrong") == pytest.approx(.6)
    assert samples.answer.tolist()[:2] == ["4", "0"]


def one_trace(name="agent", **more):
    task = dict(type="T", data=dict(idx=0), key="k")
    agent = dict(name=name, trainable=name != "judge", config=dict(model="m"))
    trace = dict(task=task, agent=agent, nodes=[], ok=True,
                 rewards=dict(right=dict(score=1.0, weight=1.0)), metrics={})
    return trace | more


def write_episodes(path, *episodes):
    whole = [dict(task=one_trace()["task"], env=dict(id="e"), ok=True, errors=[], traces=traces)
             for traces in episodes]
    return put(path / "traces.jsonl", whole, True)


def test_verifiers_reward_is_the_weighted_sum(tmp_path):
    rewards = dict(right=dict(score=1.0, weight=.75), form=dict(score=0.0, weight=.25))
    path = write_episodes(tmp_path, [one_trace(rewards=rewards, metrics=dict(turns=3))])
    assert read(path).score.tolist() == [.75]
    assert read(path, score="right").correct.tolist() == [1]
    assert read(path, score="turns").score.tolist() == [3]


def test_verifiers_takes_the_agent_that_is_evaluated(tmp_path):
    path = write_episodes(tmp_path, [one_trace("judge", rewards={}), one_trace("solver")])
    assert read(path).correct.tolist() == [1]
    path = write_episodes(tmp_path, [one_trace("solver"), one_trace("critic", rewards={})])
    with pytest.raises(ValueError, match="pass filter= one of 'solver', 'critic'"): read(path)
    assert read(path, filter="solver").correct.tolist() == [1]


def test_verifiers_without_a_trace_or_a_reward_is_missing(tmp_path):
    samples = read(write_episodes(tmp_path, [one_trace()], [], [one_trace(rewards={})]))
    assert np.array_equal(samples.correct, [1, np.nan, np.nan], equal_nan=True)
    assert set(samples.model) == {"m"}


# promptfoo.

@pytest.mark.parametrize("name", ["out.json", "out.jsonl", "out.csv", ""])
def test_promptfoo_formats_give_the_same_counts(name):
    models = read(PROMPTFOO / name).models()
    counts = {model: samples.counts() for model, samples in models.items()}
    assert counts == {"m1 with prompt 0": ([3, 3, 3, 3], [2, 2, 1, 2]),
                      "m1 with prompt 1": ([2, 2, 3, 2], [2, 1, 2, 2]),
                      "m2 with prompt 2": ([2, 2, 3, 2], [2, 1, 2, 2]),
                      "m2 with prompt 3": ([3, 3, 3, 3], [2, 1, 2, 2])}


def test_promptfoo_own_numbers():
    results, samples = load(PROMPTFOO / "out.json")["results"], read(PROMPTFOO / "out.json")
    passed = [prompt["metrics"]["testPassCount"] for prompt in results["prompts"]]
    broken = [prompt["metrics"]["testErrorCount"] for prompt in results["prompts"]]
    models = samples.models().values()
    assert [sum(part.counts()[1]) for part in models] == passed
    assert [int(np.isnan(part.correct).sum()) for part in models] == broken
    assert sum(passed) == results["stats"]["successes"]


def test_promptfoo_other_results_of_one_name_are_not_left_out(tmp_path):
    shutil.copy(PROMPTFOO / "out.json", tmp_path)
    text = (PROMPTFOO / "out.csv").read_text().replace("3,PASS,1.00", "9,FAIL,0.00")
    (tmp_path / "out.csv").write_text(text)
    with pytest.raises(ValueError, match="is in out.csv and in out.json"): read(tmp_path)


def promptfoo_line(place, ask):
    case = dict(vars=dict(x=ask), **{"assert": []})
    return dict(testIdx=place, promptIdx=0, provider="m", success=True, score=1, vars=case["vars"],
                testCase=case, response=dict(output="y"))


@pytest.mark.parametrize("tests, n", [
    ("aaabbbaaa", [3, 3, 3]), ("ababcdcd", [2, 2, 2, 2]), ("abc", [1, 1, 1]), ("aab", [2, 1]),
    ("aaaa", [4]), ("aabbb", [2, 3])])
def test_promptfoo_repetitions(tmp_path, tests, n):
    rows = [promptfoo_line(place, ask) for place, ask in enumerate(tests)]
    assert read(put(tmp_path / "x.jsonl", rows[::-1], True)).counts()[0] == n


@pytest.mark.parametrize("old, new, said", [
    ("dunno,FAIL", "dunno,MAYBE", "a status must be one of 'PASS', 'FAIL', 'ERROR', got 'MAYBE'"),
    ("1,2,dunno", "1,2,,dunno", "a row must have 26 cells as the header has, got 27 in row 2"),
    ("1,2,dunno", '1,2,"dun"no', "need valid CSV")])
def test_promptfoo_damaged_table(tmp_path, old, new, said):
    text = (PROMPTFOO / "out.csv").read_text().replace(old, new, 1)
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ValueError, match=said): read(tmp_path / "x.csv")


def test_promptfoo_long_cell(tmp_path):
    text = (PROMPTFOO / "out.csv").read_text().replace("dunno", "x" * 200_000)
    (tmp_path / "x.csv").write_text(text + "\n")
    assert len(read(tmp_path / "x.csv")) == 48


@pytest.mark.parametrize("text", ["question,correct\n1,1\n", "a\n", '"a"b\n', "\0\n",
                                  "[p],Status,Scores\n", "x,Status,Score\n"])
def test_other_tables_are_no_logs(tmp_path, text):
    (tmp_path / "x.csv").write_text(text)
    assert read(tmp_path / "x.csv") is None


# terminal-bench.

def own_pass_at(counts, k):
    "The mean that a harness reports, from right and all trials of each task."
    return np.mean([1 - comb(n - c, k) / comb(n, k) for c, n in counts])


@pytest.mark.parametrize("run", sorted(LOGS.glob("terminal_bench/*")), ids=lambda path: path.name)
def test_terminal_bench_own_numbers(run):
    about = load(run / "run_metadata.json")
    assert value(run, "avg@n", missing="wrong") == about["accuracy"]
    assert value(run, "pass@k", k=2, missing="wrong") == about["pass_at_k"]["2"]
    trials = [value for path in run.glob("*/*/*.json") for value in read(path).correct]
    assert np.nansum(trials) == load(run / "results.json")["n_resolved"]


def test_terminal_bench_runs_are_draws_of_one_model():
    samples = read(LOGS / "terminal_bench")
    tasks = [f"made-up-core@0.1.1/{task}" for task in ("fix-build", "sort-file")]
    assert samples.questions == [*tasks, "made-up-extra@head/sort-file"]
    assert samples.counts() == ([3, 4, 2], [1, 3, 0])
    assert set(samples.model) == {"terminus mock/mock-model"}
    assert "trials in several files count once" in samples.source
    assert "1 of 10 samples missing (coverage 90.0%), counted as wrong." in score(LOGS / "terminal_bench", missing="wrong").read


def test_terminal_bench_without_metadata(tmp_path):
    for run in (RUN, RUN.with_name("2026-11-21__10-00-00")):
        shutil.copy(run / "results.json", tmp_path / f"{run.name}.json")
    samples = read(tmp_path)
    assert samples.model is None and samples.counts()[0] == [4, 3]
    assert "runs that name no model are taken for one" in samples.source
    shutil.copy(RUN.with_name("2026-11-22__10-00-00") / "results.json", tmp_path)
    with pytest.raises(ValueError, match="one instruction, got two of 'sort-file'"): read(tmp_path)


def test_terminal_bench_models_that_nobody_names(tmp_path):
    for submission in "ab":
        shutil.copytree(RUN, tmp_path / submission / "run")
        put(tmp_path / submission / "run/run_metadata.json", dict(agent_name="droid"))
    with pytest.raises(ValueError, match="must lie in one folder .* got 'a' and 'b'; read them"):
        read(tmp_path)
    assert set(read(tmp_path / "a").model) == {"droid"}


def test_terminal_bench_copies_of_a_run(tmp_path):
    for name in "ab": shutil.copytree(RUN, tmp_path / name)
    assert read(tmp_path).counts() == read(RUN).counts()


def test_terminal_bench_before_trials_had_ids(tmp_path):
    shutil.copytree(RUN, tmp_path / "run")
    for path in (tmp_path / "run").rglob("results.json"):
        whole = load(path)
        for trial in whole.get("results", [whole]): del trial["id"]
        put(path, whole)
    assert read(tmp_path).counts() == read(RUN).counts()


# Harbor.

def test_harbor_own_numbers():
    samples, own = read(JOB), load(JOB / "result.json")["stats"]["evals"]
    assert samples.counts() == ([2, 3, 2], [1, 2, 1]) and np.isnan(samples.score).sum() == 1
    assert set(samples.model) == {"terminus-2 mock-model"}
    tasks = np.array([name.partition("/")[0] for name in samples.question])
    for key, evaluated in own.items():
        part = samples.score[tasks == key.split("__")[-1]]
        assert np.nan_to_num(part).mean() == evaluated["metrics"][0]["mean"]
    assert own["terminus-2__mock-model__made-up"]["pass_at_k"]["2"] == pytest.approx(
        own_pass_at([(2, 3), (1, 3)], 2))
    want = own_pass_at([(2, 3), (1, 3), (1, 2)], 2)
    assert value(JOB, "pass@k", k=2, missing="wrong") == pytest.approx(want, rel=1e-12)


def test_harbor_job_file_is_no_log_of_trials(tmp_path):
    with pytest.raises(ValueError, match="sums over trials and not the trials"):
        read(JOB / "result.json")
    trials = [load(path) for path in sorted(JOB.glob("*/result.json"))]
    whole = load(JOB / "result.json") | dict(trial_results=trials + trials[:1])
    assert read(put(tmp_path / "result.json", whole)).counts() == read(JOB).counts()


def harbor_trial(number, rewards, **more):
    return dict(id=str(number), task_name="t", trial_name=f"t__{number}", agent_info=dict(name="a"),
                verifier_result=dict(rewards=rewards)) | more


def test_harbor_rewards(tmp_path):
    for number, reward in enumerate([.5, 1]):
        rewards = dict(reward=reward, style=0)
        put(tmp_path / f"{number}/result.json", harbor_trial(number, rewards))
    assert sorted(read(tmp_path).score) == [.5, 1] and read(tmp_path, score="style").counts() == (
        [2], [0])
    put(tmp_path / "2/result.json", harbor_trial(2, None, exception_info={}))
    assert np.isnan(read(tmp_path).score).sum() == 1


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
    assert set(samples.model) == {"mock__model"} and "count once" in samples.source
    both = read(sorted(REPORTS.glob("*.json")))
    assert both.counts() == samples.counts()
    found = read(REPORTS / "logs")
    assert found.counts() == ([2, 2, 2, 1, 1, 1], [2, 1, 1, 0, 0, 0])
    assert "instances without any report are not counted" in found.source


def instance(resolved):
    return {"x-1": dict(patch_successfully_applied=True, resolved=resolved)}


def test_swe_bench_equal_reports_of_two_runs_are_two_draws(tmp_path):
    for run in "ab": put(tmp_path / run / "m/x-1/report.json", instance(True))
    assert read(tmp_path).counts() == ([2], [2])


def test_swe_bench_submissions_are_models(tmp_path):
    for model in "ab": put(tmp_path / model / "logs/x-1/report.json", instance(model == "a"))
    assert sorted(read(tmp_path).model) == ["a", "b"]


def test_swe_bench_two_outcomes_of_one_run(tmp_path):
    put(tmp_path / "run1/m/x-1/report.json", instance(True))
    report = dict(submitted_ids=["x-1"], resolved_ids=[], unresolved_ids=["x-1"])
    put(tmp_path / "m.run1.json", report)
    with pytest.raises(ValueError, match="one outcome in a run, got False and True for 'x-1'"):
        read(tmp_path)


# BigCodeBench.

def test_bigcodebench_own_numbers():
    own = load(next(PROGRAMS.glob("*pass_at_k.json")))
    for k in (1, 2): assert value(PROGRAMS, "pass@k", k=k) == pytest.approx(own[f"pass@{k}"])
    samples = read(PROGRAMS)
    assert samples.counts() == ([3, 3], [2, 1]) and set(samples.model) == {own["model"]}


def test_bigcodebench_statuses(tmp_path):
    tries = [dict(status=status) for status in ("pass", "timeout")]
    path = put(tmp_path / "x_eval_results.json", dict(eval={"a": tries}))
    assert read(path).correct.tolist() == [1, 0] and read(path).model is None
    put(path, dict(eval={"a": [*tries, dict(status="skipped")]}))
    with pytest.raises(ValueError, match="one of 'pass', 'fail', 'timeout', got 'skipped' for a"):
        read(path)
