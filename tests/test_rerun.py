"""Reruns, copies and runs of one model: vectors and listings, tests of runs against all orders; and
their lines in `score`."""

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, erfc, exp, factorial, isnan, nan, prod, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, chi2
from scipy.optimize import minimize_scalar
from scipy.special import rel_entr

from conftest import command
from scripts import load_script, read_example
from sampling_eval import (
    Counts,
    flaky_at_k,
    guarded_at_k,
    guarded_tries,
    mean_over_questions,
    ModelTable,
    OptionError,
    pass_at_k,
    pass_hat_k,
    portfolio_splits,
    Report,
    rerun_facts,
    run_effect,
    runs_too_alike,
    score,
    table,
)
from sampling_eval.examples import example_path
from sampling_eval.inference import rerun
from sampling_eval.inference.bands import simultaneous_band
from sampling_eval.inference.gaffke import gaffke_limits, tail_chance
from sampling_eval.inference.rerun import (
    cochran_test,
    difference_distribution,
    farthest,
    flip_chance,
    icc_limits,
    least_questions,
    pair_test,
    poisson_binomial,
    rough_cochran,
    share_disagreeing,
    spread,
)
from sampling_eval.inference.units import units_of
from sampling_eval.analyses.score.size_words import icc_text, reruns_sentence
from sampling_eval.analyses.score.result import Reruns
from sampling_eval.analyses.engine import runs
from sampling_eval.analyses.engine.next_steps import measure_reruns
from sampling_eval.analyses.engine.runs import (
    bound_copies,
    bound_one_copy,
    bound_reruns,
    bound_shares,
    bound_stopping,
    first_sample_test,
    LARGE,
    last_sample_test,
    mark_sorted,
    poisson_binomial_test,
)

VECTORS = json.loads((Path(__file__).parent / "vectors" / "reruns.json").read_text("utf-8"))
FACTS = [
    "one_run_variance",
    "one_run_sd",
    "least_difference_95",
    "flip_rate",
    "flaky_share",
    "msb",
    "msw",
    "icc",
]
TABLES = [(np.array(case["table"]), case) for case in VECTORS["tables"]]
sized = pytest.mark.parametrize(
    "table, case", TABLES, ids=[f"{len(t)}x{t.shape[1]}" for t, _ in TABLES]
)


def same(found, want):
    assert found is want is None or found == pytest.approx(want, rel=2e-15, abs=1e-16)


@sized
def test_facts_of_the_vectors(table, case):
    found = rerun_facts(table.shape[1], table.sum(1))
    for name in FACTS:
        same(getattr(found, name), case[name])
    assert found.least_questions_exact == case["least_questions_exact"]
    for k, want in case["flaky_at"].items():
        if k != "exact":
            same(flaky_at_k(table.shape[1], table.sum(1), int(k)).mean(), want)
        if k != "exact":
            same(found.flaky_at(int(k)).value, want)


@pytest.mark.parametrize("case", VECTORS["counts"])
def test_facts_of_counts_of_unequal_size(case):
    found = rerun_facts(case["n"], case["c"])
    for name in [*FACTS, "n0"]:
        same(getattr(found, name), case[name])
    same(found.one_run_variance / case["m"], case["m_runs_variance"])
    same(found.least_difference(case["m"]), case["least_difference_95_m_runs"])
    assert (found.n_min, found.n_max) == (min(case["n"]), max(case["n"]))


@sized
def test_pairs_and_cochran_of_the_vectors(table, case):
    pairs = runs_too_alike(table)
    assert [[a, b] for a, b in zip(pairs.first.tolist(), pairs.second.tolist())] == [
        o["runs"] for o in case["pairs"]
    ]
    assert pairs.differ.tolist() == [o["discordant"] for o in case["pairs"]]
    assert (pairs.shared == len(table)).all()
    assert pairs.p == pytest.approx([o["p"] for o in case["pairs"]], abs=1e-13)
    assert pairs.holm == pytest.approx([o["holm"] for o in case["pairs"]], abs=1e-13)
    found = run_effect(table)
    want = [
        nan if case[name] is None else case[name]
        for name in ("cochran_q", "cochran_p_too_spread", "cochran_p_too_alike")
    ]
    assert [found.q, found.p, found.p_alike] == pytest.approx(want, abs=1e-12, nan_ok=True)
    assert found.method == "exact"


def table_of(name):
    if name == "tau_bench":
        table = np.zeros((50, 4), int)
        for line in example_path("tau_bench").read_text("utf-8").splitlines():
            row = json.loads(line)
            table[row["question"], row["sample"]] = row["correct"]
        return table
    rows = [row for row in read_example("llm_stability_gpt4o.csv") if row["task"] == name]
    return np.array([[int(one == row["gold"]) for one in row["answers"].split()] for row in rows])


@pytest.mark.parametrize("name", VECTORS["reference"])
def test_whole_logs(name):
    table, want = table_of(name), VECTORS["reference"][name]
    found = rerun_facts(table.shape[1], table.sum(1))
    assert (found.questions, found.n_max, found.least_questions_exact) == (
        want["questions"],
        want["tries"],
        want["least_difference_questions_exact"],
    )
    for name in FACTS:
        same(
            getattr(found, name), want[{"least_difference_95": "least_difference"}.get(name, name)]
        )
    pairs, effect = runs_too_alike(table), run_effect(table)
    assert pairs.differ.tolist() == [o["discordant"] for o in want["pairs"]]
    assert pairs.p == pytest.approx([o["p"] for o in want["pairs"]], abs=1e-13)
    assert effect.q == pytest.approx(want["cochran_q"], abs=1e-12)
    drawn = effect.method == "permutation"
    assert [effect.p, effect.p_alike] == pytest.approx(
        [want["cochran_p_upper"], want["cochran_p_lower"]], abs=0.02 if drawn else 1e-12
    )


PUBLISHED = """college_mathematics 100 .0303 .084 9 .184 .370 .633 .264 .755
high_school_european_history 165 .0096 .027 5 .030 .067 .830 .323 .756
logical_deduction 250 .0105 .029 8 .055 .108 .604 .745 .328
navigate 250 .0200 .056 15 .201 .400 .473 .828 .192
professional_accounting 282 .0160 .044 13 .144 .291 .620 .433 .586
public_relations 110 .0209 .058 7 .096 .209 .724 .141 .878
ruin_names 250 .0090 .025 7 .041 .080 .760 .734 .331"""


@pytest.mark.parametrize("line", PUBLISHED.splitlines())
def test_seven_logs_at_temperature_zero(line):
    name, *want = line.split()
    table = table_of(name)
    found, effect = rerun_facts(5, table.sum(1)), run_effect(table)
    got = [
        len(table),
        found.one_run_sd,
        found.least_difference_95,
        found.least_questions_exact,
        found.flip_rate,
        found.flaky_share,
        found.icc,
    ]
    for value, text in zip(got, want):
        assert value == pytest.approx(float(text), abs=0.51 * 10.0 ** -len(text.partition(".")[2]))
    tails = list(map(float, want[-2:]))
    assert [effect.p, effect.p_alike] == pytest.approx(
        tails, abs=0.02 if effect.method == "permutation" else 5.1e-4
    )


