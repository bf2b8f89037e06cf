"Metrics measured: weights of questions, values of several systems, curves, rows and groups."

from dataclasses import replace

import numpy as np
import pytest

from sampling_eval.analyses.engine.choose import choose_metrics
from sampling_eval.analyses.engine.measure import (
    average_groups,
    check_request,
    clusters_for,
    estimate_facts,
    estimate_metric,
    is_banded,
    LateCurves,
    LateRows,
    measure,
    measure_all,
    measure_sides,
    refuse_two_values,
    rows_of_curves,
    sampling_noise,
    share_clusters,
    share_weights,
    try_interval,
    Weighing,
)
from sampling_eval.errors import OptionError
from sampling_eval.foundations.counts import Counts
from sampling_eval.inference.intervals import UPPER_BOUND
from sampling_eval.inference.units import check_weights
from sampling_eval.results.base import Style

FOUR = Counts([4, 4, 4], [0, 1, 3], ["a", "b", "c"])
EIGHT = Counts([8, 8, 6], [8, 2, 3], ["a", "b", "c"])


def choose(counts, metrics="pass@k", k=None):
    return choose_metrics(counts, metrics, k)[0][0]


def curve_of(counts=FOUR, metrics="pass@k", style=Style(), k=None, **facts):
    return measure(choose(counts, metrics, k), counts, style, **(dict(model="", group="") | facts))


# Weights.


def test_weights_in_the_order_of_the_questions():
    found = Weighing("hours").find(np.array(["b", "a"]), {"a": 1.0, "b": 3.0, "c": 9.0})
    assert (found.weight * found.unit).tolist() == pytest.approx([3.0, 1.0])
    assert Weighing("hours").find(np.array(["b", "a"]), None) is None


def test_questions_without_a_weight_are_counted():
    with pytest.raises(OptionError) as error:
        Weighing("hours").find(np.array(["a", "b", "c"]), {"b": 1.0})
    assert "none for 'a' (2 of 3 fail)" in str(error.value)


@pytest.mark.parametrize(
    "given, name, asked",
    [
        ("hours", "hours", True),
        ({"a": 1.0}, "the weights given", True),
        (None, "the weights given", False),
    ],
)
def test_what_questions_are_weighted_by(given, name, asked):
    found = Weighing(given)
    assert (found.name, found.asked) == (name, asked)


def test_what_is_said_of_weights():
    known = {"a": 1.0, "b": 3.0}
    asked = Weighing("hours")
    light = asked.find(np.array(["a", "b"]), known)
    heavy = asked.find(np.array(["a", "b"]), {"a": 1.0, "b": 30.0})
    assert Weighing().say([light]) == ()
    assert asked.say([None]) == ("weights: hours gives all questions the same weight.",)
    assert len(asked.say([light])) == 1
    assert asked.say([light, None, heavy]) == asked.say([heavy]) != asked.say([light])
    within, basis = asked.say([light], grouped=True)
    assert within == "Within a group questions are weighted by hours."
    assert (basis,) == asked.say([light])


@pytest.mark.parametrize(
    "weights, largest, cluster, refused",
    [
        (None, None, None, None),
        (None, None, "user", None),
        ("hours", None, None, None),
        ("hours", 4.0, None, None),
        ("hours", None, False, None),
        (None, 4.0, None, "largest_weight"),
        ("hours", None, "user", "cluster"),
        ("hours", None, True, "cluster"),
    ],
)
def test_what_may_be_asked_of_weights(weights, largest, cluster, refused):
    if refused is None:
        assert check_request(weights, largest, cluster) == Weighing(weights, largest)
        return
    with pytest.raises(OptionError, match=refused):
        check_request(weights, largest, cluster)


def test_weights_of_several_inputs():
    assert share_weights([{"a": 1.0}, {"a": 1.0, "b": 2.0}]) == {"a": 1.0, "b": 2.0}
    assert share_weights([{"a": 1.0}, None]) is None
    assert share_weights([]) == {}
    with pytest.raises(ValueError, match="got 1 and 2 at 'a', in two inputs"):
        share_weights([{"a": 1.0}, {"a": 2.0}])


# Estimates.


def test_clusters_are_of_new_questions():
    counts = replace(FOUR, cluster=np.array(["p", "p", "q"]))
    assert clusters_for(counts, "new_questions").tolist() == ["p", "p", "q"]
    assert clusters_for(counts, "same_questions") is None
    assert clusters_for(FOUR, "new_questions") is None


