"Logs of agents: tau-bench, tau2, terminal-bench, Harbor, verifiers and verl."

import shutil
from math import comb
from pathlib import Path

import numpy as np
import pytest

from harness_cases import LOGS, equal, find_logs, load, put, read, refusal, same
from sampling_eval import score
from sampling_eval.reading.logs.agents import (
    expect_simulations,
    expect_terminal_trials,
    expect_trials,
    find_folder,
    find_owner,
    list_scores,
    name_data,
    name_unnamed,
    read_answer,
    read_completion,
    read_summary,
    read_terminal_trials,
    recognise_run,
    tell_trace,
)
from sampling_eval.reading.logs.ask import Ask, Total
from sampling_eval.reading.logs.log import open_log
from sampling_eval.reading.logs.several import read_logs
from sampling_eval.reading.texts import Gathering
from sampling_eval.metrics.passhat import pass_hat_k

JOB = LOGS / "harbor/2026-11-21__10-00-00"
RUN = LOGS / "terminal_bench/2026-11-20__10-00-00"
TRACES = LOGS / "verifiers_traces/traces.jsonl"


def value(path, metric, **options):
    return score(path, metric, **options).rows[0].estimate


def own_pass_at(counts, k):
    "The mean that a harness reports, from right and all trials of each task."
    return np.mean([1 - comb(n - c, k) / comb(n, k) for c, n in counts])


# tau-bench.


def test_tau_bench_published_curve():
    n, c = read(LOGS / "tau_bench").counts()
    assert (len(n), min(n), max(n), sum(c)) == (50, 4, 4, 84)
    assert pass_hat_k(n, c, [1, 2, 3, 4]).mean(0).round(3).tolist() == [0.42, 0.273, 0.22, 0.2]


def test_tau_bench(tmp_path):
    "A trial that broke down says nothing; the first one may be longer than what is sniffed."
    trials = [
        dict(task_id=0, trial=0, reward=1.0, info=dict(error="x"), traj="x" * 2**17),
        dict(task_id=0, trial=1, reward=1 - 1e-7, info=None),
        dict(task_id=1, trial=0, reward=0.5),
    ]
    samples = read(put(tmp_path / "x.json", trials))
    assert samples.rows("question sample correct score") == [
        (0, 0, None, None),
        (0, 1, True, 1 - 1e-7),
        (1, 0, False, 0.5),
    ]
    assert samples.said == ["1 trial ended in an error: missing"]
    assert read(put(tmp_path / "y.json", trials[1:])).said == []


@pytest.mark.parametrize(
    "reward, solved",
    [
        (1, 1),
        (1 - 9e-7, 1),
        (1 + 9e-7, 1),
        (1 - 2e-6, 0),
        (1 + 2e-6, 0),
        (0, 0),
        (2, 0),
        (None, np.nan),
        (float("nan"), np.nan),
        (True, 1),
    ],
)
def test_rewards_of_one(tmp_path, reward, solved):
    trials = [dict(task_id=0, trial=0, reward=reward), dict(task_id=0, trial=1, reward=1)]
    assert same(read(put(tmp_path / "x.json", trials)).correct, [solved, 1])


# tau2.


def test_tau2_log(tmp_path):
    samples = read(LOGS / "tau2")
    assert same(samples.correct, [1, 1, 0, np.nan, 0, 1, 0, np.nan])
    assert set(samples.model.tolist()) == {"mock-agent"}
    for i, run in enumerate(load(LOGS / "tau2/results.json")["simulations"]):
        put(tmp_path / f"simulations/{i}.json", dict(run, trial=None if i < 4 else run["trial"]))
    assert same(read(tmp_path, files="draws").correct, samples.correct)


def simulation(task, reward, **more):
    judged = None if reward is None else dict(reward=reward)
    return dict(task_id=task, termination_reason="agent_stop", reward_info=judged) | more


SIMULATIONS = [
    simulation("a", 1.0),
    simulation("a", 0.5, trial=4),
    simulation("a", None),
    simulation("b", 1.0, termination_reason="infrastructure_error"),
    dict(task_id="b", termination_reason="x", reward=1.0, trial=5),
]
SIMULATED = [
    ("a", 0, True, 1.0),
    ("a", 4, False, 0.5),
    ("a", 2, None, None),
    ("b", 0, None, None),
    ("b", 5, True, 1.0),
]
INFO = dict(
    agent_info=dict(llm="m", implementation="llm_agent"),
    environment_info=dict(domain_name="retail"),
)


