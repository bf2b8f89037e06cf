"""One rule of a gate, as it was judged."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..inference.estimate import Estimate, Interval
from .advice import Advice
from .records import Record

__all__ = ["Check"]


@dataclass(frozen=True, eq=False, repr=False)
class Check(Record):
    "One rule of a gate, the numbers it was judged by, and the verdict."
    rule: str  # The rule in words
    metric: str  # Name with its budget, or what is counted
    value: float  # Difference new minus baseline, value of the new system, or a number of questions
    low: float | None  # Lower end of its interval; None where questions are counted
    high: float | None  # Upper end
    limit: float  # The number the interval, or the count, is held against
    verdict: str  # `pass`, `fail` or `weak`
    interval: str  # Interval method and level
    questions: int  # Number of questions
    target: str = ""  # What the interval is about, in words
    drop: bool = False  # Whether the rule is about a drop against the baseline
    warning: str = ""  # What a weak check would need
    said: str = ""  # What was found, where questions are counted
    equal_passes: float | None = None  # Chance that a system equal to the baseline passes
    equal_flips: float | None = None  # Chance that it gets another verdict when run again
    next: Advice | None = None  # What a weak check would need, in numbers
    estimate: Estimate | None = None  # What it was computed from; None in a row read from JSON

    names = ("rule", "metric", "value", "low", "high", "limit", "verdict", "interval", "questions",
             "target", "drop", "warning", "said", "equal_passes", "equal_flips", "next")

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
        *,
        rng: int | np.random.Generator | None = None,  # Seed of methods that draw
    ) -> Interval:  # Ends, level and method
        """Another interval around the value.

        Raises: `ValueError` where the method does not apply, and for a row read from JSON.
        """
        if self.estimate is None:
            raise ValueError("the check holds its printed interval only, not the values of the "
                             "questions; judge the data again for others")
        return self.estimate.confidence_interval(confidence_level, method, rng=rng)
