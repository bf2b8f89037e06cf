"""The curves of systems that are compared, and where one of two is certainly ahead."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .differences import Difference
from .families import name_family
from .numbers import percent
from .parts import Chart, Note, Part, Ruler, Series
from .points import is_share, say_signed
from .sides import Side, make_series
from .stretches import find_stretches
from .versus_words import say_ahead

if TYPE_CHECKING:
    from .standings_facts import StandingsFacts
    from .versus_facts import VersusFacts

__all__ = ["chart_versus", "chart_standings", "chart_difference", "draw_difference", "list_curves"]


def chart_versus(
    versus: VersusFacts,  # Two systems compared
) -> Chart | None:  # None at one budget
    "Both systems over the budgets, and where one is certainly ahead at all budgets at once."
    if versus.curve is None: return None
    label = name_family(versus.rows[0].metric)
    series = [make_series(side) for side in find_sides(versus)]
    return Chart(series, f"{label} of both systems over k with intervals", versus.caption, label,
                 find_stretches(versus.curve), versus.confidence_level)


def find_sides(versus: VersusFacts) -> tuple[Side, ...]:
    "A and B with their intervals; without, where an old JSON text told none."
    if versus.sides is not None: return versus.sides.each
    k, a, b = zip(*((row.k, row.a, row.b) for row in versus.rows))
    nothing: list[float | None] = [None] * len(k)
    return tuple(Side(name, k, mean, nothing, nothing)
                 for name, mean in zip(versus.names, (a, b)))


def chart_standings(
    standings: StandingsFacts,  # Several systems compared
) -> Chart | None:  # None at one budget
    "All systems over the budgets."
    if standings.sides is None or len(standings.rankings) < 2: return None
    label = name_family(next(iter(standings.rankings)))
    series = [make_series(side) for side in standings.sides.each]
    return Chart(series, f"{label} of all systems over k with intervals", standings.heading, label,
                 level=standings.confidence_level)


def list_curves(
    chart: Chart | None,  # Systems over the budgets; None at one budget
) -> list[Part]:  # What the chart shows, and the chart; nothing where values are no shares
    "The systems over k, for a page."
    if chart is None: return []
    if not all(0 <= value <= 1 for series in chart.series for value in series.value): return []
    level = percent(chart.level)
    seen = (f"{chart.label}: dots are estimates, shades their {level} % intervals for new "
            "questions, at each k by itself; they may overlap where a difference is decided.")
    if chart.stretches:
        seen += f" Below: who is better by the {level} % band over all k at once."
    return [Note(seen), chart]


def chart_difference(
    versus: VersusFacts,  # Two systems compared at several budgets
) -> Chart:
    "B minus A over the budgets, with the intervals that decide, against the line at 0."
    (a, b), rows = versus.names, versus.rows
    label = name_family(rows[0].metric)
    low, high = zip(*(row.span(versus.target) for row in rows))
    series = Series(f"{b} minus {a}", "", [row.k or 0 for row in rows],
                    [row.difference for row in rows], low, high,
                    [say_ahead(versus, row) for row in rows])
    return Chart([series], f"{label}: {b} minus {a} over k with intervals", label=label,
                 level=versus.confidence_level, zero="no difference",
                 points=is_share(rows[0].metric))


def draw_difference(
    versus: VersusFacts,  # Two systems compared
    row: Difference,  # One of its rows
    seen: str,  # What is said below the bar
    scale: tuple[float, float] | None = None,  # Ends of the line; as far as its numbers if None
) -> list[Part]:  # One bar; nothing without an interval
    "The interval of a difference against 0."
    low, high = row.span(versus.target)
    if low is None or high is None: return []
    ends = [say_signed(value, row.metric) for value in (low, row.difference, high)]
    return [Ruler(row.difference, low, high, 0., "0: no difference", "", seen, ends,
                  scale)]
