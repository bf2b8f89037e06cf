"What a ranking of several systems says: who leads, which pairs are open, the table, the pairs."

from types import SimpleNamespace

import pytest

from sampling_eval.analyses.compare.ranking_words import (
    disputed_pairs,
    draw_result,
    explain_grid,
    explain_methods,
    leader_sentence,
    make_grid,
    material_sentence,
    name_pairs,
    name_some,
    other_metrics,
    pair_tables,
    title,
    write_pair,
    write_rank,
)
from sampling_eval.analyses.compare.result import Ranks, SystemCurve, letter_models
from sampling_eval.results.reading import Alignment


def ranks(means, tied=(), low=None, high=None):
    systems = tuple("abcdefgh"[: len(means)])
    places = tuple(range(1, len(means) + 1))
    return Ranks(systems, tuple(means), low or places, high or places, tuple(map(tuple, tied)))


def pair(metric="pass@1", first="a", second="b", **given):
    known = dict(
        metric=metric, first=first, second=second, difference=0.1, unit="share", low=0.01,
        high=0.19, stderr=0.05, p=0.02, p_holm=0.04, apart=True, p_holm_without=None, method="t",
        named_test=None, bounds=None,
    )
    return SimpleNamespace(**known | given)


def ranking(*rows, **given):
    known = dict(
        rankings={"pass@1": ranks([0.9, 0.5])}, rows=rows, unit="share", confidence_level=0.95,
        target="new_questions", sides=None, title="", heading="2 systems",
        alignment=Alignment(20, ()), read={},
    )
    return SimpleNamespace(**known | given)


BETTER = "a leads in pass@1 (90.0 %): significantly better than"


@pytest.mark.parametrize(
    "means, tied, said",
    [
        ([0.9, 0.5], ["a", "b"], f"{BETTER} b."),
        ([0.9, 0.5], ["ab"], "a leads in pass@1 (90.0 %): inconclusive against b."),
        ([0.9, 0.5, 0.4], ["a", "b", "c"],
         f"{BETTER} both others. All others differ significantly too."),
        ([0.9, 0.5, 0.4], ["a", "bc"], f"{BETTER} both others. b and c: inconclusive."),
        ([0.9, 0.5, 0.4], ["ab", "c"], f"{BETTER} c, inconclusive against b."),
        ([0.9, 0.5, 0.4], ["ab", "bc"], f"{BETTER} c, inconclusive against b. b and c: incon"
                                        "clusive."),
        ([0.9, 0.5, 0.4, 0.3], ["a", "bcd"], f"{BETTER} all 3 others. b, c and d: inconclusive."),
        ([0.9, 0.5, 0.4, 0.3, 0.2], ["a", "bcde"],
         f"{BETTER} all 4 others. Some of the others are tied."),
        ([0.9, 0.5, 0.4, 0.3], ["a", "bc", "cd"],
         f"{BETTER} all 3 others. Some of the others are tied."),
        ([0.9, 0.8, 0.5, 0.4, 0.3, 0.2], ["ab", "c", "d", "e", "f"],
         f"{BETTER} 4 others, inconclusive against b. All others differ significantly too."),
        ([0.9, 0.9, 0.4], ["ab", "c"],
         "a and b are equal in pass@1 (90.0 %): significantly better than c."),
        ([0.9, 0.9 - 1e-14, 0.4], ["ab", "c"],
         "a and b are equal in pass@1 (90.0 %): significantly better than c."),
        ([0.9, 0.9], ["ab"], "a and b are equal in pass@1 (90.0 %)."),
    ],
)
def test_who_leads_and_which_pairs_are_open(means, tied, said):
    assert leader_sentence(ranking(), "pass@1", ranks(means, tied)) == said


@pytest.mark.parametrize(
    "names, others, said",
    [("b", "b", "b"), ("bc", "bc", "both others"), ("bcd", "bcd", "all 3 others"),
     ("bcd", "bcde", "b, c and d"), ("bcde", "bcdef", "4 others")],
)
def test_some_of_the_systems(names, others, said):
    assert name_some(list(names), list(others)) == said


SAME = ranks([0.9, 0.5], ["a", "b"])
OTHER = ranks([0.8, 0.7], ["ab"])


@pytest.mark.parametrize(
    "rankings, said",
    [
        ([SAME], ""),
        ([SAME, SAME], "Same verdicts in pass@2."),
        ([SAME] * 4, "Same verdicts in pass@2, pass@3 and pass@4."),
        ([SAME] * 5, "Same verdicts in 4 more metrics, from pass@2 to pass@5."),
        ([SAME, OTHER], "a leads in pass@2 (80.0 %): inconclusive against b."),
        ([SAME, SAME, OTHER],
         "Same verdicts in pass@2. a leads in pass@3 (80.0 %): inconclusive against b."),
        ([SAME, *[OTHER] * 3], " ".join(f"a leads in pass@{k} (80.0 %): inconclusive against b."
                                        for k in (2, 3, 4))),
        ([SAME, *[OTHER] * 4], "a leads in pass@5 (80.0 %): inconclusive against b."),
    ],
)
def test_what_differs_in_other_metrics(rankings, said):
    named = {f"pass@{k}": one for k, one in enumerate(rankings, 1)}
    assert other_metrics(ranking(rankings=named)) == said


@pytest.mark.parametrize("heading", ["", "runs"])
def test_how_many_systems_there_are(heading):
    said = material_sentence(ranking(title=heading))
    assert said == (f"{heading}: " if heading else "") + "2 systems. Same 20 questions."
    assert title(ranking()) == "sampling_eval: 2 systems"


