"""The samples of one log as columns, checked row by row."""
from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from ...records import dataclass
from ...results.reading import Repeat
from ...errors import OptionTypeError
from ..file_content import open_bytes
from .ask import Ask, NoOutcomes, Row
from .grading import Grade
from .limits import shorten
from .log import Log
from .readers import Reader

__all__ = ["PARTS", "Table", "read_table"]

PARTS = ("question", "sample", "correct", "answer", "score", "model", "task", "run", "uuid",
         "invalid", "costs", "texts")
NAME = str, type(None)
TYPES: dict[str, tuple[type, ...]] = dict(question=(int, str), sample=(int,), model=NAME, task=NAME,
                                          run=NAME, uuid=NAME)
# What a reader stumbles over when a record does not keep to its layout.
STUMBLES = (KeyError, IndexError, TypeError, AttributeError, OverflowError, StopIteration)


@dataclass
class Table:
    "The samples of one log, or of several logs of one run."
    path: Path = Path()  # Where the log is; of several, the last
    took: dict[str, str] | str = ""  # Field that was taken for each part, or a sentence on it
    columns: dict[str, list[Any]] = field(default_factory=lambda: {part: [] for part in PARTS})
    outcomes: bool = False  # Whether rows say what is correct, and not only a score
    said: Ask = field(default_factory=Ask)  # Remarks, tasks and totals
    repeat: Repeat | None = None  # Lines that the file holds several times over
    # Task and question of samples that were let go, as an earlier run holds them too
    copied: list[tuple[Any, Any]] = field(default_factory=list)

    def add(self, row: Row) -> None:
        "Add a sample."
        for part, column in self.columns.items(): column.append(row.get(part))
        self.outcomes |= "correct" in row

    def has_outcome(self) -> bool:
        "Whether anything is known of any sample."
        known = self.columns["correct"], self.columns["score"]
        return any(value is not None for column in known for value in column)

    def list_tasks(self) -> list[tuple[str, str, str]]:  # Name, version and run of each
        "The tasks that the log names; what is only the name of its file may be a model."
        run, versions = next(iter(self.columns["run"]), None) or "", self.said.versions
        names = [name for name in dict.fromkeys(self.columns["task"])
                 if name in versions or name not in (None, self.path.stem)]
        return [(name, versions.get(name, ""), run) for name in names]

    def keep(self, places: Iterable[int]) -> None:
        "Let go of the samples at all other positions."
        places = list(places)
        for column in self.columns.values(): column[:] = [column[place] for place in places]


def read_table(
    log: Log,  # File that was opened
    reader: Reader,  # Reader of its layout
    ask: Ask,  # What the caller chose
) -> Table:  # Its samples
    """The samples of one log, judged anew if the caller asks for it.

    Raises: `ValueError` if a record does not keep to the layout: nothing is read as far as it
    goes; `NoOutcomes` if nothing says which samples are right.
    """
    ask = ask.start_log()
    if ask.texts is not None:
        from .texts import number_log  # For a page that shows texts
        log = number_log(log)
    with blame_layout(log, reader): took, rows = reader.rows(log, ask)
    table = Table(log.path, took if isinstance(took, str) else dict(took), said=ask)
    for row in check_rows(rows, log, reader):
        judged = judge_row(row, ask.grade, log) if ask.grade else row
        if ask.texts is not None: judged |= dict(texts=ask.texts.take(judged, log, took))
        table.add(judged)
    table.outcomes |= ask.grade is not None
    table.repeat = find_repeat(log, len(table.columns["question"]))
    return table


@contextmanager
def blame_layout(log: Log, reader: Reader) -> Iterator[None]:
    "Turn whatever a reader stumbles over into one refusal with the file and the absent key."
    try: yield
    except Exception as fault:
        told = tell_failure(fault, log, reader)
        if told is None: raise
        raise ValueError(told) from fault


def tell_failure(fault: Exception, log: Log, reader: Reader) -> str | None:
    "What to say of a failure; None where what was raised is a refusal already."
    what = f"({type(fault).__name__}: {fault})"
    if isinstance(fault, STUMBLES):
        return f"{log.path.name} does not follow the layout of {reader.name} {what}"
    said = isinstance(fault, ValueError) and log.path.name in str(fault)
    if said or not reader.origin: return None
    return f"the reader {reader.name!r} of {reader.origin} failed on {log.path.name} {what}"


def check_rows(rows: Iterable[Row], log: Log, reader: Reader) -> Iterator[Row]:
    with blame_layout(log, reader):
        for row in rows:
            if "lost" in row: row = rename_lost(row)
            for part, types in TYPES.items():
                if not isinstance(row.get(part), types):
                    raise TypeError(f"{part} {shorten(row.get(part))}")
            yield blank_outcome(row) if row.get("missing", False) else row


def rename_lost(row: Row) -> Row:
    "A row of a reader of another package with the field that was renamed."
    warnings.warn("the rows of a reader: lost is now called missing", DeprecationWarning,
                  stacklevel=2)
    return {"missing" if part == "lost" else part: value for part, value in row.items()}


def blank_outcome(row: Row) -> Row:
    "A row of a sample that broke down: what it has of correct and score is missing."
    return row | dict.fromkeys({"correct", "score"} & row.keys() or {"score"})


def judge_row(row: Row, grade: Grade, log: Log) -> Row:
    "A row with a verdict in place of its score; a choice keeps what the harness judged."
    answer = row.get("answer")
    if row.get("judged", False): verdict = row["score"]
    else:
        answer = None if row.get("missing", False) else row.get("graded", answer)
        try: verdict = None if answer is None else grade(answer, row.get("target"))
        except NoOutcomes as fault:
            raise NoOutcomes(f"{fault} for question {shorten(row['question'])} in "
                             f"{log.path.name}") from None
    return row | dict(correct=check_verdict(verdict, answer), score=None)


def check_verdict(verdict: Any, answer: Any) -> bool | None:
    if verdict is None: return None
    if isinstance(verdict, (bool, np.bool_, int, float)) and verdict in (0, 1):
        return bool(verdict)
    raise OptionTypeError("grade", must="return True, False or None", found=shorten(verdict),
                          where=f" for answer {shorten(answer)}")


# JSON lines that were appended to themselves.

def find_repeat(log: Log, rows: int) -> Repeat | None:
    "The part of two or more lines that makes up the whole of a file; None if there is none."
    if log.kind != "lines" or rows < 4: return None
    with open_bytes(log.path) as file:
        lines = [hash(text) for line in file if (text := line.strip())]
    size = find_shortest(lines)
    # Where a reader leaves out what stands twice, nothing is counted twice.
    if size < 2 or size == len(lines) or rows < len(lines): return None
    return Repeat(log.path.name, size, len(lines) // size)


def find_shortest(lines: Sequence[int]) -> int:
    "The shortest beginning of which the lines are a repetition; all of them if there is none."
    # The border of each beginning, as in the search of Knuth, Morris and Pratt.
    border = [0] * len(lines)
    for place in range(1, len(lines)):
        size = border[place - 1]
        while size and lines[size] != lines[place]: size = border[size - 1]
        border[place] = size + (lines[size] == lines[place])
    period = len(lines) - border[-1] if lines else 0
    return period if period and len(lines) % period == 0 else len(lines)
