"Where a plan turns: what it says of a run, of labels and of a rule, and what it refuses."

from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.analyses.plan.groups import check_groups
from sampling_eval.analyses.plan.preparation_words import (
    labelling_sentence,
    planned_questions,
    preparation_sentences,
    run_sentence,
    settled_sentence,
)
from sampling_eval import plan
from sampling_eval.analyses.plan import groups_words, width_words
from sampling_eval.analyses.plan import words as plan_words
from sampling_eval.analyses.plan.result import (
    AtCorrelation,
    GroupPlan,
    JudgingPlan,
    PlannedGroupWidth,
    PlannedQuestion,
    PlannedRun,
    PlannedWidth,
    SettledRule,
    WidthPlan,
)
from sampling_eval.analyses.plan.verb import (
    AskedRules,
    check_extent,
    check_pilot,
    name_budget,
    name_goal,
    name_one,
    parse_credit_metric,
    parse_planned_metric,
    plan_judging,
    plan_rule,
    planned_samples,
    refuse_endless,
    refuse_two_sources,
)
from sampling_eval.analyses.plan.width import check_alone
from sampling_eval.analyses.plan.words import (
    asked_size,
    assumed_truth,
    assumption_sentences,
    can_draw,
    difference_of_row,
    draw_power,
    enough_samples,
    enough_sentence,
    explain_gate,
    gate_blocks,
    gate_plan_sentence,
    headline,
    limit_sentences,
    make_table,
    make_whole_table,
    methods,
    methods_blocks,
    name_planned,
    name_role,
    pilot_sentences,
    power_sentence,
    recommended_row,
    simulation_error,
    unknown_correlation,
    unknown_truths,
    without_assumptions,
    write_number,
)
from sampling_eval.foundations.counts import Counts
from sampling_eval.inference.intervals import Interval
from sampling_eval.render.blocks import Curves, Fold, Headline, Text


def run(*samples, drawn=True, seed=7):
    listed = tuple(PlannedQuestion(f"q{i}", n) for i, n in enumerate(samples))
    return PlannedRun(1000, drawn, seed, listed)


@pytest.mark.parametrize(
    "found, said",
    [
        (run(4, 4), "Run 2 of 1,000 questions, drawn at random (seed 7), 4 samples each; with"),
        (run(4, 4, seed=None), "Run 2 of 1,000 questions, drawn at random, 4 samples each; with"),
        (run(4, 4, seed=0), "drawn at random (seed 0), 4"),
        (
            run(1, 9, 3, drawn=False, seed=None),
            "Run all 1,000 questions, 1 to 9 samples each by the difficulty in the earlier run, "
            "13 samples in all; do not change",
        ),
    ],
)
def test_what_to_run(found, said):
    assert said in run_sentence(found)
    (table,) = planned_questions(found)
    assert table.rows == [[f"q{i}", str(one.samples)] for i, one in enumerate(found.listed)]


@pytest.mark.parametrize(
    "labels, gradings, said",
    [
        (1, None, "about 1 label drawn at random give a corrected pass@1 within 5 points"),
        (1200, None, "about 1,200 labels drawn at random give"),
        (None, None, "no number of labels gives a corrected pass@1 within 5 points"),
        (9, 0.4, "Best gradings per answer: 1.0."),
        (9, 2.44, "Best gradings per answer: 2.4."),
    ],
)
def test_what_to_label(labels, gradings, said):
    told = labelling_sentence(JudgingPlan(0.93, 0.9, 0.5, 0.05, labels, gradings))
    assert said in told and ("Best gradings" in told) is (gradings is not None)


def test_when_a_rule_is_settled():
    rule = SettledRule(0.8, 50, 46, {"80 %": 24.25, "90 %": 48.0})
    told = settled_sentence(rule)
    # Five failures leave 45 successes at most.
    assert rule.failures == 5 and "settled after 46 successes or 5 failures" in told
    assert "passes with 46 right" in told and "true share: 24.2 at 80 %, 48.0 at 90 %" in told
    none = settled_sentence(SettledRule(0.8, 5, None, {}))
    assert none.endswith("one try of each of 5 questions: no outcome passes; ask more questions.")
    assert SettledRule(0.8, 5, None, {}).failures is None
    judging = JudgingPlan(0.93, 0.9, 0.5, 0.05, 1, None)
    assert len(list(preparation_sentences(run(4), judging, rule))) == 3
    assert list(preparation_sentences(None, None)) == []


# Refusals.


@pytest.mark.parametrize(
    "width, hint",
    [
        (0, ""),
        (-0.1, ""),
        (0.5, ""),
        (0.9, ""),
        (1, "1 points are half_width=0.01"),
        (49.9, "49.9 points are half_width=0.499"),
        (50, ""),
        (True, ""),
        ("2", ""),
        (float("nan"), ""),
    ],
)
def test_a_width_that_no_share_has(width, hint):
    with pytest.raises(ValueError, match="half_width must lie between 0 and 0.5") as error:
        check_alone(width, {}, "new_questions")
    assert str(error.value).endswith(hint) and (" points are " in str(error.value)) is bool(hint)


@pytest.mark.parametrize("width", [0.499, 1e-9, np.float64(0.02)])
def test_a_width_that_a_share_has(width):
    check_alone(width, dict(delta=None), "new_questions")
    check_alone(width, {}, "new_questions", groups=True)


@pytest.mark.parametrize(
    "given, groups, said",
    [
        (dict(delta=0), False, "asks for the questions of one system, got delta as well"),
        (dict(n=4), True, "leave it out; each group is asked as often as in the pilot"),
        (dict(method="t"), True, "leave it out; the CI is that of t"),
        (dict(budget=4), True, "leave it out; questions says how many questions there will be"),
    ],
)
def test_what_goes_with_no_width(given, groups, said):
    with pytest.raises(ValueError, match=said):
        check_alone(0.02, given, "new_questions", groups)


