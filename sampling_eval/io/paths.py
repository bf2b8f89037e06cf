"""From paths to counted rows: counts files, logs of a harness, or plain tables."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

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
from .tasks import list_tasks, tell_versions

__all__ = ["read_paths", "open_plain"]


def read_paths(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Counts files, logs of a harness, or plain tables."
    files = list_files(data)
    if counted := find_counts(files): return read_counts_files(files, counted, options)
    found = None if options.names_columns else find_logs(data, files, options)
    if found: return read_harness(found, options)
    refuse_log_options(files, options)
    files, said = leave_others(data, files, found is not None)
    noted = note_files(files)
    with tell_tables(said):
        sources, what = open_tables(files)
        rows = read_tables(sources, what, options, clusters)
    return replace(rows, source="; ".join(filter(None, [rows.source, said])), files=noted)


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
    mixed = tell_versions({"": tasks})
    said = logs.took + tell_outcomes(rows, options) + (f"; {mixed}" if mixed else "")
    return replace(rows, source=said, tasks=tasks, ordered=logs.ordered,
                   totals=tuple(logs.totals), repeats=tuple(logs.repeats))


def tell_outcomes(rows: CountedRows, options: Options) -> str:
    "How the outcomes of a log were found, and how many are missing."
    how = ""
    if options.threshold is not None: how = f"; correct=score above {options.threshold}"
    elif rows.correct is None:
        how = "; scores are graded, and threshold= would make them right or wrong"
    if rows.correct is None: return how
    missing = int(rows.times[np.isnan(rows.correct)].sum())
    be = "is" if missing == 1 else "are"
    return how + (f"; {missing} of {len(rows)} outcomes {be} missing" if missing else "")


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
