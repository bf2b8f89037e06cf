"Plans: what is printed, stored in full."
from dataclasses import replace

import numpy as np
import pytest

from printed import check_printed
from sampling_eval import Counts, plan
from sampling_eval.inference.planning import Components
from sampling_eval.inference.sample_size import make_plan
from sampling_eval.reporting.plan_screen import find_goal, say_simulated
from sampling_eval.reporting.plans import PlanReport
from test_versus import tell_forms

PILOT = Counts([4] * 8, [0, 1, 2, 4, 4, 3, 1, 4])
PILOT_COMPONENTS = Components(.1, np.array([.2, .05]), np.array([1, 4]), "given")
OTHER = Counts([4] * 8, [0, 4, 1, 4, 3, 0, 2, 4])
PLANS = {
    "difference": lambda: plan(.1, pilot=PILOT, method="normal"),
    "difference without a run": lambda: plan(.05, method="t", n=[2, 4, 8], metrics="pass^2"),
    "beyond counting": lambda: replace(plan(.1, pilot=PILOT, method="normal", n=[1, 4]), best=None),
    "difference, two runs": lambda: plan(.1, pilot=PILOT, pilot_b=OTHER, method="normal", target="benchmark",
                                         cost_question=2.),
    "questions": lambda: plan(questions=300, pilot=PILOT, power=.9, method="normal", n=[1, 2, 4, 8]),
    "questions with a correlation": lambda: plan(questions=300, pilot=PILOT, correlation=.5, method="t", n=[1, 4, 8]),
    "both, enough": lambda: plan(.12, questions=40, pilot=PILOT, method="normal", n=[1, 2, 4], power=.15),
    "both, too few": lambda: plan(.02, questions=50, pilot=PILOT, method="normal", n=[1, 4]),
    "budget": lambda: plan(budget=1_000, pilot=PILOT, cost_question=1.5, cost_sample=.5, method="normal"),
    "none in the budget": lambda: replace(plan(budget=9, pilot=PILOT, method="normal", n=4), best=None),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_in_every_form(name):
    result = PLANS[name]()
    check_printed("plan", name, tell_forms(result, ["screen", "full", "json"]))
    assert PlanReport.from_json(result.to_json()) == result


# Parts.

TWO = replace(PLANS["beyond counting"](), best=1)


@pytest.mark.parametrize("given, goal", [
    (dict(delta=.1), "delta"), (dict(questions=5), "questions"), (dict(delta=.1, questions=5), "both"),
    (dict(budget=9, questions=5), "budget"),
    (dict(delta=None, budget=9), "budget")])
def test_what_is_looked_for(given, goal): assert find_goal(replace(TWO, asked=given)) == goal


def test_a_plan_that_was_not_asked_for_has_no_first_screen():
    found = PlanReport(**vars(make_plan(PILOT_COMPONENTS, delta=.1, method="normal")), metric="pass@1", read="")
    assert repr(found) == found.to_text(how=True) and found.asked is None


@pytest.mark.parametrize("asked, error, wanted, said", [
    # Density at the power, and reach of the interval: .02 / (.28 * 2.8) is 2.55 %, for questions twice that.
    (dict(delta=.1), .02, .8, " It is simulated: another seed, or another version of numpy, moves the numbers by "
                              "about 5 %."),
    (dict(questions=9), .02, .8, " It is simulated: another seed, or another version of numpy, moves the numbers by "
                                 "about 3 %."),
    (dict(budget=9), .02, .5, " It is simulated: another seed, or another version of numpy, moves the numbers by "
                              "about 3 %."),
    (dict(delta=.1, questions=9), .0071, .8, " It is simulated, with a standard error of 0.7 points."),
    (dict(delta=.1), 0., .8, "")])
def test_how_far_another_seed_moves_a_plan(asked, error, wanted, said):
    assert say_simulated(replace(TWO, asked=asked, error=error, wanted=wanted)) == said


def test_a_correlation_beyond_1_is_told_as_1():
    for told, said in ((1.2, "1.00"), (-1.2, "-1.00"), (.333, "0.33")):
        shown = " ".join(repr(replace(TWO, correlation=told, others=())).split())
        assert f"Question by question, the two systems have a correlation of {said} in these runs." in shown


def test_what_other_correlations_change():
    first, last = TWO.others
    said = " 251 questions with 4 samples each if the two systems are unrelated, or 66 if their correlation is 0.9."
    assert said in " ".join(repr(TWO).split())
    same = replace(last, rows=tuple(row | dict(questions=251) for row in last.rows))
    fewer = replace(last, rows=last.rows[:1])
    for others in (), (first, same), (first, fewer):
        assert "251 questions with 4 samples each. " in " ".join(repr(replace(TWO, others=others)).split()) + " "
    table = repr(replace(TWO, others=(first, fewer)))
    assert [line.split()[-5:] for line in table.splitlines() if line.startswith(("fewest", "cheapest"))] == [
        ["1", "410", "280", "201", "410"], ["4", "251", "145", "-", "1,004"]]
    none = replace(last, rows=())
    assert "or 145 if their correlation is 0.5." in " ".join(repr(replace(TWO, others=(first, none))).split())


def test_figures_pass_on_axes_and_size(monkeypatch):
    monkeypatch.setattr("sampling_eval.reporting.charts.plot_plan", lambda *args, **given: (args, given))
    assert TWO.plot(ax=1, size=2) == ((TWO,), dict(ax=1, size=2)) and TWO.plot() == ((TWO,), dict(ax=None, size=None))
    # A simulated plan has lost its population in JSON, any other needs none.
    again = PlanReport.from_json(TWO.to_json())
    assert again.plot()[0] == (again,)
    with pytest.raises(ValueError, match="JSON does not hold the simulated population; plan again for a figure"):
        replace(again, method="interval").plot()
