"""Zip archives, unpacked in memory and within limits."""
from __future__ import annotations

import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from io import SEEK_CUR, SEEK_END, BytesIO
from pathlib import Path
from typing import Any

from ..text_files import open_bytes
from .limits import Limits, shorten, tell_excess

__all__ = ["archive_members"]

ZSTANDARD = 93  # Its number among the compression methods of a zip archive
DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, RuntimeError, OSError)


def archive_members(
    path: str | Path,  # Zip archive
    wanted: Callable[[str], bool] | None = None,  # Whether a member of that name is read; all
    limits: Limits = Limits(),  # How much it may unpack to
) -> Iterator[tuple[str, bytes]]:  # Name and content, one member at a time
    """The members of a zip archive, unpacked in memory and never to disk.

    Raises: `ValueError` if the archive is damaged, encrypted, or unpacks to more than the limits
    allow.
    """
    path = Path(path)
    budget = max(limits.free, limits.ratio * path.stat().st_size)
    try:
        with open_bytes(path) as file, zipfile.ZipFile(file) as archive:
            # Of members with one name the last is the file, as where an archive is unpacked.
            for info in {info.filename: info for info in archive.infolist()}.values():
                if wanted and not wanted(info.filename): continue
                place = f"{shorten(info.filename)} of {path.name}"
                data = unpack_within(archive, info, budget, limits, place)
                budget -= len(data)
                yield info.filename, data
    except DAMAGES as fault:
        raise ValueError(f"need a complete zip archive, got {fault} in {path.name}; "
                         "was the run interrupted?") from None


def unpack_within(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: int, limits: Limits,
                   place: str) -> bytes:
    room, name = min((limits.document, "document"), (budget, "ratio"))
    data = unpack_member(archive, info, room + 1)
    if len(data) <= room: return data
    raise ValueError(tell_excess("an unpacked archive", room, place, name))


def unpack_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    "The first bytes of a member, at most so many."
    if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with archive.open(info) as stream: return stream.read(most)
    if info.compress_type != ZSTANDARD:
        raise NotImplementedError(f"compression method {info.compress_type}")
    if info.flag_bits & 1: raise RuntimeError("an encrypted member")
    # The sizes in the header are whatever its writer put there: neither is allocated unseen.
    data = unpack_zstandard(read_packed(archive, info), min(most, info.file_size + 1))
    whole = len(data) == info.file_size and zlib.crc32(data) == info.CRC
    if len(data) < most and not whole: raise zipfile.BadZipFile("a wrong checksum")
    return data


def read_packed(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    "The compressed bytes of a member, which `zipfile` gives only for methods that it knows."
    file: Any = archive.fp
    file.seek(info.header_offset)
    head = file.read(30)
    if head[:4] != b"PK\x03\x04": raise zipfile.BadZipFile("a member without a header")
    name_and_extra = sum(struct.unpack("<HH", head[26:30]))
    start = file.seek(name_and_extra, SEEK_CUR)
    size = info.compress_size
    # No more is asked for than there is, whatever the header says.
    file.seek(0, SEEK_END)
    rest = file.tell() - start
    file.seek(start)
    return bytes(file.read(min(size, rest)))


def unpack_zstandard(data: bytes, most: int) -> bytes:  # The first bytes of what they hold
    """The beginning of what Zstandard compressed.

    Raises: `zipfile.BadZipFile` for damaged data, `ImportError` if nothing here can unpack it.
    """
    stream, fault = open_zstandard(data)
    try: return bytes(stream.read(most))
    except fault as damage: raise zipfile.BadZipFile(str(damage)) from None


def open_zstandard(data: bytes) -> tuple[Any, type[Exception]]:
    "A stream of the unpacked bytes, and what it raises for damaged ones."
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdError, ZstdFile
        return ZstdFile(BytesIO(data)), ZstdError
    if find_spec("zstandard"):
        from zstandard import ZstdDecompressor, ZstdError
        unpacker = ZstdDecompressor(max_window_size=2**27)
        return unpacker.stream_reader(data, read_across_frames=True), ZstdError
    if find_spec("pyarrow"):
        from pyarrow import BufferReader, CompressedInputStream
        return CompressedInputStream(BufferReader(data), "zstd"), OSError
    raise ImportError("this log is compressed with Zstandard: pip install zstandard, "
                      "or convert it with `inspect log convert --to json`")
