"Where the sentences of a gate turn: limits, powers, numbers of rules, and single questions."

from types import SimpleNamespace

import pytest

from sampling_eval.analyses.gate.result import (
    Command,
    MustPass,
    QuestionRegression,
    RegressionPower,
)
from sampling_eval.analyses.gate.words import (
    caution_sentences,
    check_beside_table,
    claim_sentence,
    common_scope,
    cut_table,
    data_sentences,
    describe_check,
    describe_evidence,
    describe_must_pass,
    detectable_drop,
    draw_rules,
    exit_code_sentence,
    explain_equals,
    explain_fisher,
    explain_inconclusive,
    explain_intervals,
    explain_must_pass,
    explain_regressions,
    explain_several,
    explain_targets,
    explain_watched,
    finding_of,
    headline,
    make_table,
    name_behind,
    name_question,
    name_rule,
    next_step_blocks,
    other_limits,
    place_of_ci,
    power_sentence,
    question_sentences,
    question_tables,
    regression_power_sentence,
    regressions_clause,
    required_questions,
    sort_rows,
    systems_judged,
    title,
    verdict_of,
    verdicts_on_new,
    without_assumptions,
    write_evidence,
    write_limit,
    write_numbers,
    write_power,
    write_regression,
    write_row,
)
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.results.reading import Alignment
from sampling_eval.results.rows import Weighted


def row(kind="drop", **given):
    "A rule with what sentences ask of it."
    known = dict(
        rule="pass@1", metric="pass@1", kind=kind, value=0.0, low=-0.1, high=0.1, limit=-0.02,
        unit="share", verdict="inconclusive", questions=20, target="new_questions", method=None,
        equal_passes=None, fails_alone=False, least=None, next=None, watched=None, interval=None,
    )
    return SimpleNamespace(**known | dict(drop=kind in ("drop", "same")) | given)


def gate(*rows, **given):
    known = dict(
        rows=rows, names=("new", "baseline"), must_pass=(), must_pass_share=1, regressions=(),
        regression_power=None, forbids_regressions=False, samples=(), verdict="inconclusive",
    )
    return SimpleNamespace(**known | given)


# Limits and powers.


@pytest.mark.parametrize(
    "kind, limit, unit, text",
    [
        ("drop", -0.02, "share", "2 points"),
        ("drop", -0.01, "share", "1 point"),
        ("drop", -0.0, "share", "0 points"),
        ("drop", -0.005, "share", "0.5 points"),
        ("same", -0.01, "share", "1 point"),
        ("minimum", 0.9, "share", "90 %"),
        ("minimum", 0.01, "share", "1 %"),
        ("minimum", 3.5, "score", "3.5"),
        ("drop", -1.0, "score", "1"),
    ],
)
def test_a_limit_as_it_was_asked_for(kind, limit, unit, text):
    one = row(kind, limit=limit, unit=unit)
    assert write_limit(one) == text
    sign = {"drop": "drop <= ", "same": "same within ", "minimum": ">= "}[kind]
    assert name_rule(one) == f"pass@1 {sign}{text}"


@pytest.mark.parametrize(
    "share, text",
    [
        (0, "<1 %"),
        (0.0049, "<1 %"),
        (0.005, "<1 %"),
        (0.0051, "1 %"),
        (0.014, "1 %"),
        (0.5, "50 %"),
        (0.994, "99 %"),
        (0.996, "99 %"),
        (1, "99 %"),
    ],
)
def test_a_power_is_never_none_and_never_sure(share, text):
    assert write_power(share) == text


@pytest.mark.parametrize(
    "passes, rules, names, said",
    [
        (None, 1, ("n", "b"), ""),
        (0.5, 1, ("n", "b"), "gate has 50 % power: a candidate equal to b would usually pass."),
        (0.49, 1, ("n", "b"), "equal to b would usually be inconclusive."),
        (0.5, 2, ("n", "b"), "This rule has 50 % power"),
        (0.5, 1, ("new", "baseline"), "equal to the baseline would"),
        (0.5, 1, ("", ""), "equal to baseline would"),
    ],
)
def test_what_an_equal_system_would_do(passes, rules, names, said):
    one = row(equal_passes=passes)
    told = power_sentence(gate(*[one] * rules, names=names), one)
    assert said in told and bool(said) == bool(told)


