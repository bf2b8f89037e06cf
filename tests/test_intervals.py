"Estimates and intervals by name: what each method is inverted to, and what is said of it."

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.fixed_questions import fix_questions, Noise
from sampling_eval.inference.intervals import (
    check_target,
    count_questions,
    default_method,
    draw_means,
    Estimate,
    estimate_from,
    estimates_of,
    explain_no_spread,
    find_target,
    Interval,
    INTERVAL_METHODS,
    is_anew,
    Method,
    resolve_method,
    row_of,
    UPPER_BOUND,
)
from sampling_eval.inference.units import check_weights, Strata, units_of, weigh_units

X = np.array([0.9, 0.4, 0.8, 0.1, 0.7, 1.0, 0.3, 0.6])
UNITS = units_of(X)
FIXED = fix_questions(X, Noise(np.full(8, 0.02), np.full(8, 0.2)))
STRATA = Strata((units_of(X[:4]), units_of(X[4:])))
SPAN = units_of(X - 0.45, bounds=(-1, 1))


@pytest.mark.parametrize(
    "method, text",
    [
        (Method("gaffke", True), "gaffke"),
        (Method("gaffke", True, clusters=3), "gaffke over 3 clusters"),
        (Method("gaffke", True, weighted=True), "gaffke over weighted questions"),
        (Method("gaffke", True, same_as="clopper-pearson"), "gaffke = clopper-pearson"),
        (
            Method("gaffke", False, max_weight=2.5, weighted=True),
            "gaffke over weighted questions (approximate: assumes no larger weight than 2.5)",
        ),
        (Method("gamma", False), "gamma within questions (approximate)"),
        (Method("gamma", False, strata=True), "gamma over strata (approximate)"),
        (Method("t", False, clusters=3), "t (approximate)"),
        (Method("bootstrap", False, seed=0), "bootstrap, seed 0 (approximate)"),
        (Method("bootstrap", False), "bootstrap, rng given (approximate)"),
        (Method("in words"), "in words"),
    ],
    ids=str,
)
def test_what_a_method_is_called(method, text):
    assert str(method) == text


def test_an_interval_in_print():
    assert repr(Interval(0.25, 0.5)) == "[0.25, 0.5] (95 %, )"
    one = Interval(-0.12346, 0.5, 0.9, method=Method("t", False))
    assert repr(one) == "[-0.1235, 0.5] (90 %, t (approximate))"
    assert (one.target, one.unit) == (None, "share")


def test_targets():
    assert check_target("new_questions") == "new_questions"
    with pytest.raises(ValueError, match="target must be 'new_questions' or 'same_questions'"):
        check_target("both")
    for units, bound, target in (
        (UNITS, False, "new_questions"),
        (UNITS, True, "same_questions"),
        (FIXED, False, "same_questions"),
        (STRATA, False, "new_questions"),
        (Strata((FIXED,)), False, "same_questions"),
    ):
        assert find_target(units, bound) == target


@pytest.mark.parametrize(
    "units, count",
    [
        (UNITS, 8),
        (FIXED, 8),
        (STRATA, 8),
        (units_of(X, cluster=list("xxyyzzuu")), 8),
        (units_of(X[:2], times=[3, 4]), 7),
    ],
)
def test_questions_behind_a_mean(units, count):
    assert count_questions(units) == count and estimates_of(units).questions == count


@pytest.mark.parametrize(
    "units, text",
    [
        (units_of([0.5]), "one question shows no spread"),
        (units_of([0.5, 0.5]), "all 2 questions have the same value, which shows no spread"),
        (units_of([1, 0, 1], cluster=[1, 1, 1]), "one cluster shows no spread"),
        (FIXED, "the samples of each question agree, which shows no variation within questions"),
        (STRATA, "no group shows a spread"),
    ],
)
def test_why_there_is_no_error(units, text):
    assert explain_no_spread(units) == text


