"""The command `extrapolate`."""
from __future__ import annotations

import argparse

from ...command import show, take_files, take_options
from .verb import extrapolate


def run_extrapolate(asked: argparse.Namespace) -> int:
    "What more samples would have shown: statistical models, and bounds that need none."
    return show(asked, extrapolate(take_files(asked), **take_options(asked)))
