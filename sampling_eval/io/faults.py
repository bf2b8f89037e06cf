"""What is wrong with a text file, and in which line."""
from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from .streams import BROKEN, open_file, tell_broken

__all__ = ["find_json_fault", "find_csv_fault", "read_csv_header", "long_cells"]

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
    got = json.loads(text.decode(), object_pairs_hook=refuse_twice)
    if isinstance(got, dict): return ""
    return f"every line must be an object, got {json.dumps(got)[:40]}"


def refuse_twice(pairs: list) -> dict:
    twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if twice: raise ValueError(f"key {twice[0]!r} stands there twice")
    return dict(pairs)


def find_odd_row(file: str, text: str, form: str) -> str:
    decoder = json.JSONDecoder(object_pairs_hook=refuse_twice)
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


def read_csv_header(
    file: str,  # CSV file
) -> tuple[str, tuple[str, ...]]:  # What stands between two values, and the names in its first line
    """The first line of a CSV file.

    Raises: `ValueError` naming the file if it cannot be read.
    """
    try:
        with open_file(file) as opened, long_cells():
            text = io.TextIOWrapper(opened, "utf-8-sig", newline="")
            head = text.readline(FIELD + 1)
            if len(head) > FIELD: raise csv.Error("larger than field limit")
            mark = max(",;\t|", key=head.count)
            return mark, tuple(next(csv.reader(chain([head], text), delimiter=mark), ()))
    except csv.Error as error:
        raise ValueError(tell_csv(file, 1, error)) from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{file!r}, line 1: not {error.encoding.upper()}") from None
    except BROKEN: raise ValueError(tell_broken(file)) from None
