"""tau2-bench: a document of simulations, or one simulation."""
from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from .ask import Ask
from .log import Log
from .records import Row, Rows, has_keys, is_solved, number_samples

__all__ = ["recognise", "rows"]

UNUSABLE = "infrastructure_error", "context_window_exceeded"


def recognise(head: Any) -> bool:
    "Whether it holds simulations, or is one."
    if has_keys(head, "simulations", "info"): return True
    return has_keys(head, "task_id", "termination_reason", "reward_info")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per simulation."
    runs, info = log.head.get("simulations", [log.head]), log.head.get("info") or {}
    model = (info.get("agent_info") or {}).get("llm")
    task = (info.get("environment_info") or {}).get("domain_name")
    took = "question=task_id, sample=trial, correct=reward within 1e-6 of 1, score=reward"
    return took, (row | dict(model=model, task=task) for row in _read_runs(runs, ask))


def _read_runs(runs: list[Any], ask: Ask) -> Iterator[Row]:
    for place, run in number_samples(runs, itemgetter("task_id")):
        reward = _read_reward(run)
        if reward is None: ask.note("simulations without a usable rollout are missing")
        trial = run.get("trial")
        yield dict(question=run["task_id"], sample=place if trial is None else trial,
                   correct=is_solved(reward), score=reward)


def _read_reward(run: dict[str, Any]) -> Any:
    "The reward; None if the simulation broke down for reasons outside the agent."
    if run["termination_reason"] in UNUSABLE or run["reward_info"] is None: return None
    return run["reward_info"]["reward"]