def test_defaults_of_units():
    assert [default_method(o) for o in (UNITS, FIXED, STRATA)] == ["gaffke", "gamma", "gamma"]
    assert default_method(units_of(X, bounds=None)) == "t"
    assert resolve_method(UNITS, None) == resolve_method(UNITS, "assumption-free") == "gaffke"
    assert resolve_method(FIXED, "assumption-free") == "gamma" and resolve_method(UNITS, "t") == "t"
    with pytest.raises(ValueError, match="method must be 'assumption-free', 'gaffke', .* got 'z'"):
        resolve_method(UNITS, "z")
    with pytest.raises(ValueError, match="assumption-free interval needs bounded values"):
        resolve_method(units_of(X, bounds=None), "assumption-free")


def test_rows_of_methods():
    anew = {name for name in INTERVAL_METHODS if is_anew(name)}
    assert anew == {"gaffke", "anchored-t", "bootstrap"} and is_anew("assumption-free")
    assert not is_anew(None) and not is_anew("of another version")
    assert row_of("t").needs_spread and not row_of(None).needs_spread and row_of("x").invert is None


# P values: one minus the largest level at which an interval leaves out zero.


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("method", ["gaffke", "anchored-t", "t"])
def test_a_p_value_is_where_zero_leaves_the_interval(method, sign):
    found = estimate_from(units_of(sign * (X - 0.35), bounds=(-1, 1)))
    p = INTERVAL_METHODS[method].invert(found, None).p
    assert 0 < p < 1
    for level, out in (1 - 1.001 * p, True), (1 - 0.999 * p, False):
        ends = found.confidence_interval(level, method)
        assert (ends.low > 0 or ends.high < 0) == out


def test_the_t_test_by_scipy():
    found = estimate_from(SPAN)
    p, test, least = INTERVAL_METHODS["t"].invert(found, None)
    assert p == pytest.approx(stats.ttest_1samp(X - 0.45, 0).pvalue)
    assert test == "t (approximate), 7 degrees of freedom" and least == 0
    again = estimate_from(fix_questions(X - 0.45, Noise(np.full(8, 0.02), 0.2), bounds=(-1, 1)))
    p, test, _ = INTERVAL_METHODS["t"].invert(again, None)
    assert test == "normal (approximate)"
    assert p == pytest.approx(2 * stats.norm.sf(abs(again.value) / again.stderr))


def test_the_smallest_p_value_of_so_many_units():
    p, test, least = INTERVAL_METHODS["gaffke"].invert(estimate_from(SPAN), None)
    assert least == 2 * 0.5**8 and test == "gaffke, inverted"
    wide = units_of(X - 0.45, bounds=(-1, 3))
    assert INTERVAL_METHODS["gaffke"].invert(estimate_from(wide), None)[2] == 2 * 0.25**8
    groups = units_of(X - 0.45, bounds=(-1, 1), cluster=list("xxyyzzuu"))
    p, test, least = INTERVAL_METHODS["gaffke"].invert(estimate_from(groups), None)
    assert test == "gaffke, inverted over 4 clusters" and least == 2 * 0.5**4
    one = units_of([0.3], bounds=(-1, 1))
    assert INTERVAL_METHODS["gaffke"].invert(estimate_from(one), None)[2] == 1


def test_anchored_t_by_hand():
    more, count = np.r_[X - 0.45, -1, 1], 10
    error = more.std(ddof=1) / count**0.5
    half = stats.t.isf(0.05, count - 1) * error
    ends = estimate_from(SPAN).confidence_interval(0.9, "anchored-t")
    assert (ends.low, ends.high) == pytest.approx((more.mean() - half, more.mean() + half))
    p = INTERVAL_METHODS["anchored-t"].invert(estimate_from(SPAN), None)[0]
    assert p == pytest.approx(2 * stats.t.sf(more.mean() / error, count - 1))


# Means of redrawn units.


def test_redrawn_means():
    found = draw_means(UNITS, 3)
    counts = np.random.default_rng(3).multinomial(8, np.full(8, 1 / 8), 2000)
    assert found == pytest.approx(counts @ np.sort(X) / 8) and len(found) == 2000
    assert draw_means(UNITS, None)[0] == draw_means(UNITS, 0)[0]
    assert len(draw_means(UNITS, 0, 7)) == 7
    twice = draw_means(units_of(X, cluster=list("xxyyzzuu")), 0)
    assert twice.std() == pytest.approx(X.reshape(4, 2).mean(1).std() / 2, rel=0.1)
    grouped = draw_means(units_of([0.0, 1.0, 1.0], cluster=["x", "y", "y"]), 0)
    assert set(grouped.round(6)) == {0, round(2 / 3, 6), 1}


