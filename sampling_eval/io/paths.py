"""From paths to counted rows: counts files, logs of a harness, or plain tables."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import OptionError, name_option, option
from ..results.reading import ReadNote
from .columns import COLUMNS, Source, name_asked, simplify
from .counted import CountedRows
from .text_files import add_hashes, note_files, open_bytes, open_once
from .files import is_remote, is_table, kind_of, list_files
from .sample_ids import Task, list_tasks
from .harness import folder
from .harness.limits import Limits, quote_names
from .harness.folder import check_format, list_formats
from .options import OF_TASKS, Options
from .outcome_tables import holds_outcomes, holds_paths
from .tables import open_sources, open_tables, read_sources, read_tables

if TYPE_CHECKING: from .harness.ask import Ask

__all__ = ["read_paths", "open_plain", "search_logs", "make_ask", "leave_others"]


def read_paths(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Counts files, logs of a harness, or plain tables."
    with open_once(): return read_files(data, list_files(data), options, clusters)


def read_files(data: Any, files: list[str], options: Options, clusters: bool) -> CountedRows:
    noted = {file.path: file for file in note_files(files)}
    if may_hold_counts(files):
        from .counts_file import find_counts, read_counts_files
        if counted := find_counts(files): return read_counts_files(files, counted, options)
    found = None if options.names_columns else search_logs(data, files, options)
    if found: return count_logs(found, options)
    refuse_log_options(files, options)
    files, notes = leave_others(data, files, found is not None)
    try:
        sources, what = open_tables(files, options.keys)
        rows = read_tables(sources, what, options, clusters)
    except ValueError as error:
        error.args = ("; ".join([str(error), *map(str, notes)]),)
        raise
    return replace(rows, summary=rows.summary.add(*notes),
                   files=add_hashes(noted[file] for file in files))


def open_plain(
    data: Any,  # What could not be read
    options: Options,  # How it was to be read
) -> list[Source]:  # Sources of a plain table; none for outcomes, logs and counts
    "The table whose columns could be chosen otherwise."
    if holds_outcomes(data) or isinstance(data, CountedRows): return []
    if not holds_paths(data): return open_sources(data, options.keys)
    with open_once():
        files = list_files(data)
        if may_hold_counts(files):
            from .counts_file import find_counts
            if find_counts(files): return []
        if not options.names_columns and search_logs(data, files, options): return []
        return open_tables(files, options.keys)[0]


def may_hold_counts(files: Sequence[str]) -> bool:
    "Whether a file may be one of counts: what reads these, and DuckDB with it, is imported then."
    return any(kind_of(file) == "parquet" for file in files)


# Logs.

def search_logs(data: Any, files: Sequence[str], options: Options) -> folder.Search:
    "The logs of a harness among some files; none where they are plain tables."
    check_format(options.harness)
    folder.check_files_hold(options.files_hold)
    if any(is_remote(file) or is_table(file) for file in files): return folder.Search([])
    if {kind_of(file) for file in files} & {"array"}: return folder.Search([])
    if all(kind_of(file) == "arrow" for file in files): return folder.Search([])
    return folder.find_logs(data, files, options.harness, find_judge(options.grade),
                            options.limits or Limits())


def find_judge(grade: Any) -> Any:
    "What judges answers anew; None keeps what the harness judged."
    if grade is None: return None
    from .harness.grading import find_grade
    return find_grade(grade)


def count_logs(found: folder.Search, options: Options) -> CountedRows:
    "The samples of logs, whose columns are known."
    from .harness.logs import read_logs  # For logs: a table never needs what reads them
    refuse_columns_of_logs(options)
    logs = read_logs(found, make_ask(options), options.files_hold, options.policy.missing)
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


def make_ask(
    options: Options,  # How logs are read
    texts: Any = None,  # A `Gathering` of what samples say, where they are read to be shown
) -> Ask:  # The same for readers
    "What a caller chose, as the readers of logs ask for it."
    from .harness.ask import Ask
    score = options.columns.get("score")
    asked = score if isinstance(score, str) else None
    return Ask(options.filter, asked, find_judge(options.grade), texts=texts)


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
        asked = name_asked(part)
        raise OptionError(asked, "a log has its own columns", found=option(asked, name),
                          hint=f"column names are for plain tables, and of logs "
                               f"{option('by', 'task')} and {option('cluster', 'task')}")


def group_tasks(tasks: list[Any] | None, options: Options) -> dict[str, list[Any]]:
    "Tasks as groups and as clusters, wherever there are several or they are asked for."
    asked = [part for part in OF_TASKS if options.columns.get(part) == "task"]
    if asked and (tasks is None or None in tasks):
        name = name_asked(asked[0])
        raise OptionError(name, f"{option(name, 'task')} needs the task of every sample, which "
                                "this log does not name")
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
    if not options.filter: return
    names = quote_names([name for name in list_formats() if name not in ("auto", "table")])
    raise OptionError("filter", f"{os.path.basename(files[0])} was read as a plain table",
                      hint=f"{name_option('filter')} is for logs of {names}")


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


def may_be_table(file: str) -> bool:
    "Whether a file holds more than one JSON object without a question, such as settings."
    if is_remote(file): return True
    if os.path.getsize(file) == 0: return False
    if not file.lower().endswith(".json"): return True
    from .harness.log import open_log
    try: log = open_log(file)
    except ValueError:
        # Settings may hold comments, which JSON has not.
        with open_bytes(file) as opened: return not opened.read(100).lstrip().startswith(b"{")
    if log.kind != "document": return True
    return isinstance(log.head, dict) and any(simplify(name) in COLUMNS["question"]
                                              for name in log.head)
