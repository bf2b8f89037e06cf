"""How much comes out of files, which for packed ones their size does not tell."""
from __future__ import annotations

import os
from collections.abc import Sequence
from glob import escape
from typing import Any, BinaryIO

from ..extras import need
from .cells import ask, quote_text
from .databases import find_base
from .files import kind_of
from .streams import BROKEN, find_packing, open_file

__all__ = ["outgrows", "refuse_cut"]

BLOCK = 2**16  # Bytes read at a time
ROW = 16  # Bytes for which a row of a Parquet file counts, since equal ones take no room there


def outgrows(
    files: Sequence[str],  # Local files of plain tables
    most: int,  # Bytes that may come out of them, in all
) -> bool:  # Whether more comes out; none is unpacked further than it takes to know
    "Whether the content of files is larger than that."
    stored = [file for file in files if kind_of(file) == "parquet"]
    left = most - (ROW * count_rows(stored) if stored else 0)
    for file in files:
        if left < 0: break
        left -= unpack_size(file, left + 1)
    return left < 0


def unpack_size(file: str, most: int) -> int:
    "Bytes that come out of a file, counted no further than `most` if it is packed."
    if not find_packing(file): return os.path.getsize(find_base(file))
    size = 0
    try:
        with open_file(file) as opened:
            while size < most and (block := opened.read(BLOCK)): size += len(block)
    # The reader says what is wrong with it.
    except BROKEN: pass
    return size


def refuse_cut(
    file: str,  # Local JSON file that begins as an array
) -> None:
    """Refuse an array that does not end, which DuckDB takes for a whole one.

    Raises: `ValueError` naming the file.
    """
    try:
        with open_file(file) as opened:
            if opened.seekable() and not find_packing(file):
                opened.seek(max(0, os.path.getsize(file) - BLOCK))
            last = read_last(opened)
            # Nothing but blanks in the last block: what ends the array stands before it.
            if not last:
                opened.seek(0)
                last = read_last(opened)
    # The reader says what is wrong with it.
    except BROKEN: return
    if not last.endswith(b"]"):
        raise ValueError(f"{file!r} is cut off: it begins with [ and must end with ]")


def read_last(opened: BinaryIO) -> bytes:
    "The last block that holds more than blanks, without those at its end."
    last = b""
    while block := opened.read(BLOCK): last = block.rstrip() or last
    return last


def count_rows(files: Sequence[str]) -> int:
    "Rows of Parquet files, as they state it themselves; 0 if one cannot be read."
    duckdb: Any = need("duckdb", "files")
    listed = ", ".join(quote_text(escape(file)) for file in files)
    query = f"SELECT sum(num_rows) FROM parquet_file_metadata([{listed}])"
    try: return int(ask(query).fetchall()[0][0])
    except duckdb.Error: return 0
