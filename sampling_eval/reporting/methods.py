"""The methods paragraph of a paper: what was computed, from the result itself."""
from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..metrics.catalog import CATALOG
from .families import name_family
from .numbers import percent
from .phrases import say_count
from .records import join_field
from .weights import explain_weights

__all__ = ["say_metrics", "say_versions"]

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


def list_levels(rows: Iterable[Any]) -> str:
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


def say_versions() -> str:
    "The program and what it ran on."
    from .. import __version__
    python = sys.version.split()[0]
    return (f"Computed with sampling_eval {__version__} (numpy {np.__version__}, "
            f"Python {python}).")


