"""Small JSON and CSV files, and what is wrong with a text file in which line."""
from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import os
import sys
import zlib
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from json import JSONDecoder
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..extras import need
from ..patterns import PACKED, find_packing
from ..results.reading import ReadNote
from .columns import Batch, Keep, Source, batch_of, tell_apart
from .files import find_base, is_remote, is_table, list_lines, refuse_hollow
from .sample_ids import File
from .values import tidy, type_cells

__all__ = ["BLOCK", "find_json_fault", "find_csv_fault", "json_source", "csv_source", "BROKEN",
           "begins_with_list", "open_once", "open_bytes", "open_file", "find_encoding",
           "check_whole", "tell_broken", "digest", "refuse_same_files", "refuse_equal",
           "note_files", "add_hashes", "identify", "unpack_file", "unpack_size", "refuse_cut",
           "read_values", "read_cells", "read_layout"]

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


def find_json_fault(file: str, form: str) -> str:  # What is wrong with it, or an empty text
    "The first fault of a JSON file, in words; empty if there is none."
    try:
        for row, (line, value) in enumerate(read_values(file, form), 1):
            if type(value) is not dict: return tell_odd_value(file, line, row, value)
    except ValueError as error: return str(error)
    return ""


def tell_odd_value(file: str, line: int, row: int, value: Any) -> str:
    "What is wrong with a value that is no object, or one in which a key stands twice."
    if isinstance(value, Twice):
        return f"{file!r}, line {line or '?'}: key {value.key!r} stands there twice"
    where, what = (f"line {line}", "line") if line else (f"row {row}", "row")
    return f"{file!r}, {where}: every {what} must be an object, got {json.dumps(value)[:40]}"


class Twice(dict):
    "An object in which a key stands twice."
    key: str = ""


def see_twice(pairs: list) -> dict:
    found = dict(pairs)
    if len(found) == len(pairs): return found
    twice = Twice(found)
    twice.key = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return twice


def read_values(
    file: str,  # JSON file
    form: str,  # Layout: newline_delimited, array or unstructured
) -> Iterator[tuple[int, Any]]:  # Line of each, 0 where a value is no line, and the value
    """The values of a JSON file, one after another.

    Raises: `ValueError` with the line that cannot be read.
    """
    decoder, line = JSONDecoder(object_pairs_hook=see_twice), 0
    try:
        with open_file(file) as opened:
            if form != "newline_delimited":
                text = opened.read().decode()
                values = decoder.decode(text) if form == "array" else split_values(decoder, text)
                for value in values: yield 0, value
                return
            for line, data in enumerate(opened, 1):
                if data.strip(): yield line, decoder.decode(data.decode())
    except BROKEN: raise ValueError(tell_broken(file)) from None
    except (ValueError, RecursionError) as error:
        raise ValueError(tell_json(file, line, error)) from None


def split_values(decoder: JSONDecoder, text: str) -> Iterator[object]:
    "Values that stand one after another."
    at = 0
    while (at := len(text) - len(text[at:].lstrip())) < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value


def tell_json(file: str, line: int, error: Exception) -> str:
    "What is wrong with a line of JSON; line 0 stands for a file that is read as a whole."
    if isinstance(error, json.JSONDecodeError):
        return f"{file!r}, line {line or error.lineno}: malformed JSON ({error.msg})"
    where = f"{file!r}, line {line or '?'}"
    if isinstance(error, UnicodeDecodeError): return f"{where}: not {error.encoding.upper()}"
    if isinstance(error, RecursionError): return f"{where}: nested beyond the parser"
    return f"{where}: {error}"


def find_csv_fault(file: str, mark: str, width: int) -> str:
    "The first fault of a CSV file, in words; empty if there is none."
    try:
        for _ in read_cells(file, mark, width): pass
    except ValueError as error: return str(error)
    return ""


def read_cells(
    file: str,  # CSV file
    mark: str,  # What stands between two values
    width: int,  # Values in a row
) -> Iterator[tuple[int, list[str]]]:  # Line at which each row begins, and its cells
    """The rows of a CSV file below its header, without those that are blank.

    Raises: `ValueError` with the line that cannot be read.
    """
    line, header = 0, True
    try:
        with open_file(file) as opened, long_cells():
            text = io.TextIOWrapper(opened, "utf-8-sig", newline="")
            rows = csv.reader(text, delimiter=mark, strict=True)
            for row in rows:
                start, line = line + 1, rows.line_num
                if len(row) not in (0, width):
                    raise ValueError(f"{file!r}, line {line}: need {width} values as in the first "
                                     f"line, got {len(row)}")
                if row and not header: yield start, row
                header = header and not row
    except csv.Error as error: raise ValueError(tell_csv(file, line + 1, error)) from None
    except UnicodeDecodeError as error:
        where = f"after line {max(line, 1)}"
        raise ValueError(f"{file!r}, {where}: not {error.encoding.upper()}") from None
    except BROKEN: raise ValueError(tell_broken(file)) from None


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
        # What was decoded at once goes on beyond the first line.
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{file!r}, line {line}: not {error.encoding.upper()}") from None
    except BROKEN: raise ValueError(tell_broken(file)) from None