@pytest.mark.parametrize(
    "by, crossed, width, pilot, said",
    [
        (None, False, None, None, False),
        (None, np.False_, 0.1, "x", False),
        ("p", True, 0.1, "x", True),
        ("p", np.True_, 0, "x", True),
        ("p", False, 0.1, "x", "add crossed=True"),
        ("p", True, None, "x", "got no half_width"),
        ("p", True, 0.1, None, "got no pilot"),
        (None, True, 0.1, "x", "got no by"),
        (None, True, None, None, "got no half_width"),
        ("p", 1, 0.1, "x", "crossed must be True or False"),
    ],
)
def test_groups_are_planned_where_all_is_given(by, crossed, width, pilot, said):
    if isinstance(said, bool):
        assert check_groups(by, crossed, width, pilot) is said
        return
    with pytest.raises((ValueError, TypeError), match=said):
        check_groups(by, crossed, width, pilot)


# Sentences of a power analysis.


def row(samples=4, questions=100, delta=0.05, power=0.9, **more):
    return dict(samples=samples, questions=questions, delta=delta, power=power, cost=1.0) | more


def analysis(*rows, **given):
    known = dict(
        goal="delta", rows=rows, best=0, choices={}, asked=dict(delta=0.05, questions=100),
        metric="pass@1", wanted=0.8, power=[0.5], samples=np.array([4, 8]), others=(),
        correlation=None, without_assumptions=(), error=0.0, method="interval", pilots=0,
        confidence_level=0.95, target="new_questions", questions_needed=None, gate=None,
        population=None, smallest=None, enough=None, notes=(),
        components=SimpleNamespace(
            between=0.1, within=np.array([0.2, 0.1]), total=np.array([0.3, 0.2]), source="a pilot"
        ),
    )
    return SimpleNamespace(**known | given)


@pytest.mark.parametrize(
    "delta, text",
    [(0.01, "1 point"), (0.05, "5 points"), (0.015, "1.5 points"), (None, "0 points")],
)
def test_a_difference_as_it_was_typed(delta, text):
    assert asked_size(analysis(asked=dict(delta=delta))) == text


@pytest.mark.parametrize(
    "best, needed, said",
    [
        (0, None, "Yes: 100 questions at 4 samples each detect a true difference of 5 points"),
        (None, None, "No: 100 questions at up to 8 samples each detect a true difference"),
        (None, 700, "asked for); 700 questions at 8 samples each would be enough."),
        (None, 1, "asked for); 1 question at 8 samples each would be enough."),
    ],
)
def test_whether_so_many_questions_are_enough(best, needed, said):
    assert said in enough_sentence(analysis(row(), best=best, questions_needed=needed))


@pytest.mark.parametrize(
    "rows, correlation, said",
    [
        ([row(questions=60)], None, " if the systems are uncorrelated (60 questions if their"),
        ([row(questions=100)], None, ""),
        ([row(samples=8, questions=60)], None, ""),
        ([row(questions=60)], 0.3, ""),
        ([], None, ""),
    ],
)
def test_a_correlation_that_nobody_knows(rows, correlation, said):
    others = [SimpleNamespace(rows=rows, correlation=0.5)]
    told = unknown_correlation(analysis(others=others, correlation=correlation), row())
    assert told.startswith(said) and bool(told) == bool(said)


@pytest.mark.parametrize(
    "goal, other, said",
    [
        ("delta", row(questions=120), ["Without assumptions: 120 questions."]),
        ("questions", row(delta=0.07), ["Without assumptions: 7.0 points."]),
        ("questions", row(delta=None), []),
        ("both", row(power=0.7), ["Without assumptions: 70.0 % power."]),
        ("budget", row(delta=0.07), []),
        ("delta", row(), []),
        ("delta", row(samples=8, questions=9), []),
    ],
)
def test_the_same_without_assumptions(goal, other, said):
    made = analysis(row(), goal=goal, without_assumptions=[other])
    assert list(without_assumptions(made)) == said
    assert list(without_assumptions(analysis(row(), best=None, goal=goal))) == []


@pytest.mark.parametrize(
    "goal, error, said",
    [
        ("delta", 0.0, "computed exactly"),
        ("both", 0.01, "simulated with a standard error of 1 points"),
        # .01 / phi(z.8) / (z.8 + z.975), twice that for questions: 1.3 % and 2.5 %.
        ("questions", 0.01, "moves the numbers by about 1 %"),
        ("delta", 0.01, "moves the numbers by about 3 %"),
    ],
)
def test_how_far_another_seed_moves_the_numbers(goal, error, said):
    told = simulation_error(analysis(goal=goal, error=error))
    assert told.endswith(said)
    if error and goal != "both":
        from scipy.stats import norm

        z = norm.ppf(0.8)
        moved = error / norm.pdf(z) / (z + norm.ppf(0.975)) * (2 if goal == "delta" else 1)
        assert f"about {100 * moved:.1g} %" in told


def test_approximate_powers_say_so():
    assert "normal quantiles, an approximation" in power_sentence(analysis(method="normal"))
    assert "excludes 0 on the correct side, computed exactly." in power_sentence(analysis())


@pytest.mark.parametrize(
    "given, said, unsaid",
    [
        (dict(), "*: recommended.", "With fewer than"),
        (dict(smallest=np.array([1, 1])), "", "With fewer than"),
        (dict(smallest=np.array([6, 6])), "With fewer than 6 questions the CI never", "most"),
        (dict(smallest=np.array([6, 4])), "than 6 questions (4 at the most samples) the", "#"),
        (dict(smallest=np.array([6, 1])), "than 6 questions (1 at the most samples) the", "#"),
        (dict(target="same_questions"), "", "Between:"),
    ],
)
def test_what_no_data_could_show(given, said, unsaid):
    told = " ".join(limit_sentences(analysis(**given)))
    assert said in told and unsaid not in told and told.endswith("Based on: a pilot.")