@pytest.mark.parametrize("sign", [1, -1])
def test_a_bootstrap_is_inverted(sign):
    found = estimate_from(units_of(sign * (X - 0.45), bounds=(-1, 1)))
    p, test, _ = INTERVAL_METHODS["bootstrap"].invert(found, 5)
    assert test == "bootstrap (approximate), inverted" and 0 < p < 1
    share = (sign * draw_means(found.units, 5) <= 0).mean()
    assert p == pytest.approx(2 * share, abs=2 / 1999)
    ends = found.confidence_interval(1 - p, "bootstrap", rng=5)
    assert min(abs(ends.low), abs(ends.high)) < 1e-9
    above = estimate_from(units_of([0.5, 0.6, 0.7], bounds=(-1, 1)))
    assert INTERVAL_METHODS["bootstrap"].invert(above, 5)[0] == 0


def test_no_spread_and_no_values():
    flat = mean_over_questions([0.5, 0.5])
    assert flat.stderr is None and flat.confidence_interval().low < 0.5
    for method in "t", "bootstrap":
        with pytest.raises(ValueError, match=f"no {method} interval: all 2 .* default method"):
            flat.confidence_interval(method=method)
    unknown = mean_over_questions([0.5, 0.5], bounds=None)
    with pytest.raises(ValueError, match="no t interval: .*; pass bounds= for one"):
        unknown.confidence_interval()
    with pytest.raises(ValueError, match="no interval: the estimate does not hold its values"):
        Estimate(0.5, 0.1, 9).confidence_interval()
    with pytest.raises(ValueError, match="no interval: lost"):
        Estimate(0.5, 0.1, 9, reason="lost").confidence_interval()
    assert "no stderr: all 2 questions" in repr(flat) and "stderr 0.1 over q" in repr(
        Estimate(0.5, 0.1, 9)
    )


def test_intervals_at_95_percent_unless_a_level_is_named():
    one, many = mean_over_questions(X), estimates_of(units_of(np.c_[X, X**2]), k=[1, 2])
    assert one.confidence_interval() == one.confidence_interval(0.95)
    assert many.intervals() == many.intervals(0.95) and len(many) == 2
    assert [o.tolist() for o in many.ends()] == [o.tolist() for o in many.ends(0.95)]
    assert many[1].k == 2 and many[-1].value == pytest.approx((X**2).mean())
    assert many[0].confidence_interval(0.8) == many.intervals(0.8)[0]
    with pytest.raises(IndexError):
        many[2]
    some = many.some(np.array([1]))
    assert some.k.tolist() == [2] and some.value == pytest.approx([(X**2).mean()])
    assert repr(many) == "Estimates(2 budgets, 8 questions)"
    flat = estimates_of(units_of(np.c_[X, np.full(8, 0.5)]))
    assert [o is None for o in flat.intervals(method="t")] == [False, True]
    assert flat.reasons[0] == "" and flat.reasons[1].startswith("all 8 questions")
    bound = estimates_of(UNITS, "over questions" + UPPER_BOUND).intervals()[0]
    assert bound.target == "same_questions" and bound.method.upper_bound


@pytest.mark.parametrize(
    "values, bounds, same",
    [
        ([1, 0, 1], (0, 1), "clopper-pearson"),
        ([1, 0, 0.5], (0, 1), ""),
        ([1, 0, 1], (-1, 1), ""),
        ([1, 0, 1], (0, 2), ""),
    ],
    ids=str,
)
def test_right_or_wrong_answers_are_clopper_pearsons(values, bounds, same):
    found = mean_over_questions(values, bounds=bounds).confidence_interval()
    assert found.method.same_as == same and found.method.exact
    if same:
        other = mean_over_questions(values).confidence_interval(method="clopper-pearson")
        assert (found.low, found.high) == pytest.approx((other.low, other.high), rel=1e-8)


# What each method says of units that it is asked about.

