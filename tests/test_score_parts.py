"What a report says: tables, reasons, flaky questions, and the sentences on the method."
import numpy as np
import pytest

from sampling_eval.reporting import html, latex, markdown, text
from sampling_eval.reporting.parts import Figure, Folded, Note, Sentence, Table
from sampling_eval.reporting.score_parts import (describe_method, order_flaky, score_page,
                                                 score_parts)
from told_report import ToldReport, ToldRow, columns

ONE = ToldReport((ToldRow("pass@1", 1, .42), ToldRow("pass@4", 4, .9999, .8, 1.)))
NONE = dict(low=None, high=None, stderr=None, reason="all alike", interval="none")
HOW = ("50 questions, 4 samples each, no missing. pass@k for k = 1, 4: unbiased. Standard errors: "
       "over questions. Intervals: 95 % gaffke (gaffke: at least that level, for any scores in a "
       "known range).")


def test_text():
    assert text.render(score_parts(ONE)) == f"""\
metric  estimate  std. error   95 % interval  questions  n
----------------------------------------------------------
pass@1     0.420       0.100  [0.250, 0.750]         50  4
pass@4    0.9999       0.100  [0.800, 1.000]         50  4

200 rows.
a note.
{HOW}"""


def test_markdown():
    assert markdown.render(score_parts(ONE)) == f"""\
| metric | estimate | std. error | 95 % interval | questions | n |
|---|---:|---:|---:|---:|---:|
| pass@1 | 0.420 | 0.100 | [0.250, 0.750] | 50 | 4 |
| pass@4 | 0.9999 | 0.100 | [0.800, 1.000] | 50 | 4 |

200 rows.__
a note.__
{HOW}
""".replace("__", "  ")


def test_latex():
    assert latex.render(score_parts(ONE)) == r"""\begin{tabular}{lrrrrr}
\toprule
metric & estimate & std. error & 95 \% interval & questions & n \\
\midrule
pass@1 & 0.420 & 0.100 & [0.250, 0.750] & 50 & 4 \\
pass@4 & 0.9999 & 0.100 & [0.800, 1.000] & 50 & 4 \\
\bottomrule
\end{tabular}

% 200 rows.
% a note.
""" + "% " + HOW.replace("%", r"\%") + "\n"


def test_blocks_have_titles_and_reasons():
    rows = ToldRow("max@1", 1, .5, model="m", group="g", **NONE), ToldRow("max@1", 1, 1., model="z")
    parts = score_parts(ToldReport(rows))
    assert [part.title for part in parts if isinstance(part, Table)] == ["m / g", "z"]
    assert parts[0].rows == [["max@1", "0.500", "-", "-", "50", "4"]]
    assert parts[1] == Note("no standard error: all alike")
    assert text.render(parts[:3]).splitlines()[0] == "m / g"
    twice = ToldReport((rows[0], rows[0]))
    assert score_parts(twice).count(Note("no standard error: all alike")) == 1


def test_both_targets_have_a_column_each():
    both = ToldRow("pass@1", 1, .5, again_low=.3, again_high=.6, again_interval="95 % gamma")
    table = score_parts(ToldReport((both, ToldRow("avg@4", None, .5)), confidence_level=.9))[0]
    assert table.head == ["metric", "estimate", "std. error", "90 % new questions",
                          "90 % these again", "questions", "n"]
    assert table.rows[0][3:5] == ["[0.250, 0.750]", "[0.300, 0.600]"] and table.rows[1][4] == "-"


# The page.

def test_a_page_says_first_what_was_read():
    report = ToldReport(ONE.rows, columns([4, 1, 0, 2]))
    kinds = [type(part) for part in score_page(report)]
    assert kinds == [Sentence, Note, Table, Figure, Figure, Folded, Note]
    assert score_page(report)[0] == Sentence("200 rows.") and score_page(report)[-1] == Note(HOW)
    seen = [part.alt for part in score_page(report) if isinstance(part, Figure)]
    assert seen == ["curves over k with intervals",
                    "histogram of the share of correct samples per question"]
    assert html.render(score_page(report), "t").count("<svg") == 2


def test_flaky_questions_of_each_model():
    right, models = [4, 1, 2, 0, 3, 2], ["a"] * 3 + ["b"] * 3
    rows = tuple(ToldRow("pass@1", 1, .5, model=m, group=g) for m in "ab" for g in ("", "g"))
    folded = [o for o in score_page(ToldReport(rows, columns(right, model=models)))
              if isinstance(o, Folded)]
    assert [o.summary for o in folded] == ["2 flaky questions (some samples right, some wrong)"] * 2
    assert [o.parts[0].rows for o in folded] == [[["q2", "2", "4"], ["q1", "1", "4"]],
                                                 [["q5", "2", "4"], ["q4", "3", "4"]]]
    assert folded[0].parts[0].head == ["question", "correct", "n"]


@pytest.mark.parametrize("count, first", [(50, ""), (51, ", first 50")])
def test_a_page_lists_fifty_flaky_questions(count, first):
    page = score_page(ToldReport(ONE.rows, columns([1] * count)))
    folded = next(part for part in page if isinstance(part, Folded))
    assert folded.summary == f"{count} flaky questions (some samples right, some wrong{first})"
    assert len(folded.parts[0].rows) == 50


def test_figures_only_where_there_is_something_to_draw():
    def count(report): return [type(part) for part in score_page(report)].count(Figure)
    assert count(ToldReport((ToldRow("pass@1", 1, .5),), columns([4, 0]))) == 1
    assert count(ToldReport((ToldRow("avg@4", None, .5),))) == 0
    assert count(ToldReport(ONE.rows)) == 1
    grouped = ToldReport(tuple(ToldRow(o.metric, o.k, .5, group="all questions") for o in ONE.rows))
    assert count(grouped) == 1
    never = score_page(ToldReport(ONE.rows, columns([4, 0])))
    assert not [part for part in never if isinstance(part, Folded)]


def test_order_of_flaky_questions():
    assert order_flaky(np.array([0., .25, .5, 1., .75, .5])).tolist() == [2, 5, 1, 4]


# The method.

def test_how_of_one_block(): assert describe_method(ONE) == HOW


def test_how_counts_in_words():
    rows = ToldRow("avg@1", None, .5, questions=1, samples="1", missing=3),
    assert describe_method(ToldReport(rows)).startswith("1 question, 1 sample each, 3 missing. avg@n:")


def test_how_names_every_block():
    rows = [ToldRow("pass@1", 1, .5, model=m, group=g, samples=n)
            for m, g, n in [("m", "", "4"), ("m", "g", "2..4")]]
    assert describe_method(ToldReport(tuple(rows))).startswith(
        "m: 50 questions, 4 samples each, no missing; "
        "m / g: 50 questions, 2..4 samples each, no missing. pass@k for k = 1: unbiased.")


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
    (dict(interval="95 % t", band="sup-t"), "Intervals: 95 % t. Each interval is for its budget "
     "alone; band_low and band_high hold at all budgets at once (sup-t).")])
def test_how_says_which_intervals(fields, said):
    told = describe_method(ToldReport((ToldRow("pass@1", 1, .5, **fields),)))
    assert told.endswith(f"Standard errors: over questions. {said}")
