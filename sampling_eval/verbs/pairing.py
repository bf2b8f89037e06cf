"""Which inputs may be paired by question: those of one task."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ..foundations.counts import Counts
from ..io.load import Loaded
from ..io.grouped_rows import Task, refuse_other_tasks, tell_versions

__all__ = ["pair_tasks", "name_by_task"]


def pair_tasks(
    loaded: Mapping[str, Loaded],  # What was read of each input, by its place
) -> str:  # A warning where one task was read in two versions; else empty
    """Whether the inputs are of one task.

    Raises: `ValueError` if two of them have no task in common.
    """
    sides = {place: list_tasks_of(one) for place, one in loaded.items()}
    refuse_other_tasks(sides)
    return tell_versions(sides)


def list_tasks_of(loaded: Loaded) -> tuple[Task, ...]:
    "The tasks of one input; none for a plain table."
    return () if loaded.rows is None else loaded.rows.tasks


def name_by_task(
    loaded: Iterable[Loaded],  # What was read of each input
) -> list[Loaded]:  # The same, questions named alike
    "Inputs of which all or none name their questions by task, as logs of several tasks do."
    inputs = list(loaded)
    if not any(len(list_tasks_of(one)) > 1 for one in inputs): return inputs
    return list(map(name_questions, inputs))


def name_questions(loaded: Loaded) -> Loaded:
    "What was read of one task, with the task in the name of each question."
    tasks = {task.name for task in list_tasks_of(loaded)}
    if len(tasks) != 1: return loaded
    blocks = {key: name_counts(counts, *tasks) for key, counts in loaded.blocks.items()}
    return replace(loaded, blocks=blocks)


def name_counts(counts: Counts, task: str) -> Counts:
    "Counts with the task in the name of each question."
    known: list = np.asarray(counts.questions).tolist()
    names = np.array([f"{task}/{name}" for name in known], dtype=object)
    votes, rewards = counts.votes, counts.rewards
    if votes is not None: votes = replace(votes, questions=names)
    if rewards is not None: rewards = replace(rewards, questions=names)
    return replace(counts, questions=names, votes=votes, rewards=rewards)
