"""Numerics of the urn: the laws of many budgets at once, and draws by the billion.

One ball after the other gives the law of every budget by sums of positive numbers. Where numbers
are too many to be written out, sums over the factors or over a law become integrals.
"""
from __future__ import annotations

import numpy as np

__all__ = ["are_dense", "draw_one_by_one", "MOST_DRAWS", "log_missed", "mean_above", "list_law",
           "smooth_law"]

# Most draws whose law is written out number by number.
MOST_DRAWS = 2**17
# Most factors that are added one by one.
LONG = 2**12


def are_dense(k):
    "Whether budgets stand so close that one ball after the other is cheaper than law by law."
    few = len(k) == 1 or 8 * k.sum() < k.max()**2
    return not few and k.max() <= 512 and (np.diff(k) > 0).all()


def draw_one_by_one(right, wrong, k, step):
    "The law of every budget of `k`, by a recurrence over the draws."
    right, wrong = np.asarray(right, float), np.asarray(wrong, float)
    budgets, most = set(k.tolist()), int(k.max())
    drawn = step * np.arange(most)[:, None]
    up, down = np.maximum(right + drawn, 0), np.maximum(wrong + drawn, 0)
    law = np.ones((1, len(right)))
    for i in range(most):
        more = np.zeros((i + 2, len(right)))
        np.multiply(law, up[:i + 1], out=more[1:])
        more[:-1] += law * down[i::-1]
        more /= right + wrong + step * i
        law = more
        if i + 1 in budgets: yield law.T


def log_missed(
    n:np.ndarray, # Balls
    few:np.ndarray, # Draws, or balls to miss: the smaller number of the two
    many:np.ndarray, # The larger number of the two
)->np.ndarray: # In their shape; `-inf` where it is impossible or below 1e-323
    "Logarithm of the chance that `few` draws from `n` balls all miss `many` of them."
    n, few, many = np.broadcast_arrays(n, few, many)
    flat = [np.ravel(o) for o in (n, few, many)]
    # log(1 - x) <= -x bounds the sum
    gone = flat[1] * (flat[2] / flat[0]) > 746
    total = np.where(gone, -np.inf, 0.)
    long = flat[1] > LONG
    for some, add in (~gone & ~long, add_factors), (~gone & long, integrate_factors):
        for here in np.array_split(np.flatnonzero(some), 1 + some.sum() // 256):
            if len(here): total[here] = add(*(o[here][:, None] for o in flat))
    return total.reshape(n.shape)


def add_factors(n, few, many):
    "The sum of the logarithms of all factors."
    i = np.arange(int(few.max()))
    with np.errstate(divide="ignore"):
        factor = np.minimum(many / (n - np.minimum(i, few - 1)), 1)
        return np.log1p(-np.where(i < few, factor, 0)).sum(-1)


def integrate_factors(n, few, many):
    "The same sum by Gauss and Legendre, corrected by Euler and Maclaurin."
    node, weight = np.polynomial.legendre.leggauss(24)
    def log_factor(x): return np.log1p(-many / x)
    def slope(x): return many / x / (x - many)
    low, high = (n - few) * 1., n * 1.
    logs = log_factor(low + few * (1 + node) / 2)
    whole = few / 2 * (weight * logs).sum(-1, keepdims=True)
    ends = (log_factor(high) - log_factor(low)) / 2 + (slope(high) - slope(low)) / 12
    return (whole + ends)[:, 0]


def mean_above(
    n:int, # Balls
    c:int, # Correct ones
    k:int, # Draws
    fewest:int, # Correct draws that are wanted
)->tuple[float,float]: # Chance of as many at least, and mean number beyond
    "Chance of `fewest` correct draws at least, and the mean of those above `fewest`."
    j, weight = near_mean(n, c, k, fewest)
    above = j > -.5
    low, high = weight[~above].sum(), weight[above].sum()
    chance = high / (low + high) if high < low else 1 - low / (low + high)
    return float(chance), float((weight[above] * j[above]).sum() / (low + high))


def near_mean(n, c, k, fewest):
    "Numbers of correct draws less `fewest` near the mean, and their weights."
    drawn, right = k / n, c / n
    of_draws = min(k, n - k) * right * (1 - right)
    variance = min(of_draws, min(c, n - c) * drawn * (1 - drawn))
    reach = int(9.5 * variance**.5) + 60
    mean = c * k // n
    low, high = max(0, k - (n - c), mean - reach), min(c, k, mean + 1 + reach)
    if high - low <= 2**16: return list_law(n, c, k, np.arange(low, high + 1), fewest)
    edges = np.array([low, *[fewest] * (low < fewest <= high), high + 1], object) - mean
    return smooth_law(n, c, k, mean, edges.astype(float) - .5, fewest)


def list_law(n, c, k, j, fewest):
    "The law at each of the numbers `j`."
    up = (k - j[:-1]) * 1. * (c - j[:-1])
    down = (j[:-1] + 1.) * (n - c - k + j[:-1] + 1)
    # added up from the middle outwards, where small sums keep their digits
    steps, top = np.log(up / down), int(np.searchsorted(up < down, True))
    below = -steps[:top][::-1].cumsum()[::-1]
    return (j - fewest) * 1., np.exp(np.concatenate([below, [0], steps[top:].cumsum()]))


def smooth_law(n, c, k, mean, edges, fewest):
    "The law as a smooth function, at nodes between `edges`."
    node, weight = np.polynomial.legendre.leggauss(16)
    parts = [np.linspace(a, b, 129) for a, b in zip(edges, edges[1:])]
    low = np.concatenate([part[:-1] for part in parts])[:, None]
    high = np.concatenate([part[1:] for part in parts])[:, None]
    x = (low + high) / 2 + (high - low) / 2 * node
    tops = mean, n - c - k + mean, c - mean, k - mean
    lean = (tops[2] * tops[3] - tops[0] * tops[1]) / (tops[0] * tops[1])
    logs = x * np.log1p(lean)
    slope, curve = np.full(x.shape, np.log1p(lean)), np.zeros(x.shape)
    for top, sign in zip(tops, (1, 1, -1, -1)):
        y = sign * x / float(top)
        # (1 + y) log(1 + y) - y, and what Stirling's formula adds
        bend = y**2 * (1/2 - y * (1/6 - y * (1/12 - y * (1/20 - y * (1/30 - y / 42)))))
        logs -= float(top) * bend + np.log1p(y) / 2 - y / (1 + y) / (12 * float(top))
        rest = 1 / (1 + y) / float(top)
        slope -= sign * (np.log1p(y) + rest / 2)
        curve -= rest
    # a sum over whole numbers: each integral less a 24th of its second derivative
    weight = (high - low) / 2 * weight * np.exp(logs) * (1 - (slope**2 + curve) / 24)
    return (x + float(mean - fewest) - slope / 12).ravel(), weight.ravel()
