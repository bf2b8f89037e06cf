"What stands beside estimates: tables, letters, and the paragraph on methods."

import re

import numpy as np
import pytest

from score_rows import make_report, make_row
from sampling_eval import compare, Counts, gate, Report, score
from sampling_eval.cli import finish, make_parser
from sampling_eval.metrics.catalog import CATALOG
from sampling_eval.analyses.phrases.metrics import ABOUT, define_metrics, rule_sentences
from sampling_eval.render.citations import cite, cited_keys, SOURCES, write_entries
from sampling_eval.results.base import Style
from sampling_eval.analyses.compare.result import letter_models
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.results.rows import Row
from sampling_eval.analyses.score.result import pick_labels
from sampling_eval.analyses.score.letters import letters_by_metric, share_names
from sampling_eval.analyses.engine.measure import Weighing
from sampling_eval.analyses.engine.choose import choose_metrics

GAFFKE = Method("gaffke", True)


def row(metric, k, estimate=0.5, low=0.4, high=0.6, **more):
    given = dict(stderr=0.1, questions=50, n_min=4, n_max=4, missing=0, estimator="unbiased")
    interval = None if low is None else Interval(low, high, method=GAFFKE)
    return Row(metric, k, estimate, **given | dict(interval=interval) | more)


# Families.

TIE = "cons@k: at even k a tie counts as wrong"


@pytest.mark.parametrize(
    "rows, said",
    [
        ([("cons@2", 2)], [f"{TIE}."]),
        ([("cons@3", 3)], []),
        ([("pass@2", 2)], []),
        ([("mg-pass@1", 1)], []),
        (
            [("cons@1", 1), ("cons@2", 2)],
            [f"{TIE}, so it can be lower there than at the k before."],
        ),
        ([("mg-pass@2", 2)], ["mg-pass@2 is the share with all 2 right."]),
        ([("mg-pass@3", 3)], ["mg-pass@3 is 2/3 of the share with all 3 right."]),
        (
            [("mg-pass@4", 4), ("cons@4", 4)],
            [f"{TIE}.", "mg-pass@4 is the mean of 2 shares: at least 3 and 4 of 4 right."],
        ),
        (
            [("mg-pass@5", 5)],
            ["mg-pass@5 is 2/5 times the sum of 2 shares: at least 4 and 5 of 5 right."],
        ),
        (
            [("mg-pass@8", 8)],
            ["mg-pass@8 is the mean of 4 shares: at least 5, 6, 7 and 8 of 8 right."],
        ),
        (
            [("mg-pass@10", 10)],
            ["mg-pass@10 is the mean of 5 shares: at least 6, 7, ..., 10 of 10 right."],
        ),
    ],
)
def test_rules_that_three_words_do_not_say(rows, said):
    assert rule_sentences([row(*one) for one in rows]) == said
    assert rule_sentences([row(*one, n_min=1, n_max=1) for one in rows]) == []


# Models by metric.


def test_with_one_sample_most_metrics_are_one_number():
    names = "pass@1", "pass^1", "maj@1", "mg-pass@1", "soft@1"

    def block(*values, n=1):
        return [row(name, 1, value, n_max=n) for name, value in zip(names, values)]

    assert pick_labels([block(0.5, 0.5, 0.5, 0.25, 0.75), block(0.6, 0.6, 0.7, 0.3, 0.6)]) == [
        "pass@1",
        "maj@1",
        "soft@1",
    ]
    assert pick_labels([block(0.5, 0.5, 0.5, 0.5, 0.5, n=2)]) == [
        "pass@1",
        "pass^1",
        "maj@1",
        "soft@1",
        "mg-pass@1",
    ]
    mixed = [block(0.5, 0.5, 0.5, 0.5, 0.5), block(0.5, 0.5, 0.5, 0.5, 0.5, n=2)]
    assert len(pick_labels(mixed)) == 5


# The methods paragraph says what was done, and nothing else.


def draw(seed=0, questions=30, n=4):
    return (np.random.default_rng(seed).random((questions, n)) < 0.6).astype(int)


def list_rows(outcomes, **more):
    return [dict(question=q, correct=x, **more) for q, row in enumerate(outcomes) for x in row]


def test_only_what_was_done_is_claimed():
    said = score(draw(), "avg@n").methods()
    for word in "pass@k", "Chen", "band", "clusters", "same questions", "Clopper":
        assert word not in said
    assert "Clopper" in score(draw(n=1), "pass@1").methods()
    assert "for the same questions: gamma" in score(draw(), "avg@n", target="both").methods()
    assert (
        "for new clusters of questions" in score(
            draw(), "avg@n", cluster=list("abc") * 10
        ).methods()
    )
    assert "90 %" in score(draw(), "avg@n", confidence_level=0.9).methods()
    assert (
        "bootstrap (seed 0) (approximate)" in score(draw(), "avg@n", interval="bootstrap").methods()
    )
    assert "wilson (approximate)" in score(draw(n=1), "pass@1", interval="wilson").methods()


