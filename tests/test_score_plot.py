"What a figure of a report compares: names, curves, dots, and what is left out."
import numpy as np
import pytest

from score_rows import make_report, make_row

from sampling_eval import score
from sampling_eval.results.rows import Bound
from sampling_eval.results.score_report import name_bound
from sampling_eval.report.score_pictures import Subject, find_subjects, list_dots, make_chart, name_subject

CURVES = [("pass@1", 1, .375), ("pass@4", 4, .625), ("maj@1", 1, .375), ("maj@4", 4, .5), ("avg@4", None, .375), ("x@4",
    4, 2.)]
WRONG, RIGHT = [Bound(missing, "") for missing in ("wrong", "right")]


def name_place(place):
    "The group of a row, or what its missing samples count as."
    return dict(bound=place, group=name_bound(place)) if isinstance(place, Bound) else dict(group=place)


def report_of(*where, told=CURVES, **more):
    "A report with the same metrics in each model and group, in each by an eighth more."
    rows = [make_row(name, k, value + i / 8, model=model, **more, **name_place(place))
            for i, (model, place) in enumerate(where) for name, k, value in told]
    return make_report(*rows)


def names_of(report, model=None): return [one.name for one in find_subjects(report, model)]


def test_names_of_subjects():
    assert names_of(report_of(("", ""))) == [""] and names_of(report_of(("m", ""))) == [""]
    assert names_of(report_of(("m", ""), ("n", ""))) == ["m", "n"]
    assert names_of(report_of(("m", ""), ("n", "")), "n") == [""]
    assert names_of(report_of(("m", "all questions"), ("m", "g"))) == ["all questions", "g"]
    two = report_of(("m", "all questions"), ("m", "g"), ("n", "all questions"), ("n", "g"))
    assert names_of(two) == ["m", "n"] and names_of(two, "n") == ["all questions", "g"]
    assert names_of(report_of(("m", "g"), ("n", "g"))) == ["m / g", "n / g"]
    with pytest.raises(ValueError, match=r"^model must be one of \['m', 'n'\], got 'o'$"): find_subjects(two, "o")
    assert name_subject("m", "g", False) == "g" and name_subject("m", "all questions", True) == "m"


def test_both_extremes_are_one_subject():
    found, = find_subjects(report_of(("", WRONG), ("", RIGHT)))
    assert found.rows[0].estimate == .375 and found.upper[0].estimate == .5
    assert Subject("", ()).upper == ()


def test_curves_of_one_model():
    chart = make_chart(report_of(("m", "")))
    assert [one.label for one in chart.series] == ["pass@k", "maj@k"] and chart.label == "mean over questions"
    assert chart.series[0].k == [1, 4] and chart.series[0].value == [.375, .625] and chart.series[0].upper == ()
    assert chart.series[0].low == [.25, .25] and chart.series[0].high == [.75, .75] and chart.series[0].said == []
    assert chart.alt == "pass@k, maj@k over k with intervals" and chart.title == "m, 50 questions, 4 samples each"
    assert chart.level == .95
    alone = make_chart(report_of(("m", "")), metric="maj@k")
    assert [one.label for one in alone.series] == [""] and alone.label == "maj@k"
    assert alone.alt == "maj@k over k with intervals"
    assert make_chart(report_of(("m", "")), metric="x@k") is None
    assert make_chart(report_of(("", ""), told=CURVES[4:])) is None
    own = make_chart(report_of(("", ""), told=[("mine@1", 1, .1), ("mine@2", 2, .2)]))
    assert own.label == "mine@k" and [one.label for one in own.series] == [""]


def test_curves_of_several_models():
    chart = make_chart(report_of(("m", ""), ("n", "")))
    assert [one.label for one in chart.series] == ["m", "n"]
    assert chart.label == "pass@k" and chart.title == "2 models, 50 questions, 4 samples each"
    assert chart.series[1].value == [.5, .75]
    assert make_chart(report_of(("m", ""), ("n", "")), "n").series[0].value == [.5, .75]
    rows = [*report_of(("m", "")).rows, *(make_row(name, k, .1, model="n") for name, k, _ in CURVES[2:])]
    assert [one.label for one in make_chart(make_report(*rows)).series] == ["m"]


@pytest.mark.parametrize("count, more", [(12, ""), (13, "; the first 12 are drawn")])
def test_twelve_curves_are_drawn(count, more):
    chart = make_chart(report_of(*((f"m{i}", "") for i in range(count))))
    assert len(chart.series) == 12 and chart.title == f"{count} models, 50 questions, 4 samples each{more}"


def test_missing_samples_leave_two_values():
    chart = make_chart(report_of(("", WRONG), ("", RIGHT), missing=2))
    assert chart.series[0].value == [.375, .625] and chart.series[0].upper == [.5, .75]
    assert chart.title == "50 questions, 4 samples each, 2 missing"


def test_dots_of_one_model():
    dots = list_dots(report_of(("m", "")))
    assert dots.label == "mean over questions" and [name for name, *_ in dots.rows] == [name for name, *_ in CURVES]
    assert dots.title == "m, 50 questions, 4 samples each" and dots.level == .95
    one = list_dots(report_of(("m", ""), n_min=1, n_max=1, told=[("pass@1", 1, .3), ("avg@1", None, .3), ("x@1", 1,
        .5)]))
    assert [name for name, *_ in one.rows] == ["pass@1", "x@1"]
    own = list_dots(report_of(("m", "")), metric="pass@k")
    assert [(name, row.estimate) for name, row, _ in own.rows] == [("pass@4", .625), ("pass@1", .375)]
    assert own.label == "pass@k"
    assert [name for name, *_ in list_dots(report_of(("m", "")), metric="maj@4").rows] == ["maj@4"]


def test_dots_of_several_models():
    two = report_of(("m", ""), ("n", ""))
    dots = list_dots(two)
    assert dots.label == "pass@1" and [(name, row.estimate) for name, row, _ in dots.rows] == [("n", .5), ("m", .375)]
    assert [row.estimate for _, row, _ in list_dots(two, metric="maj@4").rows] == [.625, .5]
    assert [name for name, *_ in list_dots(two, "m").rows] == [name for name, *_ in CURVES]
    assert list_dots(report_of(("m", ""), ("n", ""), told=CURVES[5:])).label == "x@4"
    with pytest.raises(ValueError, match=r"^metric must be one of \['pass@1', .*\], got 'pass@9'$"): list_dots(two,
        metric="pass@9")


def test_dots_reach_from_missing_ones_wrong_to_right():
    (name, row, upper), *_ = list_dots(report_of(("", WRONG), ("", RIGHT))).rows
    assert (name, row.estimate, upper.estimate) == ("pass@1", .375, .5)
    (_, row, upper), *_ = list_dots(report_of(("m", ""))).rows
    assert row is upper and np.isclose(row.estimate, .375)


def test_figures_carry_the_level_of_the_report():
    report = make_report(*report_of(("m", "")).rows, confidence_level=.9)
    assert make_chart(report).level == list_dots(report).level == .9


def test_what_is_drawn():
    drawn = score([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]]).plot()
    assert drawn.get_title(loc="left") or drawn.get_title()
    assert len(drawn.lines) >= 3
