"Logs of evaluation suites: equal to the numbers that the suites computed themselves."
import json
import shutil

import numpy as np
import pytest

from harness_cases import LOGS, put, read
from sampling_eval import pass_at_k, pass_hat_k
from sampling_eval.io.harness.folder import find_logs
from sampling_eval.io.load import load
from sampling_eval.io.options import Options

HELM = next((LOGS / "helm").rglob("per_instance_stats.json"))
REVIEWS = LOGS / "evalscope/reviews"
DEEPEVAL = next((LOGS / "deepeval").glob("*.json"))
SIMPLE = LOGS / "simple_evals"
RUNS = sorted((LOGS / "openai_evals").glob("*.jsonl"))


def count(path, **options):
    "Samples and correct ones of each question, by model."
    blocks = load(path, Options.of(options)).blocks
    return {model: (counts.n, counts.c) for (model, group), counts in blocks.items() if not group}


def mean(estimate, n, c): return [float(estimate(n, c, k).mean()) for k in range(1, min(n) + 1)]


# tau2: what its compute_metrics gave for each file.

TAU2 = {
    "mock-a_retail": [2/3, 4/9, 1/3, 1/3], "mock-a_airline": [.375, 1/12, 0, 0],
    "mock-b_retail": [5/12, 1/9, 0, 0], "mock-b_airline": [.5, .25, .125, 0],
    "mock-b_retail_llm_agent_solo": [5/12, 1/6, 1/12, 0]}


@pytest.mark.parametrize("name", TAU2)
def test_tau2_passes_as_often_as_it_says(name):
    (n, c), = count(LOGS / f"tau2_runs/{name}.json").values()
    assert np.allclose(mean(pass_hat_k, n, c), TAU2[name])


@pytest.mark.parametrize("path", ["", "results.json"])
def test_tau2_with_a_file_for_each_simulation(path):
    "A simulation that broke down is left out, as there: pass^1 .5833, pass^2 .25, pass^3 0."
    (n, c), = count(LOGS / "tau2_runs/mock-b_telecom" / path, missing="drop").values()
    assert n.tolist() == [4, 3] and np.allclose(mean(pass_hat_k, n, c), [7/12, .25, 0])


def test_tau2_without_an_index_in_its_results(tmp_path):
    folder = shutil.copytree(LOGS / "tau2_runs/mock-b_telecom", tmp_path / "run")
    about = json.loads((folder / "results.json").read_text())
    del about["simulation_index"]
    put(folder / "results.json", about)
    for path in folder, folder / "results.json":
        assert read(path).counts() == ([4, 3], [2, 2])


def test_tau2_one_simulation_knows_its_run():
    samples = read(LOGS / "tau2_runs/mock-b_telecom/simulations/mock-b-telecom-llm_agent-0-3.json")
    assert samples.model.tolist() == ["mock-b"] and samples.sample.tolist() == [3]


def test_tau2_folder_keeps_models_and_domains_apart():
    models = read(LOGS / "tau2_runs").models()
    assert list(models) == ["mock-a", "mock-b", "mock-b (llm_agent_solo)"]
    tasks = {model: sorted(set(part.task)) for model, part in models.items()}
    assert tasks == {"mock-a": ["airline", "retail"], "mock-b": ["airline", "retail", "telecom"],
                     "mock-b (llm_agent_solo)": ["retail"]}
    assert len(models["mock-b"].questions) == 7


def test_tau2_counts_a_full_context_as_a_failure(tmp_path):
    "Its metrics leave out infrastructure errors and nothing else."
    document = json.loads((LOGS / "tau2_runs/mock-a_retail.json").read_text())
    for run in document["simulations"]:
        run |= dict(termination_reason="context_window_exceeded", reward_info=dict(reward=0.))
    assert read(put(tmp_path / "r.json", document)).counts() == ([4] * 3, [0] * 3)


