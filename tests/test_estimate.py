"""Standard errors and intervals: published values, other routes and every degenerate case."""

import json
import pickle
import warnings
from itertools import product
from math import comb
from statistics import NormalDist

import numpy as np
import pytest
from printed import check_printed

from sampling_eval import compare, score
from sampling_eval.foundations.credit import all_credit, any_credit, share_credit
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference.intervals import (
    Estimate,
    clopper_pearson_limits,
    estimate_from,
    estimates_of,
    interval_methods,
    wilson_limits,
)
from sampling_eval.inference.quantiles import t_quantile
from sampling_eval.inference.estimate import mean_over_questions, weighted_mean, within_questions
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.units import join_groups, units_of
from sampling_eval.inference.fixed_questions import fix_questions, Noise

# Counts of right runs of four on 15 questions; avg, over questions, within questions, as if 60
# independent runs
AIME = {
    "o3-mini (high)": (
        [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4],
        14 / 15,
        0.03831780223674067,
        0.03042903097250923,
        0.03220305943597653,
    ),
    "o3-mini (medium)": (
        [4, 4, 4, 4, 3, 4, 2, 3, 1, 4, 3, 4, 1, 4, 3],
        0.8,
        0.06986381310057718,
        0.045133546692422,
        0.051639777949432225,
    ),
    "o1 (medium)": (
        [4, 4, 3, 4, 2, 4, 3, 4, 3, 4, 4, 4, 2, 3, 0],
        0.8,
        0.07400128699009549,
        0.04303314829119352,
        0.051639777949432225,
    ),
    "DeepSeek-R1": (
        [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1],
        0.75,
        0.08451542547285165,
        0.044095855184409845,
        0.05590169943749474,
    ),
    "gemini-2.0-flash-thinking": (
        [4, 4, 0, 4, 0, 4, 4, 1, 3, 0, 4, 4, 1, 0, 0],
        0.55,
        0.1224744871391589,
        0.028867513459481287,
        0.06422616289332565,
    ),
    "gpt-4o": (
        [2, 4, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        2 / 15,
        0.0726483157256779,
        0.03042903097250923,
        0.04388537257362555,
    ),
}


@pytest.mark.parametrize("model", AIME)
def test_both_targets_on_aime(model):
    c, avg, between, within, naive = AIME[model]
    values = np.array(c) / 4
    first = mean_over_questions(values)
    second = mean_over_questions(
        values,
        target="same_questions",
        within=within_questions(4, c, 1, share_credit),
        k=1,
        n_min=4,
        n_max=4,
    )
    assert (first.value, first.stderr, second.stderr) == (
        pytest.approx(avg),
        pytest.approx(between),
        pytest.approx(within),
    )
    assert (avg * (1 - avg) / 60) ** 0.5 == pytest.approx(naive)
    assert first.stderr_kind == "over questions" and second.stderr_kind == "within questions"
    assert (
        str(first.confidence_interval().method) == "gaffke"
        and str(second.confidence_interval().method) == "gamma within questions (approximate)"
    )


@pytest.mark.parametrize(
    "c,method,ends",
    [
        (20, "wilson", (0.8388748419471806, 1.0)),
        (20, "clopper-pearson", (0.8315665290169146, 1.0)),
        (20, None, (0.8315665290169146, 1.0)),
        (18, "wilson", (0.6989663547715128, 0.9721335187862319)),
        (18, "clopper-pearson", (0.6830172859809177, 0.9876514728297052)),
        (18, None, (0.6830172859809177, 0.9876514728297052)),
    ],
)
def test_twenty_questions(c, method, ends):
    interval = mean_over_questions([1] * c + [0] * (20 - c), n_min=1, n_max=1).confidence_interval(
        method=method
    )
    np.testing.assert_allclose((interval.low, interval.high), ends, rtol=0, atol=1e-9)
    if method is None:
        assert str(interval.method) == "gaffke = clopper-pearson"


def test_clusters():
    values, names = [1, 1, 0, 0], ["a", "a", "b", "b"]
    clustered = mean_over_questions(values, cluster=names)
    assert clustered.stderr == pytest.approx(0.5) and clustered.stderr * 0.5**0.5 == pytest.approx(
        0.3535533905932738
    )
    assert mean_over_questions(values).stderr == pytest.approx((0.25**2 * 4 / 3) ** 0.5)
    assert clustered.questions == 4 and clustered.stderr_kind == "over 2 clusters"
    assert str(clustered.confidence_interval().method) == "gaffke over 2 clusters"
    fixed = mean_over_questions(
        values, cluster=names, target="same_questions", within=[0.1] * 4, k=1, n_min=4
    )
    assert fixed.stderr == pytest.approx(0.4**0.5 / 4)


def test_one_cluster_has_a_default_interval_only():
    one = mean_over_questions([1, 0, 1], cluster=["a"] * 3)
    assert one.stderr is None and one.reason == "one cluster shows no spread"
    assert one.confidence_interval().high > one.confidence_interval().low


def test_unknown_within_falls_back_to_an_upper_bound():
    values = [1, 0, 1, 0, 1]
    for within in None, np.full(5, np.nan):
        bound = mean_over_questions(values, target="same_questions", within=within, k=4, n_min=4)
        assert (
            bound.stderr == mean_over_questions(values).stderr
            and "upper bound" in bound.stderr_kind
        )
        again, new = bound.confidence_interval(), mean_over_questions(values).confidence_interval()
        assert (again.low, again.high, again.method.upper_bound) == (new.low, new.high, True)
        assert (again.target, new.target) == ("same_questions", "new_questions")
    some = mean_over_questions(
        values, target="same_questions", within=[0.1, np.nan, 0.1, 0.1, 0.1], k=2, n_min=2
    )
    assert some.stderr_kind == "within questions, 1 of 5 by an upper bound"
    assert some.stderr == pytest.approx((0.4 + 0.6**2 * 5 / 4) ** 0.5 / 5)


DEGENERATE = {
    "all right": np.ones(6),
    "all wrong": np.zeros(6),
    "all alike": np.full(6, 0.1),
    "one": np.array([0.5]),
    "one right": np.ones(1),
}


@pytest.mark.parametrize(
    "values,level,kwargs",
    list(
        product(
            DEGENERATE.values(),
            (0.5, 0.8, 0.95, 0.999, 0.999999),
            (
                {},
                dict(bounds=(-1, 1)),
                dict(cluster="same"),
                dict(target="same_questions"),
                dict(target="same_questions", within=0.0),
            ),
        )
    ),
)
def test_the_default_never_has_zero_width(values, level, kwargs):
    kwargs = dict(kwargs)
    if "cluster" in kwargs:
        kwargs["cluster"] = np.arange(len(values)) // 2
    if "within" in kwargs:
        kwargs |= dict(within=np.zeros(len(values)), k=1, n_min=4)
    estimate = mean_over_questions(values, **kwargs)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        interval = estimate.confidence_interval(level)
    assert estimate.stderr is None and estimate.reason
    assert interval.high > interval.low and interval.low <= estimate.value <= interval.high
    assert str(interval.method).startswith(("gaffke", "gamma"))


@pytest.mark.parametrize("level", [1e-9, 0.5, 0.9, 0.95, 0.99, 0.999, 0.999999, 1 - 1e-12])
def test_every_method_at_every_level(level):
    estimate = mean_over_questions([1] * 12 + [0] * 5)
    for method in interval_methods:
        if method == "gamma":
            continue
        low, high = (i := estimate.confidence_interval(level, method)).low, i.high
        assert low <= estimate.value <= high and np.isfinite([low, high]).all()
    text = repr(estimate.confidence_interval(level))
    assert "(100 %" not in text and "(0 %" not in text


def test_bootstrap_is_seeded_and_works_on_the_histogram():
    long, short = mean_over_questions([0, 0.5, 0.5, 1, 1, 1]), mean_over_questions(
        [0, 0.5, 1], times=[1, 2, 3]
    )
    ends = [
        (
            e.confidence_interval(method="bootstrap", rng=r).low,
            e.confidence_interval(method="bootstrap", rng=r).high,
        )
        for e in (long, short)
        for r in (None, 0)
    ]
    assert (
        len(set(ends)) == 1
        and str(long.confidence_interval(method="bootstrap").method)
        == "bootstrap, seed 0 (approximate)"
    )
    assert (
        str(long.confidence_interval(method="bootstrap", rng=np.random.default_rng(5)).method)
        == "bootstrap, rng given (approximate)"
    )
    clustered = mean_over_questions(
        [0, 0.5, 0.5, 1, 1, 1], cluster=[0, 0, 1, 1, 2, 2]
    ).confidence_interval(method="bootstrap")
    assert clustered.low < 2 / 3 < clustered.high


def test_states_that_do_not_occur_do_not_count():
    padded, plain = mean_over_questions([0, 0.5, 1], times=[0, 0, 4]), mean_over_questions([1] * 4)
    assert padded.stderr is None and padded.reason == plain.reason and padded.questions == 4
    assert padded.confidence_interval() == plain.confidence_interval()
    assert (
        mean_over_questions([0, 0.5, 1], times=[3, 0, 4]).confidence_interval(method="wilson").high
        < 1
    )


def test_rewards_without_bounds():
    estimate = mean_over_questions([-3.0, 10.0, 4.0], bounds=None)
    assert str(estimate.confidence_interval().method) == "t (approximate)"
    for method in ("gaffke", "anchored-t", "gamma", "wilson", "clopper-pearson"):
        with pytest.raises(ValueError):
            estimate.confidence_interval(method=method)
    known = mean_over_questions([-3.0, 10.0, 4.0], bounds=(-10, 10)).confidence_interval()
    assert (known.low, known.high) == pytest.approx(gaffke_interval([-3, 10, 4], bounds=(-10, 10)))


def test_scale_does_not_matter():
    x = np.random.default_rng(0).random(12)
    a, b = (
        mean_over_questions(x).confidence_interval(),
        mean_over_questions(10 + 5 * x, bounds=(10, 15)).confidence_interval(),
    )
    assert (b.low, b.high) == (pytest.approx(10 + 5 * a.low), pytest.approx(10 + 5 * a.high))
    assert mean_over_questions(x * 1e-9).stderr == pytest.approx(x.std(ddof=1) * 1e-9 / 12**0.5)


def test_the_mean_of_groups():
    groups = [units_of([0, 1], times=[24, 72]), units_of([0, 1], times=[3, 1])]
    estimate = estimate_from(join_groups(groups))
    assert (
        estimate.questions == 100
        and estimate.value == 0.5
        and estimate.stderr == pytest.approx(0.12695834376925205)
    )
    assert str(estimate.confidence_interval().method) == "gamma over strata (approximate)"
    for method in "gaffke", "bootstrap", "wilson":
        with pytest.raises(ValueError, match="questions anew"):
            estimate.confidence_interval(method=method)


bench = dict(target="same_questions", k=1, n_min=4)


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: mean_over_questions([]), "one number per question"),
        (lambda: mean_over_questions([np.nan, 1]), "finite"),
        (lambda: mean_over_questions([[1, 0]]), "one number per question"),
        (lambda: mean_over_questions([1.2]), r"lie in \[0, 1\]"),
        (lambda: mean_over_questions([1, [0]]), "rows of one length"),
        (lambda: mean_over_questions(["1", "0"]), "must be numbers"),
        (lambda: mean_over_questions(np.ma.array([1, 0], mask=[0, 1])), "masked"),
        (lambda: mean_over_questions([1, 0], bounds=(0, np.nan)), "two ascending numbers"),
        (lambda: mean_over_questions([1, 0], times=[1]), "one count per value"),
        (lambda: mean_over_questions([1, 0], times=[0, 0]), "positive sum"),
        (lambda: mean_over_questions([1, 0], times=[2**62, 2**62]), r"less than 2\*\*53"),
        (lambda: mean_over_questions([1, 0], within=[0.1], **bench), "within must have the shape"),
        (
            lambda: mean_over_questions([1, 0], within=[0.1, -0.1], **bench),
            "at least 0, got -0.1 at question 1",
        ),
        (lambda: mean_over_questions([1, 0], within=[0.1, np.inf], **bench), "at least 0, got inf"),
        (
            lambda: mean_over_questions([1, 0], within=["a", "b"], **bench),
            "within must hold numbers",
        ),
        (
            lambda: mean_over_questions(
                [1, 0], within=np.ma.array([0.1, 0.1], mask=[0, 1]), **bench
            ),
            "within must hold numbers",
        ),
        (lambda: mean_over_questions([1, 0], target="both"), "target must be"),
        (lambda: mean_over_questions([1, 0], cluster=[1]), "cluster must hold"),
        (lambda: mean_over_questions([1, 0]).confidence_interval(95), "confidence_level"),
        (lambda: mean_over_questions([1, 0]).confidence_interval("95"), "confidence_level"),
        (lambda: mean_over_questions([1, 0]).confidence_interval(method="z"), "method must be"),
        (
            lambda: mean_over_questions([1, 0]).confidence_interval(method="gamma"),
            "got questions drawn anew",
        ),
        (
            lambda: mean_over_questions([1, 0.5]).confidence_interval(method="clopper-pearson"),
            "0/1 outcome",
        ),
        (
            lambda: mean_over_questions([1, 0], cluster=[1, 1]).confidence_interval(
                method="wilson"
            ),
            "clusters",
        ),
        (
            lambda: mean_over_questions([1, 0], within=[0.1, 0.1], **bench).confidence_interval(
                method="bootstrap"
            ),
            "questions anew",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


CREDIT = {"pass@k": any_credit, "pass^k": all_credit, "share": share_credit}


def several_of(credit, target, times, cluster=None, bounds=(0, 1), n=8):
    "Estimates at k = 1 to n, and the same ones made one by one from values of questions."
    c, ks = np.arange(n + 1), np.arange(1, n + 1)
    state = np.repeat(c, times)
    table = mean_credit(c, n - c, ks, CREDIT[credit])
    if target == "same_questions":
        noise = within_questions(n, c, ks, CREDIT[credit])
        several = estimates_of(
            fix_questions(table, noise, times=times, bounds=bounds), k=ks, n_min=n
        )
        single = [
            estimate_from(
                fix_questions(
                    table[state, i],
                    within_questions(n, state, int(k), CREDIT[credit]),
                    bounds=bounds,
                ),
                k=int(k),
                n_min=n,
            )
            for i, k in enumerate(ks)
        ]
    else:
        several = estimates_of(
            units_of(table, state=state, cluster=cluster, bounds=bounds), k=ks, n_min=n
        )
        single = [
            estimate_from(
                units_of(table[state, i], cluster=cluster, bounds=bounds), k=int(k), n_min=n
            )
            for i, k in enumerate(ks)
        ]
    return several, single


TIMES = [
    [2, 1, 0, 3, 1, 1, 0, 2, 5],
    [4, 0, 0, 0, 0, 0, 0, 0, 6],
    [0, 0, 0, 0, 0, 0, 0, 0, 7],
    [0, 0, 0, 1, 0, 0, 0, 0, 0],
]


TARGETS = "new_questions", "clusters", "unbounded", "same_questions"


@pytest.mark.parametrize(
    "credit,target,times",
    [*product(["pass@k"], TARGETS, TIMES), *product(["pass^k", "share"], TARGETS, TIMES[:1])],
)
def test_all_budgets_at_once_are_the_budgets_one_by_one(credit, target, times):
    cluster = np.arange(sum(times)) // 2 if target == "clusters" else None
    several, single = several_of(
        credit, target, times, cluster, None if target == "unbounded" else (0, 1)
    )
    assert len(several) == len(single) == len(list(several))
    for level in 0.8, 0.95, 0.999:
        (low, high), found = several.ends(level), several.intervals(level)
        for i, one in enumerate(single):
            assert several[i].value == pytest.approx(one.value, rel=1e-12) and several[
                i
            ].stderr == (None if one.stderr is None else pytest.approx(one.stderr, rel=1e-10))
            assert (
                np.isnan(several.stderr[i]) == (one.stderr is None)
                and several.reasons[i] == several[i].reason == one.reason
            )
            assert (
                several[i].stderr_kind == one.stderr_kind
                and several[i].to_dict().keys() == one.to_dict().keys()
            )
            if target == "unbounded" and one.stderr is None:
                assert np.isnan([low[i], high[i]]).all() and found[i] is None
                continue
            interval = one.confidence_interval(level)
            np.testing.assert_allclose(
                [low[i], high[i]], [interval.low, interval.high], rtol=1e-9, atol=1e-12
            )
            assert (
                found[i].method == interval.method == several[i].confidence_interval(level).method
            )


@pytest.mark.parametrize("method", [m for m in interval_methods if m != "gamma"])
def test_named_methods_at_all_budgets(method):
    several, single = several_of(
        "share" if method in ("wilson", "clopper-pearson") else "pass@k", "new_questions", TIMES[1]
    )
    (low, high), found = several.ends(0.9, method, 3), several.intervals(0.9, method, 3)
    ends = [one.confidence_interval(0.9, method, rng=3) for one in single]
    np.testing.assert_allclose(
        np.c_[low, high], [(e.low, e.high) for e in ends], rtol=1e-9, atol=1e-12
    )
    assert [e.method for e in found] == [e.method for e in ends]


def test_all_budgets_refuse_as_one_does():
    several, _ = several_of("pass@k", "new_questions", TIMES[0])
    for method, words in (
        ("gamma", "fixed questions or groups"),
        ("wilson", "0/1 outcome"),
        ("normal", "method must be"),
    ):
        with pytest.raises(ValueError, match=words):
            several.ends(method=method)
    with pytest.raises(ValueError, match="confidence_level"):
        several.ends(1.5)
    still, _ = several_of("share", "new_questions", TIMES[2])
    for method in "t", "bootstrap":
        low, high = still.ends(method=method)
        assert (
            np.isnan(low).all()
            and np.isnan(high).all()
            and set(still.intervals(method=method)) == {None}
        )
    with pytest.raises(IndexError):
        several[8]
    with pytest.raises(TypeError):
        several["pass@1"]
    assert several[-1] == several[7] and several[-1] != several[6]


def test_groups_and_unequal_steps_at_all_budgets():
    several, _ = several_of("pass@k", "new_questions", TIMES[0])
    other, _ = several_of("pass@k", "new_questions", TIMES[3])
    joined = join_groups([several.units, other.units])
    whole = estimates_of(joined, k=range(1, 9))
    low, high = whole.ends()
    n, c = np.array([8, 8, 2, 8]), np.array([3, 8, 1, 0])
    noise = within_questions(n, c, [1, 2], share_credit)
    fixed = estimates_of(fix_questions(np.stack([c / n, c / n], 1), noise), k=[1, 2])
    for i in range(8):
        one = estimate_from(join_groups([several[i].units, other[i].units]))
        assert (whole.value[i], whole[i].stderr) == (
            pytest.approx(one.value),
            pytest.approx(one.stderr),
        )
        np.testing.assert_allclose([low[i], high[i]], one.units.limits(0.025), rtol=1e-12)
    for i in range(2):
        one = fix_questions(c / n, noise.at(i)).limits(0.025)
        np.testing.assert_allclose([o[i] for o in fixed.ends()], one, rtol=1e-9)


def test_unknown_noise_is_counted_at_each_budget():
    noise = Noise(np.array([[0.1, 0.1], [0.1, np.nan], [np.nan, np.nan]]), np.full((3, 2), 0.5))
    several = estimates_of(fix_questions(np.array([[0, 1], [0.5, 0.5], [1, 0]]), noise))
    assert [e.stderr_kind for e in several] == [
        "within questions, 1 of 3 by an upper bound",
        "within questions, 2 of 3 by an upper bound",
    ]


def test_estimates_compare_by_what_they_say_and_travel():
    several, single = several_of("pass@k", "new_questions", TIMES[0])
    first = single[0]
    assert (
        first == estimate_from(first.units, k=1, n_min=8)
        and first != single[1]
        and hash(first) == hash(pickle.loads(pickle.dumps(first)))
    )
    again = pickle.loads(pickle.dumps(first))
    assert again == first and again.confidence_interval() == first.confidence_interval()
    assert (
        json.loads(json.dumps(several[2].to_dict())) == several[2].to_dict()
        and "units" not in first.to_dict()
    )
    assert (
        pickle.loads(pickle.dumps(several))[3] == several[3]
        and repr(several) == "Estimates(8 budgets, 15 questions)"
    )


# What an estimate says of itself.


@pytest.mark.parametrize(
    "reason, said",
    [
        ("", "no interval: the estimate does not hold its values"),
        ("read from a file", "no interval: read from a file"),
    ],
)
def test_an_estimate_without_its_values_has_no_interval(reason, said):
    with pytest.raises(ValueError, match=said):
        Estimate(0.5, 0.1, 3, reason=reason).confidence_interval()


def test_every_fact_is_kept():
    facts = dict(k=2, n_min=3, n_max=5, estimator="unbiased", missing=4)
    said = mean_over_questions([1, 0, 0.5], **facts).to_dict()
    assert said == facts | dict(
        value=0.5,
        stderr=pytest.approx((0.5 / 2 / 3) ** 0.5),
        questions=3,
        stderr_kind="over questions",
        reason="",
    )
    plain = mean_over_questions([1, 0])
    assert (plain.k, plain.n_min, plain.n_max, plain.estimator, plain.missing) == (
        None,
        None,
        None,
        "",
        0,
    )


@pytest.mark.parametrize(
    "call, reason",
    [
        (lambda: mean_over_questions([1]), "one question shows no spread"),
        (
            lambda: mean_over_questions([1, 1]),
            "all 2 questions have the same value, which shows no spread",
        ),
        (lambda: mean_over_questions([1, 1], cluster=[1, 1]), "one cluster shows no spread"),
        (
            lambda: mean_over_questions([1, 1, 1], cluster=[1, 1, 2]),
            "all 2 clusters have the same value, which shows no spread",
        ),
        (
            lambda: mean_over_questions([1, 0], target="same_questions", within=[0, 0]),
            "the samples of each question agree, which shows no variation within questions",
        ),
        (
            lambda: estimate_from(join_groups([units_of([1, 1]), units_of([0, 0, 0])])),
            "no group shows a spread",
        ),
    ],
)
def test_why_there_is_no_standard_error(call, reason):
    one = call()
    assert one.stderr is None and one.reason == reason


def test_questions_are_counted_one_by_one():
    assert mean_over_questions([1, 0], times=[3, 4]).questions == 7
    assert mean_over_questions([1, 0, 1], cluster=[0, 0, 1]).questions == 3
    assert (
        mean_over_questions(
            [1, 0], times=[3, 4], target="same_questions", within=[0.1, 0.2]
        ).questions
        == 7
    )
    groups = [units_of([0, 1], times=[2, 3]), units_of([0, 1, 1], cluster=[0, 0, 1])]
    assert estimate_from(join_groups(groups)).questions == 8
    assert weighted_mean([1, 0, 1], [1, 2, 5]).questions == 3


def test_both_targets_without_noise_tell_of_the_bound():
    values = [1, 0, 0.5]
    bound = mean_over_questions(values, target="same_questions")
    assert bound.stderr_kind == "over questions, an upper bound for this benchmark"
    grouped = mean_over_questions(values, target="same_questions", cluster=[0, 0, 1])
    assert grouped == bound and grouped.confidence_interval() == bound.confidence_interval()
    folded = mean_over_questions([1, 0], target="same_questions", within=[0.1, 0.2], times=[1, 3])
    assert folded.stderr == pytest.approx(0.7**0.5 / 4) and folded.stderr_kind == "within questions"
    moved = mean_over_questions([-1, 3], target="same_questions", within=[0.1, 0.2], bounds=(-1, 3))
    assert moved.value == 1 and moved.confidence_interval(0.999999).high <= 3


@pytest.mark.parametrize(
    "options, step, span",
    [
        (dict(n_min=4, k=2), 0.5, 1),
        (dict(n_min=4, k=1), 0.25, 1),
        (dict(n_min=4), 0.25, 1),
        (dict(n_min=4, k=4), 1, 1),
        (dict(n_min=2, k=8), 1, 1),
        (dict(k=2), 0.5, 1),
        (dict(), 0.5, 1),
        (dict(n_min=4, k=1, bounds=(-1, 3)), 1, 4),
        (dict(bounds=(-1, 3)), 2, 4),
        (dict(n_min=4, k=1, bounds=None), 0.25, 1),
    ],
    ids=str,
)
def test_how_far_one_sample_moves_a_value_of_known_variance(options, step, span):
    "One of n samples takes part in the share k / n of all trials; unknown, a half."
    given = [0.1, 0.2, np.nan]
    one = mean_over_questions([0, 1, 0.5], target="same_questions", within=given, **options)
    noise = one.units.known_noise
    assert noise.step.tolist() == [step] * 3 and noise.span == span
    assert one.stderr == pytest.approx((0.1 + 0.2 + 0) ** 0.5 / 3)


@pytest.mark.parametrize("name", ["k", "n_min", "n_max"])
@pytest.mark.parametrize(
    "value, said", [(0, "need {} >= 1, got 0"), (1.5, "{} must be an int, got 1.5")]
)
def test_numbers_of_samples_that_are_none(name, value, said):
    with pytest.raises((ValueError, TypeError), match=said.format(name)):
        mean_over_questions([1, 0], **{name: value})


def test_noise_of_ragged_questions_by_hand():
    "Of k samples kept from n, one moves the mean over all choices by k / n at most."
    n, c = [4, 2], [2, 1]
    noise = within_questions(n, c, [1, 2], share_credit)
    assert noise.step.tolist() == [[0.25, 0.5], [0.5, 1]] and noise.span == 1
    # Unbiased with two trials at least: (c/n)(1 - c/n)/(n - 1), for the mean of k as for one.
    assert noise.variance[:, 0] == pytest.approx([1 / 4 / 3, 1 / 4])
    assert noise.variance[0, 1] == pytest.approx(1 / 4 / 3)
    # Too few for that: the mean square of the change when 2 are drawn at (3/2) / 3.
    assert noise.variance[1, 1] == pytest.approx((1 / 4 + 1 / 4) / 4)
    one = within_questions(n, c, 1, share_credit)
    assert one.step.tolist() == [0.25, 0.5] and one.variance.tolist() == pytest.approx(
        noise.variance[:, 0].tolist()
    )


def test_no_end_is_a_negative_zero():
    for one in (
        mean_over_questions([0, 0, 0]),
        mean_over_questions([-1, 0], bounds=(-1, 0)),
        mean_over_questions([0, 0], bounds=(-1, 1)),
    ):
        ends = one.confidence_interval(0.5), estimates_of(one.units).ends(0.5)
        for low, high, *_ in [(ends[0].low, ends[0].high), ends[1]]:
            assert not np.signbit([float(np.atleast_1d(o)[0]) for o in (low, high) if o == 0]).any()
    wilson = mean_over_questions([0, 0, 1]).confidence_interval(0.5, "wilson")
    assert wilson.low > 0


def test_ends_hold_the_mean_even_at_low_levels():
    "Two invented questions pull the centre from the mean; the ends are held to it."
    for values in ([1, 1, 1, 0.9], [0, 0, 0, 0.1]):
        one = mean_over_questions(values)
        low, high = estimates_of(one.units).ends(1e-6, "anchored-t")
        interval = one.confidence_interval(1e-6, "anchored-t")
        assert [low[0], high[0]] == [interval.low, interval.high]
        assert one.value in (interval.low, interval.high) and interval.low < interval.high


# Intervals by other routes.


@pytest.mark.parametrize(
    "df", [0.3, 0.5, 1, 2, 3, 3.5, 4, 5, 10, 38, 39, 40, 41, 100, 9999, 10_000, 1e6]
)
def test_t_quantiles_against_scipy(df):
    from scipy.stats import t

    for tail in 1e-12, 1e-6, 0.001, 0.025, 0.2, 0.25, 0.2500001, 0.3, 0.49, 0.4999:
        assert t_quantile(tail, df) == pytest.approx(t.isf(tail, df), rel=1e-12), tail
    assert t_quantile(0.5, df) == 0


def test_t_quantiles_in_closed_form():
    for tail in 1e-9, 0.025, 0.1, 0.25, 0.3, 0.45:
        assert t_quantile(tail, 1) == pytest.approx(1 / np.tan(np.pi * tail), rel=1e-13)
        assert t_quantile(tail, 2) == pytest.approx(
            (1 - 2 * tail) / (2 * tail * (1 - tail)) ** 0.5, rel=1e-12
        )
        assert t_quantile(tail, np.inf) == pytest.approx(-NormalDist().inv_cdf(tail), rel=1e-14)
    assert t_quantile(0.5, np.inf) == 0


@pytest.mark.parametrize("right, count", [(0, 5), (5, 5), (1, 5), (3, 7), (0, 1), (1, 1)])
def test_wilson_is_the_inverted_score_test(right, count):
    "At either end the square of the score is that of the quantile."
    low, high = (float(o) for o in wilson_limits(right, count, 0.05))
    z = NormalDist().inv_cdf(0.95)
    for end, closed in (low, right == 0), (high, right == count):
        if closed:
            assert end == (right == count)
        else:
            assert (right / count - end) ** 2 == pytest.approx(
                z**2 * end * (1 - end) / count, rel=1e-10
            )
    assert 0 <= low < high <= 1


@pytest.mark.parametrize("right, count", [(0, 5), (5, 5), (1, 5), (3, 7), (0, 1), (1, 1)])
def test_clopper_and_pearson_by_binomial_tails(right, count):
    low, high = (float(o) for o in clopper_pearson_limits(right, count, 0.05))

    def tail(p, rights):
        return sum(comb(count, i) * p**i * (1 - p) ** (count - i) for i in rights)

    if right:
        assert tail(low, range(right, count + 1)) == pytest.approx(0.05, rel=1e-9)
    else:
        assert low == 0
    if right < count:
        assert tail(high, range(right + 1)) == pytest.approx(0.05, rel=1e-9)
    else:
        assert high == 1


@pytest.mark.parametrize("times", [None, [4, 1, 2]])
def test_t_and_anchored_t_by_hand(times):
    from scipy.stats import t

    x = [0, 0.25, 1.0]
    values = np.repeat(x, times or 1)
    one = mean_over_questions(x, times=times)
    q = len(values)
    own = one.confidence_interval(0.9, "t")
    half = t.isf(0.05, q - 1) * values.std(ddof=1) / q**0.5
    assert [own.low, own.high] == pytest.approx(
        np.clip([values.mean() - half, values.mean() + half], 0, 1)
    )
    free = mean_over_questions(x, times=times, bounds=None).confidence_interval(0.9, "t")
    assert [free.low, free.high] == pytest.approx([values.mean() - half, values.mean() + half])
    more = np.r_[values, 0, 1]
    half = t.isf(0.05, q + 1) * more.std(ddof=1) / (q + 2) ** 0.5
    anchored = one.confidence_interval(0.9, "anchored-t")
    assert [anchored.low, anchored.high] == pytest.approx(
        np.clip([more.mean() - half, more.mean() + half], 0, 1)
    )
    assert (str(own.method), str(anchored.method)) == (
        "t (approximate)",
        "anchored-t (approximate)",
    )
    fixed = mean_over_questions(x, target="same_questions", within=[0.1, 0.2, 0.3], times=times)
    normal = fixed.confidence_interval(0.9, "t")
    half = 1.6448536269514722 * fixed.stderr
    assert [normal.low, normal.high] == pytest.approx(
        np.clip([fixed.value - half, fixed.value + half], 0, 1)
    )
    pair = mean_over_questions([0, 1]).confidence_interval(0.5, "t")
    assert [pair.low, pair.high] == pytest.approx([0, 1])


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_t_stays_where_values_can_lie(target):
    nearly = [[1, 1, 1, 1]] * 9 + [[1, 1, 1, 0]]
    row = score(nearly, "pass@1", interval="t", target=target).rows[0]
    assert 0.9 < row.low < row.estimate < row.high == 1
    gap = compare([[0, 0]] * 9 + [[1, 0]], [[1, 1]] * 9 + [[0, 1]], method="t", target=target).rows[
        0
    ]
    assert 0 < gap.low < gap.difference < gap.high <= 1


@pytest.mark.parametrize(
    "units, said",
    [
        (
            units_of([1, 0], cluster=[1, 1]),
            "needs one 0/1 outcome per independent question, got clusters",
        ),
        (units_of([1, 0], bounds=(0, 2)), r"got bounds=\(0, 2\)"),
        (units_of([1, 0, 0.25, 0.5]), r"got 0.25 at question 2 \(2 of 4"),
        (units_of([1, 0], bounds=None), "got bounds=None"),
    ],
)
def test_methods_of_counts_refuse_what_is_no_count(units, said):
    for method in "wilson", "clopper-pearson":
        with pytest.raises(ValueError, match=said):
            estimate_from(units).confidence_interval(method=method)


def test_methods_refuse_with_advice():
    flat, unknown = mean_over_questions([1, 1]), mean_over_questions([1, 1], bounds=None)
    for one, said in (flat, "the same value, which shows no spread; the default method has one$"), (
        unknown,
        r"which shows no spread; pass bounds= for one$",
    ):
        with pytest.raises(ValueError, match=said):
            one.confidence_interval(method="t")
    fixed = mean_over_questions([1, 0], target="same_questions", within=[0.1, 0.1])
    for method in "gaffke", "anchored-t":
        with pytest.raises(
            ValueError, match=f"{method} draws questions anew, .*; the default is 'gamma'"
        ):
            fixed.confidence_interval(method=method)
    with pytest.raises(ValueError, match="gamma needs bounded values"):
        estimate_from(join_groups([units_of([1, 0], bounds=None)] * 2)).confidence_interval(
            method="gamma"
        )
    with pytest.raises(ValueError, match="anchored-t needs bounded values"):
        unknown.confidence_interval(method="anchored-t")
    grouped = estimate_from(
        join_groups([units_of([1, 0, 0], bounds=None)] * 2)
    ).confidence_interval()
    assert str(grouped.method) == "t (approximate)"


@pytest.mark.parametrize("rows", [1, 3000])
def test_the_bootstrap_draws_what_it_says(rows):
    "Against the same draws by hand: all questions with their numbers, two thousand times."
    x = np.arange(4.0) / 4 if rows == 1 else np.arange(rows) / rows
    one = mean_over_questions(x)
    ends = one.confidence_interval(0.9, "bootstrap", rng=5)
    rng, block = np.random.default_rng(5), max(1, 2**22 // len(x))
    sizes = [min(block, 2000 - i) for i in range(0, 2000, block)]
    drawn = np.concatenate(
        [rng.multinomial(len(x), np.full(len(x), 1 / len(x)), m) @ x for m in sizes]
    ) / len(x)
    assert len(drawn) == 2000 and len(sizes) == (1 if rows == 1 else 2)
    assert [ends.low, ends.high] == pytest.approx(np.quantile(drawn, [0.05, 0.95]))
    assert str(ends.method) == "bootstrap, seed 5 (approximate)"


def test_the_bootstrap_of_groups_is_a_ratio():
    x, cluster = [1, 1, 0, 0.5, 0, 1], [0, 0, 0, 1, 1, 2]
    ends = mean_over_questions(x, cluster=cluster).confidence_interval(0.9, "bootstrap")
    totals = np.array([[0.5, 2], [1, 1], [2, 3]])
    drawn = np.random.default_rng(0).multinomial(3, np.full(3, 1 / 3), 2000) @ totals
    assert [ends.low, ends.high] == pytest.approx(
        np.quantile(drawn[:, 0] / drawn[:, 1], [0.05, 0.95])
    )


def test_intervals_in_numbers():
    "Every method on awkward cases, at two levels, as they were when they were checked."
    x = [0, 0.25, 0.25, 1, 1, 0.5]
    cases = {
        "single": mean_over_questions([1, 0, 1, 1, 0, 1, 1]),
        "scores": mean_over_questions(x),
        "counted": mean_over_questions([0, 1], times=[4, 9]),
        "groups": mean_over_questions(x, cluster=[0, 0, 0, 1, 1, 2]),
        "wide": mean_over_questions([-2, 5, 0, 1], bounds=(-4, 6)),
        "no range": mean_over_questions([-2, 5, 0, 1], bounds=None),
        "weighted": weighted_mean(x, [1, 2, 3, 1, 2, 3], largest_weight=4),
        "all right": mean_over_questions([1] * 5),
        "one": mean_over_questions([0.5]),
        "again": mean_over_questions(
            x, target="same_questions", within=[0, 0.03, 0.03, 0, 0, 0.04], k=1, n_min=4
        ),
        "again, unknown": mean_over_questions(
            x, target="same_questions", within=[0, 0.03, np.nan, 0, 0, 0.04]
        ),
        "strata": estimate_from(join_groups([units_of(x), units_of([1, 0, 1])])),
    }
    lines = []
    for name, one in cases.items():
        error = "none" if one.stderr is None else f"{one.stderr:.10f}"
        lines.append(
            f"{name}: {one.value:.10f}, {error} {one.stderr_kind}; {one.questions} {one.reason}"
        )
        for method, level in product([None, *interval_methods], (0.95, 0.5)):
            try:
                ends = one.confidence_interval(level, method)
            except ValueError as error:
                if level == 0.95:
                    lines.append(f"  {method}: {error}")
                continue
            lines.append(f"  {method}: {ends.low:.9f} {ends.high:.9f} {ends.level} {ends.method}")
    check_printed("estimates", "intervals", "\n".join(lines))
