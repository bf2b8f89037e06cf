"""Whether a gate was given one run twice."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from filecmp import cmp
from os import PathLike
from pathlib import Path
from typing import Any

from .._errors import OptionError, option
from ..foundations.counts import Counts, equal_fields
from ..inference.regressions import chance_of_equal_counts
from ..patterns import match_paths
from ..results.diagnostics import IdenticalOutcomes

__all__ = ["check_identical"]

RARE = 1e-3  # Chance below which two runs do not agree on every question by accident


def check_identical(
    sides: Mapping[str, Counts],  # The baseline and the new system on their common questions
    inputs: tuple[Any, Any],  # What each was read from; None where it holds several models
    allowed: bool = False,  # Whether one run may be judged against itself
) -> tuple[IdenticalOutcomes, ...]:  # One where they agree
    """Whether the two systems hold the same outcomes on every question.

    Raises: `ValueError` where that is no accident: one file, a copy of it, or equal counts that
    two runs would hardly show.
    """
    old, new = sides.values()
    # Questions may have other names and groups.
    bare: dict[str, Any] = dict(questions=None, cluster=None, sums={})
    if not equal_fields(replace(old, **bare), replace(new, **bare)): return ()
    if not allowed: refuse_identical(old, *inputs)
    return IdenticalOutcomes(len(old)),


def refuse_identical(counts: Counts, baseline: Any, new: Any) -> None:
    "Refuse one run twice; equal outcomes that two runs often share are no reason."
    allow = f"{option('allow_identical', True)} judges them all the same"
    if same := describe_same_file(baseline, new):
        raise OptionError("allow_identical", f"{same}: a gate needs two runs", hint=allow)
    chance = 1. if counts.c is None else chance_of_equal_counts(counts.n, counts.c)
    if chance < RARE:
        shown = "<1e-300" if chance < 1e-300 else f"{chance:.0e}"
        raise OptionError(
            "allow_identical", f"baseline and new hold the same outcomes on all {len(counts)} "
            f"questions, which two runs would show with probability {shown}: was a file copied, "
            f"or a cache read twice? {allow}")


def describe_same_file(baseline: Any, new: Any) -> str:
    "In words that both inputs are one file, or copies; empty where they are not."
    if not all(isinstance(one, (str, PathLike)) for one in (baseline, new)): return ""
    # What a path or pattern stands for, without links.
    old_files, new_files = ({Path(path).resolve() for path in match_paths(str(one)) or [str(one)]
                             if Path(path).is_file()} for one in (baseline, new))
    if str(baseline) == str(new) or old_files and old_files == new_files:
        return f"baseline and new are the same file, {str(new)!r}"
    one_each = len(old_files) == len(new_files) == 1
    if one_each and cmp(old_files.pop(), new_files.pop(), shallow=False):
        return f"{str(new)!r} is a copy of {str(baseline)!r}, byte by byte"
    return ""
