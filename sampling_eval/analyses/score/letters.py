"""Letters of a report: models that share one do not differ significantly."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ...foundations.counts import Counts
from ...inference.units import Weights
from ...results.base import Style, main_target
from ..compare.result import letter_models
from ..engine.choose import Chosen
from ..engine.measure import Measured, Weighing
from ..engine.pairs import rank_at
from ..engine.systems import Aligned, align_systems, question_groups
from .result import Letters

__all__ = ["letters_by_metric"]

MOST_MODELS = 10  # Pairs of more models take longer than the report; `table` compares them


def letters_by_metric(
    blocks: Mapping[tuple[str, str], Counts],  # Counts of each model and group
    chosen: Mapping[str, Sequence[Chosen]],  # Metrics of each model
    labels: Sequence[str],  # Metrics wanted, which all models have
    style: Style,  # How two models are compared
    weighing: Weighing,  # How questions are weighted
    known: Mapping[Any, float] | None = None,  # Weight by question
) -> Letters:  # Empty where models cannot be compared
    "Letters of several models on the same questions, without groups."
    sides = {model: counts for (model, group), counts in blocks.items() if not group}
    if len(sides) < len(blocks) or not 1 < len(sides) <= MOST_MODELS or not share_names(sides):
        return {}
    aligned = align_systems(sides)
    # A generator belongs to the rows: letters draw with a seed of their own.
    style = style._replace(target=main_target(style.target),
                           rng=None if style.draws_in_order else style.rng)
    weights = weighing.find(aligned.questions, known)
    try: return {label: letter_column(label, aligned, chosen, style, weights) for label in labels}
    # Clusters that differ, or values without a test: the numbers stand without letters.
    except ValueError: return {}


def share_names(sides: Mapping[str, Counts]) -> bool:
    "Whether all models were asked the same questions."
    names = [set(np.asarray(counts.questions).tolist()) for counts in sides.values()]
    return all(one == other for one, other in combinations(names, 2))


def letter_column(
    label: str, aligned: Aligned, chosen: Mapping[str, Sequence[Chosen]], style: Style,
    weights: Weights | None,
) -> dict[str, str]:
    "The letters of all models in one metric."
    found = [chosen_by_label(label, chosen[model]) for model in aligned.sides]
    values = tuple(one.metric.at_states(side, one.ks)
                   for one, side in zip(found, aligned.sides.values()))
    measured = Measured(found[0], True, tuple(aligned.sides.values()), values, weights)
    return letter_models(rank_at(0, aligned, measured, question_groups(aligned), style).tied)


def chosen_by_label(label: str, chosen: Sequence[Chosen]) -> Chosen:
    "One metric at one budget."
    one = next(one for one in chosen if label in one.labels)
    i = one.labels.index(label)
    return Chosen(one.metric, one.ks[i:i + 1], (label,))
