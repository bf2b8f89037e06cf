"Names, outcomes and scores of a table: each rule at its boundary, each sentence in full."
from decimal import Decimal

import numpy as np
import pytest

from sampling_eval.io.check import (Coded, Repeated, check_clusters, check_outcomes, check_repeats, check_scores,
                                         code_names, mark_odd, read_weights, say_repeats)
from sampling_eval.io.load import list_weights
from sampling_eval.io.sample_ids import MOST_RUNS as MOST, Runs, find_runs, join_runs
from sampling_eval.io.tabular import Batch
from sampling_eval.io.values import extend_key, tidy

NAN, INF = float("nan"), float("inf")


def place(part, row): return f"at <{part} {row}>"


def code(part, *values, times=None):
    times = np.ones(len(values), int) if times is None else np.array(times)
    return code_names(part, tidy(list(values)), times, place)


def find_error(check, *given):
    with pytest.raises((ValueError, TypeError)) as error: check(*given)
    return f"{type(error.value).__name__}: {error.value}"


# Names.

@pytest.mark.parametrize("part, values, want, names, note", [
    ("question", ["b", "a", "b"], [0, 1, 0], ["b", "a"], ""), ("question", [7, 3, 7], [0, 1, 0], [7, 3], ""),
    ("question", [7, "7", "x"], [0, 0, 1], ["7", "x"], "question names of mixed types compared as text"),
    ("sample", [1., 2.], [0, 1], [1, 2], "sample names such as 1.0 read as whole numbers"),
    ("model", [.5, 1., True], [0, 1, 2], ["0.5", "1", "True"], "model names of mixed types compared as text"),
    ("model", [.5, .7], [0, 1], ["0.5", "0.7"], ""), ("group", [True, False], [0, 1], ["True", "False"], ""),
    ("model", [1., 2.], [0, 1], [1, 2], "model names such as 1.0 read as whole numbers"),
    ("model", [""], [0], [""], ""), ("sample", ["", "nan"], [0, 1], ["", "nan"], ""),
    ("question", [float(2**53 - 1)], [0], [2**53 - 1], "question names such as 1.0 read as whole numbers"),
    ("model", ["nan", "None"], [0, 1], ["nan", "None"], "")])
def test_names_as_codes(part, values, want, names, note):
    found = code(part, *values)
    assert found.code.tolist() == want and found.note == note
    assert list(map(repr, found.names.tolist())) == list(map(repr, names))


@pytest.mark.parametrize("part, values, told", [
    ("question", ["a", None, None], "ValueError: every row needs a question, got none at <question 1> (6 of 7 fail)"),
    ("sample", [1., NAN, 2.], "ValueError: every row needs a sample, got none at <sample 1> (2 of 7 fail)"),
    ("question", [1, 2.5, 2], "TypeError: question must hold text or whole numbers, got 2.5 at <question 1>"),
    ("question", [1, 2, True], "TypeError: question must hold text or whole numbers, got True at <question 2>"),
    ("question", [1., 2., 2.**53], "TypeError: question must hold text or whole numbers, got 9007199254740992.0 "
     "at <question 2>"),
    ("question", ["a", "null", ""], "ValueError: every row needs a question, got 'null' at <question 1>; such a name "
     "is a null that became text"),
    ("model", [.5, NAN, .5], "ValueError: every row needs a model, got none at <model 1> (2 of 7 fail)"),
    ("group", ["a", "b", " "], "ValueError: every row needs a group, got ' ' at <group 2>; give it a name"),
    ("group", [" ", " ", " "], "ValueError: every row needs a group, got ' ' at <group 0>; give it a name"),
    ("model", ["a", "", "\t"], "ValueError: every row needs a model, got '' at <model 1>; give it a name")])
def test_names_that_are_refused(part, values, told):
    assert find_error(lambda: code(part, *values, times=[1, 2, 4])) == told


@pytest.mark.parametrize("size", [1000, 1001])
def test_many_numbers_are_coded_like_few(size):
    values = np.arange(size)[::-1] // 2 * 3
    found = code_names("question", values, np.ones(size, int), place)
    assert found.names.tolist() == list(dict.fromkeys(values.tolist())) and found.names.dtype == np.int64
    assert found.names[found.code].tolist() == values.tolist()


