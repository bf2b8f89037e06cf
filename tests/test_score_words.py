"What a score says, and what it draws: where its sentences and its pictures turn."

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from score_rows import GAFFKE, make_columns, make_report, make_row
from sampling_eval import score
from sampling_eval.analyses.score.pictures import dots_of, draw_figures, draw_more, make_chart
from sampling_eval.analyses.score.result import Command, Many, Ragged, pick_labels
from sampling_eval.analyses.score.words import (
    beside_answer,
    describe_band,
    describe_lost,
    describe_models,
    first_and_last,
    fixed_groups,
    fold_blocks,
    interval_sentences,
    intervals_clause,
    legend_blocks,
    metric_tables,
    methods,
    model_blocks,
    name_methods,
    name_target,
    next_step_blocks,
    note_sentences,
    number_blocks,
    solved_sentence,
    split_letters,
    why_no_stderr,
)
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.render.blocks import Code, Curves, Grid, Intervals, Table
from sampling_eval.results.reading import Missing, ReadNote, ReadSummary
from sampling_eval.results.rows import Bound, Weighted
from sampling_eval.results.verdict import Advice
from sampling_eval.spelling import spell


def many(**means):
    found = SimpleNamespace(means=means, metric="pass@1", unit="share", same_questions=True)
    return SimpleNamespace(many=found, systems="models")


@pytest.mark.parametrize(
    "means, said",
    [
        (dict(a=0.5, b=0.5, c=0.5), "All 3 models have pass@1 = 50.0 %."),
        # Equal but for the last bits.
        (dict(a=0.5, b=0.5 + 1e-15), "All 2 models have pass@1 = 50.0 %."),
        (
            dict(a=0.9, b=0.5, c=0.2),
            "a leads 3 models with 90.0 % in pass@1; c has 20.0 %.",
        ),
        (
            dict(a=0.9, b=0.9, c=0.2, d=0.2),
            "a and b lead 4 models with 90.0 % in pass@1; c and d have 20.0 %.",
        ),
        (
            dict(a=0.9, b=0.9, c=0.9, d=0.9, e=0.2, f=0.2, g=0.2),
            "4 models lead 7 models with 90.0 % in pass@1; e, f and g have 20.0 %.",
        ),
    ],
)
def test_the_first_and_the_last(means, said):
    assert first_and_last(many(**means)) == said


# Beside the answer.


def curve_rows(name, *values, **given):
    mark = "^" if "^" in name else "@"
    family = name.partition(mark)[0]
    return [make_row(f"{family}{mark}{k}", k, one, **given) for k, one in enumerate(values, 1)]


@pytest.mark.parametrize(
    "rows, flaky, said",
    [
        (curve_rows("pass@k", 0.5), None, ""),
        (
            curve_rows("pass@k", 0.5, 0.7),
            None,
            "70.0 % of questions solved at least once in 2 samples.",
        ),
        (
            [*curve_rows("pass@k", 0.5, 0.7), *curve_rows("pass^k", 0.5, 0.3)],
            3,
            "70.0 % of questions solved at least once in 2 samples, 30.0 % every time; 3 of 50 "
            "questions flaky.",
        ),
        # Not at the same budget.
        (
            [*curve_rows("pass@k", 0.5, 0.7, 0.8), *curve_rows("pass^k", 0.5, 0.3)],
            0,
            "80.0 % of questions solved at least once in 3 samples.",
        ),
        (curve_rows("pass@k", 0.5), 3, "3 of 50 questions flaky."),
        (curve_rows("pass@k", 0.5, 0.7, questions=1), 1, ""),
        ([make_row(model="a"), make_row(model="b")], 3, ""),
    ],
)
def test_how_many_questions_are_solved(rows, flaky, said):
    report = make_report(*rows, flaky_questions=flaky)
    assert solved_sentence(report) == beside_answer(report) == said


