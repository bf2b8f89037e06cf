"""tau-bench: a list of trials."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .ask import Ask
from .log import Log
from .records import Row, Rows, has_keys, is_solved

__all__ = ["recognise", "rows"]


def recognise(head: Any) -> bool:
    "Whether a trial of a task has a reward."
    # A plain table with these three columns looks the same, and means the same.
    return has_keys(head, "task_id", "reward", "trial")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per trial."
    trials = list(log.records())
    broken = ["error" in (trial.get("info") or {}) for trial in trials]
    # A trial that broke down is stored with reward 0, which says nothing about the agent.
    if any(broken): ask.note("trials that ended in an error are missing")
    took = "question=task_id, sample=trial, correct=reward within 1e-6 of 1, score=reward"
    return took, _read_trials(trials, broken)


def _read_trials(trials: Sequence[Any], broken: Sequence[bool]) -> Iterator[Row]:
    for trial, lost in zip(trials, broken):
        reward = trial["reward"]
        yield dict(question=trial["task_id"], sample=trial["trial"], correct=is_solved(reward),
                   score=reward, lost=lost)