def test_least_questions_against_a_list_of_all_steps():
    f, level = [
        Fraction(1, 2),
        Fraction(2, 3),
        Fraction(0),
        Fraction(1),
        Fraction(1, 6),
        Fraction(1, 2),
    ], Fraction(1, 20)
    law = Counter({0: Fraction(1)})
    for x in f:
        new = Counter()
        for d, chance in law.items():
            for step, weight in (-1, x / 2), (0, 1 - x), (1, x / 2):
                new[d + step] += chance * weight
        law = new
    floats = np.array(f, float)
    assert difference_distribution(floats, np.ones(6, int)) == pytest.approx(
        [float(law[d]) for d in range(7)], abs=1e-15
    )
    for level in Fraction(1, 20), Fraction(1, 3), sum(w for d, w in law.items() if abs(d) >= 3):
        want = next(
            d for d in range(1, 9) if sum(w for x, w in law.items() if abs(x) >= d) <= level
        )
        assert least_questions(floats, np.ones(6, int), float(level)) == want


def test_a_large_log_takes_the_normal_threshold():
    found = rerun_facts(10, np.repeat([3, 5, 9], 40_000))
    assert found.least_questions_exact == pytest.approx(
        found.least_difference_95 * 120_000, abs=1.0
    )


def test_flips_and_flaky_questions_keep_their_digits():
    assert flip_chance(10**9, 1) == pytest.approx(2e-9, rel=1e-15)
    for c in 1, 10**6 - 1:
        assert flaky_at_k(10**6, c, [1, 2, 5]) == pytest.approx([0, 2e-6, 5e-6], rel=1e-14)
    n, c = 30, np.arange(31)
    want = pass_at_k(n, c, np.arange(1, 31)) - pass_hat_k(n, c, np.arange(1, 31))
    assert flaky_at_k(n, c, np.arange(1, 31)) == pytest.approx(want, abs=1e-15)
    assert flaky_at_k(n, c, 2) == pytest.approx(flip_chance(n, c), rel=1e-14)
    assert isinstance(flaky_at_k(4, 2, 2), np.float64) and flaky_at_k(
        [4, 5], [2, 1], [1, 2]
    ).shape == (2, 2)


@pytest.mark.parametrize("right", [7, 1_000_003 - 7])
def test_a_rare_flip_of_many_tries_keeps_its_digits(right):
    n, budgets = 1_000_003, [2, 5, 30]
    every = [Fraction(comb(n, k) - comb(7, k) - comb(n - 7, k), comb(n, k)) for k in budgets]
    assert flaky_at_k(n, right, budgets) == pytest.approx([float(o) for o in every], rel=1e-13)


def test_flips_of_up_to_many_tries():
    assert flaky_at_k([100], [50], 60).tolist() == [1.0]
    want = 1 - 2 * comb(30, 20) / comb(60, 20)
    assert flaky_at_k([60], [30], [1, 20])[0] == pytest.approx([0, want])
    with pytest.raises(ValueError, match="need k <= 16777216 to count flips, got k=16777217"):
        flaky_at_k([2**25], [5], 2**24 + 1)


def test_two_systems_and_other_levels():
    a, b = rerun_facts(4, [2, 2, 0, 4]), rerun_facts(4, [1, 4, 4, 4])
    assert a.least_difference(other=b) == pytest.approx(
        1.959963984540054 * (a.one_run_variance + b.one_run_variance) ** 0.5
    )
    assert a.least_difference(4) == pytest.approx(a.least_difference_95 / 2)
    assert a.least_difference(confidence_level=0.9) == pytest.approx(
        a.least_difference_95 * 1.6448536269514722 / 1.959963984540054
    )
    for tries in (0, 1.5, True):
        with pytest.raises((ValueError, TypeError), match="tries"):
            a.least_difference(tries)
    with pytest.raises(ValueError, match="same questions, got 4 and 2"):
        a.least_difference(other=rerun_facts(2, [1, 2]))


# Intervals.


def test_intervals_are_one_number_in_other_units():
    found = rerun_facts(4, np.repeat(np.arange(5), [14, 12, 10, 4, 10]))
    flips = found.interval("flip_rate", 0.9)
    sizes = gaffke_limits(
        units_of(flip_chance(4, np.arange(5)), bounds=(0, 2 / 3), times=[14, 12, 10, 4, 10]), 0.05
    )
    assert (flips.low, flips.high) == pytest.approx([float(end[0]) for end in sizes])
    variance, deviation, least = (
        found.interval(name, 0.9)
        for name in ("one_run_variance", "one_run_sd", "least_difference_95")
    )
    for a, b, c, d in zip(*((o.low, o.high) for o in (flips, variance, deviation, least))):
        assert (b, c, d) == pytest.approx(
            (a / 100, (a / 100) ** 0.5, 1.959963984540054 * (a / 50) ** 0.5)
        )
    assert str(
        found.interval("flaky_share").method
    ) == "clopper-pearson" and "approximate" not in str(found.interval("icc").method)
    assert "approximate" in str(found.interval("least_questions_exact").method)
    assert (
        found.interval("least_questions_exact").low,
        found.interval("least_questions_exact").high,
    ) == (7, 10)


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize(
    "n, c, flaky",
    [
        ([4] * 9, [0, 1, 1, 2, 3, 3, 4, 4, 4], 5),
        ([2, 3, 4, 2, 9], [2, 0, 4, 0, 9], 0),
        ([2, 3, 4, 2, 9], [1, 1, 3, 1, 1], 5),
    ],
    ids=["some", "none", "all"],
)
def test_the_interval_of_flaky_questions_is_binomial(n, c, flaky, level):
    facts = rerun_facts(n, c)
    found = facts.interval("flaky_share", level)
    want = binomtest(flaky, len(n)).proportion_ci(level)
    assert facts.flaky_share == flaky / len(n)
    assert (found.low, found.high) == pytest.approx(tuple(want), abs=1e-7)
    assert (found.level, str(found.method)) == (level, "clopper-pearson")


def test_flips_of_two_tries_go_up_to_one():
    "Two tries that differ flip always, four tries in two of three pairs at most."
    facts = rerun_facts([2, 2, 2, 4, 4, 4], [1, 0, 1, 2, 3, 4])
    flips = [1, 0, 1, 2 / 3, 1 / 2, 0]
    want = [float(end[0]) for end in gaffke_limits(units_of(flips, bounds=(0, 1)), 0.05)]
    found = facts.interval("flip_rate", 0.9)
    assert (found.low, found.high) == pytest.approx(want) and str(found.method) == "gaffke"
    least = facts.interval("least_questions_exact", 0.9)
    apart = [least_questions(np.array([end]), np.array([6])) for end in want]
    assert [least.low, least.high] == apart


def test_too_many_tries_to_count_flips():
    with pytest.raises(ValueError, match="need k <= 16777216 to count flips, got k=16777217"):
        flaky_at_k([2**25], [5], [1, 2**24 + 1])


