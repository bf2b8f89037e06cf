"Where the sentences of a comparison turn: which rows are shown, and what holds beside the first."

import pickle
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval import Counts, compare
from sampling_eval.analyses.compare.verb import add_margin, input_notes
from sampling_eval.analyses.compare.words import (
    badge_of,
    band_verdict,
    compare_without,
    contradicting_metrics,
    count_tries,
    curve_crossings,
    define_intervals,
    define_tests,
    draw_curves,
    draw_difference,
    draw_intervals,
    draw_result,
    explain_methods,
    explain_noise,
    explain_numbers,
    explain_table,
    further_sentences,
    headline,
    holm_sentence,
    is_mixed,
    make_line,
    make_table,
    margin_verdict,
    mark_ends,
    mark_free,
    material_clauses,
    moves_table,
    name_metrics,
    named_test_result,
    number_blocks,
    pick_rows,
    samples_of_both,
    significant_ranges,
    stated_range,
    upper_bound_sentence,
    verdict_on,
    verdict_sentences,
    why_no_stderr,
    without_assumptions,
)
from sampling_eval.analyses.compare.result import Ranks, SystemCurve, fix_credit, flatten
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.results.reading import Alignment
from sampling_eval.results.rows import Weighted
from sampling_eval.results.verdict import Evidence


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


# Both targets.


def two(metric="pass@1", new=(0.01, 0.19), same=(0.05, 0.15), **given):
    "A row with an interval for each target, and the verdicts that follow."
    known = dict(
        difference=0.1, wins=3, ties=2, losses=1, bounds=None, questions=20, smallest=None,
        chance=None, stderr=0.05, estimator="by hand", p=0.02, null="H", test="t test",
    )
    one = row(metric, **known | given)
    ends = dict(new_questions=new, same_questions=same)
    one.span = lambda target=None: ends[target or one.target]
    return one


def sign(ends):
    low, high = ends
    if low is None:
        return "none"
    return "better" if low > 0 else "worse" if high < 0 else "inconclusive"


def pair(*rows, **given):
    made = result(*rows, **given)
    made.verdict = lambda target=None: {
        one.metric: sign(one.span(target or made.target)) for one in rows
    }
    return made


NONE = (None, None)


@pytest.mark.parametrize(
    "new, target, said",
    [
        ((0.01, 0.19), "new_questions",
         "New questions: B is significantly better (95 % CI +1.0 to +19.0)."),
        ((-0.19, -0.01), "new_questions",
         "New questions: B is significantly worse (95 % CI -19.0 to -1.0)."),
        ((-0.1, 0.1), "new_questions", "New questions: inconclusive (95 % CI -10.0 to +10.0)."),
        (NONE, "new_questions", "New questions: no CI."),
        (NONE, "same_questions",
         "Same questions: B is significantly better (95 % CI +5.0 to +15.0)."),
    ],
)
def test_the_verdict_on_one_row(new, target, said):
    assert verdict_on(pair(two(new=new)), target) == said


def test_the_verdict_on_several_rows():
    better, worse, open_, none = (0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1), NONE
    names = ("m0", "m1", "m2", "m3")
    rows = [two(name, new) for name, new in zip(names, (open_, worse, none, better))]
    assert verdict_on(pair(*rows), "new_questions") == (
        "New questions: B is significantly better at m3; significantly worse at m1; inconclusive "
        "at m0; no CI at m2."
    )
    rows = [two(name, new) for name, new in zip(names, (open_, none))]
    assert verdict_on(pair(*rows), "new_questions") == (
        "New questions: inconclusive at m0; no CI at m1."
    )


@pytest.mark.parametrize(
    "rows, target, primary, begins",
    [
        (1, "new_questions", "", ["Same questions: "]),
        (1, "same_questions", "", ["New questions: "]),
        (2, "new_questions", "", ["New questions: ", "Same questions: "]),
        (2, "new_questions", "m0", ["New questions: ", "m0 is the primary metric"]),
    ],
)
def test_the_verdict_of_each_target(rows, target, primary, begins):
    made = pair(*(two(f"m{i}") for i in range(rows)), target=target, primary=primary)
    found = verdict_sentences(made)
    assert len(found) == len(begins) and all(a.startswith(b) for a, b in zip(found, begins))


