"""What counted rows come from."""
from __future__ import annotations

from dataclasses import dataclass

from ..results.reading import Coverage, Repeat

__all__ = ["Coverage", "File", "Repeat"]


@dataclass(frozen=True)
class File:
    "A file that was counted, and what identifies it."
    path: str  # Where it was
    sha256: str = ""  # Hash of its unpacked content; empty if not yet known
    state: tuple | None = None  # Size and time of change when it was read
