"""Counts without a file, audits of published numbers, and what stands behind a score: judge,
labels, an earlier run."""

import csv
import json

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from conftest import command
from printed import check_printed
from scripts import load_script
from sampling_eval import (
    allocate_samples,
    Audit,
    audit,
    borrowed_mean,
    calibrated_interval,
    compare,
    Counts,
    draw_questions,
    gate,
    Judge,
    judged_curve,
    load_result,
    pass_at_k,
    plan,
    prediction_powered_mean,
    Report,
    score,
    table,
)
from sampling_eval.analyses.addons.judged import (
    CorrectedRow,
    CorrectedScore,
    limit_row,
    pick_counts,
)
from sampling_eval.analyses.engine.published import excludes_zero, spread_differences
from sampling_eval.inference.two_proportions import independent_difference
from sampling_eval.foundations.credit import any_credit
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.inference.judges import Calibration, labels_needed
from sampling_eval.inference.population import population_of
from sampling_eval.inference.power import pass_power, PassRule, questions_to_pass
from sampling_eval.inference.estimate import within_questions
from sampling_eval.metrics.catalog import find_metric

ROWS = [[1]] * 26 + [[0]] * 4


def test_a_count_is_questions_with_one_sample():
    found, same = score("26/30"), score(ROWS)
    assert [row.to_dict() for row in found.rows] == [row.to_dict() for row in same.rows]
    ends = binomtest(26, 30).proportion_ci(0.95)
    assert (found["pass@1"].estimate, found["pass@1"].low, found["pass@1"].high) == pytest.approx(
        (26 / 30, *ends)
    )
    assert "26/30 taken as 30 questions with one sample each" in found.to_text()
    assert (
        gate("45/50", minimum={"pass@1": 0.78}).verdict
        == gate([[1]] * 45 + [[0]] * 5, minimum={"pass@1": 0.78}).verdict
        == "pass"
    )


def test_a_published_number_is_drawn_with_its_interval():
    for found in audit("0.843", questions=30), compare("17/20", "14/20"):
        ax = found.plot()
        (line,), (bars,) = ax.lines, ax.collections
        assert line.get_xdata().tolist() == [row.value for row in found.rows]
        assert [part[:, 0].tolist() for part in bars.get_segments()] == [
            [row.low, row.high] for row in found.rows
        ]
        names = [label.get_text() for label in ax.get_yticklabels()]
        assert len(names) == len(found.rows) and names[0].startswith(found.rows[0].text)
    for found in audit("pass@1 38.0, pass@2 44.7"), audit([219, 213], questions=260):
        with pytest.raises(ValueError, match="has no figure; one or two numbers have one"):
            found.plot()


def test_a_folder_of_that_name_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "26" / "30").mkdir(parents=True)
    (tmp_path / "26" / "30" / "run.csv").write_text("question,correct\na,1\nb,0\n")
    assert score("26/30")["pass@1"].estimate == 0.5


@pytest.mark.parametrize(
    "words, code, text",
    [
        ("score 26/30", 0, "pass@1 = 86.7 % (95 % CI 69.3 to 96.2 %, new questions)"),
        ("compare 17/20 14/20", 0, "Pairing is unknown"),
        ("gate 45/50 --minimum pass@1=.8", 3, "45/50 taken as 50 questions"),
        ("gate 45/50 --minimum pass@1=.8 --explain", 3, "The CI lies on both sides of the limit."),
        ("audit 0.843 --questions 30", 0, "nearest: 25/30 = 0.833 and 26/30 = 0.867"),
        ("audit 86.7% --questions 30 -f json", 0, '"right_least": 26'),
        ("audit .843 .80 --questions 30", 0, "not significant"),
        ("plan --max-drop .1 -n 4", 0, "if candidate and baseline are equal"),
        ("score 26/0", 2, "1 to 10,000,000 questions, got '26/0'"),
        ("score 31/30", 2, "needs 0 <= right <= questions"),
        ("score 3/4 2/4", 2, "one at a time, or two with sampling-eval compare"),
        ("compare 17/20 14/20 --target same_questions", 2, "needs questions with names"),
        (
            "gate 45/50 --baseline 40/50 --max-drop .1",
            2,
            "does not say which of them are right, got '40/50'",
        ),
        ("audit 26/0", 2, "got '26/0'"),
        ("audit 31/30", 2, "got '31/30'"),
        ("audit 1.5 --questions 3", 2, "a share lies between 0 and 1"),
        ("audit 84.3 --questions 30", 2, "in percent it is 84.3%"),
        ("audit nan --questions 3", 2, "such as 0.843, 84.3% or 26/30, got 'nan'"),
        ("audit .84", 2, "how many questions are behind .84?"),
        (
            "audit .843 --questions 30 --samples 1",
            2,
            "25/30 = 0.8333 and 26/30 = 0.8667; it fits --samples 7, 10, 14, 17 or 18",
        ),
        ("audit 101/120 --questions 31", 2, "must divide evenly"),
        ("audit .84 --questions 0", 2, "whole number from 1"),
        ("plan --max-drop .05 --true-difference -.05", 2, "unless the truth lies above it"),
        ("plan --minimum pass@1=.8 --true-value .8", 2, "unless the truth lies above it"),
        ("plan --true-value .8", 2, "that of one metric"),
        ("plan --max-drop .05 --target same_questions", 2, "a gate is sized for new questions"),
    ],
)
def test_at_the_command(words, code, text):
    run = command(*words.split())
    assert run.returncode == code, run.stderr
    assert text in " ".join((run.stdout if code != 2 else run.stderr).split())