def test_many_texts_are_names_like_few():
    names = np.array([f"q{i}" for i in range(1001)], object)
    assert code_names("question", names, np.ones(1001, int), place).names.tolist() == names.tolist()
    names[7] = "null"
    assert "got 'null' at <question 7>; such" in find_error(code_names, "question", names, np.ones(1001, int), place)


def test_names_beyond_64_bits_are_objects():
    assert code("question", 2**63, 1).names.tolist() == [2**63, 1]
    for name, kind in (2**63 - 1, "i"), (2**63, "O"), (-2**63, "i"), (-2**63 - 1, "O"):
        assert code("question", name).names.dtype.kind == kind
    many = np.full(1001, 2**63, np.uint64)
    assert code_names("question", many, np.ones(1001, int), place).names.tolist() == [2**63]


def test_names_ascending():
    found = Coded(np.array([0, 1, 2, 1]), np.array(["c", "a", "b"], object), "said").sort()
    assert (found.code.tolist(), found.names.tolist(), found.note) == ([2, 0, 1, 0], ["a", "b", "c"], "said")


# Outcomes.

NAMES = np.array(["q0", "q1", "q2", "q3"], object)
TIMES = np.array([1, 2, 4, 8])


def check(*values, find_first=None):
    some = slice(len(values))
    return check_outcomes(tidy(list(values)), NAMES[some], TIMES[some], find_first).tolist()


def is_same(a, b): return [None if v != v else v for v in a] == [None if v != v else v for v in b]


@pytest.mark.parametrize("values, want", [
    ([True, False], [1, 0]), ([1, 0, 1], [1, 0, 1]), ([1., NAN, 0.], [1, NAN, 0]), ([NAN, NAN], [NAN, NAN]),
    ([None, True], [NAN, 1]), ([None, 1, 0.], [NAN, 1, 0]), ([None, None], [NAN, NAN])])
def test_outcomes_as_floats(values, want):
    assert is_same(check(*values), want)
    assert is_same(check(*values, find_first=lambda part, some: 1 / 0), want)


@pytest.mark.parametrize("values, told", [
    ([1, 0, 7, 9], "ValueError: correct must be 0 or 1, got 7 at question q2 (12 of 15 fail)"),
    ([1., NAN, .5, NAN], "ValueError: correct must be 0 or 1, got 0.5 at question q2 (4 of 5 fail)"),
    ([None, 1, None, 2], "ValueError: correct must be 0 or 1, got 2 at question q3 (8 of 10 fail)"),
    ([100, 0, 0, 100], "ValueError: correct must be 0 or 1, got 100 at question q0 (9 of 15 fail)"),
    ([10**400, 1, 0, 0], "ValueError: correct must be 0 or 1, got inf at question q0 (1 of 15 fail)"),
    ([True, 1, 0, None], "TypeError: correct must hold only bool or only 0/1, got True and 0"),
    ([False, 1., None, None], "TypeError: correct must hold only bool or only 0/1, got False and 1.0"),
    ([True, 7, "a", 5.], "TypeError: correct must hold only bool or only 0/1, got True and 5.0"),
    ([True, False, "b", "a"], "TypeError: correct must hold only bool or only 0/1, got True and 'a'")])
def test_outcomes_that_are_refused(values, told):
    assert find_error(lambda: check(*values)).startswith(told)


def test_the_first_fault_of_the_data_is_named():
    asked = []

    def find_first(part, some):
        asked.append((part, some.tolist()))
        return 3
    told = find_error(lambda: check(1, 7, 0, 9, find_first=find_first))
    assert told.startswith("ValueError: correct must be 0 or 1, got 9 at question q3 (10 of 15 fail)")
    assert asked == [("correct", [False, True, False, True])]


def test_odd_numbers_are_marked():
    assert mark_odd(np.array([0, 1, 2, -1])).tolist() == [False, False, True, True]
    assert mark_odd(np.array([0., 1., NAN, .5])).tolist() == [False, False, False, True]
    assert mark_odd(np.array([0, 1., None, "x", 7, INF], object)).tolist() == [False, False, False, False, True, True]


# Scores.

