"A table of models by metrics from given numbers: what it says, where it looks, and what it refuses."
from dataclasses import replace

import pytest

from sampling_eval.reporting import model_plot
from sampling_eval.reporting.model_table import Column, ModelTable, say_half, write_cells
from sampling_eval.reporting.parts import Folded, Lead, Matrix, Note
from sampling_eval.results.interval import Method
from sampling_eval.results.rows import Row
from sampling_eval.reporting.standings_facts import Places
from sampling_eval.results.weights import Weighted

ROW = Row("pass@1", 1, .5, .1, .25, .875, 50, 4, 4, 0, "unbiased", "over questions", Method("gaffke", .95, True))
APART, ALIKE = [("m",), ("n",)], [("m", "n")]


def hold(groups=("",), metrics=("pass@1",), models="mn", tied=APART, **more):
    "Two models, the first one better; in each further group and metric by an eighth worse."
    rows = [replace(ROW, metric=metric, model=model, group=group, estimate=.75 - i / 8 - j / 4)
            for j, model in enumerate(models) for i, (group, metric) in enumerate((g,
                                                                                   m) for g in groups for m in metrics)]
    places = Places(tuple(models), [.75, .5], [1, 2], [1, 2], tied) if len(models) > 1 else None
    columns = tuple(Column(metric, group, places, ("exact",)) for metric in metrics for group in groups)
    return ModelTable(tuple(rows), columns, "read 3 rows.", **more)


GROUPED = ("math", "aime", "mean of 2 groups")


def test_a_number_by_its_names():
    found = hold(GROUPED, ("pass@1", "pass@4"))
    assert (found.models, found.metrics, found.groups) == (["m", "n"], ["pass@1", "pass@4"], list(GROUPED))
    assert found["m", "pass@1"].estimate == .25 and found["n", "pass@4", "aime"].group == "aime"
    assert found["n", "pass@4"].estimate == -.125
    with pytest.raises(KeyError) as refused: found["o", "pass@1"]
    assert refused.value.args[0] == ("need one of the models ['m', 'n'], of the metrics ['pass@1', 'pass@4'] and of "
                                     "the groups "
                                     "['math', 'aime', 'mean of 2 groups'], got ('o', 'pass@1')")
    with pytest.raises(KeyError, match=r"of the metrics \['pass@1'\], got \('m', 'x'\)"): hold()["m", "x"]
    assert hold()["m", "pass@1"].estimate == .75


def test_the_last_group_is_the_answer():
    found = hold(GROUPED, ("pass@1", "pass@4"))
    assert found.answer == "m is first in pass@1, mean of 2 groups (0.250) and told apart from n."
    assert hold().answer == "m is first in pass@1 (0.750) and told apart from n."
    assert hold(tied=ALIKE).answer == "m is first in pass@1 (0.750), but cannot be told apart from n."
    assert hold(models="m").answer == "m has 0.750 in pass@1."
    assert hold().size == found.size == "2 models, 50 questions, 4 samples each, none missing" == hold().opening
    assert hold(title="run").opening == "run: 2 models, 50 questions, 4 samples each, none missing"
    assert (hold(title="run").heading, hold().heading) == ("run", "models by metrics")


@pytest.mark.parametrize("name, head", [("g" * 24, "g" * 24), ("g" * 25, "(1)"), ("mean of 12 groups", "mean of 12"),
                                        ("mean of x groups", "mean of x groups")])
def test_heads_of_groups(name, head): assert hold((name, "b")).heads == {name: head, "b": "b"}


def test_what_has_to_be_known():
    found = hold(("g" * 25, "mean of 2 groups"), notes=("a note.",), confidence_level=.9, target="benchmark")
    assert found.legend == [
        "Below each estimate its 90 % CI, same questions.",
        "In each column, models that share a letter cannot be told apart at 90 %, all pairs judged at once, for these "
        "questions, run again.",
        "(1): " + "g" * 25 + ".", "The mean of 2 groups counts each group the same.", "a note."]
    assert hold(models="m", errors="half").legend == [
        "± is the distance from the estimate to the farther end of its 95 % CI, new questions."]
    assert hold(("g",)).legend[1:] == ["Models that share a letter cannot be told apart at 95 %, all pairs judged at "
                                       "once, for new questions of this kind."]
    lacking = replace(hold(), numbers=tuple(replace(row, low=None, reason="r") for row in hold().numbers))
    assert lacking.legend[:2] == ["There is no interval; the reason stands with the numbers.", "No standard error: r."]
    first, *others = hold().numbers
    one = replace(hold(), numbers=(replace(first, low=None, reason="r"), *others))
    assert one.legend[1] == "No standard error of pass@1: r." and len(one.legend) == 3
    tests = "Letters: exact, two-sided, Holm's correction over all pairs of models in each column."
    assert hold().how().endswith(tests)
    assert "Letters" not in hold(models="m").how()


