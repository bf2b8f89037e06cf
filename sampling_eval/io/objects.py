"""Objects of other libraries: Hugging Face datasets, and frames of inspect_ai."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .frames import frame_source
from .options import Options
from .tabular import Batch, Keep, Source
from .values import tidy

__all__ = ["is_dataset", "dataset_source", "suit_inspect", "name_known"]

OF_INSPECT = {"sample_id", "eval_id", "id", "epoch"}  # What `samples_df` always writes


# Hugging Face datasets.

def is_dataset(data: object) -> bool:
    "Whether something is made by the library `datasets`."
    return type(data).__module__.partition(".")[0] == "datasets"


def dataset_source(
    data: Any,  # `datasets.Dataset`
) -> Source:  # Its rows, of which only the columns that are needed are touched
    """A Hugging Face dataset.

    Raises: `TypeError` for several splits, or one that is streamed.
    """
    kind = type(data).__name__
    if isinstance(data, Mapping):
        splits = ", ".join(map(repr, data))
        raise TypeError(f"need one Dataset, got a {kind} of {splits}; pass one of them, such as "
                        f"data[{next(iter(data), 'test')!r}]")
    if not hasattr(data, "with_format") or not hasattr(data, "__len__"):
        raise TypeError(f"need a Dataset that is not streamed, got {kind}; load it without "
                        "streaming=True, or pass list(data)")

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        wanted = data.select_columns(list(dict.fromkeys(chosen.values())))
        found = frame_source(wanted.with_format("arrow")[:])
        assert found is not None
        return found.take(chosen, keep)
    return Source(list(data.column_names), take, "a Hugging Face Dataset")


# Frames of inspect_ai.

def suit_inspect(
    source: Source,  # Any frame
) -> Source:  # The same; of inspect's `samples_df`, with columns that play a known part
    "A frame of samples of inspect_ai has an `id` for the question and letters for scores."
    if not OF_INSPECT <= set(source.columns): return source
    scores = tuple(c for c in source.columns if str(c).startswith("score_"))

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        batch = source.take(chosen, keep)
        if chosen.get("score") not in scores: return batch
        return replace(batch, parts={**batch.parts, "score": read_letters(batch.parts["score"])})
    known = dict(question=("id",), sample=("epoch",), score=scores)
    return replace(source, take=take, known=known)


def read_letters(values: np.ndarray) -> np.ndarray:
    "Scores as numbers, by the letters and words of inspect_ai; other text stays for the checks."
    from .harness.inspect_ai import WORDS
    found = values.tolist()
    known = {v: WORDS.get(v, WORDS.get(v.lower(), v)) for v in found if isinstance(v, str)}
    return tidy([known[v] if isinstance(v, str) else v for v in found])


def name_known(
    source: Source,  # Source that may know its columns
    options: Options,  # What the caller named goes first
) -> Options:  # The same with the columns that are known
    """Options that name the columns a source is known to have.

    Raises: `ValueError` where several could be the score.
    """
    named = dict(options.columns)
    for part, columns in source.known.items():
        if part in named or part == "score" and isinstance(named.get("correct"), str): continue
        if len(columns) > 1:
            ways = " or ".join(f"{part}={c!r}" for c in columns)
            raise ValueError(f"{part} must be one column, got {' and '.join(map(repr, columns))}; "
                             f"pass {ways}")
        if columns: named[part] = columns[0]
    return replace(options, columns=named)
