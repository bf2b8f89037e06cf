"""What `compare` has found of two systems, in no form yet."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..inference.comparison import Move
from ..inference.curves import PairedCurve
from .advice import Advice, Advised, find_advice
from .differences import Difference
from .primary import say_primary
from .sides import Sides, Told

__all__ = ["VersusFacts"]


@dataclass(frozen=True, eq=False, repr=False)
class VersusFacts:
    "B against A on the same questions; every difference is B minus A."
    rows: tuple[Difference, ...]  # One row per budget
    drawn: PairedCurve | None  # Simultaneous band over the budgets, if there are several
    moved: Mapping[str, Sequence[Move]]  # By metric name, the questions that moved most
    names: tuple[str, str]  # Names of A and B
    alignment: str  # How many questions are in both, only in A, only in B
    read: str  # What was read, and how missing samples were treated
    samples: tuple[str, str]  # Samples per question of A and of B, as a number or a range
    confidence_level: float = .95  # Level of the intervals and of the band
    notes: tuple[str, ...] = ()  # What could not be given, and why
    title: str = ""  # Name of the comparison
    questions: Mapping[str, Any] = field(default_factory=dict)  # Name, and A and B in every metric
    target: str = "questions"  # Whose interval gives the verdict
    sides: Sides | Told | None = None  # A and B by themselves; None where only rows were told
    advised: Advised = None  # What would decide an open verdict, or what finds it
    primary: str = ""  # Metric judged at the full level; empty unless there are several metrics

    @property
    def heading(self) -> str:
        return self.title or f"{self.names[1]} against {self.names[0]}"

    @cached_property
    def curve(self) -> PairedCurve | None:
        "The differences with a band over all budgets; None for one budget."
        return widen_band(self.drawn, self.rows)

    @cached_property
    def next(self) -> Advice | None:
        "What would decide the first open verdict; None where all are decided."
        return find_advice(self.advised)

    def __getitem__(self, metric: str) -> Difference:
        "The row of a metric name such as `pass@8`."
        found = {row.metric: row for row in self.rows}
        if metric in found: return found[metric]
        raise KeyError(f"metric must be one of {list(found)}, got {metric!r}")

    @property
    def caption(self) -> str:
        "What is compared, on how many questions."
        return f"{self.heading} ({self.rows[0].questions} questions)"

    def say_primary(self) -> str:
        "Which of several metrics is judged at the full level; empty for one metric."
        return say_primary(self.primary, len(self.rows) - 1, self.confidence_level)


def widen_band(
    curve: PairedCurve | None,  # Differences with an approximate band
    rows: Sequence[Difference],  # One row per budget
) -> PairedCurve | None:  # The same with a band that holds each row's own interval
    "A band that decides no more than the intervals of single budgets do."
    ends = [(row.low, row.high) for row in rows] if curve is not None else []
    if curve is None or any(low is None for low, _ in ends): return curve
    low, high = np.array(ends, float).T
    return replace(curve, low=np.minimum(curve.low, low), high=np.maximum(curve.high, high))
