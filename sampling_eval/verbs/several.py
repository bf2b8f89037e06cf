"""Several metrics at once: one that decides, and others that are adjusted for their number."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..foundations.counts import Counts
from ..inference.comparison import Comparisons
from ..reporting.differences import Difference, decide, difference_rows
from ..reporting.intervals import find_ends
from ..reporting.style import Style
from ..reporting.gate_facts import Check
from .metric_choice import Metrics
from .measuring import Measured, measure_sides

__all__ = ["split_metrics", "measure_several", "compare_several", "adjust_fails"]


def split_metrics(
    metrics: Metrics,  # One metric or several, the primary one first
) -> list[Metrics]:  # Each by itself; empty unless there are several
    "The metrics of a list or a mapping."
    if metrics is None or isinstance(metrics, str) or len(metrics) < 2: return []
    if isinstance(metrics, Mapping): return [{name: metrics[name]} for name in metrics]
    return list(metrics)


def measure_several(
    sides: Mapping[str, Counts],  # Counts of two systems
    metrics: Sequence[Metrics],  # Several metrics
    **options: Any,  # `ties` and `lacks`
) -> list[Measured]:  # Each at the one budget that its name states
    """Several metrics on systems, with one number each.

    Raises: `ValueError` for a metric without a budget, or one that is named twice.
    """
    found = [measure_sides(sides, metric, **options) for metric in metrics]
    for one in found:
        if len(one.chosen.labels) == 1 and one.stated: continue
        label = one.chosen.metric.label(1)
        raise ValueError("of several metrics each must be one number, got "
                         f"{one.chosen.metric.name!r}; state the budget as in {label!r}")
    labels = [one.chosen.labels[0] for one in found]
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise ValueError(f"each metric must be named once, got {twice[0]!r} twice")
    return found


def compare_several(
    measured: Sequence[Measured],  # Metrics on two systems, the primary one first
    pairs: Sequence[Comparisons],  # B against A in each
    style: Style,  # How the primary one is judged
) -> tuple[Difference, ...]:  # One row per metric
    """The first row at the full level, the others at the levels of Holm's correction.

    Value: the interval of another row leaves out zero where Holm's test rejects it: rejected ones
    keep the level of their step, the rest have that of the step at which it ended.
    """
    def judge(place: int, level: float) -> Difference:
        chosen = measured[place].chosen
        ks = [None] if chosen.budgets is None else chosen.budgets.tolist()
        own = style._replace(confidence_level=level)
        return difference_rows(chosen.labels, ks, pairs[place], chosen.metric.estimator, own)[0]

    def is_decided(row: Difference) -> bool:
        return decide(*row.span(style.target)) in ("better", "worse")
    level = style.confidence_level
    others = step_down(range(1, len(measured)), judge, is_decided, level)
    return (judge(0, level), *(others[place] for place in range(1, len(measured))))


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


def adjust_fails(
    checks: Sequence[Check],  # Rules of a gate, the primary one first
    style: Style,  # How each was judged
) -> tuple[Check, ...]:  # The same, those weak that fail by themselves only
    """Checks in which no more than one in so many is a false failure, however many there are.

    A pass needs every rule to pass, which several rules make no likelier; a fail needs only one.
    """
    def judge(place: int, level: float) -> bool:
        check = checks[place]
        if check.verdict != "fail" or check.estimate is None: return False
        high = find_ends(check.estimate, level, style.interval, style.rng)[1]
        return high is not None and bool(high < check.limit)
    ranged = [place for place, check in enumerate(checks) if check.estimate is not None]
    failed = step_down(ranged[1:], judge, bool, style.confidence_level)
    return tuple(weaken(check) if check.verdict == "fail" and not failed.get(place, True) else check
                 for place, check in enumerate(checks))


def weaken(check: Check) -> Check:
    "A rule that fails by itself, but not among the others."
    return replace(check, verdict="weak", warning="it fails if judged alone, but not when Holm's "
                   "correction allows for the other rules")

