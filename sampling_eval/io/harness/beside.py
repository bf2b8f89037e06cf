"""What a harness wrote in a file of its own, beside a log."""
from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from .limits import Limits
from .log import open_log

__all__ = ["count_beside", "read_beside"]


def read_beside(
    path:Path, # Where the file would be
    limits:Limits, # How many bytes are believed
)->dict[str, Any]: # Its content; nothing if there is no such file
    "The object that a JSON file beside a log holds."
    head = open_log(path, limits).head if path.is_file() else {}
    return head if isinstance(head, dict) else {}


def count_beside(
    path:Path, # Where JSON lines would be
    key:str, # What names the question of a line
    limits:Limits, # How many bytes are believed
)->Counter[Any]: # Lines of each question; nothing if there is no such file
    "How many samples of each question a file beside a log holds."
    if not path.is_file() or not path.stat().st_size: return Counter()
    log = open_log(path, limits)
    known = log.kind in ("lines", "document") and isinstance(log.head, dict)
    return Counter(record.get(key) for record in log.records()) if known else Counter()
