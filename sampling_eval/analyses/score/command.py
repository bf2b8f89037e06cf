"""The commands `score` and `demo`."""
from __future__ import annotations

import argparse
from dataclasses import replace

from ...command import given_options, name_files, show, take_files, take_options
from ...examples import example_path
from ...render.text import wrap
from .result import Command
from .verb import score

# What else `score` can be asked.
SUGGESTED = dict(how="--how (the method)", target="--target same_questions (a rerun)",
                 html="--html report.html (a page)")


def run_score(asked: argparse.Namespace) -> int:
    "Every metric at every k, with its error bar."
    title = name_files(asked.files)
    report = score(take_files(asked), title=title, **take_options(asked))
    # What stands in one file can be compared by one command.
    if len(asked.files) == 1 and asked.files[0] != getattr(asked, "stdin", None):
        given = given_options(asked, "ties", "confidence_level", "weights", "largest_weight")
        if asked.target == "same_questions": given |= dict(target=asked.target)
        report = replace(report, command=Command(tuple(asked.files), given))
    show(asked, report)
    used = dict(how=asked.how, target=asked.target != "new_questions", html=asked.html)
    if asked.format != "table" or asked.methods: return 0
    also = not asked.how and report.command is not None and bool(report.letters)
    more = "; ".join(said for name, said in SUGGESTED.items() if not used[name])
    print("\n" + wrap(f"{'Also' if also else 'Next'}: {more}"))
    return 0


def run_demo(asked: argparse.Namespace) -> int:
    "The report on the example inside the package: tau-bench airline, 50 tasks, 4 trials each."
    return show(asked, score(example_path("tau_bench"), title="tau-bench airline, gpt-4o"))
