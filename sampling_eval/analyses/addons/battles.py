"""Battles: who wins how often against whom, and what being shown first adds."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...inference.estimate import mean_over_questions
from ...inference.intervals import Interval
from ...reading.battles import Battles
from ...render.blocks import Block, Table
from ...render.format import count, describe_ci, interval, level, percent, points
from ...render.verdicts import word_of
from ...results.base import Data, HasInterval, ends
from ...results.cautions import Caution, Stated
from ...results.rows import WHOLE
from . import Asked


@dataclass(frozen=True, eq=False)
class PairShare(Data, HasInterval):
    "How often one model wins against another, as a mean over prompts."
    model: str
    against: str
    share: float  # A tie is one half
    judgements: int
    interval: Interval | None = field(metadata=ends(words="method", target="new_questions"))


@dataclass(frozen=True, eq=False)
class OrderEffect(Data, HasInterval):
    "Win share of a model that is shown first less that of the same model shown second."
    effect: float  # Mean over prompts
    prompts: int  # Prompts on which some pair was judged in both orders
    interval: Interval | None = field(metadata=ends(words="method", target="new_questions"))


@dataclass(frozen=True, eq=False)
class Battled(Data):
    "What stands behind win shares."
    pairs: tuple[PairShare, ...]
    prompts: int
    judges: int  # 0 where no column names them
    ties: int  # Judgements that preferred neither
    uneven: int  # Prompts on which both orders were not judged equally often
    order: OrderEffect | None  # None where no pair was judged in both orders
    significant: bool | None  # Of two models alone: whether their share is significantly off half


FOUND = Battled  # The class of what is found


def ask(
    given: Any,  # Options of `score`
) -> None:
    "Nothing: the data themselves ask for it."


def measure(battles: Battles, asked: Asked) -> Battled:
    "Every pair of models, and the order effect."
    (first, _), counts = next(iter(asked.loaded.blocks.items()))
    size, report = battles.share.shape[1], asked.report
    cluster: Any = counts.cluster if len(counts) == size else None
    estimate = partial(mean_over_questions, cluster=cluster)
    confidence = report.confidence_level
    pairs = []
    for (one, other), share, times in zip(battles.pairs, battles.share, battles.judgements):
        mean = estimate(share)
        pairs.append(PairShare(one, other, mean.value, int(times.sum()),
                               mean.confidence_interval(confidence)))
    row = next(row for row in report.rows if row.model == first and row.group_alone in WHOLE)
    letters = report.letters.get(row.metric, {})
    significant = None
    if battles.alone:
        # The number of the report, which may have weights and another interval.
        pairs = [PairShare(*battles.pairs[0], row.estimate, pairs[0].judgements, row.interval)]
        if letters: significant = set(letters[first]).isdisjoint(letters[battles.pairs[0][1]])
    known = ~np.isnan(battles.order)
    both, order = known.any(0), None
    if both.any():
        gap = np.nansum(battles.order, 0)[both] / known.sum(0)[both]
        mean = mean_over_questions(gap, bounds=(-1, 1),
                                   cluster=None if cluster is None else cluster[both])
        order = OrderEffect(mean.value, int(both.sum()), mean.confidence_interval(confidence))
    return Battled(tuple(pairs), size, battles.judges, battles.ties,
                   int((~battles.even).any(0).sum()), order, significant)


# In words.

def headline(found: Battled, confidence_level: float) -> list[str]:
    "Of two models, how often one wins against the other."
    if len(found.pairs) > 1: return []
    one = found.pairs[0]
    ci = "" if one.interval is None else describe_ci(one.low, one.high, confidence_level) + ", "
    said = "" if found.significant is None else ": " + word_of(
        "significant" if found.significant else "not significant")
    return [f"{one.model} wins {percent(one.share)} of its comparisons with {one.against}, ties "
            f"counted half ({ci}{count(found.prompts, 'prompt')}){said}."]


def sentences(found: Battled, confidence_level: float) -> list[str]:
    "How many judgements there are, and what being shown first adds."
    total = sum(one.judgements for one in found.pairs)
    by = f" by {count(found.judges, 'judge')}" * bool(found.judges)
    said = [f"{count(total, 'judgement')}{by}, {percent(found.ties / total)} ties."]
    if (order := found.order) is None: return said
    more = "more" if order.effect >= 0 else "less"
    ci = describe_ci(order.low, order.high, confidence_level, change=True)
    return [*said, f"Order effect: a model wins {points(abs(order.effect), True, False)} {more} "
                   f"where it is shown first than where it is second ({ci}, "
                   f"{count(order.prompts, 'prompt')} in both orders)."]


def cautions(found: Battled) -> Iterator[Caution]:
    "Prompts that were not judged equally often in both orders."
    if not found.uneven: return
    some = "No prompt was" if found.order is None else (
        f"{found.uneven} of {count(found.prompts, 'prompt')} were not")
    yield Stated(f"{some} judged in both orders equally often: what judges give to the answer "
                 "shown first is part of the win shares.")


def blocks(found: Battled) -> list[Block]:
    "Every pair of several models."
    if len(found.pairs) < 2: return []
    rows = [[one.model, one.against, percent(one.share), interval(one.low, one.high),
             f"{one.judgements:,}"] for one in found.pairs]
    return [Table(["model", "against", "win share", "CI", "judgements"], rows, left=2)]
