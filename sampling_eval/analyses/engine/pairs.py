"""Systems held against each other: pairs at every budget, all pairs of many, Holm's steps."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import OptionError
from ...inference.comparison import Comparisons, Tables, at_budget, compare_budgets
from ...inference.intervals import row_of
from ...inference.ranking import Ranking, compare_all
from ...results.base import Rng, Style, is_number
from .measure import Measured, sampling_noise
from .systems import Aligned

__all__ = ["compare_sides", "know_pair", "rank_at", "step_down", "check_margin"]


def compare_sides(
    measured: Measured,  # A metric on two systems
    groups: list | None = None,  # Group of each question
    names: list | None = None,  # Name of each question
    rng: Rng = None,  # Seed of tests that draw
    stated: tuple[float, float] | None = None,  # Range of differences, where one was stated
) -> Comparisons:  # B against A at each budget
    "B against A, question by question, at every budget."
    a, b = measured.values
    chosen = measured.chosen
    return compare_budgets(a.table, b.table, state_a=a.state, state_b=b.state, k=chosen.budgets,
                           cluster=groups, names=names, bounds=chosen.bounds, rng=rng,
                           weights=measured.weights, stated=stated,
                           **know_pair(measured))


def know_pair(
    measured: Measured,  # A metric on several systems
    sides: tuple[int, int] = (0, 1),  # Positions of A and of B
    at: int | None = None,  # Position of one budget; None: all of them
) -> dict[str, Any]:  # Facts for `compare_budgets`, or for one comparison
    "What the samples behind two tables of values tell: their numbers, and counts or noise."
    old, new = (measured.sides[side] for side in sides)
    metric, ks = measured.chosen.metric, measured.chosen.ks
    facts: dict[str, Any] = dict(samples=(old.n, new.n))
    if metric.credit and metric.needs == ("c",):
        assert old.c is not None and new.c is not None
        tables = Tables(old.n, old.c, new.n, new.c, ks, metric.credit)
        return facts | dict(tables=tables if at is None else at_budget(tables, at))
    noise: list[Any] = [sampling_noise(measured.chosen, side) for side in (old, new)]
    if None in noise: return facts
    return facts | dict(noise=tuple(noise) if at is None else noise[1].minus(noise[0]).at(at))


def rank_at(
    i: int, aligned: Aligned, measured: Measured, groups: list | None, style: Style,
) -> Ranking:
    "All pairs at one budget."
    names = list(aligned.sides)
    values = {name: side.of_questions()[:, i] for name, side in zip(names, measured.values)}
    facts = {(names[a], names[b]): know_pair(measured, (a, b), i)
             for a in range(len(names)) for b in range(len(names)) if a != b}
    bounds = measured.chosen.bounds
    return compare_all(values, facts=facts, cluster=groups, bounds=bounds,
                       confidence_level=style.confidence_level,
                       method=match_test(style, bounds, len(names)), interval=style.interval,
                       target=style.target, weights=measured.weights, rng=style.rng,
                       stated=style.bounds)


def match_test(
    style: Style,  # How two systems are compared
    bounds: tuple[float, float] | None,  # Least and largest value of a question
    count: int,  # How many systems there are
) -> str | None:  # Name of a test; None where the interval alone decides
    "A test that rejects only where the interval that `compare` prints leaves out zero."
    # Few samples run again have no exact interval at the high levels that many pairs need.
    plain = style.interval is None or row_of(style.interval).fixed
    again = style.target == "same_questions" and plain
    return "cautious" if again and count > 2 and bounds is not None else None


def step_down(
    places: Sequence[int],  # Positions of what is judged together
    judge: Callable[[int, float], Any],  # Position and level to a result
    is_sure: Callable[[Any], bool],  # Whether a result rejects at its level
    confidence_level: float,  # Level at which one alone would be judged
) -> dict[int, Any]:  # Result of each at its level
    "Holm's correction: those that are sure are set aside, and the rest are fewer."
    left = list(places)
    found: dict[int, Any] = {}
    while left:
        level = 1 - (1 - confidence_level) / len(left)
        tried = {place: judge(place, level) for place in left}
        sure = {place: one for place, one in tried.items() if is_sure(one)} or tried
        found |= sure
        left = [place for place in left if place not in sure]
    return found


def check_margin(
    margin: float | None,  # Largest difference that does not matter
) -> None:
    "Refuse a margin within which nothing can lie."
    if margin is None or (is_number(margin) and 0 < margin < np.inf): return
    raise OptionError("same_within", must="be a finite margin above 0", got=margin,
                      hint="no data can show a difference of exactly 0; two points of a hundred "
                           "are 0.02")
