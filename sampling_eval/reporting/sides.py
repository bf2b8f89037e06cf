"""Systems by themselves: their means with intervals, computed when they are looked at."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..inference.estimate import Estimates
from .intervals import list_ends
from .numbers import digits
from .parts import Series
from .phrases import say_share

__all__ = ["Side", "Sides", "Told", "read_sides", "make_series"]


class Side(NamedTuple):
    "The means of one system over the budgets."
    name: str  # What it is called
    k: Sequence[int | None]  # Budgets, ascending; None for a mean over all samples
    estimate: Sequence[float]  # Mean at each
    low: Sequence[float | None]  # Lower end of its interval for new questions; None without one
    high: Sequence[float | None]  # Upper end


@dataclass(frozen=True)
class Told:
    "The systems of a comparison, as another process or a JSON text told them."
    each: tuple[Side, ...]  # In the order of the comparison


@dataclass(frozen=True, eq=False)
class Sides:
    "The systems of a comparison."
    names: Sequence[str]  # What they are called
    k: Sequence[int | None]  # Budgets, ascending
    find: Callable[[], Sequence[Estimates]]  # Estimates of each, asked for once
    confidence_level: float = .95  # Level of the intervals

    @cached_property
    def each(self) -> tuple[Side, ...]:
        "Each system as `score` would give it on these questions."
        return tuple(self._make(name, own) for name, own in zip(self.names, self.find()))

    def _make(self, name: str, estimates: Estimates) -> Side:
        ends = list_ends(estimates, self.confidence_level)
        return Side(name, list(self.k), estimates.value.tolist(), [end.low for end in ends],
                    [end.high for end in ends])

    def __reduce__(self) -> tuple[type[Told], tuple[tuple[Side, ...]]]: return Told, (self.each,)


def read_sides(
    values: Sequence[Mapping[str, Any]] | None,  # Plain values of each; None in an old text
) -> Told | None:
    "Systems from their plain values."
    return None if values is None else Told(tuple(Side(**side) for side in values))


def make_series(
    side: Side,  # One system
) -> Series:  # Its curve
    "A system over the budgets, each point in words."
    said = [f"{side.name}, k = {k}: {say_value(value)}{say_range(low, high)}"
            for k, value, low, high in zip(*side[1:])]
    return Series(side.name, "", [k or 0 for k in side.k], *side[2:], said)


def say_value(value: float) -> str:
    return say_share(value) if 0 <= value <= 1 else digits(value)


def say_range(low: float | None, high: float | None) -> str:
    if low is None or high is None: return ""
    return f" ({say_value(low)} to {say_value(high)})"