@pytest.mark.parametrize(
    "n, c",
    [
        ([4] * 50, [0] * 14 + [1] * 12 + [2] * 10 + [3] * 4 + [4] * 10),
        ([2, 3, 3, 5, 9] * 3, [2, 1, 0, 5, 3] * 3),
        ([3] * 6, [0, 3, 3, 0, 1, 3]),
    ],
)
def test_the_interval_of_the_icc_on_a_grid(n, c):
    """The ends are the widest over all means that are not refuted: a grid of means, each with its
    own tail."""
    facts, level = rerun_facts(n, c), 0.9
    kinds, miss = facts.kinds, 0.05
    edges = [
        float(end[0])
        for end in gaffke_limits(units_of(kinds.c / kinds.n, times=kinds.times), 0.1 * miss)
    ]
    low, high, _ = icc_limits(facts, level)
    for mean in np.linspace(*edges, 41):
        for share, side in (1 - low, 1), (1 - high, -1):
            if share in (0, 1):
                continue
            z = side * spread(kinds.n, kinds.c, np.array([share]), np.array([mean]))
            every = [
                (
                    side
                    * spread(
                        np.array(m), np.arange(m + 1), np.array([share]), np.array([mean])
                    ).max()
                    if side > 0
                    else (
                        side
                        * spread(np.array(m), np.arange(m + 1), np.array([share]), np.array([mean]))
                    ).max()
                )
                for m in set(n)
            ]
            end = farthest(np.unique(n), np.array([share]), np.array([mean]), side)
            assert end[0] == pytest.approx(max(every), rel=1e-12)
            # At the end that was found no mean keeps more than the tail, and one has just the tail.
            assert tail_chance(np.hstack([z, end[:, None]]), np.r_[kinds.times, 1.0])[
                0
            ] <= 0.9 * miss * (1 + 1e-4)
    assert low <= facts.icc <= high or facts.interval("icc", level).low <= facts.icc


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("mean", [0.0, 0.2, 0.5, 0.97])
@pytest.mark.parametrize("side", [1, -1])
def test_the_farthest_spread_of_any_count(side, mean, share):
    for sizes in [2], [3], [11], [2, 5, 40]:
        every = [
            side * spread(np.array([n]), np.array([c]), np.array([share]), np.array([mean]))[0, 0]
            for n in sizes
            for c in range(n + 1)
        ]
        found = farthest(np.array(sizes), np.array([share]), np.array([mean]), side)
        assert found[0] == pytest.approx(max(every), abs=1e-14)


def test_an_estimate_of_flaky_questions_knows_its_tries():
    facts = rerun_facts([4, 4, 6, 4, 8], [1, 1, 5, 4, 3])
    found = facts.flaky_at(3)
    # 1 less the chances that three of four, six or eight tries are all wrong or all right.
    each = [1 - 1 / 4] * 2 + [1 - 10 / 20, 0, 1 - (10 + 1) / 56]
    assert found.value == pytest.approx(np.mean(each)) and found.questions == 5
    assert (found.k, found.n_min, found.n_max) == (3, 4, 8)
    spread = np.std(each, ddof=1) / 5**0.5
    assert found.stderr == pytest.approx(spread)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_icc_spends_a_tenth_on_the_mean(level):
    facts = rerun_facts([4] * 9 + [6, 8], [0, 0, 0, 0, 0, 0, 1, 1, 4, 5, 3])
    miss, kinds = (1 - level) / 2, facts.kinds
    units = units_of(kinds.c / kinds.n, times=kinds.times)
    edges = [float(end[0]) for end in gaffke_limits(units, 0.1 * miss)]
    ends = [rerun.widest_end(kinds, edges, 0.9 * miss, side) for side in (1, -1)]
    low, high, method = icc_limits(facts, level)
    assert (low, high) == (1 - ends[0], 1 - ends[1]) and low < facts.icc < high
    assert method == "gaffke, inverted, with Bonferroni for the mean"


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize(
    "totals, questions",
    [([40, 44, 43], 100), ([3, 97], 100), ([0, 0, 0], 7), ([50, 50], 100), ([7, 7, 7], 7)],
    ids=str,
)
def test_the_spread_of_totals(totals, questions, level):
    found, df = rerun.spread_runs(totals, questions, level), len(totals) - 1
    mean, squares = np.mean(totals), np.var(totals) * len(totals)
    most = mean * (1 - mean / questions)
    assert (found.mean, found.spread) == pytest.approx((mean, np.std(totals, ddof=1)))
    assert found.largest == pytest.approx(most**0.5)
    assert found.stderr == pytest.approx(found.spread / len(totals) ** 0.5)
    assert found.p == pytest.approx(chi2.sf(squares / most, df) if most else 1)
    ends = [min(squares / chi2.isf(one, df), most) ** 0.5 for one in ((1 - level) / 2,)]
    ends += [min(squares / chi2.ppf((1 - level) / 2, df), most) ** 0.5]
    assert (found.interval.low, found.interval.high) == pytest.approx(ends, abs=1e-12)
    assert (found.interval.level, found.interval.target) == (level, "same_questions")
    assert rerun.spread_runs(totals, questions).interval.level == 0.95


def test_no_interval_without_the_fact():
    equal = rerun_facts(3, [3, 3])
    assert equal.icc is None and rerun_facts(3, [2]).icc is None and rerun_facts(3, [2]).msb is None
    with pytest.raises(ValueError, match="no ICC"):
        equal.interval("icc")
    with pytest.raises(ValueError, match="name must be 'one_run_variance'.*got 'sd'"):
        equal.interval("sd")
    assert repr(equal).endswith("ICC none)") and rerun_facts(3, [3, 0]).icc == 1
    assert equal.interval("flip_rate").low == 0 < equal.interval("flip_rate").high


def test_the_adversary_found_no_law_that_breaks_them():
    cells = [row for row in read_example("worst_case.csv") if row["kind"].startswith("rerun")]
    assert {row["method"] for row in cells} == {
        "flip rate",
        "flaky share",
        "ICC",
        "least questions",
    }
    assert not list(filter(load_script("bench/worst_case.py").broken, cells))
    assert max(float(row["misses"]) for row in cells if row["aim"]) <= 1


def test_the_adversarys_tables():
    lab = load_script("bench/worst_case.py")
    times, chance = lab.chance_of_counts(lab.cells_of(2, [0.2, 0.5, 0.5]))
    want = Counter()
    for c in product(range(3), repeat=3):
        weight = prod(comb(2, x) * p**x * (1 - p) ** (2 - x) for x, p in zip(c, (0.2, 0.5, 0.5)))
        want[tuple(c.count(x) for x in range(3))] += weight
    assert {tuple(row): one for row, one in zip(times.tolist(), chance)} == pytest.approx(
        dict(want)
    )


# What is refused.


