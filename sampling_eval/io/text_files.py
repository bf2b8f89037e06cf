"""Small JSON and CSV files, and what is wrong with a text file in which line."""
from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain
from json import JSONDecoder

from .file_content import BROKEN, open_file, tell_broken
from .columns import COLUMNS, simplify, tell_apart
from .files import PACKED, refuse_hollow
from .tabular import Batch, Keep, Source, batch_of
from .values import tidy, type_cells

__all__ = ["find_json_fault", "find_csv_fault", "json_source", "csv_source"]

FIELD = 2**24  # Longest text of a CSV cell


@contextmanager
def long_cells() -> Iterator[None]:
    "Cells of CSV may be long while the body runs."
    limit = csv.field_size_limit(FIELD)
    try: yield
    finally: csv.field_size_limit(limit)


def tell_csv(file: str, line: int, error: csv.Error) -> str:
    "What is wrong with a line of CSV."
    if "larger than field limit" not in str(error):
        return f"{file!r}, line {line}: malformed CSV ({error})"
    return (f"{file!r}, line {line}: a value must have at most {FIELD:,} characters, "
            "got a longer one")


def find_json_fault(
    file: str,  # JSON file
    form: str,  # Layout: newline_delimited, array or unstructured
) -> str:  # What is wrong with it, or an empty text
    "The first fault of a JSON file, in words."
    line = 0
    try:
        with open_file(file) as opened:
            if form != "newline_delimited": return find_odd_row(file, opened.read().decode(), form)
            for line, text in enumerate(opened, 1):
                if text.strip() and (said := tell_odd_line(text)):
                    return f"{file!r}, line {line}: {said}"
    except BROKEN: return tell_broken(file)
    except (ValueError, RecursionError) as error: return tell_json(file, line, error)
    return ""


def tell_json(file: str, line: int, error: Exception) -> str:
    "What is wrong with a line of JSON; line 0 stands for a file that is read as a whole."
    if isinstance(error, json.JSONDecodeError):
        return f"{file!r}, line {line or error.lineno}: malformed JSON ({error.msg})"
    where = f"{file!r}, line {line or '?'}"
    if isinstance(error, UnicodeDecodeError): return f"{where}: not {error.encoding.upper()}"
    if isinstance(error, RecursionError): return f"{where}: nested beyond the parser"
    return f"{where}: {error}"


def tell_odd_line(text: bytes) -> str:
    "Words for a line that is no object; empty for an object."
    got = json.loads(text.decode(), object_pairs_hook=refuse_same_keys)
    if isinstance(got, dict): return ""
    return f"every line must be an object, got {json.dumps(got)[:40]}"


def refuse_same_keys(pairs: list) -> dict:
    twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if twice: raise ValueError(f"key {twice[0]!r} stands there twice")
    return dict(pairs)


def find_odd_row(file: str, text: str, form: str) -> str:
    decoder = json.JSONDecoder(object_pairs_hook=refuse_same_keys)
    rows = decoder.decode(text) if form == "array" else list(read_values(decoder, text))
    odd = [i for i, row in enumerate(rows) if not isinstance(row, dict)]
    if not odd: return ""
    got = json.dumps(rows[odd[0]])[:40]
    return f"{file!r}, row {odd[0] + 1}: every row must be an object, got {got}"


def read_values(decoder: json.JSONDecoder, text: str) -> Iterator[object]:
    "Values that stand one after another."
    at = 0
    while (at := len(text) - len(text[at:].lstrip())) < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value


def find_csv_fault(
    file: str,  # CSV file
    mark: str,  # What stands between two values
    width: int,  # Values in a row
) -> str:  # What is wrong with it, or an empty text
    "The first fault of a CSV file, in words."
    line = 1
    try:
        with open_file(file) as opened, long_cells():
            text = io.TextIOWrapper(opened, "utf-8-sig", newline="")
            rows = csv.reader(text, delimiter=mark, strict=True)
            for row in rows:
                line, got = rows.line_num, len(row)
                if got not in (0, width):
                    return (f"{file!r}, line {line}: need {width} values as in the first line, "
                            f"got {got}")
    except csv.Error as error: return tell_csv(file, line + 1, error)
    except UnicodeDecodeError as error:
        return f"{file!r}, after line {line}: not {error.encoding.upper()}"
    except BROKEN: return tell_broken(file)
    return ""


