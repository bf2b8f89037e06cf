"Several systems: what their standings hold, say and keep."
import json
import pickle

import numpy as np
import pytest

from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.ranking import compare_all
from sampling_eval.reporting.standings import Standings
from sampling_eval.reporting.standings_facts import Pair, pair_rows
from told_report import wrap_lines

# AIME 2025 II, four runs of 15 problems.
RIGHT = {"R1": [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1],
         "high": [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4],
         "medium": [4, 4, 4, 4, 3, 4, 2, 3, 1, 4, 3, 4, 1, 4, 3],
         "4o": [2, 4, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]}
VALUES = {name: np.array(c) / 4 for name, c in RIGHT.items()}
RUNS = np.full(15, 4)


def known(a, b):
    return dict(tables=Tables(RUNS, np.array(RIGHT[a]), RUNS, np.array(RIGHT[b]), 1,
                              lambda k: np.arange(k + 1) / k))


FACTS = {(a, b): known(a, b) for a in RIGHT for b in RIGHT if a != b}


def rank(target="questions", **style):
    ranking = compare_all(VALUES, facts=FACTS, target=target)
    rows = tuple(pair_rows("avg@4", ranking, target=target, **style))
    return Standings({"avg@4": ranking}, rows, "15 in all 4", "Nothing missing.", "mean share",
                     target=target)


@pytest.fixture(scope="module")
def four(): return rank()


ANSWER = "high is right in 93 % of its samples: better than 4o, not decided against medium and R1.\n\n"
SIZE = "4 models, the same 15 questions\n\n"
GRID = """\
model     avg@4
---------------
high    0.933 a
            1–3
medium  0.800 a
            1–3
R1      0.750 a
            1–3
4o      0.133 b
              4
"""
SCREEN = ANSWER + SIZE + GRID + """
Models that share a letter cannot be told apart at 95 %, all pairs judged at once, \
for new questions of this kind.

Below each value: the ranks that the model may have, 1 for the best; 1–3 means 1 to 3.

Every pair with its difference, interval and p value: --how, or any file.

Nothing missing."""
TEXT = SIZE + ANSWER + GRID + """
avg@4

system   mean    rank
---------------------
high    0.933  1 to 3
medium  0.800  1 to 3
R1      0.750  1 to 3
4o      0.133       4

Not told apart: {high, medium, R1}.

pair           difference  stderr     95 % interval        p  p (Holm)  apart
-----------------------------------------------------------------------------
high - medium      +0.133   0.059  [-0.128, +0.354]   0.3901    0.7802     no
high - R1          +0.183   0.075  [-0.099, +0.407]   0.2398    0.7193     no
high - 4o          +0.800   0.078  [+0.385, +0.925]  3.8e-04    0.0023    yes
medium - R1        +0.050   0.078  [-0.221, +0.291]   1.0000    1.0000     no
medium - 4o        +0.667   0.083  [+0.278, +0.824]   0.0013    0.0063    yes
R1 - 4o            +0.617   0.091  [+0.233, +0.794]   0.0021    0.0086    yes

Questions: 15 in all 4.
Nothing missing.
All pairs on the same questions, for new questions of this kind; avg@4: mean share. \
Tests: gaffke, inverted, two-sided, Holm's correction over the pairs of each metric at 95 %. \
Intervals: 95 % gaffke, each pair by itself."""


def test_text(four):
    assert repr(four) == wrap_lines(SCREEN)
    assert four.to_text(how=True) == wrap_lines(TEXT)


def test_the_screen_names_the_first_and_the_last_metric_of_many():
    ranking = compare_all({"a": np.ones(60), "b": np.zeros(60)})
    names = [f"pass@{k}" for k in range(1, 20)]
    found = Standings(dict.fromkeys(names, ranking), (), "60 in all 2, 3 left out", "")
    shown = repr(found)
    assert max(map(len, shown.splitlines())) <= 80
    assert " ".join(shown.split()).startswith(
        "a is right in 100 % of its samples: better than b. It is the same in 18 more metrics, from pass@2 to pass@19.")
    assert "Not shown here: pass@" in shown and "Questions: 60 in all 2, 3 left out." in shown
    assert "60 in all 2, 0 left out" not in repr(Standings({"m": ranking}, (), "60 in all 2, 0 left out", ""))


def test_every_form_has_the_same_cells(four):
    cells = ["R1 - 4o", "+0.617", "0.091", "[+0.233, +0.794]", "0.0021", "0.0086", "yes"]
    assert "| " + " | ".join(cells) + " |" in four.to_markdown().splitlines()
    assert " & ".join(cells) + r" \\" in four.to_latex().splitlines()
    page = four.to_html()
    cells = ["R1 minus 4o", "decided: R1", "+61.7 points", "+23.3 to +79.4", "9.1 points", "0.0021", "0.0086"]
    assert "".join(f"<td>{o}</td>" for o in cells) in page and "<h2>avg@4</h2>" in page and "<svg" not in page


