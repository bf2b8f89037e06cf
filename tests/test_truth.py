"Behind a score: judge, labels, an earlier run; what a plan lists; the command; refusals."
import csv
import json

import numpy as np
import pytest
from conftest import command
from printed import check_printed
from scripts import load_script

from sampling_eval import Counts, Judge, load_result, plan, score
from sampling_eval.inference.borrowing import allocate_samples, borrowed_mean, draw_questions
from sampling_eval.inference.judges import (Calibration, calibrated_interval, judged_curve,
                                            labels_needed, prediction_powered_mean)
from sampling_eval.inference.within import within_questions
from sampling_eval.foundations.credit import any_credit
from sampling_eval.metrics.passk import pass_at_k
from sampling_eval.results.score_report import Report

RATES = dict(sensitivity=.93, specificity=.9)


def draw_log(labelled=20, whole=True):
    "A log with known truth: 60 questions, 4 samples each, verdicts, and labels of some."
    rng = np.random.default_rng(0)
    lab = load_script("bench/judges.py")
    right, passed = lab.draw_evaluation(rng, rng.beta(1, 1, 60), 4, .93, .9)
    known = np.zeros((60, 4), bool)
    if whole: known[:labelled] = True
    else: known.ravel()[rng.permutation(240)[:4 * labelled]] = True
    rows = [dict(question=f"q{i:02d}", sample=j, passed=int(passed[i, j]),
                 human=int(right[i, j]) if known[i, j] else None)
            for i in range(60) for j in range(4)]
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
    assert (found.sensitivity, found.specificity, found.labels) == (.93, .9, None)
    rows = {row.metric: row for row in found.rows}
    assert {"pass@1", "pass@4", "pass^2", "cons@3", "avg@4"} <= rows.keys()
    curve = judged_curve(4, c, [1, 4], **RATES)
    for i, name in enumerate(["pass@1", "pass@4"]):
        row, ends = rows[name], curve.intervals()[i]
        assert (row.estimate, row.low, row.high) == (curve.value[i], ends.low, ends.high)
        assert row.raw == pytest.approx(pass_at_k(4, c, [1, 4]).mean(0)[i])
        assert (row.least, row.largest, row.stderr) == (curve.low[i], curve.high[i],
                                                        curve.stderr[i])
    assert rows["avg@4"].estimate == pytest.approx(rows["pass@1"].estimate)
    same = score(Counts(np.full(60, 4), c), "pass@2", judge=(.93, .9), target="benchmark")
    row = same.corrected.rows[0]
    assert (row.method, row.target) == ("gamma within questions (approximate)", "same_questions")
    assert "same questions, gamma within" in " ".join(str(same).split())


def test_labels_give_the_rates_and_carry_them_through(log):
    path, right, passed, known = log
    found = score(path, correct="passed", labels="human").corrected
    told = Calibration(int((passed & right & known).sum()), int((right & known).sum()),
                       int((~passed & ~right & known).sum()), int((~right & known).sum()))
    assert (found.labels, found.right_labels, found.labelled_questions) == (80, told.right, 20)
    assert (found.sensitivity, found.specificity) == (told.judge.sensitivity,
                                                      told.judge.specificity)
    rows = {row.metric: row for row in found.rows}
    for name, k, credit in (("pass@2", 2, "any"), ("pass^4", 4, "all"), ("avg@4", 1, "any")):
        ends = calibrated_interval(4, passed.sum(1), k, told, credit=credit)
        assert (rows[name].low, rows[name].high, rows[name].method) == (ends.low, ends.high,
                                                                        ends.method)
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
        kept = [{name: value for name, value in row.items() if name not in ("model", "topic")}
                for row in rows if row["model"] == one.model and one.group in ("", row["topic"])]
        alone = score(kept, "pass@2", correct="passed", labels="human").corrected
        assert (part.sensitivity, part.labels, part.labelled_questions) == (
            alone.sensitivity, alone.labels, alone.labelled_questions)
        assert (one.estimate, one.low, one.high, one.target) == (
            alone.rows[0].estimate, alone.rows[0].low, alone.rows[0].high, "new_questions")
    assert Report.from_json(report.to_json()) == report
    for row in rows: row["human"] = None if row["model"] == "b" else row["human"]
    with pytest.raises(ValueError, match="labels must hold right answers, got none of b"):
        score(rows, "pass@2", correct="passed", labels="human")


def test_a_part_borrows_from_an_earlier_run():
    rng = np.random.default_rng(1)
    names = np.array([f"q{i}" for i in range(80)])
    p = rng.beta(1, 1, 80)
    old, place = Counts(np.full(80, 16), rng.binomial(16, p), names), draw_questions(80, 20, 3)
    new = Counts(np.full(20, 8), rng.binomial(8, p[place]), names[place])
    report = score(new, ["pass@k", "avg@n"], earlier=old)
    rows = {row.metric: row for row in report.borrowed.rows}
    assert (report.borrowed.sampled, report.borrowed.questions) == (20, 80)
    assert (rows["pass@2"].method, rows["pass@2"].target) == ("gaffke on differences",
                                                              "same_questions")
    noise = within_questions(new.n, new.c, 2, any_credit).variance
    one = borrowed_mean(pass_at_k(new.n, new.c, 2), place, pass_at_k(old.n, old.c, 2),
                        within=noise)
    ends = one.confidence_interval()
    assert (rows["pass@2"].estimate, rows["pass@2"].low) == pytest.approx((one.value, ends.low))
    assert rows["pass@2"].stderr == pytest.approx(one.stderr)
    assert rows["pass@2"].raw == pytest.approx(report["pass@2"].estimate)
    assert rows["avg@8"].earlier == pytest.approx((old.c / 16).mean())


