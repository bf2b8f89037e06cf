"""Old names of advice, for modules that are not converted yet."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, Union

from ..report.advice import describe_half as say_half, describe_next as say_next
from ..report.format import about as say_about, count as say_number
from ..results.advice import Advice

__all__ = ["Advice", "Advised", "find_advice", "read_advice", "say_next", "say_half", "say_about",
           "say_number"]

Advised: TypeAlias = Union[Advice, Callable[[], Union[Advice, None]], None]


def find_advice(advised: Advised) -> Advice | None:
    "The advice; None where there is nothing to advise."
    return advised() if callable(advised) else advised


def read_advice(values: Mapping[str, Any] | None) -> Advice | None:
    "The advice of a JSON text."
    return None if values is None else Advice.from_dict(values)
