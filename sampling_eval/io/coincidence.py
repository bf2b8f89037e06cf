"""Runs that agree in every count: copies of each other, or independent by a stated chance."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, lgamma, log

import numpy as np

__all__ = ["Coincidence", "CHANCE", "find_coincidence", "have_common"]

CHANCE = 1e-4  # Of a refusal of independent runs, at most


@dataclass(frozen=True)
class Coincidence:
    "Two runs with the same counts on all questions that both have."
    first: int  # Position of one run
    second: int  # Position of the other
    questions: int  # Questions that both have
    chance: float  # Chance of this for independent samples of equal questions

    @property
    def said(self) -> str:
        "What was seen, and how likely it is."
        return (f"they agree in every count of {self.questions} questions, which independent runs "
                f"do with a chance of {self.chance:.0e}")


def have_common(
    run: np.ndarray,  # Run of each row, as a code
    pair: np.ndarray,  # Model and question of each row, as a code
) -> bool:
    "Whether a question has samples in two runs."
    several = np.unique(run.astype(np.int64) * (int(pair.max()) + 1) + pair)
    return len(several) > len(np.unique(pair))


def find_coincidence(
    run: np.ndarray,  # Run of each row, as a code, shape `(R,)`
    pair: np.ndarray,  # Model and question of each row, as a code
    right: np.ndarray,  # Whether its samples are right; 0 where that is not known
    code_contents: Callable[[], np.ndarray],  # Code of question, outcome, answer and score of each
    times: np.ndarray,  # Samples behind each row
) -> Coincidence | None:  # Two runs that are too alike
    """Two runs that agree so well that independent ones do so once in ten thousand times.

    Given all samples of a question, each split into two runs is equally likely if they are
    independent, whatever the model: the chance of two equal halves is multivariate
    hypergeometric. Questions without a choice, of which all samples are alike, say nothing, so
    that runs with deterministic decoding or a single question are never refused.
    """
    size, models = int(run.max()) + 1, int(pair.max()) + 1
    at = run * models + pair
    n = np.bincount(at, times, size * models).reshape(size, models)
    c = np.bincount(at, times * right, size * models).reshape(size, models)
    pairs, content = size * (size - 1) // 2, None
    for one, other in combinations(range(size), 2):
        both = (n[one] > 0) & (n[other] > 0)
        alike = (n[one] == n[other]) & (c[one] == c[other])
        if not both.any() or not alike[both].all(): continue
        if content is None: content = code_contents()
        chance = compare_contents(run, pair, content, times, (one, other), both)
        if chance is None or chance > log(CHANCE / pairs): continue
        return Coincidence(one, other, int(both.sum()), exp(max(chance, -700)))
    return None


def compare_contents(run: np.ndarray, pair: np.ndarray, content: np.ndarray, times: np.ndarray,
                     sides: Sequence[int], both: np.ndarray) -> float | None:
    "Logarithm of the chance of two equal runs; None where they differ."
    tables = [sum_contents(content[own], pair[own], times[own])
              for own in ((run == side) & both[pair] for side in sides)]
    (names, question, counts), (others, _, more) = tables
    if not np.array_equal(names, others) or not np.array_equal(counts, more): return None
    n = np.bincount(question, counts)
    ways = np.bincount(question, [2 * lgamma(m + 1) - lgamma(2 * m + 1) for m in counts])
    return float(sum(2 * lgamma(m + 1) - lgamma(2 * m + 1) - way
                     for m, way in zip(n.tolist(), ways.tolist()) if m))


def sum_contents(content: np.ndarray, pair: np.ndarray,
                 times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    "Each content, its question, and how many samples have it."
    names, first, row = np.unique(content, return_index=True, return_inverse=True)
    return names, pair[first], np.bincount(row, times)
