"""Questions that no known column names: columns such as `task`, and numbers of rows."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .columns import COLUMNS, simplify
from .tabular import Source, list_columns, take_column, zip_columns

__all__ = ["are_alone", "find_task", "hold_objects", "names_question"]

Named = Mapping[str, str | bool]  # Column of a part; False uses none
TASKS = "task task_name problem problem_name item item_name prompt case test test_name name".split()
TRIALS = set("trial trial_id epoch seed rep repeat repetition replica replicate attempt rollout "
             "attempt_no trial_no".split())
UNNAMED = re.compile(r"|Unnamed: 0|index")  # How pandas calls its index in a file


def names_question(columns: Sequence[str]) -> bool:
    "Whether a column is called like that of the questions."
    return any(simplify(column) in COLUMNS["question"] for column in columns)


def are_alone(
    sources: Sequence[Source],  # A table, whatever a row of it holds
    columns: Sequence[str],  # Names of its columns
    taken: set,  # Those that hold samples
) -> bool:
    "Whether nothing stands beside the samples but the numbers of rows that pandas writes."
    left = [c for c in list_columns(sources) if c in columns and c not in taken]
    return all(UNNAMED.fullmatch(str(column)) and are_row_numbers(sources, column)
               for column in left)


def hold_objects(sources: Sequence[Source], columns: Iterable[object]) -> bool:
    "Whether lists hold objects, as in a document whose rows stand under a name."
    cells = (cell for source in sources for column in columns if column in source.columns
             for cell in take_column(source, "answer", str(column)).tolist())
    return any(isinstance(value, Mapping) for cell in cells if isinstance(cell, list)
               for value in cell)


def are_row_numbers(sources: Sequence[Source], column: str) -> bool:
    "Whether a column counts the rows, from 0 or from 1."
    values = [value for source in sources for value in take_column(source, "question", column)]
    plain = list(dict.fromkeys(values))
    return plain in (list(range(len(plain))), list(range(1, len(plain) + 1)))


def find_task(sources: list[Source], columns: Sequence[str], named: Named) -> Named:
    """A column such as `task`, where each of its values was tried several times.

    It is the question if nothing else could be: there is an outcome, and a number of the trial
    that repeats in no task. Where the samples have ids, the task could hold other questions.
    """
    if "question" in named or names_question(columns): return {}
    found = [c for c in columns if simplify(c) in TASKS and c not in named.values()]
    sample = named.get("sample") or next((c for c in columns if simplify(c) in TRIALS), None)
    right = named.get("correct") or next(
        (c for c in columns if simplify(c) in COLUMNS["correct"]), None)
    if len(found) != 1 or not sample or not right or sources[0].verb != "read": return {}
    if not {sample, right} <= set(columns) or simplify(str(sample)) not in TRIALS: return {}
    model = named.get("model") or next((c for c in columns if simplify(c) in COLUMNS["model"]), "")
    keys = [found[0], str(sample), *[str(model)] * (model in columns)]
    if any(not set(keys) <= set(source.columns) for source in sources): return {}
    rows = [tuple(map(repr, row)) for source in sources for row in zip_columns(source, keys)]
    tasks = len({row[0] for row in rows})
    return dict(question=found[0]) if 1 < tasks < len(set(rows)) == len(rows) else {}
