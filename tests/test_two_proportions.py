"The difference of two independent shares, part by part: against brute force and binomial sums."

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from sampling_eval.inference.two_proportions import (
    CountPair,
    cross,
    independent_difference,
    largest_tail,
    least_paired_p,
    lower_limit,
    MOST_SUMMED_EXACTLY,
    restrict_shares,
    score_limit,
    score_statistic,
)

PAIRS = [(3, 10, 7, 12), (0, 5, 5, 5), (9, 9, 2, 8), (4, 8, 4, 8), (1, 30, 3, 4)]


def likely_share(a, count_a, b, count_b, difference):
    "The first share that makes both counts most likely, by a search."
    low, high = max(0.0, -difference), min(1.0, 1 - difference)

    def cost(share):
        other = min(max(share + difference, 0), 1)
        return -stats.binom.logpmf(a, count_a, share) - stats.binom.logpmf(b, count_b, other)

    found = minimize_scalar(cost, bounds=(low, high), method="bounded", options=dict(xatol=1e-11))
    return found.x


@pytest.mark.parametrize("difference", [-0.9, -0.2, 0.0, 0.13, 0.7])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_most_likely_pair_of_shares(pair, difference):
    a, count_a, b, count_b = pair
    share, variance = restrict_shares(np.array(a), count_a, np.array(b), count_b, difference)
    assert share == pytest.approx(likely_share(*pair, difference), abs=1e-5)
    other = share + difference
    want = share * (1 - share) / count_a + other * (1 - other) / count_b
    assert variance == pytest.approx(want, abs=1e-12)


def test_scores_are_gaps_in_standard_errors():
    "At a difference of 0 both have the joint share."
    share = 10 / 22
    want = (7 / 12 - 3 / 10) / (share * (1 - share) * (1 / 10 + 1 / 12)) ** 0.5
    assert score_statistic(3, 10, 7, 12, 0.0) == pytest.approx(want)
    table = score_statistic([3, 4], 10, [[7], [8]], 12, 0.1)
    assert table.shape == (2, 2)
    _, variance = restrict_shares(np.array(4), 10, np.array(8), 12, 0.1)
    assert table[1, 1] == pytest.approx((8 / 12 - 4 / 10 - 0.1) / variance**0.5)


@pytest.mark.parametrize(
    "counts, difference, score",
    [
        ((4, 8, 4, 8), 0.0, 0),
        ((0, 8, 0, 8), 0.0, 0),
        ((8, 8, 8, 8), 0.0, 0),
        ((0, 5, 5, 5), 1.0, 0),
        ((5, 5, 5, 5), -1.0, np.inf),
        ((0, 5, 0, 5), 1.0, -np.inf),
    ],
)
def test_scores_where_nothing_varies(counts, difference, score):
    assert score_statistic(*counts, difference) == score


@pytest.mark.parametrize("difference", [-0.3, 0.0, 0.25])
@pytest.mark.parametrize("seen", [-9.0, -0.4, 0.0, 1.3, 99.0])
def test_the_border_by_trying_every_count(seen, difference):
    pair = CountPair(3, 7, 6, 9)
    found = pair.find_border(seen, difference)
    for a in range(8):
        far = [b for b in range(10) if pair.score(a, b, difference) >= seen]
        assert found[a] == (min(far) if far else 10)


@pytest.mark.parametrize("difference", [-0.3, 0.0, 0.25])
def test_tails_by_binomial_sums(difference):
    pair = CountPair(3, 7, 6, 9)
    shares = np.linspace(max(0, -difference), min(1, 1 - difference), 5)
    least = np.array([0, 1, 3, 5, 9, 10, 10, 10])
    found = pair.sum_tails(shares, difference, least)
    for share, tail in zip(shares, found):
        first = stats.binom.pmf(np.arange(8), 7, share)
        assert tail == pytest.approx(first @ stats.binom.sf(least - 1, 9, share + difference))


@pytest.mark.parametrize("border", [0.1, 0.5, 0.73])
def test_where_a_condition_begins_to_hold(border):
    found = cross(lambda d: d >= border, 0.0, 1.0)
    assert border - 1e-6 <= found < border


def test_values_of_a_pair():
    assert CountPair(3, 10, 6, 8).value == pytest.approx(0.45)
    half = MOST_SUMMED_EXACTLY // 2
    assert CountPair(1, half, 1, half).exact and not CountPair(1, half, 1, half + 1).exact


