"Checks of rates, verdicts, labels, places and grades at their boundaries; judged curves."

import numpy as np
import pytest
from scipy import stats

from sampling_eval import OptionError, judged_curve, prediction_powered_mean
from sampling_eval.errors import OptionTypeError
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.judged_results import (
    LabelledMean,
    check_grades,
    check_judged,
    check_panel,
    check_places,
    check_rate,
    read_flags,
    size_or_known,
)

RATES = dict(sensitivity=0.93, specificity=0.9)


def said(call, *given):
    "The words of a refusal, as Python has them."
    with pytest.raises((ValueError, TypeError)) as refused:
        call(*given)
    return str(refused.value)


@pytest.mark.parametrize("rate", [0, 1, 0.0, 1.0, np.int64(1), np.float32(0.5)], ids=repr)
def test_rates_that_are_some(rate):
    assert check_rate("rate", rate) is None


@pytest.mark.parametrize(
    "rate, percent",
    [(-0.01, ""), (1.5, "0.015"), (100, "1"), (100.5, ""), (np.inf, ""), (np.nan, "")],
    ids=repr,
)
def test_a_rate_in_percent_is_told_as_a_share(rate, percent):
    text = said(check_rate, "rate", rate)
    assert text.startswith(f"rate must lie in [0, 1], got {rate}")
    assert ("; write " in text) == bool(percent) and f"write {percent}" * bool(percent) in text


@pytest.mark.parametrize("rate", [True, "1", None, 1j], ids=repr)
def test_rates_that_are_no_numbers(rate):
    with pytest.raises(OptionTypeError, match=r"rate must be a number in \[0, 1\]"):
        check_rate("rate", rate)


def test_verdicts_from_none_to_all():
    n, judged = check_judged(3, [0, 3])
    assert n.tolist() == [3, 3] and judged.tolist() == [0, 3]
    assert said(check_judged, [3, 2], [3, 3]) == (
        "need 0 <= judged <= n, got n=2, judged=3 at question 1 (1 of 2 fail)"
    )
    assert "n=3, judged=-1" in said(check_judged, 3, [-1, 0])


@pytest.mark.parametrize(
    "flags, got",
    [
        ([], "none"),
        (["yes", "no"], "'yes'"),
        ([0, 1, 0.5, 2], "0.5"),
        ([1, -1], "-1"),
        ([[0, 1], [np.nan, 1]], "nan"),
        (["y" * 80], "'" + "y" * 59),
    ],
    ids=["none", "words", "a half", "minus one", "nan", "long"],
)
def test_flags_that_are_none(flags, got):
    assert said(read_flags, "passed", flags) == f"passed must hold 0/1 or bool, got {got}"


@pytest.mark.parametrize("flags", [[1, 0], [1.0, 0.0], [True, False], np.array([1, 0], np.uint8)])
def test_flags_of_every_kind(flags):
    found = read_flags("passed", flags)
    assert found.dtype == bool and found.tolist() == [True, False]


@pytest.mark.parametrize(
    "places, shape, text",
    [
        ([[0, 1, 2]], (3,), "must hold one position per value, got shapes (1, 3) and (3,)"),
        ([[0, 1, 2]], (1, 3), "must hold one position per value, got shapes (1, 3) and (1, 3)"),
        ([0, 1, 2], (4,), "must hold one position per value, got shapes (3,) and (4,)"),
        ([0, 9, 5], (3,), "be positions among the 5 questions, got 9 (2 of 3 fail)"),
        ([0, -1, 4], (3,), "be positions among the 5 questions, got -1 (1 of 3 fail)"),
        ([2, 4, 4, 2, 4], (5,), "must hold each question once, got 4 3 times"),
        ([0, 4], (2,), "need at least 3 labelled questions, got 2"),
    ],
)
def test_places_that_are_none(places, shape, text):
    assert text in said(check_places, places, shape, 5)


def test_places_from_the_first_to_the_last():
    assert check_places([4, 0, 2], (3,), 5).tolist() == [4, 0, 2]
    assert check_places([4], (1,), 5, 1).tolist() == [4]
    assert said(check_places, [4], (1,), 5, 2, "told") == "need at least 2 told questions, got 1"


def test_sizes_of_a_design():
    assert size_or_known("samples", None, 7) == 7 and size_or_known("samples", 1, 7) == 1
    assert type(size_or_known("samples", np.int8(3), 7)) is int
    assert said(size_or_known, "samples", 0, 7) == "samples must be at least 1, got 0"


@pytest.mark.parametrize(
    "grades, text",
    [
        (np.ones((2, 2)), "got shape (2, 2)"),
        (np.full((2, 2, 2), "x"), "got shape (2, 2, 2)"),
        ([[[1], [1, 0]]], "got shape (0,)"),
        (np.ones((1, 2, 3)), "at least 2 of each, got 1 questions x 2 answers x 3 gradings"),
        (np.ones((2, 2, 1)), "at least 2 of each, got 2 questions x 2 answers x 1 gradings"),
        (np.full((2, 2, 2), np.inf), "grades must be finite"),
        ([[[1, 0], [1, np.nan]], [[1, 1], [0, 1]]], "grades must be finite"),
    ],
)
def test_grades_that_are_no_table(grades, text):
    assert text in said(check_grades, grades)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, float])
def test_the_least_table_of_grades(kind):
    found = check_grades(np.ones((2, 2, 2), kind))
    assert found.dtype == float and found.shape == (2, 2, 2)


