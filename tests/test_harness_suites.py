"Logs of evaluation suites: equal to the numbers that the suites computed themselves."

import shutil

import numpy as np
import pytest

from harness_cases import LOGS, equal, load, load_lines, put, read, refusal, same
from sampling_eval import pass_at_k, pass_hat_k
from sampling_eval.reading.logs.ask import Ask, Total
from sampling_eval.reading.logs.log import open_log
from sampling_eval.reading.logs.suites import (
    Group,
    expect_predictions,
    expect_trials,
    fit,
    name_perturbation,
    name_run,
    read_group,
    read_review,
    tell_messages,
)

HELM = next((LOGS / "helm").rglob("per_instance_stats.json"))
REVIEWS = LOGS / "evalscope/reviews"
DEEPEVAL = next((LOGS / "deepeval").glob("*.json"))
SIMPLE = LOGS / "simple_evals"
RUNS = sorted((LOGS / "openai_evals").glob("*.jsonl"))


# evalscope: its own pass@k and pass^k of the stored reviews, and its report.


@pytest.mark.parametrize(
    "name, some, every",
    [
        ("mock-a/general_mcq_arith", [0.2, 11 / 30, 0.5, 0.6], [0.2, 1 / 30, 0, 0]),
        ("mock-a/general_mcq_logic", [1 / 3, 11 / 18, 5 / 6, 1], [1 / 3, 1 / 18, 0, 0]),
        ("mock-b/general_mcq_arith", [0.1, 0.2, 0.3, 0.4], [0.1, 0, 0, 0]),
        ("mock-b/general_mcq_logic", [5 / 12, 2 / 3, 5 / 6, 1], [5 / 12, 1 / 6, 1 / 12, 0]),
    ],
)
def test_evalscope_passes_as_often_as_it_says(name, some, every):
    n, c = read(REVIEWS / f"{name}.jsonl").counts()
    assert np.allclose(pass_at_k(n, c, [1, 2, 3, 4]).mean(0), some)
    assert np.allclose(pass_hat_k(n, c, [1, 2, 3, 4]).mean(0), every)


def test_evalscope_folder_with_predictions_and_reports():
    models = read(LOGS / "evalscope").models()
    for model, samples in models.items():
        report = load(LOGS / f"evalscope/reports/{model}/general_mcq.json")
        told = report["metrics"][0]["score"]
        assert samples.correct.mean() == pytest.approx(told, abs=5e-5)
    assert list(models) == ["mock-a", "mock-b"]
    assert read(LOGS / "evalscope", grade=equal).correct.sum() == 15


def review(index, value, **more):
    score = dict(value=value, extracted_prediction="p") | more.pop("score", {})
    return dict(index=index, sample_score=dict(score=score) | more.pop("sample", {})) | more


def test_evalscope(tmp_path):
    "The last of several lines of a sample counts; without positions the order does."
    lines = [
        review(
            0,
            dict(acc=1, f1=0.5),
            target=["t"],
            messages=[dict(model="no"), dict(model="late")],
            sample=dict(group_id=7, generation_index=3),
        ),
        review(1, dict(acc=0, f1=0.25), target=["t", "u"], sample=dict(group_id=7)),
        review(2, dict(f1=0), target="t", messages=[], score=dict(main_score_name="f1")),
        review(3, {}),
        review(1, dict(acc=1), target="p", sample=dict(group_id=7)),
    ]
    path = put(tmp_path / "data.jsonl", lines, True)
    samples = read(path)
    assert (
        samples.took == dict(
            question="group_id",
            sample="generation_index",
            score="acc",
            answer="extracted_prediction",
        )
        and not samples.logs.ordered
    )
    assert samples.rows("question answer sample score model task") == [
        (7, "p", 3, 1.0, "late", "data"),
        (7, "p", 1, 1.0, "late", "data"),
        (2, "p", 0, None, "late", "data"),
        (3, "p", 0, None, "late", "data"),
    ]
    assert same(read(path, score="f1").score, [0.5, np.nan, 0, np.nan])
    assert read(path, grade=equal).correct.tolist() == [0, 1, 0, 0]
    named = read(put(tmp_path / "reviews/folder/data.jsonl", lines[2:3], True))
    assert named.rows("question answer sample score model task") == [
        (2, "p", 0, 0.0, "folder", "data")
    ]


def test_evalscope_log_that_was_changed(tmp_path):
    "Without positions, moved, and with a sample that could not be judged."
    log = REVIEWS / "mock-a/general_mcq_arith.jsonl"
    records = load_lines(log)
    for record in records:
        record["sample_score"].pop("generation_index")
    path = put(tmp_path / "reviews/mock-a/general_mcq_arith.jsonl", records, True)
    assert read(path).columns == read(log).columns
    records[2]["sample_score"]["score"] |= dict(value={}, status="excluded")
    samples = read(put(tmp_path / "x.jsonl", records, True))
    assert samples.counts()[0] == [3, 4, 4, 4, 4] and np.isnan(samples.correct[2])
    assert set(samples.model) == {"mock-a"}


