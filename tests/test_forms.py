"A score in every form, in full: small data of each kind, awkward on purpose."
import re
from functools import cache

import pytest

from printed import check_printed, split_markup
from sampling_eval import compare, gate, score
from sampling_eval.report.output import render

# The same number of samples, all kinds of questions.
PLAIN = [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]


def list_rows(outcomes, model="", **more):
    "A row for each sample."
    named = dict(model=model) if model else {}
    return [dict(question=f"q{q}", correct=c, **named, **{name: values[q] for name, values in more.items()})
            for q, own in enumerate(outcomes) for c in own]


MODELS = [*list_rows(PLAIN, "b_1"), *list_rows([[1, 1, 1, 1]] * 4 + [[0, 1, 1, 1]], "a<b>"),
          *list_rows([[0, 0, 0, 0]] * 3 + [[1, 0, 0, 0]] * 2, "c & d")]
UNEQUAL = list_rows([[1, 0], [1, 1, 0], [0, 0, 0, 0], [1, None, 1], [1, 0, 0]], "m")
GROUPS = list_rows(PLAIN + [[1, 1, 0, 0]], area=["x", "x", "y", "y", "z|z", "z|z"])
WEIGHTS = list_rows(PLAIN, points=[1, 2, 1, 4, 2])
CLUSTERS = list_rows(PLAIN + [[1, 1, 0, 0]], text=["s", "s", "t", "t", "u", "v"])
ANSWERS = [row | dict(answer="7" if row["correct"] else "89"[i % 2]) for i, row in enumerate(list_rows(PLAIN, "m"))]
SCORES = [dict(question=q, score=x) for q, own in enumerate([[.5, 1.], [.25, .25], [0., .1], [.9, .3]]) for x in own]
BOTH = [row | dict(score=(i % 5) / 4) for i, row in enumerate(list_rows(PLAIN))]
CASES = {
    "plain": (PLAIN, dict(title="run_1.jsonl")),
    "models": (MODELS, dict(title="three & more")),
    "unequal": (UNEQUAL, dict(missing="wrong", k=[1, 2])),
    "bounds": (UNEQUAL, dict(missing="bounds", k=[1, 2])),
    "left out": (UNEQUAL, dict(missing="drop")),
    "groups": (GROUPS, dict(group="area", metrics=["pass@k", "pass^k"], k=[1, 4])),
    "weights": (WEIGHTS, dict(weights="points", metrics=["pass@k", "avg@n"])),
    "clusters": (CLUSTERS, dict(cluster="text", metrics=["pass@k"])),
    "answers": (ANSWERS, dict(answer="answer", metrics=["maj@k", "pass@1"])),
    "scores": (SCORES, {}),
    "judged": (BOTH, {}),
    "one sample": (list_rows([[1], [0], [1], [1]], "m"), dict(metrics=["pass@k", "pass^k", "cons@k"])),
    "one sample of two": ([*list_rows([[1], [0], [1], [1]], "m"), *list_rows([[1], [0], [0], [0]], "n")], {}),
    "one question": ([[1, 0, 1]], {}),
    "same_questions": (PLAIN, dict(target="same_questions", metrics=["pass@1", "pass@2"])),
    "both": (PLAIN, dict(target="both", metrics=["pass@1", "pass@2"], confidence_level=.9)),
    "all right": ([[1, 1, 1]] * 4, {}),
    "never right": (list_rows([[0, 0]] * 3, "m"), {}),
}


def hide_versions(text):
    "A text without the versions of what made it."
    return re.sub(r"(sampling.{1,2}eval|numpy|Python)(\s)[\d.]+\w*", r"\1\2*", text)


@cache
def measure_case(name):
    data, given = CASES[name]
    return score(data, **given)


@pytest.mark.parametrize("name", CASES)
def test_what_is_printed(name):
    found = measure_case(name)
    check_printed("score", f"{name}, screen", repr(found))
    check_printed("score", f"{name}, how", found.to_text(how=True).partition("\nMethods\n")[0])
    check_printed("score", f"{name}, methods", hide_versions(found.methods()))


@pytest.mark.parametrize("name", ["plain", "models", "groups", "weights", "scores", "both", "bounds", "one sample of "
                                  "two"])
def test_every_form_in_full(name, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    found = measure_case(name)
    for form in "md", "tex", "json": check_printed("score", f"{name}, {form}", hide_versions(render(found, form)))
    if name != "scores": check_printed("score", f"{name}, html", hide_versions(split_markup(found.to_html())))
    check_printed("score", f"{name}, methods in LaTeX", hide_versions(found.methods(latex=True)))
    check_printed("score", f"{name}, csv", render(found, "csv"))


OTHER = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1]]
CHECKED = {
    "two systems": lambda: compare(PLAIN, OTHER, metrics=["pass@1", "pass^4"]),
    "one metric": lambda: compare(PLAIN, OTHER, metrics=["pass@k"]),
    "one sample": lambda: compare([[1], [0], [1], [0]], [[1], [1], [1], [0]], metrics="pass@1"),
    "same_questions": lambda: compare(PLAIN, OTHER, metrics="pass@1", target="same_questions"),
    "several": lambda: compare(MODELS, metrics="pass@1"),
    "gate": lambda: gate(OTHER, baseline=PLAIN, metrics="pass@1", max_drop=.5, minimum={"pass^4": .9}),
}


@pytest.mark.parametrize("name", CHECKED)
def test_methods_in_full(name):
    found = CHECKED[name]()
    check_printed("score", f"methods of {name}", hide_versions(found.methods()))
    check_printed("score", f"methods of {name} in LaTeX", hide_versions(found.methods(latex=True)))
    check_printed("score", f"sources of {name}", found.citations())


def test_questions_of_several_models_can_be_searched_without_a_chart():
    page = score(MODELS, ["pass@1"]).to_html()
    assert 'class="chart"' not in page and "<script>" in page
