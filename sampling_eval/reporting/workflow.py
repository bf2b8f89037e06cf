"""What a gate leaves in a workflow of GitHub: a summary, and annotations."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from ..report.text import printable
from . import markdown
from .gate_facts import FELL, GateFacts
from .gate_page import list_rules, list_steps, say_single
from .gate_tables import list_numbers
from .junit import list_cases
from .openings import say_read
from .parts import Heading, Sentence
from .question_rules import list_plainly
from .verdict_words import say_exit, say_verdicts, say_who

__all__ = ["find_summary", "append_summary", "write_summary", "write_annotations",
           "silence_commands", "in_workflow", "Cause", "find_cause"]

LEVELS = {"fail": "error", "weak": "warning"}
MOST = 10  # Annotations of each kind that GitHub shows of a step
HIDDEN = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
HIDDEN_TITLE = HIDDEN | str.maketrans({":": "%3A", ",": "%2C"})


@dataclass(frozen=True)
class Cause:
    "Where to look for the reason of a failure."
    compared: bool  # Whether the baseline has to do with it
    metric: str = ""  # Name of a metric other than the usual one
    question: Any = None  # A single question


def find_cause(
    gate: GateFacts,  # Verdicts on a new system
) -> Cause:
    "What the first rule that failed is about."
    row = next((row for row in gate.rows if row.verdict == "fail"), gate.rows[0])
    if row.low is not None: return Cause(row.drop, row.metric * (row.metric != "pass@1"))
    if row.metric == FELL:
        return Cause(True, question=next((o.question for o in gate.falls if o.certain), None))
    failed = (one.question for one in gate.must_pass if one.verdict == "fail")
    return Cause(False, question=next(failed, None))


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
        raise ValueError("github_summary needs a path where $GITHUB_STEP_SUMMARY is not set")
    return Path(found)


def write_summary(
    gate: GateFacts,  # Verdicts on a new system
) -> str:  # Markdown
    "The verdict and each rule in a sentence, then what to do; every number is folded."
    first, *others = say_verdicts(gate)
    said = [f"{say_who(gate)}.", say_single(gate), say_exit(gate), *map(say_read, gate.notes)]
    shown = [Heading(first), list_rules(gate), *map(Sentence, others), *list_steps(gate),
             *map(Sentence, filter(None, said)),
             *list_plainly(gate.falls, gate.watch, gate.must_pass)]
    return f"{markdown.render(shown)}\n{fold('All numbers, and how it was computed', gate)}"


def fold(summary: str, gate: GateFacts) -> str:
    "Every number, shown on demand; Markdown inside of HTML needs empty lines around it."
    numbers = markdown.render(list_numbers(gate))
    return f"<details><summary>{summary}</summary>\n\n{numbers}\n</details>\n"


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
    gate: GateFacts,  # Verdicts on a new system
    strict: bool = False,  # Whether a weak rule fails
    weak_passes: bool = False,  # Whether a weak rule passes
) -> list[str]:  # Lines that GitHub turns into annotations
    "An error for what fails, and a warning for what is not decided unless that passes."
    weak = "error" if strict else "notice" if weak_passes else "warning"
    levels = LEVELS | {"weak": weak}
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
