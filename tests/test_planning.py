from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

import sampling_eval
from sampling_eval import plan
from sampling_eval.foundations.counts import Counts
from sampling_eval.foundations.credit import all_credit, any_credit, majority_credit, share_credit
from sampling_eval.foundations.oracle import binomial_mean, mean_over_subsets
from sampling_eval.foundations.urn import mean_credit, within_variance
from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.extrapolation import BetaDistribution
from sampling_eval.inference.gaffke import gaffke_chances, gaffke_interval, tail_chance
from sampling_eval.inference.power import (
    approximate_tail,
    chance_of_verdict,
    choose_side,
    excludes_zero,
    lies_above,
    lower_again,
    make_plan,
    most_losses,
    power_of_wins,
    smallest_verdict,
    take_seed,
)
from sampling_eval.inference.planning import (
    Components,
    contrast,
    detectable_difference,
    detection_reach,
    distribution_components,
    paired_components,
    pilot_components,
    power_of,
    required_questions,
    variance_components,
    within_at,
)
from sampling_eval.inference.population import (
    difference_distribution,
    logit_quantiles,
    match_distribution,
    population_of,
    spread_shares,
    thin_states,
    value_counts,
)
from sampling_eval.inference.significance import mcnemar
from sampling_eval.inference.fixed_questions import Fixed, Noise
from sampling_eval.inference.units import units_of
from sampling_eval.inference.unseen import add_unseen, fit_gamma, gamma_quantile
from sampling_eval.reading.sample_ids import Task
from printed import check_printed

DATA = Path(__file__).parent.parent / "sampling_eval" / "examples"


def read(name):
    return np.genfromtxt(DATA / name, delimiter=",", names=True, dtype=None, encoding="utf8")


def test_published_values():
    assert required_questions(0.03, 1 / 9) == 969
    np.testing.assert_allclose(
        detectable_difference(198, 1 / 9 + 2 / 6 / np.array([1, 10])),
        [0.1327333278739942, 0.0756696392667773],
        rtol=1e-9,
    )
    uniform = distribution_components(BetaDistribution(1, 1), 1, any_credit, [1, 2, 4, 6]).total
    np.testing.assert_allclose(uniform / uniform[0], [1, 2 / 3, 1 / 2, 4 / 9], rtol=1e-12)
    assert (
        required_questions(0.03, 0.1) == 873
        and required_questions(0.03, (26 + 14) / 400 - 0.03**2) == 865
    )


def test_wang_variance_components():
    p, one = np.array([0.75, 0.25, 1, 0.5]), np.array([1])
    noise = within_variance(np.full(4, 4), np.array([3, 1, 4, 2]), one, share_credit)[:, 0]
    split = variance_components(p, noise, samples=4, ddof=0)
    np.testing.assert_allclose(
        [split.between, 4 * split.within[0], split.between + 4 * split.within[0]],
        [0.02604166666666667, 0.20833333333333331, 0.234375],
        rtol=1e-12,
    )


@pytest.mark.parametrize(
    "credit, check",
    [(any_credit, any), (all_credit, all), (majority_credit, lambda s: 2 * sum(s) > len(s))],
)
def test_variance_at_other_sizes_is_unbiased(credit, check):
    """The mean over all pilots is the exact variance, at fewer and at more samples than the pilot
    had."""
    k, pilot, p = 3, 7, Fraction(2, 5)

    def exact(n):
        table = [mean_over_subsets([1] * c + [0] * (n - c), k, check) for c in range(n + 1)]
        return (
            binomial_mean(lambda c: table[c] ** 2, n, p)
            - binomial_mean(lambda c: table[c], n, p) ** 2
        )

    predicted = within_at(np.full(pilot + 1, pilot), np.arange(pilot + 1), k, credit, [3, 5, 7, 10])
    for s, n in enumerate((3, 5, 7, 10)):
        mean = binomial_mean(lambda c: Fraction(predicted[c, s]), pilot, p)
        assert abs(float(mean - exact(n))) < 1e-13


@pytest.mark.parametrize("k", [1, 2, 5])
def test_variance_at_the_pilots_own_size(k):
    n, c = np.array([10, 10, 10, 14, 11]), np.array([0, 4, 10, 9, 1])
    for m in (10, 11, 14):
        same = n == m
        want = within_variance(n[same], c[same], np.array([k]), any_credit)[:, 0]
        np.testing.assert_allclose(within_at(n, c, k, any_credit, [m])[same, 0], want, atol=1e-14)


def test_law_agrees_with_the_pilot_of_many_questions():
    rng = np.random.default_rng(0)
    c = rng.binomial(16, rng.beta(0.6, 1.4, 40_000))
    law = distribution_components(BetaDistribution(0.6, 1.4), 4, any_credit, [4, 16, 50])
    pilot = pilot_components(16, c, 4, any_credit, [4, 16, 50])
    np.testing.assert_allclose(pilot.within, law.within, rtol=0.02)
    np.testing.assert_allclose(pilot.between, law.between, rtol=0.02)
    fitted = pilot_components(
        6, rng.binomial(6, rng.beta(0.6, 1.4, 40_000)), 4, any_credit, [4, 16, 50]
    )
    np.testing.assert_allclose(fitted.within, law.within, rtol=0.03)
    assert "because n < 2k" in fitted.source and "unbiased" in pilot.source


def test_law_with_impossible_questions():
    law = BetaDistribution(0.8, 1.2, zero=0.3)
    parts, whole = distribution_components(
        BetaDistribution(0.8, 1.2), 3, any_credit, [3, 9]
    ), distribution_components(law, 3, any_credit, [3, 9])
    np.testing.assert_allclose(whole.within, 0.7 * parts.within, rtol=1e-12)
    mean = BetaDistribution(0.8, 1.2).mean(3, any_credit)
    np.testing.assert_allclose(
        whole.between, 0.7 * (parts.between + mean**2) - (0.7 * mean) ** 2, rtol=1e-12
    )


def test_paired_pilots_of_real_runs():
    table = read("deepscaler32k_counts.csv")
    base, tuned = (
        Counts(table["n"], table[name], table["question_id"]) for name in ("c_base", "c_rl")
    )
    both = paired_components(base, tuned, 1, any_credit, [128])
    d = (tuned.c - base.c) / 128
    np.testing.assert_allclose(both.between + both.within[0], d.var(ddof=1), rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(both.total[0] / 1060), 0.004103778183680334, rtol=1e-9)
    one, two = (pilot_components(x.n, x.c, 1, any_credit, [128]) for x in (base, tuned))
    assert (
        contrast(one, two, correlation=0.9).between
        < contrast(one, two).between
        == pytest.approx(one.between + two.between)
    )
    with pytest.raises(ValueError, match="same questions"):
        paired_components(base, Counts(table["n"], table["c_rl"]), 1, any_credit, [128])


