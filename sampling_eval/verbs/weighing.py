"""Questions of unequal weight: which weights were given, and what cannot honour them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from .._errors import OptionError, option
from ..foundations.counts import Values
from ..inference.units import Units, units_of
from ..inference.weights import Weights, check_weights, weigh_units
from ..records import dataclass
from ..report.weights import describe_range

__all__ = ["Weighing", "check_request", "share_weights", "find_units"]

Given: TypeAlias = str | Mapping[Any, float] | None  # Column, weight by question, or none


@dataclass(frozen=True)
class Weighing:
    "How questions are weighted."
    given: Given = None
    largest: float | None = None  # Largest weight that a question may have

    @property
    def name(self) -> str:
        "What the questions are weighted by."
        return self.given if isinstance(self.given, str) else "the weights given"

    @property
    def asked(self) -> bool: return self.given is not None

    def find(
        self,
        questions: np.ndarray,  # Names of some questions
        known: Mapping[Any, float] | None,  # Weight by question
    ) -> Weights | None:  # Their weights; None where all are equal, or none are given
        """The weights of some questions.

        Raises: `ValueError` for a question without a weight, or a weight that is not positive.
        """
        if known is None: return None
        names = np.asarray(questions).tolist()
        if lacking := [name for name in names if name not in known]:
            raise OptionError("weights", must="name a weight for every question",
                              found=f"none for {lacking[0]!r}",
                              where=f" ({len(lacking)} of {len(names)} fail)")
        return check_weights([known[name] for name in names], self.largest, names=names,
                             name=self.name)

    def say(self, found: Sequence[Weights | None], grouped: bool = False) -> tuple[str, ...]:
        "Notes on the largest weight and on groups, or on weights that change nothing."
        if not self.asked: return ()
        known = [one for one in found if one is not None]
        if not known: return (f"weights: {self.name} gives all questions the same weight.",)
        widest = max(known, key=lambda one: one.largest * one.unit)
        basis = describe_range(widest.largest * widest.unit, widest.declared)
        within = f"Within a group questions are weighted by {self.name}."
        return (within, basis) if grouped else (basis,)


def check_request(
    weights: Given,  # Column, weight by question, or none
    largest_weight: float | None,  # Largest weight there may be
    cluster: Any = None,  # Groups of questions, which cannot be honoured with weights
) -> Weighing:
    """How questions are to be weighted.

    Raises: `ValueError` for a largest weight without weights, and for groups of questions.
    """
    if weights is None and largest_weight is not None:
        raise OptionError("weights", f"{option('largest_weight')} goes with {option('weights')}, "
                                     "which names the column of weights")
    if not (weights is None or cluster is None or cluster is False):
        raise OptionError("cluster", f"{option('weights')} and {option('cluster')} cannot be given "
                                     "together: nothing bounds the weight of a whole cluster",
                          hint=f"leave {option('cluster')} out")
    return Weighing(weights, largest_weight)


def share_weights(
    inputs: Sequence[Mapping[Any, float] | None],  # Weight by question, of each input
) -> Mapping[Any, float] | None:  # Weight by question
    """The weights of several inputs.

    Raises: `ValueError` for a question whose weight differs between inputs.
    """
    shared: dict[Any, float] = {}
    for known in inputs:
        if known is None: return None
        for name, weight in known.items():
            if shared.setdefault(name, weight) == weight: continue
            raise ValueError(f"a question has one weight, got {shared[name]:g} and {weight:g} at "
                             f"{name!r}, in two inputs")
    return shared


def find_units(
    values: Values,  # Values by distinct state
    bounds: tuple | None,  # Least and largest value of a question
    groups: Any,  # Group of each question, a sequence or an array; None without groups
    weights: Weights | None,  # Weight of each question
) -> Units:  # What means over new questions are computed from
    "Sampling units of questions, whether they have weights, groups, or neither."
    if weights is not None:
        return weigh_units(values.table, weights, bounds=bounds, state=values.state)
    return units_of(values.table, bounds=bounds, cluster=groups, times=values.times,
                    state=values.state)
