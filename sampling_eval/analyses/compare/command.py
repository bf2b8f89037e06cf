"""The command `compare`."""
from __future__ import annotations

import argparse

from ...command import show, take_options
from .verb import compare


def run_compare(asked: argparse.Namespace) -> int:
    "Is B better than A? The difference on the same questions, at each k and at all at once."
    result = compare(*asked.files[:2], others=asked.files[2:], **take_options(asked))
    return show(asked, result)