@pytest.mark.parametrize(
    "letters, parts", [("ab2c", ["a", "b2", "c"]), ("a12", ["a12"]), ("", []), ("z", ["z"])]
)
def test_letters_of_several_signs(letters, parts):
    assert split_letters(letters) == parts


# Tables.


def test_metrics_of_several_budgets_and_of_one():
    rows = [*curve_rows("pass@k", 0.5, 0.7), make_row("avg@4", None)]
    grid, table = model_blocks("m", rows, make_report(*rows, confidence_level=0.9))
    assert isinstance(grid, Grid) and grid.title == "m" and grid.columns == ("k = 1", "2")
    assert isinstance(table, Table) and table.title == "" and table.head[-1] == "90 % CI"
    (table,) = model_blocks("m", rows[2:], make_report(*rows))
    assert table.title == "m" and [row[0] for row in table.rows] == ["avg@4"]


def test_models_are_lines_and_groups_too():
    models = make_report(make_row(model="a"), make_row(model="b"))
    (grid,) = metric_tables(models)
    assert grid.corner == "model" and [line.name for line in grid.lines] == ["a", "b"]
    groups = make_report(make_row(group="x"), make_row(group="y"))
    assert metric_tables(groups)[0].corner == "group"
    apart = make_report(make_row(model="a"), make_row("maj@4", 4, model="b"))
    assert [one.title for one in metric_tables(apart)] == ["a", "b"]


@pytest.mark.parametrize(
    "rows, said",
    [
        ([make_row()], []),
        ([make_row(reason="one question")], ["No standard error: one question."]),
        (
            [make_row(reason="one question"), make_row("pass@2", 2, reason="one question")],
            ["No standard error: one question."],
        ),
        (
            [make_row(), make_row("maj@4", 4, reason="ties")],
            ["No standard error of maj@4: ties."],
        ),
        (
            [make_row(), make_row("mg-pass@1", 1, reason="always 0")],
            [],
        ),
        ([make_row("mg-pass@1", 1, reason="always 0")], ["No standard error: always 0."]),
        # One model at least has one.
        ([make_row(reason="one question", model="a"), make_row(model="b")], []),
    ],
)
def test_why_there_is_no_standard_error(rows, said):
    assert why_no_stderr(rows) == said


def test_every_number_with_what_it_rests_on():
    row = make_row(model="m", group="g", questions=1200, n_min=2)
    ((table,),) = (number_blocks(make_report(row, make_row(low=None, stderr=None))),)
    assert table.rows[0][:4] == ["m / g / pass@1", "50.0 %", "10.0 %", "25.0 to 75.0 %"]
    assert table.rows[0][5:] == ["1,200", "2 to 4"]
    assert table.rows[1][:5] == ["pass@1", "50.0 %", "-", "-", "none"]


# What the numbers mean.

CLUSTERED = Interval(0.2, 0.8, 0.95, method=Method("t", False, clusters=5))
WEIGHTED = Weighted("points", 9.5, 3.5, False, 3.5)


@pytest.mark.parametrize(
    "rows, given, said",
    [
        ([make_row()], {}, "95 % CI, new questions."),
        ([make_row()], dict(target="same_questions"), "95 % CI, same questions."),
        ([make_row()], dict(target="both"),
         "95 % CI, for new questions and for the same questions."),
        ([replace(make_row(), interval=CLUSTERED)], {}, "95 % CI, new clusters of questions."),
        ([replace(make_row(), interval=CLUSTERED)], dict(target="same_questions"),
         "95 % CI, same questions."),
        ([make_row(low=None)], {}, "no CI; the reason stands with the numbers."),
        ([make_row(low=None), make_row("pass@2", 2)], {}, "95 % CI, new questions."),
        (
            [make_row(weights=WEIGHTED), make_row("pass@2", 2)],
            {},
            "95 % CI, new questions (approximate: assumes no weight above 3.5).",
        ),
        ([make_row(weights=replace(WEIGHTED, assumed_largest_weight=None))], {},
         "95 % CI, new questions."),
    ],
)
def test_what_intervals_are_about(rows, given, said):
    report = make_report(*rows, **given)
    assert intervals_clause(report) == said
    assert said.startswith("no CI") or name_target(report) in said
    (first, *_) = legend_blocks(report, metric_tables(report))
    assert first.text.endswith(f": {said}")


