"""Options of the command: what one is, and those that several sub-commands share."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .records import dataclass

__all__ = ["Option", "POLICY", "COLUMNS", "LOGS", "OUTPUT", "PICTURE", "SHOWN", "HOW", "METHODS",
           "BUDGETS", "WEIGHTS", "LEVEL", "INTERVAL", "METHOD", "TIES", "UNMATCHED", "MODELS",
           "RNG",
           "PER_QUESTION", "name_metrics", "name_target"]

FORMATS = "table", "json", "markdown", "latex", "csv"


class Beside(argparse.Action):
    "Keeps one value as it is, several as a list."

    def __call__(self, parser: Any, asked: Any, value: Any, option: str | None = None) -> None:
        held = getattr(asked, self.dest)
        known = held if isinstance(held, list) else [] if held is None else [held]
        setattr(asked, self.dest, [*known, value] if known else value)


@dataclass(frozen=True)
class Option:
    "One option of a command."
    name: str  # Name in Python, such as `confidence_level`
    about: str  # What it does
    kind: Callable[[str], Any] = str
    default: Any = None
    flags: tuple[str, ...] = ()  # Spellings besides `--name-with-dashes`
    choices: Sequence[str] | None = None
    many: bool = False  # Whether it may be repeated
    beside: bool = False  # Whether it may be repeated; once, its value stands by itself
    switch: bool = False  # Whether it stands alone, without a value
    required: bool = False  # Whether the command refuses to run without it
    hidden: tuple[str, ...] = ()  # Old spellings, which still work
    alone: str | None = None  # Value where it is given without one
    count: int | None = None  # How many values it takes; one where None

    @property
    def spelling(self) -> str: return "--" + self.name.replace("_", "-")

    def add_to(self, group: Any) -> None:
        "Enter the option into a parser, or a group of one."
        given: dict[str, Any] = dict(dest=self.name, help=self.about, default=self.default)
        if self.switch: given |= dict(action="store_true", default=False)
        else: given |= dict(type=self.kind, choices=self.choices, metavar=self.kind_name())
        if self.alone is not None: given |= dict(nargs="?", const=self.alone)
        if self.count: given |= dict(nargs=self.count, metavar=("LOW", "HIGH"))
        if self.many: given |= dict(action="append")
        if self.beside: given |= dict(action=Beside)
        if self.required: given |= dict(required=True)
        group.add_argument(*self.flags, self.spelling, **given)
        for old in self.hidden:
            group.add_argument(old, **given | dict(help=argparse.SUPPRESS))

    def kind_name(self) -> str:
        "What stands for the value in the help."
        if self.choices: return "{" + ",".join(self.choices) + "}"
        names: dict[Any, str] = {int: "INT", float: "NUMBER", Path: "FILE"}
        return names.get(self.kind, "TEXT")


def parse_range(text: str) -> tuple[float, ...]:
    "Two numbers with a comma between; one stands for itself on either side of 0."
    ends = tuple(float(part) for part in text.split(","))
    return (-ends[0], ends[0]) if len(ends) == 1 else ends


# Options that several commands share.

POLICY = (
    Option("missing", "Samples without an outcome: raise (an error), wrong, drop, or (score "
                      "only) bounds, which counts them as wrong and as right.", default="raise"),
    Option("samples_per_question", "How many samples each question should have; absent ones are "
                                   "missing.", int),
    Option("no_answer", "Whether samples without an answer abstain or vote, for maj@k."),
    Option("normalize", "Answers are equal after strip, lower or number."),
    Option("scale", "Least and largest score there can be, such as 1 5, for mean@n, max@k and "
                     "min@k.", float, count=2),
    Option("conflict", "An answer marked both right and wrong: refuse, any (right if one sample "
                       "is) or majority.", default="refuse"),
)
COLUMNS = (
    Option("question", "Column that holds the question's id."),
    Option("sample", "Column that holds the sample's id."),
    Option("correct", "Column that holds the outcome, 0/1 or true/false; repeated, each is a "
                      "system.", beside=True),
    Option("answer", "Column that holds the answer, for votes."),
    Option("score", "Column that holds a graded score, or score of a log, such as acc_norm; "
                    "repeated, each is a system. none, here and above, uses no column.",
           beside=True),
    Option("model", "Column that holds the model's name."),
    Option("cluster", "Column that holds the group of a question; task in logs."),
    Option("threshold", "Derive the outcome as score > threshold.", float),
    Option("ignore", "Column that is not used to tell rows apart; may be repeated.", many=True),
)
LOGS = (
    Option("harness", "Harness that wrote the log; recognised by content if left out.",
           hidden=("--input-format",)),
    Option("filter", "Filter whose answers are taken (lm-eval); repeated, each is a system.",
           beside=True),
    Option("grade", "Judge texts against the stored target: exact (equal text, spaces at the ends "
                    "aside) or number (equal number); repeated, each is a system.",
           choices=("exact", "number"), beside=True),
    Option("files_hold", "What several files with the same questions hold: draws (more samples) "
                         "or models."),
)
OUTPUT = (
    Option("output", "Also write a file; its suffix chooses the form (.json .csv .md .tex .html "
                     ".svg .png .pdf).", Path, flags=("-o",)),
    Option("html", "Also write a self-contained HTML report.", Path),
)
PICTURE = (
    Option("plot", "Also draw the figure; its suffix chooses the form (.svg .png .pdf).", Path),
    Option("size", "Width of a figure: column (of a paper), page, or a number of inches.",
           default="column"),
)
SHOWN = Option("format", "How to print.", default="table", flags=("-f",), choices=FORMATS)
HOW = Option("how", "Print every number and how it is computed.", switch=True)
METHODS = Option("methods", "Print the paragraph on methods for a paper, and its bibliography in "
                            "BibTeX; with -f latex as LaTeX.", switch=True)
BUDGETS = Option("k", "Values of k, such as 1,8,64 or 1-8; chosen by the number of samples if left "
                      "out.", flags=("-k",))
WEIGHTS = (
    Option("weights", "Column that holds the weight of a question in the mean."),
    Option("largest_weight", "Largest weight that a question may have; the largest seen if left "
                             "out.", float),
)
LEVEL = Option("confidence_level", "Level of the intervals.", float, .95)
METHOD = (
    Option("method", "Interval that gives the verdict: gaffke, which assumes nothing, or t, the "
                     "usual one; the other one stands beside where it disagrees.",
           hidden=("--interval",)),
    Option("bounds", "Most that a question moves, such as 0.5, or a range such as =-0.2,0.5: an "
                     "assumption that narrows the interval for new questions.", parse_range),
)
INTERVAL = Option("interval", "Interval method; the package default if left out.")
TIES = Option("ties", "Ties of maj@k: expected shares, wrong gives nothing.", default="expected")
UNMATCHED = Option("on_unmatched", "Questions that only one side has: refuse or drop.",
                   default="refuse")
MODELS = Option("models", "Model wanted, where a file holds several: one per file, or several of "
                          "one file; may be repeated.", many=True)
PER_QUESTION = Option("per_question", "Also write a table, .csv, .json or .parquet, with a row per "
                                      "model and question: counts and every metric.", Path)
RNG = Option("rng", "Seed of whatever draws; 0 if left out.", int, hidden=("--seed",))


def name_metrics(
    about: str,  # What they are for
    default: str | None = None,  # Names where none are given
) -> Option:
    "The option that names metrics."
    return Option("metrics", about, default=default, flags=("-m",), hidden=("--metric",))


def name_target(
    about: str,  # What it is for
    default: str | None = "questions",  # Target where none is given
) -> Option:
    "The option that names the target of the error bars."
    return Option("target", about, default=default)
