"""Battles in the verbs: the win share as their metric, and an even split to hold it against."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import OptionError
from ...foundations.counts import Counts
from ...metrics.catalog import Metric
from ...reading.battles import Battles
from ...reading.load import Loaded
from ...spelling import name_verb
from .choose import Metrics

__all__ = ["HALF", "battles_of", "choose_share", "refuse_battles", "refuse_several_battles",
           "split_evenly"]

TIE = "a tie"  # What a system is held against: one half of each prompt
HALF = -.5, .5  # How far a win share can be from it


def mean_share(counts: Any, ks: np.ndarray) -> np.ndarray:
    return np.asarray(counts.score_sum / counts.n)[:, None]


WIN_SHARE = "win share"
SHARE = Metric(WIN_SHARE, mean_share, "share of the judgements of a prompt that a model wins, a "
               "tie one half, mean over its opponents", needs=("score_sum",), at="n")


def battles_of(
    loaded: Loaded,  # What was read
) -> Battles | None:  # None where judges did not compare two at a time
    "The battles that were read."
    return None if loaded.rows is None else loaded.rows.battles


def choose_share(
    metrics: Metrics,  # What was asked for
    battles: Battles | None,  # What was read
    usual: str | None = None,  # What stands for nothing
) -> Metrics:
    "The win share where battles were read and no metric was named."
    names = [metrics] if metrics is None or isinstance(metrics, str) else list(metrics)
    return {WIN_SHARE: SHARE} if battles and names in ([usual], [WIN_SHARE]) else metrics


def split_evenly(
    counts: Mapping[str, Counts],  # Two systems
    battles: Battles | None,  # What was read
) -> Mapping[str, Counts]:
    """The second of the only two models beside a tie with the first, one half on each prompt.

    Their win shares add up to 1: the difference of both would count each battle twice.
    """
    if battles is None or not battles.alone or len(counts) != 2: return counts
    first, second = counts
    own = counts[second]
    # Where a metric of single scores was named, these are one half as well.
    halves = own.rewards
    if halves is not None: halves = replace(halves, score=np.full(len(halves.score), .5))
    return {f"{TIE} with {first}": replace(own, score_sum=own.n / 2, rewards=halves), second: own}


def refuse_battles(
    loaded: Iterable[Loaded],  # What was read of each input
) -> None:
    "Refuse battles where a gate judges: no rule of it is about win shares."
    if not any(battles_of(one) for one in loaded): return
    raise OptionError("new", "battles are compared, not gated", found="a table of battles",
                      hint=f"{name_verb('compare')} gives differences of win shares with their CIs "
                           "and verdicts")


def refuse_several_battles(
    loaded: Iterable[Loaded],  # What was read of each input
) -> None:
    "Refuse battles of several inputs, whose models may have met other opponents."
    if not any(battles_of(one) for one in loaded): return
    raise OptionError("data", "battles are compared within one table, where models met the same "
                              "opponents", found="several inputs",
                      hint="put them into one table")