def test_noise_is_known_from_two_samples_on():
    assert sampling_noise(choose(FOUR), FOUR) is not None
    once = Counts([1, 1], [0, 1])
    assert sampling_noise(choose(once), once) is None
    mixed = Counts([1, 2], [0, 1])
    assert sampling_noise(choose(mixed, k=1), mixed) is not None


def test_an_error_for_the_same_questions_is_that_of_their_samples():
    chosen = choose(FOUR, "avg@n")
    values = chosen.metric.at_states(FOUR, chosen.ks)
    found = estimate_metric(chosen, FOUR, values, "same_questions")
    # p (1 - p) / 3 of each question, over the square of three questions.
    want = sum(p * (1 - p) / 3 for p in (0, 0.25, 0.75)) / 9
    assert found.stderr[0] == pytest.approx(want**0.5)
    assert found.facts["n_min"] == found.facts["n_max"] == 4


def test_one_sample_bounds_the_noise_of_the_same_questions():
    once = Counts([1, 1, 1], [0, 1, 1])
    chosen = choose(once)
    values = chosen.metric.at_states(once, chosen.ks)
    same = estimate_metric(chosen, once, values, "same_questions")
    new = estimate_metric(chosen, once, values)
    assert same.kinds[0] == new.kinds[0] + UPPER_BOUND
    assert same.stderr[0] == new.stderr[0]


# Several systems.


def test_budgets_are_those_that_every_system_reaches():
    found = measure_sides({"A": FOUR, "B": EIGHT}, "pass@k")
    assert found.chosen.ks.tolist() == [1, 2, 3, 4] and not found.stated
    one = measure_sides({"A": FOUR, "B": EIGHT}, "pass@k", 3)
    assert one.chosen.labels == ("pass@3",)
    by_name = measure_sides({"A": FOUR, "B": EIGHT}, "pass@3")
    assert by_name.chosen.labels == ("pass@3",) and by_name.stated


def test_an_average_is_named_by_the_samples_that_all_have():
    assert measure_sides({"A": FOUR, "B": FOUR}, "avg@n").chosen.labels == ("avg@4",)
    assert measure_sides({"A": FOUR, "B": EIGHT}, "avg@n").chosen.labels == ("avg@n",)


@pytest.mark.parametrize(
    "metric, k, said",
    [
        ("pass@2", 2, "'pass@2' states its budget, got k=2 as well"),
        ("avg@n", 2, "'avg@n' has no budget, got k=2"),
    ],
)
def test_budgets_that_contradict_the_name(metric, k, said):
    with pytest.raises(OptionError, match=said):
        measure_sides({"A": FOUR, "B": EIGHT}, metric, k)


def test_a_metric_of_a_share_stands_at_the_largest_budget():
    sides = {"A": Counts([8, 8], [3, 8]), "B": Counts([8, 8], [5, 8])}
    assert measure_sides(sides, "G-Pass@k_0.5").chosen.ks.tolist() == [8]
    assert measure_sides(sides, "G-Pass@k_0.5", 4).chosen.ks.tolist() == [4]


def test_metrics_that_one_system_lacks_are_left_out():
    scored = Counts([4, 4, 4], None, ["a", "b", "c"], score_sum=[1.0, 2.5, 4.0])
    graded = replace(FOUR, score_sum=np.array([0.5, 1.5, 3.0]))
    both = measure_all({"A": graded, "B": replace(graded)}, None, None, "expected", {})
    mixed = measure_all({"A": graded, "B": scored}, None, None, "expected", {})
    names = [one.chosen.metric.name for one in both]
    assert "pass@k" in names and "soft@n" in names
    assert [one.chosen.metric.name for one in mixed] == ["soft@n"]


def test_no_model_is_refused():
    with pytest.raises(OptionError, match="models must name a model, got none"):
        measure_all({}, None, None, "expected", {})


# Curves and their rows.


@pytest.mark.parametrize("method, banded", [(None, True), ("gaffke", True), ("bayes", False)])
def test_which_intervals_have_a_band(method, banded):
    assert is_banded(method) is banded


