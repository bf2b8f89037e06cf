"""What trying until success costs, from a column of costs."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .._errors import OptionError
from ..foundations.checks import faults
from ..foundations.counts import Counts
from ..inference.spending import at_equal_spend, cost_per_solved
from ..metrics.cost import spend_at_k
from ..metrics.passk import pass_at_k
from ..results.spending import EqualSpending, Spend
from .metric_choice import Budgets, choose_metrics

__all__ = ["add_cost", "check_cost", "list_spend", "compare_spend"]


def add_cost(
    reading: Mapping[str, Any],  # Options of reading by name
    cost: str | None,  # Column that holds the cost of a sample
) -> dict[str, Any]:  # The same with the column among those that are added up
    "Options under which the cost of right and of wrong samples is added up."
    if cost is None: return dict(reading)
    sums = reading.get("sums") or ()
    known = [sums] if isinstance(sums, str) else list(sums)
    return dict(reading) | dict(sums=[*known, *[cost] * (cost not in known)])


def check_cost(
    cost: str | None,  # Column that holds the cost of a sample
    cap: float | None,  # Most that one sample can cost
    **others: Any,  # Options that do not go with a cost, by name
) -> None:
    """Refuse a cap without a cost or below 0, and what a cost does not go with.

    Raises: `OptionError`.
    """
    if cost is None and cap is not None:
        raise OptionError("cost_cap", "a cap bounds the cost of a sample, and no column of costs "
                          "was named", hint="name it by cost")
    if cost is None: return
    if not isinstance(cost, str) or not cost:
        raise OptionError("cost", must="be the name of a column", got=cost)
    if cap is not None and not 0 < cap < np.inf:
        raise OptionError("cost_cap", must="be finite and above 0", got=cap)
    for name, value in others.items():
        if value is None or value is False: continue
        raise OptionError(name, f"spend takes all questions as independent and equal: cost does "
                          f"not go with {name}", got=value)


def find_costs(
    counts: Counts,  # Counts of one model, with the costs of its samples added up
    cost: str,  # Column that holds the cost of a sample
) -> tuple[np.ndarray, np.ndarray]:  # Mean cost of right and of wrong samples, `(Q,)` each
    "Mean costs of a question's samples; an error where one has none."
    if counts.c is None:
        raise ValueError("spend until success needs outcomes, right or wrong, got graded scores")
    if cost not in counts.sums:
        raise OptionError("cost", "the costs of single samples are not known", got=cost,
                          hint="read the table of samples and not its counts")
    wrong, right = np.asarray(counts.sums[cost], float).T
    if (bad := (wrong < 0) | (right < 0)).any():
        raise OptionError("cost", f"need costs of at least 0 in {cost!r}, got a negative one"
                          f"{faults(bad, counts.questions)}")
    if (bad := ~(np.isfinite(wrong) & np.isfinite(right))).any():
        where = faults(bad, counts.questions)
        raise OptionError("cost", f"every sample needs a finite cost in {cost!r}, got one without"
                          f"{where}", hint="a missing cost is neither 0 nor missing at random; "
                          "add it, or leave out these samples and say so")
    won, lost = counts.c, counts.n - counts.c
    return right / np.maximum(won, 1), wrong / np.maximum(lost, 1)


def find_curve(
    counts: Counts,  # Counts of one model
    cost: str,  # Column that holds the cost of a sample
    ks: np.ndarray,  # Budgets, shape `(K,)`
) -> tuple[np.ndarray, np.ndarray]:  # Spend and chance of success, shape `(Q, K)` each
    "What each question costs and how often it is solved, at each budget."
    right, wrong = find_costs(counts, cost)
    hits: Any = counts.c
    return (spend_at_k(counts.n, hits, ks, right=right, wrong=wrong),
            pass_at_k(counts.n, hits, ks))


def list_spend(
    whole: Mapping[str, Counts],  # Counts of each model
    cost: str,  # Column that holds the cost of a sample
    cap: float | None,  # Most that one sample can cost
    k: Budgets,  # Budgets, as for pass@k; None: those that `score` chooses
    confidence_level: float,  # Level of the intervals
) -> Iterator[Spend]:
    "A line for each model and budget."
    for model, counts in whole.items():
        ks = choose_metrics(counts, "pass@k", k)[0][0].ks
        spend, solved = find_curve(counts, cost, ks)
        for i, k in enumerate(ks.tolist()):
            yield measure_spend(model, k, cost, spend[:, i], solved[:, i], cap, confidence_level)


def measure_spend(
    model: str, k: int, cost: str, spend: np.ndarray, solved: np.ndarray, cap: float | None,
    confidence_level: float,
) -> Spend:
    "Spend, success and their ratio at one budget."
    told = Spend(model, k, cost, float(spend.mean()), float(solved.mean()), None, None, None, "",
                 len(spend), confidence_level, "no question was solved")
    if not told.solved > 0: return told
    if cap is not None and (high := spend.max()) > cap * k * (1 + 1e-9):
        raise OptionError("cost_cap", must="be at least what a sample costs", got=cap,
                          hint=f"{k} samples cost up to {high:.4g}")
    found = cost_per_solved(spend, solved, cap=None if cap is None else cap * k,
                            confidence_level=confidence_level)
    ends = found.interval
    return replace(told, per_solved=found.value, low=ends.low,
                   high=ends.high if np.isfinite(ends.high) else None, method=ends.method,
                   reason="")


def compare_spend(
    a: Counts,  # Baseline
    b: Counts,  # The same questions by the system judged
    cost: str,  # Column that holds the cost of a sample
    confidence_level: float,  # Level of the interval
) -> EqualSpending:
    "Coverage of two systems where both spend as much."
    sides = [find_curve(one, cost, np.arange(1, one.n_min + 1)) for one in (a, b)]
    found = at_equal_spend(*sides[0], *sides[1], confidence_level=confidence_level)
    ends = found.interval
    return EqualSpending(found.spend, cost, found.a, found.b, found.difference, ends.low, ends.high,
                         ends.method, found.k_a, found.k_b, confidence_level)