GROUPS, WEIGHTS = list("xxyyzzuu"), check_weights([4, 2, 1, 1, 1, 1, 1, 1])
DECLARED = check_weights([4, 2, 1, 1, 1, 1, 1, 1], largest=5)


@pytest.mark.parametrize(
    "units, method, rng, text",
    [
        (UNITS, "gaffke", None, "gaffke"),
        (units_of([0, 1, 1]), "gaffke", None, "gaffke = clopper-pearson"),
        (units_of([0, 1, 0], cluster=[0, 1, 1]), "gaffke", None, "gaffke over 2 clusters"),
        (units_of(X, cluster=GROUPS), "gaffke", None, "gaffke over 4 clusters"),
        (units_of(X, cluster=GROUPS), "t", None, "t (approximate)"),
        (weigh_units(X, DECLARED), "gaffke", None, "gaffke over weighted questions"),
        (weigh_units([1] + [0] * 7, DECLARED), "gaffke", None, "gaffke over weighted questions"),
        (
            weigh_units(X, WEIGHTS),
            "gaffke",
            None,
            "gaffke over weighted questions (approximate: assumes no larger weight than 4)",
        ),
        (weigh_units(X, WEIGHTS), "t", None, "t (approximate)"),
        (UNITS, "bootstrap", None, "bootstrap, seed 0 (approximate)"),
        (UNITS, "bootstrap", 7, "bootstrap, seed 7 (approximate)"),
        (UNITS, "bootstrap", np.random.default_rng(0), "bootstrap, rng given (approximate)"),
        (UNITS, "t", 7, "t (approximate)"),
        (FIXED, "gamma", 7, "gamma within questions (approximate)"),
        (STRATA, "gamma", None, "gamma over strata (approximate)"),
        (STRATA, "t", None, "t (approximate)"),
        (units_of([0, 1, 1]), "wilson", None, "wilson (approximate)"),
        (units_of([0, 1, 1]), "clopper-pearson", None, "clopper-pearson"),
    ],
)
def test_methods_say_what_they_know(units, method, rng, text):
    one = estimate_from(units).confidence_interval(method=method, rng=rng)
    assert str(one.method) == text and one.level == 0.95 and not one.method.upper_bound
    seeds = {"bootstrap": rng or 0} if not isinstance(rng, np.random.Generator) else {}
    assert one.method.seed == seeds.get(method)
    assert one.method.strata == (units is STRATA)
    if method == "t":
        assert one.method.max_weight is None and one.method.same_as == ""


def test_each_budget_says_whether_it_is_clopper_pearsons():
    many = estimates_of(units_of([[0, 0.5], [1, 1], [1, 0]])).intervals()
    assert [one.method.same_as for one in many] == ["clopper-pearson", ""]


@pytest.mark.parametrize(
    "units, method, said",
    [
        (FIXED, "gaffke", "gaffke draws questions anew, which is target='new_questions' without"),
        (STRATA, "anchored-t", "without fixed groups; the default is 'gamma'"),
        (FIXED, "wilson", "wilson draws questions anew"),
        (STRATA, "clopper-pearson", "clopper-pearson draws questions anew"),
        (UNITS, "gamma", "gamma is for fixed questions or groups of known noise, got questions"),
        (units_of(X, bounds=None), "anchored-t", "anchored-t needs bounded values, got bounds=N"),
        (units_of([0, 1, 1], cluster=[0, 1, 1]), "wilson", "got clusters; the default method"),
        (weigh_units([0] * 7 + [1], WEIGHTS), "wilson", "got weights; the default method takes"),
        (units_of([0, 1, 1], bounds=(0, 2)), "wilson", r"got bounds=\(0, 2\); the default"),
        (units_of([0, 0.25, 1]), "wilson", r"got 0.25 at question 1 \(1 of 3 fail\); the def"),
        (units_of([[0, 1], [1, 0.5]]), "wilson", r"got 0.5 at question 1 \(1 of 2 fail\); the"),
    ],
)
def test_methods_that_do_not_apply(units, method, said):
    with pytest.raises(ValueError, match=said):
        estimates_of(units).intervals(method=method)


