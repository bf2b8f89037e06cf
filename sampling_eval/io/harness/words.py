"""Values and names as the errors of this room show them."""
from __future__ import annotations

from collections.abc import Iterable

__all__ = ["shorten", "quote_names"]


def shorten(
    value:object, # Anything
    width:int=60, # Characters it may take
)->str: # Its `repr`, cut where it is longer
    "A value as an error shows it."
    text = repr(value)
    return text if len(text) <= width else text[:width - 3] + "..."


def quote_names(
    names:Iterable[str], # Names to choose from
)->str: # The names in quotes, separated by commas
    "Names as an error lists them."
    return ", ".join(map(repr, names))
