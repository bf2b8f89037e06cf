"""Metrics over their budgets, and the rows that are made of them when they are looked at."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np

from ..foundations.counts import Counts, Values
from ..inference.bands import band_of
from ..inference.estimate import Estimate, Estimates, at_all_budgets, estimates_of
from ..inference.strata import join_groups
from ..inference.units import Units
from ..inference.weights import Weights
from ..io.console import Steps, count_steps
from ..records import dataclass
from ..results.rows import Bound, Interval, NO_INTERVAL, Row, find_intervals, tell_weights
from ..results.base import Rng, Style, Unit, main_target
from ..results.score_report import WHOLE
from .measuring import estimate_metric
from .metric_choice import Chosen

__all__ = ["Curve", "Rows", "measure", "average_groups"]

BANDED = None, "gaffke", "anchored-t"  # Interval methods beside which a band makes sense
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
    short_of: int = 0  # Samples that questions have fewer than the one with most, in all
    unit: Unit = "share"  # Of the values
    of_groups: int | None = None  # Groups of which it is the mean, if it is one
    bound: Bound | None = None  # None unless missing samples are counted both ways

    def make_rows(self, confidence_level: float, rng: Rng = None) -> list[Row]:
        "One row per budget."
        none = [NO_INTERVAL] * len(self.labels)
        own = find_intervals(self.estimates, confidence_level, self.interval, rng)
        again = none
        if self.again is not None: again = find_intervals(self.again, confidence_level, None, rng)
        facts = list_facts(self.estimates)
        found = zip(self.labels, facts, own, again, self.find_band(confidence_level, own))
        return [Row(label, **told, low=ends.low, high=ends.high, interval=ends.method,
                    again_low=other.low, again_high=other.high, again_interval=other.method,
                    **band, model=self.model, group=self.group, short_of=self.short_of,
                    unit=self.unit, of_groups=self.of_groups, bound=self.bound,
                    estimates=self.estimates, place=i,
                    weights=tell_weights(self.weights, ends.method))
                for i, (label, told, ends, other, band) in enumerate(found)]

    def find_band(
        self, confidence_level: float, own: Sequence[Interval],
    ) -> list[dict[str, Any]]:
        "Both edges and the method of the band at each budget, by name; empty where there is none."
        units = self.estimates.units if isinstance(self.estimates, Estimates) else None
        if not self.banded or not isinstance(units, Units): return [{}] * len(own)
        band = band_of(units, confidence_level)
        # The band is an approximation, the interval is not: the band never is the narrower one.
        return [dict(band_low=float(low if ends.low is None else min(low, ends.low)),
                     band_high=float(high if ends.high is None else max(high, ends.high)),
                     band=band.method)
                for low, high, ends in zip(band.low, band.high, own)]


def list_facts(estimates: Estimates | tuple[Estimate, ...]) -> Iterator[dict[str, Any]]:
    "What each estimate says of itself, as fields of a row."
    if isinstance(estimates, Estimates):
        yield from list_columns(estimates)
        return
    for one in estimates:
        told = one.to_dict()
        yield dict(estimate=told.pop("value"), **told)


def list_columns(estimates: Estimates) -> Iterator[dict[str, Any]]:
    "The same from the columns of all budgets, without an object for each."
    shared = dict(estimates.facts, questions=estimates.questions)
    budgets = [None] * len(estimates) if estimates.k is None else map(int, estimates.k)
    errors = [None if error != error else error for error in estimates.stderr.tolist()]
    columns = zip(estimates.value.tolist(), errors, estimates.reasons, budgets, estimates.kinds,
                  strict=True)
    for value, error, reason, k, kind in columns:
        yield dict(shared, estimate=value, stderr=error, reason=reason, k=k, stderr_kind=kind)


class Rows(Sequence[Row]):
    "Rows of several curves, made when the first of them is looked at."

    def __init__(
        self,
        curves: Sequence[Curve],  # Curves in the order of the report; late ones stay so
        confidence_level: float = .95,  # Level of the intervals
        rng: Rng = None,  # Seed of methods that draw
    ) -> None:
        self.curves, self.confidence_level, self.rng = curves, confidence_level, rng

    @cached_property
    def made(self) -> tuple[Row, ...]:
        "All rows, each name once for a model and group."
        found: dict[tuple[str, str, str], Row] = {}
        for row in self.list_rows():
            key = row.model, row.group, row.metric
            if key not in found or row.band: found[key] = row
        return tuple(found.values())

    def list_rows(self) -> Iterator[Row]:
        "The rows of one curve after the other; of very many it is said how far they are."
        curves = tuple(self.curves)
        late = not isinstance(self.curves, (tuple, list))
        label = f"computing intervals of {len(curves):,} metrics"
        with count_steps(len(curves), label) if late else nullcontext(Steps(0, "")) as steps:
            for curve in steps.watch(curves):
                yield from curve.make_rows(self.confidence_level, self.rng)

    def __len__(self) -> int: return len(self.made)
    def __iter__(self) -> Iterator[Row]: return iter(self.made)
    def __repr__(self) -> str: return repr(self.made)

    @overload
    def __getitem__(self, i: int) -> Row: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, i: Any) -> Any: return self.made[i]

    def __eq__(self, other: object) -> bool:
        return self.made == tuple(other) if isinstance(other, (Rows, tuple)) else NotImplemented


# From counts to curves.

def measure(
    chosen: Chosen,  # Metric with its budgets
    counts: Counts,  # Counts of one model
    style: Style,  # How error bars are computed
    model: str,  # Its name, which may be empty
    group: str,  # Group of questions; empty for all
    weights: Weights | None = None,  # Weight of each question; None where all weigh the same
) -> Curve:
    """One metric of one model at its budgets.

    Raises: `ValueError` where an interval method that was named does not apply.
    """
    values = chosen.metric.at_states(counts, chosen.ks)
    target = main_target(style.target)
    estimates = estimate_metric(chosen, counts, values, target, weights)
    again = None
    if style.target == "both":  # type: ignore[comparison-overlap]  # `score` alone takes both
        again = estimate_metric(chosen, counts, values, "same_questions", weights)
    several = len(chosen.ks) > 1 and chosen.metric.bounded and weights is None
    banded = several and target == "new_questions" and style.interval in BANDED
    short_of = counts.n_max * len(counts) - int(counts.n.sum())
    curve = Curve(chosen.metric.name, chosen.labels, estimates, again, values, style.interval,
                  banded, model, group, weights, short_of, chosen.metric.unit)
    # A named method may not apply; with the default there always is an interval.
    if style.interval is not None: try_interval(curve, style)
    return curve


def try_interval(curve: Curve, style: Style) -> None:
    "Refuse an interval method that does not apply, with the name of the metric."
    estimates: Any = curve.estimates
    # A method for all budgets at once applies to each of them, or to none.
    if style.interval in at_all_budgets: estimates = estimates_of(estimates.units.at(0))
    # Seed 0: what the caller's generator draws belongs to the rows.
    try: estimates.ends(style.confidence_level, style.interval, None)
    except ValueError as error:
        error.args = (f"{curve.labels[0]}: {error}",)
        raise


# The mean of groups: each group counts the same, whatever its size.

class Member(NamedTuple):
    "One number of one group."
    label: str
    estimate: Estimate
    again: Estimate | None
    curve: Curve


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
    return Curve(first.metric, (label,), average_estimates([one.estimate for one in members]),
                 interval="t" if first.interval == "t" else None, model=first.model,
                 group=f"mean of {len(members)} groups",
                 again=other if isinstance(other, Estimates) else None,
                 short_of=sum(one.curve.short_of for one in members), unit=first.unit,
                 of_groups=len(members))


def average_estimates(estimates: Sequence[Estimate]) -> Estimates | tuple[Estimate]:
    "The mean of estimates, each over its own questions."
    first = estimates[0]
    facts: dict[str, Any] = dict(
        estimator=first.estimator, missing=sum(e.missing for e in estimates),
        n_min=min(e.n_min for e in estimates), n_max=max(e.n_max for e in estimates))
    units = [e.units for e in estimates]
    if len(set(map(type, units))) == 1:
        return estimates_of(join_groups(units), first.stderr_kind + FIXED, k=first.k, **facts)
    mean = float(np.mean([e.value for e in estimates]))
    questions = sum(e.questions for e in estimates)
    return (Estimate(mean, None, questions, k=first.k, stderr_kind=first.stderr_kind,
                     reason=UNALIKE, **facts),)
