"""DeepEval: a document with the test cases of a run and the verdicts of its metrics."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from .ask import Ask, Row, Rows, as_number, has_keys, name_outcome, number_samples
from .log import Log

LATEST = "testRunData"  # Where the file on the latest run keeps it
SUCCESS = "success"  # The verdict on a test case, over all metrics
# What tells test cases of one input apart.
EXPECTED = "expectedOutput", "context", "expectedOutcome"


def recognise(head: Any) -> bool:
    "Whether it is a run, or the file on the latest one."
    return has_keys(take_run(head), "testCases", "conversationalTestCases", "metricsScores")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per test case."
    run = take_run(log.head)
    cases = [*run["testCases"], *run["conversationalTestCases"]]
    metrics = [metric["name"] for case in cases for metric in list_metrics(case)]
    name = ask.choose_score(log, [SUCCESS, *metrics], [SUCCESS])
    if name == SUCCESS:
        ask.note_missing("test case", "that a metric failed to judge", sum(map(is_unjudged, cases)))
    about = dict(model=name_model(run), task=run.get("datasetAlias"))
    passed, failed = run.get("testPassed"), run.get("testFailed")
    if isinstance(passed, int) and isinstance(failed, int):
        ask.expect(passed + failed, f"testPassed and testFailed in {log.path.name}")
    ask.note_unordered()
    took = dict(question="input", sample="repetition of a test case")
    took |= dict(correct=name) if name == SUCCESS else name_outcome(name)
    return took | dict(answer="actualOutput"), (row | about for row in make_rows(cases, name))


def take_run(head: Any) -> Any: return head[LATEST] if has_keys(head, LATEST) else head


def list_metrics(case: dict[str, Any]) -> list[Any]: return case.get("metricsData") or []


def is_unjudged(case: dict[str, Any]) -> bool:
    "Whether a metric broke down that decides, and none said that the test case failed."
    deciding = [metric for metric in list_metrics(case) if not metric.get("flaky")]
    judged = [metric for metric in deciding if not metric.get("error")]
    return len(judged) < len(deciding) and all(metric.get("success") for metric in judged)


def name_model(run: dict[str, Any]) -> str | None:
    "The model that the hyperparameters of a run name, if they do."
    model = (run.get("hyperparameters") or {}).get("model")
    return model if isinstance(model, str) else None


def make_rows(cases: Iterable[Any], name: str | None) -> Iterator[Row]:
    for place, (question, case) in number_samples(number_inputs(cases), itemgetter(0)):
        row = dict(question=question, sample=place, answer=case.get("actualOutput"),
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
