"Judges that err: exact vectors, expectations, ranges, intervals, labels, three levels, refusals."

import json
import warnings
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest, norm, t

from sampling_eval import (
    Judge,
    calibrate_judge,
    calibrated_interval,
    grading_variances,
    judged_curve,
    judged_pass_at_k,
    judged_pass_hat_k,
    pass_at_k,
    prediction_powered_mean,
    score,
)
from sampling_eval.foundations.credit import CREDITS
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.judges import (
    Calibration,
    correct_credit,
    correct_values,
    GradingVariances,
    half_of,
    half_tie_credit,
    judged_range,
    labels_needed,
    limits_at_corner,
    stray,
    weigh_outcomes,
)
from scripts import load_script, read_example

VECTORS = json.loads((Path(__file__).parent / "vectors" / "judges.json").read_text("utf-8"))
RATES = dict(sensitivity=0.93, specificity=0.9)


def rates_of(case):
    return {name: case[name] for name in RATES}


@pytest.mark.parametrize("case", VECTORS["judges"], ids=str)
def test_corrected_values_are_exact(case):
    n, c, k, rates = case["n"], case["judged"], case["k"], rates_of(case)
    for formula, name, credit in (
        (judged_pass_at_k, "at_k", "any"),
        (judged_pass_hat_k, "hat_k", "all"),
    ):
        low, high = case[f"range_{name[:-2]}"]
        value = formula(n, c, k, **rates)
        assert value == pytest.approx(case[f"pass_{name}"], abs=1e-13 * (high - low))
        assert judged_range(k, Judge(**rates), credit) == pytest.approx((low, high), rel=1e-12)
    first = judged_pass_at_k(n, c, 1, **rates), judged_pass_hat_k(n, c, 1, **rates)
    assert first == pytest.approx([case["rogan_gladen"]] * 2, abs=1e-14)


@pytest.mark.parametrize("credit", CREDITS)
@pytest.mark.parametrize("k", [1, 2, 5])
def test_any_credit_has_the_mean_of_the_truth(credit, k):
    s, t = 0.85, 0.7
    h = correct_credit(credit, Judge(sensitivity=s, specificity=t))(k)
    for right in range(k + 1):
        of_right = [comb(right, a) * s**a * (1 - s) ** (right - a) for a in range(right + 1)]
        of_wrong = [
            comb(k - right, b) * (1 - t) ** b * t ** (k - right - b) for b in range(k - right + 1)
        ]
        mean = np.convolve(of_right, of_wrong) @ h
        assert mean == pytest.approx(CREDITS[credit](k)[right], abs=1e-10)


def test_a_curve_is_the_mean_of_its_questions():
    n, c, k = np.array([8, 8, 9, 8]), np.array([0, 3, 9, 3]), [1, 3, 8]
    curve = judged_curve(n, c, k, **RATES)
    values = judged_pass_at_k(n, c, k, **RATES)
    assert curve.value == pytest.approx(values.mean(0))
    assert curve.stderr == pytest.approx(values.std(0, ddof=1) / 2)
    for i, one in enumerate(curve.intervals(0.9)):
        ends = gaffke_interval(values[:, i], 0.9, bounds=judged_range(k[i], Judge(**RATES)))
        assert (one.low, one.high) == pytest.approx(ends, abs=1e-9 * (ends[1] - ends[0]))
        assert str(one.method) == "gaffke" and one.level == 0.9
    assert "4 questions" in repr(curve)


def test_a_report_keeps_the_groups_of_questions():
    "The corrected interval of a report for new questions is over its clusters."
    rows = [
        dict(question=f"q{q}", sample=s, correct=int((q + s) % 3 > 0), book=f"b{q // 2}")
        for q in range(8)
        for s in range(3)
    ]
    found = score(rows, "pass@2", judge=(0.93, 0.9), cluster="book").corrected
    assert str(found.rows[0].interval.method) == "gaffke over 4 clusters"