@pytest.mark.parametrize(
    "missing,said",
    [("wrong", "counted as wrong"), ("drop", "excluded"), ("bounds", "counted both ways")],
)
def test_the_policy_for_missing_samples_is_told(missing, said):
    rows = list_rows(draw())
    rows[3]["correct"] = rows[9]["correct"] = None
    told = score(rows, "avg@n", missing=missing).methods()
    assert (
        f"2 samples had no outcome and were {said}." in told and "No sample was missing" not in told
    )


def test_a_comparison_with_one_side_missing_does_not_say_none_was():
    rows = list_rows(draw())
    rows[3]["correct"] = None
    for pair in (rows, list_rows(draw(1))), (list_rows(draw(1)), rows):
        said = compare(*pair, missing="wrong").methods()
        assert (
            "1 sample had no outcome and was counted as wrong." in said
            and "No sample was missing" not in said
        )


def test_models_of_one_size_and_of_several():
    a, b = list_rows(draw(), model="a"), list_rows(draw(1, 20, 2), model="b")
    said = score(a + b, "pass@1").methods()
    assert (
        "a on 30 questions with 4 samples per question; b on 20 questions with 2 samples per"
        " question"
        in said
    )
    assert score(a, "pass@1").methods().startswith("a was evaluated on")
    assert (
        score(a + list_rows(draw(1), model="b"), "pass@1")
        .methods()
        .startswith("Each of 2 models was evaluated on 30")
    )


def test_credits_of_ones_own_are_not_described_as_another_metric():
    said = score(draw(), {"mine@k": lambda k: np.arange(k + 1) / k}).methods()
    assert "Chen" not in said and "computed as follows" in said


def test_comparisons_name_pairs_tests_and_corrections():
    a, b, c = draw(), draw(1), draw(2)
    said = compare(a, b, "pass@1").methods()
    assert said.startswith(
        "B was compared with A: same 30 questions; 4 samples each. Differences are paired by"
        " question"
    )
    assert (
        "Two-sided tests of mean difference zero" in said
        and "for several budgets" not in said
        and "Clopper" not in said
    )
    assert "not adjusted for several budgets" in compare(a, b).methods()
    assert "(McNemar, 1947)" in compare(draw(n=1), draw(3, n=1), "pass@1").methods()
    ranked = compare(a, b, "pass@1", others=[c])
    assert (
        ranked.methods().startswith("All pairs of 3 systems were compared in pass@1")
        and "holm1979" in ranked.citations()
    )


def test_a_gate_names_its_rules():
    said = gate(draw(1), baseline=draw(), max_drop=0.1, minimum={"pass@4": 0.5}).methods()
    assert "pass@1 drops by at most 0.1 (30 questions, same questions)" in said
    assert (
        "pass@4 is at least 0.5" in said
        and "passes if its whole CI lies at or above the limit" in said
    )
    # Rules that count questions take no part in the correction.
    several = dict(
        max_drop=0.1,
        metrics=["pass@1", "pass@2"],
        minimum={"pass@4": 0.5},
        no_question_regresses=True,
    )
    assert (
        "the other 2 at the levels of Holm's correction (Holm, 1979)" in gate(
            draw(1), baseline=draw(), **several
        ).methods()
    )


def test_what_was_read_back_says_the_same():
    report = score(draw(), target="both")
    assert Report.from_json(report.to_json()).methods() == report.methods()


# Sources.


def test_every_source_has_an_entry_and_every_mark_a_source():
    for text in ABOUT.values():
        assert "@{" not in cite(text)
    assert set(ABOUT) <= set(CATALOG)
    for key, source in SOURCES.items():
        entry = source.entry(key)
        assert (
            entry.count("{") == entry.count("}")
            and f"{{{key}," in entry
            and str(source.year) in source.who
        )


def test_citations_are_those_of_the_paragraph():
    report = score(draw(), "pass@k")
    keys = re.findall(r"@\w+\{(\w+),", report.citations())
    assert keys == ["chen2021", "gaffke2005", "vlassis2026", "clopper1934"]
    cited = re.findall(r"\\citep\{(.*?)\}", report.methods(latex=True))
    assert [key for one in cited for key in one.split(", ")] == keys


# The command.