@pytest.mark.parametrize("difference", [-0.2, 0.0, 0.1])
@pytest.mark.parametrize("pair", [(3, 10, 8, 12), (0, 6, 6, 6), (2, 5, 2, 5)], ids=str)
def test_the_largest_tail_on_a_fine_grid(pair, difference):
    one = CountPair(*pair)
    score = one.score(pair[0], pair[2], difference)
    a, b = np.arange(one.count_a + 1), np.arange(one.count_b + 1)
    far = one.score(a[:, None], b, difference) >= score - 1e-9
    tails = [
        stats.binom.pmf(a, one.count_a, share)
        @ far
        @ stats.binom.pmf(b, one.count_b, min(max(share + difference, 0), 1))
        for share in np.linspace(max(0, -difference), min(1, 1 - difference), 4001)
    ]
    assert largest_tail(one, difference) == pytest.approx(max(tails), abs=2e-6)
    assert largest_tail(one, difference) <= 1


def test_the_tail_of_many_samples_is_normal():
    pair = CountPair(900, 2000, 990, 2000)
    score = float(pair.score(900, 990, 0.01))
    assert largest_tail(pair, 0.01) == pytest.approx(stats.norm.sf(score), rel=1e-12)


@pytest.mark.parametrize("tail", [0.3, 0.025, 1e-4])
def test_limits_by_the_score(tail):
    pair = CountPair(40, 100, 60, 90)
    limit = score_limit(pair, tail)
    assert pair.score(40, 60, limit) >= stats.norm.isf(tail) > pair.score(40, 60, limit + 2e-6)
    assert score_limit(CountPair(3, 3, 0, 3), tail) == -1


@pytest.mark.parametrize("tail", [0.2, 0.025])
@pytest.mark.parametrize(
    "pair", [(3, 10, 8, 12), (8, 10, 3, 12), (0, 6, 6, 6), (2, 5, 2, 5)], ids=str
)
def test_exact_limits_are_the_least_difference_kept(pair, tail):
    one = CountPair(*pair)
    limit, p = lower_limit(one, tail)
    assert limit < one.value
    if limit > -1:
        assert largest_tail(one, limit) <= tail * (1 + 1e-4)
        assert largest_tail(one, limit + 2e-6) > tail
    if one.value > 0:
        # The largest chance over all differences of at most 0, of which 0 is the nearest.
        assert p >= largest_tail(one, 0.0) - 1e-12 and p < 1
    else:
        assert p == 1


@pytest.mark.parametrize("pair", [(5, 5, 0, 5), (1, 1, 0, 1)], ids=str)
def test_data_that_refute_nothing(pair):
    assert lower_limit(CountPair(*pair), 0.025) == (-1, 1)


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize("pair", [(3, 10, 8, 12), (4, 8, 4, 8), (900, 2000, 990, 2000)], ids=str)
def test_sides_change_places(pair, level):
    found = independent_difference(*pair, level)
    turned = independent_difference(*pair[2:], *pair[:2], level)
    assert found.value == -turned.value == pair[2] / pair[3] - pair[0] / pair[1]
    ends = found.interval
    assert (ends.low, ends.high) == (-turned.interval.high, -turned.interval.low)
    assert found.p == turned.p and ends.level == level and found.exact == (pair[1] < 99)
    assert str(ends.method) == ("exact" if found.exact else "score")
    assert ends.low < found.value < ends.high
    assert (found.p < 1 - level) == (ends.low > 0 or ends.high < 0)
    if pair[0] * pair[3] == pair[1] * pair[2]:
        assert found.p == 1


def test_a_difference_is_of_95_percent():
    found = independent_difference(3, 10, 8, 12)
    assert found == independent_difference(3, 10, 8, 12, 0.95)
    one = CountPair(3, 10, 8, 12)
    assert found.interval.low == lower_limit(one, 0.025)[0]
    assert found.p == pytest.approx(2 * lower_limit(one, 0.025)[1])


@pytest.mark.parametrize("a, b, p", [(3, 3, 1), (3, 4, 1), (2, 4, 0.5), (9, 4, 0.0625)])
def test_the_least_p_value_of_a_pairing(a, b, p):
    assert least_paired_p(a, b) == p
