"Borrowed runs: exact vectors, expectations over all draws, allocations, refusals."

import json
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, t

from sampling_eval import allocate_samples, borrowed_mean, draw_questions
from sampling_eval.foundations.credit import all_credit, any_credit
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference.borrowing import afford, leading_noise, share_rest, spread_samples
from sampling_eval.inference.gaffke import gaffke_interval

VECTORS = json.loads((Path(__file__).parent / "vectors" / "judges.json").read_text("utf-8"))
CASES = VECTORS["borrowed"]


def read_case(case):
    "Values, positions, earlier values, and the variance within."
    n, c = case["tries"], np.array(case["c"])
    within = c * (n - c) / (n * n * (n - 1)) if n > 1 else None
    return c / n, case["sampled"], [float(Fraction(o)) for o in case["old"]], within


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["estimate"]))
def test_estimates_and_both_variances_are_exact(case):
    values, sampled, earlier, within = read_case(case)
    found = borrowed_mean(values, sampled, earlier, within=within)
    assert found.value == pytest.approx(case["estimate"], abs=1e-13)
    assert found.variance_new_draws == pytest.approx(case["variance_new_draws"], abs=1e-13)
    assert found.differences.bounds == pytest.approx(case["bounds_of_z"])
    if within is None:
        assert found.variance_same_questions is case["variance_benchmark"] is None
    else:
        assert found.variance_same_questions == pytest.approx(case["variance_benchmark"])


@pytest.mark.parametrize(
    "case",
    [o for o in CASES if o["fitted_variance_approximate"] is not None],
    ids=lambda case: str(case["estimate"]),
)
def test_fitted_estimates_are_exact(case):
    values, sampled, earlier, within = read_case(case)
    found = borrowed_mean(values, sampled, earlier, slope=None, within=within)
    assert found.fitted and found.variance_same_questions is None
    assert found.slope == pytest.approx(case["fitted_lambda"], abs=1e-12)
    assert found.value == pytest.approx(case["fitted_estimate"], abs=1e-12)
    assert found.variance_new_draws == pytest.approx(case["fitted_variance_approximate"], abs=1e-12)


@pytest.mark.parametrize("slope", [0, 1, -0.5])
def test_mean_over_all_draws_is_the_mean_of_all_questions(slope):
    old, new = np.array([1, 0.5, 0, 0.25, 0.75]), np.array([0.9, 0.1, 0.3, 1, 0])
    parts = list(combinations(range(5), 3))
    found = [borrowed_mean(new[list(part)], part, old, slope=slope) for part in parts]
    assert np.mean([one.value for one in found]) == pytest.approx(new.mean())
    spread = np.var([one.value for one in found])
    exact = [
        borrowed_mean(new[list(part)], part, old, slope=slope, within=np.zeros(3)) for part in parts
    ]
    assert np.mean([one.variance_same_questions for one in exact]) == pytest.approx(spread)


def test_interval_is_that_of_the_shifted_differences():
    old, new, place = np.array([1, 1, 0.5, 0, 0.5]), np.array([1, 0.5, 0]), [0, 2, 3]
    ends = borrowed_mean(new, place, old).confidence_interval(0.9)
    other = gaffke_interval(new - old[place], 0.9, bounds=(-1, 1))
    assert (ends.low - old.mean(), ends.high - old.mean()) == pytest.approx(other)
    assert str(ends.method) == "gaffke on differences"


def test_intervals_by_name():
    rng = np.random.default_rng(0)
    old, place = rng.random(40), np.arange(12)
    new = np.clip(old[place] + rng.normal(0, 0.1, 12), 0, 1)
    fixed, fitted = (borrowed_mean(new, place, old, slope=o) for o in (1, None))
    assert str(fixed.confidence_interval(method="normal").method) == "normal (approximate)"
    assert str(fitted.confidence_interval().method) == "t, fitted slope (approximate)"
    with pytest.raises(ValueError, match="gaffke needs a slope that is fixed"):
        fitted.confidence_interval(method="gaffke")
    with pytest.raises(ValueError, match="method must be 'gaffke' or 'normal', got 't'"):
        fixed.confidence_interval(method="t")
    assert "fitted (approximate)" in repr(fitted) and "12 of 40 questions" in repr(fixed)
    flat = borrowed_mean([1, 0], [0, 3], [1, 1, 1, 0])
    assert flat.stderr is None and "no spread seen" in repr(flat)
    with pytest.raises(ValueError, match="the differences show no spread"):
        flat.confidence_interval(method="normal")


