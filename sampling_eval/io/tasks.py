"""Which tasks samples belong to, so that questions of different tasks are never paired."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .columns import list_names

__all__ = ["Task", "list_tasks", "refuse_other_tasks", "refuse_same_runs", "tell_versions"]


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
                             "sampling_eval.count")


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
