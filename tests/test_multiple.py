"Several systems or metrics: ranks, tied sets, Holm's correction by another route, in every form."

import json
import pickle
import re
from dataclasses import replace
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from printed import check_text, VERSIONS
from sampling_eval import (
    compare,
    Counts,
    load_result,
    MultipleComparison,
    PairwiseComparison,
    table,
)
from sampling_eval.cli import finish, make_parser
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.ranking import compare_all, maximal_cliques, holm, Ranking
from sampling_eval.inference.units import check_weights
from sampling_eval.analyses.compare.ranking_words import document, leader_sentence, verdicts_key
from sampling_eval.analyses.compare.result import Ranks
from sampling_eval.results.reading import Alignment, Unmatched
from sampling_eval.analyses.engine.pairs import step_down

# AIME 2025 II, four runs of 15 problems.
RIGHT = {
    "R1": [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1],
    "high": [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4],
    "medium": [4, 4, 4, 4, 3, 4, 2, 3, 1, 4, 3, 4, 1, 4, 3],
    "4o": [2, 4, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
}


def list_rows(**right):
    return [
        dict(model=model, question=f"q{q}", sample=s, correct=int(s < c))
        for model, own in right.items()
        for q, c in enumerate(own)
        for s in range(4)
    ]


def rank(metrics="avg@n", **options):
    return compare(list_rows(**RIGHT), metrics=metrics, **options)


@pytest.fixture(scope="module")
def four():
    return rank()


def flat(result):
    return " ".join(repr(result).split())


# Numbers.


def test_ranks_and_tied_sets(four):
    ranks = four.rankings["avg@4"]
    assert ranks.systems == ("high", "medium", "R1", "4o") and ranks.means == pytest.approx(
        (14 / 15, 0.8, 0.75, 2 / 15)
    )
    assert (ranks.rank_low, ranks.rank_high) == ((1, 1, 1, 4), (3, 3, 3, 4))
    assert ranks.tied == (("high", "medium", "R1"), ("4o",))
    assert ranks.rows[-1] == dict(system="4o", mean=pytest.approx(2 / 15), rank_low=4, rank_high=4)


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_pairs_are_those_of_two_systems_alone(target):
    found = rank(target=target)
    if target == "new_questions":
        assert [row.p_holm for row in found.rows] == pytest.approx(
            holm([row.p for row in found.rows]).tolist()
        )
    for row in found.rows:
        alone = compare(
            list_rows(**RIGHT), metrics="avg@n", models=[row.second, row.first], target=target
        ).rows[0]
        assert (row.difference, row.stderr) == pytest.approx((alone.difference, alone.stderr))
        assert (row.low, row.high, row.p) == pytest.approx((*alone.span(), alone.p), abs=1e-9)
        ends = row.comparison.confidence_interval(target=target)
        assert (row.low, row.high) == (ends.low, ends.high) and row.confidence_interval() == ends
        assert row.apart == (row.p_holm <= 0.05) and row.difference > 0
        assert (
            row.interval.method.name
            == row.method
            == ("gaffke" if target == "new_questions" else "gamma")
        )


def test_a_pair_holds_its_comparison(four):
    row = four["avg@4", "high", "4o"]
    assert four["avg@4", "4o", "high"] is row and row.comparison.wins == 14
    want = paired_difference(np.array(RIGHT["4o"]) / 4, np.array(RIGHT["high"]) / 4)
    assert row.confidence_interval(0.8) == want.confidence_interval(0.8)
    assert row.confidence_interval(0.8, "t") == want.confidence_interval(0.8, "t")
    for key in ("avg@4", "R1", "R1"), ("pass@1", "R1", "high"):
        with pytest.raises(KeyError, match="need a metric and two systems such as"):
            four[key]


def test_pairs_hold_what_they_say():
    row = rank(confidence_level=0.9).rows[0]
    assert vars(row).keys() > {"interval", "p"} and row.interval.level == 0.9 and row.low < row.high
    with pytest.raises(ValueError, match="wilson needs"):
        rank(method="wilson")


# What travels.


def test_json_and_lines_of_a_spreadsheet(four, tmp_path):
    told = json.loads(four.to_json())
    assert told["kind"] == "ranking" and told["rankings"]["avg@4"]["tied"] == [
        ["high", "medium", "R1"],
        ["4o"],
    ]
    assert told["rankings"]["avg@4"]["systems"] == four.rankings["avg@4"].rows
    frame = four.to_frame("pandas")
    assert {"pvalue", "without_assumptions_pvalue", "p_holm_without", "named_pvalue"} < set(
        frame.columns
    )
    assert frame["apart"].tolist() == [False, False, True, False, True, True]
    assert frame["interval"].tolist() == ["gaffke"] * 6
    (tmp_path / "r.json").write_text(four.to_json(), "utf-8")
    for again in MultipleComparison.from_json(four.to_json()), load_result(tmp_path / "r.json"):
        assert (
            again == four
            and repr(again) == repr(four)
            and again.rankings["avg@4"].systems == ("high", "medium", "R1", "4o")
        )
        with pytest.raises(ValueError, match="JSON holds the printed interval"):
            again.rows[0].known
    again = pickle.loads(pickle.dumps(four))
    assert again == four and again.rows[0].confidence_interval(0.9) == four.rows[
        0
    ].confidence_interval(0.9)
    assert four != rank(confidence_level=0.9)
    with pytest.raises(ValueError, match="need the JSON text of a result of ranking"):
        MultipleComparison.from_json("{}")


# Sentences.


def hold(*tied, systems, high=None, low=None, **fields):
    size = len(systems)
    means = tuple(0.734 - i / 100 for i in range(size))
    ranks = Ranks(
        tuple(systems),
        means,
        tuple(low or [1] * size),
        tuple(high or [2] * size),
        tuple(map(tuple, tied)),
    )
    return MultipleComparison({"pass@1": ranks}, (), Alignment(60), **fields), ranks


@pytest.mark.parametrize(
    "systems, tied, said",
    [
        ("abc", ["a", "bc"], "significantly better than both others. b and c: inconclusive."),
        (
            "abc",
            ["a", "b", "c"],
            "significantly better than both others. All others differ significantly too.",
        ),
        ("ab", ["a", "b"], "significantly better than b."),
        ("ab", ["ab"], "inconclusive against b."),
        ("abc", ["ab", "c"], "significantly better than c, inconclusive against b."),
        ("abc", ["abc"], "inconclusive against both others."),
        (
            "abc",
            ["ab", "bc"],
            "significantly better than c, inconclusive against b. b and c: inconclusive.",
        ),
        ("abcd", ["a", "bcd"], "significantly better than all 3 others. b, c and d: inconclusive."),
        (
            "abcde",
            ["a", "bcde"],
            "significantly better than all 4 others. Some of the others are tied.",
        ),
        (
            "abcde",
            ["a", "bc", "de"],
            "significantly better than all 4 others. Some of the others are tied.",
        ),
    ],
)
def test_the_first_sentence_agrees_with_the_tied_sets(systems, tied, said):
    result, ranks = hold(*tied, systems=systems)
    assert leader_sentence(result, "pass@1", ranks) == f"a leads in pass@1 (73.4 %): {said}"


@pytest.mark.parametrize(
    "right, said",
    [
        (dict(a=2, b=2, c=2), "a, b and c are equal in pass@1 (50.0 %)."),
        (dict(a=2, b=2, c=1), "a and b are equal in pass@1 (50.0 %): significantly better than c."),
        (
            dict(a=2, b=1, c=1),
            (
                "a leads in pass@1 (50.0 %): significantly better than both others. b and c:"
                " inconclusive."
            ),
        ),
    ],
)
def test_equal_systems_have_no_leader(right, said):
    # Questions of one kind: always right, never, and so many of four.
    found = compare(list_rows(**{name: [c] * 60 for name, c in right.items()}), metrics="pass@1")
    assert flat(found).startswith(said)
    leads = said.partition(" in pass@1")[0].replace("are equal", "are equal with")
    shown = flat(table(list_rows(**{name: [c] * 60 for name, c in right.items()}), "pass@1"))
    assert shown.startswith(f"{leads} with 50.0 %" if "leads" in leads else f"{leads} 50.0 %")


def test_other_metrics_are_said_once():
    result, ranks = hold("a", "b", "c", systems="abc", low=[1, 2, 3], high=[1, 2, 3])
    names = ["pass@1", *(f"pass@{k}" for k in range(2, 9))]
    many = replace(result, rankings=dict.fromkeys(names, ranks))
    assert flat(many).count(
        "leads in"
    ) == 1 and "Same verdicts in 7 more metrics, from pass@2 to pass@8." in flat(many)
    assert "Same verdicts in pass@2." in flat(
        replace(result, rankings=dict.fromkeys(names[:2], ranks))
    )
    turned = replace(ranks, systems=("b", "a", "c"))
    assert "b leads in pass@4" in flat(
        replace(result, rankings={"pass@1": ranks, "pass@4": turned})
    )
    assert verdicts_key(ranks) != verdicts_key(turned)
    left = replace(
        result, alignment=Alignment(60, tuple(Unmatched(name, 3, ("x",)) for name in "abc"))
    )
    assert "60 common questions; left out: 3 of a ('x', ...)" in flat(left)


def test_the_sentence_of_data_agrees_with_its_pairs():
    rng = np.random.default_rng(1)
    easy = rng.beta(0.8, 0.8, 80) - 0.5
    sides = [
        Counts([4] * 80, rng.binomial(4, np.clip(easy + gain, 0, 1)))
        for gain in (0.4, 0.42, 0.5, 0.6, 0.75)
    ]
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
    assert (
        "".join(f"<td>{cell}</td>" for cell in cells) in page
        and "<summary>All pairs" in page
        and "<svg" not in page
    )
    assert "| " + " | ".join(cells) + " |" in four.to_markdown().replace("\\", "")
    assert " & ".join(cells) in four.to_latex() and "holm1979" in four.citations()
    assert max(map(len, four.to_text(how=True).splitlines())) <= 80
    order = [
        "<h1>",
        '<figure class="chart">',
        "<th>model</th>",
        "share a letter in a column",
        "<summary>All pairs",
        "<summary>Methods",
    ]
    curves = rank("pass@k", k=[1, 2]).to_html()
    assert sorted(order, key=curves.index) == order


def test_what_is_printed(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = rank("pass@k", k=[1, 2, 4], title="AIME")
    check_text(
        "compare_several",
        *(VERSIONS.sub("VERSIONS", text) for text in (repr(result), result.to_text(how=True))),
    )


def test_hostile_names_are_inert():
    name = "<script>|$x$\x1b[0m"
    found = compare(list_rows(**{name: [4] * 9, "b": [0] * 9, "c": [0] * 9}), metrics="pass@1")
    assert "<script>|" not in found.to_html() + found.to_markdown()
    assert "\x1b" not in found.to_html() + found.to_markdown() + found.to_latex() + repr(found)
    assert MultipleComparison.from_json(found.to_json()) == found


def test_systems_are_drawn_over_k_or_against_the_best(four):
    curves = rank("pass@k", k=[1, 2, 4])
    ax = curves.plot()
    assert [line.get_ydata().tolist() for line in ax.lines[:1]] == [
        list(curves.sides[0].estimate)
    ] and ax.get_ylabel() == "pass@k"
    ax = curves.plot("pass@2")
    assert ax.get_xlabel() == "pass@2: difference from high"
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        row.second for row in curves.rows if (row.metric, row.first) == ("pass@2", "high")
    ]
    assert four.plot().get_xlabel() == "avg@4: difference from high"
    again = MultipleComparison.from_json(curves.to_json())
    assert again.plot().lines[0].get_ydata().tolist() == list(curves.sides[0].estimate)
    with pytest.raises(ValueError, match="metric must be one of"):
        curves.plot("pass@k")
    plt.close("all")


# Many systems: Holm's correction by another route, ranks, tied sets, refusals.

SWEEP = settings(derandomize=True, deadline=None, max_examples=60)


@SWEEP
@given(st.lists(st.floats(0, 1), max_size=7), st.floats(0.001, 0.5))
def test_holm_by_its_steps(p, level):
    "Step down: the smallest is compared with level/m, the next with level/(m-1), until one stays."
    rejected, rest = set(), sorted(range(len(p)), key=lambda i: p[i])
    while rest and p[rest[0]] <= level / len(rest):
        rejected.add(rest.pop(0))
    adjusted = holm(p)
    near = [i for i in range(len(p)) if abs(adjusted[i] - level) < 1e-12]
    assert near or {i for i in range(len(p)) if adjusted[i] <= level} == rejected
    assert (adjusted >= p).all() and (adjusted <= 1).all()


def test_holm():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    assert holm([]).tolist() == [] and holm([0, 0]).tolist() == [0, 0]


def test_ranks_and_ties():
    rng = np.random.default_rng(0)
    p = rng.beta(2, 2, 400)
    values = {
        name: rng.binomial(4, np.clip(p + gain, 0, 1)) / 4
        for name, gain in (("a", 0), ("b", 0), ("c", 0.15), ("d", -0.2))
    }
    ranking = compare_all(values)
    assert ranking.systems[0] == "c" and ranking.systems[-1] == "d"
    assert sorted(map(len, ranking.tied)) == [1, 1, 2]
    assert ranking.rank_low.tolist() == [1, 2, 2, 4] and ranking.rank_high.tolist() == [1, 3, 3, 4]
    two = compare_all({"x": [1, 0, 1], "y": [1, 0, 1]})
    assert two.tied == [("x", "y")] and "rank 1..2" in repr(two)


def cliques(near):
    sets = [
        set(s)
        for r in range(1, len(near) + 1)
        for s in combinations(range(len(near)), r)
        if all(j in near[i] for i, j in combinations(s, 2))
    ]
    return {frozenset(s) for s in sets if not any(s < t for t in sets)}


@SWEEP
@given(st.integers(1, 7), st.randoms(use_true_random=False))
def test_tied_sets_by_listing(size, random):
    near = [set() for _ in range(size)]
    for i, j in combinations(range(size), 2):
        if random.random() < 0.6:
            near[i].add(j), near[j].add(i)
    found = list(maximal_cliques(set(), set(range(size)), set(), near))
    assert {frozenset(f) for f in found} == cliques(near) and len(found) == len(cliques(near))


def test_many_tied_systems_are_one_set_at_once():
    near = [set(range(200)) - {i} for i in range(200)]
    assert list(maximal_cliques(set(), set(range(200)), set(), near)) == [set(range(200))]


def test_each_target_has_its_test():
    rng = np.random.default_rng(0)
    n, counts = np.full(20, 8), {
        name: rng.binomial(8, p, 20) for name, p in (("a", 0.3), ("b", 0.6), ("c", 0.9))
    }
    share = lambda k: np.arange(k + 1) / k
    facts = {
        (old, new): dict(tables=Tables(n, counts[old], n, counts[new], 1, share))
        for old in counts
        for new in counts
        if old != new
    }
    values = {name: right / 8 for name, right in counts.items()}
    new, again = (
        compare_all(values, facts=facts, target=target)
        for target in ("new_questions", "same_questions")
    )
    assert {p.target for p in new.p} == {"new_questions"} and {p.target for p in again.p} == {
        "same_questions"
    }
    for ranking, target in (new, "new_questions"), (again, "same_questions"):
        assert [p.value for p in ranking.p] == [
            pair.invert(target=target).value for pair in ranking.pairs.values()
        ]
    assert again.tied == [("c",), ("b",), ("a",)] and isinstance(new, Ranking)


def test_no_false_finding_among_equal_systems():
    "200 seeded runs of four equal systems; standard error of a rate of .05: 1.5 %."
    rng = np.random.default_rng(0)
    found = [
        (compare_all({i: rng.binomial(4, 0.5, 30) / 4 for i in range(4)}).p_adjusted <= 0.05).any()
        for _ in range(200)
    ]
    assert np.mean(found) <= 0.05 + 4 * 0.015


values = dict(a=[1, 0], b=[1, 1])


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: compare_all({"a": [1, 0]}), "at least two systems"),
        (lambda: compare_all([[1, 0], [1, 1]]), "must map names"),
        (lambda: compare_all(dict(a=[1, 0], b=[1])), "same questions, got 2 and 1"),
        (lambda: compare_all(dict(a=["x"], b=["y"])), "'a' must be numbers"),
        (lambda: compare_all(dict(a=[1.0], b=[np.nan])), "'b' must be finite"),
        (lambda: compare_all(dict(a=[[1]], b=[[1]])), "one number per question"),
        (lambda: compare_all(values, confidence_level=95), "confidence_level"),
        (lambda: compare_all(values, confidence_level="a"), "confidence_level"),
        (lambda: compare_all(values, method="z"), "method must be"),
        (lambda: compare_all(values, target="both"), "target must be"),
        (lambda: compare_all(values, cluster=[1]), "cluster must hold"),
        (lambda: compare_all(values, bounds=(0, np.nan)), "two ascending"),
        (lambda: holm([0.5, 2]), "numbers in"),
        (lambda: holm([np.nan]), "numbers in"),
        (lambda: holm([[0.1]]), "numbers in"),
        (lambda: holm(0.5), "numbers in"),
        (lambda: holm(["a"]), "plain numbers"),
        (lambda: holm(np.ma.array([0.1, 0.2], mask=[0, 1])), "plain numbers"),
    ],
)
def test_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


