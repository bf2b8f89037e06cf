"""Tables of outcomes in memory: which data are one, missing samples, and means of runs."""
from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from ..errors import OptionError, option
from ..foundations.counts import Counts, counts_of
from ..results.reading import ReadNote
from .columns import Batch, COLUMNS, Keep, Source, simplify, take_column, take_here
from .options import Policy, missing_error
from .values import is_absent, read_written

__all__ = ["holds_outcomes", "holds_paths", "is_tensor", "array_of", "count_outcomes",
           "place_outcomes", "is_written_count", "read_written_count", "RunMeans", "find_means",
           "refuse_means", "take_means"]

WRITTEN = r"\s*([+-]?\d+)\s*/\s*([+-]?\d+)\s*"  # Right questions and all of them
MOST_WRITTEN = 10**7
WIDEST = 2**10  # Samples of a question up to which their places are kept
FILLED = {"wrong": [False], "right": [True], "drop": []}  # In place of a sample without outcome


def holds_outcomes(data: Any) -> bool:
    "Whether the data are counts or a table of 0/1."
    if is_written_count(data): return True
    if isinstance(data, (Counts, np.ndarray)): return True
    return isinstance(data, (list, tuple)) and len(data) > 0 and not isinstance(
        data[0], (str, PathLike, Mapping))


def is_written_count(
    data: object,  # Anything
) -> bool:  # Whether it is a text such as `26/30`; a file of that name is a file
    "Whether the data are the right questions of so many, written as a fraction."
    if not isinstance(data, str) or not re.fullmatch(WRITTEN, data, re.ASCII): return False
    return not os.path.exists(data)


def read_written_count(
    text: str,  # Such as `26/30`
    option: str = "data",  # What it was given for
) -> tuple[int, int]:  # Right ones, and all
    """The right questions of so many.

    Raises: `ValueError` unless there is a question, and no more right ones than there are.
    """
    found = re.fullmatch(WRITTEN, text, re.ASCII)
    assert found is not None
    right, count = map(int, found.groups())
    if not 1 <= count <= MOST_WRITTEN or not 0 <= right <= count:
        raise OptionError(option, f"right/questions needs 0 <= right <= questions, and 1 to "
                                  f"{MOST_WRITTEN:,} questions", found=repr(text),
                          hint="26/30 is 26 right of 30 questions with one sample each")
    return right, count


def holds_paths(data: object) -> bool:
    "Whether the data are named by paths."
    if isinstance(data, (str, PathLike)): return True
    several = isinstance(data, (list, tuple)) and len(data) > 0
    return several and all(isinstance(item, (str, PathLike)) for item in data)  # type: ignore


def is_tensor(
    data: object,  # Anything
) -> bool:  # Whether it is an array of another library than numpy, and no frame
    "Whether something follows the array protocols."
    if isinstance(data, np.ndarray) or not hasattr(data, "shape"): return False
    if hasattr(data, "__dlpack__"): return True
    flat = not hasattr(data, "columns") and len(data.shape) == 2
    return flat and hasattr(data, "__array__")


def array_of(
    data: Any,  # Tensor
) -> np.ndarray:  # The same numbers
    """A tensor as an array.

    Raises: `TypeError` if it lies on another device, or numpy has no such type.
    """
    try: return np.asarray(data) if hasattr(data, "__array__") else np.from_dlpack(data)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise TypeError(tell_unreadable_tensor(data, str(error).splitlines()[0])) from None


def tell_unreadable_tensor(data: Any, reason: str) -> str:
    kind = f"{type(data).__module__.partition('.')[0]} {type(data).__name__}"
    device = str(getattr(data, "device", "cpu"))
    if device.lower().startswith("cpu"):
        return (f"need a tensor that numpy can read, got a {kind} ({reason.rstrip('.')}); "
                "convert it first, such as data.detach().to_dense().int()")
    way = "cpu" if hasattr(data, "cpu") else "get"
    return f"a tensor must lie in main memory, got a {kind} on {device}; pass data.{way}()"


def count_outcomes(
    data: Any,  # `Counts`, or outcomes by question; `None` or NaN for a sample without one
    policy: Policy,  # What a sample without an outcome counts as
) -> Counts:
    """Counts of a table of outcomes.

    Raises: `ValueError` for samples without an outcome unless a policy is chosen.
    """
    if is_written_count(data):
        right, count = read_written_count(data)
        return Counts(np.ones(count, np.int64), (np.arange(count) < right).astype(np.int64))
    rows = list_outcomes(data)
    missing = np.array([sum(map(is_absent, row)) for row in rows], np.int64)
    if not missing.any(): return counts_of(data)
    if policy.missing == "raise":
        raise missing_error(np.arange(len(rows)), missing, np.zeros_like(missing))
    filling = suit_filling(FILLED[policy.missing], rows)
    filled = [fill_absent(row, filling) for row in rows]
    if empty := [i for i, row in enumerate(filled) if not row]:
        raise OptionError("missing", "every question needs a sample with an outcome", found="none",
                          where=f" at question {empty[0]} ({len(empty)} of {len(rows)} fail)",
                          hint=f"pass {option('missing', 'wrong')}, or leave it out of all")
    return replace(counts_of(filled), missing=missing)


