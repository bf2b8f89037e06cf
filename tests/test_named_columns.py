"Metrics by name: several in one text, and those that need a column of their own."

import csv

import numpy as np
import pytest

from conftest import command
from sampling_eval import compare, explain, extrapolate, gate, plan, score, table
from sampling_eval.bridges.lm_eval import question_values

A = [[1, 0, 1, 1]] * 3 + [[0, 0, 1, 0]] * 4
B = [[1, 1, 1, 1]] * 3 + [[0, 1, 1, 0]] * 4
TWO, LISTED = "pass@1, pass@2", ["pass@1", "pass@2"]


@pytest.mark.parametrize(
    "verb, given",
    [
        (score, dict(data=A)),
        (compare, dict(baseline=A, new=B)),
        (table, dict(systems=dict(a=A, b=B))),
        (explain, dict(data=A, name="0")),
        (gate, dict(new=A, baseline=B, max_drop=0.5)),
    ],
)
def test_python_takes_names_as_the_command_does(verb, given):
    text, listed = (verb(**given, metrics=metrics) for metrics in (TWO, LISTED))
    assert text.rows == listed.rows and text.to_text() == listed.to_text()


def test_a_bridge_takes_names_as_the_command_does():
    assert question_values([1, 0, 1], "pass@1,pass@2") == question_values(
        [1, 0, 1], ("pass@1", "pass@2")
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: plan(0.1, metrics=TWO),
        lambda: plan(0.1, metrics=LISTED),
        lambda: extrapolate(A, TWO),
    ],
)
def test_one_metric_where_one_is_needed(call):
    with pytest.raises(
        ValueError,
        match="metrics must (be|name) one metric, got 'pass@1', 'pass@2'; write one of them",
    ):
        call()


# spend@k, guarded@k and portfolio@k.


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    "Thirty questions, two sources, four samples of each with a price and a verdict."
    rng, path = np.random.default_rng(0), tmp_path_factory.mktemp("named") / "runs.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow("question source correct price passed".split())
        for q, p in enumerate(rng.random(30)):
            for source in "abab" * 2:
                right = int(rng.random() < p)
                out.writerow(
                    [
                        f"q{q}",
                        source,
                        right,
                        1 + 0.1 * q,
                        int(rng.random() < (0.9 if right else 0.2)),
                    ]
                )
    return path


def read(path, metrics, **given):
    ignored = {} if "by" in given else dict(ignore="source")
    return score(path, metrics, correct="correct", **ignored, **given)


def test_spend_is_computed_where_the_cost_is_named(path):
    asked, plain = read(path, "spend@4", cost="price"), read(path, "pass@4", cost="price")
    assert asked.rows == plain.rows and [one.k for one in asked.spend] == [4]
    assert asked.spend[0] == next(one for one in plain.spend if one.k == 4)
    several = read(path, "pass@1, spend@2, Spend@8", cost="price")
    assert [row.metric for row in several.rows] == ["pass@1", "pass@2", "pass@8"]
    assert [one.k for one in several.spend] == [2, 8]
    assert read(path, "spend@k", cost="price").spend == plain.spend
    assert [one.k for one in read(path, "spend@k", k=3, cost="price").spend] == [3]


def test_guarded_is_computed_where_the_verdict_is_named(path):
    asked, plain = read(path, "pass@1,guarded@2", verdict="passed"), read(
        path, "pass@k", verdict="passed"
    )
    assert [row.k for row in asked.guarded.rows] == [2] and [row.metric for row in asked.rows] == [
        "pass@1",
        "pass@2",
    ]
    assert asked.guarded.rows[0] == next(row for row in plain.guarded.rows if row.k == 2)
    assert read(path, "guarded@k", verdict="passed").guarded == plain.guarded


def test_a_portfolio_is_computed_where_the_source_is_named(path):
    asked, plain = read(path, "portfolio@6", by="source"), read(
        path, "pass@k", by="source", portfolio=6
    )
    assert asked.portfolio == plain.portfolio and asked.rows == plain.rows
    assert read(path, "portfolio@k", by="source", portfolio=3).portfolio.k == 3
    for name, found in ("portfolio@k", "none"), ("portfolio@2,portfolio@3", "2 and 3"):
        with pytest.raises(
            ValueError, match=f"a portfolio states its tries, as portfolio@4 does, got {found}"
        ):
            read(path, name, by="source")


NEEDS = dict(
    spend=("cost", "the cost of each sample"),
    guarded=("verdict", "a judge's verdict on each sample"),
    portfolio=("by", "the source of each sample"),
)


@pytest.mark.parametrize("family", NEEDS)
def test_without_a_column_what_to_pass_is_said(family, path):
    (column, held), name = NEEDS[family], f"{family}@4"
    said = f"{name} is computed by score, from {held}; pass "
    for verb, given in (
        (score, dict(data=A)),
        (table, dict(systems=dict(a=A, b=B))),
        (explain, dict(data=A)),
        (gate, dict(new=A, baseline=B, max_drop=0.5)),
        (plan, dict(delta=0.1)),
        (extrapolate, dict(data=A)),
    ):
        with pytest.raises(ValueError, match=f"{said}{column}=... and metrics='{name}'"):
            verb(**given, metrics=name)
    words = path, "--correct", "correct", "--ignore", "source", "-m", name
    assert (
        command("score", *words).stderr
        == f"sampling-eval: {said}--{column} ... and --metrics {name}\n"
    )
    where = "" if family == "portfolio" else "sampling-eval score "
    assert (
        command("table", *words).stderr
        == f"sampling-eval: {said}{where}--{column} ... and --metrics {name}\n"
    )


def test_systems_are_compared_at_equal_spend(path):
    said = (
        "systems are compared in pass@k at equal spend, not in spend@4; pass metrics='pass@k' and"
        " cost=...; "
    )
    with pytest.raises(ValueError, match=said + "sampling_eval.score shows what each spends"):
        compare(A, B, "pass@1,spend@4", cost="price")
    told = command(
        "compare", path, path, "--correct", "correct", "--ignore", "source", "-m", "spend@4"
    )
    assert (
        "pass --metrics pass@k and --cost ...; sampling-eval score shows what each spends"
        in told.stderr
    )
    with pytest.raises(ValueError, match="guarded@4 is computed by score"):
        compare(A, B, "guarded@4")
