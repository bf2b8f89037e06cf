"""Where one of two curves is certainly above the other, at all budgets at once, in words."""
from __future__ import annotations

from collections.abc import Sequence

from .parts import Chart, Stretch

__all__ = ["find_crossings", "say_stretches"]


def find_crossings(
    stretches: Sequence[Stretch],  # As of `find_stretches`
) -> list[tuple[int, int]]:  # Last budget before each crossing, and first one after it
    "Between which budgets the curves certainly cross."
    return [(one.k[-1], other.k[0]) for one, other in zip(stretches, stretches[1:])
            if one.series != other.series]


def say_stretches(
    chart: Chart,  # Two curves with stretches
) -> list[tuple[str, int | None]]:  # Phrases, each with the number of its curve if it has one
    "Who is certainly better at which budgets, and where the curves certainly cross."
    found: dict[int, list[str]] = {}
    for one in chart.stretches: found.setdefault(one.series, []).append(say_run(one.k))
    said: list[tuple[str, int | None]] = [
        (f"{chart.series[i].label} is better at {' and at '.join(runs)}", i)
        for i, runs in found.items()]
    gaps = [f"between k = {before} and {after}"
            for before, after in find_crossings(chart.stretches)]
    return said + [(f"the curves cross {' and '.join(gaps)}", None)] * bool(gaps)


def say_run(k: Sequence[int]) -> str:
    if len(k) < 3: return f"k = {' and '.join(map(str, k))}"
    return f"k = {k[0]} to {k[-1]}"
