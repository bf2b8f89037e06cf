"""Tables of estimates, and how the questions are weighted."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, log10

from ..errors import name_option
from ..results.rows import Row, Weighted
from ..results.score_report import Letters, pick_labels
from .blocks import Cell, Grid, GridLine, Table
from .format import decimal, level, percent
from .metric_names import Family

__all__ = ["make_grid", "make_list", "make_overview", "make_cell", "find_decimals", "order_budgets",
           "write_estimate", "write_interval", "describe_weights", "describe_max_weight",
           "describe_range", "explain_weights"]


NAMES = "new questions", "same questions"


def make_grid(
    families: Sequence[Family],  # Metrics of one model and group
    title: str = "",  # What it is about
) -> Grid:  # One line per metric, one column per budget
    "Metrics by budget."
    budgets = sorted({row.k for family in families for row in family.rows if row.k is not None})
    rows = [[family.at(k) for k in budgets] for family in families]
    decimals = find_decimals([row for line in rows for row in line if row is not None])
    lines = [GridLine(family.name, family.meaning, make_cells(line, decimals))
             for family, line in zip(families, rows)]
    heads = [f"{'k = ' * (not i)}{k}" for i, k in enumerate(budgets)]
    return Grid("metric", tuple(heads), tuple(lines), name_intervals(rows), title,
                order_budgets(budgets))


def make_list(
    families: Sequence[Family],  # Metrics with one row each
    confidence_level: float,  # Level of the intervals
    title: str = "",  # What it is about
) -> Table:  # One row per metric
    "Metrics that have one number."
    rows = [family.rows[0] for family in families]
    decimals = find_decimals(rows)
    heads = name_intervals([rows]) or [f"{level(confidence_level)} CI"]
    lines = []
    for family, row in zip(families, rows):
        cell = make_cell(row, decimals)
        ends = [*cell.intervals, *[""] * (len(heads) - len(cell.intervals))]
        lines.append([row.metric, family.meaning, cell.value, *ends])
    return Table(["metric", "", "estimate", *heads], lines, title, 2)


def make_overview(
    blocks: Mapping[str, Sequence[Row]],  # Rows of each model or group by its name
    corner: str = "model",  # What they are
    letters: Letters = {},  # By metric; where there are any, the best model is first
) -> Grid:  # One line each, and the metrics that all have
    "Models or groups by metric."
    found = {name: {row.metric: row for row in rows} for name, rows in blocks.items()}
    labels = pick_labels(list(blocks.values()))
    names = list(found)
    if letters: names = sorted(names, key=lambda name: -found[name][labels[0]].estimate)
    rows = [[found[name][label] for label in labels] for name in names]
    decimals = find_decimals([row for line in rows for row in line])
    marks = [letters.get(label, {}) for label in labels]
    lines = [GridLine(name, "", tuple(cell and replace(cell, letters=own.get(name, ""))
                                      for cell, own in zip(make_cells(line, decimals), marks)))
             for name, line in zip(names, rows)]
    return Grid(corner, tuple(labels), tuple(lines), name_intervals(rows))


# Cells.

def make_cell(
    row: Row,  # Row of a report
    decimals: int,  # Decimals of shares in percent
) -> Cell:  # The same as texts
    "An estimate and its intervals as they are printed."
    share = row.unit == "share"
    intervals = [write_interval(row.low, row.high, share, decimals)]
    if row.again_interval is not None:
        intervals.append(write_interval(row.again_low, row.again_high, share, decimals))
    return Cell(write_estimate(row, decimals), tuple(intervals))


def write_estimate(
    row: Row,  # Row of a report
    decimals: int,  # Decimals of shares in percent
    named: bool = True,  # Whether the percent sign stands behind a share
) -> str:
    "An estimate as it is printed in a table."
    if row.unit == "share": return percent(row.estimate, named, decimals)
    return decimal(row.estimate, decimals + 2)


def make_cells(rows: Sequence[Row | None], decimals: int) -> tuple[Cell | None, ...]:
    return tuple(None if row is None else make_cell(row, decimals) for row in rows)


def write_interval(
    low: float | None,  # Lower end
    high: float | None,  # Upper end
    share: bool,  # Whether they are shares, in percent
    decimals: int,  # Decimals of shares in percent
) -> str:
    "Both ends of an interval without a unit; `-` where there is none."
    if low is None or high is None: return "-"
    if share: ends = [percent(end, unit=False, decimals=decimals) for end in (low, high)]
    else: ends = [decimal(end, decimals + 1) for end in (low, high)]
    return ("–" if low >= 0 else " to ").join(ends)


def find_decimals(
    rows: Sequence[Row],  # Rows of a table
) -> int:  # At least 1
    "Decimals of percents that show the ends of most intervals to a tenth of their width."
    widths = [row.high - row.low for row in rows if row.low is not None and row.high is not None]
    # The median; that of the standard library takes longer to import than a table to write.
    ordered = sorted(width for width in widths if width > 0) or [.1]
    middle = ordered[(len(ordered) - 1) // 2:len(ordered) // 2 + 1]
    return min(4, max(1, ceil(-log10(sum(middle) / len(middle) / 10)) - 2))


def name_intervals(rows: Sequence[Sequence[Row | None]]) -> tuple[str, ...]:
    "What the intervals are about, where there are two of each."
    both = any(row is not None and row.again_interval is not None for line in rows for row in line)
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


# Weights of questions


def describe_weights(
    weighted: Weighted | None,  # None where all questions weigh the same
) -> str:  # `weighted by points (worth 12.3 questions of equal weight)`; empty without weights
    "What the questions are weighted by, and how many questions that is worth."
    if weighted is None: return ""
    return (f"weighted by {weighted.weighted_by} (worth {weighted.effective_questions:.1f} "
            "questions of equal weight)")


def describe_max_weight(
    weighted: Weighted | None,  # None where all questions weigh the same
) -> str:  # One sentence; empty without weights
    "Up to which weight the CIs for new questions hold."
    if weighted is None: return ""
    return describe_range(weighted.largest_weight, weighted.largest_weight_declared)


def describe_range(
    largest: float,  # Largest weight that a question may have
    declared: bool,  # Whether it was declared; else it is the largest seen
) -> str:  # One sentence
    "Up to which weight the CIs for new questions hold."
    if declared:
        return f"CIs for new questions hold for weights up to {largest:g}, as declared."
    return (f"Where new questions may weigh more than {largest:g}, the largest weight seen, "
            f"declare it with {name_option('largest_weight')}; without it their CIs are "
            "approximate.")


def explain_weights(
    weighted: Weighted | None,  # None where all questions weigh the same
) -> str:  # One sentence fit for a paper; empty without weights
    "How means were weighted, and on what their CIs rest."
    if weighted is None: return ""
    known = "as declared" if weighted.largest_weight_declared else "the largest seen (approximate)"
    return (f"Means over questions are {describe_weights(weighted)}; CIs for new questions invert "
            "the test of E[w(x - mean)] = 0 with weights up to "
            f"{weighted.largest_weight:g}, {known}.")