# HELM: its own stats, over trials.


def tell_helm(perturbation):
    name = dict(name="exact_match", split="test", **perturbation)
    return next(stat["mean"] for stat in load(HELM.with_name("stats.json")) if stat["name"] == name)


def test_helm_equals_its_stats():
    samples = read(HELM.parent)
    assert samples.took["score"] == "exact_match" and "split_tasks" in samples.notes
    lower = dict(name="lowercase", robustness=True, fairness=False, computed_on="perturbed")
    for task, perturbation in ("test", {}), ("lowercase", dict(perturbation=lower)):
        own = [name.endswith(task) for name in samples.task]
        assert samples.correct[own].mean() == pytest.approx(tell_helm(perturbation))
    assert set(samples.model) == {"simple/model1"} and samples.counts()[0] == [3] * 10
    plain = "simple_mcqa:data_augmentation=lower,max_train_instances=1/test"
    assert sorted(set(samples.task)) == [plain, f"{plain}/lowercase"]
    assert read(HELM, grade=equal).counts() == samples.counts()


def test_helm_entries(tmp_path):
    "Entries of several metrics are merged; two of one instance are refused; splits stay apart."
    entries = load(HELM)
    shutil.copy(HELM.with_name("run_spec.json"), tmp_path)
    path = tmp_path / "per_instance_stats.json"
    parts = [entry | dict(stats=[stat]) for entry in entries for stat in entry["stats"]]
    assert read(put(path, parts)).counts() == read(HELM).counts()
    plain = [entry for entry in entries if "perturbation" not in entry]
    for entry in plain:
        split = "valid" if entry["instance_id"] == "id60" else "test"
        for stat in entry["stats"]:
            stat["name"]["split"] = split
    tasks = read(put(path, plain)).task
    assert [sum(task.endswith(split) for task in tasks) for split in ("/test", "/valid")] == [12, 3]
    for entry in entries:
        entry.pop("perturbation", None)
    assert "for each instance and trial, got two for" in refusal(put(path, entries))


@pytest.mark.parametrize(
    "group, name", [("mmlu", "exact_match"), ("legalbench", "quasi_exact_match")]
)
def test_helm_takes_what_its_tables_report(tmp_path, group, name):
    put(tmp_path / "run_spec.json", load(HELM.with_name("run_spec.json")) | dict(groups=[group]))
    shutil.copy(HELM, tmp_path)
    assert read(tmp_path).took["score"] == name


@pytest.mark.parametrize(
    "names, reason",
    [(["a", "b"], "holds several scores; pass score= one of 'a', 'b'"), ([], "holds no score")],
)
def test_helm_asks_where_it_cannot_know(tmp_path, names, reason):
    "What is noted of every run, such as the number of tokens, is no outcome."
    entries = load(HELM)
    for entry in entries:
        noted = [stat for stat in entry["stats"] if "match" not in stat["name"]["name"]]
        entry["stats"] = noted + [dict(name=dict(name=name), mean=1.0) for name in names]
    path = put(tmp_path / "per_instance_stats.json", entries)
    assert reason in refusal(path) and len(read(path, score="num_prompt_tokens")) == 30


def stats(split, **values):
    return [dict(name=dict(name=name, split=split), mean=mean) for name, mean in values.items()]


def entry(id, trial, stats, **more):
    return dict(instance_id=id, train_trial_index=trial, stats=stats) | more


def test_helm(tmp_path):
    lower = dict(name="lower", robustness=True, fairness=False, computed_on="perturbed", p=0.5)
    lines = [
        entry("i1", 0, stats("test", exact_match=1, num_tokens=9)),
        entry("i1", 1, stats("test", exact_match=0)),
        entry("i2", 0, stats("valid", exact_match=0.5, f1_score=0.25)),
        entry("i1", 0, stats(None, f1_score=0.75)),
        entry("i1", 0, stats("test", exact_match=0), perturbation=lower),
        entry("i3", 0, stats("test", f1_score=None)),
    ]
    path = put(tmp_path / "per_instance_stats.json", lines)
    keys = [
        ("test/i1", 0, "test"),
        ("test/i1", 1, "test"),
        ("valid/i2", 0, "valid"),
        ("test/lower p=0.5/i1", 0, "test/lower p=0.5"),
        ("test/i3", 0, "test"),
    ]
    assert read(path).rows("question sample task score") == [
        (*key, score) for key, score in zip(keys, (1.0, 0.0, 0.5, 0.0, None))
    ]
    assert same(read(path, score="num_tokens").score, [9] + 4 * [np.nan])
    put(
        tmp_path / "run_spec.json",
        dict(
            name="mmlu:subject=x,model=m_1,model_deployment=d,method=y",
            adapter_spec=dict(model="m/1"),
            groups=["other", "quac"],
        ),
    )
    put(
        tmp_path / "display_predictions.json",
        [
            dict(instance_id="i1", train_trial_index=0, predicted_text="raw", mapped_output="B"),
            dict(instance_id="i1", train_trial_index=1, predicted_text="r"),
            dict(instance_id="i1", train_trial_index=0, predicted_text="low", perturbation=lower),
        ],
    )
    wrong, right = dict(output=dict(text="w"), tags=[]), dict(
        output=dict(text="r"), tags=["correct"]
    )
    put(
        tmp_path / "instances.json",
        [
            dict(id="i1", references=[wrong, right, right]),
            dict(id="i2", references=[wrong]),
            dict(id="i1", references=[right, wrong], perturbation=lower),
        ],
    )
    samples, run = read(path, missing="drop"), "mmlu:subject=x,method=y/"
    assert samples.rows("question sample task score answer model") == [
        (run + question, sample, run + task, score, answer, "m/1")
        for (question, sample, task), score, answer in zip(
            keys, (0.75, None, 0.25, None, None), ("B", "r", None, "low", None)
        )
    ]
    assert same(read(path, grade=equal, missing="drop").correct, [0, 1, np.nan, 0, np.nan])
    one = put(tmp_path / "one/per_instance_stats.json", lines[:2])
    put(tmp_path / "one/run_spec.json", dict(name="x:model=m", adapter_spec=None))
    assert read(one).rows("question sample task score") == [
        ("i1", 0, "x/test", 1.0),
        ("i1", 1, "x/test", 0.0),
    ]


