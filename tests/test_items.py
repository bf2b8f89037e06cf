"""Items asked in several groups: the item is what is drawn, in every verb, from Python and the
command."""

import csv
import json
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import t

from sampling_eval import compare, describe, plan, read, score, table
from sampling_eval.cli import finish, make_parser
from sampling_eval.inference.intervals import estimates_of
from sampling_eval.inference.units import (
    check_weights, cross_groups, Crossed, join_groups, Strata, Units, units_of, weigh_units)
from sampling_eval.reading.counts_file import write_counts

UNIT = "12 items, each in 3 groups: the item is the unit"


def ask(
    items=12,
    groups="abc",
    samples=2,
    seed=0,
    column="language",
    name="q{}",
    keep=lambda item, group: True,
    **more,
):
    "Rows of items whose difficulty is the same in every group."
    rng = np.random.default_rng(seed)
    chance = rng.beta(0.5, 0.5, items)
    return [
        {
            "question": name.format(item),
            column: group,
            "sample": s,
            "correct": int(rng.random() < chance[item]),
            **more,
        }
        for item in range(items)
        for group in groups
        for s in range(samples)
        if keep(item, group)
    ]


def mean_by_item(rows):
    "Mean and variance of the mean, by hand: one number for each item."
    found = {}
    for row in rows:
        found.setdefault(row["question"], []).append(Fraction(row["correct"]))
    values = [sum(one) / len(one) for one in found.values()]
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / (len(values) * (len(values) - 1))


# Which ids are items.


@pytest.mark.parametrize("given", [dict(by="language"), {}])
def test_the_item_is_the_unit(given):
    rows = ask()
    found = score(rows, "pass@1", **given)
    mean, variance = mean_by_item(rows)
    whole = [row for row in found.rows if row.group in ("", "all questions", "mean of 3 groups")]
    assert len(whole) == 1 + bool(given)
    for row in whole:
        assert row.estimate == pytest.approx(float(mean)) and row.stderr == pytest.approx(
            float(variance) ** 0.5
        )
        assert (
            row.interval.method.name == "gaffke"
            and row.interval.method.clusters == 12
            and row.questions == 36
        )
    alone = [row for row in found.rows if row.group in "abc" and row.group]
    assert [row.interval.method.clusters for row in alone] == [None] * 3 * bool(given)
    assert (
        UNIT in str(found).replace("\n", " ")
        and "one item (cluster=False if it is not)" in found.read
    )


@pytest.mark.parametrize(
    "name, keep, kind",
    [
        ("q{}", lambda item, group: True, "items"),
        ("{}", lambda item, group: True, "items"),
        ("q{}", lambda item, group: group != "c" or item < 5, "items"),
        ("{}", lambda item, group: group != "c" or item < 5, "numbers_restart"),
        ("{}", lambda item, group: group != "c" or item != 5, "items"),
        ("q{}", lambda item, group: item % 3 == "abc".index(group), None),
    ],
)
def test_which_ids_are_items(name, keep, kind):
    "Names, and numbers that all groups hold; not numbers that end earlier in some groups."
    rows = ask(name=name, keep=keep)
    found = score(rows, "pass@1", by="language")
    kinds = [note.kind for note in found.summary.notes if note.kind in ("items", "numbers_restart")]
    assert kinds == [kind] * (kind is not None)
    assert (found["all questions", "pass@1"].interval.method.clusters is None) == (kind != "items")
    asked = score(rows, "pass@1", by="language", cluster="question")
    assert (asked["all questions", "pass@1"].interval.method.clusters is None) == (kind is None)
    left = score(rows, "pass@1", by="language", cluster=False)
    assert left["all questions", "pass@1"].interval.method.clusters is None


