"""Whether logs hold as many samples as their run says, and rows for those that are missing."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any, TypeAlias

from ...records import dataclass
from ...results.reading import Coverage
from .ask import Row, Total
from .samples import Table

__all__ = ["hold_totals"]

FILLING = "wrong", "right"  # Policies under which a missing sample needs its question
Key: TypeAlias = tuple[Any, Any]  # Task and question


@dataclass(frozen=True)
class Part:
    "The samples that a total counts."
    total: Total  # What was stored
    tables: list[Table]  # Logs that hold them

    def list_keys(self) -> list[Key]:
        "Task and question of each row that is counted."
        keys = (key for table in self.tables for key in (
            *zip(table.columns["task"], table.columns["question"]), *table.copied))
        only = self.total.task
        return [key for key in keys if only is None or key[0] == only]

    def count(self) -> int:
        "How many samples there are."
        return len(self.list_keys() if self.total.found is None else self.total.found)

    def measure(self) -> Coverage:
        "The total, and how many samples there are."
        return Coverage(self.tables[-1].path.name, self.total.expected, self.count(),
                        self.total.where)

    def find_absent(self) -> dict[Key, int] | None:
        "How many samples of each question are missing; None where nothing says it."
        have = Counter(self.list_keys())
        wanted = self._find_wanted(have)
        if wanted is None: return None
        absent = {key: size - have[key] for key, size in wanted.items() if size > have[key]}
        # What is stored in two places may not agree; then nothing is known of the questions.
        return absent if sum(absent.values()) == self.total.expected - self.count() else None

    def _find_wanted(self, have: Counter[Key]) -> dict[Key, int] | None:
        total, tasks = self.total, {task for task, _ in have}
        if total.questions is not None:
            if total.task is not None: tasks = {total.task}
            if len(tasks) != 1: return None
            task, = tasks
            return {(task, name): size for name, size in total.questions.items()}
        if total.each is None or len(have) * total.each != total.expected: return None
        return dict.fromkeys(have, total.each)

    def find_model(self) -> Row | None:
        "Model and run of all samples; None where they are of several."
        found = {name: {value for table in self.tables for value in table.columns[name]}
                 for name in ("model", "run")}
        if any(len(values) > 1 for values in found.values()): return None
        return {name: next(iter(values), None) for name, values in found.items()}


def hold_totals(
    tables: Sequence[Table],  # One for each run, before copies in other runs are let go
    missing: str = "raise",  # What a missing sample counts as
) -> list[tuple[Coverage, list[Table]]]:  # What is stored of which logs
    """Each stored total, held against the samples there are; the missing ones are added.

    Raises: `ValueError` where samples are missing and nobody said what they count as, or where
    they are to be filled in and nothing says of which questions they are.
    """
    held: list[tuple[Coverage, list[Table]]] = []
    rows: list[tuple[Table, Row]] = []
    parts = list(_choose_parts(tables))
    short = sum(part.measure().missing > 0 for part in parts)
    for part in parts:
        coverage = part.measure()
        if coverage.missing:
            absent = None if part.find_model() is None else part.find_absent()
            if missing == "raise" or absent is None and missing in FILLING:
                raise ValueError(_tell_missing(coverage, part.total, absent is not None, short))
            made = list(_make_rows(part, absent or {}, whole=missing in FILLING))
            rows += made
            coverage = replace(coverage, left_out=coverage.missing - len(made))
        held.append((coverage, part.tables))
    # Only now: totals may count the same samples.
    for table, row in rows: table.add(row)
    return held


def _choose_parts(tables: Sequence[Table]) -> Iterator[Part]:
    "The samples of each total; of several on the same samples, the one that misses most."
    groups: dict[Any, list[tuple[Total, Table]]] = {}
    for table in tables:
        for total in table.said.totals:
            key = (id(table), total.task) if total.run is None else (total.run, total.task)
            groups.setdefault(key, []).append((total, table))
    for found in groups.values():
        held = list({id(table): table for _, table in found}.values())
        yield max((Part(total, held) for total, _ in found), key=_rank)


def _rank(part: Part) -> tuple[int, bool]:
    return part.total.expected - part.count(), part.find_absent() is not None


def _make_rows(part: Part, absent: Mapping[Key, int], whole: bool) -> Iterator[tuple[Table, Row]]:
    "Rows without an outcome, of questions without any sample only where they are filled in."
    table = next((one for one in reversed(part.tables) if one.columns["question"]),
                 part.tables[-1])
    shared, taken = part.find_model() or {}, _list_samples(part)
    for (task, question), size in absent.items():
        used = taken.get((task, question), set())
        if not used and not whole: continue
        # Some logs count samples from 1.
        free = (number for number in count(1 if used and 0 not in used else 0)
                if number not in used)
        for number in islice(free, size):
            yield table, shared | dict(task=task, question=question, sample=number)


def _list_samples(part: Part) -> dict[Key, set[int]]:
    "The sample numbers of each question."
    found: dict[Key, set[int]] = {}
    for table in part.tables:
        columns = table.columns
        for task, question, number in zip(columns["task"], columns["question"], columns["sample"]):
            found.setdefault((task, question), set()).add(number)
    return found


def _tell_missing(coverage: Coverage, total: Total, placed: bool, short: int) -> str:
    lost = f"{coverage.missing} missing" + f", {short} totals fail" * (short > 1)
    if total.why: lost += f": {total.why}"
    said = (f"need {coverage.expected} samples ({coverage.where}), got {coverage.found} in "
            f"{coverage.file} ({lost}); ")
    if placed:
        return (f"{said}complete the log, or pass missing='wrong' or 'drop' (score also takes "
                "'bounds')")
    return (f"{said}complete the log, or pass missing='drop', which leaves the missing ones out: "
            "nothing says of which questions they are, so none can count as wrong")
