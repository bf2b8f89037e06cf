"""The verdicts of a gate as JUnit XML, which systems of continuous integration show as tests."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..records import dataclass
from ..results.verdicts import Gate, Verdict
from .gate import methods
from .single_questions import describe_must_pass, describe_regression
from .sources import cite
from .text import printable
from .verdicts import describe_check

__all__ = ["Case", "list_cases", "write_junit"]

SUITE = "sampling_eval.gate"
# What becomes of a verdict; a case that passes has no element of its own.
ELEMENTS = {"fail": "failure", "inconclusive": "skipped"}


@dataclass(frozen=True)
class Case:
    "A rule, or a single question, as a test case."
    group: str  # Kind of rule: `rules`, `must_pass` or `regressions`
    name: str  # The rule, or the question
    verdict: Verdict
    said: str  # Why


def list_cases(
    gate: Gate,  # Verdicts on a new system
) -> Iterator[Case]:  # Rules first
    "Every rule, every must-pass question, and every regression where none is allowed."
    for row in gate.rows: yield Case("rules", row.rule, row.verdict, describe_check(gate, row))
    for one in gate.must_pass:
        yield Case("must_pass", str(one.question), one.verdict, f"{describe_must_pass(one)}.")
    if not gate.forbids_regressions: return
    for lost in gate.regressions:
        if lost.significant:
            said = f"Regressed: {describe_regression(lost)}."
            yield Case("regressions", str(lost.question), "fail", said)


def write_junit(
    gate: Gate,  # Verdicts on a new system
    strict: bool = False,  # Whether an inconclusive rule fails
    inconclusive_passes: bool = False,  # Whether an inconclusive rule passes
    timestamp: str | None = None,  # Such as `2026-01-31T12:00:00`; the present time if None
    skip_inconclusive: bool = False,  # Whether an inconclusive rule is skipped; else it fails
) -> str:  # XML
    "A test suite with one case for every rule and every question with a verdict of its own."
    cases = list(list_cases(gate))
    # A command ends with 3 where a rule is inconclusive, which stops a job as a failure does.
    skips = skip_inconclusive and not strict
    become = "pass" if inconclusive_passes else "inconclusive" if skips else "fail"
    verdicts = [become if case.verdict == "inconclusive" else case.verdict for case in cases]
    number = Counter(ELEMENTS.get(verdict) for verdict in verdicts)
    suites = Element("testsuites")
    suite = SubElement(suites, "testsuite", dict(
        name=SUITE, package="sampling_eval", id="0", hostname="localhost",
        timestamp=timestamp or datetime.now().isoformat(timespec="seconds"),
        tests=str(len(cases)), failures=str(number["failure"]), errors="0",
        skipped=str(number["skipped"]), time="0"))
    properties = SubElement(suite, "properties")
    systems = " against ".join(filter(None, gate.names))
    for name, value in (("verdict", gate.verdict), ("systems", systems)):
        SubElement(properties, "property", dict(name=name, value=printable(value)))
    for case, verdict in zip(cases, verdicts): add_case(suite, case, verdict)
    SubElement(suite, "system-out").text = printable(cite(methods(gate)))
    SubElement(suite, "system-err")
    indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(suites, encoding="unicode")}\n'


def add_case(suite: Element, case: Case, verdict: str) -> None:
    "Enter one test case."
    named = dict(classname=f"{SUITE}.{case.group}", name=printable(case.name), time="0")
    found = SubElement(suite, "testcase", named)
    if verdict not in ELEMENTS: return
    said = printable(case.said)
    kind = dict(message=said, type=case.verdict) if verdict == "fail" else dict(message=said)
    SubElement(found, ELEMENTS[verdict], kind)
