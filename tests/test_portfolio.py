"Portfolios: vectors, splits by listing, many questions, the log of two models, refusals."

import json
import re
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import (
    pass_at_k,
    pass_hat_k,
    portfolio_at_k,
    portfolio_hat_k,
    portfolio_splits,
    score,
)
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.metrics import parts
from sampling_eval.metrics.portfolio import list_splits, portfolio_within
from scripts import read_example

VECTORS = json.loads((Path(__file__).parent / "vectors" / "portfolio.json").read_text("utf-8"))


def same(found, want):
    assert found == pytest.approx(want, rel=4e-15, abs=2e-16)


@pytest.mark.parametrize("case", VECTORS["questions"])
def test_questions_of_the_vectors(case):
    n, c, k = np.array(case["sources"]).T
    if k.sum() == 0:
        with pytest.raises(ValueError, match="every split needs a try"):
            portfolio_at_k(n, c, k)
        return
    same(portfolio_at_k(n, c, k), case["pass_at"])
    same(portfolio_hat_k(n, c, k), case["pass_hat"])
    for name, every in ("within_variance_at", False), ("within_variance_hat", True):
        if case[name] is None:
            with pytest.raises(ValueError, match="need n >= 2k"):
                portfolio_within(n, c, k, every=every)
        else:
            assert portfolio_within(n, c, k, every=every) == pytest.approx(
                case[name], rel=1e-12, abs=1e-16
            )


def test_one_source_is_the_metric_itself():
    n, c, k = np.full((9, 1), 8), np.arange(9)[:, None], np.arange(1, 9)[:, None]
    assert portfolio_at_k(n, c, k) == pytest.approx(pass_at_k(8, c[:, 0], k[:, 0]), rel=1e-14)
    assert portfolio_hat_k(n, c, k) == pytest.approx(pass_hat_k(8, c[:, 0], k[:, 0]), rel=1e-14)


def test_many_questions_and_splits():
    rng = np.random.default_rng(0)
    n = rng.integers(3, 9, (40, 3))
    c = rng.integers(0, n + 1)
    k = list_splits(3, [3, 3, 3])
    for f in portfolio_at_k, portfolio_hat_k:
        table = f(n, c, k)
        assert table.shape == (40, len(k))
        for q, i in product(range(0, 40, 7), range(len(k))):
            same(table[q, i], f(n[q], c[q], k[i]))
    assert isinstance(portfolio_at_k([4, 4], [1, 2], [1, 1]), float)
    swapped = portfolio_at_k(n[:, ::-1], c[:, ::-1], k[:, ::-1])
    assert swapped == pytest.approx(portfolio_at_k(n, c, k), rel=1e-13)


def test_small_values_keep_their_digits():
    assert portfolio_at_k([10**9, 10**9], [1, 2], [1, 1]) == pytest.approx(3e-9, rel=1e-8)
    assert (
        portfolio_at_k([10**9, 10**9], [0, 0], [5, 5]) == 0
        and portfolio_hat_k([3, 3], [3, 3], [2, 1]) == 1
    )


@pytest.mark.parametrize(
    "k, most",
    [(5, [5, 5]), (5, [2, 4]), (4, [4, 4, 4]), (7, [1, 3, 2, 5]), (3, [3]), (6, [2, 2, 2])],
)
def test_splits_by_listing(k, most):
    want = [row for row in product(*(range(one + 1) for one in most)) if sum(row) == k]
    assert list_splits(k, most).tolist() == [list(row) for row in want]


def test_too_many_splits(monkeypatch):
    assert len(list_splits(100, [200, 200])) == 101 and len(list_splits(20, [20] * 3)) == comb(
        22, 2
    )
    with pytest.raises(
        ValueError,
        match="k must have at most 20,000 splits over 3 sources, got 200 with 20,301; name splits",
    ):
        list_splits(200, [200] * 3)
    monkeypatch.setattr(parts, "MOST_SPLITS", 5)
    with pytest.raises(ValueError, match="at most 5 splits over 3 sources, got 2 with 6; name"):
        list_splits(2, [2] * 3)
    with pytest.raises(ValueError, match="k must be at most 6, the samples of all sources, got 7"):
        list_splits(7, [3, 3])
    with pytest.raises(ValueError, match="k must be an int"):
        list_splits([2, 3], [3, 3])


