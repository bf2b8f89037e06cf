"""The content of files: what identifies it, and whether one stands there twice."""
from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import groupby
from typing import Any, cast

from .databases import find_base
from .files import is_remote
from .origin import File
from .streams import BROKEN, count_bytes, find_packing, tell_broken, unpack_file

__all__ = ["digest", "refuse_twins", "note_files", "identify"]


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
