"""The curves of two systems, and where one is certainly ahead."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .families import name_family
from .headline import say_share
from .numbers import percent
from .parts import Chart, Note, Part, Series
from .sides import Side
from .stretches import find_stretches, say_stretches

if TYPE_CHECKING: from .versus import Versus

__all__ = ["make_chart", "list_curves"]


def make_chart(
    versus: Versus,  # Two systems compared at several budgets
) -> Chart:
    "Both systems over the budgets, and where one is certainly ahead at all budgets at once."
    rows, curve = versus.rows, versus.curve
    label = name_family(rows[0].metric)
    series = [make_series(versus, i, side) for i, side in enumerate(find_sides(versus))]
    return Chart(series, f"{label} of both systems over k with intervals", versus.caption, label,
                 find_stretches(curve) if curve is not None else (), versus.confidence_level)


def find_sides(versus: Versus) -> tuple[Side, Side]:
    "A and B with their intervals; without, where an old JSON text told none."
    if versus.sides is not None: return versus.sides.both
    nothing: list[float | None] = [None] * len(versus.rows)
    a, b = zip(*((row.a, row.b) for row in versus.rows))
    return Side(a, nothing, nothing), Side(b, nothing, nothing)


def make_series(versus: Versus, i: int, side: Side) -> Series:
    name = versus.names[i]
    said = [f"{name}, {row.metric}: {say_share(value)}" + say_range(low, high)
            for row, value, low, high in zip(versus.rows, *side)]
    return Series(name, "", [row.k or 0 for row in versus.rows], *side, said)


def say_range(low: float | None, high: float | None) -> str:
    if low is None or high is None: return ""
    return f" ({say_share(low)} to {say_share(high)})"


def list_curves(
    versus: Versus,  # Two systems compared
) -> list[Part]:  # The chart, and what it shows; nothing at one budget
    "Both systems over k, for a page."
    if versus.curve is None: return []
    chart = make_chart(versus)
    if not all(0 <= value <= 1 for series in chart.series for value in series.value): return []
    level = percent(versus.confidence_level)
    seen = (f"{chart.label}: dots are estimates, shades their {level} % intervals for new "
            "questions, at each k by itself.")
    said = "; ".join(text for text, _ in say_stretches(chart))
    if not said: return [Note(seen), chart]
    return [Note(seen), chart, Note(f"Bars: {level} % certain at all k at once: {said}.")]
