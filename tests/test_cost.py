"Spend until the first success: fractions, vectors, refusals; cost per solved and equal spend."
import json
import subprocess
import sys
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from closeness import assert_close
from sampling_eval import cost_per_solved, mean_costs, pass_at_k, read, spend_at_k
from sampling_eval.examples import example_path
from sampling_eval.inference.spending import (at_equal_spend, best_budget, fieller_limits,
                                              find_frontier, ratio_chances, units_of_spending)
from sampling_eval.inference.weights import check_weights

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
        if one["spend_per_solved"] is None: continue
        assert_close(cost_per_solved(spend, solved).value, one["spend_per_solved"], rtol=1e-12)
    counts = read(example_path("humaneval")).counts()
    for one in KNOWN["humaneval"]:
        spend = spend_at_k(counts.n, counts.c, one["k"])
        solved = pass_at_k(counts.n, counts.c, one["k"])
        assert_close([spend.mean(), solved.mean(), cost_per_solved(spend, solved).value],
                     [one["tries"], one["pass_at_k"], one["tries_per_solved"]], rtol=1e-12)


def list_spend(correct, cost, k):
    "Mean over all orders of what is paid until the first right one, or the k-th."
    total = orders = 0
    for order in permutations(range(len(cost))):
        for i in order[:k]:
            total += cost[i]
            if correct[i]: break
        orders += 1
    return Fraction(total, orders)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_order(n):
    cost = [7, 1, 4, 2, 9][:n]
    for marks in range(2**n):
        correct = [marks >> i & 1 for i in range(n)]
        counts = mean_costs([correct], [cost])
        found = spend_at_k(*counts[:2], range(1, n + 1), right=counts[2], wrong=counts[3])
        wanted = [[float(list_spend(correct, cost, k)) for k in range(1, n + 1)]]
        assert_close(found, wanted, rtol=1e-14)


def test_large_numbers():
    n, c, k = 10**6, np.array([0, 1, 7, 10**5, 10**6 - 1, 10**6]), 200_000
    wanted = [float(Fraction(n + 1, int(one) + 1) * (1 - miss_share(n, int(one), k))) for one in c]
    assert_close(spend_at_k(n, c, k), np.array(wanted) - [float(all_missed(n, int(o), k)) for o in c],
                 rtol=1e-9)
    few = spend_at_k(n, c, [1, 50])
    assert_close(few[:, 0], np.ones(len(c)), rtol=0)


def miss_share(n, c, k):
    "Chance that `k + 1` draws miss all of `c + 1` right ones among `n + 1`, exactly where it counts."
    return all_missed(n + 1, c + 1, k + 1)


def all_missed(n, c, k):
    if c > 1000: return Fraction(0)
    share = Fraction(1)
    for i in range(c): share *= Fraction(n - k - i, n - i)
    return share


def test_shapes():
    assert isinstance(spend_at_k(4, 1, 2), np.float64)
    assert spend_at_k([[4], [5]], [1, 2, 3], [1, 2, 3]).shape == (2, 3, 3)
    assert spend_at_k([4, 4], [0, 4], 2, right=[np.nan, 3], wrong=[2, np.inf]).tolist() == [4, 3]
    one = spend_at_k([4, 4], [1, 2], [1, 2], right=[1, 2], wrong=3)
    assert_close(one[:, 1], spend_at_k([4, 4], [1, 2], 2, right=[1, 2], wrong=3), rtol=0)


@pytest.mark.parametrize("call, kind, said", [
    (lambda: spend_at_k(4, 1, 2, right=-1), ValueError, "cost right >= 0, got -1.0"),
    (lambda: spend_at_k([4, 4], [1, 2], 2, wrong=[1, np.nan]), ValueError, "wrong >= 0, got nan at question 1"),
    (lambda: spend_at_k(4, 1, 2, right=np.inf), ValueError, "got inf"),
    (lambda: spend_at_k(4, 1, 2, right="3"), TypeError, "right must hold numbers"),
    (lambda: spend_at_k([4, 4], [1, 1], 2, right=[1, 2, 3]), ValueError, "shape (2,), got shape (3,)"),
    (lambda: spend_at_k(4, 1, 5), ValueError, "need 1 <= k <= n"),
    (lambda: mean_costs([[1, 0]], [[1]]), ValueError, "got 2 and 1 at question 0"),
    (lambda: mean_costs([[1, 0]], [[1, None]]), ValueError, "cost >= 0, got nan at question 0 (1 of 2 fail)"),
    (lambda: mean_costs([[1, 0]], [[1, -2]]), ValueError, "got -2.0"),
    (lambda: cost_per_solved([1, 2], [0, 0]), ValueError, "got none of 2"),
    (lambda: cost_per_solved([1, -2], [0, 1]), ValueError, "spend >= 0, got -2.0"),
    (lambda: cost_per_solved([1, 2], [0, 2]), ValueError, "0 <= solved <= 1, got 2.0"),
    (lambda: cost_per_solved([1, 5], [0, 1], cap=4), ValueError, "spend <= cap=4, got 5.0 at question 1"),
    (lambda: cost_per_solved([1, 2], [0, 1], cap=4, least=4), ValueError, "least < cap"),
    (lambda: cost_per_solved([1, 2], [1]), ValueError, "one number per question"),
    (lambda: best_budget([[1, 2]], [[.5, 1]], [1, 2], 0), ValueError, "value > 0, got 0"),
    (lambda: best_budget([[1, 2]], [[.5, 1]], [2, 1], 3), ValueError, "budgets rising"),
    (lambda: best_budget([[1, 2]], [[.5, 1]], [1, 2], 3, cap=.5), ValueError, "spend <= k * cap"),
    (lambda: at_equal_spend([[1, 2]], [[.5, 1]], [[1, 2]], [[.5, 1]], spend=3), ValueError, "the most that both"),
    (lambda: at_equal_spend([[1, 2]], [[.5, 1]], [[1], [2]], [[.5], [1]]), ValueError, "a row for each question"),
])
def test_refusals(call, kind, said):
    with pytest.raises(kind) as told: call()
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
            assert_close(chance, .025, rtol=1e-6)


