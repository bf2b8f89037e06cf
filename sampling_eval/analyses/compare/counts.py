"""Two written counts, such as `17/20` and `12/20`: compared without their questions."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...errors import OptionError
from ...spelling import option
from ...inference.quantiles import check_level
from ..audit.result import Audit
from ..engine.published import audit_shares


def compare_counts(
    baseline: str,  # Right questions of the baseline, such as `17/20`
    new: str,  # Of the other system
    confidence_level: float,  # Level of the interval
    title: str,  # Name of the comparison
    options: Mapping[str, Any],  # Options of `compare`, of which most need the questions
) -> Audit:  # The unpaired comparison
    """Two counts, of which nothing says which questions are right, compared as independent.

    Raises: `ValueError` for counts that are none, and options that need the questions.
    """
    fits = dict(metrics=("pass@k", "pass@1"), k=(None, 1, [1]), target=("new_questions",))
    for name, value in options.items():
        if value in fits[name] if name in fits else not value: continue
        raise OptionError(name, f"{option(name, value)} needs questions with names, and a written "
                                "count has none", found=f"{baseline!r} and {new!r}",
                          hint="leave it out, or pass tables or logs")
    check_level(confidence_level)
    found = audit_shares(dict(number=baseline, other=new), None, None, confidence_level)
    return replace(found, title=title)
