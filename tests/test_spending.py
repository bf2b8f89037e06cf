"""Costs in the verbs: columns of tables and fields of logs, equal spend, a margin, dead questions,
early stopping."""

import asyncio
import json
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom, t

from closeness import assert_close
from conftest import command
from sampling_eval import (
    compare,
    cost_per_solved,
    describe,
    load_result,
    mean_costs,
    pass_at_k,
    read,
    score,
    spend_at_k,
    table,
)
from sampling_eval.analyses.addons.spend import pick, Spend
from sampling_eval.examples import example_path
from sampling_eval.inference.sequential import certify_vote, curtailed_share, settled_tries
from sampling_eval.inference import spending
from sampling_eval.inference.spending import (
    at_equal_spend,
    best_budget,
    check_spending,
    fieller_limits,
    is_worse,
    pareto_frontier,
    ratio_chances,
    units_of_spending,
)
from sampling_eval.inference.bands import band_of
from sampling_eval.inference.units import check_weights, units_of

LOGS = Path(__file__).parent / "logs"
ROWS = [dict(question=f"q{i // 4}", correct=int(i % 3 == 0), price=0.5 + i % 5) for i in range(24)]
PRICED = example_path("priced_agents")


def wanted(rows, k):
    "Spend by the formula, from single rows."
    tries = [
        [row for row in rows if row["question"] == q]
        for q in dict.fromkeys(row["question"] for row in rows)
    ]
    n, c, right, wrong = mean_costs(
        [[o["correct"] for o in own] for own in tries], [[o["price"] for o in own] for own in tries]
    )
    return spend_at_k(n, c, k, right=right, wrong=wrong).mean(), pass_at_k(n, c, k).mean()


def make(kind, rows, folder):
    frame = pl.DataFrame(rows)
    if kind == "rows":
        return rows
    if kind == "lazy":
        return frame.lazy()
    path = folder / f"rows.{kind}"
    getattr(frame, f"write_{kind}")(path)
    return path


@pytest.mark.parametrize("kind", ["rows", "lazy", "csv", "parquet"])
def test_every_form_of_a_table(kind, tmp_path):
    found = score(make(kind, ROWS, tmp_path), "pass@k", cost="price")
    assert [one.k for one in found.spend] == [1, 2, 3, 4]
    for one in found.spend:
        spend, solved = wanted(ROWS, one.k)
        assert_close(
            [one.spend, one.solved, one.per_solved], [spend, solved, spend / solved], rtol=1e-12
        )
    for fault, said in (
        (-1.0, "got a negative one at question 'q1' (1 of 6 fail)"),
        (None, "got one without at question 'q1'"),
    ):
        rows = [dict(row) for row in ROWS]
        rows[5]["price"] = fault
        with pytest.raises(ValueError) as told:
            score(make(kind, rows, tmp_path), "pass@k", cost="price")
        assert said in str(told.value)


OUTCOMES, PRICES = (1, 0, 1, 0, 0), (7, 1, 4, 2, 9)


def list_spend(prices, k):
    "Mean of what all orders of the tries pay, in fractions; None costs the mean of its kind."
    known = [
        [Fraction(o) for o, hit in zip(prices, OUTCOMES) if o is not None and hit == side]
        for side in (0, 1)
    ]
    paid = [
        sum(known[hit]) / len(known[hit]) if o is None else Fraction(o)
        for o, hit in zip(prices, OUTCOMES)
    ]

    def pay(order):
        stop = next((at + 1 for at, i in enumerate(order[:k]) if OUTCOMES[i]), k)
        return sum(paid[i] for i in order[:stop])

    orders = list(permutations(range(len(prices))))
    return sum(map(pay, orders)) / len(orders)


@pytest.mark.parametrize("right,wrong", [(1, 0), (0, 1), (1, 1), (0, 2), (1, 2)])
def test_an_absent_cost_counts_as_the_mean(right, wrong):
    """Every choice of absent costs by every order of the tries; over the choices the mean is that
    of all costs."""
    kinds = [[i for i, hit in enumerate(OUTCOMES) if hit == side] for side in (1, 0)]
    choices = [
        set(a + b) for a, b in product(combinations(kinds[0], right), combinations(kinds[1], wrong))
    ]
    listed = []
    for absent in choices:
        prices = [None if i in absent else price for i, price in enumerate(PRICES)]
        rows = [
            dict(question="q", correct=hit, price=price) for hit, price in zip(OUTCOMES, prices)
        ]
        told = score(rows, "pass@k", k=range(1, 6), cost="price", missing_cost="mean").spend
        own = [list_spend(prices, one.k) for one in told]
        assert_close([one.spend for one in told], [float(value) for value in own], rtol=1e-13)
        assert {one.absent for one in told} == {right + wrong}
        listed.append(own)
    assert [sum(column) / len(choices) for column in zip(*listed)] == [
        list_spend(PRICES, k) for k in range(1, 6)
    ]


def test_a_cap_gives_the_interval_that_always_holds():
    free, capped = (
        score(ROWS, "pass@2", cost="price", cost_cap=cap).spend[1] for cap in (None, 4.5)
    )
    assert (
        str(free.interval.method).endswith("(approximate)")
        and str(capped.interval.method) == "gaffke, inverted"
    )
    assert capped.low < capped.per_solved < capped.high and free.per_solved == capped.per_solved


GAPS = [dict(row, price=None) if i in (1, 5, 12) else row for i, row in enumerate(ROWS)]


@pytest.mark.parametrize("kind", ["rows", "lazy", "csv", "parquet"])
def test_absent_costs_change_no_outcome(kind, tmp_path):
    "The mean of what is known is filled in by hand; with a cap, the cap, and 0 for the lower end."

    def fill(count_as):
        found = []
        for i, row in enumerate(GAPS):
            alike = [
                o["price"]
                for o in GAPS
                if (o["question"], o["correct"]) == (row["question"], row["correct"])
            ]
            found.append(dict(row, price=count_as(alike) if row["price"] is None else row["price"]))
        return found

    ways = dict(
        mean=[lambda alike: np.mean([x for x in alike if x is not None])],
        cap=[lambda _: 6.0, lambda _: 0.0],
    )
    for name, (way, *least) in ways.items():
        found = score(
            make(kind, GAPS, tmp_path), "pass@k", cost="price", cost_cap=6.0, missing_cost=name
        )
        whole = score(fill(way), "pass@k", cost="price", cost_cap=6.0)
        assert found["pass@2"].estimate == whole["pass@2"].estimate and len(found.spend) == 4
        lowest = (
            score(fill(least[0]), "pass@k", cost="price", cost_cap=6.0).spend
            if least
            else whole.spend
        )
        for one, other, low in zip(found.spend, whole.spend, lowest):
            assert (one.absent, one.samples, one.missing_cost) == (3, 24, name)
            assert (
                str(one.interval.method)
                == "gaffke, inverted"
                + dict(
                    mean=" (approximate: assumes costs absent at random)",
                    cap="; absent costs 0 to cap",
                )[name]
            )
            assert_close(
                [one.spend, one.solved, one.per_solved, one.high, one.low],
                [other.spend, other.solved, other.per_solved, other.high, low.low],
                rtol=1e-9,
            )
        assert "3 of 24 costs are absent; each counts as the" in " ".join(str(found).split())
    with pytest.raises(
        ValueError,
        match=(
            "got one without at question 'q0' .3 of 6 fail.; add it, or say .* missing_cost='mean'"
        ),
    ):
        score(make(kind, GAPS, tmp_path), "pass@k", cost="price")


def test_absent_costs_that_no_mean_can_stand_for(tmp_path):
    none = [
        dict(row, price=None) if row["question"] == "q0" and row["correct"] else row for row in ROWS
    ]
    with pytest.raises(
        ValueError,
        match="other right samples, and none of these has a cost, got 'mean' at question 'q0'",
    ):
        score(none, "pass@1", cost="price", missing_cost="mean")
    assert (
        score(none, "pass@1", cost="price", missing_cost="cap", cost_cap=6.0).spend[0].absent == 2
    )
    both = [dict(row, model=name) for name in "ab" for row in GAPS]
    told = compare(both, metrics="pass@2", cost="price", missing_cost="mean")
    assert (told.equal_spend.absent_a, told.equal_spend.absent_b) == (
        3,
        3,
    ) and "6 of 48 costs are absent" in str(told)
    with pytest.raises(ValueError, match="'raise' or 'mean', got 'cap'"):
        compare(both, cost="price", missing_cost="cap")


