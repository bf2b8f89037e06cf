"""What a reader of the numbers has to know about the data behind them."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from ..foundations.counts import Counts
from ..io.origin import Coverage, Repeat
from ..results.diagnostics import (AllAgree, Attempts, Caution, ClusterSizes, RepeatedFile,
                                   RunEffect, ShortLog, Test)
from .alike_runs import find_alike, find_copies
from .rerun_tests import Cochran, cochran_test, mark_sorted, rough_spread
from .resampled import find_dependence, find_stopping
from .runs import LEVEL, NEAR, RunTable, find_odd_run, name_runs

__all__ = ["find_cautions", "find_agreement", "ask_about_copies", "caution_attempts",
           "caution_files", "caution_clusters"]

FEWEST = 20  # Questions on which equal samples say something
CHAINED = {"attempt", "attempts", "retry", "retries", "turn", "turns", "round", "rounds"}

SAME = {"run_effect": "odd_run"}  # Kinds that tell of one fault

Check = Callable[[float], Caution | None]  # From the level to a caution, if there is one


def find_cautions(
    counts: Counts,  # Counts of one system
    target: str = "questions",  # Target of the error bars
    table: RunTable | None = None,  # Runs of its samples; None where they are not known
    models: int = 1,  # Systems of the report, which share the level
) -> Iterator[Caution]:  # Empty where there is nothing to say
    """Sentences on data that may not be what the intervals take them for.

    Value: all tests of a report together accuse sound data with a chance of `LEVEL` at most.
    """
    if table is not None and (len(table.bits) < 2 or table.right is None and not table.answers):
        table = None
    stands = find_sorting(table)
    sized = list_size_tests(counts, None if stands == "right first" else table,
                            None if stands else table)
    runs = list_run_tests(None if stands else table)
    level = LEVEL / models / max(1, sum(share for share, _ in (*sized, *runs)))
    found = next(filter(None, (test(share * level) for share, test in sized)), None)
    # Where the outcome says how often a question is sampled, places differ of themselves.
    if found is not None: yield found
    else: yield from join_found(test(share * level) for share, test in runs)
    if counts.cluster is not None and target != "benchmark":
        yield from caution_clusters(counts.cluster)


def list_size_tests(counts: Counts, ending: RunTable | None,
                    table: RunTable | None) -> list[tuple[int, Check]]:
    "Tests of whether the number of samples depends on the outcomes, each with its share."
    if counts.c is None or counts.n_min == counts.n_max: return []
    return [(1, partial(find_stopping, counts, ending)),
            (3, partial(find_dependence, counts, table))]


def list_run_tests(table: RunTable | None) -> list[tuple[int, Check]]:
    "Tests of whether runs differ or agree, each with its share of the level."
    if table is None: return []
    tests: list[tuple[int, Check]] = []
    # Copies make p so small that little of the level finds them.
    if table.right is not None: tests = [(4, partial(find_odd_run, table)),
                                         (1, partial(find_run_effect, table))]
    if len(table.bits) > 2: tests += [(1, partial(find_copies, table)),
                                      (2, partial(find_alike, table))]
    return tests


def join_found(found: Iterable[Caution | None]) -> Iterator[Caution]:
    "Cautions, of two that tell of one fault the first."
    told = set()
    for one in found:
        kind = "" if one is None else SAME.get(one.kind, one.kind)
        if one is not None and kind not in told: yield one
        told.add(kind)


def find_sorting(table: RunTable | None) -> str:
    """How samples stand in the order of their outcomes; empty where they do not.

    Of runs with names that takes questions with different numbers of right samples: a run that
    broke off is wrong everywhere, and may well be the last one.
    """
    if table is None or table.right is None: return ""
    outcomes = table.list_outcomes()
    right, held = (outcomes == 1).sum(1), (outcomes >= 0).sum(1)
    flaky = (right > 0) & (right < held)
    if table.word == "run" and len(np.unique(right[flaky])) < 2: return ""
    first, last = mark_sorted(outcomes).tolist()
    return "right first" if first else "right last" if last else ""


def find_run_effect(
    table: RunTable,  # Runs of one system
    level: float = LEVEL,  # Chance of a caution about sound data
) -> Caution | None:  # None where runs differ no more than chance explains
    "Cochran's Q of all runs together."
    outcomes = table.list_outcomes()
    if rough_spread(outcomes) > NEAR * level: return None
    # Enough permutations that the smallest p value lies well below the level.
    found = cochran_test(outcomes, draws=max(9999, int(4 / level)))
    return describe_effect(table, outcomes, found) if found.spread < level else None


def describe_effect(table: RunTable, outcomes: np.ndarray, found: Cochran) -> RunEffect:
    "Which runs are right least and most often."
    whole = outcomes[(outcomes >= 0).all(1)]
    share = whole.mean(0)
    least, most = int(share.argmin()), int(share.argmax())
    tests: dict[str, Test] = {"exact": "cochran", "permutation": "cochran permutation",
                              "chi-square": "cochran chi-square"}
    return RunEffect(name_runs(table, [least, most]), (float(share[least]), float(share[most])),
                     len(table.bits), found.draws, table.word, p=found.spread,
                     test=tests[found.method])


def ask_about_copies(
    counts: Counts,  # Counts of one system
) -> str | None:  # None where samples differ somewhere
    "`find_agreement` in words."
    found = find_agreement(counts)
    return None if found is None else str(found)


def find_agreement(
    counts: Counts,  # Counts of one system
) -> AllAgree | None:  # None where samples differ somewhere
    """Whether all samples of each question agree, which no test of outcomes can judge.

    Answers are held against each other where there are any.
    """
    if counts.n_min < 2 or len(counts) < FEWEST: return None
    if counts.c is not None and not is_deterministic(counts.n, counts.c): return None
    votes = counts.votes
    if counts.c is None and votes is None: return None
    if votes is None or votes.blank.any(): return AllAgree(len(counts))
    # Different answers are no copies.
    return None if len(votes.answer) > len(counts) else AllAgree(len(counts), answers=True)


def is_deterministic(n: np.ndarray, c: np.ndarray) -> bool:
    "Whether no question is flaky, and some are right and some wrong."
    return bool(((c == 0) | (c == n)).all() and c.any() and (c < n).any())


def caution_attempts(
    column: str,  # Column that numbers the samples
) -> Iterator[Caution]:
    "A sentence where the name of the samples says that each may have seen the one before."
    if not CHAINED & set(re.findall("[a-z]+", column.lower())): return
    yield Attempts(column)


def caution_files(
    repeats: Iterable[Repeat],  # Logs that are several equal parts
    totals: Iterable[Coverage],  # Totals that logs store
) -> Iterator[Caution]:
    "Files that were appended to themselves, and logs that hold fewer samples than their run."
    for one in repeats: yield RepeatedFile(one.file, one.lines, one.times)
    for total in totals:
        if total.left_out: yield ShortLog(total.file, total.found, total.expected, total.where)


def caution_clusters(cluster: np.ndarray) -> Iterator[Caution]:
    "A sentence where clusters differ in size."
    _, sizes = np.unique(cluster, return_counts=True)
    if sizes.min() == sizes.max(): return
    yield ClusterSizes(len(sizes), int(sizes.min()), int(sizes.max()))
