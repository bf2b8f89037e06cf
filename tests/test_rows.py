"Rows of a report: what each carries, when it is made, and intervals that stand beside it."
import pickle
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval import mean_over_questions, score
from sampling_eval.inference.weights import check_weights, weighted_mean
from sampling_eval.reporting.intervals import NO_ENDS, explain_gaffke, find_ends, list_ends
from sampling_eval.reporting.report import Report
from sampling_eval.reporting.report_facts import explain_choice
from sampling_eval.reporting.rows import Row, Rows, name_ends
from sampling_eval.results.diagnostics import Stated
from sampling_eval.reporting.weights import (Weighted, describe_weights, explain_weights, say_assumed, say_basis, say_weights,
                                             take_weights,
                                             tell_weights)

PLAIN = [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]
SPREAD = mean_over_questions([.5, .25, 1., 0.], bounds=(0, 1))
ALIKE = mean_over_questions([.5, .5], bounds=(0, 1))
FREE = mean_over_questions([.5, .5], bounds=None)


def ends_of(one, *given):
    interval = one.confidence_interval(*given)
    return interval.low, interval.high


# Intervals.

def test_the_interval_of_an_estimate():
    found = find_ends(SPREAD)
    assert found[:2] == ends_of(SPREAD) and found.name == "95 % gaffke"
    assert find_ends(SPREAD, .9, "t").name == "90 % t (approximate)"
    assert find_ends(SPREAD, .9)[:2] == ends_of(SPREAD, .9)
    assert find_ends(SPREAD, method="bootstrap", rng=1) == find_ends(SPREAD, method="bootstrap", rng=1)
    assert find_ends(SPREAD, method="bootstrap", rng=1) != find_ends(SPREAD, method="bootstrap", rng=2)


def test_no_interval_without_the_spread_that_it_needs():
    assert find_ends(ALIKE).name == "95 % gaffke"
    assert find_ends(ALIKE, method="t") is NO_ENDS is find_ends(ALIKE, method="bootstrap")
    assert find_ends(FREE) is NO_ENDS and NO_ENDS == (None, None, "none")
    assert find_ends(SPREAD, method="t").low is not None


def test_intervals_at_all_budgets_are_those_at_each():
    report = score(PLAIN, "pass@k", target="both")
    rows = {row.k: row for row in report.rows}
    for method in (None, "t", "anchored-t"):
        curve = report.rows.curves[0]
        ends = list_ends(curve.estimates, .9, method)
        for end, one in zip(ends, curve.estimates, strict=True):
            assert end[:2] == pytest.approx(find_ends(one, .9, method)[:2], abs=1e-12)
            assert end.name == find_ends(one, .9, method).name
    assert [(row.low,
             row.high) for row in rows.values()] == [one[:2] for one in list_ends(report.rows.curves[0].estimates)]
    assert list_ends((SPREAD, SPREAD)) == [NO_ENDS, NO_ENDS] and list_ends(()) == []


def test_an_upper_bound_says_so():
    once = score([[1], [0], [1]], "pass@1", target="benchmark")
    assert once.rows[0].interval == "95 % gaffke = clopper-pearson, as for new questions: an upper bound"
    assert once.rows[0].source is not None and find_ends(once.rows[0].source).name == once.rows[0].interval


def test_what_gaffke_promises():
    assert explain_gaffke("95 % t") == ""
    assert explain_gaffke("95 % t and 95 % gaffke") == " (gaffke: at least that level, for any scores in a known range)"


# Rows.

def test_what_a_row_carries():
    row = score(PLAIN, ["pass@k", "avg@n"], target="both", confidence_level=.9)["pass@2"]
    assert (row.metric, row.k, row.questions, row.n_min, row.n_max, row.missing, row.samples) == ("pass@2", 2, 5, 4, 4,
        0, "4")
    assert row.estimate == pytest.approx((1 + 5 / 6 + 0 + .5 + 1) / 5) and row.source.value == row.estimate
    assert row.stderr == pytest.approx(np.std([1, 5 / 6, 0, .5, 1], ddof=1) / 5**.5)
    assert row.interval.startswith("90 % ") and row.again_interval == "90 % gamma within questions (approximate)"
    assert row.again_low < row.estimate < row.again_high and row.reason == "" and row.weights is None
    assert ends_of(row, .5) == ends_of(row.source, .5) != ends_of(row)
    assert row.confidence_interval(method="t").method == "t (approximate)" and list(row.to_dict()) == list(Row.names)
    assert row.confidence_interval(method="bootstrap", rng=3) == row.source.confidence_interval(method="bootstrap",
        rng=3)


