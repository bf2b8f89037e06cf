"""Attempts in their order: what is solved within k of them."""
from __future__ import annotations


from ..records import dataclass
from .base import Data

__all__ = ["Ordered"]


@dataclass(frozen=True, eq=False)
class Ordered(Data):
    "The share solved within `k` ordered attempts, beside pass@k, which takes any `k` of them."
    model: str  # Empty for a single one
    k: int  # Attempts allowed
    solved: float  # Share of questions solved within them
    low: float  # Ends of its interval, for new questions
    high: float
    method: str  # How the interval was computed; approximate ones say so
    exchangeable: float | None  # pass@k; None where a question has fewer attempts
    questions: int
    confidence_level: float = .95
