"""Equal rows of a table as columns, with how many there are of each."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..results.reading import ReadSummary
from .fingerprints import Fingerprint
from .origin import Coverage, File, Repeat
from .tasks import Task

__all__ = ["EqualRows"]


@dataclass(frozen=True, eq=False, repr=False)
class EqualRows:
    "Columns with one row for all samples of a table that are equal."
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
    sample_column: str = ""  # Column that numbers the samples, or columns that hold one each
    ordered: bool = True  # Whether numbers of samples are the data's own, and not made here
    summary: ReadSummary = field(default_factory=ReadSummary)  # What was read, and as what
    files: tuple[File, ...] = ()  # Files that were read
    tasks: tuple[Task, ...] = ()  # Tasks of the logs that were read
    fingerprint: Fingerprint | None = None  # Sample ids, where `draws` does not hold them
    derived: bool = False  # Whether outcomes are scores that happen to be all 0 or 1
    totals: tuple[Coverage, ...] = ()  # Totals that logs store, and how many samples they hold
    repeats: tuple[Repeat, ...] = ()  # Logs that were appended to themselves

    def __len__(self) -> int: return int(self.times.sum())

    @property
    def source(self) -> str:
        "What was read as a sentence; for callers that do not read `summary` yet."
        from ..report.reading import describe_input
        return describe_input(self.summary)

    @property
    def warnings(self) -> tuple[str, ...]:
        "What could not be checked; for callers that do not read `summary` yet."
        from ..report.reading import describe_note
        return tuple(map(describe_note, self.summary.warnings))
