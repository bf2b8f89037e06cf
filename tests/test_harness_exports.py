"Reports of repeated tests, exports of services, and plain tables with log-probabilities."
import json

import numpy as np
import pytest

from conftest import command
from harness_cases import LOGS, load, put, read, refusal
from sampling_eval import choice_scores, read_choices, score

PYTEST, LANGSMITH, PHOENIX, MLFLOW = (LOGS / name for name in "pytest langsmith phoenix mlflow".split())


def outcomes(*files, **options):
    "Outcomes of each test, `-` for none."
    found = {}
    samples = read(list(files) if len(files) > 1 else files[0], **options)
    for question, correct in zip(samples.question, samples.correct):
        test = question.rpartition("::")[2]
        found[test] = found.get(test, "") + ("-" if np.isnan(correct) else str(int(correct)))
    return found


# Tests.

ONE = dict(test_always="1", test_coin="1", test_error="-", test_xfail="0", test_xpass="1",
           **{"test_city[Paris]": "1", "test_city[Rome]": "0"})


@pytest.mark.parametrize("form", ["xml", "json"])
def test_two_runs_of_tests(form):
    first, second = PYTEST / f"run1.{form}", PYTEST / f"run2.{form}"
    assert outcomes(second) == ONE and outcomes(first) == ONE | dict(test_coin="0")
    both = outcomes(first, second, files="draws")
    assert both["test_coin"] == "01" and both["test_city[Rome]"] == "00"
    assert "files_hold='draws'" in refusal([first, second])
    assert read(first).said == ["1 skipped test left out", "1 test that broke down outside its body: missing"]


@pytest.mark.parametrize("form", ["xml", "json"])
def test_steps_of_pytest_repeat_are_samples(form):
    found = outcomes(PYTEST / f"count.{form}")
    assert found == dict(test_always="1111", test_coin="1010", test_error="----", test_xfail="0000",
                         test_xpass="1111", **{"test_city[Paris]": "1111", "test_city[Rome]": "0000"})
    row = score(PYTEST / f"count.{form}", "pass@1", missing="wrong").rows[0]
    assert row.estimate == pytest.approx((1 + .5 + 0 + 0 + 1 + 1 + 0) / 7)
    asked = command("score", PYTEST / f"count.{form}")
    assert asked.returncode == 2 and "4 samples have no outcome" in asked.stderr


def junit(path, *cases):
    path.write_text('<?xml version="1.0"?>\n<!-- made -->\n<testsuites><testsuite>'
                    + "".join(f'<testcase classname="t" name="{name}">{inner}</testcase>'
                              for name, inner in cases) + "</testsuite></testsuites>")
    return path


@pytest.mark.parametrize("names, questions", [
    (["a[1-2]", "a[2-2]"], ["t::a"]),
    (["a[x-1-2]", "a[x-2-2]", "b"], ["t::a[x]", "t::b"]),
    (["a[1-3]", "a[2-3]"], ["t::a"]),  # Interrupted, and all tests have steps
    (["a[1-3]", "a[2-3]", "b"], ["t::a[1-3]", "t::a[2-3]", "t::b"]),  # Parameters
    (["a[1-2]", "a[2-2]", "b[1-3]"], ["t::a", "t::b[1-3]"]),
    (["a[1-1]", "b[1-2]", "b[2-2]"], ["t::a[1-1]", "t::b"])])
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

@pytest.mark.parametrize("log, name, counts", [
    (LANGSMITH / "sums.csv", "correct", ([4, 4, 4], None)),
    (PHOENIX / "phoenix.json", "exact", ([3, 3, 3], None)),
    (PHOENIX / "phoenix.csv", "exact", ([3, 3, 3], None)),
    (MLFLOW / "sums.json", "exact", ([1, 1, 1], None)),
    (MLFLOW / "sums.csv", "exact", ([1, 1, 1], None))])
def test_exports(log, name, counts):
    samples = read(log, score=name)
    sizes = np.unique(samples.question.astype(str), return_counts=True)[1]
    assert sizes.tolist() == counts[0]
    assert "holds several scores" in refusal(log)
    told = command("score", log, "--score", name).stdout
    assert f"score={'feedback.' * (log.parent == LANGSMITH)}{name}" in " ".join(told.split())


def test_both_forms_of_an_export_agree():
    for one, other, name in ((PHOENIX / "phoenix.json", PHOENIX / "phoenix.csv", "exact"),
                             (MLFLOW / "sums.json", MLFLOW / "sums.csv", "score01")):
        first, second = read(one, score=name), read(other, score=name)
        assert first.score.tolist() == second.score.tolist()
        assert [str(a) for a in first.answer] == [str(a) for a in second.answer]


def test_phoenix_is_graded_like_its_own_evaluator():
    judged, stored = (read(PHOENIX / "phoenix.json", **how)
                      for how in (dict(grade="exact"), dict(score="exact")))
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

@pytest.mark.parametrize("rule, right", [("acc", [0, 1, 1]), ("acc_norm", [1, 1, 0]),
                                         ("acc_bytes", [1, 1, 0])])
def test_choices_of_a_plain_table(rule, right):
    log = LOGS / "choices.jsonl"
    samples = read(log, score=rule)
    assert samples.score.tolist() == right and samples.question.tolist() == ["capital", "sum", "colour"]
    assert read_choices(log).gold.tolist() == [1, 1, 0]
    assert samples.answer[1] == "4" and read(log, grade="exact").correct.tolist() == [0, 1, 1]


@pytest.mark.parametrize("rule, divided", [("acc", "raw"), ("acc_norm", "char"), ("acc_bytes", "byte")])
def test_choices_are_scored_as_their_metric_does(tmp_path, rule, divided):
    rng = np.random.default_rng(0)
    rows = [dict(id=i, choices=["ä" * size for size in rng.integers(1, 6, 4)], gold=int(rng.integers(4)),
                 logprobs=(-rng.integers(1, 9, 4) / 2).tolist()) for i in range(200)]
    held = read_choices(put(tmp_path / "x.jsonl", rows, True))
    wanted = choice_scores(held.logprobs, held.gold, texts=held.choices, normalize=divided).credit
    assert read(tmp_path / "x.jsonl", score=rule).score.tolist() == wanted.tolist()


def test_choices_without_the_right_one(tmp_path):
    row = dict(choices=["a", "b"], logprobs=[-1, -2], gold=2)
    assert "one right choice among its 2, got 2" in refusal(put(tmp_path / "x.jsonl", [row], True))
    empty = [dict(id="q", choices=["a", ""], logprobs=[-1, -2], gold=0)]
    assert "got '' at question 'q'" in refusal(put(tmp_path / "x.jsonl", empty, True), score="acc_norm")
