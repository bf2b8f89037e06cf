"""Rows that stand in a table twice."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, lgamma, log

import numpy as np

from ..results.reading import ReadNote
from .codes import code_values, join_codes, join_columns
from .coincidence import CHANCE
from .columns import COLUMNS, simplify
from .identity import list_keys
from .options import Options
from .suspects import FEW, FIRST, KNOWN, are_numbers, join_heads, list_scope
from .tabular import FILE, Batch, Source, list_columns

__all__ = ["check_duplicates", "are_duplicates"]

WIDE = 200  # Columns that may number samples; of more the first ones
LARGE = 100 * FIRST  # Rows that are looked at where somebody said not to use a column


def check_duplicates(
    sources: Sequence[Source],  # Where the rows come from
    batch: Batch,  # Rows, with the tasks that questions are named by
    chosen: Mapping[str, str],  # Column of each part
    options: Options,  # Columns to ignore, and what was named
) -> tuple[ReadNote, ...]:  # A warning where rows may be samples of their own
    """Look for copies of rows, which a column that numbers samples tells from samples.

    Raises: `ValueError` where samples of their own would be so alike once in ten thousand times.
    """
    columns = [column for column in list_columns(sources) if column != FILE]
    refused = [*options.ignore, *list_refused(columns, options)]
    numbering = [c for c in columns if c not in {*chosen.values(), *options.sums}
                 and (c in refused or simplify(c) not in KNOWN)]
    numbering = sorted(numbering, key=lambda column: column not in refused)[:WIDE]
    if not numbering or "sample" in chosen: return ()
    scope = list_scope(batch, chosen)
    head = join_heads(sources, [*scope, *numbering], LARGE if refused else FIRST)
    for column in numbering:
        if not are_few_numbers(head[column]): continue
        whole = join_columns(head[name] for name in scope)
        key = join_codes(whole, code_values(head[column])[0])
        if len(np.unique(key)) == len(key) or len(np.unique(key)) == len(np.unique(whole)): continue
        every = join_heads(sources, columns, LARGE if refused else FIRST)
        row = join_columns(every.values())
        if len(np.unique(row)) > len(np.unique(key)): continue
        rest = [every[c] for c in columns if c != column]
        return judge_copies(column, whole, key, join_columns(rest), len(columns))
    return ()


def list_refused(columns: Sequence[str], options: Options) -> list[str]:
    "Columns of samples that somebody said not to use."
    if options.columns.get("sample") is not False: return []
    return [column for column in columns if simplify(column) in COLUMNS["sample"]]


def are_few_numbers(values: np.ndarray) -> bool:
    "Whether a column numbers samples, from 0 or 1."
    if len(set(map(repr, values[:1000].tolist()))) > FEW: return False
    names = code_values(values)[1]
    return 1 < len(names) <= FEW and are_numbers(names)


def judge_copies(column: str, scope: np.ndarray, key: np.ndarray, content: np.ndarray,
                 width: int) -> tuple[ReadNote, ...]:
    "Refuse copies, or warn of what may be copies."
    copies = len(key) - len(np.unique(key))
    chance = find_chance(scope, key, content)
    if chance is None or chance > log(CHANCE):
        return (ReadNote("exact_copies", count=copies, total=len(key), value=float(width)),)
    said = (f"{copies:,} of {len(key):,} rows are exact copies of other rows (all {width} columns "
            "are equal)")
    raise ValueError(f"each sample must appear once, got {said}, which samples of their own are "
                     f"with a chance of {exp(max(chance, -700)):.0e}; leave the copies out and "
                     f"pass sample={column!r}, or take {column!r} out of the data")


def find_chance(scope: np.ndarray, key: np.ndarray, content: np.ndarray) -> float | None:
    """Logarithm of the chance that rows of one number agree; None where numbers differ in rows.

    Given all samples of a question, each order of them is equally likely under its numbers.
    """
    times = np.bincount(key)
    if len(set(times.tolist())) > 1: return None
    each = int(times[0])
    _, first = np.unique(key, return_index=True)
    groups = scope[first]
    kind = join_codes(groups, content[first])
    alike = np.bincount(kind)
    total = sum(lgamma(n + 1) - lgamma(each * n + 1) for n in np.bincount(groups).tolist())
    return float(total - sum(lgamma(m + 1) - lgamma(each * m + 1) for m in alike.tolist()))


def are_duplicates(
    sources: Sequence[Source],  # Where the rows come from
    batch: Batch,  # Rows in which a sample appears twice
    chosen: Mapping[str, str],  # Column of each part
) -> bool:
    "Whether the rows of one sample agree in all columns, as far as is looked."
    columns = [column for column in list_columns(sources) if column != FILE]
    names = [chosen.get(part, part.partition(" ")[2]) for part in list_keys(batch)]
    if not set(names) <= set(columns): return False
    every = join_heads(sources, columns, LARGE)
    key, row = join_columns(every[name] for name in names), join_columns(every.values())
    return len(np.unique(row)) == len(np.unique(key)) < len(key)