def test_tries_that_were_not_recorded_have_no_cost():
    "They count as wrong, and are not free."
    given = dict(cost="price", missing="wrong", samples_per_question=5)
    with pytest.raises(ValueError, match="got one without"):
        score(ROWS, "pass@1", **given)
    found = score(ROWS, "pass@1", missing_cost="mean", **given).spend[0]
    assert found.absent == 6 and found.samples == 30


def test_weights_and_groups():
    """A weight of two is a question twice in the mean; questions that are copies of each other are
    one."""
    weigh = [dict(row, w=1 + int(row["question"] == "q3")) for row in ROWS]
    twice = ROWS + [dict(row, question="again") for row in ROWS if row["question"] == "q3"]
    one, two = (
        score(rows, "pass@2", cost="price", cost_cap=6.0, **more).spend[0]
        for rows, more in ((weigh, dict(weights="w")), (twice, {}))
    )
    assert_close(
        [one.spend, one.solved, one.per_solved], [two.spend, two.solved, two.per_solved], rtol=1e-12
    )
    assert one.low < two.low and one.high > two.high
    same = [
        dict(row, question=row["question"] + end, group=row["question"])
        for row in ROWS
        for end in "xy"
    ]
    for cap in (6.0, None):
        own, copies = (
            score(rows, "pass@2", cost="price", cost_cap=cap, **more).spend[0]
            for rows, more in ((ROWS, {}), (same, dict(cluster="group")))
        )
        assert_close(
            [own.per_solved, own.low, own.high],
            [copies.per_solved, copies.low, copies.high],
            rtol=1e-6,
        )
    pair = [
        dict(row, model=name, correct=int((i + (name == "b")) % (2 + j % 3) == 0))
        for name in "ab"
        for j in range(6)
        for i, row in enumerate(ROWS[4 * j : 4 * j + 4])
    ]
    plain = compare(pair, metrics="pass@2", cost="price").equal_spend
    again = [
        dict(
            row,
            question=row["question"] + end,
            group=row["question"],
            w=1 + (row["question"] == "q1"),
        )
        for row in pair
        for end in "xy"
    ]
    grouped = compare(again, metrics="pass@2", cost="price", cluster="group").equal_spend
    assert_close(
        [grouped.difference, grouped.low, grouped.high],
        [plain.difference, plain.low, plain.high],
        rtol=1e-9,
    )
    heavy = compare(again, metrics="pass@2", cost="price", weights="w").equal_spend
    thrice = again + [dict(row, question=row["question"] + "z") for row in again if row["w"] == 2]
    assert_close(
        heavy.difference,
        compare(thrice, metrics="pass@2", cost="price").equal_spend.difference,
        rtol=1e-9,
    )


def test_what_is_stored_and_printed(tmp_path):
    found = score(PRICED, "pass@k", k=[1, 8], cost="cost_usd", cost_cap=0.32)
    assert (
        found.to_dict()["spend"][0]["unit"] == "cost_usd"
        and not score(PRICED, "pass@1").to_dict()["spend"]
    )
    path = tmp_path / "r.json"
    path.write_text(found.to_json())
    assert load_result(path) == found and load_result(path).spend == found.spend
    text = " ".join(str(found).split())
    assert (
        "small: at most 8 tries cost 0.05901 cost_usd per question and solve 70.0 %: 0.0843 per"
        " solved question"
        in text
    )
    assert (
        "trying until the first success" in text
        and "CI for new questions (gaffke, inverted)" in text
    )


def test_nothing_solved_has_no_price():
    rows = [dict(row, correct=0) for row in ROWS]
    one = score(rows, "pass@2", cost="price").spend[0]
    assert (
        one.per_solved is None
        and "no question was solved, so there is no cost per solved" in " ".join(
            str(score(rows, "pass@2", cost="price")).split()
        )
    )


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(cost_cap=2.0), "a cap bounds the cost of a sample"),
        (dict(cost="price", cost_cap=-1), "cost_cap must be finite and above 0"),
        (dict(cost="price", cost_cap=1.0), "cost_cap must be at least what a sample costs"),
        (dict(cost="prize"), "'prize' is not a column"),
        (dict(cost="price", missing="bounds"), "the one that counts as wrong have no cost"),
        (dict(cost=3), "cost must be the name of a column"),
        (
            dict(missing_cost="mean"),
            "an absent cost is one of a column of costs, and none was named",
        ),
        (dict(cost="price", missing_cost="cap"), "name it by cost_cap"),
        (dict(cost="price", missing_cost="drop"), "'raise', 'mean' or 'cap', got 'drop'"),
    ],
)
def test_refusals(given, said):
    with pytest.raises(ValueError) as told:
        score(ROWS, "pass@2", **given)
    assert said in str(told.value)


def test_costs_of_logs():
    found = score(LOGS / "inspect_usage", "pass@k", cost="tokens").spend
    records = [json.loads(one) for one in read_samples(LOGS / "inspect_usage" / "sums.eval")]
    spent = np.mean(
        [sum(use["total_tokens"] for use in one["model_usage"].values()) for one in records]
    )
    assert_close(found[0].spend, spent, rtol=1e-12)
    both = [
        score(LOGS / "inspect_usage", "pass@1", cost=name).spend[0].spend
        for name in ("input_tokens", "output_tokens")
    ]
    assert_close(sum(both), spent, rtol=1e-12)
    with pytest.raises(
        ValueError, match="this log of inspect does not hold the costs asked for, got 'cost_usd'"
    ):
        score(LOGS / "inspect_usage", "pass@1", cost="cost_usd")
    assert (
        score(LOGS / "verifiers_traces", "pass@1", cost="tokens", missing="wrong").spend[0].spend
        > 0
    )
    with pytest.raises(ValueError, match="of verifiers does not hold the costs asked for"):
        score(LOGS / "verifiers", "pass@1", cost="tokens", missing="wrong")


def read_samples(path):
    try:
        from sampling_eval.reading.logs.archive import archive_members
    except ImportError:
        archive_members = None
    from sampling_eval.reading.logs.limits import Limits

    return [
        data
        for name, data in archive_members(
            path, lambda o: o.startswith("samples/") and o.endswith(".json"), Limits()
        )
    ]


def test_harbor_names_its_money(tmp_path):
    import shutil

    job = tmp_path / "job"
    shutil.copytree(LOGS / "harbor" / "2026-11-21__10-00-00", job)
    for i, path in enumerate(sorted(job.glob("*/result.json"))):
        told = json.loads(path.read_text())
        told["agent_result"] = dict(cost_usd=0.25 + i, n_input_tokens=10, n_output_tokens=i)
        path.write_text(json.dumps(told))
    found = score(tmp_path, "avg@n", cost="cost_usd", missing="wrong").spend
    assert found and found[0].spend > 0.25
    with pytest.raises(ValueError, match="of harbor does not hold the costs asked for"):
        score(LOGS / "harbor", "avg@n", cost="cost_usd", missing="wrong")


def test_equal_spend_and_the_margin(tmp_path):
    found = compare(
        PRICED, models=["small", "large"], metrics="pass@8", cost="cost_usd", same_within=0.02
    )
    assert (
        round(found.equal_spend.k_a, 2) == 5.83
        and found.equal_spend.difference < 0
        and found.same_within.verdict == "different"
    )
    text = " ".join(str(found).split())
    assert (
        "At equal spend (0.04721 cost_usd per question, 80 % of the most that both can spend):"
        " small solves 65.1 % (k = 5.83), large 37.5 % (k = 0.648)"
        in text
    )
    assert "Same within 2.0 points in pass@8, new questions: no, they differ by more" in text
    path = tmp_path / "r.json"
    path.write_text(found.to_json())
    back = load_result(path)
    assert (
        back == found
        and back.same_within == found.same_within
        and back.equal_spend == found.equal_spend
    )
    plain = compare(PRICED, models=["small", "large"], metrics="pass@8").to_dict()
    assert plain["same_within"] is None and plain["equal_spend"] is None


