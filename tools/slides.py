"""Write slides of nine lessons for reveal.js, with speaker notes: one slide a section, made of its
first sentence and its figure, formula or table; the rest of the prose is what the speaker says.

    python tools/slides.py      # nbs/slides/*.qmd, which `make docs` renders"""
import argparse
import re
import shutil
from pathlib import Path

from sampling_eval_site.chapters import FOLDED, list_chapters
from sampling_eval_site.gallery import shrink

from pieces import fence, read_pieces

ROOT = Path(__file__).resolve().parents[1]
LESSONS = ("metrics/average", "metrics/passk", "metrics/passhat", "metrics/vote", "metrics/bestof",
           "explain/which_error_bar", "inference/comparison", "inference/power",
           "explain/published_tables")
SILENT = {*FOLDED, "Elsewhere", "Limits"}
FORMULA = re.compile(r"\$\$.+?\$\$", re.S)
TAGS = re.compile(r"</?(?:div|details|summary)\b[^>]*>")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)\s]*\)")
IMAGE = re.compile(r"!\[[^\]]*\]\([^)\s]*\)\n*")
SENTENCE = re.compile(r".+?[.?!:](?=\s+[A-Z`$*]|$)", re.S)
HEAD = """\
---
title: "{title}"
subtitle: "{subtitle}"
format:
  revealjs:
    slide-number: true
    menu: false
    theme: [default, ../site/math.scss]
    html-math-method: mathml
---"""
# Rows of a table, lines of an output that a slide can hold.
ROWS = 9


def write_slides(chapter, folder):
    "The slides of a lesson; figures in a folder beside them."
    page = chapter.page
    head = HEAD.format(title=page.title, subtitle=page.subtitle)
    sections = split_sections(read_pieces(page.path)[1:])
    slides = [write_slide(title, pieces, folder, page.path) for title, pieces in sections
              if title not in SILENT]
    return "\n\n".join([head, *filter(None, slides)]) + "\n"


def split_sections(pieces):
    "Title and pieces of each section; the first one asks the question."
    found = [("The question", [])]
    for piece in pieces:
        head = re.match(r"## +(.+)", piece.text) if piece.kind == "prose" else None
        if head: found.append((head[1], []))
        if not head: found[-1][1].append(piece)
        elif rest := piece.text.partition("\n")[2].strip():
            found[-1][1].append(type(piece)("prose", rest))
    return found


def write_slide(title, pieces, folder, page):
    "A section as a slide; nothing for one without prose."
    said = "\n\n".join(read_words(o.text) for o in pieces if o.kind == "prose").strip()
    if not said: return ""
    if title == "What to remember":
        return "\n".join([f"## {title}", "", *re.findall(r"^- .+$", said, re.M)])
    lead = SENTENCE.match(FORMULA.sub("", said).strip())
    shown = find_shown(pieces, said, folder, page)
    parts = [f"## {title}", lead[0] if lead else "", shown, f"::: {{.notes}}\n{said}\n:::"]
    return "\n\n".join(filter(None, parts))


def read_words(text):
    "Prose without boxes and pictures; links are their words."
    return LINK.sub(r"\1", IMAGE.sub("", TAGS.sub("", text))).strip()


def find_shown(pieces, said, folder, page):
    "What a slide shows: its figure, else its formula, else a small table or output."
    open_pieces = [o for o in pieces if not o.folded or o.kind == "figure"]
    for piece in open_pieces:
        if piece.kind == "figure": return write_figure(piece, folder, page)
    if formula := FORMULA.search(said): return formula[0]
    for place, piece in enumerate(open_pieces):
        if piece.text.count("\n") > ROWS: continue
        if piece.kind == "table" and piece.text.startswith("|"): return piece.text
        after = open_pieces[place + 1: place + 2]
        if piece.kind == "code" and after and after[0].kind == "output":
            return f"{fence(piece.text, 'python')}\n\n{fence(after[0].text)}"
    return ""


def write_figure(piece, folder, page):
    name = f"figures/{page.replace('/', '-')}-{piece.label}.svg"
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(shrink(piece.svg), encoding="utf-8")
    words = piece.words.replace('"', "'")
    return f'![{piece.text}]({name}){{fig-alt="{words}" height="420px"}}'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "nbs" / "slides", help="their folder")
    folder = parser.parse_args().out
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for chapter in list_chapters():
        if chapter.page.path in LESSONS:
            path = folder / f"{Path(chapter.page.path).name}.qmd"
            path.write_text(write_slides(chapter, folder), encoding="utf-8")


if __name__ == "__main__": main()