def test_the_best_of_all_splits():
    found = portfolio_splits([[4, 4], [4, 4]], [[4, 0], [0, 4]], 2)
    assert found.splits.tolist() == [[0, 2], [1, 1], [2, 0]] and found.means.tolist() == [
        0.5,
        1,
        0.5,
    ]
    assert found.best_split.tolist() == [1, 1] and found.gains([2, 0]).mean(0).tolist() == [
        0,
        0.5,
        0,
    ]
    assert repr(found) == "Portfolio(2 questions, 3 splits of 2, best 1 + 1: 1.0000)"
    with pytest.raises(ValueError, match="split must be one of 3 splits of k=2"):
        found.find([3, 0])
    every = portfolio_splits([[4, 4], [4, 4]], [[4, 0], [0, 4]], 2, every=True)
    assert every.means.tolist() == [0.5, 0, 0.5] and every.best_split.tolist() == [0, 2]
    with pytest.raises(ValueError, match=r"shape \(Q, S\)"):
        portfolio_splits([4, 4], [1, 2], 2)


def test_the_log_of_two_models():
    rows, want = read_example("deepscaler32k_counts.csv"), VECTORS["deepscaler"][0]
    n = np.array([[int(row["n"])] * 2 for row in rows])
    c = np.array([[int(row["c_base"]), int(row["c_rl"])] for row in rows])
    found = portfolio_splits(n, c, want["k"])
    base, rl, half, best = ([32, 0], [0, 32], [16, 16], [want["best_base"], 32 - want["best_base"]])
    for split, name in (base, "base_alone"), (rl, "rl_alone"), (half, "half"), (best, "best"):
        assert found.means[found.find(split)] == pytest.approx(want[name], rel=1e-13)
    assert found.best_split.tolist() == best
    for split, other, name in (
        (best, base, "best_minus_base"),
        (best, rl, "best_minus_rl"),
        (half, base, "half_minus_base"),
        (half, rl, "half_minus_rl"),
    ):
        gain = mean_over_questions(found.gains(other)[:, found.find(split)], bounds=(-1, 1))
        assert [gain.value, gain.stderr, gain.value / gain.stderr] == pytest.approx(
            list(want[name].values()), rel=1e-10
        )
    within = portfolio_within(n, c, half).sum() / len(n) ** 2
    assert within == pytest.approx(want["half_within_variance_of_mean"], rel=1e-10)


@pytest.mark.parametrize(
    "n, c, k, said",
    [
        (
            [[4, 4]],
            [[1, 2]],
            [5, 1],
            r"need k <= n for every source, got n=4, k=5 of source 0 at question 0 \(1 of 1 fail\)",
        ),
        (
            [[4, 4], [4, 2]],
            [[1, 2], [1, 1]],
            [[1, 1], [0, 3]],
            r"got n=2, k=3 of source 1 at question 1 \(1 of 2 fail\)",
        ),
        ([[4, 4]], [[1, 2]], [0, 0], "every split needs a try"),
        ([[4, 4]], [[1, 2]], [[1, 0], [0, 0]], "none in row 1"),
        ([[4, 4]], [[1, 2]], [-1, 2], "need k >= 0"),
        ([[4, 4]], [[1, 2]], [1, 1, 1], "the same sources on their last axis"),
        ([[4, 4]], [[1, 2]], 2, "the same sources on their last axis"),
        ([[4, 4]], [[1, 5]], [1, 1], "0 <= c <= n"),
        (4, 2, [1], "the same sources"),
    ],
)
def test_input_that_gives_no_number(n, c, k, said):
    for f in portfolio_at_k, portfolio_hat_k, portfolio_within:
        with pytest.raises(ValueError, match=said):
            f(n, c, k)


def test_tries_of_another_kind():
    with pytest.raises(TypeError, match="k must hold integers"):
        portfolio_at_k([[4, 4]], [[1, 2]], [1.0, 1.0])


def sources(models="m", shares=(0.1, 0.9)):
    rng = np.random.default_rng(0)
    return [dict(model=m, question=q, source=s, sample=i, correct=int(rng.random() < p))
            for m in models for q in range(30) for s, p in zip("xy", shares)
            for i in range(4)]


def test_the_tries_of_one_model_are_split():
    for shares, significant in ((0.1, 0.9), True), ((0.5, 0.5), False):
        found = score(sources(shares=shares), "pass@1", portfolio=2, by="source").portfolio
        (gain, *_) = [gain for gain in found.gains if gain.source == "x"]
        assert gain.significant is (gain.interval.low > 0) is significant
    with pytest.raises(ValueError, match="the tries of one model are split over sources, got 2"):
        score(sources("mn"), "pass@1", portfolio=2, by="source")


# Sources of one model: which split is best, and over whom it gains.


