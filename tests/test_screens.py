"What the first screens say is true: models, missing samples, shares near nought and one."
import numpy as np
import pytest

from sampling_eval import compare
from sampling_eval.reporting.families import say_meaning
from sampling_eval.reporting.headline import say_answer, say_size
from sampling_eval.reporting.parts import Beside, Chart
from sampling_eval.reporting.phrases import say_share
from sampling_eval.reporting.records import Absent
from sampling_eval.reporting.columns import Columns
from sampling_eval.reporting.report import Report
from sampling_eval.reporting.score_page import score_page
from sampling_eval.reporting.score_parts import list_reasons
from told_report import ToldRow, columns


def block(*rows):
    found = {}
    for row in rows: found.setdefault((row.model, row.group), []).append(row)
    return found


def answer(*rows, questions=Absent()): return say_answer(block(*rows), questions)


def row(model, share, metric="pass@1", **fields):
    return ToldRow(metric, 1, share, model=model, **fields)


def test_models_that_were_asked_different_questions_are_not_ranked():
    said = "2 models were asked different questions: their numbers do not rank them."
    assert answer(row("a", .9, questions=8), row("b", .2, questions=3)) == said
    two = row("a", .9, questions=2), row("b", .2, questions=2)
    apart = columns([4, 2, 1, 0], model=["a", "a", "b", "b"])
    assert answer(*two, questions=apart) == said
    same = {name: apart[name] for name in ("model", "n", "c")}
    alike = Columns(same | dict(question=apart["question"][[0, 1, 0, 1]]))
    assert answer(*two, questions=alike).startswith("Of 2 models a is right most often")


def test_ties_name_all_that_are_ahead():
    assert answer(row("a", .5), row("b", .1 + .2), row("c", .5), row("d", .3)) == (
        "Of 4 models a and c are right most often, in 50 % of their samples; "
        "b and d least often, in 30 %.")
    assert answer(row("a", .5), row("b", .5)) == (
        "Both models are right in 50 % of their samples.")
    many = [row(f"m{i}", .5 if i else .9) for i in range(6)]
    assert answer(*many).endswith("; 5 models least often, in 50 %.")


def test_mean_scores_are_no_shares():
    one, two = row("a", 7.5, "soft@4"), row("b", -1.25, "soft@4")
    assert answer(one, two) == (
        "Highest mean score of 2 models: 7.500 of a; lowest: -1.250 of b.")
    assert answer(one, row("b", 7.5, "soft@4")) == "Both models have the mean score 7.500."


@pytest.mark.parametrize("group", ["", "all questions / "])
def test_missing_samples_counted_both_ways(group):
    both = [row(model, share, missing=missing, group=f"{group}missing counted {how}")
            for model, missing in (("a", 0), ("b", 3))
            for how, share in (("wrong", .3), ("right", .4))]
    parts = [row("a", .1, group=f"task / missing counted {how}") for how in ("wrong", "right")]
    assert answer(*both, *parts[:2 * bool(group)]) == (
        "2 models, whose missing samples are counted both ways.")
    assert say_size(block(*both)) == "2 models, 50 questions, 4 samples each, 0 to 3 missing"
    assert answer(*both[2:]) == (
        "b is right in 30 % to 40 % of its samples, whatever the 3 missing ones would have been.")


def test_one_question_with_one_sample():
    assert answer(row("a", 1, questions=1, n_max=1)) == "a is right on the only question."
    assert answer(row("", 0, questions=1, n_max=1)) == "The only answer is wrong."


def test_shares_near_nought_and_one():
    assert say_share(1 - 1e-16) == "100 %"
    assert say_share(1e-30) == "under 0.000001 %"
    assert say_share(1 - 1e-10) == "over 99.999999 %"
    assert say_share(.00001) == "0.001 %"


def test_all_right_is_said_once():
    rows = [row("", 1., name) for name in ("pass@1", "pass^1")]
    rows += [ToldRow(name, 4, 1.) for name in ("pass@4", "pass^4")]
    assert answer(*rows) == "100 % of the samples are right: every question every time."


def test_reasons_name_their_metrics():
    rows = [ToldRow("pass@1", 1, .5), ToldRow("pass@2", 2, 1., reason="all alike"),
            ToldRow("avg@n", None, 1., reason="all alike")]
    assert list_reasons(rows) == ["No standard error of pass@2, avg@n: all alike."]
    assert list_reasons(rows[1:]) == ["No standard error: all alike."]


def test_a_mean_over_unequal_numbers_has_its_meaning():
    assert say_meaning("avg@n") == "share right" and say_meaning("soft@n") == "mean score"


def test_a_comparison_tells_each_reason_once():
    same = compare(np.ones((4, 8)), np.ones((4, 8)))
    shown = " ".join(repr(same).split())
    assert shown.count("shows no spread") == 1
    assert "pass@8: all 4 questions have the same value" in shown


def test_long_names_stand_on_lines_of_their_own():
    rows = [row(name * 60, .5, metric) for name in "ab" for metric in ("pass@1", "pass^1")]
    shown = repr(Report(tuple(rows), Absent(), "")).splitlines()
    assert max(map(len, shown)) <= 80 and "a" * 60 in shown
    assert next(line for line in shown if "pass@1" in line).split() == ["model", "pass@1", "pass^1"]


def test_curves_of_both_extremes_have_names():
    rows = [ToldRow(f"pass@{k}", k, .5, group=f"all questions / missing counted {how}", missing=1)
            for how in ("wrong", "right") for k in (1, 2)]
    beside = next(part for part in score_page(Report(tuple(rows), Absent(), ""))
                  if isinstance(part, Beside))
    chart = next(part for part in beside.right if isinstance(part, Chart))
    names = ["missing counted wrong", "missing counted right"]
    assert [series.label for series in chart.series] == names
    assert [key.name for key in beside.left[0].keys] == names
    assert answer(*rows).endswith(", whatever the missing one would have been.")