@pytest.mark.parametrize(
    "n, c, said",
    [
        (
            [4, 1],
            [2, 1],
            r"need n >= 2 tries of every question, got n=1 at question 1 \(1 of 2 fail\)",
        ),
        ([2], [3], "0 <= c <= n"),
        ([2], [-1], "0 <= c <= n"),
        (2, [[1], [2]], r"one per question, got shape \(2, 1\)"),
        ([], [], "at least one"),
    ],
)
def test_counts_that_say_nothing(n, c, said):
    with pytest.raises(ValueError, match=said):
        rerun_facts(n, c)


def test_counts_of_another_kind():
    with pytest.raises(TypeError, match="c must hold integers"):
        rerun_facts([4], [0.5])
    with pytest.raises(TypeError, match="type counts = counts_of"):
        rerun_facts([[1, 0], [0, 1]])


@pytest.mark.parametrize("test", [runs_too_alike, run_effect])
def test_runs_that_are_not_known(test):
    for given in (Counts([4, 4], [1, 2]), [3, 2, 0]):
        with pytest.raises(TypeError, match="the run of each try is needed, got counts"):
            test(given)
    with pytest.raises(ValueError, match="rows of 2 to 3 tries"):
        test([[1, 0], [1, 0, 1]])
    with pytest.raises(ValueError, match="two runs at least"):
        test([[1], [0]])
    with pytest.raises(ValueError, match=r"must be 0 or 1, got 2 at question 1 \(1 of 2 fail\)"):
        test([[1, 0], [2, 1]])
    with pytest.raises(TypeError, match="got dtype"):
        test([["a", "b"], ["b", "a"]])


def test_what_cannot_be_seen():
    assert (
        runs_too_alike([[1, 0], [0, 1], [1, 1]]).blind
        and (runs_too_alike([[1, 0], [1, 0]]).p == 1).all()
    )
    copies = np.repeat([[1], [0], [1]], 5, axis=1)
    assert (
        runs_too_alike(copies).blind
        and isnan(run_effect(copies).q)
        and isnan(run_effect(copies).p_alike)
    )
    assert not runs_too_alike([[1, 0, 0], [1, 1, 0]]).blind


# Tests of runs.


def test_a_sum_of_coins_in_fractions():
    means = [
        Fraction(1, 4),
        Fraction(2, 3),
        Fraction(0),
        Fraction(1),
        Fraction(2, 3),
        Fraction(1, 7),
    ]
    law = Counter()
    for outcome in product((0, 1), repeat=len(means)):
        law[sum(outcome)] += prod(p if x else 1 - p for p, x in zip(means, outcome))
    assert poisson_binomial(np.array([float(p) for p in means])) == pytest.approx(
        [float(law[t]) for t in range(7)], rel=1e-14
    )
    assert poisson_binomial(np.array([])).tolist() == [1] and poisson_binomial(np.full(1000, 0.5))[
        0
    ] == pytest.approx(0.5**1000, rel=1e-12)


def test_runs_without_a_common_question_share_nothing():
    "Three runs; the last has no try at all, and of the first two one question is common."
    kinds = np.array([[0, 1, -1], [2, -1, -1], [-1, 0, -1], [-1, -1, -1]])
    pairs = pair_test(kinds)
    assert pairs.first.tolist() == [0, 0, 1] and pairs.second.tolist() == [1, 2, 2]
    assert pairs.shared.tolist() == [1, 0, 0] and pairs.differ.tolist() == [1, 0, 0]
    assert pairs.p.tolist() == [1, 1, 1] and pairs.holm.tolist() == [1, 1, 1] and pairs.blind
    assert share_disagreeing(kinds).tolist() == [1, 0, 0, 0]
    none = pair_test(np.full((2, 2), -1))
    assert none.shared.tolist() == [0] and none.p.tolist() == [1] and none.blind


def orders(kinds):
    "All tables that have the samples of each question in another order, absent ones in place."
    rows = []
    for row in kinds.tolist():
        here = [i for i, one in enumerate(row) if one != -1]
        found = []
        for order in permutations([row[i] for i in here]):
            new = list(row)
            for i, one in zip(here, order):
                new[i] = one
            found.append(new)
        rows.append(found)
    return np.array(list(product(*rows)))


@pytest.mark.parametrize(
    "table",
    [
        [[1, 0, 0], [1, 1, 0], [0, 1, 0]],
        [[3, 3, 1], [0, -1, 0], [1, 2, -1], [0, 0, 5]],
        [[0, 1, -1, 1], [1, 1, 0, 1]],
    ],
)
def test_pairs_against_all_orders(table):
    kinds = np.array(table)
    every = orders(kinds)
    pairs = pair_test(kinds)
    for a, b, differ, p in zip(pairs.first, pairs.second, pairs.differ, pairs.p):
        both = (kinds[:, a] != -1) & (kinds[:, b] != -1)
        seen = (every[:, both, a] != every[:, both, b]).sum(1)
        want = Fraction(int((seen <= differ).sum()), len(every))
        mean = sum(Fraction(int(x)) for x in seen) / len(every)
        # Of tables with gaps only pairs that differ too rarely are worked out.
        assert (
            p == pytest.approx(float(want), rel=1e-12)
            or p == 1
            and (kinds == -1).any()
            and differ >= mean
        )
        assert (kinds[both, a] != kinds[both, b]).sum() == differ
    n = (kinds != -1).sum(1)
    assert share_disagreeing(kinds)[n < 2].tolist() == [0] * int((n < 2).sum())


@pytest.mark.parametrize(
    "table",
    [
        [[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1]],
        [[1, 0, 0, 1], [1, 1, 0, 1]],
        [[1, 0], [1, 0], [0, 1], [1, 0]],
        [[1, 0, 1], [1, 0, -1], [0, 0, 1]],
    ],
)
def test_cochran_against_all_orders(table):
    outcomes = np.array(table)
    whole = outcomes[(outcomes != -1).all(1)]
    squares = (orders(whole).sum(1) ** 2).sum(1)
    seen = (whole.sum(0) ** 2).sum()
    found = cochran_test(outcomes)
    assert [found.p, found.p_alike] == pytest.approx(
        [(squares >= seen).mean(), (squares <= seen).mean()]
    )


def test_cochran_permuted_and_approximated(monkeypatch):
    outcomes = (np.random.default_rng(3).random((40, 4)) < [0.3, 0.4, 0.5, 0.6]).astype(int)
    exact = cochran_test(outcomes)
    monkeypatch.setattr(rerun, "STATES", 0)
    drawn = cochran_test(outcomes)
    assert (exact.method, drawn.method, drawn.permutations) == ("exact", "permutation", 9999)
    assert abs(drawn.p_alike - exact.p_alike) < 0.02
    assert (
        drawn == cochran_test(outcomes)
        and abs(drawn.p - exact.p) < 4 * (exact.p * (1 - exact.p) / 9999) ** 0.5 + 1e-4
    )
    monkeypatch.setattr(rerun, "SPACE", 0)
    rough = cochran_test(outcomes)
    assert rough.method == "chi-square" and rough.p == pytest.approx(exact.p, rel=0.3)
    monkeypatch.undo()
    assert rough_cochran(outcomes) == rough.p and rough_cochran(np.ones((3, 3), int)) == 1
    assert (
        cochran_test((np.random.default_rng(0).random((60, 64)) < 0.5).astype(int), 99).method
        == "permutation"
    )


