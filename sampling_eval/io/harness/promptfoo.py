"""promptfoo: a result per test, prompt and repetition, as JSON, JSON lines or CSV."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from ...records import dataclass
from .ask import Ask, Row, Rows, has_keys
from .limits import csv_rows, quote_names, shorten
from .log import Log, read_sidecar

BROKEN = 2  # The `failureReason` of a result that failed before it could be judged
COLUMNS = ["Status", "Score"]  # What follows the outputs of a prompt in CSV
STATUSES = "PASS", "FAIL", "ERROR"
STATS = "successes", "failures", "errors"  # Where early versions count no errors


@dataclass(frozen=True)
class Result:
    "One repetition of a test with one prompt."
    place: int  # Number of the repetition, `testIdx`; each repetition of a test has its own
    test: str  # What is asked and checked
    prompt: int  # Number of the prompt; the same text has another for each provider
    provider: str  # Name of the model
    parts: Row  # Outcome and answer


def recognise(head: Any) -> bool:
    "Whether results and their statistics stand inside `results`."
    return has_keys(head["results"], "results", "stats")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per result of a document."
    return _tell_results(map(_read_record, log.head["results"]["results"]), log, ask)


def line_rows(log: Log, ask: Ask) -> Rows:
    "One row per line."
    return _tell_results(map(_read_record, log.records()), log, ask)


def recognise_table(head: Any) -> bool:
    "Whether the columns of a table tell the status of outputs."
    return bool(_find_prompts(head))


def table_rows(log: Log, ask: Ask) -> Rows:
    "One row per output of a table, whose lines have one for each prompt."
    return _tell_results(_read_table(log), log, ask)


def _read_record(record: dict[str, Any]) -> Result:
    case, provider = record.get("testCase") or {}, record["provider"]
    asked = [case.get("vars", record.get("vars")), case.get("assert")]
    name = provider if isinstance(provider, str) else provider.get("label") or provider["id"]
    parts = dict(correct=record["success"], score=record["score"],
                 answer=(record.get("response") or {}).get("output"),
                 lost=record.get("failureReason") == BROKEN)
    return Result(record["testIdx"], json.dumps(asked, sort_keys=True), record["promptIdx"], name,
                  parts)


def _find_prompts(columns: Sequence[str]) -> list[int]:
    "Where the outputs of each prompt stand; each column is named `[provider] prompt`."
    places = range(len(columns) - len(COLUMNS))
    return [place for place in places
            if columns[place + 1:place + 3] == COLUMNS and columns[place].startswith("[")]


def _read_table(log: Log) -> Iterator[Result]:
    prompts = _find_prompts(log.head)
    for place, line in enumerate(csv_rows(log.path, log.limits)):
        test = json.dumps(line[:prompts[0]])
        for prompt, column in enumerate(prompts):
            provider = log.head[column][1:].partition("] ")[0]
            parts = _read_cells(line[column], line[column + 1], log)
            yield Result(place, test, prompt, provider, parts)


def _read_cells(output: str, status: str, log: Log) -> Row:
    if status in STATUSES:  # Scores are rounded in CSV, and left out
        return dict(correct=status == "PASS", answer=output, lost=status == "ERROR")
    raise ValueError(f"a status must be one of {quote_names(STATUSES)}, got {shorten(status)} "
                     f"in {log.path.name}")


def _tell_results(results: Iterable[Result], log: Log, ask: Ask) -> Rows:
    took = dict(question="first testIdx of a test", sample="repetition", correct="success",
                answer="output")
    found = sorted(results, key=attrgetter("place", "prompt"))
    if _is_written_twice(found, log, ask): return took, iter(())
    _expect_results(log, ask)
    tests = {result.place: result.test for result in found}
    questions = dict(zip(tests, _find_questions(list(tests), list(tests.values()))))
    return took, _number_results(found, questions, _name_models(found))


def _expect_results(log: Log, ask: Ask) -> None:
    "Expect what the statistics of the document count, which JSON lines and CSV may lie beside."
    path = log.path if log.kind == "document" else log.path.with_suffix(".json")
    head = log.head if path == log.path else read_sidecar(path, log.limits)
    if "results" not in head or not recognise(head): return
    stats = head["results"]["stats"] or {}
    sizes = [stats.get(name) for name in STATS]
    known = [size for size in sizes if isinstance(size, int)]
    if sizes[:2] == known[:2]: ask.expect(sum(known), f"stats in {path.name}")


def _is_written_twice(results: Iterable[Result], log: Log, ask: Ask) -> bool:
    "Whether they were read in another format, which one run writes under the same name."
    name = log.path.with_suffix("")
    outcomes = [(result.place, result.prompt, result.parts["correct"], result.parts["lost"])
                for result in results]
    if ask.is_new(name): ask.seen[name] = outcomes
    elif ask.seen[name] == outcomes:
        ask.note(f"{log.path.name} holds the same results and was left out")
        return True
    return False


def _name_models(results: Iterable[Result]) -> dict[int, str]:
    "The model of each prompt; with the prompt's number if a model has several."
    providers = {result.prompt: result.provider for result in results}
    if len(set(providers.values())) == len(providers): return providers
    return {prompt: name + f" with prompt {prompt}" for prompt, name in providers.items()}


def _number_results(results: Iterable[Result], questions: dict[int, int],
                    models: dict[int, str]) -> Iterator[Row]:
    seen: Counter[tuple[int, int]] = Counter()
    for result in results:
        cell = questions[result.place], result.prompt
        yield result.parts | dict(question=cell[0], sample=seen[cell], model=models[result.prompt])
        seen[cell] += 1


def _find_questions(places: Sequence[int], tests: Sequence[str]) -> list[int]:
    """The first place of the test that each place repeats.

    How often a test is repeated is stored in one format of three, so it is found: the largest
    number of times that all tests are, one after the other. Two equal tests that stand apart are
    then two questions. Without such a number, equal tests are one question.
    """
    first: dict[str, int] = {}
    equal = [first.setdefault(test, place) for place, test in zip(places, tests)]
    for times in range(len(equal), 1, -1):
        if len(equal) % times: continue
        found = _cut_repeats(equal, times)
        if found: return [places[index] for index in found]
    return equal


def _cut_repeats(tests: list[int], times: int) -> list[int]:
    "The index of the first repetition for each; empty if not all tests are repeated so often."
    found: list[int] = []
    while len(found) < len(tests):
        start = len(found)
        size = _find_period(tests, start, times)
        if not size: return []
        found += [*range(start, start + size)] * times
    return found


def _find_period(tests: list[int], start: int, times: int) -> int:
    "How many variants of the test at an index come before its next repetition; 0 if it has none."
    for size in range(1, (len(tests) - start) // times + 1):
        if tests[start + size] != tests[start]: continue
        variants = tests[start:start + size]
        if tests[start:start + size * times] == variants * times: return size
    return 0
