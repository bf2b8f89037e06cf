"Grids of estimates: columns, decimals, order and marks, cell by cell."
import pytest

from sampling_eval.reporting.families import (group_rows, name_family, say_mean_rule, say_meaning, say_rules,
                                              say_tie_rule)
from sampling_eval.reporting.matrix import (collect_budgets, drop_equal, find_decimals, find_median, list_shared,
                                            make_cell, make_list, make_matrix, make_overview, name_spans,
                                            order_budgets, order_family, pad, pick_labels, say_span, sort_models)
from sampling_eval.report.blocks import Table
from sampling_eval.reporting.parts import Cell, GridLine, Matrix
from told_report import ToldRow


def row(metric, k, estimate=.5, low=.4, high=.6, **more): return ToldRow(metric, k, estimate, low, high, **more)


AGAIN = dict(again_interval="95 %", again_low=.45, again_high=.55)


# Families.

def test_rows_by_metric():
    rows = [row("pass@4", 4), row("avg@n", None), row("pass@1", 1), row("maj@3", 3)]
    found = group_rows(rows)
    assert [(one.name, one.meaning, [o.metric for o in one.rows]) for one in found] == [
        ("pass@k", "at least one right", ["pass@1", "pass@4"]), ("avg@n", "share right", ["avg@n"]),
        ("maj@3", "vote right", ["maj@3"])]
    assert [k in found[0] for k in (1, 2, 4)] == [True, False, True]
    assert found[0].at(4) is rows[0] and found[0].at(2) is None
    assert group_rows([]) == [] and found[1].at(None) is rows[1]


@pytest.mark.parametrize("metric, family", [
    ("pass@8", "pass@k"), ("pass^16", "pass^k"), ("g-pass@8_0.5", "g-pass@k_0.5"), ("avg@n", "avg@n"),
    ("mine2@4", "mine2@k"),
    ("a@1@2", "a@k@2"), ("plain3", "plain3")])
def test_names_of_families(metric, family): assert name_family(metric) == family


@pytest.mark.parametrize("family, meaning", [
    ("pass^k", "all right"), ("g-pass@k_0.5", "at least 50 % right"), ("g-pass@k_1", "all right"),
    ("g-pass@k_0.999", "at least 99.9 % right"),
    ("mg-pass@k", "mean over levels above 50 %"), ("avg@n", "share right"), ("avg@k", "share right"),
    ("soft@n", "mean score"),
    ("g-pass@k_tau", ""), ("other", "")])
def test_meanings(family, meaning): assert say_meaning(family) == meaning


TIE = "cons@k: at even k a tie counts as wrong"


@pytest.mark.parametrize("rows, said", [
    ([("cons@2", 2)], [f"{TIE}."]), ([("cons@3", 3)], []),
    ([("cons@1", 1), ("cons@2", 2)], [f"{TIE}, so it can be lower there than at the k before."]),
    ([("pass@2", 2)], []), ([("mg-pass@1", 1)], []), ([("mg-pass@2", 2)], ["mg-pass@2 is the share with all 2 right."]),
    ([("mg-pass@4", 4), ("cons@4", 4)],
     [f"{TIE}.", "mg-pass@4 is the mean of 2 shares: at least 3 and 4 of 4 right."])])
def test_rules_that_three_words_do_not_say(rows, said):
    assert say_rules([row(*one) for one in rows]) == said
    assert say_rules([row(*one, n_min=1, n_max=1) for one in rows]) == []


@pytest.mark.parametrize("k, said", [
    (3, "2/3 of the share with all 3 right."), (4, "the mean of 2 shares: at least 3 and 4 of 4 right."),
    (5, "2/5 times the sum of 2 shares: at least 4 and 5 of 5 right."),
    (8, "the mean of 4 shares: at least 5, 6, 7 and 8 of 8 right."),
    (9, "2/9 times the sum of 4 shares: at least 6, 7, 8 and 9 of 9 right."),
    (10, "the mean of 5 shares: at least 6, 7, ..., 10 of 10 right.")])
def test_thresholds_of_a_mean(k, said): assert say_mean_rule("m", k) == f"m is {said}"