@pytest.mark.parametrize("values, want", [
    ([1, 2], [1, 2]), ([.5, NAN], [.5, NAN]), ([True, False], [1, 0]), ([None, True], [NAN, 1]), ([None, 2], [NAN, 2]),
    ([None, Decimal("0.5")], [NAN, .5]), ([None, 2**64], [NAN, 2.**64]), ([None, 2**1000 - 1], [NAN, 2.**1000]),
    ([None, None], [NAN, NAN])])
def test_scores_as_floats(values, want):
    found = check_scores("score", tidy(values), TIMES[:2], place)
    assert is_same(found.tolist(), want) and found.dtype == np.float64


@pytest.mark.parametrize("name, values, told", [
    ("score", [.5, INF, -INF], "ValueError: score must be finite, got inf at <score 1> (6 of 7 fail)"),
    ("score", [None, 1, 2**1000], "ValueError: score must be finite, got inf at <score 2> (4 of 7 fail)"),
    ("score", [None, 1, -10**400], "ValueError: score must be finite, got inf at <score 2> (4 of 7 fail)"),
    ("score", [.5, "x", "y"], "TypeError: score must hold numbers, got 'x' at <score 1>; pass score=False to leave "
     "the column out"),
    ("cost", [.5, 1, True], "TypeError: cost must hold numbers, got True at <cost 2>"),
    ("cost", [None, True, "a"], "TypeError: cost must hold numbers, got True at <cost 1>")])
def test_scores_that_are_refused(name, values, told):
    assert find_error(check_scores, name, tidy(values), TIMES[:3], place) == told
    odd = find_error(check_scores, name, tidy(values), TIMES[:3], place, lambda part, some: 0)
    assert f"at <{name} 0>" in odd


# Clusters, repeats and keys.

def make_coded(code, *names): return Coded(np.array(code), np.array(names, object))


def test_a_question_in_two_clusters():
    question = make_coded([0, 1, 0, 1, 2], "a", "b", "c")
    check_clusters(question, make_coded([0, 1, 0, 1, 0], "x", "y"))
    assert find_error(check_clusters, question, make_coded([0, 1, 0, 0, 1], "x", "y")) == (
        "ValueError: a question belongs to one cluster, got 'b' in 'y' and in 'x' (1 of 3 questions fail)")
    assert find_error(check_clusters, question, make_coded([0, 1, 2, 0, 1], "x", "y", "z")) == (
        "ValueError: a question belongs to one cluster, got 'a' in 'x' and in 'z' (2 of 3 questions fail)")


def test_a_sample_that_appears_twice():
    codes = dict(model=make_coded([0, 1, 0, 1, 0], "m", "n"), question=make_coded([0, 0, 1, 0, 1], "a", "b"),
                 sample=make_coded([0, 0, 0, 1, 1], "s", "t"))
    check_repeats(codes, place)
    del codes["model"]
    told = "each sample must appear once, got question 'a', sample 's' at <sample 0> and again at <sample 1>"
    assert find_error(check_repeats, codes, place) == f"Repeated: {told} (1 row repeats)"
    codes["file"] = make_coded([0, 1, 0, 0, 0], "f", "g")
    check_repeats(codes, place)
    codes["file"] = make_coded([0, 0, 0, 0, 0], "f")
    assert "got file 'f', question 'a', sample 's' at" in find_error(check_repeats, codes, place)
    assert (say_repeats(1), say_repeats(2)) == ("1 row repeats", "2 rows repeat") and issubclass(Repeated, ValueError)


def test_the_first_of_several_repeats_is_named():
    codes = dict(question=make_coded([1, 0, 0, 1, 0], "a", "b"), sample=make_coded([0] * 5, 7))
    assert find_error(check_repeats, codes, place) == (
        "Repeated: each sample must appear once, got question 'a', sample 7 at <sample 1> and again at <sample 2> "
        "(3 rows repeat)")


def test_keys_do_not_overflow():
    key, code_ = np.array([0, 3, 3]), np.array([1, 0, 1])
    assert extend_key(key, code_, 2).tolist() == [1, 6, 7]
    size = 2**60
    assert extend_key(key[:2], code_[:2], size - 1).tolist() == [1, 3 * (size - 1)]
    assert extend_key(key, code_, size).tolist() == [1, size, size + 1]


