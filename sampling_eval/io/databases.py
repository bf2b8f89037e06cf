"""Tables of SQLite and DuckDB files, named as `file.db::table`."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from ..extras import need

__all__ = ["MARK", "is_database", "is_table", "is_sqlite", "find_base", "split_table",
           "choose_table", "list_lines"]

MARK = "::"
DATABASES = ".db", ".sqlite", ".sqlite3", ".duckdb", ".ddb"
SQLITE, DUCKDB = b"SQLite format 3\0", b"DUCK"  # The second one stands behind eight bytes


def split_table(
    path: str,  # Such as `runs.db::samples`
) -> tuple[str, str]:  # File, and the table; empty if none is named
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


def choose_table(
    path: str,  # File of a database, with or without a table
) -> str:  # File and table
    """The table that is named, or the only one there is.

    Raises: `ValueError` if there is none, if several could be meant, or for no database.
    """
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


def list_lines(
    path: str,  # Table of a SQLite file
) -> Iterator[bytes]:  # One object a row
    """The rows of a table as JSON lines.

    Raises: `ValueError` if it cannot be read.
    """
    file, table = split_table(path)
    name = '"' + table.replace('"', '""') + '"'
    encode = json.JSONEncoder(ensure_ascii=False, default=write_bytes).encode
    for row in ask_sqlite(file, f"SELECT * FROM {name}"): yield encode(row).encode() + b"\n"


def write_bytes(value: bytes) -> dict[str, str]:
    "Bytes as what is neither a name nor an outcome."
    return {"bytes": value.hex()}
