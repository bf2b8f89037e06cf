"Where the sentences of a table of models turn: who leads, what is left out, what stands below."

from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval import table as make
from sampling_eval.analyses.table.result import Column
from sampling_eval.analyses.table.verb import (
    AskedTable,
    Block,
    names_of_tests,
    sort_rows,
    unscaled_means,
    weigh_groups,
)
from sampling_eval.analyses.table.words import (
    bars_sentence,
    basis_sentences,
    caution_sentences,
    disputed_pairs,
    draw_models,
    explain_methods,
    leader_sentence,
    lead_verdict,
    left_out_sentences,
    legend_sentences,
    make_grid,
    make_grids,
    name_heads,
    named_test_results,
    overall_weights,
    size_sentence,
    tied_with_leader,
    title,
    why_no_stderr,
    write_cell,
    write_half,
    write_run_difference,
)
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.inference.units import Weights
from sampling_eval.results.reading import DeadCount
from sampling_eval.results.rows import Weighted


def row(model="x", **given):
    known = dict(
        model=model, metric="pass@1", group="", k=1, estimate=0.5, low=0.4, high=0.7, unit="share",
        questions=20, n_min=4, n_max=4, missing=0, reason="", interval=None, weights=None,
        estimator="", of_groups=None,
    )
    return SimpleNamespace(**known | given)


class Models(SimpleNamespace):
    def __getitem__(self, key):
        return next(one for one in self.numbers if one.model == key[0])

    def first_column(self, metric=None):
        return self.columns[-1]


def table(*rows, tied=(), letters=None, **given):
    models = list(dict.fromkeys(one.model for one in rows))
    places = tuple(
        SimpleNamespace(system=name, letters=(letters or {}).get(name, "a")) for name in models
    )
    column = Column("pass@1", "", places, tied)
    known = dict(
        numbers=rows, models=models, columns=(column,), metrics=["pass@1"], groups=[""], read={},
        confidence_level=0.95, target="new_questions", title="", errors="ends", reruns={},
        lacking=(), alignments={}, equal_weights="", cautions=(), run_differences={}, dead=None,
        unscaled=(),
    )
    return Models(**known | given)


def rows(*estimates):
    return [row(name, estimate=value) for name, value in zip("vwxyz", estimates)]


@pytest.mark.parametrize(
    "values, tied, said, badge",
    [
        ([0.9, 0.5], (), "v leads with 90.0 %", "better"),
        ([0.9, 0.5], (), "40.0 points ahead of w: significant.", "better"),
        ([0.9, 0.5], (("v", "w"),), "ahead of w: not significant.", "inconclusive"),
        ([0.9, 0.5, 0.4], (("w", "x"),), "better than all 2 others.", "better"),
        ([0.9, 0.5, 0.4], (("v", "w"),), "ahead of w: not significantly better", "inconclusive"),
        ([0.9, 0.9, 0.4], (("v", "w"),), "v and w are equal with 90.0 %", "inconclusive"),
        ([0.9, 0.9, 0.4], (("v", "w"),), "ahead of x: significantly better than x.", None),
        ([0.9, 0.9], (("v", "w"),), "v and w are equal with 90.0 % in pass@1", "inconclusive"),
        ([0.9, 0.9 - 1e-13], (("v", "w"),), "v and w are equal with", "inconclusive"),
        ([0.9, 0.9 - 1e-11], (("v", "w"),), "v leads with", "inconclusive"),
        ([0.9], (), "v: 90.0 % in pass@1", ""),
    ],
)
def test_who_leads(values, tied, said, badge):
    found = table(*rows(*values), tied=tied)
    assert said in leader_sentence(found)
    assert badge is None or lead_verdict(found) == badge


def test_models_that_share_a_group_with_the_first():
    found = table(*rows(0.9, 0.8, 0.7, 0.6), tied=(("v", "x"), ("w", "x"), ("w", "y")))
    assert tied_with_leader(found, found.columns[0]) == ["x"]


