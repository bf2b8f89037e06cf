"""Several printed numbers of one log: shares of questions that give them, and spread of runs."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .intervals import Interval, Method

__all__ = ["Bend", "Point", "RunSpread", "can_count", "find_bend", "rounding_excess", "spread_runs"]


@dataclass(frozen=True)
class Point:
    "A printed value at a budget, with half of its last digit."
    k: int
    value: Fraction
    half: Fraction


@dataclass(frozen=True)
class Bend:
    "Three values, the middle one below the line through the others; or two that fall."
    points: tuple[Point, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        "What a sample adds between neighbours."
        pairs = zip(self.points, self.points[1:])
        return tuple(float((b.value - a.value) / (b.k - a.k)) for a, b in pairs)


def find_bend(
    points: Sequence[Point],  # Values of pass@k by ascending budget
) -> Bend | None:  # The first that rounding cannot explain; None where there is none
    """Values that no curve of pass@k goes through: it never falls, and its steps never grow.

    Value: pass@0 is 0, so that pass@2 is at most twice pass@1.
    """
    known = [Point(0, Fraction(0), Fraction(0)), *points]
    for a, b in zip(known, known[1:]):
        if b.value + b.half < a.value - a.half: return Bend((a, b))
    for j in range(1, len(known) - 1):
        b = known[j]
        for a in reversed(known[:j]):
            for c in known[j + 1:]:
                share = Fraction(b.k - a.k, c.k - a.k)
                line = (1 - share) * (a.value - a.half) + share * (c.value - c.half)
                if b.value + b.half < line: return Bend((a, b, c))
    return None


def rounding_excess(
    values: np.ndarray,  # Each metric of a question with `0..n` right samples, shape `(M, n + 1)`
    least: np.ndarray,  # Least value that is rounded to the printed one, shape `(M,)`
    most: np.ndarray,  # Largest such value
) -> float:  # 0 where some shares of questions give all of them
    "By how much rounding must be exceeded for any shares of questions to give the printed values."
    from scipy.optimize import linprog
    count, states = values.shape
    slack = np.ones((count, 1))
    rows = np.block([[values, -slack], [-values, -slack]])
    found = linprog([0] * states + [1], A_ub=rows, b_ub=np.r_[most, -least],
                    A_eq=[[1] * states + [0]], b_eq=[1])
    return max(0., float(found.fun))


def can_count(
    values: np.ndarray,  # Each metric of a question with `0..n` right samples, shape `(M, n + 1)`
    least: np.ndarray,  # Least value that is rounded to the printed one, shape `(M,)`
    most: np.ndarray,  # Largest such value
    questions: int,  # How many there are
) -> bool:  # Whether some do; also where a search of 10,000 nodes does not tell
    "Whether whole numbers of questions with 0 to all samples right give the printed values."
    from scipy.optimize import LinearConstraint, milp
    states = np.ones(values.shape[1])
    rules = [LinearConstraint(values, least * questions, most * questions),
             LinearConstraint(states, questions, questions)]
    found = milp(0 * states, integrality=states, constraints=rules,
                 options=dict(node_limit=10_000))
    return bool(found.status != 2)


@dataclass(frozen=True)
class RunSpread:
    "How far totals of runs spread, and how far samples of the same questions can let them."
    mean: float  # Right questions of a run
    spread: float  # Standard deviation of a run
    interval: Interval  # Of normal totals, and not above `largest`
    largest: float  # Largest standard deviation that sampling alone gives
    p: float  # Chance of so much spread or more at that (chi-square)
    stderr: float  # Of the mean, over runs


def spread_runs(
    totals: Sequence[int],  # Right questions of each run, at least two
    questions: int,  # Questions of a run
    confidence_level: float = .95,  # Level of the interval
) -> RunSpread:
    """The spread between runs of one system on the same questions.

    Value: samples of single questions let a total vary most where all questions are equally hard,
    by `Q p (1 - p)`; the test and the interval take totals for normal.
    """
    from scipy.special import chdtrc, chdtri
    values, df = np.asarray(totals, float), len(totals) - 1
    tail = (1 - confidence_level) / 2
    mean, squares = values.mean(), float(((values - values.mean())**2).sum())
    share = mean / questions
    most = questions * share * (1 - share)
    low, high = (squares / chdtri(df, one) for one in (tail, 1 - tail))
    p = float(chdtrc(df, squares / most)) if most > 0 else 1.
    low, high = (min(float(one), most)**.5 for one in (low, high))
    spread = (squares / df)**.5
    own = Interval(low, high, confidence_level, "same_questions", Method("normal totals"))
    return RunSpread(float(mean), spread, own, float(most)**.5, p, spread / len(totals)**.5)
