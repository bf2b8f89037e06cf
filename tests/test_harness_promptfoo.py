"promptfoo: results, repetitions and tables."
import csv

import pytest

from sampling_eval.io.harness import promptfoo
from sampling_eval.io.harness.ask import Ask
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, hold, take, write


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
