"The catalog, and which metrics at which budgets are asked for: names, credits, values by state."

import pickle
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
import pytest

from sampling_eval import Counts, compare, votes_of
from sampling_eval.foundations import credit, credit as credits
from sampling_eval.foundations.answers import Rewards, rewards_of
from sampling_eval.foundations.credit import CREDITS, resolve_credit, threshold_credit
from sampling_eval.foundations.urn import mean_credit, second_moment, within_variance
from sampling_eval.inference.bayes import posterior, posterior_mean, posterior_variance
from sampling_eval.inference.borrowing import allocate_samples
from sampling_eval.inference.certificates import certify
from sampling_eval.inference.extrapolation import (
    assumption_free_bounds,
    back_test,
    BetaDistribution,
    extrapolate_credit,
    moment_bounds,
)
from sampling_eval.inference.judges import judged_curve
from sampling_eval.inference.planning import (
    distribution_components,
    paired_components,
    pilot_components,
    within_at,
)
from sampling_eval.inference.population import population_of
from sampling_eval.inference.power import smallest_verdict
from sampling_eval.inference.significance import permutation
from sampling_eval.inference.estimate import within_questions
from sampling_eval.metrics import catalog, consensus, gpass
from sampling_eval.metrics.catalog import CATALOG, find_metric, g_pass, own_metric
from sampling_eval.analyses.engine.choose import (
    choose_metrics,
    choose_one,
    columns_to_keep,
    default_budgets,
    default_metrics,
    name_average,
    pick_metrics,
    refuse_file,
    reported_budgets,
    say_approximate,
    split_metrics,
)

FOUR = Counts([4], [2])


@pytest.mark.parametrize(
    "k, kind, said",
    [
        (0, ValueError, "need k >= 1, got k=0"),
        (True, TypeError, "k must be an int, got True"),
        ([1, True], TypeError, "k must be an int"),
        ([[1, 2]], ValueError, "one row of them"),
        (range(1, 2**20 + 2), ValueError, "at most 1048576 budgets"),
        (np.True_, TypeError, "k must be an int, got True"),
        (np.array([[1, 2]]), ValueError, "k must be an int or one row of them"),
        ([1, [2]], ValueError, "one row of them"),
        ([0, 2], ValueError, "need k >= 1, got k=0"),
        (-1, ValueError, "got k=-1"),
        (5, ValueError, "k=5 needs 5 samples"),
        (
            np.arange(1, 6),
            ValueError,
            (
                r"k=5 needs 5 samples, got n=4 at question 0 \(1 of 1 fail\); the largest k for all"
                r" questions is 4"
            ),
        ),
    ],
)
def test_budgets_that_are_none(k, kind, said):
    with pytest.raises(kind, match=said):
        reported_budgets(FOUR, k)


def test_without_names_every_metric_that_the_data_give_and_why_not_the_others():
    chosen, left_out = choose_metrics(FOUR)
    assert [one.metric.name for one in chosen] == [
        "pass@k",
        "pass^k",
        "avg@n",
        "cons@k",
        "g-pass@k_0.5",
        "g-pass@k_0.75",
        "g-pass@k_1.0",
        "mg-pass@k",
    ]
    assert list(left_out) == ["soft@n", "maj@k", "best@k"]
    assert left_out["soft@n"] == "no graded scores"


def test_a_metric_without_budgets_has_one_place_and_says_its_samples():
    (average,) = choose_metrics(FOUR, "avg@n")[0]
    assert average.labels == ("avg@4",) and average.ks.tolist() == [1]
    assert average.budgets is None and average.bounds == (0, 1)
    (ragged,) = choose_metrics(Counts([4, 5], [2, 2]), "avg@n")[0]
    assert ragged.labels == ("avg@n",)


def test_metrics_of_a_share_are_reported_at_the_largest_budget():
    (share,) = choose_metrics(Counts([8], [2]), "g-pass@k_0.5")[0]
    assert share.ks.tolist() == [8]
    (stated,) = choose_metrics(Counts([8], [2]), "g-pass@4_0.5")[0]
    assert stated.ks.tolist() == [4] and stated.labels == ("g-pass@4_0.5",)


