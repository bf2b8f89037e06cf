"`plan`: how many questions, how many samples, which difference can be seen."
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from printed import check_printed
from sampling_eval import Counts, plan
from sampling_eval.inference.planning import Components
from sampling_eval.metrics.catalog import CATALOG
from sampling_eval.verbs.designing import (NO_PILOT, check_pilot, find_credit, find_same, list_samples, name_budget,
                                           refuse_endless,
                                           say_groups)

TABLE = np.genfromtxt(Path(__file__).parents[1] / "sampling_eval" / "examples" / "deepscaler32k_counts.csv", delimiter=",",
                      names=True, dtype=None, encoding="utf-8")
BASE, RL = (Counts(TABLE["n"], TABLE[name], TABLE["question_id"]) for name in ("c_base", "c_rl"))


def test_two_pilots_know_that_systems_move_together():
    alone = plan(.02, pilot=BASE, metrics="pass@8", n=[8, 16, 32])
    both = plan(.02, pilot=BASE, pilot_b=RL, metrics="pass@8", n=[8, 16, 32])
    # The first is exact; another version of numpy draws other numbers, whose error the screen tells.
    assert alone.questions[0] == 6386
    np.testing.assert_allclose(alone.questions, [6386, 5680, 5417], rtol=.02)
    np.testing.assert_allclose(both.questions, [1352, 753, 534], rtol=.02)
    assert both.read.startswith("Pilots: 1060 questions in both") and alone.read.startswith("Pilot: ")


def test_a_simulated_number_says_how_far_another_seed_moves_it():
    seeds = [plan(.02, pilot=BASE, metrics="pass@8", n=[16], rng=seed) for seed in range(5)]
    found = [one.questions[0] for one in seeds]
    assert np.std(found, ddof=1) / np.mean(found) < .02
    assert "moves the numbers by about 2 %." in " ".join(repr(seeds[0]).split())
    exact = plan(.02, pilot=BASE, metrics="pass@8", n=[8])
    assert exact.error == 0 and "simulated" not in repr(exact)
    given = plan(.02, questions=5000, pilot=BASE, metrics="pass@8", n=[16])
    assert "It is simulated, with a standard error of 0.8 points." in " ".join(repr(given).split())


def test_without_a_pilot_it_is_said():
    found = plan(questions=198, n=[1, 10])
    np.testing.assert_allclose(found.delta, [.1441, .0940], atol=1e-3)
    assert found.read == NO_PILOT


def test_samples_are_the_budget_and_its_doubles():
    assert plan(.05, pilot=BASE, metrics="pass@2", method="normal").samples.tolist() == [2, 4, 8, 16, 32, 64, 128]


def test_a_correlation_is_assumed_or_in_the_data():
    loose, tight = (plan(.02, pilot=BASE, correlation=r, n=[1], method="normal").questions[0] for r in (0, .9))
    assert tight < loose
    for given in (dict(pilot=BASE, pilot_b=RL), dict(pilot=Components(1 / 9, np.array([0.]), np.array([1])))):
        with pytest.raises(ValueError, match="got correlation= as well"): plan(.02, correlation=.5, **given)
    with pytest.raises(ValueError, match="pilot_b goes with pilot"): plan(.02, pilot_b=RL)


def test_these_questions_again_take_fewer():
    again, new = (plan(.02, pilot=BASE, pilot_b=RL, n=[16], target=target).questions[0] for target in ("benchmark", "questions"))
    assert again < new / 2


def test_the_metric_needs_a_law_and_a_budget():
    assert find_credit("pass@8")[1] == 8 and find_credit("avg@n")[1] == 1
    for name, said in (("maj@8", "follows from the number of right samples, got maj@8; known are pass@k"), ("pass@k", "state the budget, as in 'pass@8', got 'pass@k'"),
                       ({"own@k": None}, "write the metric as a name with its budget"), ("g-pass@k_tau", "metrics must be one metric, got ")):
        with pytest.raises(ValueError, match=said): plan(.02, metrics=name)