# Reruns, loops and mixes in `score` and `table`: lines, fields, JSON, the command, refusals.

LINE = (
    "Two single runs differ by more than about 15 points in 1 of 20 reruns; 29 % of outcomes flip;"
    " ICC .40."
)


def flat(result):
    return " ".join(repr(result).split())


# Reruns.


def test_the_line_of_tau_bench():
    found = score(example_path("tau_bench"), "pass@k")
    assert LINE in flat(found) and found.reruns.least_questions_exact == 8
    facts = rerun_facts(4, np.repeat(np.arange(5), [14, 12, 10, 4, 10]))
    told = json.loads(found.to_json())["reruns"]
    assert (
        told == {name: pytest.approx(getattr(facts, name), rel=1e-14) for name in told}
        and len(told) == 9
    )
    again = Report.from_json(found.to_json())
    assert again == found and LINE in flat(again)


@pytest.mark.parametrize(
    "data, options",
    [
        (Counts([1, 2], [1, 1]), {}),
        (dict(question=[1, 1, 2, 2], score=[0.1, 0.2, 0.3, 0.4]), {}),
        ([[1, 0], [0, 1]], dict(weights={0: 1, 1: 2})),
        ([[1, 0], [0, None]], dict(missing="bounds")),
        (
            dict(
                model=["a", "a", "b", "b"],
                question=[1] * 4,
                sample=[0, 1] * 2,
                correct=[1, 0, 1, 1],
            ),
            {},
        ),
    ],
)
def test_where_nothing_is_said_of_reruns(data, options):
    found = score(data, **options)
    assert found.reruns is None and "reruns" not in flat(found)


def test_words_of_reruns():
    found = Reruns(2, 2, 0.01, 0.1, 0.0312, 3, 0.086, 0.1, None)
    assert (
        reruns_sentence(found)
        == "Two single runs differ by more than about 3.1 points in 1 of 20 reruns; 9 % of outcomes"
        " flip."
    )
    assert (
        reruns_sentence(None) == "" and reruns_sentence(Reruns(2, 2, 0, 0, 0, 1, 0, 0, 1.0)) == ""
    )
    assert (
        reruns_sentence(Reruns(2, 2, 0.3, 0.5, 1.4, 3, 1.0, 1.0, -1.0))
        == "100 % of outcomes flip; ICC -1.00."
    )
    assert [icc_text(x) for x in (0.404, -0.126, 0.0, 1.0, 0.9999, 0.996)] == [
        ".40",
        "-.13",
        ".00",
        "1.00",
        ".9999",
        ".9960",
    ]


def exceeded(questions, n, chances):
    """How often two runs differ by more than is said, of the logs in which it is said, and the
    share of these."""
    rng, beyond = np.random.default_rng(1), []
    for _ in range(150):
        p = np.broadcast_to(chances(rng), questions)
        told = measure_reruns(Counts(np.full(questions, n), rng.binomial(n, p))).least_difference_95
        if told is None:
            continue
        apart = difference_distribution(2 * p * (1 - p), np.ones(questions, int))
        beyond.append(2 * apart[int(questions * told + 1e-9) + 1 :].sum())
    return (np.mean(beyond) if beyond else 0.0), len(beyond) / 150


@pytest.mark.parametrize(
    "questions, n, chances",
    [
        (30, 2, lambda rng: 0.97),
        (20, 4, lambda rng: 0.95),
        (5, 2, lambda rng: rng.random(5)),
        (10, 2, lambda rng: rng.random(10)),
        (20, 2, lambda rng: rng.random(20)),
        (50, 2, lambda rng: rng.random(50)),
        (50, 2, lambda rng: 0.97),
        (100, 64, lambda rng: 0.99),
    ],
)
def test_two_runs_differ_by_more_than_is_said_in_about_one_of_twenty_reruns(questions, n, chances):
    beyond, share = exceeded(questions, n, chances)
    assert beyond <= 0.07 and (share < 0.5 or 0.005 < beyond)


def test_nothing_is_said_of_two_runs_where_few_questions_are_flaky():
    few, some = (Counts([2] * 30, [1] * flaky + [2] * (30 - flaky)) for flaky in (4, 5))
    for counts, told in (
        (few, None),
        (Counts([3] * 9, [0, 3, 3] * 3), None),
        (some, 1.959963984540054 * 5**0.5 / 30),
    ):
        found = score(counts, "pass@1")
        assert found.reruns.least_difference_95 == (told if told is None else pytest.approx(told))
        assert (found.reruns.least_questions_exact is None) == (told is None)
        assert ("Two single runs differ by more than about 15 points" in flat(found)) == (
            told is not None
        )
        assert type(found).from_json(found.to_json()) == found
    assert repr(rerun_facts(few.n, few.c)).split(", ")[2].startswith("fewer than 5 flaky questions")
    shown = table(dict(few=few, some=some), "pass@1", run_difference=True)
    assert shown.run_differences["few"] is None and shown.run_differences["some"] > 0.1
    assert "by more points in about 1 of 20 reruns; -: too few flaky questions." in flat(shown)
    shown = table(dict(one=some, other=some), "pass@1", run_difference=True)
    assert "by more points in about 1 of 20 reruns." in flat(shown)


def test_a_column_of_run_differences():
    p = np.linspace(0.1, 0.9, 20)
    rng = np.random.default_rng(0)
    a, b, one = (
        Counts([4] * 20, rng.binomial(4, p)),
        Counts([4] * 20, rng.binomial(4, p)),
        Counts([1] * 20, [0, 1] * 10),
    )
    found = table(dict(a=a, b=b, one=one), "pass@1", run_difference=True)
    want = {
        name: rerun_facts(side.n, side.c).least_difference_95 for name, side in (("a", a), ("b", b))
    }
    assert found.run_differences == {
        "a": pytest.approx(want["a"]),
        "b": pytest.approx(want["b"]),
        "one": None,
    }
    assert {row["model"]: row["run_difference"] for row in found.rows} == found.run_differences
    shown = repr(found)
    assert (
        "run difference" in shown
        and f"{100 * want['a']:.1f}" in shown
        and ModelTable.from_json(found.to_json()) == found
    )
    assert "run difference" in found.to_latex()
    plain = table(dict(a=a, b=b), "pass@1")
    assert (
        plain.reruns == {}
        and "run difference" not in repr(plain)
        and "run_difference" not in plain.rows[0]
    )
    with pytest.raises(
        ValueError, match="run_difference=True needs two outcomes of every question"
    ):
        table(dict(a=one, b=one), "pass@1", run_difference=True)
    with pytest.raises(ValueError, match="got weights; leave out weights"):
        table(
            dict(a=a, b=b),
            "pass@1",
            weights=dict(zip(range(20), range(1, 21))),
            run_difference=True,
        )


