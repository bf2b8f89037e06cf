"""Values of the questions, their weights, and estimates: the step every verb shares."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from ..errors import OptionError, option
from ..foundations.counts import Counts, Values
from ..inference.estimate import Estimates, UPPER_BOUND, estimates_of
from ..inference.units import Units, units_of
from ..inference.weights import Weights, check_weights, weigh_fixed, weigh_units
from ..inference.within import Noise, fix_questions, within_questions
from ..metrics.catalog import Metric
from ..records import dataclass
from ..report.metrics import describe_range
from .metric_choice import (Budgets, Chosen, Metrics, choose_one, list_budgets, name_budgets,
                            pick_metrics, say_left_out)

__all__ = ["Weighing", "check_request", "share_weights", "find_units"]


# Weights


Given: TypeAlias = str | Mapping[Any, float] | None  # Column, weight by question, or none


@dataclass(frozen=True)
class Weighing:
    "How questions are weighted."
    given: Given = None
    largest: float | None = None  # Largest weight that a question may have

    @property
    def name(self) -> str:
        "What the questions are weighted by."
        return self.given if isinstance(self.given, str) else "the weights given"

    @property
    def asked(self) -> bool: return self.given is not None

    def find(
        self,
        questions: np.ndarray,  # Names of some questions
        known: Mapping[Any, float] | None,  # Weight by question
    ) -> Weights | None:  # Their weights; None where all are equal, or none are given
        """The weights of some questions.

        Raises: `ValueError` for a question without a weight, or a weight that is not positive.
        """
        if known is None: return None
        names = np.asarray(questions).tolist()
        if lacking := [name for name in names if name not in known]:
            raise OptionError("weights", must="name a weight for every question",
                              found=f"none for {lacking[0]!r}",
                              where=f" ({len(lacking)} of {len(names)} fail)")
        return check_weights([known[name] for name in names], self.largest, names=names,
                             name=self.name)

    def say(self, found: Sequence[Weights | None], grouped: bool = False) -> tuple[str, ...]:
        "Notes on the largest weight and on groups, or on weights that change nothing."
        if not self.asked: return ()
        known = [one for one in found if one is not None]
        if not known: return (f"weights: {self.name} gives all questions the same weight.",)
        widest = max(known, key=lambda one: one.largest * one.unit)
        basis = describe_range(widest.largest * widest.unit, widest.declared)
        within = f"Within a group questions are weighted by {self.name}."
        return (within, basis) if grouped else (basis,)


def check_request(
    weights: Given,  # Column, weight by question, or none
    largest_weight: float | None,  # Largest weight there may be
    cluster: Any = None,  # Groups of questions, which cannot be honoured with weights
) -> Weighing:
    """How questions are to be weighted.

    Raises: `ValueError` for a largest weight without weights, and for groups of questions.
    """
    if weights is None and largest_weight is not None:
        raise OptionError("weights", f"{option('largest_weight')} goes with {option('weights')}, "
                                     "which names the column of weights")
    if not (weights is None or cluster is None or cluster is False):
        raise OptionError("cluster", f"{option('weights')} and {option('cluster')} cannot be given "
                                     "together: nothing bounds the weight of a whole cluster",
                          hint=f"leave {option('cluster')} out")
    return Weighing(weights, largest_weight)


def share_weights(
    inputs: Sequence[Mapping[Any, float] | None],  # Weight by question, of each input
) -> Mapping[Any, float] | None:  # Weight by question
    """The weights of several inputs.

    Raises: `ValueError` for a question whose weight differs between inputs.
    """
    shared: dict[Any, float] = {}
    for known in inputs:
        if known is None: return None
        for name, weight in known.items():
            if shared.setdefault(name, weight) == weight: continue
            raise ValueError(f"a question has one weight, got {shared[name]:g} and {weight:g} at "
                             f"{name!r}, in two inputs")
    return shared


def find_units(
    values: Values,  # Values by distinct state
    bounds: tuple | None,  # Least and largest value of a question
    groups: Any,  # Group of each question, a sequence or an array; None without groups
    weights: Weights | None,  # Weight of each question
) -> Units:  # What means over new questions are computed from
    "Sampling units of questions, whether they have weights, groups, or neither."
    if weights is not None:
        return weigh_units(values.table, weights, bounds=bounds, state=values.state)
    return units_of(values.table, bounds=bounds, cluster=groups, times=values.times,
                    state=values.state)


# Values and estimates


# Each metric with its values on every system
MetricValues: TypeAlias = list[tuple[Chosen, tuple[Values, ...]]]


def estimate_metric(
    chosen: Chosen,  # Metric with its budgets
    counts: Counts,  # Counts of one system
    values: Values,  # Values of the metric by distinct state
    target: str = "new_questions",  # `new_questions` or `same_questions`
    weights: Weights | None = None,  # Weight of each question; None where all weigh the same
) -> Estimates:  # Mean, error, and what intervals need, at every budget
    """The mean over questions at every budget.

    Value: for the same questions the spread of all questions, an upper bound, where the noise
    of the samples is unknown.
    """
    facts: dict[str, Any] = dict(n_min=counts.n_min, n_max=counts.n_max,
                                 missing=int(counts.missing.sum()),
                                 estimator=chosen.metric.estimator)
    noise = find_noise(chosen, counts) if target == "same_questions" else None
    if noise is not None and weights is not None:
        return estimates_of(weigh_fixed(values.table, noise, weights, bounds=chosen.bounds,
                                        state=values.state), k=chosen.budgets, **facts)
    if noise is not None:
        units = fix_questions(values.table, noise, bounds=chosen.bounds, times=values.times)
        return estimates_of(units, k=chosen.budgets, **facts)
    groups = counts.cluster if target == "new_questions" else None
    units = find_units(values, chosen.bounds, groups, weights)
    kind = units.kind if target == "new_questions" else units.kind + UPPER_BOUND
    return estimates_of(units, kind, k=chosen.budgets, **facts)


def find_noise(
    chosen: Chosen,  # Metric with its budgets
    counts: Counts,  # Counts of one system
) -> Noise | Callable[[], Noise] | None:  # Variance and step of each value, `(S, K)`
    """Noise of the value of each state over new samples; None where it is unknown.

    Value: a function that finds it where it follows from a credit, so that it is computed when
    an error is looked at.
    """
    metric, ks = chosen.metric, chosen.ks
    if counts.n_max == 1: return None
    if metric.within:
        variance = metric.within(counts, ks)
        if np.isnan(variance).all(): return None
        return Noise(variance, np.minimum(1, ks / counts.n[:, None]))
    if metric.credit is None: return None
    return partial(within_questions, counts.states.n, counts.states.c, ks, metric.credit)


@dataclass(frozen=True, eq=False)
class Measured:
    "One metric on systems that share their questions."
    chosen: Chosen  # The metric with its budgets
    stated: bool  # Whether the name said one budget, or the metric has none
    sides: tuple[Counts, ...]  # Counts of each system
    values: tuple[Values, ...]  # Values of each system
    weights: Weights | None = None  # Weight of each question; None where all weigh the same


def measure_sides(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions, in one order
    metrics: Metrics,  # One metric
    k: Budgets = None,  # Budgets asked for; None chooses
    *,
    ties: str = "expected",  # Ties of maj@k
    lacks: Mapping[str, str] | None = None,  # Field of the counts to the reason it is absent
) -> Measured:  # Values of all systems at the same budgets
    """One metric on several systems.

    Raises: `ValueError` for budgets that contradict the name, or that a system does not reach.
    """
    counts = tuple(sides.values())
    found = [choose_one(side, metrics, k, ties=ties, lacks=lacks) for side in counts]
    metric, stated = found[0]
    if stated and k is not None:
        raise OptionError("k", f"{metrics!r} states its budget", found=f"k={k} as well")
    if metric.at == "n" and k is not None:
        raise OptionError("k", f"{metrics!r} has no budget", found=f"k={k}")
    chosen = share_budgets(metric, stated, counts, k)
    values = [one.at_states(side, chosen.ks) for side, (one, _) in zip(counts, found)]
    return Measured(chosen, bool(stated) or metric.at == "n", counts, tuple(values))


def share_budgets(
    metric: Metric, stated: int | None, sides: tuple[Counts, ...], k: Budgets,
) -> Chosen:
    "The budgets that every system reaches on every question."
    sizes = {n for side in sides for n in (side.n_min, side.n_max)}
    size = sizes.pop() if len(sizes) == 1 else "n"
    if metric.at == "n": ks = np.array([1])
    else:
        fewest = np.min([side.n for side in sides], 0)
        ks = list_budgets(Counts(fewest, fewest, sides[0].questions), stated or k)
        if metric.at == "largest k" and not stated and k is None: ks = ks[-1:]
    return Chosen(metric, ks, name_budgets(metric, ks, size))


def measure_all(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions, in one order
    metrics: Metrics,  # Names; None for all that every system has
    k: Budgets,  # Budgets asked for; None chooses
    ties: str,  # Ties of maj@k
    lacks: Mapping[str, str],  # Field of the counts to the reason it is absent
) -> MetricValues:
    """Every metric with its values on every system, at budgets that all of them reach.

    Raises: `ValueError` for an unknown name, or where no metric is left.
    """
    counts = tuple(sides.values())
    picked = [pick_metrics(side, metrics, k, ties, lacks) for side in counts]
    found = [{(metric.name, stated): metric for metric, stated in one} for one, _ in picked]
    shared = [key for key in found[0] if all(key in one for one in found)]
    if not shared: raise ValueError(f"no metric to report: {say_left_out(picked[0][1])}")
    return [measure_one([one[key] for one in found], key[1], counts, k) for key in shared]


def measure_one(
    metrics: Sequence[Metric], stated: int | None, counts: tuple[Counts, ...], k: Budgets,
) -> tuple[Chosen, tuple[Values, ...]]:
    "One metric on every system."
    first = metrics[0]
    if first.at == "largest k" and not stated and k is not None: k = int(np.max(k))
    chosen = share_budgets(first, stated, counts, k)
    values = [metric.at_states(side, chosen.ks) for metric, side in zip(metrics, counts)]
    return chosen, tuple(values)
