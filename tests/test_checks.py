"Checks of what is passed, at the boundaries of what is taken, with what each refusal says."

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from sampling_eval.foundations.checks import (
    check_blank,
    check_places,
    check_real,
    check_rng,
    check_rows,
    check_rules,
    check_same_lengths,
    check_table,
    count_outcomes,
    equal_fields,
    faults,
    flatten,
    is_blank,
    is_masked,
    list_entries,
    make_array,
    make_generator,
    match_names,
    normalized,
    number_answers,
    number_labels,
    real_number,
    real_numbers,
    refuse_conflicts,
    refuse_look_alikes,
    refuse_mixed,
    refuse_tables,
    whole_number,
    whole_numbers,
    zero_one,
)

MASKED = np.ma.array([1, 0], mask=[0, 1])


def refusal(call, *given):
    with pytest.raises((ValueError, TypeError)) as refused:
        call(*given)
    return str(refused.value)


@pytest.mark.parametrize(
    "bad, names, said",
    [
        (True, None, ""),
        ([False, True, True], None, " at question 1 (2 of 3 fail)"),
        ([False, True], ["x", "y"], " at question 'y' (1 of 2 fail)"),
        ([True, False], np.array([7, 8]), " at question 7 (1 of 2 fail)"),
        ([[False, False], [True, True]], None, " at question (1, 0) (2 of 4 fail)"),
    ],
)
def test_where_a_rule_is_broken(bad, names, said):
    assert faults(bad, names) == said


def test_arrays_of_one_shape():
    given = np.ones(2)
    assert make_array("x", given) is given and make_array("x", [[1], [2]]).shape == (2, 1)
    assert refusal(make_array, "x", [[1], [1, 2]]) == (
        "x must hold rows of one length, got [[1], [1, 2]]"
    )