@pytest.mark.parametrize(
    "between, method, said",
    [(-0.001, "interval", "as little as possible is used"), (-0.001, "normal", "; 0 is used"),
     (0, "normal", None)],
)
def test_a_variance_below_zero(between, method, said):
    parts = SimpleNamespace(between=between, within=np.ones(1), total=np.ones(1), source="x")
    told = " ".join(limit_sentences(analysis(components=parts, method=method)))
    assert said in told if said else "below 0 by chance" not in told


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(enough=3), "From 3 samples per question on, at most 10 %"),
        (dict(), "At 8 samples per question, 50 % of the variance still comes from sampling."),
        (dict(target="same_questions"), ""),
        (dict(target="same_questions", enough=3), ""),
    ],
)
def test_from_how_many_samples_more_save_little(given, said):
    told = " ".join(enough_samples(analysis(**given)))
    assert told.startswith(said) and bool(told) == bool(said)


def rule(kind="drop", limit=-0.02, truth=0.0):
    return SimpleNamespace(kind=kind, limit=limit, truth=truth, metric="pass@1")


@pytest.mark.parametrize(
    "one, name, truth",
    [
        (rule(), "pass@1 drop <= 2 points", "candidate and baseline are equal"),
        (rule(limit=-0.01), "pass@1 drop <= 1 point", "candidate and baseline are equal"),
        (rule(truth=0.01), "pass@1 drop <= 2 points", "the true difference is +1.0 points"),
        (rule("minimum", 0.8, 0.9), "pass@1 >= 80 %", "pass@1 is truly 90.0 %"),
        (rule("minimum", 0.8, 0.0), "pass@1 >= 80 %", "pass@1 is truly 0.0 %"),
    ],
)
def test_rules_that_are_planned(one, name, truth):
    assert (name_planned(one), assumed_truth(one)) == (name, truth)


@pytest.mark.parametrize(
    "best, power, said",
    [
        (1, (0.7, 0.85), "with 85.0 % power (80 % asked for) with 90 questions at 8 samples"),
        (0, (0.81, 0.85), "passes with 81.0 % power (80 % asked for) with 120 questions at 4"),
        (None, (0.7, 0.75), "passes with at most 75.0 % power if"),
        (None, (), "passes with at most no power if"),
    ],
)
def test_how_many_questions_pass_a_gate(best, power, said):
    gate = SimpleNamespace(
        rules=[rule()], best=best, power=power, questions=(120, 90), samples=(4, 8), wanted=0.8
    )
    assert said in gate_plan_sentence(gate)
    assert ("Each rule passes" in explain_gate(gate, 0.95)) is False
    gate.rules *= 2
    assert "Each rule passes" in explain_gate(gate, 0.95)


@pytest.mark.parametrize(
    "pilots, rules, correlation, said",
    [
        (0, [rule()], None, ["No pilot", "unknown and taken as 0;"]),
        (1, [rule()], None, ["unknown and taken as 0;"]),
        (1, [rule()], 0.5, []),
        (0, [rule("minimum", 0.8, 0.9)], None, ["No pilot"]),
        (1, [rule("minimum", 0.8, 0.9)], None, []),
        (1, [rule(), rule("minimum", 0.8, 0.9)], None, ["unknown and taken as 0;"]),
    ],
)
def test_what_a_plan_of_a_gate_assumes(pilots, rules, correlation, said):
    gate = SimpleNamespace(rules=rules)
    told = list(unknown_truths(analysis(pilots=pilots, gate=gate, correlation=correlation)))
    assert len(told) == len(said) and all(a in b for a, b in zip(said, told))


def test_roles_of_rows():
    assert name_role(analysis(), "best") == "cheapest"
    assert name_role(analysis(goal="both"), "best") == "recommended"
    assert name_role(analysis(), "piloted") == "as now"


# The answer.


@pytest.mark.parametrize(
    "given, said",
    [
        (
            {},
            "100 questions at 4 samples each would detect a true difference of 5 points in pass@1 "
            "with 80 % power.",
        ),
        (
            dict(best=None),
            "A true difference of 5 points in pass@1 with 80 % power: not achievable.",
        ),
        (
            dict(goal="questions", asked=dict(questions=100)),
            "Minimum detectable difference in pass@1 with 80 % power: 5.0 points, with 100 "
            "questions at 4 samples each.",
        ),
        (
            dict(goal="questions", asked=dict(questions=1), best=None),
            "Minimum detectable difference in pass@1 with 80 % power and 1 question: not "
            "achievable.",
        ),
        (
            dict(goal="budget", asked=dict(questions=None, budget=1600)),
            "Minimum detectable difference in pass@1 with 80 % power: 5.0 points, with a budget of "
            "1,600: 100 questions at 4 samples each.",
        ),
        (
            dict(goal="budget", asked=dict(questions=None, budget=1600), best=None),
            "Minimum detectable difference in pass@1 with 80 % power and a budget of 1,600: not "
            "achievable.",
        ),
        (dict(goal="both"), "Yes: 100 questions at 4 samples each detect a true difference of 5"),
        (
            dict(others=(AtCorrelation(0.0, ()), AtCorrelation(0.9, (row(questions=60),)))),
            "with 80 % power if the systems are uncorrelated (60 questions if their correlation is "
            "0.9).",
        ),
    ],
)
def test_what_to_do(given, said):
    told = headline(analysis(row(), **given))
    assert told == said or said in told and given.get("goal") == "both" or told.endswith(said)


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, ["No pilot: assumes uniformly distributed difficulty."]),
        (dict(pilots=1), []),
        (dict(pilots=2, correlation=0.456), ["Correlation of the two systems over the pilot's "
                                             "questions: 0.46."]),
        (dict(pilots=2, correlation=1.2), ["Correlation of the two systems over the pilot's "
                                           "questions: 1.00."]),
        (dict(pilots=2, correlation=-1.2), ["Correlation of the two systems over the pilot's "
                                            "questions: -1.00."]),
        (dict(pilots=1, others=(AtCorrelation(0.0, ()),)),
         ["The correlation between the systems is unknown; pilot both on the same questions to "
          "estimate it."]),
        (dict(pilots=1, without_assumptions=(row(questions=130),)),
         ["Without assumptions: 130 questions."]),
    ],
)
def test_what_a_plan_hangs_on(given, said):
    assert list(assumption_sentences(analysis(row(), **given))) == said


