"""Metrics in reports: their names and definitions, the tables of their estimates, their weights.

A `Family` is one metric at all its budgets. `group_rows` makes families of the rows of a report,
`make_grid`, `make_list` and `make_overview` tables of them.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, isclose, log10

from ...inference.intervals import Interval
from ...metrics.catalog import CATALOG
from ...render.blocks import Cell, Grid, GridLine, Table
from ...render.format import (
    TARGET_WORDS, decimal, describe_ci, join, join_some, level, percent, ranges, write_interval)
from ...render.verdicts import SIGNIFICANTLY, significantly
from ...results.base import Unit
from ...results.rows import Row, name_family
from ..score.result import Letters, pick_labels

__all__ = ["Family", "group_rows", "single_sample_row", "meaning_of", "rule_sentences",
           "column_meanings", "define_metrics", "join_equal", "make_grid", "make_list",
           "make_overview", "make_cell", "decimals_for", "order_budgets", "write_estimate",
           "enclose_ci", "name_equal", "lead_over_others", "explain_letters"]

MEANS = "avg@k", "avg@n", "soft@k", "soft@n", "mean@k", "mean@n"  # Means over all samples
MODELS_NAMED = 3  # Models that are named in a sentence

MEANINGS = {name.replace("@n", "@k"): metric.meaning for name, metric in CATALOG.items()}


@dataclass(frozen=True)
class Family:
    "One metric at its budgets."
    name: str  # `pass@k`; the name of its only row where there is one
    meaning: str  # What it asks of k samples, in three words; empty for a metric of one's own
    rows: tuple[Row, ...]  # One row per budget, ascending

    def at(self, k: int) -> Row | None:
        "The row of one budget; None where there is none."
        return next((row for row in self.rows if row.k == k), None)


def group_rows(rows: Sequence[Row]) -> list[Family]:
    "The rows of one model and group by metric."
    found: dict[str, list[Row]] = {}
    for row in rows: found.setdefault(name_family(row.metric), []).append(row)
    return [Family(name if len(own) > 1 else own[0].metric, meaning_of(name),
                   tuple(sorted(own, key=lambda row: row.k or 0)))
            for name, own in found.items()]


def single_sample_row(families: Sequence[Family]) -> Row | None:
    "The row of pass@1, or of a mean over all samples: how often single samples are right."
    for family in families:
        row = family.at(1)
        if family.name in ("pass@k", "pass@1") and row is not None: return row
    return next((family.rows[0] for family in families
                 if name_family(family.rows[0].metric) in MEANS), None)


def meaning_of(
    family: str,  # Name of a metric without its budget
) -> str:  # What it asks of k samples; empty for a metric of one's own
    "A metric in three words."
    level = re.fullmatch(r"g-pass@k_([\d.]+)", family)
    if level and float(level[1]) < 1: return f"at least {100 * float(level[1]):g} % right"
    return "all right" if level else MEANINGS.get(family.replace("@n", "@k"), "")


def column_meanings(rows: Iterable[Row]) -> str:
    "What the metrics of a table ask of their samples, by one row of each column."
    said = []
    for row in rows:
        meaning = meaning_of(name_family(row.metric))
        if row.k is None or row.k < 2 or not meaning: continue
        tie = " (a tie is wrong)" * (row.metric.startswith("cons@") and row.k % 2 == 0)
        said.append(f"{row.metric}: {meaning}{tie}")
    return f"{'; '.join(said)}." if said else ""


# What three words do not say.

def rule_sentences(rows: Sequence[Row]) -> list[str]:
    "How ties count, and which thresholds are averaged: a sentence for each such metric."
    found = {row.metric: row.k for row in rows if row.k is not None and row.n_max > 1}
    said = [mean_rule(name, k) for name, k in found.items()
            if name.startswith("mg-pass@") and k > 1]
    ties = [k for name, k in found.items() if name.startswith("cons@") and k % 2 == 0]
    return [tie_rule(found)] * bool(ties) + said


def tie_rule(found: Mapping[str, int]) -> str:
    several = sum(name.startswith("cons@") for name in found) > 1
    lower = ", so it can be lower there than at the k before" * several
    return f"cons@k: at even k a tie counts as wrong{lower}."


def mean_rule(name: str, k: int) -> str:
    "Which thresholds mG-Pass averages: all steps above one half."
    steps = list(map(str, range((k + 1) // 2 + 1, k + 1)))
    if k < 4: return f"{name} is {'2/3 of ' * (k == 3)}the share with all {k} right."
    mean = "the mean" if k % 2 == 0 else f"2/{k} times the sum"
    listed = f"{steps[0]}, {steps[1]}, ..., {k}" if len(steps) > 4 else join(steps)
    return f"{name} is {mean} of {len(steps)} shares: at least {listed} of {k} right."


# For the methods of a paper: what each metric is, where the estimator is that of the catalog.

ABOUT = {
    "pass@k": "the probability that at least one of k samples is right, estimated without bias by "
              "the share of all k-subsets of a question's samples that hold a right one "
              "@{chen2021}",
    "pass^k": "the probability that all of k samples are right, estimated without bias by the "
              "share of all k-subsets of a question's samples that are right throughout "
              "@{yao2024}",
    "cons@k": "the probability that a strict majority of k samples is right, estimated without "
              "bias over all k-subsets",
    "maj@k": "the probability that the most frequent of k answers is right @{wang2022}, estimated "
             "without bias over all k-subsets, a tie counted as the expectation of a random pick",
    "avg@n": "the share of right samples of a question",
    "soft@n": "the mean score of a question's samples",
    "mean@n": "the mean score of a question's samples, on its own scale",
    "best@k": "the probability that the highest-scored of k samples is right, estimated without "
              "bias over all k-subsets",
    "g-pass@k_tau": "the probability that at least the share tau of k samples is right, estimated "
                    "without bias over all k-subsets @{liu2024}",
    "mg-pass@k": "the mean of g-pass@k_tau over tau from one half upwards, by the rule of its "
                 "authors @{liu2024}",
}


def define_metrics(
    numbers: Iterable[tuple[str, int | None, str]],  # Metric, budget and estimator of each
) -> str:  # Sentences with marks for their sources
    "Each metric with its budgets and its definition."
    found: dict[tuple[str, str], list[int]] = {}
    levels: dict[str, None] = {}
    for metric, k, estimator in numbers:
        name = name_family(metric)
        if level := re.fullmatch(r"g-pass@k_([\d.]+)", name):
            name = "g-pass@k_tau"
            levels[level[1]] = None
        if k is None: name = re.sub(r"@(k|\d+)$", "@n", name)
        budgets = found.setdefault((name, estimator), [])
        if k is not None and k not in budgets: budgets.append(k)
    said = []
    for (name, estimator), ks in found.items():
        at = f" for k = {ranges(sorted(ks))}" * bool(ks)
        tau = f" and tau = {', '.join(levels)}" * name.endswith("_tau")
        said.append(f"{name}{at}{tau} is {define(name, estimator)}.")
    return " ".join(said)


def define(name: str, estimator: str) -> str:
    "A metric in words, if it was estimated as the catalog says; else its estimator."
    known = CATALOG.get(name)
    if name in ABOUT and known is not None and known.estimator == estimator: return ABOUT[name]
    return f"computed as follows: {estimator}"


# Metrics that are one number.

def join_equal(
    families: Sequence[Family],  # Metrics of one model and group
) -> tuple[Sequence[Family], list[str]]:  # Those that differ, and a sentence on the others
    "With one sample a question most metrics are one number, which is told once."
    once = all(row.n_max <= 1 for family in families for row in family.rows)
    if len(families) < 2 or not once: return families, []
    first = families[0].rows[0]
    alike = [family for family in families[1:] if are_one_number(family.rows[0], first)]
    if not alike: return families, []
    # The mean over the thresholds above one half has no term at k = 1.
    empty = [family for family in families if family.rows[0].metric == "mg-pass@1"]
    rest = [family for family in families if family not in (*alike, *empty)]
    names = ", ".join(family.rows[0].metric for family in alike)
    said = f"With one sample per question {names} {'is' if len(alike) == 1 else 'are'} the same."
    return rest, [said, *["mg-pass@1 is 0 by its definition."] * bool(empty)]


def are_one_number(row: Row, other: Row) -> bool:
    "Whether estimates and intervals differ by rounding alone."
    ends, others = ends_of_row(row), ends_of_row(other)
    return len(ends) == len(others) and all(map(are_close, ends, others))


def are_close(a: float, b: float) -> bool: return isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)


def ends_of_row(row: Row) -> tuple[float, ...]:
    found = row.interval
    return (row.estimate,) if found is None else (row.estimate, found.low, found.high)


# Tables of estimates


def make_grid(
    families: Sequence[Family],  # Metrics of one model and group
    title: str = "",  # What it is about
) -> Grid:  # One line per metric, one column per budget
    "Metrics by budget."
    budgets = sorted({row.k for family in families for row in family.rows if row.k is not None})
    rows = [[family.at(k) for k in budgets] for family in families]
    decimals = decimals_for([row for line in rows for row in line if row is not None])
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
    decimals = decimals_for(rows)
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
    decimals = decimals_for([row for line in rows for row in line])
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
    found = [row.interval] if row.again is None else [row.interval, row.again]
    intervals = [write_ends(one, row.unit, decimals) for one in found]
    return Cell(write_estimate(row, decimals), tuple(intervals))


def write_ends(found: Interval | None, unit: Unit, decimals: int) -> str:
    if found is None: return "-"
    return write_interval(found.low, found.high, unit == "share", decimals)


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


def decimals_for(rows: Sequence[Row]) -> int:
    "Decimals of percents that show the ends of most intervals to a tenth of their width."
    widths = [row.interval.high - row.interval.low for row in rows if row.interval is not None]
    # The median; that of the standard library takes longer to import than a table to write.
    ordered = sorted(width for width in widths if width > 0) or [.1]
    middle = ordered[(len(ordered) - 1) // 2:len(ordered) // 2 + 1]
    return min(4, max(1, ceil(-log10(sum(middle) / len(middle) / 10)) - 2))


def name_intervals(rows: Sequence[Sequence[Row | None]]) -> tuple[str, ...]:
    "What the intervals are about, where there are two of each."
    both = any(row is not None and row.again is not None for line in rows for row in line)
    return tuple(TARGET_WORDS.values()) if both else ()


def order_budgets(budgets: Sequence[int]) -> tuple[int, ...]:
    "Positions of the budgets, those first that are shown where there is no room for all."
    return tuple(dict.fromkeys(pick_budgets(budgets)))


def pick_budgets(budgets: Sequence[int]) -> Iterator[int]:
    "The first, the last, the powers of two, then all others."
    places = range(len(budgets))
    if places: yield from (0, len(budgets) - 1)
    yield from (i for i in places if budgets[i] & (budgets[i] - 1) == 0)
    yield from places


# Models side by side

def enclose_ci(
    row: Row,  # Row of a report
    confidence_level: float,  # Level of its interval
    target: str,  # What it is about; `both` for two intervals, of which this is the first
) -> str:  # ` (95 % CI 31.6 to 52.8 %, new questions)`; empty without an interval
    "The CI of a number, to stand behind it."
    found = row.interval
    if found is None: return ""
    where = TARGET_WORDS["new_questions" if target == "both" else target]
    return f" ({describe_ci(found.low, found.high, confidence_level, where, unit=row.unit)})"


def name_equal(
    names: Sequence[str],  # Models with one value
) -> str:  # `a, b and c are equal`
    "That several models are equal, of which none leads."
    listed = join(names) if len(names) <= MODELS_NAMED else join_some(names, MODELS_NAMED)
    return f"{listed} are equal"


def lead_over_others(
    tied: Sequence[str],  # Models that do not differ significantly from the first
    others: int,  # Models besides the first
    rest: str,  # What the others are called
) -> str:  # `significantly better than both others`
    "Whether the first of several models is significantly better than the others."
    if not tied: return f"{significantly('better')} than {rest}"
    whom = join(tied, "or") if len(tied) <= MODELS_NAMED else f"{len(tied)} of {others} others"
    if len(tied) == others > 1: whom = f"any of the other {others}"
    return f"not {significantly('better')} than {whom}"


def explain_letters(
    confidence_level: float,  # One minus the chance of any false finding
    target: str,  # What the tests are about, in words
    each: str = "",  # Words on columns that have letters of their own
) -> str:  # One sentence
    "What the letters of models mean."
    return (f"Models that share a letter{each} do not differ {SIGNIFICANTLY} (family-wise "
            f"{level(confidence_level)}, {target}).")
