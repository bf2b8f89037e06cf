"`plan`: how many questions, how many samples, which difference can be seen."
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import Counts, plan
from sampling_eval.inference.planning import Components
from sampling_eval.verbs.designing import NO_PILOT, find_credit

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
