"What a report says: tables, reasons, legends, and the sentences on the method."
from dataclasses import replace
from textwrap import fill

import numpy as np
import pytest

from sampling_eval.reporting import latex, markdown, text
from sampling_eval.reporting.advice import Advice
from sampling_eval.reporting.families import group_rows
from sampling_eval.report.blocks import Table
from sampling_eval.reporting.parts import Matrix, Note
from sampling_eval.reporting.score_parts import (describe_method, describe_metrics, describe_sizes, find_best,
                                                 join_equal,
                                                 list_budgets, list_reasons, list_tables, order_flaky, say_columns,
                                                 say_legend,
                                                 say_marks, say_next, say_whom, score_parts, screen_parts, shorten_note,
                                                 sort_blocks, spell_next)
from told_report import ToldReport, ToldRow
ONE = ToldReport((ToldRow("pass@1", 1, .42), ToldRow("pass@4", 4, .9999, .8, 1.)))
NONE = dict(low=None, high=None, stderr=None, reason="all alike", interval="none")
HOW = ("50 questions, 4 samples each, none missing. pass@k for k = 1, 4: unbiased. Standard errors: "
       "over questions. Intervals: 95 % gaffke (gaffke: at least that level, for any scores in a "
       "known range).")

LEFT_OUT = ("left out: soft@n (no scores (graded); pass score= (a column)); maj@k (no answers; name "
            "the column).")


def test_text():
    assert text.render(score_parts(ONE)) == f"""\
The answer.

metric                          k = 1          4
------------------------------------------------
pass@k  at least one right      0.420     0.9999
                            0.25–0.75  0.80–1.00

Below each estimate its 95 % interval, for new questions of this kind.
200 rows.
A note.
{fill(HOW, 80)}"""


def test_the_screen_leaves_the_method_out():
    assert text.render(screen_parts(replace(ONE, notes=(LEFT_OUT,)))) == """\
run.jsonl: 50 questions, 4 samples each, none missing

The answer.

metric                          k = 1          4
------------------------------------------------
pass@k  at least one right      0.420     0.9999
                            0.25–0.75  0.80–1.00

Below each estimate its 95 % interval, for new questions of this kind.

200 rows.

Left out: soft@n (no scores (graded)); maj@k (no answers)."""


def test_markdown():
    assert markdown.render(score_parts(ONE)) == f"""\
The answer.

| metric |  | k = 1 | 4 |
|---|---|---:|---:|
| pass@k | at least one right | 0.420 | 0.9999 |
|  |  | 0.25–0.75 | 0.80–1.00 |

Below each estimate its 95 % interval, for new questions of this kind.__
200 rows.__
A note.__
{HOW}
""".replace("__", "  ")


def test_latex():
    assert latex.render(score_parts(ONE)) == r"""% The answer.

\begin{tabular}{llrr}
\toprule
metric &  & k = 1 & 4 \\
\midrule
pass@k & at least one right & 0.420 & 0.9999 \\
 &  & {\scriptsize 0.25--0.75} & {\scriptsize 0.80--1.00} \\
\bottomrule
\end{tabular}

% Below each estimate its 95 \% interval, for new questions of this kind.
% 200 rows.
% A note.
""" + "% " + HOW.replace("%", r"\%") + "\n"


def test_blocks_have_titles_and_reasons():
    rows = ToldRow("max@1", 1, .5, model="m", group="g", **NONE), ToldRow("max@2", 2, 1., model="z")
    parts = score_parts(ToldReport(rows))
    assert [part.title for part in parts if isinstance(part, Table)] == ["m / g", "z"]
    assert parts[1].rows == [["max@1", "largest score", "0.500", "-"]]
    assert parts[2] == Note("No standard error: all alike.")
    assert text.render(parts[1:3]).splitlines()[0] == "m / g"
    assert [part.title for part in screen_parts(ToldReport(rows)) if isinstance(part, Table)] == [
        "m / g", "z"]
    twice = ToldReport((rows[0], rows[0]))
    assert score_parts(twice).count(Note("No standard error: all alike.")) == 1


