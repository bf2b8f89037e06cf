"Columns without a known name: which are refused, at each boundary."
import numpy as np
import pytest

from sampling_eval.io.load import load
from sampling_eval.io.options import Options
from sampling_eval.io.identity import is_crossed, refuse_crossed, refuse_named_runs, repeats


def cross(questions, *counts):
    "Questions that have each value so often, as codes of rows."
    one = [code for code, count in enumerate(counts) for _ in range(count)]
    return np.repeat(np.arange(questions), len(one)), np.tile(one, questions)


def test_a_crossed_design_is_told_from_chance():
    "One question sets the composition; each other one has it with chance 1/2, or 4/9, or 2/9."
    assert is_crossed(*cross(11, 1, 1), 2) and not is_crossed(*cross(10, 1, 1), 2)  # 1/1024, 1/512
    assert is_crossed(*cross(10, 2, 1), 2) and not is_crossed(*cross(9, 2, 1), 2)  # (4/9)^9, (4/9)^8
    assert is_crossed(*cross(6, 1, 1, 1), 3) and not is_crossed(*cross(5, 1, 1, 1), 3)  # (2/9)^5, (2/9)^4
    assert is_crossed(*cross(1, 1, 1), 2) is False and not is_crossed(*cross(9, 3), 2)


def spoil(scope, code, odd):
    "The same, but in the last questions the first value alone."
    code = code.copy()
    code[scope > scope.max() - odd] = 0
    return scope, code


def test_nearly_every_question_must_be_alike():
    whole = cross(21, 1, 1)
    assert is_crossed(*spoil(*whole, 1), 2) and is_crossed(*spoil(*whole, 2), 2)
    assert not is_crossed(*spoil(*whole, 3), 2)
    # 9 of 10 others: Chernoff's bound is exp(-10 (.9 log 1.8 + .1 log .2)) = .025.
    assert not is_crossed(*spoil(*cross(11, 1, 1), 1), 2)
    # 16 of 17: .0004; 13 of 14: .0022.
    assert is_crossed(*spoil(*cross(18, 1, 1), 1), 2) and not is_crossed(*spoil(*cross(15, 1, 1), 1), 2)


def test_questions_with_one_value_each_are_not_crossed():
    scope, code = cross(20, 2)
    assert not is_crossed(np.r_[scope, 20, 20], np.r_[code, 0, 1], 2)


def refuse(values, scope, numbered=False):
    "What is said of a column; empty if it is let through."
    try: refuse_crossed(np.array(values, object), "variant", np.asarray(scope), numbered)
    except ValueError as error: return str(error)
    return ""


def test_columns_of_few_values_are_looked_at():
    def cross_names(size): return [f"v{i:02}" for i in range(size)] * 2, np.repeat([0, 1], size)
    assert refuse(*cross_names(50)) == (
        "column 'variant' takes the same values ('v00', 'v01', ...) in every question: a model, a setting or the sample? "
        "Pass sample='variant' if they are draws, model='variant' to tell them apart, by='variant' if they are "
        "groups, or ignore='variant' if it changes nothing. Try: sampling_eval.score(data, sample='variant'), "
        "or: sampling_eval.score(data, model='variant'), or: sampling_eval.score(data, ignore='variant')")
    assert refuse(*cross_names(51)) == ""
    # The first thousand rows show 25 of 51 values.
    assert refuse(np.repeat([f"v{i:02}" for i in range(51)], 40), np.tile(np.arange(40), 51)) == ""


def test_numbers_of_samples_and_repeated_values():
    scope = np.repeat(np.arange(20), 4)
    for names in range(4), range(1, 5), "0123", [1., 2., 3., 4.]: assert refuse([*names] * 20, scope) == ""
    assert "sample='variant' if they are draws" in refuse([*"abcd"] * 20, scope)
    assert refuse([*"abcd"] * 20, scope, True) == ""
    twice = refuse([0, 0, 1, 1] * 20, scope)
    assert "('0', '1') in every question" in twice and "sample=" not in twice
    assert refuse([0, 0, 1, 1] * 20, scope, True) == twice
    assert "('1', 'a')" in refuse(["a", "a", 1, 1] * 20, scope)
    assert "('9', '10')" in refuse(["10", "10", "9", "9"] * 20, scope)


def test_runs_are_named_or_numbered():
    def look(*values): refuse_named_runs("run", np.array([*values, None], object))
    for fine in ("a",), (1, 2.), ("run_1", "Run_22"), ("0123456789ab", "ba9876543210"): look(*fine)
    with pytest.raises(ValueError) as error: look("run_b", "run_a")
    assert str(error.value) == (
        "run must number the samples, got 'run_a' and 'run_b'; pass model='run' if each is a model of its own, or "
        "sample='run' if they are draws of one model. Try: sampling_eval.score(data, model='run'), "
        "or: sampling_eval.score(data, sample='run')")


# Texts.


def test_texts_repeat_within_a_model():
    texts, models = np.array([*"aabb"], object), np.array([*"xyxy"], object)
    assert repeats(texts, []) and not repeats(texts, [models])
    assert repeats(np.array([*"aabbcc"], object), [np.array([*"xxxxyz"], object)])


def fail(rows, **options):
    "What is said of a table; empty if it is read."
    try: load(rows, Options.of(options))
    except ValueError as error: return str(error)
    return ""


def test_names_of_rows_beside_few_texts():
    rows = [dict(id=i, prompt=p, correct=1) for i, p in enumerate("aab")]
    assert fail(rows) == (
        "3 rows have 3 different id, but most share their prompt with another; pass question='prompt' if rows of one "
        "prompt are samples of one question, question='id' if each is a question of its own. Try: "
        "sampling_eval.score(data, question='prompt'), or: sampling_eval.score(data, question='id')")
    assert fail(rows, question="id") == fail(rows[1:]) == fail([row | dict(prompt=row["id"]) for row in rows]) == ""
    assert fail([row | dict(id=0) for row in rows], ignore="prompt") == ""
    assert fail([row | dict(model=m) for row, m in zip(rows, "xyy")]) == ""
    # The text that differs most is named; one that never repeats stands for the question.
    both = [row | dict(problem=p) for row, p in zip(rows + [dict(id=3, prompt="b", correct=1)], "ccdf")]
    assert "share their problem with another" in fail(both)
    assert fail([row | dict(problem=i) for i, row in enumerate(both)]) == ""


def test_advice_for_one_name_of_two_texts():
    "Fewer texts than questions tell systems apart; as many are the questions."
    rows = [dict(id=10, prompt="a", correct=1), dict(id=10, prompt="b", correct=1), dict(id=9, prompt="a", correct=1)]
    few = rows + [dict(id=8, prompt="a", correct=0)]
    assert fail(few) == (
        "one id needs one prompt, got two for 10; pass model='prompt' to tell these apart, or ignore='prompt' if its "
        "wording changes from sample to sample. Try: sampling_eval.score(data, model='prompt'), "
        "or: sampling_eval.score(data, ignore='prompt')")
    assert "pass question='prompt' if the text is the question" in fail(few[:-1] + [dict(few[-1], prompt="c")])
    assert "got two for 9; " in fail(few + [dict(id=9, prompt="b", correct=1)])
    assert fail([row | dict(prompt=p) for row, p in zip(few, ["a", None, "b", "b"])]) == ""
    assert fail([row | dict(prompt="") for row in few]) == ""
    assert "got two for 10; " in fail(few + [dict(id=8, prompt=None, correct=0)])