def test_a_stated_spend():
    given = dict(models=["small", "large"], metrics="pass@8", cost="cost_usd")
    found = compare(PRICED, spend=0.05, **given)
    assert (found.equal_spend.spend, found.equal_spend.share) == (0.05, None)
    told = command("compare", PRICED, "-m", "pass@8", "--cost", "cost_usd", "--spend", ".05").stdout
    line = "At equal spend (0.05 cost_usd per question): small solves"
    assert all(line in " ".join(text.split()) for text in (str(found), told))
    for spend, said in (
        (3, "at most 0.0590123, what both spend at their largest budget, got 3"),
        (0, "finite and above 0, got 0"),
        (float("nan"), "finite and above 0, got nan"),
    ):
        with pytest.raises(ValueError, match="spend must be .*" + said):
            compare(PRICED, spend=spend, **given)
        run = command("compare", PRICED, "--cost", "cost_usd", "--spend", spend)
        assert run.returncode == 2 and "--spend must be" in run.stderr
    for words, said in (
        ([PRICED, "--spend", "1"], "no column of costs was named, got 1.0; name it by --cost"),
        (["17/20", "18/20", "--spend", "1"], "--spend 1.0 needs questions with names"),
    ):
        assert said in " ".join(command("compare", *words).stderr.split())


def draw_spends(rng, chance, questions, n, price=1.0):
    c, k = rng.binomial(n, chance, questions), np.arange(1, n + 1)
    return np.reshape(price, (-1, 1)) * spend_at_k(n, c, k), pass_at_k(n, c, k)


@pytest.mark.parametrize(
    "chance, questions, n, spread",
    [
        (0.5, 20, 4, 0),
        (0.5, 60, 4, 0),
        (0.5, 100, 4, 0),
        (0.5, 500, 4, 0),
        (0.3, 20, 8, 0),
        (0.3, 60, 8, 0),
        (0.3, 100, 8, 0),
        (0.3, 500, 8, 0),
        (0.9, 60, 8, 0),
        (None, 20, 4, 0),
        (0.5, 20, 4, 1),
        (0.5, 60, 8, 1),
        (None, 60, 8, 2),
    ],
)
def test_equal_systems_seldom_differ_at_equal_spend(chance, questions, n, spread):
    "At 5 %: 50 of 1,000 evaluations, and luck; where the most of both was compared, up to 200."
    wrong = 0
    for run in range(1000):
        rng = np.random.default_rng([questions, n, spread, run])
        p = rng.beta(0.6, 0.8, questions) if chance is None else chance
        price = rng.lognormal(0, spread, questions)
        a, b = (draw_spends(rng, p, questions, n, price) for _ in "ab")
        ends = at_equal_spend(*a, *b).interval
        wrong += not ends.low <= 0 <= ends.high
    assert wrong <= 70


def test_the_verb_compares_at_the_spend_of_the_default():
    rng = np.random.default_rng(0)
    right = rng.random((2, 20, 4)) < 0.5
    rows = [
        dict(model="ab"[i], question=f"q{j}", correct=int(hit), price=1)
        for i, side in enumerate(right)
        for j, row in enumerate(side)
        for hit in row
    ]
    told = compare(rows, cost="price").equal_spend
    curves = [
        table
        for side in right
        for table in (
            spend_at_k(4, side.sum(1), [1, 2, 3, 4]),
            pass_at_k(4, side.sum(1), [1, 2, 3, 4]),
        )
    ]
    found = at_equal_spend(*curves)
    assert_close(
        [told.spend, told.difference, told.low, told.high],
        [found.spend, found.difference, found.interval.low, found.interval.high],
        rtol=1e-12,
    )
    assert_close(told.spend, 0.8 * min(curves[0].mean(0)[-1], curves[2].mean(0)[-1]), rtol=1e-12)


def test_the_interval_at_equal_spend_leaves_each_question_out():
    "By hand, one question at a time; groups and weights as whole questions."
    rng = np.random.default_rng(1)
    a, b = draw_spends(rng, 0.4, 12, 6), draw_spends(rng, 0.5, 12, 6, rng.lognormal(0, 1, 12))
    tables, groups, weight = (*a, *b), np.repeat(range(6), 2), np.tile([1.0, 2], 6)

    def gap(kept, weight):
        paid_a, won_a, paid_b, won_b = (
            np.r_[0, np.average(one[kept], 0, weight[kept])] for one in tables
        )
        return np.interp(1.0, paid_b, won_b) - np.interp(1.0, paid_a, won_a)

    for given, units, own, df in (
        (dict(), np.arange(12), np.ones(12), 11),
        (dict(cluster=groups.tolist()), groups, np.ones(12), 5),
        (dict(weights=check_weights(weight)), np.arange(12), weight, 18**2 / 30 - 1),
    ):
        found = at_equal_spend(*tables, spend=1.0, **given)
        left = np.array([gap(units != one, own) for one in np.unique(units)])
        error = ((len(left) - 1) * left.var()) ** 0.5
        assert_close(
            [found.difference, found.interval.high - found.difference],
            [gap(units >= 0, own), t.ppf(0.975, df) * error],
            rtol=1e-9,
        )


@pytest.mark.parametrize("margin", [0, -0.02, float("nan"), float("inf"), True, "a", 1])
def test_margins_that_are_none(margin):
    outcomes = np.eye(4, dtype=int)
    with pytest.raises(ValueError, match="same_within must be"):
        compare(outcomes, 1 - outcomes, "pass@1", same_within=margin)


def test_two_systems_only():
    one = np.eye(4, dtype=int)
    with pytest.raises(ValueError, match="same_within= is for two systems, got 3"):
        compare(one, one, "pass@1", others=[one], same_within=0.1)


def test_same_and_inconclusive():
    rng = np.random.default_rng(0)
    a = rng.random((300, 8)) < rng.random((300, 1))
    b = np.r_[~a[:5], a[5:]]
    verdicts = [
        compare(a, b, "pass@1", target="same_questions", same_within=margin).same_within.verdict
        for margin in (0.05, 0.02)
    ]
    assert verdicts == ["same", "inconclusive"]


def test_dead_questions_are_counted():
    found = describe(PRICED).dead
    assert (found.never, found.always, found.questions, found.systems) == (8, 3, 60, 2)
    assert table(PRICED, "pass@2").dead == found
    assert describe(np.eye(3, dtype=int)).dead.never == 0
    assert describe(np.array([[0], [1]])).dead is None, "one try of one system tells nothing"


# Attempts in order

CHAINS = [[0, 1, 1], [1, 0, 0], [0, 0], [0, 0, 1], [0]]
ATTEMPTS = [
    dict(question=f"q{i}", attempt=j, correct=one)
    for i, row in enumerate(CHAINS)
    for j, one in enumerate(row, 1)
]


def test_ordered_attempts():
    found = score(ATTEMPTS, "pass@1", attempts="ordered")
    assert [(one.k, one.exchangeable is None) for one in found.ordered] == [
        (1, False),
        (2, True),
        (3, True),
    ]
    assert_close([one.solved for one in found.ordered], [0.2, 1 - 0.8 * 2 / 3, 1.0], rtol=1e-12)
    assert_close(found.ordered[0].exchangeable, found["pass@1"].estimate, rtol=1e-12)
    text = " ".join(str(found).split())
    assert "solved within 3 attempts, in their order" in text and "any k: pass@k" in text
    assert found.to_dict()["ordered"] and not score(ATTEMPTS, "pass@1").to_dict()["ordered"]


def test_one_try_and_several_models_in_words():
    once = [row for i, row in enumerate(ROWS) if i % 4 == 0]
    assert "one try cost" in " ".join(str(score(once, "pass@1", cost="price")).split())
    both = [dict(row, model=name) for name in "ab" for row in ATTEMPTS]
    for rows, head in (ATTEMPTS, "attempts"), (both, "model"):
        heads = [
            line.split()
            for line in str(score(rows, "pass@1", attempts="ordered")).splitlines()
            if "solved in order " in line
        ]
        assert heads[0][0] == head and ("model" in heads[0]) is (head == "model")


def test_an_attempt_column_asks_which_it_is():
    said = " ".join(str(score(ATTEMPTS, "pass@1")).split())
    assert (
        "samples are numbered by 'attempt'" in said
        and "are they?" in said
        and "attempts='ordered'" in said
    )
    for told in "ordered", "independent":
        assert "are they?" not in str(score(ATTEMPTS, "pass@1", attempts=told))


