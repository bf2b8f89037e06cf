"""Metrics by name: their families over k, what they ask, and how papers define them."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..metrics.catalog import CATALOG
from ..records import dataclass
from ..results.rows import Row, name_family
from .format import join, ranges

__all__ = ["Family", "group_rows", "describe_metric", "describe_rules", "describe_columns",
           "define_metrics", "join_equal"]

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


def group_rows(
    rows: Sequence[Row],  # Rows of one model and group
) -> list[Family]:  # Families in the order of the rows
    "The rows by metric."
    found: dict[str, list[Row]] = {}
    for row in rows: found.setdefault(name_family(row.metric), []).append(row)
    return [Family(name if len(own) > 1 else own[0].metric, describe_metric(name),
                   tuple(sorted(own, key=lambda row: row.k or 0)))
            for name, own in found.items()]


def describe_metric(
    family: str,  # Name of a metric without its budget
) -> str:  # What it asks of k samples; empty for a metric of one's own
    "A metric in three words."
    level = re.fullmatch(r"g-pass@k_([\d.]+)", family)
    if level and float(level[1]) < 1: return f"at least {100 * float(level[1]):g} % right"
    return "all right" if level else MEANINGS.get(family.replace("@n", "@k"), "")


def describe_columns(
    rows: Iterable[Row],  # One row of each column of a table
) -> str:  # One sentence; empty where no metric has a meaning
    "What the metrics of a table ask of their samples."
    said = []
    for row in rows:
        meaning = describe_metric(name_family(row.metric))
        if row.k is None or row.k < 2 or not meaning: continue
        tie = " (a tie is wrong)" * (row.metric.startswith("cons@") and row.k % 2 == 0)
        said.append(f"{row.metric}: {meaning}{tie}")
    return f"{'; '.join(said)}." if said else ""


# What three words do not say.

def describe_rules(
    rows: Sequence[Row],  # Rows of a report
) -> list[str]:  # One sentence each; none where no metric has a rule of its own
    "How ties count, and which thresholds are averaged."
    found = {row.metric: row.k for row in rows if row.k is not None and row.n_max > 1}
    said = [describe_mean_rule(name, k) for name, k in found.items()
            if name.startswith("mg-pass@") and k > 1]
    ties = [k for name, k in found.items() if name.startswith("cons@") and k % 2 == 0]
    return [describe_tie_rule(found)] * bool(ties) + said


def describe_tie_rule(found: Mapping[str, int]) -> str:
    several = sum(name.startswith("cons@") for name in found) > 1
    lower = ", so it can be lower there than at the k before" * several
    return f"cons@k: at even k a tie counts as wrong{lower}."


def describe_mean_rule(name: str, k: int) -> str:
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
    first = ends_of_row(families[0].rows[0])
    alike = [family for family in families[1:] if ends_of_row(family.rows[0]) == first]
    if not alike: return families, []
    # The mean over the thresholds above one half has no term at k = 1.
    empty = [family for family in families if family.rows[0].metric == "mg-pass@1"]
    rest = [family for family in families if family not in (*alike, *empty)]
    names = ", ".join(family.rows[0].metric for family in alike)
    said = f"With one sample per question {names} {'is' if len(alike) == 1 else 'are'} the same."
    return rest, [said, *["mg-pass@1 is 0 by its definition."] * bool(empty)]


def ends_of_row(row: Row) -> tuple[float | None, ...]: return row.estimate, row.low, row.high