@pytest.mark.parametrize(
    "verdict, low, said",
    [
        ("same", -0.01, "yes, A and B differ by less (95 % CI -1.0 to +2.0)."),
        ("different", -0.01, "no, they differ by more (95 % CI -1.0 to +2.0)."),
        ("inconclusive", -0.01, "inconclusive (95 % CI -1.0 to +2.0)."),
        ("none", None, "no CI."),
    ],
)
def test_the_verdict_on_a_margin(verdict, low, said):
    found = SimpleNamespace(
        margin=0.03, metric="pass@1", unit="share", target="new_questions", low=low, high=0.02,
        verdict=verdict, confidence_level=0.95,
    )
    head = "Same within 3.0 points in pass@1, new questions: "
    assert margin_verdict(result(row(), same_within=found)) == [head + said]
    assert margin_verdict(result(row(), same_within=None)) == []


@pytest.mark.parametrize("margin, unit, refused", [
    (1, "share", True), (1.5, "share", True), (0.999, "share", False), (1, "score", False),
])
def test_margins_that_no_share_has(margin, unit, refused):
    made = compare([[1, 1, 0, 0]] * 3, [[1, 0, 0, 0]] * 3)
    made = replace(made, rows=(replace(made.rows[0], unit=unit),))
    if refused:
        with pytest.raises(ValueError, match="same_within must be below 1 for shares, got 1"):
            add_margin(made, margin)
    else:
        assert add_margin(made, margin).same_within.margin == margin
    assert add_margin(made, None) is made


def band(low, high):
    low, high, k = np.array(low), np.array(high), np.arange(1, len(low) + 1)
    return SimpleNamespace(
        k=k, low=low, high=high, confidence_level=0.95, gains=k[low > 0], losses=k[high < 0],
        inconclusive=k[(low <= 0) & (high >= 0)],
    )


@pytest.mark.parametrize(
    "low, high, said",
    [
        (
            [0.1, 0.1, -0.1, -0.3],
            [0.3, 0.3, 0.1, -0.1],
            "B is better at k = 1-2; worse at k = 4; inconclusive at k = 3. The curves cross "
            "between k = 2 and k = 4.",
        ),
        ([0.1, 0.1], [0.3, 0.3], "B is better at k = 1-2."),
        ([-0.3, -0.3], [-0.1, -0.1], "B is worse at k = 1-2."),
        ([-0.3, -0.3], [0.1, 0.1], "inconclusive at k = 1-2."),
    ],
)
def test_the_verdict_of_all_budgets_at_once(low, high, said):
    made = result(row(), curve=band(low, high))
    head = f"Simultaneous 95 % band for all {len(low)} values of k, new questions: "
    assert band_verdict(made) == [head + said] and band_verdict(result(row())) == []
    assert len(curve_crossings(made)) == ("cross" in said)


# The table, and what stands below it.


def test_a_table_has_both_targets():
    rows = [
        two("pass@1", (0.01, 0.19), (-0.1, 0.1)),
        two("mean@2", NONE, (-0.2, -0.1), unit="score", difference=-0.15, a=2.0, b=1.85,
            new_method=""),
    ]
    made = pair(*rows, names=("a long name of a model", "B"))
    table = make_table(made, rows)
    assert table.head[0] == "metric" and table.head[2:] == [
        "B", "diff", "95 % CI new", "95 % CI same", "W/T/L",
    ]
    assert len(table.head[1]) <= 12
    assert table.rows == [
        ["pass@1", "50.0 %", "60.0 %", "+10.0", "+1.0 to +19.0*", "-10.0 to +10.0 ", "3/2/1"],
        ["mean@2", "2.000", "1.850", "-0.150", "- ", "-0.200 to -0.100*", "3/2/1"],
    ]
    assert make_table(pair(*rows, primary="pass@1"), rows).head[4:6] == ["CI new", "CI same"]
    assert mark_ends(made, rows[:1], "same_questions") == ["-10.0 to +10.0 "]


@pytest.mark.parametrize(
    "given, said, unsaid",
    [
        ({}, "diff: B minus A in points. new, same: CI for new questions, for the same questions. *"
             ": excludes 0 (significant); the verdict is that of new questions. W/T/L: questions "
             "on which B is ahead, equal, behind.", "each k"),
        (dict(target="same_questions"), "the verdict is that of the same questions. W/T", "#"),
        (dict(curve=object()), "for the same questions; each k separately. *", "wider"),
        (dict(primary="pass@1", curve=object()),
         "for the same questions; 95 %, wider for secondary metrics. *", "each k"),
    ],
)
def test_how_a_table_is_read(given, said, unsaid):
    told = explain_table(pair(two(), **given))
    assert said in told and unsaid not in told


