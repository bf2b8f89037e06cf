"""What more data would do: decide a verdict, or halve an interval."""
from __future__ import annotations

from typing import Literal

from ..parameters import Target
from ..records import dataclass
from .base import Data, Unit

__all__ = ["Advice"]


@dataclass(frozen=True, eq=False)
class Advice(Data):
    "How many questions, or samples, would decide a verdict or halve an interval."
    metric: str  # Name with its budget
    goal: Literal["decide", "halve"]  # A verdict, or an interval
    target: Target
    value: float  # What was measured, assumed to be the truth
    limit: float | None  # What it is held against; None where an interval is halved
    power: float | None  # Power wanted; None where an interval is halved
    questions: int | None  # Questions with as many samples; None where no number is enough
    samples: int | None  # Samples of each of these questions; None where no number is enough
    gain: float | None  # Share by which samples alone would narrow the interval; None: unknown
    has_questions: int  # Questions there are
    has_samples: tuple[tuple[int, int], ...]  # Fewest and most samples of a question, per system
    hopeless: bool = False  # Whether no number of samples of these questions is enough
    clustered: bool = False  # Whether `questions` counts clusters of them
    difference: bool = False  # Whether the value is a difference of two systems
    unit: Unit = "share"  # Of the value and the limit
    pair: tuple[str, str] | None = None  # Of several systems the two meant, the better one first
    confidence_level: float | None = None  # What Holm's correction leaves of the level for them
    # Upper 95 % confidence limit of `gain`, in whole percents; None: unknown.
    gain_at_most: float | None = None
    usual_questions: int | None = None  # Questions by the usual analysis; None as for `questions`
    usual_samples: int | None = None  # Samples by the usual analysis