@pytest.mark.parametrize(
    "data, other, named",
    [
        ("-1/3", None, "-1/3"),
        ("26/0", None, "26/0"),
        (True, None, "bool"),
        (float("nan"), None, "nan"),
        (1.5, None, "1.5"),
        (0.843, True, "bool"),
        (-0.1, None, "-0.1"),
    ],
)
def test_what_is_no_share_is_refused(data, other, named):
    with pytest.raises((ValueError, TypeError), match="share|number|right/questions") as error:
        audit(data, other, questions=3)
    assert named in str(error.value)


# Counts that fit: every share of so many, rounded to so many digits, is found again.
@pytest.mark.parametrize(
    "questions, samples, digits", [(30, 1, 3), (30, 4, 3), (7, 3, 2), (164, 1, 1), (12, 5, 4)]
)
def test_every_printed_count_is_found_again(questions, samples, digits):
    total = questions * samples
    for right in range(total + 1):
        row = audit(f"{right / total:.{digits}f}", questions=questions, samples=samples).rows[0]
        assert row.right_least <= right <= row.right_most
        fits = [
            c for c in range(total + 1) if abs(c / total - row.value) <= 0.5 * 10**-digits + 1e-12
        ]
        assert fits == list(range(row.right_least, row.right_most + 1))
        assert (row.low, row.high) == pytest.approx((row.apart.low, row.apart.high)) or samples > 1


def test_digits_and_percent_matter():
    one, two, percent = (audit(text, questions=100).rows[0] for text in ("0.8", "0.80", "80%"))
    assert (one.right_least, one.right_most) == (75, 85) and (two.right_least, two.right_most) == (
        80,
        80,
    )
    assert (percent.least, percent.most) == (two.least, two.most) == (0.795, 0.805)
    assert audit("101/120", questions=30).rows[0].samples == 4


def test_two_numbers_are_unpaired_and_say_so(tmp_path):
    found = compare("17/20", "14/20")
    assert (
        isinstance(found, Audit)
        and found == audit("17/20", "14/20")
        and found.verdict == "not significant"
    )
    assert found.difference.least_paired == pytest.approx(0.25)
    clear = audit("0.95", "0.60", questions=200, samples=1)
    assert (
        clear.verdict == "significant" and clear.difference.high < 0 and clear.difference.p < 0.05
    )
    # Of several samples each it may depend on how alike those of a question are.
    open_ = audit("0.90", "0.80", questions=50, samples=8)
    assert open_.verdict == "unknown" and open_.difference.apart.high < 0 < open_.difference.high
    for result in found, clear, open_, audit("0.843", questions=30):
        path = tmp_path / "audit.json"
        path.write_text(result.to_json())
        assert (
            load_result(path) == result
            and "<html" in result.to_html()
            and result.to_latex()
            and result.to_markdown()
        )
        assert len(result.to_frame("pandas")) == len(result.rows) and result.methods()


def test_written_counts_are_never_paired():
    for call in (
        lambda: gate("9/10", baseline="8/10", max_drop=0.1),
        lambda: compare("9/10", ROWS),
        lambda: table(["9/10", "8/10"]),
        lambda: plan(0.1, pilot="9/10", pilot_b="8/10"),
    ):
        with pytest.raises(ValueError, match="written count"):
            call()


# Every pair of small tables: the interval holds the truth as often as promised, and p agrees with
# it.
def test_the_unpaired_interval_covers():
    n, m = 5, 4
    found = [[independent_difference(a, n, b, m) for b in range(m + 1)] for a in range(n + 1)]
    for a in range(n + 1):
        for b in range(m + 1):
            one, back = found[a][b], found[n - a][m - b]
            assert (one.p < 0.05) == (one.interval.low > 0 or one.interval.high < 0)
            assert (one.interval.low, one.interval.high) == pytest.approx(
                (-back.interval.high, -back.interval.low), abs=1e-5
            )
    low, high = (
        np.array([[getattr(one.interval, name) for one in row] for row in found])
        for name in ("low", "high")
    )
    shares = np.linspace(0.01, 0.99, 50)
    left, right = (
        np.array([binom.pmf(np.arange(size + 1), size, p) for p in shares]) for size in (n, m)
    )
    for i, p in enumerate(shares):
        for j, q in enumerate(shares):
            assert left[i] @ ((low <= q - p + 1e-6) & (q - p <= high + 1e-6)) @ right[j] >= 0.95


