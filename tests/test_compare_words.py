"Where the sentences of a comparison turn: which rows are shown, and what holds beside the first."

from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.analyses.compare.words import (
    badge_of,
    compare_without,
    contradicting_metrics,
    count_tries,
    define_tests,
    draw_intervals,
    draw_result,
    explain_noise,
    headline,
    holm_sentence,
    is_mixed,
    mark_free,
    moves_table,
    name_metrics,
    named_test_result,
    pick_rows,
    samples_of_both,
    significant_ranges,
    why_no_stderr,
    without_assumptions,
)
from sampling_eval.inference.intervals import Method


def row(metric="pass@1", **given):
    known = dict(
        metric=metric, k=1, difference=0.1, unit="share", verdict="better", a=0.5, b=0.6,
        target="new_questions", confidence_level=0.95, method="t", test="", evidence=None,
        method_asked=False, interval=None, again=None, without_assumptions=None, weights=None,
        named_test=None, reason="", p=None, null="", new_method="t", low=0.01, high=0.19,
    )
    made = SimpleNamespace(**known | given)
    made.span = lambda target=None: (made.low, made.high)
    made.about = lambda target=None: made.interval
    return made


def result(*rows, **given):
    known = dict(
        rows=rows, names=("A", "B"), samples=((4, 4), (4, 4)), primary="", curve=None, sides=None,
        questions={}, confidence_level=0.95, target="new_questions",
    )
    return SimpleNamespace(**known | given)


# Which rows are shown.


@pytest.mark.parametrize(
    "size, shown",
    [
        (1, [1]),
        (16, list(range(1, 17))),
        (17, [1, 2, 4, 8, 16, 17]),
        (32, [1, 2, 4, 8, 16, 32]),
        (33, [1, 2, 4, 8, 16, 32, 33]),
    ],
)
def test_rows_of_a_screen(size, shown):
    rows = [row(k=k) for k in range(1, size + 1)]
    assert [one.k for one in pick_rows(rows)] == shown


def test_rows_without_a_budget_are_shown_at_the_ends():
    rows = [row("avg@n", k=None), *(row(k=3) for _ in range(16)), row("cons@n", k=None)]
    assert pick_rows(rows) == [rows[0], rows[-1]]


@pytest.mark.parametrize(
    "shown, said",
    [
        ([1], "pass@1"),
        ([1, 2], "pass@1, pass@2"),
        ([1, 2, 3], "pass@1 to pass@3"),
        ([1, 3, 4, 5], "pass@1, pass@3 to pass@5"),
        (list(range(1, 17, 2)), ", ".join(f"pass@{k}" for k in range(1, 17, 2))),
        (list(range(1, 19, 2)), "9 values of k from pass@1 to pass@17"),
    ],
)
def test_metrics_by_name(shown, said):
    rows = [row(f"pass@{k}", k=k) for k in range(1, 20)]
    assert name_metrics([rows[k - 1] for k in shown], rows) == said


def test_neighbours_of_other_families_are_named_apart():
    rows = [row(name) for name in ("pass@1", "pass@2", "pass^2", "pass^3")]
    assert name_metrics(rows, rows) == "pass@1, pass@2, pass^2, pass^3"


# The answer.


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(), "B leads A by 10.0 points in pass@1 (95 % CI"),
        (dict(difference=-0.1), "B trails A by 10.0 points in pass@1 (95 % CI"),
        (dict(difference=0.0), "A and B are equal in pass@1 (95 % CI"),
        (dict(low=None, high=None, verdict="none"), "in pass@1 (new questions): "),
    ],
)
def test_who_is_ahead(given, said):
    one = row(**given)
    assert said in headline(result(one))
    assert badge_of(one) == ("" if one.verdict == "none" else "better")


@pytest.mark.parametrize(
    "verdicts, said",
    [
        (["better", "better"], ""),
        (["better", "inconclusive"], ""),
        (["better", "worse"], "; but worse at m1"),
        (["worse", "better", "better"], "; but better at m1, m2"),
        (["inconclusive", "worse"], "; but significantly worse at m1"),
        (["inconclusive", "worse", "better"], "; but significantly better at m2 and worse at m1"),
        (["none", "worse"], ""),
    ],
)
def test_metrics_with_another_verdict(verdicts, said):
    rows = [row(f"m{i}", verdict=verdict) for i, verdict in enumerate(verdicts)]
    assert contradicting_metrics(result(*rows)) == said


