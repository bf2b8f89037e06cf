"Where the sentences of a table of models turn: who leads, what is left out, what stands below."

from types import SimpleNamespace

import pytest

from sampling_eval.analyses.table.result import Column
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
    name_heads,
    named_test_results,
    size_sentence,
    tied_with_leader,
    why_no_stderr,
    write_half,
    write_run_difference,
)


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
        lacking=(), alignments={}, equal_weights="", cautions=(), run_differences={},
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
