"What is said of another run of the same questions."
from __future__ import annotations

from ..results.rerun import Reruns
from .format import percent

__all__ = ["describe_reruns"]


def describe_reruns(
    found: Reruns | None,  # Facts of one system
) -> str:  # Empty where they are not known, or no outcome flips
    "How far two single runs may differ, how many outcomes flip, and the ICC."
    if found is None or not found.flip_rate: return ""
    size = 100 * found.least_difference_95
    gap = f"{size:.0f}" if size >= 9.95 else f"{size:.1f}"
    flips = percent(found.flip_rate, decimals=0)
    icc = "" if found.icc is None else f"; ICC {describe_icc(found.icc)}"
    # No two runs differ by more than 100 points.
    first = "" if size >= 100 else (f"Two single runs differ by more than {gap} points in 1 of 20 "
                                    "reruns; ")
    return f"{first}{flips} of outcomes flip{icc}."


def describe_icc(icc: float) -> str:
    "A correlation without its leading 0, and never rounded to 1: `.40`."
    size = abs(icc)
    shown = f"{size:.4f}" if .995 <= size < 1 else f"{size:.2f}"
    return "-" * (icc < 0) + (shown[1:] if size < 1 else shown)