def test_what_else_a_table_says():
    assert "B minus A. new" in explain_table(pair(two(), two("m", unit="score")))
    weights = Weighted("points", 9.5, 3.5, False, 3.5)
    told = explain_table(pair(two(weights=weights)))
    assert "CI for new questions (approximate: assumes no weight above 3.5), for the" in told
    declared = Weighted("points", 9.5, 3.5, True)
    assert "approximate" not in explain_table(pair(two(weights=declared)))


def test_why_some_intervals_are_not_t():
    few = Evidence(12, 9, 5.0, 4.5)
    rows = [row(), row("pass@2", new_method="gaffke", evidence=few)]
    assert explain_methods(rows) == (
        "New: t intervals; a: assumption-free, too little stands behind t (only 12 questions in "
        "pass@2). "
    )
    assert explain_methods(rows[:1]) == ""


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, 1),
        (dict(smallest=0.05), 1),
        (dict(smallest=0.051), 2),
        (dict(chance=0.9), 2),
        (dict(p=None), 0),
    ],
)
def test_what_p_is(given, said):
    told = explain_numbers(pair(two(**given)))
    assert len(told) == said
    if said == 1:
        assert told[0] == (
            "p: inverts the CI (t test), so it is at most 0.05 where that excludes 0; null "
            "hypothesis: H."
        )
    if "smallest" in given and said == 2:
        assert told[1] == "The smallest p value that these data can reach is 0.051."
    if "chance" in given:
        assert told[1].startswith("P(B > A): posterior probability that B is better")


def test_every_number_of_a_comparison():
    rows = [two(chance=0.875, p=0.0504), two("pass@2", p=None)]
    (table, *_) = number_blocks(pair(*rows))
    assert table.head == [
        "metric", "diff", "standard error", "CI, new questions", "CI, same questions", "p",
        "P(B > A)",
    ]
    assert table.rows[0] == [
        "pass@1", "+10.0 points", "0.050", "+1.0 to +19.0*", "+5.0 to +15.0*", ".0504", "87.5 %",
    ]
    assert table.rows[1][-2:] == ["-", "-"]
    curve = band([0.02, 0.0], [0.2, 0.3])
    curve.difference = np.array([0.1, 0.1])
    found = number_blocks(pair(two(), two("pass@2", k=2), curve=curve))
    assert found[1].head[5:] == ["simultaneous", "p"]
    assert [one[5] for one in found[1].rows] == ["+2.0 to +20.0", "0.0 to +30.0"]


@pytest.mark.parametrize(
    "bound, said",
    [
        (False, []),
        (True, ["pass@2: sampling noise within questions is unknown, so the CI for the same "
                "questions is that for new ones, an upper bound."]),
    ],
)
def test_an_interval_that_is_an_upper_bound(bound, said):
    rows = [row(), row("pass@2", again=SimpleNamespace(method=Method("t", upper_bound=bound)))]
    assert upper_bound_sentence(rows, rows) == said


def test_a_range_that_was_stated_is_said_once():
    plain, stated = two(), two("pass@2", bounds=(-0.5, 0.5))
    assert stated_range([plain]) == [] and len(stated_range([plain, stated, stated])) == 1
    assert "no question moves by more than -50.0 to +50.0 points" in stated_range([stated])[0]


def test_further_rows_alone_are_told_without_assumptions():
    beside = SimpleNamespace(verdict="inconclusive")
    rows = [two("m0", without_assumptions=beside), two("m1", without_assumptions=beside)]
    assert further_sentences(rows, rows) == ["Without assumptions: inconclusive at m1."]


def test_on_what_two_systems_are_compared():
    made = result(row(), alignment=Alignment(20, ()), read={})
    assert material_clauses(made) == "same 20 questions; 4 samples each"
    shares = SimpleNamespace(all_notes=lambda: iter([SimpleNamespace(kind="battles")]))
    made.read = dict(A=shares)
    assert material_clauses(made) == "same 20 questions"


@pytest.mark.parametrize(
    "found, at_least, said",
    [
        ([], "", []),
        ([None], "", []),
        ([None, Interval(0, 1, 0.9, method=Method("t", False))] * 2, " or wider",
         ["Two-sided 90 % or wider CIs for new questions: t (approximate)"]),
    ],
)
def test_how_intervals_were_computed(found, at_least, said):
    told = define_intervals(found, "new questions", at_least)
    assert len(told) == len(said) and all(a.startswith(b) for a, b in zip(told, said))
    assert not told or " or t" not in told[0]