def json_source(files: list[str], form: str, keys: str | None = None) -> Source:  # Their rows
    "The rows of small JSON files."
    found = [parse_rows(file, form, keys, len(files) == 1) for file in files]
    tables = [rows for rows, _ in found]
    refuse_hollow(files, [file for file, rows in zip(files, tables) if rows])
    rows = [row for table in tables for row in table]
    columns = sorted(set().union(*map(dict.keys, rows)))
    place = partial(place_in_files, files, list(map(len, tables)))
    under = tuple(ReadNote("under_key", (key,)) for key in dict.fromkeys(key for _, key in found)
                  if key)

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: tidy([row.get(c) for row in rows]) for part, c in chosen.items()},
                        place)
    return Source(columns, take, files=tuple(files), sizes=tuple(map(len, tables)), notes=under)


def place_in_files(files: list[str], sizes: list[int], part: str, row: int) -> str:
    i = 0
    while row >= sizes[i]: row, i = row - sizes[i], i + 1
    return f"at row {row + 1} of {os.path.basename(files[i])}"


def parse_rows(file: str, form: str, keys: str | None,
               alone: bool = True) -> tuple[list[dict], str]:
    "The objects of one file, or those that its only object stands for, and under which key."
    try: rows = [value for _, value in read_values(file, form)]
    except ValueError: raise ValueError(find_json_fault(file, form)) from None
    from .objects import rows_of_lists
    from .records import find_records
    kinds = set(map(type, rows))
    if kinds == {list}: return rows_of_lists(rows), ""
    if kinds - {dict}: raise ValueError(find_json_fault(file, form))
    return find_records(rows[0], keys, file, alone) if len(rows) == 1 else (rows, "")


def csv_source(files: list[str], mark: str, columns: tuple[str, ...]) -> Source:  # Their rows
    "The rows of small CSV files of one layout."
    tables = [[row for _, row in read_cells(file, mark, len(columns))] for file in files]
    refuse_hollow(files, [file for file, rows in zip(files, tables) if rows])
    cells = list(zip(*(row for table in tables for row in table)))
    place = partial(place_in_files, files, list(map(len, tables)))

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: type_cells(part, cells[columns.index(c)])
                         for part, c in chosen.items()}, place)
    return Source(list(columns), take, files=tuple(files), sizes=tuple(map(len, tables)))


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


def begins_with_list(file: str) -> bool:
    "Whether an array in JSON begins with another one."
    with open_file(file) as opened: head = opened.read(4096).lstrip()
    return head[1:].lstrip()[:1] == b"["


# The content of files: opened once, unpacked, as text in UTF-8, measured, hashed and compared.


BROKEN = EOFError, gzip.BadGzipFile, zlib.error
BLOCK, PACKED_BLOCK = 2**16, 2**12  # A few packed bytes may hold very many
MOST = 2**26  # Unpacked bytes that are counted, at most
SMALL, HEAD = 2**23, 2**16  # Bytes of a file that is held whole; of any other its first ones
ROOM = 2**26  # Bytes that are held, in all
# The mark of UTF-32 begins with that of UTF-16.
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
         codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


# Opened once, and looked at several times.

@dataclass
class Reading:
    "What is held of the files of one input while it is read."
    starts: dict[str, tuple[bytes, bool]] = field(default_factory=dict)  # First bytes; whether all
    hashes: dict[str, bytes] = field(default_factory=dict)  # Hash of a content, by path
    room: int = ROOM

    def start(self, path: str) -> tuple[bytes, bool] | None:
        "The first bytes of a file, and whether they are all; None where there is no room for them."
        if path in self.starts: return self.starts[path]
        size = os.path.getsize(path)
        most = size if size <= SMALL else HEAD
        if most > self.room: return None
        with open(path, "rb") as file: data = file.read(most + 1)
        self.room -= len(data)
        self.starts[path] = data, len(data) <= most
        return self.starts[path]


READING: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def open_once() -> Iterator[None]:
    "Every file is opened once while the body runs, unless it is large."
    if READING.get() is not None:
        yield
        return
    token = READING.set(Reading())
    try: yield
    finally: READING.reset(token)


def open_bytes(path: str | Path) -> BinaryIO:
    "The bytes of a file as they stand; those that are held are not read again."
    reading, path = READING.get(), os.fspath(Path(path))
    found = None if reading is None else reading.start(path)
    if found is None: return open(path, "rb")
    start, whole = found
    raw: Any = io.BytesIO(start) if whole else Resumed(path, start)
    return cast(BinaryIO, io.BufferedReader(raw))