def test_a_pair_tells_what_the_ranking_found(four):
    ranking = four.rankings["avg@4"]
    for row, pair, tested, holm in zip(four.rows, ranking.pairs.values(), ranking.p,
                                       ranking.p_adjusted, strict=True):
        ends = pair.confidence_interval()
        assert (row.difference, row.stderr) == (pair.difference, pair.stderr)
        assert (row.low, row.high, row.interval) == (ends.low, ends.high, "95 % gaffke")
        assert (row.p, row.test, row.p_holm) == (tested.value, tested.method, holm)
        assert row.apart == (holm <= .05) and row.difference > 0


def test_for_the_same_questions_run_again():
    again = rank("benchmark")
    row = again["avg@4", "high", "R1"]
    ends = row.comparison.confidence_interval(target="benchmark")
    assert (row.low, row.high) == (ends.low, ends.high) and row.test.startswith("gamma")
    assert "gamma" in row.interval and row.confidence_interval().low == ends.low
    assert "for these questions, run again; avg@4" in again.how() and row.apart


def test_a_pair_by_its_names(four):
    assert four["avg@4", "R1", "high"] is four["avg@4", "high", "R1"] is four.rows[1]
    for key in ("avg@4", "R1", "R1"), ("pass@1", "R1", "high"):
        with pytest.raises(KeyError, match="need a metric and two systems such as"): four[key]


def test_a_pair_holds_its_comparison(four):
    row = four["avg@4", "high", "4o"]
    want = paired_difference(VALUES["4o"], VALUES["high"])
    assert row.confidence_interval(.8) == want.confidence_interval(.8)
    assert row.confidence_interval() == want.confidence_interval(.95)
    assert row.confidence_interval(.8, "t") == want.confidence_interval(.8, "t")
    assert row.comparison.wins == want.wins == 14


def test_a_pair_computes_when_asked(four):
    ranking = four.rankings["avg@4"]
    first = pair_rows("avg@4", ranking, confidence_level=.9)[0]
    assert "low" not in vars(first) and first.interval == "90 % gaffke" and first.low < first.high
    with pytest.raises(ValueError, match="wilson needs"): pair_rows("avg@4", ranking, interval="wilson")


def test_json(four):
    told = json.loads(four.to_json())
    assert list(told) == ["rankings", "rows", "alignment", "read", "estimator", "confidence_level",
                          "title", "target", "next", "how"]
    assert told == four.to_dict() and list(told["rows"][0]) == list(Pair.names)
    assert told["rankings"]["avg@4"]["tied"] == [["high", "medium", "R1"], ["4o"]]
    last = told["rankings"]["avg@4"]["systems"][-1]
    assert last == dict(system="4o", mean=pytest.approx(8 / 60), rank_low=4, rank_high=4)
    frame = four.to_frame("pandas")
    assert {"pvalue", "usual_pvalue", "default_low", "named_pvalue"} < set(frame.columns)
    assert frame["apart"].tolist() == [False, False, True, False, True, True]


def test_what_is_read_back_is_equal(four):
    again = Standings.from_json(four.to_json())
    assert again == four and repr(again) == wrap_lines(SCREEN) and again.rows == four.rows
    assert again.rankings["avg@4"].systems == ("high", "medium", "R1", "4o")
    with pytest.raises(ValueError, match="JSON holds the printed interval"): again.rows[0].comparison
    assert pickle.loads(pickle.dumps(four)) == pickle.loads(pickle.dumps(again)) == four
    row, other = four.rows[0], pickle.loads(pickle.dumps(four)).rows[0]
    assert other.confidence_interval(.9) == row.confidence_interval(.9)
    assert four != rank(confidence_level=.9)
    with pytest.raises(ValueError, match="need the JSON text of a Standings"): Standings.from_json("{}")


def test_all_apart_and_a_heading():
    values = {"a": np.ones(60), "b": np.zeros(60)}
    ranking = compare_all(values)
    found = Standings({"m": ranking}, tuple(pair_rows("m", ranking)), "60 in all", "", title="a title")
    assert "Not told apart: none." in found.to_text(how=True) and found.heading == "a title"
    assert [line.split()[-1] for line in repr(found).splitlines()[7:10:2]] == ["1", "2"]
    assert rank().heading == "4 systems"


def test_hostile_names_are_inert():
    name = "<script>|$x$\x1b[0m"
    ranking = compare_all({name: np.ones(9), "b": np.zeros(9)})
    found = Standings({"m": ranking}, tuple(pair_rows("m", ranking)), "9", "")
    assert "<script>" not in found.to_html() + found.to_markdown()
    assert "\x1b" not in found.to_html() + found.to_markdown() + found.to_latex() + repr(found)
    assert Standings.from_json(found.to_json()) == found