@pytest.mark.parametrize(
    "data, said",
    [
        (
            [dict(row, attempt=row["attempt"] + (row["question"] == "q2")) for row in ATTEMPTS],
            "without a gap",
        ),
        (
            [dict(question=row["question"], correct=row["correct"]) for row in ATTEMPTS],
            "the order of attempts must be known",
        ),
    ],
)
def test_attempts_without_an_order(data, said):
    with pytest.raises(ValueError, match=said):
        score(data, "pass@1", attempts="ordered")


def test_attempts_is_a_closed_set():
    with pytest.raises(ValueError, match="attempts must be"):
        score(ATTEMPTS, "pass@1", attempts="chained")


# Gates


def test_gate_within_a_margin():
    from sampling_eval import gate

    rng = np.random.default_rng(0)
    a = rng.random((300, 8)) < rng.random((300, 1))
    b = np.r_[~a[:5], a[5:]]
    verdicts = [gate(b, baseline=a, same_within=margin).verdict for margin in (0.05, 0.02)]
    assert verdicts == ["pass", "inconclusive"]
    both = gate(b, baseline=a, same_within=0.05, max_drop=0.03)
    assert [row.kind for row in both.rows] == ["drop", "same"] and both.passed
    better = gate(np.ones_like(a), baseline=a, same_within=0.05)
    assert better.verdict == "fail", "much better is not the same"
    assert "same within 5 points" in str(better) and "margin: 5 points either way" in " ".join(
        str(better).split()
    )
    for given, said in (
        (dict(same_within=0, baseline=a), "must be a finite margin above 0"),
        (dict(same_within=0.1), "needs a baseline"),
        (dict(same_within=2, baseline=a), "same_within must lie in"),
    ):
        with pytest.raises(ValueError, match=said):
            gate(b, **given)


# Early stopping


@pytest.fixture(scope="module")
def stopping():
    pytest.importorskip("inspect_ai")
    from sampling_eval.bridges import inspect_ai

    return inspect_ai


@pytest.fixture(scope="module")
def evaluate(stopping, tmp_path_factory):
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match

    def run(rule, answers):
        outputs = []
        for text in answers:
            outputs.append(ModelOutput.from_content("mockllm/model", text))
            outputs[-1].usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
        task = Task(
            [Sample(id="q", input="1 + 1?", target="2")],
            scorer=match(numeric=True),
            epochs=10,
            early_stopping=rule,
        )
        [log] = eval(
            task,
            model=model,
            log_dir=str(tmp_path_factory.mktemp("logs")),
            display="none",
            max_samples=1,
        )
        assert log.status == "success", log.error
        return log

    return run


def test_a_settled_question_stops(stopping, evaluate):
    log = evaluate(stopping.StopWhenSettled(8), list("2322322222"))
    told = log.results.early_stopping
    assert (
        len(log.samples) == 6 + 3
        and told.metadata["settled"] == 0
        or told.metadata["spared"] == 10 - len(log.samples)
    )
    short = evaluate(stopping.StopWhenSettled(9), list("3322222222"))
    assert (
        len(short.samples) == 2
        and short.results.early_stopping.early_stops[0].reason == "failed: 2 wrong"
    )
    assert len(evaluate(stopping.StopWhenSettled(3), list("2222222222")).samples) == 3


def test_a_certified_answer_stops(stopping, evaluate):
    named = evaluate(stopping.StopWhenCertified(targets={"q": "2"}), list("2222222222"))
    first = evaluate(stopping.StopWhenCertified(), list("2222222222"))
    assert [len(log.samples) for log in (named, first)] == [
        7,
        8,
    ], "the first answer names the target and does not count"
    assert named.results.early_stopping.metadata["certified"] == 1
    assert len(evaluate(stopping.StopWhenCertified(), list("2323232323")).samples) == 10


# Several epochs at once: `width` are in flight, and one of them ends, the one that an opponent
# likes best.

ENDS = {
    "first": lambda outcome: 0,
    "right first": lambda outcome: outcome != "a",
    "wrong first": lambda outcome: outcome == "a",
}


def drive(rule, outcomes, width, key):
    """Epochs that were run, in the order in which they began, as inspect_ai would run the only
    question."""
    from inspect_ai.scorer import SampleScore, Score

    async def run():
        await rule.start_task(None, [], len(outcomes))
        flying, begun, waiting = [], [], list(range(len(outcomes)))
        while flying or waiting:
            while waiting and len(flying) < width:
                epoch = waiting.pop(0)
                if await rule.schedule_sample("q", epoch + 1) is None:
                    flying.append(epoch)
                    begun.append(epoch)
            if not flying:
                break
            done = min(flying, key=lambda epoch: key(outcomes[epoch]))
            flying.remove(done)
            said = Score(value=outcomes[done] == "a", answer=outcomes[done])
            await rule.complete_sample("q", done + 1, {"s": SampleScore(score=said)})
        return await rule.complete_task(), [outcomes[epoch] for epoch in begun]

    return asyncio.run(run())


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("width", [1, 2, 3, 6])
def test_a_certified_question_stays_so_and_errs_rarely(stopping, width, ends):
    """Every run of six: at a tie another answer is certified in a fifth of them at most, whichever
    ends first."""
    false = 0
    for outcomes in product("ab", repeat=6):
        named = stopping.StopWhenCertified(0.8, {"q": "b"})
        told, run = drive(named, outcomes, width, ENDS[ends])
        assert told["certified"] or not told["spared"]
        assert told["spared"] == 6 - len(run)
        assert bool(told["certified"]) == (certify_vote(run, "b", 0.8).certified_at is not None)
        false += told["certified"]
    assert 0 < false / 64 <= 0.2


def test_an_answer_that_ends_first_is_not_the_first_answer(stopping):
    told, run = drive(stopping.StopWhenCertified(0.8), "baaaaaa", 7, ENDS["right first"])
    assert told["certified"] == 0 and told["spared"] == 0
    told, run = drive(stopping.StopWhenCertified(0.8), "aaaaabb", 3, ENDS["right first"])
    assert (told["certified"], told["spared"], len(run)) == (1, 0, 7)
    told, run = drive(stopping.StopWhenCertified(0.5, {"q": "a"}), "aabbbb", 3, ENDS["first"])
    assert (told["certified"], told["spared"]) == (
        1,
        2,
    ), "what is in flight takes no certificate back"


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("width", [1, 2, 5])
def test_the_share_after_a_verdict_is_unbiased_with_epochs_in_flight(stopping, width, ends):
    p, size = Fraction(1, 3), 5
    for needed in range(1, size + 1):
        mean = Fraction(0)
        for outcomes in product("ab", repeat=size):
            told, run = drive(stopping.StopWhenSettled(needed), outcomes, width, ENDS[ends])
            right = [int(one == "a") for one in run]
            assert told["settled"] == 1 and (sum(right) >= needed) == (
                outcomes.count("a") >= needed
            )
            tries, won = settled_tries(size, needed, [right])
            share = curtailed_share(size, needed, tries, won)[0]
            mean += (
                Fraction(share).limit_denominator(size)
                * p ** outcomes.count("a")
                * (1 - p) ** outcomes.count("b")
            )
        assert mean == p


def test_an_epoch_without_a_score_is_no_try(stopping):
    from inspect_ai.scorer import SampleScore, Score

    rule = stopping.StopWhenCertified(0.8, {"q": "a"})

    async def run():
        await rule.start_task(None, [], 9)
        for epoch, value in enumerate([1.0, 1.0, float("nan"), 1.0, 1.0], 1):
            assert await rule.schedule_sample("q", epoch) is None
            await rule.complete_sample(
                "q", epoch, {"s": SampleScore(score=Score(value=value, answer="a"))}
            )
        return await rule.schedule_sample("q", 6)

    assert asyncio.run(run()).reason == "certified: a"


