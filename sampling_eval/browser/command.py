"""The command `page`."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..errors import OptionError
from ..render.output import form_of, write
from ..render.text import printable
from ..spelling import option
from . import browser_page


def run_page(asked: argparse.Namespace) -> int:
    "Write a page that counts a log dropped on it, in the browser; it sends nothing."
    path = asked.output or Path("page.html")
    if form_of(path) != "html":
        raise OptionError("output", must="end in .html", got=path.name)
    if asked.output is None and path.exists():
        raise OptionError("output", f"{path} is there already",
                          hint=f"pass {option('output', path)} to write over it")
    write(path, browser_page())
    print(printable(f"Wrote {path}"), file=sys.stderr)
    return 0
