"""Parameters that verbs share: the values that some take, and the options of reading."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

__all__ = ["Target", "Targets", "Attempts", "Ties", "Missing", "MissingCost",
           "NoAnswer", "Conflict", "Unmatched", "Method", "Test", "Approximation", "Policies",
           "Columns", "Logs", "GROUPS", "READ_OPTIONS"]

Target: TypeAlias = Literal["new_questions", "same_questions"]  # Same: a rerun
Targets: TypeAlias = Literal["new_questions", "same_questions", "both"]
Attempts: TypeAlias = Literal["independent", "ordered"]
Ties: TypeAlias = Literal["expected", "wrong", "first"]
Missing: TypeAlias = Literal["raise", "wrong", "drop", "bounds"]
MissingCost: TypeAlias = Literal["raise", "mean", "cap"]
NoAnswer: TypeAlias = Literal["abstain", "vote"]
Conflict: TypeAlias = Literal["refuse", "any", "majority"]
Unmatched: TypeAlias = Literal["refuse", "drop"]
Method: TypeAlias = Literal["gaffke", "gamma", "anchored-t", "t", "bootstrap", "wilson",
                            "clopper-pearson"]
Test: TypeAlias = Literal["mcnemar", "mcnemar-mid", "sign-flip", "gaffke", "permutation",
                          "interval", "cautious", "t"]
Approximation: TypeAlias = Literal["normal", "t"]


# Options of reading.

class Policies(TypedDict, total=False):
    "What samples without an outcome or an answer count as, and when answers are equal."
    missing: Missing  # Samples without an outcome; bounds for score only (default: raise)
    samples_per_question: int  # Samples that each question should have; absent ones are missing
    no_answer: NoAnswer  # Samples without an answer, for maj@k
    normalize: Literal["strip", "lower", "number"] | Callable  # When two answers are equal
    scale: tuple[float, float]  # Least and largest score there can be, for mean@n, max@k and min@k
    conflict: Conflict  # Answers marked both right and wrong in one question (default: refuse)


class Columns(TypedDict, total=False):
    "Which column of a table plays which part; False where none does."
    question: str | bool  # Column of question ids
    sample: str | bool  # Column of sample ids
    correct: str | bool | Sequence[str]  # Column of outcomes; of several, each is a system
    answer: str | bool  # Column of answers, for votes
    score: str | bool | Sequence[str]  # Column of scores; of several, each is a system
    model: str | bool  # Column of model names
    cluster: str | bool | Mapping | Sequence  # Column of groups of questions; `task` in logs
    expected: str  # Column of right answers, to which `grade` compares answers
    keys: Literal["questions", "models", "samples"]  # Keys of a JSON object, or of a dict
    threshold: float  # Samples with a score above it are correct
    ignore: str | Sequence[str]  # Columns that tell no rows apart
    sums: str | Sequence[str]  # Further columns that are added up, such as a cost


class Logs(TypedDict, total=False):
    "How logs of a harness are read."
    harness: str  # Harness that wrote the log, or `table` (default: recognised by content)
    filter: str | Sequence[str]  # Filter of lm-eval; of several, each is a system
    grade: Literal["exact", "number", "last_line"] | Callable | Sequence  # Judges answers anew
    files_hold: Literal["draws", "models"]  # What several files with the same questions hold
    limits: Any  # How many bytes of a log are believed


GROUPS: tuple[type, ...] = (Policies, Columns, Logs)
READ_OPTIONS = tuple(name for group in GROUPS for name in group.__annotations__)
