"""The methods paragraph of a paper: what was computed, from the result itself."""
from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..metrics.catalog import CATALOG
from .families import name_family
from .headline import find_main
from .numbers import percent
from .phrases import say_count
from .records import join_field
from .rows import Row
from .score_parts import list_budgets, say_whom
from .weights import explain_weights

if TYPE_CHECKING:
    from .report_facts import ReportFacts

__all__ = ["score_methods", "say_metrics", "say_versions"]

# What each metric is, where it was computed by the estimator of the catalog.
ABOUT = {
    "pass@k": "the chance that at least one of k samples is right, estimated without bias by the "
              "share of all k-subsets of a question's samples that hold a right one @{chen2021}",
    "pass^k": "the chance that all of k samples are right, estimated without bias by the share of "
              "all k-subsets of a question's samples that are right throughout @{yao2024}",
    "cons@k": "the chance that a strict majority of k samples is right, estimated without bias "
              "over all k-subsets",
    "maj@k": "the chance that the most frequent of k answers is right @{wang2022}, estimated "
             "without bias over all k-subsets, a tie counted as the expectation of a random pick",
    "avg@n": "the share of right samples of a question",
    "soft@n": "the mean score of a question's samples",
    "mean@n": "the mean score of a question's samples, on its own scale",
    "best@k": "the chance that the highest-scored of k samples is right, estimated without bias "
              "over all k-subsets",
    "g-pass@k_tau": "the chance that at least the share tau of k samples is right, estimated "
                    "without bias over all k-subsets @{liu2024}",
    "mg-pass@k": "the mean of g-pass@k_tau over tau from one half upwards, by the rule of its "
                 "authors @{liu2024}",
}
AGAIN = "for these questions if they were run again"
# What each interval is, by how its name begins.
INTERVALS = {
    "gaffke": "the method of Gaffke for the mean of bounded scores @{gaffke2005}, which holds at "
              "least its nominal level for independent units @{vlassis2026}",
    "clopper-pearson": "the interval of Clopper and Pearson @{clopper1934}",
    "gamma": "an approximation by gamma variables @{fay1997}",
    "wilson": "the Wilson score interval (approximate)",
    "anchored-t": "a t interval over the units and both ends of the range (approximate)",
    "bootstrap": "a bootstrap (approximate)",
    "t": "a t interval (approximate)",
}


# One system, or several.

def score_methods(
    report: ReportFacts,  # Result of `score`
) -> str:  # Sentences with marks for their sources
    "What was estimated, from which samples, with which intervals, and by which program."
    weights = explain_weights(report.rows)
    said = [say_sizes(report), say_missing(report.read), say_metrics(report.rows),
            "Each metric is computed per question and averaged over questions"
            + ("." if weights else ", all of which have equal weight."), weights,
            *say_intervals(report.rows, report.confidence_level),
            *say_bands(report.rows), say_versions()]
    return " ".join(filter(None, said))


def say_sizes(report: ReportFacts) -> str:
    "Questions and samples of every model."
    blocks = {key: rows[-1] for key, rows in find_main(report.blocks()).items()}
    sizes = {key: say_size(row) for key, row in blocks.items()}
    models = list(dict.fromkeys(model for model, _ in sizes))
    if len(set(sizes.values())) == 1:
        who = f"Each of {len(models)} models" if len(models) > 1 else models[0] or "The model"
        return f"{who} was evaluated on {next(iter(sizes.values()))}."
    listed = "; ".join(f"{report.name(key)} on {size}" for key, size in sizes.items())
    return f"Models were evaluated with repeated samples: {listed}."


def say_size(row: Row) -> str:
    asked = say_count([row.questions], "question")
    return f"{asked} with {say_count([row.n_min, row.n_max], 'sample')} per question"


def say_missing(read: str) -> str:
    "How many samples had no outcome, and what they count as, as it was told when they were read."
    found = re.findall(r"(\d+) of \d+ samples missing \(coverage [^)]*\), ([a-z ]+)", read)
    lost = sum(int(number) for number, _ in found)
    treated = " or ".join(dict.fromkeys(how for _, how in found))
    if lost == 1: return f"1 sample had no outcome and was {treated}."
    if lost: return f"{lost} samples had no outcome and were {treated}."
    return "No sample was missing." if "no sample missing" in read else ""


