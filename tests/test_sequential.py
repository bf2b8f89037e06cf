"""Drawing until a success: unbiased by an independent listing, bounds of what is refused, and how
such counts look."""

from fractions import Fraction
from itertools import product
from math import comb, log

import numpy as np
import pytest

from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.sequential import (
    ConfidenceSequence,
    betting_wealth,
    confidence_sequence,
    difference_evidence,
    pass_at_k_until_success,
    stopped_at_success,
    vote_evidence,
)
from sampling_eval.metrics.passk import pass_at_k


def ends(tries, successes):
    "Every way a question can end, with the number of orders that lead there."
    stops = [(n, successes, comb(n - 1, successes - 1)) for n in range(successes, tries + 1)]
    return stops + [(tries, c, comb(tries, c)) for c in range(min(successes, tries + 1))]


def mean(values, p, tries, successes):
    "Exact mean over the ways a question can end."
    law = [ways * p**c * (1 - p) ** (n - c) for n, c, ways in ends(tries, successes)]
    assert sum(law) == 1
    return sum(w * v for w, v in zip(law, values))


def test_the_share_of_right_samples_is_biased():
    share = [Fraction(c, n) for n, c, _ in ends(5, 1)]
    assert mean(share, Fraction(3, 10), 5, 1) == Fraction(494131, 1000000)
    assert all(
        mean(share, p, 5, 1) > p for p in (Fraction(1, 100), Fraction(1, 2), Fraction(99, 100))
    )


@pytest.mark.parametrize("successes", [1, 2, 3, 5])
def test_unbiased_for_every_rule(successes):
    for tries in range(1, 13):
        n, c, _ = np.array(ends(tries, successes)).T
        values = pass_at_k_until_success(
            n, c, np.arange(1, tries + 1), successes=successes, tries=tries
        )
        for p in Fraction(1, 50), Fraction(3, 10), Fraction(9, 10):
            for k, column in enumerate(values.T, 1):
                miss = mean([Fraction(v) for v in column.tolist()], p, tries, successes) - (
                    1 - (1 - p) ** k
                )
                assert abs(miss) < 1e-14, (successes, tries, k, p)


@pytest.mark.parametrize("tries", [1, 2, 3])
def test_nothing_else_of_few_values_is_unbiased(tries):
    "Of all estimates with values -1, 0, 1/2, 1 only one has the mean of pass@j, for each j."
    chances = [Fraction(1, 4), Fraction(1, 3), Fraction(2, 3), Fraction(4, 5)]
    n, c, _ = np.array(ends(tries, 1)).T
    for j in range(1, tries + 1):
        found = [
            g
            for g in product([-1, 0, Fraction(1, 2), 1], repeat=tries + 1)
            if all(mean(g, p, tries, 1) == 1 - (1 - p) ** j for p in chances)
        ]
        assert found == [tuple(pass_at_k_until_success(n, c, j, tries=tries))]


def test_known_forms():
    n = np.arange(2, 60)
    np.testing.assert_allclose(pass_at_k_until_success(n, 2, 1, successes=2), 1 / (n - 1), rtol=0)
    np.testing.assert_array_equal(pass_at_k_until_success(n, 1, [1, 7]), np.c_[n <= 1, n <= 7])
    assert pass_at_k_until_success(1, 1, 5) == 1 and isinstance(
        pass_at_k_until_success(3, 1, 2), np.float64
    )
    np.testing.assert_allclose(
        pass_at_k_until_success(40, 6, [1, 4, 9], successes=6),
        pass_at_k(39, 5, [1, 4, 9]),
        rtol=1e-14,
    )
    np.testing.assert_allclose(
        pass_at_k_until_success(40, 4, [1, 4, 9], successes=6, tries=40),
        pass_at_k(40, 4, [1, 4, 9]),
        rtol=1e-14,
    )
    many = pass_at_k_until_success(100_000, 3, [1, 1000, 99_999], successes=3)
    assert many[0] == 2 / 99_999 and (np.diff(many) > 0).all() and many[-1] == 1
    table = pass_at_k_until_success([[2, 5], [5, 1]], [[1, 1], [0, 1]], [1, 2, 5], tries=5)
    assert (
        table.shape == (2, 2, 3)
        and table[0, 0].tolist() == [0, 1, 1]
        and table[1, 0].tolist() == [0, 0, 0]
    )


