"""Standard input as a file, whose content says of what kind it is."""
from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .streams import BROKEN, open_file, tell_broken

__all__ = ["spool_input", "stand_in"]

HERE = "-"  # What stands for the standard input
HEAD = 2**20
MAGIC = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\xff\xff\xff\xff": ".arrow",
         b"FEA1": ".feather", b"PK\x03\x04": ".eval", b"SQLite format 3\0": ".db"}
PACKINGS = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}


@contextmanager
def spool_input() -> Iterator[str]:  # Path of a file that lasts as long as the body
    """What comes from the standard input, as a file; messages call it by its name alone.

    Raises: `ValueError` if nothing comes.
    """
    import shutil  # Most commands name their files
    import tempfile
    with tempfile.TemporaryDirectory(prefix="sampling_eval") as folder:
        path = os.path.join(folder, "stdin")
        with open(path, "wb") as file: shutil.copyfileobj(sys.stdin.buffer, file)
        if not os.path.getsize(path): raise ValueError("the standard input is empty")
        try: yield name_by_content(path)
        except (ValueError, TypeError, OSError) as error:
            error.args = (str(error).replace(folder + os.sep, ""),)
            raise


@contextmanager
def stand_in(
    asked: Any,  # What was parsed, whose `files` are inputs
    names: Sequence[str],  # Further attributes that hold one input each
) -> Iterator[None]:
    """Let a file stand for `-` in what a command was asked while the body runs; `stdin` names it.

    Raises: `ValueError` if `-` stands there twice, or nothing comes.
    """
    files = getattr(asked, "files", [])
    single = [name for name in names if getattr(asked, name, None) == HERE]
    times = files.count(HERE) + len(single)
    if times > 1: raise ValueError("the standard input can be read once, got - twice")
    if not times:
        yield
        return
    with spool_input() as path:
        for name in single: setattr(asked, name, path)
        if HERE in files: files[files.index(HERE)] = path
        asked.stdin = path
        yield


def name_by_content(path: str) -> str:
    "The same file under a name that says of what kind it is."
    path = rename(path, find_ending(PACKINGS, path))
    ending = find_ending(MAGIC, path)
    if ending: return rename(path, ending)
    stem, packing = os.path.splitext(path)
    try:
        with open_file(path) as file: ending = see_text(file.read(HEAD))
    except BROKEN: raise ValueError(tell_broken(path)) from None
    return rename(path, ending + packing, stem)


def rename(path: str, ending: str, stem: str = "") -> str:
    new = (stem or path) + ending
    os.replace(path, new)
    return new


def find_ending(known: dict[bytes, str], path: str) -> str:
    with open(path, "rb") as file: head = file.read(16)
    if head[8:12] == b"DUCK" and known is MAGIC: return ".duckdb"
    return next((ending for start, ending in known.items() if head.startswith(start)), "")


def see_text(head: bytes) -> str:
    "Whether a text is JSON lines, other JSON, or a table with a first line of names."
    head = head.lstrip()
    if head[:1] not in (b"{", b"["): return ".csv"
    first, _, more = head.partition(b"\n")
    try: return ".jsonl" if isinstance(json.loads(first), dict) and more.strip() else ".json"
    except ValueError: return ".json"
