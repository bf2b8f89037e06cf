"""Which files of a folder are logs, and all of them as one table."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

from ...patterns import match_paths, order_numbers, tell_files
from .ask import Ask, NoOutcomes
from .covering import fill_tables, hold_totals
from .grading import Grade, TextGrade
from .joining import check_files, join_tables, name_models, number_on, refuse_copies
from .limits import Limits, TooLarge
from .log import Log, open_log
from .readers import Reader, check_format, find_readers
from .repeats import Repeat, tell_repeats
from .retries import join_runs
from .tabular import Table, read_table
from .totals import Coverage, tell_coverage
from .words import shorten

__all__ = ["Found", "Logs", "Search", "find_files", "find_logs", "read_logs"]

Given = str | PathLike[str]
SUFFIXES = ".jsonl", ".json", ".eval", ".parquet", ".csv"
KEPT = 2**26 # Bytes of files that stay parsed between finding and reading


@dataclass
class Found:
    "A log and the reader of its layout."
    path:Path # Where it is
    reader:Reader # Who reads it
    limits:Limits # How many bytes are believed
    log:Log|None=None # What was opened, unless it would fill the memory

    def open(self)->Log: # The file, opened again only if it had to be let go
        "The log, ready to be read."
        return self.log or open_log(self.path, self.limits)


@dataclass
class Search:
    "The logs among some files, and what was left out."
    logs:list[Found] # Logs of one harness; empty if the files are plain tables
    others:list[Path]=field(default_factory=list) # Files that are no logs
    broken:list[Path]=field(default_factory=list) # Files that cannot be read, of whatever kind
    weaker:list[Path]=field(default_factory=list) # Logs whose samples stand better in other files
    harness:str="" # The only harness whose logs were looked for
    files:frozenset[Path]=frozenset() # All that were looked at

    def __bool__(self)->bool: return bool(self.logs)

    def tell(self)->list[str]: # For the sentence on what was read
        "What was left out, in words."
        weaker = "whose samples stand judged in other files"
        of = f" of {self.harness}" if self.harness else ""
        told = ((self.others, f"as no log{of}"), (self.weaker, weaker),
                (self.broken, "which cannot be read"))
        return [f"skipped {tell_files(paths)}, {why}" for paths, why in told if paths]


@dataclass
class Logs:
    "The samples of some logs."
    columns:dict[str, list[Any]] # By part, of which `question` and `sample` are always there
    took:str # What was taken for what
    tasks:list[tuple[str, str, str]] # Each task that is named, its version and its run
    totals:list[Coverage]=field(default_factory=list) # Stored totals, and the samples there are
    repeats:list[Repeat]=field(default_factory=list) # Files that were appended to themselves
    ordered:bool=True # Whether the numbers of samples are those of the logs


def find_files(
    paths:Given|Sequence[Given], # File, glob or folder; or a list of them
)->list[Path]: # Files, numbers in their names in numerical order
    "The files that are meant; raises `FileNotFoundError` if there is none."
    found = [path for item in _list_given(paths) for path in _expand(item)]
    return sorted(found, key=order_numbers)


def _list_given(paths: Any) -> list[Any]:
    return list(paths) if isinstance(paths, (list, tuple)) else [paths]


def _expand(item: Given) -> list[Path]:
    base = Path(item)
    if base.is_dir(): paths = [path for path in base.rglob("*") if _may_be_log(path)]
    elif base.exists(): paths = [base]
    else: paths = [Path(name) for name in match_paths(str(item))]
    files = [path for path in paths if path.is_file()]
    if not files: raise FileNotFoundError(f"no file to read at {item}")
    return files


def _may_be_log(path: Path) -> bool:
    return path.suffix in SUFFIXES and not path.name.startswith(".")


def find_logs(
    paths:Given|Sequence[Given], # File, glob, or folder that a harness wrote; or a list of them
    format:str="auto", # Name of the format; auto recognises it, table is any plain table
    grade:Grade|None=None, # Whether answers are to be judged anew, and how
    limits:Limits=Limits(), # How many bytes are believed
)->Search: # The logs there are, none if the files are plain tables
    """The logs among some files, each with the reader of its layout.

    Raises: `ValueError` if a file that is named is damaged, if two readers recognise one, or if
    logs of several harnesses are mixed.
    """
    check_format(format)
    files = find_files(paths)
    if format == "table": return Search([])
    given = [Path(item) for item in _list_given(paths)]
    search = Search([], harness="" if format == "auto" else format,
                    files=frozenset(path.absolute() for path in files))
    _recognise_files(search, files, set(given), format, limits)
    if format != "auto" and not search.logs:
        raise ValueError(f"{paths} holds nothing that {format} could have written")
    if any(path.is_dir() for path in given): _leave_weaker(search, grade is not None)
    names = sorted({log.reader.name for log in search.logs})
    if len(names) > 1:
        raise ValueError(f"{shorten(paths)} holds logs of {' and '.join(names)}; pass harness=, "
                         "or one of the paths")
    return search


def _recognise_files(search: Search, files: Sequence[Path], named: set[Path], format: str,
                     limits: Limits) -> None:
    "Sort files into logs, files of other kinds, and those that cannot be read."
    alone, room = len(files) == 1, KEPT
    for path in files:
        log = _open_file(path, alone or path in named, limits)
        reader = None if log is None else _choose_reader(log, format, alone)
        if log is None and path.stat().st_size: search.broken.append(path)
        elif log is None or reader is None: search.others.append(path)
        else:
            size = log.count_kept()
            fits = alone or size <= room
            room -= size * fits
            search.logs.append(Found(path, reader, limits, log if fits else None))


def _open_file(path: Path, named: bool, limits: Limits) -> Log | None:
    "A file with its kind; None if it only lies in a folder, and is no log or a broken one."
    try: return open_log(path, limits)
    except TooLarge: raise
    except ValueError:
        # What inspect_ai was still writing is a log; any other broken file may be anything.
        if named or path.suffix == ".eval": raise
        return None


def _choose_reader(log: Log, format: str, alone: bool) -> Reader | None:
    "The reader of a file; None if it is no log, such as a side file in a folder."
    readers = find_readers(log, format, alone)
    names = dict.fromkeys(reader.name for reader in readers)
    if len(names) > 1:
        raise ValueError(f"{log.path.name} could be from {' or '.join(names)}; pass harness=")
    if readers: return readers[0]
    if log.kind == "archive":
        raise ValueError(f"{log.path.name} is an archive, but not a log of inspect_ai")
    return None


def _leave_weaker(search: Search, regraded: bool) -> None:
    """In a folder, judged samples go before texts that were not judged.

    It is the other way round where they are judged anew, for the harnesses that keep both.
    """
    judged, texts = _divide(search.logs, lambda log: log.reader.judged)
    kept, weaker = (judged, texts) if judged else (texts, judged)
    if regraded:
        both = {log.reader.name for log in texts}
        weaker, alone = _divide(judged, lambda log: log.reader.name in both)
        kept = texts + alone
    search.logs, search.weaker = kept, [log.path for log in weaker]


def _divide(logs: Sequence[Found], holds: Callable[[Found], bool]) -> tuple[list[Found], ...]:
    "Logs of which something holds, and the others."
    return [log for log in logs if holds(log)], [log for log in logs if not holds(log)]


def read_logs(
    search:Search, # Logs of one harness, at least one
    ask:Ask, # What the caller chose
    files:str|None=None, # What files with the same questions hold: `draws` of one model, `models`
    missing:str="raise", # What samples count as that a stored total names and no log holds
)->Logs: # Columns, and what was taken for what
    """The samples of all logs as columns, of which `question` and `sample` are always there.

    Raises: `ValueError`, naming the file and the way out, if a log is damaged or ambiguous, holds
    no outcome per sample, holds fewer samples than its run, or stands there twice.
    """
    check_files(files)
    found, reader = search.logs, search.logs[0].reader
    # Two runs may agree to the last byte; such readers know the same sample by its id.
    if len(found) > 1 and not reader.draws: refuse_copies([log.path for log in found])
    read, lacking = _read_tables(found, replace(ask, files=search.files))
    took = _tell_kinds(reader.name, read)
    tables, joined = join_runs(read)
    if not tables: raise ValueError(f"need at least one sample, got none in {found[0].path.name}")
    # A log of which other files hold every sample may store how many there are.
    held = [*tables, *(table for table in read if not table.columns["question"])]
    stored, lost = hold_totals(held, missing)
    fill_tables(lost)
    paths = [table.path for table in tables]
    name_models(tables, paths, files, reader.by_folder)
    number_on(tables, paths, "draws" if reader.draws else files)
    totals = [one.name_model() for one in stored]
    repeats = [table.repeat for table in read if table.repeat]
    notes = [*_tell_grade(ask.grade, tables), *_list_notes(tables, read), *joined,
             *tell_coverage(totals), *tell_repeats(repeats), *lacking, *search.tell()]
    tasks = [task for table in tables for task in table.list_tasks()]
    said = "; ".join([*took, *dict.fromkeys(notes)])
    ordered = not any(table.unordered for table in read)
    return Logs(join_tables(tables), said, tasks, totals, repeats, ordered)


def _read_tables(found: Sequence[Found], ask: Ask) -> tuple[list[Table], list[str]]:
    "The samples of each log, and why some logs were left out."
    ask = replace(ask, several=len(found) > 1, seen={}, used=set())
    tables: list[Table] = []
    faults: list[NoOutcomes] = []
    for log in found:
        try: tables.append(read_table(log.open(), log.reader, ask))
        except NoOutcomes as fault: faults.append(fault)
    if not tables: raise ValueError(str(faults[0]))
    if ask.filter is not None and "filter" not in ask.used:
        name = found[0].reader.name
        raise ValueError(f"filter= is for logs that hold several, got logs of {name}")
    skipped = [str(fault).partition("; pass ")[0] for fault in faults]
    return tables, [f"skipped: {reason}" for reason in skipped]


def _list_notes(runs: Sequence[Table], logs: Sequence[Table]) -> list[str]:
    "What the readers remarked on the logs of each run."
    # A log without a row says why; one that others complete is told with them.
    empty = [log for log in logs if not log.columns["question"]]
    return [note for table in (*runs, *empty) for note in table.notes]


def _tell_grade(grade: Grade | None, tables: Sequence[Table]) -> list[str]:
    "By which rule texts were judged; refused where no sample has a text."
    if not isinstance(grade, TextGrade): return []
    if not any(table.has_outcome() for table in tables): grade.refuse_none_judged()
    return [grade.tell()]


def _tell_kinds(name: str, tables: Sequence[Table]) -> list[str]:
    "What was taken for what in the files of each kind."
    kinds: dict[str, list[Path]] = {}
    for table in tables: kinds.setdefault(table.took, []).append(table.path)
    if len(kinds) > 1:
        return [f"{name}, {tell_files(paths)}: {took}" for took, paths in kinds.items()]
    where = tables[0].path.name if len(tables) == 1 else f"{len(tables)} files"
    return [f"{name}, {where}: {took}" for took in kinds]
