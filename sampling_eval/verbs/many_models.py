"""Very many models or groups: estimated when they are looked at, and the highest are shown."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, overload

import numpy as np

from ..foundations.counts import Counts
from ..io.console import count_steps
from ..records import dataclass
from ..results.score_report import Many
from .curves import Curve, Rows, average_groups, measure
from .metric_choice import Chosen
from ..results.style import Style

__all__ = ["MANY", "SHOWN", "LateCurves", "summarise", "refuse_two_values"]

MANY = 100  # Models and groups beyond which only some are shown
SHOWN = 10


@dataclass(frozen=True, eq=False)
class LateCurves(Sequence[Curve]):
    "Curves of many models and groups, estimated when they are looked at."
    blocks: Mapping[tuple[str, str], Counts]  # Counts of each
    chosen: Sequence[Sequence[Chosen]]  # Metrics of each
    style: Style  # How error bars are computed
    found: dict[int, list[Curve]] = field(default_factory=dict)  # What was estimated so far

    @property
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
