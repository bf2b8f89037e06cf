"""Files: of what kind they are, how they are packed, and the tables of databases."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from ..errors import retell
from ..extras import need
from ..patterns import PACKED, find_packing, unpacked_name

__all__ = ["COPIES", "OVER_NETWORK", "SHEETS", "check_tables", "choose_table", "find_base",
           "is_archive", "is_database", "is_remote", "is_sealed", "is_table", "kind_of",
           "list_lines", "named_as_given", "refuse_hollow", "split_table"]

MARK = "::"
DATABASES = ".db", ".sqlite", ".sqlite3", ".duckdb", ".ddb"
SQLITE, DUCKDB = b"SQLite format 3\0", b"DUCK"  # The second one stands behind eight bytes
KINDS = {".jsonl": "json", ".ndjson": "json", ".json": "json", ".csv": "csv", ".tsv": "csv",
         ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
         ".ipc": "arrow", ".npy": "array", ".npz": "array"}
OVER_NETWORK = "json", "csv", "parquet"
# Kinds that are read from any place in the file, so that a packed one has to be unpacked first.
SEALED = (*DATABASES, ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".npy", ".npz", ".eval",
          ".xml")
SHEETS = ".xlsx", ".xlsm"
COPIES: dict[tuple[str, int, int], str] = {}  # Folder of copies, by a file, its size and its time


def split_table(path: str) -> tuple[str, str]:  # File, and the table; empty if none is named
    "A path as file and table."
    file, _, table = path.partition(MARK)
    return file, table


def is_table(path: str) -> bool:
    "Whether a path names a table of a file that is there."
    return MARK in path and os.path.isfile(split_table(path)[0])


def find_base(path: str) -> str:
    "The file behind a path, which is the path itself unless it names a table."
    return split_table(path)[0] if is_table(path) else path


def is_database(path: str) -> bool:
    "Whether a path names a database, with or without a table."
    return is_table(path) or path.lower().endswith(DATABASES) and os.path.isfile(path)


def is_sqlite(path: str) -> bool:
    "Whether the database behind a path was written by SQLite."
    return read_magic(find_base(path))[:16] == SQLITE


def read_magic(file: str) -> bytes:
    with open(file, "rb") as opened: return opened.read(16)


def choose_table(path: str) -> str:
    "The table that is named, or the only one there is."
    file, table = split_table(path)
    names = list_tables(file)
    if not names: raise ValueError(f"{file!r} holds no table")
    listed = ", ".join(map(repr, names[:12])) + ", ..." * (len(names) > 12)
    if table and table not in names:
        raise ValueError(f"{file!r} has no table {table!r}, got {listed}")
    if not table and len(names) > 1:
        raise ValueError(f"{file!r} holds {len(names)} tables, {listed}; "
                         f"pass one, such as {file + MARK + names[0]!r}")
    return file + MARK + (table or names[0])


def list_tables(file: str) -> list[str]:
    "The tables and views of a database, those outside the main schema with its name."
    if is_sqlite(file):
        query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        names = [str(row["name"]) for row in ask_sqlite(file, query)]
        return [name for name in names if not name.startswith("sqlite_")]
    if read_magic(file)[8:12] != DUCKDB:
        raise ValueError(f"{file!r} is neither a SQLite nor a DuckDB file")
    duckdb: Any = need("duckdb", "files")
    query = ("SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal UNION "
             "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL")
    try:
        with duckdb.connect(file, read_only=True) as con: found = con.execute(query).fetchall()
    except duckdb.Error as error: raise ValueError(tell_unreadable(file, error)) from None
    return [name if schema == "main" and "." not in name else f"{schema}.{name}"
            for schema, name in found]


def ask_sqlite(file: str, query: str) -> Iterator[dict[str, Any]]:
    "The rows of an answer by name, one at a time."
    import sqlite3  # Most data are no database, and it takes its time
    from urllib.parse import quote
    address = f"file:{quote(os.path.abspath(file))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as con:
            found = con.execute(query)
            names = [about[0] for about in found.description]
            for row in found: yield dict(zip(names, row))
    except sqlite3.Error as error: raise ValueError(tell_unreadable(file, error)) from None


def tell_unreadable(file: str, error: Exception) -> str:
    return f"cannot read {file!r}: {str(error).splitlines()[0]}"


def list_lines(path: str) -> Iterator[bytes]:
    "The rows of a table as JSON lines."
    file, table = split_table(path)
    name = '"' + table.replace('"', '""') + '"'
    encode = json.JSONEncoder(ensure_ascii=False, default=write_bytes).encode
    for row in ask_sqlite(file, f"SELECT * FROM {name}"): yield encode(row).encode() + b"\n"


def write_bytes(value: bytes) -> dict[str, str]:
    "Bytes as what is neither a name nor an outcome."
    return {"bytes": value.hex()}


def is_archive(path: str) -> bool:
    "Whether a file holds others, as its name says."
    name = path.lower()
    return name.endswith((".zip", ".tgz")) or unpacked_name(name).endswith(".tar")


def is_sealed(path: str) -> bool:
    "Whether a file has to be copied in another form before it can be read."
    name = path.lower()
    packed = bool(find_packing(name)) and unpacked_name(name).endswith(SEALED)
    return packed or name.endswith(SHEETS)


@contextmanager
def named_as_given() -> Iterator[None]:
    "While the body runs, a refusal names a copy by the file that it stands for."
    try: yield
    except (ValueError, TypeError, OSError) as error:
        if COPIES: retell(error, name_given)
        raise


def name_given(said: str) -> str:
    "A sentence in which a copy is called by the file that it stands for."
    for (path, *_), folder in COPIES.items(): said = said.replace(folder, path)
    return said


def is_remote(path: str) -> bool:
    "Whether a path is an address such as `s3://...`."
    return bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path))


def check_tables(files: Iterable[str]) -> None:
    """Refuse what holds no table.

    Raises: `ValueError` naming the file.
    """
    for file in files:
        if is_remote(file): continue
        if kind_of(file) is None:
            raise ValueError(f"{file!r} is of no kind that is read; need {', '.join(KINDS)}, "
                             f"one of these with {', '.join(PACKED)}, an archive, or a database "
                             f"such as runs.db{MARK}table")
        if os.path.getsize(find_base(file)) == 0: raise ValueError(f"{file!r} is empty")


def kind_of(path: str) -> str | None:
    "json, csv, parquet, arrow, duckdb, or None for any other kind; rows of SQLite are json."
    if is_table(path): return "json" if is_sqlite(path) else "duckdb"
    plain = path.partition("?")[0] if is_remote(path) else path
    stem, end = os.path.splitext(plain.lower())
    if end not in PACKED: return KINDS.get(end)
    kind = KINDS.get(os.path.splitext(stem)[1])
    return kind if kind in ("json", "csv") else None


def refuse_hollow(files: Sequence[str], full: Iterable[str]) -> None:
    "Refuse files without a row."
    known = {os.path.realpath(file) for file in full if not is_remote(file)}
    hollow = [f for f in files if not is_remote(f) and os.path.realpath(f) not in known]
    if not hollow: return
    raise ValueError(f"{hollow[0]!r} holds no rows ({len(hollow)} of {len(files)} files)")