# By hand.


def test_adjusted_values_keep_their_order_and_stop_at_one():
    assert holm([0.5, 0.01, 0.4]).tolist() == pytest.approx([0.8, 0.03, 0.8]) and holm(
        [1, 1]
    ).tolist() == [1, 1]
    assert holm([0.3]).tolist() == [0.3]
    assert holm([True, False]).tolist() == [1, 0]
    assert holm(np.array([0.02, 0.02, 0.02])).tolist() == pytest.approx([0.06] * 3)
    assert holm([0.001, 0.002, 0.003, 0.9]).tolist() == pytest.approx([0.004, 0.006, 0.006, 0.9])


@pytest.mark.parametrize("p", [[1 + 1e-9], [-1e-9], [0.5, np.inf]])
def test_numbers_just_outside_are_refused(p):
    with pytest.raises(ValueError, match=r"numbers in \[0, 1\]"):
        holm(p)


def ranking_of(p_adjusted, level=0.95):
    "Three systems x, y, z, 40 questions each, with adjusted p values for x-y, x-z, y-z as given."
    columns = dict(
        x=np.r_[np.ones(30), np.zeros(10)],
        y=np.r_[np.ones(20), np.zeros(20)],
        z=np.r_[np.ones(10), np.zeros(30)],
    )
    made = compare_all(columns, confidence_level=level)
    return replace(made, p_adjusted=np.array(p_adjusted))