def say_metrics(rows: Sequence[Any]) -> str:
    "Each metric with its budgets and its estimator."
    found: dict[tuple[str, str], list[int | None]] = {}
    for row in rows:
        if not is_mean_of_groups(row): found.setdefault(name_metric(row), []).append(row.k)
    levels = list_levels(rows)
    said = [f"{name}{list_budgets(ks)}{levels * name.endswith('_tau')} is "
            f"{explain(name, estimator)}." for (name, estimator), ks in found.items()]
    return " ".join(said)


def list_levels(rows: Iterable[Row]) -> str:
    "The shares that g-pass asks for."
    found = [re.fullmatch(r"g-pass@\d+_([\d.]+)", row.metric) for row in rows]
    levels = dict.fromkeys(level[1] for level in found if level)
    return f" and tau = {', '.join(levels)}"


def name_metric(row: Any) -> tuple[str, str]:
    "The name without its budget, as the catalog has it, and the estimator."
    name = name_family(row.metric)
    if name.startswith("g-pass@k_"): name = "g-pass@k_tau"
    if row.k is None: name = re.sub(r"@(k|\d+)$", "@n", name)
    return name, row.estimator


def explain(name: str, estimator: str) -> str:
    "A metric in words, if it was estimated as the catalog says; else its estimator."
    known = CATALOG.get(name)
    if name in ABOUT and known is not None and known.estimator == estimator: return ABOUT[name]
    return f"computed as follows: {estimator}"


def is_mean_of_groups(row: Any) -> bool: return getattr(row, "group", "").startswith("mean of ")


def say_intervals(rows: Sequence[Row], level: float) -> list[str]:
    "What the intervals are about, and how each was computed."
    first = {(name_target(row.stderr_kind), strip_level(row.interval)): None for row in rows
             if row.low is not None and row.interval}
    again = {(AGAIN, strip_level(row.again_interval)): None
             for row in rows if row.again_interval}
    said = [f"Intervals {whom} are two-sided {percent(level)} % confidence intervals by {method}."
            for whom, method in join_methods([*first, *again])]
    means = [row for row in rows if is_mean_of_groups(row)]
    if means: said.append("Means over groups give each group the same weight.")
    return said + ["Each interval holds for its number alone; none is adjusted for several "
                   "metrics or budgets."] * bool(said)


def name_target(kind: str) -> str:
    whom = say_whom(kind)
    return AGAIN if whom.endswith("run again") else whom


def join_methods(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    "The methods of each kind of interval, in words, those that are one told once."
    found: dict[str, dict[str, None]] = {}
    for whom, method in pairs: found.setdefault(whom, {})[method] = None
    return [(whom, say_methods(list(methods))) for whom, methods in found.items()]


def say_methods(methods: Sequence[str]) -> str:
    "Several methods in words, each once."
    said = " or ".join(dict.fromkeys(map(say_method, methods)))
    if not any(method.startswith("gaffke = clopper-pearson") for method in methods): return said
    return (f"{said}; for a share of questions the method of Gaffke is the interval of Clopper and "
            "Pearson @{clopper1934}")


def strip_level(method: str) -> str: return re.sub(r"^[\d.]+ % ", "", method)


def say_method(method: str) -> str:
    "An interval in words; one that is not known by its name."
    kind = next((name for name in INTERVALS if re.match(rf"{re.escape(name)}(?![\w-])", method)),
                None)
    if kind is None: return method
    bound = ", wider than need be" if "an upper bound" in method else ""
    if "approximate: assumes" in method: bound += ", if no question weighs more than was seen"
    return INTERVALS[kind] + bound


def say_bands(rows: Sequence[Row]) -> list[str]:
    method = join_field(rows, "band")
    return [f"Simultaneous bands over all budgets of a metric: {method}."] * bool(method)


def say_versions() -> str:
    "The program and what it ran on."
    from .. import __version__
    python = sys.version.split()[0]
    return (f"Computed with sampling_eval {__version__} (numpy {np.__version__}, "
            f"Python {python}).")