def place_outcomes(
    data: Any,  # `Counts`, or outcomes by question that `count_outcomes` takes
) -> np.ndarray | None:  # Shape `(Q, n)`; None for counts
    "Outcomes by question and place: 1, 0, NaN without an outcome, -1 where there is no sample."
    if isinstance(data, (Counts, str)): return None
    if isinstance(data, np.ndarray) and data.ndim == 2:
        return data if data.shape[1] <= WIDEST else None
    rows = [np.atleast_1d(np.array(row, float)) for row in data]
    width = max(map(len, rows))
    if width > WIDEST: return None
    places = np.full((len(rows), width), -1.)
    for row, place in zip(rows, places): place[:len(row)] = row
    return places


def suit_filling(filling: list[bool], rows: Sequence[Sequence[Any]]) -> list[int]:
    "A filling of the kind of the outcomes: flags and numbers in one table are refused."
    flags = any(isinstance(value, (bool, np.bool_)) for row in rows for value in row)
    return list(map(bool if flags else int, filling))


def list_outcomes(data: Any) -> Sequence[Sequence[Any]]:
    "The samples of each question, where some may have no outcome; none where all have one."
    if isinstance(data, np.ndarray):
        whole = data.ndim != 2 or data.dtype.kind not in "fO"
        if whole or data.dtype.kind == "f" and not np.isnan(data).any(): return []
        return list(data.tolist())
    if isinstance(data, Counts): return []
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in data]
    return rows if all(isinstance(row, (list, tuple)) for row in rows) else []


def fill_absent(row: Sequence[Any], filling: list[int]) -> list[Any]:
    "The outcomes of a question, with a filling for each that is not there."
    return [one for value in row for one in (filling if is_absent(value) else [value])]


# Tables of which a row is the mean of a whole run, such as an accuracy per seed.


ALL = "all questions"
MEANS = set("accuracy acc mean_accuracy avg_accuracy mean_acc avg_acc accuracy_mean mean "
            "mean_score pass@1 pass_at_1 pass_1".split())
SIZES = set("questions num_questions n_questions question_count n size total num_examples "
            "examples problems".split())
SEEDS = set("seed run run_id epoch trial repeat repetition rep replicate attempt".split())
RunMeans = tuple[str, str, str]  # Columns of the run, its mean, and its questions (empty: none)


def find_means(
    source: Source,  # A table as it stands
    columns: Sequence[str],  # Its columns without those that are ignored
    named: Mapping[str, str | bool],  # Columns that the caller named
) -> RunMeans | None:
    "The columns of a table of run means, where it holds nothing else."
    if "question" in named or source.verb != "read": return None
    runs, means, sizes = ([c for c in columns if simplify(c) in known]
                          for known in (SEEDS, MEANS, SIZES))
    models = [c for c in columns if simplify(c) in COLUMNS["model"]]
    if len(runs) != 1 or len(means) != 1 or len(sizes) > 1: return None
    if {*columns} != {*runs, *means, *sizes, *models}: return None
    values = read_written(take_column(source, "score", means[0]))[0]
    if values.dtype.kind != "f" or not ((0 <= values) & (values <= 1)).all(): return None
    if not ((0 < values) & (values < 1)).any(): return None
    return runs[0], means[0], sizes[0] if sizes else ""


def refuse_means(found: RunMeans) -> None:
    "Say that nothing can be said of new questions."
    raise OptionError("target", f"each row is the {found[1]} of a whole run, which tells how runs "
                                "differ and nothing of new questions",
                      ways=[dict(target="same_questions")])


def take_means(
    source: Source,  # A table of run means
    found: RunMeans,  # Its columns
) -> tuple[Source, dict[str, str | bool], ReadNote]:  # With all questions as one; parts; a note
    "Runs as samples of one question that stands for all."
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        whole = {part: name for part, name in chosen.items() if name != ALL}
        base = take_here(source, {"question": found[0]} | whole, keep)
        names = np.full(len(base), ALL, object)
        return replace(base, parts={part: names if name == ALL else base.parts[part]
                                    for part, name in chosen.items()})
    parts: dict[str, str | bool] = dict(question=ALL, sample=found[0], score=found[1],
                                        correct=False)
    sizes = set(take_column(source, "score", found[2]).tolist()) if found[2] else set()
    count = int(sizes.pop()) if len(sizes) == 1 else None
    unfolded = replace(source, columns=[*source.columns, ALL], take=take, head=None, plain=None)
    return unfolded, parts, ReadNote("run_means", (found[1],), count=count)