class Resumed(io.RawIOBase):
    "A file whose first bytes are known; it is opened for those that follow."

    def __init__(self, path: str, start: bytes) -> None:
        self.path, self.first, self.place = path, start, 0
        self.file: BinaryIO | None = None

    def readable(self) -> bool: return True

    def seekable(self) -> bool: return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_END: offset += os.path.getsize(self.path)
        self.place = offset + self.place * (whence == os.SEEK_CUR)
        return self.place

    def readinto(self, room: Any) -> int:
        block = self.first[self.place:self.place + len(room)] or self.read_rest(len(room))
        room[:len(block)] = block
        self.place += len(block)
        return len(block)

    def read_rest(self, size: int) -> bytes:
        if self.file is None: self.file = open(self.path, "rb")
        self.file.seek(self.place)
        return self.file.read(size)

    def close(self) -> None:
        if self.file is not None: self.file.close()
        super().close()


# As text in UTF-8.

class Stream(io.RawIOBase):
    "Blocks of bytes as a file."

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks, self.left = blocks, memoryview(b"")

    def readable(self) -> bool: return True

    def readinto(self, room: Any) -> int:
        while not self.left:
            block = next(self.blocks, None)
            if block is None: return 0
            self.left = memoryview(block)
        size = min(len(room), len(self.left))
        room[:size], self.left = self.left[:size], self.left[size:]
        return size


def open_file(path: str) -> BinaryIO:
    "The text of a file in UTF-8 and without a byte order mark; a table of SQLite as JSON lines."
    if is_table(path): return as_file(list_lines(path))
    file = unpack_file(path)
    try: encoding = see_encoding(cast(Any, file).peek(4)[:4])
    except BROKEN:
        file.close()
        raise
    return as_file(recode(file, encoding)) if encoding else file


def as_file(blocks: Iterator[bytes]) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(Stream(blocks)))


def unpack_file(path: str) -> BinaryIO:
    "The bytes of a file, unpacked if its name says that it is packed."
    packing = find_packing(path)
    if packing == ".gz": return cast(BinaryIO, gzip.open(open_bytes(path)))
    return as_file(unpack_blocks(path)) if packing else open_bytes(path)


def see_encoding(head: bytes) -> str | None:
    "The encoding that the first four bytes of a text show; None for UTF-8 without a mark."
    marked = next((name for mark, name in MARKS.items() if head.startswith(mark)), None)
    if marked or len(head) < 2: return marked
    # Every table begins with a character of ASCII, which has one byte of zero in UTF-16.
    if head[0] and not head[1]: return "utf-16-le"
    return "utf-16-be" if head[1] and not head[0] else None


def find_encoding(path: str) -> str | None:
    "The encoding of a text file; None for UTF-8 without a byte order mark."
    with unpack_file(path) as file: return see_encoding(cast(Any, file).peek(4)[:4])


def recode(file: BinaryIO, encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)()
    with file:
        for block in iter(lambda: file.read(BLOCK), b""): yield decoder.decode(block).encode()
    yield decoder.decode(b"", True).encode()


def unpack_blocks(path: str) -> Iterator[bytes]:
    "What a file holds that is packed otherwise than by gzip, block by block."
    make, fault = UNPACKERS[find_packing(path)]()
    unpacker, rest = make(), b""
    with open_bytes(path) as file:
        while block := rest or file.read(PACKED_BLOCK):
            if unpacker.eof: unpacker = make()
            try: yield unpacker.decompress(block)
            except fault as damage: raise EOFError(str(damage)) from None
            rest = unpacker.unused_data if unpacker.eof else b""
    if not unpacker.eof: raise EOFError("the last frame is not complete")


def find_bzip2() -> tuple[Any, type[Exception]]:
    "What makes an unpacker of one stream, and what it raises for damaged bytes."
    import bz2  # Few files are packed so
    return bz2.BZ2Decompressor, OSError


def find_xz() -> tuple[Any, type[Exception]]:
    "The same of xz."
    import lzma  # Few files are packed so
    return lzma.LZMADecompressor, lzma.LZMAError


def find_zstandard() -> tuple[Any, type[Exception]]:
    "What makes an unpacker of one frame, and what it raises for damaged bytes."
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor, ZstdError
        return ZstdDecompressor, ZstdError
    zstandard: Any = need("zstandard", "files")
    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError


UNPACKERS = {".zst": find_zstandard, ".xz": find_xz, ".bz2": find_bzip2}


def check_whole(path: str) -> None:
    """Refuse a packed file that ends too early, which DuckDB takes for a shorter one.

    Raises: `ValueError` naming the file.
    """
    if not find_packing(path): return
    try:
        with unpack_file(path) as file:
            while file.read(BLOCK): pass
    except BROKEN: raise ValueError(tell_broken(path)) from None


