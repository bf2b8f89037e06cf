"The parts of `Accumulator`: kinds of questions, rows, names and text. What it computes: test_accumulator.py."
import json
from collections import Counter
from fractions import Fraction
from hashlib import sha256

import numpy as np
import pytest

from sampling_eval.io.options import Policy
from sampling_eval.report.reading import describe_input
from sampling_eval.verbs.accumulating import (Accumulator, estimate_kinds, find_kind, freeze_kind, is_missing,
                                              list_kinds,
                                              make_plain, name_questions, read_sample, read_samples, read_score,
                                              refuse_objects, repeat_kinds, summarize)

BARE = ((), ((0, None, 1),), ((1, None, 1),))  # Two answers, one right


def make_held():
    "Three questions of two kinds, and one that is open."
    held = Accumulator("strip")
    for _ in range(2): held.add_question([1, 0, 1], [" x", "y", "x"], [1, .5, .25])
    held.add_question([0, None], [None, "z"], [None, float("nan")])
    held.extend(["late", "late"], [1, 0], ["a", None], [None, 2])
    return held


def test_a_sample_is_kept_as_it_votes():
    assert read_sample("lower", "q", True, " AB ", np.float32(.5)) == (1, "ab", .5)
    assert read_sample(None, "q", np.int64(0), np.int64(7), True) == (0, 7, 1.)
    assert read_sample(None, "q", 1.0, 7.5, 2)[1:] == (7.5, 2.)
    assert read_sample("number", "q", 0, "1/2", None) == (0, Fraction(1, 2), None)
    for blank in (None, "", float("nan")):
        assert read_sample(None, "q", None, blank, float("nan")) == (None, None, None)
    assert [is_missing(o) for o in (None, float("nan"), 0, "", False,
                                    np.nan)] == [True, True, False, False, False, True]
    assert type(make_plain(np.int64(3))) is int and make_plain("a") == "a" and type(make_plain(np.bool_(True))) is bool
    assert type(read_score(np.float32(2), "q")) is float and read_score(None, "q") is None


@pytest.mark.parametrize("question, answer, said", [
    (["q"], "x", r"^names of questions must be hashable, got list \['q'\] at question \['q'\]$"),
    ("q", ["x"],
     r"^answers must be hashable, got list \['x'\] at question 'q'; pass normalize=str or another function that makes "
     r"them so$")])
def test_what_cannot_be_counted(question, answer, said):
    with pytest.raises(TypeError, match=said): read_sample(None, question, 1, answer, None)
    with pytest.raises(TypeError, match="^scores must be numbers, got 'high' at question q$"): read_score("high", "q")


def test_columns_of_a_batch():
    assert read_samples(None, ["p", "q"], iter([1, 0]), None, iter([.5, None])) == [(1, None, .5), (0, None, None)]
    assert read_samples(None, ["p"], [1], ["x"], None) == [(1, "x", None)] and read_samples(None, [], [], [], []) == []
    with pytest.raises(ValueError, match=r"^scores must hold one value per sample \(2\), got 1$"):
        read_samples(None, "ab", [1, 0], None, [1])


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


def test_rows_of_each_kind_and_of_each_question():
    held = make_held()
    kinds = list_kinds(held)
    assert kinds.questions.tolist() == [0, 1] and kinds.times.tolist() == [1, 1, 1, 1, 1]
    assert kinds.question.tolist() == [0, 0, 0, 1, 1]
    assert kinds.correct.tolist()[:4] == [0, 1, 1, 0] and np.isnan(kinds.correct[4])
    assert kinds.answer.tolist() == [0, 1, 1, None, 0] and kinds.score.tolist()[:3] == [.5, .25, 1]
    assert np.isnan(kinds.score[3:]).all()
    assert kinds.total.tolist() == [.5, .25, 1, 0, 0] and kinds.scored.tolist() == [1, 1, 1, 0, 0]
    rows = repeat_kinds(kinds, [2, 1])
    assert rows.question.tolist() == [0, 0, 0, 1, 1, 1, 2, 2] and rows.questions.tolist() == [0, 1, 2]
    assert rows.total.tolist() == [.5, .25, 1, .5, .25, 1, 0, 0] and rows.answer.tolist() == [0, 1, 1, 0, 1, 1, None, 0]
    assert held.rows.source == "accumulator: 3 closed questions; 1 open question excluded"
    assert held.rows.counts(Policy("wrong", no_answer="vote")).n.tolist() == [3, 3, 2] and len(held.rows) == 8


def test_samples_alike_are_counted():
    held = Accumulator()
    held.add_question([1, 1, 0, 1], None, [.5, .5, .5, None])
    rows = list_kinds(held)
    assert rows.answer is None and rows.times.tolist() == [1, 2, 1] and rows.total.tolist() == [.5, 1, 0]
    assert rows.scored.tolist() == [1, 2, 0]
    plain = Accumulator()
    plain.add_question([1, 0])
    assert list_kinds(plain).score is None is list_kinds(plain).scored is list_kinds(plain).total
    assert repeat_kinds(list_kinds(plain), [3]).question.tolist() == [0, 0, 1, 1, 2, 2]
    for held in (Accumulator(), Accumulator(open={"q": []})):
        with pytest.raises(ValueError) as refused: list_kinds(held)
        assert str(refused.value).endswith(f"close() closes those that are open ({len(held.open)})")


def test_names_tell_accumulators_apart():
    held = make_held()
    mark = sha256(json.dumps(sorted(held.kinds.items(), key=str)).encode()).hexdigest()[:8]
    assert name_questions(held).tolist() == [f"{mark}-0", f"{mark}-1", f"{mark}-2"] == held.rows.questions.tolist()
    backwards = Accumulator("strip", Counter(dict(reversed(held.kinds.items()))))
    assert list(backwards.kinds) != list(held.kinds)
    assert name_questions(backwards).tolist() == name_questions(held).tolist()
    assert name_questions(held + held)[0] != f"{mark}-0"


@pytest.mark.parametrize("count, said", [(0, ""), (1, "; 1 open question excluded"),
                                         (2, "; 2 open questions excluded")])
def test_open_questions_are_counted(count, said):
    assert describe_input(summarize(Accumulator(open=dict.fromkeys(range(count))))) == f"accumulator: 0 closed questions{said}"


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


def test_what_is_added_stays_apart():
    one, other = make_held(), make_held()
    both = one + other
    both.open["late"].append((1, None, None))
    assert len(one.open["late"]) == len(other.open["late"]) == 2 and len(both) == 6 and both.normalize == "strip"
    assert list(both.kinds.values()) == [4, 2] and len(one) == 3
    assert one.__add__(1) is NotImplemented


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


def test_missing_samples_of_every_question_are_counted():
    held = Accumulator()
    for _ in range(3): held.add_question([1, None, None])
    assert held.estimate("pass@1", missing="wrong").missing == 6 and held.estimate("avg@n", missing="drop").k is None


def test_a_question_at_once():
    held = Accumulator()
    with pytest.raises(ValueError, match="correct must be 0 or 1, got 2 at question number 1"): held.add_question([2])
    held.add_question([1])
    with pytest.raises(ValueError, match="got 2 at question number 2"): held.add_question([2])