def test_a_negative_between_variance_is_kept_and_said():
    parts = variance_components([0.5, 0.5, 0.5], [0.1, 0.1, 0.1])
    assert parts.between == pytest.approx(-0.1) and parts.total[0] == pytest.approx(0.1)
    made = make_plan(parts, questions=3)
    assert made.best == 0 and made.enough is None
    same = Counts([16] * 12, [6, 7] * 6)
    found = population_of(1, share_credit, [4], same)
    assert pilot_components(same.n, same.c, 1, share_credit, [4]).between < 0
    twins = population_of(
        1,
        share_credit,
        [4],
        Counts(8, [0, 8, 4, 2, 7, 1, 6, 3]),
        Counts(8, [0, 8, 5, 1, 7, 2, 5, 3]),
    )
    assert twins.correlation == 1 and twins.components.between < 0


UNIFORM = population_of(1, share_credit, [1, 4])


def test_the_square_of_an_estimate_is_a_credit():
    "Mean of the squared estimate under a uniform law, by listing."
    k, n = 2, 5
    square = sum(
        Fraction(1, n + 1) * (1 - Fraction(comb(n - c, k), comb(n, k))) ** 2 for c in range(n + 1)
    )
    true = 1 - 2 * Fraction(1, k + 1) + Fraction(1, 2 * k + 1)
    np.testing.assert_allclose(
        distribution_components(BetaDistribution(1, 1), k, any_credit, [n]).within,
        [float(square - true)],
        rtol=1e-12,
    )


# What is promised is what compare prints.


def compare_often(made, n, delta, questions, target, level, runs):
    "Share of drawn comparisons whose interval shows that the second system is better."
    rng, new = np.random.default_rng(7), target == "new_questions"
    x, y = (1 / (1 + np.exp(-o)) for o in made.at(delta, 20_001 if new else questions))
    value, size, found = value_counts(made, n), np.full(questions, n), 0
    for run in range(runs):
        i = rng.integers(0, len(x), questions) if new else np.arange(questions)
        a, b = rng.binomial(n, x[i]), rng.binomial(n, y[i])
        # Whether the interval of new questions begins above 0 takes one integral, the interval
        # itself some twenty.
        if new:
            gaps, times = np.unique(value[b] - value[a], return_counts=True)
            above, _ = lies_above(gaps, times[None], (1 - level) / 2)
            free = (
                gaffke_chances(units_of(value[b] - value[a], bounds=(-1, 1)))[0] < (1 - level) / 2
            )
            better = free if n == 1 else above[0]
        if not new or run < 20:
            compared = paired_difference(
                value[a], value[b], tables=Tables(size, a, size, b, made.k, made.credit)
            )
            above = compared.confidence_interval(level, target=target).low > 0
            assert not new or above == better
            better = above
        found += better
    return found / runs


# The first three: the normal formula, which plans were made by, promises 85, 81 and 80 %.
@pytest.mark.parametrize(
    "k, credit, rho, n, delta, questions, target, level",
    [
        (1, share_credit, 0.5, 16, 0.43, 5, "new_questions", 0.95),
        (1, share_credit, 0.7, 16, 0.1, 53, "new_questions", 0.95),
        (1, share_credit, 0.5, 16, 0.12, 57, "new_questions", 0.95),
        (1, share_credit, 0.5, 1, 0.1, 300, "new_questions", 0.9),
        (4, any_credit, 0.5, 8, 0.08, 80, "new_questions", 0.95),
        (1, share_credit, 0.9, 128, 0.15, 40, "new_questions", 0.99),
        (1, share_credit, 0.95, 16, 0.05, 68, "same_questions", 0.95),
        (4, any_credit, 0.5, 6, 0.1, 40, "same_questions", 0.95),
        (1, share_credit, 0.5, 1, 0.1, 200, "same_questions", 0.95),
        (1, share_credit, 0.5, 4, 0.03, 700, "same_questions", 0.95),
    ],
)
def test_power_is_that_of_the_interval_compare_prints(
    k, credit, rho, n, delta, questions, target, level
):
    made, runs = population_of(k, credit, [n], correlation=rho), 120
    promised, error = chance_of_verdict(
        made, n, delta, questions, target=target, confidence_level=level
    )
    seen = compare_often(made, n, delta, questions, target, level, runs)
    assert (
        abs(seen - promised)
        < 3.3 * (max(promised * (1 - promised), 1 / runs) / runs + error**2) ** 0.5
    )


def test_verdicts_by_approximation_are_those_of_the_interval():
    rng = np.random.default_rng(0)
    for n, questions, delta in (2, 7, 0.4), (16, 12, 0.3), (64, 40, 0.1), (300, 25, 0.1):
        values, law = difference_distribution(
            population_of(1, share_credit, [n], correlation=0.8), n, delta
        )
        counts = rng.multinomial(questions, law, 25)
        for level in (0.5, 0.95, 0.999):
            low = np.array(
                [
                    gaffke_interval(values[c > 0], level, bounds=(-1, 1), times=c[c > 0])[0]
                    for c in counts
                ]
            )
            # Two wins of seven end exactly at 0 at the level .5: there rounding decides.
            clear = np.abs(low) > 1e-12
            assert clear.sum() >= 24
            np.testing.assert_array_equal(
                excludes_zero(values, counts, (1 - level) / 2)[clear], low[clear] > 0
            )


def test_single_samples_are_mcnemars_test():
    for questions, win, loss, level in (
        (7, 0.6, 0.1, 0.95),
        (30, 0.3, 0.1, 0.9),
        (45, 0.2, 0.05, 0.99),
    ):
        exact = sum(
            comb(questions, m)
            * (win + loss) ** m
            * (1 - win - loss) ** (questions - m)
            * sum(
                comb(m, w) * (win / (win + loss)) ** w * (loss / (win + loss)) ** (m - w)
                for w in range(m + 1)
                if w > m - w and mcnemar(w, m - w).value < 1 - level
            )
            for m in range(questions + 1)
        )
        assert power_of_wins(win, loss, questions, (1 - level) / 2) == pytest.approx(
            exact, abs=1e-12
        )
    big = power_of_wins(0.26, 0.25, 10**6, 0.025)
    assert big == pytest.approx(float(power_of(0.01, 10**6, 0.51)), abs=2e-3)


