"""The verbs from a shell: one sub-command a verb, with the words of Python."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from . import __version__
from ._errors import CommandSpelling, spelled_by
from .cli_options import (BUDGETS, COLUMNS, HOW, INTERVAL, LEVEL, LOGS, METHOD, METHODS, MODELS,
                          OUTPUT, PER_QUESTION, PICTURE, POLICY, RNG, SHOWN, TIES, UNMATCHED,
                          WEIGHTS, Option, name_metrics, name_target)
from .cli_runs import (WRITTEN, run_compare, run_counts, run_demo, run_describe, run_explain,
                       run_extrapolate, run_gate, run_merge, run_plan, run_score, run_table)
from .extras import DISK_FULL
from .report.text import printable, wrap
from .report.consoles import prepare_consoles
from .words import TOO_LARGE, say_as_command, tell_error

ABOUT = "Exact metrics and honest error bars for repeated-sampling evaluation of language models."
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
            tell(f"{prog}: unrecognized arguments: {' '.join(more)}; "
                 f"{prog} --help lists what there is")
            self.exit(2)
        if more: files += more
        return asked


@dataclass(frozen=True)
class Command:
    "A sub-command: what it runs, what stands by position, its options."
    run: Callable[[argparse.Namespace], int]
    places: tuple[tuple[str, str, str | None], ...]  # Name, help, and how many there may be
    options: tuple[Option, ...]
    reads: bool = True  # Whether it has the options that say how data are read

# What Python takes by name, and a shell by position or as another command.
PLACES = dict(new="a second FILE", others="further FILEs", pilot="PILOT", pilot_b="PILOT_B",
              name="QUESTION", other="a second FILE")
VERBS = dict(count="counts")
SINGLE = "new", "baseline", "pilot", "pilot_b"  # Inputs that are one file each
RUN_FILES = ("Files, globs or folders: tables with one row per sample, logs of a harness, counts "
             "files, or runs.db::table; - is the standard input.")
AGAIN = "questions (new questions) or benchmark (the same questions)"
COMMANDS = {
    "score": Command(run_score, (("files", RUN_FILES, "+"),), (
        name_metrics("Names separated by commas, such as pass@k,pass^4,avg@n; all if left out."),
        BUDGETS,
        Option("by", "Column of groups, task in logs: a table per group, over all questions, and "
                     "over groups."),
        TIES, LEVEL, INTERVAL,
        name_target("CIs for questions (new questions), benchmark (the same questions) or both."),
        *WEIGHTS, RNG, SHOWN, HOW, METHODS, PER_QUESTION, *OUTPUT, *PICTURE)),
    "describe": Command(run_describe, (("files", "Files, globs or folders, as for score.", "+"),), (
        Option("by", "Column of groups."), SHOWN, *OUTPUT)),
    "demo": Command(run_demo, (), (OUTPUT[1],), reads=False),
    "counts": Command(run_counts, (("files", "Files, globs or folders, as for score.", "+"),), (
        Option("output", "Counts file to write, such as counts.parquet.", Path, flags=("-o",),
               required=True),)),
    "merge": Command(run_merge, (("files", "Counts files, tables or logs of the same questions.",
                                  "+"),), (
        Option("output", "Counts file to write.", Path, flags=("-o",), required=True),
        Option("separate", "Equal sample numbers in different files are different samples.",
               switch=True),
        Option("union", "Files may cover different questions.", switch=True)), reads=False),
    "compare": Command(run_compare, (("files", "The baseline A, the system B, and further ones; a "
                                               "glob in quotes is one system.", "+"),), (
        name_metrics("One metric, such as pass@k or avg@n; of several, such as pass@1,pass^4, the "
                     "first is primary and the others are adjusted.", "pass@k"), BUDGETS, MODELS,
        UNMATCHED, LEVEL, *METHOD,
        Option("test", "A test to print beside the verdict: sign-flip, mcnemar or t (new "
                       "questions), permutation (these again)."),
        name_target(f"Whose error bar gives the verdict: {AGAIN}."), TIES, *WEIGHTS, RNG, SHOWN,
        HOW, METHODS, PER_QUESTION, *OUTPUT, *PICTURE)),
    "explain": Command(run_explain, (
        ("files", "A file, a second one to compare with it, and the name of a question; without "
                  "a name, the questions worth a look.", "+"),), (
        Option("about", "The question, where its name could be taken for a file."),
        name_metrics("Names separated by commas, such as pass@k,maj@8; all if left out."),
        BUDGETS, TIES, MODELS, UNMATCHED, SHOWN, HOW, *OUTPUT)),
    "table": Command(run_table, (("files", "Files of one model each, or any files that name their "
                                           "models, as for score.", "+"),), (
        name_metrics("Names separated by commas, such as pass@1,pass@8,pass^8; pass@1 and what "
                     "there is at the largest k if left out."), BUDGETS,
        Option("by", "Column of groups, task in logs: a column per group, and their mean."),
        MODELS, UNMATCHED,
        Option("errors", "Intervals by their ends, or half: the distance to the farther end.",
               default="ends", choices=("ends", "half")),
        LEVEL, *METHOD, Option("test", "A test of two models to tell beside, as for compare."),
        name_target(f"Whose intervals and letters: {AGAIN}."), TIES, *WEIGHTS, RNG, SHOWN, HOW,
        *OUTPUT)),
    "gate": Command(run_gate, (("new", "The run judged.", None),), (
        Option("baseline", "The run it may replace."),
        name_metrics("Metrics that may drop, separated by commas, each with its k.", "pass@1"),
        Option("max_drop", "Largest drop allowed, such as 0.02.", float),
        Option("minimum", "Least value of a metric, such as pass^4=0.9; may be repeated.",
               many=True, hidden=("--min",)),
        name_target(f"{AGAIN}; these again where n >= 2k, if left out.", None),
        Option("must_pass", "Questions that must pass: names or patterns with commas between, or "
                            "a file with one a line."),
        Option("must_pass_share", "Least share of right samples of each of these.", float, 1.),
        Option("no_question_regresses", "Fail where the drop of a single question is significant.",
               switch=True, hidden=("--no-question-falls",)),
        Option("inconclusive_passes", "Exit with 0 where the gate is inconclusive.", switch=True,
               hidden=("--weak-passes",)),
        Option("strict", "Exit with 1 where the gate is inconclusive.", switch=True),
        Option("allow_identical", "Judge a run against itself or a copy.", switch=True),
        Option("junit", "Also write JUnit XML, a test case a rule; an inconclusive one fails.",
               Path),
        Option("skip_inconclusive", "In JUnit XML an inconclusive rule is skipped; the exit code "
                                    "stays.", switch=True),
        Option("github_summary", "Append Markdown to a file; to the step summary of GitHub if no "
                                 "file is named.", alone=""),
        MODELS, UNMATCHED, LEVEL, *METHOD, TIES, *WEIGHTS, RNG,
        Option("format", "How to print; github is Markdown for a step summary.", default="text",
               flags=("-f",), choices=VERDICTS), HOW, METHODS, *OUTPUT, *PICTURE)),
    "plan": Command(run_plan, (
        ("pilot", "Run of one system, or of two models; without it, every difficulty is taken to "
                  "be equally likely.", "?"),
        ("pilot_b", "Run of the other system on the same questions.", "?")), (
        Option("delta", "Difference to detect, such as 0.02.", float),
        Option("power", "Chance to detect it.", float, .8),
        Option("questions", "Questions there are.", int),
        Option("n", "Samples per question to plan for, such as 1,4,16; the metric's k and its "
                    "doubles if left out.", flags=("-n",)),
        name_metrics("Metric with its k, such as pass@8; pass@1 if left out."),
        Option("k", "The k of a metric that names none, such as 8.", flags=("-k",)),
        Option("budget", "Total cost allowed.", float),
        Option("correlation", "Correlation of the two systems over questions, if only one was "
                              "piloted; 0, .5 and .9 if left out.", float),
        Option("cost_question", "Cost of one question, whatever its samples.", float, 0.),
        Option("cost_sample", "Cost of one more sample of a question, of both systems together.",
               float, 1.),
        Option("confidence_level", "Level of the interval that must exclude zero.", float, .95),
        Option("method", "normal or t: an approximation, in place of the interval that compare "
                         "prints.", hidden=("--quantiles",)),
        name_target(f"Whose interval: {AGAIN}."), MODELS, UNMATCHED, RNG, SHOWN, HOW, *OUTPUT,
        *PICTURE)),
    "extrapolate": Command(run_extrapolate, (("files", "Files or globs of one run.", "+"),), (
        BUDGETS, name_metrics("A metric that follows from counts, such as pass@k.", "pass@k"),
        Option("confidence_level", "Level at which all bounds hold at once.", float, .95),
        MODELS, SHOWN, HOW, *OUTPUT, *PICTURE)),
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
        if words is None or name in words: add_options(own, COMMANDS[name])
    return parser


def open_command(below: Any, name: str) -> Any:
    "Enter a sub-command that has no options yet."
    about = COMMANDS[name].run.__doc__ or ""
    return below.add_parser(name, help=about, description=about, allow_abbrev=False)


def add_options(own: Any, command: Command) -> None:
    "Enter what a sub-command takes."
    for place, help_, many in command.places: own.add_argument(place, help=help_, nargs=many)
    for option in command.options: option.add_to(own)
    if not command.reads: return
    for title, options in dict(policies=POLICY, columns=COLUMNS, logs=LOGS).items():
        group = own.add_argument_group(title)
        for option in options: option.add_to(group)


def main() -> None:
    "Entry point of the `sampling-eval` command."
    words = rename_command(sys.argv[1:])
    parser = make_parser(words=words)
    if not words:
        parser.print_help()
        sys.exit(2)
    prepare_consoles()
    asked = parser.parse_args(words)
    with spelled_by(CommandSpelling(list(vars(asked)), PLACES, list_others(), VERBS)):
        sys.exit(finish(asked))


def rename_command(words: list[str]) -> list[str]:
    "What was typed, with the new name of a sub-command."
    if words[:1] != ["inspect"]: return words
    tell("sampling-eval inspect is now called describe; the old name leaves in the next version")
    return ["describe", *words[1:]]


def finish(asked: argparse.Namespace) -> int:
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
        code, said = 2, say_as_command(tell_error(error), vars(asked), list_others())
        if getattr(error, "errno", None) in DISK_FULL: drop_output()
    tell(f"sampling-eval: {said}")
    return code


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


def list_others() -> dict[str, str]:
    "The command of every switch, which a sentence may recommend to other commands."
    return {option.name: name for name, command in COMMANDS.items()
            for option in command.options if option.switch}


def list_outputs(asked: argparse.Namespace) -> list[Path]:
    "The files that the command is about to write."
    named = (getattr(asked, name, None) for name in WRITTEN)
    return [Path(path) for path in named if path]


def run(asked: argparse.Namespace) -> int:
    "The exit code of a command; what is read is never written over."
    from .io.console import progress_bar
    from .io.console import stand_in
    from .report.output import keep_inputs
    from .report.output import check_ending
    with stand_in(asked, SINGLE):
        inputs = [*getattr(asked, "files", []), *(getattr(asked, name, None) for name in SINGLE)]
        keep_inputs(inputs, list_outputs(asked))
        check_ending(getattr(asked, "per_question", None))
        with progress_bar(f"reading {', '.join(filter(None, inputs[:3]))}"):
            return COMMANDS[asked.command].run(asked)
