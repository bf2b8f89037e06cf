"The command: its words, its parsers, and what it says of errors."
from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from traceback import print_exc
from typing import Any, NoReturn

from . import __version__
from .cli_options import (HelpAll, HOW, METHODS_OPTION, NO_TEXTS, OUTPUT, Option, PER_QUESTION,
                          PICTURE, RARE, FORMAT_OPTION, derive_options, derive_reading, hide_rare)
from .errors import OptionFault
from .extras import DISK_FULL, unwritten_reason
from .render.text import prepare_consoles, printable, wrap
from .spelling import CommandSpelling

ABOUT = "Exact metrics and honest error bars for repeated-sampling evaluation of language models."
TOO_LARGE = ("not enough memory for these data; count them a part at a time with sampling-eval "
             "counts, and add the parts with sampling-eval merge")
VERDICTS = "text", "json", "github"


class Parser(argparse.ArgumentParser):
    "A parser whose errors are one sentence with the way out."

    def _print_message(self, message: str, file: Any = None) -> None:
        "Write help or the version; argparse itself says nothing where that fails."
        (file or sys.stderr).write(message)

    def format_help(self) -> str:
        "The help with what is used; all of it where nothing is left out."
        with hide_rare(self) as hidden: said = super().format_help()
        if not hidden: return super().format_help()
        return f"{said}\n{hidden} more options are seldom used: {self.prog} --help-all\n"

    def format_all(self) -> str:
        "The help with every option."
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        meant = suggest_command(message)
        tell("; ".join([f"{self.prog}: {message}", *(f"did you mean {name}?" for name in meant),
                        f"{self.prog} --help lists what there is"]))
        self.exit(2)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        "The parsed words; files may stand before and after options."
        asked, more = self.parse_known_args(args, namespace)
        files = getattr(asked, "files", None)
        if more and (files is None or any(word.startswith("-") for word in more)):
            prog = " ".join(filter(None, [self.prog, getattr(asked, "command", None)]))
            meant = filter(None, (suggest_option(word, asked) for word in more))
            tell("; ".join([f"{prog}: unrecognized arguments: {' '.join(more)}",
                            *(f"did you mean {words}?" for words in list(meant)[:1]),
                            f"{prog} --help lists what there is"]))
            self.exit(2)
        if more: files += more
        return asked


def suggest_command(message: str) -> list[str]:
    "The command that is spelled most like one that there is none of."
    found = re.match("argument COMMAND: invalid choice: '([^']*)'", message)
    if found is None: return []
    from difflib import get_close_matches  # Only where something was mistyped
    return get_close_matches(found[1], COMMANDS, 1)


def suggest_option(word: str, asked: argparse.Namespace) -> str | None:
    "What a word was meant to be that no option is called: one like it, its value, or a baseline."
    name = word.partition("=")[0].lstrip("-")
    options: Sequence[Option] = getattr(asked, "options", [])
    if not word.startswith("-"):
        return f"--baseline {word}" if hasattr(asked, "baseline") else None
    for option in options:
        if name in (option.choices or option.values): return f"{option.spelling} {name}"
    known = [option.spelling for option in options]
    if len(name) < 2: return None
    if begun := [spelling for spelling in known if spelling.startswith(f"--{name}")]:
        return " or ".join(begun[:3])
    from difflib import get_close_matches  # Only where something was mistyped
    return next(iter(get_close_matches(f"--{name}", known, 1, .7)), None)


@dataclass(frozen=True)
class Command:
    "A sub-command: what it does, where it is run, what stands by position, its options."
    about: str
    room: str  # Package whose module `command` runs it, such as `analyses.score`
    places: tuple[tuple[str, str, str | None], ...] = ()  # Name, help, and how many there may be
    own: tuple[Option, ...] = ()  # Options that its verb does not have
    verb: str = ""  # The verb whose parameters are its options
    without: tuple[str, ...] = ()  # Parameters that stand by position, or that no shell has
    changed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # Spelled otherwise
    reads: bool = True  # Whether it has the options that say how data are read

    def list_options(self) -> list[Option]:
        "The options of the verb, then its own."
        if not self.verb: return list(self.own)
        place = f"{self.room}.verb.{self.verb}"
        return [*derive_options(place, self.without, self.changed), *self.own]


# What Python takes by name, and a shell by position or as another command.
PLACES = dict(new="a second FILE", others="further FILEs", pilot="PILOT", pilot_b="PILOT_B",
              name="QUESTION", number="NUMBER", other="a second FILE")
# Options of other commands that errors recommend
OTHERS = dict(separate="merge", union="merge", cost="score", verdict="score", by="score")
VERBS = dict(count="counts")
WITH_COMMAS = "bounds",  # Options whose values have commas between
RUN_FILES = ("Files, globs or folders: tables with one row per sample, logs of a harness, counts "
             "files, or runs.db::table; - is the standard input; or counts such as 26/30")
