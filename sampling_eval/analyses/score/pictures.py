"""The pictures of a score: on a page curves or intervals, on paper a figure of Matplotlib.

Both draw the metrics of one model over k, or one metric of several models or groups.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...render.blocks import SHARES, Block, Curves, Intervals, Line, Series, Text
from ...render.format import interval, value
from ...results.rows import WHOLE, Row, name_family
from ..phrases.metrics import Family, group_rows, join_equal, meaning_of, single_sample_row
from ..phrases.questions import MODELS
from .result import Blocks, Report, is_whole, name_block, name_bound
from .size_words import NONE_MISSING, sizes_of_models

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["draw_figures", "draw_more", "plot", "make_chart", "dots_of"]

CURVES = 12  # Curves of a chart, or of a figure
DRAWN = "pass@k", "pass^k", "maj@k", "cons@k", "best@k"
SEEN = "pass@k", "pass^k"  # Curves that are shown before they are asked for


def draw_figures(result: Report) -> list[Block]:
    "The curves of the only model; of several one interval each."
    main = result.whole_blocks()
    if len(main) == 1:
        charts = titled_charts(main, result)
        return [charts[0][1]] if charts else draw_numbers(next(iter(main.values())))
    return draw_models(main, result)


def draw_more(result: Report) -> list[Block]:
    "Each metric of several models over k."
    return [chart for _, chart in titled_charts(result.whole_blocks(), result)]


# Intervals.

def draw_models(main: Blocks, result: Report) -> list[Block]:
    "The first number of each model with its interval, the first models only."
    # A model has the colour of its place in the data, as in a comparison, wherever it stands.
    colours = {key: i for i, key in enumerate(main)}
    found = {key: single_sample_row(group_rows(rows))
             for key, rows in result.rank_blocks(main).items()}
    known = [(colours[key], key, row) for key, row in found.items() if row is not None]
    shown = known[:MODELS]
    if not shown: return []
    lines = [make_line(name_curve(key[0], row), row, i) for i, key, row in shown]
    metrics = list(dict.fromkeys(row.metric for _, _, row in shown))
    more = [Text(f"The first {MODELS} of {len(known)} {result.systems}.", "note")]
    return [make_intervals(lines, " and ".join(metrics)), *more * (len(known) > MODELS)]


def draw_numbers(rows: Sequence[Row]) -> list[Block]:
    "The first number of the only model."
    row = single_sample_row(group_rows(rows)) or rows[0]
    return [make_intervals([make_line(row.metric, row, 0)], row.metric)]


def make_line(name: str, row: Row, colour: int) -> Line:
    (low,), (high,) = ends_of([row])
    return Line(name, value(row.estimate, row.unit), row.estimate, low, high, write_ends(row),
                colour=colour)


def ends_of(rows: Sequence[Row]) -> tuple[list[float | None], list[float | None]]:
    "Lower and upper ends of the intervals of some rows; None without one."
    found = [row.interval for row in rows]
    return ([None if one is None else one.low for one in found],
            [None if one is None else one.high for one in found])


def write_ends(row: Row) -> str:
    "The interval of a row; empty without one."
    found = row.interval
    return "" if found is None else interval(found.low, found.high, row.unit)


def make_intervals(lines: Sequence[Line], metric: str) -> Intervals:
    shares = all(0 <= one.value <= 1 for one in lines)
    return Intervals(lines, f"{metric} with confidence intervals", **SHARES if shares else {})


# Curves.

def titled_charts(main: Blocks, result: Report) -> list[tuple[str, Curves]]:
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
                          f"{name}: {meaning_of(name)}" * bool(name), name,
                          level=result.confidence_level))
            for name, series in found.items()]


def name_curve(model: str, row: Row) -> str:
    "A model, and what was assumed where its missing samples were counted both ways."
    assumed = name_bound(replace(row.bound, group="")) if row.bound else ""
    group = "" if row.group_alone in WHOLE else row.group_alone
    return name_block((model, group, assumed))


def has_curve(family: Family) -> bool:
    "Whether a metric is drawn: a known one, of several budgets, between 0 and 1."
    shares = all(0 <= row.estimate <= 1 for row in family.rows)
    return family.name in DRAWN and len(family.rows) > 1 and shares


def make_series(model: str, family: Family, colour: int | None = None) -> Series:
    "One metric of one model over its budgets."
    rows = family.rows
    seen = bool(model) or family.name in SEEN
    return Series(model or family.name, "" if model else family.meaning,
                  [row.k or 0 for row in rows], [row.estimate for row in rows], *ends_of(rows),
                  [point_in_words(model, row) for row in rows], seen, colour=colour)


def point_in_words(model: str, row: Row) -> str:
    "A point of a curve in words, with its interval where it has one."
    ends = f" ({write_ends(row)})" * (row.interval is not None)
    name = f"{model} {row.metric}" if model else row.metric
    return f"{name}: {value(row.estimate, row.unit)}{ends}"


# On paper.

FIRST_DRAWN = "pass@k", "maj@k", "best@k", "pass^k"  # Metrics of one model that are drawn unasked


def plot(
    report: Report,  # Result of `score`
    model: str | None = None,  # Which model; all of them if None
    metric: str | None = None,  # Which metric, `pass@k` or `pass@8`; chosen if None
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw curves, or dots with intervals where there is one budget.

    Raises: `ValueError` for an unknown model or metric, for Axes and a size, and for an unknown
    size.
    """
    from ...render.plot import open_axes, plot_curves, plot_intervals, write_title
    chart = make_chart(report, model, metric)
    if chart is not None: return plot_curves(chart, ax=ax, size=size)
    dots = dots_of(report, model, metric)
    names, rows, tops = zip(*dots.rows)
    low, high = np.array([ends_of(rows)[0], ends_of(tops)[1]], float)
    upper = None if rows == tops else [top.estimate for top in tops]
    with open_axes(ax, size, 2 * (upper is not None), len(rows)) as ax:
        plot_intervals(names, [row.estimate for row in rows], low, high, upper=upper,
                       level=dots.level, ax=ax, label=dots.label)
        return write_title(ax, dots.title)


