"""Names of files: which fit a pattern, in which order they stand, and how they are told."""
from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from glob import escape, glob
from pathlib import Path

__all__ = ["PACKED", "find_packing", "label_path", "match_paths", "order_numbers", "files_in_short",
           "unpacked_name"]

PACKED = {".gz": "gzip", ".zst": "Zstandard", ".xz": "xz", ".bz2": "bzip2"}


def find_packing(path: str) -> str:  # Such as .gz; empty if it is not packed
    "How a file is packed, as its name says."
    if path.lower().endswith(".tgz"): return ".gz"
    return next((ending for ending in PACKED if path.lower().endswith(ending)), "")


def unpacked_name(path: str) -> str:
    "The name of a file without the ending that says how it is packed."
    return path[:len(path) - len(find_packing(path))]


def match_paths(
    pattern: str,  # Such as `runs/**/*.jsonl`
) -> list[str]:  # Paths that fit, each once
    "The files and folders of a pattern; `**` goes into every folder, but through no link."
    if os.altsep: pattern = pattern.replace(os.sep, os.altsep)  # on Windows
    left, *deep = re.split(r"(?:^|(?<=/))\*\*(?:/|$)", pattern, maxsplit=1)
    if not deep: return glob(pattern)
    rest = deep[0] or "*"
    starts = glob(left) if left else [""]
    found = (path for start in starts for folder in walk_folders(start)
             for path in match_paths(os.path.join(escape(folder), rest)))
    return list(dict.fromkeys(found))


def walk_folders(start: str) -> Iterator[str]:
    "A folder and all below it, but for hidden ones."
    for place, folders, _ in os.walk(start or "."):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield os.path.relpath(place) if not start else place


def order_numbers(
    path: str | Path,  # Path of a file
) -> list[tuple[int, str]]:  # What paths are sorted by
    "A path as text and numbers, so that step 50 comes before step 100."
    parts = re.split(r"(\d+)", str(path))
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def files_in_short(
    files: Sequence[str | Path],  # Paths of files, at least one
) -> str:  # Words for them
    "One name, or the number of files and the first three names, each once."
    if len(files) == 1: return os.path.basename(files[0])
    names = list(dict.fromkeys(map(os.path.basename, files)))
    return f"{len(files)} files ({', '.join(names[:3])}{', ...' * (len(names) > 3)})"


def label_path(
    path: Path,  # One of several files
    paths: Sequence[Path],  # All of them
) -> str:  # Its name
    "A path without its ending and without the folders that all paths have in common."
    parts = [strip_endings(other).parts for other in paths]
    shared = 0
    while shared < min(map(len, parts)) - 1 and len({own[shared] for own in parts}) == 1:
        shared += 1
    return "/".join(strip_endings(path).parts[shared:])


def strip_endings(path: Path) -> Path: return Path(unpacked_name(str(path))).with_suffix("")