# evalscope: its own pass@k and pass^k of the stored reviews, and its report.

EVALSCOPE = {
    "mock-a/general_mcq_arith": ([.2, 11/30, .5, .6], [.2, 1/30, 0, 0]),
    "mock-a/general_mcq_logic": ([1/3, 11/18, 5/6, 1], [1/3, 1/18, 0, 0]),
    "mock-b/general_mcq_arith": ([.1, .2, .3, .4], [.1, 0, 0, 0]),
    "mock-b/general_mcq_logic": ([5/12, 2/3, 5/6, 1], [5/12, 1/6, 1/12, 0])}


@pytest.mark.parametrize("name", EVALSCOPE)
def test_evalscope_passes_as_often_as_it_says(name):
    (n, c), = count(REVIEWS / f"{name}.jsonl").values()
    some, every = EVALSCOPE[name]
    assert np.allclose(mean(pass_at_k, n, c), some)
    assert np.allclose(mean(pass_hat_k, n, c), every)


def test_evalscope_folder_with_predictions_and_reports():
    found = count(LOGS / "evalscope")
    for model, (n, c) in found.items():
        report = LOGS / f"evalscope/reports/{model}/general_mcq.json"
        told = json.loads(report.read_text())["metrics"][0]["score"]
        assert c.sum() / n.sum() == pytest.approx(told, abs=5e-5)
    assert list(found) == ["mock-a", "mock-b"]


def change(log, path, edit):
    "A copy of JSON lines, each of which was edited."
    records = [json.loads(line) for line in log.read_text().splitlines()]
    for place, record in enumerate(records): edit(place, record)
    return put(path, records, True)


def test_evalscope_without_positions_goes_by_the_order(tmp_path):
    def drop(place, record): record["sample_score"].pop("generation_index")
    log = REVIEWS / "mock-a/general_mcq_arith.jsonl"
    path = change(log, tmp_path / "reviews/mock-a/general_mcq_arith.jsonl", drop)
    assert read(path).columns == read(log).columns


def test_evalscope_sample_without_a_score_is_missing(tmp_path):
    def spoil(place, record):
        if place == 2: record["sample_score"]["score"] |= dict(value={}, status="excluded")
    log = REVIEWS / "mock-a/general_mcq_arith.jsonl"
    samples = read(change(log, tmp_path / "reviews/mock-a/x.jsonl", spoil))
    assert samples.counts()[0] == [3, 4, 4, 4, 4] and np.isnan(samples.correct[2])


def test_evalscope_review_that_was_done_again_counts_once(tmp_path):
    log = REVIEWS / "mock-a/general_mcq_arith.jsonl"
    first = log.read_text().splitlines()
    again = json.loads(first[0])
    again["sample_score"]["score"]["value"]["accuracy"] = 0.
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join([*first, json.dumps(again)]))
    assert read(path).counts()[1] == [1, 0, 0, 1, 1]


def test_evalscope_file_that_was_moved_knows_its_model(tmp_path):
    path = shutil.copy(REVIEWS / "mock-b/general_mcq_logic.jsonl", tmp_path / "x.jsonl")
    assert set(read(path).model) == {"mock-b"}


def test_evalscope_judged_anew():
    samples = read(LOGS / "evalscope", grade=lambda answer, target: answer == target)
    assert samples.correct.sum() == 15


# HELM: its own stats, over trials.

def tell_helm(perturbation):
    stats = json.loads(HELM.with_name("stats.json").read_text())
    name = dict(name="exact_match", split="test", **perturbation)
    return next(stat["mean"] for stat in stats if stat["name"] == name)


def test_helm_equals_its_stats():
    samples = read(HELM.parent)
    assert ("score=exact_match, answer=prediction; every split and perturbation is a task of its "
            "own") in samples.source
    lower = dict(name="lowercase", robustness=True, fairness=False, computed_on="perturbed")
    for task, perturbation in ("test", {}), ("lowercase", dict(perturbation=lower)):
        own = [name.endswith(task) for name in samples.task]
        assert samples.correct[own].mean() == pytest.approx(tell_helm(perturbation))
    assert set(samples.model) == {"simple/model1"} and samples.counts()[0] == [3] * 10


