"""Whether a sample appears twice, asked of an engine without sorting every row."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .cells import ask, name_cell, quote_name, quote_text, sample_cell
from .check import Repeated, tell_repeat
from .draws import BITS, count_bits, join_bits
from .identity import join_names, list_keys
from .scans import Scan, guard
from .tabular import Batch
from .texts import is_whole_text

__all__ = ["check_samples"]

EXACT, KINDS = 8192, 64  # Samples whose hashes add exactly; kinds of questions looked at in full
SHOWN = 1000  # Repeats among which the first is looked for


def check_samples(
    scans: Sequence[Scan],  # What was counted
    here: Sequence[Mapping[str, str]],  # Column of each part in each of them
    pair: np.ndarray,  # Model and question of each row of the batch, as a code
    batch: Batch,  # What the engine counted
) -> None:
    """Refuse a sample that appears twice.

    The sums of hashes over a question tell whether its samples are 0..n-1 or 1..n; questions of
    equal sums have equal samples but for a chance of 10^-12, so one of each kind is looked at.

    Raises: `ValueError` naming the sample and both places.
    """
    times = np.bincount(pair, batch.times).astype(np.int64)
    if batch.draws is not None:
        words = join_bits(batch.draws, pair)
        if (words < 2**BITS).all() and (count_bits(words) == times).all(): return
    spaces = {find_space(scan, part) for scan, part in zip(scans, here)}
    only = None
    if batch.marks is not None and len(spaces) == 1 and times.max() <= EXACT:
        odd = find_odd(times, np.bincount(pair, batch.marks), spaces.pop())
        if not len(odd): return
        first = np.unique(pair, return_index=True)[1]
        if len(odd) <= KINDS: only = name_pairs(batch, first[odd])
    refuse_repeats(scans, here, batch, only)


def find_space(scan: Scan, chosen: Mapping[str, str]) -> str:
    cell = sample_cell("x", scan.kind(chosen["sample"]))
    return "BIGINT" if cell.endswith("BIGINT") else "VARCHAR"


def find_odd(times: np.ndarray, marks: np.ndarray, space: str) -> np.ndarray:
    "One group of each kind that is neither 0..n-1 nor 1..n."
    query = f"SELECT (hash(i::{space}) >> 24)::DOUBLE FROM range({times.max() + 1}) r(i) ORDER BY i"
    hashes = ask(query).fetchnumpy()
    total = np.concatenate([[0.], np.cumsum(next(iter(hashes.values())))])
    known = (marks == total[times]) | (marks == total[times + 1] - total[1])
    odd = np.flatnonzero(~known)
    if not len(odd): return odd
    kinds = np.unique(np.stack([times[odd], marks[odd]]), axis=1, return_index=True)[1]
    return odd[kinds]


def name_pairs(batch: Batch, rows: np.ndarray) -> list[tuple] | None:
    "The names of some rows down to the question, as text; None if an engine writes them otherwise."
    columns = [batch.parts[part][rows].tolist() for part in list_keys(batch)[:-1]]
    if not {type(name) for column in columns for name in column} <= {int, str}: return None
    return [tuple(map(str, names)) for names in zip(*columns)]


def refuse_repeats(scans: Sequence[Scan], here: Sequence[Mapping[str, str]], batch: Batch,
                   only: list[tuple] | None) -> None:
    "Count every pair of question and sample, of some questions or of all."
    keys = list_keys(batch)
    tables = [list_names(scan, chosen, keys, only) for scan, chosen in zip(scans, here)]
    whole = tables[0]
    for table in tables[1:]: whole = whole.union(table)
    names = ", ".join(map(quote_name, keys))
    counted = whole.aggregate(f"{names}, count(*) AS times", names)
    bad = counted.filter("times > 1 OR sample IS NULL")
    files = [file for scan in scans for file in scan.files]
    found = guard(bad.limit(SHOWN).fetchall, files)
    if not found: return
    refuse_absent(scans, here, batch)
    rows = sum(row[-1] - 1 for row in found)
    if len(found) == SHOWN or only is not None:
        everything = refuse_count(scans, here, keys)
        rows = everything or rows
    tell_first(scans, here, batch, keys, {row[:-1] for row in found}, int(rows))


def list_names(scan: Scan, chosen: Mapping[str, str], keys: list[str],
               only: list[tuple] | None, base: Any = None) -> Any:
    "Model, question and sample of every row as text."
    names = {part: name_cell(scan.cell(chosen[part]), scan.kind(chosen[part])) for part in keys}
    base = scan.read([chosen[part] for part in keys], None) if base is None else base
    if only is not None:
        for i, part in enumerate(part for part in keys if part != "sample"):
            texts = ", ".join(sorted({quote_text(pair[i]) for pair in only}))
            base = base.filter(f"{names[part]} IN ({texts})")
    return base.project(", ".join(f"{cell} AS {quote_name(part)}" for part, cell in names.items()))


def refuse_count(scans: Sequence[Scan], here: Sequence[Mapping[str, str]], keys: list[str]) -> int:
    "Rows that repeat, in all."
    tables = [list_names(scan, chosen, keys, None) for scan, chosen in zip(scans, here)]
    whole = tables[0]
    for table in tables[1:]: whole = whole.union(table)
    names = ", ".join(map(quote_name, keys))
    counted = whole.aggregate(f"{names}, count(*) - 1 AS more", names)
    return int(counted.aggregate("sum(more)").fetchall()[0][0])


def refuse_absent(scans: Sequence[Scan], here: Sequence[Mapping[str, str]], batch: Batch) -> None:
    "Refuse rows without the name of a sample, wherever the first one stands."
    lost, where = 0, ""
    for scan, chosen in zip(scans, here):
        column = chosen["sample"]
        absent = f"{name_cell(scan.cell(column), scan.kind(column))} IS NULL"
        lost += scan.read([column], None).filter(absent).aggregate("count(*)").fetchall()[0][0]
        for file in scan.files or [None]:
            if where: break
            rows = scan.number_rows([column], file).filter(absent).limit(1).fetchall()
            where = scan.tell_row(rows[0][-1], file) if rows else ""
    if lost:
        raise ValueError(f"every row needs a sample, got none {where} "
                         f"({lost} of {batch.times.sum()} fail)")


def tell_first(scans: Sequence[Scan], here: Sequence[Mapping[str, str]], batch: Batch,
               keys: list[str], bad: set[tuple], rows: int) -> None:
    "Name the first sample that repeats, and both places."
    seen: dict[tuple, str] = {}
    wanted = {part: ", ".join(sorted({quote_text(key[i]) for key in bad}))
              for i, part in enumerate(keys)}
    for scan, chosen in zip(scans, here):
        names = {part: name_cell(scan.cell(chosen[part]), scan.kind(chosen[part]))
                 for part in keys}
        listed = ", ".join(f"{cell} AS {quote_name(part)}" for part, cell in names.items())
        for file in scan.files or [None]:
            base = scan.number_rows([chosen[part] for part in keys], file)
            here_too = " AND ".join(f"{names[part]} IN ({texts})" for part, texts in wanted.items())
            for row in base.filter(here_too).project(f"{listed}, row_at").fetchall():
                key, place = row[:-1], scan.tell_row(row[-1], file)
                if key in seen: raise_repeat(batch, keys, key, seen[key], place, rows)
                if key in bad: seen[key] = place
    raise_repeat(batch, keys, min(bad), "", "", rows)


def raise_repeat(batch: Batch, keys: list[str], key: tuple, first: str, again: str,
                 rows: int) -> None:
    named = {part: restore_name(batch, part, text) for part, text in zip(keys, key)}
    where = f" {first} and again {again}" if first else " more than once"
    raise Repeated(tell_repeat(join_names(batch, named), where, rows))


def restore_name(batch: Batch, part: str, text: str) -> Any:
    "A name as it was read, from its text."
    if part in batch.parts:
        return next((name for name in batch.parts[part].tolist() if str(name) == text), text)
    return int(text) if is_whole_text(text) else text
