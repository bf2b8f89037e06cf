"Outcomes that are written as words."
import numpy as np
import pytest

from sampling_eval.io.values import are_words, read_words

def make_objects(*values): return np.array(values, object)


@pytest.mark.parametrize("values, want", [
    (["C", "I", None], True), (["c", " i ", "P", "N"], True), (["true", "FALSE"], True), (["1", "0"], True),
    (["yes"], True), (["yes", "false"], False), (["p", "true"], False), (["C", 1], False), ([None, None], False),
    (["", "C"], False), (["solved", "unsolved"], True), (["correct", "incorrect", "wrong"], True),
    (["right", "wrong"], True)])
def test_words_for_outcomes(values, want):
    assert are_words(make_objects(*values)) is want and are_words(np.array([1, 0])) is False


@pytest.mark.parametrize("values, want, note", [
    (["C", "I", " c", None], [True, False, True, None], "C = correct, c = correct, I = incorrect"),
    (["N", "C"], [False, True], "C = correct, N = incorrect"), (["wrong"], [False], "wrong = incorrect"),
    (["correct", "wrong"], [True, False], "correct = correct, wrong = incorrect"), ([1, None], [1, None], ""),
    (["Yes", "no"], [True, False], "Yes = correct, no = incorrect"), ([None], [None], "")])
def test_words_as_flags(values, want, note):
    found, said = read_words(make_objects(*values), np.ones(len(values), int))
    assert found.tolist() == want and said == note


@pytest.mark.parametrize("values, times, told", [
    (["yes", "maybe", "no", "maybe"], [1, 2, 4, 8], "0/1 or bool, got 'maybe' (10 of 15 fail); compare"),
    (["d", "c", "b", "a"], [1, 2, 4, 8], "0/1 or bool, got 'a', 'b', 'd' (13 of 15 fail); compare"),
    (["yes", 1, None], [1, 2, 4], "0/1 or bool, got 'yes' (1 of 7 fail); compare"),
    (["yes", "true", "C", "pass", "solved"], [1] * 5,
     "must hold words of one kind, got 'C' and 'pass' and 'solved' and 'true'"),
    (["C", "P"], [1, 1], "must be right or wrong, got 'P', which is partial credit; write C, P and I as 1, 0.5 and 0"),
    (["P", "x"], [1, 2], "0/1 or bool, got 'P', 'x' (3 of 3 fail); compare")])
def test_words_that_are_no_outcomes(values, times, told):
    with pytest.raises(TypeError) as error: read_words(make_objects(*values), np.array(times))
    assert told in str(error.value)
