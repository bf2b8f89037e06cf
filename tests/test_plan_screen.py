"Plans and forecasts in every form: what is printed, stored in full."
from dataclasses import replace

import pytest

from printed import check_printed
from sampling_eval import Counts, extrapolate, plan
from sampling_eval.reporting.forecasts import ExtrapolationReport
from sampling_eval.reporting.plans import PlanReport
from test_versus import tell_forms

PILOT = Counts([4] * 8, [0, 1, 2, 4, 4, 3, 1, 4])
OTHER = Counts([4] * 8, [0, 4, 1, 4, 3, 0, 2, 4])
PLANS = {
    "difference": lambda: plan(.1, pilot=PILOT, method="normal"),
    "difference without a run": lambda: plan(.05, method="t", n=[2, 4, 8], metrics="pass^2"),
    "beyond counting": lambda: replace(plan(.1, pilot=PILOT, method="normal", n=[1, 4]), best=None),
    "difference, two runs": lambda: plan(.1, pilot=PILOT, pilot_b=OTHER, method="normal", target="benchmark", cost_question=2.),
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


FORECASTS = {
    "beyond": lambda: extrapolate(PILOT, [1, 4, 8, 100]),
    "never solved": lambda: extrapolate(Counts([4] * 6, [0, 0, 1, 2, 4, 4]), [2, 16], confidence_level=.9),
    "pass^k": lambda: extrapolate(Counts([4] * 6, [4, 0, 1, 2, 4, 4]), [2, 16], "pass^k"),
    "nothing beyond": lambda: extrapolate(PILOT, [1, 2]),
    "all right": lambda: extrapolate(Counts([4] * 6, [4] * 6), [4, 8]),
}


@pytest.mark.parametrize("name", FORECASTS)
def test_a_forecast_in_every_form(name):
    result = FORECASTS[name]()
    # Fitted numbers are the same to some digits.
    check_printed("plan", f"forecast, {name}", tell_forms(result, ["screen", "full"]))
    assert ExtrapolationReport.from_json(result.to_json()) == result
