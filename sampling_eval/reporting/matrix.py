"""Estimates in a grid, each above its intervals."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, log10

from ..report.blocks import Table
from .families import Family, name_family
from .letters import Letters
from .numbers import digits
from .parts import Cell, GridLine, Matrix
from ..results.rows import Row

__all__ = ["make_matrix", "make_list", "make_overview", "make_cell", "find_decimals",
           "pick_labels", "order_budgets"]

NAMES = "new questions", "these again"
PREFERRED = "pass@k", "pass^k", "maj@k", "best@k", "soft@k", "avg@k", "cons@k"
FIRST = "pass@1"  # Stands before them: how often one sample is right
SHOWN = 5  # Metrics of an overview


def make_matrix(
    families: Sequence[Family],  # Metrics of one model and group
    title: str = "",  # What it is about
) -> Matrix:  # One line per metric, one column per budget
    "Metrics by budget."
    budgets = collect_budgets(families)
    rows = [[family.at(k) for k in budgets] for family in families]
    decimals = find_decimals([row for line in rows for row in line if row is not None])
    lines = [GridLine(family.name, family.meaning, make_cells(line, decimals))
             for family, line in zip(families, rows)]
    heads = [f"{'k = ' * (not i)}{k}" for i, k in enumerate(budgets)]
    return Matrix("metric", tuple(heads), tuple(lines), name_spans(rows), title,
                  order_budgets(budgets))


def collect_budgets(families: Sequence[Family]) -> list[int]:
    "All budgets of some metrics, ascending."
    rows = [row for family in families for row in family.rows]
    return sorted({row.k for row in rows if row.k is not None})


def make_list(
    families: Sequence[Family],  # Metrics with one row each
    level: str,  # Level of the intervals in percent
    title: str = "",  # What it is about
) -> Table:  # One row per metric
    "Metrics that have one number."
    rows = [family.rows[0] for family in families]
    decimals = find_decimals(rows)
    cells = [make_cell(row, decimals) for row in rows]
    spans = name_spans([rows]) or [f"{level} % interval"]
    lines = [[row.metric, family.meaning, cell.value, *pad(cell.spans, len(spans))]
             for family, row, cell in zip(families, rows, cells)]
    return Table(["metric", "", "estimate", *spans], lines, title, 2)


def pad(spans: Sequence[str], size: int) -> list[str]:
    return [*spans, *[""] * (size - len(spans))]


def make_overview(
    blocks: Mapping[str, Sequence[Row]],  # Rows of each model or group by its name
    corner: str = "model",  # What they are
    letters: Mapping[str, Letters] = {},  # By metric; where there are any, the best model is first
) -> Matrix:  # One line each, and the metrics that all have
    "Models or groups by metric."
    found = {name: {row.metric: row for row in rows} for name, rows in blocks.items()}
    labels = pick_labels(list(blocks.values()))
    if letters: found = sort_models(found, labels[0])
    rows = [[named[label] for label in labels] for named in found.values()]
    decimals = find_decimals([row for line in rows for row in line])
    marks = [letters.get(label, {}) for label in labels]
    lines = [GridLine(name, "", mark_cells(name, make_cells(line, decimals), marks))
             for name, line in zip(found, rows)]
    return Matrix(corner, tuple(labels), tuple(lines), name_spans(rows))


def sort_models(found: dict[str, dict[str, Row]], label: str) -> dict[str, dict[str, Row]]:
    order = sorted(found, key=lambda name: -found[name][label].estimate)
    return {name: found[name] for name in order}


def mark_cells(
    name: str, cells: Sequence[Cell | None], marks: Sequence[Letters],
) -> tuple[Cell | None, ...]:
    "The cells of a model with its letters."
    return tuple(cell and replace(cell, mark=letters.get(name, ""))
                 for cell, letters in zip(cells, marks))


def pick_labels(
    blocks: Sequence[Sequence[Row]],  # Rows of each model or group
) -> list[str]:  # Names of at most five metrics
    "The metrics of an overview: one sample, then each metric at the largest budget of all."
    shared = list_shared(blocks)
    budgets = {row.metric: row.k or 0 for rows in blocks for row in rows}
    ascending = sorted(shared, key=lambda label: budgets[label])
    largest = {name_family(label): label for label in ascending}
    first = [FIRST] if FIRST in shared else []
    if first: largest.pop("avg@k", None)  # They are one number
    others = [largest[family] for family in sorted(largest, key=order_family)]
    labels = list(dict.fromkeys([*first, *others]))
    if all(row.n_max == 1 for rows in blocks for row in rows): labels = drop_equal(labels, blocks)
    return labels[:SHOWN]


def list_shared(blocks: Sequence[Sequence[Row]]) -> list[str]:
    "The metrics that all models have, in the order of the first one."
    names = [[row.metric for row in rows] for rows in blocks]
    shared = set.intersection(*map(set, names))
    return [name for name in names[0] if name in shared]


def order_family(name: str) -> int:
    "The place of a metric in an overview; those without one come last."
    return PREFERRED.index(name) if name in PREFERRED else len(PREFERRED)


def drop_equal(labels: Sequence[str], blocks: Sequence[Sequence[Row]]) -> list[str]:
    "With one sample a question most metrics are one number, of which the first name stands."
    named = [{row.metric: row.estimate for row in rows} for rows in blocks]
    columns = {label: tuple(own[label] for own in named) for label in labels}
    found = {values: label for label, values in reversed(columns.items())}
    return [label for label in labels if found[columns[label]] == label and label != "mg-pass@1"]


def make_cell(
    row: Row,  # Row of a report
    decimals: int,  # Decimals of the ends
) -> Cell:  # The same as texts
    "An estimate and its intervals as they are printed."
    spans = [say_span(row.low, row.high, decimals)]
    if row.again_interval: spans.append(say_span(row.again_low, row.again_high, decimals))
    return Cell(digits(row.estimate, decimals + 1), tuple(spans))


def make_cells(rows: Sequence[Row | None], decimals: int) -> tuple[Cell | None, ...]:
    return tuple(None if row is None else make_cell(row, decimals) for row in rows)


def find_decimals(rows: Sequence[Row]) -> int:
    "Decimals that show the ends of most intervals to a tenth of their width."
    widths = [row.high - row.low for row in rows if row.low is not None and row.high is not None]
    typical = find_median([width for width in widths if width > 0] or [.1])
    return min(6, max(2, ceil(-log10(typical / 10))))


def find_median(numbers: Sequence[float]) -> float:
    "The median; that of the standard library takes longer to import than a table to write."
    ordered = sorted(numbers)
    middle = ordered[(len(ordered) - 1) // 2:len(ordered) // 2 + 1]
    return sum(middle) / len(middle)


def say_span(low: float | None, high: float | None, decimals: int) -> str:
    "Both ends of an interval; `-` where there is none."
    if low is None or high is None: return "-"
    mark = "–" if low >= 0 else " to "
    return f"{digits(low, decimals)}{mark}{digits(high, decimals)}"


def name_spans(rows: Sequence[Sequence[Row | None]]) -> tuple[str, ...]:
    "What the intervals are about, where there are two of each."
    both = any(row is not None and row.again_interval for line in rows for row in line)
    return NAMES if both else ()


def order_budgets(
    budgets: Sequence[int],  # Ascending
) -> tuple[int, ...]:  # As many positions
    "Positions of the budgets, those first that are shown where there is no room for all."
    return tuple(dict.fromkeys(pick_budgets(budgets)))


def pick_budgets(budgets: Sequence[int]) -> Iterator[int]:
    "The first, the last, the powers of two, then all others."
    places = range(len(budgets))
    if places: yield from (0, len(budgets) - 1)
    yield from (i for i in places if budgets[i] & (budgets[i] - 1) == 0)
    yield from places
