"The index of names: what is in it, where it leads, and its tables."
import sys

import pytest

from sampling_eval.reporting import index


def test_names_that_sentences_mean():
    assert index.is_meant("a.b.Report", "x.html") and index.is_meant("a.b.run", "x.html#run")
    assert not index.is_meant("a.b.run", "x.html")


def test_names_of_a_module_say_what_they_are():
    text = "\n".join(['def f(): "Says."', "def g(): pass", 'class A: "Says."', 'def _h(): "Says."', "x = 1",
                      "class B: pass", "if x:", '    def i(): "Says."'])
    assert index.list_names(text) == ["f", "A"]


@pytest.fixture
def shown_module(monkeypatch):
    "A module with names of every kind, and where its page shows them."
    import types
    module = types.ModuleType("sampling_eval.made", "What <it> is.\n\nMore.")
    def helper(): "Helps\nwith it.\n\nMore."
    def score(): "Scores."
    def silent(): pass
    module.helper, module.score, module.silent, module._hidden = helper, score, silent, helper
    monkeypatch.setitem(sys.modules, "sampling_eval.made", module)
    names = "score", "helper", "silent", "_hidden", "A.method", "absent"
    return {f"sampling_eval.made.{o}": (f"nbs/guides/made.html#{o}" if o == "score" else "nbs/guides/made.html",
                                        "file") for o in names}


def test_names_with_their_first_sentence(shown_module):
    found = list(index.read_names("sampling_eval.made", shown_module))
    assert found == [("helper", "guides/made.html", "Helps with it."), ("score", "guides/made.ipynb#score", "Scores.")]
    assert list(index.read_names("sampling_eval.absent", {})) == []
    assert index.list_rows("sampling_eval.made", shown_module,
                           True) == [("[`score`](guides/made.ipynb#score)", "Scores.")]
    assert index.list_rows("sampling_eval.made", shown_module, False) == [("`helper`", "Helps with it.")]


def test_tables_of_names(shown_module):
    table = ('<div class="api">\n\n| name | meaning |\n|:--------|:----------------------------------|\n'
             "| `helper` | Helps with it. |\n\n</div>")
    rows = [("`helper`", "Helps with it.")]
    assert index.write_module("sampling_eval.made", rows, True) == f"**made**: What <it> is.\n\n{table}"
    assert index.write_module("sampling_eval.made", rows, False) == (
        '<details class="names">\n<summary><strong>made</strong>: What &lt;it&gt; is.</summary>\n\n'
        f"{table}\n\n</details>")


def test_tables_stand_apart():
    parts = index.write_index(True).split("\n\n**")
    assert len(parts) > 5 and all(part.endswith("</div>") for part in parts) and "<details" not in "".join(parts)
    folded = index.write_index(False).split("\n\n<details")
    assert all(part.endswith("</details>") for part in folded)


@pytest.mark.parametrize("module, guide", [
    ("reporting.site", "nbs/functions"), ("reporting", "nbs/guides/reports"), ("verbs.comparing", "nbs/guides/compare"),
    ("verbs.scoring", "nbs/guides/score"), ("reading.counts_file", "nbs/guides/counts"),
    ("reading", "nbs/guides/tables"),
    ("clix", ""), ("cli", "nbs/guides/command"), ("", "")])
def test_guides_of_modules(module, guide): assert index.find_guide(module) == guide


def test_exported_modules_and_bridges_are_not_plain():
    plain = index.list_plain()
    assert "sampling_eval.metrics.passk" not in plain and not any(".bridges." in name or "._" in name for name in plain)
    page, file = plain["sampling_eval.verbs.scoring"]["sampling_eval.verbs.scoring.score"]
    assert (page, file) == ("nbs/guides/score.html#score", "sampling_eval/verbs/scoring.py")
    letters = plain["sampling_eval.reporting.letters"]
    assert letters["sampling_eval.reporting.letters.say_rest"][0] == "nbs/guides/paper_table.html"
    found = index.build_index()
    assert found.keys() == index.d.keys() and found["syms"] == index.d["syms"]
    assert "sampling_eval.reporting.letters.say_rest" not in found["syms"]["sampling_eval.reporting.letters"]
    assert list(plain) == sorted(plain)
