"Numerics of tests: what a t interval of differences rests on, and which interval decides."
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .intervals import USUAL, default_method
from .units import Strata, Units

LEAST_QUESTIONS, LEAST_DIFFERENT, LEAST_EFFECTIVE = 20, 10, 4.5


def count_different(
    units: Units,  # Differences of questions, or of clusters
) -> np.ndarray:  # How many are not 0, shape `(K,)`
    "How many questions differ; what rounding alone moves away from 0 does not."
    size = np.abs(units.total)
    most = size.max(0) if units.bounds is None else np.ptp(units.bounds)
    return np.einsum("u,uk->k", units.times, size > 1e-12 * most)


def effective_questions(
    units: Units,  # Differences of questions, or of clusters
) -> np.ndarray:  # How many equal ones would spread as evenly, shape `(K,)`
    """The effective number of questions behind the spread, `(sum z^2)^2 / sum z^4`.

    Value: 0 where no spread is seen.
    """
    rest = units.rest()
    largest = np.abs(rest).max(0)
    seen = units.variance() > 0
    # The largest is 1: a fourth power of small numbers keeps its digits.
    square = (rest / np.where(seen, largest, 1))**2
    second, fourth = (np.einsum("u,uk->k", units.times, o) for o in (square, square**2))
    return np.where(seen, second**2 / np.where(seen, fourth, 1), 0.)


def effective_needed(
    count: ArrayLike,  # Questions, or clusters
    least_effective: float = LEAST_EFFECTIVE,  # Effective number that is enough for few
) -> np.ndarray:  # Effective number with which t may decide
    "More of it for more questions: with these the assumption-free interval costs less."
    return np.maximum(least_effective, .7 * np.sqrt(count))


@dataclass(frozen=True)
class Evidence:
    "What a t interval of a difference rests on."
    units: int  # Questions, or clusters
    different: int  # How many of them differ
    effective: float  # Effective number behind the spread
    needed: float  # Effective number with which t may decide

    @property
    def enough(self) -> bool:
        "Whether the t interval may decide."
        return (self.units >= LEAST_QUESTIONS and self.different >= LEAST_DIFFERENT
                and self.effective >= self.needed)


def evidence_by_budget(
    units: Units,  # Differences of questions, or of clusters
    least_effective: float = LEAST_EFFECTIVE,  # Effective number that is enough for few
    moved: Units | None = None,  # The same where those that count as equal are 0
) -> list[Evidence]:  # One for each budget
    """What stands behind the t interval at each budget.

    Value: by the data alone and not by the level, so that a verdict at one level and
    a p value never take different methods.
    """
    count, different = units.count, count_different(moved or units)
    effective = effective_questions(units)
    needed = effective_needed(count, least_effective)
    return [Evidence(count, *facts, float(needed))
            for facts in zip(different.tolist(), effective.tolist())]


def deciding_methods(
    units: Units | Strata,  # Differences, over new questions
    *,
    binary: ArrayLike = False,  # Whether each question has one right or wrong answer a side
    evidence: Sequence[Evidence] | None = None,  # Behind t at each budget, where it is known
) -> list[str]:  # Name of an interval method for each budget
    """The interval that decides a difference at each budget.

    Value: `t` where enough stands behind it, else the default of one system, which
    assumes nothing; for one right or wrong answer a question always that, since its p
    value is the exact McNemar test.
    """
    plain = default_method(units)
    parts: Any = getattr(units, "parts", (units,))
    behind = [evidence]
    if evidence is None: behind = [evidence_by_budget(part) for part in parts]
    enough = [all(one.enough for one in at_budget) for at_budget in zip(*behind)]
    binary = np.broadcast_to(binary, len(enough)).tolist()
    return [USUAL if units.bounds is None or one and not single else plain
            for one, single in zip(enough, binary)]
