"""human-eval: one line per program, before and after its evaluation."""
from __future__ import annotations

from operator import itemgetter
from pathlib import Path

from .ask import Ask, Rows, number_samples
from .log import Log, count_sidecar

RESULTS = "_results.jsonl"  # What ends the name of a file of outcomes, after that of the programs


def rows(log: Log, ask: Ask) -> Rows:
    "One row per program that was run: `*_results.jsonl`."
    if log.path.name.endswith(RESULTS):
        expect_programs(log, ask, log.path.with_name(log.path.name.removesuffix(RESULTS)))
    ask.note_unordered()
    took = dict(question="task_id", sample="order of appearance", correct="passed",
                answer="completion")
    return took, (dict(question=record["task_id"], sample=sample, correct=record["passed"],
                       answer=record.get("completion"))
                  for sample, record in number_samples(log.records(), itemgetter("task_id")))


def expect_programs(log: Log, ask: Ask, path: Path) -> None:
    "Expect an outcome of each program in a file that lies beside a log."
    programs = count_sidecar(path, "task_id", log.limits)
    if None in programs: return
    ask.expect(programs.total(), f"programs in {path.name}", questions=programs)


def program_rows(log: Log, ask: Ask) -> Rows:
    "One row per program of human-eval or evalplus that nobody has run, for `grade` to judge."
    if ask.grade is None:
        raise ValueError(f"{log.path.name} holds programs that were not run; read the "
                         "*_results.jsonl (human-eval) or *eval_results.json (evalplus) of their "
                         "evaluation")
    ask.note_unordered()
    took = dict(question="task_id", sample="order of appearance", correct="grade",
                answer="completion or solution")
    return took, (dict(question=record["task_id"], sample=sample,
                       answer=record.get("completion", record.get("solution")))
                  for sample, record in number_samples(log.records(), itemgetter("task_id")))
