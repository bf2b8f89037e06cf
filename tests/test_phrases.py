"What several verbs say: metrics, questions, texts of samples, weights, methods, what was read."

from types import SimpleNamespace

import numpy as np
import pytest

from score_rows import GAFFKE, make_row
from sampling_eval.analyses.phrases.deciding import describe_method, lacking_evidence, name_deciding
from sampling_eval.analyses.phrases.metrics import (
    column_meanings,
    define_metrics,
    enclose_ci,
    group_rows,
    join_equal,
    lead_over_others,
    make_grid,
    make_list,
    make_overview,
    name_equal,
    order_budgets,
    rule_sentences,
    single_sample_row,
)
from sampling_eval.analyses.phrases.question_texts import (
    Filling,
    fill_blocks,
    group_samples,
    link_place,
    outcome_in_words,
    shorten_paths,
    texts_sentence,
)
from sampling_eval.analyses.phrases.questions import (
    cut_off,
    kind_of_question,
    kinds_sentence,
    make_questions,
    name_kinds,
    open_questions,
    read_tries,
    side_blocks,
)
from sampling_eval.analyses.phrases.reading import (
    define_missing,
    describe_input,
    missing_clause,
)
from sampling_eval.analyses.phrases.weights import (
    explain_weights,
    max_weight_sentence,
    weighting_clause,
)
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.metrics.catalog import CATALOG
from sampling_eval.render.blocks import Excerpt, Fold, Question, Questions, Samples, Text
from sampling_eval.results.columns import Absent, Columns
from sampling_eval.results.reading import Missing, ReadSummary
from sampling_eval.results.rows import Weighted
from sampling_eval.results.verdict import Evidence
from sampling_eval.spelling import spell


# Metrics by name and budget.


def rows_of(*names, **given):
    return [make_row(name, budget(name), **given) for name in names]


def budget(name):
    digits = name.partition("_")[0].replace("^", "@").partition("@")[2]
    return None if name.startswith(("avg", "soft", "mean")) else int(digits)


def test_rows_of_one_metric_are_a_family():
    found = group_rows(rows_of("pass@4", "avg@4", "pass@1", "g-pass@2_0.5"))
    assert [(one.name, [row.k for row in one.rows]) for one in found] == [
        ("pass@k", [1, 4]),
        ("avg@4", [None]),
        ("g-pass@2_0.5", [2]),
    ]
    assert found[0].at(4).metric == "pass@4" and found[0].at(2) is None
    assert [one.meaning for one in found] == [
        "at least one right", "share right", "at least 50 % right",
    ]


@pytest.mark.parametrize(
    "names, first",
    [
        (["pass@1"], "pass@1"),
        (["avg@4", "pass@2", "pass@1"], "pass@1"),
        (["pass@2", "soft@4"], "soft@4"),
        (["maj@1", "mean@2"], "mean@2"),
        (["pass@2", "pass@4"], None),
        (["pass^1", "maj@1"], None),
        (["maj@1", "avg@4", "soft@4"], "avg@4"),
    ],
)
def test_the_number_that_says_how_often_one_sample_is_right(names, first):
    found = single_sample_row(group_rows(rows_of(*names)))
    assert (found and found.metric) == first


def test_what_columns_ask_of_their_samples():
    names = ["pass@1", "pass@2", "cons@3", "cons@4", "avg@4", "mine@2", "pass^1"]
    majority = CATALOG["cons@k"].meaning
    assert column_meanings(rows_of(*names)) == (
        f"pass@2: at least one right; cons@3: {majority}; cons@4: {majority} (a tie is wrong)."
    )
    assert column_meanings(rows_of("pass@1", "avg@4")) == ""


TIE = "cons@k: at even k a tie counts as wrong"
LOWER = ", so it can be lower there than at the k before"


