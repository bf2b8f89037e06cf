"Several systems compared: ranks, tied sets and pairs, in every form. More of the verb: test_comparing.py."
import json
import pickle
from dataclasses import replace
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from printed import VERSIONS, check_text
from sampling_eval import Counts, compare
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.ranking import holm
from sampling_eval.report.ranking import describe_ranks, document, list_verdicts
from sampling_eval.results import load_result
from sampling_eval.results.reading import Alignment, Unmatched
from sampling_eval.results.comparison import MultipleComparison, Ranks

# AIME 2025 II, four runs of 15 problems.
RIGHT = {"R1": [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1],
         "high": [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4],
         "medium": [4, 4, 4, 4, 3, 4, 2, 3, 1, 4, 3, 4, 1, 4, 3],
         "4o": [2, 4, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]}


def list_rows(**right):
    return [dict(model=model, question=f"q{q}", sample=s, correct=int(s < c))
            for model, own in right.items() for q, c in enumerate(own) for s in range(4)]


def rank(metrics="avg@n", **options): return compare(list_rows(**RIGHT), metrics=metrics, **options)


@pytest.fixture(scope="module")
def four(): return rank()


def flat(result): return " ".join(repr(result).split())


# Numbers.

def test_ranks_and_tied_sets(four):
    ranks = four.rankings["avg@4"]
    assert ranks.systems == ("high", "medium", "R1", "4o") and ranks.means == pytest.approx((14/15, .8, .75, 2/15))
    assert (ranks.rank_low, ranks.rank_high) == ((1, 1, 1, 4), (3, 3, 3, 4))
    assert ranks.tied == (("high", "medium", "R1"), ("4o",))
    assert ranks.rows[-1] == dict(system="4o", mean=pytest.approx(2 / 15), rank_low=4, rank_high=4)


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_pairs_are_those_of_two_systems_alone(target):
    found = rank(target=target)
    if target == "new_questions":
        assert [row.p_holm for row in found.rows] == pytest.approx(holm([row.p for row in found.rows]).tolist())
    for row in found.rows:
        alone = compare(list_rows(**RIGHT), metrics="avg@n", models=[row.second, row.first], target=target).rows[0]
        assert (row.difference, row.stderr) == pytest.approx((alone.difference, alone.stderr))
        assert (row.low, row.high, row.p) == pytest.approx((*alone.span(), alone.p), abs=1e-9)
        ends = row.comparison.confidence_interval(target=target)
        assert (row.low, row.high) == (ends.low, ends.high) and row.confidence_interval() == ends
        assert row.apart == (row.p_holm <= .05) and row.difference > 0
        assert row.interval.name == row.method == ("gaffke" if target == "new_questions" else "gamma")


def test_a_pair_holds_its_comparison(four):
    row = four["avg@4", "high", "4o"]
    assert four["avg@4", "4o", "high"] is row and row.comparison.wins == 14
    want = paired_difference(np.array(RIGHT["4o"]) / 4, np.array(RIGHT["high"]) / 4)
    assert row.confidence_interval(.8) == want.confidence_interval(.8)
    assert row.confidence_interval(.8, "t") == want.confidence_interval(.8, "t")
    for key in ("avg@4", "R1", "R1"), ("pass@1", "R1", "high"):
        with pytest.raises(KeyError, match="need a metric and two systems such as"): four[key]


def test_pairs_are_computed_when_asked():
    row = rank(confidence_level=.9).rows[0]
    assert not vars(row).keys() & {"low", "usual", "p"} and row.interval.level == .9 and row.low < row.high
    with pytest.raises(ValueError, match="wilson needs"): rank(method="wilson")


# What travels.

def test_json_and_lines_of_a_spreadsheet(four, tmp_path):
    told = json.loads(four.to_json())
    assert told["kind"] == "ranking" and told["rankings"]["avg@4"]["tied"] == [["high", "medium", "R1"], ["4o"]]
    assert told["rankings"]["avg@4"]["systems"] == four.rankings["avg@4"].rows
    frame = four.to_frame("pandas")
    assert {"pvalue", "usual_pvalue", "default_low", "named_pvalue"} < set(frame.columns)
    assert frame["apart"].tolist() == [False, False, True, False, True, True]
    assert frame["interval"].tolist() == ["gaffke"] * 6
    (tmp_path / "r.json").write_text(four.to_json(), "utf-8")
    for again in MultipleComparison.from_json(four.to_json()), load_result(tmp_path / "r.json"):
        assert again == four and repr(again) == repr(four) and again.rankings["avg@4"].systems == ("high", "medium", "R1", "4o")
        with pytest.raises(ValueError, match="JSON holds the printed interval"): again.rows[0].comparison
    again = pickle.loads(pickle.dumps(four))
    assert again == four and again.rows[0].confidence_interval(.9) == four.rows[0].confidence_interval(.9)
    assert four != rank(confidence_level=.9)
    with pytest.raises(ValueError, match="need the JSON text of a result of ranking"): MultipleComparison.from_json("{}")


# Sentences.

def hold(*tied, systems, high=None, low=None, **fields):
    size = len(systems)
    ranks = Ranks(tuple(systems), (.734,) * size, tuple(low or [1] * size), tuple(high or [2] * size), tuple(map(tuple, tied)))
    return MultipleComparison({"pass@1": ranks}, (), Alignment(60), **fields), ranks


