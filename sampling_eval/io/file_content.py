"""The size and the hash of files, and whether one stands there twice."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from glob import escape
from itertools import groupby
from typing import Any, BinaryIO, cast

from ..extras import need
from .duckdb.sql import ask, quote_text
from .files import (BROKEN, count_bytes, find_base, find_packing, is_remote, kind_of, open_file,
                    tell_broken, unpack_file)
from .grouped_rows import File

__all__ = ["digest", "refuse_twins", "note_files", "identify", "outgrows", "refuse_cut"]

BLOCK = 2**16  # Bytes read at a time
ROW = 16  # Bytes for which a row of a Parquet file counts, since equal ones take no room there


def measure(path: str) -> int:
    "Bytes of the content, of the unpacked content if it is packed."
    packing = find_packing(path)
    if packing == ".zst": return count_bytes(path)
    size = os.path.getsize(find_base(path))
    # A gzip file has at least 18 bytes, and ends with the size of what it holds.
    if packing != ".gz" or size < 18: return size
    with open(path, "rb") as opened:
        opened.seek(-4, os.SEEK_END)
        return int.from_bytes(opened.read(4), "little")


def digest(path: str) -> bytes:
    "SHA-256 of the content of a file, unpacked; of a database, with the name of the table."
    import hashlib  # Most runs are one file, and are not compared
    base = find_base(path)
    try:
        with unpack_file(base) as file: found = hashlib.file_digest(cast(Any, file), "sha256")
    except BROKEN: raise ValueError(tell_broken(path)) from None
    found.update(path[len(base):].encode())
    return found.digest()


def refuse_twins(
    files: Iterable[str],  # Files of plain tables
) -> None:
    """Refuse a file that stands there twice; only those of one size are compared.

    Raises: `ValueError` naming both.
    """
    local = [file for file in files if not is_remote(file)]
    if len(local) < 2: return
    for _, group in groupby(sorted(local, key=measure), measure):
        twins = list(group)
        if len(twins) == 1: continue
        seen: dict[bytes, str] = {}
        for file in twins:
            key = digest(file)
            if key in seen:
                raise ValueError(f"the same file twice: {seen[key]!r} and {file!r} have the same "
                                 "content; if two runs agree to the last byte, give each a "
                                 "sample column")
            seen[key] = file


def see_state(path: str) -> tuple[int, int]:
    at = os.stat(find_base(path))
    return at.st_size, at.st_mtime_ns


def note_files(files: Iterable[str]) -> tuple[File, ...]:
    "The files that are about to be read, with their state."
    return tuple(File(f, state=None if is_remote(f) else see_state(f)) for f in files)


def identify(
    file: File,  # A file that was read
) -> File:  # The same with its hash
    """A file by its content.

    Raises: `ValueError` if it has changed since it was read.
    """
    if file.state is None: return file
    sha256 = digest(file.path).hex()
    if see_state(file.path) == file.state: return File(file.path, sha256)
    raise ValueError(f"{file.path!r} changed after it was counted; count it again")


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