@pytest.mark.parametrize(
    "names, said",
    [
        (["cons@2"], [f"{TIE}."]),
        (["cons@2", "cons@3"], [f"{TIE}{LOWER}."]),
        (["cons@3", "cons@5"], []),
        (["mg-pass@1", "pass@2"], []),
        (["mg-pass@2"], ["mg-pass@2 is the share with all 2 right."]),
        (["mg-pass@3"], ["mg-pass@3 is 2/3 of the share with all 3 right."]),
        (["mg-pass@4"], ["mg-pass@4 is the mean of 2 shares: at least 3 and 4 of 4 right."]),
        (["mg-pass@5"],
         ["mg-pass@5 is 2/5 times the sum of 2 shares: at least 4 and 5 of 5 right."]),
        (["mg-pass@8"],
         ["mg-pass@8 is the mean of 4 shares: at least 5, 6, 7 and 8 of 8 right."]),
        (["mg-pass@10"],
         ["mg-pass@10 is the mean of 5 shares: at least 6, 7, ..., 10 of 10 right."]),
        (["mg-pass@2", "cons@4"], [f"{TIE}.", "mg-pass@2 is the share with all 2 right."]),
    ],
)
def test_rules_that_three_words_do_not_say(names, said):
    assert rule_sentences(rows_of(*names, n_max=10)) == said
    assert rule_sentences(rows_of(*names, n_min=1, n_max=1)) == []


def test_metrics_are_defined_once_with_their_budgets():
    known = {name: one.estimator for name, one in CATALOG.items()}
    told = define_metrics(
        [
            ("pass@8", 8, known["pass@k"]),
            ("pass@1", 1, known["pass@k"]),
            ("pass@8", 8, known["pass@k"]),
            ("pass@2", 2, known["pass@k"]),
            ("avg@4", None, known["avg@n"]),
            ("pass@3", 3, "by hand"),
            ("mine@2", 2, "as I like"),
            ("g-pass@4_0.5", 4, known["g-pass@k_tau"]),
            ("g-pass@4_1.0", 4, known["g-pass@k_tau"]),
        ]
    )
    assert told.startswith("pass@k for k = 1-2, 8 is the probability that at least one of k")
    assert "avg@n is the share of right samples of a question." in told
    assert "pass@k for k = 3 is computed as follows: by hand." in told
    assert "mine@k for k = 2 is computed as follows: as I like." in told
    assert "g-pass@k_tau for k = 4 and tau = 0.5, 1.0 is the probability that at" in told
    assert define_metrics([]) == ""


# Metrics that are one number.


def single(name, **given):
    return make_row(name, budget(name), **dict(n_min=1, n_max=1) | given)


SAME = "With one sample per question"


@pytest.mark.parametrize(
    "rows, kept, said",
    [
        ([single("pass@1"), single("pass^1")], ["pass@1"], [f"{SAME} pass^1 is the same."]),
        (
            [single("pass@1"), single("pass^1"), single("maj@1")],
            ["pass@1"],
            [f"{SAME} pass^1, maj@1 are the same."],
        ),
        ([single("pass@1"), single("pass^1", estimate=0.6)], ["pass@1", "pass^1"], []),
        ([single("pass@1"), single("pass^1", high=0.8)], ["pass@1", "pass^1"], []),
        ([single("pass@1"), single("pass^1", low=None)], ["pass@1", "pass^1"], []),
        (
            [single("pass@1"), single("pass^1", estimate=0.5 + 1e-13)],
            ["pass@1"],
            [f"{SAME} pass^1 is the same."],
        ),
        ([single("pass@1"), single("pass^1", estimate=0.5 + 1e-11)], ["pass@1", "pass^1"], []),
        (
            [single("pass@1"), single("pass^1"), single("mg-pass@1", estimate=0.0)],
            ["pass@1"],
            [f"{SAME} pass^1 is the same.", "mg-pass@1 is 0 by its definition."],
        ),
        ([single("pass@1"), single("pass^1", n_max=2)], ["pass@1", "pass^1"], []),
        ([single("pass@1")], ["pass@1"], []),
    ],
)
def test_what_is_one_number_is_told_once(rows, kept, said):
    families, told = join_equal(group_rows(rows))
    assert [one.name for one in families] == kept and told == said


# Tables of estimates.


def test_a_grid_has_a_column_for_each_budget():
    grid = make_grid(group_rows(rows_of("pass@1", "pass@2", "pass@4", "pass^2", "avg@4")), "m")
    assert grid.columns == ("k = 1", "2", "4") and grid.title == "m"
    assert [[bool(cell) for cell in line.cells] for line in grid.lines] == [
        [True] * 3,
        [False, True, False],
        [False] * 3,
    ]
    assert grid.lines[0].cells[0].value == "50.0 %" and grid.intervals == ()


