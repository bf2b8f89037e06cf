"""Several logs as one table: whose samples they are, and how they are numbered."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from .tabular import PARTS, Table
from .words import shorten

__all__ = ["check_files", "join_tables", "label_path", "name_models", "number_on", "refuse_copies"]

Key = tuple[Any, Any, Any] # Model, task and question
OWN = "run", "uuid", "invalid" # What logs are put together by
KEPT = [part for part in PARTS if part not in OWN] # What a table of samples has
ALWAYS = "question", "sample", "correct"


def check_files(
    files:str|None, # What the caller chose
)->None:
    "Refuse anything but `draws` and `models`."
    if files not in (None, "draws", "models"):
        raise ValueError(f"files_hold must be 'draws' or 'models', got {files!r}")


def refuse_copies(
    paths:Sequence[Path], # Files that are read together
)->None:
    "Refuse one content under two names, which would count every sample twice."
    import hashlib
    seen: dict[bytes, Path] = {}
    for path in paths:
        with open(path, "rb") as file: digest = hashlib.file_digest(file, "sha256").digest()
        if digest in seen:
            raise ValueError(f"{seen[digest]} and {path} are the same file twice; leave one out")
        seen[digest] = path


def name_models(
    tables:Sequence[Table], # One for each file
    paths:Sequence[Path], # The files
    files:str|None, # `models` if each file holds a model of its own
    by_folder:bool, # Whether the folder of a file is the name of its model
)->None:
    "Name the model of every sample after its file, where the log or the caller asks for it."
    columns = [table.columns["model"] for table in tables]
    if by_folder: _take_folders(columns, paths)
    none = {model is None for models in columns for model in models}
    if files == "models": name = _add_label
    elif len(none) > 1: name = _fill_in
    else: return
    for models, path in zip(columns, paths): name(models, label_path(path, paths))


def _take_folders(columns: Sequence[list[str | None]], paths: Sequence[Path]) -> None:
    "Name the model of each file after its folder, if there are several."
    if len({path.parent for path in paths}) == 1: return
    for models, path in zip(columns, paths): models[:] = [path.parent.name] * len(models)


def _add_label(models: list[str | None], label: str) -> None:
    models[:] = [label if model is None else f"{model} {label}" for model in models]


def _fill_in(models: list[str | None], label: str) -> None:
    models[:] = [label if model is None else model for model in models]


def label_path(
    path:Path, # One of several files
    paths:Sequence[Path], # All of them
)->str: # Its name
    "A path without the folders that all paths have in common."
    parts = [other.with_suffix("").parts for other in paths]
    shared = 0
    while shared < min(map(len, parts)) - 1 and len({own[shared] for own in parts}) == 1:
        shared += 1
    return "/".join(path.with_suffix("").parts[shared:])


def number_on(
    tables:Sequence[Table], # One for each file
    paths:Sequence[Path], # The files
    files:str|None, # `draws` if they hold samples of one model
)->None:
    """Number the samples of a later file after those of the earlier ones.

    Raises: `ValueError` if two files hold the same question and the caller did not say why.
    """
    free: dict[Key, int] = {}
    owner: dict[Key, Path] = {}
    for table, path in zip(tables, paths):
        keys = _list_keys(table)
        again = [key for key in dict.fromkeys(keys) if key in owner]
        if again and files != "draws" and not _is_rest(owner[again[0]], path):
            raise ValueError(_tell_overlap(again, owner[again[0]], path))
        samples = [free.get(key, 0) + s for key, s in zip(keys, table.columns["sample"])]
        for key, sample in zip(keys, samples): free[key] = max(free.get(key, 0), sample + 1)
        owner |= dict.fromkeys(keys, path)
        table.columns["sample"] = samples


def _list_keys(table: Table) -> list[Key]:
    "Whose samples each row continues."
    return list(zip(table.columns["model"], table.columns["task"], table.columns["question"]))


def _tell_overlap(keys: Sequence[Key], path: Path, other: Path) -> str:
    question = shorten(keys[0][2])
    return (f"question {question} is in {path.name} and in {other.name} "
            f"({len(keys)} questions in all); pass files_hold='draws' if both are samples of one "
            "model, files_hold='models' if not")


def _is_rest(path: Path, other: Path) -> bool:
    "Whether one file holds the failed requests of the other, as AISBench writes them."
    stem = path.stem.removesuffix("_failed")
    return path.parent == other.parent and {path.stem, other.stem} == {stem, stem + "_failed"}


def join_tables(
    tables:Sequence[Table], # One for each file
)->dict[str, list[Any]]: # Columns; question, sample and correct or score are always there
    "All samples as columns of one table; with several tasks, questions are named by task too."
    columns = {part: _join_lists(table.columns[part] for table in tables) for part in KEPT}
    if len(set(columns["task"])) > 1:
        pairs = zip(columns["task"], columns["question"])
        columns["question"] = [f"{task}/{question}" for task, question in pairs]
    if not any(table.outcomes for table in tables): del columns["correct"]
    return {part: values for part, values in columns.items() if part in ALWAYS or _says(values)}


def _join_lists(lists: Iterable[list[Any]]) -> list[Any]: return list(chain.from_iterable(lists))


def _says(values: Iterable[Any]) -> bool: return any(value is not None for value in values)
