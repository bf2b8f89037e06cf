"The sentences of a plan: answer, power, limits, and what it rests on."
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..inference.intervals import TARGETS
from ..inference.sample_size import Plan

__all__ = ["tell_plan"]


def tell_plan(
    plan: Plan,  # Any plan
) -> list[str]:  # Its sentences, the answer first
    "The sentences of a plan: answer, power, limits, and what it rests on."
    return [tell_answer(plan), tell_power(plan), *tell_smallest(plan),
            *tell_enough(plan), *tell_source(plan)]


def tell_answer(plan: Plan) -> str:
    if plan.best is not None:
        row = plan.rows[plan.best]
        found = "" if plan.goal.startswith("To see") else f"{row['delta']:.3g}, from "
        questions = say_count(row["questions"], "question")
        samples = say_count(row["samples"], "sample")
        return (f"{plan.goal}: {found}{questions} with {samples} each "
                f"(power {row['power']:.1%}).")
    if plan.goal.startswith("To see"):
        return (f"{plan.goal}: not with any number of samples listed; "
                f"the highest power is {plan.power.max():.1%}.")
    return f"{plan.goal}: none, not even the largest difference possible."


def tell_power(plan: Plan) -> str:
    level = f"{100 * plan.confidence_level:g} % interval that compare prints"
    if plan.method != "interval":
        return (f"Power is that of a two-sided test with {plan.method} quantiles, "
                f"an approximation to the {level}.")
    exact = "it is computed exactly"
    if plan.error:
        points = f"{100 * plan.error:.1g}"
        exact = f"where it is simulated, its standard error is {points} points at most"
    return (f"Power is the chance that the {level} ({TARGETS[plan.target]}) "
            f"lies on the right side of zero; {exact}.")


def tell_smallest(plan: Plan) -> Iterator[str]:
    if plan.smallest is None or plan.smallest.max() <= 1: return
    few, many = int(plan.smallest.min()), int(plan.smallest.max())
    less = "" if few == many else f" ({few} with the most samples)"
    yield (f"With fewer than {say_count(many, 'question')}{less} that interval never "
           "excludes zero, whatever the data.")


def tell_enough(plan: Plan) -> Iterator[str]:
    if plan.target == "benchmark": return
    if plan.enough is not None:
        samples = say_count(plan.enough, "sample")
        yield (f"From {samples} a question on, at most a tenth of the variance comes "
               "from sampling: still more samples could save at most a tenth of the "
               "questions.")
    elif (share := plan.components.within[-1] / plan.components.total[-1]) > 0:
        yield (f"At {say_count(plan.samples[-1], 'sample')} a question, {share:.0%} of "
               "the variance still comes from sampling.")


def tell_source(plan: Plan) -> Iterator[str]:
    yield from plan.notes
    between = plan.components.between
    if between < 0:
        used = "0 is used"
        if plan.method == "interval": used = "the simulation has as little as it can"
        yield (f"The variance of the differences between questions is estimated as "
               f"{between:.3g}, below 0 by chance; {used}.")
    yield f"The numbers rest on: {plan.components.source}."


def say_count(number: Any, what: str) -> str: return f"{number:,} {what}{'s' * int(number != 1)}"
