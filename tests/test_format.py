"Numbers as a person reads them."
import numpy as np
import pytest

from sampling_eval.report import format as f
from sampling_eval.results.reading import Alignment, Unmatched
from sampling_eval.results.rows import Method


@pytest.mark.parametrize("value, text", [
    (.42, "0.420"), (2 / 3, "0.667"), (1., "1.000"), (0., "0.000"), (-.25, "-0.250"), (.9996, "0.9996"),
    (.99999999, "0.99999999"), (-.9999, "-0.9999"), (4e-5, "0.00004"), (-.0004, "-0.0004"), (3.1e-7, "3.10e-07"),
    (1 - 2e-16, "0.9999999999999998"), (1.0004, "1.0004"), (12.3456, "12.346"), (None, "-")])
def test_decimal(value, text): assert f.decimal(value) == text


def test_other_numbers_of_decimals(): assert (f.decimal(.123456, 4), f.decimal(1, 4)) == ("0.1235", "1.0000")


@pytest.mark.parametrize("value, text", [
    (.03125, "+0.031"), (0., "0.000"), (-.5, "-0.500"), (.9999, "+0.9999"), (1., "+1.000"), (None, "-")])
def test_signed(value, text): assert f.signed(value) == text


@pytest.mark.parametrize("value", [10.**-i for i in range(1, 12)] + [.5, .49999, .5001])
def test_rounding_never_invents_certainty(value):
    for number in value, 1 - value, value - 1, -value:
        assert float(f.decimal(number)) not in (-1, 0, 1) and np.sign(float(f.decimal(number))) == np.sign(number)
        assert float(f.points(number)) != 0
        if number > 0: assert float(f.percent(number, unit=False)) not in (0, 100)


@pytest.mark.parametrize("share, text", [
    (.42, "42.0 %"), (0, "0.0 %"), (1, "100.0 %"), (.9996, "99.96 %"), (.0004, "0.04 %"), (1 / 3, "33.3 %"),
    (9.765625e-9, "9.8e-07 %"), (1 - 1e-9, "99.9999999 %"), (None, "-"), (-.05, "-5.0 %"),
    (.5084, "50.8 %"), (.9994, "99.9 %"), (.0006, "0.1 %"), (4e-9, "4e-07 %"), (1 - 1e-15, "100.0 %"), (1e-16, "0.0 %")])
def test_percent(share, text): assert f.percent(share) == text


@pytest.mark.parametrize("change, text", [
    (.0762, "+7.6"), (-.017, "-1.7"), (0, "0.0"), (-.0002, "-0.02"), (1e-9, "+1e-07"), (None, "-"), (1, "+100.0"),
    (-1., "-100.0"), (.3456, "+34.6"), (.001, "+0.1"), (-.0004, "-0.04")])
def test_points(change, text): assert f.points(change) == text


def test_a_number_in_its_own_unit():
    assert f.value(.5) == "50.0 %" and f.value(3.25, "score") == "3.250"
    assert f.difference(.05) == "+5.0 points" and f.difference(-.5, "score") == "-0.500"
    assert f.interval(.316, .528) == "31.6 to 52.8 %" and f.interval(1, 5, "score") == "1.000 to 5.000"
    assert f.interval(1e-6, 1 - 1e-6) == "<0.1 to >99.9 %" and f.interval(0, 1) == "0.0 to 100.0 %"
    assert f.difference_interval(-.017, .145) == "-1.7 to +14.5" and f.difference_interval(None, None) == "-"


@pytest.mark.parametrize("number, text", [
    (.95, "95 %"), (.999, "99.9 %"), (.9999999, "99.99999 %"), (2 / 3, "66.6667 %"), (.9, "90 %"), (.5, "50 %"),
    (1 / 3, "33.3333 %"), (.99999999, "99.999999 %"), (.9999999999, "99.99999999 %"), (1e-9, "1e-07 %"),
    # A thousandth of the distance to 100 is the largest error: 99.9655 would be off by more.
    (.9996546, "99.96546 %"), (.9996552, "99.9655 %")])
def test_level(number, text): assert f.level(number) == text


@pytest.mark.parametrize("p, text", [
    (.02, "p = .020"), (.0465, "p = .046"), (1, "p = 1"), (.9999, "p = .999"), (2e-5, "p = 2.0e-05"),
    (1e-13, "p < 1e-12"), (None, "p undefined"),
    (.0005, "p = 5.0e-04"), (.001, "p = .001"), (.99949, "p = .999"), (.9995, "p = .999"), (1e-300, "p < 1e-12"),
    (0., "p < 1e-12")])
def test_pvalue(p, text): assert f.pvalue(p) == text


def test_a_pvalue_of_a_table(): assert [f.pvalue(p, equals=False) for p in (.5, None, 0.)] == [".500", "-", "<1e-12"]


def test_counts_and_names():
    assert f.count(1, "question") == "1 question" and f.count(2200, "question") == "2,200 questions"
    assert f.count_range(4, 8, "sample") == "4 to 8 samples" and f.count_range(1, 1, "sample") == "1 sample"
    assert [f.about(n) for n in (99, 100, 472, 12_345)] == ["about 99", "about 100", "about 480", "about 13,000"]
    assert f.join(["a", "b", "c"]) == "a, b and c" and f.join(["a"], "or") == "a"
    assert f.ranges([1, 2, 3, 8]) == "1-3, 8" and f.ranges([1, 2, 4, 16], [1, 2, 4, 8, 16]) == "1-4, 16"
    assert f.ranges([]) == "" and f.open_sentence("one thing.") == "One thing."
    assert f.count_range(0, 0, "sample") == "0 samples" and f.count_range(999, 12_345) == "999 to 12,345"
    assert f.join(["a", "b"]) == "a and b" and f.join("abc", "or") == "a, b or c" and f.open_sentence("") == ""


# Sentences that several results share.

@pytest.mark.parametrize("method, said", [
    (None, "none"), (Method("t", .95, False), "95 % t (approximate)"),
    (Method("gaffke", .9, True, same_as="clopper-pearson"), "90 % gaffke = clopper-pearson (assumption-free for bounded scores)"),
    (Method("gaffke", .95, True, clusters=3), "95 % gaffke over 3 clusters (assumption-free for bounded scores)"),
    (Method("gamma", .95, False, upper_bound=True),
     "95 % gamma (approximate, an upper bound: it has the spread of new questions)"),
    (Method("gaffke", .95, True, max_weight=2., weighted=True),
     "95 % gaffke over weighted questions (assumption-free for bounded scores: assumes no weight above 2)"),
    (Method("bootstrap", .95, False, seed=3), "95 % bootstrap (seed 3) (approximate)"),
    (Method("bootstrap", .95, False), "95 % bootstrap (seed given by rng) (approximate)"),
    (Method("t", .95, False, strata=True), "95 % t over strata (approximate)")])
def test_how_an_interval_was_computed(method, said): assert f.describe_method(method) == said


def test_which_questions_are_compared():
    def align(*left): return Alignment(50, tuple(Unmatched(system, len(names) + more, names) for system, names, more in left))
    assert f.describe_alignment(align(("a", (), 0), ("b", (), 0))) == "same 50 questions"
    assert f.describe_alignment(align(("a", ("q1",), 0), ("b", ("x", "y"), 1_000))) == (
        "50 common questions; left out: 1 only in a ('q1') and 1,002 only in b ('x', 'y', ...)")
    assert f.describe_alignment(align(("a", ("q1",), 0), ("b", (), 0), ("c", (), 0))) == (
        "50 common questions; left out: 1 of a ('q1')")
