"""lighteval: a Parquet file per task, with three columns."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .ask import Ask, Row, Rows, Scored, add_score, name_outcome, no_outcome
from .log import Log, read_sidecar

COLUMNS = "doc", "model_response", "metric"
# Metrics that are right samples over samples; only these tell how many are right.
SHARE = re.compile(r"avg@n:n=(\d+)|pass@k:k=1&n=(\d+)")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per text."
    texts = survey(log, ask)
    metrics = list(next(log.records(COLUMNS))["metric"])
    if texts > 1 and not ask.grade: return read_shares(log, ask, texts, metrics)
    expect_documents(log, ask, texts)
    name = ask.choose_score(log, metrics)
    took = dict(question="doc.id", sample="position") | name_outcome(name) | dict(answer="text")
    return took, read_rows(log, name)


def read_shares(log: Log, ask: Ask, texts: int, metrics: Sequence[str]) -> Rows:
    "One row per sample, as many of them right as a stored share of all samples says."
    shares = list(filter(SHARE.fullmatch, metrics))
    if not shares:
        why = f"{texts} texts a question and one {metrics[0]!r} over them"
        raise no_outcome(log, "lighteval", why)
    name = ask.choose(log, "score", shares, shares[:1])
    size = read_size(name)
    expect_documents(log, ask, size)
    ask.note_unordered()
    ask.add_note("share_of_samples", name, count=size)
    return dict(question="doc.id", sample="number", score=name), make_share_rows(log, name, size)


def expect_documents(log: Log, ask: Ask, texts: int) -> None:
    "Expect as many documents as the results of the same run count, with so many texts each."
    path = find_results(log.path)
    configs = read_sidecar(path, log.limits).get("config_tasks") if path else None
    if not isinstance(configs, dict): return
    tasks = {record["doc"]["task_name"] for record in log.records(COLUMNS)}
    for task in tasks:
        # The name of a task ends with its number of examples, in some versions only here.
        config = configs.get(task, configs.get(task.rpartition("|")[0]))
        size = config.get("effective_num_docs") if isinstance(config, dict) else None
        if isinstance(size, int) and path:
            ask.expect(size * texts, f"effective_num_docs in {path.name}", each=texts, task=task)


def find_results(path: Path) -> Path | None:
    "The results of a run, of which OUT/details/MODEL/TIME holds the details; None elsewhere."
    above = [folder.name for folder in path.parents]
    if "details" not in above[1:]: return None
    place = above.index("details", 1)
    model = Path(*reversed(above[1:place]))
    return path.parents[place].with_name("results") / model / f"results_{above[0]}.json"


def survey(log: Log, ask: Ask) -> int:
    "The most texts of a question; notes the tasks on the way."
    asked: dict[str, list[str]] = {}
    texts = []
    for record in log.records(COLUMNS):
        texts.append(len(read_texts(record)))
        asked.setdefault(record["doc"]["task_name"], []).append(record["doc"]["query"])
    for task, questions in asked.items(): ask.note_task(task, questions)
    return max(texts)


def read_size(name: str) -> int:
    "How many samples a share is over."
    found = SHARE.fullmatch(name)
    return int(next(filter(None, found.groups()))) if found else 1


def make_share_rows(log: Log, name: str, size: int) -> Iterator[Row]:
    for place, record in enumerate(log.records(COLUMNS)):
        question, share = record["doc"]["id"] or place, float(record["metric"][name])
        right = round(share * size)
        if not 0 <= right <= size or abs(share * size - right) > 1e-4:
            why = f"{name} is {share:g} for question {question!r}, no share of {size}"
            raise no_outcome(log, "lighteval", why)
        for sample in range(size):
            yield dict(question=question, sample=sample, score=float(sample < right),
                       task=record["doc"]["task_name"])


def read_rows(log: Log, name: str | None) -> Iterator[Row]:
    for place, record in enumerate(log.records(COLUMNS)):
        doc, target = record["doc"], read_target(record["doc"])
        for sample, text in enumerate(read_texts(record)):
            row = dict(question=doc["id"] or place, sample=sample, answer=text, target=target,
                       task=doc["task_name"], said=(doc.get("query"), text))
            yield add_score(row, record["metric"], name)


def read_target(doc: dict[str, Any]) -> Any:
    "The right choice, or a list of several; None without choices."
    gold, choices = doc["gold_index"], doc["choices"]
    if not choices: return None
    return [choices[place] for place in gold] if isinstance(gold, list) else choices[gold]


def read_texts(record: dict[str, Any]) -> list[str]:
    "Texts of the model, or its likeliest choice."
    response, choices = record["model_response"], record["doc"]["choices"]
    texts: list[str] | None = response.get("text_post_processed") or response.get("text")
    if texts: return texts
    likeliest = int(np.argmax(response["logprobs"][:len(choices)]))
    return [choices[likeliest].strip()]


def read_choices_of(place: int, record: dict[str, Any]) -> Scored:  # The question with its choices
    "The log-probabilities of one row; raises `ValueError` if it holds texts."
    doc, response = record["doc"], record["model_response"]
    texts, gold, logprobs = doc["choices"], doc["gold_index"], response["logprobs"]
    if len(logprobs) < len(texts):
        raise ValueError("lighteval stored texts here, and no log-probabilities of choices")
    unconditional = response.get("unconditioned_logprobs") or logprobs[len(texts):] or None
    if isinstance(gold, list) and len(gold) == 1: gold = gold[0]
    return Scored(doc["id"] or place, texts, logprobs[:len(texts)], unconditional, gold, None)
