"""Old names of the rows of a comparison, for modules that are not converted yet."""
from __future__ import annotations

from ..results.analysis import judge_interval
from ..results.comparison import Difference

__all__ = ["Difference", "decide"]


def decide(low: float | None, high: float | None) -> str:
    "`better`, `worse`, `open` or `none`."
    found = judge_interval(low, high)
    return "open" if found == "inconclusive" else found
