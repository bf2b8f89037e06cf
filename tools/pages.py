"""Convert every notebook to HTML as the site's filter sees it, without Quarto.

A smoke check, and a look with --out."""
import argparse, io, json, os, re, sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import cache
from itertools import repeat
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


RAW = re.compile(r"(`{3,})\{=html\}\n(.*)\n\1\s*", re.S)
RAW_BLOCK = re.compile(r"^```\{=html\}\n(.*?)\n```$", re.S | re.M)


def show_raw_block(data):
    "HTML in a raw block is for Quarto; nbconvert takes it as an output of its own."
    found = RAW.fullmatch("".join(data.get("text/markdown", "")))
    if found: data["text/html"] = found[2]


@cache
def exporter(template):
    "One for all pages: it compiles its templates when it meets them."
    from nbconvert import HTMLExporter
    made = HTMLExporter(template_name=template)
    # Pages are the project's own: no tag has to be taken out, which takes a third of the time.
    made.register_filter("clean_html", lambda text: text)
    return made


def page(path, template="lab"):
    """The HTML of a notebook after nbdev's processors.

    A documentation cell follows every exported one."""
    import nbformat
    from execnb.nbio import nb2dict, read_nb
    from nbdev.processors import FilterDefaults
    os.chdir(path.parent)
    nb = read_nb(path)
    with redirect_stdout(io.StringIO()): FilterDefaults()(nb)
    cells = [c for c in nb2dict(nb)["cells"] if c.get("source")]
    for c in cells:
        if c["cell_type"] == "code":
            c.update(execution_count=None, outputs=c.get("outputs", []),
                     metadata=c.get("metadata", {}))
        c["source"] = "".join(c["source"])
        if c["cell_type"] == "markdown": c["source"] = RAW_BLOCK.sub(r"\1", c["source"])
    for c in cells:
        for out in c.get("outputs", []):
            if out["output_type"] == "error":
                sys.exit(f"{path}: a cell of the page fails: {out.get('evalue')}")
            show_raw_block(out.get("data", {}))
    doc = json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}},
                      "nbformat": 4, "nbformat_minor": 5})
    return exporter(template).from_notebook_node(nbformat.reads(doc, as_version=4))[0]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("notebooks", nargs="*", type=Path)
    p.add_argument("--out", type=Path, help="folder to write the pages to")
    p.add_argument("--jobs", type=int, default=2, help="pages converted at once")
    a = p.parse_args()
    os.environ["IN_TEST"] = "1"
    out = a.out and a.out.resolve()
    paths = [o.resolve() for o in a.notebooks]
    paths = paths or sorted(o for o in (ROOT / "nbs").rglob("*.ipynb")
                            if ".ipynb_checkpoints" not in o.parts)
    # Under its own name, since nbdev's processors put another module in the place of `__main__`.
    import pages
    template = "lab" if out else "basic"  # a look, or a check
    with ProcessPoolExecutor(a.jobs) as pool:
        for path, text in zip(paths, pool.map(pages.page, paths, repeat(template))):
            if not out: continue
            target = out / path.relative_to(ROOT / "nbs").with_suffix(".html")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    print(f"{len(paths)} pages converted")
    return 0


if __name__ == "__main__": sys.exit(main())
