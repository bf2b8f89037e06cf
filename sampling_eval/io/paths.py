"""From paths to counted rows: counts files, logs of a harness, or plain tables."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..patterns import tell_files
from ..results.reading import ReadNote
from .columns import COLUMNS, simplify
from .counted import CountedRows
from .counts_file import find_counts, read_counts_files
from .file_content import note_files
from .files import is_remote, is_table, kind_of, list_files
from .grouped_rows import Task, list_tasks
from .harness import folder
from .._errors import OptionError
from .harness.grading import find_grade
from .harness.limits import Limits, quote_names
from .harness.readers import check_format, list_formats
from .options import OF_TASKS, Options
from .outcome_tables import holds_outcomes, holds_paths
from .tables import open_sources, open_tables, read_sources, read_tables
from .tabular import Source

__all__ = ["read_paths", "open_plain"]


def read_paths(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Counts files, logs of a harness, or plain tables."
    files = list_files(data)
    if counted := find_counts(files): return read_counts_files(files, counted, options)
    found = None if options.names_columns else find_logs(data, files, options)
    if found: return read_logs(found, options)
    refuse_log_options(files, options)
    files, notes = leave_others(data, files, found is not None)
    noted = note_files(files)
    try:
        sources, what = open_tables(files)
        rows = read_tables(sources, what, options, clusters)
    except ValueError as error:
        if not notes: raise
        raise ValueError("; ".join([str(error), *map(tell_left, notes)])) from None
    return replace(rows, summary=rows.summary.add(*notes), files=noted)


def open_plain(
    data: Any,  # What could not be read
    options: Options,  # How it was to be read
) -> list[Source]:  # Sources of a plain table; none for outcomes, logs and counts
    "The table whose columns could be chosen otherwise."
    if holds_outcomes(data) or isinstance(data, CountedRows): return []
    if not holds_paths(data): return open_sources(data)
    files = list_files(data)
    if find_counts(files): return []
    if not options.names_columns and find_logs(data, files, options): return []
    return open_tables(files)[0]


# Logs.

def find_logs(data: Any, files: Sequence[str], options: Options) -> folder.Search:
    "The logs of a harness among some files; none where they are plain tables."
    check_format(options.harness)
    folder.check_files_hold(options.files_hold)
    if any(is_remote(file) or is_table(file) for file in files): return folder.Search([])
    if all(kind_of(file) == "arrow" for file in files): return folder.Search([])
    return folder.find_logs(data, options.harness, find_grade(options.grade),
                            options.limits or Limits())


def read_logs(found: folder.Search, options: Options) -> CountedRows:
    "The samples of logs, whose columns are known."
    from .harness.ask import Ask  # For logs: a table never needs what reads them
    from .harness.logs import read_logs as read_found
    refuse_columns_of_logs(options)
    score = options.columns.get("score")
    asked = score if isinstance(score, str) else None
    ask = Ask(options.filter, asked, find_grade(options.grade))
    logs = read_found(found, ask, options.files_hold, options.policy.missing)
    columns, tasks = logs.columns, list_tasks(logs.tasks)
    if options.threshold is not None and "score" in columns: columns.pop("correct", None)
    columns |= group_tasks(columns.pop("task", None), options)
    costs = take_costs(logs.costs, options.costs, found)
    left_out = {part: False for part, name in options.columns.items() if name is False}
    told = replace(options, columns={**{part: part for part in columns}, **left_out})
    columns |= costs
    rows = read_sources(open_sources(columns), "", told, "cluster" in columns)
    summary = logs.read.add(*note_outcomes(rows, options), *note_versions(tasks),
                            warnings=rows.summary.warnings)
    return replace(rows, summary=summary, tasks=tasks, ordered=logs.ordered,
                   totals=logs.totals, repeats=logs.repeats)


def take_costs(
    costs: Sequence[Mapping[str, Any] | None], wanted: Sequence[str], found: folder.Search,
) -> dict[str, list[Any]]:
    "What each sample cost, by the names that were asked for; None where a log does not say."
    if not wanted: return {}
    known = {name for one in costs if one for name, value in one.items() if value is not None}
    for name in wanted:
        if name in known: continue
        reader = found.logs[0].reader.name
        has = f"it has {join_names(sorted(known))}" if known else "it has none"
        raise OptionError("cost", f"this log of {reader} does not hold the costs asked for", name,
                          hint=has)
    return {name: [(one or {}).get(name) for one in costs] for name in wanted}


def join_names(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def refuse_columns_of_logs(options: Options) -> None:
    "Refuse the name of a column, of which only the task is known in all logs."
    for part, name in options.columns.items():
        task = part in OF_TASKS and name == "task"
        if not isinstance(name, str) or part == "score" or task: continue
        raise ValueError(f"a log has its own columns, got {'by' if part == 'group' else part}="
                         f"{name!r}; column names are for plain tables, and of logs by='task' and "
                         "cluster='task'")


def group_tasks(tasks: list[Any] | None, options: Options) -> dict[str, list[Any]]:
    "Tasks as groups and as clusters, wherever there are several or they are asked for."
    asked = [part for part in OF_TASKS if options.columns.get(part) == "task"]
    if asked and (tasks is None or None in tasks):
        name = "by" if asked[0] == "group" else asked[0]
        raise ValueError(f"{name}='task' needs the task of every sample, which this log does not "
                         "name")
    if tasks is None: return {}
    if len(set(tasks)) > 1: asked = list(OF_TASKS)
    return {part: list(map(str, tasks)) for part in asked}


def note_outcomes(rows: CountedRows, options: Options) -> list[ReadNote]:
    "How the outcomes of a log were found, and how many are missing."
    notes = []
    if options.threshold is not None:
        notes.append(ReadNote("threshold", ("score",), value=float(options.threshold)))
    elif rows.correct is None: notes.append(ReadNote("graded"))
    if rows.correct is None: return notes
    missing = int(rows.times[np.isnan(rows.correct)].sum())
    if missing: notes.append(ReadNote("missing_outcomes", count=missing, total=len(rows)))
    return notes


def note_versions(tasks: Sequence[Task]) -> list[ReadNote]:
    "Tasks of which there are several versions, whose questions may differ."
    versions: dict[str, dict[str, None]] = {}
    for task in tasks:
        if task.version: versions.setdefault(task.name, {})[task.version] = None
    return [ReadNote("task_versions", (name, *found)) for name, found in versions.items()
            if len(found) > 1]


# Plain tables, and what else lies in a folder in which no harness has written.

def refuse_log_options(files: Sequence[str], options: Options) -> None:
    "Refuse options that only logs have."
    if not options.grade and not options.filter: return
    names = quote_names([name for name in list_formats() if name not in ("auto", "table")])
    raise ValueError(f"{os.path.basename(files[0])} was read as a plain table; grade and filter "
                     f"are for logs of {names}")


def leave_others(data: Any, files: list[str], searched: bool) -> tuple[list[str], list[ReadNote]]:
    "The tables of a folder, without settings and empty files that lie beside them."
    given = [data] if isinstance(data, (str, os.PathLike)) else data
    named = set(map(os.fspath, given))
    if not any(map(os.path.isdir, named)) or len(files) == 1: return files, []
    tables = [file for file in files if file in named or may_be_table(file)]
    if not tables: return files, []
    others = tuple(os.path.basename(file) for file in files if file not in set(tables))
    notes = [ReadNote("skipped_files", others)] if others else []
    if searched and len(tables) > 1:
        notes.append(ReadNote("plain_tables", count=len(tables), total=len(files)))
    return tables, notes


def tell_left(note: ReadNote) -> str:
    "A note on a folder, for the refusal of its tables."
    if note.kind == "skipped_files": return f"skipped {tell_files(note.names)}, as no table"
    return f"none of {note.total} files is a log of a harness: {note.count} read as tables"


def may_be_table(file: str) -> bool:
    "Whether a file holds more than one JSON object without a question, such as settings."
    if is_remote(file): return True
    if os.path.getsize(file) == 0: return False
    if not file.lower().endswith(".json"): return True
    from .harness.log import open_log
    try: log = open_log(file)
    except ValueError:
        # Settings may hold comments, which JSON has not.
        with open(file, "rb") as opened: return not opened.read(100).lstrip().startswith(b"{")
    if log.kind != "document": return True
    return isinstance(log.head, dict) and any(simplify(name) in COLUMNS["question"]
                                              for name in log.head)
