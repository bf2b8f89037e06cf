"Scores that are chosen, thresholds, and texts that are judged anew."
import json

import numpy as np
import pytest
from conftest import command

from harness_cases import (EVAL, HEADER, LM, LOGS, MOCK, equal, inspect_sample, load_lines, put, read,
                           refusal, zipped)
from sampling_eval import score
from sampling_eval.io.harness.grading import TextGrade, find_grade

KINDS = LOGS / "lm_eval_kinds/mock"
REPEATS = next(KINDS.glob("samples_mygen_rep_*"))
CHOICES = next(KINDS.glob("samples_mymc_*"))
PROGRAMS = LOGS / "human_eval/example_samples.jsonl"


def mean(path, **options): return float(score(path, "avg@n", **options).rows[0].estimate)


def count_right():
    "Right texts of each question, counted by hand."
    first = {record["doc_id"]: record for record in load_lines(REPEATS)}
    return [record["resps"][0].count(record["target"]) for record in first.values()]


# Judged by name.

def test_repeats_of_lm_eval_are_judged_by_name():
    with pytest.raises(ValueError, match="4 texts a question.*pass grade='exact' or 'number'"):
        score(REPEATS, "avg@n")
    for grade in "exact", "number":
        report = score(REPEATS, "avg@n", grade=grade)
        assert report.questions["n"].tolist() == [4] * 6
        assert report.questions["c"].tolist() == count_right()
        assert read(REPEATS, grade=grade).notes["graded_texts"] == 0


def test_the_command_judges_by_name():
    words = ["score", REPEATS, "-m", "avg@n", "-f", "json"]
    done = command(*words, "--grade", "exact")
    assert json.loads(done.stdout)["rows"][0]["estimate"] == sum(count_right()) / 24
    told = command(*words).stderr
    assert "pass --grade exact or number to compare each text" in told
    told = command(*words, "--grade", "loose").stderr
    assert "invalid choice: 'loose'" in told


@pytest.mark.parametrize("rule, pairs, other", [
    ("exact", [(" 4\n", "4"), ("4", 4), ("a", ["b", "a"])], [("4.0", "4"), ("a", "b")]),
    ("number", [("4.0", "4"), ("1,000", 1000), ("1/2", .5), ("3", ["2", 3])],
     [("it is 4", "4"), ("one", "1")])])
def test_what_is_equal(rule, pairs, other):
    grade = find_grade(rule)
    assert all(grade(*pair) for pair in pairs) and not any(grade(*pair) for pair in other)
    assert (grade.judged, grade.odd) == (len(pairs + other), 2 * (rule == "number"))
    assert find_grade(None) is None and find_grade(max) is max
    assert find_grade("number") == TextGrade("number")


@pytest.mark.parametrize("rule, target, said", [
    ("exact", None, "the right answer beside each text, got None"),
    ("exact", ["a", None], "the right answer beside each text, got None"),
    ("exact", [], None),  # An empty list is an answer as any other
    ("number", "one", "a number as the right answer beside each text, got 'one'")])
def test_a_grade_needs_something_to_compare_with(tmp_path, rule, target, said):
    lines = [dict(input="q", output="a", score=1, gts=target)]
    path = put(tmp_path / "x.jsonl", lines, True)
    if said is None: assert read(path, grade=rule).correct.tolist() == [0]
    else: assert refusal(path, grade=rule) == (
        f"grade={rule!r} needs {said} for question 'q' in x.jsonl")


def test_grades_that_are_refused():
    for odd in "loose", 5, ["exact"]:
        assert refusal(REPEATS, grade=odd) == (
            f"grade must be 'exact', 'number', 'last_line' or a function of (answer, target), got {odd!r}")
    assert "got None for question 'test/0' in example_samples.jsonl" in refusal(PROGRAMS,
                                                                                grade="exact")
    assert refusal(LOGS / "tau2/results.json", grade="exact") == (
        "grade='exact' compares the text of an answer with the target, and these logs hold no such "
        "text; leave grade= out to take the stored outcomes")


