"""What a figure of a report compares: metrics of one model, or one metric of several."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .families import Family, group_rows, name_family
from .headline import EXTREMES, WHOLE, find_first, find_main, say_size
from .parts import Chart, Series
from .rows import Row
from .score_parts import join_equal

if TYPE_CHECKING: from .report import Report

__all__ = ["Subject", "find_subjects", "make_chart", "Dots", "list_dots"]

MOST = 12  # Curves of a figure
FIRST = "pass@k", "maj@k", "best@k", "pass^k"  # Metrics of one model that are drawn unasked
WRONG, RIGHT = (f" / {extreme}" for extreme in EXTREMES)


@dataclass(frozen=True)
class Subject:
    "A model or a group with its rows."
    name: str  # What its curve is called; empty where there is only one
    rows: Sequence[Row]  # Its rows; missing samples are wrong where they are counted both ways
    upper: Sequence[Row] = ()  # The same with missing samples right


def find_subjects(
    report: Report,  # Result of `score`
    model: str | None = None,  # The only model wanted
) -> list[Subject]:  # At least one
    """The models of a report, or the groups of one model.

    Raises: `ValueError` for an unknown model.
    """
    blocks = report.blocks()
    models = list(dict.fromkeys(model for model, _ in blocks))
    if model not in (None, *models):
        raise ValueError(f"model must be one of {models}, got {model!r}")
    kept = {key: rows for key, rows in blocks.items() if model in (None, key[0])}
    if len(models) > 1 and model is None: kept = find_main(kept)
    several = len({key[0] for key in kept}) > 1
    found: dict[str, list[list[Row]]] = {}
    for (name, group), rows in kept.items():
        plain = cut_extreme(group)
        found.setdefault(name if several and group in WHOLE else join(name * several, plain),
                         []).append(rows)
    return [Subject(name, *both) for name, both in found.items()]


def join(*names: str) -> str: return " / ".join(filter(None, names))


def cut_extreme(group: str) -> str:
    "A group without what was assumed of its missing samples."
    for extreme in (WRONG, RIGHT): group = group.removesuffix(extreme)
    return "" if group in EXTREMES else group


# Curves.

def make_chart(
    report: Report,  # Result of `score`
    model: str | None = None,  # The only model wanted
    metric: str | None = None,  # The only metric wanted, such as `pass@k`
) -> Chart | None:  # Its curves; None without a metric that has several budgets
    """The metrics of one model, or one metric of several models or groups, over k.

    Raises: `ValueError` for an unknown model.
    """
    subjects = find_subjects(report, model)
    found = [list_curves(subject) for subject in subjects]
    names = choose_curves(found, metric)
    if not names: return None
    chosen = [(subject, family, upper) for subject, curves in zip(subjects, found)
              for family, upper in curves if family.name in names][:MOST]
    alone = len(subjects) == 1
    series = [make_series(family.name if alone and len(names) > 1 else subject.name, family, upper)
              for subject, family, upper in chosen]
    label = names[0] if len(names) == 1 else "mean over questions"
    more = f"; the first {MOST} are drawn" * (len(subjects) > MOST)
    return Chart(series, f"{', '.join(names)} over k with intervals", say_subjects(subjects) + more,
                 label, level=report.confidence_level)


def say_subjects(subjects: Sequence[Subject]) -> str:
    "Models, questions and samples, in one line."
    blocks = {(row.model, row.group): [row] for one in subjects
              for row in (*one.rows[:1], *one.upper[:1])}
    return say_size(blocks).removesuffix(", none missing")


def list_curves(subject: Subject) -> list[tuple[Family, Family | None]]:
    "The metrics with several budgets, with what missing samples may add to each."
    upper = {family.name: family for family in group_rows(subject.upper)}
    return [(family, upper.get(family.name)) for family in group_rows(subject.rows)
            if len(family.rows) > 1 and family.rows[0].k is not None]


def choose_curves(
    found: Sequence[Sequence[tuple[Family, Family | None]]], metric: str | None,
) -> list[str]:
    "The metrics drawn: the one asked for, or the first of several subjects, or some of one."
    names = list(dict.fromkeys(family.name for curves in found for family, _ in curves))
    if metric is not None: return [name for name in names if name == metric]
    if len(found) > 1: return [name for name in FIRST if name in names][:1] or names[:1]
    return [name for name in FIRST if name in names] or names[:MOST]


def make_series(name: str, family: Family, upper: Family | None) -> Series:
    "One metric of one subject over its budgets."
    rows = family.rows
    tops = upper.rows if upper is not None else rows
    return Series(name, family.meaning, [row.k or 0 for row in rows],
                  [row.estimate for row in rows], [row.low for row in rows],
                  [row.high for row in tops], [],
                  upper=[row.estimate for row in tops] if upper is not None else ())


# Dots.

@dataclass(frozen=True)
class Dots:
    "Numbers with their intervals."
    label: str  # What is shown
    title: str  # What was asked how often
    rows: Sequence[tuple[str, Row, Row]]  # Name, and the row with missing ones wrong and right
    level: float = .95  # Confidence level of the intervals


def list_dots(
    report: Report,  # Result of `score`
    model: str | None = None,  # The only model wanted
    metric: str | None = None,  # The only metric wanted, such as `pass@8`
) -> Dots:
    """The numbers of one model, or one number of several models or groups, highest first.

    Raises: `ValueError` for an unknown model or metric.
    """
    subjects = find_subjects(report, model)
    title = say_subjects(subjects)
    if len(subjects) == 1 and metric is None:
        families, _ = join_equal(group_rows(subjects[0].rows))
        shown = {row.metric for family in families for row in family.rows}
        dots = [dot for dot in pair_rows(subjects[0]) if dot[0] in shown]
        return Dots("mean over questions", title, dots,
                    report.confidence_level)
    wanted = metric or choose_number(subjects[0])
    dots = [(subject.name or row.metric, row, upper) for subject in subjects
            for name, row, upper in pair_rows(subject) if wanted in (name, name_family(name))]
    dots.sort(key=lambda dot: -dot[1].estimate)
    if dots: return Dots(wanted, title, dots, report.confidence_level)
    known = list(dict.fromkeys(row.metric for row in report.rows))
    raise ValueError(f"metric must be one of {known}, got {metric!r}")


def choose_number(subject: Subject) -> str:
    "The number that several subjects are compared in: how often one sample is right."
    first = find_first(group_rows(subject.rows))
    return subject.rows[0].metric if first is None else first.metric


def pair_rows(subject: Subject) -> Iterator[tuple[str, Row, Row]]:
    "Each row under its name, with the row of missing samples counted as right, or itself."
    upper = {row.metric: row for row in subject.upper}
    for row in subject.rows: yield row.metric, row, upper.get(row.metric, row)
