"""Frames of any library, and data sets of Hugging Face."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import OptionError
from ..spelling import option
from ..extras import need
from .columns import Batch, Keep, Source, batch_of
from .options import Options
from .values import tidy

if TYPE_CHECKING: import narwhals.stable.v2 as nw

__all__ = ["frame_source", "is_dataset", "dataset_source", "suit_inspect", "name_known"]

MANY = 100_000  # Rows of a frame that are all looked at
OF_INSPECT = {"sample_id", "eval_id", "id", "epoch"}  # What `samples_df` always writes


def frame_source(data: Any) -> Source | None:  # The frame, or None if it is none
    "A frame: eager ones are read as they stand, lazy ones are counted by DuckDB."
    nw: Any = need("narwhals.stable.v2", "frames")
    frame = nw.from_native(data, pass_through=True)
    what = f"a {type(data).__module__.split('.')[0]} {type(data).__name__}"
    if isinstance(frame, nw.DataFrame): return eager_source(frame, what)
    return lazy_source(frame, what) if isinstance(frame, nw.LazyFrame) else None


def eager_source(frame: nw.DataFrame, what: str) -> Source:
    "A frame in memory."
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return take_parts(frame, chosen)

    def see_first(wanted: Sequence[str], size: int) -> dict[str, np.ndarray]:
        return {c: tidy_series(frame[c].head(size)) for c in wanted}

    def see_whole(wanted: Sequence[str], question: str,
                  names: Sequence) -> dict[str, np.ndarray]:
        known = set(names)
        mask = [value in known for value in tidy_series(frame[question]).tolist()]
        return tidy_table(frame.filter(mask).select(*wanted))
    if len(frame) <= MANY: return Source(frame.columns, take, what)
    return Source(frame.columns, take, what, head=see_first, whole=see_whole)


def lazy_source(frame: nw.LazyFrame, what: str) -> Source:
    """A frame whose engine hands over the columns that are needed, batch by batch.

    DuckDB holds and counts them, so that a lazy frame is read as a file of the same rows is.
    """
    kinds = frame.collect_schema()

    def hold(columns: Iterable[str]) -> Source:
        from .duckdb.engine import batches_source
        chosen = frame.select(*map(plain_cell, dict.fromkeys(columns)))
        empty = chosen.head(0).collect("pyarrow").to_native()
        return batches_source(empty, list_batches(chosen), what)

    def plain_cell(column: str) -> Any:
        import narwhals.stable.v2 as nw
        # Arrow has no numbers of 128 bits.
        wide = kinds[column] in (nw.Int128, nw.UInt128)
        return nw.col(column).cast(nw.String) if wide else nw.col(column)

    def count(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return hold(chosen.values()).take(chosen, keep)

    def see_first(wanted: Sequence[str], size: int) -> dict[str, np.ndarray]:
        return tidy_table(frame.select(*wanted).head(size).collect())

    def see_whole(wanted: Sequence[str], question: str,
                  names: Sequence) -> dict[str, np.ndarray]:
        whole = hold([*wanted, question]).whole
        assert whole is not None
        return whole(wanted, question, names)

    def fetch(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return take_parts(frame.select(*dict.fromkeys(chosen.values())).collect(), chosen)
    return Source(kinds.names(), count, what, "counted", head=see_first,
                  whole=see_whole,
                  holds_lists=lambda column: kinds[column].is_nested(),
                  plain=lambda: [Source(kinds.names(), fetch, what)])


def list_batches(frame: nw.LazyFrame) -> Iterator[Any]:
    "The rows of a lazy frame as tables of Arrow, as many at a time as its engine hands over."
    native: Any = frame.to_native()
    if hasattr(native, "collect_batches"):  # Polars
        for batch in native.collect_batches(maintain_order=True): yield batch.to_arrow()
    elif hasattr(native, "partitions"):  # Dask
        import narwhals.stable.v2 as nw
        for part in native.partitions:
            yield nw.from_native(part.compute(), eager_only=True).to_arrow()
    else: yield frame.collect("pyarrow").to_native()


def take_parts(frame: nw.DataFrame, chosen: Mapping[str, str]) -> Batch:
    return batch_of({part: tidy_series(frame[c]) for part, c in chosen.items()})


def tidy_table(frame: nw.DataFrame) -> dict[str, np.ndarray]:
    return {name: tidy_series(series) for name, series in frame.to_dict().items()}


def tidy_series(series: nw.Series) -> np.ndarray:
    import narwhals.stable.v2 as nw
    kind, whole = series.dtype, not series.is_null().any()
    wide = kind in (nw.Int128, nw.UInt128)  # Which numpy has not
    if kind.is_float() or whole and (kind.is_integer() and not wide or kind == nw.Boolean):
        return tidy(np.asarray(series.to_numpy()))
    null = series.is_null().to_list()
    return tidy([None if absent else value for value, absent in zip(series.to_list(), null)])


# Hugging Face datasets.

def is_dataset(data: object) -> bool:
    "Whether something is made by the library `datasets`."
    return type(data).__module__.partition(".")[0] == "datasets"


def dataset_source(data: Any) -> Source:
    """A Hugging Face dataset, of which only the columns that are needed are touched.

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

def suit_inspect(source: Source) -> Source:
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
    from .logs.inspect_ai import WORDS
    found = values.tolist()
    known = {v: WORDS.get(v, WORDS.get(v.lower(), v)) for v in found if isinstance(v, str)}
    return tidy([known[v] if isinstance(v, str) else v for v in found])


def name_known(source: Source, options: Options) -> Options:
    """Options that name the columns a source is known to have.

    Raises: `ValueError` where several could be the score.
    """
    named = dict(options.columns)
    for part, columns in source.known.items():
        if part in named or part == "score" and isinstance(named.get("correct"), str): continue
        if len(columns) > 1:
            raise OptionError(
                part, f"ambiguous: {' or '.join(map(repr, columns))} could be the {part}",
                choices=columns, hint=f"pass {' or '.join(option(part, c) for c in columns)}")
        if columns: named[part] = columns[0]
    return replace(options, columns=named)