def test_tau2(tmp_path):
    path, about = tmp_path / "run/results.json", ("m", "retail")
    want = [(*row, *about) for row in SIMULATED]
    for name in "simulations", "simulation_index":
        samples = read(put(path, dict(info=INFO, tasks=[], **{name: SIMULATIONS})))
        assert samples.rows("question sample correct score model task") == want
        assert samples.said == ["2 simulations without a usable rollout: missing"]
    for i, run in enumerate(SIMULATIONS):
        put(tmp_path / f"run/simulations/{i}.json", run)
    put(path, dict(info=INFO, tasks=[]))
    assert read(path).rows("question sample correct score model task") == want
    part = read(tmp_path / "run/simulations/1.json")
    assert part.rows("question sample correct score model task") == want[1:2]
    for place in "run/other/1.json", "alone/simulations/1.json":
        alone = read(put(tmp_path / place, SIMULATIONS[0]))
        assert alone.rows("question sample correct score") == SIMULATED[:1]
    assert "does not follow the layout of tau2 (KeyError: 'simulations')" in refusal(
        put(tmp_path / "x.json", dict(info=INFO, tasks=[]))
    )


@pytest.mark.parametrize(
    "agent, model",
    [
        (dict(llm="m"), ["m"]),
        (dict(llm="m", implementation="solo"), ["m (solo)"]),
        (dict(implementation="solo"), None),
        ({}, None),
    ],
)
def test_tau2_agents(tmp_path, agent, model):
    log = dict(info=dict(agent_info=agent), simulations=SIMULATIONS[:1])
    found = read(put(tmp_path / "x.json", log)).model
    assert (found if model is None else found.tolist()) == model


TAU2 = {  # what its compute_metrics gave for each file
    "mock-a_retail": [2 / 3, 4 / 9, 1 / 3, 1 / 3],
    "mock-a_airline": [0.375, 1 / 12, 0, 0],
    "mock-b_retail": [5 / 12, 1 / 9, 0, 0],
    "mock-b_airline": [0.5, 0.25, 0.125, 0],
    "mock-b_retail_llm_agent_solo": [5 / 12, 1 / 6, 1 / 12, 0],
}


@pytest.mark.parametrize("name", TAU2)
def test_tau2_passes_as_often_as_it_says(name):
    n, c = read(LOGS / f"tau2_runs/{name}.json").counts()
    assert np.allclose(pass_hat_k(n, c, range(1, min(n) + 1)).mean(0), TAU2[name])


@pytest.mark.parametrize("path", ["", "results.json"])
def test_tau2_with_a_file_for_each_simulation(tmp_path, path):
    "A simulation that broke down is left out, as there: pass^1 .5833, pass^2 .25, pass^3 0."
    folder = shutil.copytree(LOGS / "tau2_runs/mock-b_telecom", tmp_path / "run")
    n, c = read(folder / path).counts()
    assert n == [4, 3] and np.allclose(pass_hat_k(n, c, [1, 2, 3]).mean(0), [7 / 12, 0.25, 0])
    about = load(folder / "results.json")
    del about["simulation_index"]
    put(folder / "results.json", about)
    assert read(folder / path).counts() == (n, c)


def test_tau2_one_simulation_knows_its_run():
    samples = read(LOGS / "tau2_runs/mock-b_telecom/simulations/mock-b-telecom-llm_agent-0-3.json")
    assert samples.model.tolist() == ["mock-b"] and samples.sample.tolist() == [3]


def test_tau2_folder_keeps_models_and_domains_apart():
    models = read(LOGS / "tau2_runs").models()
    assert list(models) == ["mock-a", "mock-b", "mock-b (llm_agent_solo)"]
    tasks = {model: sorted(set(part.task)) for model, part in models.items()}
    assert tasks == {
        "mock-a": ["airline", "retail"],
        "mock-b": ["airline", "retail", "telecom"],
        "mock-b (llm_agent_solo)": ["retail"],
    }
    assert len(models["mock-b"].questions) == 7


def test_tau2_counts_a_full_context_as_a_failure(tmp_path):
    "Its metrics leave out infrastructure errors and nothing else."
    document = load(LOGS / "tau2_runs/mock-a_retail.json")
    for run in document["simulations"]:
        run |= dict(termination_reason="context_window_exceeded", reward_info=dict(reward=0.0))
    assert read(put(tmp_path / "r.json", document)).counts() == ([4] * 3, [0] * 3)


# terminal-bench.


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
    assert samples.notes["no_outcome"] == 1 and samples.notes["counted_once"] > 1
    assert score(LOGS / "terminal_bench", missing="wrong").rows[0].missing == 1


def test_terminal_bench_without_metadata(tmp_path):
    for run in (RUN, RUN.with_name("2026-11-21__10-00-00")):
        shutil.copy(run / "results.json", tmp_path / f"{run.name}.json")
    samples = read(tmp_path)
    assert samples.model is None and samples.counts()[0] == [4, 3]
    assert "unnamed_models" in samples.notes
    shutil.copy(RUN.with_name("2026-11-22__10-00-00") / "results.json", tmp_path)
    assert "a task must have one instruction, got two of 'sort-file' in " in refusal(tmp_path)