@pytest.mark.parametrize(
    "given, begins",
    [
        (dict(pilots=0), []),
        (dict(pilots=1), ["Pilot: "]),
        (dict(pilots=2, alignment=SimpleNamespace(common=9, unmatched=())),
         ["Pilots: same 9 questions. "]),
        (dict(pilots=0, clustered=True), ["Clusters are not used: "]),
    ],
)
def test_what_was_read_of_pilots(given, begins):
    known = dict(alignment=None, clustered=False, read={}) | given
    told = list(pilot_sentences(analysis(row(), **known)))
    assert len(told) == len(begins) and all(a.startswith(b) for a, b in zip(told, begins))


# Tables.


@pytest.mark.parametrize(
    "name, number, text",
    [
        ("samples", 1200, "1,200"),
        ("questions", 4096, "4,096"),
        ("cost", 123456.7, "123,457"),
        ("cost", 0.5, "0.5"),
        ("cost", 999_999.7, "1,000,000"),
        ("cost", 1_234_567.8, "1,234,568"),
        ("power", 0.8, "80.0 %"),
        ("delta", 0.05, "5.0"),
        ("delta", None, "-"),
    ],
)
def test_numbers_of_a_row(name, number, text):
    assert write_number({name: number}, name) == text


TWO = [row(), row(8, 60, 0.05, 0.95)]
BOTH = {0: "best", 1: "most"}


@pytest.mark.parametrize(
    "given, head, lines, title",
    [
        (
            {},
            ["", "samples each", "questions", "cost"],
            [["cheapest", "4", "100", "1"], ["most samples", "8", "60", "1"]],
            "Questions",
        ),
        (
            dict(goal="questions"),
            ["", "samples each", "points"],
            [["recommended", "4", "5.0"], ["most samples", "8", "5.0"]],
            "Minimum detectable difference in points",
        ),
        (
            dict(goal="both"),
            ["", "samples each", "power"],
            [["recommended", "4", "90.0 %"], ["most samples", "8", "95.0 %"]],
            "Power",
        ),
        (
            dict(goal="budget"),
            ["", "samples each", "questions", "points"],
            [["recommended", "4", "100", "5.0"], ["most samples", "8", "60", "5.0"]],
            "Minimum detectable difference in points",
        ),
        (
            dict(goal="both", others=(AtCorrelation(0.5, (row(8, power=0.99),)),)),
            ["", "samples each", "r = 0", "r = 0.5"],
            [["recommended", "4", "90.0 %", "-"], ["most samples", "8", "95.0 %", "99.0 %"]],
            "Power by the correlation r of the two systems",
        ),
        (
            dict(goal="both", correlation=0.456, others=(AtCorrelation(0.0, ()),)),
            ["", "samples each", "r = 0.46", "r = 0"],
            [["recommended", "4", "90.0 %", "-"], ["most samples", "8", "95.0 %", "-"]],
            "Power by the correlation r of the two systems",
        ),
    ],
)
def test_the_rows_to_choose_between(given, head, lines, title):
    table = make_table(analysis(*TWO, choices=BOTH, **given))
    assert (table.head, table.rows, table.title) == (head, lines, title)


def test_every_number_of_samples():
    rows = [row(between_share=0.25), row(8, 60, None, 0.5, between_share=None)]
    table = make_whole_table(analysis(*rows, best=1))
    assert table.head == ["samples", "questions", "points", "power", "cost", "between"]
    assert table.rows == [
        ["4", "100", "5.0", "90.0 %", "1", "25 %"], ["* 8", "60", "-", "50.0 %", "1", "-"],
    ]
    table = make_whole_table(analysis(*rows, best=None, target="same_questions"))
    assert table.head[-1] == "cost" and table.rows[1][0] == "8" and len(table.rows[0]) == 5


@pytest.mark.parametrize(
    "best, deltas, method, population, drawn, row_",
    [
        (1, [0.05, 0.04], "interval", object(), True, 1),
        (1, [0.05, 0.04], "interval", None, False, 1),
        (1, [0.05, 0.04], "normal", None, True, 1),
        (1, [0.05, np.nan], "normal", None, False, 1),
        (None, [0.05, 0.04], "normal", None, True, 0),
        (None, [np.nan, 0.04], "normal", None, False, 0),
    ],
)
def test_whether_power_is_drawn(best, deltas, method, population, drawn, row_):
    made = analysis(
        best=best, delta=np.array(deltas), method=method, population=population,
        power=np.array([0.7, 0.6]),
    )
    assert can_draw(made) is drawn and recommended_row(made) == row_
    assert difference_of_row(made, row_) == (0.5 if np.isnan(deltas[row_]) else deltas[row_])


def test_power_is_drawn_over_the_questions():
    made = analysis(
        best=1, delta=np.array([0.05, 0.04]), questions=np.array([100, 64]), choices=BOTH,
        power_at=lambda i, delta, size: delta + i + size / 1000,
    )
    drawn = draw_power(made)
    assert [one.label for one in drawn.series] == ["4 samples each", "8 samples each"]
    first, second = drawn.series
    sizes = list(first.k)
    assert sizes == sorted(set(sizes)) and sizes[0] == 8 and sizes[-1] == 256
    assert list(second.value) == pytest.approx([1.04 + size / 1000 for size in sizes])
    assert list(first.value) == pytest.approx([0.04 + size / 1000 for size in sizes])
    assert drawn.across == "questions (true difference 4.0 points)"
    assert first.said[0] == "8 questions, 4 samples each: 4.8 % power"


