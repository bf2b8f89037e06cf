"""A file of JSON lines that was appended to itself."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING: from .log import Log

__all__ = ["Repeat", "find_repeat", "tell_repeats"]


@dataclass(frozen=True)
class Repeat:
    "Lines that a file holds several times over, in the same order."
    file:str # Name of the file
    lines:int # Lines of each part
    times:int # Equal parts


def find_repeat(
    log:Log, # File that was read
    rows:int, # Samples that it holds
)->Repeat|None: # None if it is no whole number of equal parts
    "The part of two or more lines that makes up the whole of a file."
    if log.kind != "lines" or rows < 4: return None
    with open(log.path, "rb") as file:
        lines = [hash(text) for line in file if (text := line.strip())]
    size = _find_period(lines)
    # Where a reader leaves out what stands twice, nothing is counted twice.
    if size < 2 or size == len(lines) or rows < len(lines): return None
    return Repeat(log.path.name, size, len(lines) // size)


def tell_repeats(
    repeats:Sequence[Repeat], # Files that are several equal parts
)->list[str]: # For the sentence on what was read
    "Which files hold the same lines several times over."
    return [f"{one.file} is the same {one.lines} lines {one.times} times, one after the other"
            for one in repeats]


def _find_period(lines: Sequence[int]) -> int:
    "The shortest beginning of which the lines are a repetition; all of them if there is none."
    # The border of each beginning, as in the search of Knuth, Morris and Pratt.
    border = [0] * len(lines)
    for place in range(1, len(lines)):
        size = border[place - 1]
        while size and lines[size] != lines[place]: size = border[size - 1]
        border[place] = size + (lines[size] == lines[place])
    period = len(lines) - border[-1] if lines else 0
    return period if period and len(lines) % period == 0 else len(lines)