def test_groups_and_the_same_questions():
    c = np.array([0, 3, 8, 3, 5, 6])
    grouped = judged_curve(8, c, 2, **RATES, cluster=list("aabbcc")).intervals()[0]
    assert str(grouped.method) == "gaffke over 3 clusters"
    again = judged_curve(8, c, 2, **RATES, target="same_questions")
    assert str(again.intervals()[0].method) == "gamma within questions (approximate)"
    assert again.value == pytest.approx(judged_curve(8, c, 2, **RATES).value)
    # Of the corrected values, by a listing of what other samples would give.
    h = correct_credit("any", Judge(**RATES))(2)
    variance = 0.0
    for passes in c.tolist():
        value = mean_credit(np.array([passes]), np.array([8 - passes]), np.array([2]), lambda k: h)[
            0, 0
        ]
        flags = [1] * passes + [0] * (8 - passes)
        apart = [
            h[flags[a] + flags[b]] * h[flags[d] + flags[e]]
            for a, b, d, e in product(range(8), repeat=4)
            if len({a, b, d, e}) == 4
        ]
        variance += value**2 - np.mean(apart)
    assert again.stderr[0] == pytest.approx(variance**0.5 / 6)


def test_sure_verdicts_are_the_truth():
    sure = dict(sensitivity=1.0, specificity=1.0)
    c = np.arange(9)
    assert judged_pass_at_k(8, c, [1, 4], **sure) == pytest.approx(pass_at_k(8, c, [1, 4]))
    one = judged_curve(8, c, 4, **sure).intervals()[0]
    other = mean_over_questions(pass_at_k(8, c, 4)).confidence_interval()
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


@pytest.mark.parametrize("credit, k", [*product(("any", "all"), (1, 2, 3))])
def test_interval_holds_at_every_corner_of_the_rates(credit, k):
    "With endless questions and verdicts, for every true pair of rates within their intervals."
    calibration = Calibration(45, 50, 40, 50)
    (a, b), (d, e) = ((one.low, one.high) for one in calibration.rates(1 - 0.05 / 3))
    p = np.linspace(0, 1, 11)
    for s, t in product(np.linspace(a, b, 4), np.linspace(d, e, 4)):
        chance, values = p * s + (1 - p) * (1 - t), (1 - (1 - p) ** k if credit == "any" else p**k)
        for corner, side in (((b, d), 1), ((a, e), -1)):
            h = correct_credit(credit, Judge(sensitivity=corner[0], specificity=corner[1]))(k)
            law = np.array(
                [[comb(k, j) * q**j * (1 - q) ** (k - j) for j in range(k + 1)] for q in chance]
            )
            spans = dict(any=b - a, all=e - d)
            allowed = (spans[credit] / (sum(corner) - 1)) ** k if k % 2 == 0 else 0
            needed = dict(any=-1, all=1)[credit] == side
            assert (side * (values - law @ h) >= -1e-12 - allowed * needed).all()


def test_more_labels_narrow_the_interval_to_that_of_given_rates():
    c = np.random.default_rng(0).binomial(8, 0.4, 50)

    def width(labels):
        told = Calibration(round(0.93 * labels), labels, round(0.9 * labels), labels)
        ends = calibrated_interval(8, c, 2, told)
        assert str(ends.method) == f"gaffke, rates from {2 * labels} labels"
        return ends.high - ends.low

    widths = [width(10**power) for power in (2, 3, 6)]
    given = judged_curve(8, c, 2, **RATES).intervals(1 - 0.05 / 3)[0]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == pytest.approx(given.high - given.low, rel=0.02)


def test_corners_that_tell_nothing_give_the_whole_range():
    ends = calibrated_interval(4, [2, 3], 1, Calibration(1, 2, 2, 3))
    assert (ends.low, ends.high) == (0, 1)


def test_calibration_counts_what_labels_say():
    found = calibrate_judge([[1, 0], [1, 0]], [[1, 1], [0, 0]])
    assert found == Calibration(1, 2, 1, 2)
    assert calibrate_judge([True, True, False], [1, 1, 0]).judge == Judge(
        sensitivity=1.0, specificity=1.0
    )