def test_bands_are_never_narrower_than_intervals():
    rows = score(PLAIN, "pass@k").rows
    assert {row.band for row in rows} == {"anchored-sup-t (approximate)"}
    assert all(row.band_low <= row.low and row.high <= row.band_high for row in rows)
    assert any(row.band_low < row.low for row in rows) and any(row.high < row.band_high for row in rows)


def test_the_range_of_samples_and_a_row_without_its_source():
    row = score([[1, 0], [1, 1, 0]], "pass@1").rows[0]
    assert row.samples == "2..3" and (row.n_min, row.n_max) == (2, 3)
    again = Report.from_json(score([[1, 0], [1, 1]], "pass@1").to_json()).rows[0]
    assert again.source is None
    with pytest.raises(ValueError, match=r"^pass@1 holds its stored interval only \(95 % gaffke\); score the data "
                       r"again for another one$"):
        again.confidence_interval()


def test_rows_are_made_when_one_is_looked_at():
    rows = score(PLAIN, ["pass@k", "pass@2"]).rows
    assert "made" not in vars(rows) and len(rows) == 4 and "made" in vars(rows)
    assert [row.metric for row in rows] == ["pass@1", "pass@2", "pass@3", "pass@4"]
    assert rows[0] is rows.made[0] and rows[-1].k == 4 and rows[1:3] == rows.made[1:3] and repr(rows) == repr(rows.made)
    assert rows == tuple(rows) and rows == Rows(rows.curves) and rows != tuple(rows)[:2] and rows != list(rows)
    assert rows != Rows(rows.curves, .9) and rows[1].band


def test_ends_by_their_names():
    assert name_ends((1, 2, "a"), (), ()) == dict(low=1, high=2, interval="a")
    assert name_ends((1, 2, "a"), (3, 4, "b"), (5, 6, "c")) == dict(
        low=1, high=2, interval="a", band_low=3, band_high=4, band="b", again_low=5, again_high=6, again_interval="c")


def test_rows_without_an_error():
    row, = score([[1, 1], [1, 1]], "pass@1").rows
    assert row.stderr is None and row.reason == "all 2 questions have the same value, which shows no spread"
    assert row.low is not None


# A report.

MODELS = [dict(model=m, question=q, correct=int(c)) for m, runs in dict(a=("11", "00"), b=("11", "10")).items() for q,
          run in enumerate(runs) for c in run]


def test_a_row_by_its_name():
    report = score(MODELS, ["pass@1", "pass@2"])
    assert report["a", "pass@1"].estimate == .5 and report["b", "pass@2"].model == "b"
    with pytest.raises(KeyError) as refused: report["pass@1"]
    assert refused.value.args[0] == ("'pass@1' stands in 2 rows, of 'a', 'b'; write report[model, metric] or "
                                     "report[model, group, metric]")
    for key in ("pass@9", ("c", "pass@1")):
        with pytest.raises(KeyError) as refused: report[key]
        assert refused.value.args[0] == f"metric must be one of ['pass@1', 'pass@2'], got {key!r}"
    grouped = score([row | dict(g=f"g{row['question']}") for row in MODELS], "pass@1", group="g")
    assert grouped["a", "g1", "pass@1"].estimate == 0 and grouped["b", "g1", "pass@1"].estimate == .5
    assert explain_choice("x", [], [SimpleNamespace(model="m",
                                                    group="g")] * 2).startswith("'x' stands in 2 rows, of 'm / g', 'm "
                                                                                "/ g'; write")
    assert report.to_dict() == dict(a={"pass@1": .5, "pass@2": .5}, b={"pass@1": .75, "pass@2": 1.})
    assert score(PLAIN, "pass@1").to_dict() == {"pass@1": .5} and report.name(("m", "")) == "m"
    assert report.name(("m", "g")) == "m / g"


def test_titles_and_kinds():
    report = score(PLAIN, "pass@1")
    assert (report.heading, report.page_title) == ("report", "sampling_eval report")
    titled = score(PLAIN, "pass@1", title="run")
    assert (titled.heading, titled.page_title) == ("run", "sampling_eval: run") and titled.kind == "model"
    both = score([row | dict(loose=1) for row in MODELS[:4]], "pass@1", correct=["correct", "loose"], model=False)
    assert both.answer.startswith("Of 2 gradings ")
    assert both.kind == "grading" and Report.from_json(both.to_json()).kind == "grading"


