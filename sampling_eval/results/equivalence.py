"""Whether two systems are the same within a margin."""
from __future__ import annotations

from typing import Literal

from ..records import dataclass
from .base import Data, Unit

__all__ = ["Equivalence"]


@dataclass(frozen=True, eq=False)
class Equivalence(Data):
    "Whether two systems are the same within a margin, by the interval of one metric."
    margin: float  # Largest difference that does not matter
    metric: str  # Name with its budget
    verdict: Literal["same", "different", "inconclusive", "none"]  # `none` without an interval
    low: float | None  # Ends of the interval; None without one
    high: float | None
    target: str  # What the interval is about
    confidence_level: float  # Of the interval
    unit: Unit = "share"  # Whether 0.01 is a point