# A gate.


@pytest.mark.parametrize("alone, kind", [(True, Headline), (False, Text)])
def test_a_gate_by_the_samples_of_each_question(alone, kind):
    gate = SimpleNamespace(
        rules=[rule()], best=1, power=(0.7, 0.85), questions=(None, 1200), samples=(4, 8),
        wanted=0.8, alone=alone,
    )
    said, table = gate_blocks(analysis(gate=gate))
    assert isinstance(said, kind) and said.text == gate_plan_sentence(gate)
    assert table.rows == [["4", "-", "70.0 %"], ["8", "1,200", "85.0 %"]] and table.left == 0
    assert gate_blocks(analysis()) == []
    (told,) = methods_blocks(analysis(gate=gate))
    assert (told.text == explain_gate(gate, 0.95)) is alone
    assert alone or told.text == methods(analysis(gate=gate))
    assert "Samples per question considered: 4 and 8. Based on: a pilot." in methods(analysis())


# What is asked.


@pytest.mark.parametrize(
    "delta, questions, budget, goal",
    [
        (None, 9, None, "questions"),
        (0.1, None, None, "delta"),
        (0.1, 9, None, "both"),
        (None, None, 9, "budget"),
        (None, 9, 9, "budget"),
    ],
)
def test_what_a_plan_looks_from(delta, questions, budget, goal):
    assert name_goal(delta, questions, budget) == goal


@pytest.mark.parametrize(
    "n, k, piloted, found",
    [
        (None, 1, None, [1, 2, 4, 8, 16, 32, 64]),
        (None, 3, None, [3, 6, 12, 24, 48, 96, 192]),
        (None, 2, 2, [2, 4, 8, 16, 32, 64, 128]),
        (None, 2, 3, [2, 3, 4, 8, 16, 32, 64, 128]),
        (None, 2, 1, [2, 4, 8, 16, 32, 64, 128]),
        (5, 1, 3, [5]),
        ([5, 7], 1, 3, [5, 7]),
    ],
)
def test_samples_to_plan_for(n, k, piloted, found):
    assert planned_samples(k, n, piloted).tolist() == found


@pytest.mark.parametrize(
    "delta, questions, said",
    [
        (1e-4, None, None),
        (9e-5, None, "need delta >= 0.0001, got 9e-05"),
        (None, 10**10, None),
        (None, 10**10 + 1, "need questions <= 10,000,000,000, got 10000000001"),
        (10**10, None, None),
        (10**10 + 1, None, "need delta between 0.0001 and 10,000,000,000, got a number farther"),
    ],
)
def test_what_no_benchmark_has(delta, questions, said):
    if said is None:
        refuse_endless(delta, questions)
        return
    with pytest.raises(ValueError, match=said):
        refuse_endless(delta, questions)


@pytest.mark.parametrize(
    "given, k, want",
    [
        (None, None, "pass@1"),
        (None, 4, "pass@4"),
        ("pass^k", 4, "pass^4"),
        ("pass@8", None, "pass@8"),
        ("pass@8", 4, "'pass@8' states its budget, or has none, got k=4 as well"),
        ("avg@n", 4, "'avg@n' states its budget, or has none, got k=4 as well"),
        ("pass@k", [1, 2], r"a plan is for one budget, got k=\[1, 2\]"),
    ],
)
def test_a_metric_with_the_budget_beside_it(given, k, want):
    if " " not in want:
        assert name_budget(given, k) == want
        return
    with pytest.raises(ValueError, match=want):
        name_budget(given, k)


@pytest.mark.parametrize(
    "given, want",
    [
        ("pass@8", ("pass@k", 8)),
        ("avg@n", ("avg@n", 1)),
        ("pass@k", "state the budget, as in 'pass@8', got 'pass@k'"),
        ("maj@4", "planning needs a metric that follows from the number of right samples, got maj"),
        ({"mine@k": len}, "write the metric as a name with its budget, such as 'pass@8'"),
    ],
)
def test_a_metric_that_can_be_planned(given, want):
    if isinstance(want, tuple):
        metric, k = parse_credit_metric(given)
        assert (metric.name, k) == want
        found, same = parse_planned_metric(given)
        assert (found.name, same) == want
        return
    with pytest.raises(ValueError, match=want):
        parse_credit_metric(given)
    if isinstance(given, str):
        with pytest.raises(ValueError, match="planning needs one metric that follows from the num"):
            parse_planned_metric(given)


@pytest.mark.parametrize(
    "metrics, want",
    [("pass@2", "pass@2"), (["pass@2"], "pass@2"), (None, None),
     (["pass@1", "pass@2"], "metrics must be one metric, got 'pass@1', 'pass@2'; write one of the"),
     ([], "metrics must be one metric, got none")],
)
def test_a_plan_is_for_one_metric(metrics, want):
    if want is None or " " not in want:
        assert name_one(metrics) == want
        return
    with pytest.raises(ValueError, match=want):
        name_one(metrics)


@pytest.mark.parametrize(
    "n, c, said",
    [
        ([4], [2], "a pilot needs two questions at least"),
        ([1, 1], [0, 1], "a pilot needs a question with two samples"),
        ([2, 2], [0, 0], "a pilot needs right and wrong samples, got 0 right of 4"),
        ([2, 2], [2, 2], "a pilot needs right and wrong samples, got 4 right of 4"),
        ([1, 2], [0, 1], None),
        ([2, 2], [0, 1], None),
    ],
)
def test_pilots_that_tell_difficulty_from_luck(n, c, said):
    if said is None:
        check_pilot(Counts(n, c))
        return
    with pytest.raises(ValueError, match=said):
        check_pilot(Counts(n, c))