def test_a_sample_is_drawn_with_a_seed():
    place = draw_questions(1000, 50)
    assert len(set(place.tolist())) == 50 and (np.diff(place) > 0).all()
    assert (place == draw_questions(1000, 50, 0)).all()
    assert not np.array_equal(place, draw_questions(1000, 50, 1))
    times = np.zeros(6)
    for seed in range(2000):
        times[draw_questions(6, 2, seed)] += 1
    assert times.sum() == 4000 and np.ptp(times) < 160


@pytest.mark.parametrize("seed", range(6))
def test_allocation_is_the_best_of_all(seed):
    noise = np.random.default_rng(seed).exponential(size=3)
    for total in (6, 9, 13):
        found = spread_samples(noise, 2, total - 6)
        every = [np.array(n) for n in product(range(2, total), repeat=3) if sum(n) == total]
        assert found.sum() == total
        assert (noise / found).sum() == pytest.approx(min((noise / n).sum() for n in every))


def test_allocation_of_equal_and_of_no_noise():
    assert spread_samples(np.ones(4), 2, 7).tolist() == [4, 4, 4, 3]
    assert spread_samples(np.zeros(3), 1, 7).tolist() == [4, 3, 3]
    state = np.array([1, 0, 1, 1, 0])
    found = spread_samples(np.array([0.5, 2.0]), 2, 11, state)
    alone = spread_samples(np.array([2.0, 0.5, 2.0, 2.0, 0.5]), 2, 11)
    assert found.sum() == 21 and sorted(found) == sorted(alone)


@pytest.mark.parametrize("credit, k", [(any_credit, 1), (any_credit, 4), (all_credit, 3)])
def test_leading_noise_is_that_of_many_samples(credit, k):
    "n times the exact variance of a question's estimate, for n large."
    right, n = 7, 4000
    p = (right + 0.5) / 17
    c = np.arange(n + 1)
    logs = np.concatenate([[0], np.cumsum(np.log(np.arange(1, n + 1)))])
    law = np.exp(logs[n] - logs - logs[::-1] + c * np.log(p) + (n - c) * np.log1p(-p))
    value = mean_credit(c, n - c, np.array([k]), credit)[:, 0]
    exact = n * (law @ value**2 - (law @ value) ** 2)
    assert leading_noise(np.array([16]), np.array([right]), k, credit)[0] == pytest.approx(
        exact, rel=0.01
    )


@pytest.mark.parametrize("k", [1, 2, 5])
def test_leading_noise_of_pass_at_k_in_closed_form(k):
    "The slope of 1 - (1 - p)^k is k (1 - p)^(k - 1), with half a sample more of each kind."
    n, c = np.array([4, 4, 4, 9]), np.array([0, 1, 4, 7])
    p = (c + 0.5) / (n + 1)
    want = (k * (1 - p) ** (k - 1)) ** 2 * p * (1 - p)
    assert leading_noise(n, c, k, any_credit) == pytest.approx(want, rel=1e-12)


def test_of_many_questions_alike_the_first_get_one_more():
    found = spread_samples(np.tile([1.0, 2.0], 50), 2, 7)
    assert found.tolist() == [2, 3] * 7 + [2, 2] * 43


@pytest.mark.filterwarnings("error")
def test_questions_without_noise_get_what_is_asked_for():
    assert spread_samples(np.zeros(3), 2, 0).tolist() == [2, 2, 2]


def test_kinds_that_no_question_has_get_nothing():
    found = spread_samples(np.array([1.0, 6.0, 9.0]), 1, 3, np.array([0, 1, 0]))
    # The third sample of the second question is worth 1, the second of the others 1 / 2.
    assert found.tolist() == [2, 3, 1]


@pytest.mark.parametrize("noise, found", [(2.9, [2, 2]), (3.1, [1, 3])])
def test_one_sample_more_is_worth_noise_over_two_numbers_in_a_row(noise, found):
    "1 / (1 * 2) of the first question against noise / (2 * 3) of the second."
    one = np.ones(2, int)
    assert share_rest(np.array([1.0, noise]), np.array([1, 2]), 1, one, np.arange(2)).tolist() == (
        found
    )


def test_allocation_by_hand_and_by_questions():
    found = allocate_samples([8, 8, 8], [0, 4, 8], 1, 30)
    assert found.sum() == 30 and found[0] == found[2] < found[1]
    late = allocate_samples(8, [0, 1, 4, 8], 8, 400)
    assert late[0] > late[2] >= 16 and late[3] == 16
    assert allocate_samples(8, [0, 4], 2, 40, least=2).min() >= 2


