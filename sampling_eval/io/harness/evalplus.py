"""evalplus: one document with a list of samples for each task."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .ask import Ask
from .human_eval import expect_programs
from .log import Log
from .records import Row, Rows, has_keys

__all__ = ["expect_tries", "recognise", "rows", "holds_tries", "have_status", "list_tries"]

RESULTS = "_eval_results.json" # What ends the name of the document, after that of the programs


def recognise(head: Any) -> bool:
    "Whether `eval` maps tasks to lists, of other samples than those of BigCodeBench."
    # Any document that maps names to lists under `eval` looks the same; its entries have no
    # `base_status`, and the error says so.
    return holds_tries(head) and not have_status(head["eval"])


def holds_tries(
    head:Any, # The document
)->bool: # Whether it has samples by task
    "Whether `eval` maps tasks to lists."
    # inspect_ai has `eval` too, beside a version.
    if not has_keys(head, "eval") or "version" in head: return False
    tasks = head["eval"]
    return isinstance(tasks, dict) and all(isinstance(tries, list) for tries in tasks.values())


def have_status(
    tasks:dict[str, list[Any]], # Samples by task
)->bool: # Whether there are any, and all have one
    "Whether every sample has one status, where those of evalplus have one for each kind of test."
    samples = [sample for tries in tasks.values() for sample in tries]
    return bool(samples) and all(has_keys(sample, "status") for sample in samples)


def list_tries(
    tasks:dict[str, list[Any]], # Samples by task
)->Iterator[tuple[Row, Any]]: # Question, place and answer of each sample, and the sample
    "The samples of all tasks in order."
    for task, tries in tasks.items():
        for place, sample in enumerate(tries):
            yield dict(question=task, sample=place, answer=sample.get("solution")), sample


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample; under the added tests (plus) it is right if it passes the first ones too."
    tasks = log.head["eval"]
    tests = ask.choose(log, "score", _list_tests(tasks), ["plus", "base"])
    expect_tries(log, ask)
    need = ["base_status", "plus_status"] if tests == "plus" else ["base_status"]
    took = f"question=task_id, sample=position, correct={' and '.join(need)} 'pass'"
    return f"{took}, answer=solution", _read_samples(tasks, need)


def expect_tries(
    log:Log, # What an evaluation of programs found
    ask:Ask, # Where the total is kept
)->None:
    "Expect an outcome of each program that lies beside the document."
    if not log.path.name.endswith(RESULTS): return
    programs = log.path.name.removesuffix(RESULTS) + ".jsonl"
    expect_programs(log, ask, log.path.with_name(programs))


def _list_tests(tasks: dict[str, list[Any]]) -> list[str]:
    "The tests that were run on some sample."
    samples = (sample for tries in tasks.values() for sample in tries)
    added = any(sample.get("plus_status") is not None for sample in samples)
    return ["plus", "base"] if added else ["base"]


def _read_samples(tasks: dict[str, list[Any]], need: Sequence[str]) -> Iterator[Row]:
    for row, sample in list_tries(tasks):
        yield row | dict(correct=_pass_all([sample[name] for name in need]))


def _pass_all(statuses: Sequence[str | None]) -> bool | None:
    "Whether all tests passed; None if some were not run."
    return None if None in statuses else all(status == "pass" for status in statuses)