def test_several_models_have_a_line_each():
    rows = tuple(ToldRow(f"{name}{k}", k, .5, model=m) for m in "ab"
                 for name in ("cons@", "pass@", "pass^") for k in (1, 2, 4)[:2 + (m == "a")])
    _, overview, *blocks = score_parts(ToldReport(rows))
    assert overview.columns == ("pass@1", "pass@2", "pass^2", "cons@2")
    assert [line.name for line in overview.lines] == ["a", "b"]
    assert [part.title for part in blocks if isinstance(part, Matrix)] == ["a", "b"]
    assert [type(part) for part in screen_parts(ToldReport(rows))].count(Matrix) == 1


def test_a_table_that_says_everything_stands_alone():
    rows = tuple(ToldRow("pass@1", 1, .5, model=m, reason="all alike") for m in "ab")
    _, overview, note, *rest = score_parts(ToldReport(rows))
    assert isinstance(overview, Matrix) and note == Note("No standard error: all alike.")
    assert not [part for part in rest if isinstance(part, (Matrix, Table))]


def test_both_targets_have_a_line_each():
    again = dict(again_low=.3, again_high=.6, again_interval="95 % gamma")
    both = ToldRow("pass@1", 1, .5, **again), ToldRow("pass@2", 2, .5, **again)
    matrix = score_parts(ToldReport(both))[1]
    assert matrix.spans == ("new questions", "these again")
    assert matrix.to_table().rows == [["pass@k", "at least one right", "0.500", "0.500"],
                                      ["", "new questions", "0.25–0.75", "0.25–0.75"],
                                      ["", "these again", "0.30–0.60", "0.30–0.60"]]
    table = score_parts(ToldReport((both[0], ToldRow("avg@4", None, .5))))[1]
    assert table.head == ["metric", "", "estimate", "new questions", "these again"]
    assert table.rows[1] == ["avg@4", "share right", "0.500", "0.25–0.75", ""]


def test_one_sample_is_one_number():
    rows = [ToldRow(name, 1, .5, n_min=1, n_max=1) for name in ("pass@1", "pass^1", "cons@1")]
    _, table, note, *_ = score_parts(ToldReport(tuple(rows)))
    assert [row[0] for row in table.rows] == ["pass@1"]
    assert note == Note("With one sample a question pass^1, cons@1 are the same number.")


@pytest.mark.parametrize("kinds, said", [
    (["over questions"], "for new questions of this kind."),
    (["over 4 clusters"], "for new clusters of questions."),
    (["within questions, fixed"], "for these questions, run again."),
    (["over questions", "over questions, groups fixed"],
     "for new questions of this kind or for new questions in the same groups.")])
def test_what_intervals_are_about(kinds, said):
    rows = [ToldRow(f"pass@{i}", i, .5, stderr_kind=kind) for i, kind in enumerate(kinds, 1)]
    assert say_legend(ToldReport(tuple(rows))).endswith(f"95 % interval, {said}")


def test_no_interval_is_said():
    assert "no interval" in say_legend(ToldReport((ToldRow("pass@1", 1, .5, **NONE),)))


def test_order_of_flaky_questions():
    assert order_flaky(np.array([0., .25, .5, 1., .75, .5])).tolist() == [2, 5, 1, 4]


# The method.

def test_how_of_one_block(): assert describe_method(ONE) == HOW


def test_how_counts_in_words():
    rows = ToldRow("avg@1", None, .5, questions=1, n_min=1, n_max=1, missing=3),
    assert describe_method(ToldReport(rows)).startswith("1 question, 1 sample each, 3 missing. avg@n:")


def test_how_names_every_block():
    rows = [ToldRow("pass@1", 1, .5, model=m, group=g, n_min=n)
            for m, g, n in [("m", "", 4), ("m", "g", 2)]]
    assert describe_method(ToldReport(tuple(rows))).startswith(
        "m: 50 questions, 4 samples each, none missing; "
        "m / g: 50 questions, ragged: 2 to 4 samples. pass@k for k = 1: unbiased.")


