"""When a page was made, with which versions, and of which files."""
from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import datetime, timezone

import numpy as np

from ..io.file_content import identify
from ..io.grouped_rows import File
from ..report.blocks import Table
from .parts import Part, Sentence

__all__ = ["list_origin", "tell_date"]


def list_origin(
    files: Sequence[File] = (),  # Files that were read, where they are known
) -> list[Part]:  # A sentence, and a table of files
    "Files with their hashes, versions and the date."
    from .. import __version__
    python = sys.version.split()[0]
    versions = f"sampling_eval {__version__}, numpy {np.__version__}, Python {python}"
    said = Sentence(f"{versions}; {tell_date()}.")
    rows = [[os.path.basename(file.path), hash_file(file)] for file in files]
    return [said, *[Table(["file", "sha256 of its content"], rows, left=2)] * bool(rows)]


def tell_date() -> str:  # `2026-11-22`
    "The day; the one of SOURCE_DATE_EPOCH where a build must not depend on the clock."
    given = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.fromtimestamp(int(given), timezone.utc) if given else datetime.now(timezone.utc)
    return now.strftime("%Y-%m-%d")


def hash_file(file: File) -> str:
    if file.sha256: return file.sha256
    try: return identify(file).sha256 or "not known: read from an address"
    except (ValueError, OSError): return "not known: the file has changed since it was read"
