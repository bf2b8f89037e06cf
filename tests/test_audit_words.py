"What an audit says: two numbers whose pairing is unknown, values of one log, totals of runs."

from dataclasses import replace

import pytest
from scipy.stats import t as student

from sampling_eval import audit, compare
from sampling_eval.analyses.audit.result import (
    Audit,
    PublishedCurve,
    PublishedDifference,
    PublishedNumber,
    PublishedRuns,
    PublishedValue,
)
from sampling_eval.analyses.audit.words import (
    badge_of,
    bounds_sentence,
    break_sentences,
    curve_document,
    difference_headline,
    document,
    draw_numbers,
    make_table,
    make_whole_table,
    methods,
    number_with_ci,
    pairing_sentences,
    runs_document,
    runs_headline,
    samples_sentences,
    spread_interval,
    spread_verdict,
    title,
)
from sampling_eval.inference.intervals import Interval
from sampling_eval.render.blocks import Fold, Headline, Table, Text


def number(text="0.843", least=25, most=26, questions=30, samples=1, **given):
    total = questions * samples
    known = dict(
        value=(least + most) / 2 / total, least=0.8425, most=0.8435, fits=(samples,), tried=0,
        right_least=least, right_most=most, interval=Interval(0.65, 0.95),
        apart=Interval(0.7, 0.9),
    )
    return PublishedNumber(text, questions=questions, samples=samples, **known | given)


def gap(**given):
    known = dict(value=0.05, interval=Interval(-0.1, 0.2), p=0.3, apart=Interval(0.01, 0.09),
                 p_apart=0.01, verdict="not significant", exact=True)
    return PublishedDifference(**known | given)


def audited(*rows, **given):
    return Audit(rows, 0.95, **given)


# One number, and two.


@pytest.mark.parametrize(
    "row, said",
    [
        (number(), "0.843 (25-26/30): 95 % CI 65.0 to 95.0 %, new questions, 30 questions with 1 "
                   "sample each."),
        (number("26/30", 26), "26/30: 95 % CI 65.0 to 95.0 %, new questions, 30 questions with 1 "
                              "sample each."),
        (number("0.5", 2, 2, 1, 4), "0.5 (2/4): 95 % CI 65.0 to 95.0 %, new questions, 1 question "
                                    "with 4 samples each."),
    ],
)
def test_a_number_with_its_interval(row, said):
    assert number_with_ci(audited(row), row) == said
    assert document(audited(row))[0] == Headline(said)


@pytest.mark.parametrize(
    "given, badge",
    [
        (dict(verdict="significant"), "better"),
        (dict(verdict="significant", value=-0.05), "worse"),
        (dict(), "inconclusive"),
        (dict(verdict="unknown"), "inconclusive"),
    ],
)
def test_a_difference_has_a_badge(given, badge):
    found = gap(**given)
    result = audited(number("0.80"), number("0.85"), difference=found)
    assert badge_of(found) == badge == document(result)[0].verdict


def test_the_second_number_less_the_first():
    result = audited(number("0.80"), number("0.85", 26), difference=gap())
    assert difference_headline(result, result.difference) == (
        "0.85 (26/30) - 0.80 (25-26/30) = +5.0 points (95 % CI -10.0 to +20.0, unpaired; "
        "p = .300): not significant."
    )
    assert title(result) == "audit of 0.80 and 0.85"
    assert title(replace(result, title="mine")) == "mine"


UNKNOWN = "Pairing is unknown: the CI (exact unconditional) treats"
NOT_EVEN = "It is not even significant as if all samples were independent."
PAIRED = "Paired on the same questions p = .030 at the least (McNemar, no question lost)."


@pytest.mark.parametrize(
    "given, samples, said",
    [
        ({}, 1, [UNKNOWN]),
        (dict(exact=False), 1, ["Pairing is unknown: the CI (score (approximate)) treats"]),
        ({}, 2, [UNKNOWN, NOT_EVEN]),
        (dict(verdict="significant"), 2, [UNKNOWN]),
        (dict(verdict="significant", least_paired=0.03), 1, [UNKNOWN]),
        (dict(least_paired=0.03), 1, [UNKNOWN, PAIRED]),
        (dict(least_paired=0.03), 2, [UNKNOWN, NOT_EVEN, PAIRED]),
        (
            dict(verdict="unknown"),
            2,
            [
                UNKNOWN,
                "As if all samples were independent the CI is +1.0 to +9.0 (p = .010): whether the "
                "difference is significant takes the logs.",
            ],
        ),
        (
            dict(verdict="unknown", least_paired=0.03),
            1,
            [UNKNOWN, "Which of the counts that fit are the true ones decides; rounding hides it.",
             PAIRED],
        ),
    ],
)
def test_what_is_not_known_of_two_numbers(given, samples, said):
    found = gap(**given)
    result = audited(number(samples=samples), number(samples=1), difference=found)
    told = list(pairing_sentences(result, found))
    assert len(told) == len(said) and all(b.startswith(a) for a, b in zip(said, told))