@pytest.mark.parametrize(
    "value, floats",
    [
        (True, 1.0),
        ([1, 2.5], [1, 2.5]),
        ([Fraction(1, 4), Decimal("0.5")], [0.25, 0.5]),
        ([[Fraction(1, 4)], [2]], [[0.25], [2]]),
        (np.uint8([3]), [3]),
        (np.nan, np.nan),
        (10**400 // 10**399, 10),
    ],
    ids=str,
)
def test_real_numbers(value, floats):
    found = real_numbers("x", value)
    assert found.dtype == float and np.array_equal(found, floats, equal_nan=True)


@pytest.mark.parametrize(
    "value, said",
    [
        ("a", "x must hold numbers, got 'a'"),
        ([1, "a"], "x must hold numbers, got 'a'"),
        ([1, None], "x must hold numbers, got None"),
        (1j, "x must hold numbers, got 1j"),
        (MASKED, "x must hold numbers, got masked_array"),
        ([10**400], "x must hold numbers within the range of floats, got [1000"),
        ([[1], [1, 2]], "x must hold rows of one length"),
        (np.ma.array([1, Fraction(1, 2)], object, mask=[0, 1]), "x must hold numbers, got masked"),
    ],
    ids="text among none complex masked huge ragged masked-objects".split(),
)
def test_real_numbers_refused(value, said):
    assert refusal(real_numbers, "x", value).startswith(said)


def test_one_real_number():
    assert real_number("x", Fraction(1, 2)) == 0.5 and type(real_number("x", 3)) is float
    assert refusal(real_number, "x", [3]) == "x must be one number, got [3]"


ENTRIES = {
    "list": [1],
    "tuple": (1,),
    "array": np.array([1]),
    "dict": {1: 2},
    "text": "a",
    "iterator": iter([1]),
}


@pytest.mark.parametrize("value", ENTRIES.values(), ids=ENTRIES)
def test_entries(value):
    assert len(list_entries("x", value)) == 1


@pytest.mark.parametrize("value", [1, None, np.array(3)], ids=str)
def test_what_has_no_entries(value):
    assert refusal(list_entries, "x", value, "rows").startswith("x must be a list of rows, got ")
    assert refusal(list_entries, "x", value).startswith("x must be a list of entries, got ")


def test_names_of_questions():
    assert match_names(None, 2).tolist() == [0, 1] and match_names("ab".split(), 1)[0] == "ab"
    assert refusal(match_names, "abc", 3) == "questions must be a list of names, got 'abc'"
    assert refusal(match_names, [1, 2], 3) == (
        "questions must hold one value per question (3), got 2"
    )


@pytest.mark.parametrize("rng", [None, 0, 7, np.int64(3), np.random.default_rng(0)], ids=str)
def test_seeds_and_generators(rng):
    assert check_rng(rng) is None and isinstance(make_generator(rng), np.random.Generator)
    assert make_generator(None).random() == np.random.default_rng(0).random()


@pytest.mark.parametrize("rng", [-1, True, 0.5, "1", np.random.RandomState(0)], ids=str)
def test_what_starts_no_generator(rng):
    said = "rng must be None, a whole number of at least 0 or a Generator, got "
    assert refusal(make_generator, rng).startswith(said)


@pytest.mark.parametrize(
    "given, said",
    [
        ((0,), "need n >= 1, got 0"),
        ((2**31,), "need n <= 2147483647, got 2147483648"),
        ((1, 2), "need n >= 2, got 1"),
        ((6, 2, 5), "need n <= 5, got 6"),
        ((True,), "n must be an int, got True"),
        ((1.0,), "n must be an int, got 1.0"),
    ],
    ids=str,
)
def test_whole_numbers_out_of_range(given, said):
    assert refusal(whole_number, "n", *given) == said


def test_whole_numbers_in_range():
    assert [whole_number("n", o) for o in (1, 2**31 - 1, np.int8(5))] == [1, 2**31 - 1, 5]
    assert whole_number("n", 2, 2, 2) == 2 and type(whole_number("n", np.int8(5))) is int


def test_masked_arrays():
    assert is_masked(MASKED) and not is_masked(np.ones(2)) and not is_masked([1])


@pytest.mark.parametrize(
    "value, said",
    [
        (MASKED, "x must have no mask, got a masked array; leave masked samples out of their row"),
        (
            pd.DataFrame(dict(a=[1])),
            "x must be rows of 0/1, got a DataFrame, whose columns would pass for questions; "
            "write f(x), frame.to_numpy() for one row per question",
        ),
    ],
    ids=["mask", "frame"],
)
def test_tables_refused(value, said):
    assert refusal(refuse_tables, "x", value, "0/1", "f(x), ") == said
    assert refuse_tables("x", [[1]]) is None


@pytest.mark.parametrize(
    "values", [[1, 2.5], [True, False], [[True], [1]], ["a", True], []], ids=str
)
def test_values_of_one_kind(values):
    assert refuse_mixed("x", values) is None


@pytest.mark.parametrize(
    "values, got",
    [
        ([True, 0, 2], "True and 0"),
        ([False, 1.5], "False and 1.5"),
        ([[1, 2], (np.True_, 3)], "True and 3"),
        ([np.False_, np.float32(2)], "False and 2.0"),
    ],
    ids=str,
)
def test_flags_among_numbers(values, got):
    assert refusal(refuse_mixed, "x", values, "integers") == (
        f"x must hold only bool or only integers, got {got}"
    )


def test_a_masked_value():
    assert refusal(refuse_mixed, "x", [1, np.ma.masked]) == (
        "x must have no mask, got a masked value; leave it out"
    )


@pytest.mark.parametrize(
    "value, said",
    [
        ([], "x must hold at least one number, got none"),
        ([1.5, 2], "x must hold integers, got 1.5 at question 0 (1 of 2 fail)"),
        ([1.0, 2.0], "x must hold integers, got dtype float64"),
        (1.5, "x must hold integers, got 1.5"),
        ([True], "x must hold integers, got dtype bool"),
        ([2**64], "x must hold integers, got a number beyond 64 bits"),
        (["a"], "x must hold integers, got dtype <U1"),
        (MASKED, "x must hold integers, got a masked array"),
        (np.array([2**63], np.uint64), "x must hold numbers below 2**63, got 9223372036854775808"),
        (np.uint64([1, 2**63]), "x must hold numbers below 2**63, got 9223372036854775808"),
        ([1, None], "x must hold integers, got dtype object"),
    ],
    ids="none half floats one flags huge text masked unsigned one-unsigned gap".split(),
)
def test_what_is_no_whole_number(value, said):
    assert refusal(whole_numbers, "x", value) == said


def test_whole_numbers_are_copied_unless_nobody_can_change_them():
    free = np.array([1, 2])
    kept = free.copy()
    kept.setflags(write=False)
    assert whole_numbers("x", free) is not free and whole_numbers("x", kept) is kept
    top = np.array([2**63 - 1], np.uint64)
    assert whole_numbers("x", top).tolist() == [2**63 - 1]


@dataclass
class Held:
    a: object
    b: object = field(default=None, compare=False)


@pytest.mark.parametrize(
    "one, other, equal",
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1, 2]), np.array([1, 3]), False),
        (np.array(["a"]), np.array(["a"]), True),
        (1, 1.0, False),
        ("x", "x", True),
        (dict(a=np.ones(2)), dict(a=np.ones(2)), True),
        (dict(a=1), dict(b=1), False),
        (dict(a=1), dict(a=2), False),
        (np.ones(1), [1.0], False),
        (dict(a=1), [1], False),
    ],
)
def test_equal_objects(one, other, equal):
    assert equal_fields(Held(one), Held(other)) == equal
    assert not equal_fields(Held(one), one)
    assert equal_fields(Held(1, 2), Held(1, 3)), "a field that is not compared"