@pytest.mark.parametrize(
    "budgets, order",
    [
        ([], ()),
        ([3], (0,)),
        ([1, 2, 3, 4, 5, 6], (0, 5, 1, 3, 2, 4)),
        ([3, 5, 6, 7, 8], (0, 4, 1, 2, 3)),
        ([5, 7, 8, 9, 11], (0, 4, 2, 1, 3)),
    ],
)
def test_the_budgets_that_are_shown_first(budgets, order):
    assert order_budgets(budgets) == order


def test_a_list_has_a_column_for_each_kind_of_interval():
    again = Interval(0.4, 0.6, 0.95, "same_questions", GAFFKE)
    both, new = make_row("avg@4", None, again=again), make_row("maj@4", 4)
    table = make_list(group_rows([both, new, make_row("best@4", 4, low=None, stderr=None)]), 0.9)
    assert table.head == ["metric", "", "estimate", "new questions", "same questions"]
    assert [row[2:] for row in table.rows] == [
        ["50.0 %", "25.0–75.0", "40.0–60.0"],
        ["50.0 %", "25.0–75.0", ""],
        ["50.0 %", "-", ""],
    ]
    table = make_list(group_rows([new]), 0.9, "m")
    assert table.head[3:] == ["90 % CI"] and table.title == "m" and table.left == 2


def test_models_beside_each_other():
    blocks = {
        "low": rows_of("pass@1", "pass^2", estimate=0.3),
        "top": rows_of("pass@1", "pass^2", estimate=0.7),
    }
    assert [line.name for line in make_overview(blocks).lines] == ["low", "top"]
    letters = {"pass@1": dict(low="b", top="a"), "pass^2": dict(low="a", top="a")}
    grid = make_overview(blocks, "grading", letters)
    assert [line.name for line in grid.lines] == ["top", "low"] and grid.corner == "grading"
    assert [[cell.letters for cell in line.cells] for line in grid.lines] == [
        ["a", "a"], ["b", "a"],
    ]
    assert [cell.letters for cell in make_overview(blocks, letters={"pass@1": letters["pass^2"]})
            .lines[0].cells] == ["a", ""]


@pytest.mark.parametrize(
    "target, said",
    [("both", "new questions"), ("new_questions", "new questions"),
     ("same_questions", "same questions")],
)
def test_an_interval_behind_its_number(target, said):
    assert enclose_ci(make_row(), 0.9, target) == f" (90 % CI 25.0 to 75.0 %, {said})"
    assert enclose_ci(make_row(low=None), 0.9, target) == ""


@pytest.mark.parametrize(
    "tied, others, said",
    [
        ("", 3, "significantly better than the rest"),
        ("a", 1, "not significantly better than a"),
        ("ab", 2, "not significantly better than any of the other 2"),
        ("abc", 5, "not significantly better than a, b or c"),
        ("abcd", 5, "not significantly better than 4 of 5 others"),
        ("abcd", 4, "not significantly better than any of the other 4"),
    ],
)
def test_whom_the_first_model_leads(tied, others, said):
    assert lead_over_others(list(tied), others, "the rest") == said


@pytest.mark.parametrize(
    "names, said", [("ab", "a and b are equal"), ("abc", "a, b and c are equal"),
                    ("abcd", "a, b, c and 1 more are equal")]
)
def test_models_that_are_equal(names, said):
    assert name_equal(list(names)) == said


# Questions.


@pytest.mark.parametrize(
    "tries, kind",
    [
        ([(1, 2)], "flaky"),
        ([(0, 2)], "never"),
        ([(2, 2)], "always"),
        ([(2, 2), (0, 2)], "mixed"),
        ([(0, 2), (0, 3)], "never"),
        ([(2, 2), (3, 3)], "always"),
        ([(0, 2), (2, 3)], "flaky"),
        ([(1, 1), (1, 1), (0, 1)], "mixed"),
    ],
)
def test_kinds_of_questions(tries, kind):
    assert kind_of_question(tries) == kind


def columns(c, n, **more):
    names = np.array([f"q{i}" for i in range(len(c))])
    return Columns(dict(question=names, c=np.array(c), n=np.array(n)) | more)


