"""Two systems by themselves: their means with intervals, computed when they are looked at."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..inference.comparison import Comparisons
from ..inference.estimate import estimates_of
from .intervals import list_ends

__all__ = ["Side", "Sides", "Told", "read_sides"]


class Side(NamedTuple):
    "The means of one system over the budgets."
    estimate: Sequence[float]  # Mean at each budget
    low: Sequence[float | None]  # Lower end of its interval for new questions; None without one
    high: Sequence[float | None]  # Upper end


@dataclass(frozen=True, eq=False)
class Sides:
    "Both systems of a comparison."
    pairs: Comparisons  # B against A at each budget
    confidence_level: float = .95  # Level of the intervals

    @cached_property
    def both(self) -> tuple[Side, Side]:
        "A, then B, as `score` would give them on these questions."
        found = [estimates_of(units) for units in self.pairs.sides]
        ends = [list_ends(one, self.confidence_level) for one in found]
        a, b = (Side(one.value.tolist(), [end.low for end in own], [end.high for end in own])
                for one, own in zip(found, ends))
        return a, b

    def __reduce__(self) -> tuple[type[Told], tuple[tuple[Side, Side]]]: return Told, (self.both,)


@dataclass(frozen=True)
class Told:
    "Both systems, as another process or a JSON text told them."
    both: tuple[Side, Side]


def read_sides(
    values: Sequence[Mapping[str, Any]] | None,  # Plain values of both; None in an old text
) -> Told | None:
    "Both systems from their plain values."
    if values is None: return None
    a, b = (Side(**side) for side in values)
    return Told((a, b))
