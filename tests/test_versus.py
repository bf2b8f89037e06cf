"Two systems and several, in every form: what is printed, stored in full."
import re

import pytest

from printed import check_printed, split_markup
from sampling_eval import Counts, compare
from sampling_eval.reporting.standings import Standings
from sampling_eval.reporting.versus import Versus

# Versions change with the machine.
VERSIONS = re.compile(r"sampling_eval [^,\s]+, numpy [^,]+, Python [^;]+; [\d-]+")


def tell_forms(result, wanted=("screen", "full", "page", "json")):
    "The screen, every number, the page, and the JSON text; or some of them."
    make = dict(screen=result.to_text, full=lambda: result.to_text(how=True),
                page=lambda: split_markup(result.to_html()), json=result.to_json)
    forms = {name: make[name]() for name in wanted}
    return VERSIONS.sub("VERSIONS", "\n".join(f"== {name}\n{text}" for name, text in forms.items()))


def list_samples(**models):
    "Rows of models whose samples are `1101 011 ...`, a word for each question."
    return [dict(model=model, question=f"q{i}", sample=j, correct=int(mark))
            for model, words in models.items() for i, word in enumerate(words.split()) for j, mark in enumerate(word)]


OLD, NEW = "1000 1100 0000 1111 1110 0100", "1100 1100 1111 1011 1111 0000"
# Right once almost everywhere, but seldom twice: it leads at k = 4 and lags at k = 1.
WIDE = " ".join(["1000"] * 12), " ".join(["1111"] * 6 + ["0000"] * 6)


def list_words(size, n, *shifts):
    "For each shift, questions whose right samples go up from 0 to n and around."
    return [" ".join(format((1 << (i * 7 + shift + i // 3) % (n + 1)) - 1, f"0{n}b") for i in range(size)) for shift in shifts]


def compare_words(old, new, **options): return compare(list_samples(old=old, new=new), **options)


def compare_scores(old, new, metrics):
    rows = [dict(model=model, question=f"q{i}", sample=j, score=score) for model, scores in (("old", old), ("new", new))
            for i, own in enumerate(scores) for j, score in enumerate(own)]
    return compare(rows, metrics=metrics, score="score", correct=False)


def compare_counts(a, b, n=4, **options):
    return compare(Counts([n] * len(a), a), Counts([n] * len(b), b), **options)


TWO = {
    "not decided": lambda: compare_words(OLD, NEW, k=[1, 2, 4]),
    "for these again": lambda: compare_words(OLD, NEW, k=[1, 2], target="benchmark", test="interval", title="a title"),
    "the curves cross": lambda: compare_words(*WIDE, confidence_level=.75),
    "the new one is worse": lambda: compare_words(*WIDE[::-1], confidence_level=.75),
    "one question": lambda: compare_words("11", "01", metrics="pass@1"),
    "one sample": lambda: compare_words("1 0 0 1 1 0 0", "1 1 1 1 1 1 1"),
    "the same": lambda: compare_words("1 0 1", "1 0 1", metrics="pass@1"),
    "level": lambda: compare_words("11 00 10", "00 11 10", metrics="avg@n"),
    "all right against all wrong": lambda: compare_words("000 " * 9, "111 " * 9, metrics="pass@2"),
    "many budgets": lambda: compare_counts([0, 3, 9, 20, 11, 5], [2, 3, 1, 19, 18, 9], 20, k=range(1, 21)),
    "several metrics": lambda: compare_words(*list_words(12, 4, 0, 2), metrics=["pass@1", "pass^4", "avg@n"]),
    "several decided": lambda: compare_words("0001 0011 " * 6, "0111 " * 12, metrics=["pass^2", "pass@1", "pass^4"], target="benchmark", test="interval"),
    "unequal samples and questions": lambda: compare_words("1 10 111 0000 1101", "1 01 100 1010", k=[1], on_unmatched="drop"),
    "clusters": lambda: compare_words(OLD, NEW, metrics="pass@1", cluster={f"q{i}": "ab"[i > 3] for i in range(6)}),
    "weights": lambda: compare_words(OLD, NEW, k=[1, 4], weights={f"q{i}": i + 1 for i in range(6)}),
    "scores": lambda: compare_scores([[1., 2.5], [0., 4.], [3., 3.]], [[2., 2.], [1., 0.], [5., 4.]], "max@2"),
    "another interval": lambda: compare_words(OLD, NEW, metrics="pass@2", interval="t", test="t"),
}


@pytest.mark.parametrize("name", TWO)
def test_two_systems_in_every_form(name, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = TWO[name]()
    check_printed("compare", name, tell_forms(result))
    assert Versus.from_json(result.to_json()) == result


SEVERAL = {
    "three": lambda: compare(list_samples(a=OLD, b=NEW, c="0000 " * 6), k=[1, 4]),
    "four, these again": lambda: compare(list_samples(low="0001 " * 9, high="1111 " * 9, mid="0011 " * 9, even="1100 " * 9),
                                         metrics="pass@1", target="benchmark", title="a title", test="interval"),
    "apart": lambda: compare(list_samples(a="000 " * 20, b="111 " * 20, c="001 011 " * 10), k=[1, 2, 3], confidence_level=.9),
    "questions left out": lambda: compare(list_samples(a="10 11 00 01", b="11 11 01", c="00 01 10 00"), metrics="avg@n", on_unmatched="drop"),
    "odd names": lambda: compare(list_samples(**{"a|b": "1 0 1", "<i>": "1 1 1", "$x_1$ " * 4: "0 0 1"}), metrics="pass@1"),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_systems_in_every_form(name, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = SEVERAL[name]()
    check_printed("compare", name, tell_forms(result))
    assert Standings.from_json(result.to_json()) == result