def test_ties_of_one_metric_and_of_several():
    assert say_tie_rule({"cons@2": 2, "pass@4": 4}) == f"{TIE}."
    assert say_tie_rule({"cons@2": 2, "cons@3": 3}) == f"{TIE}, so it can be lower there than at the k before."


# Cells.

@pytest.mark.parametrize("widths, decimals", [
    ([.1], 2), ([.0999], 3), ([.5], 2), ([1e-5], 6), ([1e-9], 6), ([.01], 3), ([.1, .001], 3), ([.1, .1, .001], 2),
    ([0, 0, .001], 4),
    ([0], 2), ([], 2)])
def test_decimals_show_a_tenth_of_the_width(widths, decimals):
    assert find_decimals([row("m", 1, 0., 0., width) for width in widths]) == decimals
    unknown = [row("m", 1, 0., None, 1e-6), row("m", 1, 0., 0., None)]
    assert find_decimals([row("m", 1, 0., 0., width) for width in widths] + unknown) == decimals


@pytest.mark.parametrize("numbers, middle", [([3], 3), ([5, 1], 3), ([9, 1, 2], 2), ([4, 1, 2, 9], 3)])
def test_medians(numbers, middle): assert find_median(numbers) == middle


@pytest.mark.parametrize("low, high, said", [
    (.1, .25, "0.10–0.25"), (0., .25, "0.00–0.25"), (-.1, .25, "-0.10 to 0.25"), (None, .2, "-"), (.2, None, "-")])
def test_both_ends(low, high, said): assert say_span(low, high, 2) == said


def test_a_cell_holds_both_intervals():
    assert make_cell(row("m", 1, .5), 2) == Cell("0.500", ("0.40–0.60",))
    assert make_cell(row("m", 1, .5, **AGAIN), 1) == Cell("0.50", ("0.4–0.6", "0.5–0.6"))


def test_kinds_of_intervals_are_named_where_there_are_two():
    one, two = row("m", 1), row("m", 1, **AGAIN)
    assert name_spans([[one, None]]) == () and name_spans([[None], [one, two]]) == ("new questions", "these again")
    assert name_spans([]) == () and pad(["a"], 3) == ["a", "", ""] and pad(["a"], 1) == ["a"]


# Metrics by budget.

def test_a_grid_of_metrics():
    families = group_rows([row("pass@1", 1, .25, .2, .3), row("pass@4", 4, .75, .7, .8),
                           row("cons@4", 4, .5, None, None), row("cons@2", 2)])
    cells = [Cell(value, (ends,)) for value, ends in (
        ("0.250", "0.20–0.30"), ("0.750", "0.70–0.80"), ("0.500", "0.40–0.60"), ("0.500", "-"))]
    assert make_matrix(families, "title") == Matrix(
        "metric", ("k = 1", "2", "4"),
        (GridLine("pass@k", "at least one right", (cells[0], None, cells[1])),
         GridLine("cons@k", "more than half right", (None, cells[2], cells[3]))), (), "title", (0, 2, 1))
    assert make_matrix(group_rows([row("pass@2", 2, **AGAIN)])).spans == ("new questions", "these again")
    assert collect_budgets(families) == [1, 2, 4] and collect_budgets(group_rows([row("avg@n", None)])) == []


@pytest.mark.parametrize("budgets, order", [
    ([], ()), ([5], (0,)), ([1, 2], (0, 1)), ([1, 2, 3, 4, 5], (0, 4, 1, 3, 2)), ([3, 5, 6, 8, 9], (0, 4, 3, 1, 2))])
def test_important_budgets_come_first(budgets, order): assert order_budgets(budgets) == order


def test_a_list_of_numbers():
    families = group_rows([row("avg@n", None, .25), row("mine", None, .5, None, None)])
    assert make_list(families, "95", "title") == Table(
        ["metric", "", "estimate", "95 % interval"],
        [["avg@n", "share right", "0.250", "0.40–0.60"], ["mine", "", "0.500", "-"]], "title", 2)
    both = make_list(group_rows([row("avg@n", None, .25), row("mine", None, .5, **AGAIN)]), "95")
    assert both.head == ["metric", "", "estimate", "new questions", "these again"] and both.title == ""
    assert both.rows == [["avg@n", "share right", "0.250", "0.40–0.60", ""],
                         ["mine", "", "0.500", "0.40–0.60", "0.45–0.55"]]