@pytest.mark.parametrize(
    "value, high, limit, fewer",
    [(0, 0.1, -0.02, True), (0.09, 0.1, -0.02, False), (0, 0.02, -0.02, False), (0, 0.1, 0, False)],
)
def test_drops_that_are_detected(value, high, limit, fewer):
    told = detectable_drop(row(value=value, high=high, limit=limit))
    assert (", one of 2 points with less" in told) is fewer is ("with less" in told)
    assert "detected with 50 % power" in told


@pytest.mark.parametrize(
    "given, said, unsaid",
    [
        (dict(), ["Too few data.", "is detected"], ["power:"]),
        (dict(equal_passes=0.5), ["power:"], ["Too few data."]),
        (dict(equal_passes=0.4), ["Too few data.", "power:"], []),
        (dict(kind="minimum"), [], ["Too few data.", "is detected"]),
        (dict(kind="minimum", least=30), ["No outcome of 20 questions can pass; at least 30"], []),
        (
            dict(least=9, method=SimpleNamespace(clusters=4)),
            ["No outcome of 4 clusters can pass; at least 9 are needed."],
            [],
        ),
        (dict(fails_alone=True, least=9), ["It fails if judged alone"], ["Too few", "No outcome"]),
    ],
)
def test_why_a_rule_is_inconclusive(given, said, unsaid):
    one = row(**given)
    told = " ".join(explain_inconclusive(gate(one), one))
    assert all(text in told for text in said) and not any(text in told for text in unsaid)


# Intervals and their limits.


@pytest.mark.parametrize(
    "kind, verdict, alone, said",
    [
        ("drop", "pass", False, "wholly at or above the limit"),
        ("drop", "fail", False, "wholly below the limit"),
        ("drop", "inconclusive", False, "on both sides of the limit"),
        ("drop", "inconclusive", True, "The whole CI lies below the limit"),
        ("minimum", "pass", False, "wholly at or above the limit"),
        ("same", "pass", False, "within the margin"),
        ("same", "fail", False, "wholly beyond the margin"),
        ("same", "inconclusive", False, "across an end of the margin"),
    ],
)
def test_where_the_interval_lies(kind, verdict, alone, said):
    assert said in place_of_ci(row(kind, verdict=verdict, fails_alone=alone))
    assert place_of_ci(row(kind, low=None)) == "" == "".join(other_limits(row(kind, low=None)))


@pytest.mark.parametrize(
    "kind, low, high, said, fails",
    [
        ("drop", -0.1, 0.1, "pass an allowed drop of about 10.0 points or more.", ""),
        ("drop", 0.02, 0.1, "pass an allowed drop of about 0.0 points or more.", ""),
        ("drop", -0.1, 0.0, "pass an allowed drop of about 10.0 points or more.", ""),
        ("drop", -0.1, -0.03, "of about 10.0 points or more", ", and fail one below 3.0 points."),
        ("same", -0.1, 0.2, "pass a margin of about 20.0 points or more.", ""),
        ("same", -0.3, 0.2, "pass a margin of about 30.0 points or more.", ""),
        ("minimum", 0.5, 0.7, "pass a minimum up to about 50.0 %, and fail one above 70.0 %.", ""),
    ],
)
def test_limits_that_would_have_changed_the_verdict(kind, low, high, said, fails):
    (told,) = other_limits(row(kind, low=low, high=high))
    assert said in told and told.endswith(fails or said)


@pytest.mark.parametrize(
    "kind, given, said",
    [
        ("drop", dict(limit=-0.02), "is truly at least -2 points."),
        ("drop", dict(limit=0.0), "is truly at least 0."),
        ("minimum", dict(limit=0.9), "whether pass@1 on new questions is truly at least 90 %."),
        ("same", dict(limit=-0.02), "truly lies within 2 points of 0."),
        ("must_pass", {}, "whether every sample of each must-pass question is right."),
        ("regressions", {}, "whether any single question is right less often"),
    ],
)
def test_what_a_rule_asks_of_the_truth(kind, given, said):
    one = row(kind, **given)
    assert said in claim_sentence(gate(one), one)
    told = claim_sentence(gate(one, must_pass_share=0.5), row("must_pass"))
    assert "whether at least 50 % of the samples" in told


