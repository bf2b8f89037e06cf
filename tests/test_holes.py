"""Arrays and lists of outcomes in which some samples have none."""
import numpy as np
import pytest

from sampling_eval import compare, score
from sampling_eval.io.counted import count_outcomes
from sampling_eval.io.options import Policy

HOLED = [[1, 0, None], [1, 1, 0], [1, float("nan"), 1]]


@pytest.mark.parametrize("missing, n, c", [
    ("wrong", [3, 3, 3], [1, 2, 2]), ("drop", [2, 3, 2], [1, 2, 2]), ("right", [3, 3, 3], [2, 2, 3])])
def test_policies(missing, n, c):
    for data in (HOLED, np.array(HOLED, float), np.array(HOLED, object), list(map(np.array, HOLED))):
        counts = count_outcomes(data, Policy(missing))
        assert counts.n.tolist() == n and counts.c.tolist() == c
        assert counts.missing.tolist() == [1, 0, 1]


def test_refused_with_what_to_pass():
    said = r"2 samples have no outcome \(2 questions: 0, 2\); pass missing='wrong' or 'drop'"
    with pytest.raises(ValueError, match=said): score(HOLED)
    with pytest.raises(ValueError, match="none at question 1 .1 of 2 fail.; pass missing='wrong'"):
        score([[1, 0], [None, None]], missing="drop")


def test_verbs_tell_what_was_missing():
    report = score(HOLED, missing="wrong")
    assert report.rows[0].missing == 2 and "2 of 9 samples missing" in report.read
    low, high = (row.estimate for row in score(HOLED, "pass@1", missing="bounds").rows)
    assert (low, high) == pytest.approx((5 / 9, 7 / 9), rel=1e-15)
    both = compare(HOLED, HOLED, k=1, missing="wrong").read
    assert [(one.missing.count, one.missing.total) for one in both.values()] == [(2, 9)] * 2


def test_flags():
    counts = count_outcomes([[True, None], [False, True]], Policy("wrong"))
    assert counts.c.tolist() == [1, 1] and counts.n.tolist() == [2, 2]


def test_whole_tables_are_untouched():
    for data in ([[1, 0], [1]], np.eye(2, dtype=int), np.eye(2)):
        assert not count_outcomes(data, Policy()).missing.any()