@pytest.mark.parametrize("n", [1, 3, 16, 64, 65, 400])
def test_the_law_of_a_difference_has_the_moments_of_the_design(n):
    made = population_of(1, share_credit, [n], correlation=0.6)
    values, law = difference_distribution(made, n, 0.1)
    x, y = (1 / (1 + np.exp(-o)) for o in made.at(0.1))
    want = np.var(y - x) + np.mean(x * (1 - x) + y * (1 - y)) / n
    assert len(values) <= 64 and np.abs(values).max() <= 1
    np.testing.assert_allclose(
        [law.sum(), law @ values, law @ (values - 0.1) ** 2], [1, 0.1, want], rtol=1e-4
    )
    np.testing.assert_allclose(
        [y.mean() - x.mean(), np.corrcoef(*(made.value(o) for o in made.logits(1597)))[0, 1]],
        [0.1, 0.6],
        atol=1e-6,
    )


def test_the_population_has_the_mean_and_the_variance_of_its_pilot():
    rng = np.random.default_rng(3)
    pilot = Counts(20, rng.binomial(20, rng.beta(0.5, 0.8, 300)))
    for k, credit in (1, share_credit), (4, any_credit), (3, majority_credit):
        parts, (law, notes) = pilot_components(
            pilot.n, pilot.c, k, credit, [8]
        ), match_distribution(
            pilot, k, credit, pilot_components(pilot.n, pilot.c, k, credit, [8]).between
        )
        again = distribution_components(law, k, credit, [8])
        assert again.between == pytest.approx(parts.between, rel=1e-6) and not notes
        mean = mean_credit(pilot.c, pilot.n - pilot.c, np.array([k]), credit).mean()
        assert float(law.mean(k, credit)) == pytest.approx(mean, rel=1e-6)


def test_the_fewest_questions_that_decide():
    for level in (0.8, 0.9, 0.95, 0.99, 0.999):
        for n, k in (1, 1), (8, 1), (8, 8):
            least = smallest_verdict(n, k, confidence_level=level)
            low = [
                gaffke_interval([1.0], level, bounds=(-1, 1), times=[q])[0]
                for q in (max(least - 1, 1), least)
            ]
            assert low[0] <= 1e-9 < low[1] and 2 * 2.0**-least < 1 - level
    assert smallest_verdict(16) == 6 and smallest_verdict(64, target="same_questions") == 1
    for n, k in (1, 1), (2, 1), (4, 1), (8, 4), (8, 8):
        least = smallest_verdict(n, k, any_credit, target="same_questions")

        def low(q):
            size, zero = np.full(q, n), np.zeros(q, int)
            tables = Tables(size, zero, size, size, k, any_credit)
            return (
                paired_difference(np.zeros(q), np.ones(q), tables=tables)
                .confidence_interval(target="same_questions")
                .low
            )

        assert low(least) > 0 and (least == 1 or low(least - 1) <= 1e-12)
    assert (
        chance_of_verdict(UNIFORM, 4, 0.45, 5) == (0.0, 0.0)
        and chance_of_verdict(UNIFORM, 4, 0.45, 6)[0] > 0
    )


def test_plans_from_a_population():
    made = population_of(1, share_credit, [1, 2, 4, 8, 16, 32, 64], correlation=0.95)
    need, rough = make_plan(made, delta=0.05), make_plan(made, delta=0.05, method="normal")
    assert (
        (need.power >= 0.8).all()
        and (need.power < 0.825).all()
        and need.best == 0
        and 0 < need.error < 0.01
    )
    free = make_plan(made, delta=0.05, method="assumption-free")
    assert (free.questions > 1.05 * rough.questions)[2:].all() and free.questions[
        -1
    ] > 1.7 * rough.questions[-1]
    assert free.questions[0] == need.questions[0] and (need.questions < free.questions)[2:].all()
    assert (
        (need.questions >= 0.97 * rough.questions)[1:].all()
        and (need.smallest == 6).all()
        and need.target == "new_questions"
    )
    again = make_plan(made, delta=0.05)
    np.testing.assert_array_equal(again.questions, need.questions)
    np.testing.assert_array_equal(again.power, need.power)
    assert make_plan(made, delta=0.05, rng=1).seed == 1
    same = make_plan(made, delta=0.05, target="same_questions")
    assert (same.questions[2:] < need.questions[2:]).all() and same.enough is None
    assert need.power_at(2, 0.05, int(need.questions[2])) == pytest.approx(need.power[2], abs=0.06)
    assert rough.power_at(2, 0.05, int(rough.questions[2])) == pytest.approx(0.8, abs=0.01)


def test_the_smallest_difference_and_no_word_of_one_that_nobody_gave():
    made = population_of(1, share_credit, [1, 16], correlation=0.5)
    seen = make_plan(made, questions=164)
    assert (
        (seen.power >= 0.8).all() and (seen.power < 0.83).all() and (np.diff(seen.delta) < 0).all()
    )
    assert all(
        chance_of_verdict(made, int(n), d, 164, rng=9)[0] == pytest.approx(0.8, abs=0.03)
        for n, d in zip(seen.samples, seen.delta)
    )
    few = make_plan(made, questions=5)
    assert (
        np.isnan(few.delta).all()
        and few.best is None
        and few.rows[0]["delta"] is None
        and (few.power == 0).all()
    )
    limited = make_plan(made, budget=400, cost_question=4)
    assert (limited.cost <= 400).all() and limited.delta[limited.best] == np.nanmin(limited.delta)
    # Ahead of a system that is nearly always right there is no room; behind it there is.
    top = population_of(1, share_credit, [4], BetaDistribution(19, 1))
    assert (
        make_plan(top, delta=0.2).power[0] >= 0.8 and make_plan(top, questions=30).delta[0] > 0.05
    )


# Plans in full: table and rows.


def show_plan(plan):
    "Everything a plan holds, one item a line."
    found = [
        plan.best,
        plan.enough,
        plan.confidence_level,
        plan.method,
        plan.target,
        plan.error,
        plan.seed,
    ]
    small = None if plan.smallest is None else plan.smallest.tolist()
    return "\n".join(
        [
            *repr(plan).split("\n")[1:],
            *map(str, plan.rows),
            f"{found} {small}",
            repr(plan.power_at(0, 0.1, 50, 200)),
        ]
    )