@pytest.mark.parametrize(
    "p, low, high, tied",
    [
        ([0.01, 0.01, 0.01], [1, 2, 3], [1, 2, 3], [("x",), ("y",), ("z",)]),
        ([0.2, 0.01, 0.2], [1, 1, 2], [2, 3, 3], [("x", "y"), ("y", "z")]),
        ([1, 1, 1], [1, 1, 1], [3, 3, 3], [("x", "y", "z")]),
        ([0.2, 0.05, 0.05], [1, 1, 3], [2, 2, 3], [("x", "y"), ("z",)]),
        ([0.2, 0.0501, 0.0501], [1, 1, 1], [3, 3, 3], [("x", "y", "z")]),
        ([0.05, 0.05, 0.2], [1, 2, 2], [1, 3, 3], [("x",), ("y", "z")]),
    ],
)
def test_ranks_from_adjusted_values(p, low, high, tied):
    "A value at the level itself tells apart; 1 - .95 is a little more than .05."
    ranking = ranking_of(p)
    assert (
        ranking.rank_low.tolist() == low
        and ranking.rank_high.tolist() == high
        and ranking.tied == tied
    )
    apart = [(i, j) for (i, j), value in zip(ranking.pairs, p) if value <= 0.05]
    assert (
        list(map(tuple, np.argwhere(ranking.ahead))) == apart and not np.triu(ranking.ahead.T).any()
    )