def test_helm_names_tasks_without_the_model():
    plain, lowercase = sorted(set(read(HELM).task))
    assert plain == "simple_mcqa:data_augmentation=lower,max_train_instances=1/test"
    assert lowercase == f"{plain}/lowercase"


def test_helm_judged_anew_by_the_files_beside():
    samples = read(HELM, grade=lambda answer, target: answer == target)
    assert samples.counts() == read(HELM).counts()


def test_helm_merges_the_entries_of_several_metrics(tmp_path):
    entries = json.loads(HELM.read_text())
    parts = [entry | dict(stats=[stat]) for entry in entries for stat in entry["stats"]]
    shutil.copy(HELM.with_name("run_spec.json"), tmp_path)
    samples = read(put(tmp_path / "per_instance_stats.json", parts))
    assert samples.counts() == read(HELM).counts()


def test_helm_refuses_one_instance_twice(tmp_path):
    entries = json.loads(HELM.read_text())
    for entry in entries: entry.pop("perturbation", None)
    with pytest.raises(ValueError, match="need one .* for each instance and trial, got two for"):
        read(put(tmp_path / "per_instance_stats.json", entries))


def test_helm_keeps_splits_apart(tmp_path):
    "Its tables show one split; a run of mmlu has instances of two."
    entries = [entry for entry in json.loads(HELM.read_text()) if "perturbation" not in entry]
    for entry in entries:
        split = "valid" if entry["instance_id"] == "id60" else "test"
        for stat in entry["stats"]: stat["name"]["split"] = split
    shutil.copy(HELM.with_name("run_spec.json"), tmp_path)
    samples = read(put(tmp_path / "per_instance_stats.json", entries))
    assert [sum(task.endswith(split) for task in samples.task)
            for split in ("/test", "/valid")] == [12, 3]


@pytest.mark.parametrize("group, name", [
    ("mmlu", "exact_match"), ("legalbench", "quasi_exact_match")])
def test_helm_takes_what_its_tables_report(tmp_path, group, name):
    spec = json.loads(HELM.with_name("run_spec.json").read_text())
    put(tmp_path / "run_spec.json", spec | dict(groups=[group]))
    shutil.copy(HELM, tmp_path)
    assert f"score={name}" in read(tmp_path).source


@pytest.mark.parametrize("names, reason", [
    (["a", "b"], "holds several scores; pass score= one of 'a', 'b'"), ([], "holds no score")])
def test_helm_asks_where_it_cannot_know(tmp_path, names, reason):
    "What is noted of every run, such as the number of tokens, is no outcome."
    entries = json.loads(HELM.read_text())
    for entry in entries:
        noted = [stat for stat in entry["stats"] if "match" not in stat["name"]["name"]]
        entry["stats"] = noted + [dict(name=dict(name=name), mean=1.) for name in names]
    path = put(tmp_path / "per_instance_stats.json", entries)
    with pytest.raises(ValueError, match=reason): read(path)
    assert len(read(path, score="num_prompt_tokens")) == 30


# DeepEval: testPassed and testFailed of the run.

def test_deepeval_passes_as_often_as_it_says():
    run = json.loads(DEEPEVAL.read_text())
    (n, c), = count(DEEPEVAL.parent, missing="wrong").values()
    assert (c.sum(), n.sum() - c.sum()) == (run["testPassed"], run["testFailed"])
    assert n.tolist() == [3] * 4


def test_deepeval_test_case_that_was_not_judged_is_missing():
    samples = read(DEEPEVAL)
    assert samples.counts() == ([3, 2, 3, 3], [3, 2, 2, 0])
    assert samples.source.endswith("test cases that a metric failed to judge are missing")
    assert samples.questions[0] == "What is 2+3?" and set(samples.model) == {"mock-a"}


