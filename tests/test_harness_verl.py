"verl: samples of validation steps."
import pytest

from sampling_eval.io.harness import verl
from sampling_eval.io.harness.ask import Ask
from test_harness_reader import check_keys, grade, take, write


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
