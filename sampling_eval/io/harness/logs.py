"""Several logs as one table: what was read, whose samples they are, how they are numbered."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import OptionError, option
from ...patterns import label_path
from ...records import dataclass
from ...results.reading import Coverage, NoteKind, ReadNote, ReadSummary, Repeat
from ..file_content import refuse_same_files
from .ask import Ask, NoOutcomes
from .folder import Found, Search
from .grading import TextGrade
from .limits import shorten
from .runs import hold_totals, join_runs
from .samples import PARTS, Table, read_table

__all__ = ["Logs", "read_logs"]

Key: TypeAlias = tuple[Any, Any, Any]  # Model, task and question
# What logs are put together by, and what is kept apart
OWN = "run", "uuid", "invalid", "costs", "texts"
ALWAYS = "question", "sample", "correct"
# What is said of samples that stand in several logs.
JOINED: tuple[NoteKind, ...] = "run_parts", "counted_once", "rerun", "invalid_elsewhere"


@dataclass
class Logs:
    "The samples of some logs."
    columns: dict[str, list[Any]]  # By part, of which `question` and `sample` are always there
    read: ReadSummary  # What was taken for what, and what has to be known
    tasks: list[tuple[str, str, str]]  # Each task that is named, its version and its run
    totals: tuple[Coverage, ...] = ()  # Stored totals, and the samples there are
    repeats: tuple[Repeat, ...] = ()  # Files that were appended to themselves
    ordered: bool = True  # Whether the numbers of samples are those of the logs
    costs: tuple[dict[str, Any] | None, ...] = ()  # What each sample cost, by name
    texts: tuple[Any, ...] = ()  # What each sample says, where that is gathered


def read_logs(
    search: Search,  # Logs of one harness, at least one
    ask: Ask,  # What the caller chose
    files: str | None = None,  # What files with the same questions hold: `draws` or `models`
    missing: str = "raise",  # What samples count as that a stored total names and no log holds
) -> Logs:  # Columns, and what was taken for what
    """The samples of all logs as columns, of which `question` and `sample` are always there.

    Raises: `ValueError`, naming the file and the way out, if a log is damaged or ambiguous, holds
    no outcome per sample, holds fewer samples than its run, or stands there twice.
    """
    found, reader = search.logs, search.logs[0].reader
    # Two runs may agree to the last byte; such readers know the same sample by its id.
    if not reader.draws: refuse_same_files([str(log.path) for log in found], "leave one out")
    read, lacking = read_samples(found, replace(ask, files=search.files))
    summary = summarize(reader.name, read)
    tables, joined = join_runs(read)
    if not tables: raise ValueError(f"need at least one sample, got none in {found[0].path.name}")
    # A log of which other files hold every sample may store how many there are.
    empty = [table for table in read if not table.columns["question"]]
    held = hold_totals([*tables, *empty], missing)
    paths = [table.path for table in tables]
    name_models(tables, paths, files, reader.by_folder)
    number_on(tables, paths, "draws" if reader.draws else files)
    totals = tuple(replace(total, model=find_only_model(logs)) for total, logs in held)
    repeats = tuple(table.repeat for table in read if table.repeat)
    # A log without a row says why; one that others complete is told with them.
    said = join_notes([*tables, *empty], joined)
    notes = [*note_grade(ask, tables), *said, *note_totals(totals), *note_repeats(repeats),
             *lacking, *note_skipped(search)]
    tasks = [task for table in tables for task in table.list_tasks()]
    ordered = not any(table.said.unordered for table in read)
    costs = tuple(one for table in tables for one in table.columns["costs"])
    texts = tuple(chain.from_iterable(table.columns["texts"] for table in tables if ask.texts))
    return Logs(join_tables(tables), summary.add(*notes), tasks, totals, repeats, ordered, costs,
                texts)


def read_samples(found: Sequence[Found], ask: Ask) -> tuple[list[Table], list[ReadNote]]:
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
        raise OptionError("filter", f"{option('filter')} is for logs that hold several",
                          found=f"logs of {name}")
    return tables, [ReadNote("skipped_logs", text=fault.reason) for fault in faults]


# What was read.

def summarize(harness: str, tables: Sequence[Table]) -> ReadSummary:
    "The logs and the fields that were taken; one summary for each kind of files within."
    kinds: list[list[Table]] = []
    for table in tables:
        same = next((kind for kind in kinds if kind[0].took == table.took), None)
        if same is None: kinds.append([table])
        else: same.append(table)
    inputs = tuple(summarize_kind(harness, kind) for kind in kinds)
    if len(inputs) == 1: return inputs[0]
    return ReadSummary("log", harness=harness, files=tuple(table.path.name for table in tables),
                       rows=sum(one.rows for one in inputs), unit="sample", inputs=inputs)


def summarize_kind(harness: str, tables: Sequence[Table]) -> ReadSummary:
    took = tables[0].took
    # A reader of another package may say it in its own words.
    said = (ReadNote("log", text=took),) if isinstance(took, str) else ()
    return ReadSummary("log", harness=harness, files=tuple(table.path.name for table in tables),
                       rows=sum(len(table.columns["question"]) for table in tables), unit="sample",
                       columns={} if isinstance(took, str) else took, notes=said)


def join_notes(tables: Sequence[Table], joined: Mapping[NoteKind, int]) -> list[ReadNote]:
    "What readers noted on the logs and what joining them gave, each once for all logs."
    ask = Ask()
    for note in chain.from_iterable(table.said.notes for table in tables):
        ask.add_note(note.kind, *note.names, count=note.count, text=note.text)
    for kind in JOINED:
        if joined[kind]: ask.add_note(kind, count=joined[kind])
    return ask.notes


def note_grade(ask: Ask, tables: Sequence[Table]) -> list[ReadNote]:
    "By which rule texts were judged; refused where no sample has a text."
    grade = ask.grade
    if not isinstance(grade, TextGrade): return []
    if not any(table.has_outcome() for table in tables): grade.refuse_none_judged()
    return [ReadNote("graded_texts", (grade.name,), count=grade.odd, total=grade.judged)]


def note_totals(totals: Sequence[Coverage]) -> Iterator[ReadNote]:
    for one in totals:
        if one.missing:
            yield ReadNote("short_total", (one.file, one.where), count=one.found,
                           total=one.expected)


def note_repeats(repeats: Sequence[Repeat]) -> Iterator[ReadNote]:
    for one in repeats:
        yield ReadNote("repeated_lines", (one.file,), value=one.times, count=one.lines)


def note_skipped(search: Search) -> Iterator[ReadNote]:
    skipped: dict[NoteKind, list[Path]] = dict(
        no_logs=search.others, judged_elsewhere=search.weaker, unreadable=search.broken)
    for kind, paths in skipped.items():
        names = tuple(path.name for path in paths)
        if names: yield ReadNote(kind, names, text=search.harness if kind == "no_logs" else "")


# Whose samples they are.

def name_models(tables: Sequence[Table], paths: Sequence[Path], files: str | None,
                 by_folder: bool) -> None:
    "Name the model of every sample after its file, where the log or the caller asks for it."
    columns = [table.columns["model"] for table in tables]
    if by_folder and len({path.parent for path in paths}) > 1:
        for models, path in zip(columns, paths): models[:] = [path.parent.name] * len(models)
    none = {model is None for models in columns for model in models}
    if files != "models" and len(none) < 2: return
    for models, path in zip(columns, paths):
        label = label_path(path, paths)
        more = f" {label}" if files == "models" else ""
        models[:] = [label if model is None else model + more for model in models]


def find_only_model(tables: Sequence[Table]) -> str:
    "The model of all samples; empty if there are several, or if it has no name."
    models = {model for table in tables for model in table.columns["model"]}
    return (models.pop() or "") if len(models) == 1 else ""


def number_on(tables: Sequence[Table], paths: Sequence[Path], files: str | None) -> None:
    """Number the samples of a later file after those of the earlier ones.

    Raises: `ValueError` if two files hold the same question and the caller did not say why.
    """
    free: dict[Key, int] = {}
    owner: dict[Key, Path] = {}
    for table, path in zip(tables, paths):
        columns = table.columns
        keys = list(zip(columns["model"], columns["task"], columns["question"]))
        again = [key for key in dict.fromkeys(keys) if key in owner]
        if again and files != "draws" and not is_rest(owner[again[0]], path):
            raise OptionError(
                "files_hold", f"question {shorten(again[0][2])} is in {owner[again[0]].name} and "
                              f"in {path.name} ({len(again)} questions in all)",
                hint=f"pass {option('files_hold', 'draws')} if both are samples of one model, "
                     f"{option('files_hold', 'models')} if not")
        samples = [free.get(key, 0) + s for key, s in zip(keys, columns["sample"])]
        for key, sample in zip(keys, samples): free[key] = max(free.get(key, 0), sample + 1)
        owner |= dict.fromkeys(keys, path)
        columns["sample"] = samples


def is_rest(path: Path, other: Path) -> bool:
    "Whether one file holds the failed requests of the other, as AISBench writes them."
    stem = path.stem.removesuffix("_failed")
    return path.parent == other.parent and {path.stem, other.stem} == {stem, stem + "_failed"}


def join_tables(tables: Sequence[Table]) -> dict[str, list[Any]]:
    """All samples as columns; with several tasks, questions are named by task too.

    Question, sample and correct or score are always there, others if anything stands in them.
    """
    columns = {part: list(chain.from_iterable(table.columns[part] for table in tables))
               for part in PARTS if part not in OWN}
    if len(set(columns["task"])) > 1:
        pairs = zip(columns["task"], columns["question"])
        columns["question"] = [f"{task}/{question}" for task, question in pairs]
    if not any(table.outcomes for table in tables): del columns["correct"]
    return {part: values for part, values in columns.items()
            if part in ALWAYS or any(value is not None for value in values)}
