"Numerics of likelihoods: rising products of many factors, and Newton's steps to the top."
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["log_rising_of_many", "settle"]


def log_rising_of_many(x, m):
    "What `log_rising` gives, by gamma functions, whose cost does not grow with the factors."
    from scipy.special import digamma, gammaln, polygamma
    slope = x * (digamma(x + m) - digamma(x))
    curvature = slope + x**2 * (polygamma(1, x + m) - polygamma(1, x))
    return np.stack([gammaln(x + m) - gammaln(x), slope, curvature])


def settle(
    slopes:Callable, # Maps a point `(P,)` to value, gradient, second derivatives
    x:ArrayLike, # A point close to the minimum, shape `(P,)`
    low:ArrayLike, # Lower ends of the allowed range, shape `(P,)`
    high:ArrayLike, # Upper ends; equal ends hold a parameter fixed
    *,
    steps:int=80, # Most steps
)->np.ndarray: # The minimum, shape `(P,)`
    """Newton steps to the minimum inside a box.

    Value: the start where the function does not curve upwards.
    """
    low, high = np.asarray(low, float), np.asarray(high, float)
    x = np.clip(np.asarray(x, float), low, high)
    value, slope, bend = slopes(x)
    for _ in range(steps):
        pressed = (x <= low) & (slope > 0) | (x >= high) & (slope < 0)
        free = np.flatnonzero(~pressed & (low < high))
        part = bend[np.ix_(free, free)]
        if not len(free) or np.linalg.eigvalsh(part)[0] <= 0: break
        step = np.zeros(len(x))
        step[free] = -np.linalg.solve(part, slope[free])
        there = np.clip(x + step, low, high)
        trial = slopes(there)
        # Near the top values differ by rounding alone, which must not stop the steps.
        if trial[0] > value + 1e-12 * (1 + abs(value)): break
        moved = np.abs(there - x).max()
        x, (value, slope, bend) = there, trial
        if moved <= 1e-15 * (1 + np.abs(x).max()): break
    return x