def test_terminal_bench_models_that_nobody_names(tmp_path):
    for submission in "ab":
        shutil.copytree(RUN, tmp_path / submission / "run")
        put(tmp_path / submission / "run/run_metadata.json", dict(agent_name="droid"))
    assert (
        refusal(tmp_path)
        == "runs of one model must lie in one folder where run_metadata.json names no model, got"
        " 'a' and 'b'; pass files_hold='models' if each folder is a model, files_hold='draws' if"
        " all are runs of one"
    )
    assert set(read(tmp_path, files="models").model) == {"droid a"}  # b holds the same trials
    assert set(read(tmp_path, files="draws").model) == {"droid"}
    assert set(read(tmp_path / "a").model) == {"droid"}


def test_submissions_of_renamed_results_are_told_apart(tmp_path):
    "Two days of each of two submissions are two systems, not one with four runs."
    for submission in "ab":
        for day in "12":
            (tmp_path / submission).mkdir(exist_ok=True)
            trials = [
                dict(
                    trial_name=f"{task}.{submission}{day}",
                    task_id=task,
                    is_resolved=submission == "a",
                )
                for task in "xyz"
            ]
            put(
                tmp_path / submission / f"2025-08-2{day}_results.json",
                dict(results=trials, n_resolved=0),
            )
    assert "got 'a' and 'b'; pass files_hold='models'" in refusal(tmp_path)
    models = score(tmp_path, files_hold="models")
    assert models.estimates()["a"]["pass@1"] == 1 and models.estimates()["b"]["pass@1"] == 0


def test_a_run_that_names_no_model_beside_one_that_does(tmp_path):
    "All of its trials are of one system, which is called by its folder."
    for name in "ab":
        for task in "xyz":
            trial = dict(trial_name=f"{task}.1", task_id=task, is_resolved=name == "a")
            (folder := tmp_path / name / "run" / task / f"{task}.1").mkdir(parents=True)
            put(folder / "results.json", trial)
    put(tmp_path / "a/run/run_metadata.json", dict(agent_name="droid", model_name="m"))
    assert {name: len(own) for name, own in read(tmp_path).models().items()} == {
        "droid m": 3,
        "b": 3,
    }


def test_terminal_bench_copies_of_a_run(tmp_path):
    for name in "ab":
        shutil.copytree(RUN, tmp_path / name)
    assert read(tmp_path).counts() == read(RUN).counts()


def test_terminal_bench_before_trials_had_ids(tmp_path):
    shutil.copytree(RUN, tmp_path / "run")
    for path in (tmp_path / "run").rglob("results.json"):
        whole = load(path)
        for trial in whole.get("results", [whole]):
            del trial["id"]
        put(path, whole)
    assert read(tmp_path).counts() == read(RUN).counts()


def attempt(task, name, resolved=True, **more):
    return (
        dict(task_id=task, trial_name=name, is_resolved=resolved, instruction=f"do {task}") | more
    )


@pytest.mark.parametrize(
    "about, model, task",
    [
        (
            dict(agent_name="agent", model_name="llm", dataset_name="set", dataset_version="1"),
            "agent llm",
            "set@1",
        ),
        (dict(model_name="llm", dataset_name="set"), "llm", "set"),
        (dict(dataset_path="/x/own"), None, "own"),
        (dict(agent_name="agent", dataset_path="/x/own", dataset_name="set"), "agent", "set"),
    ],
)
def test_terminal_bench(tmp_path, about, model, task):
    trials = [
        attempt("a", "a.1", id=1),
        attempt("a", "a.2", False, id=2),
        attempt("b", "b.1", None),
        attempt("a", "a.1", id=1),
    ]
    path = put(tmp_path / "run/results.json", dict(results=trials, n_resolved=1))
    put(tmp_path / "run/run_metadata.json", about)
    samples, models = read(path), (model,) * (model is not None)
    assert samples.rows("task question sample correct" + " model" * len(models)) == [
        (task, "a", 0, True, *models),
        (task, "a", 1, False, *models),
        (task, "b", 0, None, *models),
    ]
    part = put(tmp_path / "run/a/a.1/results.json", trials[0])
    assert read([part, path]).counts() == samples.counts()
    assert read(put(tmp_path / "run/a/other/results.json", trials[0])).task is None


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
        own_pass_at([(2, 3), (1, 3)], 2)
    )
    want = own_pass_at([(2, 3), (1, 3), (1, 2)], 2)
    assert value(JOB, "pass@k", k=2, missing="wrong") == pytest.approx(want, rel=1e-12)


def test_harbor_job_file_is_no_log_of_trials(tmp_path):
    assert (
        refusal(JOB / "result.json")
        == "result.json holds sums over trials and not the trials; read the folder of the job,"
        " whose "
        "folders have a result.json each"
    )
    trials = [load(path) for path in sorted(JOB.glob("*/result.json"))]
    whole = load(JOB / "result.json") | dict(trial_results=trials + trials[:1])
    assert read(put(tmp_path / "result.json", whole)).counts() == read(JOB).counts()