# What a plan promises is how often the gate itself passes.
@pytest.mark.parametrize(
    "limit, truth, drop, n, questions", [(-0.1, 0.0, True, 4, 120), (0.8, 0.9, False, 2, 60)]
)
def test_a_gate_passes_as_often_as_planned(limit, truth, drop, n, questions):
    from scipy.optimize import brentq
    from scipy.special import expit

    population = population_of(1, find_metric("pass@1")[0][0].credit, [n])
    promised, _ = pass_power(population, PassRule(limit, truth, drop), n, questions)
    rng, (x, y), passed, runs = np.random.default_rng(0), population.logits(1597), 0, 120
    if drop:
        x, y = population.at(truth)
    else:
        x = x + brentq(lambda s: population.value(x + s).mean() - truth, -60, 60)
    for _ in range(runs):
        some = rng.integers(0, len(x), questions)
        first, second = (Counts([n] * questions, rng.binomial(n, expit(z[some]))) for z in (x, y))
        rule = dict(baseline=first, max_drop=-limit) if drop else dict(minimum={"pass@1": limit})
        passed += gate(second if drop else first, target="new_questions", **rule).passed
    assert abs(passed / runs - promised) < 4 * (promised * (1 - promised) / runs) ** 0.5


def test_a_plan_sizes_the_rules_of_a_gate():
    both = plan(minimum={"pass@1": 0.8}, true_value=0.9, max_drop=0.1, n=[1, 4])
    each = plan(minimum={"pass@1": 0.8}, true_value=0.9, n=[1, 4]), plan(max_drop=0.1, n=[1, 4])
    assert all(both.gate.questions[i] >= one.gate.questions[i] for one in each for i in (0, 1))
    assert min(both.gate.power) >= 0.8 and both.gate.alone and len(both.gate.rules) == 2
    assert type(both).from_json(both.to_json()) == both
    given = plan(0.1, minimum={"pass@1": 0.8}, true_value=0.9, questions=100, n=2)
    assert (
        not given.gate.alone
        and given.gate.questions == (100,)
        and "drop" not in given.gate.rules[0].kind
    )
    # The limit moves with the truth: nearer is dearer, and a passing truth far above is cheap.
    sizes = [
        plan(minimum={"pass@1": 0.8}, true_value=truth, n=4).gate.questions[0]
        for truth in (0.85, 0.9, 0.97)
    ]
    assert sizes == sorted(sizes, reverse=True)
    population = population_of(1, find_metric("pass@1")[0][0].credit, [1])
    with pytest.raises(ValueError, match="above the limit"):
        questions_to_pass(population, PassRule(0.8, 0.8, False), 1)


@pytest.mark.parametrize(
    "rules, texts",
    [
        (
            dict(max_drop=0.05),
            [
                "Tested: whether new - baseline in pass@1",
                "on both sides of the limit",
                "question 1 (4/4 to 0/4)",
            ],
        ),
        (
            dict(max_drop=0.9),
            ["PASS", "wholly at or above the limit", "pass an allowed drop of about"],
        ),
        (dict(same_within=0.5), ["truly lies within 50 points of 0", "within the margin"]),
        (
            dict(no_question_regresses=True),
            ["FAIL", "right less often than in the baseline", "1 question regressed"],
        ),
        (
            dict(max_drop=0.9, must_pass=[0, 3]),
            ["FAIL", "every sample of each must-pass question", "question 3 (1/4)"],
        ),
        (
            dict(max_drop=0.9, minimum={"pass@1": 0.95}),
            ["FAIL", "wholly below the limit", "fail one above 78.3 %"],
        ),
    ],
)
def test_each_rule_says_why(rules, texts):
    found = gate(
        Counts([4] * 6, [4, 0, 4, 1, 4, 1]), baseline=Counts([4] * 6, [4, 4, 4, 4, 3, 0]), **rules
    )
    said = found.explain()
    assert all(text in said for text in texts), said
    assert len(said.split("\n\n")) == len(found.rows)


# Behind a score: judge, labels, an earlier run; what a plan lists; the command; refusals.

RATES = dict(sensitivity=0.93, specificity=0.9)


def draw_log(labelled=20, whole=True):
    "A log with known truth: 60 questions, 4 samples each, verdicts, and labels of some."
    rng = np.random.default_rng(0)
    lab = load_script("bench/judges.py")
    right, passed = lab.draw_evaluation(rng, rng.beta(1, 1, 60), 4, 0.93, 0.9)
    known = np.zeros((60, 4), bool)
    if whole:
        known[:labelled] = True
    else:
        known.ravel()[rng.permutation(240)[: 4 * labelled]] = True
    rows = [
        dict(
            question=f"q{i:02d}",
            sample=j,
            passed=int(passed[i, j]),
            human=int(right[i, j]) if known[i, j] else None,
        )
        for i in range(60)
        for j in range(4)
    ]
    return rows, right, passed, known