@pytest.mark.parametrize(
    "given, said",
    [
        ([row()], "1 model, 20 questions, 4 samples each, none missing."),
        ([row(), row("y", questions=18, n_min=2)], "2 models, 18 to 20 questions, 2 to 4 samples"),
        ([row(missing=3)], "4 samples each, 3 missing samples."),
        ([row(missing=3), row("y")], "0 to 3 missing samples per model."),
        ([row(missing=1), row("y", missing=1)], "1 missing sample per model."),
    ],
)
def test_what_a_table_is_about(given, said):
    assert said in size_sentence(table(*given))
    assert size_sentence(table(*given, title="runs")).startswith("runs: ")


@pytest.mark.parametrize("models, drawn", [(1, False), (2, True), (20, True), (21, False)])
def test_as_many_models_as_a_picture_holds(models, drawn):
    found = table(*(row(f"m{i}") for i in range(models)))
    assert bool(draw_models(found)) is drawn


# Below the table.


@pytest.mark.parametrize(
    "given, text",
    [
        (dict(), "20.0 %"),
        (dict(low=0.2, high=0.6), "30.0 %"),
        (dict(unit="score"), "0.200"),
        (dict(low=None), "-"),
        (dict(high=None), "-"),
    ],
)
def test_the_farther_end_of_an_interval(given, text):
    assert write_half(row(**given), 1) == text


@pytest.mark.parametrize(
    "groups, heads",
    [
        ([""], {"": ""}),
        (["a"], {"a": "a"}),
        (["a", "b", ""], {"a": "a", "b": "b", "": "mean of 2"}),
        (["x" * 24, "x" * 25, "m"], {"x" * 24: "x" * 24, "x" * 25: "(2)", "m": "mean of 2"}),
    ],
)
def test_heads_of_groups(groups, heads):
    assert name_heads(table(row(), groups=groups)) == heads


@pytest.mark.parametrize("found, text", [(None, "-"), (0.0312, "3.1"), (0.0, "0.0")])
def test_how_far_two_runs_differ(found, text):
    assert write_run_difference(table(row(), run_differences=dict(x=found)), "x").value == text


def interval(weight=None):
    return SimpleNamespace(method=SimpleNamespace(max_weight=weight))


@pytest.mark.parametrize(
    "given, errors, said",
    [
        ([row(low=None)], "ends", "There is no CI."),
        ([row(low=None), row("y")], "ends", "Below each estimate: 95 % CI (new questions)."),
        ([row()], "half", "±: distance to the farther end of the 95 % CI (new questions)."),
        (
            [row(interval=interval(2)), row("y", interval=interval(3.5)), row("z")],
            "ends",
            "(new questions; approximate: assumes no weight above 3.5).",
        ),
        ([row(interval=interval())], "ends", "95 % CI (new questions)."),
    ],
)
def test_what_intervals_are(given, errors, said):
    assert bars_sentence(table(*given, errors=errors)).endswith(said)


def test_why_there_is_no_interval():
    one = row(low=None, reason="one question")
    two = row("y", low=None, reason="one question", metric="pass@2")
    assert list(why_no_stderr(table(one, two))) == [
        "No standard error of pass@1 and pass@2: one question."
    ]
    assert list(why_no_stderr(table(row(reason="one question")))) == []


def test_pairs_with_another_verdict_without_assumptions():
    columns = (
        Column("pass@1", "", disputed=(("a", "b", True), ("a", "c", False))),
        Column("pass@4", "g", disputed=(("b", "c", True),)),
    )
    told = list(disputed_pairs(table(row(), columns=columns)))
    assert told[0].endswith("significant for a over c in pass@1.")
    assert told[1].endswith("for a over b in pass@1, b over c in pass@4, g.") and len(told) == 2


def test_what_a_named_test_finds():
    columns = (
        Column("m0", "", named_tests=("flip", "t"), named_apart=(("a", "b"),)),
        Column("m1", "", named_tests=("flip",)),
        Column("m2", ""),
    )
    assert list(named_test_results(table(row(), columns=columns))) == [
        "Significant in m0 by flip or t (Holm): a over b.",
        "Significant in m1 by flip (Holm): none.",
    ]


