"""Several logs as one table: what was read, whose samples they are, how they are numbered."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import OptionError, retell
from ...spelling import marked, option
from ...patterns import label_path
from ...results.reading import Coverage, NoteKind, ReadNote, ReadSummary, Repeat
from ..counted import advise_missing
from ..text_files import refuse_same_files
from .ask import Ask, NoOutcomes, Row, Total
from .folder import Found, Search
from .grading import TextGrade, note_grading
from .limits import shorten
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
    read, lacking = read_samples(found, replace(ask, files=search.files, folders=search.folders,
                                                files_hold=files))
    summary = summarize(reader.name, read)
    tables, joined = join_runs(read)
    if not tables: raise ValueError(f"need at least one sample, got none in {found[0].path.name}")
    # A log of which other files hold every sample may store how many there are.
    empty = [table for table in read if not table.columns["question"]]
    held = hold_totals([*tables, *empty], missing)
    paths = [table.path for table in tables]
    # A reader that knows whose a file is has named its model already.
    told = any("files_hold" in table.said.used for table in tables)
    name_models(tables, paths, None if told else files, reader.by_folder)
    number_on(tables, paths, "draws" if reader.draws else files)
    totals = tuple(replace(total, model=find_only_model(logs)) for total, logs in held)
    repeats = tuple(table.repeat for table in read if table.repeat)
    # A log without a row says why; one that others complete is told with them.
    said = join_notes([*tables, *empty], joined)
    if isinstance(ask.grade, TextGrade) and not any(table.has_outcome() for table in tables):
        ask.grade.refuse_none_judged()
    notes = [*note_grading(ask.grade), *said, *note_totals(totals), *note_repeats(repeats),
             *lacking, *note_skipped(search)]
    tasks = [task for table in tables for task in table.list_tasks()]
    ordered = not any(table.said.unordered for table in read)
    costs = tuple(one for table in tables for one in table.columns["costs"])
    texts = tuple(chain.from_iterable(table.columns["texts"] for table in tables if ask.texts))
    return Logs(join_tables(tables), summary.add(*notes), tasks, totals, repeats, ordered, costs,
                texts)


def read_samples(found: Sequence[Found], ask: Ask) -> tuple[list[Table], list[ReadNote]]:
    "The samples of each log, and why some logs were left out."
    tasks = [log.reader.name_task(log.open()) for log in found]
    chosen = [log for log, task in zip(found, tasks) if ask.task in (None, task) or task is None]
    ask = replace(ask, several=len(chosen) > 1, seen={}, used=set())
    tables: list[Table] = []
    faults: list[NoOutcomes] = []
    for log in chosen:
        try: tables.append(read_table(log.open(), log.reader, ask))
        except NoOutcomes as fault: faults.append(fault)
        except OptionError as error:
            advise_tasks(error, tasks)
            raise
    known = {task for table in tables for task in table.columns["task"]}
    if ask.task is not None and ask.task not in known: refuse_task(ask.task, [*tasks, *known])
    if not tables: raise OptionError("grade", marked(faults[0]))
    if ask.filter is not None and "filter" not in ask.used:
        name = found[0].reader.name
        raise OptionError("filter", f"{option('filter')} is for logs that hold several",
                          found=f"logs of {name}")
    notes = [ReadNote("skipped_logs", text=fault.rule) for fault in faults]
    others = len(found) - len(chosen)
    return tables, [*notes, *[ReadNote("other_tasks", count=others)] * bool(others)]


def list_tasks(tasks: Sequence[Any]) -> list[str]:
    return sorted({str(task) for task in tasks if task is not None})


def advise_tasks(error: OptionError, tasks: Sequence[Any]) -> None:
    "Logs of several tasks that hold different scores are read one task at a time."
    names = list_tasks(tasks)
    if error.option != "score" or len(names) < 2: return
    retell(error, lambda said: f"{said}; of several tasks, {option('task', *names[:3])} reads one")


def refuse_task(task: str, tasks: Sequence[Any]) -> None:
    "Refuse a task of which no log holds a sample."
    names = list_tasks(tasks)
    if not names: raise OptionError("task", "these logs name no tasks", got=task)
    raise OptionError("task", must=f"be one of {', '.join(map(repr, names))}", got=task,
                      choices=names)


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
    for table, models, path in zip(tables, columns, paths):
        label = table.said.owner or label_path(path, paths)
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
    columns["task"] = name_tasks(columns["task"], columns["question"])
    if len(set(columns["task"])) > 1:
        pairs = zip(columns["task"], columns["question"])
        columns["question"] = [f"{task}/{question}" for task, question in pairs]
    if not any(table.outcomes for table in tables): del columns["correct"]
    return {part: values for part, values in columns.items()
            if part in ALWAYS or any(value is not None for value in values)}


def name_tasks(tasks: list[Any], questions: Sequence[Any]) -> list[Any]:
    """The task of each sample; a run that names none has the only one that others name.

    So it is where its questions are theirs, by names that are more than numbers.
    """
    named, only = set(tasks) - {None}, next((task for task in tasks if task is not None), None)
    sides = [{q for task, q in zip(tasks, questions) if (task is None) == none}
             for none in (True, False)]
    words = all(isinstance(q, str) and not q.isdigit() for side in sides for q in side)
    shared = sides[0] <= sides[1] or sides[1] <= sides[0]
    return [only] * len(tasks) if len(named) == 1 and words and shared else tasks


# Logs of one run put together, and held against the totals that the run stores of itself.

# Retries: a sample that stands twice counts once.

@dataclass(frozen=True)
class Held:
    "One sample as a log holds it."
    row: Row  # Its parts
    path: Path  # The log

    @property
    def uuid(self) -> Any:
        "Its name in every log that holds it; None where it has none."
        return self.row["uuid"]

    @property
    def invalid(self) -> bool:
        "Whether somebody declared that it does not count."
        return bool(self.row.get("invalid"))

    @property
    def outcome(self) -> Any:
        "What the harness judged; None where nothing is known."
        value = self.row["score"] if self.row["correct"] is None else self.row["correct"]
        return None if value != value else value

    @property
    def name(self) -> str:
        "What a refusal calls it."
        return f"sample {self.row['sample']} of question {shorten(self.row['question'])}"

    def is_same(self, other: Held) -> bool:
        """Whether another log holds the same sample, and no rerun of it.

        They are told apart by their names; without names they are one if both have an outcome.
        """
        names = self.uuid, other.uuid
        return None not in (self.outcome, other.outcome) if None in names else len({*names}) == 1


def join_runs(
    tables: Sequence[Table],  # One for each log, in the order in which they were written
) -> tuple[list[Table], Counter[NoteKind]]:  # One for each run; what counts once, and how often
    """The logs of one run as one table, in which each sample counts once.

    Counted are `run_parts` (files of runs that have several), `counted_once` (samples that several
    files hold), `rerun` (samples that were run again) and `invalid_elsewhere`.

    Raises: `ValueError` if one sample has two scores.
    """
    found: dict[Any, list[Table]] = {}
    for table in tables: found.setdefault(identify_run(table), []).append(table)
    told: Counter[NoteKind] = Counter()
    told["run_parts"] = sum(len(logs) for logs in found.values() if len(logs) > 1)
    blank_invalid(tables, told)
    joined = [join_logs(logs, told) for logs in found.values()]
    drop_copies(joined, told)
    return [table for table in joined if table.columns["question"]], told


def blank_invalid(tables: Sequence[Table], told: Counter[NoteKind]) -> None:
    "Let a sample that one log declares invalid have no outcome in any log."
    invalid = {uuid for table in tables
               for uuid, bad in zip(table.columns["uuid"], table.columns["invalid"])
               if bad and uuid is not None}
    blanked = set()
    for table in tables if invalid else ():
        for place, uuid in enumerate(table.columns["uuid"]):
            if uuid not in invalid or table.columns["invalid"][place]: continue
            table.columns["invalid"][place] = True
            for part in "correct", "score": table.columns[part][place] = None
            blanked.add(uuid)
    told["invalid_elsewhere"] = len(blanked)


def identify_run(table: Table) -> Any:
    "What the logs of one run share; a log that names none is a run of its own."
    runs = set(zip(table.columns["run"], table.columns["model"]))
    run = next(iter(runs), (None, None))
    return run if len(runs) == 1 and run[0] is not None else id(table)


def join_logs(logs: list[Table], told: Counter[NoteKind]) -> Table:
    "The logs of one run, the last of which says how it ended."
    if len(logs) == 1: return logs[0]
    chosen: dict[Any, Held] = {}
    for log in logs:
        for key, held in hold_samples(log):
            chosen[key] = choose_held(chosen[key], held, told) if key in chosen else held
    columns = {part: [held.row[part] for held in chosen.values()] for part in PARTS}
    return replace(logs[-1], columns=columns, outcomes=any(log.outcomes for log in logs))


def hold_samples(log: Table) -> Iterator[tuple[Any, Held]]:
    "Each sample of a log, with what it is called in every log of its run."
    # A sample that stands twice in one log is refused later, as in any log.
    times: Counter[Any] = Counter()
    for values in zip(*log.columns.values()):
        row = dict(zip(log.columns, values))
        name = row["question"], row["sample"]
        times[name] += 1
        yield (*name, times[name]), Held(row, log.path)


def choose_held(before: Held, after: Held, told: Counter[NoteKind]) -> Held:
    "The entry of a sample that counts: the later one, unless it alone has no outcome."
    refuse_unclear_invalid(before, after)
    if before.is_same(after):
        told["counted_once"] += 1
        refuse_two_scores(before, after)
    else: told["rerun"] += 1
    return before if after.outcome is None else after


def refuse_two_scores(before: Held, after: Held) -> None:
    if None in (before.outcome, after.outcome) or before.outcome == after.outcome: return
    raise ValueError(f"a sample has one score, got {before.outcome} in {before.path.name} and "
                     f"{after.outcome} in {after.path.name} for {after.name}; leave one of the "
                     "files out")


def refuse_unclear_invalid(before: Held, after: Held) -> None:
    "Refuse an outcome beside an invalid sample without a name: a rerun, or the sample itself?"
    if None not in (before.uuid, after.uuid) or before.invalid == after.invalid: return
    bad, good = (before, after) if before.invalid else (after, before)
    if good.outcome is None: return
    raise ValueError(f"a sample is valid or not, got {after.name} invalid in {bad.path.name} and "
                     f"with an outcome in {good.path.name}, and without a uuid nothing says "
                     "whether it was run again; leave one of the files out")


def drop_copies(tables: Sequence[Table], told: Counter[NoteKind]) -> None:
    "Let go of samples that an earlier run holds too."
    seen: dict[str, Held] = {}
    for table in tables:
        if not any(table.columns["uuid"]): continue
        held = [one for _, one in hold_samples(table)]
        copies = [one for one in held if one.uuid in seen]
        for one in copies: refuse_two_scores(seen[one.uuid], one)
        table.copied += [(one.row["task"], one.row["question"]) for one in copies]
        if copies: table.keep(place for place, one in enumerate(held) if one.uuid not in seen)
        seen.update((one.uuid, one) for one in held if one.uuid is not None)
        told["counted_once"] += len(copies)


# Totals: whether there are as many samples as the run says, and rows for those that are missing.

FILLING = "wrong", "right"  # Policies under which a missing sample needs its question
Place: TypeAlias = tuple[Any, Any]  # Task and question


@dataclass(frozen=True)
class Counted:
    "The samples that a total counts."
    total: Total  # What was stored
    tables: list[Table]  # Logs that hold them

    def list_keys(self) -> list[Place]:
        "Task and question of each row that is counted."
        keys = (key for table in self.tables for key in (
            *zip(table.columns["task"], table.columns["question"]), *table.copied))
        only = self.total.task
        return [key for key in keys if only is None or key[0] == only]

    def count(self) -> int:
        "How many samples there are."
        return len(self.list_keys() if self.total.found is None else self.total.found)

    def measure(self) -> Coverage:
        "The total, and how many samples there are."
        return Coverage(self.tables[-1].path.name, self.total.expected, self.count(),
                        self.total.where)

    def find_absent(self) -> dict[Place, int] | None:
        "How many samples of each question are missing; None where nothing says it."
        have = Counter(self.list_keys())
        wanted = self.find_wanted(have)
        if wanted is None: return None
        absent = {key: size - have[key] for key, size in wanted.items() if size > have[key]}
        # What is stored in two places may not agree; then nothing is known of the questions.
        return absent if sum(absent.values()) == self.total.expected - self.count() else None

    def find_wanted(self, have: Counter[Place]) -> dict[Place, int] | None:
        total, tasks = self.total, {task for task, _ in have}
        if total.questions is not None:
            if total.task is not None: tasks = {total.task}
            if len(tasks) != 1: return None
            task, = tasks
            return {(task, name): size for name, size in total.questions.items()}
        if total.each is None or len(have) * total.each != total.expected: return None
        return dict.fromkeys(have, total.each)

    def find_model(self) -> Row | None:
        "Model and run of all samples; None where they are of several."
        found = {name: {value for table in self.tables for value in table.columns[name]}
                 for name in ("model", "run")}
        if any(len(values) > 1 for values in found.values()): return None
        return {name: next(iter(values), None) for name, values in found.items()}


def hold_totals(
    tables: Sequence[Table],  # One for each run, before copies in other runs are let go
    missing: str = "raise",  # What a missing sample counts as
) -> list[tuple[Coverage, list[Table]]]:  # What is stored of which logs
    """Each stored total, held against the samples there are; the missing ones are added.

    Raises: `ValueError` where samples are missing and nobody said what they count as, or where
    they are to be filled in and nothing says of which questions they are.
    """
    held: list[tuple[Coverage, list[Table]]] = []
    rows: list[tuple[Table, Row]] = []
    parts = list(choose_parts(tables))
    short = sum(part.measure().missing > 0 for part in parts)
    for part in parts:
        coverage = part.measure()
        if coverage.missing:
            absent = None if part.find_model() is None else part.find_absent()
            if missing == "raise" or absent is None and missing in FILLING:
                raise short_total(coverage, part.total, absent is not None, short)
            made = list(fill_rows(part, absent or {}, whole=missing in FILLING))
            rows += made
            coverage = replace(coverage, left_out=coverage.missing - len(made))
        held.append((coverage, part.tables))
    # Only now: totals may count the same samples.
    for table, row in rows: table.add(row)
    return held


def choose_parts(tables: Sequence[Table]) -> Iterator[Counted]:
    "The samples of each total; of several on the same samples, the one that misses most."
    groups: dict[Any, list[tuple[Total, Table]]] = {}
    for table in tables:
        for total in table.said.totals:
            key = (id(table), total.task) if total.run is None else (total.run, total.task)
            groups.setdefault(key, []).append((total, table))
    for found in groups.values():
        held = list({id(table): table for _, table in found}.values())
        yield max((Counted(total, held) for total, _ in found), key=rank)


def rank(part: Counted) -> tuple[int, bool]:
    return part.total.expected - part.count(), part.find_absent() is not None


def fill_rows(
    part: Counted,
    absent: Mapping[Place, int],
    whole: bool,
) -> Iterator[tuple[Table, Row]]:
    "Rows without an outcome, of questions without any sample only where they are filled in."
    table = next((one for one in reversed(part.tables) if one.columns["question"]),
                 part.tables[-1])
    shared, taken = part.find_model() or {}, list_taken(part)
    for (task, question), size in absent.items():
        used = taken.get((task, question), set())
        if not used and not whole: continue
        # Some logs count samples from 1.
        free = (number for number in count(1 if used and 0 not in used else 0)
                if number not in used)
        for number in islice(free, size):
            yield table, shared | dict(task=task, question=question, sample=number)


def list_taken(part: Counted) -> dict[Place, set[int]]:
    "The sample numbers of each question."
    found: dict[Place, set[int]] = {}
    for table in part.tables:
        columns = table.columns
        for task, question, number in zip(columns["task"], columns["question"], columns["sample"]):
            found.setdefault((task, question), set()).add(number)
    return found


def short_total(coverage: Coverage, total: Total, placed: bool, short: int) -> OptionError:
    "The refusal of logs that hold fewer samples than a total counts."
    said = f"{coverage.missing} missing" + f", {short} totals fail" * (short > 1)
    if total.why: said += f": {total.why}"
    way = advise_missing() if placed else (
        f"{option('missing', 'drop')}, which leaves the missing ones out: nothing says of which "
        "questions they are, so none can count as wrong")
    return OptionError("missing", f"need {coverage.expected} samples ({coverage.where})",
                       found=f"{coverage.found} in {coverage.file} ({said})",
                       hint=f"complete the log, or pass {way}")