def test_a_band_is_of_several_budgets_of_new_questions():
    many = Counts([4] * 30, [0, 1, 2, 3, 4] * 6)
    assert curve_of(many).banded
    assert not curve_of(many, k=2).banded
    assert not curve_of(many, "avg@n").banded
    assert not curve_of(many, style=Style(target="same_questions")).banded
    rows = curve_of(many).make_rows(0.95)
    assert [row.metric for row in rows] == ["pass@1", "pass@2", "pass@3", "pass@4"]
    # The band never is the narrower one.
    assert all(row.band.low <= row.low and row.band.high >= row.high for row in rows)
    assert all(row.band is None for row in curve_of(many, k=2).make_rows(0.95))


def test_samples_that_questions_are_short_of():
    assert curve_of(FOUR).short_of == 0
    assert curve_of(EIGHT, k=2).short_of == 2


def test_both_targets_beside_each_other():
    curve = curve_of(FOUR, style=Style(target="both"))
    assert curve.again is not None and curve_of(FOUR).again is None
    row = curve.make_rows(0.95)[0]
    assert row.interval.target == "new_questions" and row.again.target == "same_questions"


def test_facts_of_a_column_are_those_of_each_estimate():
    estimates = curve_of(Counts([4] * 5, [0, 1, 2, 3, 4])).estimates
    by_column = list(estimate_facts(estimates))
    one_by_one = list(estimate_facts(tuple(estimates)))
    assert len(by_column) == len(one_by_one) == 4
    for fast, plain in zip(by_column, one_by_one):
        shared = set(fast) & set(plain)
        assert {"estimate", "stderr", "k", "questions", "n_min"} <= shared
        assert {key: fast[key] for key in shared} == {key: plain[key] for key in shared}


def test_one_question_has_no_error_and_says_why():
    (facts,) = estimate_facts(curve_of(Counts([4], [1]), k=2).estimates)
    assert facts["stderr"] is None and facts["reason"]


def test_a_name_is_told_once_and_a_band_wins():
    many = Counts([4] * 30, [0, 1, 2, 3, 4] * 6)
    plain, banded = curve_of(many, k=2), curve_of(many)
    for curves in ([plain, banded], [banded, plain]):
        rows = rows_of_curves(curves)
        names = [row.metric for row in rows]
        assert sorted(names) == ["pass@1", "pass@2", "pass@3", "pass@4"]
        assert next(row for row in rows if row.metric == "pass@2").band is not None


def test_an_interval_that_does_not_apply_names_its_metric():
    shares = curve_of(Counts([4] * 5, [0, 1, 2, 3, 4]), k=2)
    with pytest.raises(ValueError, match="^pass@2: "):
        try_interval(shares, Style(interval="clopper-pearson"))


def test_two_values_of_one_name():
    one, other = curve_of(FOUR, k=2), curve_of(EIGHT, k=2)
    refuse_two_values([one, one])
    with pytest.raises(ValueError, match="two metrics are called 'pass@2'"):
        refuse_two_values([one, other])


# Many models, late.


def test_curves_are_made_when_they_are_looked_at():
    blocks = {("m", ""): FOUR, ("w", ""): EIGHT}
    late = LateCurves(blocks, [[choose(one)] for one in blocks.values()], Style())
    assert late.found == {} and not late.grouped
    assert [curve.model for curve in late.take([1])] == ["w"]
    assert list(late.found) == [1]
    assert len(late) == 2 and [curve.model for curve in late] == ["m", "w"]
    rows = LateRows(late)
    assert len(rows) == sum(len(curve.labels) for curve in late)
    assert rows[0].model == "m" and [row.model for row in rows[:2]] == ["m", "m"]


def test_groups_are_named_and_averaged_late_too():
    part = Counts([4, 4], [0, 1])
    blocks = {("", ""): FOUR, ("", "p"): part, ("", "q"): Counts([4], [3])}
    late = LateCurves(blocks, [[choose(one, k=1)] for one in blocks.values()], Style())
    assert late.grouped
    found = [(curve.group, float(curve.estimates[0].value)) for curve in late]
    assert [name for name, _ in found] == ["all questions", "p", "q", "mean of 2 groups"]
    assert found[-1][1] == pytest.approx((0.125 + 0.75) / 2)


# Means of groups.


