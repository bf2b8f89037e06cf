"""How a sentence begins that stands alone."""
from __future__ import annotations

import re

__all__ = ["say_read", "say_range"]

LARGE = re.compile(r"\b\d{4,}(?= (?:of \d+ )?(?:rows|samples)\b)")
LOG = re.compile(r"[\w.-]+, ")  # What was read of a log begins with the name of its harness


def say_read(
    said: str,  # A sentence, such as what was read
) -> str:  # The same with a capital; the name of a harness keeps its own
    "A sentence that stands alone."
    said = LARGE.sub(group_digits, said).replace(". new: ", ". New: ")  # The run that a gate judges
    if LOG.match(said): return f"Log of {said}"
    return said[:1].upper() + said[1:]


def group_digits(found: re.Match[str]) -> str: return f"{int(found[0]):,}"


def say_range(
    numbers: str,  # Such as `3..4` or `1..3, 9`
) -> str:  # `3 to 4`, `1 to 3, 9`
    "Runs of numbers as a reader says them."
    return numbers.replace("..", " to ")
