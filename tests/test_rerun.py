"Reruns: facts against vectors and listings, intervals against a grid, tests of runs against all orders."
import json
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, isnan, nan, prod
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import (Counts, flaky_at_k, pass_at_k, pass_hat_k, rerun_facts, run_effect,
                           runs_too_alike)
from sampling_eval.examples import example_path
from sampling_eval.inference import rerun, run_tests
from sampling_eval.inference.gaffke import gaffke_limits, tail_chance
from sampling_eval.inference.rerun import difference_distribution, farthest, flip_chance, icc_limits, least_questions, poisson_binomial, spread
from sampling_eval.inference.run_tests import cochran_test, pair_test, rough_cochran, share_disagreeing
from sampling_eval.inference.units import units_of
from scripts import load_script, read_example

VECTORS = json.loads((Path(__file__).parent / "vectors" / "reruns.json").read_text("utf-8"))
FACTS = ["one_run_variance", "one_run_sd", "least_difference_95", "flip_rate", "flaky_share", "msb", "msw", "icc"]
TABLES = [(np.array(case["table"]), case) for case in VECTORS["tables"]]
sized = pytest.mark.parametrize("table, case", TABLES, ids=[f"{len(t)}x{t.shape[1]}" for t, _ in TABLES])


def same(found, want): assert found is want is None or found == pytest.approx(want, rel=2e-15, abs=1e-16)


@sized
def test_facts_of_the_vectors(table, case):
    found = rerun_facts(table.shape[1], table.sum(1))
    for name in FACTS: same(getattr(found, name), case[name])
    assert found.least_questions_exact == case["least_questions_exact"]
    for k, want in case["flaky_at"].items():
        if k != "exact": same(flaky_at_k(table.shape[1], table.sum(1), int(k)).mean(), want)
        if k != "exact": same(found.flaky_at(int(k)).value, want)


@pytest.mark.parametrize("case", VECTORS["counts"])
def test_facts_of_counts_of_unequal_size(case):
    found = rerun_facts(case["n"], case["c"])
    for name in [*FACTS, "n0"]: same(getattr(found, name), case[name])
    same(found.one_run_variance / case["m"], case["m_runs_variance"])
    same(found.least_difference(case["m"]), case["least_difference_95_m_runs"])
    assert (found.n_min, found.n_max) == (min(case["n"]), max(case["n"]))


@sized
def test_pairs_and_cochran_of_the_vectors(table, case):
    pairs = runs_too_alike(table)
    assert [[a, b] for a, b in zip(pairs.first.tolist(), pairs.second.tolist())] == [o["runs"] for o in case["pairs"]]
    assert pairs.differ.tolist() == [o["discordant"] for o in case["pairs"]]
    assert (pairs.shared == len(table)).all()
    assert pairs.p == pytest.approx([o["p"] for o in case["pairs"]], abs=1e-13)
    assert pairs.holm == pytest.approx([o["holm"] for o in case["pairs"]], abs=1e-13)
    found = run_effect(table)
    want = [nan if case[name] is None else case[name] for name in ("cochran_q", "cochran_p_too_spread", "cochran_p_too_alike")]
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
        want["questions"], want["tries"], want["least_difference_questions_exact"])
    for name in FACTS: same(getattr(found, name), want[{"least_difference_95": "least_difference"}.get(name, name)])
    pairs, effect = runs_too_alike(table), run_effect(table)
    assert pairs.differ.tolist() == [o["discordant"] for o in want["pairs"]]
    assert pairs.p == pytest.approx([o["p"] for o in want["pairs"]], abs=1e-13)
    assert effect.q == pytest.approx(want["cochran_q"], abs=1e-12)
    drawn = effect.method == "permutation"
    assert [effect.p, effect.p_alike] == pytest.approx([want["cochran_p_upper"], want["cochran_p_lower"]], abs=.02 if drawn else 1e-12)


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
    got = [len(table), found.one_run_sd, found.least_difference_95, found.least_questions_exact, found.flip_rate, found.flaky_share,
           found.icc]
    for value, text in zip(got, want): assert value == pytest.approx(float(text), abs=.51 * 10.**-len(text.partition(".")[2]))
    tails = list(map(float, want[-2:]))
    assert [effect.p, effect.p_alike] == pytest.approx(tails, abs=.02 if effect.method == "permutation" else 5.1e-4)


