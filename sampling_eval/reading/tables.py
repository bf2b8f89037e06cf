"""Paths, frames and rows as counted rows.

`read_paths` sorts files into counts files, logs and plain tables; `open_sources` and `open_tables`
make sources of whatever has columns; `read_tables` and `read_sources` count these.
"""
from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from os.path import basename
from pathlib import Path
from typing import Any, TYPE_CHECKING

import numpy as np

from ..errors import OptionError, OptionTypeError, retell
from ..spelling import marked, name_option, option
from ..patterns import files_in_short
from ..results.reading import ReadNote, ReadSummary
from .arrays import array_source
from .battles import Columns, find_battles, take_battles
from .columns import (COLUMNS, FILE, Keep, Source, join_batches, join_source, list_columns,
                      name_asked, names_item, no_column, simplify, take_here)
from .counted import (CountedRows, array_of, holds_outcomes, holds_paths, is_tensor,
                      note_repeated_rows)
from .failures import find_failures, judge_failures
from .files import check_tables, is_remote, is_table, kind_of, named_as_given
from .frames import dataset_source, frame_source, is_dataset, name_known, suit_inspect
from .identity import (MANY, advise_files, advise_repeat, are_duplicates, find_marks, join_heads,
                       label_files, list_unused, settle_tasks)
from .listing import list_files, open_packs
from .logs import folder
from .logs.folder import check_format, list_formats
from .logs.limits import Limits, quote_names
from .logs.log import holds_lines, open_log
from .objects import (columns_source, is_series, list_fields, reveal_fields,
                      rows_of_array, rows_of_lists, rows_of_object, rows_source, series_rows,
                      spread_index)
from .options import OF_TASKS, Options, is_of_logs
from .paths import add_paths, hold_single_rows
from .reduce import reduce_rows
from .rules import Case, Decision, explain_repeat, identify, inspect_rows
from .sample_ids import Task, list_tasks
from .shapes import NUMBER, PLACE, shape_sources
from .text_files import (add_hashes, begins_with_list, csv_source, json_source, note_files,
                         open_bytes, open_once, read_layout, refuse_same_files, unpack_size)
from .values import Repeated, is_absent

if TYPE_CHECKING: from .logs.ask import Ask

__all__ = ["read_paths", "open_plain", "look_inside", "make_ask", "leave_others", "read_objects"]