# All rules.


@pytest.mark.parametrize(
    "verdicts, verdict, said",
    [
        (["fail", "pass"], "fail", "FAIL: 1 of 2 rules failed (a >= 1 %)"),
        (
            ["fail", "pass", "inconclusive"],
            "fail",
            "FAIL: 1 of 3 rules failed (a >= 1 %), 1 inconclusive",
        ),
        (["fail", "fail", "pass"], "fail", "FAIL: 2 of 3 rules failed (a >= 1 %; b >= 1 %)"),
        (["fail"] * 3 + ["pass"], "fail", "FAIL: 3 of 4 rules failed"),
        (["pass", "pass"], "pass", "PASS: both rules passed"),
        (["pass"] * 3, "pass", "PASS: all 3 rules passed"),
        (["inconclusive"] * 2, "inconclusive", "INCONCLUSIVE: both rules"),
        (["inconclusive", "pass"], "inconclusive", "INCONCLUSIVE: 1 of 2 rules (a >= 1 %)"),
    ],
)
def test_the_verdict_of_several_rules(verdicts, verdict, said):
    rows = [row("minimum", metric=name, limit=0.01, verdict=v) for name, v in zip("abcd", verdicts)]
    assert headline(gate(*rows, verdict=verdict)) == f"{said}, new questions."
    worst = [one.verdict for one in sort_rows(gate(*rows[::-1]))]
    assert worst == sorted(verdicts, key=["fail", "inconclusive", "pass"].index)


def test_questions_that_all_rules_are_about():
    new, same = row(), row(target="same_questions")
    counts = row("must_pass", low=None, target="samples")
    assert common_scope(gate(new, new, counts)) == ", new questions"
    assert common_scope(gate(new, same)) == "" == common_scope(gate(counts))
    assert verdict_of(row(watched=True)) == "go on" and verdict_of(row()) == "inconclusive"
    assert verdict_of(row(watched=True, verdict="pass")) == "pass"


@pytest.mark.parametrize(
    "samples, names, said",
    [
        ((), ("", ""), "new vs baseline: the same 20 questions."),
        (((4, 4), (4, 4)), ("n", "b"), "n vs b: the same 20 questions, 4 samples each."),
        (((4, 5), (2, 4)), ("n",), "n: 20 questions, 2 to 5 samples each."),
        ((), ("",), "20 questions."),
    ],
)
def test_who_is_judged(samples, names, said):
    assert systems_judged(gate(row(), samples=samples, names=names)) == said


def test_rules_of_one_scale_are_drawn_together():
    rows = [row("minimum", value=0.5), row(), row("minimum", unit="score", metric="mean@n"), row()]
    drawn = list(draw_rules(gate(*rows, row("must_pass", low=None))))
    assert [len(one.lines) for one in drawn] == [2, 1, 1]
    assert [bool(one.zero) for one in drawn] == [True, False, False]


@pytest.mark.parametrize("settled, said", [(3, "and did after 3 questions."), (None, "Look again")])
def test_evidence_of_a_rule_that_is_watched(settled, said):
    watched = SimpleNamespace(to_pass=1.5e6, to_fail=0.25, needed=20.0, settled_after=settled)
    told = describe_evidence(watched)
    assert "over a million to pass, 0.25 to fail; 20 settles it" in told and said in told


# Single questions.


@pytest.mark.parametrize(
    "name, text",
    [(12, "question 12"), ("12", "question 12"), ("q12", "q12"), ("x" * 60, "x" * 60)],
)
def test_the_name_of_a_question(name, text):
    assert name_question(name) == text
    assert len(name_question("x" * 61)) == 60


