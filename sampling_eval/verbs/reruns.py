"What another run would give, from the counts of a system."
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from ..foundations.counts import Counts
from ..inference.rerun import Kinds, facts_of
from ..results.rerun import Reruns

__all__ = ["find_reruns", "rerun_models"]


def find_reruns(
    systems: Sequence[Counts],  # Counts of every system
) -> Reruns | None:  # None for several, and where `measure_reruns` has none
    "What another run of the only system would give."
    return measure_reruns(systems[0]) if len(systems) == 1 else None


def measure_reruns(
    counts: Counts,  # Counts of one system
) -> Reruns | None:  # None for graded scores, and where a question has one sample
    "What another run of the same questions would give."
    if counts.c is None or counts.n_min < 2: return None
    states = counts.states
    facts = facts_of(Kinds(states.n, states.c, states.times))
    return Reruns(*(getattr(facts, one.name) for one in fields(Reruns)))


def rerun_models(
    blocks: Sequence[Mapping[str, Counts]],  # Counts by model, of all questions or of each group
    weighted: bool,  # Whether questions have weights
) -> dict[str, Reruns | None]:  # By model; None where a question has one sample
    """Another run of each model, over all questions.

    Raises: `ValueError` for groups or weights, and where no model has two outcomes of each
    question.
    """
    if len(blocks) > 1 or weighted:
        what, option = ("weights", "weights") if weighted else ("groups", "by")
        raise ValueError(f"run_difference=True is for all questions together, got {what}; leave "
                         f"out {option}")
    found = {model: measure_reruns(counts) for model, counts in blocks[0].items()}
    if not any(found.values()):
        models = "1 model" if len(found) == 1 else f"{len(found)} models"
        raise ValueError("run_difference=True needs two outcomes of every question, got none with "
                         f"them among {models}")
    return found
