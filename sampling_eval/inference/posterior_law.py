"""Numerics of posteriors: the distribution of a mean over questions, and its quantiles.

A Fourier series inverts the characteristic function; `parts` are the posterior weights of hopeless,
Beta distribution and solved, one column a state, as the page on posteriors derives them.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..foundations.urn import mean_credit

__all__ = ["MeanLaw", "LazyLaw", "OneQuestion", "MatchedBeta", "Mixture"]


@dataclass(frozen=True, eq=False)
class MeanLaw:
    "Distribution of a mean: start of the window, its length, and Fourier coefficients."
    start:float
    length:float
    phi:np.ndarray

    def cdf(self, x):
        t = 2 * np.pi * np.arange(1, len(self.phi) + 1) / self.length
        y = np.asarray(x, float)[..., None] - self.start
        wave = (self.phi * (1 - np.exp(-1j * t * y)) / (1j * t)).real.sum(-1)
        return np.clip((y[..., 0] + 2 * wave) / self.length, 0, 1)

    def quantile(self, q):
        return bisect(self.cdf, q, self.start, self.start + self.length, 50)


def bisect(cdf, q, low, high, rounds):
    "Quantiles of a distribution between two values, by halving."
    low, high = (np.full(np.shape(q), float(end)) for end in (low, high))
    for _ in range(rounds):
        middle = (low + high) / 2
        below = cdf(middle) < q
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2


def place_nodes(n, c, k, credit, prior, parts, questions=1):
    "Values of the metric at nodes in `p`, and the posterior weight of each, one row a state."
    from scipy.special import expit, log_expit
    size = int(64 + 16 * (n.max() + k)**.5 + 4000 / questions)
    y = np.linspace(-6.5, 6.5, size)
    x = np.sinh(y)
    right, wrong = (prior.a + c)[:, None], (prior.b + n - c)[:, None]
    log = np.log(np.cosh(y)) + right * log_expit(x) + wrong * log_expit(-x)
    weight = np.exp(log - log.max(1, keepdims=True))
    zero, between, one = parts
    weight *= (between / weight.sum(1))[:, None]
    curve = mean_credit(expit(x), expit(-x), np.array([k]), credit, 0)[:, 0]
    return np.r_[credit(k)[0], curve, credit(k)[-1]], np.c_[zero, weight, one]


def law_of_mean(values, weight, times, mean, sd, most=512):
    "Distribution of the mean over questions, from values at nodes and the weights of each state."
    questions, reach = times.sum(), np.ptp(values)
    start = max(mean - 10 * sd, values.min() - .01 * reach)
    stop = min(mean + 10 * sd, values.max() + .01 * reach)
    stop = max(stop, start + 1e-9)
    t, parts = 2 * np.pi * np.arange(1, most + 1) / (stop - start), []
    for block in np.split(t, most // 64):
        waves = np.exp(1j * np.outer(values - mean, block / questions))
        with np.errstate(divide="ignore"): logs = np.log(weight @ waves)
        parts.append(np.exp(times @ logs + 1j * (mean - start) * block))
        if np.abs(parts[-1][-8:]).max() < 1e-9: break
    return MeanLaw(start, stop - start, np.concatenate(parts))


class LazyLaw:
    "The distribution of the mean over several questions, computed on demand."
    def __init__(self, *args): self.args = args

    def _law(self):
        if not hasattr(self, "made"):
            n, c, k, credit, prior, parts, times, value, sd = self.args
            nodes = place_nodes(n, c, k, credit, prior, parts, times.sum())
            self.made = law_of_mean(*nodes, times, value, sd)
        return self.made

    def cdf(self, x): return self._law().cdf(x)

    def quantile(self, q):
        h = self.args[3](self.args[2])
        return np.clip(self._law().quantile(q), h.min(), h.max())


class OneQuestion:
    "The distribution of one question."
    def __init__(self, n, c, k, credit, prior, parts):
        self.args = np.array([n]), np.array([c]), k, credit, prior, parts

    def cdf(self, x):
        values, weight = place_nodes(*self.args)
        order = np.argsort(values, kind="stable")
        sorted_weight = weight[0, order]
        return np.interp(x, values[order], sorted_weight.cumsum() - sorted_weight / 2)

    def quantile(self, q):
        from scipy.special import betaincinv
        n, c, k, credit, prior, parts = self.args
        if (np.diff(credit(k)) < 0).any():
            raise ValueError("quantiles of a single question need a credit that never "
                             "falls, got one that does")
        q, (zero, rest, one) = np.asarray(q), parts[:, 0]
        inside = np.clip((q - zero) / rest if rest else 0., 0, 1)
        p = betaincinv(prior.a + c, prior.b + n - c, inside)
        p = np.where(q > 1 - one, 1., np.where(q < zero, 0., p))
        return mean_credit(p, 1 - p, np.array([k]), credit, 0)[:, 0]


class MatchedBeta:
    "Beta distribution on `bounds` with a given mean and standard deviation."
    def __init__(self, value, sd, bounds):
        low, high = bounds
        mean = np.clip((value - low) / (high - low), 1e-12, 1 - 1e-12)
        spread = max(sd / (high - low), 1e-9)**2
        size = max(mean * (1 - mean) / spread - 1, 1e-9)
        self.bounds, self.shape = bounds, (mean * size, (1 - mean) * size)

    def cdf(self, x):
        from scipy.special import betainc
        low, high = self.bounds
        return betainc(*self.shape, np.clip((np.asarray(x) - low) / (high - low), 0, 1))

    def quantile(self, q):
        from scipy.special import betaincinv
        low, high = self.bounds
        return low + (high - low) * betaincinv(*self.shape, q)


class Mixture:
    "Distribution that is one of several with given weights."
    def __init__(self, weights, laws, bounds):
        self.weights, self.laws, self.bounds = weights, laws, bounds

    def cdf(self, x):
        return sum(w * law.cdf(x) for w, law in zip(self.weights, self.laws))

    def quantile(self, q):
        return bisect(self.cdf, q, *self.bounds, 40)
