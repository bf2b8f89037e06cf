"Logs of programs, reports of repeated tests, exports of services, promptfoo and inspect_ai."

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from conftest import command
from harness_cases import (
    EVAL,
    HEADER,
    inspect_sample,
    load,
    LOGS,
    MOCK,
    put,
    read,
    refusal,
    same,
    zipped,
)
from sampling_eval.reading.logs.ask import Ask, Total
from sampling_eval.reading.logs.exports import make_repetitions
from sampling_eval.reading.logs.limits import Limits
from sampling_eval.reading.logs.log import Log, open_log
from sampling_eval.reading.logs.programs import (
    Patches,
    find_patches,
    holds_programs,
    holds_tests,
    holds_tries,
    human_eval_rows,
    recognise_instances,
)
from sampling_eval.reading.logs.test_reports import (
    deepeval_rows,
    expect_collected,
    expect_results,
    number_inputs,
)
from sampling_eval import choice_scores, pass_at_k, read_choices, score

REPORTS = LOGS / "swe_bench"
PROGRAMS = LOGS / "bigcodebench"


def value(path, metric, **options):
    return score(path, metric, **options).rows[0].estimate


# human-eval.


def test_human_eval_example():
    n, c = read(LOGS / "human_eval").counts()
    assert pass_at_k(n, c, 1).tolist() == [0.5]


def test_human_eval(tmp_path):
    lines = [
        dict(task_id="h/0", passed=True, result="passed", completion="c"),
        dict(task_id="h/1", passed=False, result=""),
        dict(task_id="h/0", passed=False, result="failed", solution="s"),
    ]
    samples = read(put(tmp_path / "x.jsonl", lines, True))
    assert (
        samples.took == dict(
            question="task_id", sample="order of appearance", correct="passed", answer="completion"
        )
        and not samples.logs.ordered
    )
    assert samples.rows("question sample correct answer") == [
        ("h/0", 0, True, "c"),
        ("h/1", 0, False, None),
        ("h/0", 1, False, None),
    ]


def test_programs_that_were_not_run(tmp_path):
    path = LOGS / "human_eval/example_samples.jsonl"
    assert (
        refusal(path)
        == "example_samples.jsonl holds programs that were not run; read the *_results.jsonl "
        "(human-eval) or *eval_results.json (evalplus) of their evaluation"
    )
    assert read(path, grade=lambda a, t: "1" in a).counts()[0] == [6]
    lines = [
        dict(task_id="h/0", completion="c"),
        dict(task_id="h/1", completion=None),
        dict(task_id="h/0", solution="s"),
    ]
    samples = read(put(tmp_path / "x.jsonl", lines, True), grade=lambda a, t: a == "s")
    assert samples.took == dict(
        question="task_id",
        sample="order of appearance",
        correct="grade",
        answer="completion or solution",
    )
    assert samples.rows("question sample correct answer") == [
        ("h/0", 0, False, "c"),
        ("h/1", 0, None, None),
        ("h/0", 1, True, "s"),
    ]


# evalplus.


def test_evalplus_base_and_plus(tmp_path):
    assert read(LOGS / "evalplus").counts()[1] == [2, 1]
    assert read(LOGS / "evalplus", score="base").counts()[1] == [3, 2]
    assert "score must be one of 'plus', 'base', got 'pass'" in refusal(
        LOGS / "evalplus", score="pass"
    )

    def sample(base, plus):
        return dict(base_status=base, plus_status=plus, solution="s")

    tries = {
        "a/0": [
            sample("pass", "pass"),
            sample("pass", "fail"),
            sample("fail", "pass"),
            sample("pass", None),
        ],
        "a/1": [sample(None, None)],
    }
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
    for k in (1, 2):
        assert value(PROGRAMS, "pass@k", k=k) == pytest.approx(own[f"pass@{k}"])
    samples = read(PROGRAMS)
    assert samples.counts() == ([3, 3], [2, 1]) and set(samples.model) == {own["model"]}


def test_bigcodebench(tmp_path):
    tries = [dict(status="pass", solution="s"), dict(status="timeout")]
    path = put(
        tmp_path / "my--model--bigcodebench-complete--more.json",
        dict(eval={"b/0": tries, "b/1": [dict(status="fail")]}),
    )
    assert read(path).rows("question sample answer model correct") == [
        ("b/0", 0, "s", "my--model", True),
        ("b/0", 1, None, "my--model", False),
        ("b/1", 0, None, "my--model", False),
    ]
    assert read(path.rename(tmp_path / "x.json")).model is None
    put(tmp_path / "x.json", dict(eval={"b/2": [*tries, dict(status="new")]}))
    assert (
        refusal(tmp_path / "x.json")
        == "a status must be one of 'pass', 'fail', 'timeout', got 'new' for b/2 in x.json"
    )


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
    report = dict(
        submitted_ids=["a", "b", "c", "d", "e"],
        incomplete_ids=["f"],
        unresolved_ids=["b"],
        empty_patch_ids=["c", "d"],
        resolved_ids=["a", "c"],
        error_ids=["e"],
        infra_failure_ids=["b"],
    )
    first = put(tmp_path / "x/my.model.run1.json", report)
    samples = read(first)
    assert samples.rows("question sample model correct") == [
        (name, 0, "my.model", outcome)
        for name, outcome in dict(a=True, b=False, c=True, d=False, e=None, f=None).items()
    ]
    assert samples.took == {
        "question": "instance",
        "sample": "run",
        "correct": "resolved",
        "model and run": "file name",
    }
    assert samples.notes == dict(no_outcome=2, empty_patches=2, infrastructure=1)
    again = dict(submitted_ids=["a", "g"], resolved_ids=["a", "g"])
    same_run = put(tmp_path / "y/my.model.run1.json", again)
    assert read([first, same_run]).questions == [*"abcdef", "g"]
    other_run = put(tmp_path / "y/my.model.run2.json", again)
    assert read([first, other_run]).counts() == ([2, 1, 1, 1, 0, 0, 1], [2, 0, 1, 0, 0, 0, 1])
    assert set(read(put(tmp_path / "alone.json", again)).model) == {"alone"}


