"""verifiers before 0.4: one line per rollout, and a summary beside it."""
from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from .ask import Ask, tell_outcome
from .beside import read_beside
from .log import Log
from .records import Row, Rows, add_score, has_keys, list_numbers, number_samples

__all__ = ["recognise", "rows"]


def recognise(head: Any) -> bool:
    "Whether a rollout has a prompt, a completion and a reward."
    if not has_keys(head, "reward", "completion", "prompt"): return False
    return "id" in head or "example_id" in head


def rows(log: Log, ask: Ask) -> Rows:
    "One row per rollout."
    key = "example_id" if "example_id" in log.head else "id"
    numbers = [o for o in list_numbers(log.head) if o not in ("id", "example_id")]
    offered = [o for o in numbers if not o.endswith("_ms")]
    name = ask.choose_score(log, offered, ["reward"])
    run = _read_summary(log, ask)
    took = f"question={key}, sample=order of appearance, {tell_outcome(name)}"
    rollouts = (row | run for row in _read_rollouts(log, key, name))
    return f"{took}, answer=last message of completion", rollouts


def _read_summary(log: Log, ask: Ask) -> dict[str, Any]:
    "Model and environment, and how many rollouts to expect; its means may be stale."
    about = read_beside(log.path.with_name("metadata.json"), log.limits)
    size, each = about.get("num_examples"), about.get("rollouts_per_example")
    # All examples of an environment are asked for by -1, and then nothing says how many there are.
    if isinstance(size, int) and isinstance(each, int) and size > 0:
        where = "num_examples times rollouts_per_example in metadata.json"
        ask.expect(size * each, where, each=each)
    return dict(model=about.get("model"), task=about.get("env_id") or about.get("env"))


def _read_rollouts(log: Log, key: str, name: str | None) -> Iterator[Row]:
    for place, record in number_samples(log.records(), itemgetter(key)):
        # Its field `answer` is the reference; what the model answered ends the completion.
        row = dict(question=record[key], sample=place, answer=_read_last(record["completion"]),
                   target=record.get("answer"), lost=record.get("error") is not None)
        yield add_score(row, record, name)


def _read_last(completion: Any) -> str | None:
    "The text of a completion, or of its last message."
    if isinstance(completion, str) or not completion: return completion or None
    return completion[-1].get("content") or None