def test_what_does_not_go_together():
    with pytest.raises(ValueError, match="^pilot_b goes with pilot, got pilot_b alone"):
        refuse_two_sources(None, [[1]], None)
    with pytest.raises(ValueError, match="^the correlation is in the data of two pilots"):
        refuse_two_sources([[1]], [[1]], 0.5)
    refuse_two_sources(None, None, 0.5)
    refuse_two_sources([[1]], None, 0.5)
    refuse_two_sources([[1]], [[1]], None)
    with pytest.raises(ValueError, match="^a list of questions needs their number, or a budget"):
        check_extent(None, None)
    check_extent(9, None)
    check_extent(None, 9)


# Rules and truths.


@pytest.mark.parametrize(
    "rules, gap",
    [
        (AskedRules({}, None, 0.05, None), 0.05),
        (AskedRules({}, None, 0.05, -0.02), 0.03),
        (AskedRules({"pass@1": 0.8}, 0.9, None, None), 0.1),
        (AskedRules({"pass@1": 0.8}, 0.9, 0.05, 0.01), 0.06),
        (AskedRules({"pass@1": 0.8}, 0.82, 0.05, 0.01), 0.02),
    ],
)
def test_the_distance_of_the_truth_from_a_limit(rules, gap):
    assert rules.smallest_gap == pytest.approx(gap) and rules.sized
    rules.check("new_questions")
    with pytest.raises(ValueError, match="a gate is sized for new questions"):
        rules.check("same_questions")


@pytest.mark.parametrize(
    "rules, said",
    [
        (AskedRules({}, None, None, 0.1), "true_difference goes with max_drop, got none"),
        (AskedRules({}, 0.9, None, None), "true_value is that of one metric, got 0 minimums"),
        (AskedRules({"pass@1": 0.5, "pass@2": 0.5}, 0.9, None, None), "got 2 minimums"),
        (AskedRules({"pass@1": 0.5}, None, 0.1, None), "minimum= needs what is true of it, got"),
        (AskedRules({}, None, 1.1, None), r"max_drop must lie in \[0, 1\], got 1.1"),
        (AskedRules({}, None, -0.1, None), r"max_drop must lie in \[0, 1\], got -0.1"),
        (AskedRules({"pass@1": 0.5}, 1.1, None, None), r"true_value must lie in \[0, 1\], got"),
        (AskedRules({}, None, 0.1, -1.1), r"true_difference must lie in \[-1, 1\], got -1.1"),
        (
            AskedRules({}, None, 0.1, -0.1),
            "no number of questions passes a gate whose limit is -0.1 unless the truth lies above",
        ),
        (AskedRules({}, None, 0.0, None), "whose limit is -0 unless the truth lies above it, got"),
        (AskedRules({"pass@1": 0.8}, 0.8, None, None), "true_value.*|whose limit is 0.8 unless"),
        (AskedRules({"pass@1": 0.8}, 0.7, 0.1, None), "whose limit is 0.8 unless the truth lies"),
    ],
)
def test_truths_that_pass_no_gate(rules, said):
    with pytest.raises(ValueError, match=said):
        rules.check("new_questions")


def test_truths_at_the_ends_of_their_ranges():
    AskedRules({"pass@1": 0.5}, 1, 1, 1).check("new_questions")
    AskedRules({}, None, 1, -0.5).check("new_questions")
    AskedRules({}, None, None, None).check("same_questions")
    assert not AskedRules({"pass@1": 0.5}, None, None, None).sized
    AskedRules({"pass@1": 0.5}, 0.9, None, None).check_truth()
    with pytest.raises(ValueError, match="minimum alone does not say what to plan"):
        AskedRules({"pass@1": 0.5}, None, None, None).check_truth()


def test_a_rule_that_is_settled_before_its_end():
    """With three questions, a minimum of 0.3 and a level of 95 %, 0.3^3 = .027 <= .05 < .216: all
    three have to be right, so that the first failure settles it."""
    found = plan_rule({"pass@1": 0.3}, 3, 0.95)
    assert (found.minimum, found.questions, found.needed, found.failures) == (0.3, 3, 3, 1)
    for name, mean in found.tries.items():
        p = float(name)
        assert mean == pytest.approx((1 - p) + 2 * p * (1 - p) + 3 * p * p)
    assert list(found.tries) == ["0.5", "0.7", "0.9", "0.95"]
    none = plan_rule({"pass@1": 0.9}, 3, 0.95)
    assert none.needed is None and none.tries == {}


@pytest.mark.parametrize(
    "minimum, questions, said",
    [
        ({"pass@2": 0.5}, 9, "a plan knows when a minimum of pass@1 is settled, got pass@2"),
        ({"pass@1": 0.5}, None, "a gate is settled after so many of a number of questions, got no"),
        ({"pass@1": 1}, 9, r"minimum must lie in \[0, 1\), got 1"),
        ({"pass@1": -0.1}, 9, r"minimum must lie in \[0, 1\), got -0.1"),
    ],
)
def test_rules_that_are_not_settled(minimum, questions, said):
    with pytest.raises(ValueError, match=said):
        plan_rule(minimum, questions, 0.95)


def test_the_best_gradings_by_hand():
    """Half of the answers are right, with a sixth of variance within questions: noise of gradings
    is .5 * .9 * .1 + .5 * .8 * .2 = .125, that of answers .7^2 / 6, and the best number of gradings
    is the root of their ratio, times that of the costs."""
    found = plan_judging((0.9, 0.8), None, 0.05, 0.95, 4.0, 1.0)
    assert found.gradings == pytest.approx((0.125 / (0.49 / 6) * 4) ** 0.5)
    assert (found.sensitivity, found.specificity, found.share) == (0.9, 0.8, 0.5)
    dear = plan_judging((0.9, 0.8), None, 0.05, 0.95, 4.0, 2.0)
    assert dear.gradings == pytest.approx(found.gradings / 2**0.5) and dear.labels == found.labels
    assert plan_judging((0.9, 0.8), None, 0.02, 0.95, 4.0, 1.0).labels > found.labels
    with pytest.raises(ValueError, match="cost_grading must be above 0, got 0"):
        plan_judging((0.9, 0.8), None, 0.05, 0.95, 4.0, 0.0)