@pytest.mark.parametrize(
    "own, other, given, said",
    [
        ("better", "better", {}, ["Also without assumptions"]),
        ("inconclusive", "inconclusive", {}, []),
        ("inconclusive", "better", {}, ["Without assumptions: significant"]),
        ("better", "inconclusive", {}, ["no rare large losses that these questions missed."]),
        ("worse", "inconclusive", dict(difference=-0.1), ["large gains that these questions"]),
        ("better", None, {}, ["No assumption-free CI"]),
        ("better", None, dict(method_asked=True), []),
        ("better", "better", dict(method="gaffke"), []),
        ("better", "better", dict(target="same_questions"), []),
    ],
)
def test_the_first_row_without_assumptions(own, other, given, said):
    beside = None if other is None else SimpleNamespace(low=-0.1, high=0.2, verdict=other)
    told = without_assumptions(row(verdict=own, without_assumptions=beside, **given))
    assert len(told) == len(said) and all(a in b for a, b in zip(said, told))


def test_clusters_are_called_so():
    beside = SimpleNamespace(low=-0.1, high=0.2, verdict="inconclusive")
    one = row(interval=SimpleNamespace(method=Method("t", clusters=5)), without_assumptions=beside)
    assert without_assumptions(one)[0].endswith("losses that these clusters missed.")


@pytest.mark.parametrize("declared, said", [(True, False), (False, True)])
def test_a_weight_that_is_assumed_is_said(declared, said):
    weights = SimpleNamespace(largest_weight_declared=declared, largest_weight=3.5)
    beside = SimpleNamespace(low=0.1, high=0.2, verdict="better")
    (told,) = without_assumptions(row(without_assumptions=beside, weights=weights))
    assert ("if no weight is above 3.5" in told) is said


def test_further_rows_with_another_verdict_without_assumptions():
    def beside(verdict):
        return SimpleNamespace(verdict=verdict)

    rows = [
        row("m0", without_assumptions=beside("better")),
        row("m1", without_assumptions=beside("inconclusive")),
        row("m2", without_assumptions=None),
        row("m3", without_assumptions=beside("inconclusive")),
    ]
    (told,) = compare_without(rows, rows)
    assert told.startswith("Without assumptions: inconclusive at m1, m3.")


@pytest.mark.parametrize(
    "rows, said",
    [
        (2, "m is the primary metric (95 %); the other one is judged by itself at the same level."),
        (3, "m is the primary metric (95 %); the other 2 have wider CIs: Holm's correction for 2 "),
    ],
)
def test_the_correction_for_several_metrics(rows, said):
    assert holm_sentence(result(*[row()] * rows, primary="m")).startswith(said)


# What stands beside the table.


@pytest.mark.parametrize(
    "a, b, said",
    [
        ((4, 4), (4, 4), "4 samples each"),
        ((2, 4), (2, 4), "2 to 4 samples each"),
        ((4, 4), (2, 3), "A with 4 samples each, B with 2 to 3"),
    ],
)
def test_samples_of_both_systems(a, b, said):
    assert samples_of_both(result(samples=(a, b))) == said


@pytest.mark.parametrize(
    "fewest, budgets, said",
    [
        (4, [1, 2], ""),
        (4, [1, 2, 3], "Same: from pass@3 on n < 2k"),
        (5, [1, 2, 3], "Same: from pass@3 on n < 2k"),
        (6, [1, 2, 3], ""),
        (1, [1, 2], ""),
        (4, [None, 3], "Same: from pass@3 on n < 2k"),
    ],
)
def test_from_which_budget_the_noise_is_that_of_redrawn_samples(fewest, budgets, said):
    rows = [row(f"pass@{k}", k=k) for k in budgets]
    told = explain_noise(result(*rows, samples=((9, 9), (fewest, 9))))
    assert told.startswith(said) and bool(told) == bool(said)