WRITTEN_COUNTS = Option("output", "Counts file to write, such as counts.parquet", Path,
                        flags=("-o",), required=True)
PAGE = Option("output", "Page to write, in place of an older one (default: page.html, where there "
              "is none)", Path, flags=("-o", "--out"))
RUN_LIST = Option("run_list", "CSV file to write: questions to run, and samples of each", Path)
ONE_METRIC = "One metric, such as pass@8"
REPORTED = FORMAT_OPTION, HOW, METHODS_OPTION, PER_QUESTION, *OUTPUT, NO_TEXTS, *PICTURE
COMMANDS = dict(
    score=Command(
        "Every metric at every k, with its error bar.", "analyses.score",
        (("files", RUN_FILES, "+"),), REPORTED, "score", ("data", "addons")),
    describe=Command(
        "What can be computed from the data, and what is missing; or which columns there are.",
        "analyses.describe", (("files", "Files, globs or folders, as for score", "+"),),
        (FORMAT_OPTION, *OUTPUT), "describe", ("data",)),
    demo=Command(
        "The report on the example inside the package: tau-bench airline, 50 tasks, 4 trials each.",
        "analyses.score", own=(OUTPUT[1],), reads=False),
    page=Command(
        "Write a page that counts a log dropped on it, in the browser; it sends nothing.",
        "browser", own=(PAGE,), reads=False),
    counts=Command(
        "Count the samples of any table or log once, into one small file.",
        "analyses.count", (("files", "Files, globs or folders, as for score", "+"),),
        (WRITTEN_COUNTS,)),
    merge=Command(
        "Add runs; a sample or a file is never counted twice.", "analyses.count",
        (("files", "Counts files, tables or logs of the same questions", "+"),),
        (WRITTEN_COUNTS,), "merge", ("runs", "path"), reads=False),
    compare=Command(
        "Is B better than A? The difference on the same questions, at each k and at all at once.",
        "analyses.compare",
        (("files", "The baseline, the candidate, and further ones; a glob in quotes is one system",
          "+"),),
        REPORTED, "compare", ("baseline", "new", "others")),
    explain=Command(
        "One question: its answers, and what it moves; without one, the questions worth a look.",
        "analyses.explain",
        (("files", "A file, a second one to compare with it, and the name of a question (default: "
                   "the questions worth a look)", "+"),),
        (Option("about", "The question, where its name could be taken for a file", shown="NAME"),
         FORMAT_OPTION, HOW, *OUTPUT, NO_TEXTS),
        "explain", ("data", "name", "other")),
    table=Command(
        "Models by metrics for a paper: sorted, with intervals and letters of significance.",
        "analyses.table",
        (("files", "Files of one model each, or any files that name their models, as for score",
          "+"),),
        (FORMAT_OPTION, HOW, *OUTPUT), "table", ("systems",)),
    gate=Command(
        "May the new run replace the baseline? Exit 0: yes, 1: no, 2: bad input, 3: inconclusive.",
        "analyses.gate", (("new", "The candidate", None),),
        (Option("inconclusive_passes", "Exit with 0 where the gate is inconclusive", switch=True),
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
                flags=("-f",), choices=VERDICTS), HOW, METHODS_OPTION, *OUTPUT, NO_TEXTS, *PICTURE),
        "gate", ("new",)),
    plan=Command(
        "How many questions, how many samples, which difference can be seen.", "analyses.plan",
        (("pilot", "Run of one system, or of two models (default: assumes uniformly distributed "
                   "difficulty)", "?"),
         ("pilot_b", "Run of the other system on the same questions", "?")),
        (RUN_LIST, FORMAT_OPTION, HOW, *OUTPUT, *PICTURE), "plan", ("pilot", "pilot_b"),
        dict(metrics=dict(about=f"{ONE_METRIC} (default: pass@1)"),
             k=dict(about="Budget of a metric that names none, such as 8", shown="NUMBER"))),
    audit=Command(
        "What a published number can mean: counts that fit it, its CI, and against another one.",
        "analyses.audit",
        (("numbers", "A published number, such as 0.843, 84.3% or 26/30, and another one to "
                     "compare with it; or several of one log: pass@1=38.0 pass@2=44.7, or runs: "
                     "219 213 223 of 260", "+"),),
        (FORMAT_OPTION, HOW, METHODS_OPTION, *OUTPUT), "audit", ("number", "other"), reads=False),
    extrapolate=Command(
        "What more samples would have shown: statistical models, and bounds that need none.",
        "analyses.extrapolate", (("files", "Files or globs of one run", "+"),),
        (FORMAT_OPTION, HOW, *OUTPUT, *PICTURE), "extrapolate", ("data",),
        dict(metrics=dict(about=ONE_METRIC),
             models=dict(about="Model wanted where files hold several"))),
)


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
        about = COMMANDS[name].about
        own = below.add_parser(name, help=about, description=about, allow_abbrev=False)
        if words is None or name == typed_command(words): add_options(own, COMMANDS[name])
    return parser


