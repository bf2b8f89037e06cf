"""Whether the values of a column lie over the questions by design or by chance.

A setting, a mode or a repeat stands equally often in every question; what a sample happens to be
(how it ended, how long it took) does not. The dispersion X^2 of the table question x value over
its degrees of freedom is 0 for a design and 1 for chance, also where some rows are lost.
"""
from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log
from typing import NamedTuple

import numpy as np

from .values import join_codes

__all__ = ["Spread", "find_spread"]

EVEN, CHANCE = .6, 1e-3  # Dispersion below which values lie evenly, and its chance at most


class Spread(NamedTuple):
    "How evenly values lie over the questions."
    dispersion: float  # X^2 over its degrees of freedom: 0 for a design, 1 for chance
    chance: float  # That values which fall at random lie as evenly

    @property
    def designed(self) -> bool:
        "Whether values lie more evenly than chance would have it."
        return self.dispersion < EVEN and self.chance < CHANCE


def find_spread(
    question: np.ndarray,  # Question of each row, as a code
    system: np.ndarray,  # System that is already known, as a code from 0 on without a gap
    value: np.ndarray,  # Value of a column, as a code
) -> Spread:  # The most even of each system, of all systems together, and of the table
    "How evenly the values of a column lie within systems that are known, and over the table."
    inside, systems = measure_systems(question, system, value), int(system.max()) + 1
    found = [rate(square, df, systems) for square, df in inside if df > 0]
    if len(found) > 1:
        found.append(rate(sum(square for square, _ in inside), sum(df for _, df in inside)))
        found += [rate(*one) for one in measure_systems(question, np.zeros_like(system), value)]
    return min(found, key=lambda one: (not one.designed, one.chance), default=Spread(1., 1.))


def measure_systems(question: np.ndarray, system: np.ndarray,
                    value: np.ndarray) -> Sequence[tuple[float, int]]:
    "X^2 of question x value and its degrees of freedom, in each system."
    row = join_codes(system, question)
    # A question with a single row says nothing of what varies within questions.
    some = np.bincount(row)[row] > 1
    if not some.any(): return []
    system, row, value = (np.unique(code[some], return_inverse=True)[1]
                          for code in (system, row, value))
    column = join_codes(system, value)
    cell, first, times = np.unique(join_codes(row, column), return_index=True, return_counts=True)
    rows, columns = np.bincount(row), np.bincount(column)
    share = times**2 / (rows[row[first]] * columns[column[first]])
    total = np.bincount(system)
    square = total * (np.bincount(system[first], share) - 1)
    height, width = (count_in(system, code) for code in (row, column))
    # What is 0 but for rounding is a whole design.
    square = np.where(square < 1e-9 * total, 0., square)
    return list(zip(square.tolist(), ((height - 1) * (width - 1)).tolist()))


def count_in(system: np.ndarray, code: np.ndarray) -> np.ndarray:
    "How many different codes each system has; a code stands in one system."
    return np.bincount(system[np.unique(code, return_index=True)[1]])


def rate(square: float, df: int, tests: int = 1) -> Spread:
    "The dispersion and its chance, which is that of the least of several tests."
    if square / df >= EVEN: return Spread(square / df, 1.)
    return Spread(square / df, min(1., tests * find_lower_tail(square, df)))


def find_lower_tail(square: float, df: int) -> float:
    "Chance of a chi-squared value of at most this, below its mean: the series of the gamma law."
    if square <= 0: return 0.
    half, size = square / 2, df / 2
    term, total, at = 1., 1., size
    while term > 1e-12 * total:
        at += 1
        term *= half / at
        total += term
    return exp(size * log(half) - half - lgamma(size + 1)) * total