def test_least_questions_against_a_list_of_all_steps():
    f, level = [Fraction(1, 2), Fraction(2, 3), Fraction(0), Fraction(1), Fraction(1, 6), Fraction(1, 2)], Fraction(1, 20)
    law = Counter({0: Fraction(1)})
    for x in f:
        new = Counter()
        for d, chance in law.items():
            for step, weight in (-1, x / 2), (0, 1 - x), (1, x / 2): new[d + step] += chance * weight
        law = new
    floats = np.array(f, float)
    assert difference_distribution(floats, np.ones(6, int)) == pytest.approx([float(law[d]) for d in range(7)], abs=1e-15)
    for level in Fraction(1, 20), Fraction(1, 3), sum(w for d, w in law.items() if abs(d) >= 3):
        want = next(d for d in range(1, 9) if sum(w for x, w in law.items() if abs(x) >= d) <= level)
        assert least_questions(floats, np.ones(6, int), float(level)) == want


def test_a_large_log_takes_the_normal_threshold():
    found = rerun_facts(10, np.repeat([3, 5, 9], 40_000))
    assert found.least_questions_exact == pytest.approx(found.least_difference_95 * 120_000, abs=1.)


def test_flips_and_flaky_questions_keep_their_digits():
    assert flip_chance(10**9, 1) == pytest.approx(2e-9, rel=1e-15)
    for c in 1, 10**6 - 1: assert flaky_at_k(10**6, c, [1, 2, 5]) == pytest.approx([0, 2e-6, 5e-6], rel=1e-14)
    n, c = 30, np.arange(31)
    want = pass_at_k(n, c, np.arange(1, 31)) - pass_hat_k(n, c, np.arange(1, 31))
    assert flaky_at_k(n, c, np.arange(1, 31)) == pytest.approx(want, abs=1e-15)
    assert flaky_at_k(n, c, 2) == pytest.approx(flip_chance(n, c), rel=1e-14)
    assert isinstance(flaky_at_k(4, 2, 2), np.float64) and flaky_at_k([4, 5], [2, 1], [1, 2]).shape == (2, 2)


def test_two_systems_and_other_levels():
    a, b = rerun_facts(4, [2, 2, 0, 4]), rerun_facts(4, [1, 4, 4, 4])
    assert a.least_difference(other=b) == pytest.approx(1.959963984540054 * (a.one_run_variance + b.one_run_variance)**.5)
    assert a.least_difference(4) == pytest.approx(a.least_difference_95 / 2)
    assert a.least_difference(confidence_level=.9) == pytest.approx(a.least_difference_95 * 1.6448536269514722 / 1.959963984540054)
    for tries in (0, 1.5, True):
        with pytest.raises((ValueError, TypeError), match="tries"): a.least_difference(tries)
    with pytest.raises(ValueError, match="same questions, got 4 and 2"): a.least_difference(other=rerun_facts(2, [1, 2]))


# Intervals.

def test_intervals_are_one_number_in_other_units():
    found = rerun_facts(4, np.repeat(np.arange(5), [14, 12, 10, 4, 10]))
    flips = found.interval("flip_rate", .9)
    sizes = gaffke_limits(units_of(flip_chance(4, np.arange(5)), bounds=(0, 2 / 3), times=[14, 12, 10, 4, 10]), .05)
    assert (flips.low, flips.high) == pytest.approx([float(end[0]) for end in sizes])
    variance, deviation, least = (found.interval(name, .9) for name in ("one_run_variance", "one_run_sd", "least_difference_95"))
    for a, b, c, d in zip(*((o.low, o.high) for o in (flips, variance, deviation, least))):
        assert (b, c, d) == pytest.approx((a / 100, (a / 100)**.5, 1.959963984540054 * (a / 50)**.5))
    assert found.interval("flaky_share").method == "clopper-pearson" and "approximate" not in found.interval("icc").method
    assert "approximate" in found.interval("least_questions_exact").method
    assert (found.interval("least_questions_exact").low, found.interval("least_questions_exact").high) == (7, 10)


@pytest.mark.parametrize("n, c", [([4] * 50, [0] * 14 + [1] * 12 + [2] * 10 + [3] * 4 + [4] * 10), ([2, 3, 3, 5, 9] * 3, [2, 1, 0, 5, 3] * 3),
                                  ([3] * 6, [0, 3, 3, 0, 1, 3])])
