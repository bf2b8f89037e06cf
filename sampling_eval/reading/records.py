"""The records that a JSON object holds."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from os.path import basename
from typing import Any

from .columns import COLUMNS, list_names, simplify
from .objects import Rows, rows_of_object

__all__ = ["find_records"]

DEEPEST = 3  # Keys that lead to a list of records
# Words in the names of what is a total over samples.
TOTALS = {"total", "totals", "average", "avg", "mean", "accuracy", "count", "counts", "num",
          "overall", "summary", "aggregate", "rate", "stderr"}


def find_records(
    row: dict,  # The only object of a file
    keys: str | None,  # What its keys are, where the caller says so
    file: str,  # Its file, for messages
    alone: bool = True,  # Whether it is the only file
) -> tuple[Rows, str]:  # Rows, and the key under which they stand; empty where that says nothing
    """The rows that an object stands for, or itself.

    Raises: `ValueError` where several lists could be the samples, or a summary holds none.
    """
    if (rows := rows_of_object(row, keys)) is not None: return rows, ""
    if (rows := rows_of_columns(row)) is not None: return rows, ""
    lists = dict(list_records(row))
    if lists and not is_record(row, lists): return choose_list(lists, file)
    if alone and not holds(row, "question"): refuse_summary(row, file)
    return [row], ""


def rows_of_columns(row: dict) -> Rows | None:
    "Rows that stand in an object as columns; None where there are none."
    if row.keys() >= {"columns", "data"} and isinstance(row["data"], list):
        return [dict(zip(row["columns"], values)) for values in row["data"]]
    lists = [value for value in row.values() if isinstance(value, list)]
    question = any(simplify(name) in COLUMNS["question"] and isinstance(value, list)
                   for name, value in row.items())
    if not question or len(lists) < len(row) or len(set(map(len, lists))) > 1: return None
    return [dict(zip(row, values)) for values in zip(*lists)]


# Lists of objects.

def list_records(row: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, Rows]]:
    "The lists of objects in an object, by the keys that lead to them."
    for key, value in row.items():
        here = (*path, str(key))
        if isinstance(value, dict) and len(here) < DEEPEST: yield from list_records(value, here)
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            if not is_message(value[0]): yield ".".join(here), value


def is_message(record: dict) -> bool:
    "Whether an object is what somebody said: a conversation is no table."
    return record.keys() >= {"role", "content"}


def is_record(row: dict, lists: Mapping[str, Rows]) -> bool:
    "Whether an object is a sample itself, and its lists are what it is made of."
    if holds(row, "question") and (holds(row, "correct") or holds(row, "score")): return True
    plain = not any(holds_parts(rows[0]) or holds(rows[0], "question") for rows in lists.values())
    return plain and holds(row, "correct")


def holds(row: dict, part: str) -> bool:
    "Whether a plain value of an object is called as a part is."
    return any(simplify(name) in COLUMNS[part] and not isinstance(value, (list, dict))
               for name, value in row.items())


def holds_parts(row: dict) -> bool:
    names = set(map(simplify, row))
    outcome = {*COLUMNS["correct"], *COLUMNS["score"]}
    return not names.isdisjoint(COLUMNS["question"]) and not names.isdisjoint(outcome)


def choose_list(lists: Mapping[str, Rows], file: str) -> tuple[Rows, str]:
    "The list that holds samples: of several the only one that has their parts, or a question."
    samples = [key for key, rows in lists.items() if all(map(holds_parts, rows))]
    named = [key for key, rows in lists.items() if holds(rows[0], "question")]
    depth = min(key.count(".") for key in lists)
    nearest = [key for key in lists if key.count(".") == depth]
    for found in samples, named, nearest:
        if len(found) == 1: return lists[found[0]], found[0]
    raise ValueError(f"which list of {basename(file)!r} holds the samples? Lists of objects stand "
                     f"under {list_names(list(lists))}; write that list to a file of its own")


def refuse_summary(row: dict, file: str) -> None:
    "Refuse an object with totals over samples that it does not list."
    totals = [name for name in row if not TOTALS.isdisjoint(simplify(name).split("_"))]
    if not totals: return
    raise ValueError(f"{basename(file)!r} is a summary: one object with totals, such as "
                     f"{list_names(totals[:3])}, and no list of samples; read the file in which "
                     "the samples stand instead")
