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
    assert alone.questions.tolist() == [6386, 5680, 5417] and both.questions.tolist() == [1352, 753, 534]
    assert both.read.startswith("Pilots: 1060 in both") and alone.read.startswith("Pilot: ")


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
    for name, said in (("maj@8", "maj@8 has no law in the counts alone"), ("pass@k", "state the budget, as in 'pass@8', got 'pass@k'"),
                       ({"own@k": None}, "write the metric as a name with its budget"), ("g-pass@k_tau", "metrics must be one metric, got ")):
        with pytest.raises(ValueError, match=said): plan(.02, metrics=name)


def test_one_model_of_a_pilot():
    rows = [dict(model=m, question=q, correct=int(q + s < 3)) for m in "xy" for q in range(4) for s in range(2)]
    with pytest.raises(ValueError, match="the pilot must hold one model, got 2"): plan(.2, pilot=rows, n=[1])
    assert plan(.2, pilot=rows, models="x", n=[1]).questions[0] > 0


def test_old_name_of_metrics():
    with pytest.warns(DeprecationWarning, match="plan: metric= is now called metrics="): plan(.1, metric="pass@1", n=[1], method="normal")