@pytest.fixture
def log(tmp_path):
    rows, right, passed, known = draw_log()
    path = tmp_path / "verdicts.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path, right, passed, known


def test_a_judge_corrects_every_metric():
    _, _, passed, _ = draw_log()
    c = passed.sum(1)
    found = score(Counts(np.full(60, 4), c), judge=Judge(**RATES)).corrected
    assert (found.sensitivity, found.specificity, found.labels) == (0.93, 0.9, None)
    rows = {row.metric: row for row in found.rows}
    assert {"pass@1", "pass@4", "pass^2", "cons@3", "avg@4"} <= rows.keys()
    curve = judged_curve(4, c, [1, 4], **RATES)
    for i, name in enumerate(["pass@1", "pass@4"]):
        row, ends = rows[name], curve.intervals()[i]
        assert (row.estimate, row.low, row.high) == (curve.value[i], ends.low, ends.high)
        assert row.raw == pytest.approx(pass_at_k(4, c, [1, 4]).mean(0)[i])
        assert (row.least, row.largest, row.stderr) == (
            curve.low[i],
            curve.high[i],
            curve.stderr[i],
        )
    assert rows["avg@4"].estimate == pytest.approx(rows["pass@1"].estimate)
    same = score(Counts(np.full(60, 4), c), "pass@2", judge=(0.93, 0.9), target="same_questions")
    row = same.corrected.rows[0]
    assert (str(row.interval.method), row.target) == (
        "gamma within questions (approximate)",
        "same_questions",
    )
    assert "same questions, gamma within" in " ".join(str(same).split())


def test_labels_give_the_rates_and_carry_them_through(log):
    path, right, passed, known = log
    found = score(path, correct="passed", labels="human").corrected
    told = Calibration(
        int((passed & right & known).sum()),
        int((right & known).sum()),
        int((~passed & ~right & known).sum()),
        int((~right & known).sum()),
    )
    assert (found.labels, found.right_labels, found.labelled_questions) == (80, told.right, 20)
    assert (found.sensitivity, found.specificity) == (
        told.judge.sensitivity,
        told.judge.specificity,
    )
    rows = {row.metric: row for row in found.rows}
    for name, k, credit in (("pass@2", 2, "any"), ("pass^4", 4, "all"), ("avg@4", 1, "any")):
        ends = calibrated_interval(4, passed.sum(1), k, told, credit=credit)
        assert (rows[name].low, rows[name].high, rows[name].interval.method) == (
            ends.low,
            ends.high,
            ends.method,
        )
    truth = pass_at_k(4, right.sum(1), 2)
    powered = prediction_powered_mean(truth[:20], pass_at_k(4, passed.sum(1), 2), np.arange(20))
    row = next(row for row in found.labelled if row.metric == "pass@2")
    assert (row.estimate, row.powered) == pytest.approx((truth[:20].mean(), powered.value))
    assert row.low == pytest.approx(powered.alone.confidence_interval().low)


def test_labels_of_single_samples_calibrate_only():
    rows, right, passed, known = draw_log(whole=False)
    found = score(rows, correct="passed", labels="human").corrected
    assert found.labels == 80 and found.labelled == ()
    told = (right & known).sum()
    assert found.right_labels == told
    assert found.sensitivity == pytest.approx((right & passed & known).sum() / told)


def test_labels_of_a_part_of_a_question_calibrate_only():
    "What assumes no rates needs whole questions, three of them at least, and no others."
    rows, *_ = draw_log()
    ask = dict(correct="passed", labels="human")
    assert score(rows, **ask).corrected.labelled
    first = next(row for row in rows if row["human"] is not None)
    first["human"] = None
    assert score(rows, **ask).corrected.labelled == ()
    whole = {row["question"] for row in rows if row["human"] is not None} - {first["question"]}
    for kept, some in ((3, True), (2, False)):
        few = sorted(whole, key=str)[:kept]
        own = [row | dict(human=row["human"] if row["question"] in few else None) for row in rows]
        assert bool(score(own, **ask).corrected.labelled) is some


def test_labels_correct_each_model_and_group_by_its_own():
    rows = draw_log(labelled=40)[0]
    rows = [row | dict(model="ab"[i >= 120], topic="xy"[i % 8 >= 4]) for i, row in enumerate(rows)]
    report = score(rows, "pass@2", correct="passed", labels="human", by="topic")
    found = report.corrected
    assert found.sensitivity is None and found.labels is None
    sides = [(one.model, one.group) for one in found.judges]
    assert sides == [(model, group) for model in "ab" for group in ("", "x", "y")]
    for part in found.by_judge():
        one = part.rows[0]
        kept = [
            {name: value for name, value in row.items() if name not in ("model", "topic")}
            for row in rows
            if row["model"] == one.model and one.group in ("", row["topic"])
        ]
        alone = score(kept, "pass@2", correct="passed", labels="human").corrected
        assert (part.sensitivity, part.labels, part.labelled_questions) == (
            alone.sensitivity,
            alone.labels,
            alone.labelled_questions,
        )
        assert (one.estimate, one.low, one.high, one.target) == (
            alone.rows[0].estimate,
            alone.rows[0].low,
            alone.rows[0].high,
            "new_questions",
        )
    assert Report.from_json(report.to_json()) == report
    for row in rows:
        row["human"] = None if row["model"] == "b" else row["human"]
    with pytest.raises(ValueError, match="labels must label some answers, got none of b"):
        score(rows, "pass@2", correct="passed", labels="human")


