"Estimates in tables: families of metrics, decimals, columns and cells, number by number."
import pytest

from sampling_eval.report.blocks import Cell, Grid, GridLine, Table
from sampling_eval.report.metrics import (find_decimals, make_cell, make_grid, make_list, make_overview,
                                                  order_budgets)
from sampling_eval.report.metrics import describe_metric, describe_rules, group_rows
from sampling_eval.results.rows import Method, Row, name_family
from sampling_eval.results.score_report import pick_labels

GAFFKE = Method("gaffke", .95, True)
AGAIN = dict(again_interval=Method("gamma", .95, False), again_low=.45, again_high=.55)


def row(metric, k, estimate=.5, low=.4, high=.6, **more):
    given = dict(stderr=.1, questions=50, n_min=4, n_max=4, missing=0, estimator="unbiased", interval=GAFFKE)
    return Row(metric, k, estimate, low=low, high=high, **given | more)


# Families.

def test_rows_by_metric():
    rows = [row("pass@4", 4), row("avg@n", None), row("pass@1", 1), row("maj@3", 3)]
    found = group_rows(rows)
    assert [(one.name, one.meaning, [o.metric for o in one.rows]) for one in found] == [
        ("pass@k", "at least one right", ["pass@1", "pass@4"]), ("avg@n", "share right", ["avg@n"]),
        ("maj@3", "vote right", ["maj@3"])]
    assert found[0].at(4) is rows[0] and found[0].at(2) is None and found[1].at(None) is rows[1]
    assert group_rows([]) == []


@pytest.mark.parametrize("metric, family, meaning", [
    ("pass@8", "pass@k", "at least one right"), ("pass^16", "pass^k", "all right"), ("avg@n", "avg@n", "share right"),
    ("g-pass@8_0.5", "g-pass@k_0.5", "at least 50 % right"), ("g-pass@2_0.999", "g-pass@k_0.999", "at least 99.9 % right"),
    ("g-pass@4_1", "g-pass@k_1", "all right"), ("soft@4", "soft@k", "mean score"), ("mine2@4", "mine2@k", ""),
    ("a@1@2", "a@k@2", ""), ("plain3", "plain3", "")])
def test_names_of_families(metric, family, meaning):
    assert name_family(metric) == family and describe_metric(family) == meaning


TIE = "cons@k: at even k a tie counts as wrong"


@pytest.mark.parametrize("rows, said", [
    ([("cons@2", 2)], [f"{TIE}."]), ([("cons@3", 3)], []), ([("pass@2", 2)], []), ([("mg-pass@1", 1)], []),
    ([("cons@1", 1), ("cons@2", 2)], [f"{TIE}, so it can be lower there than at the k before."]),
    ([("mg-pass@2", 2)], ["mg-pass@2 is the share with all 2 right."]),
    ([("mg-pass@3", 3)], ["mg-pass@3 is 2/3 of the share with all 3 right."]),
    ([("mg-pass@4", 4), ("cons@4", 4)], [f"{TIE}.", "mg-pass@4 is the mean of 2 shares: at least 3 and 4 of 4 right."]),
    ([("mg-pass@5", 5)], ["mg-pass@5 is 2/5 times the sum of 2 shares: at least 4 and 5 of 5 right."]),
    ([("mg-pass@8", 8)], ["mg-pass@8 is the mean of 4 shares: at least 5, 6, 7 and 8 of 8 right."]),
    ([("mg-pass@10", 10)], ["mg-pass@10 is the mean of 5 shares: at least 6, 7, ..., 10 of 10 right."])])
def test_rules_that_three_words_do_not_say(rows, said):
    assert describe_rules([row(*one) for one in rows]) == said
    assert describe_rules([row(*one, n_min=1, n_max=1) for one in rows]) == []


# Cells.

@pytest.mark.parametrize("widths, decimals", [
    ([.1], 1), ([.0999], 1), ([.5], 1), ([1e-5], 4), ([.01], 1), ([.00999], 2), ([.1, .1, .001], 1), ([0, 0, .001], 2),
    ([0], 1), ([], 1)])
def test_decimals_show_a_tenth_of_the_width(widths, decimals):
    assert find_decimals([row("m", 1, 0., 0., width) for width in widths]) == decimals
    unknown = [row("m", 1, 0., None, 1e-6), row("m", 1, 0., 0., None)]
    assert find_decimals([row("m", 1, 0., 0., width) for width in widths] + unknown) == decimals


@pytest.mark.parametrize("metric, ends, decimals, want", [
    ("pass@1", (.4, .6), 1, Cell("50.0 %", ("40.0–60.0",))), ("pass@1", (0., .25), 2, Cell("50.00 %", ("0.00–25.00",))),
    ("pass@1", (None, .2), 1, Cell("50.0 %", ("-",))), ("mine", (-.1, .25), 1, Cell("0.500", ("-0.10 to 0.25",))),
    ("soft@4", (.1, .25), 1, Cell("0.500", ("0.10–0.25",)))])
def test_a_cell_is_a_share_in_percent_or_a_score(metric, ends, decimals, want):
    unit = "share" if metric == "pass@1" else "score"
    assert make_cell(row(metric, 1, .5, *ends, unit=unit), decimals) == want


# Metrics by budget.

