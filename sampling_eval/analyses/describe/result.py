"""The result of `describe`: what data support, before any metric is computed."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...results.base import Data, Result
from ...results.cautions import Caution
from ...results.reading import DeadCount, ReadSummary

__all__ = ["ColumnChoice", "SystemSummary", "MetricSupport", "ColumnSummary", "DataDescription"]


@dataclass(frozen=True, eq=False)
class SystemSummary(Data):
    "The samples of one model, or of one of its groups."
    model: str
    group: str
    questions: int
    fewest: int  # Samples of the question with the fewest
    most: int  # Samples of the question with the most
    right: int | None  # Right samples; None for graded scores
    missing: int  # Samples without an outcome
    answers: int | None = None  # Different answers; None where there are none
    scored: int | None = None  # Samples with a score; None where there are none
    clusters: int | None = None  # Clusters of questions
    solved: tuple[int, ...] = ()  # Questions with 0, 1, ... right samples, where all have as many


@dataclass(frozen=True, eq=False)
class MetricSupport(Data):
    "A metric, and whether the data allow it."
    metric: str
    possible: bool
    budgets: tuple[int, ...] = ()  # Budgets that `score` would report; none for an average
    reason: str = ""  # Why it is not possible
    part: str = ""  # Column that is lacking: `answer`, `score` or `correct`


@dataclass(frozen=True, eq=False)
class ColumnSummary(Data):
    "A column that could be chosen."
    column: str
    holds: str  # Kind of its values; empty where an engine would have to count them
    different: int | None  # Different values
    examples: tuple[str, ...]
    parts: tuple[str, ...]  # Parts that it could play, the likeliest first


@dataclass(frozen=True, eq=False)
class ColumnChoice(Data):
    "What a rule of identification decided."
    rule: str  # Its name
    part: str  # Such as question; empty for a column that plays none
    column: str
    why: str  # Such as `numbers its samples`


@dataclass(frozen=True, eq=False, repr=False)
class DataDescription(Result):
    """What data support, or which columns they have where none could be chosen.

    Parameters:
        title     Name of the data
        read      What was read, and what was taken for what
        systems   Each model and group
        metrics   Every metric of the package
        cautions  What may be wrong with the data
        fault     Why the data could not be read as they stand
        columns   Columns to choose from, where they could not be read
        choice    Column to try for a part
        typed     Command to type next
        dead      Questions that tell no systems apart; None without outcomes
        decided   Which column plays which part, and why
    """
    kind = "describe"
    title: str  # Name of the data
    read: ReadSummary | None = None  # What was read, and what was taken for what
    systems: tuple[SystemSummary, ...] = ()  # Each model and group
    metrics: tuple[MetricSupport, ...] = ()  # Every metric of the package
    cautions: tuple[Caution, ...] = ()  # What may be wrong with the data
    fault: str = ""  # Why the data could not be read as they stand
    columns: tuple[ColumnSummary, ...] = ()  # Columns to choose from, where they could not be read
    choice: dict[str, str] = field(default_factory=dict)  # Column to try for a part
    typed: str = ""  # Command to type next
    dead: DeadCount | None = None  # Questions that tell no systems apart; None without outcomes
    decided: tuple[ColumnChoice, ...] = ()  # Which column plays which part, and why

    @property
    def rows(self) -> Sequence[Data]:
        "The metrics, or the columns to choose from."
        return self.metrics or self.columns

    @property
    def whole(self) -> tuple[SystemSummary, ...]:
        "Each model over all its questions."
        return tuple(one for one in self.systems if not one.group)

    @property
    def unbiased_k(self) -> int:
        "Largest budget whose interval for the same questions is not an upper bound."
        return min(one.fewest for one in self.whole) // 2

    def to_dict(self) -> dict[str, Any]:
        "All fields as plain Python values."
        told = super().to_dict()
        # They are the metrics or the columns once more.
        del told["rows"]
        return told