TABLE = Components(0.1, np.array([0.2, 0.1, 0.05, 0.01]), np.array([1, 2, 4, 20]), "a table")
HALF = population_of(1, share_credit, [1, 4, 16], correlation=0.5)
PAIR = Counts([8] * 6, [0, 2, 4, 8, 1, 5]), Counts([8] * 6, [1, 3, 8, 8, 0, 6])
PLANS = {
    "need": (TABLE, dict(delta=0.05)),
    "by t": (TABLE, dict(delta=0.3, method="t", cost_question=3, cost_sample=0.5)),
    "both": (TABLE, dict(delta=0.07, questions=300)),
    "out of reach": (TABLE, dict(delta=0.001, questions=300)),
    "a budget": (TABLE, dict(budget=1000, cost_question=10)),
    "a thousand": (TABLE, dict(questions=1000, power=0.9)),
    "a budget and fifty": (TABLE, dict(budget=1000, questions=50, target="same_questions")),
    "below zero": (
        Components(-0.01, np.array([0.2, 0.1]), np.array([1, 2])),
        dict(questions=1000, confidence_level=0.9, power=0.5),
    ),
    "simulated": (HALF, dict(delta=0.3, repeats=300)),
    "run again": (HALF, dict(delta=0.3, repeats=300, target="same_questions")),
    "smallest difference": (HALF, dict(questions=40, repeats=300, rng=5)),
    "five questions": (HALF, dict(questions=5, repeats=300)),
    "exact": (
        population_of(1, share_credit, [1], correlation=0.5),
        dict(delta=0.3, questions=40, power=0.5),
    ),
    "two pilots": (
        population_of(2, any_credit, [2, 3, 8], *PAIR),
        dict(questions=30, repeats=300, target="same_questions"),
    ),
    "only behind": (
        population_of(1, share_credit, [4, 8], BetaDistribution(19, 1)),
        dict(questions=60, repeats=300, confidence_level=0.9),
    ),
    "a pilot": (
        population_of(3, any_credit, [3, 6], Counts([8, 8, 9, 7, 6, 8], [0, 2, 9, 1, 6, 3])),
        dict(delta=0.25, repeats=300),
    ),
    "a small pilot": (
        population_of(2, any_credit, [2, 70], Counts([3] * 6, [0, 2, 3, 1, 3, 0]), correlation=0.7),
        dict(delta=0.2, repeats=300),
    ),
}


@pytest.mark.parametrize("name", PLANS)
def test_plans_in_full(name):
    made, options = PLANS[name]
    check_printed("plans", name, show_plan(make_plan(made, **options)))


def test_plans_repeat_themselves():
    "A seed, a generator and nothing; one more simulation of another design."
    assert [take_seed(o) for o in (None, 7, np.int64(8))] == [0, 7, 8]
    assert take_seed(np.random.default_rng(3)) == int(np.random.default_rng(3).integers(2**32))
    plan = make_plan(HALF, questions=40, rng=5, repeats=100)
    found = chance_of_verdict(HALF, 4, 0.2, 33, repeats=1000, rng=5)[0]
    assert plan.power_at(1, 0.2, 33) == found and (found * 1000).is_integer()
    behind = make_plan(
        population_of(1, share_credit, [4], BetaDistribution(19, 1)), questions=60, repeats=100
    )
    assert (
        behind.power_at(0, 0.2, 40)
        == chance_of_verdict(behind.population, 4, -0.2, 40, repeats=1000)[0]
        > 0.5
    )
    assert [make_plan(HALF, delta=0.3, repeats=100).seed, plan.seed] == [0, 5]
    assert make_plan(TABLE, delta=0.05).method == "normal"
    assert make_plan(HALF, delta=0.3, repeats=100).method == "interval"


# Rows, prices and the recommended row.


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: required_questions(0, 0.1), "need delta > 0"),
        (lambda: required_questions(0.1, np.nan), "need variance > 0"),
        (lambda: required_questions(0.1, 0.1, power=1), "power < 1"),
        (lambda: required_questions(0.1, 0.1, power=0.01), "0.025 < power"),
        (lambda: required_questions(0.1, 0.1, confidence_level=95), "confidence_level < 1"),
        (lambda: power_of(0.1, 5, 0.1, method="z"), "'normal' or 't'"),
        (lambda: power_of(0.1, 1, 0.1, method="t"), "questions >= 2"),
        (lambda: within_at([5, 8], [1, 2], 4, any_credit, [4]), "need n >= 2k"),
        (lambda: within_at([8], [1], 4, any_credit, [3]), "need samples >= k"),
        (lambda: variance_components([0.5], [0.1]), "two at least"),
        (lambda: variance_components([0.5, np.nan], [0.1, 0.1]), "finite"),
        (lambda: make_plan(Components(0.1, np.ones(1), np.ones(1, int))), "give delta"),
        (
            lambda: make_plan(Components(0.1, np.ones(1), np.ones(1, int)), budget=1),
            "two questions",
        ),
        (
            lambda: contrast(Components(0.1, np.ones(1), np.ones(1, int)), correlation=2),
            "correlation",
        ),
        (lambda: make_plan(UNIFORM, delta=np.nan), "need delta > 0, got nan"),
        (lambda: make_plan(UNIFORM, delta=0.6), "need delta < 0.5"),
        (lambda: make_plan(UNIFORM, delta=0.1, confidence_level=1.0), "confidence_level < 1"),
        (lambda: make_plan(UNIFORM, delta=0.1, confidence_level=0), "0 < confidence_level"),
        (lambda: make_plan(UNIFORM, delta=0.1, power=0.025), "0.025 < power"),
        (lambda: make_plan(UNIFORM, delta=0.1, power=np.nan), "0.025 < power"),
        (lambda: make_plan(UNIFORM, delta=0.1, cost_sample=np.nan), "cost_sample >= 0"),
        (lambda: make_plan(UNIFORM, delta=0.1, cost_sample=0), "need a cost"),
        (lambda: make_plan(UNIFORM, budget=np.nan), "need budget > 0"),
        (lambda: make_plan(UNIFORM.components, delta=0.1, method="interval"), "variances alone"),
        (lambda: population_of(4, any_credit, [3]), "need samples >= k"),
        (lambda: population_of(1, share_credit, [1], correlation=1.1), "correlation <= 1"),
        (
            lambda: population_of(1, share_credit, [1], None, Counts(4, [1, 2])),
            "a second pilot needs a first",
        ),
        (
            lambda: population_of(
                1, share_credit, [1], Counts(4, [1, 2]), Counts(4, [1, 2]), correlation=0.5
            ),
            "two pilots show",
        ),
        (
            lambda: population_of(1, share_credit, [1], Counts(4, [1, 2]), Counts(4, [1, 2, 3])),
            "same questions",
        ),
        (
            lambda: population_of(4, any_credit, [8], Counts(3, [1, 2]), Counts(8, [1, 2])),
            "need n >= k",
        ),
        (lambda: make_plan(TABLE), "got none of them"),
        (lambda: make_plan(TABLE, delta=0.1, budget=5), "questions, got delta and budget"),
        (
            lambda: make_plan(TABLE, delta=0.1, questions=5, budget=5),
            "got delta and questions and budget",
        ),
        (lambda: make_plan(TABLE, delta=0.1, cost_question=-1), "need cost_question >= 0, got -1"),
        (lambda: make_plan(TABLE, delta=0.1, cost_sample=np.inf), "need cost_sample >= 0, got inf"),
        (lambda: make_plan(TABLE, questions=1), "need questions >= 2, got 1"),
        (lambda: make_plan(TABLE, delta=[0.1, -0.2]), "need delta > 0, got -0.2"),
        (lambda: chance_of_verdict(HALF, 1, 0.1, 0), "need questions >= 1, got 0"),
        (lambda: chance_of_verdict(HALF, 1, 0.1, np.nan), "got nan"),
        (lambda: chance_of_verdict(HALF, 1, 0.0, 9), "a difference other than 0, got 0"),
        (lambda: chance_of_verdict(HALF, 1, np.inf, 9), "got inf"),
        (lambda: chance_of_verdict(HALF, 1, 0.1, 9, confidence_level=1), "confidence_level < 1"),
        (
            lambda: chance_of_verdict(HALF, 1, 0.1, 9, target="all"),
            "'new_questions' or 'same_questions'",
        ),
        (lambda: smallest_verdict(4, confidence_level=0), "0 < confidence_level"),
        (lambda: smallest_verdict(4, target="all"), "'new_questions' or"),
        (
            lambda: chance_of_verdict(HALF, 4, 0.6, 9),
            r"need a difference that a system can have from a mean of 0.5, got \+0.6",
        ),
        (
            lambda: choose_side(population_of(1, share_credit, [4], BetaDistribution(19, 1)), 0.96),
            "need delta < 0.95, the farthest",
        ),
        (lambda: detection_reach(0.025, 0.95), "need 0.025 < power < 1, got 0.025"),
        (lambda: detection_reach(1, 0.95), "got 1"),
        (lambda: power_of(np.inf, 5, 0.1), "need delta > 0, got inf"),
        (lambda: power_of(0.1, 0, 0.1), "need questions > 0, got 0"),
        (
            lambda: power_of(0.1, [5, 1.5], 0.1, method="t"),
            "need questions >= 2 for a t test, got 1.5",
        ),
        (lambda: detectable_difference(5, -1), "need variance > 0, got -1"),
        (lambda: variance_components([[0.5, 0.1]], [[0.1, 0.1]]), r"got shapes \(1, 2\)"),
        (lambda: variance_components([0.5, 0.1], [0.1]), r"shapes \(2,\) and \(1,\)"),
        (
            lambda: variance_components([0.5, 0.1], [0.1, np.inf]),
            r"got NaN or inf at question 1 \(1 of 2 fail\)",
        ),
        (
            lambda: within_at([4, 3], [1, 1], 2, any_credit, [2]),
            r"need n >= 2k for a within-question variance, got n=3, k=2 at question 1",
        ),
        (
            lambda: within_at([4, 4], [1, 1], 2, any_credit, [5, 1]),
            "need samples >= k, got samples=1, k=2",
        ),
        (
            lambda: contrast(TABLE, Components(0.1, np.ones(1), np.array([3]))),
            r"need the same numbers of samples, got \[ 1  2  4 20\] and \[3\]",
        ),
        (lambda: contrast(TABLE, correlation=-1.01), "need -1 <= correlation <= 1, got -1.01"),
    ],
)
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call()


