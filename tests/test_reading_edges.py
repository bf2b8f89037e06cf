"Names, outcomes, scores, weights and words at their boundaries, through what reads any data."
import json
from decimal import Decimal

import numpy as np
import pytest

from conftest import name_kind
from sampling_eval.io.load import load, read
from sampling_eval.io.options import Options

NAN, INF = float("nan"), float("inf")


def fail(columns, weights=None, **options):
    with pytest.raises((TypeError, ValueError)) as error:
        load(columns, Options.of(options, weights=weights))
    return f"{name_kind(error.value)}: {error.value}"


def is_same(a, b): return [None if v != v else v for v in a] == [None if v != v else v for v in b]


# Names.

@pytest.mark.parametrize("part, values, names, note", [
    ("question", ["b", "a", "b"], ["b", "a"], None), ("question", [7, 3, 7], [7, 3], None),
    ("question", [7, "7", "x"], ["7", "x"], "mixed_names"), ("question", [1., 2.], [1, 2], "whole_names"),
    ("model", [.5, 1., True], ["0.5", "1", "True"], "mixed_names"), ("model", [.5, .7], ["0.5", "0.7"], None),
    ("model", [1., 2.], [1, 2], "whole_names"), ("model", [""], [""], None), ("model", ["nan", "None"], ["nan", "None"], None),
    ("group", [True, False], ["True", "False"], None), ("question", [float(2**53 - 1)], [2**53 - 1], "whole_names"),
    ("question", [2**63, 1], [2**63, 1], None), ("question", [-2**63 - 1], [-2**63 - 1], None)])
def test_names(part, values, names, note):
    ids = {} if part == "question" else dict(question=range(len(values)))
    rows = read(ids | {part: values, "correct": [1] * len(values)}, **dict(by="group") if part == "group" else {})
    found = rows.questions if part == "question" else getattr(rows, part)
    assert list(map(repr, dict.fromkeys(found.tolist()))) == list(map(repr, names))
    assert [one.kind for one in rows.summary.notes if one.names == (part,)] == [note] * bool(note)


@pytest.mark.parametrize("part, values, told", [
    ("question", ["a", None, None], "ValueError: every row needs a question, got none at row 1 (2 of 3 fail)"),
    ("sample", [1., NAN, 2.], "ValueError: every row needs a sample, got none at row 1 (1 of 3 fail)"),
    ("question", [1, 2.5, 2], "TypeError: question must hold text or whole numbers, got 2.5 at row 1"),
    ("question", [1, 2, True], "TypeError: question must hold text or whole numbers, got True at row 2"),
    ("question", [1., 2., 2.**53], "TypeError: question must hold text or whole numbers, got 9007199254740992.0 at row 2"),
    ("question", ["a", "null", ""], "ValueError: every row needs a question, got 'null' at row 1; such a name is a null "
     "that became text"),
    ("model", [.5, NAN, .5], "ValueError: every row needs a model, got none at row 1 (1 of 3 fail)"),
    ("group", ["a", "b", " "], "ValueError: every row needs a group, got ' ' at row 2; give it a name"),
    ("model", ["a", "", "\t"], "ValueError: every row needs a model, got '' at row 1; give it a name")])
def test_names_that_are_refused(part, values, told):
    ids = {} if part == "question" else dict(question=[1, 2, 3])
    assert fail(ids | {part: values, "correct": [1, 1, 1]}, **dict(by="group") if part == "group" else {}) == told


@pytest.mark.parametrize("size", [1000, 1001])
def test_many_names_are_read_like_few(size):
    values = np.arange(size)[::-1] // 2 * 3
    rows = read(dict(question=values, correct=np.ones(size)))
    assert rows.questions.tolist() == list(dict.fromkeys(values.tolist())) and rows.questions.dtype == np.int64
    names = [f"q{i}" for i in range(size)]
    assert read(dict(question=names, correct=np.ones(size))).questions.tolist() == names
    assert "got 'null' at row 7; such" in fail(dict(question=[*names[:7], "null", *names[8:]], correct=np.ones(size)))
    assert read(dict(question=np.full(size, 2**63, np.uint64), correct=np.ones(size))).questions.tolist() == [2**63]


# Outcomes and scores. The samples of question i are 2**i.

def spread(values): return [v for i, v in enumerate(values) for _ in range(2**i)]


def make(part, values, **more):
    return {"question": spread([f"q{i}" for i in range(len(values))]), part: spread(values)} | more


@pytest.mark.parametrize("values, want", [
    ([True, False], [1, 0]), ([1, 0, 1], [1, 0, 1]), ([1., NAN, 0.], [1, NAN, 0]), ([NAN, NAN], [NAN, NAN]),
    ([None, True], [NAN, 1]), ([None, 1, 0.], [NAN, 1, 0]), ([None, None], [NAN, NAN]),
    (["C", "I", " c", None], [1, 0, 1, NAN]), (["N", "C"], [0, 1]), (["wrong"], [0]), (["Yes", "no"], [1, 0]),
    (["correct", "wrong"], [1, 0]), (["solved", "unsolved"], [1, 0]), (["1", "0"], [1, 0]), (["true", "FALSE"], [1, 0])])
