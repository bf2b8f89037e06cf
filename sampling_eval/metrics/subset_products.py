"Numerics of pass@k and pass^k: products of many factors close to 0 or 1 that keep their digits."
from __future__ import annotations

import numpy as np

from ..foundations.urn import MOST_DRAWS, log_missed

__all__ = ["some_right", "some_right_put_back", "all_right", "all_right_put_back",
           "divide_with_rest"]

FEW = 4096  # Budgets that are looked at one by one where one of them is very large


def some_right(
    n: np.ndarray,  # Samples, a column `(S, 1)`
    c: np.ndarray,  # Correct ones, in the same shape
    k: np.ndarray,  # Budgets, shape `(K,)`
) -> np.ndarray:  # Shape `(S, K)`
    "Chance that a k-subset holds a correct sample, from logarithms of the factors."
    single = len(k) == 1
    if k.max() > MOST_DRAWS and len(k) < FEW:
        return 0 - np.expm1(log_missed(n, np.minimum(c, k), np.maximum(c, k)))
    few, many = (np.minimum(c, k), np.maximum(c, k)) if single else (k.max(), c)
    i = np.arange(np.max(few))
    with np.errstate(divide="ignore"):
        logs = np.log1p(-np.where(i < few, np.minimum(many / (n - i), 1), 0))
    total = logs.sum(-1, keepdims=True) if single else logs.cumsum(-1)[:, k - 1]
    # a single factor is the value itself, and a logarithm would only round it
    return np.where(np.minimum(c, k) == 1, c * k / n, 0 - np.expm1(total))


def some_right_put_back(n: np.ndarray, c: np.ndarray, k: np.ndarray) -> np.ndarray:
    "Chance of a correct sample among `k` draws with replacement, in the shapes of `some_right`."
    with np.errstate(divide="ignore"): chance = 0 - np.expm1(k * np.log1p(-c / n))
    return np.where(k == 1, c / n, chance)


def all_right(n: np.ndarray, c: np.ndarray, k: np.ndarray) -> np.ndarray:
    "Chance that a k-subset holds correct samples only, in the shapes of `some_right`."
    wrong = n - c
    if k.max() > MOST_DRAWS and len(k) < FEW:
        return np.exp(log_missed(n, np.minimum(wrong, k), np.maximum(wrong, k)))
    if len(k) > 1:
        i = np.arange(k.max())
        return (np.maximum(c - i, 0) / (n - i)).cumprod(-1)[:, k - 1]
    # one budget: the fewer of its factors or those of the wrong samples
    few, many = np.minimum(wrong, k), np.maximum(wrong, k)
    i = np.arange(np.max(few))
    ratios = np.where(i < few, np.maximum(n - many - i, 0) / (n - i), 1)
    return ratios.prod(-1, keepdims=True)


def all_right_put_back(n: np.ndarray, c: np.ndarray, k: np.ndarray) -> np.ndarray:
    "Chance that `k` draws with replacement are all correct, in the shapes of `some_right`."
    share, rest = divide_with_rest(c, n)
    power = share**k
    # where k * delta exceeds 1 the power is 0; the bound keeps off 0 times infinity
    change = np.expm1(np.minimum(k * (rest / np.maximum(c, 1)), 1))
    return np.where(k == 1, share, power + power * change)


def divide_with_rest(
    c: np.ndarray,  # What is divided
    n: np.ndarray,  # By what
) -> tuple[np.ndarray, np.ndarray]:  # The float `c / n`, and `c - share * n` exactly
    "The float `c / n`, and exactly what it leaves over (Dekker, 1971)."
    share = c / n
    product = share * n
    (a, b), (u, v) = _halve_digits(share), _halve_digits(1. * n)
    lost = ((a * u - product) + a * v + b * u) + b * v
    return share, (c - product) - lost


def _halve_digits(x):
    big = (2**27 + 1) * x
    high = big - (big - x)
    return high, x - high
