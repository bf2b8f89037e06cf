"What readers ask of records, of what the caller chose, and of texts that are judged."
import hashlib
from fractions import Fraction
from pathlib import Path

import pytest

from sampling_eval.io.harness.ask import Ask, NoOutcomes, no_outcome, tell_outcome
from sampling_eval.io.harness.beside import read_beside
from sampling_eval.io.harness.grading import TextGrade, as_list, find_grade, is_number
from sampling_eval.io.harness.limits import Limits
from sampling_eval.io.harness.log import Log
from sampling_eval.io.harness.records import (add_score, as_number, find_period, has_keys, is_solved, list_numbers,
                                           number_samples)
from sampling_eval.io.harness.words import quote_names, shorten

LOG = Log(Path("/x/run.json"), "document", {})


def fail(call, *given, kind=ValueError, **more):
    with pytest.raises(kind) as error: call(*given, **more)
    return str(error.value)


# Records.

def test_keys_and_numbers():
    assert has_keys(dict(a=1, b=2), "a") and has_keys({}) and not has_keys(dict(a=1), "a",
        "b") and not has_keys([("a", 1)], "a")
    assert list_numbers(dict(b=1, a=True, c=.5, d="1", e=None, f=[1])) == ["b", "a", "c"]
    assert as_number(None, "x") is None and [as_number(v, "x") for v in (1, True, .5)] == [1., 1., .5]
    assert type(as_number(True, "x")) is float and fail(as_number, "1",
        "a score") == "a score must be a number, got '1'"
    assert add_score(dict(a=1), dict(s=2), None) == dict(a=1) and add_score(dict(a=1), dict(s=2), "s") == dict(a=1,
        score=2.)
    assert fail(add_score, {}, dict(s="x"), "s") == "s must be a number, got 'x'"


@pytest.mark.parametrize("reward, solved", [
    (1, True), (1 - 9e-7, True), (1 + 9e-7, True), (1 - 2e-6, False), (1 + 2e-6, False), (0, False), (2, False),
    (None, None),
    (float("nan"), None), (True, True)])
def test_rewards_of_one(reward, solved): assert is_solved(reward) is solved


def test_places_and_periods():
    assert list(number_samples("abaab", str)) == [(0, "a"), (0, "b"), (1, "a"), (2, "a"), (1, "b")]
    for prompts, size in (("aaa", 1), ("abab", 2), ("abcabc", 3), ("aba", 3), ("abcd", 4), ("a", 1), ("", 1),
        ("aab", 3),
                          ("abaaba", 3)): assert find_period(prompts) == size


def test_words_of_errors():
    assert shorten("x" * 58) == repr("x" * 58) and shorten("x" * 59) == "'" + "x" * 56 + "..."
    assert shorten([1, 2], 6) == "[1, 2]" and shorten([1, 2], 5) == "[1..." and quote_names(["a", "b"]) == "'a', 'b'"


# What the caller chose.

def test_choices_of_the_caller():
    ask = Ask()
    assert ask.choose(LOG, "score", ["a", "a"]) == "a" and ask.choose(LOG, "score", ["a", "b"], ["c", "b", "a"]) == "b"
    assert ask.choose(LOG, "filter", ["a"], ["c"]) == "a" and ask.used == {"score", "filter"}
    assert fail(ask.choose, LOG, "score", ["a", "b", "a"],
        ["c"]) == "run.json holds several scores; pass score= one of 'a', 'b'"
    assert fail(ask.choose, LOG, "filter", []) == "run.json holds no filter"
    named = Ask(score="b", filter="f")
    assert named.choose(LOG, "score", ["a", "b"]) == named.choose_score(LOG, ["a", "b"], ["a"]) == "b"
    told = "score must be one of 'a', 'c', got 'b' for run.json"
    assert fail(named.choose, LOG, "score", ["a", "c"]) == fail(Ask(score="b", several=True).choose, LOG, "score",
        ["a", "c"]) == told
    assert fail(named.choose, LOG, "score", ["a"]) == "score must be one of 'a', got 'b' for run.json"
    assert Ask(score="b", several=True).choose(LOG, "score", ["a"]) == "a"
    assert Ask(grade=max, score="b").choose_score(LOG, ["a"]) is None and tell_outcome(None) == "correct=grade"
    assert tell_outcome("s") == "score=s"


def test_what_is_remembered_and_noted():
    ask = Ask()
    assert [ask.is_new(key) for key in ("a", "b", "a")] == [True, True, False] and ask.seen == dict(a=None, b=None)
    ask.note("x"), ask.note_task(None, ["q"]), ask.note_task("bare"), ask.note_task("t", ["b", "a", "b", None, ""],
        "version 1")
    ask.note_task("asked", ["a", "b"])
    hashed = hashlib.sha256(b"a\0b").hexdigest()[:8]
    assert ask.notes == ["x"] and ask.versions == dict(
        bare="", t=f"version 1, questions 2, hash {hashed}", asked=f"questions 2, hash {hashed}")


def test_logs_without_outcomes():
    error = no_outcome(LOG, "mine", "texts alone")
    assert isinstance(error, NoOutcomes) and str(error) == (
        "mine stores no outcome per sample in run.json: texts alone; pass grade='exact' or 'number' to compare each "
        "text with "
        "the target, or a function of (answer, target) that says whether the answer is right")


# Texts that are judged.

def test_rules_by_name():
    assert find_grade(None) is None and find_grade(max) is max and find_grade("number") == TextGrade("number")
    for odd in "loose", 5, ["exact"]:
        assert fail(find_grade,
            odd) == f"grade must be 'exact', 'number' or a function of (answer, target), got {odd!r}"
    assert as_list([1, 2]) == [1, 2] and as_list([]) == [[]] and as_list("a") == ["a"]
    assert is_number(1) and is_number(Fraction(1, 2)) and not is_number("1") and not is_number(None)


def test_texts_are_judged_and_counted():
    exact, number = TextGrade("exact"), TextGrade("number")
    assert [exact(" a ", "a"), exact("a", ["b", "a"]), exact("a", "b"), exact("1.0", "1")] == [True, True, False, False]
    assert [number("1.0", "1"), number("one", "1"), number("2", ["1", 3]), number("1/2", .5)] == [True, False, False,
        True]
    assert (exact.judged, exact.odd, number.judged, number.odd) == (4, 0, 4, 1)
    assert exact.tell() == "right is the text that equals the target"
    assert number.tell() == "right is the number that equals the target; 1 of 4 texts are no number and wrong"
    assert TextGrade("number").tell() == "right is the number that equals the target"
    assert exact.refuse_none_judged() is None
    for target, told in ((None, "None"), ([None], "None"), (["a", None], "None")):
        assert fail(exact, "a", target,
            kind=NoOutcomes) == f"grade='exact' needs the right answer beside each text, got {told}"
    assert fail(number, "1", "one", kind=NoOutcomes) == (
        "grade='number' needs a number as the right answer beside each text, got 'one'")
    assert fail(TextGrade("exact").refuse_none_judged) == (
        "grade='exact' compares the text of an answer with the target, and these logs hold no such text; leave "
        "grade= out to "
        "take the stored outcomes")


def test_files_beside_a_log(tmp_path):
    assert read_beside(tmp_path / "none.json", Limits()) == {}
    for text, want in (('{"a": 1}', dict(a=1)), ("[1]", {}), ("a,b", {})):
        (tmp_path / "x.json").write_text(text)
        assert read_beside(tmp_path / "x.json", Limits()) == want
    assert Limits() == Limits(2**26, 2**29, 200, 2**26)