def harbor_trial(name, reward, **more):
    rewards = None if reward is None else dict(rewards=dict(reward=reward, style=0.5))
    return (
        dict(
            task_name=name,
            trial_name=f"{name}__x",
            agent_info=dict(name="agent"),
            verifier_result=rewards,
        )
        | more
    )


def test_harbor_job_with_trials(tmp_path):
    model = dict(agent_info=dict(name="agent", model_info=dict(name="llm")))
    trials = [
        harbor_trial("a", 1, id="1", **model),
        harbor_trial("a", 0.5, id="2", source="set"),
        harbor_trial("a", 0, id="3", exception_info={"x": 1}),
        harbor_trial("a", None, id="4", **model),
        harbor_trial("a", 1, id="1"),
        harbor_trial("b", 1),
        harbor_trial("b", 1),
        harbor_trial("b", 0, trial_name="o"),
    ]
    path = put(tmp_path / "x.json", dict(n_total_trials=6, stats={}, trial_results=trials))
    samples = read(path)
    assert samples.rows("question task model score sample") == [
        ("adhoc/a", "adhoc", "agent llm", 1.0, 0),
        ("set/a", "set", "agent", 0.5, 0),
        ("adhoc/a", "adhoc", "agent", 0.0, 1),
        ("adhoc/a", "adhoc", "agent llm", None, 2),
        ("adhoc/b", "adhoc", "agent", 1.0, 0),
        ("adhoc/b", "adhoc", "agent", 0.0, 2),
    ]
    assert samples.notes == dict(kept_rewards=1, no_outcome=1, counted_once=2)
    assert same(read(path, score="style").score, [0.5, 0.5, 0.5, np.nan, 0.5, 0.5])
    assert read(path, grade=equal).score is None
    (only,) = read(put(tmp_path / "y.json", trials[0])).score
    assert only == 1.0
    assert refusal(put(path, dict(n_total_trials=0, stats={}, trial_results=[]))).startswith(
        "x.json holds sums over trials"
    )


def test_harbor_rewards(tmp_path):
    for number, reward in enumerate([0.5, 1, None]):
        trial = harbor_trial("t", reward, id=str(number))
        put(tmp_path / f"{number}/result.json", trial)
    found = read(tmp_path).score
    assert sorted(found[:2]) == [0.5, 1] and np.isnan(found).sum() == 1
    put(tmp_path / "2/result.json", harbor_trial("t", 1, id="2", verifier_result=dict(rewards={})))
    assert np.isnan(read(tmp_path).score).sum() == 1


# verifiers before 0.4.


@pytest.mark.parametrize(
    "run, mean",
    [
        ("wiki-search--gpt-4.1-mini", 0.82),
        ("wiki-search--gpt-5", 0.9),
        ("mmmu--gpt-4.1-mini", 14 / 15),
    ],
)
def test_verifiers_average_reward(run, mean):
    samples = read(LOGS / "verifiers" / run)
    assert samples.correct.mean() == pytest.approx(mean, rel=1e-12)
    assert set(samples.model.tolist()) == {"gpt-4.1-mini" if "mini" in run else "gpt-5"}


def test_verifiers(tmp_path):
    lines = [
        dict(
            example_id=3,
            id="9",
            prompt=[],
            completion=[dict(content="x"), dict(content="last")],
            reward=1,
            answer="t",
            error=None,
            extra=0.5,
            total_ms=7,
        ),
        dict(example_id=3, prompt="p", completion="text", reward=0.5, error="x", extra=None),
        dict(example_id=4, prompt="p", completion=[], reward=0, extra=1),
        dict(example_id=4, prompt="", completion=[dict(content="")], reward=0, extra=0),
    ]
    path = put(tmp_path / "results.jsonl", lines, True)
    samples = read(path)
    assert samples.took == dict(
        question="example_id",
        sample="order of appearance",
        score="reward",
        answer="last message of completion",
    )
    assert samples.rows("question sample answer score") == [
        (3, 0, "last", 1.0),
        (3, 1, "text", None),
        (4, 0, None, 0.0),
        (4, 1, None, 0.0),
    ]
    put(tmp_path / "metadata.json", dict(model="m", env="e"))
    samples = read(path, score="extra")
    assert same(samples.score, [0.5, np.nan, 1, 0])
    assert {*samples.model, *samples.task} == {"m", "e"}
    put(tmp_path / "metadata.json", dict(model="m", env="e", env_id="i"))
    by_id = read(put(tmp_path / "o.jsonl", [dict(id=9, prompt="", completion="c", reward=1)], True))
    assert by_id.rows("question sample answer score model task") == [(9, 0, "c", 1.0, "m", "i")]
    assert read(path, grade=equal).took["correct"] == "grade"
    assert "score must be one of 'reward', 'extra', got 'total_ms'" in refusal(
        path, score="total_ms"
    )


# verifiers since 0.4.