def test_what_only_some_models_have():
    def alignment(left_out, common=5):
        sides = [SimpleNamespace(questions=3), SimpleNamespace(questions=1200)]
        return SimpleNamespace(left_out=left_out, common=common, unmatched=sides)

    lacking = (SimpleNamespace(group="g", models=2),)
    found = table(row(), lacking=lacking, alignments={"": alignment(4), "h": alignment(0)})
    assert list(left_out_sentences(found)) == [
        "Group g is left out: 2 models without it.",
        "Only the 5 questions of all models are compared; up to 1,200 of a model are left out.",
    ]
    (told,) = left_out_sentences(table(row(), alignments=dict(h=alignment(1, 1))))
    assert told.startswith("Only the 1 question of h of all models")


def test_cautions_are_told_once():
    note = SimpleNamespace(sentence="Not checked.")
    read = dict(a=SimpleNamespace(warnings=(note,)), b=SimpleNamespace(warnings=(note,)))
    assert caution_sentences(table(row(), read=read)) == ["Not checked."]


@pytest.mark.parametrize("models, letters", [(1, False), (2, True)])
def test_letters_are_explained_where_there_are_any(models, letters):
    found = table(*rows(*[0.5] * models))
    assert ("Letters: " in " ".join(explain_methods(found))) is letters


def test_equal_weights_are_said():
    (told,) = basis_sentences(table(row(), equal_weights="points"))
    assert told == "Weights: points gives all questions the same weight."
    assert list(basis_sentences(table(row()))) == []


# The whole legend.


def told(result):
    return list(legend_sentences(result))


SHARED = "Models that share a letter do not differ significantly (family-wise 95 %, new questions"


@pytest.mark.parametrize("models, columns, said", [
    (1, 1, []), (2, 1, [f"{SHARED})."]), (2, 2, [f"{SHARED}, each column by itself)."]),
])
def test_letters_are_those_of_a_column(models, columns, said):
    found = table(*rows(*[0.5] * models))
    found.columns *= columns
    assert told(found)[1:] == said


def test_groups_in_the_legend():
    long = "x" * 25
    mean = "The mean of the groups gives each group the same weight."
    found = told(table(row(), groups=["a", long, "mean of 2 groups"]))
    assert found[1:] == [f"(2): {long}.", mean]
    assert told(table(row(), groups=["a"]))[1:] == []


@pytest.mark.parametrize(
    "reruns, few",
    [
        (dict(x=SimpleNamespace(least_difference_95=0.03)), False),
        (dict(x=SimpleNamespace(least_difference_95=None)), True),
        (dict(x=SimpleNamespace(least_difference_95=0.03), y=None), False),
        (dict(x=SimpleNamespace(least_difference_95=0.03),
              y=SimpleNamespace(least_difference_95=None)), True),
    ],
)
def test_the_run_difference_in_the_legend(reruns, few):
    (_, found) = told(table(row(), reruns=reruns))
    assert found.startswith("run difference: two single runs of a model, one sample of each")
    assert found.endswith("reruns; -: too few flaky questions.") is few


@pytest.mark.parametrize("models, said", [(1, 0), (2, 1)])
def test_dead_questions_are_told_where_models_are_compared(models, said):
    dead = DeadCount(questions=20, never=3, always=2, systems=2)
    found = [one for one in told(table(*rows(*[0.5] * models), dead=dead)) if "Dead" in one]
    assert len(found) == said and (not said or "the other 15 of 20 decide" in found[0])


def test_scores_without_a_range_in_the_legend():
    assert told(table(row(), unscaled=("mean@4",)))[-1].startswith("mean@4: no range of scores is")


WEIGHTED = Weighted("points", 9.5, 3.5, True)
MOST = "CIs for new questions hold for weights up to 4.5, as declared."


@pytest.mark.parametrize(
    "groups, said",
    [
        ([""], [MOST]),
        (["a", "b", "m"], ["Within a group questions are weighted by points.", MOST]),
    ],
)
def test_weights_in_the_legend(groups, said):
    other = Weighted("points", 9.5, 4.5, True)
    found = table(row(weights=WEIGHTED), row("y", weights=other), row("z"), groups=groups)
    assert list(basis_sentences(found)) == said and overall_weights(found) is other
    assert overall_weights(table(row())) is None


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, "none missing, weighted by points (worth 9.5 questions of equal weight)."),
        (dict(groups=["a", "b", ""]), "none missing."),
    ],
)
def test_weights_of_all_questions_are_told_with_the_size(given, said):
    assert size_sentence(table(row(weights=WEIGHTED), **given)).endswith(said)


