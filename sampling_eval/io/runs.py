"""Which run each sample is from: the sample number, seed or file under which it stands."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .check import Coded
from .values import extend_key
from .draws import BITS, WORDS, join_bits
from .tabular import Batch

__all__ = ["Runs", "find_runs", "join_runs"]

MOST = BITS * WORDS  # Runs that are kept apart


@dataclass(frozen=True, eq=False)
class Runs:
    "The run of each row, or the runs of the samples that an engine has counted into it."
    names: tuple[Any, ...]  # Name of each run
    code: np.ndarray | None  # Position in `names` of each row's run
    words: np.ndarray | None = None  # Runs of each row as sets of bits, shape `(R, 3)`


def find_runs(
    batch: Batch,  # Rows of a table, or rows that an engine has counted
    codes: Mapping[str, Coded],  # Names of each row, by part
) -> Runs | None:  # None where runs are not named, or are more than can be kept apart
    "The run of each row: its sample number, its file, or both."
    if batch.draws is not None:
        return None if "file" in codes else Runs(tuple(range(MOST)), None, batch.draws)
    named = [codes[part] for part in ("file", "sample") if part in codes]
    if not named or any(len(part.names) > MOST for part in named): return None
    parts = [part.sort() for part in named]
    if len(parts) == 1: return Runs(tuple(parts[0].names.tolist()), parts[0].code)
    return pair_names(*parts)


def pair_names(file: Coded, sample: Coded) -> Runs | None:
    "Runs that are named by file and sample."
    pairs, code = np.unique(extend_key(file.code, sample.code, len(sample.names)),
                            return_inverse=True)
    if len(pairs) > MOST: return None
    outer, inner = file.names.tolist(), sample.names.tolist()
    names = [f"{outer[pair // len(inner)]} {inner[pair % len(inner)]}" for pair in pairs.tolist()]
    return Runs(tuple(names), code)


def join_runs(
    runs: Runs | None,  # Run of each row
    row: np.ndarray,  # Counted row to which each row belongs
) -> dict[str, Any]:  # Fields of `CountedRows`
    "The runs behind each counted row, as sets of bits."
    if runs is None: return {}
    if runs.words is not None: return dict(runs=join_bits(runs.words, row), run_names=runs.names)
    assert runs.code is not None
    words = np.zeros((int(row.max()) + 1, WORDS), np.int64)
    for i in range(-(-len(runs.names) // BITS)):
        bit = np.where(runs.code // BITS == i, 2. ** (runs.code % BITS), 0)
        words[:, i] = np.minimum(np.bincount(row, bit), 2.**62)
    return dict(runs=words, run_names=runs.names)