def test_ppi_is_the_difference_estimator_with_a_fitted_slope():
    rng = np.random.default_rng(3)
    judged, place = rng.random(50), rng.permutation(50)[:12]
    truth = np.clip(judged[place] + rng.normal(0, 0.1, 12), 0, 1)
    found = prediction_powered_mean(truth, judged, place)
    slope = np.polyfit(judged[place], truth, 1)[0]
    value = truth.mean() - slope * (judged[place].mean() - judged.mean())
    assert found.value == pytest.approx(value) and found.slope == pytest.approx(slope * 38 / 50)
    assert (found.labelled, found.questions) == (12, 50)
    assert "labels alone" in repr(found) and "(approximate)" in repr(found)
    everything = prediction_powered_mean(judged, judged, np.arange(50))
    assert everything.value == pytest.approx(judged.mean()) and everything.slope == 0
    residual = truth - found.slope * judged[place]
    rest = np.delete(judged, place)
    error = (residual.var(ddof=1) / 12 * 11 / 10 + found.slope**2 * rest.var(ddof=1) / 38) ** 0.5
    ends = found.confidence_interval()
    assert found.stderr == pytest.approx(error)
    assert ends.high == pytest.approx(min(value + t.ppf(0.975, 10) * error, 1)) and 0 <= ends.low
    flat = prediction_powered_mean([1, 1, 1], np.ones(9), [0, 1, 2])
    with pytest.raises(ValueError, match="show no spread"):
        flat.confidence_interval()


def test_ppi_without_a_slope_to_fit():
    judged = np.array([1, 1, 0.5, 1, 0.5, 1, 0, 1])
    found = prediction_powered_mean([1, 1, 1, 1], judged, [0, 1, 2, 3])
    assert (found.slope, found.fitted, found.value) == (1, False, 1 - (3.5 / 4 - 2.5 / 4))
    assert found.confidence_interval().high <= 1 and "not fitted" in repr(found)
    error = (judged[:4].var(ddof=1) / 4 + judged[4:].var(ddof=1) / 4) ** 0.5
    assert found.stderr == pytest.approx(error)
    assert found.confidence_interval().low == pytest.approx(
        max(found.value - t.ppf(0.975, 3) * error, 0)
    )


@pytest.mark.parametrize("labels", [3, 5, 10, 20])
@pytest.mark.parametrize("tries", [1, 8])
def test_ppi_misses_seldom_with_few_labels(labels, tries):
    "Chances uniform, a judge with rates .93 and .9; with a normal quantile up to 34 % missed."
    missed = 0
    for run in range(400):
        rng = np.random.default_rng([labels, tries, run])
        right = rng.random((200, tries)) < rng.random((200, 1))
        passed = rng.random(right.shape) < np.where(right, 0.93, 0.1)
        found = prediction_powered_mean(right[:labels].mean(1), passed.mean(1), np.arange(labels))
        if not found.stderr > 0:
            continue
        ends = found.confidence_interval()
        assert 0 <= ends.low <= ends.high <= 1
        missed += not ends.low <= 0.5 <= ends.high
    assert missed <= 0.065 * 400


@pytest.mark.parametrize("case", VECTORS["three_levels"], ids=lambda case: str(case["mean"]))
def test_three_levels_are_exact(case):
    right, gradings = np.array(case["right_grades"]), case["gradings"]
    found = grading_variances(np.arange(gradings) < right[..., None])
    for name in ("mean", "judge", "answer", "question"):
        assert getattr(found, name) == pytest.approx(case[name], abs=1e-14)
        if name != "mean":
            assert (name in found.negative) == (case[name] < 0)
    for target in ("new_questions", "same_questions", "same_answers"):
        assert found.variance(target) == pytest.approx(case[f"variance_{target}"], abs=1e-14)
    best = case["best_gradings_answer_costs_4"]
    assert found.best_gradings(4) == (None if best is None else pytest.approx(best))


def test_three_levels_are_unbiased():
    "Every outcome of two questions, two answers and two gradings, with its chance."
    p, (s, t) = [Fraction(1, 5), Fraction(7, 10)], (Fraction(9, 10), Fraction(4, 5))
    means = np.zeros(3)
    for flags in product((0, 1), repeat=8):
        grades = np.array(flags).reshape(2, 2, 2)
        chance = Fraction(1)
        for i, j in product(range(2), repeat=2):
            passes = int(grades[i, j].sum())
            chance *= p[i] * s**passes * (1 - s) ** (2 - passes) + (1 - p[i]) * (
                1 - t
            ) ** passes * t ** (2 - passes)
        found = grading_variances(grades)
        means += float(chance) * np.array([found.judge, found.answer, found.question])
    mean, told = sum(p) / 2, s + t - 1
    truth = [
        mean * s * (1 - s) + (1 - mean) * t * (1 - t),
        told**2 * sum(o * (1 - o) for o in p) / 2,
        told**2 * (p[1] - p[0]) ** 2 / 2,
    ]
    assert means == pytest.approx([float(o) for o in truth])


