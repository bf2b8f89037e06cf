"""Rows, columns, arrays and nested objects in memory as tables.

`rows_of_object` reads an object whose keys are questions, models or samples, `reveal_fields` the
objects that stand in the cells of a table.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ..errors import OptionError
from ..spelling import option
from .columns import (Batch, COLUMNS, Keep, Source, add_columns, batch_of, list_columns, list_names,
                      list_plain, no_column, simplify, take_column)
from .shapes import RIGHT, SIZES
from .values import are_words, is_absent, tidy

__all__ = ["OUTCOME", "SCORE", "rows_source", "columns_source", "is_series", "rows_of_array",
           "series_rows", "spread_index", "rows_of_lists", "rows_of_object", "list_fields",
           "reveal_fields"]


# Rows and columns.

def rows_source(rows: list[dict], what: str = "a list of rows") -> Source:  # Their columns
    "A list of dict rows."
    columns = list(dict.fromkeys(chain.from_iterable(rows)))

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return batch_of({part: tidy([row.get(c) for row in rows]) for part, c in chosen.items()})
    return Source(columns, take, what)


def columns_source(data: Mapping) -> Source:  # The same
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


# Arrays.

def rows_of_array(
    data: Any,  # Shape `(M, n)`, or arrays by name
    name: str,  # What holds it, for messages
    keys: str | None,  # What the names of arrays are
) -> list[dict[str, Any]]:  # A row for each question
    """The rows of an array.

    Raises: `ValueError` unless it has two dimensions.
    """
    if isinstance(data, Mapping):
        rows = rows_of_object(data, keys)
        return rows_of_columns(data, name) if rows is None else rows
    nested = data.dtype == object and all(map(np.ndim, data.tolist()))
    if data.ndim == 2 or data.ndim == 1 and nested and len(data): return rows_of_lists(list(data))
    raise ValueError(f"{name} must hold one row per question, got shape {data.shape}; write "
                     "x[None] for one question, or x[:, None] for one sample per question")


def rows_of_columns(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    "Arrays that are columns of one table."
    sizes = {key: len(column) if column.ndim else 0 for key, column in data.items()}
    if len(set(sizes.values())) == 1 and all(sizes.values()):
        lists = [column.tolist() for column in data.values()]
        return [dict(zip(data, row)) for row in zip(*lists)]
    raise ValueError(f"the arrays of {name} must be columns of one length, got {str(sizes)[1:-1]}")


# Series, and frames whose index holds names.

def is_series(data: object) -> bool:
    "Whether data are one column of pandas or Polars."
    library = type(data).__module__.partition(".")[0]
    return library in ("pandas", "polars") and type(data).__name__ == "Series"


def series_rows(data: Any) -> Any:  # A frame with the index as columns, or rows
    "A series as a table."
    values = data.to_list()
    if not hasattr(data, "index"): return rows_of_lists(values)
    nested = any(isinstance(value, (list, tuple, np.ndarray)) for value in values)
    if not holds_index(data) and nested: return rows_of_lists(values)
    if not holds_index(data):
        raise ValueError("outcomes must hold one row per question, got a Series without names; "
                         "write [x] for one question, or give it the questions as index")
    part = "correct" if nested or holds_outcomes(values) else "score"
    frame = name_levels(data.rename(part)).reset_index()
    return frame.to_dict("records") if nested else frame


def name_levels(data: Any) -> Any:
    "The same with the only level of an index called the question, where it has no name."
    if data.index.nlevels > 1 or data.index.name is not None: return data
    return data.rename_axis("question")


def holds_index(data: Any) -> bool:
    "Whether an index of pandas names the rows: it has a name, levels or texts."
    index = getattr(data, "index", None)
    if index is None or not hasattr(index, "nlevels"): return False
    if index.nlevels > 1 or index.name is not None: return True
    return index.dtype.kind not in "iu" and all(isinstance(name, str) for name in index)


def spread_index(data: Any) -> Any:  # The same, or a copy with its index as columns, or an array
    "A frame of pandas whose index names the questions, or whose columns have no names."
    if not type(data).__module__.startswith("pandas") or not hasattr(data, "columns"): return data
    if any(simplify(name) in COLUMNS["question"] for name in data.columns): return data
    named = holds_index(data)
    levels = set(data.index.names) & set(data.columns)
    if named and not levels: data = name_levels(data).reset_index()
    if all(isinstance(name, str) for name in data.columns): return data
    return data.rename(columns=str)


# Lists of lists, and objects whose keys are questions, models or samples.

KEYS = "questions", "models", "samples"  # What the keys of an object may be
PARTS = dict(questions="question", models="model", samples="sample")
OUTCOME, SCORE, QUESTION = "correct", "score", "question"
# Keys such as q1, task_7, HumanEval/12 and 3.
NUMBERED = re.compile(r"(q|question|task|problem|item|prompt|case|test|doc|id|example)?[-_ /#]?\d+"
                      r"|.+/\d+", re.IGNORECASE)
RUNS = re.compile(r"(run|seed|trial|epoch|attempt|sample|rep|repeat|try)[-_ ]?\d+", re.IGNORECASE)
Rows = list[dict[str, Any]]


def rows_of_lists(
    data: Sequence[Any],  # Outcomes or scores by question: lists, or arrays with one dimension
) -> Rows:  # A row per question with the list of its samples
    """A table of outcomes as rows that no column names.

    Raises: `TypeError` for a list without a second dimension.
    """
    lists = list(map(plain_list, data))
    if not lists or not all(isinstance(row, list) for row in lists):
        raise TypeError("need a list for each question; write [x] for one question, or a list of "
                        "single outcomes for one sample each")
    part = name_values(lists)
    return [{part: row} for row in lists]


def plain_list(value: Any) -> Any:
    "An array or a tuple as a list; anything else as it is."
    if isinstance(value, tuple): return list(value)
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "tolist"): return value
    return value.tolist()


def name_values(lists: Sequence[Any]) -> str:
    "Whether lists hold outcomes or scores."
    return OUTCOME if all(map(holds_outcomes, lists)) else SCORE


def holds_outcomes(values: Any) -> bool:
    "Whether a list holds nothing but outcomes, some of which may be missing."
    if not isinstance(values, list): return False
    known = [value for value in values if not is_absent(value)]
    if any(isinstance(value, (list, Mapping)) for value in known): return False
    return all(value in (0, 1) for value in known) or are_words(tidy(known))


def holds_values(values: Any) -> bool:
    "Whether a list holds outcomes or numbers."
    if not isinstance(values, list) or not values: return False
    numbers = all(isinstance(v, (bool, int, float)) or v is None for v in values)
    return numbers or holds_outcomes(values)


def rows_of_object(
    data: Mapping[str, Any],  # Such as `{"q1": [0, 1]}` or `{"q1": {"correct": [0, 1]}}`
    keys: str | None = None,  # What the keys are, where the caller says so
) -> Rows | None:  # Rows with the keys in a column of their own; None for any other object
    """The samples of an object whose keys are names.

    Raises: `OptionError` where the keys could be questions, models or samples.
    """
    refuse_unknown(keys)
    values = {str(key): plain_list(value) for key, value in data.items()}
    runs = sum(bool(RUNS.fullmatch(key)) for key in values)
    # Runs beside something else are columns, as are names that play a part.
    if not values or keys is None and (any(map(is_known, values)) or 0 < runs < len(values)):
        return None
    if all(isinstance(value, Mapping) for value in values.values()):
        return rows_of_objects(values, keys)
    if not all(isinstance(value, list) and value for value in values.values()): return None
    if all(holds_lists(value) for value in values.values()):
        if keys not in (None, "models"): refuse_depth(keys)
        tables = {key: rows_of_lists(table) for key, table in values.items()}
        return [{"model": key, QUESTION: place} | row
                for key, rows in tables.items() for place, row in enumerate(rows)]
    if not all(map(holds_values, values.values())): return None
    return rows_of_flat(values, keys or guess_keys(list(values), values))


def refuse_unknown(keys: str | None) -> None:
    if keys in (None, *KEYS): return
    raise OptionError("keys", choices=KEYS, got=keys)


def refuse_depth(keys: str | None) -> None:
    raise OptionError("keys", "a table of questions and samples stands under each key, which can "
                              "only name models", got=keys, ways=[dict(keys="models")])


def is_known(column: str) -> bool:
    "Whether a key is the name of a column that plays a part."
    name = simplify(column)
    return name in (*SIZES, *RIGHT) or any(name in names for names in COLUMNS.values())


def holds_lists(values: list) -> bool:
    return all(isinstance(plain_list(value), list) for value in values)


def guess_keys(names: list[str], values: Mapping[str, list]) -> str:
    "What keys are by their names, where these leave no doubt."
    if all(map(NUMBERED.fullmatch, names)): return "questions"
    if all(map(RUNS.fullmatch, names)): return "samples"
    raise unclear_keys(names, KEYS if len(set(map(len, values.values()))) == 1 else KEYS[:2])


def unclear_keys(names: list[str], known: Sequence[str]) -> OptionError:
    "The question what the keys of an object are."
    return OptionError("keys", f"What are the keys {list_names(names)}? Pass "
                               f"{option('keys', *known)}", choices=known)


def rows_of_flat(values: Mapping[str, list], keys: str) -> Rows:
    "One list under each key."
    part = name_values(list(values.values()))
    if keys == "questions": return [{QUESTION: key, part: row} for key, row in values.items()]
    column = PARTS[keys]
    return [{column: key, QUESTION: place, part: value} for key, row in values.items()
            for place, value in enumerate(row)]


# Objects in an object.

def rows_of_objects(values: Mapping[str, Mapping], keys: str | None) -> Rows | None:
    "One object under each key."
    inner = list(dict.fromkeys(str(name) for value in values.values() for name in value))
    leaves = [plain_list(leaf) for value in values.values() for leaf in value.values()]
    named = [name for name in inner if is_known(name)]
    if named: return rows_of_records(values, inner, keys)
    if leaves and all(map(holds_values, leaves)): return rows_of_two(values, inner, keys)
    if inner and all(map(RUNS.fullmatch, inner)) and holds_values(leaves):
        return [{QUESTION: key, "sample": name, name_values([leaves]): leaf}
                for key, value in values.items() for name, leaf in value.items()]
    return None


def rows_of_records(values: Mapping[str, Mapping], inner: list[str],
                    keys: str | None) -> Rows | None:
    "A row under each key, as pandas writes by its index."
    known = {part for name in inner for part in COLUMNS if simplify(name) in COLUMNS[part]}
    if not known & {OUTCOME, SCORE}: return None
    if "question" in known and keys in (None, "questions"):
        raise unclear_keys(list(values), KEYS[1:])
    return [{PARTS[keys or "questions"]: key, **value} for key, value in values.items()]


def rows_of_two(values: Mapping[str, Mapping], inner: list[str], keys: str | None) -> Rows:
    "Lists under two keys, of which one names the question and the other one the model."
    outer = list(values)
    if keys is None:
        fits = [all(map(NUMBERED.fullmatch, names)) for names in (outer, inner)]
        if fits[0] == fits[1]: raise unclear_keys(outer, KEYS[:2])
        keys = "questions" if fits[0] else "models"
    other = "question" if keys == "models" else "model"
    part = name_values([plain_list(leaf) for value in values.values() for leaf in value.values()])
    return [{PARTS[keys]: key, other: name, part: plain_list(leaf)}
            for key, value in values.items() for name, leaf in value.items()]


# Fields of objects in the cells of a table, by dotted names such as `scores.accuracy.value`.


DEEPEST, MOST = 6, 200  # Dots in a name, and names that are offered


def reveal_fields(
    sources: list[Source],  # A table as it stands
    wanted: Iterable[tuple[str, object]],  # Options, and the column that each names
) -> list[Source]:  # The same, with a column for each field that was named
    """Fields of objects as columns, where they are named.

    Raises: `OptionError` for a field that is in no object.
    """
    columns = set(list_columns(sources))
    dotted = {name: asked for asked, name in wanted if isinstance(name, str) and "." in name
              and name not in columns and name.partition(".")[0] in columns}
    if not dotted: return sources
    plain = list_plain(sources)
    known = name_all(plain, {name.partition(".")[0] for name in dotted})
    for name, asked in dotted.items():
        if name not in known: raise no_column(asked, name, [*list_columns(sources), *known])
    made = {name: ([name.partition(".")[0]], partial(pick_field, name=name)) for name in dotted}
    return [add_columns(source, {name: how for name, how in made.items()
                                 if how[0][0] in source.columns}) for source in plain]


def name_all(sources: Sequence[Source], columns: Iterable[str]) -> dict[str, None]:
    "The fields of some columns."
    cells = ((column, cell) for column in sorted(columns) for source in sources
             if column in source.columns
             for cell in take_column(source, "look it", column).tolist())
    return dict.fromkeys(f"{column}.{name}" for column, cell in cells for name in name_fields(cell))


def pick_field(cells: np.ndarray, name: str) -> np.ndarray:
    "The field of each cell; None where there is none."
    _, *path = name.split(".")
    return tidy([walk(cell, path) for cell in cells.tolist()])


def walk(cell: Any, path: Sequence[str]) -> Any:
    for i, name in enumerate(path):
        if not isinstance(cell, Mapping): return None
        # A name may have dots of its own.
        rest = ".".join(path[i:])
        if rest in cell: return cell[rest]
        cell = cell.get(name)
    return cell


def list_fields(
    table: Mapping[str, np.ndarray],  # Columns, with all or the first of their values
) -> dict[str, np.ndarray]:  # Values of the fields that stand in cells, by dotted name
    "The fields of all objects in the cells of a table."
    found: dict[str, np.ndarray] = {}
    for column, cells in table.items():
        if cells.dtype != object: continue
        names = dict.fromkeys(name for cell in cells.tolist() for name in name_fields(cell))
        for name in list(names)[:MOST]:
            found[f"{column}.{name}"] = pick_field(cells, f"{column}.{name}")
    return found


def name_fields(cell: Any, depth: int = DEEPEST) -> Iterator[str]:
    "The dotted names of what stands in a cell."
    if not isinstance(cell, Mapping) or not depth: return
    for name, value in cell.items():
        if isinstance(value, Mapping):
            yield from (f"{name}.{field}" for field in name_fields(value, depth - 1))
        elif not isinstance(value, (list, tuple)): yield str(name)