@pytest.mark.parametrize(
    "c, n, fewest, known",
    [
        ([1, 0], [2, 1], 2, True),
        ([1, 0], [1, 1], 2, False),
        ([1, 0], [1, 1], 1, True),
        ([2, 0], [2, 0], 2, False),
        ([], [], 1, False),
    ],
)
def test_questions_that_a_page_shows(c, n, fewest, known):
    found = read_tries(columns(c, n), fewest)
    assert (found is not None) is known
    assert not known or found.model.tolist() == ["", ""]


def test_questions_without_outcomes_are_not_shown():
    assert read_tries(Absent()) is None
    assert read_tries(Columns(dict(question=np.array(["a"]), n=np.array([4])))) is None


def test_flaky_questions_closest_to_half_first():
    tries = read_tries(columns([4, 1, 0, 3, 2, 0], [4, 4, 4, 4, 4, 8]))
    found = make_questions(tries, [""])
    assert [one.name for one in found] == ["q4", "q1", "q3", "q2", "q5", "q0"]
    assert found[1].tries == [(1, 4)]
    assert make_questions(tries, ["other"])[0].tries == [None]


def sides(*right, n=4):
    names = np.array([f"q{i}" for i in range(len(right[0]))])
    told = dict(question=names)
    for key, own in zip("ABCDEFG", right):
        told |= {f"c {key}": np.array(own), f"n {key}": np.full(len(own), n)}
    return Columns(told)


def named(number):
    return {key: f"model {key}" for key in "ABCDEFG"[:number]}


def test_the_largest_loss_of_two_systems_first():
    (fold,) = side_blocks(sides([4, 2, 1], [4, 0, 3]), named(2))
    note, table = fold.blocks
    assert [row.name for row in table.rows] == ["q1", "q0", "q2"]
    assert table.heads == ["model A", "model B"] and fold.summary == "Every question"
    assert note.text.endswith("3 questions: 2 flaky in at least one system, 1 always right in all."
                              " Order: the largest loss first.")
    (fold,) = side_blocks(sides([4, 2, 0]), named(1))
    assert fold.blocks[1].heads == ["right"] and [row.name for row in fold.blocks[1].rows] == [
        "q2", "q1", "q0",
    ]
    assert fold.blocks[0].text.endswith("Order: the least often right first.")


@pytest.mark.parametrize("systems, cut", [(3, False), (6, False), (7, True)])
def test_as_many_systems_as_have_a_column(systems, cut):
    (fold,) = side_blocks(sides(*[[4, 2]] * systems), named(systems))
    note, table, *more = fold.blocks
    assert len(table.heads) == len(table.rows[0].tries) == min(6, systems)
    assert [one.text for one in more] == ["The first 6 of 7 systems."] * cut
    assert note.text.endswith("Order: the least often right first.")


@pytest.mark.parametrize("questions, cut", [(1000, False), (1001, True)])
def test_as_many_questions_as_a_page_holds(questions, cut):
    (fold,) = side_blocks(sides([1] * questions, [0] * questions), named(2))
    _, table, *more = fold.blocks
    assert len(table.rows) == 1000 and table.counts["flaky"] == questions
    assert [one.text for one in more] == ["The first 1,000 of 1,001 questions."] * cut


def test_questions_of_systems_without_outcomes_are_not_shown():
    assert side_blocks(Absent(), named(2)) == [] == side_blocks(sides([1]), named(2))


def test_questions_stand_before_all_other_folds():
    text, fold = Text("a"), Fold("b", [])
    each = [Fold("Every question", [])]
    assert open_questions([text, fold, text], each) == [text, *each, fold, text]
    assert open_questions([text, text], each) == [text, text, *each]


@pytest.mark.parametrize("there, said", [(6, []), (7, ["The first 6 of 7 models."])])
def test_what_is_cut_off_is_said(there, said):
    assert [one.text for one in cut_off(there, 6, "models")] == said


def test_how_many_questions_there_are_of_each_kind():
    counts = dict(flaky=0, mixed=2, never=1200, always=1)
    assert kinds_sentence(counts, name_kinds(True, "model")) == (
        "1,203 questions: 2 always right in one, never in another, 1,200 never right in any, 1 "
        "always right in all. Order: always right in one, never in another, then never right, "
        "then always right."
    )
    assert kinds_sentence(dict(flaky=1), name_kinds(False, "model")) == (
        "1 question: 1 flaky. Order: flaky ones, those closest to half right first."
    )


# Texts of samples.


