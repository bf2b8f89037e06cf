"Missing samples counted both ways: the two values between which a metric lies."
import numpy as np
import pytest

from sampling_eval import score
from sampling_eval.verbs.bounding import NOTE

LOST = dict(question=[1, 1, 1, 2, 2, 2], correct=[1, None, 1, 0, 0, None])
VOTED = [dict(question=1, answer=a, correct=c) for a, c in (("A", 1), ("B", 0), (None, None))]


def test_values_counted_wrong_and_right():
    found = {(row.metric, row.group): row.estimate for row in score(LOST, ["pass@1", "pass^2"], missing="bounds").rows}
    assert found == pytest.approx({("pass@1", "missing counted wrong"): 1 / 3, ("pass^2", "missing counted wrong"): 1 / 6,
                                   ("pass@1", "missing counted right"): 2 / 3, ("pass^2", "missing counted right"): 1 / 2})


def test_the_first_is_that_of_missing_wrong():
    both, wrong = score(LOST, "pass@k", missing="bounds"), score(LOST, "pass@k", missing="wrong")
    for k in (1, 2, 3): assert both["missing counted wrong", f"pass@{k}"].estimate == wrong[f"pass@{k}"].estimate
    assert "counted both ways" in both.read and both.notes[0] == NOTE
    np.testing.assert_array_equal(both.questions["c"], wrong.questions["c"])


def test_nothing_missing_gives_one_value_twice():
    full = dict(question=[1, 1, 2, 2], correct=[1, 0, 0, 0])
    low, high = score(full, "pass@1", missing="bounds").rows
    assert low.estimate == high.estimate == .25


def test_a_vote_has_no_bounds():
    found = score(VOTED, missing="bounds", no_answer="abstain")
    assert not any(row.metric.startswith("maj@") for row in found.rows)
    assert any("left out: maj@k (how a missing sample would have voted or ranked is unknown)" in note for note in found.notes)
    with pytest.raises(ValueError, match="maj@k has no bounds: how a missing sample would have voted"): score(VOTED, "maj@k", missing="bounds", no_answer="abstain")


def test_a_vote_of_complete_samples_stays():
    found = score([row for row in VOTED if row["answer"]], "maj@k", missing="bounds")
    assert {row.metric for row in found.rows} == {"maj@1", "maj@2"}


def test_a_credit_that_falls_is_refused():
    falls = {"exactly one@k": lambda k: np.arange(k + 1) == 1}
    with pytest.raises(ValueError, match="needs a credit that never falls with another right sample, got 'exactly one@k'"):
        score(LOST, falls, k=[2], missing="bounds")
    rises = {"two@k": lambda k: np.arange(k + 1) >= 2}
    assert [row.estimate for row in score(LOST, rises, k=[2], missing="bounds").rows] == pytest.approx([1 / 6, 1 / 2])


def test_groups_keep_their_name():
    rows = [dict(task=t, question=f"{t}{i}", correct=c) for t in "ab" for i, c in enumerate((1, None, 0))]
    found = score(rows, "pass@1", by="task", missing="bounds")
    assert found["a / missing counted wrong", "pass@1"].estimate == pytest.approx(1 / 3)
    assert found["a / missing counted right", "pass@1"].estimate == pytest.approx(2 / 3)