def test_asked_for_by_name_a_lack_is_an_error():
    with pytest.raises(ValueError, match="soft@n cannot be computed: no graded scores"):
        choose_metrics(FOUR, ["soft@n"])
    with pytest.raises(ValueError, match="maj@k cannot be computed: said elsewhere"):
        choose_metrics(FOUR, "maj@k", lacks={"votes": "said elsewhere"})
    with pytest.raises(ValueError, match="no metric to report: metrics holds no name"):
        choose_metrics(FOUR, [])
    with pytest.raises(TypeError, match="metrics must be names, got 3"):
        choose_metrics(FOUR, 3)


def test_one_metric():
    metric, stated = choose_one(FOUR, "pass^3")
    assert metric.name == "pass^k" and stated == 3
    with pytest.raises(TypeError, match="metrics must name one metric, got None"):
        choose_one(FOUR, None)
    with pytest.raises(ValueError, match="must name one metric, got 'pass@k', 'pass\\^k'"):
        choose_one(FOUR, ["pass@k", "pass^k"])


def test_a_credit_of_ones_own_is_named_with_its_budgets():
    def two(k):
        return np.arange(k + 1) >= 2

    (own,) = choose_metrics(FOUR, {"two@k": two}, [2, 3])[0]
    assert own.labels == ("two@2", "two@3") and own.ks.tolist() == [2, 3]
    (fixed,) = choose_metrics(FOUR, {"fixed": [0, 0.5, 1]})[0]
    assert fixed.ks.tolist() == [2]
    with pytest.raises(ValueError, match="must hold @k, got 'two'; such as 'two@k'"):
        choose_metrics(FOUR, {"two": two}, [2, 3])


def test_an_average_states_the_samples_that_there_are():
    assert choose_metrics(FOUR, "avg@4")[0][0].labels == ("avg@4",)
    with pytest.raises(
        ValueError, match="avg@5 is a mean over all 5 samples, got n=4 at question 0"
    ):
        choose_metrics(FOUR, "avg@5")


@pytest.mark.parametrize(
    "most, want",
    [
        (1, [1]),
        (2, [1, 2]),
        (7, [1, 2, 3, 4, 5, 6, 7]),
        (10, [1, 2, 4, 8, 10]),
        (15, [1, 2, 4, 8, 15]),
        (16, [1, 2, 4, 8, 16]),
        (17, [1, 2, 4, 8, 16, 17]),
        (64, [1, 2, 4, 8, 16, 32, 64]),
    ],
)
def test_budgets_by_default(most, want):
    assert default_budgets(most).tolist() == want


def test_so_many_budgets_are_the_most():
    "Of 2**20 budgets the largest is refused for want of samples, of one more all of them."
    with pytest.raises(ValueError, match="k=1048576 needs 1048576 samples"):
        reported_budgets(FOUR, range(1, 2**20 + 1))
    with pytest.raises(ValueError, match="at most 1048576 budgets, got 1048577"):
        reported_budgets(FOUR, range(1, 2**20 + 2))


def test_metrics_that_the_data_give_and_reasons_for_the_others():
    scored = Counts([2, 2], None, score_sum=[1.5, 0.5])
    found, left_out = pick_metrics(scored, None, None, "expected", {"c": "said elsewhere"})
    assert [(metric.name, stated) for metric, stated in found] == [("soft@n", None)]
    assert left_out["pass@k"] == "said elsewhere" and left_out["maj@k"] == "said elsewhere"
    with pytest.raises(
        ValueError,
        match="no metric to report: pass@k .no outcomes; name the column with correct=.; pass.k",
    ):
        choose_metrics(Counts([2], None))
    with pytest.raises(ValueError, match="must name one metric, got none; write one of them"):
        choose_one(FOUR, [])
    with pytest.raises(ValueError, match="maj@3 cannot be computed: said elsewhere"):
        choose_one(FOUR, "maj@3", lacks={"votes": "said elsewhere"})