@pytest.mark.parametrize(
    "own, other, disputed",
    [
        ([0.01, 0.01, 0.01], [0.04, 0.04, 0.04], []),
        ([0.01, 0.01, 0.01], [0.06, 0.04, 0.06], [("x", "y", True), ("y", "z", True)]),
        ([0.06, 0.01, 0.06], [0.04, 0.01, 0.2], [("x", "y", False)]),
        # A value at the level itself tells apart.
        ([0.05, 0.05, 0.0501], [0.0501, 0.05, 0.05], [("x", "y", True), ("y", "z", False)]),
    ],
)
def test_pairs_whose_verdict_rests_on_t(own, other, disputed):
    ranking = ranking_of(own)
    vars(ranking)["adjusted_without"] = np.array(other)
    assert ranking.disputed == disputed


@pytest.mark.parametrize(
    "more", [dict(interval="t"), dict(target="same_questions"), dict(bounds=None)], ids=str
)
def test_where_no_value_without_assumptions_stands_beside(more):
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 5, 40) / 4 for name in "abc"}
    plain, asked = compare_all(columns), compare_all(columns, **more)
    assert len(plain.without_assumptions) == 3
    assert plain.adjusted_without == pytest.approx(
        holm([p.value for p in plain.without_assumptions])
    )
    assert (asked.without_assumptions, asked.adjusted_without, asked.disputed) == ((), None, [])


