"""How the logs of one harness are recognised and read."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .ask import Ask
from .log import KINDS, Log
from .records import Row
from .words import quote_names, shorten

__all__ = ["Reader", "make_reader"]


@dataclass(frozen=True)
class Reader:
    """How one harness, or one of its layouts, is recognised and read.

    A row is a dict with `question` (text or a whole number), `sample` (a whole number), `correct`
    or `score`, and where there are any `answer`, `target`, `model`, `task` and `lost`: whether the
    sample broke down and has no outcome. `grade` sees `graded` instead of `answer`, if given, and
    leaves a row alone that is `judged`. A sample with a `uuid` counts once, however many logs hold
    it, and has no outcome if one of them calls it `invalid`. Logs of one `run` complete each other.
    """
    name:str # What `harness=` calls it; two layouts of one harness share a name
    kinds:tuple[str, ...] # Containers it comes in, of `KINDS`
    recognise:Callable[[Any], bool] # Whether the head of a file looks like this layout
    rows:Callable[[Log, Ask], tuple[str, Iterable[Row]]] # What was taken for what; rows
    judged:bool=True # Whether outcomes are stored
    by_folder:bool=False # Whether the folder of a file is the name of its model
    origin:str="" # Who brought a reader that is not built in
    draws:bool=False # Whether files with the same questions are runs of one model

    def fits(
        self,
        kind:str, # What kind of container a file is
    )->bool: # Whether this layout may come in it
        "Whether a container is of a kind that is read."
        # One record alone makes a file of JSON lines that looks like a document.
        return kind in self.kinds or kind == "document" and "lines" in self.kinds


def make_reader(
    given:Any, # Object or module with `name`, `recognise` and `rows`; `kinds`, `judged` if it likes
    origin:str, # Who brought it
)->Reader: # The same as a `Reader`
    "A reader from somewhere else; raises `ValueError` if something of it is absent or wrong."
    name = getattr(given, "name", None)
    if not isinstance(name, str) or not name:
        raise ValueError(f"a reader needs a name, got {shorten(name)} of {shorten(given)} "
                         f"from {origin}")
    for part in ("recognise", "rows"):
        if not callable(getattr(given, part, None)):
            raise ValueError(f"a reader needs the functions recognise(head) and rows(log, ask), "
                             f"got no {part} in the reader {name!r} of {origin}")
    kinds = getattr(given, "kinds", KINDS)
    if not isinstance(kinds, (tuple, list, set)) or not all(kind in KINDS for kind in kinds):
        raise ValueError(f"kinds must be some of {quote_names(KINDS)}, got {shorten(kinds)} "
                         f"in the reader {name!r} of {origin}")
    return Reader(name, tuple(kinds), given.recognise, given.rows, getattr(given, "judged", True),
                  getattr(given, "by_folder", False), origin, getattr(given, "draws", False))