def test_ties_are_broken_as_asked():
    from sampling_eval.foundations.answers import tally

    votes = tally([0, 0], ["a", "b"], [1, 0])
    counts = Counts([2], [1], votes=votes)
    values = {
        ties: (
            choose_metrics(counts, "maj@2", ties=ties)[0][0].metric.values(counts, np.array([2]))[
                0, 0
            ]
        )
        for ties in ("expected", "wrong")
    }
    assert values == dict(expected=0.5, wrong=0)
    plain, expected = (
        choose_metrics(counts, "maj@2", **given)[0][0] for given in ({}, dict(ties="expected"))
    )
    assert plain.metric.estimator == expected.metric.estimator
    assert [
        choose_one(counts, "maj@2", ties=ties)[0].values(counts, np.array([2]))[0, 0]
        for ties in ("expected", "wrong")
    ] == [0.5, 0]
    assert (
        choose_one(counts, "maj@2")[0].estimator
        == choose_metrics(counts, "maj@2")[0][0].metric.estimator
    )


@pytest.mark.parametrize(
    "name, want",
    [
        ("avg@4", "avg@n"),
        (" AVG@4 ", "AVG@n"),
        ("soft@4", "soft@n"),
        ("avg@04", "avg@04"),
        ("pass@4", "pass@4"),
        ("avg@n", "avg@n"),
        ("avg@4x", "avg@4x"),
        (4, 4),
    ],
)
def test_an_average_by_its_samples(name, want):
    assert name_average(name, FOUR) == want


def test_an_average_where_some_questions_have_other_samples():
    with pytest.raises(ValueError) as refused:
        name_average("soft@4", Counts([4, 5, 3], [1, 1, 1], ["a", "b", "c"]))
    assert (
        str(refused.value)
        == "soft@4 is a mean over all 4 samples, got n=5 at question 'b' (2 of 3 fail); soft@n"
        " takes what there is"
    )


def test_a_file_is_no_metric(tmp_path):
    (tmp_path / "a.csv").write_text("")
    (tmp_path / "plain").write_text("")
    for file in (tmp_path / "a.csv", str(tmp_path / "a.csv")):
        with pytest.raises(ValueError, match=r"got the file .*a\.csv'; several files are one list"):
            refuse_file(file)
    for name in (tmp_path / "plain", tmp_path / "b.csv", "pass@k", 3):
        refuse_file(name)


# The catalog: names, credits, and values by state.

COUNTED = [CATALOG[o] for o in CATALOG if CATALOG[o].needs == ("c",) and o != "g-pass@k_tau"] + [
    g_pass(o) for o in (0.0, 0.28, 0.5, 1.0)
]
EVERY = Counts(
    np.repeat(np.arange(1, 13), np.arange(2, 14)),
    np.concatenate([np.arange(n + 1) for n in range(1, 13)]),
)


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
        if metric.at == "n":
            ks = ks[-1:]
        got = metric.at_states(counts, ks).table
        want = np.array(
            [[float(exact(metric.credit, n, c, int(k))) for k in ks] for c in range(n + 1)]
        )
        np.testing.assert_allclose(got, want, rtol=1e-14, atol=0)


@pytest.mark.parametrize("metric", COUNTED, ids=lambda m: m.name)
def test_states_and_questions_agree(metric):
    rng = np.random.default_rng(0)
    n = rng.choice([8, 9, 30], 400)
    counts = Counts(n, rng.integers(0, n + 1))
    for ks in np.array([8]), np.arange(1, 9), np.array([1, 3, 7]):
        values = metric.at_states(counts, ks)
        assert len(values.table) == len(counts.states) and values.times.sum() == len(counts)
        np.testing.assert_allclose(
            values.of_questions(), metric.values(counts, ks), rtol=1e-15, atol=0
        )


