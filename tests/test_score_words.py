"What a score says of very many models in one sentence."

from types import SimpleNamespace

import pytest

from sampling_eval.analyses.score.words import first_and_last


def many(**means):
    found = SimpleNamespace(means=means, metric="pass@1", unit="share", same_questions=True)
    return SimpleNamespace(many=found, systems="models")


@pytest.mark.parametrize(
    "means, said",
    [
        (dict(a=0.5, b=0.5, c=0.5), "All 3 models have pass@1 = 50.0 %."),
        # Equal but for the last bits.
        (dict(a=0.5, b=0.5 + 1e-15), "All 2 models have pass@1 = 50.0 %."),
        (
            dict(a=0.9, b=0.5, c=0.2),
            "a leads 3 models with 90.0 % in pass@1; c has 20.0 %.",
        ),
        (
            dict(a=0.9, b=0.9, c=0.2, d=0.2),
            "a and b lead 4 models with 90.0 % in pass@1; c and d have 20.0 %.",
        ),
    ],
)
def test_the_first_and_the_last(means, said):
    assert first_and_last(many(**means)) == said
