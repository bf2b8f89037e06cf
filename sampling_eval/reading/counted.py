"""Rows of which equal ones have been counted."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from .columns import list_names
from .origin import File
from .policy import Policy
from .settle import settle_rows
from .tasks import Task

__all__ = ["CountedRows"]

COLUMNS = ("correct", "answer", "score", "total", "scored", "model", "group", "cluster", "weight",
           "draws", "runs")
SHOWN = "correct", "answer", "score", "model", "group", "cluster"


@dataclass(frozen=True, eq=False, repr=False)
class CountedRows:
    "Equal samples of a long table, counted: flat columns of shape `(R,)`."
    question: np.ndarray  # Code of each row's question: its position in `questions`
    questions: np.ndarray  # Names of the questions
    times: np.ndarray  # Samples that each row stands for
    correct: np.ndarray | None = None  # 1.0, 0.0, or NaN where the outcome is missing
    answer: np.ndarray | None = None  # Answers as objects, None where there is none
    score: np.ndarray | None = None  # Score of each sample of the row, NaN where there is none
    total: np.ndarray | None = None  # Sum of the scores there are
    scored: np.ndarray | None = None  # Samples that have a score
    model: np.ndarray | None = None  # Name of the model each row comes from
    group: np.ndarray | None = None  # Part of the benchmark each question belongs to
    cluster: np.ndarray | None = None  # Cluster each question belongs to, such as a passage
    weight: np.ndarray | None = None  # Weight of each question in a mean, if it was asked for
    sums: Mapping[str, np.ndarray] = field(default_factory=dict)  # Sums of further columns
    draws: np.ndarray | None = None  # Sample numbers as sets of bits, shape `(R, 3)`
    runs: np.ndarray | None = None  # Runs of the samples as sets of bits, shape `(R, 3)`
    run_names: tuple[Any, ...] = ()  # Name of the run of each bit
    source: str = ""  # What was read, and which column played which part
    files: tuple[File, ...] = ()  # Files that were read
    tasks: tuple[Task, ...] = ()  # Tasks of the logs that were read

    def __len__(self) -> int: return int(self.times.sum())

    def __repr__(self) -> str:
        parts = ", ".join(part for part in SHOWN if getattr(self, part) is not None)
        return (f"CountedRows({len(self)} samples of {len(self.questions)} questions; "
                f"{parts or 'no other column'})")

    def models(self) -> dict:
        "The rows of each model under its name; under '' if no model is named."
        return split_rows(self, "model")

    def groups(self) -> dict:
        "The rows of each group under its name; under '' if there are no groups."
        return split_rows(self, "group")

    def counts(
        self,
        policy: Policy = Policy(),  # What missing samples and answers count as
    ) -> Counts:  # One entry per question, with its votes and scores
        """Samples and correct samples per question of one model.

        Raises: `ValueError` for several models, without outcomes, or as the policy says.
        """
        names = [] if self.model is None else list(dict.fromkeys(self.model.tolist()))
        if len(names) > 1:
            raise ValueError(f"counts are of one model, got {list_names(names)}; take one of "
                             "models(), or pass model=False when reading if these are samples "
                             "of one")
        if self.correct is None and self.total is not None:
            raise ValueError("no column says which samples are correct; pass threshold=... when "
                             "reading to derive it from score")
        return settle_rows(self, policy)[0]


def split_rows(rows: CountedRows, part: str) -> dict:
    "Rows by the names in one column, in order of first appearance."
    column = getattr(rows, part)
    if column is None: return {"": rows}
    names = list(dict.fromkeys(column.tolist()))
    place = {name: i for i, name in enumerate(names)}
    code = np.fromiter((place[name] for name in column.tolist()), np.int64, len(column))
    found = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    return {name: take_rows(rows, some) for name, some in zip(names, found)}


def take_rows(
    rows: CountedRows,  # Counted rows
    some: np.ndarray,  # Positions of those wanted, ascending
) -> CountedRows:  # These, with the questions they have
    "Some of the rows."
    present, first, code = np.unique(rows.question[some], return_index=True, return_inverse=True)
    order = np.argsort(first)
    present, code = present[order], np.argsort(order)[code]
    columns: dict[str, Any] = {
        part: None if (value := getattr(rows, part)) is None else value[some]
        for part in COLUMNS}
    sums = {name: values[some] for name, values in rows.sums.items()}
    return replace(rows, question=code, questions=rows.questions[present], times=rows.times[some],
                   sums=sums, **columns)