def test_a_grid_of_metrics():
    families = group_rows([row("pass@1", 1, .25, .2, .3), row("pass@4", 4, .75, .7, .8),
                           row("cons@4", 4, .5, None, None), row("cons@2", 2)])
    cells = [Cell(value, (ends,)) for value, ends in (
        ("25.0 %", "20.0–30.0"), ("75.0 %", "70.0–80.0"), ("50.0 %", "40.0–60.0"), ("50.0 %", "-"))]
    assert make_grid(families, "title") == Grid(
        "metric", ("k = 1", "2", "4"),
        (GridLine("pass@k", "at least one right", (cells[0], None, cells[1])),
         GridLine("cons@k", "more than half right", (None, cells[2], cells[3]))), (), "title", (0, 2, 1))
    both = make_grid(group_rows([row("pass@2", 2, **AGAIN)]))
    assert both.intervals == ("new questions", "same questions")
    assert both.lines[0].cells[0].intervals == ("40.0–60.0", "45.0–55.0")


@pytest.mark.parametrize("budgets, order", [
    ([], ()), ([5], (0,)), ([1, 2], (0, 1)), ([1, 2, 3, 4, 5], (0, 4, 1, 3, 2)), ([3, 5, 6, 8, 9], (0, 4, 3, 1, 2))])
def test_important_budgets_come_first(budgets, order): assert order_budgets(budgets) == order


def test_a_list_of_numbers():
    families = group_rows([row("avg@n", None, .25), row("mine", None, .5, None, None, unit="score")])
    assert make_list(families, .95, "title") == Table(
        ["metric", "", "estimate", "95 % CI"],
        [["avg@n", "share right", "25.0 %", "40.0–60.0"], ["mine", "", "0.500", "-"]], "title", 2)
    both = make_list(group_rows([row("avg@n", None, .25), row("soft@n", None, .5, unit="score", **AGAIN)]), .95)
    assert list(both.head) == ["metric", "", "estimate", "new questions", "same questions"]
    assert both.rows[0][-1] == "" and both.rows[1][-1] == "0.45–0.55"


# Models by metric.

@pytest.mark.parametrize("metrics, labels", [
    (["pass^2", "pass^4", "pass@1", "pass@4"], ["pass@1", "pass@4", "pass^4"]), (["pass@1"], ["pass@1"]),
    (["pass@4", "pass@1", "pass^4", "pass^2"], ["pass@1", "pass@4", "pass^4"]),
    (["avg@4", "pass@1", "pass@4"], ["pass@1", "pass@4"]), (["avg@4", "pass@4"], ["pass@4", "avg@4"]),
    (["mine@2", "cons@2", "maj@2", "pass^2", "soft@2", "best@2"], ["pass^2", "maj@2", "best@2", "soft@2", "cons@2"]),
    (["mine@2", "own@2", "cons@2"], ["cons@2", "mine@2", "own@2"])])
def test_columns_of_an_overview(metrics, labels):
    rows = [row(name, int(name[-1])) for name in metrics]
    assert pick_labels([rows]) == labels == pick_labels([rows, rows[::-1]])


def test_metrics_that_all_models_have():
    blocks = [[row("b", 1), row("a", 1), row("c", 1)], [row("c", 1), row("b", 1)]]
    assert set(pick_labels(blocks)) == {"b", "c"} and len(pick_labels(blocks[:1])) == 3


def test_with_one_sample_most_metrics_are_one_number():
    names = "pass@1", "pass^1", "maj@1", "mg-pass@1", "soft@1"
    def block(*values, n=1): return [row(name, 1, value, n_max=n) for name, value in zip(names, values)]
    assert pick_labels([block(.5, .5, .5, .25, .75), block(.6, .6, .7, .3, .6)]) == ["pass@1", "maj@1", "soft@1"]
    assert pick_labels([block(.5, .5, .5, .5, .5, n=2)]) == ["pass@1", "pass^1", "maj@1", "soft@1", "mg-pass@1"]
    mixed = [block(.5, .5, .5, .5, .5), block(.5, .5, .5, .5, .5, n=2)]
    assert len(pick_labels(mixed)) == 5


def test_an_overview_of_models():
    blocks = {"low": [row("pass@1", 1, .25), row("pass@2", 2, .5), row("own@2", 2)],
              "high": [row("pass@2", 2, .75), row("pass@1", 1, .5)]}
    ends = ("40.0–60.0",)
    assert make_overview(blocks) == Grid("model", ("pass@1", "pass@2"), (
        GridLine("low", "", (Cell("25.0 %", ends), Cell("50.0 %", ends))),
        GridLine("high", "", (Cell("50.0 %", ends), Cell("75.0 %", ends)))))
    marked = make_overview(blocks, "grading", {"pass@2": {"low": "b", "high": "a"}})
    assert marked.corner == "grading" and marked.lines == (
        GridLine("high", "", (Cell("50.0 %", ends), Cell("75.0 %", ends, "a"))),
        GridLine("low", "", (Cell("25.0 %", ends), Cell("50.0 %", ends, "b"))))
    equal = {name: [row("pass@1", 1, value)] for name, value in (("a", .1), ("b", .2), ("c", .2))}
    assert [line.name for line in make_overview(equal, letters={"pass@1": {}}).lines] == ["b", "c", "a"]
