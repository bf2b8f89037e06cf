"""verl: a JSON lines file for each validation step."""
from __future__ import annotations

from collections.abc import Iterator

from .ask import Ask, Row, Rows, add_score, list_numbers, name_outcome, number_samples
from .log import Log


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample; prompts of one wording are one question."
    offered = [name for name in list_numbers(log.head) if name != "step"]
    name = ask.choose_score(log, offered, ["acc", "score"])
    answer = "pred" if "pred" in log.head else "output"
    took = dict(question="input (one wording, one question)", sample="order of appearance")
    return took | name_outcome(name) | dict(answer=answer), read_rows(log, name)


def read_rows(log: Log, name: str | None) -> Iterator[Row]:
    for place, record in number_samples(log.records(), lambda one: (one.get("step"), one["input"])):
        row = dict(question=record["input"], sample=place, target=record.get("gts"),
                   answer=record.get("pred", record["output"]))
        if "step" in record: row["model"] = f"step {record['step']}"
        yield add_score(row, record, name)
