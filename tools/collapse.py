"""Collapse in Jupyter what the site hides, and what is long or asked for: directives, imports,
set-up, calls of explorers, code of figures, solutions, checks.

A lesson's own function (`#| exports`) is open; numerics that stand above it (`#| export`) are
collapsed. What the site folds of a table or a count is open here where it is short: who opens a
notebook came to read code."""
import argparse
import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "nbs").rglob("*.ipynb")), Path(__file__).with_name("_metric.ipynb")]
PLUMBING = re.compile(r"^#\| *(?:hide|default_exp .*|export|echo: *false) *$|^_all_ = ", re.M)
FOLDED = re.compile(r"^#\| *code-fold: *true *$", re.M)
ASKED_FOR = re.compile(r"^#\| *(?:label: *fig-.*|classes: *(?:answer|check)) *$", re.M)
LONGEST_OPEN = 15
IMPORTS = ast.Import, ast.ImportFrom


def is_plumbing(source):
    "Whether a reader of the notebook sees a cell's code only on demand."
    if PLUMBING.search(source): return True
    if FOLDED.search(source):
        lines = [line for line in source.splitlines() if not line.startswith("#|")]
        return bool(ASKED_FOR.search(source)) or len(lines) > LONGEST_OPEN
    try: body = ast.parse(source).body
    except SyntaxError: return False
    return bool(body) and all(isinstance(node, IMPORTS) for node in body)


def collapse(cell):
    "Say in the metadata of a cell whether its source is shown."
    if cell["cell_type"] != "code": return
    shown = cell["metadata"].pop("jupyter", {})
    shown.pop("source_hidden", None)
    if is_plumbing("".join(cell["source"])): shown["source_hidden"] = True
    if shown: cell["metadata"]["jupyter"] = shown


def write_page(path):
    "The text of a page with its plumbing collapsed."
    page = json.loads(path.read_text("utf-8"))
    for cell in page["cells"]: collapse(cell)
    return json.dumps(page, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a page is stale")
    check = parser.parse_args().check
    for path in PAGES:
        if ".ipynb_checkpoints" in path.parts: continue
        text = write_page(path)
        if text == path.read_text("utf-8"): continue
        if check: sys.exit(f"{path.relative_to(ROOT)} shows plumbing: run make prepare")
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__": main()
