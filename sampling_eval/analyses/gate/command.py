"""The command `gate`: its exit codes, and what a system of continuous integration shows."""
from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from ...command import given_options, show, take_options
from ...errors import OptionError
from ...render.output import render, write
from ...render.text import printable
from ...spelling import name_option, spell_command
from ..engine.questions import join_words
from .junit import (append_summary, in_workflow, silence_commands, summary_path, write_annotations,
                    write_junit)
from .result import Command, Gate
from .verb import gate


def run_gate(asked: argparse.Namespace) -> int:
    "May the new run replace the baseline? Exit 0: yes, 1: no, 2: bad input, 3: inconclusive."
    if asked.inconclusive_passes and asked.strict:
        passes, strict = map(name_option, ("inconclusive_passes", "strict"))
        raise OptionError("strict", f"{passes} and {strict} contradict each other; choose one")
    if asked.skip_inconclusive: check_skips(asked)
    summary = summary_path(asked.github_summary, os.environ)
    result = gate(asked.new, **take_options(asked))
    command = Command(asked.strict, asked.inconclusive_passes, spell_explain(asked, result),
                      asked.explain)
    result = replace(result, command=command)
    show_gate(asked, result, summary)
    if asked.format == "json":
        for warning in result.warnings: print(printable(f"warning: {warning}"), file=sys.stderr)
    return result.exit_code(asked.strict, asked.inconclusive_passes)


def check_skips(asked: argparse.Namespace) -> None:
    "Refuse to skip what no file holds, or what another option has decided."
    skips = name_option("skip_inconclusive")
    if not asked.junit:
        raise OptionError("junit", f"{skips} is about JUnit XML",
                          hint=f"add {name_option('junit')} FILE, or leave it out")
    for other in "strict", "inconclusive_passes":
        if getattr(asked, other):
            raise OptionError(other, f"{skips} and {name_option(other)} contradict each other",
                              hint="choose one")


def spell_explain(asked: argparse.Namespace, result: Gate) -> str:
    "The command that shows the questions behind the first rule that failed."
    row = next((row for row in result.rows if row.verdict == "fail"), result.rows[0])
    files = [asked.baseline] * (row.kind in ("drop", "same", "regressions")) + [asked.new]
    files = ["-" if file == getattr(asked, "stdin", None) else file for file in files]
    given = given_options(asked, "models", "on_unmatched")
    if "models" in given: given["models"] = given["models"][len(files) - 1::-1]
    if row.low is not None and row.metric != "pass@1": given["metrics"] = row.metric
    found = []
    if row.kind == "must_pass": found = [one for one in result.must_pass if one.verdict == "fail"]
    if row.kind == "regressions": found = [one for one in result.regressions if one.significant]
    words = join_words(files, str(found[0].question)) if found else files
    return spell_command("explain", words, given)


def show_gate(asked: argparse.Namespace, result: Gate, summary: Path | None) -> None:
    "Print the verdicts, and leave what a system of continuous integration shows."
    decided = dict(strict=asked.strict, inconclusive_passes=asked.inconclusive_passes)
    if asked.junit:
        skips = asked.skip_inconclusive
        write(asked.junit, write_junit(result, **decided, skip_inconclusive=skips,
                                       spelling=asked.spelling))
    if summary: append_summary(summary, str(render(result, "github", spelling=asked.spelling)))
    shown = "table" if asked.format == "text" else asked.format
    held = in_workflow(os.environ) and shown == "table"
    show(asked, result, shown, silence_commands if held else str)
    if not (summary and in_workflow(os.environ)): return
    for line in write_annotations(result, **decided, spelling=asked.spelling):
        print(line, file=sys.stderr)
