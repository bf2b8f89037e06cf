"""Ranks of systems, for `table`."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..inference.ranking import Ranking

__all__ = ["Places", "list_places", "read_places"]


@dataclass(frozen=True)
class Places:
    "What a ranking that was read from JSON still says."
    systems: tuple[str, ...]  # Names, best mean first
    means: Sequence[float]  # Mean of each
    rank_low: Sequence[int]  # Best rank of each
    rank_high: Sequence[int]  # Worst rank of each
    tied: list[tuple[str, ...]]  # Largest groups of which no two are told apart


def list_places(ranking: Ranking | Places) -> list[dict[str, Any]]:
    "One dict per system: name, mean, best and worst rank."
    columns = ranking.systems, ranking.means, ranking.rank_low, ranking.rank_high
    return [dict(system=system, mean=float(mean), rank_low=int(low), rank_high=int(high))
            for system, mean, low, high in zip(*columns)]


def read_places(values: Mapping[str, Any]) -> Places:
    "A ranking from its plain values."
    names = "system", "mean", "rank_low", "rank_high"
    systems, means, low, high = ([row[name] for row in values["systems"]] for name in names)
    return Places(tuple(systems), means, low, high, [tuple(group) for group in values["tied"]])
