"""Files: which there are, and of what kind."""
from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..patterns import match_paths, order_numbers
from .databases import MARK, choose_table, find_base, is_database, is_sqlite, is_table
from .streams import PACKED

__all__ = ["list_files", "check_tables", "is_remote", "kind_of", "refuse_hollow"]

KINDS = {".jsonl": "json", ".ndjson": "json", ".json": "json", ".csv": "csv", ".tsv": "csv",
         ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
         ".ipc": "arrow"}
OVER_NETWORK = "json", "csv", "parquet"
IN_FOLDERS = ".jsonl", ".json", ".eval", ".parquet", ".csv", ".arrow", ".feather"
SIDE_FILES = "dataset_info.json", "state.json"  # What Hugging Face datasets saves beside rows


def is_remote(path: str) -> bool:
    "Whether a path is an address such as `s3://...`."
    return bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path))


def list_files(
    paths: str | os.PathLike | Sequence,  # File, glob, folder or address; or a list of them
) -> list[str]:  # Addresses, then files in the order of the numbers in their names
    """The files that are meant.

    Raises: `FileNotFoundError` if there is none, `ValueError` for an address of another kind or
    one that stands there twice.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    texts = list(map(os.fspath, given))
    if "" in texts: raise ValueError("need the path of a file or folder, got an empty text")
    remote = list(filter(is_remote, texts))
    refuse_addresses(remote)
    found = [file for path in texts if not is_remote(path) for file in expand(path)]
    return remote + sorted(found, key=order_numbers)


def refuse_addresses(addresses: list[str]) -> None:
    "Refuse an address of a kind that is not read, and one that stands there twice."
    for path in addresses:
        if kind_of(path) not in OVER_NETWORK:
            raise ValueError(f"{path!r} is of no kind that is read")
    twice = [path for path, times in Counter(addresses).items() if times > 1]
    if twice: raise ValueError(f"the same file twice: {twice[0]!r}")


def expand(path: str) -> list[str]:
    "The files of a folder or a glob, or the table of a database."
    if is_table(path): return [choose_table(path)]
    if os.path.isdir(path): found = list_folder(path)
    else: found = [path] if os.path.exists(path) else match_paths(path)
    refuse_pipes(found)
    found = [file for file in found if os.path.isfile(file)]
    if not found: raise FileNotFoundError(f"no file to read at {path}")
    return [choose_table(file) if is_database(file) else file for file in found]


def refuse_pipes(paths: Iterable[str]) -> None:
    "Refuse what can be read once and has no size: a file is looked at more than once."
    for path in paths:
        if Path(path).is_fifo():
            raise ValueError(f"{path} is a pipe; - reads standard input, as in: "
                             f"sampling-eval score - < {path}")


def list_folder(path: str) -> list[str]:
    found = [p for p in Path(path).rglob("*")
             if p.suffix in IN_FOLDERS and not p.name.startswith(".")]
    saved = {p.parent for p in found if p.suffix == ".arrow"}
    return [str(p) for p in found if not (p.name in SIDE_FILES and p.parent in saved)]


def check_tables(
    files: Iterable[str],  # Files of plain tables
) -> None:
    """Refuse what holds no table.

    Raises: `ValueError` naming the file.
    """
    for file in files:
        if is_remote(file): continue
        if kind_of(file) is None:
            raise ValueError(f"{file!r} is of no kind that is read; need {', '.join(KINDS)}, "
                             f"one of the text kinds with {' or '.join(PACKED)}, or a database "
                             f"such as runs.db{MARK}table")
        if os.path.getsize(find_base(file)) == 0: raise ValueError(f"{file!r} is empty")


def kind_of(path: str) -> str | None:
    "json, csv, parquet, arrow, duckdb, or None for any other kind; rows of SQLite are json."
    if is_table(path): return "json" if is_sqlite(path) else "duckdb"
    plain = path.partition("?")[0] if is_remote(path) else path
    stem, end = os.path.splitext(plain.lower())
    if end not in PACKED: return KINDS.get(end)
    kind = KINDS.get(os.path.splitext(stem)[1])
    return kind if kind in ("json", "csv") else None


def refuse_hollow(files: Sequence[str], full: Iterable[str]) -> None:
    "Refuse files without a row."
    known = {os.path.realpath(file) for file in full if not is_remote(file)}
    hollow = [f for f in files if not is_remote(f) and os.path.realpath(f) not in known]
    if not hollow: return
    raise ValueError(f"{hollow[0]!r} holds no rows ({len(hollow)} of {len(files)} files)")