# Outcomes.


@pytest.mark.parametrize(
    "flat", [[1, 0], [1.0, 0.0], [True, False], np.array([1, False], object)[:1].tolist() + [0]]
)
def test_outcomes_as_flags(flat):
    assert zero_one(flat, [0, 1]).tolist() == [True, False]


@pytest.mark.parametrize(
    "flat, said",
    [
        ([0, 2], "be 0 or 1, got 2 at question q1 (1 of 2 fail); pass graded outcomes as score"),
        ([np.nan, 1], "got nan at question q0 (1 of 2 fail); judge it, or choose a policy"),
        ([100, 100], "got 100 at question q0 (2 of 2 fail); are these percentages?"),
        ([100, 50], "(2 of 2 fail); pass graded outcomes as score"),
        ([1, "no"], "correct must hold 0/1 or bool, got 'no'; compare text with the gold answer"),
        ([1, None], "correct must hold 0/1 or bool, got None"),
        (np.array([True, 1], object), "correct must hold only bool or only 0/1, got True and 1"),
        (np.array([True, 1, None], object), "correct must hold 0/1 or bool, got None"),
        (np.array([2**70, "x"], object), "correct must hold 0/1 or bool, got 'x'"),
        ([0, 2**70], f"correct must hold 0/1 or bool, got {2**70}"),
        ([1, 2**70], f"correct must hold 0/1 or bool, got {2**70}"),
    ],
)
def test_outcomes_that_are_none(flat, said):
    assert said in refusal(zero_one, flat, ["q0", "q1"])


def test_faults_are_counted_by_samples():
    assert "(5 of 7 fail)" in refusal(zero_one, [1, 2, 3], [0, 1, 2], [2, 4, 1])


@pytest.mark.parametrize("width", [1, 7, 8, 16, 24, 32, 64, 136, 255, 256, 264])
def test_flags_are_counted_in_words(width):
    table = np.random.default_rng(width).random((5, width)) < 0.4
    for given in table, table.astype(np.int8), table.tolist(), table.astype(float):
        n, c = count_outcomes(given)
        assert n.tolist() == [width] * 5 and c.tolist() == table.sum(1).tolist()


@pytest.mark.parametrize(
    "rows, n, c",
    [
        ([[1, 0, 1], [0]], [3, 1], [2, 0]),
        ([(True,), (False, True)], [1, 2], [1, 1]),
        ([np.array([1, 0]), [1]], [2, 1], [1, 1]),
        ([[1, 1], [1, 2][:1] * 2], [2, 2], [2, 2]),
    ],
)
def test_rows_of_outcomes(rows, n, c):
    found = count_outcomes(rows)
    assert [o.tolist() for o in found] == [n, c]


@pytest.mark.parametrize(
    "outcomes, said",
    [
        ([], "outcomes must hold at least one question, got none"),
        ([1, 0], "outcomes must hold one row per question; write [x] for one question"),
        (["10"], "outcomes must hold one row per question"),
        ([[1], []], "every question needs a sample, got none at question 1 (1 of 2 fail)"),
        (np.ones((2, 0)), "every question needs a sample, got none"),
        (np.ones((2, 3, 4), int), "got shape (2, 3, 4); if the first is of systems, type x[0]"),
        ([[[1, 0]], [[1]]], "got 2 tables"),
        ([[4, 4, 2], [1, 0, 2]], "got what looks like n and c of 3 questions; type Counts(n, c)"),
        ([[1, 2], [1, 0]], "got what looks like n and c of 2 questions; type Counts(n, c)"),
        ([MASKED, [1]], "outcomes must have no mask, got a masked row"),
        (np.array([[0, 2]]), "correct must be 0 or 1, got 2 at question 0"),
        (np.array([[0, -1]]), "correct must be 0 or 1, got -1 at question 0"),
    ],
)
def test_outcomes_refused(outcomes, said):
    assert said in refusal(count_outcomes, outcomes)