def test_the_interval_of_the_icc_on_a_grid(n, c):
    "The ends are the widest over all means that are not refuted: a grid of means, each with its own tail."
    facts, level = rerun_facts(n, c), .9
    kinds, miss = facts.kinds, .05
    edges = [float(end[0]) for end in gaffke_limits(units_of(kinds.c / kinds.n, times=kinds.times), .1 * miss)]
    low, high, _ = icc_limits(facts, level)
    for mean in np.linspace(*edges, 41):
        for share, side in (1 - low, 1), (1 - high, -1):
            if share in (0, 1): continue
            z = side * spread(kinds.n, kinds.c, np.array([share]), np.array([mean]))
            every = [side * spread(np.array(m), np.arange(m + 1), np.array([share]), np.array([mean])).max() if side > 0 else
                     (side * spread(np.array(m), np.arange(m + 1), np.array([share]), np.array([mean]))).max() for m in set(n)]
            end = farthest(np.unique(n), np.array([share]), np.array([mean]), side)
            assert end[0] == pytest.approx(max(every), rel=1e-12)
            # At the end that was found no mean keeps more than the tail, and one has just the tail.
            assert tail_chance(np.hstack([z, end[:, None]]), np.r_[kinds.times, 1.])[0] <= .9 * miss * (1 + 1e-4)
    assert low <= facts.icc <= high or facts.interval("icc", level).low <= facts.icc


def test_no_interval_without_the_fact():
    equal = rerun_facts(3, [3, 3])
    assert equal.icc is None and rerun_facts(3, [2]).icc is None and rerun_facts(3, [2]).msb is None
    with pytest.raises(ValueError, match="no ICC"): equal.interval("icc")
    with pytest.raises(ValueError, match="name must be 'one_run_variance'.*got 'sd'"): equal.interval("sd")
    assert repr(equal).endswith("ICC none)") and rerun_facts(3, [3, 0]).icc == 1
    assert equal.interval("flip_rate").low == 0 < equal.interval("flip_rate").high


def test_the_adversary_found_no_law_that_breaks_them():
    cells = [row for row in read_example("worst_case.csv") if row["kind"].startswith("rerun")]
    assert {row["method"] for row in cells} == {"flip rate", "flaky share", "ICC", "least questions"}
    assert not list(filter(load_script("bench/worst_case.py").broken, cells))
    assert max(float(row["misses"]) for row in cells if row["aim"]) <= 1


def test_the_adversarys_tables():
    lab = load_script("bench/worst_case.py")
    times, chance = lab.chance_of_counts(lab.cells_of(2, [.2, .5, .5]))
    want = Counter()
    for c in product(range(3), repeat=3):
        weight = prod(comb(2, x) * p**x * (1 - p)**(2 - x) for x, p in zip(c, (.2, .5, .5)))
        want[tuple(c.count(x) for x in range(3))] += weight
    assert {tuple(row): one for row, one in zip(times.tolist(), chance)} == pytest.approx(dict(want))


# What is refused.

@pytest.mark.parametrize("n, c, said", [
    ([4, 1], [2, 1], r"need n >= 2 tries of every question, got n=1 at question 1 \(1 of 2 fail\)"), ([2], [3], "0 <= c <= n"),
    ([2], [-1], "0 <= c <= n"), (2, [[1], [2]], r"one per question, got shape \(2, 1\)"), ([], [], "at least one")])
def test_counts_that_say_nothing(n, c, said):
    with pytest.raises(ValueError, match=said): rerun_facts(n, c)


def test_counts_of_another_kind():
    with pytest.raises(TypeError, match="c must hold integers"): rerun_facts([4], [.5])
    with pytest.raises(TypeError, match="type counts = counts_of"): rerun_facts([[1, 0], [0, 1]])


@pytest.mark.parametrize("test", [runs_too_alike, run_effect])
def test_runs_that_are_not_known(test):
    for given in (Counts([4, 4], [1, 2]), [3, 2, 0]):
        with pytest.raises(TypeError, match="the run of each try is needed, got counts"): test(given)
    with pytest.raises(ValueError, match="rows of 2 to 3 tries"): test([[1, 0], [1, 0, 1]])
    with pytest.raises(ValueError, match="two runs at least"): test([[1], [0]])
    with pytest.raises(ValueError, match=r"must be 0 or 1, got 2 at question 1 \(1 of 2 fail\)"): test([[1, 0], [2, 1]])
    with pytest.raises(TypeError, match="got dtype"): test([["a", "b"], ["b", "a"]])


