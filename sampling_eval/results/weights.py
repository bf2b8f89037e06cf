"""How the questions of a number are weighted."""
from __future__ import annotations


from ..inference.weights import Weights
from ..records import dataclass
from .base import Data
from .interval import Method

__all__ = ["Weighted", "tell_weights"]


@dataclass(frozen=True, eq=False)
class Weighted(Data):
    "How the questions of a number are weighted."
    weighted_by: str  # Column of the weights, or words for it
    effective_questions: float  # Questions of equal weight that say about as much
    largest_weight: float  # Largest weight that a question may have
    largest_weight_declared: bool  # Whether it was declared; else it is the largest seen
    # The same where the interval assumes it and is approximate therefore; else None.
    assumed_largest_weight: float | None = None


def tell_weights(
    weights: Weights | None,  # Weights of questions; None where all weigh the same
    method: Method | None = None,  # Method of the interval
) -> Weighted | None:
    "The facts on weights that a row carries."
    if weights is None: return None
    assumed = None if method is None else method.max_weight
    return Weighted(weights.name, weights.effective, weights.largest * weights.unit,
                    weights.declared, assumed)