# Where the rates do not fit, or labels do not tell them.


@pytest.mark.parametrize("chance, side", [(0, "below 0"), (0.995, "above 100")])
def test_corrected_rows_stay_in_the_range_and_rates_that_do_not_fit_are_a_caution(chance, side):
    c = np.random.default_rng(0).binomial(8, 0.02 + 0.98 * chance, 60)
    report = score(Counts(np.full(60, 8), c), judge=(0.93, 0.9))
    for row in report.corrected.rows:
        assert 0 <= row.low < row.high <= 1 and 0 <= row.estimate <= 1
        assert row.fits or (row.low, row.high) == (0, 1)
    first = judged_curve(8, c, 1, **RATES)
    row = report.corrected.rows[0]
    assert row.unbiased == first.value[0] != row.estimate
    [one] = report.cautions
    assert one.kind == "judge_rates" and f"whole CI lies {side} %" in str(one)
    assert "the rates of the judge do not fit its verdicts" in " ".join(str(report).split())
    assert Report.from_json(report.to_json()) == report
    fits = score(
        Counts(np.full(60, 8), np.random.default_rng(0).binomial(8, 0.5, 60)), judge=(0.93, 0.9)
    )
    assert not fits.cautions


def test_the_corrected_number_comes_first():
    c = np.random.default_rng(0).binomial(4, 0.5, 40)
    one = score(Counts(np.full(40, 4), c), "pass@k", judge=(0.93, 0.9))
    row = one.corrected.rows[0]
    first, second = " ".join(str(one).split()).split(" The verdicts as they are: ")
    assert first.startswith(
        f"pass@1 = {100 * row.estimate:.1f} % (95 % CI {100 * row.low:.1f} to"
        f" {100 * row.high:.1f} %"
    )
    assert first.endswith("; corrected for a judge with sensitivity 93.0 %, specificity 90.0 %.")
    assert second.startswith(f"pass@1 = {100 * row.raw:.1f} % (95 % CI")
    rows = [
        dict(model=m, question=i, correct=int(j < n))
        for m in "ab"
        for i, n in enumerate(c)
        for j in range(4)
    ]
    assert str(score(rows, "pass@k", judge=(0.93, 0.9))).startswith("a pass@1 = ")


def label_all(right, passed):
    "Ten questions of two answers; five are labelled as a whole."
    return [
        dict(
            question=f"q{i // 2}",
            sample=i % 2,
            passed=passed(i),
            human=right(i) if i < 10 else None,
        )
        for i in range(20)
    ]


@pytest.mark.parametrize(
    "right, passed, rates, said",
    [
        (
            lambda i: 1,
            lambda i: int(i % 5 > 0),
            (0.8, None),
            (
                "none of the labelled answers is wrong, so specificity is unknown; sensitivity is"
                " 80.0 %"
            ),
        ),
        (
            lambda i: 0,
            lambda i: int(i % 5 == 0),
            (None, 0.8),
            (
                "none of the labelled answers is right, so sensitivity is unknown; specificity is"
                " 80.0 %"
            ),
        ),
        (
            lambda i: i % 2,
            lambda i: 1,
            (1, 0),
            "sensitivity is 100.0 % and specificity 0.0 %, and where both add up to 100 % or less",
        ),
    ],
)
def test_labels_that_give_no_rates_still_give_what_assumes_none(right, passed, rates, said):
    rows = label_all(right, passed)
    report = score(rows, "pass@k", correct="passed", labels="human")
    found = report.corrected
    assert (found.sensitivity, found.specificity) == rates and found.rows == ()
    alone = np.mean([right(i) for i in range(10)])
    row = found.labelled[0]
    assert (row.metric, row.estimate) == ("pass@1", alone) and 0 <= row.low < row.high <= 1
    text = " ".join(str(report).split())
    assert said in text and "The 5 labelled questions alone: pass@1" in text
    if row.powered_interval is None:
        assert "without an interval" in text
    else:
        assert (
            0 <= row.powered_interval.low < row.powered_interval.high <= 1
            and not row.fitted
            and "slope not fitted" in text
        )
    assert Report.from_json(report.to_json()) == report
    part = [row | dict(human=row["human"] if row["sample"] else None) for row in rows]
    single = score(part, "pass@k", correct="passed", labels="human")
    assert single.corrected.labelled == () and "No corrected number from 5 labels" in " ".join(
        str(single).split()
    )
    both = [row | dict(model=m) for m in "ab" for row in rows]
    assert f"b: no corrected number from 10 labels: " in " ".join(
        str(score(both, correct="passed", labels="human")).split()
    )