def typed_command(words: Sequence[str]) -> str | None:
    "The sub-command that was typed."
    return next((word for word in words if word in COMMANDS), None)


def add_options(own: Any, command: Command) -> None:
    "Enter what a sub-command takes."
    for place, about, many in command.places:
        own.add_argument(place, help=about.replace("%", "%%"), nargs=many)
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
    if {option.name for option in [*options, *reading]} & set(RARE):
        own.add_argument("--help-all", action=HelpAll)


def main() -> None:
    "Entry point of the `sampling-eval` command."
    sys.exit(guard(sys.argv[1:]))


def guard(words: Sequence[str]) -> int:
    """The exit code of what was typed.

    Whatever stops it ends with 2: 1, Python's own code for a fault, is a verdict of `gate`.
    """
    if sys.stdout is None or sys.stderr is None: return refuse_closed()
    try:
        code = start(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError: pass  # The reader has gone: what could be said reaches nobody
    except OSError as error:
        with suppress(OSError): tell(f"sampling-eval: {error_message(error)}")
    except KeyboardInterrupt: return report_interrupt()
    except Exception:
        with suppress(OSError): print_exc()
    drop_output()
    return 2


def start(words: Sequence[str]) -> int:
    "Parse what was typed, and run it."
    words = list(words)
    parser = make_parser(words[:1] if typed_command(words[:1]) else tuple(COMMANDS), words)
    if not words:
        parser.print_help()
        return 2
    prepare_consoles()
    try: asked = parser.parse_args(words)
    except SystemExit as end: return int(end.code or 0)  # Help was asked for, or is needed
    return finish(asked, words)


def refuse_closed() -> int:
    "Say where it can be read that nothing is run while a stream is closed."
    closed, name = ("output", "") if sys.stdout is None else ("error", "2")
    # A file that was opened would take the number of the stream, and receive what is printed.
    print(f"sampling-eval: the standard {closed} is closed; to hide it, type {name}>/dev/null",
          file=sys.stderr or sys.stdout)
    return 2


def finish(
    asked: argparse.Namespace,  # What was parsed
    words: Sequence[str] = (),  # What was typed
) -> int:
    "The exit code of a command; bad input is told in one sentence."
    spelling = CommandSpelling(list(vars(asked)), PLACES, OTHERS, VERBS, WITH_COMMAS, words)
    asked.spelling = spelling
    try:
        code = run(asked)
        sys.stdout.flush()
        return code
    except BrokenPipeError: raise
    except RuntimeError as error:
        # So DuckDB tells that it was stopped while a query ran.
        if str(error) != "Query interrupted": raise
        return report_interrupt()
    except MemoryError: said = TOO_LARGE
    except (ValueError, TypeError, OSError, ImportError) as error:
        said = error_message(error, spelling)
        if getattr(error, "errno", None) in DISK_FULL: drop_output()
    tell(f"sampling-eval: {said}")
    return 2


def report_interrupt() -> int:
    "Say that the user has stopped it; the code is that of every shell."
    tell("sampling-eval: interrupted; nothing was left half-written")
    return 130


def error_message(
    error: Exception,  # Error of the package or of the system
    spelling: CommandSpelling = CommandSpelling(),  # How options are typed
) -> str:  # One sentence
    "What an error says; of the system, the file and the reason."
    if isinstance(error, OptionFault): return error.say(spelling)
    if not isinstance(error, OSError) or error.errno is None: return str(error)
    if error.errno in DISK_FULL:
        return f"cannot write {error.filename or 'the output'}: {unwritten_reason(error)}"
    reason = (error.strerror or type(error).__name__).lower()
    return f"cannot use {error.filename!r}: {reason}" if error.filename else reason


def tell(said: str) -> None:
    "Print a sentence among the errors: one line, or lines that fit where a person reads them."
    print(wrap(said) if sys.stderr.isatty() else printable(said), file=sys.stderr)


def drop_output() -> None:
    "Send what the output still holds nowhere: Python writes it once more at its end."
    with suppress(OSError): os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(asked: argparse.Namespace) -> int:
    "The exit code of a command, which is imported when it was typed: help needs none."
    room = f"{__package__}.{COMMANDS[asked.command].room}"
    command = getattr(import_module(f"{room}.command"), f"run_{asked.command}")
    return import_module(f"{__package__}.command").run(asked, command)