def test_outcomes(values, want):
    rows = read(make("correct", values))
    assert is_same(rows.correct.tolist(), want) and rows.times.tolist() == [2**i for i in range(len(values))]
    told = [note.words for note in rows.summary.notes if note.kind == "words"]
    assert told == [{v: bool(w) for v, w in zip(values, want) if v}] * any(isinstance(v, str) for v in values)


@pytest.mark.parametrize("values, told", [
    ([1, 0, 7, 9], "ValueError: correct must be 0 or 1, got 7 at question q2 (12 of 15 fail)"),
    ([1., NAN, .5, NAN], "ValueError: correct must be 0 or 1, got 0.5 at question q2 (4 of 5 fail)"),
    ([None, 1, None, 2], "ValueError: correct must be 0 or 1, got 2 at question q3 (8 of 10 fail)"),
    ([100, 0, 0, 100], "ValueError: correct must be 0 or 1, got 100 at question q0 (9 of 15 fail)"),
    ([10**400, 1, 0, 0], "ValueError: correct must be 0 or 1, got inf at question q0 (1 of 15 fail)"),
    ([True, 1, 0, None], "TypeError: correct must hold only bool or only 0/1, got True and 0"),
    ([False, 1., None, None], "TypeError: correct must hold only bool or only 0/1, got False and 1.0"),
    (["yes", "maybe", "no", "maybe"], "TypeError: correct must hold 0/1 or bool, got 'maybe' (10 of 15 fail); compare"),
    (["d", "c", "b", "a"], "TypeError: correct must hold 0/1 or bool, got 'a', 'b', 'd' (13 of 15 fail); compare"),
    (["yes", 1, None], "TypeError: correct must hold 0/1 or bool, got 'yes' (1 of 7 fail); compare"),
    (["yes", "true", "C", "pass"], "TypeError: correct must hold words of one kind, got 'C' and 'pass' and 'true' and 'yes'"),
    (["C", "P"], "TypeError: correct must be right or wrong, got 'P', which is partial credit; write C, P and I as 1, 0.5 "
     "and 0 in a column score"),
    (["P", "x"], "TypeError: correct must hold 0/1 or bool, got 'P', 'x' (3 of 3 fail); compare")])
def test_outcomes_that_are_refused(values, told): assert fail(make("correct", values)).startswith(told)


@pytest.mark.parametrize("values, want", [
    ([2, 3], [2, 3]), ([.5, NAN], [.5, NAN]), ([None, 2], [NAN, 2]), ([None, Decimal("0.5")], [NAN, .5]),
    ([None, 2**64], [NAN, 2.**64]), ([None, 2**1000 - 1], [NAN, 2.**1000])])
def test_scores(values, want): assert is_same(read(make("score", values)).score.tolist(), want)


@pytest.mark.parametrize("part, values, told", [
    ("score", [.5, INF, -INF], "ValueError: score must be finite, got inf at row 1 (6 of 7 fail)"),
    ("score", [None, 1, 2**1000], "ValueError: score must be finite, got inf at row 3 (4 of 7 fail)"),
    ("score", [None, 1, -10**400], "ValueError: score must be finite, got inf at row 3 (4 of 7 fail)"),
    ("score", [.5, "x", "y"], "TypeError: score must hold numbers, got 'x' at row 1; pass score=False to leave the column out"),
    ("cost", [.5, 1, True], "TypeError: cost must hold numbers, got True at row 3"),
    ("cost", [None, True, "a"], "TypeError: cost must hold numbers, got True at row 1")])
def test_scores_that_are_refused(part, values, told):
    assert fail(make(part, values, correct=[1] * 7), **dict(sums="cost") if part == "cost" else {}) == told


@pytest.mark.parametrize("score, kind, want", [
    ([0, 1, 1], "score_as_outcome", [0, 1, 1]), ([0, 1, NAN], "score_as_outcome", [0, 1, NAN]), ([0, .5, 1], None, None)])
def test_scores_of_0_and_1_are_outcomes(score, kind, want):
    rows = read(dict(question=[1, 2, 3], score=score))
    assert (rows.correct is None) is (want is None) and [note.kind for note in rows.summary.notes] == [kind] * bool(kind)
    if want: assert is_same(rows.correct.tolist(), want)
    above = read(dict(question=[1, 2, 3], score=score), threshold=.5)
    assert is_same(above.correct.tolist(), [v if v != v else v > .5 for v in score])
    assert above.summary.notes[0].to_dict() | dict(words=None) == dict(
        kind="threshold", names=["score"], words=None, value=.5, count=None, total=None, text="")


# Weights, clusters and samples.