@pytest.mark.parametrize(
    "place, model",
    [
        ("run/model/x-1/report.json", "model"),
        ("model/logs/x-1/report.json", "model"),
        ("run/model/other/report.json", None),
    ],
)
def test_swe_bench_instances(tmp_path, place, model):
    def report(resolved):
        return dict(patch_successfully_applied=True, resolved=resolved)

    samples = read(put(tmp_path / place, {"x-1": report(True), "x-2": report(False)}))
    models = (model,) * (model is not None)
    assert samples.rows("question sample correct" + " model" * len(models)) == [
        ("x-1", 0, True, *models),
        ("x-2", 0, False, *models),
    ]


def instance(resolved):
    return {"x-1": dict(patch_successfully_applied=True, resolved=resolved)}


def test_swe_bench_runs_and_submissions(tmp_path):
    "Equal reports of two runs are two samples; submissions are models."
    for run in "ab":
        put(tmp_path / f"runs/{run}/m/x-1/report.json", instance(True))
    assert read(tmp_path / "runs").counts() == ([2], [2])
    for model in "ab":
        put(tmp_path / f"subs/{model}/logs/x-1/report.json", instance(model == "a"))
    assert sorted(read(tmp_path / "subs").model) == ["a", "b"]


def test_instances_of_a_run_without_a_report_have_no_outcome(tmp_path):
    "A folder that holds nothing of a run is none of its instances."
    run = tmp_path / "runs/a/m"
    put(run / "x-1/report.json", instance(True))
    for name, file in (("x-2", "run_instance.log"), ("x-3", "notes.txt")):
        (run / name).mkdir(parents=True)
        (run / name / file).write_text("")
    samples = read(tmp_path / "runs")
    assert dict(zip(samples.question, map(str, samples.correct))) == {"x-1": "1.0", "x-2": "nan"}


def test_swe_bench_two_outcomes_of_one_run(tmp_path):
    put(tmp_path / "run1/m/x-1/report.json", instance(True))
    report = dict(submitted_ids=["x-1"], resolved_ids=[], unresolved_ids=["x-1"])
    put(tmp_path / "m.run1.json", report)
    assert (
        refusal(tmp_path)
        == "an instance must have one outcome in a run, got False and True for 'x-1' in"
        " m.run1.json "
        "and report.json; leave the older one out"
    )


# Reports of repeated tests, exports of services, and plain tables with log-probabilities.

PYTEST, LANGSMITH, PHOENIX, MLFLOW = (
    LOGS / name for name in "pytest langsmith phoenix mlflow".split()
)


def outcomes(*files, **options):
    "Outcomes of each test, `-` for none."
    found = {}
    samples = read(list(files) if len(files) > 1 else files[0], **options)
    for question, correct in zip(samples.question, samples.correct):
        test = question.rpartition("::")[2]
        found[test] = found.get(test, "") + ("-" if np.isnan(correct) else str(int(correct)))
    return found


# Tests.

ONE = dict(
    test_always="1",
    test_coin="1",
    test_error="-",
    test_xfail="0",
    test_xpass="1",
    **{"test_city[Paris]": "1", "test_city[Rome]": "0"},
)


@pytest.mark.parametrize("form", ["xml", "json"])
def test_two_runs_of_tests(form):
    first, second = PYTEST / f"run1.{form}", PYTEST / f"run2.{form}"
    assert outcomes(second) == ONE and outcomes(first) == ONE | dict(test_coin="0")
    both = outcomes(first, second, files="draws")
    assert both["test_coin"] == "01" and both["test_city[Rome]"] == "00"
    assert "files_hold='draws'" in refusal([first, second])
    assert read(first).said == [
        "1 skipped test left out",
        "1 test that broke down outside its body: missing",
    ]


@pytest.mark.parametrize("form", ["xml", "json"])
def test_steps_of_pytest_repeat_are_samples(form):
    found = outcomes(PYTEST / f"count.{form}")
    assert found == dict(
        test_always="1111",
        test_coin="1010",
        test_error="----",
        test_xfail="0000",
        test_xpass="1111",
        **{"test_city[Paris]": "1111", "test_city[Rome]": "0000"},
    )
    row = score(PYTEST / f"count.{form}", "pass@1", missing="wrong").rows[0]
    assert row.estimate == pytest.approx((1 + 0.5 + 0 + 0 + 1 + 1 + 0) / 7)
    asked = command("score", PYTEST / f"count.{form}")
    assert asked.returncode == 2 and "4 samples have no outcome" in asked.stderr


def junit(path, *cases):
    path.write_text(
        '<?xml version="1.0"?>\n<!-- made -->\n<testsuites><testsuite>'
        + "".join(
            f'<testcase classname="t" name="{name}">{inner}</testcase>' for name, inner in cases
        )
        + "</testsuite></testsuites>"
    )
    return path


@pytest.mark.parametrize(
    "names, questions",
    [
        (["a[1-2]", "a[2-2]"], ["t::a"]),
        (["a[x-1-2]", "a[x-2-2]", "b"], ["t::a[x]", "t::b"]),
        (["a[1-3]", "a[2-3]"], ["t::a"]),  # Interrupted, and all tests have steps
        (["a[1-3]", "a[2-3]", "b"], ["t::a[1-3]", "t::a[2-3]", "t::b"]),  # Parameters
        (["a[1-2]", "a[2-2]", "b[1-3]"], ["t::a", "t::b[1-3]"]),
        (["a[1-1]", "b[1-2]", "b[2-2]"], ["t::a[1-1]", "t::b"]),
    ],
)
def test_what_is_a_step(tmp_path, names, questions):
    log = junit(tmp_path / "x.xml", *((name, "") for name in names))
    assert list(dict.fromkeys(read(log).question)) == questions