def read_paths(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Counts files, logs of a harness, or plain tables."
    with open_once(), named_as_given():
        data = open_packs(data, options.limits)
        return read_files(data, list_files(data, options.limits), options, clusters)


def read_files(data: Any, files: list[str], options: Options, clusters: bool) -> CountedRows:
    noted = {file.path: file for file in note_files(files)}
    counted, found = look_inside(data, files, options)
    if counted:
        from .counts_file import read_counts_files
        return read_counts_files(files, counted, options)
    if found: return count_logs(found, options)
    refuse_log_options(files, options)
    files, notes = leave_others(data, files, found is not None)
    try:
        sources, what = open_tables(files, options.keys, options.limits)
        options = name_known(sources[0], options)
        told = [note for source in sources for note in source.notes]
        rows = read_tables(sources, what, options, clusters)
    except ValueError as error:
        retell(error, lambda said: "; ".join([said, *map(str, notes)]))
        raise
    unit = dict(unit="sample") if any(note.kind == "lists" for note in told) else {}
    return replace(rows, summary=rows.summary.add(*told, *notes, **unit),
                   files=add_hashes(noted[file] for file in files))


def open_plain(data: Any, options: Options) -> list[Source]:
    "The table whose columns could be chosen otherwise; none for outcomes, logs and counts."
    if holds_outcomes(data) or isinstance(data, CountedRows): return []
    if not holds_paths(data): return open_sources(data, options.keys)
    with open_once():
        data = open_packs(data, options.limits)
        files = list_files(data, options.limits)
        if any(look_inside(data, files, options)): return []
        return open_tables(files, options.keys, options.limits)[0]


def look_inside(data: Any, files: Sequence[str],
                options: Options) -> tuple[list[str], folder.Search | None]:
    "Which files are counts files, and else the logs among them; None where none are looked for."
    # What reads counts, and DuckDB with it, is imported where a file may hold some.
    if any(kind_of(file) == "parquet" for file in files):
        from .counts_file import find_counts
        if counted := find_counts(files): return counted, None
    return [], None if options.names_columns else search_logs(data, files, options)


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
    from .logs.grading import find_grade
    return find_grade(grade)


def count_logs(found: folder.Search, options: Options) -> CountedRows:
    "The samples of logs, whose columns are known."
    from .logs.several import read_logs  # For logs: a table never needs what reads them
    refuse_columns_of_logs(options)
    if options.failed is not None:
        raise OptionError("failed", f"{option('failed', options.failed)} is for plain tables: a "
                                    "log says itself which tries failed, and they are missing",
                          hint=f"leave it out, or pass {option('missing', 'wrong')} to count them "
                               "as wrong")
    logs = read_logs(found, make_ask(options), options.files_hold, options.policy.missing)
    columns, tasks = logs.columns, list_tasks(logs.tasks)
    if options.threshold is not None and "score" in columns: columns.pop("correct", None)
    columns |= group_tasks(columns.pop("task", None), options)
    if names_item(options.columns.get("cluster")): columns.pop("cluster", None)
    costs = take_costs(logs.costs, options.costs, found)
    left_out = {part: False for part, name in options.columns.items() if name is False}
    told = replace(options, columns={**{part: part for part in columns}, **left_out})
    columns |= costs
    rows = name_items(read_sources(open_sources(columns), "", told, "cluster" in columns))
    summary = logs.read.add(*note_outcomes(rows, options), *note_versions(tasks),
                            warnings=rows.summary.warnings)
    decided = tuple(Decision("reader", part, field, f"by the reader of {logs.read.harness}")
                    for part, field in logs.read.columns.items())
    rows = replace(rows, ordered=logs.ordered, decided=decided)
    repeated = note_repeated_rows(rows, summary.of_files)
    summary = replace(summary, warnings=(*summary.warnings, *repeated))
    return replace(rows, summary=summary, tasks=tasks, totals=logs.totals, repeats=logs.repeats)


def name_items(rows: CountedRows) -> CountedRows:
    "The rows of logs with the ids of their questions, where several tasks share some."
    if rows.group is None or len(set(rows.group.tolist())) < 2: return rows
    named = zip(rows.group.tolist(), rows.questions[rows.question].tolist())
    item = np.array([name.removeprefix(f"{task}/") for task, name in named], object)
    return replace(rows, item=item) if len(set(item.tolist())) < len(rows.questions) else rows


def make_ask(
    options: Options,  # How logs are read
    texts: Any = None,  # A `Gathering` of what samples say, where they are read to be shown
) -> Ask:  # The same for readers
    "What a caller chose, as the readers of logs ask for it."
    from .logs.ask import Ask
    score = options.columns.get("score")
    asked = score if isinstance(score, str) else None
    return Ask(options.filter, asked, find_judge(options.grade), options.task, texts=texts,
               files_hold=options.files_hold)


def take_costs(
    costs: Sequence[Mapping[str, Any] | None], wanted: Sequence[str], found: folder.Search,
) -> dict[str, list[Any]]:
    "What each sample cost, by the names that were asked for; None where a log does not say."
    if not wanted: return {}
    known = {name for one in costs if one for name, value in one.items() if value is not None}
    for name in wanted:
        if name in known: continue
        reader = found.logs[0].reader.name
        has = f"it has {quote_names(sorted(known))}" if known else "it has none"
        raise OptionError("cost", f"this log of {reader} does not hold the costs asked for", name,
                          hint=has)
    return {name: [(one or {}).get(name) for one in costs] for name in wanted}


def refuse_columns_of_logs(options: Options) -> None:
    "Refuse the name of a column, of which only the task is known in all logs."
    for part, name in options.columns.items():
        if not isinstance(name, str) or part == "score" or is_of_logs(part, name): continue
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
    given = [name for name in ("filter", "task") if getattr(options, name)]
    if not given: return
    names = quote_names([name for name in list_formats() if name not in ("auto", "table")])
    raise OptionError(given[0], f"{os.path.basename(files[0])} was read as a plain table",
                      hint=f"{name_option(given[0])} is for logs of {names}")


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
    try: log = open_log(file)
    except ValueError:
        # Settings may hold comments, which JSON has not.
        with open_bytes(file) as opened: return not opened.read(100).lstrip().startswith(b"{")
    if log.kind != "document": return True
    return isinstance(log.head, dict) and any(simplify(name) in COLUMNS["question"]
                                              for name in log.head)


# Anything with columns as sources.

SMALL = 2**23  # Bytes of text, in all, that the standard library reads
ROW = 16  # Bytes for which a row of a Parquet file counts, since equal ones take no room there
OWN_RUNS = "if two runs agree to the last byte, give each a sample column"
STORED = "parquet", "arrow", "duckdb"  # Kinds that hold columns with types
ASKING = "question", "correct"  # Options without which a table may not be readable
COPIES = "these rows are exact copies, equal in all columns: leave the copies out"


def open_sources(
    data: Any,  # Frame, series, relation, dict of columns, list of dict rows, or outcomes
    keys: str | None = None,  # What the keys of a dict are: questions, models or samples
) -> list[Source]:  # The same as sources
    """What is in memory, or where an engine holds it.

    Raises: `TypeError` for anything else.
    """
    if is_series(data): data = series_rows(data)
    if isinstance(data, np.ndarray):
        return [rows_source(rows_of_array(data, "an array", keys), "an array")]
    if is_dataset(data): return [suit_inspect(dataset_source(data))]
    if isinstance(data, Mapping):
        held = {name: array_of(c) if is_tensor(c) else c for name, c in data.items()}
        rows = rows_of_object(held, keys)
        return [columns_source(held) if rows is None else rows_source(rows, "a dict")]
    if isinstance(data, (list, tuple)): return [open_list(data)]
    if is_relation(data):
        from .duckdb.engine import relation_source
        name = f"{type(data).__module__.split('.')[0].strip('_')} {type(data).__name__}"
        return [relation_source(data, f"a {name}")]
    found = None if type(data).__module__ == "builtins" else frame_source(spread_index(data))
    if found is not None: return [suit_inspect(found)]
    raise TypeError("data must be a path, a frame, a dict of columns or a list of dict rows, "
                    f"got {type(data).__name__}")


def open_list(data: Sequence) -> Source:
    kinds = set(map(type, data))
    if kinds and all(issubclass(kind, Mapping) for kind in kinds): return rows_source(list(data))
    # A list of paths is read elsewhere; of texts, numbers and nothing no table can be made.
    if kinds and not kinds & {str, int, float, bool, type(None)}:
        return rows_source(rows_of_lists(data), "a list of lists")
    got = f"a list that starts with {repr(data[0])[:60]}" if data else "an empty list"
    raise TypeError(f"need a list of paths, of dict rows or of lists, got {got}")


def is_relation(data: object) -> bool:
    library = type(data).__module__.split(".")[0]
    return library in ("duckdb", "_duckdb") and hasattr(data, "project")


def open_tables(
    files: Sequence[str],  # Files of plain tables
    keys: str | None = None,  # What the keys of a JSON object or the names of arrays are
    limits: Limits | None = None,  # How many bytes are believed of what is packed
) -> tuple[list[Source], str]:  # Sources, and words for the files
    """Files as sources: small ones are read here, others are counted by DuckDB.

    Raises: `ValueError` naming a file that cannot be read.
    """
    check_tables(files)
    what = files_in_short(files)
    whole = any(kind_of(file) == "array" or is_document(file) for file in files)
    if not whole and (any(map(is_remote, files)) or outgrows(files, SMALL)):
        from .duckdb.engine import files_source
        refuse_same_files(files, OWN_RUNS)
        return [files_source(files, what)], what
    sources = open_small(files, keys, limits or Limits())
    # Samples of one row each may well be equal.
    if not hold_single_rows(sources): refuse_same_files(files, OWN_RUNS)
    return sources, what


def is_document(file: str) -> bool:
    "Whether a file is one JSON value, or lists without names: the standard reader takes these."
    if is_remote(file) or is_table(file) or kind_of(file) != "json": return False
    limits = Limits()
    if unpack_size(file, limits.document) >= limits.document: return False
    if read_layout(file, "json")[1] == "array": return begins_with_list(file)
    return read_layout(file, "json")[1] == "unstructured" and not holds_lines(Path(file), limits)


def outgrows(
    files: Sequence[str],  # Local files of plain tables
    most: int,  # Bytes that may come out of them, in all
) -> bool:  # Whether more comes out; none is unpacked further than it takes to know
    "Whether the content of files is larger than that."
    stored = [file for file in files if kind_of(file) == "parquet"]
    left = most - (count_stored(stored) if stored else 0)
    for file in files:
        if left < 0: break
        left -= unpack_size(file, left + 1)
    return left < 0


def count_stored(files: Sequence[str]) -> int:
    "Bytes for which the rows of Parquet files count."
    from .duckdb.sql import count_rows  # Most files are text
    return ROW * count_rows(files)


def open_small(files: Sequence[str], keys: str | None, limits: Limits) -> list[Source]:
    sources: list[Source] = []

    def see_layout(file: str) -> tuple:
        kind = str(kind_of(file))
        return (kind,) if kind in (*STORED, "array") else read_layout(file, kind)
    for (kind, *rest), group in groupby(files, see_layout):
        if kind in STORED: sources += open_stored(list(group))
        elif kind == "array":
            sources.append(array_source(list(group), keys, limits))
        elif kind == "json": sources.append(json_source(list(group), rest[0], keys))
        else: sources.append(csv_source(list(group), *rest))
    return sources


def open_stored(files: list[str]) -> list[Source]:
    from .duckdb.engine import stored_sources
    return stored_sources(files)


def read_objects(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Frames, relations, columns and rows, which name their columns themselves or not at all."
    sources = open_sources(data, options.keys)
    known = name_known(sources[0], options)
    return read_tables(sources, sources[0].what, known, clusters)


def read_tables(sources: list[Source], what: str, options: Options, clusters: bool) -> CountedRows:
    "Plain tables, whatever a row of them holds."
    options = options.name_items(list_columns(sources))
    sources = add_paths(sources, options.columns)
    asked = list_asked(options)
    if any("." in str(name) for _, name in asked):
        sources = reveal_fields(sources, asked)
    options = spread_names(options, list_columns(sources))
    sources = join_named(sources, options)
    if (found := find_battles(sources, options)) is not None:
        return read_battles(sources, found, what, options, clusters)
    if options.grade is not None:
        from .logs.grading import grade_sources, note_grading
        judged, told, grade = grade_sources(sources, options)
        rows = read_tables(judged, what, told, clusters)
        return replace(rows, summary=rows.summary.add(*note_grading(grade)))
    shaped = shape_sources(sources, options.columns, options.sums, options.ignore,
                           options.means)
    told = replace(options, columns=shaped.named)
    rows = read_sources(shaped.sources, what, told, clusters)
    if not shaped.notes: return rows
    return replace(rows, summary=rows.summary.add(*shaped.notes, unit="sample"))


def read_battles(sources: list[Source], columns: Columns, what: str, options: Options,
                 clusters: bool) -> CountedRows:
    "A table of who won against whom, as a win share of each model and prompt."
    battles, table, told, note = take_battles(sources, columns, options)
    rows = read_sources([columns_source(table)], what, told, clusters)
    files = tuple(basename(file) for source in sources for file in source.files)
    summary = replace(rows.summary.without("score_as_outcome"), rows=note.count or 0,
                      name="" if files else what, files=files)
    # Shares that are all 0 or 1 are shares all the same.
    return replace(rows, correct=None, derived=False, battles=battles, summary=summary.add(note))


def spread_names(options: Options, columns: Sequence[str]) -> Options:
    "The same, where names of columns stand with commas between: `ignore='a,b'`."
    known = set(columns)

    def spread(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for name in names for one in split_name(name, known)))
    return replace(options, ignore=spread(options.ignore), sums=spread(options.sums))


def split_name(name: str, known: Collection[str]) -> list[str]:
    "The columns that a name with commas stands for; any other name as it is."
    parts = str(name).split(",")
    return parts if name not in known and set(parts) <= set(known) else [name]


def join_named(sources: list[Source], options: Options) -> list[Source]:
    "The same, with a column for each part that is named by several: `sample='run,iteration'`."
    known = set(list_columns(sources))
    for part in "question", "sample", "model":
        name = options.columns.get(part)
        parts = split_name(name, known) if isinstance(name, str) else []
        if len(parts) > 1: sources = [join_source(source, parts) for source in sources]
    return sources


def list_asked(options: Options) -> list[tuple[str, object]]:
    "The columns that the caller named, each with its option."
    asked = [(name_asked(part), name) for part, name in options.columns.items()]
    asked += [("sums", name) for name in options.sums]
    asked += [("ignore", name) for name in options.ignore]
    return [*asked, ("expected", options.expected)]


def read_sources(
    sources: list[Source], what: str, options: Options, clusters: bool,
) -> CountedRows:
    "Columns chosen, rows taken and reduced."
    try: return read_chosen(sources, what, options, clusters)
    except OptionError as error:
        if error.ways or error.hint or error.option not in ASKING: raise
        raise suggest_columns(error, sources, options) from None


def suggest_columns(error: OptionError, sources: list[Source], options: Options) -> OptionError:
    "The error with what to type where only one way may be meant; else it shows the columns."
    from .column_candidates import show_columns, suggest_way  # Only a refusal needs it
    # A name that is no column may be replaced, and nothing else that was told.
    named = {part: name for part, name in options.columns.items()
             if name is not None and (part != error.option or name in list_columns(sources))}
    left = [c for c in list_columns(sources) if c not in (*options.ignore, NUMBER, PLACE)][:MANY]
    try:
        heads = look_into(sources, left) if left else {}
        way = suggest_way(heads, named)
    # What cannot be compared is no name.
    except (TypeError, ValueError): heads, way = {}, {}
    if way and not way.keys() & named.keys():
        error.ways = (way,)
        return error
    if error.got is not ... or error.option != "question": return error
    if not heads:
        retell(error, lambda said: f"{said}; pass {option('question', '...')}")
        return error
    return OptionError(
        "question", f"Which column holds the question? Got {show_columns(heads)}",
        choices=error.choices,
        hint=f"pass {option('question', '...')}, of which rows with one value are samples of one "
             f"question, or {option('question', False)} if each row is a question of its own")


def read_chosen(
    sources: list[Source], what: str, options: Options, clusters: bool,
) -> CountedRows:
    case = Case(sources, options, clusters)
    identify(case)
    columns, chosen, sources, files = case.columns, case.chosen, case.sources, case.files
    check_threshold(chosen, options.threshold)
    used = find_used(columns, chosen, options, clusters)
    used |= find_marks(columns, chosen, options, files)
    used |= find_failures(list_unused(columns, chosen, options))
    keep = Keep(options.answers, options.scores, options.draws, options.threshold,
                options.runs, options.whole, options.costs)
    batch = join_batches([take_here(source, used, keep) for source in sources])
    if not len(batch): raise ValueError(f"need at least one row, got none from {what}")
    batch, failures = judge_failures(batch, options.failed)
    batch, named = settle_tasks(batch, chosen)
    case.batch = batch
    try: rows, notes = reduce_rows(batch, keep, chosen)
    except Repeated as error:
        explain_repeat(case)
        copies = are_duplicates(sources, batch, chosen)
        way = advise_repeat(columns, chosen, files)
        if copies: way = "; ".join(filter(None, [COPIES, advise_files(files)]))
        raise OptionError("sample", marked(error), hint=way) from None
    case.rows = rows
    inspect_rows(case)
    rows = label_files(rows, chosen, files)
    candidates, ways = list_candidates(sources, chosen, options)
    column = chosen.get("sample", "")
    # Of one column for each run the label names them: attempt_1..attempt_4.
    if column == NUMBER: column = chosen["correct"]
    summary = ReadSummary(
        "table", "" if files else what, tuple(map(basename, files)),
        counted=sources[0].verb == "counted", rows=len(rows), columns=label_columns(chosen),
        candidates=candidates, sums=options.sums,
        notes=tuple(named + notes + failures),
        warnings=(*rows.summary.warnings, *case.warnings))
    rows = replace(rows, sample_column=column, ways=ways, decided=tuple(case.decided))
    repeated = note_repeated_rows(rows, summary.of_files)
    return replace(rows, summary=replace(summary, warnings=(*summary.warnings, *repeated)))


def find_used(columns: list[str], chosen: Mapping[str, str], options: Options,
              clusters: bool) -> dict[str, str]:
    "Columns that are counted or added up, by part."
    used = {part: column for part, column in chosen.items()
            if part != "cluster" or clusters or options.uses_clusters}
    return used | {f"sum {name}": find_sum(name, columns, options) for name in options.sums}


def check_threshold(chosen: Mapping[str, str], threshold: Any) -> None:
    if threshold is None: return
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.number)):
        raise OptionTypeError("threshold", must="be a number", got=threshold)
    if not np.isfinite(threshold): raise OptionError("threshold", must="be finite", got=threshold)
    derives = f"{name_option('threshold')} derives correct from score"
    if "correct" in chosen:
        raise OptionError(
            "threshold", f"{derives}, but there is {option('correct', chosen['correct'])}",
            hint=f"leave {name_option('threshold')} out, or pass {option('correct', False)}")
    if "score" not in chosen:
        raise OptionError("score", f"{derives}, and no column is the score",
                          hint=f"pass {option('score', '...')}")


