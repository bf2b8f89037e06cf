"The parts of `Accumulator`: kinds of questions, rows, names and text. What it computes: test_accumulator.py."
import json
from fractions import Fraction

import pytest

from sampling_eval.io.options import Policy
from sampling_eval.verbs.accumulating import (Accumulator, estimate_kinds, find_kind, freeze_kind, read_sample,
                                              read_score, refuse_objects)

BARE = ((), ((0, None, 1),), ((1, None, 1),))  # Two answers, one right


def make_held():
    "Three questions of two kinds, and one that is open."
    held = Accumulator("strip")
    for _ in range(2): held.add_question([1, 0, 1], [" x", "y", "x"], [1, .5, .25])
    held.add_question([0, None], [None, "z"], [None, float("nan")])
    held.extend(["late", "late"], [1, 0], ["a", None], [None, 2])
    return held


@pytest.mark.parametrize("question, answer, said", [
    (["q"], "x", r"^names of questions must be hashable, got list \['q'\] at question \['q'\]$"),
    ("q", ["x"],
     r"^answers must be hashable, got list \['x'\] at question 'q'; pass normalize=str or another function that makes "
     r"them so$")])
def test_what_cannot_be_counted(question, answer, said):
    with pytest.raises(TypeError, match=said): read_sample(None, question, 1, answer, None)
    with pytest.raises(TypeError, match="^scores must be numbers, got 'high' at question q$"): read_score("high", "q")


def test_a_kind_is_the_same_in_any_order():
    samples = [(1, "x", .5), (0, "y", None), (1, "x", .5), (None, None, 1.), (0, None, None)]
    kind = (((0, None, 1), (None, 1., 1)), ((0, None, 1),), ((1, .5, 2),))
    assert find_kind(samples, "q") == find_kind(samples[::-1], "q") == kind
    assert find_kind([(1, "a", None), (0, "b", None)], "q") == find_kind([(0, "b", None), (1, "a", None)], "q") == BARE
    assert find_kind([(1, 1, None), (0, 2.5, None)], "q") == BARE and freeze_kind(json.loads(json.dumps(kind))) == kind
    # Outcomes, then scores, by their texts.
    assert find_kind([(1, None, 2.), (1, None, 10.), (0, None, 3.)], "q") == (((0, 3., 1), (1, 10., 1), (1, 2., 1)),)
    with pytest.raises(ValueError, match="a number and its text are different answers, got both for 7 at question 'q'"):
        find_kind([(1, 7, None), (0, "7", None)], "q")
    assert find_kind([(1, 7, None), (0, "8", None)], "q") == BARE


def test_what_it_looks_like():
    held = make_held()
    assert repr(held) == "Accumulator(3 questions of 2 kinds, 1 open)" and len(held) == 3
    held.close("late")
    assert repr(held) == "Accumulator(4 questions of 3 kinds)" and held.open == {}
    assert repr(Accumulator()) == "Accumulator(0 questions of 0 kinds)"
    with pytest.raises(KeyError, match="question 'late' is not open; it was closed, or never had a sample"):
        held.close("late")


def test_text_and_back():
    held = make_held()
    text = held.to_json()
    assert json.loads(text) == dict(
        accumulator=1, normalize="strip", open=[["late", [[1, "a", None], [0, None, 2.]]]],
        kinds=[[[[], [[0, .5, 1]], [[1, .25, 1], [1, 1., 1]]], 2], [[[[0, None, 1]], [[None, None, 1]]], 1]])
    again = Accumulator.from_json(text)
    assert again == held and again.open["late"] == [(1, "a", None), (0, None, 2.)] and again.normalize == "strip"
    held.add("é", 1)
    assert "é" in held.to_json()


@pytest.mark.parametrize("name, answer, said", [
    (("a", 1), "x", r"got tuple \('a', 1\) at open question \('a', 1\); close it first, or pickle the accumulator"),
    ("q", Fraction(1, 3), "got Fraction 1/3 at open question q"), ("q", b"x", "got bytes b'x' at open question q")])
def test_what_text_does_not_hold(name, answer, said):
    with pytest.raises(TypeError, match=f"^JSON holds names and answers that are text or numbers, {said}"):
        refuse_objects(name, [(1, answer, None)])
    assert refuse_objects("q", [(1, "a", None), (0, None, .5), (0, 2, None), (0, 2.5, None)]) is None


def test_a_function_is_no_text():
    with pytest.raises(TypeError,
                       match="JSON holds no function, got normalize='lower'; pickle the accumulator, or name a rule"):
        Accumulator(str.lower).to_json()
    held = Accumulator(str.lower)
    held.add_question([1, 1, 0], ["A", "a", "b"])
    assert held.estimate("maj@2").value == pytest.approx(1 / 3 + 2 / 3 / 2)


def test_every_option_of_an_estimate_counts():
    held = Accumulator()
    for answers, right in (("xxyy", [1, 1, 0, 0]), ("xyzz", [1, 0, 0, 0])): held.add_question(right, list(answers))
    held.add_question([1, None, 0, 0], ["x", "x", None, "z"])
    def estimate(name, **options): return held.estimate(name,
                                                        **dict(missing="wrong", no_answer="vote",
                                                               conflict="any") | options)
    whole = held.score(["maj@2", "pass@2"], missing="wrong", no_answer="vote", conflict="any")
    assert estimate("maj@2").value == pytest.approx(whole["maj@2"].estimate) and estimate("pass@2").missing == 1
    wrong = held.score("maj@2", ties="wrong", missing="wrong", no_answer="vote", conflict="any")["maj@2"]
    assert estimate("maj@2", ties="wrong").value == pytest.approx(wrong.estimate)
    assert wrong.estimate < whole["maj@2"].estimate
    again = held.score("pass@2", target="same_questions", missing="wrong", no_answer="vote", conflict="any")["pass@2"]
    assert estimate("pass@2", target="same_questions").stderr == pytest.approx(again.stderr)
    assert estimate("pass@2").stderr != pytest.approx(again.stderr)
    more = estimate("pass@2", samples_per_question=5)
    assert more.missing == 4 and more.n_min == 5
    assert estimate("pass@1", missing="drop").value == pytest.approx((1 / 2 + 1 / 4 + 1 / 3) / 3)
    for name, value in (("target", "both"), ("missing", "bounds")):
        with pytest.raises(ValueError, match=f"{name} must be"): estimate("pass@2", **{name: value})
    with pytest.raises(ValueError,
                       match="estimate needs one budget, got 'pass@k'; write 'pass@4', or take score.. for all of "
                             "them"):
        estimate_kinds(held, "pass@k", "new_questions", "expected", Policy("wrong", None, "vote", None, "any"))
