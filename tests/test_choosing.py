"Which metrics at which budgets: names and credits, as they were asked for."
import numpy as np
import pytest

from sampling_eval.foundations.counts import Counts
from sampling_eval.verbs.metric_choice import (choose_metrics, choose_one, default_budgets, list_budgets,
                                               name_average, pick_metrics, refuse_file)

FOUR = Counts([4], [2])


@pytest.mark.parametrize("k, kind, said", [
    (0, ValueError, "need k >= 1, got k=0"), (True, TypeError, "k must be an int, got True"),
    ([1, True], TypeError, "k must be an int"), ([[1, 2]], ValueError, "one row of them"),
    (range(1, 2**20 + 2), ValueError, "at most 1048576 budgets"),
    (np.True_, TypeError, "k must be an int, got True"),
    (np.array([[1, 2]]), ValueError, "k must be an int or one row of them"),
    ([1, [2]], ValueError, "one row of them"), ([0, 2], ValueError, "need k >= 1, got k=0"),
    (-1, ValueError, "got k=-1"), (5, ValueError, "k=5 needs 5 samples"),
    (np.arange(1, 6), ValueError,
     r"k=5 needs 5 samples, got n=4 at question 0 \(1 of 1 fail\); the largest k for all questions is 4")])
def test_budgets_that_are_none(k, kind, said):
    with pytest.raises(kind, match=said): list_budgets(FOUR, k)


def test_without_names_every_metric_that_the_data_give_and_why_not_the_others():
    chosen, left_out = choose_metrics(FOUR)
    assert [one.metric.name for one in chosen] == [
        "pass@k", "pass^k", "avg@n", "cons@k", "g-pass@k_0.5", "g-pass@k_0.75", "g-pass@k_1.0", "mg-pass@k"]
    assert list(left_out) == ["soft@n", "maj@k", "best@k"]
    assert left_out["soft@n"] == "no graded scores"


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


@pytest.mark.parametrize("most, want", [
    (1, [1]), (2, [1, 2]), (7, [1, 2, 3, 4, 5, 6, 7]), (10, [1, 2, 4, 8, 10]), (15, [1, 2, 4, 8, 15]),
    (16, [1, 2, 4, 8, 16]), (17, [1, 2, 4, 8, 16, 17]), (64, [1, 2, 4, 8, 16, 32, 64])])
def test_budgets_by_default(most, want): assert default_budgets(most).tolist() == want


def test_so_many_budgets_are_the_most():
    "Of 2**20 budgets the largest is refused for want of samples, of one more all of them."
    with pytest.raises(ValueError, match="k=1048576 needs 1048576 samples"): list_budgets(FOUR, range(1, 2**20 + 1))
    with pytest.raises(ValueError, match="at most 1048576 budgets, got 1048577"):
        list_budgets(FOUR, range(1, 2**20 + 2))


def test_metrics_that_the_data_give_and_reasons_for_the_others():
    scored = Counts([2, 2], None, score_sum=[1.5, .5])
    found, left_out = pick_metrics(scored, None, None, "expected", {"c": "said elsewhere"})
    assert [(metric.name, stated) for metric, stated in found] == [("soft@n", None)]
    assert left_out["pass@k"] == "said elsewhere" and left_out["maj@k"] == "said elsewhere"
    with pytest.raises(ValueError,
                       match="no metric to report: pass@k .no outcomes; name the column with correct=.; pass.k"):
        choose_metrics(Counts([2], None))
    with pytest.raises(ValueError, match="must name one metric, got none; write one of them"): choose_one(FOUR, [])
    with pytest.raises(ValueError, match="maj@3 cannot be computed: said elsewhere"):
        choose_one(FOUR, "maj@3", lacks={"votes": "said elsewhere"})


def test_ties_are_broken_as_asked():
    from sampling_eval.foundations.answers import tally
    votes = tally([0, 0], ["a", "b"], [1, 0])
    counts = Counts([2], [1], votes=votes)
    values = {ties: choose_metrics(counts, "maj@2", ties=ties)[0][0].metric.values(counts, np.array([2]))[0, 0]
              for ties in ("expected", "wrong")}
    assert values == dict(expected=.5, wrong=0)
    plain, expected = (choose_metrics(counts, "maj@2", **given)[0][0] for given in ({}, dict(ties="expected")))
    assert plain.metric.estimator == expected.metric.estimator
    assert [choose_one(counts, "maj@2", ties=ties)[0].values(counts, np.array([2]))[0, 0]
            for ties in ("expected", "wrong")] == [.5, 0]
    assert choose_one(counts, "maj@2")[0].estimator == choose_metrics(counts, "maj@2")[0][0].metric.estimator


@pytest.mark.parametrize("name, want", [
    ("avg@4", "avg@n"), (" AVG@4 ", "AVG@n"), ("soft@4", "soft@n"), ("avg@04", "avg@04"), ("pass@4", "pass@4"),
    ("avg@n", "avg@n"), ("avg@4x", "avg@4x"), (4, 4)])
def test_an_average_by_its_samples(name, want): assert name_average(name, FOUR) == want


def test_an_average_where_some_questions_have_other_samples():
    with pytest.raises(ValueError) as refused: name_average("soft@4", Counts([4, 5, 3], [1, 1, 1], ["a", "b", "c"]))
    assert str(refused.value) == (
        "soft@4 is a mean over all 4 samples, got n=5 at question 'b' (2 of 3 fail); soft@n takes what there is")


def test_a_file_is_no_metric(tmp_path):
    (tmp_path / "a.csv").write_text("")
    (tmp_path / "plain").write_text("")
    for file in (tmp_path / "a.csv", str(tmp_path / "a.csv")):
        with pytest.raises(ValueError, match=r"got the file .*a\.csv'; several files are one list"): refuse_file(file)
    for name in (tmp_path / "plain", tmp_path / "b.csv", "pass@k", 3): refuse_file(name)