# Variances, by fractions and identities.


def test_a_pilot_of_just_enough_samples():
    "With n = 2k the variances are those of the pilot; with one sample fewer, of a fitted law."
    c = [0, 1, 4, 2, 3, 4]
    enough = pilot_components(4, c, 2, any_credit, [2])
    few = pilot_components(np.r_[3, np.full(5, 4)], c, 2, any_credit, [2])
    assert enough.source == "6 questions, n >= 4, unbiased" and "because n < 2k" in few.source
    value = np.array([1 - comb(4 - o, 2) / 6 for o in c])
    noise = within_variance(np.full(6, 4), np.array(c), np.array([2]), any_credit)[:, 0]
    assert enough.between == pytest.approx(value.var(ddof=1) - noise.mean(), rel=1e-12)
    assert enough.samples.tolist() == few.samples.tolist() == [2]
    one, two = Counts(4, c), Counts(4, [1, 1, 3, 4, 3, 4])
    both = paired_components(one, two, 2, any_credit, [2, 5])
    assert both.source == "6 questions, paired pilots, unbiased" and both.samples.tolist() == [2, 5]
    want = sum(within_at(o.n, o.c, 2, any_credit, [2, 5]).mean(0) for o in (one, two))
    np.testing.assert_allclose(both.within, want, rtol=1e-12)


# Formulas: their values at the boundaries.


def test_the_normal_formulas_in_numbers():
    z = stats.norm.ppf
    assert detection_reach(0.8, 0.95) == pytest.approx(z(0.8) + z(0.975), rel=1e-12)
    assert detection_reach(0.5, 0.9) == pytest.approx(z(0.95), rel=1e-12)
    assert power_of(0.1, 100, 0.25) == pytest.approx(stats.norm.cdf(2 - z(0.975)), rel=1e-12)
    assert power_of(0.1, 100, 0.25, confidence_level=0.9) == pytest.approx(
        stats.norm.cdf(2 - z(0.95)), rel=1e-12
    )
    assert power_of(0.5, 2, 0.25, method="t") == pytest.approx(
        stats.nct.sf(stats.t.ppf(0.975, 1), 1, 2**0.5), rel=1e-9
    )
    assert np.shape(power_of(0.1, 100, 0.25)) == () and power_of([0.1, 0.2], 100, 0.25).shape == (
        2,
    )
    assert required_questions(10, 0.1) == 2 and required_questions(10, 0.1, method="t") >= 2
    assert required_questions(1, 1, power=0.975) == int(np.ceil(4 * z(0.975) ** 2))
    assert isinstance(required_questions(1, 1), np.int64)
    for method in "normal", "t":
        need = required_questions([0.2, 0.3], 0.1, method=method, power=0.9, confidence_level=0.8)
        given = dict(method=method, confidence_level=0.8)
        assert (power_of([0.2, 0.3], need, 0.1, **given) >= 0.9).all()
        assert (power_of([0.2, 0.3], need - 1, 0.1, **given) < 0.9).all()
        gap = detectable_difference([50, 60], 0.1, method=method, power=0.9, confidence_level=0.8)
        np.testing.assert_allclose(power_of(gap, [50, 60], 0.1, **given), 0.9, rtol=1e-9)
    assert detectable_difference(100, 0.25) == pytest.approx(0.05 * (z(0.8) + z(0.975)), rel=1e-12)


