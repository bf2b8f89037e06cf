"""Runs and their order: what the data tell of them, and tests of it.

`run_tables` gives the samples of each system with the run that each is from, as a `RunTable`:
`list_outcomes` and `list_kinds` as tables of questions by runs, of large data for some questions,
`ABSENT` where there is no sample; sums over all questions otherwise. Below stand tests of them.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb, erfc, exp, lgamma, log, sqrt
from pathlib import PurePath
from typing import NamedTuple, TypeAlias

import numpy as np

from ...foundations import urn
from ...inference.rerun import poisson_binomial
from ...inference.run_tests import ABSENT
from ...reading.counted import CountedRows
from ...reading.load import Loaded
from ...reading.sample_ids import BITS, WORDS, count_bits, join_bits
from ...reading.shapes import PLACE
from ...results.cautions import Word


# Runs in tables.

CELLS = 2**16  # Samples up to which runs are held against each other


class Sums(NamedTuple):
    "Sums over the samples of one run."
    mean: float  # Of the right ones, by the chances of the questions
    variance: float  # Of the same
    right: float  # Right samples
    missing: float  # Samples without an outcome
    size: float  # Samples


@dataclass(frozen=True, eq=False)
class RowRuns:
    "Counted rows of one system, with the runs whose samples they hold."
    names: tuple[object, ...]  # Name of each run, shape `(B,)`
    bits: tuple[int, ...]  # Position of each run in the sets of bits
    words: np.ndarray  # Runs behind each row as sets of bits, shape `(R, 3)`
    question: np.ndarray  # Question of each row, as a code
    times: np.ndarray  # Samples behind each row
    right: np.ndarray | None  # Whether the samples of a row are right; None for graded scores
    missing: np.ndarray  # Whether the samples of a row have no outcome
    answers: bool  # Whether rows with different answers are kept apart
    score: np.ndarray | None = None  # Score of each sample of a row; None for outcomes
    word: Word = "run"  # What a run is called: `run`, or the `place` of its samples

    @property
    def binary(self) -> bool: return self.right is not None

    @property
    def questions(self) -> int: return int(self.question.max()) + 1

    def find_rows(self, run: int) -> np.ndarray:
        "Which rows hold a sample of a run, shape `(R,)`."
        return holds(self.words, self.bits[run])

    def list_kinds(self) -> np.ndarray:
        "The row behind each sample; equal ones of a question are alike."
        return self.spread(np.where(self.missing, ABSENT, np.arange(len(self.times))))

    def list_outcomes(self, cells: int | None = None) -> np.ndarray:
        "The outcome of the row behind each sample."
        assert self.right is not None
        return self.spread(self.right.astype(np.int64), cells)

    def spread(self, values: np.ndarray, cells: int | None = None) -> np.ndarray:
        "Values of the rows by question and run."
        chosen = choose_questions(self.questions, len(self.bits), cells)
        place = np.full(self.questions, -1)
        place[chosen] = np.arange(len(chosen))
        question = place[self.question]
        some = np.flatnonzero(question >= 0)
        question, words, values = question[some], self.words[some], values[some]
        table = np.full((len(chosen), len(self.bits)), ABSENT, np.int64)
        for run, bit in enumerate(self.bits):
            here = holds(words, bit)
            table[question[here], run] = values[here]
        return table

    def count_right(self) -> tuple[np.ndarray, np.ndarray]:
        "Samples of each question, and right ones among them."
        assert self.right is not None
        return (np.bincount(self.question, self.times),
                np.bincount(self.question, self.times * self.right))

    def total_each(self, share: np.ndarray) -> Iterator[Sums]:
        "Sums over the samples of each run, where each question has a chance of being right."
        assert self.right is not None
        own = share[self.question]
        adds = np.stack([own, own * (1 - own), self.right, self.missing, np.ones(len(own))], 1)
        for run in range(len(self.bits)): yield Sums(*(self.find_rows(run) @ adds).tolist())

    def mean_scores(self) -> list[float] | None:
        "Mean score of each run; None unless each has one scored sample of every question."
        if self.score is None or np.isnan(self.score).any(): return None
        each = [self.find_rows(run) for run in range(len(self.bits))]
        if any(np.count_nonzero(one) != self.questions for one in each): return None
        return [float(self.score[one].mean()) for one in each]

    def find_questions(self, run: int) -> np.ndarray:
        "Questions of the rows that hold a run."
        return self.question[self.find_rows(run)]


@dataclass(frozen=True, eq=False)
class ColumnRuns:
    "The columns of a table of outcomes as runs."
    names: tuple[object, ...]  # Position of each column, shape `(B,)`
    outcomes: np.ndarray  # Right, 1, wrong, 0, or `ABSENT`, shape `(Q, B)`, int8
    missing: np.ndarray | None = None  # Whether a sample has no outcome; None if all have one
    whole: bool = True  # Whether each question has a sample in every column
    answers: bool = False  # Outcomes are all there is
    word: Word = "column"  # What a run is called
    binary: bool = True  # Outcomes are right or wrong

    @property
    def questions(self) -> int: return len(self.outcomes)

    def list_kinds(self) -> np.ndarray:
        "The outcome of each sample that has one."
        some = self.list_outcomes()
        if self.missing is None: return some
        missing = self.missing[choose_questions(len(self.outcomes), len(self.names))]
        return np.where(missing, ABSENT, some)

    def list_outcomes(self, cells: int | None = None) -> np.ndarray:
        "The outcomes of all questions, or of some."
        chosen = choose_questions(len(self.outcomes), len(self.names), cells)
        return self.outcomes[chosen].astype(np.int64)

    @cached_property
    def right(self) -> np.ndarray:
        "Which samples are right."
        return self.outcomes == 1

    def count_right(self) -> tuple[np.ndarray, np.ndarray]:
        "Samples of each question, and right ones among them."
        questions, runs = self.outcomes.shape
        size = np.full(questions, runs) if self.whole else np.count_nonzero(self.find_held(), 1)
        # Bytes are added up: quicker, and no set of bits holds more runs.
        return size, self.right.sum(1, dtype=np.uint8).astype(np.int64)

    def find_held(self) -> np.ndarray:
        "Which samples there are."
        return self.outcomes != ABSENT

    def total_each(self, share: np.ndarray) -> Iterator[Sums]:
        "Sums along each column."
        chances = np.stack([share, share * (1 - share)])
        right = self.right.sum(0, dtype=np.int32).tolist()
        missing = [0] * len(right) if self.missing is None else self.missing.sum(0).tolist()
        if self.whole:
            # Whole columns have the same questions, and so the same chances.
            alike = chances.sum(1).tolist()
            for column in range(len(right)):
                yield Sums(alike[0], alike[1], right[column], missing[column], len(self.outcomes))
            return
        held = self.find_held()
        mean, variance = (chances @ held).tolist()
        yield from map(Sums, mean, variance, right, missing, held.sum(0).tolist())

    def find_questions(self, run: int) -> np.ndarray:
        "Questions that have a sample in a column."
        return np.flatnonzero(self.outcomes[:, run] != ABSENT)


RunTable: TypeAlias = RowRuns | ColumnRuns  # The samples of one system


def holds(words: np.ndarray, bit: int) -> np.ndarray:
    "Which sets of bits hold one."
    word, place = divmod(bit, BITS)
    return words[:, word] & 1 << place != 0


def choose_questions(
    questions: int,  # Questions that there are
    runs: int,  # Runs of each
    cells: int | None = None,  # Samples that are looked at, at most; None is `CELLS`
) -> np.ndarray:  # All of them, or evenly spaced ones
    "Questions on which runs are held against each other: a few hundred show a copy."
    some = min(questions, max(1, (cells or CELLS) // runs))
    return np.arange(some) * questions // some


def run_table(
    rows: CountedRows,  # Rows of one system
    drop: bool = False,  # Whether samples without an outcome are left out; else they are wrong
) -> RowRuns | None:  # None where it is not known which run each sample is from
    "The runs of some rows, if each question has at most one sample of each run."
    words = rows.draws if rows.runs is None else rows.runs
    if not rows.ordered: return None
    if words is None or not stand_once(words, rows): return None
    right, missing = None, np.full(len(words), False)
    if rows.correct is not None: right, missing = rows.correct == 1, np.isnan(rows.correct)
    kept = ~missing | (not drop)
    if not kept.any(): return None
    bits = runs_held(words[kept])
    names = rows.run_names or range(BITS * WORDS)
    question = rows.question
    score = rows.score[kept] if right is None and rows.score is not None else None
    if not kept.all(): question = np.unique(question[kept], return_inverse=True)[1]
    # Column by column, since one run after another is looked at.
    return RowRuns(tuple(names[i] for i in bits), bits, np.asfortranarray(words[kept]), question,
                   rows.times[kept], None if right is None else right[kept], missing[kept],
                   rows.answer is not None, score,
                   "place" if rows.sample_column == PLACE else "run")


def table_outcomes(
    outcomes: np.ndarray,  # 1, 0, NaN without an outcome, -1 for no sample, shape `(Q, n)`
    drop: bool = False,  # Whether samples without an outcome are left out; else they are wrong
) -> ColumnRuns | None:  # None for more columns than are kept apart
    "The columns of a table of outcomes as runs."
    if outcomes.shape[1] > BITS * WORDS: return None
    columns = tuple(range(outcomes.shape[1]))
    if outcomes.dtype.kind == "b": return ColumnRuns(columns, outcomes.view(np.int8))
    missing = None
    if outcomes.dtype.kind == "f" and (empty := np.isnan(outcomes)).any():
        outcomes = np.where(empty, ABSENT if drop else 0, outcomes)
        missing = None if drop else empty
    kinds = outcomes.astype(np.int8)
    held = kinds != ABSENT
    if held.all(): return ColumnRuns(columns, kinds, missing)
    rows, some = np.flatnonzero(held.any(1)), np.flatnonzero(held.any(0))
    if not len(rows): return None
    here = np.ix_(rows, some)
    return ColumnRuns(tuple(some.tolist()), kinds[here],
                      None if missing is None else missing[here], bool(held[here].all()))


def runs_held(words: np.ndarray) -> tuple[int, ...]:
    "Positions of the runs that any of some sets of bits holds."
    here = np.bitwise_or.reduce(words, 0)
    return tuple(i for i in range(BITS * WORDS) if here[i // BITS] >> i % BITS & 1)


def stand_once(words: np.ndarray, rows: CountedRows) -> bool:
    "Whether the run of every sample is known, and no question has two samples of a run."
    if (count_bits(words) != rows.times).any(): return False
    joined = join_bits(words, rows.question)
    if (joined >= 2**BITS).any(): return False
    return bool((count_bits(joined) == np.bincount(rows.question, rows.times)).all())


def run_tables(
    loaded: Loaded,  # What was read
    drop: bool = False,  # Whether samples without an outcome are left out
    names: Collection[str] | None = None,  # Systems that are wanted; None: all
) -> dict[str, RunTable | None]:  # By name of the system
    "The runs of each system."
    if loaded.outcomes is not None: return {"": table_outcomes(loaded.outcomes, drop)}
    rows = loaded.rows
    if rows is None or rows.runs is None and rows.draws is None: return {}
    return {str(model): run_table(part, drop) for model, part in rows.models().items()
            if names is None or str(model) in names}


# Runs without an outcome.

def empty_runs(
    table: RunTable,  # Runs of one system
) -> list[tuple[int, int]]:  # Position of each, and its samples
    "Runs of several samples of which none has an outcome: most likely they never ran."
    if table.missing is None or not table.missing.any(): return []
    found = []
    for run in range(len(table.names)):
        if isinstance(table, RowRuns): missing = table.missing[table.find_rows(run)]
        else: missing = table.missing[table.find_questions(run), run]
        if len(missing) > 1 and missing.all(): found.append((run, len(missing)))
    return found


def drop_runs(
    table: RunTable,  # Runs of one system
    some: Collection[int],  # Positions of some of them
) -> RunTable | None:  # None where nothing is left
    "The other runs."
    kept = [run for run in range(len(table.names)) if run not in some]
    names = tuple(table.names[run] for run in kept)
    if not kept: return None
    if isinstance(table, ColumnRuns):
        here = (table.outcomes[:, kept] != ABSENT).any(1)
        missing = None if table.missing is None else table.missing[here][:, kept]
        return replace(table, names=names, outcomes=table.outcomes[here][:, kept], missing=missing)
    bits, held = tuple(table.bits[run] for run in kept), np.zeros(WORDS, table.words.dtype)
    for bit in bits: held[bit // BITS] |= 1 << bit % BITS
    words = table.words & held
    rows = count_bits(words) > 0
    return replace(
        table, names=names, bits=bits, words=np.asfortranarray(words[rows]),
        question=np.unique(table.question[rows], return_inverse=True)[1],
        times=count_bits(words)[rows], missing=table.missing[rows],
        right=None if table.right is None else table.right[rows],
        score=None if table.score is None else table.score[rows])


# Runs one by one.

@dataclass(frozen=True, eq=False)
class Total:
    "The samples of one run."
    right: int  # Right samples
    size: int  # Samples
    missing: int  # Samples without an outcome
    distance: float  # Distance of the total from its mean, in standard errors


def total_runs(
    table: RunTable,  # Runs of one system
    share: np.ndarray,  # Share of right samples of each question
) -> list[Total]:
    "Totals of all runs, and how far each is from what its questions let expect."
    return [Total(int(one.right), int(one.size), int(one.missing), z_score(one))
            for one in table.total_each(share)]


def z_score(one: Sums) -> float:
    "Distance of a total from its mean, in standard errors."
    # Rounded, so that of runs as far off as each other the first one is named.
    return round(abs(one.right - one.mean) / sqrt(one.variance), 9) if one.variance > 1e-9 else 0.


def name_runs(
    table: RunTable,  # Runs of one system
    some: Iterable[int],  # Positions of some of them
) -> tuple[str, ...]:  # A number, or the last part of a file
    "Some runs as a reader knows them."
    names = [table.names[run] for run in some]
    return tuple(repr(PurePath(name).name) if isinstance(name, str) else str(name)
                 for name in names)


# Tests.

LARGE = 4096  # Questions beyond which a sum of coins is taken for a normal one


def poisson_binomial_test(
    total: int,  # Sum of independent 0 or 1
    means: np.ndarray,  # Mean of each, shape `(Q,)`
) -> float:  # Twice the smaller tail, at most 1
    "Two-sided p value of a sum of independent 0 or 1 with different means."
    if len(means) <= LARGE: return two_sided(poisson_binomial(means), total)
    mean, variance = means.sum(), (means * (1 - means)).sum()
    return max(erfc(max(abs(total - mean) - .5, 0) / sqrt(2 * variance)), 1e-12)


def two_sided(distribution: np.ndarray, seen: int) -> float:
    "Twice the smaller tail, at most 1."
    return min(1., 2 * float(min(distribution[:seen + 1].sum(), distribution[seen:].sum())))


def bound_copies(
    kinds: np.ndarray,  # Kinds, shape `(Q, R)`
) -> tuple[float, int]:  # p, and how often each run stands there; 1 and 1 where none is seen
    """Whether every run stands there several times, such as the columns a, b, a, b.

    Value: an upper bound of the chance, over all distributions of difficulty and over all ways to
    divide the runs into such groups; for outcomes of 0 and 1 that are all there.
    """
    size = kinds.shape[1]
    times = np.bincount(group_equal_runs(kinds)[1])
    each = int(times.min()) if len(times) else 1
    if each < 2 or times.max() != each or len(times) < 2: return 1., 1
    if not np.isin(kinds, (0, 1)).all(): return 1., 1
    right = kinds.sum(1)
    flaky = int(((right > 0) & (right < size)).sum())
    ways = lgamma(size + 1) - len(times) * lgamma(each + 1) - lgamma(len(times) + 1)
    ways += log(sum(size % other == 0 for other in range(2, size)))
    return min(1., exp(min(0., ways + flaky * log(bound_one_copy(len(times), each))))), each


def group_equal_runs(
    kinds: np.ndarray,  # Kinds, shape `(Q, R)`
) -> tuple[list[int], list[int]]:  # Shape `(G,)` and `(R,)`
    "The first run of each group of equal ones, and the group of each run."
    groups: dict[bytes, int] = {}
    group = [groups.setdefault(run.tobytes(), len(groups)) for run in kinds.T]
    return [group.index(one) for one in range(len(groups))], group


def bound_one_copy(groups: int, each: int) -> float:
    "The largest chance that the samples of a flaky question agree within given groups."
    size, p = groups * each, np.linspace(1e-3, .5, 500)
    chance = sum(comb(groups, j) * p**(j * each) * (1 - p)**(size - j * each)
                 for j in range(1, groups))
    # The margin covers what lies between two points of the grid.
    return min(1., 1.001 * float((chance / (1 - p**size - (1 - p)**size)).max()))


# Numbers of samples that depend on the outcomes.

def mark_sorted(
    outcomes: np.ndarray,  # Outcomes of 0 and 1, or `ABSENT`, shape `(Q, R)`
) -> np.ndarray:  # Whether every flaky question has its right samples first, and last
    "Whether samples were put in order of their outcomes, so that their places say nothing."
    held = outcomes != ABSENT
    right = ((outcomes == 1) & held).sum(1)
    flaky = (right > 0) & (right < held.sum(1))
    some, here = outcomes[flaky], held[flaky]
    seen = np.cumsum((some == 1) & here, 1)
    # Before a wrong sample stand all right ones, or none.
    wrong = here & (some != 1)
    found = [bool((seen == total)[wrong].all()) for total in (right[flaky][:, None], 0)]
    return np.array(found) & bool(flaky.any())


def first_sample_test(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    first: np.ndarray,  # Outcome of its first sample, 0 or 1
) -> float:  # Two-sided p, at most 1
    """Whether the first outcome says how many samples a question has.

    Value: Fisher's exact test of the questions with the fewest samples against all others.
    """
    if n.min() == n.max(): return 1.
    few = n == n.min()
    right = int(first.sum())
    return two_sided(urn.draws(right, len(n) - right, int(few.sum())), int(first[few].sum()))


def last_sample_test(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    c: np.ndarray,  # Right ones among them
    last: np.ndarray,  # Outcome of its last sample, 0 or 1
) -> float:  # Two-sided p, at most 1
    """Whether questions with fewer samples than others end with a right, or a wrong, sample.

    Value: given its counts, the last sample of a question is right with chance `c / n`.
    """
    short = n < n.max()
    if not short.any(): return 1.
    return two_sided(poisson_binomial((c / n)[short]), int(last[short].sum()))


def bound_stopping(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    ordered: bool = False,  # Whether the right sample is also known to be the last one
) -> float:
    """How likely each question with fewer samples than others has exactly one right, at most.

    Value: the product of the largest chances over all difficulties, `n p (1 - p)^(n - 1)` at
    `p = 1 / n`; without the factor `n` where the right one is the last.
    """
    short = n[(n < n.max()) & (n > 1)].astype(float)
    logs = (short - 1) * np.log1p(-1 / short) - (np.log(short) if ordered else 0)
    return exp(float(logs.sum()))


def bound_reruns(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    c: np.ndarray,  # Right ones among them
) -> float:
    """Whether questions with the fewest samples are all right, or all wrong, and no other is.

    Value: an upper bound of the chance over all distributions of difficulty, if the number of
    samples has nothing to do with outcomes; 1 where the counts look otherwise.
    """
    few = n == n.min()
    if few.all(): return 1.
    for count in (c, n - c):
        if (count == n)[few].all() and not (count == n)[~few].any():
            return min(1., 2 * exp(bound_pattern(int(few.sum()), n[~few], int(n.min()))))
    return 1.


def bound_pattern(fewest: int, others: np.ndarray, size: int) -> float:
    "Largest log chance that some questions are all right, and no other: `E p^n >= E(p^m)^(n/m)`."
    share = np.linspace(0, 1, 20_001)[1:-1]
    sizes, times = np.unique(others, return_counts=True)
    logs = fewest * np.log(share)
    for other, count in zip(sizes.tolist(), times.tolist()):
        logs = logs + count * np.log1p(-share**(other / size))
    return float(logs.max()) + 1e-3


def bound_shares(
    n: np.ndarray,  # Samples of each question, shape `(Q,)`
    c: np.ndarray,  # Right ones among them
) -> float:  # Two-sided p, at most 1
    """Whether questions with the fewest samples are right more often, or less, than all others.

    Value: an upper bound over all distributions of difficulty. For each mean the two groups have
    independent Chernoff bounds `u` and `v`, and `P(U V <= w) <= w (1 - log w)`.
    """
    few, share = n == n.min(), c / n
    if few.all(): return 1.
    one, other, sizes = share[few].mean(), share[~few].mean(), (few.sum(), (~few).sum())
    mean = np.linspace(min(one, other), max(one, other), 2001)
    logs = sizes[0] * diverge(one, mean) + sizes[1] * diverge(other, mean)
    w = -float(logs.min())
    return min(1., 2 * exp(w) * (1 - w))


def diverge(share: float, mean: np.ndarray) -> np.ndarray:
    "Kullback-Leibler divergence of two coins."
    with np.errstate(divide="ignore", invalid="ignore"):
        right = np.where(share > 0, share * np.log(share / mean), 0.)
        wrong = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - mean)), 0.)
    return np.nan_to_num(right + wrong, nan=np.inf, posinf=np.inf)
