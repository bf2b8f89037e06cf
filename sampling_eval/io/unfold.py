"""Rows that hold several samples as one row per sample."""
from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from ..records import dataclass
from .columns import is_mark
from .tabular import Batch, Keep, Source, take_here
from .values import tidy

__all__ = ["PLACE", "NUMBER", "ROW", "is_list", "number_rows", "unfold_lists", "unfold_runs",
           "unfold_totals"]

ROW = "number of the row"
PLACE = "place in the list"
NUMBER = "number of the column"


@dataclass(frozen=True, eq=False)
class Samples:
    "The samples behind the rows of a table: arrays of shape `(N,)`."
    row: np.ndarray  # Position of the row each sample stands in
    times: np.ndarray  # Samples behind each entry; 0 for a question without one
    cells: Mapping[str, np.ndarray]  # Values of the columns that hold samples


Collect = Callable[[Batch], Samples]  # The rows of a table to the samples that they hold


def unfold_source(source: Source, own: Sequence[str], collect: Collect,
                  hidden: Sequence[str] = ()) -> Source:
    "A source whose own columns are made from each row, and whose other columns are repeated."
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        whole = {part: column for part, column in chosen.items() if column not in own}
        # Rows are counted by any column, where none of those that are wanted names them.
        if "question" not in whole: whole["question"] = next(iter(source.columns))
        base = take_here(source, whole, keep)
        samples = collect(base)
        parts = {part: samples.cells[column] if column in own else base.parts[part][samples.row]
                 for part, column in chosen.items()}
        return Batch(parts, samples.times,
                     lambda part, row: base.place(part, int(samples.row[row])))
    columns = [c for c in source.columns if c not in own and c not in hidden]
    return Source([*columns, *own], take, source.what, source.verb, source.files,
                  tells_files=True)


# Rows that are questions.

def number_rows(
    source: Source,  # One row per question, without names for them
) -> Source:  # The same with a column `ROW`, from 0 on in each file
    "Rows named by their numbers."
    def collect(base: Batch) -> Samples:
        sizes = source.sizes or (len(base),)
        number = np.concatenate(list(map(np.arange, sizes)))
        return Samples(np.arange(len(base)), base.times, {ROW: number})
    return replace(unfold_source(source, [ROW], collect), sizes=source.sizes)


# Lists.

def is_list(
    value: object,  # A cell
) -> bool:  # Whether it holds several values
    "Whether a cell is a list, or the text of one."
    if isinstance(value, (list, tuple)): return True
    if isinstance(value, np.ndarray): return value.ndim > 0
    return isinstance(value, str) and value.strip()[:1] == "[" and value.strip()[-1:] == "]"


def unfold_lists(
    source: Source,  # One row per question
    columns: Sequence[str],  # Columns that hold lists
) -> Source:  # One row per place in the lists
    "Lists as rows; a question whose lists are empty stays, with no sample."
    here = [column for column in columns if column in source.columns]

    def collect(base: Batch) -> Samples:
        lists = {column: read_lists(source, column, base) for column in here}
        sizes = measure_lists(lists, base)
        places = np.maximum(sizes, 1)
        row = np.repeat(np.arange(len(base)), places)
        cells = {column: flatten_lists(lists[column], places) for column in here}
        cells[PLACE] = np.arange(len(row)) - (np.cumsum(places) - places)[row]
        return Samples(row, np.minimum(sizes, 1)[row], cells)
    return unfold_source(source, [*here, PLACE], collect)


def read_lists(source: Source, column: str, base: Batch) -> list[list | None]:
    "The lists of a column; None for a cell that is empty."
    cells = source.take({"question": column, "answer": column}, Keep()).parts["answer"].tolist()
    return [read_list(cell, column, i, base) for i, cell in enumerate(cells)]


def read_list(cell: Any, column: str, row: int, base: Batch) -> list | None:
    if cell is None or isinstance(cell, float) and cell != cell: return None
    found = parse_list(cell) if is_list(cell) else None
    if found is not None: return found
    raise TypeError(f"{column} must hold a list in every row, got {cell!r:.60} "
                    f"{base.place(column, row)}")


