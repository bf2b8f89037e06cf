"""Anything that holds samples as sources, and sources as counted rows."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from os.path import basename
from typing import Any

import numpy as np

from ..errors import OptionError, OptionTypeError, name_option, option
from ..patterns import tell_files
from ..results.reading import ReadSummary
from .identity import (MANY, advise_files, advise_repeat, are_duplicates, check_duplicates,
                       choose_files, find_marks, join_heads, label_files, list_unused, look_at_rest,
                       refuse_others, refuse_row_ids, settle_tasks)
from .check import Repeated
from .columns import (FILE, Keep, Source, choose_columns, join_batches, list_columns, name_asked,
                      no_column, take_here)
from .counted import CountedRows
from .text_files import csv_source, json_source, read_layout, refuse_same_files, unpack_size
from .files import check_tables, is_remote, kind_of
from .frames import (columns_source, dataset_source, frame_source, is_dataset, name_known,
                     rows_source, suit_inspect)
from .options import Options
from .outcome_tables import array_of, is_tensor
from .reduce import reduce_rows
from .shapes import NUMBER, PLACE, shape_sources
from .values import is_absent

__all__ = ["open_sources", "open_tables", "read_objects", "read_tables", "read_sources"]

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
    from .keyed import rows_of_object  # Most data are files
    from .objects import is_series, rows_of_array, series_rows, spread_index
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
        from .duckdb.engine import engine_source
        from .duckdb.scans import scan_relation
        name = f"{type(data).__module__.split('.')[0].strip('_')} {type(data).__name__}"
        return [engine_source([scan_relation(data)], f"a {name}")]
    found = None if type(data).__module__ == "builtins" else frame_source(spread_index(data))
    if found is not None: return [suit_inspect(found)]
    raise TypeError("data must be a path, a frame, a dict of columns or a list of dict rows, "
                    f"got {type(data).__name__}")


def open_list(data: Sequence) -> Source:
    kinds = set(map(type, data))
    if kinds and all(issubclass(kind, Mapping) for kind in kinds): return rows_source(list(data))
    # A list of paths is read elsewhere; of texts, numbers and nothing no table can be made.
    if kinds and not kinds & {str, int, float, bool, type(None)}:
        from .keyed import rows_of_lists
        return rows_source(rows_of_lists(data), "a list of lists")
    got = f"a list that starts with {repr(data[0])[:60]}" if data else "an empty list"
    raise TypeError(f"need a list of paths, of dict rows or of lists, got {got}")


def is_relation(data: object) -> bool:
    library = type(data).__module__.split(".")[0]
    return library in ("duckdb", "_duckdb") and hasattr(data, "project")


def open_tables(
    files: Sequence[str],  # Files of plain tables
    keys: str | None = None,  # What the keys of a JSON object or the names of arrays are
) -> tuple[list[Source], str]:  # Sources, and words for the files
    """Files as sources: small ones are read here, others are counted by DuckDB.

    Raises: `ValueError` naming a file that cannot be read.
    """
    check_tables(files)
    refuse_same_files(files, OWN_RUNS)
    what = tell_files(files)
    whole = any(kind_of(file) == "array" for file in files)
    if not whole and (any(map(is_remote, files)) or outgrows(files, SMALL)):
        from .duckdb.engine import engine_source
        from .duckdb.scans import open_files, scan_files
        return [engine_source(scan_files(open_files(files), files), what)], what
    return open_small(files, keys), what


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


def open_small(files: Sequence[str], keys: str | None) -> list[Source]:
    sources: list[Source] = []

    def see_layout(file: str) -> tuple:
        kind = str(kind_of(file))
        return (kind,) if kind in (*STORED, "array") else read_layout(file, kind)
    for (kind, *rest), group in groupby(files, see_layout):
        if kind in STORED: sources += open_stored(list(group))
        elif kind == "array":
            from .objects import array_source
            sources.append(array_source(list(group), keys))
        elif kind == "json": sources.append(json_source(list(group), rest[0], keys))
        else: sources.append(csv_source(list(group), *rest))
    return sources


def open_stored(files: list[str]) -> list[Source]:
    from .duckdb.engine import fetch_source
    from .duckdb.scans import open_files, scan_files
    con = open_files(files)
    con.execute("SET preserve_insertion_order=true")
    return [fetch_source(scan) for file in files for scan in scan_files(con, [file])]


def read_objects(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Frames, relations, columns and rows, which name their columns themselves or not at all."
    sources = open_sources(data, options.keys)
    known = name_known(sources[0], options)
    return read_tables(sources, sources[0].what, known, clusters)


def read_tables(sources: list[Source], what: str, options: Options, clusters: bool) -> CountedRows:
    "Plain tables, whatever a row of them holds."
    asked = list_asked(options)
    if any("." in str(name) for _, name in asked):
        from .keyed import reveal_fields  # Few names are those of fields
        sources = reveal_fields(sources, asked)
    if options.grade is not None:
        from .graded import grade_sources, note_grading
        judged, told, grade = grade_sources(sources, options)
        rows = read_tables(judged, what, told, clusters)
        return replace(rows, summary=rows.summary.add(*note_grading(grade)))
    shaped = shape_sources(sources, options.columns, options.sums, options.ignore,
                           options.means)
    told = replace(options, columns=shaped.named)
    rows = read_sources(shaped.sources, what, told, clusters)
    if not shaped.notes: return rows
    return replace(rows, summary=rows.summary.add(*shaped.notes, unit="sample"))


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
        if not error.ways and error.option in ASKING: suggest_columns(error, sources, options)
        raise


def suggest_columns(error: OptionError, sources: list[Source], options: Options) -> None:
    "Say of an error which columns could be named."
    from .column_candidates import suggest_ways  # Only a refusal needs it
    named = {part: name for part, name in options.columns.items() if part != error.option}
    left = [c for c in list_columns(sources) if c not in (*options.ignore, NUMBER, PLACE)][:MANY]
    try: ways = suggest_ways(look_into(sources, left), named) if left else []
    # What cannot be compared is no name.
    except (TypeError, ValueError): ways = []
    if ways: error.suggest(ways)
    elif error.option == "question" and not error.hint:
        error.advise(f"pass {option('question', '...')}")


def read_chosen(
    sources: list[Source], what: str, options: Options, clusters: bool,
) -> CountedRows:
    columns = list_columns(sources)
    files = [file for source in sources for file in source.files]
    offered = [name for name in columns if name not in options.ignore]
    chosen = choose_files(choose_columns(offered, options.columns, options.sums), options, files)
    check_threshold(chosen, options.threshold)
    used = find_used(columns, chosen, options, clusters)
    used |= find_marks(columns, chosen, options, files)
    keep = Keep(options.answers, options.scores, options.draws, options.threshold,
                options.runs, options.whole, options.costs)
    batch = join_batches([take_here(source, used, keep) for source in sources])
    if not len(batch): raise ValueError(f"need at least one row, got none from {what}")
    batch, named = settle_tasks(batch, chosen)
    try: rows, notes = reduce_rows(batch, keep, chosen)
    except Repeated as error:
        refuse_others(batch, chosen, options)
        copies = are_duplicates(sources, batch, chosen)
        way = advise_repeat(columns, chosen, files)
        if copies: way = "; ".join(filter(None, [COPIES, advise_files(files)]))
        raise OptionError("sample", str(error), hint=way) from None
    refuse_others(batch, chosen, options)
    warnings = check_duplicates(sources, batch, chosen, options)
    look_at_rest(sources, batch, chosen, options)
    refuse_row_ids(sources, rows, chosen, options)
    rows = label_files(rows, chosen, files)
    candidates, ways = list_candidates(sources, chosen, options)
    column = chosen.get("sample", "")
    # Of one column for each run the label names them: attempt_1..attempt_4.
    if column == NUMBER: column = chosen["correct"]
    summary = ReadSummary(
        "table", "" if files else what, tuple(map(basename, files)),
        counted=sources[0].verb == "counted", rows=len(rows), columns=label_columns(chosen),
        candidates=candidates, sums=options.sums,
        notes=tuple(named + notes),
        warnings=(*rows.summary.warnings, *warnings))
    return replace(rows, summary=summary, sample_column=column, ways=ways)


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
    from .keyed import list_fields
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
    return able, () if able else tuple(suggest_grades(head, chosen))


def label_columns(chosen: Mapping[str, str]) -> dict[str, str]:
    "The column of each part, as a reader knows it."
    return {part: "file" if column == FILE else str(column) for part, column in chosen.items()}
