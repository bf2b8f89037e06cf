"""Files of NumPy: an array costs what it holds, and what is packed is believed within limits."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from os.path import basename, getsize
from typing import Any

import numpy as np

from ..results.reading import ReadNote
from .columns import Batch, FILE, Keep, Source, join_batches
from .logs.limits import Limits, tell_excess
from .objects import OUTCOME, SCORE, rows_of_array, rows_source
from .sample_ids import BITS, WORDS
from .shapes import PLACE, ROW

__all__ = ["array_source"]

WRITE = "write numbers, such as np.save(file, outcomes.astype(int))"


def array_source(
    files: list[str],  # Files of arrays
    keys: str | None,  # What the names of arrays are
    limits: Limits = Limits(),  # How many bytes are believed of those that are packed
) -> Source:  # Their rows
    """The samples of arrays, of which the rows are questions.

    Raises: `ValueError` for a file that holds Python objects, or is none of NumPy.
    """
    arrays = [load_array(file, limits) for file in files]
    if all(map(is_matrix, arrays)): return matrix_source(files, arrays)
    tables = [rows_of_array(array, basename(file), keys) for file, array in zip(files, arrays)]
    source = rows_source([row for table in tables for row in table])
    return Source(source.columns, source.take, files=tuple(files), sizes=tuple(map(len, tables)))


def load_array(file: str, limits: Limits) -> Any:
    "The array of a file, which stays there until it is looked at, or the arrays by their names."
    if file.lower().endswith(".npz"): refuse_bomb(file, limits)
    try:
        found = np.load(file, mmap_mode="r")
        if not isinstance(found, Mapping): return found
        arrays = dict(found)
        return next(iter(arrays.values())) if len(arrays) == 1 else arrays
    except ValueError as error:
        told = str(error).lower()
        if "pickle" not in told and "python objects" not in told:
            raise ValueError(tell_odd(file, error)) from None
        raise ValueError(f"{file!r} holds Python objects, which are not read; {WRITE}") from None
    except Exception as error: raise ValueError(tell_odd(file, error)) from None


def refuse_bomb(file: str, limits: Limits) -> None:
    "Refuse arrays that unpack to more than is believed."
    import zipfile  # Few data are arrays
    try:
        with zipfile.ZipFile(file) as held: size = sum(one.file_size for one in held.infolist())
    except zipfile.BadZipFile as error: raise ValueError(tell_odd(file, error)) from None
    most = max(limits.free, limits.ratio * getsize(file))
    if size > most: raise ValueError(tell_excess("unpacked arrays", most, file, "ratio"))


# An array of which each row is a question and each column a sample.

BLOCK = 2**20  # Cells that are looked at together


def is_matrix(data: Any) -> bool:
    return isinstance(data, np.ndarray) and data.ndim == 2 and data.dtype.kind in "biuf" \
        and bool(data.size)


def matrix_source(files: list[str], arrays: Sequence[np.ndarray]) -> Source:
    "Arrays as they stand: what is held of outcomes is their counts, block by block."
    part = OUTCOME if all(map(are_outcomes, arrays)) else SCORE

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        # Of several files it is asked whether a sample stands in two of them.
        plain = len(files) == 1 and part == OUTCOME and "score" not in chosen
        fill = count_block if plain and arrays[0].shape[1] <= BITS * WORDS else spread_block
        batches = [fill(array[at:at + step], at, file, chosen) for file, array in zip(files, arrays)
                   for step in [max(1, BLOCK // array.shape[1])]
                   for at in range(0, len(array), step)]
        return join_batches(batches)
    notes = ReadNote("lists", (part,)), ReadNote("row_numbers")
    return Source([ROW, PLACE, part], take, files=tuple(files), tells_files=True, notes=notes,
                  known={"question": (ROW,), "sample": (PLACE,)})


def list_blocks(array: np.ndarray) -> Iterator[np.ndarray]:
    step = max(1, BLOCK // array.shape[1])
    return (np.asarray(array[at:at + step]) for at in range(0, len(array), step))


def are_outcomes(array: np.ndarray) -> bool:
    "Whether nothing but 0 and 1 stands in an array, some of which may be missing."
    return all(((block == 0) | (block == 1) | (block != block)).all()
               for block in list_blocks(array))


def count_block(block: np.ndarray, start: int, file: str, chosen: Mapping[str, str]) -> Batch:
    "Right, wrong and missing samples of some questions, with the numbers of those of each kind."
    sides = np.stack([block == 1, block == 0, block != block], 1)
    times = sides.sum(2)
    question, side = np.nonzero(times)
    outcome = np.array([1., 0., np.nan])[side]
    columns = {ROW: question + start, PLACE: question * 0, OUTCOME: outcome}
    draws = None
    if "sample" in chosen:
        words = np.arange(block.shape[1])
        bits = np.zeros((block.shape[1], WORDS), np.int64)
        bits[words, words // BITS] = np.int64(1) << (words % BITS)
        draws = sides[question, side].astype(np.int64) @ bits
    parts = take_cells(columns, file, {name: c for name, c in chosen.items() if name != "sample"})
    return Batch(parts, times[question, side], partial(place_question, file, question + start),
                 draws=draws)


def spread_block(block: np.ndarray, start: int, file: str, chosen: Mapping[str, str]) -> Batch:
    "The samples of some questions one by one."
    questions, samples = block.shape
    question = np.repeat(np.arange(start, start + questions), samples)
    values = np.ascontiguousarray(block).ravel()
    columns = {ROW: question, PLACE: np.tile(np.arange(samples), questions), OUTCOME: values,
               SCORE: values}
    parts = take_cells(columns, file, chosen)
    return Batch(parts, np.ones(len(question), np.int64), partial(place_question, file, question))


def take_cells(columns: Mapping[str, np.ndarray], file: str,
               chosen: Mapping[str, str]) -> dict[str, np.ndarray]:
    held = dict(columns)
    if FILE in chosen.values(): held[FILE] = np.full(len(columns[ROW]), file, object)
    return {part: held[column] for part, column in chosen.items()}


def place_question(file: str, question: np.ndarray, part: str, row: int) -> str:
    return f"at row {question[row] + 1} of {basename(file)}"


def tell_odd(file: str, error: Exception) -> str:
    return f"cannot read {file!r}: {str(error).splitlines()[0] if str(error) else 'damaged'}"
