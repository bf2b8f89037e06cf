"Single rules on which column plays which part, at the boundary of each condition."

from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.reading.rules import (
    are_aliases,
    are_judged,
    choose_whole,
    code_setting,
    hold_words,
    holds_prompts,
    is_fraction,
    is_function,
    is_short,
    is_uneven,
    is_unique,
    may_be_setting,
    settle_part,
    settle_question,
    show_names,
)
from sampling_eval.reading.values import tidy


def codes(*columns):
    return [np.array(column) for column in columns]


@pytest.mark.parametrize(
    "one, other, function, aliases",
    [
        ([0, 0, 1], [0, 0, 1], True, True),
        ([0, 1, 2], [0, 0, 1], True, False),
        ([0, 0, 1], [0, 1, 2], False, False),
        ([0, 1, 0, 2], [1, 0, 1, 2], True, True),
    ],
)
def test_columns_that_name_the_same(one, other, function, aliases):
    one, other = codes(one, other)
    assert is_function(one, other) is function and are_aliases(one, other) is aliases


@pytest.mark.parametrize(
    "one, other, want",
    [
        ([0, 0, 1, 1], [0, 0, 1, 1], "a"),
        # The finer one, where fewer than half of the rows were one question by the other.
        ([0, 0, 1, 2, 3], [0, 1, 2, 3, 4], "b"),
        ([0, 1, 2, 3, 4], [0, 0, 1, 2, 3], "a"),
        ([0, 0, 1, 2], [0, 1, 2, 3], "ab"),
        # No finer one, and a single question.
        ([0, 0, 1, 1], [0, 1, 0, 1], "ab"),
        ([0, 0, 0, 0], [0, 0, 0, 0], "ab"),
    ],
)
def test_the_finest_of_several_questions(one, other, want):
    assert settle_question(["a", "b"], codes(one, other)) == list(want)


@pytest.mark.parametrize(
    "values, words",
    [
        (["yes", "no"], True),
        (["yes", None], True),
        ([True, False], False),
        (["1", "0"], False),
        (["yes", 1], False),
        ([None], False),
        (["x"], False),
    ],
    ids=str,
)
def test_words_for_right_and_wrong(values, words):
    assert hold_words(tidy(values)) is words


@pytest.mark.parametrize(
    "column, text, prompt",
    [
        ("system", "x" * 60, False),
        ("system", "x" * 61, True),
        ("system", "You are x", True),
        ("system", "one two three four", False),
        ("system", "one two three four five", True),
        ("system", "one two.", False),
        ("system", "one two three.", True),
        ("system", "one two three!", True),
        ("model", "You are x", False),
        ("System", "You are x", True),
    ],
)
def test_what_a_model_is_told(column, text, prompt):
    assert holds_prompts(column, tidy([None, text, "gpt"])) is prompt


@pytest.mark.parametrize(
    "scope, numbers, unique",
    [
        ([0, 0, 1], [[0, 1, 0]], True),
        ([0, 0, 1], [[0, 0, 1]], False),
        ([0, 0, 0], [[0, 0, 1], [0, 1, 0]], True),
        ([0, 1], [], True),
        ([0, 0], [], False),
    ],
)
def test_numbers_that_stand_once_in_a_question(scope, numbers, unique):
    assert is_unique(*codes(scope), codes(*numbers)) is unique


@pytest.mark.parametrize(
    "values, short",
    [
        ([1, 2], True),
        (["a" * 40, 1], True),
        (["a" * 41, 1], False),
        ([1.5], False),
        ([None], False),
    ],
    ids=lambda value: str(value)[:9],
)
def test_values_that_may_number_samples(values, short):
    assert is_short(tidy(values)) is short


@pytest.mark.parametrize(
    "values, uneven", [([0, 0, 1], False), ([0, 0, 0, 1], True), ([0, 1], False)]
)
def test_values_of_which_one_is_twice_as_common(values, uneven):
    assert is_uneven(np.zeros(len(values), int), np.array(values)) is uneven


@pytest.mark.parametrize(
    "values, known",
    [
        (["a", "b", "a", "b"], True),
        (["a", "a"], False),
        (["a", "b"], True),
        (["a", "b", "c"], False),
        (["a", "b", "c", "a", "b"], False),
        (["a", "b", "c", "a", "b", "c"], True),
        ([[1], [1], [2], [2]], False),
        (["a", "b" * 200] * 2, True),
        (["a", "b" * 201] * 2, False),
        ([*range(50)] * 2, True),
        ([*range(51)] * 2, True),
        ([i + 0.5 for i in range(50)] * 2, True),
        ([i + 0.5 for i in range(51)] * 2, False),
        ([*range(600)] * 2, False),
    ],
    ids=lambda value: str(value)[:15],
)
def test_values_that_may_be_settings(values, known):
    values = np.fromiter(values, object, len(values))
    code, names = code_setting(values)
    assert bool(names) is known and len(code) == known * len(values)


@pytest.mark.parametrize(
    "values, may",
    [(["a", "a"], True), (["a", "b"], True), (["a", "b", "c"], False), ([[1], [1]], False)],
    ids=str,
)
def test_values_that_may_become_settings(values, may):
    assert may_be_setting(np.fromiter(values, object, len(values))) is may


def test_words_that_are_judgements():
    assert are_judged(["pass", " Fail", None]) and are_judged(["correct"])
    assert not are_judged(["yes", "no"]) and not are_judged(["pass", "x"])


@pytest.mark.parametrize(
    "value, fraction", [(0.5, True), ("0.5", True), (2.0, False), ("x", False), (None, False)]
)
def test_fractions(value, fraction):
    assert is_fraction(value) is fraction


def test_two_names_are_shown():
    assert show_names(["b", "10", 9]) == "'9', '10', ..."
    assert show_names(["b", 1.0]) == "'1', 'b'"


def test_questions_of_which_all_rows_are_seen():
    names, times = list(range(40)), np.full(40, 1000)
    few = choose_whole(names, times)
    assert len(few) == 30 and len(set(few)) == 30 and few != names[:30]
    assert choose_whole(names, np.full(40, 250)) == choose_whole(names[::-1], np.full(40, 250))
    assert len(choose_whole(names, np.full(40, 250))) == 40
    assert len(choose_whole(names, np.full(40, 251))) == 39


def test_several_columns_that_name_the_model():
    "One of them, where all of them name the same; else they are told apart by a question."
    columns = dict(
        model=["a", "b", "b"], system=["x", "y", "y"], name=["x", "x", "y"], other=["a", "b", "c"]
    )
    case = SimpleNamespace(see=lambda found: {name: np.array(columns[name]) for name in found})
    assert settle_part(case, "model", ["model", "system"]) == ["model"]
    assert settle_part(case, "model", ["system"]) == ["system"]
    assert settle_part(case, "model", ["model", "name"]) == ["model", "name"]
    assert settle_part(case, "answer", ["model", "system"]) == ["model", "system"]