def test_one_state_per_question_where_counts_do_not_decide():
    answers, right = [["x", "y", "x"], ["x", "x", "y"], ["z", "z", "w"]], [
        [1, 0, 1],
        [1, 1, 0],
        [0, 0, 1],
    ]
    scores = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0, 1, 0.5]]
    counts = Counts(
        [3] * 3,
        [2, 2, 1],
        score_sum=[sum(o) for o in scores],
        votes=votes_of(answers, right),
        rewards=rewards_of(scores, right),
    )
    for name in "soft@n", "maj@k", "best@k", "max@k", "min@k":
        values = CATALOG[name].at_states(counts, np.array([1, 2]))
        assert values.state.tolist() == [0, 1, 2] and values.times.tolist() == [1, 1, 1]
        np.testing.assert_array_equal(values.table, CATALOG[name].values(counts, np.array([1, 2])))
    graded = Counts([3] * 3, None, score_sum=[1.0, 2.0, 3.0])
    assert CATALOG["soft@n"].at_states(graded, np.array([3])).of_questions()[:, 0].tolist() == [
        1 / 3,
        2 / 3,
        1,
    ]
    with pytest.raises(TypeError, match="states need outcomes"):
        CATALOG["pass@k"].at_states(graded, np.array([1]))


def test_a_question_with_too_few_samples_is_counted_among_questions():
    counts = Counts([8, 8, 3, 3], [1, 1, 0, 0])
    for run in CATALOG["pass@k"].at_states, CATALOG["pass@k"].values:
        with pytest.raises(
            ValueError, match=r"need 1 <= k <= n, got n=3, c=0, k=5 at question 2 \(2 of 4 fail\)"
        ):
            run(counts, np.array([5]))


def test_averages_of_unequal_samples():
    counts = Counts([2, 5], [1, 1])
    assert CATALOG["avg@n"].at_states(counts, np.array([9])).of_questions().tolist() == [
        [0.5],
        [0.2],
    ]


@pytest.mark.parametrize("name", ["pass@k", "pass^k", "cons@k"])
def test_long_curves_keep_their_digits(name):
    n, some = 300, [0, 1, 2, 7, 75, 149, 150, 151, 260, 299, 300]
    ks = np.arange(1, n + 1)
    table = CATALOG[name].at_states(Counts(np.full(len(some), n), some), ks).table
    for c, row in zip(some, table):
        want = [float(exact(CATALOG[name].credit, n, c, int(k))) for k in ks[::13]]
        np.testing.assert_allclose(row[::13], want, rtol=1e-14, atol=0)


def test_metrics_survive_pickle():
    for metric in [
        *COUNTED,
        *CATALOG.values(),
        own_metric("two@k", partial(threshold_credit, tau=Fraction(1, 2))),
    ]:
        again = pickle.loads(pickle.dumps(metric))
        assert again.name == metric.name
        if metric.credit is not None:
            assert (again.credit(4) == metric.credit(4)).all()


# names


@pytest.mark.parametrize(
    "tau",
    [
        0.5,
        0.75,
        1.0,
        0.28,
        0.1,
        1 / 3,
        0.5000001,
        1e-5,
        0.1 + 0.2,
        np.nextafter(0.5, 1),
        np.nextafter(1, 0),
    ],
)
def test_a_label_prints_the_threshold_that_is_computed(tau):
    label = g_pass(tau).label(2)
    assert float(label.removeprefix("g-pass@2_")) == tau and "e" not in label.removeprefix(
        "g-pass@2_"
    )
    (again,), k = find_metric(label)
    assert k == 2 and again.label(2) == label
    np.testing.assert_array_equal(again.credit(64), threshold_credit(64, tau))


def test_names_of_metrics():
    assert [m.label(4) for m in find_metric("g-pass@k_tau")[0]] == [
        "g-pass@4_0.5",
        "g-pass@4_0.75",
        "g-pass@4_1.0",
    ]
    assert find_metric(" PASS@8 ")[0][0] is CATALOG["pass@k"] and find_metric("pass@8")[1] == 8
    assert find_metric("avg@n")[0][0].label("n") == "avg@n"
    assert [m.label(4) for m in find_metric("g-pass@4")[0]] == [
        m.label(4) for m in find_metric("g-pass@k_tau")[0]
    ]
    for name in (
        "pas@k",
        "avg@3",
        "pass@0",
        "pass@k_0.5",
        "pass",
        "",
        "@k",
        "pass@1000000000",
        "g-pass@k_x",
    ):
        with pytest.raises(ValueError, match="unknown metric"):
            find_metric(name)
    with pytest.raises(TypeError, match="a metric is named by text"):
        find_metric(3)