@pytest.mark.parametrize(
    "pair",
    [
        [[1, 1], [0, 1]],
        [[2, 2], [3, 1]],
        [[0, 2], [0, 1]],
        [[2.0, 2.0], [1, 0]],
        [[2, 2], [1.0, 0.0]],
    ],
    ids=str,
)
def test_rows_that_are_no_counts(pair):
    try:
        count_outcomes(pair)
    except ValueError as error:
        assert "looks like n and c" not in str(error)


# Labels.


@pytest.mark.parametrize(
    "label, rule, want",
    [
        (" A ", None, " A "),
        (" A ", "strip", "A"),
        (" A ", "lower", "a"),
        (" A ", len, 3),
        (5, "strip", 5),
        (5, "lower", 5),
        ("1,000", "number", 1000),
        ("10,00", "number", "10,00"),
        ("0.50", "number", Fraction(1, 2)),
        ("1e3", "number", 1000),
        ("1/2", "number", Fraction(1, 2)),
        ("-4/2", "number", -2),
        ("1/0", "number", "1/0"),
        ("e5", "number", "e5"),
        ("+e5", "number", "+e5"),
        (" x1 ", "number", "x1"),
        (0.5, "number", Fraction(1, 2)),
        (2.0, "number", 2),
        (float("inf"), "number", float("inf")),
        (7, "number", 7),
        (".", "number", "."),
    ],
    ids=str,
)
def test_labels_after_a_rule(label, rule, want):
    found = normalized(label, rule)
    assert found == want and type(found) is type(want)


def test_rules_that_are_none():
    assert refusal(normalized, "a", "upper") == (
        "normalize must be 'strip', 'lower', 'number', a function or None, got 'upper'"
    )
    assert check_rules(None, "refuse", None) is None and check_rules("vote", "mean", len) is None
    for given in ("x", "refuse", None), (None, "x", None), (None, "any", "x"):
        assert "got 'x'" in refusal(check_rules, *given)


@pytest.mark.parametrize(
    "label, blank",
    [(None, 1), ("", 1), (np.nan, 1), (np.float32("nan"), 1), (pd.NA, 1), (pd.NaT, 1)]
    + [(" ", 0), (0, 0), (0.0, 0), (False, 0), ("nan", 0)],
    ids=repr,
)
def test_blank_labels(label, blank):
    assert is_blank(label) == bool(blank)


def test_labels_are_numbered_as_they_appear():
    labels, code = number_labels(["b", "a", "b", 1])
    assert labels == ["b", "a", 1] and code.tolist() == [0, 1, 0, 2]
    labels, code = number_answers(["1", None, "1.0", "", "x"], "number", [0] * 5, np.arange(1))
    assert labels == [1, None, "x"] and code.tolist() == [0, 1, 0, 1, 2]
    labels, code = number_answers([[1], None, [1]], str, [0] * 3, np.arange(1))
    assert labels == ["[1]", None] and code.tolist() == [0, 1, 0]


def test_answers_that_no_dict_can_hold():
    said = refusal(number_answers, ["a", [1]], None, [0, 1], np.array(["p", "q"]))
    assert said.startswith("answers must be hashable, got list [1] at question 'q'; pass normalize")


def test_conflicts_are_named():
    votes, right = np.array([3, 2, 4]), np.array([1, 2, 0])
    given = np.array([0, 0, 1]), ["a", "b", "c"], votes, right, ["p", "q"]
    said = refusal(refuse_conflicts, *given)
    assert "got 'a' (1 right, 2 wrong) at question 'p' (1 of 3 answers fail)" in said
    assert refuse_conflicts(*given[:3], np.array([3, 0, 4]), given[4]) is None


def test_a_number_beside_its_text():
    names = ["p", "q"]
    assert refuse_look_alikes(np.array([0, 1]), ["5", 5], names) is None
    assert refuse_look_alikes(np.array([0, 0]), ["5", None], names) is None
    assert refuse_look_alikes(np.array([0, 0]), ["5", 6], names) is None
    for number in 5, 5.0:
        said = refusal(refuse_look_alikes, np.array([1, 1]), ["5", number], names)
        assert "got both for '5' at question 'q'" in said


# Tables of votes and scores.


@pytest.mark.parametrize(
    "question, questions, said",
    [
        ([[0]], None, "question must be 1-D, got shape (1, 1)"),
        ([2**31], None, "need question <= 2147483647, got 2147483648"),
        ([-1], None, "need question >= 0, got -1"),
        ([0, 2], ["p", "q"], "question must lie in 0..1, got 2 (1 of 2 fail)"),
        ([-1, 0], ["p"], "question must lie in 0..0, got -1 (1 of 2 fail)"),
    ],
)
def test_places_refused(question, questions, said):
    assert refusal(check_places, question, questions) == said


