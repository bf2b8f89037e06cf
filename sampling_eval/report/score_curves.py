"""The pictures of a score on a page: curves over k, or intervals one below the other."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..results.rows import Row
from ..results.score_report import WHOLE, Blocks, Report, name_bound
from .blocks import Block, Curves, Intervals, Line, Series, Text
from .format import interval, value
from .headline import find_first
from .metric_names import Family, describe_metric, group_rows
from .questions import MODELS

__all__ = ["draw_figures", "draw_more"]

CURVES = 12  # Curves of a chart
DRAWN = "pass@k", "pass^k", "maj@k", "cons@k", "best@k"
SEEN = "pass@k", "pass^k"  # Curves that are shown before they are asked for


def draw_figures(
    result: Report,  # Result of `score`
) -> list[Block]:  # At most one picture
    "The curves of the only model; of several one interval each."
    main = result.whole_blocks()
    if len(main) == 1:
        charts = list_charts(main, result)
        return [charts[0][1]] if charts else draw_numbers(next(iter(main.values())))
    return draw_models(main, result)


def draw_more(
    result: Report,  # Result of `score`
) -> list[Block]:
    "Each metric of several models over k."
    return [chart for _, chart in list_charts(result.whole_blocks(), result)]


# Intervals.

def draw_models(main: Blocks, result: Report) -> list[Block]:
    "The first number of each model with its interval, the first models only."
    # A model has the colour of its place in the data, as in a comparison, wherever it stands.
    colours = {key: i for i, key in enumerate(main)}
    found = {key: find_first(group_rows(rows)) for key, rows in result.rank_blocks(main).items()}
    known = [(colours[key], key, row) for key, row in found.items() if row is not None]
    shown = known[:MODELS]
    if not shown: return []
    lines = [make_line(name_curve(key[0], row), row, i) for i, key, row in shown]
    metrics = list(dict.fromkeys(row.metric for _, _, row in shown))
    more = [Text(f"The first {MODELS} of {len(known)} {result.systems}.", "note")]
    return [make_intervals(lines, " and ".join(metrics)), *more * (len(known) > MODELS)]


def draw_numbers(rows: Sequence[Row]) -> list[Block]:
    "The first number of the only model."
    row = find_first(group_rows(rows)) or rows[0]
    return [make_intervals([make_line(row.metric, row, 0)], row.metric)]


def make_line(name: str, row: Row, colour: int) -> Line:
    note = "" if row.low is None else interval(row.low, row.high, row.unit)
    return Line(name, value(row.estimate, row.unit), row.estimate, row.low, row.high, note,
                colour=colour)


def make_intervals(lines: Sequence[Line], metric: str) -> Intervals:
    shares = all(0 <= one.value <= 1 for one in lines)
    alt = f"{metric} with confidence intervals"
    if not shares: return Intervals(lines, alt)
    return Intervals(lines, alt, (0., 1.), ("0 %", "100 %"))


# Curves.

def list_charts(main: Blocks, result: Report) -> list[tuple[str, Curves]]:
    "All metrics of one model, or all models by metric."
    found: dict[str, list[Series]] = {}
    colours = {key: i for i, key in enumerate(main)}
    for key, rows in result.rank_blocks(main).items():
        for family in filter(has_curve, group_rows(rows)):
            if len(main) == 1: found.setdefault("", []).append(make_series("", family))
            else:
                series = make_series(name_curve(key[0], rows[0]), family, colours[key])
                found.setdefault(family.name, []).append(series)
    return [(name, Curves(series[:CURVES], f"{name or 'metrics'} over k with intervals",
                          f"{name}: {describe_metric(name)}" * bool(name), name,
                          level=result.confidence_level))
            for name, series in found.items()]


def name_curve(model: str, row: Row) -> str:
    "A model, and what was assumed where its missing samples were counted both ways."
    assumed = name_bound(replace(row.bound, group="")) if row.bound else ""
    group = "" if row.group_alone in WHOLE else row.group_alone
    return " / ".join(filter(None, (model, group, assumed)))


def has_curve(family: Family) -> bool:
    "Whether a metric is drawn: a known one, of several budgets, between 0 and 1."
    shares = all(0 <= row.estimate <= 1 for row in family.rows)
    return family.name in DRAWN and len(family.rows) > 1 and shares


def make_series(model: str, family: Family, colour: int | None = None) -> Series:
    "One metric of one model over its budgets."
    rows = family.rows
    seen = bool(model) or family.name in SEEN
    return Series(model or family.name, "" if model else family.meaning,
                  [row.k or 0 for row in rows], [row.estimate for row in rows],
                  [row.low for row in rows], [row.high for row in rows],
                  [describe_point(model, row) for row in rows], seen, colour=colour)


def describe_point(model: str, row: Row) -> str:
    "A point of a curve in words, with its interval where it has one."
    ends = "" if row.low is None else f" ({interval(row.low, row.high, row.unit)})"
    name = f"{model} {row.metric}" if model else row.metric
    return f"{name}: {value(row.estimate, row.unit)}{ends}"
