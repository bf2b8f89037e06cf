"""Tests of applications: promptfoo and DeepEval."""
from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Any

from ...records import dataclass
from .ask import Ask, Row, Rows, as_number, has_keys, name_outcome, number_samples
from .limits import csv_rows, quote_names, shorten
from .log import Log, read_sidecar


# promptfoo: a result per test, prompt and repetition, as JSON, JSON lines or CSV.

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


def recognise_results(head: Any) -> bool:
    "Whether results and their statistics stand inside `results`."
    return has_keys(head["results"], "results", "stats")


def document_rows(log: Log, ask: Ask) -> Rows:
    "One row per result of a document."
    return tell_results(map(read_record, log.head["results"]["results"]), log, ask)


def line_rows(log: Log, ask: Ask) -> Rows:
    "One row per line."
    return tell_results(map(read_record, log.records()), log, ask)


def recognise_table(head: Any) -> bool:
    "Whether the columns of a table tell the status of outputs."
    return bool(find_prompts(head))


def table_rows(log: Log, ask: Ask) -> Rows:
    "One row per output of a table, whose lines have one for each prompt."
    return tell_results(list_outputs(log), log, ask)


def read_record(record: dict[str, Any]) -> Result:
    case, provider = record.get("testCase") or {}, record["provider"]
    asked = [case.get("vars", record.get("vars")), case.get("assert")]
    name = provider if isinstance(provider, str) else provider.get("label") or provider["id"]
    parts = dict(correct=record["success"], score=record["score"],
                 answer=(record.get("response") or {}).get("output"),
                 missing=record.get("failureReason") == BROKEN,
                 said=((record.get("prompt") or {}).get("raw"), None))
    return Result(record["testIdx"], json.dumps(asked, sort_keys=True), record["promptIdx"], name,
                  parts)


def find_prompts(columns: Sequence[str]) -> list[int]:
    "Where the outputs of each prompt stand; each column is named `[provider] prompt`."
    places = range(len(columns) - len(COLUMNS))
    return [place for place in places
            if columns[place + 1:place + 3] == COLUMNS and columns[place].startswith("[")]


def list_outputs(log: Log) -> Iterator[Result]:
    prompts = find_prompts(log.head)
    for place, line in enumerate(csv_rows(log.path, log.limits)):
        test = json.dumps(line[:prompts[0]])
        for prompt, column in enumerate(prompts):
            provider = log.head[column][1:].partition("] ")[0]
            parts = read_status(line[column], line[column + 1], log)
            yield Result(place, test, prompt, provider, parts)


def read_status(output: str, status: str, log: Log) -> Row:
    if status in STATUSES:  # Scores are rounded in CSV, and left out
        return dict(correct=status == "PASS", answer=output, missing=status == "ERROR")
    raise ValueError(f"a status must be one of {quote_names(STATUSES)}, got {shorten(status)} "
                     f"in {log.path.name}")


def tell_results(results: Iterable[Result], log: Log, ask: Ask) -> Rows:
    took = dict(question="first testIdx of a test", sample="repetition", correct="success",
                answer="output")
    found = sorted(results, key=attrgetter("place", "prompt"))
    if is_written_twice(found, log, ask): return took, iter(())
    expect_results(log, ask)
    tests = {result.place: result.test for result in found}
    questions = dict(zip(tests, find_questions(list(tests), list(tests.values()))))
    return took, number_results(found, questions, name_prompts(found))


def expect_results(log: Log, ask: Ask) -> None:
    "Expect what the statistics of the document count, which JSON lines and CSV may lie beside."
    path = log.path if log.kind == "document" else log.path.with_suffix(".json")
    head = log.head if path == log.path else read_sidecar(path, log.limits)
    if "results" not in head or not recognise_results(head): return
    stats = head["results"]["stats"] or {}
    sizes = [stats.get(name) for name in STATS]
    known = [size for size in sizes if isinstance(size, int)]
    if sizes[:2] == known[:2]: ask.expect(sum(known), f"stats in {path.name}")


def is_written_twice(results: Iterable[Result], log: Log, ask: Ask) -> bool:
    "Whether they were read in another format, which one run writes under the same name."
    name = log.path.with_suffix("")
    outcomes = [(result.place, result.prompt, result.parts["correct"], result.parts["missing"])
                for result in results]
    if ask.is_new(name): ask.seen[name] = outcomes
    elif ask.seen[name] == outcomes:
        ask.add_note("same_results", log.path.name)
        return True
    return False


def name_prompts(results: Iterable[Result]) -> dict[int, str]:
    "The model of each prompt; with the prompt's number if a model has several."
    providers = {result.prompt: result.provider for result in results}
    if len(set(providers.values())) == len(providers): return providers
    return {prompt: name + f" with prompt {prompt}" for prompt, name in providers.items()}


def number_results(results: Iterable[Result], questions: dict[int, int],
                    models: dict[int, str]) -> Iterator[Row]:
    seen: Counter[tuple[int, int]] = Counter()
    for result in results:
        cell = questions[result.place], result.prompt
        yield result.parts | dict(question=cell[0], sample=seen[cell], model=models[result.prompt])
        seen[cell] += 1


