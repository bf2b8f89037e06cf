"A comparison at its boundaries: stated ranges, single answers, moved units, tests by name."

from dataclasses import replace

import numpy as np
import pytest

from sampling_eval.foundations.credit import any_credit, share_credit
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.fixed_questions import Noise
from sampling_eval.inference.pairs import pair_states, Tables
from sampling_eval.inference.paired_comparison import (
    are_single,
    check_stated,
    Comparison,
    compare_budgets,
    moved_units,
    name_inverted,
    TESTS,
)
from sampling_eval.inference.units import check_weights

FIVE = np.full(5, 10)
A = np.array([[0.2, 0.1], [0.5, 0.9], [0.4, 0.4], [1.0, 0.0], [0.0, 0.3]])
B = np.array([[0.4, 0.2], [0.5, 0.8], [0.1, 0.5], [1.0, 0.6], [0.1, 0.4]])
TENS = np.array([[2, 5, 4, 10, 0], [4, 5, 1, 10, 1]])


@pytest.mark.parametrize("stated", [(-1, 1), (-0.3, 0.6), (-0.5, 0.6000000000001)], ids=str)
def test_ranges_that_hold_every_difference(stated):
    found = compare_budgets(A, B, stated=stated)
    assert found.stated == stated and found.estimates.units.bounds == stated
    assert found.again.units.bounds == found.span == (-1, 1)
    assert found[0].stated == stated and found[0].span == (-1, 1)
    plain = compare_budgets(A, B)
    assert plain.stated is None and plain.estimates.units.bounds == (-1, 1)
    assert found.intervals(method="gaffke")[1].low >= plain.intervals(method="gaffke")[1].low


@pytest.mark.parametrize(
    "stated, got",
    [
        ((-1.5, 1), "(-1.5, 1)"),
        ((-1, 1.5), "(-1, 1.5)"),
        ((0, 1), "(0, 1)"),
        ((-1, 0), "(-1, 0)"),
        ((0.1, 1), "(0.1, 1)"),
    ],
    ids=str,
)
def test_ranges_refused(stated, got):
    with pytest.raises(ValueError) as refused:
        compare_budgets(A, B, stated=stated)
    assert str(refused.value) == (
        f"bounds of differences must hold 0 inside and lie within [-1, 1], got {got}"
    )


@pytest.mark.parametrize(
    "stated, said",
    [
        ((-0.2, 0.7), "got -0.3 at question 2 (1 of 5 outside)"),
        ((-0.5, 0.55), "got +0.6 at question 3 (1 of 5 outside)"),
        ((-0.05, 0.05), "got +0.2 at question 0 (5 of 5 outside)"),
    ],
    ids=str,
)
def test_differences_outside_a_stated_range(stated, said):
    with pytest.raises(ValueError, match="no question may differ by more than bounds=") as refused:
        compare_budgets(A, B, stated=stated)
    assert said in str(refused.value)
    with pytest.raises(ValueError, match="at question 'q"):
        compare_budgets(A, B, stated=stated, names=[f"q{i}" for i in range(5)])


def test_a_stated_range_where_none_is_known():
    found = compare_budgets(9 * A, 9 * B, bounds=None)
    assert found.span is None and check_stated((-6.0, 6.0), found) == (-6.0, 6.0)


# Single answers, and what a sample of the side with fewer is worth.


@pytest.mark.parametrize(
    "sides, samples, bounds, single",
    [
        (([0, 1], [1, 1]), (1, 1), (0, 1), True),
        (([0, 1], [1, 0.5]), (1, 1), (0, 1), False),
        (([0, 1], [1, 1]), (1, [1, 2]), (0, 1), False),
        (([0, 1], [1, 1]), (2, 1), (0, 1), False),
        (([-1, 3], [3, 3]), (1, 1), (-1, 3), True),
        (([0, 1], [1, 1]), (1, 1), None, True),
        (([0, 5], [1, 1]), (1, 1), None, False),
    ],
)
def test_single_answers(sides, samples, bounds, single):
    assert bool(are_single([np.array(o) for o in sides], samples, bounds)) == single


def test_single_answers_at_each_budget():
    a, b = np.array([[0, 0.5], [1, 1]]), np.array([[1, 1], [0, 0]])
    assert are_single((a, b), (1, 1), (0, 1)).tolist() == [True, False]
    found = compare_budgets(a, b)
    assert [one.single for one in found] == [True, False]
    assert not compare_budgets(a, b, cluster=["x", "y"])[0].single
    assert compare_budgets(a, b, single=False)[0].single is False


