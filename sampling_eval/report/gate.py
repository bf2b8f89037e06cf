"""The document of a gate: verdict, rules, what to do next, every number and the method."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from ..errors import OptionError, name_option
from ..records import dataclass
from ..results.rows import Method
from ..results.verdicts import Check, Gate, MustPass, QuestionRegression, RegressionPower, Verdict
from .blocks import Block, Code, Fold, Headline, Intervals, Line, Table, Text
from .estimate_tables import describe_max_weight, describe_weights, explain_weights
from .format import (count, count_range, decimal, describe_alignment, describe_method, level,
                     open_sentence, points, pvalue, signed)
from .plot import open_axes, plot_forest
from .questions import list_sides, open_questions
from .reading import describe_read, describe_versions
from .sources import cite
from .text import printable
from .verdicts import (SCOPES, WORDS, describe_check, describe_gate, describe_in_table,
                       describe_must_pass, describe_questions, describe_regression, explain_check,
                       explain_rule, name_baseline, name_new, name_rule, write_ends, write_value)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["document", "page", "title", "methods", "plot", "describe_check", "explain_rules",
           "Case", "list_cases", "write_junit", "find_summary", "append_summary",
           "write_annotations", "silence_commands", "in_workflow"]

MARKS: dict[Verdict, str] = {"pass": "✓", "fail": "✗", "inconclusive": "?"}
ORDER: tuple[Verdict, ...] = "fail", "inconclusive", "pass"
WHICH = dict(new_questions="new", same_questions="same", samples="-")  # Questions of an interval
LISTED = 50  # Questions that a table has
SOURCES = dict(gaffke=" @{gaffke2005}", gamma=" @{fay1997}")  # Of interval methods


def title(gate: Gate) -> str:
    names = " vs ".join(filter(None, gate.names))
    return f"gate {gate.verdict}" + f": {names}" * bool(names)


def document(gate: Gate) -> list[Block]:
    "The verdict, the rules, why and what next; single questions and all numbers on demand."
    blocks: list[Block] = [Headline(describe_gate(gate), gate.verdict), Text(describe_who(gate)),
                           make_table(gate), *draw_rules(gate)]
    said = [describe_in_table(gate, row) for row in sort_rows(gate)]
    if gate.command is not None and gate.command.explains: said = explain_rules(gate)
    elif len(gate.rows) == 1: said = [" ".join(explain_check(gate, gate.rows[0]))]
    blocks += [Text(text) for text in said if text]
    blocks += [Text(text) for text in describe_questions(gate)] + list_steps(gate)
    if gate.command is not None: blocks.append(Text(describe_exit(gate)))
    blocks += [Text(text, "caution") for text in list_cautions(gate)]
    blocks += [Text(text) for text in describe_data(gate)]
    single = list_questions(gate)
    if single: blocks.append(Fold("Single questions", single))
    blocks.append(Fold("All numbers", [make_whole_table(gate)]))
    blocks.append(Fold("Methods", [Text(text) for text in [*explain_targets(gate),
                                                           cite(methods(gate))]]))
    if not gate.read: return blocks
    return [*blocks, Text(open_sentence(describe_read(gate.read)), "note")]


def page(
    gate: Gate,  # Verdicts on a new system
) -> list[Block]:
    "The same with every question, where both systems are from files."
    sides = {name: name for name in gate.names[::-1]}
    each = list_sides(gate.questions, sides) if gate.texts else []
    return open_questions(document(gate), each)


def explain_rules(gate: Gate) -> list[str]:
    "A paragraph on each rule: what was tested, why it came out so, and what would change it."
    return [explain_rule(gate, row) for row in sort_rows(gate)]


def list_cautions(gate: Gate) -> list[str]:
    "What could not be checked of the data, each once."
    versions = [f"{gate.task_versions}."] * bool(gate.task_versions)
    notes = (note.sentence for read in gate.read.values() for note in read.warnings)
    return list(dict.fromkeys([*versions, *notes]))


def sort_rows(gate: Gate) -> list[Check]:
    "What failed first, then what is inconclusive."
    return sorted(gate.rows, key=lambda row: ORDER.index(row.verdict))


def describe_who(gate: Gate) -> str:
    "Who is judged, against whom, on how many questions and samples."
    questions = count(gate.rows[0].questions, "question")
    if gate.samples:
        low, high = min(one for one, _ in gate.samples), max(most for _, most in gate.samples)
        questions += f", {count_range(low, high, 'sample')} each"
    new, *baseline = gate.names
    if baseline: return f"{name_new(gate)} vs {name_baseline(gate)}: the same {questions}."
    return f"{new}: {questions}." if new else f"{questions}."


def list_questions(gate: Gate) -> list[Block]:
    "Questions that must pass, and those that scored lower."
    blocks: list[Block] = []
    if gate.must_pass:
        ordered = sorted(gate.must_pass, key=lambda one: one.verdict == "pass")
        rows = [[str(one.question), f"{one.right}/{one.samples}", f"{one.needed}/{one.samples}",
                 mark_verdict(one.verdict)] for one in ordered]
        blocks += cut_table(["question", "right", "needed", "verdict"], rows, "Must-pass questions")
    if gate.regressions:
        lower = len(gate.regressions)
        if gate.regression_power is not None: lower = gate.regression_power.lower or lower
        which = f" ({len(gate.regressions)} of {lower:,})" * (len(gate.regressions) < lower)
        heads = ["question", "before", "now", "p", "adjusted p", "significant"]
        blocks += cut_table(heads, list(map(write_regression, gate.regressions)),
                            f"Questions that scored lower{which}")
    return blocks


def write_regression(one: QuestionRegression) -> list[str]:
    p = pvalue(one.p, equals=False), pvalue(one.p_adjusted, equals=False)
    return [str(one.question), f"{one.before}/{one.of_before}", f"{one.after}/{one.of_after}", *p,
            "yes" if one.significant else "no"]


def cut_table(heads: list[str], rows: list[list[str]], title: str) -> list[Block]:
    "A table of the first rows, and a sentence on the others."
    more = len(rows) - LISTED
    said = Text(f"{more} more: the JSON form of the gate has them all.")
    return [Table(heads, rows[:LISTED], title), *[said] * (more > 0)]


# Tables and pictures.

def mark_verdict(verdict: Verdict) -> str: return f"{MARKS[verdict]} {WORDS[verdict]}"


def make_table(gate: Gate) -> Table:
    "Each rule with its value, its interval and its verdict."
    known = next((row.method for row in gate.rows if row.method is not None), None)
    ci = "CI" if known is None else f"{level(known.level)} CI"
    return Table(["rule", "value", ci, "questions", "verdict"],
                 [write_row(row) for row in gate.rows])


def write_row(row: Check) -> list[str]:
    name, verdict = name_rule(row), mark_verdict(row.verdict)
    if row.kind == "must_pass":
        return [name, f"{row.value:g} of {row.limit:g}", "-", "-", verdict]
    if row.low is None: return [name, f"{row.value:g}", "-", "-", verdict]
    shown = points(row.value) if row.drop and row.unit == "share" else write_value(row)
    return [name, shown, write_ends(row), WHICH[row.target], verdict]


def make_whole_table(gate: Gate) -> Table:
    "Every number of each rule in decimals."
    heads = ["rule", "value", "low", "high", "limit", "questions", "of", "verdict"]
    return Table(heads, [write_numbers(row) for row in gate.rows])


def write_numbers(row: Check) -> list[str]:
    about = [str(row.questions), SCOPES[row.target], row.verdict]
    if row.low is None: return [row.rule, f"{row.value:g}", "-", "-", f"{row.limit:g}", *about]
    write = signed if row.drop else decimal
    numbers = (row.value, row.low, row.high, row.limit)
    return [row.rule, *map(write, numbers), *about]


def draw_rules(gate: Gate) -> Iterator[Intervals]:
    "The intervals against their limits, on a scale of its own for each unit."
    ranged = sorted((row for row in gate.rows if row.low is not None), key=find_unit)
    for _, group in groupby(ranged, key=find_unit):
        rows = list(group)
        lines = [Line(name_rule(row), write_value(row), row.value, row.low, row.high,
                      f"{write_ends(row)}, {SCOPES[row.target]}", row.limit, row.verdict)
                 for row in rows]
        alt = "; ".join(f"{line.label}: {line.said}, {line.note}, {line.verdict}" for line in lines)
        yield Intervals(lines, alt, zero="no change" * rows[0].drop, limit="limit")


def find_unit(row: Check) -> tuple[bool, str]:
    "What rules have in common that share a scale."
    return not row.drop, "" if row.unit == "share" else row.metric


def plot(
    gate: Gate,  # Verdicts on a new system
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    """Draw how far each value lies from its limit, with its interval.

    Raises: `ValueError` where all rules count questions.
    """
    rows = [row for row in gate.rows if row.low is not None]
    if not rows: raise ValueError("no rule of this gate has an interval to draw")
    far = np.array([[row.value, row.low, row.high] for row in rows], float).T
    far -= [row.limit for row in rows]
    with open_axes(ax, size, rows=len(rows)) as ax:
        return plot_forest([row.rule for row in rows], *far, ax=ax, label="distance from the limit")


# What next.

def list_steps(gate: Gate) -> list[Block]:
    "What to do next: where a gate failed, the questions behind it."
    if gate.verdict != "fail": return []
    if gate.command is not None:
        return [Text("Next, the questions behind it:"), Code(gate.command.explain)]
    typed = "explain(new)" if gate.alignment is None else "explain(baseline, other=new)"
    return [Text(f"Next: {typed} shows the questions behind it.")]


def describe_exit(gate: Gate) -> str:
    "The exit code of the command that judged, and the options that change it."
    command = gate.command
    assert command is not None
    code = gate.exit_code(command.strict, command.inconclusive_passes)
    if gate.verdict != "inconclusive": return f"Exit code {code}."
    if code == 3: return "Exit code 3; --inconclusive-passes makes it 0, --strict 1."
    return f"Exit code {code} ({'--strict' if code else '--inconclusive-passes'})."


def describe_data(gate: Gate) -> list[str]:
    "What a reader has to know of questions, weights and runs."
    said = []
    if gate.identical:
        said.append("baseline and new hold the same outcomes on all "
                    f"{count(gate.rows[0].questions, 'question')}.")
    if gate.alignment is not None and gate.alignment.left_out:
        said.append(f"{open_sentence(describe_alignment(gate.alignment))}.")
    if gate.equal_weights:
        said.append(f"weights: {gate.equal_weights} gives all questions the same weight.")
    weighted = next((row.weights for row in gate.rows if row.weights is not None), None)
    if weighted is not None:
        said.append(f"Questions are {describe_weights(weighted)}. {describe_max_weight(weighted)}")
    return said


# Methods.

def explain_targets(gate: Gate) -> list[str]:
    "What the intervals of the rules are about, and why they differ if they do."
    used = list(dict.fromkeys(row.target for row in gate.rows if row.low is not None))
    if not used: return []
    said = ("Same questions: the CI allows for the sampling of answers to these questions. New "
            "questions: also for the sampling of questions, which mostly makes it wider.")
    if len(used) == 1: return [said]
    return [f"{said} A rule is about the same questions where each has at least 2k samples and the "
            "noise of the metric is known, else about new questions."]


def methods(gate: Gate) -> str:
    "Which rules were judged, by which intervals and tests."
    rules = "; ".join(f"{row.rule} ({count(row.questions, 'question')}, {SCOPES[row.target]})"
                      for row in gate.rows)
    weighted = next((row.weights for row in gate.rows if row.weights is not None), None)
    said = [f"Rules: {rules}.",
            "A rule passes if its whole CI lies at or above the limit, fails if all of it lies "
            "below, and is inconclusive otherwise.", explain_intervals(gate),
            explain_weights(weighted), explain_several(gate), *map(explain_equals, gate.rows)]
    if gate.regression_power: said.append(explain_fisher(gate.regression_power))
    if gate.must_pass: said.append(explain_must_pass(gate.must_pass))
    return " ".join(filter(None, [*said, describe_versions()]))


def explain_intervals(gate: Gate) -> str:
    "How the intervals were computed."
    found = {explain_method(row.method): None for row in gate.rows if row.method is not None}
    return f"CIs are two-sided: {'; '.join(found)}." if found else ""


def explain_method(method: Method) -> str:
    sources = SOURCES.get(method.name, "")
    if method.same_as: sources += " @{clopper1934}"
    return describe_method(method) + sources


def explain_several(gate: Gate) -> str:
    "How several rules with an interval are judged together; empty for one."
    others = sum(row.low is not None for row in gate.rows) - 1
    if gate.primary is None: return ""
    rest = "and so does the other one"
    if others > 1: rest = f"the other {others} at the levels of Holm's correction @{{holm1979}}"
    return ("The gate passes if all rules pass, each at the full level. To fail, "
            f"'{gate.primary}', named first, needs its CI below the limit at the full level, "
            f"{rest}.")


def explain_equals(row: Check) -> str:
    "How often a rule passes and changes its verdict on equal systems."
    if row.equal_passes is None or row.equal_flips is None: return ""
    passes, flips = (f"{100 * chance:.0f} %" for chance in (row.equal_passes, row.equal_flips))
    return (f"{row.metric}: a system equal to the baseline passes in about {passes} of runs, and "
            f"in a rerun gets another verdict in {flips} (normal approximation).")


def explain_fisher(power: RegressionPower) -> str:
    "How regressions were found."
    return ("Regressions: Fisher's exact test of each question, one-sided; Holm's correction for "
            f"discrete tests (Tarone) over {count(power.questions, 'question')}, family-wise error "
            f"rate at most {power.level:g}.")


def explain_must_pass(found: Sequence[MustPass]) -> str:
    "What right samples say of samples to come."
    said = "Must-pass questions are judged by the samples drawn"
    if any(one.needed < one.samples for one in found): return f"{said}."
    samples = min(one.samples for one in found)
    # With this probability all samples are right in one of twenty runs.
    least = round(100 * .05**(1 / samples))
    return (f"{said}; {samples} of {samples} right show that the probability of a right one is at "
            f"least {least} % (95 % bound).")


# A gate in continuous integration: JUnit, and annotations of GitHub.

# JUnit


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


# GitHub


MOST = 10  # Annotations of each kind that GitHub shows of a step
HIDDEN = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
HIDDEN_TITLE = HIDDEN | str.maketrans({":": "%3A", ",": "%2C"})


def in_workflow(
    environment: Mapping[str, str],  # Environment of the command
) -> bool:
    "Whether the command runs in a workflow."
    return environment.get("GITHUB_ACTIONS") == "true"


def find_summary(
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


def append_summary(
    path: Path,  # The file of the summary
    text: str,  # Markdown
) -> None:
    """Add to the summary of a step, which may hold what others wrote.

    Raises: `OSError` where it cannot be written.
    """
    # A table that follows text without an empty line would be part of its paragraph.
    with open(path, "a+", encoding="utf-8", newline="\n") as file:
        file.write(f"\n{text}" if file.tell() else text)


def write_annotations(
    gate: Gate,  # Verdicts on a new system
    strict: bool = False,  # Whether an inconclusive rule fails
    inconclusive_passes: bool = False,  # Whether an inconclusive rule passes
) -> list[str]:  # Lines that GitHub turns into annotations
    "An error for what fails, and a warning for what is inconclusive unless that passes."
    undecided = "error" if strict else "notice" if inconclusive_passes else "warning"
    levels = {"fail": "error", "inconclusive": undecided}
    found = [case for case in list_cases(gate) if case.verdict in levels]
    lines = [f"::{levels[case.verdict]} title={hide(case.name, HIDDEN_TITLE)}::{hide(case.said)}"
             for case in found]
    return lines[:MOST]


def hide(text: str, signs: Mapping[int, str] = HIDDEN) -> str:
    "A text that ends no command."
    return printable(text).translate(signs)


def silence_commands(
    text: str,  # What is printed
) -> str:  # The same between marks
    "A text in which GitHub looks for no commands: names in data may look like some."
    token = token_hex(16)
    return f"::stop-commands::{token}\n{text}::{token}::\n"
