"""One static page that counts a log in the visitor's browser."""
from __future__ import annotations

import json
from importlib.resources import files
from os import PathLike

__all__ = ["browser_page", "page_script"]

SCRIPTS = "metrics.js", "gaffke.js", "counting.js", "page.js"
PARTS = "question", "sample", "correct", "score", "model"
# The airline tasks of tau-bench (MIT licence), 4 samples each.
EXAMPLE = "tau_bench_airline_gpt4o.jsonl"


def browser_page() -> str:  # One HTML document that loads nothing and sends nothing
    """A page that counts the CSV or JSON lines dropped on it, in the browser.

    Value: pass@k, pass^k, their default intervals and the facts of a rerun, by scripts that are
    tested against this package.
    """
    return read_file("page.html").replace("{{script}}", page_script())


def page_script(
    names: tuple[str, ...] = SCRIPTS,  # Files of this folder
) -> str:  # The scripts, after what they need to know of the package
    "What the page runs; without page.js it runs in an engine that has no page."
    from ..io.check import BLANK
    from ..io.columns import COLUMNS
    from ..io.values import PAIRS
    given = dict(columns={part: COLUMNS[part] for part in PARTS}, pairs=PAIRS,
                 blank=sorted(BLANK), example=read_example())
    data = json.dumps(given).replace("<", "\\u003c")
    return "\n".join([f"const given = {data};", *map(read_file, names)])


def read_example() -> str:
    "The example as JSON lines."
    return files(f"{__package__.rpartition('.')[0]}.examples").joinpath(EXAMPLE).read_text("utf-8")


def read_file(name: str) -> str: return files(__package__).joinpath(name).read_text("utf-8")
