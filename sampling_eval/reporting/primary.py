"""What is said of several metrics, of which the first decides."""
from __future__ import annotations

from .numbers import percent

__all__ = ["say_primary"]


def say_primary(
    primary: str,  # Metric that was named first; empty where there is one metric only
    others: int,  # How many there are besides
    confidence_level: float,  # Level of the primary one
) -> str:  # One sentence, empty without a primary metric
    "Which metric is judged at the full level, and how the others are."
    if not primary: return ""
    level = f"{percent(confidence_level)} %"
    first = f"{primary}, named first, is the primary metric, judged at {level}"
    if others == 1: return f"{first}. The other one is secondary: judged by itself at that level."
    return (f"{first}. The other {others} are judged together: Holm's correction for {others}, "
            "which widens their intervals.")
