"Single rules on which column plays which part, at the boundary of each condition."

from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.reading.columns import batch_of
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.options import Options
from sampling_eval.reading.rules import (
    Case,
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
    leave_prompts,
    may_be_setting,
    number_samples,
    refuse_finer_ids,
    refuse_targets,
    settle_part,
    settle_question,
    show_names,
    take_words,
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


# Rules on a whole table.


def make(columns, options=None, **chosen):
    "A table whose question is column q, with the parts that are chosen."
    case = Case([columns_source(columns)], Options.of(options or {}))
    case.chosen = dict(question="q") | chosen
    parts = {part: tidy(list(columns[column])) for part, column in case.chosen.items()}
    case.batch = batch_of(parts)
    return case


ALONE, TOGETHER = "numbers its samples", "number its samples together"
CALLED, COUNTING = "called as a sample", "numbers from 0 or 1 on, each once a question"


@pytest.mark.parametrize(
    "columns, chosen, sample, why",
    [
        (dict(seed="0101"), {}, "seed", ALONE),
        # Runs number samples where no other column does.
        (dict(run="0101", seed="5656"), {}, "seed", ALONE),
        (dict(run="0101", seed="5566"), {}, "run", ALONE),
        (dict(attempt_no="0101"), {}, "attempt_no", ALONE),
        (dict(attempt_no="0101", seed="5656"), {}, "seed", ALONE),
        (dict(attempt_no=[0.5, 1.5, 0.5, 1.5]), {}, None, None),
        (dict(seed=[0.5, 1.5, 0.5, 1.5]), {}, "seed", ALONE),
        (dict(attempt_no=["a" * 41, "b", "a" * 41, "b"]), {}, None, None),
        # No number of its own: several together, or none that stands once.
        (dict(q="aaaa", seed="0011", epoch="0101"), {}, "seed,epoch", TOGETHER),
        (dict(q="aaaa", run="0101", epoch="0011"), {}, "epoch,run", TOGETHER),
        (
            dict(q="a" * 8, seed="00001111", epoch="00110011", trial="01010101"),
            {},
            "seed,epoch,trial",
            TOGETHER,
        ),
        (
            dict(q="a" * 16, seed="0" * 8 + "1" * 8, epoch="00001111" * 2, trial="0011" * 4,
                 repeat="01" * 8),
            {},
            "seed",
            CALLED,
        ),
        (dict(q="aaaa", seed="0011"), {}, "seed", CALLED),
        (dict(q="aaaa", seed="0011", epoch="0001"), {}, "seed", CALLED),
        (dict(q="aaaa", attempt_no="0011"), {}, None, None),
        # Numbers of another name, from 0 or 1 on.
        (dict(nr=[0, 1, 0, 1]), {}, "nr", COUNTING),
        (dict(nr=[2, 1, 1, 2]), {}, "nr", COUNTING),
        (dict(nr=[2, 3, 2, 3]), {}, None, None),
        (dict(nr=[0, 0, 1, 1]), {}, None, None),
        (dict(q="aaaa", nr=[0, 0, 1, 1]), {}, None, None),
        (dict(shots=[1, 2, 1, 2]), {}, None, None),
        (dict(case_id=[1, 2, 1, 2]), {}, None, None),
        (dict(label=[1, 2, 1, 2]), {}, None, None),
        (dict(nr=[1, 2, 1, 2], seed="5656"), {}, "seed", ALONE),
        # A question of each system and task.
        (dict(q="aaaa", m="xxyy", nr=[1, 2, 1, 2]), dict(model="m"), "nr", COUNTING),
        (dict(q="aaaa", g="xxyy", nr=[1, 2, 1, 2]), dict(group="g"), "nr", COUNTING),
        (dict(q="aaaa", dataset="xxyy", nr=[1, 2, 1, 2]), {}, "nr", COUNTING),
        (dict(q="aaaa", words="xxyy", nr=[1, 2, 1, 2]), {}, None, None),
    ],
)
def test_the_column_that_numbers_samples(columns, chosen, sample, why):
    columns = {name: list(column) for name, column in (dict(q="aabb") | columns).items()}
    case = make(columns, **chosen)
    number_samples(case)
    assert case.chosen.get("sample") == sample
    told = [(one.part, one.column, one.why) for one in case.decided]
    assert told == ([] if sample is None else [("sample", sample, why)])
    if why == TOGETHER:
        assert sample in case.columns


@pytest.mark.parametrize("sample", [False, "nr"])
def test_samples_that_the_caller_numbers(sample):
    case = make(dict(q=[1, 1], seed=[0, 1], nr=[0, 1]), dict(sample=sample))
    number_samples(case)
    assert "sample" not in case.chosen and case.decided == []


@pytest.mark.parametrize(
    "columns, options, chosen, correct",
    [
        (dict(verdict=["pass", "fail"]), {}, {}, "verdict"),
        (dict(my_judgement=["C", "I"]), {}, {}, "my_judgement"),
        (dict(verdict=["1", "0"]), {}, {}, None),
        (dict(verdict=["pass", "x"]), {}, {}, None),
        (dict(word=["pass", "fail"]), {}, {}, None),
        (dict(verdict=["pass", "fail"], outcome_b=["pass", "fail"]), {}, {}, None),
        (dict(verdict=["pass", "fail"], outcome_b=["x", "y"]), {}, {}, "verdict"),
        (dict(verdict=["pass", "fail"]), dict(correct=False), {}, None),
        (dict(verdict=["pass", "fail"], s=[1, 2]), {}, dict(score="s"), None),
        (dict(verdict=["pass", "fail"]), dict(ignore="verdict"), {}, None),
    ],
)
def test_an_outcome_by_its_words(columns, options, chosen, correct):
    case = make(dict(q=[1, 2]) | columns, options, **chosen)
    take_words(case)
    assert case.chosen.get("correct") == correct
    assert [one.rule for one in case.decided] == ["words"] * (correct is not None)


@pytest.mark.parametrize(
    "column, values, options, kept",
    [
        ("system", ["You are a judge", "gpt"], {}, False),
        ("System", ["You are a judge", "gpt"], {}, False),
        ("system", ["claude", "gpt"], {}, True),
        ("system", ["You are a judge", "gpt"], dict(model="system"), True),
        ("model", ["You are a judge", "gpt"], {}, True),
    ],
)
def test_a_system_of_sentences_is_none(column, values, options, kept):
    case = make({"q": [1, 2], column: values}, options, model=column)
    case.note("name", "model", column, "called so")
    case.note("name", "question", "q", "called so")
    leave_prompts(case)
    assert ("model" in case.chosen) is kept
    told = [(one.rule, one.part) for one in case.decided]
    assert told == [("name", "model"), ("name", "question")] if kept else [
        ("name", "question"),
        ("prompts", ""),
    ]


@pytest.mark.parametrize(
    "columns, chosen, said",
    [
        (dict(target="abc"), {}, "'a' and 'b' for 1 (1 of 2 questions fail)"),
        (dict(q=[2, 1, 1, 2], target="cabd"), {}, "'c' and 'd' for 2 (2 of 2 questions fail)"),
        (dict(q=["3", "3"], target="ab"), {}, "'a' and 'b' for 3 (1 of 1 questions fail)"),
        (dict(q=[1, 1, 1], target=[None, "b", "a"]), {}, "'b' and 'a' for 1 (1 of 1"),
        (dict(q=[2, 1, 1], target=["", "b", "a"]), {}, "'b' and 'a' for 1 (1 of 1"),
        (dict(target="aac"), {}, None),
        (dict(target=["a", None, "c"]), {}, None),
        (dict(target=["a", "", "c"]), {}, None),
        (dict(target=[None] * 3), {}, None),
        (dict(label="abc"), {}, None),
        # Other systems have the same right answer, other groups may have another one.
        (dict(target="abc", m="xyx"), dict(model="m"), "'a' and 'b' for 1"),
        (dict(target="abc", g="xyx"), dict(group="g"), None),
        (
            dict(q=[1, 1], target=["a" * 99, "b" * 99]),
            {},
            f"'{'a' * 29} and '{'b' * 29} for 1 (",
        ),
    ],
)
def test_a_question_has_one_right_answer(columns, chosen, said):
    columns = {name: list(column) for name, column in (dict(q=[1, 1, 2]) | columns).items()}
    if said is None:
        return refuse_targets(make(columns, **chosen))
    with pytest.raises(ValueError) as error:
        refuse_targets(make(columns, **chosen))
    assert f"one q needs one target, got {said}" in str(error.value)
    assert "pass question='q,target' if each is a question of its own" in str(error.value)
    assert refuse_targets(make(columns, dict(ignore="target"), **chosen)) is None


@pytest.mark.parametrize(
    "q, column, ids, sample, rows",
    [
        ("aabb", "case_id", [1, 2, 3, 3], None, "2 of 4"),
        ("aabb", "case_id", ["x", "x", "y", "z"], None, "2 of 4"),
        ("aabb", "case_id", [1, 1, 2, 2], None, None),
        # An id that stands in two questions is no finer one, and no name is a fraction.
        ("aabb", "case_id", [1, 2, 1, 2], None, None),
        ("aabb", "case_id", [1.5, 2.5, 3, 3], None, None),
        ("aabb", "case_id", [None, "x", "y", "y"], None, None),
        ("aabb", "gpu_id", [1, 2, 3, 3], None, None),
        ("aabb", "seed_id", [1, 2, 3, 3], None, None),
        # Numbers of rows say nothing, where most questions have one, or samples have numbers.
        ("aabb", "uuid", [1, 2, 3, 3], None, None),
        ("aabbcc", "uuid", [1, 2, 3, 3, 4, 4], None, "2 of 6"),
        ("aabbcc", "uuid", [1, 2, 3, 3, 4, 4], [0, 1] * 3, None),
        ("aaaa", "uuid", [1, 1, 2, 2], [0, 1] * 2, "4 of 4"),
        ("aabbcc", "case_id", [1, 2, 3, 3, 4, 4], [0, 1] * 3, "2 of 6"),
    ],
)
def test_ids_that_are_finer_than_questions(q, column, ids, sample, rows):
    columns = {"q": list(q), column: ids} | ({} if sample is None else dict(s=sample))
    chosen = {} if sample is None else dict(sample="s")
    assert refuse_finer_ids(make(columns, dict(question="q"), **chosen)) is None
    if rows is None:
        return refuse_finer_ids(make(columns, **chosen))
    with pytest.raises(ValueError) as error:
        refuse_finer_ids(make(columns, **chosen))
    assert f"one q stands for several {column} ({rows} rows); pass question=" in str(error.value)