def tell_broken(path: str) -> str:
    "The sentence on a packed file that is damaged or ends too early."
    return f"{path!r} is not a complete {PACKED.get(find_packing(path), 'gzip')} file"


# Sizes and hashes.

def measure(path: str) -> int:
    "Bytes of the content, of the unpacked content if it is packed."
    packing = find_packing(path)
    if packing not in ("", ".gz"): return unpack_size(path, MOST)
    size = os.path.getsize(find_base(path))
    # A gzip file has at least 18 bytes, and ends with the size of what it holds.
    if packing != ".gz" or size < 18: return size
    with open_bytes(path) as opened:
        opened.seek(-4, os.SEEK_END)
        return int.from_bytes(opened.read(4), "little")


def digest(path: str) -> bytes:
    "SHA-256 of the content of a file, unpacked; of a database, with the name of the table."
    reading = READING.get()
    if reading is None: return hash_content(path)
    if path not in reading.hashes: reading.hashes[path] = hash_content(path)
    return reading.hashes[path]


def hash_content(path: str) -> bytes:
    import hashlib  # Most runs are one file, and are not compared
    base = find_base(path)
    try:
        with unpack_file(base) as file: found = hashlib.file_digest(cast(Any, file), "sha256")
    except BROKEN: raise ValueError(tell_broken(path)) from None
    found.update(path[len(base):].encode())
    return found.digest()


# One file twice.

def refuse_same_files(files: Iterable[str], way: str) -> None:
    """Refuse a file that stands there twice, under whatever name.

    Raises: `ValueError` naming both.
    """
    names = list(files)
    if len(names) < 2: return
    sizes = {file: measure(file) for file in names if not is_remote(file)}
    several = Counter(sizes[file] for file in names if file in sizes)
    # A file of another size is no copy.
    refuse_equal([(repr(file), digest(file) if several[sizes.get(file, -1)] > 1 else file)
                  for file in names], way)


def refuse_equal(
    files: Iterable[tuple[str, Hashable]],  # Words for each file, and what identifies its content
    way: str = "",  # What to do instead
) -> None:
    """Refuse two files of one content.

    Raises: `ValueError` naming both.
    """
    seen: dict[Hashable, str] = {}
    for told, key in files:
        if key in seen:
            raise ValueError(f"the same file twice: {seen[key]} and {told} have the same content"
                             + (f"; {way}" if way else ""))
        seen[key] = told


# What was read, for later.

def see_state(path: str) -> tuple[int, int]:
    at = os.stat(find_base(path))
    return at.st_size, at.st_mtime_ns


def note_files(files: Iterable[str]) -> tuple[File, ...]:
    "The files that are about to be read, with their state."
    return tuple(File(f, state=None if is_remote(f) else see_state(f)) for f in files)


def add_hashes(files: Iterable[File]) -> tuple[File, ...]:
    "Files with the hashes that were needed to compare them."
    reading = READING.get()
    known = {} if reading is None else reading.hashes
    return tuple(replace(file, sha256=known[file.path].hex()) if file.path in known else file
                 for file in files)


def identify(file: File) -> File:  # The same with its hash
    """A file by its content.

    Raises: `ValueError` if it has changed since it was read.
    """
    if file.state is None: return file
    sha256 = file.sha256 or digest(file.path).hex()
    if see_state(file.path) == file.state: return File(file.path, sha256)
    raise ValueError(f"{file.path!r} changed after it was counted; count it again")


def unpack_size(
    file: str,  # Local file
    most: int,  # Bytes that are counted of one that is packed
) -> int:
    "Bytes that come out of a file, counted no further than it takes to know."
    if not find_packing(file): return os.path.getsize(find_base(file))
    size = 0
    try:
        with open_file(file) as opened:
            while size < most and (block := opened.read(BLOCK)): size += len(block)
    # The reader says what is wrong with it.
    except BROKEN: pass
    return size


def refuse_cut(file: str) -> None:
    """Refuse an array that does not end, which DuckDB takes for a whole one.

    Raises: `ValueError` naming the file.
    """
    try:
        with open_file(file) as opened:
            if opened.seekable() and not find_packing(file):
                opened.seek(max(0, os.path.getsize(file) - BLOCK))
            last = read_last(opened)
            # Nothing but blanks in the last block: what ends the array stands before it.
            if not last:
                opened.seek(0)
                last = read_last(opened)
    # The reader says what is wrong with it.
    except BROKEN: return
    if not last.endswith(b"]"):
        raise ValueError(f"{file!r} is cut off: it begins with [ and must end with ]")


def read_last(opened: BinaryIO) -> bytes:
    "The last block that holds more than blanks, without those at its end."
    last = b""
    while block := opened.read(BLOCK): last = block.rstrip() or last
    return last
