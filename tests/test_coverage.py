"""The coverage laboratory: its vectorised methods are the package's, its table is whole, and a
small cell of it can be re-simulated."""

import numpy as np
import pytest
from scipy.special import bdtr

from sampling_eval.inference.bayes import posterior
from sampling_eval.inference.estimate import mean_over_questions, within_questions
from scripts import load_script, read_example

lab = load_script("bench/coverage.py")


def stored():
    return read_example("coverage.csv")


def test_the_wheel_holds_the_part_on_fitted_priors():
    part = [(row["questions"], row["fitted"]) for row in stored() if row["fitted"]]
    held = [tuple(row.values()) for row in read_example("fitted_coverage.csv")]
    assert len(part) == 300 and held == part


def same(ends, i, interval):
    return np.allclose([ends[0][i], ends[1][i]], [interval.low, interval.high], atol=1e-9)


@pytest.mark.parametrize(
    "values",
    [
        lambda r: r.random((5, 12)),
        lambda r: r.integers(0, 2, (5, 7)) * 1.0,
        lambda r: np.ones((2, 9)),
    ],
)
def test_moment_methods_are_the_packages(values):
    values = values(np.random.default_rng(0))
    count, mean, squares = values.shape[1], values.mean(1), values.var(1) * values.shape[1]
    ends = {
        "anchored-t": lab.anchored(mean, squares, count),
        "t": lab.plain_moments(mean, squares / count / (count - 1), count - 1),
    }
    if np.isin(values, (0, 1)).all():
        ends |= lab.binary_methods(mean, count)
    # The package's t stays where values can lie.
    ends["t"] = tuple(np.clip(end, 0, 1) for end in ends["t"])
    for i, row in enumerate(values):
        estimate = mean_over_questions(row)
        for method, pair in ends.items():
            if estimate.stderr is not None or method != "t":
                assert same(pair, i, estimate.confidence_interval(method=method)), method


def test_clusters_and_differences_are_the_packages():
    rng = np.random.default_rng(1)
    size = rng.integers(1, 6, (4, 8))
    values = [[rng.random(m) for m in row] for row in size]
    total = np.array([[v.sum() for v in row] for row in values])
    for method, pair in {
        "anchored-t": lab.anchored_clusters(total, size * 1.0),
        "t": lab.plain(total, size * 1.0),
    }.items():
        for i in range(4):
            estimate = mean_over_questions(
                np.concatenate(values[i]), cluster=np.repeat(np.arange(8), size[i])
            )
            assert same(pair, i, estimate.confidence_interval(method=method))
    diff = rng.random((4, 9)) - rng.random((4, 9))
    pair = lab.anchored(diff.mean(1), diff.var(1) * 9, 9, -1.0, 1.0)
    estimates = [mean_over_questions(d, bounds=(-1, 1)) for d in diff]
    assert all(
        same(pair, i, e.confidence_interval(method="anchored-t")) for i, e in enumerate(estimates)
    )


@pytest.mark.parametrize("bounds", [(0, 1), (-1, 1)])
def test_gaffke_covers_where_the_packages_interval_holds_the_truth(bounds):
    values = np.random.default_rng(3).choice(np.linspace(*bounds, 5), (20, 8))
    for truth in (0.3, 0.55):
        cover, width, runs = lab.gaffke(
            values, np.ones_like(values), 1.0, truth, *bounds, widths=20
        )
        for level in lab.LEVELS:
            ends = [
                mean_over_questions(v, bounds=bounds).confidence_interval(level) for v in values
            ]
            assert runs == 20 and np.isclose(
                cover[level], np.mean([e.low <= truth <= e.high for e in ends])
            )
            if level == lab.LEVEL:
                assert np.isclose(width, np.mean([e.high - e.low for e in ends]))