def test_fields_survive_json(log, tmp_path):
    path, *_ = log
    for options in (dict(judge=(.93, .9), ignore="human"), dict(labels="human")):
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
    found = plan(.1, pilot=pilot, judge=(.93, .9), half_width=.2, cost_sample=4,
                 method="normal").judging
    first = judged_curve(4, pilot.c, 1, **RATES)
    both = judged_curve(4, pilot.c, 2, **RATES, credit="all")
    share = first.value[0]
    assert found.share == pytest.approx(share)
    assert found.labels == labels_needed(.2, **RATES, share=share, stderr=first.stderr[0] * .83)
    noise = share * .93 * .07 + (1 - share) * .9 * .1
    assert found.gradings == pytest.approx((4 * noise / (share - both.value[0]) / .83**2)**.5)
    alone = plan(.1, judge=Judge(**RATES), method="normal").judging
    assert alone.share == .5 and alone.labels == labels_needed(.05, **RATES, share=.5)


def test_screens(log, tmp_path):
    path, *_ = log
    rng = np.random.default_rng(1)
    old = Counts(np.full(40, 8), rng.binomial(8, rng.random(40)), [f"q{i}" for i in range(40)])
    new = Counts(np.full(10, 4), rng.binomial(4, .5, 10), [f"q{i}" for i in range(0, 40, 4)])
    told = {"judge": score(path, "pass@k", correct="passed", judge=(.93, .9), ignore="human"),
            "labels": score(path, "pass@k", correct="passed", labels="human"),
            "earlier": score(new, "pass@k", earlier=old),
            "plan": plan(earlier=old, questions=10, n=4, method="normal", judge=(.93, .9),
                         half_width=.2)}
    for name, result in told.items(): check_printed("truth", name, str(result))


def test_a_pilot_beside_an_earlier_run():
    "What is planned rests on the pilot; what to run is drawn from the earlier run."
    rng = np.random.default_rng(3)
    def draw(questions): return Counts(np.full(questions, 8), rng.integers(0, 9, questions))
    pilot, old = draw(30), draw(90)
    given = dict(questions=20, n=4, method="normal")
    both, alone, without = plan(pilot=pilot, earlier=old, **given), plan(earlier=old, **given), plan(pilot=pilot, **given)
    assert both.run.listed == alone.run.listed and len(both.run.listed) == 20
    assert both.rows == without.rows != alone.rows


def test_command(log, tmp_path):
    path, *_ = log
    told = command("score", path, "--correct", "passed", "--ignore", "human", "--judge", ".93", ".9",
                   "--metrics", "pass@k")
    assert "Corrected for a judge with sensitivity 93.0 %" in told.stdout.replace("\n", " ")
    told = command("score", path, "--correct", "passed", "--labels", "human")
    assert "labelled questions alone" in told.stdout.replace("\n", " ")
    listed = tmp_path / "run.csv"
    command("plan", "--earlier", path, "--correct", "passed", "--ignore", "human",
            "--questions", "20", "-n", "4", "--method", "normal", "--run-list", listed)
    rows = list(csv.DictReader(listed.open()))
    assert len(rows) == 20 and {row["samples"] for row in rows} == {"4"}


OLD = Counts([4, 4, 4], [1, 2, 3], ["a", "b", "c"])
NEW = Counts([4, 4], [1, 2], ["a", "x"])


@pytest.mark.parametrize("call, said", [
    (lambda: score(OLD, judge=.9), "judge must be a Judge, or its sensitivity and specificity"),
    (lambda: score(OLD, judge=(.5, .5)), "must be above 1, got 0.5 . 0.5"),
    (lambda: score(OLD, judge=(.9, .9), earlier=OLD), "only one of judge and earlier"),
    (lambda: score(OLD, judge=(.9, .9), weights=dict(a=1, b=2, c=1)), "weights and judge exclude"),
    (lambda: score(OLD, judge=(.9, .9), missing="bounds"), "missing and judge exclude"),
    (lambda: score(OLD, labels=3), "labels must name a column"),
    (lambda: score(OLD, labels="human"), "labels need a table with a column of verdicts, got outcomes"),
    (lambda: score(NEW, earlier=OLD), r"every question of the new run, got no 'x' \(1 of 2 are"),
    (lambda: score(OLD, earlier=OLD, metrics="pass@1", judge=(.9, .9)), "only one of"),
    (lambda: plan(.1, earlier=OLD, method="normal"), "needs their number, or a budget"),
    (lambda: plan(minimum={"pass@1": .8}), "true_value=... gives the questions until the gate passes if that is true, questions=..."),
    (lambda: plan(earlier=OLD, questions=9, method="normal"), "sampled must lie between 2 and 3"),
    (lambda: plan(.1, judge=(.9, .9), cost_grading=0, method="normal"), "cost_grading must be"),
    (lambda: plan(.1, judge=(.9, .9), half_width=0, method="normal"), "half_width must be above")])
def test_bad_input_never_gives_a_number(call, said):
    with pytest.raises((ValueError, TypeError), match=said): call()


def test_labels_name_another_column(log):
    path, *_ = log
    with pytest.raises(ValueError, match="another column than that of the verdicts"):
        score(path, correct="passed", labels="passed")
    with pytest.raises((ValueError, TypeError)): score(path, correct="passed", labels="nobody")
