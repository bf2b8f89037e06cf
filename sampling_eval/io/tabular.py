"""A table before it is reduced: rows, and how many samples stand behind each."""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from .columns import no_column
from ..records import dataclass
from .values import join_arrays, join_present

__all__ = ["Batch", "FILE", "Keep", "Source", "list_columns", "place_samples", "join_batches",
           "take_column", "take_here", "zip_columns"]

FILE = "\0file"  # Stands among the columns for the file that a row is from


@dataclass(frozen=True)
class Keep:
    "What is kept of a table beside outcomes."
    answers: bool = True
    scores: bool | None = None  # None: where there are few different ones
    draws: bool = False
    threshold: float | None = None
    runs: bool = False
    whole: bool = False  # Whether all sample ids are kept, to be compared one by one
    # Columns added up of which cells may be absent: the others are added, and counted beside them.
    # None may be negative: their sum is -inf.
    costs: tuple[str, ...] = ()


def name_known_cells(column: str) -> str:
    "Under what name it is kept how many cells of a column of costs are known."
    return f"{column}, known"


# From a batch and some of its rows, None for all, to the row and the id of each of their samples.
ListSamples = Callable[["Batch", np.ndarray | None], tuple[np.ndarray, np.ndarray] | None]


@dataclass(frozen=True, eq=False)
class Batch:
    "Rows of a table, or rows that an engine has counted: arrays of shape `(R,)`."
    parts: Mapping[str, np.ndarray]  # Values by part, from `tidy`
    times: np.ndarray  # Samples behind each row
    place: Callable[[str, int], str]  # Part and position to words for where a value stands
    added: Mapping[str, np.ndarray] = field(default_factory=dict)  # Sums over the samples of a row
    draws: np.ndarray | None = None  # Sample numbers as sets of bits, shape `(R, 3)`
    in_order: bool = True  # Whether rows stand in the order of the data
    marks: np.ndarray | None = None  # Sum of hashes of the samples of a row, where an engine counts
    check_repeats: Callable[[np.ndarray, Batch], None] | None = None  # Of an engine
    find_first: Callable[[str, np.ndarray], int] | None = None  # Which of some rows comes first
    list_samples: ListSamples | None = None  # Sample ids of some rows that an engine has counted

    def __len__(self) -> int: return len(self.times)


Head = Callable[[Sequence[str], int], dict[str, np.ndarray]]  # Columns and rows wanted


@dataclass(frozen=True, eq=False)
class Source:
    "Something with columns that can be taken as a batch."
    columns: list[str]  # Names of the columns
    take: Callable[[Mapping[str, str], Keep], Batch]  # Maps column of each part to a batch
    what: str = ""  # Words for the origin
    verb: str = "read"  # What is done to it: read or counted
    files: tuple[str, ...] = ()  # Files behind it
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # Columns of a part, if told
    sizes: tuple[int, ...] = ()  # Rows of each file; empty where an engine counts them
    head: Head | None = None  # Columns of the first rows, where taking all would be costly
    holds_lists: Callable[[str], bool] | None = None  # Of a column; None: its cells show it
    plain: Callable[[], list[Source]] | None = None  # The rows one by one, where they are counted
    tells_files: bool = False  # Whether it takes `FILE` for a column, as engines do


def list_columns(
    sources: Sequence[Source],  # Sources of one table
) -> list[str]:  # Names of their columns, each once
    "The columns of a table in the order in which they first appear."
    return list(dict.fromkeys(column for source in sources for column in source.columns))


def place_samples(
    place: Mapping[tuple, int],  # A row of a batch by its names down to the question, as text
    found: Sequence[tuple],  # The same names of some samples, and then their ids
) -> tuple[np.ndarray, np.ndarray]:  # Row and id of each sample whose row is there
    "The row of the batch to which each sample belongs."
    held = [(row, name[-1]) for name in found if (row := place.get(name[:-1])) is not None]
    rows, ids = zip(*held) if held else ((), ())
    return np.array(rows, np.int64), np.fromiter(ids, object, len(ids))