# credits


def test_credits_by_name():
    c, k = np.arange(9), np.array([1, 3, 4])
    for name, credit in CREDITS.items():
        assert resolve_credit(name) is credit is resolve_credit(credit)
        np.testing.assert_array_equal(
            mean_credit(c, 8 - c, k, name), mean_credit(c, 8 - c, k, credit)
        )
        np.testing.assert_array_equal(
            second_moment(c, 8 - c, k, name), second_moment(c, 8 - c, k, credit)
        )
        columns = np.full((9, 1), 8), c[:, None], k
        np.testing.assert_array_equal(
            within_variance(*columns, name), within_variance(*columns, credit)
        )
        np.testing.assert_array_equal(
            own_metric("mine@k", name).values(EVERY, np.array([1])),
            own_metric("mine@k", credit).values(EVERY, np.array([1])),
        )


SIX = [6] * 6, [0, 1, 2, 4, 5, 6]
PAYING = {  # every function that takes a credit
    "mean_credit": lambda o: mean_credit(np.array([2]), np.array([4]), np.array([3]), o),
    "posterior": lambda o: posterior(*SIX, 3, o).confidence_interval().low,
    "posterior_mean": lambda o: posterior_mean(*SIX, [1, 3], o, prior="fitted"),
    "posterior_variance": lambda o: posterior_variance(*SIX, [1, 3], o),
    "BetaDistribution.mean": lambda o: BetaDistribution(0.5, 2, zero=0.1).mean([1, 3], o),
    "assumption_free_bounds": lambda o: assumption_free_bounds(*SIX, [3, 8], o),
    "extrapolate_credit": lambda o: extrapolate_credit(*SIX, [3, 8], o).models["Beta"],
    "back_test": lambda o: back_test(*SIX, 3, [3, 6], o, repeats=2).models["Beta"],
    "moment_bounds": lambda o: moment_bounds([0.3], [0.6], [1], 3, [3], o),
    "certify": lambda o: certify([0.3], [0.6], [1], 3, 3, o).bound,
    "within_questions": lambda o: within_questions(*SIX, [1, 3], o).variance,
    "within_at": lambda o: within_at(*SIX, 3, o, [3, 8]),
    "distribution_components": (
        lambda o: distribution_components(BetaDistribution(1, 1), 3, o, [4]).within
    ),
    "pilot_components": lambda o: pilot_components(*SIX, 3, o, [4, 8]).within,
    "paired_components": lambda o: paired_components(Counts(*SIX), Counts(*SIX), 3, o, [4]).within,
    "Population": lambda o: population_of(3, o, [4], Counts(*SIX), Counts(*SIX)).table[1],
    "population_of": lambda o: population_of(3, o, [4], Counts(*SIX)).components.within,
    "permutation": lambda o: permutation(*SIX, [6] * 6, [1] * 6, 3, o).value,
    "smallest_verdict": lambda o: smallest_verdict(6, 3, o, target="same_questions"),
    "judged_curve": (
        lambda o: judged_curve(*SIX, [3], sensitivity=0.9, specificity=0.8, credit=o)
        .intervals()[0]
        .low
    ),
    "allocate_samples": lambda o: allocate_samples(*SIX, 3, 60, credit=o),
}


@pytest.mark.parametrize("name", PAYING)
def test_every_function_takes_a_credit_by_its_name(name):
    for credit, function in CREDITS.items():
        np.testing.assert_array_equal(PAYING[name](credit), PAYING[name](function))
    with pytest.raises(
        ValueError, match="credit must be a function of k or one of share, any, .*, got 'most'"
    ):
        PAYING[name]("most")
    with pytest.raises(TypeError, match="credit must be a function of k .* got 3"):
        PAYING[name](3)


def test_credits_that_are_unknown():
    with pytest.raises(
        ValueError, match="one of share, any, all, majority, mean_threshold, got 'most'; .* partial"
    ):
        resolve_credit("most")
    with pytest.raises(TypeError, match=r"credit must be a function of k .* got 3"):
        resolve_credit(3)