def test_where_everything_stands():
    found = hold(GROUPED, ("pass@1", "pass@4"), notes=("a note.",), title="run")
    first, second = found.matrices()
    assert (first.title, first.columns, first.corner, first.wraps) == ("pass@1", ("math", "aime", "mean of 2"), "model",
                                                                       True)
    assert second.title == "pass@4" and [cell.value for cell in second.lines[0].cells] == ["0.625", "0.375", "0.125"]
    one, = hold(metrics=("pass@1", "pass@4")).matrices()
    assert one.columns == ("pass@1", "pass@4") and one.title == "" and [line.name for line in one.lines] == ["m", "n"]
    last = [Note(text) for text in (*found.legend, "Read 3 rows.", found.how())]
    assert found.parts() == [Lead(found.answer), first, second, *last]
    assert found.screen_parts() == [Lead(found.opening), Lead(found.answer), first, second,
                                    *map(Lead, [*found.legend, "Read 3 rows."])]
    assert found.page_parts() == [Note(found.opening), Lead(found.answer), first, second, *map(Note, found.legend),
                                  Folded("How it was computed", [Note("Read 3 rows."), Note(found.how())])]
    assert all(isinstance(o, Matrix) for o in found.matrices())


def test_rows_of_a_spreadsheet():
    assert hold().rows == [
        {"model": "m", "pass@1": .75, "pass@1 low": .25, "pass@1 high": .875, "pass@1 letters": "a"},
        {"model": "n", "pass@1": .5, "pass@1 low": .25, "pass@1 high": .875, "pass@1 letters": "b"}]
    rows = hold(("g", "h"), models="m").rows
    assert [(row["group"], row["pass@1"], row["pass@1 letters"]) for row in rows] == [("g", .75, ""), ("h", .625, "")]


@pytest.mark.parametrize("low, high, said", [(.25, .625, "± 0.250"), (.375, .875, "± 0.375"), (None, None, "± -"),
                                             (.5, .5, "± 0.000")])
def test_the_farther_end(low, high, said):
    row = replace(ROW, low=low, high=high, model="m")
    assert say_half(row, 2) == said
    cell, = write_cells([row], [dict(m="ab")], 2, "half")
    assert (cell.value, cell.spans, cell.mark) == (f"0.500 {said}", (), "ab")
    cell, = write_cells([row], [dict(n="ab")], 2, "ends")
    assert cell.value == "0.500" and cell.mark == "" and len(cell.spans) == 1


def test_what_is_read_back_is_the_same():
    found = hold(GROUPED, notes=("a note.",), confidence_level=.9, title="t", target="benchmark", errors="half")
    again = ModelTable.from_json(found.to_json())
    assert again == found and again.columns[0].places == found.columns[0].places and again.notes == ("a note.",)
    assert (again.confidence_level, again.title, again.target, again.errors) == (.9, "t", "benchmark", "half")
    told = found.to_dict()
    assert list(told) == ["answer", "rows", "columns", "notes", "read", "confidence_level", "title", "target", "errors",
                          "how"]
    assert told["columns"][0] == dict(
        metric="pass@1", group="math", tests=["exact"], tied=[["m"], ["n"]], systems=[
            dict(system="m", mean=.75, rank_low=1, rank_high=1, letters="a"), dict(system="n", mean=.5, rank_low=2,
                                                                                   rank_high=2, letters="b")],
        other_tests=[], disputed=[], named_tests=[], named_apart=[])
    alone = hold(models="m").to_dict()["columns"][0]
    assert alone["systems"] == alone["tied"] == [] and Column.from_dict(alone).places is None
    weights = Weighted("points", 3.5, 4., True)
    weighted = replace(hold(), numbers=tuple(replace(row, weights=weights) for row in hold().numbers))
    assert ModelTable.from_json(weighted.to_json()).numbers[0].weights == weights


def test_the_picture_of_the_last_group(monkeypatch):
    drawn = []
    monkeypatch.setattr(model_plot, "plot_models", lambda rows, letters, **given: drawn.append((rows, letters, given)))
    places = Places(("m", "n"), [.75, .5], [1, 1], [2, 2], ALIKE)
    found = hold(GROUPED, ("pass@1", "pass@4"))
    last = tuple(replace(one, places=places) if one.group == GROUPED[-1] else one for one in found.columns)
    found = replace(found, columns=last)
    found.plot(), found.plot("pass@4", size=3)
    (rows, letters, given), (others, _, sized) = drawn
    assert [row.estimate for row in rows] == [.25, 0.] and letters == dict(m="a", n="a")
    assert given == dict(ax=None, size=None)
    assert [row.estimate for row in others] == [.125, -.125] and sized["size"] == 3
