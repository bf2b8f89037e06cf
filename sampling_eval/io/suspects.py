"""Columns that no name tells of, and that tell rows of one question apart."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, lgamma, log
from typing import Any

import numpy as np

from .values import extend_key
from .codes import code_values, find_varied, join_columns, order_value, plain_name
from .columns import COLUMNS, RUNS, simplify
from .counted import CountedRows
from .identity import KINDS, list_unused, name_tasks
from .options import Options
from .tabular import FILE, Batch, Keep, Source, list_columns
from .texts import is_whole_text
from .values import tidy

__all__ = ["look_at_rest", "refuse_row_ids"]

TEXTS = ("prompt problem question question_text query input instruction prompt_text "
         "problem_text problem_statement").split()
# What repeats by the nature of the machine, of the clock or of the answer.
HARMLESS = set("rank worker gpu device shard host node batch thread process partition time date "
               "timestamp created_at completion response output text raw tokens latency duration "
               "finish_reason stop_reason error status difficulty category level".split())
KNOWN = {name for part, names in COLUMNS.items() if part != "model" for name in names}
KNOWN |= HARMLESS | KINDS.keys() | set(TEXTS)
MANY = 100  # Columns without a known name that are looked at
FIRST = 10_000  # Rows that are looked at where an engine holds the data
FEW = 50  # Different values of a column that may tell systems apart
CHANCE = 1e-3  # Of a column without meaning to look like a crossed design
NUMBERED = re.compile(r"[0-9a-f]{8,}|[0-9]+")


def look_at_rest(
    sources: Sequence[Source],  # Where the rows come from
    batch: Batch,  # Rows, with the tasks that questions are named by
    chosen: Mapping[str, str],  # Column of each part
    options: Options,  # Columns to ignore, and what was named
) -> None:
    """Look at the first rows for what no name tells: all rows of what is small.

    Raises: `ValueError` naming a column of other texts or of a crossed design, or a run that has a
    name.
    """
    left = list_unused(list_columns(sources), chosen, options)
    texts, strays = find_texts(left), [c for c in left if simplify(c) not in KNOWN][:MANY]
    runs = [chosen["sample"]] if is_run(chosen, options) else []
    if not texts and not strays and not runs: return
    names = list_scope(batch, chosen)
    head = join_heads(sources, [*names, *texts, *strays, *runs])
    for column in runs: refuse_named_runs(column, head[column])
    scope = join_columns(head[name] for name in names)
    for column in texts: refuse_other_text(head, chosen["question"], column, scope)
    for column in strays: refuse_crossed(head[column], column, scope, "sample" in chosen)


def list_scope(batch: Batch, chosen: Mapping[str, str]) -> list[str]:
    "The columns that name one question of one model."
    names = [chosen[part] for part in ("question", "group", "model") if part in chosen]
    names += [part.partition(" ")[2] for part in name_tasks(batch)]
    return [name for name in names if name != FILE]


def find_texts(columns: Iterable[str]) -> list[str]:
    return [c for c in columns if simplify(c) in TEXTS]


def is_run(chosen: Mapping[str, str], options: Options) -> bool:
    return "sample" not in options.columns and simplify(chosen.get("sample", "")) in RUNS


def join_heads(sources: Sequence[Source], columns: Sequence[str],
               size: int = FIRST) -> dict[str, np.ndarray]:
    "Some columns of the first rows; all rows of what is small."
    wanted = list(dict.fromkeys(columns))
    tables = []
    for source in sources:
        here = [c for c in wanted if c in source.columns]
        if source.head: tables.append(source.head(here, size))
        else: tables.append(take_columns(source, here))
    sizes = [len(next(iter(table.values()))) for table in tables]
    return {c: tidy([value for table, size in zip(tables, sizes)
                     for value in (table[c].tolist() if c in table else [None] * size)])
            for c in wanted}


def take_columns(source: Source, columns: Sequence[str]) -> dict[str, np.ndarray]:
    wanted = {f"look {c}": c for c in columns} | {"question": columns[0]}
    parts = source.take(wanted, Keep()).parts
    return {c: parts[f"look {c}"] for c in columns}


def refuse_named_runs(column: str, values: np.ndarray) -> None:
    "Refuse a column of runs whose values are names rather than numbers."
    texts = sorted({str(plain_name(value)) for value in values.tolist() if value is not None})
    if len({NUMBERED.sub("#", text.lower()) for text in texts}) < 2: return
    raise ValueError(
        f"{column} must number the samples, got {texts[0]!r} and {texts[1]!r}; pass "
        f"model={column!r} if each is a model of its own, or sample={column!r} if they are draws "
        "of one model")


def refuse_other_text(head: Mapping[str, np.ndarray], question: str, column: str,
                      scope: np.ndarray) -> None:
    "Refuse one name for two texts."
    texts = head[column]
    said = find_said(texts)
    if not said.any(): return
    varied = find_varied(scope[said], code_values(texts[said])[0])
    if not varied.any(): return
    names = {read_name(name) for name in head[question][said][varied].tolist()}
    few = len(set(map(str, texts[said].tolist()))) <= scope.max()
    way = (f"model={column!r} to tell these apart" if few else
           f"question={column!r} if the text is the question")
    raise ValueError(
        f"one {question} needs one {column}, got two for {min(names, key=order_value)!r}; pass "
        f"{way}, or ignore={column!r} if its wording changes from sample to sample")


def refuse_crossed(values: np.ndarray, column: str, scope: np.ndarray,
                   numbered: bool) -> None:
    "Refuse a column that splits every question alike."
    # Most columns are dismissed by their first values, long before all are compared.
    if len(set(map(repr, values[:1000].tolist()))) > FEW: return
    code, names = code_values(values)
    if not 1 < len(names) <= FEW or not is_crossed(scope, code, len(names)): return
    once = len(np.unique(extend_key(scope, code, len(names)))) == len(scope)
    if once and (numbered or are_numbers(names)): return
    first = sorted(map(read_name, names), key=order_value)[:2]
    shown = " and ".join(repr(str(name)) for name in first)
    draws = f"sample={column!r} if they are draws, " if once else ""
    raise ValueError(
        f"{column} splits every question alike, got {shown} ({len(names)} values, each as often "
        f"in one question as in the next); pass {draws}model={column!r} to tell them apart, "
        f"by={column!r} if they are groups, or ignore={column!r} if it changes nothing")


def is_crossed(scope: np.ndarray, code: np.ndarray, size: int) -> bool:
    """Whether nearly every question has each value equally often, beyond chance.

    Values that fall at random have the composition of the others with the chance of a multinomial
    law at its mode, and that of so many questions alike is at most Chernoff's bound.
    """
    table = np.bincount(scope * size + code, minlength=(int(scope.max()) + 1) * size)
    table = table.reshape(-1, size)
    (shape, alike), = Counter(map(tuple, table.tolist())).most_common(1)
    # The first question sets the composition that the others have.
    questions, alike, times = len(table) - 1, alike - 1, sum(shape)
    if sum(count > 0 for count in shape) < 2 or alike < max(1, .9 * questions): return False
    terms = (count * log(count / times) - lgamma(count + 1) for count in shape if count)
    mode = exp(lgamma(times + 1) + sum(terms))
    share = alike / questions
    gain = share * log(share / mode)
    if share < 1: gain += (1 - share) * log((1 - share) / (1 - mode))
    return share > mode and exp(-questions * gain) < CHANCE


def read_name(value: Any) -> Any:
    "A value as a name; the cells of a CSV file are text."
    whole = isinstance(value, str) and is_whole_text(value)
    return int(value) if whole else plain_name(value)


def are_numbers(names: Sequence[Any]) -> bool:
    "Whether values count samples, from 0 or 1."
    whole = [name for name in map(read_name, names) if type(name) is int]
    return sorted(whole) in (list(range(len(names))), list(range(1, len(names) + 1)))


# Names of rows beside texts that repeat.

def refuse_row_ids(
    sources: Sequence[Source],  # Where the rows come from
    rows: CountedRows,  # Counted rows
    chosen: Mapping[str, str],  # Column of each part
    options: Options,  # Columns to ignore, and what was named
) -> None:
    """Refuse names that number the rows where the text of the question repeats.

    Raises: `ValueError` with both ways out.
    """
    texts = find_texts(list_unused(list_columns(sources), chosen, options))
    if "question" in options.columns or not texts or len(rows) < 3 or has_several(rows): return
    models = [c for part, c in chosen.items() if part == "model" and c != FILE]
    head = join_heads(sources, [chosen["question"], *models, *texts], 10 * FIRST)
    # Texts that repeat while another one does not are parts of it, such as an instruction.
    if not all(repeats(head[column], [head[c] for c in models]) for column in texts): return
    column = max(texts, key=lambda name: len(code_values(head[name])[1]))
    raise ValueError(
        f"{len(rows)} rows have {len(rows.questions)} different {chosen['question']}, but most "
        f"share their {column} with another; pass question={column!r} if rows of one {column} are "
        f"samples of one question, question={chosen['question']!r} if each is a question of its "
        "own")


def has_several(rows: CountedRows) -> bool:
    "Whether a question has more than one sample of a model."
    if len(rows) == len(rows.questions): return False
    if rows.model is None: return True
    return len(set(zip(rows.model.tolist(), rows.question.tolist()))) < len(rows)


def repeats(texts: np.ndarray, models: Sequence[np.ndarray]) -> bool:
    "Whether most rows have a text that comes more than once, and texts differ at all."
    said = find_said(texts)
    if len(set(map(repr, texts[said].tolist()))) < 2: return False
    times = np.bincount(join_columns(column[said] for column in (texts, *models)))
    return bool(times[times > 1].sum() >= .5 * times.sum())


def find_said(texts: np.ndarray) -> np.ndarray:
    "Whether there is a text."
    return np.array([text is not None and text != "" for text in texts.tolist()])
