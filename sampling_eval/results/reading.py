"""What was read: counts, policies, and the questions that systems share."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from ..foundations.counts import Counts
from ..spelling import spell
from .base import Data
from .registry import words_module

__all__ = ["InputKind", "NoteKind", "Treatment", "Coverage", "Missing", "ReadNote", "ReadSummary",
           "Repeat", "Alignment", "DeadCount", "LackingGroup", "Unmatched", "count_common",
           "count_dead", "join_dead"]


InputKind: TypeAlias = Literal[
    "outcomes",  # A table of 0 and 1, or counts
    "counts",  # Right questions of so many, written as `26/30` (name)
    "table",  # Rows of a file, a frame, a database or a list
    "log",  # Samples of a log of a harness
    "runs",  # Several inputs that were added
    "gradings",  # The same input under several gradings, side by side
    "accumulator",  # Closed questions of an `Accumulator`
    "recorded",  # A counts file of an older version, which holds a sentence; or nothing is known
]
NoteKind: TypeAlias = Literal[
    "threshold",  # Outcomes are scores (names) above a threshold (value)
    "score_as_outcome",  # Scores (names) that are all 0 or 1 were taken as outcomes
    "words",  # Words for outcomes (words), such as C = correct
    "graded",  # There are scores and no outcomes
    "mixed_names",  # A part (names) has names of mixed types, compared as text
    "whole_names",  # A part (names) has names such as 1.0, read as whole numbers
    "sums_only",  # More than `count` different scores: their sums are kept, single ones are not
    "named_by_group",  # Questions are named group/question
    "named_by_task",  # Questions are named by these columns (names), of which the last is their own
    "items",  # `count` items in `value` groups each (None: not all in as many) make `total`
    # questions; known by `number`, which may start anew in each group, or by name (no names)
    "numbers_restart",  # Numbers of questions start anew in groups of different size
    "under_key",  # Rows are the objects of a list under a key (names) of one object
    "lists",  # Samples are the values of the lists in these columns (names)
    "totals",  # Samples are counted by the first column (names), right ones by the second
    "run_columns",  # Samples are columns, from the first to the last (names)
    "percent",  # A column (names) holds texts such as 80 %, which are shares
    "decimal_comma",  # A column (names) holds texts such as 0,5, which are numbers
    "run_means",  # Each row is the mean of a run over `count` questions (None: not known)
    # `count` battles give win shares, against one model (names) or all; `total` prompts left out
    "battles",
    "row_numbers",  # No column names the questions: each row is one, called by its number
    "missing_outcomes",  # `count` of `total` samples of a log have no outcome
    "task_versions",  # A task (first of names) has several versions (the others)
    "open_questions",  # `count` open questions of an accumulator are left out
    "skipped_files",  # Files of a folder (names) that are no tables were skipped
    "plain_tables",  # None of `total` files is a log; `count` are read as plain tables
    "log",  # What a reader of another package remarked (text)
    "no_outcome",  # `count` samples of a log are missing: what they are, and why (names)
    "skipped_tests",  # `count` runs of tests were skipped, and are no samples
    "unfinished",  # A run ended early: its status (names; none without a report), and why (text)
    "empty_patches",  # `count` empty patches count as wrong
    "infrastructure",  # `count` likely failures of infrastructure count as the harness counts them
    "no_report",  # Instances without any report are not counted
    "kept_rewards",  # `count` trials ended in an exception, were verified and keep their reward
    "unnamed_models",  # Runs that name no model are taken for one
    "same_results",  # A file (names) holds the results of another one and was left out
    "split_tasks",  # Every split and perturbation of a run is a task of its own
    "share_of_samples",  # A score (names) times `count` is how many samples are right
    "regrouped",  # Samples of different questions that a harness (names) had pooled were put back
    "graded_texts",  # Texts are compared as `exact` or `number` (names); `count` of `total` are odd
    "run_parts",  # `count` log files are parts of one run each
    "counted_once",  # `count` samples that several log files hold count once
    "rerun",  # `count` samples were run again, and the rerun counts
    "invalid_elsewhere",  # `count` samples were declared invalid in another log file
    "short_total",  # A log file holds `count` of `total` samples by what stores it (names)
    "repeated_lines",  # A log file (names) is the same `count` lines `value` times
    "skipped_logs",  # Log files without outcomes were skipped, and why (text)
    "other_tasks",  # `count` log files of other tasks than the one asked for were left out
    "no_logs",  # Files (names) that are no logs (of a harness: text) were skipped
    "judged_elsewhere",  # Logs (names) whose samples are judged in other files were skipped
    "unreadable",  # Files (names) that cannot be read were skipped
    "no_sample_ids",  # Duplicates between files cannot be detected
    "exact_copies",  # `count` of `total` rows are equal to others in all columns (value: how many)
    # `count` of `total` rows of a model and file (names) are equal to an earlier one in some parts
    # (text); without them every question has `value` samples
    "repeated_rows",
    # `count` of `total` tries failed or were not run by a column (first of names): how (the
    # others); `value` of them are right as recorded, or they count as missing or wrong (text)
    "failed",
    "recorded",  # What an older counts file says (text)
]
Treatment: TypeAlias = Literal["raise", "wrong", "right", "drop", "both"]


@dataclass(frozen=True, eq=False)
class Missing(Data):
    "Samples without an outcome, or absent, and what they count as."
    count: int  # Missing samples
    total: int  # All samples, missing ones among them
    policy: Treatment = "raise"  # `both`: once as wrong and once as right, for bounds
    ragged: bool = False  # Whether questions have different numbers of samples

    @property
    def coverage(self) -> float:
        "Share of the samples that have an outcome."
        return 1 - self.count / self.total if self.total else 1.


@dataclass(frozen=True, eq=False)
class Coverage(Data):
    "A total that a run stores of itself, and how many of its samples the logs hold."
    file: str  # Name of the log; of several, the last
    expected: int  # Samples by the stored total
    found: int  # Samples that the logs hold
    where: str  # What stores the total
    left_out: int = 0  # Missing samples that stand in no row, as they were to be dropped
    model: str = ""  # Name of the model, if all samples are of one that is named

    @property
    def missing(self) -> int:
        "Samples that the total counts and the logs do not hold."
        return max(0, self.expected - self.found)


@dataclass(frozen=True, eq=False)
class Repeat(Data):
    "Lines that a file holds several times over, in the same order."
    file: str  # Name of the file
    lines: int  # Lines of each part
    times: int  # Equal parts


@dataclass(frozen=True, eq=False)
class ReadNote(Data):
    "One thing that a reader has to know of an input."
    kind: NoteKind
    names: tuple[str, ...] = ()  # Columns, parts, files or versions that it is about
    words: dict[str, bool] = field(default_factory=dict)  # Words for outcomes: whether right
    value: float | None = None  # Threshold, or number of columns
    count: int | None = None
    total: int | None = None
    text: str = ""  # What a harness or an older counts file says in its own words

    def __str__(self) -> str: return spell(words_module("reading").describe_note(self))

    @property
    def ending(self) -> str:
        "How a run ended, without what follows from it."
        return spell(words_module("reading").describe_end(self))

    @property
    def sentence(self) -> str:
        "The note with a full stop; an older counts file holds whole sentences."
        return str(self) if self.kind == "recorded" else f"{self}."


@dataclass(frozen=True, eq=False)
class ReadSummary(Data):
    "What was read of one input, and what was taken for what."
    kind: InputKind = "recorded"
    name: str = ""  # What is read that is no file, such as `a pandas DataFrame`
    files: tuple[str, ...] = ()  # Names of the files, without folders
    harness: str = ""  # Name of the harness that wrote a log
    counted: bool = False  # Whether a database engine counted the rows
    rows: int = 0  # Rows; samples if `unit` says so; closed questions of an accumulator
    unit: Literal["row", "sample"] = "row"
    columns: dict[str, str] = field(default_factory=dict)  # Column taken for each part
    sums: tuple[str, ...] = ()  # Further columns that are added up
    candidates: tuple[str, ...] = ()  # Columns that may hold the outcome, where none was taken
    unused: tuple[str, ...] = ()  # Parts whose column plays no part in the numbers
    notes: tuple[ReadNote, ...] = ()
    warnings: tuple[ReadNote, ...] = ()  # What could not be checked
    inputs: tuple[ReadSummary, ...] = ()  # Of runs that were added, or of gradings: each of them
    gradings: tuple[str, ...] = ()  # Names of the gradings
    missing: Missing | None = None  # None until outcomes are counted under a policy

    def __str__(self) -> str: return spell(words_module("reading").describe_input(self))

    @property
    def of_files(self) -> str:
        "Name of the only file; empty where there are several, or none."
        return self.files[0] if len(self.files) == 1 else ""

    def has(self, kind: NoteKind) -> bool:
        "Whether there is such a note on the input, or on one of its inputs."
        return any(note.kind == kind for note in self.all_notes())

    def all_notes(self) -> Iterator[ReadNote]:
        "The notes on the input and on each of its inputs."
        yield from self.notes
        for one in self.inputs: yield from one.all_notes()

    @property
    def same_samples(self) -> bool:
        "Whether gradings are of the same samples; columns of numbers of right ones do not tell."
        return self.kind == "gradings" and not self.has("totals")

    def add(self, *notes: ReadNote, **changes: Any) -> ReadSummary:
        "The same with further notes, and with some fields changed."
        return replace(self, notes=(*self.notes, *notes), **changes)

    def without(self, kind: NoteKind) -> ReadSummary:
        "The same without notes of a kind, on it or its inputs."
        notes = tuple(note for note in self.notes if note.kind != kind)
        return replace(self, notes=notes, inputs=tuple(one.without(kind) for one in self.inputs))

    def unsettled(self) -> ReadSummary:
        "The same, with nothing said on what missing samples count as."
        return self.treat("raise")

    def treat(self, policy: Treatment) -> ReadSummary:
        "The same, with missing samples counted in another way."
        if self.missing is None: return self
        return replace(self, missing=replace(self.missing, policy=policy))


@dataclass(frozen=True, eq=False)
class SourceFile(Data):
    "A file that was read."
    name: str  # Its name without folders
    sha256: str = ""  # Hash of its unpacked content
    unknown: str = ""  # Why there is no hash


# Questions that systems share


NAMED = 3  # Questions that are named


@dataclass(frozen=True, eq=False)
class Unmatched(Data):
    "Questions of a system that another one does not have."
    system: str  # Its name
    questions: int  # How many there are
    names: tuple[str, ...] = ()  # The first ones


@dataclass(frozen=True, eq=False)
class Alignment(Data):
    "The questions that all systems have, and those that were left out."
    common: int  # Questions of all systems
    unmatched: tuple[Unmatched, ...] = field(default=())  # One per system, in their order

    @property
    def left_out(self) -> int:
        "Questions that were left out, counted once for each system that has them."
        return sum(one.questions for one in self.unmatched)


def count_common(
    sides: Mapping[str, Counts],  # All questions of each system
    common: list,  # Names of the questions that all of them have
) -> Alignment:
    "What systems share, and what each of them has besides."
    shared = set(common)
    return Alignment(len(common), tuple(unmatched_questions(str(name), side, shared)
                                        for name, side in sides.items()))


def unmatched_questions(name: str, side: Counts, shared: set) -> Unmatched:
    if len(side) == len(shared): return Unmatched(name, 0)
    others = [one for one in np.asarray(side.questions).tolist() if one not in shared]
    return Unmatched(name, len(others), tuple(map(str, others[:NAMED])))


@dataclass(frozen=True, eq=False)
class DeadCount(Data):
    "Questions that add nothing to any difference: never right, or always, in all systems."
    never: int  # Questions that no system solved at any try
    always: int  # Questions that every system solved at every try
    questions: int  # Questions of all systems
    systems: int  # How many systems there are


@dataclass(frozen=True, eq=False)
class LackingGroup(Data):
    "A group of questions that was left out, since some models do not have it."
    group: str
    models: int  # How many do not have it


def count_dead(
    sides: Sequence[Counts],  # Counts of each system, questions in any order
) -> DeadCount | None:  # None without outcomes, and where one try is all there is
    "How many of the questions that all systems have are dead."
    from ..inference.comparison import dead_questions  # What compares takes long to import
    if not sides or any(side.c is None for side in sides): return None
    if len(sides) == 1 and sides[0].n_max == 1: return None
    first = np.asarray(sides[0].questions)
    if all(np.array_equal(first, side.questions) for side in sides[1:]):
        n, c = (np.stack([getattr(side, name) for side in sides]) for name in "nc")
    else:
        tables = [dict(zip(np.asarray(side.questions).tolist(), zip(side.n, side.c)))
                  for side in sides if side.c is not None]
        common = [name for name in tables[0] if all(name in one for one in tables[1:])]
        if not common: return None
        n, c = np.array([[one[name] for name in common] for one in tables]).transpose(2, 0, 1)
    found = dead_questions(n, c)
    return DeadCount(found.never, found.always, found.questions, len(sides))


def join_dead(
    groups: Sequence[DeadCount | None],  # Of each group of questions
) -> DeadCount | None:  # Of all of them; None where one is not known
    "The dead questions of all groups together."
    known = [one for one in groups if one is not None]
    if len(known) < len(groups) or not known: return None
    return DeadCount(sum(one.never for one in known), sum(one.always for one in known),
                     sum(one.questions for one in known), known[0].systems)
