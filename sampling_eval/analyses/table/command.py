"""The command `table`."""
from __future__ import annotations

import argparse

from ...command import name_files, show, take_files, take_options
from .verb import table


def run_table(asked: argparse.Namespace) -> int:
    "Models by metrics for a paper: sorted, with intervals and letters of significance."
    title = name_files(asked.files) if len(asked.files) < 4 else ""
    return show(asked, table(take_files(asked), title=title, **take_options(asked)))
