"""From the sources of a table to counted rows."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os.path import basename
from typing import Any

import numpy as np

from ..results.reading import ReadSummary
from .check import Repeated
from .columns import choose_columns, tell_no_column
from .counted import CountedRows
from .duplicates import are_duplicates, check_duplicates
from .identity import (advise_files, advise_repeat, choose_files, find_marks, label_files,
                       refuse_others, settle_tasks)
from .objects import name_known
from .options import Options
from .reduce import reduce_rows
from .shapes import shape_sources
from .sources import open_sources
from .suspects import look_at_rest, refuse_row_ids
from .tabular import FILE, Keep, Source, join_batches, list_columns, take_here
from .unfold import NUMBER

__all__ = ["read_objects", "read_tables", "read_sources"]

COPIES = "; these rows are exact copies, equal in all columns: leave the copies out"


def read_objects(data: Any, options: Options, clusters: bool) -> CountedRows:
    "Frames, relations, columns and rows, which name their columns themselves or not at all."
    sources = open_sources(data)
    known = name_known(sources[0], options)
    return read_tables(sources, sources[0].what, known, clusters)


def read_tables(sources: list[Source], what: str, options: Options, clusters: bool) -> CountedRows:
    "Plain tables, whatever a row of them holds."
    shaped = shape_sources(sources, options.columns, options.sums, options.ignore)
    told = replace(options, columns=shaped.named)
    rows = read_sources(shaped.sources, what, told, clusters)
    if shaped.note is None: return rows
    return replace(rows, summary=rows.summary.add(shaped.note, unit="sample"))


def read_sources(
    sources: list[Source], what: str, options: Options, clusters: bool,
) -> CountedRows:
    "Columns chosen, rows taken and reduced."
    columns = list_columns(sources)
    files = [file for source in sources for file in source.files]
    offered = [name for name in columns if name not in options.ignore]
    chosen = choose_files(choose_columns(offered, options.columns), options, files)
    check_threshold(chosen, options.threshold)
    used = find_used(columns, chosen, options, clusters)
    used |= find_marks(columns, chosen, options, files)
    keep = Keep(options.answers, options.scores, options.draws, options.threshold,
                options.runs, options.whole)
    batch = join_batches([take_here(source, used, keep) for source in sources])
    if not len(batch): raise ValueError(f"need at least one row, got none from {what}")
    batch, named = settle_tasks(batch, chosen)
    try: rows, notes = reduce_rows(batch, keep, chosen)
    except Repeated as error:
        refuse_others(batch, chosen, options)
        copies = are_duplicates(sources, batch, chosen)
        way = COPIES + advise_files(files) if copies else advise_repeat(columns, chosen, files)
        raise ValueError(f"{error}{way}") from None
    refuse_others(batch, chosen, options)
    warnings = check_duplicates(sources, batch, chosen, options)
    look_at_rest(sources, batch, chosen, options)
    refuse_row_ids(sources, rows, chosen, options)
    rows = label_files(rows, chosen, files)
    column = chosen.get("sample", "")
    # Of one column for each run the label names them: attempt_1..attempt_4.
    if column == NUMBER: column = chosen["correct"]
    summary = ReadSummary(
        "table", "" if files else what, tuple(map(basename, files)),
        counted=sources[0].verb == "counted", rows=len(rows), columns=name_columns(chosen),
        sums=options.sums, notes=tuple(named + notes),
        warnings=(*rows.summary.warnings, *warnings))
    return replace(rows, summary=summary, sample_column=column)


def find_used(columns: list[str], chosen: Mapping[str, str], options: Options,
              clusters: bool) -> dict[str, str]:
    "Columns that are counted or added up, by part."
    used = {part: column for part, column in chosen.items()
            if part != "cluster" or clusters or options.uses_clusters}
    return used | {f"sum {name}": find_sum(name, columns) for name in options.sums}


def check_threshold(chosen: Mapping[str, str], threshold: Any) -> None:
    if threshold is None: return
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.number)):
        raise TypeError(f"threshold must be a number, got {threshold!r}")
    if not np.isfinite(threshold): raise ValueError(f"threshold must be finite, got {threshold}")
    if "correct" in chosen:
        raise ValueError("threshold derives correct from score, but there is "
                         f"correct={chosen['correct']!r}; leave threshold out, or pass "
                         "correct=False")
    if "score" not in chosen:
        raise ValueError("threshold derives correct from score, and no column is the score; "
                         "pass score='...'")


def find_sum(name: str, columns: list[str]) -> str:
    if name in columns: return name
    raise ValueError(tell_no_column("sums", name, columns))


def name_columns(chosen: Mapping[str, str]) -> dict[str, str]:
    "The column of each part, as a reader knows it."
    return {part: "file" if column == FILE else str(column) for part, column in chosen.items()}