def test_deepeval_one_metric():
    run = json.loads(DEEPEVAL.read_text())
    for metric in run["metricsScores"]:
        score = read(DEEPEVAL, score=metric["metric"]).score
        assert score[~np.isnan(score)].tolist() == metric["scores"]


def test_deepeval_latest_run(tmp_path):
    run = json.loads(DEEPEVAL.read_text())
    samples = read(put(tmp_path / ".latest_test_run.json", dict(testRunData=run)))
    assert samples.columns == read(DEEPEVAL).columns


def test_deepeval_one_input_with_two_expectations(tmp_path):
    run = json.loads(DEEPEVAL.read_text())
    run |= dict(testCases=run["testCases"][:2], testPassed=2, testFailed=0)
    for case in run["testCases"]: case["input"] = "What is it?"
    samples = read(put(tmp_path / "test_run.json", run))
    assert samples.questions == ["What is it?", "What is it? (2)"]


def test_deepeval_flaky_metric_decides_nothing(tmp_path):
    "As there: `update_metric_data` passes over flaky metrics."
    run = json.loads(DEEPEVAL.read_text())
    for case in run["testCases"]:
        for metric in case["metricsData"]: metric["flaky"] = metric["name"] == "Exact"
        case["success"] = case["metricsData"][1]["success"]
    assert read(put(tmp_path / "test_run.json", run)).counts()[0] == [3] * 4


# OpenAI evals: the accuracy of its final report.

@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.name[:8])
def test_openai_evals_equals_its_report(path):
    records = [json.loads(line) for line in path.read_text().splitlines()]
    report, = (o["final_report"] for o in records if "final_report" in o)
    samples = read(path)
    assert samples.correct.mean() == pytest.approx(report["accuracy"])
    assert samples.model[0] == records[0]["spec"]["completion_fns"][0]


def test_openai_evals_several_runs_are_draws_if_told_so():
    with pytest.raises(ValueError, match="pass files_hold='draws'"): read(LOGS / "openai_evals")
    samples = read(LOGS / "openai_evals", files="draws").models()
    assert {model: part.counts()[0] for model, part in samples.items()} == {
        "mock-a": [2] * 6, "mock-b": [2] * 6}


def test_openai_evals_run_that_was_interrupted(tmp_path):
    lines = RUNS[0].read_text().splitlines()
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(line for line in lines if "final_report" not in line))
    assert read(path).source.endswith("the run has no final report: samples may be absent")


def write_events(path, *events):
    "A run with these events, each a type, a sample and its data."
    spec = dict(completion_fns=["m"], eval_name="e.dev.v0", run_id="r")
    lines = [dict(run_id="r", event_id=place, sample_id=sample, type=kind, data=data)
             for place, (kind, sample, data) in enumerate(events)]
    return put(path, [dict(spec=spec), *lines, dict(final_report={}, run_id="r")], True)


def test_openai_evals_graded_by_a_model(tmp_path):
    events = [("metrics", f"e.dev.{i}", dict(choice="Y", score=score))
              for i, score in enumerate([1., 0., None])]
    samples = read(write_events(tmp_path / "x.jsonl", *events))
    assert "score=score" in samples.source and np.isnan(samples.columns["score"][2] or np.nan)
    assert samples.columns["score"][:2] == [1, 0]


def test_openai_evals_matches_go_before_metrics(tmp_path):
    path = write_events(tmp_path / "x.jsonl", ("match", "a", dict(correct=True, sampled="4")),
                        ("metrics", "a", dict(accuracy=1., f1_score=.5)))
    assert read(path).columns["score"] == [1] and read(path).answer.tolist() == ["4"]
    assert read(path, score="f1_score").columns["score"] == [.5]
    assert read(path, grade=lambda answer, _: answer == "4").correct.tolist() == [1]