# DeepEval: testPassed and testFailed of the run.


def test_deepeval_own_numbers():
    "A test case that was not judged is missing, and no failure."
    run, samples = load(DEEPEVAL), read(DEEPEVAL)
    assert samples.counts() == ([3, 2, 3, 3], [3, 2, 2, 0]) and len(samples) == 12
    assert np.nansum(samples.correct) == run["testPassed"]
    assert samples.said == ["1 test case that a metric failed to judge: missing"]
    assert samples.questions[0] == "What is 2+3?" and set(samples.model) == {"mock-a"}
    for metric in run["metricsScores"]:
        score = read(DEEPEVAL, score=metric["metric"]).score
        assert score[~np.isnan(score)].tolist() == metric["scores"]


def metric(name, success, score=None, **more):
    return dict(name=name, success=success, score=score) | more


CASES = [
    dict(
        name="c0",
        input="q",
        actualOutput="a",
        expectedOutput="a",
        success=True,
        metricsData=[metric("m", True, 1), metric("n", True, 0.5)],
    ),
    dict(
        name="c1",
        input="q",
        actualOutput="b",
        expectedOutput="a",
        success=False,
        metricsData=[metric("m", None, None, error="x"), metric("n", True, 0.25)],
    ),
    dict(
        name="c2",
        input="q",
        expectedOutput="other",
        success=False,
        metricsData=[metric("m", None, error="x"), metric("n", False, 0)],
    ),
    dict(
        name="c3",
        scenario="s",
        success=True,
        metricsData=[metric("m", None, error="x", flaky=True)],
    ),
    dict(name="c4", success=False, metricsData=None),
]
RUN = dict(
    testCases=CASES[:3],
    conversationalTestCases=CASES[3:],
    metricsScores=[],
    datasetAlias="set",
    hyperparameters=dict(model="mine"),
)


def test_deepeval(tmp_path):
    path = put(tmp_path / "x.json", RUN)
    keys = [("q", 0, "a"), ("q", 1, "b"), ("q (2)", 0, None), ("s", 0, None), ("c4", 0, None)]

    def join(*outcomes):
        return [(*key, o, "mine", "set") for key, o in zip(keys, outcomes)]

    assert read(path).rows("question sample answer correct model task") == join(
        True, None, False, True, False
    )
    assert read(path).took == dict(
        question="input",
        sample="repetition of a test case",
        correct="success",
        answer="actualOutput",
    )
    latest = put(tmp_path / ".latest_test_run.json", dict(testRunData=RUN))
    assert read(latest, score="n").rows("question sample answer score model task") == join(
        0.5, 0.25, 0.0, None, None
    )
    assert same(read(path, grade=equal).correct, [1, 0] + 3 * [np.nan])
    assert "score must be one of 'success', 'm', 'n', got 'x' for x.json" in refusal(
        path, score="x"
    )
    for settings in dict(model=5), None:
        plain = RUN | dict(hyperparameters=settings, datasetAlias=None)
        assert read(put(path, plain)).model is read(path).task is None


@pytest.mark.parametrize(
    "metrics, lost",
    [
        ("broken", True),
        ("broken right", True),
        ("broken right wrong", False),
        ("broken flaky", True),
        ("right wrong", False),
        ("unsure right", False),
        ("", False),
    ],
)
def test_deepeval_test_cases_that_broke_down(tmp_path, metrics, lost):
    "A case is lost where a deciding metric failed, unless another one said that it did not pass."
    known = dict(
        broken=metric("m", None, error="x"),
        right=metric("n", True),
        wrong=metric("o", False),
        flaky=metric("p", False, flaky=True),
        unsure=metric("m", None, error="x", flaky=True),
    )
    case = dict(
        name="c", input="q", success=False, metricsData=[known[name] for name in metrics.split()]
    )
    log = RUN | dict(testCases=[case, CASES[0]], conversationalTestCases=[])
    assert np.isnan(read(put(tmp_path / "x.json", log)).correct[0]) == lost


