"Plumbing of graded scores: a table or lists of any lengths, checked, in one row."
from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.checks import faults, is_masked, refuse_mixed, refuse_tables

__all__ = ["flatten_scores"]


def flatten_scores(
    scores: ArrayLike | Sequence[Sequence[float]],  # In [0, 1]: `(Q, n)`, or ragged rows
) -> tuple[np.ndarray, np.ndarray]:  # All scores, and how many each question has
    """All scores in a row, and how many each question has.

    Raises: `ValueError` or `TypeError` unless every question has a score and all are numbers
    in [0, 1].
    """
    rows = _score_rows(scores)
    n = np.fromiter(map(len, rows), np.int64, len(rows))
    if (n == 0).any():
        raise ValueError(f"every question needs a score, got none{faults(n == 0)}")
    if isinstance(rows, np.ndarray): flat = rows.ravel()
    else: flat = _join_rows(rows)
    if flat.dtype.kind not in "biuf":
        raise TypeError(f"scores must be numbers, got dtype {flat.dtype}")
    bad = ~((flat >= 0) & (flat <= 1))
    if not bad.any(): return flat.astype(float), n
    question = np.searchsorted(n.cumsum(), bad.argmax(), side="right")
    sample = bad.argmax() - n[:question].sum()
    raise ValueError(f"need 0 <= score <= 1, got {flat[bad][0]} "
                     f"at question {question}, sample {sample} "
                     f"({bad.sum()} of {bad.size} fail)")


def _join_rows(rows):
    for row in filter(is_masked, rows): refuse_tables("scores", row)
    flat = list(chain.from_iterable(rows))
    refuse_mixed("scores", flat)
    return np.array(flat)


def _score_rows(scores):
    "An array of two dimensions or more, or a list of rows."
    if is_masked(scores): refuse_tables("scores", scores)
    # a frame is read by rows: a loop would go over its columns
    is_table = getattr(scores, "ndim", 0) > 1 or hasattr(type(scores), "columns")
    if is_table: rows = np.atleast_1d(np.asarray(scores))
    else: rows = list(scores) if np.iterable(scores) else [scores]
    if len(rows) == 0:
        raise ValueError("scores must hold at least one question, got none")
    # the rows of an array are all alike
    looked_at = rows[:1] if isinstance(rows, np.ndarray) else rows
    if any(isinstance(row, str) or np.ndim(row) != 1 for row in looked_at):
        raise ValueError("scores must hold one row per question; "
                         "write [x] for one question")
    return rows
