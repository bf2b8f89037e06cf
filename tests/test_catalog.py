"The catalog: names, credits, and values by state."
import pickle
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
import pytest

from sampling_eval.foundations import credit as credits
from sampling_eval.foundations.answers import rewards_of, votes_of
from sampling_eval.foundations.counts import Counts
from sampling_eval.foundations.credit import CREDITS, find_credit, threshold_credit
from sampling_eval.foundations.urn import mean_credit, second_moment, within_variance
from sampling_eval.metrics import catalog, consensus, gpass
from sampling_eval.foundations import credit
from sampling_eval.foundations import credit
from sampling_eval.metrics.catalog import CATALOG, find_metric, g_pass, own_metric

COUNTED = [CATALOG[o] for o in CATALOG if CATALOG[o].needs == ("c",) and o != "g-pass@k_tau"] + [g_pass(o) for o in (0., .28, .5, 1.)]
EVERY = Counts(np.repeat(np.arange(1, 13), np.arange(2, 14)), np.concatenate([np.arange(n + 1) for n in range(1, 13)]))


def exact(credit, n, c, k):
    "Mean credit over all subsets, credits taken as the nearest fraction of k."
    h = [Fraction(round(o * k), k) for o in credit(k)]
    ways = [comb(c, j) * comb(n - c, k - j) for j in range(k + 1)]
    return sum(w * o for w, o in zip(ways, h)) / comb(n, k)


# values by state

@pytest.mark.parametrize("metric", COUNTED, ids=lambda m: m.name)
def test_values_of_states_are_exact(metric):
    for n in 1, 2, 7, 12, 25:
        counts, ks = Counts(np.full(n + 1, n), np.arange(n + 1)), np.arange(1, n + 1)
        if metric.at == "n": ks = ks[-1:]
        got = metric.at_states(counts, ks).table
        want = np.array([[float(exact(metric.credit, n, c, int(k))) for k in ks] for c in range(n + 1)])
        np.testing.assert_allclose(got, want, rtol=1e-14, atol=0)


@pytest.mark.parametrize("metric", COUNTED, ids=lambda m: m.name)
def test_states_and_questions_agree(metric):
    rng = np.random.default_rng(0)
    n = rng.choice([8, 9, 30], 400)
    counts = Counts(n, rng.integers(0, n + 1))
    for ks in np.array([8]), np.arange(1, 9), np.array([1, 3, 7]):
        values = metric.at_states(counts, ks)
        assert len(values.table) == len(counts.states) and values.times.sum() == len(counts)
        np.testing.assert_allclose(values.of_questions(), metric.values(counts, ks), rtol=1e-15, atol=0)


def test_one_state_per_question_where_counts_do_not_decide():
    answers, right = [["x", "y", "x"], ["x", "x", "y"], ["z", "z", "w"]], [[1, 0, 1], [1, 1, 0], [0, 0, 1]]
    scores = [[.1, .2, .3], [.3, .2, .1], [0, 1, .5]]
    counts = Counts([3] * 3, [2, 2, 1], score_sum=[sum(o) for o in scores], votes=votes_of(answers, right), rewards=rewards_of(scores, right))
    for name in "soft@n", "maj@k", "best@k", "max@k", "min@k":
        values = CATALOG[name].at_states(counts, np.array([1, 2]))
        assert values.state.tolist() == [0, 1, 2] and values.times.tolist() == [1, 1, 1]
        np.testing.assert_array_equal(values.table, CATALOG[name].values(counts, np.array([1, 2])))
    graded = Counts([3] * 3, None, score_sum=[1., 2., 3.])
    assert CATALOG["soft@n"].at_states(graded, np.array([3])).of_questions()[:, 0].tolist() == [1 / 3, 2 / 3, 1]
    with pytest.raises(TypeError, match="states need outcomes"): CATALOG["pass@k"].at_states(graded, np.array([1]))


def test_a_question_with_too_few_samples_is_counted_among_questions():
    counts = Counts([8, 8, 3, 3], [1, 1, 0, 0])
    for run in CATALOG["pass@k"].at_states, CATALOG["pass@k"].values:
        with pytest.raises(ValueError, match=r"need 1 <= k <= n, got n=3, c=0, k=5 at question 2 \(2 of 4 fail\)"): run(counts, np.array([5]))


def test_averages_of_unequal_samples():
    counts = Counts([2, 5], [1, 1])
    assert CATALOG["avg@n"].at_states(counts, np.array([9])).of_questions().tolist() == [[.5], [.2]]