def test_tables_and_pictures_of_numbers():
    result = audited(number(), number("26/30", 26, questions=1200, samples=2))
    assert make_table(result).rows == [
        ["0.843", "25-26/30", "85.0 %", "65.0 to 95.0 %"],
        ["26/30", "26/2400", "1.1 %", "65.0 to 95.0 %"],
    ]
    assert make_whole_table(result).rows[1] == [
        "26/30", "0.8425", "0.8435", "1,200", "2", "65.0 to 95.0 %", "70.0 to 90.0 %",
    ]
    drawn = draw_numbers(result)
    assert [(one.label, one.low, one.high, one.colour) for one in drawn.lines] == [
        ("0.843 (25-26/30)", 0.65, 0.95, 0),
        ("26/30 (26/2400)", 0.65, 0.95, 1),
    ]


# Several values of one log.


def curve(**given):
    values = (
        PublishedValue("pass@1", 1, "0.38", 0.38, 0.375, 0.385),
        PublishedValue("pass@2", 2, "0.40", 0.40, 0.395, 0.405, 0.02),
    )
    known = dict(possible=False, samples=2, stated=False, questions=None, fits=(), miss=0.0)
    return PublishedCurve(values, **known | given)


HELPS = "On every question a further sample helps only where all before it failed, so that steps"
HARMS = "On every question a further sample harms only where all before it were right, so that"
NOT_ONE = "So they are not of one log:"


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(possible=True), []),
        ({}, [NOT_ONE]),
        (dict(family="pass@k", bend=(1, 2)), [NOT_ONE]),
        (dict(family="pass@k", bend=(1, 2, 4)), [HELPS, NOT_ONE]),
        (dict(family="pass^k", bend=(1, 2, 4)), [HARMS, NOT_ONE]),
    ],
)
def test_why_no_log_can_show_values(given, said):
    told = list(break_sentences(curve(**given)))
    assert len(told) == len(said) and all(b.startswith(a) for a, b in zip(said, told))


def test_by_how_much_values_miss():
    bent = curve(family="pass@k", bend=(1, 2, 4))
    assert next(break_sentences(bent)).endswith("Rounding is allowed for.")
    told = next(break_sentences(replace(bent, miss=0.02)))
    assert told.endswith("Rounding is allowed for; the values miss by 2.0 points more.")


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(fits=(2, 3, 8), questions=1200), ["They fit 2-3, 8 samples of each of 1,200"]),
        (dict(fits=(2,), questions=9, stated=True, possible=True), []),
        (dict(possible=True), ["The number of samples is unknown; with more than the largest k"]),
        (dict(possible=True, stated=True), []),
        ({}, []),
    ],
)
def test_for_which_samples_it_was_asked(given, said):
    told = list(samples_sentences(curve(**given)))
    assert len(told) == len(said) and all(b.startswith(a) for a, b in zip(said, told))


@pytest.mark.parametrize("possible, badge", [(True, ""), (False, "fail")])
def test_values_of_one_log_are_a_table(possible, badge):
    found = curve(possible=possible)
    result = audited(curve=found)
    blocks = curve_document(result, found)
    head, table = blocks[:2]
    assert head.verdict == badge and document(result)[0] == head
    assert table.rows == [
        ["pass@1", "0.38", "38.0 %", "-"], ["pass@2", "0.40", "40.0 %", "+2.0"],
    ]
    assert title(result) == "audit of 0.38 and 0.40"
    assert methods(result).startswith("Each metric is a mean over questions of a function")


# Totals of runs.


def runs(**given):
    known = dict(
        totals=(219, 213, 222), questions=260, value=218 / 260, interval=Interval(0.8, 0.88),
        spread=5.2, spread_interval=Interval(2.6, 26), largest=5.9, p=0.4, by_chance=True,
    )
    return PublishedRuns(**known | given)


