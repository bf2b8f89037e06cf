"""Runs that agree more often than independent samples would: copies, or one seed twice."""
from __future__ import annotations

import numpy as np

from ..results.diagnostics import DuplicateRuns
from .rerun_tests import Pairs, bound_copies, pair_test, share_disagreeing
from .runs import LEVEL, RunTable, name_runs

__all__ = ["find_alike", "find_copies"]


def find_alike(
    table: RunTable,  # Runs of one system
    level: float = LEVEL,  # Chance of a caution about sound data
) -> DuplicateRuns | None:  # None where no two runs agree beyond chance
    "The runs that agree with the first one of the least likely pair, if that is too unlikely."
    if len(table.bits) < 3: return None
    kinds = table.list_kinds()
    pairs = pair_test(kinds)
    if pairs.holm.min() >= level: return None
    alike = np.flatnonzero(pairs.holm < level)
    best = alike[np.lexsort((pairs.second[alike], pairs.first[alike], pairs.p[alike]))[0]]
    return tell_alike(table, kinds, pairs, best, level)


def tell_alike(table: RunTable, kinds: np.ndarray, pairs: Pairs, best: int,
               level: float) -> DuplicateRuns:
    "How often the runs of a group agree, beside what is expected."
    # All runs that differ from the first one as rarely as the best pair does.
    here = (pairs.first == pairs.first[best]) & (pairs.differ <= pairs.differ[best])
    group = [int(pairs.first[best]), *pairs.second[here & (pairs.holm < level)].tolist()]
    whole = int(table.question.max()) + 1
    shared = int(pairs.shared[best])
    return DuplicateRuns(
        name_runs(table, group), len(table.bits), differ=int(pairs.differ[best]), shared=shared,
        expected=float(share_disagreeing(kinds).mean() * shared), answers=table.answers,
        first=None if len(kinds) == whole else len(kinds), word=table.word,
        p=float(pairs.holm[best]), test="permutation", comparisons=len(pairs.p))


def find_copies(
    table: RunTable,  # Runs of one system
    level: float = LEVEL,  # Chance of a caution about sound data
) -> DuplicateRuns | None:  # None where the runs do not fall into such groups
    "Whether every run stands there several times, which counts every sample as several."
    if table.right is None or len(table.bits) < 4: return None
    outcomes = table.list_outcomes()
    p, times = bound_copies(outcomes)
    if p >= level: return None
    _, first = np.unique(outcomes, axis=1, return_index=True)
    return DuplicateRuns(name_runs(table, sorted(first.tolist())), len(table.bits), times,
                         word=table.word, p=p, test="bound")