@pytest.mark.parametrize("column", ["question", "doc_id", "task_id"])
def test_the_column_of_questions_as_clusters(column):
    rows = [
        {column if part == "question" else part: value for part, value in row.items()}
        for row in ask()
    ]
    named, alone = score(rows, "pass@1", cluster=column), score(rows, "pass@1")
    assert named["pass@1"].to_dict() == alone["pass@1"].to_dict()
    assert score(rows, "pass@1", cluster="question")["pass@1"].low == alone["pass@1"].low
    single = ask(groups="a")
    assert score(single, "pass@1", cluster="question")["pass@1"].interval.method.clusters is None
    with pytest.raises(ValueError, match="nothing"):
        score(single, "pass@1", cluster="nothing")


def test_a_column_of_clusters_that_is_no_question_stays_one():
    rows = [row | dict(task_id=int(row["question"][1:]) // 4) for row in ask(groups="a")]
    assert (
        score(rows, "pass@1", question="question", cluster="task_id")[
            "pass@1"
        ].interval.method.clusters
        == 3
    )


LOG = dict(
    arguments={},
    resps=[[""]],
    filtered_resps=[""],
    filter="none",
    metrics=["exact_match"],
    target="1",
)


@pytest.mark.parametrize(
    "cluster, units", [(None, 8), ("question", 8), ("doc_id", 8), ("task", 3), (False, None)]
)
def test_items_of_logs(tmp_path, cluster, units):
    for task in "abc":
        lines = [
            json.dumps(
                dict(
                    LOG,
                    doc_id=i,
                    doc_hash=f"{task}{i}",
                    exact_match=float((i + (task == "c")) % 3 > 0),
                )
            )
            for i in range(8)
        ]
        (tmp_path / f"samples_mgsm_{task}_2026-11-21T10-05-01.592126.jsonl").write_text(
            "\n".join(lines)
        )
    found = score(str(tmp_path), "pass@1", by="task", cluster=cluster)
    assert found["all questions", "pass@1"].interval.method.clusters == units
    assert (units == 8) == (
        "8 items by number, each in 3 groups" in str(found).replace("\n", " ")
    )


def test_counts_and_engines_keep_items(tmp_path):
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    rows = ask()
    whole = score(rows, "pass@1")["pass@1"]
    frame = pandas.DataFrame(rows)
    frame.to_parquet(tmp_path / "rows.parquet")
    write_counts(tmp_path / "counts.parquet", read(rows))
    for origin in (
        frame,
        duckdb.sql("FROM frame"),
        str(tmp_path / "rows.parquet"),
        read(rows),
        str(tmp_path / "counts.parquet"),
    ):
        found = score(origin, "pass@1")["pass@1"]
        assert (found.low, found.high, found.interval.method.clusters) == (
            whole.low,
            whole.high,
            12,
        )


# The other verbs.


def test_pairs_tables_and_ranks():
    rows = [*ask(model="old"), *ask(model="new", seed=1), *ask(model="last", seed=2)]
    pair = compare(rows, models=["old", "new"], metrics="pass@1")
    apart = compare(rows, models=["old", "new"], metrics="pass@1", cluster=False)
    assert pair["pass@1"].stderr != apart["pass@1"].stderr
    by_hand = {}
    for row in rows:
        if row["model"] == "last":
            continue
        by_hand.setdefault(row["question"], 0)
        by_hand[row["question"]] += Fraction(row["correct"], 6) * (
            1 if row["model"] == "new" else -1
        )
    values = list(by_hand.values())
    mean = sum(values) / 12
    assert pair["pass@1"].difference == pytest.approx(float(mean))
    assert pair["pass@1"].stderr == pytest.approx(
        float(sum((v - mean) ** 2 for v in values) / (12 * 11)) ** 0.5
    )
    assert UNIT in str(pair).replace("\n", " ") and UNIT in str(
        compare(rows, metrics="pass@1")
    ).replace("\n", " ")
    shown = table(rows, "pass@1", by="language")
    assert UNIT in str(shown).replace("\n", " ")
    for row in shown.numbers:
        if row.group != "mean of 3 groups":
            assert row.interval.method.clusters is None
        else:
            assert row.interval.method.clusters == 12
    assert [one.clusters for one in describe(rows).systems] == [12] * 3


def test_a_plan_says_that_items_are_not_used():
    assert "Clusters are not used" in str(
        plan(pilot=ask(), questions=50, metrics="pass@1")
    ).replace("\n", " ")


def run(*words):
    return finish(make_parser().parse_args(list(words)))


def test_the_command_prints_the_same(tmp_path, capsys):
    rows = ask()
    with open(tmp_path / "rows.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    for words, given in (
        ([], {}),
        (["--cluster", "question"], dict(cluster="question")),
        (["--cluster", "none"], dict(cluster=False)),
        (["--by", "language"], dict(by="language")),
    ):
        assert run("score", str(tmp_path / "rows.csv"), "-m", "pass@1", *words, "-f", "json") == 0
        told = json.loads(capsys.readouterr().out)
        own = score(str(tmp_path / "rows.csv"), "pass@1", **given)
        assert [(row["low"], row["high"]) for row in told["rows"]] == [
            (row.low, row.high) for row in own.rows
        ]
    assert run("score", str(tmp_path / "rows.csv"), "-m", "pass@1") == 0
    printed = capsys.readouterr().out.replace("\n", " ")
    assert UNIT in printed and "--cluster none if it is not" in printed


def test_weights_of_items_add_up():
    rows = [row | dict(w=1 + int(row["question"][1:]) % 3) for row in ask()]
    found = score(rows, "pass@1", weights="w")["pass@1"]
    assert found.interval.method.clusters == 12 and found.questions == 36
    values, weight = np.array([1, 0, 0.5, 1, 1, 0]), np.array([1, 2, 3, 1, 2, 3.0])
    units = weigh_units(values, check_weights(weight), cluster=list("abcabc"))
    assert (
        units.size.tolist() == pytest.approx([2 / 3, 4 / 3, 2])
        and units.top == 2
        and units.assumed == 6
    )
    assert units.mean()[0] == pytest.approx(np.average(values, weights=weight)) and units.asked == 6
    declared = weigh_units(values, check_weights(weight, 5), cluster=list("abcabc"))
    assert declared.top == pytest.approx(10 / 3) and declared.assumed is None
    single = weigh_units(values, check_weights(weight), cluster=range(6))
    np.testing.assert_allclose(
        single.variance(), weigh_units(values, check_weights(weight)).variance()
    )


# The mean of groups.


def fractions(*rows):
    return [[Fraction(value) for value in row] for row in rows]


def variance_by_hand(groups, clusters):
    "Cluster sums of weighted deviations, each group's stretched by n/(n - 1), n its clusters."
    found, stretched = {}, {}
    for values, names in zip(groups, clusters):
        mean, own = sum(values) / len(values), len(set(names))
        for value, name in zip(values, names):
            pull = (value - mean) / (len(values) * len(groups))
            found.setdefault(name, {}).setdefault(own, Fraction(0))
            found[name][own] += pull
    # Roots stay out of sight where all groups have as many clusters.
    sizes = {own for one in found.values() for own in one}
    assert len(sizes) == 1
    own = sizes.pop()
    return Fraction(own, own - 1) * sum(one[own] ** 2 for one in found.values())


CROSSED = (fractions([1, 0, Fraction(1, 2), 1], [0, 1, 1, Fraction(1, 4)]), ["wxyz", "xyzv"])


def test_clusters_that_cross_groups_by_hand():
    groups, clusters = CROSSED
    found = cross_groups([np.array(one, float) for one in groups], [list(one) for one in clusters])
    assert isinstance(found, Crossed) and found.count == 5 and found.kind == "over 5 clusters"
    assert found.mean() == pytest.approx(float(sum(map(sum, groups)) / 8))
    assert found.variance() == pytest.approx(float(variance_by_hand(groups, clusters)))


def test_nothing_shared_is_as_before():
    x = np.random.default_rng(0).random(10)
    found, plain = cross_groups([x[:6], x[6:]], [range(6), range(6, 10)]), join_groups(
        [units_of(x[:6]), units_of(x[6:])]
    )
    assert isinstance(found, Crossed) and type(plain) is Strata
    assert found.mean() == pytest.approx(plain.mean()) and found.variance() == pytest.approx(
        plain.variance()
    )
    assert found.df() == pytest.approx(plain.df())


def test_all_shared_is_a_mean_of_items():
    x = np.random.default_rng(0).random((7, 3))
    found = cross_groups(list(x.T), [range(7)] * 3)
    assert isinstance(found, Units) and (found.count, found.questions) == (7, 21)
    assert found.variance()[0] == pytest.approx(x.mean(1).var(ddof=1) / 7)
    # A group that asks every item twice weighs as much as the others.
    twice = cross_groups([x[:, 0], np.repeat(x[:, 1], 2)], [range(7), np.repeat(range(7), 2)])
    assert isinstance(twice, Units) and twice.variance()[0] == pytest.approx(
        x[:, :2].mean(1).var(ddof=1) / 7
    )


def test_degrees_of_freedom():
    "Those of Welch where nothing crosses, the items less one where all do, between them else."
    x = np.random.default_rng(0).random((9, 2))
    groups = [units_of(x[:5, 0]), units_of(x[:, 1])]
    a, b = (one.variance()[0] for one in groups)
    assert join_groups(groups).df() == pytest.approx((a + b) ** 2 / (a**2 / 4 + b**2 / 8))
    low, high = estimates_of(join_groups(groups)).ends(0.95, "t")
    half = t.isf(0.025, join_groups(groups).df()) * ((a + b) / 4) ** 0.5
    assert high[0] - low[0] == pytest.approx(2 * half)
    part = cross_groups([x[:5, 0], x[:, 1]], [range(5), range(9)])
    pull = part.pull(stretch=True)[:, 0] ** 2
    both, one = pull[:5].sum(), pull[5:].sum()
    assert part.df() == pytest.approx((both + one) ** 2 / (both**2 / 4 + one**2 / 3))


def test_the_variance_is_right_on_average_by_enumeration():
    """All draws of five items out of eight of a small population, with and without partial overlap.

    Sampling without replacement has the variance of independent draws times (N - n)/(N - 1).
    """
    population = [
        (Fraction(a, 4), Fraction(b, 4))
        for a, b in ((0, 1), (4, 3), (2, 2), (1, 4), (3, 0), (4, 4), (0, 0), (2, 3))
    ]
    draws = [[population[i] for i in some] for some in combinations(range(8), 5)]
    found = [
        cross_groups([np.array([float(o[side]) for o in one]) for side in (0, 1)], [range(5)] * 2)
        for one in draws
    ]
    means = [Fraction(sum(a + b for a, b in one), 10) for one in draws]
    center = sum(means) / len(means)
    true = sum((mean - center) ** 2 for mean in means) / len(means)
    assert np.mean([one.variance()[0] for one in found]) * (8 - 5) / 8 == pytest.approx(
        float(true), rel=1e-12
    )


def test_partial_overlap_is_right_on_average_to_a_few_percent():
    "Two of three items stand in both groups: every outcome of independent items, in full."
    law = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0)]
    both = list(product(law, repeat=4))
    values = [
        (np.array([a[0] for a in one[:3]]), np.array([b[1] for b in one[1:]])) for one in both
    ]
    found = [cross_groups(list(one), [[0, 1, 2], [1, 2, 3]]) for one in values]
    means = np.array([one.mean() for one in found])
    assert np.mean([one.variance() for one in found]) / means.var() == pytest.approx(1, abs=0.06)