def test_the_mean_of_runs():
    row, found = number(), runs()
    assert runs_headline(audited(row), found, row) == (
        "Mean of 3 runs 83.8 % (95 % CI 65.0 to 95.0 %, new questions; same questions 80.0 to 88.0 "
        "%)."
    )
    alone = replace(found, interval=None)
    assert runs_headline(audited(row), alone, row).endswith("65.0 to 95.0 %, new questions).")


SEEN = "Runs spread by 2.0 points (standard deviation); chance alone gives up to about 2.3 points"


@pytest.mark.parametrize(
    "given, said, further",
    [
        (
            {},
            f"{SEEN}, were all questions equally hard: within chance (p = .400).",
            ["95 % CI of that standard deviation: about 1.0 to 10.0 points."],
        ),
        (
            dict(by_chance=False, p=0.001),
            f"{SEEN}: more than chance (p = .001). Settings, versions or questions differ between "
            "the runs.",
            [],
        ),
        (
            dict(spread=0.0),
            "All totals are equal. Chance alone gives a standard deviation of up to about 2.3 "
            "points; a copied run, or a system without randomness, gives none.",
            [],
        ),
    ],
)
def test_whether_chance_explains_how_runs_spread(given, said, further):
    found = runs(**given)
    assert spread_verdict(found) == said
    assert list(spread_interval(audited(number()), found)) == further


@pytest.mark.parametrize("by_chance, badge", [(True, ""), (False, "fail")])
def test_runs_are_a_table(by_chance, badge):
    found = runs(by_chance=by_chance)
    result = audited(number(), runs=found)
    head, table, *said = runs_document(result, found)
    assert head.verdict == badge and document(result)[0] == head
    assert table.rows == [
        ["1", "219/260", "84.2 %", "+0.4"],
        ["2", "213/260", "81.9 %", "-1.9"],
        ["3", "222/260", "85.4 %", "+1.5"],
    ]
    texts = [one.text for one in said if isinstance(one, Text)]
    assert texts[0] == spread_verdict(found) and texts[-1] == bounds_sentence(number())
    assert bounds_sentence(number()).endswith("all samples were independent it is 70.0 to 90.0 %.")
    assert methods(result).startswith("The CI of a mean for the same questions is that of t")


@pytest.mark.parametrize(
    "difference, said, unsaid",
    [
        (None, "Counts are those whose share is rounded", "The difference has"),
        (gap(), "The difference has the exact unconditional CI", "an approximation for large"),
        (gap(exact=False), "The difference has the score CI", "exact unconditional"),
    ],
)
def test_how_counts_were_found(difference, said, unsaid):
    told = methods(audited(number(), number(), difference=difference))
    assert said in told and unsaid not in told


def test_numbers_and_methods_are_folded():
    kinds = [type(one) for one in document(audited(number(), number(), difference=gap()))]
    assert kinds.count(Fold) == 2 and kinds[0] is Headline and kinds[1] is Table
    assert isinstance(document(audited(number()))[-1], Fold)


# Two written counts in place of data.


@pytest.mark.parametrize(
    "given",
    [
        dict(metrics="pass@2"),
        dict(metrics=["pass@1", "avg@n"]),
        dict(k=2),
        dict(k=[1, 2]),
        dict(target="same_questions"),
        dict(others=["3/20"]),
        dict(models="m"),
        dict(test="mcnemar"),
        dict(cluster="passage"),
        dict(method="t"),
        dict(bounds=(-0.5, 0.5)),
        dict(same_within=0.1),
        dict(weights="points"),
        dict(cost="usd"),
        dict(spend=["usd"]),
        dict(by="task"),
        dict(crossed=True),
        dict(missing="wrong"),
        dict(question="id"),
    ],
    ids=lambda given: "".join(given),
)
def test_options_that_need_questions_are_refused_beside_written_counts(given):
    ((name, _),) = given.items()
    with pytest.raises(ValueError, match=f"^{name}=.* needs questions with names, and a written"):
        compare("3/4", "1/4", **given)


@pytest.mark.parametrize(
    "given", [dict(metrics="pass@1"), dict(metrics="pass@k"), dict(k=1), dict(k=[1]),
              dict(target="new_questions"), dict(others=[])]
)
def test_options_that_written_counts_know(given):
    assert compare("3/4", "1/4", **given) == audit("3/4", "1/4")


def test_the_level_and_the_title_of_two_written_counts():
    found = compare("3/4", "1/4", confidence_level=0.9, title="mine")
    assert found == replace(audit("3/4", "1/4", confidence_level=0.9), title="mine")