def test_single_answers_tell_no_best_gradings():
    pilot = Counts([1] * 8, [1, 1, 1, 0, 1, 1, 0, 1])
    found = plan_judging((0.9, 0.8), pilot, 0.05, 0.95, 1.0, 1.0)
    # Corrected: (6/8 + .8 - 1) / (.9 + .8 - 1).
    assert found.gradings is None and found.share == pytest.approx(0.55 / 0.7)
    never = plan_judging((0.9, 0.8), Counts([2] * 8, [0] * 8), 0.05, 0.95, 1.0, 1.0)
    assert never.share == 0.01
    always = plan_judging((0.9, 0.8), Counts([2] * 8, [2] * 8), 0.05, 0.95, 1.0, 1.0)
    assert always.share == 0.99


# Widths.


def width(*rows, best=0, **given):
    known = dict(metric="pass@1", half_width=0.05, value=0.6, confidence_level=0.95,
                 method="gaffke", pilot=True)
    return WidthPlan(rows=rows, best=best, **known | given)


def wide(samples=4, questions=1200, cost=4800.0, usual=None):
    ends = None if questions is None else Interval(0.55, 0.65)
    return PlannedWidth(samples, questions, ends, cost, usual)


NONE = wide(8, None, None)
MORE = "More samples save questions only so far: 900 questions at 8 samples each do as well."


@pytest.mark.parametrize(
    "plan_, said, begins",
    [
        (
            width(wide()),
            "About 1,200 questions at 4 samples each give a 95 % CI of ± 5.0 points for pass@1, "
            "where that is near 60.0 %.",
            ["The width of one run varies"],
        ),
        (
            width(wide(1, 1), pilot=False),
            "About 1 question at 1 sample each give a 95 % CI of ± 5.0 points for pass@1, where "
            "that is near 60.0 %.",
            ["No pilot: ", "The width of one run varies"],
        ),
        (width(wide(), wide(8, 900)), None, [MORE, "The width of one run varies"]),
        (width(wide(), NONE), None, ["The width of one run varies"]),
        (
            width(NONE, best=None, clustered=True),
            "More than 100,000,000 questions are needed for a 95 % CI of ± 5.0 points for pass@1.",
            ["Clusters are not used: "],
        ),
    ],
)
def test_questions_for_a_width(plan_, said, begins):
    assert said is None or width_words.headline(plan_) == said
    found = list(width_words.assumption_sentences(plan_))
    assert len(found) == len(begins) and all(a.startswith(b) for a, b in zip(found, begins))


def test_a_table_of_widths():
    table = width_words.make_table(width(wide(usual=900), NONE))
    assert table.head == ["", "samples each", "questions", "by t", "95 % CI", "cost"]
    assert table.rows == [
        ["cheapest", "4", "1,200", "900", "55.0 to 65.0 %", "4,800"], ["", "8", "-", "-", "-", "-"],
    ]
    table = width_words.make_table(width(wide()))
    assert table.head[2:4] == ["questions", "95 % CI"] and table.title.endswith("± 5.0 points")
    assert "is 10 points wide" in width_words.methods(width(wide()))


def grouped(fewest=7, **given):
    known = dict(
        metric="pass@1", by="prompt", half_width=0.05, value=0.6, confidence_level=0.95,
        questions=1200, pilot_questions=1000, pilot_groups=4, share=0.254, fewest=fewest,
        floor=0.062, rows=(PlannedGroupWidth(4, 0.08), PlannedGroupWidth(7, 0.05)),
    )
    return GroupPlan(**known | given)


@pytest.mark.parametrize(
    "fewest, said",
    [
        (7, "About 7 values of prompt on 1,200 questions give a 95 % CI of ± 5.0 points for "
            "pass@1 over new questions and new values of prompt, where that is near 60.0 %."),
        (None, "No number of values of prompt gives a 95 % CI of ± 5.0 points for pass@1 over "
               "new questions and new values of prompt, on 1,200 questions: 10,000 leave ± 6.2 "
               "points. It takes more questions."),
    ],
)
def test_groups_for_a_width(fewest, said):
    found = grouped(fewest)
    assert groups_words.headline(found) == said
    assert groups_words.describe_pilot(found) == (
        "In the pilot, 1,000 questions by 4 values of prompt, 25 % of the variance of the mean is "
        "of prompt."
    )
    table = groups_words.make_table(found)
    assert table.rows == [
        ["", "4", "± 8.0 points"], ["fewest" if fewest else "", "7", "± 5.0 points"],
    ]
    assert table.head == ["", "prompt", "95 % CI"] and table.title == "On 1,200 questions"


def test_a_list_to_run_is_that_of_its_samples():
    found = plan(questions=2, earlier=[[1, 0], [1, 1], [0, 0], [0, 1]], n=3, method="normal").run
    assert found.questions == 4 and found.drawn and found.seed == 0
    assert [one.samples for one in found.listed] == [3, 3]


# What is handed on.


@pytest.mark.parametrize(
    "given",
    [
        dict(delta=0.1),
        dict(budget=100),
        dict(minimum={"pass@1": 0.8}),
        dict(max_drop=0.1),
        dict(true_value=0.9),
        dict(true_difference=0.1),
        dict(pilot_b=[[1, 0]]),
        dict(correlation=0.5),
        dict(earlier=[[1, 0]]),
        dict(questions=100),
    ],
    ids=lambda given: "".join(given),
)
def test_a_width_is_planned_alone(given):
    (name,) = given
    said = f"half_width asks for the questions of one system, got {name} as well"
    with pytest.raises(ValueError, match=said):
        plan(half_width=0.1, **given)


