"""The rates of a judge, as several verbs take them."""
from __future__ import annotations

from typing import Any

from ...errors import OptionTypeError
from ...inference.judges import Judge

__all__ = ["check_judge"]


def check_judge(
    judge: Any,  # `Judge`, two rates, or None
) -> Judge | None:
    "Rates of a judge that were given."
    if isinstance(judge, (tuple, list)) and len(judge) == 2:
        judge = Judge(sensitivity=judge[0], specificity=judge[1])
    if judge is not None and not isinstance(judge, Judge):
        raise OptionTypeError("judge", must="be a Judge, or its sensitivity and specificity",
                              got=judge)
    return judge
