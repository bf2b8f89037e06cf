"""Start a metric: a page that passes every check, its place in the sidebar, in the table of the
front page and among the public names.

    python tools/new_metric.py NAME

The page is that of "at least two of k are correct", to be rewritten; what is left is printed."""
import argparse
import json
import re
import sys
from hashlib import sha1
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = Path(__file__).with_name("_metric.ipynb")
LEFT = """\
Written: nbs/metrics/{name}.ipynb, and a line each in _quarto.yml, nbs/index.ipynb,
nbs/chapters.toml and sampling_eval/__init__.py. Two things are yours:

1. nbs/metrics/{name}.ipynb: question, formula, checks, exercises; subtitle and row of the front
   page say "at least two of k".
2. nbs/metrics/catalog.ipynb: the import and one entry,

    from sampling_eval.metrics.{name} import {name}_at_k, {name}_credit

    Metric("{name}@k", partial(_evaluate, {name}_at_k),
           "unbiased, at least two correct, mean over k-subsets",
           credit={name}_credit, default=False, meaning="two right")

Then: make prepare
      .venv/bin/python tools/nbrun.py --write {stored}
      .venv/bin/python -m pytest tests/test_contributing.py"""
CHAPTER = """
["metrics/{name}"]
learn = "say how often at least two of k samples are right"
before = ["metrics/passk"]
search = "at least two correct"
"""
STORED = "nbs/contracts.ipynb nbs/metrics/catalog.ipynb nbs/metrics/{name}.ipynb"


def write_page(name, path):
    "The template under a name; cells have names of their own, drawn from page and place."
    page = json.loads(TEMPLATE.read_text("utf-8").replace("NAME", name))
    for place, cell in enumerate(page["cells"]):
        cell["id"] = sha1(f"{name} {place}".encode()).hexdigest()[:8]
    path.write_text(json.dumps(page, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")


def add_line(file, after, line):
    "Put a line behind the last one that fits a pattern."
    path = ROOT / file
    lines = path.read_text("utf-8").split("\n")
    fits = [i for i, text in enumerate(lines) if re.fullmatch(after, text)]
    if not fits: sys.exit(f"{file} has no line like {after}; add by hand: {line}")
    lines.insert(fits[-1] + 1, line)
    path.write_text("\n".join(lines), "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="name of the page and its module, such as passk")
    name = parser.parse_args().name
    path = ROOT / "nbs" / "metrics" / f"{name}.ipynb"
    if not re.fullmatch("[a-z][a-z0-9]*", name) or path.exists():
        sys.exit(f"a metric needs a name of small letters that is free, got {name!r}")
    write_page(name, path)
    add_line("_quarto.yml", r" *- nbs/metrics/(?!catalog)\w+\.ipynb",
             f"        - nbs/metrics/{name}.ipynb")
    add_line("sampling_eval/__init__.py", r' *"metrics\.\w+": ".*",',
             f'    "metrics.{name}": "{name}_at_k",')
    row = f"| [{name}@k](metrics/{name}.ipynb) | are at least two of k samples correct? |"
    add_line("nbs/index.ipynb", r' *"\| \[.*\]\(metrics/\w+\.ipynb\) \| .*\|\\n",',
             f'    "{row}\\n",')
    with (ROOT / "nbs" / "chapters.toml").open("a", encoding="utf-8") as file:
        file.write(CHAPTER.format(name=name))
    print(LEFT.format(name=name, stored=STORED.format(name=name)))


if __name__ == "__main__": main()