def test_verifiers_traces_own_numbers():
    samples = read(TRACES)
    assert samples.counts() == ([4, 4, 3, 3, 4], [4, 1, 3, 2, 2])
    assert samples.questions == [3, 0, 1, 4, 2] and set(samples.model) == {"mock"}
    assert np.isnan(samples.correct).sum() == 2
    # Its dashboard shows the mean over rollouts that are ok, and the mean over all.
    assert value(TRACES, "avg@n", missing="wrong") == pytest.approx(0.6)
    assert samples.answer.tolist()[:2] == ["4", "0"]


def trace(reward=1.0, agent="agent", idx=3, **more):
    rewards = (
        {}
        if reward is None
        else dict(
            right=dict(score=reward, weight=0.5), form=dict(score=1.0, weight=0.25), later=None
        )
    )
    nodes = [
        dict(message=dict(content="no")),
        dict(message=dict(content="said"), sampled=True),
        dict(message=dict(content="tool")),
    ]
    return (
        dict(
            task=dict(data=dict(idx=idx, answer="t")),
            ok=True,
            rewards=rewards,
            nodes=nodes,
            agent=dict(name=agent, config=dict(model="m")),
            metrics=dict(turns=2),
        )
        | more
    )


def episode(*traces, idx=3, **more):
    return (
        dict(
            task=dict(data=dict(idx=idx), key="hash"),
            env=dict(id="e"),
            traces=list(traces),
            ok=True,
        )
        | more
    )


def write(tmp_path, *episodes):
    return put(tmp_path / "traces.jsonl", episodes, True)


def test_verifiers_traces(tmp_path):
    quiet = dict(name="judge", trainable=False, config={})
    part = [dict(message=dict(content=["part"]), sampled=True)]
    path = write(
        tmp_path,
        episode(trace(), trace(0) | dict(agent=quiet)),
        episode(idx=3),
        episode(trace(0, ok=False, root_reply="root")),
        episode(trace(None, metrics=None, nodes=[]), idx="7"),
        episode(trace(0.5, nodes=part), idx=4),
    )
    samples = read(path)
    assert samples.took == dict(
        question="task idx",
        sample="order of appearance",
        score="reward",
        answer="last message of the agent",
    )
    assert samples.said == ["2 rollouts not ok: missing"]
    # The reward is the sum of all by their weights.
    assert samples.rows("question sample score answer model task") == [
        (3, 0, 0.75, "said", "m", "e"),
        (3, 1, None, None, "m", "e"),
        (3, 2, None, "root", "m", "e"),
        ("7", 0, None, None, "m", "e"),
        (4, 0, 0.5, None, "m", "e"),
    ]
    assert same(read(path, score="right").score, [1, np.nan, np.nan, np.nan, 0.5])
    assert same(read(path, score="turns").score, [2, np.nan, np.nan, np.nan, 2])
    assert same(read(path, grade=equal).correct, [0, np.nan, np.nan, np.nan, np.nan])
    bare = read(write(tmp_path, episode(trace(), idx=None, env=None)))
    assert bare.rows("question sample score answer model") == [("hash", 0, 0.75, "said", "m")]
    other = trace(0) | dict(agent=dict(name="agent", config=dict(model="n")))
    both = read(write(tmp_path, episode(trace(1)), episode(other)))
    assert both.said == [] and list(zip(both.model, both.sample)) == [("m", 0), ("n", 0)]


def test_an_episode_that_broke_down_is_a_missing_sample(tmp_path):
    path = write(tmp_path, episode(trace()), episode(idx=3), episode(trace(0)))
    assert score(path, "avg@n", score="right", missing="drop").rows[0].missing == 1


def test_verifiers_traces_of_several_agents(tmp_path):
    quiet = trace(0) | dict(agent=dict(name="judge", trainable=False, config=dict(model="j")))
    assert read(write(tmp_path, episode(quiet))).score.tolist() == [0.25]
    path = write(tmp_path, episode(trace(1, "a"), trace(0, "b")), episode())
    assert refusal(path) == "traces.jsonl holds several filters; pass filter= one of 'a', 'b'"
    assert same(read(path, filter="b").score, [0.25, np.nan])


# verl.


def test_verl_steps():
    counts = {m: s.counts()[1] for m, s in read(LOGS / "verl").models().items()}
    assert counts == {"step 50": [1, 1], "step 100": [3, 2]}
    by_reward = read(LOGS / "verl/100.jsonl", score="reward")
    assert by_reward.correct is None and set(by_reward.score.tolist()) == {-1, 1}