def lost(question, p=0.5, significant=False, after=0):
    return QuestionRegression(question, 4, 4, after, 4, p, min(1, 2 * p), significant)


@pytest.mark.parametrize(
    "regressions, lower, said",
    [
        ([], None, "no question scored lower"),
        ([lost("a")], None, "1 of 20 questions scored lower; the drop is not significant"),
        ([lost("a")] * 2, None, "2 of 20 questions scored lower; no single drop is significant"),
        ([lost("a", 0.01, True)], None, "1 question regressed: a (4/4 to 0/4)"),
        (
            [lost("a", 0.01, True), lost("b")],
            None,
            "1 question regressed: a (4/4 to 0/4); 1 more scored lower, none significantly",
        ),
        ([lost("a")], 7, "7 of 20 questions scored lower; no single drop is significant"),
        ([lost("a", 0.01, True)], 1, "1 question regressed: a (4/4 to 0/4)"),
        ([], 0, "no question scored lower"),
    ],
)
def test_questions_that_regressed(regressions, lower, said):
    power = RegressionPower(20, 0, 4, 4, 5, 0.05, lower)
    assert regressions_clause(gate(regressions=regressions, regression_power=power)) == said


def test_as_many_regressions_are_named_as_a_sentence_holds():
    found = [lost(name, 0.01, True) for name in "abcdef"]
    told = regressions_clause(gate(regressions=found[:5]))
    assert "e (4/4 to 0/4)" in told and "more" not in told
    assert regressions_clause(gate(regressions=found)).endswith("e (4/4 to 0/4) and 1 more")


@pytest.mark.parametrize(
    "detectable, n_min, needed, said",
    [
        (3, 4, 4, "On 3 of 20 questions losing every right sample would be significant."),
        (0, 4, 4, "No question was right often enough before"),
        (0, 3, 4, "With 3 to 4 samples each, no single drop can be significant; 4 samples each"),
    ],
)
def test_what_the_samples_could_show(detectable, n_min, needed, said):
    assert said in regression_power_sentence(
        RegressionPower(20, detectable, n_min, 4, needed, 0.05)
    )


@pytest.mark.parametrize(
    "p, named", [(0.2, True), (0.201, False), (0.01, True)]
)
def test_the_nearest_regressions_are_named(p, named):
    power = RegressionPower(20, 1, 4, 4, 4, 0.05)
    made = gate(regressions=[lost("a", p)], regression_power=power)
    assert ("Largest non-significant: a (4/4 to 0/4)." in question_sentences(made)[0]) is named
    made.regressions = [lost(name, p) for name in "abcd"]
    assert ("a (4/4 to 0/4), b (4/4 to 0/4) and c (4/4 to 0/4)." in question_sentences(made)[0]
            ) is named
    made.regressions = made.regressions[:1]
    made.forbids_regressions = True
    assert bool(question_sentences(made)) is named
    made.regressions = [lost("a", p, True)]
    assert question_sentences(made) == [] and question_sentences(gate()) == []


@pytest.mark.parametrize(
    "right, share, said",
    [
        ([4], 1, "1 must-pass question is right in every sample"),
        ([4, 4], 0.5, "2 must-pass questions are right in at least 50 % of the samples"),
        ([4, 3], 1, "1 of 2 must-pass questions not right in every sample: q1 (3/4)"),
        ([0] * 5, 1, "q4 (0/4)"),
        ([0] * 6, 1, "q4 (0/4) and 1 more"),
    ],
)
def test_questions_that_must_pass(right, share, said):
    found = [
        MustPass(f"q{i}", c, 4, 4, "pass" if c >= 4 else "fail") for i, c in enumerate(right)
    ]
    assert required_questions(gate(must_pass=found, must_pass_share=share)).endswith(said)


@pytest.mark.parametrize(
    "samples, needed, bound",
    # All of n right refute a share below the n-th root of .05.
    [([1], [1], 5), ([5], [5], 55), ([20, 5], [20, 5], 55), ([20], [20], 86), ([5], [4], None)],
)
def test_what_right_samples_show(samples, needed, bound):
    found = [MustPass("q", n, n, least, "pass") for n, least in zip(samples, needed)]
    told = explain_must_pass(found)
    assert ("show that" in told) is (bound is not None)
    if bound is not None:
        n = min(samples)
        assert f"{n} of {n} right show" in told and f"at least {bound} % (95 % bound)" in told
        assert abs(bound / 100 - 0.05 ** (1 / n)) <= 0.005