def test_what_a_function_may_say():
    def graded(grade): return read(LM[1], filter="maj@4", grade=grade).correct
    with pytest.raises(TypeError, match="grade must return True, False or None, got 'yes'"):
        graded(lambda a, t: "yes")
    for verdict in 2, .5, [1]:
        with pytest.raises(TypeError, match="grade must return True"): graded(lambda a, t: verdict)
    with pytest.raises(ZeroDivisionError): graded(lambda a, t: 1 / 0)
    assert graded(lambda a, t: 1).all() and graded(lambda a, t: np.bool_(True)).all()
    assert np.isnan(graded(lambda a, t: None)).all()


def test_choices_keep_what_the_harness_judged():
    assert mean(CHOICES, grade="exact") == pytest.approx(1 / 3)
    report = score(KINDS, "avg@n", grade="exact")
    assert report["mymc", "avg@1"].estimate == pytest.approx(1 / 3)
    assert report["mygen_rep", "avg@4"].estimate == sum(count_right()) / 24


def test_texts_that_all_filters_share_need_no_choice():
    for options, name in ({}, "score-first"), (dict(filter="maj@4"), "maj@4"):
        took = read(REPEATS, grade="exact", **options).took
        assert (took["filter"], took["answer"]) == (name, "resps")
    assert "pass filter= one of 'strict-match', 'flexible-extract'" in refusal(LM[0], grade="exact")
    assert refusal(LOGS / "human_eval", filter="x") == (
        "filter= is for logs that hold several, got logs of human-eval")


# Scores, and what the reading of tables adds.

def test_a_score_that_some_logs_have(tmp_path):
    "Where there is no choice, none is refused."
    def write(name, **metrics):
        row = dict(doc_id=name, target="", filter="none", resps=[["x"]], filtered_resps=["x"])
        return put(tmp_path / f"{name}.jsonl", [row | metrics], True)
    one, two = write("a", em=1., f1=.5), write("b", acc=0.)
    assert read([one, two], score="f1").score.tolist() == [.5, 0]
    assert refusal(two, score="f1") == "score must be one of 'acc', got 'f1' for b.jsonl"
    assert "score must be one of 'em', 'f1', got 'acc'" in refusal([one, two], score="acc")


def test_a_threshold_decides_graded_scores():
    assert mean(LOGS / "verl/100.jsonl", score="reward", threshold=0) == 5 / 8
    decided = dict(score="grade", threshold=.5)
    with pytest.raises(ValueError, match="missing"): score(MOCK, "avg@n", **decided)
    assert mean(MOCK, missing="wrong", **decided) == 2 / 8


def test_samples_that_appear_twice(tmp_path):
    twice = {f"samples/{i}.json": inspect_sample("q", 1, "C") for i in range(2)}
    path = zipped(tmp_path / "a.eval", {"header.json": HEADER} | twice)
    with pytest.raises(ValueError, match="each sample must appear once"): score(path, "avg@n")


@pytest.mark.parametrize("value, said", [
    (float("inf"), "score must be finite"), ("high", "holds no score"), (None, "holds no score")])
def test_scores_that_are_refused(tmp_path, value, said):
    path = put(tmp_path / "x.jsonl", [dict(input="q", output="a", score=value)], True)
    with pytest.raises(ValueError, match=said): score(path, "avg@n")


def test_tables_pass_through(tmp_path):
    rows = [dict(question="a", correct=1), dict(question="a", correct=0)]
    for path in put(tmp_path / "run[1]*.jsonl", rows, True), put(tmp_path / "t.json", rows):
        assert read(path) is None and mean(path) == .5
    odd = put(tmp_path / "o.jsonl", [dict(frage="a", correct=1)], True)
    assert mean(odd, question="frage") == 1
    with pytest.raises(ValueError, match="Which column holds the answer"):
        score(odd, "avg@n", grade=equal)
    with pytest.raises(ValueError, match="a log has its own columns, got question='x'"):
        score(EVAL, "avg@n", question="x", harness="inspect")
