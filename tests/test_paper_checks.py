"""Published standard errors, intervals and posteriors, each from the package; and no entry of
paper_checks.json is left unchecked."""

import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import avg_at_n, pass_at_k, pass_hat_k
from sampling_eval.foundations.credit import all_credit, any_credit, majority_credit, share_credit
from sampling_eval.foundations.oracle import binomial_mean
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.inference.bayes import bayes_at_n, posterior, posterior_mean
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.significance import mcnemar
from sampling_eval.inference.estimate import mean_over_questions, within_questions
from sampling_eval.inference.extrapolation import BetaDistribution, unsolved_limit
from sampling_eval.inference.planning import (
    detectable_difference,
    distribution_components,
    required_questions,
    variance_components,
)
from closeness import assert_close

TESTS = Path(__file__).parent
PAPERS = {
    entry["id"]: entry
    for entry in json.loads((TESTS / "vectors/paper_checks.json").read_text(encoding="utf-8"))
}


def ends(interval):
    return [interval.low, interval.high]


def twenty(x):
    c, n = x["c"], x["n"]
    single = mean_over_questions([1] * c + [0] * (n - c), k=1, n_min=1, n_max=1)
    half = 1.959963984540054 * sqrt(c * (n - c) / n**3)
    return dict(
        clt=[c / n - half, c / n + half],
        wilson=ends(single.confidence_interval(method="wilson")),
        clopper_pearson=ends(single.confidence_interval(method="clopper-pearson")),
        beta11=ends(posterior([n], [c], 1, share_credit).confidence_interval()),
    )


def clusters(x):
    values, groups = np.concatenate(x["clusters"]), np.repeat(
        np.arange(len(x["clusters"])), [len(g) for g in x["clusters"]]
    )
    ours, plain = (
        mean_over_questions(values, cluster=groups).stderr,
        mean_over_questions(values).stderr,
    )
    G, Q = len(x["clusters"]), len(values)
    return dict(
        naive_pop=plain * sqrt((Q - 1) / Q),
        clustered=ours * sqrt((G - 1) / G),
        inspect_cluster=ours,
    )


def aime(x):
    c, n = np.array(x["counts_of_4"]), np.full(15, 4)
    flat = posterior(n, c, 1, share_credit)
    fixed = mean_over_questions(
        c / 4,
        target="same_questions",
        within=within_questions(4, c, 1, share_credit),
        k=1,
        n_min=4,
        n_max=4,
    )
    p = c.mean() / 4
    return dict(
        avg=p,
        bayes_mu=flat.value,
        bayes_sigma=flat.sd,
        se_question_clustered=mean_over_questions(c / 4).stderr,
        se_within_only=fixed.stderr,
        naive_binomial_se=sqrt(p * (1 - p) / 60),
    )


def excludes(x):
    c = np.array(x["counts_of_4"])
    flat = posterior(np.full(15, 4), c, 1, share_credit)
    low, high = ends(flat.confidence_interval(method="normal"))
    return dict(avg=c.mean() / 4, mu=flat.value, lo=low, hi=high)


def graded(x):
    result = bayes_at_n(x["R"], x["w"], x.get("R0"))
    low, high = ends(result.confidence_interval(method="normal"))
    return dict(mu=result.value, sigma=result.sd, lo=low, hi=high)


def scaled(x):
    outcomes, w = np.array(x["R"]), np.array(x.get("w", [0, 1]), float)
    T = outcomes.shape[1] + len(w)
    return dict(avg=w[outcomes].mean(), sigma=bayes_at_n(x["R"], w).sd * T / outcomes.shape[1])


def flat(credit, k):
    def values(x):
        outcomes = np.array(x["R"])
        result = posterior(np.full(len(outcomes), outcomes.shape[1]), outcomes.sum(1), k, credit)
        low, high = ends(result.confidence_interval(method="normal"))
        return dict(mu=result.value, sigma=result.sd, lo=low, hi=high)

    return values