def test_the_mean_has_a_plain_interval():
    rng = np.random.default_rng(3)
    first = rng.geometric(rng.beta(0.6, 0.6, 300))
    values = pass_at_k_until_success(np.minimum(first, 5), (first <= 5) * 1, [1, 3], tries=5)
    np.testing.assert_array_equal(values, np.c_[first <= 1, first <= 3])
    ends = mean_over_questions(values[:, 0]).confidence_interval(method="clopper-pearson")
    assert ends.low < values[:, 0].mean() < ends.high


@pytest.mark.parametrize(
    "counts, options, error, text",
    [
        (
            ([2, 5], [1, 0], 1),
            {},
            ValueError,
            (
                r"need c == 1 where nothing else ends the drawing, got n=5, c=0 at question 1 \(1"
                r" of 2 fail\); pass tries=5"
            ),
        ),
        (
            ([2, 5], [1, 3], 1),
            dict(tries=5),
            ValueError,
            "need c <= 1 where drawing stops there, got n=5, c=3 at question 1",
        ),
        (
            ([2, 3], [1, 0], 1),
            dict(tries=5),
            ValueError,
            "need c == 1 or n == tries=5, got n=3, c=0 at question 1",
        ),
        (([2, 6], [1, 1], 1), dict(tries=5), ValueError, "need n <= tries=5, got n=6"),
        (([2, 5], [1, 0], 8), dict(tries=5), ValueError, "need k <= tries, got k=8, tries=5"),
        (([2, 5], [1, 1], 1), dict(successes=0), ValueError, "need successes >= 1, got 0"),
        (
            ([2, 5], [1, 1], 1),
            dict(successes=True),
            TypeError,
            "successes must be an int, got True",
        ),
        (([2, 5], [1, 1], 1), dict(tries=5.0), TypeError, "tries must hold integers, got 5.0"),
        (([2, 5], [1, 1], 1), dict(tries=[5]), TypeError, "tries must be an int"),
        (([2, 5], [1, 6], 1), {}, ValueError, "need 0 <= c <= n"),
        (([2, 5], [1, 1], 0), {}, ValueError, "need k >= 1"),
    ],
)
def test_refusals(counts, options, error, text):
    with pytest.raises(error, match=text):
        pass_at_k_until_success(*counts, **options)


@pytest.mark.parametrize(
    "n, c, found",
    [
        ([1, 3, 5, 5], [1, 1, 0, 1], True),
        ([1, 2, 3], [1, 1, 1], True),
        ([1, 5], [1, 0], True),
        ([5, 5, 5], [1, 0, 1], False),  # nothing was stopped early
        ([1, 3, 5], [1, 0, 0], False),
        ([1, 3, 5], [1, 1, 2], False),
        ([4, 4, 3], [2, 0, 1], False),
        ([5], [1], False),
    ],
)
def test_recognition(n, c, found):
    assert stopped_at_success(n, c) is found


def test_recognition_of_drawn_counts():
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 0.6, 100)
    first = rng.geometric(p)
    assert stopped_at_success(np.minimum(first, 8), (first <= 8) * 1)
    n = rng.integers(4, 9, 100)
    assert not stopped_at_success(n, rng.binomial(n, p))


# Confidence sequences.


def bet_plainly(values, mean, level, bounds):
    "Logarithms of the wealth of both bettors, question by question."
    low, high = bounds
    m, up, down, seen, rows = (mean - low) / (high - low), 0.0, 0.0, [], []
    total, squares = 0.5, 0.25
    for t, value in enumerate(values, 1):
        x = (value - low) / (high - low)
        variance = squares / t
        stake = (2 * log(2 / (1 - level)) / (variance * t * log(1 + t))) ** 0.5
        up += log(1 + min(stake, 0.5 / m if m > 0 else float("inf")) * (x - m))
        down += log(1 - min(stake, 0.5 / (1 - m) if m < 1 else float("inf")) * (x - m))
        rows.append((up, down))
        total += x
        squares += (x - total / (t + 1)) ** 2
    return np.array(rows)


