"""Write README.md from nbs/index.ipynb with nbdev's own processors.

Needs neither Quarto nor a kernel."""
import argparse, json, os, re, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build():
    os.environ["IN_TEST"] = "1"
    import nbformat
    from execnb.nbio import nb2dict, read_nb
    from nbconvert import MarkdownExporter
    from nbdev.processors import FilterDefaults, insert_warning
    class WithoutLinks(FilterDefaults):
        """Names stay plain.

        Links to the site would depend on what is installed, and need the site to exist."""
        def base_procs(self): return [o for o in super().base_procs() if o.__name__ != "add_links"]
        def xtra_procs(self): return []
        def procs(self): return [insert_warning, *super().procs()]
    nb = read_nb(ROOT / "nbs" / "index.ipynb")
    WithoutLinks()(nb)
    cells = [c for c in nb2dict(nb)["cells"]
             if c.get("source") and "#| echo: false" not in "".join(c["source"])]
    for c in cells:
        source = "".join(c["source"])
        if c["cell_type"] == "code":
            source = "\n".join(o for o in source.splitlines() if not o.startswith("#|"))
        c["source"] = source
    doc = json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}},
                      "nbformat": 4, "nbformat_minor": 5})
    body, resources = MarkdownExporter().from_notebook_node(nbformat.reads(doc, as_version=4))
    if resources.get("outputs"):
        sys.exit("nbs/index.ipynb has a picture among its outputs: link a committed file instead")
    body = re.sub(r'(?s)<div class="ask">.*?</div>\n', "", body)  # what an explorer answers
    body = re.sub(r"^</?div.*>\n", "", body, flags=re.M)  # boxes of the site
    body = re.sub(r"(?s)<details>.*?</details>\n", "", body)  # what a result shows on demand
    body = re.sub(r"<!-- gallery.*-->\n", "", body)  # small pictures of the site
    body = re.sub(r"(?<=\]\()(?!https?:|#)([\w/]+\.(?:ipynb|svg|png|html))", r"nbs/\1", body)
    body = re.sub(r"\n```\n\s*```python\n", "\n", body)  # cells of code that follow one another
    return re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--check", action="store_true",
                   help="fail instead of writing when README.md is stale")
    a = p.parse_args()
    out, text = ROOT / "README.md", build()
    if not a.check:
        out.write_text(text, encoding="utf-8")
        return 0
    if out.exists() and out.read_text(encoding="utf-8") == text: return 0
    print("README.md is stale: run `make prepare`", file=sys.stderr)
    return 1


if __name__ == "__main__": sys.exit(main())
