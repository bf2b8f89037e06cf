"Values of the questions, and from them estimates."
import pytest

from sampling_eval.foundations.answers import tally
from sampling_eval.foundations.counts import Counts
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.weights import check_weights, weighted_mean
from sampling_eval.verbs.metric_choice import choose_metrics
from sampling_eval.verbs.measuring import estimate_metric, find_noise

COUNTS = Counts([4, 4, 6, 4], [1, 2, 6, 0], missing=[0, 1, 0, 2])
VOTED = Counts([2, 2], [1, 2], votes=tally([0, 0, 1, 1], list("abxx"), [1, 0, 1, 1]))


def estimate(counts, name, target="new_questions", weights=None, k=None):
    chosen = choose_metrics(counts, name, k)[0][0]
    return estimate_metric(chosen, counts, chosen.metric.at_states(counts, chosen.ks), target, weights)


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