def test_how_gathers_metrics_of_one_estimator():
    rows = [ToldRow(f"{name}@{k}{tail}", k, .5, estimator=estimator)
            for name, tail, estimator in [("g-pass", "_0.5", "Liu"), ("g-pass", "_1.0", "Liu"),
                                          ("pass", "", "Chen")] for k in (2, 8)]
    rows += [ToldRow("pass^2", 2, .5, estimator="Chen"), ToldRow("avg@8", None, .5, estimator="mean")]
    assert (". g-pass@k_0.5, g-pass@k_1.0 for k = 2, 8: Liu; pass@k for k = 2, 8: Chen; "
            "pass^k for k = 2: Chen; avg@n: mean. ") in describe_method(ToldReport(tuple(rows)))


@pytest.mark.parametrize("fields, said", [
    (NONE, "Intervals: none."),
    (dict(interval="95 % t"), "Intervals: 95 % t."),
    (dict(again_interval="95 % gamma", again_low=.1), "Intervals for new questions of this kind: "
     "95 % gaffke (gaffke: at least that level, for any scores in a known range); for these "
     "questions, run again: 95 % gamma."),
    (dict(interval="95 % t", band="sup-t"), "Intervals: 95 % t. Each interval is for its k "
     "alone; band_low and band_high, in files, hold at all k at once (sup-t).")])
def test_how_says_which_intervals(fields, said):
    told = describe_method(ToldReport((ToldRow("pass@1", 1, .5, **fields),)))
    assert told.endswith(f"Standard errors: over questions. {said}")


def test_ties_of_flaky_questions_stay_in_order():
    share = np.tile([.25, .5, .75, 1., 0.], 50)
    order = order_flaky(share)
    assert order.tolist() == [*range(1, 250, 5), *sorted([*range(0, 250, 5), *range(2, 250, 5)])]


# Sentences on given numbers.

def report_of(*rows, **more): return ToldReport(tuple(rows), **more)


def row_of(name="pass@1", k=1, value=.5, **more): return ToldRow(name, k, value, **more)


SIZE = "50 questions, 4 samples each, none missing"


@pytest.mark.parametrize("rows, said", [
    ([row_of()], SIZE), ([row_of(questions=1, n_min=1, n_max=1, missing=3)], "1 question, 1 sample each, 3 missing"),
    ([row_of(n_max=5)], "50 questions, ragged: 4 to 5 samples"),
    ([row_of(model="a"), row_of(model="b")], f"Each of 2 models: {SIZE}"),
    ([row_of(group="a"), row_of(group="b")], f"Each of 2 groups: {SIZE}"),
    ([row_of(model="a", group="g"), row_of(model="a", group="h")], f"Each of 2 groups: {SIZE}"),
    ([row_of(model="a"), row_of(model="b", missing=1)], f"a: {SIZE}; b: 50 questions, 4 samples each, 1 missing")])
def test_sizes_in_the_method(rows, said):
    assert describe_sizes(report_of(*rows)) == said
    assert describe_method(report_of(*rows)).startswith(f"{said}. pass@k for k = 1: unbiased.")


def test_reasons_name_their_metrics():
    none = row_of("maj@1", low=None, reason="r")
    assert list_reasons([row_of()]) == [] and list_reasons([none]) == ["No standard error: r."]
    assert list_reasons([none, replace(none, metric="maj@2")]) == ["No standard error: r."]
    assert list_reasons([row_of(), none, none, replace(none, metric="maj@2")]) == ["No standard error of maj@1, maj@2: "
                                                                                   "r."]
    assert list_reasons([none, replace(none, reason="s")]) == ["No standard error of maj@1: r.", "No standard error of "
                                                               "maj@1: s."]


ONCE = dict(n_min=1, n_max=1)


def join_metrics(*rows):
    families, said = join_equal(group_rows(rows))
    return [family.name for family in families], said


