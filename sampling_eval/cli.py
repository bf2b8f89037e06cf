"""The verbs from a shell: one sub-command a verb, with the words of Python."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, NoReturn

from . import __version__
from .errors import CommandSpelling, spelled_by
from .cli_options import (HOW, METHODS, NO_TEXTS, OUTPUT, PER_QUESTION, PICTURE, SHOWN, Option,
                          derive_options, derive_reading)
from .cli_runs import (WRITTEN, run_audit, run_compare, run_counts, run_demo, run_describe,
                       run_explain, run_extrapolate, run_gate, run_merge, run_page, run_plan,
                       run_score, run_table)
from .extras import DISK_FULL, tell_unwritten
from .parameters import OLD_TARGETS
from .records import dataclass
from .report.text import prepare_consoles, printable, wrap

ABOUT = "Exact metrics and honest error bars for repeated-sampling evaluation of language models."
TOO_LARGE = ("not enough memory for these data; count them a part at a time with sampling-eval "
             "counts, and add the parts with sampling-eval merge")
VERDICTS = "text", "json", "github"


class Parser(argparse.ArgumentParser):
    "A parser whose errors are one sentence with the way out."

    def error(self, message: str) -> NoReturn:
        tell(f"{self.prog}: {message}; {self.prog} --help lists what there is")
        self.exit(2)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        "The parsed words; files may stand before and after options."
        asked, more = self.parse_known_args(args, namespace)
        files = getattr(asked, "files", None)
        if more and (files is None or any(word.startswith("-") for word in more)):
            prog = " ".join(filter(None, [self.prog, getattr(asked, "command", None)]))
            meant = filter(None, (find_meant(word, asked) for word in more))
            tell("; ".join([f"{prog}: unrecognized arguments: {' '.join(more)}",
                            *(f"did you mean {words}?" for words in list(meant)[:1]),
                            f"{prog} --help lists what there is"]))
            self.exit(2)
        if more: files += more
        return asked


def find_meant(word: str, asked: argparse.Namespace) -> str | None:
    "What a word was meant to be that no option is called: one like it, its value, or a baseline."
    name = word.partition("=")[0].lstrip("-")
    options: Sequence[Option] = getattr(asked, "options", [])
    if not word.startswith("-"):
        return f"--baseline {word}" if hasattr(asked, "baseline") else None
    for option in options:
        if name in (option.choices or option.values): return f"{option.spelling} {name}"
    known = [option.spelling for option in options]
    if begun := [spelling for spelling in known if spelling.startswith(f"--{name}")]:
        return " or ".join(begun[:3])
    from difflib import get_close_matches  # Only where something was mistyped
    return next(iter(get_close_matches(f"--{name}", known, 1, .7)), None)


@dataclass(frozen=True)
class Command:
    "A sub-command: what it runs, what stands by position, its options."
    run: Callable[[argparse.Namespace], int]
    places: tuple[tuple[str, str, str | None], ...]  # Name, help, and how many there may be
    own: tuple[Option, ...] = ()  # Options that its verb does not have
    verb: str = ""  # The verb whose parameters are its options
    without: tuple[str, ...] = ()  # Parameters that stand by position, or that no shell has
    changed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # Spelled otherwise
    reads: bool = True  # Whether it has the options that say how data are read

    def list_options(self) -> list[Option]:
        "The options of the verb, then its own."
        if not self.verb: return list(self.own)
        return [*derive_options(self.verb, self.without, self.changed), *self.own]


# What Python takes by name, and a shell by position or as another command.
PLACES = dict(new="a second FILE", others="further FILEs", pilot="PILOT", pilot_b="PILOT_B",
              name="QUESTION", number="NUMBER", other="a second FILE")
OTHERS = dict(separate="merge", union="merge")  # Options of other commands that errors recommend
VERBS = dict(count="counts")
WITH_COMMAS = "bounds",  # Options whose values have commas between
SINGLE = "new", "baseline", "pilot", "pilot_b"  # Inputs that are one file each
RUN_FILES = ("Files, globs or folders: tables with one row per sample, logs of a harness, counts "
             "files, or runs.db::table; - is the standard input; or counts such as 26/30")
WRITTEN_COUNTS = Option("output", "Counts file to write, such as counts.parquet", Path,
                        flags=("-o",), required=True)
PAGE = Option("output", "Page to write, in place of an older one (default: page.html, where there "
              "is none)", Path, flags=("-o", "--out"))
OLD_INTERVAL = dict(method=dict(hidden=("--interval",)))  # What it was called before
RUN_LIST = Option("run_list", "CSV file to write: questions to run, and samples of each", Path)
ONE_METRIC = "One metric, such as pass@8"
COMMANDS = {
    "score": Command(
        run_score, (("files", RUN_FILES, "+"),),
        (SHOWN, HOW, METHODS, PER_QUESTION, *OUTPUT, NO_TEXTS, *PICTURE), "verbs.scoring.score",
        ("data",)),
    "describe": Command(
        run_describe, (("files", "Files, globs or folders, as for score", "+"),),
        (SHOWN, *OUTPUT), "verbs.data_description.describe", ("data",)),
    "demo": Command(run_demo, (), (OUTPUT[1],), reads=False),
    "page": Command(run_page, (), (PAGE,), reads=False),
    "counts": Command(
        run_counts, (("files", "Files, globs or folders, as for score", "+"),), (WRITTEN_COUNTS,)),
    "merge": Command(
        run_merge, (("files", "Counts files, tables or logs of the same questions", "+"),),
        (WRITTEN_COUNTS,), "verbs.counting.merge", ("runs", "path"), reads=False),
    "compare": Command(
        run_compare, (("files", "The baseline, the candidate, and further ones; a glob in quotes "
                                "is one system", "+"),),
        (SHOWN, HOW, METHODS, PER_QUESTION, *OUTPUT, NO_TEXTS, *PICTURE), "verbs.comparing.compare",
        ("baseline", "new", "others"), OLD_INTERVAL),
    "explain": Command(
        run_explain, (("files", "A file, a second one to compare with it, and the name of a "
                                "question (default: the questions worth a look)", "+"),),
        (Option("about", "The question, where its name could be taken for a file", shown="NAME"),
         SHOWN, HOW, *OUTPUT, NO_TEXTS), "verbs.explaining.explain", ("data", "name", "other")),
    "table": Command(
        run_table, (("files", "Files of one model each, or any files that name their models, as "
                              "for score", "+"),),
        (SHOWN, HOW, *OUTPUT), "verbs.model_table.table", ("systems",), OLD_INTERVAL),
    "gate": Command(run_gate, (("new", "The candidate", None),), (
        Option("inconclusive_passes", "Exit with 0 where the gate is inconclusive", switch=True,
               hidden=("--weak-passes",)),
        Option("strict", "Exit with 1 where the gate is inconclusive", switch=True),
        Option("explain", "Explain each rule: what was tested, why it came out so, what would "
                          "change it", switch=True),
        Option("junit", "Also write JUnit XML, a test case a rule; an inconclusive one fails",
               Path),
        Option("skip_inconclusive", "In JUnit XML an inconclusive rule is skipped; the exit code "
                                    "stays", switch=True),
        Option("github_summary", "Append Markdown to a file (default: the step summary of GitHub)",
               alone="", shown="FILE"),
        Option("format", "How to print; github is Markdown for a step summary", default="text",
               flags=("-f",), choices=VERDICTS), HOW, METHODS, *OUTPUT, NO_TEXTS, *PICTURE),
        "verbs.gating.gate", ("new",), OLD_INTERVAL),
    "plan": Command(
        run_plan, (("pilot", "Run of one system, or of two models (default: assumes uniformly "
                             "distributed difficulty)", "?"),
                   ("pilot_b", "Run of the other system on the same questions", "?")),
        (RUN_LIST, SHOWN, HOW, *OUTPUT, *PICTURE), "verbs.power_analysis.plan",
        ("pilot", "pilot_b"),
        dict(metrics=dict(about=f"{ONE_METRIC} (default: pass@1)"), method=dict(
                hidden=("--quantiles",)),
             k=dict(about="Budget of a metric that names none, such as 8", shown="NUMBER"))),
    "audit": Command(
        run_audit, (("number", "A published number, such as 0.843, 84.3% or 26/30", None),
                    ("other", "Another one, to compare with it", "?")),
        (SHOWN, HOW, METHODS, *OUTPUT), "verbs.auditing.audit", ("number", "other"), reads=False),
    "extrapolate": Command(
        run_extrapolate, (("files", "Files or globs of one run", "+"),),
        (SHOWN, HOW, *OUTPUT, *PICTURE), "verbs.forecasting.extrapolate", ("data",),
        dict(metrics=dict(about=ONE_METRIC), models=dict(about="Model wanted where files hold "
                                                               "several"))),
}


def make_parser(
    names: Sequence[str] = tuple(COMMANDS),  # Sub-commands that it knows
    words: Sequence[str] | None = None,  # What was typed; None where it is not known
) -> Parser:
    """The parser of the command and of some of its sub-commands.

    A sub-command that was not typed is known by its name alone: options take time to enter.
    """
    parser = Parser("sampling-eval", description=ABOUT, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=__version__)
    below = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command",
                                  parser_class=Parser)
    for name in names:
        own = open_command(below, name)
        if words is None or name == find_command(words): add_options(own, COMMANDS[name])
    return parser


def open_command(below: Any, name: str) -> Any:
    "Enter a sub-command that has no options yet."
    about = COMMANDS[name].run.__doc__ or ""
    return below.add_parser(name, help=about, description=about, allow_abbrev=False)


def find_command(words: Sequence[str]) -> str | None:
    "The sub-command that was typed."
    return next((word for word in words if word in COMMANDS), None)


def add_options(own: Any, command: Command) -> None:
    "Enter what a sub-command takes."
    for place, help_, many in command.places: own.add_argument(place, help=help_, nargs=many)
    options = command.list_options()
    for option in options: option.add_to(own)
    taken = {one.name for one in options} - {one.name for one in command.own}
    groups = derive_reading() if command.reads else {}
    reading = [option for group in groups.values() for option in group]
    own.set_defaults(taken=sorted(taken), reading=reading, options=[*options, *reading],
                     defaults={one.name: one.default for one in options})
    for title, found in groups.items():
        group = own.add_argument_group(title)
        for option in found: option.add_to(group)


def main() -> None:
    "Entry point of the `sampling-eval` command."
    words = rename_targets(rename_command(sys.argv[1:]))
    parser = make_parser(words=words)
    if not words:
        parser.print_help()
        sys.exit(2)
    prepare_consoles()
    sys.exit(finish(parser.parse_args(words), words))


def rename_command(words: list[str]) -> list[str]:
    "What was typed, with the new name of a sub-command."
    if words[:1] != ["inspect"]: return words
    tell("sampling-eval inspect is now called describe; the old name leaves in the next version")
    return ["describe", *words[1:]]


def rename_targets(words: list[str]) -> list[str]:
    "What was typed, with the new names of targets."
    found = list(words)
    for i, (option, word) in enumerate(zip(["", *words], words)):
        for old, new in OLD_TARGETS.items():
            if (option, word) == ("--target", old): found[i] = new
            elif word == f"--target={old}": found[i] = f"--target={new}"
            else: continue
            tell(f"--target {old} is now called --target {new}; the old name leaves in the next "
                 "version")
    return found


def finish(
    asked: argparse.Namespace,  # What was parsed
    words: Sequence[str] = (),  # What was typed
) -> int:
    "The exit code of a command, whose texts name options as they are typed."
    names = list(vars(asked))
    with spelled_by(CommandSpelling(names, PLACES, OTHERS, VERBS, WITH_COMMAS, words)):
        return run_or_tell(asked)


def run_or_tell(asked: argparse.Namespace) -> int:
    "The exit code of a command; whatever stops it is told in one sentence."
    try:
        code = run(asked)
        sys.stdout.flush()
        return code
    except BrokenPipeError: return close_output()
    except (KeyboardInterrupt, RuntimeError) as error:
        # So DuckDB tells that it was stopped while a query ran.
        if isinstance(error, RuntimeError) and str(error) != "Query interrupted": raise
        code, said = 130, "interrupted; nothing was left half-written"
    except MemoryError: code, said = 2, TOO_LARGE
    except (ValueError, TypeError, OSError, ImportError) as error:
        code, said = 2, tell_error(error)
        if getattr(error, "errno", None) in DISK_FULL: drop_output()
    tell(f"sampling-eval: {said}")
    return code


def tell_error(
    error: Exception,  # Error of the package or of the system
) -> str:  # One sentence
    "What an error says; of the system, the file and the reason."
    if not isinstance(error, OSError) or error.errno is None: return str(error)
    if error.errno in DISK_FULL:
        return f"cannot write {error.filename or 'the output'}: {tell_unwritten(error)}"
    reason = (error.strerror or type(error).__name__).lower()
    return f"cannot use {error.filename!r}: {reason}" if error.filename else reason


def tell(said: str) -> None:
    "Print a sentence among the errors: one line, or lines that fit where a person reads them."
    print(wrap(said) if sys.stderr.isatty() else printable(said), file=sys.stderr)


def close_output() -> int:
    "What is left to do when the reader of the output has gone: nothing that it could see."
    drop_output()
    return 141  # As of a process that the signal of a broken pipe has ended


def drop_output() -> None:
    "Send what the output still holds nowhere: Python writes it once more at its end."
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def list_outputs(asked: argparse.Namespace) -> list[Path]:
    "The files that the command is about to write."
    named = (getattr(asked, name, None) for name in WRITTEN)
    return [Path(path) for path in named if path]


def run(asked: argparse.Namespace) -> int:
    "The exit code of a command; what is read is never written over."
    from .io.console import progress_bar, stand_in
    from .report.output import check_ending, keep_inputs
    with stand_in(asked, SINGLE):
        inputs = [*getattr(asked, "files", []), *(getattr(asked, name, None) for name in SINGLE)]
        keep_inputs(inputs, list_outputs(asked))
        check_ending(getattr(asked, "per_question", None))
        with progress_bar(f"reading {', '.join(filter(None, inputs[:3]))}"):
            return COMMANDS[asked.command].run(asked)