def wang(x):
    p, K = np.array(x["pA"]), x["K"]
    noise = within_variance(np.full(4, K), np.rint(p * K).astype(int), np.array([1]), share_credit)[
        :, 0
    ]
    split = variance_components(p, noise, samples=K, ddof=0)
    return dict(
        var_E=split.between, E_var=K * split.within[0], total=split.between + K * split.within[0]
    )


def paired(x):
    o3, r1 = (
        PAPERS[f"aime2025II_{name}"]["input"]["counts_of_4"]
        for name in ("o3-mini_high", "DeepSeek-R1")
    )
    noise = sum(within_questions(4, c, 1, share_credit).variance.mean() for c in (o3, r1))
    gap = (np.array(o3) - r1) / 4
    found = paired_difference(np.array(r1) / 4, np.array(o3) / 4)
    return dict(
        diff=found.difference,
        se_paired=found.stderr,
        se_unpaired=found.stderr_unpaired,
        z=found.difference / found.stderr,
        var_d=gap.var(ddof=1),
        within_over_K=noise,
        omega2_hat=variance_components(
            gap, sum(within_questions(4, c, 1, share_credit).variance for c in (o3, r1)), samples=4
        ).between,
    )


def blog(x):
    n, wins, losses = x["n"], x["n10"], x["n01"]
    a, b = (np.repeat(v, [wins, losses, n - wins - losses]) for v in ([0, 1, 0], [1, 0, 0]))
    found = paired_difference(a, b)
    se = found.stderr * sqrt((n - 1) / n)
    return dict(diff=found.difference, se_pop=se, z=found.difference / se)


def gsm8k(x):
    a, b = (
        np.repeat(v, [x["n11"], x["n10"], x["n01"], x["n00"]]) for v in ([1, 0, 1, 0], [1, 1, 0, 0])
    )
    found = paired_difference(a, b)
    return dict(
        diff=found.difference,
        se_paired=found.stderr,
        se_unpaired_ddof1=found.stderr_unpaired,
        mcnemar_exact_p=mcnemar(x["n10"], x["n01"]).value,
        z=(x["n10"] - x["n01"]) / sqrt(x["n10"] + x["n01"]),
    )


def single_outcomes(x):
    """The printed accuracies are rounded, so two of them are no whole number of questions: the
    spread of n outcomes is scaled to n = 1000."""
    right = [
        mean_over_questions([1, 0], times=[round(1000 * a), 1000 - round(1000 * a)])
        for a in x["acc"]
    ]
    return [estimate.stderr * sqrt(999 / n) for estimate, n in zip(right, x["n"])]


def cover(x):
    """Mean of pass@k over the listed p, and the same as an integral over Cover@t, piece by piece
    between the p."""
    p, k = np.sort(x["p"]), x["k"]
    edges = np.r_[0, p]
    integral = ((1 - edges[:-1]) ** k - (1 - edges[1:]) ** k) @ (1 - np.arange(len(p)) / len(p))
    np.testing.assert_allclose(
        integral, mean_credit(p, 1 - p, np.array([k]), any_credit, 0).mean(), rtol=1e-14
    )
    return integral


def deepscaler(x):
    table = np.genfromtxt(
        TESTS.parent / "sampling_eval/examples/deepscaler32k_counts.csv",
        delimiter=",",
        names=True,
        dtype=None,
        encoding="utf-8",
    )
    k = np.array([1, 8, 64, 128])
    base, rl = (pass_at_k(table["n"], table[name], k) for name in ("c_base", "c_rl"))
    found = paired_difference(base[:, 0], rl[:, 0]), paired_difference(base[:, 3], rl[:, 3])
    want = PAPERS["deepscaler32k_paired_band"]["output"]
    np.testing.assert_allclose(
        [base.mean(0), rl.mean(0)],
        [[want[name][str(b)] for b in k] for name in ("base_pass_at", "rl_pass_at")],
        rtol=1e-12,
    )
    return dict(
        diff_1=found[0].difference,
        se_1=found[0].stderr,
        diff_128=found[1].difference,
        se_128=found[1].stderr,
    )


def geometric(x):
    c, k = np.sum(x["R"], 1), x["k"]
    best, worst = pass_at_k(5, c, k), pass_hat_k(5, c, k)
    return dict(dataset=sqrt(best.mean() * worst.mean()), questionwise=np.sqrt(best * worst).mean())