@pytest.mark.parametrize(
    "n_a, n_b, k, moves",
    [
        (4, 4, 1, [True, True, True, False]),
        (4, 64, 1, [False, True, True, False]),
        (64, 4, 1, [False, True, True, False]),
        (4, 64, 2, [False, False, True, False]),
        (1, 64, 8, [False, False, True, False]),
    ],
)
def test_less_than_half_a_sample_is_no_move(n_a, n_b, k, moves):
    "Of four samples half of one is worth 1/8 at k = 1, and 1/4 at k = 2."
    a, b = np.zeros((4, 1)), np.array([[0.12], [0.125], [0.5], [0.0]])
    pairs = pair_states(a, b, np.arange(4), np.arange(4))
    samples = np.full(4, n_a), np.full(4, n_b)
    found = moved_units(pairs, samples, np.array([k]), (-1, 1))
    assert (found.total[:, 0] != 0).tolist() == moves and found.bounds is None
    for unknown in (None, (-1, 1)), (samples, None):
        plain = moved_units(pairs, unknown[0], np.array([k]), unknown[1])
        assert plain.total[:, 0].tolist() == b[:, 0].tolist()


# Tests by name.


def counted():
    n = np.full(6, 4)
    c_a, c_b = np.array([0, 1, 2, 3, 4, 2]), np.array([2, 3, 2, 4, 3, 4])
    tables = Tables(n, c_a, n, c_b, np.array([1, 1]), share_credit)
    values = [np.repeat(c[:, None] / 4, 2, 1) for c in (c_a, c_b)]
    return compare_budgets(*values, tables=tables, k=np.array([1, 1]))


@pytest.mark.parametrize("method", [*TESTS.keys() - {"mcnemar", "mcnemar-mid"}, None])
def test_tests_at_all_budgets_are_those_of_each(method):
    found = counted()
    given = dict(draws=99, rng=3)
    together = found.tests(method, **given)
    assert [p.value for p in together] == [one.test(method, **given).value for one in found]
    again = found.tests(method, target="same_questions", **given)
    assert [p.value for p in again] == [
        one.test(method, target="same_questions", **given).value for one in found
    ]


def test_a_test_that_is_none():
    one = counted()[0]
    for call in (one.test, counted().tests):
        with pytest.raises(ValueError, match="method must be 'mcnemar', .* got 'z'"):
            call("z")
        with pytest.raises(ValueError, match="target must be .* got 'all'"):
            call("t", target="all")


def test_an_interval_without_a_p_value():
    found = mean_over_questions([1, 0, 1])
    with pytest.raises(ValueError) as refused:
        name_inverted(found, "wilson", "new_questions", None)
    others = "'gaffke' or 'gamma' or 'anchored-t' or 't' or 'bootstrap'"
    assert str(refused.value) == f"wilson has no p value; use {others}"


def test_what_is_not_told_from_one_is_one():
    even = paired_difference([0.2, 0.4], [0.4, 0.2])
    assert even.p.value == 1 and even.difference == 0
    assert name_inverted(even.estimate, "gaffke", "new_questions", None).value == 1


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_questions_that_moved_most(count):
    found = paired_difference([0.2, 0.5, 0.4, 1.0], [0.4, 0.5, 0.1, 0.7], names=list("wxyz"))
    moved = found.moved(count)
    assert [move.question for move in moved] == list("yzw")[:count]
    assert all(move.difference == move.b - move.a for move in moved)
    assert [m.question for m in paired_difference([0, 0.5], [0.1, 0.9]).moved()] == [1, 0]
    many = paired_difference(np.zeros(8), np.linspace(0.1, 0.8, 8))
    assert len(many.moved()) == 5


def test_wins_losses_and_ties():
    found = compare_budgets(A, B)
    assert found.wins.tolist() == [2, 4] and found.losses.tolist() == [1, 1]
    assert found.ties.tolist() == [2, 0]
    for i, one in enumerate(found):
        assert isinstance(one, Comparison)
        assert (one.wins, one.losses, one.ties) == (found.wins[i], found.losses[i], found.ties[i])
        assert one.a.tolist() == A[:, i].tolist() and one.b.tolist() == B[:, i].tolist()
    assert len(found) == 2 and repr(found) == "Comparisons(2 budgets, 5 questions)"
    assert found[-1].difference == found[1].difference
    with pytest.raises(IndexError):
        found[2]


