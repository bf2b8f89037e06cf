"Forecasts in every form."
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from sampling_eval.foundations.credit import any_credit
from sampling_eval.inference.extrapolation import extrapolate_credit
from sampling_eval.reporting.forecasts import ExtrapolationReport

# AIME 2025 II, o3-mini (medium), four runs of 15 problems.
RIGHT = [4, 4, 4, 4, 3, 4, 2, 3, 1, 4, 3, 4, 1, 4, 3]


@pytest.fixture(scope="module")
def beyond():
    found = extrapolate_credit(4, RIGHT, [1, 2, 4, 8, 16], any_credit, label="pass@k")
    return ExtrapolationReport(**vars(found), read="15 rows.")


def test_text(beyond):
    lines = beyond.to_text(how=True).splitlines()
    assert lines[0] == beyond.heading == "pass@k beyond 4 samples"
    start = next(i for i, line in enumerate(lines) if line.startswith("k  "))
    head, rule, *rows = lines[start:start + 7]
    assert head.split("  ")[0] == "k" and head.endswith("     low") and set(rule) == {"-"}
    # What has no room in 80 columns follows, with the budgets again.
    more = next(i for i, line in enumerate(lines) if line.split() == ["k", "high"])
    assert [line.split() for line in lines[more + 2:more + 4]] == [["1", "0.9625"], ["2", "0.9956"]]
    assert max(map(len, lines)) <= 80
    assert [row.split()[:3] for row in rows] == [
        ["1", "exact", "0.8000"], ["2", "exact", "0.9222"], ["4", "exact", "1.0000"],
        ["8", "model", "-"], ["16", "model", "-"]]
    assert lines[more + 8:more + 10] == ["warning: k > 4 is a model, not a measurement",
                            "warning: Beta misses the exact value at k=4 by -0.023"]
    assert lines[-2].endswith("bounds over all laws of difficulty.") and lines[-1] == "15 rows."


def test_the_first_screen_answers(beyond):
    shown = repr(beyond)
    assert max(map(len, shown.splitlines())) <= 80
    said = " ".join(shown.split())
    assert said.startswith("pass@8 is not measured with 4 samples a question: 4 statistical models put it at ")
    assert "Without assuming any model, it lies between" in said
    rows = [line.split() for line in shown.splitlines()]
    assert ["4", "1.000", "-"] in [row[:3] for row in rows] and said.endswith("15 rows.")


def test_nothing_is_guessed_where_all_is_measured():
    found = extrapolate_credit(4, RIGHT, [1, 2], any_credit, label="pass@k")
    shown = repr(ExtrapolationReport(**vars(found)))
    assert shown.startswith("pass@2 is 0.922, measured with 4 samples a question.")


def test_values_close_to_one_say_so(beyond):
    at = int(np.flatnonzero(beyond.k == 8)[0])
    near = replace(beyond, high=np.where(np.arange(5) == at, .99999, beyond.high))
    shown = near.to_text(how=True)
    line = [line for line in shown.splitlines() if line.startswith("16 ")][-1]
    assert ">0.9999" in shown and line.endswith("1.0000")


def test_every_form_has_the_same_cells(beyond):
    row = beyond.rows[0]
    cells = ["1", "exact", "0.8000", *(f"{row[name]:.4f}" for name in [*beyond.models, "low", "high"])]
    assert "| " + " | ".join(cells) + " |" in beyond.to_markdown().splitlines()
    assert " & ".join(cells) + r" \\" in beyond.to_latex().splitlines()
    page = beyond.to_html()
    assert "".join(f"<td>{o}</td>" for o in cells) in page and page.count("<svg") == 1


def test_json(beyond):
    told = json.loads(beyond.to_json())
    assert list(told) == ["label", "k", "questions", "n_min", "n_max", "exact", "models", "laws",
                          "misfit", "low", "high", "unsolved", "mirrored", "confidence_level",
                          "left_out", "read", "rows", "how", "warnings"]
    assert told == beyond.to_dict() and told["k"] == [1, 2, 4, 8, 16]
    assert told["laws"]["Beta"].keys() == {"a", "b", "zero", "loglik", "at_edge"}
    assert told["rows"][3]["exact"] is None and told["rows"][3]["kind"] == "model"
    frame = beyond.to_frame("polars")
    assert frame.columns == ["k", "kind", "exact", *beyond.models, "low", "high"] and len(frame) == 5


def test_what_is_read_back_is_equal(beyond):
    again = ExtrapolationReport.from_json(beyond.to_json())
    assert again == beyond and repr(again) == repr(beyond) and again.warnings == beyond.warnings
    assert again.laws["Beta"].a == beyond.laws["Beta"].a and again.low.tolist() == beyond.low.tolist()
    assert pickle.loads(pickle.dumps(beyond)) == beyond and replace(beyond, read="") != beyond
    lines = [ax.lines[0].get_ydata().tolist() for ax in (again.plot(), beyond.plot())]
    assert lines[0] == lines[1]


def test_without_bounds_and_with_an_edge(beyond):
    law = replace(beyond.laws["Beta"], at_edge=True)
    open_ = replace(beyond, low=None, high=None, laws=beyond.laws | {"Beta": law},
                    left_out=(("a law", "why"),))
    again = ExtrapolationReport.from_json(open_.to_json())
    assert again == open_ and again.low is None
    assert "a law left out: why" in again.warnings
    assert any("likelihood rises up to the edge" in o for o in again.warnings)


@pytest.mark.parametrize("value, text", [(0., "0.000"), (1e-9, "<0.001"), (.0005, "0.001"), (.5, "0.500"),
                                         (.9994, "0.999"), (1 - 1e-9, ">0.999"), (1., "1.000")])
def test_ends_close_to_certainty_say_so(value, text):
    from sampling_eval.reporting.forecast_screen import show_end
    assert show_end(value) == text
