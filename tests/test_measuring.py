"Values of the questions, and from them estimates."
import numpy as np
import pytest

from sampling_eval.foundations.answers import tally
from sampling_eval.foundations.counts import Counts
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.weights import check_weights, weighted_mean
from sampling_eval.verbs.metric_choice import choose_metrics
from sampling_eval.verbs.measuring import estimate_metric, find_noise, measure_sides

COUNTS = Counts([4, 4, 6, 4], [1, 2, 6, 0], missing=[0, 1, 0, 2])
VOTED = Counts([2, 2], [1, 2], votes=tally([0, 0, 1, 1], list("abxx"), [1, 0, 1, 1]))


def estimate(counts, name, target="new_questions", weights=None, k=None):
    chosen = choose_metrics(counts, name, k)[0][0]
    return estimate_metric(chosen, counts, chosen.metric.at_states(counts, chosen.ks), target, weights)


def test_the_mean_over_new_questions():
    found = estimate(COUNTS, "pass@k", k=[1, 2])
    values = np.array([[.25, .5], [.5, 5 / 6], [1, 1], [0, 0]])
    for i, one in enumerate(found):
        want = mean_over_questions(values[:, i])
        assert (one.value, one.stderr) == pytest.approx((want.value, want.stderr)) and one.k == i + 1
        assert (one.n_min, one.n_max, one.missing, one.questions, one.stderr_kind) == (4, 6, 3, 4, "over questions")
        assert one.estimator == "unbiased, mean over k-subsets (Chen et al. 2021)"
    assert estimate(COUNTS, "avg@n")[0].k is None


def test_groups_hold_for_new_questions_only():
    grouped = Counts(COUNTS.n, COUNTS.c, cluster=["u", "u", "v", "w"])
    assert estimate(grouped, "pass@1")[0].stderr_kind == "over 3 clusters"
    want = mean_over_questions([.25, .5, 1, 0], cluster=["u", "u", "v", "w"]).stderr
    assert estimate(grouped, "pass@1")[0].stderr == pytest.approx(want)
    again = estimate(grouped, "pass@1", "same_questions")[0]
    assert again.stderr == pytest.approx(estimate(COUNTS, "pass@1", "same_questions")[0].stderr)
    assert "cluster" not in again.stderr_kind


def test_these_questions_again_by_hand():
    found = estimate(COUNTS, "pass@1", "same_questions")[0]
    noise = [3 / 12 / 4, 4 / 12 / 4, 0, 0]
    assert found.stderr == pytest.approx(sum(noise)**.5 / 4) and found.k == 1 and found.missing == 3
    assert found.n_max == 6
    one = estimate(Counts([1, 1], [1, 0]), "pass@1", "same_questions")[0]
    assert "upper bound" in one.stderr_kind and one.stderr == pytest.approx(mean_over_questions([1, 0]).stderr)
    assert "upper bound" not in estimate(Counts([1, 1], [1, 0]), "pass@1")[0].stderr_kind


def test_weights_in_either_target():
    weights = check_weights([1, 2, 4, 1])
    values = [.25, .5, 1, 0]
    want = weighted_mean(values, [1, 2, 4, 1])
    found = estimate(COUNTS, "pass@1", weights=weights)[0]
    assert (found.value, found.stderr) == pytest.approx((want.value, want.stderr)) and found.k == 1
    again = estimate(COUNTS, "pass@1", "same_questions", weights)[0]
    assert again.value == pytest.approx(want.value) and again.k == 1 and again.missing == 3
    assert again.stderr == pytest.approx((1 / 16 * 3 / 48 + 4 / 16 * 4 / 48)**.5 / 2)


def test_noise_where_it_is_known():
    pass2 = choose_metrics(COUNTS, "pass@2")[0][0]
    assert find_noise(pass2, Counts([1, 1], [0, 1])) is None
    assert callable(find_noise(pass2, COUNTS)) and find_noise(pass2, COUNTS)().variance.shape == (4, 1)
    scored = Counts([2, 2], None, score_sum=[.5, 1.])
    assert find_noise(choose_metrics(scored, "soft@n")[0][0], scored) is None
    majority = choose_metrics(VOTED, "maj@k", [1, 2])[0][0]
    noise = find_noise(majority, VOTED)
    assert noise.step.tolist() == [[.5, 1], [.5, 1]] and noise.variance.shape == (2, 2)
    assert find_noise(choose_metrics(VOTED, "maj@2")[0][0], VOTED) is None
    assert find_noise(majority, Counts([1], [1], votes=tally([0], ["a"], [1]))) is None


def test_budgets_of_two_systems():
    old, new = Counts([4, 8], [1, 2]), Counts([8, 6], [1, 2])
    def labels(metrics, k=None, **sides): return measure_sides(sides or dict(A=old, B=new), metrics, k).chosen.labels
    assert labels("pass@k") == tuple(f"pass@{k}" for k in range(1, 5)) and labels("pass@3") == ("pass@3",)
    assert labels("pass@k", [2, 4]) == ("pass@2", "pass@4") and labels("mg-pass@k") == ("mg-pass@4",)
    assert labels("mg-pass@k", [2, 3]) == ("mg-pass@2", "mg-pass@3") and labels("mg-pass@2") == ("mg-pass@2",)
    assert labels("avg@n") == ("avg@n",) and labels("avg@n", A=old, B=Counts([4, 4], [1, 1])) == ("avg@n",)
    assert labels("avg@n", A=Counts([4], [1]), B=Counts([4], [2])) == ("avg@4",)
    with pytest.raises(ValueError, match="k=5 needs 5 samples, got n=4 at question 0"): labels("pass@5")
    named = dict(A=Counts([4, 8], [1, 2], ["x", "y"]), B=Counts([8, 6], [1, 2], ["x", "y"]))
    with pytest.raises(ValueError, match=r"k=8 needs 8 samples, got n=4 at question 'x' \(2 of 2 fail\)"):
        labels("pass@k", 8, **named)


def test_names_that_state_one_number():
    stated = {name: measure_sides(dict(A=COUNTS), name).stated for name in ("pass@2", "avg@n", "pass@k")}
    assert stated == {"pass@2": True, "avg@n": True, "pass@k": False}
    found = measure_sides(dict(A=COUNTS, B=Counts([2] * 4, [1] * 4)), "pass@2")
    assert len(found.values) == len(found.sides) == 2 and found.weights is None
    assert found.values[1].of_questions()[:, 0] == pytest.approx([1] * 4)
    with pytest.raises(ValueError, match="^'pass@2' states its budget, got k=2 as well$"):
        measure_sides(dict(A=COUNTS), "pass@2", 2)
    with pytest.raises(ValueError, match="^'avg@n' has no budget, got k=2$"): measure_sides(dict(A=COUNTS), "avg@n", 2)
    with pytest.raises(ValueError, match="^maj@2 cannot be computed: none read$"):
        measure_sides(dict(A=COUNTS), "maj@2", lacks=dict(votes="none read"))
    values = {ties: measure_sides(dict(A=VOTED), "maj@2", ties=ties).values[0].of_questions().ravel().tolist()
              for ties in ("expected", "wrong")}
    assert values == dict(expected=[.5, 1], wrong=[0, 1])
    assert measure_sides(dict(A=VOTED), "maj@2").values[0].of_questions()[0, 0] == .5
