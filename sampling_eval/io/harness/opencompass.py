"""opencompass: numbered predictions, and judged details."""
from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .ask import Ask, no_outcome
from .details import detail_rows, expect_predictions, find_writers, read_groups
from .log import Log
from .records import Row, Rows, find_period, has_keys

__all__ = ["recognise", "rows", "recognise_predictions", "prediction_rows"]


def recognise(head: Any) -> bool:
    "Whether it holds details that opencompass could have written."
    return "opencompass" in find_writers(head)


def rows(log: Log, ask: Ask) -> Rows:
    "One row per judged sample."
    groups = read_groups(log, bool(ask.grade))
    expect_predictions(log, ask, groups)
    return detail_rows(groups, log.path.stem)


def recognise_predictions(head: Any) -> bool:
    "Whether it maps numbers to predictions."
    if not has_keys(head, "0") or not all(key.isdigit() for key in head): return False
    return has_keys(head["0"], "prediction")


def prediction_rows(log: Log, ask: Ask) -> Rows:
    "One row per prediction, for `grade` to judge."
    if ask.grade is None:
        raise no_outcome(log, "opencompass", "predictions are not judged; the results file is, "
                                             "with dump_eval_details on")
    entries = [log.head[key] for key in sorted(log.head, key=int)]
    size = find_period([_tell_prompt(entry) for entry in entries])
    took = f"question=index modulo {size} (the period of the prompts), sample=replica"
    predictions = _read_predictions(entries, size, log.path.stem)
    return f"{took}, correct=grade, answer=prediction", predictions


def _tell_prompt(entry: dict[str, Any]) -> str:
    return json.dumps([entry.get("origin_prompt"), entry.get("gold")], sort_keys=True)


def _read_predictions(entries: list[Any], size: int, task: str) -> Iterator[Row]:
    for place, entry in enumerate(entries):
        replica, question = divmod(place, size)
        yield dict(question=question, sample=replica, answer=entry["prediction"],
                   target=entry.get("gold"), task=task)