@pytest.mark.parametrize("size, more", [(1, 0), (50, 0), (51, 1), (90, 40)])
def test_long_tables_are_cut(size, more):
    table, *said = cut_table(["a"], [[str(i)] for i in range(size)], "x")
    assert len(table.rows) == size - more
    assert [one.text.split(" more")[0] for one in said] == [str(more)] * bool(more)


def test_tables_of_single_questions():
    power = RegressionPower(20, 0, 4, 4, 5, 0.05, 7)
    found = [MustPass("a", 4, 4, 4, "pass"), MustPass("b", 3, 4, 4, "fail")]
    made = gate(must_pass=found, regressions=[lost("c")], regression_power=power)
    first, second = question_tables(made)
    assert [one[:3] for one in first.rows] == [["b", "3/4", "4/4"], ["a", "4/4", "4/4"]]
    assert second.title == "Questions that scored lower (1 of 7)" and second.rows[0][-1] == "no"
    made.regression_power = RegressionPower(20, 0, 4, 4, 5, 0.05)
    assert question_tables(made)[1].title == "Questions that scored lower"
    assert question_tables(gate()) == []


@pytest.mark.parametrize(
    "kind, verdict, named",
    [
        ("drop", "fail", True),
        ("same", "inconclusive", True),
        ("drop", "pass", False),
        ("minimum", "fail", False),
        ("must_pass", "fail", False),
        ("regressions", "fail", False),
    ],
)
def test_questions_behind_a_rule(kind, verdict, named):
    found = [lost(name) for name in "abcdef"]
    told = name_behind(gate(regressions=found), row(kind, verdict=verdict))
    assert bool(told) is named and name_behind(gate(), row(kind, verdict=verdict)) == []
    assert not named or "e (4/4 to 0/4)." in told[0] and "f (" not in told[0]


# What a rule found.

T = Interval(-0.1, 0.1, 0.95, "new_questions", Method("t", False))


def told(kind="drop", verdict="inconclusive", **given):
    "A rule by t on new questions."
    known = dict(verdict=verdict, interval=T, method=T.method, test="", evidence=None,
                 method_asked=False, without_assumptions=None, bounds=None, weights=None,
                 for_new_questions=None, equal_flips=None)
    return row(kind, **known | given)


@pytest.mark.parametrize(
    "one, names, said",
    [
        (
            told(),
            ("n", "b"),
            "n - b = 0.0 points in pass@1 (95 % CI -10.0 to +10.0, new questions, t); drop "
            "allowed: 2 points",
        ),
        (told("same"), ("", ""), "new - baseline = 0.0 points in pass@1 (95 % CI -10.0 to +10.0, "
                                 "new questions, t); margin: 2 points either way"),
        (
            told("minimum", value=0.5, low=0.4, high=0.6, limit=0.9),
            ("n",),
            "n has 50.0 % in pass@1 (95 % CI 40.0 to 60.0 %, new questions); at least 90 % "
            "required",
        ),
        (
            told("minimum", value=0.5, low=0.4, high=0.6, limit=0.9, interval=None),
            ("",),
            "50.0 % in pass@1 (40.0 to 60.0 %, new questions); at least 90 % required",
        ),
        (told(method=None), ("n", "b"), "n - b = 0.0 points in pass@1 (95 % CI -10.0 to +10.0, new "
                                        "questions); drop allowed: 2 points"),
    ],
)
def test_what_was_found_of_a_rule(one, names, said):
    made = gate(one, names=names)
    assert finding_of(made, one) == said
    assert describe_check(made, one).startswith(f"INCONCLUSIVE {name_rule(one)}. {said}.")