@pytest.mark.parametrize(
    "rows, said",
    [
        ([pair()], []),
        ([pair(p_holm_without=0.05), pair(p_holm_without=0.051, apart=False)], []),
        ([pair(p_holm_without=0.06)],
         ["Without assumptions (Holm): inconclusive for a over b in pass@1."]),
        (
            [pair(p_holm_without=0.06), pair(p_holm_without=0.04, apart=False, difference=-0.1)],
            ["Without assumptions (Holm): significant for b over a in pass@1.",
             "Without assumptions (Holm): inconclusive for a over b in pass@1."],
        ),
    ],
)
def test_pairs_with_another_verdict_without_assumptions(rows, said):
    assert disputed_pairs(ranking(*rows)) == said


@pytest.mark.parametrize("rows, more", [(6, False), (7, True)])
def test_as_many_pairs_as_a_sentence_names(rows, more):
    told = name_pairs([pair(f"m{i}") for i in range(rows)])
    assert told.startswith("a over b in m0, a over b in m1, ")
    assert told.endswith("a over b in m5 and 1 more" if more else "a over b in m5")


# Tables.


def side(name, *k, step=0.1):
    return SystemCurve(name, k, (0.5,) * len(k), (0.5 - step,) * len(k), (0.5 + step,) * len(k))


def test_systems_by_metrics():
    told = dict(
        first=ranks([0.9, 0.5], ["ab"], (1, 1), (2, 2)), second=ranks([0.7, 0.2], ["a", "b"])
    )
    made = ranking(rankings=told, sides=(side("a", 1, 2), side("b", 1, 2)))
    grid = make_grid(made)
    assert grid.columns == ("first", "second") and grid.intervals == ("95 % CI", "ranks")
    cells = {line.name: line.cells for line in grid.lines}
    assert (cells["a"][0].value, cells["a"][0].intervals) == ("90.0 %", ("40.0–60.0", "1–2"))
    assert cells["b"][0].letters == "a" and grid.order == (0, 1)


@pytest.mark.parametrize("low, high, said", [(1, 1, "1"), (1, 3, "1–3")])
def test_ranks_that_are_possible(low, high, said):
    assert write_rank(low, high) == said


@pytest.mark.parametrize(
    "low, high, metrics, sides, said",
    [
        ((1, 2), (1, 2), 1, None, "Below each value: possible ranks, 1 for the best. Every"),
        ((1, 1), (2, 2), 1, None, "1 for the best; 1–2 means 1 or 2. Every pair"),
        ((1, 1), (3, 3), 2, (side("a", 1),),
         "value: 95 % CI (new questions); possible ranks, 1 for the best; 1–3 means 1 to 3. E"),
    ],
)
def test_what_letters_and_ranks_mean(low, high, metrics, sides, said):
    told = {f"m{i}": ranks([0.9, 0.5], [], low, high) for i in range(metrics)}
    letters, places = explain_grid(ranking(rankings=told, sides=sides))
    assert said in places and ("in a column" in letters) is (metrics > 1)


NAMES = dict(a="A", b="B")


@pytest.mark.parametrize(
    "row, mixed, cells",
    [
        (pair(), False,
         ["A - B", "A better", "+10.0 points", "+1.0 to +19.0", "0.050", ".020", ".040"]),
        (pair(difference=-0.1), False, ["A - B", "B better", "-10.0 points"]),
        (pair(apart=False, p=0.0504, p_holm=1), False,
         ["A - B", "inconclusive", "+10.0 points", "+1.0 to +19.0", "0.050", ".0504", "1"]),
        (pair(method="gaffke"), True,
         ["A - B", "A better", "+10.0 points", "+1.0 to +19.0 a", "0.050", ".020", ".040"]),
        (pair(method="gaffke"), False, ["A - B", "A better", "+10.0 points", "+1.0 to +19.0"]),
        (pair(low=None, high=None, stderr=None, p=None), True,
         ["A - B", "A better", "+10.0 points", "-", "-", "-", ".040"]),
    ],
)
def test_a_pair_is_a_row(row, mixed, cells):
    assert write_pair(row, NAMES, 0.05, mixed)[: len(cells)] == cells


def test_every_pair_metric_by_metric():
    rows = [pair(), pair("pass@2", method="gaffke")]
    told = {name: ranks([0.9, 0.5]) for name in ("pass@1", "pass@2")}
    note, *tables = pair_tables(ranking(*rows, rankings=told))
    assert [(one.title, len(one.rows)) for one in tables] == [("pass@1", 1), ("pass@2", 1)]
    assert tables[0].head[3] == "95 % CI" and tables[0].left == 2
    assert note.text.endswith(explain_methods(rows)) and tables[1].rows[0][3].endswith(" a")
    assert explain_methods(rows[:1]) == "" and "at most 0.05. CI and p" in note.text


@pytest.mark.parametrize(
    "metrics, step, drawn", [(2, 0.5, 1), (2, 0.51, 0), (1, 0.1, 0)]
)
def test_curves_of_shares_are_drawn(metrics, step, drawn):
    told = {f"pass@{k}": SAME for k in range(1, metrics + 1)}
    sides = side("a", 1, 2, step=step), side("b", 1, 2)
    assert len(draw_result(ranking(rankings=told, sides=sides))) == drawn
    assert draw_result(ranking(rankings=told)) == []


def test_letters_go_on_after_z():
    groups = [[f"m{i}", "all"] for i in range(28)]
    found = letter_models(groups)
    assert (found["m0"], found["m25"], found["m26"], found["m27"]) == ("a", "z", "a2", "b2")
    assert found["all"].endswith("yza2b2")