# OpenAI evals: the accuracy of its final report.


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.name[:8])
def test_openai_evals_equals_its_report(path):
    records = load_lines(path)
    (report,) = (o["final_report"] for o in records if "final_report" in o)
    samples = read(path)
    assert samples.correct.mean() == pytest.approx(report["accuracy"])
    assert samples.model[0] == records[0]["spec"]["completion_fns"][0]


def test_openai_evals_several_runs_are_draws_if_told_so():
    assert "pass files_hold='draws'" in refusal(LOGS / "openai_evals")
    samples = read(LOGS / "openai_evals", files="draws").models()
    assert {model: part.counts()[0] for model, part in samples.items()} == {
        "mock-a": [2] * 6,
        "mock-b": [2] * 6,
    }


def event(kind, id, **data):
    return dict(type=kind, sample_id=id, data=data)


def test_openai_evals(tmp_path):
    spec, end = dict(spec=dict(completion_fns=["m", "n"], eval_name="e")), dict(final_report={})

    def write(*events):
        return put(tmp_path / "x.jsonl", [spec, *events], True)

    match = event("match", "a", correct=True, expected="4", sampled="4", picked="x")
    other = event("match", "b", correct=False, picked="p")
    path = write(
        match,
        event("metrics", "a", f1=0.5, choice="Y"),
        event("sampling", "a", correct=False),
        other,
        event("metrics", "b", f1=None),
        end,
    )
    samples = read(path)
    assert (
        samples.took == dict(
            question="sample_id", sample="one a run", score="correct", answer="sampled"
        )
        and samples.said == []
    )
    assert samples.rows("question sample answer model task score") == [
        ("a", 0, "4", "m,n", "e", 1.0),
        ("b", 0, "p", "m,n", "e", 0.0),
    ]
    assert same(read(path, score="f1").score, [0.5, np.nan])
    assert same(read(path, grade=equal).correct, [1, 0])
    cut = read(write(event("metrics", "a", score=0.5)))
    assert cut.rows("question sample model task score") == [("a", 0, "m,n", "e", 0.5)]
    assert cut.said == ["the run has no final report: samples may be absent"]
    assert (
        refusal(write(*[match] * 3, *[other] * 2))
        == "need one event per sample, got 3 of 'a' in x.jsonl (2 of 2 fail): they are parts of"
        " one "
        "sample; pass score= a name that stands once in each"
    )
    none = write(event("match", "a", correct="yes", sampled="4"), end)
    assert (
        refusal(none)
        == "OpenAI evals stores an outcome in events of type match or metrics, got none with a"
        " number "
        "in x.jsonl: the final report alone holds no outcome per sample"
    )
    assert read(none, grade=lambda a, t: a == "4").correct.tolist() == [1]


# simple-evals: the score of the run, and pass@k of humaneval.


@pytest.mark.parametrize(
    "name, n",
    [
        ("gpqa_mock-a", [4] * 3),
        ("gpqa_mock-b_2", [4] * 3),
        ("math_mock-a", [3] * 3),
        ("humaneval_mock-a", [5] * 2),
    ],
)
def test_simple_evals_equals_its_score(name, n):
    (path,) = SIMPLE.glob(f"{name}_*_allresults.json")
    told, samples = load(path), read(path)
    found, correct = samples.counts()
    assert set(samples.model) == {name.split("_", 1)[1]} and found == n
    assert sum(correct) / sum(found) == pytest.approx(told["score"])
    for k in 1, 2, 5:
        own = told["metrics"].get(f"pass@{k}")
        if own is not None:
            assert pass_at_k(found, correct, k).mean() == pytest.approx(own)


def test_simple_evals_folder_reads_past_the_means():
    models = read(SIMPLE).models()
    assert sorted(set(models["mock-a"].task)) == ["gpqa", "humaneval", "math"]
    assert len(models["mock-a"]) == 31 and len(models["mock-b_2"]) == 12


def test_simple_evals_choices_are_told_by_their_texts():
    "The letters of gpqa are shuffled at every repeat: a vote on letters would mean nothing."
    path = next(SIMPLE.glob("gpqa_mock-a_*_allresults.json"))
    samples, again = read(path), read(path, grade=equal)
    assert set(samples.answer) - {None} <= set("79efgh2345") | {"15"}
    known = ~np.isnan(again.correct)
    assert (again.correct[known] == samples.correct[known]).all() and known.sum() == 11


def page(score, answer="None", target="None"):
    return (
        f"<p>Score: 0</p><p>Correct Answer: {target}</p>\n<p>Extracted Answer: {answer}</p>\n"
        f"<p>Score: {score}</p>"
    )


def talk(asked, *replies):
    said = (dict(role="assistant", content=reply) for reply in replies)
    return [dict(role="user", content=asked), *said]


