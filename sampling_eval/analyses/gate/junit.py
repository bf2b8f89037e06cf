"""A gate in continuous integration: JUnit, and what GitHub shows of a step.

Both are made of cases: every rule, every must-pass question, and every question that regressed
where none may.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...errors import OptionError
from ...spelling import PYTHON, Spelling, name_option, spell
from ...render.citations import cite
from ...render.text import printable
from ...results.verdict import GateVerdict
from .result import Gate
from .words import describe_check, describe_must_pass, methods, question_with_drop

__all__ = ["Case", "cases_of", "write_junit", "summary_path", "append_summary", "write_annotations",
           "silence_commands", "in_workflow"]

SUITE = "sampling_eval.gate"
# What becomes of a verdict; a case that passes has no element of its own.
ELEMENTS = {"fail": "failure", "inconclusive": "skipped"}


class Case(NamedTuple):
    "A rule, or a single question, as a test case."
    group: str  # Kind of rule: `rules`, `must_pass` or `regressions`
    name: str  # The rule, or the question
    verdict: GateVerdict
    said: str  # Why


def cases_of(gate: Gate) -> Iterator[Case]:
    "Every rule, every must-pass question, and every regression where none is allowed."
    for row in gate.rows: yield Case("rules", row.rule, row.verdict, describe_check(gate, row))
    for one in gate.must_pass:
        yield Case("must_pass", str(one.question), one.verdict, f"{describe_must_pass(one)}.")
    if not gate.forbids_regressions: return
    for lost in gate.regressions:
        if lost.significant:
            said = f"Regressed: {question_with_drop(lost)}."
            yield Case("regressions", str(lost.question), "fail", said)


def write_junit(
    gate: Gate,  # Verdicts on a new system
    strict: bool = False,  # Whether an inconclusive rule fails
    inconclusive_passes: bool = False,  # Whether an inconclusive rule passes
    timestamp: str | None = None,  # Such as `2026-01-31T12:00:00`; the present time if None
    skip_inconclusive: bool = False,  # Whether an inconclusive rule is skipped; else it fails
    spelling: Spelling = PYTHON,  # How sentences spell options
) -> str:  # XML
    "A test suite with one case for every rule and every question with a verdict of its own."
    cases = list(cases_of(gate))
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
    for case, verdict in zip(cases, verdicts):
        add_case(suite, case._replace(said=spell(case.said, spelling)), verdict)
    SubElement(suite, "system-out").text = printable(spell(cite(methods(gate)), spelling))
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


# GitHub


MOST_ANNOTATIONS = 10  # Annotations of each kind that GitHub shows of a step
HIDDEN = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
HIDDEN_TITLE = HIDDEN | str.maketrans({":": "%3A", ",": "%2C"})


def in_workflow(environment: Mapping[str, str]) -> bool:
    "Whether the command runs in a workflow."
    return environment.get("GITHUB_ACTIONS") == "true"


def summary_path(
    path: str | None,  # Where the summary goes; empty for the file that GitHub names
    environment: Mapping[str, str],  # Environment of the command
) -> Path | None:  # None where no summary is wanted
    """The file of the summary.

    Raises: `ValueError` where GitHub names none.
    """
    if path is None: return None
    found = path or environment.get("GITHUB_STEP_SUMMARY", "")
    if not found:
        name = name_option("github_summary")
        raise OptionError("github_summary",
                          f"{name} needs a path where $GITHUB_STEP_SUMMARY is not set")
    return Path(found)


def append_summary(path: Path, text: str) -> None:
    """Add Markdown to the summary of a step, which may hold what others wrote.

    Raises: `OSError` where it cannot be written.
    """
    # A table that follows text without an empty line would be part of its paragraph.
    with open(path, "a+", encoding="utf-8", newline="\n") as file:
        file.write(f"\n{text}" if file.tell() else text)


def write_annotations(
    gate: Gate,  # Verdicts on a new system
    strict: bool = False,  # Whether an inconclusive rule fails
    inconclusive_passes: bool = False,  # Whether an inconclusive rule passes
    spelling: Spelling = PYTHON,  # How sentences spell options
) -> list[str]:  # Lines that GitHub turns into annotations
    "An error for what fails, and a warning for what is inconclusive unless that passes."
    undecided = "error" if strict else "notice" if inconclusive_passes else "warning"
    levels = {"fail": "error", "inconclusive": undecided}
    found = [case for case in cases_of(gate) if case.verdict in levels]
    lines = [f"::{levels[case.verdict]} title={hide(case.name, HIDDEN_TITLE)}::"
             f"{hide(spell(case.said, spelling))}" for case in found]
    return lines[:MOST_ANNOTATIONS]


def hide(text: str, signs: Mapping[int, str] = HIDDEN) -> str:
    "A text that ends no command."
    return printable(text).translate(signs)


def silence_commands(text: str) -> str:
    "A text in which GitHub looks for no commands: names in data may look like some."
    token = token_hex(16)
    return f"::stop-commands::{token}\n{text}::{token}::\n"
