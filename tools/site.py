"""Finish the site that Quarto rendered: small pictures, notebooks and Markdown to take away,
a description and a picture for previews in the head of every page, and links at its foot.

Quarto drops what a filter of notebooks says of a page besides its title, so it is done here."""
import argparse
import html
import math
import re
import shutil
import textwrap
from functools import cache
from pathlib import Path

from sampling_eval import score
from sampling_eval.examples import example_path
from sampling_eval_site.chapters import fill_lists, list_pages
from sampling_eval_site.gallery import list_figures, shrink
from sampling_eval_site.index import write_index
from sampling_eval_site.kept import drop_lists

from pieces import fence, read_pieces
from settings import read_settings

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
    "Prose, code and what it prints; a figure is its caption, and what moves its first state."
    pieces = [write_piece(o, page) for o in read_pieces(page.path, live=True)]
    return fill_marks("\n\n".join(filter(None, pieces))) + "\n"


def write_piece(piece, page):
    if piece.kind == "live": return write_live(piece.text, Path(page.path).name)
    if piece.kind == "code": return fence(piece.text, "python")
    if piece.kind == "output": return fence(piece.text)
    return f"*{piece.text}*" if piece.kind == "figure" else piece.text


def write_live(text, name):
    "A question, or the table that an explorer begins with, and where it can be moved."
    if text.startswith("Guess first. "):
        return f"**Guess first.** {' '.join(text.split()).removeprefix('Guess first. ')}"
    return (f"{fence(text)}\n\n"
            f"*This is how the figure begins; it can be moved on [the page]({name}.html).*")


FILLED = re.compile(r"<!-- (functions|gallery)(?:: (.+?))? -->")
TAGS = re.compile(r"</?div\b[^>]*>\n*")
MODULE = re.compile(r"<summary><strong>(.+?)</strong>(.*?)</summary>")


def fill_marks(text):
    "Chapters, functions and figures in the places that are marked for them."
    filled = FILLED.sub(lambda o: write_marked(o[1], o[2] or ""), fill_lists(drop_lists(text)))
    return re.sub(r"\n{3,}", "\n\n", filled)


def write_marked(kind, names):
    if kind == "gallery": return list_questions(names.split())
    if names == "filter": return ""  # a box that only a script fills
    index = write_index(names == "public")
    if names == "public": return TAGS.sub("", index)
    # A module in a line: all its names would be a page of hundreds of kilobytes.
    return "\n".join(f"- **{name}**{html.unescape(said)}" for name, said in MODULE.findall(index))


def list_questions(names):
    "The questions of figures, of all if none is named, with links to them."
    shown = [o for o in list_figures() if not names or f"{o.page.path}#{o.label}" in names]
    return "\n".join(f"- [{o.question}]({o.address}), {o.page.title}" for o in shown)


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


def finish(text, page, out, address=""):
    "Head and foot of a rendered page."
    if MARK in text: return text
    start = "../" * (page.path.count("/") + 1)
    text = text.replace("</head>", f"{write_head(page, start, address)}\n{MARK}\n</head>", 1)
    text = fold_contents(size_figures(text, (out / "nbs" / page.path).parent))
    text = join_percent(set_formulas(text))
    return text.replace("</main>", f"{write_foot(page, start, out)}\n</main>", 1)


def write_head(page, start, address):
    "What search engines and previews show; a preview needs an address that stands alone."
    title, said = html.escape(page.title), html.escape(page.subtitle)
    base = address.rstrip("/") + "/" if address else start
    picture = f"{base}{CARDS}/{page.path}.png"
    named = {"description": said, "twitter:card": "summary_large_image"}
    shared = {"og:title": title, "og:description": said, "og:type": "article", "og:image": picture}
    return "\n".join([*(f'<meta name="{key}" content="{o}">' for key, o in named.items()),
                      *(f'<meta property="{key}" content="{o}">' for key, o in shared.items())])


CONTENTS = re.compile(r'<nav id="TOC"[^>]*>.*?(<ul.*</ul>)\s*</nav>', re.S)
SUBTITLE = re.compile(r"\s*<blockquote.*?</blockquote>", re.S)
ATTRIBUTES = re.compile(r' (?:id|class|data-[\w-]+)="[^"]*"')


def fold_contents(text):
    """The contents of a page once more, folded under its title.

    The side has no room for them on a phone."""
    found = CONTENTS.search(text)
    if not found or "<main" not in text: return text
    listed = ATTRIBUTES.sub("", found[1])
    fold = f'<details class="contents"><summary>On this page</summary>\n{listed}\n</details>'
    return put_below_title(text, fold)


def put_below_title(text, fold):
    "Behind the title block of the main part and the subtitle, or before its first words."
    start = text.index("<main")
    end = text.find("</header>", start)
    at = end + len("</header>") if end >= 0 else text.index(">", start) + 1
    subtitle = SUBTITLE.match(text, at)
    if subtitle: at = subtitle.end()
    return f"{text[:at]}\n{fold}{text[at:]}"