def test_the_unit_of_new_questions():
    note = SimpleNamespace(kind="items", count=25, names=(), value=8.0, total=200)
    read = {"": SimpleNamespace(all_notes=lambda: iter([note]))}
    assert size_sentence(table(row(), read=read)).endswith(
        "none missing; 25 items, each in 8 groups: the item is the unit."
    )
    assert "items" not in size_sentence(table(row(), read=read, target="same_questions"))
    shares = SimpleNamespace(kind="battles", count=1, names=(), value=None, total=0)
    read = {"": SimpleNamespace(all_notes=lambda: iter([shares]))}
    assert size_sentence(table(row(), read=read)) == "1 model, 20 questions."


def test_the_title_of_a_table():
    assert title(table(row())) == "models by metrics" and title(table(row(), title="t")) == "t"


# Cells.

T = Interval(0.4, 0.7, 0.95, method=Method("t", False))


@pytest.mark.parametrize(
    "errors, unit, value, intervals",
    [
        ("ends", "share", "50.0 %", ("40.0–70.0",)),
        ("half", "share", "50.0 ± 20.0 %", ()),
        ("half", "score", "0.500 ± 0.200", ()),
    ],
)
def test_a_number_with_its_error(errors, unit, value, intervals):
    one = row(unit=unit, interval=T, again=None)
    cell = write_cell(one, "ab", 1, table(one, errors=errors))
    assert (cell.value, cell.intervals, cell.letters) == (value, intervals, "ab")


def grid_rows():
    return [row(name, interval=T, again=None) for name in "vw"]


def test_a_grid_of_metrics_and_one_of_groups():
    found = table(*grid_rows(), letters=dict(v="a", w="b"))
    (grid,) = make_grids(found)
    assert grid.columns == ("pass@1",) and grid.corner == "model" and grid.title == ""
    assert [(line.name, line.cells[0].letters) for line in grid.lines] == [("v", "a"), ("w", "b")]
    grouped = table(*grid_rows(), groups=["g", "h", "mean of 2 groups"])
    column = grouped.columns[0]
    grouped.columns = [
        SimpleNamespace(metric=metric, group=group, letters=column.letters)
        for metric in ("pass@1", "pass@2") for group in grouped.groups
    ]
    grouped.metrics = ["pass@1", "pass@2"]
    assert [(one.title, one.columns) for one in make_grids(grouped)] == [
        (name, ("g", "h", "mean of 2")) for name in grouped.metrics
    ]


def test_a_grid_with_differences_of_runs():
    found = table(*grid_rows(), reruns=dict(v=object(), w=None),
                  run_differences=dict(v=0.0312, w=None))
    grid = make_grid(found, found.columns)
    assert grid.columns == ("pass@1", "run difference")
    assert [line.cells[-1].value for line in grid.lines] == ["3.1", "-"]


@pytest.mark.parametrize("unit, shares", [("share", True), ("score", False)])
def test_a_picture_of_models(unit, shares):
    found = table(row("v", unit=unit), row("w", unit=unit), letters=dict(v="a", w="b"))
    (drawn,) = draw_models(found)
    assert [(one.label, one.said) for one in drawn.lines] == [
        ("v", "50.0 % a" if shares else "0.500 a"), ("w", "50.0 % b" if shares else "0.500 b"),
    ]
    assert drawn.alt == "pass@1 of each model with its 95 % CI and letters"


# How a table is made.


def test_rows_stand_by_model_and_column():
    numbers = [row(m, metric=name, group=g, estimate=e)
               for m, e in (("low", 0.2), ("top", 0.9)) for name in ("pass@1", "pass@2")
               for g in ("x", "mean")]
    columns = [Column(name, g) for name in ("pass@1", "pass@2") for g in ("x", "mean")]
    found = sort_rows([*numbers, row("top", metric="other")], columns)
    assert [(one.model, one.metric, one.group) for one in found] == [
        (m, name, g) for m in ("top", "low") for name in ("pass@1", "pass@2") for g in ("x", "mean")
    ]
    with pytest.raises(ValueError, match="metrics must name a metric, got none"):
        sort_rows([], [])


