"""The result of `audit`, and of `compare` for two counts: what published numbers can mean."""
from __future__ import annotations

from typing import Any, ClassVar, Literal

from ..records import dataclass
from .base import Data, Result

__all__ = ["Audit", "AuditVerdict", "PublishedDifference", "PublishedNumber"]

AuditVerdict = Literal["significant", "not significant", "unknown"]


@dataclass(frozen=True, eq=False)
class PublishedNumber(Data):
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
    low: float  # CI for new questions, as if samples of a question always agreed
    high: float
    low_apart: float  # CI as if all samples were independent; the same for one sample each
    high_apart: float
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
class PublishedDifference(Data):
    "The second number less the first, as if the questions of both were independent."
    value: float
    low: float  # CI as if samples of a question always agreed, over all counts that fit
    high: float
    p: float  # The largest two-sided p value over these counts
    low_apart: float  # CI as if all samples were independent; the same for one sample each
    high_apart: float
    p_apart: float
    verdict: AuditVerdict  # Unknown: it depends on how alike the samples of a question are
    exact: bool  # Whether tails are binomial sums; else the score interval, for large samples
    least_paired: float | None = None  # Least p of McNemar's test; None: not as many questions


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    "What one or two published numbers can mean."
    kind: ClassVar[str] = "audit"
    rows: tuple[PublishedNumber, ...]  # One or two
    confidence_level: float
    difference: PublishedDifference | None = None  # None for one number
    title: str = ""  # Name of the comparison

    @property
    def verdict(self) -> AuditVerdict | None:
        "Whether the difference is significant; None for one number."
        return None if self.difference is None else self.difference.verdict

    def to_dict(self) -> dict[str, Any]:
        "All stored fields as plain Python values, and the verdict."
        return super().to_dict() | dict(verdict=self.verdict)
