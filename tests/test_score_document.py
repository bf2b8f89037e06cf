"What a score says, in every form. Texts in full: tests/printed."

import re
import subprocess
import sys
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from printed import check_printed, check_text, split_markup
from score_rows import make_columns, make_report, make_row
from sampling_eval import compare, gate, score
from sampling_eval.examples import example_path
from sampling_eval.render.blocks import Curves, Fold, Grid, Intervals, Questions, Text
from sampling_eval.analyses.score.words import answer_sentence, lead_verdict, share_letter
from sampling_eval.analyses.phrases.metrics import decimals_for, meaning_of, rule_sentences
from sampling_eval.render.output import render
from sampling_eval.results.rows import Bound
from sampling_eval.analyses.score.result import Many, order_flaky

WRONG, RIGHT = (
    dict(bound=Bound(missing, ""), group=f"missing counted {missing}")
    for missing in ("wrong", "right")
)


def draw(share, seed, questions=60):
    return (np.random.default_rng(seed).random((questions, 4)) < share).astype(int)


def table_of(**models):
    return [
        dict(model=name, question=f"q{q}", sample=s, correct=int(own[q, s]))
        for name, own in models.items()
        for q in range(len(own))
        for s in range(own.shape[1])
    ]


def find(document, kind):
    "All blocks of a kind, those in folds too."
    found = []
    for block in document:
        if isinstance(block, kind):
            found.append(block)
        if isinstance(block, Fold):
            found += find(block.blocks, kind)
    return found


THREE = table_of(low=draw(0.2, 0), top=draw(0.9, 1), mid=draw(0.5, 2))


# Whole texts.


def test_one_model():
    found = score(example_path("tau_bench"), title="tau-bench airline, gpt-4o")
    check_text("score_one", str(found), found.to_text(how=True), found.to_markdown())


def test_several_models():
    found = score(THREE, ["pass@k", "pass^k"], [1, 2, 4], title="three.csv")
    check_text("score_several", str(found), found.to_text(how=True), found.to_latex())


def test_other_data():
    lost = [
        row | (dict(correct=None) if i % 17 == 3 else {})
        for i, row in enumerate(table_of(m=draw(0.5, 3, 20)))
    ]
    weighted = [row | dict(points=1 + i % 3) for i, row in enumerate(table_of(m=draw(0.5, 4, 20)))]
    weighted = [row | dict(points=1 + int(row["question"][1:]) % 3) for row in weighted]
    grades = [
        dict(question=q, score=x)
        for q, x in enumerate(np.linspace(0, 1, 12).round(3).tolist())
        for _ in range(2)
    ]
    texts = [
        score(lost, "pass@k", [1, 4], missing="bounds"),
        score(weighted, "pass@k", [1, 2], weights="points"),
        score(draw(0.5, 5, 30)[:, :1]),
        score(grades),
        score(draw(0.5, 6, 30), "pass^k", target="both"),
        score(
            [row | dict(task="ab"[int(row["question"][1:]) % 2]) for row in THREE[:240]],
            "pass@1",
            by="task",
        ),
        score([[1, 1, 0], [1, 0], [0, 0, 1]], "pass@k"),
        score(draw(0.5, 7, 30), "avg@n", target="same_questions"),
    ]
    check_text("score_other", *map(str, texts))


# The headline.


def headline(*rows, **fields):
    return answer_sentence(make_report(*rows, **fields))


