"What each reader makes of small logs: every row, every remark, and which heads it recognises."
import csv
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness_cases import put
from sampling_eval.harness import (aisbench, bigcodebench, deepeval, evalplus, evalscope, harbor, helm, human_eval,
                                   inspect_ai, lighteval, lm_eval, openai_evals, opencompass, promptfoo, simple_evals,
                                   swe_bench, tau2, tau_bench, terminal_bench, verifiers, verifiers_traces, verl)
from sampling_eval.harness.ask import Ask, NoOutcomes
from sampling_eval.harness.details import find_writers
from sampling_eval.harness.grading import TextGrade
from sampling_eval.harness.log import Log, open_log

PATH = Path("/logs/run/x.json")


def hold(head, path=PATH): return Log(Path(path), "document", head)


def take(make, log, **given):
    "What was taken for what, the rows and the remarks."
    ask = Ask(**given)
    took, rows = make(log, ask)
    return took, list(rows), ask.notes


def fail(make, log, kind=ValueError, **given):
    with pytest.raises(kind) as error: list(make(log, Ask(**given))[1])
    return str(error.value)


def check_keys(recognise, head, *names):
    "Fail unless a head is recognised, and is not without any one of these keys."
    assert recognise(head) is True
    for name in names: assert not recognise({key: value for key, value in head.items() if key != name}), name
    for other in None, [], [head], "x", {}: assert not recognise(other)


def grade(answer, target): return answer == target


# evalplus and BigCodeBench.

TRIES = {"a/0": [dict(base_status="pass", plus_status="pass", solution="s"),
    dict(base_status="pass", plus_status="fail"),
                 dict(base_status="fail", plus_status="pass"), dict(base_status="pass", plus_status=None)],
         "a/1": [dict(base_status=None, plus_status=None)]}


def test_evalplus():
    rows = [dict(question="a/0", sample=0, answer="s"), *(dict(question="a/0", sample=i, answer=None)
        for i in (1, 2, 3)),
            dict(question="a/1", sample=0, answer=None)]
    def judge(*outcomes): return [row | dict(correct=outcome) for row, outcome in zip(rows, outcomes)]
    log, parts = hold(dict(eval=TRIES)), "question=task_id, sample=position, correct={}, answer=solution"
    assert take(evalplus.rows, log) == (
        parts.format("base_status and plus_status 'pass'"), judge(True, False, False, None, None), [])
    assert take(evalplus.rows, log, score="base")[:2] == (
        parts.format("base_status 'pass'"), judge(True, True, False, True, None))
    base = hold(dict(eval={"a/0": [dict(base_status="pass", plus_status=None)]}))
    assert "correct=base_status 'pass'" in take(evalplus.rows, base)[0]
    check_keys(evalplus.recognise, dict(eval=TRIES), "eval")
    for odd in dict(eval=TRIES, version=2), dict(eval=[]), dict(eval={"a": [],
        "b": {}}), dict(eval={"a": [dict(status="pass")]}):
        assert not evalplus.recognise(odd)
    assert evalplus.recognise(dict(eval={})) and evalplus.recognise(dict(eval={"a": [dict(status="x"),
        dict(base_status="x")]}))


def test_bigcodebench():
    tasks = {"b/0": [dict(status="pass", solution="s"), dict(status="fail")], "b/1": [dict(status="timeout")]}
    log = hold(dict(eval=tasks), "/x/my--model--bigcodebench-complete--more.json")
    assert take(bigcodebench.rows, log) == (
        "question=task_id, sample=position, correct=status 'pass', answer=solution", [
            dict(question="b/0", sample=0, answer="s", model="my--model", correct=True),
            dict(question="b/0", sample=1, answer=None, model="my--model", correct=False),
            dict(question="b/1", sample=0, answer=None, model="my--model", correct=False)], [])
    assert take(bigcodebench.rows, hold(dict(eval=tasks)))[1][0]["model"] is None
    assert fail(bigcodebench.rows, hold(dict(eval={"b/2": [dict(status="new")]}))) == (
        "a status must be one of 'pass', 'fail', 'timeout', got 'new' for b/2 in x.json")
    check_keys(bigcodebench.recognise, dict(eval=tasks), "eval")
    for odd in {}, {"a": []}, {"a": [dict(status="pass"), {}]}: assert not bigcodebench.recognise(dict(eval=odd))


# opencompass and AISBench.

def test_who_wrote_details():
    both, one, other = {"opencompass", "aisbench"}, {"opencompass"}, {"aisbench"}
    right, several = dict(correct=True), dict(correct=[True, False])
    for details, want in (
            ({}, one), ({"0": {}}, one), ([], one), ([right], one), ([dict(is_correct=True)], one),
            ([dict(cascade_correct=[True])], one), ([right, several], both), ([several], both),
            ([dict(correct=[1])], one),
            ([several | {"avg@4": 1}, several], other), ([several | {"G-Pass@4": 1, "avg@4": 1}], one),
            ([several | {"mG-Pass@4": 1}], one), ([right, dict(pred=1)], set()), ([right, 5], set()),
            ([dict(correct=None)], set()), ("x", set()), (None, set())):
        assert find_writers(dict(details=details)) == want, details
        assert (opencompass.recognise(dict(details=details)), aisbench.recognise(dict(details=details))) == (
            "opencompass" in want, "aisbench" in want)
    assert find_writers([]) == find_writers({}) == set()


def test_opencompass_details():
    details = {"10": dict(is_correct=[True, False], predictions=["a", "b"], answer="x", example_abbr="q10"),
        "type": "GEN",
               "2": dict(correct=.5, cascade_correct=0, pred="c", example_abbr="q2")}
    parts = "question={}, sample=position, score=correct, answer=pred"
    assert take(opencompass.rows, hold(dict(details=details))) == (parts.format("example_abbr"), [
        dict(question="q2", sample=0, answer="c", score=.5, task="x"),
        dict(question="q10", sample=0, answer="a", score=1., task="x"),
        dict(question="q10", sample=1, answer="b", score=0., task="x")], [])
    details = [dict(correct=[1, 0], prediction=["a"], example_abbr="q"), dict(correct=None, is_correct=[0], pred="y")]
    assert fail(opencompass.rows, hold(dict(details=details)), KeyError) == "'correct'"
    del details[1]["correct"]
    assert take(opencompass.rows, hold(dict(details=details)))[:2] == (parts.format("position"), [
        dict(question=0, sample=0, answer=None, score=1., task="x"),
        dict(question=0, sample=1, answer=None, score=0., task="x"),
        dict(question=1, sample=0, answer=None, score=0., task="x")])
    assert fail(opencompass.rows, hold(dict(details={"type": "GEN"}))) == (
        "details must hold at least one question, got none")
    assert fail(opencompass.rows, hold(dict(details=details)), grade=grade) == (
        "grade= needs texts as they were generated; read the predictions file")