@pytest.mark.parametrize("name", ["pass@k", "pass^k", "cons@k"])
def test_long_curves_keep_their_digits(name):
    n, some = 300, [0, 1, 2, 7, 75, 149, 150, 151, 260, 299, 300]
    ks = np.arange(1, n + 1)
    table = CATALOG[name].at_states(Counts(np.full(len(some), n), some), ks).table
    for c, row in zip(some, table):
        want = [float(exact(CATALOG[name].credit, n, c, int(k))) for k in ks[::13]]
        np.testing.assert_allclose(row[::13], want, rtol=1e-14, atol=0)


def test_metrics_survive_pickle():
    for metric in [*COUNTED, *CATALOG.values(), own_metric("two@k", partial(threshold_credit, tau=Fraction(1, 2)))]:
        again = pickle.loads(pickle.dumps(metric))
        assert again.name == metric.name
        if metric.credit is not None: assert (again.credit(4) == metric.credit(4)).all()


# names

@pytest.mark.parametrize("tau", [.5, .75, 1., .28, .1, 1 / 3, .5000001, 1e-5, .1 + .2, np.nextafter(.5, 1), np.nextafter(1, 0)])
def test_a_label_prints_the_threshold_that_is_computed(tau):
    label = g_pass(tau).label(2)
    assert float(label.removeprefix("g-pass@2_")) == tau and "e" not in label.removeprefix("g-pass@2_")
    (again,), k = find_metric(label)
    assert k == 2 and again.label(2) == label
    np.testing.assert_array_equal(again.credit(64), threshold_credit(64, tau))


def test_names_of_metrics():
    assert [m.label(4) for m in find_metric("g-pass@k_tau")[0]] == ["g-pass@4_0.5", "g-pass@4_0.75", "g-pass@4_1.0"]
    assert find_metric(" PASS@8 ")[0][0] is CATALOG["pass@k"] and find_metric("pass@8")[1] == 8
    assert find_metric("avg@n")[0][0].label("n") == "avg@n"
    assert [m.label(4) for m in find_metric("g-pass@4")[0]] == [m.label(4) for m in find_metric("g-pass@k_tau")[0]]
    for name in "pas@k", "avg@3", "pass@0", "pass@k_0.5", "pass", "", "@k", "pass@1000000000", "g-pass@k_x":
        with pytest.raises(ValueError, match="unknown metric"): find_metric(name)
    with pytest.raises(TypeError, match="a metric is named by text"): find_metric(3)


# credits

def test_credits_by_name():
    c, k = np.arange(9), np.array([1, 3, 4])
    for name, credit in CREDITS.items():
        assert find_credit(name) is credit is find_credit(credit)
        np.testing.assert_array_equal(mean_credit(c, 8 - c, k, name), mean_credit(c, 8 - c, k, credit))
        np.testing.assert_array_equal(second_moment(c, 8 - c, k, name), second_moment(c, 8 - c, k, credit))
        columns = np.full((9, 1), 8), c[:, None], k
        np.testing.assert_array_equal(within_variance(*columns, name), within_variance(*columns, credit))
        np.testing.assert_array_equal(own_metric("mine@k", name).values(EVERY, np.array([1])), own_metric("mine@k", credit).values(EVERY, np.array([1])))


def test_credits_that_are_unknown():
    with pytest.raises(ValueError, match="one of share, any, all, majority, mean_threshold, got 'most'; .* partial"): find_credit("most")
    with pytest.raises(TypeError, match=r"credit must be a function of k .* got 3"): find_credit(3)


def test_credits_keep_their_old_addresses():
    for name in "share_credit", "any_credit", "all_credit", "majority_credit", "threshold_credit", "mean_threshold_credit":
        assert getattr(catalog, name) is getattr(credits, name)
    assert credit.majority_credit is credits.majority_credit
    assert credit.threshold_credit is credits.threshold_credit and credit.mean_threshold_credit is credits.mean_threshold_credit


def test_ones_own_metric():
    pairs = own_metric("pairs@k", lambda k: np.arange(k + 1) >= 2)
    want = [[float(exact(pairs.credit, 12, c, 4))] for c in range(13)]
    np.testing.assert_allclose(pairs.at_states(Counts(np.full(13, 12), np.arange(13)), np.array([4])).table, want, rtol=1e-14)
    assert pairs.bounded and not own_metric("x@k", lambda k: np.arange(k + 1)).bounded
    for bad, words in ([1, 2], r"k \+ 1 = 5 finite numbers, got shape \(2,\)"), ([0, 1, np.inf, 1, 1], "got inf at j=2"), ([[1]], "function of k"), ("most", "one of share"):
        with pytest.raises(ValueError, match=words): own_metric("mine", bad)
    with pytest.raises(TypeError, match="dtype <U1"): own_metric("mine", list("abcde"))
    with pytest.raises(ValueError, match="is a metric of the package"): own_metric("pass@3", "any")
    with pytest.raises(TypeError, match="needs a name"): own_metric(" ", "any")