def test_where_intervals_stand():
    one, many = make_report(make_row()), make_report(*curve_rows("pass@k", 0.5, 0.7))
    assert legend_blocks(one, metric_tables(one))[0].text.startswith("Beside each estimate: ")
    assert legend_blocks(many, metric_tables(many))[0].text.startswith("Below each estimate: ")


@pytest.mark.parametrize("metrics, where", [(1, "letter do not"), (2, "letter in a column do not")])
def test_letters_are_explained(metrics, where):
    rows = [make_row(f"pass@{k}", k, model=m) for m in "ab" for k in range(1, metrics + 1)]
    letters = {f"pass@{k}": dict(a="a", b="a") for k in range(1, metrics + 1)}
    report = make_report(*rows, letters=letters)
    told = [one.text for one in legend_blocks(report, metric_tables(report))]
    assert f"share a {where} differ" in told[1] and "(family-wise 95 %, new questions)" in told[1]
    assert told[2:] == ["pass@2: at least one right."] * (metrics == 2)


def test_the_rules_of_the_metrics_of_one_model():
    report = make_report(*curve_rows("cons@k", 0.5, 0.7))
    told = [one.text for one in legend_blocks(report, metric_tables(report))]
    assert told[1:] == ["cons@k: at even k a tie counts as wrong, so it can be lower there than at "
                        "the k before."]


# What next.


def advice(questions):
    return Advice("pass@1", "halve", "new_questions", 0.5, None, None, 200, None, None, questions,
                  ((4, 4),))


@pytest.mark.parametrize("given, blocks", [
    (dict(advice=None), 0), (dict(advice=advice(1)), 0), (dict(advice=advice(2)), 1),
])
def test_the_next_step_of_one_model(given, blocks):
    assert len(next_step_blocks(make_report(make_row(), **given))) == blocks


@pytest.mark.parametrize(
    "metric, typed",
    [
        ("pass@1", "compare run.csv --models low --models top --missing wrong"),
        ("avg@4", "--metrics avg@n --models low --models top"),
        ("soft@12", "--metrics soft@n"),
        ("mean@3", "--metrics mean@n"),
        ("pass@4", "--metrics pass@4 --models"),
    ],
)
def test_the_next_step_of_several_models(metric, typed):
    rows = [make_row(metric, None, 0.3, model="low"), make_row(metric, None, 0.7, model="top")]
    letters = {metric: dict(low="b", top="a")}
    command = Command(("run.csv",), dict(missing="wrong"))
    text, code = next_step_blocks(make_report(*rows, letters=letters, command=command))
    assert isinstance(code, Code) and typed in code.text
    assert text.text == "Next: how large the difference is, and on which questions:"
    (text,) = next_step_blocks(make_report(*rows, letters=letters))
    assert text.text.startswith("Next: compare tells how large the difference is")


# Notes.


def noted(*rows, **given):
    return [spell(one) for one in note_sentences(make_report(*rows, **given))]


STATE = "if every question should have 4 samples, pass samples_per_question=4: the"


@pytest.mark.parametrize(
    "ragged, models, said",
    [
        (Ragged("m", 4, 3, 2), "m", f"k ends at 2, the fewest samples of a question; {STATE} 3 "
                                    "absent ones are then missing."),
        (Ragged("m", 4, 1, None), "m", f"I{STATE[1:]} 1 absent one is then missing."),
        (Ragged("m", 4, 1, None), "mn", f"m: {STATE} 1 absent one is then missing."),
    ],
)
def test_questions_with_fewer_samples(ragged, models, said):
    rows = [make_row(model=name) for name in models]
    assert noted(*rows, ragged=(ragged,)) == [said]
    repeated = ReadSummary("outcomes", warnings=(ReadNote("repeated_rows", names=("m", "")),))
    assert noted(*rows, ragged=(ragged,), summary=repeated) == []
    other = ReadSummary("outcomes", warnings=(ReadNote("repeated_rows", names=("x", "")),))
    assert noted(*rows, ragged=(ragged,), summary=other) == [said]