# What is read of several numbers.


@pytest.mark.parametrize(
    "given, shares",
    [
        ("pass@1 38.0, pass@2 44.7", [(0.38, 0.3795, 0.3805), (0.447, 0.4465, 0.4475)]),
        ("pass@1 0.38, pass@2 0.447", [(0.38, 0.375, 0.385), (0.447, 0.4465, 0.4475)]),
        ("pass@1 38%, pass@2 44.7 %", [(0.38, 0.375, 0.385), (0.447, 0.4465, 0.4475)]),
        # As soon as one of them is no share, all without a sign are percent.
        ("pass@1 0.5, pass@2 44.7", [(0.005, 0.0045, 0.0055), (0.447, 0.4465, 0.4475)]),
        ("pass@1 1, pass@2 1.0", [(1, 0.5, 1), (1, 0.95, 1)]),
        ("pass@1 0, pass@2 0.0", [(0, 0, 0.5), (0, 0, 0.05)]),
        ("pass@1 100, pass@2 100.0", [(1, 0.995, 1), (1, 0.9995, 1)]),
        ({"pass@1": 0.25, "pass@2": "0.5"}, [(0.25, 0.245, 0.255), (0.5, 0.45, 0.55)]),
    ],
)
def test_printed_values_and_what_is_rounded_to_them(given, shares):
    found = audit(given).curve.values
    told = [(one.value, one.least, one.most) for one in found]
    assert told == [pytest.approx(one) for one in shares]


def test_what_a_sample_adds_to_the_value_before():
    found = audit("pass@4 0.60 pass@1 0.38 pass^2 0.20 pass@2 0.48").curve
    assert [(one.metric, one.k) for one in found.values] == [
        ("pass@1", 1), ("pass@2", 2), ("pass@4", 4), ("pass^2", 2),
    ]
    assert [one.gain for one in found.values] == [
        None, pytest.approx(0.1), pytest.approx(0.06), None,
    ]
    assert (found.samples, found.stated, found.questions, found.fits) == (4, False, None, ())
    stated = audit("pass@1 0.5 pass@4 0.5", samples=4).curve
    assert (stated.samples, stated.stated) == (4, True)


@pytest.mark.parametrize(
    "given, more, totals, size",
    [
        ("3 2 of 4", {}, (3, 2), 4),
        ("4, 4 of 4", {}, (4, 4), 4),
        ("3 2 of 4", dict(questions=4), (3, 2), 4),
        ([3, 2], dict(questions=4), (3, 2), 4),
        ("0;1 of 1", {}, (0, 1), 1),
    ],
)
def test_totals_and_their_questions(given, more, totals, size):
    found = audit(given, **more)
    assert (found.runs.totals, found.runs.questions) == (totals, size)
    assert found.runs.value == pytest.approx(sum(totals) / len(totals) / size)
    assert found.rows[0].samples == len(totals) and found.rows[0].questions == size


@pytest.mark.parametrize(
    "given, more, said",
    [
        ("3 2 of 4", dict(questions=5), "the text says 4 questions, got 5"),
        ("3 2 of 4", dict(samples=1), "a total is that of one sample of each question, got 1"),
        ("5 2 of 4", {}, "a run has at most 4 right questions, got 5"),
        ([3], dict(questions=4), "runs are whole numbers of right questions, two at least"),
        ({}, {}, "several values need a metric each, got none"),
        ("pass@2 0.5 pass@4 0.6", dict(samples=3), "k=4 needs 4 samples, got 3"),
    ],
)
def test_several_numbers_that_are_refused(given, more, said):
    with pytest.raises((ValueError, TypeError), match=said):
        audit(given, **more)


def test_the_interval_of_the_mean_of_runs_by_hand():
    "Totals 6, 8 and 10 of 20: mean 8, standard deviation 2, and t of two degrees of freedom."
    found = audit([6, 8, 10], questions=20, confidence_level=0.9).runs
    half = student.ppf(0.95, 2) * 2 / 3**0.5
    assert (found.value, found.spread) == pytest.approx((0.4, 2))
    assert (found.low, found.high) == pytest.approx((max(0, 8 - half) / 20, (8 + half) / 20))
    near = audit([19, 20, 20], questions=20).runs
    assert near.high == 1 and near.low < near.value and audit([1, 0, 0], questions=9).runs.low == 0
    assert audit([7, 7, 7], questions=20).runs.interval is None
    assert found.by_chance is (found.p >= 0.1)