@pytest.mark.parametrize("level", [0.6, 0.8, 0.95, 0.999])
def test_how_far_the_saddle_formula_is_off(level):
    "`excludes_zero` leaves to the quadrature what lies between .92 and 1.05 of the limit."
    rng, tail, off = np.random.default_rng(5), (1 - level) / 2, []
    for questions in 3, 5, 9, 15, 30, 200:
        for size in [3, 5, 9] * 3:
            values = np.unique(np.r_[np.linspace(-1, 1, size), rng.uniform(-1, 1, 3)])
            law = rng.dirichlet(np.full(len(values), 0.3)) * np.exp(rng.uniform(0, 4) * values)
            counts = rng.multinomial(questions, law / law.sum(), 300)
            z, times = (
                np.broadcast_to(np.r_[-values, 1], (300, len(values) + 1)),
                np.c_[counts, np.ones(300)],
            )
            some = approximate_tail(z, times)
            near = abs(some / tail - 1) < 0.5
            if near.any():
                off += (some[near] / tail_chance(z[near], times[near])).tolist()
    assert len(off) > 50 and 0.93 < min(off) and max(off) < 1.04


# Populations.


def test_logits_of_a_law():
    law = BetaDistribution(0.5, 2, zero=0.3)
    share = np.array([0, 0.2, 0.3, 0.65, 0.99])
    want = stats.beta.ppf(np.maximum(share - 0.3, 0) / 0.7, 0.5, 2)
    np.testing.assert_allclose(expit(logit_quantiles(law, share)), want, rtol=1e-9)
    assert logit_quantiles(BetaDistribution(3, 3), np.array([0.5]))[0] == pytest.approx(
        0, abs=1e-12
    )


def test_pairs_on_a_lattice():
    one, two = BetaDistribution(2, 1), BetaDistribution(0.5, 0.7)
    i = np.arange(9)
    first, second = stats.norm.ppf((i + 0.5) / 9), stats.norm.ppf((i * (5**0.5 - 1) / 2 + 0.5) % 1)
    for tilt in -1.0, -0.3, 0.0, 0.8, 1.0:
        left, right = spread_shares(tilt, 9)
        x, y = logit_quantiles(one, left), logit_quantiles(two, right)
        np.testing.assert_allclose(expit(x), stats.beta.ppf((i + 0.5) / 9, 2, 1), rtol=1e-9)
        both = stats.norm.cdf(tilt * first + (1 - tilt**2) ** 0.5 * second)
        np.testing.assert_allclose(expit(y), stats.beta.ppf(both, 0.5, 0.7), rtol=1e-9)


def test_few_questions_closer_to_the_end_than_all():
    "Two questions of a kind can have less room than the kind has: they go to the end."
    made = population_of(1, share_credit, [4], BetaDistribution(0.5, 2))
    x, y = made.logits(2)
    assert made.value(x).mean() < 0.19 < made.room()[1]
    a, b = made.at(-0.19, 2)
    np.testing.assert_array_equal(b, y - 60)
    np.testing.assert_array_equal(a, x)
    with pytest.raises(ValueError, match=r"from a mean of 0.2, got -0.3"):
        made.at(-0.3)


def test_approximations_know_what_systems_can_differ_by():
    made = population_of(1, share_credit, [4], BetaDistribution(2, 6))
    assert max(made.room()) == pytest.approx(0.75, abs=1e-3)
    for method in "normal", "t":
        few = make_plan(made, questions=2, method=method, power=0.99)
        assert np.isnan(few.delta).all() and few.best is None and 0 < few.power[0] < 0.99
        assert 0 < make_plan(made, questions=40, method=method).delta[0] < 0.75
        with pytest.raises(ValueError, match="need delta < 0.75, the farthest"):
            make_plan(made, delta=0.76, method=method)
    free = make_plan(TABLE, questions=2, power=0.99)
    assert free.delta[0] > 1


def test_two_pilots_by_hand():
    one, two = Counts([4] * 5, [0, 4, 2, 3, 1]), Counts([6] * 5, [1, 6, 2, 5, 4])
    made = population_of(2, any_credit, [2, 4], one, two)
    x, y = (
        [1 - comb(n - c, 2) / comb(n, 2) for c in o.c.tolist()] for n, o in ((4, one), (6, two))
    )
    parts = [pilot_components(o.n, o.c, 2, any_credit, [2, 4]) for o in (one, two)]
    rho = np.cov(x, y)[0, 1] / (parts[0].between * parts[1].between) ** 0.5
    assert made.components.source == f"5 questions, two pilots, correlation {rho:.3g}"
    assert made.components.between == pytest.approx(
        parts[0].between + parts[1].between - 2 * np.cov(x, y)[0, 1]
    )
    np.testing.assert_allclose(made.components.within, parts[0].within + parts[1].within)
    assert made.correlation == min(rho, 1) == (
        1 if rho > 1 else rho
    ) and made.components.samples.tolist() == [2, 4]
    flat = population_of(1, share_credit, [4], one, Counts([4] * 5, [2, 2, 2, 2, 2]))
    assert (
        flat.correlation == 0
        and flat.components.source.endswith("correlation 0")
        and len(flat.notes) == 1
    )
    apart = population_of(1, share_credit, [4], Counts(8, [0, 8, 4, 2]), Counts(8, [8, 0, 3, 7]))
    assert apart.correlation == -1 and apart.notes[0].endswith("beyond -1 by chance; -1 is used.")
    # At n = k the two still show how they move together.
    assert (
        population_of(4, any_credit, [4], Counts(4, [0, 1, 3, 0, 4]), Counts(4, [0, 2, 4, 1, 0])).k
        == 4
    )


def test_the_law_of_a_pilot():
    "With n = 2k the law has the pilot's moments; with fewer samples it is the most likely one."
    pilot = Counts([4] * 6, [0, 1, 4, 2, 3, 4])
    law, notes = match_distribution(pilot, 2, any_credit, 0.05)
    back = distribution_components(law, 2, any_credit, [2])
    assert back.between == pytest.approx(0.05, rel=1e-6) and notes == ()
    ragged = Counts([3, 4, 4], [1, 4, 0])
    from sampling_eval.inference.extrapolation import fit_beta_distribution

    assert match_distribution(ragged, 2, any_credit, 0.05) == (
        fit_beta_distribution(ragged.n, ragged.c),
        (),
    )
    likely, notes = match_distribution(pilot, 2, any_credit, 0.0)
    assert likely == fit_beta_distribution(pilot.n, pilot.c)
    spread = distribution_components(likely, 2, any_credit, [2]).between
    assert notes == (
        (
            "The variance between questions of a pilot is estimated as 0, below 0 by chance; the"
            f" most likely distribution is used, with {spread:.2g}."
        ),
    )
    # No law has so much spread: the most likely one stays.
    assert match_distribution(pilot, 2, any_credit, 0.9)[0] == likely