def test_a_finding_without_an_interval_opens_with_a_capital():
    one = told("regressions", "pass", low=None, high=None)
    made = gate(one, regressions=[])
    assert describe_check(made, one) == (
        "PASS no question regresses. No question scored lower."
    )
    assert check_beside_table(made, one) == describe_check(made, one)
    assert check_beside_table(made, told("must_pass", "pass", low=None)) == ""
    made.must_pass = [MustPass("q1", 3, 4, 4, "fail")]
    assert check_beside_table(made, told("must_pass", "fail", low=None)) == (
        "FAIL must-pass questions. 1 of 1 must-pass question not right in every sample: q1 (3/4)."
    )


def other(verdict="pass", low=-0.3, high=0.3):
    return SimpleNamespace(verdict=verdict, low=low, high=high, interval=T)


RARE = "t assumes no rare large"


@pytest.mark.parametrize(
    "one, said",
    [
        (told(), ""),
        (told(verdict="pass", without_assumptions=other("pass")),
         "Also without assumptions (-30.0 to +30.0)."),
        (told(without_assumptions=other("inconclusive")), ""),
        (
            told(verdict="pass", without_assumptions=other("inconclusive")),
            f"Without assumptions: inconclusive (-30.0 to +30.0); {RARE} losses that these "
            "questions missed.",
        ),
        (
            told(verdict="fail", value=-0.02, without_assumptions=other("inconclusive")),
            f"Without assumptions: inconclusive (-30.0 to +30.0); {RARE} gains that these "
            "questions missed.",
        ),
        (
            told(verdict="pass", without_assumptions=other("inconclusive"),
                 method=Method("t", False, clusters=7)),
            f"Without assumptions: inconclusive (-30.0 to +30.0); {RARE} losses that these "
            "clusters missed.",
        ),
        (
            told(verdict="pass", without_assumptions=other("inconclusive"), method=None),
            f"Without assumptions: inconclusive (-30.0 to +30.0); {RARE} losses that these "
            "questions missed.",
        ),
        (told("minimum", "fail", value=0.5, limit=0.4, without_assumptions=other("pass", 0.1, 0.3)),
         "Without assumptions: pass (10.0 to 30.0 %); t assumes no rare large losses that these "
         "questions missed."),
    ],
)
def test_a_rule_without_assumptions(one, said):
    assert without_assumptions(one) == said


@pytest.mark.parametrize(
    "rows, said",
    [
        ([told()], []),
        ([told(for_new_questions=other())],
         ["New questions: pass (95 % CI -30.0 to +30.0, t)."]),
        (
            [
                told(for_new_questions=other("inconclusive")),
                told(),
                told("minimum", limit=0.9, for_new_questions=other("fail", 0.1, 0.3)),
            ],
            [
                "New questions: inconclusive for pass@1 drop <= 2 points (95 % CI -30.0 to +30.0, "
                "t); fail for pass@1 >= 90 % (95 % CI 10.0 to 30.0 %)."
            ],
        ),
    ],
)
def test_what_rules_say_of_new_questions(rows, said):
    assert verdicts_on_new(gate(*rows)) == said


# Rows of tables.


@pytest.mark.parametrize(
    "one, cells, numbers",
    [
        (
            told(verdict="pass", value=0.031),
            ["pass@1 drop <= 2 points", "+3.1", "-10.0 to +10.0", "new", "✓ PASS"],
            ["pass@1", "+0.031", "-0.100", "+0.100", "-0.020", "20", "new questions", "pass"],
        ),
        (
            told(unit="score", value=0.031, target="same_questions"),
            ["pass@1 drop <= 0.02", "+0.031", "-0.100 to +0.100", "same", "? INCONCLUSIVE"],
            ["pass@1", "+0.031", "-0.100", "+0.100", "-0.020", "20", "same questions",
             "inconclusive"],
        ),
        (
            told("minimum", "fail", value=0.5, low=0.25, high=0.75, limit=0.9),
            ["pass@1 >= 90 %", "50.0 %", "25.0 to 75.0 %", "new", "✗ FAIL"],
            ["pass@1", "0.500", "0.250", "0.750", "0.900", "20", "new questions", "fail"],
        ),
        (
            told("must_pass", "fail", value=3, low=None, limit=4, target="samples"),
            ["must-pass questions", "3 of 4", "-", "-", "✗ FAIL"],
            ["pass@1", "3", "-", "-", "4", "20", "samples drawn", "fail"],
        ),
        (
            told("regressions", "pass", value=0, low=None, limit=0, target="same_questions"),
            ["no question regresses", "0", "-", "-", "✓ PASS"],
            ["pass@1", "0", "-", "-", "0", "20", "same questions", "pass"],
        ),
    ],
)
def test_a_rule_is_a_row(one, cells, numbers):
    assert write_row(one) == cells and write_numbers(one) == numbers


