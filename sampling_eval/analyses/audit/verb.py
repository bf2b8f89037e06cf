"""`audit`: what published numbers can mean, where only a share and its questions are known."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import OptionError
from ...inference.quantiles import check_level
from ..engine.published import audit_shares, check_size, read_count
from .result import Audit
from .several_numbers import audit_curve, audit_runs, read_totals, read_values


def audit(
    # Published share: `0.843`, `84.3%`, or right/questions as `26/30`; several values of one log as
    # `pass@1 38.0, pass@2 44.7` or a dict, or totals of runs as `219 213 223 of 260` or a list
    number: str | float | Mapping[str, str | float] | Sequence[int],
    other: str | float | None = None,  # Another one on as many questions, to compare with it
    *,
    questions: int | None = None,  # Questions behind a share; a count says so itself
    samples: int | None = None,  # Samples per question (default: the fewest that fit)
    confidence_level: float = .95,  # Level of the intervals
) -> Audit:  # Counts that fit, intervals, and the difference of two numbers
    """What a published number can mean: the counts that are rounded to it, its interval, and
    whether it differs significantly from another one; of several values, whether one log can show
    them; of totals of runs, whether chance explains their spread. Digits matter: write `"0.80"`,
    not `.80`.

    Parameters:
        number            Published share: `0.843`, `84.3%`, or right/questions as `26/30`; several
                          values of one log as `pass@1 38.0, pass@2 44.7` or a dict, or totals of
                          runs as `219 213 223 of 260` or a list
        other             Another one on as many questions, to compare with it
        questions         Questions behind a share; a count says so itself
        samples           Samples per question (default: the fewest that fit)
        confidence_level  Level of the intervals
        return            Counts that fit, intervals, and the difference of two numbers

    Raises: `ValueError` or `TypeError` for what is no share, or that no count of the questions and
    samples gives.
    """
    check_level(confidence_level)
    several = None if other is not None else audit_several(
        number, check_size("questions", questions), check_size("samples", samples),
        confidence_level)
    if several is not None: return several
    given = {"number": number} | ({} if other is None else {"other": other})
    return audit_shares(given, questions, samples, confidence_level)


def audit_several(
    number: Any, questions: int | None, samples: int | None, confidence_level: float,
) -> Audit | None:
    "The audit of several numbers of one log; None for a single one."
    if (printed := read_values(number)) is not None:
        return Audit((), confidence_level, curve=audit_curve(printed, questions, samples))
    if isinstance(number, (bool, int, float)): return None
    if (found := read_totals(number, questions)) is None: return None
    totals, size = found
    if samples is not None:
        raise OptionError("samples", "a total is that of one sample of each question", got=samples)
    pooled = read_count("number", f"{sum(totals)}/{len(totals) * size}", size, len(totals))
    return Audit((pooled.describe(len(totals), confidence_level),), confidence_level,
                 runs=audit_runs(totals, size, confidence_level))