def test_rules_that_cannot_hold(stopping):
    for rule, said in (
        (lambda: stopping.StopWhenSettled(0), "needed must be a whole number"),
        (lambda: stopping.StopWhenSettled(True), "needed must be a whole number"),
        (lambda: stopping.StopWhenCertified(1.0), "confidence_level must lie between 0 and 1"),
    ):
        with pytest.raises(ValueError, match=said):
            rule()
    with pytest.raises(ValueError, match="needed must be at most the epochs, 4"):
        asyncio.run(stopping.StopWhenSettled(5).start_task(None, [], 4))
    with pytest.raises(ValueError, match="scorer must be the name of a scorer"):
        stopping.pick_score({"a": 1, "b": 2}, None)


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_a_cost_that_is_no_column_is_refused_under_its_own_name(verb, tmp_path):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"][: 1 + (verb == "compare")]
    for path, last in zip(paths, "10"):
        path.write_text(f"question,sample,correct\na,0,1\na,1,0\nb,0,0\nb,1,{last}\n")
    run = command(verb, *paths, "--cost", "price")
    assert (
        run.returncode == 2
        and "--cost price is not a column, got 'question', 'sample', 'correct'" in run.stderr
    )


# Spend until the first success: fractions, vectors, refusals; cost per solved and equal spend.

ROOT = Path(__file__).resolve().parents[1]
KNOWN = json.loads((ROOT / "tests" / "vectors" / "cost.json").read_text("utf-8"))


def spend_of(n, c, right, wrong, k):
    "Spend from totals of costs, as the vectors hold them."
    n, c, right, wrong = map(np.asarray, (n, c, right, wrong))
    means = right / np.maximum(c, 1), wrong / np.maximum(n - c, 1)
    return spend_at_k(n, c, k, right=means[0], wrong=means[1])


def test_vectors():
    for one in KNOWN["questions"]:
        found = spend_of(one["n"], one["c"], one["cost_right"], one["cost_wrong"], one["k"])
        assert_close(found, one["spend"], rtol=1e-12)
        assert_close(spend_at_k(one["n"], one["c"], one["k"]), one["tries"], rtol=1e-12)
    for one in KNOWN["benchmarks"]:
        n, c, right, wrong = np.array(one["questions"]).T
        spend, solved = spend_of(n, c, right, wrong, one["k"]), pass_at_k(n, c, one["k"])
        assert_close(spend.mean(), one["spend"], rtol=1e-12)
        if one["spend_per_solved"] is None:
            continue
        assert_close(cost_per_solved(spend, solved).value, one["spend_per_solved"], rtol=1e-12)
    counts = read(example_path("humaneval")).counts()
    for one in KNOWN["humaneval"]:
        spend = spend_at_k(counts.n, counts.c, one["k"])
        solved = pass_at_k(counts.n, counts.c, one["k"])
        assert_close(
            [spend.mean(), solved.mean(), cost_per_solved(spend, solved).value],
            [one["tries"], one["pass_at_k"], one["tries_per_solved"]],
            rtol=1e-12,
        )


def list_paid(correct, cost, k):
    "Mean over all orders of what is paid until the first right one, or the k-th."
    total = orders = 0
    for order in permutations(range(len(cost))):
        for i in order[:k]:
            total += cost[i]
            if correct[i]:
                break
        orders += 1
    return Fraction(total, orders)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_order(n):
    cost = [7, 1, 4, 2, 9][:n]
    for marks in range(2**n):
        correct = [marks >> i & 1 for i in range(n)]
        counts = mean_costs([correct], [cost])
        found = spend_at_k(*counts[:2], range(1, n + 1), right=counts[2], wrong=counts[3])
        wanted = [[float(list_paid(correct, cost, k)) for k in range(1, n + 1)]]
        assert_close(found, wanted, rtol=1e-14)


def test_large_numbers():
    n, c, k = 10**6, np.array([0, 1, 7, 10**5, 10**6 - 1, 10**6]), 200_000
    wanted = [float(Fraction(n + 1, int(one) + 1) * (1 - miss_share(n, int(one), k))) for one in c]
    assert_close(
        spend_at_k(n, c, k),
        np.array(wanted) - [float(all_missed(n, int(o), k)) for o in c],
        rtol=1e-9,
    )
    few = spend_at_k(n, c, [1, 50])
    assert_close(few[:, 0], np.ones(len(c)), rtol=0)


def miss_share(n, c, k):
    """Chance that `k + 1` draws miss all of `c + 1` right ones among `n + 1`, exactly where it
    counts."""
    return all_missed(n + 1, c + 1, k + 1)


def all_missed(n, c, k):
    if c > 1000:
        return Fraction(0)
    share = Fraction(1)
    for i in range(c):
        share *= Fraction(n - k - i, n - i)
    return share


def test_shapes():
    assert isinstance(spend_at_k(4, 1, 2), np.float64)
    assert spend_at_k([[4], [5]], [1, 2, 3], [1, 2, 3]).shape == (2, 3, 3)
    assert spend_at_k([4, 4], [0, 4], 2, right=[np.nan, 3], wrong=[2, np.inf]).tolist() == [4, 3]
    one = spend_at_k([4, 4], [1, 2], [1, 2], right=[1, 2], wrong=3)
    assert_close(one[:, 1], spend_at_k([4, 4], [1, 2], 2, right=[1, 2], wrong=3), rtol=0)


@pytest.mark.parametrize(
    "call, kind, said",
    [
        (lambda: spend_at_k(4, 1, 2, right=-1), ValueError, "cost right >= 0, got -1.0"),
        (
            lambda: spend_at_k([4, 4], [1, 2], 2, wrong=[1, np.nan]),
            ValueError,
            "wrong >= 0, got nan at question 1",
        ),
        (lambda: spend_at_k(4, 1, 2, right=np.inf), ValueError, "got inf"),
        (lambda: spend_at_k(4, 1, 2, right="3"), TypeError, "right must hold numbers"),
        (
            lambda: spend_at_k([4, 4], [1, 1], 2, right=[1, 2, 3]),
            ValueError,
            "shape (2,), got shape (3,)",
        ),
        (lambda: spend_at_k(4, 1, 5), ValueError, "need 1 <= k <= n"),
        (lambda: mean_costs([[1, 0]], [[1]]), ValueError, "got 2 and 1 at question 0"),
        (
            lambda: mean_costs([[1, 0]], [[1, None]]),
            ValueError,
            "cost >= 0, got nan at question 0 (1 of 2 fail)",
        ),
        (lambda: mean_costs([[1, 0]], [[1, -2]]), ValueError, "got -2.0"),
        (
            lambda: mean_costs([[1, 0], [1], [0, 0]], [[1, 2], [1, 2], [3, 4]]),
            ValueError,
            "needs an outcome and a cost, got 1 and 2 at question 1 (1 of 3 fail)",
        ),
        (
            lambda: mean_costs([[1, 0], [1]], [[1, 2], [np.inf]]),
            ValueError,
            "cost >= 0, got inf at question 1 (1 of 3 fail)",
        ),
        (lambda: mean_costs([[1]], [[1], [2]]), ValueError, "a row per question, got 1 and 2"),
        (lambda: mean_costs([], []), ValueError, "a row per question, got 0 and 0"),
        (lambda: mean_costs([[]], [[]]), ValueError, "a cost, got 0 and 0 at question 0"),
        (lambda: cost_per_solved([1, 2], [0, 0]), ValueError, "got none of 2"),
        (lambda: cost_per_solved([1, -2], [0, 1]), ValueError, "spend >= 0, got -2.0"),
        (lambda: cost_per_solved([1, 2], [0, 2]), ValueError, "0 <= solved <= 1, got 2.0"),
        (
            lambda: cost_per_solved([1, 5], [0, 1], cap=4),
            ValueError,
            "spend <= cap=4, got 5.0 at question 1",
        ),
        (lambda: cost_per_solved([1, 2], [0, 1], cap=4, least=4), ValueError, "least < cap"),
        (lambda: cost_per_solved([1, 2], [1]), ValueError, "one number per question"),
        (lambda: best_budget([[1, 2]], [[0.5, 1]], [1, 2], 0), ValueError, "value > 0, got 0"),
        (lambda: best_budget([[1, 2]], [[0.5, 1]], [2, 1], 3), ValueError, "budgets rising"),
        (
            lambda: best_budget([[1, 2]], [[0.5, 1]], [1, 2], 3, cap=0.5),
            ValueError,
            "spend <= k * cap",
        ),
        (
            lambda: at_equal_spend([[1, 2]], [[0.5, 1]], [[1, 2]], [[0.5, 1]], spend=3),
            ValueError,
            "spend must be above 0 and at most 2, what both spend",
        ),
        (
            lambda: at_equal_spend([[0, 0]], [[0.5, 1]], [[1, 2]], [[0.5, 1]]),
            ValueError,
            "costs above 0",
        ),
        (
            lambda: at_equal_spend([[1, 2]], [[0.5, 1]], [[1], [2]], [[0.5], [1]]),
            ValueError,
            "a row for each question",
        ),
    ],
)
def test_refusals_of_the_metric(call, kind, said):
    with pytest.raises(kind) as told:
        call()
    assert said in str(told.value)