def place_row(part: str, row: int) -> str: return f"at row {row}"


def batch_of(
    parts: Mapping[str, np.ndarray],  # Values by part, one row per sample
    place: Callable[[str, int], str] = place_row,  # Words for where a row stands
) -> Batch:  # The same as a batch
    "Rows that stand for one sample each."
    return Batch(parts, np.ones(len(parts["question"]), np.int64), place)


def take_column(
    source: Source,  # One of several sources
    part: str,  # What it is read as, which tells how the text of a CSV cell is typed
    column: str,  # Name of the column
) -> np.ndarray:
    "The values of one column."
    return source.take({"question": column, part: column}, Keep()).parts[part]


def zip_columns(
    source: Source,  # One of several sources
    columns: Sequence[str],  # Names of its columns
) -> Iterator[tuple]:
    "The values of some columns, row by row."
    return zip(*(take_column(source, "answer", column).tolist() for column in columns))


def take_here(
    source: Source,  # One of several sources
    chosen: Mapping[str, str],  # Column of each part in all of them
    keep: Keep,  # What is kept
) -> Batch:  # Its rows; a part that it lacks is absent
    "What a source holds of the chosen columns."
    here = {part: column for part, column in chosen.items() if column in source.columns}
    of_file = [part for part, column in chosen.items() if column == FILE]
    if "question" in here and source.verb == "read" and not source.tells_files:
        return add_files(source, source.take(here, keep), of_file)
    if "question" in here: return source.take(here | dict.fromkeys(of_file, FILE), keep)
    raise no_column("question", chosen["question"], source.columns)


def add_files(source: Source, batch: Batch, parts: list[str]) -> Batch:
    "The same rows with the file of each under some parts."
    if not parts: return batch
    files = np.array(source.files, object)
    column = np.repeat(files, source.sizes or len(batch))
    return replace(batch, parts={**batch.parts, **dict.fromkeys(parts, column)})


def join_batches(
    batches: list[Batch],  # Batches one after another
) -> Batch:  # All their rows
    "One batch from several; a part that is absent somewhere is missing there."
    if len(batches) == 1: return batches[0]
    stack = Stack(batches, np.cumsum(list(map(len, batches))).tolist())
    times = np.concatenate([batch.times for batch in batches])
    draws = join_present([batch.draws for batch in batches])
    marks = join_present([batch.marks for batch in batches])
    return Batch(join_parts(batches), times, stack.place, join_added(batches), draws,
                 batches[0].in_order, marks, find_first=stack.find_first)


@dataclass(frozen=True, eq=False)
class Stack:
    "Batches one after another, and the row at which each ends."
    batches: list[Batch]
    ends: list[int]

    def find(self, row: int) -> tuple[Batch, int]:
        "The batch in which a row stands, and the row at which that batch starts."
        i = bisect_right(self.ends, row)
        return self.batches[i], self.ends[i] - len(self.batches[i])

    def place(self, part: str, row: int) -> str:
        "Words for where a value stands."
        batch, start = self.find(row)
        return batch.place(part, row - start)

    def find_first(self, part: str, some: np.ndarray) -> int:
        "Which of some rows comes first: of the first batch that has any, as that batch knows."
        batch, start = self.find(int(some.argmax()))
        here = some[start:start + len(batch)]
        first = here.argmax() if batch.find_first is None else batch.find_first(part, here)
        return start + int(first)


def join_parts(batches: list[Batch]) -> dict[str, np.ndarray]:
    names = dict.fromkeys(part for batch in batches for part in batch.parts)
    return {part: join_arrays([fill_part(batch, part) for batch in batches]) for part in names}


def fill_part(batch: Batch, part: str) -> np.ndarray:
    return batch.parts[part] if part in batch.parts else np.full(len(batch), None)


def join_added(batches: list[Batch]) -> dict[str, np.ndarray]:
    names = dict.fromkeys(name for batch in batches for name in batch.added)
    return {name: np.concatenate([b.added.get(name, np.zeros(len(b))) for b in batches])
            for name in names}
