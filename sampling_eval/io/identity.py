"""Which rows are samples of one question, as the names of columns and files tell."""
from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import OptionError, name_option, option
from ..patterns import label_path
from ..results.reading import ReadNote
from .values import (code_values, find_varied, join_codes, join_columns, order_value, plain_name,
                     tidy)
from .columns import COLUMNS, RUNS, is_mark, no_column, simplify
from .counted import CountedRows
from .options import Options
from .tabular import FILE, Batch

__all__ = ["KINDS", "choose_files", "label_files", "find_marks", "list_unused", "settle_tasks",
           "refuse_others", "advise_files", "advise_repeat", "list_keys", "join_names",
           "name_tasks"]

NAMES = dict(
    task="dataset dataset_name data_set dataset_id benchmark benchmark_name bench task task_name "
         "subset subset_name split language lang locale subject domain",
    system="model model_name model_id system llm llm_name engine engine_name agent agent_name "
           "provider provider_id checkpoint checkpoint_id ckpt step global_step temperature "
           "prompt_template",
    grade="metric metric_name scorer scorer_name filter filter_name grader")
KINDS = {name: kind for kind, names in NAMES.items() for name in names.split()}


# Files that hold models.

def choose_files(
    chosen: Mapping[str, str],  # Column of each part
    options: Options,  # What files hold
    files: Sequence[str],  # Files the rows come from
) -> dict[str, str]:  # The same, with the file as model if the caller says so
    """Columns of all parts, files among them.

    Raises: `ValueError` if models are to be named by files, and a column names them already.
    """
    if options.files_hold != "models" or len(files) < 2: return dict(chosen)
    if "model" not in chosen: return {**chosen, "model": FILE}
    raise OptionError(
        "files_hold", f"{option('files_hold', 'models')} names each model after its file, but "
                      f"there is {option('model', chosen['model'])}",
        hint=f"leave {name_option('files_hold')} out, or pass {option('model', False)}")


def label_files(
    rows: CountedRows,  # Counted rows of several models
    chosen: Mapping[str, str],  # Column of each part
    files: Sequence[str],  # Files the rows come from
) -> CountedRows:  # The same with short names for models that are files
    "Models named after files, without the folders that all have in common."
    if chosen.get("model") != FILE or rows.model is None: return rows
    paths = list(map(Path, files))
    labels = {os.fspath(file): label_path(path, paths) for file, path in zip(files, paths)}
    names = [labels.get(name, name) for name in rows.model.tolist()]
    return replace(rows, model=np.array(names, object))


# Columns that are known by name.

def find_marks(
    columns: Sequence[str],  # Names of all columns
    chosen: Mapping[str, str],  # Column of each part
    options: Options,  # Columns to ignore, and what files hold
    files: Sequence[str],  # Files the rows come from
) -> dict[str, str]:  # Column by part, such as `task dataset`
    """Columns that are not used, and may tell which rows belong together.

    Raises: `ValueError` for an ignored column that is not there.
    """
    kinds = KINDS if "sample" in options.columns else KINDS | dict.fromkeys(RUNS, "system")
    order = {name: at for at, name in enumerate(kinds)}
    left = [c for c in list_unused(columns, chosen, options) if simplify(c) in kinds]
    left.sort(key=lambda column: order[simplify(column)])
    marks = {f"{kinds[simplify(c)]} {c}": c for c in left}
    if "cluster" in chosen and simplify(chosen["cluster"]) in NAMES["task"].split():
        marks[f"task {chosen['cluster']}"] = chosen["cluster"]
    if len(files) > 1 and may_hold_draws(chosen, options): marks["file"] = FILE
    return marks


def may_hold_draws(chosen: Mapping[str, str], options: Options) -> bool:
    "Whether files may hold samples of one model: as the caller says, or as no column denies."
    if options.files_hold is not None: return options.files_hold == "draws"
    named = {"sample", "model"} & chosen.keys()
    return not named and options.columns.get("model") is not False


def list_unused(columns: Sequence[str], chosen: Mapping[str, str], options: Options) -> list[str]:
    "Columns that play no part, and that nobody said to leave out."
    odd = [c for c in options.ignore if c not in columns]
    if odd: raise no_column("ignore", odd[0], columns)
    told = [part for part, column in options.columns.items() if column is False or part == "model"]
    refused = {name for part in told for name in COLUMNS[part]}
    used = {*chosen.values(), *options.sums, *options.ignore}
    return [c for c in columns if c not in used and simplify(c) not in refused]


def settle_tasks(
    batch: Batch,  # Rows with the columns of `find_marks`
    chosen: Mapping[str, str],  # Column of each part
) -> tuple[Batch, list[ReadNote]]:  # Rows without tasks that name no question; notes on others
    "Tasks in which the names of questions restart become part of the name."
    marks = name_tasks(batch)
    if not marks: return batch, []
    scope = join_columns(batch.parts[part] for part in ("question", "group") if part in batch.parts)
    tasks = []
    for part in marks:
        code = code_values(batch.parts[part])[0]
        if not find_varied(scope, code).any(): continue
        tasks.append(part)
        scope = join_codes(scope, code)
    idle = set(marks) - set(tasks)
    parts = {part: values for part, values in batch.parts.items() if part not in idle}
    if not tasks: return replace(batch, parts=parts), []
    names = (*(part.partition(" ")[2] for part in tasks), chosen["question"])
    return replace(batch, parts=parts), [ReadNote("named_by_task", names)]