# Verdicts.


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    rng = np.random.default_rng(0)
    truth = rng.random((40, 5)) < rng.beta(0.6, 1.4, (40, 1))
    passed = rng.random((40, 5)) < np.where(truth, 0.93, 0.1)
    path = tmp_path_factory.mktemp("judged") / "log.csv"
    lines = [
        f"{q},{s},{int(truth[q, s])},{int(passed[q, s])},{rng.random():.2f}"
        for q in range(40)
        for s in range(5)
    ]
    path.write_text("question,sample,truth,passed,liked\n" + "\n".join(lines) + "\n")
    return path, truth, passed


def test_reported_and_right(judged):
    path, truth, passed = judged
    found = score(path, "pass@k", correct="truth", verdict="passed").guarded
    m, g, c = passed.sum(1), (passed & truth).sum(1), truth.sum(1)
    assert [row.k for row in found.rows] == [1, 2, 3, 4, 5] and (
        found.verdict,
        found.questions,
    ) == ("passed", 40)
    for row in found.rows:
        reported, right = pass_at_k(5, m, row.k), guarded_at_k(5, m, g, row.k)
        slip = mean_over_questions(reported - right)
        ends = slip.confidence_interval()
        last = guarded_at_k(5, m, g, row.k, right_rejected=c - g).mean()
        assert [
            row.reported,
            row.right,
            row.right_with_last,
            row.pass_at_k,
            row.tries,
            row.slip,
            row.slip_interval.low,
            row.slip_interval.high,
        ] == (
            pytest.approx(
                [
                    reported.mean(),
                    right.mean(),
                    last,
                    pass_at_k(5, c, row.k).mean(),
                    guarded_tries(5, m, row.k).mean(),
                    slip.value,
                    ends.low,
                    ends.high,
                ]
            )
        )


def test_a_loop_of_each_model_and_group(judged, tmp_path):
    path, truth, passed = judged
    rows = [
        dict(
            model="ab"[q >= 20],
            topic="xy"[q % 2],
            question=q % 20,
            sample=s,
            truth=int(truth[q, s]),
            passed=int(passed[q, s]),
        )
        for q in range(40)
        for s in range(5)
    ]
    found = score(rows, "pass@2", correct="truth", verdict="passed", by="topic").guarded
    sides = {(row.model, row.group): row for row in found.rows}
    assert [one[1] for one in sides] == ["", "x", "y"] * 2 and found.questions == 20
    for (model, group), row in sides.items():
        kept = [q for q in range(40) if "ab"[q >= 20] == model and group in ("", "xy"[q % 2])]
        part = [
            {
                name: value
                for name, value in rows[5 * q + s].items()
                if name not in ("model", "topic")
            }
            for q in kept
            for s in range(5)
        ]
        alone = score(part, "pass@2", correct="truth", verdict="passed").guarded.rows[0]
        assert (row.right, row.slip_interval.low, row.slip_interval.high) == (
            alone.right,
            alone.slip_interval.low,
            alone.slip_interval.high,
        )
    assert "b / y: retried until passed = 1" in flat(
        score(rows, "pass@2", correct="truth", verdict="passed", by="topic")
    )


def test_loops_in_print_and_json(judged):
    found = score(judged[0], "pass@k", correct="truth", verdict="passed")
    last = found.guarded.rows[-1]
    assert (
        f"Retried until passed = 1, at most 5 tries: {100 * last.reported:.1f} % reported,"
        f" {100 * last.right:.1f} % right"
        in flat(found)
    )
    again = Report.from_json(found.to_json())
    assert again == found and again.guarded.rows[-1].slip == last.slip
    done = command(
        "score",
        judged[0],
        "--correct",
        "truth",
        "--verdict",
        "passed",
        "-m",
        "pass@k",
        "-f",
        "json",
    )
    assert done.returncode == 0 and json.loads(done.stdout)["guarded"] == found.guarded.to_dict()


@pytest.mark.parametrize(
    "options, said",
    [
        (dict(verdict="truth"), "must be another column than that of the outcomes"),
        (dict(verdict="liked"), "must be 0 or 1"),
        (dict(verdict="none"), "is not a column"),
        (
            dict(verdict="passed", missing="wrong"),
            "verdict needs missing='raise' or 'drop', got 'wrong'",
        ),
    ],
)
def test_verdicts_that_are_none(judged, options, said):
    with pytest.raises(ValueError, match=said):
        score(judged[0], correct="truth", **options)


def test_a_verdict_without_a_truth():
    rows = [dict(question=q, sample=s, correct=s % 2, passed=1) for q in range(4) for s in range(3)]
    rows[5]["correct"] = None
    with pytest.raises(
        ValueError,
        match="every sample needs an outcome and a verdict, got 11 outcomes and 12 verdicts",
    ):
        score(rows, correct="correct", verdict="passed", missing="drop")
    rows[5] |= dict(correct=1, passed=None)
    with pytest.raises(ValueError):
        score(rows, correct="correct", verdict="passed")
    with pytest.raises(TypeError, match="verdict must be the name of a column, got 3"):
        score(rows, correct="correct", verdict=3)


# Portfolios.


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    rng = np.random.default_rng(1)
    c = np.stack(
        [rng.binomial(6, np.linspace(0, 1, 30)), rng.binomial(6, np.linspace(1, 0, 30))], 1
    )
    path = tmp_path_factory.mktemp("mixed") / "log.csv"
    lines = [
        f"{q},{source},6,{c[q, i]}" for q in range(30) for i, source in enumerate(("cot", "io"))
    ]
    path.write_text("question,source,n,c\n" + "\n".join(lines) + "\n")
    return path, c


def test_every_split_of_two_sources(mixed):
    path, c = mixed
    found = score(path, "pass@k", by="source", portfolio=4)
    want = portfolio_splits(np.full((30, 2), 6), c, 4)
    mix = found.portfolio
    assert (
        mix.sources == ("cot", "io")
        and [list(one.tries) for one in mix.splits] == want.splits.tolist()
    )
    assert [one.estimate for one in mix.splits] == pytest.approx(
        want.means
    ) and mix.best == want.best
    band = simultaneous_band(want.values)
    assert (mix.best_split.low, mix.best_split.high) == pytest.approx(
        (band.low[want.best], band.high[want.best])
    )
    for gain, alone in zip(mix.gains, ([4, 0], [0, 4])):
        gains = simultaneous_band(want.gains(alone), bounds=(-1, 1))
        assert [gain.estimate, gain.low, gain.high] == pytest.approx(
            [x[want.best] for x in (gains.value, gains.low, gains.high)]
        )
    assert "Best split of 4 tries, chosen after looking: cot 2 and io 2, pass@4 =" in flat(found)
    assert "Over cot alone: +" in flat(found)
    assert Report.from_json(found.to_json()) == found
    done = command("score", path, "--by", "source", "--portfolio", 4, "-m", "pass@k", "-f", "json")
    assert done.returncode == 0 and json.loads(done.stdout)["portfolio"] == mix.to_dict()


