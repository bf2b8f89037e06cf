"""The same, within a margin: the verdict of a comparison, and what a margin may be."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._errors import OptionError
from ..inference.deciding import judge_same
from ..results.comparison import Difference, PairwiseComparison
from ..results.equivalence import Equivalence

__all__ = ["check_margin", "add_margin"]


def check_margin(
    margin: float | None,  # Largest difference that does not matter
) -> None:
    "Refuse a margin within which nothing can lie."
    if margin is None or (is_number(margin) and 0 < margin < np.inf): return
    raise OptionError("same_within", must="be a finite margin above 0", got=margin,
                      hint="no data can show a difference of exactly 0; two points of a hundred "
                           "are 0.02")


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_))


def add_margin(
    result: PairwiseComparison,  # Two systems compared
    margin: float | None,  # Largest difference that does not matter; None where none was named
) -> PairwiseComparison:
    "The same with the verdict on a margin, where one was named."
    if margin is None: return result
    row = result.rows[0]
    if row.unit == "share" and margin >= 1:
        raise OptionError("same_within", must="be below 1 for shares", got=margin,
                          hint="two points of a hundred are 0.02")
    return replace(result, same_within=find_equivalence(row, margin))


def find_equivalence(row: Difference, margin: float) -> Equivalence:
    "Whether the interval of a row lies inside the margin, beyond it, or neither."
    low, high = row.span()
    verdict = "none" if low is None or high is None else judge_same(low, high, margin)
    return Equivalence(float(margin), row.metric, verdict,  # type: ignore[arg-type]
                       low, high, row.target, row.confidence_level, row.unit)
