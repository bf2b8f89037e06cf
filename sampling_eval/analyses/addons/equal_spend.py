"""Which of two systems solves more for the same money, from a column of costs (`cost=`)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...inference.intervals import Interval
from ...inference.spending import SPENT, at_equal_spend
from ...metrics.passk import pass_at_k
from ...reading.options import Options
from ...render.format import amount, describe_ci, difference, percent
from ...results.base import Data, HasInterval, ends
from . import Compared
from .spend import CostRequest, absent_costs, check_cost, mean_sample_costs


@dataclass(frozen=True, eq=False)
class EqualSpending(HasInterval, Data):
    "Two systems where both spend as much on a question, on average."
    spend: float  # What both spend
    unit: str  # Column that holds the cost of a sample
    a: float  # Share that A solves for it
    b: float  # Share that B solves for it
    difference: float  # B minus A
    # Approximate methods say so
    interval: Interval = field(metadata=ends(
        words="method", target="new_questions", unit="share"))
    k_a: float  # Budget of A; between two whole ones, some questions get one try more
    k_b: float  # Budget of B
    confidence_level: float = .95
    absent_a: int = 0  # Samples of A without a cost
    absent_b: int = 0  # Samples of B without a cost
    samples: int = 0  # Samples of both
    missing_cost: str = "raise"  # What an absent cost counts as
    share: float | None = None  # Of the most that both can spend; None where the spend was named


FOUND = EqualSpending  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `compare`
) -> CostRequest | None:
    "The column of costs, and the spend at which both are compared; None without one."
    found = check_cost(given["cost"], None, given["missing_cost"], ("raise", "mean"),
                       spend=given["spend"])
    return None if found.column is None else found


def adjust(request: CostRequest, data: Any, given: dict[str, Any]) -> dict[str, Any]:
    "Options of reading under which costs are added up."
    return request.add(given)


def prepare(request: CostRequest, options: Options) -> Options:
    "Costs are columns that are known apart."
    return replace(options, costs=request.columns)


def measure(request: CostRequest, asked: Compared) -> EqualSpending:
    "The coverage of both at equal spend."
    sides, level = list(asked.aligned.sides.values()), asked.report.confidence_level
    absent, curves = [], []
    for one in sides:
        costs, ks = mean_sample_costs(one, request), np.arange(1, one.n_min + 1)
        absent.append(costs.absent)
        curves += [costs.spend(one, ks), pass_at_k(one.n, one.c, ks)]  # type: ignore[arg-type]
    found = at_equal_spend(*curves, spend=request.spend, cluster=asked.cluster,
                           weights=asked.weights, confidence_level=level)
    return EqualSpending(
        found.spend, str(request.column), found.a, found.b, found.difference,
        replace(found.interval, target="new_questions"), found.k_a, found.k_b, level,
        absent[0], absent[1], int(sum(one.n.sum() for one in sides)), request.missing,
        SPENT if request.spend is None else None)


# In words.

def sentences(found: EqualSpending, names: tuple[str, str]) -> list[str]:
    "Who solves more for the same money, and how many costs are absent."
    a, b = names
    said = describe_ci(found.low, found.high, found.confidence_level, str(found.interval.method),
                       change=True)
    absent = found.absent_a + found.absent_b
    share = "" if found.share is None else \
        f", {percent(found.share, decimals=0)} of the most that both can spend"
    return [f"At equal spend ({amount(found.spend)} {found.unit} per question{share}): {a} solves "
            f"{percent(found.a)} (k = {found.k_a:.3g}), {b} {percent(found.b)} "
            f"(k = {found.k_b:.3g}); {difference(found.difference)} ({said}).",
            *([absent_costs("", absent, found.samples)] if absent else [])]
