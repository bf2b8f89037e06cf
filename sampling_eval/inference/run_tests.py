"Numerics of the tests of runs: kinds of tries as codes, random orders, the chi-square tail."
from __future__ import annotations

from math import erfc, exp, fsum, lgamma, log

import numpy as np

from ..foundations.checks import faults, is_masked, make_array, list_entries
from ..foundations.counts import Counts

__all__ = ["ABSENT", "BLOCK", "code_kinds", "chi_square_tail", "permute_squares", "table_runs"]

ABSENT = -1  # No try of this question in this run
BLOCK = 2**22  # Outcomes that are drawn at once


def code_kinds(kinds):
    "Question and run of each try, and a code of its question and kind."
    question, run = np.nonzero(kinds != ABSENT)
    return question, run, question * (int(kinds.max()) + 1) + kinds[question, run]


def chi_square_tail(q, degrees):
    "Upper tail of a chi-square distribution by its finite sum; scipy imports slowly."
    if not q > 0: return 1.
    half, odd = q / 2, degrees % 2
    # Terms of a Poisson distribution with mean q / 2, at whole numbers or at halves.
    powers = [i + odd / 2 for i in range(degrees // 2)]
    terms = (exp(power * log(half) - half - lgamma(power + 1)) for power in powers)
    return min(fsum(terms) + (erfc(half**.5) if odd else 0.), 1.)


def permute_squares(table, permutations, rng):
    "How many random orders have squared totals as large, and how many the same."
    seen, above, equal, left = int((table.sum(0)**2).sum()), 0, 0, permutations
    small = table.astype(np.int8)
    while left:
        size = min(left, max(1, BLOCK // table.size))
        block = np.broadcast_to(small, (size, *table.shape))
        orders = rng.permuted(block.reshape(-1, table.shape[1]), axis=1)
        totals = orders.reshape(size, *table.shape).sum(1, dtype=np.int64)
        squares = (totals**2).sum(1)
        above += int((squares >= seen).sum())
        equal += int((squares == seen).sum())
        left -= size
    return above, equal


def table_runs(outcomes):
    "A table of 0 and 1 with two runs at least."
    rows = [] if isinstance(outcomes, Counts) else list_entries("outcomes", outcomes, "rows of 0/1")
    if not rows or any(make_array("outcomes", row).ndim == 0 for row in rows):
        raise TypeError("the run of each try is needed, got counts: pass outcomes 0 "
                        "or 1, a row for each question, a column for each run")
    lengths = {np.size(row) for row in rows}
    if len(lengths) > 1:
        raise ValueError("every question needs a try of every run, got rows of "
                         f"{min(lengths)} to {max(lengths)} tries")
    table = make_array("outcomes", rows)
    if is_masked(outcomes) or table.dtype.kind not in "biuf":
        raise TypeError(f"outcomes must be 0 or 1, got dtype {table.dtype}")
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError("need a row for each question and two runs at least, "
                         f"got shape {table.shape}")
    if (bad := ((table != 0) & (table != 1)).any(1)).any():
        odd = table[bad][0]
        raise ValueError("outcomes must be 0 or 1, got "
                         f"{odd[(odd != 0) & (odd != 1)][0]}{faults(bad)}")
    return table.astype(np.int64)