@pytest.mark.parametrize("events, reason", [
    ([("match", "a", dict(correct=True))] * 2, "got 2 of 'a' in x.jsonl .1 of 1 fail.: they ar"),
    ([("sampling", "a", dict(sampled="4"))], "got none with a number in x.jsonl")])
def test_openai_evals_refuses(tmp_path, events, reason):
    with pytest.raises(ValueError, match=reason): read(write_events(tmp_path / "x.jsonl", *events))


# simple-evals: the score of the run, and pass@k of humaneval.

@pytest.mark.parametrize("name, n", [
    ("gpqa_mock-a", [4] * 3), ("gpqa_mock-b_2", [4] * 3), ("math_mock-a", [3] * 3),
    ("humaneval_mock-a", [5] * 2)])
def test_simple_evals_equals_its_score(name, n):
    path, = SIMPLE.glob(f"{name}_*_allresults.json")
    told = json.loads(path.read_text())
    (model, (samples, correct)), = count(path).items()
    assert model == name.split("_", 1)[1] and samples.tolist() == n
    assert correct.sum() / samples.sum() == pytest.approx(told["score"])
    for k in 1, 2, 5:
        own = told["metrics"].get(f"pass@{k}")
        if own is not None: assert pass_at_k(samples, correct, k).mean() == pytest.approx(own)


def test_simple_evals_folder_reads_past_the_means():
    models = read(SIMPLE).models()
    assert sorted(set(models["mock-a"].task)) == ["gpqa", "humaneval", "math"]
    assert len(models["mock-a"]) == 31 and len(models["mock-b_2"]) == 12


def test_simple_evals_choices_are_told_by_their_texts():
    "The letters of gpqa are shuffled at every repeat: a vote on letters would mean nothing."
    samples = read(next(SIMPLE.glob("gpqa_mock-a_*_allresults.json")))
    assert set(samples.answer) - {None} <= set("79efgh2345") | {"15"}
    again = read(next(SIMPLE.glob("gpqa_mock-a_*_allresults.json")),
                 grade=lambda answer, target: answer == target)
    known = ~np.isnan(again.correct)
    assert (again.correct[known] == samples.correct[known]).all() and known.sum() == 11


def test_simple_evals_means_are_refused():
    path, = (path for path in SIMPLE.glob("gpqa_mock-a_*.json") if "all" not in path.name)
    with pytest.raises(ValueError, match="stores only means in gpqa_mock-a_.*_allresults.json"):
        read(path)


@pytest.mark.parametrize("change, reason", [
    (dict(score=.5), "have the mean 0.0833333, but the run stored 0.5: they are not its outcomes"),
    (dict(convos=[]), "a page and a conversation for each example, got 12 and 0 in x.json"),
    (dict(htmls=["<p>Score: high</p>"] * 12), "score on the page of each example, got 'high'")])
def test_simple_evals_refuses_pages_with_other_scores(tmp_path, change, reason):
    told = json.loads(next(SIMPLE.glob("gpqa_mock-a_*_allresults.json")).read_text())
    with pytest.raises(ValueError, match=reason): read(put(tmp_path / "x.json", told | change))


def test_simple_evals_clipped_mean_of_healthbench(tmp_path):
    told = dict(score=0., metrics={}, metadata=None, htmls=["<p>Score: -0.5</p>"] * 2,
                convos=[[dict(role="user", content=text)] for text in "ab"])
    assert read(put(tmp_path / "x.json", told)).columns["score"] == [-.5, -.5]


# All of them.

@pytest.mark.parametrize("log", [REVIEWS, HELM.parent, DEEPEVAL, SIMPLE, LOGS / "tau2_runs",
                                 RUNS[0]], ids=lambda path: path.name[:12])
def test_recognised_by_one_reader(log):
    assert len({found.reader.name for found in find_logs(log).logs}) == 1
