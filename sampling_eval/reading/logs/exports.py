"""Exports of services that record experiments: LangSmith, Phoenix and MLflow."""
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from .ask import Ask, Row, Rows, as_number, name_outcome, number_samples
from .limits import csv_rows, shorten
from .log import Log

WORDS = {"True": 1., "true": 1., "yes": 1., "False": 0., "false": 0., "no": 0.}
FEEDBACK = "feedback."  # Before the name of a score in a table of LangSmith
ANNOTATION = re.compile("annotation_(.+)_score")  # The same in a table of Phoenix
OUTPUTS = "outputs."  # Before the name of a part of an answer


def list_records(log: Log) -> list[dict[str, Any]]:
    if log.kind != "table": return list(log.records())
    return [dict(zip(log.head, cells)) for cells in csv_rows(log.path, log.limits)]


def unwrap(value: Any) -> Any:
    "The only value of an object, in a table as JSON; None for an object of several."
    if isinstance(value, str) and value.startswith("{"): value = json.loads(value)
    if not isinstance(value, dict): return value
    return next(iter(value.values())) if len(value) == 1 else None


def has_failed(record: dict[str, Any]) -> bool: return bool(record.get("error"))


def read_score(value: Any, name: str) -> float | None:
    "A score that a table holds as text; an evaluator may say yes or no."
    if not isinstance(value, str): return as_number(value, name)
    if not value.strip(): return None
    if value in WORDS: return WORDS[value]
    try: return float(value)
    except ValueError:
        raise ValueError(f"{name} must be a number, yes or no, got {shorten(value)}") from None


# LangSmith: `evaluate(...).to_pandas().to_csv(...)`, a line per run of an example.

def recognise_feedback(head: Sequence[str]) -> bool:
    "Whether a column holds what an evaluator returned."
    return any(name.startswith(FEEDBACK) for name in head)


def langsmith_rows(log: Log, ask: Ask) -> Rows:
    "One row per run of an example."
    offered = [name.removeprefix(FEEDBACK) for name in log.head if name.startswith(FEEDBACK)]
    name = ask.choose_score(log, offered)
    answers = [name for name in log.head if name.startswith(OUTPUTS)]
    ask.note_unordered()
    took = dict(question="example_id", sample="repetition of an example")
    took |= name_outcome(name and FEEDBACK + name)
    if len(answers) == 1: took["answer"] = answers[0]
    records = list_records(log)
    ask.note_missing("run", "that ended with an error", sum(map(has_failed, records)))
    return took, make_runs(records, took, name)


def make_runs(records: Iterable[dict[str, str]], took: dict[str, str],
              name: str | None) -> Iterator[Row]:
    for place, record in number_samples(records, itemgetter("example_id")):
        row = dict(question=record["example_id"], sample=place, uuid=record["id"],
                   answer=record.get(took.get("answer", "")), missing=has_failed(record))
        yield row if name is None else row | dict(score=read_score(record[FEEDBACK + name], name))


# Phoenix: an experiment as JSON or CSV, a record per repetition of an example.

def phoenix_rows(log: Log, ask: Ask) -> Rows:
    "One row per repetition of an example."
    records = list_records(log)
    scores = [list_cells(record) if log.kind == "table" else list_annotations(record)
              for record in records]
    name = ask.choose_score(log, [key for found in scores for key in found])
    ask.note_missing("repetition", "that ended with an error", sum(map(has_failed, records)))
    took = dict(question="example_id", sample="repetition_number", answer="output")
    return took | name_outcome(name), make_repetitions(records, scores, name)


def list_annotations(record: dict[str, Any]) -> dict[str, Any]:
    "The score of each evaluator."
    return {one["name"]: one["score"] for one in record["annotations"]}


def list_cells(record: dict[str, Any]) -> dict[str, Any]:
    "The score of each evaluator, of which a table has a column."
    found = {ANNOTATION.fullmatch(column): cell for column, cell in record.items()}
    return {match[1]: cell for match, cell in found.items() if match}


def make_repetitions(records: Sequence[dict[str, Any]], scores: Sequence[dict[str, Any]],
                     name: str | None) -> Iterator[Row]:
    for record, found in zip(records, scores):
        row = dict(question=record["example_id"], sample=int(record["repetition_number"]) - 1,
                   answer=unwrap(record["output"]), target=unwrap(record["reference_output"]),
                   missing=has_failed(record))
        yield row if name is None else row | dict(score=read_score(found.get(name), name))


# MLflow: `evaluate(...).result_df` or `search_traces()`, as CSV or JSON records, a trace per row.

def trace_rows(log: Log, ask: Ask) -> Rows:
    "One row per trace."
    traces = [json.loads(record["trace"])["info"] | dict(asked=record["request"],
                                                         told=record["response"])
              for record in list_records(log)]
    refuse_several_runs(traces, log)
    feedback = [list_values(trace, "feedback", log) for trace in traces]
    name = ask.choose_score(log, [key for values in feedback for key in values])
    ask.note_unordered()
    ask.note_missing("trace", "that ended with an error", sum(map(is_broken, traces)))
    took = dict(question="request", sample="repetition of a request", answer="response")
    return took | name_outcome(name), make_traces(traces, feedback, name, log)


def refuse_several_runs(traces: Iterable[dict[str, Any]], log: Log) -> None:
    runs = {(trace.get("trace_metadata") or {}).get("mlflow.sourceRun") for trace in traces}
    if len(runs) < 2: return
    raise ValueError(f"a file must hold the traces of one run, got {len(runs)} in {log.path.name}; "
                     "write one file per run: mlflow.search_traces(run_id=...)")


def list_values(trace: dict[str, Any], kind: str, log: Log) -> dict[str, Any]:
    "Values of the assessments of a trace that are of a kind, by name."
    found: dict[str, Any] = {}
    for one in trace.get("assessments") or []:
        if kind not in one or not one.get("valid", True): continue
        name, value = one["assessment_name"], one[kind].get("value")
        if found.setdefault(name, value) != value:
            raise ValueError(f"a trace must have one {name}, got {shorten(found[name])} and "
                             f"{shorten(value)} for {trace['trace_id']} in {log.path.name}")
    return found


def is_broken(trace: dict[str, Any]) -> bool: return trace.get("state") == "ERROR"


def make_traces(traces: Sequence[dict[str, Any]], feedback: Sequence[dict[str, Any]],
                name: str | None, log: Log) -> Iterator[Row]:
    expected = [list_values(trace, "expectation", log) for trace in traces]
    asked = [json.dumps([trace["asked"], wanted], sort_keys=True, default=str)
             for trace, wanted in zip(traces, expected)]
    names = {key: place for place, key in enumerate(dict.fromkeys(asked))}
    rows = zip(asked, traces, feedback, expected)
    for place, (key, trace, values, wanted) in number_samples(rows, itemgetter(0)):
        row = dict(question=names[key], sample=place, uuid=trace["trace_id"],
                   answer=unwrap(trace["told"]), target=unwrap(wanted), missing=is_broken(trace))
        yield row if name is None else row | dict(score=read_score(values.get(name), name))
