"""Small JSON and CSV files, read by the standard library."""
from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from json import JSONDecoder

import numpy as np

from .faults import find_csv_fault, find_json_fault, long_cells, read_csv_header
from .files import refuse_hollow
from .streams import BROKEN, PACKED, open_file, tell_broken
from .tabular import Batch, Keep, Source, batch_of
from .values import tidy

__all__ = ["json_source", "csv_source"]


class Twice(dict):
    "An object in which a key stands twice."


def see_twice(pairs: list) -> dict:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Twice(found)


def json_source(
    files: list[str],  # JSON files
    form: str,  # Layout: newline_delimited, array or unstructured
) -> Source:  # Their rows
    "The rows of small JSON files."
    tables = [read_rows(file, form) for file in files]
    refuse_hollow(files, [file for file, rows in zip(files, tables) if rows])
    rows = [row for table in tables for row in table]
    columns = sorted(set().union(*map(dict.keys, rows)))
    place = partial(place_in_files, files, list(map(len, tables)))

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: tidy([row.get(c) for row in rows]) for part, c in chosen.items()},
                        place)
    return Source(columns, take, files=tuple(files), sizes=tuple(map(len, tables)))


def place_in_files(files: list[str], sizes: list[int], part: str, row: int) -> str:
    i = 0
    while row >= sizes[i]: row, i = row - sizes[i], i + 1
    return f"at row {row + 1} of {os.path.basename(files[i])}"


def read_rows(file: str, form: str) -> list[dict]:
    "The objects of one file."
    try:
        with open_file(file) as opened: text = opened.read().decode()
        rows = list(split_rows(text, form))
        good = all(type(row) is dict for row in rows)
    except (ValueError, RecursionError, *BROKEN): good = False
    if good: return rows
    raise ValueError(find_json_fault(file, form) or f"cannot read {file!r} as JSON")


def split_rows(text: str, form: str) -> Iterator:
    "The values that stand in a text, each seen whole."
    decoder = JSONDecoder(object_pairs_hook=see_twice)
    if form == "newline_delimited":
        yield from map(decoder.decode, filter(str.strip, text.split("\n")))
    elif form == "array": yield from decoder.decode(text)
    else: yield from split_values(text, decoder)


def split_values(text: str, decoder: JSONDecoder) -> Iterator:
    at = 0
    while (at := len(text) - len(text[at:].lstrip())) < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value


def csv_source(
    files: list[str],  # CSV files of one header
    mark: str,  # What stands between two values
    columns: tuple[str, ...],  # Names in the header
) -> Source:  # Their rows
    "The rows of small CSV files of one layout."
    refuse_same_names(files[0], columns)
    tables = [read_cells(file, mark, len(columns)) for file in files]
    refuse_hollow(files, [file for file, rows in zip(files, tables) if rows])
    cells = list(zip(*(row for table in tables for row in table)))
    place = partial(place_in_files, files, list(map(len, tables)))

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: type_cells(part, cells[columns.index(c)])
                         for part, c in chosen.items()}, place)
    return Source(list(columns), take, files=tuple(files), sizes=tuple(map(len, tables)))


def refuse_same_names(file: str, columns: tuple[str, ...]) -> None:
    "Refuse a file in which two columns have one name."
    twice = [name for name, times in Counter(columns).items() if times > 1]
    if twice: raise ValueError(f"{file!r} has two columns {twice[0]!r}")


def read_cells(file: str, mark: str, width: int) -> list[list[str]]:
    "The cells of one file, row by row, without its header."
    try:
        with open_file(file) as opened, long_cells():
            text = io.TextIOWrapper(opened, "utf-8-sig", newline="")
            rows = [row for row in csv.reader(text, delimiter=mark, strict=True) if row][1:]
        good = all(len(row) == width for row in rows)
    except BROKEN: raise ValueError(tell_broken(file)) from None
    except (csv.Error, UnicodeDecodeError): good = False
    if good: return rows
    raise ValueError(find_csv_fault(file, mark, width) or f"cannot read {file!r} as CSV")


def type_cells(part: str, texts: Iterable[str | None]) -> np.ndarray:
    "A column of a CSV file as the type that all of its texts have."
    texts = list(texts)
    known = read_known(part, {text for text in texts if text})
    return tidy([known[text] if text else None for text in texts])


def read_known(part: str, texts: set[str]) -> Mapping[str, object]:
    "What each text of a column stands for."
    if part in ("question", "sample", "model", "cluster", "group") or part.startswith("task "):
        return name_reader(texts)
    if part == "answer" or part.startswith("look "): return dict(zip(texts, texts))
    return {text: read_text(text) for text in texts}


def name_reader(known: set[str]) -> dict:
    "Whole numbers if all texts are written as such, else the texts."
    if all(map(is_whole_text, known)): return {text: int(text) for text in known}
    return dict(zip(known, known))


def is_whole_text(text: str) -> bool:
    "Whether a text is a whole number as Python would write it."
    digits = text.removeprefix("-")
    plain = digits.isascii() and digits.isdigit() and len(digits) < 19
    return plain and (text == "0" or digits[0] != "0")


def read_text(text: str | None) -> object:
    "A flag, a number, or the text as it stands."
    if text is None: return None
    flag = text.strip().lower()
    if flag in ("true", "false"): return flag == "true"
    # Python would take 1_0 for ten, and digits of any script.
    try: return float(text) if text.isascii() and "_" not in text else text
    except ValueError: return text


def read_layout(
    file: str,  # A text file
    kind: str,  # json or csv
) -> tuple:  # kind and what else two files must share to be read as one
    "The layout of a text file."
    if kind == "csv": return kind, *read_csv_header(file)
    try:
        with open_file(file) as opened: head = opened.read(4096).lstrip()
    except BROKEN: raise ValueError(tell_broken(file)) from None
    if head[:1] == b"[": return kind, "array"
    stem, end = os.path.splitext(file.lower())
    if end in PACKED: end = os.path.splitext(stem)[1]
    return kind, "unstructured" if end == ".json" else "newline_delimited"