@pytest.mark.parametrize(
    "sets, questions, least",
    [
        ([range(40)] * 4, 1, 0.94),
        ([range(30), range(10, 40), range(20, 50)], 1, 0.94),
        ([range(12)] * 2, 5, 0.94),
    ],
)
def test_coverage_of_the_mean_of_groups(sets, questions, least):
    """Where 95 % covered 81: 400 benchmarks of items with chances from Beta(1/2, 1/2), in fixed
    groups."""
    rng, held, plain = np.random.default_rng(7), 0, 0
    items = 1 + max(max(own) for own in sets)
    for _ in range(400):
        chance = rng.beta(0.5, 0.5, items)
        clusters = [np.repeat(own, questions) for own in sets]
        values = [rng.binomial(3, chance[own]) / 3 for own in clusters]
        low, high = estimates_of(cross_groups(values, clusters)).ends()
        held += low[0] <= 0.5 <= high[0]
        low, high = join_groups([units_of(one) for one in values]).limits(0.025)
        plain += low <= 0.5 <= high
    assert held / 400 >= least and plain < held - 20


def test_limits_hold_the_mean_and_mirror():
    groups, clusters = CROSSED
    values = [np.array(one, float) for one in groups]
    found, turned = cross_groups(values, clusters), cross_groups(
        [1 - one for one in values], clusters
    )
    ends = np.array([found.limits(tail) for tail in (0.25, 0.05, 0.025, 0.005)])
    assert (np.diff(ends[:, 0]) <= 0).all() and (np.diff(ends[:, 1]) >= 0).all()
    low, high = turned.limits(0.025)
    np.testing.assert_allclose([1 - high, 1 - low], ends[2], atol=1e-9)
    silent = cross_groups([[1, 1, 1], [1, 1]], [[0, 1, 2], [2, 3]])
    low, high = silent.limits(0.025)
    assert high == 1 and low < 0.5
    pair = cross_groups([[1, 0, 1]], [[0, 1, 1]])
    assert isinstance(pair, Units)
    with pytest.raises(ValueError, match="lie in"):
        cross_groups([[2.0, 0], [1, 0]], [[0, 1], [1, 2]])


