"""Numerics of likelihoods: exact slopes of products and sums, and Newton's steps to the top.

The page on the fitted prior says where they come from, and checks them.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["log_rising", "log_rising_of_many", "beta_terms", "blend", "settle"]


def log_rising(
    x:float, # Start of the product, positive
    m:np.ndarray, # Numbers of factors, shape `(S,)`
)->np.ndarray: # Logarithm, slope and curvature in `log x`, shape `(3, S)`
    "Logarithm of `x (x + 1) ... (x + m - 1)` with its derivatives in `log x`."
    if m.max() > 2**14: return log_rising_of_many(x, m)
    i = np.arange(m.max())
    terms = np.array([np.log(x + i), x / (x + i), x * i / (x + i)**2])
    sums = np.zeros((3, len(i) + 1))
    np.cumsum(terms, axis=1, out=sums[:, 1:])
    return sums[:, m]


def log_rising_of_many(x, m):
    "The same by gamma functions, whose cost does not grow with the factors."
    from scipy.special import digamma, gammaln, polygamma
    slope = x * (digamma(x + m) - digamma(x))
    curvature = slope + x**2 * (polygamma(1, x + m) - polygamma(1, x))
    return np.stack([gammaln(x + m) - gammaln(x), slope, curvature])


def beta_terms(
    n:np.ndarray, # Samples of each state, shape `(S,)`
    c:np.ndarray, # Correct samples, shape `(S,)`
    a:float, # First parameter of the Beta distribution
    b:float, # Second parameter
)->tuple: # Values `(S,)`, slopes `(S, 2)`, curvatures `(S, 2, 2)`
    """Log chance of one order of `c` right and `n - c` wrong samples under Beta(a, b).

    Value: derivatives are taken in `log a` and `log b`.
    """
    right, wrong, both = log_rising(a, c), log_rising(b, n - c), log_rising(a + b, n)
    share = np.array([a, b]) / (a + b)
    slope = np.stack([right[1], wrong[1]], -1) - both[1][:, None] * share
    own = np.stack([right[2], wrong[2]], -1)[:, :, None] * np.eye(2)
    turn = share.prod() * np.array([[1, -1], [-1, 1]])
    shared = both[2][:, None, None] * np.outer(share, share)
    bend = own - shared - both[1][:, None, None] * turn
    return right[0] + wrong[0] - both[0], slope, bend


def blend(
    parts:Sequence, # Log of each part: `(S,)`, slopes `(S, P)`, curvatures `(S, P, P)`
)->tuple: # The same three of the logarithm of the sum
    "Log of a sum of parts given by their logarithms, with two derivatives."
    values, slopes, bends = (np.stack(field) for field in zip(*parts))
    top = values.max(0)
    weight = np.exp(values - top)
    total = weight.sum(0)
    weight = weight / total
    slope = (weight[..., None] * slopes).sum(0)
    outer = slopes[..., :, None] * slopes[..., None, :]
    bend = (weight[..., None, None] * (bends + outer)).sum(0)
    bend = bend - slope[:, :, None] * slope[:, None, :]
    return top + np.log(total), slope, bend


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
