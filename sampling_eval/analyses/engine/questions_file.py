"""The values of all questions as a file: CSV, JSON or Parquet."""
from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...extras import need, unwritten_reason
from ...reading.duckdb.sql import connect, quote_text
from ...render.output import check_ending, defuse, escape_controls, write
from ...results.columns import Absent, Columns

__all__ = ["write_questions"]


def write_questions(
    path: Path,  # File to write, which ends in .csv, .json or .parquet
    columns: Mapping[str, Any],  # The `questions` of a result
) -> None:
    """One row per model and question in a file: counts, and every metric at every budget.

    Raises: `ValueError` for a result without them or another ending, `OSError` where the file
    cannot be written.
    """
    check_ending(path)
    if isinstance(columns, Absent): raise ValueError(Absent.said)
    table = columns if isinstance(columns, Columns) else Columns(columns)
    ending = path.suffix.lower()
    if ending == ".parquet": write_parquet(path, table)
    else: write(path, write_csv(table) if ending == ".csv" else write_json(table))


def write_csv(table: Columns) -> str:
    "Comma-separated values, whose texts no spreadsheet runs."
    out = csv.writer(text := io.StringIO())
    out.writerow(map(defuse, table))
    out.writerows(zip(*(map(defuse, column.tolist()) for column in table.values())))
    return text.getvalue()


def write_json(table: Columns) -> str:
    "A list with an object per row."
    rows = table.rows()
    return escape_controls(json.dumps(rows, ensure_ascii=False, indent=1, default=str))


def write_parquet(path: Path, table: Columns) -> None:
    "A Parquet file, whole or not at all."
    duckdb: Any = need("duckdb", "files")
    if not path.parent.is_dir(): raise OSError(f"cannot write {path}: there is no such folder")
    part = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    con = connect()
    con.register("held", {name: plain_column(column) for name, column in table.items()})
    try:
        con.execute(f"COPY (SELECT * FROM held) TO {quote_text(part)} (FORMAT parquet)")
        os.replace(part, path)
    except duckdb.IOException as error:
        raise OSError(f"cannot write {path}: {unwritten_reason(error)}") from None
    finally: part.unlink(missing_ok=True)


def plain_column(column: np.ndarray) -> np.ndarray:
    "A column of numbers as it is; names of questions that are not all numbers as text."
    if column.dtype.kind in "iufb": return np.ascontiguousarray(column)
    return np.array([str(value) for value in column.tolist()], object)
