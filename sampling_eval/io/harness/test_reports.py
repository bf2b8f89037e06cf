"""Reports of repeated tests, as JUnit XML and by pytest-json-report: a test is a question."""
from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from ...records import dataclass
from ..text_files import open_bytes
from .ask import Ask, Row, Rows
from .limits import TooLarge, shorten, tell_excess
from .log import Log

STEP = re.compile(r"(.*?)(?:\[|-)(\d+)-(\d+)\]")  # What pytest-repeat adds to the name of a test
# What pytest calls outcomes; a test that is expected to fail is right where its body passes.
OUTCOMES = dict(passed=True, xpassed=True, failed=False, xfailed=False, error=None, skipped=None)
RETRIES = "flakyFailure", "flakyError", "rerunFailure", "rerunError"  # Of Maven's Surefire
TOOK = dict(question="test", sample="run, or step of pytest-repeat", correct="outcome")


@dataclass
class Case:
    "What became of a test in one run."
    test: str  # Its name
    outcome: str  # Word of `OUTCOMES`


def json_rows(log: Log, ask: Ask) -> Rows:
    "One row per test of pytest-json-report."
    cases = [Case(test["nodeid"], test["outcome"]) for test in log.head["tests"]]
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
    with open_bytes(log.path) as file:
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
    return Case(test, name_outcome(case, parts))


def name_outcome(case: ElementTree.Element, parts: Sequence[str]) -> str:
    "The outcome of a test case in the words of pytest."
    if "error" in parts: return "error"
    if "failure" in parts: return "failed"
    skipped = case.find("skipped")
    if skipped is None: return "passed"
    return "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"


def tell_cases(cases: Sequence[Case], log: Log, ask: Ask) -> Rows:
    refuse_reruns(cases, log)
    for case in cases:
        if case.outcome in OUTCOMES: continue
        raise ValueError(f"an outcome must be one of {', '.join(OUTCOMES)}, got "
                         f"{shorten(case.outcome)} for {case.test} in {log.path.name}")
    counted = Counter(case.outcome for case in cases)
    if counted["skipped"]: ask.add_note("skipped_tests", count=counted["skipped"])
    ask.note_missing("test", "that broke down outside its body", counted["error"])
    return TOOK, number_cases(cases)


def refuse_reruns(cases: Sequence[Case], log: Log) -> None:
    "Refuse a test that stands twice: its first runs are reruns, which look as if they passed."
    times = Counter(case.test for case in cases)
    again = [test for test in times if times[test] > 1]
    if not again: return
    raise ValueError(f"a test must stand once in a file, got {times[again[0]]} times {again[0]} in "
                     f"{log.path.name} ({len(again)} of {len(times)} fail): reruns of failed tests "
                     "are no samples; repeat with pytest --count, or write one file per run")


def number_cases(cases: Sequence[Case]) -> Iterator[Row]:
    steps = find_steps([case.test for case in cases])
    for case in cases:
        if case.outcome == "skipped": continue  # Nobody asked: no sample, and none that is missing
        test, sample = steps.get(case.test, (case.test, 0))
        correct = OUTCOMES[case.outcome]
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
