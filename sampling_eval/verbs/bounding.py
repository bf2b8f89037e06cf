"""Missing samples counted both ways: the two values between which a metric lies."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..foundations.counts import Counts
from ..reporting.families import name_family
from ..reporting.rows import Curve
from .choosing import Chosen, Metrics

UNCLEAR = "maj@k", "best@k"  # How a missing sample would have voted or ranked is unknown.
NOTE = ("missing samples: each metric lies between its two values; an interval for it runs from "
        "the lower end of the first to the upper end of the second.")


def refuse_unbounded(
    chosen: Sequence[Chosen],  # Metrics of one system, with their budgets
    metrics: Metrics,  # What was asked for
    counts: Counts,  # Counts that know what is missing
) -> None:
    """Refuse metrics that missing samples leave without bounds.

    Raises: `ValueError` for a vote or a choice by score that was asked for by name, and for a
    credit of one's own that falls with another right sample.
    """
    names = {one.metric.name for one in chosen}
    unclear = [name for name in UNCLEAR if name in names]
    if metrics is not None and unclear and counts.missing.any():
        raise ValueError(f"{unclear[0]} has no bounds: how a missing sample would have voted or "
                         "ranked is unknown; choose missing='wrong' or 'drop'")
    if isinstance(metrics, Mapping):
        for one in chosen: refuse_falling(one, metrics.get(one.metric.name))


def refuse_falling(chosen: Chosen, credit: object) -> None:
    "Refuse a credit that falls with another right sample."
    if credit is None or chosen.metric.credit is None: return
    for k in chosen.ks.tolist():
        if (np.diff(np.asarray(chosen.metric.credit(k), float)) < 0).any():
            raise ValueError("missing='bounds' needs a credit that never falls with another "
                             f"right sample, got {chosen.metric.name!r}")


def join_bounds(
    wrong: Sequence[Curve],  # Curves with missing samples counted as wrong
    right: Sequence[Curve],  # The same counted as right
    lost: bool,  # Whether any sample is missing
) -> tuple[list[Curve], tuple[str, ...]]:  # Curves of both kinds, and notes on them
    "Curves of both extremes under names that say which is which."
    unclear = [name for name in UNCLEAR if lost and any(family_of(c) == name for c in wrong)]
    both = [name_extreme(curve, extreme)
            for extreme, curves in (("wrong", wrong), ("right", right))
            for curve in curves if family_of(curve) not in unclear]
    if not unclear: return both, (NOTE,)
    why = "how a missing sample would have voted or ranked is unknown"
    return both, (NOTE, f"left out: {', '.join(unclear)} ({why}).")


def family_of(curve: Curve) -> str: return name_family(curve.labels[0])


def name_extreme(curve: Curve, extreme: str) -> Curve:
    "The curve under a group that says how missing samples were counted."
    parts = [curve.group, f"missing counted {extreme}"]
    return replace(curve, group=" / ".join(filter(None, parts)))
