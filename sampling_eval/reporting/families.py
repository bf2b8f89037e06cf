"""The rows of a report by metric and budget."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..metrics.catalog import CATALOG
from .phrases import join_names
from ..results.rows import Row

__all__ = ["Family", "group_rows", "name_family", "say_meaning", "say_rules"]

MEANINGS = {name.replace("@n", "@k"): metric.meaning for name, metric in CATALOG.items()}


@dataclass(frozen=True)
class Family:
    "One metric at its budgets."
    name: str  # `pass@k`; the name of its only row where there is one
    meaning: str  # What it asks of k samples, in three words; empty for a metric of one's own
    rows: tuple[Row, ...]  # One row per budget, ascending

    def __contains__(self, k: int) -> bool: return any(row.k == k for row in self.rows)

    def at(self, k: int) -> Row | None:
        "The row of one budget; None where there is none."
        return next((row for row in self.rows if row.k == k), None)


def name_family(
    metric: str,  # Name with its budget, such as `pass@8`
) -> str:  # Name without it, such as `pass@k`
    "The name that a metric has at all its budgets."
    return re.sub(r"(?<=[@^])\d+", "k", metric, count=1)


def say_meaning(
    family: str,  # Name of a metric without its budget
) -> str:  # What it asks of k samples; empty for a metric of one's own
    "A metric in three words."
    level = re.fullmatch(r"g-pass@k_([\d.]+)", family)
    if level and float(level[1]) < 1: return f"at least {100 * float(level[1]):g} % right"
    return "all right" if level else MEANINGS.get(family.replace("@n", "@k"), "")


def group_rows(
    rows: Sequence[Row],  # Rows of one model and group
) -> list[Family]:  # Families in the order of the rows
    "The rows by metric."
    found: dict[str, list[Row]] = {}
    for row in rows: found.setdefault(name_family(row.metric), []).append(row)
    return [make_family(name, own) for name, own in found.items()]


def make_family(name: str, rows: Sequence[Row]) -> Family:
    ordered = tuple(sorted(rows, key=lambda row: row.k or 0))
    return Family(name if len(rows) > 1 else rows[0].metric, say_meaning(name), ordered)


def say_rules(
    rows: Sequence[Row],  # Rows of a report
) -> list[str]:  # One sentence each; none where no metric has a rule of its own
    "What three words do not say of a metric."
    found = {row.metric: row.k for row in rows if row.k is not None and row.n_max > 1}
    said = [say_mean_rule(name, k) for name, k in found.items()
            if name.startswith("mg-pass@") and k > 1]
    ties = [k for name, k in found.items() if name.startswith("cons@") and k % 2 == 0]
    if ties: said.insert(0, say_tie_rule(found))
    return said


def say_tie_rule(found: Mapping[str, int]) -> str:
    "What a tie counts, and what follows for neighbouring budgets."
    many = sum(name.startswith("cons@") for name in found) > 1
    goes = ", so it can be lower there than at the k before" * many
    return f"cons@k: at even k a tie counts as wrong{goes}."


def say_mean_rule(name: str, k: int) -> str:
    "Which thresholds mG-Pass averages: all steps above one half."
    steps = list(map(str, range((k + 1) // 2 + 1, k + 1)))
    if k < 4: return f"{name} is {'2/3 of ' * (k == 3)}the share with all {k} right."
    mean = "the mean" if k % 2 == 0 else f"2/{k} times the sum"
    listed = f"{steps[0]}, {steps[1]}, ..., {k}" if len(steps) > 4 else join_names(steps)
    return f"{name} is {mean} of {len(steps)} shares: at least {listed} of {k} right."
