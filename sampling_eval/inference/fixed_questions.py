"""Plumbing of the same questions: values, their noise, and their weights in the mean.

`fix_questions` makes a `Fixed` of values and their `Noise`. Its limits are those of `unseen`, from
the three `Moments` of the mean of each stratum.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .grouping import check_bounds, check_times, check_values
from .unseen import Moments, add_unseen_sample, split_by_size, upper_of_moments, upper_of_sum


@dataclass(frozen=True, eq=False)
class Noise:
    "How much the values of questions vary when only their samples are drawn anew."
    variance: np.ndarray  # Variance of each value, `(Q,)` or `(Q, K)`; NaN where unknown
    step: np.ndarray  # The most that one sample can move a value, same shape
    span: float = 1.  # The most that all samples of one system can move a value

    def minus(self, other: Noise) -> Noise:
        "Noise of the difference of two independent values, `self - other`."
        step = np.maximum(self.step, other.step)
        return Noise(self.variance + other.variance, step, max(self.span, other.span))

    def at(self, i: int) -> Noise:
        "The noise at one budget."
        return Noise(self.variance[:, i], self.step[:, i], self.span)


@dataclass(frozen=True, eq=False)
class Fixed:
    "The same questions: values, their noise, and their weights in the mean."
    value: np.ndarray  # Value of each kind of question, `(S,)`, or at budgets, `(S, K)`
    noise: Noise | Callable  # Variance and step of each value, or what finds them
    weight: np.ndarray  # Weight of one such question in the mean, shape `(S,)`
    times: np.ndarray  # How many such questions there are; `times @ weight` is 1
    bounds: Any = (0, 1)  # Least and largest value of a question
    guessed: int | np.ndarray = 0  # Questions whose variance is an upper bound

    @cached_property
    def known_noise(self) -> Noise:
        "The noise; a function that finds it is called when it is asked for."
        return self.noise() if callable(self.noise) else self.noise

    def __getstate__(self): return vars(self) | dict(noise=self.known_noise)

    @property
    def kind(self):
        count, most = int(self.times.sum()), int(np.max(self.guessed))
        bound = f", {most} of {count} by an upper bound"
        return "within questions" + bound * bool(most)

    def at(self, i: int) -> Fixed:
        "The questions at one budget."
        guessed = int(np.broadcast_to(self.guessed, self.value.shape[1:])[i])
        noise = self.known_noise.at(i)
        return replace(self, value=self.value[:, i], noise=noise, guessed=guessed)

    def mean(self) -> float | np.ndarray:
        "Mean, one number, or at several budgets `(K,)`."
        return self._add(self.weight, self.value)

    def variance(self) -> float | np.ndarray:
        "Variance of the mean, in the shape of the mean."
        variance = self._add(self.weight**2, self.known_noise.variance)
        return np.maximum(variance, 0) if np.ndim(variance) else max(variance, 0.)

    def limits(self, tail: float) -> tuple:
        "Lower and upper limit of the mean, each missed with about the chance `tail`."
        find = limits_at_budgets if self.value.ndim > 1 else limits_at_budget
        return find(self, tail)

    def moments(
        self,
        sign: int,  # 1 for the mean, -1 for the mean negated
    ) -> list[Moments]:  # Moments of the mean of each stratum
        "What the limit on one side is a quantile of, at one budget."
        # The unseen event of each stratum is at the end of the range.
        end = self.bounds[1] if sign > 0 else -self.bounds[0]
        strata = split_by_size(self.weight * self.known_noise.step)
        return [stratum_moments(self, sign * self.value, end, rows) for rows in strata]

    def _add(self, weight, values):
        # The products first: the sum then has the digits of one budget by itself.
        products = (weight * values.T).T
        total = np.einsum("s,s...->...", self.times, products)
        return total if np.ndim(total) else float(total)


def stratum_moments(fixed, value, end, rows):
    "The random mean of the rows of one stratum, at one budget or at several."
    times, w = fixed.times[rows], fixed.weight[rows]
    mean, share = np.sum((times * w * value[rows].T).T, 0), np.sum(times * w)
    noise = np.sum((times * w**2 * fixed.known_noise.variance[rows].T).T, 0)
    step = np.max((w * fixed.known_noise.step[rows].T).T, 0)
    # The unseen event belongs to the question that could move farthest.
    room, span = np.max(end - value[rows], 0), fixed.known_noise.span
    far = share * end, share * np.maximum(room, 0), share * span
    return add_unseen_sample(mean, np.maximum(noise, 0), step, *far)


def limits_at_budget(
    fixed,  # Fixed questions or groups, at one budget
    tail: float,  # Chance of a miss on either side
) -> tuple:  # Lower and upper limit of their mean
    "Limits of the mean of fixed questions, or of fixed groups."
    (low, high), mean = fixed.bounds, fixed.mean()
    upper = upper_of_sum(fixed.moments(1), tail)
    lower = -upper_of_sum(fixed.moments(-1), tail)
    return min(max(lower, low), mean), max(min(upper, high), mean)


def limits_at_budgets(fixed, tail):
    "Limits at several budgets; those at which all steps are alike share one call."
    steps = (fixed.weight * fixed.known_noise.step.T).T
    alike = 2 * steps.min(0) > steps.max(0) * (1 + 1e-12)
    lower, upper = np.empty((2, len(alike)))
    for i in np.flatnonzero(~alike): lower[i], upper[i] = fixed.at(i).limits(tail)
    (low, high), every = fixed.bounds, slice(None)
    above = upper_of_moments(stratum_moments(fixed, fixed.value, high, every), tail)
    below = -upper_of_moments(stratum_moments(fixed, -fixed.value, -low, every), tail)
    lower = np.where(alike, np.clip(below, low, fixed.mean()), lower)
    return lower, np.where(alike, np.clip(above, fixed.mean(), high), upper)


def fix_questions(
    values: ArrayLike,  # Value of each question, `(Q,)`, or at each budget, `(Q, K)`
    noise: Noise | Callable,  # Their noise, NaN where unknown; or what finds it, all known
    *,
    bounds: tuple | None = (0, 1),  # Least and largest value of a question; None if unknown
    times: ArrayLike | None = None,  # How many questions have each value; 1 each if None
) -> Fixed:  # What the target `same_questions` is computed from
    """The questions of a benchmark as fixed, with equal weights.

    Value: where a variance is unknown, the squared deviation from the other questions
    stands in, which is too large rather than too small.

    Raises: `ValueError` as `units_of`, and unless each question has its noise.
    """
    if not callable(noise): check_noise(noise, np.shape(values))
    table, bounds = check_values(values, bounds), check_bounds(bounds)
    many = np.ones(len(table), int) if times is None else check_times(times, len(table))
    kept = many > 0
    table, many = table[kept], many[kept]
    count = int(many.sum())
    value = table.reshape(-1, *np.shape(values)[1:])
    weight = np.full(len(value), 1 / count)
    if callable(noise): return Fixed(value, noise, weight, many, bounds)
    variance = np.asarray(noise.variance, float)[kept]
    step = np.broadcast_to(noise.step, np.shape(values))[kept]
    unknown = np.isnan(variance)
    mean = np.einsum("s,sk->k", many, table) / count
    rest = (table - mean).reshape(variance.shape)
    spread = rest**2 * count / max(count - 1, 1)
    noise = Noise(np.where(unknown, spread, variance), step, noise.span)
    guessed = np.einsum("s,s...->...", many, unknown)
    if not np.ndim(guessed): guessed = int(guessed)
    return Fixed(value, noise, weight, many, bounds, guessed)


def check_noise(noise, shape):
    "A variance and a step for every value, or an error."
    if np.shape(noise.variance) != shape:
        raise ValueError(f"noise must hold one variance per value {shape}, "
                         f"got {np.shape(noise.variance)}")
    step = np.broadcast_to(noise.step, shape)
    infinite = np.isinf(np.asarray(noise.variance, float)).any()
    if infinite or not (np.isfinite(step) & (step > 0)).all():
        raise ValueError("noise must hold finite variances (NaN where unknown) "
                         f"and steps above 0, got up to {np.max(noise.variance)} "
                         f"and from {np.min(step)}")