def test_what_is_shown_of_very_many_models():
    means = {f"m{i}": i / 9 for i in range(9)}
    rows = [make_row(model="m8"), make_row("pass@2", 2, model="m8"), make_row(model="m7")]
    for what, rest in ("model", 1), ("group", 0):
        shown = [replace(row, group=row.model) for row in rows]
        found = Many(what, "pass@1", means, (40, 40), (4, 4), (0, 0), True, rows=shown)
        told = noted(*rows, many=found)
        assert told[0] == (
            f"Shown: the 2 of 9 {what}s with the highest pass@1. Files (.csv, .json), rows and "
            "to_frame() have all of them."
        )
        assert len(told) == 1 + rest


@pytest.mark.parametrize(
    "summary, told",
    [
        (None, 0),
        (ReadSummary("outcomes", missing=Missing(0, 9)), 0),
        (ReadSummary("outcomes", missing=Missing(1, 9, "wrong")), 1),
        (ReadSummary("outcomes", missing=Missing(1, 9, "both")), 2),
        (ReadSummary("counts", "a list", rows=3, missing=Missing(0, 9)), 1),
        (ReadSummary("counts", "a list", rows=3), 1),
    ],
)
def test_what_was_read_is_said_where_it_is_not_plain(summary, told):
    found = noted(make_row(), summary=summary)
    assert len(found) == told
    assert not told or found[-1].startswith(("1 of 9 samples missing", "A list taken as"))
    assert told != 2 or found[0].startswith("Missing samples: each metric lies between")


def test_what_is_left_out_is_told_by_reason():
    told = noted(make_row(), left_out={"maj@k": "no answers", "best@k": "no scores",
                                       "vote@k": "no answers"})
    assert told == ["Left out: maj@k, vote@k (no answers); best@k (no scores)."]


def items(value, count=25):
    return ReadSummary("outcomes", notes=(ReadNote("items", count=count, value=value),))


@pytest.mark.parametrize(
    "of_groups, value, weights, said",
    [
        (3, 3.0, None, True),
        (4, 3.0, None, False),
        (2, 2.0, None, False),
        (None, 3.0, None, False),
        (3, 3.0, WEIGHTED, False),
        (3, None, None, False),
    ],
)
def test_groups_that_could_be_taken_as_drawn(of_groups, value, weights, said):
    rows = make_row(), make_row(group="mean", of_groups=of_groups, weights=weights)
    summary = items(value)
    told = list(fixed_groups(SimpleNamespace(rows=rows, summary=summary, crossed=None)))
    assert len(told) == said
    if said:
        assert told[0].startswith("Every group holds the same 25 questions, and the CI takes the")
        known = SimpleNamespace(rows=rows, summary=summary, crossed=object())
        assert list(fixed_groups(known)) == []
    assert list(fixed_groups(SimpleNamespace(rows=rows, summary=None, crossed=None))) == []


# Methods.


@pytest.mark.parametrize(
    "rows, said",
    [
        ([make_row()], "The model was evaluated on 50 questions with 4 samples per question."),
        ([make_row(model="m", n_min=2, questions=1)],
         "m was evaluated on 1 question with 2 to 4 samples per question."),
        ([make_row(model="m"), make_row(model="n")], "Each of 2 models was evaluated on 50 "),
        (
            [make_row(model="m"), make_row(model="n", questions=9)],
            "Models were evaluated with repeated samples: m on 50 questions with 4 samples per "
            "question; n on 9 questions with 4 samples per question.",
        ),
    ],
)
def test_on_what_models_were_evaluated(rows, said):
    assert describe_models(make_report(*rows)).startswith(said)


