"""Options of the command, derived from the signatures of the verbs.

An option is a parameter: its annotation says which values it takes, its comment is the help.
`CHANGED` holds what a shell spells in another way, and the command adds what only it can do.
"""
from __future__ import annotations

import argparse
import builtins
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from . import parameters
from .docstrings import read_signature
from .errors import OptionError
from .spelling import dashed

__all__ = ["HelpAll", "Option", "RARE", "derive_options", "derive_reading", "OUTPUT", "PICTURE",
           "FORMAT_OPTION", "HOW", "METHODS_OPTION", "PER_QUESTION", "hide_rare", "parse_budgets",
           "parse_minimum", "split_names"]

FORMATS = "table", "json", "markdown", "latex", "csv"
# Options that few commands are typed with, or that a message names where they are needed: the
# help of a command shows them where all of it is asked for.
RARE = ("ties interval weights largest_weight attempts verdict portfolio crossed judge labels "
        "panel earlier cost cost_cap missing_cost rng methods per_question no_texts size "
        "samples_per_question vote_weight vote_keep budget_column "
        "no_answer normalize scale conflict keys harness task filter cluster confidence_level "
        "on_unmatched test allow_identical errors anytime state").split()
MOST_BUDGETS = 2**20


class Beside(argparse.Action):
    "Keeps one value as it is, several as a list."

    def __call__(self, parser: Any, asked: Any, value: Any, option: str | None = None) -> None:
        held = getattr(asked, self.dest)
        known = held if isinstance(held, list) else [] if held is None else [held]
        setattr(asked, self.dest, [*known, value] if known else value)


class HelpAll(argparse.Action):
    "Prints the help with the options that are seldom used, and ends."

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, 0,
                         help="Show all options, also those that are seldom used")

    def __call__(self, parser: Any, asked: Any, value: Any, option: str | None = None) -> None:
        sys.stdout.write(parser.format_all())
        parser.exit()


@contextmanager
def hide_rare(
    parser: argparse.ArgumentParser,  # Parser of a command
) -> Iterator[int]:  # How many options are hidden
    "While the body runs, the help of a parser leaves out what is seldom used."
    hidden = [one for one in parser._actions if one.dest in RARE]
    texts, usage = [one.help for one in hidden], parser.usage
    places = [one.dest.upper() for one in parser._actions if not one.option_strings]
    for one in hidden: one.help = argparse.SUPPRESS
    parser.usage = " ".join(["%(prog)s", "[options]", *places])
    try: yield len(hidden)
    finally:
        for one, text in zip(hidden, texts): one.help = text
        parser.usage = usage


@dataclass(frozen=True)
class Option:
    "One option of a command."
    name: str  # Name in Python, such as `confidence_level`
    about: str = ""  # What it does
    kind: Callable[[str], Any] = str
    default: Any = None
    flags: tuple[str, ...] = ()  # Spellings besides `--name-with-dashes`
    values: tuple[str, ...] = ()  # Values that help shows
    choices: Sequence[str] | None = None  # Values of which the parser refuses any other
    many: bool = False  # Whether it may be repeated
    beside: bool = False  # Whether it may be repeated; once, its value stands by itself
    switch: bool = False  # Whether it stands alone, without a value
    required: bool = False  # Whether the command refuses to run without it
    alone: str | None = None  # Value where it is given without one
    count: int | None = None  # How many values it takes; one where None
    shown: str = ""  # What stands for the value in the help, where its kind says too little

    @property
    def help(self) -> str:
        "What it does, and what it is where it is not given."
        default = "" if self.default in (None, False) else f" (default: {self.default})"
        return f"{self.about}{default}"

    @property
    def spelling(self) -> str: return f"--{dashed(self.name)}"

    def add_to(self, group: Any) -> None:
        "Enter the option into a parser, or a group of one."
        about = self.help.replace("%", "%%")
        given: dict[str, Any] = dict(dest=self.name, help=about, default=self.default)
        if self.switch: given |= dict(action="store_true", default=False)
        else: given |= dict(type=self.kind, choices=self.choices, metavar=self.kind_name())
        if self.alone is not None: given |= dict(nargs="?", const=self.alone)
        if self.count: given |= dict(nargs=self.count, metavar=tuple(self.shown.split()))
        if self.many: given |= dict(action="append")
        if self.beside: given |= dict(action=Beside)
        if self.required: given |= dict(required=True)
        group.add_argument(*self.flags, self.spelling, **given)

    def kind_name(self) -> str:
        "What stands for the value in the help."
        if known := self.choices or self.values: return "{" + ",".join(known) + "}"
        names: dict[Any, str] = {int: "INT", float: "NUMBER", Path: "FILE"}
        return self.shown or names.get(self.kind, "TEXT")


