"""Rows of a report: a number with all that is needed to read it, made when it is asked for."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

from ..foundations.counts import Values
from ..inference.bands import band_of
from ..inference.estimate import Estimate, Estimates, Interval
from ..inference.units import Units
from ..inference.weights import Weights
from ..io.console import Steps, count_steps
from .intervals import list_ends
from .late import LateCurves
from .records import Record
from .style import Rng
from .weights import Weighted, describe_weights, tell_weights

__all__ = ["Row", "Curve", "Rows"]


@dataclass(frozen=True, eq=False, repr=False)
class Row(Record):
    "One number of a report with everything needed to read it."
    metric: str  # Name with its budget, such as `pass@8`
    k: int | None  # Samples kept per trial; None for a mean over all samples
    estimate: float  # Mean over questions
    stderr: float | None  # Its standard error; None where undefined
    low: float | None  # Lower end of the interval; None where undefined
    high: float | None  # Upper end
    questions: int  # Number of questions averaged
    n_min: int  # Fewest samples of a question
    n_max: int  # Most samples of a question
    missing: int  # Samples without an outcome
    estimator: str  # Estimator in words
    stderr_kind: str  # What the standard error refers to
    interval: str  # Interval method and level
    model: str = ""  # System, if the data name one
    group: str = ""  # Group of questions, if asked for
    reason: str = ""  # Why a standard error or interval is undefined
    band_low: float | None = None  # Lower edge of the band over all budgets of the metric
    band_high: float | None = None  # Upper edge
    band: str = ""  # How the band was computed
    again_low: float | None = None  # Lower end for these questions, run again
    again_high: float | None = None  # Upper end
    again_interval: str = ""  # Interval method and level
    estimates: Sequence[Estimate] | None = None  # What it is made of; None in a row from JSON
    place: int = 0  # Its position there
    weights: Weighted | None = None  # How questions are weighted; None where all weigh the same
    short_of: int = 0  # Samples that questions have fewer than `n_max` each, in all

    names = ("metric", "k", "estimate", "stderr", "low", "high", "questions", "n_min", "n_max",
             "missing", "estimator", "stderr_kind", "interval", "model", "group", "reason",
             "band_low", "band_high", "band", "again_low", "again_high", "again_interval",
             "short_of")

    def to_dict(self) -> dict[str, Any]:
        "All fields as plain Python values, and those on weights where there are some."
        return super().to_dict() | tell_weights(self.weights)

    @property
    def source(self) -> Estimate | None:
        "What the row is made of; None in a row that was read from JSON."
        return None if self.estimates is None else self.estimates[self.place]

    @property
    def samples(self) -> str:
        "Samples per question, as a number or a range."
        return f"{self.n_min}" if self.n_min == self.n_max else f"{self.n_min}..{self.n_max}"

    def confidence_interval(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Name of the method; None is the package default
        *,
        rng: Rng = None,  # Seed or generator for methods that draw
    ) -> Interval:
        """The interval at another level, or by another method.

        Raises: `ValueError` where the method does not apply, or the row was read from JSON.
        """
        if self.source is not None:
            return self.source.confidence_interval(confidence_level, method, rng=rng)
        raise ValueError(f"{self.metric} holds its stored interval only ({self.interval}); "
                         "score the data again for another one")


@dataclass(frozen=True, eq=False)
class Curve:
    "One metric of one model and group at all its budgets, as it was estimated."
    labels: tuple[str, ...]  # Name at each budget
    estimates: Estimates | tuple[Estimate, ...]  # Means over questions; a tuple has no intervals
    again: Estimates | None = None  # The same for these questions, run again
    values: Values | None = None  # Values of the questions; None for a mean of groups
    interval: str | None = None  # Interval method; None is the package default
    banded: bool = False  # Whether a band over all budgets belongs to it
    model: str = ""  # System, if the data name one
    group: str = ""  # Group of questions, if asked for
    weights: Weights | None = None  # Weight of each question; None where all weigh the same
    short_of: int = 0  # Samples that questions have fewer than the one with most, in all

    def make_rows(self, confidence_level: float, rng: Rng = None) -> list[Row]:
        "One row per budget."
        ends = list_ends(self.estimates, confidence_level, self.interval, rng)
        bands = self.find_band(confidence_level, ends)
        again: list = [()] * len(self.labels)
        if self.again is not None: again = list_ends(self.again, confidence_level, None, rng)
        units = getattr(self.estimates, "units", None)
        whole: dict[str, Any] = dict(
            model=self.model, group=self.group, estimates=self.estimates,
            short_of=self.short_of,
            weights=describe_weights(self.weights, units, self.interval))
        told = zip(self.labels, tell_estimates(self.estimates), ends, bands, again, strict=True)
        return [Row(label, **facts, **name_ends(*spans), **whole, place=i)
                for i, (label, facts, *spans) in enumerate(told)]

    def find_band(self, confidence_level: float, ends: list) -> list[tuple]:
        "Both edges and the method of the band at each budget; empty where there is none."
        if not self.banded: return [()] * len(ends)
        units = self.estimates.units if isinstance(self.estimates, Estimates) else None
        if not isinstance(units, Units): return [()] * len(ends)
        band = band_of(units, confidence_level)
        # The band is an approximation, the interval is not: the band never is the narrower one.
        return [(float(min(low, own[0])), float(max(high, own[1])), band.method)
                for low, high, own in zip(band.low, band.high, ends)]


def name_ends(ends: tuple, band: tuple, again: tuple) -> dict[str, Any]:
    "The fields of a row that hold its interval, its band and its second interval."
    named = dict(zip(("low", "high", "interval"), ends))
    named |= zip(("band_low", "band_high", "band"), band)
    named |= zip(("again_low", "again_high", "again_interval"), again)
    return named


def tell_estimates(estimates: Estimates | tuple[Estimate, ...]) -> Iterator[dict[str, Any]]:
    "What each estimate says of itself, as fields of a row."
    if isinstance(estimates, Estimates):
        yield from tell_columns(estimates)
        return
    for one in estimates:
        told = one.to_dict()
        yield dict(estimate=told.pop("value"), **told)


def tell_columns(estimates: Estimates) -> Iterator[dict[str, Any]]:
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
        self.curves = curves if isinstance(curves, LateCurves) else tuple(curves)
        self.confidence_level, self.rng = confidence_level, rng

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
        many = isinstance(self.curves, LateCurves)
        label = f"computing intervals of {len(curves):,} metrics"
        with count_steps(len(curves), label) if many else nullcontext(Steps(0, "")) as steps:
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
