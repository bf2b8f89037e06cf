"Numerics of `difference_evidence`: margins that evidence has not refuted at any look."
from __future__ import annotations

import numpy as np

from .sequential import difference_evidence

__all__ = ["best_evidence", "first_reached", "unrefuted_margins"]

HALVINGS = 50  # Of [-1, 1], which leaves 2e-15


def best_evidence(
    x: np.ndarray,  # Candidate minus baseline by question, in order of arrival, shape `(T,)`
    margin: float,  # What the mean is claimed not to exceed
) -> float:  # The largest at any look
    "The most that was ever seen against a claim."
    return float(difference_evidence(x, margin).max())


def first_reached(
    x: np.ndarray,  # Candidate minus baseline by question, in order of arrival, shape `(T,)`
    margin: float,  # What the mean is claimed not to exceed
    needed: float,  # Evidence that refutes the claim
) -> int | None:  # Questions after which there was as much; None where there never was
    "When a claim was refuted."
    reached = difference_evidence(x, margin) >= needed
    return int(reached.argmax()) + 1 if reached.any() else None


def unrefuted_margins(
    x: np.ndarray,  # Candidate minus baseline by question, in order of arrival, shape `(T,)`
    needed: float,  # Evidence that refutes a claim
) -> tuple[float, float]:  # In [-1, 1]
    """Between which means neither side was refuted at any look.

    Value: each end is beyond the true mean with chance `1/needed` at most, whenever one looks.
    """
    return largest_refuted(x, needed), 0. - largest_refuted(-x, needed)


def largest_refuted(x: np.ndarray, needed: float) -> float:
    "The largest margin that the mean was ever seen to exceed; -1 where there is none."
    # Evidence falls as the margin rises.
    low, high = -1., 1.
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if best_evidence(x, middle) >= needed: low = middle
        else: high = middle
    return low
