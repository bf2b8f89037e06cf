"""Metrics measured: weights and values of the questions, estimates, and curves over budgets.

Every verb takes counts to the values of its questions (`Metric.at_states`), and these to means
with what their intervals need (`estimate_metric`). `compare`, `gate` and `explain` hold several
systems beside each other (`measure_sides`, `measure_all`); `score` and `table` make a curve of each
metric of each model (`measure`) and its rows (`rows_of_curves`).
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar, overload

import numpy as np

from ...errors import OptionError, retell
from ...spelling import Sentence, option
from ...foundations.counts import Counts, Values
from ...inference.bands import band_of
from ...inference.intervals import (
    UPPER_BOUND, Estimate, Estimates, Interval, Method, estimates_of, row_of)
from ...inference.estimate import weigh_fixed, within_questions
from ...inference.fixed_questions import fix_questions, Noise
from ...inference.units import (
    check_weights, cross_groups, join_groups, Units, units_of, weigh_units, Weights)
from ...metrics.catalog import Metric
from ...reading.console import count_steps
from ...reading.load import Loaded
from ...results.base import Rng, Style, Unit, main_target
from ...results.rows import WHOLE, Bound, Row, intervals_of, weighted_of
from ..phrases.weights import weight_range_sentence
from .choose import (Budgets, Chosen, Metrics, choose_one, name_budgets, pick_metrics,
                     reported_budgets, say_left_out)


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
        basis = Sentence(weight_range_sentence(widest.largest * widest.unit, widest.declared))
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


def counts_by_model(
    loaded: Loaded,  # What was read
) -> dict[str, Counts]:
    "The counts of each model over all its questions."
    return {model: counts for (model, group), counts in loaded.blocks.items() if not group}


def sampling_units(
    values: Values,  # Values by distinct state
    bounds: tuple | None,  # Least and largest value of a question
    groups: Any,  # Group of each question, a sequence or an array; None without groups
    weights: Weights | None,  # Weight of each question
) -> Units:  # What means over new questions are computed from
    "Sampling units of questions, whether they have weights, groups, or neither."
    if weights is not None:
        return weigh_units(values.table, weights, bounds=bounds, state=values.state,
                           cluster=groups)
    return units_of(values.table, bounds=bounds, cluster=groups, times=values.times,
                    state=values.state)


def clusters_for(counts: Counts, target: str) -> np.ndarray | None:
    "The cluster of each question; the same questions have none."
    return counts.cluster if target == "new_questions" else None


# Values and estimates.

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
    noise = sampling_noise(chosen, counts) if target == "same_questions" else None
    if noise is not None and weights is not None:
        return estimates_of(weigh_fixed(values.table, noise, weights, bounds=chosen.bounds,
                                        state=values.state), k=chosen.budgets, **facts)
    if noise is not None:
        units = fix_questions(values.table, noise, bounds=chosen.bounds, times=values.times)
        return estimates_of(units, k=chosen.budgets, **facts)
    units = sampling_units(values, chosen.bounds, clusters_for(counts, target), weights)
    kind = units.kind if target == "new_questions" else units.kind + UPPER_BOUND
    return estimates_of(units, kind, k=chosen.budgets, **facts)


def sampling_noise(
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
    return measure_one([one for one, _ in found], stated, counts, k)


def share_budgets(
    metric: Metric, stated: int | None, sides: tuple[Counts, ...], k: Budgets,
) -> Chosen:
    "The budgets that every system reaches on every question."
    sizes = {n for side in sides for n in (side.n_min, side.n_max)}
    size = sizes.pop() if len(sizes) == 1 else "n"
    if metric.at == "n": ks = np.array([1])
    else:
        fewest = np.min([side.n for side in sides], 0)
        ks = reported_budgets(Counts(fewest, fewest, sides[0].questions), stated or k)
        if metric.at == "largest k" and not stated and k is None: ks = ks[-1:]
    return Chosen(metric, ks, name_budgets(metric, ks, size))


def measure_all(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions, in one order
    metrics: Metrics,  # Names; None for all that every system has
    k: Budgets,  # Budgets asked for; None chooses
    ties: str,  # Ties of maj@k
    lacks: Mapping[str, str],  # Field of the counts to the reason it is absent
) -> list[Measured]:  # Values of all systems, at budgets that all of them reach
    """Every metric on several systems.

    Raises: `ValueError` for an unknown name, or where no metric is left.
    """
    counts = tuple(sides.values())
    if not counts: raise OptionError("models", must="name a model", found="none")
    picked = [pick_metrics(side, metrics, k, ties, lacks) for side in counts]
    found = [{(metric.name, stated): metric for metric, stated in one} for one, _ in picked]
    shared = [key for key in found[0] if all(key in one for one in found)]
    if not shared:
        raise OptionError("metrics", f"no metric to report: {say_left_out(picked[0][1])}")
    largest = None if k is None else int(reported_budgets(counts[0], k).max())
    return [measure_one([one[name, stated] for one in found], stated, counts,
                        largest if found[0][name, stated].at == "largest k" else k)
            for name, stated in shared]


def measure_one(
    metrics: Sequence[Metric], stated: int | None, counts: tuple[Counts, ...], k: Budgets,
) -> Measured:
    "One metric on every system."
    chosen = share_budgets(metrics[0], stated, counts, k)
    values = tuple(metric.at_states(side, chosen.ks) for metric, side in zip(metrics, counts))
    return Measured(chosen, bool(stated) or metrics[0].at == "n", counts, values)


# Curves of one model, and their rows.

FIXED = ", groups fixed"
UNALIKE = "the noise of the samples is known in some groups only"


@dataclass(frozen=True, eq=False)
class Curve:
    "One metric of one model and group at all its budgets, as it was estimated."
    metric: str  # Its name without a budget, such as `pass@k`
    labels: tuple[str, ...]  # Name at each budget
    estimates: Estimates | tuple[Estimate, ...]  # Means over questions; a tuple has no intervals
    again: Estimates | None = None  # The same for the same questions
    values: Values | None = None  # Values of the questions; None for a mean of groups
    interval: str | None = None  # Interval method; None is the package default
    banded: bool = False  # Whether a band over all budgets belongs to it
    model: str = ""  # System, if the data name one
    group: str = ""  # Group of questions, if asked for
    weights: Weights | None = None  # Weight of each question; None where all weigh the same
    clusters: np.ndarray | None = None  # Cluster of each question, where new ones are the target
    short_of: int = 0  # Samples that questions have fewer than the one with most, in all
    unit: Unit = "share"  # Of the values
    of_groups: int | None = None  # Groups of which it is the mean, if it is one
    bound: Bound | None = None  # None unless missing samples are counted both ways

    def make_rows(self, confidence_level: float, rng: Rng = None) -> list[Row]:
        "One row per budget."
        unit, again = self.unit, [None] * len(self.labels)
        own = intervals_of(self.estimates, confidence_level, self.interval, rng, unit)
        if self.again is not None:
            again = intervals_of(self.again, confidence_level, None, rng, unit)
        facts, weights = estimate_facts(self.estimates), self.weights
        found = zip(self.labels, facts, own, again, self.find_band(confidence_level, own))
        return [Row(label, **told, interval=interval, again=other, band=band, model=self.model,
                    group=self.group, short_of=self.short_of, unit=unit, of_groups=self.of_groups,
                    bound=self.bound, estimates=self.estimates, place=i,
                    weights=None if weights is None else weighted_of(weights, interval))
                for i, (label, told, interval, other, band) in enumerate(found)]

    def find_band(
        self, confidence_level: float, own: Sequence[Interval | None],
    ) -> list[Interval | None]:
        "The band at each budget; None where there is none."
        units = self.estimates.units if isinstance(self.estimates, Estimates) else None
        if not self.banded or not isinstance(units, Units): return [None] * len(own)
        band = band_of(units, confidence_level)
        # The band is an approximation, the interval is not: the band never is the narrower one.
        edges = [(low, high) if ends is None else (min(low, ends.low), max(high, ends.high))
                 for low, high, ends in zip(band.low, band.high, own)]
        how = Method(band.method)
        return [Interval(float(low), float(high), confidence_level, "new_questions", how, self.unit)
                for low, high in edges]


def estimate_facts(estimates: Estimates | tuple[Estimate, ...]) -> Iterator[dict[str, Any]]:
    "What each estimate says of itself, as fields of a row."
    if isinstance(estimates, Estimates):
        yield from facts_by_budget(estimates)
        return
    for one in estimates:
        told = one.to_dict()
        yield dict(estimate=told.pop("value"), **told)


def facts_by_budget(estimates: Estimates) -> Iterator[dict[str, Any]]:
    "The same from the columns of all budgets, without an object for each."
    shared = dict(estimates.facts, questions=estimates.questions)
    budgets = [None] * len(estimates) if estimates.k is None else map(int, estimates.k)
    errors = [None if error != error else error for error in estimates.stderr.tolist()]
    columns = zip(estimates.value.tolist(), errors, estimates.reasons, budgets, estimates.kinds,
                  strict=True)
    for value, error, reason, k, kind in columns:
        yield dict(shared, estimate=value, stderr=error, reason=reason, k=k, stderr_kind=kind)


def rows_of_curves(
    curves: Iterable[Curve],  # Curves in the order of the report
    confidence_level: float = .95,  # Level of the intervals
    rng: Rng = None,  # Seed of methods that draw
) -> tuple[Row, ...]:  # Each name once for a model and group
    "The rows of one curve after the other."
    found: dict[tuple[str, str, str], Row] = {}
    for curve in curves:
        for row in curve.make_rows(confidence_level, rng):
            key = row.model, row.group, row.metric
            if key not in found or row.band: found[key] = row
    return tuple(found.values())


# From counts to curves.

def measure(
    chosen: Chosen,  # Metric with its budgets
    counts: Counts,  # Counts of one model
    style: Style,  # How error bars are computed
    model: str,  # Its name, which may be empty
    group: str,  # Group of questions; empty for all
    weights: Weights | None = None,  # Weight of each question; None where all weigh the same
    values: Values | None = None,  # Values of its questions, where these are known
) -> Curve:
    """One metric of one model at its budgets.

    Raises: `ValueError` where an interval method that was named does not apply.
    """
    if values is None: values = chosen.metric.at_states(counts, chosen.ks)
    target = main_target(style.target)
    estimates = estimate_metric(chosen, counts, values, target, weights)
    again = None
    if style.target == "both":  # type: ignore[comparison-overlap]  # `score` alone takes both
        again = estimate_metric(chosen, counts, values, "same_questions", weights)
    several = len(chosen.ks) > 1 and chosen.metric.bounded and weights is None
    banded = several and target == "new_questions" and is_banded(style.interval)
    short_of = counts.n_max * len(counts) - int(counts.n.sum())
    curve = Curve(chosen.metric.name, chosen.labels, estimates, again, values, style.interval,
                  banded, model, group, weights, clusters_for(counts, target), short_of,
                  chosen.metric.unit)
    # A named method may not apply; with the default there always is an interval.
    if style.interval is not None: try_interval(curve, style)
    return curve


def is_banded(method: str | None) -> bool:
    "Whether a band over all budgets stands beside an interval that was named, or the default."
    return method is None or row_of(method).banded


def try_interval(curve: Curve, style: Style) -> None:
    "Refuse an interval method that does not apply, with the name of the metric."
    estimates: Any = curve.estimates
    # A method for all budgets at once applies to each of them, or to none.
    if row_of(style.interval).at_once: estimates = estimates_of(estimates.units.at(0))
    # Seed 0: what the caller's generator draws belongs to the rows.
    try: estimates.ends(style.confidence_level, style.interval, None)
    except ValueError as error:
        retell(error, lambda said: f"{curve.labels[0]}: {said}")
        raise


# The mean of groups: each group counts the same, whatever its size.

class Member(NamedTuple):
    "One number of one group."
    label: str
    estimate: Estimate
    again: Estimate | None
    curve: Curve

    @property
    def values(self) -> np.ndarray:
        "Value of each question."
        assert self.curve.values is not None  # Groups are made of questions
        i = self.curve.labels.index(self.label)
        return self.curve.values.of_questions()[:, i]


def average_groups(
    curves: Sequence[Curve],  # Curves of all models and groups
) -> Iterator[Curve]:  # One curve of a single budget for each metric that every group has
    "For each model and metric the mean over its groups, of which there are several."
    parts = [curve for curve in curves if curve.group not in WHOLE]
    for model in dict.fromkeys(curve.model for curve in parts):
        own = [curve for curve in parts if curve.model == model]
        groups = {curve.group for curve in own}
        for name, members in gather_members(own).items():
            if len(members) == len(groups) > 1: yield average_family(name, list(members.values()))


def gather_members(curves: Sequence[Curve]) -> dict[str, dict[str, Member]]:
    "The numbers of one name in each group."
    found: dict[str, dict[str, Member]] = {}
    for curve in curves:
        for i, label in enumerate(curve.labels):
            again = None if curve.again is None else curve.again[i]
            one = Member(label, curve.estimates[i], again, curve)
            # The average of 4 samples in one group and of 8 in another is avg@n over both.
            family = curve.metric if one.estimate.k is None else label
            found.setdefault(family, {})[curve.group] = one
    return found


def average_family(name: str, members: list[Member]) -> Curve:
    "The curve of one metric over groups of equal weight."
    labels = {one.label for one in members}
    label = labels.pop() if len(labels) == 1 else name
    again = [one.again for one in members if one.again is not None]
    other = average_estimates(again) if len(again) == len(members) else None
    first = members[0].curve
    knows_groups = row_of(first.interval).groups
    own = average_estimates([one.estimate for one in members])
    if share_clusters([one.curve.clusters for one in members]): own = cross_members(members, own)
    return Curve(first.metric, (label,), own,
                 interval=first.interval if knows_groups else None, model=first.model,
                 group=f"mean of {len(members)} groups",
                 again=other if isinstance(other, Estimates) else None,
                 short_of=sum(one.curve.short_of for one in members), unit=first.unit,
                 of_groups=len(members))


def share_clusters(clusters: Sequence[np.ndarray | None]) -> bool:
    "Whether a cluster stands in several groups."
    found = [set(own.tolist()) for own in clusters if own is not None]
    return len(found) == len(clusters) and len(set().union(*found)) < sum(map(len, found))


def cross_members(members: Sequence[Member], alone: Any) -> Estimates:
    "The mean of groups that share clusters, with the facts of the same without any."
    weights = [one.curve.weights or Weights(np.ones(len(one.values))) for one in members]
    weighted = any(one.curve.weights is not None for one in members)
    units = cross_groups([one.values for one in members],
                         [one.curve.clusters for one in members],  # type: ignore[misc]
                         bounds=members[0].estimate.units.bounds,
                         weights=[own.weight for own in weights] if weighted else None,
                         largest=max(own.largest for own in weights) if weighted else None)
    return replace(alone, units=units, kind=units.kind + FIXED)


def average_estimates(estimates: Sequence[Estimate]) -> Estimates | tuple[Estimate]:
    "The mean of estimates, each over its own questions."
    first = estimates[0]
    facts: dict[str, Any] = dict(
        estimator=first.estimator, missing=sum(e.missing for e in estimates),
        n_min=min(e.n_min for e in estimates),  # type: ignore[type-var]
        n_max=max(e.n_max for e in estimates))  # type: ignore[type-var]
    units = [e.units for e in estimates]
    if len(set(map(type, units))) == 1:
        return estimates_of(join_groups(units), first.stderr_kind + FIXED, k=first.k, **facts)
    mean = float(np.mean([e.value for e in estimates]))
    questions = sum(e.questions for e in estimates)
    return (Estimate(mean, None, questions, k=first.k, stderr_kind=first.stderr_kind,
                     reason=UNALIKE, **facts),)


# Curves and rows of very many models, of which most are never looked at.

Made = TypeVar("Made")


class Late(Sequence[Made]):
    "A sequence that is made when it is first looked at."

    @cached_property
    def made(self) -> tuple[Made, ...]: raise NotImplementedError

    def __len__(self) -> int: return len(self.made)
    def __iter__(self) -> Iterator[Made]: return iter(self.made)

    @overload
    def __getitem__(self, i: int) -> Made: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Made, ...]: ...
    def __getitem__(self, i: Any) -> Any: return self.made[i]

    def __reduce__(self) -> Any: return tuple, (self.made,)


@dataclass(frozen=True, eq=False)
class LateCurves(Late[Curve]):
    "Curves of many models and groups, estimated when they are looked at."
    blocks: Mapping[tuple[str, str], Counts]  # Counts of each
    chosen: Sequence[Sequence[Chosen]]  # Metrics of each
    style: Style  # How error bars are computed
    found: dict[int, list[Curve]] = field(default_factory=dict)  # What was estimated so far

    @cached_property
    def grouped(self) -> bool: return any(group for _, group in self.blocks)

    def find(self, i: int) -> list[Curve]:
        "The curves of one model or group."
        if i not in self.found:
            (model, group), counts = list(self.blocks.items())[i]
            name = group or "all questions" * self.grouped
            own = [measure(one, counts, self.style, model, name) for one in self.chosen[i]]
            refuse_two_values(own)
            self.found[i] = own
        return self.found[i]

    def take(self, places: Sequence[int]) -> list[Curve]:
        "The curves of some."
        return [curve for i in places for curve in self.find(i)]

    @cached_property
    def made(self) -> tuple[Curve, ...]:
        "All curves."
        what = f"estimating {len(self.blocks):,} models and groups"
        with count_steps(len(self.blocks), what) as steps:
            found = self.take(list(steps.watch(range(len(self.blocks)))))
        return (*found, *average_groups(found)) if self.grouped else tuple(found)


@dataclass(frozen=True, eq=False)
class LateRows(Late[Row]):
    "Their rows, made when the first of them is looked at."
    curves: LateCurves

    @cached_property
    def made(self) -> tuple[Row, ...]:
        "All rows."
        curves, style = self.curves.made, self.curves.style
        label = f"computing intervals of {len(curves):,} metrics"
        with count_steps(len(curves), label) as steps:
            return rows_of_curves(steps.watch(curves), style.confidence_level, style.rng)


def refuse_two_values(
    curves: Sequence[Curve],  # Curves of one model
) -> None:
    """Refuse two metrics of one name with different values.

    Raises: `ValueError` with the name.
    """
    found: dict[str, float] = {}
    for curve in curves:
        for label, value in zip(curve.labels, curve.estimates.value.tolist()):  # type: ignore
            if found.setdefault(label, value) != value:
                raise ValueError(f"two metrics are called {label!r}; give them names of their own")
