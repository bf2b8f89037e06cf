"""JSON, CSV and Parquet that may come from anywhere, read within limits."""
from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from ...arguments import ENDLESS, is_endless
from ...extras import keep_engine, need
from ...patterns import find_packing
from ..text_files import BROKEN, tell_broken, unpack_file, unpack_size

__all__ = ["Limits", "TooLarge", "csv_columns", "csv_rows", "json_lines", "limit_document",
           "number_lines", "open_packed", "parquet_columns", "parquet_rows", "parse_json",
           "quote_names", "shorten", "tell_excess"]


@dataclass(frozen=True)
class Limits:
    "How many bytes of a log are believed before it is refused."
    line: int = 2**26  # One line of a JSON lines file
    document: int = 2**29  # One JSON document, or one member of an archive
    ratio: int = 200  # What an archive may unpack to, for each byte of it
    free: int = 2**26  # What an archive may unpack to, however small it is


class TooLarge(ValueError):
    "More bytes than are believed; the file may well be a log."


def tell_excess(
    what: str,  # What is too large, such as `a line`
    limit: int,  # How many bytes it may have
    place: str,  # Where it stands
    name: str,  # Which of the `Limits` it exceeds
) -> str:  # Text of the error
    "The refusal of something that is too large."
    return (f"{what} may hold at most {limit:,} bytes, got more in {place}; "
            f"raise limits=Limits({name}=...) if you trust the file")


def shorten(value: object, width: int = 60) -> str:
    "The `repr` of a value, cut where it is longer, as an error shows it."
    text = repr(value)
    return text if len(text) <= width else text[:width - 3] + "..."


def quote_names(names: Iterable[str]) -> str:
    "Names in quotes, separated by commas, as an error lists them."
    return ", ".join(map(repr, names))


@contextmanager
def open_packed(
    path: str | Path,  # File of a log
) -> Iterator[BinaryIO]:  # Its bytes, unpacked if its name says that it is packed
    "The content of a file; raises `ValueError` where it is packed and damaged."
    file = os.fspath(path)
    try:
        with unpack_file(file) as opened: yield opened
    except BROKEN: raise ValueError(tell_broken(file)) from None


def limit_document(
    path: Path,  # File of a log
    limits: Limits,  # How many bytes are believed
) -> tuple[int, str]:  # Bytes that it may hold unpacked, and the limit that says so
    "How large a document may be that is parsed as a whole."
    most = limits.document, "document"
    if not find_packing(path.name): return most
    return min(most, (max(limits.free, limits.ratio * path.stat().st_size), "ratio"))


# JSON.

def parse_json(
    data: bytes,  # UTF-8 text of one JSON value
    place: str = "",  # Where it stands, for the message
) -> Any:  # The value
    """One JSON value.

    Raises: `ValueError` for text that is not UTF-8 or not JSON, a key that stands twice, or
    nesting beyond the parser.
    """
    try: return json.loads(data.decode("utf-8-sig"), object_pairs_hook=make_object)
    except UnicodeDecodeError as fault:
        byte = data[fault.start]
        reason = f"text must be UTF-8, got byte 0x{byte:02x} at offset {fault.start}"
    except RecursionError:
        reason = "JSON must not be nested this deeply, got more levels than the parser takes"
    except ValueError as fault:
        reason = ENDLESS if is_endless(fault) else f"need valid JSON, got {fault}"
    raise ValueError(reason + (f" in {place}" if place else ""))


def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    "A dict of the pairs; parsers differ on which of two equal keys counts, so that is refused."
    result = dict(pairs)
    if len(result) == len(pairs): return result
    times = Counter(name for name, _ in pairs)
    twice = next(name for name in times if times[name] > 1)
    raise ValueError(f"the key {twice!r} twice in one object")


def json_lines(
    path: str | Path,  # JSON lines file
    limits: Limits = Limits(),  # How long a line may be
) -> Iterator[dict[str, Any]]:  # One object per line that is not blank
    """The objects of a JSON lines file, one at a time.

    Raises: `ValueError` with file and line if a line is too long or does not hold one JSON object.
    """
    return (record for _, record in number_lines(path, limits))


