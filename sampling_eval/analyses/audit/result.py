"""The result of `audit`, and of `compare` for two counts: what published numbers can mean."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from ...inference.intervals import Interval
from ...results.base import Data, HasInterval, Result, ends

__all__ = ["Audit", "AuditVerdict", "PublishedCurve", "PublishedDifference", "PublishedNumber",
           "PublishedRuns", "PublishedValue"]

AuditVerdict = Literal["significant", "not significant", "unknown", "possible", "impossible",
                       "within chance", "more than chance"]


@dataclass(frozen=True, eq=False)
class PublishedNumber(HasInterval, Data):
    "A published share, the counts that it can stand for, and its interval."
    text: str  # As it was given
    value: float
    least: float  # Least share that is rounded to it; itself for a count
    most: float  # Largest such share
    questions: int
    samples: int  # Of each question: as given, or the fewest that fit
    fits: tuple[int, ...]  # Samples per question that fit, of those tried; as given: that number
    tried: int  # Numbers of samples tried, from 1 on; 0 where samples were given
    right_least: int  # Fewest right samples that fit
    right_most: int  # Most right samples that fit
    # As if samples of a question always agreed
    interval: Interval = field(metadata=ends(target="new_questions"))
    # As if all samples were independent; the same for one sample each
    apart: Interval = field(metadata=ends("low_apart", "high_apart", target="new_questions"))
    near: tuple[int, ...] = ()  # Right questions of one sample each that come closest, if none fits

    @property
    def total(self) -> int:
        "Samples of all questions."
        return self.questions * self.samples

    def to_flat(self) -> dict[str, Any]:
        "The same at one level, for a file or a frame with one column each."
        flat = self.to_dict()
        return flat | {name: " ".join(map(str, flat[name])) for name in ("fits", "near")}


@dataclass(frozen=True, eq=False)
class PublishedDifference(HasInterval, Data):
    "The second number less the first, as if the questions of both were independent."
    value: float
    # As if samples of a question always agreed, over all counts that fit
    interval: Interval = field(metadata=ends(target="new_questions"))
    p: float  # The largest two-sided p value over these counts
    # As if all samples were independent; the same for one sample each
    apart: Interval = field(metadata=ends("low_apart", "high_apart", target="new_questions"))
    p_apart: float
    verdict: AuditVerdict  # Unknown: it depends on how alike the samples of a question are
    exact: bool  # Whether tails are binomial sums; else the score interval, for large samples
    least_paired: float | None = None  # Least p of McNemar's test; None: not as many questions


@dataclass(frozen=True, eq=False)
class PublishedValue(Data):
    "A printed value of one metric, among others of the same log."
    metric: str  # With its budget, such as `pass@8`
    k: int
    text: str  # As it was given
    value: float
    least: float  # Least value that is rounded to it
    most: float  # Largest such value
    gain: float | None = None  # What a sample adds to the value before; None for the first


@dataclass(frozen=True, eq=False)
class PublishedCurve(Data):
    "Whether the samples of one log can give all of several values."
    values: tuple[PublishedValue, ...]  # By metric and budget
    possible: bool
    samples: int  # Of each question: as given, or the largest budget, which allows most
    stated: bool  # Whether they were given
    questions: int | None  # None where they were not given
    fits: tuple[int, ...]  # Samples of each question that fit; none unless questions were given
    miss: float  # By how much rounding must be exceeded; 0 where it need not
    family: str = ""  # `pass@k` or `pass^k`, where the values of one of them bend the wrong way
    bend: tuple[int, ...] = ()  # Budgets where they do: two that fall, or three
    gains: tuple[float, ...] = ()  # What a sample adds between these


@dataclass(frozen=True, eq=False)
class PublishedRuns(HasInterval, Data):
    "Totals of runs of one system on the same questions."
    totals: tuple[int, ...]  # Right questions of each
    questions: int
    value: float  # Mean share
    # By t over runs; None where all agree
    interval: Interval | None = field(metadata=ends(target="same_questions"))
    spread: float  # Standard deviation of a total
    # Not above `largest`
    spread_interval: Interval = field(
        metadata=ends("spread_low", "spread_high", target="same_questions"))
    largest: float  # Largest that sampling the same questions gives, were all equally hard
    p: float  # Of so much spread, or more, at that
    by_chance: bool  # Whether that is no less than one minus the confidence level


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """What one or several published numbers can mean.

    Parameters:
        rows        One or two; none of a curve, which has values
        difference  None unless there are two numbers
        title       Name of the comparison
        curve       None unless metrics were named
        runs        None unless totals of runs were given
    """
    kind: ClassVar[str] = "audit"
    rows: tuple[PublishedNumber, ...]  # One or two; none of a curve, which has values
    confidence_level: float
    difference: PublishedDifference | None = None  # None unless there are two numbers
    title: str = ""  # Name of the comparison
    curve: PublishedCurve | None = None  # None unless metrics were named
    runs: PublishedRuns | None = None  # None unless totals of runs were given

    @property
    def verdict(self) -> AuditVerdict | None:
        "Whether the difference is significant, the curve possible, the spread chance; or None."
        if self.curve is not None: return "possible" if self.curve.possible else "impossible"
        if self.runs is not None:
            return "within chance" if self.runs.by_chance else "more than chance"
        return None if self.difference is None else self.difference.verdict

    def list_lines(self) -> tuple[PublishedNumber | PublishedValue, ...]:
        "What stands in a file or a frame: the numbers, or the values of a curve."
        return self.rows if self.curve is None else self.curve.values

    def to_dict(self) -> dict[str, Any]:
        "All stored fields as plain Python values, and the verdict."
        return super().to_dict() | dict(verdict=self.verdict)
