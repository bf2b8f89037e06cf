"""Attempts that may have seen the one before: solved within k of them, in their order."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .._errors import OptionError
from ..foundations.checks import faults
from ..foundations.counts import Counts
from ..inference.sequential import solved_interval, solved_within
from ..metrics.passk import pass_at_k
from ..results.ordered import Ordered
from .run_tests import ABSENT
from .runs import RunTable

__all__ = ["KINDS", "list_ordered"]

KINDS = None, "independent", "ordered"  # What the attempts of a question are


def list_ordered(
    whole: Mapping[str, Counts],  # Counts of each model
    tables: Mapping[str, RunTable | None],  # Its samples by number, where these are known
    confidence_level: float,  # Level of the intervals
) -> Iterator[Ordered]:
    """The share of each model solved within each number of attempts, in their order.

    Raises: `OptionError` where the order of the attempts is not known, or has gaps.
    """
    for model, counts in whole.items():
        attempts, solved = find_attempts(counts, tables.get(model))
        yield from list_budgets(model, counts, attempts, solved, confidence_level)


def list_budgets(
    model: str, counts: Counts, attempts: np.ndarray, solved: np.ndarray, level: float,
) -> Iterator[Ordered]:
    "A line for each number of attempts."
    for k in range(1, int(attempts.max()) + 1):
        try: value = float(solved_within(attempts, solved, k))
        # Beyond the attempts of those that are unsolved nothing was seen.
        except ValueError: return
        ends = solved_interval(attempts, solved, k, level)
        known = k <= counts.n_min
        right: Any = counts.c
        any_k = float(pass_at_k(counts.n, right, k).mean()) if known else None
        yield Ordered(model, k, value, ends.low, ends.high, ends.method, any_k, len(attempts),
                      level)


def find_attempts(counts: Counts, table: RunTable | None) -> tuple[np.ndarray, np.ndarray]:
    "Attempts until the first success or the end, and whether there was one, by question."
    if table is None or table.right is None or not are_numbers(table):
        raise OptionError("attempts", "the order of attempts must be known", got="ordered",
                          hint="number them from the first by a column of whole numbers, named "
                          "by sample")
    outcomes = table.list_outcomes()
    if len(outcomes) < len(counts):
        raise OptionError("attempts", "so many samples are not put in order", got="ordered",
                          found=f"{len(counts)} questions of {outcomes.shape[1]} attempts",
                          hint="take solved_within of sampling_eval")
    held = outcomes != ABSENT
    made = held.sum(1)
    if (bad := ~held & (np.arange(held.shape[1]) < made[:, None])).any():
        raise OptionError("attempts", "attempts must be numbered without a gap", got="ordered",
                          where=faults(bad.any(1), counts.questions))
    right = outcomes == 1
    solved = right.any(1)
    return np.where(solved, right.argmax(1) + 1, made), solved


def are_numbers(table: RunTable) -> bool:
    "Whether the attempts stand in the order of their numbers."
    whole = all(isinstance(name, (int, np.integer)) for name in table.names)
    return whole and list(table.names) == sorted(table.names)  # type: ignore[type-var]
