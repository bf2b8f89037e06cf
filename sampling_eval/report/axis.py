"""Axes of figures: limits, ticks, and labels near their place that never touch each other."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..records import dataclass

__all__ = ["is_geometric", "find_limits", "pick_ticks", "spread_labels",
           "shorten_names"]


def is_geometric(
    budgets: ArrayLike,  # Budgets, ascending, shape `(K,)`
) -> bool:  # Whether their logarithms are the more evenly spaced
    "Whether budgets are powers such as 1, 2, 4, 8 rather than steps such as 1, 2, 3, 4."
    k = np.asarray(budgets, float)
    return len(k) > 2 and measure_unevenness(np.log(k)) < measure_unevenness(k)


def measure_unevenness(places: np.ndarray) -> float:
    gaps = np.diff(places)
    return float(gaps.std() / gaps.mean())


def find_limits(
    values: Sequence[float],  # What must have a place on an axis, at least one
) -> tuple[float, float]:  # Ends of the axis
    "All shares from 0 to 1 where values fill most of them, else the part that they fill."
    low, high = min(values), max(values)
    shares = 0 <= low and high <= 1
    if shares and high - low > .7: return -.04, 1.04
    pad = .06 * (high - low) or .05
    if not shares: return low - pad, high + pad
    return max(low - pad, -.04), min(high + pad, 1.04)


def pick_ticks(
    budgets: Sequence[int],  # Budgets, ascending, shape `(K,)`
    places: Sequence[float],  # Where each stands on the axis
    widths: Sequence[float],  # Room that each number takes there
) -> list[int]:  # Positions of those that are written, ascending
    """The budgets whose numbers have room: the first, the last, and of those between as many
    powers of two, or multiples of a round number, as there is room for.
    """
    ends, axis = [0, len(budgets) - 1], NumberedAxis(places, widths)
    free = [i for i in range(1, len(budgets) - 1) if axis.has_room(i, ends)]
    pick = pick_powers if is_geometric(budgets) else pick_multiples
    return sorted({*ends, *pick(budgets, free, axis)})


@dataclass(frozen=True)
class NumberedAxis:
    "Where numbers stand on an axis, and how wide they are."
    places: Sequence[float]
    widths: Sequence[float]

    def has_room(self, i: int, others: Iterable[int]) -> bool:
        "Whether a number touches none of the others."
        return all(abs(self.places[i] - self.places[j]) >= (self.widths[i] + self.widths[j]) / 2
                   for j in others)


def pick_powers(budgets: Sequence[int], free: Sequence[int], axis: NumberedAxis) -> list[int]:
    "As many as there is room for, powers of two first."
    shown: list[int] = []
    for i in sorted(free, key=lambda i: (not is_power(budgets[i]), budgets[i])):
        if axis.has_room(i, shown): shown.append(i)
    return shown


def pick_multiples(budgets: Sequence[int], free: Sequence[int], axis: NumberedAxis) -> list[int]:
    "The multiples of the smallest round number of which all have room."
    for step in list_steps(budgets[-1]):
        shown = [i for i in free if budgets[i] % step == 0]
        if all(axis.has_room(i, [j]) for i, j in zip(shown, shown[1:])): break
    return shown


def is_power(k: int) -> bool: return k & (k - 1) == 0


def list_steps(most: int) -> list[int]:
    "Round numbers from 1 to beyond the largest budget: 1, 2, 5, 10, 20, 50, ..."
    return [part * 10**zeros for zeros in range(len(str(most)) + 1) for part in (1, 2, 5)]


def spread_labels(
    wanted: Sequence[float],  # Where each label belongs
    apart: float,  # Least distance between two labels
    low: float,  # Least place
    high: float,  # Largest place
) -> list[float]:  # Where each label stands, in the order given
    """The places nearest to those wanted at which no label touches another.

    Value: labels that need more room than there is go beyond both ends alike.
    """
    order = np.argsort(wanted, kind="stable")
    steps = apart * np.arange(len(order))
    room = steps[-1] if len(steps) else 0.
    if room > high - low: low, high = (low + high - room) / 2, (low + high + room) / 2
    placed = np.empty(len(order))
    level = pool_falls(np.asarray(wanted, float)[order] - steps)
    placed[order] = np.clip(level, low, high - room) + steps
    return placed.tolist()


def pool_falls(values: np.ndarray) -> np.ndarray:
    "The nearest values that never fall: neighbours in the wrong order share their mean."
    pools: list[tuple[float, int]] = []
    for value in values.tolist():
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            before, many = pools.pop()
            total, count = total + before, count + many
        pools.append((total, count))
    return np.repeat([total / count for total, count in pools], [count for _, count in pools])


def shorten_names(
    names: Sequence[str],  # Names that differ
    letters: int,  # Letters there is room for, at least 5
) -> list[str]:  # Names that still differ
    "Names with their middle left out where they are long, unless two would become one."
    head, tail = letters // 2, (letters - 1) // 2
    short = [name if len(name) <= letters else f"{name[:head]}…{name[-tail:]}" for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)