def test_several_budgets_of_crossed_groups():
    x = np.random.default_rng(0).random((9, 3))
    found = cross_groups([x[:5], x[5:]], [range(5), range(3, 7)])
    assert found.budgets == 3 and found.mean().shape == found.variance().shape == (3,)
    np.testing.assert_allclose(found.variance(), [found.at(i).variance() for i in range(3)])
    np.testing.assert_allclose(
        found.limits(0.05), np.transpose([found.at(i).limits(0.05) for i in range(3)])
    )
    lone = cross_groups([[0.5, 1, 0], [1.0]], [[0, 1, 2], [2]])
    assert lone.variance() > 0 and lone.df() > 0


def test_a_cluster_that_crosses_the_groups():
    "Passages that every task asks about: the mean of tasks, as the row of all questions."
    rows = [
        row
        | dict(passage=int(row["question"][1:]) // 3, question=f"{row['task']}{row['question']}")
        for row in ask(column="task", keep=lambda item, group: group != "c" or item < 7)
    ]
    found = score(rows, "pass@1", by="task", cluster="passage")
    mean = next(row for row in found.rows if row.of_groups)
    values, clusters = [], []
    for task in "abc":
        own = {}
        for row in rows:
            if row["task"] == task:
                own.setdefault((row["question"], row["passage"]), []).append(row["correct"])
        values.append(np.array([np.mean(one) for one in own.values()]))
        clusters.append([passage for _, passage in own])
    crossed = cross_groups(values, clusters)
    assert (mean.estimate, mean.stderr) == pytest.approx(
        (crossed.mean(), crossed.variance() ** 0.5)
    )
    assert mean.stderr_kind == "over 4 clusters, groups fixed" and mean.interval.method.strata
    assert (mean.low, mean.high) == pytest.approx(crossed.limits(0.025))