def test_refused_reports_of_tests(tmp_path):
    told = refusal(PYTEST / "reruns.xml")
    assert "got 3 times test_flaky::test_city[Rome]" in told and "pytest --count" in told
    told = refusal(junit(tmp_path / "a.xml", ("x", "<flakyFailure/>")))
    assert "got <flakyFailure> for 'x' in a.xml" in told
    path = junit(tmp_path / "b.xml", ("x", ""))
    path.write_text(path.read_text()[:-5])
    assert "need valid XML" in refusal(path)
    report = load(PYTEST / "run1.json")
    report["tests"][0]["outcome"] = "rerun"
    assert "got 'rerun' for test_flaky.py::test_always" in refusal(put(tmp_path / "c.json", report))
    del report["tests"][0]
    assert "need 7 samples (collected in c.json)" in refusal(put(tmp_path / "c.json", report))
    # A document type may hold entities, and is no report.
    path.write_text("<!DOCTYPE x>" + "<testsuites/>")
    assert command("score", path).returncode == 2


# Services.


@pytest.mark.parametrize(
    "log, name, counts",
    [
        (LANGSMITH / "sums.csv", "correct", ([4, 4, 4], None)),
        (PHOENIX / "phoenix.json", "exact", ([3, 3, 3], None)),
        (PHOENIX / "phoenix.csv", "exact", ([3, 3, 3], None)),
        (MLFLOW / "sums.json", "exact", ([1, 1, 1], None)),
        (MLFLOW / "sums.csv", "exact", ([1, 1, 1], None)),
    ],
)
def test_exports(log, name, counts):
    samples = read(log, score=name)
    sizes = np.unique(samples.question.astype(str), return_counts=True)[1]
    assert sizes.tolist() == counts[0]
    assert "holds several scores" in refusal(log)
    told = command("score", log, "--score", name).stdout
    assert f"score={'feedback.' * (log.parent == LANGSMITH)}{name}" in " ".join(told.split())


def test_both_forms_of_an_export_agree():
    for one, other, name in (
        (PHOENIX / "phoenix.json", PHOENIX / "phoenix.csv", "exact"),
        (MLFLOW / "sums.json", MLFLOW / "sums.csv", "score01"),
    ):
        first, second = read(one, score=name), read(other, score=name)
        assert first.score.tolist() == second.score.tolist()
        assert [str(a) for a in first.answer] == [str(a) for a in second.answer]


def test_phoenix_is_graded_like_its_own_evaluator():
    judged, stored = (
        read(PHOENIX / "phoenix.json", **how) for how in (dict(grade="exact"), dict(score="exact"))
    )
    assert judged.correct.tolist() == stored.score.tolist()


def test_failed_runs_of_services_are_missing(tmp_path):
    lines = (LANGSMITH / "sums.csv").read_text().splitlines()
    cells = lines[1].split(",")
    cells[3] = "down"
    path = tmp_path / "x.csv"
    path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]))
    assert np.isnan(read(path, score="correct").score[0])
    records = load(PHOENIX / "phoenix.json")
    records[0] |= dict(error="down", annotations=[])
    assert np.isnan(read(put(tmp_path / "x.json", records), score="exact").score[0])


def test_scores_stand_beside_the_runs_where_a_score_is_asked_for():
    record = dict(example_id="q", repetition_number="2", output="a", reference_output="b", error="")
    (plain,) = make_repetitions([record], [dict(exact=1.0)], None)
    (scored,) = make_repetitions([record], [dict(exact=1.0)], "exact")
    assert (plain["question"], plain["sample"], "score" in plain) == ("q", 1, False)
    assert scored == plain | dict(score=1.0)


def test_refused_exports(tmp_path):
    records = load(MLFLOW / "sums.json")
    trace = json.loads(records[0]["trace"])
    trace["info"]["trace_metadata"]["mlflow.sourceRun"] = "other"
    records[0]["trace"] = json.dumps(trace)
    assert "traces of one run, got 2" in refusal(put(tmp_path / "x.json", records))
    for name in "langfuse", "braintrust", "weave", "opik":
        told = refusal(PYTEST / "run1.xml", name)
        assert f"exports of {name} are not read" in told and "three columns" in told


# Plain tables with the log-probabilities of choices: the rules have the names of lm-eval.


@pytest.mark.parametrize(
    "rule, right", [("acc", [0, 1, 1]), ("acc_norm", [1, 1, 0]), ("acc_bytes", [1, 1, 0])]
)
def test_choices_of_a_plain_table(rule, right):
    log = LOGS / "choices.jsonl"
    samples = read(log, score=rule)
    assert samples.score.tolist() == right and samples.question.tolist() == [
        "capital",
        "sum",
        "colour",
    ]
    assert read_choices(log).gold.tolist() == [1, 1, 0]
    assert samples.answer[1] == "4" and read(log, grade="exact").correct.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "rule, divided", [("acc", "raw"), ("acc_norm", "char"), ("acc_bytes", "byte")]
)
def test_choices_are_scored_as_their_metric_does(tmp_path, rule, divided):
    rng = np.random.default_rng(0)
    rows = [
        dict(
            id=i,
            choices=["ä" * size for size in rng.integers(1, 6, 4)],
            gold=int(rng.integers(4)),
            logprobs=(-rng.integers(1, 9, 4) / 2).tolist(),
        )
        for i in range(200)
    ]
    held = read_choices(put(tmp_path / "x.jsonl", rows, True))
    wanted = choice_scores(held.logprobs, held.gold, texts=held.choices, normalize=divided).credit
    assert read(tmp_path / "x.jsonl", score=rule).score.tolist() == wanted.tolist()


def test_choices_without_the_right_one(tmp_path):
    row = dict(choices=["a", "b"], logprobs=[-1, -2], gold=2)
    assert "one right choice among its 2, got 2" in refusal(put(tmp_path / "x.jsonl", [row], True))
    empty = [dict(id="q", choices=["a", ""], logprobs=[-1, -2], gold=0)]
    assert "got '' at question 'q'" in refusal(
        put(tmp_path / "x.jsonl", empty, True), score="acc_norm"
    )