def test_credits_keep_their_old_addresses():
    for name in (
        "share_credit",
        "any_credit",
        "all_credit",
        "majority_credit",
        "threshold_credit",
        "mean_threshold_credit",
    ):
        assert getattr(catalog, name) is getattr(credits, name)
    assert credit.majority_credit is credits.majority_credit
    assert (
        credit.threshold_credit is credits.threshold_credit
        and credit.mean_threshold_credit is credits.mean_threshold_credit
    )


def test_ones_own_metric():
    pairs = own_metric("pairs@k", lambda k: np.arange(k + 1) >= 2)
    want = [[float(exact(pairs.credit, 12, c, 4))] for c in range(13)]
    np.testing.assert_allclose(
        pairs.at_states(Counts(np.full(13, 12), np.arange(13)), np.array([4])).table,
        want,
        rtol=1e-14,
    )
    assert pairs.bounded and not own_metric("x@k", lambda k: np.arange(k + 1)).bounded
    for bad, words in (
        ([1, 2], r"k \+ 1 = 5 finite numbers, got shape \(2,\)"),
        ([0, 1, np.inf, 1, 1], "got inf at j=2"),
        ([[1]], "function of k"),
        ("most", "one of share"),
    ):
        with pytest.raises(ValueError, match=words):
            own_metric("mine", bad)
    with pytest.raises(TypeError, match="dtype <U1"):
        own_metric("mine", list("abcde"))
    with pytest.raises(ValueError, match="is a metric of the package"):
        own_metric("pass@3", "any")
    with pytest.raises(TypeError, match="needs a name"):
        own_metric(" ", "any")


def test_a_comparison_by_an_own_credit_survives_pickle():
    "The credit is a lambda, which stays behind; its numbers go along."
    a, b = np.random.default_rng(0).integers(0, 2, (2, 30, 4))
    found = compare(a, b, {"square@k": lambda k: np.linspace(0, 1, k + 1) ** 2}, 2)
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found) and again.to_dict() == found.to_dict()


# What reading keeps, what is reported unasked, and what is said of a scale.


@pytest.mark.parametrize(
    "metrics, answers, scores",
    [
        (None, True, ...),
        (3, True, ...),
        ("pass@1", False, None),
        ("soft@n", False, None),
        ("MAJ@4", True, None),
        (["pass@k", "maj@k"], True, None),
        (["pass@k", "avg@n"], False, None),
        ({"x@k": None}, False, None),
        *((name, False, True) for name in ("best@2", "MAX@k", "min@1", "mean@n")),
        (["pass@1", "best@k"], False, True),
        (["maj@k", "max@1"], True, True),
    ],
)
def test_answers_and_scores_are_kept_for_metrics_that_need_them(metrics, answers, scores):
    found = columns_to_keep(metrics)
    assert found == dict(answers=answers) | ({} if scores is ... else dict(scores=scores))


def scored(bounds=None):
    rewards = Rewards([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.9], bounds=bounds)
    return Counts([2, 2], [1, 1], score_sum=[0.3, 1.2], rewards=rewards)


@pytest.mark.parametrize(
    "counts, more",
    [(Counts([2], [1]), []), (scored(), []), (scored((0, 1)), ["mean@n"])],
    ids=["outcomes", "no scale", "scale"],
)
def test_a_mean_on_its_own_scale_is_reported_where_the_scale_is_stated(counts, more):
    usual = [name for name, metric in CATALOG.items() if metric.default]
    assert "mean@n" not in usual
    assert set(default_metrics(counts)) == {*usual, *more}


def test_an_interval_without_a_scale_is_called_approximate():
    free, stated = (choose_metrics(scored(one), ["mean@n"])[0] for one in (None, (0, 1)))
    own = choose_metrics(FOUR, {"right@k": lambda k: np.arange(k + 1)}, [2])[0]
    right = choose_metrics(FOUR, "pass@k")[0]
    assert say_approximate([*stated, *own, *right]) == say_approximate([]) == ()
    (said,) = say_approximate([*right, *free])
    assert "No range of scores is stated for mean@2: its interval is the t interval" in str(said)
    assert free[0].bounds is None and stated[0].bounds == (0, 1)


