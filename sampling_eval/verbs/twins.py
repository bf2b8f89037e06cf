"""Whether a gate was given one run twice."""
from __future__ import annotations

from collections.abc import Mapping
from filecmp import cmp
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..foundations.counts import Counts, equal_fields
from ..inference.regressions import chance_of_equal_counts
from ..patterns import match_paths

__all__ = ["notice_twins"]

RARE = 1e-3  # Chance below which two runs do not agree on every question by accident
ALLOW = "allow_identical=True judges them all the same"


def notice_twins(
    sides: Mapping[str, Counts],  # The baseline and the new system on their common questions
    inputs: tuple[Any, Any],  # What each was read from; None where it holds several models
    allowed: bool = False,  # Whether one run may be judged against itself
) -> tuple[str, ...]:  # A sentence where they agree
    """Whether the two systems hold the same outcomes on every question.

    Raises: `ValueError` where that is no accident: one file, a copy of it, or equal counts that
    two runs would hardly show.
    """
    old, new = sides.values()
    if not have_same_outcomes(old, new): return ()
    said = f"baseline and new hold the same outcomes on all {len(old)} questions"
    if not allowed: refuse_twins(old, inputs, said)
    return (f"{said}.",)


def refuse_twins(old: Counts, inputs: tuple[Any, Any], said: str) -> None:
    "Refuse one run twice; equal outcomes that runs often share are no reason."
    files = tell_same_file(*inputs)
    if files: raise ValueError(f"{files}: a gate needs two runs; {ALLOW}")
    chance = 1. if old.c is None else chance_of_equal_counts(old.n, old.c)
    if chance < RARE:
        shown = "<1e-300" if chance < 1e-300 else f"{chance:.0e}"
        raise ValueError(f"{said}, which two runs would show with chance {shown}: was a file "
                         f"copied, or a cache read twice? {ALLOW}")


def have_same_outcomes(a: Counts, b: Counts) -> bool:
    "Whether counts, scores and answers are the same."
    for name in "n", "c", "missing", "score_sum":
        left, right = getattr(a, name), getattr(b, name)
        if (left is None) != (right is None): return False
        if left is not None and not np.array_equal(left, right, equal_nan=left.dtype.kind == "f"):
            return False
    return have_same_parts(a.votes, b.votes) and have_same_parts(a.rewards, b.rewards)


def have_same_parts(left: object, right: object) -> bool:
    "Whether both are absent, or hold the same."
    if left is None or right is None: return left is right
    return equal_fields(left, right)


def tell_same_file(baseline: Any, new: Any) -> str:
    "In words that both inputs are one file, or copies; empty where they are not."
    if not all(isinstance(one, (str, PathLike)) for one in (baseline, new)): return ""
    old_files, new_files = (find_files(str(one)) for one in (baseline, new))
    if str(baseline) == str(new) or old_files and old_files == new_files:
        return f"baseline and new are the same file, {str(new)!r}"
    one_each = len(old_files) == len(new_files) == 1
    if one_each and cmp(old_files.pop(), new_files.pop(), shallow=False):
        return f"{str(new)!r} is a copy of {str(baseline)!r}, byte by byte"
    return ""


def find_files(pattern: str) -> set[Path]:
    "The files of a path or pattern, without links."
    found = match_paths(pattern) or [pattern]
    return {Path(path).resolve() for path in found if Path(path).is_file()}
