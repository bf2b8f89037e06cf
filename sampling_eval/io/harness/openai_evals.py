"""OpenAI evals: the specification of a run, its events and its report, a line for each."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..._errors import OptionError, option
from .ask import Ask, Row, Rows, add_score, has_keys, list_numbers, name_outcome
from .limits import shorten
from .log import Log

KINDS = "match", "metrics"  # Types of the events that hold outcomes, the first one preferred


def recognise(head: Any) -> bool:
    "Whether it is the specification of a run."
    return has_keys(head["spec"], "completion_fns", "eval_name")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample, of the events of one type."
    spec = log.head["spec"]
    events = [event for event in log.records() if event.get("type") in KINDS]
    names = [name for event in events for name in list_numbers(event["data"])]
    if not ask.grade and not names:
        raise ValueError("OpenAI evals stores an outcome in events of type match or metrics, got "
                         f"none with a number in {log.path.name}: the final report alone holds no "
                         "outcome per sample")
    name = ask.choose_score(log, names, ["correct", "score", "accuracy"])
    held = take_events(events, name)
    refuse_several(log, held)
    reports = [record["final_report"] for record in log.records() if "final_report" in record]
    if not reports: ask.add_note("unfinished")
    for report in reports: check_mean(held, name, report, log)
    run = dict(model=",".join(spec["completion_fns"]), task=spec["eval_name"])
    took = dict(question="sample_id", sample="one a run") | name_outcome(name)
    return took | dict(answer="sampled"), (row | run for row in make_rows(held, name))


def take_events(events: list[Any], name: str | None) -> list[Any]:
    "The events that hold a score; where answers are judged anew, matches if there are any."
    if name is not None: return [event for event in events if name in event["data"]]
    return [event for event in events if event["type"] == KINDS[0]] or events


def refuse_several(log: Log, events: list[Any]) -> None:
    "Refuse several events of one sample: they are turns or parts of it, and no draws."
    found = Counter(event["sample_id"] for event in events)
    often = [(name, times) for name, times in found.items() if times > 1]
    if not often: return
    name, times = often[0]
    raise OptionError("score", "need one event per sample",
                      found=f"{times} of {shorten(name)} in {log.path.name} ({len(often)} of "
                            f"{len(found)} fail): they are parts of one sample",
                      hint=f"pass {option('score')} a name that stands once in each")


def check_mean(events: list[Any], name: str | None, report: Any, log: Log) -> None:
    "Refuse events with another accuracy than the run reported: the log is not whole."
    stored = report.get("accuracy") if isinstance(report, dict) else None
    if name != "correct" or not isinstance(stored, (int, float)) or not events: return
    mean = sum(float(event["data"]["correct"] or 0) for event in events) / len(events)
    if abs(mean - stored) <= 1e-9: return
    raise ValueError(f"the {len(events)} samples in {log.path.name} have an accuracy of "
                     f"{mean:.6g}, but the final report says {stored:.6g}: some are missing or "
                     "stand twice, and nothing says how many; complete the log, or take the line "
                     "of the final report out to read the samples there are")


def make_rows(events: list[Any], name: str | None) -> Iterator[Row]:
    for event in events:
        data = event["data"]
        # What was picked is None for a wrong answer, which would lose its vote.
        row = dict(question=event["sample_id"], sample=0, target=data.get("expected"),
                   answer=data.get("sampled", data.get("picked")))
        yield add_score(row, data, name)
