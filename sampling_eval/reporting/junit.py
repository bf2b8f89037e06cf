"""The verdicts of a gate as JUnit XML, which systems of continuous integration show as tests."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..report.text import printable
from .verdict_words import describe_gate, say_check

if TYPE_CHECKING: from .gate_facts import GateFacts

__all__ = ["Case", "list_cases", "write_junit"]

SUITE = "sampling_eval.gate"
# What becomes of a verdict; a case that passes has no element of its own.
ELEMENTS = {"fail": "failure", "weak": "skipped"}


@dataclass(frozen=True)
class Case:
    "A rule, or a single question, as a test case."
    group: str  # Kind of rule: `rules`, `must_pass` or `falls`
    name: str  # The rule, or the question
    verdict: str  # `pass`, `fail` or `weak`
    said: str  # Why


def list_cases(
    gate: GateFacts,  # Verdicts on a new system
) -> Iterator[Case]:  # Rules first
    "Every rule, every question that must pass, and every question that fell where none may."
    for row in gate.rows: yield Case("rules", row.rule, row.verdict, say_check(row, gate))
    for one in gate.must_pass:
        said = f"{one.right} of {one.samples} samples are right, {one.needed} are needed"
        yield Case("must_pass", str(one.question), one.verdict, said)
    if not gate.allows_falls:
        for fall in gate.falls:
            if fall.certain: yield Case("falls", str(fall.question), "fail", f"fell: {fall}")


def write_junit(
    gate: GateFacts,  # Verdicts on a new system
    strict: bool = False,  # Whether a weak rule fails
    weak_passes: bool = False,  # Whether a weak rule passes
    timestamp: str | None = None,  # Such as `2026-01-31T12:00:00`; the present time if None
    skip_inconclusive: bool = False,  # Whether a weak rule is skipped; else it fails
) -> str:  # XML
    "A test suite with one case for every rule and every question with a verdict of its own."
    cases = list(list_cases(gate))
    # A command ends with 3 where a rule is weak, which stops a job as a failure does.
    skips = skip_inconclusive and not strict
    weak = "pass" if weak_passes else "weak" if skips else "fail"
    verdicts = [weak if case.verdict == "weak" else case.verdict for case in cases]
    suites = Element("testsuites")
    number = Counter(verdicts)
    time = timestamp or datetime.now().isoformat(timespec="seconds")
    suite = SubElement(suites, "testsuite", dict(
        name=SUITE, package="sampling_eval", id="0", timestamp=time, hostname="localhost",
        tests=str(len(cases)), failures=str(number["fail"]), errors="0",
        skipped=str(number["weak"]), time="0"))
    properties = SubElement(suite, "properties")
    systems = " against ".join(filter(None, gate.names))
    for name, value in (("verdict", gate.verdict), ("systems", systems)):
        SubElement(properties, "property", dict(name=name, value=printable(value)))
    for case, verdict in zip(cases, verdicts): add_case(suite, case, verdict)
    SubElement(suite, "system-out").text = printable(describe_gate(gate))
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