def test_what_is_read_back_keeps_letters_notes_and_advice():
    report = score(MODELS, title="t")
    again = Report.from_json(report.to_json())
    assert again.letters == report.letters != {} and again.notes == report.notes and again.title == "t"
    assert again.answer == report.answer
    assert again.headline == report.headline != report.answer and again.rows == tuple(report.rows)
    kept = pickle.loads(pickle.dumps(replace(report, spelled=print)))
    assert kept == report and kept.letters == report.letters and kept.spelled is None and kept.next == report.next
    assert '"title": "é漢"' in replace(report, title="é漢").to_json()
    warned = replace(report, cautions=(Stated("odd."),), notes=("a note.",))
    assert Report.from_json(warned.to_json()).cautions == (Stated("odd."),) and Report.from_json(warned.to_json()).notes == ("a note.",
                                                               )
    alone = score(PLAIN)
    assert Report.from_json(alone.to_json()).next == alone.next is not None and alone.headline == alone.answer
    with pytest.raises(ValueError, match="^JSON does not hold the columns"): again.flaky()


def test_flaky_questions_in_order():
    assert score(PLAIN).flaky()["question"].tolist() == [1, 3, 4]


# Weights.

def test_facts_on_weights():
    weights = check_weights([1, 2, 1, 4, 2], 8, name="points")
    told = describe_weights(weights)
    assert told == Weighted("points", pytest.approx(100 / 26), 8., True) and describe_weights(None) is None
    assert describe_weights(check_weights([1, 2, 1, 4, 2], name="p")) == Weighted("p", pytest.approx(100 / 26), 4.,
                                                                                  False)
    values = tell_weights(told) | dict(metric="x")
    assert list(tell_weights(told)) == ["weighted_by", "effective_questions", "largest_weight",
                                        "largest_weight_declared", "assumed_largest_weight"]
    assert tell_weights(None) == {} and take_weights(values) == told and values == dict(metric="x")
    assert take_weights(values) is None
    assert say_basis(weights) == "Intervals for new questions hold for weights up to 8, as declared."
    assert say_basis(check_weights([1, 2.5])) == (
        "Where new questions may weigh more than 2.5, the largest weight seen, declare it with largest_weight; "
        "without it their intervals are approximate.")
    older = tell_weights(told)
    del older["assumed_largest_weight"]
    assert take_weights(older) == told


def test_what_an_interval_assumes_of_weights():
    seen, declared = check_weights([1, 2, 812]), check_weights([1, 2, 812], 900)
    known = weighted_mean([0, 1, .5], [1, 2, 812]).units
    assert describe_weights(seen, known).assumed_largest_weight == 812
    assert describe_weights(seen, known, "gaffke").assumed_largest_weight == 812
    # A t interval assumes no largest weight, nor does one for the same questions.
    for own in (describe_weights(seen, known, "t"), describe_weights(seen, None), describe_weights(seen),
                describe_weights(declared, weighted_mean([0, 1, .5], [1, 2, 812], largest_weight=900).units),
                describe_weights(seen, weighted_mean([0, 1, .5], [1, 2, 812], bounds=None).units)):
        assert own.assumed_largest_weight is None
    rows = [SimpleNamespace(weights=o) for o in (None, describe_weights(seen, known), describe_weights(seen))]
    assert say_assumed(rows) == "approximate: assumes no larger weight than 812"
    assert say_assumed(rows[:1]) == say_assumed(rows[2:]) == ""


def test_sentences_on_weights():
    rows = [SimpleNamespace(weights=o) for o in (None, Weighted("p", 3.26, 4., False), Weighted("p", 5.04, 4., True))]
    assert say_weights(rows[:1]) == [] and explain_weights(rows[:1]) == ""
    assert say_weights(rows[:2]) == ["weighted by p (worth 3.3 questions of equal weight)"]
    assert say_weights(rows) == ["weighted by p (worth 3.3 to 5.0 questions of equal weight)"]
    start = (
        "Means over questions are weighted by p (worth {} questions of equal weight); intervals for new questions "
        "invert the test of E[w(x - mean)] = 0 with weights up to 4, ")
    assert explain_weights(rows[:2]) == start.format("3.3") + "the largest seen (approximate)."
    assert explain_weights(rows[2:]) == start.format("5.0") + "as declared."