def test_level_is_promised_only_where_something_bounds_a_unit():
    spend, solved, groups = [1., 2, 3, 2], [1, .5, 0, 1], ["a", "a", "b", "c"]
    def named(**given): return cost_per_solved(spend, solved, cap=3, **given).interval.method
    assert named() == named(weights=check_weights([1, 1, 2, 1], 4)) == "gaffke, inverted"
    assert named(cluster=["a", "a", "b", "b"]) == "gaffke, inverted over 2 clusters"
    assert named(cluster=groups) == "gaffke, inverted over 3 clusters (approximate: assumes no cluster larger than 2)"
    assert named(weights=check_weights([1, 1, 2, 1])) == "gaffke, inverted (approximate: assumes no larger weight than 2)"


def test_ratio_of_all_solved_is_a_mean():
    from sampling_eval.inference.gaffke import gaffke_interval
    spend = np.random.default_rng(0).random(20) * 3
    found = cost_per_solved(spend, np.ones(20), cap=3).interval
    low = gaffke_interval(spend, bounds=(0, 3))[0]
    assert found.low <= low + 1e-9 and found.high > spend.mean()
    root = fieller_limits(units_of_spending(np.stack([spend, np.ones(20)], 1)), .025)
    from scipy.stats import t
    half = t.ppf(.975, 19) * spend.std(ddof=1) / 20**.5
    assert_close(np.array(root), spend.mean() + np.array([-half, half]), rtol=1e-9)


def test_fieller_without_an_end():
    assert cost_per_solved([1, 2, 3], [0, 0, .5]).interval.high == np.inf
    assert cost_per_solved([1.], [1.]).interval.high == np.inf
    assert np.isfinite(cost_per_solved([1.], [1.], cap=2).interval.high)


def test_scale_does_not_matter():
    spend, solved = np.array([1., 2, 4, 4]), np.array([1, .5, 0, .2])
    one, many = (cost_per_solved(spend * size, solved, cap=4 * size) for size in (1, 1e-6))
    assert_close(np.array([many.interval.low, many.interval.high]) * 1e6,
                 np.array([one.interval.low, one.interval.high]), rtol=1e-6)


def test_many_questions():
    rng = np.random.default_rng(0)
    spend, solved = rng.random(3000) * 3, (rng.random(3000) < .5) * 1.
    exact, plain = cost_per_solved(spend, solved, cap=3).interval, cost_per_solved(spend, solved).interval
    assert abs(exact.low - plain.low) < .01 and 0 <= exact.high - plain.high < .02


def test_best_budget():
    k = np.arange(1, 9)
    c = np.repeat([0, 1, 8], 40)
    spend, solved = spend_at_k(8, c, k), pass_at_k(8, c, k)
    dear, cheap = (best_budget(spend, solved, k, value, cap=1) for value in (1.2, 100))
    assert (dear.k, cheap.k) == (1, 8) and 1 in dear.possible and 8 not in dear.possible
    assert (dear.band.low <= dear.net).all() and (dear.net <= dear.band.high).all()
    assert 1 not in cheap.possible and best_budget(spend, solved, k, 100).k == 8
    assert best_budget(spend[:1], solved[:1], k, 2.).possible == tuple(range(1, 9))
    flat = best_budget(np.ones((3, 2)), np.ones((3, 2)), [1, 2], 5.)
    assert flat.k == 1 and flat.band.method == "none: no spread"


def test_equal_spend():
    k, c = np.arange(1, 9), np.repeat([0, 1, 4, 8], 10)
    one = spend_at_k(8, c, k), pass_at_k(8, c, k)
    same = at_equal_spend(*one, *one)
    assert same.difference == 0 and round(same.k_a, 9) == round(same.k_b, 9) == 8
    assert (same.interval.low, same.interval.high) == (-1, 1), "equal questions show no spread"
    half = at_equal_spend(*one, one[0] / 2, one[1], spend=1.)
    assert half.k_a == 1 and half.difference > 0 and half.interval.low > 0
    assert_close(np.interp(2., np.r_[0, one[0].mean(0)], np.r_[0, one[1].mean(0)]), half.b, rtol=1e-12)
    back = at_equal_spend(one[0] / 2, one[1], *one, spend=1.)
    assert_close(back.difference, -half.difference, rtol=1e-12)


def test_frontier():
    assert find_frontier([1, 2, 3, 2], [.2, .1, .5, .4]).tolist() == [0, 3, 2]
    assert find_frontier([1, 1], [.2, .2]).tolist() == [0]


def test_made_up_costs_are_current():
    done = subprocess.run([sys.executable, "tools/priced.py", "--check"], cwd=ROOT, capture_output=True, text=True)
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
        assert_close(spend.mean(0), paid, rtol=.02)
        assert_close(pass_at_k(8, hit.sum(1), np.arange(1, 9)).mean(0), solved, rtol=.02)