def test_gaffke_over_clusters():
    rng = np.random.default_rng(4)
    size = rng.integers(1, 5, (40, 6))
    total = rng.binomial(size, 0.4).astype(float)
    cover, _, _ = lab.gaffke(total, np.ones_like(total), size, 0.4)

    def interval(t, s):
        values = np.concatenate(
            [np.r_[np.ones(int(a)), np.zeros(b - int(a))] for a, b in zip(t, s)]
        )
        return mean_over_questions(values, cluster=np.repeat(np.arange(6), s)).confidence_interval(
            0.9
        )

    ends = [interval(t, s) for t, s in zip(total, size)]
    assert np.isclose(cover[0.9], np.mean([e.low <= 0.4 <= e.high for e in ends]))


@pytest.mark.parametrize("n,k", [(4, 2), (8, 1), (8, 3), (8, 6), (8, 8), (1, 1)])
def test_fixed_questions_are_the_packages(n, k):
    c = np.random.default_rng(2).binomial(n, 0.4, (3, 10))
    credit, values = lab.CREDITS["pass@k"], lab.count_table(n, k, "pass@k")[c]
    noise = within_questions(n, np.arange(n + 1), k, credit)
    for level in lab.LEVELS:
        pair = lab.gamma_ends(
            values.mean(1),
            noise.variance[c].sum(1) / 100,
            n,
            k,
            10,
            values.min(1),
            values.max(1),
            level,
        )
        for i in range(3):
            estimate = mean_over_questions(
                values[i], target="same_questions", within=within_questions(n, c[i], k, credit)
            )
            assert same(pair, i, estimate.confidence_interval(level))


def test_flat_normal_is_the_packages():
    states = np.array([[2, 0, 1, 4, 3]])
    low, high = lab.flat_normal(states, 4, 3, lab.CREDITS["cons@k"])
    expected = posterior(
        np.full(5, 4), np.arange(5), 3, lab.CREDITS["cons@k"], times=states[0]
    ).confidence_interval(method="normal")
    assert np.allclose([low[0], high[0]], [expected.low, expected.high], atol=1e-12)


def test_vote_table_against_all_subsets():
    from fractions import Fraction

    from sampling_eval.foundations.oracle import mean_over_subsets

    def vote(s):
        top = max(map(s.count, "RXY"))
        return Fraction(s.count("R") == top, sum(s.count(a) == top for a in "RXY"))

    for k in (1, 2, 3, 5):
        table = lab.vote_table(6, k)
        error = max(
            abs(
                table[c, x]
                - float(mean_over_subsets("R" * c + "X" * x + "Y" * (6 - c - x), k, vote))
            )
            for c in range(7)
            for x in range(7 - c)
        )
        assert error < 1e-14


def test_vote_credit_is_the_mean_over_wrong_answers():
    assert np.allclose(lab.vote_mean_credit(3), [0, 0.3**0 * (2 * 0.7 * 0.3) / 3, 1, 1])


def test_stored_table_is_whole_and_the_default_covers():
    table = stored()
    assert {row["design"] for row in table} == {"questions", "benchmark", "clusters", "paired"}
    assert sum(row["design"] == "questions" for row in table) == 5 * 4 * (1 + 13 + 13 + 13)
    assert sum("two in Q" in row["difficulty"] for row in table) == 3 * 4
    for row in table:
        runs = int(row["runs of default"])
        for level in lab.LEVELS:
            held = round(float(row[f"default {100 * level:g}"]) / 100 * runs)
            # So few would be seen in one of a million cells that are as they should be.
            assert bdtr(held, runs, level) > 1e-6, row
        assert float(row["gamma width" if row["design"] == "benchmark" else "gaffke width"]) > 0


@pytest.mark.parametrize("difficulty,count,n", [("U-shaped", 30, 4), ("near 1", 15, 8)])
def test_small_cell_again(difficulty, count, n):
    keys = "design", "difficulty", "questions", "n", "k", "metric"
    table = {tuple(row[k] for k in keys): row for row in stored()}
    for line in lab.simulate(difficulty, count, n, 1000, np.random.default_rng(123)):
        row = table[tuple(str(line[k]) for k in keys)]
        for method in ("gaffke", "gamma", "t", "flat normal"):
            if row[method] and method in line:
                assert abs(float(row[method]) - float(line[method])) < 7.5
