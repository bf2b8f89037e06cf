"What a report says: tables, reasons, legends, and the sentences on the method."
from dataclasses import replace
from textwrap import fill

import numpy as np
import pytest

from sampling_eval.reporting import latex, markdown, text
from sampling_eval.reporting.parts import Matrix, Note, Table
from sampling_eval.reporting.score_parts import (describe_method, order_flaky, say_legend,
                                                 score_parts, screen_parts)
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
        "m / g: 50 questions, 2 to 4 samples each, none missing. pass@k for k = 1: unbiased.")


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