@pytest.mark.parametrize(
    "form,sign", [("table", "(Chen et al., 2021)"), ("latex", r"\citep{chen2021}")]
)
def test_the_command_prints_paragraph_and_bibliography(form, sign, tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text(
        "question,correct\n" + "".join(f"{q},{x}\n" for q, row in enumerate(draw()) for x in row)
    )
    assert (
        finish(
            make_parser().parse_args(["score", str(path), "-m", "pass@k", "--methods", "-f", form])
        )
        == 0
    )
    out = capsys.readouterr().out
    assert (
        sign in " ".join(out.split())
        and "@misc{chen2021," in out
        and "Below each estimate" not in out
    )
    if form == "table":
        assert max(map(len, out.split("@misc")[0].splitlines())) <= 80


# Metrics and intervals on given numbers.


def make_estimator(name):
    return CATALOG[name].estimator


@pytest.mark.parametrize(
    "metric, k, estimator, said",
    [
        ("avg@4", None, make_estimator("avg@n"), f"avg@n is {ABOUT['avg@n']}."),
        ("avg@n", None, "my own", "avg@n is computed as follows: my own."),
        (
            "mine@4",
            4,
            make_estimator("avg@n"),
            f"mine@k for k = 4 is computed as follows: {make_estimator('avg@n')}.",
        ),
        ("pass@4", 4, make_estimator("pass@k"), f"pass@k for k = 4 is {ABOUT['pass@k']}."),
        (
            "mg-pass@4",
            4,
            make_estimator("mg-pass@k"),
            f"mg-pass@k for k = 4 is {ABOUT['mg-pass@k']}.",
        ),
        (
            "g-pass@4_0.75",
            4,
            "x",
            "g-pass@k_tau for k = 4 and tau = 0.75 is computed as follows: x.",
        ),
    ],
)
def test_a_metric_is_defined_where_its_estimator_is_that_of_the_catalog(metric, k, estimator, said):
    assert define_metrics([(metric, k, estimator)]) == said


def test_budgets_and_thresholds_of_a_metric_stand_together():
    rows = [
        (name, k, "unbiased")
        for name, k in (("g-pass@4_0.5", 4), ("g-pass@2_0.5", 2), ("g-pass@4_1.0", 4))
    ]
    assert (
        define_metrics(rows)
        == "g-pass@k_tau for k = 2, 4 and tau = 0.5, 1.0 is computed as follows: unbiased."
    )
    assert define_metrics([]) == ""
    mean = make_row("x@4", 4, group="mean of 2 groups", of_groups=2)
    assert "x@k" not in make_report(mean, make_row("pass@4", 4)).methods()


def test_marks_of_sources():
    text = "50 % a @{chen2021} b @{chen2021, yao2024} @{none2000} @{chen2021"
    assert (
        cite(text)
        == "50 % a (Chen et al., 2021) b (Chen et al., 2021; Yao et al., 2024) @{none2000}"
        " @{chen2021"
    )
    assert (
        cite(text, True)
        == r"50 \% a \citep{chen2021} b \citep{chen2021, yao2024} @\{none2000\} @\{chen2021"
    )
    assert cited_keys(text) == ["chen2021", "yao2024"] and cited_keys("") == []
    assert (
        write_entries("@{holm1979} @{yao2024}")
        == "@article{holm1979,\n  author = {Holm, Sture},\n  title = {{A simple sequentially"
        " rejective multiple test procedure}},\n  year = {1979},\n  journal = {Scandinavian"
        " Journal of Statistics}\n}\n\n@misc{yao2024,\n  author = {Yao, Shunyu and Shinn, Noah"
        " and Razavi, Pedram and Narasimhan, Karthik},\n  title = {{{$\\tau$}-bench: A Benchmark"
        " for Tool-Agent-User Interaction in Real-World Domains}},\n  year = {2024},\n  note ="
        " {arXiv:2406.12045}\n}"
    )


# Letters of a report.

N = [4] * 40
NONE, HALF, MOST = (Counts(N, c) for c in ([0, 1] * 20, [2, 3] * 20, [3, 2] * 20))


def letter(blocks, labels=("pass@1",), style=Style(), weights=None):
    chosen = {
        model: choose_metrics(counts, ["pass@k", "avg@n"], [1, 2])[0]
        for (model, group), counts in blocks.items()
        if not group
    }
    return letters_by_metric(
        blocks, chosen, list(labels), style, Weighing(weights and 'w'), weights
    )


def name(*sides):
    return {(f"m{i}", ""): side for i, side in enumerate(sides)}


def test_where_there_are_none():
    assert letter(name(NONE)) == {} and letter(name()) == {}
    assert letter(name(NONE, HALF) | {("m0", "g"): NONE}) == {}
    assert letter(name(NONE, Counts(N, [2] * 40, range(1, 41)))) == {}
    grouped = [
        Counts(N, side.c, cluster=np.arange(40) // size) for side, size in ((NONE, 2), (HALF, 4))
    ]
    assert letter(name(*grouped)) == {} and set(letter(name(grouped[0], HALF))["pass@1"]) == {
        "m0",
        "m1",
    }


def test_the_same_questions_in_any_order():
    assert share_names(dict(a=HALF, b=Counts(N, HALF.c, range(39, -1, -1)))) is True
    assert share_names(dict(a=HALF)) is True
    other = Counts(N, HALF.c, range(1, 41))
    assert share_names(dict(a=HALF, b=other)) is share_names(dict(a=HALF, b=HALF, c=other)) is False
    assert share_names(dict(a=HALF, b=Counts([4] * 39, [1] * 39))) is False
    backwards = letter(name(NONE, Counts(N, HALF.c[::-1], range(39, -1, -1))))
    assert backwards == letter(name(NONE, HALF))


def test_a_model_has_a_letter_for_each_of_its_groups():
    assert (
        letter_models([["x", 1], ["y", 1], ["z"]]) == {"x": "a", "1": "ab", "y": "b", "z": "c"}
        and letter_models([]) == {}
    )
    many = letter_models([[i] for i in range(53)])
    assert [many[name] for name in ("0", "25", "26", "51", "52")] == ["a", "z", "a2", "z2", "a3"]
