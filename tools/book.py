"""Write the course as one book, EPUB and PDF.

It has all chapters in order, the cheat sheet and the glossary, without exercises' folded answers
and checks.

    python tools/book.py        # _docs/sampling_eval.epub and .pdf

Pandoc makes the EPUB, pandoc and Typst the PDF. Quarto brings both; without it `pandoc` and `typst`
are taken from the path, or from the packages pypandoc_binary and typst."""
import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sampling_eval_site.chapters import fill_lists, list_chapters, list_pages
from sampling_eval_site.gallery import shrink

from pieces import fence, read_pieces
from settings import read_settings

ROOT = Path(__file__).resolve().parents[1]
BACK = ["cheat_sheet", "glossary"]
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\(([^)\s]+)\)")
SECTION = re.compile(r"^#{2,3} (?:Checks|Exercises|Read next)\n.*?(?=^#{2,3} |\Z)", re.M | re.S)
TAGS = re.compile(r"</?(?:div|details|summary|p|br)\b[^>]*>")
# A symbol under the name that pandoc writes and newer versions of Typst have renamed; a chapter
# begins on a page of its own.
PREAMBLE = """\
#let sect = sym.inter
#show heading.where(level: 1): it => pagebreak(weak: true) + it
"""
# An @ is part of a metric's name, and no citation.
READ = "--from", "markdown-citations-example_lists"
RUN_TYPST = "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])"


def write_book(folder):
    "The book as one file of Markdown, its figures beside it."
    pages = [*(o.page.path for o in list_chapters()), *BACK]
    settings = read_settings()
    head = f"---\ntitle: {settings['title']}\nsubtitle: {settings['description']}\nlang: en\n---"
    texts = [head, *(write_page(page, set(pages), folder) for page in pages)]
    path = folder / "book.md"
    path.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return path


def write_page(page, pages, folder):
    "A chapter under its title, with an anchor that the links of others lead to."
    title = next(o.title for o in list_pages() if o.path == page)
    number = next((f"{o.number}. " for o in list_chapters() if o.page.path == page), "")
    pieces = [o for o in read_pieces(page) if not o.folded or o.kind == "figure"]
    text = "\n\n".join(write_piece(o, page, folder) for o in pieces)
    text = fill_lists(text)
    text = SECTION.sub("", re.sub(r"^# .+\n", "", text, count=1))
    text = LINK.sub(lambda o: write_link(o, page, pages, folder), TAGS.sub("", text))
    return f"# {number}{title} {{#{name_page(page)}}}\n\n{text.strip()}"


def write_piece(piece, page, folder):
    if piece.kind == "code": return fence(piece.text, "python")
    if piece.kind == "output": return fence(piece.text)
    if piece.kind != "figure": return piece.text
    name = f"{name_page(page)}-{piece.label}.svg"
    (folder / name).write_text(shrink(piece.svg), encoding="utf-8")
    return f"![{piece.text}]({name})"


def name_page(page): return page.replace("/", "-").replace("_", "-")


def copy_picture(path, words, folder):
    "A picture of the site, beside the book."
    shutil.copy(path, folder / path.name)
    return f"![{words}]({path.name})"


def write_link(found, page, pages, folder):
    "A link to a chapter stays inside of the book; one to a page that it lacks becomes words."
    mark, words, target = found.groups()
    if re.match(r"[a-z]+:", target): return found[0]
    path = (ROOT / "nbs" / page).parent.joinpath(target.partition("#")[0]).resolve()
    if mark: return copy_picture(path, words, folder) if path.is_file() else found[0]
    if not target.partition("#")[0]: return words
    known = path.relative_to(ROOT / "nbs").with_suffix("").as_posix()
    return f"[{words}](#{name_page(known)})" if known in pages else words


def find_pandoc():
    "How to call pandoc; nothing where it is absent."
    if shutil.which("quarto"): return ["quarto", "pandoc"]
    if shutil.which("pandoc"): return ["pandoc"]
    if importlib.util.find_spec("pypandoc"):
        import pypandoc
        return [pypandoc.get_pandoc_path()]
    return None


def find_typst():
    "How to call Typst with a file and what it becomes; nothing where it is absent."
    if shutil.which("quarto"): return ["quarto", "typst", "compile"]
    if shutil.which("typst"): return ["typst", "compile"]
    return [sys.executable, "-c", RUN_TYPST] if importlib.util.find_spec("typst") else None


def make_epub(pandoc, book, path):
    run([*pandoc, book.name, *READ, "--to", "epub3", "--mathml", "--toc", "--toc-depth", "1",
         "--split-level", "1", "--output", str(path)], book.parent)


def make_pdf(pandoc, typst, book, path):
    run([*pandoc, book.name, *READ, "--to", "typst", "--standalone", "--toc", "--toc-depth", "1",
         "--output", "book.typ"], book.parent)
    written = book.with_suffix(".typ")
    written.write_text(PREAMBLE + written.read_text("utf-8"), encoding="utf-8")
    run([*typst, written.name, str(path)], book.parent)


def run(command, folder): subprocess.run(command, cwd=folder, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_docs", help="folder of the site")
    out = parser.parse_args().out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    pandoc, typst = find_pandoc(), find_typst()
    if pandoc is None: sys.exit("a book needs pandoc: install Quarto, pandoc or pypandoc_binary")
    with tempfile.TemporaryDirectory() as folder:
        book = write_book(Path(folder))
        make_epub(pandoc, book, out / "sampling_eval.epub")
        if not typst: print("no PDF: install Quarto or typst")
        else:
            try: make_pdf(pandoc, typst, book, out / "sampling_eval.pdf")
            except subprocess.CalledProcessError as error: print(f"no PDF: {error}")


if __name__ == "__main__": main()
