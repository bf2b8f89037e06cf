"""Limits of a mean over the same questions: sampling noise and one unseen sample.

`fix_questions` makes a `Fixed` of values and their `Noise`; its limits are quantiles of a sum of
gamma distributions with the three `Moments` of the mean, an unseen sample added to each.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .grouping import check_bounds, check_times, check_values
from .quantiles import find_roots, normal_quantile
from .random_means import tail_chance


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


class Moments(NamedTuple):
    "What is known of a random mean: three moments, and what was not seen."
    mean: float  # Its mean
    variance: float  # Its variance
    third: float  # Its third central moment
    room: float = 0.  # How far the mean would move if all samples were like the unseen one
    unlike: float = 1.  # Samples of which none was like it


def add_unseen(
    mean: float,  # Mean that was seen
    variance: float,  # Variance of the mean
    third: float,  # Third central moment of the mean
    step: float,  # The most that one sample, or question, can move the mean
    room: float,  # How far the mean would rise if all samples were like the unseen one
    span: float,  # How far the samples that were seen could move the mean
) -> Moments:  # Moments of the mean with one unseen event
    "The random mean of `span / step` values and one more, by its moments."
    n, most = span / step, np.maximum(span, room) / step
    e = room / (most + 1)
    squares, cubes = np.maximum(variance, 0) * n * (n - 1), third * n**3
    spread = squares / ((n + 1) * (n + 2)) + most * e**2 / (most + 2)
    lean = 2 * (cubes - 3 * e * squares) / ((n + 1) * (n + 2) * (n + 3))
    lean += 2 * most * (most - 1) * e**3 / ((most + 2) * (most + 3))
    return Moments(mean + e, spread, lean)


def add_unseen_sample(
    mean: float,  # Mean that was seen
    variance: float,  # Variance of the mean over new samples
    step: float,  # The most that one sample can move the mean
    end: float,  # The mean if all questions were at the end of the range
    room: float,  # The mean's rise if all questions had as far to go as the farthest
    span: float,  # The most that all samples of one system can move the mean
) -> Moments:  # Moments of the mean with one unseen sample, and how far that may lie
    "The random mean of fixed questions; a difference may move by more than one span."
    worth = np.maximum(span, end - mean)
    law = add_unseen(mean, variance, variance * step, step, room, worth)
    return law._replace(room=room, unlike=np.maximum(worth, room) / step)


def upper_of_sum(
    laws: list[Moments],  # Moments of independent parts of a mean
    tail: float,  # Chance above the limit
) -> float:  # Upper quantile of their sum
    "Quantile of a sum of shifted gamma distributions, at least the limit of the unseen alone."
    found = quantile_of_sum(laws, tail)
    if not any(law.room > 0 for law in laws): return found
    unseen = max(reach_unseen(law, tail) for law in laws)
    return max(found, seen_mean(laws) + float(unseen))


def quantile_of_sum(laws, tail):
    "Quantile of a sum of shifted gamma distributions, each with the moments of its part."
    center = sum(law.mean for law in laws)
    parts = [law[:3] for law in laws if law.variance > 0]
    if not parts: return center
    scale, shape = fit_gamma(Moments(*np.array(parts).T))
    spread = sum(variance for _, variance, _ in parts)**.5
    if len(parts) == 1: return center + float(gamma_quantile(scale[0], shape[0], tail))

    def excess(x):
        shift = -(scale * shape).sum() - x
        chance = tail_chance(scale[None], shape, shift)
        return normal_quantile(np.clip(chance, 1e-300, 1 - 1e-16)) - middle

    middle = normal_quantile(tail)
    ends = (np.array([o * spread]) for o in (-1, 60, -middle, 1))
    return center + float(find_roots(excess, *ends)[0])


def seen_mean(laws):
    "The mean that was seen, without the unseen events."
    return sum(law.mean - law.room / (law.unlike + 1) for law in laws)


def reach_unseen(law, tail):
    "How far the unseen may lie where no sample is like it: `count` misses in a row."
    return law.room * -np.expm1(np.log(tail) / law.unlike)


def chance_above_zero_of_sum(
    laws: list[Moments],  # Moments of independent parts of a mean
) -> float:  # Chance, at most 1
    "The `tail` at which `upper_of_sum` is 0."
    seen = seen_mean(laws)
    rooms = [law for law in laws if law.room > 0 and law.room > -seen]
    unseen = [(1 + min(seen, 0) / law.room)**law.unlike for law in rooms]
    return float(max([chance_above_zero_of_gamma(laws), *unseen]))


def chance_above_zero_of_gamma(laws):
    "Chance that a sum of shifted gamma distributions is above 0."
    center = sum(law.mean for law in laws)
    parts = [law[:3] for law in laws if law.variance > 0]
    if not parts: return float(center >= 0)
    scale, shape = fit_gamma(Moments(*np.array(parts).T))
    if len(parts) == 1: return float(gamma_chance(scale[0], shape[0], -center))
    shift = np.array([center - (scale * shape).sum()])
    return float(tail_chance(scale[None], shape, shift)[0])


def upper_of_moments(
    law: Moments,  # Moments of a mean, single numbers, or at each budget, `(K,)`
    tail: float,  # Chance above the limit
) -> np.ndarray:  # Upper quantiles, same shape
    "What `upper_of_sum` finds for one distribution, at each budget."
    limit, moves = np.array(law.mean, float), np.greater(law.variance, 0)
    parts: Any = [np.asarray(part)[moves] for part in law[:3]]
    scale, shape = fit_gamma(Moments(*parts))
    limit[moves] += gamma_quantile(scale, shape, tail)
    unseen = seen_mean([law]) + reach_unseen(law, tail)
    return np.where(np.greater(law.room, 0), np.maximum(limit, unseen), limit)


def fit_gamma(
    law: Moments,  # Moments; single numbers, or arrays of one shape
) -> tuple:  # Scale and shape, in the shape of the moments
    "Scale and shape of the gamma distribution with these moments, its skewness within 2."
    skew = np.clip(law.third / np.maximum(law.variance, 1e-300)**1.5, -2, 2)
    # Below a skewness of .001 it is the normal distribution to seven digits.
    skew = np.where(np.abs(skew) > 1e-3, skew, 1e-3)
    return law.variance**.5 / 2 * skew, 4 / skew**2


def gamma_quantile(
    scale: np.ndarray,  # Scale, negative where the long tail is on the left
    shape: np.ndarray,  # Shape, same shape
    tail: ArrayLike,  # Chance beyond the quantile
) -> np.ndarray:  # The quantile, same shape
    "Upper quantile of a gamma distribution around its mean; a negative scale mirrors it."
    from scipy.special import gammainccinv, gammaincinv
    above, below = gammainccinv(shape, tail), gammaincinv(shape, tail)
    return scale * (np.where(scale > 0, above, below) - shape)


def gamma_chance(
    scale: float,  # Scale, negative where the long tail is on the left
    shape: float,  # Shape
    x: float,  # A distance from the mean
) -> float:  # Chance beyond it
    "Upper tail of a gamma distribution around its mean, as `gamma_quantile` inverts it."
    from scipy.special import gammainc, gammaincc
    tail = gammaincc if scale > 0 else gammainc
    return tail(shape, max(x / scale + shape, 0.))


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


def split_by_size(
    step: np.ndarray,  # The most that one event of each row moves the mean, shape `(S,)`
    factor: float = 2,  # How much steps of one stratum may differ
) -> list[np.ndarray]:  # Rows of each stratum, largest steps first
    "Rows in strata whose steps differ by less than a factor."
    sizes = np.unique(step)[::-1]
    stratum, first = np.zeros(len(sizes), int), sizes[0]
    for i, size in enumerate(sizes[1:], 1):
        new = size * factor <= first * (1 + 1e-12)
        stratum[i] = stratum[i - 1] + new
        if new: first = size
    place = stratum[np.searchsorted(-sizes, -step)]
    return [np.flatnonzero(place == i) for i in range(stratum[-1] + 1)]


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
