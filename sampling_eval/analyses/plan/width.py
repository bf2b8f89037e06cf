"""How many questions give the interval of one system a half-width."""
from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NoReturn

import numpy as np

from ...errors import OptionError
from ...spelling import name_option, option
from ...inference.intervals import FREE, Interval, Method, USUAL
from ...inference.population import Population
from ...inference.quantiles import check_level
from ...inference.widths import question_values, questions_for_width, typical_interval
from ...metrics.catalog import Metric
from .result import PlannedWidth, WidthPlan


def check_alone(
    half_width: Any,  # Half of the CI wanted
    given: Mapping[str, Any],  # Options that ask for something else, None where they do not
    target: str,  # Whose interval
    groups: bool = False,  # Whether groups are planned that give it, or questions
) -> None:
    """Refuse a width that no interval of a share has, and what is about two systems.

    Raises: `OptionError` for it.
    """
    numeric = isinstance(half_width, (int, float, np.number)) and not isinstance(half_width, bool)
    if not numeric or not 0 < half_width < .5:
        percent = numeric and 1 <= half_width < 50
        raise OptionError("half_width", must="lie between 0 and 0.5", got=half_width,
                          hint=f"{half_width:g} points are {option('half_width', half_width / 100)}"
                          if percent else "")
    also = [name for name, value in given.items() if value is not None]
    if also and groups: refuse_beside_groups(also[0])
    if also:
        raise OptionError(also[0], f"{name_option('half_width')} asks for the questions of one "
                                   "system", found=f"{name_option(also[0])} as well",
                          hint="plan them one at a time")
    if target != "new_questions":
        raise OptionError("target", "a width is planned for new questions", got=target,
                          hint=option("target", "new_questions"))


def refuse_beside_groups(name: str) -> NoReturn:
    "Refuse an option beside a plan for groups, with what holds in its place."
    instead = dict(n="each group is asked as often as in the pilot", method="the CI is that of t")
    reason = instead.get(name, f"{name_option('questions')} says how many questions there will be")
    raise OptionError(name, f"{name_option('crossed')} plans how many groups, such as prompts, "
                            f"give one system {name_option('half_width')}",
                      found=f"{name_option(name)} as well", hint=f"leave it out; {reason}")


def plan_width(
    population: Any,  # What is known of the system
    planned: tuple[Metric, int, np.ndarray],  # Metric, its budget, and samples per question
    half_width: float,  # Half of the CI wanted
    confidence_level: float,  # Its level
    method: str | None,  # None is the default of `score`; or `normal`, `t`
    prices: tuple[float, float],  # Cost of a question, and of a sample
) -> dict[str, Any]:  # Fields of a `WidthPlan`
    """The questions by the samples of each, the cheapest recommended.

    Raises: `OptionError` for variances alone, which have no values.
    """
    metric, k, samples = planned
    check_level(confidence_level)
    if not isinstance(population, Population):
        raise OptionError("pilot", "variances alone do not say what values a question has",
                          found=type(population).__name__)
    tail, rows, value = (1 - confidence_level) / 2, [], 0.
    for n in samples.tolist():
        values, chances = question_values(population, n)
        value = float(values @ chances)
        def size(method: str | None) -> int | None:
            ends = partial(typical_interval, values, chances, tail=tail, method=method)
            return questions_for_width(ends, half_width)
        found = size(method)
        usual = size(USUAL) if method is None else None
        if found is None:
            rows.append(PlannedWidth(n, None, None, None, usual))
            continue
        expected = Interval(*typical_interval(values, chances, found, tail, method),
                            float(confidence_level), "new_questions", Method(method or FREE))
        cost = found * (prices[0] + prices[1] * n)
        rows.append(PlannedWidth(n, found, expected, cost, usual))
    costs = [np.inf if row.cost is None else row.cost for row in rows]
    best = int(np.argmin(costs)) if np.isfinite(min(costs)) else None
    return dict(metric=metric.label(k), half_width=float(half_width), value=value,
                confidence_level=float(confidence_level), method=method or FREE,
                rows=tuple(rows), best=best, notes=population.notes)
