"""JSON that may come from anywhere."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from ...renaming import ENDLESS, is_endless
from .limits import Limits, TooLarge, tell_excess
from .words import shorten

__all__ = ["parse_json", "json_lines"]


def parse_json(
    data:bytes, # UTF-8 text of one JSON value
    place:str="", # Where it stands, for the message
)->Any: # The value
    """One JSON value from bytes that may come from anywhere.

    Raises: `ValueError` for text that is not UTF-8 or not JSON, a key that stands twice, or
    nesting beyond the parser.
    """
    try: return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_make_object)
    except UnicodeDecodeError as fault:
        byte = data[fault.start]
        reason = f"text must be UTF-8, got byte 0x{byte:02x} at offset {fault.start}"
    except RecursionError:
        reason = "JSON must not be nested this deeply, got more levels than the parser takes"
    except ValueError as fault:
        reason = ENDLESS if is_endless(fault) else f"need valid JSON, got {fault}"
    raise ValueError(reason + (f" in {place}" if place else ""))


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    "A dict of the pairs; parsers differ on which of two equal keys counts, so that is refused."
    result = dict(pairs)
    if len(result) == len(pairs): return result
    times = Counter(name for name, _ in pairs)
    twice = next(name for name in times if times[name] > 1)
    raise ValueError(f"the key {twice!r} twice in one object")


def json_lines(
    path:str|Path, # JSON lines file
    limits:Limits=Limits(), # How long a line may be
)->Iterator[dict[str, Any]]: # One object per line that is not blank
    """The objects of a JSON lines file, one at a time.

    Raises: `ValueError` with file and line if a line is too long or does not hold one JSON object.
    """
    path = Path(path)
    with open(path, "rb") as file:
        for number in count(1):
            line, place = file.readline(limits.line + 1), f"line {number} of {path.name}"
            if not line: return
            if len(line) > limits.line:
                raise TooLarge(tell_excess("a line", limits.line, place, "line"))
            if line.strip(): yield _parse_record(line, place)


def _parse_record(line: bytes, place: str) -> dict[str, Any]:
    record = parse_json(line, place)
    if isinstance(record, dict): return record
    raise ValueError(f"a line must hold one JSON object, got {shorten(record)} in {place}")
