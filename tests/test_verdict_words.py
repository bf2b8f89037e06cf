"The words of verdicts stand in one dictionary: another word there is another word on every screen."

import ast
import re
from pathlib import Path

import pytest

from sampling_eval import audit, compare, gate, score, table
from sampling_eval.render import verdicts
from sampling_eval.render.verdicts import (
    badge_text,
    capitals_of,
    significance_of,
    significantly,
    word_of,
)

LIB = Path(__file__).resolve().parents[1] / "sampling_eval"
RIGHT = dict(
    a=[3, 1, 4, 2, 0, 3, 2, 1, 4, 2, 1, 3], b=[2, 2, 4, 1, 1, 3, 3, 1, 4, 2, 0, 4], c=[4] * 11 + [3]
)
ROWS = [
    dict(model=model, question=q, sample=i, correct=int(i < right))
    for model, every in RIGHT.items()
    for q, right in enumerate(every)
    for i in range(4)
]


def rows_of(*models):
    return [row for row in ROWS if row["model"] in models]


RESULTS = {
    "two systems": lambda: compare(rows_of("a", "b"), same_within=0.02),
    "three systems": lambda: compare(ROWS),
    "table": lambda: table(ROWS),
    "score": lambda: score(ROWS),
    "rule": lambda: gate(rows_of("b"), baseline=rows_of("a"), max_drop=0.02),
    "two rules": lambda: gate(
        rows_of("b"), baseline=rows_of("a"), max_drop=0.02, minimum={"pass@1": 0.5}
    ),
    "audit": lambda: audit(".5", ".6", questions=30),
}


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_another_word_is_another_word_everywhere(result, monkeypatch):
    other = verdicts.WORDS["inconclusive"]._replace(word="undecided")
    monkeypatch.setitem(verdicts.WORDS, "inconclusive", other)
    monkeypatch.setitem(verdicts.WITHIN_MARGIN, "inconclusive", "undecided")
    found = result()
    screens = [found.to_text(how=True), found.to_markdown(), found.to_latex(), found.to_html()]
    assert "undecided" in screens[-1].lower()
    for screen in screens:  # what is left are the classes of a page, which are values
        assert not re.findall(r"inconclusive(?![^<>\n]*\">)", screen, re.I)


def test_words_of_verdicts():
    assert [word_of(one) for one in ("better", "none", "unknown")] == [
        "better",
        "no CI",
        "significance unknown",
    ]
    assert [significance_of(one) for one in ("better", "worse", "inconclusive")] == [
        "significant",
        "significant",
        "inconclusive",
    ]
    assert [significantly(one) for one in ("worse", "none")] == ["significantly worse", "no CI"]
    assert [capitals_of("inconclusive"), badge_text("fail"), badge_text("worse")] == [
        "INCONCLUSIVE",
        "✗ FAIL",
        "✗ significant",
    ]


def list_said(path):
    "Texts of a module but its docstrings and single words, which are values."
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docs
        and not re.fullmatch("[a-z_]*", node.value)
    ]


def test_no_other_module_spells_a_verdict():
    spelled = re.compile("(?<!--)inconclusive|significantly (better|worse)|PASS|FAIL")
    paths = [
        path
        for room in ("analyses", "render", "pages")
        for path in (LIB / room).rglob("*.py")
        if path.name != "verdicts.py"
    ]
    found = {
        f"{path.relative_to(LIB)}: {text}"
        for path in paths
        for text in list_said(path)
        if spelled.search(text)
    }
    assert not found, f"ask render.verdicts for the word: {found}"
