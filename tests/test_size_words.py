"What was scored, in one line, and how far another run may differ: where these sentences turn."

from types import SimpleNamespace

import pytest

from sampling_eval.analyses.score.size_words import (
    apart_clause,
    icc_text,
    name_systems,
    reruns_sentence,
    samples_clauses,
    short_clause,
    sizes_of_models,
)


def row(n_min=4, n_max=4, questions=50, missing=0, short_of=0, weights=None):
    return SimpleNamespace(
        n_min=n_min, n_max=n_max, questions=questions, missing=missing, short_of=short_of,
        weights=weights,
    )


@pytest.mark.parametrize(
    "rows, said",
    [
        ([row()], ["4 samples each", "none missing"]),
        ([row(1, 1)], ["1 sample each", "none missing"]),
        ([row(questions=1)], ["4 samples", "none missing"]),
        ([row(), row(questions=1)], ["4 samples each", "none missing"]),
        ([row(), row(2, 2)], ["2 to 4 samples each", "none missing"]),
        ([row(missing=3)], ["4 samples each", "3 missing"]),
        ([row(missing=3), row()], ["4 samples each", "0 to 3 missing"]),
        ([row(2, 4)], ["ragged: 2 to 4 samples"]),
        ([row(2, 4, missing=3)], ["ragged: 2 to 4 samples", "3 missing"]),
        ([row(2, 4, short_of=5)], ["ragged: 2 to 4 samples; 5 fewer than 4 each"]),
        # A single question cannot be ragged.
        ([row(4, 4, questions=1), row(2, 4)], ["ragged: 2 to 4 samples"]),
    ],
)
def test_samples_of_each_question(rows, said):
    assert samples_clauses(rows) == said


@pytest.mark.parametrize(
    "rows, said",
    [
        ([row(2, 4)], ""),
        ([row(2, 4, short_of=5), row(2, 4, short_of=7)], "; 5 to 7 fewer than 4 each"),
        ([row(2, 4, short_of=5), row(2, 8, short_of=0)], "; 0 to 5 fewer than the most of each"),
    ],
)
def test_samples_that_ragged_questions_lack(rows, said):
    assert short_clause(rows) == said


@pytest.mark.parametrize(
    "models, said",
    [(["m"], ["m"]), (["m", "n"], ["2 models"]), ([""], []), (["", "m"], ["m"])],
)
def test_the_only_system_is_named(models, said):
    main = {(model, ""): [row()] for model in models}
    assert name_systems(main, "models") == said
    whole = [*said, "50 questions", "4 samples each", "none missing"]
    assert sizes_of_models(main, "models") == whole
    assert sizes_of_models(main, "models", sampled=False) == [*said, "50 questions"]


@pytest.mark.parametrize(
    "icc, text",
    [
        (0.0, ".00"),
        (0.404, ".40"),
        (-0.126, "-.13"),
        (0.9949, ".99"),
        (0.995, ".9950"),
        (-0.996, "-.9960"),
        (0.9999, ".9999"),
        # Never 1, and not what is left of 1.0000 without its first digit.
        (0.99996, ".9999"),
        (1 - 1e-12, ".9999"),
        (1.0, "1.00"),
    ],
)
def test_a_correlation_is_not_rounded_to_one(icc, text):
    assert icc_text(icc) == text


@pytest.mark.parametrize(
    "share, gap",
    [(None, None), (1.0, None), (1.2, None), (0.999, "100"), (0.0995, "10"), (0.0994, "9.9"),
     (0.004, "0.4")],
)
def test_how_far_two_runs_may_differ(share, gap):
    said = apart_clause(share)
    assert said == "" if gap is None else f"more than about {gap} points in 1 of 20" in said


@pytest.mark.parametrize(
    "flips, icc, said",
    [
        (0.0, 0.5, ""),
        (0.25, None, "25 % of outcomes flip."),
        (0.25, 0.0, "25 % of outcomes flip; ICC .00."),
        (0.25, 0.5, "25 % of outcomes flip; ICC .50."),
    ],
)
def test_how_many_outcomes_flip(flips, icc, said):
    found = SimpleNamespace(flip_rate=flips, icc=icc, least_difference_95=None)
    assert reruns_sentence(found) == said and reruns_sentence(None) == ""