def number_lines(
    path: str | Path,  # JSON lines file
    limits: Limits = Limits(),  # How long a line may be
) -> Iterator[tuple[int, dict[str, Any]]]:  # Number of each line that is not blank, and its object
    "The objects of a JSON lines file with their lines, one at a time; raises as `json_lines`."
    path = Path(path)
    with open_packed(path) as file:
        for number in count(1):
            line, place = file.readline(limits.line + 1), f"line {number} of {path.name}"
            if not line: return
            if len(line) > limits.line:
                raise TooLarge(tell_excess("a line", limits.line, place, "line"))
            if line.strip(): yield number, parse_record(line, place)


def parse_record(line: bytes, place: str) -> dict[str, Any]:
    record = parse_json(line, place)
    if isinstance(record, dict): return record
    raise ValueError(f"a line must hold one JSON object, got {shorten(record)} in {place}")


# CSV, where several columns may have one name.

def csv_columns(path: Path) -> list[str]:
    "The first row of a CSV file; empty if it has no header that can be read."
    with open_rows(path, Limits(), errors="replace") as rows:
        try: return next(rows, [])
        except csv.Error: return []


def csv_rows(path: Path, limits: Limits) -> list[list[str]]:
    """The cells of all rows of a CSV file below its header.

    Raises: `ValueError`, naming file and row, if it is too large or damaged, or if a row has more
    or fewer cells than the header.
    """
    if unpack_size(os.fspath(path), limits.document + 1) > limits.document:
        raise ValueError(tell_excess("a CSV file", limits.document, path.name, "document"))
    with open_rows(path, limits) as rows:
        try: header, *cells = filter(None, rows)
        except (csv.Error, UnicodeDecodeError) as fault:
            raise ValueError(f"need valid CSV, got {fault} in {path.name}") from None
    for place, row in enumerate(cells):
        if len(row) == len(header): continue
        raise ValueError(f"a row must have {len(header)} cells as the header has, got {len(row)} "
                         f"in row {place + 1} of {path.name}")
    return cells


@contextmanager
def open_rows(path: Path, limits: Limits, errors: str = "strict") -> Iterator[Any]:
    "The rows of a file; cells may be as long as a line, which the module's own limit forbids."
    before = csv.field_size_limit(limits.line)
    try:
        with open_packed(path) as opened, \
                TextIOWrapper(opened, "utf-8-sig", errors, newline="") as file:
            yield csv.reader(iter(lambda: file.readline(limits.line), ""), strict=True)
    finally: csv.field_size_limit(before)


# Parquet, through DuckDB.

def parquet_columns(path: Path) -> list[str]:
    "The names of the columns of a Parquet file; raises `ValueError` if it is damaged."
    return [column["column_name"] for column in query_parquet("DESCRIBE SELECT * FROM", path)]


def parquet_rows(path: Path, columns: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    "The rows of a Parquet file, of only these columns; raises `ValueError` if it is damaged."
    quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
    return query_parquet(f"SELECT {', '.join(quoted) or '*'} FROM", path)


def query_parquet(what: str, path: Path) -> Iterator[dict[str, Any]]:
    duckdb: Any = need("duckdb", "files")
    # DuckDB expands patterns in the names of files; in brackets a character stands for itself.
    name = re.sub(r"([*?\[])", r"[\1]", str(path))
    engine = keep_engine(memory_limit="2GB", autoload_known_extensions="false")
    with engine.cursor() as cursor:
        try: yield from fetch_rows(cursor.execute(f"{what} read_parquet(?)", [name]))
        except duckdb.Error as fault:
            reason = str(fault).splitlines()[0]
            raise ValueError(f"need a complete Parquet file, got {reason} in {path.name}") from None


def fetch_rows(cursor: Any) -> Iterator[dict[str, Any]]:
    names = [column[0] for column in cursor.description]
    while batch := cursor.fetchmany(1000):
        for row in batch: yield dict(zip(names, row))