# Runs.

def make_batch(size, **given): return Batch({}, np.ones(size, int), place, **given)


def test_runs_by_sample_and_by_file():
    sample, file = make_coded([0, 1, 0], 7, 3), make_coded([0, 0, 1], "b", "a")
    found = find_runs(make_batch(3), dict(sample=sample))
    assert found.names == (3, 7) and found.code.tolist() == [1, 0, 1] and found.words is None
    assert find_runs(make_batch(3), dict(file=file)).names == ("a", "b")
    both = find_runs(make_batch(3), dict(sample=sample, file=file))
    assert both.names == ("a 7", "b 3", "b 7") and both.code.tolist() == [2, 1, 0]
    assert find_runs(make_batch(3), {}) is None


def test_the_largest_number_of_runs():
    assert MOST == 156
    for size, known in (MOST, True), (MOST + 1, False):
        some = make_coded(np.arange(size), *range(size))
        assert (find_runs(make_batch(size), dict(sample=some)) is not None) is known
    for half, known in (78, True), (79, False):
        file, sample = np.divmod(np.arange(2 * half), half)
        codes = dict(file=make_coded(file, "a", "b"), sample=make_coded(sample, *range(half)))
        assert (find_runs(make_batch(2 * half), codes) is not None) is known


def test_runs_of_an_engine():
    draws = np.array([[1, 0, 0], [2, 0, 1]])
    found = find_runs(make_batch(2, draws=draws), {})
    assert found.names == tuple(range(MOST)) and found.code is None and found.words is draws
    assert find_runs(make_batch(2, draws=draws), dict(file=make_coded([0, 0], "a"))) is None
    joined = join_runs(found, np.array([0, 0]))
    assert joined["runs"].tolist() == [[3, 0, 1]] and joined["run_names"] == found.names


def test_runs_behind_counted_rows():
    assert join_runs(None, np.array([0])) == {}
    for size in 1, 52, 53, 104, 156:
        joined = join_runs(Runs(tuple(range(size)), np.arange(size)), np.arange(size) % 2)
        assert joined["run_names"] == tuple(range(size)) and joined["runs"].dtype == np.int64
        for row in range(min(2, size)):
            whole = sum(int(word) << 52 * i for i, word in enumerate(joined["runs"][row]))
            assert whole == sum(1 << run for run in range(row, size, 2))
    many = join_runs(Runs(tuple(range(52)), np.full(4096, 51)), np.zeros(4096, int))
    assert many["runs"].tolist() == [[2**62, 0, 0]]


# Weights.

def weigh(*weights, question=(0, 1, 0, 1)):
    batch = Batch(dict(weight=tidy(list(weights))), TIMES, place)
    return read_weights(batch, make_coded(question, "a", "b", "c"))


def test_weights_of_rows():
    assert weigh(2, .5, 2, .5).tolist() == [2, .5, 2, .5]
    told = find_error(weigh, 2, 0, 2, 0)
    assert told.startswith("ValueError: every row needs a positive and finite weight, got ")
    assert told.endswith(" at <weight 1> (10 of 15 fail)")
    assert find_error(weigh, 2., NAN, 2., 1.).endswith(" at <weight 1> (2 of 15 fail)")
    assert find_error(weigh, 2., 1., -1., 1.).endswith(" at <weight 2> (4 of 15 fail)")
    assert find_error(weigh, 2, "x", 2, 1) == "TypeError: weight must hold numbers, got 'x' at <weight 1>"
    assert find_error(weigh, 2, 3, 1, 3) == (
        "ValueError: a question has one weight, got 1 and 2 at 'a' (1 of 3 questions fail)")
    assert find_error(weigh, 2, 3, 2, 4) == (
        "ValueError: a question has one weight, got 3 and 4 at 'b' (1 of 3 questions fail)")
    assert find_error(weigh, 1, 3, 2, 4).endswith("got 1 and 2 at 'a' (2 of 3 questions fail)")


def test_weights_beside_the_data_are_taken_as_they_are():
    given = {"a": 1.}
    assert list_weights(None, given) is given and list_weights(None, None) is None