@dataclass(frozen=True)
class Subject:
    "A model or a group with its rows."
    name: str  # What its curve is called; empty where there is only one
    rows: Sequence[Row]  # Its rows; missing samples are wrong where they are counted both ways
    upper: Sequence[Row] = ()  # The same with missing samples right


def drawn_subjects(report: Report, model: str | None = None) -> list[Subject]:
    """The models of a report, or the groups of one model.

    Raises: `ValueError` for an unknown model.
    """
    blocks = report.blocks()
    models = list(dict.fromkeys(model for model, _ in blocks))
    if model not in (None, *models):
        raise ValueError(f"model must be one of {models}, got {model!r}")
    kept = {key: rows for key, rows in blocks.items() if model in (None, key[0])}
    if len(models) > 1 and model is None: kept = keep_whole(kept)
    found: dict[tuple[str, str], list[list[Row]]] = {}
    for (name, _), rows in kept.items():
        found.setdefault((name, rows[0].group_alone), []).append(rows)
    several = len({name for name, _ in found}) > 1
    return [Subject(name_subject(*key, several), *both) for key, both in found.items()]


def keep_whole(blocks: Blocks) -> Blocks:
    "The rows over all questions, where there are such."
    return {key: rows for key, rows in blocks.items() if is_whole(rows)} or blocks


def name_subject(model: str, group: str, several: bool) -> str:
    "What tells a subject from the others: its model where there are several, or its group."
    if not several: return group
    return name_block((model, "" if group in WHOLE else group))


# Curves.

def make_chart(
    report: Report, model: str | None = None, metric: str | None = None,
) -> Curves | None:
    """The metrics of one model, or one metric of several models or groups, over k.

    Raises: `ValueError` for an unknown model.
    """
    subjects = drawn_subjects(report, model)
    found = [curves_of(subject) for subject in subjects]
    names = choose_curves(found, metric)
    if not names: return None
    alone = len(subjects) == 1 and len(names) > 1
    series = [make_curve(name if alone else subject.name, *curves[name])
              for subject, curves in zip(subjects, found) for name in names if name in curves]
    label = names[0] if len(names) == 1 else "mean over questions"
    more = f"; the first {CURVES} are drawn" * (len(series) > CURVES)
    title = subjects_caption(report, subjects) + more
    return Curves(series[:CURVES], f"{', '.join(names)} over k with intervals", title, label,
                  level=report.confidence_level)


