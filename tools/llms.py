"""Write llms.txt at the root of the site, for readers that are programs.

It names every page with its subtitle."""
import argparse
import json
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
HEAD = re.compile(r"# (?P<title>.+?)\n\n> (?P<subtitle>.+)")
INTRODUCTION = """\
A Python package and command that compute pass@k, pass^k, maj@k, cons@k, G-Pass@k, best@k, avg@n
and more from repeated samples of language models, with error bars. Every metric page derives its
formula, lists every small case, and says where other packages differ.

- `from sampling_eval import score, compare, plan`: `score(data, metrics, k)` reads files, frames,
  arrays and logs of harnesses, and reports with intervals; formulas such as `pass_at_k(n, c, k)`
  return one value per question.
- `sampling-eval score run.jsonl` is the same as a command.
- Every page is there as Markdown too, under its address with .md behind it."""


def read_head(page):
    "Title and subtitle of a page."
    cells = json.loads((ROOT / page).read_text("utf-8"))["cells"]
    found = (HEAD.match("".join(cell["source"])) for cell in cells)
    return next(head.group("title", "subtitle") for head in found if head)


def list_pages(contents):
    "The pages of a shelf, those of its sections among them."
    for entry in contents:
        if isinstance(entry, dict): yield from list_pages(entry["contents"])
        else: yield entry


def write_line(page):
    title, subtitle = read_head(page)
    return f"- [{title}]({Path(page).with_suffix('.html').as_posix()}): {subtitle}"


def write_shelf(shelf):
    return "\n".join([f"## {shelf['title']}", "", *map(write_line, list_pages(shelf["contents"]))])


def build():
    "The text of llms.txt, in the order of the shelves."
    site = yaml.safe_load((ROOT / "_quarto.yml").read_text("utf-8"))["website"]
    title, subtitle = read_head("nbs/index.ipynb")
    parts = [f"# {title}", f"> {subtitle}", INTRODUCTION, *map(write_shelf, site["sidebar"])]
    return "\n\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_docs", help="folder of the site")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    (out / "llms.txt").write_text(build(), encoding="utf-8")


if __name__ == "__main__": main()
