"""Names that stand in the paths of files: `task1/trial_0/result.json` is a trial of a task."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os.path import commonpath
from pathlib import Path

import numpy as np

from .column_names import KINDS, names_sample
from .columns import (Batch, COLUMNS, FILE, Keep, Source, TASKS, list_columns, list_plain,
                      simplify, take_here)

__all__ = ["add_paths", "hold_single_rows"]

NUMBERED = re.compile(r"(.*?[A-Za-z].*?)[-_. ]?([0-9]+)")  # A word, and a number at its end
LEVELS = {*TASKS, *KINDS, *(name for names in COLUMNS.values() for name in names)}


def add_paths(sources: Sequence[Source], named: Mapping[str, object]) -> list[Source]:
    "Files in folders whose rows name no question, with a column for each level of their paths."
    columns, files = list_columns(sources), [file for one in sources for file in one.files]
    called = any(simplify(c) in (*COLUMNS["question"], *TASKS) for c in columns)
    if called or named.get("question") in columns or not hold_single_rows(sources):
        return list(sources)
    levels = {name: values for name, values in name_levels(files).items() if name not in columns}
    if not levels: return list(sources)
    return [add_levels(source, levels) for source in list_plain(sources)]


def hold_single_rows(sources: Sequence[Source]) -> bool:
    "Whether there are several files, each of one row."
    sizes = [size for source in sources for size in source.sizes]
    files = sum(len(source.files) for source in sources)
    return 1 < files == len(sizes) and set(sizes) == {1}


def add_levels(source: Source, levels: Mapping[str, Mapping[str, str]]) -> Source:
    "The same with a column for each level."
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        own = {part: column for part, column in chosen.items() if column in levels}
        if not own: return source.take(chosen, keep)
        rest = {part: column for part, column in chosen.items() if part not in own}
        base = take_here(source, {"question": source.columns[0], **rest, "file": FILE}, keep)
        files = base.parts["file"].tolist()
        made = {part: np.array([levels[column].get(file) for file in files], object)
                for part, column in own.items()}
        parts = {part: made[part] if part in own else base.parts[part] for part in chosen}
        return replace(base, parts=parts)
    return replace(source, columns=[*source.columns, *levels], take=take, head=None, plain=None)


def name_levels(files: Sequence[str]) -> dict[str, dict[str, str]]:  # By file, of each level
    "The levels of some paths that differ, named by what their folders have in common."
    paths = [Path(file) for file in files]
    root = Path(commonpath([path.parent for path in paths]))
    rows = [split_path(path.relative_to(root)) for path in paths]
    if len(set(map(len, rows))) != 1: return {}
    found: dict[str, dict[str, str]] = {}
    above = root.name
    for place, values in enumerate(zip(*rows)):
        if len(set(values)) == 1:
            above = values[0]
            continue
        name = name_level(values, above) or f"path.{place + 1}"
        found.setdefault(name, dict(zip(files, values)))
        above = ""
    return found


def split_path(path: Path) -> list[str]:
    "Folders, and the name of the file without what its kind adds."
    return [*path.parts[:-1], path.name.split(".")[0] or path.name]


def name_level(values: Sequence[str], above: str) -> str:
    "`task` of task0 and task1, or of all that stands in a folder tasks; empty where nothing says."
    stems = [found[1] if (found := NUMBERED.fullmatch(value)) else "" for value in values]
    stem = simplify(stems[0]) if len(set(stems)) == 1 else ""
    if stem: return stem
    single = simplify(above).removesuffix("s")
    return single if single in LEVELS or names_sample(single) else ""
