"""Which files of a folder are logs, and the table of formats with what reads each."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, TYPE_CHECKING, TypeAlias

from ...errors import OptionError
from ...spelling import list_choices, option
from .limits import Limits, TooLarge, quote_names, shorten
from .log import KINDS, Log, open_log

if TYPE_CHECKING:
    from .ask import Ask, Rows

__all__ = ["Found", "Search", "check_files_hold", "find_logs", "BUILT_IN", "NAMES", "Reader",
           "check_format", "find_readers", "forget", "list_formats", "register"]

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
    folders: frozenset[Path] = frozenset()  # Folders that were named

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
                    files=frozenset(path.absolute() for path in found),
                    folders=frozenset(path.absolute() for path in given if path.is_dir()))
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


# The registry of harnesses: those known here, then those that other packages bring.


GROUP = "sampling_eval.readers"


@dataclass(frozen=True)
class Reader:
    """How one harness, or one of its layouts, is recognised and read.

    A row is a dict with `question` (text or a whole number), `sample` (a whole number), `correct`
    or `score`, and where there are any `answer`, `target`, `model`, `task` and `missing`: whether
    the sample broke down and has no outcome. `said` is what was asked and answered, for pages:
    texts, messages, or functions that give them. `grade` sees `graded` instead of `answer`, if
    given, and leaves a row alone that is `judged`. A sample with a `uuid` counts once, however
    many logs hold it, and has no outcome if one of them calls it `invalid`. Logs of one `run`
    complete each other.
    """
    name: str  # What `harness=` calls it; two layouts of one harness share a name
    kinds: tuple[str, ...]  # Containers it comes in, of `KINDS`
    recognise: Callable[[Any], bool]  # Whether the head of a file looks like this layout
    rows: Callable[[Log, Ask], Rows]  # What was taken for what; rows
    judged: bool = True  # Whether outcomes are stored
    by_folder: bool = False  # Whether the folder of a file is the name of its model
    origin: str = ""  # Who brought a reader that is not built in
    draws: bool = False  # Whether files with the same questions are runs of one model
    name_task: Callable[[Log], Any] = lambda log: None  # The only task of a file, if it is known

    def fits(
        self,
        kind: str,  # What kind of container a file is
    ) -> bool:  # Whether this layout may come in it
        "Whether a container is of a kind that is read."
        # One record alone makes a file of JSON lines that looks like a document.
        return kind in self.kinds or kind == "document" and "lines" in self.kinds


def built_in(
    name: str,  # What `harness=` calls it
    kinds: str,  # Containers it comes in
    rows: str,  # `module.function` that gives its rows
    keys: str = "",  # Keys of its head; sets of them stand between bars
    but: str | None = None,  # A key that its head does not have
    check: str = "",  # Function of the module that sees what keys do not show
    task: str = "",  # Function of the module that names the task of a file
    **more: Any,  # Further fields of a `Reader`
) -> Reader:
    "A reader of the package, whose module is imported when a log needs it."
    module, _, function = rows.rpartition(".")
    wanted = [set(part.split()) for part in keys.split("|")]
    whole = list if kinds == "table" else dict  # The head of CSV is a list of columns

    def take(name: str) -> Any: return getattr(import_module(f"{__package__}.{module}"), name)

    def recognise(head: Any) -> bool:
        if not isinstance(head, whole) or but in head: return False
        if not any(part <= set(head) for part in wanted): return False
        return not check or take(check)(head)

    if task: more["name_task"] = lambda log: take(task)(log)
    return Reader(name, tuple(kinds.split()), recognise, lambda log, ask: take(function)(log, ask),
                  **more)


# With `harness=` and a file that nothing recognises, the first reader of the name takes it.
BUILT_IN = [
    built_in("human-eval", "lines", "programs.human_eval_rows", "task_id passed result"),
    # Any table with these columns looks the same. It is taken for programs all the same, since
    # a reader of tables would find no outcome in it, and some count that as zero.
    built_in("human-eval", "lines", "programs.program_rows",
             "task_id completion | task_id solution", but="passed", check="holds_programs",
             judged=False),
    # inspect_ai has `eval` too, beside a version.
    built_in("evalplus", "document", "programs.evalplus_rows", "eval", but="version",
             check="holds_tries"),
    built_in("evalplus", "document", "programs.old_evalplus_rows", "eval", but="version",
             check="holds_tests"),
    built_in("bigcodebench", "document", "programs.bigcode_rows", "eval", but="version",
             check="holds_statuses"),
    # What a run of inspect writes as it starts has no status yet.
    built_in("inspect", "archive document", "inspect_ai.rows",
             "version eval status | version eval plan", check="recognise", task="name_task"),
    built_in("lm-eval", "lines", "lm_eval.rows", "doc_id resps filtered_resps", task="name_task",
             by_folder=True),
    built_in("lighteval", "parquet", "lighteval.rows", "doc model_response metric"),
    # A plain table with these three columns looks the same, and means the same.
    built_in("tau-bench", "rows", "agents.tau_rows", "task_id reward trial"),
    built_in("tau2", "document", "agents.simulation_rows",
             "simulations info | info tasks", check="recognise_run"),
    built_in("tau2", "document", "agents.single_rows",
             "task_id termination_reason reward_info", judged=False),
    # Common words: a plain table may have these columns too. It holds no question then, and
    # would be refused as a table; what was read says what was taken for one.
    built_in("verl", "lines", "agents.verl_rows", "input output score"),
    built_in("verifiers", "lines", "agents.verifiers_rows",
             "reward completion prompt id | reward completion prompt example_id"),
    built_in("verifiers", "lines", "agents.trace_rows", "task traces ok",
             check="recognise_traces"),
    built_in("promptfoo", "document", "test_reports.document_rows", "results",
             check="recognise_results"),
    built_in("promptfoo", "lines", "test_reports.line_rows",
             "testIdx promptIdx provider success testCase"),
    built_in("promptfoo", "table", "test_reports.table_rows", "Status Score",
             check="recognise_table"),
    built_in("terminal-bench", "document", "agents.terminal_rows",
             "results n_resolved | trial_name task_id is_resolved", draws=True),
    built_in("harbor", "document", "agents.harbor_rows",
             "task_name trial_name agent_info verifier_result", draws=True),
    built_in("harbor", "document", "agents.job_rows", "n_total_trials stats", judged=False,
             draws=True),
    built_in("swe-bench", "document", "programs.report_rows", "submitted_ids resolved_ids",
             draws=True),
    built_in("swe-bench", "document", "programs.instance_rows", check="recognise_instances",
             draws=True),
    built_in("swe-bench", "document", "programs.refuse_totals", "resolved applied generated",
             judged=False),
    built_in("bfcl", "lines", "suites.refuse_failures", "accuracy correct_count total_count",
             judged=False),
    built_in("opencompass", "document", "suites.prediction_rows", "0",
             check="recognise_predictions", judged=False, by_folder=True),
    built_in("opencompass", "document", "suites.opencompass_rows", "details",
             check="may_be_opencompass", by_folder=True),
    built_in("aisbench", "document", "suites.aisbench_rows", "details",
             check="may_be_aisbench", by_folder=True),
    built_in("aisbench", "lines", "suites.aisbench_predictions", "data_abbr id",
             judged=False, by_folder=True),
    built_in("evalscope", "lines", "suites.evalscope_rows", "index sample_score",
             check="recognise_evalscope"),
    built_in("helm", "rows", "suites.helm_rows", "instance_id train_trial_index stats",
             check="recognise_helm"),
    built_in("deepeval", "document", "test_reports.deepeval_rows",
             "testCases conversationalTestCases metricsScores | testRunData",
             check="recognise_test_run"),
    built_in("langsmith", "table", "exports.langsmith_rows", "example_id execution_time id",
             check="recognise_feedback"),
    built_in("phoenix", "rows", "exports.phoenix_rows",
             "example_id repetition_number reference_output annotations"),
    built_in("phoenix", "table", "exports.phoenix_rows",
             "example_id repetition_number reference_output output"),
    built_in("mlflow", "rows", "exports.trace_rows", "trace_id trace request response"),
    built_in("mlflow", "table", "exports.trace_rows", "trace_id trace request response"),
    built_in("pytest", "document", "test_reports.json_rows", "tests summary exitcode"),
    built_in("junit", "xml", "test_reports.junit_rows", "testsuites | testsuite"),
    built_in("choices", "lines rows", "samples.rows", "choices logprobs gold"),
    built_in("openai-evals", "lines", "openai.evals_rows", "spec", check="recognise_evals"),
    built_in("simple-evals", "document", "openai.simple_rows", "score metrics htmls convos"),
    built_in("simple-evals", "document", "openai.refuse_means",
             "score score:std | score score:bootstrap_std", judged=False),
]
# Services of which nothing but their own server writes an export, and what a question is there.
SERVED = dict(langfuse="the dataset item", braintrust="the input", weave="the example",
              opik="the dataset item")
NAMES = tuple(dict.fromkeys(reader.name for reader in BUILT_IN))


def find_readers(
    log: Log,  # File that was opened
    format: str = "auto",  # Name of the format, or `auto`
    alone: bool = False,  # Whether it is the only file, so that a named format has to take it
) -> list[Reader]:  # Readers of different names are one too many
    """The readers that recognise a file; those of other packages are asked last.

    Raises: `ValueError`, naming the package, if a reader of another package fails.
    """
    if format == "auto":
        known = ask_readers(BUILT_IN, log)
        return known if known or log.kind == "table" else ask_readers(load_checked(), log)
    named = [reader for reader in BUILT_IN if reader.name == format] or load_checked(format)
    near = [reader for reader in named if reader.fits(log.kind)]
    return ask_readers(near, log) or (near[:1] if alone else [])


def list_formats() -> list[str]:
    "The names of all harnesses that can be read, those of other packages last."
    return list(dict.fromkeys([*NAMES, *REGISTERED, *(entry.name for entry in list_entries())]))


def check_format(format: str) -> None:
    "Refuse the name of a format that nothing reads."
    if format in ("auto", "table", *NAMES): return
    if format in SERVED:
        raise OptionError("harness", f"exports of {format} are not read",
                          hint="export a table with one row per sample and three columns: question "
                               f"(in {format}: {SERVED[format]}), sample and correct")
    known = ["auto", "table", *list_formats()]
    if format not in known:
        raise OptionError("harness", must=f"be one of {quote_names(known)}", got=format,
                          choices=known)


def ask_readers(readers: Iterable[Reader], log: Log) -> list[Reader]:
    return [reader for reader in readers if reader.fits(log.kind) and ask_recognise(reader, log)]


def ask_recognise(reader: Reader, log: Log) -> bool:
    if not reader.origin: return reader.recognise(log.head)
    try: return bool(reader.recognise(log.head))
    except Exception as fault:
        raise OptionError("harness", f"the reader {reader.name!r} of {reader.origin} failed to say "
                          f"whether it knows {log.path.name} ({type(fault).__name__}: {fault})",
                          hint=advise_other()) from fault


def advise_other() -> str:
    "What to do where a reader of another package fails."
    return (f"repair or uninstall it, or pass {option('harness')} the name of another, or "
            f"{list_choices(['table'])}")


# Readers from elsewhere.

REGISTERED: dict[str, Reader] = {}  # Readers of this process, without a package


def register(
    reader: Any,  # Object or module with `name`, `recognise(head)` and `rows(log, ask)`
) -> Reader:  # The same as a `Reader`
    """Let a reader be asked in this process, as if a package had brought it.

    The reader that was registered under the same name before is replaced.

    Raises: `ValueError` for the name of a harness that is built in.
    """
    made = make_reader(reader, "register()")
    refuse_taken_names([made])
    REGISTERED[made.name] = made
    return made


def forget(name: str) -> None:
    "Take a registered reader away again; a name that is not known is no error."
    REGISTERED.pop(name, None)


def make_reader(given: Any, origin: str) -> Reader:
    "A reader from somewhere else; raises `ValueError` if something of it is absent or wrong."
    name = getattr(given, "name", None)
    if not isinstance(name, str) or not name:
        raise ValueError(f"a reader needs a name, got {shorten(name)} of {shorten(given)} "
                         f"from {origin}")
    for part in ("recognise", "rows"):
        if not callable(getattr(given, part, None)):
            raise ValueError(f"a reader needs the functions recognise(head) and rows(log, ask), "
                             f"got no {part} in the reader {name!r} of {origin}")
    kinds = getattr(given, "kinds", KINDS)
    if not isinstance(kinds, (tuple, list, set)) or not all(kind in KINDS for kind in kinds):
        raise ValueError(f"kinds must be some of {quote_names(KINDS)}, got {shorten(kinds)} "
                         f"in the reader {name!r} of {origin}")
    return Reader(name, tuple(kinds), given.recognise, given.rows, getattr(given, "judged", True),
                  getattr(given, "by_folder", False), origin, getattr(given, "draws", False))


def refuse_taken_names(brought: Iterable[Reader]) -> None:
    "Refuse two origins of one name: `harness=` could not tell them apart."
    origin = dict.fromkeys(NAMES, "this package")
    for reader in brought:
        other = origin.setdefault(reader.name, reader.origin)
        if other != reader.origin:
            raise ValueError(f"a reader needs a name of its own, got {reader.name!r} of "
                             f"{reader.origin} and of {other}; uninstall or rename one of them")


def load_checked(name: str | None = None) -> list[Reader]:
    """The readers of other packages, imported, those of this process first.

    Raises: `ValueError`, naming the package, if one cannot be imported or is no reader.
    """
    brought = [made for made in REGISTERED.values() if name in (None, made.name)]
    for entry in list_entries():
        if name in (None, entry.name): brought += load_entry(entry)
    refuse_taken_names(brought)
    return brought


def load_entry(entry: Any) -> Iterator[Reader]:
    origin = f"the package {entry.dist.name}" if entry.dist else entry.value
    try: given = entry.load()
    except Exception as fault:
        raise OptionError("harness", f"the reader {entry.name!r} of {origin} cannot be loaded "
                          f"({type(fault).__name__}: {fault})", hint=advise_other()) from fault
    # A harness with two layouts brings two readers of one name.
    for part in given if isinstance(given, (list, tuple)) else [given]:
        made = make_reader(part, origin)
        if made.name != entry.name:
            raise ValueError(f"a reader must have the name of its entry point, got {made.name!r} "
                             f"at the entry point {entry.name!r} of {origin}")
        yield made


@cache
def list_entries() -> tuple[Any, ...]:
    if not any(map(may_bring_readers, sys.path)): return ()
    from importlib.metadata import entry_points
    return tuple(entry_points(group=GROUP))


def may_bring_readers(folder: str) -> bool:
    """Whether a folder of packages has one with readers; True where only Python could tell.

    A look at the files takes a tenth of the time that `importlib.metadata` takes to be imported,
    and every plain table in JSON lines comes by here.
    """
    path = Path(folder or ".")
    if not path.is_dir(): return path.exists()
    return any(names_readers(entries) for place in ("*.dist-info", "*.egg-info", "EGG-INFO")
               for entries in path.glob(f"{place}/entry_points.txt"))


def names_readers(entries: Path) -> bool:
    try: return GROUP.encode() in entries.read_bytes()
    except OSError: return False
