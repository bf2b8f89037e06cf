"""How many bytes of a file are believed."""
from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits", "TooLarge", "tell_excess"]


class TooLarge(ValueError):
    "More bytes than are believed; the file may well be a log."


@dataclass(frozen=True)
class Limits:
    "How many bytes of a log are believed before it is refused."
    line:int=2**26 # One line of a JSON lines file
    document:int=2**29 # One JSON document, or one member of an archive
    ratio:int=200 # What an archive may unpack to, for each byte of it
    free:int=2**26 # What an archive may unpack to, however small it is


def tell_excess(
    what:str, # What is too large, such as `a line`
    limit:int, # How many bytes it may have
    place:str, # Where it stands
    name:str, # Which of the `Limits` it exceeds
)->str: # The sentence of the error
    "The refusal of something that is too large."
    return (f"{what} may hold at most {limit:,} bytes, got more in {place}; "
            f"raise limits=Limits({name}=...) if you trust the file")
