"""Records of a Parquet file, through DuckDB."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...extras import keep_engine, need

__all__ = ["parquet_columns", "parquet_rows"]


def parquet_columns(
    path:Path, # Parquet file
)->list[str]: # Names of its columns
    "The columns of a Parquet file; raises `ValueError` if the file is damaged."
    return [column["column_name"] for column in _run("DESCRIBE SELECT * FROM", path)]


def parquet_rows(
    path:Path, # Parquet file
    columns:Sequence[str]=(), # Columns to read; all if there are none
)->Iterator[dict[str, Any]]: # One dict per row
    "The rows of a Parquet file; raises `ValueError` if the file is damaged."
    quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
    return _run(f"SELECT {', '.join(quoted) or '*'} FROM", path)


def _run(what: str, path: Path) -> Iterator[dict[str, Any]]:
    duckdb: Any = need("duckdb", "files")
    # DuckDB expands patterns in the names of files; in brackets a character stands for itself.
    name = re.sub(r"([*?\[])", r"[\1]", str(path))
    engine = keep_engine(memory_limit="2GB", autoload_known_extensions="false")
    with engine.cursor() as cursor:
        try: yield from _fetch(cursor.execute(f"{what} read_parquet(?)", [name]))
        except duckdb.Error as fault:
            reason = str(fault).splitlines()[0]
            raise ValueError(f"need a complete Parquet file, got {reason} in {path.name}") from None


def _fetch(cursor: Any) -> Iterator[dict[str, Any]]:
    names = [column[0] for column in cursor.description]
    while batch := cursor.fetchmany(1000):
        for row in batch: yield dict(zip(names, row))
