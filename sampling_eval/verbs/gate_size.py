"""What `plan` says of a gate: with how many questions its rules pass, if this is true."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import OptionError, name_option, option
from ..inference.gate_power import PassRule, pass_power, questions_to_pass
from ..inference.population import Population
from ..io.options import Options
from ..metrics.catalog import Metric, find_metric
from ..records import dataclass
from ..results.planning import GatePlan, PlannedRule, PowerAnalysis

__all__ = ["AskedRules", "plan_gate"]


@dataclass(frozen=True)
class AskedRules:
    "The rules of a gate, and what is assumed to be true."
    minimum: dict[str, float]
    true_value: float | None
    max_drop: float | None
    true_difference: float | None

    @property
    def sized(self) -> bool:
        "Whether it is asked how many questions a gate takes."
        return self.max_drop is not None or self.true_value is not None

    @property
    def smallest_gap(self) -> float:
        "The least distance of what is true from a limit."
        found = []
        if self.max_drop is not None: found.append(self.max_drop + (self.true_difference or 0.))
        if self.true_value is not None:
            found.append(self.true_value - next(iter(self.minimum.values())))
        return min(found)

    def check(self, target: str) -> None:
        "Refuse half of a rule, and a truth that no number of questions passes."
        if self.true_difference is not None and self.max_drop is None:
            raise OptionError("max_drop", f"{name_option('true_difference')} goes with "
                                          f"{name_option('max_drop')}", found="none")
        if self.true_value is not None and len(self.minimum) != 1:
            raise OptionError("minimum", f"{name_option('true_value')} is that of one metric",
                              found=f"{len(self.minimum)} minimums",
                              hint=option("minimum", {"pass@1": .8}))
        if not self.sized: return
        if self.minimum and self.true_value is None:
            raise OptionError("true_value", f"{option('minimum')} needs what is true of it",
                              found="none", hint=option("true_value", .9))
        if target != "new_questions":
            raise OptionError("target", "a gate is sized for new questions", got=target,
                              hint=option("target", "new_questions"))
        for name, value, low in (("max_drop", self.max_drop, 0), ("true_value", self.true_value, 0),
                                 ("true_difference", self.true_difference, -1)):
            if value is not None and not low <= value <= 1:
                raise OptionError(name, must=f"lie in [{low}, 1]", got=value)
        if not self.smallest_gap > 0: self.refuse_gap()

    def check_truth(self) -> None:
        "Refuse a minimum beside which nothing says what is planned."
        if self.true_value is not None: return
        raise OptionError("true_value", f"{name_option('minimum')} alone does not say what to plan",
                          hint=f"{option('true_value', ...)} gives the questions until the gate "
                          f"passes if that is true, {option('questions', ...)} when its verdict is "
                          "settled")

    def refuse_gap(self) -> None:
        "Refuse a truth at the limit of a rule, or beyond it."
        drop = self.max_drop is not None and self.max_drop + (self.true_difference or 0.) <= 0
        name = "true_difference" if drop else "true_value"
        limit = f"-{self.max_drop:g}" if drop else f"{next(iter(self.minimum.values())):g}"
        got = (self.true_difference or 0.) if drop else self.true_value
        raise OptionError(name, f"no number of questions passes a gate whose limit is {limit} "
                                "unless the truth lies above it", got=got)


def plan_gate(
    asked: AskedRules,  # Rules and truths
    pilots: Any,  # What is known of the systems
    planned: tuple[Metric, int, Any],  # Metric of the plan, its budget, and samples asked for
    options: Options,  # How pilots are read
    plan: PowerAnalysis,  # What else was planned
    alone: bool,  # Whether nothing else was asked for
) -> GatePlan:  # Questions and power for each number of samples
    """Questions with which all rules pass; each passes with a chance that makes all pass.

    Raises: `ValueError` for a truth that no system can have.
    """
    found = list_rules(asked, pilots, planned, options)
    samples = [n for n in plan.samples.tolist() if all(n >= k for _, _, _, k in found)]
    each = 1 - (1 - plan.wanted) / len(found)
    given = plan.asked["questions"]
    questions = None if given is None else int(given)
    rows = [size_rules(found, n, each, questions, plan) for n in samples]
    power = [1 - sum(1 - one for one in chances) for _, chances in rows]
    sizes = [size for size, _ in rows]
    price = plan.cost / plan.questions
    prices = dict(zip(plan.samples.tolist(), price.tolist()))
    cost = [np.inf if size is None or share < plan.wanted else size * prices[n]
            for n, size, share in zip(samples, sizes, power)]
    best = int(np.argmin(cost)) if cost and np.isfinite(min(cost)) else None
    return GatePlan(tuple(rule for rule, _, _, _ in found), tuple(samples), tuple(sizes),
                    tuple(max(0., one) for one in power), best, plan.wanted,
                    questions is not None, alone)


Sized = tuple[PlannedRule, PassRule, Population, int]  # The last is the budget of the metric


def list_rules(
    asked: AskedRules, pilots: Any, planned: tuple[Metric, int, Any], options: Options,
) -> list[Sized]:
    "Each rule with the systems that it judges."
    metric, k, n = planned
    found: list[Sized] = []
    def add(metric: Metric, k: int, kind: Any, rule: PassRule) -> None:
        population = pilots.imagine(k, metric, n, options).population
        if not isinstance(population, Population):
            raise OptionError("pilot", "variances alone cannot be simulated, and a gate is",
                              found=type(population).__name__)
        said = PlannedRule(metric.label(k), kind, rule.limit, rule.truth)
        found.append((said, rule, population, k))
    if asked.max_drop is not None:
        add(metric, k, "drop", PassRule(-asked.max_drop, asked.true_difference or 0., True))
    if asked.true_value is not None:
        name, least = next(iter(asked.minimum.items()))
        add(*find_planned(name), "minimum", PassRule(least, asked.true_value, False))
    return found


def find_planned(name: str) -> tuple[Metric, int]:
    "A metric by name, with its budget."
    found, k = find_metric(name)
    metric = found[0]
    if len(found) > 1 or metric.credit is None or k is None and metric.at != "n":
        raise OptionError("minimum", "planning needs one metric that follows from the number of "
                                     "right samples, with its budget", got=name,
                          hint=option("minimum", {"pass@1": .8}))
    return metric, k or 1


def size_rules(
    found: list[Sized], n: int, each: float, questions: int | None, plan: PowerAnalysis,
) -> tuple[int | None, list[float]]:
    "Questions with which every rule passes often enough, and how often each does."
    level, seed = plan.confidence_level, plan.seed
    if questions is None:
        sizes = [questions_to_pass(population, rule, n, each, level, seed)
                 for _, rule, population, _ in found]
        known = [one[0] for one in sizes if one is not None]
        if len(known) < len(sizes): return None, [0.]
        if len(found) == 1: return known[0], [one[1] for one in sizes if one is not None]
        questions = max(known)
    return questions, [pass_power(population, rule, n, questions, level, seed)[0]
                       for _, rule, population, _ in found]