@pytest.mark.parametrize("c", [[0, 4, 4], [1, 1, 1, 6], [3, 3, 4, 4]])
def test_no_other_allocation_is_better(c):
    "Of questions in the same state some get one sample more, and no other question does."
    noise = leading_noise(np.full(len(c), 8), np.array(c), 1, any_credit)
    for total in range(2 * len(c), 2 * len(c) + 12):
        most = total - 2 * len(c) + 2
        every = [one for one in product(range(2, most + 1), repeat=len(c)) if sum(one) == total]
        found = allocate_samples(8, c, 1, total)
        assert found.sum() == total and found.min() >= 2
        assert (noise / found).sum() == pytest.approx(min((noise / one).sum() for one in every))


# Boundaries.


@pytest.mark.parametrize("step, seen", [(1e-10, False), (3e-8, True)])
def test_spread_beside_the_range(step, seen):
    "In a range of two million differences of 1e-10 are rounding, of 3e-8 they are not."
    found = borrowed_mean([0, step], [0, 1], [0, 0, 1], bounds=(-1e6, 1e6))
    assert (found.stderr is not None) == seen


def test_variances_by_hand():
    new, old, place = np.array([0.9, 0.2, 0.6]), np.array([1, 0, 0.5, 0.5, 0.2]), [0, 1, 2]
    within = np.array([0.01, 0.02, 0.03])
    found = borrowed_mean(new, place, old, slope=0.5, within=within)
    z = new - 0.5 * old[place]
    assert found.variance_new_draws == pytest.approx(z.var(ddof=1) / 3)
    want = (1 - 3 / 5) * z.var(ddof=1) / 3 + within.mean() / 5
    assert found.variance_same_questions == pytest.approx(want)
    assert found.stderr == pytest.approx(want**0.5) and found.slope == 0.5
    unknown = borrowed_mean(new, place, old, within=[0.1, np.nan, 0.1])
    assert unknown.variance_same_questions is None
    assert unknown.stderr == pytest.approx(unknown.variance_new_draws**0.5)
    fitted = borrowed_mean(new, place, old, slope=None, within=within)
    rest = new - fitted.slope * old[place]
    assert fitted.variance_same_questions is None and fitted.fitted
    assert fitted.variance_new_draws == pytest.approx(rest.var(ddof=1) / 3 * 2 / 1)
    assert fitted.slope == pytest.approx(np.polyfit(old[place], new, 1)[0])


@pytest.mark.parametrize("slope", [1, -0.5, 0])
def test_what_a_question_of_any_earlier_value_might_show(slope):
    new, old, place = np.array([0.9, 0.2, 0.6]), np.array([1, 0.1, 0.5, 0.5, 0.2]), [0, 1, 2]
    found = borrowed_mean(new, place, old, slope=slope)
    reach = [slope * (old.mean() - one) for one in old]
    assert found.differences.bounds == pytest.approx((min(reach), 1 + max(reach)))
    assert found.value == pytest.approx((new - slope * old[place]).mean() + slope * old.mean())


def test_scores_beyond_one():
    "Scores of 0 to 10, all of them and of earlier ones beyond the usual range."
    new, old, place = np.array([9.0, 4.0, 7.0]), np.array([8.0, 3.0, 10.0, 5.0]), [0, 1, 2]
    found = borrowed_mean(new, place, old, bounds=(0, 10))
    assert found.value == pytest.approx((1 + 1 - 3) / 3 + 6.5)
    assert found.earlier == 6.5 and found.plain.value == pytest.approx(20 / 3)
    assert found.differences.bounds == pytest.approx((6.5 - 10, 10 + 6.5 - 3))


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_normal_and_t_intervals_by_hand(level):
    rng = np.random.default_rng(0)
    old, place = rng.random(40), np.arange(12)
    new = np.clip(old[place] + rng.normal(0, 0.1, 12), 0, 1)
    for slope, quantile in ((1, norm.isf((1 - level) / 2)), (None, t.isf((1 - level) / 2, 10))):
        found = borrowed_mean(new, place, old, slope=slope)
        ends = found.confidence_interval(level, "normal")
        half = quantile * found.stderr
        assert (ends.low, ends.high) == pytest.approx((found.value - half, found.value + half))
        assert ends.level == level
    assert found.confidence_interval() == found.confidence_interval(0.95, "normal")