# promptfoo: results as JSON, JSON lines and CSV, and which tests are repetitions.

REPEATED = LOGS / "promptfoo_repeat"


def test_promptfoo_log():
    models = read(LOGS / "promptfoo").models()
    counts = {name: samples.counts()[1] for name, samples in models.items()}
    assert counts == {"mock:large": [2, 1], "mock:small": [1, 1]}
    assert int(np.isnan(models["mock:large"].correct).sum()) == 1
    rows = score(LOGS / "promptfoo", "avg@n", missing="drop").rows
    assert np.allclose([row.estimate for row in rows], [1, 0.5])


@pytest.mark.parametrize("name", ["out.json", "out.jsonl", "out.csv", ""])
def test_promptfoo_formats_give_the_same_counts(name):
    models = read(REPEATED / name).models()
    counts = {model: samples.counts() for model, samples in models.items()}
    assert counts == {
        "m1 with prompt 0": ([3, 3, 3, 3], [2, 2, 1, 2]),
        "m1 with prompt 1": ([2, 2, 3, 2], [2, 1, 2, 2]),
        "m2 with prompt 2": ([2, 2, 3, 2], [2, 1, 2, 2]),
        "m2 with prompt 3": ([3, 3, 3, 3], [2, 1, 2, 2]),
    }


def test_promptfoo_own_numbers():
    results, samples = load(REPEATED / "out.json")["results"], read(REPEATED / "out.json")
    passed = [prompt["metrics"]["testPassCount"] for prompt in results["prompts"]]
    broken = [prompt["metrics"]["testErrorCount"] for prompt in results["prompts"]]
    models = samples.models().values()
    assert [sum(part.counts()[1]) for part in models] == passed
    assert [int(np.isnan(part.correct).sum()) for part in models] == broken
    assert sum(passed) == results["stats"]["successes"]


def result(place, ask="a", prompt=0, **more):
    return (
        dict(
            testIdx=place,
            promptIdx=prompt,
            provider="p",
            success=True,
            score=1,
            testCase=dict(vars=dict(x=ask)),
        )
        | more
    )


def document(path, *results):
    return put(path, dict(results=dict(results=results, stats={})))