def test_a_part_borrows_from_an_earlier_run():
    rng = np.random.default_rng(1)
    names = np.array([f"q{i}" for i in range(80)])
    p = rng.beta(1, 1, 80)
    old, place = Counts(np.full(80, 16), rng.binomial(16, p), names), draw_questions(80, 20, 3)
    new = Counts(np.full(20, 8), rng.binomial(8, p[place]), names[place])
    report = score(new, ["pass@k", "avg@n"], earlier=old)
    rows = {row.metric: row for row in report.borrowed.rows}
    assert (report.borrowed.sampled, report.borrowed.questions) == (20, 80)
    assert (str(rows["pass@2"].interval.method), rows["pass@2"].target) == (
        "gaffke on differences",
        "same_questions",
    )
    noise = within_questions(new.n, new.c, 2, any_credit).variance
    one = borrowed_mean(pass_at_k(new.n, new.c, 2), place, pass_at_k(old.n, old.c, 2), within=noise)
    ends = one.confidence_interval()
    assert (rows["pass@2"].estimate, rows["pass@2"].low) == pytest.approx((one.value, ends.low))
    assert rows["pass@2"].stderr == pytest.approx(one.stderr)
    assert rows["pass@2"].raw == pytest.approx(report["pass@2"].estimate)
    assert rows["avg@8"].earlier == pytest.approx((old.c / 16).mean())


def test_fields_survive_json(log, tmp_path):
    path, *_ = log
    for options in (dict(judge=(0.93, 0.9), ignore="human"), dict(labels="human")):
        report = score(path, "pass@k", correct="passed", **options)
        (tmp_path / "r.json").write_text(report.to_json())
        again = load_result(tmp_path / "r.json")
        assert isinstance(again, Report) and again.corrected == report.corrected
        assert str(again) == str(report)
    assert json.loads(score([[1, 0]]).to_json())["corrected"] is None


def test_a_plan_lists_what_to_run():
    rng = np.random.default_rng(2)
    old = Counts(np.full(40, 8), rng.binomial(8, rng.random(40)), [f"q{i}" for i in range(40)])
    part = plan(earlier=old, questions=12, n=4, method="normal", rng=7).run
    assert [one.question for one in part.listed] == [f"q{i}" for i in draw_questions(40, 12, 7)]
    assert part.drawn and part.seed == 7 and {one.samples for one in part.listed} == {4}
    whole = plan(earlier=old, budget=400, metrics="pass@2", method="normal").run
    samples = allocate_samples(old.n, old.c, 2, 400)
    assert [one.samples for one in whole.listed] == samples.tolist() and not whole.drawn


def test_a_plan_says_labels_and_gradings():
    _, _, passed, _ = draw_log()
    pilot = Counts(np.full(60, 4), passed.sum(1))
    found = plan(
        0.1, pilot=pilot, judge=(0.93, 0.9), half_width=0.2, cost_sample=4, method="normal"
    ).judging
    first = judged_curve(4, pilot.c, 1, **RATES)
    both = judged_curve(4, pilot.c, 2, **RATES, credit="all")
    share = first.value[0]
    assert found.share == pytest.approx(share)
    assert found.labels == labels_needed(0.2, **RATES, share=share, stderr=first.stderr[0] * 0.83)
    noise = share * 0.93 * 0.07 + (1 - share) * 0.9 * 0.1
    assert found.gradings == pytest.approx((4 * noise / (share - both.value[0]) / 0.83**2) ** 0.5)
    alone = plan(0.1, judge=Judge(**RATES), method="normal").judging
    assert alone.share == 0.5 and alone.labels == labels_needed(0.05, **RATES, share=0.5)


def test_screens(log, tmp_path):
    path, *_ = log
    rng = np.random.default_rng(1)
    old = Counts(np.full(40, 8), rng.binomial(8, rng.random(40)), [f"q{i}" for i in range(40)])
    new = Counts(np.full(10, 4), rng.binomial(4, 0.5, 10), [f"q{i}" for i in range(0, 40, 4)])
    told = {
        "judge": score(path, "pass@k", correct="passed", judge=(0.93, 0.9), ignore="human"),
        "labels": score(path, "pass@k", correct="passed", labels="human"),
        "earlier": score(new, "pass@k", earlier=old),
        "plan": plan(
            earlier=old, questions=10, n=4, method="normal", judge=(0.93, 0.9), half_width=0.2
        ),
    }
    for name, result in told.items():
        check_printed("truth", name, str(result))


