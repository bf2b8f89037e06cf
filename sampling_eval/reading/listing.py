"""Which files are meant: of a folder, a pattern or an archive, and the table of a database."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..patterns import find_packing, match_paths, order_numbers, unpacked_name
from .files import (OVER_NETWORK, choose_table, is_archive, is_database, is_remote, is_sealed,
                    is_table, kind_of)
from .logs.limits import Limits
from .text_files import open_bytes

__all__ = ["list_files", "open_packs"]

IN_FOLDERS = ".jsonl", ".json", ".eval", ".parquet", ".csv", ".arrow", ".feather"
POINTER = 1024  # Bytes of a pointer of Git LFS, at most
SIDE_FILES = "dataset_info.json", "state.json"  # What Hugging Face datasets saves beside rows


def open_packs(
    paths: str | os.PathLike | Sequence,  # What a caller named
    limits: Limits | None = None,  # What an archive may unpack to
) -> Any:  # An archive as the folder of its copy, a file that has to be copied as its copy
    "The same paths, as far as they can be read where they are."
    limits = limits or Limits()
    if isinstance(paths, (str, os.PathLike)): return open_pack(os.fspath(paths), limits)
    return [open_pack(path, limits) for path in map(os.fspath, paths)]


def open_pack(path: str, limits: Limits) -> str:
    if not os.path.isfile(path) or not (is_archive(path) or is_sealed(path)): return path
    from .archives import is_one_log, open_archive, open_sealed  # Few data are packed so
    if is_sealed(path): return open_sealed(path, limits)
    return path if is_one_log(path) else open_archive(path, limits, is_held)


def list_files(
    paths: str | os.PathLike | Sequence,  # File, glob, folder, archive or address; or a list
    limits: Limits | None = None,  # What an archive may unpack to
) -> list[str]:  # Addresses, then files in the order of the numbers in their names
    """The files that are meant; those of archives lie in a folder that goes with the process.

    Raises: `FileNotFoundError` if there is none, `ValueError` for an address of another kind, or
    an archive that is damaged or larger than the limits allow.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    texts = list(map(os.fspath, given))
    if "" in texts: raise ValueError("need the path of a file or folder, got an empty text")
    remote = list(filter(is_remote, texts))
    refuse_addresses(remote)
    found = [file for path in texts if not is_remote(path)
             for file in expand(path, limits or Limits())]
    return remote + sorted(found, key=order_numbers)


def refuse_addresses(addresses: list[str]) -> None:
    "Refuse an address of a kind that is not read."
    for path in addresses:
        if kind_of(path) not in OVER_NETWORK:
            raise ValueError(f"{path!r} is of no kind that is read")


def expand(path: str, limits: Limits) -> list[str]:
    "The files of a folder, a glob or an archive, or the table of a database."
    if is_table(path): return [choose_table(path)]
    if os.path.isdir(path): found = list_folder(path)
    else: found = [path] if os.path.exists(path) else match_paths(path)
    refuse_pipes(found)
    found = [file for file in found if os.path.isfile(file)]
    if not found: raise FileNotFoundError(f"no file to read at {path}")
    for file in found: refuse_pointer(file)
    return [one for file in found for one in open_up(file, limits)]


def open_up(file: str, limits: Limits) -> list[str]:
    "A file as it can be read: what an archive holds, the copy of one that needs it, or a table."
    opened = open_pack(file, limits)
    if not os.path.isdir(opened): return [choose_table(opened) if is_database(opened) else opened]
    held = list_folder(opened)
    if not held: raise ValueError(f"{file!r} holds no file that is read")
    return [one for inner in held for one in open_up(inner, limits)]


def refuse_pipes(paths: Iterable[str]) -> None:
    "Refuse what can be read once and has no size: a file is looked at more than once."
    for path in paths:
        if Path(path).is_fifo():
            raise ValueError(f"{path} is a pipe; - reads standard input, as in: "
                             f"sampling-eval score - < {path}")


def refuse_pointer(file: str) -> None:
    "Refuse what Git LFS leaves in the place of a file that was not fetched."
    if os.path.getsize(file) > POINTER: return
    with open_bytes(file) as opened: lines = opened.read().splitlines()
    if not lines or not lines[0].startswith(b"version https://git-lfs"): return
    sizes = [line.split()[-1].decode() for line in lines if line.startswith(b"size ")]
    stands = f" for one of {int(sizes[0]):,} bytes" if sizes and sizes[0].isdigit() else ""
    raise ValueError(f"{file!r} is a pointer of Git LFS{stands}, not the file; fetch it  "
                     "with: git lfs pull")


def list_folder(path: str) -> list[str]:
    "The files of a folder that may hold samples; its archives where there are no others."
    files = [p for p in Path(path).rglob("*") if not p.name.startswith(".")]
    found = [p for p in files if is_held(p.name)]
    saved = {p.parent for p in found if p.suffix == ".arrow"}
    known = set(map(str, found))
    # A file that was packed and kept is one file.
    kept = [str(p) for p in found if not (p.name in SIDE_FILES and p.parent in saved)
            and not (find_packing(p.name) and unpacked_name(str(p)) in known)]
    return kept or [str(p) for p in files if is_archive(str(p)) and p.stat().st_size]


def is_held(name: str) -> bool:
    "Whether a file of a folder or an archive may hold samples, as its name says."
    return unpacked_name(name).endswith(IN_FOLDERS)
