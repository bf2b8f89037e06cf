"""BigCodeBench: one document with a list of samples for each task."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .ask import Ask
from .evalplus import expect_tries, have_status, holds_tries, list_tries
from .log import Log
from .records import Row, Rows
from .words import quote_names, shorten

__all__ = ["recognise", "rows"]

STATUSES = "pass", "fail", "timeout"


def recognise(head: Any) -> bool:
    "Whether every sample of every task has one status."
    return holds_tries(head) and have_status(head["eval"])


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample."
    # The harness names the model in the same way; the file that it writes has no other trace of it.
    model, cut, _ = log.path.stem.partition("--bigcodebench-")
    expect_tries(log, ask)
    took = "question=task_id, sample=position, correct=status 'pass', answer=solution"
    return took, _read_samples(log, model if cut else None)


def _read_samples(log: Log, model: str | None) -> Iterator[Row]:
    for row, sample in list_tries(log.head["eval"]):
        if sample["status"] not in STATUSES:
            raise ValueError(f"a status must be one of {quote_names(STATUSES)}, got "
                             f"{shorten(sample['status'])} for {row['question']} "
                             f"in {log.path.name}")
        yield row | dict(model=model, correct=sample["status"] == "pass")
