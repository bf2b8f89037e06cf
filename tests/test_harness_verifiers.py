"verifiers before 0.4: rollouts and the summary beside them."
import pytest

from harness_cases import put
from sampling_eval.io.harness import verifiers
from sampling_eval.io.harness.ask import Ask
from test_harness_reader import check_keys, grade, take, write


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