def test_one_model_of_a_pilot():
    rows = [dict(model=m, question=q, correct=int(q + s < 3)) for m in "xy" for q in range(4) for s in range(2)]
    both = plan(.2, pilot=rows, n=[1])
    assert both.correlation == pytest.approx(1) and both.read.startswith("Pilots: 4 questions in both")
    assert plan(.2, pilot=rows, models="x", n=[1]).correlation is None
    rows += [dict(row, model="z") for row in rows[:8]]
    with pytest.raises(ValueError, match="the pilot must hold one model, got 3"): plan(.2, pilot=rows, n=[1])


def test_one_pilot_is_told_at_several_correlations():
    alone = plan(.02, pilot=BASE, n=[1, 16], method="normal")
    assert [other.correlation for other in alone.others] == [.5, .9]
    for other in alone.others:
        given = plan(.02, pilot=BASE, n=[1, 16], correlation=other.correlation, method="normal")
        assert not given.others
        np.testing.assert_allclose([row["questions"] for row in other.rows], given.questions, rtol=.02)
    shown = " ".join(repr(alone).split())
    assert "if the two systems are unrelated, or" in shown and "not known from one run" in shown


def test_two_pilots_are_told_as_if_unrelated_too():
    both = plan(.02, pilot=BASE, pilot_b=RL, n=[1, 16], method="normal")
    (unrelated,) = both.others
    assert unrelated.correlation == 0 and unrelated.rows[1]["questions"] > 1.5 * both.questions[1]
    assert f"correlation of {both.correlation:.2f} in these runs." in " ".join(repr(both).split())


def test_where_no_samples_are_enough_questions_are_told():
    few = plan(.02, pilot=BASE, pilot_b=RL, questions=100, n=[1, 16], method="normal")
    enough = plan(.02, pilot=BASE, pilot_b=RL, n=[16], method="normal").questions[0]
    assert few.best is None and few.questions_needed == enough
    said = " ".join(repr(few).split())
    assert said.startswith("No: 100 questions do not show a difference of 0.02 in pass@1")
    assert f"Questions are needed: {enough:,} with 16 samples each." in said
    again = type(few).from_json(few.to_json())
    assert again == few and repr(again) == repr(few)


@pytest.mark.parametrize("asked", [dict(delta=.05), dict(questions=300), dict(budget=5000), dict(delta=.2, questions=500)])
@pytest.mark.parametrize("pilots", [{}, dict(pilot=BASE), dict(pilot=BASE, pilot_b=RL)])
def test_every_screen_fits_a_terminal(asked, pilots):
    found = plan(**asked, **pilots, n=[1, 8], method="normal")
    assert max(map(len, repr(found).splitlines())) <= 80
    assert "Power is" in found.to_text(how=True)


def test_a_pilot_is_refused_in_words_of_questions():
    for pilot, said in (([[1], [0]], "a question with two samples, .* got one sample of each of 2 questions"),
                        ([[1, 0, 1]], "two questions at least, .* got one;"),
                        ([[1, 1], [1, 1]], "right and wrong samples, got 4 right of 4")):
        with pytest.raises(ValueError, match=f"a pilot needs {said}"): plan(.05, pilot=pilot)


