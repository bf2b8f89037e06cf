"What an extrapolation says: its answer, its tables, and what to distrust of it."

from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.analyses.extrapolate.result import Forecast
from sampling_eval.analyses.extrapolate.words import (
    bounds_clause,
    caution_sentences,
    draw_curves,
    headline,
    make_table,
    make_whole_table,
    methods,
    title,
    unsolved_sentence,
)


def forecast(k=(1, 4, 8), exact=(0.5, 0.7), low=(0.4, 0.6, 0.65), high=(0.6, 0.8, 0.9), **given):
    known = dict(
        metric="pass@k", questions=50, n_min=4, n_max=4, parameters={}, misfit={}, unsolved=0,
        models={"beta": np.array([0.5, 0.7, 0.75]), "zero": np.array([0.5, 0.7, 0.76])},
        mirrored=False, confidence_level=0.95, left_out={},
    )
    ends = (None if one is None else np.array(one) for one in (low, high))
    return Forecast(k=np.array(k), exact=np.array(exact),
                    **dict(zip(("low", "high"), ends)) | known | given)


ALONE = dict(models={"beta": np.array([0.5, 0.7, 0.75])})


@pytest.mark.parametrize(
    "given, said",
    [
        (
            {},
            "pass@8 with 4 samples per question is an extrapolation: assumption-free 95 % bounds "
            "65.0 to 90.0 %; 2 models say 75.0 to 76.0 %.",
        ),
        (
            ALONE | dict(n_max=6),
            "pass@8 with 4 to 6 samples per question is an extrapolation: assumption-free 95 % "
            "bounds 65.0 to 90.0 %; one model says 75.0 %.",
        ),
        (
            dict(low=None, high=None, models={}),
            "pass@8 with 4 samples per question is an extrapolation: no distribution of difficulty "
            "fits the counts.",
        ),
        (
            dict(k=(1, 4), low=(0.4, 0.6), high=(0.6, 0.8), models={}),
            "pass@4 = 70.0 %, measured with 4 samples per question.",
        ),
    ],
)
def test_the_first_budget_beyond_the_samples(given, said):
    assert headline(forecast(**given)) == said


def test_numbers_at_each_budget():
    found = forecast(k=(1, 4, 8000))
    assert make_table(found).rows == [
        ["1", "50.0 %", "-", "40.0 to 60.0 %"],
        ["4", "70.0 %", "-", "60.0 to 80.0 %"],
        ["8,000", "-", "75.0 to 76.0 %", "65.0 to 90.0 %"],
    ]
    whole = make_whole_table(found)
    assert whole.head == ["k", "exact", "beta", "zero", "low", "high"]
    assert whole.rows[2] == ["8,000", "-", "0.7500", "0.7600", "0.6500", "0.9000"]
    assert make_table(found).head[-1] == "95 % bounds" and title(found) == "pass@k beyond 4 samples"
    none = forecast(low=None, high=None)
    assert bounds_clause(none, none.rows[0]).startswith("no distribution")
    assert [row[-1] for row in make_table(none).rows] == ["-"] * 3


def test_curves_measured_and_beyond():
    drawn = draw_curves(forecast())
    assert [(one.label, list(one.k)) for one in drawn.series] == [
        ("measured", [1, 4]), ("beta", [8]), ("zero", [8]),
    ]
    assert drawn.series[0].said == ["measured, k = 1: 50.0 %", "measured, k = 4: 70.0 %"]
    assert list(drawn.band) == [(1, 0.4, 0.6), (4, 0.6, 0.8), (8, 0.65, 0.9)]
    only = draw_curves(forecast(k=(1, 4), low=(0.4, 0.6), high=(0.6, 0.8)))
    assert [one.label for one in only.series] == ["measured"]
    beyond = draw_curves(forecast(k=(8, 9, 10), exact=(), low=None, high=None))
    assert [one.label for one in beyond.series] == ["beta", "zero"] and list(beyond.band) == []


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, []),
        (dict(unsolved=1),
         ["1 of 50 questions never solved: impossible and very hard questions look the same."]),
        (dict(unsolved=9, mirrored=True),
         ["9 of 50 questions always right: rare failures would not have been seen."]),
    ],
)
def test_questions_that_samples_tell_least_about(given, said):
    assert unsolved_sentence(forecast(**given)) == said


MODEL = "k > 4 is a model, not a measurement."
# No right sample among 4: the chance of one is at most 1 - .05^(1/4), where one end takes all.
LIMIT = 1 - 0.05 ** (1 / 4)


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, [MODEL]),
        (dict(k=(1, 4), low=(0.4, 0.6), high=(0.6, 0.8), models={}), []),
        (dict(left_out={"power": "too few"}), ["power left out: too few.", MODEL]),
        (dict(misfit=dict(beta=0.01, zero=-0.0101)),
         [MODEL, "zero misses the measured value at k = 4 by -1.0 points."]),
        (dict(parameters=dict(beta=dict(at_edge=True), zero=dict(at_edge=False))),
         [MODEL, "beta: parameters not determined, the likelihood rises up to the edge."]),
        (dict(parameters=dict(beta=dict(at_edge=True), zero=dict(at_edge=True))),
         [MODEL, "beta and zero: parameters not determined, the likelihood rises up to the edge."]),
        (dict(low=None, high=None), [MODEL, "No distribution of difficulty fits the counts: "]),
        (dict(models={"beta": np.array([0.5, 0.7, 0.75]), "zero": np.array([0.9, 0.7, 0.80])}),
         [MODEL, "The models differ by up to 5.0 points, at k = 8; all of them may err to the "]),
        (dict(models={"beta": np.array([0.5, 0.7, 0.75]), "zero": np.array([0.9, 0.7, 0.765])}),
         [MODEL]),
        (dict(models={"beta": np.array([0.5, 0.7, 0.1])}), [MODEL]),
        (dict(unsolved=3), [MODEL, "3 of 50 questions have no right sample: impossible and very "
                                   "hard ones look the same; the probability of such a sample "]),
        (dict(unsolved=3, mirrored=True),
         [MODEL, "3 of 50 questions have no wrong sample: certain and nearly certain ones look "]),
    ],
)
def test_what_to_distrust(given, said):
    told = list(caution_sentences(forecast(**given)))
    assert len(told) == len(said) and all(a.startswith(b) for a, b in zip(told, said))


def test_how_likely_a_right_sample_may_still_be():
    (_, told) = caution_sentences(forecast(unsolved=3))
    assert told.endswith(f"may be up to {100 * LIMIT:.1f} % (exact 95 % bound).")


def test_the_laws_of_the_lesson_may_lie_at_an_edge():
    lesson = SimpleNamespace(**vars(forecast()), laws=dict(beta=SimpleNamespace(at_edge=True)))
    assert "beta: parameters not determined" in " ".join(caution_sentences(lesson))


def test_what_was_fitted():
    assert "fitted to the counts (beta, zero) and assumption-free 95 %" in methods(forecast())
    assert "(none)" in methods(forecast(models={})) and "4 to 6 samples each" in methods(
        forecast(n_max=6)
    )
