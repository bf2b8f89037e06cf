"""The command `explain`."""
from __future__ import annotations

import argparse

from ...command import given_options, show, take_options
from ...render.text import break_command
from ...spelling import spell_command
from ..engine.questions import join_words, split_words
from .result import Shortlist
from .verb import explain


def run_explain(asked: argparse.Namespace) -> int:
    "One question: its answers, and what it moves; without one, the questions worth a look."
    files, name = split_words(asked.files, asked.about)
    result = explain(files[0], name, *files[1:], **take_options(asked))
    show(asked, result)
    if asked.format == "table" and isinstance(result, Shortlist) and result.rows:
        words = join_words(files, str(result.rows[0]["question"]))
        typed = spell_command("explain", words, given_options(asked, "models", "on_unmatched"))
        print("\n" + break_command(f"Next: {typed}"))
    return 0
