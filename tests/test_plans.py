"Plans in every form."
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from sampling_eval import plan
from sampling_eval.foundations.counts import Counts
from sampling_eval.inference.planning import Components
from sampling_eval.inference.sample_size import make_plan
from sampling_eval.reporting.plans import PlanReport
from told_report import wrap_lines

MILLER = Components(1 / 9, np.array([0.]), np.array([1]), "Miller's example")
TWO = Components(.1, np.array([.2, .05]), np.array([1, 4]), "given")


def plan_for(components, read="", **options):
    return PlanReport(**vars(make_plan(components, **options)), metric="pass@1", read=read)


FOUND = plan_for(MILLER, delta=.03)
FIXED = plan_for(TWO, "a pilot.", delta=.05, method="normal", target="benchmark")
NONE = plan_for(TWO, delta=.001, questions=50, method="normal")

TEXT = """\
plan for pass@1
To see a difference of 0.03 with power 80%: 969 questions with 1 sample each (power 80.0%).
Power is that of a two-sided test with normal quantiles, an approximation to the 95 % interval that compare prints.
From 1 sample a question on, at most a tenth of the variance comes from sampling: still more samples could save \
at most a tenth of the questions.
The numbers rest on: Miller's example.

samples  questions  difference  power  cost  between
----------------------------------------------------
* 1            969      0.0300  0.800   969     100%

* recommended; between: share of the variance that lies between questions, which more samples cannot lower."""


def test_text(): assert FOUND.to_text(how=True) == wrap_lines(TEXT)


def test_fixed_questions_have_no_share_between_them():
    lines = repr(FIXED).splitlines()
    head = lines.index("samples  questions  difference  power  cost")
    assert lines[head + 2:head + 4] == ["* 1            628      0.0500  0.800   628",
                          "4              157      0.0500  0.800   628"]
    assert lines[-2:] == ["* recommended.", "A pilot."]


def test_nothing_is_recommended_where_no_row_is_enough():
    assert "not with any number of samples listed" in " ".join(repr(NONE).split())
    assert "* 1 " not in repr(NONE)
    assert "4               50      0.0010  0.026   200      67%" in repr(NONE)


def test_every_form_has_the_same_cells():
    cells = ["* 1", "969", "0.0300", "0.800", "969", "100%"]
    shown = [o.replace("*", r"\*") for o in cells]
    assert "| " + " | ".join(shown) + " |" in FOUND.to_markdown().splitlines()
    assert "{}" + " & ".join(cells).replace("%", r"\%") + r" \\" in FOUND.to_latex().splitlines()
    page = FOUND.to_html()
    assert "".join(f"<td>{o}</td>" for o in cells) in page and page.count("<svg") == 1
    assert 'aria-label="power over the true difference"' in page


def test_json():
    told = json.loads(FOUND.to_json())
    assert list(told) == ["goal", "samples", "questions", "delta", "power", "cost", "best", "enough",
                          "components", "confidence_level", "method", "target", "smallest", "error",
                          "seed", "notes", "metric", "wanted", "read", "asked", "piloted", "correlation", "others", "usual",
                          "questions_needed",
                          "rows", "how"]
    assert told == FOUND.to_dict() and told["questions"] == [969] and told["delta"] == [.03]
    assert told["components"] == dict(between=1 / 9, within=[0.], samples=[1], source="Miller's example")
    assert told["rows"][0]["between_share"] == 1 and told["best"] == 0 and "population" not in told
    frame = FIXED.to_frame("pandas")
    assert list(frame.columns) == ["samples", "questions", "delta", "power", "cost", "between_share"]
    assert frame["questions"].tolist() == [628, 157]


@pytest.mark.parametrize("found", [FOUND, FIXED, NONE], ids=["found", "fixed", "none"])
def test_what_is_read_back_is_equal(found):
    again = PlanReport.from_json(found.to_json())
    assert again == found and repr(again) == repr(found)
    assert again.questions.tolist() == found.questions.tolist() and again.how() == found.how()
    assert pickle.loads(pickle.dumps(found)) == found and replace(found, wanted=.9) != found
    assert again.power_at(0, .03, 969) == found.power_at(0, .03, 969)


def test_a_difference_that_is_never_found_is_null():
    never = replace(FOUND, delta=np.array([np.nan]), best=None)
    assert never.to_dict()["delta"] == [None] and "NaN" not in never.to_json()
    again = PlanReport.from_json(never.to_json())
    assert again == never and np.isnan(again.delta).all() and again.best is None


def test_json_does_not_hold_the_population():
    simulated = plan(.4, questions=20, n=[1])
    assert simulated.population is not None and simulated.method == "interval"
    again = PlanReport.from_json(simulated.to_json())
    assert again == simulated
    with pytest.raises(ValueError, match="JSON does not hold the simulated population"): again.plot()


def test_notes_on_a_correlation_above_1_survive_json():
    pilots = Counts([4] * 8, [0, 1, 2, 4, 4, 3, 1, 4]), Counts([4] * 8, [1, 1, 3, 4, 4, 4, 0, 3])
    made = plan(.1, pilot=pilots[0], pilot_b=pilots[1], method="normal", target="benchmark", cost_question=2.)
    again = PlanReport.from_json(made.to_json())
    assert again == made and made.notes and again.notes == made.notes and again.how() == made.how()
