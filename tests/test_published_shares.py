"Published shares at their boundaries: counts that are rounded to them, sizes, and what is refused."

from fractions import Fraction

import pytest
from scipy.stats import binomtest

from sampling_eval.analyses.engine.published import (
    Share,
    check_fit,
    check_size,
    limit_range,
    read_share,
    round_questions,
    share_samples,
)


def share(value, digits=3, questions=30, samples=None):
    half = Fraction(1, 2 * 10**digits)
    return Share("number", str(value), Fraction(str(value)), half, questions, samples)


@pytest.mark.parametrize("questions", [1, 7, 20, 30])
@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("digits", [1, 2])
def test_counts_that_are_rounded_to_a_share(questions, samples, digits):
    total = questions * samples
    for step in range(10**digits + 1):
        one = Share("x", "", Fraction(step, 10**digits), Fraction(1, 2 * 10**digits), questions, 1)
        # Half of the last digit may be rounded up or down.
        near = [c for c in range(total + 1) if abs(Fraction(c, total) - one.value) <= one.half]
        low, high = one.range_right(samples)
        assert list(range(low, high + 1)) == near and one.fits(samples) is bool(near)


@pytest.mark.parametrize(
    "value, near", [("0.843", (25, 26)), ("0", (0, 1)), ("1", (29, 30)), ("0.5", (15, 16))]
)
def test_counts_on_both_sides_of_a_share(value, near):
    assert share(value).find_near(1) == near


def test_samples_that_fit():
    assert share("0.843").list_fits()[:5] == (7, 10, 14, 17, 18)
    assert share("0.843", samples=7).list_fits() == (7,)
    assert share("0.843", samples=1).list_fits() == ()
    assert share_samples([share("0.843"), share("0.867")]) == 7
    assert share_samples([share("0.843", samples=10)]) == 10
    with pytest.raises(ValueError, match="with as many samples per question"):
        share_samples([share("0.843", samples=7), share("0.867", samples=1)])


@pytest.mark.parametrize(
    "low, high, samples, questions",
    [(8, 8, 4, (2, 2)), (7, 8, 4, (1, 2)), (8, 9, 4, (2, 3)), (0, 0, 4, (0, 0)), (5, 6, 1, (5, 6))],
)
def test_questions_that_hold_a_range(low, high, samples, questions):
    assert round_questions(low, high, samples) == questions


def test_the_interval_of_a_range():
    found = limit_range(25, 26, 30, 0.9)
    low, high = (binomtest(c, 30).proportion_ci(0.9) for c in (25, 26))
    assert (found.low, found.high) == pytest.approx((low.low, high.high), rel=1e-9)


@pytest.mark.parametrize(
    "given, questions, samples, value, half, size, each",
    [
        ("26/30", None, None, Fraction(26, 30), 0, 30, 1),
        ("101/120", 30, None, Fraction(101, 120), 0, 30, 4),
        ("101/120", None, 4, Fraction(101, 120), 0, 30, 4),
        ("0.84", 100, None, Fraction(21, 25), Fraction(1, 200), 100, None),
        (" 84.0 % ", 100, 2, Fraction(21, 25), Fraction(1, 2000), 100, 2),
        ("84%", 100, None, Fraction(21, 25), Fraction(1, 200), 100, None),
        (".5", 10, 1, Fraction(1, 2), Fraction(1, 20), 10, 1),
        (0.5, 10, 1, Fraction(1, 2), Fraction(1, 20), 10, 1),
        ("1", 10, 1, 1, Fraction(1, 2), 10, 1),
        ("100%", 10, 1, 1, Fraction(1, 200), 10, 1),
        ("0", 10, 1, 0, Fraction(1, 2), 10, 1),
    ],
)
def test_shares_as_they_are_written(given, questions, samples, value, half, size, each):
    found = read_share("number", given, questions, samples)
    assert (found.value, found.half) == (value, half)
    assert (found.questions, found.samples) == (size, each)


@pytest.mark.parametrize(
    "given, questions, samples, said",
    [
        ("84.3", 30, None, "in percent it is 84.3%"),
        ("100", 30, None, "in percent it is 100%"),
        ("100.1", 30, None, "a share lies between 0 and 1, or 0% and 100%, got '100.1'"),
        ("101%", 30, None, "a share lies between 0 and 1, or 0% and 100%, got '101%'"),
        ("-0.1", 30, None, "a share lies between 0 and 1"),
        ("0.8", None, None, "how many questions are behind 0.8?"),
        ("0.8.1", 30, None, "a published number is a share such as 0.843"),
        (True, 30, None, "or a float, got bool"),
        (None, 30, None, "or a float, got NoneType"),
        ("101/120", 31, None, "which questions must divide evenly"),
        ("101/120", None, 7, "which samples must divide evenly"),
        ("101/120", 30, 3, "which questions and samples must divide evenly"),
        ("0.5001", 3, 1, "nearest are 1/3 = 0.3333 and 2/3 = 0.6667; is it a share of these 3"),
        ("0.843", 30, 1, "it fits samples=7, 10, 14, 17 or 18"),
        ("0.50001", 3, None, "no count of 3 questions with 1 to 64 samples each is rounded"),
    ],
)
def test_what_is_no_share(given, questions, samples, said):
    with pytest.raises((ValueError, TypeError)) as error:
        read_share("number", given, questions, samples)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "given, size",
    [(None, None), (1, 1), (3.0, 3), (10**9, 10**9), (10**9 + 1, ""), (0, ""), (2.5, ""),
     (True, ""), ("3", ""), (-1, "")],
)
def test_numbers_of_questions(given, size):
    if size != "":
        assert check_size("questions", given) == size
        return
    with pytest.raises(ValueError, match="must be a whole number from 1 to 1,000,000,000"):
        check_size("questions", given)


def test_a_share_that_fits_is_given_back():
    one = share("0.867", samples=1)
    assert check_fit(one) is one
