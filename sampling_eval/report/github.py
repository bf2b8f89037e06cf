"""What a gate leaves in a workflow of GitHub: a summary, and annotations."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex

from .._errors import OptionError, name_option
from ..results.verdicts import Gate
from .junit import list_cases
from .text import printable

__all__ = ["find_summary", "append_summary", "write_annotations", "silence_commands",
           "in_workflow"]

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