def refuse_others(
    batch: Batch,  # Rows with the columns of `find_marks`
    chosen: Mapping[str, str],  # Column of each part
    options: Options,  # What files hold
) -> None:
    """Refuse a question that has rows of several systems, graders or files.

    Raises: `ValueError` naming the column, a question and what to pass.
    """
    idle = {*name_tasks(batch), *["file"] * (options.files_hold == "draws")}
    marks = [part for part in batch.parts if is_mark(part) and part not in idle]
    if not marks: return
    whole = [part for part in ("question", "group", *name_tasks(batch), "model")
             if part in batch.parts]
    scope = join_columns(batch.parts[part] for part in whole)
    for part in marks: refuse_varied(batch, chosen["question"], part, scope)


def refuse_varied(batch: Batch, question: str, part: str, scope: np.ndarray) -> None:
    code, names = code_values(batch.parts[part])
    varied = find_varied(scope, code)
    if not varied.any(): return
    questions = tidy(batch.parts["question"]).tolist()
    first = min(np.flatnonzero(varied).tolist(), key=lambda row: order_value(questions[row]))
    both = sorted({names[c] for c in code[scope == scope[first]].tolist()}, key=order_value)[:2]
    got = " and ".join(tell_value(part, value) for value in both)
    bad = len(set(scope[varied].tolist()))
    nameable = {type(plain_name(name)) for name in names} <= {int, str}
    once = nameable and len(np.unique(join_codes(scope, code))) == batch.times.sum()
    asked, rule, ways = tell_rule(part, part.partition(" ")[2], once)
    where = (f" for {question} {plain_name(questions[first])!r} "
             f"({bad} of {int(scope.max()) + 1} questions fail)")
    raise OptionError(asked, rule, found=got, where=where, hint=ways)


def tell_rule(part: str, column: str, once: bool) -> tuple[str, str, str]:
    "The option and the rule of a column, and the ways out; values that come once may be samples."
    if part == "file":
        return ("files_hold", "files with the same questions must be told apart",
                f"pass {option('files_hold', 'models')} if each file is a model, "
                f"{option('files_hold', 'draws')} if they hold more samples of one; if they are "
                "other tasks, add a column dataset to each")
    keep = f"keep the rows of one {column}"
    ignore = f"{option('ignore', column)} if it changes nothing"
    if part.startswith("grade "):
        return ("ignore", f"a sample has one outcome, but there are rows of several {column}",
                f"{keep}, or pass {ignore}")
    draws = f"{option('sample', column)} if they are draws of one model, " if once else ""
    return ("model", f"a question needs rows of one {column}",
            f"pass {option('model', column)} to tell them apart, {draws}or {ignore}; or {keep}")


def tell_value(part: str, value: Any) -> str:
    return repr(re.split(r"[\\/]", value)[-1] if part == "file" else plain_name(value))


# The names of one sample.

def list_keys(
    batch: Batch,  # Rows with names
) -> list[str]:  # Parts that name a sample
    "Question and sample last, after what tells questions apart."
    whole = [part for part in ("file", "model", "group") if part in batch.parts]
    return [*whole, *name_tasks(batch), "question", "sample"]


def name_tasks(
    batch: Batch,  # Rows with names
) -> list[str]:  # Parts of the tasks, in the order of their names
    "The tasks that questions are named by."
    return [part for part in batch.parts if part.startswith("task ")]


def join_names(
    batch: Batch,  # Rows with names
    named: Mapping[str, Any],  # Name of each part of `list_keys`
) -> dict[str, Any]:  # Names as a reader knows them
    "The names of a sample, its question called by group and task where these name it."
    outer = [*["group"] * names_restart(batch), *name_tasks(batch)]
    question = named["question"]
    if outer: question = "/".join(str(named[part]) for part in [*outer, "question"])
    return {part: question if part == "question" else name for part, name in named.items()
            if part in ("file", "model", "question", "sample")}


def names_restart(batch: Batch) -> bool:
    "Whether one question stands in several groups."
    if "group" not in batch.parts: return False
    scope = code_values(batch.parts["question"])[0]
    for part in name_tasks(batch): scope = join_codes(scope, code_values(batch.parts[part])[0])
    return bool(find_varied(scope, code_values(batch.parts["group"])[0]).any())


def advise_repeat(
    columns: Sequence[str],  # Names of all columns
    chosen: Mapping[str, str],  # Column of each part
    files: Sequence[str],  # Files the rows come from
) -> str:  # What to pass where a sample appears twice
    "The ways out of a sample that appears twice."
    own = f"if each row is a sample of its own, pass {option('sample', False)}"
    runs = [c for c in (chosen["sample"], *columns)
            if simplify(c) in RUNS and c != chosen.get("model")]
    if runs:
        return (f"if each {runs[0]} is a model of its own, pass {option('model', runs[0])}; {own}")
    others = [c for c in columns if c not in chosen.values()]
    which = f" ({', '.join(others[:3])}{', ...' * (len(others) > 3)})" if others else ""
    ways = [f"if a column{which} tells them apart, pass {option('model', '...')} or "
            f"{option('sample', '...')}", own, advise_files(files)]
    return "; ".join(filter(None, ways))


def advise_files(
    files: Sequence[str],  # Files the rows come from
) -> str:  # What to pass where several hold one sample; empty where there is one
    "The way out of a sample that stands in two files."
    if len(files) < 2: return ""
    return ("if the files hold other models or more samples, pass "
            f"{option('files_hold', 'models', 'draws')}")
