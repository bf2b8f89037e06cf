"""The command `plan`."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...command import show, take_options
from ...errors import OptionError
from ...render.output import write, write_csv
from ...render.text import printable
from ...spelling import option
from .result import GroupPlan, PowerAnalysis, WidthPlan
from .verb import plan


def run_plan(asked: argparse.Namespace) -> int:
    "How many questions, how many samples, which difference can be seen."
    result = plan(pilot=asked.pilot, pilot_b=asked.pilot_b, **take_options(asked))
    if asked.run_list is not None: write_run(asked.run_list, result)
    return show(asked, result)


def write_run(path: Path, result: PowerAnalysis | WidthPlan | GroupPlan) -> None:
    "Write which questions to run, and how often, as CSV."
    if not isinstance(result, PowerAnalysis) or result.run is None:
        raise OptionError("run_list", "a list of questions needs an earlier run", found="none",
                          hint=option("earlier", ...))
    write(path, write_csv(result.run.listed))
    print(printable(f"Wrote {path}"), file=sys.stderr)
