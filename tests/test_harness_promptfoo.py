"promptfoo: results as JSON, JSON lines and CSV, and which tests are repetitions."
import csv
import shutil

import numpy as np
import pytest

from harness_cases import LOGS, load, put, read, refusal
from sampling_eval import score

REPEATED = LOGS / "promptfoo_repeat"


def test_promptfoo_log():
    models = read(LOGS / "promptfoo").models()
    counts = {name: samples.counts()[1] for name, samples in models.items()}
    assert counts == {"mock:large": [2, 1], "mock:small": [1, 1]}
    assert int(np.isnan(models["mock:large"].correct).sum()) == 1
    rows = score(LOGS / "promptfoo", "avg@n", missing="drop").rows
    assert np.allclose([row.estimate for row in rows], [1, .5])


@pytest.mark.parametrize("name", ["out.json", "out.jsonl", "out.csv", ""])
def test_promptfoo_formats_give_the_same_counts(name):
    models = read(REPEATED / name).models()
    counts = {model: samples.counts() for model, samples in models.items()}
    assert counts == {"m1 with prompt 0": ([3, 3, 3, 3], [2, 2, 1, 2]),
                      "m1 with prompt 1": ([2, 2, 3, 2], [2, 1, 2, 2]),
                      "m2 with prompt 2": ([2, 2, 3, 2], [2, 1, 2, 2]),
                      "m2 with prompt 3": ([3, 3, 3, 3], [2, 1, 2, 2])}


def test_promptfoo_own_numbers():
    results, samples = load(REPEATED / "out.json")["results"], read(REPEATED / "out.json")
    passed = [prompt["metrics"]["testPassCount"] for prompt in results["prompts"]]
    broken = [prompt["metrics"]["testErrorCount"] for prompt in results["prompts"]]
    models = samples.models().values()
    assert [sum(part.counts()[1]) for part in models] == passed
    assert [int(np.isnan(part.correct).sum()) for part in models] == broken
    assert sum(passed) == results["stats"]["successes"]


def result(place, ask="a", prompt=0, **more):
    return dict(testIdx=place, promptIdx=prompt, provider="p", success=True, score=1,
                testCase=dict(vars=dict(x=ask))) | more


def document(path, *results): return put(path, dict(results=dict(results=results, stats={})))


