"""Logs of one run put together, and held against the totals that the run stores of itself."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import OptionError, option
from ...records import dataclass
from ...results.reading import Coverage, NoteKind
from ..policy import advise_missing
from .ask import Row, Total
from .limits import shorten
from .samples import PARTS, Table

__all__ = ["join_runs", "hold_totals"]


# Retries: a sample that stands twice counts once.

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
) -> tuple[list[Table], Counter[NoteKind]]:  # One for each run; what counts once, and how often
    """The logs of one run as one table, in which each sample counts once.

    Counted are `run_parts` (files of runs that have several), `counted_once` (samples that several
    files hold), `rerun` (samples that were run again) and `invalid_elsewhere`.

    Raises: `ValueError` if one sample has two scores.
    """
    found: dict[Any, list[Table]] = {}
    for table in tables: found.setdefault(identify_run(table), []).append(table)
    told: Counter[NoteKind] = Counter()
    told["run_parts"] = sum(len(logs) for logs in found.values() if len(logs) > 1)
    blank_invalid(tables, told)
    joined = [join_logs(logs, told) for logs in found.values()]
    drop_copies(joined, told)
    return [table for table in joined if table.columns["question"]], told


def blank_invalid(tables: Sequence[Table], told: Counter[NoteKind]) -> None:
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


def identify_run(table: Table) -> Any:
    "What the logs of one run share; a log that names none is a run of its own."
    runs = set(zip(table.columns["run"], table.columns["model"]))
    run = next(iter(runs), (None, None))
    return run if len(runs) == 1 and run[0] is not None else id(table)


def join_logs(logs: list[Table], told: Counter[NoteKind]) -> Table:
    "The logs of one run, the last of which says how it ended."
    if len(logs) == 1: return logs[0]
    chosen: dict[Any, Held] = {}
    for log in logs:
        for key, held in hold_samples(log):
            chosen[key] = choose_held(chosen[key], held, told) if key in chosen else held
    columns = {part: [held.row[part] for held in chosen.values()] for part in PARTS}
    return replace(logs[-1], columns=columns, outcomes=any(log.outcomes for log in logs))


def hold_samples(log: Table) -> Iterator[tuple[Any, Held]]:
    "Each sample of a log, with what it is called in every log of its run."
    # A sample that stands twice in one log is refused later, as in any log.
    times: Counter[Any] = Counter()
    for values in zip(*log.columns.values()):
        row = dict(zip(log.columns, values))
        name = row["question"], row["sample"]
        times[name] += 1
        yield (*name, times[name]), Held(row, log.path)


def choose_held(before: Held, after: Held, told: Counter[NoteKind]) -> Held:
    "The entry of a sample that counts: the later one, unless it alone has no outcome."
    refuse_unclear_invalid(before, after)
    if before.is_same(after):
        told["counted_once"] += 1
        refuse_two_scores(before, after)
    else: told["rerun"] += 1
    return before if after.outcome is None else after


def refuse_two_scores(before: Held, after: Held) -> None:
    if None in (before.outcome, after.outcome) or before.outcome == after.outcome: return
    raise ValueError(f"a sample has one score, got {before.outcome} in {before.path.name} and "
                     f"{after.outcome} in {after.path.name} for {after.name}; leave one of the "
                     "files out")


def refuse_unclear_invalid(before: Held, after: Held) -> None:
    "Refuse an outcome beside an invalid sample without a name: a rerun, or the sample itself?"
    if None not in (before.uuid, after.uuid) or before.invalid == after.invalid: return
    bad, good = (before, after) if before.invalid else (after, before)
    if good.outcome is None: return
    raise ValueError(f"a sample is valid or not, got {after.name} invalid in {bad.path.name} and "
                     f"with an outcome in {good.path.name}, and without a uuid nothing says "
                     "whether it was run again; leave one of the files out")


def drop_copies(tables: Sequence[Table], told: Counter[NoteKind]) -> None:
    "Let go of samples that an earlier run holds too."
    seen: dict[str, Held] = {}
    for table in tables:
        if not any(table.columns["uuid"]): continue
        held = [one for _, one in hold_samples(table)]
        copies = [one for one in held if one.uuid in seen]
        for one in copies: refuse_two_scores(seen[one.uuid], one)
        table.copied += [(one.row["task"], one.row["question"]) for one in copies]
        if copies: table.keep(place for place, one in enumerate(held) if one.uuid not in seen)
        seen.update((one.uuid, one) for one in held if one.uuid is not None)
        told["counted_once"] += len(copies)


# Totals: whether there are as many samples as the run says, and rows for those that are missing.

FILLING = "wrong", "right"  # Policies under which a missing sample needs its question
Key: TypeAlias = tuple[Any, Any]  # Task and question


@dataclass(frozen=True)
class Counted:
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
        wanted = self.find_wanted(have)
        if wanted is None: return None
        absent = {key: size - have[key] for key, size in wanted.items() if size > have[key]}
        # What is stored in two places may not agree; then nothing is known of the questions.
        return absent if sum(absent.values()) == self.total.expected - self.count() else None

    def find_wanted(self, have: Counter[Key]) -> dict[Key, int] | None:
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
    parts = list(choose_parts(tables))
    short = sum(part.measure().missing > 0 for part in parts)
    for part in parts:
        coverage = part.measure()
        if coverage.missing:
            absent = None if part.find_model() is None else part.find_absent()
            if missing == "raise" or absent is None and missing in FILLING:
                raise short_total(coverage, part.total, absent is not None, short)
            made = list(fill_rows(part, absent or {}, whole=missing in FILLING))
            rows += made
            coverage = replace(coverage, left_out=coverage.missing - len(made))
        held.append((coverage, part.tables))
    # Only now: totals may count the same samples.
    for table, row in rows: table.add(row)
    return held


def choose_parts(tables: Sequence[Table]) -> Iterator[Counted]:
    "The samples of each total; of several on the same samples, the one that misses most."
    groups: dict[Any, list[tuple[Total, Table]]] = {}
    for table in tables:
        for total in table.said.totals:
            key = (id(table), total.task) if total.run is None else (total.run, total.task)
            groups.setdefault(key, []).append((total, table))
    for found in groups.values():
        held = list({id(table): table for _, table in found}.values())
        yield max((Counted(total, held) for total, _ in found), key=rank)


def rank(part: Counted) -> tuple[int, bool]:
    return part.total.expected - part.count(), part.find_absent() is not None


def fill_rows(part: Counted, absent: Mapping[Key, int], whole: bool) -> Iterator[tuple[Table, Row]]:
    "Rows without an outcome, of questions without any sample only where they are filled in."
    table = next((one for one in reversed(part.tables) if one.columns["question"]),
                 part.tables[-1])
    shared, taken = part.find_model() or {}, list_taken(part)
    for (task, question), size in absent.items():
        used = taken.get((task, question), set())
        if not used and not whole: continue
        # Some logs count samples from 1.
        free = (number for number in count(1 if used and 0 not in used else 0)
                if number not in used)
        for number in islice(free, size):
            yield table, shared | dict(task=task, question=question, sample=number)


def list_taken(part: Counted) -> dict[Key, set[int]]:
    "The sample numbers of each question."
    found: dict[Key, set[int]] = {}
    for table in part.tables:
        columns = table.columns
        for task, question, number in zip(columns["task"], columns["question"], columns["sample"]):
            found.setdefault((task, question), set()).add(number)
    return found


def short_total(coverage: Coverage, total: Total, placed: bool, short: int) -> OptionError:
    "The refusal of logs that hold fewer samples than a total counts."
    said = f"{coverage.missing} missing" + f", {short} totals fail" * (short > 1)
    if total.why: said += f": {total.why}"
    way = advise_missing() if placed else (
        f"{option('missing', 'drop')}, which leaves the missing ones out: nothing says of which "
        "questions they are, so none can count as wrong")
    return OptionError("missing", f"need {coverage.expected} samples ({coverage.where})",
                       found=f"{coverage.found} in {coverage.file} ({said})",
                       hint=f"complete the log, or pass {way}")
