"""CSV as harnesses write it, where several columns may have one name."""
from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .limits import Limits, tell_excess

__all__ = ["csv_columns", "csv_rows"]


def csv_columns(
    path:Path, # CSV file
)->list[str]: # Names of its columns; none if it has no header that can be read
    "The first row of a CSV file."
    with _open_rows(path, Limits(), errors="replace") as rows:
        try: return next(rows, [])
        except csv.Error: return []


def csv_rows(
    path:Path, # CSV file
    limits:Limits, # How many bytes are believed
)->list[list[str]]: # Cells of each row below the header
    """All rows of a CSV file.

    Raises: `ValueError`, naming file and row, if it is too large or damaged, or if a row has more
    or fewer cells than the header.
    """
    if path.stat().st_size > limits.document:
        raise ValueError(tell_excess("a CSV file", limits.document, path.name, "document"))
    with _open_rows(path, limits) as rows:
        try: header, *cells = filter(None, rows)
        except (csv.Error, UnicodeDecodeError) as fault:
            raise ValueError(f"need valid CSV, got {fault} in {path.name}") from None
    for place, row in enumerate(cells):
        if len(row) == len(header): continue
        raise ValueError(f"a row must have {len(header)} cells as the header has, got {len(row)} "
                         f"in row {place + 1} of {path.name}")
    return cells


@contextmanager
def _open_rows(path: Path, limits: Limits, errors: str = "strict") -> Iterator[Any]:
    "The rows of a file; cells may be as long as a line, which the module's own limit forbids."
    before = csv.field_size_limit(limits.line)
    try:
        with open(path, encoding="utf-8-sig", errors=errors, newline="") as file:
            yield csv.reader(iter(lambda: file.readline(limits.line), ""), strict=True)
    finally: csv.field_size_limit(before)
