"""The command `describe`."""
from __future__ import annotations

import argparse
from dataclasses import replace

from ...command import given_options, name_files, show, take_files, take_options
from ...spelling import spell_command
from .verb import describe


def run_describe(asked: argparse.Namespace) -> int:
    "What can be computed from the data, and what is missing; or which columns there are."
    title = name_files(asked.files)
    found = describe(take_files(asked), title=title, **take_options(asked))
    given = given_options(asked, "by")
    # Bounds are the one reading of missing samples that assumes nothing.
    if any(one.missing for one in found.systems): given = dict(missing="bounds") | given
    files = ["-" if file == getattr(asked, "stdin", None) else file for file in asked.files]
    typed = spell_command("describe" if found.fault else "score", files, given | found.choice)
    show(asked, replace(found, typed="" if found.fault and not found.choice else typed))
    return 2 if found.fault else 0