def subjects_caption(report: Report, subjects: Sequence[Subject]) -> str:
    "Models, questions and samples, in one line."
    blocks = {(row.model, row.group): [row] for one in subjects
              for row in (*one.rows[:1], *one.upper[:1])}
    sizes = sizes_of_models(keep_whole(blocks), report.systems)
    return ", ".join(one for one in sizes if one != NONE_MISSING)


def curves_of(subject: Subject) -> dict[str, tuple[Family, Family]]:
    "Metrics with budgets, each at both extremes of missing samples, which may be the same."
    upper = {name_family(one.rows[0].metric): one for one in group_rows(subject.upper)}
    named = {name_family(one.rows[0].metric): one for one in group_rows(subject.rows)}
    return {name: (family, upper.get(name, family)) for name, family in named.items()
            if family.rows[0].k is not None}


def choose_curves(
    found: Sequence[dict[str, tuple[Family, Family]]], metric: str | None,
) -> list[str]:
    "The metrics drawn: the one asked for, or the first of several subjects, or some of one."
    names = list(dict.fromkeys(name for curves in found for name, (family, _) in curves.items()
                               if len(family.rows) > 1))
    if metric is not None: return [metric] if metric in names else []
    first = [name for name in FIRST_DRAWN if name in names] or names
    return first[:1] if len(found) > 1 else first


def make_curve(name: str, family: Family, upper: Family) -> Series:
    "One metric of one subject over its budgets."
    rows, tops = family.rows, upper.rows
    return Series(name, family.meaning, [row.k or 0 for row in rows],
                  [row.estimate for row in rows], ends_of(rows)[0],
                  ends_of(tops)[1], [],
                  upper=[row.estimate for row in tops] if upper is not family else ())


# Dots.

Dot: TypeAlias = tuple[str, Row, Row]  # Name, and the row with missing ones wrong and right


@dataclass(frozen=True)
class Dots:
    "Numbers with their intervals."
    label: str  # What is shown
    title: str  # What was asked how often
    rows: Sequence[Dot]
    level: float = .95  # Confidence level of the intervals


def dots_of(report: Report, model: str | None = None, metric: str | None = None) -> Dots:
    """The numbers of one model, or one number of several models or groups, highest first.

    Raises: `ValueError` for an unknown model or metric.
    """
    subjects = drawn_subjects(report, model)
    if len(subjects) == 1 and metric is None:
        label, dots = "mean over questions", own_dots(subjects[0])
    else:
        label = metric or choose_number(subjects[0])
        dots = rank_subjects(subjects, label)
        known = list(dict.fromkeys(row.metric for row in report.rows))
        if not dots: raise ValueError(f"metric must be one of {known}, got {metric!r}")
    return Dots(label, subjects_caption(report, subjects), dots, report.confidence_level)


def own_dots(subject: Subject) -> list[Dot]:
    "The numbers of one subject, without those that equal another one everywhere."
    families, _ = join_equal(group_rows(subject.rows))
    shown = {row.metric for family in families for row in family.rows}
    return [dot for dot in pair_rows(subject) if dot[0] in shown]


def rank_subjects(subjects: Sequence[Subject], label: str) -> list[Dot]:
    "One number of each subject, or one metric at every budget, highest first."
    dots = [(subject.name or name, row, upper) for subject in subjects
            for name, row, upper in pair_rows(subject) if label in (name, name_family(name))]
    return sorted(dots, key=lambda dot: -dot[1].estimate)


def choose_number(subject: Subject) -> str:
    "The number that several subjects are compared in: how often one sample is right."
    first = single_sample_row(group_rows(subject.rows))
    return subject.rows[0].metric if first is None else first.metric


def pair_rows(subject: Subject) -> Iterator[Dot]:
    "Each row under its name, with the row of missing samples counted as right, or itself."
    upper = {row.metric: row for row in subject.upper}
    for row in subject.rows: yield row.metric, row, upper.get(row.metric, row)
