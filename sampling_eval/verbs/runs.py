"""The runs behind some samples: which outcome each holds on each question."""
from __future__ import annotations

from collections.abc import Collection, Iterable
from math import sqrt
from pathlib import PurePath

import numpy as np

from ..inference.rerun import ABSENT
from ..io.counted import CountedRows
from ..io.sample_ids import BITS, WORDS, count_bits, join_bits
from ..io.load import Loaded
from ..io.unfold import PLACE
from ..records import dataclass
from ..results.diagnostics import Word

__all__ = ["RunTable", "Total", "find_table", "find_tables", "table_outcomes", "total_runs",
           "name_runs"]

CELLS = 2**18  # Samples up to which runs are held against each other


@dataclass(frozen=True, eq=False)
class RunTable:
    "Counted rows of one system, with the runs whose samples they hold."
    names: tuple[object, ...]  # Name of each run, shape `(B,)`
    bits: tuple[int, ...]  # Position of each run in the sets of bits
    words: np.ndarray  # Runs behind each row as sets of bits, shape `(R, 3)`
    question: np.ndarray  # Question of each row, as a code
    times: np.ndarray  # Samples behind each row
    right: np.ndarray | None  # Whether the samples of a row are right; None for graded scores
    lost: np.ndarray  # Whether the samples of a row have no outcome
    answers: bool  # Whether rows with different answers are kept apart
    word: Word = "run"  # What a run is called: `run`, or the `column` or `place` of its outcomes

    def find_rows(self, run: int) -> np.ndarray:
        "Which rows hold a sample of a run, shape `(R,)`."
        word, bit = divmod(self.bits[run], BITS)
        return self.words[:, word] & 1 << bit != 0

    def list_kinds(self) -> np.ndarray:
        """Row behind each sample, `ABSENT` where there is none or where it was lost.

        Value: shape `(Q, B)`; of large tables the first questions.
        """
        return self.spread(np.where(self.lost, ABSENT, np.arange(len(self.times))))

    def list_outcomes(self) -> np.ndarray:
        "Outcome of each sample, 0, 1 or `ABSENT`: of large tables the first questions."
        assert self.right is not None
        return self.spread(self.right.astype(np.int64))

    def spread(self, values: np.ndarray) -> np.ndarray:
        "Values of the rows by question and run."
        size = min(int(self.question.max()) + 1, max(1, CELLS // len(self.bits)))
        table = np.full((size, len(self.bits)), ABSENT, np.int64)
        for run in range(len(self.bits)):
            here = np.flatnonzero(self.find_rows(run) & (self.question < size))
            table[self.question[here], run] = values[here]
        return table

    def add_up(self, values: np.ndarray) -> np.ndarray:
        "Sums over the rows of each question."
        return np.bincount(self.question, values)


def find_table(
    rows: CountedRows,  # Rows of one system
    drop: bool = False,  # Whether samples without an outcome are left out; else they are wrong
) -> RunTable | None:  # None where it is not known which run each sample is from
    "The runs of some rows, if each question has at most one sample of each run."
    words = rows.draws if rows.runs is None else rows.runs
    if not rows.ordered: return None
    if words is None or not stand_once(words, rows): return None
    right, lost = None, np.full(len(words), False)
    if rows.correct is not None: right, lost = rows.correct == 1, np.isnan(rows.correct)
    kept = ~lost | (not drop)
    if not kept.any(): return None
    bits = list_bits(words[kept])
    names = rows.run_names or range(BITS * WORDS)
    question = rows.question
    if not kept.all(): question = np.unique(question[kept], return_inverse=True)[1]
    # Column by column, since one run after another is looked at.
    return RunTable(tuple(names[i] for i in bits), bits, np.asfortranarray(words[kept]), question,
                    rows.times[kept], None if right is None else right[kept], lost[kept],
                    rows.answer is not None, "place" if rows.sample_column == PLACE else "run")


def table_outcomes(
    outcomes: np.ndarray,  # 1, 0, NaN for a lost outcome, -1 where there is none, shape `(Q, n)`
    drop: bool = False,  # Whether samples without an outcome are left out; else they are wrong
) -> RunTable | None:  # None for more columns than are kept apart
    "The columns of a table of outcomes as runs."
    size = outcomes.shape[1]
    if size > BITS * WORDS: return None
    lost = np.isnan(outcomes)
    # Wrong, right and lost samples of each question.
    kinds = outcomes == 0, outcomes == 1, lost & (not drop)
    words = np.zeros((len(kinds), len(outcomes), WORDS), np.int64)
    for i, kind in enumerate(kinds):
        for run in range(size): words[i, :, run // BITS] += kind[:, run] << run % BITS
    times = np.stack([kind.sum(1) for kind in kinds])
    i, question = np.nonzero(times)
    if not len(i): return None
    words = words[i, question]
    bits = list_bits(words)
    question = np.unique(question, return_inverse=True)[1]
    return RunTable(bits, bits, np.asfortranarray(words), question, times[times > 0], i == 1,
                    i == 2, False, "column")


def list_bits(words: np.ndarray) -> tuple[int, ...]:
    "Positions of the runs that any of some sets of bits holds."
    here = np.bitwise_or.reduce(words, 0)
    return tuple(i for i in range(BITS * WORDS) if here[i // BITS] >> i % BITS & 1)


def stand_once(words: np.ndarray, rows: CountedRows) -> bool:
    "Whether the run of every sample is known, and no question has two samples of a run."
    if (count_bits(words) != rows.times).any(): return False
    joined = join_bits(words, rows.question)
    if (joined >= 2**BITS).any(): return False
    return bool((count_bits(joined) == np.bincount(rows.question, rows.times)).all())


def find_tables(
    loaded: Loaded,  # What was read
    drop: bool = False,  # Whether samples without an outcome are left out
    names: Collection[str] | None = None,  # Systems that are wanted; None: all
) -> dict[str, RunTable | None]:  # By name of the system
    "The runs of each system."
    if loaded.outcomes is not None: return {"": table_outcomes(loaded.outcomes, drop)}
    rows = loaded.rows
    if rows is None or rows.runs is None and rows.draws is None: return {}
    return {str(model): find_table(part, drop) for model, part in rows.models().items()
            if names is None or str(model) in names}


# Runs one by one.

@dataclass(frozen=True, eq=False)
class Total:
    "The samples of one run."
    right: int  # Right samples
    size: int  # Samples
    lost: int  # Samples without an outcome
    distance: float  # Distance of the total from its mean, in standard errors


def total_runs(
    table: RunTable,  # Runs of one system
    n: np.ndarray,  # Samples of each question
    c: np.ndarray,  # Right ones among them
) -> list[Total]:
    "Totals of all runs, and how far each is from what its questions let expect."
    assert table.right is not None
    share = (c / n)[table.question]
    # What a row adds to each run that it holds.
    adds = np.stack([share, share * (1 - share), table.right, table.lost], 1)
    totals = []
    for run in range(len(table.bits)):
        here = table.find_rows(run)
        mean, variance, right, lost = (here @ adds).tolist()
        distance = abs(right - mean) / sqrt(variance) if variance > 1e-9 else 0.
        # Rounded, so that of runs as far off as each other the first one is named.
        totals.append(Total(int(right), int(here.sum()), int(lost), round(distance, 9)))
    return totals


def name_runs(
    table: RunTable,  # Runs of one system
    some: Iterable[int],  # Positions of some of them
) -> tuple[str, ...]:  # A number, or the last part of a file
    "Some runs as a reader knows them."
    names = [table.names[run] for run in some]
    return tuple(repr(PurePath(name).name) if isinstance(name, str) else str(name)
                 for name in names)