@pytest.mark.parametrize(
    "missing, said",
    [
        (None, ""),
        (Missing(0, 9), "No sample was missing."),
        (Missing(0, 9, ragged=True), ""),
        (Missing(1, 9, "drop", ragged=True), "1 sample had no outcome and was excluded."),
    ],
)
def test_how_many_samples_had_no_outcome(missing, said):
    summary = ReadSummary("outcomes", missing=missing)
    assert describe_lost(make_report(make_row(), summary=summary)) == said
    assert describe_lost(make_report(make_row())) == ""


ALONE = "Each interval holds for its number alone; none is adjusted for several metrics or budgets."


@pytest.mark.parametrize(
    "given, target, begins",
    [
        ({}, "new_questions", ["Two-sided 95 % confidence intervals for new questions: gaffke"]),
        ({}, "same_questions", ["Two-sided 95 % confidence intervals for the same questions: "]),
        (
            dict(again=Interval(0.3, 0.7, 0.95, method=Method("t", False))),
            "both",
            ["Two-sided 95 % confidence intervals for new questions: gaffke",
             "Two-sided 95 % confidence intervals for the same questions: t (approximate)"],
        ),
        (
            dict(of_groups=3),
            "new_questions",
            ["Two-sided 95 % confidence intervals for new questions: gaffke",
             "Means over groups give each group the same weight."],
        ),
        (dict(low=None), "new_questions", []),
    ],
)
def test_what_was_computed_of_intervals(given, target, begins):
    told = interval_sentences(make_report(make_row(**given), target=target))
    want = [*begins, *[ALONE] * bool(begins)]
    assert len(told) == len(want) and all(a.startswith(b) for a, b in zip(told, want))


def test_methods_of_intervals_have_their_sources():
    gaffke = Interval(0, 1, method=GAFFKE)
    equal = Interval(0, 1, method=replace(GAFFKE, same_as="clopper-pearson"))
    t = Interval(0, 1, method=Method("t", False))
    plain = name_methods([gaffke, gaffke])
    assert plain.startswith("gaffke (assumption-free for bounded scores) @{gaffke")
    assert plain.count("@{") == 1
    assert name_methods([gaffke, equal]) == (
        f"{plain}; where every question is 0 or 1 it is the Clopper-Pearson interval "
        "@{clopper1934}"
    )
    assert name_methods([gaffke, t]) == f"{plain} or t (approximate)"


def test_bands_over_all_budgets():
    assert describe_band(make_report(make_row())) == []
    band = Interval(0.1, 0.9, method=Method("by hand", False))
    rows = [make_row(), make_row("pass@2", 2, band=band), make_row("pass@3", 3, band=band)]
    assert describe_band(make_report(*rows, confidence_level=0.9)) == [
        "Simultaneous 90 % bands over all budgets of a metric (band_low and band_high in files): "
        "by hand (approximate)."
    ]


@pytest.mark.parametrize("weights, said", [(None, "questions, with equal weight."),
                                           (WEIGHTED, "averaged over questions. Means over")])
def test_how_questions_are_averaged(weights, said):
    assert said in methods(make_report(make_row(weights=weights)))


@pytest.mark.parametrize(
    "rows, folds",
    [
        ([make_row()], ["All numbers", "Methods"]),
        ([make_row(model="a"), make_row(model="b")], ["Every metric", "All numbers", "Methods"]),
    ],
)
def test_what_is_shown_on_demand(rows, folds):
    assert [one.summary for one in fold_blocks(make_report(*rows), None)] == folds
    columns = make_columns([1, 2])
    told = [one.summary for one in fold_blocks(make_report(*rows, questions=columns), None)]
    assert "Every question" in told


# Pictures.