@pytest.mark.parametrize(
    "methods, mixed, marks",
    [
        (["t", "t"], False, ["", ""]),
        (["gaffke", "gaffke"], False, ["", ""]),
        (["t", "gaffke"], True, [" ", "a"]),
        (["gaffke", ""], False, ["", ""]),
        (["gaffke", "", "t"], True, ["a", " ", " "]),
    ],
)
def test_intervals_of_two_kinds(methods, mixed, marks):
    assert is_mixed(methods) is mixed
    assert mark_free([row(new_method=method) for method in methods]) == marks


def test_named_tests_are_told_once():
    asked = dict(method="flip", null="equal means", pvalue=0.03)
    one, other = row("m0", named_test=asked), row("m1", named_test=asked | dict(pvalue=0.2))
    (told,) = named_test_result([one, other, row()])
    assert told.count("Test asked for (flip)") == 1 and " at m0, " in told and " at m1" in told
    assert " at " not in named_test_result([one])[0] and named_test_result([row()]) == []


def test_reasons_are_told_once():
    rows = [row("m0", reason="one sample"), row("m1"), row("m2", reason="one sample")]
    assert why_no_stderr(rows) == ["m0, m2: one sample."]


@pytest.mark.parametrize(
    "metrics, tests, said",
    [
        (["pass@1", "pass@2"], ["t", "t"], "Two-sided tests of H: t; p values are not adjusted for "
         "several budgets."),
        (["pass@1", "pass^1"], ["t", "flip"], "t or flip; p values are not adjusted for several "
         "metrics."),
        (["pass@1"], ["McNemar"], "Two-sided tests of H: McNemar @{mcnemar1947}."),
    ],
)
def test_tests_of_all_rows(metrics, tests, said):
    rows = [row(m, test=test, p=0.5, null="H") for m, test in zip(metrics, tests)]
    assert define_tests(rows).endswith(said) and define_tests([row()]) == ""


# Questions and pictures.


def test_questions_that_differ_most():
    columns = {
        "question": np.array(["a", "b"]),
        "c A": np.array([1.0, 2.0]),
        "n A": np.array([4, 4]),
        "c B": np.array([3.0, 2.0]),
        "n B": np.array([4, 8]),
    }
    tries = count_tries(result(questions=columns))
    assert tries == {"a": ("1 of 4", "3 of 4"), "b": ("2 of 4", "2 of 8")}
    assert count_tries(result(questions={"question": columns["question"]})) == {}
    moves = [SimpleNamespace(question=q, a=0.25, b=0.75, difference=0.5) for q in "ac"]

    class Rows(SimpleNamespace):
        def __getitem__(self, name):
            return row(unit=self.unit)

    for unit, first in (("share", "1 of 4"), ("score", "0.25")):
        (table,) = moves_table(Rows(unit=unit, names=("A", "B")), "m", moves, tries)
        assert table.rows[0][:2] == ["a", first] or table.rows[0][1].startswith(first)
        assert "of" not in table.rows[1][1]
    assert moves_table(Rows(unit="share"), "m", [], tries)[0].text == "No question differs in m."


def test_stretches_of_the_band():
    low = np.array([0.1, 0.2, -0.1, -0.3, 0.0, 0.1])
    high = np.array([0.3, 0.3, 0.1, -0.1, 0.0, 0.2])
    curve = SimpleNamespace(k=np.arange(1, 7), low=low, high=high)
    found = significant_ranges(result(row(), curve=curve))
    assert [(one.k, one.series) for one in found] == [([1, 2], 1), ([4], 0), ([6], 1)]
    assert significant_ranges(result(row())) == []


def test_scores_are_drawn_on_scales_of_their_own():
    rows = [row(), row("mean@n", unit="score"), row("max@1", unit="score"), row("pass@2")]
    found = draw_intervals(result(*rows, row("x", low=None, high=None)))
    assert [[line.label for line in one.lines] for one in found] == [
        ["pass@1", "pass@2"],
        ["mean@n"],
        ["max@1"],
    ]
    assert len(draw_result(result(row()))) == 1 and draw_intervals(result(row(low=None))) == []
