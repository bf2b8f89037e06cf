"""A file, what kind of container it is, and what a harness wrote in files beside it."""
from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...patterns import unpacked_name
from .limits import (Limits, TooLarge, csv_columns, json_lines, limit_document, open_packed,
                     parquet_columns, parquet_rows, parse_json, tell_excess)

__all__ = ["KINDS", "Log", "count_sidecar", "holds_lines", "open_log", "read_sidecar"]

KINDS = "lines", "rows", "document", "archive", "parquet", "xml", "table"
START = 2**16  # Bytes that show what a file is
TABLES = ".csv", ".tsv"
# What stands before the first element of XML; a document type is never read.
ROOT = re.compile(rb"(?:<\?.*?\?>|<!--.*?-->|\s)*<([A-Za-z][\w.-]*)", re.DOTALL)
REPORTS = "testsuites", "testsuite"  # First elements of the XML that is read
HEADERS = "header.json", "_journal/start.json"  # A run that was interrupted has only the second


@dataclass
class Log:
    """A file, what kind of container it is, and what a harness is recognised by.

    `lines` are JSON lines, `rows` a JSON list of objects, `document` any other JSON, `xml` a report
    of tests, and `table` any other text, such as CSV.
    """
    path: Path  # Where it is
    kind: str  # lines, rows, document, archive, parquet, xml or table
    head: Any  # First record, document, header of an archive, columns, or first element of XML
    limits: Limits = Limits()  # How many bytes are believed
    items: list[Any] | None = None  # The records, where recognising the file has parsed them all
    at: int | None = None  # Where the last record stands, while they are read to be shown

    @property
    def name(self) -> str:
        "The name of its file as it would be unpacked, such as `t.json` for `t.json.gz`."
        return unpacked_name(self.path.name)

    @property
    def stem(self) -> str:
        "The same without its last ending."
        return Path(self.name).stem

    def records(self, columns: Sequence[str] = ()) -> Iterator[Any]:
        "The records one at a time, of Parquet only these columns; a document is one record."
        if self.kind == "lines": return json_lines(self.path, self.limits)
        if self.kind == "parquet": return parquet_rows(self.path, columns)
        if self.kind == "rows": return iter(self.parse_items())
        return iter([self.head])

    def count_kept(self) -> int:
        "Bytes of the file if everything that it holds is in memory, else 0."
        kept = self.kind == "document" or self.items is not None
        return self.path.stat().st_size if kept else 0

    def parse_items(self) -> list[Any]:
        if self.items is not None: return self.items
        items: list[Any] = parse_document(self.path, self.limits)
        return items


def open_log(
    path: str | Path,  # Any file
    limits: Limits = Limits(),  # How many bytes are believed
) -> Log:  # The file with its kind and its head
    """A file and what it is, which its content says and not its name.

    Raises: `ValueError` if it is empty or damaged, or larger than the limits allow.
    """
    path = Path(path)
    with open_packed(path) as file: start = file.read(START)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise ValueError("need one row or record per sample, got nothing in "
                         f"{path.name}, an empty file")
    if start[:2] == b"PK": return Log(path, "archive", read_header(path, limits), limits)
    if start[:4] == b"PAR1":
        return Log(path, "parquet", dict.fromkeys(parquet_columns(path)), limits)
    root = ROOT.match(text) if text[:1] == b"<" else None
    if root and root[1].decode() in REPORTS:
        return Log(path, "xml", {root[1].decode(): None}, limits)
    ending = Path(unpacked_name(path.name)).suffix
    if ending == ".csv": return Log(path, "table", csv_columns(path), limits)
    # A byte of zero is half a character of UTF-16, in which no harness writes.
    if ending in TABLES or text[:1] not in (b"{", b"[") or text[1:2] == b"\0":
        return Log(path, "table", None, limits)
    return open_json(path, text, ending, limits)


def read_header(path: Path, limits: Limits) -> Any:
    from .archive import archive_members  # zipfile takes its time, and most logs are no archives
    found = dict(archive_members(path, HEADERS.__contains__, limits))
    for name in HEADERS:
        if name in found: return parse_json(found[name], f"{name} of {path.name}")
    return None


def open_json(path: Path, text: bytes, ending: str, limits: Limits) -> Log:
    # One look at its first row spares parsing a long list of plain rows.
    row = parse_first_row(text)
    if row is not None: return Log(path, "rows", row, limits)
    if ending == ".jsonl" or holds_lines(path, limits):
        return Log(path, "lines", next(json_lines(path, limits), None), limits)
    value = parse_document(path, limits)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return Log(path, "rows", value[0], limits, value)
    return Log(path, "document", value, limits)


def parse_first_row(text: bytes) -> dict[str, Any] | None:
    "The first object of a list of objects, if the beginning of a file shows the whole of it."
    if text[:1] != b"[": return None
    rest = text[1:].lstrip().decode(errors="ignore")
    try: first = json.JSONDecoder().raw_decode(rest)[0]
    except (ValueError, RecursionError): return None
    return first if isinstance(first, dict) else None


def holds_lines(
    path: Path,  # File of JSON
    limits: Limits,  # How long a line may be
) -> bool:
    "Whether the first line is an object and more lines follow: a document has one, or breaks it."
    with open_packed(path) as file:
        line = b""
        while not line.strip(): line = file.readline(limits.line + 1)
        more = any(part.strip() for part in iter(lambda: file.readline(START), b""))
    if not more or len(line) > limits.line: return False
    try: return isinstance(parse_json(line), dict)
    except ValueError: return False


def parse_document(path: Path, limits: Limits) -> Any:
    most, name = limit_document(path, limits)
    with open_packed(path) as file: data = file.read(most + 1)
    if len(data) > most: raise TooLarge(tell_excess("a JSON document", most, path.name, name))
    return parse_json(data, path.name)


def read_sidecar(path: Path, limits: Limits) -> dict[str, Any]:
    "The object that a JSON file beside a log holds; empty if there is no such file."
    head = open_log(path, limits).head if path.is_file() else {}
    return head if isinstance(head, dict) else {}


def count_sidecar(path: Path, key: str, limits: Limits) -> Counter[Any]:
    "How many JSON lines of a file beside a log have each value of a key; empty without the file."
    if not path.is_file() or not path.stat().st_size: return Counter()
    log = open_log(path, limits)
    known = log.kind in ("lines", "document") and isinstance(log.head, dict)
    return Counter(record.get(key) for record in log.records()) if known else Counter()