@pytest.mark.parametrize(
    "rows, said",
    [
        ([make_row()], "pass@1 = 50.0 % (95 % CI 25.0 to 75.0 %, new questions)."),
        ([make_row(model="m")], "m: pass@1 = 50.0 % (95 % CI 25.0 to 75.0 %, new questions)."),
        ([make_row(low=None, high=None)], "pass@1 = 50.0 %."),
        (
            [make_row("pass@2", 2), make_row()],
            "pass@1 = 50.0 % (95 % CI 25.0 to 75.0 %, new questions).",
        ),
        (
            [make_row("maj@4", 4), make_row("avg@4", None, 0.25)],
            "avg@4 = 25.0 % (95 % CI 25.0 to 75.0 %, new questions).",
        ),
        (
            [make_row("soft@4", None, 7.5, 7.0, 8.0, unit="score")],
            "soft@4 = 7.500 (95 % CI 7.000 to 8.000, new questions).",
        ),
        ([make_row("mine@2", 2, 0.5)], "mine@2 = 50.0 % (95 % CI 25.0 to 75.0 %, new questions)."),
        (
            [make_row("maj@2", 2), make_row("maj@4", 4, 0.625), make_row("best@4", 4)],
            (
                "maj@4 = 62.5 % (95 % CI 25.0 to 75.0 %, new questions); best@4 = 50.0 % (95 % CI"
                " 25.0 to 75.0 %, new questions)."
            ),
        ),
        (
            [make_row(estimate=1 - 1e-6, low=0.9, high=1)],
            "pass@1 = 99.9999 % (95 % CI 90.0 to 100.0 %, new questions).",
        ),
        (
            [make_row(group="all questions"), make_row(group="g", estimate=0.1)],
            "pass@1 = 50.0 % (95 % CI 25.0 to 75.0 %, new questions).",
        ),
        (
            [
                make_row(**WRONG, missing=3),
                make_row(**RIGHT, estimate=0.625, missing=3, high=0.875),
            ],
            (
                "pass@1 = 50.0 to 62.5 %, whatever the outcome of 3 missing samples (95 % CI 25.0"
                " to 87.5 %)."
            ),
        ),
        (
            [make_row(**one, model=m) for m in "ab" for one in (WRONG, RIGHT)],
            "2 models, missing samples counted both ways.",
        ),
        (
            [make_row(model="a"), make_row("maj@4", 4, model="b")],
            "2 models without a metric that all of them have.",
        ),
        (
            [make_row(model="a"), make_row(model="b", questions=8)],
            "2 models were asked different questions: their numbers do not rank them.",
        ),
    ],
)
def test_the_answer(rows, said):
    assert headline(*rows) == said


def test_models_of_other_questions():
    rows = [make_row(model=m, questions=2) for m in "ab"]
    other = make_columns([4, 2, 1, 0], model=["a", "a", "b", "b"])
    assert headline(*rows, questions=other).startswith("Both models have")
    apart = type(other)(dict(other.data) | dict(question=np.array(["x", "y", "y", "z"])))
    assert "were asked different questions" in headline(*rows, questions=apart)


CI = "(95 % CI 25.0 to 75.0 %, new questions)"


