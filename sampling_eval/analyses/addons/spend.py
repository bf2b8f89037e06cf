"""What trying until success costs, from a column of costs (`cost=`)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from ...arguments import check_choice
from ...errors import OptionError
from ...spelling import option
from ...foundations.checks import faults
from ...foundations.counts import Counts
from ...inference.intervals import Interval, Method
from ...inference.spending import cost_per_solved
from ...inference.units import Weights
from ...metrics.cost import spend_at_k
from ...metrics.passk import pass_at_k
from ...parameters import MissingCost
from ...reading.columns import name_known_cells
from ...reading.options import Options
from ...render.blocks import Block, Text
from ...render.format import amount, level, percent
from ...results.base import Data, HasInterval, ends
from ..engine.choose import Budgets, choose_metrics
from ..engine.measure import Weighing, counts_by_model
from . import Asked, make_table


@dataclass(frozen=True, eq=False)
class Spend(HasInterval, Data):
    "Trying until the first success, at most `k` times: what it costs and what it solves."
    model: str  # Empty for a single one
    k: int  # Most tries
    unit: str  # Column that holds the cost of a sample
    spend: float  # Mean spend of a question
    solved: float  # Share of questions solved, pass@k
    per_solved: float | None  # Total spend over total solved; None where nothing is solved
    # None where it has none; approximate methods say so
    interval: Interval | None = field(metadata=ends(
        words="method", target="new_questions", unit="score"))
    questions: int
    confidence_level: float = .95
    reason: str = ""  # Why there is no cost per solved
    absent: int = 0  # Samples without a cost
    samples: int = 0  # Samples in all
    missing_cost: str = "raise"  # What an absent cost counts as: `mean` or `cap`
    cap: float | None = None  # Most that a sample can cost; None where nothing bounds it


FOUND = Spend  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> CostRequest | None:
    "The column of costs, and what bounds them; None without one."
    found = check_cost(given["cost"], given["cost_cap"], given["missing_cost"],
                       both=given["missing"] == "bounds")
    return None if found.column is None else found


def adjust(request: CostRequest, data: Any, given: dict[str, Any]) -> dict[str, Any]:
    "Options of reading under which costs are added up."
    return request.add(given)


def prepare(request: CostRequest, options: Options) -> Options:
    "Costs are columns that are known apart."
    return replace(options, costs=request.columns)


def measure(request: CostRequest, asked: Asked) -> tuple[Spend, ...]:
    "A line for each model and budget."
    request = replace(request, budgets=asked.budgets.get("spend", ()))
    return tuple(request.list_spend(counts_by_model(asked.loaded), asked.k,
                                    asked.style.confidence_level, asked.weighing,
                                    asked.loaded.weights))


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
            costs = mean_sample_costs(counts, self)
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
        return spend_at_k(counts.n, hits, k, right=self.right, wrong=self.wrong)


def mean_sample_costs(
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
                 None, len(spend), confidence_level, "no question was solved", costs.absent,
                 int(counts.n.sum()), asked.missing, asked.cap)
    if not told.solved > 0: return told
    cap = None if asked.cap is None else asked.cap * k
    if cap is not None and (high := spend.max()) > cap * (1 + 1e-9):
        raise OptionError("cost_cap", must="be at least what a sample costs", got=asked.cap,
                          hint=f"{k} samples cost up to {amount(high)}")
    given: Any = dict(cap=cap, cluster=counts.cluster, weights=weights,
                      confidence_level=confidence_level)
    found = cost_per_solved(spend, solved, **given)
    own = replace(found.interval, target="new_questions")
    # A theorem needs all costs; without a cap the method is approximate by itself.
    if costs.absent and asked.missing == "mean" and cap is not None:
        said = f"{own.method} (approximate: assumes costs absent at random)"
        own = replace(own, method=Method(said))
    if costs.least is not None:
        least = cost_per_solved(costs.least.spend(counts, k), solved, **given)
        own = replace(own, low=least.interval.low,
                      method=Method(f"{own.method}; absent costs 0 to cap"))
    return replace(told, per_solved=found.value, interval=own, reason="")


# In words.

BUDGETS_SHOWN = 12  # Budgets of a model that stand in the table


def blocks(found: Sequence[Spend]) -> list[Block]:
    "The sentence of the largest budget of each model, and the table; nothing without costs."
    if not found: return []
    last = {one.model: one for one in found}
    ends = f"{level(found[0].confidence_level)} CI"
    heads = ["k", "solved", "spend", "per solved", ends]
    methods = sorted({str(one.interval.method) for one in found if one.interval})
    note = (f"spend: mean {found[0].unit} of a question, trying until the first success and at "
            f"most k times; per solved: total spend over total solved, CI for new questions "
            f"({' and '.join(methods) or 'none'}).")
    absent = [absent_costs(one.model, one.absent, one.samples,
                           None if one.missing_cost == "mean" else one.cap)
              for one in last.values() if one.absent]
    return [*(Text(cost_sentence(one)) for one in last.values()), *map(Text, absent),
            make_table(heads, list(map(write_spend, pick(found)))), Text(note, "note")]


def absent_costs(
    who: str,  # Model; empty for a single one
    absent: int,  # Costs that are absent
    samples: int,  # Samples in all
    cap: float | None = None,  # What each counts as; the mean of others if None
) -> str:
    "How many costs are absent, and what they count as."
    said = f"{f'{who}: ' if who else ''}{absent} of {samples} costs are absent"
    if cap is None:
        return (f"{said}; each counts as the mean of the question's other samples with the same "
                "outcome: assumes that costs are absent at random among these. All outcomes count.")
    return (f"{said}; each counts as the cap, {amount(cap)}: spend and cost per solved are at "
            "most these, and the lower end of the CI counts it as 0. All outcomes count.")


def pick(found: Sequence[Spend]) -> list[Spend]:
    "All budgets where they are few; else the first, powers of two and the last of each model."
    most = {one.model: one.k for one in found}
    if len(found) <= BUDGETS_SHOWN * len(most): return list(found)
    return [one for one in found if one.k == most[one.model] or one.k & (one.k - 1) == 0]


def cost_sentence(one: Spend) -> str:
    "What a solved question costs at one budget."
    who = f"{one.model}: " if one.model else ""
    tries = f"at most {one.k} tries" if one.k > 1 else "one try"
    said = (f"{who}{tries} cost {amount(one.spend)} {one.unit} per question and solve "
            f"{percent(one.solved)}")
    if one.per_solved is None: return f"{said}; {one.reason}, so there is no cost per solved."
    ends = f"{level(one.confidence_level)} CI {write_ends(one)}, new questions"
    return f"{said}: {amount(one.per_solved)} per solved question ({ends})."


def write_ends(one: Spend) -> str:
    if one.interval is None: return "none"
    low, high = one.interval.low, one.interval.high
    if high == inf: return f"from {amount(low)}, without an end"
    return f"{amount(low)} to {amount(high)}"


def write_spend(one: Spend) -> list[str]:
    ratio = "-" if one.per_solved is None else amount(one.per_solved)
    return [one.model, str(one.k), percent(one.solved), amount(one.spend), ratio, write_ends(one)]
