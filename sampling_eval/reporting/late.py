"""Curves that are estimated when they are looked at."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar, overload

from ..io.console import count_steps

__all__ = ["LateCurves"]

Curve = TypeVar("Curve")


class LateCurves(Sequence[Curve]):
    "Curves of many models and groups, estimated when they are looked at."

    def __init__(
        self,
        find: Sequence[Callable[[], Sequence[Curve]]],  # Finds the curves of each of them
        average: Callable[[Sequence[Curve]], Sequence[Curve]],  # Adds those of the mean of groups
    ) -> None:
        self.find, self.average = [cache(one) for one in find], average

    @property
    def whole(self) -> tuple[Curve, ...]:
        "All curves."
        what = f"estimating {len(self.find):,} models and groups"
        with count_steps(len(self.find), what) as steps:
            found = [curve for one in steps.watch(self.find) for curve in one()]
        return (*found, *self.average(found))

    def take(self, places: Sequence[int]) -> list[Curve]:
        "The curves of some."
        return [curve for i in places for curve in self.find[i]()]

    def __len__(self) -> int: return len(self.whole)
    def __iter__(self) -> Iterator[Curve]: return iter(self.whole)
    def __reduce__(self) -> Any: return tuple, (self.whole,)

    @overload
    def __getitem__(self, i: int) -> Curve: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Curve, ...]: ...
    def __getitem__(self, i: Any) -> Any: return self.whole[i]