@pytest.mark.parametrize(
    "right, text",
    [
        ([], "one row per item and one column per judge, got shape (0,)"),
        ([1, 0], "got shape (2,)"),
        (np.empty((0, 3)), "got shape (0, 3)"),
        ([["A", "B"]], "must hold 0/1 or bool, got 'A'"),
        ([[1, None], ["B", 0]], "must hold 0/1 or bool, got 1"),
        ([[1, 1], [0, None], [None, 1]], "got nan at item 1 (2 of 6 fail)"),
        ([[1, 0], [1, 2]], "got 2.0 at item 1 (1 of 4 fail)"),
    ],
)
def test_panels_that_are_no_table(right, text):
    assert text in said(check_panel, right)


@pytest.mark.parametrize("right", [np.eye(2), np.eye(2, dtype=bool), [[1, 0], [False, True]]])
def test_a_panel_of_every_kind(right):
    found = check_panel(right)
    assert found.dtype == np.int64 and found.tolist() == [[1, 0], [0, 1]]


# What a judged evaluation gives.


def test_a_curve_stretches_its_means_to_the_range():
    curve = judged_curve(8, [0, 3, 8, 5], [1, 2], **RATES)
    assert curve.low[0] < 0
    assert curve.stderr == pytest.approx((curve.high - curve.low) * curve.scaled.stderr)
    for i, one in enumerate(curve.intervals(0.8)):
        scaled = curve.scaled.intervals(0.8)[i]
        width = curve.high[i] - curve.low[i]
        assert one.level == 0.8 and one.low == curve.low[i] + width * scaled.low
        assert one.high == curve.low[i] + width * scaled.high
    assert [one.level for one in curve.intervals()] == [0.95, 0.95]
    # What shows no spread has no interval for the same questions.
    alike = judged_curve(4, [4, 4], [1, 2], sensitivity=1.0, specificity=1.0)
    assert np.isnan(alike.stderr).all() and len(alike.intervals()) == 2


@pytest.mark.parametrize("budgets, dots", [(6, False), (7, True)])
def test_a_curve_in_print(budgets, dots):
    curve = judged_curve(8, [0, 3, 8], range(1, budgets + 1), sensitivity=1.0, specificity=1.0)
    shown = ", ".join(f"{value:.4g}" for value in curve.value[:6]) + ", ..." * dots
    assert repr(curve) == f"JudgedCurve({shown}; 3 questions)"


@pytest.mark.parametrize("fitted, freedom", [(True, 8), (False, 9)])
def test_the_interval_of_labels_and_verdicts(fitted, freedom):
    alone = mean_over_questions(np.linspace(0, 1, 10))
    found = LabelledMean(0.5, 0.02, 1.0, fitted, 0.4, 50, alone)
    for level in 0.95, 0.8:
        ends = found.confidence_interval(level)
        half = stats.t.ppf((1 + level) / 2, freedom) * 0.02
        assert (ends.low, ends.high) == pytest.approx((0.5 - half, 0.5 + half), rel=1e-12)
        assert ends.level == level
    assert found.confidence_interval() == found.confidence_interval(0.95)
    far = LabelledMean(0.5, 0.9, 1.0, fitted, 0.4, 50, alone, (-1, 2)).confidence_interval()
    assert (far.low, far.high) == (-1, 2)
    assert ("not fitted" in repr(found)) == (not fitted)
    assert "10 of 50 questions labelled" in repr(found)
    with pytest.raises(ValueError, match="10 labelled questions show no spread"):
        LabelledMean(0.5, 0.0, 1.0, fitted, 0.4, 50, alone).confidence_interval()


def test_the_places_of_labels_are_checked():
    with pytest.raises(OptionError, match="need at least 3 labelled questions, got 2"):
        prediction_powered_mean([1, 0], [1, 0, 1], [0, 1])
    assert prediction_powered_mean([1, 0, 1], [1, 0, 1], [0, 1, 2]).labelled == 3


@pytest.mark.parametrize("flag, want", [(1, True), ([0], False), ([[1]], True)], ids=str)
def test_a_single_flag(flag, want):
    assert read_flags("passed", flag).ravel().tolist() == [want]
    assert said(read_flags, "passed", [7]) == "passed must hold 0/1 or bool, got 7"


def test_a_place_that_stands_twice_among_others():
    text = "labelled must hold each question once, got 3 2 times"
    assert said(check_places, [0, 3, 1, 3], (4,), 5) == text


def test_what_the_interval_of_labels_is_called():
    found = prediction_powered_mean([1, 0, 0.5, 0], [1, 0.2, 0.5, 0.1, 0.6], [0, 1, 2, 3])
    ends = found.confidence_interval()
    assert str(ends.method) == "ppi++, t, from 4 labelled questions (approximate)"
    assert (ends.target, ends.unit) == (None, "share")


def test_a_corrected_mean_is_that_of_its_questions():
    "One sample a question: (share of passes + specificity - 1) / (sum of rates - 1)."
    curve = judged_curve(1, [1, 1, 0, 1], 1, **RATES)
    assert curve.value == pytest.approx([(0.75 + 0.9 - 1) / (0.93 + 0.9 - 1)])
    text = said(check_judged, [3, 3], [1, 2, 3])
    assert text == "n and judged must hold one number per question, got shapes (2,) and (3,)"