def test_simple_evals(tmp_path):
    pages = [page(1.0, "A", "B"), page("False", "x &lt; y"), page("True", "C"), page("0.25")]
    convos = [
        talk("Q1\nA) one\nB) two\n"),
        talk("Q2"),
        talk("Q1\nB) one\nA) two"),
        talk("\n Q2 ", "r"),
    ]
    log = dict(score=0.5625, metrics={}, htmls=pages, convos=convos)
    path = put(tmp_path / "gpqa_my_model_20260102_030405_DEBUG_allresults.json", log)
    assert read(path).rows("question sample score answer task model") == [
        (0, 0, 1.0, "one", "gpqa", "my_model"),
        (1, 0, 0.0, "x < y", "gpqa", "my_model"),
        (0, 1, 1.0, "C", "gpqa", "my_model"),
        (1, 1, 0.25, None, "gpqa", "my_model"),
    ]
    assert read(path, grade=lambda a, t: t == "two").correct[0] == 1
    assert read(path.rename(tmp_path / "x.json")).model is None


def test_simple_evals_of_programs(tmp_path):
    pages = [page(0.5, "[0, 1]"), page(1, "[1, 1]"), page(0.5, "[1, 0]"), page(1, "[1, 1]")]
    convos = [talk("p", "r1", "r2"), talk("q", "r1", "r2")] * 2

    def take(**change):
        log = dict(score=0.75, metrics={}, htmls=pages, convos=convos) | change
        return read(put(tmp_path / "x.json", log))

    samples = take()
    assert list(zip(samples.question, samples.sample, samples.score)) == [
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 1),
        (0, 2, 1),
        (0, 3, 0),
        (1, 2, 1),
        (1, 3, 1),
    ]
    single = take(convos=[talk("p", "r"), talk("q", "r")] * 2)
    assert list(zip(single.score, single.answer)) == [
        (0.5, "[0, 1]"),
        (1.0, "[1, 1]"),
        (0.5, "[1, 0]"),
        (1.0, "[1, 1]"),
    ]
    assert take(htmls=[page(0.75, "[2, 1]")] * 4).answer.tolist() == ["[2, 1]"] * 4


@pytest.mark.parametrize(
    "stored, scores, said",
    [
        (0, (-1, 0.5), ""),
        (-0.25, (-1, 0.5), ""),
        (1, (2, 3), ""),
        (0.5, (1, 0), ""),
        (
            0.5,
            (1, 1, 0),
            "have the mean 0.666667, but the run stored 0.5: they are not its outcomes",
        ),
        (None, (0,), "the run stored None: "),
        (0, ("high",), "score on the page of each example, got 'high' on one of x.json"),
        (0, ("None",), "got None on one of x.json"),
    ],
)
def test_simple_evals_scores(tmp_path, stored, scores, said):
    "HealthBench clips its mean, and not its scores, to the range from 0 to 1."
    log = dict(
        score=stored, metrics={}, htmls=[page(s) for s in scores], convos=[talk("q")] * len(scores)
    )
    path = put(tmp_path / "x.json", log)
    if said:
        assert said in refusal(path)
    else:
        assert read(path).score.tolist() == list(scores)


def test_simple_evals_that_are_refused(tmp_path):
    log = dict(score=0, metrics={}, htmls=[""], convos=[])
    assert (
        refusal(put(tmp_path / "x.json", log))
        == "need a page and a conversation for each example, got 1 and 0 in x.json"
    )
    for name in "score:std", "score:bootstrap_std":
        assert (
            refusal(put(tmp_path / "x.json", {"score": 1, name: 2}))
            == "simple-evals stores only means in x.json; pass the file of the same run whose name "
            "ends in _allresults.json"
        )


# opencompass and AISBench.


def test_opencompass_log():
    assert read(LOGS / "opencompass").counts()[1] == [1, 1, 2]
    assert read(LOGS / "opencompass", grade=lambda a, t: a.endswith(t)).counts()[1] == [1, 1, 2]
    assert "predictions are not judged; the results file is, with dump_eval_details on" in refusal(
        LOGS / "opencompass/predictions"
    )
    assert (
        refusal(LOGS / "opencompass/results", grade=equal)
        == "grade= needs texts as they were generated; read the predictions file"
    )


def test_opencompass_details(tmp_path):
    details = {
        "10": dict(is_correct=[True, False], predictions=["a", "b"], example_abbr="q10"),
        "type": "GEN",
        "2": dict(correct=0.5, cascade_correct=0, pred="c", example_abbr="q2"),
    }
    samples = read(put(tmp_path / "x.json", dict(details=details)))
    assert samples.took == dict(
        question="example_abbr", sample="position", score="correct", answer="pred"
    )
    assert samples.rows("question sample answer score task") == [
        ("q2", 0, "c", 0.5, "x"),
        ("q10", 0, "a", 1.0, "x"),
        ("q10", 1, "b", 0.0, "x"),
    ]
    bare = [
        {"correct": [1, 0], "prediction": ["a"], "example_abbr": "q", "G-Pass@2": 1},
        dict(is_correct=[0], pred="y"),
    ]
    samples = read(put(tmp_path / "x.json", dict(details=bare)))
    assert samples.took["question"] == "position"
    assert samples.rows("question sample score task") == [
        (0, 0, 1.0, "x"),
        (0, 1, 0.0, "x"),
        (1, 0, 0.0, "x"),
    ]
    none = put(tmp_path / "x.json", dict(details={"type": "GEN"}))
    assert refusal(none) == "details must hold at least one question, got none"
    odd = put(tmp_path / "x.json", dict(details={"0": dict(correct=None, is_correct=[0])}))
    assert "does not follow the layout of opencompass (KeyError: 'correct')" in refusal(odd)