def test_what_cannot_be_seen():
    assert runs_too_alike([[1, 0], [0, 1], [1, 1]]).blind and (runs_too_alike([[1, 0], [1, 0]]).p == 1).all()
    copies = np.repeat([[1], [0], [1]], 5, axis=1)
    assert runs_too_alike(copies).blind and isnan(run_effect(copies).q) and isnan(run_effect(copies).p_alike)
    assert not runs_too_alike([[1, 0, 0], [1, 1, 0]]).blind


# Tests of runs.

def test_a_sum_of_coins_in_fractions():
    means = [Fraction(1, 4), Fraction(2, 3), Fraction(0), Fraction(1), Fraction(2, 3), Fraction(1, 7)]
    law = Counter()
    for outcome in product((0, 1), repeat=len(means)):
        law[sum(outcome)] += prod(p if x else 1 - p for p, x in zip(means, outcome))
    assert poisson_binomial(np.array([float(p) for p in means])) == pytest.approx([float(law[t]) for t in range(7)], rel=1e-14)
    assert poisson_binomial(np.array([])).tolist() == [1] and poisson_binomial(np.full(1000, .5))[0] == pytest.approx(.5**1000, rel=1e-12)


def orders(kinds):
    "All tables that have the samples of each question in another order, absent ones in place."
    rows = []
    for row in kinds.tolist():
        here = [i for i, one in enumerate(row) if one != -1]
        found = []
        for order in permutations([row[i] for i in here]):
            new = list(row)
            for i, one in zip(here, order): new[i] = one
            found.append(new)
        rows.append(found)
    return np.array(list(product(*rows)))


@pytest.mark.parametrize("table", [[[1, 0, 0], [1, 1, 0], [0, 1, 0]], [[3, 3, 1], [0, -1, 0], [1, 2, -1], [0, 0, 5]],
                                   [[0, 1, -1, 1], [1, 1, 0, 1]]])
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
        assert p == pytest.approx(float(want), rel=1e-12) or p == 1 and (kinds == -1).any() and differ >= mean
        assert (kinds[both, a] != kinds[both, b]).sum() == differ
    n = (kinds != -1).sum(1)
    assert share_disagreeing(kinds)[n < 2].tolist() == [0] * int((n < 2).sum())


@pytest.mark.parametrize("table", [[[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1]], [[1, 0, 0, 1], [1, 1, 0, 1]],
                                   [[1, 0], [1, 0], [0, 1], [1, 0]], [[1, 0, 1], [1, 0, -1], [0, 0, 1]]])
def test_cochran_against_all_orders(table):
    outcomes = np.array(table)
    whole = outcomes[(outcomes != -1).all(1)]
    squares = (orders(whole).sum(1)**2).sum(1)
    seen = (whole.sum(0)**2).sum()
    found = cochran_test(outcomes)
    assert [found.p, found.p_alike] == pytest.approx([(squares >= seen).mean(), (squares <= seen).mean()])


def test_cochran_permuted_and_approximated(monkeypatch):
    outcomes = (np.random.default_rng(3).random((40, 4)) < [.3, .4, .5, .6]).astype(int)
    exact = cochran_test(outcomes)
    monkeypatch.setattr(rerun, "STATES", 0)
    drawn = cochran_test(outcomes)
    assert (exact.method, drawn.method, drawn.permutations) == ("exact", "permutation", 9999)
    assert abs(drawn.p_alike - exact.p_alike) < .02
    assert drawn == cochran_test(outcomes) and abs(drawn.p - exact.p) < 4 * (exact.p * (1 - exact.p) / 9999)**.5 + 1e-4
    monkeypatch.setattr(run_tests, "SPACE", 0)
    rough = cochran_test(outcomes)
    assert rough.method == "chi-square" and rough.p == pytest.approx(exact.p, rel=.3)
    monkeypatch.undo()
    assert rough_cochran(outcomes) == rough.p and rough_cochran(np.ones((3, 3), int)) == 1
    assert cochran_test((np.random.default_rng(0).random((60, 64)) < .5).astype(int), 99).method == "permutation"