@pytest.mark.parametrize("weights, told", [
    ([2, 0, 2, 0], "ValueError: every row needs a positive and finite weight, got 0 at row 1 (2 of 4 fail)"),
    ([2., NAN, 2., 1.], "ValueError: every row needs a positive and finite weight, got nan at row 1 (1 of 4 fail)"),
    ([2., 1., -1., 1.], "ValueError: every row needs a positive and finite weight, got -1.0 at row 2 (1 of 4 fail)"),
    ([2, "x", 2, 1], "TypeError: weight must hold numbers, got 'x' at row 1"),
    ([2, 3, 1, 3], "ValueError: a question has one weight, got 1 and 2 at 'a' (1 of 2 questions fail)"),
    ([2, 3, 2, 4], "ValueError: a question has one weight, got 3 and 4 at 'b' (1 of 2 questions fail)"),
    ([1, 3, 2, 4], "ValueError: a question has one weight, got 1 and 2 at 'a' (2 of 2 questions fail)")])
def test_weights_that_are_refused(weights, told):
    assert fail(dict(question=list("abab"), correct=[1] * 4, w=weights), "w") == told


def test_weights():
    columns = dict(question=list("abab"), correct=[1] * 4, w=[2, .5, 2, .5])
    assert load(columns, Options.of({}, weights="w")).weights == dict(a=2, b=.5)
    given = {"a": 1.}
    assert load(columns, Options.of({}, weights=given)).weights is given and load(columns).weights is None


@pytest.mark.parametrize("cluster, told", [
    (list("xyxxy"), "got 'b' in 'y' and in 'x' (1 of 3 questions fail)"),
    (list("xyzxy"), "got 'a' in 'x' and in 'z' (2 of 3 questions fail)")])
def test_a_question_in_two_clusters(cluster, told):
    columns = dict(question=list("ababc"), correct=[1] * 5, cluster=cluster)
    assert fail(columns, cluster="cluster") == f"ValueError: a question belongs to one cluster, {told}"


def test_a_sample_that_appears_twice():
    columns = dict(question=list("aabab"), sample=list("ssstt"), correct=[1] * 5)
    told = "ValueError: each sample must appear once, got question 'a', sample 's' at row 0 and again at row 1 (1 row repeats)"
    assert fail(columns).startswith(told)
    assert len(read(columns | dict(model=list("mnmnm")))) == 5
    many = dict(question=list("baaba"), sample=[7] * 5, correct=[1] * 5)
    assert "got question 'a', sample 7 at row 1 and again at row 2 (3 rows repeat)" in fail(many)


# Lists, and numbers of samples.

@pytest.mark.parametrize("columns, told", [
    (dict(id=[1, 2], graded=[[1], 7]), "TypeError: graded must hold a list in every row, got 7 at row 1"),
    (dict(id=[1, 2], graded=[[1], "[1"]), "TypeError: graded must hold a list in every row, got '[1' at row 1"),
    (dict(id=[1], graded=[[1, 0]], preds=[["a"]]), "ValueError: the lists of a row must have one length, got 2 of graded, "
     "1 of preds at row 0 (1 of 1 rows fail)"),
    (dict(id=[1, 1], n=[2, 2], c=[1, 2]), "ValueError: each question must appear once in a table of n and c, got 1 at row 0 "
     "and again at row 1; add them up, or name a column model")])
def test_rows_of_several_samples_that_are_refused(columns, told): assert fail(columns) == told


@pytest.mark.parametrize("cell, n, c", [
    ([1, 0], 2, 1), ((1, 0), 2, 1), (np.array([1, 0, 1]), 3, 2), ("[1, 0]", 2, 1), ("[True, False]", 2, 1),
    ("[true, false]", 2, 1), ("[1, nan]", 2, 1), ([1, None], 2, 1)])
def test_lists(cell, n, c):
    counts = load(dict(id=[1], graded=[cell]), Options.of(dict(missing="wrong"))).blocks["", ""]
    assert (counts.n.tolist(), counts.c.tolist()) == ([n], [c])


# Text.

@pytest.mark.parametrize("texts, want", [
    (["1", "2"], [1, 2]), (["1", "02"], ["1", "02"]), (["-1", "0"], [-1, 0]), (["+1"], ["+1"]), (["1_0"], ["1_0"]),
    (["9" * 18], [int("9" * 18)]), (["9" * 19], ["9" * 19]), (["\u0663"], ["\u0663"]), (["1.0"], ["1.0"])])
def test_names_of_a_csv_file(texts, want, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,correct\n" + "".join(f"{text},1\n" for text in texts), "utf-8")
    assert read(path).questions.tolist() == want


def test_hostile_names_come_back_as_they_are(tmp_path):
    names = ["'; DROP TABLE x; --", 'say "a"', "a\tb", "[1]", "{}", "=1+1", "\u202e", "\U0001f600", " a ", "A\\nB"]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"id": name, "correct": 1, "it's \"x\"": 1}) + "\n" for name in names), "utf-8")
    assert read(path).questions.tolist() == names == read(dict(id=names, correct=[1] * 10)).questions.tolist()
