"""Which questions several systems share."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np

from ..foundations.counts import Counts
from ..records import dataclass
from .base import Data

__all__ = ["Alignment", "Unmatched", "count_common"]

NAMED = 3  # Questions that are named


@dataclass(frozen=True, eq=False)
class Unmatched(Data):
    "Questions of a system that another one does not have."
    system: str  # Its name
    questions: int  # How many there are
    names: tuple[str, ...] = ()  # The first ones


@dataclass(frozen=True, eq=False)
class Alignment(Data):
    "The questions that all systems have, and those that were left out."
    common: int  # Questions of all systems
    unmatched: tuple[Unmatched, ...] = field(default=())  # One per system, in their order

    @property
    def left_out(self) -> int:
        "Questions that were left out, counted once for each system that has them."
        return sum(one.questions for one in self.unmatched)


def count_common(
    sides: Mapping[str, Counts],  # All questions of each system
    common: list,  # Names of the questions that all of them have
) -> Alignment:
    "What systems share, and what each of them has besides."
    shared = set(common)
    return Alignment(len(common), tuple(list_unmatched(str(name), side, shared)
                                        for name, side in sides.items()))


def list_unmatched(name: str, side: Counts, shared: set) -> Unmatched:
    if len(side) == len(shared): return Unmatched(name, 0)
    others = [one for one in np.asarray(side.questions).tolist() if one not in shared]
    return Unmatched(name, len(others), tuple(map(str, others[:NAMED])))