# Values as they are typed.

def parse_budgets(
    text: str | None,  # Such as `1,8,64` or `1-8`
    name: str = "k",  # The option
) -> list[int] | None:  # Budgets in the order given; None for None
    """Budgets from text.

    Raises: `ValueError` unless every part is a number or a range of two.
    """
    if text is None: return None
    budgets: list[int] = []
    for part in text.replace("..", "-").split(","):
        first, dash, last = (one.strip() for one in part.partition("-"))
        if not reads_as_number(first) or (dash and not reads_as_number(last)):
            raise OptionError(name, must="be numbers such as 1,8,64 or a range such as 1-8",
                              got=text)
        start, stop = int(first), int(last or first)
        if not start <= stop < start + MOST_BUDGETS:
            raise OptionError(name, f"a range of {name} must rise, by at most {MOST_BUDGETS}",
                              got=part)
        budgets += range(start, stop + 1)
    return budgets


def reads_as_number(text: str) -> bool:
    "Whether a text is a whole number of at most nine digits."
    return text.isascii() and text.isdigit() and len(text) < 10


def parse_minimum(
    rules: Sequence[str] | None,  # Such as `pass^4=0.9`
) -> dict[str, float]:  # Metric to least value
    """Least values from text.

    Raises: `ValueError` unless each is a metric, an equals sign and a number.
    """
    found: dict[str, float] = {}
    for rule in rules or ():
        name, _, value = rule.rpartition("=")
        try: least = float(value)
        except ValueError: least = float("nan")
        if not name or least != least:
            raise OptionError("minimum", must="be a metric and a number such as pass^4=0.9",
                              got=rule)
        if name in found:
            raise OptionError("minimum", must="name each metric once", found=f"{name!r} twice")
        found[name] = least
    return found


def parse_range(text: str) -> tuple[float, ...]:
    "Two numbers with a comma between; one stands for itself on either side of 0."
    ends = tuple(float(part) for part in text.split(","))
    return (-ends[0], ends[0]) if len(ends) == 1 else ends


def parse_keep(text: str) -> float | int | list[int]:
    "A share such as 0.5, a whole number, or several with commas between."
    if "." in text: return float(text)
    several = [int(part) for part in text.split(",")]
    return several if len(several) > 1 else several[0]


def split_names(
    text: str | None,  # Names with commas between
) -> str | list[str] | None:  # A single one by itself
    "Names from text."
    names = [] if text is None else text.split(",")
    return names if len(names) > 1 else text


# Options from signatures. What a shell spells in another way, or has spelled so before:
METRICS = "Metrics separated by commas, such as pass@1,pass^4,avg@n"
CHANGED: dict[str, dict[str, Any]] = {
    "metrics": dict(kind=str, flags=("-m",), shown="NAMES", about=METRICS),
    "k": dict(kind=str, flags=("-k",), shown="NUMBERS",
              about="Budgets, such as 1,8,64 or 1-8 (default: by the number of samples)"),
    "n": dict(kind=str, flags=("-n",), shown="NUMBERS",
              about="Samples per question to plan for, such as 1,4,16 (default: the metric's k and "
                    "its doubles)"),
    "minimum": dict(kind=str, many=True, shown="METRIC=NUMBER",
                    about="Least value of a metric, such as pass^4=0.9; may be repeated"),
    "baseline": dict(shown="FILE", about="The run it may replace"),
    "models": dict(kind=str, many=True, shown="NAME",
                   about="Model wanted where a file holds several: one per file, or several of "
                         "one file; may be repeated"),
    "bounds": dict(kind=parse_range, shown="LOW,HIGH",
                   about="No question differs by more, such as 0.5 or =-0.2,0.5: an assumption "
                         "that narrows the CI for new questions"),
    "must_pass": dict(kind=str, shown="NAMES",
                      about="Questions that must pass: names or patterns with commas between, or "
                            "a file with one a line"),
    "state": dict(shown="FILE", about="File that --anytime keeps between looks"),
    "anytime": dict(about="A verdict on --max-drop that holds however often one looks"),
    "scale": dict(kind=float, count=2, shown="LOW HIGH"),
    "judge": dict(kind=float, count=2, shown="SENSITIVITY SPECIFICITY"),
    "vote_weight": dict(shown="COLUMN"), "budget_column": dict(shown="COLUMN"),
    "vote_keep": dict(kind=parse_keep, shown="SHARE"),
    "labels": dict(shown="COLUMN"), "panel": dict(shown="COLUMN"), "verdict": dict(shown="COLUMN"),
    "cost": dict(shown="COLUMN"), "earlier": dict(shown="FILE"),
    "weights": dict(shown="COLUMN", about="Column of weights of the questions"),
    "by": dict(shown="COLUMN"), "rng": dict(kind=int),
    "no_question_regresses": dict(
                                  about="Fail where the drop of a single question is significant"),
    "allow_identical": dict(about="Judge a run against itself or a copy"),
    "separate": dict(about="Equal sample numbers in different files are different samples"),
    "union": dict(about="Files may cover different questions"),
    "question": dict(shown="COLUMN"), "sample": dict(shown="COLUMN"),
    "correct": dict(beside=True, shown="COLUMN"), "answer": dict(shown="COLUMN"),
    "score": dict(beside=True, shown="COLUMN"), "model": dict(shown="COLUMN"),
    "cluster": dict(shown="COLUMN"), "ignore": dict(many=True, shown="COLUMNS"),
    "harness": dict(shown="NAME"), "task": dict(shown="NAME"),
    "filter": dict(beside=True, shown="NAME"),
    "grade": dict(beside=True, values=(), choices=("exact", "number", "last_line")),
    "errors": dict(values=(), choices=("ends", "half")),
}
PYTHON_ONLY = "title", "sums", "limits"


