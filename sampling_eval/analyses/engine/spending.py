"""What trying until success costs, from a column of costs."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arguments import check_choice
from ...errors import OptionError, option
from ...foundations.checks import faults
from ...foundations.counts import Counts
from ...inference.weights import Weights
from ...metrics.passk import pass_at_k
from ...parameters import MissingCost
from ...reading.columns import name_known_cells
from ..score.result import EqualSpending, Spend
from .choose import Budgets, choose_metrics
from .measure import Weighing

if TYPE_CHECKING:
    from ..compare.result import PairwiseComparison
    from .systems import Aligned


@dataclass(frozen=True)
class CostRequest:
    "Whether tries have costs, and what an absent one counts as."
    column: str | None = None  # Column that holds the cost of a sample
    cap: float | None = None  # Most that one sample can cost
    missing: MissingCost = "raise"  # What an absent cost counts as
    capped: bool = True  # Whether it may count as the cap
    budgets: tuple[int, ...] = ()  # Those that spend@k names; none for those of pass@k
    spend: float | None = None  # Mean spend at which two systems are compared

    @property
    def columns(self) -> tuple[str, ...]:
        "The columns of costs: one, or none."
        return () if self.column is None else (self.column,)

    def add(
        self, reading: Mapping[str, Any],  # Options of reading by name
    ) -> dict[str, Any]:  # The same with the column among those that are added up
        "Options under which the cost of right and of wrong samples is added up."
        if self.column is None: return dict(reading)
        sums = reading.get("sums") or ()
        known = [sums] if isinstance(sums, str) else list(sums)
        return dict(reading) | dict(sums=[*known, *[self.column] * (self.column not in known)])

    def list_spend(
        self,
        whole: Mapping[str, Counts],  # Counts of each model
        k: Budgets,  # Budgets, as for pass@k; None: those that `score` chooses
        confidence_level: float,  # Level of the intervals
        weighing: Weighing,  # How questions are weighted
        known: Mapping[Any, float] | None,  # Weight by question
    ) -> Iterator[Spend]:
        "A line for each model and budget."
        for model, counts in whole.items():
            costs = find_costs(counts, self)
            weights = weighing.find(counts.questions, known)
            for at in choose_metrics(counts, "pass@k", list(self.budgets) or k)[0][0].ks.tolist():
                yield measure_spend(model, at, counts, costs, self, weights, confidence_level)


def check_cost(
    cost: str | None,  # Column that holds the cost of a sample
    cap: float | None,  # Most that one sample can cost
    missing: MissingCost,  # What an absent cost counts as
    choices: tuple[str, ...] = ("raise", "mean", "cap"),  # What it may count as
    both: bool = False,  # Whether missing samples are counted both ways
    spend: float | None = None,  # Mean spend at which two systems are compared
) -> CostRequest:
    """What was asked about costs.

    Raises: `OptionError` for a cap, a spend or a missing cost without costs, a cap or a spend that
    is not above 0, and for missing samples that are counted both ways.
    """
    check_choice("missing_cost", missing, choices)
    if cost is None: refuse_without(cap, missing, spend)
    elif not isinstance(cost, str) or not cost:
        raise OptionError("cost", must="be the name of a column", got=cost)
    for name, value in (("cost_cap", cap), ("spend", spend)):
        if value is None or 0 < value < np.inf: continue
        raise OptionError(name, must="be finite and above 0", got=value)
    if missing == "cap" and cap is None:
        raise OptionError("missing_cost", "an absent cost counts as at most the cap, and none was "
                          "named", got=missing, hint=f"name it by {option('cost_cap')}")
    if cost is not None and both:
        raise OptionError("missing", "cost does not go with missing samples counted both ways: the "
                          "one that counts as right and the one that counts as wrong have no cost",
                          got="bounds", hint=option("missing", "wrong"))
    return CostRequest(cost, cap, missing, "cap" in choices, spend=spend)


def refuse_without(cap: float | None, missing: MissingCost, spend: float | None) -> None:
    "Refuse what says more about costs where there are none."
    if cap is not None:
        raise OptionError("cost_cap", "a cap bounds the cost of a sample, and no column of costs "
                          "was named", hint=f"name it by {option('cost', ...)}")
    if spend is not None:
        raise OptionError("spend", "two systems are compared at a spend where their samples have "
                          "costs, and no column of costs was named", got=spend,
                          hint=f"name it by {option('cost', ...)}")
    if missing != "raise":
        raise OptionError("missing_cost", "an absent cost is one of a column of costs, and none "
                          "was named", got=missing, hint=f"name it by {option('cost', ...)}")


# From sums of costs to mean costs.

@dataclass(frozen=True, eq=False)
class MeanCosts:
    "Mean costs of a question's right and wrong samples, shape `(Q,)` each."
    right: np.ndarray
    wrong: np.ndarray
    absent: int = 0  # Samples without a cost
    least: MeanCosts | None = None  # The same with 0 for an absent one, where others are the cap

    def spend(self, counts: Counts, k: Any) -> np.ndarray:
        "What each question costs at some budgets."
        hits: Any = counts.c
        from ...metrics.cost import spend_at_k  # Most tables have no cost
        return spend_at_k(counts.n, hits, k, right=self.right, wrong=self.wrong)


def find_costs(
    counts: Counts,  # Counts of one model, with the costs of its samples added up
    asked: CostRequest,  # The column, and what an absent cost counts as
) -> MeanCosts:
    "Mean costs of a question's samples."
    cost: Any = asked.column
    if counts.c is None:
        raise OptionError("cost", "spend until success needs outcomes, right or wrong",
                          found="graded scores", hint=f"set {option('threshold', ...)}")
    if cost not in counts.sums:
        raise OptionError("cost", "the costs of single samples are not known", got=cost,
                          hint="read the table of samples and not its counts")
    total = np.asarray(counts.sums[cost], float)
    size = np.stack([counts.n - counts.c, counts.c], 1)
    if (bad := (total < 0).any(1)).any():
        raise OptionError("cost", f"need costs of at least 0 in {cost!r}, got a negative one"
                          f"{faults(bad, counts.questions)}")
    # Of totals that were handed over it is not known of how many costs.
    absent = size - counts.sums.get(name_known_cells(cost), size)
    unknown = ~np.isfinite(total)
    bad = (unknown | (absent > 0)).any(1)
    if bad.any(): refuse_absent(bad, unknown, counts, asked)
    number = int(absent.sum())
    if asked.missing == "cap" and number:
        low = total / np.maximum(size, 1)
        high = (total + absent * asked.cap) / np.maximum(size, 1)
        return MeanCosts(high[:, 1], high[:, 0], number, MeanCosts(low[:, 1], low[:, 0]))
    known = size - absent
    refuse_unknown(known == 0, size, counts, asked)
    mean = total / np.maximum(known, 1)
    return MeanCosts(mean[:, 1], mean[:, 0], number)


def refuse_absent(bad: np.ndarray, unknown: np.ndarray, counts: Counts, asked: CostRequest) -> None:
    "Refuse absent costs, unless it was said what they count as."
    where = faults(bad, counts.questions)
    if unknown.any() and asked.missing != "raise":
        raise OptionError("missing_cost", "it is not known how many costs are absent from totals",
                          found=f"an unknown total{where}",
                          hint="read the table of samples and not its counts")
    if asked.missing != "raise": return
    raise OptionError("cost", f"every sample needs a finite cost in {asked.column!r}, got one "
                      f"without{where}", hint="add it, or say what an absent one counts as: "
                      f"{option('missing_cost', 'mean')}")


def refuse_unknown(none: np.ndarray, size: np.ndarray, counts: Counts, asked: CostRequest) -> None:
    "Refuse a question whose right, or whose wrong samples, have no cost at all."
    for at, side in enumerate(("wrong", "right")):
        bad = none[:, at] & (size[:, at] > 0)
        if not bad.any(): continue
        raise OptionError("missing_cost", f"an absent cost counts as the mean of the question's "
                          f"other {side} samples, and none of these has a cost",
                          got=asked.missing, where=faults(bad, counts.questions),
                          hint="bound them: " + option("missing_cost", "cap") if asked.capped
                          else "add them")


# From mean costs to results.

def measure_spend(
    model: str, k: int, counts: Counts, costs: MeanCosts, asked: CostRequest,
    weights: Weights | None, confidence_level: float,
) -> Spend:
    "Spend, success and their ratio at one budget."
    spend, solved = costs.spend(counts, k), pass_at_k(counts.n, counts.c, k)  # type: ignore
    average = np.mean if weights is None else weights.average
    told = Spend(model, k, str(asked.column), float(average(spend)), float(average(solved)), None,
                 None, None, "", len(spend), confidence_level, "no question was solved",
                 costs.absent, int(counts.n.sum()), asked.missing, asked.cap)
    if not told.solved > 0: return told
    cap = None if asked.cap is None else asked.cap * k
    if cap is not None and (high := spend.max()) > cap * (1 + 1e-9):
        raise OptionError("cost_cap", must="be at least what a sample costs", got=asked.cap,
                          hint=f"{k} samples cost up to {high:.4g}")
    given: Any = dict(cap=cap, cluster=counts.cluster, weights=weights,
                      confidence_level=confidence_level)
    from ...inference.spending import cost_per_solved
    found = cost_per_solved(spend, solved, **given)
    low, ends, method = found.interval.low, found.interval, found.interval.method
    # A theorem needs all costs; without a cap the method is approximate by itself.
    if costs.absent and asked.missing == "mean" and cap is not None:
        method += " (approximate: assumes costs absent at random)"
    if costs.least is not None:
        least = cost_per_solved(costs.least.spend(counts, k), solved, **given)
        low, method = least.interval.low, f"{method}; absent costs 0 to cap"
    return replace(told, per_solved=found.value, low=low,
                   high=ends.high if np.isfinite(ends.high) else None, method=method, reason="")


def add_spend(
    result: PairwiseComparison,  # Two systems compared
    aligned: Aligned,  # Their counts on the same questions
    asked: CostRequest,  # The column, and what an absent cost counts as
    cluster: list | None,  # Group of each question; None where each is drawn by itself
    weights: Weights | None,  # Weight of each question; None where all weigh the same
) -> PairwiseComparison:
    "The same with the coverage of both at equal spend, where costs were named."
    if asked.column is None: return result
    from ...inference.spending import SPENT, at_equal_spend
    sides, absent, curves = list(aligned.sides.values()), [], []
    for one in sides:
        costs, ks = find_costs(one, asked), np.arange(1, one.n_min + 1)
        absent.append(costs.absent)
        curves += [costs.spend(one, ks), pass_at_k(one.n, one.c, ks)]  # type: ignore[arg-type]
    found = at_equal_spend(*curves, spend=asked.spend, cluster=cluster, weights=weights,
                           confidence_level=result.confidence_level)
    ends = found.interval
    return replace(result, equal_spend=EqualSpending(
        found.spend, asked.column, found.a, found.b, found.difference, ends.low, ends.high,
        ends.method, found.k_a, found.k_b, result.confidence_level, absent[0], absent[1],
        int(sum(one.n.sum() for one in sides)), asked.missing,
        SPENT if asked.spend is None else None))