@pytest.mark.parametrize("bounds, level", [((-1, 1), 0.95), ((0, 1), 0.8), ((-3, 2), 0.99)])
def test_wealth_question_by_question(bounds, level):
    rng = np.random.default_rng(0)
    values = rng.uniform(*bounds, 25).round(2)
    for mean in np.linspace(*bounds, 7)[1:-1]:
        want = np.exp(bet_plainly(values, mean, level, bounds)).sum(1) / 2
        np.testing.assert_allclose(
            betting_wealth(values, mean, bounds=bounds, confidence_level=level), want, rtol=1e-10
        )
    both = betting_wealth(
        np.stack([values, values[::-1]]), 0.5, bounds=bounds, confidence_level=level
    )
    np.testing.assert_allclose(
        both[1],
        betting_wealth(values[::-1], 0.5, bounds=bounds, confidence_level=level),
        rtol=1e-12,
    )
    assert both.shape == (2, 25)
    for end in np.array(bounds, float):
        assert np.isfinite(betting_wealth(values, end, bounds=bounds)).all()
    np.testing.assert_array_equal(
        betting_wealth([0.5, -0.25], 0.1),
        betting_wealth([0.5, -0.25], 0.1, bounds=(-1, 1), confidence_level=0.95),
    )


@pytest.mark.parametrize(
    "bounds, level, steps", [((-1, 1), 0.95, 40), ((0, 1), 0.8, 25), ((-3, 2), 0.9, 50)]
)
def test_ends_are_the_claims_next_to_those_refuted(bounds, level, steps):
    """A claim is refuted from above or below once one bettor has two over alpha; the last one
    refuted is the end."""
    rng, rich = np.random.default_rng(1), log(2 / (1 - level))
    values = bounds[0] + (bounds[1] - bounds[0]) * rng.beta(5, 2, 30)
    found = confidence_sequence(values, confidence_level=level, bounds=bounds, steps=steps)
    claims = np.linspace(*bounds, steps + 1)
    inner = [bet_plainly(values, claim, level, bounds) for claim in claims]
    up, down = (np.maximum.accumulate([rows[:, i] for rows in inner], 1) >= rich for i in (0, 1))
    for t in range(30):
        low = claims[max(up[:, t].sum() - 1, 0)]
        high = claims[steps - max(down[:, t].sum() - 1, 0)]
        assert (found.low[t], found.high[t]) == (pytest.approx(low), pytest.approx(high))
    np.testing.assert_allclose(found.mean, values.cumsum() / np.arange(1, 31), rtol=1e-12)
    assert found.low[-1] > bounds[0] and found.confidence_level == level and len(found) == 30


def test_many_claims_in_blocks():
    """More values than fit in one block with all claims: the ends are those of a few values at a
    time."""
    x = np.tile([0.5, -0.25, 0.75, 0.0], 400)
    # Nothing is divided by zero at the ends of the range.
    with np.errstate(all="raise", under="ignore"):
        long = confidence_sequence(x)
    short = confidence_sequence(x[:700])
    np.testing.assert_array_equal(long.low[:700], short.low)
    np.testing.assert_array_equal(long.high[:700], short.high)
    assert long.low[-1] > 0.15 and long.high[-1] < 0.35 and (np.diff(long.low) >= 0).all()
    assert (np.diff(long.high) <= 0).all()
    assert np.allclose(long.low * 1000, np.round(long.low * 1000))


def sequence_of(low, high):
    return ConfidenceSequence(np.linspace(0.1, 0.2, len(low)), np.array(low), np.array(high), 0.9)


@pytest.mark.parametrize(
    "low, high, decided, said",
    [
        ([-1.0, 0.1, 0.2], [1.0, 0.9, 0.8], 2, "zero excluded after 2)"),
        ([-1.0, -0.5, -0.4], [-0.1, -0.2, -0.3], 1, "zero excluded after 1)"),
        ([-1.0, 0.0, 0.0], [1.0, 0.5, 0.0], None, "zero not excluded)"),
    ],
    ids=["above", "below", "at zero"],
)
def test_when_zero_was_excluded(low, high, decided, said):
    found = sequence_of(low, high)
    assert found.decided == decided and repr(found).endswith(said) and len(found) == 3
    assert repr(found).startswith("ConfidenceSequence(3 questions, mean +0.2000, [")


@pytest.mark.parametrize("k", [3, [1, 3], [3, 1]], ids=str)
def test_budgets_beyond_the_tries(k):
    with pytest.raises(ValueError, match="need k <= tries, got k=3, tries=2"):
        pass_at_k_until_success([2, 1], [0, 1], k, tries=2)


