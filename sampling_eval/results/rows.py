"""A number of a report with everything needed to read it."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from ..inference.estimate import Estimate, Interval
from ..records import dataclass
from .base import Data, Unit, live
from .interval import Method
from .style import Rng
from .weights import Weighted

__all__ = ["Bound", "Row", "name_at", "name_family"]


@dataclass(frozen=True, eq=False)
class Bound(Data):
    "Where missing samples are counted both ways: what they count as in a row."
    missing: Literal["wrong", "right"]
    group: str  # Group of questions of the row, without what its missing samples count as


@dataclass(frozen=True, eq=False)
class Row(Data):
    "One number of a report."
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
    estimator: str  # Estimator by name
    stderr_kind: str = ""  # What the standard error is over
    interval: Method | None = None  # Method of the interval; None without one
    model: str = ""  # System, if the data name one
    group: str = ""  # Group of questions, if asked for
    reason: str = ""  # Why a standard error or interval is undefined
    band_low: float | None = None  # Lower edge of the band over all budgets of the metric
    band_high: float | None = None  # Upper edge
    band: str = ""  # Method of the band
    again_low: float | None = None  # Lower end for the same questions
    again_high: float | None = None  # Upper end
    again_interval: Method | None = None  # Its method
    short_of: int = 0  # Samples that questions have fewer than `n_max` each, in all
    weights: Weighted | None = None  # How questions are weighted; None where all weigh the same
    unit: Unit = "share"  # Of the estimate and its interval
    of_groups: int | None = None  # Groups of which it is the mean; None for a mean over questions
    bound: Bound | None = None  # None unless missing samples are counted both ways
    estimates: Sequence[Estimate] | None = live()  # What it is made of; None in a row from JSON
    place: int = live()  # Its position there

    def to_dict(self) -> dict[str, Any]:
        "All fields as plain Python values; those on weights only where there are some."
        told = super().to_dict()
        return told | (told.pop("weights") or {})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        "The same again, without what it is made of."
        told = dict(values)
        if "weighted_by" in told: told["weights"] = told
        return super().from_dict(told)

    def to_flat(self) -> dict[str, Any]:
        "The same as a line of a spreadsheet: methods by name."
        names = dict(interval=self.interval and self.interval.name,
                     again_interval=self.again_interval and self.again_interval.name,
                     bound=self.bound and self.bound.missing)
        return self.to_dict() | {field: name or "" for field, name in names.items()}

    @property
    def group_alone(self) -> str:
        "The group of questions, without what missing samples count as."
        return self.group if self.bound is None else self.bound.group

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
        name = "none" if self.interval is None else self.interval.name
        raise ValueError(f"{self.metric} holds its stored interval only ({name}); "
                         "score the data again for another one")


def name_family(
    metric: str,  # Name with its budget, such as `pass@8`
) -> str:  # Name without it, such as `pass@k`
    "The name that a metric has at all its budgets."
    return re.sub(r"(?<=[@^])\d+", "k", metric, count=1)


def name_at(
    family: str,  # Name without its budget, such as `pass@k`
    k: int,  # Its budget
) -> str:  # Name with it, such as `pass@8`
    "The name that a metric has at one of its budgets."
    return re.sub(r"(?<=[@^])k", str(k), family, count=1)
