"Numerics of bets: stakes that follow the variance, wealth in logarithms, long products."
from __future__ import annotations

import numpy as np

from .stopping import check_differences


def rescale(values, bounds):
    "Differences between 0 and 1."
    x = check_differences("values", values, bounds)
    return (x - bounds[0]) / (bounds[1] - bounds[0])


def find_stakes(x, alpha):
    "The stake on each question, from those before it."
    t = np.arange(1, x.shape[-1] + 1)
    centre = (.5 + x.cumsum(-1)) / (t + 1)
    variance = (.25 + ((x - centre)**2).cumsum(-1)) / (t + 1)
    before = np.concatenate([np.full(x.shape[:-1] + (1,), .25), variance[..., :-1]], -1)
    return np.sqrt(2 * np.log(2 / alpha) / (before * t * np.log(1 + t)))


def log_wealth(x, m, stakes):
    "Logarithms of the wealth of who bets on more than `m`, and on less, after each question."
    with np.errstate(divide="ignore"):
        up, down = np.minimum(stakes, .5 / m), np.minimum(stakes, .5 / (1 - m))
    return np.log1p(up * (x - m)).cumsum(-1), np.log1p(-down * (x - m)).cumsum(-1)


def multiply_up(factors):
    "Products of the first factors along the last axis but one, in blocks."
    products, size, power = [], 1., 0
    for i in range(0, factors.shape[-2], 256):
        block = size * factors[..., i:i + 256, :].cumprod(-2)
        products.append(np.ldexp(block, power))
        size, more = np.frexp(block[..., -1:, :])
        power = power + more
    return np.concatenate(products, -2)
