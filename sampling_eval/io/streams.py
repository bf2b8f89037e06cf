"""The content of a file: unpacked, and as text in UTF-8."""
from __future__ import annotations

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from ..extras import need
from .databases import is_table, list_lines

__all__ = ["BROKEN", "PACKED", "open_file", "unpack_file", "find_packing", "find_encoding",
           "check_whole", "count_bytes", "tell_broken"]

BROKEN = EOFError, gzip.BadGzipFile, zlib.error
PACKED = {".gz": "gzip", ".zst": "Zstandard"}
BLOCK, PACKED_BLOCK = 2**16, 2**12  # A few packed bytes may hold very many
MOST = 2**26  # Unpacked bytes that are counted, at most
# The mark of UTF-32 begins with that of UTF-16.
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
         codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


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
    if packing == ".gz": return cast(BinaryIO, gzip.open(path))
    return as_file(unpack_blocks(path)) if packing else open(path, "rb")


def find_packing(
    path: str,  # Path of any file
) -> str:  # .gz or .zst; empty if it is not packed
    "How a file is packed, as its name says."
    return next((ending for ending in PACKED if path.lower().endswith(ending)), "")


def see_encoding(head: bytes) -> str | None:
    "The encoding that the first four bytes of a text show; None for UTF-8 without a mark."
    marked = next((name for mark, name in MARKS.items() if head.startswith(mark)), None)
    if marked or len(head) < 2: return marked
    # Every table begins with a character of ASCII, which has one byte of zero in UTF-16.
    if head[0] and not head[1]: return "utf-16-le"
    return "utf-16-be" if head[1] and not head[0] else None


def find_encoding(
    path: str,  # Text file
) -> str | None:  # Its encoding; None for UTF-8 without a byte order mark
    "The encoding of a file."
    with unpack_file(path) as file: return see_encoding(cast(Any, file).peek(4)[:4])


def recode(file: BinaryIO, encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)()
    with file:
        for block in iter(lambda: file.read(BLOCK), b""): yield decoder.decode(block).encode()
    yield decoder.decode(b"", True).encode()


def unpack_blocks(path: str) -> Iterator[bytes]:
    """What a Zstandard file holds, block by block.

    Raises: `EOFError` if it is damaged or ends too early.
    """
    make, fault = find_zstandard()
    unpacker, rest = make(), b""
    with open(path, "rb") as file:
        while block := rest or file.read(PACKED_BLOCK):
            if unpacker.eof: unpacker = make()
            try: yield unpacker.decompress(block)
            except fault as damage: raise EOFError(str(damage)) from None
            rest = unpacker.unused_data if unpacker.eof else b""
    if not unpacker.eof: raise EOFError("the last frame is not complete")


def find_zstandard() -> tuple[Any, type[Exception]]:
    "What makes an unpacker of one frame, and what it raises for damaged bytes."
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor, ZstdError
        return ZstdDecompressor, ZstdError
    zstandard: Any = need("zstandard", "files")
    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError


def check_whole(
    path: str,  # File that another engine reads
) -> None:
    """Refuse a packed file that ends too early, which DuckDB takes for a shorter one.

    Raises: `ValueError` naming the file.
    """
    if not find_packing(path): return
    try:
        with unpack_file(path) as file:
            while file.read(BLOCK): pass
    except BROKEN: raise ValueError(tell_broken(path)) from None


def count_bytes(
    path: str,  # Zstandard file
) -> int:  # Bytes that it unpacks to, counted up to 64 MiB
    "The size of the content of a packed file that does not state it."
    size = 0
    try:
        for block in unpack_blocks(path):
            size += len(block)
            if size > MOST: break
    except BROKEN: raise ValueError(tell_broken(path)) from None
    return size


def tell_broken(path: str) -> str:
    "The sentence on a packed file that is damaged or ends too early."
    return f"{path!r} is not a complete {PACKED.get(find_packing(path), 'gzip')} file"
