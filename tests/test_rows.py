"Rows of a report: what each carries, when it is made, and intervals that stand beside it."

import numpy as np
import pytest

from sampling_eval import score
from sampling_eval.results.rows import Row, Weighted
from sampling_eval.results.score_report import Report
from sampling_eval.verbs.curves import Rows

PLAIN = [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]


def ends_of(one, *given):
    interval = one.confidence_interval(*given)
    return interval.low, interval.high


# Rows.

def test_what_a_row_carries():
    row = score(PLAIN, ["pass@k", "avg@n"], target="both", confidence_level=.9)["pass@2"]
    assert (row.metric, row.k, row.questions, row.n_min, row.n_max, row.missing, row.samples) == ("pass@2", 2, 5, 4, 4,
        0, "4")
    assert row.estimate == pytest.approx((1 + 5 / 6 + 0 + .5 + 1) / 5) and row.source.value == row.estimate
    assert row.stderr == pytest.approx(np.std([1, 5 / 6, 0, .5, 1], ddof=1) / 5**.5)
    assert (row.interval.name, row.interval.level, row.again_interval.name, row.again_interval.exact) == ("gaffke", .9, "gamma", False)
    assert row.again_low < row.estimate < row.again_high and row.reason == "" and row.weights is None
    assert ends_of(row, .5) == ends_of(row.source, .5) != ends_of(row)
    assert row.confidence_interval(method="t").method == "t (approximate)"
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
    with pytest.raises(ValueError, match=r"^pass@1 holds its stored interval only \(gaffke\); score the data "
                       r"again for another one$"):
        again.confidence_interval()


def test_rows_are_made_when_one_is_looked_at():
    rows = score(PLAIN, ["pass@k", "pass@2"]).rows
    assert "made" not in vars(rows) and len(rows) == 4 and "made" in vars(rows)
    assert [row.metric for row in rows] == ["pass@1", "pass@2", "pass@3", "pass@4"]
    assert rows[0] is rows.made[0] and rows[-1].k == 4 and rows[1:3] == rows.made[1:3] and repr(rows) == repr(rows.made)
    assert rows == tuple(rows) and rows == Rows(rows.curves) and rows != tuple(rows)[:2] and rows != list(rows)
    assert rows != Rows(rows.curves, .9) and rows[1].band


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
    assert report.estimates() == dict(a={"pass@1": .5, "pass@2": .5}, b={"pass@1": .75, "pass@2": 1.})
    assert score(PLAIN, "pass@1").estimates() == {"pass@1": .5}


def test_gradings_are_no_models():
    both = score([row | dict(loose=1) for row in MODELS[:4]], "pass@1", correct=["correct", "loose"], model=False)
    assert both.systems == "gradings" and "2 gradings, " in str(both)
    assert Report.from_json(both.to_json()).systems == "gradings" and score(PLAIN).systems == "models"


# Weights.

def test_facts_on_weights(tmp_path):
    rows = [dict(question=q, correct=c, points=1 + q) for q in range(4) for c in (0, q % 2)]
    row = score(rows, "pass@1", weights="points", largest_weight=8).rows[0]
    assert row.weights == Weighted("points", row.weights.effective_questions, 8., True)
    assert row.weights.effective_questions == pytest.approx(100 / 30)
    told = row.to_dict()
    assert told["weighted_by"] == "points" and "weights" not in told and Row.from_dict(told) == row
    assert row.to_flat()["interval"] == "gaffke" and row.to_flat()["largest_weight"] == 8
    seen = score(rows, "pass@1", weights="points").rows[0].weights
    assert (seen.largest_weight, seen.largest_weight_declared, seen.assumed_largest_weight) == (4., False, 4.)
    assert "weighted_by" not in score(PLAIN, "pass@1").rows[0].to_dict()
