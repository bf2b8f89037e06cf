"""Whether logs hold as many samples as their run says, and rows for those that are missing."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .records import Row
from .tabular import Table
from .totals import Coverage, Total

__all__ = ["Covered", "fill_tables", "hold_totals"]

FILLING = "wrong", "right" # Policies under which a missing sample needs its question


@dataclass(frozen=True)
class Covered:
    "A stored total that logs were held to."
    coverage:Coverage # How many samples there are
    tables:list[Table] # The logs

    def name_model(self)->Coverage:
        "The same with the model, once the tables know it."
        models = {model for table in self.tables for model in table.columns["model"]}
        name = models.pop() if len(models) == 1 else None
        return replace(self.coverage, model=name or "")


@dataclass(frozen=True)
class Part:
    "The samples that a total counts."
    total:Total # What was stored
    tables:list[Table] # Logs that hold them

    def list_keys(self)->list[tuple[Any, Any]]: # Task and question of each row
        "The questions of all rows that are counted."
        keys = (key for table in self.tables for key in (
            *zip(table.columns["task"], table.columns["question"]), *table.copied))
        only = self.total.task
        return [key for key in keys if only is None or key[0] == only]

    def count(self)->int:
        "How many samples there are."
        return len(self.list_keys() if self.total.found is None else self.total.found)

    def find_absent(self)->dict[tuple[Any, Any], int]|None: # None where nothing says it
        "Of each question, by task and name, how many samples are missing."
        have = Counter(self.list_keys())
        wanted = self._find_wanted(have)
        if wanted is None: return None
        absent = {key: size - have[key] for key, size in wanted.items() if size > have[key]}
        # What is stored in two places may not agree; then nothing is known of the questions.
        return absent if sum(absent.values()) == self.total.expected - self.count() else None

    def _find_wanted(self, have: Counter[tuple[Any, Any]]) -> dict[tuple[Any, Any], int] | None:
        total, tasks = self.total, {task for task, _ in have}
        if total.questions is not None:
            if total.task is not None: tasks = {total.task}
            if len(tasks) != 1: return None
            task, = tasks
            return {(task, name): size for name, size in total.questions.items()}
        if total.each is None or len(have) * total.each != total.expected: return None
        return dict.fromkeys(have, total.each)


def hold_totals(
    tables:Sequence[Table], # One for each run, before copies in other runs are let go
    missing:str="raise", # What a missing sample counts as
)->tuple[list[Covered], list[tuple[Table, Row]]]: # What is stored; rows of what is missing
    """Each stored total, held against the samples there are.

    Raises: `ValueError` where samples are missing and nobody said what they count as, or where
    they are to be filled in and nothing says of which questions they are.
    """
    held: list[Covered] = []
    rows: list[tuple[Table, Row]] = []
    parts = list(_choose_parts(tables))
    short = sum(_measure(part).missing > 0 for part in parts)
    for part in parts:
        coverage = _measure(part)
        if not coverage.missing:
            held.append(Covered(coverage, part.tables))
            continue
        absent = part.find_absent()
        if absent is not None and _find_model(part) is None: absent = None
        if missing == "raise" or absent is None and missing in FILLING:
            raise ValueError(_tell_missing(coverage, part.total, absent is not None, short))
        made = list(_make_rows(part, absent or {}, whole=missing in FILLING))
        rows += made
        left = replace(coverage, left_out=coverage.missing - len(made))
        held.append(Covered(left, part.tables))
    return held, rows


def _choose_parts(tables: Sequence[Table]) -> Iterator[Part]:
    "The samples of each total; of several on the same samples, the one that misses most."
    groups: dict[Any, list[tuple[Total, Table]]] = {}
    for table in tables:
        for total in table.totals:
            key = (id(table), total.task) if total.run is None else (total.run, total.task)
            groups.setdefault(key, []).append((total, table))
    for found in groups.values():
        held = list({id(table): table for _, table in found}.values())
        parts = [Part(total, held) for total, _ in found]
        yield max(parts, key=_rank)


def _rank(part: Part) -> tuple[int, bool]:
    return part.total.expected - part.count(), part.find_absent() is not None


def _measure(part: Part) -> Coverage:
    return Coverage(part.tables[-1].path.name, part.total.expected, part.count(), part.total.where)


def _find_model(part: Part) -> Row | None:
    "What all samples share; None where they are of several models or runs."
    found = {name: {value for table in part.tables for value in table.columns[name]}
             for name in ("model", "run")}
    if any(len(values) > 1 for values in found.values()): return None
    return {name: next(iter(values), None) for name, values in found.items()}


def _make_rows(part: Part, absent: Mapping[tuple[Any, Any], int],
               whole: bool) -> Iterator[tuple[Table, Row]]:
    "Rows without an outcome, of questions without any sample only where they are filled in."
    table = next((one for one in reversed(part.tables) if one.columns["question"]),
                 part.tables[-1])
    shared = _find_model(part) or {}
    taken = _list_samples(part)
    for (task, question), size in absent.items():
        used = taken.get((task, question), set())
        if not used and not whole: continue
        free = (number for number in range(len(used) + size + 1) if number not in used)
        for number in _take(free, size, bool(used) and 0 not in used):
            yield table, shared | dict(task=task, question=question, sample=number)


def _list_samples(part: Part) -> dict[tuple[Any, Any], set[int]]:
    "The sample numbers of each question."
    found: dict[tuple[Any, Any], set[int]] = {}
    for table in part.tables:
        columns = table.columns
        for task, question, number in zip(columns["task"], columns["question"], columns["sample"]):
            found.setdefault((task, question), set()).add(number)
    return found


def _take(numbers: Iterator[int], size: int, from_one: bool) -> Iterator[int]:
    "The first free numbers, without 0 where samples are counted from 1."
    for number in numbers:
        if number == 0 and from_one: continue
        if not size: return
        size -= 1
        yield number


def fill_tables(
    rows:Sequence[tuple[Table, Row]], # Each row with the table that it belongs to
)->None:
    "Add the rows of missing samples."
    for table, row in rows: table.add(row)


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