DRAWN = re.compile(r'<img (?=[^>]*?figure-img)(?=[^>]*?src="([^"]+?\.svg)")')
WIDTH = re.compile(r'<svg[^>]*?\bviewBox="[\d.-]+ [\d.-]+ ([\d.]+)')
SIZE = re.compile(r"font(?:-size)?[:=][ \"]*(?:[\w ]+ )?(\d+(?:\.\d+)?)(?:px)?\b")
LEGIBLE = 9  # Pixels of the smallest words of a figure, at the least


def size_figures(text, folder):
    "Say of a figure how wide it must be to be read; on a phone the style sheet keeps it so wide."
    def mark(found):
        path = folder / found[1]
        wide = legible_width(path.read_text("utf-8")) if path.is_file() else 0
        return f'<img style="--legible: {wide}px" ' if wide else found[0]
    return DRAWN.sub(mark, text)


def legible_width(svg):
    "Pixels of width at which the smallest words of a drawing can be read; 0 without words."
    wide, sizes = WIDTH.search(svg), [float(o) for o in SIZE.findall(svg)]
    return math.ceil(float(wide[1]) * LEGIBLE / min(sizes)) if wide and sizes else 0


HAT = re.compile('<mo accent="true">\u0302</mo>')  # It has no width by which it could be centred
FLAT = r"(?:(?!<mo [^>]*stretchy=\"true\"|<mfrac|<mtable|<munder|<msqrt|<mroot|</?math).)*?"
FENCES = re.compile(rf'<mo stretchy="true" form="prefix">([([])</mo>({FLAT})'
                    r'<mo stretchy="true" form="postfix">([)\]])</mo>', re.S)
FORMULA = '<math display="inline"(?:(?!</math>).)*</math>'
STOPPED = re.compile(rf"([(“]?)({FORMULA})([.,;:?!)”]*)", re.S)


def set_formulas(text):
    "Hats stand above their letters, brackets around low terms are low, and stops do not wander."
    text, count = HAT.sub('<mo accent="true" stretchy="false">\u02c6</mo>', text), 1
    while count: text, count = FENCES.subn(write_low, text)
    return STOPPED.sub(hold_stop, text)


def write_low(found):
    "Brackets of the height of letters."
    left, inside, right = found.groups()
    return (f'<mo stretchy="false" form="prefix">{left}</mo>{inside}'
            f'<mo stretchy="false" form="postfix">{right}</mo>')


def hold_stop(found):
    before, formula, after = found.groups()
    return f'<span class="whole">{found[0]}</span>' if before or after else formula


VERBATIM = re.compile(r"(<(pre|code|script|style|svg|math)\b.*?</\2>)", re.S)
PERCENT = re.compile(r"(?<=\d) (?=%)|(?<=±) (?=\.?\d)")
VALUE = re.compile(r"((?<=\w)[@^]\w+|\bp) = (?=\.?\d)")


def join_percent(text):
    "A number stays in one line with its percent sign, its ± and the metric that it is a value of."
    parts = VERBATIM.split(text)  # Words, what stands as it is, and its tag, in turn
    words = [VALUE.sub(r"\1&nbsp;=&nbsp;", PERCENT.sub("&nbsp;", part)) for part in parts[::3]]
    kept = [*parts[1::3], ""]
    return "".join(one + other for one, other in zip(words, kept, strict=True))


def write_foot(page, start, out):
    "What can be taken away, if it was made; the script adds a link to every figure."
    folder = Path(__file__).with_name("sampling_eval_site")
    script = (folder / "take_away.js").read_text("utf-8")
    name = Path(page.path).name
    offered = {"notebook": f"notebooks/{page.path}.ipynb",
               "Markdown": f"nbs/{page.path}.html.md",
               "slides": f"nbs/slides/{name}.html",
               "exercises": f"nbs/slides/{name}_exercises.html",
               "answers": f"nbs/slides/{name}_answers.html",
               "the course as PDF": "sampling_eval.pdf",
               "EPUB": "sampling_eval.epub"}
    links = ", ".join(f'<a href="{start}{file}" download>{word}</a>' if word == "notebook"
                      else f'<a href="{start}{file}">{word}</a>'
                      for word, file in offered.items() if (out / file).exists())
    return f'<p class="take">Take it away: {links}</p>\n<script>\n{script}</script>'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_docs", help="folder of the site")
    out = parser.parse_args().out
    address = read_settings()["doc_host"]
    write_pictures(out)
    for page in list_pages():
        copy_notebook(page, out)
        write_markdown(page, out)
        path = out / "nbs" / f"{page.path}.html"
        if path.exists():
            draw_card(page, out / CARDS / f"{page.path}.png")
            path.write_text(finish(path.read_text("utf-8"), page, out, address), encoding="utf-8")


if __name__ == "__main__": main()
