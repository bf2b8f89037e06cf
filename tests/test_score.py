"`score`, its reports and the command against hostile and clumsy use: the right number, or one sentence."
import csv, io, json, math, subprocess, sys
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from sampling_eval import counts_of, score
from sampling_eval.foundations.counts import Counts
from sampling_eval.metrics.catalog import find_metric

OUTCOMES = np.random.default_rng(1).integers(0, 2, (6, 5))


# counts

def test_budget_beyond_n_names_a_question_with_a_text_name():
    rows = [dict(question=q, correct=1) for q in "ab" for _ in range(3)]
    with pytest.raises(ValueError, match="k=4 needs 4 samples, got n=3 at question 'a'"): score(rows, k=4)
    with pytest.raises(ValueError, match="must appear once, got 'a' 2 times"): Counts([1, 1], [0, 1], np.array(["a", "a"], object))


def test_outcomes_in_an_array_of_objects():
    assert score(OUTCOMES.astype(object)).to_dict() == score(OUTCOMES).to_dict()
    assert score(np.array([[1, 0], [True]], dtype=object)).rows[0].n_max == 2
    with pytest.raises(TypeError, match="got 1000000000000000000000000000000"): score([[10**30, 1]])
    with pytest.raises(TypeError, match="got None"): score(np.array([[1, None]], dtype=object))


@pytest.mark.parametrize("data, word", [(np.ma.array([[1, 0]], mask=[[0, 1]]), "masked"), (np.array(3), "one row per question"),
                                        ([[1, 0], 5], "one row per question"), ([None, [1]], "one row per question")])
def test_tables_that_are_no_tables(data, word):
    with pytest.raises((TypeError, ValueError), match=word): counts_of(data)
