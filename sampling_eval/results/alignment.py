"""Which questions several systems share."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from ..foundations.counts import Counts
from ..inference.comparison import dead_questions
from ..records import dataclass
from .base import Data

__all__ = ["Alignment", "DeadCount", "Unmatched", "count_common", "count_dead",
           "join_dead"]

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


@dataclass(frozen=True, eq=False)
class DeadCount(Data):
    "Questions that add nothing to any difference: never right, or always, in all systems."
    never: int  # Questions that no system solved at any try
    always: int  # Questions that every system solved at every try
    questions: int  # Questions of all systems
    systems: int  # How many systems there are


def count_dead(
    sides: Sequence[Counts],  # Counts of each system, questions in any order
) -> DeadCount | None:  # None without outcomes, and where one try is all there is
    "How many of the questions that all systems have are dead."
    if not sides or any(side.c is None for side in sides): return None
    if len(sides) == 1 and sides[0].n_max == 1: return None
    first = np.asarray(sides[0].questions)
    if all(np.array_equal(first, side.questions) for side in sides[1:]):
        n, c = (np.stack([getattr(side, name) for side in sides]) for name in "nc")
    else:
        tables = [dict(zip(np.asarray(side.questions).tolist(), zip(side.n, side.c)))
                  for side in sides if side.c is not None]
        common = [name for name in tables[0] if all(name in one for one in tables[1:])]
        if not common: return None
        n, c = np.array([[one[name] for name in common] for one in tables]).transpose(2, 0, 1)
    found = dead_questions(n, c)
    return DeadCount(found.never, found.always, found.questions, len(sides))


def join_dead(
    groups: Sequence[DeadCount | None],  # Of each group of questions
) -> DeadCount | None:  # Of all of them; None where one is not known
    "The dead questions of all groups together."
    known = [one for one in groups if one is not None]
    if len(known) < len(groups) or not known: return None
    return DeadCount(sum(one.never for one in known), sum(one.always for one in known),
                     sum(one.questions for one in known), known[0].systems)