def test_what_a_ranking_says():
    values = dict(low=[0, 0, 1, 0], top=[1, 1, 1, 0.5], mid=[1, 0, 1, 0.25])
    ranking = compare_all(values, confidence_level=0.9)
    assert (
        repr(ranking)
        == "Ranking(3 pairs, Holm, 90 %)\n  rank 1..3  0.8750  top\n  rank 1..3  0.5625  mid\n "
        " rank 1..3  0.2500  low"
    )
    assert ranking.systems == ("top", "mid", "low") and ranking.means.tolist() == [
        0.875,
        0.5625,
        0.25,
    ]
    assert ranking.confidence_level == 0.9
    assert {pair: one.difference for pair, one in ranking.pairs.items()} == {
        (0, 1): 0.3125,
        (0, 2): 0.625,
        (1, 2): 0.3125,
    }
    assert ranking.p_adjusted.tolist() == pytest.approx(
        holm([one.value for one in ranking.p]).tolist()
    )
    assert compare_all(values).confidence_level == 0.95 and compare_all(values).ahead.shape == (
        3,
        3,
    )


def test_options_reach_every_pair():
    rng = np.random.default_rng(3)
    values, cluster = {
        name: rng.random(12) * scale for name, scale in (("a", 1), ("b", 0.8), ("c", 0.5))
    }, np.arange(12) // 2
    for method, more in (
        (None, {}),
        ("gaffke", {}),
        ("t", dict(bounds=None)),
        ("sign-flip", dict(cluster=cluster)),
        ("gaffke", dict(bounds=(-1, 2))),
    ):
        ranking = compare_all(values, method=method, **more)
        for (i, j), p in zip(ranking.pairs, ranking.p):
            new, old = ranking.systems[i], ranking.systems[j]
            assert p == paired_difference(values[old], values[new], **more).test(method), (
                method,
                more,
            )
    again = compare_all(values, target="same_questions")
    assert {p.target for p in again.p} == {"same_questions"}
    weights = check_weights(np.arange(1, 13))
    weighted = compare_all(values, weights=weights)
    means = [np.average(column, weights=np.arange(1, 13)) for column in values.values()]
    assert weighted.means.tolist() == pytest.approx(sorted(means, reverse=True))
    assert [one.difference for one in weighted.pairs.values()] == pytest.approx(
        [weighted.means[i] - weighted.means[j] for i, j in weighted.pairs]
    )
    moved = np.random.default_rng(1).normal(0.42, 1, 60)
    drawn = [
        compare_all(dict(a=np.zeros(60), b=moved), bounds=None, method="sign-flip", rng=seed).p[0]
        for seed in (None, 0, 1)
    ]
    assert drawn[0] == drawn[1] != drawn[2] and drawn[0].method == "sign-flip, 9999 draws"