@pytest.mark.parametrize(
    "outcome, said",
    [
        (None, ("no outcome", None)),
        (1, ("✓ right", True)),
        (0, ("✗ wrong", False)),
        (True, ("✓ right", True)),
        (0.5, ("score 0.5", None)),
        (12345.6, ("score 1.235e+04", None)),
    ],
)
def test_an_outcome_in_words(outcome, said):
    assert outcome_in_words(outcome) == said


def test_files_of_one_name_have_their_folder():
    paths = ["runs/a/log.jsonl", "runs/b/log.jsonl", "runs/b/other.jsonl"]
    assert shorten_paths(paths) == dict(zip(paths, ["a/log.jsonl", "b/log.jsonl", "other.jsonl"]))


@pytest.mark.parametrize(
    "line, folder, link",
    [(12, None, ""), (12, "runs", "a%20log.csv#L12"), (None, "runs", "a%20log.csv"),
     (3, "page", "../runs/a%20log.csv#L3")],
)
def test_a_link_is_seen_from_the_page(line, folder, link):
    assert link_place("runs/a log.csv", line, folder) == link


def sample(question="q", prompt="Why?", answer="So.", outcome=1, line=3):
    def cut(text):
        return None if text is None else Excerpt(text)

    said = SimpleNamespace(question=question, path="runs/a.csv", line=line, names=("task", "q"),
                           prompt=cut(prompt), answer=cut(answer))
    return SimpleNamespace(said=said, outcome=outcome, model="m")


def test_a_prompt_that_all_samples_share_is_said_once():
    found = group_samples(
        [sample(), sample("other", "Who?"), sample(answer=None, outcome=0), sample("other", "How?"),
         sample("third", line=None)], None,
    )
    shared, other, third = (found[name] for name in ("q", "other", "third"))
    assert shared.prompt == Excerpt("Why?") and other.prompt is None
    assert [one.prompt for one in shared.passages] == [None, None]
    assert [one.prompt.start for one in other.passages] == ["Who?", "How?"]
    assert [one.answer for one in shared.passages] == [Excerpt("So."), None]
    assert [one.right for one in shared.passages] == [True, False]
    assert shared.passages[0].where == "a.csv, line 3" and shared.passages[0].link == ""
    assert third.passages[0].where == "a.csv, ('task', 'q')"


def test_a_page_is_filled_until_it_is_full():
    texts = {name: Samples(name, Excerpt("x" * 6)) for name in "abc"}
    rows = [Question(name, "flaky", [(1, 2), None, (3, 4)]) for name in "abcd"]
    table = Questions(["m", "n", "o"], rows, {}, {})
    filling = Filling(texts, 12)
    (fold,) = fill_blocks([Fold("Every", [Text("before"), table])], filling)
    before, note, filled = fold.blocks
    assert [bool(row.samples) for row in filled.rows] == [True, True, False, False]
    assert filled.rows[0].samples.total == 6 and filled.rows[0].samples.opened is False
    assert (filling.given, filling.refused, filling.room) == (2, 1, 0)
    assert before.text == "before" and note.text == texts_sentence(filling)
    assert "Texts of the first 2 of 3 questions: a page holds 3,000,000 characters" in note.text
    assert texts_sentence(Filling(texts, 12)).endswith("long texts cut.")


def test_a_question_alone_is_open():
    alone, texts = Samples("a", total=4), {"a": Samples("a", Excerpt("x"))}
    (filled,) = fill_blocks([alone], Filling(texts, 9))
    assert filled.opened and filled.total == 4 and filled.prompt == Excerpt("x")
    assert fill_blocks([alone], Filling({}, 9)) == [alone]
    table = Questions(["m"], [Question("z", "flaky", [(1, 2)])], {}, {})
    assert fill_blocks([table], Filling(texts, 9)) == [table]


# Weights and methods.


@pytest.mark.parametrize(
    "declared, range_said, methods_said",
    [
        (
            True,
            "CIs for new questions hold for weights up to 3.5, as declared.",
            "3.5, as declared.",
        ),
        (
            False,
            "Where new questions may weigh more than 3.5, the largest weight seen, declare it with "
            "largest_weight; without it their CIs are approximate.",
            "3.5, the largest seen (approximate).",
        ),
    ],
)
def test_weights_of_questions(declared, range_said, methods_said):
    found = Weighted("points", 12.345, 3.5, declared)
    assert weighting_clause(found) == "weighted by points (worth 12.3 questions of equal weight)"
    assert spell(max_weight_sentence(found)) == range_said
    assert explain_weights(found).endswith(f"with weights up to {methods_said}")
    for say in weighting_clause, max_weight_sentence, explain_weights:
        assert say(None) == ""


