"Logs through the verbs: what the reading of tables adds."
import numpy as np
import pytest

from harness_cases import EVAL, HEADER, LOGS, MOCK, inspect_sample, put, zipped
from sampling_eval import score


def mean(path, **options): return float(score(path, "avg@n", **options).rows[0].estimate)


def test_a_threshold_decides_graded_scores():
    assert mean(LOGS / "verl/100.jsonl", score="reward", threshold=0) == 5 / 8
    decided = dict(score="grade", threshold=.5)
    with pytest.raises(ValueError, match="missing"): score(MOCK, "avg@n", **decided)
    assert mean(MOCK, missing="wrong", **decided) == 2 / 8


def test_samples_that_appear_twice(tmp_path):
    twice = {f"samples/{i}.json": inspect_sample("q", 1, "C") for i in range(2)}
    path = zipped(tmp_path / "a.eval", {"header.json": HEADER} | twice)
    with pytest.raises(ValueError, match="each sample must appear once"): score(path, "avg@n")


def test_infinite_scores_are_refused(tmp_path):
    path = put(tmp_path / "x.jsonl", [dict(input="q", output="a", score=float("inf"))], True)
    with pytest.raises(ValueError, match="score must be finite"): score(path, "avg@n")


def test_tables_pass_through(tmp_path):
    rows = [dict(question="a", correct=1), dict(question="a", correct=0)]
    for path in put(tmp_path / "t.jsonl", rows, True), put(tmp_path / "t.json", rows):
        assert mean(path) == .5
    odd = put(tmp_path / "o.jsonl", [dict(frage="a", correct=1)], True)
    assert mean(odd, question="frage") == 1
    with pytest.raises(ValueError, match="was read as a plain table"):
        score(odd, "avg@n", grade=lambda a, t: True)
    with pytest.raises(ValueError, match="a log has its own columns, got question='x'"):
        score(EVAL, "avg@n", question="x", harness="inspect")


def test_file_names_with_brackets(tmp_path):
    assert mean(put(tmp_path / "run[1]*.jsonl", [dict(question="a", correct=1)], True)) == 1


def test_missing_promptfoo_results(tmp_path):
    rows = score(LOGS / "promptfoo", "avg@n", missing="drop").rows
    assert np.allclose([row.estimate for row in rows], [1, .5])
