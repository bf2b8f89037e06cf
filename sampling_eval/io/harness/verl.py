"""verl: a JSON lines file for each validation step."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .ask import Ask, tell_outcome
from .log import Log
from .records import Row, Rows, add_score, has_keys, list_numbers, number_samples

__all__ = ["recognise", "rows"]


def recognise(head: Any) -> bool:
    "Whether a prompt, its output and a score stand together."
    # Common words: a plain table may have these columns too. It holds no question then, and
    # would be refused as a table; the sentence on what was read says what was taken for one.
    return has_keys(head, "input", "output", "score")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample; prompts of one wording are one question."
    offered = [name for name in list_numbers(log.head) if name != "step"]
    name = ask.choose_score(log, offered, ["acc", "score"])
    answer = "pred" if "pred" in log.head else "output"
    took = "question=input (one wording, one question), sample=order of appearance"
    return f"{took}, {tell_outcome(name)}, answer={answer}", _read_rows(log, name)


def _read_rows(log: Log, name: str | None) -> Iterator[Row]:
    for place, record in number_samples(log.records(), _name_question):
        row = dict(question=record["input"], sample=place, target=record.get("gts"),
                   answer=record.get("pred", record["output"]))
        if "step" in record: row["model"] = f"step {record['step']}"
        yield add_score(row, record, name)


def _name_question(record: dict[str, Any]) -> tuple[Any, Any]:
    return record.get("step"), record["input"]