# The law of a difference.


def moments_of(values, law):
    return [law @ values**p for p in range(4)]


def test_thinning_keeps_three_moments_of_every_bin():
    few = np.linspace(-1, 1, 64)
    values, law = thin_states(few[::-1], np.full(64, 2.0))
    np.testing.assert_allclose(values, few, atol=1e-12)
    np.testing.assert_allclose(law, 1 / 64)
    # 65 values in 32 bins: two in each, and three in the last.
    many = np.linspace(-1, 1, 65)
    values, law = thin_states(many, np.ones(65))
    assert len(values) == 64
    assert sorted(values.round(9))[:62] == pytest.approx(many[:62]) and law[:31] == pytest.approx(
        np.full(31, 1 / 65)
    )
    last = np.array([values[31], values[63]]), np.array([law[31], law[63]])
    np.testing.assert_allclose(
        moments_of(*last), moments_of(many[62:], np.full(3, 1 / 65)), rtol=1e-9
    )
    # Values that differ by rounding are one; what has no chance is none.
    values, law = thin_states(
        np.array([0.1, 0.1 + 1e-14, 0.5, 0.7, 0.2]), np.array([0.25, 0.25, 0.5, 1e-17, 2e-16])
    )
    assert values.tolist() == [0.1, 0.2, 0.5] and law.tolist() == pytest.approx(
        [0.5, 2e-16, 0.5], rel=1e-6
    )


@pytest.mark.parametrize(
    "k, credit, n",
    [(1, share_credit, 3), (1, share_credit, 40), (2, any_credit, 9), (3, majority_credit, 64)],
)
def test_the_law_of_a_difference_by_all_pairs_of_counts(k, credit, n):
    made = population_of(k, credit, [n], BetaDistribution(2, 1.5), correlation=0.6)
    x, y = (expit(o) for o in made.at(0.1))
    a, b = (stats.binom.pmf(np.arange(n + 1), n, p[:, None]) for p in (x, y))
    value = mean_credit(np.arange(n + 1), n - np.arange(n + 1), np.array([k]), credit)[:, 0]
    gap, joint = (value[None] - value[:, None]).ravel(), (a.T @ b).ravel() / len(x)
    np.testing.assert_allclose(
        moments_of(*difference_distribution(made, n, 0.1)),
        moments_of(gap, joint),
        rtol=1e-9,
        atol=1e-12,
    )


# Chances of a verdict.


def chance_by_listing(made, n, delta, questions, level=0.95):
    """Chance that the interval for the same questions excludes zero, over every outcome of two
    samples a question or so."""
    x, y = (expit(o) for o in made.at(delta, questions))
    value, size, total = value_counts(made, n), np.full(questions, n), 0.0
    for outcome in product(range(n + 1), repeat=2 * questions):
        a, b = np.array(outcome[:questions]), np.array(outcome[questions:])
        tables = Tables(size, a, size, b, made.k, made.credit)
        found = paired_difference(value[a], value[b], tables=tables).confidence_interval(
            level, target="same_questions"
        )
        right = found.low > 0 if delta > 0 else found.high < 0
        if right:
            total += np.prod(stats.binom.pmf(a, n, x)) * np.prod(stats.binom.pmf(b, n, y))
    return total


@pytest.mark.parametrize(
    "k, credit, n, delta, questions, level",
    [(1, share_credit, 3, 0.45, 2, 0.8), (2, any_credit, 2, -0.3, 2, 0.6)],
)
def test_the_chance_on_the_same_questions_by_listing(k, credit, n, delta, questions, level):
    made = population_of(k, credit, [n], correlation=0.5)
    want = chance_by_listing(made, n, delta, questions, level)
    given = dict(target="same_questions", confidence_level=level, repeats=20_000)
    found, error = chance_of_verdict(made, n, delta, questions, **given)
    assert (
        want > 0.05
        and abs(found - want) < 4 * error
        and error == pytest.approx((found * (1 - found) / 20_000) ** 0.5)
    )


@pytest.mark.parametrize("delta", [0.3, -0.3])
def test_the_chance_of_single_samples_on_the_same_questions(delta):
    "Wins and losses of ten questions by convolution."
    made = population_of(1, share_credit, [1], correlation=0.5)
    x, y = (expit(o) for o in made.at(delta, 10))
    if delta < 0:
        x, y = y, x
    law = np.zeros((11, 11))
    law[0, 0] = 1
    for p, q in zip(x, y):
        win, loss = (1 - p) * q, p * (1 - q)
        law[1:, 1:], law[1:, 0], law[0, 1:], law[0, 0] = (
            law[1:, 1:] * (1 - win - loss) + law[:-1, 1:] * win + law[1:, :-1] * loss,
            law[1:, 0] * (1 - win - loss) + law[:-1, 0] * win,
            law[0, 1:] * (1 - win - loss) + law[0, :-1] * loss,
            law[0, 0] * (1 - win - loss),
        )
    want = sum(
        law[w, l]
        for w in range(11)
        for l in range(11 - w)
        if l <= most_losses(np.array([w + l]), 0.1)[0]
    )
    found, error = chance_of_verdict(
        made, 1, delta, 10, target="same_questions", confidence_level=0.8, repeats=20_000
    )
    assert law.sum() == pytest.approx(1) and want > 0.1 and abs(found - want) < 4 * error


def test_chances_simulated():
    "The seed decides; the error is that of a share, at least one of the benchmarks."
    cases = [
        (HALF, 1, 0.3, 500, dict(target="same_questions")),
        (HALF, 4, 0.05, 300, dict(target="same_questions")),
        (HALF, 4, -0.2, 40, {}),
        (HALF, 16, 0.15, 30, dict(rng=3)),
        (HALF, 16, 0.15, 30, dict(rng=np.random.default_rng(3))),
        (HALF, 128, 0.1, 90, {}),
        (HALF, 128, -0.1, 90, dict(confidence_level=0.8)),
        (HALF, 1, -0.2, 40, {}),
        (PLANS["a pilot"][0], 6, -0.2, 40, dict(target="same_questions")),
        (HALF, 1, -0.1, 250, dict(target="same_questions")),
        (HALF, 2, 0.1, 200, dict(target="same_questions", confidence_level=0.5)),
    ]
    found = [chance_of_verdict(*given, repeats=400, **options) for *given, options in cases]
    check_printed(
        "plans",
        "chances",
        "\n".join(f"{float(chance)!r} {float(error)!r}" for chance, error in found),
    )
    assert chance_of_verdict(HALF, 4, 0.2, 30) == chance_of_verdict(
        HALF, 4, 0.2, 30, rng=0, repeats=4000, confidence_level=0.95
    )
    assert chance_of_verdict(HALF, 4, 0.2, 30)[1] == pytest.approx(
        (0.75 * 0.25 / 4000) ** 0.5, rel=0.2
    )
    certain = chance_of_verdict(HALF, 16, 0.49, 60, repeats=50)
    assert certain == (1, 1 / 50) and chance_of_verdict(HALF, 4, 0.3, 5) == (0, 0)
    # A verdict needs the side of the true difference.
    assert chance_of_verdict(HALF, 4, -0.3, 40)[0] == pytest.approx(
        chance_of_verdict(HALF, 4, 0.3, 40)[0], abs=0.03
    )
    assert chance_of_verdict(HALF, 1, 0.1, 1) == (0.0, 0.0)