@pytest.mark.parametrize("sign", [1, -1])
def test_the_chance_to_be_better_is_the_tail_of_the_p_value(sign):
    a, b = (np.zeros(6), np.array([0.8, 0.9, 0.3, 0.7, 1.0, 0.6]))[::sign]
    found = paired_difference(a, b)
    half = found.without_assumptions.value / 2
    assert found.chance == (1 - half if found.difference > 0 else half)
    assert (found.chance > 0.5) == (found.difference > 0) and 0 < half < 0.5
    assert paired_difference(a, b, bounds=None).chance is None


# One pair of columns is one budget: every option goes through.


@pytest.mark.parametrize(
    "options, field",
    [
        (dict(stated=(-0.5, 0.7)), "stated"),
        (dict(single=True), "single"),
        (dict(least_effective=2.0), "least_effective"),
        (dict(names=list("vwxyz")), "names"),
        (dict(samples=(np.full(5, 2), np.full(5, 3))), "samples"),
        (dict(rng=7), "rng"),
        (dict(bounds=(-1, 2)), "span"),
        (dict(cluster=list("aabbc")), "stderr"),
        (dict(weights=check_weights([1, 2, 3, 1, 1])), "difference"),
        (dict(noise=Noise(np.full(5, 0.02), np.full(5, 0.5))), "stderr_again"),
        (dict(tables=Tables(FIVE, TENS[0], FIVE, TENS[1], 1, share_credit)), "samples"),
    ],
    ids=lambda o: next(iter(o)) if isinstance(o, dict) else o,
)
def test_options_of_one_pair_of_columns(options, field):
    def read(one):
        return one.again.stderr if field == "stderr_again" else getattr(one, field)

    a, b = A[:, 0], B[:, 0]
    found = read(paired_difference(a, b, **options))
    want = read(compare_budgets(a[:, None], b[:, None], **options)[0])
    plain = read(paired_difference(a, b))
    assert np.array_equal(found, want) and not np.array_equal(found, plain)


@pytest.mark.parametrize("scale", [1e6, 1.0, 1e-6])
def test_a_stated_range_is_kept_up_to_rounding_on_every_scale(scale):
    a, b = np.zeros((2, 1)), scale * np.array([[0.1 + 0.2], [-0.1]])
    ends = (-0.1 * scale, 0.3 * scale)
    assert compare_budgets(a, b, bounds=None, stated=ends).stated == ends
    with pytest.raises(ValueError, match="no question may differ by more"):
        compare_budgets(a, 1.000001 * b, bounds=None, stated=ends)


# What decides, at one budget and at many.


def check_alike(found, wanted):
    "The same intervals, whose ends may differ in their last digits."
    assert len(found) == len(wanted)
    for one, want in zip(found, wanted):
        assert (one.low, one.high) == pytest.approx((want.low, want.high), rel=1e-9)
        assert replace(one, low=0, high=0) == replace(want, low=0, high=0)


def fine_grained(**options):
    "Thirty questions whose differences are less than half of a single sample."
    b = 0.5 + np.linspace(-0.3, 0.4, 30)
    return compare_budgets(np.full((30, 1), 0.5), b[:, None], **options)


@pytest.mark.parametrize(
    "options, decides",
    [
        ({}, "t"),
        (dict(samples=(64, 64)), "t"),
        (dict(samples=(1, 1)), "t"),
        (dict(samples=(64, 1)), "gaffke"),
        (dict(samples=(2, 64)), "t"),
        (dict(samples=(2, 64), k=[2]), "gaffke"),
        (dict(least_effective=12.0), "t"),
        (dict(least_effective=25.0), "gaffke"),
        (dict(least_effective=25.0, bounds=None), "t"),
        (dict(single=True), "gaffke"),
    ],
    ids=str,
)
def test_what_decides_on_new_questions(options, decides):
    found = fine_grained(**options)
    one = found[0]
    assert found.deciding_methods() == (one.deciding_method(),) == (decides,)
    assert found.evidence == [one.evidence] and one.evidence.units == 30
    for given in {}, dict(confidence_level=0.8):
        named = one.estimate.confidence_interval(method=decides, **given)
        check_alike(found.intervals(**given) + [one.confidence_interval(**given)], [named] * 2)
    assert found.p == (one.p,) and one.p.method.startswith(decides)
    unmoved = options.get("samples") in ((64, 1), (2, 64)) and decides == "gaffke"
    assert (one.evidence.different < 10) == unmoved