def test_metrics_that_are_one_number_are_told_once():
    one, same, other = row_of(**ONCE), row_of("maj@1", **ONCE), row_of("x@1", value=.4, **ONCE)
    empty = row_of("mg-pass@1", value=0., **ONCE)
    assert join_metrics(one) == (["pass@1"], []) and join_metrics(one, other) == (["pass@1", "x@1"], [])
    assert join_metrics(one, same) == (["pass@1"], ["With one sample a question maj@1 is the same number."])
    assert join_metrics(one, other, same) == (["pass@1", "x@1"],
                                              ["With one sample a question maj@1 is the same number."])
    assert join_metrics(one, same, row_of("avg@1", None, **ONCE), empty) == (["pass@1"], [
        "With one sample a question maj@1, avg@1 are the same number.", "mg-pass@1 is not shown: it is 0 by its "
        "definition."])
    assert join_metrics(one, replace(same, low=.1)) == (["pass@1", "maj@1"], []) == join_metrics(one, replace(same,
        high=.9))
    assert join_metrics(one, replace(same, n_max=2)) == (["pass@1", "maj@1"], [])
    assert join_metrics(replace(one, n_max=0), replace(same, n_max=0))[0] == ["pass@1"]


def test_legends():
    both = report_of(row_of(), row_of(stderr_kind="within questions"))
    assert say_legend(report_of(row_of())) == "Below each estimate its 95 % interval, for new questions of this kind."
    assert say_legend(both, "Dots are estimates, bars their") == (
        "Dots are estimates, bars their 95 % intervals, for new questions of this kind or for these questions, run "
        "again.")
    assert say_legend(report_of(row_of(low=None))) == "There is no interval; the reason stands with the numbers."
    assert say_legend(report_of(row_of(), row_of(low=None,
                                                 stderr_kind="within questions"))).endswith(
        "for new questions of this kind.")
    assert say_legend(report_of(row_of(), row_of(again_interval="x"), confidence_level=.9)) == (
        "Below each estimate its 90 % interval, for new questions of this kind and for these questions, run again.")


@pytest.mark.parametrize("kind, said", [
    ("within questions", "for these questions, run again"), ("over 3 clusters", "for new clusters of questions"),
    ("over questions, groups fixed", "for new questions in the same groups"), ("over questions", "for new questions of "
                                                                               "this kind")])
def test_whom_an_interval_is_for(kind, said): assert say_whom(kind) == said


@pytest.mark.parametrize("ks, said", [([None], ""), ([None, None], ""), ([1], " for k = 1"), ([4, 1, 4],
    " for k = 4, 1")])
def test_budgets_in_words(ks, said): assert list_budgets(ks) == said


def test_what_columns_ask():
    names = ["pass@1", "pass@4", "cons@3", "cons@4", "g-pass@4_0.5", "mine@4", "avg@4"]
    assert say_columns(names) == ["pass@4: at least one right; cons@3: more than half right; cons@4: more than half "
                                  "right (a tie counts as "
                                  "wrong); g-pass@4_0.5: at least 50 % right; avg@4: share right."]
    assert say_columns(["pass@1", "mine@4"]) == []


def test_notes_without_the_way_out():
    assert shorten_note("a note; with (more; words)") == "A note; with (more; words)"
    assert shorten_note("left out: a (why; do (this; or) that); b (why)") == "Left out: a (why); b (why)"


class Lettered(ToldReport): letters = {"avg@4": dict(a="a", b="b"), "pass@1": {}}


TWO = [row_of("avg@4", None, .5, model="a"), row_of("avg@4", None, .9, model="b"), row_of(value=.9, model="a")]