class Names(dict):
    "Names that annotations use; of those that only say more to a type checker, anything."

    def __missing__(self, name: str) -> Any: return getattr(builtins, name, Any)


def derive_options(
    verb: str,  # Where the function stands, such as `analyses.score.verb.score`
    without: Collection[str] = (),  # Parameters that stand by position, or that no shell has
    changed: Mapping[str, Mapping[str, Any]] = {},  # What this command spells in another way
) -> list[Option]:
    "An option for each parameter of a verb, but for those of reading."
    found = derive(verb, {*without, *parameters.READ_OPTIONS})
    return [replace(one, **changed.get(one.name, {})) for one in found]


def derive_reading() -> dict[str, list[Option]]:  # By the title of the group
    "An option for each way of reading."
    return {title: [one for kind in kinds for one in derive(f"parameters.{kind.__name__}")]
            for title, kinds in parameters.GROUPS.items()}


def derive(
    place: str,  # Module and name of a function, or of a class with fields
    without: Collection[str] = (),  # Parameters that are left out
) -> list[Option]:
    "An option for each parameter or field; to import a verb takes longer than to print the help."
    module, _, name = place.rpartition(".")
    names = Names(vars(parameters), Sequence=Sequence, Mapping=Mapping)
    return [make_option(one.name, eval(one.annotation, {}, names), one.default, one.about)
            for one in read_signature(f"{__package__}.{module}", name)
            if one.name not in without and one.name not in PYTHON_ONLY]


def make_option(name: str, annotation: Any, default: Any, about: str) -> Option:
    "An option from a parameter."
    plain = default if isinstance(default, (str, int, float)) else None
    made = Option(name, about.replace("`", ""), default=plain, **value_kind(annotation))
    return replace(made, **CHANGED.get(name, {}))


def value_kind(annotation: Any) -> dict[str, Any]:
    "Which values an annotation allows, as far as a shell can type them."
    either = get_origin(annotation) in (Union, UnionType)
    kinds = [one for one in (get_args(annotation) if either else (annotation,))
             if one is not NoneType]
    if get_origin(kinds[0]) is Literal: return dict(values=get_args(kinds[0]))
    if kinds == [bool]: return dict(switch=True)
    if str in kinds: return dict(many=get_origin(kinds[0]) is not None)
    return dict(kind=kinds[0]) if kinds[0] in (int, float) else {}


# Options that only the command has.

OUTPUT = (
    Option("output", "Also write a file; its suffix chooses the form (.json .csv .md .tex .html "
                     ".svg .png .pdf)", Path, flags=("-o",)),
    Option("html", "Also write a self-contained HTML report", Path),
)
NO_TEXTS = Option("no_texts", "Leave prompts and answers of the log out of the HTML report",
                  switch=True)
PICTURE = (
    Option("plot", "Also draw the figure; its suffix chooses the form (.svg .png .pdf)", Path),
    Option("size", "Width of a figure: column (of a paper), page, or a number of inches",
           default="column", shown="WIDTH"),
)
FORMAT_OPTION = Option("format", "How to print", default="table", flags=("-f",), choices=FORMATS)
HOW = Option("how", "Print every number and how it is computed", switch=True)
METHODS_OPTION = Option("methods", "Print the paragraph on methods for a paper, and its "
                        "bibliography in BibTeX; with -f latex as LaTeX", switch=True)
PER_QUESTION = Option("per_question", "Also write a table, .csv, .json or .parquet, with a row per "
                                      "model and question: counts and every metric", Path)
