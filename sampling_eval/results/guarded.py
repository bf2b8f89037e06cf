"A loop that retries until a judge passes: what it reports, and what it delivers right."
from __future__ import annotations


from ..records import dataclass
from .base import Data

__all__ = ["GuardedRow", "Guarded"]


@dataclass(frozen=True, eq=False)
class GuardedRow(Data):
    "A loop with a limit of tries, as means over questions."
    k: int  # Most tries
    reported: float  # Share of questions on which the judge passed a try
    right: float  # Share on which what is delivered is right
    right_with_last: float  # The same if the last try is handed over where none passes
    pass_at_k: float  # Share on which a right try is among the first `k`
    tries: float  # Tries used
    slip: float  # Reported less right: delivered and wrong
    slip_low: float  # Ends of its interval, paired by question, for new questions
    slip_high: float


@dataclass(frozen=True, eq=False)
class Guarded(Data):
    "The loop at every limit of tries."
    verdict: str  # Column of the judge's verdicts
    confidence_level: float  # Level of the intervals of the slip
    questions: int
    rows: tuple[GuardedRow, ...]  # One per limit, ascending
