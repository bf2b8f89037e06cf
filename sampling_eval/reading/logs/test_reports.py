"""Tests: promptfoo and DeepEval; repeated tests in JUnit XML and by pytest-json-report."""
from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias
from xml.etree import ElementTree

from .ask import Ask, Row, Rows, as_number, has_keys, name_outcome, number_samples
from .limits import TooLarge, csv_rows, open_packed, quote_names, shorten, tell_excess
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
    return [place for place, name in enumerate(columns)
            if columns[place + 1:place + 3] == COLUMNS and name.startswith("[")]


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


# Repeated tests, as JUnit XML and by pytest-json-report: a test is a question.

STEP = re.compile(r"(.*?)(?:\[|-)(\d+)-(\d+)\]")  # What pytest-repeat adds to the name of a test
# What pytest calls outcomes; a test that is expected to fail is right where its body passes.
OUTCOMES = dict(passed=True, xpassed=True, failed=False, xfailed=False, error=None, skipped=None)
RETRIES = "flakyFailure", "flakyError", "rerunFailure", "rerunError"  # Of Maven's Surefire
TOOK = dict(question="test", sample="run, or step of pytest-repeat", correct="outcome")


Case: TypeAlias = tuple[str, str]  # Name of a test, and its outcome as a word of `OUTCOMES`


def json_rows(log: Log, ask: Ask) -> Rows:
    "One row per test of pytest-json-report."
    cases = [(test["nodeid"], test["outcome"]) for test in log.head["tests"]]
    expect_collected(log, ask)
    return tell_cases(cases, log, ask)


def expect_collected(log: Log, ask: Ask) -> None:
    "Expect every test that was collected: with `pytest -x` some were not run."
    summary = log.head["summary"]
    if "collected" not in summary: return
    left_out = summary.get("deselected", 0) + summary.get("skipped", 0)
    ask.expect(summary["collected"] - left_out, f"collected in {log.path.name}")


def junit_rows(log: Log, ask: Ask) -> Rows:
    "One row per test case of JUnit XML."
    return tell_cases([read_case(case, log) for case in parse_xml(log).iter("testcase")], log, ask)


def parse_xml(log: Log) -> ElementTree.Element:
    size = log.path.stat().st_size
    if size > log.limits.document:
        raise TooLarge(tell_excess("an XML document", log.limits.document, log.path.name,
                                   "document"))
    with open_packed(log.path) as file:
        try: return ElementTree.parse(file).getroot()
        except ElementTree.ParseError as fault:
            raise ValueError(f"need valid XML, got {fault} in {log.path.name}") from None


def read_case(case: ElementTree.Element, log: Log) -> Case:
    name, parts = case.attrib["name"], [part.tag for part in case]
    if retried := [tag for tag in parts if tag in RETRIES]:
        raise ValueError(f"a test must run once, got <{retried[0]}> for {shorten(name)} in "
                         f"{log.path.name}: failed tests were run until they passed, so that their "
                         "outcomes depend on one another; write one file per run without reruns")
    test = "::".join(filter(None, [case.get("classname"), name]))
    return test, find_word(case, parts)


def find_word(case: ElementTree.Element, parts: Sequence[str]) -> str:
    "The outcome of a test case in the words of pytest."
    if "error" in parts: return "error"
    if "failure" in parts: return "failed"
    skipped = case.find("skipped")
    if skipped is None: return "passed"
    return "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"


def tell_cases(cases: Sequence[Case], log: Log, ask: Ask) -> Rows:
    refuse_reruns(cases, log)
    for test, outcome in cases:
        if outcome in OUTCOMES: continue
        raise ValueError(f"an outcome must be one of {', '.join(OUTCOMES)}, got "
                         f"{shorten(outcome)} for {test} in {log.path.name}")
    counted = Counter(outcome for _, outcome in cases)
    if counted["skipped"]: ask.add_note("skipped_tests", count=counted["skipped"])
    ask.note_missing("test", "that broke down outside its body", counted["error"])
    return TOOK, number_cases(cases)


def refuse_reruns(cases: Sequence[Case], log: Log) -> None:
    "Refuse a test that stands twice: its first runs are reruns, which look as if they passed."
    times = Counter(test for test, _ in cases)
    again = [test for test in times if times[test] > 1]
    if not again: return
    raise ValueError(f"a test must stand once in a file, got {times[again[0]]} times {again[0]} in "
                     f"{log.path.name} ({len(again)} of {len(times)} fail): reruns of failed tests "
                     "are no samples; repeat with pytest --count, or write one file per run")


def number_cases(cases: Sequence[Case]) -> Iterator[Row]:
    steps = find_steps([name for name, _ in cases])
    for name, outcome in cases:
        if outcome == "skipped": continue  # Nobody asked: no sample, and none that is missing
        test, sample = steps.get(name, (name, 0))
        correct = OUTCOMES[outcome]
        yield dict(question=test, sample=sample, correct=correct, missing=correct is None)


def find_steps(tests: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Test and number of the run of each name that pytest-repeat made, such as `test_it[2-5]`.

    Two numbers in brackets may be parameters too. They are steps where every test of the file has
    them with one total, or where all steps of a test are there.
    """
    found: defaultdict[tuple[str, int], dict[int, str]] = defaultdict(dict)
    for test in tests:
        match = STEP.fullmatch(test)
        if match is None: continue
        base, step, total = match[1], int(match[2]), int(match[3])
        # Other parameters of the test stand before the step, in the same brackets.
        found[base + "]" * ("[" in base), total][step] = test
    size = sum(map(len, found.values()))
    everywhere = size == len(tests) and len({total for _, total in found}) == 1
    return {test: (base, step - 1)
            for (base, total), steps in found.items()
            if everywhere or total > 1 and steps.keys() == set(range(1, total + 1))
            for step, test in steps.items()}