ASKED_TWICE = [[1, 0], [1, 1], [0, 0], [0, 1]]


@pytest.mark.parametrize("name", ["n", "method", "judge", "delta", "earlier", "pilot_b"])
def test_groups_are_planned_alone(name):
    given = dict(n=4, method="t", judge=(0.9, 0.9), delta=0.1, earlier=ASKED_TWICE,
                 pilot_b=ASKED_TWICE)[name]
    with pytest.raises(ValueError, match=f"crossed plans how many groups.* got {name} as well"):
        plan(half_width=0.1, pilot=ASKED_TWICE, by="p", crossed=True, **{name: given})


@pytest.mark.parametrize(
    "prices, question, sample",
    [
        ({}, 0, 1),
        (dict(cost_question=None, cost_sample=None), 0, 1),
        (dict(cost_question=3, cost_sample=0.5), 3, 0.5),
        (dict(cost_question=3, cost_sample=0), 3, 0),
    ],
)
def test_questions_and_samples_have_their_prices(prices, question, sample):
    (wide_,) = plan(half_width=0.1, n=4, method="t", **prices).rows
    assert wide_.cost == pytest.approx(wide_.questions * (question + 4 * sample))
    two = plan(0.2, n=[4], method="normal", **prices)
    assert two.cost[0] == pytest.approx(two.questions[0] * (question + 4 * sample))


def test_the_fewest_groups_reach_the_width_exactly():
    rng = np.random.default_rng(0)
    pilot = [dict(question=q, prompt=f"p{p}", correct=int(rng.random() < (q + p) / 10))
             for q in range(6) for p in range(4) for _ in range(2)]
    asked = dict(pilot=pilot, by="prompt", crossed=True, questions=40)
    found = plan(half_width=0.2, **asked)
    widths = {row.groups: row.half_width for row in found.rows}
    for groups, half_width in widths.items():
        if groups > 4:
            assert plan(half_width=half_width, **asked).fewest == groups
    assert found.pilot_questions == 6 and found.pilot_groups == 4 and found.questions == 40
    assert list(widths.values()) == sorted(widths.values(), reverse=True)


LEFT, RIGHT = [[1, 0], [1, 1], [0, 0], [0, 1], [1, 1]], [[1, 1], [1, 0], [0, 1], [0, 1], [0, 1]]


@pytest.mark.parametrize(
    "given, pilots, goal",
    [
        (dict(delta=0.2), 0, "delta"),
        (dict(delta=0.2, pilot=LEFT), 1, "delta"),
        (dict(questions=50, pilot=LEFT, pilot_b=RIGHT), 2, "questions"),
        (dict(budget=500, pilot=LEFT), 1, "budget"),
        (dict(delta=0.2, questions=50), 0, "both"),
    ],
)
def test_what_a_plan_remembers(given, pilots, goal):
    found = plan(**given, n=[2], power=0.7, method="normal", confidence_level=0.9)
    assert (found.pilots, found.goal, found.wanted) == (pilots, goal, 0.7)
    assert (found.metric, found.confidence_level, found.method) == ("pass@1", 0.9, "normal")
    assert found.asked == dict(delta=None, questions=None, budget=None) | {
        name: given[name] for name in ("delta", "questions", "budget") if name in given
    }
    assert found.piloted == (2 if pilots else None) and len(found.read) == pilots
    assert (found.correlation is not None) is (pilots == 2) is (found.alignment is not None)
    assert [one.correlation for one in found.others] == ([0.0] if pilots == 2 else [0.5, 0.9])
    assert found.without_assumptions == () and found.clustered is False
    named = plan(**given, n=[2], method="normal", correlation=0.3) if pilots < 2 else None
    assert named is None or named.others == ()


def test_clusters_that_a_plan_does_not_use_are_remembered():
    rows = [dict(question=q, passage=q // 2, correct=c) for q, own in enumerate(LEFT) for c in own]
    assert plan(0.2, pilot=rows, n=[2], method="normal", cluster="passage").clustered
    assert not plan(0.2, pilot=rows, n=[2], method="normal", cluster=False).clustered


def test_the_last_of_several_correlations_is_told():
    others = [SimpleNamespace(rows=[row(questions=one)], correlation=r)
              for r, one in ((0.5, 80), (0.9, 30))]
    told = unknown_correlation(analysis(others=others), row())
    assert told == " if the systems are uncorrelated (30 questions if their correlation is 0.9)"
    others.append(SimpleNamespace(rows=[], correlation=0.95))
    assert unknown_correlation(analysis(others=others), row()) == told


def test_the_most_power_of_all_rows():
    told = enough_sentence(analysis(row(), best=None, power=[0.3, 0.6, 0.5]))
    assert "detect a true difference of 5 points in pass@1 with at most 60.0 % power (80 %" in told
    none = SimpleNamespace(between=0.1, within=np.array([0.2, 0.0]), total=np.array([0.3, 0.1]))
    assert list(enough_samples(analysis(components=none))) == []


def test_a_page_has_a_picture_and_a_screen_has_none():
    found = plan(0.2, pilot=LEFT, n=[2, 4], method="normal")
    screen, page = plan_words.document(found), plan_words.page(found)
    assert not any(isinstance(one, Curves) for one in screen)
    (drawn,) = (one for one in page if isinstance(one, Curves))
    assert drawn.label == "power" and len(page) == len(screen) + 1
    assert [one.text for one in screen if isinstance(one, Headline)] == [headline(found)]
    assert [one.summary for one in screen if isinstance(one, Fold)] == [
        "All numbers of samples", "Methods",
    ]
    assert plan_words.title(found) == "plan for pass@1"
