"""`count` and `merge`: count a table once, keep it small, add runs."""
from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Unpack

from ...arguments import checked
from ...errors import OptionError
from ...spelling import option
from ...parameters import Reading
from ...reading.counted import CountedRows, holds_paths
from ...reading.counts_file import merge_rows, write_counts
from ...reading.load import read, read_run


@checked
def count(
    data: Any,  # Path, glob or folder, frame, columns, rows, or counted rows
    path: str | PathLike[str] | None = None,  # Counts file to write, such as `counts.parquet`
    **reading: Unpack[Reading],  # Columns, `threshold=`, and `harness=`, ... for logs
) -> CountedRows:  # Counted rows of all models
    """A table counted once, and kept in a small file if a path is given.

    Parameters:
        data     Path, glob or folder, frame, columns, rows, or counted rows
        path     Counts file to write, such as `counts.parquet`
        reading  Columns, `threshold=`, and `harness=`, ... for logs (see `read`): missing,
                 samples_per_question, no_answer, normalize, scale, conflict, question, sample,
                 correct, answer, score, model, cluster, expected, keys, threshold, ignore, failed,
                 sums, harness, task, filter, grade, files_hold, limits
        return   Counted rows of all models

    Raises: as `score`, and `OSError` if the file cannot be written.
    """
    rows = data if isinstance(data, CountedRows) and not reading else read(data, **reading)
    if path is not None: write_counts(path, rows)
    return rows


def merge(
    *runs: Any,  # What `count` takes: paths, frames, arrays, or counted rows
    path: str | PathLike[str] | None = None,  # Counts file to write
    separate: bool = False,  # Whether equal sample names in different runs are different samples
    union: bool = False,  # Whether runs may cover different questions
) -> CountedRows:  # Their sum
    """Runs of the same questions, added.

    Parameters:
        runs      What `count` takes: paths, frames, arrays, or counted rows
        path      Counts file to write
        separate  Whether equal sample names in different runs are different samples
        union     Whether runs may cover different questions
        return    Their sum

    Raises: `ValueError` if a sample or a file would be counted twice, or the questions differ.
    """
    if not separate: refuse_one_object(runs)
    return count(merge_rows(*map(read_run, runs), separate=separate, union=union), path)


def refuse_one_object(runs: Sequence[Any]) -> None:
    "Refuse a run that was handed over twice; paths are known by their content."
    seen: dict[int, int] = {}
    for i, run in enumerate(runs):
        first = seen.setdefault(id(run), i)
        if first == i or holds_paths(run): continue
        raise OptionError("separate", "each sample must appear once",
                          found=f"one {type(run).__name__} as run {first + 1} and as run {i + 1}",
                          hint=f"if these are separate draws, pass {option('separate', True)}")
