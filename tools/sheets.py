"""Write an exercise sheet for each lesson of the course, without answers and with them.

    python tools/sheets.py      # nbs/slides/*_exercises.qmd and *_answers.qmd, for `make docs`"""
import argparse
import json
import re
from pathlib import Path

from sampling_eval_site.chapters import COURSE, list_chapters

from pieces import fence, read_output

ROOT = Path(__file__).resolve().parents[1]
HINT = re.compile(r'<details class="hint"><summary>Hint</summary>\s*(.*?)\s*</details>', re.S)
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)\s]*\)")
NUMBER = re.compile(r"^\*\*(\d+)\.\*\*", re.M)
HEAD = """\
---
title: "{title}: exercises{more}"
format:
  html:
    toc: false
    html-math-method: mathml
---

From the lesson [{title}]({back}). Hints stand at the end."""


def write_sheet(page, answers):
    "The exercises of a page, then their hints; with answers, each under its exercise."
    asked, hints = [], []
    for cell in read_exercises(page.path):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            number = NUMBER.search(source)
            source = LINK.sub(r"\1", source)
            hints += [f"{number[1]}. {o}" for o in HINT.findall(source) if number]
            asked.append(HINT.sub("", source).strip())
        elif answers: asked[-1] += f"\n\n{write_answer(cell)}"
    head = HEAD.format(title=page.title, more=" with answers" if answers else "",
                       back=f"../{page.path}.ipynb")
    parts = [head, *filter(None, asked)]
    if hints: parts += ["## Hints", *hints]
    return "\n\n".join(parts) + "\n"


def read_exercises(page):
    "The cells between the heading of the exercises and the next one, the heading cut off."
    cells = json.loads((ROOT / "nbs" / f"{page}.ipynb").read_text("utf-8"))["cells"]
    inside = False
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and source.startswith("## "):
            inside = source.startswith("## Exercises")
            cell = cell | {"source": source.partition("\n")[2].strip()}
        if inside and "".join(cell["source"]): yield cell


def write_answer(cell):
    "The code of an answer without its directives, and what it shows."
    lines = "".join(cell["source"]).splitlines()
    code = "\n".join(o for o in lines if not o.startswith("#|")).strip()
    shown = [piece for out in cell["outputs"] for piece in read_output(out, {}, False)]
    told = [o.text if o.kind == "table" else fence(o.text) for o in shown]
    return "\n\n".join(["**Answer**", fence(code, "python"), *told])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "nbs" / "slides", help="their folder")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for page in (o.page for o in list_chapters() if o.page.shelf == COURSE):
        name = Path(page.path).name
        for kind in ("exercises", "answers"):
            text = write_sheet(page, kind == "answers")
            (folder / f"{name}_{kind}.qmd").write_text(text, encoding="utf-8")


if __name__ == "__main__": main()