def test_the_curves_of_one_model():
    rows = [*curve_rows("pass@k", 0.5, 0.7), *curve_rows("maj@k", 0.5, 0.6),
            *curve_rows("mine@k", 0.5, 0.6), *curve_rows("cons@k", 0.5, 1.2), make_row("best@2", 2)]
    (chart,) = draw_figures(make_report(*rows, confidence_level=0.9))
    assert isinstance(chart, Curves) and chart.level == 0.9
    assert [(one.label, one.shown) for one in chart.series] == [("pass@k", True), ("maj@k", False)]
    assert list(chart.series[0].k) == [1, 2] and list(chart.series[0].value) == [0.5, 0.7]
    assert chart.series[0].said == ["pass@1: 50.0 % (25.0 to 75.0 %)",
                                    "pass@2: 70.0 % (25.0 to 75.0 %)"]
    assert chart.alt == "metrics over k with intervals" and chart.title == ""


def test_the_only_number_of_one_model():
    (drawn,) = draw_figures(make_report(make_row("maj@4", 4), make_row("avg@4", None, 0.25)))
    assert isinstance(drawn, Intervals) and [one.label for one in drawn.lines] == ["avg@4"]
    (drawn,) = draw_figures(make_report(make_row("maj@4", 4), make_row("best@4", 4)))
    assert [one.label for one in drawn.lines] == ["maj@4"]
    (drawn,) = draw_figures(make_report(make_row("soft@4", None, 7.5, 7.0, 8.0, unit="score")))
    assert drawn.lines[0].said == "7.500" and drawn.lines[0].note == "7.000 to 8.000"
    alone = draw_figures(make_report(make_row(low=None, high=None, stderr=None)))[0].lines[0]
    assert (alone.low, alone.high, alone.note) == (None, None, "")


@pytest.mark.parametrize("models, more", [(2, []), (6, []), (7, ["The first 6 of 7 models."])])
def test_the_first_number_of_each_model(models, more):
    rows = [make_row(model=f"m{i}") for i in range(models)]
    drawn, *said = draw_figures(make_report(*rows))
    assert [one.label for one in drawn.lines] == [f"m{i}" for i in range(min(6, models))]
    assert [one.text for one in said] == more
    assert draw_figures(make_report(*(replace(row, metric="maj@4", k=4) for row in rows))) == []


def test_each_metric_of_several_models_over_k():
    rows = [one for m in "ab" for one in (*curve_rows("pass@k", 0.5, 0.7, model=m),
                                          *curve_rows("pass^k", 0.5, 0.3, model=m))]
    first, second = draw_more(make_report(*rows))
    assert [one.label for one in first.series] == ["a", "b"] and first.label == "pass@k"
    assert first.title == "pass@k: at least one right" and second.label == "pass^k"
    assert first.series[0].said[0] == "a pass@1: 50.0 % (25.0 to 75.0 %)"
    assert all(one.shown for one in (*first.series, *second.series))
    assert [one.colour for one in first.series] == [0, 1]


def bounds(name, *values):
    return [
        one for missing, step in (("wrong", 0), ("right", 0.2))
        for one in curve_rows(name, *(value + step for value in values),
                              bound=Bound(missing, ""), group=f"missing counted {missing}")
    ]


def test_missing_samples_leave_a_range():
    chart = make_chart(make_report(*bounds("pass@k", 0.5, 0.6)))
    (series,) = chart.series
    assert list(series.value) == [0.5, 0.6] and list(series.upper) == pytest.approx([0.7, 0.8])
    plain = make_chart(make_report(*curve_rows("pass@k", 0.5, 0.6)))
    assert plain.series[0].upper == () and plain.label == "pass@k"