def test_verl(tmp_path):
    lines = [
        dict(input="q", output="o", score=0.5, acc=True, step=5, gts="g", pred="p"),
        dict(input="q", output="o", score=1, acc=False, step=5),
        dict(input="q", output="x", score=0, acc=1, step=6),
    ]
    path = put(tmp_path / "5.jsonl", lines, True)
    samples = read(path)
    assert samples.took == dict(
        question="input (one wording, one question)",
        sample="order of appearance",
        score="acc",
        answer="pred",
    )
    assert samples.rows("question sample answer model score") == [
        ("q", 0, "p", "step 5", 1.0),
        ("q", 1, "o", "step 5", 0.0),
        ("q", 0, "x", "step 6", 1.0),
    ]
    assert read(path, score="score").score.tolist() == [0.5, 1, 0]
    assert "score must be one of 'score', 'acc', got 'step'" in refusal(path, score="step")
    bare = put(tmp_path / "6.jsonl", [dict(input="q", output="o", score=1)], True)
    assert read(bare).rows("question sample answer score") == [("q", 0, "o", 1.0)]
    assert read(bare, grade=equal).took["answer"] == "output"
    odd = put(tmp_path / "x.jsonl", [dict(input="q", output="a", score=10**400)], True)
    assert "does not follow the layout of verl (OverflowError" in refusal(odd)


def test_texts_of_a_trace_are_read_where_a_page_shows_them(tmp_path):
    path = write(tmp_path, episode(trace(), trace(0)))
    logs = find_logs([path])
    bare = read_logs(logs, Ask(score="reward"), "draws")
    shown = read_logs(logs, Ask(score="reward", texts=Gathering.of(["3"])), "draws")
    assert not any(bare.texts or ())
    first = shown.texts[0]
    assert first is not None and "no" in str(vars(first)) and "said" in str(vars(first))


# Totals, folders and names, function by function.


def open_document(path, head):
    return open_log(put(path, head))


@pytest.mark.parametrize(
    "head, totals",
    [
        (
            dict(info=dict(num_trials=3), tasks=[dict(id="a"), dict(id="b")]),
            [dict(expected=6, questions=dict(a=3, b=3), each=3)],
        ),
        (dict(info=dict(num_trials=1), tasks=[dict(id=0)]),
         [dict(expected=1, questions={0: 1}, each=1)]),
        (dict(info=dict(num_trials="3"), tasks=[dict(id="a")]), []),
        (dict(info={}, tasks=[dict(id="a")]), []),
        (dict(info=None, tasks=None), []),
        (dict(info=dict(num_trials=3), tasks=[dict(id="a"), {}]), []),
        (dict(info=dict(num_trials=3), tasks=[]), []),
    ],
    ids="two one text none empty unnamed nothing".split(),
)
def test_trials_of_every_task_of_tau2(head, totals, tmp_path):
    expect_simulations(open_document(tmp_path / "x.json", head), ask := Ask())
    where = "tasks times num_trials in x.json"
    assert ask.totals == [Total(where=where, **total) for total in totals]


@pytest.mark.parametrize(
    "head, known",
    [
        (dict(simulations=[], info={}), True),
        (dict(simulations=[], info=dict(agent_info={})), True),
        (dict(info=dict(agent_info={})), True),
        (dict(info=dict(user_info={})), False),
        (dict(info=None), False),
    ],
)
def test_runs_of_tau2(head, known):
    assert recognise_run(head) is known


@pytest.mark.parametrize(
    "about, totals",
    [
        (dict(dataset_size=3, n_attempts=2), [(6, 2)]),
        (dict(dataset_size=1, n_attempts=1), [(1, 1)]),
        (dict(dataset_size=3), []),
        (dict(n_attempts=2), []),
        (dict(dataset_size="3", n_attempts=2), []),
        ({}, []),
    ],
    ids=str,
)
@pytest.mark.parametrize("name, own", [("results.json", "run"), ("day1.json", "run/day1.json")])
def test_trials_that_a_run_of_terminal_bench_counts(about, totals, name, own, tmp_path):
    "Those of its own lists, and those of the whole run; renamed results are runs of their own."
    folder, trials = tmp_path / "run", [attempt("a", "a.1"), attempt("b", "b.1")]
    head = dict(results=trials, resolved_ids=["a", "a"], unresolved_ids=["b"])
    log = open_document(folder / name, head)
    expect_terminal_trials(log, ask := Ask(), about, folder, whole=True)
    first, *others = ask.totals
    assert (first.expected, first.questions, first.run) == (3, dict(a=2, b=1), tmp_path / own)
    assert first.found == trials
    assert [(one.expected, one.each) for one in others] == totals
    assert all(one.run == folder and one.found is ask.list_held(folder) for one in others)
    chosen, metadata = Ask(), folder / "run_metadata.json"
    expect_terminal_trials(log, chosen, about, folder, whole=False)
    assert chosen.totals == []
    part = Ask(files=frozenset([metadata]))
    expect_terminal_trials(log, part, about, folder, whole=False)
    assert [(one.expected, one.each) for one in part.totals] == totals


@pytest.mark.parametrize(
    "place, folder",
    [
        ("run/t/t.1/results.json", "run"),
        ("run/t/other/results.json", "run/t/other"),
        ("run/other/t.1/results.json", "run/other/t.1"),
        ("run/results.json", "run"),
    ],
)
def test_the_folder_of_a_run_of_terminal_bench(place, folder, tmp_path):
    log = open_document(tmp_path / place, attempt("t", "t.1"))
    assert find_folder(log) == tmp_path / folder