def parse_list(cell: Any) -> list | None:
    "A list from what holds one; None for text that only looks like one."
    if not isinstance(cell, str): return cell.tolist() if hasattr(cell, "tolist") else list(cell)
    try: return json.loads(cell)
    except (ValueError, RecursionError): pass
    # A frame that was written as CSV has lists as Python prints them.
    quoted = "'" in cell or '"' in cell
    if "_" in cell and not quoted: return None
    plain = cell if quoted else re.sub(r"\bnan\b", "None", cell)
    try: found = literal_eval(plain.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError): return None
    return found if isinstance(found, list) else None


def measure_lists(lists: Mapping[str, list], base: Batch) -> np.ndarray:
    "Samples of each row, which all its lists agree on."
    columns = [[-1 if cell is None else len(cell) for cell in cells] for cells in lists.values()]
    sizes = np.array(columns, np.int64).reshape(len(lists), len(base))
    most = sizes.max(0, initial=0)
    odd = ((sizes >= 0) & (sizes != most)).any(0)
    if not odd.any(): return most
    row = int(odd.argmax())
    got = ", ".join(f"{max(m, 0)} of {name}" for name, m in zip(lists, sizes[:, row]))
    raise ValueError(f"the lists of a row must have one length, got {got} "
                     f"{base.place('question', row)} ({odd.sum()} of {len(base)} rows fail)")


def flatten_lists(lists: list, places: np.ndarray) -> np.ndarray:
    filled = (cell or [None] * size for cell, size in zip(lists, places.tolist()))
    return tidy(list(chain.from_iterable(filled)))


# Columns of runs.

def unfold_runs(
    source: Source,  # One row per question
    runs: Mapping[str, int],  # Columns that hold an outcome each, and the numbers in their names
    label: str,  # Name of the column that takes their place
) -> Source:  # One row per question and run
    "Columns of runs as rows."
    def collect(base: Batch) -> Samples:
        columns = [source.take({"question": c, "correct": c}, Keep()).parts["correct"].tolist()
                   for c in runs]
        row = np.repeat(np.arange(len(base)), len(runs))
        cells = {label: tidy(list(chain.from_iterable(zip(*columns)))),
                 NUMBER: np.tile(list(runs.values()), len(base))}
        return Samples(row, np.ones(len(row), np.int64), cells)
    return unfold_source(source, [label, NUMBER], collect, list(runs))


# Numbers of samples.

def unfold_totals(
    source: Source,  # One row per question
    n: str,  # Column of its samples
    c: str,  # Column of the right ones
) -> Source:  # A row for the right samples and one for the wrong ones
    """Numbers of samples as outcomes.

    Raises: `ValueError` for a question that stands there twice.
    """
    def collect(base: Batch) -> Samples:
        size, right = (source.take({"question": o, "score": o}, Keep()).parts["score"]
                       .astype(np.int64) for o in (n, c))
        refuse_again(base)
        times = np.stack([right, size - right], 1)
        row, side = np.nonzero(times)
        empty = np.flatnonzero(size == 0)
        row, side = np.r_[row, empty], np.r_[side, np.full(len(empty), 1)]
        order = np.argsort(row, kind="stable")
        row, side = row[order], side[order]
        return Samples(row, times[row, side], {c: 1 - side})
    return unfold_source(source, [c], collect, [n])


def refuse_again(base: Batch) -> None:
    "Refuse two rows of one question: they are no totals, or come from two runs."
    # What files and marks may not share is told by them, once all rows are there.
    named = [part for part in base.parts if part in ("model", "group") or is_mark(part)]
    parts = [base.parts[part].tolist() for part in [*named, "question"]]
    seen: dict[tuple, int] = {}
    for row, key in enumerate(zip(*parts)):
        if key in seen:
            raise ValueError("each question must appear once in a table of n and c, got "
                             f"{key[-1]!r} {base.place('question', seen[key])} and again "
                             f"{base.place('question', row)}; add them up, or name a column model")
        seen[key] = row