def test_groups_that_are_not_planned_for_are_said():
    rows = [dict(question=q, correct=int(q + s < 3), task=q // 2) for q in range(4) for s in range(2)]
    assert "the groups of cluster= are not used" in plan(.2, pilot=rows, n=[1], cluster="task").read


def test_a_budget_may_stand_beside_the_name():
    assert plan(.05, pilot=BASE, k=8, method="normal").metric == "pass@8"
    assert plan(.05, pilot=BASE, metrics="pass^k", k=2, method="normal").metric == "pass^2"
    for metrics, k, said in (("pass@1", 8, "'pass@1' states its budget"), (None, [1, 2], "a plan is for one budget")):
        with pytest.raises(ValueError, match=said): plan(.05, metrics=metrics, k=k)


def test_old_name_of_metrics():
    with pytest.warns(DeprecationWarning, match="plan: metric= is now called metrics="): plan(.1, metric="pass@1", n=[1], method="normal")


# Every number of small plans: z = 2.8016 for 95 % and a power of 80 %, variances of the pilot by hand.

LEFT, SIDE = Counts([4] * 8, [0, 1, 2, 3, 4, 4, 2, 1]), Counts([4] * 8, [1, 0, 3, 1, 4, 3, 3, 2])
SMALL = {
    "difference without a pilot": dict(delta=.1), "one pilot": dict(delta=.1, pilot=LEFT),
    "two pilots": dict(delta=.1, pilot=LEFT, pilot_b=SIDE),
    "questions at a correlation": dict(questions=50, pilot=LEFT, correlation=.3, n=2),
    "two models of one pilot": dict(delta=.15, pilot=[
        dict(model=model, question=q, correct=int(s < c)) for model, side in (("x", LEFT), ("y", SIDE))
        for q, c in enumerate(side.c) for s in range(4)]),
    "budget": dict(budget=1000, cost_question=2, cost_sample=3, pilot=LEFT, pilot_b=SIDE),
    "budget without prices": dict(budget=1000, cost_question=None, cost_sample=None),
    "too few questions": dict(delta=.02, questions=60, pilot=LEFT, pilot_b=SIDE),
    "these again": dict(delta=.05, questions=100, target="benchmark"),
    "t at another level": dict(delta=.1, power=.9, confidence_level=.9, method="t", metrics="pass@2", n=[2, 8])}


@pytest.mark.parametrize("name", SMALL)
def test_all_of_a_small_plan(name):
    found = plan(**dict(method="normal", n=[1, 4]) | SMALL[name])
    check_printed("verbs", f"plan {name}", found.to_json())


@pytest.mark.parametrize("method", [None, "normal", "t"])
def test_a_difference_that_no_system_can_have(method):
    with pytest.raises(ValueError, match="need delta < 0.531, the farthest that a system can lie"):
        plan(.9, pilot=LEFT, method=method, n=[1, 4])


def test_variances_of_a_pilot_by_hand():
    found = plan(.1, pilot=LEFT, method="normal", n=[1, 4]).components
    within = np.mean(LEFT.c * (4 - LEFT.c) / 12)
    between = np.var(LEFT.c / 4, ddof=1) - within / 4
    assert found.within.tolist() == pytest.approx([2 * within, within / 2])
    assert found.between == pytest.approx(2 * between)
    both = plan(.1, pilot=LEFT, pilot_b=SIDE, method="normal", n=[1, 4])
    own = [np.mean(side.c * (4 - side.c) / 12) for side in (LEFT, SIDE)]
    assert both.components.within.tolist() == pytest.approx([sum(own), sum(own) / 4])
    assert both.components.between == pytest.approx(np.var((LEFT.c - SIDE.c) / 4, ddof=1) - sum(own) / 4)


@pytest.mark.parametrize("name, k, want", [
    (None, None, "pass@1"), ("pass@2", None, "pass@2"), (None, 4, "pass@4"), ("pass^k", np.int64(2), "pass^2"),
    ("g-pass@k_0.5", 4, "g-pass@4_0.5"), ("cons@k", [3], "cons@3")])
def test_a_name_with_its_budget(name, k, want): assert name_budget(name, k) == want


@pytest.mark.parametrize("name, k, said", [
    ("pass@2", 2, "^'pass@2' states its budget, or has none, got k=2 as well$"),
    ("avg@n", 2, "states its budget, or has none, got k=2"), ("g-pass@k", 2, "states its budget, or has none"),
    ("pass@k", [1, 2], r"^a plan is for one budget, got k=\[1, 2\]$"), (None, 0, "need k >= 1")])
def test_budgets_beside_a_name_that_needs_none(name, k, said):
    with pytest.raises(ValueError, match=said): name_budget(name, k)


def test_credits_and_their_budgets():
    metric, k = find_credit("pass^4")
    assert (metric.name, k) == ("pass^k", 4) and find_credit("avg@n") == (CATALOG["avg@n"], 1)
    for name, said in (("soft@n",
                        "follows from the number of right samples, got soft@n; known are pass@k, pass.k, avg@n, "
                        "cons@k, mg-pass@k$"),
                       ("g-pass@k",
                        "^metrics must be one metric, got 'g-pass@k_0.5', 'g-pass@k_0.75', 'g-pass@k_1.0'; write one "
                        "of them$")):
        with pytest.raises(ValueError, match=said): find_credit(name)


@pytest.mark.parametrize("delta, questions", [(None, None), (1e-4, None), (1, 10**10), (.5, 1), (0, None),
                                              (-9e-5, None)])
def test_plans_that_end(delta, questions): assert refuse_endless(delta, questions) is None


@pytest.mark.parametrize("delta, questions", [(9e-5, None), (None, 10**10 + 1)])
def test_plans_beyond_every_benchmark(delta, questions):
    with pytest.raises(ValueError, match="delta|questions"): refuse_endless(delta, questions)


def test_samples_to_plan_for():
    assert list_samples(2, None).tolist() == [2, 4, 8, 16, 32, 64, 128] and list_samples(1, 5).tolist() == [5]
    assert list_samples(1, [3, 1]).tolist() == [3, 1]
    assert list_samples(2, None, 6).tolist() == [2, 4, 6, 8, 16, 32, 64, 128]
    assert list_samples(2, None, 2).tolist() == list_samples(2, None, 1).tolist() == list_samples(2, None).tolist()
    assert find_same([Counts([4, 4], [1, 2])]) == 4 and find_same([Counts([4, 5], [1, 2])]) is None
    assert find_same([Counts([4], [1]), Counts([5], [1])]) is None
    assert find_same([Counts([4], [1]), Counts([4], [2])]) == 4


@pytest.mark.parametrize("cluster, said", [(None, False), (False, False), ("task", True), (True, True)])
def test_groups_in_words(cluster, said):
    assert bool(say_groups(SimpleNamespace(cluster=cluster))) is said


def test_pilots_that_tell_nothing():
    assert check_pilot(Counts([1, 2], [0, 1])) is None
    for counts, said in ((Counts([2], [1]), "two questions at least"),
                         (Counts([1, 1], [0, 1]),
                          "^a pilot needs a question with two samples, to tell difficulty from luck, got one sample"),
                         (Counts([2, 2], [0, 0]), "^a pilot needs right and wrong samples, got 0 right of 4; without"),
                         (Counts([2, 2], [2, 2]), "got 4 right of 4")):
        with pytest.raises(ValueError, match=said): check_pilot(counts)
    with pytest.raises(ValueError, match="a pilot needs a question with two samples"):
        plan(.1, pilot=LEFT, pilot_b=Counts([1] * 8, [0, 1] * 4))


def test_pilots_on_other_questions():
    later = Counts([4] * 8, SIDE.c, range(1, 9))
    with pytest.raises(ValueError, match="must cover the same questions"): plan(.1, pilot=LEFT, pilot_b=later, n=[1])
    found = plan(.1, pilot=LEFT, pilot_b=later, n=[1], on_unmatched="drop", method="normal")
    assert found.read.startswith("Pilots: 7 questions in both, 1 only in A (0), 1 only in B (8). A: no sample missing.")
    given = plan(.1, pilot=Components(.1, np.array([.2]), np.array([1])), method="normal")
    assert given.read == "" and given.others == () and given.piloted is None and given.questions[0] == 236
