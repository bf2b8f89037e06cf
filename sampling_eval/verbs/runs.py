"""The runs behind some samples, and one that is far off."""
from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from math import erfc, sqrt
from pathlib import PurePath

import numpy as np

from ..foundations.counts import distinct, distinct_states
from ..io.counted import CountedRows
from ..io.draws import BITS, WORDS, count_bits, join_bits
from ..io.load import Loaded
from ..io.unfold import PLACE
from ..results.diagnostics import OddRun, Word
from .rerun_tests import ABSENT, sum_law

__all__ = ["LEVEL", "RunTable", "find_table", "find_tables", "table_outcomes", "find_odd_run",
           "find_tail", "name_runs"]

LEVEL = 1e-3  # Chance of a caution about sound data, for all tests of a report together
CELLS = 2**18  # Samples up to which runs are held against each other
NEAR = 30  # Times the level: normal p value beyond which the exact one is not looked at
LARGE = 4096  # Questions beyond which the permutation law is taken for a normal one


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


# A run that is far off.

def find_odd_run(
    table: RunTable,  # Runs of one system
    level: float = LEVEL,  # Chance of a caution about sound data
) -> OddRun | None:  # None where no run is far off
    """The run whose number of right samples is least likely, if that is too unlikely.

    If samples are independent, every run is as likely as any other to hold each of the `c` right
    ones among the `n` of a question. Given the counts, the total of a run therefore is a sum of
    independent 0 or 1 with means `c / n`: an exact permutation test within questions.
    """
    if table.right is None or len(table.bits) < 2: return None
    n, right = table.add_up(table.times), table.add_up(table.times * table.right)
    totals = total_runs(table, n.astype(int), right.astype(int))
    run = int(np.argmax([total.distance for total in totals]))
    near = erfc(totals[run].distance / sqrt(2))
    if len(totals) * near > NEAR * level: return None
    means = (right / n)[table.question[table.find_rows(run)]]
    p = min(1., len(totals) * find_tail(totals[run].right, means))
    return describe_total(table, totals, run, p) if p < level else None


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
    "Totals of all runs; each row that holds one stands for another question."
    assert table.right is not None
    _, _, state = distinct_states(n, c)
    kinds, kind = distinct(4 * state[table.question] + 2 * table.right + table.lost)
    # Rows of one kind stand together, so that each run is counted in one pass over its bits.
    order = np.argsort(kind, kind="stable")
    first = np.searchsorted(kind[order], np.arange(len(kinds)))
    example = order[first]
    right, lost = table.right[example], table.lost[example]
    share = (c / n)[table.question[example]]
    ordered = replace(table, words=np.asfortranarray(table.words[order]))
    totals = []
    for run in range(len(table.bits)):
        times = np.add.reduceat(ordered.find_rows(run), first, dtype=int)
        mean, variance = (float((times * one).sum()) for one in (share, share * (1 - share)))
        found = int(times[right].sum())
        distance = abs(found - mean) / sqrt(variance) if variance > 1e-9 else 0.
        totals.append(Total(found, int(times.sum()), int(times[lost].sum()), distance))
    return totals


def find_tail(
    total: int,  # Sum of independent 0 or 1
    means: np.ndarray,  # Mean of each, shape `(Q,)`
) -> float:  # Twice the smaller tail, at most 1
    "Two-sided p value of a sum of independent 0 or 1 with different means."
    if len(means) > LARGE: return find_normal_tail(total, *np.unique(means, return_counts=True))
    law = sum_law(means)
    return min(1., 2 * float(min(law[:total + 1].sum(), law[total:].sum())))


def find_normal_tail(total: int, values: np.ndarray, times: np.ndarray) -> float:
    mean, variance = (times * values).sum(), (times * values * (1 - values)).sum()
    return max(erfc(max(abs(total - mean) - .5, 0) / sqrt(2 * variance)), 1e-12)


def describe_total(table: RunTable, totals: list[Total], run: int, p: float) -> OddRun:
    "Which run is far off; of two runs nobody knows which one is."
    odd = [0, 1] if len(totals) == 2 else [run]
    some = [totals[i] for i in odd]
    rest = [one.right / one.size for i, one in enumerate(totals) if i not in odd]
    return OddRun(name_runs(table, odd), tuple(one.right for one in some),
                  tuple(one.size for one in some), tuple(one.lost for one in some), len(rest),
                  min(rest, default=None), max(rest, default=None), table.word, p=p,
                  test="permutation" if totals[run].size <= LARGE else "normal",
                  comparisons=len(totals))


def name_runs(
    table: RunTable,  # Runs of one system
    some: Iterable[int],  # Positions of some of them
) -> tuple[str, ...]:
    "Some runs as a reader knows them."
    return tuple(name_run(table, run) for run in some)


def name_run(table: RunTable, run: int) -> str:
    "A run as a reader knows it: a number, or the last part of a file."
    name = table.names[run]
    return str(name) if not isinstance(name, str) else repr(PurePath(name).name)