def test_opencompass_predictions(tmp_path):
    head = {
        str(i): dict(prediction=f"p{i}", origin_prompt="ab"[i % 2], gold=f"p{i % 2}")
        for i in range(12)
    }
    samples = read(put(tmp_path / "x.json", head), grade=equal)
    assert samples.took == dict(
        question="index modulo 2 (the period of the prompts)",
        sample="replica",
        correct="grade",
        answer="prediction",
    )
    assert samples.rows("question sample answer correct task") == [
        (i % 2, i // 2, f"p{i}", i < 2, "x") for i in range(12)
    ]
    head["11"] |= dict(gold="other")
    assert set(read(put(tmp_path / "x.json", head), grade=equal).sample) == {0}


def details(*groups):
    "Details of AISBench: references and verdicts of each entry."
    return dict(
        details=[
            {
                "correct": [*map(int, right)],
                "gold": [*told],
                "pred": [*told],
                "example_abbr": f"q{i}",
                "avg@2": 0,
            }
            for i, (told, right) in enumerate(groups)
        ]
    )


def test_aisbench_groups_are_put_back():
    samples = read(LOGS / "aisbench/results")
    want = [[1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 0]]
    assert samples.correct.reshape(4, 3).tolist() == want
    assert samples.notes == dict(regrouped=("AISBench",))


@pytest.mark.parametrize(
    "groups, want",
    [
        (
            [("aa", "10"), ("bb", "01")],
            [(0, 0, "a", 1), (0, 1, "a", 0), (1, 0, "b", 0), (1, 1, "b", 1)],
        ),
        # Sample s of question q of 2 is entry 2 s + q.
        (
            [("ab", "10"), ("ab", "11")],
            [(0, 0, "a", 1), (0, 1, "a", 1), (1, 0, "b", 0), (1, 1, "b", 1)],
        ),
        ([("ab", "10")], [(0, 0, "a", 1), (0, 1, "b", 0)]),
        ([("a", "1"), ("a", "0")], [(0, 0, "a", 1), (1, 0, "a", 0)]),
    ],
)
def test_aisbench_details(tmp_path, groups, want):
    samples = read(put(tmp_path / "x.json", details(*groups)))
    assert samples.rows("question sample answer score task") == [
        (f"q{q}", s, a, float(c), "x") for q, s, a, c in want
    ]
    assert bool(samples.notes) == (groups[0] == ("ab", "10") and len(groups) > 1)


def test_references_are_equal_in_any_order_of_keys(tmp_path):
    entries = details(("ab", "10"), ("bb", "01"))
    entries["details"][0]["gold"] = [dict(x=1, y=2), dict(y=2, x=1)]
    assert read(put(tmp_path / "x.json", entries)).said == []


@pytest.mark.parametrize(
    "prompts, size",
    [
        ("aaa", 1),
        ("abab", 2),
        ("abcabc", 3),
        ("aba", 3),
        ("abcd", 4),
        ("a", 1),
        ("aab", 3),
        ("abaaba", 3),
    ],
)
def test_the_period_of_prompts_is_the_number_of_questions(tmp_path, prompts, size):
    log = dict(score=1, metrics={}, htmls=[page(1)] * len(prompts), convos=[*map(talk, prompts)])
    assert len(read(put(tmp_path / "x.json", log)).questions) == size


def test_aisbench_details_that_nobody_can_tell(tmp_path):
    def say(*groups):
        return refusal(put(tmp_path / "x.json", details(*groups)))

    assert say(("aa", "10"), ("aa", "01")).endswith(
        "since the reference answers fit both ways of grouping; read the predictions with grade="
    )
    assert "fit neither way of grouping" in say(("ab", "10"), ("cd", "01"))
    assert "every question needs 2 samples, got other numbers too" in say(("aa", "10"), ("b", "1"))


def test_aisbench_every_shape_is_put_back(tmp_path):
    rng = np.random.default_rng(0)
    for R in range(2, 7):
        for n in range(2, 6):
            truth = rng.integers(0, 2, (R, n)).tolist()
            flat = [(q, truth[q][s]) for s in range(n) for q in range(R)]
            groups = [flat[g * n : (g + 1) * n] for g in range(R)]
            stored = details(*(([str(q) for q, _ in g], [c for _, c in g]) for g in groups))
            path = put(tmp_path / f"{R}_{n}.json", stored)
            assert read(path).correct.reshape(R, n).tolist() == truth


def test_aisbench_predictions(tmp_path):
    samples = read(LOGS / "aisbench", grade=equal)
    assert samples.counts()[1] == [2, 2, 1, 0] and np.isnan(samples.correct).sum() == 1
    assert samples.notes["no_outcome"] == 1 and not samples.logs.ordered
    lines = [
        dict(data_abbr="d", id=1, prediction="a", gold="a"),
        dict(data_abbr="d", id=1, prediction="b", gold="a", success=False),
        dict(data_abbr="e", id=1, gold="a"),
    ]
    path = put(tmp_path / "x.jsonl", lines, True)
    assert read(path, grade=equal).rows("question sample answer correct task") == [
        ("d/1", 0, "a", True, "d"),
        ("d/1", 1, "b", None, "d"),
        ("e/1", 0, None, None, "e"),
    ]
    assert "predictions are not judged; the results file is, with --dump-eval" in refusal(path)


def test_single_details_of_either_harness(tmp_path):
    right = dict(predictions="4", references=["4"], correct=True)
    stored = {"type": "GEN", "0": right, "1": right | dict(predictions="5", correct=False)}
    path = put(tmp_path / "x.json", dict(accuracy=50, details=stored))
    assert read(path).correct.tolist() == [1, 0]
    assert read(path, "aisbench").correct.tolist() == [1, 0]


# Suites, function by function.


@pytest.mark.parametrize(
    "described, name",
    [
        (None, ""),
        ({}, ""),
        (dict(name="lower"), "lower"),
        (dict(name="typos", robustness=True, fairness=False, computed_on="worst"), "typos"),
        (dict(name="typos", p=0.5, fairness=True, seed=1), "typos p=0.5 seed=1"),
    ],
)
def test_perturbations_of_helm(described, name):
    assert name_perturbation(described) == name


@pytest.mark.parametrize(
    "spec, name",
    [
        ("mmlu:subject=x,model=m_1,model_deployment=d,method=y", "mmlu:subject=x,method=y"),
        ("mmlu:model=m_1", "mmlu"),
        ("mmlu:model=m_1,subject=x", "mmlu:subject=x"),
        ("mmlu:subject=x,model=m_1", "mmlu:subject=x"),
        ("mmlu:remodel=x", "mmlu:remodel=x"),
        ("mmlu", "mmlu"),
    ],
)
def test_runs_of_helm_without_their_model(spec, name):
    assert name_run(dict(name=spec)) == name and name_run({}) == ""


def lay_helm(place, instances, displayed):
    path = put(place / "per_instance_stats.json", [entry("i", 0, stats("test", exact_match=1))])
    put(place / "instances.json", [dict(one, references=[]) for one in instances])
    if not displayed:
        return open_log(path)
    asked = [dict(instance_id=one, train_trial_index=trial, predicted_text="t")
             for one, trial in displayed]
    put(place / "display_predictions.json", asked)
    return open_log(path)


def test_instances_that_a_run_of_helm_counts(tmp_path):
    "Every instance in every trial that shows a prediction, by split and perturbation."
    instances = [
        dict(id="i", split="test"),
        dict(id="j", split="test"),
        dict(id="i", split="valid"),
        dict(id="i", split="test", perturbation=dict(name="lower")),
        dict(id="k", split=None),
    ]
    log = lay_helm(tmp_path, instances, [("i", 0), ("i", 1), ("j", 1)])
    expect_trials(log, ask := Ask(), "run")
    where = "instances.json times trials in display_predictions.json"
    # One instance has one split: the last that is named.
    assert ask.totals == [
        Total(2, where, questions=dict(i=2), task="run/valid"),
        Total(2, where, questions=dict(j=2), task="run/test"),
        Total(2, where, questions=dict(i=2), task="run/test/lower"),
        Total(2, where, questions=dict(k=2), task="run"),
    ]
    expect_trials(lay_helm(tmp_path / "bare", instances, []), bare := Ask(), "run")
    assert bare.totals == []


def test_a_run_of_helm_of_one_kind_has_no_note_on_tasks(tmp_path):
    lines = [entry("i", trial, stats("test", exact_match=trial)) for trial in (0, 1)]
    assert read(put(tmp_path / "per_instance_stats.json", lines)).notes == {}
    lines.append(entry("j", 0, stats("valid", exact_match=1)))
    found = read(put(tmp_path / "per_instance_stats.json", lines))
    assert list(found.notes) == ["split_tasks"]


def test_statistics_of_one_instance_in_several_entries(tmp_path):
    "The split of a later entry counts; the same value twice is one value."
    lines = [
        entry("i", 0, stats("test", exact_match=1)),
        entry("i", 0, stats("valid", exact_match=1)),
        entry("i", 0, [dict(name=dict(name="f1_score"), mean=0.5)]),
    ]
    found = read(put(tmp_path / "per_instance_stats.json", lines))
    assert found.rows("question sample task score") == [("i", 0, "valid", 1.0)]


@pytest.mark.parametrize(
    "messages, said",
    [
        (["a", "b", "c"], (["a", "b"], ["c"])),
        (["a"], ([], ["a"])),
        ([], ([], [])),
        (None, ([], [])),
    ],
)
def test_what_a_review_asks_and_says(messages, said):
    assert tell_messages(dict(messages=messages)) == said


@pytest.mark.parametrize(
    "record, parts",
    [
        (
            dict(target=["t"], sample_score=dict(group_id=0, generation_index=2)),
            dict(question=0, sample=2, target="t", main=["f1"], answer=None, model=None),
        ),
        (
            dict(target=["t", "u"], messages=[dict(model="m"), dict(model="n")]),
            dict(question=7, sample=None, target=["t", "u"], main=["f1"], model="n"),
        ),
        (
            dict(target=[], messages=None, score=dict(main_score_name="acc")),
            dict(question=7, target=[], main=["acc"], model=None),
        ),
        (dict(score=dict(extracted_prediction="p")), dict(target=None, answer="p")),
        (dict(score=dict(value={})), dict(main=[], scores={})),
    ],
    ids="group several named bare empty".split(),
)
def test_parts_of_a_review(record, parts):
    score = dict(value=dict(f1=0.5, acc=1)) | record.pop("score", {})
    sample = record.pop("sample_score", {}) | dict(score=score)
    found = read_review(dict(index=7, sample_score=sample) | record)
    assert {name: found[name] for name in parts} == parts


@pytest.mark.parametrize(
    "values, size, fitted",
    [
        ([1, 2], 2, [1, 2]),
        ([1], 2, [None, None]),
        ([1, 2, 3], 2, [None, None]),
        ("ab", 2, [None, None]),
        (None, 1, [None]),
        ([], 0, []),
    ],
)
def test_one_text_for_each_verdict(values, size, fitted):
    assert fit(values, size) == fitted


@pytest.mark.parametrize(
    "entry, group",
    [
        (dict(correct=True, pred="p", answer="a"), (None, [True], ["p"], ["a"])),
        (dict(is_correct=0, predictions="p", gold="g"), (None, [0], ["p"], ["g"])),
        (
            dict(correct=[1, 0], pred=["p", "q"], answer=["a", "b"], example_abbr="x"),
            ("x", [1, 0], ["p", "q"], ["a", "b"]),
        ),
        (dict(correct=[1, 0], pred="pq", answer=["a"]), (None, [1, 0], [None] * 2, [None] * 2)),
        (dict(cascade_correct=False), (None, [False], [None], [None])),
        (
            dict(correct=1, is_correct=0, pred="p", predictions="q", answer="a", gold="b"),
            (None, [1], ["p"], ["a"]),
        ),
    ],
    ids="one names several unfit bare first".split(),
)
def test_an_entry_of_details(entry, group):
    assert read_group(entry) == Group(*group)


@pytest.mark.parametrize(
    "sizes, each",
    [((1, 1), 1), ((2, 2), 2), ((2, 1), None)],
)
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_predictions_beside_details(sizes, each, ending, tmp_path):
    log = open_log(put(tmp_path / "results/m/d.json", dict(details={})))
    groups = [Group(None, [1] * size, [], []) for size in sizes]
    made = [dict(prediction=str(i)) for i in range(5)]
    if ending == "json":
        put(tmp_path / "predictions/m/d.json", {str(i): one for i, one in enumerate(made)})
    else:
        put(tmp_path / "predictions/m/d.jsonl", made, True)
    expect_predictions(log, ask := Ask(), groups)
    assert ask.totals == [Total(5, f"predictions in d.{ending}", each=each)]
    put(tmp_path / f"predictions/m/d_failed.{ending}", made, True)
    expect_predictions(log, failed := Ask(), groups)
    moved = open_log(put(tmp_path / "other/m/d.json", dict(details={})))
    expect_predictions(moved, elsewhere := Ask(), groups)
    assert failed.totals == elsewhere.totals == []


def test_failures_of_bfcl_name_the_numbers_to_read(tmp_path):
    lines = [dict(accuracy=0.75, correct_count=3, total_count=4), dict(id="x", valid=False)]
    said = refusal(put(tmp_path / "x.jsonl", lines, True))
    assert "3 of 4 are right" in said and "read as 3/4 in place of the file" in said


@pytest.mark.parametrize("groups", [("aa", "ab"), ("ab", "cb"), ("ab", "ac")])
def test_groups_of_which_one_shares_its_reference_fit_neither_way(groups, tmp_path):
    path = put(tmp_path / "x.json", details(*((told, "10") for told in groups)))
    assert "fit neither way of grouping" in refusal(path)


def test_prompts_are_equal_in_any_order_of_keys(tmp_path):
    prompts = [dict(role="u", prompt="q")], [dict(prompt="q", role="u")]
    head = {str(i): dict(prediction="p", origin_prompt=prompts[i], gold="p") for i in (0, 1)}
    found = read(put(tmp_path / "x.json", head), grade=equal)
    assert found.rows("question sample answer correct task") == [
        (0, 0, "p", True, "x"),
        (0, 1, "p", True, "x"),
    ]
