"""Folders in which no harness has written: what else may lie there, and what to say of it."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..results.reading import ReadNote
from .harness.log import open_log
from ..patterns import tell_files
from .columns import COLUMNS, simplify
from .files import is_remote

__all__ = ["leave_others", "tell_tables"]


def leave_others(
    data: Any,  # Path, glob, folder, or a list of them
    files: list[str],  # The files that are meant
    searched: bool,  # Whether logs were looked for among them
) -> tuple[list[str], list[ReadNote]]:  # Files that may be tables, and what was left
    "The tables of a folder, without settings and empty files that lie beside them."
    named = list_paths(data)
    if not any(map(os.path.isdir, named)) or len(files) == 1: return files, []
    tables = [file for file in files if file in named or may_be_table(file)]
    if not tables: return files, []
    return tables, list(note_left(files, tables, searched))


def list_paths(data: Any) -> set[str]:
    "The paths that were given by name."
    given = [data] if isinstance(data, (str, os.PathLike)) else data
    return set(map(os.fspath, given))


def note_left(
    files: Sequence[str], tables: Sequence[str], searched: bool,
) -> Iterator[ReadNote]:
    "Which files are left out, and that those that stay are taken for plain tables."
    kept = set(tables)
    others = [file for file in files if file not in kept]
    if others: yield ReadNote("skipped_files", tuple(map(os.path.basename, others)))
    if searched and len(tables) > 1:
        yield ReadNote("plain_tables", count=len(tables), total=len(files))


def may_be_table(file: str) -> bool:
    "Whether a file holds more than one JSON object without a question, such as settings."
    if is_remote(file): return True
    if os.path.getsize(file) == 0: return False
    if not file.lower().endswith(".json"): return True
    try: log = open_log(file)
    except ValueError: return not starts_object(file)
    if log.kind != "document": return True
    return isinstance(log.head, dict) and any(simplify(name) in COLUMNS["question"]
                                              for name in log.head)


def starts_object(file: str) -> bool:
    "Whether the first character is a brace; settings may hold comments, which JSON has not."
    with open(file, "rb") as opened: return opened.read(100).lstrip().startswith(b"{")


@contextmanager
def tell_tables(notes: Sequence[ReadNote]) -> Iterator[None]:
    "Add to the refusal of a table in a folder that its files were taken for plain tables."
    try: yield
    except ValueError as error:
        said = [f"none of {note.total} files is a log of a harness: {note.count} read as tables"
                if note.kind == "plain_tables" else f"skipped {tell_files(note.names)}, as no table"
                for note in notes]
        if not said: raise
        raise ValueError("; ".join([str(error), *said])) from None
