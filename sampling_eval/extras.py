"Packages that only some uses need, and what the system says where a file cannot be written."
from __future__ import annotations

import errno
import os
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["EXTRAS", "need", "keep_engine", "unwritten_reason"]

DISK_FULL = errno.ENOSPC, errno.EDQUOT
FULL = "the disk is full; free some space, or write elsewhere"

# What each extra is for, as its error says it.
EXTRAS = {
    "files": "reading files",
    "arrow": "reading Arrow files",
    "sheets": "reading a workbook",
    "frames": "reading and writing data frames",
    "plot": "figures",
}


def need(
    module: str,  # Module to import, such as `matplotlib.figure`
    extra: str,  # Key of `EXTRAS` that installs it
) -> ModuleType:  # The module
    """A module of an optional package.

    Raises: `ImportError` that says what to install, if the package is not there.
    """
    try: return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        # A package that is there and broken says more about itself than we could.
        if not error.name or error.name.partition(".")[0] != package: raise
    raise ModuleNotFoundError(f"{EXTRAS[extra]} needs {package}, which is not installed: "
                              f'pip install "sampling_eval[{extra}]"', name=package) from None


def keep_engine(
    **settings: str,  # Settings of DuckDB, such as `memory_limit="2GB"`
) -> Any:  # A connection to it; work on a cursor of it
    "DuckDB in memory, started once in each process: its threads do not outlive a fork."
    return start_engine(os.getpid(), *settings.items())


@cache
def start_engine(process: int, *settings: tuple[str, str]) -> Any:
    "An engine that belongs to a process."
    duckdb: Any = need("duckdb", "files")
    return duckdb.connect(config=dict(settings))


def unwritten_reason(
    error: Exception,  # Error of the system, or of an engine that passes its words on
) -> str:  # One line
    "Why something cannot be written."
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    full = any(os.strerror(number) in told for number in DISK_FULL)
    return FULL if full else told.splitlines()[0]