def test_a_pilot_beside_an_earlier_run():
    "What is planned rests on the pilot; what to run is drawn from the earlier run."
    rng = np.random.default_rng(3)

    def draw(questions):
        return Counts(np.full(questions, 8), rng.integers(0, 9, questions))

    pilot, old = draw(30), draw(90)
    given = dict(questions=20, n=4, method="normal")
    both, alone, without = (
        plan(pilot=pilot, earlier=old, **given),
        plan(earlier=old, **given),
        plan(pilot=pilot, **given),
    )
    assert both.run.listed == alone.run.listed and len(both.run.listed) == 20
    assert both.rows == without.rows != alone.rows


def test_command(log, tmp_path):
    path, *_ = log
    told = command(
        "score",
        path,
        "--correct",
        "passed",
        "--ignore",
        "human",
        "--judge",
        ".93",
        ".9",
        "--metrics",
        "pass@k",
    )
    assert "; corrected for a judge with sensitivity 93.0 %" in told.stdout.replace("\n", " ")
    told = command("score", path, "--correct", "passed", "--labels", "human")
    assert "labelled questions alone" in told.stdout.replace("\n", " ")
    listed = tmp_path / "run.csv"
    command(
        "plan",
        "--earlier",
        path,
        "--correct",
        "passed",
        "--ignore",
        "human",
        "--questions",
        "20",
        "-n",
        "4",
        "--method",
        "normal",
        "--run-list",
        listed,
    )
    rows = list(csv.DictReader(listed.open()))
    assert len(rows) == 20 and {row["samples"] for row in rows} == {"4"}


OLD = Counts([4, 4, 4], [1, 2, 3], ["a", "b", "c"])
NEW = Counts([4, 4], [1, 2], ["a", "x"])