def test_budgets_where_another_interval_decides():
    "At the second one the differences are of two questions alone."
    b = np.c_[np.linspace(0.3, 0.9, 30), np.r_[0.9, 0.1, np.full(28, 0.5)], np.linspace(0, 1, 30)]
    found = compare_budgets(np.full((30, 3), 0.5), b)
    assert found.deciding_methods() == ("t", "gaffke", "t")
    for given in {}, dict(rng=3):
        ends = found.intervals(0.9, **given)
        check_alike(ends, [one.confidence_interval(0.9, **given) for one in found])
    assert [str(one.method) for one in ends] == ["t (approximate)", "gaffke", "t (approximate)"]
    again = found.intervals(target="same_questions")
    check_alike(again, [one.confidence_interval(target="same_questions") for one in found])
    assert {one.target for one in again} == {"same_questions"}


@pytest.mark.parametrize("rng", [5, 6])
def test_the_seed_of_an_interval(rng):
    found = fine_grained()
    one, many = found[0], found.intervals(method="bootstrap", rng=rng)
    drawn = one.confidence_interval(method="bootstrap", rng=rng)
    named = one.estimate.confidence_interval(method="bootstrap", rng=rng)
    check_alike([drawn, many[0]], [named, named])
    assert drawn.method.seed == rng and drawn.low != one.confidence_interval(method="bootstrap").low


def test_deals_at_each_budget_have_their_draws_and_their_seed():
    n, k = np.full(15, 4), np.array([2, 3])
    c_a = np.array([4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
    c_b = np.array([4, 4, 1, 4, 3, 3, 4, 3, 4, 1, 4, 4, 2, 4, 3])
    values = [mean_credit(c, n - c, k, any_credit) for c in (c_a, c_b)]
    found = compare_budgets(*values, k=k, tables=Tables(n, c_a, n, c_b, k, any_credit))
    given = dict(draws=199, rng=5)
    alone = [one.test("permutation", **given) for one in found]
    other = [one.test("permutation", draws=199, rng=6) for one in found]
    assert [p.value for p in alone] != [p.value for p in other]
    assert [p.value for p in found.tests("permutation", **given)] == [p.value for p in alone]
    for p, own, one in zip(found.tests("cautious", **given), alone, found):
        assert p == one.test("cautious", **given)
        assert p.value == max(own.value, one.test("interval").value)
        assert "199 draws, the larger p value" in p.method


def test_the_cautious_test_without_deals():
    "Where nothing can be dealt it is the interval alone."
    noise = Noise(np.full(5, 0.01), np.full(5, 0.25))
    told = paired_difference(A[:, 0], B[:, 0], noise=noise)
    assert told.test("cautious") == told.test("interval")
    assert "gamma" in told.test("cautious").method
    n, c = np.full(5, 4), np.array([1, 2, 2, 4, 0])
    tables = Tables(n, c, n, c[::-1], 1, share_credit)
    weights = check_weights([3, 1, 1, 1, 2])
    weighed = paired_difference(c / 4, c[::-1] / 4, tables=tables, weights=weights)
    assert weighed.test("cautious") == weighed.test("interval")
    plain = paired_difference(c / 4, c[::-1] / 4, tables=tables)
    assert "the larger p value" in plain.test("cautious").method


def test_signs_of_a_single_budget():
    found = compare_budgets(A[:, :1], B[:, :1])
    assert found.tests("sign-flip") == (found[0].test("sign-flip"),)
    unequal = compare_budgets(A[:, :1], B[:, :1], samples=(4, 5))
    with pytest.raises(ValueError, match="sign-flip needs the same number of samples"):
        unequal.tests("sign-flip")


def test_what_decides_on_the_same_questions():
    "The default of fixed questions where their noise is known, else that of one system."
    for found, name in (fine_grained(), "gaffke"), (counted(), "gamma"):
        assert found.deciding_methods("same_questions") == (name,) * len(found)
        assert found[0].deciding_method("same_questions") == name
    unknown = fine_grained(bounds=None)
    assert unknown[0].deciding_method("same_questions") == "t"
    with pytest.raises(ValueError, match="target must be"):
        unknown[0].deciding_method("all")


def test_few_deals_may_be_more_cautious_than_the_interval():
    "Of nineteen, by one seed and not by the other."
    n, k = np.full(15, 4), np.array([2])
    c_a = np.array([4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
    c_b = np.array([4, 3, 1, 4, 3, 4, 4, 3, 4, 1, 4, 2, 2, 4, 2])
    values = [mean_credit(c, n - c, k, any_credit) for c in (c_a, c_b)]
    found = compare_budgets(*values, k=k, tables=Tables(n, c_a, n, c_b, k, any_credit))
    larger = []
    for seed in 0, 5:
        (p,) = found.tests("cautious", draws=19, rng=seed)
        deals = found[0].test("permutation", draws=19, rng=seed).value
        assert p.value == max(deals, found[0].test("interval").value)
        larger.append(deals == p.value)
    assert larger == [True, False]