def test_the_best_split_of_deepscaler(tmp_path):
    import csv

    path = tmp_path / "both.csv"
    with example_path("deepscaler32k_counts.csv").open() as file, path.open("w") as out:
        out.write("question,source,n,c\n")
        for row in csv.DictReader(file):
            for source in ("base", "rl"):
                out.write(f"{row['question_id']},{source},{row['n']},{row['c_' + source]}\n")
    found = score(path, "pass@32", by="source", portfolio=32).portfolio
    assert found.best_split.tries == (21, 11) and found.best_split.estimate == pytest.approx(
        0.8514, abs=5e-5
    )
    assert [round(gain.estimate, 4) for gain in found.gains] == [0.0041, 0.0086]
    assert [gain.significant for gain in found.gains] == [False, True]


@pytest.mark.parametrize(
    "options, said",
    [
        (
            dict(by="source", portfolio=13),
            "portfolio must be at most 12, the samples of all sources, got 13",
        ),
        (dict(by="source", portfolio=0), "portfolio must be at least 1, got 0"),
    ],
)
def test_portfolios_that_cannot_be(mixed, options, said):
    with pytest.raises(ValueError, match=said):
        score(mixed[0], "pass@k", **options)


def test_sources_with_questions_of_their_own():
    with pytest.raises(
        ValueError, match="portfolio=4 needs the column of sources, got None; name it by by=..."
    ):
        score([[1, 0]], portfolio=4)
    rows = [
        dict(question=q, source=s, sample=i, correct=i % 2)
        for q in range(5)
        for s in "ab"
        for i in range(2)
        if (q, s) != (4, "b")
    ]
    with pytest.raises(
        ValueError,
        match=(
            "every source needs every question, got 4 questions in all 2 sources and 1 more in 'a'"
        ),
    ):
        score(rows, by="source", portfolio=2)
    with pytest.raises(
        ValueError, match="split over two sources at least, got 1 in column 'source'"
    ):
        score([row for row in rows if row["source"] == "a"], by="source", portfolio=2)


JUDGED = [
    dict(question=f"q{i // 4}", correct=int(i % 3 == 0), passed=int(i % 2 == 0)) for i in range(24)
]


@pytest.mark.parametrize("kind", ["rows", "csv", "parquet"])
def test_the_column_of_verdicts_is_no_outcome(kind, tmp_path):
    """Both columns are called as outcomes are; the one that is named for the verdicts is not in
    question."""
    import polars as pl

    data = JUDGED
    if kind != "rows":
        data = tmp_path / f"log.{kind}"
        getattr(pl.DataFrame(JUDGED), f"write_{kind}")(data)
    found, named = score(data, verdict="passed"), score(data, verdict="passed", correct="correct")
    assert found.guarded == named.guarded and len(found.guarded.rows) == 4


@pytest.mark.parametrize(
    "change, given, said",
    [
        (
            {},
            dict(verdict="nope", ignore="passed"),
            "^verdict='nope' is not a column, got 'question', 'correct', 'passed'",
        ),
        ({}, dict(labels="nope", ignore="passed"), "^labels='nope' is not a column, got"),
        (
            dict(passed=2),
            dict(verdict="passed"),
            "^verdict='passed': correct must be 0 or 1, got 2 at question q0",
        ),
        (dict(passed=None), dict(verdict="passed"), "^verdict='passed': 1 sample has no outcome"),
        (
            dict(passed=2),
            dict(correct="correct", labels="passed"),
            "^labels='passed': correct must be 0 or 1, got 2 at question q0",
        ),
    ],
)
def test_faults_of_verdicts_and_labels_name_their_column(change, given, said):
    rows = [dict(row, **change) if i == 1 else row for i, row in enumerate(JUDGED)]
    with pytest.raises(OptionError, match=said):
        score(rows, **given)


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(verdict="passed"), "a verdict needs a table with a column of it, got outcomes alone"),
        (
            dict(cost="usd"),
            "^cost= is for files and frames, but a table of outcomes has no columns",
        ),
        (dict(labels="human"), "labels need a table with a column of verdicts, got outcomes alone"),
    ],
)
def test_outcomes_alone_have_no_further_column(given, said):
    with pytest.raises(OptionError, match=said):
        score([[1, 0], [1, 1]], **given)


# Totals of runs, copies and numbers of samples, over all outcomes of small designs.


def test_the_tail_of_a_run_is_that_of_all_permutations():
    outcomes = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1]])
    sums = np.array([0])
    for row in outcomes:
        sums = np.add.outer(sums, [row[list(o)][0] for o in permutations(range(3))]).ravel()
    for total in range(5):
        want = min(1, 2 * min((sums <= total).mean(), (sums >= total).mean()))
        assert poisson_binomial_test(total, outcomes.mean(1)) == pytest.approx(want)


def test_tails_by_hand():
    for total, p in (
        (0, 2 * 0.5**10),
        (1, 2 * 11 * 0.5**10),
        (5, 1),
        (9, 2 * 11 * 0.5**10),
        (10, 2 * 0.5**10),
    ):
        assert poisson_binomial_test(total, np.full(10, 0.5)) == pytest.approx(p)
    assert poisson_binomial_test(0, np.full(60, 0.5)) == pytest.approx(2 * 0.5**60, rel=1e-12)


def test_a_normal_tail_by_hand(monkeypatch):
    means = np.repeat([0.25, 0.5], [400, 200])
    exact = [poisson_binomial_test(total, means) for total in (170, 185, 230)]
    monkeypatch.setattr(runs, "LARGE", 599)
    for total in (170, 230):
        want = erfc((abs(total - 200) - 0.5) / sqrt(2 * (400 * 3 / 16 + 200 / 4)))
        assert poisson_binomial_test(total, means) == pytest.approx(want, rel=1e-12)
    assert poisson_binomial_test(200, means) == 1
    assert [poisson_binomial_test(total, means) for total in (170, 185, 230)] == pytest.approx(
        exact, rel=0.2
    )
    monkeypatch.undo()
    # No p value of the approximation is below 1e-12.
    assert (
        poisson_binomial_test(0, np.full(LARGE, 0.5))
        < 1e-12
        == poisson_binomial_test(0, np.full(LARGE + 1, 0.5))
    )


# Copies.


def test_copies_of_every_run():
    kinds = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 1]])
    p, times = bound_copies(kinds)
    # Two flaky questions, three ways to divide four runs in pairs.
    assert (
        times == 2
        and p == pytest.approx(3 * bound_one_copy(2, 2) ** 2)
        and bound_one_copy(2, 2) == pytest.approx(1 / 7, rel=2e-3)
    )
    for other in (
        [[1, 0, 0], [0, 1, 1]],
        [[1, 1], [0, 0]],
        [[1, 0, 1, 1]],
        [[1, 0, 1, -1], [1, 0, 1, -1]],
        [[1, -1, 1, -1], [0, 1, 0, 1]],
        [[2, 0, 2, 0], [0, 1, 0, 1]],
    ):
        assert bound_copies(np.array(other)) == (1.0, 1)


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 5), Fraction(9, 10)])
def test_no_difficulty_gives_copies_more_often_than_the_bound(p):
    groups = [(0, 1), (2, 3)]
    chance = sum(
        (
            p ** sum(row) * (1 - p) ** (4 - sum(row))
            for row in product((0, 1), repeat=4)
            if 0 < sum(row) < 4 and all(row[a] == row[b] for a, b in groups)
        ),
        Fraction(0),
    )
    assert float(chance / (1 - p**4 - (1 - p) ** 4)) <= bound_one_copy(2, 2)


