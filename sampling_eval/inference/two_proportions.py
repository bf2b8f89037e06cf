"""Numerics of two shares of independent samples: the exact interval of their difference.

Chan and Zhang (1999): every difference is tested by the score statistic, whose tail is the largest
over the common unknown share. Nothing is paired, so it is wider than an interval of paired logs.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.urn import draws
from .intervals import Interval, Method
from .quantiles import check_level, normal_chance, normal_quantile

__all__ = ["IndependentDifference", "independent_difference", "least_paired_p"]

MOST_SUMMED_EXACTLY = 2000  # Samples of both up to which the tail is summed exactly
CHANCES = 65  # Values of the unknown share at which a tail is computed, before it is refined
STEPS = 12  # Differences at which a limit is looked for, before it is refined


@dataclass(frozen=True)
class IndependentDifference:
    "The difference of two shares whose samples are independent, second less first."
    value: float
    interval: Interval
    p: float  # Two-sided; below one minus the level where the interval leaves out 0
    exact: bool  # Whether tails are binomial sums; else the score interval, for large samples


def independent_difference(
    right_a: int,  # Right samples of the first system
    count_a: int,  # All of its samples
    right_b: int,  # Right samples of the second system
    count_b: int,  # All of its samples
    confidence_level: float = .95,  # Share of such intervals that should hold the truth
) -> IndependentDifference:  # Second less first, with interval and p value
    """The difference of two independent shares with the interval that unpaired counts allow.

    Raises: `ValueError` for a level outside (0, 1).
    """
    check_level(confidence_level)
    tail = (1 - confidence_level) / 2
    above = Side(right_a, count_a, right_b, count_b)
    below = Side(right_b, count_b, right_a, count_a)
    low, p_above = above.limit(tail)
    high, p_below = below.limit(tail)
    found = Interval(low, -high, confidence_level, "new_questions",
                     Method("exact" if above.exact else "score"))
    return IndependentDifference(above.value, found, min(1., 2 * min(p_above, p_below)),
                                 above.exact)


@dataclass(frozen=True)
class Side:
    "One side of a test: is the difference larger than supposed?"
    right_a: int
    count_a: int
    right_b: int
    count_b: int

    @property
    def value(self) -> float: return self.right_b / self.count_b - self.right_a / self.count_a

    @property
    def exact(self) -> bool: return self.count_a + self.count_b <= MOST_SUMMED_EXACTLY

    def limit(self, tail: float) -> tuple[float, float]:
        "The least difference that is not refuted, and the chance of such data if it is at most 0."
        near = self.find_score_limit(tail)
        if not self.exact: return near, self.chance(0.)
        # The exact limit lies beyond the approximate one, mostly by less than half of its distance.
        far = max(-1., self.value - 2.5 * max(self.value - near, .01))
        grid = np.unique(np.r_[-1., np.linspace(far, self.value, STEPS), min(0., self.value)])
        chances = np.array([self.chance(one) for one in grid])
        refuted = chances <= tail
        first = int(np.argmin(refuted))
        p = float(chances[grid <= 0].max()) if self.value > 0 else 1.
        if first == 0: return -1., p
        return cross(lambda d: self.chance(d) > tail, grid[first - 1], grid[first]), p

    def find_score_limit(self, tail: float) -> float:
        "The limit by the normal approximation of the score statistic."
        z = -normal_quantile(tail)
        def fits(d: float) -> bool:
            return bool(self.score(self.right_a, self.right_b, d) < z)
        return -1. if fits(-1.) else cross(fits, -1., self.value)

    def score(self, a: ArrayLike, b: ArrayLike, difference: float) -> np.ndarray:
        "Score statistics of Miettinen and Nurminen, of counts in shapes that fit."
        a, b = np.asarray(a), np.asarray(b)
        share, variance = restrict_shares(a, self.count_a, b, self.count_b, difference)
        gap = b / self.count_b - a / self.count_a - difference
        with np.errstate(divide="ignore", invalid="ignore"): found = gap / np.sqrt(variance)
        # Where nothing could vary, any distance at all is infinitely far.
        return np.where(np.abs(gap) < 1e-12, 0., found)

    def chance(self, difference: float) -> float:
        "The largest chance of data so far above a difference, over the share of the first."
        seen = float(self.score(self.right_a, self.right_b, difference))
        if not self.exact: return float(normal_chance(-seen))
        least = self.find_border(seen - 1e-9, difference)
        ends = max(0., -difference), min(1., 1 - difference)
        # Evenly spaced angles: shares close to 0 and 1 matter most.
        turn = np.linspace(np.arcsin(ends[0]**.5), np.arcsin(ends[1]**.5), CHANCES)
        best = 0.
        for _ in range(3):
            found = self.sum_tails(np.sin(turn)**2, difference, least)
            place = int(found.argmax())
            best = max(best, float(found[place]))
            turn = np.linspace(turn[max(place - 1, 0)], turn[min(place + 1, len(turn) - 1)], 7)
        return min(1., best)

    def find_border(self, seen: float, difference: float) -> np.ndarray:
        "For each count of the first system the least of the second that is as far, `(n + 1,)`."
        a = np.arange(self.count_a + 1)
        low, high = np.full(len(a), -1), np.full(len(a), self.count_b + 1)
        while (high - low > 1).any():
            middle = (low + high) // 2
            far = self.score(a, np.clip(middle, 0, self.count_b), difference) >= seen
            far = (far | (middle > self.count_b)) & (middle >= 0)
            low, high = np.where(far, low, middle), np.where(far, middle, high)
        return high

    def sum_tails(self, shares: np.ndarray, difference: float, least: np.ndarray) -> np.ndarray:
        "The chance of the counts from the border on, at each share of the first system."
        other = np.clip(shares + difference, 0, 1)
        first = draws(shares, 1 - shares, self.count_a, step=0)
        second = draws(other, 1 - other, self.count_b, step=0)
        above = np.cumsum(np.c_[second, np.zeros(len(shares))][:, ::-1], 1)[:, ::-1]
        found: np.ndarray = np.einsum("gn,gn->g", first, above[:, least])
        return found


def cross(fits: Callable[[float], bool], low: float, high: float) -> float:
    "Where a condition that fails at `low` begins to hold."
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return float(low)


def restrict_shares(
    a: np.ndarray, count_a: int, b: np.ndarray, count_b: int, difference: float,
) -> tuple[np.ndarray, np.ndarray]:
    "The most likely first share among pairs that differ by so much, and the variance there."
    both = count_a + count_b
    # The likelihood's slope is a cubic in the first share, of which one root is a share.
    l2 = (count_b + 2 * count_a) * difference - both - a - b
    l1 = (count_a * difference - both - 2 * a) * difference + a + b
    l0 = a * difference * (1 - difference)
    mean = l2 / (3 * both)
    q = mean**3 - l1 * l2 / (6 * both**2) + l0 / (2 * both)
    p = np.sign(q) * np.sqrt(np.maximum(mean**2 - l1 / (3 * both), 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = np.where(p == 0, 0., np.clip(q / np.where(p == 0, 1., p)**3, -1, 1))
    angle = (np.pi + np.arccos(turn)) / 3
    share = 2 * p * np.cos(angle) - mean
    share = np.clip(share, max(0., -difference), min(1., 1 - difference))
    other = share + difference
    variance = share * (1 - share) / count_a + other * (1 - other) / count_b
    return share, variance


def least_paired_p(
    right_a: int,  # Right questions of the first system
    right_b: int,  # Right questions of the second, of as many
) -> float:  # Two-sided p value of McNemar's test if no question moved the other way
    "The least p value that a paired test of the same questions could have."
    return float(min(1., 2. * .5**abs(right_b - right_a)))
