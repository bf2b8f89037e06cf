"""The questions that are worth a look: flaky ones, or those on which systems differ."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..reporting.explained import GAP
from ..reporting.phrases import say_count
from ..reporting.score_parts import order_flaky
from ..reporting.shortlist import Shortlist
from .side_by_side import Measured, find_gaps, list_names

__all__ = ["list_worth"]

MOST = 50  # Questions that a result keeps


def list_worth(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions
    measured: Measured,  # Their metrics
    **told: Any,  # What was read, and the title
) -> Shortlist:
    "The questions to look at first."
    names = tuple(sides)
    if len(sides) == 2: order, said, metric = order_gaps(measured)
    elif len(sides) == 1: order, said, metric = *order_one(next(iter(sides.values()))), ""
    else: order, said, metric = order_spread(measured)
    rows = tuple(tell_row(int(row), sides, measured) for row in order[:MOST])
    if len(order) > MOST: said += f" The first {MOST} are listed."
    return Shortlist(names, rows, len(next(iter(sides.values()))), said, metric, **told)


def order_one(counts: Counts) -> tuple[np.ndarray, str]:
    "Flaky questions of one system, those closest to even first."
    if counts.c is None:
        share = np.asarray(counts.score_sum) / counts.n
        return order_flaky(share), (f"{say_count([len(counts)], 'question')} with graded scores; "
                                    "those with a mean closest to 0.5 come first.")
    share = counts.c / counts.n
    order = order_flaky(share)
    never, always = int((counts.c == 0).sum()), int((counts.c == counts.n).sum())
    last = "; those closest to even come first" * bool(len(order))
    return order, (f"{say_count([len(counts)], 'question')}: {len(order)} right in some samples "
                   f"and wrong in others, {never} never right, {always} always right{last}.")


def order_gaps(measured: Measured) -> tuple[np.ndarray, str, str]:
    "Questions on which two systems differ, the largest differences first."
    chosen, values = measured[0]
    gaps = find_gaps(measured)
    assert gaps is not None
    order = np.argsort(-np.abs(gaps), kind="stable")
    order, label = order[gaps[order] != 0], chosen.labels[0]
    up, down = int((gaps > 0).sum()), int((gaps < 0).sum())
    last = "; the largest come first, with what each adds to the mean difference" * bool(len(order))
    return order, (f"{say_count([len(gaps)], 'question')}: in {label} B is ahead on {up}, behind "
                   f"on {down}, equal on {len(gaps) - up - down}{last}."), label


def order_spread(measured: Measured) -> tuple[np.ndarray, str, str]:
    "Questions on which several systems differ, the largest spread first."
    chosen, values = measured[0]
    table = np.stack([one.table[one.state, 0] for one in values])
    spread = np.ptp(table, 0)
    order, label = np.argsort(-spread, kind="stable"), chosen.labels[0]
    order = order[spread[order] > 0]
    return order, (f"{say_count([len(spread)], 'question')}, {len(order)} of which separate the "
                   f"{len(values)} models in {label}; the widest spread comes first."), label


def tell_row(row: int, sides: Mapping[str, Counts], measured: Measured) -> dict[str, Any]:
    "One question as a row: its samples on each of two systems, or the extremes of several."
    told: dict[str, Any] = dict(question=list_names(sides)[row])
    if len(sides) > 2: return told | tell_extremes(row, list(sides), measured)
    for label, counts in zip(["A", "B"] if len(sides) == 2 else [""], sides.values()):
        told |= {f"{what} {label}".rstrip(): value for what, value in tell_counts(counts, row)}
    gaps = find_gaps(measured)
    if gaps is None: return told
    return told | {GAP: float(gaps[row]), "adds": float(gaps[row]) / len(gaps)}


def tell_counts(counts: Counts, row: int) -> list[tuple[str, Any]]:
    "Samples of one question, and right ones or their mean score."
    n = int(counts.n[row])
    if counts.c is not None: return [("right", int(counts.c[row])), ("samples", n)]
    score = None if counts.score_sum is None else float(counts.score_sum[row] / n)
    return [("mean score", score), ("samples", n)]


def tell_extremes(row: int, names: Sequence[str], measured: Measured) -> dict[str, Any]:
    "The lowest and the highest of several systems on one question."
    values = [float(one.table[one.state[row], 0]) for one in measured[0][1]]
    low, high = int(np.argmin(values)), int(np.argmax(values))
    return {"lowest": values[low], "lowest of": names[low], "highest": values[high],
            "highest of": names[high]}
