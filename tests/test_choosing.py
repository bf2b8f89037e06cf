"Which metrics at which budgets: names and credits, as they were asked for."
import numpy as np
import pytest

from sampling_eval.foundations.counts import Counts
from sampling_eval.verbs.choosing import choose_metrics, choose_one, list_budgets

FOUR = Counts([4], [2])


def test_every_budget_up_to_eight_then_powers_of_two_and_the_smallest_n():
    assert list_budgets(Counts([4, 4], [1, 2])).tolist() == [1, 2, 3, 4]
    assert list_budgets(Counts([8], [1])).tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert list_budgets(Counts([9], [1])).tolist() == [1, 2, 4, 8, 9]
    assert list_budgets(Counts([100, 64], [10, 2])).tolist() == [1, 2, 4, 8, 16, 32, 64]


def test_budgets_asked_for_rise_and_differ():
    assert list_budgets(FOUR, [3, 1, 3]).tolist() == [1, 3]
    assert list_budgets(FOUR, 2).tolist() == [2] and list_budgets(FOUR, range(2, 4)).tolist() == [2, 3]


def test_a_budget_that_a_question_cannot_serve_is_refused_by_its_name():
    with pytest.raises(ValueError) as refused: list_budgets(Counts([8, 6], [1, 2], ["a", "b"]), 8)
    assert str(refused.value) == ("k=8 needs 8 samples, got n=6 at question 'b' (1 of 2 fail); "
                                  "the largest k for all questions is 6")


@pytest.mark.parametrize("k, kind, said", [
    (0, ValueError, "need k >= 1, got k=0"), (True, TypeError, "k must be an int, got True"),
    ([1, True], TypeError, "k must be an int"), ([[1, 2]], ValueError, "one row of them"),
    (range(1, 2**20 + 2), ValueError, "at most 1048576 budgets")])
def test_budgets_that_are_none(k, kind, said):
    with pytest.raises(kind, match=said): list_budgets(FOUR, k)


def test_without_names_every_metric_that_the_data_give_and_why_not_the_others():
    chosen, left_out = choose_metrics(FOUR)
    assert [one.metric.name for one in chosen] == [
        "pass@k", "pass^k", "avg@n", "cons@k", "g-pass@k_0.5", "g-pass@k_0.75", "g-pass@k_1.0", "mg-pass@k"]
    assert list(left_out) == ["soft@n", "maj@k", "best@k"]
    assert left_out["soft@n"] == "no graded scores; name the column with score="


def test_a_metric_without_budgets_has_one_place_and_says_its_samples():
    average, = choose_metrics(FOUR, "avg@n")[0]
    assert average.labels == ("avg@4",) and average.ks.tolist() == [1]
    assert average.budgets is None and average.bounds == (0, 1)
    ragged, = choose_metrics(Counts([4, 5], [2, 2]), "avg@n")[0]
    assert ragged.labels == ("avg@n",)


def test_metrics_of_a_share_are_reported_at_the_largest_budget():
    share, = choose_metrics(Counts([8], [2]), "g-pass@k_0.5")[0]
    assert share.ks.tolist() == [8]
    stated, = choose_metrics(Counts([8], [2]), "g-pass@4_0.5")[0]
    assert stated.ks.tolist() == [4] and stated.labels == ("g-pass@4_0.5",)


def test_asked_for_by_name_a_lack_is_an_error():
    with pytest.raises(ValueError, match="soft@n cannot be computed: no graded scores"):
        choose_metrics(FOUR, ["soft@n"])
    with pytest.raises(ValueError, match="maj@k cannot be computed: said elsewhere"):
        choose_metrics(FOUR, "maj@k", lacks={"votes": "said elsewhere"})
    with pytest.raises(ValueError, match="no metric to report: metrics holds no name"): choose_metrics(FOUR, [])
    with pytest.raises(TypeError, match="metrics must be names, got 3"): choose_metrics(FOUR, 3)


def test_one_metric():
    metric, stated = choose_one(FOUR, "pass^3")
    assert metric.name == "pass^k" and stated == 3
    with pytest.raises(TypeError, match="metrics must name one metric, got None"): choose_one(FOUR, None)
    with pytest.raises(ValueError, match="must name one metric, got 'pass@k', 'pass\\^k'"): choose_one(FOUR, ["pass@k", "pass^k"])


def test_a_credit_of_ones_own_is_named_with_its_budgets():
    def two(k): return np.arange(k + 1) >= 2
    own, = choose_metrics(FOUR, {"two@k": two}, [2, 3])[0]
    assert own.labels == ("two@2", "two@3") and own.ks.tolist() == [2, 3]
    fixed, = choose_metrics(FOUR, {"fixed": [0, .5, 1]})[0]
    assert fixed.ks.tolist() == [2]
    with pytest.raises(ValueError, match="must hold @k, got 'two'; such as 'two@k'"): choose_metrics(FOUR, {"two": two}, [2, 3])


def test_an_average_states_the_samples_that_there_are():
    assert choose_metrics(FOUR, "avg@4")[0][0].labels == ("avg@4",)
    with pytest.raises(ValueError, match="avg@5 is a mean over all 5 samples, got n=4 at question 0"): choose_metrics(FOUR, "avg@5")
