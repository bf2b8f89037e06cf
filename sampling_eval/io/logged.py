"""Logs of harnesses as columns."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .harness import folder
from .harness.folder import Search, check_files_hold
from .harness.grading import find_grade
from .harness.limits import Limits, quote_names
from .harness.readers import check_format, list_formats
from .databases import is_table
from .files import is_remote, kind_of
from .options import OF_TASKS, Options

if TYPE_CHECKING: from .harness.logs import Logs

__all__ = ["Search", "find_logs", "group_tasks", "read_logs", "refuse_columns_of_logs",
           "refuse_log_options"]


def find_logs(
    data: Any,  # Path, glob, folder, or a list of them
    files: Sequence[str],  # The files that are meant
    options: Options,  # `harness`, `grade` and `limits`
) -> Search:  # What `read_logs` takes; without logs for plain tables
    """The logs of a harness among some files.

    Raises: `ValueError` where the harness cannot be told.
    """
    check_format(options.harness)
    check_files_hold(options.files_hold)
    if any(is_remote(file) or is_table(file) for file in files): return Search([])
    if all(kind_of(file) == "arrow" for file in files): return Search([])
    return folder.find_logs(data, options.harness, find_grade(options.grade),
                            options.limits or Limits())


def read_logs(
    found: Search,  # Logs, from `find_logs`
    options: Options,  # `filter`, `score`, `grade` and `files_hold`
) -> Logs:  # Columns by part, and what was taken for what
    "The samples of some logs."
    from .harness.ask import Ask  # For logs: a table never needs what reads them
    from .harness.logs import read_logs as read_found
    score = options.columns.get("score")
    asked = score if isinstance(score, str) else None
    ask = Ask(options.filter, asked, find_grade(options.grade))
    return read_found(found, ask, options.files_hold, options.policy.missing)


def refuse_columns_of_logs(
    options: Options,  # How logs are to be read
) -> None:
    """Refuse the name of a column, of which only the task is known in all logs.

    Raises: `ValueError` naming the option.
    """
    odd = [f"{'by' if part == 'group' else part}={name!r}"
           for part, name in options.columns.items()
           if isinstance(name, str) and part != "score"
           and not (part in OF_TASKS and name == "task")]
    if odd:
        raise ValueError(f"a log has its own columns, got {odd[0]}; column names are for plain "
                         "tables, and of logs by='task' and cluster='task'")


def group_tasks(
    tasks: list[Any] | None,  # Task of each sample, if it is known
    options: Options,  # Whether tasks are asked for as groups or as clusters
) -> dict[str, list[Any]]:  # Columns of groups and of clusters
    """Tasks as groups and as clusters, wherever there are several or they are asked for.

    Raises: `ValueError` if they are asked for and not known.
    """
    asked = [part for part in OF_TASKS if options.columns.get(part) == "task"]
    if asked and (tasks is None or None in tasks):
        name = "by" if asked[0] == "group" else asked[0]
        raise ValueError(f"{name}='task' needs the task of every sample, which this log does not "
                         "name")
    if tasks is None: return {}
    if len(set(tasks)) > 1: asked = list(OF_TASKS)
    return {part: list(map(str, tasks)) for part in asked}


def refuse_log_options(
    files: Sequence[str],  # Files that are plain tables
    options: Options,  # How they are to be read
) -> None:
    """Refuse options that only logs have.

    Raises: `ValueError` naming the harnesses there are.
    """
    if not options.grade and not options.filter: return
    names = quote_names([name for name in list_formats() if name not in ("auto", "table")])
    raise ValueError(f"{os.path.basename(files[0])} was read as a plain table; grade and filter "
                     f"are for logs of {names}")
