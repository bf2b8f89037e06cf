"""From paths to counted rows: counts files, logs of a harness, or plain tables."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..results.reading import ReadNote, ReadSummary
from .content import note_files
from .counted import CountedRows
from .counts_file import find_counts, read_counts_files
from .files import list_files
from .folders import leave_others, tell_tables
from .forms import holds_outcomes, holds_paths
from .logged import (Search, find_logs, group_tasks, read_logs, refuse_columns_of_logs,
                     refuse_log_options)
from .options import Options
from .rows import read_sources, read_tables
from .sources import open_sources, open_tables
from .tabular import Source
from .tasks import Task, list_tasks

__all__ = ["read_paths", "open_plain"]


def read_paths(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Counts files, logs of a harness, or plain tables."
    files = list_files(data)
    if counted := find_counts(files): return read_counts_files(files, counted, options)
    found = None if options.names_columns else find_logs(data, files, options)
    if found: return read_harness(found, options)
    refuse_log_options(files, options)
    files, notes = leave_others(data, files, found is not None)
    noted = note_files(files)
    with tell_tables(notes):
        sources, what = open_tables(files)
        rows = read_tables(sources, what, options, clusters)
    return replace(rows, summary=rows.summary.add(*notes), files=noted)


def read_harness(found: Search, options: Options) -> CountedRows:
    "The samples of logs, whose columns are known."
    left_out: dict[str, str | bool] = {
        part: False for part, name in options.columns.items() if name is False}
    refuse_columns_of_logs(options)
    logs = read_logs(found, options)
    columns, tasks = logs.columns, list_tasks(logs.tasks)
    if options.threshold is not None and "score" in columns: columns.pop("correct", None)
    columns |= group_tasks(columns.pop("task", None), options)
    told = replace(options, columns={**{part: part for part in columns}, **left_out})
    rows = read_sources(open_sources(columns), "", told, "cluster" in columns)
    logs_found = found.logs
    summary = ReadSummary(
        "log", files=tuple(log.path.name for log in logs_found), unit="sample", rows=len(rows),
        harness=logs_found[0].reader.name, columns=rows.summary.columns,
        notes=(ReadNote("log", text=logs.took), *note_outcomes(rows, options),
               *note_versions(tasks)), warnings=rows.summary.warnings)
    return replace(rows, summary=summary, tasks=tasks, ordered=logs.ordered,
                   totals=tuple(logs.totals), repeats=tuple(logs.repeats))


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