# Pictures.


def curve_of(name, *values):
    low, high = ([one + step for one in values] for step in (-0.1, 0.1))
    return SystemCurve(name, tuple(range(1, len(values) + 1)), values, tuple(low), tuple(high))


@pytest.mark.parametrize("top, drawn", [(0.9, True), (0.91, False)])
def test_curves_of_shares_are_drawn(top, drawn):
    sides = curve_of("A", 0.5, 0.6), curve_of("B", 0.6, top)
    one = two()
    made = result(one, curve=band([0.1, -0.1], [0.3, 0.1]), sides=sides, heading="B against A")
    found = draw_curves(made)
    assert [series.label for series in found.series] == ["A", "B"]
    assert found.series[0].said[1] == "A, k = 2: 60.0 % (50.0 to 70.0 %)"
    assert found.label == "pass@k" and found.title == "B against A (20 questions)"
    assert found.alt == "pass@k of 2 systems over k with intervals"
    assert [stretch.series for stretch in found.stretches] == [1]
    assert draw_result(made) == ([found] if drawn else [])
    assert draw_curves(result(one, sides=sides)) is None
    assert draw_curves(result(one, curve=made.curve)) is None


def test_the_difference_over_the_budgets():
    rows = [two(), two("pass@2", (-0.1, 0.3), k=2, difference=-0.05)]
    assert draw_difference(result(*rows)) == []
    (chart,) = draw_difference(result(*rows, curve=object()))
    (series,) = chart.series
    assert (series.label, list(series.k), list(series.value)) == ("B minus A", [1, 2], [0.1, -0.05])
    assert (list(series.low), list(series.high)) == ([0.01, -0.1], [0.19, 0.3])
    assert series.said == [
        "k = 1: +10.0 points (+1.0 to +19.0)", "k = 2: -5.0 points (-10.0 to +30.0)",
    ]
    assert chart.label == "pass@k" and chart.zero == "no difference" and chart.points is True
    (chart,) = draw_difference(result(two("max@1", unit="score"), curve=object()))
    assert chart.points is False and chart.series[0].said[0].startswith("k = 1: +0.100 (+0.010")


def test_a_difference_is_a_line():
    line = make_line(two(verdict="none"))
    assert (line.label, line.said, line.value, line.low, line.high, line.verdict) == (
        "pass@1", "+10.0 points", 0.1, 0.01, 0.19, "",
    )
    assert line.note == "95 % CI +1.0 to +19.0" and make_line(two()).verdict == "better"


@pytest.mark.parametrize(
    "versions, warnings, weighted, said",
    [
        ("", (), [], ()),
        ("Two versions", ("a",), ["w"], ("Warning: Two versions.", "a", "w")),
    ],
)
def test_notes_of_the_input(versions, warnings, weighted, said):
    found = SimpleNamespace(versions=versions, warnings=warnings)
    assert input_notes(found, weighted) == said


# What a comparison holds.

NAMES = [f"q{i}" for i in range(9)]
OLD = Counts([4] * 9, [0, 1, 2, 3, 4, 0, 1, 2, 3], NAMES)
NEW = Counts([4] * 9, [4, 4, 0, 3, 1, 1, 2, 4, 4], NAMES)
SEVERAL = ["pass@1", "pass@2", "pass^2"]


def test_several_metrics_have_their_own_largest_moves():
    found = compare(OLD, NEW, metrics=SEVERAL)
    assert found.primary == "pass@1" and list(found.moved) == SEVERAL
    assert [row.metric for row in found.rows] == SEVERAL and found.curve is found.sides is None
    for metric, moves in found.moved.items():
        alone = compare(OLD, NEW, metrics=metric)
        assert moves == alone.moved[metric] and len(moves) == 5
    gaps = NEW.c / 4 - OLD.c / 4
    assert [one.question for one in found.moved["pass@1"]] == ["q0", "q1", "q4", "q2", "q7"]
    assert [one.difference for one in found.moved["pass@1"]] == [
        gaps[NAMES.index(one.question)] for one in found.moved["pass@1"]
    ]