@pytest.mark.parametrize(
    "step, variance, mean", [(0.1, 0.02, 0.3), (0.05, 0.004, 0.1), (1.0, 0.0, 1.0), (0.2, 0.0, 0.5)]
)
def test_lower_limits_of_the_same_questions(step, variance, mean):
    "As many questions as 1/step, one sample each way, by the limits of fixed questions."
    q = round(1 / step)
    fixed = Fixed(
        np.full(q, mean),
        Noise(np.full(q, variance * q), np.ones(q)),
        np.full(q, 1 / q),
        np.ones(q),
        (-1, 1),
    )
    for tail in 0.4, 0.025, 0.001:
        low = lower_again(mean, variance, step, tail)
        assert max(low, -1) == pytest.approx(fixed.limits(tail)[0], abs=1e-12) and low <= mean
    new = add_unseen(-mean, variance, 0.001, step, 1 + mean, 2.0)
    assert lower_again(mean, variance, step, 0.025, 0.001) == pytest.approx(
        min(-(new.mean + float(gamma_quantile(*fit_gamma(new), 0.025))), mean), rel=1e-12
    )


# The searches, step by step.


def test_populations_in_numbers():
    "Tilt, room and a few pairs of logits: what everything simulated starts from."
    lines = []
    far = population_of(4, any_credit, [8], BetaDistribution(0.4, 2, zero=0.1), correlation=0.9)
    apart = population_of(3, majority_credit, [3], BetaDistribution(3, 0.8), correlation=-0.2)
    for made in HALF, far, apart, PLANS["two pilots"][0]:
        room, (x, y) = made.room(), made.at(0.05, 4)
        numbers = [
            made.correlation,
            made.tilt,
            *room,
            *x,
            *y,
            *made.value(np.array([-3.0, -0.015, 0.7, 4.0])),
        ]
        lines.append(" ".join(repr(float(o)) for o in numbers))
    check_printed("plans", "populations", "\n".join(lines))


@pytest.mark.parametrize(
    "law, correlation, tilt",
    [
        (BetaDistribution(1, 1), -1, -1),
        (BetaDistribution(0.5, 2), -0.8, -1),
        (BetaDistribution(1, 1), 1, 1),
    ],
)
def test_a_correlation_out_of_reach_is_the_nearest_one(law, correlation, tilt):
    assert population_of(1, share_credit, [4], law, correlation=correlation).tilt == pytest.approx(
        tilt, abs=1e-3
    )


def test_pilots_of_two_versions_of_a_task_are_warned_of():
    def pilot(version):
        rows = [
            dict(question=q, sample=s, correct=int(s < q % 3)) for q in range(9) for s in range(2)
        ]
        return replace(sampling_eval.read(rows), tasks=(Task("sums", version),))

    found = plan(0.1, pilot=pilot("1"), pilot_b=pilot("2"))
    (note,) = [note for note in found.notes if note.startswith("Warning: ")]
    assert "'sums'" in note and note.endswith(".")
    same = plan(0.1, pilot=pilot("1"), pilot_b=pilot("1"))
    assert not [note for note in same.notes if note.startswith("Warning: ")]


# Boundaries of plans by formula.


def test_every_difference_has_its_own_number_of_questions():
    deltas = np.array([30.0, 3.0, 0.9, 0.5, 0.2, 0.11])
    for method in "normal", "t":
        many = required_questions(deltas, 0.1, method=method)
        assert many.tolist() == [int(required_questions(d, 0.1, method=method)) for d in deltas]
        given = dict(method=method)
        assert (power_of(deltas, many, 0.1, **given) >= 0.8).all()
        least = many > 2
        assert (power_of(deltas, np.maximum(many - 1, 2), 0.1, **given)[least] < 0.8).all()
    normal = required_questions(deltas, 0.1)
    more = required_questions(deltas, 0.1, method="t") - normal
    assert (more >= 0).all() and len(set(more.tolist())) > 1


@pytest.mark.parametrize("level", [0.5, 0.75])
def test_a_power_that_no_difference_is_needed_for(level):
    "At the one-sided level the smallest difference would be 0."
    tail = (1 - level) / 2
    with pytest.raises(ValueError, match=f"need {tail:g} < power < 1, got {tail}"):
        detection_reach(tail, level)
    assert 0 < detection_reach(tail + 1e-9, level) < 1e-8


def test_shapes_of_values_and_their_noise():
    for values, within in ([0.5, 0.1], [0.1, 0.1, 0.1]), ([[0.5, 0.1]], [[0.1, 0.1]]), ([1], [1]):
        with pytest.raises(ValueError, match="hold one number per question, two at least"):
            variance_components(values, within)
    found = variance_components([0.0, 1.0], [0.1, 0.3])
    assert (found.between, found.within.tolist()) == (pytest.approx(0.3), [pytest.approx(0.2)])
    assert found.samples.tolist() == [1] and found.source == "2 questions"


@pytest.mark.parametrize("correlation", [-1, -0.5, 0, 0.25, 1])
def test_variances_of_a_difference_at_every_correlation(correlation):
    one = Components(0.09, np.array([0.2, 0.1]), np.array([1, 2]), "one")
    two = Components(0.16, np.array([0.3, 0.2]), np.array([1, 2]), "two")
    found = contrast(one, two, correlation=correlation)
    assert found.between == pytest.approx(0.09 + 0.16 - 2 * correlation * 0.12)
    assert found.within == pytest.approx([0.5, 0.3]) and found.samples.tolist() == [1, 2]
    assert found.source == f"one; assumed correlation {correlation:g}"
    below = Components(-0.01, two.within, two.samples)
    assert contrast(one, below, correlation=correlation).between == pytest.approx(0.09)
    assert contrast(below, one, correlation=correlation).between == pytest.approx(0.09)