@pytest.mark.parametrize(
    "rows, metric, drawn, label",
    [
        ([*curve_rows("pass@k", 0.5, 0.6), *curve_rows("pass^k", 0.5, 0.4),
          *curve_rows("mine@k", 0.5, 0.4)], None, ["pass@k", "pass^k"], "mean over questions"),
        ([*curve_rows("mine@k", 0.5, 0.6), *curve_rows("own@k", 0.5, 0.6)], None,
         ["mine@k", "own@k"], "mean over questions"),
        ([*curve_rows("pass@k", 0.5, 0.6), *curve_rows("pass^k", 0.5, 0.4)], "pass^k", [""],
         "pass^k"),
    ],
)
def test_the_metrics_of_a_figure(rows, metric, drawn, label):
    chart = make_chart(make_report(*rows), metric=metric)
    assert [one.label for one in chart.series] == drawn and chart.label == label
    assert make_chart(make_report(*rows), metric="pass@1") is None


def test_the_curves_of_several_models_and_groups():
    models = [one for m in "ab" for one in (*curve_rows("maj@k", 0.5, 0.6, model=m),
                                            *curve_rows("pass^k", 0.5, 0.6, model=m))]
    chart = make_chart(make_report(*models))
    assert [one.label for one in chart.series] == ["a", "b"] and chart.label == "maj@k"
    chart = make_chart(make_report(*models), "b")
    assert [one.label for one in chart.series] == ["maj@k", "pass^k"]
    with pytest.raises(ValueError, match=r"model must be one of \['a', 'b'\], got 'c'"):
        make_chart(make_report(*models), "c")
    grouped = [one for g in ("all questions", "x", "y")
               for one in curve_rows("pass@k", 0.5, 0.6, model="a", group=g)]
    assert [one.label for one in make_chart(make_report(*grouped)).series] == [
        "all questions", "x", "y",
    ]
    both = [*grouped, *(replace(row, model="b") for row in grouped)]
    assert [one.label for one in make_chart(make_report(*both)).series] == ["a", "b"]
    many = [one for i in range(13) for one in curve_rows("pass@k", 0.5, 0.6, model=f"m{i}")]
    chart = make_chart(make_report(*many))
    assert len(chart.series) == 12 and chart.title.endswith("; the first 12 are drawn")
    assert "first" not in make_chart(make_report(*many[:24])).title


def test_dots_stand_highest_first():
    rows = [make_row(model=m, estimate=one) for m, one in dict(a=0.2, b=0.9, c=0.5).items()]
    found = dots_of(make_report(*rows, confidence_level=0.9))
    assert [name for name, _, _ in found.rows] == ["b", "c", "a"] and found.level == 0.9
    assert found.label == "pass@1"
    with pytest.raises(ValueError, match=r"metric must be one of \['pass@1'\], got 'pass@2'"):
        dots_of(make_report(*rows), metric="pass@2")
    own = dots_of(make_report(*curve_rows("pass@k", 0.5, 0.7), make_row("avg@4", None)))
    assert [name for name, _, _ in own.rows] == ["pass@1", "pass@2", "avg@4"]
    assert own.label == "mean over questions"
    named = dots_of(make_report(*curve_rows("pass@k", 0.5, 0.7)), metric="pass@k")
    assert [name for name, _, _ in named.rows] == ["pass@2", "pass@1"]


def test_dots_of_one_number_that_equal_each_other_are_drawn_once():
    rows = [make_row("pass@1", 1, n_min=1, n_max=1), make_row("pass^1", 1, n_min=1, n_max=1)]
    assert [name for name, _, _ in dots_of(make_report(*rows)).rows] == ["pass@1"]


@pytest.mark.parametrize(
    "values, unit, shares",
    [
        ([0.0, 1.0], "share", True),
        ([0.5, 7.5], "score", False),
        ([-0.1, 0.5], "score", False),
    ],
)
def test_shares_have_the_scale_of_shares(values, unit, shares):
    rows = [make_row("mean@4", None, one, one, one, unit=unit, model=f"m{i}")
            for i, one in enumerate(values)]
    (drawn,) = draw_figures(make_report(*rows))
    assert (drawn.scale == (0, 1)) is shares and [one.value for one in drawn.lines] == values
    assert [one.colour for one in drawn.lines] == [0, 1]


