"""Anything that holds samples, as sources."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from ..patterns import tell_files
from .content import refuse_twins
from .extent import outgrows
from .files import check_tables, is_remote, kind_of
from .forms import array_of, is_tensor
from .frames import columns_source, frame_source, rows_source
from .objects import dataset_source, is_dataset, suit_inspect
from .tabular import Source
from .texts import csv_source, json_source, read_layout

__all__ = ["open_sources", "open_tables"]

SMALL = 2**23  # Bytes of text, in all, that the standard library reads
STORED = "parquet", "arrow", "duckdb"  # Kinds that hold columns with types


def open_sources(
    data: Any,  # Frame, relation, dict of columns or list of dict rows
) -> list[Source]:  # The same as sources
    """What is in memory, or where an engine holds it.

    Raises: `TypeError` for anything else.
    """
    if is_dataset(data): return [suit_inspect(dataset_source(data))]
    if isinstance(data, Mapping):
        held = {name: array_of(c) if is_tensor(c) else c for name, c in data.items()}
        return [columns_source(held)]
    if isinstance(data, (list, tuple)): return [open_list(data)]
    if is_relation(data):
        from .engine import engine_source
        from .scans import scan_relation
        name = f"{type(data).__module__.split('.')[0].strip('_')} {type(data).__name__}"
        return [engine_source([scan_relation(data)], f"a {name}")]
    found = None if type(data).__module__ == "builtins" else frame_source(data)
    if found is not None: return [suit_inspect(found)]
    raise TypeError("data must be a path, a frame, a dict of columns or a list of dict rows, "
                    f"got {type(data).__name__}")


def open_list(data: Sequence) -> Source:
    kinds = set(map(type, data))
    if kinds and all(issubclass(kind, Mapping) for kind in kinds): return rows_source(list(data))
    got = f"a list that starts with {repr(data[0])[:60]}" if data else "an empty list"
    raise TypeError(f"need a list of paths or of dict rows, got {got}")


def is_relation(data: object) -> bool:
    library = type(data).__module__.split(".")[0]
    return library in ("duckdb", "_duckdb") and hasattr(data, "project")


def open_tables(
    files: Sequence[str],  # Files of plain tables
) -> tuple[list[Source], str]:  # Sources, and words for the files
    """Files as sources: small ones are read here, others are counted by DuckDB.

    Raises: `ValueError` naming a file that cannot be read.
    """
    check_tables(files)
    refuse_twins(files)
    what = tell_files(files)
    if any(map(is_remote, files)) or outgrows(files, SMALL):
        from .engine import engine_source
        from .scans import open_files, scan_files
        return [engine_source(scan_files(open_files(files), files), what)], what
    return open_small(files), what


def open_small(files: Sequence[str]) -> list[Source]:
    sources: list[Source] = []
    for (kind, *rest), group in groupby(files, see_layout):
        if kind in STORED: sources += open_stored(list(group))
        else: sources.append((json_source if kind == "json" else csv_source)(list(group), *rest))
    return sources


def see_layout(file: str) -> tuple:
    kind = str(kind_of(file))
    return (kind,) if kind in STORED else read_layout(file, kind)


def open_stored(files: list[str]) -> list[Source]:
    from .engine import fetch_source
    from .scans import open_files, scan_files
    con = open_files(files)
    con.execute("SET preserve_insertion_order=true")
    return [fetch_source(scan) for file in files for scan in scan_files(con, [file])]