def outcome_consistency(x):
    from fractions import Fraction

    p, K = Fraction(x["p"]), x["K"]
    plugin = binomial_mean(lambda c: (2 * Fraction(c, K) - 1) ** 2, K, p)
    return dict(
        true=float((2 * p - 1) ** 2),
        E_plugin=float(plugin),
        E_unbiased=float(
            plugin
            - 4 * binomial_mean(lambda c: Fraction(c, K) * (1 - Fraction(c, K)), K, p) / (K - 1)
        ),
    )


def two_moments(x):
    from fractions import Fraction

    m1, m2 = Fraction(x["m1"]), Fraction(x["m2"])
    thirds = m2**2 / m1, m2 - (m1 - m2) ** 2 / (1 - m1)
    low, high = (float(3 * m2 - 2 * m3) for m3 in thirds[::-1])
    return dict(lower=low, upper=high, width=high - low)


CHECKS = {
    "interval_20_of_20": twenty,
    "interval_18_of_20": twenty,
    "clustered_se_min": clusters,
    "wang_varcomps_unbiasedK": wang,
    **dict.fromkeys([name for name in PAPERS if name.startswith("aime2025II_")], aime),
    "bayesN_shrinkage_excludes_avg": excludes,
    "passk_unbiased_within_variance": (
        lambda x: within_questions(x["n"], x["c"], x["k"], any_credit).variance
    ),
    "bayesN_categorical_prior": graded,
    "bayesN_categorical_noprior": graded,
    "bayesN_binary_ci": graded,
    "avgN_binary_sigma": scaled,
    "avgN_weighted_sigma": scaled,
    "posterior_pass_at_2": flat(any_credit, 2),
    "posterior_pass_hat_2": flat(all_credit, 2),
    "posterior_maj_3": lambda x: flat(majority_credit, 3)(x)["mu"],
    "posterior_extrapolation_trap": lambda x: posterior_mean(x["n"], x["c"], x["k"], any_credit),
    "betabinom_uniform_prior_passk": (
        lambda x: BetaDistribution(x["alpha"], x["beta"]).mean(x["k"], any_credit)
    ),
    "betabinom_passk_frac": (
        lambda x: BetaDistribution(x["alpha"], x["beta"]).mean(x["k"], any_credit)
    ),
    "clt_rule_of_three": lambda x: unsolved_limit(x["n"], 1),
    "miller_969": lambda x: dict(n=required_questions(x["delta"], 1 / 9)),
    "miller_mde_198": lambda x: detectable_difference(x["n"], 1 / 9 + 2 / 6 / np.array(x["K"])),
    "miller_resampling_uniform": lambda x: (lambda total: total / total[0])(
        distribution_components(BetaDistribution(1, 1), 1, any_credit, x["K"]).total
    ),
    "miller_bernoulli_se": single_outcomes,
    "cover_tau_identity": cover,
    "deepscaler32k_paired_band": deepscaler,
    "paired_blog_400": blog,
    "aime_paired_o3high_vs_r1": paired,
    "gsm8k_mcnemar_6bver_vs_175bft": gsm8k,
    "gsm8k_accuracies": lambda x: {
        name: avg_at_n(x["n"], right) for name, right in x["correct"].items()
    },
    "scorio_2x5_geom": geometric,
    "c_out_bias": outcome_consistency,
    "maj3_two_moment_bounds": two_moments,
}


@pytest.mark.parametrize("name", CHECKS)
def test_published_numbers(name):
    entry = PAPERS[name]
    got, want = CHECKS[name](entry["input"]), entry["output"]
    shared = got.keys() & want.keys() if isinstance(got, dict) else None
    assert shared is None or shared
    for value, wanted in [(got[key], want[key]) for key in shared] if shared else [(got, want)]:
        assert_close(np.asarray(value, float), np.asarray(wanted, float), rtol=1e-9, atol=1e-14)


def test_every_entry_is_checked_somewhere():
    text = "".join(path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py"))
    assert [
        name for name in PAPERS if name not in text and not name.startswith("aime2025II_")
    ] == []