@pytest.mark.parametrize("top, drawn", [(1.0, True), (1.1, False)])
def test_curves_end_at_0_and_at_1(top, drawn):
    (found,) = draw_figures(make_report(*curve_rows("pass@k", 0.0, top)))
    assert isinstance(found, Curves) is drawn
    (alone,) = draw_figures(make_report(make_row()))
    assert isinstance(alone, Intervals) and alone.lines[0].colour == 0


def test_curves_of_both_ways_to_count_missing_samples_are_named():
    rows = [replace(one, model=m) for m in "ab" for one in bounds("pass@k", 0.5, 0.6)]
    (chart,) = draw_more(make_report(*rows))
    assert [one.label for one in chart.series] == [
        f"{m} / missing counted {way}" for m in "ab" for way in ("wrong", "right")
    ]
    (drawn,) = draw_figures(make_report(*rows))
    assert [one.label for one in drawn.lines] == [one.label for one in chart.series]
    whole = [make_row(model=m, group="all questions") for m in "ab"]
    (drawn,) = draw_figures(make_report(*whole))
    assert [one.label for one in drawn.lines] == ["a", "b"]


@pytest.mark.parametrize("models, series", [(12, 12), (13, 12)])
def test_as_many_curves_as_a_chart_holds(models, series):
    rows = [one for i in range(models) for one in curve_rows("pass@k", 0.5, 0.6, model=f"m{i}")]
    (chart,) = draw_more(make_report(*rows, confidence_level=0.9))
    assert len(chart.series) == series and chart.level == 0.9
    assert chart.alt == "pass@k over k with intervals"


# Metrics that several models are compared in.


def blocks_of(*names):
    return [[make_row(name, None if name.startswith("avg") else int(name[-1])) for name in own]
            for own in names]


@pytest.mark.parametrize(
    "names, picked",
    [
        ([["pass@1", "pass@4", "pass^4", "avg@4"]] * 2, ["pass@1", "pass@4", "pass^4"]),
        ([["pass@4", "avg@4"]] * 2, ["pass@4", "avg@4"]),
        ([["pass@1", "pass@4"], ["pass@1", "pass@2"]], ["pass@1"]),
        ([["mine@2", "cons@3", "best@3", "maj@3", "pass^3", "pass@3", "pass@1"]],
         ["pass@1", "pass@3", "pass^3", "maj@3", "best@3"]),
        ([["maj@2", "maj@3"]], ["maj@3"]),
    ],
)
def test_metrics_of_an_overview(names, picked):
    assert pick_labels(blocks_of(*names)) == picked


def test_the_best_model_is_first_where_models_were_compared():
    rows = [make_row(model=m, estimate=one) for m, one in dict(a=0.2, b=0.9, c=0.5).items()]
    plain, told = make_report(*rows), make_report(*rows, letters={"pass@1": {}})
    assert [key[0] for key in plain.rank_blocks(plain.blocks())] == ["a", "b", "c"]
    assert [key[0] for key in told.rank_blocks(told.blocks())] == ["b", "c", "a"]


def test_a_row_is_found_by_model_group_and_metric():
    rows = [make_row(model=m, group=g) for m in "ab" for g in "xy"]
    report = make_report(*rows)
    assert report["a", "x", "pass@1"] is rows[0] and report["b", "y", "pass@1"] is rows[3]
    with pytest.raises(KeyError, match="'pass@1' stands in 4 rows"):
        report["pass@1"]
    with pytest.raises(KeyError, match="stands in 2 rows, of 'a / x', 'a / y'"):
        report["a", "pass@1"]
    with pytest.raises(KeyError, match="metric must be one of"):
        report["c", "x", "pass@1"]


def test_flaky_questions_of_a_score():
    found = score([[1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0]])
    assert found.flaky_questions == 2
    assert np.asarray(found.flaky()["question"]).tolist() == [3, 1]