@pytest.mark.parametrize(
    "files, single, owner",
    [
        (["sub/run/results.json"], False, "sub"),
        (["sub/run/results.json", "sub/run/run_metadata.json"], False, "sub"),
        (["sub/run/day1.json"], False, "sub/run"),
        (["sub/run/day1.json"], True, "sub"),
        (["sub/run/results.json", "sub/other/day1.json"], False, "sub"),
    ],
)
def test_the_folder_of_a_model_that_no_file_names(files, single, owner):
    ask = Ask(files=frozenset(map(Path, files)))
    assert find_owner(Path("sub/run"), single, ask) == Path(owner)


def test_runs_without_a_model_are_told_apart():
    def say(*owners, **given):
        ask = Ask(several=True, **given)
        return [name_unnamed("droid", Path(owner), ask) for owner in owners], ask

    alone = Ask()
    assert name_unnamed("droid", Path("x/a"), alone) == "droid"
    assert alone.notes == [] and alone.owner == "a"
    names, ask = say("x/a", "x/a")
    assert names == ["droid", "droid"] and [note.kind for note in ask.notes] == ["unnamed_models"]
    names, ask = say("x/a", "x/b", files_hold="draws")
    assert names == ["droid", "droid"] and ask.used == set()
    names, ask = say("x/a", "x/b", files_hold="models")
    assert names == ["droid a", "droid b"] and ask.used == {"files_hold"} and ask.notes == []
    with pytest.raises(ValueError, match="got 'a' and 'b'; pass files_hold="):
        say("x/a", "x/b")


@pytest.mark.parametrize(
    "about, name",
    [
        ({}, None),
        (dict(dataset_name="set"), "set"),
        (dict(dataset_name="set", dataset_version="1"), "set@1"),
        (dict(dataset_version="1"), None),
        (dict(dataset_version="1", dataset_path="/x/own"), "own"),
    ],
)
def test_data_sets_of_terminal_bench(about, name):
    assert name_data(about) == name


def test_trials_without_an_outcome_are_noted_once(tmp_path):
    "One that two files hold counts once, by its id or by its name within the run."
    path = tmp_path / "run/results.json"
    trials = [attempt("a", "a.1", None), attempt("a", "a.1", None), attempt("a", "a.2", id="9")]
    ask = Ask()
    rows = list(read_terminal_trials(trials, dict(model="m", task="t"), path, ask))
    assert [(row["sample"], row["correct"]) for row in rows] == [(0, None), (2, True)]
    assert {note.kind: note.count for note in ask.notes} == dict(no_outcome=1, counted_once=1)
    assert ask.unordered and ask.list_held(path.parent) == {"a.1", "9"}
    other = [attempt("a", "a.1"), attempt("a", "o", id="9")]
    again = read_terminal_trials(other, dict(task="t"), tmp_path / "b/results.json", ask)
    assert [row["sample"] for row in again] == [0]


@pytest.mark.parametrize("attempts, each", [(3, 3), ("3", None), (None, None)])
def test_trials_that_a_job_of_harbor_counts(attempts, each, tmp_path):
    job = tmp_path / "job/result.json"
    put(job.with_name("config.json"), {} if attempts is None else dict(n_attempts=attempts))
    log = open_document(tmp_path / "job/t__x/result.json", harbor_trial("t", 1))
    expect_trials(dict(n_total_trials=6), job, log, ask := Ask())
    (total,) = ask.totals
    assert (total.expected, total.where) == (6, "n_total_trials in job/result.json")
    assert (total.each, total.run) == (each, job.parent)
    assert total.found is ask.list_held(job.parent)


def test_what_a_trial_of_harbor_cost(tmp_path):
    told = dict(cost_usd=0.25, n_input_tokens=30, n_output_tokens=12)
    costs = dict(cost_usd=0.25, tokens=42, input_tokens=30, output_tokens=12)
    path = put(tmp_path / "x.json", harbor_trial("t", 1, agent_result=told))
    assert read(path).logs.costs == (costs,)
    none = dict.fromkeys(costs)
    assert read(put(tmp_path / "y.json", harbor_trial("t", 1))).logs.costs == (none,)


@pytest.mark.parametrize(
    "size, each, expected",
    [(4, 3, 12), (1, 1, 1), (-1, 3, None), (0, 3, None), (4, None, None), (None, 3, None)],
)
def test_rollouts_that_an_evaluation_of_verifiers_counts(size, each, expected, tmp_path):
    lines = [dict(example_id=0, prompt="p", completion="c", reward=1)]
    log = open_log(put(tmp_path / "x.jsonl", lines, True))
    put(tmp_path / "metadata.json", dict(num_examples=size, rollouts_per_example=each, env="e"))
    assert read_summary(log, ask := Ask()) == dict(model=None, task="e")
    where = "num_examples times rollouts_per_example in metadata.json"
    assert ask.totals == ([] if expected is None else [Total(expected, where, each=each)])


