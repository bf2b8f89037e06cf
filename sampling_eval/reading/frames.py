"""Frames of any library, and data sets of Hugging Face."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import OptionError, OptionTypeError
from ..spelling import option
from ..extras import need
from .columns import Batch, Keep, Source, batch_of, is_mark, name_known_cells, place_samples
from .identity import join_names, list_keys
from .options import Options
from .sample_ids import BITS, WORDS, mark_distinct
from .values import Repeated, is_absent, tell_repeat, tidy

if TYPE_CHECKING: import narwhals.stable.v2 as nw

__all__ = ["frame_source", "is_dataset", "dataset_source", "suit_inspect", "name_known",
           "join_words"]

MANY = 100_000  # Rows of a frame that are all looked at
FEW = 1000  # Different scores that are kept apart without being asked for
OF_INSPECT = {"sample_id", "eval_id", "id", "epoch"}  # What `samples_df` always writes


def frame_source(data: Any) -> Source | None:  # The frame, or None if it is none
    "A frame: eager ones are read as they stand, lazy ones are counted by their own engine."
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
    return Source(frame.columns, take, what, head=see_first if len(frame) > MANY else None)


def lazy_source(frame: nw.LazyFrame, what: str) -> Source:
    "A frame whose engine counts equal rows, or fetches the rows one by one where that is asked."
    kinds = frame.collect_schema()

    def count(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return count_lazy(frame, chosen, keep, what)

    def see_first(wanted: Sequence[str], size: int) -> dict[str, np.ndarray]:
        return tidy_table(collect(frame.select(*wanted).head(size)))

    def fetch(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return take_parts(collect(frame.select(*dict.fromkeys(chosen.values()))), chosen)
    return Source(kinds.names(), count, what, "counted", head=see_first,
                  holds_lists=lambda column: kinds[column].is_nested(),
                  plain=lambda: [Source(kinds.names(), fetch, what)])


def take_parts(frame: nw.DataFrame, chosen: Mapping[str, str]) -> Batch:
    return batch_of({part: tidy_series(frame[c]) for part, c in chosen.items()})


def tidy_table(frame: nw.DataFrame) -> dict[str, np.ndarray]:
    return {name: tidy_series(series) for name, series in frame.to_dict().items()}


def tidy_series(series: nw.Series) -> np.ndarray:
    import narwhals.stable.v2 as nw
    kind, whole = series.dtype, not series.is_null().any()
    if kind.is_float() or whole and (kind.is_integer() or kind == nw.Boolean):
        return tidy(np.asarray(series.to_numpy()))
    null = series.is_null().to_list()
    return tidy([None if absent else value for value, absent in zip(series.to_list(), null)])


# Lazy frames.

@dataclass(frozen=True, eq=False)
class Counting:
    "A lazy frame with a column for each part, and what is counted of it."
    frame: nw.LazyFrame
    kinds: Mapping[str, nw.dtypes.DType]  # Type of each part
    keys: list[str]  # Columns whose equal rows are counted
    sums: list[str]  # Columns that are added up over equal rows
    bits: Mapping[str, nw.Expr]  # Words of the sets of sample numbers; none where they have names
    costs: Sequence[str] = ()  # Of the columns added up, those whose known cells are counted


def count_lazy(frame: nw.LazyFrame, chosen: Mapping[str, str], keep: Keep, what: str) -> Batch:
    "Equal rows of a lazy frame, counted in one pass."
    counting = plan_counting(frame, chosen, keep)
    table = add_groups(counting)
    times = table["times"].astype(np.int64)
    parts = {part: table[part] for part in counting.keys if part in table}
    added = {name: read_sum(name, table, times) for name in counting.sums}
    added |= {f"sum {name_known_cells(cost[4:])}": table[f"known {cost}"].astype(float)
              for cost in counting.costs}
    draws = join_words([table[name] for name in counting.bits]) if counting.bits else None

    def place(part: str, row: int) -> str: return f"in {what}"
    def check(pair: np.ndarray, batch: Batch) -> None: check_lazy(counting, pair, batch)
    if "sample" not in chosen: return Batch(parts, times, place, added, draws, in_order=False)
    return Batch(parts, times, place, added, draws, in_order=False, check_repeats=check,
                 list_samples=partial(list_lazy, counting))


def plan_counting(frame: nw.LazyFrame, chosen: Mapping[str, str], keep: Keep) -> Counting:
    "What is counted of the chosen columns, once their types are seen to fit."
    import narwhals.stable.v2 as nw
    schema = frame.collect_schema()
    kinds = {part: schema[column] for part, column in chosen.items()}
    for part, kind in kinds.items(): refuse_kind(part, chosen[part], kind)
    frame = frame.select(**{part: nw.col(column) for part, column in chosen.items()})
    single = "score" in chosen and keeps_scores(frame, chosen, keep)
    frame, keys = prepare_scores(frame, chosen, keep, single)
    numbered = "sample" in kinds and kinds["sample"].is_integer()
    bits = bit_columns() if numbered else {}
    costs = [part for name in keep.costs if (part := f"sum {name}") in kinds]
    # A NaN would count as known, and the sum be lost.
    floats = [part for part in costs if kinds[part].is_float()]
    if floats: frame = frame.with_columns(nw.col(*floats).fill_nan(None))
    return Counting(frame, kinds, keys, list_sums(chosen, single), bits, costs)


def list_sums(parts: Mapping[str, str], single: bool) -> list[str]:
    "What is added up over equal rows: scores that are not kept, and further columns."
    further = [part for part in parts if part.startswith("sum ")]
    return ["total", "scored", *further] if "score" in parts and not single else further


def add_groups(counting: Counting) -> dict[str, np.ndarray]:
    "Rows with equal keys, what they add up to, and how many cells of each sum are known."
    import narwhals.stable.v2 as nw
    frame, sums, bits = counting.frame, counting.sums, counting.bits
    if bits: frame = frame.with_columns(**bits)
    groups = frame.group_by(counting.keys).agg(
        nw.len().alias("times"), *(nw.col(name).sum() for name in [*sums, *bits]),
        *(nw.col(name).count().alias(f"known {name}") for name in sums),
        *(nw.col(name).min().alias(f"least {name}") for name in counting.costs))
    return tidy_table(collect(groups))


def read_sum(name: str, table: Mapping[str, np.ndarray], times: np.ndarray) -> np.ndarray:
    "A column that was added up; one that holds no costs is NaN where a cell is not known."
    total = table[name].astype(float)
    if f"least {name}" in table:
        total[table[f"known {name}"] == 0] = 0.
        total[table[f"least {name}"].astype(float) < 0] = -np.inf
    elif name.startswith("sum "): total[table[f"known {name}"] < times] = np.nan
    return total


def refuse_kind(part: str, column: str, kind: nw.dtypes.DType) -> None:
    import narwhals.stable.v2 as nw
    number = kind.is_numeric() or kind == nw.Boolean
    name = "score" if part == "score" else column
    if (part == "score" or part.startswith("sum ")) and not number:
        raise OptionTypeError("score", f"{name} must hold numbers", found=f"{kind} in {column!r}",
                              hint=f"convert it, or pass {option('score', False)} to leave the "
                                   "column out")
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


def check_lazy(counting: Counting, pair: np.ndarray, batch: Batch) -> None:
    "Refuse a sample that appears twice in a lazy frame."
    if batch.draws is not None and mark_distinct(batch.draws, pair, batch.times).all(): return
    keys = list_keys(batch)
    found = find_repeated(counting, keys)
    if not found["times"]: return
    first = join_names(batch, {part: found[part][0] for part in keys})
    if is_absent(first["sample"]):
        unnamed = sum(t for s, t in zip(found["sample"], found["times"]) if is_absent(s))
        raise ValueError(f"every row needs a sample, got none {batch.place('sample', 0)} "
                         f"({unnamed} of {batch.times.sum()} fail)")
    more = sum(found["times"]) - len(found["times"])
    raise Repeated(tell_repeat(first, f", {found['times'][0]} times", more))


def list_lazy(counting: Counting, batch: Batch,
              some: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    "The samples behind some counted rows, asked of the frame once more."
    import narwhals.stable.v2 as nw
    keys = list_keys(batch)
    rows = np.arange(len(batch)) if some is None else some
    names = [batch.parts[part][rows].tolist() for part in keys[:-1]]
    frame = counting.frame.select(keys)
    if some is not None:
        frame = frame.filter(nw.col("question").is_in(list(dict.fromkeys(names[-1]))))
    table = collect(frame).rows()
    return place_samples(dict(zip(zip(*names), rows.tolist())), table)


def find_repeated(counting: Counting, keys: list[str]) -> dict[str, list]:
    "Samples that appear twice or have no name, in the order of their keys, and how often."
    import narwhals.stable.v2 as nw
    sample = nw.col("sample")
    absent = sample.is_null()
    if counting.kinds["sample"].is_float(): absent = absent | sample.is_nan()
    counted = counting.frame.group_by(keys).agg(nw.len().alias("times"))
    bad = counted.filter((nw.col("times") > 1) | absent)
    return collect(bad.sort(keys)).to_dict(as_series=False)


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
