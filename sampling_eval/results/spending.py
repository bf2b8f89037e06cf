"""What trying until success costs: one line per model and budget."""
from __future__ import annotations


from ..records import dataclass
from .base import Data

__all__ = ["Spend", "EqualSpending"]


@dataclass(frozen=True, eq=False)
class Spend(Data):
    "Trying until the first success, at most `k` times: what it costs and what it solves."
    model: str  # Empty for a single one
    k: int  # Most tries
    unit: str  # Column that holds the cost of a sample
    spend: float  # Mean spend of a question
    solved: float  # Share of questions solved, pass@k
    per_solved: float | None  # Total spend over total solved; None where nothing is solved
    low: float | None  # Ends of its interval, for new questions; None where it has none
    high: float | None
    method: str  # How the interval was computed; approximate ones say so
    questions: int
    confidence_level: float = .95
    reason: str = ""  # Why there is no cost per solved
    absent: int = 0  # Samples without a cost
    samples: int = 0  # Samples in all
    missing_cost: str = "raise"  # What an absent cost counts as: `mean` or `cap`
    cap: float | None = None  # Most that a sample can cost; None where nothing bounds it


@dataclass(frozen=True, eq=False)
class EqualSpending(Data):
    "Two systems where both spend as much on a question, on average."
    spend: float  # What both spend, the most that both can unless it was named
    unit: str  # Column that holds the cost of a sample
    a: float  # Share that A solves for it
    b: float  # Share that B solves for it
    difference: float  # B minus A
    low: float  # Ends of its interval, for new questions
    high: float
    method: str  # How the interval was computed; approximate ones say so
    k_a: float  # Budget of A; between two whole ones, some questions get one try more
    k_b: float  # Budget of B
    confidence_level: float = .95
    absent_a: int = 0  # Samples of A without a cost
    absent_b: int = 0  # Samples of B without a cost
    samples: int = 0  # Samples of both
    missing_cost: str = "raise"  # What an absent cost counts as