@pytest.mark.parametrize(
    "rows, head",
    [
        ([told()], ["rule", "change", "95 % CI", "questions", "verdict"]),
        ([told("same"), told("minimum")], ["rule", "value", "95 % CI", "questions", "verdict"]),
        (
            [told("must_pass", "pass", low=None, interval=None, limit=1)],
            ["rule", "value", "CI", "questions", "verdict"],
        ),
    ],
)
def test_heads_of_the_rules(rows, head):
    assert make_table(gate(*rows)).head == head


def test_a_regression_is_a_row():
    assert write_regression(lost("a", 0.2)) == ["a", "4/4", "0/4", ".200", ".400", "no"]
    assert write_regression(lost("a", 1e-13, True))[3:] == ["<1e-12", "<1e-12", "yes"]


# What stands below.


@pytest.mark.parametrize(
    "verdict, command, said",
    [
        ("pass", Command(), "Exit code 0."),
        ("fail", Command(inconclusive_passes=True), "Exit code 1."),
        ("inconclusive", Command(), "Exit code 3; --inconclusive-passes makes it 0, --strict 1."),
        ("inconclusive", Command(strict=True), "Exit code 1 (--strict)."),
        ("inconclusive", Command(inconclusive_passes=True), "Exit code 0 (--inconclusive-passes)."),
    ],
)
def test_the_exit_code_is_said(verdict, command, said):
    codes = {"pass": 0, "fail": 1}

    def exit_code(strict, passes):
        return codes.get(verdict, 0 if passes else 1 if strict else 3)

    made = gate(told(), verdict=verdict, command=command, exit_code=exit_code)
    assert exit_code_sentence(made) == said
    blocks = next_step_blocks(made)
    assert len(blocks) == (2 if verdict == "fail" else 0)


@pytest.mark.parametrize(
    "alignment, said",
    [(None, "Next: explain(new) shows"), (object(), "Next: explain(baseline, other=new) shows")],
)
def test_the_questions_behind_a_failure(alignment, said):
    made = gate(told(), verdict="fail", command=None, alignment=alignment)
    assert next_step_blocks(made)[0].text.startswith(said)


ITEMS = SimpleNamespace(kind="items", count=250, names=(), value=8.0, total=2000)
READ = dict(new=SimpleNamespace(all_notes=lambda: iter([ITEMS]), warnings=()))


def data(*rows, **given):
    known = dict(identical=False, alignment=None, read={}, equal_weights="", task_versions="")
    return gate(*rows, **known | given)


WEIGHTED = Weighted("points", 9.5, 3.5, True)


@pytest.mark.parametrize(
    "made, said",
    [
        (data(told()), []),
        (data(told(), identical=True), ["baseline and new hold the same outcomes on all 20"]),
        (data(told(), alignment=Alignment(20, ())), []),
        (data(told(), equal_weights="points"),
         ["weights: points gives all questions the same weight."]),
        (data(told(), read=READ), ["250 items, each in 8 groups: the item is the unit."]),
        (data(told(target="same_questions"), read=READ), []),
        (data(told(target="same_questions"), told(), read=READ), ["250 items, each in 8 groups"]),
        (
            data(told(), told(weights=WEIGHTED)),
            [
                "Questions are weighted by points (worth 9.5 questions of equal weight). CIs for "
                "new questions hold for weights up to 3.5, as declared."
            ],
        ),
    ],
)
def test_what_a_reader_has_to_know(made, said):
    found = data_sentences(made)
    assert len(found) == len(said) and all(b.startswith(a) for a, b in zip(said, found))


