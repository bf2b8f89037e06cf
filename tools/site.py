"""Finish the site that Quarto rendered: small pictures, notebooks and Markdown to take away,
a description and a picture for previews in the head of every page, and links at its foot.

Quarto drops what a filter of notebooks says of a page besides its title, so it is done here."""
import argparse
import html
import json
import re
import shutil
import textwrap
from functools import cache
from pathlib import Path

from sampling_eval import score
from sampling_eval.docs.chapters import list_pages
from sampling_eval.docs.gallery import list_figures, shrink
from sampling_eval.examples import example_path

ROOT = Path(__file__).resolve().parents[1]
CARDS = "nbs/cards"
BLUE, ORANGE, INK = "#1a80bb", "#d2601a", "#1d2328"
MARK = "<!-- finished by tools/site.py -->"


def write_pictures(out):
    "The figures of the gallery, in a folder beside it."
    for figure in list_figures():
        path = out / "nbs" / figure.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shrink(figure.svg), encoding="utf-8")


def copy_notebook(page, out):
    "The notebook, in a folder of its own: Quarto turns a link to one beside a page into the page."
    path = out / "notebooks" / f"{page.path}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "nbs" / f"{page.path}.ipynb", path)


def write_markdown(page, out):
    "The page as Markdown, under its address with .md behind it."
    path = out / "nbs" / f"{page.path}.html.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(read_markdown(page), encoding="utf-8")


def read_markdown(page):
    "Prose, code that is shown, and what it prints."
    cells = json.loads((ROOT / "nbs" / f"{page.path}.ipynb").read_text("utf-8"))["cells"]
    return "\n\n".join(filter(None, map(write_cell, cells))) + "\n"


def write_cell(cell):
    source = "".join(cell["source"]).strip()
    if cell["cell_type"] == "markdown": return source
    lines = source.splitlines()
    told = [o for o in lines if o.startswith("#|")]
    code = "\n".join(o for o in lines if not o.startswith("#|")).strip()
    if any(re.match(r"#\| *(hide|default_exp|export$)", o) for o in told): return ""
    quiet = any("echo: false" in o for o in told)
    parts = [f"```python\n{code}\n```"] if code and not quiet else []
    parts += [f"*{o.partition(':')[2].strip().strip(chr(34))}*" for o in told if "fig-cap" in o]
    return "\n\n".join(parts + [o for o in map(write_output, cell.get("outputs", [])) if o])


def write_output(output):
    data = output.get("data", {})
    if "text/markdown" in data: return "".join(data["text/markdown"]).strip()
    if data.keys() & {"image/svg+xml", "text/html"}: return ""
    text = "".join(output.get("text", "") or data.get("text/plain", "")).rstrip()
    return f"```\n{text}\n```" if text else ""


def draw_card(page, path):
    "Title and subtitle beside two curves that part, 1200 by 630 dots."
    from matplotlib.figure import Figure
    figure = Figure(figsize=(12, 6.3), facecolor="white")
    draw = figure.text
    draw(.06, .74, wrap_words(page.title, 26), size=50, weight="bold", color=INK, va="center")
    draw(.06, .45, wrap_words(page.subtitle, 48), size=26, color=INK, va="center")
    draw(.06, .1, "sampling_eval", size=24, color=BLUE, weight="bold")
    axes = figure.add_axes((.6, .06, .36, .3))
    axes.axis("off")
    for values, color in zip(read_curves(), (BLUE, ORANGE)):
        axes.plot(values, color=color, marker="o", linewidth=4, markersize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100, metadata={"Software": None})


@cache
def read_curves():
    "pass@k and pass^k of the front page."
    rows = score(example_path("tau_bench"), ["pass@k", "pass^k"], k=[1, 2, 3, 4]).rows
    return [[o.estimate for o in rows if o.metric.startswith(name)] for name in ("pass@", "pass^")]


def wrap_words(text, width): return "\n".join(textwrap.wrap(text.replace("$", r"\$"), width))


def finish(text, page, address=""):
    "Head and foot of a rendered page."
    if MARK in text: return text
    start = "../" * (page.path.count("/") + 1)
    text = text.replace("</head>", f"{write_head(page, start, address)}\n{MARK}\n</head>", 1)
    return text.replace("</main>", f"{write_foot(page, start)}\n</main>", 1)


def write_head(page, start, address):
    "What search engines and previews show; a preview needs an address that stands alone."
    title, said = html.escape(page.title), html.escape(page.subtitle)
    base = address.rstrip("/") + "/" if address else start
    picture = f"{base}{CARDS}/{page.path}.png"
    named = {"description": said, "twitter:card": "summary_large_image"}
    shared = {"og:title": title, "og:description": said, "og:type": "article", "og:image": picture}
    return "\n".join([*(f'<meta name="{key}" content="{o}">' for key, o in named.items()),
                      *(f'<meta property="{key}" content="{o}">' for key, o in shared.items())])


def write_foot(page, start):
    "What can be taken away; the script adds a link to every figure."
    script = (ROOT / "sampling_eval" / "docs" / "take_away.js").read_text("utf-8")
    name = f"{Path(page.path).name}.html.md"
    return (f'<p class="take">Take it away: <a href="{start}notebooks/{page.path}.ipynb" download>'
            f'notebook</a>, <a href="{name}">Markdown</a></p>\n<script>\n{script}</script>')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_docs", help="folder of the site")
    out = parser.parse_args().out
    from settings import read_settings
    address = read_settings()["doc_host"]
    write_pictures(out)
    for page in list_pages():
        copy_notebook(page, out)
        write_markdown(page, out)
        path = out / "nbs" / f"{page.path}.html"
        if path.exists():
            draw_card(page, out / CARDS / f"{page.path}.png")
            path.write_text(finish(path.read_text("utf-8"), page, address), encoding="utf-8")


if __name__ == "__main__": main()
