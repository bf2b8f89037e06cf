"""Whether the runs behind some samples differ, or agree, more than independent samples would."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import erfc, sqrt
from pathlib import PurePath

import numpy as np

from ..foundations.counts import distinct, distinct_states
from ..reading.counted import CountedRows
from ..reading.draws import BITS, WORDS, count_bits, join_bits
from ..reporting.numbers import p_text
from ..reporting.phrases import say_share

__all__ = ["LEVEL", "RunTable", "find_table", "find_tables", "find_odd_run", "find_twins",
           "find_tail", "find_chance", "stop_chance"]

LEVEL = 1e-3  # Chance of a warning about sound data, for each of the tests
NEAR = 30 * LEVEL  # Normal p value beyond which the exact one is not looked at
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

    def find_rows(self, run: int) -> np.ndarray:
        "Which rows hold a sample of a run, shape `(R,)`."
        word, bit = divmod(self.bits[run], BITS)
        return self.words[:, word] & 1 << bit != 0

    def add_up(self, values: np.ndarray) -> np.ndarray:
        "Sums over the rows of each question."
        return np.bincount(self.question, values)


def find_table(
    rows: CountedRows,  # Rows of one system
    drop: bool = False,  # Whether samples without an outcome are left out; else they are wrong
) -> RunTable | None:  # None where it is not known which run each sample is from
    "The runs of some rows, if each question has at most one sample of each run."
    words = rows.draws if rows.runs is None else rows.runs
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
                    rows.answer is not None)


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
    rows: CountedRows | None,  # Rows of all systems
    drop: bool = False,  # Whether samples without an outcome are left out
) -> dict[str, RunTable | None]:  # By name of the system
    "The runs of each system."
    if rows is None or rows.runs is None and rows.draws is None: return {}
    return {str(model): find_table(part, drop) for model, part in rows.models().items()}


# A run that is far off.

def find_odd_run(
    table: RunTable,  # Runs of one system
) -> Iterator[str]:  # A sentence, none where no run is far off
    """The run whose number of right samples is least likely, if that is too unlikely.

    If samples are independent, every run is as likely as any other to hold each of the `c` right
    ones among the `n` of a question. Given the counts, the total of a run therefore is a sum of
    independent 0 or 1 with means `c / n`: an exact permutation test within questions.
    """
    if table.right is None or len(table.bits) < 2: return
    n, right = table.add_up(table.times), table.add_up(table.times * table.right)
    totals = total_runs(table, n.astype(int), right.astype(int))
    run = int(np.argmax([total.distance for total in totals]))
    near = erfc(totals[run].distance / sqrt(2))
    if len(totals) * near > NEAR: return
    means = (right / n)[table.question[table.find_rows(run)]]
    p = min(1., len(totals) * find_tail(totals[run].right, means))
    if p < LEVEL: yield say_total(table, totals, run, p)


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
    values, times = np.unique(means, return_counts=True)
    if len(means) > LARGE: return find_normal_tail(total, values, times)
    size = len(means) + 1
    turn = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    powers = [(1 - mean + mean * turn) ** t for mean, t in zip(values.tolist(), times.tolist())]
    law = np.clip(np.fft.irfft(np.prod(powers, 0), size), 0, 1)
    # Rounding of the transform: no smaller chance is claimed.
    return min(1., 2 * max(min(law[:total + 1].sum(), law[total:].sum()), 1e-12))


def find_normal_tail(total: int, values: np.ndarray, times: np.ndarray) -> float:
    mean, variance = (times * values).sum(), (times * values * (1 - values)).sum()
    return max(erfc(max(abs(total - mean) - .5, 0) / sqrt(2 * variance)), 1e-12)


def say_total(table: RunTable, totals: list[Total], run: int, p: float) -> str:
    "Which run is far off; of two runs nobody knows which one is."
    whose = "one of them" if len(totals) == 2 else "it"
    found = say_both(table, totals) if len(totals) == 2 else say_run(table, totals, run)
    return (f"{found}: a run differs so much with probability {p_text(p)} at most if all samples "
            f"are independent ({say_law(totals[run])} permutation test within questions, "
            f"Bonferroni over {len(totals)} runs). See whether {whose} broke off or was set up "
            "otherwise; if so, score again without it.")


def say_run(table: RunTable, totals: list[Total], run: int) -> str:
    "One run beside all others."
    shares = sorted(total.right / total.size for i, total in enumerate(totals) if i != run)
    rest = " to ".join(dict.fromkeys(say_share(share) for share in (shares[0], shares[-1])))
    one = totals[run]
    return (f"run {name_run(table, run)} is right in {say_share(one.right / one.size)} of its "
            f"{one.size} samples{say_lost(one)}, the other {len(shares)} runs in {rest}")


def say_both(table: RunTable, totals: list[Total]) -> str:
    "Two runs side by side."
    names = " and ".join(name_run(table, run) for run in range(2))
    first, second = (f"{say_share(total.right / total.size)}{say_lost(total)}" for total in totals)
    return f"runs {names} are right in {first} and {second} of their samples"


def say_lost(total: Total) -> str:
    return f" ({total.lost} without an outcome)" if total.lost else ""


def say_law(total: Total) -> str:
    return "exact" if total.size <= LARGE else "normal approximation to the"


# Runs that are equal.

def find_twins(
    table: RunTable,  # Runs of one system
) -> Iterator[str]:  # A sentence, none where no two runs are equal beyond chance
    """The first runs that agree on every question, if that is too unlikely.

    If samples are independent, two runs are any two of the `n` samples of a question: they agree
    with chance `sum t (t - 1) / (n (n - 1))`, where `t` samples each are alike.
    """
    if len(table.bits) < 3: return
    alike: dict[bytes, list[int]] = {}
    for run in range(len(table.bits)):
        alike.setdefault(np.packbits(table.find_rows(run)).tobytes(), []).append(run)
    groups = [group for group in alike.values() if len(group) > 1]
    if not groups: return
    chances = [find_chance(table, group[0]) for group in groups]
    least = int(np.argmin(chances))
    pairs = len(table.bits) * (len(table.bits) - 1) // 2
    p = min(1., pairs * float(np.exp(chances[least])))
    if p < LEVEL: yield say_twins(table, groups[least], pairs, p)


def find_chance(table: RunTable, run: int) -> float:
    "Logarithm of the chance that another run agrees with one on all of its questions."
    n = table.add_up(table.times).astype(float)
    pairs = table.add_up(table.times * (table.times - 1.))
    # Samples that were lost together are no copies; leaving them out makes the chance larger.
    own = table.question[table.find_rows(run) & ~table.lost]
    return float(np.log(pairs[own] / (n * (n - 1))[own]).sum())


def say_twins(table: RunTable, group: list[int], pairs: int, p: float) -> str:
    *first, last = [name_run(table, run) for run in group]
    what = "outcome and answer" if table.answers else "outcome"
    return (f"runs {', '.join(first)} and {last} agree on every question, in {what}: two runs do "
            f"so with probability {p_text(p)} at most if all samples are independent (exact "
            f"permutation test within questions, Bonferroni over {pairs} pairs). If one seed was "
            "used twice, or one file read twice, score again without the copy: it makes error bars "
            "too small.")


# Drawing until the first success.

def stop_chance(
    table: RunTable,  # Runs of one system, in the order in which they were drawn
) -> float | None:  # Chance that the right samples stand last; None where one does not
    "How likely the one right sample of each short question is the last one, by chance alone."
    n = table.add_up(table.times)
    short = n < n.max()
    last = np.full(len(n), -1)
    where = np.full(len(n), -1)
    for run in range(len(table.bits)):
        inside = table.find_rows(run)
        last[table.question[inside]] = run
        where[table.question[inside & table.right]] = run
    if (where != last)[short].any(): return None
    return float(np.exp(-np.log(n[short]).sum()))


def name_run(table: RunTable, run: int) -> str:
    "A run as a reader knows it: a number, or the last part of a file."
    name = table.names[run]
    return str(name) if not isinstance(name, str) else repr(PurePath(name).name)