def test_one_interval_of_a_sequence():
    found = sequence_of([-1.0, -0.5, 0.25, 0.4], [1.0, 0.5, 0.25, 0.3])
    for t in 1, 2, 3:
        ends = found.interval(t)
        assert (ends.low, ends.high) == (found.low[t - 1], found.high[t - 1])
        assert (ends.level, str(ends.method)) == (0.9, "betting confidence sequence")
    for questions in None, 4:
        with pytest.raises(
            ValueError, match=r"no mean fits the first 4 questions; are they in random order\?"
        ):
            found.interval(questions)
    for questions in 0, 5:
        with pytest.raises(ValueError, match=f"need 1 <= questions <= 4, got {questions}"):
            found.interval(questions)
    point = sequence_of([-1.0, 0.3], [1.0, 0.3])
    assert (point.interval().low, point.interval().high) == (
        0.3,
        0.3,
    ) and "no mean fits" not in repr(point)
    assert "mean +0.2000, no mean fits, zero" in repr(sequence_of([-1.0, 0.4], [1.0, 0.3]))
    again = sequence_of([-1.0, -0.5], [1.0, 0.5])
    assert again.interval().low == -0.5 and repr(again.interval()) in repr(again)


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: confidence_sequence([]), r"at least one difference, got shape \(0,\)"),
        (lambda: confidence_sequence(0.5), r"got shape \(\)"),
        (lambda: confidence_sequence([[0.5, 0.1]]), r"one number per question, got shape \(1, 2\)"),
        (lambda: confidence_sequence([0, np.nan]), "got nan at question 1"),
        (
            lambda: confidence_sequence([0, 2.1], bounds=(0, 2)),
            r"values must lie in \[0, 2\], got 2.1 at question 1 \(1 of 2 fail\)",
        ),
        (lambda: confidence_sequence([0, -1 - 3e-9]), "values must lie"),
        (lambda: confidence_sequence([0, 1 + 3e-9]), "values must lie"),
        (
            lambda: confidence_sequence([0], confidence_level=1),
            "need 0 < confidence_level < 1, got 1",
        ),
        (lambda: confidence_sequence([0], confidence_level=0), "got 0"),
        (lambda: betting_wealth([0], 1.1), r"mean must lie in \[-1, 1\], got 1.1"),
        (lambda: betting_wealth([0], -0.1, bounds=(0, 1)), r"mean must lie in \[0, 1\]"),
    ],
)
def test_what_is_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize(
    "bounds",
    [(1, -1), (0, 0), (0, np.inf), (-np.inf, 0), (np.nan, 1), (0,), (-1, 0, 1), 5],
    ids=str,
)
def test_ranges_refused(bounds):
    for call in confidence_sequence, lambda x, bounds: betting_wealth(x, 0.5, bounds=bounds):
        with pytest.raises(ValueError, match="bounds must be two rising numbers, got"):
            call([0.5, 0.25], bounds=bounds)


def test_rows_without_differences():
    with pytest.raises(ValueError, match=r"at least one difference, got shape \(2, 0\)"):
        betting_wealth(np.zeros((2, 0)), 0.5)


def test_rounding_beyond_the_bounds():
    for end in 1 + 1e-9, -1 - 1e-9:
        assert len(confidence_sequence([0, end])) == 2


def test_levels_and_claims_where_none_are_named():
    x = np.tile([0.75, -0.5, 0.25, 0.5], 12)
    named = [betting_wealth(x, 0.1, confidence_level=level) for level in (0.95, 0.9)]
    assert (betting_wealth(x, 0.1) == named[0]).all() and named[0][-1] != named[1][-1]
    told, sure = confidence_sequence(x), confidence_sequence(x, confidence_level=0.95)
    assert told.confidence_level == 0.95 and (told.low == sure.low).all()
    with pytest.raises(ValueError, match="steps"):
        confidence_sequence([0.5], steps=10**7 + 1)


def test_evidence_against_no_gain_at_all():
    "One win of 1 multiplies a stake by 1.1 to 1.9, one loss by .9 to .1; the mean is 1.5 and .5."
    assert difference_evidence([1.0]) == pytest.approx([1.5])
    assert difference_evidence([-1.0]) == pytest.approx([0.5])
    assert difference_evidence([0.0, 0.0], 0.0).tolist() == [1, 1]