def test_equal_means_keep_the_order_given():
    assert compare_all(dict(b=[1, 0], a=[0, 1])).systems == ("b", "a")
    tied = compare_all(dict(b=[1, 0], a=[0, 1]))
    assert tied.tied == [("b", "a")] and tied.pairs[0, 1].difference == 0 and not tied.ahead.any()


# Several metrics: the first decides at the full level, the others by Holm's correction.

NAMES = ["pass@1", "pass@4", "pass^4", "cons@3"]


def draw(seed=0, better=0.0, questions=80, n=8):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 1, questions)
    return [(rng.random((questions, n)) < q[:, None]).astype(int) for q in (p, p ** (1 - better))]


def test_the_primary_metric_is_judged_as_if_alone():
    a, b = draw(better=0.45)
    several, alone = compare(a, b, NAMES), compare(a, b, "pass@1")
    assert several.primary == "pass@1" and several["pass@1"].to_dict() == alone["pass@1"].to_dict()
    assert several.rows[0].interval.level == 0.95
    assert [row.a for row in several.rows] == [compare(a, b, name).rows[0].a for name in NAMES]


def test_others_are_at_the_levels_of_holm():
    a, b = draw(better=0.45)
    found = compare(a, b, NAMES)
    assert {row.metric: row.interval.level for row in found.rows[1:]} == pytest.approx(
        {"pass@4": 1 - 0.05 / 3, "cons@3": 1 - 0.05 / 3, "pass^4": 0.95}
    )
    for row in found.rows[1:]:
        want = compare(a, b, row.metric, confidence_level=row.confidence_level).rows[0]
        assert (row.low, row.high) == pytest.approx((want.low, want.high), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_steps_reject_what_holm_rejects(seed):
    p = np.random.default_rng(seed).random(5) ** 3 * 0.1
    found = step_down(range(5), lambda place, level: p[place] <= 1 - level, bool, 0.95)
    assert [found[i] for i in range(5)] == [bool(o) for o in holm(p) <= 0.05]


def test_null_metrics_are_seldom_told_apart():
    false = 0
    for seed in range(20):
        found = compare(*draw(seed, questions=30, n=2), ["pass@1", "pass@2", "pass^2"])
        false += any(row.low > 0 or row.high < 0 for row in found.rows[1:])
    assert false <= 4


def test_screen_and_json_say_how():
    found = compare(*draw(better=0.45), NAMES)
    said = " ".join(found.to_text().split())
    assert (
        "pass@1 is the primary metric (95 %); the other 3 have wider CIs: Holm's correction for 3"
        " metrics."
        in said
    )
    assert "B is significantly better at pass@1, pass@4, cons@3; inconclusive at pass^4." in said
    assert "Same questions:" not in said and "k separately" not in said
    assert found.to_dict()["primary"] == "pass@1" and "Holm's correction for 3" in found.methods()
    assert PairwiseComparison.from_json(found.to_json()) == found
    sizes = [f"{name} {side}" for side in "AB" for name in ("n", "c", "missing")]
    values = [f"{name} {side}" for name in NAMES for side in ("A", "B", "B - A")]
    assert list(found.questions) == ["question", *sizes, *values]
    for told in found.to_html(), found.to_markdown():
        assert "primary metric" in told
    assert compare(*draw(), "pass@1").primary == ""


def test_own_credits_may_be_among_them():
    found = compare(*draw(), {"pass@1": None, "twice@2": [0, 0, 1]})
    assert [row.metric for row in found.rows] == ["pass@1", "twice@2"]
    assert "the other one is judged by itself at the same level." in " ".join(
        found.to_text().split()
    )


def test_refusals_name_the_way_out():
    a, b = draw()
    with pytest.raises(
        ValueError, match="each must be one number, got 'pass@k'; state the budget as in 'pass@1'"
    ):
        compare(a, b, ["pass@1", "pass@k"])
    with pytest.raises(ValueError, match="named once, got 'pass@1' twice"):
        compare(a, b, ["pass@1", "pass@1"])
    with pytest.raises(ValueError, match="state their budgets, as pass@4 does, got k=2"):
        compare(a, b, ["pass@1", "avg@n"], 2)
    with pytest.raises(ValueError, match="several metrics are for two systems, got 3"):
        compare(a, b, NAMES, others=[a])


def test_the_command_takes_several(tmp_path, capsys):
    paths = []
    for name, side in zip("ab", draw(better=0.45)):
        rows = "".join(f"{q},{s},{x}\n" for q, row in enumerate(side) for s, x in enumerate(row))
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("question,sample,correct\n" + rows)
    assert (
        finish(make_parser().parse_args(["compare", *map(str, paths), "-m", "pass@1,pass^4"])) == 0
    )
    assert "pass@1 is the primary metric" in " ".join(capsys.readouterr().out.split())


# The steps, by hand.


@pytest.mark.parametrize(
    "p, levels",
    [
        # The least of three is judged at a third of .05, the next at a half, the last at the whole.
        ([0.01, 0.02, 0.04], [1 - 0.05 / 3, 1 - 0.05 / 2, 1 - 0.05]),
        ([0.04, 0.02, 0.01], [1 - 0.05, 1 - 0.05 / 2, 1 - 0.05 / 3]),
        ([0.01, 0.03, 0.04], [1 - 0.05 / 3, 1 - 0.05 / 2, 1 - 0.05 / 2]),
        ([0.02, 0.03, 0.04], [1 - 0.05 / 3] * 3),
        ([0.001, 0.002, 0.9], [1 - 0.05 / 3, 1 - 0.05 / 3, 0.95]),
    ],
)
def test_each_keeps_the_level_of_its_step(p, levels):
    found = step_down(
        range(3),
        lambda place, level: (p[place] <= 1 - level + 1e-15, level),
        lambda one: one[0],
        0.95,
    )
    assert [found[i][1] for i in range(3)] == pytest.approx(levels) and step_down(
        [], None, None, 0.95
    ) == {}


def test_the_target_decides_which_others_are_sure():
    a, b = draw(better=0.45)
    found = compare(a, b, NAMES, target="same_questions")
    steps = [1 - 0.05 / left for left in (1, 2, 3)]
    for row in found.rows[1:]:
        rungs = [
            compare(a, b, row.metric, target="same_questions", confidence_level=level).rows[0]
            for level in steps
        ]
        assert row.again.low in [pytest.approx(one.again.low) for one in rungs]
    assert (
        found.rows[0].again.low
        == compare(a, b, NAMES[0], target="same_questions").rows[0].again.low
    )
    assert [row.k for row in compare(a, b, ["pass@4", "avg@n"]).rows] == [4, None]