def test_ratio_by_another_route():
    "Both ends by bisection on the chance of the test, far slower."
    rng = np.random.default_rng(3)
    for _ in range(5):
        spend, solved = rng.random(12) * 4, np.round(rng.random(12), 1)
        found = cost_per_solved(spend, solved, cap=4).interval
        for side, end in ((0, found.low), (1, found.high)):
            units = units_of_spending(np.stack([spend, solved], 1))
            chance = ratio_chances(units, (0, 4), np.array([end, end]))[side]
            assert_close(chance, 0.025, rtol=1e-6)


def test_level_is_promised_only_where_something_bounds_a_unit():
    spend, solved, groups = [1.0, 2, 3, 2], [1, 0.5, 0, 1], ["a", "a", "b", "c"]

    def named(**given):
        return str(cost_per_solved(spend, solved, cap=3, **given).interval.method)

    assert named() == named(weights=check_weights([1, 1, 2, 1], 4)) == "gaffke, inverted"
    assert named(cluster=["a", "a", "b", "b"]) == "gaffke, inverted over 2 clusters"
    assert (
        named(cluster=groups)
        == "gaffke, inverted over 3 clusters (approximate: assumes no cluster larger than 2)"
    )
    assert (
        named(weights=check_weights([1, 1, 2, 1]))
        == "gaffke, inverted (approximate: assumes no larger weight than 2)"
    )


def test_ratio_of_all_solved_is_a_mean():
    from sampling_eval.inference.gaffke import gaffke_interval

    spend = np.random.default_rng(0).random(20) * 3
    found = cost_per_solved(spend, np.ones(20), cap=3).interval
    low = gaffke_interval(spend, bounds=(0, 3))[0]
    assert found.low <= low + 1e-9 and found.high > spend.mean()
    root = fieller_limits(units_of_spending(np.stack([spend, np.ones(20)], 1)), 0.025)
    half = t.ppf(0.975, 19) * spend.std(ddof=1) / 20**0.5
    assert_close(np.array(root), spend.mean() + np.array([-half, half]), rtol=1e-9)


def test_fieller_without_an_end():
    assert cost_per_solved([1, 2, 3], [0, 0, 0.5]).interval.high == np.inf
    assert cost_per_solved([1.0], [1.0]).interval.high == np.inf
    assert np.isfinite(cost_per_solved([1.0], [1.0], cap=2).interval.high)


@pytest.mark.parametrize("miss", [0.05, 1e-6, 1e-11, 1e-12, 1e-14])
def test_one_question_solved_of_five_that_cost_as_much(miss):
    """With one more that costs as much and is not solved the share of the solved one is Beta(1, 5):
    its lower quantile ends the interval; below a trillionth of the share there is no end."""
    found = cost_per_solved(np.ones(5), [1, 0, 0, 0, 0], cap=1, confidence_level=1 - miss).interval
    tail = (1 - (1 - miss)) / 2
    want = -1 / np.expm1(np.log1p(-tail) / 5)
    assert found.high == (pytest.approx(want, rel=1e-4) if want < 5 * 2**40 else np.inf)
    assert 0 < found.low < 5


def test_what_is_solved_for_nothing_costs_nothing():
    free = cost_per_solved([0.0, 0.0], [1, 0.5], cap=2)
    assert free.value == free.interval.low == 0 and 0 < free.interval.high < np.inf
    assert repr(free).startswith("CostPerSolved(0, [0, ") and repr(free).endswith(", 2 questions)")


def test_two_questions_have_a_spread():
    "Means of 2 and 1 in costs of 1 and 3: the t interval of a mean, cut at 0."
    ends = cost_per_solved([1.0, 3.0], [1.0, 1.0]).interval
    assert (ends.low, ends.high) == (0, pytest.approx(2 + t.isf(0.025, 1)))


def test_scale_does_not_matter():
    spend, solved = np.array([1.0, 2, 4, 4]), np.array([1, 0.5, 0, 0.2])
    one, many = (cost_per_solved(spend * size, solved, cap=4 * size) for size in (1, 1e-6))
    assert_close(
        np.array([many.interval.low, many.interval.high]) * 1e6,
        np.array([one.interval.low, one.interval.high]),
        rtol=1e-6,
    )


def test_many_questions():
    rng = np.random.default_rng(0)
    spend, solved = rng.random(3000) * 3, (rng.random(3000) < 0.5) * 1.0
    exact, plain = (
        cost_per_solved(spend, solved, cap=3).interval,
        cost_per_solved(spend, solved).interval,
    )
    assert abs(exact.low - plain.low) < 0.01 and 0 <= exact.high - plain.high < 0.02


def test_best_budget():
    k = np.arange(1, 9)
    c = np.repeat([0, 1, 8], 40)
    spend, solved = spend_at_k(8, c, k), pass_at_k(8, c, k)
    dear, cheap = (best_budget(spend, solved, k, value, cap=1) for value in (1.2, 100))
    assert (dear.k, cheap.k) == (1, 8) and 1 in dear.possible and 8 not in dear.possible
    assert (dear.band.low <= dear.net).all() and (dear.net <= dear.band.high).all()
    assert 1 not in cheap.possible and best_budget(spend, solved, k, 100).k == 8
    assert best_budget(spend[:1], solved[:1], k, 2.0).possible == tuple(range(1, 9))
    flat = best_budget(np.ones((3, 2)), np.ones((3, 2)), [1, 2], 5.0)
    assert flat.k == 1 and flat.band.method == "none: no spread"


def test_equal_spend():
    k, c = np.arange(1, 9), np.repeat([0, 1, 4, 8], 10)
    one = spend_at_k(8, c, k), pass_at_k(8, c, k)
    same = at_equal_spend(*one, *one)
    assert same.difference == 0 and same.k_a == same.k_b < 8
    assert_close(same.spend, 0.8 * one[0].mean(0)[-1], rtol=1e-12)
    assert round(at_equal_spend(*one, *one, spend=one[0].mean(0)[-1]).k_a, 9) == 8
    assert (same.interval.low, same.interval.high) == (-1, 1), "equal questions show no spread"
    half = at_equal_spend(*one, one[0] / 2, one[1], spend=1.0)
    assert half.k_a == 1 and half.difference > 0 and half.interval.low > 0
    assert_close(
        np.interp(2.0, np.r_[0, one[0].mean(0)], np.r_[0, one[1].mean(0)]), half.b, rtol=1e-12
    )
    back = at_equal_spend(one[0] / 2, one[1], *one, spend=1.0)
    assert_close(back.difference, -half.difference, rtol=1e-12)


def test_frontier():
    assert pareto_frontier([1, 2, 3, 2], [0.2, 0.1, 0.5, 0.4]).tolist() == [0, 3, 2]
    assert pareto_frontier([1, 1], [0.2, 0.2]).tolist() == [0]


