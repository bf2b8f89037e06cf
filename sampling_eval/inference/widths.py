"Numerics of widths: how many questions make the interval of a mean as narrow as is wanted."
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..foundations.urn import draws
from .gaffke import gaffke_limits
from .population import LATTICE, Population, thin_states, value_counts
from .quantiles import t_quantile
from .units import Units

__all__ = ["MOST_QUESTIONS", "question_values", "typical_interval", "questions_for_width"]

MOST_QUESTIONS = 10**8  # Questions beyond which no benchmark goes


def question_values(
    population: Population,  # The system, its first one
    n: int,  # Samples per question
) -> tuple[np.ndarray, np.ndarray]:  # Values that a question can have, and their chances
    "What a question of the system can be estimated as, and how often it is."
    from scipy.special import expit
    x, _ = population.logits(LATTICE)
    chances = draws(expit(x), expit(-x), n, step=0).mean(0)
    found: tuple[np.ndarray, np.ndarray] = thin_states(value_counts(population, n), chances)
    return found


def typical_interval(
    values: np.ndarray,  # Values that a question can have, in [0, 1]
    chances: np.ndarray,  # How often it has each
    questions: int,  # Number of questions
    tail: float,  # One minus the level, halved
    method: str | None = None,  # None is the default without assumptions; or `normal`, `t`
) -> tuple[float, float]:  # Lower and upper end
    "The interval where every value occurs as often as is expected."
    mean = float(values @ chances)
    if method is None:
        units = Units(values[:, None], np.ones(len(values)), questions * chances, (0, 1))
        low, high = gaffke_limits(units, tail)
        return float(low[0]), float(high[0])
    variance = float(chances @ (values - mean)**2) / (questions - 1)
    df = questions - 1 if method == "t" else np.inf
    half = float(t_quantile(tail, df)) * variance**.5
    return max(mean - half, 0.), min(mean + half, 1.)


def questions_for_width(
    interval: Callable[[int], tuple[float, float]],  # Ends by the number of questions
    half_width: float,  # Largest half of their distance
) -> int | None:  # Fewest questions, two at least; None beyond `MOST_QUESTIONS`
    "Fewest questions whose interval is as narrow as is wanted."
    def narrow(questions: int) -> bool:
        low, high = interval(questions)
        return high - low <= 2 * half_width
    low, high = 1, 2
    while not narrow(high):
        if high >= MOST_QUESTIONS: return None
        low, high = high, min(2 * high, MOST_QUESTIONS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if narrow(middle) else (middle, high)
    return high