def test_cautions_are_said_once():
    note = SimpleNamespace(sentence="Not checked.")
    read = {name: SimpleNamespace(warnings=(note,)) for name in "ab"}
    assert caution_sentences(data(told(), read=read, task_versions="Two versions")) == [
        "Two versions.", "Not checked.",
    ]
    assert caution_sentences(data(told())) == []


@pytest.mark.parametrize(
    "names, said",
    [(("n", "b"), "gate fail: n vs b"), (("n", ""), "gate fail: n"), (("", ""), "gate fail")],
)
def test_the_title_names_the_systems(names, said):
    assert title(gate(told(), names=names, verdict="fail")) == said


# Methods.


def test_what_intervals_are_about():
    new, same, counted = told(), told(target="same_questions"), told("must_pass", low=None)
    assert explain_targets(gate(counted)) == []
    (said,) = explain_targets(gate(new, counted))
    assert said.endswith("which mostly makes it wider.") and [said] == explain_targets(gate(same))
    assert explain_targets(gate(new, same))[0].startswith(f"{said} A rule is about the same")


def test_intervals_are_explained_once():
    other = Interval(0, 1, 0.95, "new_questions", Method("wilson", False))
    said = "CIs are two-sided: 95 % t (approximate)"
    assert explain_intervals(gate(told(), told(), told(interval=None))) == f"{said}."
    assert explain_intervals(gate(told(), told(interval=other))).startswith(f"{said}; 95 % wilson")
    assert explain_intervals(gate(told(interval=None))) == ""


@pytest.mark.parametrize(
    "rows, said",
    [
        (1, ""),
        (2, "level, and so does the other one."),
        (3, "level, the other 2 at the levels of Holm's correction @{holm1979}."),
    ],
)
def test_how_several_rules_are_judged_together(rows, said):
    counted = told("must_pass", low=None)
    made = gate(*[told()] * rows, counted, primary="pass@1" if rows > 1 else None)
    found = explain_several(made)
    assert found.endswith(said) and bool(found) == bool(said)
    assert not said or "To fail, 'pass@1', named first, needs its CI below the limit" in found


@pytest.mark.parametrize(
    "passes, flips, said",
    [
        (None, None, ""),
        (0.5, None, ""),
        (
            0.256,
            0.124,
            "pass@1: a system equal to the baseline passes in about 26 % of runs, and in a rerun "
            "gets another verdict in 12 % (normal approximation).",
        ),
    ],
)
def test_how_often_equal_systems_pass(passes, flips, said):
    assert explain_equals(told(equal_passes=passes, equal_flips=flips)) == said


def test_evidence_and_regressions_are_explained():
    watched = SimpleNamespace(needed=20.0)
    said = explain_watched(told(watched=watched))
    assert "limit -0.02, averaged" in said
    assert "ever reaches 20 wrongly with a chance of 1/20" in said
    assert explain_watched(told()) == ""
    said = explain_fisher(RegressionPower(1, 0, 4, 4, 5, 0.05))
    assert "over 1 question, family-wise error rate at most 0.05." in said


@pytest.mark.parametrize(
    "found, said",
    [(1e6, "1e+06"), (1.0001e6, "over a million"), (0.25, "0.25"), (19.96, "20"), (123.4, "123")],
)
def test_how_much_evidence_there_is(found, said):
    assert write_evidence(found) == said


def test_what_samples_could_show_is_said_where_none_regressed():
    power = RegressionPower(20, 3, 4, 4, 4, 0.05)
    made = gate(told(), regression_power=power)
    assert explain_regressions(made, told("regressions", "fail")) == []
    assert explain_regressions(gate(told()), told("regressions", "pass")) == []
    assert explain_regressions(made, told("regressions", "pass"))[0].startswith("On 3 of 20")
    assert describe_must_pass(MustPass("q", 3, 4, 4, "fail")) == (
        "3/4 samples are right, 4 are needed"
    )