def find_sum(name: str, columns: list[str], options: Options) -> str:
    if name in columns: return name
    raise no_column("cost" if name in options.costs else "sums", name, columns)


def look_into(sources: list[Source], columns: list[str]) -> dict[str, np.ndarray]:
    "The first rows of some columns, and of the fields of objects in them."
    heads = join_heads(sources, columns)
    return heads | list_fields(heads)


def list_candidates(
    sources: list[Source], chosen: Mapping[str, str], options: Options,
) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    "Columns that may hold the outcome, where none was taken, and else options that give one."
    if {"correct", "score"} & chosen.keys(): return (), ()
    from .column_candidates import hold_outcomes, suggest_grades  # Few tables have no outcome
    left = list_unused(list_columns(sources), chosen, options)[:MANY]
    try: head = look_into(sources, left) if left else {}
    # What cannot be compared is no outcome.
    except (TypeError, ValueError): return (), ()
    able = tuple(column for column, values in head.items()
                 if hold_outcomes([value for value in values.tolist() if not is_absent(value)]))
    return able, tuple(suggest_grades(head, chosen))


def label_columns(chosen: Mapping[str, str]) -> dict[str, str]:
    "The column of each part, as a reader knows it."
    return {part: "file" if column == FILE else str(column) for part, column in chosen.items()}
