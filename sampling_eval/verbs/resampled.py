"""Numbers of samples that depend on the outcomes: failures run again, or stopped at a success."""
from __future__ import annotations

import numpy as np

from ..foundations.counts import Counts
from ..inference.sequential import stopped_at_success
from ..results.diagnostics import SampleCount, StoppedAtSuccess, Test
from .rerun_tests import (ABSENT, bound_reruns, bound_shares, bound_stopping, first_test,
                          last_test)
from .runs import LEVEL, RunTable

__all__ = ["find_stopping", "find_dependence"]


def find_stopping(
    counts: Counts,  # Counts of one system
    table: RunTable | None = None,  # Its runs in the order in which they were drawn, if known
    level: float = LEVEL,  # Chance of a caution about sound data
) -> StoppedAtSuccess | None:  # None where samples do not look so, or may well do so by chance
    "Whether samples were drawn until the first success."
    if counts.c is None or not stopped_at_success(counts.n, counts.c): return None
    last = None if table is None else find_ends(table)
    # The order is known, and a success stands elsewhere.
    if last is not None and not is_last(last): return None
    p = bound_stopping(counts.n, last is not None)
    if p >= level: return None
    return StoppedAtSuccess(int((counts.n < counts.n_max).sum()), last is not None, p=p,
                            test="bound")


def find_ends(table: RunTable) -> tuple[np.ndarray, ...] | None:
    "Samples, right ones, first and last outcome of each question; None without a known order."
    if table.right is None: return None
    outcomes = table.list_outcomes()
    held = outcomes != ABSENT
    n, each = held.sum(1), np.arange(len(outcomes))
    if not n.all(): return None
    first = outcomes[each, held.argmax(1)]
    last = outcomes[each, held.shape[1] - 1 - held[:, ::-1].argmax(1)]
    return n, ((outcomes == 1) & held).sum(1), first, last


def is_last(ends: tuple[np.ndarray, ...]) -> bool:
    "Whether the right sample of each short question is its last one."
    n, _, _, last = ends
    return bool(last[n < n.max()].all())


def find_dependence(
    counts: Counts,  # Counts of one system
    table: RunTable | None = None,  # Its runs, if they are known
    level: float = LEVEL,  # Chance of a caution about sound data
) -> SampleCount | None:  # None where it may well be chance
    "Whether questions with the fewest samples are right more often, or less, than all others."
    n, c = counts.n, counts.c
    if c is None or counts.n_min == counts.n_max: return None
    tests: list[tuple[float, Test]] = [(bound_reruns(n, c), "bound"), (bound_shares(n, c), "bound")]
    ends = None if table is None else find_ends(table)
    if ends is not None and ends[0].min() < ends[0].max():
        tests += [(first_test(ends[0], ends[2]), "fisher"),
                  (last_test(ends[0], ends[1], ends[3]), "last")]
    p, test = min(tests)
    p = min(1., len(tests) * p)
    if p >= level: return None
    few, share = n == n.min(), c / n
    return SampleCount(int(n.min()), (int(few.sum()), int((~few).sum())),
                       (float(share[few].mean()), float(share[~few].mean())), p=p, test=test,
                       comparisons=len(tests))
