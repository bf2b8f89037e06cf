"Forty things that people type, and the page that each of them finds first."
import json, re, sys

import pytest

from scripts import ROOT, load_script

search = load_script("tools/search.py")
ENTRIES = search.build()

# Query, and the pages of which one comes first.
QUERIES = {
    "confidence interval": "inference/estimate glossary#confidence-interval",
    "tau": "metrics/gpass",
    "unreliable": "metrics/passhat",
    "pass_at_k": "metrics/passk#pass_at_k",
    "pass@k": "metrics/passk",
    "pass^k": "metrics/passhat",
    "maj@k": "metrics/vote",
    "majority vote": "metrics/vote",
    "self-consistency": "metrics/vote",
    "best of n": "metrics/bestof",
    "verifier": "metrics/bestof",
    "p value": "inference/significance glossary#p-value",
    "McNemar": "inference/significance",
    "standard error": "inference/estimate glossary#standard-error",
    "bootstrap": "explain/which_error_bar",
    "wilson": "explain/which_error_bar",
    "power": "inference/planning glossary#power",
    "sample size": "inference/planning",
    "how many samples do I need": "guides/plan inference/planning",
    "A/B test": "inference/comparison",
    "leaderboard": "inference/ranking",
    "bonferroni": "inference/ranking glossary#bonferroni",
    "early stopping": "inference/sequential",
    "LLM as a judge": "inference/judges",
    "temperature 0": "guides/consistency",
    "seed": "inference/rerun",
    "cost": "metrics/cost",
    "ECE": "metrics/calibration",
    "MMLU": "metrics/choice",
    "macro average": "inference/strata",
    "cluster": "inference/units glossary#cluster",
    "power law": "inference/extrapolation",
    "prior": "inference/bayes glossary#prior",
    "CI gate": "guides/gate",
    "LaTeX": "guides/paper_table",
    "install": "guides/install",
    "inspect_ai": "guides/harness_logs guides/in_inspect_ai",
    "lm-eval": "explain/same_name guides/in_lm_eval",
    "cost_per_solved": "metrics/cost#cost_per_solved",
    "compare": "guides/compare#compare guides/compare",
}


def shorten(href): return href.removeprefix("nbs/").replace(".html", "")


@pytest.mark.parametrize("query", QUERIES)
def test_the_right_page_comes_first(query):
    found = [shorten(o["href"]) for o in search.rank(query, ENTRIES)[:5]]
    assert found and (found[0] in QUERIES[query].split() or found[0].partition("#")[0] in QUERIES[query].split()), found


def test_there_are_forty_queries(): assert len(QUERIES) == 40


def test_every_entry_leads_somewhere():
    pages = {o.path for o in search.list_pages()}
    assert {shorten(o["href"]).partition("#")[0] for o in ENTRIES} == pages
    assert len({o["objectID"] for o in ENTRIES}) == len(ENTRIES)
    assert all(o["title"] and o["text"] and o["crumbs"] for o in ENTRIES)


def test_a_function_has_one_entry():
    import sampling_eval
    named = [o["title"] for o in ENTRIES if o["crumbs"][0] == "Functions"]
    public = set(sampling_eval.__all__)
    assert public <= set(named) and not [o for o in named if named.count(o) > 1]


def test_no_imports_references_or_formulas_are_found():
    texts = [o["text"] for o in ENTRIES]
    odd = [o for o in texts if re.search(r"^import |from sampling_eval|```|\$\$|\\frac|<div|</|\]\(", o)]
    assert not odd, odd[0]
    assert not [o for o in ENTRIES if o["section"] in search.SILENT]
    assert not search.rank("matplotlib.pyplot as plt", ENTRIES)


def test_prose_as_plain_words():
    said = search.read_prose("A [**word**](x.ipynb#y) of `code`.\n\n$$x^2$$\n\n| a | b |\n|---|:--|\n| c | d |\n\n<div class=\"x\">\n\n> quoted $k$")
    assert said == "A word of code . a b c d quoted k"


@pytest.mark.parametrize("query, text, score", [
    ("wilson", "wilson", 0), ("wilson", "the wilson interval", .001), ("wilsom", "the wilson interval", None),
    ("clopper-pearsen", "by clopper-pearson, exact", 1 / 15), ("clopper pearson", "by clopper-pearson, exact", 1 / 15),
    ("cloppar-pearsen", "by clopper-pearson, exact", None), ("", "text", .001), ("tau", "", None)])
def test_scores_of_the_browser(query, text, score): assert search.score_text(query, text) == score


def test_shorter_texts_and_titles_come_first():
    make = search.make_entry
    long = make("a", "pass@k and more words", "", "pass@k", ["x"])
    short = make("b", "pass@k", "", "other", ["x"])
    text = make("c", "other", "", "about pass@k", ["x"])
    assert [o["href"] for o in search.rank("pass@k", [text, long, short, make("d", "z", "", "z", ["x"])])] == ["b", "a", "c"]


def test_the_index_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["search.py", "--out", str(tmp_path / "site")])
    search.main()
    text = (tmp_path / "site" / "search.json").read_text("utf-8")
    assert [o["objectID"] for o in json.loads(text)] == [o["objectID"] for o in ENTRIES] and len(text) < 1_500_000