def test_what_a_rollout_of_verifiers_cost(tmp_path):
    lines = [
        dict(example_id=0, prompt="p", completion="c", reward=1,
             token_usage=dict(input_tokens=3, output_tokens=4)),
        dict(example_id=1, prompt="p", completion="c", reward=1),
    ]
    costs = dict(tokens=7, input_tokens=3, output_tokens=4)
    found = read(put(tmp_path / "x.jsonl", lines, True))
    assert found.logs.costs == (costs, dict.fromkeys(costs))


@pytest.mark.parametrize(
    "completion, text",
    [
        ("text", "text"),
        ("", None),
        ([], None),
        (None, None),
        ([dict(content="a"), dict(content="b")], "b"),
        ([dict(content="a"), dict(content="")], None),
        ([dict(content="a"), {}], None),
    ],
    ids=str,
)
def test_the_text_of_a_completion(completion, text):
    assert read_completion(completion) == text


@pytest.mark.parametrize(
    "found, scores",
    [
        (dict(rewards=dict(a=dict(score=1.0, weight=0.5), b=dict(score=0.5, weight=2.0))),
         dict(a=1.0, b=0.5, reward=1.5)),
        (dict(rewards=dict(a=dict(score=1.0, weight=0.5), b=None)), dict(a=1.0, reward=0.5)),
        (dict(rewards=dict(a=None), metrics=dict(turns=2)), dict(turns=2)),
        (dict(rewards=None, metrics=None), {}),
        (dict(rewards=dict(a=dict(score=1.0, weight=1.0)), metrics=dict(a=9, turns=2)),
         dict(a=1.0, turns=2, reward=1.0)),
    ],
    ids="two late none nothing shared".split(),
)
def test_rewards_and_metrics_of_a_trace(found, scores):
    assert list_scores(found) == scores


def test_what_an_agent_of_a_trace_answered():
    def node(content, sampled=True):
        return dict(message=dict(content=content), sampled=sampled)

    assert read_answer(dict(nodes=[node("a"), node("b"), node("c", False)])) == "b"
    assert read_answer(dict(nodes=[node("a")], root_reply="r")) == "r"
    for nodes in [], [node("a", False)], [node(["part"])], [node("a"), node(None)]:
        assert read_answer(dict(nodes=nodes)) is None
    nodes = [node("ask", False), node("said"), node("tool", False), node("end")]
    told, answer = tell_trace(dict(nodes=nodes))
    assert (told, answer) == ([dict(content="ask")], "end")


def test_what_a_trace_cost(tmp_path):
    spent = dict(num_total_tokens=9, num_input_tokens=4, num_output_tokens=5)
    found = read(write(tmp_path, episode(trace(1, **spent))))
    assert found.logs.costs == (dict(tokens=9, input_tokens=4, output_tokens=5),)


def test_an_episode_without_a_trace_is_of_the_only_model(tmp_path):
    other = trace(1) | dict(agent=dict(name="agent", config=dict(model="n")))
    one = read(write(tmp_path, episode(trace(1)), episode()))
    assert one.model.tolist() == ["m", "m"]
    two = read(write(tmp_path, episode(trace(1)), episode(other), episode()), files="draws")
    assert two.model.tolist() == ["m", "n", "traces"]
    bare = trace(None, metrics=None)
    graded = read(write(tmp_path, episode(trace(1)), episode(bare)), grade=lambda a, t: a == "said")
    assert graded.correct.tolist() == [1, 1] and graded.score is None


def test_right_answers_of_verifiers_are_judged_anew(tmp_path):
    def judge(answer, target):
        return target == "t"

    lines = [dict(example_id=0, prompt="p", completion="c", reward=0, answer="t")]
    path = put(tmp_path / "x.jsonl", lines, True)
    assert read(path, grade=judge).correct.tolist() == [1]
    assert read(write(tmp_path, episode(trace(0))), grade=judge).correct.tolist() == [1]


def test_one_of_three_agents_and_agents_without_a_name(tmp_path):
    traces = [trace(reward, name) for reward, name in zip((0, 1, 0), "abc")]
    three = write(tmp_path, episode(*traces))
    assert "filter= one of 'a', 'b', 'c'" in refusal(three)
    assert read(three, filter="b").score.tolist() == [0.75]
    path = write(tmp_path, episode(trace(1, None)), episode(trace(0, None)))
    assert read(path).score.tolist() == [0.75, 0.25]


def test_a_trace_stands_at_the_line_of_its_episode(tmp_path):
    path = write(tmp_path, episode(trace(), idx=3), episode(trace(idx=4), idx=4))
    told = read_logs(find_logs([path]), Ask(texts=Gathering.of(["3", "4"])))
    assert [text.line for text in told.texts] == [1, 2]
