"""Tables of estimates and of single questions, and how the questions are weighted."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, log10
from typing import Any

import numpy as np

from .._errors import name_option
from ..records import dataclass
from ..results.columns import Absent
from ..results.rows import Row, Weighted
from ..results.score_report import Letters, Report, pick_labels
from .blocks import Block, Cell, Grid, GridLine, Question, Questions, Table, Text
from .format import decimal, level, percent
from .metric_names import Family

__all__ = ["make_grid", "make_list", "make_overview", "make_cell", "find_decimals", "order_budgets",
           "write_estimate", "MODELS", "has_questions", "list_questions", "describe_weights",
           "describe_max_weight", "describe_range", "explain_weights"]


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


def write_interval(low: float | None, high: float | None, share: bool, decimals: int) -> str:
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


# Single questions


FLAKY = "A flaky question is right in some of its samples and wrong in others."
SHOWN = 1000  # Questions on a page
MODELS = 6  # Models with a picture and a column of their own
ORDER = dict(flaky="flaky ones, those closest to half right first", mixed="always right in one, "
             "never in another", never="never right", always="always right")


def list_questions(
    result: Report,  # Result of `score`
) -> list[Block]:  # Nothing where outcomes are not known, or each question has one
    "The questions, flaky ones first."
    tries = read_tries(result.questions)
    if tries is None: return []
    main = result.whole_blocks()
    colours = {model: i for i, model in enumerate(dict.fromkeys(model for model, _ in main))}
    models = list(dict.fromkeys(model for model, _ in result.rank_blocks(main)))
    known = tries.order_models(models)
    shown = known[:MODELS]
    rows = make_questions(tries, shown)
    names = name_kinds(len(known) > 1, result.system)
    counts = count_kinds(rows)
    heads = [model or "right" for model in shown]
    outcomes = list(map(tries.pick_outcomes, shown))
    hues = [colours.get(model, i) for i, model in enumerate(shown)]
    table = Questions(heads, rows[:SHOWN], counts, names, outcomes, hues)
    return [Text(f"{FLAKY} {describe_kinds(counts, names)}", "note"), table,
            *cut_off(len(rows), SHOWN, "questions"), *cut_off(len(known), MODELS, result.systems)]


def has_questions(
    result: Report,  # Result of `score`
) -> bool:  # Not where outcomes are not known, or each question has one
    "Whether there is a table of the questions."
    return read_tries(result.questions) is not None


@dataclass(frozen=True, eq=False)
class Tries:
    "How many samples of each question of each model are right: columns of one length."
    question: np.ndarray
    model: np.ndarray  # Empty texts where there is one model without a name
    c: np.ndarray  # Right samples
    n: np.ndarray  # Samples

    def order_models(self, models: Sequence[str]) -> list[str]:
        "The models that are there, in the order of the page or else of their names."
        found = set(self.model.tolist())
        return [model for model in models if model in found] or sorted(found)

    def pick_outcomes(self, model: str) -> tuple[np.ndarray, np.ndarray]:
        "Right samples and samples of one model."
        own = self.model == model
        return self.c[own], self.n[own]


def read_tries(columns: Any) -> Tries | None:
    "The columns of a page; None where outcomes are not known, or no question has several."
    if isinstance(columns, Absent) or "c" not in columns: return None
    c, n = np.asarray(columns["c"]), np.asarray(columns["n"])
    if not len(n) or n.max() < 2 or not n.min(): return None
    model = np.asarray(columns["model"]) if "model" in columns else np.full(len(n), "")
    return Tries(columns["question"], model, c, n)


def make_questions(tries: Tries, models: Sequence[str]) -> list[Question]:
    "The questions in their order, each with the samples of the models."
    found: dict[Any, dict[Any, tuple[int, int]]] = {}
    pairs = zip(tries.c.tolist(), tries.n.tolist())
    for name, model, pair in zip(tries.question.tolist(), tries.model.tolist(), pairs):
        found.setdefault(name, {})[model] = pair
    rows = [Question(str(name), find_kind(list(own.values())), list(map(own.get, models)))
            for name, own in found.items()]
    kinds = np.array([list(ORDER).index(row.kind) for row in rows])
    distances = np.array([find_distance(list(own.values())) for own in found.values()])
    return [rows[i] for i in np.lexsort([distances, kinds])]


def find_kind(tries: Sequence[tuple[int, int]]) -> str:
    "Flaky where one model is; otherwise each model is always or never right."
    if any(0 < c < n for c, n in tries): return "flaky"
    right = sum(c == n for c, n in tries)
    if right == 0: return "never"
    return "always" if right == len(tries) else "mixed"


def find_distance(tries: Sequence[tuple[int, int]]) -> float:
    "How far the share of right samples of all models is from one half."
    return abs(sum(c for c, _ in tries) / max(1, sum(n for _, n in tries)) - .5)


def count_kinds(rows: Sequence[Question]) -> dict[str, int]:
    "Questions of each kind in the order of the page; the mixed ones only where there are any."
    counts = {kind: sum(row.kind == kind for row in rows) for kind in ORDER}
    if not counts["mixed"]: del counts["mixed"]
    return counts


def cut_off(count: int, most: int, what: str) -> list[Block]:
    "That only the first ones are shown; nothing where all are."
    return [Text(f"The first {most:,} of {count:,} {what}.", "note")] if count > most else []


def name_kinds(several: bool, kind: str) -> dict[str, str]:
    "What each kind of question is called."
    if not several:
        return dict(flaky="flaky", mixed="", never="never right", always="always right")
    return dict(flaky=f"flaky in at least one {kind}", mixed=ORDER["mixed"],
                never="never right in any", always="always right in all")


def describe_kinds(counts: Mapping[str, int], names: Mapping[str, str]) -> str:
    "How many questions there are of each kind, and in which order they stand."
    each = ", ".join(f"{count:,} {names[kind]}" for kind, count in counts.items() if count)
    order = ", then ".join(said for kind, said in ORDER.items() if counts.get(kind))
    total = sum(counts.values())
    return f"{total:,} question{'s' * (total != 1)}: {each}. Order: {order}."


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