def read_csv_header(file: str) -> tuple[str, tuple[str, ...]]:
    "The first line of a CSV file."
    try:
        with open_file(file) as opened, long_cells():
            text = io.TextIOWrapper(opened, "utf-8-sig", newline="")
            head = text.readline(FIELD + 1)
            if len(head) > FIELD: raise csv.Error("larger than field limit")
            mark = max(",;\t|", key=head.count)
            return mark, tell_apart(next(csv.reader(chain([head], text), delimiter=mark), ()))
    except csv.Error as error:
        raise ValueError(tell_csv(file, 1, error)) from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{file!r}, line 1: not {error.encoding.upper()}") from None
    except BROKEN: raise ValueError(tell_broken(file)) from None


class Twice(dict):
    "An object in which a key stands twice."


def see_twice(pairs: list) -> dict:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Twice(found)


def json_source(
    files: list[str],  # JSON files
    form: str,  # Layout: newline_delimited, array or unstructured
    keys: str | None = None,  # What the keys of an object are, where they are names
) -> Source:  # Their rows
    "The rows of small JSON files."
    tables = [parse_rows(file, form, keys) for file in files]
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


def parse_rows(file: str, form: str, keys: str | None) -> list[dict]:
    "The objects of one file, or those that its lists or the keys of its only object stand for."
    try:
        with open_file(file) as opened: text = opened.read().decode()
        rows = list(split_values(text, form))
        good = all(type(row) is dict for row in rows)
    except (ValueError, RecursionError, *BROKEN): rows, good = [], False
    if good and len(rows) != 1: return rows
    from .keyed import rows_of_lists, rows_of_object  # Most files are rows
    if good: return rows_of_object(rows[0], keys) or rows_of_split(rows[0])
    if rows and all(type(row) is list for row in rows): return rows_of_lists(rows)
    raise ValueError(find_json_fault(file, form) or f"cannot read {file!r} as JSON")


def rows_of_split(row: dict) -> list[dict]:
    "Rows that stand in an object under a name or as columns; of any other the object itself."
    tables = [value for value in row.values() if are_samples(value)]
    if len(tables) == 1: return tables[0]
    if row.keys() >= {"columns", "data"} and isinstance(row["data"], list):
        return [dict(zip(row["columns"], values)) for values in row["data"]]
    lists = [value for value in row.values() if isinstance(value, list)]
    question = any(simplify(name) in COLUMNS["question"] and isinstance(value, list)
                   for name, value in row.items())
    if not question or len(lists) < len(row) or len(set(map(len, lists))) > 1: return [row]
    return [dict(zip(row, values)) for values in zip(*lists)]


def are_samples(value: object) -> bool:
    "Whether a value is a list of rows, each with a question and an outcome."
    if not isinstance(value, list) or not value: return False
    return all(isinstance(row, dict) and holds_parts(row) for row in value)


def holds_parts(row: dict) -> bool:
    names = set(map(simplify, row))
    outcome = {*COLUMNS["correct"], *COLUMNS["score"]}
    return not names.isdisjoint(COLUMNS["question"]) and not names.isdisjoint(outcome)


def split_values(text: str, form: str) -> Iterator:
    "The values that stand in a text, each seen whole."
    decoder = JSONDecoder(object_pairs_hook=see_twice)
    if form == "newline_delimited":
        yield from map(decoder.decode, filter(str.strip, text.split("\n")))
    elif form == "array": yield from decoder.decode(text)
    else: yield from read_values(decoder, text)


def csv_source(
    files: list[str],  # CSV files of one header
    mark: str,  # What stands between two values
    columns: tuple[str, ...],  # Names in the header
) -> Source:  # Their rows
    "The rows of small CSV files of one layout."
    tables = [read_cells(file, mark, len(columns)) for file in files]
    refuse_hollow(files, [file for file, rows in zip(files, tables) if rows])
    cells = list(zip(*(row for table in tables for row in table)))
    place = partial(place_in_files, files, list(map(len, tables)))

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: type_cells(part, cells[columns.index(c)])
                         for part, c in chosen.items()}, place)
    return Source(list(columns), take, files=tuple(files), sizes=tuple(map(len, tables)))


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