def test_promptfoo_results(tmp_path):
    records = [result(1, "b", response=dict(output="z"), success=False, score=.5),
               result(0, failureReason=2),
               result(0, prompt=1, provider=dict(id="i", label="l"), failureReason=1, response=None),
               result(1, "b", prompt=1, provider=dict(id="l", label=""))]
    for path in document(tmp_path / "x.json", *records), put(tmp_path / "y.jsonl", records, True):
        samples = read(path)
        assert samples.took == dict(question="first testIdx of a test", sample="repetition",
                                    correct="success", answer="output")
        assert samples.rows("question sample model correct score answer") == [
            (0, 0, "p", None, None, None), (0, 0, "l", True, 1, None), (1, 0, "p", False, .5, "z"),
            (1, 0, "l", True, 1, None)]
    both = put(tmp_path / "z.jsonl", [record | dict(provider="p") for record in records], True)
    assert read(both).model.tolist() == ["p with prompt 0", "p with prompt 1"] * 2
    bare = [result(i, testCase=None, vars=dict(x=i // 2)) for i in range(4)]
    assert read(put(tmp_path / "b.jsonl", bare, True)).question.tolist() == [0, 0, 2, 2]
    order = [result(0, testCase=dict(vars=dict(x=1, y=2))),
             result(1, testCase=dict(vars=dict(y=2, x=1)))]
    assert read(put(tmp_path / "o.jsonl", order, True)).question.tolist() == [0, 0]


@pytest.mark.parametrize("tests, questions", [
    ("aaabbbaaa", [0, 0, 0, 3, 3, 3, 6, 6, 6]), ("abc", [0, 1, 2]), ("aab", [0, 0, 2]),
    ("aaaa", [0] * 4), ("a", [0]), ("ababcdcd", [0, 1, 0, 1, 4, 5, 4, 5]), ("aabb", [0, 0, 2, 2]),
    ("abab", [0, 1, 0, 1]), ("aabbb", [0, 0, 2, 2, 2]), ("aaba", [0, 0, 2, 0]),
    ("abba", [0, 1, 1, 0]), ("aabaab", [0, 0, 2, 0, 0, 2]), ("abcabc", [0, 1, 2, 0, 1, 2]),
    ("abaacc", [0, 1, 0, 0, 4, 4]), ("ababab", [0, 1] * 3), ("aabbaabb", [0, 0, 2, 2, 4, 4, 6, 6]),
    ("abcd", [0, 1, 2, 3])])
def test_promptfoo_questions(tests, questions, tmp_path):
    "Two equal tests that stand apart are two questions where all tests are repeated as often."
    for first in 0, 10:
        rows = [result(first + place, ask) for place, ask in enumerate(tests)]
        samples = read(put(tmp_path / "x.jsonl", rows[::-1], True))
        assert (samples.question - first).tolist() == questions
        assert samples.sample.tolist() == [questions[:i].count(q) for i, q in enumerate(questions)]


def test_promptfoo_tables(tmp_path):
    head = ["x", "[m1] say] it", "Status", "Score", "Named", "[m2] do", "Status", "Score", "[m3]"]
    lines = [head, ["1", "out", "PASS", "1", "", "no", "FAIL", "0", ""],
             ["1", "b", "ERROR", "0", "", "c", "PASS", "1", ""]]
    path = tmp_path / "x.csv"
    with open(path, "w", newline="") as file: csv.writer(file).writerows(lines)
    assert read(path).rows("question sample model correct answer") == [
        (0, 0, "m1", True, "out"), (0, 0, "m2", False, "no"), (0, 1, "m1", None, "b"),
        (0, 1, "m2", True, "c")]


@pytest.mark.parametrize("text", [
    "question,correct\n1,1\n", "a\n", '"a"b\n', "\0\n", "[p],Status,Scores\n", "x,Status,Score\n",
    "[m,Score,Status\n", "x,[m] a,Status\n"])
def test_other_tables_are_no_logs(tmp_path, text):
    (tmp_path / "x.csv").write_text(text)
    assert read(tmp_path / "x.csv") is None


@pytest.mark.parametrize("old, new, said", [
    ("dunno,FAIL", "dunno,MAYBE", "a status must be one of 'PASS', 'FAIL', 'ERROR', got 'MAYBE'"),
    ("1,2,dunno", "1,2,,dunno", "a row must have 26 cells as the header has, got 27 in row 2"),
    ("1,2,dunno", '1,2,"dun"no', "need valid CSV")])
def test_promptfoo_damaged_table(tmp_path, old, new, said):
    (tmp_path / "x.csv").write_text((REPEATED / "out.csv").read_text().replace(old, new, 1))
    assert said in refusal(tmp_path / "x.csv")


def test_promptfoo_long_cell(tmp_path):
    text = (REPEATED / "out.csv").read_text().replace("dunno", "x" * 200_000)
    (tmp_path / "x.csv").write_text(text + "\n")
    assert len(read(tmp_path / "x.csv")) == 48


@pytest.mark.parametrize("change, alike", [
    ({}, True), (dict(score=9), True), (dict(success=True), False), (dict(failureReason=2), False),
    (dict(promptIdx=3), False), (dict(testIdx=4), False)])
def test_promptfoo_results_of_one_name_in_two_formats(tmp_path, change, alike):
    "They are left out if they are the same, in any order."
    one = [result(0), result(1, "b", success=False)]
    document(tmp_path / "a.json", *one)
    put(tmp_path / "a.jsonl", [one[1] | change, one[0]], True)
    if alike:
        samples = read(tmp_path)
        assert len(samples) == 2
        assert samples.notes == dict(same_results=("a.jsonl",))
    else: assert len(read(tmp_path, files="draws")) == 4


def test_promptfoo_other_results_of_one_name_are_not_left_out(tmp_path):
    shutil.copy(REPEATED / "out.json", tmp_path)
    text = (REPEATED / "out.csv").read_text().replace("3,PASS,1.00", "9,FAIL,0.00")
    (tmp_path / "out.csv").write_text(text)
    assert "is in out.csv and in out.json" in refusal(tmp_path)