@pytest.mark.parametrize(
    "n, k, said",
    [
        ([4, 5, 6], 5, "k=5 needs 5 samples, got n=4 at question 0 (1 of 3 fail)"),
        ([5, 4, 4], [1, 5], "got n=4 at question 1 (2 of 3 fail); the largest k for all"),
        ([6, 5, 6], 6, "got n=5 at question 1 (1 of 3 fail); the largest k for all questions is 5"),
    ],
)
def test_questions_with_too_few_samples_are_counted(n, k, said):
    with pytest.raises(ValueError) as told:
        reported_budgets(Counts(n, [1] * 3), k)
    assert said in str(told.value)
    assert reported_budgets(Counts(n, [1] * 3), min(n)).tolist() == [min(n)]


@pytest.mark.parametrize(
    "credit, shape", [([1], "(1,)"), ([], "(0,)")], ids=["one number", "no number"]
)
def test_a_credit_has_a_number_for_none_right_too(credit, shape):
    with pytest.raises(ValueError, match=r"must hold k \+ 1 = 2 finite numbers, got shape") as told:
        choose_metrics(FOUR, {"mine": credit})
    assert shape in str(told.value)
    assert choose_metrics(FOUR, {"mine": [0, 1]})[0][0].ks.tolist() == [1]


@pytest.mark.parametrize(
    "metrics, each",
    [
        (None, []),
        ("pass@1", ["pass@1"]),
        ("pass@1, avg@n", ["pass@1", "avg@n"]),
        (["pass@1", "avg@n"], ["pass@1", "avg@n"]),
        (dict(a=None, b=[0, 1]), [dict(a=None), dict(b=[0, 1])]),
    ],
)
def test_one_metric_after_the_other(metrics, each):
    assert split_metrics(metrics) == each


@pytest.mark.parametrize(
    "name, near",
    [
        ("pass_at_8", "pass@8"),
        ("accuracy", "avg@n"),
        ("majority@5", "maj@5"),
        ("vote at 16", "maj@16"),
        ("bon@4", "best@4"),
        ("best-of-4", "best@4"),
        ("bestofn", "best@k"),
        ("power@3", "pass^3"),
        ("reward", "soft@n"),
        ("maj@3.5", "maj@k"),
        ("mean@4", "mean@n"),
        ("avg@16", "avg@n"),
        ("cons@k_0.5", "cons@k"),
        ("paz@k", "pass@k"),
        ("zzzz", None),
    ],
)
def test_the_name_that_was_meant(name, near):
    with pytest.raises(ValueError) as told:
        find_metric(name)
    hint = f"did you mean {near!r}? " if near else ""
    assert str(told.value).startswith(f"unknown metric {name!r}; {hint}known are pass@k, ")


@pytest.mark.parametrize(
    "name, held, column",
    [
        ("spend@4", "the cost of each sample", "cost"),
        ("guarded@k", "a judge's verdict on each sample", "verdict"),
        (" Portfolio@2", "the source of each sample", "by"),
    ],
)
def test_what_is_computed_from_a_column(name, held, column):
    with pytest.raises(ValueError) as told:
        find_metric(name)
    assert f"{name.strip()} is computed by score, from {held}; pass {column}=" in str(told.value)


@pytest.mark.parametrize(
    "credit, budgets, bounded",
    [
        (lambda k: np.arange(k + 1), (1,), True),
        (lambda k: np.arange(k + 1), (1, 2), False),
        (lambda k: np.arange(k + 1), (2, 1), False),
        ([1.5, 0, 0], (2,), False),
        ([-0.5, 0, 1], (2,), False),
        ([0, 0.5, 1], (2,), True),
    ],
)
def test_a_metric_of_ones_own_is_a_share_where_its_credits_are(credit, budgets, bounded):
    assert own_metric("mine@k", credit, budgets).bounded is bounded
