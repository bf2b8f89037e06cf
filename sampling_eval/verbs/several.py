"""Several rules of a gate at once."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..reporting.gate_facts import Check
from ..reporting.intervals import find_ends
from ..results.style import Style
from .comparing import step_down

__all__ = ["adjust_fails", "step_down"]


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