@pytest.mark.parametrize("systems, tied, said", [
    ("abc", ["a", "bc"], "significantly better than both others. b and c: inconclusive."),
    ("abc", ["a", "b", "c"], "significantly better than both others. All others differ significantly too."),
    ("ab", ["a", "b"], "significantly better than b."), ("ab", ["ab"], "inconclusive against b."),
    ("abc", ["ab", "c"], "significantly better than c, inconclusive against b."),
    ("abc", ["abc"], "inconclusive against both others."),
    ("abc", ["ab", "bc"], "significantly better than c, inconclusive against b. b and c: inconclusive."),
    ("abcd", ["a", "bcd"], "significantly better than all 3 others. b, c and d: inconclusive."),
    ("abcde", ["a", "bcde"], "significantly better than all 4 others. Some of the others are tied."),
    ("abcde", ["a", "bc", "de"], "significantly better than all 4 others. Some of the others are tied.")])
def test_the_first_sentence_agrees_with_the_tied_sets(systems, tied, said):
    result, ranks = hold(*tied, systems=systems)
    assert describe_ranks(result, "pass@1", ranks) == f"a leads in pass@1 (73.4 %): {said}"


def test_other_metrics_are_said_once():
    result, ranks = hold("a", "b", "c", systems="abc", low=[1, 2, 3], high=[1, 2, 3])
    names = ["pass@1", *(f"pass@{k}" for k in range(2, 9))]
    many = replace(result, rankings=dict.fromkeys(names, ranks))
    assert flat(many).count("leads in") == 1 and "Same verdicts in 7 more metrics, from pass@2 to pass@8." in flat(many)
    assert "Same verdicts in pass@2." in flat(replace(result, rankings=dict.fromkeys(names[:2], ranks)))
    turned = replace(ranks, systems=("b", "a", "c"))
    assert "b leads in pass@4" in flat(replace(result, rankings={"pass@1": ranks, "pass@4": turned}))
    assert list_verdicts(ranks) != list_verdicts(turned)
    left = replace(result, alignment=Alignment(60, tuple(Unmatched(name, 3, ("x",)) for name in "abc")))
    assert "60 common questions; left out: 3 of a ('x', ...)" in flat(left)


def test_the_sentence_of_data_agrees_with_its_pairs():
    rng = np.random.default_rng(1)
    easy = rng.beta(.8, .8, 80) - .5
    sides = [Counts([4] * 80, rng.binomial(4, np.clip(easy + gain, 0, 1))) for gain in (.4, .42, .5, .6, .75)]
    result = compare(*sides[:2], "pass@1", others=sides[2:])
    leader = result.rankings["pass@1"].systems[0]
    apart = {row.second for row in result.rows if row.first == leader and row.apart}
    tied = re.search("inconclusive against ([A-E, and]+)", document(result)[0].text)
    others = set(result.rankings["pass@1"].systems[1:])
    assert others - apart == set(re.findall("[A-E]", tied[1] if tied else ""))


# Forms.

def test_every_form_has_the_pairs(four):
    cells = ["R1 - 4o", "R1 better", "+61.7 points", "+23.3 to +79.4", "0.091", ".002", ".009"]
    page = four.to_html().replace("&nbsp;", " ")
    assert "".join(f"<td>{cell}</td>" for cell in cells) in page and "<summary>All pairs" in page and "<svg" not in page
    assert "| " + " | ".join(cells) + " |" in four.to_markdown().replace("\\", "")
    assert " & ".join(cells) in four.to_latex() and "holm1979" in four.citations()
    assert max(map(len, four.to_text(how=True).splitlines())) <= 80
    order = ["<h1>", '<figure class="chart">', "<th>model</th>", "share a letter in a column", "<summary>All pairs", "<summary>Methods"]
    curves = rank("pass@k", k=[1, 2]).to_html()
    assert sorted(order, key=curves.index) == order


def test_what_is_printed(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = rank("pass@k", k=[1, 2, 4], title="AIME")
    check_text("compare_several", *(VERSIONS.sub("VERSIONS", text) for text in (repr(result), result.to_text(how=True))))


def test_hostile_names_are_inert():
    name = "<script>|$x$\x1b[0m"
    found = compare(list_rows(**{name: [4] * 9, "b": [0] * 9, "c": [0] * 9}), metrics="pass@1")
    assert "<script>|" not in found.to_html() + found.to_markdown()
    assert "\x1b" not in found.to_html() + found.to_markdown() + found.to_latex() + repr(found)
    assert MultipleComparison.from_json(found.to_json()) == found


def test_systems_are_drawn_over_k_or_against_the_best(four):
    curves = rank("pass@k", k=[1, 2, 4])
    ax = curves.plot()
    assert [line.get_ydata().tolist() for line in ax.lines[:1]] == [list(curves.sides[0].estimate)] and ax.get_ylabel() == "pass@k"
    ax = curves.plot("pass@2")
    assert ax.get_xlabel() == "pass@2: difference from high"
    assert [text.get_text() for text in ax.get_yticklabels()] == [row.second for row in curves.rows if (row.metric, row.first) == ("pass@2", "high")]
    assert four.plot().get_xlabel() == "avg@4: difference from high"
    again = MultipleComparison.from_json(curves.to_json())
    assert again.plot().lines[0].get_ydata().tolist() == list(curves.sides[0].estimate)
    with pytest.raises(ValueError, match="metric must be one of"): curves.plot("pass@k")
    plt.close("all")