def test_several_budgets_have_the_moves_of_the_first_and_the_last():
    found = compare(OLD, NEW, metrics="pass@k", k=[1, 2, 4])
    assert list(found.moved) == ["pass@1", "pass@4"] and len(found.moved["pass@1"]) == 5
    assert found.curve.k.tolist() == [1, 2, 4] and [one.name for one in found.sides] == ["A", "B"]
    assert found.sides[1].k == (1, 2, 4)
    assert found.sides[1].estimate == pytest.approx([row.b for row in found.rows])


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(metrics=SEVERAL, k=2), "several metrics state their budgets, as pass@4 does, got k="),
        (dict(metrics=SEVERAL, others=[OLD]), "several metrics are for two systems, got 3; rank"),
        (dict(metrics=["pass@1", "pass@k"]), "each must be one number, got 'pass@k'; state the bu"),
        (dict(metrics=["pass@1", "pass@2", "pass@1"]), "each metric must be named once, got 'pas"),
        (dict(others=[OLD], same_within=0.1), "same_within= is for two systems, got 3; compare"),
        (dict(others=[OLD], weights=dict.fromkeys(NAMES, 1)), "weights= is for two systems, got 3"),
    ],
)
def test_what_is_not_compared(given, said):
    with pytest.raises(ValueError, match=said):
        compare(OLD, NEW, **given)
    with pytest.raises(ValueError, match="compare needs two systems, got one"):
        compare(OLD)


def test_columns_of_the_questions():
    lost = [dict(question=name, correct=None if (name, s) == ("q1", 0) else int(s < c))
            for name, c in zip(NAMES, OLD.c) for s in range(4)]
    found = compare(lost, NEW, metrics="pass@k", k=[1, 2], missing="drop")
    columns = {name: np.asarray(found.questions[name]).tolist() for name in found.questions}
    assert list(columns) == [
        "question", "n A", "c A", "missing A", "n B", "c B", "missing B", "pass@1 A", "pass@1 B",
        "pass@1 B - A", "pass@2 A", "pass@2 B", "pass@2 B - A",
    ]
    assert columns["question"] == NAMES and columns["c B"] == NEW.c.tolist()
    assert columns["n A"] == [4, 3, *[4] * 7] and columns["missing A"] == [0, 1, *[0] * 7]
    assert columns["pass@1 A"][2:4] == [0.5, 0.75]
    assert columns["pass@1 B - A"][:1] == [1.0]
    assert columns["pass@2 B - A"][2] == pytest.approx(-5 / 6)
    graded = [dict(question=q, score=s / 4) for q in range(4) for s in range(3)]
    assert "c A" not in set(compare(graded, graded, metrics="soft@n").questions)


def test_titles_notes_and_no_band():
    weights = dict(zip(NAMES, range(1, 10)))
    found = compare(OLD, NEW, metrics="pass@k", k=[1, 2], weights=weights, title="mine")
    assert found.curve is None and found.next is None and found.title == found.heading == "mine"
    assert found.notes[-1] == "No band over all values of k: it takes all questions as equal."
    assert compare(OLD, NEW).heading == "B against A"
    ranked = compare(OLD, NEW, others=[NEW], title="mine", confidence_level=0.9)
    assert ranked.heading == "mine" and ranked.confidence_level == 0.9
    assert ranked.names == ("A", "B", "C") and ranked.k == (1, 2, 3, 4)


@pytest.mark.parametrize("sizes, cautions", [([3, 3, 3], 0), ([1, 1, 7], 1)])
def test_clusters_of_unequal_size_are_cautioned_of(sizes, cautions):
    groups = dict(zip(NAMES, np.repeat(["x", "y", "z"], sizes)))
    found = compare(OLD, NEW, cluster=groups)
    assert len([one for one in found.cautions if one.kind == "cluster_sizes"]) == cautions
    assert compare(OLD, NEW).cautions == ()


def test_equal_outcomes_are_cautioned_of():
    same = Counts([4] * 60, [0, 1, 2, 3, 4] * 12)
    (one,) = compare(same, same).cautions
    assert one.kind == "identical_outcomes" and one.systems == ("A", "B") and one.questions == 60
    (note,) = compare(same, same, others=[same]).notes
    assert note.startswith("A, B and C hold the same outcomes on all 60 questions")


