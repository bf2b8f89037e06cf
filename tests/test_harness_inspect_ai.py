"inspect_ai: samples, epochs, scorers and values."
import pytest

from sampling_eval.io.harness import inspect_ai
from sampling_eval.io.harness.ask import Ask, NoOutcomes
from test_harness_reader import check_keys, fail, grade, hold, take


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
        row(3, 1, None, lost=True) | dict(invalid=True), row(3, 2, None)]
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
