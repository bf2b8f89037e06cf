"""Explorers of inference: bands over budgets, a paired test, and a belief with its prior.

The scripts in explorers/ compute the same as the tables here; tests compare both.
"""
from __future__ import annotations

from math import comb, sqrt
from statistics import NormalDist

import numpy as np

from .display import Table
from .explorer import Explorer, check_choice, check_ranges, slide

__all__ = ["bands_explorer", "significance_explorer", "bayes_explorer"]

BANDS = {"pointwise": "95 % at each budget", "sup-t": "95 % for all budgets together",
         "Bonferroni": "95 % together, whatever the correlation"}
TESTS = {"exact McNemar": "both tails of a fair coin", "mid-p": "half of what was seen counts",
         "z test": "the normal curve in place of the coin"}
PRIORS = {"flat": "one right and one wrong sample", "Jeffreys": "half of each",
          "yours": "as many of each as you set"}
LEVEL = .95


def chance_within(z: float, m: int, r: float) -> float:
    "Chance that `m` standard normal errors stay within `z`, neighbours correlated by `r`."
    node, weight = np.polynomial.legendre.leggauss(120)
    at, weight = z * node, z * weight
    spread = sqrt(1 - r * r)
    density = np.vectorize(NormalDist().pdf)
    step = density((at[:, None] - r * at) / spread) / spread * weight
    now = density(at)
    for _ in range(m - 1): now = step @ now
    return float(weight @ now)


def find_widths(m: int, r: float) -> dict[str, float]:
    "Standard errors on each side of the curve, by the names of `BANDS`."
    normal = NormalDist()
    pointwise, bonferroni = (normal.inv_cdf(1 - (1 - LEVEL) / 2 / of) for of in (1, m))
    low, high = pointwise, bonferroni
    for _ in range(40):
        middle = (low + high) / 2
        if chance_within(middle, m, r) < LEVEL: low = middle
        else: high = middle
    return dict(zip(BANDS, (pointwise, high, bonferroni), strict=True))


def list_bands(m: int, r: int) -> list[tuple[str, str, str, str]]:
    "Half-width of each band, and how often it holds the whole curve."
    return [(name, BANDS[name], f"± {z:.2f} s.e.", f"{100 * chance_within(z, m, r / 100):.1f} %")
            for name, z in find_widths(m, r / 100).items()]


def bands_explorer(
    m: int = 16,  # Budgets, up to 48
    r: int = 80,  # Correlation of neighbouring errors, percent up to 95
    *,
    choice: str = "pointwise",  # Band shown first
) -> Explorer:  # The figure
    """How wide a band must be to hold a whole curve, and how often a pointwise one does.

    Raises: `ValueError` or `TypeError` unless both are ints in their ranges.
    """
    controls = [slide("m", "budgets", 1, 48),
                slide("r", "correlation of neighbours", 0, 95, scale=100)]
    start = {"m": m, "r": r, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, BANDS)
    return Explorer(
        "bands", controls, start,
        Table(list_bands(m, r), "band", "promise", "half-width", "holds all"),
        "Move the sliders; choose a band in the table. Errors are normal, each correlated with its"
        " neighbours; the dashed line is the promise.",
        f"{m} budgets, correlation of neighbours {r / 100:g}.",
        presets={"Nearly one curve": {"m": 16, "r": 95}, "All independent": {"m": 16, "r": 0},
                 "One budget": {"m": 1}},
        meaning=BANDS)


def list_tests(a: int, b: int) -> list[tuple[str, str, str]]:
    "P values of three tests where only A is right on `a` questions, and only B on `b`."
    n, few = a + b, min(a, b)
    tail = sum(comb(n, j) for j in range(few + 1))
    exact = min(1, 2 * tail / 2**n)
    mid = (2 * tail - comb(n, few)) / 2**n if 2 * few < n else 1
    rough = 2 * NormalDist().cdf(-(n - 2 * few) / sqrt(n)) if n else 1
    return [(*test, f"{p:.4f}") for test, p in zip(TESTS.items(), (exact, mid, rough), strict=True)]


def significance_explorer(
    a: int = 9,  # Questions that only A got right, up to 60
    b: int = 2,  # Questions that only B got right, up to 60
    *,
    choice: str = "exact McNemar",  # Test shown first
) -> Explorer:  # The figure
    """Whether wins of one system over another on the same questions are more than a fair coin's.

    Raises: `ValueError` or `TypeError` unless both are ints from 0 to 60.
    """
    controls = [slide("a", "only A right", 0, 60), slide("b", "only B right", 0, 60)]
    start = {"a": a, "b": b, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, TESTS)
    return Explorer(
        "significance", controls, start,
        Table(list_tests(a, b), "test", "what it adds up", "p"),
        "Move the sliders; choose a test in the table. Blue outcomes are at least as lopsided as"
        " what was seen, if both systems were equal.",
        f"Only A right on {a} questions, only B on {b}.",
        presets={"Five against none": {"a": 5, "b": 0}, "Six against none": {"a": 6, "b": 0},
                 "Thirty against twenty": {"a": 30, "b": 20}},
        meaning=TESTS)


def list_beliefs(n: int, c: int, a: int, b: int) -> list[tuple[str, str, str, str]]:
    "Mean and central 95 % of the belief in a chance, by its prior."
    from scipy.special import betaincinv
    rows = []
    for prior, (more, less) in zip(PRIORS.items(), ((1, 1), (.5, .5), (a / 2, b / 2)), strict=True):
        right, wrong = more + c, less + n - c
        low, high = betaincinv(right, wrong, [.025, .975])
        rows.append((*prior, f"mean {right / (right + wrong):.4f}", f"{low:.4f} to {high:.4f}"))
    return rows


def bayes_explorer(
    n: int = 10,  # Samples, 1 to 100
    c: int = 9,  # Right ones among them
    a: int = 8,  # Twice the right samples that the prior is worth, 1 to 40
    b: int = 8,  # Twice the wrong ones, 1 to 40
    *,
    choice: str = "flat",  # Prior shown first
) -> Explorer:  # The figure
    """What is believed of a chance after `n` samples, by three priors.

    Raises: `ValueError` or `TypeError` unless all are ints in their ranges.
    """
    controls = [slide("n", "samples, n", 1, 100), slide("c", "right ones, c", 0, "n"),
                slide("a", "your prior: right", 1, 40, scale=2),
                slide("b", "your prior: wrong", 1, 40, scale=2)]
    start = {"n": n, "c": c, "a": a, "b": b, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, PRIORS)
    return Explorer(
        "bayes", controls, start,
        Table(list_beliefs(n, c, a, b), "prior", "worth", "belief", "95 % of it"),
        "Move the sliders; choose a prior in the table. The dashed curve is the belief before the"
        " samples, the blue one after them.",
        f"{c} of {n} right; your prior is worth {a / 2:g} right and {b / 2:g} wrong samples.",
        presets={"All right": {"n": 10, "c": 10}, "Much data": {"n": 100, "c": 90},
                 "A stubborn prior": {"a": 20, "b": 20, "choice": "yours"}},
        meaning=PRIORS)