def test_promptfoo_results(tmp_path):
    records = [
        result(1, "b", response=dict(output="z"), success=False, score=0.5),
        result(0, failureReason=2),
        result(0, prompt=1, provider=dict(id="i", label="l"), failureReason=1, response=None),
        result(1, "b", prompt=1, provider=dict(id="l", label="")),
    ]
    for path in document(tmp_path / "x.json", *records), put(tmp_path / "y.jsonl", records, True):
        samples = read(path)
        assert samples.took == dict(
            question="first testIdx of a test",
            sample="repetition",
            correct="success",
            answer="output",
        )
        assert samples.rows("question sample model correct score answer") == [
            (0, 0, "p", None, None, None),
            (0, 0, "l", True, 1, None),
            (1, 0, "p", False, 0.5, "z"),
            (1, 0, "l", True, 1, None),
        ]
    both = put(tmp_path / "z.jsonl", [record | dict(provider="p") for record in records], True)
    assert read(both).model.tolist() == ["p with prompt 0", "p with prompt 1"] * 2
    bare = [result(i, testCase=None, vars=dict(x=i // 2)) for i in range(4)]
    assert read(put(tmp_path / "b.jsonl", bare, True)).question.tolist() == [0, 0, 2, 2]
    order = [
        result(0, testCase=dict(vars=dict(x=1, y=2))),
        result(1, testCase=dict(vars=dict(y=2, x=1))),
    ]
    assert read(put(tmp_path / "o.jsonl", order, True)).question.tolist() == [0, 0]


@pytest.mark.parametrize(
    "tests, questions",
    [
        ("aaabbbaaa", [0, 0, 0, 3, 3, 3, 6, 6, 6]),
        ("abc", [0, 1, 2]),
        ("aab", [0, 0, 2]),
        ("aaaa", [0] * 4),
        ("a", [0]),
        ("ababcdcd", [0, 1, 0, 1, 4, 5, 4, 5]),
        ("aabb", [0, 0, 2, 2]),
        ("abab", [0, 1, 0, 1]),
        ("aabbb", [0, 0, 2, 2, 2]),
        ("aaba", [0, 0, 2, 0]),
        ("abba", [0, 1, 1, 0]),
        ("aabaab", [0, 0, 2, 0, 0, 2]),
        ("abcabc", [0, 1, 2, 0, 1, 2]),
        ("abaacc", [0, 1, 0, 0, 4, 4]),
        ("ababab", [0, 1] * 3),
        ("aabbaabb", [0, 0, 2, 2, 4, 4, 6, 6]),
        ("abcd", [0, 1, 2, 3]),
    ],
)
def test_promptfoo_questions(tests, questions, tmp_path):
    "Two equal tests that stand apart are two questions where all tests are repeated as often."
    for first in 0, 10:
        rows = [result(first + place, ask) for place, ask in enumerate(tests)]
        samples = read(put(tmp_path / "x.jsonl", rows[::-1], True))
        assert (samples.question - first).tolist() == questions
        assert samples.sample.tolist() == [questions[:i].count(q) for i, q in enumerate(questions)]


def test_promptfoo_tables(tmp_path):
    head = ["x", "[m1] say] it", "Status", "Score", "Named", "[m2] do", "Status", "Score", "[m3]"]
    lines = [
        head,
        ["1", "out", "PASS", "1", "", "no", "FAIL", "0", ""],
        ["1", "b", "ERROR", "0", "", "c", "PASS", "1", ""],
    ]
    path = tmp_path / "x.csv"
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(lines)
    assert read(path).rows("question sample model correct answer") == [
        (0, 0, "m1", True, "out"),
        (0, 0, "m2", False, "no"),
        (0, 1, "m1", None, "b"),
        (0, 1, "m2", True, "c"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "question,correct\n1,1\n",
        "a\n",
        '"a"b\n',
        "\0\n",
        "[p],Status,Scores\n",
        "x,Status,Score\n",
        "[m,Score,Status\n",
        "x,[m] a,Status\n",
    ],
)
def test_other_tables_are_no_logs(tmp_path, text):
    (tmp_path / "x.csv").write_text(text)
    assert read(tmp_path / "x.csv") is None


@pytest.mark.parametrize(
    "old, new, said",
    [
        (
            "dunno,FAIL",
            "dunno,MAYBE",
            "a status must be one of 'PASS', 'FAIL', 'ERROR', got 'MAYBE'",
        ),
        ("1,2,dunno", "1,2,,dunno", "a row must have 26 cells as the header has, got 27 in row 2"),
        ("1,2,dunno", '1,2,"dun"no', "need valid CSV"),
    ],
)
def test_promptfoo_damaged_table(tmp_path, old, new, said):
    (tmp_path / "x.csv").write_text((REPEATED / "out.csv").read_text().replace(old, new, 1))
    assert said in refusal(tmp_path / "x.csv")


def test_promptfoo_long_cell(tmp_path):
    text = (REPEATED / "out.csv").read_text().replace("dunno", "x" * 200_000)
    (tmp_path / "x.csv").write_text(text + "\n")
    assert len(read(tmp_path / "x.csv")) == 48


@pytest.mark.parametrize(
    "change, alike",
    [
        ({}, True),
        (dict(score=9), True),
        (dict(success=True), False),
        (dict(failureReason=2), False),
        (dict(promptIdx=3), False),
        (dict(testIdx=4), False),
    ],
)
def test_promptfoo_results_of_one_name_in_two_formats(tmp_path, change, alike):
    "They are left out if they are the same, in any order."
    one = [result(0), result(1, "b", success=False)]
    document(tmp_path / "a.json", *one)
    put(tmp_path / "a.jsonl", [one[1] | change, one[0]], True)
    if alike:
        samples = read(tmp_path)
        assert len(samples) == 2
        assert samples.notes == dict(same_results=("a.jsonl",))
    else:
        assert len(read(tmp_path, files="draws")) == 4


def test_promptfoo_other_results_of_one_name_are_not_left_out(tmp_path):
    shutil.copy(REPEATED / "out.json", tmp_path)
    text = (REPEATED / "out.csv").read_text().replace("3,PASS,1.00", "9,FAIL,0.00")
    (tmp_path / "out.csv").write_text(text)
    assert "is in out.csv and in out.json" in refusal(tmp_path)


# inspect_ai: archives and documents, samples, epochs, scorers and values.


def epoch(id, number, scores, **more):
    stored = {name: dict(value=value, answer=f"a{id}") for name, value in scores.items()}
    return dict(id=id, epoch=number, scores=stored) | more


@pytest.fixture
def write(tmp_path):
    "A function that writes a log with some samples."

    def write(*samples, **about):
        members = {f"samples/{i}.json": sample for i, sample in enumerate(samples)}
        return zipped(tmp_path / "a.eval", {"header.json": HEADER | about} | members)

    return write


def test_inspect_logs():
    samples = read(EVAL)
    assert samples.correct.mean() == 0.75 and sorted(samples.sample.tolist()) == [1, 1, 2, 2]
    assert samples.model.tolist() == ["azureai/Meta-Llama-3-1-405B-Instruct-jqf"] * 4
    assert "score= one of 'match', 'grade'" in refusal(MOCK)
    graded = read(MOCK, score="grade")
    assert graded.correct is None and same(graded.score, [1, 0.5, 0, 1, np.nan, 0, 0, 0])
    assert read(MOCK, score="match").counts()[1] == [1, 1]
    assert read(MOCK, grade=lambda a, t: a == t).counts()[1] == [1, 1]
    assert read(LOGS / "inspect/log_formats.json").correct.tolist() == [0]


def test_inspect_samples(tmp_path):
    parts = dict(content=[dict(text="a"), dict(type="image"), dict(text=None), dict(text="b")])
    samples = [
        epoch(1, 1, dict(s="C"), target="c", output=dict(completion="c"), uuid="u", input="ask"),
        epoch(
            1,
            2,
            dict(s=dict(x="P", y=None)),
            output=dict(choices=[dict(message=dict(content="text"))]),
        ),
        epoch(
            2,
            1,
            dict(s="0.25"),
            error="x",
            output=dict(completion="", choices=[dict(message=parts)]),
        ),
        epoch(
            2,
            2,
            dict(s=None),
            error="x",
            input=[dict(role="user", content="ask", id="7"), dict(content=["b"])],
        ),
        epoch(3, 1, dict(s="I"), invalidation="x"),
        epoch(3, 2, {}) | dict(scores=None),
    ]
    about = dict(task="t", model="m", task_id="r", task_version=0, dataset=dict(name="d"))
    path = put(tmp_path / "x.json", dict(version=2, status="success", eval=about, samples=samples))
    found = read(path, score="s")
    assert (
        found.took == dict(question="id", sample="epoch", score="s", answer="answer of the scorer")
        and found.said == []
    )
    assert found.rows("question sample score answer model task") == [
        (1, 1, 1.0, "a1", "m", "t"),
        (1, 2, None, None, "m", "t"),
        (2, 1, 0.25, "a2", "m", "t"),
        (2, 2, None, "a2", "m", "t"),
        (3, 1, None, None, "m", "t"),
        (3, 2, None, None, "m", "t"),
    ]
    # What was asked: 'ask', '["ask", ["b"]]'; nothing for the others.
    ((name, version, run),) = found.logs.tasks
    assert (name, run) == ("t", "r")
    assert version.startswith("version 0, dataset d, questions 2, hash ")
    assert same(read(path, score="s/x").score, [np.nan, 0.5] + 4 * [np.nan])
    graded = read(path, grade=lambda a, t: a == t)
    assert graded.took["answer"] == "output"
    assert graded.answer.tolist() == ["c", "text", "ab", None, None, None]
    assert same(graded.correct, [1, 0] + 4 * [np.nan])


@pytest.mark.parametrize(
    "value, score",
    [
        ("C", 1),
        ("I", 0),
        ("P", 0.5),
        ("N", 0),
        (True, 1),
        (False, 0),
        ("yes", 1),
        ("No", 0),
        ("YES", 1),
        ("True", 1),
        ("false", 0),
        (2, 2),
        (0.25, 0.25),
        ("0.25", 0.25),
        ("-1.5", -1.5),
        (None, np.nan),
        (float("nan"), np.nan),
    ],
)
def test_inspect_values(write, value, score):
    path = write(inspect_sample("q", 1, value), inspect_sample("q", 2, "C"))
    assert same(read(path).score, [score, 1])


@pytest.mark.parametrize("value", ["B", "c", "p", "", "CP", [1]])
def test_inspect_other_values(write, value):
    known = "a number" if value == [1] else "C, P, I, N, yes, no, true, false or a number"
    said = refusal(write(inspect_sample("q", 1, value)))
    assert said.startswith(f"an inspect score must be {known}, got {value!r}")


def test_inspect_dict_of_values(write):
    path = write(inspect_sample("q", 1, dict(easy=1, hard=0)))
    assert "score= one of 's/easy', 's/hard'" in refusal(path)
    assert read(path, score="s/hard").correct.tolist() == [0]


def test_inspect_samples_that_broke_down(write):
    "An error after a scorer gave its value leaves the value standing."
    good = inspect_sample("q", 1, "C")
    broken = inspect_sample("q", 2, "C", scores={}, error=dict(message="x"))
    invalid = inspect_sample("q", 3, "C", invalidation=dict(reason="x"))
    judged = inspect_sample("q", 4, "I", error=dict(message="x"))
    path = write(good, broken, invalid, judged)
    assert same(read(path).correct, [1, np.nan, np.nan, 0])
    assert same(read(path, grade=lambda a, t: True).correct, [1, np.nan, np.nan, np.nan])
    assert refusal(write(broken)).startswith(
        "inspect stores no outcome per sample in a.eval: the samples were not scored (`inspect "
        "score` adds scores); pass grade="
    )
    assert same(read(write(broken), grade=lambda a, t: True).correct, [np.nan])
    assert refusal(write()) == "a.eval holds no samples; run inspect with --log-samples"


def test_inspect_runs_that_did_not_end_well(tmp_path, write):
    good = inspect_sample("q", 1, "C")
    for status in "cancelled", "error":
        assert read(write(good, status=status)).said == [
            f"the run ended with status {status!r}: samples may be absent"
        ]
    members = {"_journal/start.json": dict(HEADER, status="started"), "samples/1.json": good}
    assert read(zipped(tmp_path / "b.eval", members)).notes == dict(unfinished=("started",))
    none = put(tmp_path / "y.json", HEADER | dict(samples=None))
    assert "holds no samples" in refusal(none)


# Programs, reports and exports, function by function.


@pytest.mark.parametrize(
    "head, holds",
    [
        (dict(task_id="t", completion="c"), True),
        (dict(task_id="t", completion="c", index=1), True),
        (dict(task_id="t", completion="c", right=True), False),
        (dict(task_id="t", completion="c", right=False), False),
    ],
)
def test_lines_that_say_how_a_program_did_are_no_programs(head, holds):
    assert holds_programs(head) is holds


@pytest.mark.parametrize(
    "tasks, tries, tests",
    [
        ({}, True, False),
        ([], False, False),
        (dict(a=[]), True, False),
        (dict(a=dict(base=[], plus=[])), False, True),
        (dict(a=dict(base=[])), False, True),
        (dict(a=dict(base=[]), b=[]), False, False),
        (dict(a=dict(base=None)), False, False),
        (dict(a=dict(base=[]), b=dict(plus=[])), False, False),
        (dict(a=[dict(status="pass")]), False, False),
        (dict(a=[dict(base_status="pass")]), True, False),
    ],
    ids=str,
)
def test_layouts_of_evalplus(tasks, tries, tests):
    head = dict(eval=tasks)
    assert (holds_tries(head), holds_tests(head)) == (tries, tests)


def test_evalplus_of_2023_under_each_set_of_tests(tmp_path):
    tasks = {
        "a": dict(base=[["success"], ["failed"]], plus=[["failed"]]),
        "b": dict(base=[["success"]], plus=[]),
    }
    path = put(tmp_path / "x.json", dict(eval=tasks))
    found = read(path)
    assert found.took == dict(
        question="task_id", sample="position", correct="base and plus 'success'"
    )
    assert found.rows("question sample correct") == [
        ("a", 0, False),
        ("a", 1, False),
        ("b", 0, None),
    ]
    base = read(path, score="base")
    assert base.took["correct"] == "base 'success'" and base.correct.tolist() == [1, 0, 1]
    bare = put(path, dict(eval={"b": dict(base=[["success"]], plus=[])}))
    assert read(bare).took["correct"] == "base 'success'"
    assert "score must be one of 'base', got 'plus'" in refusal(bare, score="plus")


@pytest.mark.parametrize(
    "programs, total",
    [
        ([dict(task_id="h/0"), dict(task_id="h/1"), dict(task_id="h/0")], {"h/0": 2, "h/1": 1}),
        ([dict(task_id="h/0")], {"h/0": 1}),
        ([dict(task_id="h/0"), dict(name="h/1")], None),
        ([], None),
        (None, None),
    ],
)
def test_programs_beside_their_outcomes(programs, total, tmp_path):
    lines = [dict(task_id=name, passed=True, result="") for name in ("h/0", "h/0", "h/1")]
    if programs is not None:
        put(tmp_path / "p.jsonl", programs, True)
    for name in "p.jsonl_results.jsonl", "other.jsonl":
        human_eval_rows(open_log(put(tmp_path / name, lines, True)), ask := Ask())
        known = total if name.startswith("p.") else None
        where = "programs in p.jsonl"
        assert ask.totals == [Total(sum(one.values()), where, questions=one)
                              for one in [known] if one]


def test_instances_without_a_report_are_counted_once(tmp_path):
    "Two reports of one run lie beside them; where one report is named, nobody chose the others."
    run = tmp_path / "runs/a/m"
    for name in "x-1", "x-2":
        report = {name: dict(patch_successfully_applied=True, resolved=True)}
        put(run / name / "report.json", report)
    for name in "x-3", "x-4":
        (run / name).mkdir()
        (run / name / "patch.diff").write_text("")
    (run / "notes.txt").write_text("")
    samples = read(tmp_path / "runs")
    assert sorted(samples.questions) == ["x-1", "x-2", "x-3", "x-4"]
    lost = samples.question[np.isnan(samples.correct)]
    assert lost.tolist() == ["x-3", "x-4"]
    assert samples.notes == dict(no_outcome=2, no_report=()) and set(samples.model) == {"m"}
    assert read(run).notes["no_outcome"] == 2
    assert read(run / "x-1/report.json").questions == ["x-1"]
    assert read(run / "x-1").questions == ["x-1"]
    shutil.copytree(run, tmp_path / "runs/b/m")
    both = read([tmp_path / "runs/a", tmp_path / "runs/b"])
    assert both.notes["no_outcome"] == 4 and len(both) == 8


@pytest.mark.parametrize(
    "reports, known",
    [
        ({}, False),
        (dict(a=dict(patch_successfully_applied=True, resolved=True)), True),
        (dict(a=dict(patch_successfully_applied=True, resolved=True), b={}), False),
        (dict(a=dict(patch_successfully_applied=True)), False),
        (dict(a=dict(resolved=True)), False),
    ],
    ids=str,
)
def test_reports_on_instances(reports, known):
    assert recognise_instances(reports) is known


@pytest.mark.parametrize(
    "stats, total",
    [
        (dict(successes=1, failures=2, errors=3), 6),
        (dict(successes=1, failures=2), 3),
        (dict(successes=1, failures=0, errors=0), 1),
        (dict(successes=1), None),
        (dict(failures=2, errors=3), None),
        (dict(successes=1, failures="2", errors=3), None),
        (dict(successes=1, failures=2, errors="3"), 3),
        (None, None),
    ],
    ids=str,
)
def test_results_that_promptfoo_counts(stats, total, tmp_path):
    "In the document, and beside lines of the same name."
    path = put(tmp_path / "x.json", dict(results=dict(results=[], stats=stats)))
    lines = put(tmp_path / "x.jsonl", [result(0)], True)
    alone = put(tmp_path / "y.jsonl", [result(0)], True)
    for log, expected in (path, total), (lines, total), (alone, None):
        expect_results(open_log(log), ask := Ask())
        known = [] if expected is None else [Total(expected, "stats in x.json")]
        assert ask.totals == known


def test_statistics_of_something_else_beside_lines(tmp_path):
    lines = open_log(put(tmp_path / "x.jsonl", [result(0)], True))
    for other in dict(results=[]), dict(results=dict(stats=dict(successes=1, failures=2))), {}:
        put(tmp_path / "x.json", other)
        expect_results(lines, ask := Ask())
        assert ask.totals == []


@pytest.mark.parametrize(
    "summary, total",
    [
        (dict(collected=10), 10),
        (dict(collected=10, deselected=1), 9),
        (dict(collected=10, skipped=2), 8),
        (dict(collected=10, deselected=1, skipped=2), 7),
        (dict(passed=3), None),
    ],
    ids=str,
)
def test_tests_that_were_collected(summary, total, tmp_path):
    expect_collected(open_log(put(tmp_path / "x.json", dict(summary=summary))), ask := Ask())
    assert ask.totals == ([] if total is None else [Total(total, "collected in x.json")])


@pytest.mark.parametrize(
    "inner, outcome",
    [
        ("", [True]),
        ("<system-out>said</system-out>", [True]),
        ("<failure/>", [False]),
        ("<error/>", [None]),
        ("<failure/><error/>", [None]),
        ('<skipped type="pytest.xfail"/>', [False]),
        ('<skipped type="pytest.skip"/>', []),
        ("<skipped/>", []),
    ],
)
def test_outcomes_of_junit(inner, outcome, tmp_path):
    samples = read(junit(tmp_path / "x.xml", ("a", inner), ("b", "")))
    assert samples.rows("question sample correct") == [
        *(("t::a", 0, one) for one in outcome),
        ("t::b", 0, True),
    ]
    kinds = [(note.kind, note.count) for note in samples.read.notes]
    assert kinds == [("skipped_tests", 1)] * (not outcome) + [("no_outcome", 1)] * (
        outcome == [None]
    )


def test_a_test_of_junit_without_a_class_has_its_own_name(tmp_path):
    (tmp_path / "x.xml").write_text('<testsuite><testcase name="a"/></testsuite>')
    assert read(tmp_path / "x.xml").questions == ["a"]


def test_xml_of_a_limit(tmp_path):
    path = junit(tmp_path / "x.xml", ("a", ""))
    size = path.stat().st_size
    assert len(read(path, limits=Limits(document=size))) == 1
    told = f"an XML document may hold at most {size - 1:,} bytes, got more in x.xml"
    assert told in refusal(path, limits=Limits(document=size - 1))


def test_tests_that_stand_twice_are_counted(tmp_path):
    cases = [(name, "") for name in ("a", "b", "a", "b", "a", "c")]
    told = refusal(junit(tmp_path / "x.xml", *cases))
    assert told.startswith("a test must stand once in a file, got 3 times t::a in x.xml (2 of 3")


CASE = dict(name="c", input="q", actualOutput="a", success=True, metricsData=[])


@pytest.mark.parametrize(
    "cases, questions",
    [
        ([{}, {}], ["q", "q"]),
        ([dict(expectedOutput="x"), dict(expectedOutput="y"), dict(expectedOutput="x")],
         ["q", "q (2)", "q"]),
        ([dict(context=["x"]), dict(context=["y"]), dict(context=["z"])],
         ["q", "q (2)", "q (3)"]),
        ([dict(expectedOutcome="x"), dict(expectedOutcome="y")], ["q", "q (2)"]),
        ([dict(input=None), dict(input=None, scenario="s"), dict(input="")], ["c", "s", "c"]),
    ],
    ids="same outputs contexts outcomes names".split(),
)
def test_questions_of_deepeval(cases, questions):
    assert [name for name, _ in number_inputs([CASE | case for case in cases])] == questions


@pytest.mark.parametrize(
    "told, total",
    [
        (dict(testPassed=3, testFailed=1), 4),
        (dict(testPassed=1, testFailed=0), 1),
        (dict(testPassed=3), None),
        (dict(testFailed=3), None),
        (dict(testPassed=3, testFailed=None), None),
    ],
    ids=str,
)
def test_test_cases_that_deepeval_counts(told, total, tmp_path):
    run = dict(testCases=[CASE], conversationalTestCases=[], metricsScores=[]) | told
    deepeval_rows(open_log(put(tmp_path / "x.json", run)), ask := Ask())
    where = "testPassed and testFailed in x.json"
    assert ask.totals == ([] if total is None else [Total(total, where)]) and ask.unordered


@pytest.mark.parametrize(
    "columns, answer",
    [(["outputs.a"], "outputs.a"), (["outputs.a", "outputs.b"], None), ([], None)],
)
def test_answers_of_langsmith(columns, answer, tmp_path):
    "Its only output; none is one of several. A run that broke down has no outcome."
    head = ["id", "example_id", "execution_time", "error", "feedback.s", *columns]
    lines = [["u1", "e1", "1", "", "1", *columns], ["u2", "e1", "1", "down", "1", *columns],
             ["u3", "e2", "1", "", "0", *columns]]
    with open(tmp_path / "x.csv", "w", newline="") as file:
        csv.writer(file).writerows([head, *lines])
    samples = read(tmp_path / "x.csv")
    took = dict(question="example_id", sample="repetition of an example", score="feedback.s")
    assert samples.took == took | (dict(answer=answer) if answer else {})
    assert list(zip(samples.question, samples.sample)) == [("e1", 0), ("e1", 1), ("e2", 0)]
    assert same(samples.score, [1, np.nan, 0]) and samples.notes == dict(no_outcome=1)
    assert not samples.logs.ordered
    answers = None if samples.answer is None else set(samples.answer)
    assert answers == ({answer} if answer else None)


def mlflow_record(id, asked, told="t", value=1, expected=None, **more):
    assessments = [dict(assessment_name="s", feedback=dict(value=value))]
    if expected is not None:
        assessments.append(dict(assessment_name="e", expectation=dict(value=expected)))
    info = dict(trace_id=id, state="OK", assessments=assessments) | more
    trace = json.dumps(dict(info=info))
    return dict(trace_id=id, trace=trace, request=asked, response=told)


def test_traces_of_mlflow(tmp_path):
    "One request with one expectation is one question; one that broke down has no outcome."
    records = [
        mlflow_record("1", dict(q="a", r=1)),
        mlflow_record("2", dict(q="b"), dict(answer="u"), 0),
        mlflow_record("3", dict(r=1, q="a"), value="yes"),
        mlflow_record("4", dict(q="b"), value=1, state="ERROR"),
        mlflow_record("5", dict(q="b"), value=1, expected="x"),
    ]
    path = put(tmp_path / "x.json", records)
    samples = read(path)
    assert samples.took == dict(
        question="request", sample="repetition of a request", answer="response", score="s"
    )
    assert samples.rows("question sample score answer") == [
        (0, 0, 1.0, "t"),
        (1, 0, 0.0, "u"),
        (0, 1, 1.0, "t"),
        (1, 1, None, "t"),
        (2, 0, 1.0, "t"),
    ]
    assert samples.notes == dict(no_outcome=1) and not samples.logs.ordered
    graded = read(path, grade=lambda answer, target: target == "x")
    assert same(graded.correct, [0, 0, 0, np.nan, 1])


def test_a_repetition_of_phoenix_that_broke_down_is_counted(tmp_path):
    "Whatever an evaluator said of it."
    records = load(PHOENIX / "phoenix.json")
    records[0] |= dict(error="down")
    samples = read(put(tmp_path / "x.json", records), score="exact")
    assert np.isnan(samples.score).tolist() == [True] + [False] * (len(samples) - 1)
    assert samples.notes == dict(no_outcome=1)
    assert samples.said == ["1 repetition that ended with an error: missing"]


def test_runs_of_services_that_two_files_hold_count_once(tmp_path):
    head = ["id", "example_id", "execution_time", "error", "feedback.s"]
    for name, ids in ("a", "uv"), ("b", "vw"):
        with open(tmp_path / f"{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows([head, *([id, "e", "1", "", "1"] for id in ids)])
    samples = read(tmp_path, files="draws")
    assert len(samples) == 3 and samples.notes["counted_once"] == 1
    for name, ids in ("c", "uv"), ("d", "vw"):
        put(tmp_path / f"traces/{name}.json", [mlflow_record(id, "a") for id in ids])
    samples = read(tmp_path / "traces", files="draws")
    assert len(samples) == 3 and samples.notes["counted_once"] == 1


@pytest.mark.parametrize(
    "path, model, run",
    [
        ("/run/m/x-1/report.json", "m", "run"),
        ("/other/run/m/x-1/report.json", "m", "run"),
        ("/m/x-1/report.json", "m", ""),
        ("/other/m/logs/x-1/report.json", "m", ""),
        ("/m/logs/x-1/report.json", "m", ""),
        ("/x-1/report.json", None, "/x-1/report.json"),
        ("/run/m/x-2/report.json", None, "/run/m/x-2/report.json"),
    ],
)
def test_whose_patches_a_report_is_on(path, model, run):
    log = Log(Path(path), "document", {"x-1": {}})
    assert find_patches(log) == Patches(model, run)
