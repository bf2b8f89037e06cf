"""Parameters that verbs share: the values that some take, and the options of reading.

One order holds: a verb takes its data, `metrics` and `k`, and all else by name; a formula takes
what was counted, then `k`. `explain` and `plan` begin with what they ask (a question; a difference
and its power), and `metrics` stands before `k` there too; `gate` states budgets in `metrics`.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

__all__ = ["Target", "Targets", "Attempts", "Ties", "Missing", "MissingCost", "NoAnswer",
           "Conflict", "Unmatched", "Method", "Test", "Planned", "Reading", "Shared",
           "ToDescribe", "ToScore", "GROUPS", "GROUPED", "READ_OPTIONS"]

Target: TypeAlias = Literal["new_questions", "same_questions"]  # Same: a rerun
Targets: TypeAlias = Literal["new_questions", "same_questions", "both"]
Attempts: TypeAlias = Literal["independent", "ordered"]
Ties: TypeAlias = Literal["expected", "wrong", "first"]
Missing: TypeAlias = Literal["raise", "wrong", "drop", "bounds"]
MissingCost: TypeAlias = Literal["raise", "mean", "cap"]
NoAnswer: TypeAlias = Literal["abstain", "vote"]
Conflict: TypeAlias = Literal["refuse", "any", "majority", "mean"]
Unmatched: TypeAlias = Literal["refuse", "drop"]
Method: TypeAlias = Literal["assumption-free", "t", "gaffke", "gamma", "anchored-t", "bootstrap",
                            "wilson", "clopper-pearson"]
Test: TypeAlias = Literal["mcnemar", "mcnemar-mid", "sign-flip", "gaffke", "permutation",
                          "interval", "cautious", "t"]
Planned: TypeAlias = Literal["assumption-free", "normal", "t"]


# Options of reading, in parts: a type checker allows no name to stand in a signature and among its
# keywords as well, and some verbs name options of their own.

class Outcomes(TypedDict, total=False):
    "What samples without an outcome count as."
    missing: Missing  # Samples without an outcome; bounds for score only (default: raise)


class Answers(TypedDict, total=False):
    "What samples without an answer count as, and when answers are equal."
    samples_per_question: int  # Samples that each question should have; absent ones are missing
    no_answer: NoAnswer  # Samples without an answer, for maj@k
    normalize: Literal["strip", "lower", "number"] | Callable  # When two answers are equal


class Scale(TypedDict, total=False):
    "The range of scores."
    scale: tuple[float, float]  # Least and largest score there can be, for mean@n, max@k and min@k


class Conflicts(TypedDict, total=False):
    "What answers count as that were judged in two ways."
    conflict: Conflict  # Answers marked both right and wrong in one question (default: refuse)


class Parts(TypedDict, total=False):
    "Which column of a table plays which part; False where none does."
    question: str | bool  # Column of question ids
    sample: str | bool  # Column of sample ids
    correct: str | bool | Sequence[str]  # Column of outcomes; of several, each is a system
    answer: str | bool  # Column of answers, for votes
    score: str | bool | Sequence[str]  # Column of scores; of several, each is a system
    model: str | bool  # Column of model names


class Clusters(TypedDict, total=False):
    "Which questions belong together."
    cluster: str | bool | Mapping | Sequence  # Column of clusters; `task` or `question` in logs


class Cells(TypedDict, total=False):
    "What else columns and keys hold."
    expected: str  # Column of right answers, to which `grade` compares answers
    keys: Literal["questions", "models", "samples"]  # Keys of a JSON object, or of a dict
    threshold: float  # Samples with a score above it are correct
    ignore: str | Sequence[str]  # Columns that tell no rows apart
    failed: Literal["missing", "wrong"]  # What tries count as that failed by status or error
    sums: str | Sequence[str]  # Further columns that are added up, such as a cost


class Logs(TypedDict, total=False):
    "How logs of a harness are read."
    harness: str  # Harness that wrote the log, or `table` (default: recognised by content)
    task: str  # The only task that is read of logs of several
    filter: str | Sequence[str]  # Filter of lm-eval; of several, each is a system
    grade: Literal["exact", "number", "last_line"] | Callable | Sequence  # Judges answers anew
    files_hold: Literal["draws", "models"]  # What several files with the same questions hold
    limits: Any  # How many bytes of a log are believed


class ToScore(Scale, Parts, Cells, Logs):
    "What `score` does not name itself."


class ToDescribe(ToScore, Answers, Conflicts):
    "What `describe` does not name itself."


class Shared(ToDescribe, Outcomes):
    "What `compare`, `gate` and `table` do not name themselves."


class Reading(Shared, Clusters):
    "All options of reading."


# By the title of each group in the help of a command.
GROUPS: dict[str, tuple[type, ...]] = dict(
    policies=(Outcomes, Answers, Scale, Conflicts), columns=(Parts, Clusters, Cells), logs=(Logs,))
GROUPED = {title: tuple(name for kind in kinds for name in kind.__annotations__)
           for title, kinds in GROUPS.items()}
READ_OPTIONS = tuple(name for names in GROUPED.values() for name in names)
