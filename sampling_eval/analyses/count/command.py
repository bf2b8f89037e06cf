"""The commands `counts` and `merge`."""
from __future__ import annotations

import argparse

from ...command import take_files, take_options
from ...errors import OptionError
from ...parameters import GROUPED
from ...reading.counted import CountedRows
from ...render.format import open_sentence
from ...render.text import wrap
from ...spelling import name_option, spell
from ..phrases.reading import describe_input
from .verb import count, merge


def run_counts(asked: argparse.Namespace) -> int:
    "Count the samples of any table or log once, into one small file."
    given = take_options(asked)
    if odd := [name for name in given if name in GROUPED["policies"]]:
        raise OptionError(odd[0], f"{name_option(odd[0])} is for score and the other commands: "
                                  "counts keeps samples without an outcome or an answer apart")
    rows = count(take_files(asked), asked.output, **given)
    return show_written(asked, rows)


def run_merge(asked: argparse.Namespace) -> int:
    "Add runs; a sample or a file is never counted twice."
    rows = merge(*asked.files, path=asked.output, **take_options(asked))
    return show_written(asked, rows)


def show_written(asked: argparse.Namespace, rows: CountedRows) -> int:
    "Print what was read, what could not be checked, and where the counts are."
    source = spell(describe_input(rows.summary), asked.spelling)
    said = [f"{open_sentence(source)}.", *(f"Warning: {text}" for text in rows.warnings)]
    print("\n".join(map(wrap, [*said, f"Wrote {asked.output}"])))
    return 0