def test_opencompass_predictions():
    head = {str(i): dict(prediction=f"p{i}", origin_prompt="ab"[i % 2], gold=i % 2) for i in range(12)}
    took, rows, notes = take(opencompass.prediction_rows, hold(head), grade=grade)
    assert took == ("question=index modulo 2 (the period of the prompts), sample=replica, correct=grade, "
                    "answer=prediction")
    assert rows == [dict(question=i % 2, sample=i // 2, answer=f"p{i}", target=i % 2, task="x") for i in range(12)]
    odd = head | {"11": dict(prediction="p", origin_prompt="b", gold=0)}
    assert "index modulo 12 " in take(opencompass.prediction_rows, hold(odd), grade=grade)[0]
    assert fail(opencompass.prediction_rows, hold(head), NoOutcomes).startswith(
        "opencompass stores no outcome per sample in x.json: predictions are not judged; the results file is, with "
        "dump_eval_details on; pass grade='exact' or 'number'")
    check_keys(opencompass.recognise_predictions, head, "0")
    assert not opencompass.recognise_predictions(head | {"x": {}})
    assert not opencompass.recognise_predictions({"0": dict(pred="x")})


def judged(*groups):
    "Details of AISBench: references and verdicts of each entry."
    return hold(dict(details=[dict(correct=[*map(int, right)], gold=[*told], pred=[*told], example_abbr=f"q{i}")
                              for i, (told, right) in enumerate(groups)]))


def test_aisbench_details():
    def rows(*samples): return [dict(question=f"q{q}", sample=s, answer=a, score=float(c), task="x") for q, s, a,
        c in samples]
    assert take(aisbench.rows, judged(("aa", "10"), ("bb", "01")))[1:] == (
        rows((0, 0, "a", 1), (0, 1, "a", 0), (1, 0, "b", 0), (1, 1, "b", 1)), [])
    # Sample s of question q of 2 is entry 2 s + q.
    assert take(aisbench.rows, judged(("ab", "10"), ("ab", "11")))[1:] == (
        rows((0, 0, "a", 1), (0, 1, "a", 1), (1, 0, "b", 0), (1, 1, "b", 1)),
        ["AISBench had pooled samples of different questions; they were put back, so its own pass@k and cons@k differ"])
    assert take(aisbench.rows, judged(("ab", "10")))[1] == rows((0, 0, "a", 1), (0, 1, "b", 0))
    assert take(aisbench.rows, judged(("a", "1"), ("a", "0")))[1:] == (rows((0, 0, "a", 1), (1, 0, "a", 0)), [])
    for told, ways in ((("aa", "10"), ("aa", "01")), "both ways"), ((("ab", "10"), ("cd", "01")), "neither way"):
        assert fail(aisbench.rows, judged(*told)) == (
            "cannot tell which samples belong together, since the reference answers "
            f"fit {ways} of grouping; read the predictions with grade=")
    assert fail(aisbench.rows,
        judged(("aa", "10"), ("b", "1"))) == "every question needs 2 samples, got other numbers too"
    assert "read the predictions file" in fail(aisbench.rows, judged(("aa", "10")), grade=grade)
    same = [[dict(x=1, y=2), dict(y=2, x=1)], ["b", "b"]]
    log = hold(dict(details=[dict(correct=[1, 0], gold=gold) for gold in same]))
    assert [row["question"] for row in take(aisbench.rows, log)[1]] == [0, 0, 1, 1]


def test_aisbench_predictions(tmp_path):
    lines = [dict(data_abbr="d", id=1, prediction="a", gold="a"),
        dict(data_abbr="d", id=1, prediction="b", success=False),
             dict(data_abbr="d", id=2, prediction=None, success=True), dict(data_abbr="e", id=1, gold="c")]
    log = open_log(put(tmp_path / "d.jsonl", lines, True))
    assert take(aisbench.prediction_rows, log, grade=grade) == (
        "question=id, sample=order within id, correct=grade, answer=prediction; failed requests are missing", [
            dict(question=1, sample=0, task="d", answer="a", target="a", lost=False),
            dict(question=1, sample=1, task="d", answer="b", target=None, lost=True),
            dict(question=2, sample=0, task="d", answer=None, target=None, lost=False),
            dict(question=1, sample=0, task="e", answer=None, target="c", lost=True)], [])
    assert fail(aisbench.prediction_rows, log, NoOutcomes).startswith(
        "AISBench stores no outcome per sample in d.jsonl: predictions are not judged; the results file is, with "
        "--dump-eval-details; pass grade=")
    check_keys(aisbench.recognise_predictions, lines[0], "data_abbr", "id")


# DeepEval.

def metric(name, success, score=None, **more): return dict(name=name, success=success, score=score) | more


CASES = [dict(name="c0", input="q", actualOutput="a", expectedOutput="e", success=True,
              metricsData=[metric("m", True, 1), metric("n", True, .5)]),
         dict(name="c1", input="q", actualOutput="b", expectedOutput="e", success=False,
              metricsData=[metric("m", None, None, error="x"), metric("n", True, .25)]),
         dict(name="c2", input="q", expectedOutput="other", success=False,
              metricsData=[metric("m", None, error="x"), metric("n", False, 0)]),
         dict(name="c3", scenario="s", success=True, metricsData=[metric("m", None, error="x", flaky=True)]),
         dict(name="c4", success=False, metricsData=None)]
RUN = dict(testCases=CASES[:3], conversationalTestCases=CASES[3:], metricsScores=[], datasetAlias="set",
           hyperparameters=dict(model="mine"))


def test_deepeval():
    about = dict(model="mine", task="set")
    base = [dict(question="q", sample=0, answer="a", target="e"), dict(question="q", sample=1, answer="b", target="e"),
            dict(question="q (2)", sample=0, answer=None, target="other"),
            dict(question="s", sample=0, answer=None, target=None),
            dict(question="c4", sample=0, answer=None, target=None)]
    parts = "question=input, sample=repetition of a test case, {}, answer=actualOutput"
    def join(*outcomes): return [row | outcome | about for row, outcome in zip(base, outcomes)]
    verdicts = [dict(correct=value, lost=lost) for value, lost in zip(
        (True, False, False, True, False), (False, True, False, False, False))]
    assert take(deepeval.rows, hold(RUN)) == (parts.format("correct=success"), join(*verdicts), [
        "test cases that a metric failed to judge are missing"])
    scores = [dict(score=value) for value in (.5, .25, 0., None, None)]
    assert take(deepeval.rows, hold(dict(testRunData=RUN)), score="n") == (parts.format("score=n"), join(*scores), [])
    assert take(deepeval.rows, hold(RUN), grade=grade) == (parts.format("correct=grade"), join({}, {}, {}, {}, {}), [])
    plain = RUN | dict(testCases=CASES[:1], conversationalTestCases=[], hyperparameters=dict(model=5),
        datasetAlias=None)
    assert take(deepeval.rows, hold(plain))[1:] == ([base[0] | verdicts[0] | dict(model=None, task=None)], [])
    assert take(deepeval.rows, hold(plain | dict(hyperparameters=None)))[1][0]["model"] is None
    with pytest.raises(ValueError, match="score must be one of 'success', 'm', 'n', got 'x' for x.json"):
        deepeval.rows(hold(RUN), Ask(score="x"))
    check_keys(deepeval.recognise, RUN, "testCases", "conversationalTestCases", "metricsScores")
    assert deepeval.recognise(dict(testRunData=RUN)) and not deepeval.recognise(dict(testRunData={}))


# evalscope.

def review(index, value, **more):
    score = dict(value=value, extracted_prediction="p") | more.pop("score", {})
    return dict(index=index, sample_score=dict(score=score) | more.pop("sample", {})) | more


def test_evalscope(tmp_path):
    lines = [review(0, dict(acc=1, f1=.5), target=["t"], messages=[dict(model="no"), dict(model="late")],
                    sample=dict(group_id=7, generation_index=3)),
             review(1, dict(acc=0, f1=.25), target=["t", "u"], sample=dict(group_id=7)),
             review(2, dict(f1=0), target="t", messages=[], score=dict(main_score_name="f1")), review(3, {}),
             review(1, dict(acc=1), target="again", sample=dict(group_id=7))]
    log = open_log(put(tmp_path / "data.jsonl", lines, True))
    want = [dict(question=7, answer="p", target="t", sample=3, score=1., model="late", task="data"),
            dict(question=7, answer="p", target="again", sample=1, score=1., model="late", task="data"),
            dict(question=2, answer="p", target="t", sample=0, score=None, model="late", task="data"),
            dict(question=3, answer="p", target=None, sample=0, score=None, model="late", task="data")]
    took = "question=group_id, sample=generation_index, {}, answer=extracted_prediction"
    assert take(evalscope.rows, log) == (took.format("score=acc"), want, [])
    other = take(evalscope.rows, log, score="f1")
    assert other[0] == took.format("score=f1") and [row["score"] for row in other[1]] == [.5, None, 0., None]
    anew = take(evalscope.rows, log, grade=grade)
    assert anew[:2] == (took.format("correct=grade"), [{k: v for k, v in row.items() if k != "score"} for row in want])
    named = put(tmp_path / "reviews/folder/data.jsonl", lines[2:3], True)
    (row,) = take(evalscope.rows, open_log(named))[1]
    assert (row["model"], row["score"]) == ("folder", 0.)
    check_keys(evalscope.recognise, lines[0], "index", "sample_score")
    assert not evalscope.recognise(dict(index=0, sample_score={}))


# Harbor.

def trial(name, reward, **more):
    rewards = None if reward is None else dict(rewards=dict(reward=reward, style=.5))
    return dict(task_name=name, trial_name=f"{name}__x", agent_info=dict(name="agent"), verifier_result=rewards) | more


def test_harbor():
    model = dict(agent_info=dict(name="agent", model_info=dict(name="llm")))
    trials = [trial("a", 1, id="1", **model), trial("a", .5, id="2", source="set"),
        trial("a", 0, id="3", exception_info={"x": 1}),
              trial("a", None, id="4", **model), trial("a", 1, id="1"), trial("b", 1), trial("b", 1),
              trial("b", 0, trial_name="o")]
    log = hold(dict(trial_results=trials))
    took, rows, notes = take(harbor.job_rows, log)
    assert took == "question=task_name, sample=order of appearance, score=reward of the verifier"
    def row(question, model, score, sample, task="adhoc"):
        return dict(question=question, task=task, model=model, score=score, sample=sample)
    assert rows == [row("a", "agent llm", 1., 0), row("a", "agent", .5, 0, "set"), row("a", "agent", 0., 1),
                    row("a", "agent llm", None, 2), row("b", "agent", 1., 0), row("b", "agent", 0., 2)]
    assert notes == ["trials that ended in an exception and were verified keep their reward",
                     "trials without a reward are missing", *["trials in several files count once"] * 2]
    assert [row["score"] for row in take(harbor.job_rows, log, score="style")[1]] == [.5, .5, .5, None, .5, .5]
    assert "score" not in take(harbor.job_rows, log, grade=grade)[1][0]
    assert take(harbor.rows, hold(trials[0]))[1:] == ([row("a", "agent llm", 1., 0)], [])
    assert take(harbor.rows, hold(trial("a", None) | dict(verifier_result=dict(rewards={}))))[1][0]["score"] is None
    assert fail(harbor.job_rows, hold(dict(trial_results=[]))) == (
        "x.json holds sums over trials and not the trials; read the folder of the job, whose folders have a "
        "result.json "
        "each")
    check_keys(harbor.recognise, trials[0], "task_name", "trial_name", "agent_info", "verifier_result")
    check_keys(harbor.recognise_job, dict(n_total_trials=1, stats={}), "n_total_trials", "stats")


# human-eval.

def test_human_eval(tmp_path):
    lines = [dict(task_id="h/0", passed=True, result="passed", completion="c"),
        dict(task_id="h/1", passed=False, result=""),
             dict(task_id="h/0", passed=False, result="failed", solution="s")]
    log = open_log(put(tmp_path / "x.jsonl", lines, True))
    assert take(human_eval.rows, log) == (
        "question=task_id, sample=order of appearance, correct=passed, answer=completion", [
            dict(question="h/0", sample=0, correct=True, answer="c"),
            dict(question="h/1", sample=0, correct=False, answer=None),
            dict(question="h/0", sample=1, correct=False, answer=None)], [])
    assert take(human_eval.program_rows, log, grade=grade) == (
        "question=task_id, sample=order of appearance, correct=grade, answer=completion or solution", [
            dict(question="h/0", sample=0, answer="c"), dict(question="h/1", sample=0, answer=None),
            dict(question="h/0", sample=1, answer="s")], [])
    assert fail(human_eval.program_rows, log) == (
        "x.jsonl holds programs that were not run; read the *_results.jsonl (human-eval) or *eval_results.json "
        "(evalplus) "
        "of their evaluation")
    check_keys(human_eval.recognise, lines[0], "task_id", "passed", "result")
    for name in "completion", "solution": check_keys(human_eval.recognise_programs, {"task_id": 1, name: ""},
        "task_id", name)
    assert not human_eval.recognise_programs(lines[0])


# tau-bench and tau2.

def test_tau_bench(tmp_path):
    trials = [dict(task_id=0, trial=0, reward=1., info=dict(error="x")),
        dict(task_id=0, trial=1, reward=1 - 1e-7, info=None),
              dict(task_id=1, trial=0, reward=.5)]
    log = open_log(put(tmp_path / "x.json", trials))
    rows = [dict(question=0, sample=0, correct=True, score=1., lost=True),
        dict(question=0, sample=1, correct=True, score=1 - 1e-7, lost=False),
            dict(question=1, sample=0, correct=False, score=.5, lost=False)]
    took = "question=task_id, sample=trial, correct=reward within 1e-6 of 1, score=reward"
    assert take(tau_bench.rows, log) == (took, rows, ["trials that ended in an error are missing"])
    assert take(tau_bench.rows, open_log(put(tmp_path / "y.json", trials[1:]))) == (took, rows[1:], [])
    check_keys(tau_bench.recognise, trials[0], "task_id", "reward", "trial")


def simulation(task, reward, **more):
    return dict(task_id=task, termination_reason="agent_stop", reward_info=None
        if reward is None else dict(reward=reward)) | more


def test_tau2(tmp_path):
    runs = [simulation("a", 1.), simulation("a", .5, trial=4), simulation("a", None),
            simulation("b", 1., termination_reason="infrastructure_error"),
            dict(task_id="b", termination_reason="x", reward=1., trial=0)]
    info = dict(agent_info=dict(llm="m", implementation="llm_agent"), environment_info=dict(domain_name="retail"))
    about = dict(model="m", task="retail")
    rows = [dict(question=q, sample=s, correct=c, score=r) for q, s, c, r in (
        ("a", 0, True, 1.), ("a", 4, False, .5), ("a", 2, None, None), ("b", 0, None, None), ("b", 0, True, 1.))]
    took, remark = "question=task_id, sample=trial, correct=reward within 1e-6 of 1, score=reward", [
        "simulations without a usable rollout are missing"] * 2
    want = took, [row | about for row in rows], remark
    assert take(tau2.rows, hold(dict(info=info, simulations=runs))) == want
    assert take(tau2.rows, hold(dict(info=info, simulation_index=runs))) == want
    def name(**agent): return take(tau2.rows, hold(dict(info=dict(agent_info=agent),
        simulations=runs[:1])))[1][0]["model"]
    assert (name(llm="m"), name(llm="m", implementation="solo"), name(implementation="solo"), name()) == ("m",
        "m (solo)", None, None)
    assert take(tau2.rows, hold(dict(simulations=runs[:1])))[1] == [rows[0] | dict(model=None, task=None)]
    for i, run in enumerate(runs): put(tmp_path / f"run/simulations/{i}.json", run)
    path = put(tmp_path / "run/results.json", dict(info=info, tasks=[]))
    assert take(tau2.rows, open_log(path)) == want
    part = open_log(tmp_path / "run/simulations/1.json")
    assert take(tau2.simulation_rows, part) == (took, [rows[1] | about], [])
    moved = open_log(put(tmp_path / "run/other/1.json", runs[0]))
    assert take(tau2.simulation_rows, moved)[1] == [rows[0] | dict(model=None, task=None)]
    alone = open_log(put(tmp_path / "alone/simulations/1.json", runs[0]))
    assert take(tau2.simulation_rows, alone)[1] == [rows[0] | dict(model=None, task=None)]
    assert fail(tau2.rows, hold(dict(info=info)), KeyError) == "'simulations'"
    check_keys(tau2.recognise, dict(simulations=[], info={}), "simulations", "info")
    check_keys(tau2.recognise, dict(info=dict(agent_info={}), tasks=[]), "info", "tasks")
    assert not tau2.recognise(dict(info={}, tasks=[]))
    check_keys(tau2.recognise_simulation, runs[0], "task_id", "termination_reason", "reward_info")


# HELM.

def stats(split, **values): return [dict(name=dict(name=name, split=split), mean=mean) for name, mean in values.items()]


def test_helm(tmp_path):
    lower = dict(name="lower", robustness=True, fairness=False, computed_on="perturbed", p=.5)
    def entry(id, trial, stats, **more): return dict(instance_id=id, train_trial_index=trial, stats=stats) | more
    lines = [entry("i1", 0, stats("test", exact_match=1, num_tokens=9)), entry("i1", 1, stats("test", exact_match=0)),
             entry("i2", 0, stats("valid", exact_match=.5, f1_score=.25)), entry("i1", 0, stats(None, f1_score=.75)),
             entry("i1", 0, stats("test", exact_match=0), perturbation=lower),
             entry("i3", 0, stats("test", f1_score=None))]
    path = put(tmp_path / "per_instance_stats.json", lines)
    took = "question=instance_id, sample=train_trial_index, {}, answer=prediction"
    def row(question, sample, task, score, answer=None, target=None, model=None):
        return dict(question=question, sample=sample, answer=answer, target=target, task=task, score=score, model=model)
    bare = [row("i1", 0, "test", 1.), row("i1", 1, "test", 0.), row("i2", 0, "valid", .5),
            row("i1", 0, "test/lower p=0.5", 0.), row("i3", 0, "test", None)]
    remark = ["every split and perturbation is a task of its own"]
    assert take(helm.rows, open_log(path)) == (took.format("score=exact_match"), bare, remark)
    assert [row["score"] for row in take(helm.rows, open_log(path), score="num_tokens")[1]] == [9., None, None, None,
        None]
    spec = dict(name="mmlu:subject=x,model=m_1,model_deployment=d,method=y", adapter_spec=dict(model="m/1"),
        groups=["other", "quac"])
    put(tmp_path / "run_spec.json", spec)
    put(tmp_path / "display_predictions.json", [
        dict(instance_id="i1", train_trial_index=0, predicted_text="raw", mapped_output="B"),
        dict(instance_id="i1", train_trial_index=1, predicted_text="text"),
        dict(instance_id="i1", train_trial_index=0, predicted_text="low", perturbation=lower)])
    wrong, right = dict(output=dict(text="w"), tags=[]), dict(output=dict(text="r"), tags=["correct"])
    put(tmp_path / "instances.json", [dict(id="i1", references=[wrong, right, right]),
        dict(id="i2", references=[wrong]),
                                      dict(id="i1", references=[right, wrong], perturbation=lower)])
    full = [row("i1", 0, "test", .75, "B", "r"), row("i1", 1, "test", None, "text", "r"), row("i2", 0, "valid", .25),
            row("i1", 0, "test/lower p=0.5", None, "low", "r"), row("i3", 0, "test", None)]
    run = "mmlu:subject=x,method=y/"
    assert take(helm.rows, open_log(path)) == (took.format("score=f1_score"), [
        one | dict(task=run + one["task"], model="m/1") for one in full], remark)
    anew = take(helm.rows, open_log(path), grade=grade)
    assert anew[0] == took.format("correct=grade") and "score" not in anew[1][0]
    one = open_log(put(tmp_path / "one/per_instance_stats.json", lines[:2]))
    put(tmp_path / "one/run_spec.json", dict(name="x:model=m", adapter_spec=None))
    assert take(helm.rows, one)[1:] == ([bare[0] | dict(task="x/test"), bare[1] | dict(task="x/test")], [])
    twice = open_log(put(tmp_path / "two/s.json", [lines[0], entry("i1", 0, stats("test", exact_match=0))]))
    assert fail(helm.rows, twice) == "need one exact_match for each instance and trial, got two for 'i1' in s.json"
    check_keys(helm.recognise, lines[0], "instance_id", "train_trial_index", "stats")
    assert not helm.recognise(lines[0] | dict(stats={}))


# inspect_ai.

def epoch(id, number, scores, **more):
    return dict(id=id, epoch=number, scores={name: dict(value=value, answer=f"a{id}") for name,
        value in scores.items()}) | more


def test_inspect():
    samples = [epoch(1, 1, dict(s="C"), target="t", output=dict(completion="c"), uuid="u", input="ask"),
               epoch(1, 2, dict(s=dict(x="P", y=None)), output=dict(choices=[dict(message=dict(content="text"))])),
               epoch(2, 1, dict(s="0.25"), error="x", output=dict(completion="", choices=[dict(message=dict(
                   content=[dict(text="a"), dict(type="image"), dict(text=None), dict(text="b")]))])),
               epoch(2, 2, dict(s=None), error="x", input=[dict(role="user", content="ask", id="7"),
               dict(content=["b"])]),
               epoch(3, 1, dict(s="I"), invalidation="x"), epoch(3, 2, {}) | dict(scores=None)]
    about = dict(task="t", model="m", task_id="r", task_version=0, dataset=dict(name="d"))
    log = hold(dict(version=2, status="success", eval=about, samples=samples))
    run = dict(model="m", task="t", run="r")
    def row(question, sample, score, answer=None, target=None, lost=False, uuid=None):
        return dict(question=question, sample=sample, score=score, answer=answer, target=target, lost=lost,
            uuid=uuid) | run
    took, ask = "question=id, sample=epoch, {}, answer={}", Ask(score="s")
    said, rows = inspect_ai.rows(log, ask)
    assert said == took.format("score=s", "answer of the scorer") and list(rows) == [
        row(1, 1, 1., "a1", "t", uuid="u"), row(1, 2, None), row(2, 1, .25, "a2"), row(2, 2, None, "a2", lost=True),
        row(3, 1, None, lost=True), row(3, 2, None)]
    # What was asked: 'ask', '["ask", ["b"]]'; nothing for the others.
    assert ask.versions["t"].startswith("version 0, dataset d, questions 2, hash ") and ask.notes == []
    assert [one["score"] for one in take(inspect_ai.rows, log, score="s/x")[1]] == [None, .5, None, None, None, None]
    said, rows, notes = take(inspect_ai.rows, log, grade=grade)
    assert said == took.format("correct=grade", "output")
    assert [(one["answer"], one["lost"]) for one in rows] == [
        ("c", False), ("text", False), ("ab", True), (None, True), (None, True), (None, False)]
    early = hold(log.head | dict(status="error", eval=dict(model="m"), samples=samples[:1]))
    ask = Ask()
    assert list(inspect_ai.rows(early, ask)[1]) == [row(1, 1, 1., "a1", "t", uuid="u") | dict(task=None, run=None)]
    assert ask.notes == ["the run ended with status 'error': samples may be absent"] and ask.versions == {}
    assert fail(inspect_ai.rows, hold(log.head | dict(samples=[])), NoOutcomes) == (
        "x.json holds no samples; run inspect with --log-samples")
    assert fail(inspect_ai.rows, hold(log.head | dict(samples=samples[5:])), NoOutcomes).startswith(
        "inspect stores no outcome per sample in x.json: the samples were not scored (`inspect score` adds scores); "
        "pass ")
    assert take(inspect_ai.rows, hold(log.head | dict(samples=samples[5:])), grade=grade)[1] == [row(3, 2, None)]
    check_keys(inspect_ai.recognise, log.head, "version", "status", "eval")
    assert not inspect_ai.recognise(log.head | dict(eval=[]))


@pytest.mark.parametrize("value, score", [
    ("C", 1.), ("P", .5), ("I", 0.), ("N", 0.), ("YES", 1.), ("True", 1.), ("false", 0.), ("no", 0.), ("-1.5", -1.5),
    (None, None), (True, 1.), (2, 2.), ("c", None), ("p", None), ("", None), ("CP", None), ([1], None)])
def test_inspect_values(value, score):
    log = hold(dict(version=2, status="success", eval={}, samples=[epoch(1, 1, dict(s=value))]))
    if score is not None or value is None:
        (row,) = take(inspect_ai.rows, log)[1]
        assert row["score"] == score and type(row["score"]) is type(score)
    elif isinstance(value, str):
        assert fail(inspect_ai.rows, log) == (
            "an inspect score must be C, P, I, N, yes, no, true, false or a number, "
            f"got {value!r}; pass score= another scorer, or grade=")
    else: assert fail(inspect_ai.rows, log) == f"an inspect score must be a number, got {value!r}"


# lm-evaluation-harness.

def line(doc, texts, kept, **more):
    return dict(doc_id=doc, target="4", filter="none", resps=[texts], filtered_resps=kept) | more


def write(tmp_path, name, *lines): return open_log(put(tmp_path / name, lines, True))


def test_lm_eval_texts(tmp_path):
    lines = [line(0, ["it is 4"], ["4"], em=1., metrics=["em"], doc_hash="h0"),
             line(0, ["it is 4"], ["it is 4"], em=0, filter="raw", metrics=["em"], doc_hash="h0"),
             line(1, ["?"], ["[invalid]"], em=0., metrics=["em"], target=None)]
    log = write(tmp_path, "samples_sums_2026-01-02T03-04-05.6.jsonl", *lines)
    ask = Ask(filter="none")
    took, rows = lm_eval.rows(log, ask)
    assert took == "question=doc_id, sample=repeat, score=em, filter=none, answer=filtered_resps" and list(rows) == [
        dict(question=0, sample=0, answer="4", graded="4", target="4", score=1., task="sums", judged=True),
        dict(question=1, sample=0, answer=None, graded="[invalid]", target=None, score=0., task="sums", judged=True)]
    assert ask.versions.keys() == {"sums"} and ask.versions["sums"].startswith("questions 1, hash ")
    assert [row["score"] for row in take(lm_eval.rows, log, filter="raw")[1]] == [0.]
    anew = take(lm_eval.rows, log, filter="raw", grade=grade)
    assert anew[0] == "question=doc_id, sample=repeat, correct=grade, filter=raw, answer=filtered_resps"
    assert anew[1] == [
        dict(question=0, sample=0, answer="it is 4", graded="it is 4", target="4", task="sums", judged=False)]
    assert fail(lm_eval.rows, log) == (f"{log.path.name} holds several filters; pass filter= one of 'none', 'raw'")
    renamed, ask = write(tmp_path, "mine.jsonl", line(0, ["4"], ["4"], em=1., other="x")), Ask()
    assert [row["task"] for row in lm_eval.rows(renamed, ask)[1]] == ["mine"] and ask.versions == {}
    hashed, ask = write(tmp_path, "theirs.jsonl", line(0, ["4"], ["4"], em=1., doc_hash="h")), Ask()
    assert list(lm_eval.rows(hashed, ask)[1])[0]["score"] == 1. and ask.versions.keys() == {"theirs"}
    check_keys(lm_eval.recognise, lines[0], "doc_id", "resps", "filtered_resps")


def test_lm_eval_repeats(tmp_path):
    few = [line(0, ["a", "b", "4"], ["4"], em=1., filter="maj"), line(0, ["a", "b", "4"], ["a"], em=0., filter="first")]
    log = write(tmp_path, "x.jsonl", *few)
    assert fail(lm_eval.rows, log, NoOutcomes).startswith(
        "lm-eval stores no outcome per sample in x.jsonl: 3 texts a question and one metric over them by each "
        "filter; pass ")
    took, rows, _ = take(lm_eval.rows, log, grade=grade)
    assert took.endswith("filter=maj, answer=resps") and [row["answer"] for row in rows] == ["a", "b", "4"]
    assert take(lm_eval.rows, log, grade=grade, filter="first")[0].endswith("filter=first, answer=resps")
    kept = few[:1] + [line(0, ["a", "b", "4"], [["x", "y", "[invalid]"]], em=0., filter="all")]
    assert fail(lm_eval.rows, write(tmp_path, "y.jsonl", *kept),
        grade=grade).startswith("y.jsonl holds several filters")
    took, rows, _ = take(lm_eval.rows, write(tmp_path, "y.jsonl", *kept), grade=grade, filter="all")
    assert took.endswith("answer=filtered_resps") and [(row["sample"], row["answer"], row["graded"])
        for row in rows] == [
        (0, "x", "x"), (1, "y", "y"), (2, None, "[invalid]")]


def test_lm_eval_metrics(tmp_path):
    one = line(0, ["4"], ["4"], em=1., f1=.5, text="x")
    def choose(more, **given): return take(lm_eval.rows, write(tmp_path, "m.jsonl", one | more),
        **given)[0].split(", ")[2]
    assert choose({}, score="f1") == "score=f1" and choose(dict(metrics=["f1", "text"])) == "score=f1"
    assert fail(lm_eval.rows,
        write(tmp_path, "m.jsonl", one)) == "m.jsonl holds several scores; pass score= one of 'em', 'f1'"
    assert fail(lm_eval.rows, write(tmp_path, "m.jsonl", one | dict(metrics=["text"])), NoOutcomes).startswith(
        "lm-eval stores no outcome per sample in m.jsonl: 'text' hold the material of a corpus metric, not a number "
        "per "
        "question; pass ")


def choice(doc, logprobs, target, asked, **more):
    return dict(doc_id=doc, target=target, filter="none", filtered_resps=[], arguments=asked,
                resps=[[[str(value), "False"]] for value in logprobs]) | more


def test_lm_eval_choices(tmp_path):
    asked = [["Q", " a"], ["Q", " b"], ["Q", " c"]]
    lines = [choice(0, [-3, -1, -2], 1, asked, acc=1., acc_norm=0.),
        choice(1, [-1, -3, -2], 2, asked, acc=0., acc_norm=1.)]
    log = write(tmp_path, "c.jsonl", *lines)
    for given in {}, dict(grade=TextGrade("exact")):
        took, rows, _ = take(lm_eval.rows, log, **given)
        assert took == "question=doc_id, sample=repeat, score=acc, filter=none, answer=likeliest choice"
        assert [(row["answer"], row["score"], row["target"], row["judged"]) for row in rows] == [
            ("b", 1., 1, True), ("a", 0., 2, True)]
    assert "correct=grade" in take(lm_eval.rows, log, grade=grade)[0]
    assert [row["score"] for row in take(lm_eval.rows, log, score="acc_norm")[1]] == [0., 1.]
    read = lm_eval.read_choices_of(0, lines[0])
    assert read == (0, [" a", " b", " c"], [-3., -1., -2.], None, 1, 1.)
    # One continuation and several contexts; a second half without context.
    contexts = choice(5, [-2, -1], "x", [["A", " z"], ["B", " z"]])
    assert lm_eval.read_choices_of(3, contexts) == (5, ["A", "B"], [-2., -1.], None, "x", None)
    halves = choice(6, [-2, -1, -4, -3], 0, {f"gen_args_{i}": dict(arg_0=c, arg_1=t) for i, (c, t) in enumerate(
        [("Q", " a"), ("Q", " b"), ("", " a"), ("", " b")])})
    assert lm_eval.read_choices_of(0, halves) == (6, [" a", " b"], [-2., -1.], [-4., -3.], 0, None)
    bare = choice(7, [-2, -1], 0, [["", " a"], ["", " b"]])
    assert lm_eval.read_choices_of(0, bare) == (7, [" a", " b"], [-2., -1.], None, 0, None)
    odd = choice(8, [-2, -1, -3], 0, [["Q", " a"], ["", " b"], ["", " c"]])
    assert lm_eval.read_choices_of(0, odd).texts == [" a", " b", " c"]
    mixed = choice(9, [-2, -1, -3, -4], 0, [["Q", " a"], ["Q", " b"], ["", " c"], ["Q", " d"]])
    assert lm_eval.read_choices_of(0, mixed).texts == [" a", " b", " c", " d"]
    with pytest.raises(ValueError, match="^lm-eval stored texts here, and no log-probabilities of choices$"):
        lm_eval.read_choices_of(0, line(0, ["a"], ["a"]))
    # A response of two that are no log-probability and flag is a text.
    for response in ["a", "b"], [-1, "True", 0], "True":
        with pytest.raises(ValueError, match="stored texts here"):
            lm_eval.read_choices_of(0, line(0, [response], ["a"]))


def test_lm_eval_rolling(tmp_path):
    for asked in [["whole text"]], {"gen_args_0": dict(arg_0="whole text")}:
        log = write(tmp_path, "r.jsonl", line(0, [-5.], [-5.], arguments=asked))
        assert fail(lm_eval.rows, log, NoOutcomes).startswith(
            "lm-eval stores no outcome per sample in r.jsonl: it holds the likelihood of whole texts, no answers; "
            "pass ")
    for asked in [], {}, None: take(lm_eval.rows, write(tmp_path, "r.jsonl",
        line(0, ["4"], ["4"], em=1., arguments=asked)))


# lighteval.

def detail(id, texts=(), metric=None, task="t|0", choices=None, gold=0, logprobs=(), processed=None, **response):
    doc = dict(id=id, task_name=task, query=f"ask {id}", choices=choices, gold_index=gold)
    answer = dict(text=list(texts), text_post_processed=processed, logprobs=list(logprobs)) | response
    return dict(doc=doc, model_response=answer, metric=metric or {})


def keep(*records):
    "What stands for a Parquet file with these rows."
    return SimpleNamespace(path=Path("d.parquet"), records=lambda columns=(): iter(records))


def test_lighteval_texts():
    log = keep(detail("7", ["x"], dict(em=1), choices=["x", "y"], gold=[0, 1]),
               detail(None, ["raw"], dict(em=0), processed=["done"], task="u|0"),
               detail("", [], dict(em=None), choices=[" a", " b "], gold=1, logprobs=[-2, -1, 0]))
    ask = Ask()
    took, rows = lighteval.rows(log, ask)
    assert took == "question=doc.id, sample=position, score=em, answer=text" and list(rows) == [
        dict(question="7", sample=0, answer="x", target=["x", "y"], task="t|0", score=1.),
        dict(question=1, sample=0, answer="done", target=None, task="u|0", score=0.),
        dict(question=2, sample=0, answer="b", target=" b ", task="t|0", score=None)]
    assert {task: told.partition(",")[0] for task, told in ask.versions.items()} == {"t|0": "questions 2",
        "u|0": "questions 1"}
    anew = take(lighteval.rows, log, grade=grade)
    assert anew[0] == "question=doc.id, sample=position, correct=grade, answer=text" and "score" not in anew[1][0]
    check_keys(lighteval.recognise, dict.fromkeys(lighteval.COLUMNS), *lighteval.COLUMNS)


@pytest.mark.parametrize("name, size", [("avg@n:n=4", 4), ("pass@k:k=1&n=4", 4)])
def test_lighteval_counts(name, size):
    log = keep(*(detail(id, "abcd", {"maj": 1, name: share}) for id,
        share in (("7", .75), ("", 0), (None, 1), ("8", .25002))))
    took, rows, notes = take(lighteval.rows, log)
    assert took == f"question=doc.id, sample=number, score={name}" and notes == [
        f"{name} times 4 is how many samples are right; which ones is not stored, so there are no answers"]
    assert rows == [dict(question=q, sample=s, score=float(s < right), task="t|0")
                    for q, right in (("7", 3), (1, 0), (2, 4), ("8", 1)) for s in range(size)]
    for share in .25004, -.25, 1.25:
        assert fail(lighteval.rows, keep(detail("", "abcd", {name: .5}), detail("", "abcd", {name: share})),
            NoOutcomes).startswith(
            f"lighteval stores no outcome per sample in d.parquet: {name} is {share:g} for question 1, no share of "
            f"4; pass ")


def test_lighteval_several_shares_and_none():
    both = {"pass@k:k=2&n=2": 1, "avg@n:n=2": .5, "pass@k:k=1&n=2": 0}
    assert "score=avg@n:n=2" in take(lighteval.rows, keep(detail("7", "ab", both)))[0]
    assert "score=pass@k:k=1&n=2" in take(lighteval.rows, keep(detail("7", "ab", both)), score="pass@k:k=1&n=2")[0]
    few = keep(detail("7", "a", {"maj@2": 1}), detail("8", "ab", {"maj@2": 1}))
    assert fail(lighteval.rows, few, NoOutcomes).startswith(
        "lighteval stores no outcome per sample in d.parquet: 2 texts a question and one 'maj@2' over them; pass ")
    rows = take(lighteval.rows, few, grade=grade)[1]
    assert [(row["question"], row["sample"], row["answer"]) for row in rows] == [("7", 0, "a"), ("8", 0, "a"),
        ("8", 1, "b")]


def test_lighteval_choices():
    texts = [" a", " b"]
    def read(place=3, **more): return lighteval.read_choices_of(place,
        detail(more.pop("id", "7"), choices=texts, **more))
    assert read(logprobs=[-1, -2], gold=[1]) == ("7", texts, [-1, -2], None, 1, None)
    assert read(id="", logprobs=[-1, -2, -3, -4], gold=0) == (3, texts, [-1, -2], [-3, -4], 0, None)
    assert read(logprobs=[-1, -2], gold=[0, 1], unconditioned_logprobs=[-5, -6]) == ("7", texts, [-1, -2], [-5, -6],
        [0, 1], None)
    with pytest.raises(ValueError,
        match="^lighteval stored texts here, and no log-probabilities of choices$"): read(logprobs=[-1])


# OpenAI evals.

SPEC = dict(spec=dict(completion_fns=["m", "n"], eval_name="e"))


def event(kind, id, **data): return dict(type=kind, sample_id=id, data=data)


def test_openai_evals(tmp_path):
    events = [event("match", "a", correct=True, expected="4", sampled="4", picked="x"), event("metrics", "a", f1=.5),
              event("sampling", "a", correct=False), event("match", "b", correct=False, picked="p"),
              event("metrics", "b", f1=0)]
    log = write(tmp_path, "x.jsonl", SPEC, *events, dict(final_report={}))
    took, run = "question=sample_id, one sample a run, {}, answer=sampled", dict(model="m,n", task="e")
    base = [dict(question="a", sample=0, target="4", answer="4") | run,
        dict(question="b", sample=0, target=None, answer="p") | run]
    assert take(openai_evals.rows, log) == (
        took.format("score=correct"), [base[0] | dict(score=1.), base[1] | dict(score=0.)], [])
    assert [row["score"] for row in take(openai_evals.rows, log, score="f1")[1]] == [.5, 0.]
    assert take(openai_evals.rows, log, grade=grade)[:2] == (took.format("correct=grade"), base)
    cut = write(tmp_path, "y.jsonl", SPEC, *events[1:2])
    assert take(openai_evals.rows, cut)[1:] == ([base[0] | dict(score=.5, target=None, answer=None)], [
        "the run has no final report: samples may be absent"])
    assert len(take(openai_evals.rows, cut, grade=grade)[1]) == 1
    twice = write(tmp_path, "z.jsonl", SPEC, *events[:1] * 3, *events[3:4] * 2)
    assert fail(openai_evals.rows, twice) == (
        "need one event per sample, got 3 of 'a' in z.jsonl (2 samples fail): they are parts of one sample; pass "
        "score= a "
        "name that stands once in each")
    none = write(tmp_path, "n.jsonl", SPEC, event("match", "a", correct="yes"), dict(final_report={}))
    assert fail(openai_evals.rows, none) == (
        "OpenAI evals stores an outcome in events of type match or metrics, got none with a number in n.jsonl: the "
        "final "
        "report alone holds no outcome per sample")
    assert take(openai_evals.rows, none, grade=grade)[2] == []
    check_keys(openai_evals.recognise, SPEC, "spec")
    check_keys(lambda spec: openai_evals.recognise(dict(spec=spec)), SPEC["spec"], "completion_fns", "eval_name")


# promptfoo.

def result(place, ask="a", prompt=0, **more):
    return dict(testIdx=place, promptIdx=prompt, provider="p", success=True, score=1,
        testCase=dict(vars=dict(x=ask))) | more


def test_promptfoo_results(tmp_path):
    records = [result(1, "b", response=dict(output="z"), success=False, score=.5), result(0, failureReason=2),
               result(0, prompt=1, provider=dict(id="i", label="l"), failureReason=1, response=None),
               result(1, "b", prompt=1, provider=dict(id="l", label=""))]
    took = "question=first testIdx of a test, sample=repetition, correct=success, answer=output"
    def row(question, model, correct=True, score=1, answer=None, lost=False):
        return dict(correct=correct, score=score, answer=answer, lost=lost, question=question, sample=0, model=model)
    want = [row(0, "p", lost=True), row(0, "l"), row(1, "p", False, .5, "z"), row(1, "l")]
    assert take(promptfoo.rows, hold(dict(results=dict(results=records, stats={})))) == (took, want, [])
    assert take(promptfoo.line_rows, write(tmp_path, "x.jsonl", *records)) == (took, want, [])
    both = [record | dict(provider="p") for record in records]
    models = [row["model"] for row in take(promptfoo.line_rows, write(tmp_path, "x.jsonl", *both))[1]]
    assert models == ["p with prompt 0", "p with prompt 1"] * 2
    bare = [result(i, testCase=None, vars=dict(x=i // 2)) for i in range(4)]
    rows = take(promptfoo.line_rows, write(tmp_path, "x.jsonl", *bare))[1]
    assert [(row["question"], row["sample"]) for row in rows] == [(0, 0), (0, 1), (2, 0), (2, 1)]
    order = [result(0, testCase=dict(vars=dict(x=1, y=2))), result(1, testCase=dict(vars=dict(y=2, x=1)))]
    assert [row["question"] for row in take(promptfoo.line_rows, write(tmp_path, "x.jsonl", *order))[1]] == [0, 0]
    check_keys(promptfoo.recognise, dict(results=dict(results=[], stats={})), "results")
    check_keys(lambda results: promptfoo.recognise(dict(results=results)), dict(results=[], stats={}), "results",
        "stats")
    check_keys(promptfoo.recognise_lines, records[0], "testIdx", "promptIdx", "provider", "success", "testCase")


@pytest.mark.parametrize("tests, questions", [
    ("aaabbbaaa", [0, 0, 0, 3, 3, 3, 6, 6, 6]), ("abc", [0, 1, 2]), ("aab", [0, 0, 2]), ("aaaa", [0] * 4), ("a", [0]),
    ("ababcdcd", [0, 1, 0, 1, 4, 5, 4, 5]), ("aabb", [0, 0, 2, 2]), ("abab", [0, 1, 0, 1]), ("aabbb", [0, 0, 2, 2, 2]),
    ("aaba", [0, 0, 2, 0]), ("abba", [0, 1, 1, 0]), ("aabaab", [0, 0, 2, 0, 0, 2]), ("abcabc", [0, 1, 2, 0, 1, 2]),
    ("abaacc", [0, 1, 0, 0, 4, 4]), ("ababab", [0, 1] * 3), ("aabbaabb", [0, 0, 2, 2, 4, 4, 6, 6]),
    ("abcd", [0, 1, 2, 3])])
def test_promptfoo_questions(tests, questions, tmp_path):
    "Two equal tests that stand apart are two questions where all tests are repeated as often."
    for first in 0, 10:
        log = write(tmp_path, "x.jsonl", *(result(first + place, ask) for place, ask in enumerate(tests)))
        rows = take(promptfoo.line_rows, log)[1]
        assert [row["question"] - first for row in rows] == questions
        assert [row["sample"] for row in rows] == [questions[:i].count(q) for i, q in enumerate(questions)]


def test_promptfoo_tables(tmp_path):
    head = ["x", "[m1] say] it", "Status", "Score", "Named", "[m2] do", "Status", "Score", "[m3] last"]
    lines = [head, ["1", "out", "PASS", "1", "", "no", "FAIL", "0", ""],
        ["1", "b", "ERROR", "0", "", "c", "PASS", "1", ""]]
    path = tmp_path / "x.csv"
    with open(path, "w", newline="") as file: csv.writer(file).writerows(lines)
    def row(sample, model, correct, answer, lost=False):
        return dict(correct=correct, answer=answer, lost=lost, question=0, sample=sample, model=model)
    assert take(promptfoo.table_rows, open_log(path))[1] == [
        row(0, "m1", True, "out"), row(0, "m2", False, "no"), row(1, "m1", False, "b", True), row(1, "m2", True, "c")]
    for columns, want in ((head, True), (head[1:4], True), (head[:3], False), (["m1", "Status", "Score"], False),
                          (["[m", "Score", "Status"], False), ([], False), (None, False), ("[m", False)):
        assert promptfoo.recognise_table(columns) is want


def test_promptfoo_results_in_two_formats():
    def make(name, *records): return hold(dict(results=dict(results=records, stats={})), f"/x/{name}")
    ask, one = Ask(), [result(0), result(1, "b", success=False)]
    def count(log): return len(list(promptfoo.rows(log, ask)[1]))
    assert count(make("a.json", *one)) == 2 and count(make("a.csv", *one[::-1])) == 0
    assert ask.notes == ["a.csv holds the same results and was left out"]
    assert count(make("a.csv", one[0], one[1] | dict(success=True))) == count(make("b.json", *one)) == 2
    for change in dict(failureReason=2), dict(promptIdx=3), dict(testIdx=4):
        assert count(make("a.json", one[0], one[1] | change)) == 2
    assert count(make("a.json", one[0], one[1] | dict(score=9))) == 0 and len(ask.notes) == 2


# simple-evals.

def page(score, answer="None", target="None"):
    return f"<p>Score: 0</p><p>Correct Answer: {target}</p>\n<p>Extracted Answer: {answer}</p>\n<p>Score: {score}</p>"


def talk(asked, *replies):
    return [dict(role="user", content=asked), *(dict(role="assistant", content=reply) for reply in replies)]


def test_simple_evals():
    pages = [page(1.0, "A", "B"), page("False", "x &lt; y"), page("True", "C"), page("0.25")]
    convos = [talk("Q1\nA) one\nB) two\n"), talk("Q2"), talk("Q1\nB) one\nA) two"), talk("\n Q2 ", "r")]
    run = dict(score=.5625, metrics={}, htmls=pages, convos=convos)
    took, rows, notes = take(simple_evals.rows, hold(run, "/x/gpqa_my_model_20260102_030405_DEBUG_allresults.json"))
    assert took == ("question=position in the period of the prompts, sample=repeat, score=Score on the page, "
                    "answer=Extracted Answer")
    def row(question, sample, score, answer, target):
        return dict(score=score, answer=answer, target=target, task="gpqa", model="my_model", question=question,
            sample=sample)
    assert rows == [row(0, 0, 1., "one", "two"), row(1, 0, 0., "x < y", None), row(0, 1, 1., "C", None),
                    row(1, 1, .25, None, None)] and notes == []
    moved = take(simple_evals.rows, hold(run))[1]
    assert {(row["task"], row["model"]) for row in moved} == {("x", None)}
    check_keys(simple_evals.recognise, run, "score", "metrics", "htmls", "convos")


def test_simple_evals_of_programs():
    pages = [page(.5, "[0, 1]"), page(1, "[1, 1]"), page(.5, "[1, 0]"), page(1, "[1, 1]")]
    convos = [talk("p", "r1", "r2"), talk("q", "r1", "r2")] * 2
    def make(**change): return hold(dict(score=.75, metrics={}, htmls=pages, convos=convos) | change)
    rows = take(simple_evals.rows, make())[1]
    assert [(row["question"], row["sample"], row["score"]) for row in rows] == [
        (0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1), (0, 2, 1), (0, 3, 0), (1, 2, 1), (1, 3, 1)]
    single = take(simple_evals.rows, make(convos=[talk("p", "r"), talk("q", "r")] * 2))[1]
    assert [(row["score"], row["answer"]) for row in single] == [(.5, "[0, 1]"), (1., "[1, 1]"), (.5, "[1, 0]"),
        (1., "[1, 1]")]
    words = take(simple_evals.rows, make(htmls=[page(.75, "[2, 1]")] * 4))[1]
    assert [row["answer"] for row in words] == ["[2, 1]"] * 4


def test_simple_evals_that_are_refused():
    def make(score, *scores):
        return hold(dict(score=score, metrics={}, htmls=[page(s) for s in scores], convos=[talk("q")] * len(scores)))
    for stored, scores in (0, (-1, .5)), (-.25, (-1, .5)), (1, (2, 3)), (.5, (1, 0)), (.7, ()):
        assert len(take(simple_evals.rows, make(stored, *scores))[1]) == len(scores)
    assert fail(simple_evals.rows, make(.5, 1, 1, 0)) == (
        "the scores on the pages of x.json have the mean 0.666667, but the run stored 0.5: they are not its outcomes")
    assert "the run stored None: " in fail(simple_evals.rows, make(None, 0))
    for html in "", None, "<p>Score: None</p>":
        assert fail(simple_evals.rows, hold(dict(score=0, metrics={}, htmls=[html], convos=[talk("q")]))) == (
            "simple-evals stores a score on the page of each example, got None on one of x.json")
    assert fail(simple_evals.rows, hold(dict(score=0, metrics={}, htmls=[""], convos=[]))) == (
        "need a page and a conversation for each example, got 1 and 0 in x.json")
    assert fail(simple_evals.refuse_means, hold({})) == (
        "simple-evals stores only means in x.json; pass the file of the same run whose name ends in _allresults.json")
    for name in "score:std", "score:bootstrap_std": check_keys(simple_evals.recognise_means, {"score": 1, name: 2},
        "score", name)


# SWE-bench.

def test_swe_bench_reports():
    report = dict(submitted_ids=["a", "b", "c", "d", "e"], incomplete_ids=["f"], unresolved_ids=["b"],
        empty_patch_ids=["c", "d"],
                  resolved_ids=["a", "c"], error_ids=["e"], infra_failure_ids=["b"])
    took = "question=instance, sample=run, correct=resolved, model and run=file name"
    def rows(model, **outcomes): return [dict(question=q, sample=0, model=model, correct=o) for q,
        o in outcomes.items()]
    full = rows("my.model", a=True, b=False, c=True, d=False, e=None, f=None)
    ask = Ask()
    said, found = swe_bench.rows(hold(report, "/x/my.model.run1.json"), ask)
    assert (said, list(found)) == (took, full) and ask.notes == [
        "instances that were not submitted or ended in an error are missing", "empty patches are wrong",
        "likely infrastructure failures count as the harness counts them"]
    assert ask.seen == {(("my.model", "run1"), row["question"]): (row["correct"], Path("/x/my.model.run1.json"))
        for row in full}
    again = dict(submitted_ids=["a", "g"], resolved_ids=["a", "g"])
    assert list(swe_bench.rows(hold(again, "/y/my.model.run1.json"), ask)[1]) == rows("my.model", g=True)
    assert ask.notes[3:] == ["instances in several reports of one run count once"]
    assert list(swe_bench.rows(hold(again, "/y/my.model.run2.json"), ask)[1]) == rows("my.model", a=True, g=True)
    with pytest.raises(ValueError) as error:
        list(swe_bench.rows(hold(dict(submitted_ids=[], resolved_ids=[], unresolved_ids=["a"]),
            "/z/my.model.run1.json"), ask)[1])
    assert str(error.value) == ("an instance must have one outcome in a run, got True and False for 'a' in "
                                "my.model.run1.json and my.model.run1.json; leave the older one out")
    assert take(swe_bench.rows, hold(again, "/y/alone.json"))[1:] == (rows("alone", a=True, g=True), [])
    check_keys(swe_bench.recognise, report, "submitted_ids", "resolved_ids")


def test_swe_bench_instances():
    def report(resolved): return dict(patch_successfully_applied=True, resolved=resolved)
    head = {"x-1": report(True), "x-2": report(False)}
    for path, model, name in (("/a/run/model/x-1/report.json", "model", "run"),
        ("/a/model/logs/x-1/report.json", "model", ""),
                              ("/a/run/model/other/report.json", None, "/a/run/model/other/report.json"),
                              ("/x-1/report.json", None, "/x-1/report.json"), ("/m/x-1/r.json", "m", "")):
        ask = Ask()
        took, rows = swe_bench.instance_rows(hold(head, path), ask)
        assert took == "question=instance, sample=run, correct=resolved, model and run=folders"
        assert list(rows) == [dict(question="x-1", sample=0, model=model, correct=True),
                              dict(question="x-2", sample=0, model=model, correct=False)]
        assert ask.notes == ["instances without any report are not counted"] and {run for run,
            _ in ask.seen} == {(model, name)}
    check_keys(swe_bench.recognise_instance, head)
    check_keys(lambda one: swe_bench.recognise_instance(dict(x=one)), report(True), "patch_successfully_applied",
        "resolved")
    assert not swe_bench.recognise_instance(head | dict(y={}))


# terminal-bench.

def attempt(task, name, resolved=True, **more):
    return dict(task_id=task, trial_name=name, is_resolved=resolved, instruction=f"do {task}") | more


def test_terminal_bench(tmp_path):
    trials = [attempt("a", "a.1", id=1), attempt("a", "a.2", False, id=2), attempt("b", "b.1", None),
        attempt("a", "a.1", id=1)]
    path = put(tmp_path / "run/results.json", dict(results=trials, n_resolved=1))
    took = "question=task_id, sample=order of appearance, correct=is_resolved"
    def rows(model, task, *samples): return [dict(model=model, task=task, question=q, sample=s, correct=c) for q, s,
        c in samples]
    trio = ("a", 0, True), ("a", 1, False), ("b", 0, None)
    remarks = ["trials without an outcome are missing", "trials in several files count once"]
    assert take(terminal_bench.rows, open_log(path)) == (took, rows(None, None, *trio), remarks)
    for about, model, task in (
            (dict(agent_name="agent", model_name="llm", dataset_name="set", dataset_version="1"), "agent llm", "set@1"),
            (dict(model_name="llm", dataset_name="set"), "llm", "set"), (dict(dataset_path="/x/own"), None, "own"),
            (dict(agent_name="agent", dataset_path="/x/own", dataset_name="set"), "agent", "set")):
        put(tmp_path / "run/run_metadata.json", about)
        assert take(terminal_bench.rows, open_log(path))[1] == rows(model, task, *trio)
    put(tmp_path / "run/run_metadata.json", dict(agent_name="agent", model_name="llm"))
    part = open_log(put(tmp_path / "run/a/a.1/results.json", trials[0]))
    ask = Ask(several=True)
    assert list(terminal_bench.rows(part, ask)[1]) == rows("agent llm", None, trio[0])
    assert list(terminal_bench.rows(open_log(path), ask)[1]) == rows("agent llm", None, trio[1], trio[2])
    moved = open_log(put(tmp_path / "run/a/other/results.json", trials[0]))
    assert take(terminal_bench.rows, moved)[1] == rows(None, None, trio[0])
    check_keys(terminal_bench.recognise, dict(results=[], n_resolved=0), "results", "n_resolved")
    check_keys(terminal_bench.recognise, trials[0], "trial_name", "task_id", "is_resolved")


def test_terminal_bench_runs_that_nobody_names(tmp_path):
    def lay(name, *trials): return open_log(put(tmp_path / name / "results.json", dict(results=trials, n_resolved=0)))
    one, two, far = lay("x/1", attempt("a", "a.1")), lay("x/2", attempt("a", "a.1")), lay("y/1", attempt("a", "a.1"))
    ask = Ask(several=True)
    assert len(list(terminal_bench.rows(one, ask)[1])) == len(list(terminal_bench.rows(two, ask)[1])) == 1
    assert ask.notes == ["runs that name no model are taken for one"] * 2
    with pytest.raises(ValueError) as error: terminal_bench.rows(far, ask)
    assert str(error.value) == ("runs of one model must lie in one folder where run_metadata.json names no model, "
                                "got 'x' and "
                                "'y'; read them apart")
    alone = Ask()
    for log in one, far: assert len(list(terminal_bench.rows(log, alone)[1])) == 1
    assert alone.notes == []
    put(tmp_path / "y/1/run_metadata.json", dict(agent_name="other"))
    assert len(list(terminal_bench.rows(far, ask)[1])) == 1
    odd = lay("x/3", attempt("a", "a.3", instruction="else"))
    with pytest.raises(ValueError) as error: list(terminal_bench.rows(odd, ask)[1])
    assert str(error.value) == ("a task must have one instruction, got two of 'a' in results.json and results.json; "
                                "read runs on "
                                "different data sets apart")


# verifiers and verl.

def test_verifiers(tmp_path):
    lines = [dict(example_id=3, id="9", prompt=[], completion=[dict(content="x"), dict(content="last")], reward=1,
        answer="t",
                  error=None, extra=.5, total_ms=7),
             dict(example_id=3, prompt="p", completion="text", reward=.5, error="x", extra=None),
             dict(example_id=4, prompt="p", completion=[], reward=0, extra=1),
             dict(example_id=4, prompt="", completion=[dict(content="")], reward=0, extra=0)]
    log = write(tmp_path, "results.jsonl", *lines)
    took = "question={}, sample=order of appearance, {}, answer=last message of completion"
    def row(question, sample, answer, score, target=None, lost=False, model=None, task=None):
        return dict(question=question, sample=sample, answer=answer, target=target, lost=lost, score=score,
            model=model, task=task)
    assert take(verifiers.rows, log) == (took.format("example_id", "score=reward"), [
        row(3, 0, "last", 1., "t"), row(3, 1, "text", .5, lost=True), row(4, 0, None, 0.), row(4, 1, None, 0.)], [])
    put(tmp_path / "metadata.json", dict(model="m", env="e"))
    took_of, rows, _ = take(verifiers.rows, log, score="extra")
    assert took_of == took.format("example_id", "score=extra")
    assert [(row["score"], row["model"], row["task"]) for row in rows] == [(s, "m", "e") for s in (.5, None, 1., 0.)]
    put(tmp_path / "metadata.json", dict(model="m", env="e", env_id="i"))
    by_id = write(tmp_path, "other.jsonl", dict(id=9, prompt="", completion="c", reward=1))
    assert take(verifiers.rows, by_id)[:2] == (took.format("id", "score=reward"),
        [row(9, 0, "c", 1., model="m", task="i")])
    anew = take(verifiers.rows, log, grade=grade)
    assert anew[0] == took.format("example_id", "correct=grade") and "score" not in anew[1][0]
    with pytest.raises(ValueError,
        match="score must be one of 'reward', 'extra', got 'total_ms'"): verifiers.rows(log, Ask(score="total_ms"))
    for key in "id", "example_id":
        check_keys(verifiers.recognise, {"reward": 1, "completion": "", "prompt": "", key: 0}, "reward", "completion",
            "prompt", key)


def trace(reward=1., agent="agent", idx=3, **more):
    rewards = {} if reward is None else dict(right=dict(score=reward, weight=.5), form=dict(score=1., weight=.25),
        later=None)
    return dict(task=dict(data=dict(idx=idx, answer="t")), agent=dict(name=agent, config=dict(model="m")), ok=True,
        rewards=rewards,
                nodes=[dict(message=dict(content="no")), dict(message=dict(content="said"), sampled=True),
                       dict(message=dict(content="tool"))], metrics=dict(turns=2)) | more


def episode(*traces, idx=3, **more):
    return dict(task=dict(data=dict(idx=idx), key="hash"), env=dict(id="e"), traces=list(traces), ok=True) | more


def test_verifiers_traces(tmp_path):
    quiet = dict(name="judge", trainable=False, config={})
    lines = [episode(trace(), trace(0, agent=quiet["name"]) | dict(agent=quiet)), episode(idx=3),
        episode(trace(0, ok=False, root_reply="root")),
             episode(trace(None, metrics=None, nodes=[]), idx=None, env=None),
             episode(trace(.5, nodes=[dict(message=dict(content=["part"]), sampled=True)]), idx=4)]
    log = write(tmp_path, "traces.jsonl", *lines)
    took, rows, notes = take(verifiers_traces.rows, log)
    assert took == "question=task idx, sample=order of appearance, score=reward, answer=last message of the agent"
    assert notes == ["rollouts that are not ok are missing"]
    kept = [{k: row.get(k) for k in ("question", "sample", "task", "model", "answer", "target", "lost", "score",
        "agent")} for row in rows]
    def row(question, sample, score, answer=None, lost=False, task="e", target="t", agent="agent"):
        return dict(question=question, sample=sample, task=task, model="m", answer=answer, target=target, lost=lost,
            score=score, agent=agent)
    assert kept == [row(3, 0, .75, "said"), row(3, 0, None, lost=True, target=None, agent=None),
        row(3, 1, None, "root", True),
                    row("hash", 0, None, None, True, None), row(4, 0, .5)]
    assert [row["score"] for row in take(verifiers_traces.rows, log, score="right")[1]] == [1., None, None, None, .5]
    assert [row["score"] for row in take(verifiers_traces.rows, log, score="turns")[1]] == [2., None, None, None, 2.]
    anew = take(verifiers_traces.rows, log, grade=grade)[1]
    assert [(row["lost"], "score" in row) for row in anew] == [(False, False), (True, True), (True, True),
        (False, False), (False, False)]
    whole = take(verifiers_traces.rows, write(tmp_path, "x.jsonl", episode(trace(1)), episode(trace(0) | dict(
        agent=dict(name="agent", config=dict(model="n"))))))
    assert whole[2] == [] and [(row["model"], row["sample"]) for row in whole[1]] == [("m", 0), ("n", 0)]
    check_keys(verifiers_traces.recognise, lines[0], "task", "traces", "ok")
    assert not verifiers_traces.recognise(lines[0] | dict(traces={}))


def test_verifiers_traces_of_several_agents(tmp_path):
    quiet = trace(0) | dict(agent=dict(name="judge", trainable=False, config=dict(model="j")))
    alone = take(verifiers_traces.rows, write(tmp_path, "x.jsonl", episode(quiet)))[1]
    assert [(row["agent"], row["score"]) for row in alone] == [("judge", .25)]
    log = write(tmp_path, "y.jsonl", episode(trace(1, "a"), trace(0, "b")), episode())
    assert fail(verifiers_traces.rows, log) == "y.jsonl holds several filters; pass filter= one of 'a', 'b'"
    rows = take(verifiers_traces.rows, log, filter="b")[1]
    assert [(row["agent"], row["score"], row["lost"]) for row in rows] == [("b", .25, False), (None, None, True)]


def test_verl(tmp_path):
    lines = [dict(input="q", output="o", score=.5, acc=True, step=5, gts="g", pred="p"),
        dict(input="q", output="o", score=1, acc=False, step=5),
             dict(input="q", output="x", score=0, acc=1, step=6)]
    log = write(tmp_path, "5.jsonl", *lines)
    took = "question=input (one wording, one question), sample=order of appearance, {}, answer={}"
    def row(sample, answer, step, score, target=None):
        return dict(question="q", sample=sample, target=target, answer=answer, model=f"step {step}", score=score)
    assert take(verl.rows, log) == (took.format("score=acc", "pred"), [
        row(0, "p", 5, 1., "g"), row(1, "o", 5, 0.), row(0, "x", 6, 1.)], [])
    assert [row["score"] for row in take(verl.rows, log, score="score")[1]] == [.5, 1., 0.]
    with pytest.raises(ValueError, match="score must be one of 'score', 'acc', got 'step'"): verl.rows(log,
        Ask(score="step"))
    bare = write(tmp_path, "6.jsonl", dict(input="q", output="o", score=1))
    assert take(verl.rows, bare) == (took.format("score=score", "output"), [
        dict(question="q", sample=0, target=None, answer="o", score=1.)], [])
    assert take(verl.rows, bare, grade=grade)[0] == took.format("correct=grade", "output")
    check_keys(verl.recognise, lines[0], "input", "output", "score")
