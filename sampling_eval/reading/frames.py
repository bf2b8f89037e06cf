"""Tables in memory, and frames that are reduced by the engine that holds them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..extras import need
from .check import Repeated, tell_repeat
from .columns import is_mark
from .draws import BITS, WORDS, count_bits, join_bits
from .identity import join_names, list_keys
from .tabular import Batch, Keep, Source, batch_of
from .values import tidy

if TYPE_CHECKING: import narwhals.stable.v2 as nw

__all__ = ["rows_source", "columns_source", "frame_source"]

MANY = 100_000  # Rows of a frame that are all looked at
FEW = 1000  # Different scores that are kept apart without being asked for


def rows_source(
    rows: list[dict],  # One dict per sample
) -> Source:  # Their columns
    "A list of dict rows."
    columns = list(dict.fromkeys(chain.from_iterable(rows)))

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: tidy([row.get(c) for row in rows]) for part, c in chosen.items()})
    return Source(columns, take, "a list of rows")


def columns_source(
    data: Mapping,  # Columns of one length by name
) -> Source:  # The same
    """A dict of columns.

    Raises: `TypeError` unless each is a list or an array, `ValueError` unless all have one length.
    """
    for name, column in data.items():
        if isinstance(column, (str, bytes, Mapping)) or not hasattr(column, "__len__"):
            raise TypeError("every column must be a list or an array, "
                            f"got {column!r} for {name!r}")
    sizes = {name: len(column) for name, column in data.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"columns must have one length, got {str(sizes)[1:-1]}")

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: tidy(data[c]) for part, c in chosen.items()})
    return Source(list(data), take, "a dict of columns")


def frame_source(
    data: Any,  # Frame of a library that narwhals knows
) -> Source | None:  # The frame, or None if it is none
    "A frame: eager ones are read as they stand, lazy ones are counted by their own engine."
    nw: Any = need("narwhals.stable.v2", "frames")
    frame = nw.from_native(data, pass_through=True)
    what = f"a {type(data).__module__.split('.')[0]} {type(data).__name__}"
    if isinstance(frame, nw.DataFrame):
        def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
            return batch_of({part: tidy_series(frame[c]) for part, c in chosen.items()})

        def see_first(wanted: Sequence[str], size: int) -> dict[str, np.ndarray]:
            return {c: tidy_series(frame[c].head(size)) for c in wanted}
        return Source(frame.columns, take, what, head=see_first if len(frame) > MANY else None)
    if not isinstance(frame, nw.LazyFrame): return None

    def count(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return count_lazy(frame, chosen, keep, what)
    def see(wanted: Sequence[str], size: int) -> dict[str, np.ndarray]:
        return {c: tidy_series(column) for c, column in
                collect(frame.select(*wanted).head(size)).to_dict().items()}

    def fetch(chosen: Mapping[str, str], keep: Keep) -> Batch:
        table = collect(frame.select(*dict.fromkeys(chosen.values())))
        return batch_of({part: tidy_series(table[c]) for part, c in chosen.items()})
    kinds = frame.collect_schema()
    return Source(kinds.names(), count, what, "counted", head=see,
                  holds_lists=lambda column: kinds[column].is_nested(),
                  plain=lambda: [Source(kinds.names(), fetch, what)])


def tidy_series(series: nw.Series) -> np.ndarray:
    import narwhals.stable.v2 as nw
    kind, whole = series.dtype, not series.is_null().any()
    if kind.is_float() or whole and (kind.is_integer() or kind == nw.Boolean):
        return tidy(np.asarray(series.to_numpy()))
    null = series.is_null().to_list()
    return tidy([None if absent else value for value, absent in zip(series.to_list(), null)])


# Lazy frames.

def count_lazy(frame: nw.LazyFrame, chosen: Mapping[str, str], keep: Keep, what: str) -> Batch:
    "Equal rows of a lazy frame, counted in one pass."
    import narwhals.stable.v2 as nw
    kinds = frame.collect_schema()
    for part, column in chosen.items(): refuse_kind(part, column, kinds[column])
    frame = frame.select(**{part: nw.col(column) for part, column in chosen.items()})
    single = "score" in chosen and keeps_scores(frame, chosen, keep)
    frame, keys = prepare_scores(frame, chosen, keep, single)
    numbered = "sample" in chosen and kinds[chosen["sample"]].is_integer()
    bits = bit_columns() if numbered else {}
    sums = ["total", "scored"] if "score" in chosen and not single else []
    sums += [part for part in chosen if part.startswith("sum ")]
    table = add_groups(frame, keys, sums, bits)
    times = table["times"].astype(np.int64)
    added = {name: read_sum(name, table, times) for name in sums}
    draws = join_words([table[name] for name in bits]) if bits else None

    def check(pair: np.ndarray, batch: Batch) -> None: check_lazy(frame, pair, batch, kinds, chosen)
    return Batch({part: table[part] for part in keys if part in table}, times,
                 lambda part, row: f"in {what}", added, draws, False,
                 check_repeats=check if "sample" in chosen else None)


def add_groups(frame: nw.LazyFrame, keys: Sequence[str], sums: Sequence[str],
               bits: Mapping[str, nw.Expr]) -> dict[str, np.ndarray]:
    "Rows with equal keys, what they add up to, and how many cells of each sum are known."
    import narwhals.stable.v2 as nw
    if bits: frame = frame.with_columns(**bits)
    groups = frame.group_by(keys).agg(
        nw.len().alias("times"), *(nw.col(name).sum() for name in [*sums, *bits]),
        *(nw.col(name).count().alias(f"known {name}") for name in sums))
    return {name: tidy_series(series) for name, series in collect(groups).to_dict().items()}


def read_sum(name: str, table: Mapping[str, np.ndarray], times: np.ndarray) -> np.ndarray:
    "A column that was added up; a further one is NaN in a group where a cell is not known."
    total = table[name].astype(float)
    if name.startswith("sum "): total[table[f"known {name}"] < times] = np.nan
    return total


def refuse_kind(part: str, column: str, kind: nw.dtypes.DType) -> None:
    import narwhals.stable.v2 as nw
    number = kind.is_numeric() or kind == nw.Boolean
    name = "score" if part == "score" else column
    if (part == "score" or part.startswith("sum ")) and not number:
        raise TypeError(f"{name} must hold numbers, got {kind} in {column!r}; convert it, "
                        "or pass score=False to leave the column out")
    if kind.is_nested():
        raise TypeError(f"{part} must hold text, numbers or flags, got {kind} in {column!r}; "
                        "turn it into text first")


def keeps_scores(frame: nw.LazyFrame, chosen: Mapping[str, str], keep: Keep) -> bool:
    "Whether single scores are kept: asked for, or few and not unwanted."
    import narwhals.stable.v2 as nw
    derived = "correct" not in chosen and keep.threshold is None
    if keep.scores or not derived and keep.scores is False: return bool(keep.scores)
    return int(collect(frame.select(nw.col("score").n_unique()))["score"][0]) <= FEW


def prepare_scores(frame: nw.LazyFrame, chosen: Mapping[str, str], keep: Keep,
                   single: bool) -> tuple[nw.LazyFrame, list[str]]:
    "The frame with what is summed, and the columns of which equal rows are counted."
    import narwhals.stable.v2 as nw
    parts = "model", "group", "cluster", "weight", "question", "correct", "answer", "score"
    keys = [part for part in parts if part in chosen] + list(filter(is_mark, chosen))
    if "answer" in keys and not keep.answers: keys.remove("answer")
    if "score" not in chosen or single: return frame, keys
    keys.remove("score")
    score = nw.col("score").cast(nw.Float64)
    known = ~score.is_null() & ~score.is_nan()
    frame = frame.with_columns(total=nw.when(known).then(score), scored=known.cast(nw.Int64))
    if keep.threshold is not None:
        above = (score > keep.threshold).cast(nw.Float64)
        return frame.with_columns(correct=nw.when(known).then(above)), [*keys, "correct"]
    if "correct" in chosen: return frame, keys
    return frame.with_columns(known=known), [*keys, "known"]


def bit_columns() -> dict[str, nw.Expr]:
    "Sample numbers as powers of two, a column for each word of a set of bits."
    import narwhals.stable.v2 as nw
    number = nw.col("sample").cast(nw.Float64)
    inside = [(number >= BITS * i) & (number < BITS * (i + 1)) for i in range(WORDS)]
    return {f"draws{i}": 2.0 ** nw.when(flag).then(number - BITS * i)
            for i, flag in enumerate(inside)}


def join_words(words: list[np.ndarray]) -> np.ndarray:
    "Sums of powers as whole numbers; a sum beyond a word stands for a repeat."
    return np.stack([read_word(word) for word in words], 1)


def read_word(word: np.ndarray) -> np.ndarray:
    if word.dtype.kind == "O": word = np.array([value or 0 for value in word.tolist()])
    if word.dtype.kind == "i": return word
    return np.minimum(np.nan_to_num(word.astype(float)), 2.**62).astype(np.int64)


def collect(frame: nw.LazyFrame) -> nw.DataFrame: return frame.collect()


def check_lazy(frame: nw.LazyFrame, pair: np.ndarray, batch: Batch, kinds: Mapping,
               chosen: Mapping[str, str]) -> None:
    "Refuse a sample that appears twice in a lazy frame."
    import narwhals.stable.v2 as nw
    if batch.draws is not None:
        words, times = join_bits(batch.draws, pair), np.bincount(pair, batch.times)
        if (words < 2**BITS).all() and (count_bits(words) == times).all(): return
    keys, number = list_keys(batch), nw.col("sample")
    float_names = kinds[chosen["sample"]].is_float()
    absent = number.is_null() | number.is_nan() if float_names else number.is_null()
    found = frame.group_by(keys).agg(nw.len().alias("times")).filter((nw.col("times") > 1) | absent)
    rows = collect(found.sort(keys)).to_dict(as_series=False)
    if not rows["times"]: return
    first = join_names(batch, {part: rows[part][0] for part in keys})
    if first["sample"] is None or first["sample"] != first["sample"]:
        lost = sum(t for s, t in zip(rows["sample"], rows["times"]) if s is None or s != s)
        raise ValueError(f"every row needs a sample, got none {batch.place('sample', 0)} "
                         f"({lost} of {batch.times.sum()} fail)")
    raise Repeated(tell_repeat(first, f", {rows['times'][0]} times", sum(rows["times"])
                                 - len(rows["times"])))