def test_places_of_questions():
    question, names = check_places([2, 0], None)
    assert question.tolist() == [2, 0] and names.tolist() == [0, 1, 2]
    assert check_places([0], ["p", "q"])[1].tolist() == ["p", "q"]


def test_columns_of_votes():
    found = check_table([0, 1], ["a", "b"], [1, 0], None, None)
    assert found[3].tolist() == [1, 1] and found[2].tolist() == [True, False]
    said = refusal(check_table, [0, 1], ["a"], [1, 0], None, None)
    assert said.endswith("must have one length, got [1, 2]")
    assert refusal(check_table, [0], ["a"], [1], [0], None) == "need votes >= 1, got 0"


def test_blank_answers_need_a_rule():
    blank, right = np.array([False, True, True]), np.array([True, False, True])
    votes = np.array([5, 2, 1])
    names = ["p", "q", "r"]
    said = refusal(check_blank, blank, right, votes, names, None)
    assert "need a rule, got 3 of 8, first at question 'q'" in said
    said = refusal(check_blank, blank, right, votes, names, "abstain")
    assert "cannot be right, got one at question 'r' (1 of 8 fail)" in said
    assert check_blank(blank, right & ~blank, votes, names, "abstain") is None


@pytest.mark.parametrize(
    "table, said",
    [
        ([], "x must hold at least one question, got none"),
        ([1, 2], "x must hold one row per question; write [x] for one question"),
        (["ab"], "x must hold one row per question"),
        (np.array(3), "x must be a list of rows, one a question"),
        ([MASKED], "x must have no mask"),
    ],
)
def test_rows_refused(table, said):
    assert refusal(check_rows, "x", table).startswith(said)


def test_rows_and_their_lengths():
    table, n = check_rows("x", [[1], [2, 3]])
    assert n.tolist() == [1, 2] and flatten(table) == [1, 2, 3]
    table, n = check_rows("x", np.arange(6).reshape(3, 2))
    assert n.tolist() == [2, 2, 2] and flatten(table).tolist() == [*range(6)]


@pytest.mark.parametrize(
    "n, m, said",
    [
        ([1, 2], [1], "a and b must cover the same questions, got 2 and 1"),
        ([1, 2], [1, 3], "a and b must have one length, got 2 and 3 at question 'q' (1 of 2 fail)"),
        ([1, 0], [1, 0], "every question needs a sample, got none at question 'q' (1 of 2 fail)"),
    ],
)
def test_lengths_of_two_tables(n, m, said):
    assert refusal(check_same_lengths, "a", np.array(n), "b", np.array(m), ["p", "q"]) == said
    assert check_same_lengths("a", np.ones(2), "b", np.ones(2), ["p", "q"]) is None


def test_scores_that_are_numbers():
    assert check_real(np.array([1, 2]), "ab").dtype == float
    found = check_real([1, None, 0.5, np.nan], "abcd")
    assert np.array_equal(found, [1, np.nan, 0.5, np.nan], equal_nan=True)
    for odd in "", "1", 1j, b"1", [1]:
        said = refusal(check_real, [1, odd], ["p", "q"])
        assert said.startswith("scores must be numbers, got ") and "question q (1 of 2" in said


def test_which_number_stands_beside_its_text():
    names = ["p", "q", "r", "s"]
    apart = np.array([0, 0, 1, 2, 3]), ["5", "x", "x", "x", 5]
    assert refuse_look_alikes(*apart, names) is None
    said = refusal(refuse_look_alikes, np.array([0, 1, 1, 2]), ["x", "5", 5, "5"], names)
    assert "got both for '5' at question 'q'" in said
    said = refusal(refuse_look_alikes, np.array([0, 0, 3, 3]), ["7", 5, 7.0, "7"], names)
    assert "got both for 7.0 at question 's'" in said


def test_tables_whose_rows_differ_are_no_tables():
    said = refusal(count_outcomes, [[[1, 0]], [[1], [0, 1]]])
    assert said.startswith("outcomes must hold one row per question; write [x] for one question")
    assert refusal(count_outcomes, [[[1, 0]], [1]]).startswith("outcomes must hold one row per")


def test_three_conflicts_are_named():
    given = np.zeros(4, int), [*"abcd"], np.full(4, 2), np.ones(4, int), ["p"]
    said = refusal(refuse_conflicts, *given)
    assert said.count("(1 right, 1 wrong) at question 'p'") == 3 and "'d'" not in said
    assert "(4 of 4 answers fail)" in said
