"""When a page was made, with which versions, and of which files."""
from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import datetime, timezone

import numpy as np

from ..results.score_report import SourceFile
from .blocks import Block, Table, Text

__all__ = ["describe_versions", "list_sources", "tell_date"]


def describe_versions() -> str:
    "The program and what it ran on."
    from .. import __version__
    python = sys.version.split()[0]
    return f"Computed with sampling_eval {__version__} (numpy {np.__version__}, Python {python})."


def list_sources(
    files: Sequence[SourceFile] | None,  # Files that were read; None where no page is made
) -> list[Block]:  # The day, and a table of files
    "When it was made, and of what."
    if files is None: return []
    rows = [[file.name, file.sha256 or file.unknown] for file in files]
    table = [Table(["file", "sha256 of its content"], rows, left=2)] * bool(rows)
    return [Text(f"Made on {tell_date()}."), *table]


def tell_date() -> str:  # `2026-11-22`
    "The day; the one of SOURCE_DATE_EPOCH where a build must not depend on the clock."
    given = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.fromtimestamp(int(given), timezone.utc) if given else datetime.now(timezone.utc)
    return now.strftime("%Y-%m-%d")
