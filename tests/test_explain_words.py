"""Where the sentences on one question turn, and those on the questions that are worth a look, on
data, and on published numbers."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import beta

from sampling_eval import Counts, describe, explain, votes_of
from sampling_eval.analyses.explain.verb import (
    extreme_systems,
    join_tallies,
    listed_side,
    majority_answer,
    mean_scores,
    say_lacking,
    tally_answers,
)
from sampling_eval.analyses.audit.result import PublishedCurve
from sampling_eval.analyses.audit.words import curve_headline, fits_sentences, write_right
from sampling_eval.analyses.describe.words import (
    draw_solved,
    headline,
    make_systems,
    open_choices,
    possible_targets,
    why_impossible,
    write_budgets,
)
from sampling_eval.analyses.explain.result import GAP
from sampling_eval.analyses.explain.shortlist_words import document as list_document
from sampling_eval.analyses.explain.shortlist_words import (
    draw_rows,
    kind_counts,
    order_note,
    page,
    write_row,
)
from sampling_eval.analyses.explain.shortlist_words import methods as list_methods
from sampling_eval.analyses.explain.words import (
    answer_blocks,
    cut_answer,
    document,
    draw_sides,
    effect_blocks,
    make_tally,
    mark_right,
    pick_effects,
    right_of_samples,
    right_or_wrong,
    score_sentences,
    sides_sentence,
    title,
    vote_sentence,
    vote_sentences,
    weight_sentence,
)
from sampling_eval.foundations.answers import Rewards
from sampling_eval.render.blocks import Fold, Grid, Samples, Table


def side(name="", **given):
    known = dict(name=name, n=4, c=3, missing=0, mean_score=0.5, vote=None, scores=None, blank=0,
                 different=None, low=0.2, high=0.99)
    return SimpleNamespace(**known | given)


def effect(of="", **given):
    known = dict(of=of, metric="pass@1", k=1, moved=0.01, mean=0.5, without=0.49, value=0.75,
                 unit="share")
    return SimpleNamespace(**known | given)


def explanation(*sides, rows=(effect(),), **given):
    known = dict(question="q", questions=50, weight=0.02, rows=rows, main="", rank=1, sides=sides,
                 ties="expected", answers=())
    return SimpleNamespace(**known | given)


# One question.


@pytest.mark.parametrize(
    "one, said",
    [
        (side(), "right in 3 of 4 samples"),
        (side(n=1, c=1), "right in 1 of 1 sample"),
        (side(missing=2), "right in 3 of 4 samples (2 missing)"),
        (side(c=None), "scored 0.500 on average in 4 samples"),
    ],
)
def test_how_often_a_system_is_right(one, said):
    assert right_of_samples(one) == said


@pytest.mark.parametrize(
    "sides, said",
    [
        (1, "Question q: m0 right in 3 of 4 samples."),
        (3, "m1 right in 3 of 4 samples, m2 right in 3 of 4 samples."),
        (4, "Question q: 4 models."),
    ],
)
def test_as_many_systems_as_a_sentence_names(sides, said):
    found = explanation(*(side(f"m{i}") for i in range(sides)))
    assert sides_sentence(found).endswith(said)


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(questions=1), "It is the only question."),
        (dict(), "One of 50 questions (2.0 % of the weight). It moves pass@1 most: 50.0 %, "
                 "without it 49.0 %."),
        (dict(rows=(effect(moved=0.0),)), "weight). Every mean would be the same without it."),
        (dict(rows=(effect(moved=None),)), "Every mean would be the same without it."),
        (dict(rows=(effect(), effect(metric="pass@2", moved=-0.02))), "It moves pass@2 most"),
        (dict(rows=(effect("other", moved=0.5), effect())), "It moves pass@1 most"),
    ],
)
def test_what_a_question_weighs(given, said):
    assert weight_sentence(explanation(side(), **given)).endswith(said) or said in weight_sentence(
        explanation(side(), **given)
    )


@pytest.mark.parametrize(
    "rows, rank, said",
    [
        ([effect(GAP)], 1, "It adds +1.5 points to B - A in pass@1 (no question adds more):"),
        ([effect(GAP)], 3, "in pass@1 (rank 3 by size): "),
        ([effect(GAP, value=0.0)], 1, "It adds nothing to B - A in pass@1."),
        ([effect(GAP), effect(GAP, metric="pass@4", moved=0.1)], 1, " It moves pass@4 most: "),
    ],
)
def test_what_a_question_adds_to_a_difference(rows, rank, said):
    found = explanation(side("A"), side("B"), rows=rows, rank=rank, main=GAP)
    assert said in weight_sentence(found)
    assert weight_sentence(found).count("It moves") == (len(rows) > 1)


def vote(**given):
    known = dict(tied=1, samples=3, answer="x", right=1.0)
    return SimpleNamespace(**known | given)


@pytest.mark.parametrize(
    "given, blank, ties, said",
    [
        (dict(), 0, "expected", 'a vote of all 4 samples is right: 3 say "x".'),
        (dict(right=0.0), 0, "expected", "samples is wrong: 3 say"),
        (dict(right=0.5), 0, "expected", 'samples: 3 say "x", right in 50.0 % of them.'),
        (dict(), 2, "expected", "all 4 samples (2 without an answer) is right"),
        (dict(tied=2, right=1.0), 0, "expected", "ties 2 answers, 1 of them right; maj@k shares"),
        (dict(tied=2, right=1.0), 0, "wrong", "maj@k gives nothing for a tie."),
    ],
)
def test_what_a_vote_says(given, blank, ties, said):
    assert said in vote_sentence(side(vote=vote(**given), blank=blank), ties)


@pytest.mark.parametrize(
    "sides, told",
    [
        ([side(vote=vote())], ["A vote of"]),
        ([side("m", vote=vote())], ["m: a vote of"]),
        ([side(vote=vote(), n=1)], []),
        ([side()], []),
        ([side("a", vote=vote()), side("b", vote=vote())], ["a: a vote", "b: a vote"]),
        ([side(name, vote=vote()) for name in "abc"], []),
    ],
)
def test_votes_of_one_or_two_systems(sides, told):
    found = list(vote_sentences(explanation(*sides)))
    assert len(found) == len(told) and all(a.startswith(b) for a, b in zip(found, told))


def scores(low=0.0, high=1.0, mean=0.75, best=None):
    return SimpleNamespace(low=low, high=high, mean=mean, median=0.5, best_right=best)


@pytest.mark.parametrize(
    "sides, told",
    [
        # The outcomes are these scores, and are told already.
        ([side(scores=scores())], []),
        ([side(scores=scores(mean=0.5))], ["Scores 0.000 to 1.000"]),
        ([side(scores=scores(), c=None)], ["Scores 0.000 to 1.000"]),
        ([side(scores=scores(low=0.5))], ["Scores 0.500 to 1.000"]),
        ([side("m", scores=scores(high=0.9, best=True))], ["m: scores"]),
        ([side(name, scores=scores(high=0.9)) for name in "abc"], []),
    ],
)
def test_the_spread_of_scores(sides, told):
    found = list(score_sentences(explanation(*sides)))
    assert len(found) == len(told) and all(a.startswith(b) for a, b in zip(found, told))


def test_whether_the_highest_score_is_right():
    for best, end in (True, "; the highest is right."), (False, "; the highest is wrong."):
        (told,) = score_sentences(explanation(side(scores=scores(high=0.9, best=best))))
        assert told.endswith(end)


def answer(text="x", right=(1.0,), samples=(3,)):
    return SimpleNamespace(answer=text, right=right, samples=samples, total=sum(samples), length=1)


@pytest.mark.parametrize(
    "names, heads",
    [
        (["a"], ["samples"]),
        (["a", "b"], ["a", "b"]),
        # 80 columns less 44 of the answer, 5 of "right" and their gaps leave 27 for two names.
        (["x" * 11, "y" * 12], ["x" * 11, "y" * 12]),
        (["x" * 12, "y" * 12], ["samples"]),
    ],
)
def test_a_column_for_each_system_where_there_is_room(names, heads):
    found = explanation(*map(side, names))
    one = answer(right=(1.0,) * len(names), samples=(3,) * len(names))
    table = make_tally(found, [one])
    assert table.head == ["answer", *heads, "right"]
    assert table.rows[0][1] == ("3" if heads != ["samples"] else str(3 * len(names)))


@pytest.mark.parametrize("different, more", [(None, 0), (2, 0), (3, 1)])
def test_answers_that_were_not_kept_are_counted(different, more):
    found = explanation(side(different=different), answers=[answer(), answer("y")])
    assert len(answer_blocks(found, 8)) == 1 + more and len(answer_blocks(found, 1)) == (
        1 + (different is not None)
    )
    assert answer_blocks(explanation(side()), 8) == []


def test_shares_are_drawn_where_there_are_outcomes():
    (drawn,) = draw_sides(explanation(side("m")))
    assert [(one.label, one.said, one.value) for one in drawn.lines] == [("m", "3 of 4", 0.75)]
    assert draw_sides(explanation(side(c=None))) == [] == draw_sides(explanation(side(n=0, c=0)))
    assert draw_sides(explanation(side("a"), side("b"), rows=(effect(GAP),))) == []


# Questions that are worth a look.


def shortlist(size, order="flaky", names=("",), right=1):
    listed = [
        SimpleNamespace(
            question=f"q{i}", sides=[SimpleNamespace(right=right, samples=4) for _ in names]
        )
        for i in range(size)
    ]
    rows = [{"question": f"q{i}", "right": 1, "samples": 4} for i in range(size)]
    counts = dict(flaky=size, never=0, always=1, differ=size, higher=1, lower=2, equal=3)
    return SimpleNamespace(
        listed=listed, rows=rows, order=order, counts=counts, questions=50, names=names, notes=(),
        read={}, metric="pass@1", unit="share", title="",
    )


@pytest.mark.parametrize("size, tables, folded", [(0, 0, 0), (1, 1, 0), (8, 1, 0), (9, 1, 1)])
def test_as_many_questions_as_are_shown_without_a_click(size, tables, folded):
    blocks = list_document(shortlist(size))
    assert sum(isinstance(one, Table) for one in blocks) == tables
    named = [one for one in blocks if isinstance(one, Fold) and "listed" in one.summary]
    assert len(named) == folded and (not folded or named[0].summary == f"All {size} listed")
    folds = [one.summary for one in page(shortlist(size)) if isinstance(one, Fold)]
    assert ("The other 1 listed" in folds) is bool(folded)


def test_tries_are_drawn_where_all_are_outcomes():
    assert len(list(draw_rows(shortlist(3)))) == 3
    assert list(draw_rows(shortlist(3, right=None))) == []
    assert len(list(draw_rows(shortlist(3, right=0)))) == 3


@pytest.mark.parametrize(
    "order, names, said",
    [
        ("flaky", ("",), "50 questions: 2 flaky, 0 never right, 1 always right."),
        ("graded", ("",), "50 questions with graded scores."),
        ("scores", ("",), "50 questions with scores."),
        ("spread", ("a", "b", "c"), "50 questions: 2 separate the 3 models in pass@1."),
        ("difference", ("a", "b"), "higher than a in pass@1 on 1, lower on 2, equal on 3."),
    ],
)
def test_kinds_of_questions(order, names, said):
    assert kind_counts(shortlist(2, order, names)).endswith(said)


def test_cells_of_a_question():
    one = {"question": "q", "right": 1, "samples": 4}
    assert write_row(one, shortlist(1)) == dict(question="q", right="1 of 4")
    graded = {"question": "q", "mean score": 0.5, "samples": 4}
    assert list(write_row(graded, shortlist(1, "graded"))) == ["question", "mean score"]
    two = {"question": "q", "right A": 1, "samples A": 4, "right B": 2, "samples B": 8, GAP: 0.1,
           "adds": 0.01}
    told = write_row(two, shortlist(1, "difference", ("a", "b")))
    assert list(told) == ["question", "a", "b", "difference", "adds"] and told["b"] == "2 of 8"


# Data.


@pytest.mark.parametrize(
    "budgets, text",
    [
        ([], "all n"),
        ([1], "1"),
        ([1, 2], "1, 2"),
        ([1, 2, 3], "1 to 3"),
        ([2, 3, 4], "2 to 4"),
        ([1, 2, 4], "1, 2, 4"),
        ([1, 2, 4, 8, 16, 32], "1, 2, 4, 8, 16, 32"),
        ([1, 2, 4, 8, 16, 32, 64], "1, 2, 4, ..., 64"),
    ],
)
def test_budgets_that_are_possible(budgets, text):
    assert write_budgets(budgets) == text


def system(model="m", **given):
    known = dict(model=model, group="", questions=20, fewest=4, most=4, right=9, missing=0,
                 answers=None, scored=None, clusters=None, solved=(1, 2, 3, 4, 10))
    return SimpleNamespace(**known | given)


def data(*systems, missing=None, unbiased=2, **given):
    read = None if missing is None else SimpleNamespace(missing=missing)
    known = dict(systems=systems, whole=systems, unbiased_k=unbiased, read=read, metrics=(),
                 title="run.csv")
    return SimpleNamespace(**known | given)


@pytest.mark.parametrize(
    "systems, unbiased, said",
    [
        ([system()], 2, ["these 20 are the sample.", "unbiased for k up to 2"]),
        ([system(), system(questions=2)], 1, ["these 2 are the sample.", "up to 1"]),
        ([system(questions=1)], 0, ["a single question says almost nothing", "one sample only."]),
    ],
)
def test_what_intervals_can_be_about(systems, unbiased, said):
    told = list(possible_targets(data(*systems, unbiased=unbiased)))
    assert len(told) == 2 and all(a in b for a, b in zip(said, told))


@pytest.mark.parametrize(
    "systems, missing, said",
    [
        ([system()], None, []),
        ([system()], (0, "raise"), []),
        ([system()], (1, "raise"), ["1 sample has no outcome; choose missing"]),
        ([system()], (2, "raise"), ["2 samples have no outcome; choose missing"]),
        ([system()], (2, "wrong"), []),
        ([system(fewest=3)], None, ["questions have 3 to 4 samples; if 4 were drawn of each"]),
        ([system(), system(most=5)], None, ["questions have 4 to 5 samples"]),
    ],
)
def test_what_score_has_to_be_told(systems, missing, said):
    found = None if missing is None else SimpleNamespace(count=missing[0], policy=missing[1])
    told = list(open_choices(data(*systems, missing=found)))
    assert len(told) == len(said) and all(b.replace("\0", "").startswith(a[:20]) for a, b in
                                          zip(said, told))


@pytest.mark.parametrize(
    "systems, possible, said",
    [
        (1, 2, "run.csv: 20 questions, 4 samples each; 2 of 3 metrics possible."),
        (2, 3, "run.csv: 2 models, 20 questions, 4 samples each; 3 of 3 metrics possible."),
    ],
)
def test_the_size_of_data(systems, possible, said):
    metrics = [SimpleNamespace(possible=i < possible) for i in range(3)]
    assert headline(data(*[system()] * systems, metrics=metrics)) == said


def test_reasons_of_metrics_are_told_once():
    metrics = [
        SimpleNamespace(metric="maj@k", possible=False, reason="no answers", part=""),
        SimpleNamespace(metric="cons@k", possible=True, reason="", part=""),
        SimpleNamespace(metric="vote@k", possible=False, reason="no answers", part=""),
    ]
    assert why_impossible(data(system(), metrics=metrics)) == [
        "Not possible: maj@k and vote@k (no answers)."
    ]


def test_columns_without_anything_are_left_out():
    table = make_systems(data(system("m"), system("n", answers=3)))
    assert table.head == ["model", "questions", "samples each", "right", "missing", "answers"]
    assert table.rows[0][-1] == "-" and table.rows[1][-1] == "3"


@pytest.mark.parametrize(
    "solved, models, drawn",
    [
        ([(1, 2, 3)], 1, 1),
        ([(1, 2)], 1, 0),
        ([(1, 2, 3), (1, 2, 3, 4)], 2, 1),
        ([(), (1, 2, 3)], 2, 0),
    ],
)
def test_questions_that_are_solved_so_often(solved, models, drawn):
    found = draw_solved(data(*(system(questions=sum(one) or 1, solved=one) for one in solved)))
    assert len(found) == drawn
    if drawn:
        # Of 6 questions 5 are right at least once, and 3 twice.
        (series, *more) = found[0].series
        assert series.value == [5 / 6, 3 / 6] and not more


# Published numbers.


def number(**given):
    known = dict(text="0.843", right_least=25, right_most=26, total=30, questions=30, near=(),
                 tried=0, fits=(), samples=1, apart=SimpleNamespace(low=0.6, high=0.9))
    return SimpleNamespace(**known | given)


def test_counts_that_fit_a_number():
    assert write_right(number()) == "25-26/30" and write_right(number(right_most=25)) == "25/30"


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(right_most=25), []),
        (dict(), ["0.843 is rounded: 25 to 26 of 30 right all give it"]),
        (dict(right_most=25, near=(25, 26)), ["No count of 30 questions with one sample each"]),
        (dict(right_most=25, tried=4, fits=(1, 2, 3, 4)), []),
        (dict(right_most=25, tried=4, fits=(2, 3)), ["fits 2 and 3 of 1 to 4 samples"]),
        (dict(right_most=25, samples=2), ["how alike the samples of a question are is unknown"]),
    ],
)
def test_what_a_number_leaves_open(given, said):
    told = list(fits_sentences(number(**given)))
    assert len(told) == len(said)
    assert all(a in b or "fits" in a and "fits" in b for a, b in zip(said, told))


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(possible=True), "Possible: the samples of one log can give the 2 values."),
        (dict(family="pass@k", bend=(1, 2)), "Impossible: pass@k falls from k = 1 to 2"),
        (dict(family="pass^k", bend=(1, 2)), "Impossible: pass^k rises from k = 1 to 2"),
        (
            dict(family="pass@k", bend=(1, 2, 4), gains=(0.01, 0.03)),
            "pass@k gains 3.0 points a sample from k = 2 to 4, and only 1.0 points from 1 to 2.",
        ),
        (dict(family="pass^k", bend=(1, 2, 4), gains=(-0.01, -0.03)), "pass^k loses 3.0 points"),
        (dict(miss=0.02), "no log gives the 2 values together; they miss by 2.0 points"),
        (dict(), "no counts of 30 questions are rounded to the 2 values."),
        (dict(stated=True), "no counts of 30 questions with 4 samples each are rounded"),
    ],
)
def test_whether_one_log_can_show_values(given, said):
    values = (None, None)
    known = dict(values=values, possible=False, samples=4, stated=False, questions=30, fits=(),
                 miss=0.0, family="", bend=(), gains=())
    assert said in curve_headline(PublishedCurve(**known | given))


def test_answers_of_a_question_in_their_order():
    "The most frequent first; of equals by text, and no answer last."
    samples = [["b", None, "a", "c", "c"], [None, "z"]]
    votes = votes_of(samples, [[1, 0, 0, 0, 0], [0, 1]], no_answer="vote")
    counts = Counts([5, 2], [1, 1], votes=votes)
    assert list(tally_answers(counts, 0).items()) == [
        ("c", (2, False)),
        ("a", (1, False)),
        ("b", (1, True)),
        (None, (1, False)),
    ]
    assert tally_answers(Counts([5], [1]), 0) is None


# Metrics of one question.


def names_of(rows):
    return [one.metric for one in rows]


@pytest.mark.parametrize(
    "metrics, kept",
    [
        ([f"pass@{k}" for k in range(1, 9)], [f"pass@{k}" for k in range(1, 9)]),
        ([f"pass@{k}" for k in range(1, 10)], ["pass@1", "pass@9"]),
        (
            [*(f"pass@{k}" for k in range(1, 6)), *(f"pass^{k}" for k in range(1, 6)), "avg@5"],
            ["pass@1", "pass@5", "pass^5"],
        ),
        (
            [*(f"pass@{k}" for k in range(2, 6)), *(f"pass^{k}" for k in range(1, 6)), "avg@5"],
            ["pass@5", "pass^5", "avg@5"],
        ),
    ],
)
def test_metrics_that_are_shown_without_a_click(metrics, kept):
    assert names_of(pick_effects([effect(metric=name) for name in metrics])) == kept


def test_metrics_of_one_system_beside_all_questions():
    score = effect(metric="mean@4", unit="score", value=3.0, mean=2.5, without=2.4, moved=0.1)
    (table,) = effect_blocks(explanation(side()), [effect(), score])
    assert table.head == ["metric", "this question", "all questions", "without it", "moved by"]
    assert table.rows == [
        ["pass@1", "75.0 %", "50.0 %", "49.0 %", "+1.0"],
        ["mean@4", "3.000", "2.500", "2.400", "+0.100"],
    ]


def test_metrics_of_two_systems_with_their_difference():
    rows = [effect("a"), effect("b", value=0.25), effect(GAP, value=-0.5, mean=-0.1, without=0.0)]
    (table,) = effect_blocks(explanation(side("a"), side("b")), rows)
    assert table.head == ["metric", "a", "b", "difference", "all questions", "without it"]
    assert table.rows == [["pass@1", "75.0 %", "25.0 %", "-50.0", "-10.0", "0.0"]]


def test_metrics_of_several_systems_side_by_side():
    sides = side("a"), side("b", c=None), side("c", c=0)
    rows = [effect(one.name, metric=name) for name in ("pass@1", "pass@2") for one in sides]
    (grid,) = effect_blocks(explanation(*sides), rows)
    assert isinstance(grid, Grid) and grid.columns == ("pass@1", "pass@2")
    assert [line.meaning for line in grid.lines] == [
        "3 of 4 right", "4 samples", "0 of 4 right",
    ]
    assert (grid.lines[0].cells[0].value, grid.lines[0].cells[0].intervals) == (
        "75.0 %", ("50.0 %",),
    )


def test_the_mean_that_a_question_moves_most_of_several():
    sides = side("a"), side("b"), side("c")
    found = explanation(*sides, rows=[effect("a")], main="a")
    assert weight_sentence(found).endswith("It moves pass@1 of a most: 50.0 %, without it 49.0 %.")
    gap = [effect(GAP, moved=0.01), effect(GAP, metric="pass@2", moved=0.2, mean=0.5)]
    told = weight_sentence(explanation(side("a"), side("b"), rows=gap, main=GAP))
    assert told.endswith("It moves pass@2 most: +50.0 points, without it +49.0 points.")
    assert "It adds +1.5 points to b - a in pass@1 (no question adds more): +50.0 points" in told


@pytest.mark.parametrize(
    "answers, metrics, folds",
    [
        (8, 8, ["Methods"]),
        (9, 8, ["All answers", "Methods"]),
        (8, 9, ["All metrics", "Methods"]),
        (0, 1, ["Methods"]),
    ],
)
def test_what_is_folded(answers, metrics, folds):
    rows = tuple(effect(metric=f"pass@{k}") for k in range(1, metrics + 1))
    found = explanation(
        side(), rows=rows, answers=[answer(str(i)) for i in range(answers)], notes=("Mind",),
        read={}, title="",
    )
    blocks = document(found)
    assert [one.summary for one in blocks if isinstance(one, Fold)] == folds
    (samples,) = (one for one in blocks if isinstance(one, Samples))
    assert samples.total == 4 and "Mind." in [getattr(one, "text", "") for one in blocks]
    assert title(found) == "Question q"


@pytest.mark.parametrize(
    "right, mark",
    [(True, "✓"), (False, "✗"), (1.0, "✓"), (0.0, "✗"), (0.5, "50.0 %")],
)
def test_a_mark_or_a_share(right, mark):
    assert mark_right(right) == mark


def test_long_answers_are_cut():
    assert cut_answer(None) == "no answer" and cut_answer("x" * 44) == "x" * 44
    assert len(cut_answer("x" * 45)) == 44


@pytest.mark.parametrize(
    "order, first, how",
    [
        ("flaky", "Closest to half right first.", "A flaky question is right in some of its"),
        ("graded", "Means closest to 0.5 first.", "Mean score: over the samples of"),
        ("scores", "Lowest means first.", "Mean score: over the samples of"),
        ("difference", "Largest differences first.", "Adds: the difference on the question divided"
                                                     " by 50 questions."),
        ("spread", "Widest spread first.", "A flaky question is right in some"),
    ],
)
def test_in_which_order_questions_are_listed(order, first, how):
    assert order_note(shortlist(1, order)) == first
    assert order_note(shortlist(0, order)) == "No question is worth a look."
    assert list_methods(shortlist(1, order)).startswith(how)


def test_cells_of_graded_scores_and_of_extremes():
    graded = {"question": "q", "mean score": 0.5, "samples": 4}
    assert write_row(graded, shortlist(1, "graded"))["mean score"] == "0.500 in 4"
    wide = {"question": "q", "lowest": 0.25, "lowest of": "a", "highest": 1.0, "highest of": "c"}
    assert write_row(wide, shortlist(1, "spread", ("a", "b", "c"))) == {
        "question": "q", "lowest": "25.0 %", "lowest of": "a", "highest": "100.0 %",
        "highest of": "c",
    }


# What a question holds.


@pytest.mark.parametrize(
    "tally, told",
    [
        (None, None),
        ({}, None),
        (dict(a=(3, True), b=(1, False)), ("a", 3, 1, 1)),
        (dict(a=(2, 0.25), b=(2, True), c=(1, True)), ("a", 2, 2, 1.25)),
        ({None: (2, False)}, (None, 2, 1, 0)),
    ],
)
def test_the_answer_that_wins_a_vote(tally, told):
    found = majority_answer(tally)
    assert (found and (found.answer, found.samples, found.tied, found.right)) == told


def test_answers_of_several_systems():
    found = join_tallies([dict(b=(1, True), a=(2, False)), None, {"c": (2, True), None: (2, 0)}])
    assert [(one.answer, one.samples, one.right, one.length, one.total) for one in found] == [
        ("a", (2, None, 0), (False, None, None), 1, 2),
        ("c", (0, None, 2), (None, None, True), 1, 2),
        (None, (0, None, 2), (None, None, 0), 0, 2),
        ("b", (1, None, 0), (True, None, None), 1, 1),
    ]
    many = join_tallies([{f"{i:02}": (1, True) for i in range(60)}])
    assert [one.answer for one in many] == [f"{i:02}" for i in range(50)]
    (long,) = join_tallies([{"x" * 1001: (1, True)}])
    assert len(long.answer) == 1000 and long.length == 1001


def test_systems_without_answers_are_named():
    votes = votes_of([["a"]], [[1]])
    voted, bare = Counts([1], [1], votes=votes), Counts([1], [1])
    assert list(say_lacking(dict(a=voted, b=bare), "no column")) == ["No answers of b: no column."]
    assert list(say_lacking(dict(a=bare, b=bare), "no column")) == ["No answers: no column."]
    assert list(say_lacking(dict(a=voted), "no column")) == []
    assert list(say_lacking(dict(a=bare), "")) == []


def test_the_first_of_equal_systems_is_an_extreme():
    values = [SimpleNamespace(table=np.array([[one]]), state=[0]) for one in (0.5, 0.2, 0.5, 0.2)]
    found = extreme_systems(0, list("abcd"), [SimpleNamespace(values=values)])
    assert found == dict(low=0.2, low_of="b", high=0.5, high_of="a")


GRADED = [
    dict(question=q, score=s) for q, own in dict(a=(0.9, 0.5), b=(0.1, 0.3), c=(0.4, 0.6)).items()
    for s in own
]


def test_graded_scores_closest_to_half_first():
    found = explain(GRADED)
    assert found.order == "graded" and found.counts == {}
    rows = {row["question"]: row["mean score"] for row in found.rows}
    assert list(rows) == ["c", "a", "b"] and rows == pytest.approx(dict(a=0.7, b=0.2, c=0.5))
    assert all(row["samples"] == 2 for row in found.rows)


def test_the_scores_of_one_question():
    rows = [
        dict(question="a", score=s, correct=c)
        for s, c in ((3.0, 1), (1.0, 0), (3.0, 0), (5.0, 1), (5.0, 1))
    ]
    rows += [dict(question="b", score=2.0, correct=1), dict(question="b", score=2.0, correct=0)]
    one, two = (explain(rows, name).sides[0] for name in "ab")
    told = one.scores
    assert (told.samples, told.low, told.median, told.high, told.best_right) == (5, 1, 3, 5, True)
    assert told.mean == pytest.approx(17 / 5)
    # One of the best-scored samples is wrong.
    assert two.scores.best_right is False


def test_an_answer_that_was_judged_both_ways():
    rows = [dict(question="a", answer=a, correct=c) for a, c in
            (("7", 1), ("7", 0), ("7", 1), ("8", 0), ("9", 1), (None, 0))]
    found = explain(rows, "a", no_answer="vote", conflict="mean")
    told = {one.answer: one.right for one in found.answers}
    assert told["7"] == (pytest.approx(2 / 3),) and told["8"] == (False,) and told["9"] == (True,)
    assert type(told["8"][0]) is type(told["9"][0]) is bool
    (side_,) = found.sides
    assert (side_.different, side_.n, side_.c) == (4, 6, 3)
    assert (side_.interval.level, side_.interval.method.exact) == (0.95, True)
    assert side_.interval.method.name == "clopper-pearson"
    assert (side_.low, side_.high) == pytest.approx((beta.ppf(0.025, 3, 4), beta.ppf(0.975, 4, 3)))


def test_samples_without_an_answer_do_not_vote():
    rows = [dict(question="a", answer=a, correct=c)
            for a, c in (("7", 1), (None, 0), ("", 0), ("8", 0))]
    (side_,) = explain(rows, "a", no_answer="abstain").sides
    assert side_.blank in (1, 2) and side_.vote.tied == 2 and side_.vote.samples == 1


def test_nobody_says_whether_an_answer_is_right():
    assert right_or_wrong(SimpleNamespace(right=(None,)), ["a"]) == "✗"
    assert right_or_wrong(SimpleNamespace(right=(True, None)), ["a", "b"]) == "✓"


def test_pictures_show_the_mean_of_single_samples():
    rows = (effect("a", mean=0.4), effect("b", mean=0.6), effect("a", k=2, mean=0.9),
            effect("a", k=1, mean=3.0, unit="score", metric="max@1"))
    (drawn,) = draw_sides(explanation(side("a"), side("b", c=1), rows=rows))
    assert [(one.label, one.limit, one.colour) for one in drawn.lines] == [
        ("a", 0.4, 0), ("b", 0.6, 1),
    ]


def test_equal_scores_keep_the_order_of_the_questions():
    rows = [dict(question=f"q{q:02}", score=float(q % 2) + 3) for q in range(40)]
    found = explain(rows, metrics="mean@n")
    assert [one.question for one in found.listed] == [
        f"q{q:02}" for half in (range(0, 40, 2), range(1, 40, 2)) for q in half
    ]


def test_several_systems_are_compared_in_the_first_metric():
    "All three solve `even` in two samples, and not as often in one."
    right = dict(even=(1, 2, 1), apart=(0, 0, 2), same=(2, 2, 2))
    rows = [dict(model=f"m{m}", question=name, correct=int(s < c))
            for name, own in right.items() for m, c in enumerate(own) for s in range(2)]
    found = explain(rows, metrics=["pass@2", "pass@1"])
    (one,) = found.listed
    assert (one.question, one.low, one.high, one.high_of) == ("apart", 0, 1, "m2")
    assert one.low_of == "m0" and found.metric == "pass@2" and found.counts == dict(differ=1)
    other = explain(rows, metrics=["pass@1", "pass@2"])
    assert [one.question for one in other.listed] == ["apart", "even"]


def test_the_mean_score_of_a_question_without_any():
    rewards = Rewards([0, 0, 1], [1.0, 4.0, np.nan], questions=["a", "b"])
    counts = Counts([2, 1], None, ["a", "b"], rewards=rewards)
    with np.errstate(invalid="ignore"):
        found = mean_scores(counts)
        assert found[0] == 2.5 and np.isnan(found[1])
        told = listed_side(counts, 0)
    assert (told.right, told.samples, told.mean_score) == (None, 2, 2.5)
    assert mean_scores(Counts([2], [1])) is None


# What data support.


@pytest.mark.parametrize(
    "n, c, solved",
    [
        ([2, 2, 2], [0, 1, 1], (1, 2, 0)),
        ([1, 1], [0, 1], ()),
        ([2, 3], [0, 1], ()),
        ([256, 256], [0, 256], (1, *[0] * 255, 1)),
        ([257, 257], [0, 257], ()),
    ],
)
def test_questions_by_their_right_samples(n, c, solved):
    (one,) = describe(Counts(n, c)).systems
    assert one.solved == solved and one.right == sum(c) and one.missing == 0


def test_budgets_that_all_models_reach():
    rows = [dict(model=m, question=q, correct=q % 2) for m, n in (("a", 4), ("b", 6))
            for q in range(3) for _ in range(n)]
    found = {one.metric: one for one in describe(rows).metrics}
    assert found["pass@k"].budgets[-1] == 4 and found["pass@k"].possible
    assert "2 models, 3 questions, 4 to 6 samples each" in str(describe(rows))


@pytest.mark.parametrize("models, series", [(6, 6), (7, 6)])
def test_as_many_models_as_a_picture_of_solved_questions_holds(models, series):
    found = draw_solved(data(*(system(f"m{i}") for i in range(models))))
    assert len(found[0].series) == series and found[0].label == "questions"
    assert found[0].series[0].said[0] == "m0 at least 1 of 4 right: 95.0 % of questions"


def test_a_table_that_cannot_be_read_has_a_fault_and_a_title():
    odd = dict(nr=[1, 1, 2, 2], verdict=[0, 1, 1, 0], task=["x"] * 4, text=list("aabb"))
    found = describe(odd, by="task", missing="wrong", cluster="text")
    assert found.fault and found.title == "this dict"
