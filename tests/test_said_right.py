"Sentences that a small fault would change and nothing else would notice: each once, by hand."

from pathlib import Path
from types import SimpleNamespace

import pytest

from sampling_eval.inference.intervals import Interval, Method
from sampling_eval import extrapolate, plan
from sampling_eval.analyses.addons.judged import CorrectedRow, CorrectedScore, correction_sentence
from sampling_eval.analyses.phrases.advice import test_with_adjustment
from sampling_eval.reading.logs.inspect_ai import split_input
from sampling_eval.reading.logs.several import summarize
from sampling_eval.results.cautions import OddRun, SampleCount


@pytest.mark.parametrize(
    "asked, said",
    [
        ("What is 2 + 2?", "What is 2 + 2?"),
        ('["You are.", "What?"]', ["You are.", "What?"]),
        ("[sic] What?", "[sic] What?"),
    ],
)
def test_a_prompt_is_a_text_or_messages(asked, said):
    assert split_input(asked) == said


def table(name, took, rows):
    return SimpleNamespace(path=Path(name), took=took, columns=dict(question=list(range(rows))))


def test_a_summary_of_several_kinds_names_every_file():
    kinds = dict(correct="score"), dict(score="value")
    logs = [
        table("a.json", kinds[0], 2),
        table("b.json", kinds[1], 3),
        table("c.json", kinds[0], 4),
    ]
    found = summarize("mine", logs)
    assert found.files == ("a.json", "b.json", "c.json") and found.rows == 9
    assert [one.files for one in found.inputs] == [("a.json", "c.json"), ("b.json",)]


def test_the_corrected_rows_that_are_quoted_are_the_first_and_the_largest_budget_of_its_metric():
    rows = [
        CorrectedRow(name, 0.5, estimate, Interval(0.1, 0.9, method=Method("t", False)))
        for name, estimate in (
            ("pass@1", 0.41),
            ("pass@2", 0.42),
            ("pass@8", 0.43),
            ("pass^8", 0.44),
        )
    ]
    said = correction_sentence(CorrectedScore(0.9, 0.8, tuple(rows), labels=20), 0.95)
    assert "pass@1 41.0 %" in said and "pass@8 43.0 %" in said
    assert "pass@2" not in said and "pass^8" not in said


def test_an_unknown_correlation_is_told_for_a_drop_alone():
    said = "correlation between the systems is unknown"
    assert said in " ".join(plan(max_drop=0.1, n=8).to_text(how=True).split())
    least = plan(minimum={"pass@4": 0.5}, true_value=0.8, n=8)
    assert said not in " ".join(least.to_text(how=True).split())


@pytest.mark.parametrize(
    "caution, said",
    [
        (
            SampleCount(2, (3, 4), (0.5, 0.4), p=0.01, test="permutation", comparisons=3),
            "Bonferroni over 3 tests",
        ),
        (
            OddRun(
                ("r",), (1,), (9,), (0,), 3, 0.1, 0.9, p=0.01, test="permutation", comparisons=4
            ),
            "Bonferroni over 4 runs",
        ),
    ],
)
def test_what_a_p_value_is_adjusted_for_is_named(caution, said):
    assert test_with_adjustment(caution).endswith(f", {said}")


def test_no_model_is_no_word():
    found = extrapolate([[1, 1, 1, 1]] * 6, k=[8])
    assert not found.models and "None" not in repr(found) + found.to_text(how=True)
