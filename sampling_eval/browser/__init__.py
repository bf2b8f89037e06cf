"""One static page that counts a log in the visitor's browser, and the scripts that explorers share.
"""
from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from ..reading.columns import COLUMNS, RUNS, TASKS, TRIALS
from ..reading.column_names import HARMLESS, KINDS, TEXTS
from ..reading.shapes import LISTS, QUESTIONS, RIGHT, RUNS as NUMBERED, SIZES
from ..reading.values import BLANK, PAIRS

__all__ = ["browser_page", "page_logic", "read_script"]

# What counts, in the order in which it is read; page.js shows it.
LOGIC = ("numbers.js", "metrics.js", "states.js", "gaffke.js", "beta.js", "columns.js", "shapes.js",
         "csv.js", "outcomes.js", "crossed.js", "counting.js", "study.js")
# The airline tasks of tau-bench, 4 samples each; the page says whose they are.
EXAMPLE, LICENCE = "tau_bench_airline_gpt4o.jsonl", "tau_bench_LICENSE"


def browser_page() -> str:  # One HTML document that loads nothing and sends nothing
    """A page that counts the CSV or JSON lines dropped on it, in the browser.

    Value: pass@k, pass^k, their default intervals and the facts of a rerun, by scripts that are
    tested against this package.
    """
    parts = dict(licence=escape(read_example(LICENCE).strip()), logic=page_logic(),
                 page=read_script("drawing.js") + read_script("page.js"))
    page = read_script("page.html")
    for name, part in parts.items(): page = page.replace(f"{{{{{name}}}}}", part)
    return page


def page_logic() -> str:
    "The scripts that count, after what they take from the package; they need no page."
    given = dict(columns=COLUMNS, runs=RUNS, kinds=KINDS,
                 texts=TEXTS, harmless=sorted(HARMLESS), sizes=SIZES, rights=RIGHT,
                 rows=QUESTIONS, numbered=sorted(NUMBERED), lists=LISTS["correct"].split(),
                 tasks=TASKS, trials=sorted(TRIALS), pairs=PAIRS,
                 blank=sorted(BLANK), example=read_example(EXAMPLE))
    data = json.dumps(given).replace("<", "\\u003c")
    return "\n".join([f"const given = {data};", *map(read_script, LOGIC)])


def read_example(name: str) -> str:
    return files(f"{__package__.rpartition('.')[0]}.examples").joinpath(name).read_text("utf-8")


def read_script(
    name: str,  # A file of this folder
) -> str:
    "A script that runs in a browser."
    return files(__package__).joinpath(name).read_text("utf-8")
