"Published shares at their boundaries: counts that are rounded to them, sizes, and what is refused."

from fractions import Fraction

import pytest
from scipy.stats import binomtest

from sampling_eval import audit
from sampling_eval.analyses.engine.published import (
    Share,
    check_fit,
    check_size,
    limit_range,
    read_share,
    round_questions,
    share_samples,
    spread_differences,
)
from sampling_eval.inference import two_proportions
from sampling_eval.inference.two_proportions import independent_difference


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


# One number with its counts, and two.


@pytest.mark.parametrize(
    "given, questions, samples, fits, tried, ends, near",
    [
        ("26/30", None, None, (1,), 0, (26, 26), ()),
        ("101/120", 30, None, (4,), 0, (101, 101), ()),
        ("0.50", 20, None, tuple(range(1, 65)), 64, (10, 10), ()),
        ("0.5", 20, 1, (1,), 0, (9, 11), ()),
        # One sample each gives no such share: the nearest are 25 and 26 of 30.
        ("0.843", 30, None, None, 64, (177, 177), (25, 26)),
        ("0.843", 30, 10, (10,), 0, (253, 253), ()),
        ("0.99", 30, 2, None, 0, None, ()),
    ],
)
def test_a_number_with_the_counts_that_it_can_stand_for(
    given, questions, samples, fits, tried, ends, near
):
    if ends is None:
        with pytest.raises(ValueError, match="no count of 30 questions with 2 samples each is"):
            audit(given, questions=questions, samples=samples)
        return
    (one,) = audit(given, questions=questions, samples=samples).rows
    assert (one.right_least, one.right_most) == ends and one.tried == tried
    assert one.near == near and (fits is None or one.fits == fits)
    half = Fraction(0) if "/" in given else Fraction(1, 2 * 10 ** len(given.split(".")[1]))
    assert one.least == pytest.approx(float(Fraction(given) - half))
    assert one.most == pytest.approx(float(Fraction(given) + half))
    for interval, right, total in (
        (one.apart, ends, one.total),
        (one.interval, (ends[0] // one.samples, -(-ends[1] // one.samples)), one.questions),
    ):
        low, high = (binomtest(c, total).proportion_ci() for c in right)
        assert (interval.low, interval.high) == pytest.approx((low.low, high.high), rel=1e-9)


@pytest.mark.parametrize("given, least, most", [("0.0", 0, 0.05), ("1.0", 0.95, 1)])
def test_a_share_stays_between_none_and_all(given, least, most):
    (one,) = audit(given, questions=10, samples=1).rows
    assert (one.least, one.most) == pytest.approx((least, most))
    assert 0 <= one.right_least <= one.right_most <= 10


@pytest.mark.parametrize(
    "a, b, more",
    [
        ("0.50", "0.70", dict(questions=20, samples=1)),
        ("0.5", "0.5", dict(questions=20, samples=1)),
        ("0.5", "0.7", dict(questions=15, samples=1)),
        ("0.5", "1.0", dict(questions=15, samples=1)),
        ("26/30", "29/30", {}),
        ("26/30", "21/25", {}),
        ("0.50", "0.80", dict(questions=15, samples=2)),
        ("0.50", "0.60", dict(questions=10, samples=4)),
    ],
)
def test_a_difference_is_that_of_all_counts_that_fit(a, b, more):
    found = audit(a, b, **more)
    one, other = found.rows
    gap = found.difference
    assert gap.value == pytest.approx(other.value - one.value)
    each = one.samples
    ranges = [
        [range(row.right_least, row.right_most + 1), range(row.right_least // each,
                                                           -(-row.right_most // each) + 1)]
        for row in (one, other)
    ]
    told = []
    sizes = [(one.total, other.total), (one.questions, other.questions)]
    for i, totals in enumerate(sizes[: each]):
        pairs = [
            independent_difference(c, totals[0], d, totals[1])
            for c in ranges[0][i] for d in ranges[1][i]
        ]
        low, high = min(p.interval.low for p in pairs), max(p.interval.high for p in pairs)
        told.append((low, high, max(p.p for p in pairs), any(
            p.interval.low > 0 or p.interval.high < 0 for p in pairs)))
    apart, alike = told if each > 1 else told * 2
    assert (gap.apart.low, gap.apart.high, gap.p_apart) == pytest.approx(apart[:3], rel=1e-9)
    assert (gap.low, gap.high, gap.p) == pytest.approx(alike[:3], rel=1e-9)
    sure = alike[0] > 0 or alike[1] < 0
    assert gap.verdict == (
        "significant" if sure else "unknown" if apart[3] else "not significant"
    )
    assert gap.exact
    if each > 1 or one.questions != other.questions:
        assert gap.least_paired is None
        return
    moved = [abs(d - c) for c in ranges[0][0] for d in ranges[1][0]]
    assert gap.least_paired == pytest.approx(min(1, 2 * 0.5 ** max(moved)))


@pytest.mark.parametrize("samples, exact", [(1, True), (2, False)])
def test_tails_of_many_samples_are_not_summed(samples, exact, monkeypatch):
    "Forty questions of two systems are few here, their 160 samples are many."
    monkeypatch.setattr(two_proportions, "MOST_SUMMED_EXACTLY", 100)
    found = audit("0.50", "0.60", questions=40, samples=samples).difference
    assert found.exact is exact


@pytest.mark.parametrize(
    "a, b, sizes",
    [
        ((2, 6), (5, 9), (13, 17)),
        ((10, 13), (11, 16), (20, 23)),
        ((0, 2), (6, 7), (7, 12)),
        ((4, 8), (4, 8), (12, 11)),
    ],
)
def test_the_largest_p_of_samples_of_other_sizes(a, b, sizes):
    "By listing every pair of counts."
    pairs = [(one, two) for one in range(a[0], a[1] + 1) for two in range(b[0], b[1] + 1)]
    p = [independent_difference(one, sizes[0], two, sizes[1]).p for one, two in pairs]
    assert spread_differences(a, b, *sizes, 0.95).p == pytest.approx(max(p), rel=1e-9)
