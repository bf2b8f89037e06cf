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
from sampling_eval.analyses.plan.result import JudgingPlan, PlannedQuestion, PlannedRun, SettledRule
from sampling_eval.analyses.plan.width import check_alone
from sampling_eval.analyses.plan.words import (
    asked_size,
    assumed_truth,
    enough_samples,
    enough_sentence,
    explain_gate,
    gate_plan_sentence,
    limit_sentences,
    name_planned,
    name_role,
    power_sentence,
    simulation_error,
    unknown_correlation,
    unknown_truths,
    without_assumptions,
)


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
