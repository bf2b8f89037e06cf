"""lighteval: a Parquet file per task, with three columns."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .ask import Ask, no_outcome, tell_outcome
from .log import Log
from .records import Row, Rows, Scored, add_score, has_keys

__all__ = ["recognise", "rows", "read_choices_of"]

COLUMNS = "doc", "model_response", "metric"


def recognise(head: Any) -> bool:
    "Whether the columns are those of its details."
    return has_keys(head, *COLUMNS)


def rows(log: Log, ask: Ask) -> Rows:
    "One row per text."
    texts = max(len(_read_texts(record)) for record in log.records(COLUMNS))
    metrics = list(next(log.records(COLUMNS))["metric"])
    if texts > 1 and not ask.grade:
        why = f"{texts} texts a question and one {metrics[0]!r} over them"
        raise no_outcome(log, "lighteval", why)
    name = ask.choose_score(log, metrics)
    took = f"question=doc.id, sample=position, {tell_outcome(name)}, answer=text"
    return took, _read_rows(log, name)


def _read_rows(log: Log, name: str | None) -> Iterator[Row]:
    for place, record in enumerate(log.records(COLUMNS)):
        doc, target = record["doc"], _read_target(record["doc"])
        for sample, text in enumerate(_read_texts(record)):
            row = dict(question=doc["id"] or place, sample=sample, answer=text, target=target,
                       task=doc["task_name"])
            yield add_score(row, record["metric"], name)


def _read_target(doc: dict[str, Any]) -> Any:
    "The right choice, or a list of several; None without choices."
    gold, choices = doc["gold_index"], doc["choices"]
    if not choices: return None
    return [choices[place] for place in gold] if isinstance(gold, list) else choices[gold]


def _read_texts(record: dict[str, Any]) -> list[str]:
    "Texts of the model, or its likeliest choice."
    response, choices = record["model_response"], record["doc"]["choices"]
    texts: list[str] | None = response.get("text_post_processed") or response.get("text")
    if texts: return texts
    likeliest = int(np.argmax(response["logprobs"][:len(choices)]))
    return [choices[likeliest].strip()]


def read_choices_of(
    place:int, # Position of the record in its file
    record:dict[str, Any], # One row
)->Scored: # The question with its choices
    "The log-probabilities of one row; raises `ValueError` if it holds texts."
    doc, response = record["doc"], record["model_response"]
    texts, gold, logprobs = doc["choices"], doc["gold_index"], response["logprobs"]
    if len(logprobs) < len(texts):
        raise ValueError("lighteval stored texts here, and no log-probabilities of choices")
    unconditional = response.get("unconditioned_logprobs") or logprobs[len(texts):] or None
    if isinstance(gold, list) and len(gold) == 1: gold = gold[0]
    return Scored(doc["id"] or place, texts, logprobs[:len(texts)], unconditional, gold, None)