def evidence(units=40, different=30, effective=20.0):
    return Evidence(units, different, effective, 4.5)


@pytest.mark.parametrize(
    "found, said",
    [
        (evidence(19), "only 19 questions"),
        (evidence(20), "a few questions carry the spread, 20.0 effective of 20"),
        (evidence(1), "only 1 question"),
        (evidence(different=0), "no question differs"),
        (evidence(different=9), "9 of 40 questions differ"),
        (evidence(different=10), "a few questions carry the spread, 20.0 effective of 40"),
        (evidence(effective=0), "all 40 questions differ by the same"),
        (
            evidence(2000, effective=4.44),
            "a few questions carry the spread, 4.4 effective of 2,000",
        ),
    ],
)
def test_why_too_little_stands_behind_t(found, said):
    assert lacking_evidence(found) == said
    assert lacking_evidence(found, "cluster") == said.replace("question", "cluster")
    assert name_deciding("gaffke", "", found) == f"assumption-free: {said}"


@pytest.mark.parametrize(
    "method, test, said",
    [
        ("t", "", "t"),
        ("gaffke", "", "assumption-free"),
        ("gaffke", "exact McNemar test", "exact McNemar"),
        ("t", "exact McNemar test", "t"),
    ],
)
def test_how_an_interval_that_decides_is_called(method, test, said):
    assert name_deciding(method, test) == said


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(), "95 % t (approximate)"),
        (dict(clusters=1), "95 % t over 1 cluster (approximate)"),
        (dict(weighted=True), "95 % t over weighted questions (approximate)"),
        (dict(max_weight=2.5), "95 % t (approximate: assumes no weight above 2.5)"),
        (dict(upper_bound=True),
         "95 % t (approximate, an upper bound: it has the spread of new questions)"),
        (dict(strata=True), "95 % t over strata (approximate)"),
        (dict(exact=True, same_as="other"), "95 % t = other (assumption-free for bounded scores)"),
    ],
)
def test_the_method_of_an_interval(given, said):
    found = Interval(0, 1, 0.95, method=Method("t", **dict(exact=False) | given))
    assert describe_method(found) == said and describe_method(found, False) == said[5:]
    assert describe_method(None) == "none"


# What was read.


@pytest.mark.parametrize(
    "known, said",
    [
        ([], ""),
        ([(0, "raise")], "No sample was missing."),
        ([(1, "wrong"), (0, "drop")], "1 sample had no outcome and was counted as wrong."),
        ([(1, "wrong"), (2, "wrong")], "3 samples had no outcome and were counted as wrong."),
        ([(1, "wrong"), (2, "drop")],
         "3 samples had no outcome and were counted as wrong or excluded."),
        ([(2, "raise")], "2 samples had no outcome and were missing."),
    ],
)
def test_what_missing_samples_count_as(known, said):
    assert define_missing([Missing(count, 9, policy) for count, policy in known]) == said


@pytest.mark.parametrize(
    "missing, said",
    [
        (Missing(0, 8), "no sample missing"),
        (Missing(0, 8, ragged=True), "no outcome missing"),
        (Missing(1, 8), "1 of 8 samples missing (coverage 87.5 %)"),
        (Missing(2, 8, "drop"), "2 of 8 samples missing (coverage 75.0 %), excluded"),
    ],
)
def test_how_many_samples_are_missing(missing, said):
    assert missing_clause(missing) == said


def test_the_size_of_what_was_read():
    one = ReadSummary("table", "a frame", rows=1, columns=dict(question="id"))
    assert describe_input(one) == "read 1 row from a frame: question=id"
    many = ReadSummary("log", files=("a.json",), harness="mine", rows=2, unit="sample")
    assert describe_input(many) == "read 2 samples from a.json (mine)"
    merged = ReadSummary("runs", inputs=(one,))
    assert describe_input(merged) == "added 1 run, 1 row from a frame: question=id"
    assert describe_input(ReadSummary("counts", "a list", rows=1)) == (
        "a list taken as 1 question with one sample each"
    )