def test_a_comparison_without_its_functions():
    assert fix_credit(None) is None
    row = compare(OLD, NEW, metrics={"mine@k": lambda k: np.arange(k + 1) / k}, k=2).rows[0]
    fixed = fix_credit(row.comparison)
    assert fixed.tables.credit(2).tolist() == [0, 0.5, 1] and not callable(fixed.noise)
    again = fixed.confidence_interval(0.9, target="same_questions")
    assert again == row.comparison.confidence_interval(0.9, target="same_questions")
    bare = row.comparison._replace(tables=None) if hasattr(row.comparison, "_replace") else replace(
        row.comparison, tables=None)
    assert fix_credit(bare) is bare


def test_a_row_as_a_line_of_a_file():
    near = Counts([4] * 9, np.minimum(OLD.c + 1, 4), NAMES)
    row = compare(OLD, near, "pass@1", test="sign-flip", bounds=(-0.8, 0.9)).rows[0]
    flat = row.to_flat()
    assert (flat["bounds_low"], flat["bounds_high"]) == (-0.8, 0.9)
    assert (flat["named_test"], flat["named_pvalue"]) == (
        row.named_test["method"], row.named_test["pvalue"],
    )
    assert flat["interval"] == row.interval.method.name
    assert flat["again_interval"] == row.again.method.name
    plain = compare(OLD, NEW).rows[0].to_flat()
    assert plain["named_test"] is plain["named_pvalue"] is plain["bounds_low"] is None
    names = [name for name in plain if name.startswith(("without_assumptions_", "evidence_"))]
    assert "without_assumptions_verdict" in names and plain["evidence_units"] == 9
    told = dict(named_test=None, bounds=None, interval=None, other=1)
    line = flatten(told)
    assert line["interval"] == "" and line["other"] == 1 and "again_interval" not in line
    assert line["evidence_units"] is line["without_assumptions_verdict"] is None


def test_a_comparison_by_a_function_can_be_handed_to_another_process():
    mine = {"mine@k": lambda k: np.arange(k + 1) / k}
    for found in (compare(OLD, NEW, metrics=mine, k=2),
                  compare(OLD, NEW, others=[OLD], metrics=mine, k=2)):
        again = pickle.loads(pickle.dumps(found))
        assert again == found and again.rows[0].known.tables.credit(2).tolist() == [0, 0.5, 1]
        row, same = found.rows[0], again.rows[0]
        assert same.confidence_interval(0.9) == row.confidence_interval(0.9)
        bare = type(row).from_dict(row.to_dict())
        with pytest.raises(ValueError, match="JSON holds the printed interval and p value only"):
            bare.known


def test_ranks_are_rows():
    found = Ranks(("a", "b"), (0.9, 0.5), (1, 1), (1, 2), (("a", "b"),))
    told = found.to_dict()
    assert told == dict(
        systems=[
            dict(system="a", mean=0.9, rank_low=1, rank_high=1),
            dict(system="b", mean=0.5, rank_low=1, rank_high=2),
        ],
        tied=[["a", "b"]],
    )
    assert Ranks.from_dict(told) == found


def test_pairs_are_found_in_either_order():
    found = compare(OLD, NEW, others=[OLD], k=[1])
    assert found["pass@1", "A", "B"] is found["pass@1", "B", "A"] is not found["pass@1", "A", "C"]
    assert found.heading == "3 systems"
    with pytest.raises(KeyError, match="need a metric and two systems such as"):
        found["pass@2", "A", "B"]
    with pytest.raises(KeyError, match=r"metric must be one of \['pass@1'\], got 'pass@2'"):
        compare(OLD, NEW, k=[1])["pass@2"]


def test_rows_know_both_targets():
    row = compare(OLD, NEW, "pass@1", target="same_questions").rows[0]
    assert row.about() is row.again and row.about("new_questions") is row.interval
    assert row.span("new_questions") == (row.interval.low, row.interval.high)
    assert row.span() == (row.again.low, row.again.high) and row.new_method == "gaffke"
    assert row.verdict_of() == row.verdict == row.verdict_of("same_questions")
    low, high = row.span("new_questions")
    assert row.verdict_of("new_questions") == sign((low, high))
    bare = replace(row, interval=None)
    assert bare.new_method == "" and bare.span("new_questions") == (None, None)
    assert bare.verdict_of("new_questions") == "none"
    weighted = compare(OLD, NEW, "pass@1", weights=dict(zip(NAMES, range(1, 10)))).rows[0]
    again = type(weighted).from_dict(weighted.to_dict())
    assert again.weights == weighted.weights and again.weights.largest_weight == 9
    assert type(row).from_dict(row.to_dict()).weights is None