def test_the_best_model_first(monkeypatch):
    found = Lettered(tuple(TWO), spelled=lambda metric, models: f"compare {metric} {models}")
    assert find_best(found) == ("avg@4", ["b", "a"]) and list(sort_blocks(found)) == [("b", ""), ("a", "")]
    assert spell_next(found) == ["Next: compare avg@n ['a', 'b']"] and spell_next(replace(found, spelled=None)) == []
    plain = ToldReport(tuple(TWO), spelled=found.spelled)
    assert find_best(plain) is None and spell_next(plain) == [] and list(sort_blocks(plain)) == [("a", ""), ("b", "")]
    marks = say_marks(found)
    assert marks == ["In each column, models that share a letter cannot be told apart at 95 %, all pairs judged at "
                     "once, for new questions of "
                     "this kind."] and say_marks(plain) == []
    monkeypatch.setattr(Lettered, "letters", {"avg@4": dict(a="a", b="b")})
    assert say_marks(found)[0].startswith("Models that share a letter")


def test_letters_are_about_what_the_first_row_is_about():
    within = [replace(TWO[0], stderr_kind="within questions"), *TWO[1:]]
    assert say_marks(Lettered(tuple(within)))[0].endswith("judged at once, for these questions, run again.")


def test_halving_is_not_promised_for_one_question():
    advice = Advice("pass@1", "halve", "benchmark", .5, None, None, None, 16, None, 2, "4")
    assert say_next(report_of(row_of(), next=advice)) == [advice.sentence]
    assert say_next(report_of(row_of(), next=replace(advice, has_questions=1))) == [] == say_next(report_of(row_of()))


def test_which_tables_stand():
    grid = [row_of(), row_of("pass@2", 2)]
    single = row_of("avg@4", None)
    parts = list_tables(report_of(*grid, single))
    assert [(type(part), part.title) for part in parts] == [(Matrix, ""), (Table, "")]
    assert [part.title for part in list_tables(report_of(*(replace(row, model="m") for row in grid)))] == ["m"]
    assert [part.title for part in list_tables(report_of(*(replace(row, model="m") for row in grid)), "")] == [""]
    assert [part.title for part in list_tables(report_of(replace(single, model="m")))] == ["m"]
    two = [replace(row, model=m) for m in "mn" for row in (row_of(), single)]
    assert [type(part) for part in list_tables(report_of(*two[::2]))] == [Matrix]
    assert list_tables(report_of(*two[::2]))[0].corner == "model"
    more = list_tables(report_of(*(replace(row, model=m) for m in "mn" for row in grid + [row_of("pass@3", 3)])))
    assert [part.title for part in more if isinstance(part, Matrix)] == ["", "m", "n"]
    alone = [replace(grid[0], model="m"), replace(single, model="n")]
    assert [part.title for part in list_tables(report_of(*alone))] == ["m", "n"]
    assert list_tables(report_of(*(replace(row_of(), group=g) for g in "gh")))[0].corner == "group"
    assert list_tables(report_of(*two[::2], kind="grading"))[0].corner == "grading"
    lacking = [replace(row_of(low=None, reason="r"), model=m) for m in "mn"]
    assert list_tables(report_of(*lacking))[-1] == Note("No standard error: r.")


def test_screens_of_several_models_have_no_rules():
    even = [row_of("cons@2", 2), row_of("cons@4", 4)]
    rule = "cons@k: at even k a tie counts as wrong"
    assert rule in text.render(screen_parts(report_of(*even)))
    several = report_of(*(replace(row, model=m) for m in "mn" for row in even), cautions=("odd.",))
    assert rule not in text.render(screen_parts(several)) and rule in text.render(score_parts(several))
    assert "\n\nWarning: odd.\n\n" in text.render(screen_parts(several))
    assert "\n\nWarning: odd.\n\n" in text.render(score_parts(several))


def test_metrics_of_one_estimator_are_told_together():
    rows = [row_of("a@1"), row_of("b@1"), row_of("a@2", 2), row_of("b@2", 2), row_of("avg@4", None, estimator="mean"),
            row_of("g-pass@2_0.5", 2)]
    assert describe_metrics(rows) == "a@k, b@k for k = 1, 2: unbiased; avg@n: mean; g-pass@k_0.5 for k = 2: unbiased"