def find_questions(places: Sequence[int], tests: Sequence[str]) -> list[int]:
    """The first place of the test that each place repeats.

    How often a test is repeated is stored in one format of three, so it is found: the largest
    number of times that all tests are, one after the other. Two equal tests that stand apart are
    then two questions. Without such a number, equal tests are one question.
    """
    first: dict[str, int] = {}
    equal = [first.setdefault(test, place) for place, test in zip(places, tests)]
    for times in range(len(equal), 1, -1):
        if len(equal) % times: continue
        found = cut_repeats(equal, times)
        if found: return [places[index] for index in found]
    return equal


def cut_repeats(tests: list[int], times: int) -> list[int]:
    "The index of the first repetition for each; empty if not all tests are repeated so often."
    found: list[int] = []
    while len(found) < len(tests):
        start = len(found)
        size = measure_variants(tests, start, times)
        if not size: return []
        found += [*range(start, start + size)] * times
    return found


def measure_variants(tests: list[int], start: int, times: int) -> int:
    "How many variants of the test at an index come before its next repetition; 0 if it has none."
    for size in range(1, (len(tests) - start) // times + 1):
        if tests[start + size] != tests[start]: continue
        variants = tests[start:start + size]
        if tests[start:start + size * times] == variants * times: return size
    return 0


# DeepEval: a document with the test cases of a run and the verdicts of its metrics.

LATEST = "testRunData"  # Where the file on the latest run keeps it
SUCCESS = "success"  # The verdict on a test case, over all metrics
# What tells test cases of one input apart.
EXPECTED = "expectedOutput", "context", "expectedOutcome"


def recognise_test_run(head: Any) -> bool:
    "Whether it is a run, or the file on the latest one."
    return has_keys(take_run(head), "testCases", "conversationalTestCases", "metricsScores")


def deepeval_rows(log: Log, ask: Ask) -> Rows:
    "One row per test case."
    run = take_run(log.head)
    cases = [*run["testCases"], *run["conversationalTestCases"]]
    metrics = [metric["name"] for case in cases for metric in list_metrics(case)]
    name = ask.choose_score(log, [SUCCESS, *metrics], [SUCCESS])
    if name == SUCCESS:
        ask.note_missing("test case", "that a metric failed to judge", sum(map(is_unjudged, cases)))
    about = dict(model=name_tested(run), task=run.get("datasetAlias"))
    passed, failed = run.get("testPassed"), run.get("testFailed")
    if isinstance(passed, int) and isinstance(failed, int):
        ask.expect(passed + failed, f"testPassed and testFailed in {log.path.name}")
    ask.note_unordered()
    took = dict(question="input", sample="repetition of a test case")
    took |= dict(correct=name) if name == SUCCESS else name_outcome(name)
    return took | dict(answer="actualOutput"), (row | about for row in make_case_rows(cases, name))


def take_run(head: Any) -> Any: return head[LATEST] if has_keys(head, LATEST) else head


def list_metrics(case: dict[str, Any]) -> list[Any]: return case.get("metricsData") or []


def is_unjudged(case: dict[str, Any]) -> bool:
    "Whether a metric broke down that decides, and none said that the test case failed."
    deciding = [metric for metric in list_metrics(case) if not metric.get("flaky")]
    judged = [metric for metric in deciding if not metric.get("error")]
    return len(judged) < len(deciding) and all(metric.get("success") for metric in judged)


def name_tested(run: dict[str, Any]) -> str | None:
    "The model that the hyperparameters of a run name, if they do."
    model = (run.get("hyperparameters") or {}).get("model")
    return model if isinstance(model, str) else None


def make_case_rows(cases: Iterable[Any], name: str | None) -> Iterator[Row]:
    for place, (question, case) in number_samples(number_inputs(cases), itemgetter(0)):
        row = dict(question=question, sample=place, answer=case.get("actualOutput"),
                   said=(case.get("input") or case.get("scenario"), case.get("actualOutput")),
                   target=case.get("expectedOutput"))
        yield row | read_outcome(case, name)


def number_inputs(cases: Iterable[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    "Each test case with its input; a number follows where other things are expected of it."
    seen: defaultdict[str, list[Any]] = defaultdict(list)
    for case in cases:
        text = case.get("input") or case.get("scenario") or case["name"]
        expected = [case.get(key) for key in EXPECTED]
        if expected not in seen[text]: seen[text].append(expected)
        place = seen[text].index(expected)
        yield f"{text} ({place + 1})" if place else text, case


def read_outcome(case: dict[str, Any], name: str | None) -> Row:
    if name is None: return {}
    if name == SUCCESS: return dict(correct=case.get(SUCCESS), missing=is_unjudged(case))
    scores = {metric["name"]: metric.get("score") for metric in list_metrics(case)}
    return dict(score=as_number(scores.get(name), name))
