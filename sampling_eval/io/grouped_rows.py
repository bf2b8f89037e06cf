"""Equal rows of a table with their multiplicities, and the files and tasks they come from."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np

from ..errors import name_verb
from ..records import dataclass
from ..results.reading import Coverage, ReadSummary, Repeat
from .columns import list_names
from .sample_ids import Fingerprint

__all__ = ["Task", "list_tasks", "refuse_other_tasks", "refuse_same_runs", "tell_versions",
           "Coverage", "File", "Repeat", "GroupedRows"]

class Task(NamedTuple):
    "A task, as a log names it."
    name: str
    version: str = ""  # What tells its questions from others of the same name, if the log says
    run: str = ""  # Name of the run, if the log gives it one


def list_tasks(
    tasks: Iterable[Sequence[str]],  # Names, versions and runs, in any order and number
) -> tuple[Task, ...]:  # Each once, in order of first appearance
    "The tasks there are."
    return tuple(dict.fromkeys(Task(*task) for task in tasks))


def refuse_other_tasks(
    sides: Mapping[str, Iterable[Task]],  # Tasks of what is to be paired, by name of the side
) -> None:
    """Refuse to pair the questions of two sides that have no task in common.

    Raises: `ValueError` naming the tasks of both.
    """
    known = [(side, tuple(tasks)) for side, tasks in sides.items()]
    known = [(side, tasks) for side, tasks in known if tasks]
    for other, tasks in known[1:]:
        first, expected = known[0]
        if share_task(expected, tasks): continue
        raise ValueError(
            f"only samples of the same task are paired, got {tell_names(expected)} in {first} and "
            f"{tell_names(tasks)} in {other}, whose questions differ even where their ids agree; "
            "if it is one task under two names, pass dataclasses.replace(read(...), tasks=())")


def share_task(tasks: Iterable[Task], others: Iterable[Task]) -> bool:
    "Whether two sides have a task in common: one of the same name, or of the same questions."
    names, versions = ({shorten_task(task.name) for task in tasks},
                       {task.version for task in tasks if "hash" in task.version})
    return any(shorten_task(task.name) in names or task.version in versions for task in others)


def tell_names(tasks: Iterable[Task]) -> str:
    "The names of some tasks, each once."
    return list_names(list(dict.fromkeys(task.name for task in tasks)))


def shorten_task(name: str) -> str:
    "A task without the package that it is from and without its number of examples."
    # inspect_ai writes gsm8k or inspect_evals/gsm8k, lighteval gsm8k|0 or gsm8k|5.
    return name.rpartition("/")[2].partition("|")[0]


def refuse_same_runs(
    sides: Mapping[str, Iterable[Task]],  # Tasks of what is to be added, by name of the side
) -> None:
    """Refuse to add two parts of one run, whose samples may stand in both.

    Raises: `ValueError` naming the task.
    """
    seen: dict[str, str] = {}
    for side, tasks in sides.items():
        for task in tasks:
            other = seen.setdefault(task.run, side) if task.run else side
            if other == side: continue
            raise ValueError(f"{other} and {side} hold parts of one run of task {task.name!r}, and "
                             "may share samples; count their files together with "
                             f"{name_verb('count')}")


def tell_versions(
    sides: Mapping[str, Iterable[Task]],  # Tasks of what is to be paired, by name of the side
) -> str:  # A warning; empty if there is none
    "Which task is not the same on all sides."
    found: dict[str, dict[str, str]] = {}
    for side, tasks in sides.items():
        for task in tasks:
            if task.version: found.setdefault(task.name, {}).setdefault(task.version, side)
    told = [f"of task {name!r} ({' against '.join(map(tell_place, versions.items()))})"
            for name, versions in found.items() if len(versions) > 1]
    return f"the questions {' and '.join(told)} may differ" if told else ""


def tell_place(found: tuple[str, str]) -> str:
    "A version and where it stands."
    version, side = found
    return f"{side}: {version}" if side else version


@dataclass(frozen=True)
class File:
    "A file that was counted, and what identifies it."
    path: str  # Where it was
    sha256: str = ""  # Hash of its unpacked content; empty if not yet known
    state: tuple | None = None  # Size and time of change when it was read


@dataclass(frozen=True, eq=False, repr=False)
class GroupedRows:
    "Columns with one row for all samples of a table that are equal."
    question: np.ndarray  # Code of each row's question: its position in `questions`
    questions: np.ndarray  # Names of the questions
    times: np.ndarray  # Samples that each row stands for
    correct: np.ndarray | None = None  # 1.0, 0.0, or NaN where the outcome is missing
    answer: np.ndarray | None = None  # Answers as objects, None where there is none
    score: np.ndarray | None = None  # Score of each sample of the row, NaN where there is none
    total: np.ndarray | None = None  # Sum of the scores there are
    scored: np.ndarray | None = None  # Samples that have a score
    model: np.ndarray | None = None  # Name of the model each row comes from
    group: np.ndarray | None = None  # Part of the benchmark each question belongs to
    cluster: np.ndarray | None = None  # Cluster each question belongs to, such as a passage
    weight: np.ndarray | None = None  # Weight of each question in a mean, if it was asked for
    sums: Mapping[str, np.ndarray] = field(default_factory=dict)  # Sums of further columns
    draws: np.ndarray | None = None  # Sample numbers as sets of bits, shape `(R, 3)`
    runs: np.ndarray | None = None  # Runs of the samples as sets of bits, shape `(R, 3)`
    run_names: tuple[Any, ...] = ()  # Name of the run of each bit
    sample_column: str = ""  # Column that numbers the samples, or columns that hold one each
    ordered: bool = True  # Whether numbers of samples are the data's own, and not made here
    summary: ReadSummary = field(default_factory=ReadSummary)  # What was read, and as what
    files: tuple[File, ...] = ()  # Files that were read
    tasks: tuple[Task, ...] = ()  # Tasks of the logs that were read
    fingerprint: Fingerprint | None = None  # Sample ids, where `draws` does not hold them
    derived: bool = False  # Whether outcomes are scores that happen to be all 0 or 1
    ways: tuple[dict[str, Any], ...] = ()  # Options that would give the outcome that is absent
    totals: tuple[Coverage, ...] = ()  # Totals that logs store, and how many samples they hold
    repeats: tuple[Repeat, ...] = ()  # Logs that were appended to themselves

    def __len__(self) -> int: return int(self.times.sum())

    @property
    def source(self) -> str:
        "What was read as clauses of a sentence; `summary` has them as fields."
        return str(self.summary)

    @property
    def warnings(self) -> tuple[str, ...]:
        "What could not be checked, a sentence each; `summary.warnings` has them as fields."
        return tuple(note.sentence for note in self.summary.warnings)
