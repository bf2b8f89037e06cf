"""Power of a gate: the chance that its own interval passes a rule, if the truth is what is assumed.

A rule passes where the lower end of the interval reaches its limit. Shifted and scaled so that the
limit is 0 and the least possible value -1, that is the test which the power of `compare` simulates.
"""
from __future__ import annotations

import numpy as np

from ..foundations.urn import draws
from ..records import dataclass
from .population import Population, difference_distribution, thin_states, value_counts
from .power import excludes_zero, search_questions
from .quantiles import check_level, normal_quantile

__all__ = ["PassRule", "pass_power", "questions_to_pass"]

REPEATS = 3000  # Benchmarks simulated for each power
MOST = 10**7  # Questions beyond which no benchmark goes


@dataclass(frozen=True)
class PassRule:
    "A rule about new questions, and what is true."
    limit: float  # Least value that the interval has to reach; of a drop minus the drop allowed
    truth: float  # True value; of a drop the true difference
    drop: bool  # Whether it is about the difference of two systems

    @property
    def gap(self) -> float:
        "How far the truth lies above the limit."
        return self.truth - self.limit


def pass_power(
    population: Population,  # Two systems on questions of one kind, of which one may be judged
    rule: PassRule,  # What the interval has to reach, and the truth
    n: int,  # Samples per question
    questions: int,  # Number of questions
    confidence_level: float = .95,  # Level of the two-sided interval
    rng: int = 0,  # Seed of the simulation
) -> tuple[float, float]:  # The chance that the rule passes, and its simulation error
    """Chance that a gate passes a rule on new questions.

    Raises: `ValueError` for a level outside (0, 1), or a truth that no system can have.
    """
    check_level(confidence_level)
    values, law = spread_values(population, rule, n)
    return simulate(values, law, rule, questions, (1 - confidence_level) / 2, rng)


def questions_to_pass(
    population: Population,  # Two systems on questions of one kind, of which one may be judged
    rule: PassRule,  # What the interval has to reach, and the truth
    n: int,  # Samples per question
    power: float = .8,  # Chance to pass
    confidence_level: float = .95,  # Level of the two-sided interval
    rng: int = 0,  # Seed of the simulation
) -> tuple[int, float, float] | None:  # Questions, their power and its error; None beyond `MOST`
    """Fewest questions with which a gate passes a rule with that chance.

    Raises: `ValueError` for a truth at the limit or below, which no number of questions passes.
    """
    check_level(confidence_level)
    if not rule.gap > 0:
        raise ValueError(f"need a truth above the limit, got {rule.truth} and {rule.limit}")
    tail = (1 - confidence_level) / 2
    values, law = spread_values(population, rule, n)
    variance = float(law @ (values - law @ values)**2)
    reach = -normal_quantile(tail) + normal_quantile(power)
    start = max(2., variance * (reach / rule.gap)**2, -np.log(tail) * scale_of(rule) / rule.gap)
    if start > MOST: return None
    def chance(q: int) -> tuple[float, float]: return simulate(values, law, rule, q, tail, rng)
    found, reached, error = search_questions(chance, start, 2, power, reach)
    return int(found), float(reached), float(error)


def scale_of(rule: PassRule) -> float:
    "How far the least possible value lies below the limit."
    return 1 + rule.limit if rule.drop else rule.limit


def simulate(
    values: np.ndarray, law: np.ndarray, rule: PassRule, questions: int, tail: float, rng: int,
) -> tuple[float, float]:
    "The share of simulated benchmarks that pass, and its error."
    # A limit at the least possible value passes whatever the data.
    if scale_of(rule) <= 0: return 1., 0.
    moved = (values - rule.limit) / scale_of(rule)
    counts = np.random.default_rng(rng).multinomial(questions, law, REPEATS)
    found = float(excludes_zero(moved, counts, tail).mean())
    return found, (max(found * (1 - found), 1 / REPEATS) / REPEATS)**.5


def spread_values(
    population: Population, rule: PassRule, n: int,
) -> tuple[np.ndarray, np.ndarray]:
    "What a question can give, and with which chances."
    if rule.drop: return difference_distribution(population, n, rule.truth)
    from scipy.optimize import brentq
    from scipy.special import expit
    x, _ = population.logits(1597)
    def excess(s: float) -> float: return float(population.value(x + s).mean()) - rule.truth
    if not excess(-60.) < 0 < excess(60.):
        raise ValueError(f"need a true value between 0 and 1, got {rule.truth}")
    x = x + brentq(excess, -60, 60, xtol=1e-13)
    law = draws(expit(x), expit(-x), n, step=0).mean(0)
    found: tuple[np.ndarray, np.ndarray] = thin_states(value_counts(population, n), law)
    return found
