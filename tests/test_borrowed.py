"A new run of some questions beside an earlier run of all: numbers in fractions, words, refusals."

from fractions import Fraction
from math import comb

import pytest

from sampling_eval import Counts, mean_over_questions, Report, score
from sampling_eval.analyses.addons.borrowed import folds, sentences

OLD = Counts([3] * 6, [0, 1, 2, 3, 1, 2], [f"q{q}" for q in range(6)])
NEW = Counts([4, 4, 4], [2, 1, 4], ["q4", "q1", "q3"])
PLACES = 4, 1, 3


def share(n, c, k):
    "pass@k of one question."
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def squared(n, c, k):
    "Without bias, the square of the chance that one of k samples is right; n >= 2k."
    return 1 - 2 * Fraction(comb(n - c, k), comb(n, k)) + Fraction(comb(n - c, 2 * k),
                                                                  comb(n, 2 * k))


def shares(counts, k):
    return [share(n, c, k) for n, c in zip(counts.n.tolist(), counts.c.tolist())]


def mean(values):
    return sum(values) / len(values)


@pytest.fixture(scope="module")
def report():
    return score(NEW, ["pass@k", "avg@n"], earlier=OLD, confidence_level=0.8)


@pytest.mark.parametrize("metric, k", [("pass@1", 1), ("pass@2", 2), ("pass@3", 3), ("avg@4", 1)])
def test_the_earlier_run_fills_what_was_not_run(report, metric, k):
    row = next(row for row in report.borrowed.rows if row.metric == metric)
    old, new = shares(OLD, k), shares(NEW, k)
    gaps = [one - old[place] for one, place in zip(new, PLACES)]
    assert row.raw == pytest.approx(float(mean(new)), abs=1e-14)
    assert row.earlier == pytest.approx(float(mean(old)), abs=1e-14)
    assert row.estimate == pytest.approx(float(mean(old) + mean(gaps)), abs=1e-14)
    spread = sum((gap - mean(gaps)) ** 2 for gap in gaps) / 2
    variance = spread / 3
    if 2 * k <= 4:
        noise = [share(4, c, k) ** 2 - squared(4, c, k) for c in NEW.c.tolist()]
        variance = (1 - Fraction(3, 6)) * spread / 3 + mean(noise) / 6
    assert row.stderr == pytest.approx(float(variance) ** 0.5, rel=1e-12)
    own = mean_over_questions([float(one) for one in new]).confidence_interval(0.8)
    assert (row.raw_interval.low, row.raw_interval.high) == pytest.approx((own.low, own.high))
    assert (row.interval.level, row.interval.target) == (0.8, "same_questions")
    assert (row.target, row.raw_target) == ("same_questions", "new_questions")


def test_budgets_are_those_of_both_runs(report):
    found = report.borrowed
    assert [row.metric for row in found.rows] == ["pass@1", "pass@2", "pass@3", "avg@4"]
    assert (found.sampled, found.questions) == (3, 6)
    assert Report.from_json(report.to_json()).borrowed == found


def test_metrics_of_scores_are_not_borrowed():
    old, new = (
        [
            dict(question=q, correct=int(s < right), score=(q + s) % 3 / 2)
            for q, right in enumerate(rights)
            for s in range(2)
        ]
        for rights in ([0, 1, 2, 1], [1, 1, 2])
    )
    given = dict(correct="correct", score="score")
    found = score(new, ["max@1", "pass@1"], earlier=old, **given).borrowed
    assert [row.metric for row in found.rows] == ["pass@1"]


def test_what_was_borrowed_in_words(report):
    first, found = report.borrowed.rows[0], report.borrowed
    (said,) = sentences(found, 0.8)
    ends = f"{100 * first.low:.1f} to {100 * first.high:.1f} %"
    raw = f"{100 * first.raw_interval.low:.1f} to {100 * first.raw_interval.high:.1f} %"
    assert said.startswith("Estimated on all 6 questions of the earlier run: pass@1 ")
    assert f"pass@1 {100 * first.estimate:.1f} % (80 % CI {ends}, same questions, gaffke" in said
    assert f"the 3 that were run alone: {100 * first.raw:.1f} % ({raw}, new questions" in said
    (table,) = folds(found)
    assert [row[0] for row in table.rows] == ["pass@1", "pass@2", "pass@3", "avg@4"]
    assert list(table.rows[1][1::2]) == [
        f"{100 * found.rows[1].raw:.1f} %",
        f"{100 * found.rows[1].estimate:.1f} %",
        "gaffke on differences",
    ]
    assert [row[-1] for row in table.rows] == [f"{100 * row.earlier:.1f} %" for row in found.rows]


GRADED = Counts([2] * 6, None, OLD.questions, score_sum=[0.5, 1, 2, 0, 1, 1.5])
MODELS = [dict(model=m, question=q, correct=q % 2) for m in "ab" for q in range(4)]
ONE = [dict(question=q, correct=q % 2) for q in range(4)]


@pytest.mark.parametrize(
    "new, old, said",
    [
        (NEW, GRADED, "earlier needs outcomes, right or wrong"),
        (GRADED, OLD, "earlier needs outcomes, right or wrong"),
        (MODELS, ONE, "is for one model without groups, got 2 and 1 models or groups"),
        (ONE, MODELS, "is for one model without groups, got 1 and 2 models or groups"),
        (NEW, Counts([3, 3], [1, 2], ["q4", "q9"]), "no 'q1' (2 of 3 are absent)"),
    ],
)
def test_runs_that_lend_nothing(new, old, said):
    with pytest.raises(ValueError) as told:
        score(new, earlier=old)
    assert said in str(told.value)