def made(**right):
    "Right tries of each source on every question: `x=([1, 0], [1, 1])`."
    return [
        dict(question=q, source=source, sample=i, correct=one)
        for source, own in right.items()
        for q, row in enumerate(own)
        for i, one in enumerate(row)
    ]


def test_the_best_split_gains_over_sources_that_have_all_tries():
    "One source has a single try of one question, another is best by itself."
    x = [[1, 1, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
    y = [[1, 1, 1], [0, 1, 0], [1, 1, 1], [1, 1, 1]]
    z = [[0, 1], [0], [1, 1], [0, 0]]
    mix = score(made(x=x, y=y, z=z), "pass@1", by="source", portfolio=2).portfolio
    assert (mix.sources, mix.questions, mix.k) == (("x", "y", "z"), 4, 2)

    def share(own, k):
        return [1 - comb(row.count(0), k) / comb(len(row), k) for row in own]

    for split in mix.splits:
        parts = [share(own, k) for own, k in zip((x, y, z), split.tries)]
        missed = [np.prod([1 - part[q] for part in parts]) for q in range(4)]
        assert split.estimate == pytest.approx(1 - np.mean(missed))
    assert [one.tries for one in mix.splits] == [
        (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)
    ]
    assert mix.best_split.tries == (0, 2, 0)
    (gain,) = mix.gains
    assert gain.source == "x"
    assert gain.estimate == pytest.approx(np.mean(share(y, 2)) - np.mean(share(x, 2)))
    whole = score(made(x=x, y=y, z=z), "pass@1", by="source", portfolio=1).portfolio
    assert [gain.source for gain in whole.gains] == ["x", "z"]


def test_sources_at_another_level():
    rows = sources(shares=(0.4, 0.6))
    mix = score(rows, "pass@1", by="source", portfolio=2, confidence_level=0.8).portfolio
    wide = score(rows, "pass@1", by="source", portfolio=2).portfolio
    assert (mix.confidence_level, wide.confidence_level) == (0.8, 0.95)
    for narrow, other in zip((*mix.splits, *mix.gains), (*wide.splits, *wide.gains)):
        assert narrow.interval.level == 0.8 and narrow.estimate == other.estimate
        assert other.low < narrow.low and narrow.high < other.high
    assert "80 % band" in " ".join(str(score(
        rows, "pass@1", by="source", portfolio=2, confidence_level=0.8)).split())


@pytest.mark.parametrize(
    "gone, said",
    [
        ([(0, "x")], "3 questions in all 3 sources and 1 more in 'y'"),
        ([(0, "x"), (1, "x"), (2, "y")], "1 question in all 3 sources and 3 more in 'z'"),
        ([(0, "z"), (1, "z"), (2, "y")], "1 question in all 3 sources and 3 more in 'x'"),
    ],
)
def test_the_source_with_most_questions_of_its_own_is_named(gone, said):
    rows = made(x=[[1]] * 4, y=[[0]] * 4, z=[[1]] * 4)
    kept = [row for row in rows if (row["question"], row["source"]) not in gone]
    with pytest.raises(ValueError, match=said):
        score(kept, "pass@1", by="source", portfolio=2)


def test_splits_are_those_that_every_question_allows():
    found = portfolio_splits([[1, 3], [3, 3]], [[1, 0], [0, 3]], 3)
    assert found.splits.tolist() == [[0, 3], [1, 2]]
    assert found.values.tolist() == [[0, 1], [1, 1]]
    every = portfolio_splits([[1, 3], [3, 3]], [[1, 0], [0, 3]], 3, every=True)
    assert every.values.tolist() == [[0, 0], [1, 0]]
    with pytest.raises(ValueError, match=r"n and c must have shape \(Q, S\), got \(2,\)"):
        portfolio_splits([1, 3], [1, 0], 2)


def test_the_source_with_too_few_samples_for_a_variance():
    said = "got n=2, k=2 of source 0 at question 1 (1 of 2 fail)"
    with pytest.raises(ValueError, match=re.escape(said)):
        portfolio_within([[4, 4], [2, 4]], [[1, 1], [1, 1]], [2, 1])
    said = "got n=4, k=3 of source 1 at question 0 (2 of 2 fail)"
    with pytest.raises(ValueError, match=re.escape(said)):
        portfolio_within([[4, 4], [2, 4]], [[1, 1], [1, 1]], [[1, 3], [1, 0]])


@pytest.mark.parametrize("every", [False, True])
def test_twice_as_many_samples_are_enough_for_a_variance(every):
    "One of six pairs of four is wanted, and no four of four."
    assert portfolio_within([[4]], [[2]], [2], every=every) == pytest.approx([1 / 36])
