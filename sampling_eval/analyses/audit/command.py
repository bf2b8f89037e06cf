"""The command `audit`."""
from __future__ import annotations

import argparse

from ...command import show, take_options
from .verb import audit


def run_audit(asked: argparse.Namespace) -> int:
    "What a published number can mean: counts that fit it, its CI, and against another one."
    number, *other = asked.numbers
    # Values with their metrics, and totals of runs, are one text.
    if len(other) > 1 or {*"@^"} & {*number}: number, other = " ".join(asked.numbers), []
    return show(asked, audit(number, *other, **take_options(asked)))