def test_a_mean_of_groups_needs_the_metric_in_each():
    p, q = (Counts([4, 4], c) for c in ([0, 1], [3, 3]))
    pass1 = [curve_of(one, k=1, group=name) for name, one in (("p", p), ("q", q))]
    only_p = curve_of(p, "avg@n", group="p")
    assert [one.labels for one in average_groups([*pass1, only_p])] == [("pass@1",)]
    assert list(average_groups(pass1[:1])) == []
    (mean,) = average_groups(pass1)
    assert mean.group == "mean of 2 groups" and mean.of_groups == 2
    assert float(mean.estimates.value[0]) == pytest.approx((0.125 + 0.75) / 2)


@pytest.mark.parametrize(
    "clusters, shared",
    [
        ([["a", "b"], ["c"]], False),
        ([["a", "a"], ["b"]], False),
        ([["a", "b"], ["b"]], True),
        ([["a"], None], False),
        ([None, None], False),
    ],
)
def test_whether_groups_share_their_clusters(clusters, shared):
    found = [None if own is None else np.array(own) for own in clusters]
    assert share_clusters(found) is shared


# Levels, weights and groups that are rare.


def test_rows_have_intervals_at_95_percent_unless_another_level_is_named():
    curve = curve_of(FOUR, k=2)
    assert [row.interval.level for row in rows_of_curves([curve])] == [0.95]
    (narrow,) = rows_of_curves([curve], 0.8)
    assert narrow.interval.level == 0.8
    assert narrow.interval == curve.make_rows(0.8)[0].interval


def test_a_weighted_curve_has_no_band():
    many = Counts([4] * 30, [0, 1, 2, 3, 4] * 6)
    weights = check_weights(np.repeat([1.0, 2.0], 15))
    chosen = choose(many)
    assert not measure(chosen, many, Style(), "", "", weights).banded
    assert measure(chosen, many, Style(), "", "").banded
    own = choose(many, {"right@k": lambda k: np.arange(k + 1)}, [1, 2])
    assert not measure(own, many, Style(), "", "").banded


def test_groups_that_share_clusters_may_be_weighted_in_part():
    "Questions of one group weigh the same, and of the other one not."
    users = np.array(["u", "v", "w"])
    p, q = (replace(FOUR, c=np.array(c), cluster=users) for c in ([0, 1, 3], [4, 2, 3]))
    heavy = check_weights([3.0, 1.0, 1.0])
    chosen = choose(p, k=1)
    curves = [
        measure(chosen, one, Style(), "", name, weights)
        for one, name, weights in ((p, "p", None), (q, "q", heavy))
    ]
    (mean,) = average_groups(curves)
    assert float(mean.estimates.value[0]) == pytest.approx(
        ((0 + 1 + 3) / 12 + (3 * 4 + 2 + 3) / 20) / 2
    )
    (plain,) = average_groups(curves[:1] + [measure(chosen, q, Style(), "", "q")])
    assert float(plain.estimates.value[0]) == pytest.approx((4 / 12 + 9 / 12) / 2)


def test_a_mean_of_groups_says_what_is_known_of_its_samples():
    p = Counts([4, 3], [2, 1], missing=[0, 1])
    q = Counts([6, 5], [3, 5], missing=[2, 0])
    (mean,) = average_groups([curve_of(one, k=1, group=name) for one, name in ((p, "p"), (q, "q"))])
    (row,) = mean.make_rows(0.95)
    assert (row.n_min, row.n_max, row.missing, row.short_of) == (3, 6, 3, 2)
    assert (row.questions, row.group, row.of_groups) == (4, "mean of 2 groups", 2)
    assert row.estimate == pytest.approx(((1 / 2 + 1 / 3) / 2 + (1 / 2 + 1) / 2) / 2)


def test_a_metric_of_a_share_stands_at_the_largest_budget_asked_for():
    sides = {"A": FOUR, "B": EIGHT}
    names = ["G-Pass@k_0.5", "pass@k", "pass^2", "avg@n"]
    share, curve, stated, mean = measure_all(sides, names, [1, 3], "expected", {})
    assert share.chosen.ks.tolist() == [3] and curve.chosen.ks.tolist() == [1, 3]
    assert stated.chosen.labels == ("pass^2",) and mean.chosen.labels == ("avg@n",)
    assert [one.stated for one in (share, curve, stated, mean)] == [False, False, True, True]
    with pytest.raises(OptionError, match="k=5 needs 5 samples"):
        measure_all(sides, names, 5, "expected", {})