# Numbers of samples that depend on outcomes.


def test_fishers_test_of_first_samples():
    n, first = np.array([1] * 4 + [4] * 4), np.array([1, 1, 1, 1, 0, 0, 0, 0])
    assert (
        first_sample_test(n, first) == pytest.approx(2 / comb(8, 4))
        and first_sample_test(np.full(8, 3), first) == 1
    )
    assert first_sample_test(n, 1 - first) == pytest.approx(2 / comb(8, 4))
    for right, total, few in ((3, 7, 4), (6, 7, 5), (0, 5, 2), (5, 5, 3)):
        first = np.arange(total) < right
        chances = [
            comb(right, j) * comb(total - right, few - j) / comb(total, few) for j in range(few + 1)
        ]
        seen = int(first[:few].sum())
        want = min(1, 2 * min(sum(chances[: seen + 1]), sum(chances[seen:])))
        assert first_sample_test(np.where(np.arange(total) < few, 1, 2), first) == pytest.approx(
            want, rel=1e-12
        )


def test_last_samples_of_short_questions():
    n, c = np.array([2, 2, 3, 4]), np.array([1, 1, 2, 2])
    every = [Fraction(1, 2), Fraction(1, 2), Fraction(2, 3)]
    assert last_sample_test(n, c, np.array([1, 1, 1, 0])) == pytest.approx(float(2 * prod(every)))
    assert last_sample_test(np.full(4, 2), c, np.ones(4, int)) == 1


def test_stopping_is_bounded_over_all_difficulties():
    assert bound_stopping(np.array([1, 2, 3, 5, 5])) == pytest.approx(1 / 2 * 4 / 9)
    assert bound_stopping(np.array([1, 2, 3, 5, 5]), True) == pytest.approx(1 / 4 * 4 / 27)


def test_reruns_are_bounded_over_all_difficulties():
    n, c = np.array([1] * 15 + [4] * 15), np.array([1] * 15 + [2] * 15)
    p = bound_reruns(n, c)
    share = np.linspace(0, 1, 1001)
    assert (
        p == pytest.approx(2 * (share * (1 - share**4)).max() ** 15, rel=0.01)
        and bound_reruns(n, n - c) == p
    )
    assert (
        bound_reruns(n, np.minimum(n, 1) * 0 + c * 0) == 1
        and bound_reruns(np.full(3, 2), np.full(3, 1)) == 1
    )
    c[20] = 4
    assert bound_reruns(n, c) == 1


@pytest.mark.parametrize(
    "test, sizes",
    [
        (bound_reruns, (1, 1, 2, 2)),
        (bound_reruns, (1, 1, 1, 3, 3)),
        (bound_shares, (1, 1, 2, 2)),
        (bound_shares, (1, 1, 1, 1, 2, 2)),
    ],
)
def test_bounds_hold_at_every_level_and_difficulty(test, sizes):
    "The chance of p <= level, over all counts, for difficulties that are mixtures of two."
    n = np.array(sizes)
    for low, high, share in (
        (0.5, 0.5, 1),
        (0.1, 0.9, 0.5),
        (0, 0.8, 0.3),
        (0.67, 0.67, 1),
        (0.5, 1, 0.8),
    ):
        found = []
        for c in product(*(range(size + 1) for size in sizes)):
            chance = prod(
                comb(size, r)
                * (
                    share * low**r * (1 - low) ** (size - r)
                    + (1 - share) * high**r * (1 - high) ** (size - r)
                )
                for size, r in zip(sizes, c)
            )
            found.append((test(n, np.array(c)), chance))
        for level in sorted({p for p, _ in found}):
            assert sum(o for p, o in found if p <= level) <= level + 1e-12


def test_shares_of_two_sizes():
    n, c = np.array([1] * 40 + [4] * 40), np.array([1] * 40 + [1] * 40)
    assert bound_shares(n, c) < 1e-6 and bound_shares(n, np.where(n == 1, 0, 3)) < 1e-6
    assert bound_shares(np.full(4, 2), np.array([0, 1, 2, 2])) == 1 and bound_shares(n, n) == 1


@pytest.mark.parametrize(
    "table, first, last",
    [
        ([[1, 1, 0], [1, 0, 0]], True, False),
        ([[0, 1, 1], [0, 0, 1]], False, True),
        ([[1, 0, 1]], False, False),
        ([[1, 1], [0, 0]], False, False),
        ([[1, 0], [0, 1]], False, False),
        ([[1, 0, -1], [1, 1, 0]], True, False),
        ([[1, 0, -1], [-1, 0, 1]], False, False),
    ],
)
def test_samples_in_order_of_their_outcomes(table, first, last):
    assert mark_sorted(np.array(table)).tolist() == [first, last]


@pytest.mark.parametrize(
    "groups, each, ways",
    [(2, 2, 3), (3, 2, 2 * 15), (2, 3, 2 * 10), (4, 2, 2 * 105), (2, 4, 2 * 35), (3, 3, 280)],
)
def test_copies_over_all_ways_to_divide_the_runs(groups, each, ways):
    "Six runs are three pairs in 15 ways and two triples in 10, and either might be looked for."
    size = groups * each
    parts = [part for part in range(2, size) if size % part == 0]
    split = factorial(size) // factorial(each) ** groups // factorial(groups)
    assert ways == len(parts) * split
    own = np.array([[int(run % groups == 0) for run in range(size)]] * 9 + [[1] * size])
    for run in range(groups):
        own[run, run::groups] = 1 - own[run, run::groups]
    p, times = bound_copies(own)
    flaky = sum(0 < sum(row) < size for row in own.tolist())
    want = ways * bound_one_copy(groups, each) ** flaky
    assert times == each and p == pytest.approx(want, rel=1e-9, abs=0)


@pytest.mark.parametrize(
    "n, c",
    [
        ([1] * 12 + [4] * 9, [1] * 11 + [0] + [1, 0, 2, 1, 1, 0, 3, 1, 0]),
        ([2] * 9 + [3] * 14, [0] * 9 + [1, 2, 3, 3, 2, 1, 2, 3, 3, 2, 1, 2, 3, 3]),
        ([1] * 8 + [2] * 8, [1] * 8 + [0, 1] * 4),
    ],
)
def test_shares_of_two_sizes_by_their_formula(n, c):
    "Chernoff's bounds of both groups, at the mean where their product is largest."
    n, c = np.array(n), np.array(c)
    few, share = n == n.min(), c / n

    def exponent(mean):
        return sum(
            group.sum() * (rel_entr(own, mean) + rel_entr(1 - own, 1 - mean))
            for group, own in ((few, share[few].mean()), (~few, share[~few].mean()))
        )

    least = minimize_scalar(exponent, bounds=(1e-9, 1 - 1e-9), method="bounded").fun
    assert bound_shares(n, c) == pytest.approx(2 * exp(-least) * (1 + least), rel=1e-4)
