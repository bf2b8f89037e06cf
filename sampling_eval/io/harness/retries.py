"""Logs of one run, such as its retries, put together; a sample that stands twice counts once."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...records import dataclass
from .ask import Row
from .limits import shorten
from .samples import PARTS, Table

__all__ = ["join_runs"]


@dataclass(frozen=True)
class Held:
    "One sample as a log holds it."
    row: Row  # Its parts
    path: Path  # The log

    @property
    def uuid(self) -> Any:
        "Its name in every log that holds it; None where it has none."
        return self.row["uuid"]

    @property
    def invalid(self) -> bool:
        "Whether somebody declared that it does not count."
        return bool(self.row.get("invalid"))

    @property
    def outcome(self) -> Any:
        "What the harness judged; None where nothing is known."
        value = self.row["score"] if self.row["correct"] is None else self.row["correct"]
        return None if value != value else value

    @property
    def name(self) -> str:
        "What a refusal calls it."
        return f"sample {self.row['sample']} of question {shorten(self.row['question'])}"

    def is_same(self, other: Held) -> bool:
        """Whether another log holds the same sample, and no rerun of it.

        They are told apart by their names; without names they are one if both have an outcome.
        """
        names = self.uuid, other.uuid
        return None not in (self.outcome, other.outcome) if None in names else len({*names}) == 1


def join_runs(
    tables: Sequence[Table],  # One for each log, in the order in which they were written
) -> tuple[list[Table], Counter[str]]:  # One for each run; what counts once, and how often
    """The logs of one run as one table, in which each sample counts once.

    Counted are `run_parts` (files of runs that have several), `counted_once` (samples that several
    files hold), `rerun` (samples that were run again) and `invalid_elsewhere`.

    Raises: `ValueError` if one sample has two scores.
    """
    found: dict[Any, list[Table]] = {}
    for table in tables: found.setdefault(_name_run(table), []).append(table)
    told: Counter[str] = Counter()
    told["run_parts"] = sum(len(logs) for logs in found.values() if len(logs) > 1)
    _blank_invalid(tables, told)
    joined = [_join_logs(logs, told) for logs in found.values()]
    _drop_copies(joined, told)
    return [table for table in joined if table.columns["question"]], told


def _blank_invalid(tables: Sequence[Table], told: Counter[str]) -> None:
    "Let a sample that one log declares invalid have no outcome in any log."
    invalid = {uuid for table in tables
               for uuid, bad in zip(table.columns["uuid"], table.columns["invalid"])
               if bad and uuid is not None}
    blanked = set()
    for table in tables if invalid else ():
        for place, uuid in enumerate(table.columns["uuid"]):
            if uuid not in invalid or table.columns["invalid"][place]: continue
            table.columns["invalid"][place] = True
            for part in "correct", "score": table.columns[part][place] = None
            blanked.add(uuid)
    told["invalid_elsewhere"] = len(blanked)


def _name_run(table: Table) -> Any:
    "What the logs of one run share; a log that names none is a run of its own."
    runs = set(zip(table.columns["run"], table.columns["model"]))
    run = next(iter(runs), (None, None))
    return run if len(runs) == 1 and run[0] is not None else id(table)


def _join_logs(logs: list[Table], told: Counter[str]) -> Table:
    "The logs of one run, the last of which says how it ended."
    if len(logs) == 1: return logs[0]
    chosen: dict[Any, Held] = {}
    for log in logs:
        for key, held in _list_held(log):
            chosen[key] = _choose(chosen[key], held, told) if key in chosen else held
    columns = {part: [held.row[part] for held in chosen.values()] for part in PARTS}
    return replace(logs[-1], columns=columns, outcomes=any(log.outcomes for log in logs))


def _list_held(log: Table) -> Iterator[tuple[Any, Held]]:
    "Each sample of a log, with what it is called in every log of its run."
    # A sample that stands twice in one log is refused later, as in any log.
    times: Counter[Any] = Counter()
    for values in zip(*log.columns.values()):
        row = dict(zip(log.columns, values))
        name = row["question"], row["sample"]
        times[name] += 1
        yield (*name, times[name]), Held(row, log.path)


def _choose(before: Held, after: Held, told: Counter[str]) -> Held:
    "The entry of a sample that counts: the later one, unless it alone has no outcome."
    _refuse_unclear(before, after)
    if before.is_same(after):
        told["counted_once"] += 1
        _refuse_two_scores(before, after)
    else: told["rerun"] += 1
    return before if after.outcome is None else after


def _refuse_two_scores(before: Held, after: Held) -> None:
    if None in (before.outcome, after.outcome) or before.outcome == after.outcome: return
    raise ValueError(f"a sample has one score, got {before.outcome} in {before.path.name} and "
                     f"{after.outcome} in {after.path.name} for {after.name}; leave one of the "
                     "files out")


def _refuse_unclear(before: Held, after: Held) -> None:
    "Refuse an outcome beside an invalid sample without a name: a rerun, or the sample itself?"
    if None not in (before.uuid, after.uuid) or before.invalid == after.invalid: return
    bad, good = (before, after) if before.invalid else (after, before)
    if good.outcome is None: return
    raise ValueError(f"a sample is valid or not, got {after.name} invalid in {bad.path.name} and "
                     f"with an outcome in {good.path.name}, and without a uuid nothing says "
                     "whether it was run again; leave one of the files out")


def _drop_copies(tables: Sequence[Table], told: Counter[str]) -> None:
    "Let go of samples that an earlier run holds too."
    seen: dict[str, Held] = {}
    for table in tables:
        if not any(table.columns["uuid"]): continue
        held = [one for _, one in _list_held(table)]
        copies = [one for one in held if one.uuid in seen]
        for one in copies: _refuse_two_scores(seen[one.uuid], one)
        table.copied += [(one.row["task"], one.row["question"]) for one in copies]
        if copies: table.keep(place for place, one in enumerate(held) if one.uuid not in seen)
        seen.update((one.uuid, one) for one in held if one.uuid is not None)
        told["counted_once"] += len(copies)
