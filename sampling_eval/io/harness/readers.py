"""All readers: those of the harnesses known here, then those of other packages."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import (aisbench, bigcodebench, deepeval, evalplus, evalscope, harbor, helm, human_eval,
               inspect_ai, lighteval, lm_eval, openai_evals, opencompass, promptfoo, simple_evals,
               swe_bench, tau2, tau_bench, terminal_bench, verifiers, verifiers_traces, verl)
from .log import Log
from .plugins import REGISTERED, list_plugins, load_plugins
from .reader import Reader, make_reader
from .words import quote_names

__all__ = ["BUILT_IN", "Reader", "check_format", "find_readers", "forget", "list_formats",
           "register"]

# With `harness=` and a file that nothing recognises, the first reader of the name takes it.
BUILT_IN = [
    Reader("human-eval", ("lines",), human_eval.recognise, human_eval.rows),
    Reader("human-eval", ("lines",), human_eval.recognise_programs, human_eval.program_rows,
           judged=False),
    Reader("evalplus", ("document",), evalplus.recognise, evalplus.rows),
    Reader("bigcodebench", ("document",), bigcodebench.recognise, bigcodebench.rows),
    Reader("inspect", ("archive", "document"), inspect_ai.recognise, inspect_ai.rows),
    Reader("lm-eval", ("lines",), lm_eval.recognise, lm_eval.rows, by_folder=True),
    Reader("lighteval", ("parquet",), lighteval.recognise, lighteval.rows),
    Reader("tau-bench", ("rows",), tau_bench.recognise, tau_bench.rows),
    Reader("tau2", ("document",), tau2.recognise, tau2.rows),
    Reader("tau2", ("document",), tau2.recognise_simulation, tau2.simulation_rows, judged=False),
    Reader("verl", ("lines",), verl.recognise, verl.rows),
    Reader("verifiers", ("lines",), verifiers.recognise, verifiers.rows),
    Reader("verifiers", ("lines",), verifiers_traces.recognise, verifiers_traces.rows),
    Reader("promptfoo", ("document",), promptfoo.recognise, promptfoo.rows),
    Reader("promptfoo", ("lines",), promptfoo.recognise_lines, promptfoo.line_rows),
    Reader("promptfoo", ("table",), promptfoo.recognise_table, promptfoo.table_rows),
    Reader("terminal-bench", ("document",), terminal_bench.recognise, terminal_bench.rows,
           draws=True),
    Reader("harbor", ("document",), harbor.recognise, harbor.rows, draws=True),
    Reader("harbor", ("document",), harbor.recognise_job, harbor.job_rows, judged=False,
           draws=True),
    Reader("swe-bench", ("document",), swe_bench.recognise, swe_bench.rows, draws=True),
    Reader("swe-bench", ("document",), swe_bench.recognise_instance, swe_bench.instance_rows,
           draws=True),
    Reader("opencompass", ("document",), opencompass.recognise_predictions,
           opencompass.prediction_rows, judged=False, by_folder=True),
    Reader("opencompass", ("document",), opencompass.recognise, opencompass.rows, by_folder=True),
    Reader("aisbench", ("document",), aisbench.recognise, aisbench.rows, by_folder=True),
    Reader("aisbench", ("lines",), aisbench.recognise_predictions, aisbench.prediction_rows,
           judged=False, by_folder=True),
    Reader("evalscope", ("lines",), evalscope.recognise, evalscope.rows),
    Reader("helm", ("rows",), helm.recognise, helm.rows),
    Reader("deepeval", ("document",), deepeval.recognise, deepeval.rows),
    Reader("openai-evals", ("lines",), openai_evals.recognise, openai_evals.rows),
    Reader("simple-evals", ("document",), simple_evals.recognise, simple_evals.rows),
    Reader("simple-evals", ("document",), simple_evals.recognise_means, simple_evals.refuse_means,
           judged=False),
]
NAMES = tuple(dict.fromkeys(reader.name for reader in BUILT_IN))


def register(
    reader:Any, # Object or module with `name`, `recognise(head)` and `rows(log, ask)`
)->Reader: # The same as a `Reader`
    """Let a reader be asked in this process, as if a package had brought it.

    The reader that was registered under the same name before is replaced.

    Raises: `ValueError` for the name of a harness that is built in.
    """
    made = make_reader(reader, "register()")
    _refuse_taken_names([made])
    REGISTERED[made.name] = made
    return made


def forget(
    name:str, # Name of a reader that was registered
)->None:
    "Take a registered reader away again; a name that is not known is no error."
    REGISTERED.pop(name, None)


def list_formats()->list[str]: # Names, those of other packages last
    "The names of all harnesses that can be read."
    return list(dict.fromkeys([*NAMES, *list_plugins()]))


def check_format(
    format:str, # What the caller chose
)->None:
    "Refuse the name of a format that nothing reads."
    if format in ("auto", "table", *NAMES): return
    known = ["auto", "table", *list_formats()]
    if format not in known:
        raise ValueError(f"harness must be one of {quote_names(known)}, got {format!r}")


def find_readers(
    log:Log, # File that was opened
    format:str="auto", # Name of the format, or `auto`
    alone:bool=False, # Whether it is the only file, so that a named format has to take it
)->list[Reader]: # Readers of different names are one too many
    """The readers that recognise a file; those of other packages are asked last.

    Raises: `ValueError`, naming the package, if a reader of another package fails.
    """
    if format == "auto": return _recognise_any(log)
    named = [reader for reader in BUILT_IN if reader.name == format] or _load_checked(format)
    near = [reader for reader in named if reader.fits(log.kind)]
    return _ask_readers(near, log) or (near[:1] if alone else [])


def _recognise_any(log: Log) -> list[Reader]:
    known = _ask_readers(BUILT_IN, log)
    if known or log.kind == "table": return known
    return _ask_readers(_load_checked(), log)


def _load_checked(name: str | None = None) -> list[Reader]:
    brought = load_plugins(name)
    _refuse_taken_names(brought)
    return brought


def _ask_readers(readers: Iterable[Reader], log: Log) -> list[Reader]:
    return [reader for reader in readers if reader.fits(log.kind) and _recognise(reader, log)]


def _recognise(reader: Reader, log: Log) -> bool:
    if not reader.origin: return reader.recognise(log.head)
    try: return bool(reader.recognise(log.head))
    except Exception as fault:
        raise ValueError(f"the reader {reader.name!r} of {reader.origin} failed to say whether it "
                         f"knows {log.path.name} ({type(fault).__name__}: {fault}); repair or "
                         "uninstall it, or pass harness= the name of another, or 'table'"
                         ) from fault


def _refuse_taken_names(brought: Iterable[Reader]) -> None:
    "Refuse two origins of one name: `harness=` could not tell them apart."
    origin = dict.fromkeys(NAMES, "this package")
    for reader in brought:
        other = origin.setdefault(reader.name, reader.origin)
        if other != reader.origin:
            raise ValueError(f"a reader needs a name of its own, got {reader.name!r} of "
                             f"{reader.origin} and of {other}; uninstall or rename one of them")
