"""Metrics inside other harnesses: real small runs of the installed packages, and the logs they
leave."""

import asyncio
import importlib.metadata
import json
import logging
import math
import random
from pathlib import Path

import pytest

from sampling_eval import score
from sampling_eval.bridges.lm_eval import at_k, keep_all, question_values
from sampling_eval.bridges import warn_once

QUESTIONS, EPOCHS = 6, 8
NAMES = ["pass@4", "pass^4", "cons@4", "maj@4"]
GROUPS = {f"q{i}": i // 2 for i in range(QUESTIONS)}


@pytest.fixture(autouse=True)
def fresh_warnings():
    warn_once.cache_clear()


def take(report, name):
    "What a report says of a metric, in the order a harness gets it."
    row = report[name]
    return [row.estimate, row.stderr, row.low, row.high]


# inspect_ai


@pytest.fixture(scope="module")
def inspect():
    "The bridge, where inspect_ai is installed."
    pytest.importorskip("inspect_ai")
    from sampling_eval.bridges import inspect_ai

    return inspect_ai


@pytest.mark.parametrize("needed", [0, -1, True, 1.5, "2"])
def test_a_question_needs_a_right_sample_at_least(inspect, needed):
    assert inspect.StopWhenSettled(1).needed == 1
    with pytest.raises(ValueError, match="needed must be a whole number of at least 1"):
        inspect.StopWhenSettled(needed)


@pytest.fixture(scope="module")
def evaluate(inspect, tmp_path_factory):
    "A function that runs a task of sums with a model that answers at random; its log out."
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match

    def answer(i, rng):
        output = ModelOutput.from_content("mockllm/model", str(2 * i + rng.choice([0, 0, 0, 1, 3])))
        # Without numbers of tokens the mock model asks the network for a tokenizer.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    def run(scorer=None, epochs=EPOCHS, **given):
        rng = random.Random(0)
        outputs = [answer(i, rng) for _ in range(EPOCHS) for i in range(QUESTIONS)]
        model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
        samples = [
            Sample(
                id=f"q{i}",
                input=f"What is {i}+{i}?",
                target=str(2 * i),
                metadata=dict(passage=i // 2),
            )
            for i in range(QUESTIONS)
        ]
        task = Task(samples, scorer=scorer or match(numeric=True), epochs=epochs, **given)
        [log] = eval(
            task,
            model=model,
            log_dir=str(tmp_path_factory.mktemp("logs")),
            display="none",
            max_connections=1,
        )
        assert log.status == "success", log.error
        return log

    return run


@pytest.fixture(scope="module")
def run(inspect, evaluate):
    "A run with every reducer and the metric, without and with groups."
    from inspect_ai import Epochs
    from inspect_ai.scorer import accuracy, pass_at, pass_k, stderr

    reducers = [
        inspect.pass_at_k(4),
        inspect.pass_hat_k(4),
        inspect.cons_at_k(4),
        inspect.maj_at_k(4),
        pass_at(4),
        pass_k(4),
    ]
    metrics = [accuracy(), stderr(), inspect.estimate([*NAMES, "avg@n"], confidence_level=0.9)]
    return evaluate(epochs=Epochs(EPOCHS, reducers), metrics=metrics)


@pytest.fixture(scope="module")
def report(run):
    return score(run.location, [*NAMES, "avg@n"], confidence_level=0.9)


def test_reducers_give_the_numbers_of_the_log(run, report):
    "Those of the package, and then inspect_ai's own, which this package says are the same."
    reduced = [o for o in run.results.scores if o.reducer]
    named = ["pass_at_k_4", "pass_hat_k_4", "cons_at_k_4", "maj_at_k_4", "pass_at_4", "pass_k_4"]
    assert [o.reducer.rpartition("/")[2] for o in reduced] == named
    for name, found in zip([*NAMES, "pass@4", "pass^4"], reduced, strict=True):
        values = [found.metrics["accuracy"].value, found.metrics["stderr"].value]
        assert values == pytest.approx(take(report, name)[:2], rel=1e-12)


def test_the_value_of_each_question_is_that_of_the_log(run, report):
    for name, reduction in zip([*NAMES, "pass@4", "pass^4"], run.reductions, strict=True):
        found = {o.sample_id: o.value for o in reduction.samples}
        own = dict(zip(report.questions["question"].tolist(), report.questions[name].tolist()))
        assert found == pytest.approx(own, rel=1e-12)


def test_the_metric_gives_estimate_error_and_interval(run, report):
    [found] = [o for o in run.results.scores if not o.reducer]
    for name in [*NAMES, "avg@8"]:
        keys = [name, f"{name}_stderr", f"{name}_low", f"{name}_high"]
        assert [found.metrics[key].value for key in keys] == pytest.approx(
            take(report, name), rel=1e-12
        )
    assert len(found.metrics) == 20 and found.metrics["pass@4"].group.endswith("estimate")


def test_groups(inspect, evaluate):
    "The error over groups is inspect_ai's own, and that of the log."
    from inspect_ai import Epochs
    from inspect_ai.scorer import stderr

    metrics = [stderr(cluster="passage"), inspect.estimate("cons@4", cluster="passage")]
    log = evaluate(epochs=Epochs(EPOCHS, inspect.cons_at_k(4)), metrics=metrics)
    reduced, whole = log.results.scores
    error = score(log.location, "cons@4", cluster=GROUPS)["cons@4"].stderr
    assert reduced.metrics["stderr"].value == pytest.approx(error, rel=1e-12)
    assert whole.metrics["cons@4_stderr"].value == pytest.approx(error, rel=1e-12)
    assert set(whole.metrics) == {"cons@4", "cons@4_stderr"}


def test_a_group_that_is_not_there(inspect, evaluate, caplog):
    log = evaluate(metrics=[inspect.estimate("pass@4", cluster="chapter")])
    assert math.isnan(log.results.scores[0].metrics["pass@4"].value)
    assert "pass@4: " in caplog.text


def some_unscored(inspect):
    "A scorer that fails at the last two epochs of question q1."
    from inspect_ai.scorer import Score, scorer

    @scorer(metrics=[])
    def judge():
        async def rate(state, target):
            if state.sample_id == "q1" and state.epoch > 6:
                return Score.unscored()
            said = state.output.completion
            return Score(value="C" if said == target.text else "I", answer=said)

        return rate

    return judge()


def test_samples_without_a_score(inspect, evaluate, caplog):
    from inspect_ai import Epochs
    from inspect_ai.scorer import mean

    absent = dict(missing="wrong", samples_per_question=EPOCHS)
    metrics = [
        mean(),
        inspect.estimate("pass@8"),
        inspect.estimate("pass@8", **absent),
        inspect.estimate("pass@4"),
    ]
    log = evaluate(
        scorer=some_unscored(inspect),
        epochs=Epochs(EPOCHS, [inspect.pass_at_k(8), inspect.pass_at_k(4)]),
        metrics=metrics,
    )
    eight, four = (dict((o.sample_id, o.value) for o in part.samples) for part in log.reductions)
    assert math.isnan(eight["q1"]) and not any(math.isnan(v) for o, v in eight.items() if o != "q1")
    assert not any(map(math.isnan, four.values()))
    values = {name: o.value for name, o in log.results.scores[-1].metrics.items()}
    assert (
        math.isnan(values["pass@8"]) and "sampling_eval" not in caplog.text
    ), "as inspect_ai's own reducers"
    told = score(log.location, "pass@8", missing="wrong")
    assert values["pass@82"] == pytest.approx(told["pass@8"].estimate, rel=1e-12)
    told = score(log.location, "pass@4", missing="drop")
    assert [values["pass@4"], values["pass@4_stderr"]] == pytest.approx(
        take(told, "pass@4")[:2], rel=1e-12
    )


def several_values(inspect):
    "A scorer with two values for each sample."
    from inspect_ai.scorer import Score, scorer

    @scorer(metrics=[])
    def judge():
        async def rate(state, target):
            right = state.output.completion == target.text
            return Score(
                value=dict(right=right, short=float(len(state.output.completion) < 2)),
                answer=state.output.completion,
            )

        return rate

    return judge()


def test_scores_with_several_values(inspect, evaluate):
    from inspect_ai import Epochs
    from inspect_ai.scorer import mean

    log = evaluate(
        scorer=several_values(inspect),
        epochs=Epochs(EPOCHS, [inspect.pass_hat_k(2)]),
        metrics={"*": [mean(), inspect.estimate("pass^2")]},
    )
    for key in ("right", "short"):
        row = score(log.location, "pass^2", score=f"judge/{key}")["pass^2"]
        reduced, whole = [o.metrics for o in log.results.scores if o.name == key]
        assert reduced["mean"].value == pytest.approx(row.estimate, rel=1e-12)
        found = {o.name: o.value for o in whole.values()}
        assert found == pytest.approx(
            {"pass^2": row.estimate, "pass^2_stderr": row.stderr}, rel=1e-12
        )


def test_one_list_of_values(inspect):
    from inspect_ai.scorer import Score

    found = inspect.pass_at_k(1)(
        [Score(value=[1, 0]), Score(value=[1, 1]), Score(value=float("nan"))]
    )
    assert found.value == [1, 0.5]
    assert math.isnan(inspect.pass_at_k(1)([Score(value=float("nan"))]).value)


def test_a_sample_is_right_at_the_value(inspect):
    from inspect_ai.scorer import Score

    scores = [Score(value=o) for o in ("C", "P", "I", 0.75)]
    assert inspect.pass_at_k(1)(scores).value == 0.25
    assert inspect.pass_at_k(1, value=0.5)(scores).value == 0.75


def test_votes_need_answers_that_can_be_counted(inspect, caplog):
    from inspect_ai.scorer import Score

    scores = [
        Score(value="C", answer="1.0"),
        Score(value="C", answer="1"),
        Score(value="I", answer=None),
    ]
    assert math.isnan(inspect.maj_at_k(3)(scores).value)
    assert "maj@3: samples without an answer need a rule" in caplog.text
    assert inspect.maj_at_k(3, no_answer="vote")(scores).value == pytest.approx(2 / 3)
    assert inspect.maj_at_k(3, no_answer="vote", normalize="number")(scores).value == 1


def test_what_is_agreed_on_is_kept(inspect):
    from inspect_ai.scorer import Score

    one = inspect.pass_at_k(1)(
        [Score(value=1, answer="a", explanation="x"), Score(value=0, answer="a", explanation="y")]
    )
    assert (one.answer, one.explanation) == ("a", None)


def test_names_are_checked_before_the_run(inspect):
    with pytest.raises(ValueError, match="unknown metric 'pas@4'; did you mean 'pass@k'"):
        inspect.estimate("pas@4")
    with pytest.raises(ValueError, match="no_answer must be"):
        inspect.estimate("maj@4", no_answer="drop")
    with pytest.raises(ValueError, match="confidence_level"):
        inspect.estimate("maj@4", confidence_level=95)


def test_registered_names(inspect, evaluate, run, report):
    """Where the package is installed, its reducers are known by name, and a log that is scored
    again finds its metric."""
    if not any(
        o.name == "sampling_eval" for o in importlib.metadata.entry_points(group="inspect_ai")
    ):
        pytest.skip("the package is not installed, only on the path")
    import inspect_ai
    from inspect_ai.scorer import match

    log = evaluate(epochs=inspect_ai.Epochs(EPOCHS, ["sampling_eval/pass_hat_k_4"]))
    told = score(log.location, "pass^4")["pass^4"]
    assert log.results.scores[0].metrics["accuracy"].value == pytest.approx(
        told.estimate, rel=1e-12
    )
    log = inspect_ai.score(
        run,
        match(numeric=True),
        epochs_reducer="sampling_eval/cons_at_k_4",
        action="overwrite",
        display="none",
    )
    again, whole = [o.metrics for o in log.results.scores]
    assert again["accuracy"].value == pytest.approx(report["cons@4"].estimate, rel=1e-12)
    assert whole["maj@4_stderr"].value == pytest.approx(report["maj@4"].stderr, rel=1e-12)


def test_an_empty_run_has_its_names(inspect):
    found = inspect.estimate(["pass@4", "maj@4"])([])
    assert list(found) == ["pass@4", "maj@4"] and all(map(math.isnan, found.values()))

# inspect_ai, function by function.


@pytest.fixture
def rate(inspect):
    "A function that gives a score of one sample of a question."
    from inspect_ai.scorer import SampleScore, Score

    def rate(value, answer=None, id="q", **metadata):
        score = Score(value=value, answer=answer)
        return SampleScore(score=score, sample_id=id, sample_metadata=metadata or None)

    return rate


@pytest.mark.parametrize(
    "value, named",
    [
        (1, {"": 1}),
        ("C", {"": "C"}),
        (True, {"": True}),
        (dict(a=1, b="I"), dict(a=1, b="I")),
        ([1, 0], {0: 1, 1: 0}),
        ([], {}),
    ],
    ids=str,
)
def test_the_values_of_a_score_by_name(inspect, value, named):
    assert inspect.values_by_name(value) == named
    if value != []:
        assert inspect.join_parts(dict(named), value) == value


def test_epochs_as_columns_of_a_table(inspect, rate):
    scores = [rate("C", "x", 7, g="a"), rate(0.5, None, 7), rate("I", None, 8, g="b")]
    assert inspect.epoch_columns(scores, 0.5, "g") == dict(
        question=["7", "7", "8"],
        correct=[True, True, False],
        score=[1, 0.5, 0],
        answer=["x", None, None],
        cluster=["a", None, "b"],
    )
    bare = inspect.epoch_columns(scores[1:], 0.75, None)
    assert bare == dict(question=["7", "8"], correct=[False, False], score=[0.5, 0])


@pytest.mark.parametrize(
    "questions, should, fewest", [("aab", None, 1), ("aabb", None, 2), ("aab", 3, 3), ("", 3, 0)]
)
def test_samples_of_the_question_that_has_fewest(inspect, questions, should, fewest):
    assert inspect.count_fewest(dict(question=list(questions)), should) == fewest


def test_a_metric_with_and_without_an_interval(inspect, rate):
    "By hand: 3 and 2 of 4 are right at 1, 4 and 3 at a half; pass@5 needs a sample more."
    scores = [rate(value, id=id) for id, values in zip("ab", ("CCPC", "CIPC")) for value in values]
    found = inspect.estimate(["pass@1", "pass@5"])(scores)
    assert found["pass@1"] == 0.625 and math.isnan(found["pass@5"])
    assert list(found) == ["pass@1", "pass@1_stderr", "pass@5"]
    assert inspect.estimate("avg@n", value=0.5)(scores)["avg@4"] == 0.875
    assert inspect.estimate("pass@4")(scores)["pass@4"] == 1
    wide = inspect.estimate("pass@1", confidence_level=0.8)(scores)
    assert list(wide) == ["pass@1", "pass@1_stderr", "pass@1_low", "pass@1_high"]
    table = dict(question=list("aaaabbbb"), correct=[1, 1, 0, 1, 1, 0, 0, 1])
    row = score(table, "pass@1", confidence_level=0.8)["pass@1"]
    assert list(wide.values()) == pytest.approx([row.estimate, row.stderr, row.low, row.high])
    # Where all questions are alike, nothing is known of the error.
    alike = inspect.estimate("pass@1")(scores[:4])
    assert alike["pass@1"] == 0.75 and math.isnan(alike["pass@1_stderr"])


def test_scores_that_lack_a_value_or_a_part(inspect):
    from inspect_ai.scorer import Score

    parts = [Score(value=dict(a=one, b=1)) for one in (1, 0, 1, 0)]
    parts[3].value = dict(b=0)
    parts[2].value = dict(a=float("nan"), b=1)
    assert inspect.pass_at_k(1)(parts).value == dict(a=0.5, b=0.75)
    assert inspect.pass_at_k(2)(parts).value == pytest.approx(dict(a=1, b=1))
    few = inspect.pass_at_k(3)(parts).value
    assert math.isnan(few["a"]) and few["b"] == 1
    votes = [Score(value=0.5, answer="x"), Score(value=0.25, answer="y")]
    assert inspect.maj_at_k(1, value=0.5)(votes).value == 0.5
    assert inspect.maj_at_k(2, value=0.25)(votes).value == 1
    assert math.isnan(inspect.maj_at_k(3)(votes).value)


def test_reducers_of_one_sample_and_of_two(inspect):
    from inspect_ai.scorer import Score

    right, wrong = Score(value="C", answer="x"), Score(value="I", answer="y")
    for reducer in inspect.pass_at_k, inspect.pass_hat_k, inspect.cons_at_k, inspect.maj_at_k:
        assert reducer(1)([right]).value == 1 and reducer(1)([wrong]).value == 0
        assert reducer(1)([right, wrong]).value == 0.5


def test_an_empty_run_warns_of_nothing(inspect, caplog):
    found = inspect.estimate(["avg@n", "pass@2"])([])
    assert list(found) == ["avg@n", "pass@2"] and all(map(math.isnan, found.values()))
    assert caplog.text == ""


@pytest.mark.parametrize(
    "answers, said, kept",
    [("aa", "xx", ("a", "x")), ("ab", "xx", (None, "x")), ("aa", "xy", ("a", None))],
)
def test_what_scores_agree_on(inspect, answers, said, kept):
    from inspect_ai.scorer import Score

    scores = [
        Score(value=1, answer=answer, explanation=why, metadata=dict(place=i))
        for i, (answer, why) in enumerate(zip(answers, said))
    ]
    one = inspect.write_score(0.5, scores)
    assert (one.value, one.metadata) == (0.5, dict(place=0))
    assert (one.answer, one.explanation) == kept


def test_epochs_that_ended_count_up_to_the_first_that_runs(inspect):
    one, two, four = (inspect.Try(True, str(i)) for i in (1, 2, 4))
    tries = inspect.Tries(started=[2, 1, 3, 4], done={4: four, 1: one, 2: two})
    assert tries.list_in_order() == [two, one] and tries.list_done() == [four, one, two]
    tries.done[3] = None
    assert tries.list_in_order() == [two, one, four] and len(tries.list_done()) == 3


async def finish(rule, rate, *outcomes, id="q"):
    for epoch, (value, answer) in enumerate(outcomes, 1):
        await rule.schedule_sample(id, epoch)
        await rule.complete_sample(id, epoch, dict(s=rate(value, answer)))


@pytest.mark.parametrize(
    "needed, values, reason",
    [
        (2, "CC", "passed: 2 right"),
        (2, "CIP", None),
        (2, "III", "failed: 3 wrong"),
        (2, "II", None),
        (4, "CCC", None),
        (4, "I", "failed: 1 wrong"),
        (1, "C", "passed: 1 right"),
    ],
)
def test_four_epochs_settle_a_question(inspect, rate, needed, values, reason):
    rule = inspect.StopWhenSettled(needed)

    async def run():
        assert await rule.start_task(None, [], 4) == "sampling_eval: settled"
        await finish(rule, rate, *((value, None) for value in values))
        await rule.schedule_sample("other", 1)
        stopped = [await rule.schedule_sample("q", epoch) for epoch in (4, 4)]
        return stopped, await rule.complete_task()

    stopped, told = asyncio.run(run())
    want = [] if reason is None else [("q", 4, reason)] * 2
    assert [(one.id, one.epoch, one.reason) for one in stopped if one] == want
    assert told == dict(
        spared=len(want), questions=2, settled=int(reason is not None), needed=needed,
        failures=5 - needed,
    )
    asyncio.run(rule.start_task(None, [], 4))
    assert asyncio.run(rule.complete_task())["questions"] == 0


def test_a_partial_score_settles_at_its_value(inspect, rate):
    for value, reason in (0.5, "passed: 1 right"), (0.75, "failed: 1 wrong"):
        rule = inspect.StopWhenSettled(1, value=value)

        async def run():
            await rule.start_task(None, [], 1)
            await finish(rule, rate, ("P", None))
            return await rule.schedule_sample("q", 2)

        assert asyncio.run(run()).reason == reason


@pytest.mark.parametrize("level", [0, 1, -0.5, 2])
def test_levels_of_a_certificate(inspect, level):
    with pytest.raises(ValueError, match="confidence_level must lie between 0 and 1"):
        inspect.StopWhenCertified(level)


def test_a_rule_of_certificates_tells_its_numbers(inspect, rate):
    rule = inspect.StopWhenCertified(0.5, {"q": "a", "r": "b"})

    async def run():
        assert await rule.start_task(None, [], 9) == "sampling_eval: certified vote"
        await finish(rule, rate, *[("C", "a")] * 4)
        await finish(rule, rate, ("C", None), ("C", None), ("C", None), ("C", None), id="r")
        return await rule.complete_task()

    told = asyncio.run(run())
    assert told.pop("spared") < 4
    assert told == dict(questions=2, certified=1, confidence_level=0.5, named_beforehand=2)
    bare = asyncio.run(inspect.StopWhenCertified().complete_task())
    assert (bare["confidence_level"], bare["named_beforehand"]) == (0.95, 0)


def test_the_scorer_that_is_looked_at(inspect, rate):
    one, two = rate(1), rate(0)
    assert inspect.pick_score(dict(a=one), None) is one.score
    assert inspect.pick_score(dict(a=one, b=two), "b") is two.score
    for scores, name in (dict(a=one, b=two), None), (dict(a=one), "b"), ({}, None):
        with pytest.raises(ValueError, match="scorer must be the name of a scorer of the task"):
            inspect.pick_score(scores, name)


# lm-evaluation-harness

TASK = """
task: sums
dataset_path: json
dataset_kwargs: {{data_files: {folder}/data.json, cache_dir: {folder}/cache}}
test_split: train
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"], do_sample: true, temperature: 0.8}}
repeats: 8
filter_list:
  - name: answer
    filter:
      - {{function: regex, regex_pattern: "(-?[0-9]+)"}}
      - {last}
metadata: {{version: 1.0}}
"""
KEEP = "{function: custom, filter_fn: !function sampling_eval.bridges.lm_eval.keep_all}"
METRIC = """
metric_list:
  - metric: !function sampling_eval.bridges.lm_eval.at_k
    aggregation: mean
    higher_is_better: true
    metrics: [pass@4, pass^4, cons@4, maj@4, pass@1]
    no_answer: abstain
"""
OWN = """
process_results: !function own.process
metric_list:
  - {metric: pass@4, aggregation: mean, higher_is_better: true}
"""
OWN_CODE = """
from sampling_eval.bridges.lm_eval import question_values

def process(doc, results):
    [texts] = results
    return question_values([o == doc["answer"] for o in texts], "pass@4")
"""


@pytest.fixture(scope="module")
def lm_eval():
    "The harness, where it is installed, without a network."
    patch = pytest.MonkeyPatch()
    patch.setenv("HF_HUB_OFFLINE", "1")
    patch.setenv("HF_DATASETS_OFFLINE", "1")
    yield pytest.importorskip("lm_eval")
    patch.undo()


@pytest.fixture
def results(lm_eval, tmp_path):
    """A function that runs a task with a model that answers at random; results and folder of logs
    out."""
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    class Random(LM):
        def generate_until(self, requests, **options):
            rng = random.Random(0)
            numbers = [int(o.args[0].split("+")[1][:-1]) for o in requests]
            return [
                rng.choice([f"so {2 * i}"] * 3 + [f"I say {2 * i + 1}", "none"]) for i in numbers
            ]

        loglikelihood = loglikelihood_rolling = None

    Random.__abstractmethods__ = frozenset()

    def run(metrics, last=KEEP, code=OWN_CODE):
        rows = [dict(question=f"What is {i}+{i}?", answer=str(2 * i)) for i in range(QUESTIONS)]
        (tmp_path / "data.json").write_text("\n".join(map(json.dumps, rows)))
        (tmp_path / "own.py").write_text(code)
        (tmp_path / "sums.yaml").write_text(TASK.format(folder=tmp_path, last=last) + metrics)
        tracker = EvaluationTracker(output_path=str(tmp_path / "out"))
        found = lm_eval.simple_evaluate(
            model=Random(),
            tasks=["sums"],
            log_samples=True,
            evaluation_tracker=tracker,
            task_manager=TaskManager(include_path=str(tmp_path), include_defaults=False),
        )
        samples = found.pop("samples")
        tracker.save_results_aggregated(results=found, samples=samples)
        tracker.save_results_samples(task_name="sums", samples=samples["sums"])
        return found["results"]["sums"], str(tmp_path / "out")

    return run


def test_a_task_file_gives_the_numbers_of_its_log(results):
    found, folder = results(METRIC)
    report = score(folder, [*NAMES, "pass@1"], grade="exact", no_answer="abstain")
    for name in [*NAMES, "pass@1"]:
        values = [found[f"{name},answer"], found[f"{name}_stderr,answer"]]
        assert values == pytest.approx(take(report, name)[:2], rel=1e-12)


def test_results_of_ones_own(results):
    found, folder = results(OWN)
    row = score(folder, "pass@4", grade="exact")["pass@4"]
    assert [found["pass@4,answer"], found["pass@4_stderr,answer"]] == pytest.approx(
        [row.estimate, row.stderr], rel=1e-12
    )


def test_a_run_never_fails_at_its_end(results, caplog):
    "One metric that cannot be had is nan; the others and the log are there."
    found, folder = results(METRIC.replace("pass@1]", "pass@9, pas@2]"))
    assert math.isnan(found["pass@9,answer"]) and math.isnan(found["pas@2,answer"])
    assert "k=9 needs 9 samples, got n=8" in caplog.text and "did you mean 'pass@k'" in caplog.text
    assert found["pass@4,answer"] == pytest.approx(
        score(folder, "pass@4", grade="exact")["pass@4"].estimate
    )


def test_a_filter_that_keeps_one_text(results, caplog):
    found, _ = results(METRIC, "{function: take_first}")
    assert math.isnan(found["pass@4,answer"])
    assert "a question needs all its repeats, got one text; end the filter with" in caplog.text


def test_every_text_is_kept():
    assert keep_all([["a", "b"], ("c",)], [{}, {}]) == [["a", "b"], ["c"]]


def test_texts_are_judged_and_counted():
    texts = ["1.0", "1", "2", "[invalid]"]
    found = at_k(
        ["1"], [texts], ["pass@1", "maj@4"], grade="number", no_answer="abstain", normalize="number"
    )
    assert found == {"pass@1": 0.5, "maj@4": 1}
    assert at_k(["1"], [texts], "pass@1") == {"pass@1": 0.25}
    assert at_k(["1"], [texts], "pass@1", grade=lambda text, target: "1" in text) == {"pass@1": 0.5}


@pytest.mark.parametrize(
    "given,said",
    [
        (dict(grade="fuzzy"), "at_k: grade must be 'exact', 'number'"),
        (dict(grade=None), "at_k: texts need a grade, got None"),
        (
            dict(metrics="maj@2"),
            "maj@2: maj@2 cannot be computed: samples without an answer need a rule",
        ),
        (dict(no_anwer="vote"), "did you mean 'no_answer'"),
    ],
)
def test_what_cannot_be_had_is_said_once(given, said, caplog):
    for _ in range(3):
        found = at_k(["1"], [["1", "[invalid]"]], **given)
    assert all(map(math.isnan, found.values())) and said in caplog.text
    assert len([o for o in caplog.records if o.levelno == logging.WARNING]) == 1


def test_values_of_a_question():
    assert question_values([1, 0, 1, 0], ["pass@k", "avg@n"])["pass@2"] == pytest.approx(5 / 6)
    assert question_values([True, False], "maj@1", ["x", "y"]) == {"maj@1": 0.5}


# The page that gives every harness fifteen lines.


@pytest.fixture(scope="module")
def recipes():
    "The cells of the page by what they define: their text, and the functions."
    page = Path(__file__).parents[1] / "nbs" / "guides" / "in_your_harness.ipynb"
    cells = json.loads(page.read_text())["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names = {}
    for text in texts:
        exec(text, names)
    return names, texts


def test_the_lines_for_inspect_ai(evaluate, recipes):
    from inspect_ai.scorer import metric

    names, _ = recipes
    own = metric(scores="unreduced")(names["solved_in_4"])
    log = evaluate(metrics=[own()])
    found = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    row = score(log.location, "pass@4")["pass@4"]
    assert [found["pass@4"], found["low"], found["high"]] == pytest.approx(
        [row.estimate, row.low, row.high], rel=1e-12
    )


def test_the_lines_for_lm_eval(results, recipes):
    _, texts = recipes
    imports, function = texts[0], next(o for o in texts if o.startswith("def process_results"))
    metrics = OWN.replace("own.process", "own.process_results") + (
        "  - {metric: pass^4, aggregation: mean, higher_is_better: true}\n"
    )
    found, folder = results(metrics, code=f"{imports}\n\n{function}\n")
    report = score(folder, ["pass@4", "pass^4"], grade="exact")
    for name in "pass@4", "pass^4":
        assert found[f"{name},answer"] == pytest.approx(report[name].estimate, rel=1e-12)


def test_the_lines_for_lighteval(recipes):
    "By its documented protocol, or where it is installed with its own classes."
    names, _ = recipes
    metrics = pytest.importorskip("lighteval.metrics.utils.metric_utils")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc, SamplingMethod

    own = metrics.SampleLevelMetric(
        metric_name="pass@2",
        sample_level_fn=names["SolvedInK"](2),
        corpus_level_fn=max,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
    )
    doc = Doc(query="2 + 2", choices=["4", "5"], gold_index=0)
    response = ModelResponse(text=["4", "5", "5", "4", "3"])
    assert own.compute_metric(doc=doc, model_response=response)["pass@2"] == 0.7