@pytest.mark.parametrize("least", [1, 2, 5])
def test_samples_that_are_worth_a_price(least):
    noise, price = np.array([0.0, 0.5, 1.9, 2.0, 12.0, 12.1]), 1.0
    # The last of n samples is worth noise / (n (n - 1)).
    want = [max([n for n in range(2, 9) if o / (n * (n - 1)) >= price] + [least]) for o in noise]
    assert afford(noise, least, price).tolist() == [max(o, least) for o in want]


@pytest.mark.parametrize("rest", range(8))
def test_what_is_left_goes_where_it_is_worth_most(rest):
    noise, found, state = np.array([6.0, 1.0]), np.array([2, 1]), np.array([0, 1, 1, 0, 0])
    times = np.bincount(state)
    samples = share_rest(noise, found.copy(), rest, times, state)
    assert samples.sum() == found[state].sum() + rest
    if rest < 5:
        # 6 / (2 * 3) is worth more than 1 / (1 * 2).
        assert samples[state == 0].sum() == 6 + min(rest, 3)
    else:
        again = share_rest(noise, found + 1, rest - 5, times, state)
        assert samples.tolist() == again.tolist()


def test_budgets_beyond_the_earlier_samples_are_planned_for():
    found = allocate_samples(4, [0, 2, 4], 8, 60)
    assert found.sum() == 60 and found.min() >= 16
    assert allocate_samples(4, [2, 2], 1, 4).tolist() == [2, 2]
    assert allocate_samples(4, [2, 2], 2, 4, least=2).tolist() == [2, 2]


def test_half_a_question_is_drawn_and_all_are():
    assert draw_questions(5, 5).tolist() == [0, 1, 2, 3, 4]
    assert draw_questions(2, 2).tolist() == [0, 1]
    assert len(draw_questions(9, 2, np.random.default_rng(3))) == 2


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: borrowed_mean([1, 0], [0, 0], [1, 0]), "hold each question once, got 0 2 times"),
        (lambda: borrowed_mean([1, 0], [0, 2], [1, 0]), "positions among the 2 questions, got 2"),
        (lambda: borrowed_mean([1], [0], [1, 0]), "need at least 2 sampled questions, got 1"),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, 0], slope=None), "at least 3 sampled questions"),
        (lambda: borrowed_mean([1, 0, 1], [0, 1, 2], [1, 1, 1, 0], slope=None), "no slope can be"),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, np.nan]), "values must be finite"),
        (lambda: borrowed_mean([1, 0], [0, 1], [[1, 0]]), "earlier must hold one number"),
        (lambda: borrowed_mean([1, 2], [0, 1], [1, 0]), r"values must lie in \[0, 1\]"),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, 0], slope="one"), "slope must be a number"),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, 0], within=[-1, 0]), "variances of at least 0"),
        (
            lambda: borrowed_mean([1, 0], [0, 1], [1, 0], within=[0, -0.5]),
            "variances of at least 0, got -0.5",
        ),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, 0], bounds=None), "bounds must be two num"),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, 0], slope=np.inf), "slope must be a number"),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, 0], slope=True), "slope must be a number"),
        (lambda: borrowed_mean([1, 0], [0, 1], [1, 0], within=[0.1]), "one variance per value"),
        (
            lambda: borrowed_mean([1, 0], [0, 1], [1, 0], within=[0.1, np.inf]),
            "variances of at least 0, got inf",
        ),
        *(
            (lambda y=y, x=x: borrowed_mean(y, range(len(y)), x, slope=None), "slope can be fitted")
            for y, x in (
                ([0, 0.5, 1], [0.1, 0.1, 0.1, 0.5]),
                ([0, 0.5, 1], [0, 1e-200, 0, 1]),
                (np.linspace(0, 1, 6), [0.7] * 6 + [0.1]),
            )
        ),
        (lambda: draw_questions(4, 5), "sampled must lie between 2 and 4, .* got 5"),
        (lambda: allocate_samples(8, [4, 4], 1, 3), "total must give 2 questions 2 .* 4 in all"),
        (lambda: draw_questions(4, 1), "sampled must lie between 2 and 4"),
        (lambda: draw_questions(3 * 10**9, 2), "need questions <= 100000000, got 3000000000"),
        (lambda: allocate_samples(8, 4, 1, 1), "total must give 1 questions 2 samples each"),
        (lambda: allocate_samples(8, 4, [1, 2], 9), "k must be one budget"),
        (lambda: allocate_samples(8, 4, 4, 90, least=3), "least must be at least k=4, got 3"),
        (lambda: allocate_samples(8, 9, 1, 90), "need 0 <= c <= n"),
    ],
)
def test_bad_input_never_gives_a_number(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()
