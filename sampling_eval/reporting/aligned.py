"""Numbers of a column: all to a tenth of a point, so that they stand below each other."""
from __future__ import annotations

from .points import is_share, say_ends, say_level, say_signed

__all__ = ["align_points", "align_ends", "align_level"]


def align_points(
    size: float,  # A difference
    metric: str,  # Name of its metric
) -> str:  # `+8.0 points`; a plain number for scores
    "A difference with its sign and its unit."
    return align_signed(size, metric) + " points" * is_share(metric)


def align_ends(
    low: float | None,  # Lower end of an interval of differences; None where there is none
    high: float | None,  # Upper end
    metric: str,  # Name of its metric
) -> str:  # `-4.3 to +13.0`, `-` without an interval
    "Both ends of an interval of differences."
    return say_ends(low, high, metric, align_signed)


def align_signed(size: float, metric: str) -> str: return add_tenth(say_signed(size, metric))


def align_level(
    value: float,  # Value of a metric
    metric: str,  # Its name
) -> str:  # `50.0 %`; a plain number for scores
    "A value, in percent for a share."
    number, space, unit = say_level(value, metric).partition(" ")
    return add_tenth(number) + space + unit


def add_tenth(number: str) -> str: return number if "." in number else f"{number}.0"