def test_tests_are_named_once():
    def one(name):
        return SimpleNamespace(method=name)

    assert names_of_tests([one("t"), None, one("flip"), one("t")]) == ("t", "flip")


def test_questions_of_a_small_group_weigh_more():
    """Two groups of 2 and 4 questions: a question weighs 3/2 and 3/4, so that each group has half
    of the weight of six."""
    def part(size, weights=None):
        block = Block("g", SimpleNamespace(sides=dict(m=[0] * size)), None)
        return SimpleNamespace(block=block, measured=SimpleNamespace(weights=weights))

    weights, most = weigh_groups([part(2), part(4)])
    assert weights.tolist() == [1.5, 1.5, 0.75, 0.75, 0.75, 0.75] and most == 1.5
    heavy = Weights(np.array([1.0, 3.0]), largest=4.0)
    weights, most = weigh_groups([part(2, heavy), part(4)])
    assert weights.tolist() == [0.75, 2.25, 0.75, 0.75, 0.75, 0.75] and most == 3.0


def test_means_without_a_range():
    def family(name, bounds):
        chosen = SimpleNamespace(metric=SimpleNamespace(name=name), bounds=bounds, labels=(name,))
        return [SimpleNamespace(measured=SimpleNamespace(chosen=chosen))]

    families = [family("mean@n", None), family("mean@n", (0, 1)), family("pass@k", None)]
    assert list(unscaled_means(families)) == ["mean@n"]


def counts(n, c=True, rewards=None):
    return SimpleNamespace(n_min=n, c=[1] if c else None, votes=None, rewards=rewards,
                           score_sum=None if c else [1])


@pytest.mark.parametrize(
    "sides, k, most, listed",
    [
        ([counts(4)], None, 4, [("pass@1", None), ("pass@k", 4), ("pass^k", 4)]),
        ([counts(1)], None, 1, [("pass@1", None)]),
        ([counts(4)], 2, 4, [("pass@k", 2), ("pass^k", 2)]),
        ([counts(4, c=False)], None, 4, [("soft@n", None)]),
        ([counts(4), counts(4, c=False)], None, 4, [("soft@n", None)]),
        (
            [counts(4, False, SimpleNamespace(bounds=(0, 5), ranking=None))],
            None,
            4,
            [("mean@n", None)],
        ),
        (
            [counts(4, False, SimpleNamespace(bounds=None, ranking=None))],
            None,
            4,
            [("soft@n", None)],
        ),
    ],
)
def test_the_usual_metrics_of_the_data(sides, k, most, listed):
    named = {f"m{i}": side for i, side in enumerate(sides)}
    block = Block("", SimpleNamespace(sides=named), None)
    asked = AskedTable(None, k, "expected", None, {}, None)
    assert list(asked.list_metrics(block, most)) == listed


def test_a_row_has_every_number_of_its_model():
    data = {"top": [[1, 1, 1, 0]] * 6, "low": [[0, 1, 0, 0]] * 6}
    found = make(data, ["pass@1", "pass@2"], run_difference=True)
    first, second = found.rows
    assert first["model"] == "top" and "group" not in first and second["model"] == "low"
    assert (first["pass@1"], first["pass@2"]) == pytest.approx((3 / 4, 1))
    assert second["pass@2"] == pytest.approx(1 / 2)
    one = found["low", "pass@2"]
    assert (second["pass@2 low"], second["pass@2 high"]) == (one.low, one.high)
    assert second["pass@2 letters"] == found.columns[1].letters["low"]
    assert second["run_difference"] == found.run_differences["low"]
    assert found["low", "pass@2", ""] is one and found.first_column("pass@2") is found.columns[1]
    with pytest.raises(KeyError, match=r"need one of the models \['top', 'low'\], of the metrics"):
        found["none", "pass@2"]
    with pytest.raises(ValueError, match=r"metric must be one of \['pass@1', 'pass@2'\], got 'x'"):
        found.first_column("x")
    plain = make(data, "pass@1")
    assert "run_difference" not in plain.rows[0]