@pytest.mark.parametrize("margin", [-1, 1, 1.5, np.nan])
def test_margins_that_nothing_can_pass(margin):
    with pytest.raises(ValueError, match="need -1 < margin < 1, got"):
        difference_evidence([0.5], margin)


def test_evidence_beyond_floats():
    with np.errstate(all="raise"):
        assert difference_evidence(np.ones(4000))[-1] == np.inf
        assert 0 <= difference_evidence(-np.ones(9000))[-1] < 1e-300


def test_votes_beyond_floats():
    "Against none for the other side evidence is 2^(a + 1) / (a + 1)."
    assert vote_evidence(1030, 0) == pytest.approx(2 * (2.0**1020 / 1031) * 2**10)
    assert [vote_evidence(votes, 0) for votes in (1036, 1040, 5000)] == [np.inf] * 3


# Until a success, at the boundaries.


@pytest.mark.parametrize("most", [1800, 10**6], ids=["few", "many"])
@pytest.mark.parametrize("c, right", [(3, 2), (1, 0)])
def test_budgets_of_any_size_by_listing(c, right, most):
    "Of 1999 samples before the last success some were right: a draw of k misses them all."
    k = [1, 2, 1500, 1798, most]
    if most > 1999:
        k = [1, 2, 1500, 1997, 1998, 1999, 2000, most]
    want = [float(1 - Fraction(comb(1999 - right, j), comb(1999, j))) for j in k if j <= 1999]
    want += [1.0] * sum(j > 1999 for j in k)
    found = pass_at_k_until_success([2000], [c], k, successes=c)
    np.testing.assert_allclose(found, [want], rtol=1e-9)


@pytest.mark.parametrize(
    "n, c, k, options, want",
    [
        ([5, 5], [1, 0], 5, dict(tries=5), [1, 0]),
        ([1, 2], [1, 1], [1, 2], dict(tries=2), [[1, 1], [0, 1]]),
        ([4], [2], [1, 2], dict(successes=2), [[1 / 3, 2 / 3]]),
        ([6, 6], [1, 2], 3, dict(successes=2, tries=6), [1 / 2, 1 - comb(4, 3) / comb(5, 3)]),
        ([7], [3], [9], dict(successes=3), [[1]]),
        ([3], [3], [1], dict(successes=3), [[1]]),
        ([2], [2], [1, 2], dict(successes=2, tries=3), [[1, 1]]),
    ],
)
def test_until_a_success_by_hand(n, c, k, options, want):
    with np.errstate(divide="raise", invalid="raise"):
        found = pass_at_k_until_success(n, c, k, **options)
    np.testing.assert_allclose(found, want, rtol=1e-14)


@pytest.mark.parametrize(
    "counts, options, text",
    [
        (
            ([2, 5], [1, 2], 1),
            dict(tries=5),
            (
                "need c <= 1 where drawing stops there, got n=5, c=2 at question 1 .1 of 2 fail.; a"
                " fixed number of samples is for pass_at_k"
            ),
        ),
        (
            ([5, 6], [1, 0], 1),
            dict(tries=6, successes=2),
            r"need c == 2 or n == tries=6, got n=5, c=1 at question 0 .1 of 2 fail.$",
        ),
        (
            ([5, 7], [1, 1], 1),
            dict(tries=6),
            r"need n <= tries=6, got n=7, c=1 at question 1 .1 of 2 fail.$",
        ),
        (([5], [1], 7), dict(tries=6), "need k <= tries, got k=7, tries=6"),
        (([5], [1], 1), dict(tries=0), "need tries >= 1, got 0"),
        (
            ([4, 9], [1, 2], 1),
            dict(successes=2),
            "got n=4, c=1 at question 0 .1 of 2 fail.; pass tries=9 if that was the limit",
        ),
    ],
)
def test_how_drawing_must_have_ended(counts, options, text):
    with pytest.raises(ValueError, match=text):
        pass_at_k_until_success(*counts, **options)
    for value in (np.bool_(True), [1]):
        with pytest.raises(TypeError, match="tries must be an int, got"):
            pass_at_k_until_success([5], [1], 1, tries=value)


@pytest.mark.parametrize("end", [-1.0, 1.0, -1, 1])
def test_a_mean_at_the_end_of_the_range_has_a_wealth(end):
    assert np.isfinite(betting_wealth([0.5, -0.25], end)).all()