@pytest.mark.parametrize(
    "means, letters, said, verdict",
    [
        ([0.5, 0.25], "", f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1.", ""),
        (
            [0.5, 0.25],
            "a b",
            f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1: significant.",
            "better",
        ),
        (
            [0.25, 0.5],
            "a a",
            f"m1 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m0: not significant.",
            "inconclusive",
        ),
        ([0.5, 0.5], "a a", f"Both models have pass@1 = 50.0 % {CI}.", ""),
        ([0.5, 0.5 + 1e-16], "", f"Both models have pass@1 = 50.0 % {CI}.", ""),
        (
            [0.5, 0.25, 0.125],
            "a b b",
            (
                f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1: significantly"
                " better than both others."
            ),
            "better",
        ),
        (
            [0.5, 0.25, 0.125],
            "a ab b",
            (
                f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1: not significantly"
                " better than m1."
            ),
            "inconclusive",
        ),
        (
            [0.5, 0.5, 0.125],
            "a a b",
            (
                f"m0 and m1 lead with 50.0 % in pass@1 {CI}, 37.5 points ahead of m2: significantly"
                " better than m2."
            ),
            "better",
        ),
        (
            [0.5, 0.25, 0.25, 0.25, 0.25],
            "a a a a b",
            (
                f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1: not significantly"
                " better than m1, m2 or m3."
            ),
            "inconclusive",
        ),
        (
            [0.5, 0.25, 0.25, 0.25, 0.25, 0.1],
            "a a a a a b",
            (
                f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1: not significantly"
                " better than 4 of 5 others."
            ),
            "inconclusive",
        ),
        (
            [0.5, 0.25, 0.1],
            "a a a",
            (
                f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1: not significantly"
                " better than any of the other 2."
            ),
            "inconclusive",
        ),
        # Models that share a2 do not share a.
        (
            [0.5, 0.25],
            "a a2",
            f"m0 leads with 50.0 % in pass@1 {CI}, 25.0 points ahead of m1: significant.",
            "better",
        ),
    ],
)
def test_who_leads(means, letters, said, verdict):
    rows = [make_row(model=f"m{i}", estimate=one) for i, one in enumerate(means)]
    known = {"pass@1": {f"m{i}": one for i, one in enumerate(letters.split())}} if letters else {}
    report = make_report(*rows, letters=known)
    assert (answer_sentence(report), lead_verdict(report)) == (said, verdict)


@pytest.mark.parametrize(
    "shares", [(0.9, 0.2, 0.2), (0.5, 0.5, 0.4), (0.9, 0.85, 0.1), (0.6, 0.4, 0.2)]
)
def test_the_headline_agrees_with_the_letters(shares):
    found = score(table_of(**{f"m{i}": draw(one, i) for i, one in enumerate(shares)}), "pass@1")
    letters = found.letters["pass@1"]
    best, *others = sorted(letters, key=lambda m: -found[m, "pass@1"].estimate)
    apart = not any(share_letter(letters[best], letters[one]) for one in others)
    assert lead_verdict(found) == ("better" if apart else "inconclusive")
    assert f"{best} leads" in answer_sentence(found)


def test_very_many_models():
    means = {"m0": 0.5, "m1": 0.9, "m2": 0.1, "m3": 0.5}
    many = Many(
        "model", "pass@1", means, (40, 40), (4, 8), (0, 2), True, rows=(make_row(model="m1"),)
    )
    found = make_report(make_row(model="m1"), many=many, title="t")
    assert answer_sentence(found) == "m1 leads 4 models with 90.0 % in pass@1; m2 has 10.0 %."
    assert "t: 4 models, 40 questions, 4 to 8 samples each, 0 to 2 missing." in str(found)
    other = Many("model", "pass@1", means, (40, 40), (4, 8), (0, 2), False, rows=many.rows)
    assert "4 models were asked different questions" in answer_sentence(
        make_report(make_row(), many=other)
    )


# Notes and next steps.


def texts(report, kind=None):
    return [one.text for one in find(report.document(), Text) if kind in (None, one.kind)]


@pytest.mark.parametrize(
    "rows, said",
    [
        ([make_row()], "50 questions, 4 samples each, none missing."),
        ([make_row(missing=1)], "50 questions, 4 samples each, 1 missing."),
        ([make_row(questions=1)], "1 question, 4 samples, none missing."),
        (
            [make_row(n_min=2, short_of=7)],
            "50 questions, ragged: 2 to 4 samples; 7 fewer than 4 each.",
        ),
        ([make_row(n_min=2)], "50 questions, ragged: 2 to 4 samples."),
        (
            [make_row(model=m, missing=i * 3) for i, m in enumerate("ab")],
            "2 models, 50 questions, 4 samples each, 0 to 3 missing.",
        ),
        (
            [make_row(model="a", n_min=1, short_of=2), make_row(model="b", n_max=8, short_of=3)],
            "2 models, 50 questions, ragged: 1 to 8 samples; 2 to 3 fewer than the most of each.",
        ),
    ],
)
def test_sizes(rows, said):
    assert said in texts(make_report(*rows))


# Metrics by name.


@pytest.mark.parametrize(
    "name, meaning",
    [
        ("pass@k", "at least one right"),
        ("pass^k", "all right"),
        ("g-pass@k_0.5", "at least 50 % right"),
        ("g-pass@k_1.0", "all right"),
        ("avg@n", "share right"),
        ("soft@n", "mean score"),
        ("mine@k", ""),
    ],
)
def test_meanings(name, meaning):
    assert meaning_of(name) == meaning


@pytest.mark.parametrize("n, k", [(n, k) for n in (4, 6) for k in range(2, n + 1)])
def test_what_is_said_of_mg_pass_is_what_it_is(n, k):
    runs = np.array([[int(i < c) for i in range(n)] for c in range(n + 1)])
    row = score(runs, "mg-pass@k", k)[f"mg-pass@{k}"]
    (said,) = rule_sentences([row])
    steps = range((k + 1) // 2 + 1, k + 1)
    shares = [
        np.mean([sum(sub) >= j for run in runs for sub in combinations(run.tolist(), k)])
        for j in steps
    ]
    assert row.estimate == pytest.approx(2 / k * sum(shares)), said
    assert str(k) in said


# Pictures and questions.


def test_models_stand_in_the_order_of_the_table_with_the_colours_of_the_data():
    document = score(THREE).document()
    want, colours = ["top", "mid", "low"], dict(low=0, top=1, mid=2)
    picture = document[[isinstance(one, Intervals) for one in document].index(True)]
    assert [one.label for one in picture.lines] == want
    assert {one.label: one.colour for one in picture.lines} == colours
    overview, *blocks = find(document, Grid)
    assert [line.name for line in overview.lines] == want == [one.title for one in blocks]
    for chart in find(document, Curves):
        assert [one.label for one in chart.series] == want and chart.colours == [1, 2, 0]
    (questions,) = find(document, Questions)
    assert list(questions.heads) == want and list(questions.colours) == [1, 2, 0]
    assert questions.outcomes[0][0].sum() == draw(0.9, 1).sum()


def test_more_models_than_have_room_are_counted():
    rows = [make_row(f"pass@{k}", k, model=f"m{i:02}") for i in range(13) for k in (1, 2)]
    found = make_report(
        *rows, questions=make_columns([1] * 13, model=[f"m{i:02}" for i in range(13)])
    ).document()
    assert [len(one.series) for one in find(found, Curves)] == [12] and len(
        find(found, Intervals)[0].lines
    ) == 6
    assert sum(one.text == "The first 6 of 13 models." for one in find(found, Text)) == 2


def test_flaky_questions_come_first():
    (questions,) = find(
        make_report(make_row(), questions=make_columns([4, 1, 0, 2])).document(), Questions
    )
    assert [(row.name, row.kind, row.tries) for row in questions.rows] == [
        ("q3", "flaky", [(2, 4)]),
        ("q1", "flaky", [(1, 4)]),
        ("q2", "never", [(0, 4)]),
        ("q0", "always", [(4, 4)]),
    ]
    assert questions.counts == dict(flaky=2, never=1, always=1)
    assert order_flaky(np.array([0.5, 1.0, 0.25, 0.0, 0.75])).tolist() == [0, 2, 4]


def test_kinds_of_several_models_add_up_to_the_questions():
    columns = make_columns([4, 1, 0, 4, 0, 0, 4, 0, 4, 2], model=["a"] * 5 + ["b"] * 5)
    document = make_report(make_row(model="a"), make_row(model="b"), questions=columns).document()
    (questions,) = find(document, Questions)
    assert questions.counts == dict(flaky=2, mixed=1, never=1, always=1)
    assert {row.name: row.kind for row in questions.rows} == dict(
        q0="mixed", q1="flaky", q2="never", q3="always", q4="flaky"
    )
    assert any(
        one.text.endswith(
            "5 questions: 2 flaky in at least one model, 1 always right in one, never in another, 1"
            " never right in any, 1 always right in all. Order: flaky ones, those closest to half"
            " right first, then always right in one, never in another, then never right, then"
            " always right."
        )
        for one in find(document, Text)
    )


def test_a_long_list_of_questions_says_how_long():
    document = make_report(make_row(), questions=make_columns([1] * 1500)).document()
    assert len(find(document, Questions)[0].rows) == 1000
    assert "The first 1,000 of 1,500 questions." in [one.text for one in find(document, Text)]
    assert not find(
        make_report(make_row(), questions=make_columns([1, 0], n=1)).document(), Questions
    )


# The page.


def test_the_page_shows_badge_and_picture_first_and_folds_the_methods():
    page = score(THREE).to_html()
    body = page[page.index("<body") :]
    first = body[: body.index("<table")]
    assert (
        re.search(r'class="badge better">✓ significant<', first)
        and '<figure class="intervals"' in first
    )
    assert "<summary>Methods</summary>" in body and "<summary>Every question</summary>" in body


def test_a_model_called_flaky_changes_nothing():
    names = [
        score(table_of(**{name: draw(0.5, 1)}), "pass@1").to_html()
        for name in ("flaky-7b", "plain-7b")
    ]
    assert names[0].replace("flaky-7b", "plain-7b") == names[1]


def test_where_the_numbers_come_from(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    (path := tmp_path / "run.csv").write_text("question,correct\n1,1\n1,0\n2,1\n2,1\n")
    report = score(str(path))
    page = report.to_html()
    assert "Made on 1970-01-02." in page and re.search(
        r"<td>run.csv</td><td>[0-9a-f]{64}</td>", page
    )
    path.write_text("question,correct\n1,1\n")
    assert (
        "sha256" not in str(report)
        and "sha256" not in type(report).from_json(report.to_json()).to_html()
    )


def test_the_page_needs_no_plotting_library():
    code = (
        "import sys, sampling_eval as se; se.score([[1, 0], [1, 1]]).to_html();"
        " sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_every_number_is_reached_by_keyboard():
    page = score([[1, 0, 1], [0, 0, 1], [1, 1, 1]]).to_html()
    circles = re.findall(r"<circle[^>]*data-say[^>]*>", page)
    assert circles and all('tabindex="0"' in one and "aria-label" in one for one in circles)


def test_a_screen_has_eighty_columns():
    names = {name: draw(0.5, i, 10) for i, name in enumerate(["a" * 60, "b" * 60, "漢字" * 20])}
    for shown in str(score(table_of(**names))), score(table_of(**names)).to_text(how=True):
        assert max(len(line) for line in shown.splitlines()) <= 80 and "a" * 60 in shown


# A score in every form, in full: small data of each kind, awkward on purpose.

# The same number of samples, all kinds of questions.
PLAIN = [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]


def flat(found):
    return " ".join(repr(found).split())


def list_rows(outcomes, model="", **more):
    "A row for each sample."
    named = dict(model=model) if model else {}
    return [
        dict(
            question=f"q{q}",
            correct=c,
            **named,
            **{name: values[q] for name, values in more.items()},
        )
        for q, own in enumerate(outcomes)
        for c in own
    ]


MODELS = [
    *list_rows(PLAIN, "b_1"),
    *list_rows([[1, 1, 1, 1]] * 4 + [[0, 1, 1, 1]], "a<b>"),
    *list_rows([[0, 0, 0, 0]] * 3 + [[1, 0, 0, 0]] * 2, "c & d"),
]
UNEQUAL = list_rows([[1, 0], [1, 1, 0], [0, 0, 0, 0], [1, None, 1], [1, 0, 0]], "m")
GROUPS = list_rows(PLAIN + [[1, 1, 0, 0]], area=["x", "x", "y", "y", "z|z", "z|z"])
WEIGHTS = list_rows(PLAIN, points=[1, 2, 1, 4, 2])
CLUSTERS = list_rows(PLAIN + [[1, 1, 0, 0]], text=["s", "s", "t", "t", "u", "v"])
ANSWERS = [
    row | dict(answer="7" if row["correct"] else "89"[i % 2])
    for i, row in enumerate(list_rows(PLAIN, "m"))
]
SCORES = [
    dict(question=q, score=x)
    for q, own in enumerate([[0.5, 1.0], [0.25, 0.25], [0.0, 0.1], [0.9, 0.3]])
    for x in own
]
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
    "one sample": (
        list_rows([[1], [0], [1], [1]], "m"),
        dict(metrics=["pass@k", "pass^k", "cons@k"]),
    ),
    "one sample of two": (
        [*list_rows([[1], [0], [1], [1]], "m"), *list_rows([[1], [0], [0], [0]], "n")],
        {},
    ),
    "one question": ([[1, 0, 1]], {}),
    "same_questions": (PLAIN, dict(target="same_questions", metrics=["pass@1", "pass@2"])),
    "both": (PLAIN, dict(target="both", metrics=["pass@1", "pass@2"], confidence_level=0.9)),
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


@pytest.mark.parametrize(
    "outcomes, missing, said",
    [
        ([[1, None], [1, 1], [0, 1]], "wrong", None),
        ([[1, None], [1, 1], [0, 1]], "drop", None),
        ([[1, None], [1], [0, 1]], "wrong", (2, 1)),
        ([[1, None], [1], [0, 1]], "drop", (2, 1)),
        (UNEQUAL, "wrong", (4, 5)),
        (UNEQUAL, "drop", (4, 5)),
    ],
)
def test_samples_that_count_as_wrong_are_not_counted_twice(outcomes, missing, said):
    rows = outcomes if outcomes is UNEQUAL else list_rows(outcomes)
    found = score(rows, missing=missing)
    assert [(one.most, one.absent) for one in found.ragged] == ([] if said is None else [said])
    told = "if every question should have" in flat(found)
    assert told == (said is not None) and (
        said is None or f"should have {said[0]} samples" in flat(found)
    )


def test_mg_pass_at_1_is_named_only_where_it_was_asked_for():
    one, two = list_rows([[1], [0], [1], [1]], "m"), list_rows([[1], [0], [0], [0]], "n")
    for found in score(one), score([*one, *two]), score(list_rows([[1, 0], [0, 0], [1, 1]]), k=1):
        assert "No standard error" not in flat(found)
    assert "No standard error: all 4 questions have the same value" in flat(score(one, "mg-pass@1"))


@pytest.mark.parametrize("name", CASES)
def test_what_is_printed(name):
    found = measure_case(name)
    check_printed("score", f"{name}, screen", repr(found))
    check_printed("score", f"{name}, how", found.to_text(how=True).partition("\nMethods\n")[0])
    check_printed("score", f"{name}, methods", hide_versions(found.methods()))


@pytest.mark.parametrize(
    "name",
    ["plain", "models", "groups", "weights", "scores", "both", "bounds", "one sample of two"],
)
def test_every_form_in_full(name, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    found = measure_case(name)
    for form in "md", "tex", "json":
        check_printed("score", f"{name}, {form}", hide_versions(render(found, form)))
    if name != "scores":
        check_printed("score", f"{name}, html", hide_versions(split_markup(found.to_html())))
    check_printed("score", f"{name}, methods in LaTeX", hide_versions(found.methods(latex=True)))
    check_printed("score", f"{name}, csv", render(found, "csv"))


OTHER = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1]]
CHECKED = {
    "two systems": lambda: compare(PLAIN, OTHER, metrics=["pass@1", "pass^4"]),
    "one metric": lambda: compare(PLAIN, OTHER, metrics=["pass@k"]),
    "one sample": lambda: compare([[1], [0], [1], [0]], [[1], [1], [1], [0]], metrics="pass@1"),
    "same_questions": lambda: compare(PLAIN, OTHER, metrics="pass@1", target="same_questions"),
    "several": lambda: compare(MODELS, metrics="pass@1"),
    "gate": lambda: gate(
        OTHER, baseline=PLAIN, metrics="pass@1", max_drop=0.5, minimum={"pass^4": 0.9}
    ),
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


@pytest.mark.parametrize(
    "widths, wanted",
    [([0.0105], 1), ([0.0095], 2), ([0.0095, 0.3, 0.2], 1), ([0.00101], 2), ([0.5, 1e-9], 1)],
)
def test_decimals_of_percents_show_a_tenth_of_the_median_width(widths, wanted):
    rows = [make_row(low=0.2, high=0.2 + width) for width in widths]
    assert decimals_for(rows) == wanted and decimals_for([make_row(low=None)]) == 1
