"""Files that are read from a copy: members of archives, and what is packed beyond plain text.

Copies lie in a folder of this process and go with it. Nothing is written outside of it: of the
name of a member only the parts count that lead further down.
"""
from __future__ import annotations

import csv
import os
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ..extras import need
from ..patterns import unpacked_name
from .files import COPIES, SHEETS
from .logs.archive import archive_members
from .logs.limits import Limits, tell_excess
from .text_files import BROKEN, tell_broken, unpack_file

__all__ = ["HEADERS", "is_one_log", "list_members", "open_archive", "open_sealed"]

HEADERS = {"header.json", "_journal/start.json"}  # What makes a zip archive a log of inspect_ai
BLOCK = 2**20


@cache
def make_folder() -> tempfile.TemporaryDirectory[str]:
    "The folder of all copies, which goes with the process."
    return tempfile.TemporaryDirectory(prefix="sampling_eval")


def is_one_log(path: str) -> bool:
    "Whether a zip archive is a log of inspect_ai, and not several files."
    return path.lower().endswith(".zip") and not HEADERS.isdisjoint(list_members(path))


def list_members(path: str) -> list[str]:
    "The names in a zip archive; none where it is damaged, of which its reader tells."
    try:
        with zipfile.ZipFile(path) as archive: return archive.namelist()
    except (zipfile.BadZipFile, OSError): return []


def open_archive(
    path: str,  # Archive
    limits: Limits,  # What it may unpack to
    wanted: Callable[[str], bool],  # Whether a member of that name is unpacked
) -> str:  # Folder with its members; those that are not wanted are empty files
    """What an archive holds.

    Raises: `ValueError` if it is damaged or unpacks to more than the limits allow.
    """
    return keep_copy(path, lambda place: unpack_members(path, place, limits, wanted))


def open_sealed(
    path: str,  # File that is packed, or a workbook
    limits: Limits,  # What it may unpack to
) -> str:  # The same unpacked; of a workbook the first sheet
    """A copy that can be read.

    Raises: `ValueError` if the file is damaged, `ImportError` if nothing here reads it.
    """
    if path.lower().endswith(SHEETS): folder = keep_copy(path, lambda to: copy_sheet(path, to))
    else: folder = keep_copy(path, lambda to: copy_unpacked(path, to, limits))
    return os.path.join(folder, os.listdir(folder)[0])


def keep_copy(path: str, fill: Callable[[str], None]) -> str:
    "The folder that a file was copied to, as long as the file stays the same."
    state = os.stat(path)
    key = path, state.st_size, state.st_mtime_ns
    if key not in COPIES:
        folder = name_folder(path)
        fill(folder)
        COPIES[key] = folder
    return COPIES[key]


def name_folder(path: str) -> str:
    "A new folder that is called as the file."
    stem = Path(unpacked_name(path)).stem
    place = Path(make_folder().name, stem)
    if place.exists(): place = Path(tempfile.mkdtemp(dir=make_folder().name), stem)
    place.mkdir(parents=True)
    return str(place)


# Archives.

def unpack_members(path: str, folder: str, limits: Limits, wanted: Callable[[str], bool]) -> None:
    members = zip_members if path.lower().endswith(".zip") else tar_members
    for name, data in members(path, limits, wanted):
        place = Path(folder, *list_parts(name))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def list_parts(name: str) -> list[str]:
    "The parts of the name of a member that lead further down."
    parts = name.replace("\\", "/").replace(":", "_").split("/")
    return [part for part in parts if part not in ("", ".", "..")] or ["unnamed"]


def is_plain(name: str) -> bool:
    "Whether a member is a file, and none that an operating system adds."
    return not name.endswith("/") and "__MACOSX" not in name.split("/")


def zip_members(path: str, limits: Limits,
                wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    yield from ((name, b"") for name in list_members(path) if is_plain(name) and not wanted(name))
    yield from archive_members(path, lambda name: is_plain(name) and wanted(name), limits)


def tar_members(path: str, limits: Limits,
                wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    budget = max(limits.free, limits.ratio * os.path.getsize(path))
    try:
        with unpack_file(path) as file, tarfile.open(fileobj=file, mode="r|") as archive:
            for info in archive:
                if not info.isfile() or not is_plain(info.name): continue
                data = read_member(archive, info, budget, limits) if wanted(info.name) else b""
                budget -= len(data)
                yield info.name, data
    except (*BROKEN, tarfile.TarError):
        raise ValueError(f"{path!r} is not a complete tar archive") from None


def read_member(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: int,
                limits: Limits) -> bytes:
    room, name = min((limits.document, "document"), (budget, "ratio"))
    stream: Any = archive.extractfile(info)
    data = bytes(stream.read(room + 1))
    if len(data) <= room: return data
    raise ValueError(tell_excess("an unpacked archive", room, info.name, name))


# Single files.

def copy_unpacked(path: str, folder: str, limits: Limits) -> None:
    budget = most = max(limits.free, limits.ratio * os.path.getsize(path))
    name = os.path.basename(unpacked_name(path))
    try:
        with unpack_file(path) as file, open(os.path.join(folder, name), "wb") as copy:
            while block := file.read(BLOCK):
                budget -= len(block)
                if budget < 0:
                    raise ValueError(tell_excess("a packed file", most, path, "ratio"))
                copy.write(block)
    except BROKEN: raise ValueError(tell_broken(path)) from None


def copy_sheet(path: str, folder: str) -> None:
    "Write the first sheet of a workbook as CSV, under a name that says which one it is."
    openpyxl: Any = need("openpyxl", "sheets")
    try: book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (KeyError, OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"cannot read {path!r}: {error}") from None
    sheet = book.worksheets[0]
    name = f"{Path(path).stem}.{'_'.join(list_parts(sheet.title))}.csv"
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as copy:
        rows = sheet.iter_rows(values_only=True)
        csv.writer(copy).writerows(row for row in rows if any_cell(row))


def any_cell(row: tuple[Any, ...]) -> bool: return any(cell is not None for cell in row)
