"Missing samples counted both ways: the two values between which a metric lies."
import numpy as np
import pytest

from sampling_eval import score

LOST = dict(question=[1, 1, 1, 2, 2, 2], correct=[1, None, 1, 0, 0, None])
VOTED = [dict(question=1, answer=a, correct=c) for a, c in (("A", 1), ("B", 0), (None, None))]


def test_values_counted_wrong_and_right():
    found = {(row.metric, row.group): row.estimate for row in score(LOST, ["pass@1", "pass^2"], missing="bounds").rows}
    assert found == pytest.approx({("pass@1", "missing counted wrong"): 1 / 3, ("pass^2", "missing counted wrong"): 1 / 6,
                                   ("pass@1", "missing counted right"): 2 / 3, ("pass^2", "missing counted right"): 1 / 2})


def test_the_first_is_that_of_missing_wrong():
    both, wrong = score(LOST, "pass@k", missing="bounds"), score(LOST, "pass@k", missing="wrong")
    for k in (1, 2, 3): assert both["missing counted wrong", f"pass@{k}"].estimate == wrong[f"pass@{k}"].estimate
    assert both.summary.missing.policy == "both" and "CI for it runs from" in " ".join(str(both).split())
    np.testing.assert_array_equal(both.questions["c"], wrong.questions["c"])


def test_a_vote_has_no_bounds():
    found = score(VOTED, missing="bounds", no_answer="abstain")
    assert not any(row.metric.startswith("maj@") for row in found.rows)
    assert found.left_out["maj@k"] == "how a missing sample would have voted or ranked is unknown"
    with pytest.raises(ValueError, match="maj@k has no bounds: how a missing sample would have voted"): score(VOTED, "maj@k", missing="bounds", no_answer="abstain")


def test_a_credit_that_falls_is_refused():
    falls = {"exactly one@k": lambda k: np.arange(k + 1) == 1}
    with pytest.raises(ValueError, match="needs a credit that never falls with another right sample, got 'exactly one@k'"):
        score(LOST, falls, k=[2], missing="bounds")
    rises = {"two@k": lambda k: np.arange(k + 1) >= 2}
    assert [row.estimate for row in score(LOST, rises, k=[2], missing="bounds").rows] == pytest.approx([1 / 6, 1 / 2])


def test_a_vote_is_refused_only_where_something_is_missing():
    from sampling_eval.foundations.counts import Counts
    from sampling_eval.metrics.catalog import find_metric
    from sampling_eval.verbs.metric_choice import refuse_falling, refuse_unbounded
    from sampling_eval.verbs.metric_choice import Chosen
    vote, share = (Chosen(find_metric(name)[0][0], np.array([2]), (name,)) for name in ("maj@k", "pass@k"))
    whole, lost = Counts([2], [1]), Counts([2], [1], missing=[1])
    for chosen, metrics, counts in (([vote], "maj@k", whole), ([share], "pass@k", lost), ([vote, share], None, lost)):
        assert refuse_unbounded(chosen, metrics, counts) is None
    for chosen in ([vote], [share, vote]):
        with pytest.raises(ValueError, match="^maj@k has no bounds: .*; choose missing='wrong' or 'drop'$"):
            refuse_unbounded(chosen, "maj@k", lost)
    assert refuse_falling(share, None) is None and refuse_falling(vote, "anything") is None
    assert refuse_falling(share, "anything") is None


@pytest.mark.parametrize("credit, refused", [([0, .5, .5], False), ([.5, .5, .5], False), ([0, 1, .999], True),
                                             ([1, 0, 1], True)])
def test_a_credit_may_stay_but_not_fall(credit, refused):
    def find(): return [row.estimate for row in score(LOST, {"own": credit}, missing="bounds").rows]
    if not refused: assert len(find()) == 2
    else:
        with pytest.raises(ValueError, match="never falls with another right sample, got 'own'"): find()


def test_every_budget_of_a_credit_is_looked_at():
    rises = {"two@k": lambda k: np.arange(k + 1) if k < 3 else np.arange(k + 1)[::-1]}
    assert len(score(LOST, rises, k=[2], missing="bounds").rows) == 2
    with pytest.raises(ValueError, match="never falls"): score(LOST, rises, k=[2, 3], missing="bounds")