@pytest.mark.parametrize(
    "call, said",
    [
        (
            lambda: score(OLD, judge=0.9),
            "judge must be a Judge, or its sensitivity and specificity",
        ),
        (lambda: score(OLD, judge=(0.5, 0.5)), "must be above 1, got 0.5 . 0.5"),
        (lambda: score(OLD, judge=(0.9, 0.9), earlier=OLD), "only one of judge and earlier"),
        (
            lambda: score(OLD, judge=(0.9, 0.9), weights=dict(a=1, b=2, c=1)),
            "weights and judge exclude",
        ),
        (lambda: score(OLD, judge=(0.9, 0.9), missing="bounds"), "missing and judge exclude"),
        (lambda: score(OLD, labels=3), "labels must name a column"),
        (
            lambda: score(OLD, labels="human"),
            "labels need a table with a column of verdicts, got outcomes",
        ),
        (
            lambda: score(NEW, earlier=OLD),
            r"every question of the new run, got no 'x' \(1 of 2 are",
        ),
        (lambda: score(OLD, earlier=OLD, metrics="pass@1", judge=(0.9, 0.9)), "only one of"),
        (lambda: plan(0.1, earlier=OLD, method="normal"), "needs their number, or a budget"),
        (
            lambda: plan(minimum={"pass@1": 0.8}),
            (
                "true_value=... gives the questions until the gate passes if that is true,"
                " questions=..."
            ),
        ),
        (
            lambda: plan(earlier=OLD, questions=9, method="normal"),
            "sampled must lie between 2 and 3",
        ),
        (
            lambda: plan(0.1, judge=(0.9, 0.9), cost_grading=0, method="normal"),
            "cost_grading must be",
        ),
        (
            lambda: plan(0.1, judge=(0.9, 0.9), half_width=0, method="normal"),
            "half_width must be above",
        ),
    ],
)
def test_bad_input_never_gives_a_number(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()


def test_labels_name_another_column(log):
    path, *_ = log
    with pytest.raises(ValueError, match="another column than that of the verdicts"):
        score(path, correct="passed", labels="passed")
    with pytest.raises((ValueError, TypeError)):
        score(path, correct="passed", labels="nobody")


@pytest.mark.parametrize(
    "a, b, possible, sure",
    [
        ((70, 86), (95, 110), True, False),
        ((70, 72), (108, 110), True, True),
        ((84, 86), (95, 97), False, False),
    ],
)
def test_a_difference_of_rounded_numbers_may_be_significant_where_one_pair_of_counts_is(
    a, b, possible, sure
):
    found = spread_differences(a, b, 200, 200, 0.95)
    assert (found.possible, excludes_zero(found)) == (possible, sure)
    ends = [independent_difference(one, 200, other, 200, 0.95).interval for one in a for other in b]
    assert found.interval.low == min(end.low for end in ends)
    assert found.interval.high == max(end.high for end in ends)


@pytest.mark.parametrize(
    "sensitivity, specificity, informed",
    [
        (0.9, 0.8, True),
        (0.5, 0.51, True),
        (0.5, 0.5, False),
        (0.4, 0.5, False),
        (0.9, None, False),
        (None, 0.9, False),
    ],
)
def test_whether_verdicts_say_anything(sensitivity, specificity, informed):
    assert CorrectedScore(sensitivity, specificity, ()).informed is informed


# Many models, other levels and groups of questions behind a judge.


@pytest.mark.parametrize("size, more", [(4, ""), (5, "; and 1 more"), (6, "; and 2 more")])
def test_a_headline_names_four_corrected_models(size, more):
    c = np.random.default_rng(0).binomial(4, 0.5, (size, 12))
    rows = [
        dict(model=name, question=q, correct=int(s < right))
        for name, own in zip("abcdef", c.tolist())
        for q, right in enumerate(own)
        for s in range(4)
    ]
    report = score(rows, ["pass@k"], k=[1, 4], judge=(0.93, 0.9))
    text = " ".join(str(report).split())
    first, rest = text.split("; corrected for a judge with ")
    for name in "abcdef"[:4]:
        assert f"{name} pass@1 = " in first
    assert first.endswith(more) and first.count("pass@1 = ") == 4
    assert first.count(";") == 3 + bool(more)
    said = rest.split("Corrected: ")[1].split(". Assumes")[0]
    assert [part.split()[0] for part in said.split("; ") if "pass@4" in part] == list("abcd")


def test_labels_correct_at_any_level_and_over_groups_of_questions():
    rows, right, passed, known = draw_log()
    rows = [row | dict(book=int(row["question"][1:]) // 4) for row in rows]
    found = score(
        rows, ["pass@k"], correct="passed", labels="human", cluster="book", confidence_level=0.8
    ).corrected
    told = Calibration(
        int((passed & right & known).sum()),
        int((right & known).sum()),
        int((~passed & ~right & known).sum()),
        int((~right & known).sum()),
    )
    books = np.arange(60) // 4
    for row, k in zip(found.rows, (1, 2, 3, 4)):
        ends = calibrated_interval(
            4, passed.sum(1), k, told, credit="any", cluster=books, confidence_level=0.8
        )
        assert (row.low, row.high) == pytest.approx((ends.low, ends.high), rel=1e-12)
        assert row.interval.level == 0.8


def test_labels_correct_what_has_to_be_right_every_time():
    rows, right, passed, known = draw_log()
    found = score(rows, ["pass^k", "avg@n"], correct="passed", labels="human").corrected
    rates = dict(sensitivity=found.sensitivity, specificity=found.specificity)
    values = {row.metric: row.estimate for row in found.rows}
    for k in (2, 4):
        want = judged_curve(4, passed.sum(1), k, **rates, credit="all").value[0]
        assert values[f"pass^{k}"] == pytest.approx(want, rel=1e-12)
    share = judged_curve(4, passed.sum(1), 1, **rates, credit="share").value[0]
    assert values["avg@4"] == pytest.approx(share, rel=1e-12)
    assert {"pass^1", "pass^2", "pass^3", "pass^4", "avg@4"} == set(values)


def test_metrics_beyond_a_share_have_no_labels_of_their_own():
    rows = draw_log()[0]
    metrics = {"pass@k": None, "right@k": lambda k: np.arange(k + 1)}
    found = score(rows, metrics, [1, 2], correct="passed", labels="human").corrected
    assert [row.metric for row in found.labelled] == ["pass@1", "pass@2"]
    assert [row.metric for row in found.rows] == ["pass@1", "pass@2"]


def test_labels_of_other_questions_are_refused():
    own = Counts([2, 2], [1, 2], ["a", "b"])
    block = "m", "", own, []
    assert pick_counts({("m", ""): own}, block) is own
    for blocks in {}, {("n", ""): own}, {("m", ""): Counts([2, 2], [1, 2], ["b", "a"])}:
        with pytest.raises(ValueError, match="labels must belong to the questions that were jud"):
            pick_counts(blocks, block)


@pytest.mark.parametrize(
    "value, low, high, bounds, told",
    [
        (0.4, 0.2, 0.6, (0, 1), (0.4, 0.2, 0.6, None, True)),
        (-0.1, -0.3, 0.2, (0, 1), (0, 0, 0.2, -0.1, True)),
        (1.2, 0.9, 1.4, (0, 1), (1, 0.9, 1, 1.2, True)),
        (1.2, 1.1, 1.4, (0, 1), (1, 0, 1, 1.2, False)),
        (-0.2, -0.3, 0, (0, 1), (0, 0, 1, -0.2, False)),
        (0.4, 0.2, 0.6, None, (0.4, 0.2, 0.6, None, True)),
        (1.2, -0.1, 1.4, None, (1, 0, 1, 1.2, True)),
        (1.2, 0.9, 2.4, (0, 2), (1.2, 0.9, 2, None, True)),
        (2.5, 2.1, 2.8, (1, 2), (2, 1, 2, 2.5, False)),
    ],
)
def test_a_corrected_number_is_limited_to_its_metric(value, low, high, bounds, told):
    row = CorrectedRow("m", 0.5, value, Interval(low, high, method=Method("gaffke")))
    found = limit_row(row, bounds)
    assert (found.estimate, found.low, found.high, found.unbiased, found.fits) == told
    assert str(found.interval.method) == (
        "gaffke" if found.fits else "none: the rates do not fit the verdicts"
    )