def test_other_designs_and_their_noise():
    found = grading_variances(np.random.default_rng(1).random((30, 3, 2)) < 0.4)
    more = found.variance("same_answers", questions=60, samples=3, gradings=4)
    assert more == pytest.approx(found.judge / (60 * 3 * 4))
    with pytest.raises(ValueError, match="gradings must be at least 1, got 0"):
        found.variance(gradings=0)
    with pytest.raises(ValueError, match="target must be 'new_questions', 'same_questions'"):
        found.variance("all")
    with pytest.raises(ValueError, match="grading_cost must be positive"):
        found.best_gradings(3, 0)


def test_labels_needed_are_the_fewest():
    few = labels_needed(0.1, **RATES, share=0.3)
    assert few < labels_needed(0.05, **RATES, share=0.3)
    counts = np.array([0.3, 0.7]) * few
    told = Calibration(
        *(round(o) for o in (counts[0] * 0.93, counts[0], counts[1] * 0.9, counts[1]))
    )
    q = 0.3 * 0.93 + 0.7 * 0.1
    one, other = told.rates(1 - 0.05 / 3)
    ends = [(q + t - 1) / (s + t - 1) for s, t in ((one.high, other.low), (one.low, other.high))]
    assert (min(ends[1], 1) - max(ends[0], 0)) / 2 == pytest.approx(0.1, abs=0.01)
    assert labels_needed(0.01, **RATES, share=0.3, stderr=0.02) is None


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: Judge(sensitivity=1.2, specificity=0.9), "sensitivity must lie in"),
        (lambda: Judge(sensitivity=93, specificity=90), "write 0.93 for 93 %"),
        (lambda: Judge(sensitivity=0.5, specificity=0.5), "must be above 1, got 0.5 .* 0.5"),
        (lambda: Judge(sensitivity=float("nan"), specificity=0.5), "sensitivity must lie in"),
        (lambda: Judge(sensitivity=True, specificity=0.5), "must be a number"),
        (lambda: judged_pass_at_k(4, -1, 1, **RATES), "need 0 <= judged <= n, got n=4, judged=-1"),
        (lambda: judged_pass_at_k([4, 4], [1, 2, 3], 1, **RATES), "one number per question"),
        (lambda: judged_pass_at_k(4, 2.5, 1, **RATES), "judged must hold integers"),
        (lambda: judged_pass_hat_k(4, 2, 5, **RATES), "need 1 <= k <= n"),
        (lambda: judged_curve(4, 2, 2, **RATES, target="both"), "target must be 'new_questions'"),
        (lambda: calibrate_judge([1, 2], [0, 1]), "passed must hold 0/1 or bool, got 2"),
        (lambda: calibrate_judge([], []), "must hold 0/1 or bool, got none"),
        (lambda: calibrate_judge([1, 0], [0, 0]), "labels must hold right answers, got none"),
        (lambda: Calibration(3, 2, 1, 1), "judged correctly <= right, got 3 of 2"),
        (
            lambda: calibrated_interval(4, 2, 1, Calibration(9, 10, 9, 10), credit="majority"),
            "credit must be 'any' or 'all'",
        ),
        (lambda: prediction_powered_mean([1, 0], [1, 0, 1], [0, 1]), "at least 3 labelled"),
        (lambda: prediction_powered_mean([1, 0, 1], [1, 0, 1], [0, 1, 1]), "each question once"),
        (lambda: prediction_powered_mean([1, 0, 1], [1, 0, 1], [0, 1, 3]), "among the 3 questions"),
        (lambda: prediction_powered_mean([1, 0, 2], [1, 0, 1], [0, 1, 2]), r"must lie in \[0, 1\]"),
        (lambda: grading_variances([[[1, 0], [1]], [[1, 0], [0, 1]]]), "as many answers"),
        (lambda: grading_variances(np.full((2, 2, 2), np.nan)), "grades must be finite"),
        (lambda: labels_needed(0, **RATES, share=0.3), "half_width must be above 0"),
        (lambda: labels_needed(0.1, **RATES, share=1.0), "share must lie between 0 and 1"),
        (lambda: labels_needed(0.1, **RATES, share=0.2, stderr=-1), "stderr must be at least 0"),
    ],
)
def test_bad_input_never_gives_a_number(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()


# Boundaries: corners of the rates, even powers, curves that begin below 0.


@pytest.mark.parametrize("right, wrong", [((45, 50), (40, 50)), ((3, 4), (19, 20))], ids=str)
def test_rates_of_a_calibration(right, wrong):
    found = Calibration(*right, *wrong)
    assert found.judge == Judge(
        sensitivity=right[0] / right[1], specificity=wrong[0] / wrong[1]
    )
    for level in 0.95, 0.8:
        for one, (passed, whole) in zip(found.rates(level), (right, wrong)):
            ends = binomtest(passed, whole).proportion_ci(level)
            assert (one.low, one.high) == pytest.approx((ends.low, ends.high), rel=1e-9)
            assert one.level == level and str(one.method) == "clopper-pearson"
    assert found.rates() == found.rates(0.95)


@pytest.mark.parametrize("parts", [(0, 1, 0, 1), (1, 1, 1, 1)], ids=str)
def test_the_least_calibration(parts):
    assert Calibration(*parts).right == 1


@pytest.mark.parametrize(
    "parts, said",
    [
        ((-1, 2, 1, 1), "need 0 <= judged correctly <= right, got -1 of 2"),
        ((1, 1, 3, 2), "need 0 <= judged correctly <= wrong, got 3 of 2"),
        ((0, 0, 1, 1), "labels must hold right answers, got none; .* nothing is known of sensit"),
        ((1, 1, 0, 0), "labels must hold wrong answers, got none; .* nothing is known of specif"),
    ],
)
def test_calibrations_that_are_none(parts, said):
    with pytest.raises(ValueError, match=said):
        Calibration(*parts)


def test_weights_of_outcomes_by_the_law_of_a_judge():
    "A judge turns truths into verdicts; the weights turn the mean of verdicts back."
    s, t, k = 0.85, 0.7, 4
    law = [
        np.convolve(
            binom.pmf(range(right + 1), right, s),
            binom.pmf(range(k - right + 1), k - right, 1 - t),
        )
        for right in range(k + 1)
    ]
    weights = weigh_outcomes(k, Judge(sensitivity=s, specificity=t))
    assert law @ weights == pytest.approx(np.eye(k + 1), abs=1e-12)
    assert weigh_outcomes(0, Judge(sensitivity=s, specificity=t)).tolist() == [[1.0]]


@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize("ends", [(0.0, 1.0), (0.3, 0.5), (1.0, 1.0)], ids=str)
def test_credits_that_only_the_ends_earn(k, ends):
    "They need no inverse of the whole law, and give the same."
    truth, judge = np.full(k + 1, 0.5), Judge(**RATES)
    truth[[0, -1]] = ends
    want = weigh_outcomes(k, judge) @ truth
    assert correct_values(truth, judge) == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_errors_of_the_same_questions_by_all_outcomes(k):
    "The variance of one question's value, estimated without bias: over all outcomes of six."
    n, p, h = 6, 0.37, correct_credit("any", Judge(**RATES))(k)
    values = judged_pass_at_k(n, np.arange(n + 1), k, **RATES)
    law = binom.pmf(np.arange(n + 1), n, p)
    found = [
        np.nan_to_num(judged_curve(n, [c, c], k, **RATES, target="same_questions").stderr[0])
        for c in range(n + 1)
    ]
    assert h.min() < 0
    # Where the estimate of a variance is below 0 no error is shown: only the others can be held.
    true = law @ (values - law @ values) ** 2
    assert law @ (2 * np.square(found)) >= true * (1 - 1e-9)
    if k == 1:
        assert law @ (2 * np.square(found)) == pytest.approx(true)


@pytest.mark.parametrize(
    "span, corner, k, want",
    [
        (0.1, (0.9, 0.8), 2, (0.1 / 0.7) ** 2),
        (0.1, (0.9, 0.8), 4, (0.1 / 0.7) ** 4),
        (0.1, (0.9, 0.8), 1, 0.0),
        (0.1, (0.9, 0.8), 3, 0.0),
        (0.9, (0.9, 0.8), 2, 1.0),
        (0.1, (0.5, 0.5), 2, 0.0),
        (0.1, (0.5, 0.4), 2, 0.0),
    ],
)
def test_what_an_even_power_may_add(span, corner, k, want):
    assert stray(span, corner, k) == pytest.approx(want)


@pytest.mark.parametrize("corner", [(0.5, 0.5), (0.2, 0.7)])
def test_rates_that_tell_nothing_limit_nothing(corner):
    assert limits_at_corner(4, [2, 3], 1, corner, "any", 0.95, None) == (0, 1)


@pytest.mark.parametrize("credit", ["any", "all"])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("cluster", [None, [0, 0, 1, 1, 2, 2]])
def test_a_calibrated_interval_from_its_corners(credit, k, cluster):
    told, c = Calibration(90, 100, 85, 100), [0, 2, 4, 6, 3, 5]
    level = 1 - 0.1 / 3
    one, other = told.rates(level)

    def ends(sensitivity, specificity):
        rates = dict(sensitivity=sensitivity, specificity=specificity)
        found = judged_curve(6, c, k, **rates, credit=credit, cluster=cluster)
        return found.intervals(level)[0]

    low, high = ends(one.high, other.low).low, ends(one.low, other.high).high
    if k == 2 and credit == "any":
        high += ((one.high - one.low) / (one.low + other.high - 1)) ** 2
    if k == 2 and credit == "all":
        low -= ((other.high - other.low) / (one.high + other.low - 1)) ** 2
    given = dict(credit=credit, confidence_level=0.9, cluster=cluster)
    found = calibrated_interval(6, c, k, told, **given)
    assert (found.low, found.high) == pytest.approx((max(low, 0), min(high, 1)), abs=1e-9)
    assert found.level == 0.9 and str(found.method) == "gaffke, rates from 200 labels"


def test_a_calibrated_interval_is_of_pass_at_k_at_95_percent():
    told = Calibration(90, 100, 85, 100)
    plain = calibrated_interval(6, [0, 2, 4, 6], 2, told)
    assert plain == calibrated_interval(6, [0, 2, 4, 6], 2, told, credit="any")
    assert plain == calibrated_interval(6, [0, 2, 4, 6], 2, told, confidence_level=0.95)


def test_half_of_a_width_by_clopper_and_pearson():
    judge, tail, share, stderr = Judge(**RATES), 0.025 / 3, 0.3, 0.01
    for labels in 50, 400:
        right, wrong = labels * share, labels * (1 - share)
        a, b = beta.ppf(tail, 0.93 * right, 0.07 * right + 1), beta.isf(
            tail, 0.93 * right + 1, 0.07 * right
        )
        c, d = beta.ppf(tail, 0.9 * wrong, 0.1 * wrong + 1), beta.isf(
            tail, 0.9 * wrong + 1, 0.1 * wrong
        )
        passes = 0.3 * 0.93 + 0.7 * 0.1
        reach = norm.isf(tail) * stderr
        low = max((passes - reach + c - 1) / (b + c - 1), 0)
        high = min((passes + reach + d - 1) / (a + d - 1), 1)
        found = half_of(labels, judge, share, stderr, tail)
        assert found == pytest.approx((high - low) / 2, rel=1e-9)
    assert half_of(2, judge, share, stderr, tail) == 0.5, "two labels tell nothing"


@pytest.mark.parametrize("half_width, stderr, level", [(0.1, 0.0, 0.95), (0.07, 0.01, 0.8)])
def test_one_label_fewer_is_not_enough(half_width, stderr, level):
    given = dict(share=0.3, stderr=stderr, confidence_level=level)
    found, tail = labels_needed(half_width, **RATES, **given), (1 - level) / 6
    halves = [half_of(o, Judge(**RATES), 0.3, stderr, tail) for o in (found - 1, found)]
    assert halves[0] > half_width >= halves[1]
    assert labels_needed(half_width, **RATES, share=0.3) == labels_needed(
        half_width, **RATES, share=0.3, stderr=0.0, confidence_level=0.95
    )


def test_labels_of_any_range():
    "Values beyond 0 and 1 of both, in the bounds that are said."
    rng = np.random.default_rng(2)
    judged = rng.random(40)
    truth = np.clip(judged[:10] + rng.normal(0, 0.05, 10), 0, 1)
    found = prediction_powered_mean(truth, judged, np.arange(10))
    wide = prediction_powered_mean(3 * truth - 1, 3 * judged - 1, np.arange(10), bounds=(-1, 2))
    assert wide.value == pytest.approx(3 * found.value - 1) and wide.bounds == (-1, 2)
    assert wide.stderr == pytest.approx(3 * found.stderr)
    assert wide.judged == pytest.approx(3 * judged.mean() - 1)


def test_a_judge_that_says_the_same_of_all():
    "Verdicts without spread on the labelled part are no help: the slope is 0."
    judged = np.r_[np.full(4, 0.5), 0.0, 1.0]
    found = prediction_powered_mean([0, 1, 1, 0.5], judged, [0, 1, 2, 3])
    assert (found.slope, found.fitted, found.value) == (0, False, 0.625)
    one = prediction_powered_mean([1, 1, 1], [1, 0.5, 0, 1], [0, 1, 2])
    # One question is left: its verdict counts, but shows no spread.
    assert one.value == 1 - (0.5 - 1) and one.slope == 1
    assert one.stderr == pytest.approx(np.var([0, 0.5, 1], ddof=1) ** 0.5 / 3**0.5)


@pytest.mark.parametrize("k, credit", [(1, [0, 1]), (2, [0, 0.5, 1]), (3, [0, 0, 1, 1])])
def test_a_tie_of_a_panel_is_half(k, credit):
    assert half_tie_credit(k).tolist() == credit


@pytest.mark.parametrize(
    "answer, judge, want", [(0.0, 0.2, None), (-0.1, 0.2, None), (0.1, 0.4, 4)]
)
def test_gradings_where_answers_show_noise(answer, judge, want):
    found = GradingVariances(0.5, judge, answer, 0.1, 10, 3, 2)
    assert found.best_gradings(4.0) == want
    assert found.best_gradings(4.0, 4.0) == (None if want is None else 2)
    assert found.negative == (("answer",) if answer < 0 else ())
    for cost in 0, -1, np.inf:
        with pytest.raises(ValueError, match="answer_cost must be positive and finite"):
            found.best_gradings(cost)


def test_rounding_is_no_component():
    found = grading_variances(np.full((3, 2, 2), 0.1) + np.arange(3)[:, None, None] * 0.2)
    assert (found.judge, found.answer) == (0, 0) and found.question == pytest.approx(0.04)
    assert found.negative == ()


# What the bench measured.


def test_measured_coverage_is_whole():
    rows = read_example("judges_coverage.csv")
    kinds = {row["kind"] for row in rows}
    assert kinds == {
        "ppi++",
        "calibrated",
        "corrected, new questions",
        "corrected, same questions",
        "borrowed",
    }
    for row in rows:
        promised = row["kind"] in ("calibrated", "corrected, new questions")
        if promised or row["labels"] == "slope 1":
            assert float(row["coverage"]) >= 95


def test_small_cells_of_the_bench():
    lab = load_script("bench/judges.py")
    share, error, width = lab.count_held(lambda rng: (0, rng.random(), 0.5), 40, 0)
    assert 20 < share < 80 and error > 0 and 0 < width < 1
    assert all(row.coverage >= 95 for row in lab.bench_corrected(True))
    worst = min(lab.cover_populations(10, 4))
    assert worst[0] >= 0.95 and sum(worst[1]) == 10


@pytest.mark.parametrize("rates", [(1, 0.5), (0.5, 1), (1, 1)])
def test_a_judge_may_never_err(rates):
    judge = Judge(sensitivity=rates[0], specificity=rates[1])
    assert (judge.sensitivity, judge.specificity) == rates


@pytest.mark.parametrize("credit", ["any", "all", "majority"])
def test_credits_beyond_floats_are_refused_and_nothing_else_is_said(credit):
    "With s = 1 and t = 1e-8 a rejection weighs 1e8, whose 40th power is beyond floats."
    judge, weak = Judge(sensitivity=1.0, specificity=1e-8), Judge(sensitivity=1e-8, specificity=1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for one in judge, weak:
            with pytest.raises(ValueError, match="corrected credits must be finite"):
                correct_credit(credit, one)(40)
            assert np.isfinite(correct_credit(credit, one)(2)).all()


def test_a_curve_knows_its_budgets_and_its_samples():
    curve = judged_curve([8, 9, 12], [0, 3, 8], [1, 5], **RATES)
    told = [(one.k, one.n_min, one.n_max, one.questions) for one in curve.scaled]
    assert told == [(1, 8, 12, 3), (5, 8, 12, 3)] and curve.k.tolist() == [1, 5]


@pytest.mark.parametrize("credit, k", [("any", 1), ("any", 2), ("all", 2), ("all", 3)])
@pytest.mark.parametrize("grouped", [False, True])
def test_a_calibrated_interval_of_many_questions(credit, k, grouped):
    "So many that neither end is cut at 0 or 1: each end comes from its own corner."
    told, c = Calibration(380, 400, 352, 400), np.tile([0, 2, 4, 6, 3, 5], 40)
    cluster = np.repeat(np.arange(60), 4) if grouped else None
    level = 1 - 0.1 / 3
    one, other = told.rates(level)

    def ends(sensitivity, specificity):
        rates = dict(sensitivity=sensitivity, specificity=specificity)
        found = judged_curve(6, c, k, **rates, credit=credit, cluster=cluster)
        return found.intervals(level)[0]

    low, high = ends(one.high, other.low).low, ends(one.low, other.high).high
    if k == 2 and credit == "any":
        high += ((one.high - one.low) / (one.low + other.high - 1)) ** 2
    if k == 2 and credit == "all":
        low -= ((other.high - other.low) / (one.high + other.low - 1)) ** 2
    given = dict(credit=credit, confidence_level=0.9, cluster=cluster)
    found = calibrated_interval(6, c, k, told, **given)
    assert 0 < low < high < 1
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize(
    "call, kind, said",
    [
        (
            lambda: calibrate_judge([[1, 0]], [1, 0]),
            ValueError,
            r"labels must belong to the judged answers, one each, got shapes \(1, 2\) and \(2,\)",
        ),
        (
            lambda: calibrated_interval(4, [2, 3], 1, (9, 10, 9, 10)),
            TypeError,
            "calibration must come from calibrate_judge",
        ),
        (
            lambda: labels_needed(0.1, **RATES, share=0.0),
            ValueError,
            "share must lie between 0 and 1, got 0",
        ),
    ],
    ids=["shapes", "no calibration", "no right answers"],
)
def test_labels_that_do_not_fit(call, kind, said):
    with pytest.raises(kind, match=said):
        call()


def test_the_whole_range_needs_two_labels():
    "Half of [0, 1] is told by one right and one wrong answer, that is by nothing."
    assert labels_needed(0.5, **RATES, share=0.3) == 2
    assert labels_needed(0.499, **RATES, share=0.3) > 2


@pytest.mark.parametrize("share, labels", [(0.98, 20), (0.02, 20), (0.99, 60), (0.01, 60)])
def test_half_of_a_width_where_one_kind_of_answer_is_hardly_labelled(share, labels):
    "Few wrong answers tell nothing of the lower end, few right ones nothing of the upper."
    judge, tail = Judge(**RATES), 0.025 / 3
    right, wrong = labels * share, labels * (1 - share)
    sides = [(0.93 * right, right), (0.9 * wrong, wrong)]
    (a, b), (c, d) = (
        (beta.ppf(tail, x, n - x + 1), beta.isf(tail, x + 1, n - x)) for x, n in sides
    )
    passes = share * 0.93 + (1 - share) * 0.1
    low = max((passes + c - 1) / (b + c - 1), 0) if b + c > 1 else 0
    high = min((passes + d - 1) / (a + d - 1), 1) if a + d > 1 else 1
    assert (b + c > 1) != (a + d > 1)
    found = half_of(labels, judge, share, 0.0, tail)
    assert found == pytest.approx((high - low) / 2, rel=1e-9)


def test_where_every_question_has_the_same_label():
    "Verdicts add nothing to a mean that is known of every question."
    found = prediction_powered_mean([1, 1, 1], [1, 0.5, 0], [0, 1, 2])
    assert (found.value, found.slope, found.fitted, found.stderr) == (1, 0, False, 0)
    assert (found.judged, found.questions, found.labelled) == (0.5, 3, 3)
    with pytest.raises(ValueError, match="3 labelled questions show no spread"):
        found.confidence_interval()


@pytest.mark.parametrize("scale", [1e-20, 1e-5, 1e20])
def test_three_levels_on_every_scale(scale):
    grades = np.random.default_rng(4).random((6, 3, 2)) < np.linspace(0.1, 0.9, 6)[:, None, None]
    plain, found = grading_variances(grades), grading_variances(scale * grades)
    parts = [(one.judge, one.answer, one.question) for one in (plain, found)]
    assert np.array(parts[1]) / scale / scale == pytest.approx(np.array(parts[0]), rel=1e-9)
    assert found.negative == plain.negative and np.abs(parts[0]).min() > 1e-3
