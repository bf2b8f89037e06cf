"""Readers that other packages bring, by the entry point group `sampling_eval.readers`."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from .reader import Reader, make_reader

__all__ = ["GROUP", "REGISTERED", "list_plugins", "load_plugins"]

GROUP = "sampling_eval.readers"
REGISTERED: dict[str, Reader] = {} # Readers of this process, without a package


def list_plugins()->list[str]: # Names, without importing any
    "The names of readers that are registered, or that other packages bring."
    return [*REGISTERED, *(entry.name for entry in _list_entries())]


def load_plugins(
    name:str|None=None, # The only one to load; all if None
)->list[Reader]: # Readers, those of this process first
    """The readers of other packages, imported.

    Raises: `ValueError`, naming the package, if one cannot be imported or is no reader.
    """
    registered = [made for made in REGISTERED.values() if name in (None, made.name)]
    entries = [entry for entry in _list_entries() if name in (None, entry.name)]
    return registered + [made for entry in entries for made in _load_entry(entry)]


def _load_entry(entry: Any) -> Iterator[Reader]:
    origin = _tell_origin(entry)
    try: given = entry.load()
    except Exception as fault:
        raise ValueError(f"the reader {entry.name!r} of {origin} cannot be loaded "
                         f"({type(fault).__name__}: {fault}); repair or uninstall it, or pass "
                         "harness= the name of another, or 'table'") from fault
    # A harness with two layouts brings two readers of one name.
    for part in given if isinstance(given, (list, tuple)) else [given]:
        made = make_reader(part, origin)
        if made.name != entry.name:
            raise ValueError(f"a reader must have the name of its entry point, got {made.name!r} "
                             f"at the entry point {entry.name!r} of {origin}")
        yield made


def _tell_origin(entry: Any) -> str:
    return f"the package {entry.dist.name}" if entry.dist else entry.value


@cache
def _list_entries() -> tuple[Any, ...]:
    if not any(map(_may_bring_readers, sys.path)): return ()
    from importlib.metadata import entry_points
    return tuple(entry_points(group=GROUP))


def _may_bring_readers(folder: str) -> bool:
    """Whether a folder of packages has one with readers; True where only Python could tell.

    A look at the files takes a tenth of the time that `importlib.metadata` takes to be imported,
    and every plain table in JSON lines comes by here.
    """
    path = Path(folder or ".")
    if not path.is_dir(): return path.exists()
    return any(_names_readers(entries) for place in ("*.dist-info", "*.egg-info", "EGG-INFO")
               for entries in path.glob(f"{place}/entry_points.txt"))


def _names_readers(entries: Path) -> bool:
    try: return GROUP.encode() in entries.read_bytes()
    except OSError: return False