def test_made_up_costs_are_current():
    done = subprocess.run(
        [sys.executable, "tools/priced.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_truth_of_the_made_up_costs():
    "A hundred times as many questions come close to what the tool says is true."
    import importlib.util

    spec = importlib.util.spec_from_file_location("priced", ROOT / "tools" / "priced.py")
    priced = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(priced)
    rng = np.random.default_rng(5)
    for a, b, most in priced.AGENTS.values():
        hit = rng.random((20_000, 8)) < rng.beta(a, b, (20_000, 1))
        means = most * np.mean(priced.RIGHT), most * np.mean(priced.WRONG)
        spend = spend_at_k(8, hit.sum(1), np.arange(1, 9), right=means[0], wrong=means[1])
        _, solved, paid = np.array(priced.find_truth(a, b, most)).T
        assert_close(spend.mean(0), paid, rtol=0.02)
        assert_close(pass_at_k(8, hit.sum(1), np.arange(1, 9)).mean(0), solved, rtol=0.02)


@pytest.mark.parametrize("gain, worse", [([0.5, 2, 3.5], False), ([1, 2, 3], True), ([3], False)])
def test_without_bounds_a_loss_is_shown_by_t(gain, worse):
    "2.31 standard errors are too few for three questions, 3.46 are enough; one shows no spread."
    gain = np.array(gain, float)
    if len(gain) > 1:
        reach = t.ppf(0.95, len(gain) - 1) * gain.std(ddof=1) / len(gain) ** 0.5
        assert (gain.mean() > reach) == worse
    assert is_worse(gain, 0.05, None) == worse


@pytest.mark.parametrize("theta", [[2.0, 3.0], [1.0, 6.0]])
def test_thinned_units_show_the_same_ratio(theta, monkeypatch):
    "The thinned test says what that of all units says, to three digits."
    rng = np.random.default_rng(0)
    won = rng.random(1200)
    units = units_of_spending(np.c_[4 * rng.random(1200) * won, won])
    found = ratio_chances(units, (0, 4), np.array(theta))
    monkeypatch.setattr(spending, "MOST_UNTHINNED", 2000)
    whole = ratio_chances(units, (0, 4), np.array(theta))
    assert found == pytest.approx(whole, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("tail", [0.025, 0.4, 0.5, 0.9])
def test_no_gain_is_never_worse_at_any_level(tail):
    assert is_worse(np.array([-0.1, 0.0, 0.05]), tail, None) is False
    assert is_worse(np.array([0.3, 0.31, 0.29]), tail, None) is True


def tries_of(wins, questions=20):
    """Spend and chance at 1, 2 and 3 tries: some questions are won by the third and cost one try,
    the others pay for every try and win nothing."""
    won = np.arange(questions) < wins
    spend = np.where(won[:, None], 1.0, [1.0, 2.0, 3.0])
    return spend, np.where(won[:, None], [0.0, 0.0, 1.0], 0.0)


@pytest.mark.parametrize("value", [4.0, 1.0])
@pytest.mark.parametrize("level", [0.95, 0.6])
def test_budgets_are_ruled_out_by_binomial_tails(level, value):
    """A gain is `value`, or what the further tries cost: two ends of its range, where the test is
    Clopper and Pearson's. Its level is shared among the two rivals."""
    seen, tail = set(), (1 - level) / 2
    for wins in range(21):
        found = best_budget(*tries_of(wins), [1, 2, 3], value, cap=1, confidence_level=level)
        lost = (20 - wins) / 20
        net = [-1, -1 - lost, -1 - 2 * lost + value * wins / 20]
        best = 1 + net.index(max(net))
        assert found.net == pytest.approx(net) and found.k == best
        if best == 3:
            # The share of questions won at which the mean gain is 0.
            even = [(3 - k) / (3 - k + value) for k in (1, 2)]
            kept = [k for k in (1, 2) if binom.sf(wins - 1, 20, even[k - 1]) >= tail]
            assert found.possible == (*kept, 3), wins
        else:
            assert (3 in found.possible) == (binom.sf(19 - wins, 20, value / (2 + value)) >= tail)
        seen.add(found.possible)
    assert len(seen) > 2


def test_budgets_are_ruled_out_by_t_where_nothing_bounds_a_cost():
    rng = np.random.default_rng(6)
    spend = np.cumsum(rng.random((30, 4)), 1)
    solved = np.sort(rng.random((30, 4)) * [0.2, 0.5, 0.9, 1.0], 1)
    kept = set()
    for value in 0.5, 2.0, 5.0, 20.0:
        found = best_budget(spend, solved, [1, 2, 4, 8], value, confidence_level=0.9)
        net = value * solved - spend
        best = int(net.mean(0).argmax())
        possible = []
        for i in range(4):
            gain = net[:, best] - net[:, i]
            reach = t.isf(0.1 / 3, 29) * gain.std(ddof=1) / 30**0.5
            if i == best or gain.mean() <= reach:
                possible.append([1, 2, 4, 8][i])
        assert (found.k, found.possible) == ([1, 2, 4, 8][best], tuple(possible))
        assert found.net == pytest.approx(net.mean(0)) and found.budgets.tolist() == [1, 2, 4, 8]
        assert (found.value, found.confidence_level) == (value, 0.9)
        assert found.method == "t (approximate), Bonferroni over 3 rivals"
        band = band_of(units_of(net, bounds=None), 0.9)
        assert (found.band.low == band.low).all() and (found.band.high == band.high).all()
        kept.add(found.possible)
    assert len(kept) > 1


def test_the_band_of_net_values_knows_what_bounds_them():
    "At three tries at most three caps are lost, and at most the value is won."
    spend, solved = tries_of(8)
    found = best_budget(spend, solved, [1, 2, 3], 4.0, cap=1.5, confidence_level=0.8)
    band = band_of(units_of(4 * solved - spend, bounds=(-4.5, 4.0)), 0.8)
    assert (found.band.low == band.low).all() and (found.band.high == band.high).all()
    assert found.method == "gaffke, Bonferroni over 2 rivals"
    flat = best_budget(np.ones((3, 2)), np.ones((3, 2)), [1, 2], 5.0, confidence_level=0.7)
    assert flat.band.low.tolist() == [-np.inf] * 2 and flat.band.high.tolist() == [np.inf] * 2
    assert flat.net.tolist() == [4, 4] and flat.possible == (1, 2)


def test_a_budget_in_print():
    few = best_budget(*tries_of(20), [1, 2, 3], 100, cap=1)
    assert repr(few) == (
        "BestBudget(k = 3 at 100 per solved question, possible: k = 3 (95 %, gaffke, Bonferroni "
        "over 2 rivals))"
    )
    lone = best_budget([[1.0], [2.0]], [[0.5], [1.0]], [4], 2.5, confidence_level=0.875)
    assert repr(lone) == (
        "BestBudget(k = 4 at 2.5 per solved question, possible: k = 4 (87.5 %, t (approximate), "
        "Bonferroni over 1 rivals))"
    )
    wide = best_budget([[1.0, 2.0]], [[0.5, 1.0]], [1, 5], 3)
    assert "k = 5 at 3 per solved question, possible: k = 1 to 5 (95 %" in repr(wide)


@pytest.mark.parametrize(
    "change, said",
    [
        (dict(k=[1]), "budgets rising; got shape (2, 2) and 1 budgets"),
        (dict(k=[1, 1]), "budgets rising"),
        (dict(spend=[1.0, 2.0], solved=[0.5, 0.5]), "a column for each budget"),
        (dict(value=np.inf), "need a finite value > 0, got inf"),
        (dict(value=np.nan), "need a finite value > 0, got nan"),
        (dict(value=-1), "need a finite value > 0, got -1"),
        (dict(cap=0), "need a finite cap > 0, got 0"),
        (dict(cap=np.inf), "need a finite cap > 0, got inf"),
        (dict(cap=0.99), "need spend <= k * cap, got 1.0"),
        (dict(spend=[[1.0, 2.0], [1.0, -2.0]]), "got -2.0 at question 1 (1 of 2 fail)"),
        (dict(spend=[[1.0, 2.0], [np.inf, 2.0]]), "got inf at question 1 (1 of 2 fail)"),
        (dict(solved=[[0.5, 1.5], [0.5, 1.0]]), "got 1.5 at question 0 (1 of 2 fail)"),
        (dict(solved=[[0.5, 1.0], [-0.5, 1.0]]), "got -0.5 at question 1 (1 of 2 fail)"),
        (dict(solved=[[0.5, 1.0]]), "got shapes (2, 2) and (1, 2)"),
        (dict(spend=np.ones((1, 1, 1)), solved=np.ones((1, 1, 1))), "got shapes (1, 1, 1)"),
        (dict(confidence_level=1), "need 0 < confidence_level < 1, got 1"),
    ],
)
def test_budgets_that_are_refused(change, said):
    plain = dict(spend=[[1.0, 2.0]] * 2, solved=[[0.5, 1.0]] * 2, k=[1, 2], value=3.0)
    assert best_budget(**plain, cap=1).k == 2, "a spend may be as large as the cap"
    with pytest.raises(ValueError) as told:
        best_budget(**(plain | change))
    assert said in str(told.value)


@pytest.mark.parametrize(
    "spend, kept",
    [
        ([0.5, 4.0], [0.5, 4.0]),
        ([0.5 - 3e-9, 4.0 + 3e-9], [0.5, 4.0]),
        ([0.5 - 5e-9, 4.0], None),
        ([0.5, 4.0 + 5e-9], None),
    ],
)
def test_spend_at_the_edge_of_its_range(spend, kept):
    "A billionth of the cap is rounding and is put back, more is refused."
    if kept is None:
        with pytest.raises(ValueError, match="need 0.5 <= spend <= cap=4, got"):
            check_spending(spend, [0.5, 1.0], 4.0, 0.5)
    else:
        assert check_spending(spend, [0.5, 1.0], 4.0, 0.5)[0].tolist() == kept


@pytest.mark.parametrize("least, cap", [(-0.1, 4), (4, 4), (0, np.inf), (0, 0), (np.nan, 4)])
def test_ranges_of_spend_refused(least, cap):
    with pytest.raises(ValueError, match="need 0 <= least < cap, got"):
        check_spending([1.0], [1.0], cap, least)


def solve_for(paid, won, target):
    "Coverage at a mean spend: lines between budgets, that go on beyond the last."
    paid, won = np.r_[0.0, paid.mean(0)], np.r_[0.0, won.mean(0)]
    at = min(int((paid < target).sum()), len(paid) - 1)
    slope = (won[at] - won[at - 1]) / (paid[at] - paid[at - 1])
    return won[at] + slope * (target - paid[at])


@pytest.mark.parametrize("level", [0.95, 0.5])
@pytest.mark.parametrize("share", [0.3, 0.8, 1.0])
def test_equal_spend_without_each_question_in_turn(share, level):
    rng = np.random.default_rng(3)
    paid_a, paid_b = np.cumsum(rng.random((12, 4)), 1), np.cumsum(rng.random((12, 3)), 1)
    won_a, won_b = np.sort(rng.random((12, 4)), 1), np.sort(rng.random((12, 3)), 1)
    target = share * min(paid_a.mean(0)[-1], paid_b.mean(0)[-1])
    found = at_equal_spend(paid_a, won_a, paid_b, won_b, spend=target, confidence_level=level)

    def gap(rows):
        return solve_for(paid_b[rows], won_b[rows], target) - solve_for(
            paid_a[rows], won_a[rows], target
        )

    every = np.arange(12)
    left = np.array([gap(every != i) for i in every])
    half = t.isf((1 - level) / 2, 11) * (11 / 12 * ((left - left.mean()) ** 2).sum()) ** 0.5
    want = gap(every >= 0)
    assert found.difference == pytest.approx(want) and found.b - found.a == pytest.approx(want)
    ends = max(want - half, -1), min(want + half, 1)
    assert (found.interval.low, found.interval.high) == pytest.approx(ends)
    assert str(found.interval.method) == "t, jackknife (approximate)"
    assert (found.interval.level, found.questions) == (level, 12)
    assert repr(found).startswith(f"EqualSpend(at {target:.4g}: {found.b:.4f} - {found.a:.4f} = ")
    assert repr(found).endswith(f", k = {found.k_a:.3g} and {found.k_b:.3g})")


# Which budgets stand in the table, and what is absent on each side.


@pytest.mark.parametrize(
    "tries, shown",
    [([12], [12 * [1]]), ([13], [[1, 2, 4, 8, 13]]), ([16], [[1, 2, 4, 8, 16]]),
     ([12, 12], 2), ([11, 13], 2), ([12, 13], [[1, 2, 4, 8, 12], [1, 2, 4, 8, 13]])],
    ids=str,
)
def test_of_many_budgets_some_are_shown(tries, shown):
    whole = [list(range(1, n + 1)) for n in tries]
    if shown == 2 or shown == [12 * [1]]:
        shown = whole
    found = [
        Spend(f"m{i}", k, "usd", 1.0, 0.5, 2.0, None, 9) for i, ks in enumerate(whole) for k in ks
    ]
    assert [(one.model, one.k) for one in pick(found)] == [
        (f"m{i}", k) for i, ks in enumerate(shown) for k in ks
    ]


def test_absent_costs_of_either_side():
    gaps = dict(a=(1, 5, 12), b=(12,))
    rows = [
        dict(row, model=name, price=None if i in gaps[name] else row["price"])
        for name in "ab"
        for i, row in enumerate(ROWS)
    ]
    told = compare(
        rows, metrics="pass@2", cost="price", missing_cost="mean", confidence_level=0.9
    ).equal_spend
    assert (told.absent_a, told.absent_b, told.samples) == (3, 1, 48)
    assert told.interval.level == told.confidence_level == 0.9
    assert (told.missing_cost, told.share) == ("mean", 0.8)


def test_a_single_attempt_is_one_attempt():
    once = [row for row in ATTEMPTS if row["attempt"] == 1]
    text = " ".join(str(score(once, "pass@1", attempts="ordered")).split())
    assert "20.0 % solved within one attempt, in their order" in text
    ordered = score(once, "pass@1", attempts="ordered").ordered
    assert [(one.k, one.exchangeable) for one in ordered] == [(1, 0.2)]


def test_nothing_is_said_beyond_the_attempts_of_who_is_unsolved():
    "The third question stops unsolved after two attempts, and who goes on tells nothing of it."
    rows = [
        dict(question=q, attempt=j, correct=one)
        for q, own in enumerate([[0, 0, 0, 1], [0, 1], [0, 0]])
        for j, one in enumerate(own, 1)
    ]
    known = score(rows, "pass@1", attempts="ordered").ordered
    assert [one.k for one in known][:2] == [1, 2] and known[1].solved == pytest.approx(1 / 3)


def test_of_very_many_samples_no_order_is_looked_at(monkeypatch):
    from sampling_eval.analyses.addons import ordered

    monkeypatch.setattr(ordered, "ORDERED", 3 * len(CHAINS) - 1)
    with pytest.raises(ValueError, match="got 5 questions of 3 attempts; take solved_within"):
        score(ATTEMPTS, "pass@1", attempts="ordered")
    monkeypatch.setattr(ordered, "ORDERED", 3 * len(CHAINS))
    assert len(score(ATTEMPTS, "pass@1", attempts="ordered").ordered) == 3


def test_attempts_named_by_words_have_no_order():
    "Words may happen to stand in the order of the alphabet."
    rows = [row | dict(attempt="abc"[row["attempt"] - 1]) for row in ATTEMPTS]
    with pytest.raises(ValueError, match="the order of attempts must be known"):
        score(rows, "pass@1", attempts="ordered")


def test_a_cap_may_be_what_every_sample_costs():
    rows = [dict(row, price=4.5) for row in ROWS]
    found = score(rows, "pass@k", cost="price", cost_cap=4.5).spend
    assert [one.k for one in found] == [1, 2, 3, 4] and found[0].spend == 4.5
    with pytest.raises(ValueError, match="cost_cap must be at least what a sample costs, got 4.4"):
        score(rows, "pass@k", cost="price", cost_cap=4.4)


@pytest.mark.parametrize(
    "gaps, cap, said",
    [
        (False, 6.0, "gaffke, inverted"),
        (True, 6.0, "gaffke, inverted (approximate: assumes costs absent at random)"),
        (True, None, "Fieller t (approximate)"),
        (False, None, "Fieller t (approximate)"),
    ],
)
def test_an_interval_says_once_what_it_assumes(gaps, cap, said):
    given = dict(cost="price", cost_cap=cap, missing_cost="mean")
    one = score(GAPS if gaps else ROWS, "pass@2", **given).spend[0]
    assert str(one.interval.method) == said and one.absent == 3 * gaps


def test_intervals_of_attempts_are_named_once_each():
    report = score(ATTEMPTS, "pass@1", attempts="ordered")
    methods = sorted({str(one.interval.method) for one in report.ordered})
    assert methods == ["clopper-pearson", "greenwood, log(-log) (approximate)"]
    assert f"CI for new questions ({' and '.join(methods)})" in " ".join(str(report).split())
