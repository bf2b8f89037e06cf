"""What figures on paper and on a page share: axes, colours, dashes and markers."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numpy.typing import ArrayLike
from typing import Any

import numpy as np


__all__ = ["is_geometric", "axis_limits", "pick_ticks", "spread_labels", "shorten_names", "LIGHT",
           "DARK", "INK", "GREY", "choose_style", "dash_array", "shape_path"]


# Axes


def is_geometric(
    budgets: ArrayLike,  # Budgets, ascending, shape `(K,)`
) -> bool:  # Whether their logarithms are the more evenly spaced
    "Whether budgets are powers such as 1, 2, 4, 8 rather than steps such as 1, 2, 3, 4."
    k = np.asarray(budgets, float)
    return len(k) > 2 and measure_unevenness(np.log(k)) < measure_unevenness(k)


def measure_unevenness(places: np.ndarray) -> float:
    gaps = np.diff(places)
    return float(gaps.std() / gaps.mean())


def axis_limits(
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
    for step in budget_ticks(budgets[-1]):
        shown = [i for i in free if budgets[i] % step == 0]
        if all(axis.has_room(i, [j]) for i, j in zip(shown, shown[1:])): break
    return shown


def is_power(k: int) -> bool: return k & (k - 1) == 0


def budget_ticks(most: int) -> list[int]:
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


# Colours, dashes and markers


# Every two differ for readers with normal, protan, deutan and tritan vision, and every one is
# seen on its ground; a test measures both. A dash and a marker of its own serve print in grey.
LIGHT = "#0072b2", "#d55e00", "#1ca679", "#b27aec", "#664600", "#a54b5a", "#004e8a", "#333333"
DARK = "#56b4e9", "#ff9d4d", "#389352", "#965dcd", "#fece8b", "#e46689", "#93d4f4", "#eeeeee"
INK, GREY = "#000000", "#777777"
MARKERS = "o", "s", "^", "D", "v", "P", "X", "p", "<"
# Ink and gap in widths of the line. Seven dashes, eight colours and nine markers have no common
# divisor, so that lines of one colour differ in both others.
DASHES = (), (5, 2), (1.2, 1.4), (6, 1.6, 1.4, 1.6), (9, 2.5), (3, 1.2), (4, 1.2, 1, 1.2, 1, 1.2)
SHAPES = ("", "m-3.6-3.6h7.2v7.2h-7.2z", "m0-4.8l4.6 8h-9.2z", "m0-5l4.4 5l-4.4 5l-4.4-5z",
          "m0 4.8l4.6-8h-9.2z", "m-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
          "m-4.4-2.4l2-2l2.4 2.4l2.4-2.4l2 2l-2.4 2.4l2.4 2.4l-2 2l-2.4-2.4l-2.4 2.4l-2-2l2.4-2.4z",
          "m0-4.8l4.6 3.3l-1.8 5.4h-5.6l-1.8-5.4z", "m-4.8 0l8-4.6v9.2z")


def choose_style(series: int) -> dict[str, Any]:
    "The colour, marker and dash of a series, as properties of a Matplotlib line."
    dash = DASHES[series % len(DASHES)]
    return dict(color=LIGHT[series % len(LIGHT)], marker=MARKERS[series % len(MARKERS)],
                ls=(0, dash) if dash else "-")


def dash_array(series: int) -> str:
    "The dash of a series, as an attribute of an SVG path; empty for a solid line."
    dash = DASHES[series % len(DASHES)]
    return f' stroke-dasharray="{" ".join(f"{2 * part:g}" for part in dash)}"' if dash else ""


def shape_path(series: int) -> str:
    "The marker of a series, as an SVG path around its point; empty for a circle."
    return SHAPES[series % len(SHAPES)]
