"""Several models in one score: a summary, and letters of significance."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..foundations.counts import Counts
from ..inference.weights import Weights
from ..io.console import count_steps
from ..records import dataclass
from ..results.score_report import Letters, Many
from ..results.base import Style, main_target
from .curves import Curve, Rows, average_groups, measure
from .measuring import Measured, Weighing
from .metric_choice import Chosen

if TYPE_CHECKING: from .systems import Aligned

__all__ = ["MANY", "SHOWN", "LateCurves", "summarise", "refuse_two_values", "find_letters"]


# A summary


MANY = 100  # Models and groups beyond which only some are shown
SHOWN = 10


@dataclass(frozen=True, eq=False)
class LateCurves(Sequence[Curve]):
    "Curves of many models and groups, estimated when they are looked at."
    blocks: Mapping[tuple[str, str], Counts]  # Counts of each
    chosen: Sequence[Sequence[Chosen]]  # Metrics of each
    style: Style  # How error bars are computed
    found: dict[int, list[Curve]] = field(default_factory=dict)  # What was estimated so far

    @cached_property
    def grouped(self) -> bool: return any(group for _, group in self.blocks)

    def find(self, i: int) -> list[Curve]:
        "The curves of one model or group."
        if i not in self.found:
            (model, group), counts = list(self.blocks.items())[i]
            name = group or "all questions" * self.grouped
            own = [measure(one, counts, self.style, model, name) for one in self.chosen[i]]
            refuse_two_values(own)
            self.found[i] = own
        return self.found[i]

    def take(self, places: Sequence[int]) -> list[Curve]:
        "The curves of some."
        return [curve for i in places for curve in self.find(i)]

    @property
    def whole(self) -> tuple[Curve, ...]:
        "All curves."
        what = f"estimating {len(self.blocks):,} models and groups"
        with count_steps(len(self.blocks), what) as steps:
            found = self.take(list(steps.watch(range(len(self.blocks)))))
        return (*found, *average_groups(found)) if self.grouped else tuple(found)

    def __len__(self) -> int: return len(self.whole)
    def __iter__(self) -> Iterator[Curve]: return iter(self.whole)
    def __reduce__(self) -> Any: return tuple, (self.whole,)

    @overload
    def __getitem__(self, i: int) -> Curve: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Curve, ...]: ...
    def __getitem__(self, i: Any) -> Any: return self.whole[i]


def refuse_two_values(
    curves: Sequence[Curve],  # Curves of one model
) -> None:
    """Refuse two metrics of one name with different values.

    Raises: `ValueError` with the name.
    """
    found: dict[str, float] = {}
    for curve in curves:
        for label, value in zip(curve.labels, curve.estimates.value.tolist()):  # type: ignore
            if found.setdefault(label, value) != value:
                raise ValueError(f"two metrics are called {label!r}; give them names of their own")


def summarise(
    curves: LateCurves,  # Curves of very many models or groups
) -> Many:
    "Which of very many models or groups are shown: the highest ones in the first metric."
    keys, counts = list(curves.blocks), list(curves.blocks.values())
    models = [i for i, (_, group) in enumerate(keys) if not group]
    what = "group" if len(models) == 1 else "model"
    places = [i for i, (_, group) in enumerate(keys) if group] if what == "group" else models
    first = [curves.chosen[i][0] for i in places]
    values = find_means([counts[i] for i in places], first)
    order = np.argsort(-values, kind="stable")[:SHOWN]
    shown = curves.take([*(models if what == "group" else []), *(places[i] for i in order)])
    labels = {one.labels[0] for one in first}
    metric = labels.pop() if len(labels) == 1 else first[0].metric.name
    sizes = ([len(counts[i]) for i in places],
             [getattr(counts[i], end) for i in places for end in ("n_min", "n_max")],
             [int(counts[i].missing.sum()) for i in places])
    asked = {frozenset(np.asarray(counts[i].questions).tolist()) for i in places}
    names = [keys[i][what == "group"] for i in places]
    rows = Rows(shown, curves.style.confidence_level, curves.style.rng)
    questions, samples, missing = ((min(one), max(one)) for one in sizes)
    return Many("group" if what == "group" else "model", metric, dict(zip(names, values.tolist())),
                questions, samples, missing, len(asked) == 1, first[0].metric.unit, rows)


def find_means(counts: Sequence[Counts], chosen: Sequence[Chosen]) -> np.ndarray:
    "The mean of a metric at its first budget, of each of many."
    one, ks = chosen[0], chosen[0].ks[:1]
    alike = all(other.metric is one.metric and other.ks[0] == ks[0] for other in chosen)
    if one.metric.needs != ("c",) or not alike:
        return np.array([np.mean(own.metric.at_states(held, own.ks[:1]).of_questions())
                         for held, own in zip(counts, chosen)])
    # States are few, however many models there are.
    size = np.array([len(held) for held in counts])
    n, c = (np.concatenate([getattr(held, name) for held in counts]) for name in "nc")
    values = one.metric.at_states(Counts(n, c), ks).of_questions()[:, 0]
    return np.add.reduceat(values, np.cumsum(size) - size) / size


# Letters: models that share one do not differ significantly


MOST_MODELS = 10  # Pairs of more models take longer than the report; `table` compares them


def find_letters(
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
    # What compares models takes longer to import than a report to print.
    from .systems import align_systems
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
    from ..results.comparison import letter_models
    from .comparing import rank_at
    from .systems import find_groups
    found = [find_label(label, chosen[model]) for model in aligned.sides]
    values = tuple(one.metric.at_states(side, one.ks)
                   for one, side in zip(found, aligned.sides.values()))
    measured = Measured(found[0], True, tuple(aligned.sides.values()), values, weights)
    return letter_models(rank_at(0, aligned, measured, find_groups(aligned), style).tied)


def find_label(label: str, chosen: Sequence[Chosen]) -> Chosen:
    "One metric at one budget."
    one = next(one for one in chosen if label in one.labels)
    i = one.labels.index(label)
    return Chosen(one.metric, one.ks[i:i + 1], (label,))
