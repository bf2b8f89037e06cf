"""evalplus and BigCodeBench: one document with a list of samples for each task."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from .ask import Ask, Row, Rows, has_keys
from .human_eval import expect_programs
from .limits import quote_names, shorten
from .log import Log

Tasks: TypeAlias = dict[str, list[Any]]  # Samples by task

RESULTS = "_eval_results.json"  # What ends the name of the document, after that of the programs
STATUSES = "pass", "fail", "timeout"


def holds_tries(head: Any) -> bool:
    "Whether `eval` maps tasks to lists, of other samples than those of BigCodeBench."
    # Any document that maps names to lists under `eval` looks the same; its entries have no
    # `base_status`, and the refusal says so.
    return maps_lists(head["eval"]) and not holds_statuses(head)


def holds_statuses(head: Any) -> bool:
    "Whether every sample of every task has one status, where evalplus has one for each test."
    if not maps_lists(head["eval"]): return False
    samples = [sample for tries in head["eval"].values() for sample in tries]
    return bool(samples) and all(has_keys(sample, "status") for sample in samples)


def maps_lists(tasks: Any) -> bool:
    return isinstance(tasks, dict) and all(isinstance(tries, list) for tries in tasks.values())


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample; under the added tests (plus) it is right if it passes the first ones too."
    tasks: Tasks = log.head["eval"]
    tests = ask.choose(log, "score", list_tests(tasks), ["plus", "base"])
    expect_tries(log, ask)
    need = ["base_status", "plus_status"] if tests == "plus" else ["base_status"]
    took = dict(question="task_id", sample="position", correct=f"{' and '.join(need)} 'pass'",
                answer="solution")
    return took, (row | dict(correct=pass_all([sample[name] for name in need]))
                  for row, sample in list_tries(tasks))


def list_tests(tasks: Tasks) -> list[str]:
    "The tests that were run on some sample."
    samples = (sample for tries in tasks.values() for sample in tries)
    added = any(sample.get("plus_status") is not None for sample in samples)
    return ["plus", "base"] if added else ["base"]


def pass_all(statuses: Sequence[str | None]) -> bool | None:
    "Whether all tests passed; None if some were not run."
    return None if None in statuses else all(status == "pass" for status in statuses)


def list_tries(tasks: Tasks) -> Iterator[tuple[Row, Any]]:
    "Question, place and answer of each sample, and the sample."
    for task, tries in tasks.items():
        for place, sample in enumerate(tries):
            yield dict(question=task, sample=place, answer=sample.get("solution")), sample


def expect_tries(log: Log, ask: Ask) -> None:
    "Expect an outcome of each program that lies beside the document."
    if not log.path.name.endswith(RESULTS): return
    programs = log.path.name.removesuffix(RESULTS) + ".jsonl"
    expect_programs(log, ask, log.path.with_name(programs))


def bigcode_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample of BigCodeBench."
    # The harness names the model in the same way; the file that it writes has no other trace of it.
    model, cut, _ = log.path.stem.partition("--bigcodebench-")
    expect_tries(log, ask)
    took = dict(question="task_id", sample="position", correct="status 'pass'", answer="solution")
    return took, read_statuses(log, model if cut else None)


def read_statuses(log: Log, model: str | None) -> Iterator[Row]:
    for row, sample in list_tries(log.head["eval"]):
        if sample["status"] not in STATUSES:
            raise ValueError(f"a status must be one of {quote_names(STATUSES)}, got "
                             f"{shorten(sample['status'])} for {row['question']} "
                             f"in {log.path.name}")
        yield row | dict(model=model, correct=sample["status"] == "pass")
