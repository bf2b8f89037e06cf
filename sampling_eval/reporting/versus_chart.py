"""The curves of systems that are compared, and where one of two is certainly ahead."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .families import name_family
from .numbers import percent
from .parts import Chart, Note, Part
from .sides import Side, make_series
from .stretches import find_stretches, say_stretches

if TYPE_CHECKING:
    from .standings import Standings
    from .versus import Versus

__all__ = ["chart_versus", "chart_standings", "list_curves"]


def chart_versus(
    versus: Versus,  # Two systems compared at several budgets
) -> Chart:
    "Both systems over the budgets, and where one is certainly ahead at all budgets at once."
    label = name_family(versus.rows[0].metric)
    series = [make_series(side) for side in find_sides(versus)]
    stretches = find_stretches(versus.curve) if versus.curve is not None else ()
    return Chart(series, f"{label} of both systems over k with intervals", versus.caption, label,
                 stretches, versus.confidence_level)


def find_sides(versus: Versus) -> tuple[Side, ...]:
    "A and B with their intervals; without, where an old JSON text told none."
    if versus.sides is not None: return versus.sides.each
    k, a, b = zip(*((row.k, row.a, row.b) for row in versus.rows))
    nothing: list[float | None] = [None] * len(k)
    return tuple(Side(name, k, mean, nothing, nothing)
                 for name, mean in zip(versus.names, (a, b)))


def chart_standings(
    standings: Standings,  # Several systems compared
) -> Chart | None:  # None at one budget
    "All systems over the budgets."
    if standings.sides is None or len(standings.rankings) < 2: return None
    label = name_family(next(iter(standings.rankings)))
    series = [make_series(side) for side in standings.sides.each]
    return Chart(series, f"{label} of all systems over k with intervals", standings.heading, label,
                 level=standings.confidence_level)


def list_curves(
    chart: Chart | None,  # Systems over the budgets; None at one budget
) -> list[Part]:  # The chart, and what it shows; nothing where values are no shares
    "The systems over k, for a page."
    if chart is None: return []
    if not all(0 <= value <= 1 for series in chart.series for value in series.value): return []
    level = percent(chart.level)
    seen = (f"{chart.label}: dots are estimates, shades their {level} % intervals for new "
            "questions, at each k by itself.")
    said = "; ".join(text for text, _ in say_stretches(chart))
    if not said: return [Note(seen), chart]
    return [Note(seen), chart, Note(f"Bars: {level} % certain at all k at once: {said}.")]