def test_an_estimate_in_plain_values():
    found = estimate_from(UNITS, k=2, n_min=3, n_max=4, estimator="share", missing=1)
    assert found.to_dict() == dict(
        value=found.value,
        stderr=found.stderr,
        questions=8,
        n_min=3,
        n_max=4,
        k=2,
        estimator="share",
        stderr_kind="over questions",
        missing=1,
        reason="",
    )


def test_over_what_each_budget_has_its_error():
    "The variance of a question may be a bound at one budget and known at another."
    noise = Noise(np.full((8, 2), 0.02), np.full((8, 2), 0.2))
    fixed = fix_questions(np.c_[X, X], noise)
    mixed = estimates_of(replace(fixed, guessed=np.array([0, 3])))
    assert mixed.kinds == ("within questions", "within questions, 3 of 8 by an upper bound")
    assert [one.stderr_kind for one in mixed] == list(mixed.kinds)
    assert estimates_of(mixed.units, "as said").kinds == ("as said",) * 2
    assert estimates_of(fixed).kinds == ("within questions",) * 2
    assert estimates_of(replace(fixed, guessed=2)).kinds == (
        "within questions, 2 of 8 by an upper bound",
    ) * 2


@pytest.mark.parametrize("method, some", [("gaffke", 0.0), ("anchored-t", 0.1), ("t", 0.1)])
def test_an_end_at_zero_has_no_sign(method, some):
    "The upper end of what cannot be above 0, and the lower end of what cannot be below."
    for sign in 1, -1:
        bounds = (0, 1) if sign > 0 else (-1, 0)
        ends = estimate_from(units_of(sign * np.array([0.0, 0, some]), bounds=bounds))
        found = ends.confidence_interval(0.999, method)
        zero = found.low if sign > 0 else found.high
        assert zero == 0 and not np.signbit(zero)


def test_questions_of_weighted_clusters():
    units = weigh_units(X, WEIGHTS, cluster=GROUPS)
    assert count_questions(units) == estimates_of(units).questions == 8
    assert explain_no_spread(units_of([1, 1, 1, 0], cluster=[0, 0, 1, 1])).startswith("all 2 cl")


@pytest.mark.parametrize("flip", [1, -1])
def test_the_smallest_p_value_of_unequal_clusters(flip):
    "That of data where every question is won by everything, whose p value is computed."
    cluster, bounds = [0, 0, 0, 1, 2, 2, 3, 4], (-1, 2)[::flip]
    bounds = tuple(sorted(flip * end for end in bounds))
    clear = [
        INTERVAL_METHODS["gaffke"].invert(
            estimate_from(units_of(np.full(8, float(end)), bounds=bounds, cluster=cluster)), None
        ).p
        for end in bounds
    ]
    some = estimate_from(units_of(flip * (X - 0.4), bounds=bounds, cluster=cluster))
    least = INTERVAL_METHODS["gaffke"].invert(some, None).smallest
    assert 0 < least == pytest.approx(min(clear)) and clear[0] != pytest.approx(clear[1], rel=0.1)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_bootstrap_is_inverted_between_two_means(sign):
    "Of values whose drawn means are never 0: half of p is where their quantile would be."
    values = sign * np.array([0.3137, -0.2718, 0.5772, 0.1414, -0.1732, 0.2236, 0.0917])
    found = estimate_from(units_of(values, bounds=(-1, 1)))
    p = INTERVAL_METHODS["bootstrap"].invert(found, 5).p
    means = np.sort(sign * draw_means(found.units, 5))
    assert np.interp(0, means, np.arange(2000) / 1999) == pytest.approx(p / 2, rel=1e-9)
    assert np.abs(means).min() > 1e-6 and 0.01 < p < 0.5


def test_a_bootstrap_of_budgets_with_and_without_spread():
    many = estimates_of(units_of(np.c_[np.full(8, 0.5), X]))
    none, some = many.intervals(method="bootstrap", rng=2)
    assert none is None
    assert (some.low, some.high) == tuple(np.quantile(draw_means(UNITS, 2), [0.025, 0.975]))


def test_as_many_means_as_asked_for_of_many_units():
    units = units_of(np.linspace(0, 1, 3000))
    found = draw_means(units, 0, 1400)
    assert len(found) == 1400 and found.std() == pytest.approx(12**-0.5 / 3000**0.5, rel=0.1)