# Models by metric.

def test_metrics_that_all_models_have():
    blocks = [[row("b", 1), row("a", 1), row("c", 1)], [row("c", 1), row("b", 1)]]
    assert list_shared(blocks) == ["b", "c"] and list_shared(blocks[::-1]) == ["c", "b"]
    assert list_shared(blocks[:1]) == ["b", "a", "c"]


@pytest.mark.parametrize("metrics, labels", [
    (["pass^2", "pass^4", "pass@1", "pass@4"], ["pass@1", "pass@4", "pass^4"]), (["pass@1"], ["pass@1"]),
    (["avg@4", "pass@1", "pass@4"], ["pass@1", "pass@4"]), (["avg@4", "pass@4"], ["pass@4", "avg@4"]),
    (["mine@2", "cons@2", "maj@2", "pass^2", "soft@2", "best@2"], ["pass^2", "maj@2", "best@2", "soft@2", "cons@2"]),
    (["mine@2", "own@2", "cons@2"], ["cons@2", "mine@2", "own@2"])])
def test_columns_of_an_overview(metrics, labels):
    assert pick_labels([[row(name, 1) for name in metrics]]) == labels
    assert [order_family(name) for name in ("pass@k", "cons@k", "mine@k")] == [0, 6, 7]


def test_with_one_sample_most_metrics_are_one_number():
    names = "pass@1", "pass^1", "maj@1", "mg-pass@1", "soft@1"
    def block(*values, n=1): return [row(name, 1, value, n_max=n) for name, value in zip(names, values)]
    assert pick_labels([block(.5, .5, .5, .25, .75), block(.6, .6, .7, .3, .6)]) == ["pass@1", "maj@1", "soft@1"]
    assert pick_labels([block(.5, .5, .5, .5, .5, n=2)]) == ["pass@1", "pass^1", "maj@1", "soft@1", "mg-pass@1"]
    different = [[row("a", 1, .5), row("b", 1, .5)], [row("a", 1, .5), row("b", 1, .25)]]
    assert drop_equal(["a", "b"], different) == ["a", "b"]
    assert drop_equal(["b", "a"], [[row("a", 1, .5), row("b", 1, .5)]]) == ["b"]
    mixed = [block(.5, .5, .5, .5, .5), block(.5, .5, .5, .5, .5, n=2)]
    assert len(pick_labels(mixed)) == 5


def test_an_overview_of_models():
    blocks = {"low": [row("pass@1", 1, .25), row("pass@2", 2, .5), row("own@2", 2)],
              "high": [row("pass@2", 2, .75), row("pass@1", 1, .5)]}
    plain = make_overview(blocks)
    ends = ("0.40–0.60",)
    assert plain == Matrix("model", ("pass@1", "pass@2"), (
        GridLine("low", "", (Cell("0.250", ends), Cell("0.500", ends))),
        GridLine("high", "", (Cell("0.500", ends), Cell("0.750", ends)))))
    marked = make_overview(blocks, "grading", {"pass@2": {"low": "b", "high": "a"}})
    assert marked.corner == "grading" and marked.lines == (
        GridLine("high", "", (Cell("0.500", ends), Cell("0.750", ends, "a"))),
        GridLine("low", "", (Cell("0.250", ends), Cell("0.500", ends, "b"))))
    found = {name: {"m": row("m", 1, value)} for name, value in (("a", .1), ("b", .2), ("c", .2))}
    assert list(sort_models(found, "m")) == ["b", "c", "a"]


def test_the_largest_budget_stands_in_whatever_order_they_are_asked():
    rows = [row(name, k) for name, k in (("pass@4", 4), ("pass@1", 1), ("pass^4", 4), ("pass^2", 2))]
    assert pick_labels([rows]) == ["pass@1", "pass@4", "pass^4"]
    assert pick_labels([rows[::-1], rows]) == ["pass@1", "pass@4", "pass^4"]
