"""A column of weights: one number per question."""
from __future__ import annotations


import numpy as np

from .check import Coded, check_scores
from .tabular import Batch

__all__ = ["read_weights"]


def read_weights(
    batch: Batch,  # Rows with a column of weights
    question: Coded,  # Question of each row
) -> np.ndarray:  # Weight of each row
    """The weight of each row, which is that of its question.

    Raises: `ValueError` or `TypeError` naming the first row without a weight, with one that is not
    positive and finite, or with another one than an earlier row of its question.
    """
    values = batch.parts["weight"]
    weight = check_scores("weight", values, batch.times, batch.place, batch.find_first)
    bad = ~(np.isfinite(weight) & (weight > 0))
    if bad.any():
        row = int(bad.argmax())
        got = values.tolist()[row]
        raise ValueError(f"every row needs a positive and finite weight, got {got!r} "
                         f"{batch.place('weight', row)} "
                         f"({batch.times[bad].sum()} of {batch.times.sum()} fail)")
    refuse_two_weights(question, weight)
    return weight


def refuse_two_weights(question: Coded, weight: np.ndarray) -> None:
    first = np.unique(question.code, return_index=True)[1]
    expected = weight[first][question.code]
    odd = weight != expected
    if not odd.any(): return
    row = int(odd.argmax())
    low, high = sorted((expected[row], weight[row]))
    raise ValueError(
        f"a question has one weight, got {low:g} and {high:g} at "
        f"{question.names.tolist()[question.code[row]]!r} "
        f"({len(np.unique(question.code[odd]))} of {len(question.names)} questions fail)")
