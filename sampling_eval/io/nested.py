"""Fields of objects in the cells of a table, by dotted names such as `scores.accuracy.value`."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .columns import no_column
from .tabular import Batch, Keep, Source, list_columns, take_column
from .values import tidy

__all__ = ["list_fields", "reveal_fields"]

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
    plain = [part for source in sources for part in (source.plain() if source.plain else [source])]
    known = name_all(plain, {name.partition(".")[0] for name in dotted})
    for name, asked in dotted.items():
        if name not in known: raise no_column(asked, name, [*list_columns(sources), *known])
    return [reveal_source(source, list(dotted)) for source in plain]


def name_all(sources: Sequence[Source], columns: Iterable[str]) -> dict[str, None]:
    "The fields of some columns."
    cells = ((column, cell) for column in sorted(columns) for source in sources
             if column in source.columns
             for cell in take_column(source, "look it", column).tolist())
    return dict.fromkeys(f"{column}.{name}" for column, cell in cells for name in name_fields(cell))


def reveal_source(source: Source, dotted: Sequence[str]) -> Source:
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        whole = {part: name.partition(".")[0] if name in dotted else name
                 for part, name in chosen.items()}
        # A cell is taken as it stands: only its field is a name, an outcome or a score.
        kept = {f"look {name}" if name in dotted else part: whole[part]
                for part, name in chosen.items()}
        base = source.take({"question": whole["question"]} | kept, keep)
        parts = {part: pick_field(base.parts[f"look {name}"], name) if name in dotted
                 else base.parts[part] for part, name in chosen.items()}
        return replace(base, parts=parts)
    here = [name for name in dotted if name.partition(".")[0] in source.columns]
    return replace(source, columns=[*source.columns, *here], take=take, head=None, plain=None)


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
