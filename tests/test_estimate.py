"""Standard errors and intervals against published values, other routes, and every degenerate case."""
import warnings
from itertools import product

import numpy as np
import pytest

from sampling_eval.foundations.urn import within_variance
from sampling_eval.inference.bands import simultaneous_band
from sampling_eval.inference.estimate import interval_methods, jackknife_variance, mean_over_questions, within_questions

AIME = {  # counts of right runs of four on 15 questions; avg, over questions, within questions, as if 60 independent runs
    "o3-mini (high)": ([4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4], 14/15, .03831780223674067, .03042903097250923, .03220305943597653),
    "o3-mini (medium)": ([4, 4, 4, 4, 3, 4, 2, 3, 1, 4, 3, 4, 1, 4, 3], .8, .06986381310057718, .045133546692422, .051639777949432225),
    "o1 (medium)": ([4, 4, 3, 4, 2, 4, 3, 4, 3, 4, 4, 4, 2, 3, 0], .8, .07400128699009549, .04303314829119352, .051639777949432225),
    "DeepSeek-R1": ([4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1], .75, .08451542547285165, .044095855184409845, .05590169943749474),
    "gemini-2.0-flash-thinking": ([4, 4, 0, 4, 0, 4, 4, 1, 3, 0, 4, 4, 1, 0, 0], .55, .1224744871391589, .028867513459481287, .06422616289332565),
    "gpt-4o": ([2, 4, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 2/15, .0726483157256779, .03042903097250923, .04388537257362555)}


def share(k): return np.arange(k + 1) / k
def any_right(k): return (np.arange(k + 1) >= 1) * 1.
def all_right(k): return (np.arange(k + 1) == k) * 1.


@pytest.mark.parametrize("model", AIME)
def test_both_targets_on_aime(model):
    c, avg, between, within, naive = AIME[model]
    values = np.array(c) / 4
    first = mean_over_questions(values)
    second = mean_over_questions(values, target="benchmark", within=within_questions(4, c, 1, share), k=1, n_min=4, n_max=4)
    assert (first.value, first.stderr, second.stderr) == (pytest.approx(avg), pytest.approx(between), pytest.approx(within))
    assert (avg * (1 - avg) / 60)**.5 == pytest.approx(naive)
    assert first.stderr_kind == "over questions" and second.stderr_kind == "within questions"


@pytest.mark.parametrize("c,method,ends", [
    (20, "wilson", (.8388748419471806, 1.)), (20, "clopper-pearson", (.8315665290169146, 1.)),
    (18, "wilson", (.6989663547715128, .9721335187862319)), (18, "clopper-pearson", (.6830172859809177, .9876514728297052))])
def test_twenty_questions(c, method, ends):
    interval = mean_over_questions([1] * c + [0] * (20 - c), n_min=1, n_max=1).confidence_interval(method=method)
    assert (interval.low, interval.high) == (pytest.approx(ends[0], abs=1e-12), pytest.approx(ends[1], abs=1e-12))


def test_clusters():
    values, names = [1, 1, 0, 0], ["a", "a", "b", "b"]
    clustered = mean_over_questions(values, cluster=names)
    assert clustered.stderr == pytest.approx(.5) and clustered.stderr * .5**.5 == pytest.approx(.3535533905932738)
    assert mean_over_questions(values).stderr == pytest.approx((.25**2 * 4 / 3)**.5)
    assert clustered.questions == 4 and clustered.stderr_kind == "over 2 clusters"
    rng = np.random.default_rng(0)
    x, g = rng.random(40), rng.integers(0, 9, 40)
    rest = np.array([(x[g == j] - x.mean()).sum() for j in np.unique(g)])
    assert mean_over_questions(x, cluster=g).stderr == pytest.approx((9 / 8 * (rest**2).sum())**.5 / 40)


def test_one_cluster_has_a_default_interval_only():
    one = mean_over_questions([1, 0, 1], cluster=["a"] * 3)
    assert one.stderr is None and one.reason == "one cluster shows no spread"
    assert one.confidence_interval().high > one.confidence_interval().low


def test_within_variance_of_pass_at_three():
    expected = [0, 9/100, 19/225, 149/2880, 29/1260, 1/144, 1/900, 1/14400, 0, 0, 0]
    assert np.allclose(within_questions(10, np.arange(11), 3, any_right), expected, atol=1e-15)


def test_variance_components_of_repeated_runs():
    p = np.array([.75, .25, 1, .5])
    noise = 4 * within_questions(4, [3, 1, 4, 2], 1, share).mean()
    assert noise == pytest.approx(.20833333333333331)
    assert p.var() - (noise - (p * (1 - p)).mean()) == pytest.approx(.02604166666666667)


@pytest.mark.parametrize("n,k", [(3, 2), (5, 3), (8, 5), (8, 7)])
@pytest.mark.parametrize("credit", [any_right, all_right])
def test_jackknife_is_never_too_small_on_average(n, k, credit):
    from math import comb

    from sampling_eval.foundations.urn import mean_credit
    c = np.arange(n + 1)
    value, noise = mean_credit(c, n - c, np.array([k]), credit)[:, 0], within_questions(n, c, k, credit)
    for p in np.linspace(.02, .98, 25):
        law = np.array([comb(n, i) * p**i * (1 - p)**(n - i) for i in c])
        assert law @ noise >= law @ value**2 - (law @ value)**2 - 1e-12


def test_within_questions_is_the_urns_where_it_can_be():
    n, c = np.array([8, 4, 3, 2]), np.array([3, 2, 1, 1])
    mixed = within_questions(n, c, [1, 2], any_right)
    assert np.allclose(mixed[:2], within_variance(n[:2, None], c[:2, None], np.array([1, 2]), any_right))
    assert np.isnan(mixed[3, 1]) and mixed[2, 1] == pytest.approx(jackknife_variance([[0, 1]], [[1, 2]])[0])


def test_unknown_within_falls_back_to_an_upper_bound():
    values = [1, 0, 1, 0, 1]
    bound = mean_over_questions(values, target="benchmark", within=np.full(5, np.nan), k=4, n_min=4)
    assert bound.stderr == mean_over_questions(values).stderr and "upper bound" in bound.stderr_kind
    some = mean_over_questions(values, target="benchmark", within=[.1, np.nan, .1, .1, .1], k=2, n_min=2)
    assert some.stderr_kind == "within questions, 1 of 5 by an upper bound"
    assert some.stderr == pytest.approx((.4 + .6**2 * 5 / 4)**.5 / 5)


DEGENERATE = {"all right": np.ones(6), "all wrong": np.zeros(6), "all alike": np.full(6, .1), "one": np.array([.5]), "one right": np.ones(1)}


@pytest.mark.parametrize("values,level,kwargs", list(product(DEGENERATE.values(), (.5, .8, .95, .999), (
    {}, dict(bounds=(-1, 1), paired=True), dict(cluster="same"), dict(target="benchmark"), dict(target="benchmark", within=0.)))))
def test_the_default_never_has_zero_width(values, level, kwargs):
    kwargs = dict(kwargs)
    if "cluster" in kwargs: kwargs["cluster"] = np.arange(len(values)) // 2
    if "within" in kwargs: kwargs |= dict(within=np.zeros(len(values)), k=1, n_min=4)
    estimate = mean_over_questions(values, **kwargs)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        interval = estimate.confidence_interval(level)
    assert estimate.stderr is None and estimate.reason
    assert interval.high > interval.low and interval.low <= estimate.value <= interval.high and interval.method == "anchored-t"


@pytest.mark.parametrize("values", DEGENERATE.values())
@pytest.mark.parametrize("method", ["t", "bootstrap", "logit-t"])
def test_methods_that_live_on_the_spread_refuse(values, method):
    with pytest.raises(ValueError, match="the default method has one"): mean_over_questions(values).confidence_interval(method=method)


def test_every_method_holds_the_estimate():
    estimate = mean_over_questions([1] * 12 + [0] * 5)
    widths = {m: (i := estimate.confidence_interval(method=m)).high - i.low for m in interval_methods}
    assert all(w > .2 for w in widths.values()) and estimate.confidence_interval(method="t").high > estimate.value


def test_bootstrap_is_seeded_and_works_on_the_histogram():
    long, short = mean_over_questions([0, .5, .5, 1, 1, 1]), mean_over_questions([0, .5, 1], times=[1, 2, 3])
    ends = [(e.confidence_interval(method="bootstrap", rng=r).low, e.confidence_interval(method="bootstrap", rng=r).high) for e in (long, short) for r in (None, 0)]
    assert len(set(ends)) == 1 and long.confidence_interval(method="bootstrap").method == "bootstrap, seed 0"
    assert long.confidence_interval(method="bootstrap", rng=np.random.default_rng(5)).method == "bootstrap, rng given"
    clustered = mean_over_questions([0, .5, .5, 1, 1, 1], cluster=[0, 0, 1, 1, 2, 2]).confidence_interval(method="bootstrap")
    assert clustered.low < 2/3 < clustered.high


def test_states_that_do_not_occur_do_not_count():
    padded, plain = mean_over_questions([0, .5, 1], times=[0, 0, 4]), mean_over_questions([1] * 4)
    assert padded.stderr is None and padded.reason == plain.reason and padded.questions == 4
    assert padded.confidence_interval() == plain.confidence_interval()
    assert mean_over_questions([0, .5, 1], times=[3, 0, 4]).confidence_interval(method="wilson").high < 1


def test_rewards_without_bounds():
    estimate = mean_over_questions([-3., 10., 4.], bounds=None)
    assert estimate.confidence_interval().method == "t"
    for method in ("anchored-t", "logit-t", "score-t", "wilson"):
        with pytest.raises(ValueError): estimate.confidence_interval(method=method)


def test_scale_does_not_matter():
    x = np.random.default_rng(0).random(12)
    a, b = mean_over_questions(x).confidence_interval(), mean_over_questions(10 + 5 * x, bounds=(10, 15)).confidence_interval()
    assert (b.low, b.high) == (pytest.approx(10 + 5 * a.low), pytest.approx(10 + 5 * a.high))
    assert mean_over_questions(x * 1e-9).stderr == pytest.approx(x.std(ddof=1) * 1e-9 / 12**.5)


@pytest.mark.parametrize("call,message", [
    (lambda: mean_over_questions([]), "one number per question"), (lambda: mean_over_questions([np.nan, 1]), "finite"),
    (lambda: mean_over_questions([[1, 0]]), "one number per question"), (lambda: mean_over_questions([1.2]), r"lie in \[0, 1\]"),
    (lambda: mean_over_questions([1, 0], times=[1]), "times must have the shape"), (lambda: mean_over_questions([1, 0], times=[0, 0]), "positive sum"),
    (lambda: mean_over_questions([1, 0], target="benchmark", within=[.1]), "within must have the shape"),
    (lambda: mean_over_questions([1, 0], target="both"), "target must be"), (lambda: mean_over_questions([1, 0], cluster=[1]), "cluster must hold"),
    (lambda: mean_over_questions([1, 0]).confidence_interval(95), "confidence_level"),
    (lambda: mean_over_questions([1, 0]).confidence_interval(method="z"), "method must be"),
    (lambda: mean_over_questions([1, .5]).confidence_interval(method="clopper-pearson"), "0/1 outcome"),
    (lambda: mean_over_questions([1, 0], cluster=[1, 2]).confidence_interval(method="wilson"), "clusters"),
    (lambda: mean_over_questions([1, 0], target="benchmark", within=[.1, .1]).confidence_interval(method="bootstrap"), "questions anew")])
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message): call()


def test_band_covers_the_curve():
    from sampling_eval.foundations.urn import draws, mean_credit
    rng, k = np.random.default_rng(0), np.arange(1, 17)
    table = mean_credit(np.arange(17), 16 - np.arange(17), k, any_right)
    truth = np.array([(draws([.3], [.7], int(b), 1) @ any_right(int(b)))[0] for b in k])
    bands = [simultaneous_band(table[rng.binomial(16, rng.beta(.3, .7, 30))], draws=500) for _ in range(200)]
    assert np.mean([((b.low <= truth) & (truth <= b.high)).all() for b in bands]) > .92


def test_band_without_spread():
    band = simultaneous_band(np.ones((5, 3)))
    assert (band.low < 1).all() and (band.high == 1).all() and np.allclose(simultaneous_band([[.5, .2]]).value, [.5, .2])
    with pytest.raises(ValueError, match="differ"): simultaneous_band(np.ones((5, 3)), method="sup-t")
    with pytest.raises(ValueError, match="shape"): simultaneous_band([1, 0])
    with pytest.raises(ValueError, match="finite"): simultaneous_band([[np.nan, 0], [1, 0]])
