"""Which of some files are logs, and who reads each."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import OptionError, option
from ...records import dataclass
from .limits import Limits, TooLarge, shorten
from .log import Log, open_log
from .readers import Reader, check_format, find_readers

__all__ = ["Found", "Search", "check_files_hold", "find_logs"]

Given: TypeAlias = str | PathLike[str]
STORED = ".arrow", ".feather"  # Files of a folder in which no harness writes
KEPT = 2**26  # Bytes of files that stay parsed between finding and reading


@dataclass
class Found:
    "A log and the reader of its layout."
    path: Path  # Where it is
    reader: Reader  # Who reads it
    limits: Limits  # How many bytes are believed
    log: Log | None = None  # What was opened, unless it would fill the memory

    def open(self) -> Log:
        "The log, opened again only if it had to be let go."
        return self.log or open_log(self.path, self.limits)


@dataclass
class Search:
    "The logs among some files, and what was left out."
    logs: list[Found]  # Logs of one harness; empty if the files are plain tables
    others: list[Path] = field(default_factory=list)  # Files that are no logs
    broken: list[Path] = field(default_factory=list)  # Files that cannot be read
    weaker: list[Path] = field(default_factory=list)  # Logs whose samples stand better elsewhere
    harness: str = ""  # The only harness whose logs were looked for
    files: frozenset[Path] = frozenset()  # All that were looked at

    def __bool__(self) -> bool: return bool(self.logs)


def check_files_hold(files: str | None) -> None:
    "Refuse anything but `draws` and `models` as what files with the same questions hold."
    if files not in (None, "draws", "models"):
        raise OptionError("files_hold", choices=("draws", "models"), got=files)


def find_logs(
    paths: Given | Sequence[Given],  # File, glob, or folder that a harness wrote; or a list
    files: Sequence[str],  # The files that these are
    format: str = "auto",  # Name of the format; auto recognises it, table is any plain table
    grade: Any = None,  # What judges answers anew; None keeps what the harness judged
    limits: Limits = Limits(),  # How many bytes are believed
) -> Search:  # The logs there are, none if the files are plain tables
    """The logs among some files, each with the reader of its layout.

    Raises: `ValueError` if a file that is named is damaged, if two readers recognise one, or if
    logs of several harnesses are mixed.
    """
    check_format(format)
    if format == "table": return Search([])
    listed: Any = paths if isinstance(paths, (list, tuple)) else [paths]
    given = set(map(Path, listed))
    found = [path for path in map(Path, files) if path in given or path.suffix not in STORED]
    search = Search([], harness="" if format == "auto" else format,
                    files=frozenset(path.absolute() for path in found))
    sort_files(search, found, given, format, limits)
    if format != "auto" and not search.logs:
        raise OptionError("harness", f"{paths} holds nothing that {format} could have written")
    if any(path.is_dir() for path in given): leave_weaker(search, grade is not None)
    names = sorted({log.reader.name for log in search.logs})
    if len(names) > 1:
        raise OptionError("harness", f"{shorten(paths)} holds logs of {' and '.join(names)}",
                          choices=names, hint=f"pass {option('harness')}, or one of the paths")
    return search


def sort_files(search: Search, files: Sequence[Path], named: set[Path], format: str,
                limits: Limits) -> None:
    "Sort files into logs, files of other kinds, and those that cannot be read."
    alone, room = len(files) == 1, KEPT
    for path in files:
        log = try_log(path, alone or path in named, limits)
        reader = None if log is None else choose_reader(log, format, alone)
        if log is None and path.stat().st_size: search.broken.append(path)
        elif log is None or reader is None: search.others.append(path)
        else:
            size = log.count_kept()
            fits = alone or size <= room
            room -= size * fits
            search.logs.append(Found(path, reader, limits, log if fits else None))


def try_log(path: Path, named: bool, limits: Limits) -> Log | None:
    "A file with its kind; None if it only lies in a folder, and is no log or a broken one."
    try: return open_log(path, limits)
    except TooLarge: raise
    except ValueError:
        # What inspect_ai was still writing is a log; any other broken file may be anything.
        if named or path.suffix == ".eval": raise
        return None


def choose_reader(log: Log, format: str, alone: bool) -> Reader | None:
    "The reader of a file; None if it is no log, such as a side file in a folder."
    readers = find_readers(log, format, alone)
    names = dict.fromkeys(reader.name for reader in readers)
    if len(names) > 1:
        raise OptionError("harness", f"{log.path.name} could be from {' or '.join(names)}",
                          choices=tuple(names), hint=f"pass {option('harness')}")
    if readers: return readers[0]
    if log.kind == "archive":
        raise ValueError(f"{log.path.name} is an archive, but not a log of inspect_ai")
    return None


def leave_weaker(search: Search, regraded: bool) -> None:
    """In a folder, judged samples go before texts that were not judged.

    It is the other way round where they are judged anew, for the harnesses that keep both.
    """
    judged = [log for log in search.logs if log.reader.judged]
    texts = [log for log in search.logs if not log.reader.judged]
    both = {log.reader.name for log in texts}
    if regraded: weaker = [log for log in judged if log.reader.name in both]
    else: weaker = texts if judged else []
    search.weaker = [log.path for log in weaker]
    kept = [log for log in search.logs if log not in weaker]
    search.logs = sorted(kept, key=lambda log: log.reader.judged) if regraded else kept
